// SPDX-License-Identifier: BSD-3-Clause
// dae_joint.c: elimination of the bodies and the joint system that is left.
//
//   S_b y_b + Ĵ_bᵀ Δλ = −r_b ,  Σ_b Ĵ_b y_b + Js Δs − Δλ/k = −ρ ,  Jsᵀ Δλ + k_s Δs = −r_s       (1)
//   [ F + 1/k   −Js  ] [ Δλ ]   [ ρ − Σ Ĵ W r ]
//   [ −Jsᵀ      −k_s ] [ Δs ] = [ r_s         ] ,      F = Σ_b Ĵ_b (P̂ S_b⁻¹ P̂ᵀ) Ĵ_bᵀ          (2)
//
// With α of bodies that move (dae_modal.c (4)) S_b y_b has −H_b Δθ beside it and the coordinates
// −H_bᵀ y_b: Js + Ĵ S⁻¹ H in place of Js, k_s + D of k_s, and r_s + Σ HᵀS⁻¹r of r_s.
// Ĵ: rows over the interface functionals (ô, Ê, z). Only F changes from one iteration to the next;
// (2) is dense, scaled to unit diagonal, and solved by LU. Rows of constraints that depend on
// others (two rails, closed loops) show as zero pivots of the Cholesky factorization of F + Js Jsᵀ
// and are left out; their gaps are still watched. Rigid-body rows never are.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_priv.h"

static const double REDUNDANT = 1e-10;  // pivot relative to a row's own diagonal

typedef struct side {  // rows of one joint over the functionals of one body
  int row0, n;
  const double *J, *Z;
} side;

// Side of joint j on body b, one of its two.
static side side_of(const mw_dae *d, int j, int b)
{
  const mw_joint *jt = &d->m->joint[j];
  const mw_joint_eval *e = &d->e[j];
  return (side){ .row0 = jt->row0,
                 .n = jt->n_row,
                 .J = jt->a == b ? e->Ja : e->Jb,
                 .Z = jt->a == b ? e->Za : e->Zb };
}

static bool carries_force(const mw_dae *d, int j, int i)
{
  double k = mw_dae_row_stiffness(d, j, i);
  return isinf(k) || (k > 0.0 && !d->no_elastic);
}

// ĵ·x for row i of a side
static double row_dot(const mw_dae_block *k, const side *s, int i, const double *x)
{
  int frame = k->moving ? 12 : 0, nz = k->n_f - frame;
  return (frame ? mw_dot(12, s->J + 12 * i, x) : 0.0) +
         (nz > 0 ? mw_dot(nz, s->Z + (size_t)i * (size_t)nz, x + frame) : 0.0);
}

// T := ĵ G; most entries of a row are zero
static void row_times_G(const mw_dae_block *k, const side *s, int i, double *T)
{
  int frame = k->moving ? 12 : 0, nz = k->n_f - frame;
  memset(T, 0, (size_t)k->n_f * sizeof(double));
  for (int c = 0; c < frame; c++)
    if (s->J[12 * i + c] != 0.0)
      mw_axpy(k->n_f, s->J[12 * i + c], k->G + (size_t)c * (size_t)k->n_f, T);
  for (int c = 0; c < nz; c++) {
    double z = s->Z[(size_t)i * (size_t)nz + (size_t)c];
    if (z != 0.0) mw_axpy(k->n_f, z, k->G + (size_t)(frame + c) * (size_t)k->n_f, T);
  }
}

// adds body b to F
static void add_body(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const int *first = d->joints_of + d->joints_ptr[b], *end = d->joints_of + d->joints_ptr[b + 1];
  double *T = d->work;
  for (const int *j = first; j < end; j++) {
    side s = side_of(d, *j, b);
    for (int i = 0; i < s.n; i++) {
      if (!carries_force(d, *j, i)) continue;
      row_times_G(k, &s, i, T);
      double *F = d->F + (size_t)(s.row0 + i) * (size_t)d->n_all;
      for (const int *l = j; l < end; l++) {
        side o = side_of(d, *l, b);
        for (int c = l == j ? i : 0; c < o.n; c++)
          if (carries_force(d, *l, c)) F[o.row0 + c] += row_dot(k, &o, c, T);
      }
    }
  }
}

