// SPDX-License-Identifier: BSD-3-Clause
// rom_rhs.c: accelerations, energy, rest position.
//
//   [A B; B' I + E] (thdd, deldd) = (r_theta, r_delta) of rom_terms.c: an s × s system,
//       A - B (I + E)⁻¹ B'      (1)
// E is 0 but for the first n_G columns (rom_mass.h).
//
// Cost: one interpolation and rom_terms. Allocates nothing.
#include "core/rom_layer.h"
#include "rom_mass.h"

void rom_law_at(const mw_rom_law *law, double y, double v, double f[6])
{
  mw_rom_law_eval(law, y, v, f);
}

mw_rom_code rom_accel(const mw_rom_call *call, const double *x, double *acc, rom_work *w)
{
  rom_interpolate(call->rom, call->opt, x, w);
  return rom_accel_of_fields(call, x, acc, w);
}

// x := (I + E)⁻¹ x, of I + E = L D L': L below the diagonal of E, per = 1/D.
ROM_INLINE void mass_solve(const int k, const double *E, const double *per, double *x)
{
  ROM_UNROLL
  for (int p = 0; p < k; p++) {
    ROM_UNROLL
    for (int i = 0; i < k; i++)
      if (i > p) x[i] -= E[i * MW_ROM_MAX_G + p] * x[p];
  }
  for (int p = 0; p < k; p++) x[p] *= per[p];
  ROM_UNROLL
  for (int q = 0; q < k; q++) {
    const int p = k - 1 - q;
    ROM_UNROLL
    for (int i = 0; i < k; i++)
      if (i < p) x[i] -= E[p * MW_ROM_MAX_G + i] * x[p];
  }
}

// SB = (I + E)⁻¹ B of all coordinates and res := (I + E)⁻¹ res; 0: I + E is not positive definite.
// E is used up.
ROM_INLINE int solve_mass(const int k, int s, int m, rom_work *w)
{
  const int mp = rom_padded(m);
  double *E = w->E, per[MW_ROM_MAX_G];
  int good = 1;
  ROM_UNROLL
  for (int p = 0; p < k; p++) {
    double d = 1.0 + E[p * MW_ROM_MAX_G + p], column[MW_ROM_MAX_G];
    good = good && d > 0.0;
    per[p] = 1.0 / d;
    ROM_UNROLL
    for (int i = 0; i < k; i++) column[i] = E[i * MW_ROM_MAX_G + p];
    ROM_UNROLL
    for (int i = 0; i < k; i++) {
      if (i <= p) continue;
      double *row = E + i * MW_ROM_MAX_G, l = column[i] * per[p];
      ROM_UNROLL
      for (int j = 0; j < k; j++)
        if (j > p && j <= i) row[j] -= l * column[j];
      row[p] = l;
    }
  }
  for (int i = 0; i < s; i++) {
    double *SB = w->SB + i * mp;
    for (int a = 0; a < mp; a++) SB[a] = w->B[i * mp + a];
    mass_solve(k, E, per, SB);
  }
  mass_solve(k, E, per, w->res);
  return good;
}

// Numbers of columns that loops are laid out for. Apart: right-hand sides where no mass changes are
// compiled as if it were not there.
static ROM_APART int rom_mass_solve(int k, int s, int m, rom_work *w)
{
  if (k == 6) return solve_mass(6, s, m, w);
  if (k == 5) return solve_mass(5, s, m, w);
  if (k == 4) return solve_mass(4, s, m, w);
  if (k == 3) return solve_mass(3, s, m, w);
  if (k == 2) return solve_mass(2, s, m, w);
  return solve_mass(k, s, m, w);
}

