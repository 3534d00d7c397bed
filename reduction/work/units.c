// SPDX-License-Identifier: BSD-3-Clause
// units.c: a reduction as a list of independent units: bodies, modes at configurations, samples of
// the full mechanism.
//
//   BODY    a body's basis, kept on disk                              one a body and band
//   COUNT   the inertia count that proves its modes                   beside it
//   MODES   eigenmodes at up to CHUNK neighbours of one line
//       each starts from its neighbour (track.c), the first anew
//   SAMPLE  the full mechanism at one θ                       independent of grid and reduced model
//   ARPACK  the modes of a SAMPLE once more, by ARPACK           beside bodies, which need none
//   INERTIA the inertia counts of bodies and those, at one shift  beside both
//   PROOF   the inertia count of a SAMPLE at a shift of its own  where that one does not serve it
//   PROJECTED  the same in the bodies' bases at up to CHUNK θ
//       so cheap that one would not be worth a unit
//
// Chunks do not depend on who does them, so neither do the bits. Kinematics are the caller's: they
// come with the arguments.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "offline_layer.h"
#include "system/system_layer.h"
#include "system/track_layer.h"

enum { CHUNK = 16, GUARDS = 4, TRIES = 3, APART = 1, EARLY_EXTRA = 12 };
// Of frequencies: ARPACK's that are no further from block Lanczos's lie on the same side of every
// shift that is clear of these (prove.c).
static const double SAME = 1e-7;
static const double CLEAR = 1e-6;  // relative distance of a shift from eigenvalues, as prove.c

// ---- arguments ----------------------------------------------------------------------------------

typedef struct args {  // of all kinds
  int n, k, body, n_mac, arpack;
  uint64_t hold;
  mw_band band;
  double hz, rest;
} args;

static void put_args(mw_pack *p, const args *a)
{
  int i[8] = { a->n,
               a->k,
               a->body,
               a->n_mac,
               (int)(a->hold & 0x7fffffffu),
               (int)(a->hold >> 31 & 0x7fffffffu),
               a->band.rough | (int)(a->hold >> 62) << 1,
               a->arpack };
  double x[4] = { a->band.band, a->band.tolerance, a->hz, a->rest };
  mw_pack_int(p, 8, i);
  mw_pack_f64(p, 4, x);
}

static args get_args(mw_unpack *u)
{
  int i[8] = { 0 };
  double x[4] = { 0.0 };
  mw_unpack_int(u, 8, i);
  mw_unpack_f64(u, 4, x);
  return (args){ .n = i[0],
                 .k = i[1],
                 .body = i[2],
                 .n_mac = i[3],
                 .arpack = i[7],
                 .hold = (uint64_t)i[4] | (uint64_t)i[5] << 31 | (uint64_t)(i[6] >> 1) << 62,
                 .band = { (i[6] & 1) != 0, x[0], x[1] },
                 .hz = x[2],
                 .rest = x[3] };
}

static void put_config(mw_pack *p, const mw_mech *m, int s, const mw_config *q)
{
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, ns = (size_t)s;
  mw_pack_f64(p, ns, q->theta);
  mw_pack_f64(p, 12 * nb, q->p);
  mw_pack_f64(p, nc, q->s);
  mw_pack_f64(p, 6 * nb * ns, q->v);
  mw_pack_f64(p, nc * ns, q->s_dot);
}

static mw_code get_config(mw_unpack *u, const mw_mech *m, int s, mw_arena *mem, mw_config *q,
                          mw_error *err)
{
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, ns = (size_t)s;
  *q = (mw_config){ .p = mw_arena_f64(mem, 12 * nb),
                    .s = mw_arena_f64(mem, nc),
                    .v = mw_arena_f64(mem, 6 * nb * ns),
                    .s_dot = mw_arena_f64(mem, nc * ns) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_unpack_f64(u, ns, q->theta);
  mw_unpack_f64(u, 12 * nb, q->p);
  mw_unpack_f64(u, nc, q->s);
  mw_unpack_f64(u, 6 * nb * ns, q->v);
  mw_unpack_f64(u, nc * ns, q->s_dot);
  return MW_OK;
}

static mw_code bad_unit(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                 "a unit of work is short or does not fit in memory");
}

