// SPDX-License-Identifier: BSD-3-Clause
// matrices_nastran.c: GRID and DMIG cards of Nastran bulk data and punch files.
//
// A card is a name and data fields, 8 columns each in small field (8 on a line), 16 in large field
// ("NAME*", 4 on a line, continued by "*"), or separated by commas in free field; a line whose
// first field is blank or begins with + continues a card. Reals may omit the E before a signed
// exponent or write D. The fields of interest:
//   GRID  number CP x y z CD             only the basic system: CP and CD blank or 0
//   DMIG  name 0 form type               header: form 6 (symmetric), type 1, 2 (real)
//   DMIG  name Gj Cj – Gi Ci value – …   a column: blocks of four fields from the sixth on
// Cards of other names are skipped. O(file size · log n_node).
// Format: NX Nastran Quick Reference Guide, bulk data entries DMIG, GRID and "format of bulk data".
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrices_layer.h"

enum { FIELD = 32, PER_LINE = 8 };

typedef struct field {
  char s[FIELD];  // without blanks around it, upper case
  int col;
} field;

typedef struct card_line {  // one line of a card
  char name[FIELD];         // upper case, without *; empty: continuation
  bool large;
  int n;  // data fields the format has on this line: 8 or 4
  field f[PER_LINE];
} card_line;

// s [n]: columns of a field without blanks around them, upper case
static void set_field(field *f, const char *s, size_t n, int col)
{
  size_t k = 0;
  while (n > 0 && (*s == ' ' || *s == '\t')) s++, n--, col++;
  while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t')) n--;
  for (; k < n && k + 1 < FIELD; k++) f->s[k] = (char)toupper((unsigned char)s[k]);
  f->s[k] = '\0';
  f->col = col;
}

static void split_free(const char *line, card_line *c, field *first)
{
  const char *p = line;
  for (int k = 0; k <= PER_LINE; k++) {
    size_t n = strcspn(p, ",");
    if (k == 0) {
      set_field(first, p, n, 1);
      c->large = strchr(first->s, '*') != NULL;
    } else if (k <= (c->large ? 4 : 8)) {
      set_field(&c->f[k - 1], p, n, (int)(p - line) + 1);
    }
    p += n;
    if (*p == ',') p++;
  }
}

static void split_fixed(const char *line, card_line *c, field *first)
{
  size_t n = strlen(line), at = 8;
  set_field(first, line, n < 8 ? n : 8, 1);
  c->large = strchr(first->s, '*') != NULL;
  size_t width = c->large ? 16 : 8;
  for (int k = 0; k < (c->large ? 4 : 8); k++, at += width) {
    size_t left = n > at ? n - at : 0;
    set_field(&c->f[k], line + (left > 0 ? at : 0), left < width ? left : width, (int)at + 1);
  }
}

// tabs to the next multiple of 8, comments off
static void expand(const char *in, char out[MX_LINE])
{
  size_t k = 0;
  for (; *in != '\0' && *in != '$' && k + 9 < MX_LINE; in++) {
    if (*in != '\t') {
      out[k++] = *in;
      continue;
    }
    do out[k++] = ' ';
    while (k % 8 != 0);
  }
  while (k > 0 && (out[k - 1] == ' ' || out[k - 1] == '\r')) k--;
  out[k] = '\0';
}

// false: nothing on this line
static bool split(const mx_text *t, card_line *c)
{
  char line[MX_LINE];
  field first = { 0 };
  memset(c, 0, sizeof *c);
  expand(t->buf, line);
  if (line[0] == '\0') return false;
  if (strchr(line, ',') != NULL)
    split_free(line, c, &first);
  else
    split_fixed(line, c, &first);
  c->n = c->large ? 4 : 8;
  if (first.s[0] == '+' || first.s[0] == '*') first.s[0] = '\0';
  memcpy(c->name, first.s, sizeof c->name);
  c->name[strcspn(c->name, "*")] = '\0';
  return true;
}

static mw_at field_at(const mx_text *t, const field *f)
{
  return (mw_at){ .file = t->path, .line = t->line, .col = f->col };
}

static mw_code field_int(const mx_text *t, const field *f, const char *what, int *i, mw_error *err)
{
  char *end;
  long v = strtol(f->s, &end, 10);
  *i = (int)v;
  if (f->s[0] != '\0' && *end == '\0' && labs(v) < 2000000000L) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, field_at(t, f), "found '%s', expected %s", f->s, what);
}

// "1.5", "1.5E3", "1.5D3", "1.5+3"; blank: 0
static mw_code field_real(const mx_text *t, const field *f, const char *what, double *x,
                          mw_error *err)
{
  char s[FIELD + 1], *end = s;
  size_t k = 0, n = strlen(f->s);
  *x = 0.0;
  if (n == 0) return MW_OK;
  for (size_t i = 0; i < n && k + 1 < sizeof s; i++) {
    char c = f->s[i];
    bool sign = c == '+' || c == '-';
    if (i > 0 && sign && (isdigit((unsigned char)f->s[i - 1]) || f->s[i - 1] == '.')) s[k++] = 'E';
    s[k++] = c == 'D' ? 'E' : c;
  }
  s[k < sizeof s ? k : sizeof s - 1] = '\0';
  if (strspn(s, "+-.0123456789E") == strlen(s)) *x = strtod(s, &end);
  if (end != s && *end == '\0' && isfinite(*x)) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, field_at(t, f), "found '%s', expected %s", f->s, what);
}

