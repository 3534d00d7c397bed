// SPDX-License-Identifier: BSD-3-Clause
// rigid_ida.c: adaptive integration of the stabilized DAE by IDA, a second opinion beside
// rigid_cvode.c.
//
// Unknowns: frames q (E's nine numbers each), twists u = (Eᵀȯ, ω), multipliers λ and μ (Gear,
// Gupta, Leimkuhler):
//
//   q' = Q(q) (u − M⁻¹ Jᵀ μ) + κ E (1 − EᵀE)/2
//       the last term keeps E orthonormal and is zero where it is      (1)
//   M u' = f(t, q, u) − m ω × Eᵀȯ − Jsᵀ (k gs + c ġs) − Jᵀ λ                                    (2)
//   0 = g(q, t) ,   0 = J u + g_t                                                               (3)
//
// λ and μ are left out of the error test. Newton's systems are solved by GMRES with the
// preconditioner (cj = α/h):
//
//   (cj² M + Jsᵀ (k + cj c) Js) δu + Jᵀ (cj δλ) = cj r2 − Jsᵀ k Js r1 ,   J δu = r4             (4)
//   δ = (r1 + δu)/cj + x ,   cj² M x + Jᵀ (cj δμ) = 0 ,   J δ = r3         δ: tangent of δq
//
// exact but for the derivatives of f, J and Q; with rows that have a stiffness (4)'s second line
// uses the first one's matrix. Work is the integral of power by Simpson's rule over each step, at
// states IDA interpolates. Friction takes its normal forces from λ. Rolling joints have no position
// rows: they are refused.
//
// Redundant rows are left out by the factors of (4): in their place (3) says λ_i = μ_i = 0, or IDA
// would extrapolate what no equation holds. Their gaps follow from the other rows as far as E is
// orthonormal: to what the tests of errors have let pass so far. Where the factors take such a row
// for another one, its gap would have to close within a step, however short: the state is projected
// and IDA started anew. Where they had left out more rows than are redundant, near a singular
// position, and one of them has parted meanwhile, the motion was another one: the run ends.
#include <ida/ida.h>
#include <limits.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "fem/joint.h"
#include "rigid_path_layer.h"

enum { KRYLOV = 30, SCRATCH = 6 };
static const double KAPPA = 10.0;  // 1/s

struct mw_rigid_adapt {
  mw_rigid_sim *s;           // borrowed
  const mw_rigid_events *e;  // borrowed
  SUNContext ctx;
  void *ida;
  N_Vector y, yp, scale, id;  // q, u, λ, μ; rates; absolute tolerances; 1: differential
  SUNLinearSolver ls;
  long n_steps, n_iter;            // before the last restart
  double t, work, power;           // s, J, W: reached
  mw_rigid_work *w2;               // of the preconditioner
  double t2, *q2;                  // [n_q]  where the preconditioner's factors were made
  unsigned char *dropped, *drops;  // [n_row]  1: rows that its factors left out, leave out
  bool parted, lost;               // it takes a row in whose gap must close first; no other held it
  int n_redundant;                 // rows at the starts, the fewest
  double *q, *v, *a;               // [n_q]    scratch
  double *u[SCRATCH];              // [n_u]    scratch
  double *row[4],
      *soft[4];  // [n_row], [n_soft]  scratch; row[3], soft[3]: J 0, Js 0 of the preconditioner
  int *root;     // [2 n_limit]
  mw_arena mem;
};

typedef struct parts {  // of one vector
  double *q, *u, *lambda, *mu;
} parts;

static parts parts_of(const mw_rigid_sim *s, N_Vector y)
{
  double *x = N_VGetArrayPointer(y);
  return (parts){ .q = x,
                  .u = x + s->n.n_q,
                  .lambda = x + s->n.n_q + s->n.n_u,
                  .mu = x + s->n.n_q + s->n.n_u + s->n.n_row };
}

// ---- residual -----------------------------------------------------------------------------------

// out = M⁻¹ f
static void mass_solve(mw_rigid_adapt *a, const double *f, double *out)
{
  const mw_rigid_sim *s = a->s;
  for (int i = 0; i < s->n.n_u; i++) out[i] = 1.0;
  mw_rigid_sim_mass(s, out, out);
  for (int i = 0; i < s->n.n_u; i++) out[i] = f[i] / out[i];
}

