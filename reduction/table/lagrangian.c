// SPDX-License-Identifier: BSD-3-Clause
// lagrangian.c: coefficients of the reduced Lagrangian at every grid point (rom.h, equations 2 to
// 5).
//
//   R_i = ρ_i ,   D_ia = Ψ_a,i = ψ_a,i + ω_i × ψ_a        absolute velocity fields of unit θ̇_i,
//       and of unit θ̇_i δ_a
//   a_ij = ⟨R_i, R_j⟩   d_ia = ⟨R_i, ψ_a⟩   b_ija = ⟨R_i, D_ja⟩ + ⟨R_j, D_ia⟩
//   c_ijab = sym ⟨D_ia, D_jb⟩   e_iab = skew ⟨ψ_a, D_ib⟩   K = ΨᵀKΨ   C = ΨᵀCΨ + 2ζ K^½
//   U0 = −Σ m g·x_com + ½ Σ k g0² ,  U1_a = −g·∫ρ ψ_a + Σ k g0 g_q ψ_a: weight, and springs that θ
//                                    stretches by g0
//   y = y0 + y1·δ : outputs, joint coordinates, force drives
//   stress and strain outputs: y0 = 0 ,  y1_a = S ψ_a
//
// ψ_a,i: derivative at the grid point of the cubic spline through the columns along axis i (body
// axes). ω_i: body rates for unit θ̇_i. ⟨·,·⟩: over the absolute displacement field (system.h). The
// symmetric part of e is the interpolation error of G = I and is dropped: e is skew by definition.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "reduce_layer.h"
#include "second/extra_layer.h"
#include "work/offline_layer.h"

typedef struct mw_lagrangian {
  mw_reduction *r;
  mw_rom_layout lay;
  int n_y;
  double *D[MW_ROM_MAX_S];  // [n_grid × n_grid] derivative matrices
  const double **Psi;       // [n_point]  [m × n]
  const double **stretch;   // [n_point]  [m × n_row]  √k times the gaps of the springs' rows
  double *records, *start;  // [n_point × lay.n], [n_point × n_start] of mw_lagrangian_build
  // scratch
  double *rho;               // [s × n]
  double *psi_i;             // [s × m × n]
  double *stretch_i;         // [s × m × n_row]
  double *dual;              // [s × m × n]   dual of D_jb against plain fields
  double *M_psi;             // [m × n]
  double *tmp;               // [n]
  double *gauge;             // [rows of all outputs]
  double *mat, *wide, *vec;  // [m × m], [m × s × m], [m]
  mw_arena mem;
} lag;

static mw_code lag_init(mw_reduction *r, mw_rom_shape shape, lag *w, mw_error *err)
{
  *w = (lag){ .r = r, .n_y = shape.n_y, .lay = mw_rom_layout_of(shape) };
  for (int i = 0; i < r->s; i++)
    w->D[i] = mw_arena_f64(&w->mem, (size_t)r->n_grid[i] * (size_t)r->n_grid[i]);
  w->Psi = mw_arena_alloc(&w->mem, (size_t)r->n_point, sizeof *w->Psi);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) w->Psi[g] = r->point[g].Psi;
  for (int i = 0; rc == MW_OK && i < r->s; i++) rc = mw_axis_derivative(&r->axis[i], w->D[i], err);
  return rc;
}

static mw_code lag_scratch(lag *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n, m = (size_t)r->m, s = (size_t)r->s;
  w->rho = mw_arena_f64(&w->mem, s * n);
  w->psi_i = mw_arena_f64(&w->mem, s * m * n);
  w->stretch_i = mw_arena_f64(&w->mem, s * m * (size_t)r->mech->n_row);
  w->dual = mw_arena_f64(&w->mem, s * m * n);
  w->M_psi = mw_arena_f64(&w->mem, m * n);
  w->tmp = mw_arena_f64(&w->mem, n);
  w->gauge = mw_arena_f64(&w->mem, (size_t)mw_output_row(r->model, r->model->n_output));
  w->mat = mw_arena_f64(&w->mem, m * m);
  w->wide = mw_arena_f64(&w->mem, m * s * m);
  w->vec = mw_arena_f64(&w->mem, m);
  return mw_arena_check(&w->mem, err);
}

