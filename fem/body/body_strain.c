// SPDX-License-Identifier: BSD-3-Clause
// body_strain.c: forces and energy beyond the linear ones of a body (strain.h); its stress
// stiffness stands in body_stress.c.
//
// Motions of the nodes d = C u (body_map.c), elements over motions: f = Cᵀ Σ f_e(C u).
//
// Elements on rigid patches: d = C u + c(u) (body_patch_priv.h). What C u leaves of an element's
// K_e is in K, what c does to it is added here:
//   V − ½uᵀKu = Σ V_e(d) + cᵀK_e (C u + ½c)                                                     (1)
//   f − K u   = Σ (C + ∂c)ᵀ (f_e(d) + K_e c) + ∂cᵀ K_e C u                                      (2)
//   T         = Σ (C + ∂c)ᵀ (K_e + T_e(d)) (C + ∂c) − CᵀK_e C + (f_e(d) + K_e d)·∂²c            (3)
// and the second term of (2) with the rates C v and ∂c v for the damping.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_strain_priv.h"

bool mw_body_has_stress(const mw_body *b) { return b->strain != NULL; }

int mw_cell_count(const mw_body *b) { return b->strain->n_beam + (b->mesh ? b->mesh->n_elem : 0); }

void mw_cell_of(const mw_body *b, int e, mw_cell *c)
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
  int dof = mw_elem_info_of(c->kind)->dof;
  c->nd = dof * c->n;
  for (int i = 0; i < c->nd; i++) c->d[i] = s->dof * node[i / dof] + i % dof;
  for (int i = 0; i < 3 * c->n; i++) c->X[i] = m->x[3 * (size_t)node[i / 3] + (size_t)(i % 3)];
  c->material = &b->part_material[m->elem_part[e]];
  c->thickness = b->part_thickness[m->elem_part[e]];
}

void mw_patches_motions(const mw_patches *p, const double *u, double *d)
{
  for (int i = 0; i < p->n_motion; i++) {
    d[i] = 0.0;
    for (int k = p->ptr[i]; k < p->ptr[i + 1]; k++) d[i] += p->coef[k] * u[p->unknown[k]];
  }
}

void mw_cell_multiply(const mw_cell *c, const double *K, const double *x, double *y)
{
  for (int i = 0; i < c->nd; i++)
    for (int j = 0; j < c->nd; j++) y[c->d[i]] += K[c->nd * i + j] * x[c->d[j]];
}

static void mark_arms(const mw_patches *p, char *mark)
{
  for (int k = 0; k < p->n_arm; k++)
    for (int c = 0; c < 3; c++) mark[p->arm[k].motion + c] = 1;
}

typedef struct linear {  // room for an element, too large for the stack
  mw_element e;          // beams and shells
  mw_solid solid;
} linear;

// K [nd × nd] := K_e
static mw_code cell_linear(const mw_body *b, int e, const mw_cell *c, linear *l, double *K,
                           mw_error *err)
{
  mw_code rc;
  if (c->beam) {
    const mw_beam_in *in = &b->strain->beam[e];
    rc = mw_beam_element(in->x1, in->x2, in->up, &in->section, &in->material, b->at, &l->e, err);
  } else if (c->solid) {
    rc = mw_solid_element(c->kind, c->X, c->material, e, b->at, &l->solid, err);
  } else {
    rc = mw_shell_element(c->kind, c->X, c->thickness, c->material, e, b->at, &l->e, err);
  }
  if (rc == MW_OK) memcpy(K, c->solid ? l->solid.K : l->e.K, (size_t)(c->nd * c->nd) * sizeof *K);
  return rc;
}

