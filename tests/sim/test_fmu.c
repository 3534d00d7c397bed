// SPDX-License-Identifier: BSD-3-Clause
// test_fmu.c: functional mock-up units as an importer finds them: archive, description, copies of
// states, lives, sources.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_rig.h"

enum { N_CYCLE = 1000 };

// ---- what is inside -----------------------------------------------------------------------------

static void check_files(rig *r)
{
  static const char *const both[] = { "modelDescription.xml",
                                      "sources/it.c",
                                      "sources/it.h",
                                      "sources/it_fmu.c",
                                      "documentation/index.html",
                                      "documentation/diagram.png",
                                      "documentation/licenses/license.txt",
                                      NULL };
  static const char *const v2[] = { "binaries/linux64/it.so", "model.png", NULL };
  static const char *const v3[] = { "binaries/x86_64-linux/it.so", "sources/buildDescription.xml",
                                    "terminalsAndIcons/terminalsAndIcons.xml",
                                    "terminalsAndIcons/icon.png", NULL };
  const char *const *own = r->u.f.version == 3 ? v3 : v2;
  int n = 0;
  for (int k = 0; both[k]; k++, n++) MW_CHECK(fmu_import_has(&r->u.f, both[k]));
  for (int k = 0; own[k]; k++, n++) MW_CHECK(fmu_import_has(&r->u.f, own[k]));
  MW_CHECK(n == r->u.f.n_file);
}

static void archive_holds_what_the_standards_name(void) { rig_each(check_files); }

static unsigned le(const unsigned char *p, int n)
{
  unsigned x = 0;
  for (int k = n - 1; k >= 0; k--) x = x << 8 | p[k];
  return x;
}

// [FMI3] 2.5: stored or deflated, version needed not above 2.0, no encryption, forward slashes.
// Read from the local headers (APPNOTE 4.3.7), which follow each other where no sizes come behind
// the data.
static void check_zip(rig *r)
{
  enum { HEAD = 30, SIGNATURE = 0x04034b50 };
  FILE *f = fopen(r->path, "rb");
  unsigned char h[HEAD];
  char name[256];
  int n = 0;
  while (MW_CHECK(f != NULL) && fread(h, 1, HEAD, f) == HEAD && le(h, 4) == SIGNATURE) {
    unsigned flags = le(h + 6, 2), method = le(h + 8, 2), len = le(h + 26, 2);
    MW_CHECK(le(h + 4, 2) <= 20);
    MW_CHECK((flags & 1u) == 0 && (flags & 8u) == 0);
    MW_CHECK(method == 0 || method == 8);
    MW_CHECK(len < sizeof name && fread(name, 1, len, f) == len);
    MW_CHECK(memchr(name, '\\', len) == NULL);
    MW_CHECK(fseek(f, (long)(le(h + 18, 4) + le(h + 28, 2)), SEEK_CUR) == 0);
    n++;
  }
  MW_CHECK(n == r->u.f.n_file);
  if (f) fclose(f);
}

static void archive_is_a_zip_file_as_the_standard_wants_it(void) { rig_each(check_zip); }

// Without a compiler: sources alone.
static void write_sources(const mw_fmu_job *job, const char *path)
{
  mw_error err = { 0 };
  bool compiled = true;
  char *cc = getenv("CC") ? strdup(getenv("CC")) : NULL;
  (void)setenv("CC", "/nowhere/cc", 1);
  MW_OKAY(mw_fmu_write(job, path, &compiled, &err));
  MW_CHECK(!compiled);
  if (cc)
    (void)setenv("CC", cc, 1);
  else
    (void)unsetenv("CC");
  free(cc);
}

static void check_bytes(rig *r)
{
  char path[2][2 * FIX_PATH], line[6 * FIX_PATH];
  mw_fmu_job job = rig_job(r);
  fmu_import f;
  for (int k = 0; k < 2; k++) {
    snprintf(path[k], sizeof path[k], "%s/again%d.fmu", r->dir, k);
    write_sources(&job, path[k]);
  }
  snprintf(line, sizeof line, "cmp '%s' '%s'", path[0], path[1]);
  MW_CHECK(system(line) == 0);
  MW_CHECK(fmu_import_open(path[0], &f) && f.n_file == r->u.f.n_file - 1);
  for (int k = 0; k < f.n_file; k++) MW_CHECK(strncmp(f.file[k], "binaries/", 9) != 0);
  fmu_import_close(&f);
}

static void same_model_gives_the_same_bytes_without_a_compiler(void) { rig_each(check_bytes); }

