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
#include <string.h>

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

// piecewise linear, constant outside; at a corner the slope to its right
static void table(const mw_signal *g, double t, double y[3])
{
  int n = g->n, i = 0;
  if (n == 0) return;
  if (t < g->t[0] || t >= g->t[n - 1]) {
    y[0] = t < g->t[0] ? g->y[0] : g->y[n - 1];
    return;
  }
  int last = n - 1;
  while (last - i > 1) {
    int mid = (i + last) / 2;
    if (t >= g->t[mid])
      i = mid;
    else
      last = mid;
  }
  y[1] = (g->y[i + 1] - g->y[i]) / (g->t[i + 1] - g->t[i]);
  y[0] = g->y[i] + y[1] * (t - g->t[i]);
}

void mw_signal_eval(const mw_signal *g, double t, double *y, double *dy, double *ddy)
{
  double r[3] = { 0.0, 0.0, 0.0 }, tau = t - g->t0, w = 2.0 * PI * g->f;
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
  }
  *y = r[0];
  if (dy) *dy = r[1];
  if (ddy) *ddy = r[2];
}

// ---- kinks --------------------------------------------------------------------------------------

// Its kinks where they are stored; their number.
static int kinks_of(const mw_signal *g, const double pair[2], const double **from)
{
  *from = pair;
  switch (g->kind) {
  case MW_SIGNAL_CONSTANT:
  case MW_SIGNAL_RAMP: return 0;
  case MW_SIGNAL_STEP:
  case MW_SIGNAL_MOVE: return 1;
  case MW_SIGNAL_SINE:
  case MW_SIGNAL_CHIRP:
  case MW_SIGNAL_CYCLOID:
  case MW_SIGNAL_SPIN_UP: return 2;
  case MW_SIGNAL_TABLE: break;
  }
  *from = g->t;
  return g->n;
}

int mw_signal_kinks(const mw_signal *g, double *t)
{
  const double pair[2] = { g->t0, g->t1 }, *from;
  int n = kinks_of(g, pair, &from);
  for (int i = 0; t && i < n; i++) t[i] = from[i];
  return n;
}

double mw_signal_frequency(const mw_signal *g, double t)
{
  bool now = t >= g->t0 && t < g->t1;
  if (now && g->kind == MW_SIGNAL_SINE) return g->f;
  if (now && g->kind == MW_SIGNAL_CHIRP)
    return g->f + (g->f1 - g->f) * (t - g->t0) / (g->t1 - g->t0);
  return 0.0;
}

double mw_signal_next_kink(const mw_signal *g, double t)
{
  const double pair[2] = { g->t0, g->t1 }, *from;
  int n = kinks_of(g, pair, &from), first = 0;
  // the first of from[first .. n) after t
  while (first < n) {
    int mid = (first + n) / 2;
    if (from[mid] > t)
      n = mid;
    else
      first = mid + 1;
  }
  return first < kinks_of(g, pair, &from) ? from[first] : (double)INFINITY;
}

double mw_signal_before(double t)
{
  enum { ROUNDINGS = 8 };
  return t - ROUNDINGS * DBL_EPSILON * fabs(t);
}
