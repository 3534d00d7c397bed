// SPDX-License-Identifier: BSD-3-Clause
// moved.c: the mechanism as if its displacements were its shape, for pictures.
//
//   X' = X + a N u  (nodes),  X + a P u  (frames, guides, joints),  o' = o + a E v ,
//   E' = E (1 + a ω×)  (rigid bodies, v, ω in body axes): to first order, as displacements are.
#include <string.h>

#include "base/vec3.h"
#include "picture_layer.h"

static void add3(double x[3], const double *d)
{
  for (int i = 0; i < 3; i++) x[i] += d[i];
}

// From the first and last of the guide's functionals; straight between.
static void move_guide(mw_guide *g, const double *z)
{
  double end[3], d[3];
  if (g->z < 0 || g->n < 2) return;
  for (int i = 0; i < 3; i++) end[i] = g->X0[i] + g->length * g->t[i];
  add3(end, z + g->z + (g->rot ? 6 : 3) * (g->n - 1));
  add3(g->X0, z + g->z);
  for (int i = 0; i < 3; i++) d[i] = end[i] - g->X0[i];
  g->length = mw_norm3(d);
  for (int i = 0; i < 3; i++) g->t[i] = d[i] / g->length;
}

static mw_code move_elastic(mw_body *b, const double *x, double by, mw_arena *mem, double **z,
                            mw_error *err)
{
  const mw_frame *frame = b->frame;
  const mw_guide *guide = b->guide;
  const double *X = b->X;
  size_t n = 3 * (size_t)b->n_node;
  *z = mw_arena_f64(mem, (size_t)b->n_z);
  b->X = mw_arena_f64(mem, n);
  b->frame = mw_arena_alloc(mem, (size_t)b->n_frame, sizeof *b->frame);
  b->guide = mw_arena_alloc(mem, (size_t)b->n_guide, sizeof *b->guide);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (b->n_z > 0) mw_csc_mul(&b->P, by, x, 0.0, *z);
  if (n > 0) memcpy(b->X, X, n * sizeof *X);
  if (n > 0) mw_csc_mul(&b->N, by, x, 1.0, b->X);
  for (int k = 0; k < b->n_frame; k++) {
    b->frame[k] = frame[k];
    if (frame[k].z >= 0) add3(b->frame[k].X, *z + frame[k].z);
  }
  for (int k = 0; k < b->n_guide; k++) {
    b->guide[k] = guide[k];
    move_guide(&b->guide[k], *z);
  }
  return MW_OK;
}

void mw_moved_rigid(double *p, const double *x, double by)
{
  double d[3], turned[3], E[9];
  memcpy(E, p + 3, sizeof E);
  mw_mul33v(E, x, d);
  for (int i = 0; i < 3; i++) p[i] += by * d[i];
  for (int c = 0; c < 3; c++) {
    const double e[3] = { c == 0, c == 1, c == 2 };
    mw_cross3(x + 3, e, d);
    mw_mul33v(E, d, turned);
    for (int i = 0; i < 3; i++) p[3 + 3 * i + c] += by * turned[i];
  }
}

// Points of joints on elastic bodies, and the guides of slides.
static void move_joint(const mw_mech *from, mw_mech *to, double *const *z, int k)
{
  mw_joint *j = &to->joint[k];
  if (z[j->a] && j->za >= 0 && !j->guide) add3(j->Xa, z[j->a] + j->za);
  if (z[j->b] && j->zb >= 0) add3(j->Xb, z[j->b] + j->zb);
  if (j->guide && z[j->a]) j->guide = to->body[j->a].guide + (j->guide - from->body[j->a].guide);
}

mw_code mw_moved_build(const mw_mech *m, const double *p, const double *x, double by, mw_arena *mem,
                       mw_mech *out, double **moved_p, mw_error *err)
{
  size_t nb = (size_t)m->n_body, nj = (size_t)m->n_joint;
  double **z = mw_arena_alloc(mem, nb, sizeof *z);
  *out = *m;
  out->body = mw_arena_alloc(mem, nb, sizeof *out->body);
  out->joint = mw_arena_alloc(mem, nj, sizeof *out->joint);
  *moved_p = mw_arena_f64(mem, 12 * nb);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->body, m->body, nb * sizeof *out->body);
  if (nj > 0) memcpy(out->joint, m->joint, nj * sizeof *out->joint);
  memcpy(*moved_p, p, 12 * nb * sizeof *p);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    if (body->n_u > 0) {
      rc = move_elastic(&out->body[b], x, by, mem, &z[b], err);
      x += body->n_u;
    } else if (!body->ground) {
      mw_moved_rigid(*moved_p + 12 * (size_t)b, x, by);
      x += 6;
    }
  }
  for (int k = 0; rc == MW_OK && k < m->n_joint; k++) move_joint(m, out, z, k);
  return rc;
}
