// SPDX-License-Identifier: BSD-3-Clause
// test_cosim.c: a functional mock-up unit as a controller gives the bits of the controller with the
// same law, in every path, by FMI 2.0 and 3.0; saved runs with units go on; units that cannot be
// used, and variables that they do not have, are refused by name at their place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/simulation.h"

static char folder[64];

// ---- units --------------------------------------------------------------------------------------

#if defined __aarch64__
static const char *const PLATFORM[] = { "aarch64-linux", "aarch64-linux" };
#else
static const char *const PLATFORM[] = { "linux64", "x86_64-linux" };
#endif

// %s: version; attributes of CoSimulation; other elements
static const char XML2[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"%s\" modelName=\"law\" guid=\"{law}\">\n"
    "  <%s modelIdentifier=\"law\"/>\n"
    "  <ModelVariables>\n"
    "    <ScalarVariable name=\"wanted\" valueReference=\"0\" causality=\"input\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"der(wanted)\" valueReference=\"1\" causality=\"input\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"axis[1].measured\" valueReference=\"2\" causality=\"input\">"
    "<Real/></ScalarVariable>\n"
    "    <ScalarVariable name=\"axis[1].rate\" valueReference=\"3\" causality=\"input\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"spare\" valueReference=\"4\" causality=\"input\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"force\" valueReference=\"5\" causality=\"output\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"kp\" valueReference=\"6\" causality=\"parameter\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"ki\" valueReference=\"7\" causality=\"parameter\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"kd\" valueReference=\"8\" causality=\"parameter\"><Real/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"fault\" valueReference=\"30\" causality=\"parameter\"><Integer/>"
    "</ScalarVariable>\n"
    "    <ScalarVariable name=\"reversed\" valueReference=\"31\" causality=\"parameter\">"
    "<Boolean/></ScalarVariable>\n"
    "    <ScalarVariable name=\"title\" valueReference=\"40\" causality=\"parameter\"><String/>"
    "</ScalarVariable>\n"
    "  </ModelVariables>\n"
    "</fmiModelDescription>\n";
static const char XML3[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"%s\" modelName=\"law\" instantiationToken=\"{law}\">\n"
    "  <%s modelIdentifier=\"law\"/>\n"
    "  <ModelVariables>\n"
    "    <Float64 name=\"wanted\" valueReference=\"0\" causality=\"input\" start=\"0\"/>\n"
    "    <Float64 name=\"der(wanted)\" valueReference=\"1\" causality=\"input\" start=\"0\"/>\n"
    "    <Float64 name=\"axis[1].measured\" valueReference=\"2\" causality=\"input\"/>\n"
    "    <Float64 name=\"axis[1].rate\" valueReference=\"3\" causality=\"input\" start=\"0\"/>\n"
    "    <Float64 name=\"spare\" valueReference=\"4\" causality=\"input\" start=\"0\"/>\n"
    "    <Float64 name=\"force\" valueReference=\"5\" causality=\"output\"/>\n"
    "    <Float64 name=\"kp\" valueReference=\"6\" causality=\"parameter\" start=\"0\"/>\n"
    "    <Float64 name=\"ki\" valueReference=\"7\" causality=\"parameter\" start=\"0\"/>\n"
    "    <Float64 name=\"kd\" valueReference=\"8\" causality=\"parameter\" start=\"0\"/>\n"
    "    <Int32 name=\"fault\" valueReference=\"30\" causality=\"parameter\" start=\"0\"/>\n"
    "    <Boolean name=\"reversed\" valueReference=\"31\" causality=\"parameter\" start=\"0\"/>\n"
    "    <Float64 name=\"list\" valueReference=\"41\" causality=\"output\">\n"
    "      <Dimension start=\"3\"/>\n"
    "    </Float64>\n"
    "  </ModelVariables>\n"
    "</fmiModelDescription>\n";

static bool add_file(zip_t *z, const char *name, zip_source_t *s)
{
  return s && zip_file_add(z, name, s, ZIP_FL_ENC_UTF_8) >= 0;
}

static bool add_text(zip_t *z, const char *name, const char *text)
{
  return add_file(z, name, zip_source_buffer(z, text, strlen(text), 0));
}

typedef struct parts {
  const char *version, *kind;  // NULL: "2.0" or "3.0"; CoSimulation and its attributes
  const char *platform;        // NULL: this machine's
  const char *entry;           // one more, NULL: none
  bool link;                   // it is a link
  const char *binary;          // NULL: that of the law
  bool bare;                   // without resources
} parts;

// Writes a unit of FMI `major` at folder/name.
static bool make_unit(const char *name, int major, const parts *p)
{
  char path[128], binary[96], xml[4096];
  int why = 0, i = major - 2;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(binary, sizeof binary, "binaries/%s/law.so", p->platform ? p->platform : PLATFORM[i]);
  const char *version = p->version   ? p->version
                        : major == 2 ? "2.0"
                                     : "3.0",
             *kind = p->kind ? p->kind : "CoSimulation";
  if (major == 2)
    snprintf(xml, sizeof xml, XML2, version, kind);
  else
    snprintf(xml, sizeof xml, XML3, version, kind);
  zip_t *z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &why);
  if (!z) return false;
  const char *so = p->binary ? p->binary : major == 2 ? MW_LAW2 : MW_LAW3;
  bool fine = add_text(z, "modelDescription.xml", xml) &&
              add_file(z, binary, zip_source_file(z, so, 0, 0)) &&
              (p->bare || add_text(z, "resources/note.txt", "gains"));
  if (fine && p->entry) {
    zip_int64_t k = zip_name_locate(z, p->entry, 0);
    fine = (k >= 0 || add_text(z, p->entry, "/etc/passwd"));
    k = zip_name_locate(z, p->entry, 0);
    if (p->link)
      fine = fine && zip_file_set_external_attributes(z, (zip_uint64_t)k, 0, ZIP_OPSYS_UNIX,
                                                      (zip_uint32_t)0120777 << 16) == 0;
  }
  return zip_close(z) == 0 && fine;
}

// ---- the model ----------------------------------------------------------------------------------

// A carriage on a beam; its motor by modeway's controller, or by a unit. %s: the scenario's end.
static const char CART[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.3, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.02 } } }\n"
    "damping: { modal: 0.02 }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: bar, material: alu, elements: 8, up: [0, 0, 1] }]\n"
    "    supports:\n"
    "      - { nodes: a, dofs: [x, y, z, rx, ry, rz] }\n"
    "      - { nodes: b, dofs: [y, z] }\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "    frames: { end: { node: b } }\n"
    "  carriage: { at: [0.2, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints:\n"
    "  x:\n"
    "    slide: { guide: beam.rail, on: carriage, orientation: fixed, runners: [{ offset: 0 }] }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "drives: { push: { force: { on: carriage, direction: [1, 0, 0] } } }\n"
    "outputs: { cart: { body: carriage } }\n"
    "reduction: { coordinates: { x: { range: [0.05, 0.95], points: 9 } }, modes: { count: 3 },\n"
    "             certificate: { points: 2, samples: 8 } }\n"
    "scenarios:\n"
    "  go: { duration: 0.2, step: 1e-3, control_period: 4e-3, initial: static, store: 0.02,\n"
    "        start: { x: 0.2 },\n"
    "        %s }\n";

