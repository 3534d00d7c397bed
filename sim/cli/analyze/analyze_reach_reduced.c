// SPDX-License-Identifier: BSD-3-Clause
// analyze_reach_reduced.c: modeway analyze ROM.nc reach: bounds of deflections, motions in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_reach_priv.h"

// ---- options ------------------------------------------------------------------------------------

// "tool=1e-5,.." : positions and the largest deflection of each
static mw_code read_deflect(const mw_args *a, mw_reach_job *j, mw_error *err)
{
  const mw_model *m = &j->c.model;
  const char *text = mw_args_value(a, "deflect");
  j->output = mw_arena_int(&j->c.mem, (size_t)m->n_output);
  j->most = mw_arena_f64(&j->c.mem, (size_t)m->n_output);
  mw_code rc = mw_arena_check(&j->c.mem, err);
  while (rc == MW_OK && text && *text) {
    size_t name = strcspn(text, "=,");
    char *end = NULL;
    int at = -1;
    for (int i = 0; i < m->n_output; i++)
      if (m->output[i].kind == MW_OUTPUT_POSITION && !m->output[i].part &&
          strlen(m->output[i].name) == name && strncmp(m->output[i].name, text, name) == 0)
        at = i;
    if (at < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--deflect: found \"%.*s\", expected the name of a position among the outputs",
                     name < 60 ? (int)name : 60, text);
    for (int k = 0; k < j->n_out; k++)
      if (j->output[k] == at)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--deflect: %s is given twice",
                       m->output[at].name);
    const char *p = text + name + 1;
    double x = text[name] == '=' ? strtod(p, &end) : 0.0;
    if (!end || end == p || (*end != ',' && *end != '\0') || !(x > 0.0) || !isfinite(x))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--deflect: found \"%.60s\", expected %s=NUMBER, m, above 0", text,
                     m->output[at].name);
    j->output[j->n_out] = at;
    j->most[j->n_out++] = x;
    text = *end == ',' ? end + 1 : end;
  }
  return rc;
}

mw_code mw_reach_reduced_read(const mw_args *a, mw_reach_job *j, mw_error *err)
{
  j->moving = mw_args_value(a, "moving") != NULL;
  j->rise = 1.0;
  mw_code rc = mw_rom_of_case(&j->c, a->operand, &j->rom, err);
  if (rc != MW_OK) return rc;
  mw_cmd_warn_missed(&j->rom, a->operand);
  j->reduced = true;
  for (int i = 0; i < j->rom.rom.s; i++) j->theta[i] = 0.5 * (j->rom.rom.lo[i] + j->rom.rom.hi[i]);
  if (mw_args_value(a, "at")) rc = mw_cmd_rom_theta(&j->rom, mw_args_value(a, "at"), j->theta, err);
  if (rc == MW_OK) rc = read_deflect(a, j, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "rise", 0.0, 100.0, &j->rise, err);
  if (rc == MW_OK && j->n_out == 0 && (j->moving || mw_args_value(a, "rise")))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s belongs to --deflect",
                 j->moving ? "moving" : "rise");
  return rc;
}

// ---- work ---------------------------------------------------------------------------------------

// The fastest traversal of o: none is no failure.
static mw_code traverse(mw_reach_job *j, const mw_elastic_path *o, mw_traversal *out, bool *any,
                        mw_error *err)
{
  mw_error why = { 0 };
  mw_code rc = mw_traversal_find(&o->d, &j->limits, &j->c.mem, out, &why);
  *any = rc == MW_OK;
  if (rc == MW_ERR_NUMERIC) {
    j->why = why;
    return MW_OK;
  }
  if (rc != MW_OK && err) *err = why;
  return rc;
}

static mw_code move(mw_reach_job *j, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < MW_REACH_MOVES; i++) {
    mw_error why = { 0 };
    double rise = i == 0 ? 0.0 : j->rise;
    if (i > 0 && rise == 0.0) break;
    rc = mw_elastic_move_run(&j->c.model, &j->c.mech, &j->rom, &j->fine, &j->traversal, rise,
                             j->moving, &j->c.mem, &j->move[i], &why);
    if (rc == MW_OK) j->deflect.n_move = i + 1;
    if (rc != MW_OK) j->why_no_move = why;
    if (rc == MW_ERR_MEMORY && err) *err = why;
  }
  return rc == MW_ERR_MEMORY ? rc : MW_OK;
}

