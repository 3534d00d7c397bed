// SPDX-License-Identifier: BSD-3-Clause
// wholetext_layer.h: the certificate of a machine from those of its components.
#ifndef MW_SIM_WHOLETEXT_LAYER_H
#define MW_SIM_WHOLETEXT_LAYER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "fem/model.h"
#include "sim/run.h"

typedef struct mw_parts_line {  // a quantity, of the component that errs most in it
  const char *name, *part;
  double error, tolerance;
  const char *unit;
  bool met;  // by all components
} mw_parts_line;

typedef struct mw_parts {
  int n_part, n_missed;  // components with a certificate; of these, which miss theirs
  const char *missed;    // "axis (receptances 3.21e-02, tolerance 5.00e-06), …"; NULL: none
  int n_line;
  mw_parts_line *line;  // [n_line]
  double band;          // Hz, up to which all of them hold; INFINITY: none says
  const char *band_of;  // the component that ends it
} mw_parts;

// From what components say of themselves (mw_component_size.promise); lines that are none of a
// certificate are passed over. Lives in mem, which the caller checks.
void mw_parts_of(const mw_model *m, mw_arena *mem, mw_parts *out);
// "certificate of the whole, by those of 2 components: met, …"
const char *mw_parts_text(const mw_parts *p, mw_arena *mem);
// What of its certificate a component misses, "receptances 3.21e-02, …" in mem; NULL: nothing, or
// it has none.
const char *mw_parts_missed(const char *promise, mw_arena *mem);
// Tells a run, at its end, what components promise, which of them miss it, and by left (as
// mw_rigid_component_promise, of ctx) what of it the run has left.
void mw_parts_tell(const mw_model *m, bool (*left)(void *ctx, int k, char *text, size_t n),
                   void *ctx, mw_run *r);
// All of it, where a component has a certificate: lines of text, or an object "certificate".
void mw_parts_print(const mw_model *m);
void mw_parts_json(const mw_model *m, mw_json *j);

#endif
