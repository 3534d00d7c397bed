// SPDX-License-Identifier: BSD-3-Clause
// one_freedom.c: a motion of one freedom, its lock-ups and bifurcations.
//
//   J t = 0 , |t| = 1;  q ← q moved by h t, closed again                                        (1)
//   lock-up of s_c        ν_c = Js_c t changes its sign:  [J; Js_c] is singular, J is not       (2)
//   bifurcation           the smallest singular value σ = uᵀ J v of the rows across t changes its
//                         sign, u and v followed from position to position                      (3)
//   there                 zᵀ Q_l z = 0 for z in (t, v): tangents of both motions                (4)
//   with the rate of the driving coordinate as a row of Φ, ν = (0, 1), γ = −Φ' q':
//     lock-up      rank [Φ_q ν] > rank Φ_q;   bifurcation  rank [Φ_q ν] = rank [Φ_q γ] = rank Φ_q
//   (Ben Amar, Lectures on multibody dynamics, 2014, singular configurations).
// Roots are located within a step by regula falsi (Illinois). Where σ changes its sign, u and v are
// the same and no root has a second freedom, the step went across to another motion: it is halved.
// Cost: a decomposition of J a step.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "linkage_priv.h"
#include "sim/analyze.h"

enum { MOST = 20000, MOST_SINGULAR = 64 };     // positions each way; singular ones
static const double TURN = 6.283185307179586;  // rad
static const double RANK = 1e-9;               // singular values of dependent rows, of the largest
static const double SINGULAR = 1e-6;           // the same at a located singular position
static const double LEAST = 1e-5;              // step, of the longest
static const double STILL = 1e-9;              // rates of what does not move with the motion

typedef struct place {
  double *q, *t, *u, *v, *s;  // [n_q], [n_u], [n_row], [n_u], [n_coord]
  double *rate;               // [n_coord]  Js t
  double arc, sigma;          // sigma with its sign
} place;

typedef struct follower {
  mw_linkage l;
  mw_motion_opt opt;
  const mw_mech *m;
  int rank;              // of the rows where the motion is regular
  double *sv, *Ut, *Vt;  // [n_u], [n_row × n_row], [n_u × n_u]
  double *y;             // [n_u]
  place a, b, c, first;  // last and next position, one within a step, the start
  // what is kept, forwards from the start, then backwards
  int n, n_back;
  double *arc, *s, *sigma;
  int n_singular;
  mw_singular singular[MOST_SINGULAR];
  int direction;  // 1, −1
  bool crossed;   // the step between a and b went across to another motion
  mw_arena mem, *out;
} follower;

const char *mw_singular_name(mw_singular_kind kind)
{
  return kind == MW_SINGULAR_LOCK ? "lock-up" : "bifurcation";
}

// ---- a position ---------------------------------------------------------------------------------

static void place_init(follower *f, place *p)
{
  p->q = mw_arena_f64(&f->mem, (size_t)f->l.n.n_q);
  p->t = mw_arena_f64(&f->mem, (size_t)f->l.n.n_u);
  p->v = mw_arena_f64(&f->mem, (size_t)f->l.n.n_u);
  p->u = mw_arena_f64(&f->mem, (size_t)f->l.n.n_row + 1);
  p->s = mw_arena_f64(&f->mem, (size_t)f->l.n.n_coord);
  p->rate = mw_arena_f64(&f->mem, (size_t)f->l.n.n_coord);
}

static void place_copy(const follower *f, const place *from, place *to)
{
  memcpy(to->q, from->q, (size_t)f->l.n.n_q * sizeof(double));
  memcpy(to->t, from->t, (size_t)f->l.n.n_u * sizeof(double));
  memcpy(to->v, from->v, (size_t)f->l.n.n_u * sizeof(double));
  memcpy(to->u, from->u, (size_t)f->l.n.n_row * sizeof(double));
  memcpy(to->s, from->s, (size_t)f->l.n.n_coord * sizeof(double));
  memcpy(to->rate, from->rate, (size_t)f->l.n.n_coord * sizeof(double));
  to->arc = from->arc;
  to->sigma = from->sigma;
}

