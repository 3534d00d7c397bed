// SPDX-License-Identifier: BSD-3-Clause
// romfile.c: a reduced model as rom.nc and back, bit for bit.
//
// Names become string coordinate variables, so that a reader selects by name. Coefficients:
// romfile_coef.c; parameters that can be set: romfile_parameter.c; certificate:
// romfile_certificate.c. Digest, temporary name and renaming: ncfile.c.
#include "reduction/romfile.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "romfile_priv.h"

void mw_rom_file_free(mw_rom_file *f)
{
  mw_arena mem = f->mem;
  mw_arena_free(&mem);
  *f = (mw_rom_file){ 0 };
}

// ---- writing ------------------------------------------------------------------------------------

static const char *unit_of(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] && f->unit[i][0] ? f->unit[i] : NULL;
}

// Variables NAME_max, NAME_deflection and NAME_body
static void write_reach(mw_ncw *w, const mw_reach *z, const char *name, int column)
{
  char text[64];
  if (!z->amplitude) return;
  snprintf(text, sizeof text, "%s_max", name);
  mw_ncw_f64(w, text, 1, &column, NULL, "amplitude up to which the tolerance holds", z->amplitude);
  snprintf(text, sizeof text, "%s_deflection", name);
  mw_ncw_f64(w, text, 1, &column, "m", "deflection within the body then", z->deflection);
  snprintf(text, sizeof text, "%s_body", name);
  mw_ncw_str(w, text, column, "body that deflects", z->body);
}

static void write_swings(mw_ncw *w, const mw_swings *z, int column)
{
  if (z->n == 0) return;
  int of[2] = { mw_ncw_dim(w, "swing", z->n), column };
  mw_ncw_f64(w, "swing_frequency", 1, of, "rad s-1",
             "modes that swing, where their frequency changes most", z->omega);
  mw_ncw_f64(w, "swing_shift", 1, of, NULL,
             "relative change of the frequency over the square of the amplitude, not in the model",
             z->shift);
  mw_ncw_f64(w, "swing_third", 1, of, NULL,
             "relative third order of outputs over the square of the amplitude, not in the model",
             z->third);
  mw_ncw_f64(w, "swing_mode", 2, of, "1", "what projects the columns on it", z->mode);
  mw_ncw_f64(w, "swing_output", 1, of, NULL, "output that moves most, m, for an amplitude of 1",
             z->output);
  mw_ncw_f64(w, "swing_bends", 1, of, NULL,
             "output that moves most, m, with all coordinates held, for an amplitude of 1",
             z->bends);
  mw_ncw_f64(w, "swing_deflection", 1, of, NULL, "body that moves most, m, for an amplitude of 1",
             z->deflection);
  mw_ncw_str(w, "swing_body", of[0], "body that moves most", z->body);
}

static void write_names(mw_ncw *w, const mw_rom_file *f, int field)
{
  const mw_rom *r = &f->rom;
  int coordinate = mw_ncw_dim(w, "coordinate", r->s), column = mw_ncw_dim(w, "column", r->m);
  int input = mw_ncw_dim(w, "input", r->n_u), mode = mw_ncw_dim(w, "mode", f->n_modes);
  const char *unit[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) unit[i] = unit_of(f, i);
  mw_ncw_str(w, "coordinate", coordinate, "rigid-body coordinates theta", f->coordinate);
  mw_ncw_str(w, "coordinate_unit", coordinate, "units of the rigid-body coordinates", unit);
  mw_ncw_str(w, "column", column, "columns of the basis: modes, then static patterns", f->column);
  mw_ncw_str(w, "field", field, "affine fields: outputs, drive coordinates", f->field);
  if (f->field_unit)
    mw_ncw_str(w, "field_unit", field, "units of the stresses and strains among the fields",
               f->field_unit);
  mw_ncw_str(w, "input", input, "drives", f->input);
  mw_ncw_int(w, "input_field", 1, &input, "field each drive acts on (index)", r->u_field);
  mw_ncw_f64(w, "lo", 1, &coordinate, NULL, "first grid point of each coordinate", r->lo);
  mw_ncw_f64(w, "hi", 1, &coordinate, NULL, "last grid point of each coordinate", r->hi);
  mw_ncw_f64(w, "c_theta", 1, &coordinate, NULL,
             "viscous damping of each coordinate, N s/m or N m s/rad", r->c_theta);
  mw_ncw_f64(w, "delta_max", 1, &column, NULL, "largest amplitude the model is meant for",
             r->delta_max);
  write_reach(w, &f->bend, "bend", column);
  write_reach(w, &f->stretch, "stretch", column);
  write_swings(w, &f->swing, column);
  if (r->rate_max)
    mw_ncw_f64(w, "rate_max", 1, &coordinate, NULL,
               "largest rate of each coordinate the model is meant for", r->rate_max);
  if (r->u_max)
    mw_ncw_f64(w, "u_max", 1, &input, NULL, "largest input the model is meant for", r->u_max);
  int curved = mw_ncw_dim(w, "curved_field", r->n_Y);
  mw_ncw_int(w, "curvature_field", 1, &curved, "field each Y belongs to (index)", r->Y_field);
  mw_ncw_att_int(w, "parts", (int)r->parts);
  if (r->n_G > 0) mw_ncw_att_int(w, "moved_columns", r->n_G);
  mw_ncw_int(w, "cluster", 1, &mode, "cluster of modes that were aligned together", f->cluster);
}

