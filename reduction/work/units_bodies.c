// SPDX-License-Identifier: BSD-3-Clause
// units_bodies.c: units of bodies and what is done beside them (units.c): samples on the meshes,
// and the proofs that no mode of either is missing.
//
// Where one shift serves all, bodies and samples are counted at it with the factorizations of
// bodies once; else each has its own. What a count refutes is made again, with the proof in it.
#include <math.h>
#include <stdlib.h>

#include "system/system_layer.h"
#include "units_priv.h"

// Of frequencies: ARPACK's that are no further from block Lanczos's lie on the same side of every
// shift that is clear of these (prove.c).
static const double SAME = 1e-7;
static const double CLEAR = 1e-6;  // relative distance of a shift from eigenvalues, as prove.c
// Workers who have the factors: of the mechanism, which the process that leads needs, too, and may
// be the first worker; of the first body.
enum { BY_SAMPLES = 1, BY_BODIES = 2 };

static mw_code take_int(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  (void)err;
  mw_unpack_int(u, 1, (int *)ctx + i);
  return MW_OK;
}

// A unit a body, better done by the same worker as others of it.
static void body_task(mw_task *t, int kind, int body, int worker, int how, mw_band band, int *found)
{
  mw_unit_args a = { .body = body, .k = how, .band = band };
  *t = (mw_task){ .kind = kind, .worker = worker, .take = take_int, .ctx = found, .i = body };
  mw_unit_put_args(&t->pack, &a);
}

