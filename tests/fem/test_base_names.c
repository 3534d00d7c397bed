// SPDX-License-Identifier: BSD-3-Clause
// test_base_names.c: what is found by its name is what a walk through all of them finds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names_layer.h"
#include "mw_test.h"

enum { MOST = 3000, LENGTH = 12 };

typedef struct thing {
  const char *name;
  double x[3];
} thing;

typedef struct things {
  thing v[MOST];
  char text[MOST][LENGTH];
} things;

static int walk(const thing *v, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].name, name) == 0) return i;
  return -1;
}

static int find(mw_name_table *t, const thing *v, int n, const char *name)
{
  return mw_name_find(t, v, n, sizeof *v, name);
}

// every third name stands there before
static void make(things *s, const char *prefix)
{
  for (int i = 0; i < MOST; i++) {
    snprintf(s->text[i], LENGTH, "%s%d", prefix, i % 3 == 2 ? i / 2 : i);
    s->v[i].name = s->text[i];
  }
}

static void a_name_is_found_where_it_stands_first(void)
{
  things *s = calloc(1, sizeof *s);
  mw_name_table t = { 0 };
  if (!s) abort();
  make(s, "p");
  // the array grows, and is asked for parts of itself; names behind the end are not there
  for (int n = 0; n <= MOST; n += 1 + n / 5)
    for (int i = 0; i < MOST; i += 1 + MOST / 97)
      for (int less = 0; less < 2 && less <= n; less++)
        MW_CHECK(find(&t, s->v, n - less, s->text[i]) == walk(s->v, n - less, s->text[i]));
  MW_CHECK(find(&t, s->v, MOST, "") == -1 && find(&t, s->v, MOST, "q0") == -1);
  mw_name_table_free(&t);
  MW_CHECK(t.entry == NULL && t.n == 0);
  free(s);
}

static void arrays_of_the_same_names_are_kept_apart(void)
{
  things *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
  mw_name_table t = { 0 };
  if (!a || !b) abort();
  make(a, "x");
  make(b, "x");
  for (int i = 0; i < MOST; i++) b->v[i].name = a->text[MOST - 1 - i];
  for (int i = 0; i < MOST; i += 7) {
    MW_CHECK(find(&t, a->v, MOST, a->text[i]) == walk(a->v, MOST, a->text[i]));
    MW_CHECK(find(&t, b->v, MOST, a->text[i]) == walk(b->v, MOST, a->text[i]));
  }
  MW_CHECK(find(&t, a->v + 1, MOST - 1, a->text[1]) == 0);
  mw_name_table_free(&t);
  free(a);
  free(b);
}

static void an_empty_name_is_a_name(void)
{
  thing v[20];
  mw_name_table t = { 0 };
  static const char *const LETTER[] = { "a", "b", "c", "d", "e" };
  for (int i = 0; i < 20; i++) v[i] = (thing){ .name = i == 13 ? "" : LETTER[i % 5] };
  MW_CHECK(find(&t, v, 13, "") == -1);
  MW_CHECK(find(&t, v, 20, "") == 13 && find(&t, v, 20, "e") == 4);
  mw_name_table_free(&t);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_name_is_found_where_it_stands_first", a_name_is_found_where_it_stands_first },
    { "arrays_of_the_same_names_are_kept_apart", arrays_of_the_same_names_are_kept_apart },
    { "an_empty_name_is_a_name", an_empty_name_is_a_name },
  };
  return mw_test_run("base_names", cases, (int)(sizeof cases / sizeof *cases));
}
