// SPDX-License-Identifier: BSD-3-Clause
// rom_exp.c: one step of fixed cost: exponential mid-point rule.
//
// Of x' = f(x), x = (q, v), with any matrix J and a state z that is the mid-point to second order,
//   x1 = x0 + h phi1(h J) (f(z) + J (x0 - z)) ,   phi1(w) = (e^w - 1)/w                           (1)
// is of second order: (f' - J)(x - z) is odd about the mid-point. J: the linear part with the fields and the mass of the first
// mid-point, M̂ dv = - K̂ dq - Ĉ dv: K, C and c_theta, slopes of laws. So what is stiff is in J, and (1) is exact for it but
// for e^w, which is taken as its Padé approximation (2, 3), of order 5, which goes to zero for stiff parts:
//   phi1(w) = (1 - w/10 + w²/60)/(1 - 3w/5 + 3w²/20 - w³/60) = sum_p beta_p/(1 - c_p w)           (2)
// one real pole and a pair of complex ones. With f(z) = M̂⁻¹ r, (1) is one solution a pole (the complex pair: one), n × n:
//   (M̂ + c_p h Ĉ + c_p² h² K̂) a_p = rho - c_p h K̂ v0 ,  rho = r(z) + K̂ (z_q - q0) + Ĉ (z_v - v0)  (3)
//   v1 = v0 + h sum beta_p a_p ,   q1 = q0 + h v0 + h² sum beta_p c_p a_p
// A prescribed coordinate has a_p = thdd_p for every pole; what it does to the others moves to the right.
// rho is free of the stiff forces at z, they cancel. Two evaluations: at z = (q0 + h/2 v0, v0), then at the means of the first
// solution's ends; there r(z) - (M(z) - M̂) a, a the first solution's mean acceleration, so that the factors serve twice. theta
// and the fields stay at theta0 + h/2 thd0.
//
// Order: 2; for constant matrices 5 (errors of frequency and damping: (h ω)^6/7200 a step). Stable for any ω h: |approximation
// of e^w| <= 1 for Re w <= 0. Hochbruck, Ostermann, Acta Numerica 19 (2010) 209; Ehle, BIT 9 (1969) (Padé).
// Cost: one interpolation, two evaluations of the equations of motion, LDL' of one real and one complex matrix of n.
// Written in `real`: rom_batch.c compiles it for several rollouts at once.
#include "rom_priv.h"

// K̂ and Ĉ [n × np], both whole.
ROM_INLINE void set_linear(const mw_rom *rom, const int s, const int m, const real *x, rom_work *w)
{
  const int n = s + m, np = (n + 7) / 8 * 8;
  const real *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < np; j++) w->K[i * np + j] = w->C[i * np + j] = rom_set(0.0);
    w->C[i * np + i] += rom->c_theta[i];
  }
  for (int a = 0; a < m; a++) {
    real *Ka = w->K + (s + a) * np, *Ca = w->C + (s + a) * np;
    for (int i = 0; i < s; i++) Ka[i] = Ca[i] = rom_set(0.0);
    for (int b = 0; b <= a; b++) {
      Ka[s + b] = w->K[(s + b) * np + s + a] = K[b];
      Ca[s + b] = w->C[(s + b) * np + s + a] = C[b];
    }
    for (int j = n; j < np; j++) Ka[j] = Ca[j] = rom_set(0.0);
    K += a + 1;
    C += a + 1;
  }
  for (int k = 0; k < rom->n_law; k++) {
    real y, y_dot, *g = w->z;
    const real *f = w->law + 6 * k;
    rom_field_rate(rom, rom->law[k].field, x, w, &y, &y_dot, g);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        real gg = g[i] * g[j];
        w->K[i * np + j] -= f[1] * gg;
        w->C[i * np + j] -= f[2] * gg;
      }
  }
}

// Upper rows of M̂ in S0; the same in Sr.
ROM_INLINE void set_mass(const int s, const int m, rom_work *w)
{
  const int np = (s + m + 7) / 8 * 8;
  for (int i = 0; i < s; i++) {
    real *row = w->S0 + i * np;
    for (int j = 0; j < np; j++) row[j] = rom_set(0.0);
    for (int j = i; j < s; j++) row[j] = w->A[i * s + j];
    for (int a = 0; a < m; a++) row[s + a] = w->B[i * w->mp + a];
  }
  for (int i = s; i < s + m; i++) {
    for (int j = 0; j < np; j++) w->S0[i * np + j] = rom_set(0.0);
    w->S0[i * np + i] = rom_set(1.0);
  }
}

