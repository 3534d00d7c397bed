// SPDX-License-Identifier: BSD-3-Clause
// second.c: loads of the second order at a configuration, and the part of K_g that frames have
// (second_layer.h, 1).
//
//   f = M ρ_i , M ρ_ij , M g:   ∫ρ Nᵀ (c + B X) dV ,   ρ_i: c = v_i , B = ω_i~ ;   ρ_ij:
//       c = Eᵀ∂_ij o , B = Eᵀ∂_ij E      (1)
//   f = M ψ_a:  the rigid part of ψ_a like ρ_i, c = t_a , B = ω_a~ , and its elastic part N u_a (6)
//   f = unit force at an output, a force drive, a free coordinate
//   P_f, λ:  K P_f + Σ λ Φ_q = f  with θ held                                                   (2)
//
// A body's configuration is charted by the exponential, x = o + E t + E exp(ω~) (X + N u), u
// relative to its floating frame (RᵀMu = 0): rigid-body rows are then satisfied, and what (1) has
// of them is in the second derivatives of x,
//   x_qq[a, b] = E (½ (ω_a~ω_b~ + ω_b~ω_a~) X + ω_a × N u_b + ω_b × N u_a)                      (3)
//   f·x_qq = c·W mX + tr(BᵀW J) + ω_a·τ_b + ω_b·τ_a ,  W = ½ (ω_a~ω_b~ + ω_b~ω_a~) ,
//       τ_b = ∫ρ N u_b × (c + B X)      (4)
// A frame of an elastic body that carries moments of inertia, P = ∫ρ r rᵀ, and has the elastic
// rotation θ:
//   f·x_qq += tr(BᵀW P) ,  W = ½ (θ_a~θ_b~ + θ_b~θ_a~)                                          (5)
// The elastic part φ = N u_e of the field of a column e adds, with D = ∫ρ φ Xᵀ in the place of B J,
// and B + θ_e~ in (5)
//   f·x_qq += tr(Dᵀ W) + ω_a·τ_b + ω_b·τ_a ,  τ_b = ∫ρ N u_b × N u_e                            (6)
// Wallrapp, Schwertassek 1991 (geometric stiffness of loads); Géradin, Cardona 2001, chapter 4 (the
// chart).
#include "second_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "system/system_layer.h"

// ---- list ---------------------------------------------------------------------------------------

static const double NONE[3] = { 0.0, 0.0, 0.0 };

static void list_fields(mw_second *z)
{
  const mw_model *m = z->mech->model;
  int field = 0;
  for (int o = 0; o < m->n_output; field += mw_output_width(&m->output[o++]))
    for (int i = 0; i < 3 && !mw_output_is_gauge(&m->output[o]); i++)
      z->load[z->n_load++] = (mw_second_load){ .kind = MW_SECOND_POINT,
                                               .field = field + i,
                                               .input = -1,
                                               .ref = m->output[o].ref,
                                               .x = m->output[o].x,
                                               .dir = { i == 0, i == 1, i == 2 } };
  for (int c = 0; c < z->mech->n_coord; c++, field++) {
    if (z->locked[c]) continue;
    int input = -1;
    for (int d = 0; d < m->n_drive; d++)
      if (m->drive[d].joint >= 0 && z->mech->joint[m->drive[d].joint].coord == c) input = d;
    z->load[z->n_load++] =
        (mw_second_load){ .kind = MW_SECOND_COORD, .i = c, .field = field, .input = input };
  }
  for (int d = 0; d < m->n_drive; d++) {
    if (m->drive[d].joint >= 0) continue;
    const double *e = m->drive[d].dir;
    z->load[z->n_load++] = (mw_second_load){ .kind = MW_SECOND_POINT,
                                             .field = field++,
                                             .input = d,
                                             .ref = m->drive[d].on,
                                             .x = NONE,
                                             .dir = { e[0], e[1], e[2] } };
  }
}

static void list_loads(mw_second *z)
{
  for (int i = 0; i < z->s; i++)
    z->load[z->n_load++] = (mw_second_load){ .kind = MW_SECOND_RATE, .i = i, .input = -1 };
  for (int i = 0; i < z->s; i++)
    for (int j = 0; j <= i; j++)
      z->load[z->n_load++] =
          (mw_second_load){ .kind = MW_SECOND_PAIR, .i = i, .j = j, .input = -1 };
  if (mw_norm3(z->mech->model->gravity) > 0.0 || mw_mech_sprung(z->mech))
    z->load[z->n_load++] = (mw_second_load){ .kind = MW_SECOND_REST, .input = -1 };
  for (int a = 0; a < z->n_moved; a++)
    z->load[z->n_load++] = (mw_second_load){ .kind = MW_SECOND_COLUMN, .i = a, .input = -1 };
  list_fields(z);
}

