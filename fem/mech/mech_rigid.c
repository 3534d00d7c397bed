// SPDX-License-Identifier: BSD-3-Clause
// mech_rigid.c: rigid kinematics ρ(θ), ρ_θ, mobility and redundant rows, by the rigid mechanism
// (rigid.h).
//
//   ρ(θ):    g(q) = 0 ,  s_i(q) = θ_i                 mw_rigid_reach
//   ρ_θ,i:   J v̂ = 0 ,   ṡ_i = 1, the other held ones 0: mw_rigid_project_v from rest          (1)
//   ρ_ij:    frames' accelerations at constant rates, a(v) quadratic in v:
//       ρ_ij = (a(v_i + v_j) − a(v_i) − a(v_j))/2      (2)
//   mobility: 6 n_body less the rows that are not redundant
// Elastic runners and bearings close a machine as if they were rigid. Springs are forces: one that
// θ stretches closes nothing. Only what θ and the joints leave free is held by springs, at rest in
// them:
// row by row, those that take a freedom away in the reference configuration
// (mw_mech_loose_springs).
// Masses are a metric here: bodies may lack them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/rigid.h"
#include "mech_free_priv.h"

typedef struct kinematics {
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double *q, *v, *u;  // [n_q], [n_q], [n_u]
  double *s, *s_dot;  // [n_coord]
  mw_arena mem;
} kinematics;

// soft_is_rigid, left_out: mw_rigid_opt
static mw_code start(const mw_mech *m, const unsigned char *locked, bool soft_is_rigid,
                     const unsigned char *left_out, const double *p, const double *s, kinematics *k,
                     mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.locked = locked;
  opt.kinematics = true;
  opt.soft_is_rigid = soft_is_rigid;
  opt.left_out = left_out;
  opt.components = true;
  *k = (kinematics){ 0 };
  mw_code rc = mw_rigid_build(m, &opt, &k->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(k->r, &k->w, err);
  if (rc != MW_OK) return rc;
  k->n = mw_rigid_sizes(k->r);
  k->q = mw_arena_f64(&k->mem, (size_t)k->n.n_q);
  k->v = mw_arena_f64(&k->mem, (size_t)k->n.n_q);
  k->u = mw_arena_f64(&k->mem, (size_t)k->n.n_u);
  k->s = mw_arena_f64(&k->mem, (size_t)k->n.n_coord);
  k->s_dot = mw_arena_f64(&k->mem, (size_t)k->n.n_coord);
  rc = mw_arena_check(&k->mem, err);
  if (rc != MW_OK) return rc;
  mw_rigid_from_frames(k->r, p, k->q);
  mw_rigid_accept_coords(k->r, k->w, s);
  mw_rigid_hold(k->r, k->w, s, NULL);
  return MW_OK;
}

static void end(kinematics *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
  mw_arena_free(&k->mem);
}

// Degrees of freedom at q, of the rows as they are.
static mw_code degrees(const mw_mech *m, kinematics *k, int *free, int *redundant, mw_error *err)
{
  memset(k->v, 0, (size_t)k->n.n_q * sizeof(double));
  mw_code rc = mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, err);
  if (rc != MW_OK) return rc;
  *free = k->n.n_u - k->n.n_row + mw_rigid_redundant(k->r, k->w, redundant);
  for (int c = 0; c < m->model->n_component; c++) *free -= m->model->component[c].size.n_row;
  return MW_OK;
}

// ---- springs ------------------------------------------------------------------------------------

bool mw_mech_mark_springs(const mw_mech *m, unsigned char *left_out)
{
  bool any = false;
  for (int j = 0; j < m->n_joint; j++) {
    bool spring = m->joint[j].in->kind == MW_JOINT_SPRING;
    left_out[j] = spring ? (unsigned char)((1u << m->joint[j].n_list) - 1u) : 0;
    any = any || spring;
  }
  return any;
}

