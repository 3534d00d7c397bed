// SPDX-License-Identifier: BSD-3-Clause
// test_align.c: aligned modes are smooth: fourth order through crossings, veerings and cones; rules
// on made-up overlaps.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture_beams.h"
#include "mw_test.h"

static const int COUNTS[3] = { 4, 6, 8 };

// ---- convergence --------------------------------------------------------------------------------

// From n to 2n − 1 points an axis the error falls by 2^3.5 at least (splines: 2^4 in the limit)
// unless it is roundoff, for 4, 6 and 8 modes: the direct and the reduced eigenvalue problem each
// err by some n·eps·λ_max/λ ~ 1e-12 of a frequency.
static void check_order(const beams *b, int n, int n_truth)
{
  static const double floor_of_roundoff = 1e-12, least_order = 3.5;
  mw_error err;
  beams_truth truth = { 0 };
  beams_grid coarse = { 0 }, fine = { 0 };
  bool built = MW_OKAY(beams_truth_build(b, n_truth, &truth, &err)) &&
               MW_OKAY(beams_grid_build(b, n, &coarse, &err)) &&
               MW_OKAY(beams_grid_build(b, 2 * n - 1, &fine, &err));
  for (int c = 0; built && c < 3; c++) {
    beams_result r = { 0 }, r2 = { 0 };
    MW_OKAY(beams_compare(b, &coarse, &truth, COUNTS[c], COUNTS[c] + 6, false, &r, &err));
    MW_OKAY(beams_compare(b, &fine, &truth, COUNTS[c], COUNTS[c] + 6, false, &r2, &err));
    MW_CHECK(r2.m >= COUNTS[c] && r2.largest_jump < r.largest_jump);
    MW_CHECK(r2.error < floor_of_roundoff || log2(r.error / r2.error) >= least_order);
  }
  mw_arena_free(&truth.mem);
  mw_arena_free(&coarse.mem);
  mw_arena_free(&fine.mem);
}

static void modes_that_cross_are_interpolated_to_fourth_order(void)
{
  beams b = { "crossing", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 0.0, 0.37, 0.37, { 0.2 }, { 0.7 } };
  check_order(&b, 37, 301);
}

// springs from a veering that no grid point sees to one that all see
static void modes_that_veer_are_interpolated_to_fourth_order(void)
{
  static const double spring[] = { 0.1, 1.0, 10.0, 100.0, 1000.0 };
  for (size_t i = 0; i < sizeof spring / sizeof *spring; i++) {
    beams b = { "veering", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, spring[i], 0.37, 0.37, { 0.2 }, { 0.7 } };
    check_order(&b, 37, 301);
  }
}

static void conical_crossings_of_mass_and_lever_are_interpolated_to_fourth_order(void)
{
  beams b = { "cone", BEAMS_LEVER, 0.7, 0.3, 0.0, 100.0, 0.37, 0.37, { 0.2, -0.5 }, { 0.7, 0.6 } };
  check_order(&b, 25, 41);
}

static void conical_crossings_of_two_masses_are_interpolated_to_fourth_order(void)
{
  beams b = {
    "cone", BEAMS_TWO_MASSES, 1.07, 0.3, 0.3, 10.0, 0.45, 0.47, { 0.2, 0.3 }, { 0.7, 0.8 }
  };
  check_order(&b, 25, 41);
}

// ---- made-up modes ------------------------------------------------------------------------------

enum { MAX_POINT = 32, MAX_K = 6, MAX_DIM = 8 };

typedef struct made_up {
  int s, n_grid[3], n_point, k, dim;
  double lambda[MAX_POINT * MAX_K];         // [n_point × k]
  double Phi[MAX_POINT * MAX_K * MAX_DIM];  // [n_point × k × dim]  orthonormal rows
  int other_a, other_b;                     // this edge has the overlaps `other`, if other_b > 0
  double other[MAX_K * MAX_K];
  int calls;
} made_up;

static double *mode(made_up *u, int g, int i) { return u->Phi + (g * u->k + i) * u->dim; }

