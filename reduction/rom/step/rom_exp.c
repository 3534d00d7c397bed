// SPDX-License-Identifier: BSD-3-Clause
// rom_exp.c: one step of fixed cost: exponential mid-point rule.
//
// Of x' = f(x), x = (q, v), with any matrix J and a state z that is the mid-point to second order,
//   x1 = x0 + h phi1(h J) (f(z) + J (x0 - z)) ,   phi1(w) = (e^w - 1)/w                         (1)
// is of second order: (f' - J)(x - z) is odd about the mid-point. J: the linear part with the
// fields and the mass of the first mid-point, M̂ dv = - K̂ dq - Ĉ dv: K, C and c_theta, slopes of
// laws, and where something turns (4). So what is stiff is in J, and (1) is exact for it but for
// e^w, which is taken as its Padé approximation (2, 3), of order 5, which goes to zero for stiff
// parts:
//   phi1(w) = (1 - w/10 + w²/60)/(1 - 3w/5 + 3w²/20 - w³/60) = sum_p beta_p/(1 - c_p w)         (2)
// one real pole and a pair of complex ones. With f(z) = M̂⁻¹ r, (1) is one solution a pole (the
// complex pair: one), n × n:
//   (M̂ + c_p h Ĉ + c_p² h² K̂) a_p = rho - c_p h K̂ v0 ,
//       rho = r(z) + K̂ (z_q - q0) + Ĉ (z_v - v0)      (3)
//   v1 = v0 + h sum beta_p a_p ,   q1 = q0 + h v0 + h² sum beta_p c_p a_p
// A prescribed coordinate has a_p = thdd_p for every pole; what it does to the others moves to the
// right. In rho the stiff forces at z cancel: r is taken without K delta and C deld, and K q0 + C
// v0 stays. Two evaluations: at z = (q0 + h/2 v0, v0), then at the means of the first solution's
// ends; there r(z) - (M(z) - M̂) a, a the first solution's mean acceleration, so that the factors
// serve twice. theta and the fields stay at theta0 + h/2 thd0.
//
// Where a coordinate turns things (rom_turns), gyroscopic, centrifugal and Coriolis terms,
// convective damping and the stiffness of loads join the linear part, with H, h_ij = b_ij + 2 c_ij
// delta and all rates at the first mid-point:
//   K̂_δδ += sum_ij v_i v_j (e_i,j + H_i,j - c_ij) + sum_i v_i CE_i - sum_k u_k Y_k             (4)
//   Ĉ_δδ += 2 sum_i v_i e_i ,  Ĉ_θiδ += sum_j v_j h_ij + CE_i delta ,
//       Ĉ_δθi += - sum_j v_j h_ij + CE_i delta ,
//   Ĉ_θiθj += delta·CC_ij delta
// So a body that turns evenly, rate given or free, is linear in J alone: stable where e^w is. The
// matrices are then not symmetric: LU instead of UDU', no pivoting: the symmetric part of M̂ + c h
// Ĉ + (c h)² K̂ is positive definite while h times the rates is below 3. What is added this way is
// taken off r in rho (3).
//
// Order: 2; for constant matrices 5 (errors of frequency and damping: (h ω)^6/7200 a step). Stable
// for any ω h: |approximation of e^w| <= 1 for Re w <= 0. Hochbruck, Ostermann, Acta Numerica 19
// (2010) 209; Ehle, BIT 9 (1969) (Padé).
// Cost: one interpolation, two evaluations of the equations of motion, UDU' of one real and one
// complex matrix of n. Written in `real`: rom_batch.c compiles it for several rollouts at once.
#include "core/rom_columns.h"
#include "core/rom_layer.h"
#include "motion/rom_mass.h"
#include "rom_turn.h"

// Are K̂ and Ĉ those of the record and c_theta alone, and nothing is prescribed?
ROM_INLINE int rom_is_bare(const mw_rom *rom, const mw_rom_opt *opt, int turns)
{
  return rom->n_law == 0 && !opt->prescribed && !turns;
}

