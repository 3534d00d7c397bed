// SPDX-License-Identifier: BSD-3-Clause
// cmd_info.c: modeway info: what a file of ours holds, after its digest was checked.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_layer.h"
#include "fem/component.h"
#include "page/livepage_layer.h"
#include "reduction/ncfile.h"
#include "verdict/certtext_layer.h"
#include "view/rompicture_layer.h"

typedef struct info {
  const char *kind, *title, *source, *history, *hash, *model;
  const char *parameters;       // of the model, NULL: none
  const char *scenario, *path;  // run
  double energy_drift, step;
  int unknowns, steps, n_t;
  bool timed;                       // run, compare: there are instants
  int n_state, n_input, n_output;   // lpv
  int n_place, n_to, n_from, n_hz;  // frf
  const char *response;
  int n_axis, n_value;  // map, lobes
  const char **axis, **value;
  int n_gauge[2];  // run: stresses, strains
  const char **gauge[2];
  const double *peak[2];  // Pa, 1: largest von Mises measure of each
} info;

// Names and peaks of the stresses (kind 0) or strains (1) of a run.
static void look_gauges(mw_ncr *r, mw_arena *mem, int kind, info *f)
{
  int n = mw_ncr_dim(r, kind == 0 ? "stress_output" : "strain_output"), len[2] = { f->n_t, n };
  double *peak = mw_arena_f64(mem, (size_t)n);
  if (n == 0 || !peak) return;
  f->gauge[kind] = mw_ncr_str(r, kind == 0 ? "stress_output" : "strain_output", n);
  const double *e = mw_ncr_f64(r, kind == 0 ? "von_mises" : "equivalent_strain", 2, len, true);
  if (r->e.code != MW_OK) return;
  for (int i = 0; i < f->n_t * n; i++) peak[i % n] = e[i] > peak[i % n] ? e[i] : peak[i % n];
  f->peak[kind] = peak;
  f->n_gauge[kind] = n;
}

static mw_code look(const char *file, mw_arena *mem, info *f, mw_error *err)
{
  mw_ncr r;
  mw_code rc = mw_ncr_open(&r, file, NULL, mem, err);
  if (rc != MW_OK) return rc;
  f->kind = mw_ncr_att_str(&r, "modeway_file");
  f->title = mw_ncr_att_str(&r, "title");
  f->source = mw_ncr_att_str(&r, "source");
  f->history = mw_ncr_att_str(&r, "history");
  f->model = mw_ncr_att_str(&r, "model_name");
  f->hash = mw_ncr_att_str(&r, "model_hash");
  if (mw_ncr_has_att(&r, "model_parameters"))
    f->parameters = mw_ncr_att_str(&r, "model_parameters");
  f->n_t = mw_ncr_dim(&r, "time");
  if (strcmp(f->kind, "run") == 0) {
    f->path = mw_ncr_att_str(&r, "path");
    f->energy_drift = mw_ncr_has_att(&r, "energy_drift") ? mw_ncr_att_f64(&r, "energy_drift") : NAN;
    f->step = mw_ncr_att_f64(&r, "step");
    f->unknowns = mw_ncr_att_int(&r, "unknowns");
    f->steps = mw_ncr_att_int(&r, "steps");
    for (int kind = 0; kind < 2; kind++) look_gauges(&r, mem, kind, f);
  }
  if (strcmp(f->kind, "lpv") == 0) {
    f->n_state = mw_ncr_dim(&r, "state");
    f->n_input = mw_ncr_dim(&r, "input");
    f->n_output = mw_ncr_dim(&r, "output");
  }
  if (strcmp(f->kind, "frf") == 0) {
    f->n_place = mw_ncr_dim(&r, "place");
    f->n_to = mw_ncr_dim(&r, "to");
    f->n_from = mw_ncr_dim(&r, "from");
    f->n_hz = mw_ncr_dim(&r, "hz");
    f->response = mw_ncr_att_str(&r, "response");
  }
  if (strcmp(f->kind, "map") == 0 || strcmp(f->kind, "lobes") == 0) {
    f->n_axis = mw_ncr_dim(&r, "axis");
    f->n_value = mw_ncr_dim(&r, "value");
    f->axis = mw_ncr_str(&r, "axis", f->n_axis);
    f->value = mw_ncr_str(&r, "value", f->n_value);
  }
  f->timed = strcmp(f->kind, "run") == 0 || strcmp(f->kind, "compare") == 0;
  if (f->timed) f->scenario = mw_ncr_att_str(&r, "scenario");
  return mw_ncr_close(&r, err);
}

