// SPDX-License-Identifier: BSD-3-Clause
// certificate.c: what the interpolated model is worth: direct against interpolated at Halton points off the grid.
//
//   frequencies   |f_rom − f_direct| / f_direct, modes of the held mechanism, by number
//   MAC           (φᵀMψ)² with ψ = Ψ(θ) v, Ψ(θ) the spline through the columns, φ the direct mode; best of a cluster
//   compliance    |y1ᵀ K⁻¹ y1 − fᵀ K_full⁻¹ f| / fᵀ K_full⁻¹ f  for unit loads at outputs and drives
//   stress        |S K_full⁻¹ f − y1_S K⁻¹ f_r|∞ / |S K_full⁻¹ f|∞  for these loads, the inertia of accelerations, gravity
//
// Halton 1960: radical inverses in bases 2, 3, 5, shifted so that none falls on the grid. A load whose compliance is below NEGLIGIBLE of the largest is left out.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
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

// ---- statics ------------------------------------------------------------------------------------

// Unit load l: first the fields of the outputs and joint coordinates, then the inertia of a unit acceleration of each
// coordinate of theta, then gravity. Its direct vector f [n] and its share of the columns g [m]; false: no such load.
static bool load_of(cert *z, mw_system *sys, const mw_config *q, int l, double *g)
{
  const mw_reduction *r = z->r;
  const mw_model *m = r->model;
  int rows = mw_output_row(m, m->n_output), n_field = rows + r->mech->n_coord, c = l - rows,
      row = 0;
  mw_rom_layout L = mw_rom_layout_of(r->s, r->m, z->rom->rom.n_y);
  const double *from = z->value + L.y + l * (1 + r->m) + 1;
  double sign = 1.0;
  if (l < rows) {
    int o = 0;
    while (l >= row + mw_output_width(&m->output[o])) row += mw_output_width(&m->output[o++]);
    if (mw_output_is_gauge(&m->output[o])) return false;
    double e[3] = { l - row == 0, l - row == 1, l - row == 2 };
    mw_system_load_point(sys, m->output[o].ref, m->output[o].x, e, z->f);
  } else if (l < n_field) {
    bool driven = false;
    for (int d = 0; d < m->n_drive; d++)
      driven = driven || m->drive[d].joint == r->mech->coord_joint[c];
    if (!driven || r->locked[c]) return false;
    mw_system_load_coord(sys, c, z->f);
  } else {
    bool gravity = l == n_field + r->s;
    sign = -1.0;
    from = z->value + (gravity ? L.U1 : L.d + (l - n_field) * r->m);
    if (gravity) {
      mw_system_load_gravity(sys, z->f);
    } else {
      mw_system_rigid(sys, q->v + 6 * (size_t)r->mech->n_body * (size_t)(l - n_field), z->t);
      mw_system_mul_M(sys, z->t, z->f);
      for (int i = 0; i < r->n; i++) z->f[i] = -z->f[i];
    }
  }
  for (int a = 0; a < r->m; a++) g[a] = sign * from[a];
  return true;
}

typedef struct statics {
  int n_load, n_field, rows;  // loads, those with a compliance, rows of all outputs
  double *energy;             // [n_load]  fᵀ x, 0: no such load
  double *rom;                // [n_load]  the same of the reduced model
  double *s_direct, *s_rom;   // [n_load × rows]  stresses and strains
  double *g;                  // [m]
  mw_arena mem;
} statics;

static mw_code solve_loads(cert *z, mw_system *sys, const mw_config *q, statics *w, mw_error *err)
{
  const mw_reduction *r = z->r;
  int m = r->m;
  mw_rom_layout L = mw_rom_layout_of(r->s, m, z->rom->rom.n_y);
  unpack_K(z);
  mw_code rc = mw_chol_factor(m, z->A, err);
  for (int l = 0; rc == MW_OK && l < w->n_load; l++) {
    if (!load_of(z, sys, q, l, w->g)) continue;
    rc = mw_system_solve(sys, z->f, z->t, err);
    if (rc != MW_OK) break;
    w->energy[l] = mw_dot(r->n, z->f, z->t);
    mw_system_gauges(sys, z->t, w->s_direct + l * w->rows);
    memcpy(z->w, w->g, (size_t)m * sizeof(double));
    mw_chol_solve(m, z->A, 1, z->w);
    w->rom[l] = mw_dot(m, w->g, z->w);
    for (int k = 0; k < w->rows; k++)
      w->s_rom[l * w->rows + k] = mw_dot(m, z->value + L.y + k * (1 + m) + 1, z->w);
  }
  return rc;
}

