// SPDX-License-Identifier: BSD-3-Clause
// elastic_move.c: motions of a reduced model along a path in time, how far they deflect outputs and
// how these swing afterwards.
//
// The traversal p(t) has jumps of p̈, which excite what swings. Its mean over a time T,
//   p_T(t) = 1/T ∫ p over (t − T, t) ,       T = rise/f ,  f the lowest frequency at p_T(t)   (1)
// goes through the same places, lets accelerations rise over T, and takes T longer. An acceleration
// that rises evenly over T moves an undamped mode of frequency ω like its static deflection, and
// besides it swings by
//   |sin(ωT/2)/(ωT/2)|                                                                         (2)
// of it: nothing where T is a whole number of its periods. p is of second degree in t between the
// traversal's points, its integral of third.
#include <math.h>
#include <string.h>

#include "fem/control.h"
#include "sim/elastic_reach.h"
#include "sim/romrun.h"

enum { PARTS = 4, TAIL = 3, PER_PERIOD = 100, LEAST = 1000, MOST = 400000 };

// ---- the path in time ---------------------------------------------------------------------------

// The interval of ascending x [n] that holds at
static int interval(int n, const double *x, double at)
{
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    *(x[mid] <= at ? &lo : &hi) = mid;
  }
  return lo;
}

mw_code mw_risen_open(const mw_traversal *t, const mw_elastic_path *o, double rise, mw_arena *mem,
                      mw_risen *out, mw_error *err)
{
  double *area = mw_arena_f64(mem, (size_t)t->n);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i + 1 < t->n; i++) {
    double h = t->t[i + 1] - t->t[i];
    area[i + 1] = area[i] + h * (t->p[i] + h * (t->rate[i] / 3.0 + t->rate[i + 1] / 6.0));
  }
  if (rc == MW_OK) *out = (mw_risen){ t, o, rise, area };
  return rc;
}

// p of the traversal, or its integral
static double integral(const mw_risen *r, double t, bool of_p)
{
  const mw_traversal *v = r->traversal;
  if (t <= 0.0) return of_p ? 0.0 : v->p[0];
  if (t >= v->duration)
    return of_p ? r->area[v->n - 1] + (t - v->duration) * v->p[v->n - 1] : v->p[v->n - 1];
  int i = interval(v->n, v->t, t);
  double x = t - v->t[i], a = (v->rate[i + 1] - v->rate[i]) / (v->t[i + 1] - v->t[i]);
  if (of_p) return r->area[i] + x * (v->p[i] + x * (0.5 * v->rate[i] + x * a / 6.0));
  return v->p[i] + x * (v->rate[i] + 0.5 * x * a);
}

static double rise_at(const mw_risen *r, double p)
{
  const mw_path_dynamics *d = &r->path->d;
  int i = interval(d->n, d->p, p);
  double part = (p - d->p[i]) / (d->p[i + 1] - d->p[i]);
  part = fmin(fmax(part, 0.0), 1.0);
  return r->rise / (r->path->hz[i] + part * (r->path->hz[i + 1] - r->path->hz[i]));
}

double mw_risen_at(const mw_risen *r, double t)
{
  enum { ITER = 60 };
  static const double CLOSE = 1e-15;
  double p = integral(r, t, false), last = INFINITY;
  if (!(r->rise > 0.0)) return p;
  for (int i = 0; i < ITER && fabs(p - last) > CLOSE; i++) {
    double T = rise_at(r, p);
    last = p;
    p = (integral(r, t, true) - integral(r, t - T, true)) / T;
  }
  return p;
}

double mw_risen_duration(const mw_risen *r)
{
  const mw_traversal *v = r->traversal;
  return v->duration + (r->rise > 0.0 ? rise_at(r, v->p[v->n - 1]) : 0.0);
}

// ---- the scenario -------------------------------------------------------------------------------

typedef struct mover {
  const mw_model *model;
  const mw_mech *m;
  const mw_rom_file *rom;
  const mw_elastic_path *o;
  mw_risen risen;
  mw_scenario sc;
  mw_elastic_move e;
  mw_arena mem;
} mover;

