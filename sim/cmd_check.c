// SPDX-License-Identifier: BSD-3-Clause
// cmd_check.c: modeway check: what a model is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "cmd_priv.h"

typedef struct checked {
  double mass;
  int mobility;
  int *redundant;          // [n_joint]
  double *rigid_residual;  // [n_body]
  double *p,
      *s;  // [n_body × 12], [n_coord]  where everything is: assembled, or the reference configuration
  double moved, turned;  // m, rad: largest correction of the assembly
} checked;

static const char *const kind_name[] = { [MW_JOINT_FIXED] = "fixed",
                                         [MW_JOINT_REVOLUTE] = "revolute",
                                         [MW_JOINT_PRISMATIC] = "prismatic",
                                         [MW_JOINT_SPHERICAL] = "spherical",
                                         [MW_JOINT_SLIDE] = "slide",
                                         [MW_JOINT_SPRING] = "spring",
                                         [MW_JOINT_CYLINDRICAL] = "cylindrical",
                                         [MW_JOINT_UNIVERSAL] = "universal",
                                         [MW_JOINT_PLANAR] = "planar",
                                         [MW_JOINT_SCREW] = "screw",
                                         [MW_JOINT_DISTANCE] = "distance",
                                         [MW_JOINT_CURVE] = "curve",
                                         [MW_JOINT_ROLLING] = "rolling",
                                         [MW_JOINT_GEAR] = "gear" };

// Rows of a joint that hold something; *elastic: those of them with a stiffness.
static int rows_of(const mw_joint *j, int *elastic)
{
  int n = 0;
  *elastic = 0;
  for (int i = 0; i < j->n_list; i++) {
    int rows = j->list[i].kind == MW_ROW_POINT ? 3 : 1;
    n += rows;
    if (isfinite(j->list[i].k)) *elastic += rows;
  }
  switch (j->in->kind) {
  case MW_JOINT_SCREW:
  case MW_JOINT_DISTANCE:
  case MW_JOINT_GEAR: return n + 1;
  case MW_JOINT_CURVE: return n + 2;
  case MW_JOINT_ROLLING: return n + 3;
  default: return n;
  }
}

// Angle between the axes before and behind: cos = (tr E0ᵀE − 1)/2, from the sine where it is small
static double turn(const double *E0, const double *E)
{
  double C[9], w[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = E0[i] * E[j] + E0[3 + i] * E[3 + j] + E0[6 + i] * E[6 + j];
  w[0] = C[7] - C[5];
  w[1] = C[2] - C[6];
  w[2] = C[3] - C[1];
  return atan2(0.5 * mw_norm3(w), 0.5 * (C[0] + C[4] + C[8] - 1.0));
}

static mw_code assemble(mw_case *c, checked *r, mw_error *err)
{
  mw_mech *m = &c->mech;
  r->p = mw_arena_f64(&c->mem, 12 * (size_t)m->n_body);
  r->s = mw_arena_f64(&c->mem, (size_t)m->n_coord);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(r->p, m->p0, 12 * (size_t)m->n_body * sizeof *r->p);
  memcpy(r->s, m->s0, (size_t)m->n_coord * sizeof *r->s);
  if (!c->model.assemble) return MW_OK;
  rc = mw_mech_rigid_solve(m, NULL, r->p, r->s, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const double *from = m->p0 + 12 * b, *to = r->p + 12 * b;
    double d[3] = { to[0] - from[0], to[1] - from[1], to[2] - from[2] };
    r->moved = fmax(r->moved, mw_norm3(d));
    r->turned = fmax(r->turned, turn(from + 3, to + 3));
  }
  return rc;
}

// Centre of mass and inertia tensor about it (xx yy zz xy xz yz), body axes, from m, mX, J = ∫ρ X
// Xᵀ:
//   I_o = tr J 1 − J ,   I_c = I_o − m (c·c 1 − c cᵀ)
static void mass_properties(const mw_body *b, double c[3], double I[6])
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  for (int i = 0; i < 3; i++) c[i] = b->m > 0.0 ? b->mX[i] / b->m : 0.0;
  double tr = b->J[0] + b->J[4] + b->J[8], cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (int k = 0; k < 6; k++) {
    int i = row[k], j = col[k];
    I[k] = (i == j ? tr - b->m * cc : 0.0) - b->J[3 * i + j] + b->m * c[i] * c[j];
  }
}

static mw_code examine(mw_case *c, checked *r, mw_error *err)
{
  mw_mech *m = &c->mech;
  r->redundant = mw_arena_int(&c->mem, (size_t)m->n_joint);
  r->rigid_residual = mw_arena_f64(&c->mem, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    r->mass += m->body[b].m;
    rc = mw_body_check(&m->body[b], &r->rigid_residual[b], err);
  }
  if (rc == MW_OK) rc = assemble(c, r, err);
  if (rc == MW_OK) rc = mw_mech_mobility(m, r->p, r->s, &r->mobility, r->redundant, err);
  return rc;
}