// Numbers that no unit has.
static bool senseless(const args *a, int kind)
{
  enum { MOST = 100000 };
  bool sample = kind == MW_UNIT_SAMPLE || kind == MW_UNIT_PROJECTED;
  if (kind == MW_UNIT_MODES && (a->n < 1 || a->k < 1 || a->k > MOST)) return true;
  bool chunk = kind == MW_UNIT_PROJECTED || kind == MW_UNIT_INERTIA;
  if (chunk && (a->n < 1 || a->n > CHUNK)) return true;
  if (kind == MW_UNIT_ARPACK && (a->n < 0 || a->n > MOST)) return true;
  if (a->arpack < 0 || a->arpack > (kind == MW_UNIT_SAMPLE)) return true;
  if (kind == MW_UNIT_PROOF) return a->k < 1 || a->k > MOST;
  sample = sample || kind == MW_UNIT_ARPACK;
  return sample && (a->k < 1 || a->k > MOST || a->n_mac < 0 || a->n_mac > a->k);
}

// ---- doing them ---------------------------------------------------------------------------------

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

static mw_code do_modes(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_bases *b = NULL;
  mw_arena mem = { 0 };
  mw_code rc = mw_offline_bases(z, a->band, &b, err);
  if (rc != MW_OK) return rc;
  int n = mw_blocks_size(b->blocks), all = 0;
  double *lambda = NULL, *X = NULL;
  for (int i = 0; rc == MW_OK && i < a->n; i++) {
    mw_config q;
    mw_system *sys = NULL;
    rc = get_config(u, z->mech, z->s, &mem, &q, err);
    if (rc == MW_OK && u->failed) rc = bad_unit(err);
    if (rc == MW_OK) rc = mw_system_build(b->blocks, z->locked, a->hold, q.p, q.s, &sys, err);
    if (rc == MW_OK && i == 0) {
      all = with_guards(sys, a->k);
      lambda = mw_arena_f64(&mem, (size_t)all);
      X = mw_arena_f64(&mem, (size_t)all * (size_t)n);
      rc = mw_arena_check(&mem, err);
    }
    if (rc == MW_OK) rc = modes_at(sys, a->k, all, i == 0, lambda, X, err);
    mw_system_free(sys);
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

static mw_code do_sample(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_bases *b = NULL;
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  mw_arena mem = { 0 };
  mw_config q;
  mw_sample sample;
  bool based = a->band.band > 0.0;
  mw_code rc = based ? mw_offline_bases(z, a->band, &b, err) : MW_OK;
  if (rc == MW_OK && based) rc = mw_offline_shapes(z, b, err);
  if (rc == MW_OK) rc = mw_offline_direct(z, &bl, err);
  if (rc == MW_OK) rc = get_config(u, z->mech, z->s, &mem, &q, err);
  if (rc == MW_OK && u->failed) rc = bad_unit(err);
  if (rc == MW_OK) rc = mw_system_build(bl, z->locked, false, q.p, q.s, &sys, err);
  mw_sample_in in = { .mech = z->mech,
                      .locked = z->locked,
                      .s = z->s,
                      .q = &q,
                      .k = a->k,
                      .n_mac = a->n_mac,
                      .band = a->hz,
                      .rest = a->rest,
                      .basis = b ? b->basis : NULL,
                      .arpack = a->arpack != 0 };
  if (!based) in.first = in.k + EARLY_EXTRA;
  if (rc == MW_OK && based) rc = modes_needed(z, b, &in, &in.first, err);
  if (rc == MW_OK) rc = mw_sample_build(sys, &in, &sample, &mem, err);
  if (rc == MW_OK) mw_sample_pack(&sample, out);
  mw_system_free(sys);
  mw_arena_free(&mem);
  return rc;
}

// A sample that block Lanczos took, by ARPACK.
static mw_code do_arpack(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  mw_arena mem = { 0 };
  mw_config q;
  mw_sample sample;
  double *lambda = mw_arena_f64(&mem, (size_t)a->k);
  mw_sample_in in = { .mech = z->mech,
                      .locked = z->locked,
                      .s = z->s,
                      .q = &q,
                      .k = a->k,
                      .n_mac = a->n_mac,
                      .arpack = true,
                      .proof_apart = true,
                      .beyond = a->n,
                      .lambda = lambda };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) mw_unpack_f64(u, (size_t)a->k, lambda);
  if (rc == MW_OK) rc = get_config(u, z->mech, z->s, &mem, &q, err);
  if (rc == MW_OK && u->failed) rc = bad_unit(err);
  if (rc == MW_OK) rc = mw_offline_direct(z, &bl, err);
  if (rc == MW_OK) rc = mw_system_build(bl, z->locked, false, q.p, q.s, &sys, err);
  if (rc == MW_OK && a->k + a->n > mw_system_modes_most(sys)) rc = bad_unit(err);
  if (rc == MW_OK) rc = mw_sample_build(sys, &in, &sample, &mem, err);
  if (rc == MW_OK) mw_sample_pack(&sample, out);
  if (rc == MW_OK) mw_pack_f64(out, (size_t)a->n, sample.beyond);
  mw_system_free(sys);
  mw_arena_free(&mem);
  return rc;
}

// Modes of a sample proved, and missing.
static mw_code do_proof(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_config q;
  mw_sample_in in = { .mech = z->mech, .locked = z->locked, .s = z->s, .q = &q };
  double *lambda = mw_arena_f64(&mem, (size_t)a->k);
  int got[2] = { 0 };
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) mw_unpack_f64(u, (size_t)a->k, lambda);
  if (rc == MW_OK) rc = get_config(u, z->mech, z->s, &mem, &q, err);
  if (rc == MW_OK && u->failed) rc = bad_unit(err);
  if (rc == MW_OK) rc = mw_sample_prove(&in, a->k, a->k, lambda, &got[0], &got[1], err);
  mw_pack_int(out, 2, got);
  mw_arena_free(&mem);
  return rc;
}

