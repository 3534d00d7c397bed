// SPDX-License-Identifier: BSD-3-Clause
// mech.c: assembly of the mechanism from the model and its bodies; evaluation of joint rows and points.
//
// Joint axes: body a carries F_a (slide: t, n1, n2 of the guide; revolute and prismatic: third column along the joint's
// axis; else the body's own axes); body b carries F_b = E_bᵀ E_a F_a, so that both agree in the reference configuration.
#include "fem/mech.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mech_priv.h"

static const mw_frame *frame_of(const mw_mech *m, mw_ref ref)
{
  return ref.attach < 0 ? NULL : &m->body[ref.body].frame[ref.attach];
}

int mw_mech_frame_z(const mw_mech *m, mw_ref ref)
{
  const mw_frame *f = frame_of(m, ref);
  return f && m->body[ref.body].n_u > 0 ? f->z : -1;
}

static int count_rows(const mw_joint_in *in)
{
  int n = 0;
  switch (in->kind) {
  case MW_JOINT_FIXED: return 6;
  case MW_JOINT_SPHERICAL: return 3;
  case MW_JOINT_REVOLUTE:
  case MW_JOINT_PRISMATIC: return in->coordinate ? 6 : 5;
  case MW_JOINT_SPRING:
    for (int i = 0; i < 6; i++) n += in->stiffness[i] > 0.0 || in->damping[i] > 0.0;
    return n;
  case MW_JOINT_SLIDE:
    for (int i = 0; i < in->n_runner; i++)
      n += (int)in->runner[i].dir[0] + (int)in->runner[i].dir[1];
    return 1 + n + (in->lock_rotation ? 3 : 0);
  }
  return 0;
}

// Stiffness and damping of each row; INFINITY for constraints.
static mw_code row_stiffness(const mw_joint_in *in, int n_row, mw_arena *mem, mw_joint *j,
                             mw_error *err)
{
  double *k = mw_arena_f64(mem, (size_t)n_row), *c = mw_arena_f64(mem, (size_t)n_row);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n_row; i++) k[i] = INFINITY;
  int row = in->kind == MW_JOINT_SLIDE ? 1 : 0;
  if (in->kind == MW_JOINT_SLIDE)
    for (int i = 0; i < in->n_runner; i++)
      for (int d = 0; d < 2; d++)
        if (in->runner[i].dir[d]) {
          k[row] = in->runner[i].stiffness[d];
          c[row++] = in->runner[i].damping[d];
        }
  if (in->kind == MW_JOINT_SPRING)
    for (int i = 0; i < 6; i++)
      if (in->stiffness[i] > 0.0 || in->damping[i] > 0.0) {
        k[row] = in->stiffness[i];
        c[row++] = in->damping[i];
      }
  j->k = k;
  j->c = c;
  return MW_OK;
}

// Joint axes in both bodies, and what is measured in the reference configuration.
static mw_code place(const mw_mech *m, mw_joint *j, double *s0, mw_error *err)
{
  const double *pa = m->p0 + 12 * j->a, *pb = m->p0 + 12 * j->b;
  double G[9], x[3], y[3], d[3];
  const mw_joint_in *in = j->in;
  const mw_frame *fa = in->kind == MW_JOINT_SLIDE ? NULL : frame_of(m, in->a),
                 *fb = frame_of(m, in->b);
  for (int i = 0; i < 3; i++) {
    j->Xa[i] = fa ? fa->X[i] : 0.0;
    j->Xb[i] = fb ? fb->X[i] : 0.0;
  }
  // F_a
  for (int i = 0; i < 9; i++) j->Fa[i] = i % 4 == 0;
  if (in->kind == MW_JOINT_REVOLUTE || in->kind == MW_JOINT_PRISMATIC) {
    double h1[3], h2[3], n = mw_norm3(in->axis);
    mw_normals3(in->axis, h1, h2);
    for (int i = 0; i < 3; i++) {
      j->Fa[3 * i] = h1[i];
      j->Fa[3 * i + 1] = h2[i];
      j->Fa[3 * i + 2] = in->axis[i] / n;
    }
  }
  if (j->guide) {
    for (int i = 0; i < 3; i++) {
      j->Fa[3 * i] = j->guide->t[i];
      j->Fa[3 * i + 1] = j->guide->n1[i];
      j->Fa[3 * i + 2] = j->guide->n2[i];
      j->Xa[i] = j->guide->X0[i];
    }
  }
  // F_b = E_bᵀ E_a F_a
  mw_mul33(pa + 3, j->Fa, G);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      j->Fb[3 * i + c] = pb[3 + i] * G[c] + pb[6 + i] * G[3 + c] + pb[9 + i] * G[6 + c];
  // d = x_b − x_a along the joint axes
  mw_mul33v(pa + 3, j->Xa, x);
  mw_mul33v(pb + 3, j->Xb, y);
  for (int i = 0; i < 3; i++) x[i] = pb[i] + y[i] - pa[i] - x[i];
  mw_mul33tv(G, x, d);
  double size = 1e-6 * (mw_norm3(pa) + mw_norm3(pb) + mw_norm3(j->Xa) + mw_norm3(j->Xb));
  if (in->kind == MW_JOINT_SLIDE) {
    *s0 = d[0];
    j->gap[0] = d[1];
    j->gap[1] = d[2];
  } else if (in->kind == MW_JOINT_PRISMATIC) {
    j->gap[0] = d[2];
    *s0 = in->start;
    d[2] = 0.0;
  } else {
    *s0 = in->start;
  }
  if (in->kind != MW_JOINT_SLIDE && mw_norm3(d) > size)
    return mw_fail(
        err, MW_ERR_INPUT, in->at,
        "joint %s: its two points are %.3g m apart in the reference configuration, expected to meet",
        j->name, mw_norm3(d));
  return MW_OK;
}

