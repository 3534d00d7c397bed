// SPDX-License-Identifier: BSD-3-Clause
// livepage_layer.h: a reduced model as a page that runs it: one HTML file, no network.
#ifndef MW_SIM_LIVEPAGE_LAYER_H
#define MW_SIM_LIVEPAGE_LAYER_H

#include "reduction/romfile.h"
#include "sim/case.h"

// model: the machine to draw, NULL: it is not drawn, for the reason in why. The page carries the
// table (rom/flat.h), the online model as WebAssembly, and the machine. MW_ERR_INPUT: the build had
// no compiler for WebAssembly.
MW_MUST_USE mw_code mw_rom_page_write(const mw_rom_file *rom, const mw_case *model, const char *why,
                                      const char *path, mw_error *err);

// The machine as JSON: triangles, lines and marks in the axes of the bodies that they move with,
// and the bodies' frames over theta, {"tri", "line", "dot", "n", "frames"}; where the model has
// columns to draw, what mw_machine_shapes writes of them, "drawn": {"n", "shapes", "nodes"}
// (machine.c). Behind the coordinates of a point: the drawn node that it moves with, or -1.
MW_MUST_USE mw_code mw_machine_write(const mw_rom_file *rom, const mw_case *model, FILE *f,
                                     mw_error *err);
// The columns to draw (reduction/drawn.h), little endian: amplitudes [points × m × n], single
// precision; units of the elastic bodies' shapes, likewise; their displacements over that unit, 16
// bits each.
void mw_machine_shapes(const mw_rom_file *rom, FILE *f);

#endif