// Eigenvalues below that shift: of each body, and of the full mechanism at up to CHUNK θ.
static mw_code do_inertia(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_blocks *bl = NULL;
  mw_config q[CHUNK];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < a->n; i++) rc = get_config(u, z->mech, z->s, &mem, &q[i], err);
  if (rc == MW_OK && u->failed) rc = bad_unit(err);
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
static mw_code do_projected(mw_offline *z, const args *a, mw_unpack *u, mw_pack *out, mw_error *err)
{
  mw_bases *b = NULL;
  mw_code rc = mw_offline_bases(z, a->band, &b, err);
  mw_sample_in in = { .mech = b ? &b->mech : NULL,
                      .locked = z->locked,
                      .s = z->s,
                      .k = a->k,
                      .n_mac = a->n_mac,
                      .band = a->hz,
                      .rest = a->rest };
  for (int i = 0; rc == MW_OK && i < a->n; i++) {
    mw_arena mem = { 0 };
    mw_config q;
    mw_system *sys = NULL;
    mw_sample sample;
    in.q = &q;
    rc = get_config(u, z->mech, z->s, &mem, &q, err);
    if (rc == MW_OK && u->failed) rc = bad_unit(err);
    if (rc == MW_OK) rc = mw_system_build(b->blocks, z->locked, false, q.p, q.s, &sys, err);
    if (rc == MW_OK) rc = mw_sample_build(sys, &in, &sample, &mem, err);
    if (rc == MW_OK) mw_sample_pack(&sample, out);
    if (rc == MW_OK && i == 0) in.first = sample.k;
    mw_system_free(sys);
    mw_arena_free(&mem);
  }
  return rc;
}

mw_code mw_reduce_unit(void *ctx, int kind, const unsigned char *bytes, size_t n_args,
                       mw_bytes *result, mw_error *err)
{
  mw_offline *z = ctx;
  mw_unpack u = { .p = bytes, .left = n_args };
  mw_pack out = { 0 };
  args a = get_args(&u);
  mw_code rc = u.failed || senseless(&a, kind) ? bad_unit(err) : MW_OK;
  if (rc == MW_OK && kind == MW_UNIT_BODY) {
    int found = 0;
    rc = a.body < 0 || a.body >= z->mech->n_body
             ? bad_unit(err)
             : mw_offline_body(z, a.body, a.band, a.k == APART, &found, err);
    mw_pack_int(&out, 1, &found);
  } else if (rc == MW_OK && kind == MW_UNIT_COUNT) {
    int count = 0;
    rc = a.body < 0 || a.body >= z->mech->n_body ? bad_unit(err)
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
    rc = bad_unit(err);
  }
  if (rc == MW_OK && (out.failed || u.left != 0)) rc = bad_unit(err);
  if (rc == MW_OK)
    *result = out.b;
  else
    free(out.b.p);
  return rc;
}

