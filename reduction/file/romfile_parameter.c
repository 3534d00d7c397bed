// SPDX-License-Identifier: BSD-3-Clause
// romfile_parameter.c: the parameters of a reduced model that can be set, in rom.nc.
#include <string.h>

#include "romfile_priv.h"
#include "table/parameter_layer.h"

// What parameters of rows add.
static void write_rows(mw_ncw *w, const mw_rom_file *f, int parameter)
{
  if (!f->damped && !f->stiff) return;
  int m = f->rom.m,
      of[3] = { parameter, mw_ncw_dim(w, "kept_knot", (int)mw_romfile_n_knots(&f->rom)) };
  if (f->damped) {
    of[2] = mw_ncw_dim(w, "damped_field", mw_rom_damped(&f->rom));
    mw_ncw_f64(w, "parameter_damping", 3, of, NULL,
               "C, CE and CC that a unit of the parameter adds, spline coefficients", f->damped);
  }
  if (!f->stiff) return;
  of[2] = mw_ncw_dim(w, "stiff_field", m * (m + 1) / 2);
  mw_ncw_f64(w, "parameter_stiffness", 3, of, NULL,
             "K that a unit of the parameter adds, spline coefficients", f->stiff);
  of[1] = mw_ncw_dim(w, "kept_start", (int)mw_rom_file_start_size(f));
  mw_ncw_f64(w, "parameter_start", 2, of, NULL, "the same of start_rates", f->stiff_start);
}

// One vector a number of all parameters.
void mw_romfile_write_parameters(mw_ncw *w, const mw_rom_file *f)
{
  enum { MOST = MW_MODEL_MAX_KEPT };
  int n = f->n_parameter, of[2] = { mw_ncw_dim(w, "parameter", n), 0 }, field[MOST];
  const char *name[MOST];
  double range[2 * MOST], mass[MOST], gravity[3 * MOST];
  if (n == 0) return;
  for (int k = 0; k < n; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    name[k] = p->name;
    field[k] = p->field;
    range[2 * k] = p->lo;
    range[2 * k + 1] = p->hi;
    mass[k] = p->mass;
    memcpy(gravity + 3 * k, p->gravity, sizeof p->gravity);
  }
  mw_ncw_str(w, "parameter", of[0], "parameters of the model that can be set", name);
  mw_ncw_int(
      w, "parameter_field", 1, of,
      "first field of the position of the mass (index); -1: it is springs, runners or dampers",
      field);
  mw_ncw_f64(w, "parameter_mass", 1, of, "kg", "mass there a unit of the parameter", mass);
  of[1] = mw_ncw_dim(w, "ends", 2);
  mw_ncw_f64(w, "parameter_range", 2, of, NULL, "range; the tables are of its middle", range);
  of[1] = mw_ncw_dim(w, "axis", 3);
  mw_ncw_f64(w, "parameter_gravity", 2, of, "m s-2", "what pulls at the mass", gravity);
  write_rows(w, f, of[0]);
}

void mw_romfile_read_parameters(mw_ncr *r, mw_rom_file *f)
{
  int n = mw_ncr_dim(r, "parameter"), of[2] = { n, 2 };
  if (r->e.code != MW_OK || n == 0) return;
  if (n > MW_MODEL_MAX_KEPT) {
    mw_ncr_fail(r, "%d parameters, expected at most %d", n, MW_MODEL_MAX_KEPT);
    return;
  }
  const char **name = mw_ncr_str(r, "parameter", n);
  const int *field = mw_ncr_int(r, "parameter_field", 1, of);
  const double *mass = mw_ncr_f64(r, "parameter_mass", 1, of, true),
               *range = mw_ncr_f64(r, "parameter_range", 2, of, true);
  of[1] = 3;
  const double *gravity = mw_ncr_f64(r, "parameter_gravity", 2, of, true);
  f->parameter = mw_arena_alloc(r->mem, (size_t)n, sizeof *f->parameter);
  for (int k = 0; f->parameter && r->e.code == MW_OK && k < n; k++) {
    f->parameter[k] = (mw_rom_parameter){ .name = name[k],
                                          .lo = range[2 * k],
                                          .hi = range[2 * k + 1],
                                          .value = 0.5 * (range[2 * k] + range[2 * k + 1]),
                                          .mass = mass[k],
                                          .field = field[k] };
    memcpy(f->parameter[k].gravity, gravity + 3 * k, sizeof f->parameter[k].gravity);
    f->n_parameter = k + 1;
  }
}

// Once the shapes of the records and of the table for starts are known.
void mw_romfile_read_rows(mw_ncr *r, mw_rom_file *f)
{
  int m = f->rom.m;
  int of[3] = { f->n_parameter, (int)mw_romfile_n_knots(&f->rom), mw_rom_damped(&f->rom) };
  if (mw_ncr_has(r, "parameter_damping"))
    f->damped = mw_ncr_f64(r, "parameter_damping", 3, of, true);
  if (!mw_ncr_has(r, "parameter_stiffness")) return;
  of[2] = m * (m + 1) / 2;
  f->stiff = mw_ncr_f64(r, "parameter_stiffness", 3, of, true);
  of[1] = (int)mw_rom_file_start_size(f);
  f->stiff_start = mw_ncr_f64(r, "parameter_start", 2, of, true);
}
