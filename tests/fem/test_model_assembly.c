// SPDX-License-Identifier: BSD-3-Clause
// test_model_assembly.c: a model of assemblies is the flat model that has the same parts under the
// same names, digest included, wherever its definitions stand; mirrored assemblies are the parts
// that are mirrored by hand. Broken ones: tests/bad/model/assembly_*.yaml.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fem/model.h"
#include "mw_test.h"

static char folder[64];

static void put(const char *name, const char *text)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return;
  for (const char *p = text; *p; p++) MW_CHECK(fputc(*p == '~' ? '_' : *p, f) != EOF);
  MW_CHECK(fclose(f) == 0);
}

static bool get(const char *name, mw_model *m)
{
  char path[128], text[800];
  mw_error err = { 0 };
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (MW_CHECK(mw_model_read(path, m, &err) == MW_OK)) return true;
  mw_error_print(&err, text, sizeof text);
  fputs(text, stderr);
  return false;
}

static void open_folder(void)
{
  snprintf(folder, sizeof folder, "/tmp/test_model_assembly.%ld", (long)getpid());
  MW_CHECK(mkdir(folder, 0700) == 0);
  char parts[80];
  snprintf(parts, sizeof parts, "%s/parts", folder);
  MW_CHECK(mkdir(parts, 0700) == 0);
}

static void close_folder(void)
{
  static const char *const names[] = { "a.yaml", "b.yaml", "parts/axis.yaml", "parts/link.yaml",
                                       "parts" };
  char path[128];
  for (int k = 0; k < 5; k++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[k]);
    (void)remove(path);
  }
  MW_CHECK(rmdir(folder) == 0);
}

// ---- models that are the same -------------------------------------------------------------------

// Names of the flat model have _ where those of the other have dots.
static bool same_name(const char *flat, const char *path)
{
  size_t n = strlen(flat);
  bool same = n == strlen(path);
  for (size_t i = 0; same && i < n; i++) same = flat[i] == (path[i] == '.' ? '_' : path[i]);
  return same;
}

static bool same_values(const double *a, const double *b, int n)
{
  bool same = true;
  for (int i = 0; i < n; i++) same = same && a[i] == b[i];
  return same;
}

static bool same_body(const mw_body_in *a, const mw_body_in *b)
{
  bool same = same_name(a->name, b->name) && a->ground == b->ground && a->mass == b->mass &&
              a->n_attach == b->n_attach && a->n_guide == b->n_guide && a->n_point == b->n_point;
  same = same && same_values(a->origin, b->origin, 3) && same_values(a->axes, b->axes, 9);
  same = same && same_values(a->com, b->com, 3) && same_values(a->inertia, b->inertia, 6);
  for (int k = 0; same && k < a->n_attach; k++)
    same = same_values(a->attach[k].x, b->attach[k].x, 3) && a->attach[k].mass == b->attach[k].mass;
  for (int k = 0; same && k < a->n_guide; k++)
    same = same_values(a->guide[k].ends[0], b->guide[k].ends[0], 6) &&
           same_values(a->guide[k].normal, b->guide[k].normal, 3);
  for (int k = 0; same && k < a->n_point; k++) same = same_values(a->point[k].x, b->point[k].x, 3);
  return same;
}

static bool same_ref(const mw_ref *a, const mw_ref *b)
{
  return a->body == b->body && a->attach == b->attach;
}

static bool same_joint(const mw_joint_in *a, const mw_joint_in *b)
{
  bool same = same_name(a->name, b->name) && a->kind == b->kind && same_ref(&a->a, &b->a) &&
              same_ref(&a->b, &b->b) && a->measure == b->measure && a->pitch == b->pitch &&
              a->coordinate_damping == b->coordinate_damping && a->n_runner == b->n_runner &&
              !a->coordinate == !b->coordinate && same_values(a->axis, b->axis, 3);
  if (same && a->coordinate) same = same_name(a->coordinate, b->coordinate);
  for (int k = 0; same && k < a->n_runner; k++)
    same = same_values(a->runner[k].shift, b->runner[k].shift, 3);
  return same;
}

