// SPDX-License-Identifier: BSD-3-Clause
// lpv_file.c: linear systems on a grid as files: netCDF for people, MATLAB's own format for its
// toolboxes.
//
//   .nc   A [grid_x × … × state × state_in], B [… × state × input], C [… × output × state_in],
//       D      (1)
//   .mat  A [n_x × n_x × n_grid …] and so on, so that ss(A, B, C, D) is the array of systems and
//         grid {s × 1} its sampling grid                                                        (2)
#include <stdio.h>
#include <string.h>

#include "matfile_priv.h"
#include "reduction/certificate.h"
#include "reduction/ncfile.h"
#include "sim/lpv.h"

// One table of the systems: rows × cols at each point.
typedef struct table {
  const char *name, *text;
  const double *x;
  char row, col;  // 'x' state, 'u' input, 'y' output, 's' coordinate, 0: a vector
} table;
enum { N_TABLE = 12 };

static void tables_of(const mw_lpv *l, table t[N_TABLE])
{
  const table all[N_TABLE] = {
    { "A", "of d/dt (x - x0) = A (x - x0) + B (u - u0)", l->A, 'x', 'x' },
    { "B", "of d/dt (x - x0) = A (x - x0) + B (u - u0)", l->B, 'x', 'u' },
    { "C", "of y - y0 = C (x - x0) + D (u - u0)", l->C[0], 'y', 'x' },
    { "D", "of y - y0 = C (x - x0) + D (u - u0)", l->D[0], 'y', 'u' },
    { "C_rate", "the same of dy/dt", l->C[1], 'y', 'x' },
    { "D_rate", "the same of dy/dt", l->D[1], 'y', 'u' },
    { "C_acceleration", "the same of d2y/dt2", l->C[2], 'y', 'x' },
    { "D_acceleration", "the same of d2y/dt2", l->D[2], 'y', 'u' },
    { "x0", "state at rest", l->x0, 'x', 0 },
    { "u0", "what the drives give to hold it there", l->u0, 'u', 0 },
    { "y0", "outputs there", l->y0, 'y', 0 },
    { "rest", "acceleration of the coordinates that the drives cannot hold", l->rest, 's', 0 },
  };
  memcpy(t, all, sizeof all);
}

static int size_of(const mw_lpv *l, char kind)
{
  return kind == 'x' ? l->n_x : kind == 'u' ? l->n_u : kind == 'y' ? l->n_y : kind ? l->s : 1;
}

// ---- netCDF -------------------------------------------------------------------------------------

static mw_code write_nc(const mw_lpv *l, const mw_rom_file *f, const char *path, mw_error *err)
{
  mw_ncw w;
  table t[N_TABLE];
  int grid[MW_ROM_MAX_S + 2];
  char title[512], name[256];
  snprintf(title, sizeof title, "Linear systems on the grid of the reduced model of %s",
           f->model_name);
  mw_ncw_open(&w, "lpv", title, f->version, f->command);
  mw_ncw_att_str(&w, NULL, "model_name", f->model_name);
  mw_ncw_att_str(&w, NULL, "model_hash", f->model_hash);
  mw_ncw_att_f64(&w, NULL, "input_bandwidth", mw_certificate_bandwidth(&f->certificate));
  mw_ncw_att_str(
      &w, NULL, "input_bandwidth_meaning",
      "Hz; inputs with content up to it are answered within the tolerance of the reduced "
      "model's receptances; 0: not known");
  for (int i = 0; i < l->s; i++) {
    snprintf(name, sizeof name, "grid_%s", f->coordinate[i]);
    grid[i] = mw_ncw_dim(&w, name, l->n_grid[i]);
    const char *unit = l->state_unit[i][0] ? l->state_unit[i] : NULL;
    mw_ncw_f64(&w, name, 1, &grid[i], unit, "points of this coordinate", l->grid[i]);
  }
  int state = mw_ncw_dim(&w, "state", l->n_x), from = mw_ncw_dim(&w, "state_in", l->n_x),
      input = mw_ncw_dim(&w, "input", l->n_u), output = mw_ncw_dim(&w, "output", l->n_y),
      coordinate = mw_ncw_dim(&w, "coordinate", l->s);
  mw_ncw_str(&w, "coordinate", coordinate, "rigid-body coordinates", f->coordinate);
  mw_ncw_str(&w, "state", state, "coordinates, amplitudes, their rates", l->state);
  mw_ncw_str(&w, "state_in", from, "the same, along columns", l->state);
  mw_ncw_str(&w, "state_unit", state, "units of the states", l->state_unit);
  mw_ncw_str(&w, "input", input, "drives", l->input);
  mw_ncw_str(&w, "input_unit", input, "units of the drives' forces", l->input_unit);
  mw_ncw_str(&w, "output", output, "outputs, joint coordinates", l->output);
  mw_ncw_str(&w, "output_unit", output, "units of the outputs", l->output_unit);
  tables_of(l, t);
  for (int k = 0; k < N_TABLE; k++) {
    char row = t[k].row, col = t[k].col;
    int nd = l->s;
    grid[nd++] = row == 'x' ? state : row == 'u' ? input : row == 'y' ? output : coordinate;
    if (col) grid[nd++] = col == 'x' ? from : input;
    mw_ncw_f64(&w, t[k].name, nd, grid, NULL, t[k].text, t[k].x);
  }
  return mw_ncw_close(&w, path, err);
}

