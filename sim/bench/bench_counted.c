// SPDX-License-Identifier: BSD-3-Clause
// bench_counted.c: a call of the reduced model in numbers that are counted, bench_counted_priv.h;
// `double` is such a number here. Compiled with the sources of reduction/rom/ into one object that
// shows mw_counted_run alone. Copies the whole model: twice its bytes.
#include "bench_counted_priv.h"

#include "base/arena.h"
#include "bench_count_priv.h"

static double *convert(mw_arena *mem, const mw_plain *from, size_t n)
{
  double *to = from ? mw_arena_alloc(mem, n, sizeof *to) : NULL;
  for (size_t i = 0; to && i < n; i++) to[i] = from[i];
  return to;
}

static size_t n_knot(const mw_counted_call *c, int i) { return (size_t)c->n_grid[i] + 2; }

static const mw_rom_train *convert_trains(const mw_counted_call *c, mw_arena *mem)
{
  mw_rom_train *train = mw_arena_alloc(mem, (size_t)c->n_train, sizeof *train);
  for (int k = 0; train && k < c->n_train; k++) {
    const mw_counted_train *from = &c->train[k];
    size_t r = 1;
    train[k].first = from->first;
    train[k].n_field = from->n_field;
    for (int i = 0; i < c->s; i++) {
      train[k].rank[i] = from->rank[i];
      if (!from->core[i]) continue;
      train[k].core[i] = convert(mem, from->core[i], n_knot(c, i) * r * (size_t)from->rank[i]);
      r = (size_t)from->rank[i];
    }
    train[k].field = convert(mem, from->field, r * (size_t)from->n_field);
  }
  return train;
}

static const mw_rom_law *convert_laws(const mw_counted_call *c, mw_arena *mem)
{
  mw_rom_law *law = mw_arena_alloc(mem, (size_t)c->n_law, sizeof *law);
  for (int k = 0; law && k < c->n_law; k++) {
    const mw_plain *v = c->law + 9 * k;
    law[k] = (mw_rom_law){ c->law_field[k], v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8] };
  }
  return law;
}

static mw_rom convert_model(const mw_counted_call *c, mw_arena *mem)
{
  size_t s = (size_t)c->s, sy = s * (size_t)c->n_y;
  mw_rom r = { .s = c->s, .m = c->m, .n_y = c->n_y, .n_u = c->n_u, .n_field = c->n_field };
  r.flat = c->flat;
  r.zero_e = c->zero_e;
  r.zero_c = c->zero_c;
  r.parts = c->parts;
  r.zero_H = c->zero_H;
  r.slow = c->slow;
  r.n_Y = c->n_Y;
  r.n_G = c->n_G;
  r.Y_field = c->Y_field;
  r.cyclic = c->cyclic;
  r.symmetric = c->symmetric;
  for (int i = 0; i < c->s; i++) {
    r.n_grid[i] = c->n_grid[i];
    r.lo[i] = c->lo[i];
    r.hi[i] = c->hi[i];
  }
  r.y_slope = convert(mem, c->y_slope, sy);
  r.y_shift = convert(mem, c->y_shift, sy);
  r.mirror = c->mirror;
  r.mirror_y = c->mirror_y;
  r.coef = convert(mem, c->coef, c->n_coef);
  r.n_train = c->n_train;
  r.train = convert_trains(c, mem);
  r.u_field = c->u_field;
  r.c_theta = convert(mem, c->c_theta, s);
  r.delta_max = convert(mem, c->delta_max, (size_t)c->m);
  r.rate_max = convert(mem, c->rate_max, s);
  r.u_max = convert(mem, c->u_max, (size_t)c->n_u);
  r.n_law = c->n_law;
  r.law = convert_laws(c, mem);
  return r;
}

typedef struct scratch {
  double *x, *u, *acc, *value, *grad, *x_x, *x_u;
  void *work;
} scratch;

static scratch make_scratch(const mw_counted_call *c, const mw_rom *rom, mw_arena *mem)
{
  size_t n = (size_t)(c->s + c->m), nf = (size_t)c->n_field, nu = (size_t)c->n_u;
  scratch w = { .x = convert(mem, c->x, 2 * n), .u = convert(mem, c->u, nu) };
  w.acc = mw_arena_alloc(mem, n, sizeof *w.acc);
  w.value = mw_arena_alloc(mem, nf, sizeof *w.value);
  w.grad = mw_arena_alloc(mem, (size_t)c->s * nf, sizeof *w.grad);
  w.x_x = mw_arena_alloc(mem, 4 * n * n, sizeof *w.x_x);
  w.x_u = mw_arena_alloc(mem, 2 * n * nu, sizeof *w.x_u);
  w.work = mw_arena_alloc(mem, mw_rom_sens_bytes(rom), 1);
  return w;
}

static mw_rom_code run(const mw_counted_call *c, const mw_rom *rom, const scratch *w)
{
  mw_rom_opt opt = { .inertia = (mw_rom_inertia)c->inertia,
                     .method = (mw_rom_method)c->method,
                     .iter_max = c->iter_max,
                     .tol = c->tol,
                     .prescribed = c->prescribed };
  mw_rom_call call = { .rom = rom, .opt = &opt, .h = c->h, .u = w->u, .work = w->work };
  switch ((mw_count_call)c->call) {
  case MW_COUNT_FIELDS: return mw_rom_fields(rom, w->x, w->value, w->grad, NULL);
  case MW_COUNT_RHS:
  case MW_COUNT_RHS_LEADING: return mw_rom_rhs(&call, w->x, w->acc);
  case MW_COUNT_JACOBIAN: return mw_rom_jacobian(&call, w->x, w->acc, w->x_x, w->x_u);
  case MW_COUNT_SENS: return mw_rom_step_sens(&call, w->x, w->x_x, w->x_u);
  default: return mw_rom_step(&call, w->x);
  }
}

int mw_counted_run(const mw_counted_call *c)
{
  mw_arena mem = { 0 };
  mw_rom rom = convert_model(c, &mem);
  scratch w = make_scratch(c, &rom, &mem);
  int rc = -1;
  if (!mem.failed) {
    rc = (int)run(c, &rom, &w);
    const double *from = c->call == MW_COUNT_FIELDS ? w.value : (c->call < 4 ? w.acc : w.x);
    for (size_t i = 0; i < mw_counted_n_result(c); i++) c->result[i] = (mw_plain)from[i];
  }
  mw_arena_free(&mem);
  return rc;
}
