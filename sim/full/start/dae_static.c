// SPDX-License-Identifier: BSD-3-Clause
// dae_static.c: static equilibrium under gravity and the drives' forces at t = 0, joint coordinates
// held.
//
//   f_int(u) + gravity + Jᵀ λ = 0: Newton's iteration with the blocks K + σ M, whose pseudo-mass σ
//     M makes free bodies
//   definite and slows a mode ω by σ/(ω² + σ) only                                              (1)
// The matrix knows neither how joint forces turn with the frames nor, at first, how stress
// stiffens: near buckling and at large rotations (1) contracts slowly or not at all. Then, in this
// order:
//   the blocks take K_T at the present u (dae_strain.c)
//   iterates are combined (dae_anderson.c)
//   the load grows in 4, 16, 64, 256 steps from nothing, each from where the last one ended, ahead
//     by its change
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "full/dae_layer.h"

enum { ITER_MAX = 200, ITER_STEP = 60 };
static const double TOL = 1e-12;  // correction still to come, of the size of the mechanism
static const double SLOW = 0.2;   // contraction above which iterates are combined
// of the size: corrections beyond it lead nowhere; the first one is of forces that nothing has
// balanced yet
static const double FAR = 10.0, FIRST = 1e4;
static const int PARTS[] = { 1, 4, 16, 64, 256 };

static const double ROUNDING = 1e-10;  // of Σ K_ii r_i² / rᵀMr

// Largest Σ K_ii r_i² / rᵀMr over the rigid modes r of an elastic body, 1/s²; 0: it has none.
static double stiffest(const mw_body *b)
{
  double most = 0.0, trace = b->J[0] + b->J[4] + b->J[8];
  for (int c = 0; b->R && c < 6; c++) {
    double k = 0.0, m = c < 3 ? b->m : trace;
    for (int j = 0; j < b->n_u; j++) {
      int p = b->K.ptr[j];
      double r = b->R[6 * (size_t)j + (size_t)c];
      if (p < b->K.ptr[j + 1] && b->K.row[p] == j) k += b->K.val[p] * r * r;
    }
    if (m > 0.0) most = fmax(most, k / m);
  }
  return most;
}

// σ of bodies whose own stiffness asks for none, in the machine's own measure of time: of its fall
// through its size, or, where that takes longer, of the softest of its springs and elastic bodies
// (too small a σ hides which rows depend on others). Joint rows are evaluated.
static double least_shift(const mw_dae *d)
{
  static const double FALL = 0.1, SPRING = 1e-6;
  const mw_mech *m = d->m;
  double least = INFINITY, mass = 0.0;
  double fall = FALL * d->g_norm / d->size;
  for (int b = 0; b < m->n_body; b++) {
    double w2 = stiffest(&m->body[b]);
    if (d->moving[b]) mass += m->body[b].m;
    if (w2 > 0.0) least = fmin(least, ROUNDING * w2);
  }
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      double k = m->joint[j].k[i], place = 0.0, turn = 0.0;
      for (int c = 0; c < 12; c++) {
        double a = fmax(fabs(d->e[j].Ja[12 * i + c]), fabs(d->e[j].Jb[12 * i + c]));
        *(c < 3 ? &place : &turn) += a * a;
      }
      double w2 = k * (place + turn / (d->size * d->size)) / mass;
      if (isfinite(w2) && w2 > 0.0) least = fmin(least, SPRING * w2);
    }
  if (isfinite(least)) return fmax(least, fall);
  return fall > 0.0 ? fall : 1.0;
}

// A body on the ground is definite by its supports. A free one: σ rᵀMr stands 1e6 above the
// rounding of rᵀKr in every rigid mode r, ε Σ K_ii r_i².
double mw_dae_static_shift(const mw_dae *d, const mw_body *b)
{
  static const double GROUND = 1e-6;
  return fmax((b->ground ? GROUND : 1.0) * d->least_shift, ROUNDING * stiffest(b));
}

typedef struct memory {
  mw_dae_memory a;
  double *start, *last;  // [a.n]  states at loads passed
  double *force;         // [n_drive]  at the full load
  mw_arena mem;
} memory;

static mw_code memory_init(const mw_dae *d, memory *m, mw_error *err)
{
  mw_code rc = mw_dae_memory_init(d, &m->mem, &m->a, err);
  m->start = mw_arena_f64(&m->mem, m->a.n);
  m->last = mw_arena_f64(&m->mem, m->a.n);
  m->force = mw_arena_f64(&m->mem, (size_t)d->m->model->n_drive);
  return rc == MW_OK ? mw_arena_check(&m->mem, err) : rc;
}

// ---- equilibrium --------------------------------------------------------------------------------

static mw_code blocks(mw_dae *d, mw_error *err)
{
  d->strain.renewals = 0;
  return mw_dae_blocks(d, true, err);
}

