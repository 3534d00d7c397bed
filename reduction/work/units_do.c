// SPDX-License-Identifier: BSD-3-Clause
// units_do.c: a unit of a reduction (units.c) from its arguments to its result.
#include <stdlib.h>
#include <string.h>

#include "system/system_layer.h"
#include "system/track_layer.h"
#include "units_priv.h"

enum { GUARDS = 4, TRIES = 3, EARLY_EXTRA = 12 };

// Numbers that no unit has.
static bool senseless(const mw_unit_args *a, int kind)
{
  enum { MOST = 100000 };
  bool sample = kind == MW_UNIT_SAMPLE || kind == MW_UNIT_PROJECTED;
  if (kind == MW_UNIT_MODES && (a->n < 1 || a->k < 1 || a->k > MOST)) return true;
  bool chunk = kind == MW_UNIT_PROJECTED || kind == MW_UNIT_INERTIA;
  if (chunk && (a->n < 1 || a->n > MW_UNIT_CHUNK)) return true;
  if (kind == MW_UNIT_ARPACK && (a->n < 0 || a->n > MOST)) return true;
  if (a->arpack < 0 || a->arpack > (kind == MW_UNIT_SAMPLE)) return true;
  if (kind == MW_UNIT_PROOF) return a->k < 1 || a->k > MOST;
  sample = sample || kind == MW_UNIT_ARPACK;
  return sample && (a->k < 1 || a->k > MOST || a->n_mac < 0 || a->n_mac > a->k);
}

// A configuration of a unit and the mechanism there.
typedef struct place {
  mw_config q;
  mw_system *sys;
  mw_arena mem;
} place;

// The configuration that comes next in u, θ held, of the mechanism of bl.
static mw_code enter(const mw_offline *z, const mw_blocks *bl, uint64_t hold, mw_unpack *u,
                     place *at, mw_error *err)
{
  mw_code rc = mw_unit_get_config(u, z->mech, z->s, &at->mem, &at->q, err);
  if (rc == MW_OK) rc = mw_system_build(bl, z->locked, hold, at->q.p, at->q.s, &at->sys, err);
  return rc;
}

// The same of the full mechanism.
static mw_code enter_full(mw_offline *z, mw_unpack *u, place *at, mw_error *err)
{
  mw_blocks *bl = NULL;
  mw_code rc = mw_offline_direct(z, &bl, err);
  return rc == MW_OK ? enter(z, bl, 0, u, at, err) : rc;
}

static void leave(place *at)
{
  mw_system_free(at->sys);
  mw_arena_free(&at->mem);
}

static mw_sample_in sample_in(const mw_offline *z, const mw_unit_args *a, const mw_config *q)
{
  return (mw_sample_in){ .mech = z->mech,
                         .locked = z->locked,
                         .s = z->s,
                         .q = q,
                         .k = a->k,
                         .n_mac = a->n_mac,
                         .band = a->hz,
                         .rest = a->rest };
}

// The sample that `in` asks for, into out.
static mw_code put_sample(place *at, const mw_sample_in *in, mw_sample *sample, mw_pack *out,
                          mw_error *err)
{
  mw_code rc = mw_sample_build(at->sys, in, sample, &at->mem, err);
  if (rc == MW_OK) mw_sample_pack(sample, out);
  return rc;
}

// k modes and others that keep them apart from what is left
static int with_guards(const mw_system *sys, int k)
{
  int most = mw_system_modes_most(sys);
  return k + GUARDS < most ? k + GUARDS : most > k ? most : k;
}

// Modes at one configuration, proved: from the neighbour's vectors X [all × n] in place, or anew;
// all motions there are need no proof.
static mw_code modes_at(mw_system *sys, int k, int all, bool anew, double *lambda, double *X,
                        mw_error *err)
{
  bool complete = all == mw_system_motions(sys);
  if (!anew && !complete && mw_system_track(sys, k, all, X, lambda, X, err)) return MW_OK;
  mw_code rc = mw_system_modes(sys, all, lambda, X, err);
  if (rc != MW_OK || complete || mw_system_proved(sys, k, all, lambda)) return rc;
  // one was missed: more of them
  int n = mw_blocks_size(mw_system_blocks(sys));
  mw_arena mem = { 0 };
  for (int t = 1; rc == MW_OK && t <= TRIES; t++) {
    int most = mw_system_modes_most(sys), more = all + t * all < most ? all + t * all : most;
    double *l = mw_arena_f64(&mem, (size_t)more), *Y = mw_arena_f64(&mem, (size_t)more * (size_t)n);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) rc = mw_system_modes(sys, more, l, Y, err);
    if (rc != MW_OK || !mw_system_proved(sys, k, more, l)) continue;
    memcpy(lambda, l, (size_t)all * sizeof *l);
    memcpy(X, Y, (size_t)all * (size_t)n * sizeof *Y);
    mw_arena_free(&mem);
    return MW_OK;
  }
  mw_arena_free(&mem);
  if (rc != MW_OK) return rc;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the %d lowest modes cannot be proved to be all there are", k);
}