mw_code mw_units_first(mw_reduction *r, int n_sample, const double *theta, mw_sample *sample,
                       mw_arena *mem, mw_error *err)
{
  const mw_mech *m = r->full;
  mw_band band = { .rough = true };
  mw_arena tmp = { 0 };
  mw_taken_samples to = { sample, mem, n_sample };
  mw_bases *b = NULL;
  int n = 0, all = m->n_body + n_sample;
  mw_task *t = mw_arena_alloc(&tmp, (size_t)all, sizeof *t);
  int *found = mw_arena_int(&tmp, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && r->offline->cache && i < m->n_body; i++)
    if (m->body[i].n_u > 0)
      body_task(&t[n++], MW_UNIT_BODY, i, BY_BODIES + i, MW_UNIT_APART, band, found);
  if (rc == MW_OK) rc = mw_task_samples(r, band, false, theta, BY_SAMPLES, &to, t + n, err);
  if (rc == MW_OK)
    rc = mw_tasks_run(r, n_sample > 0 ? "bodies, roughly, and samples" : "bodies, roughly",
                      n + n_sample, t, err);
  else
    mw_tasks_drop(n + n_sample, t);
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
  mw_task *t = mw_arena_alloc(&tmp, (size_t)m->n_body, sizeof *t);
  int *again = mw_arena_int(&tmp, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < m->n_body; i++)
    if (found[i] > 0 && found[i] != count[i])
      body_task(&t[n++], MW_UNIT_BODY, i, BY_BODIES + i, 0, band, again);
  if (rc == MW_OK && n > 0) rc = mw_tasks_run(r, "bodies, once more", n, t, err);
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
  return good ? MW_OK : mw_unit_bad(err);
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
  for (int k = 0; k < MW_UNIT_CHUNK && i < p->n; i++) {
    if (!mw_unit_by_arpack(i, p->n)) continue;
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
    if (!mw_unit_by_arpack(i, p->n)) continue;
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
    if (!mw_unit_by_arpack(i, p->n) || s->solver != MW_SOLVER_ARPACK) continue;
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

// Counts at the one shift, of MW_UNIT_CHUNK samples by ARPACK each
static mw_code inertia_tasks(mw_reduction *r, mw_band band, proofs *p, mw_task *t, int *n_task,
                             mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < p->n;) {
    mw_task *to = &t[*n_task];
    mw_unit_args a = { .n = 0, .band = band };
    mw_config q[MW_UNIT_CHUNK];
    *to = (mw_task){ .kind = MW_UNIT_INERTIA, .take = take_inertia, .ctx = p, .i = i };
    for (; rc == MW_OK && a.n < MW_UNIT_CHUNK && i < p->n; i++)
      if (mw_unit_by_arpack(i, p->n)) rc = config_of(r, &p->sample[i], &tmp, &q[a.n++], err);
    if (rc != MW_OK || a.n == 0) break;
    mw_unit_put_args(&to->pack, &a);
    for (int k = 0; k < a.n; k++) mw_unit_put_config(&to->pack, r->full, r->s, &q[k]);
    ++*n_task;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Of n samples those by ARPACK, or their proofs; *n_task: how many tasks there are in t by now
static mw_code proof_tasks(mw_reduction *r, int kind, int n, proofs *p, mw_task *t, int *n_task,
                           mw_error *err)
{
  bool proof = kind == MW_UNIT_PROOF;
  mw_arena tmp = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    const mw_sample *s = &p->sample[i];
    mw_config q;
    if (!mw_unit_by_arpack(i, n)) continue;
    rc = config_of(r, s, &tmp, &q, err);
    if (rc != MW_OK) break;
    mw_unit_args a = { .n = p->beyond[i], .k = s->k, .n_mac = proof ? 0 : s->n_mac };
    mw_task *to = &t[(*n_task)++];
    *to = (mw_task){ .kind = kind, .take = proof ? take_proof : take_arpack, .ctx = p, .i = i };
    if (!proof && i == 0) to->worker = BY_SAMPLES;
    mw_unit_put_args(&to->pack, &a);
    mw_pack_f64(&to->pack, (size_t)s->k, s->lambda);
    mw_unit_put_config(&to->pack, r->full, r->s, &q);
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
    mw_taken_samples to = { &p->sample[i], p->mem, 1 };
    mw_task t = { 0 };
    if (!mw_unit_by_arpack(i, n)) continue;
    p->sample[i].solver = p->arpack[i].solver;
    if (p->arpack[i].solver != MW_SOLVER_ARPACK) continue;
    p->arpack[i].n_proved = p->proved[i];
    p->sample[i] = p->arpack[i];
    if (p->left[i] == 0 && p->arpack[i].apart <= SAME) continue;
    rc = mw_task_samples(r, band, true, p->sample[i].theta, 0, &to, &t, err);
    if (rc == MW_OK)
      rc = mw_tasks_run(r, "samples, once more", 1, &t, err);
    else
      mw_tasks_drop(1, &t);
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
  mw_task *t = mw_arena_alloc(&tmp, 2 * ((size_t)m->n_body + (size_t)n_sample), sizeof *t);
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
        body_task(&t[n++], MW_UNIT_BODY, i, BY_BODIES + i, MW_UNIT_APART, band, found);
      else
        body_task(&t[n++], MW_UNIT_COUNT, i, 1 + BY_BODIES + i, 0, band, count);
    }
  if (rc == MW_OK) rc = proof_tasks(r, MW_UNIT_ARPACK, n_sample, &p, t, &n, err);
  if (rc == MW_OK)
    rc = p.shift > 0.0 ? inertia_tasks(r, band, &p, t, &n, err)
                       : proof_tasks(r, MW_UNIT_PROOF, n_sample, &p, t, &n, err);
  if (rc == MW_OK && n > 0)
    rc = mw_tasks_run(r, "bodies", n, t, err);
  else
    mw_tasks_drop(n, t);
  if (rc == MW_OK && n > 0 && !r->waiting) rc = refuted(r, band, found, count, err);
  if (rc == MW_OK && p.shift > 0.0 && !r->waiting) rc = compare_counts(&p, err);
  if (rc == MW_OK && !r->waiting) rc = proved_samples(r, n_sample, &p, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK && !r->waiting) rc = mw_offline_bases(r->offline, band, &b, err);
  return rc;
}
