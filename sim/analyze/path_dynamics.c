// SPDX-License-Identifier: BSD-3-Clause
// path_dynamics.c: what a motion along a path needs, of its speed and acceleration.
//
// A path says x(q) = X(p): of the tool's velocity v, spin ω and of coordinates. With tangents T of
// independent coordinates z (trace.h), G = ∂x/∂z, w the spin a unit of ṗ,
//
//   G z' = X' ,  G z'' = X'' − (what x̂' is at z̈ = 0)                                          (1)
//   Q = M z' p̈ + (M z'' + h₂) ṗ² + h₁ ṗ + h₀                                                  (2)
// h₂, h₁, h₀: what of the bias is quadratic, linear, constant in rates z', read off at z', −z', 0
// and confirmed at 2 z'. Dry friction of coordinates is constant as long as p rises and their ways
// stay: it is taken out of the bias and put into h₀, against z'. Positions: steps of Newton from
// those of second order along the path.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "linkage_priv.h"
#include "tool_path_priv.h"
#include "trace_priv.h"

enum { WIDE = 6 };  // rows of a tool

typedef struct follower {
  mw_trace t;
  const mw_tool_path *path;
  int slot;           // rigid body of the output, −1: none
  double Y[3], R[9];  // m, the output's point in its principal axes; these in the body's frame
  int n_row;          // of (1)
  double *y;          // [n_part × 3]   what the path says
  double *G, *QR;     // [n_row × k]    (1), factored by reflections
  double *tau;        // [k]
  double *open;       // [n_row]        right-hand side
  double *zeta;       // [k]
  double *u, *ud, *step, *f[4];  // [n_u]  a unit of p: rates, accelerations; scratch
  double p;
} follower;

// ---- least squares of few columns ---------------------------------------------------------------

// A [m × k] := reflections and R (Householder), tau [k]; the smallest over the largest of R's
// diagonal.
static double reflect(int m, int k, double *A, double *tau)
{
  double lo = INFINITY, hi = 0.0;
  for (int j = 0; j < k; j++) {
    double norm = 0.0;
    for (int i = j; i < m; i++) norm += A[i * k + j] * A[i * k + j];
    norm = sqrt(norm);
    lo = fmin(lo, norm);
    hi = fmax(hi, norm);
    if (norm == 0.0) return 0.0;
    double alpha = A[j * k + j] > 0.0 ? -norm : norm, v0 = A[j * k + j] - alpha;
    tau[j] = -v0 / alpha;
    for (int i = j + 1; i < m; i++) A[i * k + j] /= v0;
    A[j * k + j] = alpha;
    for (int c = j + 1; c < k; c++) {
      double sum = A[j * k + c];
      for (int i = j + 1; i < m; i++) sum += A[i * k + j] * A[i * k + c];
      A[j * k + c] -= tau[j] * sum;
      for (int i = j + 1; i < m; i++) A[i * k + c] -= tau[j] * sum * A[i * k + j];
    }
  }
  return lo / hi;
}

// x [k] of least squares for b [m], which is overwritten.
static void reflect_solve(int m, int k, const double *A, const double *tau, double *b, double *x)
{
  for (int j = 0; j < k; j++) {
    double sum = b[j];
    for (int i = j + 1; i < m; i++) sum += A[i * k + j] * b[i];
    b[j] -= tau[j] * sum;
    for (int i = j + 1; i < m; i++) b[i] -= tau[j] * sum * A[i * k + j];
  }
  for (int j = k - 1; j >= 0; j--) {
    x[j] = b[j];
    for (int c = j + 1; c < k; c++) x[j] -= A[j * k + c] * x[c];
    x[j] /= A[j * k + j];
  }
}

// ---- the tool -----------------------------------------------------------------------------------

static void rotation(const double axis_angle[3], double A[9])
{
  for (int c = 0; c < 3; c++) {
    double e[3] = { c == 0, c == 1, c == 2 }, x[3];
    mw_turn3(axis_angle, e, x);
    for (int i = 0; i < 3; i++) A[3 * i + c] = x[i];
  }
}

