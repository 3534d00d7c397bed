// SPDX-License-Identifier: BSD-3-Clause
// test_track.c: modes followed from a neighbour against block Lanczos, and the proof that none is
// missing.
//
// Lanczos and Rayleigh quotients have eigenvalues of a mechanism of bodies in their eigenbases
// right to some ε λ_max (their solves and products round to that), λ_max the stiffest column: ten
// times this is what two of them may differ by.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "mw_test.h"
#include "system/track_layer.h"
#include "work/offline_layer.h"

enum { K = 8, GUARDS = 4, ALL = K + GUARDS, MORE = 24 };

typedef struct machine {
  mw_fixture f;
  mw_offline *z;
  mw_bases *b;
  int n;
  double stiffest;  // (rad/s)²
  mw_arena mem;
} machine;

// A clamped square mast, its modes in pairs, beside a cart on a rail.
static const char *const MAST =
    "modeway: 1\nname: mast\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.03 } } }\n"
    "bodies:\n"
    "  mast:\n    ground: true\n    beams:\n      points: { a: [0, 0, 0], b: [0, 0, 1] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 10, up: [1, 0, 0] "
    "} ]\n"
    "    supports: [ { nodes: a } ]\n    frames: { top: { node: b } }\n"
    "  rail: { ground: true, rigid: { mass: 0 }, guides: { x: { points: [[0, 0, 0], [2, 0, 0]], "
    "normal: [0, 0, 1] } } }\n"
    "  cart: { at: [0.7, 0, 0], rigid: { mass: 3, com: [0, 0, 0], inertia: [0.02, 0.03, 0.03, 0, "
    "0, 0] } "
    "}\n"
    "joints: { x: { slide: { guide: rail.x, on: cart, orientation: fixed }, coordinate: x, drive: "
    "m } "
    "}\n"
    "outputs: { top: { frame: mast.top } }\n"
    "reduction: { coordinates: { x: { range: [0.3, 1.6], points: 5 } }, modes: { count: 3 } }\n";

static bool open_machine(const char *text, machine *m)
{
  mw_error err = { 0 };
  mw_band band = { .band = 2e4, .tolerance = 1e-6 };
  *m = (machine){ 0 };
  bool good = text ? mw_fixture_text(text, &m->f) : mw_fixture_machine(NULL, &m->f);
  good = MW_CHECK(good) && MW_OKAY(mw_offline_init(&m->f.model, &m->f.mech, NULL, &m->z, &err)) &&
         MW_OKAY(mw_offline_bases(m->z, band, &m->b, &err));
  if (!good) return false;
  m->n = mw_blocks_size(m->b->blocks);
  for (int b = 0; b < m->f.mech.n_body; b++)
    for (int i = 0; i < m->b->body[b].n_u; i++)
      m->stiffest = fmax(m->stiffest, m->b->body[b].K.val[i]);
  return true;
}

static void close_machine(machine *m)
{
  mw_arena_free(&m->mem);
  mw_offline_free(m->z);
  mw_fixture_free(&m->f);
}

static bool system_at(machine *m, double x, double phi, mw_system **sys)
{
  mw_error err = { 0 };
  mw_config q;
  const double theta[2] = { x, phi };
  *sys = NULL;
  return MW_OKAY(mw_config_at(&m->f.mech, m->z->locked, m->z->s, m->z->coord, theta, NULL, &m->mem,
                              &q, &err)) &&
         MW_OKAY(mw_system_build(m->b->blocks, m->z->locked, false, q.p, q.s, sys, &err)) &&
         MW_CHECK(mw_system_is_small(*sys));
}

// The lowest `all` modes by block Lanczos from scratch; NULL: failed
static double *anew(machine *m, mw_system *sys, int all, double *lambda)
{
  mw_error err = { 0 };
  double *X = mw_arena_f64(&m->mem, (size_t)all * (size_t)m->n);
  return X && MW_OKAY(mw_system_modes(sys, all, lambda, X, &err)) ? X : NULL;
}

// Modes by tracking from `start`: refused, or those of block Lanczos, eigenvalues and vectors.
// Returns whether they came.
static bool refused_or_right(machine *m, mw_system *sys, const double *start)
{
  mw_error err = { 0 };
  double want[MORE], lambda[ALL] = { 0.0 };
  size_t n = (size_t)m->n;
  double *X = mw_arena_f64(&m->mem, ALL * n), *MX = mw_arena_f64(&m->mem, n);
  double *W = anew(m, sys, MORE, want);
  if (!W || !X || !MX) return false;
  memset(X, 0x55, ALL * n * sizeof *X);
  double before = X[7];
  if (!mw_system_track(sys, K, ALL, start, lambda, X, &err)) {
    MW_CHECK(lambda[0] == 0.0 && X[7] == before);  // nothing is written
    return false;
  }
  double tol = 10.0 * DBL_EPSILON * m->stiffest;
  for (int i = 0; i < K; i++) {
    MW_NEAR(lambda[i], want[i], tol);
    // |sin| of the angle to the mode: a residual of tol over the gap, and orthonormal
    double gap = want[i + 1] - want[i];
    if (i > 0) gap = fmin(gap, want[i] - want[i - 1]);
    mw_system_mul_M(sys, X + (size_t)i * n, MX);
    double c = mw_dot(m->n, MX, W + (size_t)i * n);
    MW_NEAR(1.0 - c * c, 0.0, pow(tol / gap, 2.0) + 1e-12);
    for (int j = 0; j <= i; j++)
      MW_NEAR(mw_dot(m->n, MX, X + (size_t)j * n), i == j ? 1.0 : 0.0, 1e-12);
  }
  return true;
}

