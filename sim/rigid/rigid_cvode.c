// SPDX-License-Identifier: BSD-3-Clause
// rigid_cvode.c: adaptive integration by CVODE's backward differentiation or Adams formulas, with
// projection.
//
//   y = (q, v, W) ,   q' = v ,   v' = a(t, q, v) ,   W' = power                                 (1)
//
// After each step q and v are projected onto g(q, t) = 0, E orthonormal and J v̂ + g_t = 0; the
// error estimate is projected with them (what the projection takes away is no error). By Adams
// formulas, where CVODE has no such step, rates are those at the projected P(q, v), and draw what
// is projected back,
//   y' = f(P(y)) + (0.2/h)(P(y) − y)                      h the step before                   (2)
// without which it drifts off for good and singular positions, where P jumps, are not passed. 0.2
// is by trial, of 0.1 to 0.3 on the mechanisms of bench_workprecision: from 0.25 on formulas of
// high order begin to grow. What an instant shows is projected. W is there only
// where forces have power.
//
// Weights: tolerance × (|y_i| + scale), the scale of q being the mechanism's size (o) and 1 (E,
// rotors), of v the same a second, of W what the bodies' weight lifts through the size plus what
// they carry at size a second.
//
// The implicit equation is solved by fixed-point iteration where nothing in the mechanism is stiff
// or damped, else by Newton's method with GMRES, preconditioned by the mechanism's own elimination
// (rigid_stiff.c).
// [Hindmarsh2005] CVODE and IDA: Hindmarsh et al., ACM TOMS 31 (2005) 363-396.
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "rigid_stiff_priv.h"

static const double CLOSED = 0.1;  // of the tolerance: gaps rounding may leave
static const double CRAWL = 1e-9;  // of the duration: steps by which no run comes to its end
static const double BACK = 0.2;    // of what is projected, a step of Adams formulas
enum { KRYLOV = 20, STUCK = 100 };

struct mw_rigid_adapt {
  mw_rigid_sim *s;           // borrowed
  const mw_rigid_events *e;  // borrowed
  SUNContext ctx;
  void *cv;
  N_Vector y, scale;  // (1); absolute tolerances
  SUNNonlinearSolver nls;
  SUNLinearSolver ls;
  long n_steps, n_iter;  // before the last restart
  double t;              // s, reached
  int stuck;             // steps since it last advanced (Adams: by more than CRAWL)
  double fresh;          // s, where Adams formulas were begun anew because of that
  double *q, *v, *a;     // [n_q]  scratch
  mw_rigid_stiff stiff;  // the preconditioner
  int *root;             // [2 n_limit]  what CVODE says of the limits
  mw_error why;          // last failure of the mechanism
  mw_arena mem;
};

// ---- what CVODE calls ---------------------------------------------------------------------------

// (2): CVODE projects after steps of backward differentiation alone.
static int rhs_adams(realtype t, N_Vector y, N_Vector y_dot, void *data)
{
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  const double *q = N_VGetArrayPointer(y);
  double *d = N_VGetArrayPointer(y_dot), power = 0.0, h = 0.0;
  size_t n = (size_t)s->n.n_q;
  (void)CVodeGetLastStep(a->cv, &h);
  const double back = h > 0.0 ? BACK / h : 0.0;
  memcpy(a->q, q, n * sizeof *q);
  memcpy(d, q + n, n * sizeof *q);
  mw_code rc = mw_rigid_land(s, t, a->q, d, d + n, &power, &a->why);
  for (size_t i = 0; i < n; i++) {
    d[n + i] += back * (d[i] - q[n + i]);
    d[i] += back * (a->q[i] - q[i]);
  }
  if (s->has_power) d[2 * n] = power;
  return rc == MW_OK ? 0 : 1;
}

static int rhs(realtype t, N_Vector y, N_Vector y_dot, void *data)
{
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  const double *q = N_VGetArrayPointer(y), *v = q + s->n.n_q;
  double *d = N_VGetArrayPointer(y_dot);
  size_t n = (size_t)s->n.n_q;
  memcpy(d, v, n * sizeof *d);
  mw_code rc = mw_rigid_accel(s->r, s->w, t, q, v, d + n, &a->why);
  if (rc == MW_OK && s->has_power) {
    mw_rigid_energy e;
    mw_rigid_energies(s->r, s->w, t, q, v, &e);
    d[2 * n] = e.power;
  }
  return rc == MW_OK ? 0 : 1;
}