// ---- MATLAB -------------------------------------------------------------------------------------

// Rows and columns first, then the axes, the first one fastest: x [point × rows × cols] into y.
static void turn(const mw_lpv *l, int rows, int cols, const double *x, double *y)
{
  for (int p = 0; p < l->n_point; p++) {
    size_t to = 0, stride = 1;
    int at[MW_ROM_MAX_S];
    for (int i = l->s - 1, rest = p; i >= 0; rest /= l->n_grid[i--]) at[i] = rest % l->n_grid[i];
    for (int i = 0; i < l->s; stride *= (size_t)l->n_grid[i++]) to += stride * (size_t)at[i];
    size_t n = (size_t)rows * (size_t)cols;
    const double *from = x + (size_t)p * n;
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < cols; c++) y[to * n + (size_t)(c * rows + r)] = from[r * cols + c];
  }
}

static mw_code write_mat(const mw_lpv *l, const mw_rom_file *f, const char *path, mw_error *err)
{
  table t[N_TABLE];
  mw_mat w;
  mw_arena tmp = { 0 };
  size_t largest = 0;
  tables_of(l, t);
  for (int k = 0; k < N_TABLE; k++) {
    size_t n = (size_t)l->n_point * (size_t)size_of(l, t[k].row) * (size_t)size_of(l, t[k].col);
    if (n > largest) largest = n;
  }
  double *y = mw_arena_f64(&tmp, largest);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    mw_mat_open(&w, f->model_name);
    mw_mat_str(&w, "model_name", f->model_name);
    mw_mat_str(&w, "model_hash", f->model_hash);
    mw_mat_str(&w, "modeway", f->version);
    mw_mat_strs(&w, "coordinate", l->s, f->coordinate);
    mw_mat_vectors(&w, "grid", l->s, l->n_grid, l->grid);
    mw_mat_strs(&w, "state", l->n_x, l->state);
    mw_mat_strs(&w, "state_unit", l->n_x, l->state_unit);
    mw_mat_strs(&w, "input", l->n_u, l->input);
    mw_mat_strs(&w, "input_unit", l->n_u, l->input_unit);
    mw_mat_strs(&w, "output", l->n_y, l->output);
    mw_mat_strs(&w, "output_unit", l->n_y, l->output_unit);
    for (int k = 0; k < N_TABLE; k++) {
      int dim[MW_ROM_MAX_S + 2], nd = 0;
      dim[nd++] = size_of(l, t[k].row);
      if (t[k].col) dim[nd++] = size_of(l, t[k].col);
      for (int i = 0; i < l->s; i++) dim[nd++] = l->n_grid[i];
      turn(l, dim[0], t[k].col ? dim[1] : 1, t[k].x, y);
      mw_mat_f64(&w, t[k].name, nd, dim, y);
    }
    rc = mw_mat_close(&w, path, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- both ---------------------------------------------------------------------------------------

mw_code mw_export_lpv(const mw_rom_file *rom, const char *out, mw_error *err)
{
  bool mat = mw_file_ends_in(out, ".mat");
  mw_lpv l = { 0 };
  if (!mat && !mw_file_ends_in(out, ".nc"))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = out },
                   "found a name without .nc or .mat, expected one of these endings");
  mw_code rc = mw_lpv_build(rom, &l, err);
  if (rc == MW_OK) rc = mat ? write_mat(&l, rom, out, err) : write_nc(&l, rom, out, err);
  mw_lpv_free(&l);
  return rc;
}
