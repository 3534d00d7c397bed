// SPDX-License-Identifier: BSD-3-Clause
// buckling.c: factors of a load at which a mechanism with elastic bodies buckles.
//
//   (K + K_g0) x = −μ K_g1 x ,  θ held                                                          (1)
//   K_g0 = K_g(rest) ,  K_g1 = Σ_i [K_g(rest + f_i) − K_g(rest)] ,  K_g as in weight_layer.h    (2)
// rest: springs that the configuration loads, and the weight, which with `weight` goes from K_g0
// into K_g1. By Rayleigh and Ritz on a space V that begins with modes of K and gains for the pairs
// of the largest ν = 1/μ what is left of (1), preconditioned:
//   K⁻¹ ((K + K_g0) x + μ K_g1 x)                                                               (3)
// Where K_g0 = 0 that is Lanczos' space of K⁻¹K_g1. Cost: a factorization of the bodies, a pass
// over the elements a load and step.
#include "reduction/buckling.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "reduction/system.h"
#include "weight_layer.h"

enum { FIRST = 8, STEPS = 40 };
static const double MOVED = 1e-11;  // of the largest ν, in a step
static const double SEEN = 1e-14;   // of a direction's K-norm, squared: less is rounding

typedef struct pencil {
  const mw_buckling_in *in;
  mw_model model;  // whose gravity is switched off and on
  mw_mech mech;
  mw_blocks *blocks;
  mw_system *sys;
  int n_op;         // rest; rest without weight; with each force besides
  mw_weight *op;    // [n_op]
  double *c0, *c1;  // [n_op]  shares of them in K_g0, −K_g1
  int n, cap, size;
  double *V, *AV, *BV;  // [cap × n]  rows, K-orthonormal; (K + K_g0) V; −K_g1 V
  double *A, *B;        // [cap × cap]  V AVᵀ, V BVᵀ
  double *nu, *X;       // [cap], [cap × cap]  ν ascending, eigenvectors by columns
  double moves;         // what the largest of the last corrections would move, of the largest ν
  mw_arena mem;
} pencil;

// ---- K_g ----------------------------------------------------------------------------------------

static mw_code add_op(pencil *z, bool weight, int force, mw_error *err)
{
  const mw_config q = { .p = (double *)z->in->p, .s = (double *)z->in->s };
  double g[3];
  mw_weight_push push = { 0 };
  memcpy(g, z->model.gravity, sizeof g);
  if (!weight) memset(z->model.gravity, 0, sizeof g);
  if (force >= 0) {
    push.on = z->in->on[force];
    memcpy(push.f, z->in->force + 3 * force, sizeof push.f);
  }
  mw_code rc =
      mw_weight_build(z->sys, &q, &z->mech, NULL, force >= 0 ? &push : NULL, &z->op[z->n_op], err);
  memcpy(z->model.gravity, g, sizeof g);
  if (rc == MW_OK) z->n_op++;
  return rc;
}

// (2)
static mw_code operators(pencil *z, mw_error *err)
{
  const mw_buckling_in *in = z->in;
  size_t n = 2 + (size_t)in->n_force;
  z->op = mw_arena_alloc(&z->mem, n, sizeof *z->op);
  z->c0 = mw_arena_f64(&z->mem, n);
  z->c1 = mw_arena_f64(&z->mem, n);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = add_op(z, true, -1, err);
  if (rc == MW_OK) rc = add_op(z, false, -1, err);
  for (int i = 0; rc == MW_OK && i < in->n_force; i++) rc = add_op(z, false, i, err);
  if (rc != MW_OK) return rc;
  z->c0[in->weight ? 1 : 0] = 1.0;
  z->c1[0] = in->weight ? -1.0 : 0.0;
  z->c1[1] = in->n_force + (in->weight ? 1.0 : 0.0);
  for (int i = 0; i < in->n_force; i++) z->c1[2 + i] = -1.0;
  return MW_OK;
}

// ---- the space ----------------------------------------------------------------------------------