static mw_code free_at(const mw_mech *m, const unsigned char *locked, bool soft_is_rigid,
                       const unsigned char *left_out, const double *p, const double *s, int *free,
                       int *redundant, mw_error *err)
{
  kinematics k;
  mw_code rc = start(m, locked, soft_is_rigid, left_out, p, s, &k, err);
  if (rc == MW_OK) rc = degrees(m, &k, free, redundant, err);
  end(&k);
  return rc;
}

// Keeps the rows of spring j, marked in left_out, that take a freedom away, all of them where each
// does. *free: before, then after.
static mw_code keep_rows(const mw_mech *m, const unsigned char *locked, int j,
                         unsigned char *left_out, int *free, mw_error *err)
{
  unsigned char all = left_out[j];
  int then = 0;
  left_out[j] = 0;
  mw_code rc = free_at(m, locked, true, left_out, m->p0, m->s0, &then, NULL, err);
  bool none = then == *free, each = then == *free - m->joint[j].n_list;
  if (rc == MW_OK && each) *free = then;
  if (rc != MW_OK || each) return rc;
  left_out[j] = all;
  for (int i = 0; rc == MW_OK && !none && *free > 0 && left_out[j] >> i; i++) {
    left_out[j] ^= (unsigned char)(1u << i);
    rc = free_at(m, locked, true, left_out, m->p0, m->s0, &then, NULL, err);
    if (then == *free) left_out[j] ^= (unsigned char)(1u << i);
    *free = then;
  }
  return rc;
}

mw_code mw_mech_loose_springs(const mw_mech *m, const unsigned char *locked,
                              unsigned char *left_out, mw_error *err)
{
  int free = 0;
  if (m->loose && locked && memcmp(locked, m->held, (size_t)m->n_coord) == 0) {
    memcpy(left_out, m->loose, (size_t)m->n_joint);
    return MW_OK;
  }
  if (!mw_mech_mark_springs(m, left_out)) return MW_OK;
  mw_code rc = free_at(m, locked, true, left_out, m->p0, m->s0, &free, NULL, err);
  for (int j = 0; rc == MW_OK && free > 0 && j < m->n_joint; j++)
    if (left_out[j]) rc = keep_rows(m, locked, j, left_out, &free, err);
  return rc;
}

// The rows that close the machine: without springs that the locked coordinates stretch.
static mw_code start_closing(const mw_mech *m, const unsigned char *locked, const double *p,
                             const double *s, kinematics *k, mw_error *err)
{
  mw_arena tmp = { 0 };
  unsigned char *left_out = mw_arena_alloc(&tmp, (size_t)m->n_joint, 1);
  *k = (kinematics){ 0 };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_mech_loose_springs(m, locked, left_out, err);
  if (rc == MW_OK) rc = start(m, locked, true, left_out, p, s, k, err);
  mw_arena_free(&tmp);
  return rc;
}

// ---- positions and modes ------------------------------------------------------------------------

// Runners must stay on their guides.
static mw_code check_ranges(const mw_mech *m, const double *p, const double *s, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_joint_eval e = mw_joint_eval_init(m, &mem);
  mw_code rc = mw_arena_check(&mem, err);
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (jt->in->kind != MW_JOINT_SLIDE) continue;
    rc = mw_joint_eval_at(m, j, p + 12 * jt->a, NULL, p + 12 * jt->b, NULL, s[jt->coord], &e, err);
  }
  mw_arena_free(&mem);
  return rc;
}

bool mw_mech_sprung(const mw_mech *m)
{
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; m->joint[j].in->kind == MW_JOINT_SPRING && i < m->joint[j].n_list; i++)
      if (m->joint[j].k[i] > 0.0) return true;
  return false;
}

double mw_mech_spring_force(const mw_mech *m, const mw_joint *jt, int i, double g)
{
  static const double REST = 1e-9;  // of the size, or rad: far above what closing leaves
  if (jt->in->kind != MW_JOINT_SPRING) return 0.0;  // the row of a coordinate is none of the list
  double unit = jt->list[i].kind >= MW_ROW_TURN ? 1.0 : mw_mech_size(m);
  return fabs(g) <= REST * unit ? 0.0 : jt->k[i] * g;
}