// x := ± x [n], towards like
static bool turn_like(int n, const double *like, double *x)
{
  bool turned = mw_dot(n, like, x) < 0.0;
  for (int i = 0; turned && i < n; i++) x[i] = -x[i];
  return turned;
}

// Tangent, σ and rates at p->q, their signs from those of near (NULL: the first position).
static mw_code look(follower *f, const place *near, place *p, mw_error *err)
{
  mw_linkage *l = &f->l;
  int n = l->n.n_u, rows = l->n.n_row, k = n - 1;
  memcpy(l->q, p->q, (size_t)l->n.n_q * sizeof(double));
  mw_rigid_coords(l->r, l->w, p->q, NULL, p->s, NULL);
  mw_linkage_eval(l, NULL);
  mw_code rc = mw_linkage_svd(l, f->sv, f->Ut, f->Vt, err);
  if (rc != MW_OK) return rc;
  memcpy(p->t, f->Vt + (size_t)k * (size_t)n, (size_t)n * sizeof(double));
  p->sigma = k > 0 ? f->sv[k - 1] : 1.0;
  if (k > 0) memcpy(p->v, f->Vt + (size_t)(k - 1) * (size_t)n, (size_t)n * sizeof(double));
  // u = J v/σ: the signs of both belong together
  mw_gemm('n', 't', 1, rows, n, 1.0, p->v, l->J, 0.0, p->u);
  if (near) {
    bool v = turn_like(n, near->v, p->v), u = turn_like(rows, near->u, p->u);
    (void)turn_like(n, near->t, p->t);
    if (v != u) p->sigma = -p->sigma;
  }
  mw_gemm('n', 't', 1, l->n.n_coord, n, 1.0, p->t, l->Js, 0.0, p->rate);
  return MW_OK;
}

// From a by h along its tangent, to p.
static mw_code step_to(follower *f, const place *a, double h, place *p, mw_error *err)
{
  for (int i = 0; i < f->l.n.n_u; i++) f->y[i] = h * a->t[i];
  p->arc = a->arc + f->direction * h;
  mw_code rc = mw_linkage_move(&f->l, a->q, f->y, p->q, err);
  return rc == MW_OK ? look(f, a, p, err) : rc;
}

// Is p where the tangent of a leads, neither fallen back nor on another motion?
static bool continues(const follower *f, const place *a, const place *p)
{
  static const double STRAIGHT = 0.9;  // cosine of what the tangent may turn by
  double along = 0.0;                  // of what coordinates move by, by the mean of their rates
  for (int c = 0; c < f->l.n.n_coord; c++) along += (p->s[c] - a->s[c]) * (p->rate[c] + a->rate[c]);
  return mw_dot(f->l.n.n_u, a->t, p->t) > STRAIGHT && along >= 0.0;
}

// ---- singular positions -------------------------------------------------------------------------

// What changes its sign: σ (c −1), or the rate of coordinate c.
static double watched(const place *p, int c) { return c < 0 ? p->sigma : p->rate[c]; }

// Root of what is watched between a and a + h by regula falsi, down to a width; at f->c.
static mw_code bracket(follower *f, int c, double h, double width, double *root, mw_error *err)
{
  enum { ITER = 100 };
  double lo = 0.0, hi = h, at_lo = watched(&f->a, c), at_hi = watched(&f->b, c);
  mw_code rc = MW_OK;
  int side = 0;
  *root = 0.5 * h;
  for (int i = 0; rc == MW_OK && i < ITER && hi - lo > width; i++) {
    double x = *root = (at_lo * hi - at_hi * lo) / (at_lo - at_hi);
    rc = step_to(f, &f->a, x, &f->c, err);
    double y = watched(&f->c, c);
    if (rc != MW_OK || y == 0.0 || x <= lo || x >= hi) break;
    bool left = (y > 0.0) == (at_lo > 0.0);
    if (left) {
      lo = x, at_lo = y;
      if (side == -1) at_hi *= 0.5;
    } else {
      hi = x, at_hi = y;
      if (side == 1) at_lo *= 0.5;
    }
    side = left ? -1 : 1;
  }
  return rc;
}