// x as one more row of V; not if there is nothing but rounding of it
static void add_row(pencil *z, const double *x)
{
  size_t n = (size_t)z->n, s = (size_t)z->size;
  double *v = z->V + s * n, *Kv = z->AV + s * n;
  memcpy(v, x, n * sizeof *v);
  mw_system_mul_K(z->sys, v, Kv);
  double whole = mw_dot(z->n, v, Kv);
  for (int twice = 0; twice < 2; twice++) {
    for (size_t i = 0; i < s; i++) mw_axpy(z->n, -mw_dot(z->n, z->V + i * n, Kv), z->V + i * n, v);
    mw_system_mul_K(z->sys, v, Kv);
  }
  double rest = mw_dot(z->n, v, Kv);
  if (!(rest > SEEN * whole)) return;
  for (size_t i = 0; i < n; i++) {
    v[i] /= sqrt(rest);
    Kv[i] /= sqrt(rest);
  }
  z->size++;
}

static void symmetric(int n, double *A)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}

// Adds the k rows X to V and solves (1) on it.
static mw_code extend(pencil *z, int k, const double *X, mw_error *err)
{
  size_t n = (size_t)z->n;
  int first = z->size;
  for (int a = 0; a < k && z->size < z->cap; a++) add_row(z, X + (size_t)a * n);
  int more = z->size - first, s = z->size;
  mw_arena tmp = { 0 };
  double *Y = mw_arena_f64(&tmp, (size_t)k * n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int o = 0; rc == MW_OK && more > 0 && o < z->n_op; o++) {
    if (z->c0[o] == 0.0 && z->c1[o] == 0.0) continue;
    rc = mw_weight_mul(&z->op[o], more, z->V + (size_t)first * n, Y, err);
    for (int a = 0; rc == MW_OK && a < more; a++) {
      size_t at = (size_t)(first + a) * n;
      mw_axpy(z->n, z->c0[o], Y + (size_t)a * n, z->AV + at);
      mw_axpy(z->n, z->c1[o], Y + (size_t)a * n, z->BV + at);
    }
  }
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', s, s, z->n, 1.0, z->V, z->AV, 0.0, z->A);
  mw_gemm('n', 't', s, s, z->n, 1.0, z->V, z->BV, 0.0, z->B);
  symmetric(s, z->A);
  symmetric(s, z->B);
  rc = mw_eig_gen(s, z->B, z->A, z->nu, z->X, err);
  if (rc == MW_ERR_NUMERIC)
    rc = mw_fail(err, rc, MW_NOWHERE, "it buckles under what the factor does not take");
  return rc;
}