mw_code mw_second_init(const mw_mech *mech, const mw_blocks *blocks, const unsigned char *locked,
                       int s, int m, int n_moved, mw_second *out, mw_error *err)
{
  const mw_model *model = mech->model;
  mw_second z = {
    .mech = mech, .blocks = blocks, .locked = locked, .s = s, .m = m, .n_moved = n_moved
  };
  size_t nb = (size_t)mech->n_body, pairs = (size_t)(s * (s + 1) / 2), M = (size_t)m;
  z.n = mw_blocks_size(blocks);
  z.load = mw_arena_alloc(
      &z.mem,
      (size_t)(s + 1 + n_moved + 3 * model->n_output + mech->n_coord + model->n_drive) + pairs,
      sizeof *z.load);
  mw_code rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK) list_loads(&z);
  size_t nl = (size_t)z.n_load, n = (size_t)z.n, across = 0;
  z.p_ij = mw_arena_f64(&z.mem, pairs * nb * 12);
  z.affine = mw_arena_f64(&z.mem, nl * nb * 12);
  z.F = mw_arena_f64(&z.mem, nl * n);
  z.P = mw_arena_f64(&z.mem, nl * n);
  z.lambda = mw_arena_f64(&z.mem, nl * (size_t)mech->n_row);
  z.twist = mw_arena_f64(&z.mem, nb * M * 6);
  z.elastic = mw_arena_f64(&z.mem, M * n);
  z.z = mw_arena_alloc(&z.mem, nb, sizeof *z.z);
  z.coord = mw_arena_f64(&z.mem, M * (size_t)mech->n_coord);
  z.Kg = mw_arena_f64(&z.mem, nl * M * M);
  z.tmp = mw_arena_f64(&z.mem, 7 * n);
  for (size_t b = 0; b < nb; b++) {
    size_t width = (size_t)(mech->body[b].n_u + mech->body[b].n_z);
    if (width > across) across = width;
  }
  z.across = mw_arena_f64(&z.mem, M * across);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++)
    if (mech->body[b].n_u > 0) z.z[b] = mw_arena_f64(&z.mem, M * (size_t)mech->body[b].n_z);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  *out = z;
  if (rc != MW_OK) mw_second_free(out);
  return rc;
}

void mw_second_free(mw_second *z)
{
  mw_arena_free(&z->mem);
  *z = (mw_second){ 0 };
}

// ---- loads --------------------------------------------------------------------------------------

// (1) of a body to f; n_u or 6 entries
static void body_load(const mw_body *body, const double c[3], const double B[9], double *f)
{
  if (body->n_u > 0) {
    size_t n = (size_t)body->n_u;
    for (size_t k = 0; k < 3; k++) mw_axpy(body->n_u, c[k], body->s + k * n, f);
    for (size_t a = 0; a < 3; a++)
      for (size_t k = 0; k < 3; k++)
        if (B[3 * k + a] != 0.0) mw_axpy(body->n_u, B[3 * k + a], body->h + (3 * a + k) * n, f);
    return;
  }
  double BX[3], mo[3], D[9];
  mw_mul33v(B, body->mX, BX);
  mw_cross3(body->mX, c, mo);
  for (int i = 0; i < 3; i++)  // D_αβ = ∫ρ X_α (B X)_β
    for (int j = 0; j < 3; j++) D[3 * i + j] = mw_dot3(body->J + 3 * i, B + 3 * j);
  f[0] = body->m * c[0] + BX[0];
  f[1] = body->m * c[1] + BX[1];
  f[2] = body->m * c[2] + BX[2];
  f[3] = mo[0] + D[5] - D[7];
  f[4] = mo[1] + D[6] - D[2];
  f[5] = mo[2] + D[1] - D[3];
}

// Acceleration field of ρ_ij of a body, p_ij [12], at frame p [12]: c then B, body axes
static void field_of_pair(const double *p, const double *p_ij, double out[12])
{
  double Et[9];
  for (int i = 0; i < 9; i++) Et[i] = p[3 + 3 * (i % 3) + i / 3];
  mw_mul33tv(p + 3, p_ij, out);
  mw_mul33(Et, p_ij + 3, out + 3);
}