// Weights at x of the values at −2, −1, 1, 2
static void weights(double x, double w[4])
{
  static const double at[4] = { -2.0, -1.0, 1.0, 2.0 };
  for (int i = 0; i < 4; i++) {
    w[i] = 1.0;
    for (int k = 0; k < 4; k++)
      if (k != i) w[i] *= (x - at[k]) / (at[i] - at[k]);
  }
}

// Root of the cubic through four values y around 0.
static double cubic_root(const double y[4])
{
  double lo = -1.0, hi = 1.0, w[4];
  for (int i = 0; i < 60; i++) {
    double x = 0.5 * (lo + hi), sum = 0.0;
    weights(x, w);
    for (int k = 0; k < 4; k++) sum += w[k] * y[k];
    if ((sum > 0.0) == (y[1] > 0.0))
      lo = x;
    else
      hi = x;
  }
  return 0.5 * (lo + hi);
}

// (3) at a + x, near a root. Rows close to ε there, so positions are known to ε/σ, at the root to
// √ε alone: root, coordinates and tangent are those of cubics through four positions D and 2 D
// beside it. *found false: σ jumps (its vectors have been exchanged).
static mw_code interpolate(follower *f, double x, bool *found, mw_error *err)
{
  static const double D = 2e-3;  // D⁴/6 = 3e-12 is what a cubic leaves
  static const double at[4] = { -2.0, -1.0, 1.0, 2.0 };
  size_t nc = (size_t)f->l.n.n_coord, n = (size_t)f->l.n.n_u;
  mw_arena tmp = { 0 };
  double *s = mw_arena_f64(&tmp, 4 * nc), *t = mw_arena_f64(&tmp, 4 * n), y[4] = { 0.0 }, w[4];
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < 4; i++) {
    rc = step_to(f, &f->a, x + at[i] * D, &f->c, err);
    y[i] = f->c.sigma;
    memcpy(s + i * nc, f->c.s, nc * sizeof *s);
    memcpy(t + i * n, f->c.t, n * sizeof *t);
  }
  *found = rc == MW_OK && y[1] * y[2] < 0.0 && fabs(y[3] - y[0]) > 1.5 * fabs(y[2] - y[1]);
  if (*found) {
    double root = cubic_root(y);
    rc = step_to(f, &f->a, x + root * D, &f->c, err);
    weights(root, w);
    if (rc == MW_OK) mw_gemm('n', 'n', 1, (int)nc, 4, 1.0, w, s, 0.0, f->c.s);
    if (rc == MW_OK) mw_gemm('n', 'n', 1, (int)n, 4, 1.0, w, t, 0.0, f->c.t);
  }
  mw_arena_free(&tmp);
  return rc;
}

// What is watched vanishes at f->c then; *found false: it does not.
static mw_code locate(follower *f, int c, double h, bool *found, mw_error *err)
{
  static const double BESIDE = 1e-3;
  double x;
  mw_code rc = bracket(f, c, h, c < 0 ? BESIDE : 4.0 * DBL_EPSILON, &x, err);
  *found = true;
  return rc == MW_OK && c < 0 ? interpolate(f, x, found, err) : rc;
}

static void put_rates(const follower *f, const double *t, double *to)
{
  int nc = f->l.n.n_coord;
  double top = 0.0;
  mw_gemm('n', 't', 1, nc, f->l.n.n_u, 1.0, t, f->l.Js, 0.0, to);
  for (int c = 0; c < nc; c++) top = fabs(to[c]) > fabs(top) ? to[c] : top;
  for (int c = 0; c < nc && top != 0.0; c++) to[c] /= top;
}

