// SPDX-License-Identifier: BSD-3-Clause
// mech.c: assembly of the mechanism from the model and its bodies; evaluation of joint rows and
// points.
//
// Joint axes: body a carries F_a (slide: t, n1, n2 of the guide; revolute and prismatic: third
// column along the joint's axis; else the body's own axes); body b carries F_b = E_bᵀ E_a F_a, so
// that both agree in the reference configuration.
#include "fem/mech.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/stroke.h"
#include "mech_layer.h"

static const mw_frame *frame_of(const mw_mech *m, mw_ref ref)
{
  return ref.attach < 0 ? NULL : &m->body[ref.body].frame[ref.attach];
}

int mw_mech_frame_z(const mw_mech *m, mw_ref ref)
{
  const mw_frame *f = frame_of(m, ref);
  return f && m->body[ref.body].n_u > 0 ? f->z : -1;
}

// ---- what a joint is made of --------------------------------------------------------------------

static int rows_of(const mw_joint *j)
{
  int n = 0;
  for (int i = 0; i < j->n_list; i++) n += j->list[i].kind == MW_ROW_POINT ? 3 : 1;
  return n;
}

bool mw_joint_rigid_only(const mw_joint *j) { return mw_joint_class_of(j->in)->rigid_only != NULL; }

// Rows with their stiffness and damping; a slide's and a coordinate's defining row are constraints
// of their own.
static mw_code make_rows(mw_joint *j, mw_arena *mem, mw_error *err)
{
  mw_row row[MW_JOINT_ROWS];
  mw_row_list l = { .row = row };
  const mw_joint_class *class = mw_joint_class_of(j->in);
  if (class->rows) class->rows(j, &l);
  j->n_list = l.n;
  mw_row *list = mw_arena_alloc(mem, (size_t)l.n, sizeof *list);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(list, row, (size_t)l.n * sizeof *list);
  j->list = list;
  j->n_row = rows_of(j) + (class->own_elastic ? class->n_own : 0) + (j->coord >= 0);
  if (mw_joint_rigid_only(j)) j->n_row = 0;
  double *k = mw_arena_f64(mem, (size_t)j->n_row), *c = mw_arena_f64(mem, (size_t)j->n_row);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < j->n_row; i++) k[i] = INFINITY;
  for (int i = 0, n = j->guide ? 1 : 0; j->n_row > 0 && i < l.n; i++) {
    k[n] = row[i].k;
    c[n] = row[i].d;
    n += row[i].kind == MW_ROW_POINT ? 3 : 1;
  }
  j->k = k;
  j->c = c;
  return MW_OK;
}

// ---- where its axes lie -------------------------------------------------------------------------

// Columns h1, h2, u/|u|; h1 along `first` made normal to u, or any where it is NULL.
static void frame_along(const double u[3], const double *first, double F[9])
{
  double h1[3], h2[3], n = mw_norm3(u), e[3] = { u[0] / n, u[1] / n, u[2] / n };
  mw_normals3(u, h1, h2);
  if (first) {
    double along = mw_dot3(first, e), t[3];
    for (int i = 0; i < 3; i++) t[i] = first[i] - along * e[i];
    double l = mw_norm3(t);
    for (int i = 0; i < 3; i++) h1[i] = t[i] / l;
    mw_cross3(e, h1, h2);
  }
  for (int i = 0; i < 3; i++) {
    F[3 * i] = h1[i];
    F[3 * i + 1] = h2[i];
    F[3 * i + 2] = e[i];
  }
}

static void place_axes(const mw_mech *m, mw_joint *j)
{
  const double *Ea = m->p0 + 12 * j->a + 3, *Eb = m->p0 + 12 * j->b + 3;
  const mw_joint_in *in = j->in;
  double G[9];
  for (int i = 0; i < 9; i++) j->Fa[i] = i % 4 == 0;
  if (mw_norm3(in->axis) > 0.0) frame_along(in->axis, in->has_zero ? in->zero : NULL, j->Fa);
  for (int i = 0; j->guide && i < 3; i++) {
    j->Fa[3 * i] = j->guide->t[i];
    j->Fa[3 * i + 1] = j->guide->n1[i];
    j->Fa[3 * i + 2] = j->guide->n2[i];
    j->Xa[i] = j->guide->X0[i];
  }
  // F_b = E_bᵀ E_a F_a, unless b has axes of its own
  mw_mul33(Ea, j->Fa, G);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < 3; c++)
      j->Fb[3 * i + c] = Eb[i] * G[c] + Eb[3 + i] * G[3 + c] + Eb[6 + i] * G[6 + c];
  if (!in->has_axis_b) return;
  double first[3] = { j->Fb[0], j->Fb[3], j->Fb[6] }, across[3];
  mw_cross3(first, in->axis_b, across);
  bool usable = mw_norm3(across) > 0.1 * mw_norm3(in->axis_b) && !mw_joint_class_of(in)->crossed;
  frame_along(in->axis_b, in->has_zero ? in->zero_b : usable ? first : NULL, j->Fb);
}

