// SPDX-License-Identifier: BSD-3-Clause
// offline.c: what a process that reduces keeps: bases of bodies as they are asked for, the
// mechanism in them, and the factorization of the mesh where the full mechanism is sampled.
// Everything is made once, or read from the cache.
#include "base/blas.h"
#include "offline_layer.h"
#include "system/system_layer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

mw_code mw_offline_init(const mw_model *model, const mw_mech *mech, const char *cache,
                        mw_offline **out, mw_error *err)
{
  const mw_reduction_in *in = &model->reduction;
  *out = NULL;
  mw_offline *z = calloc(1, sizeof *z);
  if (!z) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a reduction");
  z->model = model;
  z->mech = mech;
  if (cache) z->cache = mw_arena_str(&z->mem, cache);
  z->locked = mw_arena_alloc(&z->mem, (size_t)mech->n_coord, 1);
  z->stage = mw_arena_alloc(&z->mem, (size_t)mech->n_body, sizeof *z->stage);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK && in->n_coordinate > MW_ROM_MAX_S)
    rc = mw_fail(err, MW_ERR_INPUT, in->at, "%d coordinates in the reduction, at most %d expected",
                 in->n_coordinate, MW_ROM_MAX_S);
  for (int i = 0; rc == MW_OK && i < in->n_coordinate; i++) {
    z->coord[z->s] = mech->joint[in->coordinate[i].joint].coord;
    z->locked[z->coord[z->s++]] = 1;
  }
  if (rc == MW_OK)
    *out = z;
  else
    mw_offline_free(z);
  return rc;
}

static void bases_free(mw_bases *b, int n_body)
{
  mw_blocks_free(b->blocks);
  for (int i = 0; b->basis && i < n_body; i++) {
    mw_basis_free(&b->basis[i]);
    mw_basis_free(&b->again[i]);
  }
  mw_arena_free(&b->mem);
  *b = (mw_bases){ 0 };
}

// ---- the mesh, factored ahead -------------------------------------------------------------------

typedef struct mw_ahead {
  pthread_t thread;
  const mw_mech *mech;
  mw_blocks *made;
  mw_code rc;
  mw_error e;
} mw_ahead;

static void *factor_ahead(void *p)
{
  mw_ahead *a = p;
  (void)mw_blas_serial();  // OpenMP's settings are those of a thread
  a->rc = mw_blocks_build(a->mech, 0.0, false, &a->made, &a->e);
  return NULL;
}

void mw_offline_direct_ahead(mw_offline *z)
{
  // factors that are there serve as they are
  for (int b = 0; b < z->mech->n_body; b++)
    if (z->stage[b] && mw_body_stage_blocks(z->stage[b])) return;
  mw_ahead *a = z->direct || z->ahead ? NULL : calloc(1, sizeof *a);
  if (!a) return;
  a->mech = z->mech;
  if (pthread_create(&a->thread, NULL, factor_ahead, a) == 0)
    z->ahead = a;
  else
    free(a);
}

// Waits for the thread; z->direct is what it made.
static mw_code take_ahead(mw_offline *z, mw_error *err)
{
  mw_ahead *a = z->ahead;
  if (!a) return MW_OK;
  pthread_join(a->thread, NULL);
  mw_code rc = a->rc;
  z->direct = a->made;
  if (rc != MW_OK && err) *err = a->e;
  free(a);
  z->ahead = NULL;
  return rc;
}

void mw_offline_free(mw_offline *z)
{
  if (!z) return;
  (void)take_ahead(z, NULL);
  bases_free(&z->rough, z->mech->n_body);
  bases_free(&z->fine, z->mech->n_body);
  mw_blocks_free(z->direct);  // before the stages whose factors it borrows
  for (int b = 0; z->stage && b < z->mech->n_body; b++) mw_body_stage_close(z->stage[b]);
  mw_arena_free(&z->mem);
  free(z);
}

// The bases asked for, empty at first; others of their kind give way.
static mw_code bases_for(mw_offline *z, mw_band band, mw_bases **out, mw_error *err)
{
  mw_bases *b = *out = band.rough ? &z->rough : &z->fine;
  if (b->basis && (band.rough || (b->band == band.band && b->tolerance == band.tolerance)))
    return MW_OK;
  bases_free(b, z->mech->n_body);
  b->rough = band.rough;
  b->band = band.band;
  b->tolerance = band.tolerance;
  b->basis = mw_arena_alloc(&b->mem, (size_t)z->mech->n_body, sizeof *b->basis);
  b->again = mw_arena_alloc(&b->mem, (size_t)z->mech->n_body, sizeof *b->again);
  b->body = mw_arena_alloc(&b->mem, (size_t)z->mech->n_body, sizeof *b->body);
  return mw_arena_check(&b->mem, err);
}