static void fill_F(mw_dae *d)
{
  size_t n = (size_t)d->n_all;
  memset(d->F, 0, n * n * sizeof(double));
  for (int b = 0; b < d->m->n_body; b++)
    if (d->block[b].n_f > 0) add_body(d, b);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) d->F[i * n + j] = d->F[j * n + i];
}

// Js of every row (a held coordinate's is 1) and the coordinate it acts on
static void row_coordinates(mw_dae *d)
{
  const mw_mech *m = d->m;
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int row = m->joint[j].row0 + i;
      d->row_coord[row] = d->e[j].Js[i] != 0.0 ? m->joint[j].coord : -1;
      d->row_js[row] = d->e[j].Js[i];
    }
  for (int k = 0; k < d->n_hold; k++) {
    d->row_coord[m->n_row + k] = d->hold[k];
    d->row_js[m->n_row + k] = 1.0;
  }
}

// F + σ_c Js Jsᵀ of the n rows listed, scaled to unit diagonal. σ_c [n_coord]: a coordinate as
// yielding as the bodies its rows act on; w [n].
static void fill_gram(const mw_dae *d, int n, const int *row, double *sigma, double *w, double *A)
{
  size_t n_all = (size_t)d->n_all;
  for (int c = 0; c < d->m->n_coord; c++) sigma[c] = 0.0;
  for (int i = 0; i < n; i++) {
    int c = d->row_coord[row[i]];
    double Js = d->row_js[row[i]], F = d->F[(size_t)row[i] * (n_all + 1)];
    if (c >= 0 && F > 0.0)
      sigma[c] = sigma[c] > 0.0 ? fmin(sigma[c], F / (Js * Js)) : F / (Js * Js);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int c = d->row_coord[row[i]];
      double a = d->F[(size_t)row[i] * n_all + (size_t)row[j]];
      if (c >= 0 && c == d->row_coord[row[j]])
        a += (sigma[c] > 0.0 ? sigma[c] : 1.0) * d->row_js[row[i]] * d->row_js[row[j]];
      A[(size_t)i * (size_t)n + (size_t)j] = a;
    }
  for (int i = 0; i < n; i++) {
    double a = A[(size_t)i * (size_t)(n + 1)];
    w[i] = a > 0.0 ? 1.0 / sqrt(a) : 0.0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) A[(size_t)i * (size_t)n + (size_t)j] *= w[i] * w[j];
}

// Marks redundant constraints and held coordinates.
static mw_code find_redundant(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_arena tmp = { 0 };
  size_t n_all = (size_t)d->n_all;
  int *row = mw_arena_int(&tmp, n_all), *keep = mw_arena_int(&tmp, n_all), n = 0, rank = 0;
  double *A = mw_arena_f64(&tmp, n_all * n_all), *w = mw_arena_f64(&tmp, n_all);
  double *sigma = mw_arena_f64(&tmp, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int j = 0; j < m->n_joint; j++)
      for (int i = 0; i < m->joint[j].n_row; i++)
        if (isinf(m->joint[j].k[i])) row[n++] = m->joint[j].row0 + i;
    for (int k = 0; k < d->n_hold; k++) row[n++] = m->n_row + k;
    fill_gram(d, n, row, sigma, w, A);
    if (n > 0) rc = mw_chol_pivoted(n, A, REDUNDANT, keep, &rank, err);
  }
  if (rc == MW_OK) {
    memset(d->keep, 1, n_all);
    for (int i = 0; i < n; i++) d->keep[row[i]] = keep[i] != 0;
    d->rows_known = true;
  }
  mw_arena_free(&tmp);
  return rc;
}

// places of the rows in (2); multipliers of rows left out are zero
static void number_rows(mw_dae *d)
{
  const mw_mech *m = d->m;
  d->n_sys = 0;
  for (int i = 0; i < d->n_all; i++) d->index[i] = -1;
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int row = m->joint[j].row0 + i;
      if (d->keep[row] && carries_force(d, j, i)) d->index[row] = d->n_sys++;
    }
  for (int k = 0; k < d->n_hold; k++)
    if (d->keep[m->n_row + k]) d->index[m->n_row + k] = d->n_sys++;
  d->n_sys += m->n_coord;
}