// x_b − x_a along the joint axes in the reference configuration
static void apart(const mw_mech *m, const mw_joint *j, double d[3])
{
  const double *pa = m->p0 + 12 * j->a, *pb = m->p0 + 12 * j->b;
  double G[9], x[3], y[3];
  mw_mul33(pa + 3, j->Fa, G);
  mw_mul33v(pa + 3, j->Xa, x);
  mw_mul33v(pb + 3, j->Xb, y);
  for (int i = 0; i < 3; i++) x[i] = pb[i] + y[i] - pa[i] - x[i];
  mw_mul33tv(G, x, d);
}

// Joint axes in both bodies, and what is measured in the reference configuration.
static void place(const mw_mech *m, mw_joint *j, double *s0)
{
  const mw_joint_in *in = j->in;
  const mw_frame *fa = j->guide ? NULL : frame_of(m, in->a), *fb = frame_of(m, in->b);
  double d[3];
  for (int i = 0; i < 3; i++) {
    j->Xa[i] = fa ? fa->X[i] : 0.0;
    j->Xb[i] = fb ? fb->X[i] : 0.0;
  }
  place_axes(m, j);
  apart(m, j, d);
  *s0 = in->start;
  const mw_joint_class *class = mw_joint_class_of(in);
  if (class->place)
    class->place(m, j, d, s0);
  else if (!in->has_axis_b)
    j->gap[0] = d[2];
}

// How well a point of one's own mends a frame: of a mesh's nodes, whose mean is beside the place
// that is meant, best; of a rigid body well; a node stays where it is.
static int mends(const mw_mech *m, mw_ref ref)
{
  if (m->body[ref.body].n_u == 0) return 1;
  return m->model->body[ref.body].attach[ref.attach].kind == MW_ATTACH_NODE ? 0 : 2;
}

// Where the other body's point is, in the axes of body a or b
static void other_point(const mw_mech *m, const mw_joint *j, bool of_a, double X[3])
{
  const double *at = m->p0 + 12 * (of_a ? j->a : j->b), *to = m->p0 + 12 * (of_a ? j->b : j->a);
  double x[3];
  mw_mul33v(to + 3, of_a ? j->Xb : j->Xa, x);
  for (int i = 0; i < 3; i++) x[i] += to[i] - at[i];
  mw_mul33tv(at + 3, x, X);
  for (int i = 0; i < 3; i++)
    if (fabs(X[i]) < 1e-9 * mw_mech_size(m)) X[i] = 0.0;  // a rounding, as it will be typed
}

// The points of a joint meet, those of a rod do not, to a part of the machine's length that
// coordinates typed with six digits keep.
static mw_code check_meet(const mw_mech *m, const mw_joint *j, mw_error *err)
{
  static const double MEET = 1e-6;
  const mw_joint_class *class = mw_joint_class_of(j->in);
  double d[3], gap, X[3];
  apart(m, j, d);
  gap = class->gap ? class->gap(j, d) : 0.0;
  if (class->apart && !(j->gap[0] > MEET * mw_mech_size(m)))
    return mw_fail(err, MW_ERR_INPUT, j->in->at,
                   "joint %s: found a rod without length between points %.3g m apart, expected "
                   "points that are apart, or a length",
                   j->name, mw_norm3(d));
  if (gap <= MEET * mw_mech_size(m)) return MW_OK;
  int a = mends(m, j->in->a), b = mends(m, j->in->b);
  other_point(m, j, a > b, X);
  char mend[160] = "";
  if (a + b > 0)
    snprintf(mend, sizeof mend, ", as a frame of body %.64s with point: [%.9g, %.9g, %.9g] would",
             m->body[a > b ? j->a : j->b].name, X[0], X[1], X[2]);
  return mw_fail(err, MW_ERR_INPUT, j->in->at,
                 "%s %s: its two points are %.3g m apart in the reference configuration, expected "
                 "to meet%s",
                 j->in->kind == MW_JOINT_SPRING ? "spring" : "joint", j->name, gap, mend);
}