#define MOVE "spline: { time: [0, 0.06, 0.13, 0.3], value: [0.2, 0.25, 0.33, 0.36] }"
// %s: file; where position and rate are seen; more parameters; more keys
static const char UNIT[] =
    "units: { law: { fmu: %s, inputs: [\n"
    "          { variable: wanted, signal: { " MOVE " } },\n"
    "          { variable: \"axis[1].measured\", %s },\n"
    "          { variable: \"axis[1].rate\", %s } ],\n"
    "        outputs: [{ variable: force, drive: motor }],\n"
    "        parameters: [{ variable: kp, value: 220 }, { variable: ki, value: 900 },\n"
    "          { variable: kd, value: 3 }%s]%s } }";

typedef struct rig {
  mw_case c;
  mw_rigid_in rigid;
  mw_path_opt opt;
} rig;

static bool okay(mw_code rc, const mw_error *err)
{
  if (rc != MW_OK) fprintf(stderr, "%s:%d:%d: %s\n", err->file, err->line, err->col, err->msg);
  return MW_CHECK(rc == MW_OK);
}

static void path_of(char *path, size_t n, const char *name)
{
  snprintf(path, n, "%s/%s", folder, name);
}

// The model with the scenario's end written to folder/cart.yaml
static bool write_model(const char *end)
{
  char path[128];
  path_of(path, sizeof path, "cart.yaml");
  FILE *f = fopen(path, "w");
  if (!MW_CHECK(f != NULL)) return false;
  int n = fprintf(f, CART, end);
  return MW_CHECK(fclose(f) == 0 && n > 0);
}

