// SPDX-License-Identifier: BSD-3-Clause
// certificate.c: errors of the interpolated model against samples of the full mechanism, off the
// grid.
//
//   frequencies   |f_rom − f_direct| / f_direct, modes of the held mechanism, by number
//   MAC           (φᵀMψ)² with ψ = Ψ(θ) v, Ψ(θ) the spline through the columns, φ the direct mode;
//                 best of a cluster
//   compliance    |F_rom − F0| / F0 for unit loads at outputs and drives, F_rom = g K⁻¹ gᵀ
//   stress        |S K_full⁻¹ f − y1_S K⁻¹ g|∞ / |S K_full⁻¹ f|∞  for all loads
//   energy left   largest |eigenvalue| of (F0 − F_rom, F0): every combination of loads
//   receptance    definition in romfile.h, values by receptance.c
//
// The reduced model is taken in the eigenbasis of its K: K = V diag(w) Vᵀ, loads g V, so that all
// of it are sums over modes. Cost beside the samples: m³ and the receptances a point.
#include "reduction/certificate.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "certificate_layer.h"
#include "fem/output.h"

// Receptances where no tolerance is asked for: samples leave no more open than what would do for
// this one.
static const double RECEPTANCE = 1e-2;

// ---- samples ------------------------------------------------------------------------------------

mw_sample_in mw_certificate_sample(const mw_reduction *r)
{
  const mw_reduction_in *in = &r->model->reduction;
  return (mw_sample_in){ .mech = r->mech,
                         .locked = r->locked,
                         .s = r->s,
                         .k = r->n_want,
                         .n_mac = r->n_want,
                         .band = in->band,
                         .rest = 0.1 * (in->receptance > 0.0 ? in->receptance : RECEPTANCE) };
}

// ---- the reduced model at a sample --------------------------------------------------------------

static mw_code work_init(mw_compare *z, int n_psi, int n_load, mw_error *err)
{
  size_t m = (size_t)z->r->m, nl = (size_t)n_load;
  z->value = mw_arena_f64(&z->mem, (size_t)z->rom->rom.n_field);
  z->K = mw_arena_f64(&z->mem, m * m);
  z->V = mw_arena_f64(&z->mem, m * m);
  z->w = mw_arena_f64(&z->mem, m);
  z->g = mw_arena_f64(&z->mem, nl * m);
  z->G = mw_arena_f64(&z->mem, nl * m);
  z->F = mw_arena_f64(&z->mem, nl * nl);
  z->Psi = mw_arena_f64(&z->mem, m * (size_t)n_psi);
  z->AV = mw_arena_f64(&z->mem, (size_t)z->c->n_freq * m);
  z->n_io = mw_sample_unit_loads(z->r->mech, z->r->locked, NULL);
  z->largest = mw_arena_f64(&z->mem, nl);
  z->load = mw_arena_alloc(&z->mem, (size_t)z->n_io, sizeof *z->load);
  z->skip = mw_arena_alloc(&z->mem, (size_t)z->n_io, 1);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) (void)mw_sample_unit_loads(z->r->mech, z->r->locked, z->load);
  return rc;
}

// Loads on the columns [n_load × m]: y1 of the fields, −d of accelerations, −U1 of gravity
static void reduced_loads(mw_compare *z)
{
  const mw_reduction *r = z->r;
  int m = r->m;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->rom->rom));
  for (int l = 0; l < z->n_io + r->s + 1; l++) {
    int i = l - z->n_io;
    const double *from = i < 0      ? z->value + L.y + z->load[l].field * (1 + m) + 1
                         : i < r->s ? z->value + L.d + i * m
                                    : z->value + L.U1;
    for (int a = 0; a < m; a++) z->g[l * m + a] = i < 0 ? from[a] : -from[a];
  }
}