static bool rubs(const mw_rom_law *l) { return l->coulomb > 0.0 || l->stiction > 0.0; }
static bool stops(const mw_rom_law *l) { return l->stiffness > 0.0; }

static void json_laws(mw_json *j, const mw_rom_file *f)
{
  if (f->rom.n_law == 0) return;
  mw_json_array(j, "laws");
  for (int k = 0; k < f->rom.n_law; k++) {
    const mw_rom_law *l = &f->rom.law[k];
    mw_json_object(j, NULL);
    mw_json_str(j, "field", f->field[l->field]);
    if (rubs(l)) {
      mw_json_num(j, "coulomb", l->coulomb);
      mw_json_num(j, "static", l->stiction);
      mw_json_num(j, "stribeck", l->stribeck);
      mw_json_num(j, "smooth", l->smooth);
    }
    if (stops(l)) {
      mw_json_num(j, "lo", l->lo);
      mw_json_num(j, "hi", l->hi);
      mw_json_num(j, "stiffness", l->stiffness);
      mw_json_num(j, "damping", l->damping);
      mw_json_num(j, "soft", l->soft);
    }
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

static void json_parameters(mw_json *j, const mw_rom_file *f)
{
  if (f->n_parameter == 0) return;
  mw_json_array(j, "parameters");
  for (int k = 0; k < f->n_parameter; k++) {
    mw_json_object(j, NULL);
    mw_json_str(j, "name", f->parameter[k].name);
    mw_json_num(j, "lo", f->parameter[k].lo);
    mw_json_num(j, "hi", f->parameter[k].hi);
    mw_json_num(j, "made", f->parameter[k].value);
    mw_json_num(j, "mass", f->parameter[k].mass);
    if (f->parameter[k].field >= 0) mw_json_str(j, "field", f->field[f->parameter[k].field]);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

static void json_rom(mw_json *j, const mw_rom_file *f)
{
  mw_json_array(j, "coordinates");
  for (int i = 0; i < f->rom.s; i++) {
    mw_json_object(j, NULL);
    mw_json_str(j, "name", f->coordinate[i]);
    mw_json_num(j, "lo", f->rom.lo[i]);
    mw_json_num(j, "hi", f->rom.hi[i]);
    mw_json_num(j, "points", f->n_grid[i]);
    mw_json_num(j, "table", f->rom.n_grid[i]);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  mw_json_num(j, "modes", f->n_modes);
  mw_json_num(j, "modes_wanted", f->n_freq);
  if (f->followed) mw_json_str(j, "modes_followed", f->followed);
  if (f->fixed) mw_json_str(j, "modes_fixed_at", f->fixed);
  mw_json_num(j, "patterns", f->n_patterns);
  mw_json_array(j, "columns");
  for (int k = 0; k < f->rom.m; k++) mw_json_str(j, NULL, f->column[k]);
  mw_json_end(j, ']');
  mw_json_array(j, "fields");
  for (int k = 0; k < f->rom.n_y; k++) mw_json_str(j, NULL, f->field[k]);
  mw_json_end(j, ']');
  mw_json_array(j, "inputs");
  for (int k = 0; k < f->rom.n_u; k++) mw_json_str(j, NULL, f->input[k]);
  mw_json_end(j, ']');
  json_laws(j, f);
  json_parameters(j, f);
  mw_cmd_json_notes(f, j);
  mw_certificate_json(j, f);
}

static void json_gauges(mw_json *j, const info *f)
{
  for (int kind = 0; kind < 2; kind++) {
    if (f->n_gauge[kind] == 0) continue;
    mw_json_object(j, kind == 0 ? "peak_stress" : "peak_strain");
    for (int k = 0; k < f->n_gauge[kind]; k++) mw_json_num(j, f->gauge[kind][k], f->peak[kind][k]);
    mw_json_end(j, '}');
  }
}

static void json_names(mw_json *j, const char *key, int n, const char *const *name)
{
  mw_json_array(j, key);
  for (int k = 0; k < n; k++) mw_json_str(j, NULL, name[k]);
  mw_json_end(j, ']');
}

static void print_json(const info *f, const mw_rom_file *rom)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "kind", f->kind);
  mw_json_str(&j, "title", f->title);
  mw_json_str(&j, "source", f->source);
  mw_json_str(&j, "history", f->history);
  mw_json_str(&j, "model_name", f->model);
  mw_json_str(&j, "model_hash", f->hash);
  if (f->parameters) mw_json_str(&j, "model_parameters", f->parameters);
  if (f->scenario) mw_json_str(&j, "scenario", f->scenario);
  if (f->path) {
    mw_json_str(&j, "path", f->path);
    mw_json_num(&j, "unknowns", f->unknowns);
    mw_json_num(&j, "steps", f->steps);
    mw_json_num(&j, "step_s", f->step);
    mw_json_num(&j, "energy_drift", f->energy_drift);
    json_gauges(&j, f);
  }
  if (strcmp(f->kind, "rom") == 0) json_rom(&j, rom);
  if (f->timed) mw_json_num(&j, "instants", f->n_t);
  if (f->response) {
    mw_json_str(&j, "response", f->response);
    mw_json_num(&j, "places", f->n_place);
    mw_json_num(&j, "to", f->n_to);
    mw_json_num(&j, "from", f->n_from);
    mw_json_num(&j, "frequencies", f->n_hz);
  }
  if (f->n_value > 0) {
    json_names(&j, "axes", f->n_axis, f->axis);
    json_names(&j, "values", f->n_value, f->value);
  }
  if (f->n_state > 0) {
    mw_json_num(&j, "states", f->n_state);
    mw_json_num(&j, "inputs", f->n_input);
    mw_json_num(&j, "outputs", f->n_output);
  }
  mw_json_end(&j, '}');
}

static void print_laws(const mw_rom_file *f)
{
  for (int k = 0; k < f->rom.n_law; k++) {
    const mw_rom_law *l = &f->rom.law[k];
    if (rubs(l))
      printf("  friction along %s: %g, %g at rest\n", f->field[l->field], l->coulomb, l->stiction);
    if (stops(l))
      printf("  stops or play of %s: ends at %g and %g, stiffness %g, damping %g, soft %g\n",
             f->field[l->field], l->lo, l->hi, l->stiffness, l->damping, l->soft);
  }
}

static void print_rom(const mw_rom_file *rom)
{
  char storage[512], note[MW_NOTE_SIZE];
  for (int i = 0; i < rom->rom.s; i++)
    printf("  %s from %g to %g, %d grid points, %s%d\n", rom->coordinate[i], rom->rom.lo[i],
           rom->rom.hi[i], rom->n_grid[i],
           rom->rom.flat >> i & 1u ? "nothing depends on it: table of " : "tables of ",
           rom->rom.flat >> i & 1u ? 1 : rom->rom.n_grid[i]);
  for (int k = 0; k < rom->n_parameter; k++) {
    const mw_rom_parameter *p = &rom->parameter[k];
    printf("  parameter %s from %g to %g, made at %g: ", p->name, p->lo, p->hi, p->value);
    if (p->field < 0)
      printf("stiffness or damping of springs and runners\n");
    else
      printf("%g kg each at %s, y, z\n", p->mass, rom->field[p->field]);
  }
  mw_rom_storage_text(rom, storage, sizeof storage);
  printf("  %s\n", storage);
  printf("  %d columns:", rom->rom.m);
  for (int k = 0; k < rom->rom.m; k++) printf("%s %s", k ? "," : "", rom->column[k]);
  printf("\n  %d fields:", rom->rom.n_y);
  for (int k = 0; k < rom->rom.n_y; k++) printf("%s %s", k ? "," : "", rom->field[k]);
  printf("\n");
  for (int k = 0; mw_cmd_rom_note(rom, k, note); k++) printf("  %s\n", note);
  print_laws(rom);
  mw_certificate_print(rom);
}

static void print_text(const info *f, const mw_rom_file *rom)
{
  printf("%s\n  kind     %s\n  source   %s\n  history  %s\n  model    %s, %s\n", f->title, f->kind,
         f->source, f->history, f->model, f->hash);
  if (f->parameters) printf("  with     %s\n", f->parameters);
  if (f->path)
    printf("  %d instants, %d steps of %g s, %d unknowns", f->n_t, f->steps, f->step, f->unknowns);
  if (f->path && isnan(f->energy_drift))
    printf(", no energy balance: a prescribed velocity jumps\n");
  else if (f->path)
    printf(", energy balance %.2e\n", f->energy_drift);
  for (int kind = 0; kind < 2; kind++)
    for (int k = 0; k < f->n_gauge[kind]; k++)
      printf("  %s %s: largest %s %.4g%s\n", kind == 0 ? "stress" : "strain", f->gauge[kind][k],
             kind == 0 ? "von Mises stress" : "equivalent strain", f->peak[kind][k],
             kind == 0 ? " Pa" : "");
  if (f->response)
    printf("  %s to %d from %d ends, %d places, %d frequencies\n", f->response, f->n_to, f->n_from,
           f->n_place, f->n_hz);
  for (int k = 0; k < f->n_value; k++) printf("%s%s", k ? ", " : "  ", f->value[k]);
  for (int k = 0; k < f->n_axis; k++) printf("%s%s", k ? ", " : " over ", f->axis[k]);
  if (f->n_value > 0) printf("\n");
  if (f->n_state > 0)
    printf("  linear systems of %d states, %d inputs, %d outputs\n", f->n_state, f->n_input,
           f->n_output);
  if (strcmp(f->kind, "rom") == 0) print_rom(rom);
}

static mw_code page_form(const mw_args *a, mw_page_form *form, mw_error *err)
{
  static const char *const word[] = { "auto", "full", "compressed" };
  const char *asked = mw_args_value(a, "table");
  for (int k = 0; k < 3; k++)
    if (!asked || strcmp(asked, word[k]) == 0) {
      *form = (mw_page_form)k;
      return MW_OK;
    }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--table: found \"%s\", expected auto, full or compressed", asked);
}

// The page, with the machine where the model that is asked for, or that the reduced one names, is
// at hand.
static mw_code write_page(const mw_args *a, const mw_rom_file *rom, mw_error *err)
{
  const char *asked = mw_args_value(a, "model"), *model = asked ? asked : rom->model_file;
  mw_case c = { 0 };
  mw_error why = { 0 };
  bool none = asked && strcmp(asked, "none") == 0;
  mw_page_form form = MW_PAGE_AUTO;
  mw_code rc = page_form(a, &form, err);
  if (rc != MW_OK) return rc;
  rc = none ? MW_OK : mw_case_read(model ? model : "", &c, &why);
  if (rc == MW_OK && !none) rc = mw_rom_file_match(rom, &c.model, model, &why);
  bool drawn = rc == MW_OK && !none;
  if (rc != MW_OK && asked) {
    *err = why;
    if (rc == MW_ERR_IO) err->code = rc = MW_ERR_INPUT;
  } else {
    const char *text = none ? "it was left out (--model none)"
                            : "its model cannot be read as it was reduced, --model MODEL says "
                              "where it is";
    rc = mw_rom_page_write(rom, drawn ? &c : NULL, drawn ? NULL : text, form,
                           mw_args_value(a, "page"), err);
    if (rc == MW_OK && !drawn && !none)
      fprintf(stderr, "note: the machine is not drawn in the page: %s\n", text);
  }
  mw_case_free(&c);
  return rc;
}

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_rom_file rom = { 0 };
  info f = { 0 };
  const char *picture = mw_args_value(a, "picture"), *page = mw_args_value(a, "page");
  const char *option = page ? "page" : "picture";
  if (mw_component_is_object(a->operand)) {
    mw_code ok = picture || page ? mw_fail(&err, MW_ERR_INPUT, (mw_at){ .file = a->operand },
                                           "is a component, --%s is for reduced models", option)
                                 : mw_cmd_info_component(a->operand, a->json, &err);
    return ok == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
  }
  mw_code rc = look(a->operand, &mem, &f, &err);
  if (rc == MW_OK && (picture || page) && strcmp(f.kind, "rom") != 0)
    rc = mw_fail(&err, MW_ERR_INPUT, (mw_at){ .file = a->operand },
                 "is a %s, --%s is for reduced models", f.kind, option);
  if (rc == MW_OK && !page && mw_args_value(a, "model"))
    rc = mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "--model belongs to --page FILE.html");
  if (rc == MW_OK && !page && mw_args_value(a, "table"))
    rc = mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "--table belongs to --page FILE.html");
  if (rc == MW_OK && strcmp(f.kind, "rom") == 0) rc = mw_rom_file_read(a->operand, &rom, &err);
  if (rc == MW_OK && picture) rc = mw_rom_picture(&rom, picture, &err);
  if (rc == MW_OK && page) rc = write_page(a, &rom, &err);
  if (rc == MW_OK) {
    if (a->json)
      print_json(&f, &rom);
    else
      print_text(&f, &rom);
  }
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_info = {
  .name = "info",
  .operand = "FILE",
  .summary = "what a file of ours holds; refuses damaged ones",
  .doc =
      "Checks the digest of a reduced model, a trajectory, a comparison or an analysis and says\n"
      "where it comes from. The picture of a reduced model: frequencies over each coordinate with\n"
      "their crossings and veerings, the certificate, the points of its tables.\n"
      "Of a component: what is seen of it.\n\n"
      "--json: {\"kind\": rom, run, compare, lpv, frf, map, lobes, study or analysis, \"title\",\n"
      "  \"source\", \"history\", \"model_name\",\n"
      "  \"model_hash\", \"model_parameters\" (where there are), run, compare: \"scenario\",\n"
      "  \"instants\"; lpv: \"states\", \"inputs\", \"outputs\"; frf: \"response\",\n"
      "  \"places\", \"to\", \"from\", \"frequencies\"; map, lobes: \"axes\", \"values\"; run: "
      "\"path\",\n"
      "  \"unknowns\", \"steps\", \"step_s\", \"energy_drift\",\n"
      "  \"peak_stress\", \"peak_strain\": {OUTPUT: largest von\n"
      "  Mises measure, Pa or 1} where there are such outputs; rom: \"coordinates\": [{\"name\",\n"
      "  \"lo\", \"hi\", \"points\", \"table\"}], \"modes\", \"patterns\", \"columns\", "
      "\"fields\", \"inputs\",\n"
      "  \"laws\" of friction and stops, where there are any: [{\"field\", \"coulomb\", "
      "\"static\",\n"
      "  \"stribeck\", \"smooth\", \"lo\", \"hi\", \"stiffness\", \"damping\", \"soft\"}],\n"
      "  \"notes\": what the reduced model leaves out,\n" MW_CERTIFICATE_JSON "}\n",
  .option = { { 0, "picture", "FILE",
                "of a reduced model: FILE.svg, FILE.png, or FILE.html with tables too",
                MW_OPT_WRITES },
              { 0, "page", "FILE.html",
                "of a reduced model: one file without network that draws and runs it",
                MW_OPT_WRITES },
              { 0, "model", "MODEL",
                "--page: model that is drawn, or none (default: the one ROM.nc names)",
                MW_OPT_READS },
              { 0, "table", "FORM",
                "--page: auto, full or compressed (auto: compressed from a megabyte on)", 0 } },
  .run = run,
};