static mw_rom_file rom;  // made by the first who asks
static bool rom_made;

static bool open_rig(const char *end, mw_method method, bool gmp, rig *r)
{
  char path[128];
  mw_error err = { 0 };
  *r = (rig){ 0 };
  path_of(path, sizeof path, "cart.yaml");
  if (!write_model(end) || !okay(mw_case_read(path, &r->c, &err), &err)) return false;
  r->rigid = mw_rigid_run_opt_default(&r->c.model.scenario[0]).rigid;
  r->rigid.method = method;
  r->opt = (mw_path_opt){ .rigid = &r->rigid, .body_modes = 4 };
  if (!gmp) return true;
  if (!rom_made) rom_made = okay(mw_reduce(&r->c.model, &r->c.mech, NULL, &rom, &err), &err);
  r->opt.rom = &rom;
  if (rom_made) return true;
  mw_case_free(&r->c);
  return false;
}

static bool run(const char *end, const char *path, mw_method method, mw_run *out)
{
  rig r;
  mw_error err = { 0 };
  if (!open_rig(end, method, strcmp(path, "gmp") == 0, &r)) return false;
  bool fine = okay(mw_path_run(&r.c, &r.c.model.scenario[0], path, &r.opt, out, &err), &err);
  mw_case_free(&r.c);
  return fine;
}

// The scenario of a unit in a file
static void unit_scenario(char *text, size_t n, const char *file, const char *seen,
                          const char *parameters, const char *more)
{
  bool motor = strcmp(seen, "motor") == 0;
  snprintf(text, n, UNIT, file, motor ? "motor: motor" : "coordinate: x",
           motor ? "motor_rate: motor" : "rate: x", parameters, more);
}

static bool says(const mw_run *r, const char *text)
{
  for (int i = 0; i < r->n_note; i++)
    if (strstr(r->note[i], text)) return true;
  for (int i = 0; i < r->n_warning; i++)
    if (strstr(r->warning[i], text)) return true;
  return false;
}

// ---- the same law -------------------------------------------------------------------------------

// r' is the spline's in the controller, an input that is not set, 0, in the unit: kd r' is left out
// of the comparison by a law without it
static const char OWN_LAW[] = "drives: { motor: { kp: 220, ki: 900, follow: { " MOVE " } } }";
static const char UNIT_LAW[] =
    "units: { law: { fmu: law%d.fmu, inputs: [ { variable: wanted, signal: { " MOVE " } },\n"
    "  { variable: \"axis[1].measured\", %s } ], outputs: [{ variable: force, drive: motor }],\n"
    "  parameters: [{ variable: kp, value: 220 }, { variable: ki, value: 900 }] } }";

static const struct {
  const char *path;
  mw_method method;
} PATHS[] = { { "rigid", MW_METHOD_RK4 },
              { "rigid", MW_METHOD_LEAPFROG },
              { "rigid", MW_METHOD_DOP853 },
              { "rigid", MW_METHOD_CVODE },
              { "full", 0 },
              { "body", 0 },
              { "gmp", 0 } };

static void a_unit_has_the_bits_of_the_controller_with_its_law(void)
{
  for (size_t k = 0; k < sizeof PATHS / sizeof *PATHS; k++) {
    mw_run own = { 0 };
    if (!run(OWN_LAW, PATHS[k].path, PATHS[k].method, &own)) continue;
    for (int form = 0; form < 4; form++) {
      char text[1500];
      mw_run unit = { 0 };
      snprintf(text, sizeof text, UNIT_LAW, form < 2 ? 2 : 3,
               form % 2 ? "motor: motor" : "coordinate: x");
      if (!run(text, PATHS[k].path, PATHS[k].method, &unit)) continue;
      MW_SAME_BITS(own.s, unit.s, own.n_t);
      MW_SAME_BITS(own.y, unit.y, 3 * own.n_t);
      MW_SAME_BITS(own.force, unit.force, 2 * own.n_t);
      MW_CHECK(own.n_t == unit.n_t && own.n_warning == unit.n_warning);
      MW_CHECK(says(&unit, "unit law: inputs that nothing sets keep their starts: der(wanted)"));
      MW_CHECK(says(&unit, "what unit law does is not known"));
      mw_run_free(&unit);
    }
    mw_run_free(&own);
  }
}