static mw_code one_body(mw_offline *z, mw_bases *b, int i, mw_error *err)
{
  if (b->basis[i].n_u > 0 || z->mech->body[i].n_u == 0) return MW_OK;
  mw_code rc = MW_OK;
  if (!z->stage[i]) rc = mw_body_stage_open(&z->mech->body[i], z->cache, &z->stage[i], err);
  if (rc == MW_OK)
    rc = mw_body_stage_basis(z->stage[i], b->rough, b->band, b->tolerance, &b->basis[i], err);
  return rc;
}

static mw_code stage_of(mw_offline *z, int body, mw_error *err)
{
  if (z->stage[body]) return MW_OK;
  return mw_body_stage_open(&z->mech->body[body], z->cache, &z->stage[body], err);
}

mw_code mw_offline_body(mw_offline *z, int body, mw_band band, bool apart, int *found,
                        mw_error *err)
{
  mw_bases *b = NULL;
  mw_code rc = bases_for(z, band, &b, err);
  if (rc == MW_OK) rc = stage_of(z, body, err);
  if (rc != MW_OK) return rc;
  if (!apart && b->basis[body].n_u > 0) mw_basis_free(&b->basis[body]);  // one without proof
  mw_body_stage_count_apart(z->stage[body], apart);
  if (apart)
    rc = one_body(z, b, body, err);
  else
    rc = mw_body_stage_proved(z->stage[body], b->band, b->tolerance, &b->basis[body], err);
  mw_body_stage_count_apart(z->stage[body], false);
  const mw_basis *basis = &b->basis[body];
  *found = rc == MW_OK && basis->n_mode > 0 ? basis->n_rigid + basis->n_mode : 0;
  return rc;
}

mw_code mw_offline_count(mw_offline *z, int body, mw_band band, int *count, mw_error *err)
{
  mw_code rc = stage_of(z, body, err);
  if (rc == MW_OK) rc = mw_body_stage_count(z->stage[body], band.band, count, err);
  return rc;
}

mw_code mw_offline_bases(mw_offline *z, mw_band band, mw_bases **out, mw_error *err)
{
  mw_bases *b = NULL;
  mw_code rc = bases_for(z, band, &b, err);
  *out = b;
  if (rc != MW_OK || b->made) return rc;
  for (int i = 0; rc == MW_OK && i < z->mech->n_body; i++) {
    rc = one_body(z, b, i, err);
    b->body[i] = z->mech->body[i].n_u > 0 ? b->basis[i].body : z->mech->body[i];
  }
  if (rc == MW_OK) rc = mw_mech_build(z->model, b->body, &b->mem, &b->mech, err);
  if (rc == MW_OK) rc = mw_blocks_build(&b->mech, 0.0, false, &b->blocks, err);
  b->made = rc == MW_OK;
  return rc;
}

mw_code mw_offline_shapes(mw_offline *z, mw_bases *b, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < z->mech->n_body; i++) {
    if (mw_basis_shapes(&b->basis[i], NULL) == MW_OK) continue;
    // gone from the disk: made again
    mw_basis again = { 0 };
    if (!z->stage[i]) rc = mw_body_stage_open(&z->mech->body[i], z->cache, &z->stage[i], err);
    if (rc == MW_OK)
      rc = mw_body_stage_again(z->stage[i], b->rough, b->band, b->tolerance, &again, err);
    if (rc != MW_OK) break;
    mw_basis_free(&b->again[i]);
    b->again[i] = again;
    b->basis[i].T = again.T;
  }
  return rc;
}

mw_code mw_offline_direct(mw_offline *z, mw_blocks **out, mw_error *err)
{
  mw_code made = take_ahead(z, err);
  if (made != MW_OK) return made;
  if (!z->direct) {
    // factors of bodies that are there already serve here too
    mw_arena tmp = { 0 };
    const mw_blocks **of = mw_arena_alloc(&tmp, (size_t)z->mech->n_body, sizeof *of);
    mw_code rc = mw_arena_check(&tmp, err);
    for (int b = 0; rc == MW_OK && b < z->mech->n_body; b++)
      of[b] = z->stage[b] ? mw_body_stage_blocks(z->stage[b]) : NULL;
    if (rc == MW_OK) rc = mw_blocks_build_from(z->mech, of, &z->direct, err);
    mw_arena_free(&tmp);
    if (rc != MW_OK) return rc;
  }
  *out = z->direct;
  return MW_OK;
}

mw_code mw_reduce_worker_init(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                              void **ctx, mw_error *err)
{
  mw_offline *z = NULL;
  mw_code rc = mw_offline_init(model, mech, opt ? opt->cache : NULL, &z, err);
  *ctx = z;
  return rc;
}

void mw_reduce_worker_free(void *ctx) { mw_offline_free(ctx); }
