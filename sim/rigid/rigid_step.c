// SPDX-License-Identifier: BSD-3-Clause
// rigid_step.c: fixed steps of the rigid path: the explicit methods, and what the implicit ones
// share.
//
// rk4:       q' = v , v' = a(t, q, v) in natural coordinates by the classical Runge-Kutta method,
//            the integral of power by the
//            same quadrature; then q and v are projected onto their constraints
//              (post-stabilization, Ascher et al.). What the
//            projection removes is O(h⁵), so order 4 stays. The rows and factors of the
//              acceleration at the new positions
//            serve the projection of velocities, too: four factorizations a step, and a few
//              substitutions.
// euler:     q' = v , v' = a by the explicit rule of first order, stabilized alike; to teach.
// leapfrog:  velocity Verlet on the manifold, for real time: one acceleration and one factorization
//            a step, order 2:
//              v½ = v₀ + h/2 a₀ ,  q₁ = q₀ ∘ exp(h v½) on g = 0 ,  a₁ at t₁, q₁, v½ + h/2 a₀ ,
//                  v₁ = v½ + h/2 a₁      (1)
//            as in RATTLE: what closes the positions corrects v½, too, and the reactions in a₁ are
//              those that make
//            J v₁ + g_t = 0, so that velocities need no projection of their own; reactions, and
//              with them the power of prescribed
//            coordinates, are of first order. It is not symplectic where forces depend on
//              velocities; the power by the trapezoidal rule.
// The position corrections use the factors at hand, one step old at most: they contract like O(h),
// O(N) each.
//
// leapfrog corrects positions by one Newton step with the rows and factors of its acceleration: its
// velocities satisfy the constraints to O(h³) only, which is what that correction is of.
// The explicit ones evaluate a at the rates before these were projected; the difference is O(h⁵)
// (rk4) or O(h²) (leapfrog), below the error of the method.
// alpha and midpoint (rigid_alpha.c, rigid_midpoint.c): where Newton's method does not converge,
// the step is made in 2, 4, 8 or 16 equal pieces.
// U. M. Ascher, H. Chin, L. R. Petzold, S. Reich: Stabilization of constrained mechanical systems
// with DAEs and invariant manifolds, 1995.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "rigid_step_priv.h"

enum { PROJECTIONS = 20 };

// ---- mixed coordinates --------------------------------------------------------------------------

void mw_rigid_mixed(const mw_rigid_sim *s, const double *q, const double *v, double *y)
{
  mw_rigid_twist(s->r, q, v, y);
  for (int b = 0; b < s->n.n_body; b++) memcpy(y + 6 * b, v + 12 * b, 3 * sizeof *y);
}

// rows of E w~: e_i × w
static void spin_rows(const double E[9], const double w[3], double out[9])
{
  for (int i = 0; i < 9; i += 3) mw_cross3(E + i, w, out + i);
}

void mw_rigid_natural(const mw_rigid_sim *s, const double *q, const double *y, double *v)
{
  int nb = s->n.n_body;
  for (int b = 0; b < nb; b++) {
    memcpy(v + 12 * b, y + 6 * b, 3 * sizeof *v);
    spin_rows(q + 12 * b + 3, y + 6 * b + 3, v + 12 * b + 3);
  }
  memcpy(v + 12 * nb, y + 6 * nb, (size_t)s->n.n_rotor * sizeof *v);
}

void mw_rigid_natural2(const mw_rigid_sim *s, const double *q, const double *y, const double *y_dot,
                       double *a)
{
  int nb = s->n.n_body;
  for (int b = 0; b < nb; b++) {
    double W[9], WW[9], *out = a + 12 * b + 3;
    memcpy(a + 12 * b, y_dot + 6 * b, 3 * sizeof *a);
    spin_rows(q + 12 * b + 3, y_dot + 6 * b + 3, out);
    spin_rows(q + 12 * b + 3, y + 6 * b + 3, W);
    spin_rows(W, y + 6 * b + 3, WW);
    for (int i = 0; i < 9; i++) out[i] += WW[i];
  }
  memcpy(a + 12 * nb, y_dot + 6 * nb, (size_t)s->n.n_rotor * sizeof *a);
}

