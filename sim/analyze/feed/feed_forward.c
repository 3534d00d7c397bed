// SPDX-License-Identifier: BSD-3-Clause
// feed_forward.c: the motion of the coordinates of a reduced model, and the forces of its drives,
// with which the tool follows what drives were to follow.
//
// Asked for are coordinates θ_r(t), and with them the undeformed tool's y_r = y(θ_r, 0). With all
// coordinates prescribed the reduced model gives δ̈ = R(θ, θ̇, θ̈, δ, δ̇, n), n forces of drives:
//   y(θ, δ) = y_r ,   δ̈ = R ,   what drives along θ give = n                                 (1)
// at all times. From δ at rest at θ_r, in passes over all of the motion,
//   δ := δ + K⁻¹ (R − δ̈) ,  K = −∂R/∂δ ,   θ := θ + (∂y/∂θ)⁺ (y_r − y)                       (2)
// with δ̇, δ̈ and what θ differs from θ_r by differentiated over the instants before. The first
// pass is the quasi-static solution of accelerations θ̈_r, each further one adds an order of (what
// the motion changes by)²/ω²: the solution of (1) that does not swing, before and after the motion
// as at rest (Devasia, Chen and Paden 1996, Nonlinear inversion-based output tracking: there by the
// internal dynamics solved both ways). What is asked of frequencies above ω lets the passes grow
// again: passes go on as long as runs of the reduced model have the tool less off.
// Cost: two evaluations with derivatives and two of outputs an instant and pass, a run a pass.
//
// Of motions whose jerk jumps the second derivative of θ has none. What is asked for may be their
// mean over the time T before, which the tool follows then:
//   θ_T = 1/T ∫ θ_r over (t − T, t) ,  θ̇_T = (θ_r(t) − θ_r(t − T))/T ,  θ̈_T likewise        (3)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "feed_priv.h"
#include "fem/output.h"

enum { PER_PERIOD = 100 };

typedef struct trial {                  // a state of (2), all instants
  double *theta, *rate, *acceleration;  // [n × s]
  double *delta;                        // [n × m]
  double *force;                        // [n × n_u]
} trial;

typedef struct solver {
  const mw_mech *m;
  const mw_rom_file *file;
  const mw_scenario *sc;
  mw_rom rom;  // without the limits that it is meant for
  mw_rom_opt opt;
  int s, n_el, N, nu, field[3];
  double *motor[3];                 // [n × s]  θ_r and its derivatives
  trial now, next, kept;            //
  double *d1, *d2;                  // [n × m]  of δ
  double *x, *acc, *acc_x, *acc_u;  // [2N], [N], [N × 2N], [N × n_u]
  double *Y, *Y_x, *r, *K, *b, *B;  // fields, their derivatives, forces along θ; scratch
  int *piv;
  void *work;
  mw_feed_weights weights;
  mw_feed_forward *o;
  mw_arena *out;  // of what is found
  mw_arena mem;
} solver;

static double *row(double *x, int i, int width) { return x + (size_t)i * (size_t)width; }

// ---- evaluation ---------------------------------------------------------------------------------

static mw_code lost(const solver *q, int i, mw_rom_code code, const mw_rom_info *info,
                    mw_error *err)
{
  if (code == MW_ROM_THETA && info->index >= 0 && info->index < q->s)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at %.6g s the motion leaves the range of %s in the reduced model", q->o->t[i],
                   q->file->coordinate[info->index]);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the reduced model cannot be evaluated at %.6g s: %s", q->o->t[i],
                 mw_rom_code_name(code));
}

