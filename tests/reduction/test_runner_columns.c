// SPDX-License-Identifier: BSD-3-Clause
// test_runner_columns.c: columns of a machine at one stiffness of its runners hold it from half of
// it to twice, with a static pattern of each runner beside the modes and the patterns of outputs;
// without these they do not.
//
//   K = K0 + Σ (k − k0) g gᵀ over rows g of runners: K⁻¹f lies in the span of K0⁻¹f and all K0⁻¹g
//   (Woodbury), so that static compliance is exact; frequencies err by squares of what modes change
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

// An elastic column on a cart on five soft rows of runners; %g: what their stiffness is times.
static const char COLUMN[] =
    "modeway: 1\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"
    "bodies:\n"
    "  rail: { ground: true, rigid: { mass: 0 },\n"
    "          guides: { x: { points: [[0, 0, 0], [2, 0, 0]], normal: [0, 0, 1] } } }\n"
    "  cart: { at: [0.7, 0, 0], frames: { top: { point: [0, 0, 0.1] } },\n"
    "    rigid: { mass: 3, com: [0, 0, 0.02], inertia: [0.02, 0.03, 0.03, 0, 0, 0] } }\n"
    "  beam:\n"
    "    at: [0.7, 0, 0.1]\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.2, 0.6, 0.3] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 4,\n"
    "                   up: [0, 0, 1] } ]\n"
    "    frames: { foot: { node: a }, tip: { node: b, mass: 0.5 } }\n"
    "parameters: { k: %.17g }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: rail.x\n"
    "      on: cart\n"
    "      orientation: free\n"
    "      runners:\n"
    "        - { offset: -0.1, shift: [0, 0, 0.05], stiffness: 1e7*$k }\n"
    "        - { offset: 0.1, shift: [0, 0, 0.05], stiffness: 2e7*$k }\n"
    "        - { offset: 0.0, shift: [0, 0, -0.05], directions: [n1], stiffness: 1e7*$k }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  foot: { fixed: { a: cart.top, b: beam.foot } }\n"
    "outputs: { tool: { frame: beam.tip } }\n"
    "reduction: { coordinates: { x: { range: [0.3, 1.6], points: 5 } } }\n";

enum { MODES = 4, LOADS = 3, MOST = 16 };

typedef struct machine {
  mw_fixture f;
  mw_blocks *blocks;
  mw_system *sys;
  int n;  // unknowns
} machine;

static bool open_at(double k, machine *m)
{
  char text[4096];
  mw_arena mem = { 0 };
  mw_statics st;
  mw_error err = { 0 };
  const unsigned char locked[1] = { 1 };
  const double x = 0.7;
  *m = (machine){ 0 };
  snprintf(text, sizeof text, COLUMN, k);
  bool good = MW_CHECK(mw_fixture_text(text, &m->f)) &&
              MW_OKAY(mw_direct_statics(&m->f.model, &m->f.mech, &x, &mem, &st, &err)) &&
              MW_OKAY(mw_blocks_build(&m->f.mech, 0.0, false, &m->blocks, &err)) &&
              MW_OKAY(mw_system_build(m->blocks, locked, 0, st.p, st.s, &m->sys, &err));
  mw_arena_free(&mem);
  if (good) m->n = mw_blocks_size(m->blocks);
  return good;
}

static void close_it(machine *m)
{
  mw_system_free(m->sys);
  mw_blocks_free(m->blocks);
  mw_fixture_free(&m->f);
}

static void tool_load(const machine *m, int axis, double *f)
{
  const mw_output_in *o = &m->f.model.output[0];
  const double e[3] = { axis == 0, axis == 1, axis == 2 };
  mw_system_load_point(m->sys, o->ref, o->x, e, f);
}

// V gains x, M-orthonormal to what there is; y [n] scratch.
static void add(const machine *m, double *V, int *n_col, const double *x, double *y)
{
  double *to = V + (size_t)*n_col * (size_t)m->n;
  memcpy(to, x, (size_t)m->n * sizeof *to);
  for (int twice = 0; twice < 2; twice++)
    for (int a = 0; a <= *n_col; a++) {
      mw_system_mul_M(m->sys, to, y);
      const double *v = V + (size_t)a * (size_t)m->n;
      double by = mw_dot(m->n, v, y);
      if (a < *n_col) mw_axpy(m->n, -by, v, to);
      for (int i = 0; a == *n_col && i < m->n; i++) to[i] /= sqrt(by);
    }
  ++*n_col;
}

