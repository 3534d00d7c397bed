// SPDX-License-Identifier: BSD-3-Clause
// direct.c: the direct finite-element modes at one configuration, and the frequencies of the
// reduced model.
//
// Held drives: shift-invert at σ = 0. Free drives: the s rigid modes have λ = 0, so the shift is σ
// = −λ_1 of the held mechanism and the first s modes are left out. Reduced model, drives free:
//   [ A  B ] [θ]      [ 0  0 ] [θ]
//   [ Bᵀ I ] [δ] λ =  [ 0  K ] [δ]      (s zero eigenvalues left out)
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "second/weight_layer.h"
#include "system_layer.h"

static double to_hz(double lambda) { return sqrt(fmax(lambda, 0.0)) / (2.0 * acos(-1.0)); }

typedef struct direct {
  const mw_mech *mech;
  const mw_blocks *blocks;  // at hand, of σ = 0; NULL: none
  unsigned char *locked;    // [n_coord]
  mw_config q;
  mw_arena mem;
  int n, k, all;   // unknowns, modes computed, motions there are
  double *lambda;  // [k]  (rad/s)²
  double *X;       // [k × n]
  int n_loaded;    // modes under the weight, 0: not wanted
  double *loaded;  // [n_loaded]  (rad/s)², below zero: it buckles
} direct;

static mw_code loaded_modes(direct *d, mw_system *sys, mw_error *err)
{
  mw_weight w;
  mw_code rc = mw_weight_build(sys, &d->q, d->mech, NULL, NULL, &w, err);
  if (rc != MW_OK) return rc;
  rc = mw_loaded_modes(sys, &w, d->n_loaded, d->k, d->X, d->loaded, err);
  mw_weight_free(&w);
  return rc;
}

// k modes around sigma, or all there are; factors that were not at hand live no longer than this.
static mw_code modes_at(direct *d, double sigma, int k, mw_error *err)
{
  mw_blocks *own = NULL;
  mw_system *sys = NULL;
  mw_code rc = d->blocks ? MW_OK : mw_blocks_build(d->mech, sigma, false, &own, err);
  const mw_blocks *bl = d->blocks ? d->blocks : own;
  if (rc == MW_OK) rc = mw_system_build(bl, d->locked, false, d->q.p, d->q.s, &sys, err);
  if (rc == MW_OK) {
    d->n = mw_blocks_size(bl);
    d->all = mw_system_motions(sys);
    d->k = k = k < d->all ? k : d->all;
    d->lambda = mw_arena_f64(&d->mem, (size_t)k);
    d->X = mw_arena_f64(&d->mem, (size_t)k * (size_t)d->n);
    rc = mw_arena_check(&d->mem, err);
  }
  if (rc == MW_OK && k > 0) rc = mw_system_modes(sys, k, d->lambda, d->X, err);
  if (d->n_loaded > d->k) d->n_loaded = d->k;
  if (rc == MW_OK && d->n_loaded > 0) rc = loaded_modes(d, sys, err);
  mw_system_free(sys);
  mw_blocks_free(own);
  return rc;
}

// The lowest modes, at least skip + n; how as of mw_direct_modes: recomputed with more of them when
// one was missed.
static mw_code lowest_modes(direct *d, double sigma, int skip, int n, int how, mw_error *err)
{
  enum { EXTRA = 3, TRIES = 3 };
  mw_code rc = MW_OK;
  bool proved = (how & MW_MODES_UNPROVED) == 0, at_most = (how & MW_MODES_AT_MOST) != 0;
  int missed = 1, need = skip + n;
  for (int t = 0, k = proved ? need + EXTRA : need; rc == MW_OK && missed != 0 && t < TRIES; t++) {
    k += t * EXTRA;
    rc = modes_at(d, sigma, k, err);
    if (rc == MW_OK && d->k < need && !at_most)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d modes asked for, expected at most %d: the mechanism has no more motions", n,
                   d->all - skip);
    missed = 0;
    if (rc != MW_OK || !proved || d->k == d->all) continue;
    const mw_config *q = &d->q;
    mw_proof pr = { .mech = d->mech,
                    .locked = d->locked,
                    .n = 1,
                    .k = d->k,
                    .need = need,
                    .config = &q,
                    .lambda = (const double *const *)&d->lambda };
    rc = mw_prove_modes(&pr, &missed, err);
  }
  if (rc == MW_OK && missed != 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%d modes below the highest one computed are missing", missed);
  return rc;
}

