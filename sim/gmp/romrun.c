// SPDX-License-Identifier: BSD-3-Clause
// romrun.c: simulation of the reduced model, with the same drives and the same stored instants as
// the full one.
//
// A step of length h from t (mid-point rule; with friction or stops the exponential one) sees
// constant inputs: forces at t + h/2, controllers as sampled and held. Where a force has a kink or
// a controller is sampled within a step, it is taken in parts that end there. A coordinate of theta
// that a scenario prescribes gets the acceleration
//   a = ½ (2 (r(t+h) − θ − h θ̇) / h²  +  (ṙ(t+h) − θ̇) / h)                                    (1)
// The first term alone would meet the position at t + h and let an error of the rate alternate for
// ever, the second alone would let an error of the position stand; their mean takes both to zero in
// two steps (both eigenvalues of the error's recursion are 0). The force of a prescribed drive is
// what the equations of motion, affine in it, ask for:
//   u = a θ̈ + B δ̈ − (the rest of θ's equations) ,  θ̈ = r̈                                    (2)
// Work is the trapezoid of force times rate less that of the dissipated power.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/control.h"
#include "fem/output.h"
#include "romrun_priv.h"

// Relative error of the mid-point rates at which a step ends: at most, and at least: above
// rounding.
// The first lies below what the balance of energy can show (tests/bench/bench_energy.c prints the
// same first digits at 1e-12).
static const double STEP_TOL = 1e-8, LEAST_TOL = 1e-12;

static int field_index(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

// ---- setup --------------------------------------------------------------------------------------

static mw_code find_fields(mw_rom_sim *q, mw_error *err)
{
  char name[256];
  const mw_model *m = q->model;
  int rows = mw_output_row(m, m->n_output), nc = q->mech->n_coord;
  int *out = mw_arena_int(&q->mem, (size_t)rows), *coord = mw_arena_int(&q->mem, (size_t)nc);
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc != MW_OK) return rc;
  for (int o = 0, k = 0; o < m->n_output; o++)
    for (int i = 0; i < mw_output_width(&m->output[o]); i++, k++) {
      snprintf(name, sizeof name, "%s.%s", m->output[o].name, mw_output_axis(&m->output[o], i));
      out[k] = field_index(q->file, name);
      if (out[k] < 0)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the reduced model has no field %s", name);
    }
  for (int c = 0; c < nc; c++) {
    snprintf(name, sizeof name, "s:%s", mw_mech_coord_name(q->mech, c));
    coord[c] = field_index(q->file, name);
  }
  q->y_out = out;
  q->y_coord = coord;
  if (q->rom->n_u != q->model->n_drive)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the reduced model has %d inputs, the model %d drives", q->rom->n_u,
                   q->model->n_drive);
  return MW_OK;
}

int mw_rom_sim_theta(const mw_rom_sim *q, int coord)
{
  for (int i = 0; i < q->rom->s; i++)
    if (strcmp(q->file->coordinate[i], mw_mech_coord_name(q->mech, coord)) == 0) return i;
  return -1;
}

// Which coordinates of theta are prescribed.
static mw_code find_prescribed(mw_rom_sim *q, mw_error *err)
{
  for (int i = 0; i < q->rom->s; i++) q->theta_drive[i] = -1;
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    if (a->kind != MW_ACTION_POSITION) continue;
    int joint = q->model->drive[a->drive].joint;
    int i = joint >= 0 && q->mech->joint[joint].coord >= 0
                ? mw_rom_sim_theta(q, q->mech->joint[joint].coord)
                : -1;
    if (i < 0)
      return mw_fail(
          err, MW_ERR_INPUT, a->at,
          "drive %s prescribes a position, but its coordinate is not one of the reduction; "
          "the reduced model can only control it",
          q->model->drive[a->drive].name);
    q->theta_drive[i] = a->drive;
    q->opt.prescribed |= 1u << i;
  }
  return MW_OK;
}

