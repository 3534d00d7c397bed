// SPDX-License-Identifier: BSD-3-Clause
// rigid_project.c: nearest consistent positions and velocities, assembly from rough ones, static
// equilibrium.
//
//   positions:  [ M  Jᵀ ; J  0 ] [ û ; μ ] = [ 0 ; −g ] ,  q moved by û                         (1)
//   velocities: [ M  Jᵀ ; J  0 ] [ Δv̂ ; μ ] = [ 0 ; −(J v̂ + g_t) ]                            (2)
//   E:          E ← E (3 − EᵀE)/2, Newton's iteration for the nearest rotation                  (3)
//   assembly:   (1) with −ε D in place of 0 (Levenberg-Marquardt), ε falling with the gap       (4)
//               The axes that a joint keeps together must agree then: its rows vanish where they
//               are opposed, too, and those of fixed, A3·B2 = A1·B3 = A2·B1 = 0, where A1 = ±B2,
//               A2 = ±B3, A3 = ±B1
//   statics:    [ σ M  Jᵀ  Jsᵀ ; J 0 0 ; Js 0 −1/k ] [ û ; λ ; λs ] = [ f ; −g ; −gs ]
//               until û vanishes                                                                (5)
#include <string.h>

#include "rigid_mech_layer.h"

// (3)
static void orthonormalize(const mw_rigid *r, double *q)
{
  enum { ITER_MAX = 20 };
  for (int b = 0; b < r->n.n_body; b++) {
    double *E = q + 12 * b + 3;
    for (int k = 0; k < ITER_MAX; k++) {
      double C[9], off = 0.0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double g = E[i] * E[j] + E[3 + i] * E[3 + j] + E[6 + i] * E[6 + j];
          double d = (i == j ? 1.0 : 0.0) - g;
          off = fmax(off, fabs(d));
          C[3 * i + j] = 0.5 * d + (i == j ? 1.0 : 0.0);
        }
      if (off <= 1e-15) break;  // a few roundings
      mw_mul33(E, C, E);
      if (off <= 1e-8) break;  // quadratic: what remains is of the order of off²
    }
  }
}

double mw_rigid_largest_gap(const mw_rigid *r, const mw_rigid_work *w, int *node)
{
  double gap = 0.0;
  for (int k = 0; k < r->n_component; k++)
    if (w->component[k].gap > gap) {
      gap = w->component[k].gap;
      if (node) *node = -1;
    }
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++) {
      double g = fabs(w->g[i * LD + c]);
      if (!(g <= gap)) {
        gap = g;
        if (node) *node = i;
      }
    }
  return gap;
}

static void eval_at(const mw_rigid *r, mw_rigid_work *w, double t, const double *q)
{
  mw_rigid_kin(r, w, q, NULL);
  mw_rigid_eval(r, w, t, q + 12 * r->n.n_body, 0, r->n_hard);
  mw_rigid_components_eval(r, w, t, q, NULL);
}

// û [n_u] of the solution w->x
static void tangent(const mw_rigid *r, const mw_rigid_work *w, double *u)
{
  int nb = r->n.n_body;
  for (int b = 0; b < nb; b++) memcpy(u + 6 * b, w->x + b * LD, 6 * sizeof(double));
  for (int k = 0; k < r->n.n_rotor; k++) u[6 * nb + k] = w->x[(nb + k) * LD];
}

// û from the factors for the rows' right-hand side −c
static void correction(const mw_rigid *r, mw_rigid_work *w, const double *c, double *u)
{
  int first = r->n.n_body + r->n.n_rotor;
  memset(w->x, 0, (size_t)first * LD * sizeof(double));
  for (int i = 0; i < r->n_hard * LD; i++) w->x[first * LD + i] = -c[i];
  mw_rigid_solve(r, w, w->x);
  tangent(r, w, u);
}