void mw_second_pair_load(const mw_mech *m, const mw_blocks *blocks, const double *p,
                         const double *p_ij, double *f)
{
  memset(f, 0, (size_t)mw_blocks_size(blocks) * sizeof *f);
  for (int b = 0; b < m->n_body; b++) {
    double field[12];
    if (m->body[b].n_u == 0 && m->body[b].ground) continue;
    field_of_pair(p + 12 * b, p_ij + 12 * b, field);
    body_load(&m->body[b], field, field + 3, f + mw_blocks_offset(blocks, b));
  }
}

// Acceleration field of a load on body b, c then B, body axes
static void field_of(const mw_second *z, const mw_second_load *l, const mw_config *q, int b,
                     double out[12])
{
  const double *E = q->p + 12 * b + 3;
  size_t nb = (size_t)z->mech->n_body;
  memset(out, 0, 12 * sizeof *out);
  if (l->kind == MW_SECOND_REST && z->mech->body[b].gravity)
    mw_mul33tv(E, z->mech->model->gravity, out);
  if (l->kind == MW_SECOND_RATE || l->kind == MW_SECOND_COLUMN) {
    const double *v = l->kind == MW_SECOND_RATE
                          ? q->v + 6 * nb * (size_t)l->i + 6 * (size_t)b
                          : z->twist + 6 * ((size_t)b * (size_t)z->m + (size_t)l->i),
                 *w = v + 3;
    const double W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
    memcpy(out, v, 3 * sizeof *out);
    memcpy(out + 3, W, sizeof W);
  }
  if (l->kind == MW_SECOND_PAIR) {
    const double *p = z->p_ij + ((size_t)(l->i * (l->i + 1) / 2 + l->j) * nb + (size_t)b) * 12;
    field_of_pair(q->p + 12 * b, p, out);
  }
}

static void load_of(const mw_second *z, int k, mw_system *sys, const mw_config *q)
{
  const mw_second_load *l = &z->load[k];
  double *f = z->F + (size_t)k * (size_t)z->n;
  memset(f, 0, (size_t)z->n * sizeof *f);
  if (l->kind == MW_SECOND_POINT) {
    mw_system_load_point(sys, l->ref, l->x, l->dir, f);
  } else if (l->kind == MW_SECOND_COORD) {
    mw_system_load_coord(sys, l->i, f);
  } else {
    for (int b = 0; b < z->mech->n_body; b++) {
      const mw_body *body = &z->mech->body[b];
      double *field = z->affine + ((size_t)k * (size_t)z->mech->n_body + (size_t)b) * 12;
      if (body->n_u == 0 && body->ground) continue;
      field_of(z, l, q, b, field);
      if (l->kind == MW_SECOND_COLUMN) continue;
      body_load(body, field, field + 3, f + mw_blocks_offset(z->blocks, b));
    }
    if (l->kind == MW_SECOND_REST) mw_system_load_springs(sys, f);
    if (l->kind == MW_SECOND_COLUMN) mw_system_mul_M(sys, z->Psi + (size_t)l->i * (size_t)z->n, f);
  }
}

