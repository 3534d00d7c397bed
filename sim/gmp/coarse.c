// SPDX-License-Identifier: BSD-3-Clause
// coarse.c: what a run of a reduced model errs by in time, by the mid-point rule.
//
// The rule y1 = y0 + h g((y0 + y1)/2) for y' = g(y, t), y = (q, v), errs in each step by its defect; its error e grows by
//   e' = J e + h² (J y''/8 − y'''/24) ,    J = ∂g/∂y                                               (1)
// to second order in h. A free vibration of ω gets the phase error (ωh)²/12 a radian, a slow force of Ω, as weight is
// in axes that turn, the deflection (1 + (Ωh)²/8) at the ends of steps. (1) is solved by the mid-point rule itself, a part behind
// the run, y'' = (a, a') and y''' = (a', a'') from the accelerations of three parts of one length without a kink between:
//   a' = (a₊ − a₋)/2h ,  a'' = (a₊ − 2a + a₋)/h²                                                   (2)
//   (1 − ½h J_v − ¼h² J_q) e_v1 = e_v0 + ½h J_v e_v0 + h J_q (e_q0 + ¼h e_v0 + ½h d_q) + h d_v ,
//   e_q1 = e_q0 + ½h (e_v0 + e_v1) + h d_q ,   d = h² (J y''/8 − y'''/24)                           (3)
// Prescribed coordinates follow their signals: no e. What controllers answer to e is not in it: their forces are as they were.
// Deflections err along an eigenpair (modal.c) by twice the amplitude with which it swings at most: the opposite phase. What
// outputs move by under e is what they may err by.
// Cost: n² a part; J and a factorization where theta has moved by a hundredth of its range, or its rate by
// that a period.
#include "coarse_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "reduction/certificate.h"

static const double OPPOSITE = 2.0;  // amplitudes between x and −x
static const double SAME = 1e-9;     // of a length of time
static const double MOVED = 0.01;    // of a coordinate's range, after which J is computed anew
static const double TURNS = 0.1;     // rad a step, worth a word

mw_code mw_coarse_init(mw_coarse *z, const mw_modal *modal, const mw_rom_opt *opt, int n_out,
                       const int *row, mw_arena *mem, mw_error *err)
{
  const mw_rom *rom = &modal->file->rom;
  size_t m = (size_t)rom->m, n = m + (size_t)rom->s, n_o = (size_t)n_out;
  *z = (mw_coarse){ .turns = -1 };
  if (m == 0 || n_out == 0) return MW_OK;
  z->row = row;
  z->n_out = n_out;
  z->opt = *opt;
  double **vector[] = { &z->eq,   &z->ev,   &z->dq,  &z->dv,        &z->right,
                        &z->a[0], &z->a[1], &z->acc, &z->pair_rate, &z->ring };
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) *vector[i] = mw_arena_f64(mem, n);
  z->J = mw_arena_f64(mem, 2 * n * n);
  z->J_u = mw_arena_f64(mem, n * (size_t)rom->n_u);
  z->LU = mw_arena_f64(mem, n * n);
  z->pair = mw_arena_f64(mem, n);
  z->pivot = mw_arena_int(mem, n);
  z->gradient = mw_arena_f64(mem, (size_t)rom->s * (size_t)rom->n_field);
  z->value = mw_arena_f64(mem, (size_t)rom->n_field);
  z->work = mw_arena_alloc(mem, mw_rom_sens_bytes(rom), 1);
  double **output[] = { &z->worst, &z->peak, &z->when, &z->hz };
  for (size_t i = 0; i < sizeof output / sizeof *output; i++) *output[i] = mw_arena_f64(mem, n_o);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) z->modal = modal;
  return rc;
}

static int unknowns(const mw_coarse *z) { return z->modal->file->rom.s + z->modal->file->rom.m; }

// J at the middle of the part, and the matrix of (3)
static mw_code linearize(mw_coarse *z, const double *u, double h, mw_error *err)
{
  const mw_modal *q = z->modal;
  const mw_rom *rom = &q->file->rom;
  int s = rom->s, n = unknowns(z);
  double slow = sqrt(fmax(q->w[0], 0.0)) / (2.0 * acos(-1.0));  // 1/s, of the softest pair
  bool near = z->factored && fabs(z->h_factored - h) <= SAME * h;
  for (int i = 0; i < s; i++) {
    double width = MOVED * (rom->hi[i] - rom->lo[i]);
    near = near && fabs(q->state[i] - z->theta[i]) <= width &&
           fabs(q->state[n + i] - z->rate[i]) <= width * slow;
  }
  if (near) return MW_OK;
  z->factored = false;
  mw_rom_code code = mw_rom_jacobian(rom, &z->opt, q->state, u, q->acceleration, z->acc, z->J,
                                     z->J_u, z->work, NULL);
  if (code != MW_ROM_OK) return MW_OK;  // at the edge of the tables, say: the run itself knows
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      z->LU[a * n + b] = (a == b ? 1.0 : 0.0) - 0.5 * h * z->J[2 * a * n + n + b] -
                         0.25 * h * h * z->J[2 * a * n + b];
  mw_code rc = mw_lu_factor(n, z->LU, z->pivot, err);
  if (rc == MW_ERR_NUMERIC) return MW_OK;
  memcpy(z->theta, q->state, (size_t)s * sizeof(double));
  memcpy(z->rate, q->state + n, (size_t)s * sizeof(double));
  z->h_factored = h;
  z->factored = rc == MW_OK;
  return rc;
}