// w, V, G = g V and F = G diag(1/w) Gᵀ at theta
static mw_code reduced_at(mw_compare *z, const double *theta, mw_error *err)
{
  int m = z->r->m, n_load = z->n_io + z->r->s + 1;
  mw_rom_info info = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->rom->rom));
  if (mw_rom_fields(&z->rom->rom, theta, z->value, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      z->K[i * m + j] = z->K[j * m + i] = z->value[L.K + i * (i + 1) / 2 + j];
  // of the elastic machine, as the samples are: gravity's stiffness is taken out again
  mw_code rc = mw_gravity_stiffness(z->r, z->t, theta, z->V, err);
  for (int i = 0; rc == MW_OK && i < m; i++)
    for (int j = 0; j <= i; j++) {
      z->K[i * m + j] += z->V[i * (i + 1) / 2 + j];
      z->K[j * m + i] = z->K[i * m + j];
    }
  if (rc == MW_OK) rc = mw_eig_sym(m, z->K, z->w, z->V, err);
  if (rc == MW_OK && !(z->w[0] > 0.0))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the interpolated stiffness is not positive definite at %g; "
                 "more grid points are needed",
                 theta[0]);
  if (rc != MW_OK) return rc;
  reduced_loads(z);
  mw_gemm('n', 'n', n_load, m, m, 1.0, z->g, z->V, 0.0, z->G);
  for (int i = 0; i < n_load; i++)
    for (int j = 0; j <= i; j++) {
      double f = 0.0;
      for (int t = 0; t < m; t++) f += z->G[i * m + t] * z->G[j * m + t] / z->w[t];
      z->F[i * n_load + j] = z->F[j * n_load + i] = f;
    }
  return MW_OK;
}

// ---- comparison ---------------------------------------------------------------------------------

static void compare_frequencies(mw_compare *z, const mw_sample *s, int i)
{
  mw_certificate *c = z->c;
  double two_pi = 2.0 * acos(-1.0);
  for (int k = 0; k < c->n_freq; k++) {
    double *fd = &c->f_direct[i * c->n_freq + k], *fr = &c->f_rom[i * c->n_freq + k];
    *fd = sqrt(s->lambda[k]) / two_pi;
    *fr = sqrt(z->w[k]) / two_pi;
    double e = fabs(*fr - *fd) / *fd;
    if (!(e <= c->max_frequency_error)) {
      c->max_frequency_error = e;
      c->worst = i;
    }
  }
}

mw_code mw_assurance(const mw_reduction *r, const mw_rom *rom, const mw_sample *s, int n_freq,
                     const double *w, const double *V, double *Psi, double *AV, double *mac,
                     mw_error *err)
{
  int m = r->m, n = s->n_mac < n_freq ? s->n_mac : n_freq;
  for (int k = 0; k < n_freq; k++) mac[k] = 1.0;
  double at[MW_ROM_MAX_S];
  if (n == 0 || mw_rom_fold(rom, s->theta, at, NULL) != 0) return MW_OK;
  mw_code rc = mw_columns_at(r, s->theta, m, Psi, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', n, m, s->n, 1.0, s->A, Psi, 0.0, AV);
  for (int k = 0; k < n; k++) {
    mac[k] = 0.0;
    for (int l = 0; l < m; l++) {
      // of a mode whose frequency errs by more than a cluster is wide, all up to it
      if (fabs(w[l] - s->lambda[k]) > fmax(0.02 * s->lambda[k], fabs(w[k] - s->lambda[k])))
        continue;
      double p = 0.0;
      for (int a = 0; a < m; a++) p += AV[k * m + a] * V[a * m + l];
      mac[k] += p * p;
    }
    mac[k] = fmin(mac[k], 1.0);
  }
  return MW_OK;
}

static mw_code compare_shapes(mw_compare *z, const mw_sample *s, int i, mw_error *err)
{
  mw_certificate *c = z->c;
  double *mac = c->mac + i * c->n_freq;
  mw_code rc = mw_assurance(z->r, &z->rom->rom, s, c->n_freq, z->w, z->V, z->Psi, z->AV, mac, err);
  for (int k = 0; rc == MW_OK && k < c->n_freq; k++)
    if (!(mac[k] >= c->min_mac)) c->min_mac = mac[k];
  return rc;
}

// Samples must be of this model, and hold the modes that are compared.
static mw_code check_samples(const mw_reduction *r, int n, const mw_sample *s, int n_freq,
                             mw_error *err)
{
  int n_io = mw_sample_unit_loads(r->mech, r->locked, NULL), n_stress = 0;
  for (int o = 0; o < r->model->n_output; o++)
    n_stress += mw_output_is_gauge(&r->model->output[o]) ? 6 : 0;
  for (int i = 0; i < n; i++)
    if (s[i].n_io != n_io || s[i].n_load != n_io + r->s + 1 || s[i].n_stress != n_stress ||
        s[i].k < n_freq || (s[i].n_mac > 0 && s[i].n != r->n))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "sample %d is not of this mechanism", i);
  return MW_OK;
}