// Fields and terms are in w.
ROM_INLINE mw_rom_code accelerate(const int s, const int m, const mw_rom *rom,
                                  const mw_rom_opt *opt, const double *thdd_p, double *acc,
                                  rom_work *w)
{
  const int mp = rom_padded(m);
  for (int a = 0; a < mp; a++) w->res[a] = w->r_delta[a];  // padded with 0
  double res[MW_ROM_MAX_S], given[MW_ROM_MAX_S] = { 0 };
  for (int i = 0; i < s; i++) res[i] = w->r_theta[i];
  // known accelerations to the right: r - A thdd_p, r - B' thdd_p
  for (int j = 0; opt->prescribed && j < s; j++) {
    if (!(opt->prescribed >> j & 1u) || !thdd_p) continue;
    given[j] = thdd_p[j];
    for (int i = 0; i < s; i++) res[i] -= w->A[i * s + j] * given[j];
    for (int a = 0; a < m; a++) w->res[a] -= w->B[j * mp + a] * given[j];
  }
  const int moves = rom_mass_changes(rom, opt);
  if (moves && !rom_mass_solve(rom_n_G(rom), s, m, w)) return MW_ROM_SINGULAR;
  mw_rom_code rc =
      rom_solve(s, m, w, moves ? w->SB : w->B, opt->prescribed, res, w->res, acc, acc + s);
  for (int i = 0; rc == MW_ROM_OK && i < s; i++) acc[i] += given[i];
  return rc;
}

mw_rom_code rom_accel_of_fields(const mw_rom_call *call, const double *x, double *acc, rom_work *w)
{
  const mw_rom *rom = call->rom;
  rom_terms(rom, call->opt, x, call->u, 0, w);
  return ROM_OF_SIZE(accelerate, rom->s, rom->m, rom, call->opt, call->thdd_p, acc, w);
}

mw_rom_code mw_rom_rhs(const mw_rom_call *call, const double *x, double *acc)
{
  const mw_rom *rom = call->rom;
  mw_rom_code rc = rom_check_state(rom, x, call->info);
  if (rc == MW_ROM_OK) rc = rom_check_input(rom, call->opt, call->u, call->thdd_p, call->info);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init_terms(&w, rom, call->work);
  int n = rom->s + rom->m;
  rc = rom_accel(call, x, w.acc, &w);
  if (rc != MW_ROM_OK) return rc;
  for (int i = 0; i < n; i++)
    if (!isfinite(w.acc[i])) return rom_blame(call->info, MW_ROM_NAN, i);
  for (int i = 0; i < n; i++) acc[i] = w.acc[i];
  return MW_ROM_OK;
}

// Integral of stiffness (p + sqrt(p² + soft²))/2 over p, from far outside the stop to p; its
// constant makes it 0 at p = 0.
static double spring_energy(const mw_rom_law *law, double p)
{
  double soft = law->soft, r = sqrt(p * p + soft * soft);
  double twice = p > 0.0 ? p + r : soft * soft / (r - p);  // p + r, which cancels on the free side
  return 0.25 * law->stiffness * (p * twice + soft * soft * asinh(p / soft));
}

// 2 sum v_i w·CE_i delta + sum v_i v_j delta·CC_ij delta, fields in w.
static double convective_power(const mw_rom *rom, const double *x, rom_work *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2;
  const double *delta = x + s, *v = x + s + m, *deld = v + s;
  double power = 0.0;
  for (int i = 0; (rom_parts(rom) & MW_ROM_CE) && i < s; i++)
    for (int a = 0; a < m; a++)
      power += 2.0 * v[i] * deld[a] * rom_dot(m, w->value + w->lay.CE + (i * m + a) * m, delta);
  for (int i = 0, p = 0; (rom_parts(rom) & MW_ROM_CC) && i < s; i++)
    for (int j = 0; j <= i; j++, p++) {
      for (int a = 0; a < m; a++) w->tmp[a] = 0.0;
      rom_packed_sym_add(m, w->value + w->lay.CC + p * mm, delta, w->tmp);
      power += (i == j ? 1.0 : 2.0) * v[i] * v[j] * rom_dot(m, w->tmp, delta);
    }
  return power;
}

static double stop_energy(const mw_rom_law *law, double y)
{
  double e = 0.0;
  if (isfinite(law->hi)) e += spring_energy(law, y - law->hi);
  if (isfinite(law->lo)) e += spring_energy(law, law->lo - y);
  return e;
}

