// SPDX-License-Identifier: BSD-3-Clause
// test_arpack.c: modes by ARPACK: what it misses is found, what its library keeps from run to run
// does not matter, and samples of a mechanism are those of block Lanczos.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "fem/factor.h"
#include "mw_test.h"
#include "sample/sample_layer.h"
#include "system/arpack_layer.h"

// ---- operators -------------------------------------------------------------------------------

// Seven-point Laplacian of a cube of m³ points times `stiff`; M = 1. Most eigenvalues are triple.
typedef struct cube {
  int n;
  double *lambda;  // [n]  stiff · (6 − 2 Σ_d cos(i_d π/(m + 1))), ascending
  mw_csc K;
  mw_factor *factor;
  mw_arena mem;
} cube;

static void unit_mass(void *ctx, int k, const double *X, double *Y, double *work)
{
  const cube *c = ctx;
  (void)work;
  memcpy(Y, X, (size_t)k * (size_t)c->n * sizeof *Y);
}

static mw_code solve_cube(void *ctx, int k, const double *F, double *X, mw_error *err)
{
  return mw_factor_solve(((cube *)ctx)->factor, k, F, X, err);
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool open_cube(int m, double stiff, cube *c)
{
  const double pi = acos(-1.0);
  int n = m * m * m, step[3] = { 1, m, m * m };
  mw_triplets K = { 0 };
  mw_error err = { 0 };
  *c = (cube){ .n = n };
  c->lambda = mw_arena_f64(&c->mem, (size_t)n);
  for (int e = 0; c->lambda && e < n; e++) {
    mw_triplets_add(&K, e, e, 6.0 * stiff);
    c->lambda[e] = 6.0 * stiff;
    for (int d = 0; d < 3; d++) {
      int i = e / step[d] % m;
      if (i + 1 < m) mw_triplets_add(&K, e + step[d], e, -stiff);
      c->lambda[e] -= 2.0 * stiff * cos((i + 1) * pi / (m + 1));
    }
  }
  bool okay = MW_CHECK(c->lambda != NULL) &&
              MW_OKAY(mw_csc_build(&K, n, n, true, &c->mem, &c->K, &err)) &&
              MW_OKAY(mw_factor_build(&c->K, true, &c->factor, &err));
  mw_triplets_free(&K);
  if (okay) qsort(c->lambda, (size_t)n, sizeof *c->lambda, ascending);
  return okay;
}

// Eigenvalues below the highest of lambda [found] that are not in it.
static int missing(const cube *c, int found, const double *lambda)
{
  double limit = lambda[found - 1] * (1.0 - 1e-9);  // far above rounding, far below any distance
  int n = 0;
  for (int i = 0; i < c->n; i++) n += c->lambda[i] < limit;
  for (int i = 0; i < found; i++) n -= lambda[i] < limit;
  return n;
}

static void close_cube(cube *c)
{
  mw_factor_free(c->factor);
  mw_arena_free(&c->mem);
}

static mw_operator operator_of(cube *c)
{
  return (mw_operator){ .n = c->n, .ctx = c, .mul_M = unit_mass, .solve = solve_cube };
}

// As many modes from the complement of those found as the closed form says are missing make the
// lowest complete; some run must miss some: which, rounding decides. Solves err by n ε ν_1 at worst
// (Higham 2002, ch. 10), λ so by n ε λ²/λ_1.
static void what_a_run_misses_is_on_the_complement(void)
{
  enum { MODES = 20, MOST = 4 * MODES };
  int n_missed = 0;
  for (int m = 7; m <= 10; m++) {
    cube c;
    mw_error err = { 0 };
    bool good = open_cube(m, 1.0, &c);
    size_t n = (size_t)c.n;
    mw_operator op = operator_of(&c);
    double *X = mw_arena_f64(&c.mem, MOST * n), lambda[MOST];
    int found = 0, left = MODES;
    for (int round = 0; good && left > 0 && found + left <= MOST && round < 4; round++) {
      double *nu = NULL, *V = NULL;
      int more = 0;
      mw_arpack_end end;
      mw_arpack_in in = { .want = left, .dim = c.n, .n_known = found, .X = X, .round = round };
      good = MW_OKAY(mw_arpack(&op, &in, &c.mem, &more, &nu, &V, &end, &err)) &&
             MW_CHECK(end == MW_ARPACK_DONE && more == left);
      if (!good) break;
      memcpy(X + (size_t)found * n, V, (size_t)more * n * sizeof *X);
      for (int i = 0; i < more; i++) lambda[found++] = 1.0 / nu[i];
      qsort(lambda, (size_t)found, sizeof *lambda, ascending);
      left = missing(&c, found, lambda);
      n_missed += left;
    }
    MW_CHECK(left == 0);
    for (int i = 0; good && i < MODES; i++)
      MW_NEAR(lambda[i], c.lambda[i], c.n * DBL_EPSILON * c.lambda[i] * c.lambda[i] / c.lambda[0]);
    for (int i = 0; good && i < found; i++)
      for (int j = 0; j <= i; j++)
        MW_NEAR(mw_dot(c.n, X + (size_t)i * n, X + (size_t)j * n), i == j, 1e-12);
    close_cube(&c);
  }
  MW_CHECK(n_missed > 0);
}

// nu [MODES] and X [MODES × n] of a cube's run; false after a failed check
static bool run_cube(cube *c, int want, double **nu, double **X)
{
  mw_error err = { 0 };
  mw_operator op = operator_of(c);
  mw_arpack_in in = { .want = want, .dim = c->n };
  mw_arpack_end end;
  int found = 0;
  return MW_OKAY(mw_arpack(&op, &in, &c->mem, &found, nu, X, &end, &err)) &&
         MW_CHECK(end == MW_ARPACK_DONE && found == want);
}

// ν of some 1e-13 and below, which are less than ε^(2/3): the same iteration, to a power of two.
static void eigenvalues_far_below_one_are_as_good_as_others(void)
{
  enum { MODES = 6 };
  cube a, b;
  double *nu[2] = { NULL }, *X[2] = { NULL };
  bool good = open_cube(7, 1.0, &a);
  good = open_cube(7, 0x1p44, &b) && good;
  if (good && run_cube(&a, MODES, &nu[0], &X[0]) && run_cube(&b, MODES, &nu[1], &X[1]))
    for (int i = 0; i < MODES; i++) {
      double same = nu[1][i] * 0x1p44;
      MW_SAME_BITS(&nu[0][i], &same, 1);
    }
  close_cube(&a);
  close_cube(&b);
}

// ---- an invariant space ----------------------------------------------------------------------

enum { HEAVY = 6, ALL = 40 };

static void few_masses(void *ctx, int k, const double *X, double *Y, double *work)
{
  (void)ctx;
  (void)work;
  for (int i = 0; i < k * ALL; i++) Y[i] = i % ALL < HEAVY ? X[i] : 0.0;
}

static mw_code few_springs(void *ctx, int k, const double *F, double *X, mw_error *err)
{
  (void)ctx;
  (void)err;
  for (int i = 0; i < k * ALL; i++) X[i] = F[i] / (1.0 + i % ALL);
  return MW_OK;
}

// Six masses have six modes: a basis of more vectors is none. ARPACK goes on with random numbers,
// from a generator that lives as long as the process: such a run says so, and runs after it are as
// before.
static void runs_do_not_depend_on_those_before(void)
{
  enum { MODES = 5 };
  cube c;
  double *nu[2] = { NULL }, *X[2] = { NULL };
  mw_error err = { 0 };
  mw_operator op = { .n = ALL, .mul_M = few_masses, .solve = few_springs };
  mw_arpack_in in = { .want = 3, .dim = ALL };
  if (open_cube(6, 1.0, &c) && run_cube(&c, MODES, &nu[0], &X[0])) {
    double *few = NULL, *V = NULL;
    mw_arpack_end end = MW_ARPACK_DONE;
    int found = 0;
    MW_OKAY(mw_arpack(&op, &in, &c.mem, &found, &few, &V, &end, &err));
    MW_CHECK(end == MW_ARPACK_EXHAUSTED && found == 0);
    in.dim = HEAVY;  // no room for a basis
    MW_OKAY(mw_arpack(&op, &in, &c.mem, &found, &few, &V, &end, &err));
    MW_CHECK(end == MW_ARPACK_TOO_FEW && found == 0);
    if (run_cube(&c, MODES, &nu[1], &X[1])) {
      MW_SAME_BITS(nu[0], nu[1], MODES);
      MW_SAME_BITS(X[0], X[1], (size_t)MODES * (size_t)c.n);
    }
  }
  close_cube(&c);
}

// ---- samples ---------------------------------------------------------------------------------

// A shaft of `elements`, width w and height h, on a hinge: both planes alike where w = h, so that
// every bending mode is double. bodies: more of them.
static bool shaft(int elements, double w, double h, const char *bodies, mw_fixture *f)
{
  char text[4096];
  snprintf(
      text, sizeof text,
      "modeway: 1\nname: shaft\nmaterials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { bar: { rectangle: { width: %g, height: %g } } }\n"
      "bodies:\n  rotor:\n    beams:\n      points: { a: [0, 0, 0], b: [0.5, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: bar, material: steel, elements: %d, "
      "up: [0, 0, 1] } ]\n"
      "    frames: { hub: { node: a }, tip: { node: b } }\n%s"
      "joints:\n  spin: { revolute: { a: ground, b: rotor.hub, axis: [1, 0, 0] }, coordinate: phi, "
      "drive: motor }\n"
      "outputs: { tip: { frame: rotor.tip } }\n"
      "reduction: { coordinates: { phi: [0, 1] }, modes: { count: 3 } }\n",
      w, h, elements, bodies);
  return MW_CHECK(mw_fixture_text(text, f));
}

// The count proves ARPACK's modes, and misses the lowest where it is left out.
static void proved_alone(const mw_sample_in *in, const mw_sample *z)
{
  mw_error err = { 0 };
  int proved = -1, left = -1;
  if (z->solver != MW_SOLVER_ARPACK) return;
  MW_OKAY(mw_sample_prove(in, z->k, z->k, z->lambda, &proved, &left, &err));
  MW_CHECK(proved == z->n_proved && left == 0);
  if (z->k < 3) return;
  MW_OKAY(mw_sample_prove(in, z->k - 1, z->k - 1, z->lambda + 1, &proved, &left, &err));
  MW_CHECK(left == 1 || proved == 0);
}

// A sample at theta [n_coordinate] with k modes at least, by block Lanczos and by ARPACK; false
// after a failed check.
static bool both(const mw_fixture *f, const double *theta, int k, mw_sample z[2], mw_arena *mem)
{
  const mw_reduction_in *r = &f->model.reduction;
  int coord[MW_ROM_MAX_S];
  mw_error err = { 0 };
  mw_config q;
  mw_blocks *bl = NULL;
  unsigned char *locked = mw_arena_alloc(mem, (size_t)f->mech.n_coord, 1);
  for (int i = 0; i < r->n_coordinate; i++) {
    coord[i] = f->mech.joint[r->coordinate[i].joint].coord;
    locked[coord[i]] = 1;
  }
  bool good =
      MW_OKAY(mw_config_at(&f->mech, locked, r->n_coordinate, coord, theta, NULL, mem, &q, &err)) &&
      MW_OKAY(mw_blocks_build(&f->mech, 0.0, false, &bl, &err));
  for (int i = 0; good && i < 2; i++) {
    mw_system *sys = NULL;
    mw_sample_in in = { .mech = &f->mech,
                        .locked = locked,
                        .s = r->n_coordinate,
                        .q = &q,
                        .k = k,
                        .n_mac = k,
                        .rest = 1e-3,
                        .arpack = i == 1 };
    good = MW_OKAY(mw_system_build(bl, locked, 0, q.p, q.s, &sys, &err)) &&
           MW_OKAY(mw_sample_build(sys, &in, &z[i], mem, &err));
    if (good) proved_alone(&in, &z[i]);
    mw_system_free(sys);
  }
  mw_blocks_free(bl);
  return good;
}

// Both work with the same factors, whose rounding is c ε ν_1, c = 1000 for some hundred unknowns
// (test_modes.c): relative in λ by c ε λ/λ_1 each, twice that from each other, in f by half of it.
// Σ (φᵀf)² over modes of one frequency does not depend on which vectors span them; it is compared
// from gap to gap: shapes err by c ε ν_1 over the distance of ν to that behind the gap, squares by
// twice that. Of k modes: all, or those that were asked for.
static void agree(const mw_sample z[2], int k)
{
  const mw_sample *a = &z[0], *b = &z[1];
  const double *l = a->lambda;
  if (!MW_CHECK(a->solver == MW_SOLVER_LANCZOS && b->solver == MW_SOLVER_ARPACK && a->k == b->k))
    return;
  MW_CHECK(b->n_proved >= b->n_mac && b->n_missed >= 0);
  double worst = 0.0, largest = 0.0, sum = 0.0;
  for (int i = 0; i < k; i++) {
    double rounding = 2e3 * DBL_EPSILON * l[i] / l[0];
    MW_NEAR(b->lambda[i], l[i], rounding * l[i]);
    worst = fmax(worst, fabs(sqrt(l[i] / b->lambda[i]) - 1.0));
  }
  for (int i = 0; i < a->k; i++) largest = fmax(largest, a->B[i * a->n_load] * a->B[i * a->n_load]);
  if (k == a->k) {
    MW_WITHIN(b->apart, 0.0, 1e-9, "what samples by two solvers may differ by, not a rounding");
    MW_WITHIN(b->apart, worst, 2.0 * DBL_EPSILON, "roundings of 1, alike in both");
  }
  for (int i = 0; i + 1 < a->n_mac; i++) {
    sum += b->B[i * a->n_load] * b->B[i * a->n_load] - a->B[i * a->n_load] * a->B[i * a->n_load];
    if (l[i + 1] > 1.01 * l[i])
      MW_WITHIN(sum, 0.0,
                2e3 * DBL_EPSILON * l[i] / l[0] * l[i + 1] / (l[i + 1] - l[i]) * 2.0 * largest,
                "worst of a load on all modes alike");
  }
}

static void samples_are_those_of_block_lanczos(void)
{
  const double middle[2] = { 0.7, 0.3 };
  mw_fixture f;
  mw_sample z[2];
  mw_arena mem = { 0 };
  if (MW_CHECK(mw_fixture_machine(NULL, &f)) && both(&f, middle, 8, z, &mem)) agree(z, z[0].k);
  mw_fixture_free(&f);
  if (shaft(30, 0.03, 0.02, "", &f) && both(&f, middle, 8, z, &mem)) agree(z, z[0].k);
  mw_fixture_free(&f);
  mw_arena_free(&mem);
}

static void samples_with_double_modes_are_those_of_block_lanczos(void)
{
  const double middle = 0.7;
  mw_fixture f;
  mw_sample z[2];
  mw_arena mem = { 0 };
  for (int elements = 20; elements <= 50; elements += 10) {
    if (shaft(elements, 0.02, 0.02, "", &f) && both(&f, &middle, 8, z, &mem)) {
      agree(z, z[0].k);
      MW_WITHIN(z[1].lambda[1], z[1].lambda[0], 5e6 * DBL_EPSILON * z[1].lambda[0],
                "worst of K's condition, for roundings that differ in both planes");
    }
    mw_fixture_free(&f);
  }
  mw_arena_free(&mem);
}

// Eight rods of square section, all alike, beside the shaft: eighteen equal modes. How many of them
// a run of ARPACK leaves out depends on rounding (what_a_run_misses_is_on_the_complement has some
// that does); the inertia count brings out all. Block Lanczos is beside it in the modes asked for
// alone: no count proves those above.
static void equal_modes_are_all_found(void)
{
  enum { RODS = 8, CASES = 3 };
  static const int k[CASES] = { 8, 16, 34 };
  const double middle = 0.7;
  char rods[2048] = "";
  mw_fixture f;
  mw_sample z[2];
  mw_arena mem = { 0 };
  for (int i = 0; i < RODS; i++) {
    size_t at = strlen(rods);
    snprintf(rods + at, sizeof rods - at,
             "  rod%d:\n    ground: true\n    beams:\n"
             "      points: { a: [0, %d, 0], b: [0.5, %d, 0] }\n"
             "      members: [ { from: a, to: b, section: bar, material: steel, elements: 20, "
             "up: [0, 0, 1] } ]\n    supports: [ { nodes: a } ]\n",
             i, i + 1, i + 1);
  }
  bool good = shaft(20, 0.02, 0.02, rods, &f);
  for (int i = 0; i < CASES && good; i++) {
    good = both(&f, &middle, k[i], z, &mem);
    if (!good) break;
    agree(z, k[i]);
    for (int j = 1; j < 2 * RODS + 2; j++)
      MW_NEAR(z[1].lambda[j], z[1].lambda[0], 1e-9 * z[1].lambda[0]);
    MW_CHECK(z[1].lambda[2 * RODS + 2] > 1.1 * z[1].lambda[0]);
  }
  mw_fixture_free(&f);
  mw_arena_free(&mem);
}

static void a_mesh_too_small_says_so(void)
{
  const double middle = 0.7;
  mw_fixture f;
  mw_sample z[2];
  mw_arena mem = { 0 };
  if (shaft(1, 0.03, 0.02, "", &f) && both(&f, &middle, 5, z, &mem)) {
    MW_CHECK(z[1].solver == MW_SOLVER_TOO_FEW && z[1].n_proved == 0);
    if (MW_CHECK(z[0].k == z[1].k)) MW_SAME_BITS(z[0].lambda, z[1].lambda, (size_t)z[0].k);
  }
  mw_fixture_free(&f);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "what_a_run_misses_is_on_the_complement", what_a_run_misses_is_on_the_complement },
    { "eigenvalues_far_below_one_are_as_good_as_others",
      eigenvalues_far_below_one_are_as_good_as_others },
    { "runs_do_not_depend_on_those_before", runs_do_not_depend_on_those_before },
    { "samples_are_those_of_block_lanczos", samples_are_those_of_block_lanczos },
    { "samples_with_double_modes_are_those_of_block_lanczos",
      samples_with_double_modes_are_those_of_block_lanczos },
    { "equal_modes_are_all_found", equal_modes_are_all_found },
    { "a_mesh_too_small_says_so", a_mesh_too_small_says_so },
  };
  return mw_test_run("arpack", cases, (int)(sizeof cases / sizeof *cases));
}
