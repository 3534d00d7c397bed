// SPDX-License-Identifier: BSD-3-Clause
// expr.c: arithmetic as text, to operations of a stack machine on triples (u, u', u'').
//
//   sum     = product { (+ | -) product }        product = sign { (* | /) sign }
//   sign    = (+ | -) sign | power               power   = atom [ ^ sign ]
//   atom    = number | $name | pi | t | function ( sum { , sum } ) | ( sum )
//
// Triples are Taylor coefficients in time, so that derivatives are those of the formula, to
// rounding:
//   (uv)'' = u''v + 2u'v' + uv''     f(u)' = f'u'     f(u)'' = f''u'² + f'u''
// What bends or jumps (abs, min, max) is taken of constants alone: steps of a run may only end at
// instants that are known.
#include "base/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OP = 256, MAX_DEPTH = 32 };

typedef enum code {
  CONSTANT,
  TIME,
  ADD,
  SUB,
  MUL,
  DIV,
  POW,
  NEG,
  SIN,
  COS,
  TAN,
  ASIN,
  ACOS,
  ATAN,
  SINH,
  COSH,
  TANH,
  EXP,
  LOG,
  SQRT,
  ABS,
  MIN,
  MAX
} code;

static const struct {
  const char *name;
  code code;
  int n;  // arguments
} functions[] = {
  { "sin", SIN, 1 },   { "cos", COS, 1 },   { "tan", TAN, 1 },   { "asin", ASIN, 1 },
  { "acos", ACOS, 1 }, { "atan", ATAN, 1 }, { "sinh", SINH, 1 }, { "cosh", COSH, 1 },
  { "tanh", TANH, 1 }, { "exp", EXP, 1 },   { "log", LOG, 1 },   { "sqrt", SQRT, 1 },
  { "abs", ABS, 1 },   { "min", MIN, 2 },   { "max", MAX, 2 },
};
enum { N_FUNCTION = sizeof functions / sizeof *functions };

typedef struct reader {
  const char *text, *p;
  bool time;
  mw_at at;
  mw_expr_find *find;
  const void *ctx;
  mw_error *err;
  int n, nested, held, most;  // operations; parentheses; on the stack, at most
  mw_expr_op op[MAX_OP];
} reader;

// ---- reading ------------------------------------------------------------------------------------

static mw_at place(const reader *r, const char *p)
{
  mw_at at = r->at;
  for (const char *c = r->text; c < p; c++)
    if (((unsigned char)*c & 0xC0) != 0x80) at.col++;  // characters, not bytes
  return at;
}

static void skip(reader *r)
{
  while (*r->p == ' ' || *r->p == '\n') r->p++;
}

static mw_code unexpected(const reader *r, const char *expected)
{
  if (*r->p == '\0')
    return mw_fail(r->err, MW_ERR_INPUT, place(r, r->p),
                   "the expression \"%.64s\" ends, expected %s", r->text, expected);
  return mw_fail(r->err, MW_ERR_INPUT, place(r, r->p),
                 "found \"%.16s\" in an expression, expected %s", r->p, expected);
}

// pops: what it takes off the stack, before its result is put there
static mw_code put(reader *r, code what, double num, int pops)
{
  if (r->n == MAX_OP || r->held - pops == MAX_DEPTH)
    return mw_fail(r->err, MW_ERR_INPUT, r->at,
                   "the expression \"%.64s\" is too long, expected at most %d operations, %d of "
                   "them waiting for each other",
                   r->text, MAX_OP, MAX_DEPTH);
  r->op[r->n++] = (mw_expr_op){ (unsigned char)what, num };
  r->held += 1 - pops;
  return MW_OK;
}

static mw_code read_sum(reader *r, bool *varies);
static mw_code read_sign(reader *r, bool *varies);

static mw_code read_number(reader *r)
{
  char *end;
  if (r->p[0] == '0' && (r->p[1] == 'x' || r->p[1] == 'X'))
    return unexpected(r, "a decimal number");
  double x = strtod(r->p, &end);
  if (!isfinite(x)) return unexpected(r, "a number that is not so large");
  r->p = end;
  return put(r, CONSTANT, x, 0);
}

static int name_length(const char *p)
{
  int n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
  return isdigit((unsigned char)*p) ? 0 : n;
}

static mw_code read_value(reader *r)
{
  const char *name = r->p + 1;
  char why[MW_EXPR_WHY] = "";
  int n = name_length(name);
  double x = 0.0;
  if (n == 0) {
    r->p = name;
    return unexpected(r, "the name of a parameter behind $");
  }
  if (!r->find(r->ctx, name, n, &x, why))
    return mw_fail(r->err, MW_ERR_INPUT, place(r, r->p), "%s", why);
  r->p = name + n;
  return put(r, CONSTANT, x, 0);
}