// K_e of the elements on patches
static mw_code keep_linear(mw_body *b, struct mw_strain_data *s, mw_arena *mem, mw_error *err)
{
  if (s->patch.n_arm == 0) return MW_OK;
  mw_arena tmp = { 0 };
  char *mark = mw_arena_alloc(&tmp, (size_t)s->n_motion, 1);
  linear *l = mw_arena_alloc(&tmp, 1, sizeof *l);
  s->K = mw_arena_alloc(mem, (size_t)mw_cell_count(b), sizeof *s->K);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) mark_arms(&s->patch, mark);
  for (int e = 0; rc == MW_OK && e < mw_cell_count(b); e++) {
    mw_cell c;
    bool on = false;
    mw_cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) on = on || mark[c.d[i]];
    if (!on) continue;
    s->K[e] = mw_arena_f64(mem, (size_t)c.nd * (size_t)c.nd);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = cell_linear(b, e, &c, l, s->K[e], err);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_strain_build(const mw_body_work *w, mw_body *out, mw_error *err)
{
  if (w->in->matrices || w->n_u == 0) return MW_OK;
  mw_arena *mem = w->mem;
  struct mw_strain_data *s = mw_arena_alloc(mem, 1, sizeof *s);
  size_t nb = (size_t)w->n_elem;
  int *node = mw_arena_int(mem, 2 * nb);
  mw_beam_in *beam = mw_arena_alloc(mem, nb, sizeof *beam);
  mw_patches patch;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_patches_build(w, &patch, err);
  if (rc != MW_OK) return rc;
  if (nb > 0) memcpy(node, w->elem, 2 * nb * sizeof *node);
  for (size_t e = 0; e < nb; e++) {
    const mw_member *mb = &w->in->member[w->elem_member[e]];
    memcpy(beam[e].x1, w->X + 3 * node[2 * e], sizeof beam[e].x1);
    memcpy(beam[e].x2, w->X + 3 * node[2 * e + 1], sizeof beam[e].x2);
    memcpy(beam[e].up, mb->up, sizeof beam[e].up);
    beam[e].section = w->model->section[mb->section];
    beam[e].material = w->model->material[mb->material];
  }
  *s = (struct mw_strain_data){ .n_motion = patch.n_motion,
                                .dof = w->dof,
                                .patch = patch,
                                .n_beam = w->n_elem,
                                .beam = beam,
                                .beam_node = node };
  out->strain = s;
  return keep_linear(out, s, mem, err);
}

// ---- forces -------------------------------------------------------------------------------------

typedef struct motions {  // of the nodes, each [n_motion]; in the caller's memory
  double *d;              // what strains are taken from
  double *v;              // of rates, else NULL
  double *lin, *add;      // C u and c, or C v and ∂c v
  double *f, *g;          // forces; K_e lin of the elements on patches
  double *rows;           // C + ∂c
} motions;

int mw_body_strain_work(const mw_body *b)
{
  return b->strain ? 6 * b->strain->n_motion + b->strain->patch.ptr[b->strain->n_motion] : 0;
}

static void begin(const mw_patches *p, const double *u, const double *v, double *work, motions *m)
{
  size_t n = (size_t)p->n_motion;
  *m = (motions){ work,         v ? work + n : NULL, work + 2 * n, work + 3 * n,
                  work + 4 * n, work + 5 * n,        work + 6 * n };
  memset(m->f, 0, 2 * n * sizeof *m->f);
  mw_patches_rows(p, u, m->rows);
  mw_patches_motions(p, u, m->d);
  mw_patches_shift(p, u, m->add);
  memcpy(m->lin, m->d, n * sizeof *m->d);
  for (size_t i = 0; i < n; i++) m->d[i] += m->add[i];
  if (!v) return;
  mw_patches_motions(p, v, m->lin);
  mw_patches_rate(p, m->rows, v, m->add);
  for (size_t i = 0; i < n; i++) m->v[i] = m->lin[i] + m->add[i];
}

// What patches add to (1) and (2) of an element; returns the energy.
static double add_linear(const mw_cell *c, const double *K, motions *m)
{
  double V = 0.0;
  mw_cell_multiply(c, K, m->add, m->f);
  mw_cell_multiply(c, K, m->lin, m->g);
  for (int i = 0; i < c->nd; i++)
    for (int j = 0; j < c->nd; j++)
      V += m->add[c->d[i]] * K[c->nd * i + j] * (m->lin[c->d[j]] + 0.5 * m->add[c->d[j]]);
  return V;
}

// f += factor times (2)
static void add_forces(const mw_patches *p, double factor, const motions *m, double *f)
{
  for (int i = 0; i < p->n_motion; i++)
    for (int k = p->ptr[i]; k < p->ptr[i + 1]; k++)
      f[p->unknown[k]] += factor * m->rows[k] * m->f[i];
  mw_patches_pull(p, m->rows, factor, m->g, f);
}

static mw_code cell_force(const mw_body *b, int e, const mw_cell *c, const double *u, double *f,
                          double *V, mw_error *err)
{
  if (c->beam) return mw_beam_strain_force(&b->strain->beam[e], u, f, V, err);
  if (c->solid) return mw_solid_strain_force(c->kind, c->X, c->material, u, f, V, err);
  return mw_shell_strain_force(c->kind, c->X, c->thickness, c->material, u, f, V, err);
}

// Solids that no rigid patch holds
static bool is_plain(const struct mw_strain_data *s, int e, const mw_cell *c)
{
  return c->solid && !(s->K && s->K[e]);
}

