// SPDX-License-Identifier: BSD-3-Clause
// cmd_export.c: modeway export: a reduced model, or an assembly, for other programs.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench_export_layer.h"
#include "cmd_layer.h"
#include "export/export_layer.h"
#include "fem/component.h"
#include "fem/output.h"
#include "reduction/ncfile.h"
#include "sim/case.h"
#include "sim/lpv.h"

typedef struct target {
  const char *name;
  // NULL: an assembly in place of a reduced model
  mw_code (*write)(const mw_rom_file *rom, const mw_export_opt *opt, const char *out, mw_arena *mem,
                   mw_export_list *list, mw_error *err);
} target;

static mw_code write_lpv(const mw_rom_file *rom, const mw_export_opt *opt, const char *out,
                         mw_arena *mem, mw_export_list *list, mw_error *err)
{
  (void)opt;
  list->file[list->n++] = mw_arena_str(mem, out);
  return mw_export_lpv(rom, out, err);
}

static const target targets[] = {
  { "c", mw_export_c },       { "casadi", mw_export_casadi }, { "acados", mw_export_acados },
  { "fmu", mw_export_fmu },   { "lpv", write_lpv },           { "table", mw_export_table },
  { "wasm", mw_export_wasm }, { "matlab", mw_export_matlab }, { "component", NULL },
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

static mw_code target_find(const char *name, const target **out, mw_error *err)
{
  char known[128] = "";
  for (int k = 0; k < N_TARGETS; k++) {
    if (strcmp(targets[k].name, name) == 0) {
      *out = &targets[k];
      return MW_OK;
    }
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "",
             targets[k].name);
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--to: found \"%s\", expected one of %s", name,
                 known);
}

// cost: of what was written, n_state 0: not of this target
static void print(const mw_args *a, const mw_export_list *l, const mw_bench_export *cost)
{
  if (!a->json) {
    for (int k = 0; k < l->n; k++) printf("%s\n", l->file[k]);
    if (cost->n_state > 0) mw_bench_export_print(cost, stdout);
    if (l->note) printf("%s\n", l->note);
    return;
  }
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "to", mw_args_value(a, "to"));
  if (l->name[0]) mw_json_str(&j, "name", l->name);
  mw_json_array(&j, "files");
  for (int k = 0; k < l->n; k++) mw_json_str(&j, NULL, l->file[k]);
  mw_json_end(&j, ']');
  if (cost->n_state > 0) mw_bench_export_json(cost, &j);
  if (l->note) mw_json_str(&j, "note", l->note);
  mw_json_end(&j, '}');
}

static mw_code fmi_version(const mw_args *a, int *fmi, mw_error *err)
{
  const char *text = mw_args_value(a, "fmi");
  if (text && strcmp(text, "2") != 0 && strcmp(text, "3") != 0 && strcmp(text, "both") != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--fmi: found \"%s\", expected 2, 3 or both",
                   text);
  if (text) *fmi = strcmp(text, "both") == 0 ? 0 : text[0] - '0';
  return MW_OK;
}