// Cardan angles φ: attitude A = Rx Ry Rz, spin W φ', its axes as columns of W and their change.
static void attitude(const double *const phi[3], double A[9], double w[3], double wd[3])
{
  double B[9], axis[3][3] = { { 1.0, 0.0, 0.0 } }, spin[3] = { 0.0 };
  static const double UNIT[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  memcpy(A, UNIT, sizeof UNIT);
  memset(w, 0, 3 * sizeof *w);
  memset(wd, 0, 3 * sizeof *wd);
  for (int k = 0; k < 3; k++) {
    double turn[3] = { 0.0 }, change[3];
    for (int i = 0; i < 3; i++) axis[k][i] = A[3 * i + k];
    mw_cross3(spin, axis[k], change);
    for (int i = 0; i < 3; i++) {
      w[i] += phi[k][1] * axis[k][i];
      wd[i] += phi[k][2] * axis[k][i] + phi[k][1] * change[i];
      spin[i] += phi[k][1] * axis[k][i];
    }
    turn[k] = phi[k][0];
    rotation(turn, B);
    mw_mul33(A, B, A);
  }
}

// Rotation vector, ground axes, from the tool's attitude to A.
static void turn_to(const follower *f, const double A[9], double r[3])
{
  const double *E = f->t.q + 12 * f->slot + 3;
  double now[9], D[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) now[3 * i + j] = mw_dot3(E + 3 * i, f->R + 3 * j);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[3 * i + j] = mw_dot3(A + 3 * i, now + 3 * j);
  double half[3] = { 0.5 * (D[7] - D[5]), 0.5 * (D[2] - D[6]), 0.5 * (D[3] - D[1]) };
  double sine = mw_norm3(half), cosine = 0.5 * (D[0] + D[4] + D[8] - 1.0);
  double scale = sine > 0.0 ? atan2(sine, cosine) / sine : 1.0;
  for (int i = 0; i < 3; i++) r[i] = scale * half[i];
}

// Velocity of the tool's point and its spin, ground axes, of the tangent u.
static void tool_rate(const follower *f, const double *u, double v[3], double w[3])
{
  const double *E = f->t.q + 12 * f->slot + 3, *ub = u + 6 * f->slot;
  double x[3];
  mw_cross3(ub + 3, f->Y, x);
  for (int i = 0; i < 3; i++) x[i] += ub[i];
  mw_mul33v(E, x, v);
  mw_mul33v(E, ub + 3, w);
}

// Acceleration, spin's change of u' at rates u.
static void tool_acceleration(const follower *f, const double *u, const double *ud, double v[3],
                              double w[3])
{
  const double *E = f->t.q + 12 * f->slot + 3, *wb = u + 6 * f->slot + 3;
  double x[3];
  tool_rate(f, ud, v, w);
  mw_cross3(wb, f->Y, x);
  mw_cross3(wb, x, x);
  mw_mul33v(E, x, x);
  for (int i = 0; i < 3; i++) v[i] += x[i];
}

// Rows of (1) of the rates u into x [n_row]; with ud not NULL accelerations.
static void rows_of(const follower *f, const double *u, const double *ud, double *x)
{
  double v[3], w[3];
  int n = f->t.n.n_u;
  if (f->slot >= 0 && ud) tool_acceleration(f, u, ud, v, w);
  if (f->slot >= 0 && !ud) tool_rate(f, u, v, w);
  for (int i = 0; i < f->path->n_part; i++) {
    int what = f->path->part[i].what, c = what - MW_ALONG_COORDINATE;
    x[i] = what < MW_ALONG_RX ? v[what]
           : c < 0            ? w[what - MW_ALONG_RX]
                              : mw_dot(n, f->t.Js + (size_t)c * (size_t)n, ud ? ud : u) +
                         (ud ? f->t.bias[c] : 0.0);
  }
}

// The path at f->p: how far each row is from it, and X', X'' of the rows.
static void target(follower *f, double *away, double *x1, double *x2)
{
  const mw_tool_path *path = f->path;
  const double *phi[3] = { NULL };
  double A[9], r[3], w[3], wd[3], x[3] = { 0.0 };
  mw_tool_path_eval(path, f->p, f->y);
  for (int i = 0; i < path->n_part; i++)
    for (int k = 0; k < 3; k++)
      if (path->part[i].what == MW_ALONG_RX + k) phi[k] = f->y + 3 * i;
  if (phi[0]) {
    attitude(phi, A, w, wd);
    turn_to(f, A, r);
  }
  if (f->slot >= 0) {
    const double *o = f->t.q + 12 * f->slot;
    mw_mul33v(o + 3, f->Y, x);
    for (int i = 0; i < 3; i++) x[i] += o[i];
  }
  for (int i = 0; i < path->n_part; i++) {
    int what = path->part[i].what, a = what - MW_ALONG_RX, c = what - MW_ALONG_COORDINATE;
    const double *y = f->y + 3 * i;
    bool angle = a >= 0 && c < 0;
    away[i] = angle ? r[a] : y[0] - (a < 0 ? x[what] : f->t.s[c]);
    if (x1) x1[i] = angle ? w[a] : y[1];
    if (x2) x2[i] = angle ? wd[a] : y[2];
  }
}

// ---- positions ----------------------------------------------------------------------------------

static mw_code factor(follower *f, mw_error *err)
{
  static const double RANK = 1e-9;
  int k = f->t.k, n = f->t.n.n_u;
  for (int i = 0; i < k; i++) {
    rows_of(f, f->t.T + (size_t)i * (size_t)n, NULL, f->open);
    for (int c = 0; c < f->n_row; c++) f->G[c * k + i] = f->open[c];
  }
  memcpy(f->QR, f->G, (size_t)(f->n_row * k) * sizeof *f->G);
  if (f->n_row >= k && reflect(f->n_row, k, f->QR, f->tau) > RANK) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "the path at p = %.6g does not say all of the motion, or is singular there: "
                 "expected as many independent parts as the %d freedoms",
                 f->p, k);
}