// A force on a free coordinate acts through the row that defines it, g_q + Js s_q = 0: λ = 1/Js of
// that row.
static mw_code defining_rows(mw_second *z, const mw_config *q, mw_error *err)
{
  const mw_mech *m = z->mech;
  mw_arena tmp = { 0 };
  mw_joint_eval e = mw_joint_eval_init(m, &tmp);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < z->n_load; k++) {
    if (z->load[k].kind != MW_SECOND_COORD) continue;
    int c = z->load[k].i, j = m->coord_joint[c];
    const mw_joint *jt = &m->joint[j];
    if (jt->coord_row < 0 || jt->n_row == 0) continue;
    rc = mw_joint_eval_at(m, j, q->p + 12 * jt->a, NULL, q->p + 12 * jt->b, NULL, q->s[c], &e, err);
    if (rc == MW_OK)
      z->lambda[(size_t)k * (size_t)m->n_row + (size_t)(jt->row0 + jt->coord_row)] +=
          1.0 / e.Js[jt->coord_row];
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_second_loads(mw_second *z, mw_system *sys, const mw_config *q, mw_error *err)
{
  mw_code rc =
      mw_mech_rigid_second(z->mech, z->locked, q->p, q->s, z->s, q->v, q->s_dot, z->p_ij, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < z->n_load; k++) load_of(z, k, sys, q);
  rc = mw_system_solve_forces(sys, z->n_load, z->F, z->P, z->lambda, err);
  for (int k = 0; rc == MW_OK && k < z->n_load; k++)
    if (z->load[k].kind == MW_SECOND_REST)
      mw_system_preload(sys, z->lambda + (size_t)k * (size_t)z->mech->n_row);
  return rc == MW_OK ? defining_rows(z, q, err) : rc;
}

// ---- columns ------------------------------------------------------------------------------------

void mw_second_split(const mw_blocks *blocks, int k, double *X, double *twist, double *tmp)
{
  const mw_mech *m = blocks->m;
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    for (int a = 0; a < k; a++) {
      double r[6] = { 0.0 };
      double *x = X + (size_t)a * (size_t)blocks->n + blocks->offset[b];
      if (body->n_u == 0 && !body->ground) memcpy(r, x, sizeof r);
      if (body->n_u > 0 && !body->ground) {
        mw_csc_mul(&body->M, 1.0, x, 0.0, tmp);
        mw_gemm('t', 'n', 6, 1, body->n_u, 1.0, body->R, tmp, 0.0, r);
        mw_chol_solve(6, blocks->RMR + 36 * b, 1, r);
        mw_gemm('n', 'n', body->n_u, 1, 6, -1.0, body->R, r, 1.0, x);
      }
      if (twist) memcpy(twist + 6 * ((size_t)b * (size_t)k + (size_t)a), r, sizeof r);
    }
  }
}

// Functionals of all columns' elastic parts on body b, one product for all
static void functionals_of(mw_second *z, int b)
{
  const mw_body *body = &z->mech->body[b];
  size_t M = (size_t)z->m, n = (size_t)z->n, nu = (size_t)body->n_u, nz = (size_t)body->n_z;
  double *e = z->across, *y = e + M * nu;
  const double *from = z->elastic + mw_blocks_offset(z->blocks, b);
  for (size_t i = 0; i < nu; i++)
    for (size_t a = 0; a < M; a++) e[i * M + a] = from[a * n + i];
  mw_csc_mul_many(&body->P, z->m, 1.0, e, 0.0, y);
  for (size_t i = 0; i < nz; i++)
    for (size_t a = 0; a < M; a++) z->z[b][a * nz + i] = y[i * M + a];
}

void mw_second_columns(mw_second *z, const mw_system *sys, const double *Psi)
{
  const mw_mech *m = z->mech;
  size_t n = (size_t)z->n, M = (size_t)z->m;
  z->Psi = Psi;
  memcpy(z->elastic, Psi, M * n * sizeof *Psi);
  mw_second_split(z->blocks, z->m, z->elastic, z->twist, z->tmp);
  for (int b = 0; b < m->n_body; b++)
    if (z->z[b]) functionals_of(z, b);
  for (int c = 0; c < m->n_coord; c++) {
    mw_system_load_coord(sys, c, z->tmp);
    for (size_t a = 0; a < M; a++)
      z->coord[a * (size_t)m->n_coord + (size_t)c] =
          z->locked[c] ? 0.0 : mw_dot(z->n, z->tmp, Psi + a * n);
  }
}

// ---- f·x_qq -------------------------------------------------------------------------------------

// Y·W c with W of (4)
static double turned(const double wa[3], const double wb[3], const double c[3], const double Y[3])
{
  // ω_a × (ω_b × Y) = ω_b (ω_a·Y) − Y (ω_a·ω_b)
  return 0.5 * (mw_dot3(wb, c) * mw_dot3(wa, Y) + mw_dot3(wa, c) * mw_dot3(wb, Y)) -
         mw_dot3(c, Y) * mw_dot3(wa, wb);
}

// τ of (4) for a body's elastic displacement u
static void moment(const mw_body *body, const double *field, const double *u, double tau[3])
{
  size_t n = (size_t)body->n_u;
  const double *B = field + 3;
  double su[3], A[9] = { 0.0 };  // A_βδ = ∫ρ (N u)_β (B X)_δ
  for (size_t k = 0; k < 3; k++) su[k] = mw_dot(body->n_u, body->s + k * n, u);
  mw_cross3(su, field, tau);
  for (size_t a = 0; a < 3; a++)
    for (size_t k = 0; k < 3; k++) {
      double hu = mw_dot(body->n_u, body->h + (3 * a + k) * n, u);
      for (size_t d = 0; d < 3; d++) A[3 * k + d] += hu * B[3 * d + a];
    }
  tau[0] += A[5] - A[7];
  tau[1] += A[6] - A[2];
  tau[2] += A[1] - A[3];
}

