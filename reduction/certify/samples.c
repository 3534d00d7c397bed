// SPDX-License-Identifier: BSD-3-Clause
// samples.c: the samples of a certificate: some on the meshes, hundreds on the bodies' bases.
//
//   mesh     Halton points: all there is to err, the bodies' bases too
//   spread   Halton points that follow, on bases: milliseconds each
//   sought   on bases, where the model errs most (seek.c)
//   random   on bases, independent and uniform: what may be said of the rest of the work space
//            (verdict.c)
//
// All but the random ones choose where the grid gets more points. What was chosen by a point says
// little of others, so that random ones that had to be used for it are replaced by new ones.
// Cost: an eigenanalysis of the mesh a sample; hundreds of unknowns a sample on bases.
#include "samples_layer.h"

#include <math.h>
#include <string.h>

#include "certificate_layer.h"
#include "reduction/certificate.h"
#include "system/arpack_layer.h"

enum { SPREAD_PART = 4, SEED = 2 };  // samples spread: one for so many random ones

void mw_samples_free(mw_samples *z)
{
  mw_arena_free(&z->mem);
  *z = (mw_samples){ 0 };
}

static mw_code reserve(mw_samples *z, int n, mw_error *err)
{
  if (n <= z->cap) return MW_OK;
  int cap = 2 * n;
  mw_sample *sample = mw_arena_alloc(&z->mem, (size_t)cap, sizeof *sample);
  int *kind = mw_arena_int(&z->mem, (size_t)cap);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  size_t old = (size_t)(z->n + z->n_random);
  if (old > 0) memcpy(sample, z->sample, old * sizeof *sample);
  if (old > 0) memcpy(kind, z->kind, old * sizeof *kind);
  z->sample = sample;
  z->kind = kind;
  z->cap = cap;
  return MW_OK;
}

mw_code mw_samples_add(mw_samples *z, const mw_sample *sample, int kind, mw_error *err)
{
  mw_code rc = reserve(z, z->n + z->n_random + 1, err);
  if (rc != MW_OK) return rc;
  size_t behind = (size_t)z->n_random;
  memmove(z->sample + z->n + 1, z->sample + z->n, behind * sizeof *z->sample);
  memmove(z->kind + z->n + 1, z->kind + z->n, behind * sizeof *z->kind);
  z->sample[z->n] = *sample;
  z->kind[z->n++] = kind;
  return MW_OK;
}

// ---- taking them --------------------------------------------------------------------------------

mw_code mw_samples_place(mw_reduction *r, mw_samples *z, double **theta, mw_error *err)
{
  mw_samples_free(z);
  int n = r->model->reduction.n_certificate;
  z->state = SEED;
  *theta = mw_arena_f64(&z->mem, (size_t)n * (size_t)r->s);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = reserve(z, n, err);
  if (rc != MW_OK) return rc;
  z->n = z->n_mesh = n;
  mw_points_halton(r, 0, n, *theta);
  return MW_OK;
}

// Samples on the meshes: early ones serve all bases.
static mw_code on_meshes(mw_reduction *r, mw_band band, const mw_samples *early, mw_samples *z,
                         const double *theta, mw_error *err)
{
  if (early->n == 0 || early->sample[0].n_mac < r->n_want)
    return mw_units_samples(r, band, true, z->n, theta, z->sample, &z->mem, err);
  mw_bases *b = NULL;
  mw_code rc = mw_offline_bases(r->offline, band, &b, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, b, err);
  for (int i = 0; rc == MW_OK && i < z->n; i++) {
    z->sample[i] = early->sample[i];
    rc = mw_sample_on_bases(r->full, b->basis, &z->sample[i], &z->mem, err);
  }
  return rc;
}

static void label(mw_samples *z, int first, int n, int kind)
{
  for (int i = first; i < first + n; i++) z->kind[i] = kind;
}

mw_code mw_samples_draw(mw_reduction *r, mw_band band, mw_samples *z, mw_error *err)
{
  int n = r->model->reduction.n_sample;
  mw_code rc = reserve(z, z->n + n, err);
  double *theta = mw_arena_f64(&z->mem, (size_t)n * (size_t)r->s);
  if (rc == MW_OK) rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK || n == 0) return rc;
  mw_points_random(r, n, &z->state, theta);
  rc = mw_units_projected(r, band, n, theta, z->sample + z->n, &z->mem, err);
  if (rc != MW_OK || r->waiting) return rc;
  label(z, z->n, n, MW_POINT_RANDOM);
  z->n_random = n;
  return MW_OK;
}

