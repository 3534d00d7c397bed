// SPDX-License-Identifier: BSD-3-Clause
// system_ops.c: products, loads and inner products of the linear mechanism of system.h.
//
//   ⟨x1 + ω1 × y1, x2 + ω2 × y2⟩ = ∫ρ (N x1 + W1 N y1)·(N x2 + W2 N y2) dV ,  W = ω~            (1)
//     elastic body: (W1 N y1)·(W2 N y2) gives y1ᵀ Σ_βα (W1ᵀW2)_βα M_βα y2, and likewise with W1 or
//       W2 the identity
//     rigid body: the affine fields c + B X, ∫ρ (c1 + B1 X)·(c2 + B2 X) = m c1·c2 + (B2ᵀc1 +
//       B1ᵀc2)·mX + tr(B1 J B2ᵀ)
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "system_layer.h"

static void add_vec(int n, const double *x, double *y)
{
  for (int i = 0; i < n; i++) y[i] += x[i];
}

void mw_system_mul_M(const mw_system *sys, const double *x, double *y)
{
  const mw_mech *m = sys->bl->m;
  for (int b = 0; b < m->n_body; b++) {
    int o = sys->bl->offset[b];
    if (m->body[b].n_u > 0)
      mw_csc_mul(&m->body[b].M, 1.0, x + o, 0.0, y + o);
    else if (!m->body[b].ground)
      mw_gemm('n', 'n', 6, 1, 6, 1.0, sys->bl->M6 + 36 * b, x + o, 0.0, y + o);
  }
  mw_system_components_mul_M(sys, 1, x, y);
}

void mw_system_mul_M_many(const mw_system *sys, int k, const double *X, double *Y, double *work)
{
  const mw_mech *m = sys->bl->m;
  size_t n = (size_t)sys->bl->n, w = (size_t)k;
  double *Xt = work, *Yt = work + n * w;  // [n × k]
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < w; i++) Xt[j * w + i] = X[i * n + j];
  for (int b = 0; b < m->n_body; b++) {
    size_t o = (size_t)sys->bl->offset[b] * w;
    if (m->body[b].n_u > 0)
      mw_csc_mul_many(&m->body[b].M, k, 1.0, Xt + o, 0.0, Yt + o);
    else if (!m->body[b].ground)
      mw_gemm('n', 'n', 6, k, 6, 1.0, sys->bl->M6 + 36 * b, Xt + o, 0.0, Yt + o);
  }
  mw_system_components_mul_M(sys, k, Xt, Yt);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < w; i++) Y[i * n + j] = Yt[j * w + i];
}

// rhs = B x of the elastic joint rows whose w is positive
static void rows_of(const mw_system *sys, const double *w, const double *x)
{
  const mw_mech *m = sys->bl->m;
  for (int i = 0; i < sys->n_mu; i++) sys->rhs[i] = 0.0;
  for (int b = 0; b < m->n_body; b++) {
    int o = sys->bl->offset[b], width = m->body[b].n_u > 0 ? m->body[b].n_u : 6;
    for (int a = 0; sys->B[b] && a < sys->n_act[b]; a++) {
      int i = sys->act[b][a];
      if (isinf(sys->k_row[i]) || !(w[i] > 0.0)) continue;
      sys->rhs[i] += mw_dot(width, sys->B[b] + (size_t)a * (size_t)width, x + o);
    }
  }
}

// y += Bᵀ diag(w) B x over the elastic joint rows, w = k or c
static void add_rows(const mw_system *sys, const double *w, const double *x, double *y)
{
  const mw_mech *m = sys->bl->m;
  rows_of(sys, w, x);
  for (int b = 0; b < m->n_body; b++) {
    int o = sys->bl->offset[b], width = m->body[b].n_u > 0 ? m->body[b].n_u : 6;
    for (int a = 0; sys->B[b] && a < sys->n_act[b]; a++) {
      int i = sys->act[b][a];
      if (isinf(sys->k_row[i]) || !(w[i] > 0.0)) continue;
      mw_axpy(width, w[i] * sys->rhs[i], sys->B[b] + (size_t)a * (size_t)width, y + o);
    }
  }
}

// What of k vectors X [k × n] is of body b: part [k × width]
static void part_of(const mw_system *sys, int b, int width, int k, const double *X, double *part)
{
  for (size_t i = 0; i < (size_t)k; i++)
    memcpy(part + i * (size_t)width, X + i * (size_t)sys->bl->n + (size_t)sys->bl->offset[b],
           (size_t)width * sizeof *part);
}

