// SPDX-License-Identifier: BSD-3-Clause
// body_cells.c: elements, masses and springs of a body as cells over motions, and the patterns of
// its matrices.
//
// Row i of a matrix is made of the cells that unknown i moves: with (cell, local motion) listed by
// unknown, the neighbours of i are marked, and i is put into their columns. As i ascends the
// columns come out sorted. Two passes, one to count and one to fill: O(Σ_cells n²), no copy, no
// sorting.
#include <limits.h>
#include <string.h>

#include "body_cells_priv.h"

const int MW_MAB[6] = { 0, 4, 8, 1, 2, 5 };

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

static mw_code find_masses(mw_body_work *w, mw_cells *c, int *n, mw_error *err)
{
  *n = 0;
  c->mass = mw_arena_int(&w->tmp, (size_t)w->in->n_attach);
  c->mass_node = mw_arena_int(&w->tmp, (size_t)w->in->n_attach);
  mw_code rc = mw_arena_check(&w->tmp, err);
  for (int k = 0; rc == MW_OK && k < w->in->n_attach; k++) {
    if (w->in->attach[k].mass == 0.0 && !has_inertia(&w->in->attach[k])) continue;
    rc = mass_node(w, k, &c->mass_node[*n], err);
    c->mass[(*n)++] = k;
  }
  return rc;
}

// nodes of cell e, motions each, and its kind; springs have none
static int cell_nodes(const mw_body_work *w, const mw_cells *c, int e, const int **node, int *dof,
                      mw_cell_kind *kind)
{
  const mw_mesh *m = w->mesh;
  *kind = MW_CELL_FRAME;
  *dof = 6;
  if (e < c->first_mesh) {
    *node = w->elem + 2 * e;
    return 2;
  }
  if (e < c->first_spring) {
    int k = e - c->first_mesh;
    *dof = mw_elem_info_of((mw_elem_kind)m->elem_kind[k])->dof;
    if (*dof == 3) *kind = MW_CELL_SOLID;
    *node = m->elem_node + m->elem_ptr[k];
    return m->elem_ptr[k + 1] - m->elem_ptr[k];
  }
  *kind = e < c->first_mesh_mass ? MW_CELL_SPRING : MW_CELL_MASS;
  *node = NULL;
  if (*kind == MW_CELL_SPRING) return 0;
  *node =
      e < c->first_mass ? &m->mass[e - c->first_mesh_mass].node : &c->mass_node[e - c->first_mass];
  *dof = e < c->first_mass ? 3 : **node < w->n_node ? w->dof : 6;
  return 1;
}

static mw_code list_motions(mw_body_work *w, mw_cells *c, mw_error *err)
{
  mw_cell_kind kind;
  const int *node;
  int dof;
  size_t total = 0;
  for (int e = 0; e < c->n; e++) {
    int nodes = cell_nodes(w, c, e, &node, &dof, &kind);
    total += kind == MW_CELL_SPRING ? 1 : (size_t)(nodes * dof);
  }
  if (total > INT_MAX)
    return mw_fail(err, MW_ERR_INPUT, w->in->at, "body '%s' has too many elements", w->in->name);
  c->ptr = mw_arena_int(&w->tmp, (size_t)c->n + 1);
  c->kind = mw_arena_alloc(&w->tmp, (size_t)c->n, 1);
  c->motion = mw_arena_int(&w->tmp, total);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int e = 0, k = 0; e < c->n; e++) {
    int nodes = cell_nodes(w, c, e, &node, &dof, &kind);
    for (int i = 0; i < nodes * dof; i++)
      c->motion[k++] = mw_body_motion(w, node[i / dof]) + i % dof;
    if (kind == MW_CELL_SPRING) c->motion[k++] = w->n_motion + e - c->first_spring;
    c->kind[e] = (unsigned char)kind;
    c->ptr[e + 1] = k;
  }
  return MW_OK;
}