static void modes_of_a_neighbour_lead_to_those_of_block_lanczos(void)
{
  machine m;
  if (!open_machine(NULL, &m)) return;
  double lambda[ALL];
  mw_system *sys = NULL, *next = NULL;
  if (system_at(&m, 0.4, -0.5, &sys)) {
    const double *X = anew(&m, sys, ALL, lambda);
    for (int i = 0; X && i < 8; i++) {  // further and further away
      if (system_at(&m, 0.4 + 0.002 * (1 << i), -0.5 + 0.001 * (1 << i), &next))
        MW_CHECK(refused_or_right(&m, next, X));
      mw_system_free(next);
    }
  }
  mw_system_free(sys);
  close_machine(&m);
}

static void a_bad_start_is_refused_or_leads_to_the_same_modes(void)
{
  machine m;
  if (!open_machine(NULL, &m)) return;
  double lambda[MORE];
  mw_system *sys = NULL, *far = NULL;
  if (system_at(&m, 0.5, 0.1, &sys) && system_at(&m, 1.6, -0.8, &far)) {
    size_t n = (size_t)m.n;
    double *X = anew(&m, far, MORE, lambda), *S = mw_arena_f64(&m.mem, ALL * n);
    if (X && S) {
      (void)refused_or_right(&m, sys, X);  // from the other end
      for (size_t i = 0; i < ALL; i++) memcpy(S + i * n, X + (ALL - 1 - i) * n, n * sizeof *S);
      (void)refused_or_right(&m, sys, S);                     // turned round
      (void)refused_or_right(&m, sys, X + (MORE - ALL) * n);  // of high modes alone
      for (size_t i = 0; i < ALL; i++) memcpy(S + i * n, X + (i / 2) * n, n * sizeof *S);
      MW_CHECK(!refused_or_right(&m, sys, S));  // each twice
      memset(S, 0, ALL * n * sizeof *S);
      MW_CHECK(!refused_or_right(&m, sys, S));
      unsigned long long seed = 1;
      for (int t = 0; t < 5; t++) {
        for (size_t i = 0; i < ALL * n; i++) {
          seed = seed * 16807 % 2147483647;
          S[i] = (double)seed / 2147483647.0 - 0.5;
        }
        (void)refused_or_right(&m, sys, S);
      }
      memcpy(S, X, ALL * n * sizeof *S);  // one of the lowest is not there
      memcpy(S + 2 * n, X + (MORE - 1) * n, n * sizeof *S);
      (void)refused_or_right(&m, sys, S);
    }
  }
  mw_system_free(sys);
  mw_system_free(far);
  close_machine(&m);
}

static void proof_notices_every_mode_left_out_or_made_up(void)
{
  machine m;
  if (!open_machine(NULL, &m)) return;
  for (int t = 0; t < 6; t++) {
    double lambda[MORE], other[MORE + 1];
    mw_system *sys = NULL;
    if (system_at(&m, 0.3 + 0.2 * t, -0.8 + 0.3 * t, &sys) && anew(&m, sys, MORE, lambda)) {
      MW_CHECK(mw_system_proved(sys, K, MORE, lambda));
      for (int o = 0; o < K; o++) {
        for (int i = 0; i < MORE - 1; i++) other[i] = lambda[i + (i >= o)];
        MW_CHECK(!mw_system_proved(sys, K, MORE - 1, other));
        for (int i = 0; i <= MORE; i++)
          other[i] = i == o + 1 ? 0.5 * (lambda[o] + lambda[o + 1]) : lambda[i - (i > o)];
        MW_CHECK(!mw_system_proved(sys, K, MORE + 1, other) ||
                 o == K - 1);  // above those asked for
      }
    }
    mw_system_free(sys);
  }
  close_machine(&m);
}

static void pairs_of_equal_modes_are_proved_wherever_the_count_cuts(void)
{
  machine m;
  if (!open_machine(MAST, &m)) return;
  double lambda[MORE];
  mw_system *sys = NULL;
  int pairs = 0;
  if (system_at(&m, 0.5, 0.0, &sys) && anew(&m, sys, MORE, lambda))
    for (int k = 1; k <= 12; k++) {
      bool cut = fabs(lambda[k] / lambda[k - 1] - 1.0) < 1e-8;
      pairs += cut;
      MW_CHECK(mw_system_proved(sys, k, MORE, lambda));
      for (int o = 0; o < k; o++) {  // one of a pair in the middle
        double less[MORE];
        for (int i = 0; i < MORE - 1; i++) less[i] = lambda[i + (i >= o)];
        MW_CHECK(!mw_system_proved(sys, k, MORE - 1, less) || cut);
      }
    }
  MW_CHECK(pairs >= 3);
  mw_system_free(sys);
  close_machine(&m);
}

