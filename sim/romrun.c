// SPDX-License-Identifier: BSD-3-Clause
// romrun.c: simulation of the reduced model, with the same drives and the same stored instants as
// the full one.
//
// A step of length h from t (mid-point rule; with friction or stops the exponential one) sees
// constant inputs: forces at t + h/2, controllers as sampled and held. Where a force has a kink or a controller is sampled
// within a step, it is taken in parts that end there. A coordinate of theta that a scenario prescribes gets the
// acceleration
//   a = ½ (2 (r(t+h) − θ − h θ̇) / h²  +  (ṙ(t+h) − θ̇) / h)                                    (1)
// The first term alone would meet the position at t + h and let an error of the rate alternate for
// ever, the second alone would let an error of the position stand; their mean takes both to zero in
// two steps (both eigenvalues of the error's recursion are 0). The force of a prescribed drive is
// what the equations of motion, affine in it, ask for:
//   θ̈(u) = θ̈(0) + (∂θ̈/∂u) u = r̈                                                             (2)
// Work is the trapezoid of force times rate less that of the dissipated power.
#include "sim/romrun.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/control.h"
#include "fem/output.h"

// Relative error of the mid-point rates at which a step ends: what it leaves lies far below the step's own error, and
// below what the balance of energy can show (tests/bench/bench_energy.c prints the same first digits at 1e-12).
static const double STEP_TOL = 1e-8;

typedef struct rom_sim {
  const mw_model *model;
  const mw_mech *mech;
  const mw_rom_file *file;
  const mw_rom *rom;
  const mw_scenario *sc;
  mw_rom_opt opt;
  double h;       // s
  double part;    // s, of the step that is being taken: h, less where it is divided
  int per_store;  // steps between two stored instants
  int n_steps;
  int theta_drive[MW_ROM_MAX_S];  // drive that prescribes theta_i, -1: none
  const int *y_out;               // [rows of all outputs]  fields
  const int *y_coord;             // [n_coord]     fields of the joint coordinates, -1: none
  double *x;                      // [2 (s + m)]
  double *u;          // [n_drive]     forces over the step, those of prescribed drives at its end
  double *y, *y_dot;  // [n_y]         fields at the end of the step
  double *s, *s_dot;  // [n_drive]     as sampled
  double *acc;        // [s + m]
  void *work;
  mw_arena mem;
  const mw_watch *watch;  // who looks on, NULL: nobody
} rom_sim;

static int field_index(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

// ---- setup --------------------------------------------------------------------------------------

static mw_code find_fields(rom_sim *q, mw_error *err)
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

static int theta_of(const rom_sim *q, int coord)
{
  for (int i = 0; i < q->rom->s; i++)
    if (strcmp(q->file->coordinate[i], mw_mech_coord_name(q->mech, coord)) == 0) return i;
  return -1;
}

// Which coordinates of theta are prescribed.
static mw_code find_prescribed(rom_sim *q, mw_error *err)
{
  for (int i = 0; i < q->rom->s; i++) q->theta_drive[i] = -1;
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    if (a->kind != MW_ACTION_POSITION) continue;
    int joint = q->model->drive[a->drive].joint;
    int i = joint >= 0 && q->mech->joint[joint].coord >= 0
                ? theta_of(q, q->mech->joint[joint].coord)
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

static mw_code allocate(rom_sim *q, mw_error *err)
{
  size_t n = (size_t)(q->rom->s + q->rom->m), nu = (size_t)q->rom->n_u, ny = (size_t)q->rom->n_y;
  q->x = mw_arena_f64(&q->mem, 2 * n);
  q->acc = mw_arena_f64(&q->mem, n);
  q->u = mw_arena_f64(&q->mem, nu);
  q->s = mw_arena_f64(&q->mem, nu);
  q->s_dot = mw_arena_f64(&q->mem, nu);
  q->y = mw_arena_f64(&q->mem, ny);
  q->y_dot = mw_arena_f64(&q->mem, ny);
  q->work = mw_arena_alloc(&q->mem, mw_rom_work_bytes(q->rom), 1);
  return mw_arena_check(&q->mem, err);
}

// What is not finite: index counts through x, u, thdd_p.
static mw_code explain_nan(const rom_sim *q, int k, double t, mw_error *err)
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

// A code of the online half, put into words.
static mw_code explain(const rom_sim *q, mw_rom_code code, const mw_rom_info *info, double t,
                       mw_error *err)
{
  int i = info->index;
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
                   "at t = %.6g s input %s exceeded %g, the largest the reduced model is meant for",
                   t, q->file->input[i], q->rom->u_max[i]);
  case MW_ROM_NAN: return explain_nan(q, i, t, err);
  case MW_ROM_SINGULAR:
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at t = %.6g s the inertia of the reduced model is singular", t);
  case MW_ROM_DIVERGED: break;
  }
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s the step did not converge (%d iterations, residual %.3g); "
                 "a shorter step may help",
                 t, info->iterations, info->residual);
}

