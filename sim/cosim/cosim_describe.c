// SPDX-License-Identifier: BSD-3-Clause
// cosim_describe.c: what a functional mock-up unit says of itself in modelDescription.xml, as far
// as co-simulation needs it (FMI 2.0, section 2.2 and 4.3; FMI 3.0, section 2.4 and 4.4).
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cosim_priv.h"
#include "fem/suggest.h"
#include "import/xml_layer.h"

// Folder of this machine's binaries (FMI 2.0, section 2.3; FMI 3.0, section 2.5.1.4)
#if defined __x86_64__ && defined __linux__
static const char *const PLATFORM[] = { "linux64", "x86_64-linux" };
#elif defined __aarch64__ && defined __linux__
static const char *const PLATFORM[] = { "aarch64-linux", "aarch64-linux" };  // 2.0 has no name
#else
static const char *const PLATFORM[] = { "of this machine", "of this machine" };
#endif

typedef struct about {
  const mw_unit_in *u;
  const xml_node *root;
  mw_cosim_about *out;
  mw_arena *mem;
  mw_error *err;
} about;

// ---- variables ----------------------------------------------------------------------------------

// The element that says the type of a variable: a child in FMI 2.0, itself in 3.0.
static const xml_node *type_of(const about *a, const xml_node *v)
{
  static const char *const types[] = { "Real", "Integer", "Boolean", "String", "Enumeration" };
  if (a->out->version == 3) return v;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (xml_child(v, types[k])) return xml_child(v, types[k]);
  return v;
}

static const char *causality_of(const xml_node *v)
{
  const char *text = xml_text(v, "causality");
  return text ? text : "local";
}

static const xml_node *find(const about *a, const char *name, mw_suggest *near)
{
  const xml_node *all = xml_child(a->root, "ModelVariables");
  for (const xml_node *v = all ? all->first : NULL; v; v = v->next) {
    const char *other = xml_text(v, "name");
    if (!other) continue;
    if (strcmp(other, name) == 0) return v;
    mw_suggest_add(near, other);
  }
  return NULL;
}

static bool type_known(const char *type, bool real, mw_cosim_type *out)
{
  static const struct {
    const char *name;
    mw_cosim_type type;
  } known[] = { { "Real", MW_COSIM_REAL },           { "Float64", MW_COSIM_REAL },
                { "Integer", MW_COSIM_INTEGER },     { "Int32", MW_COSIM_INTEGER },
                { "Enumeration", MW_COSIM_INTEGER }, { "Boolean", MW_COSIM_BOOLEAN } };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (strcmp(known[k].name, type) == 0 && (!real || known[k].type == MW_COSIM_REAL)) {
      *out = known[k].type;
      return true;
    }
  return false;
}

// The variable of a name with one of two causalities; real: of no other type.
static mw_code variable(const about *a, const char *name, mw_at at, const char *want,
                        const char *or_else, bool real, mw_cosim_variable *out)
{
  mw_suggest near = mw_suggest_init(name);
  const xml_node *v = find(a, name, &near);
  const char *unit = a->u->name;
  if (!v)
    return mw_fail(a->err, MW_ERR_INPUT, at, "unit %.64s has no variable \"%.64s\"%s%.64s%s", unit,
                   name, near.best ? ", did you mean \"" : ", expected one of its own",
                   near.best ? near.best : "", near.best ? "\"?" : "");
  const char *causality = causality_of(v), *type = type_of(a, v)->name;
  if (strcmp(causality, want) != 0 && strcmp(causality, or_else) != 0)
    return mw_fail(a->err, MW_ERR_INPUT, at,
                   "unit %.64s: found variable %.64s of causality %.32s, expected %s", unit, name,
                   causality, want);
  if (xml_child(v, "Dimension") || !type_known(type, real, &out->type))
    return mw_fail(a->err, MW_ERR_INPUT, at,
                   "unit %.64s: found variable %.64s %s type %.32s, expected a single %s", unit,
                   name, xml_child(v, "Dimension") ? "with dimensions of" : "of", type,
                   real ? "Real or Float64" : "Real, Integer, Boolean, Float64 or Int32");
  const xml_attr *reference = xml_find(v, "valueReference");
  double number = 0.0;
  int n = 0;
  mw_code rc = reference ? xml_list(reference, 1, 1, &number, &n, a->err) : MW_OK;
  if (rc != MW_OK) return rc;
  if (!reference || number < 0.0 || number > UINT32_MAX || number != floor(number))
    return mw_fail(a->err, MW_ERR_INPUT, v->at, "%.64s: found no valueReference, expected one",
                   name);
  out->reference = (uint32_t)number;
  return MW_OK;
}

static mw_code check_value(const about *a, const mw_unit_parameter *p, mw_cosim_type type)
{
  double x = p->value;
  bool fine = type == MW_COSIM_REAL || (type == MW_COSIM_BOOLEAN && (x == 0.0 || x == 1.0)) ||
              (type == MW_COSIM_INTEGER && x == floor(x) && fabs(x) <= INT32_MAX);
  if (fine) return MW_OK;
  return mw_fail(a->err, MW_ERR_INPUT, p->at, "unit %.64s: found %.64s = %g, expected %s",
                 a->u->name, p->variable, x,
                 type == MW_COSIM_BOOLEAN ? "0 or 1, as it is Boolean" : "a whole number");
}