static mw_code allocate(mw_rom_sim *q, mw_error *err)
{
  size_t n = (size_t)(q->rom->s + q->rom->m), nu = (size_t)q->rom->n_u, ny = (size_t)q->rom->n_y;
  q->x = mw_arena_f64(&q->mem, 2 * n);
  q->kept = mw_arena_f64(&q->mem, 2 * n);
  q->coord = mw_arena_f64(&q->mem, (size_t)q->mech->n_coord);
  q->limit = mw_arena_alloc(&q->mem, (size_t)q->mech->n_coord, sizeof *q->limit);
  q->acc = mw_arena_f64(&q->mem, n);
  q->u = mw_arena_f64(&q->mem, nu);
  q->y = mw_arena_f64(&q->mem, ny);
  q->y_dot = mw_arena_f64(&q->mem, ny);
  q->work = mw_arena_alloc(&q->mem, mw_rom_work_bytes(q->rom), 1);
  q->work_sens = mw_arena_alloc(&q->mem, mw_rom_sens_bytes(q->rom), 1);
  return mw_arena_check(&q->mem, err);
}

// What is not finite: index counts through x, u, thdd_p.
static mw_code explain_nan(const mw_rom_sim *q, int k, double t, mw_error *err)
{
  int s = q->rom->s, n = s + q->rom->m, at = k < 2 * n ? k % n : -1;
  const char *part = k < n ? "" : "the rate of ";
  if (k >= 2 * n && k < 2 * n + q->rom->n_u)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "at t = %.6g s input %s is not finite", t,
                   q->file->input[k - 2 * n]);
  if (at < 0)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s a prescribed acceleration is not finite", t);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s %s%s %s is no longer finite: the motion diverged", t, part,
                 at < s ? "coordinate" : "the amplitude of",
                 at < s ? q->file->coordinate[at] : q->file->column[at - s]);
}

// The unknown that is farthest off: not finite, or the largest of its kind; its name into text.
static double worst(const mw_rom_sim *q, char text[160])
{
  int s = q->rom->s, n = s + q->rom->m, at = 0;
  for (int i = 0; i < 2 * n; i++)
    if (!(fabs(q->x[i]) <= fabs(q->x[at]))) {
      at = i;
      if (!isfinite(q->x[i])) break;
    }
  int i = at % n;
  snprintf(text, 160, "%s%s %.100s", at < n ? "" : "the rate of ",
           i < s ? "coordinate" : "the amplitude of",
           i < s ? q->file->coordinate[i] : q->file->column[i - s]);
  return q->x[at];
}

// Does the scenario prescribe the position of the coordinate that drive d moves?
static bool prescribed(const mw_rom_sim *q, int d)
{
  bool any = false;
  for (int i = 0; i < q->rom->s; i++) any = any || q->theta_drive[i] == d;
  return any;
}

