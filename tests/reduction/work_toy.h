// SPDX-License-Identifier: BSD-3-Clause
// work_toy.h: units of work for tests, done by test_work itself, by work_worker or by ranks.
#ifndef MW_WORK_TOY_H
#define MW_WORK_TOY_H

#include "reduction/work.h"

// Arguments of all: x (int), then a path (text, to the end of the arguments) of a log that gets a
// line "x" each time a unit is begun.
enum {
  TOY_PLAIN,   // TOY_RESULT doubles that depend on x
  TOY_FAILS,   // says that x is wrong, at line x of toy.yaml
  TOY_DIES,    // kills its process
  TOY_FRAIL,   // kills its process the first time, then as TOY_PLAIN
  TOY_PRINTS,  // as TOY_PLAIN, and prints a page on standard output
  TOY_LARGE,   // 40 MB that depend on x
  TOY_EXITS,   // ends its process with status 3
  TOY_SLOW,    // as TOY_PLAIN, in 20 ms
  TOY_LONG     // as TOY_PLAIN, in 60 s
};
enum { TOY_RESULT = 1000, TOY_LARGE_BYTES = 40000000 };

mw_code toy_unit(void *ctx, int kind, const unsigned char *args, size_t n_args, mw_bytes *result,
                 mw_error *err);
// n units x = 0 … n − 1 of one kind; path may be NULL. Release with toy_free.
mw_unit *toy_units(int n, int kind, const char *path);
void toy_free(int n, mw_unit *u);

#endif