// Options of one target, for no other.
static mw_code check_options(const mw_args *a, const char *to, mw_error *err)
{
  static const char *const only[][2] = {
    { "single", "c" }, { "cost", "c" }, { "step", "acados" }, { "fmi", "fmu" }
  };
  for (size_t k = 0; k < sizeof only / sizeof *only; k++)
    if (mw_args_value(a, only[k][0]) && strcmp(to, only[k][1]) != 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s is for --to %s, found --to %s",
                     only[k][0], only[k][1], to);
  if (mw_args_value(a, "name") && strcmp(to, "component") == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--name is not for --to component, whose names are those of its ports");
  if (mw_args_value(a, "name") && strcmp(to, "lpv") == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--name is not for --to lpv, which has no names");
  return MW_OK;
}

// ---- outputs besides the fields -----------------------------------------------------------------

// Why a target has none; NULL: it has.
static const char *why_not_seen(const char *to)
{
  if (strcmp(to, "acados") == 0)
    return "acados is handed the dynamics alone; --to casadi has functions of outputs";
  if (strcmp(to, "matlab") == 0) return "its functions have fields alone; --to c has others";
  if (strcmp(to, "table") == 0 || strcmp(to, "wasm") == 0)
    return "tables have fields alone; --to c has outputs besides them";
  if (strcmp(to, "lpv") == 0)
    return "its outputs are the fields, linearized; rates at rest follow from A, B and C";
  return NULL;
}

static void name_all(const mw_model *m, const char *why, mw_arena *mem, mw_export_seen *s)
{
  s->left_out = NULL;
  for (int k = 0; k < m->n_observed; k++)
    s->left_out =
        mw_arena_printf(mem, "%s%s%s (%s)", s->left_out ? s->left_out : "", s->left_out ? ", " : "",
                        m->observed[k].name, mw_output_key(m->observed[k].kind));
  if (s->left_out) s->left_out = mw_arena_printf(mem, "%s: %s", s->left_out, why);
  s->n = 0;
}

// Of the model that is asked for, which must be there, or of the one that the reduced model names.
static mw_code find_seen(const mw_export_opt *opt, const char *to, const mw_rom_file *rom,
                         mw_arena *mem, mw_export_seen *out, mw_error *err)
{
  mw_model m = { 0 };
  const char *model = opt->model ? opt->model : rom->model_file;
  if (!model || !*model || strcmp(model, "none") == 0) return MW_OK;
  mw_error *asked = opt->model ? err : NULL;
  mw_code rc = mw_model_read(model, &m, asked);
  if (rc == MW_ERR_IO && asked) rc = asked->code = MW_ERR_INPUT;
  if (rc == MW_OK) rc = mw_rom_file_match(rom, &m, model, asked);
  if (rc == MW_OK)
    rc = mw_export_seen_of(&m, rom, mem, out, err);
  else if (!opt->model) {
    mw_model_free(&m);
    out->left_out = mw_arena_printf(mem,
                                    "outputs besides fields, if the model has some: %s cannot be "
                                    "read as it was reduced, --model MODEL says where it is",
                                    model);
    return mw_arena_check(mem, err);
  }
  if (rc == MW_OK && why_not_seen(to)) name_all(&m, why_not_seen(to), mem, out);
  mw_model_free(&m);
  return rc;
}

// What is left to do, and what is left out.
static void note(const mw_export_seen *s, mw_arena *mem, mw_export_list *l)
{
  if (s->left_out)
    l->note = mw_arena_printf(mem, "%s%snot exported: %s", l->note ? l->note : "",
                              l->note ? "\n" : "", s->left_out);
}

// Texts of C that compilers take minutes and gigabytes for.
static void note_size(const char *to, mw_arena *mem, mw_export_list *l)
{
  static const double LARGE = 16e6;  // bytes
  struct stat st;
  if (strcmp(to, "c") != 0 && strcmp(to, "casadi") != 0 && strcmp(to, "acados") != 0 &&
      strcmp(to, "matlab") != 0)
    return;
  for (int k = 0; k < l->n; k++) {
    if (stat(l->file[k], &st) != 0 || (double)st.st_size < LARGE) continue;
    l->note = mw_arena_printf(mem,
                              "%s%s%s has %.0f MB, which compilers take minutes and gigabytes for: "
                              "--to table is read at run time; fewer outputs, orientations above "
                              "all, or a coarser table (reduction) make it smaller",
                              l->note ? l->note : "", l->note ? "\n" : "", l->file[k],
                              1e-6 * (double)st.st_size);
  }
}

// Why a target holds one value of each parameter; NULL: programs set them.
static const char *why_not_kept(const char *to, const mw_kept *z)
{
  if (strcmp(to, "c") == 0 || strcmp(to, "fmu") == 0) return z->why;
  if (strcmp(to, "casadi") == 0) return "functions of CasADi have states and inputs alone";
  if (strcmp(to, "matlab") == 0) return "functions of MATLAB here have states and inputs alone";
  if (strcmp(to, "acados") == 0)
    return "the dynamics handed to acados have states and inputs alone";
  if (strcmp(to, "table") == 0 || strcmp(to, "wasm") == 0) return "a table holds one value";
  return "its matrices are those at one value";
}

// What a parameter is without being set, and whether that was anybody's choice.
static void note_parameters(const mw_rom_file *f, const char *to, const mw_kept *z, mw_arena *mem,
                            mw_export_list *l)
{
  const char *why = why_not_kept(to, z);
  for (int k = 0; k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    const char *value =
        p->value == 0.5 * (p->lo + p->hi)
            ? mw_arena_printf(mem, "%g, the middle of %g to %g,", p->value, p->lo, p->hi)
            : mw_arena_printf(mem, "%g", p->value);
    l->note = why ? mw_arena_printf(mem,
                                    "%s%s%s is %s in the export, which cannot change it: %s (--set "
                                    "parameters.%s=VALUE exports another)",
                                    l->note ? l->note : "", l->note ? "\n" : "", p->name,
                                    value ? value : "", why, p->name)
                  : mw_arena_printf(mem, "%s%s%s can be set from %g to %g, is %s otherwise",
                                    l->note ? l->note : "", l->note ? "\n" : "", p->name, p->lo,
                                    p->hi, value ? value : "");
  }
  if (f->parameter_note) l->note = mw_arena_printf(mem, "%s\n%s", l->note, f->parameter_note);
}

// A reduced model, which the model that it was made of describes.
static mw_code write_flexible(const mw_args *a, mw_arena *mem, mw_export_list *l, mw_error *err)
{
  const char *model = mw_args_value(a, "model");
  mw_rom_file rom = { 0 };
  mw_case c = { .body = NULL };
  mw_code rc = mw_args_rom(a, &rom, err);
  if (rc == MW_OK && !model) model = rom.model_file;
  if (rc == MW_OK && (!model || !*model))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%.160s does not say where its model is, expected --model MODEL", a->operand);
  if (rc == MW_OK) rc = mw_case_read_middle(model, NULL, &c, err);
  if (rc == MW_ERR_IO) rc = err->code = MW_ERR_INPUT;
  if (rc == MW_OK) rc = mw_rom_file_match(&rom, &c.model, model, err);
  if (rc == MW_OK) rc = mw_export_flexible(&rom, &c.mech, mw_args_value(a, "output"), mem, l, err);
  mw_case_free(&c);
  mw_rom_file_free(&rom);
  return rc;
}

static mw_code write_component(const mw_args *a, mw_arena *mem, mw_export_list *l, mw_error *err)
{
  const char *out = mw_args_value(a, "output");
  if (mw_file_is_netcdf(a->operand)) return write_flexible(a, mem, l, err);
  if (mw_args_value(a, "model"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--model is for reduced models, found %.160s",
                   a->operand);
  if (a->n_set > 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--set is for reduced models here: parameters of an assembly are set where it "
                   "is used");
  mw_code rc = mw_component_write(a->operand, out, err);
  if (rc != MW_OK) return rc;
  l->file[l->n++] = mw_arena_str(mem, out);
  l->note =
      "used by assemblies: { NAME: { component: FILE } } as its source is, in the paths rigid, "
      "full and body";
  return mw_arena_check(mem, err);
}

// COST.md beside the sources: operations, and with --cost what compilers make of them.
static mw_code write_cost(const mw_args *a, const mw_rom_file *rom, const mw_export_opt *opt,
                          mw_arena *mem, mw_export_list *l, mw_bench_export *out, mw_error *err)
{
  const char *dir = mw_args_value(a, "output"), *path = mw_arena_printf(mem, "%s/COST.md", dir);
  char *text = NULL;
  size_t n = 0;
  mw_code rc = mw_bench_export_count(rom, l->name, opt->kept, mem, out, err);
  out->single = opt->single;
  if (rc == MW_OK && mw_args_value(a, "cost"))
    rc = mw_bench_export_compile(dir, NULL, mem, out, err);
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (f) mw_bench_export_print(out, f);
  if (f && fclose(f) != 0) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  if (rc == MW_OK && l->n < MW_EXPORT_MAX_FILE) l->file[l->n++] = path;
  free(text);
  return rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_rom_file rom = { 0 };
  mw_export_list list = { 0 };
  mw_progress progress = mw_progress_default(a->quiet);
  mw_export_opt opt = mw_export_opt_default();
  mw_export_seen seen = { 0 };
  mw_kept kept = { 0 };
  mw_bench_export cost = { 0 };
  const target *t = NULL;
  mw_code rc = target_find(mw_args_value(a, "to"), &t, &err);
  opt.name = mw_args_value(a, "name");
  opt.single = mw_args_value(a, "single") != NULL;
  opt.model = mw_args_value(a, "model");
  opt.progress = &progress;
  if (rc == MW_OK) rc = fmi_version(a, &opt.fmi, &err);
  if (rc == MW_OK) rc = check_options(a, t->name, &err);
  if (rc == MW_OK && !t->write) {
    rc = write_component(a, &mem, &list, &err);
    if (rc == MW_OK) print(a, &list, &cost);
    mw_arena_free(&mem);
    return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
  }
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-9, 1e3, &opt.step, &err);
  if (rc == MW_OK) rc = mw_args_rom(a, &rom, &err);
  if (rc == MW_OK) rc = find_seen(&opt, t->name, &rom, &mem, &seen, &err);
  if (seen.n > 0) opt.seen = &seen;
  if (rc == MW_OK && (strcmp(t->name, "c") == 0 || strcmp(t->name, "fmu") == 0))
    rc = mw_export_kept_of(&rom, MW_EXPORT_KEPT_MOST, &mem, &kept, &err);
  if (kept.n > 0) opt.kept = &kept;
  if (rc == MW_OK) rc = t->write(&rom, &opt, mw_args_value(a, "output"), &mem, &list, &err);
  if (rc == MW_OK && strcmp(t->name, "c") == 0)
    rc = write_cost(a, &rom, &opt, &mem, &list, &cost, &err);
  if (rc == MW_OK && rom.law_note)
    list.note = list.note ? mw_arena_printf(&mem, "%s; %s", rom.law_note, list.note) : rom.law_note;
  if (rc == MW_OK) note_parameters(&rom, t->name, &kept, &mem, &list);
  note(&seen, &mem, &list);
  if (rc == MW_OK) note_size(t->name, &mem, &list);
  if (rc == MW_OK) rc = mw_arena_check(&mem, &err);
  if (rc == MW_OK) print(a, &list, &cost);
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_export = {
  .name = "export",
  .operand = "ROM.nc",
  .summary = "a reduced model for other programs: C, CasADi, acados, FMU, LPV, a table; an "
             "assembly without its inside",
  .doc =
      "Writes the reduced model as something that other programs take:\n"
      "  c       folder: NAME.c and NAME.h, C99 that needs libm alone, with an example, and\n"
      "          COST.md: operations of each call; with --cost flash, work and stack of them\n"
      "          on Cortex-M4F (single), M7, A53 and x86-64, of those that there is a gcc for\n"
      "          here (a minute)\n"
      "  casadi  folder: NAME.so with external functions for CasADi (right-hand side, step,\n"
      "          outputs and their Jacobians), and its sources; built by cc -O3, or what\n"
      "          the environment says in CC and CFLAGS\n"
      "  acados  folder: NAME_acados.c, discrete dynamics with Jacobian, one step of --step\n"
      "  matlab  folder: NAME_build.m compiles NAME_mex.c, the calls as a function of MATLAB and\n"
      "          Octave, and NAME_sfun.c, a block of Simulink (S-function); their C;\n"
      "          NAME_lpv.m, FILE.mat of lpv as ss array and LPV object with operating points\n"
      "  fmu     file NAME.fmu: functional mock-up unit, FMI 3.0 or 2.0, model exchange and\n"
      "          co-simulation, with sources and, where there is a C compiler, a binary\n"
      "  lpv     FILE.nc or FILE.mat: A, B, C, D at rest at each grid point, for\n"
      "          gain-scheduled design\n"
      "  table   folder: NAME.table, a block of bytes, and modeway_rom.c, .h, C99 that reads any\n"
      "          such block where it lies, for controllers that load models as they run\n"
      "  wasm    folder: NAME.table, modeway_rom.wasm that runs any such block, modeway_rom.mjs,\n"
      "          an ES module for browsers and node, with types for TypeScript; no unit of\n"
      "          FMI-LS-WASM, whose draft (2026) may change and asks for components of WIT\n"
      "          interfaces (wasm32-wasip2), which clang and lld alone do not make\n"
      "  component  file NAME.so, of the reduced model, whose ports are the frames whose\n"
      "          orientation is an output, or, in its place, of a file that assemblies use (use:\n"
      "          axis.yaml): rigid bodies, joints, springs, friction and stops; names and places\n"
      "          of the inside nobody sees; models use it by its ports, drives and outputs\n"
      "          (component: NAME.so)\n"
      "What steps gives the bits of modeway's own steps. Damping, friction and end stops of\n"
      "joint coordinates are those that the model was reduced with, or those of --set.\n"
      "Outputs that are no fields (velocity, acceleration, elastic, orientation,\n"
      "angular_velocity, coordinate, drive_force) go to c, casadi and fmu where the model is at\n"
      "hand, a quaternion with the sign whose first component that is not 0 is positive; what is\n"
      "left out is named.\n"
      "Parameters that the reduced model keeps are set by C programs (NAME_set) and by those\n"
      "who start FMUs (p.NAME, until the initialization is over); casadi, acados, matlab and\n"
      "lpv hold one value, that of --set, and say so.\n\n"
      "--json: {\"to\", \"name\": prefix of all names (not lpv), \"files\": [paths],\n"
      "  \"cost\" (c): {\"states\": at which calls were counted, \"work\", \"work_sens\": reals,\n"
      "  \"operations\": {CALL: {\"least\", \"most\"}}, \"processors\" (--cost): [{\"processor\",\n"
      "  \"single\", \"compiler\": \"\" for none, \"flash\", \"data\": bytes,\n"
      "  \"stack\": {CALL: bytes, -1 without bound}}]},\n"
      "  \"note\": what is left to do or left out, where there is something}\n",
  .option = { { 0, "set", "PATH=VALUE",
                "with other damping, friction or stops of joint coordinates than the model was "
                "reduced with: --set joints.x.damping=20",
                MW_OPT_SET },
              { 0, "to", "WHAT", "c, casadi, acados, matlab, fmu, lpv, table, wasm or component",
                MW_OPT_REQUIRED },
              { 'o', "output", "PATH", "folder or file to write",
                MW_OPT_REQUIRED | MW_OPT_WRITES | MW_OPT_FOLDER },
              { 0, "name", "NAME", "prefix, a C identifier; default: from the model's name", 0 },
              { 0, "single", NULL, "c: single precision", 0 },
              { 0, "cost", NULL, "c: compiles for four processors and tells flash, stack and work",
                0 },
              { 0, "step", "H", "acados: length of a step in s, default 1e-3", 0 },
              { 0, "fmi", "VERSION", "fmu: 2, 3 (default) or both, NAME-fmi2.fmu and NAME-fmi3.fmu",
                0 },
              { 0, "model", "MODEL",
                "model that names outputs besides fields (c, casadi, fmu), is drawn (fmu) and says "
                "what is seen (component), or none (default: the one ROM.nc names)",
                MW_OPT_READS } },
  .run = run,
};