// (4) at f->c, where the linkage is; of more than two freedoms tangents are not enumerated
static mw_code cross(follower *f, mw_singular *o, mw_error *err)
{
  mw_linkage *l = &f->l;
  size_t n = (size_t)l->n.n_u, rows = (size_t)l->n.n_row, k = (size_t)f->rank - 1;
  int n_left = (int)(rows - k);
  mw_arena tmp = { 0 };
  if (o->freedoms > 2) return MW_OK;
  double *Q = mw_arena_f64(&tmp, 4 * (size_t)n_left), *t = mw_arena_f64(&tmp, n), z[4];
  mw_code rc = mw_arena_check(&tmp, err);
  const double *N = f->Vt + k * n, *best = Q;
  if (rc == MW_OK) rc = mw_linkage_forms(l, 2, N, n_left, f->Ut + k * rows, Q, err);
  for (int i = 1; rc == MW_OK && i < n_left; i++) {
    const double *x = Q + 4 * i;
    if (fabs(x[0]) + fabs(x[1]) + fabs(x[3]) > fabs(best[0]) + fabs(best[1]) + fabs(best[3]))
      best = x;
  }
  if (rc == MW_OK && mw_form_roots(best, SINGULAR, z) == 2)
    for (; o->n_tangent < 2; o->n_tangent++) {
      mw_gemm('n', 'n', 1, (int)n, 2, 1.0, z + 2 * o->n_tangent, N, 0.0, t);
      put_rates(f, t, o->tangent + o->n_tangent * l->n.n_coord);
    }
  mw_arena_free(&tmp);
  return rc;
}

// Rank of J with the rate of coordinate c as a row, and a column x [n_row + 1] (NULL: none).
static mw_code rank_with(const follower *f, int c, const double *x, int *rank, mw_error *err)
{
  const mw_linkage *l = &f->l;
  size_t n = (size_t)l->n.n_u, rows = (size_t)l->n.n_row + 1, cols = n + (x != NULL);
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, rows * cols), *sv = mw_arena_f64(&tmp, cols + rows);
  const double *Js = l->Js + (size_t)c * n;
  double norm = sqrt(mw_dot((int)n, Js, Js));
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < rows; i++) {
    for (size_t k = 0; k < n; k++) A[i * cols + k] = i + 1 < rows ? l->J[i * n + k] : Js[k] / norm;
    if (x) A[i * cols + n] = x[i];
  }
  if (rc == MW_OK) rc = mw_svd((int)rows, (int)cols, A, sv, NULL, NULL, err);
  *rank = 0;
  for (size_t i = 0; rc == MW_OK && i < rows && i < cols; i++) *rank += sv[i] > SINGULAR * sv[0];
  mw_arena_free(&tmp);
  return rc;
}

// Ranks of Φ_q, [Φ_q ν], [Φ_q γ] at f->c for the driving coordinate c, γ at rate 1 of the motion.
static mw_code ranks(follower *f, int c, int rank[3], mw_error *err)
{
  mw_linkage *l = &f->l;
  size_t rows = (size_t)l->n.n_row;
  mw_arena tmp = { 0 };
  double *x = mw_arena_f64(&tmp, rows + 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) x[rows] = 1.0;
  if (rc == MW_OK) rc = rank_with(f, c, NULL, &rank[0], err);
  if (rc == MW_OK) rc = rank_with(f, c, x, &rank[1], err);
  mw_linkage_eval(l, f->c.t);
  for (size_t i = 0; rc == MW_OK && i < rows; i++) x[i] = l->gamma[i];
  if (rc == MW_OK) x[rows] = -l->bias[c];
  if (rc == MW_OK) rc = rank_with(f, c, x, &rank[2], err);
  mw_arena_free(&tmp);
  return rc;
}

// Are x, y [n] the same direction, up to the sign?
static bool same_direction(int n, const double *x, const double *y)
{
  static const double SAME = 0.7;  // cosine; directions that have been exchanged have one of 0
  return fabs(mw_dot(n, x, y)) > SAME * sqrt(mw_dot(n, x, x) * mw_dot(n, y, y));
}