// (3) of the k pairs of the largest ν, times ν; where ν <= 0, K⁻¹K_g1 x. Those that would move ν,
// by rᵀK⁻¹r/ν at first order: what is less is rounding, which keeps no joints. W [k × n], *more of
// them
static mw_code corrections(pencil *z, int k, double *W, int *more, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)z->n;
  int s = z->size;
  double *R = mw_arena_f64(&tmp, (size_t)k * n), most = fmax(fabs(z->nu[0]), fabs(z->nu[s - 1]));
  mw_code rc = mw_arena_check(&tmp, err);
  *more = 0;
  z->moves = 0.0;
  for (int a = 0; rc == MW_OK && a < k; a++) {
    double nu = fmax(z->nu[s - 1 - a], 0.0);
    for (int i = 0; i < s; i++) {
      double x = z->X[i * s + s - 1 - a];
      mw_axpy(z->n, x * nu, z->AV + (size_t)i * n, R + (size_t)a * n);
      mw_axpy(z->n, -x, z->BV + (size_t)i * n, R + (size_t)a * n);
    }
  }
  if (rc == MW_OK) rc = mw_system_solve_many(z->sys, k, R, W, err);
  for (int a = 0; rc == MW_OK && a < k; a++) {
    const double *w = W + (size_t)a * n;
    double moves = mw_dot(z->n, R + (size_t)a * n, w) / (most * most);
    if (!(moves > MOVED)) continue;
    if (z->nu[s - 1 - a] > 0.0) z->moves = fmax(z->moves, moves);
    memmove(W + (size_t)(*more)++ * n, w, n * sizeof *w);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code iterate(pencil *z, int k, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *W = mw_arena_f64(&tmp, (size_t)k * (size_t)z->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int step = 0, more = 1; rc == MW_OK && more > 0; step++) {
    int before = z->size;
    rc = corrections(z, k < z->size ? k : z->size, W, &more, err);
    if (rc == MW_OK && more > 0 && step == STEPS)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "factors at which it buckles still change after %d steps", STEPS);
    if (rc == MW_OK && more > 0) rc = extend(z, more, W, err);
    if (z->size == before) break;  // what is left is rounding
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- what is found ------------------------------------------------------------------------------

// What outputs that are positions move by along x, into y [3 n_output], of all the largest 1; x too
static void look(const pencil *z, double *x, double *y, double *f)
{
  const mw_model *model = &z->model;
  double most = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    const mw_output_in *in = &model->output[o];
    for (int d = 0; d < 3; d++) {
      const double dir[3] = { d == 0, d == 1, d == 2 };
      y[3 * o + d] = 0.0;
      if (in->kind != MW_OUTPUT_POSITION || in->part) continue;
      mw_system_load_point(z->sys, in->ref, in->x, dir, f);
      y[3 * o + d] = mw_dot(z->n, f, x);
      if (fabs(y[3 * o + d]) > fabs(most)) most = y[3 * o + d];
    }
  }
  if (most == 0.0) return;
  for (int i = 0; i < 3 * model->n_output; i++) y[i] /= most;
  for (int i = 0; most < 0.0 && i < z->n; i++) x[i] = -x[i];
}

static mw_code results(const pencil *z, int most, mw_arena *mem, mw_buckling *o, mw_error *err)
{
  size_t n = (size_t)z->n, rows = 3 * (size_t)z->model.n_output;
  int s = z->size;
  *o = (mw_buckling){ .n_unknown = z->n, .left = z->moves };
  while (o->n < most && o->n < s && z->nu[s - 1 - o->n] > SEEN * fabs(z->nu[s - 1])) o->n++;
  size_t k = (size_t)o->n;
  o->factor = mw_arena_f64(mem, k);
  o->shape = mw_arena_f64(mem, k * n);
  o->y = mw_arena_f64(mem, k * rows);
  double *f = mw_arena_f64(mem, n);
  mw_code rc = mw_arena_check(mem, err);
  for (int a = 0; rc == MW_OK && a < o->n; a++) {
    double *x = o->shape + (size_t)a * n;
    o->factor[a] = 1.0 / z->nu[s - 1 - a];
    for (int i = 0; i < s; i++) mw_axpy(z->n, z->X[i * s + s - 1 - a], z->V + (size_t)i * n, x);
    look(z, x, o->y + (size_t)a * rows, f);
  }
  return rc;
}

static mw_code start(pencil *z, int most, mw_error *err)
{
  int motions = mw_system_modes_most(z->sys), k = most > FIRST ? most : FIRST;
  k = k < motions ? k : motions;
  z->n = mw_blocks_size(z->blocks);
  z->cap = k + STEPS * most;
  size_t n = (size_t)z->n, cap = (size_t)z->cap;
  double **rows[] = { &z->V, &z->AV, &z->BV }, **small[] = { &z->A, &z->B, &z->X };
  for (int i = 0; i < 3; i++) *rows[i] = mw_arena_f64(&z->mem, cap * n);
  for (int i = 0; i < 3; i++) *small[i] = mw_arena_f64(&z->mem, cap * cap);
  z->nu = mw_arena_f64(&z->mem, cap);
  double *lambda = mw_arena_f64(&z->mem, (size_t)k), *Phi = mw_arena_f64(&z->mem, (size_t)k * n);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = operators(z, err);
  if (rc == MW_OK) rc = mw_system_modes(z->sys, k, lambda, Phi, err);
  return rc == MW_OK ? extend(z, k, Phi, err) : rc;
}

mw_code mw_buckling_find(const mw_mech *m, const mw_buckling_in *in, int most, mw_arena *mem,
                         mw_buckling *out, mw_error *err)
{
  pencil z = { .in = in, .model = *m->model, .mech = *m };
  z.mech.model = &z.model;
  mw_code rc = mw_mech_check_elastic(m, false, err);
  if (rc == MW_OK) rc = mw_blocks_build(&z.mech, 0.0, false, &z.blocks, err);
  if (rc == MW_OK) rc = mw_system_build(z.blocks, in->held, 0, in->p, in->s, &z.sys, err);
  if (rc == MW_OK) rc = start(&z, most, err);
  if (rc == MW_OK) rc = iterate(&z, most, err);
  if (rc == MW_OK) rc = results(&z, most, mem, out, err);
  for (int i = 0; i < z.n_op; i++) mw_weight_free(&z.op[i]);
  mw_system_free(z.sys);
  mw_blocks_free(z.blocks);
  mw_arena_free(&z.mem);
  return rc;
}