// Row a of J_q x + J_v y
static double row(const mw_coarse *z, int a, const double *x, const double *y)
{
  int n = unknowns(z);
  return mw_dot(n, z->J + 2 * a * n, x) + mw_dot(n, z->J + 2 * a * n + n, y);
}

// d of (3) from the accelerations of three parts of h; 0 where they do not follow each other smoothly
static void defect(mw_coarse *z, double h, bool smooth)
{
  int n = unknowns(z);
  double *jerk = z->right;
  const double *before = z->a[1], *mid = z->a[0], *after = z->modal->acceleration;
  for (int i = 0; i < n; i++) {
    jerk[i] = smooth ? 0.5 * (after[i] - before[i]) / h : 0.0;
    z->dq[i] = h * h * jerk[i] / 12.0;  // J y'' of q is v''
  }
  for (int i = 0; i < n; i++) {
    double snap = (after[i] - 2.0 * mid[i] + before[i]) / (h * h);
    z->dv[i] = smooth ? h * h * (row(z, i, mid, jerk) / 8.0 - snap / 24.0) : 0.0;
    if (i >= z->modal->file->rom.s || !(z->opt.prescribed >> i & 1u)) continue;
    z->dq[i] = z->dv[i] = 0.0;
  }
}

// (3)
static void advance(mw_coarse *z, double h)
{
  int n = unknowns(z);
  double *x = z->acc;
  for (int i = 0; i < n; i++) x[i] = h * (z->eq[i] + 0.25 * h * z->ev[i] + 0.5 * h * z->dq[i]);
  for (int i = 0; i < n; i++) {
    bool given = i < z->modal->file->rom.s && z->opt.prescribed >> i & 1u;
    const double *J = z->J + 2 * i * n;
    z->right[i] =
        given ? 0.0 : z->ev[i] + 0.5 * h * mw_dot(n, J + n, z->ev) + mw_dot(n, J, x) + h * z->dv[i];
  }
  mw_lu_solve(n, z->LU, z->pivot, 1, z->right);
  for (int i = 0; i < n; i++) {
    z->eq[i] += 0.5 * h * (z->ev[i] + z->right[i]) + h * z->dq[i];
    z->ev[i] = z->right[i];
  }
}

// Eigenpairs err by no more than twice what they swing by.
static void bound(mw_coarse *z)
{
  const mw_modal *q = z->modal;
  int s = q->file->rom.s, m = q->file->rom.m, n = s + m;
  for (int j = 0; j < m; j++) {
    double e = 0.0, rate = 0.0, acc = 0.0, v = 0.0, w = sqrt(fmax(q->w[j], 0.0));
    for (int a = 0; a < m; a++) {
      double x = q->V[a * m + j];
      e += x * z->eq[s + a];
      rate += x * z->ev[s + a];
      acc += x * q->acceleration[s + a];
      v += x * q->state[n + s + a];
    }
    double size = w > 0.0 ? hypot(e, rate / w) : 0.0, part = 1.0;
    if (w > 0.0) z->ring[j] = fmax(z->ring[j], hypot(v, acc / w) / w);
    if (size > OPPOSITE * z->ring[j]) part = OPPOSITE * z->ring[j] / size;
    z->pair[j] = part * e;
    z->pair_rate[j] = part * rate;
  }
  for (int a = 0; a < m; a++) {
    z->eq[s + a] = mw_dot(m, q->V + a * m, z->pair);
    z->ev[s + a] = mw_dot(m, q->V + a * m, z->pair_rate);
  }
}

// Frequency of the eigenpair that takes the largest part in e at output o, Hz
static double loudest(const mw_coarse *z, int o)
{
  const mw_modal *q = z->modal;
  int m = q->file->rom.m, first = mw_rom_layout_of(mw_rom_shape_of(&q->file->rom)).y, at = 0;
  double most = -1.0;
  for (int j = 0; j < m; j++) {
    double y[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; i++)
      for (int a = 0; a < m; a++)
        y[i] += q->V[a * m + j] * q->value[first + z->row[3 * o + i] * (1 + m) + 1 + a];
    if (fabs(z->pair[j]) * mw_norm3(y) <= most) continue;
    most = fabs(z->pair[j]) * mw_norm3(y);
    at = j;
  }
  return sqrt(fmax(q->w[at], 0.0)) / (2.0 * acos(-1.0));
}

