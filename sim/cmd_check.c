// SPDX-License-Identifier: BSD-3-Clause
// cmd_check.c: modeway check: what a model is.
#include <stdlib.h>
#include <string.h>

#include "cmd_priv.h"

typedef struct checked {
  double mass;
  int mobility;
  int *redundant;          // [n_joint]
  double *rigid_residual;  // [n_body]
} checked;

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
  if (rc == MW_OK) rc = mw_mech_mobility(m, m->p0, m->s0, &r->mobility, r->redundant, err);
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
      "the rigid mechanism in its reference configuration. Fails when a motion is left free\n"
      "with the reduction's coordinates held.\n\n"
      "--json: {\"name\", \"mass_kg\" of all bodies, \"unknowns\": elastic ones, 12 a moving\n"
      "  frame, 1 a joint coordinate, \"mobility\", \"redundant\": [{\"joint\", \"rows\"}],\n"
      "  \"bodies\": [{\"name\", \"mass_kg\", \"com\": [x, y, z] m in body axes, \"inertia\": [xx,\n"
      "  yy, zz, xy, xz, yz] kg m2 about the centre of mass, \"unknowns\": elastic ones,\n"
      "  \"rigid_residual\": largest relative force of the stiffness matrix in a rigid\n"
      "  motion}]}\n",
  .run = run,
};
