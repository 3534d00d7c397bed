// SPDX-License-Identifier: BSD-3-Clause
// body_strain.c: stress stiffness, forces and energy beyond the linear ones of a body (strain.h).
//
// Motions of the nodes d = C u (body_map.c), elements over motions: f = Cᵀ Σ f_e(C u), and for the stress stiffness
//   Y = K_σ D ,  G = X (Cᵀ Y) = D Y  with  D = C Xᵀ  [motions × k]                                 (1)
// so that no matrix is assembled: O(elements n² k + motions k²).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_priv.h"
#include "fem/strain.h"

struct mw_strain_data {
  int n_motion;  // dof × nodes
  int dof;
  int *ptr, *unknown;  // [n_motion + 1], [ptr[n_motion]]: C by rows
  double *coef;
  int n_beam;
  mw_beam_in *beam;  // [n_beam]
  int *beam_node;    // [n_beam × 2]
};

typedef struct cell {  // an element of the body
  mw_elem_kind kind;
  bool beam, solid;
  int n, nd;                // nodes, motions
  int d[MW_SOLID_MAX_DOF];  // its motions
  double X[MW_SOLID_MAX_DOF];
  const mw_material *material;
  double thickness;
} cell;

bool mw_body_has_stress(const mw_body *b) { return b->strain != NULL; }

mw_code mw_body_strain_build(const mw_body_work *w, mw_body *out, mw_error *err)
{
  if (w->in->matrices || w->n_u == 0) return MW_OK;
  mw_arena *mem = w->mem;
  struct mw_strain_data *s = mw_arena_alloc(mem, 1, sizeof *s);
  size_t n = (size_t)w->n_node * (size_t)w->dof, nz = (size_t)w->ptr[n], nb = (size_t)w->n_elem;
  int *ptr = mw_arena_int(mem, n + 1), *unknown = mw_arena_int(mem, nz),
      *node = mw_arena_int(mem, 2 * nb);
  double *coef = mw_arena_f64(mem, nz);
  mw_beam_in *beam = mw_arena_alloc(mem, nb, sizeof *beam);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(ptr, w->ptr, (n + 1) * sizeof *ptr);
  if (nz > 0) memcpy(unknown, w->unknown, nz * sizeof *unknown);
  if (nz > 0) memcpy(coef, w->coef, nz * sizeof *coef);
  if (nb > 0) memcpy(node, w->elem, 2 * nb * sizeof *node);
  for (size_t e = 0; e < nb; e++) {
    const mw_member *mb = &w->in->member[w->elem_member[e]];
    memcpy(beam[e].x1, w->X + 3 * node[2 * e], sizeof beam[e].x1);
    memcpy(beam[e].x2, w->X + 3 * node[2 * e + 1], sizeof beam[e].x2);
    memcpy(beam[e].up, mb->up, sizeof beam[e].up);
    beam[e].section = w->model->section[mb->section];
    beam[e].material = w->model->material[mb->material];
  }
  *s = (struct mw_strain_data){ (int)n, w->dof, ptr, unknown, coef, w->n_elem, beam, node };
  out->strain = s;
  return MW_OK;
}

static int cell_count(const mw_body *b)
{
  return b->strain->n_beam + (b->mesh ? b->mesh->n_elem : 0);
}

static void cell_of(const mw_body *b, int e, cell *c)
{
  const struct mw_strain_data *s = b->strain;
  c->beam = e < s->n_beam;
  if (c->beam) {
    c->solid = false;
    c->n = 2;
    c->nd = 12;
    for (int i = 0; i < 12; i++) c->d[i] = 6 * s->beam_node[2 * e + i / 6] + i % 6;
    return;
  }
  const mw_mesh *m = b->mesh;
  e -= s->n_beam;
  const int *node = m->elem_node + m->elem_ptr[e];
  c->kind = (mw_elem_kind)m->elem_kind[e];
  c->n = m->elem_ptr[e + 1] - m->elem_ptr[e];
  c->solid = mw_elem_info_of(c->kind)->dim == 3;
  int dof = c->solid ? 3 : 6;
  c->nd = dof * c->n;
  for (int i = 0; i < c->nd; i++) c->d[i] = s->dof * node[i / dof] + i % dof;
  for (int i = 0; i < 3 * c->n; i++) c->X[i] = m->x[3 * (size_t)node[i / 3] + (size_t)(i % 3)];
  c->material = &b->part_material[m->elem_part[e]];
  c->thickness = b->part_thickness[m->elem_part[e]];
}

// d [n_motion] := C u
static void motions_of(const struct mw_strain_data *s, const double *u, double *d)
{
  for (int i = 0; i < s->n_motion; i++) {
    d[i] = 0.0;
    for (int p = s->ptr[i]; p < s->ptr[i + 1]; p++) d[i] += s->coef[p] * u[s->unknown[p]];
  }
}