// With the reduction's coordinates held, nothing may be left free.
static mw_code check_reduction(mw_case *c, mw_error *err)
{
  const mw_reduction_in *in = &c->model.reduction;
  mw_mech *m = &c->mech;
  mw_arena tmp = { 0 };
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, s = (size_t)in->n_coordinate;
  unsigned char *locked = mw_arena_alloc(&tmp, nc, 1);
  double *p = mw_arena_f64(&tmp, 12 * nb), *q = mw_arena_f64(&tmp, nc);
  double *v = mw_arena_f64(&tmp, s * 6 * nb), *s_dot = mw_arena_f64(&tmp, s * nc);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    memcpy(p, m->p0, 12 * nb * sizeof *p);
    memcpy(q, m->s0, nc * sizeof *q);
    for (int i = 0; i < in->n_coordinate; i++) locked[mw_mech_coord(m, in->coordinate[i].name)] = 1;
    rc = mw_mech_rigid_solve(m, locked, p, q, err);
  }
  if (rc == MW_OK) rc = mw_mech_rigid_modes(m, locked, p, q, v, s_dot, err);
  mw_arena_free(&tmp);
  return rc;
}

static void json_joints(mw_json *j, const mw_case *c, const checked *r)
{
  mw_json_array(j, "joints");
  for (int k = 0; k < c->mech.n_joint; k++) {
    const mw_joint *joint = &c->mech.joint[k];
    int elastic, rows = rows_of(joint, &elastic);
    mw_json_object(j, NULL);
    mw_json_str(j, "name", joint->name);
    mw_json_str(j, "kind", kind_name[joint->in->kind]);
    mw_json_str(j, "a", c->mech.body[joint->a].name);
    mw_json_str(j, "b", c->mech.body[joint->b].name);
    mw_json_num(j, "rows", rows);
    mw_json_num(j, "elastic", elastic);
    mw_json_num(j, "redundant", r->redundant[k]);
    if (joint->coord >= 0) {
      mw_json_str(j, "coordinate", mw_mech_coord_name(&c->mech, joint->coord));
      mw_json_num(j, "value", r->s[joint->coord]);
    }
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

static void json_assembled(mw_json *j, const mw_case *c, const checked *r)
{
  mw_json_object(j, "assembled");
  mw_json_num(j, "moved_m", r->moved);
  mw_json_num(j, "turned_rad", r->turned);
  mw_json_array(j, "bodies");
  for (int b = 0; b < c->mech.n_body; b++) {
    mw_json_object(j, NULL);
    mw_json_str(j, "name", c->mech.body[b].name);
    mw_json_array(j, "at");
    for (int i = 0; i < 3; i++) mw_json_num(j, NULL, r->p[12 * b + i]);
    mw_json_end(j, ']');
    mw_json_array(j, "axes");
    for (int i = 0; i < 9; i++) mw_json_num(j, NULL, r->p[12 * b + 3 + i]);
    mw_json_end(j, ']');
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

static void print_json(const mw_case *c, const checked *r)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "name", c->model.name);
  mw_json_num(&j, "mass_kg", r->mass);
  mw_json_num(&j, "unknowns", mw_mech_unknowns(&c->mech));
  mw_json_num(&j, "mobility", r->mobility);
  mw_json_array(&j, "redundant");
  for (int k = 0; k < c->mech.n_joint; k++) {
    if (r->redundant[k] == 0) continue;
    mw_json_object(&j, NULL);
    mw_json_str(&j, "joint", c->mech.joint[k].name);
    mw_json_num(&j, "rows", r->redundant[k]);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  json_joints(&j, c, r);
  if (c->model.assemble) json_assembled(&j, c, r);
  mw_json_array(&j, "bodies");
  for (int b = 0; b < c->mech.n_body; b++) {
    const mw_body *body = &c->mech.body[b];
    double com[3], I[6];
    mass_properties(body, com, I);
    mw_json_object(&j, NULL);
    mw_json_str(&j, "name", body->name);
    mw_json_num(&j, "mass_kg", body->m);
    mw_json_array(&j, "com");
    for (int i = 0; i < 3; i++) mw_json_num(&j, NULL, com[i]);
    mw_json_end(&j, ']');
    mw_json_array(&j, "inertia");
    for (int i = 0; i < 6; i++) mw_json_num(&j, NULL, I[i]);
    mw_json_end(&j, ']');
    mw_json_num(&j, "unknowns", body->n_u);
    mw_json_num(&j, "rigid_residual", r->rigid_residual[b]);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static void text_joints(const mw_case *c, const checked *r)
{
  const mw_mech *m = &c->mech;
  printf("\n%-16s %-12s %-28s %5s %9s  %s\n", "joint", "kind", "bodies", "rows", "redundant",
         "coordinate");
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *j = &m->joint[k];
    char bodies[64], coordinate[96] = "";
    int elastic, rows = rows_of(j, &elastic);
    snprintf(bodies, sizeof bodies, "%.24s, %.24s", m->body[j->a].name, m->body[j->b].name);
    if (j->coord >= 0)
      snprintf(coordinate, sizeof coordinate, "%.60s = %.6g %s", mw_mech_coord_name(m, j->coord),
               r->s[j->coord], mw_joint_unit(j->in));
    printf("%-16s %-12s %-28s %5d %9d  %s%s\n", j->name, kind_name[j->in->kind], bodies, rows,
           r->redundant[k], coordinate, elastic > 0 ? " (elastic)" : "");
  }
}

static void text_assembled(const mw_case *c, const checked *r)
{
  printf("\nassembled: largest correction %.3g m, %.3g rad\n", r->moved, r->turned);
  for (int b = 0; b < c->mech.n_body; b++) {
    const double *p = r->p + 12 * b;
    if (!c->mech.body[b].ground)
      printf("  %-16s at %.9g %.9g %.9g m\n", c->mech.body[b].name, p[0], p[1], p[2]);
  }
}

static void print_text(const mw_case *c, const checked *r)
{
  const mw_mech *m = &c->mech;
  printf("%s\n%d bodies, %d joints, %.6g kg, %d unknowns, mobility %d\n\n", c->model.name,
         m->n_body, m->n_joint, r->mass, mw_mech_unknowns(m), r->mobility);
  printf("%-16s %12s %30s %9s %15s\n", "body", "mass, kg", "centre of mass, m", "unknowns",
         "rigid residual");
  for (int b = 0; b < m->n_body; b++) {
    double com[3], I[6];
    char text[64];
    mass_properties(&m->body[b], com, I);
    snprintf(text, sizeof text, "%.4g %.4g %.4g", com[0], com[1], com[2]);
    printf("%-16s %12.6g %30s %9d %15.2g\n", m->body[b].name, m->body[b].m, text, m->body[b].n_u,
           r->rigid_residual[b]);
  }
  text_joints(c, r);
  if (c->model.assemble) text_assembled(c, r);
  bool any = false;
  for (int k = 0; k < m->n_joint; k++) {
    if (r->redundant[k] == 0) continue;
    if (!any) printf("\nredundant joint rows (harmless, the reactions are not unique)\n");
    any = true;
    printf("  %s: %d\n", m->joint[k].name, r->redundant[k]);
  }
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  checked r = { 0 };
  mw_code rc = mw_case_read(a->operand, &c, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = examine(&c, &r, &err);
  if (rc == MW_OK) {
    if (a->json)
      print_json(&c, &r);
    else
      print_text(&c, &r);
    if (c.model.reduction.present) rc = check_reduction(&c, &err);
  }
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_check = {
  .name = "check",
  .operand = "MODEL",
  .summary = "what a model is: bodies, unknowns, mobility, redundant joint rows",
  .doc =
      "Reads a model and its meshes, builds all bodies, and counts: the mobility is that of\n"
      "the rigid mechanism in its reference configuration, assembled where the model says so\n"
      "(or says which joint stays open and by how much). Fails when a motion is left free\n"
      "with the reduction's coordinates held.\n\n"
      "--json: {\"name\", \"mass_kg\" of all bodies, \"unknowns\": elastic ones, 12 a moving\n"
      "  frame, 1 a joint coordinate, \"mobility\", \"redundant\": [{\"joint\", \"rows\"}],\n"
      "  \"joints\": [{\"name\", \"kind\", \"a\", \"b\": bodies, \"rows\", \"elastic\": those with a\n"
      "  stiffness, \"redundant\", \"coordinate\", \"value\": m or rad}], \"assembled\": {\"moved_m\",\n"
      "  \"turned_rad\": largest corrections, \"bodies\": [{\"name\", \"at\", \"axes\"}]},\n"
      "  \"bodies\": [{\"name\", \"mass_kg\", \"com\": [x, y, z] m in body axes, \"inertia\": [xx,\n"
      "  yy, zz, xy, xz, yz] kg m2 about the centre of mass, \"unknowns\": elastic ones,\n"
      "  \"rigid_residual\": largest relative force of the stiffness matrix in a rigid\n"
      "  motion}]}\n",
  .run = run,
};
