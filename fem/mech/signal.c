// SPDX-License-Identifier: BSD-3-Clause
// signal.c: value, rate and second derivative of the signals of a scenario, all analytic.
//
// MOVE, the time-optimal rest-to-rest profile of seven phases for distance L under limits v, acc,
// jerk. With T_j the duration of a jerk phase and T_a that of the whole acceleration, its peak
// velocity is v_p = jerk T_j (T_a − T_j):
//   limit of velocity reached   L ≥ v T_a   T_j = acc/jerk , T_a = T_j + v/acc   if v jerk ≥ acc²
//                                                            T_j = √(v/jerk) , T_a = 2 T_j     else
//   no cruise, limit of acc reached L ≥ 2 acc³/jerk²         v_p (T_j + v_p/acc) = L , T_j =
//                                                            acc/jerk
//   neither                                                  T_a = 2 T_j , 2 jerk T_j³ = L
// The second half mirrors the first: y(τ) = L − y(T − τ).
#include <float.h>
#include <math.h>

#include "base/cubic.h"
#include "fem/control.h"

static const double PI = 3.14159265358979323846;

typedef struct profile {
  double jerk, T_j, T_a, T_v;  // m/s³; s: a jerk phase, the acceleration, the cruise
} profile;

static profile plan(double L, double v, double acc, double jerk)
{
  profile p = { .jerk = jerk };
  bool flat = v * jerk >= acc * acc;
  p.T_j = flat ? acc / jerk : sqrt(v / jerk);
  p.T_a = flat ? p.T_j + v / acc : 2.0 * p.T_j;
  if (L >= v * p.T_a) {
    p.T_v = L / v - p.T_a;
    return p;
  }
  p.T_j = acc / jerk;
  if (L >= 2.0 * acc * p.T_j * p.T_j) {
    double a_T = acc * p.T_j, v_p = 0.5 * (sqrt(a_T * a_T + 4.0 * acc * L) - a_T);
    p.T_a = p.T_j + v_p / acc;
  } else {
    p.T_j = cbrt(L / (2.0 * jerk));
    p.T_a = 2.0 * p.T_j;
  }
  return p;
}

// first half: acceleration phase and the first half of the cruise
static void rise(const profile *p, double tau, double y[3])
{
  double a_p = p->jerk * p->T_j, v_p = a_p * (p->T_a - p->T_j);
  if (tau <= p->T_j) {
    y[0] = p->jerk * tau * tau * tau / 6.0;
    y[1] = 0.5 * p->jerk * tau * tau;
    y[2] = p->jerk * tau;
  } else if (tau <= p->T_a - p->T_j) {
    double x = tau - p->T_j;
    y[0] = a_p * (p->T_j * p->T_j / 6.0 + 0.5 * p->T_j * x + 0.5 * x * x);
    y[1] = a_p * (0.5 * p->T_j + x);
    y[2] = a_p;
  } else if (tau <= p->T_a) {
    double r = p->T_a - tau;
    y[0] = v_p * (0.5 * p->T_a - r) + p->jerk * r * r * r / 6.0;
    y[1] = v_p - 0.5 * p->jerk * r * r;
    y[2] = p->jerk * r;
  } else {
    y[0] = v_p * (tau - 0.5 * p->T_a);
    y[1] = v_p;
    y[2] = 0.0;
  }
}

static void move(const mw_signal *g, double t, double y[3])
{
  double L = fabs(g->b - g->a), sign = g->b < g->a ? -1.0 : 1.0, r[3] = { 0.0, 0.0, 0.0 };
  profile p = plan(L, g->v, g->acc, g->jerk);
  double T = 2.0 * p.T_a + p.T_v, tau = t - g->t0;
  if (tau >= T) {
    r[0] = L;
  } else if (tau > 0.5 * T) {
    rise(&p, T - tau, r);
    r[0] = L - r[0];
    r[2] = -r[2];
  } else if (tau > 0.0) {
    rise(&p, tau, r);
  }
  // the end point is met exactly
  y[0] = tau >= T ? g->b : g->a + sign * r[0];
  y[1] = sign * r[1];
  y[2] = sign * r[2];
}

// a sin(phase), phase' = w, phase'' = dw
static void sine(double a, double phase, double w, double dw, double y[3])
{
  double s = sin(phase), c = cos(phase);
  y[0] = a * s;
  y[1] = a * c * w;
  y[2] = a * (c * dw - s * w * w);
}