static void fill_A(mw_dae *d)
{
  const mw_mech *m = d->m;
  size_t n = (size_t)d->n_sys, n_all = (size_t)d->n_all;
  int col_s = d->n_sys - m->n_coord;
  memset(d->A, 0, n * n * sizeof(double));
  for (int i = 0; i < d->n_all; i++) {
    int k = d->index[i], c = d->row_coord[i];
    if (k < 0) continue;
    double *A = d->A + (size_t)k * n, Js = d->row_js[i];
    for (int j = 0; j < d->n_all; j++)
      if (d->index[j] >= 0) A[d->index[j]] = d->F[(size_t)i * n_all + (size_t)j];
    if (c < 0) continue;
    A[col_s + c] = -Js;
    d->A[(size_t)(col_s + c) * n + (size_t)k] = -Js;
  }
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      int k = d->index[m->joint[j].row0 + i];
      if (k >= 0) d->A[(size_t)k * (n + 1)] += 1.0 / mw_dae_row_stiffness(d, j, i);
    }
  for (int c = 0; c < m->n_coord; c++)
    d->A[(size_t)(col_s + c) * (n + 1)] = -mw_dae_coord_stiffness(d, c);
}

// What α of body b adds to (2), eliminated: Ĵ S⁻¹ H to Js of coordinate i of the reduction
static void couple_rows(mw_dae *d, int b, int i)
{
  const mw_dae_block *k = &d->block[b];
  size_t n = (size_t)d->n_sys, c = n - (size_t)d->m->n_coord + (size_t)d->drag.coord[i];
  double *x = d->work;
  mw_gemm('n', 'n', k->n_f, 1, k->n_y, 1.0, k->W, d->drag.H[b] + (size_t)(i * k->n_y), 0.0, x);
  for (int l = d->joints_ptr[b]; l < d->joints_ptr[b + 1]; l++) {
    side s = side_of(d, d->joints_of[l], b);
    for (int j = 0; j < s.n; j++) {
      if (d->index[s.row0 + j] < 0) continue;
      size_t at = (size_t)d->index[s.row0 + j];
      double a = row_dot(k, &s, j, x);
      d->A[at * n + c] -= a;
      d->A[c * n + at] -= a;
    }
  }
}

static void couple(mw_dae *d)
{
  const mw_dae_drag *g = &d->drag;
  size_t n = (size_t)d->n_sys;
  int col_s = d->n_sys - d->m->n_coord;
  for (int b = 0; g->s > 0 && b < d->m->n_body; b++)
    for (int i = 0; g->H[b] && i < g->s; i++) couple_rows(d, b, i);
  for (int i = 0; i < g->s; i++)
    for (int j = 0; j < g->s; j++)
      d->A[(size_t)(col_s + g->coord[i]) * n + (size_t)(col_s + g->coord[j])] -= g->D[i * g->s + j];
}

// Symmetric scaling: rows to unit diagonal, then coordinates to a largest entry of one, then rows
// that are left.
static void scale_A(mw_dae *d)
{
  size_t n = (size_t)d->n_sys, nc = (size_t)d->m->n_coord, nl = n - nc;
  double *s = d->scale;
  for (size_t i = 0; i < nl; i++) {
    double a = d->A[i * (n + 1)];
    s[i] = a > 0.0 ? 1.0 / sqrt(a) : 0.0;
  }
  for (size_t c = nl; c < n; c++) {
    double big = 0.0;
    for (size_t i = 0; i < nl; i++) big = fmax(big, fabs(d->A[i * n + c]) * s[i]);
    s[c] = big > 0.0 ? 1.0 / big : 1.0;
  }
  for (size_t i = 0; i < nl; i++) {
    double big = 0.0;
    for (size_t c = nl; s[i] == 0.0 && c < n; c++) big = fmax(big, fabs(d->A[i * n + c]) * s[c]);
    if (s[i] == 0.0) s[i] = big > 0.0 ? 1.0 / big : 1.0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) d->A[i * n + j] *= s[i] * s[j];
}

