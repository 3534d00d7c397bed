// SPDX-License-Identifier: BSD-3-Clause
// rom_sens.c: exact derivatives of the exponential step; those of any step, and of a rollout's
// cost.
//
// With the names of rom_exp.c, the hats at z⁰ = (q̄, v̄) of the first solution, and r(z) - M(z) a =
// - R(z; a) of rom_jacobian_terms.c, every pole's equation
//   Ŝ a_p = rho - c h K̂ v0 ,  Ŝ = M̂ + c h Ĉ + (c h)² K̂ ,  rho = - R(z;
//       a) + M̂ a + K̂ kappa + Ĉ nu      (1)
// (kappa = z_q - q0, nu = z_v - v0; a = 0 in the first solution) is differentiated as it stands:
//   Ŝ da_p = drho - c h K̂ dv0 - c h dK̂ v0 - dŜ a_p                                            (2)
// All that the hats' own change brings is, for real and imaginary part each, one
//   T(xi, eta, zeta) = dM̂ xi + dĈ eta + dK̂ zeta                                               (3)
//   xi = a - a_p ,  eta = nu - c h a_p ,  zeta = kappa - c h v0 - (c h)² a_p
// whose columns are derivatives by q̄ and v̄ (laws: Ĉ, K̂ depend on the rate). The second
// solution's z is half the first's end: its derivatives enter by one product [n × 2n] [2n × (2n +
// n_u)]. theta̅ kept at the border does not move.
//
// Where something turns: rom_sens_turn.c.
//
// Cost: two derivatives of the equations of motion, six T, UDU' solutions for all columns.
// Allocates nothing.
#include "rom_sens.h"
#include "motion/rom_mass.h"
#include "step/rom_turn.h"

static double *sens_slice(double *base, size_t *used, int n)
{
  double *at = base ? base + *used : NULL;
  *used += ((size_t)n + 7) / 8 * 8;
  return at;
}

static size_t sens_layout(exp_sens *w, const mw_rom *rom, void *mem)
{
  int s = rom->s, m = rom->m, n = s + m, ss = s * (s + 1) / 2;
  size_t used = rom_sens_layout(&w->s, rom, mem) / sizeof(double);
  double *base = mem;
  w->nc = 2 * n + rom->n_u;
  w->ld = (w->nc + 7) / 8 * 8;
  w->x0 = sens_slice(base, &used, 2 * n);
  w->x1 = sens_slice(base, &used, 2 * n);
  w->X = sens_slice(base, &used, 2 * n * w->ld);
  w->base = sens_slice(base, &used, n * w->ld);
  w->T = sens_slice(base, &used, n * w->ld);
  w->D0 = sens_slice(base, &used, n * w->ld);
  w->Dr = sens_slice(base, &used, n * w->ld);
  w->Di = sens_slice(base, &used, n * w->ld);
  w->G = sens_slice(base, &used, n * 2 * n);
  w->h = sens_slice(base, &used, ss * m);
  w->A_l = sens_slice(base, &used, s * ss);
  w->B_l = sens_slice(base, &used, s * s * m);
  w->xi = sens_slice(base, &used, n);
  w->eta = sens_slice(base, &used, n);
  w->zeta = sens_slice(base, &used, n);
  w->e = sens_slice(base, &used, m * (m - 1) / 2);
  w->curve = sens_slice(base, &used, n * n);
  w->unit = sens_slice(base, &used, n);
  w->law = sens_slice(base, &used, 6 * rom->n_law);
  w->g = sens_slice(base, &used, s * m);
  w->X_sym = sens_slice(base, &used, m * (m + 1) / 2);
  return used * sizeof(double);
}

size_t rom_exp_sens_bytes(const mw_rom *rom)
{
  exp_sens w;
  return sens_layout(&w, rom, NULL);
}

// ---- change of the hats -------------------------------------------------------------------------

