// SPDX-License-Identifier: BSD-3-Clause
// cmd_check.c: modeway check: what a model is, whether it can be meant, and a picture of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_layer.h"
#include "cmd_layer.h"
#include "view/picture_layer.h"
#include "view/vtu_layer.h"

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
    rc = mw_mech_rigid_solve(m, locked, m->s0, p, q, err);
  }
  if (rc == MW_OK) rc = mw_mech_rigid_modes(m, locked, p, q, v, s_dot, err);
  mw_arena_free(&tmp);
  return rc;
}

// The machine as it stands, for ParaView.
static mw_code write_vtk(const mw_mech *m, const double *p, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_vtu_grid g;
  mw_code rc = mw_vtu_grid_build(m, &mem, &g, err);
  if (rc == MW_OK) {
    double *X = mw_arena_f64(&mem, 3 * (size_t)g.n_point);
    rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) mw_vtu_points(&g, p, X);
    if (rc == MW_OK) rc = mw_vtu_write(&g, X, 0, NULL, path, err);
  }
  mw_arena_free(&mem);
  return rc;
}

// --view x,y,z
static mw_code view(const mw_args *a, mw_picture_opt *opt, mw_error *err)
{
  const char *text = mw_args_value(a, "view");
  char *end = NULL;
  if (!text) return MW_OK;
  if (!mw_args_value(a, "picture"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--view belongs to --picture FILE");
  for (int i = 0; i < 3; i++) {
    opt->eye[i] = strtod(text, &end);
    if (end == text || *end != (i < 2 ? ',' : '\0') || !isfinite(opt->eye[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--view: found \"%s\", expected x,y,z",
                     mw_args_value(a, "view"));
    text = end + 1;
  }
  return MW_OK;
}

static mw_code pictures(const mw_args *a, const mw_mech *m, const mw_check *r,
                        const mw_picture_opt *opt, mw_error *err)
{
  const char *vtk = mw_args_value(a, "vtk"), *picture = mw_args_value(a, "picture");
  mw_code rc = vtk ? write_vtk(m, r->p, vtk, err) : MW_OK;
  return rc == MW_OK && picture ? mw_picture_write(m, r->p, r->s, opt, picture, err) : rc;
}

static mw_code structure(const mw_args *a, mw_case *c, mw_check *r, mw_rigid_structure *o,
                         mw_error *err)
{
  const char *path = mw_args_value(a, "structure");
  if (!path) return MW_OK;
  mw_code rc = mw_check_structure(&c->mech, &c->mem, o, err);
  if (rc == MW_OK) rc = mw_check_structure_write(&c->mech, o, path, err);
  r->structure = o;
  return rc;
}

static mw_code judge(const mw_mech *m, const mw_check *r, mw_error *err)
{
  for (int b = 0; b < m->n_body; b++) {
    mw_code rc = mw_body_judge(&m->body[b], &r->body[b], err);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

static int run(const mw_args *a)
{
  mw_case c;
  mw_error err = { 0 };
  mw_check r = { 0 };
  mw_rigid_structure blocks;
  mw_picture_opt opt = mw_picture_opt_default();
  mw_code rc = view(a, &opt, &err);
  if (rc == MW_OK) rc = mw_args_case(a, a->operand, &c, NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = mw_check_run(&c.mech, mw_args_value(a, "deep") != NULL, &c.mem, &r, &err);
  if (rc == MW_OK) rc = pictures(a, &c.mech, &r, &opt, &err);
  if (rc == MW_OK) rc = structure(a, &c, &r, &blocks, &err);
  if (rc == MW_OK) {
    if (a->json)
      mw_check_print_json(&c.mech, &r);
    else
      mw_check_print_text(&c.mech, &r);
    rc = judge(&c.mech, &r, &err);
  }
  if (rc == MW_OK && c.model.reduction.present) rc = check_reduction(&c, &err);
  mw_case_free(&c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_check = {
  .name = "check",
  .operand = "MODEL",
  .summary = "what a model is: bodies, elements, free motions, mobility; its picture",
  .doc =
      "Reads a model and its meshes, builds all bodies, and counts: the mobility is that of\n"
      "the rigid mechanism in its reference configuration, assembled where the model says so\n"
      "(or says which joint stays open and by how much); springs hold nothing in it, elastic\n"
      "runners and bearings do. Fails when a motion is left free\n"
      "with the reduction's coordinates held.\n\n"
      "Elastic bodies: mass, centre and inertia beside the CAD file's or those expected;\n"
      "elements by kind and the worst one (smallest corner Jacobian over its edges, 1 is\n"
      "ideal); nodes in one place that are not tied; motions that cost no energy, counted by\n"
      "an inertia count: six of a free body, none of one on the ground. More of them are a\n"
      "mechanism inside the body; then the check fails, and says which node moves most.\n"
      "Runners and pads on a mesh too coarse for them are named with the size they need; with\n"
      "a reduction, so are beams whose elements show in what unit loads at outputs and drives\n"
      "work by half of what its tolerance allows: no grid resolves these. The size they need is\n"
      "that of errors in proportion to it, as beside mounts; elsewhere longer ones may do.\n"
      "Scenarios whose controllers are unstable on the rigid mechanism where they start are\n"
      "named, with frequency and growth (a factor of e within the scenario or more), and those\n"
      "that cannot be judged.\n"
      "--structure draws which blocks of bodies and rows the rigid path eliminates, in their\n"
      "order, and which of them fill.\n\n"
      "--json: {\"name\", \"mass_kg\" of all bodies, \"unknowns\": elastic ones, 12 a moving\n"
      "  frame, 1 a joint coordinate, \"mobility\", \"warning\" of a gravity that may be in\n"
      "  mm/s2, \"friction\": that follows reactions which are not unique, \"redundant\":\n"
      "  [{\"joint\", \"rows\"}],\n"
      "  \"joints\": [{\"name\", \"kind\" (\"inside\": a component has its rows), \"a\", \"b\":\n"
      "  bodies, \"rows\", \"elastic\": those with a\n"
      "  stiffness, \"redundant\", \"coordinate\", \"value\": m or rad,\n"
      "  \"warning\": a mesh too coarse under its runners, \"ripple\": of slides on beams, how\n"
      "  much of the compliance under unit loads comes and goes from node to node, of slides\n"
      "  \"notes\": a slider off its guide, couples left out}], \"unjudged\": why ripples are\n"
      "  not known, \"assembled\": {\"moved_m\",\n"
      "  \"turned_rad\": largest corrections, \"bodies\": [{\"name\", \"at\", \"axes\"}]},\n"
      "  \"scenarios\": [{\"name\", \"warning\", \"unjudged\"}] whose loops are unstable or not\n"
      "  judged,\n"
      "  \"components\": [{\"name\", \"file\", \"made_from\": SHA-256, \"frames\", \"ports\"}],\n"
      "  \"certificate\": {\"met\", \"missed\": by which components in what, \"band\": Hz,\n"
      "    \"errors\": {NAME: that of the component that errs most}}, of components with one,\n"
      "  \"bodies\": [{\"name\", \"mass_kg\", \"com\": [x, y, z] m in body axes, \"inertia\": "
      "[xx,\n"
      "  yy, zz, xy, xz, yz] kg m2 about the centre of mass, \"unknowns\": elastic ones,\n"
      "  \"rigid_residual\": largest relative force of the stiffness matrix in a rigid\n"
      "  motion, \"reference\": {\"source\": cad or expected, relative differences \"mass\",\n"
      "  \"com\" over the body's size, \"inertia\"}, \"straightened\": curved elements of a CAD\n"
      "  file made less curved, \"elements\": {KIND: number},\n"
      "  \"worst_element\": {\"number\", \"quality\", \"at\"}, \"coincident_nodes\",\n"
      "  \"zero_modes\": {\"found\", \"expected\", \"lowest_hz\": lowest elastic frequency, free\n"
      "  or held by supports, \"condition\": what relative errors of the stiffness matrix are\n"
      "  magnified by in its square, \"node\", \"at\": what moves},\n"
      "  \"warnings\"}]; with --structure \"structure\": {\"nodes\", \"groups\", \"blocks\",\n"
      "  \"fill\": blocks of it, \"entries\", \"fill_entries\": numbers in them}}\n",
  .option = { { 0, "deep", NULL, "count free motions in bodies above 200000 unknowns, too", 0 },
              { 0, "picture", "FILE", "the assembled machine as FILE.png, .svg or .html",
                MW_OPT_WRITES },
              { 0, "view", "x,y,z", "from where, in ground axes (default 1,-1,1)", 0 },
              { 0, "structure", "FILE",
                "FILE.svg, .html or .png: blocks and fill of the rigid elimination, drawn",
                MW_OPT_WRITES },
              { 0, "vtk", "FILE.vtu", "the assembled machine for ParaView", MW_OPT_WRITES },
              MW_OPTION_SET },
  .run = run,
};
