// SPDX-License-Identifier: BSD-3-Clause
// lobes_floquet.c: Floquet multipliers of milling, (2) of lobes.h.
//
// A period of teeth is divided where a tooth enters or leaves: parts in which the same teeth cut,
// or none. x = (z, z') runs through a part that cuts in equal intervals h, the force linear in
// each,
//   x_{i+1} = E x_i + G0 F_i + G1 F_{i+1} ,  F_i = −b W_i (C x_i − Y_i)                         (1)
// with Y_i the place of the ends a period ago, and through the others by E of their length. E, G0,
// G1 are exact; F is of second order in h, so that depths by h and h/2 give one of fourth order.
// The map of (x, Y) over a period is taken column by column, its eigenvalues by LAPACK.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "sim/lobes.h"

enum { MOST_PART = 2, FIRST = 20, MOST_INTERVALS = 320 };
static const double PI = 3.14159265358979323846;

typedef struct part {
  double from, angle;  // rad: where it begins, how far it goes
  bool cuts;
  double *E, *G0, *G1;  // [nx × nx], [nx × 2] twice; of an interval, or of all of it
  double *W;            // [(intervals + 1) × 4]  N/m²
  int node;             // its first one
} part;

typedef struct floquet {
  const mw_cutting *cut;
  const mw_lobes_system *s;
  int nx, n, intervals;  // states, unknowns (x, Y)
  int n_part;
  part p[MOST_PART];
  double *M, *exp;      // [(nx + 4)²]  scratch of exponentials
  double *x, *next;     // [nx]
  double *U, *re, *im;  // [n × n], [n]
  mw_arena mem;
} floquet;

// W of the teeth that cut in the middle of a part, when the first one stands at phi.
static void force_at(const mw_cutting *c, double phi, double middle, double W[4])
{
  double pitch = 2.0 * PI / c->teeth;
  memset(W, 0, 4 * sizeof *W);
  for (int j = 0; j < c->teeth; j++) {
    double own = fmod(middle + j * pitch, 2.0 * PI), at = own + phi - middle;
    if (own < c->entry || own > c->exit) continue;
    double s = sin(at), k = cos(at), along[2] = { k + c->radial * s, -s + c->radial * k };
    for (int i = 0; i < 2; i++) {
      W[2 * i] += c->force * along[i] * s;
      W[2 * i + 1] += c->force * along[i] * k;
    }
  }
}

static void add_part(floquet *q, double from, double to)
{
  static const double NOTHING = 1e-12;  // rad
  double W[4], middle = 0.5 * (from + to);
  if (to - from < NOTHING) return;
  part *p = &q->p[q->n_part++];
  *p = (part){ .from = from, .angle = to - from };
  force_at(q->cut, middle, middle, W);
  for (int k = 0; k < 4; k++) p->cuts = p->cuts || W[k] != 0.0;
}

// exp(t [A B 0; 0 0 1; 0 0 0]): E, G0, G1 over a time t.
static mw_code exponentials(floquet *q, double t, part *p, mw_error *err)
{
  const mw_lobes_system *s = q->s;
  int n = s->n, nx = q->nx, all = nx + 4;
  memset(q->M, 0, (size_t)(all * all) * sizeof *q->M);
  for (int i = 0; i < n; i++) {
    double *row = q->M + (n + i) * all;
    q->M[i * all + n + i] = t;
    for (int j = 0; j < n; j++) {
      row[j] = -t * s->K[i * n + j];
      row[n + j] = -t * s->D[i * n + j];
    }
    for (int j = 0; j < 2; j++) row[nx + j] = t * s->B[2 * i + j];
  }
  for (int j = 0; j < 2; j++) q->M[(nx + j) * all + nx + 2 + j] = 1.0;
  mw_code rc = mw_exp_any(all, q->M, q->exp, err);
  for (int i = 0; rc == MW_OK && i < nx; i++) {
    const double *row = q->exp + i * all;
    memcpy(p->E + i * nx, row, (size_t)nx * sizeof *row);
    for (int j = 0; j < 2; j++) {
      p->G1[2 * i + j] = row[nx + 2 + j];
      p->G0[2 * i + j] = row[nx + j] - row[nx + 2 + j];
    }
  }
  return rc;
}