// Accelerations, fields and forces at instant i with their derivatives; motion false: outputs alone
// at q->x.
static mw_code look(solver *q, const trial *z, int i, bool motion, mw_error *err)
{
  int s = q->s, m = q->n_el;
  mw_rom_info info = { .index = -1 };
  mw_rom_call call = { &q->rom, &q->opt, 0.0, row(z->force, i, q->nu), row(z->acceleration, i, s),
                       q->work, &info };
  const mw_rom_outputs_sens out = { .Y = q->Y, .Y_x = q->Y_x, .reaction = q->r };
  mw_rom_code code = MW_ROM_OK;
  if (motion) {
    memcpy(q->x, row(z->theta, i, s), (size_t)s * sizeof *q->x);
    memcpy(q->x + s, row(z->delta, i, m), (size_t)m * sizeof *q->x);
    memcpy(q->x + q->N, row(z->rate, i, s), (size_t)s * sizeof *q->x);
    memcpy(q->x + q->N + s, row(q->d1, i, m), (size_t)m * sizeof *q->x);
    code = mw_rom_jacobian(&call, q->x, q->acc, q->acc_x, q->acc_u);
  }
  if (code == MW_ROM_OK) code = mw_rom_outputs_jacobian(&call, q->x, &out);
  return code == MW_ROM_OK ? MW_OK : lost(q, i, code, &info, err);
}

// ∂ field/∂ x_j
static double slope(const solver *q, int field, int j)
{
  return q->Y_x[(size_t)field * 2 * (size_t)q->N + (size_t)j];
}

// ---- a pass -------------------------------------------------------------------------------------

// K⁻¹ (R − δ̈) into q->b; returns how far that moves the tool through *off.
static mw_code balance(solver *q, int i, double *off, mw_error *err)
{
  int s = q->s, m = q->n_el;
  const double *dd = row(q->d2, i, m);
  for (int a = 0; a < m; a++) {
    q->b[a] = q->acc[s + a] - dd[a];
    for (int b = 0; b < m; b++) q->K[a * m + b] = -q->acc_x[(s + a) * 2 * q->N + s + b];
  }
  mw_code rc = mw_lu_factor(m, q->K, q->piv, err);
  if (rc != MW_OK)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the machine gives way by itself at %.6g s",
                   q->o->t[i]);
  mw_lu_solve(m, q->K, q->piv, 1, q->b);
  double y[3] = { 0.0 };
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < m; a++) y[k] += slope(q, q->field[k], s + a) * q->b[a];
  *off = fmax(*off, sqrt(mw_dot(3, y, y)));
  return MW_OK;
}

// What is missing along θ where δ̈ is that of the motion and not R: q->r += D (δ̈ − R),
// D_i = −∂R/∂θ̈_i, what of δ has inertia along θ (the mass of δ is 1 but for what δ adds)
static mw_code carry(solver *q, trial *z, int i, mw_error *err)
{
  int s = q->s, m = q->n_el;
  const double *dd = row(q->d2, i, m);
  double thdd[MW_ROM_MAX_S], *acc = q->b;
  mw_rom_info info = { .index = -1 };
  mw_rom_call call = { &q->rom, &q->opt, 0.0, row(z->force, i, q->nu), thdd, q->work, &info };
  for (int k = 0; k < s; k++) {
    memcpy(thdd, row(z->acceleration, i, s), sizeof *thdd * (size_t)s);
    thdd[k] += 1.0;
    mw_rom_code code = mw_rom_rhs(&call, q->x, acc);
    if (code != MW_ROM_OK) return lost(q, i, code, &info, err);
    for (int a = s; a < q->N; a++) q->r[k] += (q->acc[a] - acc[a]) * (dd[a - s] - q->acc[a]);
  }
  return MW_OK;
}

// Forces of least norm that give what is missing along θ, added to those of z into `to`; R is then
// with these.
static mw_code drive(solver *q, trial *z, int i, double *to, double *not_driven, mw_error *err)
{
  int s = q->s, nu = q->nu, rank;
  double *A = q->B + s * nu, *more = A + s * nu;
  for (int k = 0; k < s; k++)
    for (int j = 0; j < nu; j++) {
      bool gives = q->m->model->drive[j].joint >= 0;
      A[k * nu + j] = q->B[k * nu + j] = gives ? slope(q, q->rom.u_field[j], k) : 0.0;
    }
  mw_code rc = carry(q, z, i, err);
  if (rc == MW_OK) rc = mw_lstsq(s, nu, A, q->r, 1e-12, more, &rank, err);
  for (int k = 0; rc == MW_OK && k < s; k++)
    *not_driven = fmax(*not_driven, fabs(q->r[k] - mw_dot(nu, q->B + k * nu, more)));
  for (int j = 0; rc == MW_OK && j < nu; j++) row(to, i, nu)[j] = row(z->force, i, nu)[j] + more[j];
  for (int a = s; rc == MW_OK && a < q->N; a++) q->acc[a] += mw_dot(nu, q->acc_u + a * nu, more);
  return rc;
}

