// SPDX-License-Identifier: BSD-3-Clause
// run_scope.c: scenarios of a model that the certificate of its reduced model does not speak for.
//
// The reduced path runs each of them, which costs next to nothing, and says by itself what it
// leaves (mw_run.beyond): accelerations beyond the declared ones, motions above the bandwidth of
// inputs, coordinates that run free unjudged; or why it cannot run at all.
#include "run_scope_layer.h"

// Steps of a run, some seconds, above which nothing is looked at
static const double MOST_STEPS = 3e5;

// Why nothing is promised for the run of sc, from mem; NULL: it is within
static mw_code look(const mw_case *c, const mw_rom_file *f, const mw_scenario *sc, mw_arena *mem,
                    const char **why, mw_error *err)
{
  const mw_path_opt opt = { .rom = f };
  mw_error cause = { 0 };
  mw_run r = { 0 };
  *why = NULL;
  if (sc->duration > MOST_STEPS * sc->step) {
    *why = mw_arena_printf(mem, "not looked at, it has more than %.0e steps", MOST_STEPS);
    return MW_OK;
  }
  mw_code rc = mw_path_run(c, sc, "gmp", &opt, &r, &cause);
  if (rc == MW_ERR_MEMORY) {
    if (err) *err = cause;
    return rc;
  }
  if (rc != MW_OK)
    *why = mw_arena_printf(mem, "path gmp does not run it: %s", cause.msg);
  else if (r.beyond)
    *why = mw_arena_str(mem, r.beyond);
  mw_run_free(&r);
  return MW_OK;
}

mw_code mw_run_scope_build(const mw_case *c, mw_rom_file *f, mw_error *err)
{
  size_t n = (size_t)c->model.n_scenario;
  mw_run_scope z = { 0 };
  z.scenario = mw_arena_alloc(&f->mem, n, sizeof *z.scenario);
  z.why = mw_arena_alloc(&f->mem, n, sizeof *z.why);
  mw_code rc = mw_arena_check(&f->mem, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) {
    const mw_scenario *sc = &c->model.scenario[i];
    rc = look(c, f, sc, &f->mem, &z.why[z.n], err);
    if (rc != MW_OK || !z.why[z.n]) continue;
    z.scenario[z.n++] = mw_arena_str(&f->mem, sc->name);
  }
  if (rc == MW_OK) rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) f->certificate.outside = z;
  return rc;
}