// Largest of a tangent, rad and m over the size.
static double length(const mw_trace *t, const double *u)
{
  double most = 0.0;
  for (int i = 0; i < t->n.n_u; i++) {
    double x = fabs(u[i]) / (i % 6 < 3 ? t->size : 1.0);
    most = x > most || isnan(x) ? x : most;
  }
  return most;
}

static mw_code singular(const follower *f, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the path cannot be followed to p = %.6g: positions are singular there", f->p);
}

// Newton's steps to f->p, each shortened to FAR; T, G are then those there. *far: one was.
static mw_code settle(follower *f, bool *far, mw_error *err)
{
  enum { ITER = 100 };
  // rad, m over the size: what a step may leave, as rows close; of a step along the branch
  static const double CLOSE = 1e-13, FAR = 0.3, OFF = 1e-9;
  // beside singular positions rounding leaves more: a step that no longer shrinks
  static const double ROUNDING = 1e-10;
  mw_trace *t = &f->t;
  double gap = 0.0, step = INFINITY, last = INFINITY;
  bool done = false;
  *far = false;
  for (int i = 0; i < ITER && !done; i++) {
    mw_code rc = mw_trace_step(t, f->step, &gap, err);
    if (rc == MW_OK) rc = factor(f, err);
    if (rc != MW_OK) return rc;
    rows_of(f, f->step, NULL, f->f[0]);
    target(f, f->open, NULL, NULL);
    for (int c = 0; c < f->n_row; c++) f->open[c] -= f->f[0][c];
    reflect_solve(f->n_row, t->k, f->QR, f->tau, f->open, f->zeta);
    for (int j = 0; j < t->k; j++)
      mw_axpy(t->n.n_u, f->zeta[j], t->T + (size_t)j * (size_t)t->n.n_u, f->step);
    last = step;
    step = length(t, f->step);
    done = step <= CLOSE || (step <= ROUNDING && step > 0.5 * last);
    if (!(step <= FAR)) {
      *far = true;
      for (int k = 0; k < t->n.n_u; k++) f->step[k] *= FAR / step;
    }
    mw_trace_move(t, f->step);
  }
  target(f, f->open, NULL, NULL);
  double off = 0.0;
  for (int c = 0; c < f->n_row; c++)
    off = fmax(off, fabs(f->open[c]) / (f->path->part[c].what < MW_ALONG_RX ? t->size : 1.0));
  if (done && off <= OFF) return MW_OK;
  if (off <= OFF) return singular(f, err);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the path leads at p = %.6g where the mechanism cannot go: %.3g m or rad are left",
                 f->p, off);
}

// (1) where it is: u and ud a unit of p
static void derivatives(follower *f, double *x1, double *x2)
{
  mw_trace *t = &f->t;
  size_t n = (size_t)t->n.n_u;
  target(f, f->open, x1, x2);
  reflect_solve(f->n_row, t->k, f->QR, f->tau, x1, f->zeta);
  memset(f->u, 0, n * sizeof *f->u);
  for (int j = 0; j < t->k; j++) mw_axpy((int)n, f->zeta[j], t->T + (size_t)j * n, f->u);
  mw_trace_bias(t, f->u, f->ud);
  rows_of(f, f->u, f->ud, f->open);
  for (int c = 0; c < f->n_row; c++) x2[c] -= f->open[c];
  reflect_solve(f->n_row, t->k, f->QR, f->tau, x2, f->zeta);
  for (int j = 0; j < t->k; j++) mw_axpy((int)n, f->zeta[j], t->T + (size_t)j * n, f->ud);
}

