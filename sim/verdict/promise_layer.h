// SPDX-License-Identifier: BSD-3-Clause
// promise_layer.h: what a reduced model's certificate promises for a run, beside what the run
// shows.
#ifndef MW_SIM_PROMISE_LAYER_H
#define MW_SIM_PROMISE_LAYER_H

#include "base/json.h"
#include "compare/compare_layer.h"

// A promise that is exceeded by no more than this is one that was made from samples.
#define MW_PROMISE_FACTOR 1.5

typedef struct mw_promise {
  double promised;  // over the scale, NaN: nothing is promised
  double judged;  // what the certificate's own run of the scenario erred by, NaN: it did not run it
  double error;   // of the path gmp, over the scale, without own errors in time where known
  const char *beyond;  // what the run did that nothing is promised for, NULL: nothing
  bool below;          // below what is known of it
  bool met;            // error <= promised, or nothing is promised
  bool broken;         // by more than MW_PROMISE_FACTOR, and by more than is known
} mw_promise;

// Quantity k of a comparison with the paths gmp and full; false: the path gmp was not run, or not
// by a reduced model with a certificate, or does not have the quantity.
bool mw_promise_of(const mw_comparison *q, int k, mw_promise *out);
// Is any quantity's promise exceeded?
bool mw_promise_exceeded(const mw_comparison *q);
// Is one broken? Names the first in err.
bool mw_promise_broken(const mw_comparison *q, mw_error *err);
// A line a quantity; a row a quantity of the page; members "time" and "promise" of the open object.
void mw_promise_print(const mw_comparison *q);
void mw_promise_page(const mw_comparison *q, FILE *f);
void mw_promise_json(const mw_comparison *q, mw_json *j);

#endif