// Refuses a damper of row i that a rigid mode v [n_body × 6] moves: its force depends on the rate
// of a coordinate.
static mw_code check_damper(const mw_joint *jt, int i, const mw_joint_eval *e, int n_body,
                            const double *v, mw_error *err)
{
  // of the row's terms, of the largest rate there is: far above what v is off
  static const double ROUNDING = 1e-7, NONE = 1e-10;
  double sum = 0.0, most = 0.0, top = 0.0;
  for (int k = 0; k < 6 * n_body; k++) top = fmax(top, fabs(v[k]));
  for (int side = 0; side < 2; side++) {
    const double *J = (side == 0 ? e->Ja : e->Jb) + 12 * i, *W = J + 3,
                 *u = v + 6 * (side == 0 ? jt->a : jt->b);
    const double x[6] = { J[0], J[1], J[2], W[7] - W[5], W[2] - W[6], W[3] - W[1] };
    for (int k = 0; k < 6; k++) {
      sum += x[k] * u[k];
      most = fmax(most, fabs(x[k] * u[k]));
    }
  }
  if (fabs(sum) <= fmax(ROUNDING * most, NONE * top)) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, jt->in->at,
                 "damping of spring %.64s resists the motion of the coordinates of the reduction: "
                 "reduced models know dampers there of coordinates alone (joints: damping), "
                 "expected none (simulate runs it by the other paths)",
                 jt->name);
}

static mw_code check_spring(const mw_mech *m, const mw_joint *jt, const mw_joint_eval *e, int n,
                            const double *v, bool *loaded, mw_error *err)
{
  mw_code rc = MW_OK;
  double turn = 0.0;
  for (int i = 0; rc == MW_OK && i < jt->n_list; i++) {
    if (jt->list[i].kind >= MW_ROW_TURN && jt->k[i] > 0.0) turn += e->g[i] * e->g[i];
    bool stretched = mw_mech_spring_force(m, jt, i, e->g[i]) != 0.0;
    *loaded = *loaded || stretched;
    if (stretched && jt->in->stroke.n > 0)
      return mw_fail(err, MW_ERR_INPUT, jt->in->stroke.at,
                     "spring %.64s varies over a coordinate (over) and is stretched by those of "
                     "the reduction: reduced models know one of the two, expected a spring that "
                     "is free wherever they lead (simulate runs it by the other paths)",
                     jt->name);
    for (int k = 0; rc == MW_OK && jt->c[i] > 0.0 && k < n; k++)
      rc = check_damper(jt, i, e, m->n_body, v + 6 * m->n_body * k, err);
  }
  if (rc != MW_OK || turn <= MW_TURN_MOST * MW_TURN_MOST) return rc;
  return mw_fail(err, MW_ERR_INPUT, jt->in->at,
                 "spring %.64s is turned by %.3g rad where the coordinates of the reduction lead, "
                 "expected less than %g: its moment has no direction at half a turn",
                 jt->name, sqrt(turn), MW_TURN_MOST);
}

mw_code mw_mech_springs(const mw_mech *m, const double *p, const double *s, int n, const double *v,
                        bool *loaded, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_joint_eval e = mw_joint_eval_init(m, &mem);
  mw_code rc = mw_arena_check(&mem, err);
  *loaded = false;
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (jt->in->kind != MW_JOINT_SPRING) continue;
    rc = mw_joint_eval_at(m, j, p + 12 * jt->a, NULL, p + 12 * jt->b, NULL, mw_joint_s(jt, s), &e,
                          err);
    if (rc == MW_OK) rc = check_spring(m, jt, &e, n, v, loaded, err);
  }
  mw_arena_free(&mem);
  return rc;
}