mw_rom_code mw_rom_energy(const mw_rom_call *call, const double *x, double *T, double *V,
                          double *dissipated)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  mw_rom_code rc = rom_check_state(rom, x, call->info);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, call->work);
  int s = rom->s, m = rom->m;
  const double *delta = x + s, *v = x + s + m, *deld = v + s, *f = w.value;
  rom_interpolate(rom, opt, x, &w);
  rom_terms(rom, opt, x, NULL, 0, &w);
  double kinetic = 0.5 * rom_dot(m, deld, deld);
  for (int a = 0; rom_mass_changes(rom, opt) && a < rom_n_G(rom); a++)
    kinetic += 0.5 * deld[a] * rom_dot(rom_n_G(rom), w.E + a * MW_ROM_MAX_G, deld);
  for (int i = 0; i < s; i++) {
    kinetic += v[i] * rom_dot(m, w.B + i * w.mp, deld);
    for (int j = 0; j < s; j++) kinetic += 0.5 * w.A[i * s + j] * v[i] * v[j];
  }
  *T = kinetic;
  double damped = 0.0;
  for (int a = 0; a < m; a++) w.tmp[a] = 0.0;
  rom_packed_sym_add(m, f + w.lay.K, delta, w.tmp);
  *V = 0.5 * rom_dot(m, w.tmp, delta) + f[w.lay.U0] + rom_dot(m, f + w.lay.U1, delta);
  for (int a = 0; a < m; a++) w.tmp[a] = 0.0;
  rom_packed_sym_add(m, f + w.lay.C, deld, w.tmp);
  damped = rom_dot(m, w.tmp, deld);
  for (int i = 0; i < s; i++) damped += rom->c_theta[i] * v[i] * v[i];
  damped += convective_power(rom, x, &w);
  for (int k = 0; k < rom->n_law; k++) {
    double y, y_dot, still[6];
    rom_field_rate(rom, rom->law[k].field, x, &w, &y, &y_dot, NULL);
    mw_rom_law_eval(&rom->law[k], y, 0.0, still);
    damped -= (w.law[6 * k] - still[0]) * y_dot;
    *V += stop_energy(&rom->law[k], y);
  }
  if (dissipated) *dissipated = damped;
  return MW_ROM_OK;
}

mw_rom_code mw_rom_static(const mw_rom *rom, const double *theta, const double *u, double *delta,
                          void *work, mw_rom_info *info)
{
  mw_rom_code rc = rom_check_theta(rom, theta, info);
  for (int k = 0; rc == MW_ROM_OK && u && k < rom->n_u; k++)
    if (!isfinite(u[k])) rc = rom_blame(info, MW_ROM_NAN, 2 * (rom->s + rom->m) + k);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, work);
  int m = rom->m, mp = w.mp;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = MW_ROM_LEADING;
  rom_interpolate(rom, &opt, theta, &w);
  const double *K = w.value + w.lay.K;
  for (int p = 0; p < m * (m + 1) / 2; p++) w.sym[p] = K[p];
  for (int k = 0; u && k < rom->n_u; k++) {
    int q = rom_curvature(rom, rom->u_field[k]), mm = m * (m + 1) / 2;
    for (int p = 0; q >= 0 && p < mm; p++) w.sym[p] -= u[k] * w.value[w.lay.Y + q * mm + p];
  }
  K = w.sym;
  for (int i = 0; i < m * mp; i++) w.S[i] = 0.0;
  for (int i = 0, p = 0; i < m; i++)
    for (int j = 0; j <= i; j++, p++) w.S[i * mp + j] = w.S[j * mp + i] = K[p];
  if (!rom_invert(m, mp, w.S)) return MW_ROM_SINGULAR;

  // delta = K⁻¹ f, then two corrections with the residual: as accurate as a triangular solve
  double *f = w.f_delta, *x = w.r_delta;
  for (int a = 0; a < m; a++) {
    f[a] = -w.value[w.lay.U1 + a];
    for (int k = 0; u && k < rom->n_u; k++)
      f[a] += u[k] * w.value[w.lay.y + rom->u_field[k] * (1 + m) + 1 + a];
    x[a] = 0.0;
  }
  for (int pass = 0; pass < 3; pass++) {
    for (int a = 0; a < m; a++) w.res[a] = 0.0;
    rom_packed_sym_add(m, K, x, w.res);
    for (int a = 0; a < m; a++) w.res[a] = f[a] - w.res[a];
    rom_symv(m, mp, w.S, w.res, w.tmp);
    for (int a = 0; a < m; a++) x[a] += w.tmp[a];
  }
  for (int a = 0; a < m; a++)
    if (!(fabs(x[a]) <= rom->delta_max[a]))
      return rom_blame(info, isfinite(x[a]) ? MW_ROM_DELTA : MW_ROM_NAN, a);
  for (int a = 0; a < m; a++) delta[a] = x[a];
  return MW_ROM_OK;
}