// K̂ and Ĉ [n × np], both whole, without laws.
ROM_INLINE void set_linear(const mw_rom *rom, const int s, const int m, rom_work *w)
{
  const int n = s + m, np = rom_row(n);
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
}

void rom_exp_lay(const mw_rom *rom, const mw_rom_opt *opt, rom_work *w)
{
  if (rom_is_bare(rom, opt, rom_turns(rom, opt))) set_linear(rom, rom->s, rom->m, w);
}

// held = K̂ q0 + Ĉ v0 ,  kv = K̂ v0 , without laws: rows and columns of theta have nothing but
//                        c_theta.
ROM_INLINE void set_held(const mw_rom *rom, const int s, const int m, const real *x0, rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  const real *q0 = x0, *v0 = x0 + n;
  for (int i = 0; i < n; i += ROM_PAD) {
    rom_pack held = { 0 }, kv = { 0 };
    for (int j = s; j < n; j++) {
      rom_pack K = ROM_GET(w->K + j * np + i), C = ROM_GET(w->C + j * np + i);
      held += K * q0[j] + C * v0[j];
      kv += K * v0[j];
    }
    ROM_PUT(w->held + i) = held;
    ROM_PUT(w->kv + i) = kv;
  }
  for (int i = 0; i < s; i++) w->held[i] += rom->c_theta[i] * v0[i];
}

// The same of the packed fields: where they are all of K̂ and Ĉ, these need not be laid out. A pack
// that is stored beyond the end of kv lies in ka, which is not set then.
ROM_INLINE void set_held_packed(const mw_rom *rom, const int s, const int m, const real *x0,
                                rom_work *w)
{
  const int n = s + m, mp = rom_padded(m);
  const real *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  const real *delta = x0 + s, *v0 = x0 + n, *deld = v0 + s;
  real *of_K = w->columns + s * m * mp, *of_C = of_K + m * mp;
  lay_sym(m, K, of_K);
  lay_sym(m, C, of_C);
  for (int i = 0; ROM_PAD > 1 && i < m; i += ROM_PAD) {
    rom_pack held = { 0 }, kv = { 0 };
    ROM_UNROLL
    for (int j = 0; j < m; j++) {
      rom_pack Kj = ROM_GET(of_K + j * mp + i), Cj = ROM_GET(of_C + j * mp + i);
      held += Kj * delta[j] + Cj * deld[j];
      kv += Kj * deld[j];
    }
    ROM_PUT(w->held + s + i) = held;
    ROM_PUT(w->kv + s + i) = kv;
  }
  for (int i = 0, row = 0; ROM_PAD == 1 && i < m; row += ++i) {
    real held = rom_set(0.0), kv = rom_set(0.0);
    for (int j = 0, p = row; j < m; p += j < i ? 1 : j + 1, j++) {
      held += K[p] * delta[j] + C[p] * deld[j];
      kv += K[p] * deld[j];
    }
    w->held[s + i] = held;
    w->kv[s + i] = kv;
  }
  for (int i = 0; i < s; i++) {
    w->held[i] = rom_set(0.0) + rom->c_theta[i] * v0[i];
    w->kv[i] = rom_set(0.0);
  }
}

// Slopes of the laws at x: g = y,q and the force's derivatives; their part of K̂, Ĉ and K̂ v0.
ROM_INLINE void add_laws(const mw_rom *rom, const int s, const int m, const real *x, const real *x0,
                         rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  for (int k = 0; k < rom->n_law; k++) {
    real y, y_dot, g_v = rom_set(0.0), *g = w->slope + k * np;
    const real *f = w->law + 6 * k;
    real f_y = f[1], f_v = f[2];
    w->f_y[k] = f_y;
    w->f_v[k] = f_v;
    rom_field_rate(rom, rom->law[k].field, x, w, &y, &y_dot, g);
    for (int i = 0; i < n; i++) g_v += g[i] * x0[n + i];
    for (int i = 0; i < n; i++) {
      w->kv[i] -= (f_y * g_v) * g[i];
      for (int j = 0; j < n; j++) {
        real gg = g[i] * g[j];
        w->K[i * np + j] -= f_y * gg;
        w->C[i * np + j] -= f_v * gg;
      }
    }
  }
}