static mw_code made_up_overlap(void *ctx, int g, int g2, double *O, mw_error *err)
{
  (void)err;
  made_up *u = ctx;
  u->calls++;
  for (int i = 0; i < u->k; i++)
    for (int j = 0; j < u->k; j++) {
      double x = 0.0;
      for (int l = 0; l < u->dim; l++) x += mode(u, g, i)[l] * mode(u, g2, j)[l];
      O[i * u->k + j] = x;
    }
  if (u->other_b > 0 && g == u->other_a && g2 == u->other_b)
    memcpy(O, u->other, (size_t)(u->k * u->k) * sizeof *O);
  return MW_OK;
}

static mw_code align(made_up *u, int n_want, mw_arena *mem, mw_align *out, mw_error *err)
{
  mw_align_in in = { .s = u->s,
                     .n_grid = u->n_grid,
                     .k = u->k,
                     .n_want = n_want,
                     .lambda = u->lambda,
                     .overlap = made_up_overlap,
                     .ctx = u };
  u->calls = 0;
  return mw_align_modes(&in, mem, out, err);
}

// k unit vectors with the eigenvalues lambda [k] at each of n points.
static made_up unit_modes(int n, int k, const double *lambda)
{
  made_up u = { .s = 1, .n_grid = { n }, .n_point = n, .k = k, .dim = k };
  for (int g = 0; g < n; g++)
    for (int i = 0; i < k; i++) {
      u.lambda[g * k + i] = lambda[i];
      mode(&u, g, i)[i] = 1.0;
    }
  return u;
}

// Turns modes 0 and 1 of all points from g on by an angle.
static void turn(made_up *u, int g, double sine)
{
  double c = sqrt(1.0 - sine * sine);
  for (; g < u->n_point; g++)
    for (int l = 0; l < u->dim; l++) {
      double x = mode(u, g, 0)[l], y = mode(u, g, 1)[l];
      mode(u, g, 0)[l] = c * x + sine * y;
      mode(u, g, 1)[l] = c * y - sine * x;
    }
}

// Largest |Φ(g) Q(g) − Φ(0) Q(0)| over all points.
static double largest_change(made_up *u, const mw_align *al)
{
  double most = 0.0;
  for (int g = 0; g < u->n_point; g++)
    for (int c = 0; c < al->m; c++)
      for (int l = 0; l < u->dim; l++) {
        double x = 0.0;
        for (int i = 0; i < u->k; i++)
          x += al->Q[(g * u->k + i) * al->m + c] * mode(u, g, i)[l] -
               al->Q[i * al->m + c] * mode(u, 0, i)[l];
        most = fmax(most, fabs(x));
      }
  return most;
}

// A constant basis whose eigenvalues cross, sorted and with signs anyhow: overlaps are 0 and ±1, so
// nothing is rounded.
static void permutations_and_signs_of_a_constant_basis_are_undone_exactly(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = { .s = 2, .n_grid = { 5, 4 }, .n_point = 20, .k = 5, .dim = 5 };
  for (int g = 0; g < u.n_point; g++) {
    double value[5];
    int order[5];
    for (int t = 0; t < 5; t++) {
      value[t] = 10.0 + t + (t - 2.1) * (0.7 * (g % 4) - 1.3 * (g / 4));
      int i = t;
      for (; i > 0 && value[order[i - 1]] > value[t]; i--) order[i] = order[i - 1];
      order[i] = t;
    }
    for (int i = 0; i < 5; i++) {
      u.lambda[g * 5 + i] = value[order[i]];
      mode(&u, g, i)[order[i]] = (g * 7 + i * 3) % 5 < 2 ? -1.0 : 1.0;
    }
  }
  if (MW_OKAY(align(&u, 5, &mem, &al, &err))) {
    MW_CHECK(al.m == 5 && al.n_cluster == 5 && al.n_dropped == 0);
    MW_NEAR(largest_change(&u, &al), 0.0, 0.0);
    MW_NEAR(al.largest_jump, 0.0, 0.0);
    MW_NEAR(al.cut, 0.0, 0.0);
    MW_CHECK(u.calls == 5 * 3 + 4 * 4);  // each edge once
  }
  mw_arena_free(&mem);
}

// Double eigenvalue: any basis of its plane at each point. Each step multiplies by an orthogonal
// factor, off by 30 eps at most (2 × 2 products and a singular value decomposition), at 11 steps.
static void bases_of_a_double_mode_are_turned_back(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = unit_modes(12, 3, (double[]){ 1.0, 1.0, 5.0 });
  for (int g = 1; g < u.n_point; g++) turn(&u, g, sin(1.7 * g * g));
  if (MW_OKAY(align(&u, 3, &mem, &al, &err))) {
    MW_CHECK(al.m == 3 && al.n_cluster == 2 && al.cluster[0] == al.cluster[1]);
    MW_NEAR(largest_change(&u, &al), 0.0, 11 * 30 * DBL_EPSILON);
  }
  mw_arena_free(&mem);
}