static void cycloid(const mw_signal *g, double t, double y[3])
{
  double T = g->t1 - g->t0, x = (t - g->t0) / T, w = 2.0 * PI;
  if (x <= 0.0 || x >= 1.0) {
    y[0] = x <= 0.0 ? g->a : g->a + g->b;
    return;
  }
  y[0] = g->a + g->b * (x - sin(w * x) / w);
  y[1] = g->b * (1.0 - cos(w * x)) / T;
  y[2] = g->b * w * sin(w * x) / (T * T);
}

// rate from 0 to v along a cycloid, then constant
static void spin_up(const mw_signal *g, double t, double y[3])
{
  double T = g->t1 - g->t0, x = t - g->t0, w = 2.0 * PI / T;
  y[0] = g->a;
  if (x <= 0.0) return;
  if (x >= T) {
    y[0] += g->v * (x - 0.5 * T);
    y[1] = g->v;
    return;
  }
  y[0] += g->v / T * (0.5 * x * x + (cos(w * x) - 1.0) / (w * w));
  y[1] = g->v / T * (x - sin(w * x) / w);
  y[2] = g->v / T * (1.0 - cos(w * x));
}

// The i with t_i <= t < t_{i+1}, for t within the points.
static int interval(const mw_signal *g, double t)
{
  int i = 0, last = g->n - 1;
  while (last - i > 1) {
    int mid = (i + last) / 2;
    if (t >= g->t[mid])
      i = mid;
    else
      last = mid;
  }
  return i;
}

// piecewise linear, constant outside; at a corner the slope to its right
static void table(const mw_signal *g, double t, double y[3])
{
  int n = g->n, i = 0;
  if (n == 0) return;
  if (t < g->t[0] || t >= g->t[n - 1]) {
    y[0] = t < g->t[0] ? g->y[0] : g->y[n - 1];
    return;
  }
  i = interval(g, t);
  y[1] = (g->y[i + 1] - g->y[i]) / (g->t[i + 1] - g->t[i]);
  y[0] = g->y[i] + y[1] * (t - g->t[i]);
}

static void spline(const mw_signal *g, double t, double y[3])
{
  int last = g->n - 1;
  if (t < g->t[0] || t >= g->t[last])
    y[0] = t < g->t[0] ? g->y[0] : g->y[last];
  else
    mw_cubic_at(g->t, g->y, g->bend, interval(g, t), t, y);
}

mw_code mw_signal_spline(int n, const double *t, const double *y, bool rest, mw_arena *mem,
                         mw_signal *out, mw_error *err)
{
  double *bend = mw_arena_f64(mem, (size_t)n), *work = mw_arena_f64(mem, (size_t)n);
  if (!bend || !work) return mw_arena_check(mem, err);
  mw_cubic_bend(n, t, y, rest, bend, work);
  out->kind = MW_SIGNAL_SPLINE;
  out->n = n;
  out->t = t;
  out->y = y;
  out->bend = bend;
  out->t0 = t[0];
  out->t1 = t[n - 1];
  return MW_OK;
}

static void eval(const mw_signal *g, double t, double r[3]);

static void sum(const mw_signal *g, double t, double y[3])
{
  for (int k = 0; k < g->n; k++) {
    double u[3];
    eval(&g->part[k], t, u);
    for (int i = 0; i < 3; i++) y[i] += u[i];
  }
}

// (uv)'' = u''v + 2u'v' + uv''
static void product(const mw_signal *g, double t, double y[3])
{
  y[0] = 1.0;
  for (int k = 0; k < g->n; k++) {
    double u[3];
    eval(&g->part[k], t, u);
    y[2] = y[2] * u[0] + 2.0 * y[1] * u[1] + y[0] * u[2];
    y[1] = y[1] * u[0] + y[0] * u[1];
    y[0] *= u[0];
  }
}

static void eval(const mw_signal *g, double t, double r[3])
{
  double tau = t - g->t0, w = 2.0 * PI * g->f;
  r[0] = r[1] = r[2] = 0.0;
  switch (g->kind) {
  case MW_SIGNAL_CONSTANT: r[0] = g->a; break;
  case MW_SIGNAL_STEP: r[0] = t >= g->t0 ? g->a : 0.0; break;
  case MW_SIGNAL_SINE:
    if (t >= g->t0 && t < g->t1) sine(g->a, w * tau + g->phase, w, 0.0, r);
    break;
  case MW_SIGNAL_CHIRP:
    if (t >= g->t0 && t < g->t1) {
      double dw = 2.0 * PI * (g->f1 - g->f) / (g->t1 - g->t0);
      sine(g->a, (w + 0.5 * dw * tau) * tau, w + dw * tau, dw, r);
    }
    break;
  case MW_SIGNAL_TABLE: table(g, t, r); break;
  case MW_SIGNAL_RAMP:
    r[0] = g->a + g->v * t;
    r[1] = g->v;
    break;
  case MW_SIGNAL_CYCLOID: cycloid(g, t, r); break;
  case MW_SIGNAL_SPIN_UP: spin_up(g, t, r); break;
  case MW_SIGNAL_MOVE: move(g, t, r); break;
  case MW_SIGNAL_SPLINE: spline(g, t, r); break;
  case MW_SIGNAL_EXPRESSION: mw_expr_eval(&g->expr, t, r); break;
  case MW_SIGNAL_SUM: sum(g, t, r); break;
  case MW_SIGNAL_PRODUCT: product(g, t, r); break;
  }
}