static mw_code build_joint(mw_mech *m, int index, mw_arena *mem, double *s0, mw_error *err)
{
  const mw_joint_in *in = &m->model->joint[index];
  mw_joint *j = &m->joint[index];
  *j = (mw_joint){
    .in = in, .name = in->name, .a = in->a.body, .b = in->b.body, .coord = -1, .coord_row = -1
  };
  j->n_row = count_rows(in);
  j->row0 = m->n_row;
  m->n_row += j->n_row;
  if (in->kind == MW_JOINT_SLIDE) {
    j->guide = &m->body[j->a].guide[in->guide];
    j->guide_elastic = m->body[j->a].n_u > 0 && j->guide->n > 0 && j->guide->z >= 0;
    j->za = -1;
    j->coord_row = 0;
  } else {
    j->za = mw_mech_frame_z(m, in->a);
    if (in->coordinate) j->coord_row = 5;
  }
  j->zb = mw_mech_frame_z(m, in->b);
  if (j->coord_row >= 0) {
    j->coord = m->n_coord;
    m->coord_joint[m->n_coord++] = index;
  }
  mw_code rc = row_stiffness(in, j->n_row, mem, j, err);
  return rc == MW_OK ? place(m, j, s0, err) : rc;
}

mw_code mw_mech_build(const mw_model *model, const mw_body *bodies, mw_arena *mem, mw_mech *out,
                      mw_error *err)
{
  mw_mech m = { .model = model, .n_body = model->n_body, .n_joint = model->n_joint };
  size_t nb = (size_t)m.n_body, nj = (size_t)m.n_joint;
  m.body = mw_arena_alloc(mem, nb, sizeof *m.body);
  m.joint = mw_arena_alloc(mem, nj, sizeof *m.joint);
  m.coord_joint = mw_arena_int(mem, nj);
  m.p0 = mw_arena_f64(mem, 12 * nb);
  m.s0 = mw_arena_f64(mem, nj);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m.n_body; b++) {
    m.body[b] = bodies[b];
    memcpy(m.p0 + 12 * b, model->body[b].origin, 3 * sizeof(double));
    memcpy(m.p0 + 12 * b + 3, model->body[b].axes, 9 * sizeof(double));
  }
  for (int j = 0; rc == MW_OK && j < m.n_joint; j++) {
    double s0 = 0.0;
    rc = build_joint(&m, j, mem, &s0, err);
    if (rc == MW_OK && m.joint[j].coord >= 0) m.s0[m.joint[j].coord] = s0;
  }
  if (rc == MW_OK) *out = m;
  return rc;
}

int mw_mech_coord(const mw_mech *m, const char *name)
{
  for (int c = 0; c < m->n_coord; c++)
    if (strcmp(mw_mech_coord_name(m, c), name) == 0) return c;
  return -1;
}

const char *mw_mech_coord_name(const mw_mech *m, int c)
{
  const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
  return in->coordinate ? in->coordinate : in->name;
}