static mw_code check_reference(const mw_mech *m, const mw_joint *j, mw_error *err)
{
  const mw_joint_class *class = mw_joint_class_of(j->in);
  double d[3];
  apart(m, j, d);
  mw_code rc = class->check ? class->check(m, j, d, err) : MW_OK;
  return rc == MW_OK && !m->model->assemble ? check_meet(m, j, err) : rc;
}

// Runners on a line of mesh nodes, whose length the model file does not say (the others:
// model_check.c).
static mw_code check_reach(const mw_mech *m, int index, mw_error *err)
{
  const mw_joint *j = &m->joint[index];
  const mw_reduction_in *in = &m->model->reduction;
  double before, behind, l = j->guide->length, slack = 1e-9 * l;
  const mw_body_in *of = &m->model->body[j->a];
  if (!of->guide || !of->guide[j->in->guide].set || j->guide->pad[0] > 0.0 || j->in->n_runner == 0)
    return MW_OK;
  mw_slide_reach(j->in, false, &before, &behind);
  if (before + behind > l + slack)
    return mw_fail(err, MW_ERR_INPUT, j->in->runner[0].at,
                   "runners of %.64s take %g m with their contact lengths, expected at most the "
                   "%g m of guide %.64s",
                   j->name, before + behind, l, j->guide->name);
  for (int i = 0; i < in->n_coordinate; i++) {
    const mw_coordinate_in *c = &in->coordinate[i];
    if (c->joint == index && (c->lo - behind < -slack || c->hi + before > l + slack))
      return mw_fail(err, MW_ERR_INPUT, c->at,
                     "range of %.64s is [%g, %g] m, expected it within [%g, %g] so that every "
                     "runner stays on its guide",
                     c->name, c->lo, c->hi, behind, l - before);
  }
  return MW_OK;
}

static mw_code build_joint(mw_mech *m, int index, mw_arena *mem, double *s0, mw_error *err)
{
  const mw_joint_in *in = &m->model->joint[index];
  mw_joint *j = &m->joint[index];
  *j = (mw_joint){ .in = in,
                   .name = in->name,
                   .a = in->a.body,
                   .b = in->b.body,
                   .coord = -1,
                   .s_coord = -1,
                   .coord_row = -1 };
  if (in->kind == MW_JOINT_SLIDE) {
    j->guide = &m->body[j->a].guide[in->guide];
    j->guide_elastic = m->body[j->a].n_u > 0 && j->guide->n > 0 && j->guide->z >= 0;
    j->za = -1;
    if (in->tangent && j->guide_elastic && !j->guide->rot)
      return mw_fail(
          err, MW_ERR_INPUT, in->at,
          "joint %.64s: orientation: tangent needs a guide of beams, '%.64s' is a line of a "
          "mesh, whose twist no line shows; expected runners beside each other",
          in->name, j->guide->name);
    mw_code fits = check_reach(m, index, err);
    if (fits != MW_OK) return fits;
  } else {
    j->za = mw_mech_frame_z(m, in->a);
  }
  j->zb = mw_mech_frame_z(m, in->b);
  if (j->guide || in->coordinate) {
    j->coord = m->n_coord;
    m->coord_joint[m->n_coord++] = index;
    j->s_coord = j->coord;
  }
  const mw_joint_class *class = mw_joint_class_of(in);
  mw_code rc = class->build ? class->build(j, mem, err) : MW_OK;
  if (rc != MW_OK) return rc;
  place(m, j, s0);
  rc = make_rows(j, mem, err);
  j->row0 = m->n_row;
  m->n_row += j->n_row;
  if (j->coord >= 0 && j->n_row > 0) j->coord_row = j->guide ? 0 : j->n_row - 1;
  return rc;
}