// (2) and (1), plain elements left out unless all
static mw_code strain_force(const mw_body *b, bool all, const double *u, double *f, double *V,
                            double *work, mw_error *err)
{
  const struct mw_strain_data *s = b->strain;
  motions m;
  double sum = 0.0;
  begin(&s->patch, u, NULL, work, &m);
  for (int e = 0; e < mw_cell_count(b); e++) {
    mw_cell c;
    double ue[MW_SOLID_MAX_DOF], fe[MW_SOLID_MAX_DOF], Ve = 0.0;
    mw_cell_of(b, e, &c);
    if (!all && is_plain(s, e, &c)) continue;
    for (int i = 0; i < c.nd; i++) ue[i] = m.d[c.d[i]];
    mw_code rc = cell_force(b, e, &c, ue, fe, &Ve, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < c.nd; i++) m.f[c.d[i]] += fe[i];
    sum += Ve;
    if (s->K && s->K[e]) sum += add_linear(&c, s->K[e], &m);
  }
  add_forces(&s->patch, 1.0, &m, f);
  if (V) *V += sum;
  return MW_OK;
}

mw_code mw_body_strain_force(const mw_body *b, const double *u, double *f, double *V, double *work,
                             mw_error *err)
{
  return b->strain ? strain_force(b, true, u, f, V, work, err) : MW_OK;
}

static mw_code cell_drag(const mw_body *b, int e, const mw_cell *c, const double *u,
                         const double *v, double *f, mw_error *err)
{
  if (c->beam) return mw_beam_strain_drag(&b->strain->beam[e], u, v, f, err);
  if (c->solid) return mw_solid_strain_drag(c->kind, c->X, c->material, u, v, f, err);
  return mw_shell_strain_drag(c->kind, c->X, c->thickness, c->material, u, v, f, err);
}

// As mw_body_strain_drag, plain elements left out unless all
static mw_code strain_drag(const mw_body *b, bool all, double beta, const double *u,
                           const double *v, double *f, double *work, mw_error *err)
{
  const struct mw_strain_data *s = b->strain;
  motions m;
  begin(&s->patch, u, v, work, &m);
  for (int e = 0; e < mw_cell_count(b); e++) {
    mw_cell c;
    double ue[MW_SOLID_MAX_DOF], ve[MW_SOLID_MAX_DOF], fe[MW_SOLID_MAX_DOF];
    mw_cell_of(b, e, &c);
    if (!all && is_plain(s, e, &c)) continue;
    for (int i = 0; i < c.nd; i++) {
      ue[i] = m.d[c.d[i]];
      ve[i] = m.v[c.d[i]];
    }
    mw_code rc = cell_drag(b, e, &c, ue, ve, fe, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < c.nd; i++) m.f[c.d[i]] += fe[i];
    if (s->K && s->K[e]) (void)add_linear(&c, s->K[e], &m);
  }
  add_forces(&s->patch, beta, &m, f);
  return MW_OK;
}

mw_code mw_body_strain_drag(const mw_body *b, double beta, const double *u, const double *v,
                            double *f, double *work, mw_error *err)
{
  if (!b->strain || beta == 0.0) return MW_OK;
  return strain_drag(b, true, beta, u, v, f, work, err);
}

// ---- stretching ---------------------------------------------------------------------------------

// F [k × n_u] += what plain elements have of mw_body_stretch, V likewise; *others: elements that
// are not plain
static mw_code stretch_plain(const mw_body *b, int k, const double *X, double *F, double *V,
                             bool *others, mw_error *err)
{
  const struct mw_strain_data *s = b->strain;
  mw_arena tmp = { 0 };
  size_t K = (size_t)k, nm = (size_t)s->n_motion, nu = (size_t)b->n_u;
  double *D = mw_arena_f64(&tmp, K * nm), *Y = mw_arena_f64(&tmp, K * nm),
         *U = mw_arena_f64(&tmp, K * MW_SOLID_MAX_DOF),
         *f = mw_arena_f64(&tmp, K * MW_SOLID_MAX_DOF), *Ve = mw_arena_f64(&tmp, K);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t a = 0; rc == MW_OK && a < K; a++)
    mw_patches_motions(&s->patch, X + a * nu, D + a * nm);
  for (int e = 0; rc == MW_OK && e < mw_cell_count(b); e++) {
    mw_cell c;
    mw_cell_of(b, e, &c);
    if (!is_plain(s, e, &c)) {
      *others = true;
      continue;
    }
    size_t nd = (size_t)c.nd;
    for (size_t a = 0; a < K; a++)
      for (size_t i = 0; i < nd; i++) U[nd * a + i] = D[a * nm + (size_t)c.d[i]];
    rc = mw_solid_stretch(c.kind, c.X, c.material, k, U, f, Ve, err);
    for (size_t a = 0; rc == MW_OK && a < K; a++) {
      for (size_t i = 0; i < nd; i++) Y[a * nm + (size_t)c.d[i]] += f[nd * a + i];
      V[a] += Ve[a];
    }
  }
  const mw_patches *p = &s->patch;
  for (size_t a = 0; rc == MW_OK && a < K; a++)
    for (size_t i = 0; i < nm; i++)
      for (int q = p->ptr[i]; q < p->ptr[i + 1]; q++)
        F[a * nu + (size_t)p->unknown[q]] += p->coef[q] * Y[a * nm + i];
  mw_arena_free(&tmp);
  return rc;
}

