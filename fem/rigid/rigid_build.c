// SPDX-License-Identifier: BSD-3-Clause
// rigid_build.c: the mechanism's bodies at their centres of mass and principal axes; its
// coordinates; memory.
//
//   c = (mX)/m ,   I = tr(J_c) 1 − J_c ,   J_c = ∫ρ (X − c)(X − c)ᵀ = J − m c cᵀ ,
//       Rᵀ I R = diag(I_1, I_2, I_3)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fem/joint.h"
#include "rigid_mech_layer.h"

mw_rigid_opt mw_rigid_opt_default(void)
{
  // a pivot δ that is kept amplifies rounding by 1/δ, one that is dropped lets go of a row for δ:
  // near √ε. Measured at the singular positions of the N-four-bar and the double Scott-Russell
  // mechanism: 1e-10 to 1e-8 serve
  return (mw_rigid_opt){ .drop = 1e-9 };
}

// ---- bodies -------------------------------------------------------------------------------------

static const double LEAST_MOMENT = 1e-3;  // of m size², about that of a hoop

// For kinematics alone M is no more than a metric: a body without inertia gets what a hoop of its
// mass would have.
static void make_metric(const mw_rigid *r, mw_rigid_body *k)
{
  if (!(k->m > 0.0)) k->m = 1.0;
  for (int i = 0; i < 3; i++) k->I[i] = fmax(k->I[i], LEAST_MOMENT * k->m * r->size * r->size);
}

static mw_code one_body(mw_rigid *r, int body, mw_rigid_body *k, mw_error *err)
{
  const mw_body *b = &r->m->body[body];
  double I[9], V[9], largest;
  const mw_component_use *u = mw_model_component_of(r->m->model, body);
  if (u) {  // its mass is in the component
    *k = (mw_rigid_body){ .body = body };
    memcpy(k->c, u->body[body - u->body0].c, sizeof k->c);
    memcpy(k->R, u->body[body - u->body0].R, sizeof k->R);
    return MW_OK;
  }
  *k = (mw_rigid_body){ .body = body, .m = b->m, .R = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  k->gravity = r->m->model->body[body].gravity;
  for (int i = 0; i < 3; i++) k->c[i] = b->m > 0.0 ? b->mX[i] / b->m : 0.0;
  double trace = b->J[0] + b->J[4] + b->J[8] - b->m * mw_dot3(k->c, k->c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      I[3 * i + j] = (i == j ? trace : 0.0) - (b->J[3 * i + j] - b->m * k->c[i] * k->c[j]);
  largest = fmax(fabs(I[0]), fmax(fabs(I[4]), fabs(I[8])));
  double off = fmax(fabs(I[1]), fmax(fabs(I[2]), fabs(I[5])));
  for (int i = 0; i < 3; i++) k->I[i] = I[4 * i];
  if (off > 1e-14 * largest) {
    mw_code rc = mw_eig_sym(3, I, k->I, V, err);
    if (rc != MW_OK) return rc;
    double side[3], x[3] = { V[0], V[3], V[6] }, y[3] = { V[1], V[4], V[7] };
    mw_cross3(x, y, side);  // right-handed
    for (int i = 0; i < 3; i++) {
      k->R[3 * i] = x[i];
      k->R[3 * i + 1] = y[i];
      k->R[3 * i + 2] = side[i];
    }
  }
  if (r->opt.kinematics) make_metric(r, k);
  for (int i = 0; i < 3; i++)
    if (!(k->m > 0.0) || !(k->I[i] > 1e-12 * largest))
      return mw_fail(
          err, MW_ERR_INPUT, b->at,
          "body %s has mass %g kg and principal moments %.3g, %.3g, %.3g kg m2 about its centre "
          "of mass; "
          "the rigid path expects all above 0",
          b->name, k->m, k->I[0], k->I[1], k->I[2]);
  return MW_OK;
}

static mw_code bodies(mw_rigid *r, mw_error *err)
{
  const mw_mech *m = r->m;
  size_t n = (size_t)m->n_body;
  r->slot = mw_arena_int(&r->mem, n);
  r->body = mw_arena_alloc(&r->mem, n, sizeof *r->body);
  r->fixed = mw_arena_alloc(&r->mem, n, sizeof *r->fixed);
  r->Rf = mw_arena_alloc(&r->mem, n, sizeof *r->Rf);
  r->cf = mw_arena_alloc(&r->mem, n, sizeof *r->cf);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    if (m->body[b].ground) continue;
    r->slot[b] = r->n.n_body;
    rc = one_body(r, b, &r->body[r->n.n_body++], err);
  }
  r->n_slot = r->n.n_body;
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    double *R = r->Rf[r->slot[b]];
    if (!m->body[b].ground) {
      memcpy(R, r->body[r->slot[b]].R, 9 * sizeof(double));
      memcpy(r->cf[r->slot[b]], r->body[r->slot[b]].c, 3 * sizeof(double));
      continue;
    }
    r->fixed[r->n_slot - r->n.n_body] = (mw_rkin){ .o = m->p0 + 12 * b, .E = m->p0 + 12 * b + 3 };
    r->slot[b] = r->n_slot++;
    for (int i = 0; i < 9; i++) r->Rf[r->slot[b]][i] = i % 4 == 0;
  }
  return rc;
}

