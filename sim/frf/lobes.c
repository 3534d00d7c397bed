// SPDX-License-Identifier: BSD-3-Clause
// lobes.c: stability lobes from receptances, (1) of lobes.h.
//
// With G_k (turning: G; milling: the eigenvalues of mean W times H), where Re G_k < 0,
//   φ(ω) = ωτ − ε ,  ε = 3π + 2 arg G_k ∈ (0, 2π) ,  φ = 2πj: lobe j                           (1)
// which is found between two frequencies of the band and closed in on by bisection, for the lobes
// that may be lowest at a speed. Between frequencies where Re G_k changes its sign the part where
// it is negative counts: a resonance has its least Re G_k a part ζ of its frequency above.
#include "sim/lobes.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MAX_BRANCH = 2, MAX_ITER = 200 };
static const double PI = 3.14159265358979323846;

typedef struct job {
  const mw_cutting *cut;
  const mw_lobes_response *r;
  int n_branch;
  double K;           // of (1): force; 1
  double mean[4];     // mean W, N/m²
  double complex *G;  // [n_hz × n_branch]  each branch followed along the band
  mw_arena mem;
} job;

// Mean of W over a revolution of N teeth, its integral from entry to exit in closed form.
static void mean_force(const mw_cutting *c, double W[4])
{
  double r = c->radial, over = c->force * c->teeth / (2.0 * PI);
  for (int k = 0; k < 4; k++) W[k] = 0.0;
  for (int end = 0; end < 2; end++) {
    double phi = end ? c->exit : c->entry, sign = end ? over : -over;
    double ss = 0.5 * phi - 0.25 * sin(2.0 * phi), cc = 0.5 * phi + 0.25 * sin(2.0 * phi),
           sc = -0.25 * cos(2.0 * phi);  // integrals of sin², cos², sin cos
    W[0] += sign * (sc + r * ss);
    W[1] += sign * (cc + r * sc);
    W[2] += sign * (-ss + r * sc);
    W[3] += sign * (-sc + r * cc);
  }
}

// G_k of receptances H [n × n × 2 × stride], those at index f.
static void branches(const job *q, const double *H, int stride, int f, double complex *G)
{
  if (q->n_branch == 1) {
    G[0] = H[f] + I * H[stride + f];
    return;
  }
  double complex h[4], A[4];
  for (int e = 0; e < 4; e++) h[e] = H[2 * e * stride + f] + I * H[(2 * e + 1) * stride + f];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      A[2 * i + j] = q->mean[2 * i] * h[j] + q->mean[2 * i + 1] * h[2 + j];
  double complex half = 0.5 * (A[0] + A[3]), det = A[0] * A[3] - A[1] * A[2],
                 root = csqrt(half * half - det);
  // the larger one first, the other by the product: no digits are lost
  G[0] = cabs(half + root) > cabs(half - root) ? half + root : half - root;
  G[1] = cabs(G[0]) > 0.0 ? det / G[0] : 0.0;
}

// Has the branches in the order of the values near that they go on from.
static void follow(int n, const double complex *near, double complex *G)
{
  if (n < 2) return;
  double straight = cabs(G[0] - near[0]) + cabs(G[1] - near[1]),
         crossed = cabs(G[1] - near[0]) + cabs(G[0] - near[1]);
  if (crossed < straight) {
    double complex t = G[0];
    G[0] = G[1];
    G[1] = t;
  }
}

static mw_code value_at(const job *q, double hz, const double complex *near, double complex *G,
                        mw_error *err)
{
  double H[8];
  mw_code rc = q->r->at(q->r->ctx, hz, H, err);
  if (rc != MW_OK) return rc;
  branches(q, H, 1, 0, G);
  follow(q->n_branch, near, G);
  return rc;
}

static double epsilon(double complex G)
{
  double a = carg(G);
  return 3.0 * PI + 2.0 * (a > 0.0 ? a - 2.0 * PI : a);  // arg in (−3π/2, −π/2)
}

static double depth_of(const job *q, double complex G) { return -0.5 / (q->K * creal(G)); }

// ---- the least at any speed ---------------------------------------------------------------------

