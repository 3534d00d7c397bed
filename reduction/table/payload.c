// SPDX-License-Identifier: BSD-3-Clause
// payload.c: a point mass p at a position that a reduced model keeps, put into a record of its
// coefficients.
//
// x = y0 + y1 δ + ½ δ'Y δ is known, so T gains ½ p |dx/dt|², V loses p g·x; sums over components:
//   a_ij  p y0,i y0,j     d_i  p y0,i y1      b_ij  p (y0,i y1,j + y0,j y1,i)     U0  −p g y0
//   c_ij  p sym y1,i y1,j' + ½ p (y0,i Y,j + y0,j Y,i)       E_i = e_i + H_i  p (y1 y1,i' + y0,i Y)
//   U1  −p g y1           K  −p g Y           G_abc  p y1_a Y_bc                                (1)
// to the order that the record has: without H no Y takes part in E and c, without G none in G_abc.
// Columns then have the mass G = 1 + p y1 y1', where the online model has 1 by definition. With
//   δ = W(θ) η ,  W'GW = 1 ,  W lower triangular ,  W,i = W X_i ,
//   X_i = −(lower triangle of W'G,iW, half its diagonal)                                        (2)
// the first n_G columns stay the first n_G, and with ~ for W'·W, W'· and G_abc W_aa' W_bb' W_cc'
//   d' = d~ ,  U1' = U1~ ,  y1' = y1~ ,  K' = K~ ,  Y' = Y~ ,  b'_ij = b~_ij + X_j'd~_i + X_i'd~_j
//   E'_i = E~_i + X_i ,  c'_ij = c~_ij + sym (X_j'E~_i + X_i'E~_j + X_i'X_j)
//   C' = C~ ,  CE'_i = CE~_i + C~X_i ,  CC'_ij = CC~_ij + sym (X_j'CE~_i + X_i'CE~_j + X_i'C~X_j)
//   (ΨᵀKΨ)' = ΨᵀKΨ~ ,  (ΨᵀKΨ_,i)' = ΨᵀKΨ_,i~ + ΨᵀKΨ~ X_i                                        (3)
// What E'_i has besides W'H_iW in its symmetric part is ½ (W'GW),i = 0. Cost: O(s² m³) a record.
#include "payload_layer.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/dense.h"

enum { MAX_CUBE = MW_ROM_MAX_G * MW_ROM_MAX_G * MW_ROM_MAX_G };

static int pair_of(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

mw_code mw_payload_init(mw_rom_shape shape, mw_payload_work *w, mw_error *err)
{
  size_t m = (size_t)shape.m, s = (size_t)shape.s;
  *w = (mw_payload_work){ .shape = shape, .lay = mw_rom_layout_of(shape) };
  w->G = mw_arena_f64(&w->mem, m * m);
  w->G_i = mw_arena_f64(&w->mem, s * m * m);
  w->W = mw_arena_f64(&w->mem, m * m);
  w->X = mw_arena_f64(&w->mem, s * m * m);
  w->E = mw_arena_f64(&w->mem, s * m * m);
  w->A = mw_arena_f64(&w->mem, m * m);
  w->B = mw_arena_f64(&w->mem, m * m);
  w->v = mw_arena_f64(&w->mem, m);
  return mw_arena_check(&w->mem, err);
}

void mw_payload_free(mw_payload_work *w)
{
  mw_arena_free(&w->mem);
  *w = (mw_payload_work){ 0 };
}

static void unpack(int m, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) A[a * m + b] = A[b * m + a] = *x++;
}

static void pack(int m, const double *A, double *x)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) *x++ = 0.5 * (A[a * m + b] + A[b * m + a]);
}

// A += c (x y' + y x')/2, packed
static void add_sym(int m, double c, const double *x, const double *y, double *packed)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) *packed++ += 0.5 * c * (x[a] * y[b] + y[a] * x[b]);
}

// A += c x y'
static void add_dyad(int m, double c, const double *x, const double *y, double *A)
{
  for (int a = 0; a < m; a++) mw_axpy(m, c * x[a], y, A + a * m);
}

// ---- (1) ----------------------------------------------------------------------------------------

// One component of a position at one theta: value, slopes behind each other n_field apart.
typedef struct component {
  double mass, pull;      // kg, N
  const double *y0, *y1;  // [1], [m]
  const double *Y;        // [mm], NULL: none is known
  const double *y0_i, *y1_i, *Y_i;
  size_t step;  // from one slope to the next
} component;

