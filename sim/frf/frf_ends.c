// SPDX-License-Identifier: BSD-3-Clause
// frf_ends.c: ends of frequency responses from text: fields with weights.
//
//   ends = end { "," end } ,  end = OUTPUT | term { ("+" | "-") term } ,  term = [NUMBER "*"] NAME
// where NAME is a field ("tool.x"), a coordinate or a drive; the longest one that is there, since
// names may have signs in them. OUTPUT stands for all of its directions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/output.h"
#include "lpv/linear_layer.h"
#include "sim/frf.h"

typedef struct reader {
  const mw_rom_file *f;
  const char *what;  // "from", "to"
  mw_arena *mem;
  mw_frf_end *end;
  int n, room;
} reader;

// Name of a field as people write it: coordinates without the prefix of the file.
static const char *field_name(const mw_rom_file *f, int k)
{
  return strncmp(f->field[k], "s:", 2) == 0 ? f->field[k] + 2 : f->field[k];
}

static void longest(const char *name, int field, const char *p, size_t *len, int *found)
{
  size_t n = strlen(name);
  if (n > *len && strncmp(name, p, n) == 0) {
    *len = n;
    *found = field;
  }
}

// The field that p begins with, -1: none.
static int field_at(const mw_rom_file *f, const char *p, size_t *len)
{
  int found = -1;
  *len = 0;
  for (int k = 0; k < f->rom.n_y; k++) longest(field_name(f, k), k, p, len, &found);
  for (int k = 0; k < f->rom.n_u; k++) longest(f->input[k], f->rom.u_field[k], p, len, &found);
  return found;
}

// Says whether p begins with an orientation, of which fields are three points.
static bool is_orientation(const mw_rom_file *f, const char *p)
{
  size_t n = strcspn(p, ",+-");
  for (int k = 0; k < f->rom.n_y; k++)
    if (strncmp(f->field[k], p, n) == 0 && strcmp(f->field[k] + n, ".origin.x") == 0) return true;
  return false;
}

// Keys of the outputs that are no fields.
static void seen_kinds(char *text, size_t n)
{
  size_t used = 0;
  for (int k = 0; k < MW_OUTPUT_KINDS && used < n; k++)
    if (mw_output_classes[k]->of != MW_OF_NOTHING)
      used += (size_t)snprintf(text + used, n - used, "%s%s", used ? ", " : "",
                               mw_output_key((mw_output_kind)k));
}

static mw_code unknown(const reader *r, const char *p, mw_error *err)
{
  char known[256] = "", kinds[160] = "";
  size_t used = 0;
  int n = (int)strcspn(p, ",+-"), k = 0;
  if (is_orientation(r->f, p))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--%s: %.*s is an orientation, which is no end; expected directions of its "
                   "points %.*s.origin, %.*s.along_x, %.*s.along_y",
                   r->what, n, p, n, p, n, p, n, p);
  for (; k < r->f->rom.n_y && used < sizeof known - 64; k++)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%.40s", k ? ", " : "",
                             field_name(r->f, k));
  seen_kinds(kinds, sizeof kinds);
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--%s: found \"%.32s\", expected one of %s%s (outputs of the kinds %s are seen in "
                 "runs alone)",
                 r->what, p, known, k < r->f->rom.n_y ? ", …" : "", kinds);
}

static mw_code new_end(reader *r, const char *name, size_t len, mw_frf_end **out, mw_error *err)
{
  if (r->n == r->room)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: more than %d ends", r->what, r->room);
  *out = &r->end[r->n++];
  **out = (mw_frf_end){ .name = mw_arena_printf(r->mem, "%.*s", (int)len, name), .unit = "" };
  return mw_arena_check(r->mem, err);
}

static mw_code add_term(const reader *r, mw_frf_end *e, double weight, int field, mw_error *err)
{
  const char *unit = mw_linear_unit(r->f, field);
  if (e->n == MW_FRF_MAX_TERM)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: %s has more than %d terms", r->what,
                   e->name, MW_FRF_MAX_TERM);
  if (e->n > 0 && strcmp(unit, e->unit) != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: %s adds what is in %s to what is in %s",
                   r->what, e->name, *unit ? unit : "no unit", *e->unit ? e->unit : "no unit");
  e->unit = unit;
  e->field[e->n] = field;
  e->weight[e->n++] = weight;
  return MW_OK;
}