static mw_code setup(floquet *q, double rpm, mw_error *err)
{
  const mw_cutting *c = q->cut;
  double pitch = 2.0 * PI / c->teeth, a = fmod(c->entry, pitch), b = fmod(c->exit, pitch),
         rate = rpm * 2.0 * PI / 60.0;
  int nx = q->nx = 2 * q->s->n, all = nx + 4;
  add_part(q, fmin(a, b), fmax(a, b));
  add_part(q, fmax(a, b), fmin(a, b) + pitch);
  q->M = mw_arena_f64(&q->mem, (size_t)(all * all));
  q->exp = mw_arena_f64(&q->mem, (size_t)(all * all));
  q->x = mw_arena_f64(&q->mem, (size_t)nx);
  q->next = mw_arena_f64(&q->mem, (size_t)nx);
  q->n = nx;
  mw_code rc = mw_arena_check(&q->mem, err);
  for (int k = 0; rc == MW_OK && k < q->n_part; k++) {
    part *p = &q->p[k];
    p->E = mw_arena_f64(&q->mem, (size_t)(nx * nx));
    p->G0 = mw_arena_f64(&q->mem, 2 * (size_t)nx);
    p->G1 = mw_arena_f64(&q->mem, 2 * (size_t)nx);
    p->W = mw_arena_f64(&q->mem, 4 * (size_t)(q->intervals + 1));
    rc = mw_arena_check(&q->mem, err);
    if (rc != MW_OK) return rc;
    p->node = (q->n - nx) / 2;
    for (int i = 0; p->cuts && i <= q->intervals; i++)
      force_at(c, p->from + p->angle * i / q->intervals, p->from + 0.5 * p->angle, p->W + 4 * i);
    if (p->cuts) q->n += 2 * (q->intervals + 1);
    rc = exponentials(q, p->angle / rate / (p->cuts ? q->intervals : 1), p, err);
  }
  q->U = mw_arena_f64(&q->mem, (size_t)(q->n * q->n));
  q->re = mw_arena_f64(&q->mem, (size_t)q->n);
  q->im = mw_arena_f64(&q->mem, (size_t)q->n);
  return rc == MW_OK ? mw_arena_check(&q->mem, err) : rc;
}

static void ends_at(const floquet *q, const double *x, double y[2])
{
  int n = q->s->n;
  for (int i = 0; i < 2; i++) {
    y[i] = 0.0;
    for (int j = 0; j < n; j++) y[i] += q->s->C[i * n + j] * x[j];
  }
}

// next = E x + G0 F
static void advance(const floquet *q, const part *p, const double F[2])
{
  int nx = q->nx;
  for (int i = 0; i < nx; i++) {
    double sum = p->G0[2 * i] * F[0] + p->G0[2 * i + 1] * F[1];
    for (int j = 0; j < nx; j++) sum += p->E[i * nx + j] * q->x[j];
    q->next[i] = sum;
  }
}

static void force(const double *W, double b, const double y[2], const double *Y, double F[2])
{
  for (int i = 0; i < 2; i++) F[i] = -b * (W[2 * i] * (y[0] - Y[0]) + W[2 * i + 1] * (y[1] - Y[1]));
}

// y with (1 + b C G1 W) y = C next + b C G1 W Y, the ends behind an interval.
static void ends_behind(const floquet *q, const part *p, const double *W, double b, const double *Y,
                        double y[2])
{
  int n = q->s->n;
  double S[4], rhs[2], at[2];
  ends_at(q, q->next, at);
  for (int i = 0; i < 2; i++) {
    double g[2] = { 0 };  // row i of C G1
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 2; k++) g[k] += q->s->C[i * n + j] * p->G1[2 * j + k];
    for (int k = 0; k < 2; k++) S[2 * i + k] = b * (g[0] * W[k] + g[1] * W[2 + k]);
    rhs[i] = at[i] + S[2 * i] * Y[0] + S[2 * i + 1] * Y[1];
  }
  double det = (1.0 + S[0]) * (1.0 + S[3]) - S[1] * S[2];
  y[0] = ((1.0 + S[3]) * rhs[0] - S[1] * rhs[1]) / det;
  y[1] = ((1.0 + S[0]) * rhs[1] - S[2] * rhs[0]) / det;
}

// A part that cuts: x through it, Y [2 × nodes] to new [2 × nodes].
static void cut_through(const floquet *q, const part *p, double b, const double *Y, double *new)
{
  double y[2], F[2];
  ends_at(q, q->x, y);
  memcpy(new, y, sizeof y);
  for (int i = 0; i < q->intervals; i++) {
    const double *W = p->W + 4 * i, *then = Y + 2 * (i + 1);
    force(W, b, y, Y + 2 * i, F);
    advance(q, p, F);
    ends_behind(q, p, W + 4, b, then, y);
    force(W + 4, b, y, then, F);
    for (int k = 0; k < q->nx; k++)
      q->x[k] = q->next[k] + p->G1[2 * k] * F[0] + p->G1[2 * k + 1] * F[1];
    memcpy(new + 2 * (i + 1), y, sizeof y);
  }
}