static bool same_acts(const mw_model *a, const mw_model *b)
{
  bool same = a->n_drive == b->n_drive && a->n_force == b->n_force && a->n_output == b->n_output &&
              a->n_section == b->n_section && a->n_scenario == b->n_scenario;
  for (int k = 0; same && k < a->n_drive; k++)
    same = same_name(a->drive[k].name, b->drive[k].name) &&
           a->drive[k].joint == b->drive[k].joint && same_ref(&a->drive[k].on, &b->drive[k].on) &&
           same_values(a->drive[k].dir, b->drive[k].dir, 3);
  for (int k = 0; same && k < a->n_force; k++)
    same = same_ref(&a->force[k].a, &b->force[k].a) &&
           same_values(a->force[k].dir, b->force[k].dir, 3) &&
           a->force[k].body_axes == b->force[k].body_axes;
  for (int k = 0; same && k < a->n_output; k++)
    same = same_name(a->output[k].name, b->output[k].name) &&
           same_ref(&a->output[k].ref, &b->output[k].ref) &&
           same_values(a->output[k].x, b->output[k].x, 3);
  for (int k = 0; same && k < a->n_section; k++) same = a->section[k].Iy == b->section[k].Iy;
  for (int k = 0; same && k < a->n_scenario; k++)
    same = a->scenario[k].n_start == b->scenario[k].n_start &&
           same_values(a->scenario[k].start_s, b->scenario[k].start_s, a->scenario[k].n_start);
  return same;
}

static void same_models(const mw_model *flat, const mw_model *m)
{
  bool same = MW_CHECK(flat->n_body == m->n_body && flat->n_joint == m->n_joint);
  for (int b = 0; same && b < m->n_body; b++) {
    same = MW_CHECK(same_body(&flat->body[b], &m->body[b]));
    if (!same) printf("body %s\n", m->body[b].name);
  }
  for (int j = 0; same && j < m->n_joint; j++) {
    same = MW_CHECK(same_joint(&flat->joint[j], &m->joint[j]));
    if (!same) printf("joint %s\n", m->joint[j].name);
  }
  MW_CHECK(same && same_acts(flat, m));
}

// A flat model (~ stands for the _ of its names) and one of assemblies.
static void same(const char *a, const char *b)
{
  mw_model x = { 0 }, y = { 0 };
  open_folder();
  put("a.yaml", a);
  put("b.yaml", b);
  if (get("a.yaml", &x) && get("b.yaml", &y)) same_models(&x, &y);
  mw_model_free(&x);
  mw_model_free(&y);
  close_folder();
}

// Two models of assemblies have one digest.
static void same_digest(const char *a, const char *b)
{
  mw_model x = { 0 }, y = { 0 };
  open_folder();
  put("a.yaml", a);
  put("b.yaml", b);
  if (get("a.yaml", &x) && get("b.yaml", &y)) MW_CHECK(strcmp(x.hash, y.hash) == 0);
  mw_model_free(&x);
  mw_model_free(&y);
  close_folder();
}

// ---- the flat model -----------------------------------------------------------------------------

#define FLAT                                                                                       \
  "modeway: 1\n"                                                                                   \
  "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"                                       \
  "bodies:\n"                                                                                      \
  "  base: { ground: true, guides: { rail: { points: [[0, 0, 0], [1, 0, 0]] } } }\n"               \
  "  axis~cart: { at: [0.25, 0, 0], rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] },\n"            \
  "    frames: { pin: { point: [0, 0, 0.5] } } }\n"                                                \
  "  axis~arm~bar:\n"                                                                              \
  "    at: [0.25, 0, 0.5]\n"                                                                       \
  "    beams:\n"                                                                                   \
  "      points: { a: [0, 0, 0], b: [0.5, 0, 0] }\n"                                               \
  "      members: [{ from: a, to: b, section: axis~arm~tube, material: steel }]\n"                 \
  "    frames: { root: { node: a }, tip: { node: b, mass: 0.5 } }\n"                               \
  "sections: { axis~arm~tube: { tube: { diameter: 0.04, wall: 0.002 } } }\n"                       \
  "joints:\n"                                                                                      \
  "  x: { slide: { guide: base.rail, on: axis~cart }, drive: motor }\n"                            \
  "  axis~pin: { revolute: { a: axis~cart.pin, b: axis~arm~bar.root, axis: [0, 1, 0] },\n"         \
  "    coordinate: axis~phi, drive: axis~swing, damping: 2 }\n"                                    \
  "outputs: { tool: { frame: axis~arm~bar.tip } }\n"                                               \
  "reduction: { coordinates: { x: [0.1, 0.9], axis~phi: [-1, 1] }, inputs: { axis~swing: 5 } }\n"  \
  "scenarios: { s: { duration: 1, start: { x: 0.5, axis~phi: 0.1 },\n"                             \
  "  drives: { motor: { position: 0.5 }, axis~swing: { position: 0.1 } } } }\n"

