// SPDX-License-Identifier: BSD-3-Clause
// fmu_xml.c: modelDescription.xml of both versions, and the other XML of the archive.
//
// Version 3 refers to variables by value reference, version 2 by index, which counts from 1. All
// variables are scalars of type Float64 (Real); every unit in use is defined, with the exponents of
// its base units where it has any.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu_priv.h"

static const mw_fmu_unit UNITS[] = {
  { "s", "Time", "Time", 0, 0, 1, 0, true },
  { "m", "Length", "Length", 0, 1, 0, 0, true },
  { "rad", "Angle", "Angle", 0, 0, 0, 1, true },
  { "m/s", "Velocity", "Velocity", 0, 1, -1, 0, true },
  { "rad/s", "AngularVelocity", "AngularVelocity", 0, 0, -1, 1, true },
  { "m/s2", "Acceleration", "Acceleration", 0, 1, -2, 0, true },
  { "rad/s2", "AngularAcceleration", "AngularAcceleration", 0, 0, -2, 1, true },
  { "N", "Force", "Force", 1, 1, -2, 0, true },
  { "N.m", "Torque", "Torque", 1, 2, -2, 0, true },
  { "Pa", "Stress", "Stress", 1, -1, -2, 0, true },
  { "1", "Strain", "Strain", 0, 0, 0, 0, true },
  { "kg0.5.m", "Amplitude", "ModalAmplitude", 0, 0, 0, 0, false },
  { "kg0.5.m/s", "AmplitudeRate", "ModalVelocity", 0, 0, 0, 0, false },
  { "kg0.5.m/s2", "AmplitudeAcceleration", "ModalAcceleration", 0, 0, 0, 0, false },
};
enum { N_UNIT = sizeof UNITS / sizeof *UNITS };

const mw_fmu_unit *mw_fmu_unit_at(int k) { return k >= 0 && k < N_UNIT ? &UNITS[k] : NULL; }

const mw_fmu_unit *mw_fmu_unit_find(const char *name)
{
  for (int k = 0; name && k < N_UNIT; k++)
    if (strcmp(UNITS[k].name, name) == 0) return &UNITS[k];
  return NULL;
}

void mw_fmu_print_escaped(const char *s, FILE *out)
{
  for (; s && *s; s++) {
    int c = (unsigned char)*s;
    if (c == '<')
      fputs("&lt;", out);
    else if (c == '>')
      fputs("&gt;", out);
    else if (c == '&')
      fputs("&amp;", out);
    else if (c == '"')
      fputs("&quot;", out);
    else
      fputc(c < 32 ? ' ' : c, out);
  }
}

static void attribute(const char *name, const char *value, FILE *out)
{
  if (!value) return;
  fprintf(out, " %s=\"", name);
  mw_fmu_print_escaped(value, out);
  fputc('"', out);
}

// The shortest digits that give the value back.
static void attribute_f64(const char *name, double value, bool is_there, FILE *out)
{
  char text[40];
  if (!is_there || !isfinite(value)) return;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  fprintf(out, " %s=\"%s\"", name, text);
}

// ---- head ---------------------------------------------------------------------------------------

static void print_sources(const mw_fmu *f, FILE *out)
{
  fprintf(out,
          ">\n    <SourceFiles>\n      <File name=\"%s.c\"/>\n      <File name=\"%s_fmu.c\"/>\n"
          "    </SourceFiles>\n",
          f->name, f->name);
}

static void print_interface(const mw_fmu *f, int version, bool cosim, FILE *out)
{
  const char *element = cosim ? "CoSimulation" : "ModelExchange";
  fprintf(out, "  <%s modelIdentifier=\"%s\"", element, f->name);
  if (cosim) fputs(" canHandleVariableCommunicationStepSize=\"true\"", out);
  if (version == 3)
    fputs(" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
          "providesDirectionalDerivatives=\"true\" providesAdjointDerivatives=\"true\"/>\n",
          out);
  else {
    fputs(" canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\" "
          "canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"true\"",
          out);
    print_sources(f, out);
    fprintf(out, "  </%s>\n", element);
  }
}

