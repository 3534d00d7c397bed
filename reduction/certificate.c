// SPDX-License-Identifier: BSD-3-Clause
// certificate.c: what the interpolated model is worth: direct against interpolated at Halton points off the grid.
//
//   frequencies   |f_rom − f_direct| / f_direct, modes of the held mechanism, by number
//   MAC           (φᵀMψ)² with ψ = Ψ(θ) v, Ψ(θ) the spline through the columns, φ the direct mode; best of a cluster
//   compliance    |y1ᵀ K⁻¹ y1 − fᵀ K_full⁻¹ f| / fᵀ K_full⁻¹ f  for unit loads at outputs and drives
//
// Halton 1960: radical inverses in bases 2, 3, 5, shifted so that none falls on the grid. A load whose compliance is below NEGLIGIBLE of the largest is left out.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_priv.h"

static const double NEGLIGIBLE = 1e-4;
static const double SHIFT = 0.6180339887498949;  // golden section

static double halton(int i, int base)
{
  double f = 1.0, x = 0.0;
  for (; i > 0; i /= base) {
    f /= base;
    x += f * (i % base);
  }
  return x;
}

typedef struct cert {
  mw_reduction *r;
  const mw_rom_file *rom;
  mw_certificate *c;
  double *lambda, *X, *Psi;   // [k], [k × n], [m × n]
  double *value, *A, *V, *w;  // fields, [m × m], [m × m], [m]
  double *f, *t;              // [n]
  mw_arena mem;
} cert;

static void unpack_K(cert *z)
{
  int m = z->r->m;
  mw_rom_layout L = mw_rom_layout_of(z->r->s, m, z->rom->rom.n_y);
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      z->A[i * m + j] = z->A[j * m + i] = z->value[L.K + i * (i + 1) / 2 + j];
}

// Frequencies and MAC at point i.
static mw_code compare_modes(cert *z, mw_system *sys, int i, mw_error *err)
{
  mw_certificate *c = z->c;
  int m = z->r->m, n = z->r->n, nf = c->n_freq;
  double two_pi = 2.0 * acos(-1.0);
  unpack_K(z);
  mw_code rc = mw_eig_sym(m, z->A, z->w, z->V, err);
  if (rc != MW_OK) return rc;
  if (!(z->w[0] > 0.0))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the interpolated stiffness is not positive definite at %g; "
                   "more grid points are needed",
                   c->theta[i * z->r->s]);
  for (int k = 0; k < nf; k++) {
    double *fd = &c->f_direct[i * nf + k], *fr = &c->f_rom[i * nf + k];
    *fd = sqrt(z->lambda[k]) / two_pi;
    *fr = sqrt(z->w[k]) / two_pi;
    double e = fabs(*fr - *fd) / *fd;
    if (!(e <= c->max_frequency_error)) {
      c->max_frequency_error = e;
      c->worst = i;
    }
    // direct mode within the span of the reduced modes of (nearly) the same frequency
    mw_system_mul_M(sys, z->X + (size_t)k * (size_t)n, z->t);
    double mac = 0.0;
    for (int l = 0; l < m; l++) {
      if (fabs(z->w[l] - z->lambda[k]) > 0.02 * z->lambda[k]) continue;
      double p = 0.0;
      for (int a = 0; a < m; a++)
        p += z->V[a * m + l] * mw_dot(n, z->Psi + (size_t)a * (size_t)n, z->t);
      mac += p * p;
    }
    c->mac[i * nf + k] = fmin(mac, 1.0);
    if (!(c->mac[i * nf + k] >= c->min_mac)) c->min_mac = c->mac[i * nf + k];
  }
  return MW_OK;
}

// ROM compliance y1ᵀ K⁻¹ y1 of field k.
static double rom_compliance(cert *z, int field)
{
  int m = z->r->m;
  mw_rom_layout L = mw_rom_layout_of(z->r->s, m, z->rom->rom.n_y);
  const double *y1 = z->value + L.y + field * (1 + m) + 1;
  double x = 0.0;
  memcpy(z->w, y1, (size_t)m * sizeof(double));
  mw_chol_solve(m, z->A, 1, z->w);
  for (int a = 0; a < m; a++) x += y1[a] * z->w[a];
  return x;
}