#define HEAD                                                                                       \
  "modeway: 1\n"                                                                                   \
  "parameters: { size: 0.04 }\n"                                                                   \
  "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"                                       \
  "bodies:\n"                                                                                      \
  "  base: { ground: true, guides: { rail: { points: [[0, 0, 0], [1, 0, 0]] } } }\n"               \
  "joints: { x: { slide: { guide: base.rail, on: axis.slider }, drive: motor } }\n"                \
  "outputs: { tool: { frame: axis.tool } }\n"                                                      \
  "reduction: { coordinates: { x: [0.1, 0.9], axis.angle: [-1, 1] },\n"                            \
  "  inputs: { axis.swing: 5 } }\n"                                                                \
  "scenarios: { s: { duration: 1, start: { x: 0.5, axis.angle: 0.1 },\n"                           \
  "  drives: { motor: { position: 0.5 }, axis.swing: { position: 0.1 } } } }\n"

#define AXIS(link)                                                                                 \
  "    bodies: { cart: { rigid: { mass: $m, inertia: [1, 1, 1, 0, 0, 0] },\n"                      \
  "      frames: { pin: { point: [0, 0, 0.5] } } } }\n"                                            \
  "    assemblies: { arm: { use: " link ", at: [0, 0, 0.5], set: { d: $size, l: $m/6 } } }\n"      \
  "    joints: { pin: { revolute: { a: cart.pin, b: arm.root, axis: [0, 1, 0] },\n"                \
  "      coordinate: phi, drive: swing, damping: $c } }\n"                                         \
  "    ports: { slider: cart, tool: arm.tip, angle: phi }\n"

#define LINK                                                                                       \
  "    parameters: { l: 1, d: 1, wall: $d/20 }\n"                                                  \
  "    sections: { tube: { tube: { diameter: $d, wall: $wall } } }\n"                              \
  "    bodies: { bar: { beams: { points: { a: [0, 0, 0], b: [$l, 0, 0] },\n"                       \
  "      members: [{ from: a, to: b, section: tube, material: steel }] },\n"                       \
  "      frames: { root: { node: a }, tip: { node: b, mass: $l } } } }\n"                          \
  "    ports: { root: bar.root, tip: bar.tip }\n"

// Parts of the assemblies come behind those of the model: sections and joints of FLAT in this
// order.
static void assemblies_are_the_flat_model(void)
{
  same(FLAT,
       HEAD "definitions:\n"
            "  axis:\n"
            "    parameters: { m: 1, c: 2 }\n" AXIS(
                "link") "  link:\n" LINK
                        "assemblies: { axis: { use: axis, at: [0.25, 0, 0], set: { m: 3 } } }\n");
}

static void an_assembly_may_give_its_own_parts(void)
{
  same(FLAT, HEAD "definitions:\n"
                  "  link:\n" LINK "assemblies:\n"
                  "  axis:\n"
                  "    at: [0.25, 0, 0]\n"
                  "    parameters: { m: 3, c: 2 }\n" AXIS("link"));
}

// Places that are added and parameters that are set count by their values, as numbers do that are
// written where they come to.
static void the_digest_is_that_of_the_parts(void)
{
  same_digest(
      "modeway: 1\nbodies: { base: { ground: true } }\nassemblies:\n"
      "  p: { bodies: { a: { at: [-0.5, 0.25, 0], ground: true } }, assemblies:\n"
      "    { q: { bodies: { b: { at: [-1, -0.25, 2], axes: { x: [0, -1, 0], y: [1, 0, 0] },\n"
      "      ground: true, rigid: { mass: 2, inertia: [1, 2, 2, 0, 0, 0] } } } } } }\n",
      "modeway: 1\nparameters: { m: 1 }\ndefinitions:\n"
      "  inner: { parameters: { k: 7 }, bodies: { b: { at: [0.5, 0.5, 0], ground: true,\n"
      "    rigid: { mass: $k, inertia: [$k/2, $k, $k, 0, 0, 0] } } } }\n"
      "  outer: { bodies: { a: { at: [0.5, 0.25, 0], ground: true } }, assemblies:\n"
      "    { q: { use: inner, at: [-0.5, 0.25, 2], axes: { x: [0, -1, 0], y: [1, 0, 0] },\n"
      "      set: { k: 2*$m } } } }\n"
      "bodies: { base: { ground: true } }\n"
      "assemblies: { p: { use: outer, at: [-1, 0, 0] } }\n");
}