// From where it is to p, by steps of second order as long as those of Newton stay short.
static mw_code advance(follower *f, double p, double *x1, double *x2, mw_error *err)
{
  enum { HALVINGS = 12 };
  mw_trace *t = &f->t;
  size_t nq = (size_t)t->n.n_q, nc = (size_t)t->n.n_coord;
  mw_arena tmp = { 0 };
  double *q = mw_arena_f64(&tmp, nq), *s = mw_arena_f64(&tmp, nc), from = f->p, h = p - from;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && from < p;) {
    bool far = false;
    memcpy(q, t->q, nq * sizeof *q);
    memcpy(s, t->s, nc * sizeof *s);
    for (int k = 0; k < t->n.n_u; k++) f->step[k] = h * f->u[k] + 0.5 * h * h * f->ud[k];
    far = !(length(t, f->step) <= 0.3);
    f->p = fmin(from + h, p);
    if (!far) mw_trace_move(t, f->step);
    mw_error why = { 0 };
    mw_code now = far ? MW_ERR_NUMERIC : settle(f, &far, &why);
    if ((now != MW_OK || far) && i < HALVINGS) {
      memcpy(t->q, q, nq * sizeof *q);
      memcpy(t->s, s, nc * sizeof *s);
      mw_rigid_accept_coords(t->r, t->w, s);
      h *= 0.5;
      i++;
      // the tangents there, which the attempt has left
      f->p = from;
      rc = settle(f, &far, err);
    } else if (far) {
      rc = singular(f, err);
    } else if (now != MW_OK) {
      *err = why;
      rc = now;
    } else {
      from = f->p;
      h = fmin(2.0 * h, p - from);
      i -= i > 0;
    }
    if (rc == MW_OK) derivatives(f, x1, x2);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- what is needed -----------------------------------------------------------------------------

static mw_code not_quadratic(const follower *f, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = f->t.m->model->path },
                 "forces at p = %.6g are not of second degree in the speed: accessible dynamics "
                 "knows weight, springs, dampers and drive_friction; expected no stops, play",
                 f->p);
}

// (2) into row i
static mw_code needed(follower *f, int i, mw_path_dynamics *o, mw_error *err)
{
  mw_trace *t = &f->t;
  int n = t->n.n_u, k = t->k;
  double times[4] = { 0.0, 1.0, -1.0, 2.0 }, most = 0.0;
  for (int x = 0; x < 4; x++) {
    for (int j = 0; j < n; j++) f->step[j] = times[x] * f->u[j];
    mw_trace_force(t, x == 0 ? NULL : f->step, f->f[x]);
    if (o->dry) mw_trace_take_dry(t, x == 0 ? NULL : f->step, f->f[x]);
  }
  if (o->dry) mw_trace_dry(t, f->u, f->ud, f->step);
  for (int r = 0; r < k; r++) {
    const double *T = t->T + (size_t)r * (size_t)n;
    double h[4], mass[2] = { 0.0 };
    for (int x = 0; x < 4; x++) h[x] = -mw_dot(n, T, f->f[x]);
    for (int j = 0; j < n; j++) {
      mass[0] += T[j] * t->mass[j] * f->u[j];
      mass[1] += T[j] * t->mass[j] * f->ud[j];
    }
    double linear = 0.5 * (h[1] - h[2]), square = 0.5 * (h[1] + h[2]) - h[0];
    double *to[4] = { o->a, o->b, o->f, o->c },
           value[4] = { mass[0], mass[1] + square, linear, h[0] };
    if (o->dry) value[3] -= mw_dot(n, T, f->step);
    for (int x = 0; x < 4; x++) to[x][i * k + r] = value[x];
    for (int x = 0; x < 4; x++) most = fmax(most, fabs(h[x]));
    most = fmax(most, fabs(mass[1]));
    if (!(fabs(h[3] - h[0] - 2.0 * linear - 4.0 * square) <= 1e-9 * most))
      return not_quadratic(f, err);
    o->viscous = o->viscous || fabs(linear) > 1e-12 * most;
  }
  return MW_OK;
}