// Clusters and kept modes after one turn of modes 0 and 1 by asin(sine), of three with eigenvalues
// 1, ratio, 100.
static void check_turn(double sine, double ratio, int n_want, int m, int n_cluster, double cut)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = unit_modes(4, 3, (double[]){ 1.0, ratio, 100.0 });
  turn(&u, 2, sine);
  if (MW_OKAY(align(&u, n_want, &mem, &al, &err))) {
    MW_CHECK(al.m == m && al.n_cluster == n_cluster);
    MW_NEAR(al.cut, cut, 4 * DBL_EPSILON);  // rounded sine and cosine, two products and a sum
  }
  mw_arena_free(&mem);
}

static void modes_are_joined_where_they_veer_and_only_there(void)
{
  check_turn(0.03, 1.4, 2, 2, 1, 0.0);
  check_turn(0.03, 1.6, 2, 2, 2, 0.0);  // eigenvalues too far
  check_turn(0.01, 1.4, 2, 2, 2, 0.0);  // resolved
}

static void a_strong_veering_is_never_cut_a_weak_one_is_reported(void)
{
  check_turn(0.5, 1.2, 1, 2, 1, 0.0);
  check_turn(0.1, 1.2, 1, 1, 1, 0.1);
}

// Two modes change places between points 1 and 2; coupling: what they then overlap.
static int clusters_of_a_crossing(double coupling)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = unit_modes(4, 2, (double[]){ 1.0, 1.4 });
  for (int g = 2; g < 4; g++)
    for (int i = 0; i < 2; i++)
      for (int l = 0; l < 2; l++) mode(&u, g, i)[l] = i == l ? 0.0 : 1.0;
  turn(&u, 2, coupling);
  MW_OKAY(align(&u, 2, &mem, &al, &err));
  mw_arena_free(&mem);
  return al.n_cluster;
}

static void modes_that_change_places_are_joined_unless_uncoupled(void)
{
  MW_CHECK(clusters_of_a_crossing(0.0) == 2);
  MW_CHECK(clusters_of_a_crossing(1e-5) == 1);
}

// Only the edge that closes the loop 0-1-3-2 swaps the modes, their eigenvalues are far apart.
static void modes_that_swap_around_a_loop_are_joined(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = unit_modes(4, 2, (double[]){ 1.0, 10.0 });
  u.s = 2;
  u.n_grid[0] = u.n_grid[1] = 2;
  u.other_a = 1;
  u.other_b = 3;
  u.other[1] = u.other[2] = 1.0;
  if (MW_OKAY(align(&u, 2, &mem, &al, &err))) {
    MW_CHECK(al.n_cluster == 1 && al.jump_a == 1 && al.jump_b == 3);
    MW_NEAR(al.largest_jump, 1.0, 4 * DBL_EPSILON);  // orthogonal factors of the unit matrix
  }
  mw_arena_free(&mem);
}

// Modes A B C D, three computed: B rises above D at the last point, where D comes in.
static void a_mode_that_leaves_those_computed_is_dropped(void)
{
  static const int who[3][3] = { { 0, 1, 2 }, { 0, 1, 2 }, { 0, 2, 3 } };
  static const double value[3][3] = { { 1, 2, 3 }, { 1, 2.5, 3 }, { 1, 3, 4 } };
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  made_up u = { .s = 1, .n_grid = { 3 }, .n_point = 3, .k = 3, .dim = 4 };
  for (int g = 0; g < 3; g++)
    for (int i = 0; i < 3; i++) {
      u.lambda[g * 3 + i] = value[g][i];
      mode(&u, g, i)[who[g][i]] = 1.0;
    }
  if (MW_OKAY(align(&u, 2, &mem, &al, &err))) {
    MW_CHECK(al.m == 2 && al.n_dropped == 1);
    MW_NEAR(largest_change(&u, &al), 0.0, 0.0);  // A and C are left
    MW_NEAR(al.Q[2 * al.m + 1], 1.0, 0.0);
  }
  mw_arena_free(&mem);
}