// ---- lists of them ------------------------------------------------------------------------------

typedef mw_code (*take_fn)(void *ctx, int i, mw_unpack *u, mw_error *err);

typedef struct task {
  int kind, worker;  // of mw_unit
  mw_pack pack;      // its arguments
  take_fn take;      // called with its result
  void *ctx;
  int i;  // for take
} task;

// Runs n units; their arguments are released.
static mw_code run(mw_reduction *r, const char *what, int n, task *t, mw_error *err)
{
  mw_unit *unit = calloc((size_t)n + 1, sizeof *unit);
  mw_bytes *result = calloc((size_t)n + 1, sizeof *result);
  mw_code rc = MW_OK;
  int missing = 0;
  if (!unit || !result) rc = bad_unit(err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    if (t[i].pack.failed) rc = bad_unit(err);
    unit[i] = (mw_unit){ .kind = t[i].kind, .args = t[i].pack.b, .worker = t[i].worker };
  }
  if (rc == MW_OK) rc = mw_work_run(r->work, what, n, unit, result, &missing, err);
  r->waiting = r->waiting || missing > 0;
  for (int i = 0; rc == MW_OK && !r->waiting && i < n; i++) {
    mw_unpack u = { .p = result[i].p, .left = result[i].n };
    rc = t[i].take(t[i].ctx, t[i].i, &u, err);
    if (rc == MW_OK && (u.failed || u.left != 0)) rc = bad_unit(err);
  }
  for (int i = 0; i < n; i++) {
    if (result) free(result[i].p);
    free(t[i].pack.b.p);
  }
  free(unit);
  free(result);
  return rc;
}

// ---- bodies and samples -------------------------------------------------------------------------

static mw_code take_int(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  (void)err;
  mw_unpack_int(u, 1, (int *)ctx + i);
  return MW_OK;
}

static mw_code take_sample(void *ctx, int i, mw_unpack *u, mw_error *err);

typedef struct taken_samples {
  mw_sample *sample;
  mw_arena *mem;
  int n;
} taken_samples;

// Samples of a certificate that ARPACK solves: every fourth of n, of few the last one too, that
// there are two.
static bool by_arpack(int i, int n) { return i % 4 == 0 || (n <= 4 && i == n - 1); }

// A unit a body, better done by the same worker as others of it.
static void body_task(task *t, int kind, int body, int worker, int how, mw_band band, int *found)
{
  args a = { .body = body, .k = how, .band = band };
  *t = (task){ .kind = kind, .worker = worker, .take = take_int, .ctx = found, .i = body };
  put_args(&t->pack, &a);
}

// Samples at theta, the first of them better done by worker `worker`; arpack: some by ARPACK.
static mw_code sample_tasks(mw_reduction *r, mw_band band, bool arpack, const double *theta,
                            int worker, taken_samples *to, task *t, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_sample_in in = mw_certificate_sample(r);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < to->n; i++) {
    mw_config q;
    args a = { .k = in.k, .n_mac = in.n_mac, .band = band, .hz = in.band, .rest = in.rest };
    a.arpack = arpack && by_arpack(i, to->n);
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta + i * r->s, &r->point[0].q, &tmp,
                      &q, err);
    t[i] = (task){ .kind = MW_UNIT_SAMPLE, .take = take_sample, .ctx = to, .i = i };
    t[i].worker = i == 0 ? worker : 0;
    if (rc != MW_OK) break;
    put_args(&t[i].pack, &a);
    put_config(&t[i].pack, r->full, r->s, &q);
  }
  mw_arena_free(&tmp);
  return rc;
}

static void drop(int n, task *t)
{
  for (int i = 0; t && i < n; i++) free(t[i].pack.b.p);
}

