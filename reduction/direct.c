// SPDX-License-Identifier: BSD-3-Clause
// direct.c: the direct finite-element modes at one configuration, and the frequencies of the reduced model.
//
// Held drives: shift-invert at σ = 0. Free drives: the s rigid modes have λ = 0, so the shift is σ = −λ_1 of the held
// mechanism and the first s modes are left out. Reduced model, drives free:
//   [ A  B ] [θ]      [ 0  0 ] [θ]
//   [ Bᵀ I ] [δ] λ =  [ 0  K ] [δ]      (s zero eigenvalues left out)
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_priv.h"

static double to_hz(double lambda) { return sqrt(fmax(lambda, 0.0)) / (2.0 * acos(-1.0)); }

// Modes with proof at configuration q: lambda [k], X [k × n]; recomputes with more modes when one was missed.
static mw_code proved_modes(const mw_blocks *bl, const mw_mech *mech, const unsigned char *locked,
                            const mw_config *q, int need, mw_arena *mem, double **lambda,
                            double **X, mw_error *err)
{
  enum { EXTRA = 3, TRIES = 3 };
  int n = mw_blocks_size(bl), k = need + EXTRA;
  mw_system *sys = NULL;
  mw_code rc = mw_system_build(bl, locked, false, q->p, q->s, &sys, err);
  int missed = 1;
  for (int t = 0; rc == MW_OK && missed > 0 && t < TRIES; t++) {
    k += t * EXTRA;
    *lambda = mw_arena_f64(mem, (size_t)k);
    *X = mw_arena_f64(mem, (size_t)k * (size_t)n);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = mw_system_modes(sys, k, *lambda, *X, err);
    mw_proof pr = { .mech = mech,
                    .locked = locked,
                    .n = 1,
                    .k = k,
                    .need = need,
                    .config = (const mw_config *const *)&q,
                    .lambda = (const double *const *)lambda };
    if (rc == MW_OK) rc = mw_prove_modes(&pr, &missed, err);
  }
  if (rc == MW_OK && missed != 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%d modes below the highest one computed are missing", missed);
  mw_system_free(sys);
  return rc;
}

mw_code mw_direct_modes(const mw_mech *mech, const double *theta, int n_modes, bool drives_free,
                        mw_arena *mem, double **freq_hz, double **shape, double *p, mw_error *err)
{
  const mw_reduction_in *in = &mech->model->reduction;
  int s = in->n_coordinate, coord[MW_ROM_MAX_S] = { 0 };
  mw_arena tmp = { 0 };
  unsigned char *locked = mw_arena_alloc(&tmp, (size_t)mech->n_coord, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && s > MW_ROM_MAX_S)
    rc = mw_fail(err, MW_ERR_INPUT, in->at, "%d coordinates, at most %d expected", s, MW_ROM_MAX_S);
  for (int i = 0; rc == MW_OK && i < s; i++) {
    coord[i] = mech->joint[in->coordinate[i].joint].coord;
    locked[coord[i]] = 1;
  }
  mw_config q;
  mw_blocks *bl = NULL;
  double *lambda = NULL, *X = NULL;
  if (rc == MW_OK) rc = mw_config_at(mech, locked, s, coord, theta, NULL, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_blocks_build(mech, 0.0, false, &bl, err);
  if (rc == MW_OK && drives_free) {
    rc = proved_modes(bl, mech, locked, &q, 1, &tmp, &lambda, &X, err);
    mw_blocks_free(bl);
    bl = NULL;
    memset(locked, 0, (size_t)mech->n_coord);
    if (rc == MW_OK) rc = mw_blocks_build(mech, -lambda[0], false, &bl, err);
  }
  int skip = drives_free ? s : 0;
  if (rc == MW_OK) rc = proved_modes(bl, mech, locked, &q, n_modes + skip, &tmp, &lambda, &X, err);
  if (rc == MW_OK) {
    size_t n = (size_t)mw_blocks_size(bl);
    *freq_hz = mw_arena_f64(mem, (size_t)n_modes);
    if (shape) *shape = mw_arena_f64(mem, (size_t)n_modes * n);
    rc = mw_arena_check(mem, err);
    for (int k = 0; rc == MW_OK && k < n_modes; k++) (*freq_hz)[k] = to_hz(lambda[k + skip]);
    if (rc == MW_OK && shape)
      memcpy(*shape, X + (size_t)skip * n, (size_t)n_modes * n * sizeof(double));
    if (rc == MW_OK && p) memcpy(p, q.p, 12 * (size_t)mech->n_body * sizeof *p);
  }
  mw_blocks_free(bl);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rom_frequencies(const mw_rom_file *f, const double *theta, bool drives_free, int n,
                           double *freq_hz, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  int s = rom->s, m = rom->m, N = drives_free ? s + m : m, skip = drives_free ? s : 0;
  mw_rom_layout L = mw_rom_layout_of(s, m, rom->n_y);
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
  mw_arena_free(&mem);
  return rc;
}
