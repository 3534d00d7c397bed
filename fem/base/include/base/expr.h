// SPDX-License-Identifier: BSD-3-Clause
// expr.h: arithmetic written as text, of numbers, of named values and, where it is asked for, of
// time; its value with exact first and second derivatives.
#ifndef MW_BASE_EXPR_H
#define MW_BASE_EXPR_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

typedef struct mw_expr_op {  // of a stack machine
  unsigned char code;
  double num;  // a constant's value
} mw_expr_op;

typedef struct mw_expr {  // {0}: nothing, its value is 0
  int n;
  const mw_expr_op *op;  // [n]
} mw_expr;

enum { MW_EXPR_WHY = 160 };
// Value of $name, n its length; false: it has none, why says so, "found .., expected ..".
typedef bool mw_expr_find(const void *ctx, const char *name, int n, double *value,
                          char why[MW_EXPR_WHY]);

// Reads text: numbers as in C, $names, pi, + - * / ^ ( ), sin cos tan asin acos atan sinh cosh tanh
// exp log sqrt, and abs min max of what does not depend on time. time: t may stand in it. at: of
// the first character, messages count from there. Memory from mem; find is asked while reading.
MW_MUST_USE mw_code mw_expr_read(const char *text, bool time, mw_at at, mw_expr_find *find,
                                 const void *ctx, mw_arena *mem, mw_expr *out, mw_error *err);

// y [3]: value, rate and second derivative at t. What is not finite is left so.
void mw_expr_eval(const mw_expr *e, double t, double y[3]);

MW_API_END

#endif