// ---- coordinates --------------------------------------------------------------------------------

static void column(const double F[9], int i, double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = F[3 * k + i];
}

static void make_coord(const mw_rigid *r, int joint, mw_measure measure, mw_rcoord *c)
{
  const mw_joint *j = &r->m->joint[joint];
  bool second = measure == MW_MEASURE_SECOND, slide = j->guide != NULL;
  // SECOND: what a's axis does as seen from b, backwards
  int a = r->slot[second ? j->b : j->a], b = r->slot[second ? j->a : j->b];
  const double *Fa = second ? j->Fb : j->Fa, *Fb = second ? j->Fa : j->Fb;
  double x[3];
  *c = (mw_rcoord){
    .joint = joint, .measure = measure, .a = a, .b = b, .sign = second ? -1.0 : 1.0
  };
  for (int i = 0; i < 3; i++) {
    column(Fa, slide ? (i + 1) % 3 : i, x);  // slides: A3 along the guide
    mw_rigid_local_dir(r, a, x, c->A + 3 * i);
  }
  column(Fb, mw_joint_class_of(j->in)->crossed ? 2 : 0, x);
  mw_rigid_local_dir(r, b, x, c->B);
  mw_rigid_local(r, a, second ? j->Xb : j->Xa, c->Xa);
  mw_rigid_local(r, b, second ? j->Xa : j->Xb, c->Xb);
  if (measure == MW_MEASURE_TRAVEL)
    c->c = slide ? 0.0 : j->in->start - j->gap[0];
  else
    c->c = j->in->start - j->phi0;
}

// Coordinates of the mechanism, then those that joints need for rows of their own; their reference
// values.
static mw_code coordinates(mw_rigid *r, mw_error *err)
{
  const mw_mech *m = r->m;
  size_t most = (size_t)m->n_coord + 2 * (size_t)m->n_joint;
  r->coord = mw_arena_alloc(&r->mem, most, sizeof *r->coord);
  r->need = mw_arena_alloc(&r->mem, most, 1);
  r->turns = mw_arena_alloc(&r->mem, most, 1);
  r->start = mw_arena_f64(&r->mem, most);
  double *q = mw_arena_f64(&r->mem, 12 * (size_t)r->n.n_body + 1);
  mw_rkin *kin = mw_arena_alloc(&r->mem, (size_t)r->n_slot, sizeof *kin);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
    mw_measure measure = m->joint[m->coord_joint[c]].guide ? MW_MEASURE_TRAVEL : in->measure;
    make_coord(r, m->coord_joint[c], measure, &r->coord[c]);
  }
  r->n_coord = r->n.n_coord = m->n_coord;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_measure *own = mw_joint_class_of(m->joint[j].in)->own_coord;
    if (own[1] == MW_MEASURE_NONE && m->joint[j].coord >= 0) continue;
    for (int i = 0; i < 2 && own[i] != MW_MEASURE_NONE; i++)
      make_coord(r, j, own[i], &r->coord[r->n_coord++]);
  }
  mw_rigid_from_frames(r, m->p0, q);
  for (int b = 0; b < r->n.n_body; b++) kin[b] = (mw_rkin){ .o = q + 12 * b, .E = q + 12 * b + 3 };
  memcpy(kin + r->n.n_body, r->fixed, (size_t)(r->n_slot - r->n.n_body) * sizeof *kin);
  for (int c = 0; rc == MW_OK && c < r->n_coord; c++) {
    mw_rcoord *k = &r->coord[c];
    mw_rcoord_eval e;
    const mw_joint_class *class = mw_joint_class_of(m->joint[k->joint].in);
    if (class->make_coord) rc = class->make_coord(r, k, err);
    if (rc != MW_OK) break;
    double near = k->curve         ? mw_rcurve_start(k, &kin[k->a], &kin[k->b])
                  : c < m->n_coord ? m->s0[c]
                                   : 0.0;
    mw_rigid_coord_eval(k, &kin[k->a], &kin[k->b], near, &e);
    r->start[c] = e.s;
    r->turns[c] = k->curve || k->measure != MW_MEASURE_TRAVEL;
  }
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_code rotors(mw_rigid *r, mw_error *err)
{
  const mw_model *m = r->m->model;
  size_t n = (size_t)m->n_drive;
  r->rotor_inertia = mw_arena_f64(&r->mem, n);
  r->rotor_drive = mw_arena_int(&r->mem, n);
  r->rotor_coord = mw_arena_int(&r->mem, n);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK || r->opt.kinematics) return rc;
  for (int d = 0; d < m->n_drive; d++) {
    if (!m->drive[d].rotor) continue;
    int k = r->n.n_rotor++;
    // σ = φ/n: inertia at the coordinate
    r->rotor_inertia[k] = m->drive[d].inertia * m->drive[d].gear * m->drive[d].gear;
    r->rotor_drive[k] = d;
    r->rotor_coord[k] = r->m->joint[m->drive[d].joint].coord;
  }
  return MW_OK;
}