// Newton's steps of θ of z to where the tool is as asked for, or next to it; rates of z are not
// read.
static mw_code place(solver *q, trial *z, int i, mw_error *err)
{
  enum { ITER = 20 };
  static const double CLOSE = 1e-14, ROUNDING = 1e-10, RANK = 1e-6;  // of a coordinate's range
  int s = q->s, rank;
  double step = INFINITY, last, *theta = row(z->theta, i, s);
  memset(q->x + q->N, 0, (size_t)q->N * sizeof *q->x);
  memcpy(q->x + s, row(z->delta, i, q->n_el), (size_t)q->n_el * sizeof *q->x);
  for (int k = 0; k < ITER; k++) {
    double G[3 * MW_ROM_MAX_S], b[3], dx[MW_ROM_MAX_S];
    memcpy(q->x, theta, (size_t)s * sizeof *theta);
    mw_code rc = look(q, z, i, false, err);
    for (int a = 0; rc == MW_OK && a < 3; a++) {
      b[a] = row(q->o->asked, i, 3)[a] - q->Y[q->field[a]];
      for (int j = 0; j < s; j++)
        G[a * s + j] = slope(q, q->field[a], j) * (q->rom.hi[j] - q->rom.lo[j]);
    }
    if (rc == MW_OK) rc = mw_lstsq(3, s, G, b, RANK, dx, &rank, err);
    if (rc != MW_OK) return rc;
    last = step;
    step = 0.0;
    for (int j = 0; j < s; j++) step = fmax(step, fabs(dx[j]));
    for (int j = 0; j < s; j++) theta[j] += dx[j] * (q->rom.hi[j] - q->rom.lo[j]);
    if (step <= CLOSE || (step <= ROUNDING && step > 0.5 * last)) return MW_OK;
  }
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "no coordinates lead the tool near where it should be at %.6g s", q->o->t[i]);
}

// Rates and accelerations of θ: what it differs from θ_r by, over the instants
static void differentiate(solver *q, trial *z)
{
  int n = q->o->n, s = q->s;
  size_t all = (size_t)n * (size_t)s;
  double h = q->o->t[1] - q->o->t[0], *c = z->acceleration;
  mw_feed_derive(&q->weights, n, q->n_el, h, z->delta, q->d1, q->d2);
  for (size_t k = 0; k < all; k++) q->next.theta[k] = z->theta[k] - q->motor[0][k];
  mw_feed_derive(&q->weights, n, s, h, q->next.theta, z->rate, c);
  for (size_t k = 0; k < all; k++) {
    z->rate[k] += q->motor[1][k];
    z->acceleration[k] += q->motor[2][k];
  }
}

// (2) from q->now to q->next; *off: how far that moves the tool
static mw_code pass(solver *q, double *off, mw_error *err)
{
  mw_code rc = MW_OK;
  double not_driven = 0.0;
  *off = 0.0;
  differentiate(q, &q->now);
  memcpy(q->next.theta, q->now.theta, (size_t)(q->o->n * q->s) * sizeof *q->now.theta);
  for (int i = 0; rc == MW_OK && i < q->o->n; i++) {
    rc = look(q, &q->now, i, true, err);
    if (rc == MW_OK) rc = drive(q, &q->now, i, q->next.force, &not_driven, err);
    if (rc == MW_OK) rc = balance(q, i, off, err);
    for (int a = 0; rc == MW_OK && a < q->n_el; a++)
      row(q->next.delta, i, q->n_el)[a] = row(q->now.delta, i, q->n_el)[a] + q->b[a];
    if (rc == MW_OK) rc = place(q, &q->next, i, err);
  }
  return rc;
}

