// SPDX-License-Identifier: BSD-3-Clause
// certificate_shift.c: the reduction at one value of the parameters that it keeps, to be judged
// there: tables set by parameter.c, and a mechanism whose bodies have the mass there, and whose
// springs and runners the stiffness and damping.
//
//   meshes   bodies built anew
//   bases    the bodies' bases as they are, the mass put into their moments:
//              s_β += m t_β ,  h_αβ += m X_α t_β ,  M_αβ += m t_αᵀt_β ,  m, mX, J likewise   (1)
//              X, t: the frame's place and its rows of P
#include "certificate_shift_priv.h"

#include <string.h>

#include "base/dense.h"
#include "certificate_layer.h"
#include "fem/output.h"
#include "fields_layer.h"
#include "system/system_layer.h"
#include "table/rigid_table_layer.h"

static double middle_of(const mw_kept_in *k) { return 0.5 * (k->lo + k->hi); }

// ---- bodies -------------------------------------------------------------------------------------

// kg that frame `attach` of a body has beside the middle
static double mass_beside(const mw_model *m, const double *to, int body, int attach)
{
  double mass = 0.0;
  for (int k = 0; k < m->reduction.n_kept; k++) {
    const mw_kept_in *p = &m->reduction.kept[k];
    if (p->output < 0) continue;
    const mw_ref *ref = &m->output[p->output].ref;
    if (ref->body == body && ref->attach == attach) mass += p->mass * (to[k] - middle_of(p));
  }
  return mass;
}

static bool is_changed(const mw_model *m, const double *to, int body)
{
  for (int a = 0; a < m->body[body].n_attach; a++)
    if (mass_beside(m, to, body, a) != 0.0) return true;
  return false;
}

static mw_code model_of(mw_value_shift *z, const mw_model *from, mw_error *err)
{
  mw_code rc = mw_model_rows_at(from, z->to, &z->mem, &z->model, err);
  if (rc != MW_OK) return rc;
  z->model.body = mw_arena_alloc(&z->mem, (size_t)from->n_body, sizeof *z->model.body);
  rc = mw_arena_check(&z->mem, err);
  for (int b = 0; rc == MW_OK && b < from->n_body; b++) {
    mw_body_in *body = &z->model.body[b];
    *body = from->body[b];
    size_t n = (size_t)body->n_attach;
    if (!is_changed(from, z->to, b)) continue;
    body->attach = mw_arena_alloc(&z->mem, n, sizeof *body->attach);
    rc = mw_arena_check(&z->mem, err);
    for (int a = 0; rc == MW_OK && a < body->n_attach; a++) {
      body->attach[a] = from->body[b].attach[a];
      body->attach[a].mass += mass_beside(from, z->to, b, a);
    }
  }
  return rc;
}

// D [n × n] of a symmetric or general matrix := its entries
static void dense_of(const mw_csc *A, double *D)
{
  size_t n = (size_t)A->n_row;
  memset(D, 0, n * n * sizeof *D);
  for (size_t j = 0; j < n; j++)
    for (int e = A->ptr[j]; e < A->ptr[j + 1]; e++) {
      size_t i = (size_t)A->row[e];
      D[i * n + j] = A->val[e];
      if (A->sym) D[j * n + i] = A->val[e];
    }
}

// A := A + m (x yᵀ + y xᵀ)/2, or m x yᵀ of a general one, as a matrix of its own
static mw_code add_dyad(mw_csc *A, double m, const double *x, const double *y, mw_arena *mem,
                        mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)A->n_row, e = 0, most = A->sym ? n * (n + 1) / 2 : n * n;
  mw_csc B = { .n_row = A->n_row, .n_col = A->n_col, .sym = A->sym };
  double *D = mw_arena_f64(&tmp, n * n);
  B.ptr = mw_arena_int(mem, n + 1);
  B.row = mw_arena_int(mem, most);
  B.val = mw_arena_f64(mem, most);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) dense_of(A, D);
  for (size_t j = 0; rc == MW_OK && j < n; j++) {
    for (size_t i = A->sym ? j : 0; i < n; i++, e++) {
      B.row[e] = (int)i;
      B.val[e] = D[i * n + j] + (A->sym ? 0.5 * m * (x[i] * y[j] + y[i] * x[j]) : m * x[i] * y[j]);
    }
    B.ptr[j + 1] = (int)e;
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *A = B;
  return rc;
}

