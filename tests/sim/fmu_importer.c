// SPDX-License-Identifier: BSD-3-Clause
// fmu_importer.c: see fmu_importer.h.
//
// [FMI2] Functional Mock-up Interface for Model Exchange and Co-Simulation 2.0, sections 2.1 to
// 2.3. [FMI3] Functional Mock-up Interface Specification 3.0, sections 2.2, 2.4 and 2.5.
#include "fmu_importer.h"

#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "mw_test.h"

// ---- the archive --------------------------------------------------------------------------------

static void make_folders(char *path)
{
  for (char *p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
    *p = '\0';
    (void)mkdir(path, 0777);
    *p = '/';
  }
}

static bool unpack_one(zip_t *z, zip_uint64_t k, fmu_import *f)
{
  zip_stat_t st;
  char path[2 * FMU_PATH];
  if (zip_stat_index(z, k, 0, &st) != 0 || f->n_file == FMU_MAX_FILE) return false;
  snprintf(path, sizeof path, "%s/%s", f->dir, st.name);
  f->file[f->n_file++] = strdup(st.name);
  make_folders(path);
  char *data = malloc(st.size + 1);
  zip_file_t *e = zip_fopen_index(z, k, 0);
  FILE *out = fopen(path, "wb");
  bool fine = data && e && out && zip_fread(e, data, st.size) == (zip_int64_t)st.size &&
              fwrite(data, 1, st.size, out) == st.size;
  if (out) fine = fclose(out) == 0 && fine;
  if (e) (void)zip_fclose(e);
  free(data);
  return fine;
}

