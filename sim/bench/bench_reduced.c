// SPDX-License-Identifier: BSD-3-Clause
// bench_reduced.c: what each call of the reduced model costs: time, operations, bytes.
//
// Times are processor time, medians of batches (bench.c). Steps go along a motion that begins anew
// every 100 steps; the explicit method takes the longest h / N that is stable at the stiffest
// pattern, h ω / N <= 2.5. Operations are counted in one call from the state in the middle
// (bench_count.c), bytes found out by the call itself (bench_bytes.c).
#include "bench_reduced_layer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "bench_layer.h"

enum { TURN = 100 };  // steps between two starts

static const char *const call_name[MW_COUNT_N] = {
  "fields",    "right-hand side", "right-hand side, leading", "Jacobian", "step, exponential",
  "step, rk4", "step, midpoint",  "step with sensitivities",
};
const char *mw_bench_call_name(mw_count_call call) { return call_name[call]; }

static bool is_step(mw_count_call call) { return call >= MW_COUNT_EXPONENTIAL; }

// ---- the place ----------------------------------------------------------------------------------

// Patterns bent, from rest, to where each swings through rest at a mm/s (mass-normalised): forces
// that do not cancel.
static void swing(mw_bench_place *p)
{
  static const double RATE = 1e-3;  // m √kg/s
  int s = p->rom->s, k = mw_rom_layout_of(mw_rom_shape_of(p->rom)).K;
  double *delta = p->x0 + s;
  for (int a = 0; a < p->rom->m; a++) {
    double bent = RATE / sqrt(p->value[k + a * (a + 3) / 2]);  // K_aa, rows of the triangle
    if (fabs(delta[a] + bent) < 0.5 * p->rom->delta_max[a]) delta[a] += bent;
  }
}

mw_code mw_bench_place_init(const mw_rom_file *f, mw_bench_place *p, mw_error *err)
{
  const mw_rom *rom = &f->rom;
  size_t s = (size_t)rom->s, m = (size_t)rom->m, n = s + m, nu = (size_t)rom->n_u;
  size_t nf = (size_t)rom->n_field;
  *p = (mw_bench_place){ .rom = rom, .opt = mw_rom_opt_default() };
  p->opt.inertia = f->inertia;
  p->x0 = mw_arena_f64(&p->mem, 2 * n);
  p->x = mw_arena_f64(&p->mem, 2 * n);
  p->u = mw_arena_f64(&p->mem, nu);
  p->acc = mw_arena_f64(&p->mem, n);
  p->value = mw_arena_f64(&p->mem, nf);
  p->grad = mw_arena_f64(&p->mem, s * nf);
  p->x_x = mw_arena_f64(&p->mem, 4 * n * n);
  p->x_u = mw_arena_f64(&p->mem, 2 * n * nu);
  p->work = mw_arena_alloc(&p->mem, mw_rom_sens_bytes(rom), 1);
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < s; i++) {
    p->x0[i] = 0.5 * (rom->lo[i] + rom->hi[i]);
    p->x0[n + i] = 0.1 * (rom->hi[i] - rom->lo[i]);
    if (rom->rate_max) p->x0[n + i] = fmin(p->x0[n + i], 0.5 * rom->rate_max[i]);
  }
  mw_rom_code code = mw_rom_static(rom, p->x0, NULL, p->x0 + s, p->work, NULL);
  if (code == MW_ROM_OK) code = mw_rom_fields(rom, p->x0, p->value, NULL, NULL);
  if (code == MW_ROM_OK)
    swing(p);
  else
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "rest of the reduced model: %s",
                 mw_rom_code_name(code));
  memcpy(p->x, p->x0, 2 * n * sizeof *p->x);
  return rc;
}

void mw_bench_place_free(mw_bench_place *p)
{
  mw_arena_free(&p->mem);
  *p = (mw_bench_place){ 0 };
}