// Y += Bᵀ diag(w) B X over the elastic joint rows for k vectors, w = k or c
static mw_code add_rows_many(const mw_system *sys, const double *w, int k, const double *X,
                             double *Y, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  size_t n = (size_t)sys->bl->n, rows = (size_t)sys->n_mu, K = (size_t)k;
  mw_arena tmp = { 0 };
  double *part = mw_arena_f64(&tmp, K * n), *of = mw_arena_f64(&tmp, K * rows),
         *R = mw_arena_f64(&tmp, K * rows);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    int act = sys->n_act[b], width = m->body[b].n_u > 0 ? m->body[b].n_u : 6;
    if (!sys->B[b] || act == 0) continue;
    part_of(sys, b, width, k, X, part);
    mw_gemm('n', 't', k, act, width, 1.0, part, sys->B[b], 0.0, of);
    for (size_t i = 0; i < K; i++)
      for (int a = 0; a < act; a++)
        R[i * rows + (size_t)sys->act[b][a]] += of[i * (size_t)act + (size_t)a];
  }
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    int act = sys->n_act[b], width = m->body[b].n_u > 0 ? m->body[b].n_u : 6;
    if (!sys->B[b] || act == 0) continue;
    for (size_t i = 0; i < K; i++)
      for (int a = 0; a < act; a++) {
        int row = sys->act[b][a];
        bool none = isinf(sys->k_row[row]) || !(w[row] > 0.0);
        of[i * (size_t)act + (size_t)a] = none ? 0.0 : w[row] * R[i * rows + (size_t)row];
      }
    mw_gemm('n', 'n', k, width, act, 1.0, of, sys->B[b], 0.0, part);
    for (size_t i = 0; i < K; i++)
      add_vec(width, part + i * (size_t)width, Y + i * n + (size_t)sys->bl->offset[b]);
  }
  mw_arena_free(&tmp);
  return rc;
}

void mw_system_stretch(const mw_system *sys, const double *x, double *stretch)
{
  memset(stretch, 0, (size_t)sys->bl->m->n_row * sizeof *stretch);
  rows_of(sys, sys->k_row, x);
  for (int i = 0; i < sys->n_mu; i++)
    if (sys->mech_row[i] >= 0 && isfinite(sys->k_row[i]) && sys->k_row[i] > 0.0)
      stretch[sys->mech_row[i]] = sqrt(sys->k_row[i]) * sys->rhs[i];
}

void mw_system_mul_K_bodies(const mw_system *sys, const double *x, double *y)
{
  const mw_mech *m = sys->bl->m;
  memset(y, 0, (size_t)sys->bl->n * sizeof *y);
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0)
      mw_csc_mul(&m->body[b].K, 1.0, x + sys->bl->offset[b], 0.0, y + sys->bl->offset[b]);
  mw_system_components_mul_K(sys, x, y);
}

void mw_system_mul_K(const mw_system *sys, const double *x, double *y)
{
  mw_system_mul_K_bodies(sys, x, y);
  add_rows(sys, sys->k_row, x, y);
}

mw_code mw_system_mul_K_many(const mw_system *sys, int k, const double *X, double *Y, mw_error *err)
{
  size_t n = (size_t)sys->bl->n;
  for (size_t i = 0; i < (size_t)k; i++) mw_system_mul_K_bodies(sys, X + i * n, Y + i * n);
  return add_rows_many(sys, sys->k_row, k, X, Y, err);
}

void mw_system_mul_C_bodies(const mw_system *sys, const double *x, double *y)
{
  const mw_mech *m = sys->bl->m;
  memset(y, 0, (size_t)sys->bl->n * sizeof *y);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    int o = sys->bl->offset[b];
    if (body->n_u == 0) continue;
    mw_csc_mul(&body->M, body->alpha, x + o, 0.0, y + o);
    if (body->beta != 0.0) mw_csc_mul(&body->K, body->beta, x + o, 1.0, y + o);
  }
}

void mw_system_mul_C(const mw_system *sys, const double *x, double *y)
{
  mw_system_mul_C_bodies(sys, x, y);
  add_rows(sys, sys->c_row, x, y);
}

