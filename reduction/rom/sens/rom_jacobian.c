// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian.c: derivatives of the accelerations by state and input.
//
//   R(q, v, u; a) = M(q) a - r(q, v, u) ,   d acc = - M⁻¹ dR  at a = acc                        (1)
// dR without forces: rom_jacobian_terms.c. A force F along a field y, g = y,q and g' = dg/dt, F = u
// or
// that of a law at y and dy/dt = g·q':
//   dQ/dq = F y,qq + g (F_y g + F_v g')ᵀ ,   dQ/dq' = F_v g gᵀ ,   dQ/du = g                    (2)
// M⁻¹ with the s × s matrix A - B (I + E)⁻¹ Bᵀ (free coordinates alone) on whole rows of dR. Cost:
// s (m + s) (2n + n_u) products. Called by mw_rom_outputs_jacobian and the steps' derivatives too.
// Allocates nothing.
#include "rom_derive.h"

// ---- memory -------------------------------------------------------------------------------------

// The next n doubles of base (NULL: measure only), each slice 64-byte aligned.
static double *jac_slice(double *base, size_t *used, int n)
{
  double *at = base ? base + *used : NULL;
  *used += ((size_t)n + 7) / 8 * 8;
  return at;
}

static size_t jac_layout(rom_jac *j, const mw_rom *rom, double *base)
{
  int s = rom->s, m = rom->m, n = s + m, ss = s * (s + 1) / 2, mm = m * (m + 1) / 2,
      mk = m * (m - 1) / 2;
  size_t used = 0;
  j->lay = rom_layout_of(rom, rom->s, rom->m);
  j->mp = (m + 7) / 8 * 8;
  j->ld = (2 * n + rom->n_u + 7) / 8 * 8;
  j->value = jac_slice(base, &used, j->lay.n + ROM_ROW);
  j->gradient = jac_slice(base, &used, s * j->lay.n + ROM_ROW);
  j->hessian = jac_slice(base, &used, ss * j->lay.n);
  j->R = jac_slice(base, &used, n * j->ld);
  j->R0 = jac_slice(base, &used, s * j->ld);
  j->third = jac_slice(base, &used, s * (j->lay.n - j->lay.y));
  j->A = jac_slice(base, &used, s * s);
  j->B = jac_slice(base, &used, s * j->mp);
  j->E = jac_slice(base, &used, rom_n_G(rom) * MW_ROM_MAX_G);
  j->SB = jac_slice(base, &used, rom_n_G(rom) > 0 ? s * j->mp : 0);
  j->a = jac_slice(base, &used, n);
  j->dd = jac_slice(base, &used, mm);
  j->dw = jac_slice(base, &used, mm);
  j->db = jac_slice(base, &used, mm);
  j->ed = jac_slice(base, &used, mk);
  j->eb = jac_slice(base, &used, mk);
  j->sym = jac_slice(base, &used, mm);
  j->skew = jac_slice(base, &used, mk);
  j->P = jac_slice(base, &used, mk);
  j->G = jac_slice(base, &used, mk);
  j->g = jac_slice(base, &used, n);
  j->g_dot = jac_slice(base, &used, n);
  for (int k = 0; k < 6; k++) j->row[k] = jac_slice(base, &used, j->mp);
  j->train = jac_slice(base, &used, rom_second_doubles(rom));
  return used;
}

size_t rom_sens_layout(rom_sens *w, const mw_rom *rom, void *mem)
{
  char *base = mem;
  size_t bytes = mw_rom_work_bytes(rom);
  if (base) rom_work_init(&w->work, rom, base);
  bytes +=
      sizeof(double) * jac_layout(&w->jac, rom, base ? (double *)(void *)(base + bytes) : NULL);
  return bytes;
}

void rom_sens_init(rom_sens *w, const mw_rom *rom, void *mem)
{
  (void)rom_sens_layout(w, rom, mem);
}

// ---- forces -------------------------------------------------------------------------------------