static void keep(follower *f, int i, mw_path_dynamics *o)
{
  const mw_trace *t = &f->t;
  const mw_model *model = t->m->model;
  size_t n = (size_t)t->n.n_u, nc = (size_t)t->n.n_coord, row = (size_t)i, nd = (size_t)o->n_drive;
  memcpy(o->s + row * nc, t->s, nc * sizeof *o->s);
  for (size_t c = 0; c < nc; c++) {
    o->s1[row * nc + c] = mw_dot((int)n, t->Js + c * n, f->u);
    o->s2[row * nc + c] = mw_dot((int)n, t->Js + c * n, f->ud) + t->bias[c];
  }
  mw_trace_drives(t, o->B + row * (size_t)t->k * nd);
  for (size_t d = 0; d < nd; d++) {
    int j = model->drive[d].joint;
    o->rate[row * nd + d] = j < 0 ? 0.0 : o->s1[row * nc + (size_t)t->m->joint[j].coord];
  }
}

// ---- which coordinates --------------------------------------------------------------------------

// Marks as many coordinates as there are freedoms: each the one that says most of what the others
// before it leave open, of a measure in which lengths are over the size; driven ones first.
static mw_code choose(const mw_mech *m, const mw_position *at, unsigned char *given, mw_error *err)
{
  static const double FREE = 1e-9, LITTLE = 1e-3;
  mw_linkage l = { 0 };
  mw_arena tmp = { 0 };
  mw_code rc = mw_linkage_open(m, NULL, false, at->p, at->s, &l, err);
  size_t n = (size_t)l.n.n_u, nc = (size_t)m->n_coord;
  double *sv = mw_arena_f64(&tmp, n), *Vt = mw_arena_f64(&tmp, n * n),
         *S = mw_arena_f64(&tmp, nc * n);
  unsigned char *driven = mw_arena_alloc(&tmp, nc, 1);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) mw_linkage_eval(&l, NULL);
  if (rc == MW_OK) rc = mw_linkage_svd(&l, sv, NULL, Vt, err);
  int rank = rc == MW_OK ? mw_linkage_rank(&l, sv, FREE) : 0, k = (int)n - rank;
  for (int d = 0; rc == MW_OK && d < m->model->n_drive; d++)
    if (m->model->drive[d].joint >= 0) driven[m->joint[m->model->drive[d].joint].coord] = 1;
  for (size_t c = 0; rc == MW_OK && c < nc; c++) {
    bool length = strcmp(mw_joint_unit(m->joint[m->coord_joint[c]].in), "m") == 0;
    for (int i = 0; i < k; i++)
      S[c * n + (size_t)i] =
          mw_dot((int)n, l.Js + c * n, Vt + (size_t)(rank + i) * n) / (length ? l.size : 1.0);
  }
  for (int i = 0; rc == MW_OK && i < k; i++) {
    int best = -1;
    double most = 0.0;
    for (int c = 0; c < m->n_coord; c++) {
      double *row = S + (size_t)c * n, x = sqrt(mw_dot(k, row, row));
      if (given[c] || x <= LITTLE) continue;
      x *= driven[c] ? 1.0 : LITTLE;
      if (x > most) most = x, best = c;
    }
    if (best < 0)
      rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
                   "the mechanism has %d freedoms, of which its coordinates say %d; expected a "
                   "coordinate for each (elastic runners and bearings are free here)",
                   k, i);
    if (rc != MW_OK) break;
    given[best] = 1;
    double *b = S + (size_t)best * n, size = mw_dot(k, b, b);
    for (int c = 0; c < m->n_coord; c++)
      if (!given[c]) mw_axpy(k, -mw_dot(k, S + (size_t)c * n, b) / size, b, S + (size_t)c * n);
  }
  mw_arena_free(&tmp);
  mw_linkage_close(&l);
  return rc;
}

// ---- along the path -----------------------------------------------------------------------------

