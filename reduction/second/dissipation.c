// SPDX-License-Identifier: BSD-3-Clause
// dissipation.c: what dissipates where the configuration moves: rates of each dissipating quantity
// in its own axes.
//
//   D = ½ |ψ δ' + ψ_,i θ'_i δ|²_C :   CE_i[a, b] = ψ_aᵀ C ψ_b,i ,
//       CC_ij[a, b] = ½ (ψ_a,iᵀ C ψ_b,j + ψ_a,jᵀ C ψ_b,i)                                       (1)
//   bodies   β K + α M of the whole displacement from ρ(θ), ψ_,i in body axes: a rigid turn strains
//            nothing
//   joints   dampers c of rows: gap G_a(θ) = g_q ψ_a,
//       whose θ-derivative has that of the row in it      (2)
//   modal  C = M Ψ 2ζK^½ Ψᵀ M ,  S_i = ΨᵀM Ψ_,i :  CE_i = 2ζK^½ S_i ,  CC_ij = S_iᵀ 2ζK^½ S_j  (3)
// A damper without a spring holds nothing and is no row of the linear mechanism: its part of ψᵀCψ
// is added here.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "extra_layer.h"
#include "work/offline_layer.h"

typedef struct dissipation {
  mw_reduction *r;
  const double *const *gap;  // [n_point]  [n_row × m]
  const double *alone;  // [n_row]  damping of rows that counts alone; NULL: all that dissipates
  mw_extra *x;
  double *D[MW_ROM_MAX_S];
  const double **Psi;  // [n_point]
  // scratch
  double *psi_i;                  // [s × m × n]
  double *gap_i;                  // [s × n_row × m]
  double *y, *S, *W;              // [n]; [s × m × m]; [m × m]
  double *root, *A, *V, *lambda;  // 2ζK^½ [m × m] and what makes it
  mw_arena mem;
} dissipation;

static const mw_joint *joint_of_row(const mw_mech *m, int row, int *i)
{
  int j = 0;
  while (row >= m->joint[j].row0 + m->joint[j].n_row) j++;
  *i = row - m->joint[j].row0;
  return &m->joint[j];
}

static double row_damping(const mw_mech *m, int row, bool *loose)
{
  int i;
  const mw_joint *j = joint_of_row(m, row, &i);
  *loose = !(j->k[i] > 0.0);
  return isinf(j->k[i]) ? 0.0 : j->c[i];
}

bool mw_dissipation_any(const mw_reduction *r)
{
  const mw_mech *m = r->mech;
  bool any = r->model->modal > 0.0, loose;
  for (int b = 0; b < m->n_body; b++)
    any |= m->body[b].n_u > 0 && (m->body[b].alpha != 0.0 || m->body[b].beta != 0.0);
  for (int k = 0; k < m->n_row; k++) any |= row_damping(m, k, &loose) > 0.0;
  return any;
}

static mw_code init(mw_reduction *r, const double *const *gap, mw_extra *x, dissipation *w,
                    mw_error *err)
{
  *w = (dissipation){ .r = r, .gap = gap, .x = x };
  size_t m = (size_t)r->m, s = (size_t)r->s, np = (size_t)r->n_point, mm = m * (m + 1) / 2;
  for (int i = 0; i < r->s; i++)
    w->D[i] = mw_arena_f64(&w->mem, (size_t)r->n_grid[i] * (size_t)r->n_grid[i]);
  w->Psi = mw_arena_alloc(&w->mem, np, sizeof *w->Psi);
  x->CE = mw_arena_f64(&x->mem, np * s * m * m);
  x->CC = mw_arena_f64(&x->mem, np * (s * (s + 1) / 2) * mm);
  x->C = mw_arena_f64(&x->mem, np * mm);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&x->mem, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++) w->Psi[g] = r->point[g].Psi;
  for (int i = 0; rc == MW_OK && i < r->s; i++) rc = mw_axis_derivative(&r->axis[i], w->D[i], err);
  return rc;
}