// m->held and m->loose. What cannot be counted at the reference is left to who asks for it.
static mw_code springs_of_reduction(mw_mech *m, mw_arena *mem, mw_error *err)
{
  const mw_reduction_in *in = &m->model->reduction;
  unsigned char *held = mw_arena_alloc(mem, (size_t)m->n_coord, 1),
                *loose = mw_arena_alloc(mem, (size_t)m->n_joint, 1);
  mw_error unsaid;
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK || !in->present || !mw_mech_mark_springs(m, loose)) return rc;
  for (int i = 0; i < in->n_coordinate; i++) held[m->joint[in->coordinate[i].joint].coord] = 1;
  rc = mw_mech_loose_springs(m, held, loose, &unsaid);
  if (rc == MW_OK) {
    m->held = held;
    m->loose = loose;
  }
  if (rc == MW_ERR_MEMORY && err) *err = unsaid;
  return rc == MW_ERR_MEMORY ? rc : MW_OK;
}

mw_code mw_mech_build(const mw_model *model, const mw_body *bodies, mw_arena *mem, mw_mech *out,
                      mw_error *err)
{
  mw_mech m = { .model = model, .n_body = model->n_body, .n_joint = model->n_joint };
  size_t nb = (size_t)m.n_body, nj = (size_t)m.n_joint;
  m.body = mw_arena_alloc(mem, nb, sizeof *m.body);
  m.joint = mw_arena_alloc(mem, nj, sizeof *m.joint);
  m.coord_joint = mw_arena_int(mem, nj);
  m.p0 = mw_arena_f64(mem, 12 * nb);
  m.s0 = mw_arena_f64(mem, nj);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m.n_body; b++) {
    m.body[b] = bodies[b];
    memcpy(m.p0 + 12 * b, model->body[b].origin, 3 * sizeof(double));
    memcpy(m.p0 + 12 * b + 3, model->body[b].axes, 9 * sizeof(double));
  }
  for (int j = 0; rc == MW_OK && j < m.n_joint; j++) {
    double s0 = 0.0;
    rc = build_joint(&m, j, mem, &s0, err);
    if (rc == MW_OK && m.joint[j].coord >= 0) m.s0[m.joint[j].coord] = s0;
  }
  for (int j = 0; rc == MW_OK && j < m.n_joint; j++)
    if (model->joint[j].stroke.n > 0)
      m.joint[j].s_coord = m.joint[model->joint[j].stroke.joint].coord;
  if (rc == MW_OK) m.size = mw_mech_size(&m);
  for (int j = 0; rc == MW_OK && j < m.n_joint; j++) rc = check_reference(&m, &m.joint[j], err);
  if (rc == MW_OK) rc = springs_of_reduction(&m, mem, err);
  if (rc == MW_OK) *out = m;
  return rc;
}

static mw_code rigid_only(mw_at at, const char *what, const char *name, const char *why,
                          mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, at,
                 "%s %.64s is known to the rigid path only (--path rigid): %s", what, name, why);
}

mw_code mw_mech_check_elastic(const mw_mech *m, bool components, mw_error *err)
{
  const mw_model *model = m->model;
  if (model->n_component > 0 && !components)
    return mw_fail(
        err, MW_ERR_INPUT, model->component[0].at,
        "component %.64s: reduced models and buckling ask for more than small motions at "
        "a position: how parts inside move as coordinates do, and what forces inside "
        "stiffen, its interface does not tell; expected each elastic body as a component "
        "of its own (reduce, export --to component) and a run by path rigid, full or "
        "body, or modes, or analyze linearize",
        model->component[0].name);
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint_in *in = m->joint[j].in;
    if (mw_joint_rigid_only(&m->joint[j]))
      return rigid_only(in->at, mw_joint_key(in->kind), in->name, mw_joint_class_of(in)->rigid_only,
                        err);
  }
  if (model->n_force > 0)
    return rigid_only(model->force[0].at, "force", model->force[0].name,
                      "expected a drive for what acts, springs for what holds", err);
  for (int d = 0; d < model->n_drive; d++)
    if (model->drive[d].rotor)
      return rigid_only(model->drive[d].at, "the rotor of drive", model->drive[d].name,
                        "it is no body that could move with what bends, expected a body on a "
                        "joint, and a spring",
                        err);
  if (model->assemble)
    return mw_fail(err, MW_ERR_INPUT, model->assemble_at,
                   "rough positions (assemble: true) are known to the rigid path only "
                   "(--path rigid)");
  return MW_OK;
}