// Kg −= ½ (ω_aᵀD ω_d + ω_dᵀD ω_a) − tr(D) ω_a·ω_d = tr(BᵀW J) of load k, D = B J; w: ω of the first
// column, the next ones `stride` further on
static void take_turns(mw_second *z, int k, const double B[9], const double J[9], const double *w,
                       size_t stride)
{
  double D[9], *Kg = z->Kg + (size_t)k * (size_t)z->m * (size_t)z->m, trace;
  mw_mul33(B, J, D);
  trace = D[0] + D[4] + D[8];
  for (int a = 0; a < z->m; a++)
    for (int d = 0; d <= a; d++) {
      const double *wa = w + (size_t)a * stride, *wd = w + (size_t)d * stride;
      double t[3], x;
      mw_mul33v(D, wd, t);
      x = 0.5 * mw_dot3(wa, t);
      mw_mul33v(D, wa, t);
      x += 0.5 * mw_dot3(wd, t) - trace * mw_dot3(wa, wd);
      Kg[a * z->m + d] -= x;
      if (d < a) Kg[d * z->m + a] -= x;
    }
}

// Kg −= (5): moments of inertia that frames of the body carry
static void take_carried(mw_second *z, int k, int b, const double B[9])
{
  const mw_body *body = &z->mech->body[b];
  size_t nz = (size_t)body->n_z, e = (size_t)z->load[k].i;
  for (int i = 0; i < body->n_frame; i++) {
    const mw_frame *f = &body->frame[i];
    if (!f->heavy || f->z < 0) continue;
    double Be[9];
    memcpy(Be, B, sizeof Be);
    if (z->load[k].kind == MW_SECOND_COLUMN) {
      const double *x = z->z[b] + e * nz + f->z + 3;
      const double X[9] = { 0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0 };
      for (int j = 0; j < 9; j++) Be[j] += X[j];
    }
    take_turns(z, k, Be, f->J, z->z[b] + f->z + 3, nz);
  }
}

// (6) of a column's elastic part: its share of Kg of load k on body b, and of τ [m × 3]
static void take_elastic(mw_second *z, int k, int b, double *tau)
{
  static const double one[9] = { 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  static const int row[3] = { 0, 0, 1 }, column[3] = { 1, 2, 2 };  // M_xy, M_xz, M_yz
  const mw_body *body = &z->mech->body[b];
  size_t n = (size_t)z->n, nu = (size_t)body->n_u, at = (size_t)mw_blocks_offset(z->blocks, b);
  const double *u = z->elastic + (size_t)z->load[k].i * n + at;
  double D[9], *y = z->tmp;  // y: M_αβ u and M_αβᵀ u
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) D[3 * i + j] = mw_dot(body->n_u, body->h + (3 * j + i) * nu, u);
  take_turns(z, k, D, one, z->twist + 6 * (size_t)b * (size_t)z->m + 3, 6);
  for (size_t p = 0; p < 3; p++) {
    mw_csc_mul(&body->Mab[3 + p], 1.0, u, 0.0, y + 2 * p * nu);
    mw_csc_mul_t(&body->Mab[3 + p], 1.0, u, 0.0, y + (2 * p + 1) * nu);
  }
  for (size_t a = 0; a < (size_t)z->m; a++) {
    const double *ua = z->elastic + a * n + at;
    for (size_t p = 0; p < 3; p++) {
      // ∫ρ (N u_a)_α φ_β less the same with α and β exchanged is component γ, α β γ in turn
      double x =
          mw_dot(body->n_u, ua, y + 2 * p * nu) - mw_dot(body->n_u, ua, y + (2 * p + 1) * nu);
      tau[3 * a + (size_t)(3 - row[p] - column[p])] += p == 1 ? -x : x;
    }
  }
}

