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
#include "verdict/certtext_layer.h"

// Relative error of the mid-point rates at which a step ends: at most, and at least: above
// rounding.
// The first lies below what the balance of energy can show (tests/bench/bench_energy.c prints the
// same first digits at 1e-12).
static const double STEP_TOL = 1e-8, LEAST_TOL = 1e-12;

// ---- stepping -----------------------------------------------------------------------------------

// Fields at the state, and the coordinates of the drives.
static mw_code look(mw_rom_sim *q, double t, mw_error *err)
{
  mw_rom_info info = { 0 };
  return mw_rom_sim_explain(q, mw_rom_outputs(q->rom, q->x, q->y, q->y_dot, q->work, &info), &info,
                            t, err);
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
  mw_rom_call call = { .rom = &trial, .opt = &q->opt, .u = u, .thdd_p = thdd };
  call.work = q->work_sens;
  call.info = &info;
  mw_rom_code code = mw_rom_outputs_jacobian(&call, q->x, &out);
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

// Fills e at the state, and q->u: forces of prescribed drives come from the equations of motion,
// the others are those at t. What q->u held, as the step has seen it, goes to e->held.
static mw_code look_at_end(mw_rom_sim *q, double t, mw_rom_end *e, mw_error *err)
{
  mw_rom_info info = { 0 };
  mw_rom_call call = { .rom = q->rom, .opt = &q->opt, .work = q->work, .info = &info };
  mw_code rc = look(q, t, err);
  for (int d = 0; d < q->rom->n_u; d++) e->held[d] = q->u[d];
  mw_control_force_before(&q->control, t, q->h, q->u);
  if (rc == MW_OK) rc = reactions(q, t, q->u, err);
  if (rc == MW_OK)
    rc = mw_rom_sim_explain(q, mw_rom_energy(&call, q->x, &e->T, &e->V, &e->lost), &info, t, err);
  for (int d = 0; d < q->rom->n_u; d++) {
    e->u[d] = q->u[d];
    e->rate[d] = q->y_dot[q->rom->u_field[d]];
  }
  return rc;
}

// Work of a step between its ends a and b: forces held over the step, those of prescribed drives
// changing.
static double work_of(const mw_rom_sim *q, const mw_rom_end *a, const mw_rom_end *b)
{
  double P = -a->lost - b->lost;
  for (int d = 0; d < q->rom->n_u; d++) {
    double y[3];
    bool prescribed = mw_control_prescribed(q->sc, d, 0.0, y);
    P += (prescribed ? a->u[d] : b->held[d]) * a->rate[d] +
         (prescribed ? b->u[d] : b->held[d]) * b->rate[d];
  }
  return 0.5 * q->part * P;
}

mw_rom_code mw_rom_sim_step(mw_rom_sim *q, double t, double part, mw_rom_info *info)
{
  double thdd[MW_ROM_MAX_S];
  q->part = part;
  mw_control_force(&q->control, t + 0.5 * part, q->u);
  follow(q, t, thdd);
  mw_rom_call call = { .rom = q->rom, .opt = &q->opt, .h = part, .u = q->u, .thdd_p = thdd };
  call.work = q->work;
  call.info = info;
  return mw_rom_step(&call, q->x);
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

// ---- the path -----------------------------------------------------------------------------------

static void coords(void *p, double *s)
{
  const mw_rom_sim *q = p;
  for (int c = 0; c < q->mech->n_coord; c++)
    s[c] = q->y_coord[c] >= 0 ? q->y[q->y_coord[c]] : (double)NAN;
}

static void keep(void *p)
{
  mw_rom_sim *q = p;
  memcpy(q->kept, q->x, 2 * (size_t)(q->rom->s + q->rom->m) * sizeof *q->x);
}

static mw_code step(void *p, mw_span *sp, mw_error *err)
{
  mw_rom_sim *q = p;
  double start = mw_wall_time();
  mw_rom_info info = { 0 };
  if (sp->tau >= 0.0) {
    mw_code sampled = mw_rom_sim_sample(q, sp->t, err);
    if (sampled != MW_OK) return sampled;
  }
  memcpy(q->before, q->x + q->rom->s + q->rom->m, (size_t)q->rom->s * sizeof *q->before);
  mw_modal_begin(&q->modal, q->x);
  mw_rom_code code = mw_rom_sim_step(q, sp->t, sp->h, &info);
  q->r->wall_s += mw_wall_time() - start;
  q->r->iterations += info.iterations;
  mw_code rc = mw_rom_sim_explain(q, code, &info, sp->t, err);
  return rc == MW_OK ? look(q, sp->t + sp->h, err) : rc;
}

// Takes the step again, from the state it began with.
static mw_code within(void *p, const mw_span *sp, bool failed, double tau, mw_error *err)
{
  mw_rom_sim *q = p;
  mw_rom_info info = { 0 };
  mw_rom_code code = MW_ROM_OK;
  (void)failed;
  memcpy(q->x, q->kept, 2 * (size_t)(q->rom->s + q->rom->m) * sizeof *q->x);
  if (tau > 0.0) code = mw_rom_sim_step(q, sp->t, tau, &info);
  q->part = tau;
  mw_code rc = mw_rom_sim_explain(q, code, &info, sp->t, err);
  return rc == MW_OK ? look(q, sp->t + tau, err) : rc;
}

static void drifted(mw_rom_sim *q)
{
  double K[MW_ROM_MAX_S * MW_ROM_MAX_S];
  mw_drift_stiffness(&q->drift, q->modal.state, K);
  mw_drift_end(&q->drift, K, q->part);
}

// What the run says of its own errors, and work.
static mw_code accept(void *p, const mw_span *sp, mw_error *err)
{
  mw_rom_sim *q = p;
  double t = sp->t + q->part;
  mw_code rc = MW_OK;
  if (q->part > 0.0) rc = mw_modal_end(&q->modal, q->x, q->part, err);
  if (rc != MW_OK) return rc;
  const mw_reduction_in *in = &q->model->reduction;
  const double *rate = q->x + q->rom->s + q->rom->m;
  if (q->part > 0.0) mw_fast_look(in, q->before, rate, q->part, t, &q->fast);
  mw_above_end(&q->above, t, q->part);
  if (q->part > 0.0) mw_damped_end(&q->damped, q->x, t, q->part);
  if (q->part > 0.0) drifted(q);
  rc = mw_coarse_end(q, sp->t, sp->tau >= 0.0, kinked(q, sp->t), err);
  if (rc == MW_OK) rc = look_at_end(q, t, &q->b, err);
  if (rc != MW_OK) return rc;
  q->energy += work_of(q, &q->a, &q->b);
  mw_rom_end swap = q->a;
  q->a = q->b;
  q->b = swap;
  return MW_OK;
}

// Accelerations of all fields under the forces in q->u, into q->Y.
static mw_code accelerations(mw_rom_sim *q, double t, mw_error *err)
{
  double thdd[MW_ROM_MAX_S] = { 0.0 };
  mw_rom_info info = { 0 };
  for (int i = 0; i < q->rom->s; i++) {
    double r[3] = { 0.0 };
    if (q->theta_drive[i] >= 0) (void)mw_control_prescribed(q->sc, q->theta_drive[i], t, r);
    thdd[i] = r[2];
  }
  const mw_rom_outputs_sens out = { .Y = q->Y };
  mw_rom trial = *q->rom;
  trial.u_max = NULL;  // looked at by reactions
  mw_rom_call call = { .rom = &trial, .opt = &q->opt, .u = q->u, .thdd_p = thdd };
  call.work = q->work_sens;
  call.info = &info;
  return mw_rom_sim_explain(q, mw_rom_outputs_jacobian(&call, q->x, &out), &info, t, err);
}

// Observed outputs of instant k, whose s and force stand: of the fields, their rates and
// accelerations, and of the fields without amplitudes.
static mw_code see(mw_rom_sim *q, int k, mw_run *r, mw_error *err)
{
  int n = q->rom->s + q->rom->m, rows = mw_output_row(q->model, q->model->n_output);
  mw_observing *z = &q->observer;
  mw_rom_info info = { 0 };
  mw_code rc = MW_OK;
  if (!z->on) return MW_OK;
  if (z->needs & MW_SEES_ACCELERATION) rc = accelerations(q, r->t[k], err);
  for (int i = 0; rc == MW_OK && i < rows; i++) {
    z->y[i] = q->y[q->y_out[i]];
    z->y_dot[i] = q->y_dot[q->y_out[i]];
    z->y_ddot[i] = q->Y[2 * q->rom->n_y + q->y_out[i]];
  }
  if (rc == MW_OK && z->needs & MW_SEES_REST) {
    memcpy(q->x_rest, q->x, (size_t)q->rom->s * sizeof *q->x_rest);
    memset(q->x_rest + q->rom->s, 0, (size_t)(2 * n - q->rom->s) * sizeof *q->x_rest);
    rc = mw_rom_sim_explain(q, mw_rom_outputs(q->rom, q->x_rest, q->Y, NULL, q->work, &info), &info,
                            r->t[k], err);
    for (int i = 0; i < rows; i++) z->y_rest[i] = q->Y[q->y_out[i]];
  }
  if (rc == MW_OK) mw_observing_put(z, k, NULL, r);
  return rc;
}

// The outputs, joint coordinates, forces and energies of the state.
static mw_code observe(void *p, int k, mw_run *r, mw_error *err)
{
  mw_rom_sim *q = p;
  size_t no = (size_t)r->n_out, ng = (size_t)r->n_gauge, nc = (size_t)r->n_coord,
         nd = (size_t)r->n_drive, i = (size_t)k;
  const double *delta = q->x + q->rom->s, *rate = delta + q->rom->m + q->rom->s;
  mw_reach_look(q->file, delta, r->t[k], q->seen);
  mw_swing_look(q->file, delta, rate, r->t[k], &q->swing);
  mw_drift_look(&q->drift, q->x, r->t[k]);
  for (size_t o = 0; o < no; o++) put_output(q, r->out[o], r->y + 3 * (i * no + o));
  for (size_t g = 0; g < ng; g++) put_output(q, r->gauge[g], r->stress + 6 * (i * ng + g));
  coords(q, r->s + i * nc);
  for (size_t c = 0; c < nc; c++) {
    int f = q->y_coord[c];
    r->s_dot[i * nc + c] = f >= 0 ? q->y_dot[f] : (double)NAN;
  }
  for (size_t d = 0; d < nd; d++) r->force[i * nd + d] = q->u[d];
  r->kinetic[k] = q->a.T;
  r->potential[k] = q->a.V;
  r->work[k] = q->energy;
  r->residual[k] = NAN;  // the columns keep the joints: nothing is solved for
  return see(q, k, r, err);
}

static void show(void *p, mw_snapshot *out) { out->x = ((mw_rom_sim *)p)->x; }

// An error ε of a mode's rates, measured against (2/h) |δ| (rom_mid.c), is one of 4ε/(ωh)² in its
// acceleration and of 2ε/(ωh)² in its frequency; the mid-point rule's own is (ωh)²/12. A twentieth
// of that for the softest mode: ε = (ωh)⁴/480.
static double iterate_to(const mw_modal *z, double h)
{
  double x = z->file->rom.m > 0 ? fmax(z->w[0], 0.0) * h * h : 1.0;
  return fmin(STEP_TOL, fmax(LEAST_TOL, x * x / 480.0));
}

// Coordinates that nothing prescribes and no controller brings back, as bits.
static unsigned unheld(const mw_rom_sim *q)
{
  unsigned bits = (1u << q->rom->s) - 1u;
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    int joint = q->model->drive[a->drive].joint;
    int i = joint >= 0 && q->mech->joint[joint].coord >= 0
                ? mw_rom_sim_theta(q, q->mech->joint[joint].coord)
                : -1;
    if (i >= 0 && a->kind != MW_ACTION_FORCE) bits &= ~(1u << i);
  }
  return bits;
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
  if (rc == MW_OK) rc = mw_drift_init(&q->drift, &q->modal, unheld(q), r->n_out, row, &q->mem, err);
  if (rc == MW_OK && q->opt.method == MW_ROM_MIDPOINT)
    rc = mw_coarse_init(q, r->n_out, row, &q->mem, err);
  return rc;
}

static mw_code open(void *p, const mw_path_in *in, double h, mw_run *r, mw_error *err)
{
  mw_rom_sim *q = p;
  const mw_rom_run_opt *opt = in->opt;
  q->model = in->model;
  q->mech = in->mech;
  q->file = in->rom;
  q->rom = &in->rom->rom;
  q->sc = in->sc;
  q->h = h;
  q->r = r;
  q->opt = mw_rom_opt_default();
  q->opt.inertia = in->rom->inertia;
  // friction and stops are in the linear part of the exponential step; the mid-point rule would
  // have to iterate them
  q->opt.method = opt->method != MW_ROM_N_METHOD ? opt->method
                  : q->rom->n_law > 0            ? MW_ROM_EXPONENTIAL
                                                 : MW_ROM_MIDPOINT;
  q->opt.tol = STEP_TOL;
  mw_code rc = mw_rom_sim_fields(q, err);
  if (rc == MW_OK) rc = mw_rom_sim_prescribed(q, err);
  if (rc == MW_OK) rc = mw_rom_sim_memory(q, err);
  if (rc == MW_OK)
    rc = mw_control_build(q->model, q->sc, q->sc->control_period, &q->mem, &q->control, err);
  q->cosim = in->cosim;
  q->control.units = mw_cosim_units(in->cosim);
  if (rc == MW_OK) rc = mw_rom_sim_check_units(q, err);
  if (rc == MW_OK) rc = mw_control_feed(&q->control, q->mech, &q->mem, err);
  if (rc == MW_OK) rc = mw_observing_init(q->mech, &q->mem, &q->observer, err);
  mw_run_note_unseen(r, MW_OUTPUT_REACTION, "its columns keep the joints");
  return rc;
}

static mw_code start(void *p, mw_error *err)
{
  mw_rom_sim *q = p;
  mw_code rc = mw_rom_sim_start(q, err);
  if (rc == MW_OK) rc = mw_modal_init(&q->modal, q->file, q->x, &q->mem, err);
  if (rc == MW_OK) q->opt.tol = iterate_to(&q->modal, q->h);
  if (rc == MW_OK) rc = watch_errors(q, q->r, err);
  if (rc == MW_OK) rc = look(q, 0.0, err);
  if (rc != MW_OK) return rc;
  rc = mw_rom_sim_sample(q, 0.0, err);
  if (rc != MW_OK) return rc;
  mw_control_force(&q->control, 0.0, q->u);
  return look_at_end(q, 0.0, &q->a, err);
}

static mw_code plant(void *p, mw_arena *mem, mw_plant *out, const mw_control **c, mw_error *err)
{
  mw_rom_sim *q = p;
  *c = &q->control;
  return mw_rom_sim_plant(q, mem, out, err);
}

static int parts(void *p, mw_part *part)
{
  mw_rom_sim *q = p;
  size_t f64 = sizeof(double), nu = (size_t)q->rom->n_u * f64;
  const mw_part all[] = {
    { q->x, 2 * (size_t)(q->rom->s + q->rom->m) * f64 },
    { q->u, nu },
    { q->a.u, nu },
    { q->a.rate, nu },
    { &q->a.lost, f64 },
    { &q->a.T, f64 },
    { &q->a.V, f64 },
    { &q->energy, f64 },
    { &q->part, f64 },
    { q->seen, sizeof q->seen },
    { &q->swing, sizeof q->swing },
    { &q->fast, sizeof q->fast },
  };
  memcpy(part, all, sizeof all);
  int n = (int)(sizeof all / sizeof *all);
  n += mw_control_parts(&q->control, part + n);
  n += mw_modal_parts(&q->modal, part + n);
  n += mw_above_parts(&q->above, part + n);
  n += mw_damped_parts(&q->damped, part + n);
  n += mw_drift_parts(&q->drift, part + n);
  return n + mw_coarse_parts(q, part + n);
}

static mw_code resume(void *p, mw_error *err)
{
  mw_rom_sim *q = p;
  return look(q, 0.0, err);
}

static void warn_of_certificate(const mw_rom_file *f, mw_run *r)
{
  char text[384];
  if (!mw_certificate_missed_text(&f->certificate, text, sizeof text)) return;
  r->missed = "the reduced model";
  mw_run_add_warning(r, "%s misses its certificate: %s", r->missed, text);
}

static mw_code finish(void *p, mw_run *r, mw_error *err)
{
  mw_rom_sim *q = p;
  r->unknowns = q->rom->s + q->rom->m;
  warn_of_certificate(q->file, r);
  mw_code rc = mw_reach_warn(q->file, q->seen, &q->swing, r, err);
  if (rc == MW_OK) rc = mw_free_warn(q->file, q->opt.prescribed, r, err);
  if (rc == MW_OK) rc = mw_fast_warn(q->mech, q->file, &q->fast, r, err);
  if (rc == MW_OK) rc = mw_above_warn(&q->above, q->sc, r, err);
  if (rc == MW_OK) rc = mw_coarse_warn(q, r, err);
  if (rc == MW_OK) rc = mw_damped_warn(&q->damped, q->h, r, err);
  if (rc == MW_OK) rc = mw_drift_warn(&q->drift, r, err);
  if (rc == MW_OK) mw_run_warn_limited(r, &q->control);
  return rc;
}

static void close_path(void *p) { mw_arena_free(&((mw_rom_sim *)p)->mem); }

const mw_path mw_path_gmp = { .name = "gmp",
                              .bytes = sizeof(mw_rom_sim),
                              .grid = true,
                              .lands = true,
                              .times = true,
                              .open = open,
                              .start = start,
                              .plant = plant,
                              .coords = coords,
                              .step = step,
                              .keep = keep,
                              .within = within,
                              .accept = accept,
                              .observe = observe,
                              .show = show,
                              .parts = parts,
                              .resume = resume,
                              .finish = finish,
                              .close = close_path };

// ---- runs ---------------------------------------------------------------------------------------

mw_rom_run_opt mw_rom_run_opt_default(void)
{
  return (mw_rom_run_opt){ .method = MW_ROM_N_METHOD };
}

mw_code mw_rom_run(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                   const mw_scenario *sc, const mw_rom_run_opt *opt, mw_progress *p, mw_run *out,
                   mw_error *err)
{
  const mw_rom_run_opt usual = mw_rom_run_opt_default();
  if (!opt) opt = &usual;
  const mw_path_in in = { .model = model,
                          .mech = mech,
                          .sc = sc,
                          .name = "gmp",
                          .step = opt->step > 0.0 ? opt->step : sc->step,
                          .opt = opt,
                          .rom = rom };
  return mw_loop_run(&mw_path_gmp, &in, opt->watch, p, out, err);
}

mw_code mw_rom_run_start(const mw_model *model, const mw_mech *mech, const mw_rom_file *rom,
                         const mw_scenario *sc, double *x, mw_error *err)
{
  const mw_rom_run_opt usual = mw_rom_run_opt_default();
  const mw_path_in in = { .model = model, .mech = mech, .sc = sc, .opt = &usual, .rom = rom };
  mw_run r = { 0 };
  mw_rom_sim q = { 0 };
  mw_code rc = mw_run_init(model, sc, "gmp", mech->n_coord, &r, err);
  if (rc == MW_OK) rc = open(&q, &in, sc->step, &r, err);
  if (rc == MW_OK) rc = start(&q, err);
  if (rc == MW_OK) memcpy(x, q.x, 2 * (size_t)(q.rom->s + q.rom->m) * sizeof *x);
  close_path(&q);
  mw_run_free(&r);
  return rc;
}