mw_code mw_rigid_project_q(const mw_rigid *r, mw_rigid_work *w, double t, double *q, double tol,
                           int iter_max, bool fresh, double *gap, mw_error *err)
{
  static const double SLOW = 0.25;  // contraction of old factors that is still worth a step
  // of the size, or 1: gaps above are none of rounding and may grow at first: in m by what angles
  // are off, times the size
  static const double ROUNDING = 1e-9;
  double g = 0.0, last = INFINITY;
  bool newton = false;
  mw_code rc = MW_OK;
  orthonormalize(r, q);
  for (int i = 0; rc == MW_OK; i++) {
    eval_at(r, w, t, q);
    g = mw_rigid_largest_gap(r, w, NULL);
    if (g <= tol || i >= iter_max) break;
    if (i > 0 && !(g <= SLOW * last)) fresh = true;
    if (fresh || !w->factored) {
      // after a correction with new factors nothing is gained any more at the level of rounding
      if (newton && !(g < last) && g <= ROUNDING * fmax(1.0, r->size)) break;
      rc = mw_rigid_factor(r, w, 0.0, err);
      newton = true;
    }
    if (rc != MW_OK) break;
    last = g;
    w->side = (mw_rside){ .what = MW_COMPONENT_POSITION };
    correction(r, w, w->g, w->f);
    w->side = (mw_rside){ .what = MW_COMPONENT_NOTHING };
    mw_rigid_move(r, q, w->f, q);
    orthonormalize(r, q);
  }
  if (rc == MW_OK && !isfinite(g))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "positions are not finite");
  if (gap) *gap = g;
  return rc;
}

void mw_rigid_close_once(const mw_rigid *r, mw_rigid_work *w, double *q, double *gap, double *moved)
{
  *gap = w->factored == MW_FACTORS_SHARED ? mw_rigid_ranks_gap(r, w)
                                          : mw_rigid_largest_gap(r, w, NULL);
  tangent(r, w, w->f);
  *moved = 0.0;
  for (int i = 0; i < r->n.n_u; i++) *moved = fmax(*moved, fabs(w->f[i]));
  mw_rigid_move(r, q, w->f, q);
  orthonormalize(r, q);
}

mw_code mw_rigid_project_v(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                           double *v, bool fresh, mw_error *err)
{
  mw_code rc = MW_OK;
  if (fresh || !w->factored) {
    eval_at(r, w, t, q);
    rc = mw_rigid_factor(r, w, 0.0, err);
  }
  if (rc != MW_OK) return rc;
  double *u = w->f, *du = w->f + r->n.n_u;
  mw_rigid_twist(r, q, v, u);
  for (int i = 0; i < r->n_hard; i++) {
    double *c = w->gamma + i * LD;  // scratch: γ is not needed any more
    mw_rigid_node_rate(r, w, i, u, c);
    for (int k = 0; k < LD; k++) c[k] += k < r->node[i].n ? w->gt[i * LD + k] : 0.0;
  }
  w->side = (mw_rside){ .what = MW_COMPONENT_VELOCITY, .u = u };
  correction(r, w, w->gamma, du);
  w->side = (mw_rside){ .what = MW_COMPONENT_NOTHING };
  for (int i = 0; i < r->n.n_u; i++) u[i] += du[i];
  mw_rigid_rates(r, q, u, v);
  return MW_OK;
}

// ---- assembly -----------------------------------------------------------------------------------

// Σ g²/D: what a damped step brings down, D the rows' diagonal (up to ε) as of the last damped
// factorization
static double weighted_gap(const mw_rigid *r, const mw_rigid_work *w)
{
  int first = r->n.n_body + r->n.n_rotor;
  double sum = 0.0;
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++) {
      double g = w->g[i * LD + c], d = w->diag[(first + i) * LD + c];
      sum += d > 0.0 ? g * g / d : g * g;
    }
  return sum;
}

// at most half a radian and a third of the mechanism's size
static void shorten(const mw_rigid *r, double *u)
{
  double far = 1.0;
  for (int b = 0; b < r->n.n_body; b++) {
    far = fmax(far, mw_norm3(u + 6 * b) / (0.3 * r->size));
    far = fmax(far, mw_norm3(u + 6 * b + 3) / 0.5);
  }
  for (int i = 0; i < r->n.n_u; i++) u[i] /= far;
}

static mw_code open_joint(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                          mw_error *err)
{
  int node = 0;
  eval_at(r, w, t, q);
  double gap = mw_rigid_largest_gap(r, w, &node);
  if (node < 0)
    return mw_fail(err, MW_ERR_NUMERIC, r->component[0].in->at,
                   "the mechanism cannot be closed: a component stays open by %.3g m (or rad)",
                   gap);
  const mw_joint *j = &r->m->joint[r->node[node].joint];
  return mw_fail(err, MW_ERR_NUMERIC, j->in->at,
                 "the mechanism cannot be closed: joint %s stays open by %.3g m (or rad)", j->name,
                 gap);
}