// A file below a folder uses one beside itself; the model's folder is another one.
static void definitions_may_stand_in_files(void)
{
  mw_model x = { 0 }, y = { 0 };
  open_folder();
  put("a.yaml", FLAT);
  put("b.yaml",
      HEAD "assemblies: { axis: { use: parts/axis.yaml, at: [0.25, 0, 0], set: { m: 3 } } }\n");
  put("parts/axis.yaml", "    modeway: 1\n"
                         "    parameters: { m: 1, c: 2 }\n" AXIS("link.yaml"));
  put("parts/link.yaml", "    modeway: 1\n" LINK);
  if (get("a.yaml", &x) && get("b.yaml", &y)) {
    same_models(&x, &y);
    MW_CHECK(x.n_source == 0 && y.n_source == 2);
    MW_CHECK(strstr(y.source[1].path, "/parts/link.yaml") != NULL);
  }
  mw_model_free(&x);
  mw_model_free(&y);
  close_folder();
}

// A value that only one use of a definition has is wrong in that one: its path is said.
static void errors_name_the_use_whose_values_are_wrong(void)
{
  static const struct wrong {
    const char *set, *part;
    int line;
  } wrong[] = { { "m: -1", "of at least 0 [kg] (of right.link)", 5 },
                { "l: 0", "axis is zero, expected a direction (of right.j)", 6 } };
  open_folder();
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    mw_model m = { 0 };
    mw_error err = { 0 };
    char path[128], text[1024];
    snprintf(text, sizeof text,
             "modeway: 1\ndefinitions:\n  arm:\n    parameters: { m: 1, l: 1 }\n"
             "    bodies: { link: { rigid: { mass: $m, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
             "    joints: { j: { revolute: { a: ground, b: link, axis: [$l, 0, 0] } } }\n"
             "assemblies: { left: { use: arm }, right: { use: arm, set: { %s } } }\n",
             wrong[k].set);
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    put("a.yaml", text);
    MW_FAILS(mw_model_read(path, &m, &err), MW_ERR_INPUT);
    if (!MW_CHECK(err.line == wrong[k].line && strstr(err.msg, wrong[k].part)))
      printf("%zu: %s:%d: %s\n", k, err.file, err.line, err.msg);
    mw_model_free(&m);
  }
  close_folder();
}

// What is wrong in a file is said at its place there; a file that uses itself is a circle.
static void errors_name_the_file_they_are_in(void)
{
  static const struct wrong {
    const char *text, *file, *part;
    int line;
  } wrong[] = {
    { "modeway: 1\nbodies: { bar: { rigid: { mass: -1 } } }\n", "axis.yaml", "mass is -1 kg", 2 },
    { "modeway: 1\nassemblies: { a: { use: axis.yaml } }\n", "axis.yaml", "expected no circle", 2 },
    { "modeway: 1\nassemblies: { a: { use: ../b.yaml } }\n", "axis.yaml", "expected no circle", 2 },
    { "bodies: {}\n", "axis.yaml", "expected modeway: 1", 1 },
    { "modeway: 2\n", "axis.yaml", "modeway is 2", 1 },
    { "modeway: 1\ngravity: [0, 0, 0]\n", "axis.yaml", "unknown key \"gravity\"", 2 },
    { "modeway: 1\nbodies: { a: [\n", "axis.yaml", "not YAML", 3 },
  };
  open_folder();
  put("b.yaml", "modeway: 1\nbodies: { base: { ground: true } }\n"
                "assemblies: { axis: { use: parts/axis.yaml } }\n");
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    mw_model m = { 0 };
    mw_error err = { 0 };
    char path[128];
    snprintf(path, sizeof path, "%s/b.yaml", folder);
    put("parts/axis.yaml", wrong[k].text);
    MW_FAILS(mw_model_read(path, &m, &err), MW_ERR_INPUT);
    bool there = strstr(err.file, wrong[k].file) && err.line == wrong[k].line;
    if (!MW_CHECK(there && strstr(err.msg, wrong[k].part)))
      printf("%zu: %s:%d: %s\n", k, err.file, err.line, err.msg);
    mw_model_free(&m);
  }
  close_folder();
}

// ---- mirrored -----------------------------------------------------------------------------------

