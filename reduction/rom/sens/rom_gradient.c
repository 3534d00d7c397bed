// SPDX-License-Identifier: BSD-3-Clause
// rom_gradient.c: a step by any method with the derivatives of its end, and the gradient of a
// rollout's cost.
//
//   RK4: dk_i = J_i (1 + a_i h dk_{i-1}) ,  dx1 = 1 + h/6 (dk_1 + 2 dk_2 + 2 dk_3 + dk_4)       (1)
// with J_i of rom_jac_at; a coordinate that a stage finds outside its box is taken at the
// border, where it does not move.
//   MIDPOINT: R(q0 + h/2 v*, v*; z) = 0 ,  v* = v0 + h/2 z  gives
//   (M + h/2 R_v + h²/4 R_q) dz = - R_q (dq0 + h/2 dv0) - R_v dv0 - R_u du                      (2)
//   dv1 = dv0 + h dz ,  dq1 = dq0 + h dv0 + h²/2 dz
//   EXPONENTIAL: rom_sens.c.
//   adjoint: lambda_N = g_N ,  g_u_k += x_u' lambda_{k+1} ,  lambda_k = g_k + x_x' lambda_{k+1} (3)
// Cost of (1): four jacobians and products of 2n × n × 2n; of (2): one derivative and LU of n; of
// (3): one step with derivatives a step. Allocates nothing.
#include "rom_derive.h"

// Behind what the calls below need themselves.
typedef struct grad_work {
  rom_sens s;
  double *x1, *x, *k, *at;   // [2n]
  double *acc, *lu;          // [n], [n × n]
  double *J_x, *J_u;         // [n × 2n], [n × n_u]
  double *dk, *dx, *sum;     // [2n × nc]
  double *x_x, *x_u, *next;  // [2n × 2n], [2n × n_u], [2n]
} grad_work;

static double *grad_slice(double *base, size_t *used, int n)
{
  double *at = base ? base + *used : NULL;
  *used += ((size_t)n + 7) / 8 * 8;
  return at;
}

static size_t grad_layout(grad_work *w, const mw_rom *rom, void *mem)
{
  int n = rom->s + rom->m, nx = 2 * n, nu = rom->n_u, nc = nx + nu;
  size_t used = rom_exp_sens_bytes(rom) / sizeof(double);
  double *base = mem;
  (void)rom_sens_layout(&w->s, rom, mem);
  w->x1 = grad_slice(base, &used, nx);
  w->x = grad_slice(base, &used, nx);
  w->k = grad_slice(base, &used, nx);
  w->at = grad_slice(base, &used, nx);
  w->acc = grad_slice(base, &used, n);
  w->lu = grad_slice(base, &used, n * n);
  w->J_x = grad_slice(base, &used, n * nx);
  w->J_u = grad_slice(base, &used, n * nu);
  w->dk = grad_slice(base, &used, nx * nc);
  w->dx = grad_slice(base, &used, nx * nc);
  w->sum = grad_slice(base, &used, nx * nc);
  w->x_x = grad_slice(base, &used, nx * nx);
  w->x_u = grad_slice(base, &used, nx * nu);
  w->next = grad_slice(base, &used, nx);
  return used * sizeof(double);
}

// With room for what mw_rom_adjoint keeps: derivatives of a step, three states.
size_t mw_rom_sens_bytes(const mw_rom *rom)
{
  grad_work w;
  size_t nx = 2 * (size_t)(rom->s + rom->m), more = nx * nx + nx * (size_t)rom->n_u + 3 * nx;
  return grad_layout(&w, rom, NULL) + (more + 7) / 8 * 8 * sizeof(double);
}

// D [2n × nc] as x_x and x_u.
static void take_columns(const mw_rom *rom, const double *D, double *x_x, double *x_u)
{
  int nx = 2 * (rom->s + rom->m), nu = rom->n_u, nc = nx + nu;
  for (int i = 0; i < nx; i++) {
    for (int c = 0; c < nx; c++) x_x[i * nx + c] = D[i * nc + c];
    for (int c = 0; c < nu; c++) x_u[i * nu + c] = D[i * nc + nx + c];
  }
}

// One stage at w->x with derivatives w->dx: k, dk. It may lie beyond limits that the step ends
// within.
static mw_rom_code rk4_stage(const mw_rom_call *call, grad_work *w)
{
  const mw_rom *rom = call->rom;
  int s = rom->s, n = s + rom->m, nx = 2 * n, nu = rom->n_u, nc = nx + nu;
  for (int i = 0; i < nx; i++) w->at[i] = w->x[i];
  rom_stage_inside(rom, w->at);
  mw_rom_code rc = rom_jac_at(call, w->at, w->acc, w->J_x, w->J_u);
  if (rc != MW_ROM_OK) return rc;
  for (int i = 0; i < n; i++) {
    double *rate = w->dk + i * nc, *acc = w->dk + (n + i) * nc;
    for (int c = 0; c < nc; c++) rate[c] = w->dx[(n + i) * nc + c];
    rom_jac_clear(nc, acc);
    for (int c = 0; c < nu; c++) acc[nx + c] = w->J_u[i * nu + c];
    for (int l = 0; l < nx; l++)
      if (w->at[l] == w->x[l]) rom_jac_add(nc, w->J_x[i * nx + l], w->dx + l * nc, acc);
    w->k[i] = w->x[n + i];
    w->k[n + i] = w->acc[i];
  }
  return rc;
}