// h_ij, A_ij,l and B_i,l at delta; the fields are in the jacobian's work.
static void set_mass_slopes(const mw_rom *rom, int full, const double *delta, exp_sens *w)
{
  int s = rom->s, m = rom->m, ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const rom_jac *j = &w->s.jac;
  const mw_rom_layout *l = &j->lay;
  for (int p = 0; full && p < ss; p++) {
    double *h = w->h + p * m;
    rom_jac_clear(m, h);
    if (!(rom->zero_c >> p & 1u)) rom_packed_sym_add(m, j->value + l->c + p * mm, delta, h);
    for (int a = 0; a < m; a++) h[a] = 2.0 * h[a] + j->value[l->b + p * m + a];
  }
  for (int k = 0; k < s; k++) {
    if (rom_jac_is_flat(rom, k)) continue;
    const double *f = rom_jac_gradient(rom, j, k);
    for (int p = 0; p < ss; p++) {
      double *c = w->unit, A = f[l->a + p];
      if (full) A += rom_dot(m, f + l->b + p * m, delta);
      if (full && !(rom->zero_c >> p & 1u)) {
        rom_jac_clear(m, c);
        rom_packed_sym_add(m, f + l->c + p * mm, delta, c);
        A += rom_dot(m, c, delta);
      }
      w->A_l[k * ss + p] = A;
    }
    for (int i = 0; i < s; i++) {
      double *B = w->B_l + (k * s + i) * m;
      for (int a = 0; a < m; a++) B[a] = f[l->d + i * m + a];
      if (full && !(rom->zero_e >> i & 1u)) rom_packed_skew_add(m, f + l->e + i * mk, delta, B);
      if (full && rom_has_H(rom, i)) rom_packed_sym_add(m, f + l->H + i * mm, delta, B);
    }
    if (j->with_third) rom_jac_third_of(rom, delta, f, j, w->A_l + k * ss, w->B_l + k * s * m, m);
  }
}

// T by theta: columns of M̂ xi + Ĉ eta + K̂ zeta.
static void add_by_theta(const mw_rom *rom, const double *delta, exp_sens *w)
{
  int s = rom->s, m = rom->m, ss = s * (s + 1) / 2, ld = w->ld, n_G = w->full ? rom_n_G(rom) : 0;
  const rom_jac *j = &w->s.jac;
  double *y = w->unit, P[MW_ROM_MAX_G * MW_ROM_MAX_G], Ex[MW_ROM_MAX_G];
  for (int k = 0; k < s; k++) {
    if (rom_jac_is_flat(rom, k)) continue;
    const double *f = rom_jac_gradient(rom, j, k);
    rom_jac_clear(m, y);
    rom_packed_sym_add(m, f + j->lay.C, w->eta + s, y);
    rom_packed_sym_add(m, f + j->lay.K, w->zeta + s, y);
    if (n_G > 0) {
      rom_mass_sum(n_G, f + j->lay.G, delta, P);
      rom_mass_times(n_G, P, w->xi + s, Ex);
      rom_jac_add(n_G, 1.0, Ex, y);
    }
    for (int i = 0; i < s; i++) {
      const double *B = w->B_l + (k * s + i) * m;
      double sum = rom_dot(m, B, w->xi + s);
      for (int l = 0; l < s; l++) sum += w->A_l[k * ss + rom_jac_pair(i, l)] * w->xi[l];
      w->T[i * ld + k] += sum;
      rom_jac_add(m, w->xi[i], B, y);
    }
    for (int a = 0; a < m; a++) w->T[(s + a) * ld + k] += y[a];
  }
}

