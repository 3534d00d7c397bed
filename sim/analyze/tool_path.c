// SPDX-License-Identifier: BSD-3-Clause
// tool_path.c: paths as text and from tables.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cubic.h"
#include "reduction/ncfile.h"
#include "tool_path_priv.h"

static const char *const NAME[MW_ALONG_COORDINATE] = { "x", "y", "z", "rx", "ry", "rz" };

mw_code mw_tool_output(const mw_mech *m, const char *name, int *output, mw_error *err)
{
  const mw_model *model = m->model;
  *output = -1;
  for (int i = 0; i < model->n_output && *output < 0; i++) {
    const mw_output_in *o = &model->output[i];
    bool meant = name ? strcmp(name, o->name) == 0 : !model->body[o->ref.body].ground;
    if (o->kind == MW_OUTPUT_POSITION && !o->part && meant) *output = i;
  }
  if (name && *output < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found \"%.60s\", expected the name of a position among the outputs", name);
  if (*output >= 0 && model->body[model->output[*output].ref.body].ground)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s does not move, expected an output that does",
                   model->output[*output].name);
  return MW_OK;
}

void mw_tool_path_name(const mw_mech *m, const mw_tool_path *path, int i, char name[MW_PATH_NAME])
{
  int what = path->part[i].what;
  if (what < MW_ALONG_COORDINATE)
    snprintf(name, MW_PATH_NAME, "%s.%s", m->model->output[path->output].name, NAME[what]);
  else
    snprintf(name, MW_PATH_NAME, "%s", mw_mech_coord_name(m, what - MW_ALONG_COORDINATE));
}

// A part by its name of n characters, not given before.
static mw_code find_part(const mw_mech *m, const mw_tool_path *path, const char *name, int n,
                         int *what, mw_error *err)
{
  char word[128];
  snprintf(word, sizeof word, "%.*s", n, name);
  *what = -1;
  for (int i = 0; i < MW_ALONG_COORDINATE && path->output >= 0; i++)
    if (strcmp(word, NAME[i]) == 0) *what = i;
  int c = mw_mech_coord(m, word);
  if (*what < 0 && c >= 0) *what = MW_ALONG_COORDINATE + c;
  if (*what < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "a path: found \"%.60s\", expected %sa coordinate of the mechanism", word,
                   path->output >= 0 ? "x, y, z, rx, ry, rz or " : "");
  for (int i = 0; i < path->n_part; i++)
    if (path->part[i].what == *what)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a path: %.60s is given twice", word);
  return MW_OK;
}