mw_code mw_system_mul_C_many(const mw_system *sys, int k, const double *X, double *Y, mw_error *err)
{
  size_t n = (size_t)sys->bl->n;
  for (size_t i = 0; i < (size_t)k; i++) mw_system_mul_C_bodies(sys, X + i * n, Y + i * n);
  mw_code rc = mw_system_components_mul_C(sys, k, X, Y, err);
  return rc == MW_OK ? add_rows_many(sys, sys->c_row, k, X, Y, err) : rc;
}

void mw_system_add_functional(const mw_system *sys, int b, const double *c, double *f)
{
  const mw_body *body = &sys->bl->m->body[b];
  int o = sys->bl->offset[b];
  if (body->n_u > 0)
    mw_block_functional(&sys->bl->block[b], c, f + o);
  else if (!body->ground)
    add_vec(6, c, f + o);
}

void mw_system_point_row(const mw_system *sys, mw_ref ref, const double offset[3],
                         const double dir[3], double *row)
{
  const mw_mech *m = sys->bl->m;
  const double *p = sys->p + 12 * ref.body;
  double x[3], Y[3], Jp[36], Jz[18];
  mw_mech_point(m, ref, offset, p, NULL, x, Jp, Jz);
  int z = mw_mech_frame_z(m, ref);
  if (m->body[ref.body].n_u > 0) {
    for (int k = 0; z >= 0 && k < 6; k++)
      for (int i = 0; i < 3; i++) row[z + k] += dir[i] * Jz[6 * i + k];
    return;
  }
  // rigid: x = o + E Y, dir·(E v + E ω × Y)
  for (int i = 0; i < 3; i++) x[i] -= p[i];
  mw_mul33tv(p + 3, x, Y);
  mw_mul33tv(p + 3, dir, row);
  mw_cross3(Y, row, row + 3);
}

void mw_system_load_point(const mw_system *sys, mw_ref ref, const double offset[3],
                          const double dir[3], double *f)
{
  const mw_body *body = &sys->bl->m->body[ref.body];
  memset(f, 0, (size_t)sys->bl->n * sizeof *f);
  if (body->n_u == 0 && body->ground) return;
  memset(sys->zf, 0, (size_t)mw_block_width(sys->bl, ref.body) * sizeof(double));
  mw_system_point_row(sys, ref, offset, dir, sys->zf);
  mw_system_add_functional(sys, ref.body, sys->zf, f);
}

void mw_system_load_coord(const mw_system *sys, int coord, double *f)
{
  memset(f, 0, (size_t)sys->bl->n * sizeof *f);
  for (int b = 0; b < sys->bl->m->n_body; b++) {
    if (!sys->coord[b]) continue;
    int w = mw_block_width(sys->bl, b);
    mw_system_add_functional(sys, b, sys->coord[b] + (size_t)coord * (size_t)w, f);
  }
}

void mw_system_gauges(const mw_system *sys, const double *x, double *y)
{
  for (int b = 0; b < sys->bl->m->n_body; b++)
    mw_mech_gauges(sys->bl->m, b, x + sys->bl->offset[b], y);
}

void mw_system_load_rest(const mw_system *sys, double *f)
{
  const mw_mech *m = sys->bl->m;
  memset(f, 0, (size_t)sys->bl->n * sizeof *f);
  mw_system_load_springs(sys, f);
  mw_system_components_load_rest(sys, f);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    int o = sys->bl->offset[b];
    if (!body->gravity || mw_model_component_of(m->model, b)) continue;
    double g[3], mo[3];
    mw_mul33tv(sys->p + 12 * b + 3, m->model->gravity, g);
    if (body->n_u > 0) {
      for (int a = 0; a < 3; a++)
        mw_axpy(body->n_u, g[a], body->s + (size_t)a * (size_t)body->n_u, f + o);
    } else if (!body->ground) {
      mw_cross3(body->mX, g, mo);
      for (int i = 0; i < 3; i++) {
        f[o + i] += body->m * g[i];
        f[o + 3 + i] += mo[i];
      }
    }
  }
}

void mw_system_load_springs(const mw_system *sys, double *f)
{
  for (int b = 0; b < sys->bl->m->n_body; b++)
    if (sys->pull[b]) mw_system_add_functional(sys, b, sys->pull[b], f);
}

void mw_system_preload(const mw_system *sys, double *lambda)
{
  for (int k = 0; k < sys->bl->m->n_row; k++) lambda[k] += sys->preload[k];
}