// T by delta: of M̂ xi alone.
static void add_by_delta(const mw_rom *rom, const double *delta, exp_sens *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, ld = w->ld;
  const rom_jac *j = &w->s.jac;
  double *y = w->unit;
  rom_jac_clear(mk, w->e);
  for (int i = 0; i < s; i++) {
    const double *e = j->value + j->lay.e + i * mk;
    double *row = w->T + i * ld + s;
    for (int l = 0; l < s; l++) rom_jac_add(m, w->xi[l], w->h + rom_jac_pair(i, l) * m, row);
    if (rom_has_H(rom, i)) {
      const double *H = j->value + j->lay.H + i * mm;
      rom_packed_sym_add(m, H, w->xi + s, row);
      rom_sens_packed(rom, w->xi[i], H, w);
    }
    if (rom->zero_e >> i & 1u) continue;
    rom_jac_clear(m, y);
    rom_packed_skew_add(m, e, w->xi + s, y);
    for (int a = 0; a < m; a++) row[a] -= y[a];
    rom_jac_add(mk, w->xi[i], e, w->e);
  }
  const double *e = w->e;
  for (int a = 0; a < m; a++)
    for (int b = 0; b < a; b++, e++) {
      w->T[(s + a) * ld + s + b] += *e;
      w->T[(s + b) * ld + s + a] -= *e;
    }
  double P[MW_ROM_MAX_G * MW_ROM_MAX_G];
  if (rom_n_G(rom) > 0) rom_jac_mass_slope(rom_n_G(rom), j->value + j->lay.G, w->xi + s, P);
  for (int a = 0; a < rom_n_G(rom); a++)
    rom_jac_add(rom_n_G(rom), 1.0, P + a * MW_ROM_MAX_G, w->T + (s + a) * ld + s);
  if (j->with_third) rom_jac_third_mass(rom, delta, w->xi, j, ld, w->T);
}

// T of a law: K̂ = - f_y g g', Ĉ = - f_v g g'; f [6] at z⁰, whose velocity is v.
static void add_by_law(const mw_rom *rom, int k, const double *delta, const double *v, exp_sens *w)
{
  int n = rom->s + rom->m, ld = w->ld, field = rom->law[k].field;
  rom_jac *j = &w->s.jac;
  const double *f = w->law + 6 * k;
  rom_field_slope(rom, j, field, delta, j->g);
  rom_field_curve(rom, j, field, delta, v, j->g_dot);
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < n; l++) w->unit[l] = l == i ? 1.0 : 0.0;
    rom_field_curve(rom, j, field, delta, w->unit, w->curve + i * n);
  }
  const double *g = j->g, *z[2] = { w->zeta, w->eta };
  for (int part = 0; part < 2; part++) {  // f_y with zeta, f_v with eta
    double size = rom_dot(n, g, z[part]), slope = f[1 + part];
    double by_y = f[3 + part] * size, by_v = f[4 + part] * size;
    for (int l = 0; l < n; l++) w->unit[l] = slope * rom_dot(n, w->curve + l * n, z[part]);
    for (int i = 0; i < n; i++) {
      double *row = w->T + i * ld;
      for (int l = 0; l < n; l++) {
        row[l] -= g[i] * (by_y * g[l] + by_v * j->g_dot[l] + w->unit[l]) +
                  slope * size * w->curve[i * n + l];
        row[n + l] -= g[i] * (by_v * g[l]);
      }
    }
  }
}

// D := base + T, T (by q̄, v̄) as derivatives by x0: q̄ = q0 + h/2 v0 but for theta̅ at the border,
// v̄ = v0 + constant.
static void set_columns(const mw_rom *rom, const mw_rom_opt *opt, double h, const double *first,
                        exp_sens *w, double *D)
{
  int s = rom->s, n = s + rom->m, ld = w->ld;
  for (int i = 0; i < n * ld; i++) w->T[i] = 0.0;
  add_by_theta(rom, first + s, w);
  if (opt->inertia == MW_ROM_FULL) add_by_delta(rom, first + s, w);
  for (int k = 0; k < rom->n_law; k++) add_by_law(rom, k, first + s, first + n, w);
  if (w->turns) rom_sens_turning(rom, first, w);
  for (int i = 0; i < n; i++) {
    const double *restrict T = w->T + i * ld, *restrict from = w->base + i * ld;
    double *restrict row = D + i * ld;
    for (int c = 0; c < ld; c++) row[c] = from[c];
    for (int l = 0; l < n; l++) {
      double t = l < s ? w->moves[l] * T[l] : T[l];
      row[l] += t;
      row[n + l] += 0.5 * h * t + T[n + l];
    }
    for (int k = 2 * n; w->turns && k < w->nc; k++) row[k] += T[k];
  }
}

// ---- solutions ----------------------------------------------------------------------------------

