// SPDX-License-Identifier: BSD-3-Clause
// rom_mid.c: one step of the implicit mid-point rule.
//
//   A z_theta + B z_delta = r_theta ,  B' z_theta + z_delta = r_delta   at the mid-point        (1)
//   v* = v0 + h/2 z ,  q* = q0 + h/2 v* ,  A, B, r at (q*, v*)                                  (2)
//   q1 = q0 + h v* ,  v1 = v0 + h z
// Second order, symmetric, stable for every h ω without numerical damping; at constant theta it
// keeps the energy of the linear system exactly, otherwise its error stays bounded of order h².
//
// Newton corrections with a matrix frozen at the predicted mid-point: r_delta contains
// - K delta - C deld, so
//   [A  B ] [Δz_theta]   [res_theta]
//   [B' S⁻¹] [Δz_delta] = [res_delta] ,     S⁻¹ = I + E + h/2 C + h²/4 (K - sum_k u_k Y_k)      (3)
// Only S is kept, W_i = S B_i, and an s × s system remains (rom_solve). Everything else
// (gyroscopic, centrifugal and convective terms, change of the fields) is found by repetition; its
// contraction is about h |thd| |e|. Two things change from one repetition to the next: z (cheap)
// and theta* (an interpolation). theta* moves by h/2 Δv* only, so the fields are taken anew only
//   - after the first pass, as soon as z has settled to SETTLE × its way, and
//   - afterwards while  kappa × way > tol,  way: of theta* since they were taken,
//     kappa: change of v* per way, seen when they were taken last.
// So a step costs two or three interpolations and three to five evaluations of (1).
//
// Relative changes are measured on v*, against |v*| + (2/h)|delta*| + h/2 |forces|/inertia: the
// last two bound what rounding lets v* be known to when forces cancel at rest.
#include <float.h>

#include "core/rom_layer.h"
#include "motion/rom_mass.h"

static const double SETTLE = 1e-2;

static double larger(double a, double b) { return a > b ? a : b; }

// Where the iteration stands; changes and ways are relative.
typedef struct progress {
  int passes;                   // interpolations so far
  int fresh;                    // the last repetition was the first with its fields
  double theta0[MW_ROM_MAX_S];  // where the fields were taken
  double scale[MW_ROM_MAX_S];   // what changes of thd* are measured against
  double change;                // of v* in the last repetition
  double rate;   // largest contraction seen while the fields stayed, < 0: not yet known
  double kappa;  // change per way, < 0: not yet known
  double way;    // of theta* since the fields were taken
  double left;   // change that another repetition would bring, at the end
} progress;

// S and W of (3) from the fields in w, at the first mid-point.
static int set_matrix(const mw_rom *rom, const mw_rom_opt *opt, double h, const double *u,
                      rom_work *w)
{
  int m = rom->m, mp = w->mp, mm = m * (m + 1) / 2;
  const double *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  if (rom->n_Y > 0) {  // loads that stiffen or soften
    for (int p = 0; p < mm; p++) w->sym[p] = K[p];
    for (int k = 0; u && k < rom->n_u; k++) {
      int q = rom_curvature(rom, rom->u_field[k]);
      for (int p = 0; q >= 0 && p < mm; p++) w->sym[p] -= u[k] * w->value[w->lay.Y + q * mm + p];
    }
    K = w->sym;
  }
  for (int i = 0; i < m * mp; i++) w->S[i] = 0.0;
  for (int i = 0, p = 0; i < m; i++) {
    for (int j = 0; j <= i; j++, p++)
      w->S[i * mp + j] = w->S[j * mp + i] = 0.5 * h * C[p] + 0.25 * h * h * K[p];
    w->S[i * mp + i] += 1.0;
    w->diag[i] = w->S[i * mp + i];
  }
  for (int i = 0; rom_mass_changes(rom, opt) && i < rom_n_G(rom); i++)
    for (int j = 0; j < rom_n_G(rom); j++) w->S[i * mp + j] += w->E[i * MW_ROM_MAX_G + j];
  if (!rom_invert(m, mp, w->S)) return 0;
  for (int i = 0; i < rom->s; i++) rom_symv(m, mp, w->S, w->B + i * mp, w->W + i * mp);
  return 1;
}

// Mid-point (2) from x0 and z.
static void set_mid(int n, double h, const double *x0, const double *z, double *mid)
{
  for (int i = 0; i < n; i++) {
    mid[n + i] = x0[n + i] + 0.5 * h * z[i];
    mid[i] = x0[i] + 0.5 * h * mid[n + i];
  }
}

// theta* of an iterate may leave the box although the solution does not: the fields are then taken
// at the border.
static void inside_box(const mw_rom *rom, const double *theta, double *in)
{
  for (int i = 0; i < rom->s; i++)
    in[i] = rom->cyclic >> i & 1u ? theta[i] : fmin(fmax(theta[i], rom->lo[i]), rom->hi[i]);
}