static mw_code begin(const mw_mech *m, const char *output, mw_arena *mem, mw_tool_path *o,
                     mw_error *err)
{
  *o = (mw_tool_path){ .output = -1 };
  mw_code rc = mw_tool_output(m, output, &o->output, err);
  o->part = mw_arena_alloc(mem, (size_t)(MW_ALONG_COORDINATE + m->n_coord), sizeof *o->part);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// Angles that are not named are 0, once one of them is.
static mw_code finish(mw_tool_path *o, mw_error *err)
{
  bool named[3] = { false }, any = false, place = false;
  for (int i = 0; i < o->n_part; i++) {
    int angle = o->part[i].what - MW_ALONG_RX;
    place = place || angle < 3;
    if (angle < 0 || angle >= 3) continue;
    named[angle] = any = true;
  }
  for (int k = 0; any && k < 3; k++) {
    if (!named[k]) o->part[o->n_part++] = (mw_path_part){ .what = MW_ALONG_RX + k };
  }
  if (!place) o->output = -1;
  if (o->n_part == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a path: found nothing, expected NAME=..");
  return MW_OK;
}

// ---- as text ------------------------------------------------------------------------------------

static bool find_parameter(const void *ctx, const char *name, int n, double *value,
                           char why[MW_EXPR_WHY])
{
  const mw_model *m = ctx;
  for (int i = 0; i < m->n_parameter; i++) {
    const mw_parameter *p = &m->parameter[i];
    if (p->n != 0 || (int)strlen(p->name) != n || strncmp(p->name, name, (size_t)n) != 0) continue;
    *value = *p->value;
    return true;
  }
  snprintf(why, MW_EXPR_WHY, "found $%.*s, expected a number among the model's parameters",
           n < 60 ? n : 60, name);
  return false;
}

// Characters up to the comma that ends a part, or to the end; those in parentheses do not count.
static size_t part_length(const char *text)
{
  size_t n = 0;
  for (int depth = 0; text[n] && (text[n] != ',' || depth > 0); n++)
    depth += text[n] == '(' ? 1 : text[n] == ')' ? -1 : 0;
  return n;
}

mw_code mw_tool_path_read(const mw_mech *m, const char *text, const char *output, mw_arena *mem,
                          mw_tool_path *out, mw_error *err)
{
  mw_tool_path o;
  mw_code rc = begin(m, output, mem, &o, err);
  for (const char *p = text; rc == MW_OK && *p;) {
    size_t all = part_length(p), name = strcspn(p, "=,");
    mw_at at = { .file = "path", .line = 1, .col = (int)(p - text + (int)name) + 2 };
    if (p[name] != '=')
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a path: found \"%.60s\", expected NAME=..", p);
    const char *expr = mw_arena_printf(mem, "%.*s", (int)(all - name - 1), p + name + 1);
    mw_path_part part = { 0 };
    rc = find_part(m, &o, p, (int)name, &part.what, err);
    if (rc == MW_OK) rc = mw_arena_check(mem, err);
    if (rc == MW_OK)
      rc = mw_expr_read(expr, true, at, find_parameter, m->model, mem, &part.expr, err);
    if (rc == MW_OK) o.part[o.n_part++] = part;
    p += all + (p[all] == ',');
  }
  if (rc == MW_OK) rc = finish(&o, err);
  if (rc == MW_OK) *out = o;
  return rc;
}

// ---- from a table -------------------------------------------------------------------------------

enum { LINE = 4096, COLUMNS = 64 };

// A line without what ends it; false: there is none. Those that begin with # are passed over.
static bool next_line(FILE *f, char line[LINE], int *number)
{
  while (fgets(line, LINE, f)) {
    (*number)++;
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] && line[0] != '#') return true;
  }
  return false;
}

// Names of the columns; *first: the column of p, −1: none.
static mw_code read_names(const mw_mech *m, char *line, mw_tool_path *o, int *n, int *first,
                          mw_error *err)
{
  mw_code rc = MW_OK;
  *n = 0;
  *first = -1;
  for (char *p = strtok(line, ","); rc == MW_OK && p; p = strtok(NULL, ","), (*n)++) {
    while (isspace((unsigned char)*p)) p++;
    if (*n == 0 && strcmp(p, "p") == 0) {
      *first = 0;
      continue;
    }
    mw_path_part part = { 0 };
    rc = find_part(m, o, p, (int)strcspn(p, " \t"), &part.what, err);
    if (rc == MW_OK) o->part[o->n_part++] = part;
  }
  return rc;
}

// One row of n numbers into x.
static mw_code read_row(const char *file, int number, char *line, int n, double *x, mw_error *err)
{
  char *p = line;
  for (int k = 0; k < n; k++) {
    char *end = p;
    x[k] = strtod(p, &end);
    bool good = end != p && isfinite(x[k]) && (k + 1 < n ? *end == ',' : *end == '\0');
    if (!good)
      return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file, .line = number, .col = 1 },
                     "found \"%.60s\", expected %d numbers with commas between", line, n);
    p = end + 1;
  }
  return MW_OK;
}