// Depth of branch k at the frequency in [lo, hi] where it is least, golden section.
static mw_code least(const job *q, int k, int at, mw_lobes_limit *out, mw_error *err)
{
  static const double PART = 0.38196601125010515, EPS = 1e-10;
  const mw_lobes_response *r = q->r;
  double lo = r->hz[at > 0 ? at - 1 : at], hi = r->hz[at < r->n_hz - 1 ? at + 1 : at];
  const double complex *near = q->G + at * q->n_branch;
  double complex G[MAX_BRANCH];
  for (int i = 0; i < MAX_ITER && hi - lo > EPS * hi; i++) {
    double x[2] = { lo + PART * (hi - lo), hi - PART * (hi - lo) }, re[2] = { 0 };
    for (int s = 0; s < 2; s++) {
      mw_code rc = value_at(q, x[s], near, G, err);
      if (rc != MW_OK) return rc;
      re[s] = creal(G[k]);
      double b = depth_of(q, G[k]);
      if (re[s] < 0.0 && b < out->depth) *out = (mw_lobes_limit){ b, x[s] };
    }
    if (re[0] < re[1])
      hi = x[1];
    else
      lo = x[0];
  }
  return MW_OK;
}

static mw_code at_any_speed(const job *q, mw_lobes_limit *out, mw_error *err)
{
  mw_code rc = MW_OK;
  *out = (mw_lobes_limit){ INFINITY, 0.0 };
  for (int k = 0; rc == MW_OK && k < q->n_branch; k++) {
    int at = -1;
    for (int f = 0; f < q->r->n_hz; f++) {
      double re = creal(q->G[f * q->n_branch + k]);
      if (re < 0.0 && (at < 0 || re < creal(q->G[at * q->n_branch + k]))) at = f;
    }
    if (at < 0) continue;
    double b = depth_of(q, q->G[at * q->n_branch + k]);
    if (b < out->depth) *out = (mw_lobes_limit){ b, q->r->hz[at] };
    rc = least(q, k, at, out, err);
  }
  return rc;
}

// ---- at a speed ---------------------------------------------------------------------------------

// A frequency of the band, or one between, and its branches.
typedef struct end {
  double hz;
  double complex G[MAX_BRANCH];
} end;

// In turns, of branch k
static double phase_of(const end *e, int k, double tau)
{
  return e->hz * tau - epsilon(e->G[k]) / (2.0 * PI);
}

// Closes in on the crossing of lobe j of branch k between two frequencies.
static mw_code close_in(const job *q, int k, const end of[2], double tau, double j,
                        mw_lobes_limit *out, mw_error *err)
{
  end lo = of[0], hi = of[1], at;
  bool low = phase_of(&lo, k, tau) < j;
  for (int i = 0; i < MAX_ITER; i++) {
    at.hz = 0.5 * (lo.hz + hi.hz);
    mw_code rc = value_at(q, at.hz, of[0].G, at.G, err);
    if (rc != MW_OK) return rc;
    if (!(creal(at.G[k]) < 0.0)) return MW_OK;
    double b = depth_of(q, at.G[k]);
    if (at.hz <= lo.hz || at.hz >= hi.hz) {
      if (b < out->depth) *out = (mw_lobes_limit){ b, at.hz };
      return MW_OK;
    }
    *((phase_of(&at, k, tau) < j) == low ? &lo : &hi) = at;
  }
  return MW_OK;
}

// Where Re G_k changes its sign between two frequencies: the part where it is negative.
static mw_code negative_part(const job *q, int k, end of[2], mw_error *err)
{
  int out = creal(of[0].G[k]) < 0.0 ? 1 : 0;
  end in = of[!out], zero = of[out], at;
  for (int i = 0; i < MAX_ITER; i++) {
    at.hz = 0.5 * (in.hz + zero.hz);
    if (at.hz <= fmin(in.hz, zero.hz) || at.hz >= fmax(in.hz, zero.hz)) break;
    mw_code rc = value_at(q, at.hz, of[!out].G, at.G, err);
    if (rc != MW_OK) return rc;
    *(creal(at.G[k]) < 0.0 ? &in : &zero) = at;
  }
  of[out] = in;
  return MW_OK;
}