static mw_rom_code rk4_sens(const mw_rom_call *call, const double *x0, grad_work *w)
{
  const mw_rom *rom = call->rom;
  const double h = call->h;
  static const double RK_AT[4] = { 0.0, 0.5, 0.5, 1.0 }, RK_SHARE[4] = { 1.0, 2.0, 2.0, 1.0 };
  int nx = 2 * (rom->s + rom->m), nc = nx + rom->n_u;
  rom_jac_clear(nx * nc, w->sum);
  rom_jac_clear(nx * nc, w->dk);
  for (int stage = 0; stage < 4; stage++) {
    double ah = RK_AT[stage] * h;
    for (int i = 0; i < nx; i++) {
      w->x[i] = stage == 0 ? x0[i] : x0[i] + RK_AT[stage] * h * w->k[i];
      for (int c = 0; c < nc; c++)
        w->dx[i * nc + c] = (i == c ? 1.0 : 0.0) + ah * w->dk[i * nc + c];
    }
    mw_rom_code rc = rk4_stage(call, w);
    if (rc != MW_ROM_OK) return rc;
    rom_jac_add(nx * nc, RK_SHARE[stage] * h / 6.0, w->dk, w->sum);
  }
  for (int i = 0; i < nx; i++) w->sum[i * nc + i] += 1.0;
  return MW_ROM_OK;
}

// A X = B by elimination with the largest pivot of a column, A [n × n], B [n × nc] becomes X. 0: A
// is singular.
static int solve_columns_lu(int n, int nc, double *A, double *B)
{
  for (int p = 0; p < n; p++) {
    int best = p;
    for (int i = p + 1; i < n; i++)
      if (fabs(A[i * n + p]) > fabs(A[best * n + p])) best = i;
    if (!(fabs(A[best * n + p]) > 0.0)) return 0;
    for (int c = 0; best != p && c < n; c++) {
      double a = A[p * n + c];
      A[p * n + c] = A[best * n + c];
      A[best * n + c] = a;
    }
    for (int c = 0; best != p && c < nc; c++) {
      double b = B[p * nc + c];
      B[p * nc + c] = B[best * nc + c];
      B[best * nc + c] = b;
    }
    for (int i = p + 1; i < n; i++) {
      double f = A[i * n + p] / A[p * n + p];
      rom_jac_add(n - p, -f, A + p * n + p, A + i * n + p);
      rom_jac_add(nc, -f, B + p * nc, B + i * nc);
    }
  }
  for (int p = n - 1; p >= 0; p--) {
    for (int i = p + 1; i < n; i++) rom_jac_add(nc, -A[p * n + i], B + i * nc, B + p * nc);
    for (int c = 0; c < nc; c++) B[p * nc + c] /= A[p * n + p];
  }
  return 1;
}

// (2) at the mid-point between x0 and x1.
static mw_rom_code mid_sens(const mw_rom_call *call, const double *x0, grad_work *w)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  const double h = call->h;
  int s = rom->s, n = s + rom->m, nx = 2 * n, nu = rom->n_u, nc = nx + nu;
  rom_jac *j = &w->s.jac;
  for (int i = 0; i < n; i++) {
    w->acc[i] = (w->x1[n + i] - x0[n + i]) / h;
    w->x[n + i] = 0.5 * (x0[n + i] + w->x1[n + i]);
    w->x[i] = 0.5 * (x0[i] + w->x1[i]);
  }
  rom_stage_inside(rom, w->x);
  rom_interpolate_second(rom, opt, w->x, 0, j);
  rom_terms_derivative(rom, opt, w->x, call->u, w->acc, j);
  for (int i = 0; i < n; i++) {
    const double *R = j->R + i * j->ld;
    double *row = w->dk + i * nc;
    int given = i < s && (opt->prescribed >> i & 1u);
    for (int l = 0; l < n; l++) {
      double M = i < s ? (l < s ? j->A[i * s + l] : j->B[i * j->mp + l - s])
                       : (l < s ? j->B[l * j->mp + i - s] : (i == l ? 1.0 : 0.0));
      if (i >= s && l >= s && i < s + j->n_G && l < s + j->n_G)
        M += j->E[(i - s) * MW_ROM_MAX_G + l - s];
      w->lu[i * n + l] = M + 0.5 * h * R[n + l] + 0.25 * h * h * R[l];
      row[l] = -R[l];
      row[n + l] = -0.5 * h * R[l] - R[n + l];
      if (given) w->lu[i * n + l] = i == l ? 1.0 : 0.0;
    }
    for (int k = 0; k < nu; k++) row[nx + k] = -R[nx + k];
    if (given) rom_jac_clear(nc, row);
  }
  if (!solve_columns_lu(n, nc, w->lu, w->dk)) return MW_ROM_SINGULAR;
  for (int i = 0; i < n; i++) {
    double *q = w->sum + i * nc, *v = w->sum + (n + i) * nc;
    for (int c = 0; c < nc; c++) {
      v[c] = h * w->dk[i * nc + c];
      q[c] = 0.5 * h * h * w->dk[i * nc + c];
    }
    v[n + i] += 1.0;
    q[i] += 1.0;
    q[n + i] += h;
  }
  return MW_ROM_OK;
}