// Rows of prescribed coordinates become unit rows: their a is given.
ROM_INLINE void unit_rows(const int s, const int m, unsigned prescribed, int np, double one,
                          real *S)
{
  const int n = s + m;
  for (int i = 0; i < s; i++) {
    if (!(prescribed >> i & 1u)) continue;
    for (int j = 0; j < n; j++) S[i * np + j] = rom_set(0.0);
    for (int j = 0; j < i; j++) S[j * np + i] = rom_set(0.0);
    S[i * np + i] = rom_set(one);
  }
}

// Start of the whole chunk that column i lies in: what is left of the diagonal there is never read.
ROM_INLINE int chunk(int i) { return i / ROM_PAD * ROM_PAD; }

// S = L D L', of the upper triangle: row p becomes column p of L, its diagonal 1/D. A real matrix and a complex one together:
// each waits for its own divisions. np is a constant where this is called.
ROM_INLINE void factor(int n, const int np, rom_work *w)
{
  real *restrict r0 = w->row, *restrict rr = r0 + np, *restrict ri = rr + np;
  for (int p = 0; p < n; p++) {
    real *a0 = w->S0 + p * np, *ar = w->Sr + p * np, *ai = w->Si + p * np;
    real i0 = 1.0 / a0[p], size = ar[p] * ar[p] + ai[p] * ai[p], ir = ar[p] / size,
         ii = -ai[p] / size;
    for (int j = chunk(p); j < np; j++) {
      r0[j] = a0[j];
      rr[j] = ar[j];
      ri[j] = ai[j];
      a0[j] = r0[j] * i0;
      ar[j] = rr[j] * ir - ri[j] * ii;
      ai[j] = rr[j] * ii + ri[j] * ir;
    }
    for (int i = p + 1; i < n; i++) {
      real f = a0[i], fr = ar[i], fi = ai[i];
      real *restrict b = w->S0 + i * np, *restrict br = w->Sr + i * np,
                     *restrict bi = w->Si + i * np;
      for (int k = chunk(i); k < np; k += ROM_PAD)
        for (int j = k; j < k + ROM_PAD; j++) {
          b[j] -= f * r0[j];
          br[j] -= fr * rr[j] - fi * ri[j];
          bi[j] -= fr * ri[j] + fi * rr[j];
        }
    }
    a0[p] = i0;
    ar[p] = ir;
    ai[p] = ii;
  }
}

// x0 := S0⁻¹ x0 ,  xr + i xi := (Sr + i Si)⁻¹ (xr + i xi). Sums go towards the diagonal: what is found last is added last.
ROM_INLINE void solve(int n, const int np, const rom_work *w, real *x0, real *xr, real *xi)
{
  for (int p = 0; p < n; p++) {
    const real *a0 = w->S0 + p * np, *ar = w->Sr + p * np, *ai = w->Si + p * np;
    real t0 = x0[p], tr = xr[p], ti = xi[p];
    for (int i = p + 1; i < n; i++) {
      x0[i] -= a0[i] * t0;
      xr[i] -= ar[i] * tr - ai[i] * ti;
      xi[i] -= ar[i] * ti + ai[i] * tr;
    }
    x0[p] = t0 * a0[p];
    xr[p] = tr * ar[p] - ti * ai[p];
    xi[p] = tr * ai[p] + ti * ar[p];
  }
  for (int p = n - 1; p >= 0; p--) {
    const real *a0 = w->S0 + p * np, *ar = w->Sr + p * np, *ai = w->Si + p * np;
    real s0 = rom_set(0.0), sr = rom_set(0.0), si = rom_set(0.0);
    for (int i = n - 1; i > p; i--) {
      s0 += a0[i] * x0[i];
      sr += ar[i] * xr[i] - ai[i] * xi[i];
      si += ar[i] * xi[i] + ai[i] * xr[i];
    }
    x0[p] -= s0;
    xr[p] -= sr;
    xi[p] -= si;
  }
}

// y += A x, A [n × np] symmetric.
ROM_INLINE void add_product(int n, int np, const real *A, const real *x, real *y)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i += ROM_PAD) {
      const real *row = A + j * np + i;
      for (int l = 0; l < ROM_PAD; l++) y[i + l] += x[j] * row[l];
    }
}