// Grid axes with their positions, and what belongs to the grid: frequencies, and which mode they
// are of.
static mw_code write_grid(mw_ncw *w, const mw_rom_file *f, int knot[MW_ROM_MAX_S], mw_error *err)
{
  const mw_rom *r = &f->rom;
  int dim[MW_ROM_MAX_S + 1];
  char name[256], text[256];
  for (int i = 0; i < r->s; i++) {
    int n = f->n_grid[i];
    double *x = malloc(sizeof *x * (size_t)n);
    if (!x) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for %d grid points", n);
    for (int k = 0; k < n; k++)
      x[k] = f->grid[i] ? f->grid[i][k] : r->lo[i] + (r->hi[i] - r->lo[i]) * k / (n - 1);
    snprintf(name, sizeof name, "grid_%s", f->coordinate[i]);
    snprintf(text, sizeof text, "grid points of %s", f->coordinate[i]);
    dim[i] = mw_ncw_dim(w, name, n);
    mw_ncw_f64(w, name, 1, &dim[i], unit_of(f, i), text, x);
    snprintf(name, sizeof name, "knot_%s", f->coordinate[i]);
    knot[i] = mw_ncw_dim(w, name, mw_rom_n_knot(r, i));
    free(x);
  }
  dim[r->s] = mw_ncw_dim(w, "frequency_number", f->n_freq);
  mw_ncw_f64(w, "frequency", r->s + 1, dim, "Hz",
             "direct frequencies on the grid, drives locked, ascending", f->frequency);
  if (f->identity)
    mw_ncw_int(w, "identity", r->s + 1, dim,
               "mode among the columns that each frequency belongs to, -1: none", f->identity);
  return MW_OK;
}

// Tables for a start with a velocity.
static void write_start(mw_ncw *w, const mw_rom_file *f)
{
  int dim[MW_ROM_MAX_S + 1];
  char name[256];
  for (int i = 0; i < f->rom.s; i++) {
    snprintf(name, sizeof name, "start_knot_%s", f->coordinate[i]);
    dim[i] = mw_ncw_dim(w, name, f->n_table[i] + 2);
  }
  if (f->n_start_train > 0) {
    mw_romfile_write_trains(w, f, f->n_start_train, f->start_train, "start_", dim);
    return;
  }
  dim[f->rom.s] = mw_ncw_dim(w, "start_field", f->n_start);
  mw_ncw_f64(w, "start_rates", f->rom.s + 1, dim, "1",
             "Psi'K Psi of bodies and springs (packed) and Psi'K dPsi/dtheta, spline coefficients",
             f->start);
}