// Largest relative error of the compliances.
static double compliance_error(const statics *w)
{
  double big = 0.0, worst = 0.0;
  for (int k = 0; k < w->n_field; k++) big = fmax(big, w->energy[k]);
  for (int k = 0; k < w->n_field; k++)
    if (w->energy[k] > NEGLIGIBLE * big) {
      double e = fabs(w->rom[k] - w->energy[k]) / w->energy[k];
      if (!(e <= worst)) worst = e;
    }
  return worst;
}

// Largest component of the rows [6] of a stress, and of its error.
static double size_of(const double *s)
{
  double x = 0.0;
  for (int i = 0; i < 6; i++) x = fmax(x, fabs(s[i]));
  return x;
}

static double difference(const double *a, const double *b)
{
  double d[6];
  for (int i = 0; i < 6; i++) d[i] = a[i] - b[i];
  return size_of(d);
}

// Error of one stress or strain output over its own largest component, of all loads that reach it: loads of one strain
// energy are compared, and those left out that give less than √NEGLIGIBLE of the largest.
static double stress_error(const statics *w, int row)
{
  double big = 0.0, worst = 0.0;
  for (int l = 0; l < w->n_load; l++)
    if (w->energy[l] > 0.0)
      big = fmax(big, size_of(w->s_direct + l * w->rows + row) / sqrt(w->energy[l]));
  for (int l = 0; l < w->n_load; l++) {
    const double *direct = w->s_direct + l * w->rows + row, *rom = w->s_rom + l * w->rows + row;
    double size = size_of(direct);
    if (!(w->energy[l] > 0.0) || !(size > sqrt(NEGLIGIBLE * w->energy[l]) * big)) continue;
    double e = difference(direct, rom) / size;
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

static mw_code compare_statics(cert *z, mw_system *sys, const mw_config *q, int i, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_model *m = r->model;
  statics w = { .rows = mw_output_row(m, m->n_output) };
  w.n_field = w.rows + r->mech->n_coord;
  w.n_load = w.n_field + (z->c->stress_error ? r->s + 1 : 0);
  size_t n = (size_t)w.n_load;
  w.energy = mw_arena_f64(&w.mem, n);
  w.rom = mw_arena_f64(&w.mem, n);
  w.s_direct = mw_arena_f64(&w.mem, n * (size_t)w.rows);
  w.s_rom = mw_arena_f64(&w.mem, n * (size_t)w.rows);
  w.g = mw_arena_f64(&w.mem, (size_t)r->m);
  mw_code rc = mw_arena_check(&w.mem, err);
  if (rc == MW_OK) rc = solve_loads(z, sys, q, &w, err);
  if (rc == MW_OK) {
    double e = z->c->static_error[i] = compliance_error(&w);
    if (!(e <= z->c->max_static_error)) z->c->max_static_error = e;
  }
  for (int o = 0; rc == MW_OK && o < m->n_output; o++) {
    if (!mw_output_is_gauge(&m->output[o])) continue;
    double e = stress_error(&w, mw_output_row(m, o));
    if (!(e <= z->c->stress_error[i])) z->c->stress_error[i] = e;
    if (!(e <= z->c->max_stress_error)) z->c->max_stress_error = e;
  }
  mw_arena_free(&w.mem);
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
  if (rc == MW_OK) rc = compare_statics(z, sys, &q, i, err);
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
  for (int o = 0; o < r->model->n_output && !c->stress_error; o++)
    if (mw_output_is_gauge(&r->model->output[o])) c->stress_error = mw_arena_f64(mem, np);
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