// With the rate measured the controller at rest is the unit's law with r' = 0: a step as reference
static void rates_are_seen(void)
{
  static const char own[] = "drives: { motor: { kp: 220, ki: 900, kd: 3, follow: 0.3 } }";
  static const char unit[] =
      "units: { law: { fmu: law2.fmu, inputs: [ { variable: wanted, signal: 0.3 },\n"
      "  { variable: \"axis[1].measured\", coordinate: x }, { variable: \"axis[1].rate\", rate: x "
      "} ],\n"
      "  outputs: [{ variable: force, drive: motor }], parameters: [{ variable: kp, value: 220 },\n"
      "  { variable: ki, value: 900 }, { variable: kd, value: 3 }] } }";
  mw_run a = { 0 }, b = { 0 };
  if (run(own, "rigid", MW_METHOD_RK4, &a) && run(unit, "rigid", MW_METHOD_RK4, &b))
    MW_SAME_BITS(a.s, b.s, a.n_t);
  mw_run_free(&a);
  mw_run_free(&b);
}

// A force at a frame pushes the carriage as its motor does, along the same axis
static void units_push_at_frames(void)
{
  char text[1500];
  mw_run motor = { 0 }, push = { 0 };
  unit_scenario(text, sizeof text, "law3.fmu", "x", "", "");
  bool fine = run(text, "rigid", MW_METHOD_RK4, &motor);
  char *drive = strstr(text, "drive: motor");
  memcpy(drive, "drive: push ", strlen("drive: push "));
  fine = fine && run(text, "rigid", MW_METHOD_RK4, &push);
  // the same force by other sums: four increments a step whose magnitudes add up to the way, in a
  // loop that is stable
  double tol = mw_test_rounding(4 * 200, 0.4);
  for (int k = 0; fine && k < motor.n_t; k++) MW_NEAR(push.s[k], motor.s[k], tol);
  mw_run_free(&motor);
  mw_run_free(&push);
}

// Every second sample of the controllers is that of a controller with twice the period
static void units_step_at_their_own_step(void)
{
  char text[1500];
  // the other run has no instants between the unit's samples: roundings as above
  double tol = mw_test_rounding(4 * 200, 0.4);
  mw_run a = { 0 }, b = { 0 };
  unit_scenario(text, sizeof text, "law2.fmu", "x", "", ", step: 8e-3");
  if (run(text, "rigid", MW_METHOD_RK4, &a)) {
    rig r;
    mw_error err = { 0 };
    unit_scenario(text, sizeof text, "law2.fmu", "x", "", "");
    if (open_rig(text, MW_METHOD_RK4, false, &r)) {
      r.c.model.scenario[0].control_period = 8e-3;
      if (okay(mw_path_run(&r.c, &r.c.model.scenario[0], "rigid", &r.opt, &b, &err), &err))
        for (int k = 0; k < a.n_t; k++) MW_NEAR(b.s[k], a.s[k], tol);
      mw_case_free(&r.c);
    }
  }
  mw_run_free(&a);
  mw_run_free(&b);
}

static void parameters_of_all_types_are_set(void)
{
  for (int major = 2; major <= 3; major++) {
    char file[32], text[1500];
    mw_run r = { 0 }, plain = { 0 };
    snprintf(file, sizeof file, "law%d.fmu", major);
    unit_scenario(text, sizeof text, file, "x",
                  ", { variable: reversed, value: 1 }, { variable: fault, value: 5 }", "");
    bool fine = run(text, "rigid", MW_METHOD_RK4, &r);
    unit_scenario(text, sizeof text, file, "x", "", "");
    fine = fine && run(text, "rigid", MW_METHOD_RK4, &plain);
    if (fine) {  // the same force the other way round, as it begins
      MW_CHECK(r.force[0] == -plain.force[0]);
      MW_CHECK(says(&r, "unit law has said 1 warning, first: saturated"));
    }
    mw_run_free(&r);
    mw_run_free(&plain);
  }
}

// ---- states -------------------------------------------------------------------------------------