void mw_signal_eval(const mw_signal *g, double t, double *y, double *dy, double *ddy)
{
  double r[3];
  eval(g, t, r);
  *y = r[0];
  if (dy) *dy = r[1];
  if (ddy) *ddy = r[2];
}

// ---- kinks --------------------------------------------------------------------------------------

// Kinks of its own where they are stored, not those of its parts; their number.
static int kinks_of(const mw_signal *g, const double pair[2], const double **from)
{
  *from = pair;
  switch (g->kind) {
  case MW_SIGNAL_CONSTANT:
  case MW_SIGNAL_RAMP:
  case MW_SIGNAL_EXPRESSION:
  case MW_SIGNAL_SUM:
  case MW_SIGNAL_PRODUCT: return 0;
  case MW_SIGNAL_STEP:
  case MW_SIGNAL_MOVE: return 1;
  case MW_SIGNAL_SINE:
  case MW_SIGNAL_CHIRP:
  case MW_SIGNAL_CYCLOID:
  case MW_SIGNAL_SPLINE:
  case MW_SIGNAL_SPIN_UP: return 2;
  case MW_SIGNAL_TABLE: break;
  }
  *from = g->t;
  return g->n;
}

static int parts(const mw_signal *g)
{
  return g->kind == MW_SIGNAL_SUM || g->kind == MW_SIGNAL_PRODUCT ? g->n : 0;
}

// Puts t[i .. n) among t[0 .. i), both ascending.
static void merge(double *t, int i, int n)
{
  for (; i < n; i++) {
    double x = t[i];
    int k = i;
    for (; k > 0 && t[k - 1] > x; k--) t[k] = t[k - 1];
    t[k] = x;
  }
}

int mw_signal_kinks(const mw_signal *g, double *t)
{
  const double pair[2] = { g->t0, g->t1 }, *from;
  int n = kinks_of(g, pair, &from);
  for (int i = 0; t && i < n; i++) t[i] = from[i];
  for (int k = 0; k < parts(g); k++) {
    int more = mw_signal_kinks(&g->part[k], t ? t + n : NULL);
    if (t) merge(t, n, n + more);
    n += more;
  }
  return n;
}

// A product of sines swings at the sum of their frequencies, too.
double mw_signal_frequency(const mw_signal *g, double t)
{
  bool now = t >= g->t0 && t < g->t1;
  double all = 0.0;
  if (now && g->kind == MW_SIGNAL_SINE) return g->f;
  if (now && g->kind == MW_SIGNAL_CHIRP)
    return g->f + (g->f1 - g->f) * (t - g->t0) / (g->t1 - g->t0);
  for (int k = 0; k < parts(g); k++) {
    double f = mw_signal_frequency(&g->part[k], t);
    all = g->kind == MW_SIGNAL_SUM ? fmax(all, f) : all + f;
  }
  return all;
}

double mw_signal_next_kink(const mw_signal *g, double t)
{
  const double pair[2] = { g->t0, g->t1 }, *from;
  int all = kinks_of(g, pair, &from), first = 0, n = all;
  // the first of from[first .. n) after t
  while (first < n) {
    int mid = (first + n) / 2;
    if (from[mid] > t)
      n = mid;
    else
      first = mid + 1;
  }
  double next = first < all ? from[first] : (double)INFINITY;
  for (int k = 0; k < parts(g); k++) next = fmin(next, mw_signal_next_kink(&g->part[k], t));
  return next;
}

double mw_signal_before(double t)
{
  enum { ROUNDINGS = 8 };
  return t - ROUNDINGS * DBL_EPSILON * fabs(t);
}

double mw_signal_near(double h)
{
  static const double NEAR = 1e-9;  // of a step
  return NEAR * h;
}

double mw_signal_left(const mw_signal *g, double t, double h, double *slope)
{
  double near = mw_signal_near(h), y, k = mw_signal_next_kink(g, t - near);
  mw_signal_eval(g, k <= t + near && t > 0.0 ? mw_signal_before(k < t ? k : t) : t, &y, slope,
                 NULL);
  return y;
}
