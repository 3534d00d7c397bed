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
// Chunks, of MW_UNIT_CHUNK, do not depend on who does them, so neither do the bits. Kinematics are
// the caller's: they come with the arguments.
#include "units_priv.h"

#include <stdlib.h>

// ---- arguments ----------------------------------------------------------------------------------

void mw_unit_put_args(mw_pack *p, const mw_unit_args *a)
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

mw_unit_args mw_unit_get_args(mw_unpack *u)
{
  int i[8] = { 0 };
  double x[4] = { 0.0 };
  mw_unpack_int(u, 8, i);
  mw_unpack_f64(u, 4, x);
  return (mw_unit_args){ .n = i[0],
                         .k = i[1],
                         .body = i[2],
                         .n_mac = i[3],
                         .arpack = i[7],
                         .hold =
                             (uint64_t)i[4] | (uint64_t)i[5] << 31 | (uint64_t)(i[6] >> 1) << 62,
                         .band = { (i[6] & 1) != 0, x[0], x[1] },
                         .hz = x[2],
                         .rest = x[3] };
}

void mw_unit_put_config(mw_pack *p, const mw_mech *m, int s, const mw_config *q)
{
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, ns = (size_t)s;
  mw_pack_f64(p, ns, q->theta);
  mw_pack_f64(p, 12 * nb, q->p);
  mw_pack_f64(p, nc, q->s);
  mw_pack_f64(p, 6 * nb * ns, q->v);
  mw_pack_f64(p, nc * ns, q->s_dot);
}

mw_code mw_unit_bad(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                 "a unit of work is short or does not fit in memory");
}

mw_code mw_unit_get_config(mw_unpack *u, const mw_mech *m, int s, mw_arena *mem, mw_config *q,
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
  return u->failed ? mw_unit_bad(err) : MW_OK;
}

// ---- lists of them ------------------------------------------------------------------------------

mw_code mw_tasks_run(mw_reduction *r, const char *what, int n, mw_task *t, mw_error *err)
{
  mw_unit *unit = calloc((size_t)n + 1, sizeof *unit);
  mw_bytes *result = calloc((size_t)n + 1, sizeof *result);
  mw_code rc = MW_OK;
  int missing = 0;
  if (!unit || !result) rc = mw_unit_bad(err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    if (t[i].pack.failed) rc = mw_unit_bad(err);
    unit[i] = (mw_unit){ .kind = t[i].kind, .args = t[i].pack.b, .worker = t[i].worker };
  }
  if (rc == MW_OK) rc = mw_work_run(r->work, what, n, unit, result, &missing, err);
  r->waiting = r->waiting || missing > 0;
  for (int i = 0; rc == MW_OK && !r->waiting && i < n; i++) {
    mw_unpack u = { .p = result[i].p, .left = result[i].n };
    rc = t[i].take(t[i].ctx, t[i].i, &u, err);
    if (rc == MW_OK && (u.failed || u.left != 0)) rc = mw_unit_bad(err);
  }
  for (int i = 0; i < n; i++) {
    if (result) free(result[i].p);
    free(t[i].pack.b.p);
  }
  free(unit);
  free(result);
  return rc;
}

void mw_tasks_drop(int n, mw_task *t)
{
  for (int i = 0; t && i < n; i++) free(t[i].pack.b.p);
}

// ---- samples ------------------------------------------------------------------------------------

static mw_code take_sample(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  mw_taken_samples *t = ctx;
  return mw_sample_unpack(u, &t->sample[i], t->mem, err);
}

bool mw_unit_by_arpack(int i, int n) { return i % 4 == 0 || (n <= 4 && i == n - 1); }