// d += κ E (1 − EᵀE)/2
static void attract(const mw_rigid_sim *s, const double *q, double *d)
{
  for (int b = 0; b < s->n.n_body; b++) {
    const double *E = q + 12 * b + 3;
    double C[9];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        C[3 * i + j] =
            0.5 * KAPPA * ((i == j) - E[i] * E[j] - E[3 + i] * E[3 + j] - E[6 + i] * E[6 + j]);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        d[12 * b + 3 + 3 * i + j] +=
            E[3 * i] * C[j] + E[3 * i + 1] * C[3 + j] + E[3 * i + 2] * C[6 + j];
  }
}

// f −= m ω × Eᵀȯ: u is measured in axes that turn
static void turning_axes(const mw_rigid_sim *s, const double *u, double sign, double *f)
{
  const mw_rigid_body *body = mw_rigid_bodies(s->r);
  for (int b = 0; b < s->n.n_body; b++) {
    const double *v = u + 6 * b, *w = v + 3;
    double m = sign * body[b].m;
    f[6 * b] -= m * (w[1] * v[2] - w[2] * v[1]);
    f[6 * b + 1] -= m * (w[2] * v[0] - w[0] * v[2]);
    f[6 * b + 2] -= m * (w[0] * v[1] - w[1] * v[0]);
  }
}

// Right-hand side of (2), rows (3) into g, g_dot; leaves J at q in s->w. lambda NULL: none,
// friction as last known.
static void forces(mw_rigid_adapt *a, double t, const double *q, const double *u,
                   const double *lambda, double *f, double *g, double *g_dot)
{
  mw_rigid_sim *s = a->s;
  const double *k = mw_rigid_soft_k(s->r), *c = mw_rigid_soft_c(s->r);
  mw_rigid_force(s->r, s->w, t, q, u, true, f);
  turning_axes(s, u, 1.0, f);
  mw_rigid_rows(s->r, s->w, t, q, u, g, g_dot, a->soft[0], a->soft[1]);
  for (int i = 0; i < s->n.n_soft; i++) a->soft[0][i] = k[i] * a->soft[0][i] + c[i] * a->soft[1][i];
  mw_rigid_add_reaction(s->r, s->w, lambda, a->soft[0], f);
}

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *data)
{
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  parts x = parts_of(s, y), d = parts_of(s, yp), out = parts_of(s, r);
  double *f = a->u[0], *pull = a->u[1];
  forces(a, t, x.q, x.u, x.lambda, f, out.lambda, out.mu);
  // (2)
  mw_rigid_sim_mass(s, d.u, out.u);
  for (int i = 0; i < s->n.n_u; i++) out.u[i] -= f[i];
  // (1): pull = −M⁻¹ Jᵀ μ
  memset(f, 0, (size_t)s->n.n_u * sizeof *f);
  memset(a->soft[0], 0, (size_t)s->n.n_soft * sizeof(double));
  mw_rigid_add_reaction(s->r, s->w, x.mu, a->soft[0], f);
  mass_solve(a, f, pull);
  for (int i = 0; i < s->n.n_u; i++) pull[i] += x.u[i];
  mw_rigid_rates(s->r, x.q, pull, a->v);
  attract(s, x.q, a->v);
  for (int i = 0; i < s->n.n_q; i++) out.q[i] = d.q[i] - a->v[i];
  for (int i = 0; i < s->n.n_row; i++)
    if (a->dropped[i]) {
      out.lambda[i] = x.mu[i];
      out.mu[i] = x.lambda[i];
    }
  return 0;
}

static int limits(realtype t, N_Vector y, N_Vector yp, realtype *g, void *data)
{
  (void)t;
  (void)yp;
  mw_rigid_adapt *a = data;
  mw_rigid_events_eval(a->s, a->e, N_VGetArrayPointer(y), g);
  return 0;
}

// ---- preconditioner (4) -------------------------------------------------------------------------