// Where M is no more than a metric, no mass is less than this part of the largest, and no moment
// less than a hoop's of that mass: rows that hang on lighter bodies would cancel down to rounding
// in the elimination, count as redundant or hold nothing. Accelerations have the masses as they
// are. In statics forces of springs and weights cancel besides, and what is left of them moves
// what only the pseudo-mass holds.
static double light_part(const mw_rigid_opt *opt)
{
  return opt->statics ? 1e-4 : opt->kinematics ? 1e-6 : 0.0;
}

static void lift_light_bodies(mw_rigid *r)
{
  double m = 0.0;
  for (int b = 0; b < r->n.n_body; b++) m = fmax(m, light_part(&r->opt) * r->body[b].m);
  for (int b = 0; b < r->n.n_body; b++)
    for (int i = 0; i < 6; i++) {
      double least = i < 3 ? m : LEAST_MOMENT * m * r->size * r->size;
      r->diag[b * LD + i] = fmax(r->diag[b * LD + i], least);
    }
}

static mw_code masses(mw_rigid *r, mw_error *err)
{
  size_t n = (size_t)r->all.n_node * LD;
  r->diag = mw_arena_f64(&r->mem, n);
  r->inverse = mw_arena_f64(&r->mem, n);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < r->n.n_body; b++) {
    for (int i = 0; i < 6; i++) r->diag[b * LD + i] = i < 3 ? r->body[b].m : r->body[b].I[i - 3];
    r->diag[b * LD + MW_WEIGHT] = r->body[b].gravity ? r->body[b].m : 0.0;
  }
  lift_light_bodies(r);
  for (int k = 0; k < r->n.n_rotor; k++) r->diag[(r->n.n_body + k) * LD] = r->rotor_inertia[k];
  for (size_t i = 0; i < n; i++) r->inverse[i] = r->diag[i] > 0.0 ? 1.0 / r->diag[i] : 0.0;
  return MW_OK;
}

mw_code mw_rigid_build(const mw_mech *m, const mw_rigid_opt *opt, mw_rigid **out, mw_error *err)
{
  mw_rigid *r = calloc(1, sizeof *r);
  if (!r) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  r->m = m;
  r->opt = *opt;
  r->size = fmax(mw_mech_size(m), opt->size);
  r->n.n_drive = m->model->n_drive;
  mw_code rc = bodies(r, err);
  if (rc == MW_OK) rc = mw_rigid_components_open(r, err);
  if (rc == MW_OK) rc = rotors(r, err);
  if (rc == MW_OK) rc = coordinates(r, err);
  if (rc == MW_OK) rc = mw_rigid_nodes(r, err);
  if (rc == MW_OK) rc = mw_rigid_components_nodes(r, err);
  if (rc == MW_OK) rc = mw_rigid_forces_build(r, err);
  r->lean = rc == MW_OK && r->n_force == 0 && r->n_node == r->n_hard && r->n_friction == 0 &&
            r->n_component == 0;
  for (int c = 0; rc == MW_OK && c < r->n_coord; c++) r->lean = r->lean && !r->need[c];
  r->n.n_q = 12 * r->n.n_body + r->n.n_rotor;
  r->n.n_u = 6 * r->n.n_body + r->n.n_rotor;
  if (rc == MW_OK) rc = masses(r, err);
  if (rc == MW_OK) rc = mw_rigid_articulated_build(r, err);
  if (rc == MW_OK) rc = mw_rigid_legs_build(r, err);
  if (rc == MW_OK)
    *out = r;
  else
    mw_rigid_free(r);
  return rc;
}

