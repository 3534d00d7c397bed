// SPDX-License-Identifier: BSD-3-Clause
// error.c: filling and printing an mw_error.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mw_code mw_fail(mw_error *err, mw_code code, mw_at at, const char *fmt, ...)
{
  if (!err) return code;
  // the message first: fmt's arguments may point into *err itself
  char msg[sizeof err->msg], file[sizeof err->file];
  va_list args;
  va_start(args, fmt);
  vsnprintf(msg, sizeof msg, fmt, args);
  va_end(args);
  snprintf(file, sizeof file, "%s", at.file ? at.file : "");
  memcpy(err->msg, msg, sizeof msg);
  memcpy(err->file, file, sizeof file);
  err->code = code;
  err->line = at.line;
  err->col = at.col;
  return code;
}

void mw_error_print(const mw_error *err, char *out, int n)
{
  if (n <= 0) return;
  size_t size = (size_t)n;
  if (!err->file[0])
    snprintf(out, size, "modeway: error: %s\n", err->msg);
  else if (err->line <= 0)
    snprintf(out, size, "%s: error: %s\n", err->file, err->msg);
  else if (err->col <= 0)
    snprintf(out, size, "%s:%d: error: %s\n", err->file, err->line, err->msg);
  else
    snprintf(out, size, "%s:%d:%d: error: %s\n", err->file, err->line, err->col, err->msg);
  // cut off: end with the newline all the same
  if (size >= 2 && strlen(out) == size - 1) out[size - 2] = '\n';
}