// Says whether the factors just made take in a row that was left out before and has since parted by
// more than the tolerance, which the test of errors lets a step change by, or parts so fast. Notes
// in a->lost whether a row left out beyond the redundant ones has parted by many times that.
static bool takes_parted_row(mw_rigid_adapt *a, const double *u)
{
  static const double MANY = 10.0;  // of the tolerance: more than predictors leave of a row
  const mw_rigid_sim *s = a->s;
  double unit = s->in.tolerance * fmin(1.0, s->size), taken = 0.0, left = 0.0;
  int before = 0, now = 0;
  bool other = false;
  mw_rigid_kkt_dropped(s->r, a->w2, a->drops);
  for (int i = 0; i < s->n.n_row; i++) {
    other = other || (a->dropped[i] && !a->drops[i]);
    before += a->dropped[i];
    now += a->drops[i];
  }
  if (other || before > a->n_redundant)
    mw_rigid_rows(s->r, a->w2, a->t2, a->q2, u, a->row[0], a->row[1], a->soft[0], a->soft[1]);
  for (int i = 0; i < s->n.n_row; i++)
    if (a->dropped[i]) {
      double *most = a->drops[i] ? &left : &taken;
      *most = fmax(*most, fmax(fabs(a->row[0][i]), fabs(a->row[1][i])));
    }
  memcpy(a->dropped, a->drops, (size_t)s->n.n_row);
  if (before > a->n_redundant)
    a->lost = (now < before && taken > MANY * unit) || (a->n_redundant == 0 && left > MANY * unit);
  return a->lost || taken > unit;
}

static int precondition_setup(realtype t, N_Vector y, N_Vector yp, N_Vector r, realtype cj,
                              void *data)
{
  (void)yp;
  (void)r;
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  memset(a->u[5], 0, (size_t)s->n.n_u * sizeof(double));
  memcpy(a->q2, N_VGetArrayPointer(y), (size_t)s->n.n_q * sizeof(double));
  a->t2 = t;
  mw_rigid_rows(s->r, a->w2, t, N_VGetArrayPointer(y), a->u[5], a->row[0], a->row[3], a->soft[0],
                a->soft[3]);
  mw_rigid_kkt_factor(s->r, a->w2, cj * cj, cj);
  a->parted = takes_parted_row(a, parts_of(s, y).u);
  return a->parted ? -1 : 0;
}

// J u into row, Js u into soft
static void along(mw_rigid_adapt *a, const double *u, double *row, double *soft)
{
  mw_rigid_sim *s = a->s;
  mw_rigid_rows(s->r, a->w2, a->t2, a->q2, u, a->row[2], row, a->soft[2], soft);
  for (int i = 0; i < s->n.n_row; i++) row[i] -= a->row[3][i];
  for (int i = 0; i < s->n.n_soft; i++) soft[i] -= a->soft[3][i];
}

// row[1]: cj times the multipliers of dropped rows, 0 elsewhere
static void of_dropped(mw_rigid_adapt *a, const double *multiplier, double cj)
{
  for (int i = 0; i < a->s->n.n_row; i++) a->row[1][i] = a->dropped[i] ? cj * multiplier[i] : 0.0;
}