static void saved_runs_with_units_go_on(void)
{
  static const char *const paths[] = { "rigid", "full", "gmp" };
  char text[1500];
  unit_scenario(text, sizeof text, "law3.fmu", "x", "", "");
  for (int k = 0; k < 3; k++) {
    rig r;
    mw_error err = { 0 };
    mw_run whole = { 0 }, on = { 0 };
    mw_sim *s = NULL, *other = NULL;
    if (!open_rig(text, MW_METHOD_RK4, k == 2, &r)) continue;
    const mw_scenario *sc = &r.c.model.scenario[0];
    bool fine = okay(mw_path_run(&r.c, sc, paths[k], &r.opt, &whole, &err), &err) &&
                okay(mw_sim_open(&r.c, sc, paths[k], &r.opt, &s, &err), &err);
    for (int stored = 0; fine && stored < 4; stored += mw_sim_stored(s))
      fine = okay(mw_sim_step(s, &err), &err);
    size_t n = fine ? mw_sim_bytes(s) : 0;
    void *state = malloc(n + 1);
    fine = fine && state && okay(mw_sim_save(s, state, &err), &err) &&
           okay(mw_sim_open(&r.c, sc, paths[k], &r.opt, &other, &err), &err) &&
           okay(mw_sim_restore(other, state, n, &err), &err);
    while (fine && !mw_sim_ended(other)) fine = okay(mw_sim_step(other, &err), &err);
    if (fine && okay(mw_sim_finish(other, &on, &err), &err)) {
      MW_SAME_BITS(whole.s, on.s, whole.n_t);
      MW_SAME_BITS(whole.force, on.force, 2 * whole.n_t);
    }
    mw_run_free(&on);
    mw_run_free(&whole);
    mw_sim_close(other);
    mw_sim_close(s);
    mw_case_free(&r.c);
    free(state);
  }
}

// ---- trouble ------------------------------------------------------------------------------------

// The scenario fails with this text, in the model file's line of the unit; run: as it runs, else as
// it is opened or read.
static void fails(const char *end, mw_code code, const char *text)
{
  char path[128];
  mw_error err = { 0 };
  mw_case c = { 0 };
  mw_run r = { 0 };
  path_of(path, sizeof path, "cart.yaml");
  if (!write_model(end)) return;
  mw_code rc = mw_case_read(path, &c, &err);
  if (rc == MW_OK) {
    mw_rigid_in rigid = mw_rigid_run_opt_default(&c.model.scenario[0]).rigid;
    rigid.method = MW_METHOD_RK4;
    const mw_path_opt opt = { .rigid = &rigid };
    rc = mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, &r, &err);
  }
  if (!MW_CHECK(rc == code) || !MW_CHECK(strstr(err.msg, text) != NULL) ||
      !MW_CHECK(err.line >= 30 && err.col > 1))
    fprintf(stderr, "%d, %s:%d:%d: %s, expected %s\n", (int)rc, err.file, err.line, err.col,
            err.msg, text);
  mw_run_free(&r);
  mw_case_free(&c);
}

static void unit_fails(const char *file, const char *parameters, const char *more, mw_code code,
                       const char *text)
{
  char end[1500];
  unit_scenario(end, sizeof end, file, "x", parameters, more);
  fails(end, code, text);
}

