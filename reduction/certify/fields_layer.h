// SPDX-License-Identifier: BSD-3-Clause
// fields_layer.h: coefficients of the reduced Lagrangian made directly at configurations off the
// grid, along lines through them.
#ifndef MW_REDUCTION_FIELDS_LAYER_H
#define MW_REDUCTION_FIELDS_LAYER_H

#include "pattern/damper_layer.h"
#include "reduce_layer.h"
#include "reduction/romfile.h"

enum { MW_LINE = 5, MW_LINE_MID = MW_LINE / 2 };  // points of a line, and its middle
enum { MW_BEYOND = 3 };  // further columns of a damper (certificate_decay.c), at most

// The line θ(t) = θ + rate t, t = (k − 2) step, and what is there. Records are those of one
// coordinate, t: a, b, … of rate 1 along t.
typedef struct mw_line {
  double theta[MW_ROM_MAX_S], rate[MW_ROM_MAX_S], step;
  bool lost;  // the grid's columns say nothing of those there
  // [MW_LINE × lay.n]  K of the elastic machine; H, CE, CC in the middle alone, c there less second
  // order
  double *record;
  double *d;      // [MW_LINE × s × m]  of each coordinate
  double *a;      // [s (s + 1)/2]      of each pair, in the middle
  double *Hij;    // [mm]  second order of rate and acceleration along t, in the middle
  double *input;  // [MW_LINE × n_input × m]  unit inputs on the columns
  double *power;  // [n_input]                their power in the middle, W/N or W/(N·m)
  double *Hg;     // [mm]  likewise, of gravity
  double *Y;      // [n_input × mm]  likewise, of the inputs
  double *gap;    // [damper.n × m]         gaps of dampers along the columns
  double *give;   // [damper.n × damper.n]  and by unit forces in them, of the whole mechanism
  // further columns E of the dampers in the middle, where there may be motions that do not swing
  int n_beyond;        // e
  double *K_beyond;    // [e × (m + e)]  their stiffness beside the columns and each other
  double *gap_beyond;  // [damper.n × e]
} mw_line;

typedef struct mw_lines {
  int n, n_random;    // all, and those through random configurations of the box
  mw_line *line;      // [n]
  mw_rom_layout lay;  // of the records: s = 1, with H, CE and CC
  mw_dampers damper;
  bool beyond;  // further columns of dampers are there
  mw_arena mem;
} mw_lines;

// Where lines go: through random configurations of the box, other ones for every seed; likewise,
// but in the outermost interval of one coordinate after the other, at either end; through given
// ones.
typedef struct mw_line_places {
  int n_random, n_end;
  uint64_t seed;
  mw_places given;
} mw_line_places;

// certificate_columns.c: columns at a configuration off the grid.
typedef struct mw_direct_columns {
  const mw_reduction *r;
  const mw_patterns *cand;
  mw_system *sys;      // there, θ held
  const mw_config *q;  // of all coordinates
  bool *apart;         // [m]  columns outside the patterns' span; set if first, else as found there
  bool first;
} mw_direct_columns;
// Rows of X [k × n] := the nearest M-orthonormal ones; MX [k × n] scratch
MW_MUST_USE mw_code mw_columns_nearest(mw_system *sys, int k, int n, double *X, double *MX,
                                       mw_error *err);
// Psi [m × n]
MW_MUST_USE mw_code mw_columns_direct(const mw_direct_columns *in, double *Psi, mw_error *err);

// Lines with direct columns at their points:
//   modes      K⁻¹M (spans, fixed interfaces: K⁻¹K) of the spline's, the frame nearest to these
//   patterns   K⁻¹f of all candidates, as much of them as is nearest to the spline's
// so that their values and derivatives are the mechanism's there, and only the frame is the
// table's. Records of one coordinate come from lagrangian.c, extra.c and dissipation.c on the line
// as a grid of its own. Cost: MW_LINE grid points a line.
MW_MUST_USE mw_code mw_lines_build(mw_reduction *r, const mw_patterns *p, int n_y,
                                   const mw_line_places *at, mw_lines *out, mw_error *err);
// certificate_places.c: those of the certificate of f, whose samples are compared already.
MW_MUST_USE mw_code mw_lines_certify(mw_reduction *r, const mw_patterns *p, const mw_rom_file *f,
                                     mw_lines *out, mw_error *err);
void mw_lines_free(mw_lines *z);
// Record `in` of shape `from` as one of z->lay, along the line's rate.
void mw_line_contract(const mw_lines *z, const mw_line *l, mw_rom_shape from, const double *in,
                      double *out);

// certificate_fields.c: forces of f's tables against those of the lines; n_force, force_error and
// force_theta of c.
MW_MUST_USE mw_code mw_certificate_fields(const mw_reduction *r, const mw_tables *t,
                                          const mw_lines *z, const mw_rom_file *f,
                                          mw_certificate *c, mw_arena *mem, mw_error *err);

// certificate_decay.c: n_decay, decay_error, decay_rate and decay_theta of c, the latter from mem.
MW_MUST_USE mw_code mw_certificate_decay(const mw_reduction *r, const mw_lines *lines,
                                         mw_certificate *c, mw_arena *mem, mw_error *err);

#endif