static mw_code read_function(reader *r, const char *name, int k, bool *varies)
{
  mw_code rc = MW_OK;
  r->p++;  // the parenthesis
  for (int i = 0; rc == MW_OK && i < functions[k].n; i++) {
    skip(r);
    if (i > 0 && *r->p != ',') return unexpected(r, "a comma and a second value");
    if (i > 0) r->p++;
    rc = read_sum(r, varies);
  }
  if (rc != MW_OK) return rc;
  skip(r);
  if (*r->p != ')') return unexpected(r, "an operation or )");
  r->p++;
  if (*varies && functions[k].code >= ABS)
    return mw_fail(r->err, MW_ERR_INPUT, place(r, name),
                   "found %s of what depends on t, which bends at instants nobody knows, expected "
                   "smooth functions; table, step and product say where they bend",
                   functions[k].name);
  return put(r, functions[k].code, 0.0, functions[k].n);
}

static mw_code read_name(reader *r, bool *varies)
{
  static const double PI = 3.14159265358979323846;
  const char *name = r->p;
  int n = name_length(name), k = 0;
  r->p += n;
  skip(r);
  if (*r->p == '(') {
    while (k < N_FUNCTION && !(strlen(functions[k].name) == (size_t)n &&
                               memcmp(functions[k].name, name, (size_t)n) == 0))
      k++;
    if (k < N_FUNCTION) return read_function(r, name, k, varies);
  }
  if (n == 2 && memcmp(name, "pi", 2) == 0) return put(r, CONSTANT, PI, 0);
  if (n == 1 && *name == 't' && r->time) {
    *varies = true;
    return put(r, TIME, 0.0, 0);
  }
  r->p = name;
  if (n == 1 && *name == 't')
    return unexpected(r, "no time: t stands in the expressions of signals alone");
  return unexpected(r, r->time ? "a number, $parameter, t, pi or sin cos tan asin acos atan sinh "
                                 "cosh tanh exp log sqrt abs min max with ( behind it"
                               : "a number, $parameter, pi or sin cos tan asin acos atan sinh "
                                 "cosh tanh exp log sqrt abs min max with ( behind it");
}

static mw_code read_atom(reader *r, bool *varies)
{
  skip(r);
  if (isdigit((unsigned char)*r->p) || (*r->p == '.' && isdigit((unsigned char)r->p[1])))
    return read_number(r);
  if (*r->p == '$') return read_value(r);
  if (name_length(r->p) > 0) return read_name(r, varies);
  if (*r->p != '(') return unexpected(r, "a number, a name or (");
  r->p++;
  mw_code rc = read_sum(r, varies);
  if (rc != MW_OK) return rc;
  skip(r);
  if (*r->p != ')') return unexpected(r, "an operation or )");
  r->p++;
  return MW_OK;
}

static mw_code read_power(reader *r, bool *varies)
{
  mw_code rc = read_atom(r, varies);
  if (rc != MW_OK) return rc;
  skip(r);
  if (*r->p != '^') return MW_OK;
  r->p++;
  rc = read_sign(r, varies);
  return rc == MW_OK ? put(r, POW, 0.0, 2) : rc;
}

// The one place that all nesting passes through.
static mw_code read_sign(reader *r, bool *varies)
{
  if (++r->nested > MAX_DEPTH)
    return mw_fail(r->err, MW_ERR_INPUT, place(r, r->p), "nested deeper than %d levels", MAX_DEPTH);
  skip(r);
  bool minus = *r->p == '-', sign = minus || *r->p == '+';
  if (sign) r->p++;
  mw_code rc = sign ? read_sign(r, varies) : read_power(r, varies);
  if (rc == MW_OK && minus) rc = put(r, NEG, 0.0, 1);
  r->nested--;
  return rc;
}

static mw_code read_product(reader *r, bool *varies)
{
  mw_code rc = read_sign(r, varies);
  for (skip(r); rc == MW_OK && (*r->p == '*' || *r->p == '/'); skip(r)) {
    code what = *r->p++ == '*' ? MUL : DIV;
    rc = read_sign(r, varies);
    if (rc == MW_OK) rc = put(r, what, 0.0, 2);
  }
  return rc;
}

static mw_code read_sum(reader *r, bool *varies)
{
  mw_code rc = read_product(r, varies);
  for (skip(r); rc == MW_OK && (*r->p == '+' || *r->p == '-'); skip(r)) {
    code what = *r->p++ == '+' ? ADD : SUB;
    rc = read_product(r, varies);
    if (rc == MW_OK) rc = put(r, what, 0.0, 2);
  }
  return rc;
}

mw_code mw_expr_read(const char *text, bool time, mw_at at, mw_expr_find *find, const void *ctx,
                     mw_arena *mem, mw_expr *out, mw_error *err)
{
  bool varies = false;
  reader r = {
    .text = text, .p = text, .time = time, .at = at, .find = find, .ctx = ctx, .err = err
  };
  mw_code rc = read_sum(&r, &varies);
  if (rc == MW_OK && *r.p != '\0') rc = unexpected(&r, "an operation");
  if (rc != MW_OK) return rc;
  mw_expr_op *op = mw_arena_alloc(mem, (size_t)r.n, sizeof *op);
  if (!op) return mw_arena_check(mem, err);
  memcpy(op, r.op, (size_t)r.n * sizeof *op);
  *out = (mw_expr){ r.n, op };
  return MW_OK;
}