mw_code mw_rom_file_write(const mw_rom_file *f, const char *path, mw_error *err)
{
  mw_code rc = mw_romfile_check(f, path, err);
  if (rc == MW_OK && f->parameter_note)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path },
                 "parameters of the reduced model are set, expected those in the middle of their "
                 "ranges");
  if (rc != MW_OK) return rc;
  mw_ncw w;
  char title[512];
  snprintf(title, sizeof title, "Reduced model of %s", f->model_name);
  mw_ncw_open(&w, "rom", title, f->version, f->command);
  mw_ncw_att_str(&w, NULL, "version", f->version);
  mw_ncw_att_str(&w, NULL, "command", f->command);
  mw_ncw_att_str(&w, NULL, "model_name", f->model_name);
  mw_ncw_att_str(&w, NULL, "model_file", f->model_file ? f->model_file : "");
  mw_ncw_att_str(&w, NULL, "model_hash", f->model_hash);
  if (f->parameters) mw_ncw_att_str(&w, NULL, "model_parameters", f->parameters);
  mw_ncw_att_str(&w, NULL, "inertia",
                 f->inertia == MW_ROM_LEADING ? "leading"
                 : f->first_order             ? "first_order"
                                              : "full");
  mw_ncw_att_str(&w, NULL, "second_order_left_out", f->left_out ? f->left_out : "");
  mw_ncw_att_str(&w, NULL, "without_stress_stiffness", f->stressless ? f->stressless : "");
  mw_ncw_att_str(&w, NULL, "little_inertia_of_its_own", f->light ? f->light : "");
  mw_ncw_att_str(&w, NULL, "static_patterns_lost", f->lost ? f->lost : "");
  if (f->held) mw_ncw_att_str(&w, NULL, "static_patterns_held_by_others", f->held);
  if (f->given_up) mw_ncw_att_str(&w, NULL, "static_patterns_not_followed", f->given_up);
  mw_ncw_att_int(&w, "n_patterns", f->n_patterns);
  mw_ncw_att_int(&w, "unknowns", f->unknowns);
  mw_ncw_att_f64(&w, NULL, "largest_jump", f->largest_jump);
  if (f->followed) mw_ncw_att_str(&w, NULL, "modes_followed", f->followed);
  if (f->fixed) mw_ncw_att_str(&w, NULL, "modes_fixed_at", f->fixed);
  if (f->thinned) mw_ncw_att_str(&w, NULL, "second_order_and_dissipation", f->thinned);

  int knot[MW_ROM_MAX_S], field = mw_ncw_dim(&w, "field", f->rom.n_y);
  write_names(&w, f, field);
  rc = write_grid(&w, f, knot, err);
  mw_romfile_write_axes(&w, f, field);
  mw_romfile_write_parameters(&w, f);
  if (rc == MW_OK) rc = mw_romfile_write_laws(&w, f, err);
  if (rc == MW_OK) write_start(&w, f);
  if (rc == MW_OK && f->rom.n_train > 0)
    mw_romfile_write_trains(&w, f, f->rom.n_train, f->rom.train, "", knot);
  else if (rc == MW_OK)
    rc = mw_romfile_write_coef(&w, f, knot, field, err);
  mw_romfile_write_drawn(&w, f);
  mw_romfile_write_certificate(&w, f);
  if (rc == MW_OK) return mw_ncw_close(&w, path, err);
  mw_ncw_abort(&w);
  return rc;
}

// ---- reading ------------------------------------------------------------------------------------

static const double MOST_POINTS = 1e9;  // of a table or a grid
// Numbers of a knot: so many that the work of all axes is counted in int.
static const double MOST_FIELDS = (double)INT_MAX / (MW_ROM_MAX_S + 2);

static void read_reach(mw_ncr *r, const char *name, const int *m, mw_reach *z)
{
  char text[64];
  snprintf(text, sizeof text, "%s_max", name);
  if (!mw_ncr_has(r, text)) return;
  z->amplitude = mw_ncr_f64(r, text, 1, m, false);
  snprintf(text, sizeof text, "%s_deflection", name);
  z->deflection = mw_ncr_f64(r, text, 1, m, true);
  snprintf(text, sizeof text, "%s_body", name);
  z->body = mw_ncr_str(r, text, *m);
}

