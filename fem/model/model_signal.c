// SPDX-License-Identifier: BSD-3-Clause
// model_signal.c: signals of scenarios, from the YAML forms to mw_signal.
#include <math.h>
#include <string.h>

#include "fem/control.h"
#include "model_priv.h"

static const double TWO_PI = 6.28318530717958647692;

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
                   "table: found %d values for %d times, expected as many", value->n, time->n);
  for (const mw_ynode *e = time->first; e->next; e = e->next)
    if (!(e->next->num > e->num))
      return mw_fail(rd->err, MW_ERR_INPUT, e->next->at,
                     "table: time %g s follows %g s, expected increasing times", e->next->num,
                     e->num);
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

// node: a number, a mapping with one of the signals below, or a move itself (key "move").
mw_code mw_signal_read(mw_reader *rd, const mw_ynode *node, mw_signal *out)
{
  static const char *const kinds[] = { "step",    "sine", "chirp",   "table", "ramp",
                                       "cycloid", "move", "spin_up", NULL };
  mw_signal g = { .at = node->at, .kind = MW_SIGNAL_CONSTANT, .a = node->num };
  int kind = strcmp(node->key->text, "move") == 0 ? 6 : -1;
  const mw_ynode *v = node;
  mw_code rc = MW_OK;
  if (kind < 0 && node->kind == MW_Y_MAP) v = mw_y_one(node, kinds, &kind);
  if (kind == 0)
    g = (mw_signal){ .kind = MW_SIGNAL_STEP, .a = mw_y_num(v, "value"), .t0 = mw_y_num(v, "at") };
  if (kind == 1 || kind == 2) rc = read_wave(rd, v, &g);
  if (kind == 3) rc = read_table(rd, v, &g);
  if (kind == 4)
    g = (mw_signal){ .kind = MW_SIGNAL_RAMP,
                     .a = mw_y_num(v, "from"),
                     .v = mw_y_num(v, "velocity") };
  if (kind == 5) rc = read_cycloid(rd, v, &g);
  if (kind == 6) read_move(v, &g);
  if (kind == 7) rc = read_spin_up(rd, v, &g);
  g.at = node->at;
  if (rc == MW_OK) *out = g;
  return rc;
}

// A prescribed position that jumps asks for an infinite velocity: value from the left and from the
// right of every kink up to `end`, to JUMP of the amplitude. Tables cannot: their times increase.
mw_code mw_signal_check_jump(const mw_reader *rd, const mw_ynode *node, const mw_signal *g,
                             const char *drive, double end)
{
  static const double JUMP = 1e-6;  // an `until` of six digits at a zero of the sine
  if (g->kind != MW_SIGNAL_SINE && g->kind != MW_SIGNAL_CHIRP) return MW_OK;
  static const char *const kinds[] = { "sine", "chirp", NULL };
  double t[2];
  int n = mw_signal_kinks(g, t), kind;
  for (int k = 0; k < n; k++) {
    double before, after;
    if (!(t[k] > 0.0 && t[k] <= end)) continue;
    mw_signal_eval(g, mw_signal_before(t[k]), &before, NULL, NULL);
    mw_signal_eval(g, t[k], &after, NULL, NULL);
    if (fabs(after - before) <= JUMP * fabs(g->a)) continue;
    const mw_ynode *v = mw_y_one(node, kinds, &kind);
    const mw_ynode *at = mw_y_find(v, k == 0 ? "from" : "until");
    return mw_fail(rd->err, MW_ERR_INPUT, at ? at->at : g->at,
                   "drive %.64s: its position jumps from %g to %g at %g s, expected a position "
                   "without jumps: %s where the sine is zero",
                   drive, before, after, t[k], k == 0 ? "begin" : "end");
  }
  return MW_OK;
}

// Value and rate at t = 0, from the right. No signal begins before t = 0.
void mw_signal_start(const mw_signal *g, double *y, double *y_dot)
{
  *y = 0.0;
  *y_dot = 0.0;
  switch (g->kind) {
  case MW_SIGNAL_STEP: *y = g->t0 <= 0.0 ? g->a : 0.0; break;
  case MW_SIGNAL_CONSTANT:
  case MW_SIGNAL_CYCLOID:
  case MW_SIGNAL_SPIN_UP:
  case MW_SIGNAL_MOVE: *y = g->a; break;
  case MW_SIGNAL_RAMP:
    *y = g->a;
    *y_dot = g->v;
    break;
  case MW_SIGNAL_SINE:
  case MW_SIGNAL_CHIRP:
    if (g->t0 > 0.0) break;
    *y = g->a * sin(g->phase);
    *y_dot = g->a * cos(g->phase) * TWO_PI * g->f;
    break;
  case MW_SIGNAL_TABLE: {
    int k = 0;
    while (k < g->n && g->t[k] <= 0.0) k++;
    *y = g->y[k > 0 ? k - 1 : 0];
    if (k == 0 || k == g->n) break;
    *y_dot = (g->y[k] - g->y[k - 1]) / (g->t[k] - g->t[k - 1]);
    *y -= *y_dot * g->t[k - 1];
    break;
  }
  }
}