// All that a mirror image has otherwise, mirrored by hand across y in the second model. The image
// of an angle is one about the reversed image of its axis; n2 = t × n1 of a guide, hands of screws
// and of teeth change their sign.
#define PARTS(s, axial, hand)                                                                      \
  "bodies:\n"                                                                                      \
  "  base: { ground: true, at: [0, " s "1, 0] }\n"                                                 \
  "  p~a:\n"                                                                                       \
  "    at: [1, " s "2, 3]\n"                                                                       \
  "    rigid: { mass: 1, com: [0.1, " s "0.2, 0.3], inertia: [1, 1.1, 1.2, " s "0.1, 0.2, " s      \
  "0.3] }\n"                                                                                       \
  "    frames: { f: { point: [0, " s "1, 0] } }\n"                                                 \
  "    guides: { g: { points: [[0, " s "1, 0], [1, " s "1, 0]], normal: [0, " s "1, 1] } }\n"      \
  "  p~b:\n"                                                                                       \
  "    at: [1, " s "3, 3]\n"                                                                       \
  "    rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n"                                          \
  "  p~c:\n"                                                                                       \
  "    at: [1.5, " s "3, 3]\n"                                                                     \
  "    rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n"                                          \
  "joints:\n"                                                                                      \
  "  p~turn: { revolute: { a: p~a.f, b: p~b, axis: " axial " }, coordinate: p~phi }\n"             \
  "  p~screw: { screw: { a: p~a.f, b: p~b, axis: " axial ", pitch: " hand "0.01 },\n"              \
  "    coordinate: p~psi }\n"                                                                      \
  "  p~cyl: { cylindrical: { a: p~a.f, b: p~b, axis: " axial " }, coordinate: p~chi,\n"            \
  "    measure: angle }\n"                                                                         \
  "  p~push: { prismatic: { a: p~a.f, b: p~b, axis: [0.5, " s "2, 3] }, coordinate: p~s }\n"       \
  "  p~slide: { slide: { guide: p~a.g, on: p~c,\n"                                                 \
  "    runners: [{ shift: [0.1, 0.2, " hand "0.3] }] } }\n"                                        \
  "forces:\n"                                                                                      \
  "  p~f: { point: { on: p~b, direction: [1, " s "2, 3] } }\n"                                     \
  "  p~t: { torque: { on: p~b, direction: " axial ", axes: body } }\n"                             \
  "  p~u: { torque: { on: p~b, direction: " axial " } }\n"                                         \
  "drives: { p~d: { force: { on: p~b, direction: [1, " s "2, 3] } } }\n"                           \
  "outputs: { p~o: { body: p~b, point: [1, " s "2, 3] } }\n"

#define INNER                                                                                      \
  "    bodies:\n"                                                                                  \
  "      a:\n"                                                                                     \
  "        at: [1, 2, 3]\n"                                                                        \
  "        rigid: { mass: 1, com: [0.1, 0.2, 0.3], inertia: [1, 1.1, 1.2, 0.1, 0.2, 0.3] }\n"      \
  "        frames: { f: { point: [0, 1, 0] } }\n"                                                  \
  "        guides: { g: { points: [[0, 1, 0], [1, 1, 0]], normal: [0, 1, 1] } }\n"                 \
  "      b: { at: [1, 3, 3], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"                  \
  "      c: { at: [1.5, 3, 3], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"                \
  "    joints:\n"                                                                                  \
  "      turn: { revolute: { a: a.f, b: b, axis: [0.5, 2, 3] }, coordinate: phi }\n"               \
  "      screw: { screw: { a: a.f, b: b, axis: [0.5, 2, 3], pitch: 0.01 }, coordinate: psi }\n"    \
  "      cyl: { cylindrical: { a: a.f, b: b, axis: [0.5, 2, 3] }, coordinate: chi,\n"              \
  "        measure: angle }\n"                                                                     \
  "      push: { prismatic: { a: a.f, b: b, axis: [0.5, 2, 3] }, coordinate: s }\n"                \
  "      slide: { slide: { guide: a.g, on: c, runners: [{ shift: [0.1, 0.2, 0.3] }] } }\n"         \
  "    forces:\n"                                                                                  \
  "      f: { point: { on: b, direction: [1, 2, 3] } }\n"                                          \
  "      t: { torque: { on: b, direction: [0.5, 2, 3], axes: body } }\n"                           \
  "      u: { torque: { on: b, direction: [0.5, 2, 3] } }\n"                                       \
  "    drives: { d: { force: { on: b, direction: [1, 2, 3] } } }\n"                                \
  "    outputs: { o: { body: b, point: [1, 2, 3] } }\n"