static int project(realtype t, N_Vector y, N_Vector corr, realtype eps, N_Vector err, void *data)
{
  (void)eps;  // our own tolerance is absolute
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  size_t n = (size_t)s->n.n_q;
  const double *q = N_VGetArrayPointer(y), *v = q + n;
  double *c = N_VGetArrayPointer(corr), *e = err ? N_VGetArrayPointer(err) : NULL;
  memcpy(a->q, q, n * sizeof *q);
  memcpy(a->v, v, n * sizeof *v);
  mw_code rc =
      mw_rigid_sim_close(s, t, a->q, a->v, CLOSED * s->in.tolerance * s->size, false, &a->why);
  if (rc != MW_OK) return 1;
  for (size_t i = 0; i < n; i++) {
    c[i] = a->q[i] - q[i];
    c[n + i] = a->v[i] - v[i];
  }
  if (s->has_power) c[2 * n] = 0.0;
  // P(v + e) − v: the projection of rates is affine
  for (int k = 0; e && rc == MW_OK && k < 2; k++) {
    for (size_t i = 0; i < n; i++) a->a[i] = a->v[i] + e[(size_t)k * n + i];
    rc = mw_rigid_project_v(s->r, s->w, t, a->q, a->a, false, &a->why);
    for (size_t i = 0; i < n; i++) e[(size_t)k * n + i] = a->a[i] - a->v[i];
  }
  return rc == MW_OK ? 0 : 1;
}

static int limits(realtype t, N_Vector y, realtype *g, void *data)
{
  (void)t;
  mw_rigid_adapt *a = data;
  mw_rigid_events_eval(a->s, a->e, N_VGetArrayPointer(y), g);
  return 0;
}

// ---- preconditioner -----------------------------------------------------------------------------

static int precondition_setup(realtype t, N_Vector y, N_Vector fy, booleantype ok,
                              booleantype *current, realtype gamma, void *data)
{
  (void)fy;
  (void)ok;
  mw_rigid_adapt *a = data;
  mw_rigid_stiff_factor(&a->stiff, t, N_VGetArrayPointer(y), gamma);
  *current = SUNTRUE;
  return 0;
}

static int precondition(realtype t, N_Vector y, N_Vector fy, N_Vector r, N_Vector z, realtype gamma,
                        realtype delta, int side, void *data)
{
  (void)t;
  (void)y;
  (void)fy;
  (void)delta;
  (void)side;
  mw_rigid_adapt *a = data;
  size_t n = (size_t)a->s->n.n_q;
  const double *from = N_VGetArrayPointer(r);
  double *to = N_VGetArrayPointer(z);
  mw_rigid_stiff_solve(&a->stiff, gamma, from, to);
  if (a->s->has_power) to[2 * n] = from[2 * n];
  return 0;
}

// ---- errors -------------------------------------------------------------------------------------

// CVODE's own messages say nothing its flag does not.
static void quiet(int code, const char *module, const char *function, char *msg, void *data)
{
  (void)code;
  (void)module;
  (void)function;
  (void)msg;
  (void)data;
}

static mw_code failed(const mw_rigid_adapt *a, int flag, mw_error *err)
{
  if (flag == CV_MEM_FAIL || flag == CV_MEM_NULL)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  char *name = CVodeGetReturnFlagName(flag);
  mw_code rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "t = %g s: CVODE gives up, %s%s%.300s",
                       a->t, name ? name : "", a->why.msg[0] ? ": " : "", a->why.msg);
  free(name);
  return rc;
}

// ---- life ---------------------------------------------------------------------------------------

static void cvode_close(mw_rigid_adapt *a)
{
  if (!a) return;
  if (a->cv) CVodeFree(&a->cv);
  if (a->nls) SUNNonlinSolFree(a->nls);
  if (a->ls) SUNLinSolFree(a->ls);
  if (a->y) N_VDestroy(a->y);
  if (a->scale) N_VDestroy(a->scale);
  if (a->ctx) SUNContext_Free(&a->ctx);
  mw_rigid_stiff_free(&a->stiff);
  mw_arena_free(&a->mem);
  free(a);
}