int mw_mech_coord(const mw_mech *m, const char *name)
{
  for (int c = 0; c < m->n_coord; c++)
    if (strcmp(mw_mech_coord_name(m, c), name) == 0) return c;
  return -1;
}

const char *mw_mech_coord_name(const mw_mech *m, int c)
{
  const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
  return in->coordinate ? in->coordinate : in->name;
}

mw_joint_eval mw_joint_eval_init(const mw_mech *m, mw_arena *mem)
{
  size_t n = 0, z = 0;
  for (int j = 0; j < m->n_joint; j++)
    if ((size_t)m->joint[j].n_row > n) n = (size_t)m->joint[j].n_row;
  for (int b = 0; b < m->n_body; b++)
    if ((size_t)m->body[b].n_z > z) z = (size_t)m->body[b].n_z;
  mw_joint_eval e = { .g = mw_arena_f64(mem, n),
                      .Ja = mw_arena_f64(mem, 12 * n),
                      .Jb = mw_arena_f64(mem, 12 * n),
                      .Za = mw_arena_f64(mem, z * n),
                      .Zb = mw_arena_f64(mem, z * n),
                      .Js = mw_arena_f64(mem, n),
                      .Ra = mw_arena_f64(mem, 3 * n) };
  return e;
}

// Rows of a spring whose stiffness varies: times √f, and their derivative by s (stroke.h).
static void vary(const mw_joint *j, int nza, int nzb, double s, mw_joint_eval *e)
{
  double slope, root = mw_stroke_eval(&j->in->stroke, s, &slope);
  size_t n = (size_t)j->n_row;
  for (size_t i = 0; i < n; i++) {
    e->Js[i] = slope * e->g[i];
    e->g[i] *= root;
  }
  for (size_t i = 0; i < 12 * n; i++) e->Ja[i] *= root;
  for (size_t i = 0; i < 12 * n; i++) e->Jb[i] *= root;
  for (size_t i = 0; i < n * (size_t)nza; i++) e->Za[i] *= root;
  for (size_t i = 0; i < n * (size_t)nzb; i++) e->Zb[i] *= root;
  for (size_t i = 0; i < 3 * n; i++) e->Ra[i] *= root;
}

mw_code mw_joint_eval_at(const mw_mech *m, int index, const double *pa, const double *za,
                         const double *pb, const double *zb, double s, mw_joint_eval *e,
                         mw_error *err)
{
  const mw_joint *j = &m->joint[index];
  int nza = m->body[j->a].n_z, nzb = m->body[j->b].n_z;
  size_t n = (size_t)j->n_row;
  memset(e->Ja, 0, 12 * n * sizeof(double));
  memset(e->Jb, 0, 12 * n * sizeof(double));
  memset(e->Za, 0, n * (size_t)nza * sizeof(double));
  memset(e->Zb, 0, n * (size_t)nzb * sizeof(double));
  memset(e->Js, 0, n * sizeof(double));
  memset(e->Ra, 0, 3 * n * sizeof(double));
  mw_joint_sides k = { .a = { .p = pa, .z = za, .z0 = j->za, .n_z = nza, .J = e->Ja, .Z = e->Za },
                       .b = { .p = pb, .z = zb, .z0 = j->zb, .n_z = nzb, .J = e->Jb, .Z = e->Zb },
                       .s = s };
  mw_side_init(&k.a, j->Xa, j->Fa);
  mw_side_init(&k.b, j->Xb, j->Fb);
  const mw_joint_class *class = mw_joint_class_of(j->in);
  if (!class->elastic) {
    mw_joint_list_eval(j, &k, e);
    if (j->in->stroke.n > 0) vary(j, nza, nzb, s, e);
    return MW_OK;
  }
  mw_code rc = class->elastic(j, &k, e, err);
  if (rc == MW_OK || !err) return rc;
  char why[sizeof err->msg];
  memcpy(why, err->msg, sizeof why);
  return mw_fail(err, rc, j->in->at, "joint %s: %.400s", j->name, why);
}