static void print_head(const mw_fmu *f, int version, FILE *out)
{
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription", out);
  fprintf(out, " fmiVersion=\"%d.0\"", version);
  attribute("modelName", f->rom->model_name, out);
  attribute(version == 3 ? "instantiationToken" : "guid", f->token, out);
  attribute("description", "reduced model of a flexible mechanism", out);
  attribute("generationTool", "modeway " MW_VERSION, out);
  attribute("variableNamingConvention", "structured", out);
  if (version == 2) attribute("numberOfEventIndicators", "0", out);
  fputs(">\n", out);
  print_interface(f, version, false, out);
  print_interface(f, version, true, out);
}

// ---- units and types ----------------------------------------------------------------------------

static bool in_use(const mw_fmu *f, const mw_fmu_unit *u)
{
  for (int k = 0; k < f->n_var; k++)
    if (f->var[k].unit && strcmp(f->var[k].unit, u->name) == 0) return true;
  return false;
}

static void exponent(const char *base, int n, FILE *out)
{
  if (n != 0) fprintf(out, " %s=\"%d\"", base, n);
}

static void print_units(const mw_fmu *f, FILE *out)
{
  fputs("  <UnitDefinitions>\n", out);
  for (int k = 0; k < N_UNIT; k++) {
    const mw_fmu_unit *u = &UNITS[k];
    if (!in_use(f, u)) continue;
    fprintf(out, "    <Unit name=\"%s\"", u->name);
    if (u->has_base) {
      fputs("><BaseUnit", out);
      exponent("kg", u->kg, out);
      exponent("m", u->m, out);
      exponent("s", u->s, out);
      exponent("rad", u->rad, out);
      fputs("/></Unit>\n", out);
    } else {
      fputs("/>\n", out);
    }
  }
  fputs("  </UnitDefinitions>\n", out);
}

static void print_types(const mw_fmu *f, int version, FILE *out)
{
  fputs("  <TypeDefinitions>\n", out);
  for (int k = 0; k < N_UNIT; k++) {
    const mw_fmu_unit *u = &UNITS[k];
    if (!in_use(f, u)) continue;
    const char *format = version == 3
                             ? "    <Float64Type name=\"%s\" quantity=\"%s\" unit=\"%s\"/>\n"
                             : "    <SimpleType name=\"%s\"><Real quantity=\"%s\" unit=\"%s\"/>"
                               "</SimpleType>\n";
    fprintf(out, format, u->type, u->quantity, u->name);
  }
  fputs("  </TypeDefinitions>\n", out);
}

static void print_log(FILE *out)
{
  fputs("  <LogCategories>\n"
        "    <Category name=\"logStatusDiscard\" description=\"states and steps that are "
        "refused\"/>\n"
        "    <Category name=\"logStatusError\" description=\"calls that are wrong\"/>\n"
        "  </LogCategories>\n"
        "  <DefaultExperiment startTime=\"0\" stopTime=\"1\" tolerance=\"1e-6\" "
        "stepSize=\"1e-3\"/>\n",
        out);
}

// ---- variables ----------------------------------------------------------------------------------

static void print_real(const mw_fmu_var *v, int version, FILE *out)
{
  const mw_fmu_unit *u = mw_fmu_unit_find(v->unit);
  attribute("declaredType", u ? u->type : NULL, out);
  attribute("quantity", u ? u->quantity : NULL, out);
  attribute("unit", u ? u->name : NULL, out);
  attribute_f64("min", v->min, true, out);
  attribute_f64("max", v->max, true, out);
  attribute_f64("nominal", v->nominal, v->nominal > 0.0, out);
  attribute_f64("start", v->start, v->has_start, out);
  if (v->derivative >= 0)
    fprintf(out, " derivative=\"%d\"", version == 3 ? v->derivative : v->derivative + 1);
}

static void print_variable(const mw_fmu *f, int k, int version, FILE *out)
{
  const mw_fmu_var *v = &f->var[k];
  fprintf(out, "    <%s", version == 3 ? "Float64" : "ScalarVariable");
  attribute("name", v->name, out);
  fprintf(out, " valueReference=\"%d\"", k);
  attribute("description", v->description, out);
  attribute("causality", v->causality, out);
  attribute("variability", v->variability, out);
  attribute("initial", v->initial, out);
  if (version == 2) fputs("><Real", out);
  print_real(v, version, out);
  fputs(version == 2 ? "/></ScalarVariable>\n" : "/>\n", out);
}