// ---- GRID ----

static mw_code basic_system(const mx_text *t, const field *f, int grid, const char *what,
                            mw_error *err)
{
  if (f->s[0] == '\0' || strcmp(f->s, "0") == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, field_at(t, f),
                 "GRID %d has its %s in coordinate system %s, expected the basic one (0)", grid,
                 what, f->s);
}

// A GRID card is complete in its first six fields: one line in small field, two in large.
static mw_code add_grid(mx_reader *r, const mx_text *t, const field f[6], mw_error *err)
{
  int grid = 0;
  double x[3] = { 0.0, 0.0, 0.0 };
  mw_code rc = field_int(t, &f[0], "a grid number", &grid, err);
  if (rc == MW_OK) rc = basic_system(t, &f[1], grid, "place", err);
  for (int i = 0; i < 3 && rc == MW_OK; i++)
    rc = field_real(t, &f[2 + i], "a coordinate", &x[i], err);
  if (rc == MW_OK) rc = basic_system(t, &f[5], grid, "motions", err);
  return rc == MW_OK ? mx_add_node(r, t, grid, x, err) : rc;
}

mw_code mx_read_grids(mx_reader *r, const char *path, mw_error *err)
{
  mx_text t;
  card_line c;
  field f[PER_LINE];
  bool open = false;  // a large-field GRID whose second line may follow
  mw_code rc = mx_open(path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    if (!split(&t, &c)) continue;
    if (open && c.name[0] == '\0') memcpy(f + 4, c.f, 4 * sizeof *f);
    if (open) {
      rc = add_grid(r, &t, f, err);
      open = false;
      if (c.name[0] == '\0') continue;
    }
    if (rc == MW_OK && strcmp(c.name, "GRDSET") == 0)
      rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path, .line = t.line },
                   "GRDSET is not read, expected CP and CD on each GRID");
    if (rc != MW_OK || strcmp(c.name, "GRID") != 0) continue;
    memcpy(f, c.f, sizeof f);
    open = c.large;
    if (!open) rc = add_grid(r, &t, f, err);
  }
  if (rc == MW_OK && open) rc = add_grid(r, &t, f, err);
  mx_close(&t);
  return rc == MW_OK ? mx_sort_nodes(r, path, err) : rc;
}

// ---- DMIG ----

typedef struct dmig {
  const char *path;
  char kind;                          // 'K' or 'M'
  char name[FIELD];                   // the matrix that is read
  bool header;                        // its header was seen
  int n_scalar, cap_scalar, *scalar;  // SPOINTs
} dmig;

// The matrix of a file: its only one, or its only one whose name begins with K (M).
static mw_code choose(dmig *d, mw_error *err)
{
  enum { MOST = 16 };
  char name[MOST][FIELD];
  int n = 0, fit = 0, last = 0;
  mx_text t;
  card_line c;
  mw_code rc = mx_open(d->path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    bool old = false;
    if (!split(&t, &c) || strcmp(c.name, "DMIG") != 0) continue;
    for (int k = 0; k < n; k++) old |= strcmp(name[k], c.f[0].s) == 0;
    if (old || n == MOST) continue;
    memcpy(name[n], c.f[0].s, FIELD);
    if (name[n][0] == d->kind) fit++, last = n;
    n++;
  }
  mx_close(&t);
  if (rc != MW_OK) return rc;
  if (n == 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = d->path }, "no DMIG cards in this file");
  if (n > 1 && fit != 1)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = d->path },
                   "%d DMIG matrices, %d of them with a name in %c, expected one", n, fit, d->kind);
  memcpy(d->name, name[n > 1 ? last : 0], FIELD);
  return MW_OK;
}

static mw_code check_header(const mx_text *t, const card_line *c, mw_error *err)
{
  int form = 0, type = 0;
  mw_code rc = field_int(t, &c->f[2], "the form of the matrix", &form, err);
  if (rc == MW_OK && form != 6)
    rc = mw_fail(err, MW_ERR_INPUT, field_at(t, &c->f[2]),
                 "DMIG %s has form %d, expected 6 (symmetric)", c->f[0].s, form);
  if (rc == MW_OK) rc = field_int(t, &c->f[3], "the type of the matrix", &type, err);
  if (rc == MW_OK && (type == 3 || type == 4))
    rc = mw_fail(err, MW_ERR_INPUT, field_at(t, &c->f[3]), "DMIG %s is complex, expected real",
                 c->f[0].s);
  if (rc == MW_OK && type != 1 && type != 2)
    rc = mw_fail(err, MW_ERR_INPUT, field_at(t, &c->f[3]),
                 "DMIG %s has type %d, expected 1 or 2 (real)", c->f[0].s, type);
  return rc;
}