// f, *V += what the other elements have of it. Beyond the linear ones forces are b + k, drag at β =
// 1 and v = u is 2b + k, b even in u and k odd.
static mw_code stretch_others(const mw_body *b, const double *x, double *f, double *V,
                              mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)b->n_u;
  double *u = mw_arena_f64(&tmp, n), *force = mw_arena_f64(&tmp, n), *drag = mw_arena_f64(&tmp, n),
         *work = mw_arena_f64(&tmp, (size_t)mw_body_strain_work(b)), both = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int side = 0; rc == MW_OK && side < 2; side++) {
    for (size_t i = 0; i < n; i++) u[i] = side ? -x[i] : x[i];
    rc = strain_force(b, false, u, force, &both, work, err);
    if (rc == MW_OK) rc = strain_drag(b, false, 1.0, u, u, drag, work, err);
  }
  for (size_t i = 0; rc == MW_OK && i < n; i++) f[i] += 0.5 * (drag[i] - force[i]);
  *V += 0.5 * both;
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_stretch(const mw_body *b, int k, const double *X, double *F, double *V,
                        mw_error *err)
{
  size_t n = (size_t)b->n_u;
  bool others = false;
  memset(F, 0, (size_t)k * n * sizeof *F);
  memset(V, 0, (size_t)k * sizeof *V);
  if (!b->strain || k == 0) return MW_OK;
  mw_code rc = stretch_plain(b, k, X, F, V, &others, err);
  for (size_t a = 0; rc == MW_OK && others && a < (size_t)k; a++)
    rc = stretch_others(b, X + a * n, F + a * n, V + a, err);
  return rc;
}

// ---- stress and strain at points ----------------------------------------------------------------

// y += weight × (what E of an element has beyond B C u, or its stress), at a gauge's point
static mw_code add_place(const mw_body *b, const mw_gauge *g, const mw_gauge_place *p,
                         const motions *m, double y[6], mw_error *err)
{
  mw_cell c;
  double d[MW_SOLID_MAX_DOF], s[6];
  int e = b->strain->n_beam + p->elem;
  mw_cell_of(b, e, &c);
  for (int i = 0; i < c.nd; i++) d[i] = m->d[c.d[i]];
  mw_code rc = c.solid
                   ? mw_solid_second_stress(c.kind, c.X, c.material, p->xi, g->strain, d, s, err)
                   : mw_shell_second_stress(c.kind, c.X, c.material, g->strain, d, s, err);
  for (int k = 0; rc == MW_OK && k < 6; k++) y[k] += p->weight * s[k];
  if (rc != MW_OK || !b->strain->K || !b->strain->K[e]) return rc;
  double A[6 * MW_SOLID_MAX_DOF];
  rc = mw_gauge_rows(c.kind, c.X, c.material, g, p->xi, A, err);
  for (int k = 0; rc == MW_OK && k < 6; k++)
    for (int i = 0; i < c.nd; i++) y[k] += p->weight * A[c.nd * k + i] * m->add[c.d[i]];
  return rc;
}

mw_code mw_body_strain_gauges(const mw_body *b, const double *u, double *y, double *work,
                              mw_error *err)
{
  if (!b->strain || b->n_gauge == 0) return MW_OK;
  motions m;
  begin(&b->strain->patch, u, NULL, work, &m);
  for (int k = 0; k < b->n_gauge; k++)
    for (int i = 0; i < b->gauge[k].n_place; i++) {
      const mw_gauge *g = &b->gauge[k];
      mw_code rc = add_place(b, g, &g->place[i], &m, y + g->row, err);
      if (rc != MW_OK) return rc;
    }
  return MW_OK;
}