void mw_rigid_free(mw_rigid *r)
{
  if (!r) return;
  mw_rigid_components_close(r);
  mw_arena_free(&r->mem);
  free(r);
}

// Rows on bodies that stay plain lie where the elimination reads them; the others are copied there
// (mw_rigid_fill).
static mw_code place_rows(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  unsigned char *plain = mw_arena_alloc(&w->mem, (size_t)r->hard.n_node, 1);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int s = 0; rc == MW_OK && s < r->hard.n_node; s++)
    plain[r->hard.pivot[s].node] = r->hard.pivot[s].plain && r->hard.pivot[s].size == 6;
  for (int i = 0; rc == MW_OK && i < r->n_node; i++)
    for (int k = r->node[i].touch0; k < r->node[i].touch0 + r->node[i].n_touch; k++)
      w->Jt[k] = i < r->n_hard && plain[r->touch[k]] ? w->hard.val + r->hard.couple[k]
                                                     : mw_arena_f64(&w->mem, JT);
  return rc == MW_OK ? mw_arena_check(&w->mem, err) : rc;
}

mw_code mw_rigid_work_build(const mw_rigid *r, mw_rigid_work **out, mw_error *err)
{
  mw_rigid_work *w = calloc(1, sizeof *w);
  if (!w) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  mw_arena *a = &w->mem;
  size_t nodes = (size_t)r->n_node * LD, elim = (size_t)r->all.n_node * LD, nc = (size_t)r->n_coord;
  w->kin = mw_arena_alloc(a, (size_t)r->n_slot, sizeof *w->kin);
  w->ce = mw_arena_alloc(a, nc, sizeof *w->ce);
  w->Jt = mw_arena_alloc(a, (size_t)r->n_touch, sizeof *w->Jt);
  double **row[] = { &w->g, &w->gt, &w->gamma, &w->stroke_js };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(a, nodes);
  double **sys[] = { &w->x, &w->sol, &w->diag, &w->inverse };
  for (size_t i = 0; i < sizeof sys / sizeof *sys; i++) *sys[i] = mw_arena_f64(a, elim);
  w->f = mw_arena_f64(a, 2 * (size_t)r->n.n_u);
  double **coord[] = { &w->accepted, &w->hold, &w->hold_rate };
  for (size_t i = 0; i < sizeof coord / sizeof *coord; i++) *coord[i] = mw_arena_f64(a, nc);
  w->turned = mw_arena_f64(a, (size_t)r->n.n_soft);
  w->drive_force = mw_arena_f64(a, (size_t)r->n.n_drive);
  w->normal = mw_arena_f64(a, (size_t)r->n_friction);
  w->dropped = mw_arena_alloc(a, (size_t)r->n_hard * LD, 1);
  w->hard = mw_elim_num_init(&r->hard, a);
  w->all = mw_elim_num_init(&r->all, a);
  const mw_scenario *sc = r->opt.scenario;
  mw_code rc = mw_arena_check(a, err);
  if (rc == MW_OK)
    rc = mw_control_build(r->m->model, sc, sc ? sc->control_period : 0.0, a, &w->control, err);
  if (rc == MW_OK && sc) rc = mw_control_feed(&w->control, r->m, a, err);
  if (rc == MW_OK) w->lambda = w->sol + (r->n.n_body + r->n.n_rotor) * LD;
  if (rc == MW_OK) rc = place_rows(r, w, err);
  if (rc == MW_OK) rc = mw_rigid_components_work(r, w, err);
  if (rc == MW_OK) rc = mw_rigid_articulated_work(r, w, err);
  if (rc == MW_OK) rc = mw_rigid_legs_work(r, w, err);
  if (rc != MW_OK) {
    mw_rigid_work_free(w);
    return rc;
  }
  memcpy(w->kin + r->n.n_body, r->fixed, (size_t)(r->n_slot - r->n.n_body) * sizeof *w->kin);
  memcpy(w->accepted, r->start, nc * sizeof(double));
  memcpy(w->hold, r->start, nc * sizeof(double));
  *out = w;
  return MW_OK;
}

void mw_rigid_work_free(mw_rigid_work *w)
{
  if (!w) return;
  mw_rigid_components_work_close(w);
  mw_arena_free(&w->mem);
  free(w);
}