// M := 1 + m t tᵀ of a body in its eigenbasis, as a mass that a reduced model keeps changes it
static bool put_dyad(mw_body *b, double m, const double *t, mw_arena *mem)
{
  size_t n = (size_t)b->n_u, e = 0;
  mw_csc M = { .n_row = b->n_u, .n_col = b->n_u, .sym = true };
  M.ptr = mw_arena_int(mem, n + 1);
  M.row = mw_arena_int(mem, n * n);
  M.val = mw_arena_f64(mem, n * n);
  if (!MW_CHECK(M.val != NULL)) return false;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j; i < n; i++, e++) {
      M.row[e] = (int)i;
      M.val[e] = (i == j ? 1.0 : 0.0) + m * t[i] * t[j];
    }
    M.ptr[j + 1] = (int)e;
  }
  b->M = M;
  return true;
}

// Eigenvalues of (diag(λ), 1 + m t tᵀ) by LAPACK
static bool dense_values(const mw_body *b, double m, const double *t, double *w, mw_arena *mem)
{
  size_t n = (size_t)b->n_u;
  mw_error err = { 0 };
  double *A = mw_arena_f64(mem, n * n), *B = mw_arena_f64(mem, n * n),
         *V = mw_arena_f64(mem, n * n);
  if (!MW_CHECK(A && B && V)) return false;
  for (size_t i = 0; i < n * n; i++) {
    A[i] = i % (n + 1) == 0 ? b->K.val[i / (n + 1)] : 0.0;
    B[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) + m * t[i / n] * t[i % n];
  }
  return MW_OKAY(mw_eig_gen(b->n_u, A, B, w, V, &err));
}

// Threads share the blocks of all places, and a factor is one thread's: it keeps workspaces.
static void a_mass_put_into_an_eigenbasis_leaves_nothing_to_factor_and_its_modes_are_found(void)
{
  machine m;
  if (!open_machine(MAST, &m)) return;
  const int at = m.f.mech.body[0].n_u > 0 ? 0 : 1;
  mw_body *b = &m.b->body[at];
  mw_error err = { 0 };
  mw_blocks *bl = NULL;
  mw_mech mech;
  double lambda[K], *t = mw_arena_f64(&m.mem, (size_t)b->n_u),
                    *w = mw_arena_f64(&m.mem, (size_t)b->n_u);
  for (int i = 0; t && i < b->n_u; i++) t[i] = 1.0 / (1.0 + i);
  mw_config q;
  mw_system *sys = NULL;
  const double theta[1] = { 0.5 };
  bool good = MW_CHECK(t && w && b->n_u >= K) && put_dyad(b, 2.0, t, &m.mem) &&
              dense_values(b, 2.0, t, w, &m.mem) &&
              MW_OKAY(mw_mech_build(&m.f.model, m.b->body, &m.mem, &mech, &err)) &&
              MW_OKAY(mw_blocks_build(&mech, 0.0, false, &bl, &err));
  if (good) MW_CHECK(mw_blocks_factor_bytes(bl) == 0);
  good = good &&
         MW_OKAY(mw_config_at(&m.f.mech, m.z->locked, m.z->s, m.z->coord, theta, NULL, &m.mem, &q,
                              &err)) &&
         MW_OKAY(mw_system_build(bl, m.z->locked, false, q.p, q.s, &sys, &err));
  double *X = mw_arena_f64(&m.mem, K * (size_t)m.n);
  if (good && MW_CHECK(X != NULL)) {
    MW_CHECK(!mw_system_is_small(sys));  // K - s M of other shifts s is not diagonal
    if (MW_OKAY(mw_system_modes(sys, K, lambda, X, &err)))
      for (int i = 0; i < K; i++) MW_NEAR(lambda[i], w[i], 10.0 * DBL_EPSILON * m.stiffest);
  }
  mw_system_free(sys);
  mw_blocks_free(bl);
  close_machine(&m);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_of_a_neighbour_lead_to_those_of_block_lanczos",
      modes_of_a_neighbour_lead_to_those_of_block_lanczos },
    { "a_bad_start_is_refused_or_leads_to_the_same_modes",
      a_bad_start_is_refused_or_leads_to_the_same_modes },
    { "proof_notices_every_mode_left_out_or_made_up",
      proof_notices_every_mode_left_out_or_made_up },
    { "pairs_of_equal_modes_are_proved_wherever_the_count_cuts",
      pairs_of_equal_modes_are_proved_wherever_the_count_cuts },
    { "a_mass_put_into_an_eigenbasis_leaves_nothing_to_factor_and_its_modes_are_found",
      a_mass_put_into_an_eigenbasis_leaves_nothing_to_factor_and_its_modes_are_found },
  };
  return mw_test_run("track", cases, (int)(sizeof cases / sizeof *cases));
}
