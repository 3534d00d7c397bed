// SPDX-License-Identifier: BSD-3-Clause
// pass_layer.h: a pass over the grid, and what decides on the next one.
#ifndef MW_REDUCTION_PASS_LAYER_H
#define MW_REDUCTION_PASS_LAYER_H

#include "sample/receptance_layer.h"
#include "work/offline_layer.h"

enum { MW_MODES_EXTRA = 6 };  // modes computed beyond those asked for, at first

typedef struct mw_pass {  // what a pass over the grid leaves for the next
  mw_band band;           // up to where the bodies' bases hold
  int enlarged;           // times that it turned out too low
  int extra;              // modes computed beyond those wanted
} mw_pass;

// pass.c: bases of bodies that hold for modes up to `highest`, rad/s; and the mechanism in them
double mw_pass_band(double highest);
void mw_pass_use(mw_reduction *r, const mw_bases *b);
// Modes at points that have none: as many as are below the frequency asked for wherever most are,
// all within the band. Where it is too low everything is done again in a higher one unless the
// model says it.
MW_MUST_USE mw_code mw_pass_modes_in_band(mw_reduction *r, mw_pass *pass, mw_error *err);
// f's tables from the grid with its modes (r->waiting: more of them are asked for). *turns: an
// error that more grid points mend, as of modes asked for that get lost: which, at what frequency
// and where.
MW_MUST_USE mw_code mw_pass_build(mw_reduction *r, mw_pass *pass, mw_rom_file *f, mw_made *out,
                                  bool *turns, mw_error *err);

// Writes theta into text, which it returns: " x = 0.1, phi = 2"
const char *mw_pass_place(const mw_reduction *r, const double *theta, char *text, size_t n);

// Cells in whose centre the interpolated stiffness is not positive definite: *n of them, their
// intervals in mark[i] [n_grid − 1]; mark NULL: stops at the first, an error.
MW_MUST_USE mw_code mw_pass_soft(const mw_reduction *r, const mw_tables *t, const mw_rom *rom,
                                 unsigned char *const *mark, int *n, mw_error *err);

// count.c: the fewest modes with which receptances from 0 to hz err by at most tolerance, by three
// points of the grid
typedef struct mw_count {
  int n;               // modes
  double error;        // of receptances with n modes
  double error_fewer;  // with n − 1
  bool cluster;        // more than receptances need, so that no cluster is cut
} mw_count;
MW_MUST_USE mw_code mw_count_modes(mw_reduction *r, double hz, double tolerance, mw_count *out,
                                   mw_error *err);
// The same from n samples (loads as in sample_layer.h), skip [n × n_io]: unit loads that do not
// count. pattern [n_load]: loads whose static solutions are columns.
MW_MUST_USE mw_code mw_count_from(int n, const mw_sample *z, const unsigned char *pattern,
                                  const unsigned char *skip, double zeta, double hz,
                                  double tolerance, mw_count *out, mw_error *err);

// Largest error of receptances (romfile.h) at 200 frequencies from 0 to hz_end and at the modes of
// both.
MW_MUST_USE mw_code mw_receptance_worst(const mw_receptance *direct, const mw_receptance *rom,
                                        const unsigned char *skip, double hz_end, double *worst,
                                        mw_error *err);

// adapt.c: where the grid needs more points
enum {
  MW_PROBE_FREQUENCY,
  MW_PROBE_COMPLIANCE,
  MW_PROBE_RECEPTANCE,
  MW_PROBE_SHAPE,
  MW_PROBE_KINDS
};

typedef struct mw_probe {  // a point of theta where interpolation is looked at
  int axis, k;             // interval in whose middle it is
  double theta[MW_ROM_MAX_S];
  double e[MW_PROBE_KINDS];  // errors over what is asked for
} mw_probe;

typedef struct mw_interval {
  double e[MW_PROBE_KINDS];  // largest of its probes
  // of the interval this one is a half of; 0: split for other reasons
  double before[MW_PROBE_KINDS];
  int stalls[MW_PROBE_KINDS];  // splits in a row that gained too little
} mw_interval;

