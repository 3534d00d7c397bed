// SPDX-License-Identifier: BSD-3-Clause
// adapt_priv.h: marks on intervals of a grid, and what the files that set them share.
#ifndef MW_REDUCTION_ADAPT_PRIV_H
#define MW_REDUCTION_ADAPT_PRIV_H

#include "pass_layer.h"

typedef struct mw_probe_list {
  int n;
  mw_probe *p;  // [n]
  mw_arena mem;
} mw_probe_list;

enum { MW_ADAPT_EVERY = (1 << MW_PROBE_KINDS) - 1 };  // a mark for all kinds of errors
enum { MW_ADAPT_STALLS = 2 };  // splits in a row that gained too little, and then no more

// adapt.c
extern const double mw_adapt_part, mw_adapt_twice, mw_adapt_gain;
int mw_adapt_points(const mw_reduction *r, int i);  // grid points along axis i; tables may be finer
int mw_adapt_nearest(const mw_axis *a, double theta);   // its point nearest to theta
int mw_adapt_interval(const mw_axis *a, double theta);  // its interval around theta
double mw_adapt_largest(const double e[MW_PROBE_KINDS]);
MW_MUST_USE mw_code mw_adapt_lists(mw_adapt *a, mw_error *err);  // a->interval, all 0

// adapt_split.c: marks of no interval, split[i] [points along axis i], in mem
MW_MUST_USE mw_code mw_adapt_marks(const mw_reduction *r, unsigned char **split, mw_arena *mem,
                                   mw_error *err);
bool mw_adapt_any_marked(const mw_reduction *r, unsigned char *const *split);
bool mw_adapt_fits(const mw_reduction *r, unsigned char *const *split);  // within limits on points?
// Marks mirrored intervals of symmetric axes together; axes without marks become NULL.
void mw_adapt_tidy(const mw_reduction *r, unsigned char **split);
// Leaves the longest of the marked axes alone, one by one, until the limits on points hold.
void mw_adapt_fewer_axes(const mw_reduction *r, unsigned char *const *split);
// Leaves alone what splits do not help any more; returns whether there is any.
bool mw_adapt_leave_stalled(mw_adapt *a, unsigned char *const *wanted);
// Makes the finer grid and tables, and notes what is known of its intervals.
MW_MUST_USE mw_code mw_adapt_apply(mw_adapt *a, unsigned char *const *split, mw_error *err);
// Applies marks that have been made; says how it ended where there are none.
MW_MUST_USE mw_code mw_adapt_finish(mw_adapt *a, unsigned char **split, bool stalled, bool *more,
                                    mw_error *err);

#endif