// MW_ERR_INPUT: more coordinates are locked than the mechanism has freedoms at p, s: names them and
// one that depends on those before it.
static mw_code check_independent(const mw_mech *m, const unsigned char *locked, const double *p,
                                 const double *s, mw_error *err)
{
  mw_arena tmp = { 0 };
  unsigned char *left_out = mw_arena_alloc(&tmp, (size_t)m->n_joint, 1),
                *held = mw_arena_alloc(&tmp, (size_t)m->n_coord, 1);
  char names[160] = "";
  int mobility = 0, now = 0, then = 0, n = 0, extra = -1;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) (void)mw_mech_mark_springs(m, left_out);
  if (rc == MW_OK) rc = free_at(m, NULL, true, left_out, p, s, &mobility, NULL, err);
  now = mobility;
  for (int c = 0; rc == MW_OK && locked && c < m->n_coord; c++) {
    if (!locked[c]) continue;
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", n++ > 0 ? ", " : "",
             mw_mech_coord_name(m, c));
    held[c] = 1;
    rc = free_at(m, held, true, left_out, p, s, &then, NULL, err);
    if (then == now && extra < 0) extra = c;
    now = then;
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK || n <= mobility || extra < 0) return rc;
  return mw_fail(err, MW_ERR_INPUT, m->joint[m->coord_joint[extra]].in->at,
                 "coordinates %s are held, but the mechanism has %d degree%s of freedom: %.64s "
                 "depends on the others, expected at most %d",
                 names, mobility, mobility == 1 ? "" : "s", mw_mech_coord_name(m, extra), mobility);
}

mw_code mw_mech_rigid_solve(const mw_mech *m, const unsigned char *locked, const double *theta,
                            double *p, double *s, mw_error *err)
{
  kinematics k;
  mw_code rc = start_closing(m, locked, p, s, &k, err);
  if (rc == MW_OK) {
    mw_rigid_coords(k.r, k.w, k.q, NULL, k.s, NULL);  // of rough positions s need not be those
    rc = mw_rigid_reach(k.r, k.w, k.s, theta, 1e-13 * mw_mech_size(m), k.q, err);
  }
  mw_error why = { 0 };
  if (rc == MW_ERR_NUMERIC && check_independent(m, locked, p, s, &why) == MW_ERR_INPUT) {
    rc = why.code;
    if (err) *err = why;
  }
  if (rc == MW_OK) {
    mw_rigid_to_frames(k.r, k.q, p);
    mw_rigid_coords(k.r, k.w, k.q, NULL, k.s, NULL);
    for (int c = 0; c < k.n.n_coord; c++) s[c] = locked && locked[c] ? theta[c] : k.s[c];
    rc = check_ranges(m, p, s, err);
  }
  end(&k);
  return rc;
}

// Velocities v [n_body × 6] of the mechanism's frames in their own axes at rates k->v:
// ω = R ω̂, v = R û − ω × c
static void twists(const mw_mech *m, kinematics *k, double *v)
{
  mw_rigid_twist(k->r, k->q, k->v, k->u);
  memset(v, 0, 6 * (size_t)m->n_body * sizeof(double));
  for (int b = 0; b < k->n.n_body; b++) {
    const mw_rigid_body *body = &mw_rigid_bodies(k->r)[b];
    double *out = v + 6 * body->body, wc[3];
    mw_mul33v(body->R, k->u + 6 * b, out);
    mw_mul33v(body->R, k->u + 6 * b + 3, out + 3);
    mw_cross3(out + 3, body->c, wc);
    for (int i = 0; i < 3; i++) out[i] -= wc[i];
  }
}

