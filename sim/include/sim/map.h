// SPDX-License-Identifier: BSD-3-Clause
// map.h: scalars of a reduced model's frequency responses over its work space.
//
//   compliance    σ(0), m/N                                                                     (1)
//   stiffness     1/σ(0), N/m
//   direction     force of size 1, over the ends "from", under which σ(0) is reached, its largest
//                 component positive
//   peak          max over the band of σ(ω); none where a motion in the band is not damped
//   peak_hz       where that is
//   frequency     of the k-th motion that swings, Hz;  damping: its ratio
// with σ the largest singular value of H of frf.h between the ends: of one end to one end its
// modulus, else the largest response in any direction to a force in any direction.
#ifndef MW_SIM_MAP_H
#define MW_SIM_MAP_H

#include "base/api.h"
#include "sim/frf.h"

MW_API_BEGIN

typedef enum mw_map_kind {
  MW_MAP_COMPLIANCE = 0,
  MW_MAP_STIFFNESS,
  MW_MAP_DIRECTION,  // as many values as ends "from"
  MW_MAP_PEAK,
  MW_MAP_PEAK_HZ,
  MW_MAP_FREQUENCY,
  MW_MAP_DAMPING,
  MW_MAP_N_KIND
} mw_map_kind;

typedef struct mw_map_in {
  mw_frf_in frf;  // ends, held coordinates; hz [n_hz] >= 2 ascending: the band
  int n_kind;
  const mw_map_kind *kind;  // [n_kind]
  int mode;                 // k of frequency and damping, from 0 on
} mw_map_in;

typedef struct mw_map mw_map;  // at work

const char *mw_map_kind_name(mw_map_kind kind);
bool mw_map_kind_find(const char *name, size_t len, mw_map_kind *out);

// in is borrowed. Release with mw_map_close. MW_ERR_INPUT: ends that do not answer to forces.
MW_MUST_USE mw_code mw_map_open(const mw_rom_file *f, const mw_map_in *in, mw_map **out,
                                mw_error *err);
int mw_map_values(const mw_map *w);  // how many values a place has
// Name of value k, "peak" or "direction tool.x", and its unit, "": 1 or not known. In text.
const char *mw_map_name(const mw_map *w, int k, char text[96]);
const char *mw_map_unit(const mw_map *w, int k, char text[64]);
// value [mw_map_values] at theta [s]. NaN: there is none (not finite at rest where a coordinate is
// free; fewer motions that swing).
MW_MUST_USE mw_code mw_map_at(mw_map *w, const double *theta, double *value, mw_error *err);
void mw_map_close(mw_map *w);

MW_API_END

#endif