// ---- rotation -----------------------------------------------------------------------------------

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
    mw_patches_motions(&b->strain->patch, u, work);
    for (int i = 3; i < b->strain->n_motion; i += 6) most = fmax(most, mw_norm3(work + i));
  }
  mw_csc_mul(&b->P, 1.0, u, 0.0, work);
  for (int i = 0; i < b->n_frame; i++)
    if (b->frame[i].z >= 0) most = fmax(most, mw_norm3(work + b->frame[i].z + 3));
  return most;
}

// ---- tangent ------------------------------------------------------------------------------------

static mw_code cell_tangent(const mw_body *b, int e, const mw_cell *c, const double *u, double *T,
                            mw_error *err)
{
  if (c->beam) return mw_beam_tangent(&b->strain->beam[e], u, T, err);
  if (c->solid) return mw_solid_tangent(c->kind, c->X, c->material, u, T, err);
  return mw_shell_tangent(c->kind, c->X, c->thickness, c->material, u, T, err);
}

// T += rowsᵀ Te rows, rows by the pattern of C
static void add_cell(const mw_patches *m, const double *rows, const mw_cell *c, const double *Te,
                     mw_csc *T)
{
  for (int l = 0; l < c->nd; l++)
    for (int q = m->ptr[c->d[l]]; q < m->ptr[c->d[l] + 1]; q++) {
      int j = m->unknown[q], near = -1;
      for (int k = 0; k < c->nd; k++) {
        double v = Te[c->nd * k + l] * rows[q];
        if (v == 0.0) continue;
        for (int p = m->ptr[c->d[k]]; p < m->ptr[c->d[k] + 1]; p++) {
          int i = m->unknown[p];
          if (i < j) continue;
          near = mw_csc_place(T, i, j, near);
          T->val[near] += rows[p] * v;
        }
      }
    }
}

// What an element on a patch has in (3) but the last term, whose forces go to m->g; Te is changed.
static mw_code add_on_patch(const mw_body *b, int e, const mw_cell *c, const double *ue, double *Te,
                            motions *m, mw_csc *T, mw_error *err)
{
  const mw_patches *p = &b->strain->patch;
  const double *K = b->strain->K[e];
  double fe[MW_SOLID_MAX_DOF], V;
  for (int k = 0; k < c->nd * c->nd; k++) Te[k] += K[k];
  add_cell(p, m->rows, c, Te, T);
  for (int k = 0; k < c->nd * c->nd; k++) Te[k] = -K[k];
  add_cell(p, p->coef, c, Te, T);
  mw_code rc = cell_force(b, e, c, ue, fe, &V, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < c->nd; i++) m->g[c->d[i]] += fe[i];
  mw_cell_multiply(c, K, m->d, m->g);
  return MW_OK;
}

static void bend_patches(const mw_patches *p, const double *u, const double *g, mw_csc *T)
{
  for (int k = 0; k < p->n_arm; k++) {
    const mw_arm *arm = &p->arm[k];
    double H[9];
    mw_arm_bend(arm, u + arm->turn, g + arm->motion, H);
    for (int j = 0; j < 3; j++)
      for (int i = j, near = -1; i < 3; i++) {
        near = mw_csc_place(T, arm->turn + i, arm->turn + j, near);
        T->val[near] += H[3 * i + j];
      }
  }
}

mw_code mw_body_add_tangent(const mw_body *b, const double *u, mw_csc *T, mw_error *err)
{
  if (!b->strain) return MW_OK;
  const struct mw_strain_data *s = b->strain;
  mw_arena tmp = { 0 };
  motions m;
  double *work = mw_arena_f64(&tmp, (size_t)mw_body_strain_work(b)),
         *Te = mw_arena_f64(&tmp, MW_SOLID_MAX_DOF * MW_SOLID_MAX_DOF);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) begin(&s->patch, u, NULL, work, &m);
  for (int e = 0; rc == MW_OK && e < mw_cell_count(b); e++) {
    mw_cell c;
    double ue[MW_SOLID_MAX_DOF];
    mw_cell_of(b, e, &c);
    for (int i = 0; i < c.nd; i++) ue[i] = m.d[c.d[i]];
    rc = cell_tangent(b, e, &c, ue, Te, err);
    if (rc == MW_OK && s->K && s->K[e])
      rc = add_on_patch(b, e, &c, ue, Te, &m, T, err);
    else if (rc == MW_OK)
      add_cell(&s->patch, s->patch.coef, &c, Te, T);
  }
  if (rc == MW_OK) bend_patches(&s->patch, u, m.g, T);
  mw_arena_free(&tmp);
  return rc;
}