mw_code mw_rom_sim_explain(const mw_rom_sim *q, mw_rom_code code, const mw_rom_info *info, double t,
                           mw_error *err)
{
  int i = info->index;
  char name[160];
  double x;
  switch (code) {
  case MW_ROM_OK: return MW_OK;
  case MW_ROM_THETA:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s coordinate %s left the range %g to %g of the reduced model", t,
                   q->file->coordinate[i], q->rom->lo[i], q->rom->hi[i]);
  case MW_ROM_DELTA:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s the amplitude of %s exceeded its limit %g", t, q->file->column[i],
                   q->rom->delta_max[i]);
  case MW_ROM_RATE:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s the rate of coordinate %s exceeded %g, the largest the reduced "
                   "model is meant for",
                   t, q->file->coordinate[i], q->rom->rate_max[i]);
  case MW_ROM_INPUT:
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE,
                   "at t = %.6g s %s %s exceeded %g, the largest the reduced model is meant for", t,
                   prescribed(q, i) ? "the force that holds the prescribed position of" : "input",
                   q->file->input[i], q->rom->u_max[i]);
  case MW_ROM_NAN: return explain_nan(q, i, t, err);
  case MW_ROM_SINGULAR:
    x = worst(q, name);
    if (q->file->light)
      return mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "at t = %.6g s the inertia of the reduced model is singular: hardly any inertia belongs "
          "to %s alone, and "
          "the terms of third order in the deflections, which the model lacks, outweigh it; give "
          "it that of "
          "its motor, prescribe its position, or use path full or body",
          t, q->file->light);
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s the inertia of the reduced model is singular: %s is %.3g", t,
                   name, x);
  case MW_ROM_DIVERGED: break;
  }
  x = worst(q, name);
  if (!isfinite(info->residual))
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s the step did not converge: it left all numbers in iteration %d, "
                   "from where %s is %.3g; a shorter step may help",
                   t, info->iterations, name, x);
  return mw_fail(
      err, MW_ERR_NUMERIC, MW_NOWHERE,
      "at t = %.6g s the step did not converge (%d iterations, residual %.3g): %s is %.3g; "
      "a shorter step may help",
      t, info->iterations, info->residual, name, x);
}

// Limits of the joint coordinates that the model has a field of.
static mw_code find_limits(mw_rom_sim *q, mw_error *err)
{
  static const double SIZE = 1.0;  // m: slack of a side that is alone, 1e-9 of it
  int n = mw_limits_of(q->mech, SIZE, q->limit);
  mw_rom_info info = { 0 };
  q->n_limit = 0;
  for (int i = 0; i < n; i++)
    if (q->y_coord[q->limit[i].coord] >= 0) q->limit[q->n_limit++] = q->limit[i];
  if (q->n_limit == 0) return MW_OK;
  mw_code rc = mw_rom_sim_explain(q, mw_rom_outputs(q->rom, q->x, q->y, NULL, q->work, &info),
                                  &info, 0.0, err);
  for (int c = 0; rc == MW_OK && c < q->mech->n_coord; c++)
    q->coord[c] = q->y_coord[c] >= 0 ? q->y[q->y_coord[c]] : 0.0;
  return rc == MW_OK ? mw_limits_check(q->mech, q->sc, q->limit, q->n_limit, q->coord, err) : rc;
}

// ---- stepping -----------------------------------------------------------------------------------

// Fields at the state, and the coordinates of the drives.
static mw_code look(mw_rom_sim *q, double t, mw_error *err)
{
  mw_rom_info info = { 0 };
  return mw_rom_sim_explain(q, mw_rom_outputs(q->rom, q->x, q->y, q->y_dot, q->work, &info), &info,
                            t, err);
}

void mw_rom_sim_sample(mw_rom_sim *q, double t)
{
  mw_control *c = &q->control;
  for (int d = 0; d < q->rom->n_u; d++) {
    int joint = mw_control_encoder(c, d), f = q->rom->u_field[d];
    c->s[d] = q->y[f];
    c->s_dot[d] = q->y_dot[f];
    if (joint >= 0) f = q->y_coord[q->mech->joint[joint].coord];
    c->e[d] = q->y[f];
    c->e_dot[d] = q->y_dot[f];
  }
  mw_control_sample(c, t);
}

// (1); thdd [s]
static void follow(const mw_rom_sim *q, double t, double *thdd)
{
  int s = q->rom->s;
  double h = q->part;
  const double *th = q->x, *thd = q->x + s + q->rom->m;
  for (int i = 0; i < s; i++) {
    double r[3];
    thdd[i] = 0.0;
    if (q->theta_drive[i] < 0 || !mw_control_prescribed(q->sc, q->theta_drive[i], t + h, r))
      continue;
    thdd[i] = (r[0] - th[i] - h * thd[i]) / (h * h) + 0.5 * (r[1] - thd[i]) / h;
  }
}