// motion of fields (grid, component)
static mw_code motion_of(const mx_reader *r, const dmig *d, const mx_text *t, const field *g,
                         int *motion, mw_error *err)
{
  int tag = 0, comp = 0;
  mw_code rc = field_int(t, &g[0], "a grid number", &tag, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < d->n_scalar; k++)
    if (d->scalar[k] == tag)
      return mw_fail(err, MW_ERR_INPUT, field_at(t, &g[0]),
                     "DMIG %s has a row of scalar point %d: a modal coordinate has no mass moments",
                     d->name, tag);
  int node = mx_find_node(r, tag);
  if (node < 0)
    return mw_fail(err, MW_ERR_INPUT, field_at(t, &g[0]), "DMIG %s refers to grid %d, not in %s",
                   d->name, tag, r->in->nodes);
  rc = field_int(t, &g[1], "a component", &comp, err);
  if (rc == MW_OK && (comp < 1 || comp > 6))
    rc = mw_fail(err, MW_ERR_INPUT, field_at(t, &g[1]),
                 "component %d of grid %d, expected 1 to 6 (0: a scalar point)", comp, tag);
  *motion = 6 * node + comp - 1;
  return rc;
}

// blocks of four fields: grid, component, value, imaginary part; blank ones are skipped
static mw_code add_blocks(const mx_reader *r, const dmig *d, const mx_text *t, const field *f,
                          int n, int col, mx_list *out, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; k + 4 <= n && rc == MW_OK; k += 4) {
    int row = 0;
    double x = 0.0;
    if (f[k].s[0] == '\0' && f[k + 1].s[0] == '\0' && f[k + 2].s[0] == '\0') continue;
    rc = motion_of(r, d, t, &f[k], &row, err);
    if (rc == MW_OK) rc = field_real(t, &f[k + 2], "a value", &x, err);
    if (rc == MW_OK) rc = mx_add_entry(out, row, col, t->line, x, err);
  }
  return rc;
}

static mw_code dmig_line(const mx_reader *r, dmig *d, const mx_text *t, const card_line *c,
                         int *col, mx_list *out, mw_error *err)
{
  *col = -1;
  if (strcmp(c->f[0].s, d->name) != 0) return MW_OK;
  if (strcmp(c->f[1].s, "0") == 0) {
    d->header = true;
    return check_header(t, c, err);
  }
  if (!d->header)
    return mw_fail(err, MW_ERR_INPUT, field_at(t, &c->f[0]),
                   "DMIG %s begins without a header (DMIG, %s, 0, 6, …)", d->name, d->name);
  mw_code rc = motion_of(r, d, t, &c->f[1], col, err);
  return rc == MW_OK ? add_blocks(r, d, t, c->f + 4, c->n - 4, *col, out, err) : rc;
}

static mw_code add_scalars(dmig *d, const card_line *c, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; k < c->n && rc == MW_OK; k++) {
    int tag = atoi(c->f[k].s), from = tag;
    if (strcmp(c->f[k].s, "THRU") == 0 && k > 0 && k + 1 < c->n) {
      from = atoi(c->f[k - 1].s) + 1;
      tag = atoi(c->f[k + 1].s);
    }
    if (tag <= 0 || tag - from > 1000000) continue;
    for (; from <= tag && rc == MW_OK; from++) {
      void *p = d->scalar;
      rc = mx_room(&p, d->n_scalar, &d->cap_scalar, sizeof *d->scalar, err);
      d->scalar = p;
      if (rc == MW_OK) d->scalar[d->n_scalar++] = from;
    }
  }
  return rc;
}

// SPOINT cards may stand behind the DMIG, hence a pass of their own
static mw_code read_scalars(dmig *d, mw_error *err)
{
  mx_text t;
  card_line c;
  bool open = false;
  mw_code rc = mx_open(d->path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    if (!split(&t, &c)) continue;
    if (c.name[0] != '\0') open = strcmp(c.name, "SPOINT") == 0;
    if (open) rc = add_scalars(d, &c, err);
  }
  mx_close(&t);
  return rc;
}

static mw_code read_columns(const mx_reader *r, dmig *d, mx_list *out, mw_error *err)
{
  mx_text t;
  card_line c;
  int col = -1;
  bool open = false;  // the last card was a DMIG of this matrix
  mw_code rc = mx_open(d->path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    if (!split(&t, &c)) continue;
    if (c.name[0] == '\0') {
      if (open && col >= 0) rc = add_blocks(r, d, &t, c.f, c.n, col, out, err);
      continue;
    }
    open = strcmp(c.name, "DMIG") == 0;
    if (open) rc = dmig_line(r, d, &t, &c, &col, out, err);
  }
  mx_close(&t);
  return rc;
}

mw_code mx_read_dmig(mx_reader *r, const char *path, char kind, mx_list *out, mw_error *err)
{
  dmig d = { .path = path, .kind = kind };
  out->path = path;
  mw_code rc = choose(&d, err);
  if (rc == MW_OK) rc = read_scalars(&d, err);
  if (rc == MW_OK) rc = read_columns(r, &d, out, err);
  if (rc == MW_OK && out->n == 0)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "DMIG %s has no entries", d.name);
  free(d.scalar);
  return rc;
}