mw_joint_eval mw_joint_eval_init(const mw_mech *m, mw_arena *mem)
{
  size_t n = 0, z = 0;
  for (int j = 0; j < m->n_joint; j++)
    if ((size_t)m->joint[j].n_row > n) n = (size_t)m->joint[j].n_row;
  for (int b = 0; b < m->n_body; b++)
    if ((size_t)m->body[b].n_z > z) z = (size_t)m->body[b].n_z;
  mw_joint_eval e = { .g = mw_arena_f64(mem, n),
                      .Ja = mw_arena_f64(mem, 12 * n),
                      .Jb = mw_arena_f64(mem, 12 * n),
                      .Za = mw_arena_f64(mem, z * n),
                      .Zb = mw_arena_f64(mem, z * n),
                      .Js = mw_arena_f64(mem, n) };
  return e;
}

mw_code mw_joint_eval_at(const mw_mech *m, int index, const double *pa, const double *za,
                         const double *pb, const double *zb, double s, mw_joint_eval *e,
                         mw_error *err)
{
  const mw_joint *j = &m->joint[index];
  int nza = m->body[j->a].n_z, nzb = m->body[j->b].n_z;
  size_t n = (size_t)j->n_row;
  memset(e->Ja, 0, 12 * n * sizeof(double));
  memset(e->Jb, 0, 12 * n * sizeof(double));
  memset(e->Za, 0, n * (size_t)nza * sizeof(double));
  memset(e->Zb, 0, n * (size_t)nzb * sizeof(double));
  memset(e->Js, 0, n * sizeof(double));
  mw_joint_sides k = { .a = { .p = pa, .z = za, .z0 = j->za, .n_z = nza, .J = e->Ja, .Z = e->Za },
                       .b = { .p = pb, .z = zb, .z0 = j->zb, .n_z = nzb, .J = e->Jb, .Z = e->Zb },
                       .s = s };
  mw_side_init(&k.a, j->Xa, j->Fa);
  mw_side_init(&k.b, j->Xb, j->Fb);
  switch (j->in->kind) {
  case MW_JOINT_FIXED: mw_joint_fixed(j, &k, e); break;
  case MW_JOINT_REVOLUTE: mw_joint_revolute(j, &k, e); break;
  case MW_JOINT_PRISMATIC: mw_joint_prismatic(j, &k, e); break;
  case MW_JOINT_SPHERICAL: mw_joint_spherical(j, &k, e); break;
  case MW_JOINT_SPRING: mw_joint_spring(j, &k, e); break;
  case MW_JOINT_SLIDE: {
    mw_code rc = mw_joint_slide(j, &k, e, err);
    if (rc != MW_OK && err) {
      char why[sizeof err->msg];
      memcpy(why, err->msg, sizeof why);
      return mw_fail(err, rc, j->in->at, "joint %s: %.400s", j->name, why);
    }
    return rc;
  }
  }
  return MW_OK;
}

void mw_mech_point(const mw_mech *m, mw_ref ref, const double offset[3], const double *p,
                   const double *z, double x[3], double *Jp, double *Jz)
{
  const mw_frame *f = frame_of(m, ref);
  int z0 = mw_mech_frame_z(m, ref);
  const double *E = p + 3, zero[6] = { 0.0 }, *t = z && z0 >= 0 ? z + z0 : zero;
  double Y[3], rx[3];
  // x = o + E (X + t + offset + r × offset)
  mw_cross3(t + 3, offset, rx);
  for (int i = 0; i < 3; i++) Y[i] = (f ? f->X[i] : 0.0) + t[i] + offset[i] + rx[i];
  mw_mul33v(E, Y, x);
  for (int i = 0; i < 3; i++) x[i] += p[i];
  if (Jp)
    for (int i = 0; i < 3; i++)
      for (int b = 0; b < 3; b++) {
        Jp[12 * i + b] = E[3 * i + b];
        for (int a = 0; a < 3; a++) Jp[12 * i + 3 + 3 * b + a] = E[3 * i + b] * Y[a];
      }
  if (Jz)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        double e[3] = { k == 0, k == 1, k == 2 }, d[3];
        mw_cross3(e, offset, d);
        Jz[6 * i + k] = z0 >= 0 ? E[3 * i + k] : 0.0;
        Jz[6 * i + 3 + k] = z0 >= 0 ? mw_dot3(E + 3 * i, d) : 0.0;
      }
}
