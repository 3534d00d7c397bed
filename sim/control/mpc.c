// SPDX-License-Identifier: BSD-3-Clause
// mpc.c: the receding horizon.
//
// From the state expected at the next sample, under the forces planned so far, one roll-out of the
// reduced model with its exact derivatives (one iteration of sequential quadratic programming a
// sample: Diehl, Bock, Schlöder 2005):
//   x_{k+1} = step(x_k, u_k + d) ,   X_{k+1} = A_k X_k + B_k ,   X_k [2n × n_v]: dx_k/du        (1)
//   e_k = W [ y(x_k) − r ; ẏ(x_k) − ṙ ] ,   G_k = W ∂(y, ẏ)/∂x X_k                              (2)
// and for the change v of the forces
//   min ½ Σ_k (h_k/h) |e_k + G_k v|² + ½ Σ_k (h/τ_k) w² |u_k + v_k − u_{k-1} − v_{k-1}|²        (3)
//   |u_k + v_k| <= force ,   |u_k + v_k − u_{k-1} − v_{k-1}| <= slew τ_k/h                      (4)
// τ_k: from the middle of step k−1 to that of step k; u_{-1}: the force until the next sample.
// Steps grow along the horizon: what is far needs less. Cost: n_step steps with derivatives, 2n²
// n_v n_step for (1), n_ref n_v² n_step for (3).
#include "sim/mpc.h"

#include <math.h>
#include <string.h>

#include "control_priv.h"

mw_mpc_opt mw_mpc_opt_default(void)
{
  enum { SHORT = 4, MIDDLE = 8 };  // first steps of a period, then of three, the rest of six
  mw_mpc_opt o = { .period = 1e-3,
                   .n_step = 12,
                   .tool = 6e4,
                   .tool_rate = 1e2,
                   .drive = 6e3,
                   .drive_rate = 1e2,
                   .slew_weight = 0.3 };
  for (int k = 0; k < o.n_step; k++) o.h[k] = o.period * (k < SHORT ? 1.0 : k < MIDDLE ? 3.0 : 6.0);
  for (int k = 0; k < MW_MPC_MAX_U; k++) o.force[k] = o.slew[k] = INFINITY;
  return o;
}

// ---- products -----------------------------------------------------------------------------------

void mw_mpc_mul(int m, int n, int k, const double *A, int a, const double *B, int b, double *C,
                int c)
{
  int whole = k / 4 * 4;
  for (int i = 0; i < m; i++) {
    double *restrict Ci = C + i * c;
    const double *Ai = A + i * a;
    for (int l = 0; l < whole; l += 4) {
      const double *restrict B0 = B + l * b, *restrict B1 = B0 + b, *restrict B2 = B1 + b,
                             *restrict B3 = B2 + b;
      double f0 = Ai[l], f1 = Ai[l + 1], f2 = Ai[l + 2], f3 = Ai[l + 3];
      if (l == 0)
        for (int j = 0; j < n; j++) Ci[j] = (f0 * B0[j] + f1 * B1[j]) + (f2 * B2[j] + f3 * B3[j]);
      else
        for (int j = 0; j < n; j++) Ci[j] += (f0 * B0[j] + f1 * B1[j]) + (f2 * B2[j] + f3 * B3[j]);
    }
    for (int j = 0; whole == 0 && j < n; j++) Ci[j] = 0.0;
    for (int l = whole; l < k; l++)
      for (int j = 0; j < n; j++) Ci[j] += Ai[l] * B[l * b + j];
  }
}

// Upper triangle of H [n × n] += f Gᵀ G for the first n columns of G [rows × ld]
static void add_square(int n, int rows, double f, const double *G, int ld, double *H, int h)
{
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    const double *restrict g0 = G + r * ld, *restrict g1 = g0 + ld, *restrict g2 = g1 + ld,
                           *restrict g3 = g2 + ld;
    for (int i = 0; i < n; i++) {
      double *restrict Hi = H + i * h, a = f * g0[i], b = f * g1[i], c = f * g2[i], d = f * g3[i];
      for (int j = i; j < n; j++) Hi[j] += (a * g0[j] + b * g1[j]) + (c * g2[j] + d * g3[j]);
    }
  }
  for (; r < rows; r++)
    for (int i = 0; i < n; i++) {
      double *restrict Hi = H + i * h, a = f * G[r * ld + i];
      for (int j = i; j < n; j++) Hi[j] += a * G[r * ld + j];
    }
}

// ---- start --------------------------------------------------------------------------------------

static double tau(const mw_mpc_opt *o, int k)
{
  return k == 0 ? 0.5 * (o->period + o->h[0]) : 0.5 * (o->h[k - 1] + o->h[k]);
}

