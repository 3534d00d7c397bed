// SPDX-License-Identifier: BSD-3-Clause
// model_signal.c: signals of scenarios, from the YAML forms to mw_signal.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/control.h"
#include "model_layer.h"

// Begin and end of a sine or chirp; t1 INFINITY when not given.
static mw_code read_span(const mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  const mw_ynode *until = mw_y_find(v, "until");
  g->t0 = mw_y_num(v, "from");
  g->t1 = until ? until->num : INFINITY;
  if (g->t1 > g->t0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, until->at,
                 "ends at %g s, expected later than its beginning at %g s", g->t1, g->t0);
}

static mw_code read_wave(const mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  const mw_ynode *f = mw_y_find(v, "frequency");
  double both[2] = { f->num, f->num };
  if (f->kind == MW_Y_LIST) mw_y_vec(f, 2, both);
  g->kind = f->kind == MW_Y_LIST ? MW_SIGNAL_CHIRP : MW_SIGNAL_SINE;
  g->a = mw_y_num(v, "amplitude");
  g->phase = mw_y_num(v, "phase");
  g->f = both[0];
  g->f1 = both[1];
  return read_span(rd, v, g);
}

static mw_code read_table(mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  const mw_ynode *time = mw_y_find(v, "time"), *value = mw_y_find(v, "value");
  if (time->n != value->n)
    return mw_fail(rd->err, MW_ERR_INPUT, value->at,
                   "%s: found %d values for %d times, expected as many", v->key->text, value->n,
                   time->n);
  for (const mw_ynode *e = time->first; e->next; e = e->next)
    if (!(e->next->num > e->num))
      return mw_fail(rd->err, MW_ERR_INPUT, e->next->at,
                     "%s: time %g s follows %g s, expected increasing times", v->key->text,
                     e->next->num, e->num);
  double *t = mw_arena_f64(rd->mem, (size_t)time->n), *y = mw_arena_f64(rd->mem, (size_t)time->n);
  if (!t || !y) return mw_arena_check(rd->mem, rd->err);
  mw_y_vec(time, time->n, t);
  mw_y_vec(value, value->n, y);
  g->kind = MW_SIGNAL_TABLE;
  g->n = time->n;
  g->t = t;
  g->y = y;
  return MW_OK;
}

static mw_code read_cycloid(const mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  g->kind = MW_SIGNAL_CYCLOID;
  g->a = mw_y_num(v, "from");
  g->b = mw_y_num(v, "to") - g->a;
  g->t0 = mw_y_num(v, "start");
  g->t1 = mw_y_num(v, "end");
  if (g->t1 > g->t0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(v, "end")->at,
                 "cycloid ends at %g s, expected later than its start at %g s", g->t1, g->t0);
}

static mw_code read_spin_up(const mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  g->kind = MW_SIGNAL_SPIN_UP;
  g->a = mw_y_num(v, "from");
  g->v = mw_y_num(v, "rate");
  g->t0 = mw_y_num(v, "start");
  g->t1 = mw_y_num(v, "end");
  if (g->t1 > g->t0) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, mw_y_find(v, "end")->at,
                 "spin_up ends at %g s, expected later than its start at %g s", g->t1, g->t0);
}

// a is NaN when the file leaves `from` to the scenario's start.
static void read_move(const mw_ynode *v, mw_signal *g)
{
  g->kind = MW_SIGNAL_MOVE;
  g->a = mw_y_find(v, "from") ? mw_y_num(v, "from") : NAN;
  g->b = mw_y_num(v, "to");
  g->t0 = mw_y_num(v, "start");
  g->v = mw_y_num(v, "max_velocity");
  g->acc = mw_y_num(v, "max_acceleration");
  g->jerk = mw_y_num(v, "max_jerk");
}

static mw_code read_spline(mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  mw_code rc = read_table(rd, v, g);
  if (rc != MW_OK) return rc;
  return mw_signal_spline(g->n, g->t, g->y, strcmp(mw_y_find(v, "ends")->text, "rest") == 0,
                          rd->mem, g, rd->err);
}

// Its parameters are values already.
static bool no_parameter(const void *ctx, const char *name, int n, double *value,
                         char why[MW_EXPR_WHY])
{
  (void)ctx;
  *value = 0.0;
  snprintf(why, MW_EXPR_WHY, "found no parameter %.*s", n > 64 ? 64 : n, name);
  return false;
}

static mw_code read_parts(mw_reader *rd, const mw_ynode *v, mw_signal *g)
{
  mw_signal *part = NULL;
  mw_code rc = MW_NEW(rd, part, v->n);
  g->part = part;
  for (const mw_ynode *e = v->first; e && rc == MW_OK; e = e->next) {
    rc = mw_signal_read(rd, e, &part[g->n++]);
    if (rc == MW_OK && isnan(part[g->n - 1].a))
      rc = mw_fail(rd->err, MW_ERR_INPUT, e->at,
                   "%s: found a move without from, expected from: where the scenario starts is the "
                   "start of all parts together",
                   v->key->text);
  }
  return rc;
}

