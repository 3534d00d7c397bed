// SPDX-License-Identifier: BSD-3-Clause
// patterns_list.c: candidates for static patterns, θ held, and their solutions.
//
//   P_j = K⁻¹ f_j ,   f_j: unit force at an output or drive,
//       inertia force −M ρ_θ of unit acceleration, gravity,      (1)
//                     −∫ρ ρ_ij v_i v_j of the largest rates where coordinates turn bodies, unit
//                       force in a spring whose stiffness is a parameter, in a damper
//                     (patterns_damper.c)
//
// Heirman, Brüls, Desmet 2009, section 2 (loads); the acceleration and gravity patterns make
// quasi-static deflection exact.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/output.h"
#include "patterns_layer.h"
#include "second/second_layer.h"
#include "table/kept_rows_layer.h"

static const char PATTERN[] = "pattern ";

static void add_candidate(mw_patterns *to, mw_pattern p, const char *what, const char *name,
                          const char *axis)
{
  p.name = mw_arena_printf(&to->mem, "%s%s%s%s", PATTERN, what, name, axis);
  to->list[to->n++] = p;
}

const char *mw_pattern_of(const mw_pattern *p) { return p->name + strlen(PATTERN); }

double mw_pattern_unit_acceleration(const mw_reduction *r, int i)
{
  int joint = r->model->reduction.coordinate[i].joint;
  double g = 0.1 * mw_norm3(r->model->gravity), size = mw_mech_size(r->mech);
  return (g > 0.0 ? g : size) / (mw_joint_in_turns(&r->model->joint[joint]) ? size : 1.0);
}

void mw_pattern_moves(const mw_reduction *r, int i, double *a, double *v)
{
  const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
  *a = c->max_acceleration > 0.0 ? c->max_acceleration : mw_pattern_unit_acceleration(r, i);
  *v = c->max_rate > 0.0 ? c->max_rate : sqrt(*a * (r->hi[i] - r->lo[i]));
}

static void list_rates(const mw_reduction *r, mw_patterns *to)
{
  const mw_coordinate_in *c = r->model->reduction.coordinate;
  for (int i = 0; i < r->s; i++)
    for (int j = 0; j <= i; j++) {
      const char *name =
          i == j ? c[i].name : mw_arena_printf(&to->mem, "%s, %s", c[j].name, c[i].name);
      add_candidate(to, (mw_pattern){ .kind = MW_PATTERN_RATES, .index = i, .axis = j },
                    i == j ? "rate " : "rates ", name ? name : "", "");
    }
}

// Rows whose stiffness follows a parameter: with their patterns columns of the middle have the
// static compliance of any value (Woodbury).
static mw_code list_stiff(const mw_reduction *r, mw_patterns *to, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_reduction_in *in = &r->model->reduction;
  double *by = mw_arena_f64(&tmp, (size_t)r->mech->n_row),
         *any = mw_arena_f64(&tmp, (size_t)r->mech->n_row);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < in->n_kept; k++) {
    if (!mw_kept_has(&in->kept[k], true)) continue;
    rc = mw_kept_rows(r, k, true, by, err);
    for (int q = 0; q < r->mech->n_row; q++) any[q] = fmax(any[q], fabs(by[q]));
  }
  for (int j = 0; rc == MW_OK && j < r->mech->n_joint; j++)
    for (int i = 0, nth = 1; i < r->mech->joint[j].n_row; i++) {
      const mw_joint *jt = &r->mech->joint[j];
      char number[16];
      if (!(any[jt->row0 + i] > 0.0)) continue;
      snprintf(number, sizeof number, "%d of ", nth++);
      add_candidate(to, (mw_pattern){ .kind = MW_PATTERN_STIFF, .index = jt->row0 + i },
                    "stiffness ", number, jt->name);
    }
  mw_arena_free(&tmp);
  return rc;
}

bool mw_pattern_inertia_known(const mw_mech *m) { return m->model->n_component == 0; }

void mw_patterns_clear(mw_patterns *p)
{
  mw_arena_free(&p->mem);
  *p = (mw_patterns){ 0 };
}

mw_code mw_patterns_list(const mw_reduction *r, bool turns, mw_patterns *out, mw_error *err)
{
  static const char *const axes[3] = { ".x", ".y", ".z" };
  const mw_model *m = r->model;
  const mw_reduction_in *in = &m->reduction;
  bool inertia = in->pattern_acceleration && mw_pattern_inertia_known(r->mech);
  mw_patterns_clear(out);
  out->list = mw_arena_alloc(&out->mem,
                             (size_t)m->n_output * 3 + (size_t)m->n_drive + (size_t)r->s + 1 +
                                 (size_t)r->s * (size_t)(r->s + 1) / 2 +
                                 (in->n_kept > 0 ? (size_t)r->mech->n_row : 0),
                             sizeof *out->list);
  mw_code rc = mw_arena_check(&out->mem, err);
  if (rc != MW_OK) return rc;
  for (int o = 0; in->pattern_outputs && o < m->n_output; o++)
    for (int k = 0; k < 3 && !mw_output_is_gauge(&m->output[o]); k++)  // a stress is no load
      add_candidate(out, (mw_pattern){ .kind = MW_PATTERN_OUTPUT, .index = o, .axis = k }, "",
                    m->output[o].name, axes[k]);
  for (int d = 0; d < m->n_drive; d++) {
    int joint = m->drive[d].joint;
    if (!in->pattern_drives && !m->drive[d].load) continue;
    if (joint >= 0 && r->locked[r->mech->joint[joint].coord]) continue;  // held: it moves nothing
    add_candidate(out, (mw_pattern){ .kind = MW_PATTERN_DRIVE, .index = d }, "", m->drive[d].name,
                  "");
  }
  for (int i = 0; inertia && i < r->s; i++)
    add_candidate(out, (mw_pattern){ .kind = MW_PATTERN_ACCELERATION, .index = i }, "acceleration ",
                  m->reduction.coordinate[i].name, "");
  if (in->pattern_gravity)
    add_candidate(out, (mw_pattern){ .kind = MW_PATTERN_REST }, mw_rest_name(r), "", "");
  if (inertia && in->inertia != MW_INERTIA_LEADING && turns) list_rates(r, out);
  rc = list_stiff(r, out, err);
  return rc == MW_OK ? mw_arena_check(&out->mem, err) : rc;
}