// Modes, patterns of the tool's forces and, where asked for, of the runners' rows.
static bool columns_of(const machine *m, bool runners, double *V, int *n_col, mw_arena *mem)
{
  size_t n = (size_t)m->n;
  double lambda[MODES], *X = mw_arena_f64(mem, MODES * n), *f = mw_arena_f64(mem, n),
                        *y = mw_arena_f64(mem, n);
  mw_error err = { 0 };
  *n_col = 0;
  if (!MW_OKAY(mw_arena_check(mem, &err)) ||
      !MW_OKAY(mw_system_modes(m->sys, MODES, lambda, X, &err)))
    return false;
  for (int k = 0; k < MODES; k++) add(m, V, n_col, X + (size_t)k * n, y);
  for (int i = 0; i < LOADS; i++) {
    tool_load(m, i, f);
    if (!MW_OKAY(mw_system_solve(m->sys, f, f, &err))) return false;
    add(m, V, n_col, f, y);
  }
  const mw_joint *j = &m->f.mech.joint[0];
  for (int i = 0; runners && i < j->n_row; i++) {
    if (!(j->k[i] > 0.0) || isinf(j->k[i])) continue;
    if (!MW_OKAY(mw_system_load_row(m->sys, j->row0 + i, f, &err)) ||
        !MW_OKAY(mw_system_solve(m->sys, f, f, &err)))
      return false;
    add(m, V, n_col, f, y);
  }
  return true;
}

// Largest errors of frequencies and of the tool's compliances by columns V [k × n] at m.
static bool errors(const machine *m, int k, const double *V, double *hz, double *static_error,
                   mw_arena *mem)
{
  size_t n = (size_t)m->n, kn = (size_t)k * n, kk = (size_t)k * (size_t)k;
  double lambda[MODES], w[MOST], *X = mw_arena_f64(mem, MODES * n), *KV = mw_arena_f64(mem, kn),
                                 *A = mw_arena_f64(mem, kk), *Q = mw_arena_f64(mem, kk),
                                 *f = mw_arena_f64(mem, n), *x = mw_arena_f64(mem, n);
  mw_error err = { 0 };
  *hz = *static_error = 0.0;
  if (!MW_OKAY(mw_arena_check(mem, &err)) ||
      !MW_OKAY(mw_system_modes(m->sys, MODES, lambda, X, &err)) ||
      !MW_OKAY(mw_system_mul_K_many(m->sys, k, V, KV, &err)))
    return false;
  mw_gemm('n', 't', k, k, m->n, 1.0, V, KV, 0.0, A);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < a; b++) A[a * k + b] = A[b * k + a] = 0.5 * (A[a * k + b] + A[b * k + a]);
  if (!MW_OKAY(mw_eig_sym(k, A, w, Q, &err))) return false;  // columns are M-orthonormal
  for (int i = 0; i < MODES; i++) *hz = fmax(*hz, fabs(sqrt(w[i] / lambda[i]) - 1.0));
  for (int i = 0; i < LOADS; i++) {
    double by = 0.0;
    tool_load(m, i, f);
    if (!MW_OKAY(mw_system_solve(m->sys, f, x, &err))) return false;
    for (int t = 0; t < k; t++) {
      double g = 0.0;
      for (int a = 0; a < k; a++) g += Q[a * k + t] * mw_dot(m->n, V + (size_t)a * n, f);
      by += g * g / w[t];
    }
    *static_error = fmax(*static_error, fabs(by / mw_dot(m->n, f, x) - 1.0));
  }
  return true;
}

// Static compliance is exact but for what solvers round, of stiffnesses that differ by 1e4; a
// frequency is held to the tolerance that certificates have.
static void runner_patterns_hold_half_and_twice_the_stiffness(void)
{
  static const double factor[] = { 0.5, 0.7, 1.4, 2.0 };
  mw_arena mem = { 0 };
  machine made;
  double *V[2] = { NULL, NULL }, worst[2] = { 0.0, 0.0 };
  int n_col[2];
  bool good = open_at(1.0, &made);
  for (int i = 0; good && i < 2; i++) {
    V[i] = mw_arena_f64(&mem, MOST * (size_t)made.n);
    good = MW_CHECK(V[i] != NULL) && columns_of(&made, i == 1, V[i], &n_col[i], &mem);
  }
  for (size_t q = 0; good && q < sizeof factor / sizeof *factor; q++) {
    machine m;
    if (open_at(factor[q], &m))
      for (int i = 0; i < 2; i++) {
        double hz, off;
        if (!errors(&m, n_col[i], V[i], &hz, &off, &mem)) break;
        printf("runners %.1f of their stiffness, %2d columns: frequencies %.2e, compliance %.2e\n",
               factor[q], n_col[i], hz, off);
        worst[i] = fmax(worst[i], hz);
        if (i == 1) MW_WITHIN(off, 0.0, 1e-9, "exact but for solvers of stiffness 1e4 apart");
      }
    close_it(&m);
  }
  MW_WITHIN(worst[1], 0.0, 1e-3, "tolerance of certificates");
  MW_CHECK(worst[0] > 1e-2);
  mw_arena_free(&mem);
  close_it(&made);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "runner_patterns_hold_half_and_twice_the_stiffness",
      runner_patterns_hold_half_and_twice_the_stiffness },
  };
  return mw_test_run("runner_columns", cases, (int)(sizeof cases / sizeof *cases));
}