void mw_samples_retire(mw_samples *z)
{
  label(z, z->n, z->n_random, MW_POINT_SPREAD);
  z->n += z->n_random;
  z->n_random = 0;
}

mw_code mw_samples_take(mw_reduction *r, mw_band band, const mw_samples *early, mw_samples *z,
                        mw_error *err)
{
  double *theta = NULL;
  mw_code rc = mw_samples_place(r, z, &theta, err);
  if (rc == MW_OK) rc = on_meshes(r, band, early, z, theta, err);
  label(z, 0, z->n_mesh, MW_POINT_MESH);
  int n = r->model->reduction.n_sample, spread = n / SPREAD_PART, all = z->n_mesh + spread;
  if (rc != MW_OK || n == 0) return rc;
  // the same points, and those that follow, on bases
  double *at = mw_arena_f64(&z->mem, (size_t)all * (size_t)r->s);
  mw_sample *taken = mw_arena_alloc(&z->mem, (size_t)all, sizeof *taken);
  rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = reserve(z, all, err);
  if (rc != MW_OK) return rc;
  mw_points_halton(r, 0, all, at);
  rc = mw_units_projected(r, band, all, at, taken, &z->mem, err);
  if (rc == MW_OK) rc = mw_samples_draw(r, band, z, err);
  if (rc != MW_OK || r->waiting) return rc;
  z->beside = taken;
  for (int i = z->n_mesh; rc == MW_OK && i < all; i++)
    rc = mw_samples_add(z, &taken[i], MW_POINT_SPREAD, err);
  return rc;
}

// ---- comparing ----------------------------------------------------------------------------------

// Largest difference of errors on bases and on the meshes, in the setting of n samples.
static mw_code gap(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                   const mw_samples *z, int n, mw_certificate *c, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_compare w;
  mw_certificate on_bases;
  mw_code rc = mw_compare_open(r, t, f, n, z->sample, z->n_mesh, &w, &on_bases, &mem, err);
  if (rc == MW_OK) {
    for (int i = 0; rc == MW_OK && i < z->n_mesh; i++)
      rc = mw_compare_sample(&w, &z->beside[i], i, err);
    mw_compare_close(&w);
  }
  for (int i = 0; rc == MW_OK && i < z->n_mesh; i++) {
    double a[MW_ERROR_KINDS], b[MW_ERROR_KINDS];
    mw_certificate_errors(c, i, a);
    mw_certificate_errors(&on_bases, i, b);
    for (int k = 0; k < MW_ERROR_KINDS; k++)
      if (!(fabs(a[k] - b[k]) <= c->gap[k])) c->gap[k] = fabs(a[k] - b[k]);
  }
  c->has_gap = rc == MW_OK;
  mw_arena_free(&mem);
  return rc;
}

// What solved the samples that were compared, and how far ARPACK and block Lanczos are apart.
static mw_code solvers(const mw_samples *z, int n, mw_certificate *c, mw_arena *mem, mw_error *err)
{
  bool any = false;
  c->arpack = mw_arpack_version();
  c->solver = mw_arena_int(mem, (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const mw_sample *s = &z->sample[i];
    c->solver[i] = s->solver;
    if (s->solver != MW_SOLVER_ARPACK) continue;
    c->arpack_missed += s->n_missed;
    if (!any || s->n_proved < c->arpack_proved) c->arpack_proved = s->n_proved;
    c->arpack_apart = fmax(c->arpack_apart, s->apart);
    any = true;
  }
  return rc;
}

mw_code mw_samples_compare(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                           const mw_samples *z, bool all, mw_certificate *out, mw_arena *mem,
                           mw_error *err)
{
  mw_certificate c;
  int n = all ? z->n + z->n_random : z->n;
  mw_code rc = mw_certificate_compare(r, t, f, n, z->sample, &c, mem, err);
  if (rc != MW_OK) return rc;
  c.n_mesh = z->n_mesh;
  c.kind = mw_arena_int(mem, (size_t)n);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) memcpy(c.kind, z->kind, (size_t)n * sizeof *c.kind);
  if (rc == MW_OK) rc = solvers(z, n, &c, mem, err);
  if (rc == MW_OK && z->beside) rc = gap(r, t, f, z, n, &c, err);
  if (rc == MW_OK) *out = c;
  return rc;
}
