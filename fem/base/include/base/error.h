// SPDX-License-Identifier: BSD-3-Clause
// error.h: what can go wrong, and where the user must look.
#ifndef MW_BASE_ERROR_H
#define MW_BASE_ERROR_H

#include "base/api.h"

MW_API_BEGIN

#if defined(__GNUC__)
#define MW_MUST_USE          __attribute__((warn_unused_result))
#define MW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MW_MUST_USE
#define MW_PRINTF(fmt, args)
#endif

typedef enum mw_code {
  MW_OK = 0,
  MW_ERR_INPUT,    // the user's input is wrong: exit status 2
  MW_ERR_MEMORY,   // an allocation failed
  MW_ERR_IO,       // a file cannot be read or written
  MW_ERR_NUMERIC,  // singular, not converged, not finite
  MW_ERR_RANGE     // a coordinate outside its grid, a deflection above its limit
} mw_code;

// A place in the user's input. file NULL: no input is to blame; line or col 0: unknown.
typedef struct mw_at {
  const char *file;
  int line, col;
} mw_at;

typedef struct mw_error {
  mw_code code;
  char file[192];  // the user's input, "" if none is to blame
  int line, col;   // 1-based in that file, 0 = unknown
  char msg[512];   // found, expected, unit; one sentence, no trailing newline
} mw_error;

// Fills err (may be NULL) and returns code, so that a function can `return mw_fail(...)`.
mw_code mw_fail(mw_error *err, mw_code code, mw_at at, const char *fmt, ...) MW_PRINTF(4, 5);

// No place in an input: for numerical failures, memory and files.
#define MW_NOWHERE ((mw_at){ 0 })

// Writes "file:line:col: error: msg" (or "modeway: error: msg") with a newline into out [n].
void mw_error_print(const mw_error *err, char *out, int n);

MW_API_END

#endif
