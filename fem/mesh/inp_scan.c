// SPDX-License-Identifier: BSD-3-Clause
// inp_scan.c: lines of .inp files: keywords with parameters, data fields, included files.
//
// Blanks, case and the kind of line end do not matter; lines that begin with ** and empty lines are
// skipped; a keyword line that ends with a comma goes on in the next one. *INCLUDE is followed
// here, so that a file of bare data lines may stand inside a block. Files are read as a whole.
// O(file size).
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inp_priv.h"

static int upper(int c) { return toupper((unsigned char)c); }

bool mw_inp_same(const char *a, const char *b)
{
  for (; *a != '\0' && upper(*a) == upper(*b); a++, b++) {
  }
  return upper(*a) == upper(*b);
}

mw_at mw_inp_at(const inp_reader *r)
{
  return (mw_at){ .file = r->path[r->file], .line = r->line };
}

mw_code mw_inp_grow(inp_reader *r, void **v, int n, int *cap, size_t size, mw_error *err)
{
  if (n < *cap) return MW_OK;
  if (n > INT_MAX / 2 - 32)
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "the file has too many items");
  int more = 2 * n + 16;
  void *p = mw_arena_alloc(&r->tmp, (size_t)more, size);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  if (n > 0) memcpy(p, *v, (size_t)n * size);
  *v = p;
  *cap = more;
  return MW_OK;
}

mw_code mw_inp_append(inp_reader *r, inp_list *l, int value, mw_error *err)
{
  void *v = l->v;
  mw_code rc = mw_inp_grow(r, &v, l->n, &l->cap, sizeof *l->v, err);
  l->v = v;
  if (rc == MW_OK) l->v[l->n++] = value;
  return rc;
}

// ---- files ----

mw_code mw_inp_open(inp_reader *r, const char *path, mw_at from, mw_error *err)
{
  for (int k = 0; k < r->n_open; k++)
    if (strcmp(r->open[k].path, path) == 0)
      return mw_fail(err, MW_ERR_INPUT, from, "'%s' includes itself", path);
  if (r->n_open == INP_DEPTH)
    return mw_fail(err, MW_ERR_INPUT, from, "files include one another more than %d deep",
                   INP_DEPTH);
  inp_file f = { .path = path, .id = r->n_path };
  void *v = r->path;
  mw_code rc = mw_inp_grow(r, &v, r->n_path, &r->cap_path, sizeof *r->path, err);
  r->path = v;
  if (rc == MW_OK) rc = mw_mesh_load(path, from, &r->tmp, &f.buf, &f.size, err);
  if (rc != MW_OK) return rc;
  r->path[r->n_path++] = path;
  r->open[r->n_open++] = f;
  return MW_OK;
}

// path of an included file: beside the file that names it
static const char *beside(inp_reader *r, const char *name)
{
  const char *path = r->at.file, *slash = strrchr(path, '/');
  if (name[0] == '/' || slash == NULL) return mw_arena_str(&r->tmp, name);
  return mw_arena_printf(&r->tmp, "%.*s/%s", (int)(slash - path), path, name);
}

// The next line that is not empty and no comment, without blanks around it; p NULL at the end.
static void raw_line(inp_reader *r)
{
  r->p = r->end = NULL;
  while (r->n_open > 0) {
    inp_file *f = &r->open[r->n_open - 1];
    if (f->pos >= f->size) {
      r->n_open--;
      continue;
    }
    const char *a = f->buf + f->pos, *b = memchr(a, '\n', f->size - f->pos);
    if (b == NULL) b = f->buf + f->size;
    f->pos = (size_t)(b - f->buf) + 1;
    f->line++;
    while (a < b && isspace((unsigned char)*a)) a++;
    while (a < b && isspace((unsigned char)b[-1])) b--;
    if (a == b || (b - a > 1 && a[0] == '*' && a[1] == '*')) continue;
    r->p = a;
    r->end = b;
    r->line = f->line;
    r->file = f->id;
    return;
  }
}

// ---- keyword lines ----

const char *mw_inp_param(const inp_reader *r, const char *name)
{
  for (int k = 0; k < r->n_param; k++)
    if (strcmp(r->param[k].name, name) == 0) return r->param[k].value;
  return NULL;
}

mw_code mw_inp_want(const inp_reader *r, const char *name, const char **value, mw_error *err)
{
  *value = mw_inp_param(r, name);
  if (*value != NULL && **value != '\0') return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, r->at, "*%s has no %s=", r->keyword, name);
}

// blanks and quotes around s, in place
static char *trim(char *s)
{
  while (isspace((unsigned char)*s)) s++;
  char *e = s + strlen(s);
  while (e > s && isspace((unsigned char)e[-1])) e--;
  if (e - s >= 2 && *s == '"' && e[-1] == '"') s++, e--;
  *e = '\0';
  return s;
}

static void squeeze(char *s)  // capitals without blanks
{
  char *out = s;
  for (; *s != '\0'; s++)
    if (!isspace((unsigned char)*s)) *out++ = (char)upper(*s);
  *out = '\0';
}

