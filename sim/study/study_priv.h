// SPDX-License-Identifier: BSD-3-Clause
// study_priv.h: what the files of a study share.
#ifndef MW_SIM_STUDY_PRIV_H
#define MW_SIM_STUDY_PRIV_H

#include "sim/case.h"
#include "study_layer.h"

// What a model is: values [n], with names, units and aims.
typedef struct mw_found {
  int n;
  double *value;
  const char **name, **unit;
  int *aim;  // 1: the smaller the better, -1: the larger
} mw_found;

// Makes room for n more.
MW_MUST_USE mw_code mw_found_room(mw_found *f, int n, mw_arena *mem, mw_error *err);
void mw_found_put(mw_found *f, const char *name, const char *unit, int aim, double value);
// The criteria of runs and of certificates (criteria_run.c).
MW_MUST_USE mw_code mw_criteria_run(const mw_study_in *in, const mw_case *c, mw_arena *mem,
                                    mw_found *f, mw_error *err);

// A word of --of.
typedef struct mw_criterion_word {
  const char *word;
  unsigned of;         // MW_OF_*
  const char *begins;  // the names of its criteria, before that of an output; NULL: they have none
} mw_criterion_word;
// The one that text begins with, up to "," or ":"; NULL: none.
const mw_criterion_word *mw_criterion_word_at(const char *text);
// Of criteria whose words have an output behind them in text (--of), leaves those of these outputs,
// with all their parts and components. MW_ERR_INPUT: no criterion is of such an output.
MW_MUST_USE mw_code mw_criteria_only(const char *text, mw_found *f, mw_error *err);

// The criteria in->of of a model. Memory from mem.
MW_MUST_USE mw_code mw_criteria_find(const mw_study_in *in, const mw_case *c, mw_arena *mem,
                                     mw_found *out, mw_error *err);

// MW_ERR_INPUT: a number of values beside a design, or neither.
MW_MUST_USE mw_code mw_design_check(const mw_study_in *in, mw_error *err);
double mw_design_count(const mw_study_in *in);  // points
// Values of all n points, x [n × n_varied].
void mw_design_fill(const mw_study_in *in, int n, double *x);

#endif
