// SPDX-License-Identifier: BSD-3-Clause
// bench_paths.c: operations and time of steps of the paths full and body; formulas in
// bench_operations_layer.h, equations in full/dae_block.c and full/dae_body.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_layer.h"
#include "bench_operations_layer.h"
#include "fem/factor.h"
#include "sim/bodyreduce.h"
#include "sim/simulation.h"

// ---- formulas -----------------------------------------------------------------------------------

// A x: a product and a sum an entry, symmetric ones twice off the diagonal.
static double product(const mw_csc *A)
{
  double nnz = A->n_col > 0 ? A->ptr[A->n_col] : 0.0;
  return A->sym ? 4.0 * nnz - 2.0 * A->n_col : 2.0 * nnz;
}

double mw_count_body(const mw_body *b, bool moving, double entries)
{
  double n = b->n_u, d = moving ? (b->n_u > 0 ? 24.0 : 18.0) : 0.0, f = b->n_z + (moving ? 12 : 0);
  double sum = 2.0 * d * d + 2.0 * f * (n + d);
  if (b->n_u == 0) return sum;
  sum += 4.0 * entries - 2.0 * n + 4.0 * d * n + product(&b->K) + product(&b->M);
  // M_xx, M_yy, M_zz once, the others and their transposes: of u and of its rate
  for (int i = 0; moving && i < 6; i++) sum += 2.0 * (i < 3 ? 1.0 : 2.0) * product(&b->Mab[i]);
  return sum;
}

// Entries of the factor of M + K, whose pattern is that of Newton's matrix.
static mw_code entries_of(const mw_body *b, double *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_csc S;
  mw_factor *f = NULL;
  mw_code rc = mw_csc_add(1.0, &b->K, 1.0, &b->M, &tmp, &S, err);
  if (rc == MW_OK) rc = mw_factor_build(&S, true, &f, err);
  if (rc == MW_OK) *out = mw_factor_entries(f);
  mw_factor_free(f);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code count_bodies(const mw_case *c, bool project, int n_modes, double *sum, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_code rc = MW_OK;
  *sum = 0.0;
  for (int b = 0; rc == MW_OK && b < c->model.n_body; b++) {
    mw_body body = c->body[b];
    double entries = 0.0, *T = NULL;
    if (body.ground && body.n_u == 0) continue;
    if (project && body.n_u > 0)
      rc = mw_body_basis(&c->body[b], n_modes, false, &mem, &body, &T, err);
    if (rc == MW_OK && body.n_u > 0) rc = entries_of(&body, &entries, err);
    if (rc == MW_OK) *sum += mw_count_body(&body, !body.ground, entries);
  }
  mw_arena_free(&mem);
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

static mw_code measure(const mw_case *c, const mw_scenario *sc, const mw_path_opt *opt,
                       mw_path_count *o, mw_error *err)
{
  mw_run r = { 0 };
  mw_sim *s = NULL;
  double took = 0.0;
  mw_code rc = mw_sim_open(c, sc, o->path, opt, &s, err);
  if (rc == MW_OK) took = mw_bench_cpu();
  while (rc == MW_OK && !mw_sim_ended(s)) rc = mw_sim_step(s, err);
  if (rc == MW_OK) took = mw_bench_cpu() - took;
  if (rc == MW_OK) rc = mw_sim_finish(s, &r, err);
  mw_sim_close(s);
  if (rc == MW_OK && r.steps > 0) {
    o->unknowns = r.unknowns;
    o->steps = r.steps;
    o->iterations = (double)r.iterations / r.steps;
    o->step_ns = 1e9 * took / r.steps;
  }
  mw_run_free(&r);
  return rc;
}

mw_code mw_count_path(const mw_case *c, const mw_scenario *sc, const char *path, mw_path_count *out,
                      mw_error *err)
{
  enum { STEPS = 200, MODES = 10 };  // modes a body: those of compare
  bool project = strcmp(path, "body") == 0;
  mw_scenario some = *sc;
  mw_error why = { 0 };
  const mw_path_opt opt = { .body_modes = MODES };
  *out = (mw_path_count){ .path = path };
  some.duration = fmin(sc->duration, STEPS * sc->step);
  some.store = some.store_asked = some.duration;
  mw_code rc = count_bodies(c, project, MODES, &out->bodies, &why);
  if (rc == MW_OK) rc = measure(c, &some, &opt, out, &why);
  if (rc == MW_ERR_MEMORY) return mw_fail(err, rc, MW_NOWHERE, "%s", why.msg);
  if (rc != MW_OK) {
    snprintf(out->failed, sizeof out->failed, "%s", why.msg);
    return MW_OK;
  }
  double rows = c->mech.n_row;
  out->rows = rows * rows * rows / 3.0 + out->iterations * 2.0 * rows * rows;
  out->step = out->iterations * out->bodies + out->rows;
  return MW_OK;
}
