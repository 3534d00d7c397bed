// SPDX-License-Identifier: BSD-3-Clause
// motion_boom.c: the boom of cases/boom.yaml, pushed along itself through two bearings.
//
// Reference: w(X, t) = Σ c_k(t) P_k(2X/L − 1), absolute deflection of a free beam that moves along
// itself by a = −s̈, on springs at s(t) ± d (uniform average over a pad's length each), axial force
// N of the acceleration: ρA a X behind the drive at s, −(ρA (L − X) + m) a before it:
//   M c̈ + D ċ + (K + ∫ N P'P' + springs) c = −g (∫ρA P + m P(L))                               (1)
// by the implicit mid-point rule from rest. The rate of a spring's deflection has the part of ṡ.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "motion.h"
#include "motion_math.h"

enum { POLY = 22, POINTS = 24, PAD = 4 };

typedef struct boom {
  double L, EI, rhoA, mass, across, g;  // of the model
  double apart, pad, k, d;  // m from the middle to a bearing, its length; N/m, N s/m of a bearing
  double from, to, end;     // cycloid of s
  bool second;              // with the axial force
  double M[POLY * POLY], K[POLY * POLY], load[POLY];  // what does not change
  double x[POINTS], w[POINTS];                        // Gauss points on (-1, 1)
} boom;

static void shapes(const boom *b, double X, double *p, double *d, double *dd)
{
  motion_legendre(POLY, 2.0 * X / b->L - 1.0, p, d, dd);
  for (int k = 0; k < POLY; k++) {
    d[k] *= 2.0 / b->L;
    dd[k] *= 4.0 / (b->L * b->L);
  }
}

static void add(double *A, double f, const double *x, const double *y)
{
  for (int i = 0; i < POLY; i++)
    for (int j = 0; j < POLY; j++) A[i * POLY + j] += f * x[i] * y[j];
}

static void boom_init(boom *b)
{
  double p[POLY], d[POLY], dd[POLY];
  memset(b->M, 0, sizeof b->M);
  memset(b->K, 0, sizeof b->K);
  memset(b->load, 0, sizeof b->load);
  motion_gauss(POINTS, b->x, b->w);
  for (int i = 0; i < POINTS; i++) {
    double w = 0.5 * b->L * b->w[i];
    shapes(b, 0.5 * b->L * (b->x[i] + 1.0), p, d, dd);
    add(b->M, w * b->rhoA, p, p);
    add(b->K, w * b->EI, dd, dd);
    for (int k = 0; k < POLY; k++) b->load[k] -= w * b->rhoA * b->g * p[k];
  }
  shapes(b, b->L, p, d, dd);
  add(b->M, b->mass, p, p);
  add(b->M, b->across, d, d);
  for (int k = 0; k < POLY; k++) b->load[k] -= b->mass * b->g * p[k];
}

static void path(const boom *b, double t, double s[3])
{
  double x = t / b->end, w = 2.0 * acos(-1.0), span = b->to - b->from;
  s[0] = x < 1.0 ? b->from + span * (x - sin(w * x) / w) : b->to;
  s[1] = x < 1.0 ? span * (1.0 - cos(w * x)) / b->end : 0.0;
  s[2] = x < 1.0 ? span * w * sin(w * x) / (b->end * b->end) : 0.0;
}

// Stiffness of the axial force, the two sides of the drive apart.
static void axial(const boom *b, const double s[3], double *K)
{
  double p[POLY], d[POLY], dd[POLY], a = -s[2];
  for (int side = 0; side < 2; side++) {
    double lo = side ? s[0] : 0.0, hi = side ? b->L : s[0];
    for (int i = 0; i < POINTS; i++) {
      double X = lo + 0.5 * (hi - lo) * (b->x[i] + 1.0);
      double N = side ? -(b->rhoA * (b->L - X) + b->mass) * a : b->rhoA * a * X;
      shapes(b, X, p, d, dd);
      add(K, 0.5 * (hi - lo) * b->w[i] * N, d, d);
    }
  }
}

static void bearings(const boom *b, const double s[3], double *D, double *K)
{
  double x[PAD], w[PAD], p[POLY], d[POLY], dd[POLY];
  motion_gauss(PAD, x, w);
  for (int side = -1; side <= 1; side += 2) {
    double mean[POLY] = { 0 }, slope[POLY] = { 0 };
    for (int q = 0; q < PAD; q++) {
      shapes(b, s[0] + side * b->apart + 0.5 * b->pad * x[q], p, d, dd);
      for (int k = 0; k < POLY; k++) {
        mean[k] += 0.5 * w[q] * p[k];
        slope[k] += 0.5 * w[q] * d[k];
      }
    }
    add(K, b->k, mean, mean);
    add(D, b->d, mean, mean);
    add(K, b->d * s[1], mean, slope);
  }
}