static mw_code allocate(mw_rigid_adapt *a, mw_error *err)
{
  const mw_rigid_sim *s = a->s;
  double **q[] = { &a->q, &a->v, &a->a };
  for (int i = 0; i < 3; i++) *q[i] = mw_arena_f64(&a->mem, (size_t)s->n.n_q);
  a->root = mw_arena_int(&a->mem, 2 * (size_t)a->e->n_limit);
  mw_code rc = mw_arena_check(&a->mem, err);
  if (rc == MW_OK && SUNContext_Create(NULL, &a->ctx) != 0)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc != MW_OK) return rc;
  sunindextype n = 2 * s->n.n_q + (s->has_power ? 1 : 0);
  a->y = N_VNew_Serial(n, a->ctx);
  a->scale = N_VNew_Serial(n, a->ctx);
  a->cv = CVodeCreate(s->in.method == MW_METHOD_ADAMS ? CV_ADAMS : CV_BDF, a->ctx);
  return a->y && a->scale && a->cv ? MW_OK
                                   : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
}

// Absolute tolerances; the state into y.
static void weights(mw_rigid_adapt *a)
{
  const mw_rigid_sim *s = a->s;
  double *x = N_VGetArrayPointer(a->scale);
  mw_rigid_sim_scales(s, x);
  if (s->has_power) x[2 * s->n.n_q] = s->in.tolerance * mw_rigid_sim_joule(s);
}

static void state_in(mw_rigid_adapt *a)
{
  const mw_rigid_sim *s = a->s;
  size_t n = (size_t)s->n.n_q;
  double *y = N_VGetArrayPointer(a->y);
  memcpy(y, s->q, n * sizeof *y);
  memcpy(y + n, s->v, n * sizeof *y);
  if (s->has_power) y[2 * n] = s->work;
  a->t = s->t;
  if (!s->stiff) return;
  mw_rigid_stiff_begin(&a->stiff);
  mw_rigid_stiff_accept(&a->stiff, s->q);
}

static int nonlinear_solver(mw_rigid_adapt *a)
{
  if (!a->s->stiff) {
    a->nls =
        SUNNonlinSol_FixedPoint(a->y, 0, a->ctx);  // two iterations a step: nothing to accelerate
    return a->nls ? CVodeSetNonlinearSolver(a->cv, a->nls) : CV_MEM_FAIL;
  }
  a->nls = SUNNonlinSol_Newton(a->y, a->ctx);
  a->ls = SUNLinSol_SPGMR(a->y, SUN_PREC_LEFT, KRYLOV, a->ctx);
  if (!a->nls || !a->ls) return CV_MEM_FAIL;
  int flag = CVodeSetNonlinearSolver(a->cv, a->nls);
  if (flag == CV_SUCCESS) flag = CVodeSetLinearSolver(a->cv, a->ls, NULL);
  if (flag == CV_SUCCESS) flag = CVodeSetPreconditioner(a->cv, precondition_setup, precondition);
  return flag;
}

static int settings(mw_rigid_adapt *a)
{
  bool adams = a->s->in.method == MW_METHOD_ADAMS;
  int flag = CVodeSetErrHandlerFn(a->cv, quiet, a);
  if (flag == CV_SUCCESS) flag = CVodeInit(a->cv, adams ? rhs_adams : rhs, a->t, a->y);
  if (flag == CV_SUCCESS) flag = CVodeSetUserData(a->cv, a);
  if (flag == CV_SUCCESS) flag = CVodeSVtolerances(a->cv, a->s->in.tolerance, a->scale);
  if (flag == CV_SUCCESS) flag = CVodeSetMaxNumSteps(a->cv, -1);
  if (flag == CV_SUCCESS && !adams) flag = CVodeSetProjFn(a->cv, project);
  if (flag == CV_SUCCESS && !adams) flag = CVodeSetProjFrequency(a->cv, 1);
  if (flag == CV_SUCCESS) flag = nonlinear_solver(a);
  if (flag == CV_SUCCESS && a->e->n_limit > 0)
    flag = CVodeRootInit(a->cv, 2 * a->e->n_limit, limits);
  if (flag == CV_SUCCESS && a->e->n_limit > 0) flag = CVodeSetNoInactiveRootWarn(a->cv);
  return flag;
}

