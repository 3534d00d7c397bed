// SPDX-License-Identifier: BSD-3-Clause
// mech_rigid.c: rigid kinematics ρ(θ), ρ_θ, mobility and redundant rows, in natural coordinates.
//
//   Φ(x) = [ ½(e_i·e_i − 1), e_j·e_k  of every moving body ; joint rows ; s_i − θ_i of locked coordinates ] = 0     (1)
//   Gauss-Newton: Φ_x Δx = −Φ, least norm by SVD, so that redundant but consistent rows do no harm
//   rigid mode i: Φ_x ẋ = e_i (the locked row of θ_i)                                                             (2)
//
// x holds 12 body-axes increments (ô, Ê) a moving body, then the joint coordinates. In D-coordinates the rigid-body rows
// have the constant Jacobian Ê_ii, Ê_jk + Ê_kj (Kraus, Winckler, Bock 2001, eq. 10). Cost O(n³), n ≈ 12 bodies: done once
// a configuration, offline.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/mech.h"

static const double RANK_TOL =
    1e-10;  // singular values below this part of the largest count as zero

typedef struct rigid {
  const mw_mech *m;
  int n, rows;       // unknowns, rows
  int *col;          // [n_body] first column of a body, -1: does not move
  int col_s;         // first column of the joint coordinates
  int row_joint;     // first joint row
  int row_lock;      // first locked row
  double *Phi, *J;   // [rows], [rows × n]
  double *copy, *x;  // [rows × n], [n]
  mw_joint_eval e;
  mw_arena mem;
} rigid;

static mw_code rigid_init(const mw_mech *m, const unsigned char *locked, rigid *r, mw_error *err)
{
  *r = (rigid){ .m = m };
  r->col = mw_arena_int(&r->mem, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  int moving = 0, n_lock = 0;
  for (int b = 0; b < m->n_body; b++) r->col[b] = m->body[b].ground ? -1 : 12 * moving++;
  for (int c = 0; locked && c < m->n_coord; c++) n_lock += locked[c] != 0;
  r->col_s = 12 * moving;
  r->n = r->col_s + m->n_coord;
  r->row_joint = 6 * moving;
  r->row_lock = r->row_joint + m->n_row;
  r->rows = r->row_lock + n_lock;
  size_t size = (size_t)r->rows * (size_t)r->n;
  r->Phi = mw_arena_f64(&r->mem, (size_t)r->rows);
  r->J = mw_arena_f64(&r->mem, size);
  r->copy = mw_arena_f64(&r->mem, size);
  r->x = mw_arena_f64(&r->mem, (size_t)r->n);
  r->e = mw_joint_eval_init(m, &r->mem);
  return mw_arena_check(&r->mem, err);
}

// Rigid-body rows of body b: g = [½(e1·e1 − 1) ½(e2·e2 − 1) ½(e3·e3 − 1) e2·e3 e3·e1 e1·e2]
static void body_rows(rigid *r, int b, const double *p)
{
  static const int pair[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 2 }, { 2, 0 }, { 0, 1 } };
  int row = r->col[b] / 2, col = r->col[b] + 3;
  const double *E = p + 12 * b + 3;
  for (int k = 0; k < 6; k++) {
    int i = pair[k][0], j = pair[k][1];
    double g = E[i] * E[j] + E[3 + i] * E[3 + j] + E[6 + i] * E[6 + j];
    r->Phi[row + k] = i == j ? 0.5 * (g - 1.0) : g;
    double *J = r->J + (size_t)(row + k) * (size_t)r->n + col;
    J[3 * i + j] += 1.0;
    if (i != j) J[3 * j + i] += 1.0;
  }
}

// Φ and Φ_x at p, s. Joint rows of damper-only springs (k = 0) are left empty: they hold nothing.
static mw_code rigid_eval(rigid *r, const unsigned char *locked, const double *p, const double *s,
                          const double *theta, mw_error *err)
{
  const mw_mech *m = r->m;
  size_t n = (size_t)r->n;
  memset(r->J, 0, (size_t)r->rows * n * sizeof(double));
  memset(r->Phi, 0, (size_t)r->rows * sizeof(double));
  for (int b = 0; b < m->n_body; b++)
    if (r->col[b] >= 0) body_rows(r, b, p);
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    double sj = jt->coord >= 0 ? s[jt->coord] : 0.0;
    mw_code rc = mw_joint_eval_at(m, j, p + 12 * jt->a, NULL, p + 12 * jt->b, NULL, sj, &r->e, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < jt->n_row; i++) {
      if (!(jt->k[i] > 0.0)) continue;
      int row = r->row_joint + jt->row0 + i;
      double *J = r->J + (size_t)row * n;
      r->Phi[row] = r->e.g[i];
      for (int k = 0; k < 12; k++) {
        if (r->col[jt->a] >= 0) J[r->col[jt->a] + k] += r->e.Ja[12 * i + k];
        if (r->col[jt->b] >= 0) J[r->col[jt->b] + k] += r->e.Jb[12 * i + k];
      }
      if (jt->coord >= 0) J[r->col_s + jt->coord] += r->e.Js[i];
    }
  }
  int row = r->row_lock;
  for (int c = 0; locked && c < m->n_coord; c++)
    if (locked[c]) {
      r->Phi[row] = s[c] - theta[c];
      r->J[(size_t)row++ * n + (size_t)(r->col_s + c)] = 1.0;
    }
  return MW_OK;
}