static void gain_matrices(const mw_payload_work *w, const component *c, double *rec)
{
  int m = w->shape.m, mm = m * (m + 1) / 2;
  size_t M = (size_t)(m * m);
  bool second = c->Y && (w->shape.parts & MW_ROM_H);
  add_dyad(m, c->mass, c->y1, c->y1, w->G);
  for (int i = 0, ij = 0; i < w->shape.s; i++) {
    const double *yi = c->y1_i + (size_t)i * c->step;
    double *E = w->E + (size_t)i * M, rate = c->mass * c->y0_i[(size_t)i * c->step];
    add_dyad(m, c->mass, c->y1, yi, w->G_i + (size_t)i * M);
    add_dyad(m, c->mass, yi, c->y1, w->G_i + (size_t)i * M);
    add_dyad(m, c->mass, c->y1, yi, E);
    for (int a = 0; second && a < m; a++)
      for (int b = 0; b < m; b++) E[a * m + b] += rate * c->Y[pair_of(a, b)];
    for (int j = 0; j <= i; j++, ij++) {
      double *to = rec + w->lay.c + ij * mm;
      size_t oi = (size_t)i * c->step, oj = (size_t)j * c->step;
      add_sym(m, c->mass, yi, c->y1_i + oj, to);
      if (!second) continue;
      mw_axpy(mm, 0.5 * c->mass * c->y0_i[oi], c->Y_i + oj, to);
      mw_axpy(mm, 0.5 * c->mass * c->y0_i[oj], c->Y_i + oi, to);
    }
  }
}

static void gain_vectors(const mw_payload_work *w, const component *c, double *rec)
{
  const mw_rom_layout *L = &w->lay;
  int m = w->shape.m, mm = m * (m + 1) / 2;
  for (int i = 0, ij = 0; i < w->shape.s; i++) {
    size_t oi = (size_t)i * c->step;
    double rate = c->mass * c->y0_i[oi];
    mw_axpy(m, rate, c->y1, rec + L->d + i * m);
    for (int j = 0; j <= i; j++, ij++) {
      size_t oj = (size_t)j * c->step;
      rec[L->a + ij] += rate * c->y0_i[oj];
      mw_axpy(m, rate, c->y1_i + oj, rec + L->b + ij * m);
      mw_axpy(m, c->mass * c->y0_i[oj], c->y1_i + oi, rec + L->b + ij * m);
    }
  }
  rec[L->U0] -= c->pull * *c->y0;
  mw_axpy(m, -c->pull, c->y1, rec + L->U1);
  if (c->Y) mw_axpy(mm, -c->pull, c->Y, rec + L->K);
  int n_G = c->Y ? w->shape.n_G : 0;
  double *G = rec + L->G;
  for (int a = 0; a < n_G; a++)
    for (int b = 0; b < n_G; b++)
      for (int d = 0; d <= b; d++) *G++ += c->mass * c->y1[a] * c->Y[pair_of(b, d)];
}

static void gain(const mw_payload_work *w, const int *Y_field, const mw_payload *p,
                 const double *value, const double *slope, double *rec)
{
  int m = w->shape.m, mm = m * (m + 1) / 2;
  for (int k = 0; k < 3; k++) {
    int f = p->field + k, q = 0, y = w->lay.y + f * (1 + m);
    while (q < w->shape.n_Y && Y_field[q] != f) q++;
    bool curved = q < w->shape.n_Y;
    component c = { .mass = p->mass,
                    .pull = p->mass * p->gravity[k],
                    .y0 = value + y,
                    .y1 = value + y + 1,
                    .Y = curved ? value + w->lay.Y + q * mm : NULL,
                    .y0_i = slope + y,
                    .y1_i = slope + y + 1,
                    .Y_i = slope + w->lay.Y + (curved ? q * mm : 0),
                    .step = (size_t)w->lay.n };
    gain_matrices(w, &c, rec);
    gain_vectors(w, &c, rec);
  }
}

// ---- (2) ----------------------------------------------------------------------------------------

// G = U U', U upper triangular, from the last column up; W = U'^-1.
static mw_code factor(mw_payload_work *w, mw_error *err)
{
  int m = w->shape.m;
  double *U = w->G, *W = w->W;
  for (int j = m - 1; j >= 0; j--) {
    double pivot = U[j * m + j];
    for (int k = j + 1; k < m; k++) pivot -= U[j * m + k] * U[j * m + k];
    if (!(pivot > 0.0))
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                     "the mass of column %d is %g of what it was with the payload's change, must "
                     "be positive",
                     j + 1, pivot);
    U[j * m + j] = sqrt(pivot);
    for (int i = 0; i < j; i++) {
      double x = U[i * m + j];
      for (int k = j + 1; k < m; k++) x -= U[i * m + k] * U[j * m + k];
      U[i * m + j] = x / U[j * m + j];
    }
  }
  memset(W, 0, (size_t)(m * m) * sizeof *W);
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++) {
      double x = i == j ? 1.0 : 0.0;
      for (int k = j; k < i; k++) x -= U[k * m + i] * W[k * m + j];
      W[i * m + j] = x / U[i * m + i];
    }
  return MW_OK;
}