static mw_code variables(about *a)
{
  const mw_unit_in *u = a->u;
  mw_cosim_about *o = a->out;
  o->input = mw_arena_alloc(a->mem, (size_t)u->n_input, sizeof *o->input);
  o->output = mw_arena_alloc(a->mem, (size_t)u->n_output, sizeof *o->output);
  o->parameter = mw_arena_alloc(a->mem, (size_t)u->n_parameter, sizeof *o->parameter);
  mw_code rc = mw_arena_check(a->mem, a->err);
  for (int k = 0; rc == MW_OK && k < u->n_input; k++)
    rc = variable(a, u->input[k].variable, u->input[k].at, "input", "input", true, &o->input[k]);
  for (int k = 0; rc == MW_OK && k < u->n_output; k++)
    rc =
        variable(a, u->output[k].variable, u->output[k].at, "output", "local", true, &o->output[k]);
  for (int k = 0; rc == MW_OK && k < u->n_parameter; k++) {
    rc = variable(a, u->parameter[k].variable, u->parameter[k].at, "parameter", "parameter", false,
                  &o->parameter[k]);
    if (rc == MW_OK) rc = check_value(a, &u->parameter[k], o->parameter[k].type);
  }
  return rc;
}

// Names of inputs that keep their starts
static mw_code list_unset(about *a)
{
  const xml_node *all = xml_child(a->root, "ModelVariables");
  for (const xml_node *v = all ? all->first : NULL; v; v = v->next) {
    const char *name = xml_text(v, "name"), *before = a->out->unset;
    bool set = !name || strcmp(causality_of(v), "input") != 0;
    for (int k = 0; !set && k < a->u->n_input; k++)
      set = strcmp(a->u->input[k].variable, name) == 0;
    if (!set)
      a->out->unset =
          mw_arena_printf(a->mem, "%s%s%s", before ? before : "", before ? ", " : "", name);
  }
  return mw_arena_check(a->mem, a->err);
}

// ---- the unit -----------------------------------------------------------------------------------

static mw_code version(about *a)
{
  const char *text = xml_text(a->root, "fmiVersion");
  if (strcmp(a->root->name, "fmiModelDescription") != 0 || !text)
    return mw_fail(a->err, MW_ERR_INPUT, a->root->at,
                   "found %.64s without a version, expected fmiModelDescription of a functional "
                   "mock-up unit",
                   a->root->name);
  a->out->version = strcmp(text, "2.0") == 0 ? 2 : strncmp(text, "3.0", 3) == 0 ? 3 : 0;
  if (a->out->version > 0) return MW_OK;
  return mw_fail(a->err, MW_ERR_INPUT, a->u->file_at,
                 "unit %.200s: found FMI %.32s, expected 2.0 or 3.0", a->u->file, text);
}

// Is it a name of C, which cannot lead out of a folder?
static bool is_identifier(const char *s)
{
  if (!s || !(isalpha((unsigned char)*s) || *s == '_')) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

static mw_code co_simulation(about *a)
{
  const xml_node *co = xml_child(a->root, "CoSimulation");
  const mw_unit_in *u = a->u;
  mw_cosim_about *o = a->out;
  if (!co)
    return mw_fail(a->err, MW_ERR_INPUT, u->file_at,
                   "unit %.200s: found %s alone, expected co-simulation", u->file,
                   xml_child(a->root, "ModelExchange") ? "model exchange" : "no co-simulation");
  const char *tool = xml_text(co, "needsExecutionTool");
  if (tool && (strcmp(tool, "true") == 0 || strcmp(tool, "1") == 0))
    return mw_fail(a->err, MW_ERR_INPUT, u->file_at,
                   "unit %.200s needs the tool that made it, expected one that runs by itself",
                   u->file);
  o->identifier = xml_text(co, "modelIdentifier");
  o->token = xml_text(a->root, o->version == 2 ? "guid" : "instantiationToken");
  o->platform = PLATFORM[o->version - 2];
  if (!is_identifier(o->identifier) || !o->token)
    return mw_fail(a->err, MW_ERR_INPUT, co->at,
                   "found no modelIdentifier that is a name of C, or no %s, expected both",
                   o->version == 2 ? "guid" : "instantiationToken");
  return MW_OK;
}

static mw_code platform(about *a)
{
  const mw_unit_in *u = a->u;
  bool there;
  const char *all;
  mw_code rc =
      mw_cosim_platforms(u->file, u->file_at, a->out->platform, a->mem, &there, &all, a->err);
  if (rc != MW_OK || there) return rc;
  return mw_fail(a->err, MW_ERR_INPUT, u->file_at,
                 "unit %.160s has no binary for this machine: found %.100s%s, expected %s", u->file,
                 all[0] ? "" : "none", all, a->out->platform);
}

mw_code mw_cosim_describe(const mw_unit_in *u, mw_arena *mem, mw_cosim_about *out, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  xml_node *root = NULL;
  *out = (mw_cosim_about){ 0 };
  const char *name = mw_arena_printf(mem, "%s/modelDescription.xml", u->file);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK)
    rc = mw_cosim_entry(u->file, u->file_at, "modelDescription.xml", mem, &text, &n, err);
  if (rc == MW_OK) rc = xml_parse(name, text, n, mem, &root, err);
  about a = { u, root, out, mem, err };
  if (rc == MW_OK) rc = version(&a);
  if (rc == MW_OK) rc = co_simulation(&a);
  if (rc == MW_OK) rc = platform(&a);
  if (rc == MW_OK) rc = variables(&a);
  return rc == MW_OK ? list_unset(&a) : rc;
}
