// SPDX-License-Identifier: BSD-3-Clause
// linkage.c: the rigid mechanism at a position, its rows and coordinates as matrices in one
// measure.
//
//   û = S y ,  S = size for lengths, 1 for turns;  rows J S / |J S|                             (1)
//   γ(y) is quadratic:  γ(a, b) = (γ(a + b) − γ(a) − γ(b))/2                                    (2)
#include "linkage_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

static void scale_tangent(const mw_linkage *l, const double *y, double *u)
{
  for (int i = 0; i < l->n.n_u; i++) u[i] = (i % 6 < 3 ? l->size : 1.0) * y[i];
}

static mw_code memory(mw_linkage *l, mw_error *err)
{
  size_t n_u = (size_t)l->n.n_u, n_q = (size_t)l->n.n_q, n_row = (size_t)l->n.n_row,
         n_coord = (size_t)l->n.n_coord;
  l->q = mw_arena_f64(&l->mem, n_q);
  l->v = mw_arena_f64(&l->mem, n_q);
  l->s = mw_arena_f64(&l->mem, n_coord);
  l->J = mw_arena_f64(&l->mem, n_row * n_u);
  l->gamma = mw_arena_f64(&l->mem, n_row);
  l->norm = mw_arena_f64(&l->mem, n_row);
  l->Js = mw_arena_f64(&l->mem, n_coord * n_u);
  l->bias = mw_arena_f64(&l->mem, n_coord);
  l->u = mw_arena_f64(&l->mem, n_u);
  l->x = mw_arena_f64(&l->mem, n_u);
  l->joint = mw_arena_int(&l->mem, n_row);
  return mw_arena_check(&l->mem, err);
}

mw_code mw_linkage_open(const mw_mech *m, const unsigned char *held, bool elastic, const double *p,
                        const double *s, mw_linkage *out, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_linkage l = { .m = m, .size = mw_mech_size(m) };
  unsigned char *springs = mw_arena_alloc(&l.mem, (size_t)m->n_joint, 1);
  mw_code rc = mw_arena_check(&l.mem, err);
  *out = l;
  if (rc != MW_OK) return rc;
  (void)mw_mech_mark_springs(m, springs);
  opt.locked = held;
  opt.kinematics = true;
  opt.soft_is_rigid = elastic;
  opt.left_out = springs;
  rc = mw_rigid_build(m, &opt, &out->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(out->r, &out->w, err);
  if (rc != MW_OK) return rc;
  out->n = mw_rigid_sizes(out->r);
  rc = memory(out, err);
  if (rc != MW_OK) return rc;
  mw_rigid_from_frames(out->r, p, out->q);
  mw_rigid_accept_coords(out->r, out->w, s);
  mw_rigid_hold(out->r, out->w, s, NULL);
  mw_rigid_row_joints(out->r, out->joint);
  memcpy(out->s, s, (size_t)out->n.n_coord * sizeof *s);
  return MW_OK;
}

void mw_linkage_close(mw_linkage *l)
{
  mw_rigid_work_free(l->w);
  mw_rigid_free(l->r);
  mw_arena_free(&l->mem);
  *l = (mw_linkage){ 0 };
}

void mw_linkage_eval(mw_linkage *l, const double *y)
{
  const mw_rigid_dense d = { l->J, l->gamma, l->Js, l->bias };
  int n = l->n.n_u;
  if (y) scale_tangent(l, y, l->u);
  mw_rigid_matrices(l->r, l->w, 0.0, l->q, y ? l->u : NULL, &d);
  for (int i = 0; i < l->n.n_row; i++) {
    double *row = l->J + (size_t)i * (size_t)n, sum = 0.0;
    for (int k = 0; k < n; k++) {
      row[k] *= k % 6 < 3 ? l->size : 1.0;
      sum += row[k] * row[k];
    }
    l->norm[i] = sum > 0.0 ? sqrt(sum) : 1.0;
    for (int k = 0; k < n; k++) row[k] /= l->norm[i];
    l->gamma[i] /= l->norm[i];
  }
  for (int i = 0; i < l->n.n_coord * n; i++) l->Js[i] *= i % n % 6 < 3 ? l->size : 1.0;
}

mw_code mw_linkage_move(mw_linkage *l, const double *q, const double *y, double *to, mw_error *err)
{
  enum { ITER = 40 };
  // of the size: what mw_mech_rigid_solve closes to; what is left near singular positions, where
  // rounding is in the way
  static const double TOL = 1e-13, OPEN = 1e-10;
  double gap = 0.0;
  scale_tangent(l, y, l->x);
  mw_rigid_move(l->r, q, l->x, to);
  mw_code rc = mw_rigid_project_q(l->r, l->w, 0.0, to, TOL * l->size, ITER, true, &gap, err);
  if (rc != MW_OK || gap <= OPEN * l->size) return rc;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "joints stay open by %.3g m beside a position of the mechanism", gap);
}