// What the archive's own binary shows: the interface alone.
static void check_symbols(rig *r)
{
  char line[4 * FIX_PATH];
  snprintf(line, sizeof line,
           "nm -D --defined-only '%s/binaries/%s/it.so' | grep -v ' fmi%d' > '%s/symbols'",
           r->u.f.dir, r->u.f.version == 3 ? "x86_64-linux" : "linux64", r->u.f.version, r->dir);
  MW_CHECK(system(line) != 0);  // grep finds nothing
}

static void binary_shows_the_functions_of_the_interface_alone(void) { rig_each(check_symbols); }

static void check_functions(rig *r)
{
  const char *const *name = r->u.f.version == 3 ? fmu_names3 : fmu_names2;
  void (*f)(void);
  for (int k = 0; name[k]; k++) MW_CHECK(fmu_import_symbol(&r->u.f, name[k], &f));
  const char *(*version)(void);
  if (fmu_import_symbol(&r->u.f, r->u.f.version == 3 ? "fmi3GetVersion" : "fmi2GetVersion",
                        &version))
    MW_CHECK(strcmp(version(), r->u.f.version == 3 ? "3.0" : "2.0") == 0);
}

static void every_function_of_the_interface_is_there(void) { rig_each(check_functions); }

// ---- the description ----------------------------------------------------------------------------

static bool listed(const char *name, int n, char *const *list)
{
  for (int k = 0; k < n; k++)
    if (strcmp(list[k], name) == 0) return true;
  return false;
}

// [FMI3] table of causality, variability and initial (2.4.7.4); [FMI2] page 49.
static void check_variable(const fmu_import *f, int k)
{
  const fmu_var *v = &f->var[k];
  if (!MW_CHECK(v->name && v->causality && v->variability)) return;
  bool calculated = v->initial && strcmp(v->initial, "calculated") == 0,
       exact = v->initial && strcmp(v->initial, "exact") == 0;
  for (int i = 0; i < k; i++) {
    MW_CHECK(f->var[i].vr != v->vr);
    MW_CHECK(strcmp(f->var[i].name, v->name) != 0);
  }
  if (strcmp(v->causality, "input") == 0)
    MW_CHECK(v->has_start && !v->initial && strcmp(v->variability, "continuous") == 0);
  else if (strcmp(v->causality, "parameter") == 0)
    MW_CHECK(v->has_start && exact && strcmp(v->variability, "fixed") == 0);
  else if (strcmp(v->causality, "output") == 0)
    MW_CHECK(!v->has_start && calculated && strcmp(v->variability, "continuous") == 0);
  else if (strcmp(v->causality, "local") == 0)
    MW_CHECK(v->has_start == exact && (exact || calculated));
  else
    MW_CHECK(strcmp(v->causality, "independent") == 0 && !v->initial && !v->has_start && k == 0);
  if (v->unit) MW_CHECK(listed(v->unit, f->n_unit, f->unit));
  if (v->type) MW_CHECK(listed(v->type, f->n_type, f->type));
  if (v->has_start && v->has_min) MW_CHECK(v->start >= v->min);
  if (v->has_start && v->has_max) MW_CHECK(v->start <= v->max);
}

// Every state is the derivative attribute of one unknown derivative; both have the order of theta,
// delta, thd, deld.
static void check_states(const rig *r)
{
  const fmu_import *f = &r->u.f;
  MW_CHECK(f->n_derivative == r->n_x);
  for (int k = 0; k < f->n_derivative; k++) {
    const fmu_var *d = &f->var[f->derivative[k].var];
    MW_CHECK(d->vr == r->derivative[k] && d->derivative >= 0);
    const fmu_var *x = NULL;
    for (int i = 0; i < f->n_var; i++)
      if (f->version == 3 ? f->var[i].vr == (uint32_t)d->derivative : i + 1 == (int)d->derivative)
        x = &f->var[i];
    if (MW_CHECK(x != NULL)) MW_CHECK(x->vr == r->state[k]);
  }
}

static void check_lists(const fmu_import *f)
{
  int n_output = 0, n_initial = 0, at = -1;
  for (int k = 0; k < f->n_var; k++) {
    bool output = strcmp(f->var[k].causality, "output") == 0;
    if (output && MW_CHECK(n_output < f->n_output)) MW_CHECK(f->output[n_output++].var == k);
    n_initial += f->var[k].initial && strcmp(f->var[k].initial, "calculated") == 0;
  }
  MW_CHECK(n_output == f->n_output && n_initial == f->n_initial);
  for (int k = 0; k < f->n_initial; k++) {  // in order, each once
    MW_CHECK(f->initial[k].var > at);
    at = f->initial[k].var;
  }
}