// Results of q->now: its forces by an evaluation of its own
static mw_code keep(solver *q, mw_error *err)
{
  mw_feed_forward *o = q->o;
  size_t s = (size_t)(o->n * q->s) * sizeof *o->theta;
  mw_code rc = MW_OK;
  o->uncorrected = o->not_driven = 0.0;
  differentiate(q, &q->now);
  memcpy(o->theta, q->now.theta, s);
  memcpy(o->rate, q->now.rate, s);
  memcpy(o->acceleration, q->now.acceleration, s);
  for (int i = 0; rc == MW_OK && i < o->n; i++) {
    double e[3];
    rc = look(q, &q->now, i, true, err);
    for (int k = 0; k < 3; k++) {
      row(o->reached, i, 3)[k] = q->Y[q->field[k]];
      e[k] = row(o->asked, i, 3)[k] - q->Y[q->field[k]];
    }
    o->uncorrected = fmax(o->uncorrected, sqrt(mw_dot(3, e, e)));
    if (rc == MW_OK) rc = drive(q, &q->now, i, o->force, &o->not_driven, err);
  }
  return rc;
}

// ---- passes -------------------------------------------------------------------------------------

static void copy(const solver *q, const trial *from, trial *to)
{
  size_t n = (size_t)q->o->n;
  memcpy(to->theta, from->theta, n * (size_t)q->s * sizeof *to->theta);
  memcpy(to->delta, from->delta, n * (size_t)q->n_el * sizeof *to->delta);
  memcpy(to->force, from->force, n * (size_t)q->nu * sizeof *to->force);
}

// δ at rest at θ_r, where the undeformed tool is, and the lowest frequency at the first instant
static mw_code begin(solver *q, mw_error *err)
{
  static const double PI = 3.14159265358979323846;
  mw_feed_forward *o = q->o;
  int s = q->s, m = q->n_el;
  mw_rom_info info = { .index = -1 };
  memcpy(q->now.theta, q->motor[0], (size_t)o->n * (size_t)s * sizeof *q->now.theta);
  memcpy(o->motor, q->motor[0], (size_t)o->n * (size_t)s * sizeof *o->motor);
  for (int i = 0; i < o->n; i++) {
    memset(q->x, 0, 2 * (size_t)q->N * sizeof *q->x);
    memcpy(q->x, row(q->motor[0], i, s), (size_t)s * sizeof *q->x);
    mw_rom_code code = mw_rom_outputs(&q->rom, q->x, q->Y, NULL, q->work, &info);
    if (code == MW_ROM_OK)
      code = mw_rom_static(&q->rom, q->x, NULL, row(q->now.delta, i, m), q->work, &info);
    if (code != MW_ROM_OK) return lost(q, i, code, &info, err);
    for (int a = 0; a < 3; a++) row(o->asked, i, 3)[a] = q->Y[q->field[a]];
  }
  mw_code rc = look(q, &q->now, 0, true, err);
  for (int a = 0; rc == MW_OK && a < m; a++)
    for (int b = 0; b < m; b++) q->K[a * m + b] = -q->acc_x[(s + a) * 2 * q->N + s + b];
  if (rc == MW_OK) rc = mw_eig_sym(m, q->K, q->b, q->acc_x, err);
  if (rc == MW_OK) o->hz = sqrt(fmax(q->b[0], 0.0)) / (2.0 * PI);
  for (int i = 0; rc == MW_OK && i < o->n; i++) rc = place(q, &q->now, i, err);
  return rc;
}

// A pass more, and a run with what it finds; *better: the tool is less off by a tenth at least than
// after all passes before, this one is kept.
static mw_code advance(solver *q, bool *better, mw_error *err)
{
  static const double LESS = 0.9;
  mw_feed_forward *o = q->o;
  int k = o->n_pass;
  mw_code rc = pass(q, &o->off[k], err);
  if (rc != MW_OK) return rc;
  trial t = q->now;
  q->now = q->next;
  q->next = t;
  rc = keep(q, err);
  if (rc == MW_OK)
    rc = mw_feed_run_make(q->m->model, q->m, q->file, q->sc, MW_FEED_POSITION, q->out, o, err);
  if (rc != MW_OK) return rc;
  o->error[k] = o->run[MW_FEED_POSITION].failed ? INFINITY : o->run[MW_FEED_POSITION].largest;
  o->n_pass++;
  *better = k == 0 || o->error[k] < LESS * o->error[o->best];
  if (*better) {
    o->best = k;
    copy(q, &q->now, &q->kept);
  }
  return MW_OK;
}

