// SPDX-License-Identifier: BSD-3-Clause
// body_assemble.c: stiffness and mass moments of a body, element by element.
//
// Motions d of an element's nodes are d = Σ c_dj u_j (body_priv.h), hence K_ij = Σ c_di K_de c_ej,
// and the same for every mass moment: slaved and fixed motions need no further care. O(number of
// elements).
#include <string.h>

#include "body_priv.h"

enum { N_MAT = 8 };  // K, M, and the six M_αβ of mw_body.Mab

// the M_αβ of an element in the order of mw_body.Mab
static const int MAB[6] = { 0, 4, 8, 1, 2, 5 };

typedef struct assembly {
  mw_triplets t[N_MAT];
  double Msum[MW_ELEMENT_MAX_DOF * MW_ELEMENT_MAX_DOF];
  mw_element e;
  mw_solid solid;
} assembly;

// Adds element matrix A [n × n] of the motions d; zeros: exact zeros are kept (so that the pattern
// is predictable).
static void add_matrix(const mw_body_work *w, const int *d, int n, const double *A, bool sym,
                       bool zeros, mw_triplets *t)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double a = A[i * n + j];
      if (a == 0.0 && !zeros) continue;
      for (int p = w->ptr[d[i]]; p < w->ptr[d[i] + 1]; p++)
        for (int q = w->ptr[d[j]]; q < w->ptr[d[j] + 1]; q++)
          if (!sym || w->unknown[p] >= w->unknown[q])
            mw_triplets_add(t, w->unknown[p], w->unknown[q], w->coef[p] * a * w->coef[q]);
    }
}

// μ [n × n] between the motions row and col
static void add_block(const mw_body_work *w, const int *row, const int *col, int n,
                      const double *mu, bool sym, mw_triplets *t)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int p = w->ptr[row[i]]; p < w->ptr[row[i] + 1]; p++)
        for (int q = w->ptr[col[j]]; q < w->ptr[col[j] + 1]; q++)
          if (!sym || w->unknown[p] >= w->unknown[q])
            mw_triplets_add(t, w->unknown[p], w->unknown[q],
                            w->coef[p] * mu[i * n + j] * w->coef[q]);
}

static void add_rows(const mw_body_work *w, const int *d, int n, const double *e, double *row)
{
  for (int i = 0; i < n; i++)
    for (int p = w->ptr[d[i]]; p < w->ptr[d[i] + 1]; p++) row[w->unknown[p]] += w->coef[p] * e[i];
}

// d [e->n]: motions of the element's degrees of freedom
static void add_element(const mw_body_work *w, const int *d, bool stiff, assembly *as, mw_body *out)
{
  const mw_element *e = &as->e;
  int n = e->n;
  if (stiff) add_matrix(w, d, n, e->K, true, true, &as->t[0]);
  for (int i = 0; i < n * n; i++) as->Msum[i] = e->M[0][i] + e->M[4][i] + e->M[8][i];
  add_matrix(w, d, n, as->Msum, true, false, &as->t[1]);
  for (int k = 0; k < 6; k++) add_matrix(w, d, n, e->M[MAB[k]], k < 3, false, &as->t[2 + k]);
  for (int k = 0; k < 3; k++) add_rows(w, d, n, e->s[k], out->s + (size_t)k * (size_t)w->n_u);
  for (int k = 0; k < 9; k++) add_rows(w, d, n, e->h[k], out->h + (size_t)k * (size_t)w->n_u);
  out->m += e->m;
  for (int k = 0; k < 3; k++) out->mX[k] += e->mX[k];
  for (int k = 0; k < 9; k++) out->J[k] += e->J[k];
}

static mw_code add_beams(const mw_body_work *w, assembly *as, mw_body *out, mw_error *err)
{
  for (int k = 0; k < w->n_elem; k++) {
    const mw_member *mb = &w->in->member[w->elem_member[k]];
    const int *node = w->elem + 2 * k;
    int d[12];
    mw_code rc = mw_beam_element(w->X + 3 * node[0], w->X + 3 * node[1], mb->up,
                                 &w->model->section[mb->section], &w->model->material[mb->material],
                                 mb->at, &as->e, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < 12; i++) d[i] = mw_body_motion(w, node[i / 6]) + i % 6;
    add_element(w, d, true, as, out);
  }
  return MW_OK;
}