// One column of the map over a period: of unknown k.
static void column(const floquet *q, double b, int k, double *Y, double *out)
{
  static const double none[2] = { 0 };
  int nx = q->nx;
  memset(q->x, 0, (size_t)nx * sizeof *q->x);
  memset(Y, 0, (size_t)(q->n - nx) * sizeof *Y);
  if (k < nx)
    q->x[k] = 1.0;
  else
    Y[k - nx] = 1.0;
  for (int i = 0; i < q->n_part; i++) {
    const part *p = &q->p[i];
    if (p->cuts) {
      cut_through(q, p, b, Y + 2 * p->node, out + nx + 2 * p->node);
    } else {
      advance(q, p, none);
      memcpy(q->x, q->next, (size_t)nx * sizeof *q->x);
    }
  }
  memcpy(out, q->x, (size_t)nx * sizeof *out);
}

static mw_code radius(floquet *q, double b, double *out, mw_error *err)
{
  double *Y = q->re, *row = q->im;  // free until the eigenvalues are there
  for (int k = 0; k < q->n; k++) {
    column(q, b, k, Y, row);
    memcpy(q->U + (size_t)k * (size_t)q->n, row, (size_t)q->n * sizeof *row);
  }
  // rows in place of columns: the same eigenvalues
  mw_code rc = mw_eig_any(q->n, q->U, q->re, q->im, err);
  *out = 0.0;
  for (int k = 0; rc == MW_OK && k < q->n; k++) *out = fmax(*out, hypot(q->re[k], q->im[k]));
  return rc;
}

static mw_code open(floquet *q, const mw_cutting *cut, const mw_lobes_system *s, double rpm,
                    int intervals, mw_error *err)
{
  *q = (floquet){ .cut = cut, .s = s, .intervals = intervals };
  return setup(q, rpm, err);
}

mw_code mw_lobes_multiplier(const mw_cutting *cut, const mw_lobes_system *s, double rpm,
                            double depth, int intervals, double *out, mw_error *err)
{
  floquet q;
  mw_code rc = open(&q, cut, s, rpm, intervals, err);
  if (rc == MW_OK) rc = radius(&q, depth, out, err);
  mw_arena_free(&q.mem);
  return rc;
}

// The depth in (lo, hi] at which the radius is 1, unstable at hi.
static mw_code bisect(floquet *q, double lo, double hi, double tolerance, double *depth,
                      mw_error *err)
{
  mw_code rc = MW_OK;
  while (rc == MW_OK && hi - lo > tolerance * hi) {
    double b = 0.5 * (lo + hi), size = 0.0;
    rc = radius(q, b, &size, err);
    if (size > 1.0)
      hi = b;
    else
      lo = b;
  }
  *depth = 0.5 * (lo + hi);
  return rc;
}

// The smallest depth from lo to hi at which the radius is 1, by steps of a tenth; hi: it stays
// below. known: about there by fewer intervals, 0: not known.
static mw_code first_unstable(floquet *q, double lo, double hi, double known, double tolerance,
                              double *depth, mw_error *err)
{
  static const double STEP = 1.1, AROUND = 1.3;
  double b = fmax(lo, known / AROUND), below = lo, size = 0.0;
  mw_code rc = radius(q, b, &size, err);
  if (rc == MW_OK && size > 1.0 && b > lo) {  // known by too few intervals
    b = lo;
    rc = radius(q, b, &size, err);
  }
  while (rc == MW_OK && size <= 1.0 && b < hi) {
    below = b;
    b = fmin(b * STEP, hi);
    rc = radius(q, b, &size, err);
  }
  *depth = b;
  return rc == MW_OK && size > 1.0 && b > lo ? bisect(q, below, b, tolerance, depth, err) : rc;
}

mw_code mw_lobes_floquet(const mw_cutting *cut, const mw_lobes_system *s, double rpm, double lo,
                         double hi, double tolerance, double *depth, mw_error *err)
{
  double last = 0.0, before = 0.0;  // with half as many intervals: as found, extrapolated
  *depth = hi;
  for (int intervals = FIRST; intervals <= MOST_INTERVALS; intervals *= 2) {
    floquet q;
    double found = 0.0;
    mw_code rc = open(&q, cut, s, rpm, intervals, err);
    if (rc == MW_OK) rc = first_unstable(&q, lo, hi, last, 0.05 * tolerance, &found, err);
    mw_arena_free(&q.mem);
    if (rc != MW_OK) return rc;
    // second order: a third of the difference is left
    *depth = fmin(fmax(found + (found - last) / 3.0, lo), hi);
    if (intervals > FIRST && fabs(found - last) <= tolerance * found) return MW_OK;
    if (intervals > 2 * FIRST && fabs(*depth - before) <= tolerance * *depth) return MW_OK;
    last = found;
    before = *depth;
  }
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the stable depth at %g revolutions a minute has not settled with %d intervals: "
                 "%.4g m",
                 rpm, MOST_INTERVALS, last);
}