void mw_rigid_axes_turn(const mw_rigid_sim *s, const double *q, const double *src, bool to_body,
                        double *dst)
{
  if (dst != src) memcpy(dst, src, (size_t)s->n.n_u * sizeof *dst);
  for (int b = 0; b < s->n.n_body; b++) {
    double *x = dst + 6 * b;
    if (to_body)
      mw_mul33tv(q + 12 * b + 3, x, x);
    else
      mw_mul33v(q + 12 * b + 3, x, x);
  }
}

void mw_rigid_rotate(const double E0[9], const double R[9], double E[9])
{
  double D[9], ED[9];
  mw_mul33(E0, R, E);
  // E ← E + E (1 − EᵀE)/2; a sum with 1 would lose half of D's rounding, always the same way, and
  // with it energy
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      D[3 * i + j] =
          0.5 * ((i == j ? 1.0 : 0.0) - (E[i] * E[j] + E[3 + i] * E[3 + j] + E[6 + i] * E[6 + j]));
  mw_mul33(E, D, ED);
  for (int i = 0; i < 9; i++) E[i] += ED[i];
}

// ---- Newton's method ----------------------------------------------------------------------------

static const double SLOW = 0.3;  // contraction above which the matrix is renewed
enum { STUCK = 2 };              // corrections that did not halve the smallest one

mw_rigid_newton mw_rigid_newton_init(double floor)
{
  return (
      mw_rigid_newton){ .floor = floor, .last = INFINITY, .theta = INFINITY, .least = INFINITY };
}

bool mw_rigid_newton_slow(const mw_rigid_newton *n)
{
  return n->i == 0 || (n->i > 1 && n->theta > SLOW);
}

void mw_rigid_newton_take(mw_rigid_newton *n, double size, double motion, double tol)
{
  static const double FAR = 1e3;
  n->theta = n->i > 0 ? size / n->last : INFINITY;
  n->last = size;
  n->i++;
  // what is left: the geometric series of the corrections to come
  double theta = fmax(n->theta, motion), left = theta < 1.0 ? size * theta / (1.0 - theta) : size;
  n->stuck = size < 0.5 * n->least ? 0 : n->stuck + 1;
  n->least = fmin(n->least, size);
  bool rounding = size <= 2.0 * DBL_EPSILON || (n->stuck >= STUCK && size <= n->floor);
  n->done = left <= tol || rounding;
  n->failed = !n->done && (n->i >= MW_NEWTON_MAX || !(size <= FAR));
}

double mw_rigid_newton_size(const mw_rigid_sim *s, const double *x)
{
  double size = 0.0;
  for (int i = 0; i < s->n.n_u; i++) {
    bool length = i < 6 * s->n.n_body && i % 6 < 3;
    double y = fabs(x[i]) / (length ? s->size : 1.0);
    if (!(y <= size)) size = y;
  }
  return size;
}

mw_code mw_rigid_newton_fail(const mw_rigid_newton *n, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the step did not converge in %d iterations (last correction %.3g of the "
                 "mechanism's size); a shorter step may help",
                 n->i, n->last);
}

// ---- explicit methods ---------------------------------------------------------------------------

static const double OPEN = 1e-6;  // of the size: more than rounding can leave

static mw_code stays_open(double gap, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "a joint stays open by %.3g m (or rad) after the step; a shorter step may help",
                 gap);
}

// q onto its constraints at t, with the factors at hand as long as they contract, else anew
static mw_code close_gaps(mw_rigid_sim *s, double t, double *q, mw_error *err)
{
  double gap = INFINITY, most = fmax(s->in.projection, OPEN * s->size);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < 3 && !(gap <= most); i++)
    rc = mw_rigid_project_q(s->r, s->w, t, q, s->in.projection, PROJECTIONS, i > 0, &gap, err);
  return rc == MW_OK && !(gap <= most) ? stays_open(gap, err) : rc;
}