// U D U' of rom_exp.c for ROM_PAD columns from c on.
static void solve_pack(const int n, const rom_work *work, int c, exp_sens *w)
{
  const int np = rom_row(n), ld = w->ld;
  double *D0 = w->D0 + c, *Dr = w->Dr + c, *Di = w->Di + c;
  for (int p = n - 2; p >= 0; p--) {
    rom_pack x0 = ROM_GET(D0 + p * ld), xr = ROM_GET(Dr + p * ld), xi = ROM_GET(Di + p * ld);
    for (int k = n - 1; k > p; k--) {
      double l0 = work->L0[k * np + p], lr = work->Lr[k * np + p], li = work->Li[k * np + p];
      rom_pack yr = ROM_GET(Dr + k * ld), yi = ROM_GET(Di + k * ld);
      x0 -= l0 * ROM_GET(D0 + k * ld);
      xr -= lr * yr - li * yi;
      xi -= lr * yi + li * yr;
    }
    ROM_PUT(D0 + p * ld) = x0;
    ROM_PUT(Dr + p * ld) = xr;
    ROM_PUT(Di + p * ld) = xi;
  }
  for (int p = 0; p < n; p++) {
    const double *l0 = work->L0 + p * np, *lr = work->Lr + p * np, *li = work->Li + p * np;
    rom_pack yr = ROM_GET(Dr + p * ld), yi = ROM_GET(Di + p * ld);
    rom_pack x0 = ROM_GET(D0 + p * ld) * l0[p], xr = yr * lr[p] - yi * li[p],
             xi = yr * li[p] + yi * lr[p];
    for (int i = 0; i < p; i++) {
      yr = ROM_GET(Dr + i * ld);
      yi = ROM_GET(Di + i * ld);
      x0 -= l0[i] * ROM_GET(D0 + i * ld);
      xr -= lr[i] * yr - li[i] * yi;
      xi -= lr[i] * yi + li[i] * yr;
    }
    ROM_PUT(D0 + p * ld) = x0;
    ROM_PUT(Dr + p * ld) = xr;
    ROM_PUT(Di + p * ld) = xi;
  }
}

// L U of rom_turn.h, likewise.
static void lu_solve_pack(const int n, const rom_work *work, int c, exp_sens *w)
{
  const int np = rom_row(n), ld = w->ld;
  double *D0 = w->D0 + c, *Dr = w->Dr + c, *Di = w->Di + c;
  for (int q = 1; q < 2 * n; q++) {
    const int back = q >= n, p = back ? 2 * n - 1 - q : q, from = back ? p + 1 : 0,
              end = back ? n : p;
    const double *l0 = (back ? work->S0 : work->L0) + p * np,
                 *lr = (back ? work->Sr : work->Lr) + p * np,
                 *li = (back ? work->Si : work->Li) + p * np;
    rom_pack x0 = ROM_GET(D0 + p * ld), xr = ROM_GET(Dr + p * ld), xi = ROM_GET(Di + p * ld);
    for (int k = from; k < end; k++) {
      rom_pack yr = ROM_GET(Dr + k * ld), yi = ROM_GET(Di + k * ld);
      x0 -= l0[k] * ROM_GET(D0 + k * ld);
      xr -= lr[k] * yr - li[k] * yi;
      xi -= lr[k] * yi + li[k] * yr;
    }
    if (back) {
      const double *i0 = work->L0 + p * np + p, *ir = work->Lr + p * np + p,
                   *ii = work->Li + p * np + p;
      rom_pack yr = xr;
      x0 = x0 * *i0;
      xr = yr * *ir - xi * *ii;
      xi = yr * *ii + xi * *ir;
    }
    ROM_PUT(D0 + p * ld) = x0;
    ROM_PUT(Dr + p * ld) = xr;
    ROM_PUT(Di + p * ld) = xi;
  }
}

static void solve_columns(int n, const rom_work *work, exp_sens *w)
{
  for (int c = 0; c < w->ld; c += ROM_PAD)
    if (w->turns)
      lu_solve_pack(n, work, c, w);
    else
      solve_pack(n, work, c, w);
}

