// SPDX-License-Identifier: BSD-3-Clause
// frf.h: frequency response functions of a reduced model at any configuration.
//
//   H(ω) = (iω)^p C (−ω² + iω D + K)⁻¹ B                                                        (1)
// of the equations of motion linearized at rest, multiplied by the inverse of the mass matrix: D
// damping, K stiffness, B accelerations under unit forces along ends "from", C derivatives of ends
// "to"; p = 0 receptance, 1 mobility, 2 accelerance. Dry friction and end stops are left out.
//
// An end is a sum of fields with weights: a direction of an output, its difference to another one.
// A force along it is the same sum of forces: power is conserved.
#ifndef MW_SIM_FRF_H
#define MW_SIM_FRF_H

#include <stdbool.h>

#include "base/api.h"
#include "reduction/romfile.h"

MW_API_BEGIN

enum { MW_FRF_MAX_TERM = 16 };

typedef struct mw_frf_end {
  const char *name;
  int n;                           // terms
  int field[MW_FRF_MAX_TERM];      // of the model
  double weight[MW_FRF_MAX_TERM];  // 1
  const char *unit;                // of the motion; of the force along it: mw_frf_force_unit
} mw_frf_end;

typedef enum mw_frf_kind { MW_FRF_RECEPTANCE = 0, MW_FRF_MOBILITY, MW_FRF_ACCELERANCE } mw_frf_kind;

typedef struct mw_frf_in {
  int n_to, n_from;
  const mw_frf_end *to, *from;  // [n_to], [n_from]
  mw_frf_kind kind;
  unsigned held;     // bits of the coordinates that forces do not move
  int n_hz;          // frequencies
  const double *hz;  // [n_hz]  >= 0
} mw_frf_in;

typedef struct mw_frf mw_frf;  // at work

// Ends from text: "tool.x", "tool" (all of its directions), "tool.x-bed.x",
// "0.6*tool.x+0.8*tool.z", NAME of a coordinate; several, with commas. In mem. MW_ERR_INPUT names
// what is no field.
MW_MUST_USE mw_code mw_frf_ends(const mw_rom_file *f, const char *what, const char *text,
                                mw_arena *mem, int *n, mw_frf_end **end, mw_error *err);

// in is borrowed. Release with mw_frf_close. MW_ERR_INPUT: what does not answer to forces.
MW_MUST_USE mw_code mw_frf_open(const mw_rom_file *f, const mw_frf_in *in, mw_frf **out,
                                mw_error *err);
// At theta [s]: H [n_to × n_from × 2 × n_hz], real parts, then imaginary ones. Not finite at the
// frequency of an undamped motion.
MW_MUST_USE mw_code mw_frf_at(mw_frf *w, const double *theta, double *H, mw_error *err);
// At the place of the last mw_frf_at, at other frequencies hz [n_hz], at most as many as there:
// H [n_to × n_from × 2 × n_hz].
MW_MUST_USE mw_code mw_frf_more(mw_frf *w, int n_hz, const double *hz, double *H, mw_error *err);
// At the place of the last mw_frf_at, the equations of (1) in its n = mw_frf_unknowns(w) unknowns:
// z'' + D z' + K z = B F, ends C z; K, D [n × n], B [n × n_from], C [n_to × n].
int mw_frf_unknowns(const mw_frf *w);
void mw_frf_system(const mw_frf *w, double *K, double *D, double *B, double *C);
// Damping ratios below are rounding.
#define MW_FRF_UNDAMPED 1e-9
// Of the last mw_frf_at: natural frequencies, Hz, and damping ratios of the motions that swing,
// ascending; how many others there are, not held (overdamped, rigid); the acceleration of
// coordinates that no drive holds at rest there.
typedef struct mw_frf_poles {
  int n, n_other;
  const double *hz, *zeta;  // [n]
  const double *rest;       // [s]  m/s² or rad/s²
} mw_frf_poles;
MW_MUST_USE mw_code mw_frf_poles_of(mw_frf *w, mw_frf_poles *out, mw_error *err);
// Whether the last mw_frf_at went by pairs of poles; else it solved equations at each frequency.
bool mw_frf_by_pairs(const mw_frf *w);
void mw_frf_close(mw_frf *w);

// The largest response in any direction to a force in any direction at each frequency, worst
// [n_hz]: the largest singular value of H (moduli and phases of the force's components are free).
MW_MUST_USE mw_code mw_frf_worst(const mw_frf_in *in, const double *H, double *worst,
                                 mw_error *err);

const char *mw_frf_kind_name(mw_frf_kind kind);  // "receptance", …
// "m/N", "(m/s)/N", …, from units of the ends; "": not known.
const char *mw_frf_unit(const mw_frf_in *in, int to, int from, char text[64]);

MW_API_END

#endif
