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

static mw_code add_tets(const mw_body_work *w, assembly *as, mw_body *out, mw_error *err)
{
  const mw_material *mat = w->solid ? &w->model->material[w->in->mesh_material] : NULL;
  for (int k = 0; k < w->mesh.n_tet; k++) {
    double X[30];
    int d[30];
    for (int i = 0; i < 10; i++) {
      int node = w->mesh.tet[10 * k + i];
      for (int c = 0; c < 3; c++) {
        X[3 * i + c] = w->X[3 * node + c];
        d[3 * i + c] = mw_body_motion(w, node) + c;
      }
    }
    mw_code rc = mw_tet10_element(X, mat, w->mesh.tet_tag[k], w->in->mesh_at, &as->e, err);
    if (rc != MW_OK) return rc;
    add_element(w, d, true, as, out);
  }
  return MW_OK;
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
  if (w->solid && has_inertia(a))
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "frame '%s': a mesh node carries no moment of inertia, use a rigid patch",
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
  if (rc == MW_OK) rc = add_tets(w, as, out, err);
  if (rc == MW_OK) rc = add_masses(w, as, out, err);
  if (rc == MW_OK) rc = compress(w, as, out, err);
  for (int k = 0; k < N_MAT; k++) mw_triplets_free(&as->t[k]);
  return rc;
}
