// SPDX-License-Identifier: BSD-3-Clause
// body_assemble.c: stiffness and mass moments of a body, cell by cell.
//
// Motions d of a cell's nodes are d = Σ c_dj u_j (body_layer.h), hence K_ij = Σ c_di K_de c_ej, and
// the same for every mass moment: slaved and fixed motions need no further care. The patterns are
// known (body_cells.c), each product is added at its place. O(Σ_cells n² log(entries a column)) at
// worst; rows of a node lie one behind the other, so that mostly no search is needed.

#include "body_cells_priv.h"

typedef struct assembly {
  const mw_body_work *w;
  mw_csc *A[MW_N_MAT];
  double Msum[MW_ELEMENT_MAX_DOF * MW_ELEMENT_MAX_DOF];
  mw_element e;
  mw_solid solid;
} assembly;

// A += Σ c_k a_kl c_l over the motions row and col [n], a [n × n] row-major
static void add_block(const mw_body_work *w, int n, const int *row, const int *col, const double *a,
                      mw_csc *A)
{
  for (int l = 0; l < n; l++) {
    mw_combination c = mw_cell_motion(w, col[l]);
    for (int q = 0; q < c.n; q++) {
      int j = c.unknown[q], near = -1;
      for (int k = 0; k < n; k++) {
        double v = a[k * n + l];
        if (v == 0.0) continue;
        mw_combination r = mw_cell_motion(w, row[k]);
        for (int p = 0; p < r.n; p++) {
          int i = r.unknown[p];
          if (A->sym && i < j) continue;
          near = mw_csc_place(A, i, j, near);
          A->val[near] += r.coef[p] * v * c.coef[q];
        }
      }
    }
  }
}

static void add_rows(const mw_body_work *w, const int *d, int n, const double *e, double *row)
{
  for (int i = 0; i < n; i++)
    for (int p = w->ptr[d[i]]; p < w->ptr[d[i] + 1]; p++) row[w->unknown[p]] += w->coef[p] * e[i];
}

// d [e->n]: motions of the element's degrees of freedom
static void add_element(assembly *as, const int *d, bool stiff, mw_body *out)
{
  const mw_body_work *w = as->w;
  const mw_element *e = &as->e;
  int n = e->n;
  if (stiff) add_block(w, n, d, d, e->K, as->A[0]);
  for (int i = 0; i < n * n; i++) as->Msum[i] = e->M[0][i] + e->M[4][i] + e->M[8][i];
  add_block(w, n, d, d, as->Msum, as->A[1]);
  for (int k = 0; k < 6; k++) add_block(w, n, d, d, e->M[MW_MAB[k]], as->A[2 + k]);
  for (int k = 0; k < 3; k++) add_rows(w, d, n, e->s[k], out->s + (size_t)k * (size_t)w->n_u);
  for (int k = 0; k < 9; k++) add_rows(w, d, n, e->h[k], out->h + (size_t)k * (size_t)w->n_u);
  out->m += e->m;
  for (int k = 0; k < 3; k++) out->mX[k] += e->mX[k];
  for (int k = 0; k < 9; k++) out->J[k] += e->J[k];
}

// s, h, m, mX, J of a solid from μ, element.h (2)
static void add_moments(const mw_body_work *w, const int *node, const int *d, const mw_solid *e,
                        mw_body *out)
{
  for (int j = 0; j < e->n; j++) {
    double S = 0.0, XM[3] = { 0.0, 0.0, 0.0 };
    const double *X = w->X + 3 * node[j];
    for (int i = 0; i < e->n; i++) {
      double mu = e->mu[i * e->n + j];
      S += mu;
      for (int a = 0; a < 3; a++) XM[a] += w->X[3 * node[i] + a] * mu;
    }
    out->m += S;
    for (int b = 0; b < 3; b++) {
      add_rows(w, d + 3 * j + b, 1, &S, out->s + (size_t)b * (size_t)w->n_u);
      out->mX[b] += XM[b];
      for (int a = 0; a < 3; a++) {
        add_rows(w, d + 3 * j + b, 1, &XM[a], out->h + (size_t)(3 * a + b) * (size_t)w->n_u);
        out->J[3 * a + b] += 0.5 * (XM[a] * X[b] + XM[b] * X[a]);
      }
    }
  }
}

// element k of the mesh, d [3 × nodes]: its motions
static mw_code add_solid(assembly *as, int k, const int *d, mw_body *out, mw_error *err)
{
  const mw_body_work *w = as->w;
  const mw_mesh *m = w->mesh;
  const int *node = m->elem_node + m->elem_ptr[k];
  int n = m->elem_ptr[k + 1] - m->elem_ptr[k], by[3][MW_SOLID_MAX_NODE];
  double X[3 * MW_SOLID_MAX_NODE];
  for (int i = 0; i < 3 * n; i++) {
    X[i] = w->X[3 * node[i / 3] + i % 3];
    by[i % 3][i / 3] = d[i];
  }
  mw_code rc =
      mw_solid_element((mw_elem_kind)m->elem_kind[k], X, &w->part_material[m->elem_part[k]],
                       m->elem_tag[k], (mw_at){ .file = m->path }, &as->solid, err);
  if (rc != MW_OK) return rc;
  add_block(w, 3 * n, d, d, as->solid.K, as->A[0]);
  for (int a = 0; a < 3; a++) add_block(w, n, by[a], by[a], as->solid.mu, as->A[1]);
  for (int t = 0; t < 6; t++)
    add_block(w, n, by[MW_MAB[t] / 3], by[MW_MAB[t] % 3], as->solid.mu, as->A[2 + t]);
  add_moments(w, node, d, &as->solid, out);
  return MW_OK;
}

static mw_code add_cells(assembly *as, const mw_cells *c, mw_body *out, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int e = 0; rc == MW_OK && e < c->n; e++) {
    const int *d = c->motion + c->ptr[e];
    switch ((mw_cell_kind)c->kind[e]) {
    case MW_CELL_SOLID: rc = add_solid(as, e - c->first_mesh, d, out, err); break;
    case MW_CELL_FRAME:
    case MW_CELL_MASS:
      rc = mw_cell_element(as->w, c, e, &as->e, err);
      if (rc == MW_OK) add_element(as, d, c->kind[e] == MW_CELL_FRAME, out);
      break;
    case MW_CELL_SPRING:
      add_block(as->w, 1, d, d, &as->w->spring[e - c->first_spring].k, as->A[0]);
      break;
    }
  }
  return rc;
}

mw_code mw_body_assemble(mw_body_work *w, mw_body *out, mw_error *err)
{
  mw_cells c;
  assembly *as = mw_arena_alloc(&w->tmp, 1, sizeof *as);
  out->s = mw_arena_f64(w->mem, 3 * (size_t)w->n_u);
  out->h = mw_arena_f64(w->mem, 9 * (size_t)w->n_u);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  as->w = w;
  for (int t = 0; t < MW_N_MAT; t++)
    as->A[t] = t == 0 ? &out->K : t == 1 ? &out->M : &out->Mab[t - 2];
  rc = mw_cells_build(w, &c, err);
  if (rc == MW_OK) rc = mw_cells_patterns(w, &c, as->A, err);
  return rc == MW_OK ? add_cells(as, &c, out, err) : rc;
}