mw_code mw_task_samples(mw_reduction *r, mw_band band, bool arpack, const double *theta, int worker,
                        mw_taken_samples *to, mw_task *t, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_sample_in in = mw_certificate_sample(r);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < to->n; i++) {
    mw_config q;
    mw_unit_args a = { .k = in.k, .n_mac = in.n_mac, .band = band, .hz = in.band, .rest = in.rest };
    a.arpack = arpack && mw_unit_by_arpack(i, to->n);
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta + i * r->s, &r->point[0].q, &tmp,
                      &q, err);
    t[i] = (mw_task){ .kind = MW_UNIT_SAMPLE, .take = take_sample, .ctx = to, .i = i };
    t[i].worker = i == 0 ? worker : 0;
    if (rc != MW_OK) break;
    mw_unit_put_args(&t[i].pack, &a);
    mw_unit_put_config(&t[i].pack, r->full, r->s, &q);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_units_samples(mw_reduction *r, mw_band band, bool arpack, int n, const double *theta,
                         mw_sample *sample, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_taken_samples to = { sample, mem, n };
  mw_task *t = mw_arena_alloc(&tmp, (size_t)n, sizeof *t);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_task_samples(r, band, arpack, theta, 0, &to, t, err);
  if (rc == MW_OK)
    rc = mw_tasks_run(r, "samples of the full mechanism", n, t, err);
  else
    mw_tasks_drop(n, t);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code take_projected(void *ctx, int i, mw_unpack *u, mw_error *err)
{
  mw_taken_samples *t = ctx;
  mw_code rc = MW_OK;
  for (int j = MW_UNIT_CHUNK * i; rc == MW_OK && j < MW_UNIT_CHUNK * (i + 1) && j < t->n; j++)
    rc = mw_sample_unpack(u, &t->sample[j], t->mem, err);
  return rc;
}

mw_code mw_units_projected(mw_reduction *r, mw_band band, int n, const double *theta,
                           mw_sample *sample, mw_arena *mem, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_taken_samples to = { sample, mem, n };
  int n_chunk = (n + MW_UNIT_CHUNK - 1) / MW_UNIT_CHUNK;
  mw_sample_in in = mw_certificate_sample(r);
  mw_task *t = mw_arena_alloc(&tmp, (size_t)n_chunk, sizeof *t);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int c = 0; rc == MW_OK && c < n_chunk; c++) {
    int many = n - MW_UNIT_CHUNK * c < MW_UNIT_CHUNK ? n - MW_UNIT_CHUNK * c : MW_UNIT_CHUNK;
    mw_unit_args a = {
      .n = many, .k = in.k, .n_mac = in.n_mac, .band = band, .hz = in.band, .rest = in.rest
    };
    t[c] = (mw_task){ .kind = MW_UNIT_PROJECTED, .take = take_projected, .ctx = &to, .i = c };
    mw_unit_put_args(&t[c].pack, &a);
    for (int j = 0; rc == MW_OK && j < many; j++) {
      mw_config q;
      const double *at = theta + (size_t)(MW_UNIT_CHUNK * c + j) * (size_t)r->s;
      rc = mw_config_at(r->full, r->locked, r->s, r->coord, at, &r->point[0].q, &tmp, &q, err);
      if (rc == MW_OK) mw_unit_put_config(&t[c].pack, r->full, r->s, &q);
    }
  }
  if (rc == MW_OK)
    rc = mw_tasks_run(r, "samples on the bodies' bases", n_chunk, t, err);
  else
    mw_tasks_drop(n_chunk, t);
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
  mw_task *task_of = mw_arena_alloc(&mem, np, sizeof *task_of);
  mw_code rc = mw_arena_check(&mem, err);
  int n_chunk = 0, n_point = 0, line = r->n_grid[r->s - 1];
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    if (r->point[g].lambda && r->point[g].k == k) continue;
    bool follows = n_chunk > 0 && g % line != 0 && t.count[n_chunk - 1] < MW_UNIT_CHUNK &&
                   t.point[n_point - 1] == g - 1;
    if (!follows) t.first[n_chunk++] = n_point;
    t.count[n_chunk - 1]++;
    t.point[n_point++] = g;
  }
  for (int c = 0; rc == MW_OK && c < n_chunk; c++) {
    mw_unit_args a = { .n = t.count[c], .k = k, .hold = r->hold, .band = band };
    task_of[c] = (mw_task){ .kind = MW_UNIT_MODES, .take = take_modes, .ctx = &t, .i = c };
    mw_unit_put_args(&task_of[c].pack, &a);
    for (int j = 0; j < t.count[c]; j++)
      mw_unit_put_config(&task_of[c].pack, r->full, r->s, &r->point[t.point[t.first[c] + j]].q);
  }
  if (rc == MW_OK) rc = mw_tasks_run(r, "modes", n_chunk, task_of, err);
  mw_arena_free(&mem);
  return rc;
}