// M̂'s rows of theta; what is below them is B' and I + E.
ROM_INLINE void set_mass(const int s, const int m, rom_work *w)
{
  const int np = rom_row(s + m);
  for (int i = 0; i < s; i++) {
    real *row = w->M + i * np;
    for (int j = 0; j < s; j++) row[j] = w->A[i * s + j];
    for (int a = 0; a < m; a++) row[s + a] = w->B[i * w->mp + a];
    for (int j = s + m; j < np; j++) row[j] = rom_set(0.0);
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
    for (int j = 0; j < n; j++) S[j * np + i] = rom_set(0.0);
    S[i * np + i] = rom_set(one);
  }
}

// Columns c … c + ROM_PAD - 1 of row p of D U' in place of S, from the rows below.
ROM_INLINE void eliminate(const int n, const int np, int p, int c, rom_work *w)
{
  real *s0 = w->S0 + c, *sr = w->Sr + c, *si = w->Si + c;
  rom_pack x0 = ROM_GET(s0 + p * np), xr = ROM_GET(sr + p * np), xi = ROM_GET(si + p * np);
  for (int k = n - 1; k > p; k--) {
    real l0 = w->L0[k * np + p], lr = w->Lr[k * np + p], li = w->Li[k * np + p];
    rom_pack yr = ROM_GET(sr + k * np), yi = ROM_GET(si + k * np);
    x0 -= l0 * ROM_GET(s0 + k * np);
    xr -= lr * yr - li * yi;
    xi -= lr * yi + li * yr;
  }
  ROM_PUT(s0 + p * np) = x0;
  ROM_PUT(sr + p * np) = xr;
  ROM_PUT(si + p * np) = xi;
}

// The same sums without packs: row i less what row p brings, u: row p of D U'.
ROM_INLINE void subtract_row(const int np, int p, int i, const real *restrict u0,
                             const real *restrict ur, const real *restrict ui, rom_work *w)
{
  const real l0 = w->L0[p * np + i], lr = w->Lr[p * np + i], li = w->Li[p * np + i];
  real *restrict s0 = w->S0 + i * np, *restrict sr = w->Sr + i * np, *restrict si = w->Si + i * np;
  for (int c = 0; c <= i; c++) {
    s0[c] -= l0 * u0[c];
    sr[c] -= lr * ur[c] - li * ui[c];
    si[c] -= lr * ui[c] + li * ur[c];
  }
}

// S = U D U', of the lower triangle, whose rows are those of the record, from the last row up: row
// p of L0, Lr, Li is column p of U, its diagonal 1/D; what is right of it is never read. A real
// matrix and a complex one together: each waits for its own divisions. Packs gather a row from
// those below, so that it stays in registers; without packs U takes the place of S: that much less
// memory is written, and the row that is next is worked on first: its division begins while the
// others go on.
ROM_INLINE void factor(const int n, const int np, rom_work *w)
{
  real *restrict v0 = w->z, *restrict vr = w->z + np, *restrict vi = w->z + 2 * np;
  for (int p = n - 1; p >= 0; p--) {
    const real *u0 = w->S0 + p * np, *ur = w->Sr + p * np, *ui = w->Si + p * np;
    real *l0 = w->L0 + p * np, *lr = w->Lr + p * np, *li = w->Li + p * np;
    for (int c = 0; ROM_PAD > 1 && c <= p; c += ROM_PAD) eliminate(n, np, p, c, w);
    real per = 1.0 / (ur[p] * ur[p] + ui[p] * ui[p]);
    real i0 = 1.0 / u0[p], ir = ur[p] * per, ii = -(ui[p] * per);
    for (int c = 0; c <= p; c += ROM_PAD) {
      rom_pack y0 = ROM_GET(u0 + c), yr = ROM_GET(ur + c), yi = ROM_GET(ui + c);
      if (ROM_PAD == 1) {
        ROM_PUT(v0 + c) = y0;
        ROM_PUT(vr + c) = yr;
        ROM_PUT(vi + c) = yi;
      }
      ROM_PUT(l0 + c) = y0 * i0;
      ROM_PUT(lr + c) = yr * ir - yi * ii;
      ROM_PUT(li + c) = yr * ii + yi * ir;
    }
    l0[p] = i0;
    lr[p] = ir;
    li[p] = ii;
    for (int i = p - 1; ROM_PAD == 1 && i >= 0; i--) subtract_row(np, p, i, v0, vr, vi, w);
  }
}