static bool unpack(const char *path, fmu_import *f)
{
  int why = 0;
  const char *tmp = getenv("TMPDIR");
  snprintf(f->dir, sizeof f->dir, "%.400s/modeway-import-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  zip_t *z = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &why);
  if (!MW_CHECK(z != NULL) || !MW_CHECK(mkdtemp(f->dir) != NULL)) return false;
  bool fine = true;
  for (zip_int64_t k = 0; k < zip_get_num_entries(z, 0); k++)
    fine = MW_CHECK(unpack_one(z, (zip_uint64_t)k, f)) && fine;
  zip_discard(z);
  return fine;
}

bool fmu_import_has(const fmu_import *f, const char *file)
{
  for (int k = 0; k < f->n_file; k++)
    if (strcmp(f->file[k], file) == 0) return true;
  return false;
}

// ---- modelDescription.xml -----------------------------------------------------------------------

static char *get(const xmlNode *e, const char *name)
{
  xmlChar *v = e ? xmlGetProp(e, (const xmlChar *)name) : NULL;
  char *s = v ? strdup((const char *)v) : NULL;
  xmlFree(v);
  return s;
}

static bool get_f64(const xmlNode *e, const char *name, double *x)
{
  char *s = get(e, name), *end = s;
  if (s) *x = strtod(s, &end);
  bool fine = s && end != s && *end == '\0';
  MW_CHECK(!s || fine);
  free(s);
  return fine;
}

static bool get_true(const xmlNode *e, const char *name)
{
  char *s = get(e, name);
  bool yes = s && (strcmp(s, "true") == 0 || strcmp(s, "1") == 0);
  free(s);
  return yes;
}

static bool is_named(const xmlNode *e, const char *name)
{
  return e->type == XML_ELEMENT_NODE && strcmp((const char *)e->name, name) == 0;
}

static const xmlNode *child(const xmlNode *e, const char *name)
{
  for (e = e ? e->children : NULL; e; e = e->next)
    if (is_named(e, name)) return e;
  return NULL;
}

static int count(const xmlNode *e, const char *name)
{
  int n = 0;
  for (e = e ? e->children : NULL; e; e = e->next) n += is_named(e, name);
  return n;
}

static void read_variable(const xmlNode *e, fmu_import *f)
{
  fmu_var *v = &f->var[f->n_var++];
  const xmlNode *real = f->version == 3 ? e : child(e, "Real");
  double x = 0.0;
  MW_CHECK(real != NULL);
  v->name = get(e, "name");
  v->causality = get(e, "causality");
  v->variability = get(e, "variability");
  v->initial = get(e, "initial");
  v->unit = get(real, "unit");
  v->type = get(real, "declaredType");
  v->derivative = get_f64(real, "derivative", &x) ? (long)x : -1;
  v->has_start = get_f64(real, "start", &v->start);
  v->has_min = get_f64(real, "min", &v->min);
  v->has_max = get_f64(real, "max", &v->max);
  (void)get_f64(real, "nominal", &v->nominal);
  MW_CHECK(get_f64(e, "valueReference", &x));
  v->vr = (uint32_t)x;
}

static void read_variables(const xmlNode *root, fmu_import *f)
{
  const xmlNode *list = child(root, "ModelVariables");
  const char *element = f->version == 3 ? "Float64" : "ScalarVariable";
  f->var = calloc((size_t)count(list, element) + 1, sizeof *f->var);
  for (const xmlNode *e = list ? list->children : NULL; e; e = e->next) {
    if (is_named(e, element)) read_variable(e, f);
    MW_CHECK(e->type != XML_ELEMENT_NODE || is_named(e, element));  // reals alone
  }
}

// Where the variable is that a number refers to: a value reference (3), an index from 1 (2).
static int refer(const fmu_import *f, long number)
{
  if (f->version == 2) return number >= 1 && number <= f->n_var ? (int)number - 1 : -1;
  for (int k = 0; k < f->n_var; k++)
    if (f->var[k].vr == (uint32_t)number) return k;
  return -1;
}

static void read_unknown(const xmlNode *e, fmu_import *f, fmu_unknown *u)
{
  double x = -1.0;
  char *list = get(e, "dependencies"), *kinds = get(e, "dependenciesKind"), *save = NULL;
  MW_CHECK(get_f64(e, f->version == 3 ? "valueReference" : "index", &x));
  u->var = refer(f, (long)x);
  MW_CHECK(u->var >= 0);
  if (list) u->known = calloc(strlen(list) + 1, sizeof *u->known);
  if (kinds) u->kind = calloc(strlen(kinds) + 2, sizeof *u->kind);
  for (char *p = list ? strtok_r(list, " ", &save) : NULL; p; p = strtok_r(NULL, " ", &save)) {
    u->known[u->n_known] = refer(f, strtol(p, NULL, 10));
    MW_CHECK(u->known[u->n_known++] >= 0);
  }
  int n = 0;
  for (char *p = kinds ? strtok_r(kinds, " ", &save) : NULL; p; p = strtok_r(NULL, " ", &save))
    if (MW_CHECK(n < u->n_known)) u->kind[n++] = strdup(p);
  MW_CHECK(!kinds || n == u->n_known);
  free(list);
  free(kinds);
}

static fmu_unknown *read_unknowns(const xmlNode *list, const char *element, fmu_import *f, int *n)
{
  fmu_unknown *u = calloc((size_t)count(list, element) + 1, sizeof *u);
  for (const xmlNode *e = list ? list->children : NULL; e; e = e->next)
    if (is_named(e, element)) read_unknown(e, f, &u[(*n)++]);
  return u;
}

static void read_structure(const xmlNode *root, fmu_import *f)
{
  const xmlNode *s = child(root, "ModelStructure");
  bool v3 = f->version == 3;
  f->output =
      read_unknowns(v3 ? s : child(s, "Outputs"), v3 ? "Output" : "Unknown", f, &f->n_output);
  f->derivative = read_unknowns(v3 ? s : child(s, "Derivatives"),
                                v3 ? "ContinuousStateDerivative" : "Unknown", f, &f->n_derivative);
  f->initial = read_unknowns(v3 ? s : child(s, "InitialUnknowns"),
                             v3 ? "InitialUnknown" : "Unknown", f, &f->n_initial);
}

static int read_names(const xmlNode *list, char **name)
{
  int n = 0;
  for (const xmlNode *e = list ? list->children : NULL; e; e = e->next)
    if (e->type == XML_ELEMENT_NODE && MW_CHECK(n < FMU_MAX_UNIT)) name[n++] = get(e, "name");
  return n;
}

static void read_interfaces(const xmlNode *root, fmu_import *f)
{
  const xmlNode *kind[2] = { child(root, "ModelExchange"), child(root, "CoSimulation") };
  bool v3 = f->version == 3;
  f->can_copy = f->can_serialize = f->has_directional = f->has_adjoint = true;
  for (int k = 0; k < 2; k++) {
    f->identifier[k] = get(kind[k], "modelIdentifier");
    f->can_copy &= get_true(kind[k], v3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate");
    f->can_serialize &= get_true(kind[k], v3 ? "canSerializeFMUState" : "canSerializeFMUstate");
    f->has_directional &=
        get_true(kind[k], v3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative");
    f->has_adjoint &= get_true(kind[k], "providesAdjointDerivatives");
  }
  f->variable_step = get_true(kind[1], "canHandleVariableCommunicationStepSize");
}

static bool read_description(fmu_import *f)
{
  char path[2 * FMU_PATH];
  snprintf(path, sizeof path, "%s/modelDescription.xml", f->dir);
  xmlDoc *doc = xmlReadFile(path, NULL, XML_PARSE_NONET);
  const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
  bool fine = MW_CHECK(root != NULL) && MW_CHECK(is_named(root, "fmiModelDescription"));
  if (fine) {
    char *version = get(root, "fmiVersion");
    f->version = version && strcmp(version, "3.0") == 0 ? 3 : 2;
    MW_CHECK(version && (f->version == 3 || strcmp(version, "2.0") == 0));
    free(version);
    f->token = get(root, f->version == 3 ? "instantiationToken" : "guid");
    read_interfaces(root, f);
    f->n_unit = read_names(child(root, "UnitDefinitions"), f->unit);
    f->n_type = read_names(child(root, "TypeDefinitions"), f->type);
    read_variables(root, f);
    read_structure(root, f);
  }
  xmlFreeDoc(doc);
  return fine;
}

bool fmu_import_open(const char *path, fmu_import *out)
{
  *out = (fmu_import){ 0 };
  return unpack(path, out) && read_description(out);
}

int fmu_import_find(const fmu_import *f, const char *name)
{
  for (int k = 0; k < f->n_var; k++)
    if (f->var[k].name && strcmp(f->var[k].name, name) == 0) return k;
  return -1;
}

// ---- the binary ---------------------------------------------------------------------------------

static bool run(const char *line)
{
  bool fine = system(line) == 0;
  if (!fine) printf("%s\n", line);
  return MW_CHECK(fine);
}

bool fmu_import_load(fmu_import *f, const char *cc, const char *flags)
{
  char path[4 * FMU_PATH], line[8 * FMU_PATH];
  const char *name = f->identifier[1], *folder = f->version == 3 ? "x86_64-linux" : "linux64";
  if (!cc) {
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", f->dir, folder, name);
  } else {
    snprintf(path, sizeof path, "%s/compiled.so", f->dir);
    snprintf(line, sizeof line,
             "cd '%s/sources' && %s -std=c99 -Wall -Wextra -Wpedantic -Werror %s -fPIC -shared "
             "-DFMI%d_OVERRIDE_FUNCTION_PREFIX -o '%s' %s.c %s_fmu.c -lm",
             f->dir, cc, flags, f->version, path, name, name);
    if (!run(line)) return false;
  }
  f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!MW_CHECK(f->library != NULL)) printf("%s\n", dlerror());
  return f->library != NULL;
}

bool fmu_import_symbol(const fmu_import *f, const char *name, void *out)
{
  void *p = f->library ? dlsym(f->library, name) : NULL;
  if (!MW_CHECK(p != NULL)) printf("%s is missing\n", name);
  memcpy(out, &p, sizeof p);
  return p != NULL;
}

static void free_unknowns(fmu_unknown *u, int n)
{
  for (int k = 0; k < n; k++) {
    for (int i = 0; u[k].kind && i < u[k].n_known; i++) free(u[k].kind[i]);
    free(u[k].kind);
    free(u[k].known);
  }
  free(u);
}

void fmu_import_close(fmu_import *f)
{
  char line[2 * FMU_PATH];
  if (f->library) (void)dlclose(f->library);
  for (int k = 0; k < f->n_file; k++) free(f->file[k]);
  for (int k = 0; k < f->n_var; k++) {
    fmu_var *v = &f->var[k];
    free(v->name), free(v->causality), free(v->variability), free(v->initial);
    free(v->unit), free(v->type);
  }
  free(f->var);
  free_unknowns(f->output, f->n_output);
  free_unknowns(f->derivative, f->n_derivative);
  free_unknowns(f->initial, f->n_initial);
  for (int k = 0; k < f->n_unit; k++) free(f->unit[k]);
  for (int k = 0; k < f->n_type; k++) free(f->type[k]);
  for (int k = 0; k < 2; k++) free(f->identifier[k]);
  free(f->token);
  xmlCleanupParser();
  if (strstr(f->dir, "/modeway-import-")) {
    snprintf(line, sizeof line, "rm -r '%s'", f->dir);
    (void)run(line);
  }
  *f = (fmu_import){ 0 };
}

// ---- names of the standards ---------------------------------------------------------------------

const char *const fmu_names2[] = {
  "fmi2GetTypesPlatform",
  "fmi2GetVersion",
  "fmi2SetDebugLogging",
  "fmi2Instantiate",
  "fmi2FreeInstance",
  "fmi2SetupExperiment",
  "fmi2EnterInitializationMode",
  "fmi2ExitInitializationMode",
  "fmi2Terminate",
  "fmi2Reset",
  "fmi2GetReal",
  "fmi2GetInteger",
  "fmi2GetBoolean",
  "fmi2GetString",
  "fmi2SetReal",
  "fmi2SetInteger",
  "fmi2SetBoolean",
  "fmi2SetString",
  "fmi2GetFMUstate",
  "fmi2SetFMUstate",
  "fmi2FreeFMUstate",
  "fmi2SerializedFMUstateSize",
  "fmi2SerializeFMUstate",
  "fmi2DeSerializeFMUstate",
  "fmi2GetDirectionalDerivative",
  "fmi2EnterEventMode",
  "fmi2NewDiscreteStates",
  "fmi2EnterContinuousTimeMode",
  "fmi2CompletedIntegratorStep",
  "fmi2SetTime",
  "fmi2SetContinuousStates",
  "fmi2GetDerivatives",
  "fmi2GetEventIndicators",
  "fmi2GetContinuousStates",
  "fmi2GetNominalsOfContinuousStates",
  "fmi2SetRealInputDerivatives",
  "fmi2GetRealOutputDerivatives",
  "fmi2DoStep",
  "fmi2CancelStep",
  "fmi2GetStatus",
  "fmi2GetRealStatus",
  "fmi2GetIntegerStatus",
  "fmi2GetBooleanStatus",
  "fmi2GetStringStatus",
  NULL,
};
const char *const fmu_names3[] = {
  "fmi3GetVersion",
  "fmi3SetDebugLogging",
  "fmi3InstantiateModelExchange",
  "fmi3InstantiateCoSimulation",
  "fmi3InstantiateScheduledExecution",
  "fmi3FreeInstance",
  "fmi3EnterInitializationMode",
  "fmi3ExitInitializationMode",
  "fmi3EnterEventMode",
  "fmi3Terminate",
  "fmi3Reset",
  "fmi3GetFloat32",
  "fmi3GetFloat64",
  "fmi3GetInt8",
  "fmi3GetUInt8",
  "fmi3GetInt16",
  "fmi3GetUInt16",
  "fmi3GetInt32",
  "fmi3GetUInt32",
  "fmi3GetInt64",
  "fmi3GetUInt64",
  "fmi3GetBoolean",
  "fmi3GetString",
  "fmi3GetBinary",
  "fmi3GetClock",
  "fmi3SetFloat32",
  "fmi3SetFloat64",
  "fmi3SetInt8",
  "fmi3SetUInt8",
  "fmi3SetInt16",
  "fmi3SetUInt16",
  "fmi3SetInt32",
  "fmi3SetUInt32",
  "fmi3SetInt64",
  "fmi3SetUInt64",
  "fmi3SetBoolean",
  "fmi3SetString",
  "fmi3SetBinary",
  "fmi3SetClock",
  "fmi3GetNumberOfVariableDependencies",
  "fmi3GetVariableDependencies",
  "fmi3GetFMUState",
  "fmi3SetFMUState",
  "fmi3FreeFMUState",
  "fmi3SerializedFMUStateSize",
  "fmi3SerializeFMUState",
  "fmi3DeserializeFMUState",
  "fmi3GetDirectionalDerivative",
  "fmi3GetAdjointDerivative",
  "fmi3EnterConfigurationMode",
  "fmi3ExitConfigurationMode",
  "fmi3GetIntervalDecimal",
  "fmi3GetIntervalFraction",
  "fmi3GetShiftDecimal",
  "fmi3GetShiftFraction",
  "fmi3SetIntervalDecimal",
  "fmi3SetIntervalFraction",
  "fmi3SetShiftDecimal",
  "fmi3SetShiftFraction",
  "fmi3EvaluateDiscreteStates",
  "fmi3UpdateDiscreteStates",
  "fmi3EnterContinuousTimeMode",
  "fmi3CompletedIntegratorStep",
  "fmi3SetTime",
  "fmi3SetContinuousStates",
  "fmi3GetContinuousStateDerivatives",
  "fmi3GetEventIndicators",
  "fmi3GetContinuousStates",
  "fmi3GetNominalsOfContinuousStates",
  "fmi3GetNumberOfEventIndicators",
  "fmi3GetNumberOfContinuousStates",
  "fmi3EnterStepMode",
  "fmi3GetOutputDerivatives",
  "fmi3DoStep",
  "fmi3ActivateModelPartition",
  NULL,
};