mw_code mw_rigid_land(mw_rigid_sim *s, double t, double *q, double *v, double *a, double *power,
                      mw_error *err)
{
  mw_code rc = close_gaps(s, t, q, err);
  if (rc == MW_OK) rc = mw_rigid_accel(s->r, s->w, t, q, v, a, err);
  if (rc != MW_OK) return rc;
  *power = mw_rigid_power(s->r, s->w);
  return mw_rigid_project_v(s->r, s->w, t, q, v, false, err);
}

static mw_code euler(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  double power = 0.0;
  for (int i = 0; i < s->n.n_q; i++) {
    k->q[i] = s->q[i] + h * s->v[i];
    k->v[i] = s->v[i] + h * s->a[i];
  }
  mw_code rc = mw_rigid_land(s, s->t + h, k->q, k->v, k->a, &power, err);
  if (rc != MW_OK) return rc;
  s->work += h * s->power;
  s->power = power;
  return MW_OK;
}

static mw_code rk4(mw_rigid_sim *s, double h, mw_error *err)
{
  static const double at[3] = { 0.5, 0.5, 1.0 }, weight[3] = { 2.0, 2.0, 1.0 };
  struct mw_rigid_scratch *k = s->scratch;
  size_t n = (size_t)s->n.n_q;
  double work = s->power, power;
  // k_1 = (v, a); the stages' rates are k->vs, k->as
  memcpy(k->vs, s->v, n * sizeof(double));
  memcpy(k->as, s->a, n * sizeof(double));
  memcpy(k->sum_q, s->v, n * sizeof(double));
  memcpy(k->sum_v, s->a, n * sizeof(double));
  mw_code rc = MW_OK;
  for (int i = 0; i < MW_RIGID_STAGES; i++) {
    double t = s->t + at[i] * h;
    for (size_t j = 0; j < n; j++) {
      k->qs[j] = s->q[j] + at[i] * h * k->vs[j];
      k->vs[j] = s->v[j] + at[i] * h * k->as[j];
    }
    rc = mw_rigid_accel(s->r, s->w, t, k->qs, k->vs, k->as, err);
    if (rc != MW_OK) return rc;
    work += weight[i] * mw_rigid_power(s->r, s->w);
    for (size_t j = 0; j < n; j++) {
      k->sum_q[j] += weight[i] * k->vs[j];
      k->sum_v[j] += weight[i] * k->as[j];
    }
  }
  for (size_t j = 0; j < n; j++) {
    k->q[j] = s->q[j] + h / 6.0 * k->sum_q[j];
    k->v[j] = s->v[j] + h / 6.0 * k->sum_v[j];
  }
  rc = mw_rigid_land(s, s->t + h, k->q, k->v, k->a, &power, err);
  if (rc != MW_OK) return rc;
  s->work += h / 6.0 * work;
  s->power = power;
  return MW_OK;
}

// a at k->q and k->v that brings k->y0 onto its constraints, and k->q onto its own: what one Newton
// step leaves is of the order of gap²; where that is too much, or the correction far larger than
// the gap (near a singular position), gaps are closed first and a evaluated anew.
static mw_code accel_and_close(mw_rigid_sim *s, double t, double h, mw_error *err)
{
  static const double LEVER = 100.0;
  struct mw_rigid_scratch *k = s->scratch;
  double gap = 0.0, moved = 0.0;
  mw_code rc = MW_OK;
  bool fine = false;
  mw_rigid_axes_turn(s, k->q, k->y0, true, k->u);
  for (int i = 0; rc == MW_OK && i < 2 && !fine; i++) {
    if (i > 0) rc = close_gaps(s, t, k->q, err);
    if (rc != MW_OK) break;
    rc = mw_rigid_accel_close(s->r, s->w, t, h, k->q, k->v, k->u, k->a, &gap, &moved, err);
    fine = gap * gap <= s->in.projection * s->size && moved <= LEVER * gap;
  }
  mw_rigid_axes_turn(s, k->q, k->u, false, k->y0);
  return rc;
}

