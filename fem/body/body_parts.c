// SPDX-License-Identifier: BSD-3-Clause
// body_parts.c: what the parts of a mesh are made of, and whether the body that comes out can be
// meant.
//
// A length unit that was mistaken shows in the size of a body without a declared unit, and in
// its mass where the user says what CAD gives: millimetres taken for metres weigh 10⁹ times as
// much.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "body_layer.h"

// m: machines of other sizes exist, but then their user says in which unit
static const double LARGEST = 100.0, SMALLEST = 1e-3;

static const mw_part_in *part_of(const mw_body_in *in, const char *name)
{
  for (int k = 0; k < in->n_part; k++)
    if (strcmp(in->part[k].name, name) == 0) return &in->part[k];
  return NULL;
}

// The parts a user could have meant, as many as fit in out [n]
static void list_parts(const mw_mesh *m, char *out, size_t n)
{
  size_t used = 0;
  out[0] = '\0';
  for (int k = 0; k < m->n_part; k++) {
    const char *name = m->part[k].name[0] ? m->part[k].name : "(without a name)";
    if (used + strlen(name) + 8 > n) {
      snprintf(out + used, n - used, "…");
      return;
    }
    used += (size_t)snprintf(out + used, n - used, "%s%s", used > 0 ? ", " : "", name);
  }
}

static mw_code check_names(const mw_body_work *w, mw_error *err)
{
  const mw_mesh *m = w->mesh;
  for (int i = 0; i < w->in->n_part; i++) {
    const mw_part_in *p = &w->in->part[i];
    int found = -1;
    for (int k = 0; k < m->n_part && found < 0; k++)
      if (strcmp(m->part[k].name, p->name) == 0) found = k;
    char names[200];
    list_parts(m, names, sizeof names);
    if (found < 0)
      return mw_fail(err, MW_ERR_INPUT, p->at, "the mesh of body '%s' has no part '%s', it has: %s",
                     w->in->name, p->name, names);
    if (p->thickness > 0.0 && m->part[found].dim == 3)
      return mw_fail(err, MW_ERR_INPUT, p->at, "part '%s' is made of solids, it has no thickness",
                     p->name);
  }
  return MW_OK;
}

// The model's word for the part, then for the body, then the file's.
static mw_code one_part(mw_body_work *w, int k, mw_error *err)
{
  const mw_mesh_part *m = &w->mesh->part[k];
  const mw_part_in *p = part_of(w->in, m->name);
  int material = p && p->material >= 0 ? p->material : w->in->mesh_material;
  if (material >= 0)
    w->part_material[k] = w->model->material[material];
  else if (m->has_material)
    w->part_material[k] = (mw_material){
      .name = m->name, .at = { .file = w->mesh->path }, .E = m->E, .nu = m->nu, .rho = m->rho
    };
  else
    return mw_fail(err, MW_ERR_INPUT, w->in->mesh_at,
                   "part '%s' of body '%s' has no material, neither here nor in the mesh", m->name,
                   w->in->name);
  w->part_thickness[k] = p && p->thickness > 0.0 ? p->thickness : m->thickness;
  if (m->dim == 2 && !(w->part_thickness[k] > 0.0))
    return mw_fail(err, MW_ERR_INPUT, w->in->mesh_at,
                   "part '%s' of body '%s' is made of shells without thickness (parts: {%s: "
                   "{thickness: …}})",
                   m->name, w->in->name, m->name);
  return MW_OK;
}

mw_code mw_body_parts(mw_body_work *w, mw_error *err)
{
  size_t n = (size_t)w->mesh->n_part;
  w->part_material = mw_arena_alloc(w->mem, n, sizeof *w->part_material);
  w->part_thickness = mw_arena_f64(w->mem, n);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc == MW_OK) rc = check_names(w, err);
  for (int k = 0; k < w->mesh->n_part && rc == MW_OK; k++) rc = one_part(w, k, err);
  return rc;
}

// ---- plausible ----------------------------------------------------------------------------------

static mw_code check_mass(const mw_body_in *in, const mw_body *b, mw_error *err)
{
  const mw_expected_in *x = &in->expected;
  double ratio = x->mass > 0.0 ? b->m / x->mass : 1.0;
  if (fabs(ratio - 1.0) <= x->tolerance) return MW_OK;
  bool unit = ratio > 100.0 || ratio < 0.01;
  return mw_fail(err, MW_ERR_INPUT, x->at,
                 "body '%s' weighs %.6g kg, expected %.6g kg (a factor of %.4g)%s", in->name, b->m,
                 x->mass, ratio, unit ? ": is the unit of the file right?" : "");
}

static mw_code check_com(const mw_body_work *w, const mw_body *b, mw_error *err)
{
  const mw_expected_in *x = &w->in->expected;
  double c[3], d[3];
  for (int i = 0; i < 3; i++) {
    c[i] = b->mX[i] / b->m;
    d[i] = c[i] - x->com[i];
  }
  if (!x->has_com || mw_norm3(d) <= x->tolerance * w->size) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, x->at,
                 "body '%s' has its centre of mass at [%.6g, %.6g, %.6g] m, expected [%.6g, %.6g, "
                 "%.6g] m",
                 w->in->name, c[0], c[1], c[2], x->com[0], x->com[1], x->com[2]);
}

// I_c = tr J 1 − J − m (c·c 1 − c cᵀ), entries compared with the trace
static mw_code check_inertia(const mw_body_in *in, const mw_body *b, mw_error *err)
{
  static const int ROW[6] = { 0, 1, 2, 0, 0, 1 }, COL[6] = { 0, 1, 2, 1, 2, 2 };
  static const char *const NAME[6] = { "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz" };
  const mw_expected_in *x = &in->expected;
  double c[3], tr = b->J[0] + b->J[4] + b->J[8];
  for (int i = 0; i < 3; i++) c[i] = b->mX[i] / b->m;
  double cc = mw_dot3(c, c), size = x->inertia[0] + x->inertia[1] + x->inertia[2];
  for (int k = 0; k < 6 && x->has_inertia; k++) {
    int i = ROW[k], j = COL[k];
    double I = (i == j ? tr - b->m * cc : 0.0) - b->J[3 * i + j] + b->m * c[i] * c[j];
    if (fabs(I - x->inertia[k]) <= x->tolerance * size) continue;
    return mw_fail(err, MW_ERR_INPUT, x->at,
                   "body '%s' has %s = %.6g kg m2 about its centre of mass, expected %.6g",
                   in->name, NAME[k], I, x->inertia[k]);
  }
  return MW_OK;
}

mw_code mw_body_plausible(const mw_body_work *w, const mw_body *b, mw_error *err)
{
  const mw_body_in *in = w->in;
  if (w->meshed && !in->has_unit && !in->cad && !(w->size <= LARGEST && w->size >= SMALLEST))
    return mw_fail(err, MW_ERR_INPUT, in->mesh_at,
                   "body '%s' is %.4g m in size and %.4g kg heavy: say in which unit its file is "
                   "(unit: mm, or unit: m if this is meant)",
                   in->name, w->size, b->m);
  if (!in->expected.present) return MW_OK;
  mw_code rc = check_mass(in, b, err);
  if (rc == MW_OK) rc = check_com(w, b, err);
  return rc == MW_OK ? check_inertia(in, b, err) : rc;
}