static mw_code open_follower(const mw_mech *m, const mw_position *at, const mw_tool_path *path,
                             follower *f, mw_error *err)
{
  mw_arena tmp = { 0 };
  unsigned char *given = mw_arena_alloc(&tmp, (size_t)m->n_coord, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = choose(m, at, given, err);
  if (rc == MW_OK) rc = mw_trace_open(m, at, given, &f->t, err);
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)f->t.n.n_u, k = (size_t)f->t.k;
  mw_arena *mem = &f->t.mem;
  f->path = path;
  f->slot = -1;
  f->n_row = path->n_part;
  f->y = mw_arena_f64(mem, 3 * (size_t)path->n_part);
  f->G = mw_arena_f64(mem, (size_t)f->n_row * k);
  f->QR = mw_arena_f64(mem, (size_t)f->n_row * k);
  f->tau = mw_arena_f64(mem, k);
  f->zeta = mw_arena_f64(mem, k);
  f->open = mw_arena_f64(mem, (size_t)f->n_row);
  double **tangent[] = { &f->u, &f->ud, &f->step, &f->f[0], &f->f[1], &f->f[2], &f->f[3] };
  for (int i = 0; i < 7; i++)
    *tangent[i] = mw_arena_f64(mem, n > (size_t)f->n_row ? n : (size_t)f->n_row);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK || path->output < 0) return rc;
  const mw_output_in *o = &m->model->output[path->output];
  const mw_rigid_body *b = mw_rigid_bodies(f->t.r);
  for (int i = 0; i < f->t.n.n_body; i++)
    if (b[i].body == o->ref.body) f->slot = i;
  if (f->slot < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s does not move, expected an output that does",
                   o->name);
  double x[3];
  const double *q = f->t.q + 12 * f->slot;
  mw_rigid_point(f->t.r, o->ref, o->x, f->t.q, NULL, x, NULL);
  for (int i = 0; i < 3; i++) x[i] -= q[i];
  mw_mul33tv(q + 3, x, f->Y);
  memcpy(f->R, b[f->slot].R, sizeof f->R);
  return MW_OK;
}

static mw_code dynamics_memory(const follower *f, mw_arena *mem, mw_path_dynamics *o, mw_error *err)
{
  size_t n = (size_t)o->n, k = (size_t)f->t.k, nd = (size_t)o->n_drive, nc = (size_t)o->n_coord;
  o->k = f->t.k;
  o->coord = mw_arena_int(mem, k);
  o->p = mw_arena_f64(mem, n);
  double **coord[] = { &o->s, &o->s1, &o->s2 }, **force[] = { &o->a, &o->b, &o->f, &o->c };
  for (int i = 0; i < 3; i++) *coord[i] = mw_arena_f64(mem, n * nc);
  for (int i = 0; i < 4; i++) *force[i] = mw_arena_f64(mem, n * k);
  o->B = mw_arena_f64(mem, n * k * nd);
  o->rate = mw_arena_f64(mem, n * nd);
  return mw_arena_check(mem, err);
}

mw_code mw_path_dynamics_find(const mw_mech *m, const mw_position *at, const mw_tool_path *path,
                              int n, const double *p, mw_arena *mem, mw_path_dynamics *out,
                              mw_error *err)
{
  follower f = { 0 };
  mw_path_dynamics o = { .n = n, .n_drive = m->model->n_drive, .n_coord = m->n_coord };
  bool far;
  mw_code rc = open_follower(m, at, path, &f, err);
  double *x1 = mw_arena_f64(&f.t.mem, (size_t)path->n_part),
         *x2 = mw_arena_f64(&f.t.mem, (size_t)path->n_part);
  if (rc == MW_OK) rc = mw_arena_check(&f.t.mem, err);
  if (rc == MW_OK) rc = dynamics_memory(&f, mem, &o, err);
  if (rc == MW_OK) rc = mw_trace_check_dry(&f.t, &o.dry, err);
  if (rc == MW_OK) {
    memcpy(o.coord, f.t.z, (size_t)o.k * sizeof *o.coord);
    f.p = p[0];
    rc = settle(&f, &far, err);
    if (rc == MW_OK) derivatives(&f, x1, x2);
  }
  for (int i = 0; rc == MW_OK && i < n; i++) {
    if (i > 0) rc = advance(&f, p[i], x1, x2, err);
    o.p[i] = p[i];
    if (rc == MW_OK) rc = needed(&f, i, &o, err);
    if (rc == MW_OK) keep(&f, i, &o);
  }
  bool stays = n > 2;  // of two points both may be where a path turns back
  for (int i = 0; rc == MW_OK && stays && i < n * o.n_coord; i++) stays = o.s1[i] == 0.0;
  if (rc == MW_OK && stays)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "path: found one that stays where it is, expected positions that change with t");
  mw_trace_close(&f.t);
  if (rc == MW_OK) *out = o;
  return rc;
}