void mw_linkage_put(mw_linkage *l, const double *q)
{
  memmove(l->q, q, (size_t)l->n.n_q * sizeof *q);
  mw_rigid_accept(l->r, l->w, l->q);
  mw_rigid_coords(l->r, l->w, l->q, NULL, l->s, NULL);
  mw_rigid_accept_coords(l->r, l->w, l->s);
}

mw_code mw_linkage_svd(const mw_linkage *l, double *sv, double *Ut, double *Vt, mw_error *err)
{
  size_t m = (size_t)l->n.n_row, n = (size_t)l->n.n_u, big = m > n ? m : n;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, big * big), *w = mw_arena_f64(&tmp, big),
         *V = mw_arena_f64(&tmp, n * n), *left = mw_arena_f64(&tmp, m * m);
  mw_code rc = mw_arena_check(&tmp, err);
  memset(sv, 0, n * sizeof *sv);
  if (rc == MW_OK && n > 0) {  // rows of zeros: all of the right vectors
    memcpy(A, l->J, m * n * sizeof *A);
    rc = mw_svd((int)big, (int)n, A, w, NULL, V, err);
    if (rc == MW_OK) memcpy(sv, w, n * sizeof *sv);
    if (rc == MW_OK && Vt) memcpy(Vt, V, n * n * sizeof *V);
  }
  if (rc == MW_OK && Ut && m > 0) {  // columns of zeros: all of the left ones
    memset(A, 0, big * big * sizeof *A);
    for (size_t i = 0; i < m; i++) memcpy(A + i * big, l->J + i * n, n * sizeof *A);
    rc = mw_svd((int)m, (int)big, A, w, left, NULL, err);
    for (size_t i = 0; i < m * m; i++) Ut[i % m * m + i / m] = left[i];
  }
  mw_arena_free(&tmp);
  return rc;
}

int mw_linkage_rank(const mw_linkage *l, const double *sv, double tol)
{
  int rank = 0;
  while (rank < l->n.n_u && sv[rank] > tol * sv[0]) rank++;
  return rank;
}

// left_lᵀ γ at the tangent that l->x holds, into g [n_left]
static void curve(mw_linkage *l, int n_left, const double *left, double *g)
{
  memcpy(l->v, l->x, (size_t)l->n.n_u * sizeof *l->x);
  mw_linkage_eval(l, l->v);
  for (int i = 0; i < n_left; i++)
    g[i] = mw_dot(l->n.n_row, left + (size_t)i * (size_t)l->n.n_row, l->gamma);
}

mw_code mw_linkage_forms(mw_linkage *l, int k, const double *N, int n_left, const double *left,
                         double *Q, mw_error *err)
{
  size_t n = (size_t)l->n.n_u, kk = (size_t)k, nl = (size_t)n_left;
  mw_arena tmp = { 0 };
  double *self = mw_arena_f64(&tmp, kk * nl), *g = mw_arena_f64(&tmp, nl);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t a = 0; rc == MW_OK && a < kk; a++) {
    memcpy(l->x, N + a * n, n * sizeof *N);
    curve(l, n_left, left, self + a * nl);
  }
  for (size_t a = 0; rc == MW_OK && a < kk; a++)
    for (size_t b = 0; b <= a; b++) {
      for (size_t i = 0; i < n; i++) l->x[i] = N[a * n + i] + N[b * n + i];
      curve(l, n_left, left, g);
      for (size_t i = 0; i < nl; i++)
        Q[(i * kk + a) * kk + b] = Q[(i * kk + b) * kk + a] =
            0.5 * (g[i] - self[a * nl + i] - self[b * nl + i]);
    }
  mw_arena_free(&tmp);
  return rc;
}

// (x : y) = (big : Q0) and (Q3 : big), big = −(Q1 ± √D) without cancellation
int mw_form_roots(const double Q[4], double tol, double z[4])
{
  double most = fmax(fmax(fabs(Q[0]), fabs(Q[3])), fabs(Q[1])), D = Q[1] * Q[1] - Q[0] * Q[3];
  if (D < -tol * most * most || most == 0.0) return 0;
  double big = -(Q[1] + copysign(sqrt(fmax(D, 0.0)), Q[1]));
  z[0] = big, z[1] = Q[0], z[2] = Q[3], z[3] = big;
  int n = D <= tol * most * most ? 1 : 2;
  if (n == 1 && fabs(Q[0]) < fabs(Q[3])) z[0] = z[2], z[1] = z[3];
  for (int i = 0; i < n; i++) {
    double len = hypot(z[2 * i], z[2 * i + 1]);
    z[2 * i] /= len, z[2 * i + 1] /= len;
  }
  return n;
}
