// SPDX-License-Identifier: BSD-3-Clause
// livepage_layer.h: a reduced model as a page that runs it: one HTML file, no network.
#ifndef MW_SIM_LIVEPAGE_LAYER_H
#define MW_SIM_LIVEPAGE_LAYER_H

#include "base/json.h"
#include "reduction/romfile.h"
#include "sim/case.h"

// How a page carries the table. auto: whole up to a million bytes, else compressed where that is
// smaller. Whole ones give the bits of the model's own steps, compressed ones those of their own
// table, in the page.
typedef enum mw_page_form { MW_PAGE_AUTO, MW_PAGE_FULL, MW_PAGE_COMPRESSED } mw_page_form;
typedef struct mw_page_table {
  mw_rom rom;  // borrows the model's arrays, and what is new from mem
  // compressed: what trains were allowed, and the largest difference of a coefficient that was
  // found at 500 places, over the sizes of compress_rom.c; else 0
  double tolerance, error;
} mw_page_table;
MW_MUST_USE mw_code mw_page_table_build(const mw_rom_file *rom, mw_page_form form, mw_arena *mem,
                                        mw_page_table *out, mw_error *err);
// What a page's table may err by of its scales, for the certificate's tolerance asked (0: none).
double mw_page_share(double asked);
// Rounds the numbers of a train of r to what tol asks for, of scale [t->n_field]; into mem.
MW_MUST_USE mw_code mw_page_round_train(const mw_rom *r, mw_rom_train *t, const double *scale,
                                        double tol, mw_arena *mem, mw_error *err);
// Largest difference of two models' fields over their scales at 500 places spread over the box.
MW_MUST_USE mw_code mw_page_compare(const mw_rom *a, const mw_rom *b, const double *scale,
                                    double *error, mw_error *err);
// The first bytes of all whole words of 8, then the second ones, …; what is behind the last whole
// word as it is. out [n]
void mw_page_planes(const char *bytes, size_t n, char *out);

// model: the machine to draw, NULL: it is not drawn, for the reason in why. The page carries the
// table (rom/flat.h), the online model as WebAssembly, and the machine. MW_ERR_INPUT: the build had
// no compiler for WebAssembly.
MW_MUST_USE mw_code mw_rom_page_write(const mw_rom_file *rom, const mw_case *model, const char *why,
                                      mw_page_form form, const char *path, mw_error *err);

// MW_ERR_INPUT: the build had none.
MW_MUST_USE mw_code mw_rom_page_check(mw_error *err);

// The machine as JSON: triangles, lines and marks in the axes of the bodies that they move with,
// and the bodies' frames over theta, {"tri", "line", "dot", "n", "frames"}; where the model has
// columns to draw, what mw_machine_shapes writes of them, "drawn": {"n", "shapes", "nodes"}
// (machine.c). Behind the coordinates of a point: the drawn node that it moves with, or -1.
MW_MUST_USE mw_code mw_machine_write(const mw_rom_file *rom, const mw_case *model, FILE *f,
                                     mw_error *err);
// The columns to draw (reduction/drawn.h), little endian: what one of 16 bits stands for in
// amplitudes [m × n] and in the shapes of elastic bodies [their number], single precision; the
// amplitudes, of each column and shape the differences from point to point [m × n × points]; the
// shapes, 16 bits each.
MW_MUST_USE mw_code mw_machine_shapes(const mw_drawn *d, int m, FILE *f, mw_error *err);
// The same of a recorded motion: its only coordinate is the time, on drawn->n_grid[0] = n instants.
//   p [n × 12 n_body], s [n_coord]  frames, and coordinates at the first instant
MW_MUST_USE mw_code mw_machine_recorded(const mw_case *model, const mw_drawn *drawn, double *p,
                                        double *s, FILE *f, mw_error *err);

// Scenarios that the page can start, as JSON, and why it cannot start the others
// (pagescenarios.c).
MW_MUST_USE mw_code mw_page_scenarios(const mw_rom_file *rom, const mw_case *model, FILE *f,
                                      mw_error *err);

// A table over the ranges of parameters (pagekept.c).
typedef struct mw_page_kept {
  int n, n_node;    // parameters, nodes of each; n = 0: none is set
  int rank;         // combinations of the tables at the nodes
  double *node;     // [n × n_node]
  double *v;        // [n_node^n × rank]  their shares in the table at each node
  size_t n_number;  // of one train after the other, or of the whole table, the last index fastest:
  double *number;   // [rank × field of the train]; to be freed by mw_page_kept_free
  const char *why;  // there are parameters that cannot be set; NULL: they can, or there are none
} mw_page_kept;
// Also the table of the middle, which goes with them, where out->n > 0. rom: in the middle.
MW_MUST_USE mw_code mw_page_kept_build(const mw_rom_file *rom, mw_page_form form, mw_arena *mem,
                                       mw_page_table *table, mw_page_kept *out, mw_error *err);
void mw_page_kept_free(mw_page_kept *z);
MW_MUST_USE mw_code mw_page_kept_write(const mw_page_kept *z, FILE *f, mw_error *err);
void mw_page_kept_about(const mw_rom_file *rom, const mw_page_kept *z, mw_json *j);

// Parts of pages: the head up to the heading; an embedded text (app/); n bytes packed under an id.
void mw_page_head(const char *title, mw_arena *mem, FILE *f);
void mw_page_part(const char *name, mw_arena *mem, FILE *f);
MW_MUST_USE mw_code mw_page_block(const char *id, const char *bytes, size_t n, FILE *f,
                                  mw_error *err);

#endif