static mw_code stretches(lag *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t m = (size_t)r->m, rows = (size_t)r->mech->n_row, np = (size_t)r->n_point;
  double *all = mw_arena_f64(&w->mem, np * m * rows);
  w->stretch = mw_arena_alloc(&w->mem, np, sizeof *w->stretch);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++) {
    w->stretch[g] = all + g * m * rows;
    for (size_t a = 0; a < m; a++)
      mw_system_stretch(r->point[g].sys, r->point[g].Psi + a * (size_t)r->n,
                        all + (g * m + a) * rows);
  }
  return rc;
}

// ψ_,i of all columns at grid point g
static void differentiate(lag *w, int g)
{
  const mw_reduction *r = w->r;
  size_t mn = (size_t)r->m * (size_t)r->n;
  for (int i = 0; i < r->s; i++)
    mw_grid_slope(r, w->D[i], i, g, w->Psi, mn, w->psi_i + (size_t)i * mn);
}

static bool turns(const mw_reduction *r, const double *v)
{
  for (int b = 0; b < r->mech->n_body; b++)
    if (v[6 * b + 3] != 0.0 || v[6 * b + 4] != 0.0 || v[6 * b + 5] != 0.0) return true;
  return false;
}

// a, b, c, d, e
static void inertia_fields(lag *w, const mw_grid_point *pt, double *rec)
{
  mw_reduction *r = w->r;
  int s = r->s, m = r->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  size_t n = (size_t)r->n, vb = 6 * (size_t)r->mech->n_body;
  const mw_rom_layout *L = &w->lay;
  for (int a = 0; a < m; a++)
    mw_system_mul_M(pt->sys, pt->Psi + (size_t)a * n, w->M_psi + (size_t)a * n);
  for (int i = 0; i < s; i++) {
    const double *v = pt->q.v + vb * (size_t)i;
    bool t = turns(r, v);
    mw_system_rigid(pt->sys, v, w->rho + (size_t)i * n);
    for (int a = 0; a < m; a++) {
      size_t o = ((size_t)i * (size_t)m + (size_t)a) * n;
      mw_system_dual(pt->sys, NULL, w->psi_i + o, t ? v : NULL, t ? pt->Psi + (size_t)a * n : NULL,
                     w->dual + o);
    }
  }
  for (int i = 0; i < s; i++) {
    const double *rho = w->rho + (size_t)i * n;
    for (int a = 0; a < m; a++) rec[L->d + i * m + a] = mw_dot(r->n, rho, w->M_psi + (size_t)a * n);
    // e: row a, column b of ⟨ψ_a, D_ib⟩
    mw_gemm('n', 't', m, m, r->n, 1.0, pt->Psi, w->dual + (size_t)i * (size_t)m * n, 0.0, w->mat);
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) {
        double x = w->mat[a * m + b], y = w->mat[b * m + a];
        if (b < a) rec[L->e + i * mk + a * (a - 1) / 2 + b] = 0.5 * (x - y);
      }
  }
  for (int i = 0, ij = 0; i < s; i++)
    for (int j = 0; j <= i; j++, ij++) {
      const double *ri = w->rho + (size_t)i * n, *rj = w->rho + (size_t)j * n;
      mw_system_mul_M(pt->sys, rj, w->tmp);
      rec[L->a + ij] = mw_dot(r->n, ri, w->tmp);
      for (int a = 0; a < m; a++)
        rec[L->b + ij * m + a] =
            mw_dot(r->n, ri, w->dual + ((size_t)j * (size_t)m + (size_t)a) * n) +
            mw_dot(r->n, rj, w->dual + ((size_t)i * (size_t)m + (size_t)a) * n);
      // ⟨D_ia, D_jb⟩ = ψ_a,i·dual_jb + ⟨ω_i × ψ_a, D_jb⟩
      const double *vi = pt->q.v + vb * (size_t)i, *vj = pt->q.v + vb * (size_t)j;
      mw_gemm('n', 't', m, m, r->n, 1.0, w->psi_i + (size_t)i * (size_t)m * n,
              w->dual + (size_t)j * (size_t)m * n, 0.0, w->mat);
      for (int b = 0; turns(r, vi) && b < m; b++) {
        size_t o = ((size_t)j * (size_t)m + (size_t)b) * n;
        bool t = turns(r, vj);
        mw_system_dual(pt->sys, vi, w->psi_i + o, t ? vj : NULL, t ? pt->Psi + (size_t)b * n : NULL,
                       w->tmp);
        for (int a = 0; a < m; a++)
          w->mat[a * m + b] += mw_dot(r->n, pt->Psi + (size_t)a * n, w->tmp);
      }
      for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++)
          rec[L->c + ij * mm + a * (a + 1) / 2 + b] = 0.5 * (w->mat[a * m + b] + w->mat[b * m + a]);
    }
}

