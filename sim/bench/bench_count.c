// SPDX-License-Identifier: BSD-3-Clause
// bench_count.c: operations of the reduced model's calls, counted while they are made.
//
// The sources of reduction/rom/ are compiled a second time with numbers that are counted
// (bench_counted_priv.h), and the model at hand is run with them, once. What that gives must be
// what the library gives: so it is the same computation. It takes some 50 ns an operation,
// milliseconds in all. The counters belong to the thread: the run-time library's calls, which they
// stand behind, hand nothing over that they could hang on.
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "bench_count_priv.h"
#include "bench_counted_priv.h"

static _Thread_local mw_flops counter;

mw_counted mw_counted_add(mw_counted a, mw_counted b)
{
  counter.add++;
  return a + b;
}

mw_counted mw_counted_sub(mw_counted a, mw_counted b)
{
  counter.add++;
  return a - b;
}

mw_counted mw_counted_mul(mw_counted a, mw_counted b)
{
  counter.mul++;
  return a * b;
}

mw_counted mw_counted_div(mw_counted a, mw_counted b)
{
  counter.div++;
  return a / b;
}

mw_counted mw_counted_sqrt(mw_counted a)
{
  counter.root++;
  return sqrt((double)a);
}

// The call of the library, its result.
static mw_rom_code run_plain(const mw_rom *rom, const mw_rom_opt *opt, const mw_counted_call *c,
                             mw_arena *mem, double *result)
{
  size_t n = (size_t)(rom->s + rom->m), nf = (size_t)rom->n_field, s = (size_t)rom->s;
  void *work = mw_arena_alloc(mem, mw_rom_work_bytes(rom), 1);
  double *grad = mw_arena_f64(mem, s * nf), *x = mw_arena_f64(mem, 2 * n);
  if (mem->failed) return MW_ROM_OK;
  memcpy(x, c->x, 2 * n * sizeof *x);
  if (c->call == MW_COUNT_FIELDS) return mw_rom_fields(rom, x, result, grad, NULL);
  mw_rom_call call = { .rom = rom, .opt = opt, .h = c->h, .u = c->u, .work = work };
  if (c->call < MW_COUNT_EXPONENTIAL) return mw_rom_rhs(&call, x, result);
  mw_rom_code code = mw_rom_step(&call, x);
  memcpy(result, x, 2 * n * sizeof *x);
  return code;
}

static void set_model(const mw_rom *r, mw_arena *mem, mw_counted_call *c)
{
  *c = (mw_counted_call){ .s = r->s, .m = r->m, .n_y = r->n_y, .n_u = r->n_u };
  c->n_field = r->n_field;
  c->n_grid = r->n_grid;
  c->lo = r->lo;
  c->hi = r->hi;
  c->flat = r->flat;
  c->zero_e = r->zero_e;
  c->zero_c = r->zero_c;
  c->parts = r->parts;
  c->zero_H = r->zero_H;
  c->slow = r->slow;
  c->n_Y = r->n_Y;
  c->n_G = r->n_G;
  c->Y_field = r->Y_field;
  c->cyclic = r->cyclic;
  c->symmetric = r->symmetric;
  c->y_slope = r->y_slope;
  c->y_shift = r->y_shift;
  c->mirror = r->mirror;
  c->mirror_y = r->mirror_y;
  c->coef = r->coef;
  c->n_coef = r->n_train > 0 ? 0 : mw_rom_bytes(r) / sizeof(double);
  c->u_field = r->u_field;
  c->c_theta = r->c_theta;
  c->delta_max = r->delta_max;
  c->rate_max = r->rate_max;
  c->u_max = r->u_max;
  c->n_train = r->n_train;
  c->n_law = r->n_law;
  mw_counted_train *train = mw_arena_alloc(mem, (size_t)r->n_train, sizeof *train);
  double *law = mw_arena_f64(mem, 9 * (size_t)r->n_law);
  int *field = mw_arena_int(mem, (size_t)r->n_law);
  for (int k = 0; train && k < r->n_train; k++)
    train[k] = (mw_counted_train){ r->train[k].first, r->train[k].n_field, r->train[k].rank,
                                   r->train[k].core, r->train[k].field };
  for (int k = 0; law && field && k < r->n_law; k++) {
    const mw_rom_law *l = &r->law[k];
    const double v[9] = { l->coulomb, l->stiction,  l->stribeck, l->smooth, l->lo,
                          l->hi,      l->stiffness, l->damping,  l->soft };
    memcpy(law + 9 * k, v, sizeof v);
    field[k] = l->field;
  }
  c->train = train;
  c->law = law;
  c->law_field = field;
}