// What constraints leave of an arbitrary velocity with all locked coordinates held, named.
static mw_code free_motion(const mw_mech *m, kinematics *k, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *v = mw_arena_f64(&tmp, 6 * (size_t)m->n_body),
         *p = mw_arena_f64(&tmp, 12 * (size_t)m->n_body);
  for (int i = 0; i < k->n.n_u; i++) k->u[i] = cos(1.0 + 7.0 * i);
  mw_rigid_rates(k->r, k->q, k->u, k->v);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, err);
  if (rc == MW_OK) {
    memcpy(p, m->p0, 12 * (size_t)m->n_body * sizeof *p);  // those of ground
    mw_rigid_to_frames(k->r, k->q, p);
    twists(m, k, v);
    rc = mw_mech_name_free(m, p, v, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// (1)
static mw_code mode(const mw_mech *m, kinematics *k, int coord, double *v, double *s_dot,
                    mw_error *err)
{
  memset(k->s_dot, 0, (size_t)k->n.n_coord * sizeof(double));
  k->s_dot[coord] = 1.0;
  mw_rigid_coords(k->r, k->w, k->q, NULL, k->s, NULL);
  mw_rigid_hold(k->r, k->w, k->s, k->s_dot);
  memset(k->v, 0, (size_t)k->n.n_q * sizeof(double));
  // twice: what rounding left of the first projection
  mw_code rc = mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, err);
  if (rc == MW_OK) rc = mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, err);
  if (rc != MW_OK) return rc;
  twists(m, k, v);
  mw_rigid_coords(k->r, k->w, k->q, k->v, k->s, s_dot);
  return MW_OK;
}

// Whether rates v of unit rates of a coordinate keep all rows: where locked coordinates depend on
// each other they cannot.
static bool keeps_rows(const mw_mech *m, kinematics *k)
{
  static const double LEFT = 1e-6;  // of unit rates: far above rounding, far below a dependence
  mw_rigid_residual left;
  mw_rigid_residuals(k->r, k->w, 0.0, k->q, k->v, k->v, &left);  // accelerations: not read
  return left.velocity <= LEFT * fmin(1.0, mw_mech_size(m));
}

// Springs inside of components are left out here, and may hold what is free.
static bool holds_inside(const mw_mech *m)
{
  for (int k = 0; k < m->model->n_component; k++) {
    const mw_component_size *s = &m->model->component[k].size;
    if (s->springs && s->n_state == 0) return true;
  }
  return false;
}

mw_code mw_mech_rigid_modes(const mw_mech *m, const unsigned char *locked, const double *p,
                            const double *s, double *v, double *s_dot, mw_error *err)
{
  kinematics k;
  int free = 0, i = 0;
  mw_code rc = start_closing(m, locked, p, s, &k, err);
  if (rc == MW_OK) rc = degrees(m, &k, &free, NULL, err);
  if (rc == MW_OK && free > 0 && !holds_inside(m)) rc = free_motion(m, &k, err);
  for (int c = 0; rc == MW_OK && locked && c < m->n_coord; c++) {
    if (!locked[c]) continue;
    size_t at = (size_t)i++;
    rc = mode(m, &k, c, v + 6 * at * (size_t)m->n_body, s_dot + at * (size_t)m->n_coord, err);
    if (rc == MW_OK && !keeps_rows(m, &k)) rc = check_independent(m, locked, p, s, err);
  }
  end(&k);
  return rc;
}

// Accelerations of all frames [n_body × 12] at constant rates of the locked coordinates: rates v
// [n_body × 6], s_dot
static mw_code bend(const mw_mech *m, kinematics *k, const double *v, const double *s_dot,
                    double *a, double *out, mw_error *err)
{
  mw_rigid_coords(k->r, k->w, k->q, NULL, k->s, NULL);
  mw_rigid_hold(k->r, k->w, k->s, s_dot);
  for (int b = 0; b < k->n.n_body; b++) {
    const mw_rigid_body *body = &mw_rigid_bodies(k->r)[b];
    const double *x = v + 6 * body->body;
    double vc[3];
    mw_cross3(x + 3, body->c, vc);
    for (int i = 0; i < 3; i++) vc[i] += x[i];
    mw_mul33tv(body->R, vc, k->u + 6 * b);
    mw_mul33tv(body->R, x + 3, k->u + 6 * b + 3);
  }
  mw_rigid_rates(k->r, k->q, k->u, k->v);
  mw_code rc = mw_rigid_accel(k->r, k->w, 0.0, k->q, k->v, a, err);
  if (rc != MW_OK) return rc;
  double *p = out + 12 * m->n_body;
  mw_rigid_to_frames(k->r, a, p);  // linear in the frames: of moving bodies
  memset(out, 0, 12 * (size_t)m->n_body * sizeof *out);
  for (int b = 0; b < k->n.n_body; b++) {
    int at = 12 * mw_rigid_bodies(k->r)[b].body;
    memcpy(out + at, p + at, 12 * sizeof *out);
  }
  return MW_OK;
}