// ---- start --------------------------------------------------------------------------------------

// Where the scenario starts a joint coordinate; false: it does not say.
static bool start_of(const rom_sim *q, int coord, double *s, double *v)
{
  const mw_scenario *sc = q->sc;
  for (int k = 0; k < sc->n_start; k++)
    if (q->mech->joint[sc->start_joint[k]].coord == coord) {
      *s = sc->start_s[k];
      *v = sc->start_v[k];
      return true;
    }
  return false;
}

static void start_theta(rom_sim *q)
{
  double *thd = q->x + q->rom->s + q->rom->m;
  for (int i = 0; i < q->rom->s; i++) {
    int c = mw_mech_coord(q->mech, q->file->coordinate[i]);
    q->x[i] = q->mech->s0[c];
    (void)start_of(q, c, &q->x[i], &thd[i]);
    double y[3];
    if (q->theta_drive[i] >= 0 && mw_control_prescribed(q->sc, q->theta_drive[i], 0.0, y)) {
      q->x[i] = y[0];
      thd[i] = y[1];
    }
  }
}

// Rest with theta and the forces f [n_drive] held: delta, and the coordinates y [n] of the held
// drives.
static mw_code at_rest(rom_sim *q, const double *f, int n, const int *held, double *y,
                       mw_error *err)
{
  mw_rom_info info = { 0 };
  mw_rom_code code = mw_rom_static(q->rom, q->x, f, q->x + q->rom->s, q->work, &info);
  if (code == MW_ROM_OK) code = mw_rom_outputs(q->rom, q->x, q->y, NULL, q->work, &info);
  for (int i = 0; code == MW_ROM_OK && i < n; i++) y[i] = q->y[q->rom->u_field[held[i]]];
  return explain(q, code, &info, 0.0, err);
}

// Controlled drives of coordinates outside theta: they hold these during the static start. target:
// where, from the scenario, else as undeformed.
static mw_code list_held(rom_sim *q, int *held, double *target, int *n, mw_error *err)
{
  mw_rom_info info = { 0 };
  *n = 0;
  mw_code rc =
      explain(q, mw_rom_outputs(q->rom, q->x, q->y, NULL, q->work, &info), &info, 0.0, err);
  for (int k = 0; rc == MW_OK && k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    int joint = q->model->drive[a->drive].joint, c = joint >= 0 ? q->mech->joint[joint].coord : -1;
    if (a->kind != MW_ACTION_CONTROL || c < 0 || theta_of(q, c) >= 0) continue;
    double v;
    target[*n] = q->y[q->rom->u_field[a->drive]];
    (void)start_of(q, c, &target[*n], &v);
    held[(*n)++] = a->drive;
  }
  return rc;
}

