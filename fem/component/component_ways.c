// SPDX-License-Identifier: BSD-3-Clause
// component_ways.c: the ways in which a component can move, from its interface alone.
//
//   P u = u + solve(VELOCITY, u)   what joints inside leave of twists u                         (1)
//   N: P of unit twists of states, then, less these, an orthonormal basis of P of the others    (2)
//   pick: states themselves; of the others Nᵀ S² (u − Σ states)   S: lengths over the size      (3)
//   rows: right singular vectors of N that belong to 0                                          (4)
//
// (1) is a projection along forces of the rows inside (its metric is the mass): it takes what is
// allowed to itself, so that singular values are 0, or 1 and more, and no threshold is delicate.
// Coordinates of frames that carry states and are none stay where they are. Cost: 6 n_frame
// solutions, and O(n³).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "component_priv.h"
#include "fem/component_linear.h"

enum { STATES = 3 };  // of a frame that carries states

typedef struct basis {
  const mw_component_at *at;
  mw_component_size size;
  int n;      // of twists
  double *W;  // [n × n]  row j: what is left of P of unit twist j
  mw_component_ways o;
} basis;

static int state_at(const basis *b, int c)
{
  return 6 * (b->size.state0 + c / STATES) + c % STATES;
}

// Is entry i of twists one of frames that carry states?
static bool of_states(const basis *b, int i)
{
  int first = 6 * b->size.state0, frames = (b->size.n_state + STATES - 1) / STATES;
  return b->size.n_state > 0 && i >= first && i < first + 6 * frames;
}

static double measure(const basis *b, int i)
{
  return i % 6 < 3 && !of_states(b, i) ? b->at->size : 1.0;
}

// uᵀ S² v
static double product(const basis *b, const double *u, const double *v)
{
  double sum = 0.0;
  for (int i = 0; i < b->n; i++) {
    double unit = measure(b, i);
    sum += u[i] * v[i] / (unit * unit);
  }
  return sum;
}

// (1)
static mw_code project(basis *b, mw_arena *tmp, mw_error *err)
{
  const mw_component_at *at = b->at;
  size_t n = (size_t)b->n;
  char why[320] = "";
  double *rest = mw_arena_f64(tmp, 2 * n), *u = mw_arena_f64(tmp, n), *none = mw_arena_f64(tmp, n);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  double gap = at->call->load(at->one, at->t, at->q, rest);
  if (isnan(gap) || at->call->factor(at->one, why, sizeof why) != 0)
    return mw_fail(err, MW_ERR_NUMERIC, at->use->at, "component %.64s: %.300s", at->use->name,
                   why[0] ? why : "its inside cannot be where it is");
  for (int j = 0; j < b->n; j++) {
    double *x = b->W + (size_t)j * n;
    bool state = false;
    for (int c = 0; c < b->size.n_state; c++) state = state || state_at(b, c) == j;
    if (of_states(b, j) && !state) continue;
    u[j] = 1.0;
    at->call->solve(at->one, MW_COMPONENT_VELOCITY, u, 0.0, none, x);
    x[j] += 1.0;
    u[j] = 0.0;
    for (int i = 0; i < b->n; i++) x[i] *= measure(b, j);
  }
  return MW_OK;
}

static double *next_way(basis *b, const double *w, double by)
{
  double *N = b->o.N + (size_t)b->o.f++ * (size_t)b->n;
  for (int i = 0; i < b->n; i++) N[i] = w[i] * by;
  return N;
}

static void states(basis *b)
{
  size_t n = (size_t)b->n;
  for (int c = 0; c < b->size.n_state; c++)
    (void)next_way(b, b->W + (size_t)state_at(b, c) * n, 1.0);
  for (int c = 0; c < b->size.n_state; c++)
    memset(b->W + (size_t)state_at(b, c) * n, 0, n * sizeof *b->W);
  for (size_t j = 0; j < n; j++)
    for (int c = 0; c < b->size.n_state; c++)
      mw_axpy(b->n, -b->W[j * n + (size_t)state_at(b, c)], b->o.N + (size_t)c * n, b->W + j * n);
}

// (2): Gram and Schmidt with pivoting, each row taken out twice
static void others(basis *b)
{
  static const double RANK = 1e-8;
  size_t n = (size_t)b->n;
  double first = 0.0;
  while (b->o.f < b->n) {
    double most = 0.0;
    size_t best = 0;
    for (size_t j = 0; j < n; j++) {
      double len = product(b, b->W + j * n, b->W + j * n);
      if (len > most * (1.0 + 1e-9)) most = len, best = j;
    }
    if (first == 0.0) first = most;
    if (!(most > RANK * RANK * first)) return;
    const double *N = next_way(b, b->W + best * n, 1.0 / sqrt(most));
    for (int pass = 0; pass < 2; pass++)
      for (size_t j = 0; j < n; j++) mw_axpy(b->n, -product(b, N, b->W + j * n), N, b->W + j * n);
  }
}