// 1/2 delta·Y delta of a field in a record f.
static double jac_bend(const mw_rom *rom, const rom_jac *j, const double *f, int field,
                       const double *delta)
{
  int q = rom_curvature(rom, field), m = rom->m;
  if (q < 0) return 0.0;
  const double *Y = f + j->lay.Y + q * (m * (m + 1) / 2);
  double sum = 0.0;
  for (int a = 0; a < m; Y += ++a) sum += delta[a] * (rom_dot(a, Y, delta) + 0.5 * Y[a] * delta[a]);
  return sum;
}

void rom_field_row(const mw_rom *rom, const rom_jac *j, const double *f, int field,
                   const double *delta, double *out)
{
  int m = rom->m, q = rom_curvature(rom, field);
  const double *y1 = f + j->lay.y + field * (1 + m) + 1;
  for (int a = 0; a < m; a++) out[a] = y1[a];
  if (q >= 0) rom_packed_sym_add(m, f + j->lay.Y + q * (m * (m + 1) / 2), delta, out);
}

// First and second derivatives of a field y at delta.
static double jac_y_k(const mw_rom *rom, const rom_jac *j, const double *delta, int k, int field)
{
  const double *f = rom_jac_gradient(rom, j, k), *y = f + j->lay.y + field * (1 + rom->m);
  if (rom_jac_is_flat(rom, k)) return y[0];
  return y[0] + rom_dot(rom->m, y + 1, delta) + jac_bend(rom, j, f, field, delta);
}

static double jac_y_kl(const mw_rom *rom, const rom_jac *j, const double *delta, int k, int l,
                       int field)
{
  if (rom_jac_is_flat(rom, k) || rom_jac_is_flat(rom, l)) return 0.0;
  const double *f = rom_jac_hessian(rom, j, k, l), *y = f + j->lay.y + field * (1 + rom->m);
  return y[0] + rom_dot(rom->m, y + 1, delta) + jac_bend(rom, j, f, field, delta);
}

void rom_field_slope(const mw_rom *rom, const rom_jac *j, int field, const double *delta, double *g)
{
  for (int i = 0; i < rom->s; i++) g[i] = jac_y_k(rom, j, delta, i, field);
  rom_field_row(rom, j, j->value, field, delta, g + rom->s);
}

void rom_field_curve(const mw_rom *rom, const rom_jac *j, int field, const double *delta,
                     const double *z, double *out)
{
  int s = rom->s, m = rom->m, q = rom_curvature(rom, field);
  double *y1 = j->row[0];
  rom_jac_clear(s + m, out);
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < s; k++) out[i] += jac_y_kl(rom, j, delta, i, k, field) * z[k];
    if (rom_jac_is_flat(rom, i)) continue;
    rom_field_row(rom, j, rom_jac_gradient(rom, j, i), field, delta, y1);
    out[i] += rom_dot(m, y1, z + s);
    rom_jac_add(m, z[i], y1, out + s);
  }
  if (q >= 0) rom_packed_sym_add(m, j->value + j->lay.Y + q * (m * (m + 1) / 2), z + s, out + s);
}

// R by theta and delta -= F y,qq
static void add_jac_curve(const mw_rom *rom, const double *delta, int field, double F, rom_jac *j)
{
  int s = rom->s, m = rom->m, ld = j->ld, q = rom_curvature(rom, field);
  double *y1 = j->row[0];
  const double *Y = j->value + j->lay.Y + (q < 0 ? 0 : q) * (m * (m + 1) / 2);
  for (int a = 0; q >= 0 && a < m; Y += ++a)
    for (int b = 0; b <= a; b++) {
      j->R[(s + a) * ld + s + b] -= F * Y[b];
      if (b < a) j->R[(s + b) * ld + s + a] -= F * Y[b];
    }
  for (int i = 0; i < s; i++) {
    for (int l = 0; l < s; l++) j->R[i * ld + l] -= F * jac_y_kl(rom, j, delta, i, l, field);
    if (rom_jac_is_flat(rom, i)) continue;
    rom_field_row(rom, j, rom_jac_gradient(rom, j, i), field, delta, y1);
    for (int a = 0; a < m; a++) {
      j->R[i * ld + s + a] -= F * y1[a];
      j->R[(s + a) * ld + i] -= F * y1[a];
    }
  }
}