// One solution's derivatives X from base: what the change of the hats adds, the poles, the sums.
// first: z⁰; a [n] (NULL: 0) as in (1); the solutions are in work.z, kappa and nu in work.gap.
static void differentiate(const mw_rom *rom, const mw_rom_opt *opt, double h, const double *first,
                          const double *a, exp_sens *w)
{
  int s = rom->s, n = s + rom->m, np = w->s.work.np, ld = w->ld;
  const rom_work *work = &w->s.work;
  const double *kappa = work->gap, *nu = kappa + n, *v0 = w->x0 + n;
  double g = ROM_POLE_C0 * h, gr = ROM_POLE_CR * h, gi = ROM_POLE_CI * h;
  double pr = gr * gr - gi * gi, pi = 2.0 * gr * gi;
  double *const D[3] = { w->D0, w->Dr, w->Di };
  for (int part = 0; part < 3; part++) {
    double c = part == 0 ? g : part == 1 ? gr : gi, on = part == 2 ? 0.0 : 1.0;
    for (int i = 0; i < n; i++) {
      double z0 = work->z[i], zr = work->z[np + i], zi = work->z[2 * np + i];
      double z = part == 0 ? z0 : part == 1 ? zr : zi;
      double cz = part == 0 ? g * z0 : part == 1 ? gr * zr - gi * zi : gr * zi + gi * zr;
      double c2z = part == 0 ? g * g * z0 : part == 1 ? pr * zr - pi * zi : pr * zi + pi * zr;
      w->xi[i] = (a ? on * a[i] : 0.0) - z;
      w->eta[i] = on * nu[i] - cz;
      w->zeta[i] = on * kappa[i] - c * v0[i] - c2z;
    }
    if (part == 2)
      for (int i = 0; i < n * ld; i++) w->base[i] = 0.0;
    set_columns(rom, opt, h, first, w, D[part]);
    for (int i = 0; i < n; i++)
      for (int l = 0; l < n; l++) D[part][i * ld + n + l] -= c * work->K[i * np + l];
    for (int i = 0; i < s; i++)
      if (opt->prescribed >> i & 1u) rom_jac_clear(ld, D[part] + i * ld);
  }
  solve_columns(n, work, w);
  double br = 2.0 * ROM_POLE_BR, bi = 2.0 * ROM_POLE_BI, cr = br * gr - bi * gi,
         ci = br * gi + bi * gr;
  for (int i = 0; i < n; i++) {
    const double *restrict d0 = w->D0 + i * ld, *restrict dr = w->Dr + i * ld,
                           *restrict di = w->Di + i * ld;
    double *restrict q = w->X + i * ld, *restrict v = w->X + (n + i) * ld;
    for (int k = 0; k < ld; k++) {
      v[k] = h * (ROM_POLE_B0 * d0[k] + (br * dr[k] - bi * di[k]));
      q[k] = h * ((ROM_POLE_B0 * g) * d0[k] + (cr * dr[k] - ci * di[k]));
    }
    v[n + i] += 1.0;
    q[i] += 1.0;
    q[n + i] += h;
  }
}

// ---- what does not come from the hats' own change -----------------------------------------------

// base of the first solution: - dR + K̂ dkappa, R at fixed a = 0.
static void set_first_base(const mw_rom *rom, double h, exp_sens *w)
{
  int s = rom->s, n = s + rom->m, np = w->s.work.np, ld = w->ld;
  const rom_jac *j = &w->s.jac;
  for (int i = 0; i < n; i++) {
    const double *R = j->R + i * j->ld, *K = w->s.work.K + i * np;
    double *row = w->base + i * ld;
    rom_jac_clear(ld, row);
    for (int l = 0; l < n; l++) {
      double moves = l < s ? w->moves[l] : 1.0;
      row[l] = -moves * R[l] - (1.0 - moves) * K[l];
      row[n + l] = -0.5 * h * moves * R[l] - R[n + l] + 0.5 * h * moves * K[l];
    }
    for (int k = 0; k < rom->n_u; k++) row[2 * n + k] = -R[2 * n + k];
  }
}