// Static equilibrium with theta held. The fields are affine in delta and delta in the forces, so
// that the forces of drives that hold other coordinates follow from one linear system A f = target
// − y(0), A from unit forces.
static mw_code start_static(rom_sim *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nu = (size_t)q->rom->n_u;
  double *A = mw_arena_f64(&tmp, nu * nu), *b = mw_arena_f64(&tmp, nu), *f = mw_arena_f64(&tmp, nu);
  double *y0 = mw_arena_f64(&tmp, nu), *y1 = mw_arena_f64(&tmp, nu);
  int *held = mw_arena_int(&tmp, nu), *piv = mw_arena_int(&tmp, nu), n = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = list_held(q, held, b, &n, err);
  if (rc == MW_OK) {
    mw_control_force(q->model, q->sc, 0.0, 0.0, q->s, q->s_dot, f);
    for (int i = 0; i < n; i++) f[held[i]] = 0.0;
    rc = at_rest(q, f, n, held, y0, err);
  }
  for (int k = 0; rc == MW_OK && k < n; k++) {
    f[held[k]] = 1.0;
    rc = at_rest(q, f, n, held, y1, err);
    f[held[k]] = 0.0;
    for (int i = 0; i < n; i++) A[i * n + k] = y1[i] - y0[i];
    b[k] -= y0[k];
  }
  if (rc == MW_OK && n > 0) rc = mw_lu_factor(n, A, piv, err);
  if (rc == MW_OK && n > 0) {
    mw_lu_solve(n, A, piv, 1, b);
    for (int i = 0; i < n; i++) f[held[i]] = b[i];
    rc = at_rest(q, f, n, held, y1, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Rates of delta for which the elastic bodies are at rest, in the mean, while theta moves and the rigid ones follow:
// |Ψ δ̇ + Ψ_,i δ θ̇_i|² over the elastic bodies least,
//   G δ̇ = −θ̇_i e_i δ ,   G, e_i: the elastic bodies' shares of ΨᵀMΨ and ΨᵀMΨ_,i                       (3)
// A combination that moves rigid bodies alone (G singular) gets no rate: G + ROUND.
static mw_code start_rates(rom_sim *q, mw_error *err)
{
  static const double ROUND = 1e-9;
  const mw_rom_file *f = q->file;
  int s = q->rom->s, m = q->rom->m;
  mw_arena tmp = { 0 };
  const double *delta = q->x + s, *thd = q->x + s + m;
  double *deld = q->x + 2 * s + m, *v = mw_arena_f64(&tmp, (size_t)f->n_start);
  double *G = mw_arena_f64(&tmp, (size_t)m * (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && mw_rom_file_start(f, q->x, v, NULL) != MW_OK)
    rc = mw_fail(err, MW_ERR_RANGE, q->sc->at,
                 "the start lies outside the range of the reduced model");
  if (rc == MW_OK) {
    const double *e = v + m * (m + 1) / 2;
    for (int a = 0, k = 0; a < m; a++)
      for (int b = 0; b <= a; b++, k++) G[a * m + b] = G[b * m + a] = v[k] + (a == b ? ROUND : 0.0);
    for (int a = 0; a < m; a++) {
      deld[a] = 0.0;
      for (int i = 0; i < s; i++) deld[a] -= thd[i] * mw_dot(m, e + (i * m + a) * m, delta);
    }
    rc = mw_chol_factor(m, G, err);
  }
  if (rc == MW_OK) mw_chol_solve(m, G, 1, deld);
  mw_arena_free(&tmp);
  return rc;
}

// ---- stepping -----------------------------------------------------------------------------------

// Fields at the state, and the coordinates of the drives.
static mw_code look(rom_sim *q, double t, mw_error *err)
{
  mw_rom_info info = { 0 };
  return explain(q, mw_rom_outputs(q->rom, q->x, q->y, q->y_dot, q->work, &info), &info, t, err);
}

static void sample(rom_sim *q)
{
  for (int d = 0; d < q->rom->n_u; d++) {
    q->s[d] = q->y[q->rom->u_field[d]];
    q->s_dot[d] = q->y_dot[q->rom->u_field[d]];
  }
}

// (1); thdd [s]
static void follow(const rom_sim *q, double t, double *thdd)
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

// (2): forces of the prescribed drives at the state, put into u.
static mw_code reactions(rom_sim *q, double t, double *u, mw_error *err)
{
  int n = 0, index[MW_ROM_MAX_S], piv[MW_ROM_MAX_S];
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S], b[MW_ROM_MAX_S], free_acc[MW_ROM_MAX_S];
  for (int i = 0; i < q->rom->s; i++)
    if (q->theta_drive[i] >= 0) index[n++] = i;
  mw_rom_opt opt = q->opt;
  mw_rom_info info = { 0 };
  opt.prescribed = 0;
  for (int i = 0; i < n; i++) u[q->theta_drive[index[i]]] = 0.0;
  mw_code rc = n == 0 ? MW_OK
                      : explain(q, mw_rom_rhs(q->rom, &opt, q->x, u, NULL, q->acc, q->work, &info),
                                &info, t, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    double r[3] = { 0 };
    free_acc[i] = q->acc[index[i]];
    (void)mw_control_prescribed(q->sc, q->theta_drive[index[i]], t, r);
    b[i] = r[2] - free_acc[i];
  }
  for (int k = 0; rc == MW_OK && k < n; k++) {
    u[q->theta_drive[index[k]]] = 1.0;
    rc = explain(q, mw_rom_rhs(q->rom, &opt, q->x, u, NULL, q->acc, q->work, &info), &info, t, err);
    u[q->theta_drive[index[k]]] = 0.0;
    for (int i = 0; i < n; i++) A[i * n + k] = q->acc[index[i]] - free_acc[i];
  }
  if (rc == MW_OK && n > 0) rc = mw_lu_factor(n, A, piv, err);
  if (rc == MW_OK && n > 0) {
    mw_lu_solve(n, A, piv, 1, b);
    for (int i = 0; i < n; i++) u[q->theta_drive[index[i]]] = b[i];
  }
  return rc;
}

// Rows of an output at the state, [width] doubles.
static void put_output(const rom_sim *q, int output, double *y)
{
  int row = mw_output_row(q->model, output);
  for (int i = 0; i < mw_output_width(&q->model->output[output]); i++)
    y[i] = q->y[q->y_out[row + i]];
}

// Stored instant k. The outputs, joint coordinates, forces and energies of the state.
static void store(const rom_sim *q, int k, double work, double T, double V, mw_run *r)
{
  size_t no = (size_t)r->n_out, ng = (size_t)r->n_gauge, nc = (size_t)r->n_coord,
         nd = (size_t)r->n_drive, i = (size_t)k;
  r->t[k] = (double)k * (double)q->per_store * q->h;
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
  r->residual[k] = 0.0;
}

// Forces and rates of the drives and the dissipated power at one end of a step; energies there.
typedef struct end_state {
  double *u, *rate;  // [n_drive]
  double lost, T, V;
} end_state;

// Fills e at the state; forces of prescribed drives come from the equations of motion, the others
// are q->u.
static mw_code look_at_end(rom_sim *q, double t, end_state *e, mw_error *err)
{
  mw_rom_info info = { 0 };
  mw_code rc = look(q, t, err);
  if (rc == MW_OK) rc = reactions(q, t, q->u, err);
  if (rc == MW_OK)
    rc = explain(q, mw_rom_energy(q->rom, &q->opt, q->x, &e->T, &e->V, &e->lost, q->work, &info),
                 &info, t, err);
  for (int d = 0; d < q->rom->n_u; d++) {
    e->u[d] = q->u[d];
    e->rate[d] = q->y_dot[q->rom->u_field[d]];
  }
  return rc;
}

// Work of a step between its ends a and b: forces held over the step, those of prescribed drives
// changing.
static double work_of(const rom_sim *q, const end_state *a, const end_state *b)
{
  double P = -a->lost - b->lost;
  for (int d = 0; d < q->rom->n_u; d++) {
    double y[3];
    bool prescribed = mw_control_prescribed(q->sc, d, 0.0, y);
    P += (prescribed ? a->u[d] : b->u[d]) * a->rate[d] + b->u[d] * b->rate[d];
  }
  return 0.5 * q->part * P;
}

static mw_code show(const rom_sim *q, int k, mw_error *err)
{
  if (!mw_watch_due(q->watch, k)) return MW_OK;
  mw_snapshot snap = { .t = (double)k * (double)q->per_store * q->h, .x = q->x };
  return q->watch->put(q->watch->ctx, &snap, err);
}

// A run as it goes on: both ends of a part of a step, when controllers are and were sampled, work so far.
typedef struct going {
  end_state a, b;
  double period, t_sample, work;  // s, s, J
  int n_sample;                   // samples so far
} going;

// End of the part of a step that starts at t: end, or before it the first kink of a force or sample of a controller.
static double part_end(const rom_sim *q, const going *g, double t, double end)
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

// One part of a step that ends at end, from t; look_at_end has filled a there. t: where it ends.
static mw_code take_part(rom_sim *q, going *g, double end, double *from, mw_run *r, mw_error *err)
{
  double t = *from;
  double start = mw_wall_time(), thdd[MW_ROM_MAX_S];
  mw_rom_info info = { 0 };
  if (t >= g->n_sample * g->period - 1e-9 * q->h) {
    g->t_sample = t;
    g->n_sample = 1 + (int)floor(t / g->period + 1e-6);
    sample(q);
  }
  *from = part_end(q, g, t, end);
  q->part = *from == end && end - t >= (1.0 - 1e-9) * q->h ? q->h : *from - t;
  mw_control_force(q->model, q->sc, t + 0.5 * q->part, g->t_sample, q->s, q->s_dot, q->u);
  follow(q, t, thdd);
  mw_code rc = explain(q, mw_rom_step(q->rom, &q->opt, q->part, q->u, thdd, q->x, q->work, &info),
                       &info, t, err);
  r->wall_s += mw_wall_time() - start;
  r->iterations += info.iterations;
  if (rc == MW_OK) rc = look_at_end(q, t + q->part, &g->b, err);
  if (rc != MW_OK) return rc;
  g->work += work_of(q, &g->a, &g->b);
  end_state swap = g->a;
  g->a = g->b;
  g->b = swap;
  return MW_OK;
}

static mw_code run(rom_sim *q, mw_progress *progress, mw_run *r, mw_error *err)
{
  size_t nu = (size_t)q->rom->n_u;
  going g = { .a = { .u = mw_arena_f64(&q->mem, nu), .rate = mw_arena_f64(&q->mem, nu) },
              .b = { .u = mw_arena_f64(&q->mem, nu), .rate = mw_arena_f64(&q->mem, nu) },
              .period = fmax(q->sc->control_period, q->h) };
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc == MW_OK) rc = look(q, 0.0, err);
  if (rc == MW_OK) {
    sample(q);
    mw_control_force(q->model, q->sc, 0.0, 0.0, q->s, q->s_dot, q->u);
    rc = look_at_end(q, 0.0, &g.a, err);
  }
  if (rc == MW_OK) store(q, 0, 0.0, g.a.T, g.a.V, r);
  if (rc == MW_OK) rc = show(q, 0, err);
  for (int n = 0; rc == MW_OK && n < q->n_steps; n++) {
    double t = n * q->h, end = t + q->h;
    while (rc == MW_OK && t < end) rc = take_part(q, &g, end, &t, r, err);
    if (rc != MW_OK) break;
    if ((n + 1) % q->per_store == 0 && (n + 1) / q->per_store < r->n_t) {
      store(q, (n + 1) / q->per_store, g.work, g.a.T, g.a.V, r);
      rc = show(q, (n + 1) / q->per_store, err);
    }
    mw_progress_step(progress, end);
  }
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
  rom_sim q = { .model = model,
                .mech = mech,
                .file = rom,
                .rom = &rom->rom,
                .sc = sc,
                .watch = opt->watch,
                .opt = mw_rom_opt_default() };
  mw_run r = { 0 };
  q.opt.inertia = rom->inertia;
  // friction and stops are in the linear part of the exponential step; the mid-point rule would have to iterate them
  q.opt.method = opt->method != MW_ROM_N_METHOD ? opt->method
                 : rom->rom.n_law > 0           ? MW_ROM_EXPONENTIAL
                                                : MW_ROM_MIDPOINT;
  q.opt.tol = STEP_TOL;
  q.per_store = (int)ceil(sc->store / (opt->step > 0.0 ? opt->step : sc->step) - 1e-9);
  if (q.per_store < 1) q.per_store = 1;
  q.h = sc->store / q.per_store;
  mw_code rc = mw_run_init(model, sc, "gmp", mech->n_coord, &r, err);
  q.n_steps = (r.n_t - 1) * q.per_store;
  if (rc == MW_OK) rc = find_fields(&q, err);
  if (rc == MW_OK) rc = find_prescribed(&q, err);
  if (rc == MW_OK) rc = allocate(&q, err);
  if (rc == MW_OK) {
    start_theta(&q);
    if (sc->static_start) rc = start_static(&q, err);
    if (rc == MW_OK) rc = start_rates(&q, err);
  }
  mw_progress_start(p, "gmp", sc->duration);
  if (rc == MW_OK) rc = run(&q, p, &r, err);
  mw_progress_end(p);
  mw_arena_free(&q.mem);
  r.unknowns = q.rom->s + q.rom->m;
  r.steps = q.n_steps;
  r.step = q.h;
  if (rc == MW_OK) {
    mw_run_finish(&r);
    *out = r;
  } else {
    mw_run_free(&r);
  }
  return rc;
}
