// SPDX-License-Identifier: BSD-3-Clause
// test_base_pool.c: trees of items worked off by threads against the same by the caller alone. What
// items hand to each other is plain memory, so that ThreadSanitizer sees an item that comes too
// early.
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "mw_test.h"

enum { ITEMS = 400, CALLS = 200 };

typedef struct tree {
  struct item {
    int above;
    long sum;    // of it and all below it
    long depth;  // of it
  } item[ITEMS];
  int first[2];  // items that fail, −1
} tree;

static void tree_make(tree *t, unsigned seed)
{
  *t = (tree){ .first = { -1, -1 } };
  for (int i = 0; i < ITEMS; i++) {
    seed = seed * 1664525u + 1013904223u;
    int far = i + 1 + (int)((seed >> 16) % 9u);
    t->item[i].above = far < ITEMS ? far : -1;  // some of the last ones have none above them
  }
}

static mw_code add_up(void *ctx, int i)
{
  tree *t = ctx;
  t->item[i].sum += i + 1;
  for (int k = i - 9 < 0 ? 0 : i - 9; k < i; k++)
    if (t->item[k].above == i) t->item[i].sum += t->item[k].sum;
  return i == t->first[0] ? MW_ERR_INPUT : i == t->first[1] ? MW_ERR_NUMERIC : MW_OK;
}

static mw_code go_down(void *ctx, int i)
{
  tree *t = ctx;
  int up = t->item[i].above;
  t->item[i].depth = up < 0 ? 1 : t->item[up].depth + 1;
  return i == t->first[0] ? MW_ERR_INPUT : i == t->first[1] ? MW_ERR_NUMERIC : MW_OK;
}

static mw_code up_and_down(mw_pool *p, tree *t)
{
  const int *above = &t->item->above;
  mw_code up = mw_pool_up(p, ITEMS, above, sizeof *t->item, add_up, t);
  mw_code down = mw_pool_down(p, ITEMS, above, sizeof *t->item, go_down, t);
  MW_CHECK(up == down);
  return up;
}

static void items_wait_for_those_below_and_above_them(void)
{
  mw_error err = { 0 };
  for (int threads = 1; threads <= 5; threads++) {
    mw_pool *p = NULL;
    if (!MW_OKAY(mw_pool_build(threads, &p, &err))) return;
    int same = 0;
    for (unsigned k = 0; k < CALLS; k++) {
      tree alone, shared;
      tree_make(&alone, k);
      tree_make(&shared, k);
      MW_CHECK(up_and_down(NULL, &alone) == MW_OK);
      MW_CHECK(up_and_down(p, &shared) == MW_OK);
      same += memcmp(&alone, &shared, sizeof alone) == 0;
    }
    MW_CHECK(same == CALLS);
    mw_pool_free(p);
  }
}

// The sum of all items is that of 1 … ITEMS, whoever did them.
static void each_item_is_done_once(void)
{
  mw_error err = { 0 };
  mw_pool *p = NULL;
  tree t;
  long sum = 0;
  if (!MW_OKAY(mw_pool_build(3, &p, &err))) return;
  tree_make(&t, 5u);
  MW_CHECK(up_and_down(p, &t) == MW_OK);
  for (int i = 0; i < ITEMS; i++) sum += t.item[i].above < 0 ? t.item[i].sum : 0;
  MW_CHECK(sum == ITEMS * (ITEMS + 1) / 2);
  mw_pool_free(p);
}

static void the_code_of_the_first_item_that_failed_is_returned(void)
{
  mw_error err = { 0 };
  mw_pool *p = NULL;
  if (!MW_OKAY(mw_pool_build(3, &p, &err))) return;
  for (unsigned k = 0; k < CALLS; k++) {
    tree t;
    tree_make(&t, k);
    t.first[0] = ITEMS / 2;
    t.first[1] = ITEMS / 2 + 1 + (int)(k % 100u);
    MW_CHECK(up_and_down(p, &t) == MW_ERR_INPUT);
    tree_make(&t, k);
    t.first[0] = ITEMS - 1;
    t.first[1] = (int)k;
    MW_CHECK(up_and_down(p, &t) == MW_ERR_NUMERIC);
  }
  mw_pool_free(p);
}

// Threads that are simulated leave the same, and take between a share each and all of the time.
static void simulated_threads_do_the_same(void)
{
  mw_error err = { 0 };
  for (int threads = 1; threads <= 3; threads++) {
    mw_pool *p = NULL;
    tree alone, shared;
    double items, path;
    if (!MW_OKAY(mw_pool_simulate(threads, &p, &err))) return;
    for (unsigned k = 0; k < CALLS; k++) {
      tree_make(&alone, k);
      tree_make(&shared, k);
      MW_CHECK(up_and_down(NULL, &alone) == MW_OK && up_and_down(p, &shared) == MW_OK);
      MW_CHECK(memcmp(&alone, &shared, sizeof alone) == 0);
    }
    tree_make(&shared, 1u);
    shared.first[0] = ITEMS / 2;
    MW_CHECK(up_and_down(p, &shared) == MW_ERR_INPUT);
    mw_pool_simulated(p, &items, &path);
    // sums of some 3e5 times, each rounded
    double rounding = 1.0 + mw_test_rounding(2.0 * CALLS * ITEMS, 1.0);
    MW_CHECK(items > 0.0 && path <= items * rounding && items <= threads * path * rounding);
    mw_pool_free(p);
  }
}

static void pools_that_did_nothing_are_freed(void)
{
  mw_error err = { 0 };
  for (int k = 0; k < 20; k++) {
    mw_pool *p = NULL;
    MW_OKAY(mw_pool_build(4, &p, &err));
    mw_pool_free(p);
  }
  mw_pool_free(NULL);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "items_wait_for_those_below_and_above_them", items_wait_for_those_below_and_above_them },
    { "each_item_is_done_once", each_item_is_done_once },
    { "the_code_of_the_first_item_that_failed_is_returned",
      the_code_of_the_first_item_that_failed_is_returned },
    { "simulated_threads_do_the_same", simulated_threads_do_the_same },
    { "pools_that_did_nothing_are_freed", pools_that_did_nothing_are_freed },
  };
  return mw_test_run("base_pool", cases, (int)(sizeof cases / sizeof *cases));
}