static mw_code compare_compliance(cert *z, mw_system *sys, int i, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_model *m = r->model;
  unpack_K(z);
  mw_code rc = mw_chol_factor(r->m, z->A, err);
  double big = 0.0, worst = 0.0;
  int n_field = 3 * m->n_output + r->mech->n_coord;
  mw_arena tmp = { 0 };
  double *direct = mw_arena_f64(&tmp, (size_t)n_field), *rom = mw_arena_f64(&tmp, (size_t)n_field);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < n_field; k++) {
    double e[3] = { k % 3 == 0, k % 3 == 1, k % 3 == 2 };
    if (k < 3 * m->n_output) {
      mw_system_load_point(sys, m->output[k / 3].ref, m->output[k / 3].x, e, z->f);
    } else {
      bool driven = false;
      int c = k - 3 * m->n_output;
      for (int d = 0; d < m->n_drive; d++)
        driven = driven || m->drive[d].joint == r->mech->coord_joint[c];
      if (!driven || r->locked[c]) continue;
      mw_system_load_coord(sys, c, z->f);
    }
    rc = mw_system_solve(sys, z->f, z->t, err);
    direct[k] = mw_dot(r->n, z->f, z->t);
    rom[k] = rom_compliance(z, k);
    big = fmax(big, direct[k]);
  }
  for (int k = 0; rc == MW_OK && k < n_field; k++)
    if (direct[k] > NEGLIGIBLE * big) {
      double e = fabs(rom[k] - direct[k]) / direct[k];
      if (!(e <= worst)) worst = e;
    }
  z->c->static_error[i] = worst;
  if (!(worst <= z->c->max_static_error)) z->c->max_static_error = worst;
  mw_arena_free(&tmp);
  return rc;
}

static mw_code one_point(cert *z, int i, mw_error *err)
{
  static const int bases[MW_ROM_MAX_S] = { 2, 3, 5 };
  mw_reduction *r = z->r;
  double *theta = z->c->theta + i * r->s;
  for (int k = 0; k < r->s; k++) {
    double h = halton(i + 1, bases[k]) + SHIFT;
    theta[k] = r->lo[k] + (r->hi[k] - r->lo[k]) * (h - floor(h));
  }
  mw_arena mem = { 0 };
  mw_config q;
  mw_system *sys = NULL;
  mw_rom_info info = { 0 };
  mw_code rc =
      mw_config_at(r->mech, r->locked, r->s, r->coord, theta, &r->point[0].q, &mem, &q, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, false, q.p, q.s, &sys, err);
  if (rc == MW_OK) rc = mw_system_modes(sys, z->c->n_freq, z->lambda, z->X, err);
  if (rc == MW_OK && mw_rom_fields(&z->rom->rom, theta, z->value, NULL, &info) != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
  if (rc == MW_OK) rc = mw_columns_at(r, theta, r->m, z->Psi, err);
  if (rc == MW_OK) rc = compare_modes(z, sys, i, err);
  if (rc == MW_OK) rc = compare_compliance(z, sys, i, err);
  mw_system_free(sys);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_certificate_build(mw_reduction *r, const mw_rom_file *rom, mw_certificate *c,
                             mw_arena *mem, mw_error *err)
{
  *c = (mw_certificate){ .n = r->model->reduction.n_certificate,
                         .tolerance = r->model->reduction.tolerance };
  c->n_freq = r->n_want < r->m_modes ? r->n_want : r->m_modes;
  size_t np = (size_t)c->n, nf = (size_t)c->n_freq, n = (size_t)r->n, m = (size_t)r->m;
  c->theta = mw_arena_f64(mem, np * (size_t)r->s);
  c->f_direct = mw_arena_f64(mem, np * nf);
  c->f_rom = mw_arena_f64(mem, np * nf);
  c->mac = mw_arena_f64(mem, np * nf);
  c->static_error = mw_arena_f64(mem, np);
  c->min_mac = 1.0;
  cert z = { .r = r, .rom = rom, .c = c };
  z.lambda = mw_arena_f64(&z.mem, nf);
  z.X = mw_arena_f64(&z.mem, nf * n);
  z.Psi = mw_arena_f64(&z.mem, m * n);
  z.value = mw_arena_f64(&z.mem, (size_t)rom->rom.n_field);
  z.A = mw_arena_f64(&z.mem, m * m);
  z.V = mw_arena_f64(&z.mem, m * m);
  z.w = mw_arena_f64(&z.mem, m);
  z.f = mw_arena_f64(&z.mem, n);
  z.t = mw_arena_f64(&z.mem, n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  mw_progress_start(r->progress, "certificate", c->n);
  for (int i = 0; rc == MW_OK && i < c->n; i++) {
    rc = one_point(&z, i, err);
    mw_progress_step(r->progress, i + 1);
  }
  mw_progress_end(r->progress);
  mw_arena_free(&z.mem);
  return rc;
}