mw_code mw_units_first(mw_reduction *r, int n_sample, const double *theta, mw_sample *sample,
                       mw_arena *mem, mw_error *err)
{
  const mw_mech *m = r->full;
  mw_band band = { .rough = true };
  mw_arena tmp = { 0 };
  taken_samples to = { sample, mem, n_sample };
  mw_bases *b = NULL;
  int n = 0, all = m->n_body + n_sample;
  task *t = mw_arena_alloc(&tmp, (size_t)all, sizeof *t);
  int *found = mw_arena_int(&tmp, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && r->offline->cache && i < m->n_body; i++)
    if (m->body[i].n_u > 0) body_task(&t[n++], MW_UNIT_BODY, i, 1 + i, APART, band, found);
  if (rc == MW_OK) rc = sample_tasks(r, band, false, theta, m->n_body, &to, t + n, err);
  if (rc == MW_OK)
    rc = run(r, n_sample > 0 ? "bodies, roughly, and samples" : "bodies, roughly", n + n_sample, t,
             err);
  else
    drop(n + n_sample, t);
  mw_arena_free(&tmp);
  if (rc == MW_OK && !r->waiting) rc = mw_offline_bases(r->offline, band, &b, err);
  return rc;
}

// Bodies whose modes a count refutes are made again, with the proof in them.
static mw_code refuted(mw_reduction *r, mw_band band, const int *found, const int *count,
                       mw_error *err)
{
  const mw_mech *m = r->full;
  mw_arena tmp = { 0 };
  int n = 0;
  task *t = mw_arena_alloc(&tmp, (size_t)m->n_body, sizeof *t);
  int *again = mw_arena_int(&tmp, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < m->n_body; i++)
    if (found[i] > 0 && found[i] != count[i])
      body_task(&t[n++], MW_UNIT_BODY, i, 1 + i, 0, band, again);
  if (rc == MW_OK && n > 0) rc = run(r, "bodies, once more", n, t, err);
  mw_arena_free(&tmp);
  return rc;
}

typedef struct proofs {
  mw_sample *sample;  // [n]  by block Lanczos
  mw_sample *arpack;  // [n]  by ARPACK
  int *proved;        // [n]  modes proved
  int *left;          // [n]  modes missing
  mw_arena *mem;      // of samples
  // one shift for bodies and samples, (rad/s)²; 0: each has its own
  double shift;
  int *beyond;     // [n]  modes that ARPACK finds above a sample's, to reach beyond it
  double **above;  // [n] [beyond]  their eigenvalues
  int *below;      // [n]  eigenvalues counted below it
  int *of_body;    // [n_body]  the same of bodies
  int n, n_body;   // samples, bodies
} proofs;

static mw_code take_proof(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  proofs *p = ctx;
  int got[2] = { 0 };
  mw_unpack_int(u, 2, got);
  p->proved[i] = got[0];
  p->left[i] = got[1];
  bool good = got[0] >= 0 && got[0] <= p->sample[i].k && got[1] >= 0;
  return good ? MW_OK : bad_unit(err);
}

static mw_code take_arpack(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  proofs *p = ctx;
  mw_code rc = mw_sample_unpack(u, &p->arpack[i], p->mem, err);
  if (rc == MW_OK) mw_unpack_f64(u, (size_t)p->beyond[i], p->above[i]);
  return rc;
}

// The chunk of samples by ARPACK that begins with sample i
static mw_code take_inertia(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  proofs *p = ctx;
  (void)err;
  mw_unpack_int(u, p->n_body, p->of_body);
  for (int k = 0; k < CHUNK && i < p->n; i++) {
    if (!by_arpack(i, p->n)) continue;
    mw_unpack_int(u, 1, &p->below[i]);
    k++;
  }
  return MW_OK;
}

static mw_code config_of(mw_reduction *r, const mw_sample *s, mw_arena *mem, mw_config *q,
                         mw_error *err)
{
  return mw_config_at(r->full, r->locked, r->s, r->coord, s->theta, &r->point[0].q, mem, q, err);
}