// Row k of P [n_u]
static void row_of(const mw_body *b, int k, double *t)
{
  for (int j = 0; j < b->n_u; j++) {
    t[j] = 0.0;
    for (int e = b->P.ptr[j]; e < b->P.ptr[j + 1]; e++)
      if (b->P.row[e] == k) t[j] = b->P.val[e];
  }
}

// (1) of a mass m at a frame; b's arrays become copies
static mw_code put_mass(mw_body *b, const mw_frame *at, double m, mw_arena *mem, mw_error *err)
{
  static const int pair[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
  size_t n = (size_t)b->n_u;
  double *t[3], *s = mw_arena_f64(mem, 3 * n), *h = mw_arena_f64(mem, 9 * n);
  for (int i = 0; i < 3; i++) t[i] = mw_arena_f64(mem, n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(s, b->s, 3 * n * sizeof *s);
  memcpy(h, b->h, 9 * n * sizeof *h);
  b->s = s;
  b->h = h;
  b->m += m;
  for (int i = 0; i < 3; i++) {
    row_of(b, at->z + i, t[i]);
    b->mX[i] += m * at->X[i];
    mw_axpy(b->n_u, m, t[i], s + (size_t)i * n);
  }
  for (int k = 0; k < 9; k++) {
    b->J[k] += m * at->X[k / 3] * at->X[k % 3];
    mw_axpy(b->n_u, m * at->X[k / 3], t[k % 3], h + (size_t)k * n);
  }
  for (int i = 0; rc == MW_OK && i < 3; i++) rc = add_dyad(&b->M, m, t[i], t[i], mem, err);
  for (int k = 0; rc == MW_OK && k < 6 && !b->ground; k++)
    rc = add_dyad(&b->Mab[k], m, t[pair[k][0]], t[pair[k][1]], mem, err);
  return rc;
}

// Bodies on the meshes and on their bases, the mechanisms of both.
static mw_code mechanisms(mw_value_shift *z, const mw_reduction *r, mw_error *err)
{
  size_t nb = (size_t)r->full->n_body;
  mw_body *full = mw_arena_alloc(&z->mem, nb, sizeof *full),
          *bases = mw_arena_alloc(&z->mem, nb, sizeof *bases);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int b = 0; rc == MW_OK && b < r->full->n_body; b++) {
    full[b] = r->full->body[b];
    bases[b] = r->mech->body[b];
    if (!is_changed(r->model, z->to, b)) continue;
    if (!z->bases_alone) rc = mw_body_build(&z->model, b, &z->mem, &full[b], err);
    for (int a = 0; rc == MW_OK && a < r->model->body[b].n_attach; a++) {
      double m = mass_beside(r->model, z->to, b, a);
      if (m != 0.0) rc = put_mass(&bases[b], &bases[b].frame[a], m, &z->mem, err);
    }
  }
  if (rc == MW_OK) rc = mw_mech_build(&z->model, full, &z->mem, &z->full, err);
  return rc == MW_OK ? mw_mech_build(&z->model, bases, &z->mem, &z->bases, err) : rc;
}

// ---- the reduction ------------------------------------------------------------------------------

// What the value shares of the middle's bases and factors: all but what has the mass in it.
static mw_code offline_of(mw_value_shift *z, const mw_reduction *r, mw_error *err)
{
  z->offline = *r->offline;
  z->offline.model = &z->model;
  z->offline.mech = &z->full;
  z->offline.direct = NULL;
  z->offline.ahead = NULL;
  z->offline.fine.mech = z->bases;
  z->offline.fine.body = (mw_body *)z->bases.body;
  z->offline.fine.blocks = NULL;
  z->offline.stage = mw_arena_alloc(&z->mem, (size_t)r->full->n_body, sizeof(mw_body_stage *));
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int b = 0; rc == MW_OK && b < r->full->n_body; b++)
    if (!is_changed(r->model, z->to, b)) z->offline.stage[b] = r->offline->stage[b];
  return rc == MW_OK ? mw_blocks_build(&z->bases, 0.0, false, &z->offline.fine.blocks, err) : rc;
}