mw_code mw_cell_element(const mw_body_work *w, const mw_cells *c, int e, mw_element *out,
                        mw_error *err)
{
  static const double NONE[6] = { 0.0 };
  const mw_mesh *m = w->mesh;
  if (e < c->first_mesh) {
    const mw_member *mb = &w->in->member[w->elem_member[e]];
    const int *node = w->elem + 2 * e;
    return mw_beam_element(w->X + 3 * node[0], w->X + 3 * node[1], mb->up,
                           &w->model->section[mb->section], &w->model->material[mb->material],
                           mb->at, out, err);
  }
  if (e < c->first_spring) {
    int k = e - c->first_mesh, part = m->elem_part[k], n = m->elem_ptr[k + 1] - m->elem_ptr[k];
    double X[3 * MW_SOLID_MAX_NODE];
    for (int i = 0; i < 3 * n; i++) X[i] = w->X[3 * m->elem_node[m->elem_ptr[k] + i / 3] + i % 3];
    return mw_shell_element((mw_elem_kind)m->elem_kind[k], X, w->part_thickness[part],
                            &w->part_material[part], m->elem_tag[k], (mw_at){ .file = m->path },
                            out, err);
  }
  if (e < c->first_mass) {
    const mw_mesh_mass *p = &m->mass[e - c->first_mesh_mass];
    mw_mass_element(w->X + 3 * p->node, 3, p->mass, NONE, out);
    return MW_OK;
  }
  const mw_attach *a = &w->in->attach[c->mass[e - c->first_mass]];
  int node = c->mass_node[e - c->first_mass];
  mw_mass_element(w->X + 3 * node, node < w->n_node ? w->dof : 6, a->mass, a->inertia, out);
  return MW_OK;
}

// Which components of frames and masses the M_αβ couple: not all, and what is zero needs no place.
static mw_code find_couplings(const mw_body_work *w, mw_cells *c, mw_error *err)
{
  mw_element el;
  mw_code rc = MW_OK;
  for (int e = 0; rc == MW_OK && e < c->n; e++) {
    if (c->kind[e] != MW_CELL_FRAME && c->kind[e] != MW_CELL_MASS) continue;
    rc = mw_cell_element(w, c, e, &el, err);
    int dof = el.n < 6 ? el.n : 6;
    for (int k = 0; rc == MW_OK && k < el.n * el.n; k++)
      for (int t = 0; t < 9; t++)
        if (el.M[t][k] != 0.0) c->couples[k / el.n % dof][k % el.n % dof] |= 1 << t;
  }
  return rc;
}

mw_code mw_cells_build(mw_body_work *w, mw_cells *out, mw_error *err)
{
  int n_mass = 0;
  mw_cells c = { .first_mesh = w->n_elem };
  mw_code rc = find_masses(w, &c, &n_mass, err);
  c.first_spring = c.first_mesh + (w->mesh ? w->mesh->n_elem : 0);
  c.first_mesh_mass = c.first_spring + w->n_spring;
  c.first_mass = c.first_mesh_mass + (w->mesh ? w->mesh->n_mass : 0);
  c.n = c.first_mass + n_mass;
  if (rc == MW_OK) rc = list_motions(w, &c, err);
  if (rc == MW_OK) rc = find_couplings(w, &c, err);
  if (rc == MW_OK) *out = c;
  return rc;
}

typedef struct users {   // who moves when an unknown does
  int *ptr;              // [n_u + 1]
  int *cell;             // ascending
  unsigned char *local;  // motion of the cell
  int *mark;             // [n_u]  last row that met this column
} users;

static mw_code list_users(mw_body_work *w, const mw_cells *c, mw_arena *mem, users *out,
                          mw_error *err)
{
  size_t total = 0;
  out->ptr = mw_arena_int(mem, (size_t)w->n_u + 1);
  out->mark = mw_arena_int(mem, (size_t)w->n_u);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < c->ptr[c->n]; k++) {
    mw_combination m = mw_cell_motion(w, c->motion[k]);
    for (int p = 0; p < m.n; p++) out->ptr[m.unknown[p] + 1]++;
    total += (size_t)m.n;
  }
  if (total > INT_MAX)
    return mw_fail(err, MW_ERR_INPUT, w->in->at, "body '%s' has too many elements", w->in->name);
  for (int i = 0; i < w->n_u; i++) out->ptr[i + 1] += out->ptr[i];
  out->cell = mw_arena_int(mem, total);
  out->local = mw_arena_alloc(mem, total, 1);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < w->n_u; i++) out->mark[i] = out->ptr[i];
  for (int e = 0; e < c->n; e++)
    for (int k = c->ptr[e]; k < c->ptr[e + 1]; k++) {
      mw_combination m = mw_cell_motion(w, c->motion[k]);
      for (int p = 0; p < m.n; p++) {
        int at = out->mark[m.unknown[p]]++;
        out->cell[at] = e;
        out->local[at] = (unsigned char)(k - c->ptr[e]);
      }
    }
  return MW_OK;
}