mw_code mw_dae_joint_build(mw_dae *d, mw_error *err)
{
  fill_F(d);
  row_coordinates(d);
  mw_code rc = d->rows_known ? MW_OK : find_redundant(d, err);
  if (rc != MW_OK) return rc;
  number_rows(d);
  rc = mw_dae_drag_build(d, err);
  if (rc != MW_OK) return rc;
  fill_A(d);
  couple(d);
  scale_A(d);
  if (d->n_sys == 0) return MW_OK;
  rc = mw_lu_factor(d->n_sys, d->A, d->piv, err);
  if (rc == MW_ERR_NUMERIC)
    return mw_fail(err, rc, MW_NOWHERE, "at t = %.6g s the equations of the joints are singular",
                   d->t);
  if (rc == MW_OK) mw_dae_law_answers(d);
  return rc;
}

// adds ± Ĵ W r of body b to the right-hand side
static void reduce_body(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const mw_dae_drag *g = &d->drag;
  double *x = d->work;
  for (int i = 0; g->s > 0 && g->H[b] && i < g->s; i++)
    d->rhs[d->n_sys - d->m->n_coord + g->coord[i]] +=
        mw_dot(k->n_y, g->SH[b] + (size_t)(i * k->n_y), d->r[b]);
  mw_gemm('n', 'n', k->n_f, 1, k->n_y, 1.0, k->W, d->r[b], 0.0, x);
  for (int l = d->joints_ptr[b]; l < d->joints_ptr[b + 1]; l++) {
    side s = side_of(d, d->joints_of[l], b);
    for (int i = 0; i < s.n; i++)
      if (d->index[s.row0 + i] >= 0) d->rhs[d->index[s.row0 + i]] -= row_dot(k, &s, i, x);
  }
}

// r += Ĵᵀ Δλ − H Δθ, y = −S⁻¹ r
static mw_code restore_body(mw_dae *d, int b, mw_error *err)
{
  mw_dae_block *k = &d->block[b];
  int nz = d->m->body[b].n_z;
  double *r = d->r[b];
  memset(d->fz[b], 0, (size_t)nz * sizeof(double));
  for (int i = 0; d->drag.s > 0 && d->drag.H[b] && i < d->drag.s; i++)
    mw_axpy(k->n_y, -d->ds[d->drag.coord[i]], d->drag.H[b] + (size_t)(i * k->n_y), r);
  for (int l = d->joints_ptr[b]; l < d->joints_ptr[b + 1]; l++) {
    side s = side_of(d, d->joints_of[l], b);
    for (int i = 0; i < s.n; i++) {
      double f = d->dlam[s.row0 + i];
      if (f == 0.0) continue;
      if (k->moving) mw_axpy(12, f, s.J + 12 * i, r);
      if (k->n_u > 0) mw_axpy(nz, f, s.Z + (size_t)i * (size_t)nz, d->fz[b]);
    }
  }
  if (k->n_u > 0) mw_csc_mul_t(&k->body->P, 1.0, d->fz[b], 1.0, r + k->n_d);
  mw_code rc = mw_dae_block_solve(k, r, d->y[b], err);
  for (int i = 0; i < k->n_y; i++) d->y[b][i] = -d->y[b][i];
  return rc;
}

mw_code mw_dae_solve(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  int col_s = d->n_sys - m->n_coord;
  for (int i = 0; i < d->n_all; i++)
    if (d->index[i] >= 0) d->rhs[d->index[i]] = d->rho[i];
  for (int c = 0; c < m->n_coord; c++) d->rhs[col_s + c] = d->r_s[c];
  for (int b = 0; b < m->n_body; b++)
    if (d->block[b].n_f > 0) reduce_body(d, b);
  for (int i = 0; i < d->n_sys; i++) d->rhs[i] *= d->scale[i];
  if (d->n_sys > 0) mw_lu_solve(d->n_sys, d->A, d->piv, 1, d->rhs);
  for (int i = 0; i < d->n_sys; i++) d->rhs[i] *= d->scale[i];
  if (d->law_exact) mw_dae_law_correct(d);
  for (int i = 0; i < d->n_all; i++) d->dlam[i] = d->index[i] >= 0 ? d->rhs[d->index[i]] : 0.0;
  for (int c = 0; c < m->n_coord; c++) d->ds[c] = d->rhs[col_s + c];
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    if (d->block[b].n_y > 0) rc = restore_body(d, b, err);
  return rc;
}