mw_rom_code mw_bench_place_call(mw_bench_place *p, mw_count_call call, double h, double *x,
                                mw_rom_info *info)
{
  mw_rom_opt opt = p->opt;
  mw_rom_call c = { .rom = p->rom, .opt = &opt, .h = h, .u = p->u, .work = p->work, .info = info };
  switch (call) {
  case MW_COUNT_FIELDS: return mw_rom_fields(p->rom, x, p->value, p->grad, info);
  case MW_COUNT_RHS_LEADING: opt.inertia = MW_ROM_LEADING;  // fall through
  case MW_COUNT_RHS: return mw_rom_rhs(&c, x, p->acc);
  case MW_COUNT_JACOBIAN: return mw_rom_jacobian(&c, x, p->acc, p->x_x, p->x_u);
  case MW_COUNT_EXPONENTIAL: opt.method = MW_ROM_EXPONENTIAL; break;
  case MW_COUNT_RK4: opt.method = MW_ROM_RK4; break;
  case MW_COUNT_MIDPOINT: opt.method = MW_ROM_MIDPOINT; break;
  case MW_COUNT_SENS:
  case MW_COUNT_N: return mw_rom_step_sens(&c, x, p->x_x, p->x_u);
  }
  return mw_rom_step(&c, x);
}

// ---- times --------------------------------------------------------------------------------------

typedef struct timed {
  mw_bench_place *p;
  mw_count_call call;
  double h;                // s
  mw_rom_code code;        // of the call that failed
  long steps, iterations;  // of all calls
} timed;

static mw_code call_once(void *context, int k, mw_error *err)
{
  timed *t = context;
  mw_bench_place *p = t->p;
  mw_rom_info info = { 0 };
  double *x = p->x0;
  if (is_step(t->call)) {
    x = p->x;
    if (k % TURN == 0) memcpy(x, p->x0, 2 * (size_t)(p->rom->s + p->rom->m) * sizeof *x);
  }
  t->code = mw_bench_place_call(p, t->call, t->h, x, &info);
  t->iterations += info.iterations;
  t->steps++;
  return t->code == MW_ROM_OK
             ? MW_OK
             : mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%s of the reduced model: %s",
                       call_name[t->call], mw_rom_code_name(t->code));
}

// ω of the stiffest pattern: the largest eigenvalue of K (the mass of the elastic coordinates is
// I).
static mw_code largest_frequency(mw_bench_place *p, double *omega, mw_error *err)
{
  int m = p->rom->m;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(p->rom));
  mw_arena mem = { 0 };
  size_t mm = (size_t)m * (size_t)m;
  double *K = mw_arena_f64(&mem, mm), *V = mw_arena_f64(&mem, mm);
  double *w = mw_arena_f64(&mem, (size_t)m);
  mw_code rc = mw_arena_check(&mem, err);
  *omega = 0.0;
  if (rc == MW_OK && m > 0 && mw_rom_fields(p->rom, p->x0, p->value, NULL, NULL) == MW_ROM_OK) {
    for (int i = 0, k = l.K; i < m; i++)
      for (int j = 0; j <= i; j++, k++) K[i * m + j] = K[j * m + i] = p->value[k];
    rc = mw_eig_sym(m, K, w, V, err);
    if (rc == MW_OK) *omega = sqrt(fmax(0.0, w[m - 1]));
  }
  mw_arena_free(&mem);
  return rc;
}

// ---- rollouts -----------------------------------------------------------------------------------

// Uniform in [-1/2, 1/2).
static double random_share(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
  return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

// Inputs u [n × n_u] at random, each up to what gives a coordinate the acceleration of FAST ranges
// a second squared, and within the range that the model declares.
static void set_inputs(mw_bench_place *p, size_t n, double *u)
{
  static const double FAST = 5.0;  // 1/s²
  const mw_rom *rom = p->rom;
  uint64_t seed = 2;
  for (int k = 0; k < rom->n_u; k++) {
    double still[MW_ROM_MAX_S] = { 0 }, most = 0.0;
    double unit = rom->u_max ? fmin(1.0, rom->u_max[k]) : 1.0;
    for (int turn = 0; turn < 2; turn++) {
      p->u[k] = turn * unit;
      if (mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &p->opt, .u = p->u, .work = p->work },
                     p->x0, p->acc) != MW_ROM_OK)
        continue;
      for (int i = 0; i < rom->s; i++) {
        double share = p->acc[i] / (rom->hi[i] - rom->lo[i]);
        if (turn) most = fmax(most, fabs(share - still[i]) / unit);
        still[i] = share;
      }
    }
    p->u[k] = 0.0;
    double largest = most > 0.0 ? FAST / most : 0.0;
    if (rom->u_max) largest = fmin(largest, rom->u_max[k]);
    for (size_t j = 0; j < n; j++)
      u[j * (size_t)rom->n_u + (size_t)k] = 2.0 * largest * random_share(&seed);
  }
}