typedef struct mw_adapt {
  mw_reduction *r;
  const mw_made *made;                  // of the last pass
  mw_interval *interval[MW_ROM_MAX_S];  // [n_grid − 1]
  // intervals of the tables for one of the grid's that the next pass is to have, 0: as they are
  int refine[MW_ROM_MAX_S];
  bool no_tables;  // finer ones than drafts have anyway did not do
  int pass, everywhere, judged,
      forced;    // passes, those that split everywhere, those that samples and forces asked for
  double worst;  // largest error of the last pass
  // of the last pass, and passes in a row that hardly gained: [0] asked for by probes, [1] by
  // samples
  int by_samples, idle[2];
  double last[2];
  struct {        // of forces of one kind
    double last;  // error when points were added for them
    int stalls;   // times in a row that it had hardly gained since
  } force[MW_MOTIONS];
  int n_sample, cap_sample;
  mw_sample *sample;  // [n_sample]  of the projected mechanism, kept from pass to pass
  int n_miss;
  double miss[8][MW_ROM_MAX_S];  // samples that missed: lines through them are probed, too
  char note[320];  // how it ended; its first `by_grid` characters: before forces were judged
  size_t by_grid;
  mw_arena mem, mem_sample;
} mw_adapt;
// Borrows r and made, which each pass makes anew; both must outlive out.
MW_MUST_USE mw_code mw_adapt_init(mw_reduction *r, const mw_made *made, mw_adapt *out,
                                  mw_error *err);
void mw_adapt_free(mw_adapt *a);
// Splits intervals of r where f's interpolation errs (its certificate is there); *more false:
// nowhere, or no further, which note says.
MW_MUST_USE mw_code mw_adapt_split(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err);
// Splits all intervals along the axes that matter, or those around cells where f's stiffness is
// indefinite; *more false: this has been tried.
MW_MUST_USE mw_code mw_adapt_everywhere(mw_adapt *a, const mw_rom_file *f, bool *more,
                                        mw_error *err);
// adapt_judge.c
// After the comparison with the samples: splits where these miss what was asked for and the grid is
// to blame.
MW_MUST_USE mw_code mw_adapt_judge(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err);

// After the comparison of forces of motion: splits around places where these miss what was asked
// for and the grid is to blame.
MW_MUST_USE mw_code mw_adapt_forces(mw_adapt *a, const mw_rom_file *f, bool *more, mw_error *err);

// adapt_tables.c: asks for tables finer along an axis, whose splines err `over` times too much;
// false where they may not be.
bool mw_adapt_ask_table(mw_adapt *a, int axis, double over);
bool mw_adapt_tables_asked(const mw_adapt *a);  // for any?
// Takes the marks off intervals (wanted as in mw_adapt_split: bits of kinds) that finer tables
// mend, and asks for these. p [n]: their probes; part: what they may err by then
MW_MUST_USE mw_code mw_adapt_tables_first(mw_adapt *a, const mw_rom_file *f, int n,
                                          const mw_probe *p, double part,
                                          unsigned char *const *wanted, mw_error *err);
// Where passes with finer tables lead to nothing: the grid alone from here on; false: there are
// none to give up.
bool mw_adapt_give_up_tables(mw_adapt *a);
// Before these splits: tables of the next pass as fine as is asked for, and elsewhere no coarser.
void mw_adapt_keep_tables(mw_adapt *a, unsigned char *const *split);
// adapt.c: does an error between grid points exceed that at a grid point, which is the columns', by
// so much that points would mend it?
bool mw_adapt_points_mend(double between, double at_point);

// probe.c: the errors of n probes; forget: samples of other bases
MW_MUST_USE mw_code mw_probes_eval(mw_adapt *a, const mw_rom_file *f, int n, mw_probe *p,
                                   mw_error *err);
void mw_probes_forget(mw_adapt *a);

#endif
