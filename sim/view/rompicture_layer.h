// SPDX-License-Identifier: BSD-3-Clause
// rompicture_layer.h: pictures of a reduced model from its file alone: frequencies over θ,
// certificate, storage.
#ifndef MW_SIM_ROMPICTURE_LAYER_H
#define MW_SIM_ROMPICTURE_LAYER_H

#include "draw/plot_layer.h"
#include "reduction/romfile.h"

// How two neighbouring frequencies of the interpolated model pass each other.
typedef enum mw_approach_kind {
  MW_APPROACH_CROSSING,    // the gap is below what the alignment takes for a change of places
  MW_APPROACH_UNRESOLVED,  // below the two frequencies' errors in the certificate: one or the other
  MW_APPROACH_VEERING,
  MW_APPROACH_CLOSEST  // they do not turn into each other: the smallest gap along the line
} mw_approach_kind;

typedef struct mw_approach {
  mw_approach_kind kind;
  int lower;          // the pair is lower, lower + 1, from 0
  double x;           // m or rad, where
  double hz;          // between the two
  double gap;         // Hz
  double resolution;  // Hz, gaps below it mean nothing: of the alignment, or the certificate's
} mw_approach;

// The interpolated model along coordinate `axis`, the others at `at`.
typedef struct mw_rom_line {
  int axis;
  double at[MW_ROM_MAX_S];  // m or rad
  int index[MW_ROM_MAX_S];  // of the grid line of eigenanalyses nearest to it
  int n, n_freq;            // points; frequencies: as many as modes
  double *x;                // [n]
  double *hz;               // [n_freq × n]
  int *identity;  // [n_freq × n]  mode with the largest weight, −1: patterns have more than half
  int n_approach;
  mw_approach *approach;  // [n_approach]  by pair, then x
} mw_rom_line;

enum { MW_ROM_LINE_POINTS = 401 };

// The line through grid point index[] (index[axis] does not matter) on n >= 3 points. Memory from
// mem.
MW_MUST_USE mw_code mw_rom_line_build(const mw_rom_file *f, int axis, const int *index, int n,
                                      mw_arena *mem, mw_rom_line *out, mw_error *err);
// What the table covers of coordinate i, m or rad: its range, or the lower half of a mirrored one.
double mw_rom_width(const mw_rom_file *f, int i);
// Grid point k of the eigenanalyses along axis i.
double mw_rom_grid_at(const mw_rom_file *f, int i, int k);
// "x = 0.3 m, y = 0.1 m" of theta [s]; without the coordinates whose bit is set in skip.
void mw_rom_theta_text(const mw_rom_file *f, const double *theta, unsigned skip, char *out,
                       size_t n);
// The same of the coordinates a line holds, those that matter.
void mw_rom_line_text(const mw_rom_file *f, const mw_rom_line *l, char *out, size_t n);
// "veering 2–3 at y = 0.42 m, gap 1.3 Hz"
void mw_approach_text(const mw_rom_file *f, const mw_rom_line *l, const mw_approach *a, char *out,
                      size_t n);

// Figures of one reduced model; borrows it.
typedef struct mw_rom_figures {
  int n;
  mw_figure *figure;  // [n]  lines, then certificate, then storage
  int n_line;
  mw_rom_line *line;  // [n_line]
  mw_arena mem;
} mw_rom_figures;
MW_MUST_USE mw_code mw_rom_figures_build(const mw_rom_file *f, mw_rom_figures *out, mw_error *err);
void mw_rom_figures_free(mw_rom_figures *g);

// The parts of it: each adds its figures.
MW_MUST_USE mw_code mw_rom_figures_lines(const mw_rom_file *f, mw_rom_figures *g, mw_error *err);
MW_MUST_USE mw_code mw_rom_figures_certificate(const mw_rom_file *f, mw_rom_figures *g,
                                               mw_error *err);
MW_MUST_USE mw_code mw_rom_figures_storage(const mw_rom_file *f, mw_rom_figures *g, mw_error *err);

// A figure added to g; panels and all it points to come from g->mem.
void mw_rom_figures_add(mw_rom_figures *g, const mw_figure *figure);
// "tables of 15 × 51 records of 297 numbers, 1.8 MB"
void mw_rom_storage_text(const mw_rom_file *f, char *out, size_t n);

// Point and value of the largest of y [n × per]; NaN counts as largest. −1: n is 0 or y NULL.
int mw_rom_worst(int n, int per, const double *y, double *value);

// The certificate as HTML, without pictures.
void mw_rom_page_certificate(FILE *f, const mw_rom_file *r);
// The picture as .svg or .html, by the end of the name. MW_ERR_INPUT: another name.
MW_MUST_USE mw_code mw_rom_picture(const mw_rom_file *f, const char *path, mw_error *err);

#endif
