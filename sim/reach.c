// SPDX-License-Identifier: BSD-3-Clause
// reach.c: where deflections leave what a reduced model is right for (reach_priv.h).
#include "reach_priv.h"

#include <math.h>

static const mw_reach *reach_of(const mw_rom_file *f, int kind)
{
  return kind == MW_REACH_BEND ? &f->bend : &f->stretch;
}

bool mw_reach_note(const mw_rom_file *f, int kind, char *text, size_t n)
{
  static const char *const what[MW_REACH_N] = { "what is of third order",
                                                "stretching between supports" };
  const mw_reach *z = reach_of(f, kind);
  const char *but = kind == MW_REACH_BEND && (f->rom.parts & MW_ROM_THIRD)
                        ? " but of the inertia of turning rigid bodies"
                        : "";
  int first = -1;
  for (int a = f->rom.m - 1; z->amplitude && a >= 0; a--)
    if (isfinite(z->amplitude[a])) first = a;
  if (first < 0) return false;
  bool constant = kind == MW_REACH_BEND && f->rom.n_G == 0;
  snprintf(text, n, "%s%s is left out%s: beyond %.3g m of body %s (%s) %s is more than %.2g",
           what[kind], but, constant ? ", and any change of the columns' mass with deflection" : "",
           z->deflection[first], z->body[first], f->column[first], constant ? "third order" : "it",
           f->certificate.tolerance);
  return true;
}

void mw_reach_look(const mw_rom_file *f, const double *delta, double t, mw_reach_seen *seen)
{
  for (int kind = 0; kind < MW_REACH_N; kind++) {
    const mw_reach *z = reach_of(f, kind);
    for (int a = 0; z->amplitude && a < f->rom.m; a++) {
      double ratio = fabs(delta[a]) / z->amplitude[a];
      if (!(ratio > seen[kind].ratio)) continue;
      seen[kind] = (mw_reach_seen){ .ratio = ratio, .t = t, .column = a };
    }
  }
}

mw_code mw_reach_warn(const mw_rom_file *f, const mw_reach_seen *seen, mw_run *r, mw_error *err)
{
  static const char *const what[MW_REACH_N] = {
    "third order in deflection", "stretching of members held at both ends (or of elements too "
                                 "coarse to draw in)"
  };
  static const char *const who[MW_REACH_N] = { "path full of bodies made of several (divide)",
                                               "path full" };
  r->warning = mw_arena_alloc(&r->mem, MW_REACH_N + 2, sizeof *r->warning);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int kind = 0; rc == MW_OK && kind < MW_REACH_N; kind++) {
    const mw_reach *z = reach_of(f, kind);
    int a = seen[kind].column;
    double x = seen[kind].ratio;
    if (!(x > 1.0)) continue;
    r->warning[r->n_warning++] = mw_arena_printf(
        &r->mem,
        "%s deflects body %s by %.3g m (at %.6g s): beyond %.3g m %s, which a reduced model does "
        "not know, is more than %.2g of it, here some %.2g; %s knows it",
        f->column[a], z->body[a], x * z->deflection[a], seen[kind].t, z->deflection[a], what[kind],
        f->certificate.tolerance, x * x * f->certificate.tolerance, who[kind]);
  }
  return rc == MW_OK ? mw_arena_check(&r->mem, err) : rc;
}