static void set_call(mw_count_call call, mw_rom_opt *opt, double h, mw_counted_call *c)
{
  if (call == MW_COUNT_RHS_LEADING) opt->inertia = MW_ROM_LEADING;
  if (call == MW_COUNT_RK4) opt->method = MW_ROM_RK4;
  if (call == MW_COUNT_MIDPOINT) opt->method = MW_ROM_MIDPOINT;
  if (call == MW_COUNT_EXPONENTIAL || call == MW_COUNT_SENS) opt->method = MW_ROM_EXPONENTIAL;
  c->call = (int)call;
  c->inertia = (int)opt->inertia;
  c->method = (int)opt->method;
  c->iter_max = opt->iter_max;
  c->tol = opt->tol;
  c->prescribed = opt->prescribed;
  c->h = h;
}

// Outputs between those that inputs and laws act on.
static double outputs_used(const mw_rom *r)
{
  int lo = r->n_y, hi = 0;
  for (int k = 0; k < r->n_u + r->n_law; k++) {
    int field = k < r->n_u ? r->u_field[k] : r->law[k - r->n_u].field;
    lo = field < lo ? field : lo;
    hi = field + 1 > hi ? field + 1 : hi;
  }
  return hi > lo ? hi - lo : 0.0;
}

double mw_bench_step_formula(const mw_rom *r)
{
  double s = r->s, m = r->m, n = s + m, mm = 0.5 * m * (m + 1.0), sums = 0.0;
  double fields = 0.5 * s * (s + 1.0) * (1.0 + m) + s * m + 2.0 * mm + 1.0 + m;
  if (r->parts || r->n_train > 0) return NAN;
  for (int i = 0, a = 0; i < r->s; i++) {
    if (!(r->flat >> i & 1u)) sums = 4.0 * sums + ++a + 1.0;
    fields += r->zero_e >> i & 1u ? 0.0 : 0.5 * m * (m - 1.0);
  }
  for (int p = 0; p < r->s * (r->s + 1) / 2; p++) fields += r->zero_c >> p & 1u ? 0.0 : mm;
  fields += outputs_used(r) * (1.0 + m);
  return (7.0 * sums + 8.0) * fields + 5.0 / 3.0 * n * n * n + 26.0 * n * n;
}

static mw_code check(const double *got, const double *want, size_t n, mw_error *err)
{
  static const double SAME =
      // of the largest number: rounding of accelerations of stiff patterns, an iteration's end
      1e-6;
  double size = 0.0, off = 0.0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(want[i]));
    off = fmax(off, fabs(got[i] - want[i]));
  }
  if (off <= SAME * size) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the counted call gives another result: %.3g off, the largest is %.3g", off, size);
}

mw_code mw_count_flops(const mw_rom *rom, const mw_rom_opt *opt, mw_count_call call, double h,
                       const double *x, const double *u, mw_flops *out, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_counted_call c;
  mw_rom_opt own = *opt;
  set_model(rom, &mem, &c);
  set_call(call, &own, h, &c);
  c.x = x;
  c.u = u;
  size_t n = mw_counted_n_result(&c);
  c.result = mw_arena_f64(&mem, n);
  double *want = mw_arena_f64(&mem, n);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    mw_rom_code code = run_plain(rom, &own, &c, &mem, want);
    rc = mw_arena_check(&mem, err);
    counter = (mw_flops){ 0 };
    int counted = rc == MW_OK ? mw_counted_run(&c) : 0;
    *out = counter;
    if (rc == MW_OK && (counted < 0 || code != MW_ROM_OK || counted != (int)code))
      rc = mw_fail(err, counted < 0 ? MW_ERR_MEMORY : MW_ERR_NUMERIC, MW_NOWHERE,
                   "counting fails: %s",
                   mw_rom_code_name(counted < 0 ? code : (mw_rom_code)counted));
  }
  if (rc == MW_OK) rc = check(c.result, want, n, err);
  mw_arena_free(&mem);
  return rc;
}