// ---- values -------------------------------------------------------------------------------------

// f(u) of value, slope and curvature f [3] over u, in its place. What does not move stays at rest,
// whatever the slope.
static void compose(const double f[3], double u[3])
{
  bool rest = u[1] == 0.0 && u[2] == 0.0;
  u[0] = f[0];
  u[2] = rest ? 0.0 : f[2] * u[1] * u[1] + f[1] * u[2];
  u[1] = rest ? 0.0 : f[1] * u[1];
}

// u^c, a constant c: no power of zero below what a derivative needs
static void power(double c, double u[3])
{
  double f[3] = { pow(u[0], c), c == 0.0 ? 0.0 : c * pow(u[0], c - 1.0),
                  c == 0.0 || c == 1.0 ? 0.0 : c * (c - 1.0) * pow(u[0], c - 2.0) };
  compose(f, u);
}

static void multiply(double u[3], const double v[3])
{
  u[2] = u[2] * v[0] + 2.0 * u[1] * v[1] + u[0] * v[2];
  u[1] = u[1] * v[0] + u[0] * v[1];
  u[0] *= v[0];
}

static void logarithm(double u[3])
{
  double x = u[0];
  compose((double[]){ log(x), 1.0 / x, -1.0 / (x * x) }, u);
}

static void exponential(double u[3])
{
  double f = exp(u[0]);
  compose((double[]){ f, f, f }, u);
}

// u and v of two, the result in u
static void combine(code what, double u[3], const double v[3])
{
  double w[3] = { v[0], v[1], v[2] };
  switch (what) {
  case ADD:
    for (int i = 0; i < 3; i++) u[i] += v[i];
    return;
  case SUB:
    for (int i = 0; i < 3; i++) u[i] -= v[i];
    return;
  case MUL: multiply(u, v); return;
  case DIV:  // (u/v)' = (u' − (u/v) v')/v and so on
    u[0] /= v[0];
    u[1] = (u[1] - u[0] * v[1]) / v[0];
    u[2] = (u[2] - 2.0 * u[1] * v[1] - u[0] * v[2]) / v[0];
    return;
  case POW:
    if (v[1] == 0.0 && v[2] == 0.0) {
      power(v[0], u);
      return;
    }
    logarithm(u);  // u^v = exp(v log u)
    multiply(w, u);
    exponential(w);
    memcpy(u, w, sizeof w);
    return;
  case MIN: u[0] = fmin(u[0], v[0]); return;
  default: u[0] = fmax(u[0], v[0]); return;
  }
}

static void apply(code what, double u[3])
{
  double x = u[0], f = 0.0, q = 0.0;
  switch (what) {
  case NEG: compose((double[]){ -x, -1.0, 0.0 }, u); return;
  case SIN: compose((double[]){ sin(x), cos(x), -sin(x) }, u); return;
  case COS: compose((double[]){ cos(x), -sin(x), -cos(x) }, u); return;
  case TAN:
    f = tan(x);
    q = 1.0 + f * f;
    compose((double[]){ f, q, 2.0 * f * q }, u);
    return;
  case ASIN:
  case ACOS:
    q = 1.0 / sqrt((1.0 - x) * (1.0 + x));
    if (what == ACOS) q = -q;
    compose((double[]){ what == ASIN ? asin(x) : acos(x), q, x * q / ((1.0 - x) * (1.0 + x)) }, u);
    return;
  case ATAN:
    q = 1.0 / (1.0 + x * x);
    compose((double[]){ atan(x), q, -2.0 * x * q * q }, u);
    return;
  case SINH: compose((double[]){ sinh(x), cosh(x), sinh(x) }, u); return;
  case COSH: compose((double[]){ cosh(x), sinh(x), cosh(x) }, u); return;
  case TANH:
    f = tanh(x);
    q = 1.0 / (cosh(x) * cosh(x));
    compose((double[]){ f, q, -2.0 * f * q }, u);
    return;
  case EXP: exponential(u); return;
  case LOG: logarithm(u); return;
  case SQRT:
    f = sqrt(x);
    compose((double[]){ f, 0.5 / f, -0.25 / (f * x) }, u);
    return;
  default: u[0] = fabs(x); return;
  }
}

void mw_expr_eval(const mw_expr *e, double t, double y[3])
{
  double stack[MAX_DEPTH][3] = { { 0.0 } };
  int n = 0;
  for (int k = 0; k < e->n; k++) {
    const mw_expr_op *op = &e->op[k];
    code what = (code)op->code;
    if (what <= TIME) {
      stack[n][0] = what == TIME ? t : op->num;
      stack[n][1] = what == TIME ? 1.0 : 0.0;
      stack[n++][2] = 0.0;
    } else if (what <= POW || what >= MIN) {
      combine(what, stack[n - 2], stack[n - 1]);
      n--;
    } else {
      apply(what, stack[n - 1]);
    }
  }
  memcpy(y, stack[0], sizeof stack[0]);
}