enum { STEP, SINE, CHIRP, TABLE, RAMP, CYCLOID, MOVE, SPIN_UP, SPLINE, EXPR, SUM, PRODUCT };
static const char *const kinds[] = { "step",    "sine",    "chirp",   "table",  "ramp",
                                     "cycloid", "move",    "spin_up", "spline", "expression",
                                     "sum",     "product", NULL };

static mw_code read_kind(mw_reader *rd, int kind, const mw_ynode *v, mw_signal *g)
{
  switch (kind) {
  case STEP:
    *g = (mw_signal){ .kind = MW_SIGNAL_STEP, .a = mw_y_num(v, "value"), .t0 = mw_y_num(v, "at") };
    return MW_OK;
  case SINE:
  case CHIRP: return read_wave(rd, v, g);
  case TABLE: return read_table(rd, v, g);
  case RAMP:
    g->kind = MW_SIGNAL_RAMP;
    g->a = mw_y_num(v, "from");
    g->v = mw_y_num(v, "velocity");
    return MW_OK;
  case CYCLOID: return read_cycloid(rd, v, g);
  case MOVE: read_move(v, g); return MW_OK;
  case SPIN_UP: return read_spin_up(rd, v, g);
  case SPLINE: return read_spline(rd, v, g);
  case EXPR:
    g->kind = MW_SIGNAL_EXPRESSION;
    return mw_expr_read(v->text, true, v->at, no_parameter, NULL, rd->mem, &g->expr, rd->err);
  case SUM:
  case PRODUCT:
    g->kind = kind == SUM ? MW_SIGNAL_SUM : MW_SIGNAL_PRODUCT;
    return read_parts(rd, v, g);
  default:
    g->kind = MW_SIGNAL_CONSTANT;
    g->a = v->num;
    return MW_OK;
  }
}

// node: a number, a mapping with one of the signals above, or a move itself (key "move").
mw_code mw_signal_read(mw_reader *rd, const mw_ynode *node, mw_signal *out)
{
  mw_signal g = { 0 };
  int kind = node->key && strcmp(node->key->text, "move") == 0 ? MOVE : -1;
  const mw_ynode *v = node;
  if (kind < 0 && node->kind == MW_Y_MAP) v = mw_y_one(node, kinds, &kind);
  mw_code rc = read_kind(rd, kind, v, &g);
  g.at = node->at;
  if (rc == MW_OK) *out = g;
  return rc;
}

mw_code mw_signal_check_finite(const mw_reader *rd, const mw_signal *g, double step, double end)
{
  enum { MOST = 4000 };
  double n = fmin(ceil(end / step), MOST);
  for (int k = 0; k <= (int)n; k++) {
    double t = end * k / n, y[3];
    mw_signal_eval(g, t, &y[0], &y[1], &y[2]);
    if (isfinite(y[0]) && isfinite(y[1]) && isfinite(y[2])) continue;
    return mw_fail(rd->err, MW_ERR_INPUT, g->at,
                   "the %s is not finite at %g s, expected a signal whose value, rate and "
                   "acceleration are finite throughout the run",
                   !isfinite(y[0])   ? "signal"
                   : !isfinite(y[1]) ? "signal's rate"
                                     : "signal's second derivative",
                   t);
  }
  return MW_OK;
}

// A prescribed position that jumps asks for an infinite velocity: value from the left and from the
// right of every kink up to `end`, to JUMP of the amplitude. Tables cannot: their times increase.
mw_code mw_signal_check_jump(const mw_reader *rd, const mw_ynode *node, const mw_signal *g,
                             const char *drive, double end)
{
  static const double JUMP = 1e-6;  // an `until` of six digits at a zero of the sine
  double t[2];
  int n = g->kind == MW_SIGNAL_SINE || g->kind == MW_SIGNAL_CHIRP ? mw_signal_kinks(g, t) : 0, kind;
  const mw_ynode *v = node->kind == MW_Y_MAP ? mw_y_one(node, kinds, &kind) : NULL,
                 *e = g->part && v ? v->first : NULL;
  mw_code rc = MW_OK;
  for (int k = 0; k < n; k++) {
    double before, after;
    if (!(t[k] > 0.0 && t[k] <= end)) continue;
    mw_signal_eval(g, mw_signal_before(t[k]), &before, NULL, NULL);
    mw_signal_eval(g, t[k], &after, NULL, NULL);
    if (fabs(after - before) <= JUMP * fabs(g->a)) continue;
    const mw_ynode *at = mw_y_find(v, k == 0 ? "from" : "until");
    return mw_fail(rd->err, MW_ERR_INPUT, at ? at->at : g->at,
                   "drive %.64s: its position jumps from %g to %g at %g s, expected a position "
                   "without jumps: %s where the sine is zero",
                   drive, before, after, t[k], k == 0 ? "begin" : "end");
  }
  for (int k = 0; e && rc == MW_OK; e = e->next, k++)
    rc = mw_signal_check_jump(rd, e, &g->part[k], drive, end);
  return rc;
}