// The same grid with scratch of its own, in w->mem
static mw_code scratch(const dissipation *of, dissipation *w, mw_error *err)
{
  const mw_reduction *r = of->r;
  size_t n = (size_t)r->n, m = (size_t)r->m, s = (size_t)r->s, rows = (size_t)r->mech->n_row;
  *w = *of;
  w->mem = (mw_arena){ 0 };
  w->psi_i = mw_arena_f64(&w->mem, s * m * n);
  w->gap_i = mw_arena_f64(&w->mem, s * rows * m);
  w->y = mw_arena_f64(&w->mem, n);
  w->S = mw_arena_f64(&w->mem, s * m * m);
  w->W = mw_arena_f64(&w->mem, m * m);
  w->root = mw_arena_f64(&w->mem, m * m);
  w->A = mw_arena_f64(&w->mem, m * m);
  w->V = mw_arena_f64(&w->mem, m * m);
  w->lambda = mw_arena_f64(&w->mem, m);
  return mw_arena_check(&w->mem, err);
}

static void slopes(dissipation *w, int g)
{
  const mw_reduction *r = w->r;
  size_t mn = (size_t)r->m * (size_t)r->n, rm = (size_t)r->mech->n_row * (size_t)r->m;
  for (int i = 0; i < r->s; i++) {
    mw_grid_slope(r, w->D[i], i, g, w->Psi, mn, w->psi_i + (size_t)i * mn);
    mw_grid_slope(r, w->D[i], i, g, w->gap, rm, w->gap_i + (size_t)i * rm);
  }
}

// CE_i[a, b] += c x_a y_b , of full matrices row by row
static void add_CE(int m, double c, const double *x, const double *y, double *CE)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) CE[a * m + b] += c * x[a] * y[b];
}

static void add_CC(int m, double c, const double *x, const double *y, double *CC)
{
  for (int a = 0, k = 0; a < m; a++)
    for (int b = 0; b <= a; b++, k++) CC[k] += 0.5 * c * (x[a] * y[b] + y[a] * x[b]);
}

static void add_rows(dissipation *w, int g)
{
  const mw_reduction *r = w->r;
  size_t m = (size_t)r->m, s = (size_t)r->s, rows = (size_t)r->mech->n_row, mm = m * (m + 1) / 2,
         G = (size_t)g;
  for (size_t k = 0; k < rows; k++) {
    bool loose = true;
    double c = w->alone ? w->alone[k] : row_damping(r->mech, (int)k, &loose);
    const double *here = w->gap[g] + k * m;
    if (c == 0.0 || (c < 0.0 && !w->alone)) continue;
    if (loose) add_CC(r->m, c, here, here, w->x->C + G * mm);
    for (size_t i = 0, ij = 0; i < s; i++) {
      const double *gi = w->gap_i + (i * rows + k) * m;
      add_CE(r->m, c, here, gi, w->x->CE + (G * s + i) * m * m);
      for (size_t j = 0; j <= i; j++, ij++)
        add_CC(r->m, c, gi, w->gap_i + (j * rows + k) * m,
               w->x->CC + (G * (s * (s + 1) / 2) + ij) * mm);
    }
  }
}

static void add_bodies(dissipation *w, int g)
{
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  size_t m = (size_t)r->m, s = (size_t)r->s, n = (size_t)r->n, mm = m * (m + 1) / 2, G = (size_t)g;
  for (size_t i = 0; i < s; i++)
    for (size_t b = 0; b < m; b++) {
      mw_system_mul_C_bodies(pt->sys, w->psi_i + (i * m + b) * n, w->y);
      double *CE = w->x->CE + (G * s + i) * m * m;
      for (size_t a = 0; a < m; a++) CE[a * m + b] += mw_dot(r->n, pt->Psi + a * n, w->y);
      for (size_t j = 0; j < s; j++) {  // ½ of both orders: each pair is met twice
        size_t ij = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
        double *CC = w->x->CC + (G * (s * (s + 1) / 2) + ij) * mm;
        for (size_t a = 0; a < m; a++) {
          double x = 0.5 * mw_dot(r->n, w->psi_i + (j * m + a) * n, w->y);
          size_t k = a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
          // diagonal pairs and diagonal entries are met once
          CC[k] += x * (i == j ? 2.0 : 1.0) * (a == b ? 1.0 : 0.5);
        }
      }
    }
}