// z := (U D)⁻¹ x. A pack of x that holds p is used up: what is right of p there has left for z.
ROM_INLINE void solve_forward(const int n, const int np, const rom_work *w, const sides *x,
                              const sides *z)
{
  real *x0 = x->z0, *xr = x->zr, *xi = x->zi;
  for (int p = n - 1; p >= 0; p--) {
    const real *l0 = w->L0 + p * np, *lr = w->Lr + p * np, *li = w->Li + p * np;
    const real t0 = x0[p], tr = xr[p], ti = xi[p];
    for (int c = 0; c < p; c += ROM_PAD) {
      rom_pack yr = ROM_GET(lr + c), yi = ROM_GET(li + c);
      ROM_PUT(x0 + c) -= ROM_GET(l0 + c) * t0;
      ROM_PUT(xr + c) -= yr * tr - yi * ti;
      ROM_PUT(xi + c) -= yr * ti + yi * tr;
    }
    z->z0[p] = t0 * l0[p];
    z->zr[p] = tr * lr[p] - ti * li[p];
    z->zi[p] = tr * li[p] + ti * lr[p];
  }
}

// z := U'⁻¹ z. Sums go towards the diagonal: what is found last is added last.
ROM_INLINE void solve_backward(const int n, const int np, const rom_work *w, const sides *z)
{
  real *z0 = z->z0, *zr = z->zr, *zi = z->zi;
  for (int p = 1; p < n; p++) {
    const real *l0 = w->L0 + p * np, *lr = w->Lr + p * np, *li = w->Li + p * np;
    real s0 = rom_set(0.0), sr = rom_set(0.0), si = rom_set(0.0);
    for (int i = 0; i < p; i++) {
      real yr = zr[i], yi = zi[i];
      s0 += l0[i] * z0[i];
      sr += lr[i] * yr - li[i] * yi;
      si += lr[i] * yi + li[i] * yr;
    }
    z0[p] -= s0;
    zr[p] -= sr;
    zi[p] -= si;
  }
}

// The matrices of (3): where nothing turns the lower triangle.
ROM_INLINE void set_matrices(const int s, const int m, const mw_rom_opt *opt, int turns, double h,
                             rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  double g = ROM_POLE_C0 * h, g2 = g * g, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h,
         gr2 = gr * gr - gi * gi, gi2 = 2.0 * gr * gi;
  for (int i = 0; i < n; i++)
    for (int l = i * np; l <= i * np + (turns ? n - 1 : i); l += ROM_PAD) {
      rom_pack C = ROM_GET(w->C + l), K = ROM_GET(w->K + l);
      ROM_PUT(w->S0 + l) = g * C + g2 * K;
      ROM_PUT(w->Sr + l) = gr * C + gr2 * K;
      ROM_PUT(w->Si + l) = gi * C + gi2 * K;
    }
  for (int i = 0; i < s; i++)
    for (int l = i * np; l <= i * np + (turns ? n - 1 : i); l += ROM_PAD) {
      ROM_PUT(w->S0 + l) += ROM_GET(w->M + l);
      ROM_PUT(w->Sr + l) += ROM_GET(w->M + l);
    }
  for (int i = s; i < n; i++) {
    w->S0[i * np + i] += 1.0;
    w->Sr[i * np + i] += 1.0;
    for (int j = 0; j < s; j++) {
      w->S0[i * np + j] += w->M[j * np + i];
      w->Sr[i * np + j] += w->M[j * np + i];
    }
  }
  if (opt->prescribed) {
    unit_rows(s, m, opt->prescribed, np, 1.0, w->S0);
    unit_rows(s, m, opt->prescribed, np, 1.0, w->Sr);
    unit_rows(s, m, opt->prescribed, np, 0.0, w->Si);
  }
}

