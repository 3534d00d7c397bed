// SPDX-License-Identifier: BSD-3-Clause
// pass_priv.h: a pass over the grid, and what decides on the next one.
#ifndef MW_REDUCTION_PASS_PRIV_H
#define MW_REDUCTION_PASS_PRIV_H

#include "offline_priv.h"

enum { MW_MODES_EXTRA = 6 };  // modes computed beyond those asked for, at first

// pass.c: modes at points that have none
MW_MUST_USE mw_code mw_pass_modes(mw_reduction *r, mw_band band, mw_error *err);
// f's tables from the grid with its modes (r->waiting: more of them are asked for). *turns: an error that more grid points mend.
MW_MUST_USE mw_code mw_pass_build(mw_reduction *r, mw_band band, mw_rom_file *f, bool *turns,
                                  mw_error *err);
// Modes and systems of all points go, for others in their place.
void mw_pass_forget(mw_reduction *r);

// count.c: the fewest modes with which receptances from 0 to hz err by at most tolerance, by three points of the grid
typedef struct mw_count {
  int n;               // modes
  double error;        // of receptances with n modes
  double error_fewer;  // with n − 1
  bool cluster;        // more than receptances need, so that no cluster is cut
} mw_count;
MW_MUST_USE mw_code mw_count_modes(mw_reduction *r, double hz, double tolerance, mw_count *out,
                                   mw_error *err);
// The same from n samples (loads as in sample_priv.h), skip [n × n_io]: unit loads that do not count. pattern [n_load]:
// loads whose static solutions are columns.
MW_MUST_USE mw_code mw_count_from(int n, const mw_sample *z, const unsigned char *pattern,
                                  const unsigned char *skip, double zeta, double hz,
                                  double tolerance, mw_count *out, mw_error *err);

// adapt.c: where the grid needs more points
typedef struct mw_adapt {
  mw_reduction *r;
  double *before
      [MW_ROM_MAX_S];  // [n_grid − 1]  error of the interval this one is a half of; 0: split for other reasons
  int *stalls[MW_ROM_MAX_S];    // [n_grid − 1]  splits in a row that gained too little
  double *error[MW_ROM_MAX_S];  // [n_grid − 1]  errors over what is asked for, of this pass
  int pass, everywhere,
      judged;    // passes, those that split everywhere, those that the samples asked for
  double worst;  // largest of error
  int n_probe, cap_probe;
  mw_sample *probe;  // [n_probe]  the projected mechanism at middles of intervals
  int n_miss;
  double miss[8][MW_ROM_MAX_S];  // samples that missed: lines through them are probed, too
  char note[160];                // how it ended
  mw_arena mem, mem_probe;       // of the lists above; of the probes
} mw_adapt;
MW_MUST_USE mw_code mw_adapt_init(mw_reduction *r, mw_adapt *out, mw_error *err);
void mw_adapt_free(mw_adapt *a);
void mw_adapt_forget(mw_adapt *a);  // the probes: bodies have other bases
// Splits intervals of r where f's interpolation errs; *more false: nowhere, or no further, which note says.
MW_MUST_USE mw_code mw_adapt_split(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err);
// Splits intervals along all axes that matter; *more false: this has been tried.
MW_MUST_USE mw_code mw_adapt_everywhere(mw_adapt *a, bool *more, mw_error *err);
// After the comparison with n samples: splits where these miss what was asked for and the grid is to blame.
MW_MUST_USE mw_code mw_adapt_judge(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err);

#endif