// share: new step k, a period later, is made of parts of the old steps; the last goes on
static void set_share(mw_mpc *c)
{
  int N = c->opt.n_step;
  double lo = c->opt.period;
  for (int k = 0; k < N; k++) {
    double hi = lo + c->opt.h[k], at = 0.0;
    for (int j = 0; j < N; j++) {
      double end = j + 1 < N ? at + c->opt.h[j] : INFINITY;
      double both = fmin(hi, end) - fmax(lo, at);
      c->share[k * N + j] = both > 0.0 ? both / c->opt.h[k] : 0.0;
      at = end;
    }
    lo = hi;
  }
}

// Rows of (4) and the part of H that stays: none of it depends on the state
static void set_rows(mw_mpc *c)
{
  int nu = c->rom->n_u, nv = c->n_v;
  for (int k = 0; k < c->opt.n_step; k++)
    for (int i = 0; i < nu; i++) {
      double *a = c->qp.A + (k * nu + i) * nv;
      a[k * nu + i] = 1.0;
      if (k > 0) a[(k - 1) * nu + i] = -1.0;
    }
}

static mw_code allocate(mw_mpc *c, mw_arena *mem, mw_error *err)
{
  size_t n = (size_t)(c->rom->s + c->rom->m), nv = (size_t)c->n_v, nu = (size_t)c->rom->n_u;
  size_t nr = (size_t)c->plan->n_ref, N = (size_t)c->opt.n_step;
  c->u = mw_arena_f64(mem, nv);
  c->old = mw_arena_f64(mem, nv);
  c->u_next = mw_arena_f64(mem, nu);
  c->share = mw_arena_f64(mem, N * N);
  c->x = mw_arena_f64(mem, 2 * n);
  c->X = mw_arena_f64(mem, 2 * n * nv);
  c->X_new = mw_arena_f64(mem, 2 * n * nv);
  c->A = mw_arena_f64(mem, 4 * n * n);
  c->B = mw_arena_f64(mem, 2 * n * nu);
  c->y = mw_arena_f64(mem, nr);
  c->y_dot = mw_arena_f64(mem, nr);
  c->e = mw_arena_f64(mem, 2 * nr);
  c->J = mw_arena_f64(mem, nr * n);
  c->J_dot = mw_arena_f64(mem, nr * n);
  c->G = mw_arena_f64(mem, 2 * nr * nv);
  return mw_arena_check(mem, err);
}

mw_code mw_mpc_init(mw_mpc *c, const mw_rom_file *file, const mw_mpc_plan *plan,
                    const mw_mpc_opt *opt, mw_arena *mem, mw_error *err)
{
  const mw_rom *rom = &file->rom;
  if (opt->n_step < 1 || opt->n_step > MW_MPC_MAX_STEP)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the horizon has %d steps, 1 to %d expected",
                   opt->n_step, (int)MW_MPC_MAX_STEP);
  *c = (mw_mpc){ .rom = rom, .plan = plan, .opt = *opt, .step = mw_rom_opt_default() };
  c->step.inertia = file->inertia;
  c->n_v = opt->n_step * rom->n_u;
  mw_code rc = allocate(c, mem, err);
  if (rc == MW_OK) rc = mw_qp_init(&c->qp, c->n_v, c->n_v, mem, err);
  if (rc == MW_OK) rc = mw_observer_init(&c->observer, rom, &c->step, plan->x0, mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < c->n_v; k++) c->u[k] = plan->u0[k % rom->n_u];
  memcpy(c->u_next, plan->u0, (size_t)rom->n_u * sizeof(double));
  set_share(c);
  set_rows(c);
  return MW_OK;
}

// ---- a sample -----------------------------------------------------------------------------------

// The plan at t: references of field k and of its rate
static void reference(const mw_mpc_plan *p, double t, const double **y, const double **y_dot)
{
  int k = (int)(t / p->h + 0.5);
  if (k > p->n_t - 1) k = p->n_t - 1;
  *y = p->y + k * p->n_ref;
  *y_dot = p->y_dot + k * p->n_ref;
}

// (2) at c->x, t, for the first nv columns of X; its share of H and g
static bool add_errors(mw_mpc *c, double t, double share, int nv)
{
  int n = c->rom->s + c->rom->m, nr = c->plan->n_ref, ld = c->n_v;
  const double *r, *r_dot;
  c->rom_code = mw_mpc_fields(c->rom, c->x, nr, c->plan->field, c->y, c->y_dot, c->J, c->J_dot,
                              c->observer.value, c->observer.gradient);
  if (c->rom_code != MW_ROM_OK) return false;
  reference(c->plan, t, &r, &r_dot);
  double *rate = c->G + nr * ld;
  mw_mpc_mul(nr, nv, n, c->J, n, c->X + n * ld, ld, rate, ld);
  mw_mpc_mul(nr, nv, n, c->J_dot, n, c->X, ld, c->G, ld);
  for (int k = 0; k < nr; k++)
    for (int j = 0; j < nv; j++) rate[k * ld + j] += c->G[k * ld + j];
  mw_mpc_mul(nr, nv, n, c->J, n, c->X, ld, c->G, ld);
  for (int k = 0; k < nr; k++) {
    double w = k < c->plan->n_out ? c->opt.tool : c->opt.drive;
    double w_rate = k < c->plan->n_out ? c->opt.tool_rate : c->opt.drive_rate;
    c->e[k] = w * (c->y[k] - r[k]);
    c->e[nr + k] = w_rate * (c->y_dot[k] - r_dot[k]);
    for (int j = 0; j < nv; j++) {
      c->G[k * ld + j] *= w;
      rate[k * ld + j] *= w_rate;
    }
  }
  add_square(nv, 2 * nr, share, c->G, ld, c->qp.H, ld);
  for (int k = 0; k < 2 * nr; k++)
    for (int j = 0; j < nv; j++) c->qp.g[j] += share * c->e[k] * c->G[k * ld + j];
  return true;
}

