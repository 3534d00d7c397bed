// SPDX-License-Identifier: BSD-3-Clause
// motion_math.h: the few numerical means the references of bench_motion need, apart from the
// library's own.
#ifndef MW_TESTS_BENCH_MOTION_MATH_H
#define MW_TESTS_BENCH_MOTION_MATH_H

// Gauss-Legendre nodes x [n] ascending in (-1, 1) and weights w [n].
void motion_gauss(int n, double *x, double *w);
// Legendre polynomials P_0 … P_(n-1) at x with their first and second derivatives; d, dd may be
// NULL.
void motion_legendre(int n, double x, double *p, double *d, double *dd);
// The first max zeros of f between lo and hi, seen where the sign changes over one of `cells` equal
// cells, ascending into root; returns their number. A pole, where |f| does not fall, is no zero.
int motion_zeros(double (*f)(double x, const void *arg), const void *arg, double lo, double hi,
                 int cells, int max, double *root);

typedef void (*motion_rate)(double t, const double *y, double *dy, const void *arg);
// One step of the classical Runge-Kutta method; y [n] in place, work [6 n].
void motion_rk4(motion_rate f, const void *arg, double t, double h, int n, double *y, double *work);

#endif