// 2ζ K^½ added to the packed C; K packed
static mw_code modal_damping(lag *w, const double *K, double *C, mw_error *err)
{
  int m = w->r->m;
  size_t mm = (size_t)m * (size_t)m;
  mw_arena mem = { 0 };
  double *A = mw_arena_f64(&mem, mm), *V = mw_arena_f64(&mem, mm),
         *lam = mw_arena_f64(&mem, (size_t)m);
  mw_code rc = mw_arena_check(&mem, err);
  for (int i = 0; rc == MW_OK && i < m; i++)
    for (int j = 0; j < m; j++)
      A[i * m + j] = K[i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i];
  if (rc == MW_OK) rc = mw_eig_sym(m, A, lam, V, err);
  for (int k = 0; rc == MW_OK && k < m; k++) {  // ζ ω in place of ω²
    double omega = sqrt(fmax(lam[k], 0.0));
    lam[k] = mw_model_modal(w->r->model, omega) * omega;
  }
  for (int i = 0; rc == MW_OK && i < m; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < m; k++)
        C[i * (i + 1) / 2 + j] += 2.0 * lam[k] * V[i * m + k] * V[j * m + k];
  mw_arena_free(&mem);
  return rc;
}

// Lower triangle of the symmetric w->mat, packed
static void pack(const lag *w, double *to)
{
  int m = w->r->m;
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) *to++ = w->mat[a * m + b];
}