// Quintic between points of the path: coordinate c by its values and two derivatives there
static double coordinate_at(const mw_path_dynamics *d, int c, double p)
{
  int i = interval(d->n, d->p, p);
  double h = d->p[i + 1] - d->p[i], x = (p - d->p[i]) / h, y = 1.0 - x, v[2][3];
  for (int k = 0; k < 2; k++) {
    int at = (i + k) * d->n_coord + c;
    v[k][0] = d->s[at];
    v[k][1] = d->s1[at] * h;
    v[k][2] = d->s2[at] * h * h;
  }
  double left = v[0][0] * (1.0 + x * (3.0 + 6.0 * x)) + x * (v[0][1] * (1.0 + 3.0 * x)) +
                0.5 * x * x * v[0][2],
         right = v[1][0] * (1.0 + y * (3.0 + 6.0 * y)) - y * (v[1][1] * (1.0 + 3.0 * y)) +
                 0.5 * y * y * v[1][2];
  return y * y * y * left + x * x * x * right;
}

static mw_code spline_of(mover *z, int c, mw_signal *g, mw_error *err)
{
  size_t n = (size_t)z->e.n;
  double *y = mw_arena_f64(&z->mem, n);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < z->e.n; i++) y[i] = coordinate_at(&z->o->d, c, z->e.p[i]);
  return mw_signal_spline(z->e.n, z->e.t, y, true, &z->mem, g, err);
}

// Force of least norm of drive k over time; rates and accelerations of p by differences
static mw_code force_of(mover *z, int k, mw_signal *g, mw_error *err)
{
  const mw_path_dynamics *d = &z->o->d;
  const double *p = z->e.p;
  int n = z->e.n;
  double *y = mw_arena_f64(&z->mem, (size_t)n), h = z->e.step;
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    bool inside = i > 0 && i + 1 < n;
    double rate = inside ? (p[i + 1] - p[i - 1]) / (2.0 * h) : 0.0,
           acceleration = inside ? (p[i + 1] - 2.0 * p[i] + p[i - 1]) / (h * h) : 0.0;
    int at = interval(d->n, d->p, p[i]);
    double part = fmin(fmax((p[i] - d->p[at]) / (d->p[at + 1] - d->p[at]), 0.0), 1.0),
           by[PARTS] = { acceleration, rate * rate, rate, 1.0 };
    for (int x = 0; x < PARTS; x++) {
      const double *f = z->o->force + (size_t)(at * PARTS + x) * (size_t)d->n_drive + k;
      y[i] += by[x] * (f[0] + part * (f[PARTS * d->n_drive] - f[0]));
    }
  }
  if (rc == MW_OK) *g = (mw_signal){ .kind = MW_SIGNAL_TABLE, .n = n, .t = z->e.t, .y = y };
  return rc;
}

static mw_code actions(mover *z, mw_error *err)
{
  const mw_path_dynamics *d = &z->o->d;
  const mw_model *model = z->model;
  size_t nd = (size_t)model->n_drive, k = (size_t)d->k;
  z->sc.action = mw_arena_alloc(&z->mem, nd, sizeof *z->sc.action);
  z->sc.start_joint = mw_arena_int(&z->mem, k);
  z->sc.start_s = mw_arena_f64(&z->mem, k);
  z->sc.start_v = mw_arena_f64(&z->mem, k);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int i = 0; rc == MW_OK && i < model->n_drive; i++) {
    int joint = model->drive[i].joint, c = joint >= 0 ? z->m->joint[joint].coord : -1, of = -1;
    if (c < 0) continue;  // acts at a frame: given no force
    mw_action *a = &z->sc.action[z->sc.n_action++];
    *a = (mw_action){ .drive = i, .kind = MW_ACTION_FORCE };
    for (int q = 0; q < d->k; q++) of = d->coord[q] == c ? q : of;
    for (int q = 0; q < z->sc.n_start && of >= 0; q++)
      if (z->sc.start_joint[q] == joint) of = -1;  // a second drive of the same coordinate
    if (of < 0) {
      rc = force_of(z, i, &a->signal, err);
      continue;
    }
    a->kind = MW_ACTION_POSITION;
    rc = spline_of(z, c, &a->signal, err);
    z->sc.start_joint[z->sc.n_start] = joint;
    if (rc == MW_OK) z->sc.start_s[z->sc.n_start] = a->signal.y[0];
    z->sc.n_start++;
  }
  if (rc == MW_OK && z->sc.n_start < d->k)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d coordinates of the reduction have drives, expected all %d: the motion is "
                 "prescribed in time",
                 z->sc.n_start, d->k);
  return rc;
}