// The matrices of (3), factored.
ROM_INLINE void set_factors(const int s, const int m, const mw_rom_opt *opt, double h, rom_work *w)
{
  const int n = s + m, np = (n + 7) / 8 * 8;
  double g = ROM_POLE_C0 * h, g2 = g * g, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h,
         gr2 = gr * gr - gi * gi, gi2 = 2.0 * gr * gi;
  set_mass(s, m, w);
  for (int i = 0; i < n; i++)
    for (int k = chunk(i); k < n; k += ROM_PAD)
      for (int l = i * np + k; l < i * np + k + ROM_PAD; l++) {
        real M = w->S0[l], C = w->C[l], K = w->K[l];
        w->S0[l] = M + (g * C + g2 * K);
        w->Sr[l] = M + (gr * C + gr2 * K);
        w->Si[l] = gi * C + gi2 * K;
      }
  if (opt->prescribed) {
    unit_rows(s, m, opt->prescribed, np, 1.0, w->S0);
    unit_rows(s, m, opt->prescribed, np, 1.0, w->Sr);
    unit_rows(s, m, opt->prescribed, np, 0.0, w->Si);
  }
  factor(n, np, w);
}

// kv = K̂ v0 + Ĉ a ,  ka = K̂ a ,  ma = M̂ a  with the given accelerations a, 0 where they are free.
ROM_INLINE void set_given(const int s, const int m, const mw_rom_opt *opt, const double *thdd_p,
                          const real *x0, rom_work *w)
{
  const int n = s + m, np = (n + 7) / 8 * 8;
  for (int i = 0; i < np; i++) w->kv[i] = w->ka[i] = w->ma[i] = rom_set(0.0);
  add_product(n, np, w->K, x0 + n, w->kv);
  for (int i = 0; i < s; i++) {
    double a = opt->prescribed >> i & 1u && thdd_p ? thdd_p[i] : 0.0;
    if (a == 0.0) continue;
    for (int j = 0; j < s; j++) w->ma[j] += w->A0[j * s + i] * a;
    for (int k = 0; k < m; k++) w->ma[s + k] += w->B0[i * w->mp + k] * a;
    for (int j = 0; j < n; j++) {
      w->kv[j] += w->C[i * np + j] * a;
      w->ka[j] += w->K[i * np + j] * a;
    }
  }
}

// (3): the state x1 after the step from x0, r of rho given.
ROM_INLINE void solve_poles(const int s, const int m, const mw_rom_opt *opt, double h,
                            const double *thdd_p, const real *x0, rom_work *w, real *x1)
{
  const int n = s + m, np = (n + 7) / 8 * 8;
  double g = ROM_POLE_C0 * h, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h, br = 2.0 * ROM_POLE_BR,
         bi = 2.0 * ROM_POLE_BI;
  real *z0 = w->z, *zr = w->z + np, *zi = w->z + 2 * np;
  for (int i = 0; i < n; i++) {
    z0[i] = w->rho[i] - g * w->kv[i];
    zr[i] = w->rho[i] - gr * w->kv[i];
    zi[i] = -(gi * w->kv[i]);
  }
  for (int i = 0; opt->prescribed && i < n; i++) {
    z0[i] -= (g * g) * w->ka[i] + w->ma[i];
    zr[i] -= (gr * gr - gi * gi) * w->ka[i] + w->ma[i];
    zi[i] -= (2.0 * gr * gi) * w->ka[i];
  }
  for (int i = 0; i < s; i++) {
    if (!(opt->prescribed >> i & 1u)) continue;
    z0[i] = zr[i] = rom_set(thdd_p ? thdd_p[i] : 0.0);
    zi[i] = rom_set(0.0);
  }
  solve(n, np, w, z0, zr, zi);
  // sum beta a ,  h sum beta c a
  double cr = br * gr - bi * gi, ci = br * gi + bi * gr;
  for (int i = 0; i < n; i++) {
    real a = ROM_POLE_B0 * z0[i] + (br * zr[i] - bi * zi[i]);
    real ca = (ROM_POLE_B0 * g) * z0[i] + (cr * zr[i] - ci * zi[i]);
    x1[n + i] = x0[n + i] + h * a;
    x1[i] = x0[i] + h * (x0[n + i] + ca);
  }
}