// p->shift where it serves all samples by ARPACK: it lies above their modes, and ARPACK is beyond
// it with few more, as the mechanism on rough bases sees it.
static mw_code one_shift(mw_reduction *r, mw_band band, proofs *p, mw_error *err)
{
  enum { FEW = 16, SPARE = 4, KRYLOV = 2, ROOM = 40 };  // of modes; of ARPACK's basis (arpack.c)
  double shift = mw_body_stage_shift(band.band);
  mw_arena tmp = { 0 };
  mw_bases *rough = NULL;
  mw_blocks *bl = NULL;
  mw_code rc = mw_offline_bases(r->offline, (mw_band){ .rough = true }, &rough, err);
  if (rc == MW_OK) rc = mw_blocks_build(&rough->mech, shift, true, &bl, err);
  bool good = true;
  for (int i = 0; rc == MW_OK && good && i < p->n; i++) {
    const mw_sample *s = &p->sample[i];
    mw_system *sys = NULL;
    mw_config q;
    int count = 0;
    if (!by_arpack(i, p->n)) continue;
    rc = config_of(r, s, &tmp, &q, err);
    if (rc == MW_OK) rc = mw_system_build(bl, r->locked, 0, q.p, q.s, &sys, err);
    if (rc == MW_OK) rc = mw_system_count_below(sys, &count, err);
    mw_system_free(sys);
    int more = (count > s->k ? count - s->k : 0) + SPARE;
    p->beyond[i] = more;
    p->above[i] = mw_arena_f64(p->mem, (size_t)more);
    good = s->lambda[s->k - 1] < shift && more <= FEW && KRYLOV * (s->k + more) + ROOM < s->motions;
  }
  if (rc == MW_OK) rc = mw_arena_check(p->mem, err);
  p->shift = good ? shift : 0.0;
  for (int i = 0; !good && i < p->n; i++) p->beyond[i] = 0;
  mw_blocks_free(bl);
  mw_arena_free(&tmp);
  return rc;
}

// What counts at the one shift say of ARPACK's modes.
static mw_code compare_counts(proofs *p, mw_error *err)
{
  for (int i = 0; i < p->n; i++) {
    const mw_sample *s = &p->arpack[i];
    int n = s->k + p->beyond[i], found = 0;
    bool clear = true;
    if (!by_arpack(i, p->n) || s->solver != MW_SOLVER_ARPACK) continue;
    for (int k = 0; k < n; k++) {
      double lambda = k < s->k ? s->lambda[k] : p->above[i][k - s->k];
      found += lambda < p->shift;
      clear = clear && fabs(lambda - p->shift) > CLEAR * p->shift;
    }
    p->proved[i] = s->k;
    p->left[i] = clear && found < n ? p->below[i] - found : n;  // not beyond it: taken again
    if (p->left[i] < 0)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "ARPACK finds %d modes more than inertia counts: the mechanism is too near "
                     "singular",
                     -p->left[i]);
  }
  return MW_OK;
}

