// SPDX-License-Identifier: BSD-3-Clause
// patterns_damper.c: static patterns of dampers' forces, where modes err without them.
//
// A damper that resists more than the spring beside it, c ω > k, holds where the columns let go:
// its force has a static pattern, too. Candidates where (ω τ)² of damper.c exceeds the tolerance,
// half of what the certificate allows damping forces, at the highest mode asked for. At the grid
// point where the modes lose most, (1) there, the damper by which they lose most alone gets a
// column, and so on until none loses more than the tolerance anywhere. Candidates without one are
// forgotten: no load that anything is compared at.
#include <math.h>

#include "base/dense.h"
#include "patterns_layer.h"

typedef struct look {        // at one grid point
  int m;                     // columns at most
  double *KPsi, *A, *V, *w;  // [m × n], [m × m], [m × m], [m]
  double *own;               // [m]
  double *f, *gap, *G;       // [n], [n_damper × m] of the columns, of the modes
  double *loss;              // [n_damper]
  mw_arena mem;
} look;

mw_code mw_patterns_list_dampers(const mw_reduction *r, mw_patterns *p, mw_error *err)
{
  mw_dampers d;
  if (!r->model->reduction.pattern_dampers) return MW_OK;
  mw_code rc = mw_dampers_list(r->mech, r->locked, &p->mem, &d, err);
  double omega = 0.0;
  for (int g = 0; g < r->n_point; g++)
    omega = fmax(omega, sqrt(fmax(r->point[g].lambda[r->n_want - 1], 0.0)));
  if (rc != MW_OK || d.n == 0 || !(pow(omega * d.tau, 2.0) > r->model->reduction.tolerance))
    return rc;
  mw_pattern *all = mw_arena_alloc(&p->mem, (size_t)(p->n + d.n), sizeof *all);
  rc = mw_arena_check(&p->mem, err);
  for (int j = 0; rc == MW_OK && j < p->n; j++) all[j] = p->list[j];
  if (rc == MW_OK) p->list = all;
  for (int k = 0, nth = 0; rc == MW_OK && k < d.n; k++) {
    const mw_joint *jt = r->mech->joint;
    while (d.row[k] >= jt->row0 + jt->n_row) jt++, nth = 0;
    p->list[p->n++] = (mw_pattern){ .kind = MW_PATTERN_DAMPER,
                                    .index = d.row[k],
                                    .name = mw_arena_printf(&p->mem, "pattern damper %d of %s",
                                                            ++nth, jt->name) };
  }
  return rc == MW_OK ? mw_arena_check(&p->mem, err) : rc;
}

mw_code mw_pattern_dampers_init(mw_select *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n;
  for (int j = 0; j < w->p->n; j++) {
    if (w->p->list[j].kind != MW_PATTERN_DAMPER) continue;
    if (w->n_damper++ == 0) w->first_damper = j;
  }
  if (w->n_damper == 0) return MW_OK;
  size_t nd = (size_t)w->n_damper;
  w->F = mw_arena_f64(&w->mem, (size_t)r->n_point * nd * nd);
  double *f = mw_arena_f64(&w->mem, nd * n);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = mw_dampers_list(r->mech, r->locked, &w->mem, &w->damper, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    const mw_grid_point *pt = &r->point[g];
    const double *P = pt->P + (size_t)w->first_damper * n;
    for (size_t d = 0; rc == MW_OK && d < nd; d++)
      rc = mw_system_load_row(pt->sys, w->damper.row[d], f + d * n, err);
    mw_gemm('n', 't', w->n_damper, w->n_damper, r->n, 1.0, f, P, 0.0, w->F + (size_t)g * nd * nd);
  }
  return rc;
}

static mw_code look_init(look *z, const mw_select *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n, nd = (size_t)w->n_damper, m = (size_t)r->m + nd + MW_SPAN_SPARE;
  *z = (look){ .m = (int)m };
  z->KPsi = mw_arena_f64(&z->mem, m * n);
  z->A = mw_arena_f64(&z->mem, m * m);
  z->V = mw_arena_f64(&z->mem, m * m);
  z->w = mw_arena_f64(&z->mem, m);
  z->own = mw_arena_f64(&z->mem, m);
  z->f = mw_arena_f64(&z->mem, n);
  z->gap = mw_arena_f64(&z->mem, nd * m);
  z->G = mw_arena_f64(&z->mem, nd * m);
  z->loss = mw_arena_f64(&z->mem, nd);
  return mw_arena_check(&z->mem, err);
}