static mw_code solve(solver *q, mw_error *err)
{
  static const double ROUNDING = 1e-12;  // of the first change
  mw_feed_forward *o = q->o;
  bool better = true;
  while (better && o->n_pass < MW_FEED_PASSES) {
    mw_error why = { 0 };
    int k = o->n_pass;
    mw_code rc = advance(q, &better, &why);
    if (rc == MW_ERR_NUMERIC && k > 0) break;  // passes grow: the best one is kept
    if (rc != MW_OK) {
      if (err) *err = why;
      return rc;
    }
    if (o->off[k] <= ROUNDING * o->off[0]) break;
  }
  copy(q, &q->kept, &q->now);
  return keep(q, err);
}

// Would rates have to jump? What their changes ask for grows then with the rate of instants.
static void judge(solver *q)
{
  static const double GROWS = 1.5, ROUNDING = 1e-6;
  mw_feed_forward *o = q->o;
  int n = o->n, s = q->s, half = (n + 1) / 2;
  double h = o->t[1] - o->t[0];
  if (half < MW_FEED_PLACES) return;
  for (int i = 0; i < half; i++)
    for (int k = 0; k < s; k++)
      row(q->next.theta, i, s)[k] = row(q->now.theta, 2 * i, s)[k] - row(q->motor[0], 2 * i, s)[k];
  mw_feed_derive(&q->weights, half, s, 2.0 * h, q->next.theta, q->next.rate, q->next.acceleration);
  for (int k = 0; k < s; k++) {
    double fine = 0.0, coarse = 0.0, asked = 0.0;
    for (int i = 0; i < n; i++) {
      asked = fmax(asked, fabs(row(q->motor[2], i, s)[k]));
      fine = fmax(fine, fabs(row(q->now.acceleration, i, s)[k] - row(q->motor[2], i, s)[k]));
      if (i < half) coarse = fmax(coarse, fabs(row(q->next.acceleration, i, s)[k]));
    }
    if (!(fine > GROWS * coarse) || !(fine > ROUNDING * asked)) continue;
    if (!o->jumps) o->jumps = q->file->coordinate[k];
    o->kinked++;
  }
}

// ---- memory -------------------------------------------------------------------------------------

static void trial_memory(mw_arena *mem, const solver *q, trial *z)
{
  size_t n = (size_t)q->o->n, s = n * (size_t)q->s;
  z->theta = mw_arena_f64(mem, s);
  z->rate = mw_arena_f64(mem, s);
  z->acceleration = mw_arena_f64(mem, s);
  z->delta = mw_arena_f64(mem, n * (size_t)q->n_el);
  z->force = mw_arena_f64(mem, n * (size_t)q->nu);
}

static mw_code solver_memory(solver *q, mw_error *err)
{
  mw_arena *mem = &q->mem;
  size_t s = (size_t)q->s, m = (size_t)q->n_el, N = (size_t)q->N, ny = (size_t)q->rom.n_y,
         nu = (size_t)q->nu, n = (size_t)q->o->n;
  for (int k = 0; k < 3; k++) q->motor[k] = mw_arena_f64(mem, n * s);
  trial_memory(mem, q, &q->now);
  trial_memory(mem, q, &q->next);
  trial_memory(mem, q, &q->kept);
  q->d1 = mw_arena_f64(mem, n * m);
  q->d2 = mw_arena_f64(mem, n * m);
  q->x = mw_arena_f64(mem, 2 * N);
  q->acc = mw_arena_f64(mem, N);
  q->acc_x = mw_arena_f64(mem, 2 * N * N);
  q->acc_u = mw_arena_f64(mem, N * nu);
  q->Y = mw_arena_f64(mem, 3 * ny);
  q->Y_x = mw_arena_f64(mem, 6 * ny * N);
  q->r = mw_arena_f64(mem, s);
  q->K = mw_arena_f64(mem, m * m);
  q->b = mw_arena_f64(mem, N);
  q->B = mw_arena_f64(mem, 2 * s * nu + nu);
  q->piv = mw_arena_int(mem, m);
  q->work = mw_arena_alloc(mem, mw_rom_sens_bytes(&q->rom), 1);
  return mw_arena_check(mem, err);
}