// ---- stress stiffness -----------------------------------------------------------------------------------------------

// Y += A D over the motions of a cell; A [n × n] on each of three components for solids, else [nd × nd]
static void multiply(const cell *c, const double *A, int k, const double *D, double *Y)
{
  size_t K = (size_t)k;
  for (int i = 0; i < c->nd; i++)
    for (int j = 0; j < c->n * (c->solid ? 1 : c->nd / c->n); j++) {
      int col = c->solid ? 3 * j + i % 3 : j;
      double a = c->solid ? A[c->n * (i / 3) + j] : A[c->nd * i + j];
      const double *x = D + (size_t)c->d[col] * K;
      double *y = Y + (size_t)c->d[i] * K;
      if (a == 0.0) continue;
      for (int l = 0; l < k; l++) y[l] += a * x[l];
    }
}

static mw_code cell_stiffness(const mw_body *b, int e, const cell *c, const double *u, double *A,
                              mw_error *err)
{
  if (c->beam) return mw_beam_stress_stiffness(&b->strain->beam[e], u, A, err);
  if (c->solid) return mw_solid_stress_stiffness(c->kind, c->X, c->material, u, A, err);
  return mw_shell_stress_stiffness(c->kind, c->X, c->thickness, c->material, u, A, err);
}

mw_code mw_body_stress_stiffness(const mw_body *b, const double *u, int k, const double *X,
                                 double *G, mw_error *err)
{
  size_t K = (size_t)k, n_u = (size_t)b->n_u;
  memset(G, 0, K * K * sizeof *G);
  if (!b->strain || k == 0) return MW_OK;
  const struct mw_strain_data *s = b->strain;
  mw_arena tmp = { 0 };
  size_t n = (size_t)s->n_motion;
  double *d = mw_arena_f64(&tmp, n), *D = mw_arena_f64(&tmp, n * K), *Y = mw_arena_f64(&tmp, n * K),
         *A = mw_arena_f64(&tmp, MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) motions_of(s, u, d);
  for (size_t i = 0; rc == MW_OK && i < n; i++)
    for (int p = s->ptr[i]; p < s->ptr[i + 1]; p++)
      for (size_t l = 0; l < K; l++)
        D[i * K + l] += s->coef[p] * X[l * n_u + (size_t)s->unknown[p]];
  for (int e = 0; rc == MW_OK && e < cell_count(b); e++) {
    cell c;
    double ue[MW_SOLID_MAX_DOF];
    cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) ue[i] = d[c.d[i]];
    rc = cell_stiffness(b, e, &c, ue, A, err);
    if (rc == MW_OK) multiply(&c, A, k, D, Y);
  }
  if (rc == MW_OK) mw_gemm('t', 'n', k, k, s->n_motion, 1.0, D, Y, 0.0, G);
  for (size_t i = 0; rc == MW_OK && i < K; i++)
    for (size_t j = 0; j < i; j++)
      G[i * K + j] = G[j * K + i] = 0.5 * (G[i * K + j] + G[j * K + i]);
  mw_arena_free(&tmp);
  return rc;
}

// f += factor Cᵀ fd
static void add_forces(const struct mw_strain_data *s, double factor, const double *fd, double *f)
{
  for (int i = 0; i < s->n_motion; i++)
    for (int p = s->ptr[i]; p < s->ptr[i + 1]; p++) f[s->unknown[p]] += factor * s->coef[p] * fd[i];
}

// ---- forces ---------------------------------------------------------------------------------------------------------

int mw_body_strain_work(const mw_body *b) { return b->strain ? 3 * b->strain->n_motion : 0; }

static mw_code cell_force(const mw_body *b, int e, const cell *c, const double *u, double *f,
                          double *V, mw_error *err)
{
  if (c->beam) return mw_beam_strain_force(&b->strain->beam[e], u, f, V, err);
  if (c->solid) return mw_solid_strain_force(c->kind, c->X, c->material, u, f, V, err);
  return mw_shell_strain_force(c->kind, c->X, c->thickness, c->material, u, f, V, err);
}

mw_code mw_body_strain_force(const mw_body *b, const double *u, double *f, double *V, double *work,
                             mw_error *err)
{
  if (!b->strain) return MW_OK;
  const struct mw_strain_data *s = b->strain;
  double *d = work, *fd = work + s->n_motion, sum = 0.0;
  mw_code rc = MW_OK;
  motions_of(s, u, d);
  memset(fd, 0, (size_t)s->n_motion * sizeof *fd);
  for (int e = 0; rc == MW_OK && e < cell_count(b); e++) {
    cell c;
    double ue[MW_SOLID_MAX_DOF], fe[MW_SOLID_MAX_DOF], Ve = 0.0;
    cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) ue[i] = d[c.d[i]];
    rc = cell_force(b, e, &c, ue, fe, &Ve, err);
    if (rc != MW_OK) break;
    for (int i = 0; i < c.nd; i++) fd[c.d[i]] += fe[i];
    sum += Ve;
  }
  if (rc != MW_OK) return rc;
  add_forces(s, 1.0, fd, f);
  if (V) *V += sum;
  return MW_OK;
}