static void check_description(rig *r)
{
  const fmu_import *f = &r->u.f;
  for (int k = 0; k < f->n_var; k++) check_variable(f, k);
  check_states(r);
  check_lists(f);
  MW_CHECK(f->identifier[0] && f->identifier[1] && strcmp(f->identifier[0], "it") == 0);
  MW_CHECK(strcmp(f->identifier[0], f->identifier[1]) == 0);
  MW_CHECK(f->can_copy && f->can_serialize && f->has_directional && f->variable_step);
  MW_CHECK(f->has_adjoint == (f->version == 3));
}

static void description_obeys_the_rules_of_the_standards(void) { rig_each(check_description); }

// ---- copies of the state ------------------------------------------------------------------------

static void check_copies(rig *r)
{
  double a[RIG_MAX_X], b[RIG_MAX_X], c[RIG_MAX_X], t = -1.0;
  void *state = NULL, *other = NULL;
  size_t n = 0;
  if (!rig_start(r, true, 0.0)) return;
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  rig_steps(r, 0, 100, a);
  MW_CHECK(fmu_copy(&r->u, &state) == FMU_OK && state != NULL);
  rig_steps(r, 100, 50, a);
  MW_CHECK(fmu_restore(&r->u, state) == FMU_OK);
  MW_CHECK(fmu_get(&r->u, &r->time, 1, &t) == FMU_OK && fabs(t - 0.1) < 1e-12);
  rig_steps(r, 100, 50, b);
  MW_SAME_BITS(b, a, r->n_x);
  // as bytes into another instance
  MW_CHECK(fmu_bytes(&r->u, state, &n) == FMU_OK && n > sizeof(double) * (size_t)r->n_x);
  unsigned char *bytes = malloc(n);
  MW_CHECK(fmu_write(&r->u, state, bytes, n) == FMU_OK);
  MW_CHECK(fmu_forget(&r->u, &state) == FMU_OK && state == NULL);
  MW_CHECK(fmu_forget(&r->u, &state) == FMU_OK);
  fmu_free(&r->u);
  if (!rig_start(r, true, 0.0)) return;
  MW_CHECK(fmu_read(&r->u, bytes, n, &other) == FMU_OK);
  MW_CHECK(fmu_restore(&r->u, other) == FMU_OK);
  rig_steps(r, 100, 50, c);
  MW_SAME_BITS(c, a, r->n_x);
  MW_CHECK(fmu_forget(&r->u, &other) == FMU_OK);
  bytes[3] ^= 1;  // of another model
  MW_CHECK(fmu_read(&r->u, bytes, n, &other) == FMU_ERROR && other == NULL);
  bytes[3] ^= 1;
  MW_CHECK(fmu_read(&r->u, bytes, n - 1, &other) == FMU_ERROR && other == NULL);
  free(bytes);
  fmu_free(&r->u);
}

static void a_copied_state_continues_with_the_same_bits(void) { rig_each(check_copies); }

// A second copy goes where the first one is; steps take no memory either.
static void check_reuse(rig *r)
{
  double x[RIG_MAX_X];
  void *state = NULL;
  long before = rig_allocations();
  if (!rig_start(r, true, 0.0)) return;
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  MW_CHECK(fmu_copy(&r->u, &state) == FMU_OK);
  const void *first = state;
  MW_CHECK(before < 0 || rig_allocations() >= before + 2);  // the instance, the copy: they are seen
  before = rig_allocations();
  for (int k = 0; k < 100; k++) {
    rig_steps(r, k, 1, x);
    MW_CHECK(fmu_copy(&r->u, &state) == FMU_OK && state == first);
    MW_CHECK(fmu_restore(&r->u, state) == FMU_OK);
  }
  MW_CHECK(rig_allocations() == before);
  MW_CHECK(fmu_forget(&r->u, &state) == FMU_OK);
  fmu_free(&r->u);
}

static void steps_and_copies_after_the_first_take_no_memory(void) { rig_each(check_reuse); }