// One correction (3) of z = w->acc; sets scale and change.
static mw_rom_code correct(const mw_rom *rom, const mw_rom_opt *opt, double h, rom_work *w,
                           progress *p)
{
  int s = rom->s, m = rom->m, mp = w->mp;
  const double *mid = w->mid, *delta = mid + s, *thd = mid + s + m, *deld = thd + s;
  double *z = w->acc, *z_delta = w->acc + s, res[MW_ROM_MAX_S], dz[MW_ROM_MAX_S];

  // residual of (1)
  for (int a = 0; a < m; a++) w->res[a] = w->r_delta[a] - z_delta[a];
  for (int a = 0; rom_mass_changes(rom, opt) && a < rom_n_G(rom); a++)
    w->res[a] -= rom_dot(rom_n_G(rom), w->E + a * MW_ROM_MAX_G, z_delta);
  for (int i = 0; i < s; i++) {
    res[i] = w->r_theta[i] - rom_dot(m, w->B + i * mp, z_delta);
    for (int j = 0; j < s; j++) res[i] -= w->A[i * s + j] * z[j];
    for (int a = 0; a < m; a++) w->res[a] -= w->B[i * mp + a] * z[i];
  }
  rom_symv(m, mp, w->S, w->res, w->tmp);
  mw_rom_code rc = rom_solve(s, m, w, w->W, opt->prescribed, res, w->tmp, dz, w->tmp);
  if (rc != MW_ROM_OK) return rc;

  double scale_delta = DBL_MIN, change_delta = 0.0, worst = 0.0, sum = 0.0;
  for (int a = 0; a < m; a++) {
    double f = 0.5 * h * w->f_delta[a] / w->diag[a];
    scale_delta = larger(scale_delta, fabs(deld[a]) + 2.0 / h * fabs(delta[a]) + f);
    change_delta = larger(change_delta, 0.5 * h * fabs(w->tmp[a]));
    z_delta[a] += w->tmp[a];
    sum += z_delta[a];
  }
  for (int i = 0; i < s; i++) {
    double f = w->f_theta[i];
    for (int a = 0; a < m; a++) f += fabs(w->B[i * mp + a]) * w->f_delta[a] / w->diag[a];
    p->scale[i] = fabs(thd[i]) + 0.5 * h * f / w->A[i * s + i] + DBL_MIN;
    worst = larger(worst, 0.5 * h * fabs(dz[i]) / p->scale[i]);
    z[i] += dz[i];
    sum += z[i];
  }
  p->change = isfinite(sum) ? larger(worst, change_delta / scale_delta) : NAN;
  return MW_ROM_OK;
}

// Judges the last repetition: 1 when z is settled and the fields belong to theta*, else 0; *again:
// take fields anew.
static int judge(int s, double tol, double h, const rom_work *w, double change_before, progress *p,
                 int *again)
{
  if (p->fresh && p->passes > 1) p->kappa = p->change / p->way;
  if (!p->fresh) p->rate = larger(p->rate, p->change / change_before);
  p->way = 0.0;
  for (int i = 0; i < s; i++)
    p->way = larger(p->way, 2.0 / h * fabs(w->mid[i] - p->theta0[i]) / p->scale[i]);

  double left_z =
      p->rate >= 0.0 && p->rate < 1.0 ? p->change * p->rate / (1.0 - p->rate) : p->change;
  double left_fields = p->way > 0.0 ? (p->kappa >= 0.0 ? p->kappa * p->way : INFINITY) : 0.0;
  int settled = p->change <= tol || left_z <= tol;
  p->left = larger(left_z, left_fields);
  *again = left_fields > tol &&
           (settled || p->change <= (p->passes > 1 ? left_fields : SETTLE * p->way));
  return settled && left_fields <= tol;
}

// Solves (1), (2) for z = w->acc and the mid-point.
static mw_rom_code solve_mid(const mw_rom_call *call, const double *x0, rom_work *w)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  const double h = call->h;
  int s = rom->s, n = s + rom->m, again = 1, finished = 0, it = 0;
  progress p = { .rate = -1.0, .kappa = -1.0 };
  mw_rom_code rc = MW_ROM_OK;
  set_mid(n, h, x0, w->acc, w->mid);
  while (!finished && it < opt->iter_max) {
    double in[MW_ROM_MAX_S], change_before = p.change;
    p.fresh = again;
    if (again) {
      for (int i = 0; i < s; i++) p.theta0[i] = w->mid[i];
      inside_box(rom, p.theta0, in);
      rom_interpolate(rom, opt, in, w);
      p.passes++;
    }
    rom_terms(rom, opt, w->mid, call->u, ROM_SIZES, w);
    if (it == 0 && !set_matrix(rom, opt, h, call->u, w)) return MW_ROM_SINGULAR;
    rc = correct(rom, opt, h, w, &p);
    set_mid(n, h, x0, w->acc, w->mid);
    it++;
    if (rc != MW_ROM_OK || !isfinite(p.change)) break;
    finished = judge(s, opt->tol, h, w, change_before, &p, &again);
  }
  if (call->info) {
    call->info->iterations = it;
    call->info->residual = finished ? p.left : p.change;
  }
  if (rc != MW_ROM_OK) return rc;
  return finished ? MW_ROM_OK : MW_ROM_DIVERGED;
}

mw_rom_code rom_mid_step(const mw_rom_call *call, const double *x0, double *x1, rom_work *w)
{
  const mw_rom *rom = call->rom;
  const double *thdd_p = call->thdd_p;
  const double h = call->h;
  int n = rom->s + rom->m;
  for (int i = 0; i < n; i++) w->acc[i] = 0.0;
  for (int i = 0; thdd_p && i < rom->s; i++)
    if (call->opt->prescribed >> i & 1u) w->acc[i] = thdd_p[i];
  mw_rom_code rc = solve_mid(call, x0, w);
  for (int i = 0; rc == MW_ROM_OK && i < n; i++) {
    x1[i] = x0[i] + h * w->mid[n + i];
    x1[n + i] = x0[n + i] + h * w->acc[i];
  }
  return rc;
}