static mw_code cvode_open(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out,
                          mw_error *err)
{
  mw_rigid_adapt *a = calloc(1, sizeof *a);
  if (!a) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  a->s = s;
  a->e = e;
  a->fresh = -INFINITY;
  mw_code rc = allocate(a, err);
  if (rc == MW_OK && s->stiff) rc = mw_rigid_stiff_build(s, &a->stiff, err);
  if (rc == MW_OK) {
    weights(a);
    state_in(a);
    int flag = settings(a);
    if (flag != CV_SUCCESS) rc = failed(a, flag, err);
  }
  if (rc == MW_OK)
    *out = a;
  else
    cvode_close(a);
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

static long cvode_steps(const mw_rigid_adapt *a)
{
  long n = 0;
  (void)CVodeGetNumSteps(a->cv, &n);
  return a->n_steps + n;
}

static long iterations(const mw_rigid_adapt *a)
{
  long n = 0;
  (void)CVodeGetNumNonlinSolvIters(a->cv, &n);
  return a->n_iter + n;
}

static mw_code cvode_restart(mw_rigid_adapt *a, mw_error *err)
{
  a->n_steps = cvode_steps(a);
  a->n_iter = iterations(a);
  state_in(a);
  int flag = CVodeReInit(a->cv, a->t, a->y);
  return flag == CV_SUCCESS ? MW_OK : failed(a, flag, err);
}

// Begins anew where it crawls, at what joints allow, once a place: formulas of high order and what
// lies off it may be why.
static mw_code unstick(mw_rigid_adapt *a, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t n = (size_t)s->n.n_q;
  const double *y = N_VGetArrayPointer(a->y);
  if (a->t <= a->fresh + STUCK * CRAWL * s->sc->duration) return failed(a, CV_TOO_MUCH_ACC, err);
  a->fresh = a->t;
  a->stuck = 0;
  memcpy(s->q, y, n * sizeof *y);
  memcpy(s->v, y + n, n * sizeof *y);
  if (s->has_power) s->work = y[2 * n];
  s->t = a->t;
  mw_code rc = mw_rigid_sim_project(s, false, err);
  return rc == MW_OK ? cvode_restart(a, err) : rc;
}

static mw_code cvode_step(mw_rigid_adapt *a, double stop, int *event, mw_error *err)
{
  double before = a->t;
  *event = -1;
  a->why.msg[0] = '\0';
  int flag = CVodeSetStopTime(a->cv, stop);
  if (flag == CV_SUCCESS) flag = CVode(a->cv, stop, a->y, &a->t, CV_ONE_STEP);
  if (flag < 0) return failed(a, flag, err);
  // Adams formulas go on towards a dead point in ever shorter steps, of which none fails
  double least = a->s->in.method == MW_METHOD_ADAMS ? CRAWL * a->s->sc->duration : 0.0;
  a->stuck = a->t > before + least ? 0 : a->stuck + 1;
  if (a->stuck > STUCK && least > 0.0) return unstick(a, err);
  if (a->stuck > STUCK) return failed(a, CV_TOO_MUCH_ACC, err);
  if (flag == CV_ROOT_RETURN && CVodeGetRootInfo(a->cv, a->root) == CV_SUCCESS)
    *event = mw_rigid_events_found(a->e, a->root);
  mw_rigid_accept(a->s->r, a->s->w, N_VGetArrayPointer(a->y));
  if (a->s->stiff) mw_rigid_stiff_accept(&a->stiff, N_VGetArrayPointer(a->y));
  a->s->iterations = (int)iterations(a);
  return mw_rigid_accept_turns(a->s->r, a->s->w, a->t, N_VGetArrayPointer(a->y), err);
}

static mw_code cvode_at(mw_rigid_adapt *a, double t, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t n = (size_t)s->n.n_q;
  int flag = CVodeGetDky(a->cv, t, 0, a->y);
  if (flag != CV_SUCCESS) return failed(a, flag, err);
  const double *y = N_VGetArrayPointer(a->y);
  memcpy(s->q, y, n * sizeof *y);
  memcpy(s->v, y + n, n * sizeof *y);
  if (s->has_power) s->work = y[2 * n];
  s->t = t;
  return mw_rigid_sim_project(s, false, err);
}

static double cvode_time(const mw_rigid_adapt *a) { return a->t; }

const mw_rigid_adapt_kind mw_rigid_cvode = { .open = cvode_open,
                                             .restart = cvode_restart,
                                             .step = cvode_step,
                                             .time = cvode_time,
                                             .at = cvode_at,
                                             .steps = cvode_steps,
                                             .close = cvode_close };