// The same from the packed fields, no laws, nothing prescribed. A pack that is stored beyond the
// end of its row lies in the next one's columns of theta, which are set later; behind the last row
// of S0 and Sr follow those of theta of the next matrix.
ROM_INLINE void set_matrices_packed(const mw_rom *rom, const int s, const int m, double h,
                                    rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  const real *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  double g = ROM_POLE_C0 * h, g2 = g * g, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h,
         gr2 = gr * gr - gi * gi, gi2 = 2.0 * gr * gi;
  for (int a = 0; a < m; C += ++a, K += a) {
    real *s0 = w->S0 + (s + a) * np, *sr = w->Sr + (s + a) * np, *si = w->Si + (s + a) * np;
    for (int b = 0; b <= a; b += ROM_PAD) {
      rom_pack c = ROM_GET(C + b), k = ROM_GET(K + b);
      ROM_PUT(s0 + s + b) = g * c + g2 * k;
      ROM_PUT(sr + s + b) = gr * c + gr2 * k;
      ROM_PUT(si + s + b) = gi * c + gi2 * k;
    }
    s0[s + a] += 1.0;
    sr[s + a] += 1.0;
    for (int i = 0; i < s; i++) {
      s0[i] = sr[i] = w->M[i * np + s + a];
      si[i] = rom_set(0.0);
    }
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j <= i; j++) {
      double c = i == j ? rom->c_theta[i] : 0.0;
      real M = w->M[i * np + j];
      w->S0[i * np + j] = g * c + M;
      w->Sr[i * np + j] = gr * c + M;
      w->Si[i * np + j] = rom_set(gi * c);
    }
}

// kv += Ĉ a ,  ka = K̂ a ,  ma = M̂ a  with the given accelerations a, 0 where they are free.
ROM_INLINE void set_given(const int s, const int m, const mw_rom_opt *opt, const double *thdd_p,
                          rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  for (int i = 0; i < n; i++) w->ka[i] = w->ma[i] = rom_set(0.0);
  for (int i = 0; i < s; i++) {
    double a = opt->prescribed >> i & 1u && thdd_p ? thdd_p[i] : 0.0;
    if (a == 0.0) continue;
    for (int j = 0; j < s; j++) w->ma[j] += w->M[j * np + i] * a;
    for (int k = s; k < n; k++) w->ma[k] += w->M[i * np + k] * a;
    for (int j = 0; j < n; j++) {
      w->kv[j] += w->C[j * np + i] * a;
      w->ka[j] += w->K[j * np + i] * a;
    }
  }
}

// rho = r(z) + K̂ (z_q - q0) + Ĉ (z_v - v0), z = w->mid: r has neither K delta nor C deld nor
// c_theta thd, which leaves - held, and what turning and laws add to K̂ and Ĉ.
ROM_INLINE void set_rho(const mw_rom *rom, const int s, const int m, int turns, const real *x0,
                        rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  for (int i = 0; (ROM_DERIVED || turns || rom->n_law > 0) && i < 2 * n; i++)
    w->gap[i] = w->mid[i] - x0[i];
  for (int i = 0; i < s; i++) w->rho[i] = w->r_theta[i] - w->held[i];
  for (int a = 0; a < m; a++) w->rho[s + a] = w->r_delta[a] - w->held[s + a];
  for (int i = 0; turns && i < n; i++) {
    real sum = rom_set(0.0);
    for (int j = 0; j < n; j++)
      sum += w->Kt[i * np + j] * w->gap[j] + w->Ct[i * np + j] * w->gap[n + j];
    w->rho[i] += sum;
  }
  for (int k = 0; k < rom->n_law; k++) {
    const real *g = w->slope + k * np;
    real g_q = rom_set(0.0), g_v = rom_set(0.0);
    for (int i = 0; i < n; i++) {
      g_q += g[i] * w->gap[i];
      g_v += g[i] * w->gap[n + i];
    }
    real f = w->f_y[k] * g_q + w->f_v[k] * g_v;
    for (int i = 0; i < n; i++) w->rho[i] -= f * g[i];
  }
}