// ---- structure ----------------------------------------------------------------------------------

// What an unknown depends on: states and inputs, in order; kinds beside them.
static void print_unknown(const mw_fmu *f, const char *element, int k, int version, FILE *out)
{
  const char *gap = "";
  fprintf(out, "    %s<%s %s=\"%d\" dependencies=\"", version == 2 ? "  " : "", element,
          version == 3 ? "valueReference" : "index", version == 3 ? k : k + 1);
  for (int pass = 0; pass < 2; pass++) {
    gap = "";
    if (pass) fputs("\" dependenciesKind=\"", out);
    for (int j = f->x; j < f->y; j++) {
      int kind = j < f->dx || j >= f->u ? mw_fmu_depends(f, k, j) : 0;
      if (kind == 0) continue;
      if (pass)
        fprintf(out, "%s%s", gap, kind == 2 ? "constant" : "dependent");
      else
        fprintf(out, "%s%d", gap, version == 3 ? j : j + 1);
      gap = " ";
    }
  }
  fputs("\"/>\n", out);
}

static void print_unknowns(const mw_fmu *f, int from, int to, const char *list, const char *element,
                           int version, FILE *out)
{
  if (version == 2) fprintf(out, "    <%s>\n", list);
  for (int k = from; k < to; k++)
    print_unknown(f, version == 3 ? element : "Unknown", k, version, out);
  if (version == 2) fprintf(out, "    </%s>\n", list);
}

// At the start all is known of x and u, on which the unknowns may depend as they do later.
static void print_initial(const mw_fmu *f, int version, FILE *out)
{
  if (version == 2) fputs("    <InitialUnknowns>\n", out);
  for (int k = f->dx; k < f->step; k++) {
    if (k >= f->u && k < f->y) continue;
    if (version == 3)
      fprintf(out, "    <InitialUnknown valueReference=\"%d\"/>\n", k);
    else
      fprintf(out, "      <Unknown index=\"%d\"/>\n", k + 1);
  }
  if (version == 2) fputs("    </InitialUnknowns>\n", out);
}

void mw_fmu_print_description(const mw_fmu *f, int version, FILE *out)
{
  print_head(f, version, out);
  print_units(f, out);
  print_types(f, version, out);
  print_log(out);
  fputs("  <ModelVariables>\n", out);
  for (int k = 0; k < f->n_var; k++) print_variable(f, k, version, out);
  fputs("  </ModelVariables>\n  <ModelStructure>\n", out);
  if (f->step > f->y) print_unknowns(f, f->y, f->step, "Outputs", "Output", version, out);
  print_unknowns(f, f->dx, f->u, "Derivatives", "ContinuousStateDerivative", version, out);
  print_initial(f, version, out);
  fputs("  </ModelStructure>\n</fmiModelDescription>\n", out);
}

// ---- the other files ----------------------------------------------------------------------------

void mw_fmu_print_build(const mw_fmu *f, FILE *out)
{
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<fmiBuildDescription fmiVersion=\"3.0\">\n"
          "  <BuildConfiguration modelIdentifier=\"%s\">\n"
          "    <SourceFileSet language=\"C99\">\n"
          "      <SourceFile name=\"%s.c\"/>\n"
          "      <SourceFile name=\"%s_fmu.c\"/>\n"
          "    </SourceFileSet>\n"
          "    <Library name=\"m\" external=\"true\"/>\n"
          "  </BuildConfiguration>\n"
          "</fmiBuildDescription>\n",
          f->name, f->name, f->name);
}

void mw_fmu_print_icons(FILE *out)
{
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n"
        "  <GraphicalRepresentation>\n"
        "    <CoordinateSystem x1=\"-100\" y1=\"-75\" x2=\"100\" y2=\"75\" "
        "suggestedScalingFactorTo_mm=\"0.1\"/>\n"
        "    <Icon x1=\"-100\" y1=\"-75\" x2=\"100\" y2=\"75\"/>\n"
        "  </GraphicalRepresentation>\n"
        "</fmiTerminalsAndIcons>\n",
        out);
}