static mw_code note_singular(follower *f, int c, double h, mw_error *err)
{
  mw_linkage *l = &f->l;
  if (f->n_singular == MOST_SINGULAR)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the motion has more than %d singular positions; expected a shorter range",
                   (int)MOST_SINGULAR);
  bool found;
  mw_error open = { 0 };  // between two motions joints do not close
  mw_code rc = locate(f, c, h, &found, c < 0 ? &open : err);
  int freedoms = l->n.n_u - mw_linkage_rank(l, f->sv, SINGULAR);
  f->crossed = c < 0 && !(rc == MW_OK && found && freedoms > 1) &&
               same_direction(l->n.n_u, f->a.v, f->b.v) &&
               same_direction(l->n.n_row, f->a.u, f->b.u);
  if (f->crossed) return MW_OK;
  if (c < 0 && rc != MW_OK) *err = open;
  if (rc != MW_OK || !found) return rc;
  mw_singular o = { .kind = c < 0 ? MW_SINGULAR_BIFURCATION : MW_SINGULAR_LOCK,
                    .coord = c < 0 ? f->opt.coord : c,
                    .arc = f->c.arc,
                    .freedoms = freedoms,
                    .residual = fabs(watched(&f->c, c)) };
  o.s = mw_arena_f64(f->out, (size_t)l->n.n_coord);
  o.tangent = mw_arena_f64(f->out, 2 * (size_t)l->n.n_coord);
  if (rc == MW_OK) rc = mw_arena_check(f->out, err);
  if (rc != MW_OK) return rc;
  memcpy(o.s, f->c.s, (size_t)l->n.n_coord * sizeof *o.s);
  rc = ranks(f, o.coord, o.rank, err);
  if (rc == MW_OK && c < 0) rc = cross(f, &o, err);
  if (rc == MW_OK) f->singular[f->n_singular++] = o;
  return rc;
}

// Singular positions between a and b, h apart.
static mw_code search(follower *f, double h, mw_error *err)
{
  mw_code rc = MW_OK;
  f->crossed = false;
  for (int c = -1; rc == MW_OK && !f->crossed && c < f->l.n.n_coord; c++) {
    double a = watched(&f->a, c), b = watched(&f->b, c);
    bool moves = c < 0 || fabs(a) > STILL || fabs(b) > STILL;
    // a root at b is found from there on
    if (moves && a != 0.0 && (a > 0.0) != (b > 0.0)) rc = note_singular(f, c, h, err);
  }
  return rc;
}

// ---- the motion ---------------------------------------------------------------------------------

static void keep(follower *f, const place *p)
{
  size_t nc = (size_t)f->l.n.n_coord, i = (size_t)f->n++;
  f->arc[i] = p->arc;
  f->sigma[i] = p->sigma;
  memcpy(f->s + i * nc, p->s, nc * sizeof(double));
}

// Back at the start?
static bool closes(const follower *f, const place *p, double h)
{
  const mw_linkage *l = &f->l;
  double far = 0.0;
  if (fabs(p->arc) < 4.0 * f->opt.step) return false;
  for (int i = 0; i < l->n.n_q; i++) {
    double d = (p->q[i] - f->first.q[i]) / (i % 12 < 3 ? l->size : 1.0);
    far = fmax(far, fabs(d));
  }
  return far < h && mw_dot(l->n.n_u, p->t, f->first.t) > 0.9;
}

static mw_code no_way(const follower *f, const mw_error *why, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the motion cannot be followed beyond %s = %.9g: %.120s",
                 mw_mech_coord_name(f->m, f->opt.coord), f->a.s[f->opt.coord],
                 why->msg[0] ? why->msg : "its tangent turns too fast");
}

// From a to b, singular positions between them noted; *h: how far.
static mw_code advance(follower *f, double *h, mw_error *err)
{
  mw_error why = { 0 };
  mw_code rc = MW_OK;
  for (*h = f->opt.step; *h > LEAST * f->opt.step; *h *= 0.5) {
    rc = step_to(f, &f->a, *h, &f->b, &why);
    if (rc != MW_OK || !continues(f, &f->a, &f->b)) continue;
    rc = search(f, *h, err);
    if (rc != MW_OK || !f->crossed) return rc;
  }
  return no_way(f, &why, err);
}