// B and C of four modes turn by 50 degrees, so that B is tracked to where C was and leaves there;
// the space of the two lowest only turns by 50 degrees.
static void a_space_is_followed_where_its_modes_cannot_be(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  double angle = 50.0 / 180.0 * acos(-1.0);
  made_up u = { .s = 1, .n_grid = { 3 }, .n_point = 3, .k = 3, .dim = 4 };
  for (int g = 0; g < 3; g++) {
    double phi = g == 0 ? 0.0 : angle;
    for (int i = 0; i < 3; i++) u.lambda[g * 3 + i] = 1.0 + i;
    mode(&u, g, 0)[0] = 1.0;
    mode(&u, g, 1)[1] = cos(phi);
    mode(&u, g, 1)[2] = sin(phi);
    mode(&u, g, 2)[1] = g < 2 ? -sin(phi) : 0.0;
    mode(&u, g, 2)[2] = g < 2 ? cos(phi) : 0.0;
    mode(&u, g, 2)[3] = g < 2 ? 0.0 : 1.0;
  }
  if (MW_OKAY(align(&u, 2, &mem, &al, &err))) {
    MW_CHECK(al.m == 2 && al.n_cluster == 1 && al.n_dropped == 0);
    // sums of two products of rounded sines, two singular value decompositions
    MW_NEAR(al.largest_jump, 1.0 - cos(angle), 20 * DBL_EPSILON);
    MW_NEAR(al.cut, sin(angle), 20 * DBL_EPSILON);
  }
  mw_arena_free(&mem);
}

static void no_mode_left_is_an_error(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { .m = -1 };
  made_up u = { .s = 1, .n_grid = { 2 }, .n_point = 2, .k = 1, .dim = 2, .lambda = { 1.0, 1.0 } };
  mode(&u, 0, 0)[0] = mode(&u, 1, 0)[1] = 1.0;
  MW_FAILS(align(&u, 1, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_CHECK(al.m == -1);
  mw_arena_free(&mem);
}

static void an_overlap_that_is_not_a_number_is_an_error(void)
{
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { .m = -1 };
  made_up u = unit_modes(4, 3, (double[]){ 1.0, 2.0, 3.0 });
  mode(&u, 2, 1)[0] = NAN;
  MW_FAILS(align(&u, 2, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_CHECK(al.m == -1);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_that_cross_are_interpolated_to_fourth_order",
      modes_that_cross_are_interpolated_to_fourth_order },
    { "modes_that_veer_are_interpolated_to_fourth_order",
      modes_that_veer_are_interpolated_to_fourth_order },
    { "conical_crossings_of_mass_and_lever_are_interpolated_to_fourth_order",
      conical_crossings_of_mass_and_lever_are_interpolated_to_fourth_order },
    { "conical_crossings_of_two_masses_are_interpolated_to_fourth_order",
      conical_crossings_of_two_masses_are_interpolated_to_fourth_order },
    { "permutations_and_signs_of_a_constant_basis_are_undone_exactly",
      permutations_and_signs_of_a_constant_basis_are_undone_exactly },
    { "bases_of_a_double_mode_are_turned_back", bases_of_a_double_mode_are_turned_back },
    { "modes_are_joined_where_they_veer_and_only_there",
      modes_are_joined_where_they_veer_and_only_there },
    { "a_strong_veering_is_never_cut_a_weak_one_is_reported",
      a_strong_veering_is_never_cut_a_weak_one_is_reported },
    { "modes_that_change_places_are_joined_unless_uncoupled",
      modes_that_change_places_are_joined_unless_uncoupled },
    { "modes_that_swap_around_a_loop_are_joined", modes_that_swap_around_a_loop_are_joined },
    { "a_mode_that_leaves_those_computed_is_dropped",
      a_mode_that_leaves_those_computed_is_dropped },
    { "a_space_is_followed_where_its_modes_cannot_be",
      a_space_is_followed_where_its_modes_cannot_be },
    { "no_mode_left_is_an_error", no_mode_left_is_an_error },
    { "an_overlap_that_is_not_a_number_is_an_error", an_overlap_that_is_not_a_number_is_an_error },
  };
  return mw_test_run("align", cases, (int)(sizeof cases / sizeof *cases));
}