mw_code mw_mech_rigid_second(const mw_mech *m, const unsigned char *locked, const double *p,
                             const double *s, int n, const double *v, const double *s_dot,
                             double *p_ij, mw_error *err)
{
  kinematics k;
  size_t vb = 6 * (size_t)m->n_body, pb = 2 * vb, nc = (size_t)m->n_coord, N = (size_t)n;
  mw_arena tmp = { 0 };
  double *self = mw_arena_f64(&tmp, N * pb), *out = mw_arena_f64(&tmp, 2 * pb),
         *sum = mw_arena_f64(&tmp, vb), *rate = mw_arena_f64(&tmp, nc);
  mw_code rc = start_closing(m, locked, p, s, &k, err);
  double *a = mw_arena_f64(&tmp, (size_t)k.n.n_q);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < N; i++) {
    rc = bend(m, &k, v + i * vb, s_dot + i * nc, a, out, err);
    memcpy(self + i * pb, out, pb * sizeof *out);
  }
  for (size_t i = 0, ij = 0; rc == MW_OK && i < N; i++)
    for (size_t j = 0; rc == MW_OK && j <= i; j++, ij++) {
      double *to = p_ij + ij * pb;
      memcpy(to, self + i * pb, pb * sizeof *to);
      if (i == j) continue;
      for (size_t c = 0; c < vb; c++) sum[c] = v[i * vb + c] + v[j * vb + c];
      for (size_t c = 0; c < nc; c++) rate[c] = s_dot[i * nc + c] + s_dot[j * nc + c];
      rc = bend(m, &k, sum, rate, a, out, err);
      for (size_t c = 0; c < pb; c++) to[c] = 0.5 * (out[c] - self[i * pb + c] - self[j * pb + c]);
    }
  end(&k);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_mech_freedom(const mw_mech *m, const unsigned char *locked, const double *p,
                        const double *s, int *free, mw_error *err)
{
  return free_at(m, locked, true, NULL, p, s, free, NULL, err);
}

mw_code mw_mech_hold_enough(const mw_mech *m, const double *p, const double *s, unsigned char *held,
                            mw_error *err)
{
  int now = 0, then = 0;
  mw_code rc = mw_mech_freedom(m, held, p, s, &now, err);
  for (int c = 0; rc == MW_OK && now > 0 && c < m->n_coord; c++) {
    if (held[c]) continue;
    held[c] = 1;
    rc = mw_mech_freedom(m, held, p, s, &then, err);
    if (then < now)
      now = then;
    else
      held[c] = 0;
  }
  return rc;
}

mw_code mw_mech_mobility(const mw_mech *m, const double *p, const double *s, int *mobility,
                         int *redundant, mw_error *err)
{
  mw_arena tmp = { 0 };
  unsigned char *left_out = mw_arena_alloc(&tmp, (size_t)m->n_joint, 1);
  int free = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  // redundant are constraints alone; elastic runners and bearings hold a machine together, springs
  // leave it its freedom
  if (rc == MW_OK) rc = free_at(m, NULL, false, NULL, p, s, &free, redundant, err);
  if (rc == MW_OK) (void)mw_mech_mark_springs(m, left_out);
  if (rc == MW_OK) rc = free_at(m, NULL, true, left_out, p, s, mobility, NULL, err);
  mw_arena_free(&tmp);
  return rc;
}
