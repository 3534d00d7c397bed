// SPDX-License-Identifier: BSD-3-Clause
// export_keys.c: what stands in the texts of templates/ for one reduced model: sizes, names,
// settings.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export_layer.h"
#include "reduction/certificate.h"
#include "verdict/rangetext_layer.h"

mw_export_opt mw_export_opt_default(void)
{
  return (mw_export_opt){
    .name = NULL, .single = false, .method = MW_ROM_EXPONENTIAL, .step = 1e-3, .fmi = 3
  };
}

// ---- the prefix ---------------------------------------------------------------------------------

static bool is_identifier(const char *s)
{
  size_t n = strlen(s);
  if (n == 0 || n > MW_EXPORT_MAX_NAME || !isalpha((unsigned char)s[0])) return false;
  for (size_t k = 0; k < n; k++)
    if (!isalnum((unsigned char)s[k]) && s[k] != '_') return false;
  return true;
}

// Names that the text itself has a use for would not compile.
static bool is_taken(const char *s)
{
  static const char *const taken[] = {
    "real", "model", "rom", "mw", "mw_rom", "int", "double", NULL
  };
  for (int k = 0; taken[k]; k++)
    if (strcmp(s, taken[k]) == 0) return true;
  return false;
}

mw_code mw_export_name(const mw_rom_file *rom, const mw_export_opt *opt,
                       char name[MW_EXPORT_MAX_NAME + 1], mw_error *err)
{
  if (opt->name) {
    if (is_taken(opt->name))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--name: found \"%s\", which the exported text has itself, expected another "
                     "identifier",
                     opt->name);
    if (!is_identifier(opt->name))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--name: found \"%s\", expected a letter, then letters, digits and _, "
                     "%d at most",
                     opt->name, MW_EXPORT_MAX_NAME);
    snprintf(name, MW_EXPORT_MAX_NAME + 1, "%s", opt->name);
    return MW_OK;
  }
  int n = 0;
  for (const char *p = rom->model_name ? rom->model_name : ""; *p && n < MW_EXPORT_MAX_NAME; p++) {
    int c = (unsigned char)*p;
    if (isalnum(c) && c < 128)
      name[n++] = (char)tolower(c);
    else if (n > 0 && name[n - 1] != '_')
      name[n++] = '_';
  }
  while (n > 0 && name[n - 1] == '_') n--;
  name[n] = '\0';
  if (!is_identifier(name) || is_taken(name)) snprintf(name, MW_EXPORT_MAX_NAME + 1, "reduced");
  return MW_OK;
}

// ---- names --------------------------------------------------------------------------------------

// A name within a string or a line comment: no quotes, backslashes, ends of lines.
static void write_plain(const char *s, FILE *f)
{
  for (; s && *s; s++) {
    int c = (unsigned char)*s;
    fputc(c == '"' ? '\'' : c == '\\' || iscntrl(c) || (c == '?' && s[1] == '?') ? '_' : c, f);
  }
}

static void write_string(const char *before, const char *s, const char *behind, FILE *f)
{
  fputs("\n  \"", f);
  write_plain(before, f);
  write_plain(s, f);
  write_plain(behind, f);
  fputs("\",", f);
}

static const char *unit_of(const mw_rom_file *r, int i)
{
  return r->unit && r->unit[i] ? r->unit[i] : "";
}

static void x_names(const mw_rom_file *r, FILE *f)
{
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < r->rom.s; i++) write_string(k ? "rate of " : "", r->coordinate[i], "", f);
    for (int a = 0; a < r->rom.m; a++) write_string(k ? "rate of " : "", r->column[a], "", f);
  }
  fputs("\n  ", f);
}

static void x_units(const mw_rom_file *r, FILE *f)
{
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < r->rom.s; i++)
      write_string("", unit_of(r, i), k && *unit_of(r, i) ? "/s" : "", f);
    for (int a = 0; a < r->rom.m; a++) write_string("", "kg^0.5 m", k ? "/s" : "", f);
  }
  fputs("\n  ", f);
}

static void list_of(int n, const char *const *name, FILE *f)
{
  for (int k = 0; k < n; k++) write_string("", name[k], "", f);
  fputs("\n  ", f);
}

static void u_names(const mw_rom_file *r, FILE *f) { list_of(r->rom.n_u, r->input, f); }
static void y_names(const mw_rom_file *r, FILE *f) { list_of(r->rom.n_y, r->field, f); }

// ---- outputs besides the fields -----------------------------------------------------------------

static void o_names(const mw_rom_file *r, const mw_export_seen *s, FILE *f)
{
  (void)r;
  for (int k = 0; k < s->n; k++) write_string("", s->row[k].name, "", f);
  fputs("\n  ", f);
}