void rom_jac_add_forces(const mw_rom *rom, const double *x, const double *u, rom_jac *j)
{
  int s = rom->s, m = rom->m, n = s + m, ld = j->ld;
  const double *delta = x + s, *q_dot = x + n;
  for (int k = 0; k < rom->n_u; k++) {
    rom_field_slope(rom, j, rom->u_field[k], delta, j->g);
    add_jac_curve(rom, delta, rom->u_field[k], u[k], j);
    for (int i = 0; i < n; i++) j->R[i * ld + 2 * n + k] = -j->g[i];
    for (int i = 0; i < s; i++) j->residual[i] -= u[k] * j->g[i];
  }
  for (int k = 0; k < rom->n_law; k++) {
    const mw_rom_law *law = &rom->law[k];
    const double *y = j->value + j->lay.y + law->field * (1 + m);
    double F[6];
    rom_field_slope(rom, j, law->field, delta, j->g);
    rom_field_curve(rom, j, law->field, delta, q_dot, j->g_dot);
    mw_rom_law_eval(law,
                    y[0] + rom_dot(m, y + 1, delta) + jac_bend(rom, j, j->value, law->field, delta),
                    rom_dot(n, j->g, q_dot), F);
    add_jac_curve(rom, delta, law->field, F[0], j);
    for (int i = 0; i < s; i++) j->residual[i] -= F[0] * j->g[i];
    for (int i = 0; i < n; i++) {
      double *row = j->R + i * ld, by_y = j->g[i] * F[1], by_v = j->g[i] * F[2];
      for (int l = 0; l < n; l++) {
        row[l] -= by_y * j->g[l] + by_v * j->g_dot[l];
        row[n + l] -= by_v * j->g[l];
      }
    }
  }
}

// ---- accelerations ------------------------------------------------------------------------------

// Rows delta of R := (I + E)⁻¹ of them, SB = (I + E)⁻¹ B; 0: it is not positive definite.
static int jac_take_mass(const mw_rom *rom, int nc, rom_jac *j)
{
  int s = rom->s, k = j->n_G;
  double F[MW_ROM_MAX_G * MW_ROM_MAX_G] = { 0.0 }, y[MW_ROM_MAX_G];
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      F[a * MW_ROM_MAX_G + b] = j->E[a * MW_ROM_MAX_G + b] + (a == b ? 1.0 : 0.0);
  if (!rom_invert(k, MW_ROM_MAX_G, F)) return 0;
  for (int c = 0; c < nc; c++) {
    rom_jac_clear(k, y);
    for (int b = 0; b < k; b++)
      for (int a = 0; a < k; a++) y[a] += F[b * MW_ROM_MAX_G + a] * j->R[(s + b) * j->ld + c];
    for (int a = 0; a < k; a++) j->R[(s + a) * j->ld + c] = y[a];
  }
  for (int i = 0; i < s; i++) {
    const double *B = j->B + i * j->mp;
    double *SB = j->SB + i * j->mp;
    for (int a = 0; a < rom->m; a++) SB[a] = a < k ? rom_dot(k, F + a * MW_ROM_MAX_G, B) : B[a];
  }
  return 1;
}