static void units_that_cannot_be_used_are_refused(void)
{
  static const struct {
    parts p;
    int major;
    const char *text;
  } bad[] = {
    { { .version = "1.0" }, 2, "found FMI 1.0, expected 2.0 or 3.0" },
    { { .kind = "ModelExchange" }, 2, "found model exchange alone, expected co-simulation" },
    { { .kind = "ModelExchange" }, 3, "found model exchange alone, expected co-simulation" },
    { { .kind = "CoSimulation needsExecutionTool=\"true\"" }, 2, "needs the tool that made it" },
    { { .platform = "win64" }, 2, "has no binary for this machine: found win64, expected" },
    { { .entry = "resources/../../up" }, 3, "found the entry \"resources/../../up\"" },
    { { .entry = "/tmp/root" }, 2, "found the entry \"/tmp/root\"" },
    { { .entry = "resources\\x" }, 2, "found the entry \"resources\\x\"" },
    { { .entry = "resources/link", .link = true }, 3, "found the entry \"resources/link\"" },
    { { .bare = true }, 2, "makes no instance of its model" },
    { { .bare = true }, 3, "makes no instance of its model" },
    { { .binary = MW_LAW3 }, 2, "has no function fmi2Instantiate" },
    { { .binary = MW_CASES_DIR "/README.md" }, 2, "cannot be loaded" },
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (MW_CHECK(make_unit("bad.fmu", bad[k].major, &bad[k].p)))
      unit_fails("bad.fmu", "", "", MW_ERR_INPUT, bad[k].text);
  unit_fails("none.fmu", "", "", MW_ERR_INPUT, "none.fmu cannot be opened: No such file");
  unit_fails("cart.yaml", "", "", MW_ERR_INPUT, "cart.yaml cannot be opened: Not a zip archive");
}

static void damaged_archives_are_refused(void)
{
  char path[128];
  path_of(path, sizeof path, "cut.fmu");
  if (!MW_CHECK(make_unit("cut.fmu", 3, &(parts){ 0 }))) return;
  FILE *f = fopen(path, "r+b");
  if (!MW_CHECK(f != NULL)) return;
  // a byte in the packed description, whose checksum is not that of the archive's head any more
  MW_CHECK(fseek(f, 120, SEEK_SET) == 0 && fputc('#', f) == '#' && fclose(f) == 0);
  unit_fails("cut.fmu", "", "", MW_ERR_INPUT,
             "entry modelDescription.xml cannot be read: damaged?");
}

static void variables_are_checked_by_name(void)
{
  unit_fails("law2.fmu", ", { variable: kpp, value: 1 }", "", MW_ERR_INPUT,
             "unit law has no variable \"kpp\", did you mean \"kp\"?");
  unit_fails("law3.fmu", ", { variable: spare, value: 1 }", "", MW_ERR_INPUT,
             "found variable spare of causality input, expected parameter");
  unit_fails("law2.fmu", ", { variable: title, value: 1 }", "", MW_ERR_INPUT,
             "found variable title of type String, expected a single Real, Integer, Boolean");
  unit_fails("law2.fmu", ", { variable: fault, value: 1.5 }", "", MW_ERR_INPUT,
             "found fault = 1.5, expected a whole number");
  unit_fails("law3.fmu", ", { variable: reversed, value: 2 }", "", MW_ERR_INPUT,
             "found reversed = 2, expected 0 or 1");
  unit_fails("law3.fmu", ", { variable: kp, value: 1 }", "", MW_ERR_INPUT,
             "unit law: found variable kp twice, expected it once");
  fails("units: { law: { fmu: law3.fmu, outputs: [{ variable: list, drive: motor }] } }",
        MW_ERR_INPUT, "found variable list with dimensions of type Float64, expected a single");
  fails("units: { law: { fmu: law3.fmu, outputs: [{ variable: wanted, drive: motor }] } }",
        MW_ERR_INPUT, "found variable wanted of causality input, expected output");
}

static void keys_are_checked(void)
{
  unit_fails("law2.fmu", "", ", step: 6e-3", MW_ERR_INPUT,
             "step of unit law is 0.006 s, expected a multiple of control_period, 0.004 s");
  unit_fails("law2.fmu", "", " } }, drives: { motor: { force: 1", MW_ERR_INPUT,
             "unit law: drive motor has a force already");
  fails("units: { law: { fmu: law2.fmu, outputs: [{ variable: force, drive: motr }] } }",
        MW_ERR_INPUT, "unknown drive \"motr\", did you mean \"motor\"?");
  fails("units: { law: { fmu: law2.fmu, inputs: [{ variable: wanted, motor: push }],\n"
        "outputs: [{ variable: force, drive: motor }] } }",
        MW_ERR_INPUT, "drive push is a force at a frame, which has no coordinate");
  fails("units: { law: { fmu: law2.fmu, inputs: [{ variable: wanted, coordinate: y }],\n"
        "outputs: [{ variable: force, drive: motor }] } }",
        MW_ERR_INPUT, "coordinate \"y\"");
}

static void what_goes_wrong_in_a_unit_ends_the_run(void)
{
  for (int major = 2; major <= 3; major++) {
    char file[32];
    snprintf(file, sizeof file, "law%d.fmu", major);
    unit_fails(file, ", { variable: fault, value: 1 }", "", MW_ERR_NUMERIC,
               "unit law, t = 0.008 s: a step gives \"discard\": step is too long");
    unit_fails(file, ", { variable: fault, value: 2 }", "", MW_ERR_NUMERIC,
               "unit law, t = 0.008 s: a step gives \"fatal\": the table is lost");
    unit_fails(file, ", { variable: fault, value: 3 }", "", MW_ERR_NUMERIC,
               "unit law, t = 0.012 s: force is nan, expected a finite number");
    unit_fails(file, ", { variable: fault, value: 4 }", "", MW_ERR_NUMERIC,
               "unit law ends the simulation at t = 0.008 s");
  }
}

static void asking_for_event_mode_ends_the_run(void)
{
  unit_fails("law3.fmu", ", { variable: fault, value: 6 }", "", MW_ERR_NUMERIC,
             "a step gives \"error\": it asks for event mode, which it was told is not used");
}

// The stand-ins refuse resources that are not called by a URI (FMI 2.0), or from the root (3.0).
static void folders_may_have_any_name(void)
{
  static const char *const names[] = { "a folder of 100 % \u00fcbung", "#?&+;=@[]'\"\\", "." };
  const char *before = getenv("TMPDIR");
  char kept[256], path[256], text[1500], file[32];
  snprintf(kept, sizeof kept, "%s", before ? before : "/tmp");
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    bool here = strcmp(names[k], ".") == 0;
    path_of(path, sizeof path, names[k]);
    if (!here && !MW_CHECK(mkdir(path, 0700) == 0)) continue;
    setenv("TMPDIR", here ? "." : path, 1);
    for (int major = 2; major <= 3; major++) {
      mw_run r = { 0 };
      snprintf(file, sizeof file, "law%d.fmu", major);
      unit_scenario(text, sizeof text, file, "x", "", "");
      MW_CHECK(run(text, "rigid", MW_METHOD_RK4, &r));
      mw_run_free(&r);
    }
    MW_CHECK(here || rmdir(path) == 0);
  }
  setenv("TMPDIR", kept, 1);
}