static mw_code result_memory(mw_arena *mem, mw_feed_forward *o, mw_error *err)
{
  size_t n = (size_t)o->n, s = n * (size_t)o->s;
  double **of_s[] = { &o->motor, &o->theta, &o->rate, &o->acceleration };
  o->t = mw_arena_f64(mem, n);
  for (int k = 0; k < 4; k++) *of_s[k] = mw_arena_f64(mem, s);
  o->force = mw_arena_f64(mem, n * (size_t)o->n_drive);
  o->asked = mw_arena_f64(mem, 3 * n);
  o->reached = mw_arena_f64(mem, 3 * n);
  return mw_arena_check(mem, err);
}

static mw_code find_fields(solver *q, int tool, mw_error *err)
{
  const mw_output_in *out = &q->m->model->output[tool];
  char name[256];
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "%s.%s", out->name, mw_output_axis(out, k));
    q->field[k] = -1;
    for (int i = 0; i < q->rom.n_y; i++)
      if (strcmp(q->file->field[i], name) == 0) q->field[k] = i;
    if (q->field[k] < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the reduced model has no field %s", name);
  }
  if (q->nu != q->m->model->n_drive)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the reduced model has %d inputs, the model %d drives", q->nu,
                   q->m->model->n_drive);
  if (q->n_el == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the reduced model has no column: nothing bends; expected the model itself, "
                   "analyze MODEL inverse");
  return MW_OK;
}

// ---- the whole ----------------------------------------------------------------------------------

// n instants h apart: what is asked for there
static mw_code open_at(solver *q, int n, double h, mw_error *err)
{
  mw_feed_forward *o = q->o;
  o->n = n;
  mw_code rc = result_memory(q->out, o, err);
  if (rc == MW_OK) rc = solver_memory(q, err);
  for (int i = 0; rc == MW_OK && i < n; i++) o->t[i] = i * h;
  if (rc == MW_OK) rc = mw_feed_sample(q->m, q->file, q->sc, o, q->motor, err);
  return rc == MW_OK ? begin(q, err) : rc;
}

// The lowest frequency of a few instants, then all at its hundredth
static mw_code open_all(solver *q, double rise, mw_error *err)
{
  mw_feed_forward *o = q->o;
  double h;
  int n;
  mw_code rc = open_at(q, MW_FEED_PLACES, q->sc->step, err);
  mw_arena_free(&q->mem);
  if (rc == MW_OK) rc = mw_feed_instants(q->sc, 1.0 / (PER_PERIOD * o->hz), &n, &h, err);
  if (rc == MW_OK) o->mean = nearbyint(rise / (o->hz * h)) * h;
  return rc == MW_OK ? open_at(q, n, h, err) : rc;
}

mw_code mw_feed_forward_find(const mw_model *model, const mw_mech *m, const mw_rom_file *rom,
                             const mw_scenario *sc, int tool, double rise, mw_arena *mem,
                             mw_feed_forward *out, mw_error *err)
{
  mw_feed_forward o = { .tool = tool, .s = rom->rom.s, .n_drive = model->n_drive };
  solver q = { .m = m,
               .file = rom,
               .sc = sc,
               .rom = rom->rom,
               .opt = mw_rom_opt_default(),
               .s = rom->rom.s,
               .n_el = rom->rom.m,
               .N = rom->rom.s + rom->rom.m,
               .nu = rom->rom.n_u,
               .o = &o,
               .out = mem };
  q.rom.rate_max = q.rom.u_max = NULL;
  q.opt.inertia = rom->inertia;
  q.opt.prescribed = (1u << q.s) - 1u;
  mw_feed_weigh(&q.weights);
  mw_code rc = find_fields(&q, tool, err);
  if (rc == MW_OK) rc = open_all(&q, rise, err);
  if (rc == MW_OK) rc = solve(&q, err);
  if (rc == MW_OK) judge(&q);
  mw_arena_free(&q.mem);
  for (int how = 0; rc == MW_OK && how < MW_N_FEED; how++)
    rc = mw_feed_run_make(model, m, rom, sc, (mw_feed_drive)how, mem, &o, err);
  if (rc == MW_OK) *out = o;
  return rc;
}