// Starts x [n × 2n_x]: all in the middle, or (far) at rest anywhere in the middle three fifths of
// the range.
static mw_code set_starts(mw_bench_place *p, bool far, int n, double *x, mw_error *err)
{
  int s = p->rom->s, nx = 2 * (s + p->rom->m);
  uint64_t seed = 1;
  for (int r = 0; r < n; r++, x += nx) {
    memcpy(x, p->x0, (size_t)nx * sizeof *x);
    for (int i = 0; far && i < s; i++)
      x[i] += 0.6 * random_share(&seed) * (p->rom->hi[i] - p->rom->lo[i]);
    mw_rom_code code = far ? mw_rom_static(p->rom, x, NULL, x + s, p->work, NULL) : MW_ROM_OK;
    if (code != MW_ROM_OK)
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "rest of the reduced model: %s",
                     mw_rom_code_name(code));
  }
  return MW_OK;
}

typedef struct rollouts {
  mw_bench_place *p;
  mw_rom_batch b;
  int n;
  double *start, *one;  // [n × 2n_x]
  void *work;           // mw_rom_batch_bytes
} rollouts;

// n rollouts from `first` on, one after the other into r->one; ns of all, and the steps they made.
static double run_single(const rollouts *r, int first, int n, long *steps)
{
  const mw_bench_place *p = r->p;
  size_t nx = 2 * (size_t)(p->rom->s + p->rom->m), nu = (size_t)p->rom->n_u, at = (size_t)first;
  memcpy(r->one + at * nx, r->start + at * nx, (size_t)n * nx * sizeof *r->one);
  *steps = 0;
  double start = mw_bench_cpu();
  for (size_t k = at; k < at + (size_t)n; k++) {
    const double *u = r->b.u + k * (size_t)r->b.n_step * nu;
    int j = 0;
    while (j < r->b.n_step && mw_rom_step(&(mw_rom_call){ .rom = p->rom,
                                                          .opt = &p->opt,
                                                          .h = r->b.h,
                                                          .u = u + (size_t)j * nu,
                                                          .work = p->work },
                                          r->one + k * nx) == MW_ROM_OK)
      j++;
    *steps += j;
  }
  return 1e9 * (mw_bench_cpu() - start);
}

static double run_batch(const rollouts *r, int first, int n)
{
  size_t nx = 2 * (size_t)(r->p->rom->s + r->p->rom->m), at = (size_t)first;
  memcpy(r->b.x + at * nx, r->start + at * nx, (size_t)n * nx * sizeof *r->b.x);
  double start = mw_bench_cpu();
  mw_rom_batch_run(r->p->rom, &r->p->opt, &r->b, first, n, r->work);
  return 1e9 * (mw_bench_cpu() - start);
}