// Local motions l = first, first + step, … that motion k of cell e may couple with in matrix t, by
// *mask (bits of couples; 0: all of them); false: none.
static bool partners(const mw_cells *c, int e, int k, int t, int *first, int *step, int *mask)
{
  int ab = t > 1 ? MW_MAB[t - 2] : -1;
  *first = *mask = 0;
  *step = 1;
  switch ((mw_cell_kind)c->kind[e]) {
  case MW_CELL_SPRING: return t == 0;
  case MW_CELL_SOLID:
    if (t == 0) return true;
    *step = 3;
    *first = t == 1 ? k % 3 : ab % 3;
    return t == 1 || ab / 3 == k % 3;
  case MW_CELL_FRAME:
  case MW_CELL_MASS: break;
  }
  *mask = t == 1 ? 1 << 0 | 1 << 4 | 1 << 8 : t > 1 ? 1 << ab : 0;
  return t > 0 || c->kind[e] == MW_CELL_FRAME;
}

// Columns of row i of matrix t, each once, to found; returns their number.
static int row_columns(const mw_body_work *w, const mw_cells *c, users *us, int t, int i, bool sym,
                       int *found)
{
  int n = 0;
  for (int a = us->ptr[i]; a < us->ptr[i + 1]; a++) {
    int e = us->cell[a], k = us->local[a], size = c->ptr[e + 1] - c->ptr[e], first, step, mask;
    if (!partners(c, e, k, t, &first, &step, &mask)) continue;
    int dof = size < 6 ? size : 6;
    for (int l = first; l < size; l += step) {
      if (mask && !(c->couples[k % dof][l % dof] & mask)) continue;
      mw_combination m = mw_cell_motion(w, c->motion[c->ptr[e] + l]);
      for (int p = 0; p < m.n; p++) {
        int j = m.unknown[p];
        if (us->mark[j] == i || (sym && j > i)) continue;
        us->mark[j] = i;
        found[n++] = j;
      }
    }
  }
  return n;
}

static mw_code pattern(mw_body_work *w, const mw_cells *c, users *us, int t, int *found, mw_csc *A,
                       mw_error *err)
{
  int n = w->n_u;
  bool sym = t < 5;
  size_t total = 0;
  *A = (mw_csc){ .n_row = n, .n_col = n, .sym = sym };
  A->ptr = mw_arena_int(w->mem, (size_t)n + 1);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++) us->mark[i] = -1;
  for (int i = 0; i < n; i++) {
    int m = row_columns(w, c, us, t, i, sym, found);
    for (int k = 0; k < m; k++) A->ptr[found[k] + 1]++;
    total += (size_t)m;
  }
  if (total > INT_MAX)
    return mw_fail(err, MW_ERR_INPUT, w->in->at,
                   "body '%s': a matrix of %d unknowns has %zu entries, at most %d are possible",
                   w->in->name, n, total, INT_MAX);
  A->row = mw_arena_int(w->mem, total);
  A->val = mw_arena_f64(w->mem, total);
  rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < n; j++) A->ptr[j + 1] += A->ptr[j];
  for (int i = 0; i < n; i++) us->mark[i] = -1;
  // ptr[j] runs through column j while filling, then moves back
  for (int i = 0; i < n; i++) {
    int m = row_columns(w, c, us, t, i, sym, found);
    for (int k = 0; k < m; k++) A->row[A->ptr[found[k]]++] = i;
  }
  memmove(A->ptr + 1, A->ptr, (size_t)n * sizeof *A->ptr);
  A->ptr[0] = 0;
  return MW_OK;
}

mw_code mw_cells_patterns(mw_body_work *w, const mw_cells *c, mw_csc *A[MW_N_MAT], mw_error *err)
{
  mw_arena tmp = { 0 };
  users us = { 0 };
  int *found = mw_arena_int(&tmp, (size_t)w->n_u);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = list_users(w, c, &tmp, &us, err);
  for (int t = 0; rc == MW_OK && t < MW_N_MAT; t++) rc = pattern(w, c, &us, t, found, A[t], err);
  mw_arena_free(&tmp);
  return rc;
}