static void o_units(const mw_rom_file *r, const mw_export_seen *s, FILE *f)
{
  (void)r;
  for (int k = 0; k < s->n; k++) write_string("", s->row[k].unit, "", f);
  fputs("\n  ", f);
}

static void o_rows(const mw_rom_file *r, const mw_export_seen *s, FILE *f)
{
  (void)r;
  for (int k = 0; k < s->n; k++)
    fprintf(f, "{ %d, %d, %d }, ", (int)s->row[k].form, s->row[k].first, s->row[k].second);
}

static void o_patterns(const mw_rom_file *r, const mw_export_seen *s, FILE *f)
{
  mw_export_seen_patterns(r, s->n, f);
}

static void o_list(const mw_rom_file *r, const mw_export_seen *s, FILE *f)
{
  (void)r;
  for (int k = 0; k < s->n; k++) {
    fprintf(f, "//   o[%d]  ", k);
    write_plain(s->row[k].name, f);
    fprintf(f, "  %s  %s\n", s->row[k].unit, s->row[k].kind);
  }
  if (!s->left_out) return;
  fputs("// Not among them: ", f);
  write_plain(s->left_out, f);
  fputs(".\n", f);
}

static void write_list(const mw_rom_file *r, const char *start, FILE *f)
{
  for (int i = 0; i < r->rom.s; i++) {
    fprintf(f, "%sx[%d]  ", start, i);
    write_plain(r->coordinate[i], f);
    fprintf(f, "  %s  %.9g ... %.9g%s%s\n", unit_of(r, i), r->rom.lo[i], r->rom.hi[i],
            r->rom.cyclic >> i & 1u ? ", turns" : "",
            r->rom.flat >> i & 1u ? ", nothing depends on it" : "");
  }
  for (int k = 0; k < r->rom.n_u; k++) {
    fprintf(f, "%su[%d]  ", start, k);
    write_plain(r->input[k], f);
    fputc('\n', f);
  }
  for (int k = 0; k < r->rom.n_y; k++) {
    fprintf(f, "%sy[%d]  ", start, k);
    write_plain(r->field[k], f);
    fprintf(f, "%s%s\n", r->field_unit && r->field_unit[k][0] ? "  " : "",
            r->field_unit ? r->field_unit[k] : "");
  }
}

static void write_ranges(const mw_rom_file *r, const char *start, FILE *f)
{
  char text[MW_RANGE_SIZE];
  for (int k = 0; mw_range_text(r, k, text); k++) {
    fputs(start, f);
    write_plain(text, f);
    fputc('\n', f);
  }
}

static void ranges(const mw_rom_file *r, FILE *f) { write_ranges(r, "//   ", f); }
static void ranges_plain(const mw_rom_file *r, FILE *f) { write_ranges(r, "    ", f); }

static void list(const mw_rom_file *r, FILE *f) { write_list(r, "//   ", f); }
static void list_plain(const mw_rom_file *r, FILE *f) { write_list(r, "    ", f); }

static void middle(const mw_rom_file *r, FILE *f)
{
  for (int i = 0; i < r->rom.s; i++)
    fprintf(f, "%s%.9g", i ? ", " : "", 0.5 * (r->rom.lo[i] + r->rom.hi[i]));
}

static void title(const mw_rom_file *r, FILE *f) { write_plain(r->model_name, f); }
static void command(const mw_rom_file *r, FILE *f) { write_plain(r->command, f); }

static void libm(const char *suffix, FILE *f)
{
  static const char *const name[] = { "fabs", "sqrt", "floor", "ceil", "fmin", "fmax", "exp", "log",
                                      "sin",  "cos",  "tan",   "tanh", "atan", "pow",  "fma" };
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    fprintf(f, "#define real_%s %s%s\n", name[k], name[k], suffix);
}

static void libm_single(const mw_rom_file *r, FILE *f)
{
  (void)r;
  libm("f", f);
}

static void libm_double(const mw_rom_file *r, FILE *f)
{
  (void)r;
  libm("", f);
}

// ---- all of them --------------------------------------------------------------------------------

static const char *seen_written(void (*write)(const mw_rom_file *, const mw_export_seen *, FILE *),
                                const mw_rom_file *r, const mw_export_seen *s, mw_arena *mem)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f) write(r, s, f);
  const char *copy = f && fclose(f) == 0 ? mw_arena_str(mem, text) : NULL;
  if (!copy) mem->failed = 1;
  free(text);
  return copy;
}

// What a writer writes, of mem.
static const char *written(void (*write)(const mw_rom_file *, FILE *), const mw_rom_file *r,
                           mw_arena *mem)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f) write(r, f);
  const char *copy = f && fclose(f) == 0 ? mw_arena_str(mem, text) : NULL;
  if (!copy) mem->failed = 1;
  free(text);
  return copy;
}

