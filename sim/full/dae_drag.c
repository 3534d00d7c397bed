// SPDX-License-Identifier: BSD-3-Clause
// dae_drag.c: solutions of the joints' equations with what α of bodies that move adds to them
// ((4) of dae_modal.c), a few coordinates coupled with all rows of these bodies.
//
//   A = A0 − W Eᵀ − E Wᵀ − E D Eᵀ        A0: (2) of dae_joint.c, E: unit columns of θ,
//                                        W = Ĵ S⁻¹ H
//   x = x0 + A0⁻¹ W z + A0⁻¹ E w ,  z = Eᵀx ,  w = Wᵀx + D z                                  (1)
//
// (1) at x0 + … is a system of 2 s unknowns (Sherman, Morrison, Woodbury), w in units of D.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"

mw_code mw_dae_drag_init(mw_dae *d, mw_arena *mem, mw_error *err)
{
  mw_dae_drag *g = &d->drag;
  size_t s = (size_t)g->s, nr = (size_t)d->m->n_row, nc = (size_t)d->m->n_coord;
  g->W = mw_arena_f64(mem, s * nr);
  g->X = mw_arena_f64(mem, 2 * s * (nr + nc));
  g->Xs = mw_arena_f64(mem, 2 * s * nc);
  g->unit = mw_arena_f64(mem, s);
  g->B = mw_arena_f64(mem, 4 * s * s);
  g->v = mw_arena_f64(mem, 2 * s);
  g->zero = mw_arena_f64(mem, nr + 2 * nc);
  g->piv = mw_arena_int(mem, 2 * s);
  return mw_arena_check(mem, err);
}

// v := (Eᵀx, Wᵀx over its unit)
static void project(const mw_dae *d, const double *lam, const double *ds, double *v)
{
  const mw_dae_drag *g = &d->drag;
  for (int i = 0; i < g->s; i++) {
    v[i] = ds[g->coord[i]];
    v[g->s + i] = mw_dot(d->m->n_row, g->W + i * d->m->n_row, lam) / g->unit[i];
  }
}

mw_code mw_dae_drag_join(mw_dae *d, mw_error *err)
{
  mw_dae_drag *g = &d->drag;
  int s = g->s, n = 2 * s, nr = d->m->n_row, nc = d->m->n_coord;
  if (s == 0) return MW_OK;
  double *r_s = g->zero + nr + nc;
  for (int i = 0; i < s; i++) g->unit[i] = g->D[i * s + i] > 0.0 ? g->D[i * s + i] : 1.0;
  for (int j = 0; j < n; j++) {
    double *X = g->X + j * (nr + nc), *Xs = g->Xs + j * nc;
    mw_dae_clear_interfaces(d);
    if (j >= s) r_s[g->coord[j - s]] = g->unit[j - s];
    mw_dae_rows_solve(d, j < s ? g->W + j * nr : g->zero, r_s, X, Xs);
    if (j >= s) r_s[g->coord[j - s]] = 0.0;
    project(d, X, Xs, g->v);
    for (int i = 0; i < n; i++) g->B[i * n + j] = (i == j ? 1.0 : 0.0) - g->v[i];
    for (int i = 0; j < s && i < s; i++) g->B[(s + i) * n + j] -= g->D[i * s + j] / g->unit[i];
  }
  mw_code rc = mw_lu_factor(n, g->B, g->piv, err);
  if (rc != MW_ERR_NUMERIC) return rc;
  return mw_fail(err, rc, MW_NOWHERE,
                 "at t = %.6g s the equations of the joints are singular with damping alpha", d->t);
}

void mw_dae_system_solve(mw_dae *d, const double *rho, const double *r_s, double *lam, double *ds)
{
  const mw_dae_drag *g = &d->drag;
  int n = 2 * g->s, nr = d->m->n_row, nc = d->m->n_coord;
  mw_dae_rows_solve(d, rho, r_s, lam, ds);
  if (n == 0) return;
  project(d, lam, ds, g->v);
  mw_lu_solve(n, g->B, g->piv, 1, g->v);
  for (int j = 0; j < n; j++) {
    mw_axpy(d->n_all, g->v[j], g->X + j * (nr + nc), lam);
    mw_axpy(nc, g->v[j], g->Xs + j * nc, ds);
  }
}