// One way from the start; *closed: it came back.
static mw_code follow_side(follower *f, int direction, bool *closed, mw_error *err)
{
  int nc = f->l.n.n_coord, at = f->opt.coord;
  mw_code rc = MW_OK;
  f->direction = direction;
  place_copy(f, &f->first, &f->a);
  mw_rigid_accept_coords(f->l.r, f->l.w, f->a.s);
  for (int i = 0; direction < 0 && i < f->l.n.n_u; i++) f->a.t[i] = -f->a.t[i];
  for (int c = 0; direction < 0 && c < nc; c++) f->a.rate[c] = -f->a.rate[c];
  for (int i = 0; rc == MW_OK && i < MOST; i++) {
    double h;
    rc = advance(f, &h, err);
    if (rc != MW_OK) return rc;
    *closed = closes(f, &f->b, h);
    bool outside = f->b.s[at] > f->opt.hi || f->b.s[at] < f->opt.lo;
    if (outside || *closed) return rc;
    mw_linkage_put(&f->l, f->b.q);
    keep(f, &f->b);
    place_copy(f, &f->b, &f->a);
  }
  return rc != MW_OK
             ? rc
             : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                       "the motion neither closes nor leaves its range in %d steps", (int)MOST);
}

static mw_code one_freedom(const follower *f, int k, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "along %s: found %d freedoms there, expected one%s",
                 mw_mech_coord_name(f->m, f->opt.coord), k,
                 k > 1 ? " (hold others, or start beside a singular position)" : "");
}

// From a dead point of the coordinate: a step along the motion, where it moves.
static mw_code leave_dead_point(follower *f, mw_error *err)
{
  int at = f->opt.coord;
  f->direction = 1;
  place_copy(f, &f->first, &f->a);
  mw_rigid_accept_coords(f->l.r, f->l.w, f->a.s);
  mw_code rc = step_to(f, &f->a, f->opt.step, &f->b, err);
  if (rc == MW_OK && fabs(f->b.rate[at]) <= STILL)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "along %s: it does not move with the mechanism",
                 mw_mech_coord_name(f->m, at));
  if (rc != MW_OK) return rc;
  place_copy(f, &f->b, &f->first);
  f->first.arc = 0.0;
  mw_linkage_put(&f->l, f->first.q);
  mw_rigid_accept_coords(f->l.r, f->l.w, f->first.s);
  return MW_OK;
}

static mw_code start(follower *f, mw_error *err)
{
  mw_linkage *l = &f->l;
  size_t n = (size_t)l->n.n_u, rows = (size_t)l->n.n_row, most = 2 * MOST + 1;
  place *p[] = { &f->a, &f->b, &f->c, &f->first };
  for (int i = 0; i < 4; i++) place_init(f, p[i]);
  f->sv = mw_arena_f64(&f->mem, n);
  f->y = mw_arena_f64(&f->mem, n);
  f->Vt = mw_arena_f64(&f->mem, n * n);
  f->Ut = mw_arena_f64(&f->mem, rows * rows);
  f->arc = mw_arena_f64(&f->mem, most);
  f->sigma = mw_arena_f64(&f->mem, most);
  f->s = mw_arena_f64(&f->mem, most * (size_t)l->n.n_coord);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(f->first.q, l->q, (size_t)l->n.n_q * sizeof(double));
  rc = look(f, NULL, &f->first, err);
  f->rank = mw_linkage_rank(l, f->sv, RANK);
  if (rc == MW_OK && f->rank != l->n.n_u - 1) rc = one_freedom(f, l->n.n_u - f->rank, err);
  if (rc == MW_OK && fabs(f->first.rate[f->opt.coord]) <= STILL) rc = leave_dead_point(f, err);
  if (rc == MW_OK && f->first.rate[f->opt.coord] < 0.0) {  // forwards is where it grows
    for (size_t i = 0; i < n; i++) f->first.t[i] = -f->first.t[i];
    for (int c = 0; c < l->n.n_coord; c++) f->first.rate[c] = -f->first.rate[c];
  }
  return rc;
}