static mw_code rigid_solve(rigid *r, const double *b, int *rank, mw_error *err)
{
  memcpy(r->copy, r->J, (size_t)r->rows * (size_t)r->n * sizeof(double));
  return mw_lstsq(r->rows, r->n, r->copy, b, RANK_TOL, r->x, rank, err);
}

static double largest(int n, const double *x)
{
  double r = 0.0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= r)) r = fabs(x[i]);
  return r;
}

// x ← x + Δx: o += E ô, E += E Ê
static void rigid_update(const rigid *r, double *p, double *s)
{
  const mw_mech *m = r->m;
  for (int b = 0; b < m->n_body; b++) {
    if (r->col[b] < 0) continue;
    const double *d = r->x + r->col[b];
    double *q = p + 12 * b, dx[3], dE[9];
    mw_mul33v(q + 3, d, dx);
    mw_mul33(q + 3, d + 3, dE);
    for (int i = 0; i < 3; i++) q[i] += dx[i];
    for (int i = 0; i < 9; i++) q[3 + i] += dE[i];
  }
  for (int c = 0; c < m->n_coord; c++) s[c] += r->x[r->col_s + c];
}

static const char *worst_joint(const rigid *r)
{
  const char *name = "none";
  double worst = 0.0;
  for (int j = 0; j < r->m->n_joint; j++) {
    const mw_joint *jt = &r->m->joint[j];
    double g = largest(jt->n_row, r->Phi + r->row_joint + jt->row0);
    if (!(g <= worst)) {
      worst = g;
      name = jt->name;
    }
  }
  return name;
}

static double mech_size(const mw_mech *m)
{
  double size = 1e-3;
  for (int b = 0; b < m->n_body; b++) {
    double x = largest(3, m->p0 + 12 * b);
    if (x > size) size = x;
  }
  for (int j = 0; j < m->n_joint; j++) {
    double x = fmax(largest(3, m->joint[j].Xa), largest(3, m->joint[j].Xb));
    if (x > size) size = x;
  }
  return size;
}

mw_code mw_mech_rigid_solve(const mw_mech *m, const unsigned char *locked, double *p, double *s,
                            mw_error *err)
{
  enum { ITER_MAX = 50 };
  rigid r;
  mw_arena copy = { 0 };
  double *theta = mw_arena_f64(&copy, (size_t)m->n_coord), tol = 1e-13 * mech_size(m),
         gap = INFINITY;
  mw_code rc = rigid_init(m, locked, &r, err);
  if (rc == MW_OK) rc = mw_arena_check(&copy, err);
  if (rc == MW_OK) memcpy(theta, s, (size_t)m->n_coord * sizeof(double));
  int rank, i;
  for (i = 0; rc == MW_OK && i < ITER_MAX; i++) {
    rc = rigid_eval(&r, locked, p, s, theta, err);
    double last = gap;
    if (rc == MW_OK) gap = largest(r.rows, r.Phi);
    // done at the tolerance, or when rounding stops the quadratic convergence a few digits above it
    if (rc != MW_OK || gap <= tol || (gap <= 100.0 * tol && gap >= 0.5 * last)) break;
    for (int k = 0; k < r.rows; k++) r.Phi[k] = -r.Phi[k];
    rc = rigid_solve(&r, r.Phi, &rank, err);
    if (rc == MW_OK) rigid_update(&r, p, s);
  }
  if (rc == MW_OK && !(gap <= 100.0 * tol))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the mechanism cannot be closed: joint %s stays open by %.3g m", worst_joint(&r),
                 gap);
  mw_arena_free(&r.mem);
  mw_arena_free(&copy);
  return rc;
}

