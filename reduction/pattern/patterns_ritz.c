// SPDX-License-Identifier: BSD-3-Clause
// patterns_ritz.c: columns turned, within their span, into its modes.
//
//   Ψ(g) := Q(g)ᵀ V(g)ᵀ Ψ(g) ,   Ψ K Ψᵀ = V diag(w) Vᵀ , w ascending ,   Q:
//       alignment over the grid (align.h)      (1)
// All columns are wanted: none is lost, and the span stays what it is. K is then diagonal at grid
// points but within clusters, the softest columns come first, and interpolating K entry by entry
// keeps the softest motion, however stiff the others are.
// Cost: an eigenproblem of the columns a point, and their overlaps an edge.
#include <string.h>

#include "base/dense.h"
#include "patterns_layer.h"

typedef struct ritz {
  mw_select *w;
  double *W, *MX;  // [n_point × m × n], [m × n]
} ritz;

static double *rows_of(const ritz *z, int g)
{
  return z->W + (size_t)g * (size_t)z->w->r->m * (size_t)z->w->r->n;
}

static mw_code overlap(void *ctx, int g, int h, double *O, mw_error *err)
{
  (void)err;
  const ritz *z = ctx;
  const mw_reduction *r = z->w->r;
  size_t n = (size_t)r->n;
  for (int a = 0; a < r->m; a++)
    mw_system_mul_M(r->point[h].sys, rows_of(z, h) + (size_t)a * n, z->MX + (size_t)a * n);
  mw_gemm('n', 't', r->m, r->m, r->n, 1.0, rows_of(z, g), z->MX, 0.0, O);
  return MW_OK;
}

// V(g)ᵀ Ψ(g) into W, w [m]; V, A [m × m] scratch
static mw_code modes_of_span(const ritz *z, int g, double *w, double *A, double *V, mw_error *err)
{
  const mw_reduction *r = z->w->r;
  size_t n = (size_t)r->n;
  const double *Psi = r->point[g].Psi;
  for (int a = 0; a < r->m; a++)
    mw_system_mul_K(r->point[g].sys, Psi + (size_t)a * n, z->MX + (size_t)a * n);
  mw_gemm('n', 't', r->m, r->m, r->n, 1.0, Psi, z->MX, 0.0, A);
  mw_code rc = mw_eig_sym(r->m, A, w, V, err);
  if (rc == MW_OK) mw_gemm('t', 'n', r->m, r->n, r->m, 1.0, V, Psi, 0.0, rows_of(z, g));
  return rc;
}

mw_code mw_pattern_ritz(mw_select *w, bool *turned, mw_error *err)
{
  mw_reduction *r = w->r;
  mw_arena tmp = { 0 };
  size_t n = (size_t)r->n, m = (size_t)r->m, np = (size_t)r->n_point;
  ritz z = { .w = w };
  *turned = false;
  mw_align align = { 0 };
  mw_error why = { 0 };
  z.W = mw_arena_f64(&tmp, np * m * n);
  z.MX = mw_arena_f64(&tmp, m * n);
  double *lambda = mw_arena_f64(&tmp, np * m), *A = mw_arena_f64(&tmp, m * m),
         *V = mw_arena_f64(&tmp, m * m);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    rc = modes_of_span(&z, g, lambda + (size_t)g * m, A, V, err);
  mw_align_in in = { .s = r->s,
                     .n_grid = r->n_grid,
                     .k = r->m,
                     .n_want = r->m,
                     .lambda = lambda,
                     .overlap = overlap,
                     .ctx = &z,
                     .axis = r->axis };
  for (int i = 0; i < r->s; i++) {
    if (r->axis[i].cyclic) in.cyclic |= 1u << i;
    if (r->model->reduction.coordinate[i].symmetric) in.symmetric |= 1u << i;
  }
  if (rc == MW_OK) {
    mw_code code = mw_align_modes(&in, &tmp, &align, &why);
    *turned = code == MW_OK && align.m == r->m;
    if (code != MW_OK && code != MW_ERR_NUMERIC) rc = code;
    if (rc != MW_OK && err) *err = why;
    // modes that cannot be followed leave the columns as they are: the span is the same
    for (size_t g = 0; rc == MW_OK && *turned && g < np; g++)
      mw_gemm('t', 'n', r->m, r->n, r->m, 1.0, align.Q + g * m * m, rows_of(&z, (int)g), 0.0,
              r->point[g].Psi);
  }
  mw_arena_free(&tmp);
  return rc;
}
