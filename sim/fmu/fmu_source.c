// SPDX-License-Identifier: BSD-3-Clause
// fmu_source.c: NAME_fmu.c of the archive: what fmu/fmu.c needs of one model, then the sources of
// sim/fmu/.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "export/export_layer.h"
#include "fmu_priv.h"

static const double STEPS_MOST = 1e9;  // internal steps of one communication step

static void print_f64(double x, FILE *out)
{
  if (isfinite(x))
    fprintf(out, "%a", x);
  else
    fputs(x > 0.0 ? "HUGE_VAL" : "-HUGE_VAL", out);
}

// An array of one entry at least: C has none of length 0.
static void print_array(const char *type, const char *name, const char *size, FILE *out)
{
  fprintf(out, "static const %s %s[%s] = {", type, name, size);
}

static void print_string(const char *s, FILE *out)
{
  fputs("\n  \"", out);
  for (; *s; s++) {
    if (*s == '"' || *s == '\\' || *s == '?') fputc('\\', out);
    fputc(*s, out);
  }
  fputs("\",", out);
}

// A field of the variables first … first + n - 1.
static void print_values(const mw_fmu *f, const char *name, const char *size, int first, int n,
                         size_t offset, FILE *out)
{
  print_array("double", name, size, out);
  for (int k = 0; k < n; k++) {
    double x;
    memcpy(&x, (const char *)&f->var[first + k] + offset, sizeof x);
    fputs(k % 4 == 0 ? "\n  " : " ", out);
    print_f64(x, out);
    fputc(',', out);
  }
  fputs("\n};\n", out);
}

static void print_tables(const mw_fmu *f, FILE *out)
{
  const mw_rom *r = &f->rom->rom;
  fprintf(out,
          "#define FMU_PREFIX %s_\n#define FMU_TOKEN  \"%s\"\n"
          "enum { FMU_N_X = %d, FMU_N_THETA = %d, FMU_N_U = %d, FMU_N_Y = %d, FMU_N_RATE = %d };\n"
          "#define FMU_N_O %d\n#define FMU_N_P %d\n\n",
          f->name, f->token, f->n_x, r->s, r->n_u, r->n_y, f->n_rate, f->step - f->o,
          f->n_var - f->p);
  fputs("// by value reference\n", out);
  print_array("char *const", "fmu_name", "", out);
  for (int k = 0; k < f->n_var; k++) print_string(f->var[k].name, out);
  fputs("\n};\n// of the states; limits of the first half of them\n", out);
  print_values(f, "fmu_start_x", "FMU_N_X", f->x, f->n_x, offsetof(mw_fmu_var, start), out);
  print_values(f, "fmu_nominal_x", "FMU_N_X", f->x, f->n_x, offsetof(mw_fmu_var, nominal), out);
  print_values(f, "fmu_lo", "FMU_N_X / 2", f->x, f->n_x / 2, offsetof(mw_fmu_var, min), out);
  print_values(f, "fmu_hi", "FMU_N_X / 2", f->x, f->n_x / 2, offsetof(mw_fmu_var, max), out);
  if (f->n_var > f->p) {
    fputs("// of the parameters\n", out);
    print_values(f, "fmu_start_p", "FMU_N_P", f->p, f->n_var - f->p, offsetof(mw_fmu_var, start),
                 out);
    print_values(f, "fmu_lo_p", "FMU_N_P", f->p, f->n_var - f->p, offsetof(mw_fmu_var, min), out);
    print_values(f, "fmu_hi_p", "FMU_N_P", f->p, f->n_var - f->p, offsetof(mw_fmu_var, max), out);
  }
  fputs("// outputs that have rates\n", out);
  print_array("int", "fmu_rate", "FMU_N_RATE + 1", out);
  for (int k = 0; k < f->n_rate; k++) fprintf(out, " %d,", f->rate[k]);
  fputs(" 0 };\n// s; internal steps of one communication step\n", out);
  fprintf(out,
          "static const double fmu_start_step = %a, FMU_STEP_LEAST = %a, FMU_STEP_MOST = %a,\n"
          "                    FMU_STEPS_MOST = %a;\n\n",
          MW_FMU_STEP, MW_FMU_STEP_LEAST, MW_FMU_STEP_MOST, STEPS_MOST);
}

// @name@ and @N@ of fmu/glue.c.in
static void print_glue(const mw_fmu *f, const char *text, FILE *out)
{
  char upper[MW_EXPORT_MAX_NAME + 1];
  size_t n = strlen(f->name) < sizeof upper - 1 ? strlen(f->name) : sizeof upper - 1;
  for (size_t k = 0; k < n; k++) upper[k] = (char)toupper((unsigned char)f->name[k]);
  upper[n] = '\0';
  const mw_export_key key[] = { { "name", f->name }, { "N", upper } };
  mw_export_fill(text, 2, key, out);
}

static void print_text(mw_arena *mem, const char *file, const mw_fmu *glue_of, FILE *out)
{
  const mw_export_text *t = mw_export_text_find(file);
  char *text = t ? mw_export_text_join(t, mem) : NULL;
  if (!text)
    mem->failed = 1;
  else if (glue_of)
    print_glue(glue_of, text, out);
  else
    fputs(text, out);
  fputc('\n', out);
}

void mw_fmu_print_source(mw_fmu *f, int version, FILE *out)
{
  fprintf(out,
          "// SPDX-License-Identifier: BSD-3-Clause\n"
          "// %s_fmu.c: the reduced model of %s.c as a functional mock-up unit, FMI %d.0, made by "
          "modeway " MW_VERSION ".\n"
          "//\n"
          "// C99 and libm. Functions of the interface are named %s_fmi%d...; plain, for a shared "
          "library, with\n"
          "// FMI%d_OVERRIDE_FUNCTION_PREFIX or DISABLE_PREFIX defined.\n"
          "#include \"%s.h\"\n\n#include <math.h>\n#include <stddef.h>\n\n",
          f->name, f->name, version, f->name, version, version, f->name);
  print_tables(f, out);
  print_text(&f->mem, "glue.c.in", f, out);
  print_text(&f->mem, "fmu.c", NULL, out);
  print_text(&f->mem, version == 3 ? "fmi3.c" : "fmi2.c", NULL, out);
  if (version == 3) print_text(&f->mem, "fmi3_absent.c", NULL, out);
}