// (1)
static mw_code leapfrog(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  int n = s->n.n_u;
  mw_rigid_mixed(s, s->q, s->v, k->y0);
  mw_rigid_mixed(s, s->q, s->a, k->d0);
  for (int i = 0; i < n; i++) {
    k->y0[i] += 0.5 * h * k->d0[i];
    k->x[i] = h * k->y0[i];
    k->y[i] = k->y0[i] + 0.5 * h * k->d0[i];
  }
  mw_rigid_axes_turn(s, s->q, k->x, true, k->x);
  mw_rigid_move(s->r, s->q, k->x, k->q);
  mw_rigid_natural(s, k->q, k->y, k->v);
  mw_code rc = accel_and_close(s, s->t + h, h, err);
  if (rc != MW_OK) return rc;
  mw_rigid_mixed(s, k->q, k->a, k->d);
  for (int i = 0; i < n; i++) k->y[i] = k->y0[i] + 0.5 * h * k->d[i];
  mw_rigid_natural(s, k->q, k->y, k->v);
  double power = mw_rigid_power(s->r, s->w);
  s->work += 0.5 * h * (s->power + power);
  s->power = power;
  return MW_OK;
}

// ---- implicit methods ---------------------------------------------------------------------------

// Gaps at the last iterate: rows that an iteration leaves out as redundant close with the others,
// but near singular positions, where a row that is no other's is left out, too.
static mw_code closed(const mw_rigid_sim *s, mw_error *err)
{
  static const double LEFT = 1e-9;  // of the size: what rounding may leave (rigid_sim.c)
  const struct mw_rigid_scratch *k = s->scratch;
  double gap = 0.0;
  for (int i = 0; i < s->n.n_row; i++)
    if (!k->rate[i]) gap = fmax(gap, fabs(k->g[i]));
  if (gap <= fmax(LEFT * s->size, s->in.projection)) return MW_OK;
  char near[200];
  mw_rigid_sim_name_singular(s, s->t, s->q, near);
  if (near[0] == 0) return stays_open(gap, err);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "a joint stays open by %.3g m (or rad) after the step%s", gap, near);
}

static mw_code implicit(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  double t = s->t + h, power = 0.0;
  mw_code rc =
      s->in.method == MW_METHOD_ALPHA ? mw_rigid_alpha(s, h, err) : mw_rigid_midpoint(s, h, err);
  if (rc == MW_OK) rc = closed(s, err);
  if (rc == MW_OK && s->has_power) {
    rc = mw_rigid_accel(s->r, s->w, t, k->q, k->v, k->as, err);
    if (rc == MW_OK) power = mw_rigid_power(s->r, s->w);
  }
  if (rc != MW_OK) return rc;
  memcpy(s->aux, k->aux, (size_t)s->n.n_u * sizeof(double));
  memcpy(s->lambda, k->l, (size_t)s->n.n_row * sizeof(double));
  memcpy(s->mu, k->mu, (size_t)s->n.n_row * sizeof(double));
  memcpy(s->lambda_s, k->ls, (size_t)s->n.n_soft * sizeof(double));
  s->work += 0.5 * h * (s->power + power);
  s->power = power;
  return MW_OK;
}

// ---- a step -------------------------------------------------------------------------------------

static mw_code allocate(mw_rigid_sim *s, mw_error *err)
{
  struct mw_rigid_scratch *k = mw_arena_alloc(&s->step_mem, 1, sizeof *k);
  if (!k) return mw_arena_check(&s->step_mem, err);
  double **q[] = { &k->q, &k->v, &k->a, &k->qs, &k->vs, &k->as, &k->sum_q, &k->sum_v };
  double **u[] = { &k->y0, &k->y, &k->d0, &k->d, &k->aux0, &k->aux,
                   &k->X,  &k->u, &k->f,  &k->r, &k->x,    &k->x2 };
  double **row[] = { &k->g, &k->gd, &k->c, &k->dl, &k->l, &k->mu };
  double **soft[] = { &k->gs, &k->gsd, &k->gs0, &k->ls, &k->cs, &k->dls };
  for (size_t i = 0; i < sizeof q / sizeof *q; i++)
    *q[i] = mw_arena_f64(&s->step_mem, (size_t)s->n.n_q);
  for (size_t i = 0; i < sizeof u / sizeof *u; i++)
    *u[i] = mw_arena_f64(&s->step_mem, (size_t)s->n.n_u);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    *row[i] = mw_arena_f64(&s->step_mem, (size_t)s->n.n_row);
  for (size_t i = 0; i < sizeof soft / sizeof *soft; i++)
    *soft[i] = mw_arena_f64(&s->step_mem, (size_t)s->n.n_soft);
  k->S = mw_arena_f64(&s->step_mem, 9 * (size_t)s->n.n_body);
  k->keep = mw_arena_f64(&s->step_mem, 3 + 3 * (size_t)s->n.n_q + 2 * (size_t)s->n.n_row +
                                           (size_t)s->n.n_soft + (size_t)s->n.n_u);
  k->rate = mw_arena_alloc(&s->step_mem, (size_t)s->n.n_row, 1);
  s->scratch = k;
  return mw_arena_check(&s->step_mem, err);
}