double mw_system_spring_energy(const mw_system *sys) { return sys->energy; }

void mw_system_rigid(const mw_system *sys, const double *v, double *x)
{
  const mw_mech *m = sys->bl->m;
  memset(x, 0, (size_t)sys->bl->n * sizeof *x);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    int o = sys->bl->offset[b];
    if (body->ground) continue;
    if (body->n_u == 0)
      memcpy(x + o, v + 6 * b, 6 * sizeof *x);
    else
      mw_gemm('n', 'n', body->n_u, 1, 6, 1.0, body->R, v + 6 * b, 0.0, x + o);
  }
}

static bool cross_matrix(const double *w, int b, double W[9])
{
  memset(W, 0, 9 * sizeof *W);
  if (!w) return false;
  const double *r = w + 6 * b + 3;
  W[1] = -r[2], W[2] = r[1], W[3] = r[2], W[5] = -r[0], W[6] = -r[1], W[7] = r[0];
  return r[0] != 0.0 || r[1] != 0.0 || r[2] != 0.0;
}

// c + B X of a rigid body's (v, ω) field plus W times another one
static void affine(const double *x, bool turns, const double W[9], const double *y, double c[3],
                   double B[9])
{
  const double *w = x + 3;
  const double X[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  memcpy(c, x, 3 * sizeof *c);
  memcpy(B, X, sizeof X);
  if (!turns) return;
  const double *v = y + 3;
  const double Y[9] = { 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0 };
  double Wc[3], WY[9];
  mw_mul33v(W, y, Wc);
  mw_mul33(W, Y, WY);
  add_vec(3, Wc, c);
  add_vec(9, WY, B);
}

// ∫ρ (c1 + B1 X)·(c2 + B2 X) dV
static double affine_product(const mw_body *b, const double c1[3], const double B1[9],
                             const double c2[3], const double B2[9])
{
  double u[3], v[3], BJ[9];
  mw_mul33tv(B2, c1, u);
  mw_mul33tv(B1, c2, v);
  mw_mul33(B1, b->J, BJ);
  double r = b->m * mw_dot3(c1, c2) + mw_dot3(u, b->mX) + mw_dot3(v, b->mX);
  for (int i = 0; i < 9; i++) r += BJ[i] * B2[i];
  return r;
}

static void rigid_dual(const mw_body *body, bool t1, const double W1[9], const double *x2, bool t2,
                       const double W2[9], const double *y2, double *d)
{
  double c1[3], B1[9], c2[3], B2[9], zero[6] = { 0.0 };
  affine(x2, t2, W2, y2, c2, B2);
  for (int i = 0; i < 6; i++) {
    double e[6] = { 0.0 };
    e[i] = 1.0;
    if (t1)
      affine(zero, true, W1, e, c1, B1);
    else
      affine(e, false, W1, zero, c1, B1);
    d[i] = affine_product(body, c1, B1, c2, B2);
  }
}

void mw_system_dual(const mw_system *sys, const double *w1, const double *x2, const double *w2,
                    const double *y2, double *d)
{
  const mw_mech *m = sys->bl->m;
  double W1[9], W2[9], W1T[9], WW[9];
  memset(d, 0, (size_t)sys->bl->n * sizeof *d);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    int o = sys->bl->offset[b], n = body->n_u;
    if (n == 0 && body->ground) continue;
    bool t1 = cross_matrix(w1, b, W1), t2 = cross_matrix(y2 ? w2 : NULL, b, W2);
    if (w1 && !t1) continue;  // a test field ω1 × e with ω1 = 0
    if (n == 0) {
      rigid_dual(body, t1, W1, x2 + o, t2, W2, y2 ? y2 + o : NULL, d + o);
      continue;
    }
    double *t = sys->work, *spare = sys->work + n;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) W1T[3 * i + j] = W1[3 * j + i];
    if (t1)
      mw_body_mul_mass(body, W1T, x2 + o, d + o, spare);
    else
      mw_csc_mul(&body->M, 1.0, x2 + o, 0.0, d + o);
    if (!t2) continue;
    memcpy(WW, W2, sizeof WW);
    if (t1) mw_mul33(W1T, W2, WW);
    mw_body_mul_mass(body, WW, y2 + o, t, spare);
    mw_axpy(n, 1.0, t, d + o);
  }
}