static mw_code result_init(mw_compare *z, int n, mw_arena *mem, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_certificate *c = z->c;
  *c = (mw_certificate){ .s = r->s,
                         .n = n,
                         .n_mesh = n,
                         .tolerance = r->model->reduction.tolerance,
                         .receptance_tolerance = r->model->reduction.receptance,
                         .zeta = mw_sample_zeta(r->model),
                         .min_mac = 1.0,
                         .mass_error = z->rom->mass_left,
                         .stress_stiffness_error = z->rom->stress_left };
  c->n_freq = r->n_want;
  size_t np = (size_t)n, nf = (size_t)c->n_freq;
  c->theta = mw_arena_f64(mem, np * (size_t)r->s);
  c->f_direct = mw_arena_f64(mem, np * nf);
  c->f_rom = mw_arena_f64(mem, np * nf);
  c->mac = mw_arena_f64(mem, np * nf);
  c->static_error = mw_arena_f64(mem, np);
  c->energy_left = mw_arena_f64(mem, np);
  for (int o = 0; o < r->model->n_output && !c->stress_error; o++)
    if (mw_output_is_gauge(&r->model->output[o])) c->stress_error = mw_arena_f64(mem, np);
  return mw_arena_check(mem, err);
}

mw_code mw_compare_open(const mw_reduction *r, const mw_tables *t, const mw_rom_file *rom, int n,
                        const mw_sample *s, int most, mw_compare *z, mw_certificate *c,
                        mw_arena *mem, mw_error *err)
{
  *z = (mw_compare){ .r = r, .t = t, .rom = rom, .c = c };
  mw_code rc = result_init(z, most, mem, err);
  if (rc == MW_OK) rc = check_samples(r, n, s, c->n_freq, err);
  int n_psi = 0;
  for (int i = 0; rc == MW_OK && i < n; i++)
    if (s[i].n_mac > 0) n_psi = s[i].n;
  if (rc == MW_OK) rc = work_init(z, n_psi, n > 0 ? s[0].n_load : 0, err);
  if (rc == MW_OK) mw_receptance_largest(n, s, z->load, z->largest);
  if (rc == MW_OK) rc = mw_compare_band(z, n, s, mem, err);
  if (rc != MW_OK) mw_compare_close(z);
  return rc;
}

void mw_compare_close(mw_compare *z) { mw_arena_free(&z->mem); }

mw_code mw_compare_sample(mw_compare *z, const mw_sample *s, int i, mw_error *err)
{
  memcpy(z->c->theta + i * z->r->s, s->theta, (size_t)z->r->s * sizeof(double));
  mw_code rc = reduced_at(z, s->theta, err);
  if (rc != MW_OK) return rc;
  mw_receptance_negligible(s, z->largest, z->skip);
  compare_frequencies(z, s, i);
  rc = compare_shapes(z, s, i, err);
  if (rc == MW_OK) rc = mw_compare_statics(z, s, i, err);
  if (rc == MW_OK) rc = mw_compare_receptances(z, s, i, err);
  return rc;
}

mw_code mw_certificate_compare(const mw_reduction *r, const mw_tables *t, const mw_rom_file *rom,
                               int n, const mw_sample *s, mw_certificate *out, mw_arena *mem,
                               mw_error *err)
{
  mw_certificate c;
  mw_compare z;
  bool whole = t && t->scale;  // drafts have no sizes
  mw_code rc = whole ? mw_certificate_mirror(rom, t->scale, err) : MW_OK;
  if (rc == MW_OK) rc = mw_compare_open(r, t, rom, n, s, n, &z, &c, mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; rc == MW_OK && i < n; i++) rc = mw_compare_sample(&z, &s[i], i, err);
  mw_compare_close(&z);
  if (rc == MW_OK) *out = c;
  return rc;
}