static mw_code scenario(mover *z, mw_error *err)
{
  double period = 0.0, fastest = INFINITY, all;
  const mw_path_dynamics *d = &z->o->d;
  for (int i = 0; i < d->n; i++) fastest = fmin(fastest, 1.0 / z->o->hz[i]);
  period = 1.0 / z->o->hz[d->n - 1];
  z->e.duration = mw_risen_duration(&z->risen);
  all = z->e.duration + TAIL * period;
  z->e.step = fmin(fastest / PER_PERIOD, all / LEAST);
  double n = ceil(all / z->e.step);
  if (!(n <= MOST))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the motion takes %.3g s, the lowest period is %.3g s: expected at most %d "
                   "steps of a hundredth of it",
                   z->e.duration, fastest, MOST);
  z->e.n = (int)n + 1;
  z->sc = (mw_scenario){ .name = "along the path",
                         .duration = n * z->e.step,
                         .step = z->e.step,
                         .control_period = z->e.step,
                         .store = z->e.step,
                         .store_asked = z->e.step,
                         .static_start = true };
  return MW_OK;
}

// ---- the run ------------------------------------------------------------------------------------

typedef struct reference {  // positions of the undeformed machine, and of the machine at rest
  double *x, *u, *field[2];
  void *work;
} reference;

static mw_code reference_open(const mover *z, mw_arena *mem, reference *f, mw_error *err)
{
  const mw_rom *rom = &z->rom->rom;
  f->x = mw_arena_f64(mem, 2 * (size_t)(rom->s + rom->m));
  f->u = mw_arena_f64(mem, (size_t)rom->n_u);
  for (int i = 0; i < 2; i++) f->field[i] = mw_arena_f64(mem, (size_t)rom->n_y);
  f->work = mw_arena_alloc(mem, mw_rom_work_bytes(rom), 1);
  return mw_arena_check(mem, err);
}

// Where the run is at instant i
static mw_code reference_at(const mover *z, const mw_run *r, int i, reference *f, mw_error *err)
{
  const mw_rom *rom = &z->rom->rom;
  const mw_path_dynamics *d = &z->o->d;
  mw_rom_info info = { 0 };
  int at = interval(d->n, d->p, z->e.p[i]);
  memset(f->x, 0, 2 * (size_t)(rom->s + rom->m) * sizeof *f->x);
  for (int k = 0; k < rom->s; k++) f->x[k] = r->s[i * r->n_coord + d->coord[k]];
  for (int k = 0; k < rom->n_u; k++) f->u[k] = z->o->force[(at * PARTS + 3) * rom->n_u + k];
  mw_rom_code code = mw_rom_outputs(rom, f->x, f->field[0], NULL, f->work, &info);
  if (code == MW_ROM_OK) code = mw_rom_static(rom, f->x, f->u, f->x + rom->s, f->work, &info);
  if (code == MW_ROM_OK) code = mw_rom_outputs(rom, f->x, f->field[1], NULL, f->work, &info);
  if (code == MW_ROM_OK) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the reduced model at %.6g s: %s", r->t[i],
                 mw_rom_code_name(code));
}

static double norm3(const double *y) { return sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]); }