// Right-hand sides of (3).
ROM_INLINE void set_sides(const int s, const int m, const mw_rom_opt *opt, double h,
                          const double *thdd_p, const rom_work *w, const sides *z)
{
  const int n = s + m;
  double g = ROM_POLE_C0 * h, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h;
  real *z0 = z->z0, *zr = z->zr, *zi = z->zi;
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
}

// (3): the state x1 after the step from x0, of the poles' (U D)⁻¹ right-hand sides, L⁻¹ where
// something turns.
ROM_INLINE void sum_poles(const int s, const int m, int turns, double h, const real *x0,
                          const rom_work *w, const sides *z, real *x1)
{
  const int n = s + m, np = rom_row(n);
  double g = ROM_POLE_C0 * h, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h, br = 2.0 * ROM_POLE_BR,
         bi = 2.0 * ROM_POLE_BI;
  if (turns)
    lu_backward(n, np, w, z);
  else
    solve_backward(n, np, w, z);
  // sum beta a ,  h sum beta c a
  double cr = br * gr - bi * gi, ci = br * gi + bi * gr;
  for (int i = 0; i < n; i++) {
    real z0 = z->z0[i], zr = z->zr[i], zi = z->zi[i];
    real a = ROM_POLE_B0 * z0 + (br * zr - bi * zi);
    real ca = (ROM_POLE_B0 * g) * z0 + (cr * zr - ci * zi);
    x1[n + i] = x0[n + i] + h * a;
    x1[i] = x0[i] + h * (x0[n + i] + ca);
  }
}

// S0, Sr += E: real parts of M̂ + c h Ĉ + (c h)² K̂; Ê = E. Apart, as the next one: steps where no
// mass changes are compiled as if these were not there.
static ROM_APART void mass_to_poles(const mw_rom *rom, rom_work *w)
{
  const int k = rom_n_G(rom), s = rom->s, np = w->np;
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++) {
      real E = w->E[a * MW_ROM_MAX_G + b];
      w->E0[a * MW_ROM_MAX_G + b] = E;
      w->S0[(s + a) * np + s + b] += E;
      w->Sr[(s + a) * np + s + b] += E;
    }
}

// r_delta -= (E - Ê) a
static ROM_APART void mass_moved(int k, const real *a, rom_work *w)
{
  for (int i = 0; i < k; i++)
    for (int j = 0; j < k; j++)
      w->r_delta[i] -= (w->E[i * MW_ROM_MAX_G + j] - w->E0[i * MW_ROM_MAX_G + j]) * a[j];
}

ROM_INLINE void first(const mw_rom *rom, const int s, const int m, const int turns,
                      const mw_rom_opt *opt, double h, const real *u, const double *thdd_p,
                      const real *x0, real *x1, rom_work *w)
{
  const int n = s + m, np = rom_row(n);
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
  rom_terms(rom, opt, z, u, turns ? ROM_NONLINEAR | ROM_KEEP : ROM_NONLINEAR, w);
  set_mass(s, m, w);
  if (rom_is_bare(rom, opt, turns)) {
    set_held_packed(rom, s, m, x0, w);
    set_matrices_packed(rom, s, m, h, w);
  } else {
    set_linear(rom, s, m, w);
    set_held(rom, s, m, x0, w);
    if (turns) add_turning(rom, s, m, opt, z, u, x0, w);
    add_laws(rom, s, m, z, x0, w);
    set_matrices(s, m, opt, turns, h, w);
    if (opt->prescribed) set_given(s, m, opt, thdd_p, w);
  }
  if (rom_mass_changes(rom, opt)) mass_to_poles(rom, w);
  set_rho(rom, s, m, turns, x0, w);
  const sides in = { w->side, w->side + np, w->side + 2 * np },
              out = { w->z, w->z + np, w->z + 2 * np };
  set_sides(s, m, opt, h, thdd_p, w, &in);
  if (turns) {
    lu_factor(n, np, &in, &out, w);
  } else {
    factor(n, np, w);
    solve_forward(n, np, w, &in, &out);
  }
  sum_poles(s, m, turns, h, x0, w, &out, x1);
}