mw_rom_code mw_rom_step_sens(const mw_rom_call *call, double *x, double *x_x, double *x_u)
{
  const mw_rom *rom = call->rom;
  const mw_rom_opt *opt = call->opt;
  mw_rom_info *info = call->info;
  grad_work w;
  (void)grad_layout(&w, rom, call->work);
  int nx = 2 * (rom->s + rom->m);
  mw_rom_code rc = MW_ROM_OK;
  if (opt->method == MW_ROM_EXPONENTIAL) {
    rc = rom_check_state(rom, x, info);
    if (rc == MW_ROM_OK) rc = rom_check_input(rom, opt, call->u, call->thdd_p, info);
    if (rc == MW_ROM_OK && (!isfinite(call->h) || call->h <= 0.0)) rc = MW_ROM_NAN;
    if (rc == MW_ROM_OK) rom_exp_sens(call, x, w.x1, w.x_x, w.x_u);
    if (rc == MW_ROM_OK) rc = rom_check_state(rom, w.x1, info);
    if (rc == MW_ROM_OK && info) {
      info->iterations = 1;
      info->residual = 0.0;
    }
  } else {
    for (int i = 0; i < nx; i++) w.x1[i] = x[i];
    rc = mw_rom_step(call, w.x1);
    if (rc == MW_ROM_OK && opt->method == MW_ROM_RK4) rc = rk4_sens(call, x, &w);
    if (rc == MW_ROM_OK && opt->method == MW_ROM_MIDPOINT) rc = mid_sens(call, x, &w);
    if (rc == MW_ROM_OK) take_columns(rom, w.sum, w.x_x, w.x_u);
  }
  if (rc != MW_ROM_OK) return rc;
  for (int i = 0; i < nx; i++) x[i] = w.x1[i];
  for (int i = 0; i < nx * nx; i++) x_x[i] = w.x_x[i];
  for (int i = 0; i < nx * rom->n_u; i++) x_u[i] = w.x_u[i];
  return MW_ROM_OK;
}

mw_rom_code mw_rom_adjoint(const mw_rom_call *call, int n_step, const double *x, const double *g_x,
                           double *g_u, double *lambda)
{
  const mw_rom *rom = call->rom;
  void *work = call->work;
  size_t nx = 2 * (size_t)(rom->s + rom->m), nu = (size_t)rom->n_u;
  grad_work w;
  // derivatives and lambda lie behind all that a step with derivatives writes
  double *x_x = (double *)(void *)((char *)work + grad_layout(&w, rom, work)), *x_u = x_x + nx * nx,
         *end = x_u + nx * nu, *l = end + nx, *before = l + nx;
  for (size_t i = 0; i < nx; i++) l[i] = g_x[(size_t)n_step * nx + i];
  for (size_t k = (size_t)n_step; k-- > 0;) {
    for (size_t i = 0; i < nx; i++) end[i] = x[k * nx + i];
    mw_rom_call one = *call;
    one.u = call->u + k * nu;
    one.thdd_p = NULL;
    mw_rom_code rc = mw_rom_step_sens(&one, end, x_x, x_u);
    if (rc != MW_ROM_OK) return rc;
    for (size_t i = 0; i < nx; i++) before[i] = g_x[k * nx + i];
    for (size_t i = 0; i < nx; i++) {
      for (size_t c = 0; c < nx; c++) before[c] += x_x[i * nx + c] * l[i];
      for (size_t c = 0; c < nu; c++) g_u[k * nu + c] += x_u[i * nu + c] * l[i];
    }
    for (size_t i = 0; i < nx; i++) l[i] = before[i];
  }
  for (size_t i = 0; i < nx; i++) lambda[i] = l[i];
  return MW_ROM_OK;
}