// Deflections of the run, and what is largest of them
static mw_code take(mover *z, const mw_run *r, bool moving, mw_error *err)
{
  const mw_elastic_path *o = z->o;
  mw_elastic_move *e = &z->e;
  mw_arena tmp = { 0 };
  reference f;
  mw_code rc = reference_open(z, &tmp, &f, err);
  for (int i = 0; rc == MW_OK && i < r->n_t; i++) {
    rc = reference_at(z, r, i, &f, err);
    for (int k = 0; rc == MW_OK && k < o->n_out; k++) {
      double *y = e->y + 3 * (i * o->n_out + k), off[3] = { 0.0 };
      for (int j = 0; j < r->n_out; j++)
        if (r->out[j] == o->output[k]) memcpy(y, r->y + 3 * (i * r->n_out + j), sizeof off);
      for (int x = 0; x < 3; x++) {
        int field = o->field[3 * k + x];
        off[x] = y[x] - f.field[1][field];
        y[x] -= f.field[moving][field];
      }
      e->largest[k] = fmax(e->largest[k], norm3(y));
      if (e->t[i] >= e->duration) e->residual[k] = fmax(e->residual[k], norm3(off));
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// Without swinging: the largest of the traversal, in the middle between its points
static void stand_still(mover *z, bool moving)
{
  const mw_traversal *v = z->risen.traversal;
  for (int k = 0; k < z->o->n_out; k++)
    for (int i = 0; i + 1 < v->n; i++) {
      double a = v->rate[i] * v->rate[i], b = v->rate[i + 1] * v->rate[i + 1],
             acceleration = 0.5 * (b - a) / (v->p[i + 1] - v->p[i]);
      z->e.still[k] =
          fmax(z->e.still[k], mw_elastic_path_deflection(z->o, 2 * i + 1, k, sqrt(0.5 * (a + b)),
                                                         acceleration, moving));
    }
}

static mw_code run(mover *z, bool moving, mw_arena *mem, mw_error *err)
{
  mw_rom_file free = *z->rom;  // without the limits that it is meant for: said by the run
  mw_rom_run_opt opt = mw_rom_run_opt_default();
  mw_run r = { 0 };
  free.rom.u_max = NULL;
  opt.step = z->e.step;
  mw_code rc = mw_rom_run(z->model, z->m, &free, &z->sc, &opt, NULL, &r, err);
  if (rc == MW_OK && (r.event || r.n_t != z->e.n))
    rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "the motion ends early: %s",
                 r.event ? r.event : "steps were divided");
  if (rc == MW_OK) rc = take(z, &r, moving, err);
  if (rc == MW_OK && r.beyond) {
    z->e.beyond = mw_arena_str(mem, r.beyond);
    rc = mw_arena_check(mem, err);
  }
  mw_run_free(&r);
  return rc;
}

mw_code mw_elastic_move_run(const mw_model *model, const mw_mech *m, const mw_rom_file *rom,
                            const mw_elastic_path *o, const mw_traversal *traversal, double rise,
                            bool moving, mw_arena *mem, mw_elastic_move *out, mw_error *err)
{
  mover z = { .model = model, .m = m, .rom = rom, .o = o, .e = { .rise = rise } };
  mw_code rc = mw_risen_open(traversal, o, rise, &z.mem, &z.risen, err);
  if (rc == MW_OK) rc = scenario(&z, err);
  if (rc == MW_OK) {
    size_t n = (size_t)z.e.n, k = (size_t)o->n_out;
    double **of_time[] = { &z.e.t, &z.e.p },
           **of_out[] = { &z.e.largest, &z.e.still, &z.e.residual };
    for (int i = 0; i < 2; i++) *of_time[i] = mw_arena_f64(mem, n);
    for (int i = 0; i < 3; i++) *of_out[i] = mw_arena_f64(mem, k);
    z.e.y = mw_arena_f64(mem, 3 * n * k);
    rc = mw_arena_check(mem, err);
  }
  for (int i = 0; rc == MW_OK && i < z.e.n; i++) {
    z.e.t[i] = i * z.e.step;
    z.e.p[i] = mw_risen_at(&z.risen, z.e.t[i]);
  }
  if (rc == MW_OK) rc = actions(&z, err);
  if (rc == MW_OK) rc = run(&z, moving, mem, err);
  if (rc == MW_OK) stand_still(&z, moving);
  mw_arena_free(&z.mem);
  if (rc == MW_OK) *out = z.e;
  return rc;
}