// The crossings between f and f + 1 that may be lower than what is known.
static mw_code between(const job *q, int k, int f, double tau, mw_lobes_limit *out, mw_error *err)
{
  static const double ROOM = 0.8;  // how much lower than both its ends a depth may be between them
  end of[2];
  mw_code rc = MW_OK;
  int n = 0;
  for (int i = 0; i < 2; i++) {
    of[i].hz = q->r->hz[f + i];
    memcpy(of[i].G, q->G + (f + i) * q->n_branch, (size_t)q->n_branch * sizeof *q->G);
    n += creal(of[i].G[k]) < 0.0;
  }
  if (n == 0) return MW_OK;
  double deep = INFINITY;
  for (int i = 0; i < 2; i++)
    if (creal(of[i].G[k]) < 0.0) deep = fmin(deep, depth_of(q, of[i].G[k]));
  if (ROOM * deep > out->depth) return MW_OK;
  if (n == 1) rc = negative_part(q, k, of, err);
  double p0 = phase_of(&of[0], k, tau), p1 = phase_of(&of[1], k, tau);
  for (double j = fmax(ceil(fmin(p0, p1)), 0.0); rc == MW_OK && j <= fmax(p0, p1); j += 1.0)
    rc = close_in(q, k, of, tau, j, out, err);
  return rc;
}

static mw_code at_speed(const job *q, double rpm, mw_lobes_limit *out, mw_error *err)
{
  double tau = 60.0 / (rpm * (q->cut->teeth > 0 ? q->cut->teeth : 1));
  mw_code rc = MW_OK;
  *out = (mw_lobes_limit){ INFINITY, 0.0 };
  for (int k = 0; k < q->n_branch; k++)
    for (int f = 0; rc == MW_OK && f < q->r->n_hz - 1; f++) rc = between(q, k, f, tau, out, err);
  return rc;
}

// ---- the band -----------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int mw_lobes_band(double lo, double hi, int n, int n_pole, const double *pole, const double *zeta,
                  double *hz)
{
  int used = 0;
  for (int k = 0; k < n; k++) hz[used++] = lo + (hi - lo) * k / (n - 1);
  for (int p = 0; p < n_pole; p++) {
    double part = zeta[p] / 4.0;
    for (int k = 0; k < MW_LOBES_NEAR / 2; k++, part *= 1.5)
      for (int sign = -1; sign <= 1; sign += 2) {
        double x = pole[p] * (1.0 + sign * part);
        if (x > lo && x < hi) hz[used++] = x;
      }
  }
  qsort(hz, (size_t)used, sizeof *hz, ascending);
  n = 0;
  for (int k = 0; k < used; k++)
    if (n == 0 || hz[k] > hz[n - 1]) hz[n++] = hz[k];
  return n;
}

mw_code mw_lobes(const mw_cutting *cut, const mw_lobes_response *r, int n_rpm, const double *rpm,
                 mw_lobes_limit *out, mw_lobes_limit *any, mw_error *err)
{
  job q = { .cut = cut, .r = r, .n_branch = cut->teeth > 0 ? 2 : 1, .K = cut->force };
  q.G = mw_arena_alloc(&q.mem, (size_t)(r->n_hz * q.n_branch), sizeof *q.G);
  mw_code rc = mw_arena_check(&q.mem, err);
  if (cut->teeth > 0) {
    mean_force(cut, q.mean);
    q.K = 1.0;
  }
  for (int f = 0; rc == MW_OK && f < r->n_hz; f++) {
    double complex *G = q.G + f * q.n_branch;
    branches(&q, r->H, r->n_hz, f, G);
    if (f > 0) follow(q.n_branch, G - q.n_branch, G);
  }
  if (rc == MW_OK) rc = at_any_speed(&q, any, err);
  for (int k = 0; rc == MW_OK && k < n_rpm; k++) rc = at_speed(&q, rpm[k], &out[k], err);
  mw_arena_free(&q.mem);
  return rc;
}