// p_ij: as mw_mech_rigid_second gives it, where there are candidates of rates
static mw_code load_of(const mw_reduction *r, mw_system *sys, const mw_config *q,
                       const double *p_ij, const mw_pattern *c, double *f, double *tmp,
                       mw_error *err)
{
  const mw_model *m = r->model;
  const double none[3] = { 0.0, 0.0, 0.0 }, e[3] = { c->axis == 0, c->axis == 1, c->axis == 2 };
  switch (c->kind) {
  case MW_PATTERN_OUTPUT:
    mw_system_load_point(sys, m->output[c->index].ref, m->output[c->index].x, e, f);
    break;
  case MW_PATTERN_DRIVE: {
    const mw_drive_in *d = &m->drive[c->index];
    if (d->joint >= 0)
      mw_system_load_coord(sys, r->mech->joint[d->joint].coord, f);
    else
      mw_system_load_point(sys, d->on, none, d->dir, f);
    break;
  }
  case MW_PATTERN_ACCELERATION:
    mw_system_rigid(sys, q->v + 6 * (size_t)r->mech->n_body * (size_t)c->index, tmp);
    mw_system_mul_M(sys, tmp, f);
    for (int i = 0; i < r->n; i++) f[i] = -f[i];
    break;
  case MW_PATTERN_REST: mw_system_load_rest(sys, f); break;
  case MW_PATTERN_RATES: {
    double a, vi, vj;
    size_t pair = (size_t)c->index * (size_t)(c->index + 1) / 2 + (size_t)c->axis;
    mw_second_pair_load(r->mech, r->blocks, q->p, p_ij + pair * 12 * (size_t)r->mech->n_body, f);
    mw_pattern_moves(r, c->index, &a, &vi);
    mw_pattern_moves(r, c->axis, &a, &vj);
    for (int i = 0; i < r->n; i++) f[i] *= -vi * vj;
    break;
  }
  case MW_PATTERN_STIFF:
  case MW_PATTERN_DAMPER: return mw_system_load_row(sys, c->index, f, err);
  case MW_PATTERN_WEIGHT: break;
  }
  return MW_OK;
}

mw_code mw_patterns_build(const mw_reduction *r, const mw_patterns *p, mw_system *sys,
                          const mw_config *q, double *P, mw_error *err)
{
  return mw_patterns_forces(r, p, sys, q, P, NULL, err);
}

mw_code mw_patterns_forces(const mw_reduction *r, const mw_patterns *p, mw_system *sys,
                           const mw_config *q, double *P, double *lambda, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t pairs = (size_t)(r->s * (r->s + 1) / 2), nb = (size_t)r->mech->n_body;
  double *w = mw_arena_f64(&tmp, (size_t)r->n), *p_ij = mw_arena_f64(&tmp, pairs * nb * 12);
  mw_code rc = mw_arena_check(&tmp, err);
  int n = p->n;
  bool rates = false;
  while (n > 0 && p->list[n - 1].kind == MW_PATTERN_WEIGHT) n--;
  for (int j = 0; j < n; j++) rates |= p->list[j].kind == MW_PATTERN_RATES;
  if (rc == MW_OK && rates)
    rc = mw_mech_rigid_second(r->mech, r->locked, q->p, q->s, r->s, q->v, q->s_dot, p_ij, err);
  for (int j = 0; rc == MW_OK && j < n; j++)
    rc = load_of(r, sys, q, p_ij, &p->list[j], P + (size_t)j * (size_t)r->n, w, err);
  if (rc == MW_OK) rc = mw_system_solve_forces(sys, n, P, P, lambda, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_patterns_free(const mw_reduction *r, const mw_patterns *p, mw_grid_point *pt,
                         mw_error *err)
{
  if (r->hold == 0) return mw_patterns_build(r, p, pt->sys, &pt->q, pt->P, err);
  mw_system *free_sys = NULL;
  mw_code rc = mw_system_build(r->blocks, r->locked, false, pt->q.p, pt->q.s, &free_sys, err);
  if (rc != MW_OK) return rc;
  mw_system_free(pt->sys);
  pt->sys = free_sys;
  return mw_patterns_build(r, p, pt->sys, &pt->q, pt->P, err);
}