// (2): forces of the prescribed drives at the state, put into u: what is missing in their rows of
// the equations of motion. No inertia is solved with that is not solved with in the step.
static mw_code reactions(mw_rom_sim *q, double t, double *u, mw_error *err)
{
  double thdd[MW_ROM_MAX_S] = { 0.0 }, reaction[MW_ROM_MAX_S];
  mw_rom_info info = { 0 };
  bool any = false;
  for (int i = 0; i < q->rom->s; i++) {
    double r[3] = { 0.0 };
    if (q->theta_drive[i] < 0) continue;
    any = true;
    u[q->theta_drive[i]] = 0.0;
    (void)mw_control_prescribed(q->sc, q->theta_drive[i], t, r);
    thdd[i] = r[2];
  }
  if (!any) return MW_OK;
  const mw_rom_outputs_sens out = { .reaction = reaction };
  mw_rom trial = *q->rom;
  trial.u_max = NULL;  // looked at below
  mw_rom_code code =
      mw_rom_outputs_jacobian(&trial, &q->opt, q->x, u, thdd, &out, q->work_sens, &info);
  for (int i = 0; code == MW_ROM_OK && i < q->rom->s; i++) {
    int d = q->theta_drive[i];
    if (d < 0) continue;
    u[d] = reaction[i];
    if (!q->rom->u_max || fabs(u[d]) <= q->rom->u_max[d]) continue;
    code = MW_ROM_INPUT;
    info.index = d;
  }
  return mw_rom_sim_explain(q, code, &info, t, err);
}

// Rows of an output at the state, [width] doubles.
static void put_output(const mw_rom_sim *q, int output, double *y)
{
  int row = mw_output_row(q->model, output);
  for (int i = 0; i < mw_output_width(&q->model->output[output]); i++)
    y[i] = q->y[q->y_out[row + i]];
}

// Stored instant k, at t. The outputs, joint coordinates, forces and energies of the state.
static void store(mw_rom_sim *q, int k, double t, double work, double T, double V, mw_run *r)
{
  size_t no = (size_t)r->n_out, ng = (size_t)r->n_gauge, nc = (size_t)r->n_coord,
         nd = (size_t)r->n_drive, i = (size_t)k;
  r->t[k] = t;
  const double *delta = q->x + q->rom->s, *rate = delta + q->rom->m + q->rom->s;
  mw_reach_look(q->file, delta, t, q->seen);
  mw_swing_look(q->file, delta, rate, t, &q->swing);
  for (size_t o = 0; o < no; o++) put_output(q, r->out[o], r->y + 3 * (i * no + o));
  for (size_t g = 0; g < ng; g++) put_output(q, r->gauge[g], r->stress + 6 * (i * ng + g));
  for (size_t c = 0; c < nc; c++) {
    int f = q->y_coord[c];
    r->s[i * nc + c] = f >= 0 ? q->y[f] : (double)NAN;
    r->s_dot[i * nc + c] = f >= 0 ? q->y_dot[f] : (double)NAN;
  }
  for (size_t d = 0; d < nd; d++) r->force[i * nd + d] = q->u[d];
  r->kinetic[k] = T;
  r->potential[k] = V;
  r->work[k] = work;
  r->residual[k] = NAN;  // the columns keep the joints: nothing is solved for
}

// Forces and rates of the drives and the dissipated power at one end of a step; energies there.
typedef struct end_state {
  double *u, *rate;  // [n_drive]
  double lost, T, V;
} end_state;

// Fills e at the state; forces of prescribed drives come from the equations of motion, the others
// are q->u.
static mw_code look_at_end(mw_rom_sim *q, double t, end_state *e, mw_error *err)
{
  mw_rom_info info = { 0 };
  mw_code rc = look(q, t, err);
  if (rc == MW_OK) rc = reactions(q, t, q->u, err);
  if (rc == MW_OK)
    rc = mw_rom_sim_explain(
        q, mw_rom_energy(q->rom, &q->opt, q->x, &e->T, &e->V, &e->lost, q->work, &info), &info, t,
        err);
  for (int d = 0; d < q->rom->n_u; d++) {
    e->u[d] = q->u[d];
    e->rate[d] = q->y_dot[q->rom->u_field[d]];
  }
  return rc;
}