// (3)
static void picks(basis *b)
{
  size_t n = (size_t)b->n, ns = (size_t)b->size.n_state;
  for (size_t i = 0; i < (size_t)b->o.f; i++) {
    double *to = b->o.pick + i * n;
    const double *N = b->o.N + i * n;
    if (i < ns) {
      to[state_at(b, (int)i)] = 1.0;
      continue;
    }
    for (size_t x = 0; x < n; x++) to[x] = N[x] / (measure(b, (int)x) * measure(b, (int)x));
    for (size_t c = 0; c < ns; c++) to[state_at(b, (int)c)] -= product(b, N, b->o.N + c * n);
  }
}

// (4)
static mw_code complement(basis *b, mw_arena *tmp, mw_error *err)
{
  size_t n = (size_t)b->n, f = (size_t)b->o.f;
  double *A = mw_arena_f64(tmp, n * n), *sv = mw_arena_f64(tmp, n), *V = mw_arena_f64(tmp, n * n);
  mw_code rc = mw_arena_check(tmp, err);
  for (size_t i = 0; rc == MW_OK && i < f; i++) {
    const double *N = b->o.N + i * n;
    double norm = sqrt(mw_dot(b->n, N, N));
    for (size_t x = 0; x < n; x++) A[i * n + x] = N[x] / norm;
  }
  if (rc == MW_OK) rc = mw_svd(b->n, b->n, A, sv, NULL, V, err);
  if (rc == MW_OK) memcpy(b->o.rows, V + f * n, (n - f) * n * sizeof *V);
  return rc;
}

// Rows inside are known to be so many where all frames are of bodies.
static mw_code check_number(const basis *b, mw_error *err)
{
  int expected = b->n - b->size.n_row;
  if (b->size.n_state > 0 || b->o.f == expected) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, b->at->use->at,
                 "component %.64s: found %d ways in which its inside moves at this position, "
                 "expected %d, as in its reference configuration",
                 b->at->use->name, b->o.f, expected);
}

mw_code mw_component_ways_find(const mw_component_at *at, mw_arena *mem, mw_component_ways *out,
                               mw_error *err)
{
  basis b = { .at = at };
  mw_arena tmp = { 0 };
  at->call->size(at->one, &b.size);
  b.n = b.o.n = 6 * b.size.n_frame;
  size_t nn = (size_t)b.n * (size_t)b.n;
  b.W = mw_arena_f64(&tmp, nn);
  double **all[] = { &b.o.N, &b.o.pick, &b.o.rows };
  for (int i = 0; i < 3; i++) *all[i] = mw_arena_f64(mem, nn);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = project(&b, &tmp, err);
  if (rc == MW_OK) {
    states(&b);
    others(&b);
    picks(&b);
    rc = complement(&b, &tmp, err);
  }
  if (rc == MW_OK) rc = check_number(&b, err);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = b.o;
  return rc;
}

// ---- frames and the bodies that they stand for --------------------------------------------------

void mw_component_frame(const mw_component_body *b, const double *p, double *out)
{
  double arm[3];
  mw_mul33v(p + 3, b->c, arm);
  for (int i = 0; i < 3; i++) out[i] = p[i] + arm[i];
  mw_mul33(p + 3, b->R, out + 3);
}

void mw_component_twist(const mw_component_body *b, double *T)
{
  const double *c = b->c, X[9] = { 0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0 };
  memset(T, 0, 36 * sizeof *T);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      T[6 * i + j] = T[6 * (3 + i) + 3 + j] = b->R[3 * i + j];
      for (int k = 0; k < 3; k++) T[6 * i + 3 + j] += X[3 * i + k] * b->R[3 * k + j];
    }
}

// row·u of frames' twists u as a row of bodies' twists: v_c = Rᵀ (v + ω × c) ,  ω_c = Rᵀ ω
static void row_of_body(const mw_component_body *b, double *row)
{
  double x[3], w[3], turn[3];
  mw_mul33v(b->R, row, x);
  mw_mul33v(b->R, row + 3, w);
  mw_cross3(b->c, x, turn);
  for (int i = 0; i < 3; i++) {
    row[i] = x[i];
    row[3 + i] = w[i] + turn[i];
  }
}

void mw_component_ways_of_bodies(const mw_component_use *u, mw_component_ways *o)
{
  for (int k = 0; k < u->size.n_frame; k++) {
    double T[36], *row;
    mw_component_twist(&u->body[k], T);
    for (int i = 0; i < o->f; i++) {
      row = o->N + (size_t)i * (size_t)o->n + 6 * k;
      mw_gemm('n', 'n', 6, 1, 6, 1.0, T,
              (const double[6]){ row[0], row[1], row[2], row[3], row[4], row[5] }, 0.0, row);
      row_of_body(&u->body[k], o->pick + (size_t)i * (size_t)o->n + 6 * k);
    }
    for (int i = 0; i < o->n - o->f; i++)
      row_of_body(&u->body[k], o->rows + (size_t)i * (size_t)o->n + 6 * k);
  }
}