mw_code mw_rigid_step_init(mw_rigid_sim *s, mw_error *err)
{
  if (!s->scratch) {
    mw_code rc = allocate(s, err);
    if (rc != MW_OK) {
      mw_arena_free(&s->step_mem);
      s->scratch = NULL;
      return rc;
    }
  }
  struct mw_rigid_scratch *k = s->scratch;
  k->start = s->t;
  mw_rigid_rate_rows(s->r, k->rate);
  for (int j = 0; j < s->m->n_joint; j++) k->friction |= s->m->joint[j].in->friction.present;
  mw_rigid_twist(s->r, s->q, s->a, s->aux);
  memset(s->lambda, 0, (size_t)s->n.n_row * sizeof(double));
  memset(s->lambda_s, 0, (size_t)s->n.n_soft * sizeof(double));
  memset(s->mu, 0, (size_t)s->n.n_row * sizeof(double));
  return MW_OK;
}

// A step in one piece.
static mw_code piece(mw_rigid_sim *s, double h, mw_error *err)
{
  struct mw_rigid_scratch *k = s->scratch;
  size_t n = (size_t)s->n.n_q * sizeof(double);
  mw_code rc;
  switch (s->in.method) {
  case MW_METHOD_RK4: rc = rk4(s, h, err); break;
  case MW_METHOD_EULER: rc = euler(s, h, err); break;
  case MW_METHOD_LEAPFROG: rc = leapfrog(s, h, err); break;
  default: rc = implicit(s, h, err); break;
  }
  if (rc != MW_OK) return rc;
  memcpy(s->q, k->q, n);
  memcpy(s->v, k->v, n);
  memcpy(s->a, k->a, n);
  s->t += h;
  return MW_OK;
}

// The state into (back: out of) k->keep.
static void keep_state(mw_rigid_sim *s, bool back)
{
  double *part[] = { &s->t, &s->work,  &s->power,   s->q,  s->v,
                     s->a,  s->lambda, s->lambda_s, s->mu, s->aux };
  int nq = s->n.n_q, nr = s->n.n_row;
  int size[] = { 1, 1, 1, nq, nq, nq, nr, s->n.n_soft, nr, s->n.n_u };
  double *keep = s->scratch->keep;
  for (size_t i = 0; i < sizeof size / sizeof *size; keep += size[i], i++)
    memcpy(back ? part[i] : keep, back ? keep : part[i], (size_t)size[i] * sizeof *keep);
}

mw_code mw_rigid_step(mw_rigid_sim *s, double h, mw_error *err)
{
  enum { HALVINGS = 4 };
  double t = s->t;
  bool in_pieces = s->in.method == MW_METHOD_ALPHA || s->in.method == MW_METHOD_MIDPOINT;
  mw_error why;
  mw_code rc = piece(s, h, in_pieces ? &why : err);
  if (rc == MW_OK || !in_pieces) return rc;
  keep_state(s, false);
  for (int parts = 2; rc == MW_ERR_NUMERIC && parts <= 1 << HALVINGS; parts *= 2) {
    rc = MW_OK;
    for (int i = 0; rc == MW_OK && i < parts; i++) rc = piece(s, h / parts, &why);
    if (rc != MW_OK) keep_state(s, true);
  }
  if (rc == MW_OK)
    s->t = t + h;
  else if (err)
    *err = why;
  return rc;
}