// Work of a step between its ends a and b: forces held over the step, those of prescribed drives
// changing.
static double work_of(const mw_rom_sim *q, const end_state *a, const end_state *b)
{
  double P = -a->lost - b->lost;
  for (int d = 0; d < q->rom->n_u; d++) {
    double y[3];
    bool prescribed = mw_control_prescribed(q->sc, d, 0.0, y);
    P += (prescribed ? a->u[d] : b->u[d]) * a->rate[d] + b->u[d] * b->rate[d];
  }
  return 0.5 * q->part * P;
}

static mw_code show(const mw_rom_sim *q, int k, mw_error *err)
{
  if (!mw_watch_due(q->watch, k)) return MW_OK;
  mw_snapshot snap = { .t = (double)k * (double)q->per_store * q->h, .x = q->x };
  return q->watch->put(q->watch->ctx, &snap, err);
}

// A run as it goes on: both ends of a part of a step, when controllers are and were sampled, work
// so far.
typedef struct going {
  end_state a, b;
  double period, work;  // s, J
  int n_sample;         // samples so far
} going;

// End of the part of a step that starts at t: end, or before it the first kink of a force or sample
// of a controller.
static double part_end(const mw_rom_sim *q, const going *g, double t, double end)
{
  double near = 1e-9 * q->h, to = g->n_sample * g->period;
  bool control = false;
  for (int k = 0; k < q->sc->n_action; k++) control |= q->sc->action[k].kind == MW_ACTION_CONTROL;
  if (!control) to = end;
  for (int k = 0; k < q->sc->n_action; k++)
    if (q->sc->action[k].kind == MW_ACTION_FORCE)
      to = fmin(to, mw_signal_next_kink(&q->sc->action[k].signal, t + near));
  return to < end - near ? to : end;
}

mw_rom_code mw_rom_sim_step(mw_rom_sim *q, double t, double part, mw_rom_info *info)
{
  double thdd[MW_ROM_MAX_S];
  q->part = part;
  mw_control_force(&q->control, t + 0.5 * part, q->u);
  follow(q, t, thdd);
  return mw_rom_step(q->rom, &q->opt, part, q->u, thdd, q->x, q->work, info);
}

// First limit outside of which the joint coordinates in q->y are, -1: none.
static int outside(mw_rom_sim *q)
{
  if (q->n_limit == 0) return -1;
  for (int c = 0; c < q->mech->n_coord; c++)
    q->coord[c] = q->y_coord[c] >= 0 ? q->y[q->y_coord[c]] : 0.0;
  return mw_limits_outside(q->limit, q->n_limit, q->coord);
}

// Limit at which coordinate i of theta is, the tables ending there; -1: none
static int limit_of_theta(const mw_rom_sim *q, int i)
{
  static const double NEAR = 1e-6;  // of the coordinate's range
  for (int g = 0; g < 2 * q->n_limit; g++) {
    double bound = mw_limit_value(q->limit, g);
    if (mw_rom_sim_theta(q, q->limit[g / 2].coord) == i &&
        fabs(q->x[i] - bound) <= NEAR * (q->rom->hi[i] - q->rom->lo[i]))
      return g;
  }
  return -1;
}