// R <- - M⁻¹ R on the free rows, 0 on the prescribed ones; 0: M is not positive definite.
int rom_jac_solve(const mw_rom *rom, unsigned prescribed, rom_jac *j)
{
  int s = rom->s, m = rom->m, ld = j->ld, nc = 2 * (s + m) + rom->n_u;
  const double *SB = j->n_G > 0 ? j->SB : j->B;
  if (j->n_G > 0 && !jac_take_mass(rom, nc, j)) return 0;
  double H[MW_ROM_MAX_S][MW_ROM_MAX_S] = { { 0 } };
  for (int i = 0; i < s; i++) {
    double *T = j->R + i * ld;
    const double *B = j->B + i * j->mp;
    int is_given = (int)(prescribed >> i & 1u);
    for (int c = 0; c < nc; c++) T[c] = is_given ? 0.0 : -T[c];
    for (int a = 0; !is_given && a < m; a++) rom_jac_add(nc, B[a], j->R + (s + a) * ld, T);
    for (int k = 0; k <= i; k++)
      H[i][k] = is_given || (prescribed >> k & 1u)
                    ? 0.0
                    : j->A[i * s + k] - rom_dot(m, B, SB + k * j->mp);
    if (is_given) H[i][i] = 1.0;
  }
  for (int k = 0; k < s; k++) {
    if (!(H[k][k] > 0.0)) return 0;
    for (int i = k + 1; i < s; i++) {
      double l = H[i][k] / H[k][k];
      for (int c = k + 1; c <= i; c++) H[i][c] -= l * H[c][k];
      rom_jac_add(nc, -l, j->R + k * ld, j->R + i * ld);
      H[k][i] = l;  // upper triangle: L'
    }
  }
  for (int i = s - 1; i >= 0; i--) {
    double *T = j->R + i * ld, per = 1.0 / H[i][i];
    for (int c = 0; c < nc; c++) T[c] *= per;
    for (int k = i + 1; k < s; k++) rom_jac_add(nc, -H[i][k], j->R + k * ld, T);
  }
  for (int a = 0; a < m; a++) {
    double *D = j->R + (s + a) * ld;
    for (int c = 0; c < nc; c++) D[c] = -D[c];
    for (int i = 0; i < s; i++) rom_jac_add(nc, -SB[i * j->mp + a], j->R + i * ld, D);
  }
  return 1;
}

mw_rom_code rom_jac_check(const mw_rom_call *call, const double *x)
{
  const mw_rom *rom = call->rom;
  mw_rom_code rc = rom_check_state(rom, x, call->info);
  if (rc == MW_ROM_OK) rc = rom_check_input(rom, call->opt, call->u, call->thdd_p, call->info);
  return rc;
}

mw_rom_code rom_jac_accel(const mw_rom_call *call, const double *x, int all_y, rom_sens *w)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  rom_work *work = &w->work;
  int n = rom->s + rom->m;
  double *acc = work->acc;
  rom_interpolate_second(rom, opt, x, all_y, &w->jac);
  work->value = w->jac.value;
  work->gradient = w->jac.gradient;
  mw_rom_code rc = rom_accel_of_fields(call, x, acc, work);
  if (rc != MW_ROM_OK) return rc;
  for (int i = 0; i < n; i++)
    if (!isfinite(acc[i])) return rom_blame(call->info, MW_ROM_NAN, i);
  rom_terms_derivative(rom, opt, x, call->u, acc, &w->jac);
  return MW_ROM_OK;
}

mw_rom_code rom_jac_at(const mw_rom_call *call, const double *x, double *acc, double *acc_x,
                       double *acc_u)
{
  const mw_rom *rom = call->rom;
  rom_sens w;
  rom_sens_init(&w, rom, call->work);
  rom_jac *j = &w.jac;
  int n = rom->s + rom->m, nx = 2 * n;
  mw_rom_code rc = rom_jac_accel(call, x, 0, &w);
  if (rc != MW_ROM_OK) return rc;
  if (!rom_jac_solve(rom, call->opt->prescribed, j)) return MW_ROM_SINGULAR;
  for (int i = 0; i < n; i++) {
    const double *row = j->R + i * j->ld;
    acc[i] = j->a[i];
    for (int k = 0; k < nx; k++) acc_x[i * nx + k] = row[k];
    for (int k = 0; k < rom->n_u; k++) acc_u[i * rom->n_u + k] = row[nx + k];
  }
  return MW_ROM_OK;
}

mw_rom_code mw_rom_jacobian(const mw_rom_call *call, const double *x, double *acc, double *acc_x,
                            double *acc_u)
{
  mw_rom_code rc = rom_jac_check(call, x);
  return rc == MW_ROM_OK ? rom_jac_at(call, x, acc, acc_x, acc_u) : rc;
}