// What outputs move by under e
static void note(mw_coarse *z, double t)
{
  const mw_modal *q = z->modal;
  const mw_rom *rom = &q->file->rom;
  int s = rom->s, m = rom->m, first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  unsigned all = (1u << s) - 1u;
  bool moves = (z->opt.prescribed & all) != all &&
               mw_rom_fields(rom, q->state, z->value, z->gradient, NULL) == MW_ROM_OK;
  for (int o = 0; o < z->n_out; o++) {
    double off[3], y[3];
    for (int i = 0; i < 3; i++) {
      int at = first + z->row[3 * o + i] * (1 + m);
      off[i] = mw_dot(m, q->value + at + 1, z->eq + s);
      y[i] = mw_dot(m, q->value + at + 1, q->state + s);
      for (int k = 0; moves && k < s; k++) {
        const double *slope = z->gradient + k * rom->n_field + at;
        off[i] += z->eq[k] * (slope[0] + mw_dot(m, slope + 1, q->state + s));
      }
    }
    z->peak[o] = fmax(z->peak[o], mw_norm3(y));
    if (mw_norm3(off) <= z->worst[o]) continue;
    z->worst[o] = mw_norm3(off);
    z->when[o] = t;
    z->hz[o] = loudest(z, o);
  }
}

mw_code mw_coarse_end(mw_coarse *z, const double *u, double t, double h, bool kink, mw_error *err)
{
  const mw_modal *q = z->modal;
  if (!q || !(h > 0.0)) return MW_OK;
  int s = q->file->rom.s, n = unknowns(z);
  size_t size = (size_t)n * sizeof(double);
  bool even = z->parts >= 2 && fabs(z->h[0] - h) <= SAME * h && fabs(z->h[1] - h) <= SAME * h;
  mw_code rc = linearize(z, u, h, err);
  if (rc != MW_OK) return rc;
  if (z->factored && z->parts > 0) {
    defect(z, h, even && !kink && !z->kink);
    advance(z, h);
    bound(z);
    note(z, t);
  }
  for (int i = 0; i < s; i++) {
    double turn = fabs(q->state[n + i]) * h;
    if (!q->file->unit || strcmp(q->file->unit[i], "rad") != 0 || turn <= z->turn) continue;
    z->turn = turn;
    z->turns = i;
  }
  memcpy(z->a[1], z->a[0], size);
  memcpy(z->a[0], q->acceleration, size);
  z->h[1] = z->h[0];
  z->h[0] = h;
  z->kink = kink;
  z->parts++;
  return MW_OK;
}

mw_code mw_coarse_warn(const mw_coarse *z, double h, mw_run *r, mw_error *err)
{
  const double two_pi = 2.0 * acos(-1.0);
  int o = -1;
  if (!z->modal) return MW_OK;
  const mw_rom_file *f = z->modal->file;
  double most = 0.0, tolerance = mw_certificate_run_tolerance(&f->certificate, "m");
  r->coarse = mw_arena_f64(&r->mem, (size_t)z->n_out);
  r->deflection = mw_arena_f64(&r->mem, (size_t)z->n_out);
  mw_code rc = mw_arena_check(&r->mem, err);
  double least = mw_modal_deflects(z->modal, z->n_out, z->peak);
  for (int k = 0; rc == MW_OK && k < z->n_out; k++) {
    r->deflection[k] = z->peak[k];
    if (z->peak[k] > least) r->coarse[k] = z->worst[k] / z->peak[k];
    if (r->coarse[k] <= most) continue;
    most = r->coarse[k];
    o = k;
  }
  if (rc != MW_OK || !(most > tolerance)) return rc;
  const char *turn =
      z->turn > TURNS ? mw_arena_printf(&r->mem, ", coordinate %s turns by up to %.2g rad in one",
                                        f->coordinate[z->turns], z->turn)
                      : "";
  r->warning[r->n_warning++] = mw_arena_printf(
      &r->mem,
      "steps of %.4g s are coarse for what the run excites: output %s may err in time by some %.2g of its "
      "deflection (at %.6g s; most of that at %.4g Hz, %.2g rad of which are a step%s), more than %.2g; steps of "
      "%.2g s would do",
      h, r->model->output[r->out[o]].name, most, z->when[o], z->hz[o], two_pi * z->hz[o] * h, turn,
      tolerance, h * sqrt(tolerance / most));
  return mw_arena_check(&r->mem, err);
}
