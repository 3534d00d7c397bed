// SPDX-License-Identifier: BSD-3-Clause
// drive_limits.c: limits of drives: those that the reduction declares, and others as text.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/accessible.h"

int mw_drive_named(const mw_model *m, const char *text, size_t len)
{
  for (int d = 0; d < m->n_drive; d++)
    if (strlen(m->drive[d].name) == len && strncmp(m->drive[d].name, text, len) == 0) return d;
  return -1;
}

mw_code mw_drive_once(const char *option, const char *all, const char *p, mw_error *err)
{
  size_t len = strcspn(p, "=,");
  for (const char *q = all; q < p; q += strcspn(q, ",") + 1)
    if (strcspn(q, "=,") == len && strncmp(q, p, len) == 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: %.*s is given twice", option,
                     len < 60 ? (int)len : 60, p);
  return MW_OK;
}

mw_code mw_limits_read(const char *option, const char *text, const mw_model *m, double *lo,
                       double *hi, mw_error *err)
{
  const char *all = text;
  while (text && *text) {
    size_t name = strcspn(text, "=,");
    int d = mw_drive_named(m, text, name);
    if (d < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--%s: found \"%.*s\", expected the name of a drive", option,
                     name < 60 ? (int)name : 60, text);
    mw_code rc = mw_drive_once(option, all, text, err);
    if (rc != MW_OK) return rc;
    const char *p = text + name + 1;
    char *end = NULL;
    bool good = text[name] == '=', two = false;
    double x = good ? strtod(p, &end) : 0.0, low = -x;
    good = good && end != p;
    if (good && *end == ':' && lo) {
      low = x;
      two = true;
      p = end + 1;
      x = strtod(p, &end);
      good = end != p;
    }
    good = good && (*end == ',' || *end == '\0') && !isnan(x) && low <= x &&
           (two || x > 0.0 || (lo && x == 0.0));
    if (!good)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s: found \"%.60s\", expected %s=%s", option,
                     text, m->drive[d].name, lo ? "NUMBER or LO:HI, not falling" : "NUMBER");
    hi[d] = x;
    if (lo) lo[d] = low;
    text = *end == ',' ? end + 1 : end;
  }
  return MW_OK;
}

// What the reduction declares
static void declared(const mw_model *m, int d, mw_drive_limits *l)
{
  double force = m->reduction.present ? m->reduction.max_input[d] : 0.0;
  l->hi[d] = force > 0.0 ? force : INFINITY;
  l->lo[d] = -l->hi[d];
  l->speed[d] = INFINITY;
  if (l->power) l->power[d] = INFINITY;
  for (int c = 0; m->reduction.present && c < m->reduction.n_coordinate; c++) {
    const mw_coordinate_in *q = &m->reduction.coordinate[c];
    if (q->joint == m->drive[d].joint && q->max_rate > 0.0) l->speed[d] = q->max_rate;
  }
}

mw_code mw_drive_limits_known(const mw_model *m, const mw_limits_text *text, mw_arena *mem,
                              mw_drive_limits *out, mw_error *err)
{
  mw_drive_limits l = { 0 };
  size_t nd = (size_t)m->n_drive;
  double **limit[] = { &l.lo, &l.hi, &l.speed };
  for (int i = 0; i < 3; i++) *limit[i] = mw_arena_f64(mem, nd);
  if (text->power) l.power = mw_arena_f64(mem, nd);
  mw_code rc = mw_arena_check(mem, err);
  for (int d = 0; rc == MW_OK && d < m->n_drive; d++) declared(m, d, &l);
  if (rc == MW_OK) rc = mw_limits_read("force", text->force, m, l.lo, l.hi, err);
  if (rc == MW_OK) rc = mw_limits_read("speed", text->speed, m, NULL, l.speed, err);
  if (rc == MW_OK) rc = mw_limits_read("power", text->power, m, NULL, l.power, err);
  if (rc == MW_OK) *out = l;
  return rc;
}

mw_code mw_drive_limits_find(const mw_model *m, const mw_limits_text *text, mw_arena *mem,
                             mw_drive_limits *out, mw_error *err)
{
  mw_drive_limits l = { 0 };
  mw_code rc = mw_drive_limits_known(m, text, mem, &l, err);
  for (int d = 0; rc == MW_OK && d < m->n_drive; d++) {
    if (m->drive[d].joint < 0) {  // acts at a frame: given no force
      l.lo[d] = l.hi[d] = 0.0;
    } else if (!isfinite(l.hi[d]) || !isfinite(l.lo[d])) {
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found no limit of the force of %s, expected --force %s=N or max_input of the "
                   "reduction",
                   m->drive[d].name, m->drive[d].name);
    }
  }
  if (rc == MW_OK) *out = l;
  return rc;
}