// The part from t on, whose start is kept, ends outside of a limit, or of the tables: shortens it
// until it ends just there. *event stays -1 where the tables end before the limit.
static mw_code meet_limit(mw_rom_sim *q, double t, int *event, mw_error *err)
{
  enum { HALVINGS = 34 };  // 1e-10 of the part
  size_t n = 2 * (size_t)(q->rom->s + q->rom->m) * sizeof(double);
  double lo = 0.0, hi = q->part;
  int theta = -1;
  mw_rom_info info = { 0 };
  for (int i = 0; i <= HALVINGS; i++) {
    double mid = i < HALVINGS ? 0.5 * (lo + hi) : lo;
    memcpy(q->x, q->kept, n);
    mw_rom_code code = mw_rom_sim_step(q, t, mid, &info);
    if (code != MW_ROM_OK && code != MW_ROM_THETA)
      return mw_rom_sim_explain(q, code, &info, t, err);
    if (code == MW_ROM_THETA) theta = info.index;
    int out = -1;
    if (code == MW_ROM_OK) {
      mw_code rc = look(q, t + mid, err);
      if (rc != MW_OK) return rc;
      out = outside(q);
    }
    if (out >= 0) *event = out;
    if (i < HALVINGS && (out >= 0 || code != MW_ROM_OK))
      hi = mid;
    else
      lo = mid;
  }
  if (*event < 0 && theta >= 0) *event = limit_of_theta(q, theta);
  return MW_OK;
}

// Does a part that starts at t do so at a kink of a signal?
static bool kinked(const mw_rom_sim *q, double t)
{
  double near = 1e-6 * q->h;
  bool any = false;
  for (int k = 0; k < q->sc->n_action; k++)
    any = any || mw_signal_next_kink(&q->sc->action[k].signal, t - near) <= t + near;
  return any;
}

// One part of a step that ends at end, from t; look_at_end has filled a there. t: where it ends.
// *event: the limit it met.
static mw_code take_part(mw_rom_sim *q, going *g, double end, double *from, mw_run *r, int *event,
                         mw_error *err)
{
  double t = *from, start = mw_wall_time();
  mw_rom_info info = { 0 };
  bool sampled = t >= g->n_sample * g->period - 1e-9 * q->h;
  if (sampled) {
    g->n_sample = 1 + (int)floor(t / g->period + 1e-6);
    mw_rom_sim_sample(q, t);
  }
  *from = part_end(q, g, t, end);
  double part = *from == end && end - t >= (1.0 - 1e-9) * q->h ? q->h : *from - t;
  size_t n = 2 * (size_t)(q->rom->s + q->rom->m) * sizeof(double);
  if (q->n_limit > 0) memcpy(q->kept, q->x, n);
  double before[MW_ROM_MAX_S];
  const double *rate = q->x + q->rom->s + q->rom->m;
  memcpy(before, rate, (size_t)q->rom->s * sizeof *before);
  mw_modal_begin(&q->modal, q->x);
  mw_rom_code code = mw_rom_sim_step(q, t, part, &info);
  r->wall_s += mw_wall_time() - start;
  r->iterations += info.iterations;
  mw_code rc = mw_rom_sim_explain(q, code, &info, t, err);
  if (rc == MW_OK) rc = look(q, t + part, err);
  if (q->n_limit > 0 && (code == MW_ROM_THETA || (rc == MW_OK && outside(q) >= 0))) {
    mw_code found = meet_limit(q, t, event, rc == MW_OK ? err : NULL);
    if (found == MW_OK && *event >= 0) rc = MW_OK;
    if (rc == MW_OK) rc = found;
    *from = t + q->part;
  }
  if (rc == MW_OK && q->part > 0.0) rc = mw_modal_end(&q->modal, q->x, q->part, err);
  if (rc == MW_OK) {
    if (q->part > 0.0)
      mw_fast_look(&q->model->reduction, before, rate, q->part, t + q->part, &q->fast);
    mw_above_end(&q->above, t + q->part, q->part);
    if (q->part > 0.0) mw_damped_end(&q->damped, q->x, t + q->part, q->part);
    mw_coarse_end(q, t, sampled, kinked(q, t));
  }
  if (rc == MW_OK) rc = look_at_end(q, t + q->part, &g->b, err);
  if (rc != MW_OK) return rc;
  g->work += work_of(q, &g->a, &g->b);
  end_state swap = g->a;
  g->a = g->b;
  g->b = swap;
  return MW_OK;
}