mw_code mw_reach_reduced_find(mw_reach_job *j, int n, const double *p, int intervals, mw_error *err)
{
  mw_arena *mem = &j->c.mem;
  int fine = 2 * intervals + 1;
  double *x = mw_arena_f64(mem, (size_t)fine);
  bool any;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK)
    rc = mw_elastic_path_find(&j->c.mech, &j->rom, &j->path, j->theta, &j->limits, j->n_out,
                              j->output, n, p, mem, &j->elastic, err);
  if (rc == MW_OK) rc = mw_regions_find(&j->elastic.d, &j->limits, mem, &j->alone, err);
  if (rc == MW_OK) mw_traversal_points(intervals, x);
  if (rc == MW_OK)
    rc = mw_elastic_path_find(&j->c.mech, &j->rom, &j->path, j->theta, &j->limits, j->n_out,
                              j->output, fine, x, mem, &j->fine, err);
  if (rc == MW_OK) rc = traverse(j, &j->fine, &j->unbounded, &any, err);
  j->duration = rc == MW_OK && any ? j->unbounded.duration : (double)NAN;
  if (rc == MW_OK)
    rc = mw_elastic_path_bound(&j->elastic, &j->limits, j->most, j->moving, mem, err);
  if (rc == MW_OK) rc = mw_elastic_path_bound(&j->fine, &j->limits, j->most, j->moving, mem, err);
  if (rc == MW_OK) rc = mw_regions_find(&j->elastic.d, &j->limits, mem, &j->regions, err);
  j->dynamics = j->elastic.d;
  if (rc == MW_OK) rc = traverse(j, &j->fine, &j->traversal, &any, err);
  if (rc == MW_OK && any) j->o.traversal = &j->traversal;
  j->deflect = (mw_elastic_reach){ &j->elastic, j->most, &j->alone, 0, j->move };
  if (rc == MW_OK && any && j->n_out > 0) rc = move(j, err);
  return rc;
}

// ---- printing -----------------------------------------------------------------------------------

static void frequencies(const mw_reach_job *j, double hz[2])
{
  hz[0] = INFINITY;
  hz[1] = 0.0;
  for (int i = 0; i < j->elastic.d.n; i++) {
    hz[0] = fmin(hz[0], j->elastic.hz[i]);
    hz[1] = fmax(hz[1], j->elastic.hz[i]);
  }
}

static void print_output(const mw_reach_job *j, const mw_elastic_move *e, int k)
{
  static const double NONE = 1e-9;  // of the largest: what does not swing deflects nothing
  printf("  %-16s deflects by %.6g m, bound %g m, without swinging %.6g m",
         j->c.model.output[j->output[k]].name, e->largest[k], j->most[k], e->still[k]);
  if (e->still[k] > NONE * e->largest[k]) printf(": %.4g times", e->largest[k] / e->still[k]);
  printf("; at rest it swings by %.4g m\n", e->residual[k]);
}

void mw_reach_reduced_text(const mw_reach_job *j)
{
  double hz[2], lo = INFINITY, hi = INFINITY;
  frequencies(j, hz);
  printf("lowest frequency              %.6g to %.6g Hz\n", hz[0], hz[1]);
  for (int i = 0; i < j->alone.n; i++) {
    lo = fmin(lo, -j->alone.rest[2 * i]);
    hi = fmin(hi, j->alone.rest[2 * i + 1]);
  }
  if (j->n_out == 0) return;
  printf("by limits of drives alone     p'' from %.9g to %.9g 1/s2", -lo, hi);
  if (isnan(j->duration))
    printf("\n");
  else
    printf(", fastest %.9g s\n", j->duration);
  for (int m = 0; m < j->deflect.n_move; m++) {
    const mw_elastic_move *e = &j->move[m];
    printf("in time, rise of %g periods    %.9g s\n", e->rise, e->duration);
    for (int k = 0; k < j->n_out; k++) print_output(j, e, k);
    if (e->beyond) printf("  the certificate promises nothing: %s\n", e->beyond);
  }
  if (j->why_no_move.code != MW_OK) printf("no motion in time: %s\n", j->why_no_move.msg);
}

static void json_move(mw_json *w, const mw_reach_job *j, const mw_elastic_move *e)
{
  mw_json_object(w, NULL);
  mw_json_num(w, "rise", e->rise);
  mw_json_num(w, "duration", e->duration);
  mw_json_object(w, "outputs");
  for (int k = 0; k < j->n_out; k++) {
    mw_json_object(w, j->c.model.output[j->output[k]].name);
    mw_json_num(w, "bound", j->most[k]);
    mw_json_num(w, "largest", e->largest[k]);
    mw_json_num(w, "still", e->still[k]);
    mw_json_num(w, "residual", e->residual[k]);
    mw_json_end(w, '}');
  }
  mw_json_end(w, '}');
  if (e->beyond) mw_json_str(w, "beyond", e->beyond);
  mw_json_end(w, '}');
}

void mw_reach_reduced_json(mw_json *w, const mw_reach_job *j)
{
  double hz[2];
  frequencies(j, hz);
  mw_json_object(w, "elastic");
  mw_json_num(w, "lowest_hz", hz[0]);
  mw_json_num(w, "highest_hz", hz[1]);
  if (!isnan(j->duration)) mw_json_num(w, "duration_by_drives", j->duration);
  mw_json_array(w, "moves");
  for (int m = 0; m < j->deflect.n_move; m++) json_move(w, j, &j->move[m]);
  mw_json_end(w, ']');
  if (j->why_no_move.code != MW_OK) mw_json_str(w, "no_move", j->why_no_move.msg);
  mw_json_array(w, "points");
  for (int i = 0; i < j->elastic.d.n; i++) {
    mw_json_object(w, NULL);
    mw_json_num(w, "hz", j->elastic.hz[i]);
    mw_json_num(w, "brake_by_drives", j->alone.rest[2 * i]);
    mw_json_num(w, "start_by_drives", j->alone.rest[2 * i + 1]);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
  mw_json_end(w, '}');
}