static mw_code init(direct *d, const mw_mech *mech, const double *theta, mw_error *err)
{
  const mw_reduction_in *in = &mech->model->reduction;
  int s = in->n_coordinate, coord[MW_ROM_MAX_S] = { 0 };
  *d = (direct){ .mech = mech };
  d->locked = mw_arena_alloc(&d->mem, (size_t)mech->n_coord, 1);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc == MW_OK && s > MW_ROM_MAX_S)
    rc = mw_fail(err, MW_ERR_INPUT, in->at, "%d coordinates, at most %d expected", s, MW_ROM_MAX_S);
  for (int i = 0; rc == MW_OK && i < s; i++) {
    coord[i] = mech->joint[in->coordinate[i].joint].coord;
    d->locked[coord[i]] = 1;
  }
  if (rc == MW_OK) rc = mw_config_at(mech, d->locked, s, coord, theta, NULL, &d->mem, &d->q, err);
  return rc;
}

mw_code mw_direct_motions(const mw_mech *mech, const double *theta, int *n, mw_error *err)
{
  direct d;
  mw_code rc = init(&d, mech, theta, err);
  if (rc == MW_OK) rc = modes_at(&d, 0.0, 0, err);
  if (rc == MW_OK) *n = d.all;
  mw_arena_free(&d.mem);
  return rc;
}

mw_code mw_direct_modes(const mw_mech *mech, const double *theta, int n_modes, int how,
                        mw_arena *mem, double **freq_hz, double **shape, double *p, mw_error *err)
{
  return mw_direct_modes_loaded(mech, theta, &n_modes, how & ~MW_MODES_AT_MOST, mem, freq_hz, NULL,
                                shape, p, err);
}

mw_code mw_direct_modes_loaded(const mw_mech *mech, const double *theta, int *n_modes, int how,
                               mw_arena *mem, double **freq_hz, double **loaded_hz, double **shape,
                               double *p, mw_error *err)
{
  direct d;
  bool drives_free = (how & MW_MODES_FREE) != 0;
  int skip = drives_free ? mech->model->reduction.n_coordinate : 0, k = *n_modes;
  double sigma = 0.0;
  mw_code rc = init(&d, mech, theta, err);
  if (rc == MW_OK && drives_free) {
    rc = lowest_modes(&d, 0.0, 0, 1, how, err);
    if (rc == MW_OK) sigma = -d.lambda[0];
    memset(d.locked, 0, (size_t)mech->n_coord);
  }
  if (loaded_hz) *loaded_hz = NULL;
  if (rc == MW_OK && loaded_hz && !drives_free && mw_weight_known(mech) &&
      (mw_norm3(mech->model->gravity) > 0.0 || d.q.loaded)) {
    d.n_loaded = k;
    d.loaded = mw_arena_f64(&d.mem, (size_t)k);
    *loaded_hz = mw_arena_f64(mem, (size_t)k);
  }
  if (rc == MW_OK) rc = mw_arena_check(&d.mem, err);
  if (rc == MW_OK) rc = lowest_modes(&d, sigma, skip, k, how, err);
  if (rc == MW_OK) {
    size_t n = (size_t)d.n;
    if (k > d.k - skip) k = d.k - skip;
    *freq_hz = mw_arena_f64(mem, (size_t)k);
    if (shape) *shape = mw_arena_f64(mem, (size_t)k * n);
    rc = mw_arena_check(mem, err);
    for (int i = 0; rc == MW_OK && i < k; i++) (*freq_hz)[i] = to_hz(d.lambda[i + skip]);
    for (int i = 0; rc == MW_OK && i < d.n_loaded; i++)
      (*loaded_hz)[i] = copysign(to_hz(fabs(d.loaded[i])), d.loaded[i]);
    if (rc == MW_OK && shape)
      memcpy(*shape, d.X + (size_t)skip * n, (size_t)k * n * sizeof(double));
    if (rc == MW_OK) *n_modes = k;
    if (rc == MW_OK && p) memcpy(p, d.q.p, 12 * (size_t)mech->n_body * sizeof *p);
  }
  mw_arena_free(&d.mem);
  return rc;
}

