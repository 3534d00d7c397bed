// SPDX-License-Identifier: BSD-3-Clause
// export_casadi.c: external functions for CasADi: patterns of the derivatives, and the folder.
//
// A column of theta_i along which nothing changes but y0, linearly (mw_rom.flat), is empty in the
// derivatives of the accelerations and of the rates of y, and holds nothing but its own row in
// those of a step; laws of friction and stops look at y, so that with them no column is empty.
// Entries are counted column by column, as CasADi does.
#include <stdlib.h>

#include "export_layer.h"

// Is (row, column) an entry? n: accelerations.
typedef bool is_entry(const mw_rom *r, int n, int i, int j);

static bool is_dead(const mw_rom *r, int j)
{
  return j < r->s && r->n_law == 0 && (r->flat >> j & 1u) != 0;
}

static bool every(const mw_rom *r, int n, int i, int j)
{
  (void)r, (void)n, (void)i, (void)j;
  return true;
}

static bool none(const mw_rom *r, int n, int i, int j) { return !every(r, n, i, j); }

// x' = (rates, acc)
static bool f_x(const mw_rom *r, int n, int i, int j)
{
  return i < n ? j == n + i : !is_dead(r, j);
}

static bool f_u(const mw_rom *r, int n, int i, int j)
{
  (void)r, (void)j;
  return i >= n;
}

static bool step_x(const mw_rom *r, int n, int i, int j)
{
  (void)n;
  return i == j || !is_dead(r, j);
}

static bool y_x(const mw_rom *r, int n, int i, int j)
{
  (void)r, (void)i;
  return j < n;
}

static bool y_dot_x(const mw_rom *r, int n, int i, int j)
{
  (void)n, (void)i;
  return j >= r->s || (r->flat >> j & 1u) == 0;
}

static void write_pattern(const mw_rom *r, const char *name, int n_row, int n_col, is_entry *is,
                          FILE *f)
{
  int n = r->s + r->m, k = 0;
  fprintf(f, "static const casadi_int %s[] = {\n  %d, %d, 0", name, n_row, n_col);
  for (int j = 0; j < n_col; j++) {
    for (int i = 0; i < n_row; i++) k += is(r, n, i, j);
    fprintf(f, ", %d", k);
  }
  for (int j = 0; j < n_col; j++) {
    const char *separator = ",\n  ";
    for (int i = 0; i < n_row; i++) {
      if (!is(r, n, i, j)) continue;
      fprintf(f, "%s%d", separator, i);
      separator = ", ";
    }
  }
  fputs("\n};\n", f);
}

void mw_export_patterns(const mw_rom_file *rom, FILE *f)
{
  const mw_rom *r = &rom->rom;
  int n_x = 2 * (r->s + r->m), n_y = r->n_y, n_u = r->n_u;
  write_pattern(r, "DENSE_1", 1, 1, every, f);
  write_pattern(r, "DENSE_X", n_x, 1, every, f);
  write_pattern(r, "DENSE_U", n_u, 1, every, f);
  write_pattern(r, "DENSE_Y", n_y, 1, every, f);
  write_pattern(r, "NONE_X", n_x, 1, none, f);
  write_pattern(r, "NONE_Y", n_y, 1, none, f);
  write_pattern(r, "F_X", n_x, n_x, f_x, f);
  write_pattern(r, "F_U", n_x, n_u, f_u, f);
  write_pattern(r, "STEP_X", n_x, n_x, step_x, f);
  write_pattern(r, "STEP_U", n_x, n_u, every, f);
  write_pattern(r, "Y_X", n_y, n_x, y_x, f);
  write_pattern(r, "YDOT_X", n_y, n_x, y_dot_x, f);
}

void mw_export_seen_patterns(const mw_rom_file *rom, int n_o, FILE *f)
{
  const mw_rom *r = &rom->rom;
  write_pattern(r, "DENSE_O", n_o, 1, every, f);
  write_pattern(r, "NONE_O", n_o, 1, none, f);
  write_pattern(r, "O_X", n_o, 2 * (r->s + r->m), every, f);
  write_pattern(r, "O_U", n_o, r->n_u, every, f);
}