// The element's matrices of a solid from K and μ, element.h (2)
static void add_solid(const mw_body_work *w, const int *node, const mw_solid *e, assembly *as,
                      mw_body *out)
{
  int n = e->n, d[MW_SOLID_MAX_DOF];
  for (int i = 0; i < 3 * n; i++) d[i] = mw_body_motion(w, node[i / 3]) + i % 3;
  add_matrix(w, d, 3 * n, e->K, true, true, &as->t[0]);
  for (int k = 0; k < 9; k++) {
    int row[MW_SOLID_MAX_NODE], col[MW_SOLID_MAX_NODE];
    for (int i = 0; i < n; i++) row[i] = d[3 * i + k / 3], col[i] = d[3 * i + k % 3];
    if (k % 4 == 0) add_block(w, row, col, n, e->mu, true, &as->t[1]);
    for (int t = 0; t < 6; t++)
      if (MAB[t] == k) add_block(w, row, col, n, e->mu, t < 3, &as->t[2 + t]);
  }
  for (int j = 0; j < n; j++) {
    double S = 0.0, XM[3] = { 0.0, 0.0, 0.0 };
    const double *X = w->X + 3 * node[j];
    for (int i = 0; i < n; i++) {
      double mu = e->mu[i * n + j];
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

static mw_code add_mesh(const mw_body_work *w, assembly *as, mw_body *out, mw_error *err)
{
  const mw_mesh *m = w->mesh;
  mw_at at = { .file = m ? m->path : NULL };
  mw_code rc = MW_OK;
  for (int e = 0; m && rc == MW_OK && e < m->n_elem; e++) {
    const int *node = m->elem_node + m->elem_ptr[e];
    mw_elem_kind kind = (mw_elem_kind)m->elem_kind[e];
    int n = m->elem_ptr[e + 1] - m->elem_ptr[e], part = m->elem_part[e], d[MW_ELEMENT_MAX_DOF];
    double X[3 * MW_SOLID_MAX_NODE];
    for (int i = 0; i < 3 * n; i++) X[i] = w->X[3 * node[i / 3] + i % 3];
    if (mw_elem_info_of(kind)->dim == 3) {
      rc = mw_solid_element(kind, X, &w->part_material[part], m->elem_tag[e], at, &as->solid, err);
      if (rc == MW_OK) add_solid(w, node, &as->solid, as, out);
      continue;
    }
    for (int i = 0; i < 6 * n; i++) d[i] = mw_body_motion(w, node[i / 6]) + i % 6;
    rc = mw_shell_element(kind, X, w->part_thickness[part], &w->part_material[part], m->elem_tag[e],
                          at, &as->e, err);
    if (rc == MW_OK) add_element(w, d, true, as, out);
  }
  return rc;
}

static void add_springs(const mw_body_work *w, assembly *as)
{
  for (int k = 0; k < w->n_spring; k++) {
    const mw_spring_row *s = &w->spring[k];
    for (int i = 0; i < s->n; i++)
      for (int j = 0; j < s->n; j++)
        if (s->unknown[i] >= s->unknown[j])
          mw_triplets_add(&as->t[0], s->unknown[i], s->unknown[j], s->k * s->coef[i] * s->coef[j]);
  }
}

// the point masses of the mesh file
static void add_mesh_masses(const mw_body_work *w, assembly *as, mw_body *out)
{
  static const double NONE[6] = { 0.0 };
  for (int k = 0; w->mesh && k < w->mesh->n_mass; k++) {
    const mw_mesh_mass *p = &w->mesh->mass[k];
    int d[3];
    for (int c = 0; c < 3; c++) d[c] = mw_body_motion(w, p->node) + c;
    mw_mass_element(w->X + 3 * p->node, 3, p->mass, NONE, &as->e);
    add_element(w, d, false, as, out);
  }
}

static bool has_inertia(const mw_attach *a)
{
  for (int i = 0; i < 6; i++)
    if (a->inertia[i] != 0.0) return true;
  return false;
}

// A point mass sits on the master of a rigid patch or on a node.
static mw_code mass_node(mw_body_work *w, int k, int *node, mw_error *err)
{
  const mw_attach *a = &w->in->attach[k];
  int n = 0;
  const int *set = NULL;
  for (int m = 0; m < w->n_master; m++)
    if (w->master_attach[m] == k) return *node = w->n_node + m, MW_OK;
  if (a->kind != MW_ATTACH_NODE)
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "frame '%s' carries a mass, which needs a node or a rigid patch", a->name);
  if (w->dof == 3 && has_inertia(a))
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "frame '%s': a node of solids carries no moment of inertia, use a rigid patch",
                   a->name);
  if (a->set == NULL) return mw_body_find_node(w, a->x, a->at, node, err);
  mw_code rc = mw_body_find_set(w, a->set, a->at, &n, &set, err);
  if (rc == MW_OK) *node = set[0];
  return rc;
}

static mw_code add_masses(mw_body_work *w, assembly *as, mw_body *out, mw_error *err)
{
  for (int k = 0; k < w->in->n_attach; k++) {
    const mw_attach *a = &w->in->attach[k];
    int node = 0, d[6];
    if (a->mass == 0.0 && !has_inertia(a)) continue;
    mw_code rc = mass_node(w, k, &node, err);
    if (rc != MW_OK) return rc;
    mw_mass_element(w->X + 3 * node, node < w->n_node ? w->dof : 6, a->mass, a->inertia, &as->e);
    for (int i = 0; i < as->e.n; i++) d[i] = mw_body_motion(w, node) + i;
    add_element(w, d, false, as, out);
  }
  return MW_OK;
}

static mw_code compress(const mw_body_work *w, assembly *as, mw_body *out, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; k < N_MAT && rc == MW_OK; k++) {
    mw_csc *A = k == 0 ? &out->K : k == 1 ? &out->M : &out->Mab[k - 2];
    rc = mw_csc_build(&as->t[k], w->n_u, w->n_u, k < 5, w->mem, A, err);
    mw_triplets_free(&as->t[k]);
  }
  return rc;
}

mw_code mw_body_assemble(mw_body_work *w, mw_body *out, mw_error *err)
{
  assembly *as = mw_arena_alloc(&w->tmp, 1, sizeof *as);
  out->s = mw_arena_f64(w->mem, 3 * (size_t)w->n_u);
  out->h = mw_arena_f64(w->mem, 9 * (size_t)w->n_u);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  memset(as->t, 0, sizeof as->t);
  rc = add_beams(w, as, out, err);
  if (rc == MW_OK) rc = add_mesh(w, as, out, err);
  if (rc == MW_OK) add_springs(w, as);
  if (rc == MW_OK) add_mesh_masses(w, as, out);
  if (rc == MW_OK) rc = add_masses(w, as, out, err);
  if (rc == MW_OK) rc = compress(w, as, out, err);
  for (int k = 0; k < N_MAT; k++) mw_triplets_free(&as->t[k]);
  return rc;
}