static mw_code elastic_fields(lag *w, const mw_grid_point *pt, double *rec, mw_error *err)
{
  mw_reduction *r = w->r;
  const mw_rom_layout *L = &w->lay;
  double *y = w->M_psi;  // K and C of the columns
  mw_code rc = mw_system_mul_K_many(pt->sys, r->m, pt->Psi, y, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', r->m, r->m, r->n, 1.0, y, pt->Psi, 0.0, w->mat);
  pack(w, rec + L->K);
  rc = mw_system_mul_C_many(pt->sys, r->m, pt->Psi, y, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', r->m, r->m, r->n, 1.0, y, pt->Psi, 0.0, w->mat);
  pack(w, rec + L->C);
  if (r->model->modal > 0.0) return modal_damping(w, rec + L->K, rec + L->C, err);
  return MW_OK;
}

static void rest_fields(lag *w, const mw_grid_point *pt, double *rec)
{
  mw_reduction *r = w->r;
  const double *gr = r->model->gravity;
  double U0 = mw_system_spring_energy(pt->sys);
  for (int b = 0; b < r->mech->n_body; b++) {
    const mw_body *body = &r->mech->body[b];
    if (!body->gravity) continue;
    const double *p = pt->q.p + 12 * b;
    double x[3];
    mw_mul33v(p + 3, body->mX, x);
    U0 -= body->m * mw_dot3(gr, p) + mw_dot3(gr, x);
  }
  rec[w->lay.U0] = U0;
  mw_system_load_rest(pt->sys, w->tmp);
  for (int a = 0; a < r->m; a++)
    rec[w->lay.U1 + a] = -mw_dot(r->n, w->tmp, pt->Psi + (size_t)a * (size_t)r->n);
}

// Strain energy of bodies and of the springs of joints, packed: ψ_aᵀKψ_b + h_a·h_b, and ψ_aᵀKψ_b,i
// + h_a·h_b,i, where h_a are √k times the gaps of the springs' rows along ψ_a
static void start_fields(lag *w, int g, double *rec)
{
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  size_t n = (size_t)r->n, m = (size_t)r->m, k = m * (m + 1) / 2, rows = (size_t)r->mech->n_row;
  const double *h = w->stretch[g];
  for (int i = 0; i < r->s; i++)
    mw_grid_slope(r, w->D[i], i, g, w->stretch, m * rows, w->stretch_i + (size_t)i * m * rows);
  for (size_t a = 0; a < m; a++) mw_system_mul_K_bodies(pt->sys, pt->Psi + a * n, w->M_psi + a * n);
  mw_gemm('n', 't', r->m, r->m, r->n, 1.0, w->M_psi, pt->Psi, 0.0, w->mat);
  mw_gemm('n', 't', r->m, r->s * r->m, r->n, 1.0, w->M_psi, w->psi_i, 0.0, w->wide);
  for (size_t a = 0, at = 0; a < m; a++) {
    for (size_t b = 0; b <= a; b++)
      rec[at++] = w->mat[a * m + b] + mw_dot((int)rows, h + a * rows, h + b * rows);
    for (size_t i = 0; i < (size_t)r->s; i++)
      for (size_t b = 0; b < m; b++)
        rec[k + (i * m + a) * m + b] =
            w->wide[(a * (size_t)r->s + i) * m + b] +
            mw_dot((int)rows, h + a * rows, w->stretch_i + (i * m + b) * rows);
  }
}

// One affine field: value y0 and y1 = load·ψ
static void put_field(lag *w, const mw_grid_point *pt, int k, double y0, const double *load,
                      double *rec)
{
  const mw_reduction *r = w->r;
  double *y = rec + w->lay.y + k * (1 + r->m);
  y[0] = y0;
  for (int a = 0; a < r->m; a++) y[1 + a] = mw_dot(r->n, load, pt->Psi + (size_t)a * (size_t)r->n);
}

// Rows of stress and strain outputs: what the columns do to them.
static void gauge_fields(lag *w, const mw_grid_point *pt, double *rec)
{
  const mw_reduction *r = w->r;
  const mw_model *m = r->model;
  for (int a = 0; a < r->m; a++) {
    mw_system_gauges(pt->sys, pt->Psi + (size_t)a * (size_t)r->n, w->gauge);
    for (int o = 0, k = 0; o < m->n_output; o++) {
      int width = mw_output_width(&m->output[o]);
      for (int i = 0; i < width && mw_output_is_gauge(&m->output[o]); i++)
        rec[w->lay.y + (k + i) * (1 + r->m) + 1 + a] = w->gauge[k + i];
      k += width;
    }
  }
}

static void output_fields(lag *w, const mw_grid_point *pt, double *rec)
{
  const mw_reduction *r = w->r;
  const mw_model *m = r->model;
  const double none[3] = { 0.0, 0.0, 0.0 };
  int k = 0;
  for (int o = 0; o < m->n_output; o++) {
    mw_ref ref = m->output[o].ref;
    double x[3];
    if (mw_output_is_gauge(&m->output[o])) {
      k += mw_output_width(&m->output[o]);
      continue;
    }
    mw_mech_point(r->mech, ref, m->output[o].x, pt->q.p + 12 * ref.body, NULL, x, NULL, NULL);
    for (int i = 0; i < 3; i++) {
      double e[3] = { i == 0, i == 1, i == 2 };
      mw_system_load_point(pt->sys, ref, m->output[o].x, e, w->tmp);
      put_field(w, pt, k++, x[i], w->tmp, rec);
    }
  }
  for (int c = 0; c < r->mech->n_coord; c++) {
    mw_system_load_coord(pt->sys, c, w->tmp);
    if (r->locked[c]) memset(w->tmp, 0, (size_t)r->n * sizeof(double));  // held exactly
    put_field(w, pt, k++, pt->q.s[c], w->tmp, rec);
  }
  for (int d = 0; d < m->n_drive; d++) {
    if (m->drive[d].joint >= 0) continue;
    mw_ref ref = m->drive[d].on;
    double x[3];
    mw_mech_point(r->mech, ref, none, pt->q.p + 12 * ref.body, NULL, x, NULL, NULL);
    mw_system_load_point(pt->sys, ref, none, m->drive[d].dir, w->tmp);
    put_field(w, pt, k++, mw_dot3(x, m->drive[d].dir), w->tmp, rec);
  }
}

// Records of some grid points of another's, with scratch of their own
static mw_code some_records(void *ctx, int from, int to, mw_error *err)
{
  const lag *all = ctx;
  const mw_reduction *r = all->r;
  size_t n_start = (size_t)(r->m * (r->m + 1) / 2 + r->s * r->m * r->m);
  lag w = *all;
  w.mem = (mw_arena){ 0 };
  mw_code rc = lag_scratch(&w, err);
  for (int g = from; rc == MW_OK && g < to; g++) {
    double *rec = w.records + (size_t)g * (size_t)w.lay.n;
    const mw_grid_point *pt = &r->point[g];
    differentiate(&w, g);
    inertia_fields(&w, pt, rec);
    start_fields(&w, g, w.start + (size_t)g * n_start);
    rc = elastic_fields(&w, pt, rec, err);
    rest_fields(&w, pt, rec);
    output_fields(&w, pt, rec);
    gauge_fields(&w, pt, rec);
  }
  mw_arena_free(&w.mem);
  return rc;
}

mw_code mw_lagrangian_build(mw_reduction *r, mw_rom_shape shape, double *records, double *start,
                            mw_error *err)
{
  lag w;
  mw_code rc = lag_init(r, shape, &w, err);
  if (rc == MW_OK) rc = stretches(&w, err);
  w.records = records;
  w.start = start;
  mw_points of = { .n = r->n_point, .fn = some_records, .ctx = &w, .progress = r->progress };
  mw_progress_start(r->progress, "reduced Lagrangian", r->n_point);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  mw_progress_end(r->progress);
  mw_arena_free(&w.mem);
  return rc;
}

// ---- between the grid points --------------------------------------------------------------------

mw_code mw_lagrangian_init(mw_reduction *r, mw_rom_shape shape, mw_lagrangian **out, mw_error *err)
{
  lag *w = calloc(1, sizeof *w);
  *out = NULL;
  if (!w) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a reduced Lagrangian");
  mw_code rc = lag_init(r, shape, w, err);
  if (rc == MW_OK) rc = lag_scratch(w, err);
  *out = w;
  if (rc == MW_OK) return MW_OK;
  mw_lagrangian_free(w);
  *out = NULL;
  return rc;
}

void mw_lagrangian_free(mw_lagrangian *w)
{
  if (!w) return;
  mw_arena_free(&w->mem);
  free(w);
}

void mw_lagrangian_slopes(mw_lagrangian *w, int g, double *psi_i)
{
  differentiate(w, g);
  memcpy(psi_i, w->psi_i, (size_t)w->r->s * (size_t)w->r->m * (size_t)w->r->n * sizeof *psi_i);
}

void mw_lagrangian_motion(mw_lagrangian *w, const mw_grid_point *pt, const double *psi_i,
                          double *rec)
{
  if (psi_i)
    memcpy(w->psi_i, psi_i, (size_t)w->r->s * (size_t)w->r->m * (size_t)w->r->n * sizeof *psi_i);
  inertia_fields(w, pt, rec);
  rest_fields(w, pt, rec);
  output_fields(w, pt, rec);
}