static mw_code cell_drag(const mw_body *b, int e, const cell *c, const double *u, const double *v,
                         double *f, mw_error *err)
{
  if (c->beam) return mw_beam_strain_drag(&b->strain->beam[e], u, v, f, err);
  if (c->solid) return mw_solid_strain_drag(c->kind, c->X, c->material, u, v, f, err);
  return mw_shell_strain_drag(c->kind, c->X, c->thickness, c->material, u, v, f, err);
}

mw_code mw_body_strain_drag(const mw_body *b, double beta, const double *u, const double *v,
                            double *f, double *work, mw_error *err)
{
  if (!b->strain || beta == 0.0) return MW_OK;
  const struct mw_strain_data *s = b->strain;
  double *d = work, *fd = d + s->n_motion, *dv = fd + s->n_motion;
  motions_of(s, u, d);
  motions_of(s, v, dv);
  memset(fd, 0, (size_t)s->n_motion * sizeof *fd);
  for (int e = 0; e < cell_count(b); e++) {
    cell c;
    double ue[MW_SOLID_MAX_DOF], ve[MW_SOLID_MAX_DOF], fe[MW_SOLID_MAX_DOF];
    cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) {
      ue[i] = d[c.d[i]];
      ve[i] = dv[c.d[i]];
    }
    mw_code rc = cell_drag(b, e, &c, ue, ve, fe, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < c.nd; i++) fd[c.d[i]] += fe[i];
  }
  add_forces(s, beta, fd, f);
  return MW_OK;
}

// ---- rotation -------------------------------------------------------------------------------------------------------

int mw_body_turn_work(const mw_body *b)
{
  int n = b->strain ? b->strain->n_motion : 0;
  return n > b->n_z ? n : b->n_z;
}

double mw_body_turn(const mw_body *b, const double *u, double *work)
{
  double most = 0.0;
  if (b->n_u == 0) return 0.0;
  if (b->strain && b->strain->dof == 6) {
    motions_of(b->strain, u, work);
    for (int i = 3; i < b->strain->n_motion; i += 6) most = fmax(most, mw_norm3(work + i));
  }
  mw_csc_mul(&b->P, 1.0, u, 0.0, work);
  for (int i = 0; i < b->n_frame; i++)
    if (b->frame[i].z >= 0) most = fmax(most, mw_norm3(work + b->frame[i].z + 3));
  return most;
}

// ---- tangent --------------------------------------------------------------------------------------------------------

static mw_code cell_tangent(const mw_body *b, int e, const cell *c, const double *u, double *T,
                            mw_error *err)
{
  if (c->beam) return mw_beam_tangent(&b->strain->beam[e], u, T, err);
  if (c->solid) return mw_solid_tangent(c->kind, c->X, c->material, u, T, err);
  return mw_shell_tangent(c->kind, c->X, c->thickness, c->material, u, T, err);
}

static void add_cell(const struct mw_strain_data *s, const cell *c, const double *Te, mw_csc *T)
{
  for (int l = 0; l < c->nd; l++)
    for (int q = s->ptr[c->d[l]]; q < s->ptr[c->d[l] + 1]; q++) {
      int j = s->unknown[q], near = -1;
      for (int k = 0; k < c->nd; k++) {
        double v = Te[c->nd * k + l] * s->coef[q];
        if (v == 0.0) continue;
        for (int p = s->ptr[c->d[k]]; p < s->ptr[c->d[k] + 1]; p++) {
          int i = s->unknown[p];
          if (i < j) continue;
          near = mw_csc_place(T, i, j, near);
          T->val[near] += s->coef[p] * v;
        }
      }
    }
}

mw_code mw_body_add_tangent(const mw_body *b, const double *u, mw_csc *T, mw_error *err)
{
  if (!b->strain) return MW_OK;
  const struct mw_strain_data *s = b->strain;
  mw_arena tmp = { 0 };
  double *d = mw_arena_f64(&tmp, (size_t)s->n_motion),
         *Te = mw_arena_f64(&tmp, MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) motions_of(s, u, d);
  for (int e = 0; rc == MW_OK && e < cell_count(b); e++) {
    cell c;
    double ue[MW_SOLID_MAX_DOF];
    cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) ue[i] = d[c.d[i]];
    rc = cell_tangent(b, e, &c, ue, Te, err);
    if (rc == MW_OK) add_cell(s, &c, Te, T);
  }
  mw_arena_free(&tmp);
  return rc;
}