// Axes that rows of joint j keep together, bit k: A_k(a) = A_k(b). Three rows of two axes fix all
// of them, two the axis they share, one (universal) none.
static unsigned kept_axes(const mw_joint *j)
{
  int n = 0;
  unsigned shared = 7u;
  for (int i = 0; i < j->n_list; i++) {
    if (j->list[i].kind != MW_ROW_AXES) continue;
    shared &= 1u << j->list[i].i | 1u << j->list[i].j;
    n++;
  }
  return n == 3 ? 7u : n == 2 ? shared : 0u;
}

// Cosine of the angle between A_k(a) and A_k(b)
static double axes_cosine(const mw_rigid *r, const mw_joint *j, int k, const double *q)
{
  const int body[2] = { j->a, j->b };
  const double *F[2] = { j->Fa, j->Fb };
  double A[2][3];
  for (int i = 0; i < 2; i++) {
    int slot = r->slot[body[i]];
    double f[3], d[3] = { F[i][k], F[i][3 + k], F[i][6 + k] };
    const double *E = slot < r->n.n_body ? q + 12 * slot + 3 : r->fixed[slot - r->n.n_body].E;
    mw_rigid_local_dir(r, slot, d, f);
    mw_mul33v(E, f, A[i]);
  }
  return mw_dot3(A[0], A[1]);
}

mw_code mw_rigid_check_axes(const mw_rigid *r, const double *q, mw_error *err)
{
  static const double AGREE = 0.5;  // where the rows vanish, cosines are 1, 0 or -1
  for (int i = 0; i < r->m->n_joint; i++) {
    const mw_joint *j = &r->m->joint[i];
    unsigned kept = kept_axes(j);
    for (int k = 0; k < 3; k++) {
      if (!(kept >> k & 1u)) continue;
      double cosine = axes_cosine(r, j, k, q);
      if (cosine > AGREE) continue;
      return mw_fail(err, MW_ERR_NUMERIC, j->in->at,
                     "the mechanism cannot be closed: joint %s closes falsely, with axes of its "
                     "bodies that must agree %.3g degrees apart; expected positions nearer to "
                     "where they belong",
                     j->name, acos(fmax(cosine, -1.0)) * 57.295779513082321);
    }
  }
  return MW_OK;
}

// (4)
mw_code mw_rigid_close(const mw_rigid *r, mw_rigid_work *w, double t, double *q, double tol,
                       mw_error *err)
{
  enum { ITER_MAX = 300 };
  mw_arena tmp = { 0 };
  double *next = mw_arena_f64(&tmp, (size_t)r->n.n_q), eps = 1e-1, gap = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) orthonormalize(r, q);
  for (int i = 0; rc == MW_OK && i < ITER_MAX; i++) {
    eval_at(r, w, t, q);
    gap = mw_rigid_largest_gap(r, w, NULL);
    if (gap <= 1e-9 * r->size) break;
    rc = mw_rigid_factor(r, w, eps, err);
    if (rc != MW_OK) break;
    double before = weighted_gap(r, w);
    w->side = (mw_rside){ .what = MW_COMPONENT_POSITION };
    correction(r, w, w->g, w->f);
    w->side = (mw_rside){ .what = MW_COMPONENT_NOTHING };
    shorten(r, w->f);
    mw_rigid_move(r, q, w->f, next);
    orthonormalize(r, next);
    eval_at(r, w, t, next);
    bool better = weighted_gap(r, w) < before;
    if (better) {
      memcpy(q, next, (size_t)r->n.n_q * sizeof(double));
      mw_rigid_accept(r, w, q);
    }
    eps = better ? fmax(0.2 * eps, 1e-10) : 5.0 * eps;
    if (eps > 1e8) break;
  }
  mw_arena_free(&tmp);
  w->factored = 0;
  if (rc == MW_OK && gap <= 1e-6 * r->size)
    rc = mw_rigid_project_q(r, w, t, q, tol, 30, true, &gap, err);
  if (rc == MW_OK && !(gap <= fmax(tol, 1e-9 * r->size))) rc = open_joint(r, w, t, q, err);
  return rc;
}