static int precondition(realtype t, N_Vector y, N_Vector yp, N_Vector r, N_Vector rhs, N_Vector z,
                        realtype cj, realtype delta, void *data)
{
  (void)t;
  (void)y;
  (void)yp;
  (void)r;
  (void)delta;
  mw_rigid_adapt *a = data;
  mw_rigid_sim *s = a->s;
  size_t nr = (size_t)s->n.n_row, ns = (size_t)s->n.n_soft;
  const double *q = a->q2, *k = mw_rigid_soft_k(s->r);
  parts b = parts_of(s, rhs), x = parts_of(s, z);
  double *r1 = a->u[0], *f = a->u[1], *d = a->u[2];
  mw_rigid_twist(s->r, q, b.q, r1);
  // first line: cj r2 − Jsᵀ k Js r1
  for (int i = 0; i < s->n.n_u; i++) f[i] = cj * b.u[i];
  along(a, r1, a->row[0], a->soft[0]);
  for (size_t i = 0; i < ns; i++) a->soft[0][i] *= k[i];
  of_dropped(a, b.mu, cj);
  mw_rigid_add_reaction(s->r, a->w2, a->row[1], a->soft[0], f);
  memset(a->soft[0], 0, ns * sizeof(double));
  mw_rigid_kkt_solve(s->r, a->w2, f, b.mu, a->soft[0], x.u, x.lambda, a->soft[1]);
  for (size_t i = 0; i < nr; i++) x.lambda[i] = a->dropped[i] ? b.mu[i] : x.lambda[i] / cj;
  // second line: J x = r3 − J d, d = (r1 + δu)/cj
  for (int i = 0; i < s->n.n_u; i++) d[i] = (r1[i] + x.u[i]) / cj;
  along(a, d, a->row[0], a->soft[0]);
  for (size_t i = 0; i < nr; i++) a->row[0][i] = b.lambda[i] - a->row[0][i];
  memset(a->soft[0], 0, ns * sizeof(double));
  memset(f, 0, (size_t)s->n.n_u * sizeof *f);
  of_dropped(a, b.lambda, cj);
  mw_rigid_add_reaction(s->r, a->w2, a->row[1], a->soft[0], f);
  mw_rigid_kkt_solve(s->r, a->w2, f, a->row[0], a->soft[0], a->u[3], x.mu, a->soft[1]);
  for (size_t i = 0; i < nr; i++) x.mu[i] = a->dropped[i] ? b.lambda[i] : x.mu[i] / cj;
  // what is no rotation of E is r1/cj
  for (int i = 0; i < s->n.n_u; i++) d[i] += a->u[3][i] - r1[i] / cj;
  mw_rigid_rates(s->r, q, d, a->a);
  for (int i = 0; i < s->n.n_q; i++) x.q[i] = b.q[i] / cj + a->a[i];
  return 0;
}

// ---- consistent values --------------------------------------------------------------------------

// y, yp from t, q, v of the run: u' from the accelerations, λ from what (2) leaves over, μ = 0.
static mw_code state_in(mw_rigid_adapt *a, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  size_t nr = (size_t)s->n.n_row;
  parts x = parts_of(s, a->y), d = parts_of(s, a->yp);
  a->t = s->t;
  a->work = s->work;
  memset(a->dropped, 0, nr);  // all rows hold
  mw_rigid_accept_coords(s->r, a->w2, mw_rigid_accepted(s->w));
  mw_rigid_accept(s->r, a->w2, s->q);
  mw_code rc = mw_rigid_sim_eval(s, err);
  if (rc != MW_OK) return rc;
  int redundant = mw_rigid_redundant(s->r, s->w, NULL);
  a->n_redundant = a->n_redundant < redundant ? a->n_redundant : redundant;
  a->power = s->power;
  N_VConst(0.0, a->y);
  N_VConst(0.0, a->yp);
  memcpy(x.q, s->q, (size_t)s->n.n_q * sizeof(double));
  memcpy(d.q, s->v, (size_t)s->n.n_q * sizeof(double));
  mw_rigid_twist(s->r, s->q, s->v, x.u);
  mw_rigid_twist(s->r, s->q, s->a, d.u);
  double *f = a->u[0], *rest = a->u[1];
  forces(a, s->t, x.q, x.u, NULL, f, a->row[0], a->row[1]);
  turning_axes(s, x.u, -1.0, f);
  mw_rigid_sim_mass(s, d.u, rest);
  for (int i = 0; i < s->n.n_u; i++) rest[i] = f[i] - rest[i];
  // rest = Jᵀ λ
  memset(a->row[0], 0, nr * sizeof(double));
  memset(a->soft[0], 0, (size_t)s->n.n_soft * sizeof(double));
  mw_rigid_kkt_factor(s->r, s->w, 1.0, 0.0);
  mw_rigid_kkt_solve(s->r, s->w, rest, a->row[0], a->soft[0], a->u[2], x.lambda, a->soft[1]);
  // (Eᵀȯ)' = Eᵀö − ω × Eᵀȯ
  for (int b = 0; b < s->n.n_body; b++) {
    const double *v = x.u + 6 * b, *w = v + 3;
    d.u[6 * b] -= w[1] * v[2] - w[2] * v[1];
    d.u[6 * b + 1] -= w[2] * v[0] - w[0] * v[2];
    d.u[6 * b + 2] -= w[0] * v[1] - w[1] * v[0];
  }
  return MW_OK;
}