// (1) and the first sum of (3); t: of the next sample
static bool roll_out(mw_mpc *c, double t)
{
  int nx = 2 * (c->rom->s + c->rom->m), nu = c->rom->n_u, ld = c->n_v;
  memcpy(c->x, c->observer.x, (size_t)nx * sizeof(double));
  for (int k = 0; k < c->opt.n_step; k++) {
    double force[MW_MPC_MAX_U], h = c->opt.h[k];
    for (int i = 0; i < nu; i++) force[i] = c->u[k * nu + i] + c->observer.d[i];
    const mw_rom_call call = {
      .rom = c->rom, .opt = &c->step, .h = h, .u = force, .work = c->observer.work
    };
    c->rom_code = mw_rom_step_sens(&call, c->x, c->A, c->B);
    if (c->rom_code != MW_ROM_OK) return false;
    mw_mpc_mul(nx, k * nu, nx, c->A, nx, c->X, ld, c->X_new, ld);
    for (int i = 0; i < nx; i++)
      memcpy(c->X_new + i * ld + k * nu, c->B + i * nu, (size_t)nu * sizeof(double));
    double *swap = c->X;
    c->X = c->X_new;
    c->X_new = swap;
    t += h;
    if (!add_errors(c, t, h / c->opt.period, (k + 1) * nu)) return false;
  }
  return true;
}

// The second sum of (3), and the bounds (4)
static void add_changes(mw_mpc *c)
{
  int nu = c->rom->n_u, nv = c->n_v;
  mw_qp *q = &c->qp;
  double w2 = c->opt.slew_weight * c->opt.slew_weight;
  for (int k = 0; k < c->opt.n_step; k++)
    for (int i = 0; i < nu; i++) {
      int v = k * nu + i, before = v - nu;
      double times = tau(&c->opt, k) / c->opt.period, f = w2 / times;
      double change = c->u[v] - (k > 0 ? c->u[before] : c->u_next[i]);
      q->H[v * nv + v] += f;
      q->g[v] += f * change;
      q->lb[v] = -c->opt.force[i] - c->u[v];
      q->ub[v] = c->opt.force[i] - c->u[v];
      q->lo[v] = -c->opt.slew[i] * times - change;
      q->hi[v] = c->opt.slew[i] * times - change;
      if (k == 0) continue;
      q->H[before * nv + before] += f;
      q->H[before * nv + v] -= f;
      q->g[before] -= f * change;
    }
}

// The forces planned, a period later
static void shift(mw_mpc *c)
{
  int N = c->opt.n_step, nu = c->rom->n_u;
  memcpy(c->old, c->u, (size_t)c->n_v * sizeof(double));
  memset(c->u, 0, (size_t)c->n_v * sizeof(double));
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) {
      double f = c->share[k * N + j];
      for (int i = 0; f > 0.0 && i < nu; i++) c->u[k * nu + i] += f * c->old[j * nu + i];
    }
}

bool mw_mpc_eval(mw_mpc *c, double t, const double *s, const double *s_dot, double *u)
{
  int nu = c->rom->n_u;
  memcpy(u, c->u_next, (size_t)nu * sizeof(double));
  c->qp_code = MW_QP_OK;
  c->rom_code = mw_observer_update(&c->observer, s, s_dot);
  if (c->rom_code == MW_ROM_OK) c->rom_code = mw_observer_step(&c->observer, c->opt.period, u);
  if (c->rom_code != MW_ROM_OK) return false;
  memset(c->qp.H, 0, (size_t)c->n_v * (size_t)c->n_v * sizeof(double));
  memset(c->qp.g, 0, (size_t)c->n_v * sizeof(double));
  bool done = roll_out(c, t + c->opt.period);
  if (done) {
    add_changes(c);
    c->qp_code = mw_qp_solve(&c->qp);
    done = c->qp_code == MW_QP_OK;
  }
  for (int k = 0; done && k < c->n_v; k++) c->u[k] += c->qp.z[k];
  memcpy(c->u_next, c->u, (size_t)nu * sizeof(double));
  shift(c);
  return done;
}