// out := W'AW
static void turn(mw_payload_work *w, const double *A, double *out)
{
  int m = w->shape.m;
  mw_gemm('n', 'n', m, m, m, 1.0, A, w->W, 0.0, w->B);
  mw_gemm('t', 'n', m, m, m, 1.0, w->W, w->B, 0.0, out);
}

static void slopes(mw_payload_work *w)
{
  int m = w->shape.m;
  for (int i = 0; i < w->shape.s; i++) {
    double *X = w->X + (size_t)i * (size_t)(m * m);
    turn(w, w->G_i + (size_t)i * (size_t)(m * m), X);
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) X[a * m + b] *= b < a ? -1.0 : b == a ? -0.5 : 0.0;
  }
}

// ---- (3) ----------------------------------------------------------------------------------------

static void turn_packed(mw_payload_work *w, double *x)
{
  unpack(w->shape.m, x, w->A);
  turn(w, w->A, w->A);
  pack(w->shape.m, w->A, x);
}

static void turn_vector(mw_payload_work *w, double *x)
{
  int m = w->shape.m;
  for (int a = 0; a < m; a++) {
    w->v[a] = 0.0;
    for (int b = a; b < m; b++) w->v[a] += w->W[b * m + a] * x[b];
  }
  memcpy(x, w->v, (size_t)m * sizeof *x);
}

// y += X'x
static void add_turned(int m, const double *X, const double *x, double *y)
{
  for (int b = 0; b < m; b++) mw_axpy(m, x[b], X + b * m, y);
}

// packed of pair ij += sym (X_j'E_i + X_i'E_j + X_i'P X_j); P NULL: 1
static void add_pairs(mw_payload_work *w, const double *E, const double *P, double *packed)
{
  int m = w->shape.m, mm = m * (m + 1) / 2;
  size_t M = (size_t)(m * m);
  for (int i = 0; i < w->shape.s; i++)
    for (int j = 0; j <= i; j++, packed += mm) {
      const double *Xi = w->X + (size_t)i * M, *Xj = w->X + (size_t)j * M, *PX = Xj;
      mw_gemm('t', 'n', m, m, m, 1.0, Xj, E + (size_t)i * M, 0.0, w->A);
      mw_gemm('t', 'n', m, m, m, 1.0, Xi, E + (size_t)j * M, 1.0, w->A);
      if (P) {
        mw_gemm('n', 'n', m, m, m, 1.0, P, Xj, 0.0, w->B);
        PX = w->B;
      }
      mw_gemm('t', 'n', m, m, m, 1.0, Xi, PX, 1.0, w->A);
      for (int a = 0, k = 0; a < m; a++)
        for (int b = 0; b <= a; b++, k++) packed[k] += 0.5 * (w->A[a * m + b] + w->A[b * m + a]);
    }
}

static void turn_inertia(mw_payload_work *w, double *rec)
{
  const mw_rom_layout *L = &w->lay;
  int m = w->shape.m, s = w->shape.s, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  size_t M = (size_t)(m * m);
  for (int i = 0; i < s; i++) turn_vector(w, rec + L->d + i * m);
  for (int i = 0, ij = 0; i < s; i++)
    for (int j = 0; j <= i; j++, ij++) {
      turn_vector(w, rec + L->b + ij * m);
      add_turned(m, w->X + (size_t)j * M, rec + L->d + i * m, rec + L->b + ij * m);
      add_turned(m, w->X + (size_t)i * M, rec + L->d + j * m, rec + L->b + ij * m);
      turn_packed(w, rec + L->c + ij * mm);
    }
  for (int i = 0; i < s; i++) turn(w, w->E + (size_t)i * M, w->E + (size_t)i * M);
  add_pairs(w, w->E, NULL, rec + L->c);
  for (int i = 0; i < s; i++) {
    double *E = w->E + (size_t)i * M, *e = rec + L->e + i * mk;
    mw_axpy(m * m, 1.0, w->X + (size_t)i * M, E);
    for (int a = 0; a < m; a++)
      for (int b = 0; b < a; b++) *e++ = 0.5 * (E[a * m + b] - E[b * m + a]);
    if (w->shape.parts & MW_ROM_H) pack(m, E, rec + L->H + i * mm);
  }
}