// Hg of the value at the points of the middle's: W'(K + Hg)W less the K that tables have then.
static mw_code gravity_of(mw_value_shift *z, const mw_reduction *r, const mw_tables *t,
                          mw_error *err)
{
  z->t = *t;
  if (!t->Hg) return MW_OK;
  int m = r->m;
  size_t mm = (size_t)(m * (m + 1) / 2), M = (size_t)(m * m);
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->turned.made));
  z->t.Hg = mw_arena_f64(&z->mem, (size_t)r->n_point * mm);
  double *A = mw_arena_f64(&z->mem, M), *B = mw_arena_f64(&z->mem, M);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    const double *own = t->Hg + (size_t)g * mm, *W = z->turned.work.W;
    double *to = z->t.Hg + (size_t)g * mm;
    rc = mw_turned_at(&z->turned, r->point[g].q.theta, err);
    if (rc != MW_OK) break;
    for (int a = 0, k = 0; a < m; a++)
      for (int b = 0; b <= a; b++, k++)
        A[a * m + b] = A[b * m + a] = z->turned.value[L.K + k] + own[k];
    mw_gemm('n', 'n', m, m, m, 1.0, A, W, 0.0, B);
    mw_gemm('t', 'n', m, m, m, 1.0, W, B, 0.0, A);
    for (int a = 0, k = 0; a < m; a++)
      for (int b = 0; b <= a; b++, k++) to[k] = A[a * m + b] - z->turned.record[L.K + k];
  }
  return rc;
}

// Columns of the value at the grid points where large.c looks at them.
static mw_code points_of(mw_value_shift *z, const mw_reduction *r, mw_error *err)
{
  size_t mn = (size_t)r->m * (size_t)r->n;
  int place[MW_LARGE_PLACES], n = mw_large_places(r, place);
  z->r.point = mw_arena_alloc(&z->mem, (size_t)r->n_point, sizeof *z->r.point);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) memcpy(z->r.point, r->point, (size_t)r->n_point * sizeof *z->r.point);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    mw_grid_point *pt = &z->r.point[place[k]];
    pt->Psi = mw_arena_f64(&z->mem, mn);
    rc = mw_arena_check(&z->mem, err);
    if (rc == MW_OK) rc = mw_turned_at(&z->turned, pt->q.theta, err);
    if (rc != MW_OK) break;
    memcpy(pt->Psi, r->point[place[k]].Psi, mn * sizeof *pt->Psi);
    mw_turned_columns(&z->turned, r->n, pt->Psi);
  }
  return rc;
}

static mw_code model_at(mw_value_shift *z, const mw_rom_file *f, mw_error *err)
{
  mw_code rc = mw_rom_file_view(f, &z->f, err);
  if (rc == MW_OK) rc = mw_parameters_set(&z->f, z->to, err);
  return rc == MW_OK ? mw_turned_open(f, z->to, &z->turned, err) : rc;
}

mw_code mw_value_shift_make(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                            mw_value_shift *z, mw_error *err)
{
  mw_code rc = model_of(z, r->model, err);
  if (rc == MW_OK) rc = mechanisms(z, r, err);
  if (rc == MW_OK) rc = offline_of(z, r, err);
  if (rc == MW_OK) rc = model_at(z, f, err);
  if (rc == MW_OK) rc = gravity_of(z, r, t, err);
  if (rc != MW_OK) return rc;
  z->of = (mw_shifted){ .middle = r, .turned = &z->turned };
  z->r = *r;
  z->r.model = &z->model;
  z->r.full = &z->full;
  z->r.mech = &z->bases;
  z->r.blocks = z->offline.fine.blocks;
  z->r.offline = &z->offline;
  z->r.progress = NULL;
  z->r.shifted = &z->of;
  return points_of(z, r, err);
}

void mw_value_shift_free(mw_value_shift *z)
{
  mw_blocks_free(z->offline.direct);
  mw_blocks_free(z->offline.fine.blocks);
  mw_turned_close(&z->turned);
  mw_arena_free(&z->f.mem);
  mw_arena_free(&z->mem);
}