mw_code mw_rigid_assemble(const mw_rigid *r, mw_rigid_work *w, double t, double *q, double tol,
                          mw_error *err)
{
  mw_code rc = mw_rigid_close(r, w, t, q, tol, err);
  return rc == MW_OK ? mw_rigid_check_axes(r, q, err) : rc;
}

// ---- statics ------------------------------------------------------------------------------------

// (5) on a mechanism whose held coordinates are rows
static mw_code settle(const mw_rigid *r, mw_rigid_work *w, double t, double *q, mw_error *err)
{
  enum { ITER_MAX = 500 };
  static const double SHIFT = 1.0, TOL = 1e-12;  // 1/s²; of the mechanism's size
  // corrections that no longer shrink: what rounding leaves of forces that nothing but the
  // pseudo-mass resists, in freedoms without a spring (a wheel that may spin). An acceleration of
  // 1e-9 1/s² of the size
  static const double ROUNDING = 1e-9, SHRINKS = 0.5;
  size_t nu = (size_t)r->n.n_u, nr = (size_t)r->n.n_row, ns = (size_t)r->n.n_soft;
  mw_arena tmp = { 0 };
  double *f = mw_arena_f64(&tmp, nu), *x = mw_arena_f64(&tmp, nu), *g = mw_arena_f64(&tmp, nr),
         *l = mw_arena_f64(&tmp, nr), *gs = mw_arena_f64(&tmp, ns), *ls = mw_arena_f64(&tmp, ns);
  mw_code rc = mw_arena_check(&tmp, err);
  double size = INFINITY, last = INFINITY;
  int worst = 0;
  bool done = false;
  for (int i = 0; rc == MW_OK && i < ITER_MAX && !done; i++) {
    mw_rigid_rows(r, w, t, q, NULL, g, NULL, gs, NULL);
    mw_rigid_force(r, w, t, q, NULL, false, f);
    for (size_t k = 0; k < nr; k++) g[k] = -g[k];
    for (size_t k = 0; k < ns; k++) gs[k] = -gs[k];
    mw_rigid_kkt_factor(r, w, SHIFT, 0.0);
    mw_rigid_kkt_solve(r, w, f, g, gs, x, l, ls);
    shorten(r, x);
    mw_rigid_move(r, q, x, q);
    last = size;
    size = 0.0;
    for (int k = 0; k < 6 * r->n.n_body; k++) {
      double move = fabs(x[k]) * (k % 6 < 3 ? 1.0 : r->size);
      if (!(move > size) && isfinite(move)) continue;
      size = move;
      worst = r->body[k / 6].body;
    }
    if (!isfinite(size)) break;
    done = size <= TOL * r->size || (size > SHRINKS * last && size <= ROUNDING * r->size);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK && !done)
    rc = mw_fail(
        err, MW_ERR_NUMERIC, MW_NOWHERE,
        "no static equilibrium found, the last correction is %.3g m of body %s; does anything "
        "hold it? or set initial: undeformed",
        size, r->m->body[worst].name);
  return rc;
}

mw_code mw_rigid_statics(const mw_rigid *r, mw_rigid_work *w, double t, const unsigned char *held,
                         double *q, mw_error *err)
{
  mw_rigid_opt opt = r->opt;
  mw_rigid *locked = NULL;
  mw_rigid_work *wl = NULL;
  opt.locked = held;
  opt.statics = true;
  mw_arena tmp = { 0 };
  double *s = mw_arena_f64(&tmp, (size_t)r->n.n_coord);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rigid_build(r->m, &opt, &locked, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(locked, &wl, err);
  if (rc == MW_OK) {
    mw_rigid_coords(r, w, q, NULL, s, NULL);
    mw_rigid_accept_coords(locked, wl, s);
    mw_rigid_hold(locked, wl, s, NULL);
    rc = settle(locked, wl, t, q, err);
  }
  if (rc == MW_OK) mw_rigid_accept(r, w, q);
  mw_rigid_work_free(wl);
  mw_rigid_free(locked);
  mw_arena_free(&tmp);
  return rc;
}