void mw_mech_point(const mw_mech *m, mw_ref ref, const double offset[3], const double *p,
                   const double *z, double x[3], double *Jp, double *Jz)
{
  const mw_frame *f = frame_of(m, ref);
  int z0 = mw_mech_frame_z(m, ref);
  const double *E = p + 3, zero[6] = { 0.0 }, *t = z && z0 >= 0 ? z + z0 : zero;
  double Y[3], arm[3];
  // x = o + E (X + t + exp(r~) offset)
  mw_turn3(t + 3, offset, arm);
  for (int i = 0; i < 3; i++) Y[i] = (f ? f->X[i] : 0.0) + t[i] + arm[i];
  mw_mul33v(E, Y, x);
  for (int i = 0; i < 3; i++) x[i] += p[i];
  if (Jp)
    for (int i = 0; i < 3; i++)
      for (int b = 0; b < 3; b++) {
        Jp[12 * i + b] = E[3 * i + b];
        for (int a = 0; a < 3; a++) Jp[12 * i + 3 + 3 * b + a] = E[3 * i + b] * Y[a];
      }
  for (int i = 0; Jz && i < 3; i++) {
    double *row = Jz + 6 * i;
    mw_cross3(arm, E + 3 * i, row + 3);  // E_i·((T dr) × arm)
    mw_turn_moment3(t + 3, row + 3, row + 3);
    for (int k = 0; k < 6; k++) row[k] = z0 < 0 ? 0.0 : k < 3 ? E[3 * i + k] : row[k];
  }
}

void mw_mech_point_motion(const mw_mech *m, mw_ref ref, const double offset[3],
                          const mw_point_state *k, double v[3], double a[3])
{
  static const double none[12] = { 0.0 };
  const mw_frame *f = frame_of(m, ref);
  int z0 = mw_mech_frame_z(m, ref);
  const double *p = k->p, *pd = k->pd ? k->pd : none, *pdd = k->pdd ? k->pdd : none;
  const double *t = k->z && z0 >= 0 ? k->z + z0 : none, *td = k->zd && z0 >= 0 ? k->zd + z0 : none,
               *tdd = k->zdd && z0 >= 0 ? k->zdd + z0 : none;
  double arm[3], w[3], wd[3], more[3], turned[3], Y[3], Yd[3], Ydd[3], x[3];
  // x = o + E Y ,  Y = X + t + exp(r~) offset ,  exp(r~)' = ω~ exp(r~) ,  ω = T r'
  mw_turn3(t + 3, offset, arm);
  mw_turn_rate3(t + 3, td + 3, w);
  mw_turn_rate3(t + 3, tdd + 3, wd);
  mw_turn_bend3(t + 3, td + 3, more);
  for (int i = 0; i < 3; i++) wd[i] += more[i];
  mw_cross3(w, arm, turned);
  for (int i = 0; i < 3; i++) {
    Y[i] = (f ? f->X[i] : 0.0) + t[i] + arm[i];
    Yd[i] = td[i] + turned[i];
  }
  mw_cross3(w, turned, more);
  mw_cross3(wd, arm, turned);
  for (int i = 0; i < 3; i++) Ydd[i] = tdd[i] + turned[i] + more[i];
  // x' = o' + E' Y + E Y' ,  x'' = o'' + E'' Y + 2 E' Y' + E Y''
  mw_mul33v(pd + 3, Y, v);
  mw_mul33v(p + 3, Yd, x);
  for (int i = 0; i < 3; i++) v[i] += pd[i] + x[i];
  mw_mul33v(pdd + 3, Y, a);
  mw_mul33v(pd + 3, Yd, x);
  for (int i = 0; i < 3; i++) a[i] += pdd[i] + 2.0 * x[i];
  mw_mul33v(p + 3, Ydd, x);
  for (int i = 0; i < 3; i++) a[i] += x[i];
}

double mw_mech_size(const mw_mech *m)
{
  double size = 0.0;
  if (m->size > 0.0) return m->size;
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    if (mw_model_component_of(m->model, b)) continue;  // its component speaks for it
    size = fmax(size, mw_norm3(m->p0 + 12 * b));
    // ∫ρ|X|²: the radius of gyration about the frame's origin
    if (body->m > 0.0) size = fmax(size, sqrt((body->J[0] + body->J[4] + body->J[8]) / body->m));
  }
  for (int j = 0; j < m->n_joint; j++) {
    size = fmax(size, fmax(mw_norm3(m->joint[j].Xa), mw_norm3(m->joint[j].Xb)));
    if (m->joint[j].guide) size = fmax(size, m->joint[j].guide->length);
  }
  for (int k = 0; k < m->model->n_component; k++)
    size = fmax(size, m->model->component[k].size.size);
  return size > 0.0 ? size : 1.0;
}