// Iterates at the present load; *done: converged.
static mw_code iterate(mw_dae *d, memory *m, int max, bool *done, double *size, mw_error *err)
{
  double last = INFINITY, theta = 1.0;
  int slow = 0, next = 0;
  mw_dae_forget(&m->a);
  *done = false;
  for (int i = 0; i < max && !*done; i++) {
    // slow twice in a row, or away from the solution: the strains' stiffness; then the combination
    // gets its time
    if (d->strain.on && i >= next && (slow >= 2 || theta > 1.0)) {
      next = i + MW_DAE_DEPTH;
      mw_code rc = mw_dae_renew(d, true, err);
      if (rc != MW_OK) return rc == MW_ERR_NUMERIC ? MW_OK : rc;
      mw_dae_forget(&m->a);
      slow = 0;
    }
    mw_code rc = mw_dae_rows(d, err);
    if (rc != MW_OK) return rc;
    mw_dae_residual(d, false);
    rc = mw_dae_components_residual(d, err);
    if (rc != MW_OK) return rc;
    mw_dae_row_residual(d, false);
    rc = mw_dae_joint_build(d, err);
    mw_dae_state(d, m->a.x, false);
    if (rc == MW_OK) rc = mw_dae_solve(d, err);
    if (rc != MW_OK) return rc;
    *size = mw_dae_update(d, 1.0, 0.0, 0.0);
    theta = i > 0 ? *size / last : 1.0;
    last = *size;
    *done = (theta < 1.0 && *size * theta / (1.0 - theta) <= TOL * d->size) ||
            *size <= 4.0 * DBL_EPSILON * d->size ||
            (i > 1 && theta > 0.5 && *size <= d->opt.tol * d->size);  // rounding, below the steps'
    if (!(*size <= (i == 0 ? FIRST : FAR) * d->size)) return MW_OK;
    slow = theta > SLOW && i > 0 ? slow + 1 : 0;
    if (!*done) rc = mw_dae_accelerate(d, &m->a, theta > SLOW && i > 0, err);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

// The load in n steps from the state in m->start.
static mw_code climb(mw_dae *d, memory *m, int n, bool *done, double *size, mw_error *err)
{
  mw_code rc = MW_OK;
  *done = true;
  mw_dae_state(d, m->start, true);
  memcpy(m->last, m->start, m->a.n * sizeof *m->last);
  for (int k = 1; rc == MW_OK && *done && k <= n; k++) {
    d->load = (double)k / n;
    for (int i = 0; i < d->m->model->n_drive; i++) d->force[i] = d->load * m->force[i];
    if (k > 1) {
      mw_dae_state(d, m->a.x, false);
      for (size_t i = 0; i < m->a.n; i++) m->a.f[i] = 2.0 * m->a.x[i] - m->last[i];
      memcpy(m->last, m->a.x, m->a.n * sizeof *m->last);
      mw_dae_state(d, m->a.f, true);
    }
    rc = iterate(d, m, n == 1 ? ITER_MAX : ITER_STEP, done, size, err);
  }
  return rc;
}

static mw_code no_equilibrium(const mw_dae *d, double size, mw_error *err)
{
  char worst[128], turned[160];
  mw_dae_name_worst(d, worst);
  mw_dae_name_turned(d, turned);
  if (turned[0])  // which is why: corrections say nothing then
    return mw_fail(err, MW_ERR_NUMERIC, d->sc->at, "scenario %s: no static equilibrium found%s",
                   d->sc->name, turned);
  return mw_fail(
      err, MW_ERR_NUMERIC, d->sc->at,
      "scenario %s: no static equilibrium found, the last correction is %.3g m of %s; does "
      "anything hold it? or set initial: undeformed",
      d->sc->name, size, worst);
}

// No run begins with joints open, whatever corrections of components end at.
static mw_code check_closed(mw_dae *d, mw_error *err)
{
  static const double CLOSED = 1e-8;  // of the size, or 1: far above what iterations leave
  mw_code rc = d->n_component > 0 ? mw_dae_rows(d, err) : MW_OK;
  if (rc != MW_OK || d->n_component == 0) return rc;
  mw_dae_row_residual(d, false);
  double gap = fmax(d->gap, mw_dae_components_gap(d));
  if (gap <= CLOSED * d->size) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, d->sc->at,
                 "scenario %s: no static equilibrium found with component %.64s, joints stay open "
                 "by %.3g m (or rad); expected initial: undeformed, or a start nearer to the "
                 "reference configuration",
                 d->sc->name, d->component[0].in->name, gap);
}

mw_code mw_dae_equilibrium(mw_dae *d, mw_error *err)
{
  memory m = { 0 };
  double c1 = d->c1, size = INFINITY;
  bool done = false;
  mw_code rc = memory_init(d, &m, err);
  d->c1 = 0.0;
  d->law_exact = true;
  mw_dae_forces(d, 0.0);
  if (rc == MW_OK) rc = mw_dae_rows(d, err);
  if (rc == MW_OK) {
    d->least_shift = least_shift(d);
    mw_dae_state(d, m.start, false);
    memcpy(m.force, d->force, (size_t)d->m->model->n_drive * sizeof *m.force);
  }
  for (size_t k = 0; rc == MW_OK && !done && k < sizeof PARTS / sizeof *PARTS; k++) {
    mw_error ignored;
    rc = blocks(d, err);
    if (rc == MW_OK && k == 0) rc = mw_dae_components_still(d, &m.mem, err);
    if (rc == MW_OK && k == 0) rc = mw_dae_lean_undeformed(d, err);
    if (rc == MW_OK) rc = climb(d, &m, PARTS[k], &done, &size, k == 0 ? err : &ignored);
    if (rc == MW_ERR_NUMERIC && k > 0) rc = MW_OK;
  }
  d->load = 1.0;
  mw_dae_components_go_on(d);
  if (rc == MW_OK) memcpy(d->force, m.force, (size_t)d->m->model->n_drive * sizeof *m.force);
  d->law_exact = false;
  d->c1 = c1;
  mw_arena_free(&m.mem);
  if (rc == MW_OK && !done) return no_equilibrium(d, size, err);
  return rc == MW_OK ? check_closed(d, err) : rc;
}