static void read_swings(mw_ncr *r, int m, mw_swings *z)
{
  if (!mw_ncr_has(r, "swing_shift")) return;
  z->n = mw_ncr_dim(r, "swing");
  int of[2] = { z->n, m };
  z->omega = mw_ncr_f64(r, "swing_frequency", 1, of, true);
  z->shift = mw_ncr_f64(r, "swing_shift", 1, of, true);
  z->third = mw_ncr_f64(r, "swing_third", 1, of, true);
  z->mode = mw_ncr_f64(r, "swing_mode", 2, of, true);
  z->output = mw_ncr_f64(r, "swing_output", 1, of, true);
  z->bends = mw_ncr_has(r, "swing_bends") ? mw_ncr_f64(r, "swing_bends", 1, of, true) : z->output;
  z->deflection = mw_ncr_f64(r, "swing_deflection", 1, of, true);
  z->body = mw_ncr_str(r, "swing_body", z->n);
}

static void read_names(mw_ncr *r, mw_rom_file *f)
{
  mw_rom *rom = &f->rom;
  f->coordinate = mw_ncr_str(r, "coordinate", rom->s);
  f->unit = mw_ncr_str(r, "coordinate_unit", rom->s);
  f->column = mw_ncr_str(r, "column", rom->m);
  f->field = mw_ncr_str(r, "field", rom->n_y);
  if (mw_ncr_has(r, "field_unit")) f->field_unit = mw_ncr_str(r, "field_unit", rom->n_y);
  f->input = mw_ncr_str(r, "input", rom->n_u);
  rom->u_field = mw_ncr_int(r, "input_field", 1, &rom->n_u);
  const double *lo = mw_ncr_f64(r, "lo", 1, &rom->s, true),
               *hi = mw_ncr_f64(r, "hi", 1, &rom->s, true);
  rom->c_theta = mw_ncr_f64(r, "c_theta", 1, &rom->s, true);
  rom->delta_max = mw_ncr_f64(r, "delta_max", 1, &rom->m, false);
  read_reach(r, "bend", &rom->m, &f->bend);
  read_reach(r, "stretch", &rom->m, &f->stretch);
  read_swings(r, rom->m, &f->swing);
  if (mw_ncr_has(r, "rate_max")) rom->rate_max = mw_ncr_f64(r, "rate_max", 1, &rom->s, false);
  if (mw_ncr_has(r, "u_max")) rom->u_max = mw_ncr_f64(r, "u_max", 1, &rom->n_u, false);
  if (rom->n_Y > 0) rom->Y_field = mw_ncr_int(r, "curvature_field", 1, &rom->n_Y);
  f->cluster = mw_ncr_int(r, "cluster", 1, &f->n_modes);
  for (int i = 0; i < rom->s && r->e.code == MW_OK; i++) {
    rom->lo[i] = lo[i];
    rom->hi[i] = hi[i];
  }
}

// Sizes, each within what the program can hold; the point count follows from the axes.
static void read_sizes(mw_ncr *r, mw_rom_file *f)
{
  mw_rom *rom = &f->rom;
  rom->s = mw_ncr_dim(r, "coordinate");
  rom->m = mw_ncr_dim(r, "column");
  rom->n_y = mw_ncr_dim(r, "field");
  rom->n_u = mw_ncr_dim(r, "input");
  rom->n_Y = mw_ncr_dim(r, "curved_field");
  int parts = mw_ncr_att_int(r, "parts");
  if (parts < 0 || parts > MW_ROM_ALL_PARTS || rom->n_Y > rom->n_y)
    mw_ncr_fail(r, "not a reduced model: optional parts %d, %d of %d fields are curved", parts,
                rom->n_Y, rom->n_y);
  rom->parts = (unsigned)parts;
  rom->n_G = mw_ncr_has_att(r, "moved_columns") ? mw_ncr_att_int(r, "moved_columns") : 0;
  if (rom->n_G < 0 || rom->n_G > MW_ROM_MAX_G || rom->n_G > rom->m ||
      (rom->n_G > 0 && !(rom->parts & MW_ROM_H)))
    mw_ncr_fail(r, "not a reduced model: the mass of %d of %d columns changes", rom->n_G, rom->m);
  f->n_modes = mw_ncr_dim(r, "mode");
  f->n_freq = mw_ncr_dim(r, "frequency_number");
  f->n_patterns = mw_ncr_att_int(r, "n_patterns");
  if (rom->s < 1 || rom->s > MW_ROM_MAX_S || rom->m > MW_ROMFILE_MAX_M ||
      rom->n_y > MW_ROMFILE_MAX_N || rom->n_u > MW_ROMFILE_MAX_N ||
      f->n_patterns != rom->m - f->n_modes)
    mw_ncr_fail(
        r,
        "not a reduced model: %d coordinates, %d columns (%d modes, %d patterns), %d fields, "
        "%d inputs",
        rom->s, rom->m, f->n_modes, f->n_patterns, rom->n_y, rom->n_u);
  // the other numbers of a knot are no more than MW_ROMFILE_MAX_M columns have
  double m = rom->m, wide = rom->n_y * (1.0 + m) + rom->n_Y * (0.5 * m * (m + 1.0));
  if (wide > MOST_FIELDS ||
      (r->e.code == MW_OK && mw_rom_n_field(mw_rom_shape_of(rom)) > MOST_FIELDS))
    mw_ncr_fail(r, "not a reduced model: %d fields, %d of them curved, of %d columns", rom->n_y,
                rom->n_Y, rom->m);
}