// Names the body that still moves with all locked coordinates held: the largest component of a null vector.
static mw_code free_motion(rigid *r, mw_error *err)
{
  const mw_mech *m = r->m;
  int n = r->n;
  double *gram = mw_arena_f64(&r->mem, (size_t)n * (size_t)n),
         *V = mw_arena_f64(&r->mem, (size_t)n * (size_t)n);
  double *w = mw_arena_f64(&r->mem, (size_t)n);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  mw_gemm('t', 'n', n, n, r->rows, 1.0, r->J, r->J, 0.0, gram);
  rc = mw_eig_sym(n, gram, w, V, err);
  if (rc != MW_OK) return rc;
  int body = 0;
  double best = -1.0;
  for (int b = 0; b < m->n_body; b++) {
    if (r->col[b] < 0) continue;
    double x = 0.0;
    for (int i = 0; i < 12; i++) x = fmax(x, fabs(V[(r->col[b] + i) * n]));
    if (x > best) {
      best = x;
      body = b;
    }
  }
  char joints[256] = "";
  size_t used = 0;
  for (int j = 0; j < m->n_joint; j++)
    if (m->joint[j].a == body || m->joint[j].b == body) {
      size_t len = strlen(m->joint[j].name);
      if (used + len + 3 >= sizeof joints) break;
      if (used > 0) joints[used++] = ',', joints[used++] = ' ';
      memcpy(joints + used, m->joint[j].name, len + 1);
      used += len;
    }
  return mw_fail(
      err, MW_ERR_INPUT, m->body[body].at,
      "body %s can still move with every coordinate of the reduction held (its joints: %s); "
      "add the free joint's coordinate to reduction.coordinates or lock the motion",
      m->body[body].name, joints);
}

mw_code mw_mech_rigid_modes(const mw_mech *m, const unsigned char *locked, const double *p,
                            const double *s, double *v, double *s_dot, mw_error *err)
{
  rigid r;
  mw_code rc = rigid_init(m, locked, &r, err);
  if (rc == MW_OK) rc = rigid_eval(&r, locked, p, s, s, err);
  for (int i = 0; rc == MW_OK && i < r.rows - r.row_lock; i++) {
    int rank = 0;
    memset(r.Phi, 0, (size_t)r.rows * sizeof(double));
    r.Phi[r.row_lock + i] = 1.0;
    rc = rigid_solve(&r, r.Phi, &rank, err);
    if (rc == MW_OK && rank < r.n) rc = free_motion(&r, err);
    if (rc != MW_OK) break;
    for (int b = 0; b < m->n_body; b++) {
      double *vb = v + 6 * ((size_t)i * (size_t)m->n_body + (size_t)b);
      memset(vb, 0, 6 * sizeof(double));
      if (r.col[b] < 0) continue;
      const double *d = r.x + r.col[b], *W = d + 3;
      memcpy(vb, d, 3 * sizeof(double));
      vb[3] = 0.5 * (W[7] - W[5]);  // Ê = ω~
      vb[4] = 0.5 * (W[2] - W[6]);
      vb[5] = 0.5 * (W[3] - W[1]);
    }
    memcpy(s_dot + (size_t)i * (size_t)m->n_coord, r.x + r.col_s,
           (size_t)m->n_coord * sizeof(double));
  }
  // nothing locked: still nothing may be free
  if (rc == MW_OK && r.rows == r.row_lock) {
    int rank = 0;
    memset(r.Phi, 0, (size_t)r.rows * sizeof(double));
    rc = rigid_solve(&r, r.Phi, &rank, err);
    if (rc == MW_OK && rank < r.n) rc = free_motion(&r, err);
  }
  mw_arena_free(&r.mem);
  return rc;
}

// Row by row Gram-Schmidt (twice): a row that lies in the span of the earlier ones is redundant.
mw_code mw_mech_mobility(const mw_mech *m, const double *p, const double *s, int *mobility,
                         int *redundant, mw_error *err)
{
  rigid r;
  mw_code rc = rigid_init(m, NULL, &r, err);
  if (rc == MW_OK) rc = rigid_eval(&r, NULL, p, s, s, err);
  if (rc != MW_OK) {
    mw_arena_free(&r.mem);
    return rc;
  }
  int rank = 0, n = r.n;
  for (int j = 0; j < m->n_joint; j++) redundant[j] = 0;
  for (int pass = 0; pass < 2;
       pass++)  // constraints first, elastic rows after: only constraints can be redundant
    for (int i = 0; i < r.rows; i++) {
      int joint = -1;
      for (int j = 0; j < m->n_joint; j++)
        if (i >= r.row_joint + m->joint[j].row0) joint = i >= r.row_joint ? j : -1;
      bool rigid_row =
          joint < 0 || isinf(m->joint[joint].k[i - r.row_joint - m->joint[joint].row0]);
      if (rigid_row != (pass == 0)) continue;
      double *x = r.J + (size_t)i * (size_t)n, norm0 = sqrt(mw_dot(n, x, x));
      for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < rank; k++) {
          const double *q = r.copy + (size_t)k * (size_t)n;
          mw_axpy(n, -mw_dot(n, q, x), q, x);
        }
      double norm = sqrt(mw_dot(n, x, x));
      if (norm > 1e-9 * norm0 && rank < n) {
        for (int c = 0; c < n; c++) r.copy[(size_t)rank * (size_t)n + (size_t)c] = x[c] / norm;
        rank++;
      } else if (norm0 > 0.0 && pass == 0 && joint >= 0) {
        redundant[joint]++;
      }
    }
  *mobility = n - rank;
  mw_arena_free(&r.mem);
  return MW_OK;
}