// Counts at the one shift, of CHUNK samples by ARPACK each
static mw_code inertia_tasks(mw_reduction *r, mw_band band, proofs *p, task *t, int *n_task,
                             mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < p->n;) {
    task *to = &t[*n_task];
    args a = { .n = 0, .band = band };
    mw_config q[CHUNK];
    *to = (task){ .kind = MW_UNIT_INERTIA, .take = take_inertia, .ctx = p, .i = i };
    for (; rc == MW_OK && a.n < CHUNK && i < p->n; i++)
      if (by_arpack(i, p->n)) rc = config_of(r, &p->sample[i], &tmp, &q[a.n++], err);
    if (rc != MW_OK || a.n == 0) break;
    put_args(&to->pack, &a);
    for (int k = 0; k < a.n; k++) put_config(&to->pack, r->full, r->s, &q[k]);
    ++*n_task;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Of n samples those by ARPACK, or their proofs; *n_task: how many tasks there are in t by now
static mw_code proof_tasks(mw_reduction *r, int kind, int n, proofs *p, task *t, int *n_task,
                           mw_error *err)
{
  bool proof = kind == MW_UNIT_PROOF;
  mw_arena tmp = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const mw_sample *s = &p->sample[i];
    mw_config q;
    if (!by_arpack(i, n)) continue;
    rc = config_of(r, s, &tmp, &q, err);
    if (rc != MW_OK) break;
    args a = { .n = p->beyond[i], .k = s->k, .n_mac = proof ? 0 : s->n_mac };
    task *to = &t[(*n_task)++];
    *to = (task){ .kind = kind, .take = proof ? take_proof : take_arpack, .ctx = p, .i = i };
    if (!proof && i == 0) to->worker = r->full->n_body;  // who took it has the factors
    put_args(&to->pack, &a);
    mw_pack_f64(&to->pack, (size_t)s->k, s->lambda);
    put_config(&to->pack, r->full, r->s, &q);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ARPACK's samples in the place of block Lanczos's. Those of which modes are missing, or others
// than were counted, are taken again, with the search for those in them.
static mw_code proved_samples(mw_reduction *r, int n, proofs *p, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    mw_band band = { .rough = true };
    taken_samples to = { &p->sample[i], p->mem, 1 };
    task t = { 0 };
    if (!by_arpack(i, n)) continue;
    p->sample[i].solver = p->arpack[i].solver;
    if (p->arpack[i].solver != MW_SOLVER_ARPACK) continue;
    p->arpack[i].n_proved = p->proved[i];
    p->sample[i] = p->arpack[i];
    if (p->left[i] == 0 && p->arpack[i].apart <= SAME) continue;
    rc = sample_tasks(r, band, true, p->sample[i].theta, 0, &to, &t, err);
    if (rc == MW_OK)
      rc = run(r, "samples, once more", 1, &t, err);
    else
      drop(1, &t);
  }
  return rc;
}

mw_code mw_units_bodies(mw_reduction *r, mw_band band, int n_sample, mw_sample *sample,
                        mw_arena *mem, mw_error *err)
{
  mw_bases *b = NULL;
  const mw_mech *m = r->full;
  mw_arena tmp = { 0 };
  int n = 0;
  task *t = mw_arena_alloc(&tmp, 2 * ((size_t)m->n_body + (size_t)n_sample), sizeof *t);
  int *found = mw_arena_int(&tmp, (size_t)m->n_body),
      *count = mw_arena_int(&tmp, (size_t)m->n_body);
  proofs p = { .sample = sample,
               .arpack = mw_arena_alloc(&tmp, (size_t)n_sample, sizeof *p.arpack),
               .proved = mw_arena_int(&tmp, (size_t)n_sample),
               .left = mw_arena_int(&tmp, (size_t)n_sample),
               .mem = mem,
               .beyond = mw_arena_int(&tmp, (size_t)n_sample),
               .above = mw_arena_alloc(&tmp, (size_t)n_sample, sizeof *p.above),
               .below = mw_arena_int(&tmp, (size_t)n_sample),
               .of_body = count,
               .n = n_sample,
               .n_body = m->n_body };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && n_sample > 0) rc = one_shift(r, band, &p, err);
  int kinds = r->offline->cache ? p.shift > 0.0 ? 1 : 2 : 0;
  for (int kind = 0; rc == MW_OK && kind < kinds; kind++)
    for (int i = 0; i < m->n_body; i++) {
      if (m->body[i].n_u == 0) continue;
      if (kind == 0)
        body_task(&t[n++], MW_UNIT_BODY, i, 1 + i, APART, band, found);
      else
        body_task(&t[n++], MW_UNIT_COUNT, i, 2 + i, 0, band, count);
    }
  if (rc == MW_OK) rc = proof_tasks(r, MW_UNIT_ARPACK, n_sample, &p, t, &n, err);
  if (rc == MW_OK)
    rc = p.shift > 0.0 ? inertia_tasks(r, band, &p, t, &n, err)
                       : proof_tasks(r, MW_UNIT_PROOF, n_sample, &p, t, &n, err);
  if (rc == MW_OK && n > 0)
    rc = run(r, "bodies", n, t, err);
  else
    drop(n, t);
  if (rc == MW_OK && n > 0 && !r->waiting) rc = refuted(r, band, found, count, err);
  if (rc == MW_OK && p.shift > 0.0 && !r->waiting) rc = compare_counts(&p, err);
  if (rc == MW_OK && !r->waiting) rc = proved_samples(r, n_sample, &p, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK && !r->waiting) rc = mw_offline_bases(r->offline, band, &b, err);
  return rc;
}

static mw_code take_sample(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  taken_samples *t = ctx;
  return mw_sample_unpack(u, &t->sample[i], t->mem, err);
}