// rho = r(z) + K̂ (z_q - q0) + Ĉ (z_v - v0), z = w->mid.
ROM_INLINE void set_rho(const int s, const int m, const real *x0, rom_work *w)
{
  const int n = s + m, np = (n + 7) / 8 * 8;
  for (int i = 0; i < 2 * n; i++) w->gap[i] = w->mid[i] - x0[i];
  for (int i = 0; i < s; i++) w->rho[i] = w->r_theta[i];
  for (int a = 0; a < m; a++) w->rho[s + a] = w->r_delta[a];
  for (int i = n; i < np; i++) w->rho[i] = rom_set(0.0);
  add_product(n, np, w->K, w->gap, w->rho);
  add_product(n, np, w->C, w->gap + n, w->rho);
}

ROM_INLINE void first(const mw_rom *rom, const int s, const int m, const mw_rom_opt *opt, double h,
                      const real *u, const double *thdd_p, const real *x0, real *x1, rom_work *w)
{
  const int n = s + m;
  real *z = w->mid;
  for (int i = 0; i < n; i++) {
    z[i] = x0[i] + 0.5 * h * x0[n + i];
    z[n + i] = x0[n + i];
  }
  for (int i = 0; i < s; i++) {
    if (!(opt->prescribed >> i & 1u)) continue;
    double a = thdd_p ? thdd_p[i] : 0.0;
    z[i] += 0.125 * h * h * a;
    z[n + i] += 0.5 * h * a;
  }
  for (int i = 0; i < s; i++)
    if (!(rom->cyclic >> i & 1u)) z[i] = rom_within(z[i], rom->lo[i], rom->hi[i]);
  rom_interpolate(rom, opt, z, w);
  rom_terms(rom, opt, z, u, 0, w);
  for (int i = 0; i < s * s; i++) w->A0[i] = w->A[i];
  for (int i = 0; i < s * ((m + 7) / 8 * 8); i++) w->B0[i] = w->B[i];
  set_linear(rom, s, m, z, w);
  set_factors(s, m, opt, h, w);
  set_given(s, m, opt, thdd_p, x0, w);
  set_rho(s, m, x0, w);
  solve_poles(s, m, opt, h, thdd_p, x0, w, x1);
}

ROM_INLINE void second(const mw_rom *rom, const int s, const int m, const mw_rom_opt *opt, double h,
                       const real *u, const double *thdd_p, const real *x0, real *x1, rom_work *w)
{
  const int n = s + m, mp = (m + 7) / 8 * 8;
  real *a = w->acc, *z = w->mid;
  for (int i = 0; i < n; i++) {
    if (i >= s) z[i] = 0.5 * (x0[i] + x1[i]);
    z[n + i] = 0.5 * (x0[n + i] + x1[n + i]);
    a[i] = (x1[n + i] - x0[n + i]) / h;
  }
  rom_terms(rom, opt, z, u, 0, w);
  for (int i = 0; i < s; i++) {
    const real *B = w->B + i * mp, *B0 = w->B0 + i * mp;
    for (int j = 0; j < s; j++) w->r_theta[i] -= (w->A[i * s + j] - w->A0[i * s + j]) * a[j];
    for (int k = 0; k < m; k++) {
      real d = B[k] - B0[k];
      w->r_theta[i] -= d * a[s + k];
      w->r_delta[k] -= d * a[i];
    }
  }
  set_rho(s, m, x0, w);
  solve_poles(s, m, opt, h, thdd_p, x0, w, x1);
}

// Sizes that loops are laid out for.
void rom_exp_first(const mw_rom *rom, const mw_rom_opt *opt, double h, const real *u,
                   const double *thdd_p, const real *x0, real *x1, rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (s == 1 && m == 6)
    first(rom, 1, 6, opt, h, u, thdd_p, x0, x1, w);
  else if (s == 2 && m == 10)
    first(rom, 2, 10, opt, h, u, thdd_p, x0, x1, w);
  else if (s == 3 && m == 12)
    first(rom, 3, 12, opt, h, u, thdd_p, x0, x1, w);
  else
    first(rom, s, m, opt, h, u, thdd_p, x0, x1, w);
}

void rom_exp_second(const mw_rom *rom, const mw_rom_opt *opt, double h, const real *u,
                    const double *thdd_p, const real *x0, real *x1, rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (s == 1 && m == 6)
    second(rom, 1, 6, opt, h, u, thdd_p, x0, x1, w);
  else if (s == 2 && m == 10)
    second(rom, 2, 10, opt, h, u, thdd_p, x0, x1, w);
  else if (s == 3 && m == 12)
    second(rom, 3, 12, opt, h, u, thdd_p, x0, x1, w);
  else
    second(rom, s, m, opt, h, u, thdd_p, x0, x1, w);
}
