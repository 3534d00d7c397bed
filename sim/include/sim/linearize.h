// SPDX-License-Identifier: BSD-3-Clause
// linearize.h: a mechanism linearized at a state: matrices, poles, frequency responses, root loci.
//
//   x = (z, ż) ,  d/dt (x − x0) = A (x − x0) + B (u − u0) ,  y − y0 = C (x − x0) + D (u − u0)   (1)
#ifndef MW_SIM_LINEARIZE_H
#define MW_SIM_LINEARIZE_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"
#include "reduction/romfile.h"
#include "sim/analyze.h"

MW_API_BEGIN

// Where a rigid mechanism is linearized: at a position, or at a state of a motion.
typedef struct mw_linearize_at {
  double t;                     // s, at which prescribed positions are taken
  const mw_position *position;  // NULL: q, v, s
  const double *q, *v;          // [n_q]  natural coordinates and rates of rigid.h
  const double *s;              // [n_coord]
  const mw_scenario *scenario;  // its drives with prescribed positions follow these; NULL: none
  const unsigned char *held;    // [n_coord]  coordinates that do not move, NULL: none
  const unsigned char *named;   // [n_coord]  coordinates to be among z, NULL: none
  const double *rate;           // [n_coord]  rates of those in z, NULL: those of v, or 0
  const double *force;          // [n_drive]  NULL: those that hold the rates best, of least norm
} mw_linearize_at;

typedef struct mw_state_space {
  int n_x, n_u, n_y;  // n_x even: (z, ż)
  double *A, *B;      // [n_x × n_x], [n_x × n_u]
  double *C, *D;      // [n_y × n_x], [n_y × n_u]
  double *x0, *u0, *y0;
  double rest;        // largest z̈ that is left at x0, u0, m/s² or rad/s²
  const char *where;  // the coordinate it is of
  double error;       // of A, B, C, D over the largest of the same rows, estimated; 0: exact
  const char **state, **input, **output;                 // [n_x], [n_u], [n_y]  names
  const char **state_unit, **input_unit, **output_unit;  // "": not known
  const char *left_out;  // what is not among the outputs, NULL: nothing
} mw_state_space;

// The rigid mechanism, elastic runners and bearings free, without dry friction and stops, play
// taken up. z: joint coordinates as far as these are independent, rotors of drives, and directions
// of what no coordinate says. y: joint coordinates, then positions, velocities, accelerations of
// outputs. Memory from mem. MW_ERR_INPUT: rolling; MW_ERR_NUMERIC: the state is singular.
MW_MUST_USE mw_code mw_linearize_rigid(const mw_mech *m, const mw_linearize_at *at, mw_arena *mem,
                                       mw_state_space *out, mw_error *err);
// The state of the rigid path at t, a stored instant of the scenario: into *at. Memory from mem.
MW_MUST_USE mw_code mw_linearize_motion(const mw_mech *m, const mw_scenario *sc, double t,
                                        mw_arena *mem, mw_linearize_at *at, mw_error *err);
// The unreduced elastic mechanism at rest at a position, coordinates marked in held [n_coord] held,
// in its lowest n_mode modes (fewer where there are no more) and its free motions; what modes that
// are left out give way is in D. The weight's stiffness is left out. y: joint coordinates, then
// positions of outputs. Memory from mem. MW_ERR_INPUT: no elastic body, or what elastic paths do
// not know; damping alpha or modal with free coordinates.
MW_MUST_USE mw_code mw_linearize_full(const mw_mech *m, const mw_position *at,
                                      const unsigned char *held, int n_mode, mw_arena *mem,
                                      mw_state_space *out, mw_error *err);
// The elastic mechanism while coordinates of its reduction go on at rate [s] through theta [s],
// columns where that puts them, in n_mode modes with these held, and the reduction's static
// patterns: reduced at configurations around theta alone (state/linearize_local.c). Bits of held as
// of mw_linearize_reduced. MW_ERR_INPUT: no reduction, theta outside of its ranges.
MW_MUST_USE mw_code mw_linearize_full_moving(const mw_mech *m, const double *theta,
                                             const double *rate, unsigned held, int n_mode,
                                             mw_arena *mem, mw_state_space *out, mw_error *err);
// The elastic mechanism at t, a stored instant of a scenario that path full runs, reduced around
// its position as mw_linearize_full_moving is: coordinates, rates and forces of drives are the
// run's, accelerations differences of its rates over a step (of prescribed coordinates exact);
// columns are where these put them, without what swings in the run. Coordinates that drives
// prescribe are held, and those marked in held [n_coord] (NULL: none). MW_ERR_INPUT: no reduction,
// no stored instant, or the run ends before; errors of the run.
MW_MUST_USE mw_code mw_linearize_full_motion(const mw_mech *m, const mw_scenario *sc, double t,
                                             const unsigned char *held, int n_mode, mw_arena *mem,
                                             mw_state_space *out, mw_error *err);
// A reduced model at theta [s], at rest or (rate not NULL) while coordinates go on at rate [s] and
// columns stay where that puts them; bits of held: coordinates whose motion is given. Without dry
// friction and stops.
MW_MUST_USE mw_code mw_linearize_reduced(const mw_rom_file *f, const double *theta,
                                         const double *rate, unsigned held, mw_arena *mem,
                                         mw_state_space *out, mw_error *err);

// The same at t, a stored instant of a scenario that the reduced model runs: amplitudes and forces
// are those of the run; coordinates that drives prescribe are held besides, all of these go on as
// they do. MW_ERR_INPUT: no stored instant, or the run ends before; errors of the run.
MW_MUST_USE mw_code mw_linearize_reduced_motion(const mw_mech *m, const mw_rom_file *f,
                                                const mw_scenario *sc, double t, unsigned held,
                                                mw_arena *mem, mw_state_space *out, mw_error *err);

typedef struct mw_pole {
  double re, im;  // 1/s
  double zeta;    // −re/|λ|; NaN at 0
} mw_pole;
// Poles [n_x] by rising modulus, of pairs the one with im > 0 first. What is no larger than `zero`
// (1/s) counts as 0: rounding makes √ε of double poles there.
MW_MUST_USE mw_code mw_state_space_poles(const mw_state_space *s, mw_arena *mem, mw_pole **out,
                                         double *zero, mw_error *err);
// H [n_y × n_u × 2 × n] at angular frequencies w [n], rad/s: real parts, then imaginary ones. NaN
// at a pole.
MW_MUST_USE mw_code mw_state_space_frf(const mw_state_space *s, int n, const double *w, double *H,
                                       mw_error *err);
// Poles re, im [n × n_x] of the loop u_j = u0_j − gain (y_i − y0_i), along branches.
MW_MUST_USE mw_code mw_state_space_locus(const mw_state_space *s, int i, int j, int n,
                                         const double *gain, double *re, double *im, mw_error *err);

MW_API_END

#endif