// ---- life ---------------------------------------------------------------------------------------

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
  if (flag == IDA_MEM_FAIL || flag == IDA_MEM_NULL)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  char *name = IDAGetReturnFlagName(flag), near[200];
  mw_rigid_sim_name_singular(a->s, a->t, N_VGetArrayPointer(a->y), near);
  mw_code rc =
      a->lost ? mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                        "t = %g s: method ida left out a row that no other holds, and its joint "
                        "opened by more than the tolerance%s",
                        a->t, near)
              : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "t = %g s: IDA gives up, %s%s", a->t,
                        name ? name : "", near);
  free(name);
  return rc;
}

static void ida_close(mw_rigid_adapt *a)
{
  if (!a) return;
  N_Vector x[] = { a->y, a->yp, a->scale, a->id };
  if (a->ida) IDAFree(&a->ida);
  if (a->ls) SUNLinSolFree(a->ls);
  for (int i = 0; i < 4; i++)
    if (x[i]) N_VDestroy(x[i]);
  if (a->ctx) SUNContext_Free(&a->ctx);
  mw_rigid_work_free(a->w2);
  mw_arena_free(&a->mem);
  free(a);
}

static mw_code allocate(mw_rigid_adapt *a, mw_error *err)
{
  const mw_rigid_sim *s = a->s;
  double **q[] = { &a->q, &a->v, &a->a, &a->q2 };
  for (int i = 0; i < 4; i++) *q[i] = mw_arena_f64(&a->mem, (size_t)s->n.n_q);
  for (int i = 0; i < SCRATCH; i++) a->u[i] = mw_arena_f64(&a->mem, (size_t)s->n.n_u);
  for (int i = 0; i < 4; i++) {
    a->row[i] = mw_arena_f64(&a->mem, (size_t)s->n.n_row);
    a->soft[i] = mw_arena_f64(&a->mem, (size_t)s->n.n_soft);
  }
  a->dropped = mw_arena_alloc(&a->mem, (size_t)s->n.n_row, 1);
  a->drops = mw_arena_alloc(&a->mem, (size_t)s->n.n_row, 1);
  a->root = mw_arena_int(&a->mem, 2 * (size_t)a->e->n_limit);
  mw_code rc = mw_arena_check(&a->mem, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(s->r, &a->w2, err);
  if (rc == MW_OK && SUNContext_Create(NULL, &a->ctx) != 0)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc != MW_OK) return rc;
  sunindextype n = s->n.n_q + s->n.n_u + 2 * s->n.n_row;
  a->y = N_VNew_Serial(n, a->ctx);
  a->yp = N_VNew_Serial(n, a->ctx);
  a->scale = N_VNew_Serial(n, a->ctx);
  a->id = N_VNew_Serial(n, a->ctx);
  a->ida = IDACreate(a->ctx);
  a->ls = a->y ? SUNLinSol_SPGMR(a->y, SUN_PREC_LEFT, KRYLOV, a->ctx) : NULL;
  return a->y && a->yp && a->scale && a->id && a->ida && a->ls
             ? MW_OK
             : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
}

// Absolute tolerances: as in rigid_cvode.c; of λ its largest value at the start, or the bodies'
// weight and what moves them by the size in a second squared; of μ the same number. Not tol of that
// but its root: they follow from the others in Newton's system with their rounding times M/h, which
// no tighter convergence test could meet, and no test of errors asks for them.
static void weights(mw_rigid_adapt *a)
{
  const mw_rigid_sim *s = a->s;
  parts x = parts_of(s, a->scale), id = parts_of(s, a->id);
  double tol = s->in.tolerance, newton = mw_rigid_sim_joule(s) / s->size;
  parts now = parts_of(s, a->y);
  for (int i = 0; i < s->n.n_row; i++) newton = fmax(newton, fabs(now.lambda[i]));
  N_VConst(tol, a->scale);
  N_VConst(1.0, a->id);
  for (int b = 0; b < s->n.n_body; b++)
    for (int i = 0; i < 3; i++) x.q[12 * b + i] = x.u[6 * b + i] = tol * s->size;
  for (int i = 0; i < s->n.n_row; i++) {
    x.lambda[i] = x.mu[i] = sqrt(tol) * newton;
    id.lambda[i] = id.mu[i] = 0.0;
  }
}