// 2ζK^½ of the columns
static mw_code root(dissipation *w, int g, mw_error *err)
{
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  size_t m = (size_t)r->m, n = (size_t)r->n;
  for (size_t a = 0; a < m; a++) {
    mw_system_mul_K(pt->sys, pt->Psi + a * n, w->y);
    for (size_t b = 0; b < m; b++) w->A[a * m + b] = mw_dot(r->n, pt->Psi + b * n, w->y);
  }
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < a; b++)
      w->A[a * m + b] = w->A[b * m + a] = 0.5 * (w->A[a * m + b] + w->A[b * m + a]);
  mw_code rc = mw_eig_sym(r->m, w->A, w->lambda, w->V, err);
  for (size_t a = 0; rc == MW_OK && a < m; a++)
    for (size_t b = 0; b < m; b++) {
      double x = 0.0;
      for (size_t k = 0; k < m; k++) {
        double omega = sqrt(fmax(w->lambda[k], 0.0));
        x += mw_model_modal(r->model, omega) * omega * w->V[a * m + k] * w->V[b * m + k];
      }
      w->root[a * m + b] = 2.0 * x;
    }
  return rc;
}

// (3)
static mw_code add_modal(dissipation *w, int g, mw_error *err)
{
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  size_t m = (size_t)r->m, s = (size_t)r->s, n = (size_t)r->n, mm = m * (m + 1) / 2, G = (size_t)g;
  mw_code rc = root(w, g, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < s; i++)
    for (size_t b = 0; b < m; b++) {
      mw_system_mul_M(pt->sys, w->psi_i + (i * m + b) * n, w->y);
      for (size_t a = 0; a < m; a++)
        w->S[(i * m + a) * m + b] = mw_dot(r->n, pt->Psi + a * n, w->y);
    }
  for (size_t i = 0, ij = 0; i < s; i++) {
    double *CE = w->x->CE + (G * s + i) * m * m;
    mw_gemm('n', 'n', r->m, r->m, r->m, 1.0, w->root, w->S + i * m * m, 1.0, CE);
    for (size_t j = 0; j <= i; j++, ij++) {
      double *CC = w->x->CC + (G * (s * (s + 1) / 2) + ij) * mm;
      mw_gemm('n', 'n', r->m, r->m, r->m, 1.0, w->root, w->S + i * m * m, 0.0, w->A);
      mw_gemm('t', 'n', r->m, r->m, r->m, 1.0, w->S + j * m * m, w->A, 0.0, w->W);
      for (size_t a = 0, k = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++, k++) CC[k] += 0.5 * (w->W[a * m + b] + w->W[b * m + a]);
    }
  }
  return MW_OK;
}

static mw_code some_points(void *ctx, int from, int to, mw_error *err)
{
  dissipation w;
  mw_code rc = scratch(ctx, &w, err);
  for (int g = from; rc == MW_OK && g < to; g++) {
    slopes(&w, g);
    add_rows(&w, g);
    if (w.alone) continue;
    add_bodies(&w, g);
    if (w.r->model->modal > 0.0) rc = add_modal(&w, g, err);
  }
  mw_arena_free(&w.mem);
  return rc;
}

mw_code mw_dissipation_build(mw_reduction *r, const double *const *gap, const double *alone,
                             mw_extra *x, mw_error *err)
{
  dissipation w;
  mw_points of = { .n = r->n_point, .fn = some_points, .ctx = &w };
  mw_code rc = init(r, gap, x, &w, err);
  w.alone = alone;
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  mw_arena_free(&w.mem);
  return rc;
}