// Largest loss of the modes asked for at grid point g, and by each damper
static mw_code loss_at(look *z, const mw_select *w, int g, double *most, mw_error *err)
{
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  const mw_dampers *d = &w->damper;
  int m = r->m, n_mode = r->n_want < m ? r->n_want : m;
  size_t n = (size_t)r->n, nd = (size_t)d->n;
  for (int a = 0; a < m; a++)
    mw_system_mul_K(pt->sys, pt->Psi + (size_t)a * n, z->KPsi + (size_t)a * n);
  mw_gemm('n', 't', m, m, r->n, 1.0, z->KPsi, pt->Psi, 0.0, z->A);
  mw_code rc = mw_eig_sym(m, z->A, z->w, z->V, err);
  for (int k = 0; rc == MW_OK && k < d->n; k++) {
    rc = mw_system_load_row(pt->sys, d->row[k], z->f, err);
    mw_gemm('n', 't', 1, m, r->n, 1.0, z->f, pt->Psi, 0.0, z->gap + (size_t)k * (size_t)m);
  }
  if (rc == MW_OK) mw_gemm('n', 'n', d->n, m, m, 1.0, z->gap, z->V, 0.0, z->G);
  for (int k = 0; k < n_mode; k++) {
    double omega = sqrt(z->w[k]), own = 2.0 * mw_model_modal(r->model, omega) * omega;
    for (int i = 0; i < d->n; i++) own += d->c[i] * z->G[i * m + k] * z->G[i * m + k];
    z->own[k] = mw_damper_own(own, z->w[k]);
  }
  if (rc == MW_OK)
    rc = mw_damper_loss(d, w->F + (size_t)g * nd * nd, m, n_mode, z->G, z->w, z->own, most, z->loss,
                        err);
  return rc;
}

static mw_code worst_point(look *z, const mw_select *w, int *at, double *most, mw_error *err)
{
  mw_code rc = MW_OK;
  *most = 0.0;
  for (int g = 0; rc == MW_OK && g < w->r->n_point; g++) {
    double x;
    rc = loss_at(z, w, g, &x, err);
    if (rc != MW_OK || x <= *most) continue;
    *most = x;
    *at = g;
  }
  return rc;
}

// The candidate of largest loss that has not been looked at, −1: none
static int next_damper(const look *z, const mw_select *w, const char *open)
{
  int first = w->first_damper, best = -1;
  for (int k = 0; k < w->n_damper; k++)
    if (open[first + k] && (best < 0 || z->loss[k] > z->loss[best - first])) best = first + k;
  return best;
}

mw_code mw_pattern_dampers(mw_select *w, char *open, int *aside, int *n_aside, mw_error *err)
{
  look z;
  double limit = w->r->model->reduction.tolerance, most = 0.0;
  int at = 0;
  *n_aside = 0;
  if (w->n_damper == 0) return MW_OK;
  mw_code rc = look_init(&z, w, err);
  if (rc == MW_OK) rc = worst_point(&z, w, &at, &most, err);
  while (rc == MW_OK && most > limit) {
    rc = loss_at(&z, w, at, &most, err);
    int j = next_damper(&z, w, open);
    if (rc != MW_OK || j < 0) break;
    if (most > limit) {
      bool found;
      open[j] = 0;
      rc = mw_pattern_follow(w, j, &found, err);
      if (rc == MW_OK && found) rc = mw_pattern_append(w, j, open, aside, *n_aside, err);
      if (rc == MW_OK && !found) aside[(*n_aside)++] = j;
    } else {
      rc = worst_point(&z, w, &at, &most, err);
    }
  }
  mw_arena_free(&z.mem);
  return rc;
}

void mw_patterns_forget_dampers(mw_patterns *p)
{
  int n = 0;
  for (int j = 0; j < p->n; j++) {
    const mw_pattern *c = &p->list[j];
    if (c->kind == MW_PATTERN_DAMPER && !c->kept && !c->spanned && !c->lost) continue;
    p->list[n++] = *c;
  }
  p->n = n;
}