static mw_code run(mw_rom_sim *q, mw_progress *progress, mw_run *r, mw_error *err)
{
  size_t nu = (size_t)q->rom->n_u;
  going g = { .a = { .u = mw_arena_f64(&q->mem, nu), .rate = mw_arena_f64(&q->mem, nu) },
              .b = { .u = mw_arena_f64(&q->mem, nu), .rate = mw_arena_f64(&q->mem, nu) },
              .period = q->control.period };
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc == MW_OK) rc = look(q, 0.0, err);
  if (rc == MW_OK) {
    mw_rom_sim_sample(q, 0.0);
    mw_control_force(&q->control, 0.0, q->u);
    rc = look_at_end(q, 0.0, &g.a, err);
  }
  if (rc == MW_OK) store(q, 0, 0.0, 0.0, g.a.T, g.a.V, r);
  if (rc == MW_OK) rc = show(q, 0, err);
  int event = -1;
  for (int n = 0; rc == MW_OK && n < q->n_steps && event < 0; n++) {
    double t = n * q->h, end = t + q->h;
    while (rc == MW_OK && t < end && event < 0) rc = take_part(q, &g, end, &t, r, &event, err);
    if (rc != MW_OK) break;
    int k = n / q->per_store + 1;
    if (event >= 0) {
      r->steps = n + 1;
      r->n_t = k + 1;
      r->event = mw_limit_text(q->mech, q->limit, event, t, &r->mem);
    }
    if (((n + 1) % q->per_store == 0 && k < r->n_t) || event >= 0) {
      store(q, k, event >= 0 ? t : (double)k * (double)q->per_store * q->h, g.work, g.a.T, g.a.V,
            r);
      rc = show(q, k, err);
    }
    mw_progress_step(progress, end);
  }
  return rc == MW_OK ? mw_arena_check(&r->mem, err) : rc;
}

// An error ε of a mode's rates, measured against (2/h) |δ| (rom_mid.c), is one of 4ε/(ωh)² in its
// acceleration and of 2ε/(ωh)² in its frequency; the mid-point rule's own is (ωh)²/12. A twentieth
// of that for the softest mode: ε = (ωh)⁴/480.
static double iterate_to(const mw_modal *z, double h)
{
  double x = z->file->rom.m > 0 ? fmax(z->w[0], 0.0) * h * h : 1.0;
  return fmin(STEP_TOL, fmax(LEAST_TOL, x * x / 480.0));
}

// What lies above the modes, and what steps of the mid-point rule err by, at the outputs that are
// positions.
static mw_code watch_errors(mw_rom_sim *q, const mw_run *r, mw_error *err)
{
  int *row = mw_arena_int(&q->mem, 3 * (size_t)r->n_out);
  mw_code rc = mw_arena_check(&q->mem, err);
  for (int o = 0; rc == MW_OK && o < r->n_out; o++)
    for (int i = 0; i < 3; i++) row[3 * o + i] = q->y_out[mw_output_row(q->model, r->out[o]) + i];
  if (rc == MW_OK) rc = mw_above_init(&q->above, &q->modal, r->n_out, row, q->x, &q->mem, err);
  if (rc == MW_OK) rc = mw_damped_init(&q->damped, &q->modal, q->opt.method, &q->mem, err);
  if (rc == MW_OK && q->opt.method == MW_ROM_MIDPOINT)
    rc = mw_coarse_init(q, r->n_out, row, &q->mem, err);
  return rc;
}

mw_code mw_rom_run(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                   const mw_scenario *sc, double step, mw_progress *p, mw_run *out, mw_error *err)
{
  return mw_rom_run_shown(model, mech, rom, sc, step, NULL, p, out, err);
}