// Single calls and batch in turn, a slice of the rollouts at a time: what else the machine does
// falls on both. Medians over all slices of all passes, ns a step.
static mw_code time_slices(const rollouts *r, int passes, mw_bench_rollouts *out, mw_error *err)
{
  enum { SLICE = 64 };
  int slices = (r->n + SLICE - 1) / SLICE, at = 0;
  mw_arena mem = { 0 };
  double *one = mw_arena_f64(&mem, (size_t)slices * (size_t)passes),
         *batch = mw_arena_f64(&mem, (size_t)slices * (size_t)passes);
  mw_code rc = mw_arena_check(&mem, err);
  for (int k = 0; rc == MW_OK && k < passes; k++) {
    out->steps = 0;
    for (int first = 0; first < r->n; first += SLICE, at++) {
      int n = r->n - first < SLICE ? r->n - first : SLICE;
      long steps;
      double ns = run_single(r, first, n, &steps);
      double per = (double)(steps > 0 ? steps : 1);
      one[at] = ns / per;
      batch[at] = run_batch(r, first, n) / per;
      out->steps += steps;
    }
  }
  if (rc == MW_OK) {
    out->one_ns = mw_bench_quantile(one, at, 0.5);
    out->batch_ns = mw_bench_quantile(batch, at, 0.5);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code measure_rollouts(mw_bench_place *p, double h, bool far, mw_bench_rollouts *out,
                                mw_error *err)
{
  enum { PASSES = 3 };
  int passes = out->passes < PASSES ? out->passes : PASSES;
  mw_arena mem = { 0 };
  size_t n = (size_t)out->n, nx = 2 * (size_t)(p->rom->s + p->rom->m);
  rollouts r = { .p = p, .n = out->n, .b = { .n_step = out->n_step, .h = h } };
  double *u = mw_arena_f64(&mem, n * (size_t)out->n_step * (size_t)p->rom->n_u);
  r.b.u = u;
  r.b.x = mw_arena_f64(&mem, n * nx);
  r.b.code = mw_arena_alloc(&mem, n, sizeof *r.b.code);
  r.b.done = mw_arena_int(&mem, n);
  r.start = mw_arena_f64(&mem, n * nx);
  r.one = mw_arena_f64(&mem, n * nx);
  r.work = mw_arena_alloc(&mem, mw_rom_batch_bytes(p->rom), 1);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) set_inputs(p, n * (size_t)out->n_step, u);
  if (rc == MW_OK) rc = set_starts(p, far, out->n, r.start, err);
  if (rc == MW_OK) rc = time_slices(&r, passes, out, err);
  if (rc == MW_OK) out->same = memcmp(r.one, r.b.x, n * nx * sizeof(double)) == 0;
  mw_arena_free(&mem);
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

// The explicit method's step: the longest h / N that is stable at the stiffest pattern, and makes
// its steps.
static double explicit_step(mw_bench_place *p, double h, double omega)
{
  static const double STABLE = 2.5;  // of ω h; 2.78 is the border without damping
  for (double n = fmax(1.0, ceil(h * omega / STABLE)); n < 1e6; n *= 2.0) {
    int k = 0;
    memcpy(p->x, p->x0, 2 * (size_t)(p->rom->s + p->rom->m) * sizeof *p->x);
    while (k < 10 * TURN && mw_bench_place_call(p, MW_COUNT_RK4, h / n, p->x, NULL) == MW_ROM_OK)
      k++;
    if (k == 10 * TURN) return h / n;
  }
  return h;
}

void mw_bench_call_eval(mw_bench_place *p, mw_count_call call, double h, mw_bench_cost *c)
{
  timed t = { .p = p, .call = call, .h = h };
  mw_error why = { 0 };
  c->h = is_step(call) ? h : 0.0;
  mw_code rc = mw_bench_time(call_once, &t, &c->ns, &why);
  if (rc == MW_OK) rc = mw_count_flops(p->rom, &p->opt, call, h, p->x0, p->u, &c->flops, &why);
  if (rc == MW_OK) rc = mw_bench_bytes(p, call, h, c, &why);
  if (call == MW_COUNT_MIDPOINT) c->iterations = (double)t.iterations / (double)t.steps;
  if (rc != MW_OK) snprintf(c->failed, sizeof c->failed, "%s", why.msg);
}

mw_code mw_bench_rom_eval(bool quick, mw_progress *progress, mw_bench_rom *b, mw_error *err)
{
  enum { ROLLOUTS = 4096, FEWER = 128, STEPS = 100, SPREAD = 1000000, LESS = 100000 };
  int part = 0;
  mw_bench_place p = { 0 };
  b->table_bytes = mw_rom_bytes(&b->file->rom);
  b->work_bytes = mw_rom_work_bytes(&b->file->rom);
  b->sens_bytes = mw_rom_sens_bytes(&b->file->rom);
  b->batch_bytes = mw_rom_batch_bytes(&b->file->rom);
  b->near = b->far = (mw_bench_rollouts){ .n = quick ? FEWER : ROLLOUTS,
                                          .n_step = STEPS,
                                          .passes = quick ? 1 : 3 };
  mw_progress_start(progress, "bench", MW_COUNT_N + 4);
  mw_code rc = mw_bench_machine_eval(quick, &b->machine, err);
  if (rc == MW_OK) rc = mw_bench_place_init(b->file, &p, err);
  if (rc == MW_OK) rc = largest_frequency(&p, &b->omega_max, err);
  mw_progress_step(progress, ++part);
  for (mw_count_call k = 0; rc == MW_OK && k < MW_COUNT_N; k++) {
    double h = k == MW_COUNT_RK4 ? explicit_step(&p, b->step, b->omega_max) : b->step;
    mw_bench_call_eval(&p, k, h, &b->call[k]);
    mw_progress_step(progress, ++part);
  }
  if (rc == MW_OK) rc = mw_bench_spread_eval(&p, b->step, quick ? LESS : SPREAD, &b->spread, err);
  mw_progress_step(progress, ++part);
  if (rc == MW_OK) rc = measure_rollouts(&p, b->step, false, &b->near, err);
  mw_progress_step(progress, ++part);
  if (rc == MW_OK) rc = measure_rollouts(&p, b->step, true, &b->far, err);
  mw_progress_end(progress);
  mw_bench_place_free(&p);
  return rc;
}