static mw_code do_modes(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                        mw_error *err)
{
  mw_bases *b = NULL;
  mw_arena mem = { 0 };
  mw_code rc = mw_offline_bases(z, a->band, &b, err);
  if (rc != MW_OK) return rc;
  int n = mw_blocks_size(b->blocks), all = 0;
  double *lambda = NULL, *X = NULL;
  for (int i = 0; rc == MW_OK && i < a->n; i++) {
    place at = { .sys = NULL };
    rc = enter(z, b->blocks, a->hold, u, &at, err);
    if (rc == MW_OK && i == 0) {
      all = with_guards(at.sys, a->k);
      lambda = mw_arena_f64(&mem, (size_t)all);
      X = mw_arena_f64(&mem, (size_t)all * (size_t)n);
      rc = mw_arena_check(&mem, err);
    }
    if (rc == MW_OK) rc = modes_at(at.sys, a->k, all, i == 0, lambda, X, err);
    leave(&at);
    if (rc != MW_OK) break;
    mw_pack_f64(out, (size_t)a->k, lambda);
    mw_pack_f64(out, (size_t)a->k * (size_t)n, X);
  }
  mw_arena_free(&mem);
  return rc;
}

// Modes that receptances need, as the mechanism in the bodies' bases sees it: nearly as many as the
// full one does.
static mw_code modes_needed(mw_offline *z, const mw_bases *b, const mw_sample_in *in, int *k,
                            mw_error *err)
{
  mw_sample_in small = *in;
  mw_sample sample;
  mw_system *sys = NULL;
  mw_arena mem = { 0 };
  small.mech = &b->mech;
  small.basis = NULL;
  small.n_mac = 0;
  small.arpack = false;
  mw_code rc = mw_system_build(b->blocks, z->locked, false, in->q->p, in->q->s, &sys, err);
  if (rc == MW_OK) rc = mw_sample_build(sys, &small, &sample, &mem, err);
  if (rc == MW_OK) *k = sample.k;
  mw_system_free(sys);
  mw_arena_free(&mem);
  return rc;
}

static mw_code do_sample(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                         mw_error *err)
{
  mw_bases *b = NULL;
  place at = { .sys = NULL };
  mw_sample sample;
  bool based = a->band.band > 0.0;
  mw_code rc = based ? mw_offline_bases(z, a->band, &b, err) : MW_OK;
  if (rc == MW_OK && based) rc = mw_offline_shapes(z, b, err);
  if (rc == MW_OK) rc = enter_full(z, u, &at, err);
  mw_sample_in in = sample_in(z, a, &at.q);
  in.basis = b ? b->basis : NULL;
  in.arpack = a->arpack != 0;
  if (!based) in.first = in.k + EARLY_EXTRA;
  if (rc == MW_OK && based) rc = modes_needed(z, b, &in, &in.first, err);
  if (rc == MW_OK) rc = put_sample(&at, &in, &sample, out, err);
  leave(&at);
  return rc;
}

// A sample that block Lanczos took, by ARPACK.
static mw_code do_arpack(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                         mw_error *err)
{
  place at = { .sys = NULL };
  mw_sample sample;
  double *lambda = mw_arena_f64(&at.mem, (size_t)a->k);
  mw_code rc = mw_arena_check(&at.mem, err);
  if (rc == MW_OK) mw_unpack_f64(u, (size_t)a->k, lambda);
  if (rc == MW_OK) rc = enter_full(z, u, &at, err);
  if (rc == MW_OK && a->k + a->n > mw_system_modes_most(at.sys)) rc = mw_unit_bad(err);
  mw_sample_in in = sample_in(z, a, &at.q);
  in.arpack = in.proof_apart = true;
  in.beyond = a->n;
  in.lambda = lambda;
  if (rc == MW_OK) rc = put_sample(&at, &in, &sample, out, err);
  if (rc == MW_OK) mw_pack_f64(out, (size_t)a->n, sample.beyond);
  leave(&at);
  return rc;
}

// Modes of a sample proved, and missing.
static mw_code do_proof(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                        mw_error *err)
{
  mw_arena mem = { 0 };
  mw_config q;
  mw_sample_in in = { .mech = z->mech, .locked = z->locked, .s = z->s, .q = &q };
  double *lambda = mw_arena_f64(&mem, (size_t)a->k);
  int got[2] = { 0 };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) mw_unpack_f64(u, (size_t)a->k, lambda);
  if (rc == MW_OK) rc = mw_unit_get_config(u, z->mech, z->s, &mem, &q, err);
  if (rc == MW_OK) rc = mw_sample_prove(&in, a->k, a->k, lambda, &got[0], &got[1], err);
  mw_pack_int(out, 2, got);
  mw_arena_free(&mem);
  return rc;
}

