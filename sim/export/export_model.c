// SPDX-License-Identifier: BSD-3-Clause
// export_model.c: tables and names of a reduced model as C.
//
// Numbers are written as hexadecimal floating constants (C99 6.4.4.2), which every compiler reads
// without rounding.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "export_layer.h"

static void write_real(double x, FILE *f)
{
  if (isinf(x))
    fputs(x > 0.0 ? "INFINITY" : "-INFINITY", f);
  else if (x == floor(x) && fabs(x) < 1e6 && !(x == 0.0 && signbit(x)))
    fprintf(f, "%.1f", x);
  else
    fprintf(f, "%a", x);
}

static void write_reals(const double *x, size_t n, FILE *f)
{
  enum { LINE = 4 };
  for (size_t k = 0; k < n; k++) {
    fputs(k % LINE == 0 ? "\n  " : " ", f);
    write_real(x[k], f);
    if (k + 1 < n) fputc(',', f);
  }
}

// Nothing where there are none: C has no arrays of no elements.
static void table(const char *name, const char *shape, const double *x, size_t n, FILE *f)
{
  if (!x || n == 0) return;
  fprintf(f, "static const real %s[%zu] = {  // %s", name, n, shape);
  write_reals(x, n, f);
  fputs("\n};\n", f);
}

static void ints(const char *name, const char *shape, const int *x, size_t n, FILE *f)
{
  if (!x || n == 0) return;
  fprintf(f, "static const int %s[%zu] = {  // %s\n ", name, n, shape);
  for (size_t k = 0; k < n; k++) fprintf(f, " %d%s", x[k], k + 1 < n ? "," : "");
  fputs("\n};\n", f);
}

static const char *or_null(const char *name, const void *x, size_t n)
{
  return x && n > 0 ? name : "NULL";
}

// Trains: rank before and behind each axis, as rom.h (7) says.
static void write_trains(const mw_rom *r, FILE *f)
{
  char name[64];
  for (int k = 0; k < r->n_train; k++) {
    const mw_rom_train *t = &r->train[k];
    size_t before = 1;
    for (int i = 0; i < r->s; i++) {
      if (!t->core[i]) continue;
      snprintf(name, sizeof name, "MODEL_CORE_%d_%d", k, i);
      table(name, "[knots × rank before × rank]", t->core[i],
            (size_t)mw_rom_n_knot(r, i) * before * (size_t)t->rank[i], f);
      before = (size_t)t->rank[i];
    }
    snprintf(name, sizeof name, "MODEL_FIELD_%d", k);
    table(name, "[rank × fields]", t->field, before * (size_t)t->n_field, f);
  }
  if (r->n_train == 0) return;
  fprintf(f, "static const mw_rom_train MODEL_TRAIN[%d] = {\n", r->n_train);
  for (int k = 0; k < r->n_train; k++) {
    const mw_rom_train *t = &r->train[k];
    fprintf(f, "  { %d, %d, {", t->first, t->n_field);
    for (int i = 0; i < r->s; i++) fprintf(f, "%s%d", i ? ", " : " ", t->rank[i]);
    fputs(" }, {", f);
    for (int i = 0; i < r->s; i++)
      if (t->core[i])
        fprintf(f, "%sMODEL_CORE_%d_%d", i ? ", " : " ", k, i);
      else
        fprintf(f, "%sNULL", i ? ", " : " ");
    fprintf(f, " }, MODEL_FIELD_%d },\n", k);
  }
  fputs("};\n", f);
}

static void write_laws(const mw_rom *r, FILE *f)
{
  if (r->n_law == 0) return;
  fprintf(f, "static const mw_rom_law MODEL_LAW[%d] = {\n", r->n_law);
  for (int k = 0; k < r->n_law; k++) {
    const mw_rom_law *l = &r->law[k];
    const char *name[] = { "coulomb", "stiction",  "stribeck", "smooth", "lo",
                           "hi",      "stiffness", "damping",  "soft" };
    double value[] = { l->coulomb, l->stiction,  l->stribeck, l->smooth, l->lo,
                       l->hi,      l->stiffness, l->damping,  l->soft };
    fprintf(f, "  { .field = %d", l->field);
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
      fprintf(f, ", .%s = ", name[i]);
      write_real(value[i], f);
    }
    fputs(" },\n", f);
  }
  fputs("};\n", f);
}

// An array of the struct, { 1, 2 }.
static void member_reals(const char *name, const double *x, int n, FILE *f)
{
  fprintf(f, "  .%s = {", name);
  for (int i = 0; i < n; i++) {
    fputs(i ? ", " : " ", f);
    write_real(x[i], f);
  }
  fputs(" },\n", f);
}