mw_code mw_units_samples(mw_reduction *r, mw_band band, bool arpack, int n, const double *theta,
                         mw_sample *sample, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  taken_samples to = { sample, mem, n };
  task *t = mw_arena_alloc(&tmp, (size_t)n, sizeof *t);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = sample_tasks(r, band, arpack, theta, 0, &to, t, err);
  if (rc == MW_OK)
    rc = run(r, "samples of the full mechanism", n, t, err);
  else
    drop(n, t);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code take_projected(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  taken_samples *t = ctx;
  mw_code rc = MW_OK;
  for (int j = CHUNK * i; rc == MW_OK && j < CHUNK * (i + 1) && j < t->n; j++)
    rc = mw_sample_unpack(u, &t->sample[j], t->mem, err);
  return rc;
}

mw_code mw_units_projected(mw_reduction *r, mw_band band, int n, const double *theta,
                           mw_sample *sample, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  taken_samples to = { sample, mem, n };
  int n_chunk = (n + CHUNK - 1) / CHUNK;
  mw_sample_in in = mw_certificate_sample(r);
  task *t = mw_arena_alloc(&tmp, (size_t)n_chunk, sizeof *t);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int c = 0; rc == MW_OK && c < n_chunk; c++) {
    int many = n - CHUNK * c < CHUNK ? n - CHUNK * c : CHUNK;
    args a = {
      .n = many, .k = in.k, .n_mac = in.n_mac, .band = band, .hz = in.band, .rest = in.rest
    };
    t[c] = (task){ .kind = MW_UNIT_PROJECTED, .take = take_projected, .ctx = &to, .i = c };
    put_args(&t[c].pack, &a);
    for (int j = 0; rc == MW_OK && j < many; j++) {
      mw_config q;
      const double *at = theta + (size_t)(CHUNK * c + j) * (size_t)r->s;
      rc = mw_config_at(r->full, r->locked, r->s, r->coord, at, &r->point[0].q, &tmp, &q, err);
      if (rc == MW_OK) put_config(&t[c].pack, r->full, r->s, &q);
    }
  }
  if (rc == MW_OK)
    rc = run(r, "samples on the bodies' bases", n_chunk, t, err);
  else
    drop(n_chunk, t);
  mw_arena_free(&tmp);
  return rc;
}

// ---- modes --------------------------------------------------------------------------------------

typedef struct taken_modes {
  mw_reduction *r;
  int k, *first, *count;  // [chunks]  points of each
  int *point;             // [points of all chunks]
} taken_modes;

static mw_code take_modes(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  taken_modes *t = ctx;
  for (int j = 0; j < t->count[i]; j++) {
    mw_grid_point *pt = &t->r->point[t->point[t->first[i] + j]];
    pt->k = t->k;
    pt->lambda = mw_arena_f64(&pt->mem, (size_t)t->k);
    pt->Phi = mw_arena_f64(&pt->mem_modes, (size_t)t->k * (size_t)t->r->n);
    mw_code rc = mw_arena_check(&pt->mem, err);
    if (rc == MW_OK) rc = mw_arena_check(&pt->mem_modes, err);
    if (rc != MW_OK) return rc;
    mw_unpack_f64(u, (size_t)t->k, pt->lambda);
    mw_unpack_f64(u, (size_t)t->k * (size_t)t->r->n, pt->Phi);
  }
  return MW_OK;
}

mw_code mw_units_modes(mw_reduction *r, mw_band band, int k, mw_error *err)
{
  size_t np = (size_t)r->n_point;
  mw_arena mem = { 0 };
  taken_modes t = { .r = r, .k = k };
  t.first = mw_arena_int(&mem, np);
  t.count = mw_arena_int(&mem, np);
  t.point = mw_arena_int(&mem, np);
  task *task_of = mw_arena_alloc(&mem, np, sizeof *task_of);
  mw_code rc = mw_arena_check(&mem, err);
  int n_chunk = 0, n_point = 0, line = r->n_grid[r->s - 1];
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    if (r->point[g].lambda && r->point[g].k == k) continue;
    bool follows = n_chunk > 0 && g % line != 0 && t.count[n_chunk - 1] < CHUNK &&
                   t.point[n_point - 1] == g - 1;
    if (!follows) t.first[n_chunk++] = n_point;
    t.count[n_chunk - 1]++;
    t.point[n_point++] = g;
  }
  for (int c = 0; rc == MW_OK && c < n_chunk; c++) {
    args a = { .n = t.count[c], .k = k, .hold = r->hold, .band = band };
    task_of[c] = (task){ .kind = MW_UNIT_MODES, .take = take_modes, .ctx = &t, .i = c };
    put_args(&task_of[c].pack, &a);
    for (int j = 0; j < t.count[c]; j++)
      put_config(&task_of[c].pack, r->full, r->s, &r->point[t.point[t.first[c] + j]].q);
  }
  if (rc == MW_OK) rc = run(r, "modes", n_chunk, task_of, err);
  mw_arena_free(&mem);
  return rc;
}