// Kg −= (4) of load k on body b; tau [m × 3]
static void take_field(mw_second *z, int k, int b, double *tau)
{
  const mw_body *body = &z->mech->body[b];
  const double *field = z->affine + ((size_t)k * (size_t)z->mech->n_body + (size_t)b) * 12;
  const double *c = field, *B = field + 3;
  const double *tw = z->twist + 6 * (size_t)b * (size_t)z->m;
  double *Kg = z->Kg + (size_t)k * (size_t)z->m * (size_t)z->m;
  take_turns(z, k, B, body->J, tw + 3, 6);
  if (body->n_u > 0) take_carried(z, k, b, B);
  for (int a = 0; a < z->m; a++)
    if (body->n_u > 0)
      moment(body, field, z->elastic + (size_t)a * (size_t)z->n + mw_blocks_offset(z->blocks, b),
             tau + 3 * a);
  if (body->n_u > 0 && z->load[k].kind == MW_SECOND_COLUMN) take_elastic(z, k, b, tau);
  for (int a = 0; a < z->m; a++)
    for (int d = 0; d <= a; d++) {
      const double *wa = tw + 6 * a + 3, *wd = tw + 6 * d + 3;
      double x = turned(wa, wd, c, body->mX);
      if (body->n_u > 0) x += mw_dot3(wa, tau + 3 * d) + mw_dot3(wd, tau + 3 * a);
      Kg[a * z->m + d] -= x;
      if (d < a) Kg[d * z->m + a] -= x;
    }
}

// What a unit force at an offset x from a frame that turns by θ adds:  f·x_qq += f·E W x ,
//     W as in (5)
static void take_arm(mw_second *z, int k, int zf, const double *p)
{
  const mw_second_load *l = &z->load[k];
  size_t nz = (size_t)z->mech->body[l->ref.body].n_z;
  double c[3], *Kg = z->Kg + (size_t)k * (size_t)z->m * (size_t)z->m;
  const double *theta = z->z[l->ref.body] + zf + 3;
  mw_mul33tv(p + 3, l->dir, c);
  for (int a = 0; a < z->m; a++)
    for (int d = 0; d < z->m; d++)
      Kg[a * z->m + d] -= turned(theta + (size_t)a * nz, theta + (size_t)d * nz, c, l->x);
}

// The same for a unit force at a point; y [m × 3] elastic displacement of the point, body axes
static void take_point(mw_second *z, int k, const mw_config *q, double *y)
{
  const mw_second_load *l = &z->load[k];
  int b = l->ref.body, zf = mw_mech_frame_z(z->mech, l->ref);
  const mw_body *body = &z->mech->body[b];
  const double *p = q->p + 12 * b, *tw = z->twist + 6 * (size_t)b * (size_t)z->m;
  double x[3], Y[3], c[3], Jp[36], Jz[18], *Kg = z->Kg + (size_t)k * (size_t)z->m * (size_t)z->m;
  if (zf >= 0) take_arm(z, k, zf, p);
  if (body->ground) return;
  mw_mech_point(z->mech, l->ref, l->x, p, NULL, x, Jp, Jz);
  for (int i = 0; i < 3; i++) x[i] -= p[i];
  mw_mul33tv(p + 3, x, Y);
  mw_mul33tv(p + 3, l->dir, c);
  memset(y, 0, 3 * (size_t)z->m * sizeof *y);
  for (int a = 0; zf >= 0 && a < z->m; a++) {
    const double *za = z->z[b] + (size_t)a * (size_t)body->n_z + zf;
    double g[3];
    for (int i = 0; i < 3; i++) g[i] = mw_dot(6, Jz + 6 * i, za);
    mw_mul33tv(p + 3, g, y + 3 * a);
  }
  for (int a = 0; a < z->m; a++)
    for (int d = 0; d <= a; d++) {
      const double *wa = tw + 6 * a + 3, *wd = tw + 6 * d + 3;
      double t[3], v = turned(wa, wd, c, Y);
      mw_cross3(wa, y + 3 * d, t);
      v += mw_dot3(c, t);
      mw_cross3(wd, y + 3 * a, t);
      v += mw_dot3(c, t);
      Kg[a * z->m + d] -= v;
      if (d < a) Kg[d * z->m + a] -= v;
    }
}

mw_code mw_second_frames(mw_second *z, const mw_config *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *tau = mw_arena_f64(&tmp, 3 * (size_t)z->m);
  mw_code rc = mw_arena_check(&tmp, err);
  memset(z->Kg, 0, (size_t)z->n_load * (size_t)z->m * (size_t)z->m * sizeof *z->Kg);
  for (int k = 0; rc == MW_OK && k < z->n_load; k++) {
    if (z->load[k].kind == MW_SECOND_POINT) take_point(z, k, q, tau);
    for (int b = 0; z->load[k].kind < MW_SECOND_POINT && b < z->mech->n_body; b++)
      if (!z->mech->body[b].ground) take_field(z, k, b, tau);
  }
  mw_arena_free(&tmp);
  return rc == MW_OK ? mw_second_rows(z, q, err) : rc;
}
