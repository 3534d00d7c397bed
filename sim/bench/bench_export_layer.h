// SPDX-License-Identifier: BSD-3-Clause
// bench_export_layer.h: what the calls of a reduced model cost where its exported C runs:
// operations, flash, stack and work memory.
#ifndef MW_SIM_BENCH_EXPORT_LAYER_H
#define MW_SIM_BENCH_EXPORT_LAYER_H

#include "base/json.h"
#include "bench_count_priv.h"
#include "export/export_layer.h"

// Calls of NAME.h: rhs, step, jacobian, step_sens are counted, outputs and outputs_jacobian have
// stack alone.
enum { MW_BENCH_CALLS = 6, MW_BENCH_COUNTED = 4, MW_BENCH_TARGETS = 4 };

// Operations of a call, the least and the most of them at any of the states.
typedef struct mw_bench_range {
  mw_flops least, most;
} mw_bench_range;

// NAME.c as a compiler made it for a processor.
typedef struct mw_bench_object {
  const char *processor;
  const char *compiler;  // the one that was run; NULL: there is none here
  bool failed;           // the compiler did not take the sources
  bool single;
  long flash, ram;             // bytes of code, constants and data; of data alone
  long stack[MW_BENCH_CALLS];  // bytes of the deepest chain of calls, -1: without bound
  const char *outside;         // functions besides NAME.c whose stack is not in it, "": none
} mw_bench_object;

typedef struct mw_bench_export {
  const char *name;  // prefix of the calls
  int s;             // coordinates
  int n_state;       // states at which calls are counted
  double h;          // s, of a step
  bool single;
  size_t work, sens;  // reals of work, as NAME.h says
  mw_bench_range call[MW_BENCH_COUNTED];
  int n_object;  // 0: not compiled
  mw_bench_object object[MW_BENCH_TARGETS];
} mw_bench_export;

const char *mw_bench_export_call(int k);  // "rhs"

// Counts the calls at states spread over the model's range, both ends of each coordinate included;
// strings are of mem. MW_ERR_NUMERIC: the model fails at all of them.
MW_MUST_USE mw_code mw_bench_export_count(const mw_rom_file *rom, const char *name,
                                          const mw_kept *kept, mw_arena *mem, mw_bench_export *out,
                                          mw_error *err);
// Compiles dir/NAME.c for each processor that there is a gcc for, or for one of that name alone;
// bench_object.c.
MW_MUST_USE mw_code mw_bench_export_compile(const char *dir, const char *only, mw_arena *mem,
                                            mw_bench_export *b, mw_error *err);
// The table, as Markdown.
void mw_bench_export_print(const mw_bench_export *b, FILE *f);
// The same as an object, a member of the one that is open.
void mw_bench_export_json(const mw_bench_export *b, mw_json *j);

#endif