// Splines through rows x [n_row × n]; p from column `first`, or the number of the row.
static mw_code put_splines(int n_row, int n, int first, const double *x, mw_arena *mem,
                           mw_tool_path *o, mw_error *err)
{
  size_t rows = (size_t)n_row;
  double *work = mw_arena_f64(mem, rows);
  o->n_knot = n_row;
  o->knot = mw_arena_f64(mem, rows);
  for (int k = 0; k < o->n_part; k++) {
    o->part[k].y = mw_arena_f64(mem, rows);
    o->part[k].bend = mw_arena_f64(mem, rows);
  }
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n_row; i++) {
    o->knot[i] = first == 0 ? x[i * n] : (double)i / (n_row - 1);
    for (int k = 0; k < o->n_part; k++) o->part[k].y[i] = x[i * n + k + (first == 0)];
    if (i > 0 && !(o->knot[i] > o->knot[i - 1]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "a path: p falls from %g to %g, expected to rise", o->knot[i - 1], o->knot[i]);
  }
  if (o->knot[0] != 0.0 || o->knot[n_row - 1] != 1.0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a path: p goes from %g to %g, expected 0 to 1",
                   o->knot[0], o->knot[n_row - 1]);
  for (int k = 0; k < o->n_part; k++)
    mw_cubic_bend(n_row, o->knot, o->part[k].y, false, o->part[k].bend, work);
  return MW_OK;
}

static mw_code read_table(FILE *f, const char *file, const mw_mech *m, mw_arena *mem,
                          mw_tool_path *o, mw_error *err)
{
  char line[LINE], copy[LINE];
  double row[COLUMNS], *x = NULL;
  int number = 0, n = 0, first, n_row = 0, room = 0;
  if (!next_line(f, line, &number))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file }, "found nothing, expected names");
  mw_code rc = read_names(m, line, o, &n, &first, err);
  if (rc == MW_OK && n > COLUMNS)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file, .line = number, .col = 1 },
                 "found %d columns, expected at most %d", n, (int)COLUMNS);
  while (rc == MW_OK && next_line(f, line, &number)) {
    memcpy(copy, line, sizeof copy);
    rc = read_row(file, number, copy, n, row, err);
    if (rc == MW_OK && n_row == room) {
      double *more = mw_arena_f64(mem, (size_t)(room = 2 * room + 64) * (size_t)n);
      rc = mw_arena_check(mem, err);
      if (rc == MW_OK && x) memcpy(more, x, (size_t)(n_row * n) * sizeof *x);
      x = more;
    }
    if (rc == MW_OK) memcpy(x + n_row++ * n, row, (size_t)n * sizeof *x);
  }
  if (rc == MW_OK && n_row < 2)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file }, "found %d rows, expected two at least",
                 n_row);
  return rc == MW_OK ? put_splines(n_row, n, first, x, mem, o, err) : rc;
}

mw_code mw_tool_path_table(const mw_mech *m, const char *file, const char *output, mw_arena *mem,
                           mw_tool_path *out, mw_error *err)
{
  mw_tool_path o;
  mw_code rc = begin(m, output, mem, &o, err);
  if (rc != MW_OK) return rc;
  FILE *f = fopen(file, "r");
  if (!f)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = file }, "cannot open the table of a path");
  rc = read_table(f, file, m, mem, &o, err);
  (void)fclose(f);
  if (rc == MW_OK) rc = finish(&o, err);
  if (rc == MW_OK) *out = o;
  return rc;
}

// ---- values -------------------------------------------------------------------------------------

void mw_tool_path_eval(const mw_tool_path *path, double p, double *y)
{
  int i = 0, last = path->n_knot - 2;
  while (i < last && p >= path->knot[i + 1]) i++;
  for (int k = 0; k < path->n_part; k++) {
    const mw_path_part *part = &path->part[k];
    if (part->y)
      mw_cubic_at(path->knot, part->y, part->bend, i, p, y + 3 * k);
    else
      mw_expr_eval(&part->expr, p, y + 3 * k);
  }
}

mw_code mw_tool_path_from(const mw_mech *m, const char *arg, const char *output, mw_arena *mem,
                          mw_tool_path *out, mw_error *err)
{
  bool table = mw_file_ends_in(arg, ".csv");
  return (table ? mw_tool_path_table : mw_tool_path_read)(m, arg, output, mem, out, err);
}