// End's deflection z [n] at instants `store` apart.
static bool boom_run(boom *b, int n, double store, int per, double *z)
{
  enum { SQUARE = POLY * POLY };
  double c[POLY], v[POLY] = { 0 }, D[SQUARE], K[SQUARE], A[SQUARE], r[POLY], tip[POLY], d[POLY];
  double dd[POLY], s[3], h = store / per;
  int piv[POLY];
  mw_error err = { 0 };
  boom_init(b);
  path(b, 0.0, s);
  memcpy(K, b->K, sizeof K);
  bearings(b, s, D, K);
  memcpy(c, b->load, sizeof c);
  if (mw_lu_factor(POLY, K, piv, &err) != MW_OK) return false;
  mw_lu_solve(POLY, K, piv, 1, c);
  shapes(b, b->L, tip, d, dd);
  for (int i = 0; i < n * per; i++) {
    if (i % per == 0) {
      z[i / per] = 0.0;
      for (int k = 0; k < POLY; k++) z[i / per] += tip[k] * c[k];
    }
    path(b, (i + 0.5) * h, s);
    memset(D, 0, sizeof D);
    memcpy(K, b->K, sizeof K);
    if (b->second) axial(b, s, K);
    bearings(b, s, D, K);
    // (M + h/2 D + h²/4 K) v_mid = M v + h/2 (load − K c)
    for (int k = 0; k < POLY; k++) {
      r[k] = 0.5 * h * b->load[k];
      for (int l = 0; l < POLY; l++) {
        int at = k * POLY + l;
        r[k] += b->M[at] * v[l] - 0.5 * h * K[at] * c[l];
        A[at] = b->M[at] + 0.5 * h * D[at] + 0.25 * h * h * K[at];
      }
    }
    if (mw_lu_factor(POLY, A, piv, &err) != MW_OK) return false;
    mw_lu_solve(POLY, A, piv, 1, r);
    for (int k = 0; k < POLY; k++) {
      v[k] = 2.0 * r[k] - v[k];
      c[k] += h * r[k];
    }
  }
  return true;
}

static double largest(int n, const double *x, const double *y)
{
  double e = 0.0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i] - y[i]) <= e)) e = fabs(x[i] - y[i]);
  return e;
}

bool motion_boom(int *missed)
{
  enum { N = 501, PER = 20 };
  boom b = { .L = 1.6,
             .EI = 70e9 * 0.04 * pow(0.02, 3.0) / 12.0,
             .rhoA = 2700.0 * 8e-4,
             .mass = 3.0,
             .across = 2e-3,
             .g = 9.81,
             .apart = 0.12,
             .pad = 0.03,
             .k = 2e7,
             .d = 500.0,
             .from = 1.2,
             .to = 0.4,
             .end = 0.51435,
             .second = false };
  double *z = calloc(4 * N, sizeof *z), none[N] = { 0 };
  motion m = { 0 };
  bool good = z && boom_run(&b, N, 2e-3, PER, z + N) && motion_case("boom", NULL, &m);
  b.second = true;
  good = good && boom_run(&b, N, 2e-3, 2 * PER, z + 2 * N) && boom_run(&b, N, 2e-3, PER, z);
  double peak = good ? largest(N, z, none) : NAN;
  if (good) {
    motion_row(missed, largest(N, z, z + 2 * N) / peak, 1e-4, "  the reference's own step, halved");
    motion_note(largest(N, z, z + N) / peak, "  what the axial force changes, of the peak");
  }
  good = good && motion_reduce(&m);
  const mw_scenario *sc = good ? motion_scenario(&m, "push") : NULL;
  for (int p = 0; sc && p < 2; p++) {
    mw_run run;
    bool ran = motion_run(&m, sc, p ? "gmp" : "full", &run) && run.n_t == N;
    for (int i = 0; ran && i < N; i++) z[3 * N + i] = run.y[(i * run.n_out) * 3 + 2];
    motion_row(missed, ran ? largest(N, z, z + 3 * N) / peak : NAN, 1e-3,
               "  end of the boom across its way, %s", p ? "reduced" : "full");
    mw_run_free(&run);
  }
  motion_close(&m);
  free(z);
  return sc != NULL;
}