static int settings(mw_rigid_adapt *a)
{
  int flag = IDASetErrHandlerFn(a->ida, quiet, a);
  if (flag == IDA_SUCCESS) flag = IDAInit(a->ida, residual, a->t, a->y, a->yp);
  if (flag == IDA_SUCCESS) flag = IDASetUserData(a->ida, a);
  if (flag == IDA_SUCCESS) flag = IDASVtolerances(a->ida, a->s->in.tolerance, a->scale);
  if (flag == IDA_SUCCESS) flag = IDASetMaxNumSteps(a->ida, -1);
  if (flag == IDA_SUCCESS) flag = IDASetId(a->ida, a->id);
  if (flag == IDA_SUCCESS) flag = IDASetSuppressAlg(a->ida, SUNTRUE);
  if (flag == IDA_SUCCESS) flag = IDASetLinearSolver(a->ida, a->ls, NULL);
  if (flag == IDA_SUCCESS) flag = IDASetPreconditioner(a->ida, precondition_setup, precondition);
  if (flag == IDA_SUCCESS && a->e->n_limit > 0)
    flag = IDARootInit(a->ida, 2 * a->e->n_limit, limits);
  if (flag == IDA_SUCCESS && a->e->n_limit > 0) flag = IDASetNoInactiveRootWarn(a->ida);
  return flag;
}

static mw_code refuse(const mw_rigid_sim *s, mw_error *err)
{
  for (int j = 0; j < s->m->n_joint; j++) {
    const mw_joint_in *in = s->m->joint[j].in;
    if (mw_joint_class_of(in)->n_rate > 0)
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "joint %.64s: method ida knows no %s, expected another method", in->name,
                     mw_joint_key(in->kind));
  }
  return MW_OK;
}

// First step: what u' changes u by in it squared is the tolerance (order 1).
static int first_step(mw_rigid_adapt *a)
{
  static const double MOST = 1e-2;  // s
  const mw_rigid_sim *s = a->s;
  parts x = parts_of(s, a->y), d = parts_of(s, a->yp), w = parts_of(s, a->scale);
  double norm = 1.0 / (MOST * MOST);
  for (int i = 0; i < s->n.n_u; i++)
    norm = fmax(norm, fabs(d.u[i]) / (s->in.tolerance * fabs(x.u[i]) + w.u[i]));
  return IDASetInitStep(a->ida, 1.0 / sqrt(norm));
}

static mw_code ida_open(mw_rigid_sim *s, const mw_rigid_events *e, mw_rigid_adapt **out,
                        mw_error *err)
{
  mw_code rc = refuse(s, err);
  if (rc != MW_OK) return rc;
  mw_rigid_adapt *a = calloc(1, sizeof *a);
  if (!a) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  a->s = s;
  a->e = e;
  a->n_redundant = INT_MAX;
  rc = allocate(a, err);
  if (rc == MW_OK) rc = state_in(a, err);
  if (rc == MW_OK) {
    weights(a);
    int flag = settings(a);
    if (flag == IDA_SUCCESS) flag = first_step(a);
    if (flag != IDA_SUCCESS) rc = failed(a, flag, err);
  }
  if (rc == MW_OK)
    *out = a;
  else
    ida_close(a);
  return rc;
}

// ---- steps --------------------------------------------------------------------------------------

static long ida_steps(const mw_rigid_adapt *a)
{
  long n = 0;
  (void)IDAGetNumSteps(a->ida, &n);
  return a->n_steps + n;
}

static long iterations(const mw_rigid_adapt *a)
{
  long n = 0;
  (void)IDAGetNumNonlinSolvIters(a->ida, &n);
  return a->n_iter + n;
}

static mw_code ida_restart(mw_rigid_adapt *a, mw_error *err)
{
  a->n_steps = ida_steps(a);
  a->n_iter = iterations(a);
  mw_code rc = state_in(a, err);
  if (rc != MW_OK) return rc;
  int flag = IDAReInit(a->ida, a->t, a->y, a->yp);
  if (flag == IDA_SUCCESS) flag = first_step(a);
  return flag == IDA_SUCCESS ? MW_OK : failed(a, flag, err);
}