// All directions of an output of that name: its fields NAME.x and so on; 0: it has none.
static mw_code directions(reader *r, const char *name, size_t len, int *count, mw_error *err)
{
  mw_code rc = MW_OK;
  *count = 0;
  for (int k = 0; rc == MW_OK && k < r->f->rom.n_y; k++) {
    const char *field = field_name(r->f, k);
    mw_frf_end *e = NULL;
    if (strncmp(field, name, len) != 0 || field[len] != '.' || strchr(field + len + 1, '.'))
      continue;
    rc = new_end(r, field, strlen(field), &e, err);
    if (rc == MW_OK) rc = add_term(r, e, 1.0, k, err);
    (*count)++;
  }
  return rc;
}

// A number and its "*" before a name, or a name.
static mw_code weight_at(const reader *r, const char **p, double *weight, mw_error *err)
{
  char *end;
  double x = strtod(*p, &end);
  if (end == *p || *end != '*') return MW_OK;
  if (!isfinite(x))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.64s\", expected a number",
                   r->what, *p);
  *weight *= x;
  *p = end + 1;
  return MW_OK;
}

static mw_code sum(reader *r, const char *text, size_t len, mw_error *err)
{
  mw_frf_end *e = NULL;
  const char *p = text;
  mw_code rc = new_end(r, text, len, &e, err);
  while (rc == MW_OK) {
    size_t used;
    double weight = 1.0;
    if (*p == '+' || *p == '-') weight = *p++ == '-' ? -1.0 : 1.0;
    rc = weight_at(r, &p, &weight, err);
    if (rc != MW_OK) return rc;
    int field = field_at(r->f, p, &used);
    if (field < 0) return unknown(r, p, err);
    rc = add_term(r, e, weight, field, err);
    p += used;
    if (p == text + len) return rc;
    if (rc == MW_OK && *p != '+' && *p != '-') return unknown(r, p - used, err);
  }
  return rc;
}

// Weight of a field in an end.
static double weight_of(const mw_frf_end *e, int field)
{
  double sum = 0.0;
  for (int t = 0; t < e->n; t++)
    if (e->field[t] == field) sum += e->weight[t];
  return sum;
}

// Says whether all that b weighs is x times what a weighs, for some x.
static bool is_multiple(const mw_frf_end *a, const mw_frf_end *b)
{
  const mw_frf_end *both[] = { a, b };
  for (int k = 0; k < 2; k++)
    for (int t = 0; t < both[k]->n; t++)
      for (int l = 0; l < 2; l++)
        for (int u = 0; u < both[l]->n; u++) {
          int f = both[k]->field[t], g = both[l]->field[u];
          double x = weight_of(a, f) * weight_of(b, g), y = weight_of(a, g) * weight_of(b, f);
          if (fabs(x - y) > 1e-12 * (fabs(x) + fabs(y))) return false;
        }
  return true;
}

// Ends that weigh nothing, or the same as one before.
static mw_code check_ends(const reader *r, mw_error *err)
{
  for (int k = 0; k < r->n; k++) {
    const mw_frf_end *e = &r->end[k];
    bool nothing = true;
    for (int t = 0; t < e->n; t++) nothing = nothing && weight_of(e, e->field[t]) == 0.0;
    if (nothing)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: %s is always 0", r->what, e->name);
    for (int j = 0; j < k; j++)
      if (is_multiple(&r->end[j], e))
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                       "--%s: found %s and %s, which are one direction, expected each once",
                       r->what, r->end[j].name, e->name);
  }
  return MW_OK;
}

mw_code mw_frf_ends(const mw_rom_file *f, const char *what, const char *text, mw_arena *mem, int *n,
                    mw_frf_end **end, mw_error *err)
{
  reader r = { .f = f, .what = what, .mem = mem, .room = 64 };
  r.end = mw_arena_alloc(mem, (size_t)r.room, sizeof *r.end);
  mw_code rc = mw_arena_check(mem, err);
  for (const char *p = text; rc == MW_OK; p++) {
    size_t len = strcspn(p, ","), used;
    int count = 0;
    if (!(field_at(f, p, &used) >= 0 && used == len)) rc = directions(&r, p, len, &count, err);
    if (rc == MW_OK && count == 0) rc = sum(&r, p, len, err);
    p += len;
    if (!*p) break;
  }
  *n = r.n;
  *end = r.end;
  return rc == MW_OK ? check_ends(&r, err) : rc;
}