// G_abc of the first n_G columns.
static void turn_moved(mw_payload_work *w, double *G)
{
  double T[MAX_CUBE], R[MAX_CUBE];
  int n = w->shape.n_G, m = w->shape.m, mm = n * (n + 1) / 2;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++) T[(a * n + b) * n + c] = G[a * mm + pair_of(b, c)];
  for (int round = 0; round < 3;
       round++) {  // one index after the other, the first becomes the last
    for (int a = 0; a < n; a++)
      for (int k = 0; k < n * n; k++) {
        double x = 0.0;
        for (int d = a; d < n; d++) x += w->W[d * m + a] * T[d * n * n + k];
        R[k * n + a] = x;
      }
    memcpy(T, R, (size_t)(n * n * n) * sizeof *T);
  }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c <= b; c++) G[a * mm + pair_of(b, c)] = T[(a * n + b) * n + c];
}

static void turn_damping(mw_payload_work *w, double *rec)
{
  const mw_rom_layout *L = &w->lay;
  int m = w->shape.m, s = w->shape.s, ss = s * (s + 1) / 2, mm = m * (m + 1) / 2;
  size_t M = (size_t)(m * m);
  turn_packed(w, rec + L->C);
  unpack(m, rec + L->C, w->G);
  memset(w->G_i, 0, (size_t)s * M * sizeof *w->G_i);  // now CE~
  for (int i = 0; i < s && (w->shape.parts & MW_ROM_CE); i++)
    turn(w, rec + L->CE + (size_t)i * M, w->G_i + (size_t)i * M);
  for (int ij = 0; ij < ss && (w->shape.parts & MW_ROM_CC); ij++)
    turn_packed(w, rec + L->CC + ij * mm);
  if (w->shape.parts & MW_ROM_CC) add_pairs(w, w->G_i, w->G, rec + L->CC);
  for (int i = 0; i < s && (w->shape.parts & MW_ROM_CE); i++) {
    double *CE = rec + L->CE + (size_t)i * M;
    memcpy(CE, w->G_i + (size_t)i * M, M * sizeof *CE);
    mw_gemm('n', 'n', m, m, m, 1.0, w->G, w->X + (size_t)i * M, 1.0, CE);
  }
}

mw_code mw_payload_fold(mw_payload_work *w, const int *Y_field, int n, const mw_payload *payload,
                        const double *value, const double *slope, double *out, mw_error *err)
{
  const mw_rom_layout *L = &w->lay;
  int m = w->shape.m, s = w->shape.s, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  size_t M = (size_t)(m * m);
  assert(!(w->shape.parts & MW_ROM_THIRD));
  memcpy(out, value, (size_t)L->n * sizeof *out);
  memset(w->G, 0, M * sizeof *w->G);
  memset(w->G_i, 0, (size_t)s * M * sizeof *w->G_i);
  for (int a = 0; a < m; a++) w->G[a * m + a] = 1.0;
  for (int i = 0; i < s; i++) {
    double *E = w->E + (size_t)i * M;
    if (w->shape.parts & MW_ROM_H)
      unpack(m, value + L->H + i * mm, E);
    else
      memset(E, 0, M * sizeof *E);
    const double *e = value + L->e + i * mk;
    for (int a = 0; a < m; a++)
      for (int b = 0; b < a; b++, e++) {
        E[a * m + b] += *e;
        E[b * m + a] -= *e;
      }
  }
  for (int k = 0; k < n; k++) gain(w, Y_field, &payload[k], value, slope, out);
  mw_code rc = factor(w, err);
  if (rc != MW_OK) return rc;
  slopes(w);
  turn_inertia(w, out);
  turn_vector(w, out + L->U1);
  turn_packed(w, out + L->K);
  if (w->shape.n_G > 0) turn_moved(w, out + L->G);
  turn_damping(w, out);
  for (int k = 0; k < w->shape.n_y; k++) turn_vector(w, out + L->y + k * (1 + m) + 1);
  for (int q = 0; q < w->shape.n_Y; q++) turn_packed(w, out + L->Y + q * mm);
  return MW_OK;
}

void mw_payload_turn_start(mw_payload_work *w, double *start)
{
  int m = w->shape.m, mm = m * (m + 1) / 2;
  size_t M = (size_t)(m * m);
  turn_packed(w, start);
  unpack(m, start, w->G);
  for (int i = 0; i < w->shape.s; i++) {
    double *slope = start + mm + (size_t)i * M;
    turn(w, slope, slope);
    mw_gemm('n', 'n', m, m, m, 1.0, w->G, w->X + (size_t)i * M, 1.0, slope);
  }
}