// Positions in the order of the motion: those behind the start were found backwards.
static mw_code hand_over(follower *f, mw_motion *o, mw_error *err)
{
  size_t nc = (size_t)f->l.n.n_coord, n = (size_t)f->n;
  int back = f->n_back;
  o->arc = mw_arena_f64(f->out, n);
  o->sigma = mw_arena_f64(f->out, n);
  o->s = mw_arena_f64(f->out, n * nc);
  o->singular = mw_arena_alloc(f->out, (size_t)f->n_singular, sizeof *o->singular);
  mw_code rc = mw_arena_check(f->out, err);
  for (int i = 0; rc == MW_OK && i < f->n; i++) {
    size_t from = (size_t)(i < back ? f->n - 1 - i : i - back), to = (size_t)i;
    o->arc[to] = f->arc[from];
    o->sigma[to] = f->sigma[from];
    memcpy(o->s + to * nc, f->s + from * nc, nc * sizeof(double));
  }
  o->n = f->n;
  o->start = back;
  for (int i = 0; rc == MW_OK && i < f->n_singular; i++) {
    int at = o->n_singular++;
    for (; at > 0 && o->singular[at - 1].arc > f->singular[i].arc; at--)
      o->singular[at] = o->singular[at - 1];
    o->singular[at] = f->singular[i];
  }
  return rc;
}

// Between which values around the start the coordinate can drive. A closed motion meets those
// before its start at its end, full turns of the coordinate away.
static void usable(const follower *f, mw_motion *o)
{
  int at = f->opt.coord, nc = f->l.n.n_coord;
  const double *s = o->s + at;
  double turns = o->closed ? s[(o->n - 1) * nc] - s[o->start * nc] : 0.0;
  bool length = strcmp(mw_joint_unit(f->m->joint[f->m->coord_joint[at]].in), "m") == 0;
  turns = length ? 0.0 : TURN * nearbyint(turns / TURN);
  o->lo = f->opt.lo;  // an open motion ends where it leaves the range
  o->hi = f->opt.hi;
  for (int i = 0; o->closed && i < o->n; i++) {
    o->lo = fmin(i > 0 ? o->lo : s[0], s[i * nc]);
    o->hi = fmax(i > 0 ? o->hi : s[0], s[i * nc]);
  }
  for (int i = 0; i < o->n_singular; i++) {
    const mw_singular *x = &o->singular[i];
    if (x->coord != at) continue;
    if (x->arc < 0.0 || o->closed) o->lo = x->s[at] - turns, o->lo_dead = true;
    if (x->arc < 0.0 || o->hi_dead) continue;
    o->hi = x->s[at];
    o->hi_dead = true;
  }
}

mw_code mw_motion_follow(const mw_mech *m, const mw_position *at, const unsigned char *held,
                         const mw_motion_opt *opt, mw_arena *mem, mw_motion *out, mw_error *err)
{
  mw_motion o = { 0 };
  mw_arena own = { 0 };
  follower *f = mw_arena_alloc(&own, 1, sizeof *f);
  mw_code rc = mw_arena_check(&own, err);
  if (rc != MW_OK) return rc;
  *f = (follower){ .opt = *opt, .m = m, .out = mem };
  if (f->opt.step <= 0.0) f->opt.step = 0.02;
  rc = mw_linkage_open(m, held, true, at->p, at->s, &f->l, err);
  if (rc == MW_OK) rc = start(f, err);
  if (rc == MW_OK) {
    keep(f, &f->first);
    rc = follow_side(f, 1, &o.closed, err);
  }
  int forth = f->n;
  bool back = false;
  if (rc == MW_OK && !o.closed) rc = follow_side(f, -1, &back, err);
  f->n_back = f->n - forth;
  if (rc == MW_OK) rc = hand_over(f, &o, err);
  if (rc == MW_OK) usable(f, &o);
  mw_linkage_close(&f->l);
  mw_arena_free(&f->mem);
  mw_arena_free(&own);
  if (rc == MW_OK) *out = o;
  return rc;
}