ROM_INLINE void second(const mw_rom *rom, const int s, const int m, const int turns,
                       const mw_rom_opt *opt, double h, const real *u, const double *thdd_p,
                       const real *x0, real *x1, rom_work *w)
{
  const int n = s + m, np = rom_row(n);
  const double per_h = 1.0 / h;
  real *a = w->acc, *z = w->mid;
  for (int i = 0; i < n; i++) {
    if (i >= s) z[i] = 0.5 * (x0[i] + x1[i]);
    z[n + i] = 0.5 * (x0[n + i] + x1[n + i]);
    a[i] = (x1[n + i] - x0[n + i]) * per_h;
  }
  rom_terms(rom, opt, z, u, ROM_NONLINEAR | ROM_SAME, w);
  for (int i = 0; i < s; i++) {
    const real *B = w->B + i * w->mp, *M = w->M + i * np;
    for (int j = 0; j < s; j++) w->r_theta[i] -= (w->A[i * s + j] - M[j]) * a[j];
    for (int k = 0; k < m; k++) {
      real d = B[k] - M[s + k];
      w->r_theta[i] -= d * a[s + k];
      w->r_delta[k] -= d * a[i];
    }
  }
  if (rom_mass_changes(rom, opt)) mass_moved(rom_n_G(rom), a + s, w);
  set_rho(rom, s, m, turns, x0, w);
  const sides in = { w->side, w->side + np, w->side + 2 * np },
              out = { w->z, w->z + np, w->z + 2 * np };
  set_sides(s, m, opt, h, thdd_p, w, turns ? &out : &in);
  if (turns)
    lu_forward(n, np, w, &out);
  else
    solve_forward(n, np, w, &in, &out);
  sum_poles(s, m, turns, h, x0, w, &out, x1);
}

ROM_INLINE void solutions(const int s, const int m, const mw_rom *rom, const int turns,
                          const mw_rom_opt *opt, double h, const real *u, const double *thdd_p,
                          const real *x0, real *x1, int which, rom_work *w)
{
  if (which & ROM_FIRST) first(rom, s, m, turns, opt, h, u, thdd_p, x0, x1, w);
  if (which & ROM_SECOND) second(rom, s, m, turns, opt, h, u, thdd_p, x0, x1, w);
}

// Sizes that loops are laid out for, where something turns. Apart, so that the copies where nothing
// turns are compiled as if these were not there.
static ROM_APART void turning(const mw_rom *rom, const mw_rom_opt *opt, double h, const real *u,
                              const double *thdd_p, const real *x0, real *x1, int which,
                              rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (ROM_IS(s, m, 2, 10))
    solutions(2, 10, rom, 1, opt, h, u, thdd_p, x0, x1, which, w);
  else
    solutions(s, m, rom, 1, opt, h, u, thdd_p, x0, x1, which, w);
}

void rom_exp_step(const mw_rom_call *call, const real *u, const real *x0, real *x1, int which,
                  rom_work *w)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  const double *thdd_p = call->thdd_p;
  const double h = call->h;
  if (rom_turns(rom, opt))
    turning(rom, opt, h, u, thdd_p, x0, x1, which, w);
  else
    ROM_OF_SIZE(solutions, rom->s, rom->m, rom, 0, opt, h, u, thdd_p, x0, x1, which, w);
}