// "KEYWORD, NAME=VALUE, NAME" in card
static mw_code split_card(inp_reader *r, mw_error *err)
{
  char *s = r->card + 1;
  r->keyword = s;
  r->n_param = 0;
  for (bool first = true; s != NULL; first = false) {
    char *next = strchr(s, ',');
    if (next != NULL) *next++ = '\0';
    char *value = first ? NULL : strchr(s, '=');
    if (value != NULL) *value++ = '\0';
    squeeze(s);
    if (!first && *s != '\0') {
      if (r->n_param == INP_PARAM)
        return mw_fail(err, MW_ERR_INPUT, r->at, "more than %d parameters", INP_PARAM);
      r->param[r->n_param].name = s;
      r->param[r->n_param++].value = value != NULL ? trim(value) : "";
    }
    s = next;
  }
  return MW_OK;
}

// The keyword line at hand, with the lines it goes on in, into card.
static mw_code gather_card(inp_reader *r, mw_error *err)
{
  size_t n = 0;
  r->at = mw_inp_at(r);
  while (r->p != NULL) {
    size_t add = (size_t)(r->end - r->p);
    if (n + add + 1 > sizeof r->card)
      return mw_fail(err, MW_ERR_INPUT, r->at, "a keyword line of more than %d characters",
                     INP_CARD - 1);
    memcpy(r->card + n, r->p, add);
    n += add;
    if (r->card[n - 1] != ',') break;
    raw_line(r);
  }
  r->card[n] = '\0';
  if (strlen(r->card) != n)
    return mw_fail(err, MW_ERR_INPUT, r->at, "a keyword line with a zero byte");
  return split_card(r, err);
}

// The next line of data into p, or the next keyword into card (p NULL, keyword NULL at the end).
static mw_code next_line(inp_reader *r, mw_error *err)
{
  const char *name;
  for (;;) {
    raw_line(r);
    if (r->p == NULL) r->keyword = NULL;
    if (r->p == NULL || *r->p != '*') return MW_OK;
    mw_code rc = gather_card(r, err);
    r->p = NULL;
    if (rc != MW_OK || strcmp(r->keyword, "INCLUDE") != 0) return rc;
    rc = mw_inp_want(r, "INPUT", &name, err);
    if (rc != MW_OK) return rc;
    const char *path = beside(r, name);
    rc = mw_arena_check(&r->tmp, err);
    if (rc == MW_OK) rc = mw_inp_open(r, path, r->at, err);
    if (rc != MW_OK) return rc;
  }
}

mw_code mw_inp_card(inp_reader *r, mw_error *err)
{
  while (!r->held) {
    mw_code rc = next_line(r, err);
    if (rc != MW_OK || r->p == NULL) return rc;
    // else data of a keyword that is passed over
  }
  r->held = false;
  return MW_OK;
}

mw_code mw_inp_data(inp_reader *r, bool *more, mw_error *err)
{
  *more = false;
  if (r->held) return MW_OK;
  mw_code rc = next_line(r, err);
  if (rc != MW_OK) return rc;
  *more = r->p != NULL;
  r->held = !*more;
  return MW_OK;
}

// ---- fields ----

bool mw_inp_field(inp_reader *r, char word[INP_WORD])
{
  if (r->p == NULL || r->p >= r->end) return false;
  const char *a = r->p, *b = memchr(a, ',', (size_t)(r->end - a));
  r->comma = b != NULL;
  if (b == NULL) b = r->end;
  r->p = b + r->comma;
  while (a < b && isspace((unsigned char)*a)) a++;
  while (a < b && isspace((unsigned char)b[-1])) b--;
  if (b - a >= 2 && *a == '"' && b[-1] == '"') a++, b--;
  size_t n = (size_t)(b - a) < INP_WORD - 1 ? (size_t)(b - a) : INP_WORD - 1;
  memcpy(word, a, n);
  word[n] = '\0';
  return true;
}

bool mw_inp_is_number(const char *word)
{
  return isdigit((unsigned char)word[0]) ||
         ((word[0] == '-' || word[0] == '+' || word[0] == '.') && word[1] != '\0');
}

mw_code mw_inp_f64(const inp_reader *r, const char *word, const char *what, double *x,
                   mw_error *err)
{
  char copy[INP_WORD], *end = copy;
  size_t n = 0;
  for (; word[n] != '\0' && n + 1 < sizeof copy; n++)  // Fortran's 1.5D-3
    copy[n] = word[n] == 'd' || word[n] == 'D' ? 'e' : word[n];
  copy[n] = '\0';
  double v = strtod(copy, &end);
  if (end == copy || *end != '\0' || !isfinite(v))
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "found '%.40s', expected %s", word, what);
  *x = v;
  return MW_OK;
}

mw_code mw_inp_int(const inp_reader *r, const char *word, const char *what, int *i, mw_error *err)
{
  char *end;
  long v = strtol(word, &end, 10);
  if (end == word || *end != '\0' || v < 1 || v > INT_MAX)
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "found '%.40s', expected %s", word, what);
  *i = (int)v;
  return MW_OK;
}