// q, v of the interpolated state
static mw_code look(mw_rigid_adapt *a, double t, double *q, double *v, mw_error *err)
{
  int flag = IDAGetDky(a->ida, t, 0, a->y);
  if (flag != IDA_SUCCESS) return failed(a, flag, err);
  parts x = parts_of(a->s, a->y);
  memcpy(q, x.q, (size_t)a->s->n.n_q * sizeof *q);
  mw_rigid_rates(a->s->r, x.q, x.u, v);
  return MW_OK;
}

static mw_code power_at(mw_rigid_adapt *a, double t, double *P, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  mw_rigid_energy e = { 0 };
  mw_code rc = look(a, t, a->q, a->v, err);
  if (rc == MW_OK) rc = mw_rigid_accel(s->r, s->w, t, a->q, a->v, a->a, err);
  if (rc == MW_OK) mw_rigid_energies(s->r, s->w, t, a->q, a->v, &e);
  *P = e.power;
  return rc;
}

// Simpson's rule from t0, where the power is P0, to t1; the power there.
static mw_code integrate(mw_rigid_adapt *a, double t0, double P0, double t1, double *P1,
                         double *work, mw_error *err)
{
  double Pm = 0.0;
  mw_code rc = power_at(a, 0.5 * (t0 + t1), &Pm, err);
  if (rc == MW_OK) rc = power_at(a, t1, P1, err);
  *work = (t1 - t0) / 6.0 * (P0 + 4.0 * Pm + *P1);
  return rc;
}

// Starts anew from the state reached, projected onto all rows.
static mw_code meet(mw_rigid_adapt *a, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  mw_code rc = look(a, a->t, s->q, s->v, err);
  s->t = a->t;
  s->work = a->work;
  if (rc == MW_OK) rc = mw_rigid_sim_project(s, true, err);
  return rc == MW_OK ? ida_restart(a, err) : rc;
}

static int one_step(mw_rigid_adapt *a, double stop)
{
  int flag = IDASetStopTime(a->ida, stop);
  a->parted = a->lost = false;
  return flag == IDA_SUCCESS ? IDASolve(a->ida, stop, &a->t, a->y, a->yp, IDA_ONE_STEP) : flag;
}

static mw_code ida_step(mw_rigid_adapt *a, double stop, int *event, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  double before = a->t, gain = 0.0;
  *event = -1;
  int flag = one_step(a, stop);
  if (flag < 0 && a->parted && !a->lost) {
    mw_code met = meet(a, err);
    if (met != MW_OK) return met;
    flag = one_step(a, stop);
  }
  if (flag < 0) return failed(a, flag, err);
  if (flag == IDA_ROOT_RETURN && IDAGetRootInfo(a->ida, a->root) == IDA_SUCCESS)
    *event = mw_rigid_events_found(a->e, a->root);
  mw_rigid_accept(s->r, s->w, N_VGetArrayPointer(a->y));
  mw_rigid_accept(s->r, a->w2, N_VGetArrayPointer(a->y));
  s->iterations = (int)iterations(a);
  mw_code rc = mw_rigid_accept_turns(s->r, s->w, a->t, N_VGetArrayPointer(a->y), err);
  if (rc != MW_OK || !s->has_power) return rc;
  rc = integrate(a, before, a->power, a->t, &a->power, &gain, err);
  a->work += gain;
  return rc;
}

static mw_code ida_at(mw_rigid_adapt *a, double t, mw_error *err)
{
  mw_rigid_sim *s = a->s;
  double P = 0.0, gain = 0.0;
  mw_code rc = MW_OK;
  if (s->has_power && t != a->t) rc = integrate(a, a->t, a->power, t, &P, &gain, err);
  if (rc == MW_OK) rc = look(a, t, s->q, s->v, err);
  if (rc != MW_OK) return rc;
  s->work = a->work + gain;
  s->t = t;
  return mw_rigid_sim_project(s, true, err);
}

static double ida_time(const mw_rigid_adapt *a) { return a->t; }

const mw_rigid_adapt_kind mw_rigid_ida = { .open = ida_open,
                                           .restart = ida_restart,
                                           .step = ida_step,
                                           .time = ida_time,
                                           .at = ida_at,
                                           .steps = ida_steps,
                                           .close = ida_close };