// Eigenvalues below that shift: of each body, and of the full mechanism at up to MW_UNIT_CHUNK θ.
static mw_code do_inertia(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                          mw_error *err)
{
  mw_arena mem = { 0 };
  mw_blocks *bl = NULL;
  mw_config q[MW_UNIT_CHUNK];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < a->n; i++)
    rc = mw_unit_get_config(u, z->mech, z->s, &mem, &q[i], err);
  if (rc == MW_OK) rc = mw_blocks_build(z->mech, mw_body_stage_shift(a->band.band), true, &bl, err);
  for (int b = 0; rc == MW_OK && b < z->mech->n_body; b++)
    mw_pack_int(out, 1, &bl->block[b].n_negative);
  for (int i = 0; rc == MW_OK && i < a->n; i++) {
    mw_system *sys = NULL;
    int count = 0;
    rc = mw_system_build(bl, z->locked, 0, q[i].p, q[i].s, &sys, err);
    if (rc == MW_OK) rc = mw_system_count_below(sys, &count, err);
    mw_pack_int(out, 1, &count);
    mw_system_free(sys);
  }
  mw_blocks_free(bl);
  mw_arena_free(&mem);
  return rc;
}

// Samples in the bodies' bases; the first says how many modes the others begin with.
static mw_code do_projected(mw_offline *z, const mw_unit_args *a, mw_unpack *u, mw_pack *out,
                            mw_error *err)
{
  mw_bases *b = NULL;
  mw_code rc = mw_offline_bases(z, a->band, &b, err);
  int first = 0;
  for (int i = 0; rc == MW_OK && i < a->n; i++) {
    place at = { .sys = NULL };
    mw_sample sample;
    rc = enter(z, b->blocks, 0, u, &at, err);
    mw_sample_in in = sample_in(z, a, &at.q);
    in.mech = &b->mech;
    in.first = first;
    if (rc == MW_OK) rc = put_sample(&at, &in, &sample, out, err);
    if (rc == MW_OK && i == 0) first = sample.k;
    leave(&at);
  }
  return rc;
}

mw_code mw_reduce_unit(void *ctx, int kind, const unsigned char *bytes, size_t n_args,
                       mw_bytes *result, mw_error *err)
{
  mw_offline *z = ctx;
  mw_unpack u = { .p = bytes, .left = n_args };
  mw_pack out = { 0 };
  mw_unit_args a = mw_unit_get_args(&u);
  mw_code rc = u.failed || senseless(&a, kind) ? mw_unit_bad(err) : MW_OK;
  if (rc == MW_OK && kind == MW_UNIT_BODY) {
    int found = 0;
    rc = a.body < 0 || a.body >= z->mech->n_body
             ? mw_unit_bad(err)
             : mw_offline_body(z, a.body, a.band, a.k == MW_UNIT_APART, &found, err);
    mw_pack_int(&out, 1, &found);
  } else if (rc == MW_OK && kind == MW_UNIT_COUNT) {
    int count = 0;
    rc = a.body < 0 || a.body >= z->mech->n_body ? mw_unit_bad(err)
                                                 : mw_offline_count(z, a.body, a.band, &count, err);
    mw_pack_int(&out, 1, &count);
  } else if (rc == MW_OK && kind == MW_UNIT_MODES) {
    rc = do_modes(z, &a, &u, &out, err);
  } else if (rc == MW_OK && kind == MW_UNIT_SAMPLE) {
    rc = do_sample(z, &a, &u, &out, err);
  } else if (rc == MW_OK && kind == MW_UNIT_ARPACK) {
    rc = do_arpack(z, &a, &u, &out, err);
  } else if (rc == MW_OK && kind == MW_UNIT_PROOF) {
    rc = do_proof(z, &a, &u, &out, err);
  } else if (rc == MW_OK && kind == MW_UNIT_INERTIA) {
    rc = do_inertia(z, &a, &u, &out, err);
  } else if (rc == MW_OK && kind == MW_UNIT_PROJECTED) {
    rc = do_projected(z, &a, &u, &out, err);
  } else if (rc == MW_OK) {
    rc = mw_unit_bad(err);
  }
  if (rc == MW_OK && (out.failed || u.left != 0)) rc = mw_unit_bad(err);
  if (rc == MW_OK)
    *result = out.b;
  else
    free(out.b.p);
  return rc;
}