mw_code mw_rom_run_shown(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                         const mw_scenario *sc, double step, const mw_watch *watch, mw_progress *p,
                         mw_run *out, mw_error *err)
{
  mw_rom_run_opt opt = mw_rom_run_opt_default();
  opt.step = step;
  opt.watch = watch;
  return mw_rom_run_by(model, mech, rom, sc, &opt, p, out, err);
}

mw_rom_run_opt mw_rom_run_opt_default(void)
{
  return (mw_rom_run_opt){ .method = MW_ROM_N_METHOD };
}

mw_code mw_rom_run_by(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                      const mw_scenario *sc, const mw_rom_run_opt *opt, mw_progress *p, mw_run *out,
                      mw_error *err)
{
  mw_rom_sim q = { .model = model,
                   .mech = mech,
                   .file = rom,
                   .rom = &rom->rom,
                   .sc = sc,
                   .watch = opt->watch,
                   .opt = mw_rom_opt_default() };
  mw_run r = { 0 };
  q.opt.inertia = rom->inertia;
  // friction and stops are in the linear part of the exponential step; the mid-point rule would
  // have to iterate them
  q.opt.method = opt->method != MW_ROM_N_METHOD ? opt->method
                 : rom->rom.n_law > 0           ? MW_ROM_EXPONENTIAL
                                                : MW_ROM_MIDPOINT;
  q.opt.tol = STEP_TOL;
  mw_code rc = mw_run_init(model, sc, "gmp", mech->n_coord, &r, err);
  q.per_store = 1;
  if (rc == MW_OK)
    rc = mw_run_steps(&r, sc, opt->step > 0.0 ? opt->step : sc->step, &q.per_store, err);
  q.h = sc->store / q.per_store;
  q.n_steps = r.steps = (r.n_t - 1) * q.per_store;
  if (rc == MW_OK) rc = find_fields(&q, err);
  if (rc == MW_OK) rc = find_prescribed(&q, err);
  if (rc == MW_OK) rc = allocate(&q, err);
  if (rc == MW_OK)
    rc = mw_control_build(model, sc, fmax(sc->control_period, q.h), &q.mem, &q.control, err);
  if (rc == MW_OK) {
    rc = mw_rom_sim_start(&q, err);
  }
  if (rc == MW_OK) rc = find_limits(&q, err);
  if (rc == MW_OK) rc = mw_modal_init(&q.modal, q.file, q.x, &q.mem, err);
  if (rc == MW_OK) q.opt.tol = iterate_to(&q.modal, q.h);
  if (rc == MW_OK) rc = watch_errors(&q, &r, err);
  mw_progress_start(p, "gmp", sc->duration);
  if (rc == MW_OK) rc = run(&q, p, &r, err);
  mw_progress_end(p);
  if (rc == MW_OK) rc = mw_reach_warn(rom, q.seen, &q.swing, &r, err);
  if (rc == MW_OK) rc = mw_free_warn(rom, q.opt.prescribed, &r, err);
  if (rc == MW_OK) rc = mw_fast_warn(mech, &q.fast, &r, err);
  if (rc == MW_OK) rc = mw_above_warn(&q.above, sc, &r, err);
  if (rc == MW_OK) rc = mw_coarse_warn(&q, &r, err);
  if (rc == MW_OK) rc = mw_damped_warn(&q.damped, q.h, &r, err);
  if (rc == MW_OK) mw_run_warn_limited(&r, &q.control);
  if (rc == MW_OK) rc = mw_arena_check(&r.mem, err);
  mw_arena_free(&q.mem);
  r.unknowns = q.rom->s + q.rom->m;
  r.step = q.h;
  if (rc == MW_OK) {
    mw_run_finish(&r);
    *out = r;
  } else {
    mw_run_free(&r);
  }
  return rc;
}
