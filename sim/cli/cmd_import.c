// SPDX-License-Identifier: BSD-3-Clause
// cmd_import.c: modeway import: a model file from a robot or an assembly of
// other programs.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wholefile.h"
#include "cmd_layer.h"
#include "import/import_layer.h"

static void print_notes(const mw_import_result *r)
{
  for (int k = 0; k < r->n_note; k++) {
    const mw_import_note *n = &r->note[k];
    if (n->at.line > 0)
      fprintf(stderr, "%s:%d:%d: note: %s\n", n->at.file, n->at.line, n->at.col, n->text);
    else
      fprintf(stderr, "%s: note: %s\n", n->at.file, n->text);
  }
}

static void print_json(const mw_import_result *r, const char *out)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "model", out);
  mw_json_str(&j, "from", r->kind);
  mw_json_num(&j, "bodies", r->n_body);
  mw_json_num(&j, "joints", r->n_joint);
  mw_json_num(&j, "proposed", r->n_proposed);
  mw_json_array(&j, "notes");
  for (int k = 0; k < r->n_note; k++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "file", r->note[k].at.file);
    mw_json_num(&j, "line", r->note[k].at.line);
    mw_json_num(&j, "column", r->note[k].at.col);
    mw_json_str(&j, "text", r->note[k].text);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

static mw_code put(const char *path, const char *text, mw_error *err)
{
  FILE *f = fopen(path, "wx");
  bool okay = f && fputs(text, f) >= 0;
  if (f && fclose(f) != 0) okay = false;
  return okay ? MW_OK
              : mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be written: %s",
                        strerror(errno));
}

// Under another name first, read as a model where it is one, then renamed.
static mw_code write_model(const mw_import_result *r, const char *out, mw_error *err)
{
  mw_model m = { 0 };
  mw_error why = { 0 };
  mw_wholefile whole;
  mw_code rc = mw_wholefile_open(out, &whole, err);
  if (rc != MW_OK) return rc;
  rc = put(whole.made, r->text, err);
  if (rc == MW_OK && r->whole && mw_model_read(whole.made, &m, &why) != MW_OK)
    rc = mw_fail(err, why.code, MW_NOWHERE, "the model made of it is refused (line %d): %s",
                 why.line, why.msg);
  mw_model_free(&m);
  mw_code closed = mw_wholefile_close(&whole, out, rc == MW_OK, rc == MW_OK ? err : NULL);
  return rc == MW_OK ? closed : rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_import_result r = { 0 };
  mw_import_opt opt = { .free_base = mw_args_value(a, "free-base") != NULL };
  const char *out = mw_args_value(a, "output");
  mw_code rc = mw_args_f64(a, "density", 1e-3, 1e6, &opt.density, &err);
  if (rc == MW_OK) rc = mw_import_read(a->operand, &opt, &mem, &r, &err);
  if (rc == MW_OK) rc = write_model(&r, out, &err);
  if (rc == MW_OK) {
    if (!a->quiet) print_notes(&r);
    if (a->json)
      print_json(&r, out);
    else
      printf("%s: %d bodies, %d joints%s\n", out, r.n_body, r.n_joint,
             r.whole ? ""
                     : mw_arena_printf(&mem, ", %d joints proposed as comments", r.n_proposed));
  }
  mw_arena_free(&mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_import = {
  .name = "import",
  .operand = "FILE",
  .summary = "a model file from a CAD assembly, URDF or MJCF",
  .doc = "Takes over what is rigid, in SI units:\n\n"
         "  assembly.step  (.stp .iges .igs, read by modeway-mesher) a body "
         "a solid, of the density\n"
         "                 that is given, its origin at its centre of mass, "
         "its axes those of the\n"
         "                 file; joints are proposed as comments where faces "
         "are coaxial or coplanar,\n"
         "                 to be confirmed by hand: until then the model is "
         "none\n"
         "  robot.urdf     links with their inertials in the frames of the "
         "links; joints revolute,\n"
         "                 continuous, prismatic, planar, floating; limits, "
         "damping, friction. Links\n"
         "                 that fixed joints hold together are one body, the "
         "others its frames. The\n"
         "                 root is ground unless --free-base is given\n"
         "  scene.xml      MJCF: bodies with their inertials, or the masses "
         "of boxes, spheres,\n"
         "                 ellipsoids, cylinders and capsules; joints hinge, "
         "slide, ball, free and\n"
         "                 what several make together; ranges, damping, "
         "frictionloss, stiffness;\n"
         "                 classes of defaults, included files\n\n"
         "Each coordinate has a drive of its joint's name. What is not taken "
         "over (shapes, actuators,\n"
         "tendons, armature, ...) is named on stderr, a line each. Robots "
         "are read back before the\n"
         "file is in its place.\n\n"
         "--json: {\"model\", \"from\": urdf, mjcf or cad, \"bodies\", "
         "\"joints\", \"proposed\",\n"
         "  \"notes\": [{\"file\", \"line\", \"column\", \"text\"}]}\n",
  .option = { { 'o', "output", "MODEL.yaml", "the model file", MW_OPT_REQUIRED | MW_OPT_WRITES },
              { 0, "density", "KG/M3", "of all solids of a CAD file", 0 },
              { 0, "free-base", NULL, "URDF: the root link moves freely", 0 } },
  .run = run,
};