static void read_grid(mw_ncr *r, mw_rom_file *f)
{
  mw_rom *rom = &f->rom;
  int len[MW_ROM_MAX_S + 1];
  double n_knot = 1.0, n_point = 1.0;
  bool train = mw_ncr_has(r, "train0_field_core");
  char name[256];
  for (int i = 0; i < rom->s && r->e.code == MW_OK; i++) {
    snprintf(name, sizeof name, "grid_%s", f->coordinate[i]);
    len[i] = f->n_grid[i] = mw_ncr_dim(r, name);
    f->grid[i] = mw_ncr_f64(r, name, 1, &len[i], true);
    snprintf(name, sizeof name, "knot_%s", f->coordinate[i]);
    int knots = mw_ncr_dim(r, name);
    rom->n_grid[i] = knots == 1 ? f->n_grid[i] : knots - 2;
    if (knots == 1) rom->flat |= 1u << i;
    n_knot *= train ? 1.0 : knots;
    n_point *= f->n_grid[i];
    if (rom->n_grid[i] < 4 || f->n_grid[i] < 4 || n_knot > MOST_POINTS || n_point > MOST_POINTS)
      mw_ncr_fail(r, "%d grid points of %s in a table of %d, expected at least 4", f->n_grid[i],
                  f->coordinate[i], rom->n_grid[i]);
  }
  if (r->e.code != MW_OK) return;
  f->n_point = (int)n_point;
  len[rom->s] = f->n_freq;
  f->frequency = mw_ncr_f64(r, "frequency", rom->s + 1, len, true);
  if (mw_ncr_has(r, "identity")) f->identity = mw_ncr_int(r, "identity", rom->s + 1, len);
}

static void read_start(mw_ncr *r, mw_rom_file *f)
{
  int len[MW_ROM_MAX_S + 1], s = f->rom.s, m = f->rom.m;
  char name[256];
  double n_knot = 1.0;
  bool train = mw_ncr_has(r, "start_train0_field_core");
  f->n_start = m * (m + 1) / 2 + s * m * m;
  for (int i = 0; i < s && r->e.code == MW_OK; i++) {
    snprintf(name, sizeof name, "start_knot_%s", f->coordinate[i]);
    len[i] = mw_ncr_dim(r, name);
    f->n_table[i] = len[i] - 2;
    n_knot *= train ? 1.0 : len[i];
    if (f->n_table[i] < 4 || n_knot > MOST_POINTS)
      mw_ncr_fail(r, "%d points of the start table of %s, expected at least 4", f->n_table[i],
                  f->coordinate[i]);
  }
  len[s] = f->n_start;
  if (r->e.code != MW_OK) return;
  f->start_train = mw_romfile_read_trains(r, f, "start_", f->n_start, len, &f->n_start_train);
  if (f->n_start_train == 0) f->start = mw_ncr_f64(r, "start_rates", s + 1, len, true);
}