// Under AddressSanitizer the unit is compiled with it, and leaks end the suite.
static void check_cycles(rig *r)
{
  double x[RIG_MAX_X], first[RIG_MAX_X];
  for (int k = 0; k < N_CYCLE; k++) {
    void *state = NULL;
    if (!rig_start(r, true, 0.0)) return;
    MW_CHECK(fmu_exit(&r->u) == FMU_OK);
    rig_steps(r, 0, 2, x);
    MW_CHECK(fmu_copy(&r->u, &state) == FMU_OK);
    rig_steps(r, 2, 1, x);
    MW_CHECK(fmu_restore(&r->u, state) == FMU_OK);
    rig_steps(r, 2, 1, x);
    if (k == 0) memcpy(first, x, sizeof first);
    MW_SAME_BITS(x, first, r->n_x);
    MW_CHECK(fmu_reset(&r->u) == FMU_OK);
    MW_CHECK(fmu_enter(&r->u, 0.0, false, 0.0) == FMU_OK);
    MW_CHECK(fmu_exit(&r->u) == FMU_OK);
    rig_steps(r, 0, 1, x);
    MW_CHECK(fmu_forget(&r->u, &state) == FMU_OK);
    fmu_free(&r->u);
  }
}

static void a_thousand_lives_of_an_instance_leave_nothing_behind(void) { rig_each(check_cycles); }

// ---- sources ------------------------------------------------------------------------------------

// The sources that the archive lists, compiled as an importer would, are the same unit.
static void check_sources(rig *r)
{
  double a[RIG_MAX_X], b[RIG_MAX_X];
  rig *again = calloc(1, sizeof *again);
  if (!rig_start(r, true, 0.0)) return;
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  rig_steps(r, 0, 100, a);
  fmu_free(&r->u);
  *again = *r;
  again->u.f.library = NULL;
  if (fmu_import_load(&again->u.f, "cc", "-O0 -march=native") && rig_start(again, true, 0.0)) {
    MW_CHECK(fmu_exit(&again->u) == FMU_OK);
    rig_steps(again, 0, 100, b);
    fmu_free(&again->u);
    MW_SAME_BITS(b, a, r->n_x);
  }
  free(again);
}

static void sources_inside_compile_without_a_warning_to_the_same_unit(void)
{
  rig_each(check_sources);
}

// No input: no array of length 0, which C has not.
static void check_undriven(rig *r)
{
  export_fixture x = *r->x;
  double value = 0.0;
  char path[2 * FIX_PATH];
  mw_fmu_job job = rig_job(r);
  rig again;
  memset(&again, 0, sizeof again);
  x.f.rom.n_u = 0;
  job.rom = &x.f;
  job.seen = NULL;
  snprintf(path, sizeof path, "%s/undriven.fmu", r->dir);
  write_sources(&job, path);
  if (MW_CHECK(fmu_import_open(path, &again.u.f)) && fmu_import_load(&again.u.f, "cc", "-O0") &&
      rig_start(&again, true, 0.0)) {
    int y = fmu_import_find(&again.u.f, "theta.s0");
    MW_CHECK(fmu_exit(&again.u) == FMU_OK && fmu_step(&again.u, 0.0, 1e-3) == FMU_OK);
    MW_CHECK(y >= 0 && fmu_get(&again.u, &again.u.f.var[y].vr, 1, &value) == FMU_OK);
    for (int k = 0; k < again.u.f.n_var; k++)
      MW_CHECK(strcmp(again.u.f.var[k].causality, "input") != 0);
    fmu_free(&again.u);
  }
  fmu_import_close(&again.u.f);
}

static void a_model_without_inputs_is_a_unit_too(void) { rig_each(check_undriven); }

static const mw_test_case cases[] = {
  { "archive_holds_what_the_standards_name", archive_holds_what_the_standards_name },
  { "archive_is_a_zip_file_as_the_standard_wants_it",
    archive_is_a_zip_file_as_the_standard_wants_it },
  { "same_model_gives_the_same_bytes_without_a_compiler",
    same_model_gives_the_same_bytes_without_a_compiler },
  { "binary_shows_the_functions_of_the_interface_alone",
    binary_shows_the_functions_of_the_interface_alone },
  { "every_function_of_the_interface_is_there", every_function_of_the_interface_is_there },
  { "description_obeys_the_rules_of_the_standards", description_obeys_the_rules_of_the_standards },
  { "a_copied_state_continues_with_the_same_bits", a_copied_state_continues_with_the_same_bits },
  { "steps_and_copies_after_the_first_take_no_memory",
    steps_and_copies_after_the_first_take_no_memory },
  { "a_thousand_lives_of_an_instance_leave_nothing_behind",
    a_thousand_lives_of_an_instance_leave_nothing_behind },
  { "sources_inside_compile_without_a_warning_to_the_same_unit",
    sources_inside_compile_without_a_warning_to_the_same_unit },
  { "a_model_without_inputs_is_a_unit_too", a_model_without_inputs_is_a_unit_too },
  { RIG_LAST, rig_remove },
};

int main(void) { return mw_test_run("fmu", cases, (int)(sizeof cases / sizeof *cases)); }
