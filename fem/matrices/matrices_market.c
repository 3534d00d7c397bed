// SPDX-License-Identifier: BSD-3-Clause
// matrices_market.c: matrices whose rows are numbered: CalculiX's .sti and .mas, Matrix Market.
//
// CalculiX: lines "i j value", one triangle, numbers from 1, values with 14 digits. Matrix Market:
// a first line that says what follows, comments, the sizes, then the same lines; "general" matrices
// give both triangles. O(file size).
// Format: R. F. Boisvert, R. Pozo, K. A. Remington, The Matrix Market Exchange Formats: Initial
// Design, NISTIR 5935, 1996.
#include <ctype.h>
#include <string.h>

#include "matrices_layer.h"

static mw_code row_number(const mx_reader *r, mx_text *t, int *i, mw_error *err)
{
  mw_code rc = mx_int(t, "a row number", i, err);
  if (rc != MW_OK || (*i >= 1 && *i <= r->n_row)) return rc;
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = t->line },
                 "row %d, but there are the rows 1 to %d of %s", *i, r->n_row,
                 r->in->dofs != NULL ? r->in->dofs : r->in->nodes);
}

static mw_code read_entry(const mx_reader *r, mx_text *t, mx_list *out, mw_error *err)
{
  int i = 0, j = 0;
  double x = 0.0;
  mw_code rc = row_number(r, t, &i, err);
  if (rc == MW_OK) rc = row_number(r, t, &j, err);
  if (rc == MW_OK) rc = mx_real(t, "a value", &x, err);
  if (rc == MW_OK) rc = mx_end(t, err);
  return rc == MW_OK ? mx_add_entry(out, r->row[i - 1], r->row[j - 1], t->line, x, err) : rc;
}

mw_code mx_read_triplets(mx_reader *r, const char *path, mx_list *out, mw_error *err)
{
  mx_text t;
  mw_code rc = mx_open(path, &t, err);
  out->path = path;
  while (rc == MW_OK && mx_next(&t))
    if (!mx_blank(&t) && *t.pos != '#') rc = read_entry(r, &t, out, err);
  mx_close(&t);
  return rc;
}

// next word, lower case
static void next_word(mx_text *t, char *word, size_t n)
{
  size_t k = 0;
  mx_blank(t);
  for (; *t->pos != '\0' && *t->pos != ' ' && *t->pos != '\t'; t->pos++)
    if (k + 1 < n) word[k++] = (char)tolower((unsigned char)*t->pos);
  word[k] = '\0';
}

static mw_code read_banner(mx_text *t, mx_list *out, mw_error *err)
{
  static const char *const WANT[4] = { "%%matrixmarket", "matrix", "coordinate", "real" };
  char word[32];
  if (!mx_next(t))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path }, "the file is empty");
  for (int k = 0; k < 4; k++) {
    next_word(t, word, sizeof word);
    if (strcmp(word, WANT[k]) == 0 || (k == 3 && strcmp(word, "integer") == 0)) continue;
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = 1 },
                   "found '%s', expected '%%%%MatrixMarket matrix coordinate real symmetric'",
                   word);
  }
  next_word(t, word, sizeof word);
  out->general = strcmp(word, "general") == 0;
  if (out->general || strcmp(word, "symmetric") == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = 1 },
                 "a '%s' matrix, expected symmetric or general", word);
}

static bool next_data(mx_text *t)  // next line that is neither blank nor a comment
{
  while (mx_next(t))
    if (!mx_blank(t) && *t->pos != '%') return true;
  return false;
}

static mw_code read_sizes(const mx_reader *r, mx_text *t, int *nnz, mw_error *err)
{
  int n = 0, m = 0;
  if (!next_data(t))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = t->line },
                   "the file is cut off, expected the sizes");
  mw_code rc = mx_int(t, "the number of rows", &n, err);
  if (rc == MW_OK) rc = mx_int(t, "the number of columns", &m, err);
  if (rc == MW_OK) rc = mx_int(t, "the number of entries", nnz, err);
  if (rc == MW_OK) rc = mx_end(t, err);
  if (rc != MW_OK) return rc;
  mw_at at = { .file = t->path, .line = t->line };
  if (n != m)
    return mw_fail(err, MW_ERR_INPUT, at, "%d rows and %d columns, expected as many", n, m);
  if (n != r->n_row)
    return mw_fail(err, MW_ERR_INPUT, at, "%d rows, but %s has %d%s", n,
                   r->in->dofs != NULL ? r->in->dofs : r->in->nodes, r->n_row,
                   r->in->dofs != NULL ? "" : " (dofs: says which motions have one)");
  return MW_OK;
}

// Rows without a list of their own: 3 or 6 motions of each node in the order of the file. The sizes
// line is read ahead for that.
static mw_code default_rows(mx_reader *r, const char *path, mw_error *err)
{
  mx_text t;
  int n = 0;
  mw_code rc = mx_open(path, &t, err);
  if (rc == MW_OK) {
    (void)mx_next(&t);  // the banner: read_banner judges it
    if (next_data(&t)) rc = mx_int(&t, "the number of rows", &n, err);
  }
  mx_close(&t);
  if (rc != MW_OK) return rc;
  int dof = n == 6 * r->n_node ? 6 : 3, cap = 0;
  for (int k = 0; k < dof * r->n_node && rc == MW_OK; k++) {
    void *p = r->row;
    rc = mx_room(&p, r->n_row, &cap, sizeof *r->row, err);
    r->row = p;
    if (rc == MW_OK) r->row[r->n_row++] = 6 * (k / dof) + k % dof;
  }
  return rc;
}

mw_code mx_read_market(mx_reader *r, const char *path, mx_list *out, mw_error *err)
{
  mx_text t;
  int nnz = 0;
  mw_code rc = r->n_row == 0 ? default_rows(r, path, err) : MW_OK;
  if (rc == MW_OK) rc = mx_open(path, &t, err);
  if (rc != MW_OK) return rc;
  out->path = path;
  rc = read_banner(&t, out, err);
  if (rc == MW_OK) rc = read_sizes(r, &t, &nnz, err);
  while (rc == MW_OK && next_data(&t)) {
    rc = read_entry(r, &t, out, err);
    if (rc == MW_OK && out->n > nnz)
      rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path, .line = t.line },
                   "more than the %d entries announced", nnz);
  }
  if (rc == MW_OK && out->n < nnz)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path, .line = t.line },
                 "the file ends after %d of %d entries", out->n, nnz);
  mx_close(&t);
  return rc;
}
