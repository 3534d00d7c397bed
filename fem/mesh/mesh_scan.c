// SPDX-License-Identifier: BSD-3-Clause
// mesh_scan.c: words and numbers of .msh files, text or binary, behind one set of readers. Every
// count is compared with the bytes that are left before anything is allocated.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

// ---- characters ----

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

mw_at mw_msh_at(const msh_reader *r)
{
  return (mw_at){ .file = r->path, .line = r->binary ? 0 : r->line };
}

mw_code mw_msh_fail(const msh_reader *r, mw_error *err, const char *what, const char *detail)
{
  if (!r->binary) return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "%s%s", what, detail);
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "at byte %zu: %s%s", r->pos, what, detail);
}

static void skip_space(msh_reader *r)
{
  while (r->pos < r->size && is_space(r->buf[r->pos])) {
    if (r->buf[r->pos] == '\n') r->line++;
    r->pos++;
  }
}

// Next word into word [n], cut if longer; empty at the end of the file.
void mw_msh_word(msh_reader *r, char *word, size_t n)
{
  size_t k = 0;
  skip_space(r);
  for (; r->pos < r->size && !is_space(r->buf[r->pos]); r->pos++)
    if (k + 1 < n) word[k++] = r->buf[r->pos];
  word[k] = '\0';
}

void mw_msh_skip_line(msh_reader *r)
{
  while (r->pos < r->size && r->buf[r->pos] != '\n') r->pos++;
  if (r->pos < r->size) {
    r->pos++;
    r->line++;
  }
}

mw_code mw_msh_expect(msh_reader *r, const char *want, mw_error *err)
{
  char word[64];
  mw_msh_word(r, word, sizeof word);
  if (strcmp(word, want) == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "found '%.40s', expected %s%s", word, want,
                 word[0] ? "" : " (the file is cut off)");
}

// ---- numbers ----

mw_code mw_msh_text(msh_reader *r, const char *what, double *x, mw_error *err)
{
  char word[64], *end;
  mw_msh_word(r, word, sizeof word);
  if (word[0] == '\0') return mw_msh_fail(r, err, "the file is cut off, expected ", what);
  *x = strtod(word, &end);
  if (*end != '\0' || !isfinite(*x)) {
    return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "found '%.40s', expected %s", word, what);
  }
  return MW_OK;
}

static mw_code raw(msh_reader *r, void *out, size_t n, const char *what, mw_error *err)
{
  if (r->size - r->pos < n) return mw_msh_fail(r, err, "the file is cut off, expected ", what);
  memcpy(out, r->buf + r->pos, n);
  r->pos += n;
  return MW_OK;
}

mw_code mw_msh_f64(msh_reader *r, const char *what, double *x, mw_error *err)
{
  if (!r->binary) return mw_msh_text(r, what, x, err);
  mw_code rc = raw(r, x, sizeof *x, what, err);
  if (rc == MW_OK && !isfinite(*x)) return mw_msh_fail(r, err, "not a finite number: ", what);
  return rc;
}

mw_code mw_msh_int(msh_reader *r, const char *what, int *i, mw_error *err)
{
  double x = 0.0;
  int32_t v = 0;
  mw_code rc = r->binary ? raw(r, &v, sizeof v, what, err) : mw_msh_text(r, what, &x, err);
  if (rc != MW_OK) return rc;
  if (x != floor(x) || fabs(x) > INT_MAX)
    return mw_msh_fail(r, err, "not an integer in range: ", what);
  *i = r->binary ? v : (int)x;
  return MW_OK;
}

// a count or a tag, written as size_t; must fit an int
mw_code mw_msh_size(msh_reader *r, const char *what, int *i, mw_error *err)
{
  double x = 0.0;
  uint64_t v = 0;
  mw_code rc = r->binary ? raw(r, &v, sizeof v, what, err) : mw_msh_text(r, what, &x, err);
  if (rc != MW_OK) return rc;
  if (x != floor(x) || x < 0.0 || x > INT_MAX || v > INT_MAX)
    return mw_msh_fail(r, err, "not a whole number in 0 … 2147483647: ", what);
  *i = r->binary ? (int)v : (int)x;
  return MW_OK;
}

// n items of at least `bytes` each in a binary file (two characters in a text file) must still
// follow
mw_code mw_msh_need(const msh_reader *r, int n, size_t bytes, const char *what, mw_error *err)
{
  size_t left = (r->size - r->pos + (r->binary ? 0 : 1)) / (r->binary ? bytes : 2);
  if ((size_t)n <= left) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r), "%d %s announced, but only %zu bytes are left", n,
                 what, r->size - r->pos);
}

// "name" in quotes to the end of the line
mw_code mw_msh_quoted(msh_reader *r, const char **name, mw_error *err)
{
  skip_space(r);
  size_t a = r->pos, b;
  if (a >= r->size || r->buf[a] != '"')
    return mw_msh_fail(r, err, "expected the name of a physical group in quotes", "");
  for (b = a + 1; b < r->size && r->buf[b] != '"' && r->buf[b] != '\n'; b++) {
  }
  if (b >= r->size || r->buf[b] != '"')
    return mw_msh_fail(r, err, "the name of a physical group is not closed by a quote", "");
  char *s = mw_arena_alloc(r->mem, b - a, 1);
  if (s == NULL) return mw_arena_check(r->mem, err);
  memcpy(s, r->buf + a + 1, b - a - 1);
  *name = s;
  r->pos = b + 1;
  return MW_OK;
}
