// SPDX-License-Identifier: BSD-3-Clause
// rom_places_priv.h: places in the work space of a reduced model, which coordinates are held, and
// which responses are meant, from the command line.
#ifndef MW_SIM_CLI_ROM_PLACES_PRIV_H
#define MW_SIM_CLI_ROM_PLACES_PRIV_H

#include "cli/cmd_layer.h"
#include "sim/frf.h"

// Evenly spaced values of one coordinate.
typedef struct mw_rom_axis {
  int along;      // coordinate
  double lo, hi;  // m or rad
  int n;
} mw_rom_axis;

// From NAME (its whole range, n_default values) or NAME=LO:HI:N, for --option. MW_ERR_INPUT: no
// such coordinate, values outside its range, N not from 2 to n_max.
MW_MUST_USE mw_code mw_rom_axis_read(const mw_rom_file *f, const char *option, const char *text,
                                     int n_default, int n_max, mw_rom_axis *out, mw_error *err);
double mw_rom_axis_value(const mw_rom_axis *a, int k);

// --at, which names every coordinate but those of the axes, whose first values are taken: theta
// [s].
MW_MUST_USE mw_code mw_rom_place(const mw_args *a, const mw_rom_file *f, int n_axis,
                                 const mw_rom_axis *axis, double *theta, mw_error *err);

// Bits of the coordinates that are held: all but those that text names (--free: names with commas,
// or "all"; NULL: none).
MW_MUST_USE mw_code mw_rom_held_read(const mw_rom_file *f, const char *text, unsigned *held,
                                     mw_error *err);
// --as; text NULL: kind stays.
MW_MUST_USE mw_code mw_rom_kind_read(const char *text, mw_frf_kind *kind, mw_error *err);

#endif