// Nothing is left where units were unpacked
static void folders_are_removed(void)
{
  char path[128], text[1500];
  mw_run r = { 0 };
  path_of(path, sizeof path, "tmp");
  if (!MW_CHECK(mkdir(path, 0700) == 0)) return;
  const char *before = getenv("TMPDIR");
  char kept[256];
  snprintf(kept, sizeof kept, "%s", before ? before : "/tmp");
  setenv("TMPDIR", path, 1);
  unit_scenario(text, sizeof text, "law2.fmu", "x", "", "");
  (void)run(text, "gmp", 0, &r);
  mw_run_free(&r);
  unit_fails("law3.fmu", ", { variable: fault, value: 2 }", "", MW_ERR_NUMERIC, "fatal");
  setenv("TMPDIR", kept, 1);
  MW_CHECK(rmdir(path) == 0);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_unit_has_the_bits_of_the_controller_with_its_law",
      a_unit_has_the_bits_of_the_controller_with_its_law },
    { "rates_are_seen", rates_are_seen },
    { "units_push_at_frames", units_push_at_frames },
    { "units_step_at_their_own_step", units_step_at_their_own_step },
    { "parameters_of_all_types_are_set", parameters_of_all_types_are_set },
    { "saved_runs_with_units_go_on", saved_runs_with_units_go_on },
    { "units_that_cannot_be_used_are_refused", units_that_cannot_be_used_are_refused },
    { "damaged_archives_are_refused", damaged_archives_are_refused },
    { "variables_are_checked_by_name", variables_are_checked_by_name },
    { "keys_are_checked", keys_are_checked },
    { "what_goes_wrong_in_a_unit_ends_the_run", what_goes_wrong_in_a_unit_ends_the_run },
    { "asking_for_event_mode_ends_the_run", asking_for_event_mode_ends_the_run },
    { "folders_may_have_any_name", folders_may_have_any_name },
    { "folders_are_removed", folders_are_removed },
  };
  snprintf(folder, sizeof folder, "/tmp/modeway-cosim-XXXXXX");
  if (!mkdtemp(folder) || !make_unit("law2.fmu", 2, &(parts){ 0 }) ||
      !make_unit("law3.fmu", 3, &(parts){ 0 }))
    return 1;
  int failed = mw_test_run("cosim", cases, (int)(sizeof cases / sizeof *cases));
  if (rom_made) mw_rom_file_free(&rom);
  static const char *const files[] = { "law2.fmu", "law3.fmu", "bad.fmu", "cut.fmu", "cart.yaml" };
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[128];
    path_of(path, sizeof path, files[k]);
    unlink(path);
  }
  rmdir(folder);
  return failed;
}