static void write_struct(const mw_rom *r, bool set, FILE *f)
{
  size_t sm = (size_t)r->s * (size_t)r->m, sy = (size_t)r->s * (size_t)r->n_y;
  fprintf(f, "static const mw_rom MODEL = {\n  .s = %d, .m = %d, .n_y = %d, .n_u = %d,\n", r->s,
          r->m, r->n_y, r->n_u);
  fprintf(f, "  .parts = %uu, .n_G = %d, .n_Y = %d, .Y_field = %s,\n", r->parts, r->n_G, r->n_Y,
          or_null("MODEL_Y_FIELD", r->Y_field, (size_t)r->n_Y));
  fprintf(f, "  .n_field = %d,\n  .n_grid = {", r->n_field);
  for (int i = 0; i < r->s; i++) fprintf(f, "%s%d", i ? ", " : " ", r->n_grid[i]);
  fputs(" },\n", f);
  member_reals("lo", r->lo, r->s, f);
  member_reals("hi", r->hi, r->s, f);
  fprintf(f, "  .flat = %uu, .cyclic = %uu, .symmetric = %uu,\n", r->flat, r->cyclic, r->symmetric);
  fprintf(f, "  .y_slope = %s,\n", or_null("MODEL_Y_SLOPE", r->y_slope, sy));
  fprintf(f, "  .mirror = %s,\n", or_null("MODEL_MIRROR", r->mirror, sm));
  fprintf(f, "  .mirror_y = %s,\n", or_null("MODEL_MIRROR_Y", r->mirror_y, sy));
  fprintf(f, "  .y_shift = %s,\n", or_null("MODEL_Y_SHIFT", r->y_shift, sy));
  fprintf(f, "  .coef = %s,\n", r->n_train > 0 || set ? "NULL" : "MODEL_COEF");
  fprintf(f, "  .n_train = %d, .train = %s,\n", r->n_train,
          r->n_train > 0 ? "MODEL_TRAIN" : "NULL");
  fprintf(f, "  .u_field = %s,\n", or_null("MODEL_U_FIELD", r->u_field, (size_t)r->n_u));
  fputs("  .c_theta = MODEL_C_THETA, .delta_max = ", f);
  fputs(or_null("MODEL_DELTA_MAX", r->delta_max, (size_t)r->m), f);
  fprintf(f, ",\n  .n_law = %d, .law = %s,\n", r->n_law, r->n_law > 0 ? "MODEL_LAW" : "NULL");
  fprintf(f, "  .rate_max = %s, .u_max = %s,\n",
          or_null("MODEL_RATE_MAX", r->rate_max, (size_t)r->s),
          or_null("MODEL_U_MAX", r->u_max, (size_t)r->n_u));
  fprintf(f, "  .zero_e = %uu, .zero_c = %lluull, .zero_H = %uu,\n  .slow = %uu\n};\n", r->zero_e,
          r->zero_c, r->zero_H, r->slow);
}

// Tables at the nodes of the parameters' ranges, and where those are.
static void write_kept(const mw_rom_file *file, const mw_kept *z, FILE *f)
{
  size_t n = z->n_coef;
  for (int k = 0; k < z->n; k++) n *= (size_t)z->n_node;
  table("MODEL_NODE", "[parameters × nodes]", z->node, (size_t)(z->n * z->n_node), f);
  fprintf(f, "static const real MODEL_RANGE[%d] = {  // [parameters × 2]\n ", 2 * z->n);
  for (int k = 0; k < z->n; k++) {
    fputc(' ', f);
    write_real(file->parameter[k].lo, f);
    fputs(", ", f);
    write_real(file->parameter[k].hi, f);
    fputs(k + 1 < z->n ? "," : "\n};\n", f);
  }
  table("MODEL_COEF_AT", "[nodes … × knots × n_field]", z->coef, n, f);
}

void mw_export_model(const mw_rom_file *file, const mw_kept *kept, FILE *f)
{
  mw_rom rom = file->rom;
  const mw_rom *r = &rom;
  bool set = kept && kept->n > 0;
  if (set) {
    rom.zero_e = kept->zero_e;
    rom.zero_c = kept->zero_c;
    rom.zero_H = kept->zero_H;
    rom.slow = kept->slow;
    write_kept(file, kept, f);
  }
  size_t s = (size_t)r->s, m = (size_t)r->m, n_y = (size_t)r->n_y;
  table("MODEL_Y_SLOPE", "[s × n_y]", r->y_slope, s * n_y, f);
  ints("MODEL_MIRROR", "[s × m]", r->mirror, s * m, f);
  ints("MODEL_MIRROR_Y", "[s × n_y]", r->mirror_y, s * n_y, f);
  table("MODEL_Y_SHIFT", "[s × n_y]", r->y_shift, s * n_y, f);
  if (r->n_train == 0 && !set)
    table("MODEL_COEF", "[knots × n_field]", r->coef, mw_rom_bytes(r) / sizeof(double), f);
  write_trains(r, f);
  ints("MODEL_U_FIELD", "[n_u]", r->u_field, (size_t)r->n_u, f);
  table("MODEL_C_THETA", "[s]  N·s/m or N·m·s/rad", r->c_theta, s, f);
  table("MODEL_DELTA_MAX", "[m]", r->delta_max, m, f);
  table("MODEL_RATE_MAX", "[s]", r->rate_max, s, f);
  table("MODEL_U_MAX", "[n_u]", r->u_max, (size_t)r->n_u, f);
  ints("MODEL_Y_FIELD", "[n_Y]", r->Y_field, (size_t)r->n_Y, f);
  write_laws(r, f);
  write_struct(r, set, f);
}