mw_code mw_held_modes(const mw_blocks *bl, const double *theta, int *n_modes, mw_arena *mem,
                      double **freq_hz, double **shape, mw_error *err)
{
  direct d;
  mw_code rc = init(&d, bl->m, theta, err);
  d.blocks = bl;
  if (rc == MW_OK) rc = modes_at(&d, 0.0, *n_modes, err);
  if (rc == MW_OK) {
    *n_modes = d.k;
    *freq_hz = mw_arena_f64(mem, (size_t)d.k);
    *shape = mw_arena_f64(mem, (size_t)d.k * (size_t)d.n);
    rc = mw_arena_check(mem, err);
  }
  for (int i = 0; rc == MW_OK && i < d.k; i++) (*freq_hz)[i] = to_hz(d.lambda[i]);
  if (rc == MW_OK) memcpy(*shape, d.X, (size_t)d.k * (size_t)d.n * sizeof(double));
  mw_arena_free(&d.mem);
  return rc;
}

mw_code mw_rom_frequencies(const mw_rom_file *f, const double *theta, bool drives_free, int n,
                           double *freq_hz, mw_error *err)
{
  return mw_rom_modes(f, theta, drives_free, n, freq_hz, NULL, err);
}

mw_code mw_rom_modes(const mw_rom_file *f, const double *theta, bool drives_free, int n,
                     double *freq_hz, double *shape, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  int s = rom->s, m = rom->m, N = drives_free ? s + m : m, skip = drives_free ? s : 0;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  mw_arena mem = { 0 };
  size_t NN = (size_t)N * (size_t)N;
  double *v = mw_arena_f64(&mem, (size_t)rom->n_field), *A = mw_arena_f64(&mem, NN),
         *B = mw_arena_f64(&mem, NN);
  double *V = mw_arena_f64(&mem, NN), *w = mw_arena_f64(&mem, (size_t)N);
  mw_rom_info info = { 0 };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && n > m)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d frequencies asked for, the reduced model has %d", n, m);
  if (rc == MW_OK && mw_rom_fields(rom, theta, v, NULL, &info) != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                 "coordinate %s is %g, outside the reduced model's range [%g, %g]",
                 f->coordinate[info.index], theta[info.index], rom->lo[info.index],
                 rom->hi[info.index]);
  for (int i = 0; rc == MW_OK && i < m; i++)
    for (int j = 0; j <= i; j++) {
      size_t r = (size_t)(skip + i), c = (size_t)(skip + j);
      A[r * (size_t)N + c] = A[c * (size_t)N + r] = v[L.K + i * (i + 1) / 2 + j];
    }
  for (int i = 0; rc == MW_OK && i < N; i++) B[(size_t)i * (size_t)N + (size_t)i] = 1.0;
  for (int i = 0; rc == MW_OK && i < skip; i++) {
    for (int j = 0; j <= i; j++) B[i * N + j] = B[j * N + i] = v[L.a + i * (i + 1) / 2 + j];
    for (int a = 0; a < m; a++) B[i * N + s + a] = B[(s + a) * N + i] = v[L.d + i * m + a];
  }
  if (rc == MW_OK) rc = mw_eig_gen(N, A, B, w, V, err);
  for (int k = 0; rc == MW_OK && k < n; k++) freq_hz[k] = to_hz(w[skip + k]);
  for (int k = 0; rc == MW_OK && shape && k < n; k++)
    for (int a = 0; a < N; a++) shape[k * N + a] = V[a * N + skip + k];
  mw_arena_free(&mem);
  return rc;
}