// M(z) - M̂, entry (i, l); n_G columns have E.
static double mass_change(const mw_rom *rom, int n_G, const rom_work *work, int i, int l)
{
  int s = rom->s, at = (i - s) * MW_ROM_MAX_G + l - s;
  if (i >= s && l >= s) return i < s + n_G && l < s + n_G ? work->E[at] - work->E0[at] : 0.0;
  int row = i < s ? i : l, column = i < s ? l : i;
  double M = work->M[row * work->np + column];
  return (column < s ? work->A[row * s + column] : work->B[row * work->mp + column - s]) - M;
}

// base of the second: z's delta and velocities are means of start and end, X the first solution's
// derivatives.
static void set_second_base(const mw_rom *rom, double h, exp_sens *w)
{
  int s = rom->s, n = s + rom->m, np = w->s.work.np, ld = w->ld;
  const rom_jac *j = &w->s.jac;
  const rom_work *work = &w->s.work;
  for (int i = 0; i < n; i++) {
    const double *R = j->R + i * j->ld, *K = work->K + i * np, *C = work->C + i * np;
    double *row = w->base + i * ld, *G = w->G + i * 2 * n;
    rom_jac_clear(ld, row);
    for (int l = 0; l < n; l++) {
      double dM = mass_change(rom, j->n_G, work, i, l) / h, by_v = 0.5 * (C[l] - R[n + l]);
      G[n + l] = by_v - dM;
      row[n + l] = by_v - C[l] + dM;
    }
    for (int l = 0; l < s; l++) {
      G[l] = 0.0;
      row[l] -= w->moves[l] * R[l] + (1.0 - w->moves[l]) * K[l];
      row[n + l] += 0.5 * h * w->moves[l] * (K[l] - R[l]);
    }
    for (int l = s; l < n; l++) {
      G[l] = 0.5 * (K[l] - R[l]);
      row[l] = G[l] - K[l];
    }
    for (int k = 0; k < rom->n_u; k++) row[2 * n + k] = -R[2 * n + k];
    for (int l = 0; l < 2 * n; l++) rom_add_row(ld, G[l], w->X + l * ld, row);
  }
}

void rom_exp_sens(const mw_rom_call *call, const double *x, double *x1, double *x_x, double *x_u)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  const double *u = call->u, *thdd_p = call->thdd_p;
  const double h = call->h;
  exp_sens w;
  (void)sens_layout(&w, rom, call->work);
  w.turns = rom_turns(rom, opt);
  w.full = opt->inertia == MW_ROM_FULL;
  w.u = u;
  int s = rom->s, n = s + rom->m, nx = 2 * n, full = opt->inertia == MW_ROM_FULL;
  rom_work *work = &w.s.work;
  rom_jac *j = &w.s.jac;
  for (int i = 0; i < nx; i++) w.x0[i] = x[i];
  rom_exp_step(call, u, w.x0, w.x1, ROM_FIRST, work);
  rom_exp_lay(rom, opt, work);
  for (int i = 0; i < s; i++) {
    double at = x[i] + 0.5 * h * x[n + i];
    if ((opt->prescribed >> i & 1u) && thdd_p) at += 0.125 * h * h * thdd_p[i];
    w.moves[i] = work->mid[i] == at ? 1.0 : 0.0;
  }
  // z⁰ outlives the first solution in work.next
  double *first = work->next;
  for (int i = 0; i < nx; i++) first[i] = work->mid[i];
  for (int i = 0; i < 6 * rom->n_law; i++) w.law[i] = work->law[i];
  rom_interpolate_second(rom, opt, first, 0, j);
  rom_terms_derivative(rom, opt, first, u, NULL, j);
  set_mass_slopes(rom, full, first + s, &w);
  set_first_base(rom, h, &w);
  differentiate(rom, opt, h, first, NULL, &w);
  rom_exp_step(call, u, w.x0, w.x1, ROM_SECOND, work);
  rom_terms_derivative(rom, opt, work->mid, u, work->acc, j);
  set_second_base(rom, h, &w);
  differentiate(rom, opt, h, first, work->acc, &w);
  for (int i = 0; i < nx; i++) {
    x1[i] = w.x1[i];
    for (int k = 0; k < nx; k++) x_x[i * nx + k] = w.X[i * w.ld + k];
    for (int k = 0; k < rom->n_u; k++) x_u[i * rom->n_u + k] = w.X[i * w.ld + nx + k];
  }
}