// Where the model is: beside the reduced model, by its file's name, else at the path that it had.
static const char *find_model(const char *rom, const char *model, mw_arena *mem)
{
  const char *slash = strrchr(rom, '/'), *name = strrchr(model, '/');
  name = name ? name + 1 : model;
  if (!*name) return model;
  const char *beside =
      mw_arena_printf(mem, "%.*s%s", slash ? (int)(slash - rom) + 1 : 0, rom, name);
  return beside && access(beside, R_OK) == 0 ? beside : model;
}

mw_code mw_rom_file_read(const char *path, mw_rom_file *out, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_ncr r;
  mw_code rc = mw_ncr_open(&r, path, "rom", &f.mem, err);
  if (rc == MW_OK) {
    f.version = mw_ncr_att_str(&r, "version");
    f.command = mw_ncr_att_str(&r, "command");
    f.model_name = mw_ncr_att_str(&r, "model_name");
    f.model_file = find_model(path, mw_ncr_att_str(&r, "model_file"), &f.mem);
    const char *hash = mw_ncr_att_str(&r, "model_hash");
    if (mw_ncr_has_att(&r, "model_parameters"))
      f.parameters = mw_ncr_att_str(&r, "model_parameters");
    if (strlen(hash) >= sizeof f.model_hash)
      mw_ncr_fail(&r, "the model hash has %zu characters", strlen(hash));
    else
      strcpy(f.model_hash, hash);
    const char *inertia = mw_ncr_att_str(&r, "inertia");
    f.inertia = strcmp(inertia, "leading") == 0 ? MW_ROM_LEADING : MW_ROM_FULL;
    f.first_order = strcmp(inertia, "first_order") == 0;
    f.left_out = mw_ncr_att_str(&r, "second_order_left_out");
    f.stressless = mw_ncr_att_str(&r, "without_stress_stiffness");
    f.light = mw_ncr_att_str(&r, "little_inertia_of_its_own");
    f.lost = mw_ncr_att_str(&r, "static_patterns_lost");
    if (f.lost && f.lost[0] == '\0') f.lost = NULL;
    if (f.left_out && f.left_out[0] == '\0') f.left_out = NULL;
    if (f.stressless && f.stressless[0] == '\0') f.stressless = NULL;
    if (f.light && f.light[0] == '\0') f.light = NULL;
    if (mw_ncr_has_att(&r, "static_patterns_held_by_others"))
      f.held = mw_ncr_att_str(&r, "static_patterns_held_by_others");
    if (mw_ncr_has_att(&r, "static_patterns_not_followed"))
      f.given_up = mw_ncr_att_str(&r, "static_patterns_not_followed");
    f.unknowns = mw_ncr_att_int(&r, "unknowns");
    f.largest_jump = mw_ncr_att_f64(&r, "largest_jump");
    if (mw_ncr_has_att(&r, "modes_followed")) f.followed = mw_ncr_att_str(&r, "modes_followed");
    if (mw_ncr_has_att(&r, "modes_fixed_at")) f.fixed = mw_ncr_att_str(&r, "modes_fixed_at");
    if (mw_ncr_has_att(&r, "second_order_and_dissipation"))
      f.thinned = mw_ncr_att_str(&r, "second_order_and_dissipation");
    read_sizes(&r, &f);
    if (r.e.code == MW_OK) read_names(&r, &f);
    read_grid(&r, &f);
    if (r.e.code == MW_OK) mw_romfile_read_axes(&r, &f);
    mw_romfile_read_laws(&r, &f);
    mw_romfile_read_parameters(&r, &f);
    mw_romfile_read_coef(&r, &f);
    if (r.e.code == MW_OK) read_start(&r, &f);
    if (r.e.code == MW_OK) mw_romfile_read_rows(&r, &f);
    mw_romfile_read_drawn(&r, &f);
    if (r.e.code == MW_OK) mw_romfile_read_certificate(&r, &f);
    rc = mw_ncr_close(&r, err);
  }
  if (rc == MW_OK) rc = mw_arena_check(&f.mem, err);
  if (rc == MW_OK) rc = mw_romfile_check(&f, path, err);
  if (rc == MW_OK) mw_rom_note_zeros(&f.rom);
  if (rc == MW_OK) rc = mw_rom_file_note_slow(&f, err);
  if (rc == MW_OK)
    *out = f;
  else
    mw_arena_free(&f.mem);
  return rc;
}