static void a_mirrored_assembly_is_mirrored_by_hand(void)
{
  same("modeway: 1\n" PARTS("-", "[-0.5, 2, -3]", "-"),
       "modeway: 1\nbodies: { base: { ground: true, at: [0, -1, 0] } }\n"
       "assemblies:\n  p:\n    mirror: y\n" INNER);
}

// Twice mirrored across one plane, an assembly is itself; across two planes it is turned.
static void a_mirror_image_of_an_image_is_the_original(void)
{
  same("modeway: 1\n" PARTS("", "[0.5, 2, 3]", ""),
       "modeway: 1\nbodies: { base: { ground: true, at: [0, 1, 0] } }\n"
       "definitions:\n  q:\n" INNER "assemblies:\n  p: { use: q }\n");
  same("modeway: 1\nbodies:\n  p~q~a: { at: [-1, -2, 3], axes: { x: [-1, 0, 0], y: [0, -1, 0] },\n"
       "    ground: true }\n",
       "modeway: 1\nassemblies: { p: { mirror: y, assemblies: { q: { mirror: x,\n"
       "  bodies: { a: { at: [1, 2, 3], ground: true } } } } } }\n");
}

// A quarter of a turn about z; places add up.
static void assemblies_are_turned_with_what_they_stand_in(void)
{
  same("modeway: 1\nbodies:\n"
       "  p~q~a: { at: [-2.5, 2, 3], axes: { x: [0, 1, 0], y: [-1, 0, 0] },\n"
       "    rigid: { mass: 1, com: [1, 2, 3], inertia: [1, 1, 1, 0, 0, 0] } }\n"
       "forces: { p~q~f: { point: { on: p~q~a, direction: [-2, 1, 3] } },\n"
       "  p~q~g: { point: { on: p~q~a, direction: [1, 2, 3], axes: body } } }\n",
       "modeway: 1\nassemblies: { p: { at: [-0.5, 1, 0], axes: { x: [0, 1, 0], y: [-1, 0, 0] },\n"
       "  assemblies: { q: { at: [0, 0, 3], bodies: { a: { at: [1, 2, 0],\n"
       "    rigid: { mass: 1, com: [1, 2, 3], inertia: [1, 1, 1, 0, 0, 0] } } },\n"
       "  forces: { f: { point: { on: a, direction: [1, 2, 3] } },\n"
       "    g: { point: { on: a, direction: [1, 2, 3], axes: body } } } } } } }\n");
}

// Half a turn about z in each form but angles, whose sine of π is not 0.
static void axes_have_several_forms(void)
{
  static const char flat[] = "modeway: 1\nbodies:\n"
                             "  p~a: { at: [-1, -2, 3], axes: { x: [-1, 0, 0], y: [0, -1, 0] },\n"
                             "    ground: true }\n";
  same(flat, "modeway: 1\nassemblies: { p: { axes: { quaternion: [0, 0, 0, 2] },\n"
             "  bodies: { a: { at: [1, 2, 3], ground: true } } } }\n");
  same(flat, "modeway: 1\nassemblies: { p: { at: [0, 0, 3],\n"
             "  bodies: { a: { at: [-1, -2, 0], axes: { quaternion: [0, 0, 0, -0.5] },\n"
             "    ground: true } } } }\n");
  same(flat, "modeway: 1\nassemblies: { p: { at: [0, 0, 3], axes: { quaternion: [0, 0, 0, 1] },\n"
             "  bodies: { a: { at: [1, 2, 0], axes: { turn: { axis: [0, 1, 0], angle: 0 } },\n"
             "    ground: true } } } }\n");
}

static const mw_test_case cases[] = {
#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
  CASE(assemblies_are_the_flat_model),
  CASE(an_assembly_may_give_its_own_parts),
  CASE(the_digest_is_that_of_the_parts),
  CASE(definitions_may_stand_in_files),
  CASE(errors_name_the_use_whose_values_are_wrong),
  CASE(errors_name_the_file_they_are_in),
  CASE(a_mirrored_assembly_is_mirrored_by_hand),
  CASE(a_mirror_image_of_an_image_is_the_original),
  CASE(assemblies_are_turned_with_what_they_stand_in),
  CASE(axes_have_several_forms),
};

int main(void) { return mw_test_run("model_assembly", cases, (int)(sizeof cases / sizeof *cases)); }