static const char *upper(const char *name, mw_arena *mem)
{
  char *s = mw_arena_str(mem, name);
  for (char *p = s; p && *p; p++) *p = (char)toupper((unsigned char)*p);
  return s;
}

typedef struct keys {
  int n;
  mw_export_key *key;
} keys;

static void add(keys *k, const char *key, const char *value)
{
  k->key[k->n++] = (mw_export_key){ key, value };
}

static void add_int(keys *k, const char *key, size_t value, mw_arena *mem)
{
  add(k, key, mw_arena_printf(mem, "%zu", value));
}

enum { ALIGN = 64 / sizeof(float) };  // reals until the next multiple of 64 bytes

// Reals of work that are kept between calls: the mark and the tables of parameters.
static size_t kept_reals(const mw_kept *z)
{
  return z && z->n > 0 ? ALIGN + (z->n_coef + ALIGN - 1) / ALIGN * ALIGN : 0;
}

static size_t n_tables(const mw_kept *z)
{
  size_t n = 1;
  for (int k = 0; z && k < z->n; k++) n *= (size_t)z->n_node;
  return n;
}

void mw_export_work(const mw_rom *r, const mw_kept *kept, size_t *work, size_t *sens)
{
  *work = mw_rom_work_bytes(r) / sizeof(double) + ALIGN + kept_reals(kept);
  *sens = mw_rom_sens_bytes(r) / sizeof(double) + ALIGN + kept_reals(kept);
}

static void add_sizes(keys *k, const mw_rom *r, const mw_kept *kept, mw_arena *mem)
{
  size_t n = (size_t)(r->s + r->m), work, sens;
  mw_export_work(r, kept, &work, &sens);
  add_int(k, "table", kept_reals(kept), mem);
  add_int(k, "s", (size_t)r->s, mem);
  add_int(k, "m", (size_t)r->m, mem);
  add_int(k, "n", n, mem);
  add_int(k, "n_x", 2 * n, mem);
  add_int(k, "n_u", (size_t)r->n_u, mem);
  add_int(k, "n_y", (size_t)r->n_y, mem);
  add_int(k, "work", work, mem);
  add_int(k, "work_bytes", work * sizeof(double), mem);
  add_int(k, "sens", sens, mem);
  add_int(k, "sens_bytes", sens * sizeof(double), mem);
  add_int(k, "table_bytes", mw_rom_bytes(r) * n_tables(kept), mem);
}

static const char *method_constant(mw_rom_method m)
{
  return m == MW_ROM_RK4        ? "MW_ROM_RK4"
         : m == MW_ROM_MIDPOINT ? "MW_ROM_MIDPOINT"
                                : "MW_ROM_EXPONENTIAL";
}

static const char *method_text(mw_rom_method m)
{
  return m == MW_ROM_RK4        ? "Runge-Kutta, order 4"
         : m == MW_ROM_MIDPOINT ? "implicit mid-point rule, order 2"
                                : "exponential, fixed cost, order 2";
}

static void add_seen(keys *k, const mw_rom_file *r, const mw_export_seen *s, mw_arena *mem)
{
  static const struct {
    const char *key;
    void (*write)(const mw_rom_file *, const mw_export_seen *, FILE *);
  } text[] = { { "o_names", o_names },
               { "o_units", o_units },
               { "o_rows", o_rows },
               { "o_list", o_list },
               { "o_patterns", o_patterns } };
  const char *name = k->key[0].value;
  bool any = s && s->n > 0;
  add(k, "o_function",
      any ? mw_arena_printf(mem,
                            "//   %s_o (x, u)    -> o              and jac_%s_o     what o has: "
                            "%s.h\n",
                            name, name, name)
          : "");
  add(k, "o_external",
      any ? mw_arena_printf(
                mem,
                "    o = ca.external(\"%s_o\", \"./%s.so\")      # o = o(x, u), outputs "
                "that are no fields: %s.h\n",
                name, name, name)
          : "");
  if (!any) return;
  add_int(k, "n_o", (size_t)s->n, mem);
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    add(k, text[i].key, seen_written(text[i].write, r, s, mem));
}

// ---- parameters ---------------------------------------------------------------------------------

static void p_names(const mw_rom_file *r, FILE *f)
{
  for (int k = 0; k < r->n_parameter; k++) write_string("", r->parameter[k].name, "", f);
  fputs("\n  ", f);
}

static void p_starts(const mw_rom_file *r, FILE *f)
{
  for (int k = 0; k < r->n_parameter; k++) fprintf(f, "%s%a", k ? ", " : "", r->parameter[k].value);
}

static void p_list(const mw_rom_file *r, FILE *f)
{
  for (int k = 0; k < r->n_parameter; k++) {
    const mw_rom_parameter *p = &r->parameter[k];
    fprintf(f, "//   p[%d]  ", k);
    write_plain(p->name, f);
    fprintf(f, "  %.9g ... %.9g, exported at %.9g: ", p->lo, p->hi, p->value);
    if (p->field < 0)
      fprintf(f, "dampers\n");
    else
      fprintf(f, "a mass of %.9g kg a unit\n", p->mass);
  }
}

// Where the program sets parameters, calls take the tables that its work keeps.
static void add_kept(keys *k, const mw_rom_file *r, const mw_kept *z, mw_arena *mem)
{
  const char *name = k->key[0].value, *up = k->key[1].value;
  bool any = z && z->n > 0;
  add(k, "rom", any ? "&rom" : "&MODEL");
  add(k, "local",
      any ? "  if (!is_set(work)) return unset(blame);\n  const mw_rom rom = rom_of(work);\n" : "");
  add(k, "work_text",
      any ? mw_arena_printf(mem, "what %s_set puts there, and nothing else,", name) : "nothing");
  add(k, "comma", any ? "," : "");
  add(k, "code_parameter",
      any ? mw_arena_printf(mem,
                            "  %s_PARAMETER = 8   // parameters are not set (%s_set), or one of "
                            "them is outside its range\n",
                            up, name)
          : "");
  add(k, "code_name",
      any ? mw_arena_printf(mem,
                            "  if (code == %s_PARAMETER) return \"parameters are not set, or "
                            "outside their ranges\";\n",
                            up)
          : "");
  add(k, "example_set",
      any ? mw_arena_printf(mem, "  if (%s_set(%s_p_start, work, &blame) != %s_OK) return 1;\n",
                            name, name, up)
          : "");
  add(k, "p_readme",
      any ? mw_arena_printf(mem,
                            "`%s_set` sets the parameters of the model, in their ranges; it is to "
                            "be called once for each `work`, before all else.\n\n",
                            name)
          : "");
  if (!any) return;
  add_int(k, "n_p", (size_t)z->n, mem);
  add_int(k, "n_node", (size_t)z->n_node, mem);
  add_int(k, "n_tables", n_tables(z), mem);
  add_int(k, "n_coef", z->n_coef, mem);
  add(k, "p_error", mw_arena_printf(mem, "%.1e", z->error));
  add(k, "p_names", written(p_names, r, mem));
  add(k, "p_starts", written(p_starts, r, mem));
  add(k, "p_list", written(p_list, r, mem));
}

mw_code mw_export_keys(const mw_rom_file *rom, const mw_export_opt *opt, const char *name,
                       mw_arena *mem, const mw_export_key **key, int *n, mw_error *err)
{
  enum { MAX_KEY = 64 };
  static const struct {
    const char *key;
    void (*write)(const mw_rom_file *, FILE *);
  } text[] = {
    { "x_names", x_names },
    { "x_units", x_units },
    { "u_names", u_names },
    { "y_names", y_names },
    { "list", list },
    { "list_plain", list_plain },
    { "ranges", ranges },
    { "ranges_plain", ranges_plain },
    { "title", title },
    { "command", command },
    { "libm_single", libm_single },
    { "libm_double", libm_double },
    { "middle", middle },
    { "patterns", mw_export_patterns },
  };
  keys k = { .key = mw_arena_alloc(mem, MAX_KEY, sizeof *k.key) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  add(&k, "name", mw_arena_str(mem, name));
  add(&k, "N", upper(name, mem));
  add(&k, "version", MW_VERSION);
  add(&k, "hash", mw_arena_str(mem, rom->model_hash));
  add(&k, "inertia", rom->inertia == MW_ROM_FULL ? "MW_ROM_FULL" : "MW_ROM_LEADING");
  add(&k, "method_constant", method_constant(opt->method));
  add(&k, "method", method_text(opt->method));
  add(&k, "bandwidth", mw_arena_printf(mem, "%.9g", mw_certificate_bandwidth(&rom->certificate)));
  add(&k, "step", mw_arena_printf(mem, "%a", opt->step));
  add(&k, "step_text", mw_arena_printf(mem, "%.9g", opt->step));
  const char *up = upper(name, mem);
  add(&k, "single",
      opt->single ? mw_arena_printf(mem, "#ifndef %s_SINGLE\n#define %s_SINGLE\n#endif\n", up, up)
                  : "");
  add_sizes(&k, &rom->rom, opt->kept, mem);
  add_kept(&k, rom, opt->kept, mem);
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    add(&k, text[i].key, written(text[i].write, rom, mem));
  add_seen(&k, rom, opt->seen, mem);
  *key = k.key;
  *n = k.n;
  return mw_arena_check(mem, err);
}
