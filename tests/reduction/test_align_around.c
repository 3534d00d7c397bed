// SPDX-License-Identifier: BSD-3-Clause
// test_align_around.c: modes that are the same again after a turn, and mirror images of each other,
// of families A(θ) of small symmetric matrices and of planes that move in space.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "mw_test.h"
#include "reduction/align.h"
#include "rom/rom.h"

enum { DIM = 6 };

typedef struct family {
  int s, n_grid[MW_ALIGN_MAX_S], n_point, k;
  double *lambda;  // [n_point × k]
  double *Phi;     // [n_point × k × DIM]  orthonormal rows
  int closing;     // calls with the last and the first point of an axis
} family;

static double pi(void) { return acos(-1.0); }

static bool family_init(family *u, int s, const int *n_grid, int k)
{
  *u = (family){ .s = s, .n_point = 1, .k = k };
  for (int i = 0; i < s; i++) u->n_point *= u->n_grid[i] = n_grid[i];
  u->lambda = calloc((size_t)(u->n_point * k), sizeof *u->lambda);
  u->Phi = calloc((size_t)(u->n_point * k * DIM), sizeof *u->Phi);
  return MW_CHECK(u->lambda && u->Phi);
}

static void family_free(family *u)
{
  free(u->lambda);
  free(u->Phi);
  *u = (family){ 0 };
}

static double *mode(const family *u, int g, int i) { return u->Phi + (g * u->k + i) * DIM; }

static mw_code overlap(void *ctx, int g, int g2, double *O, mw_error *err)
{
  (void)err;
  family *u = ctx;
  if (g2 < g) u->closing++;
  for (int i = 0; i < u->k; i++)
    for (int j = 0; j < u->k; j++) O[i * u->k + j] = mw_dot(DIM, mode(u, g, i), mode(u, g2, j));
  return MW_OK;
}

static mw_code align(family *u, int n_want, unsigned cyclic, unsigned symmetric,
                     const mw_axis *axis, mw_arena *mem, mw_align *out, mw_error *err)
{
  mw_align_in in = { .s = u->s,
                     .n_grid = u->n_grid,
                     .k = u->k,
                     .n_want = n_want,
                     .lambda = u->lambda,
                     .overlap = overlap,
                     .ctx = u,
                     .cyclic = cyclic,
                     .symmetric = symmetric,
                     .axis = axis };
  u->closing = 0;
  return mw_align_modes(&in, mem, out, err);
}

// Column c of Φ(g) Q(g).
static void column(const family *u, const mw_align *al, int g, int c, double x[DIM])
{
  memset(x, 0, DIM * sizeof *x);
  for (int i = 0; i < u->k; i++) mw_axpy(DIM, al->Q[(g * u->k + i) * al->m + c], mode(u, g, i), x);
}

static double largest_difference(const family *u, const mw_align *al, int g, int g2)
{
  double most = 0.0;
  for (int c = 0; c < al->m; c++) {
    double x[DIM], y[DIM];
    column(u, al, g, c, x);
    column(u, al, g2, c, y);
    for (int l = 0; l < DIM; l++) most = fmax(most, fabs(x[l] - y[l]));
  }
  return most;
}

// ---- a plane carried around a sphere ------------------------------------------------------------

// Modes at a point of the sphere, colatitude a, longitude θ: the tangent plane twice λ = 1, in a
// basis turned anyhow, and the normal, λ = 5.
static void tangent_plane(family *u, int g, double a, double theta)
{
  double ca = cos(a), sa = sin(a), c = cos(theta), s = sin(theta), any = sin(7.3 * g * g);
  const double south[3] = { ca * c, ca * s, -sa }, east[3] = { -s, c, 0.0 };
  const double normal[3] = { sa * c, sa * s, ca };
  for (int l = 0; l < 3; l++) {
    mode(u, g, 0)[l] = cos(any) * south[l] + sin(any) * east[l];
    mode(u, g, 1)[l] = (g % 3 ? 1.0 : -1.0) * (cos(any) * east[l] - sin(any) * south[l]);
    mode(u, g, 2)[l] = g % 2 ? normal[l] : -normal[l];
  }
  u->lambda[g * u->k] = u->lambda[g * u->k + 1] = 1.0;
  u->lambda[g * u->k + 2] = 5.0;
}

// Solid angle of the polygon of n great arcs between neighbours on the circle of colatitude a: what
// the plane has turned by.
static double solid_angle(int n, double a)
{
  double t = tan(0.5 * a), apex = 2.0 * pi() / n;
  return n * 2.0 * atan2(t * t * sin(apex), 1.0 + t * t * cos(apex));
}

// Five roots, logarithms and products of 2 × 2 matrices, each some 20 roundings, doubled five times
static const double TURNED = 32 * 5 * 20 * DBL_EPSILON;

// Periodic, and turned by the same angle against parallel transport on each edge: `total` over n.
static void check_plane(double a, double total)
{
  enum { N = 24 };
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  family u = { 0 };
  if (!family_init(&u, 1, (int[]){ N + 1 }, 3)) return;
  for (int g = 0; g <= N; g++) tangent_plane(&u, g, a, 2.0 * pi() * g / N);
  if (MW_OKAY(align(&u, 3, 1, 0, NULL, &mem, &al, &err))) {
    MW_CHECK(al.m == 3 && al.n_cluster == 2 && u.closing == 1);
    MW_NEAR(largest_difference(&u, &al, N, 0), 0.0, TURNED);
    for (int g = 0; g < N; g++) {
      double x[2][DIM], y[2][DIM];
      for (int c = 0; c < 2; c++) {
        column(&u, &al, g, c, x[c]);
        column(&u, &al, g + 1, c, y[c]);
      }
      // xᵀy is a rotation times the cosine factors of the tilt, symmetric
      double turn = atan2(mw_dot(DIM, x[0], y[1]) - mw_dot(DIM, x[1], y[0]),
                          mw_dot(DIM, x[0], y[0]) + mw_dot(DIM, x[1], y[1]));
      MW_NEAR(fabs(turn), fabs(total) / N, TURNED);
    }
  }
  mw_arena_free(&mem);
  family_free(&u);
}

static void a_plane_around_a_sphere_is_turned_back_evenly_by_the_solid_angle(void)
{
  check_plane(0.3, solid_angle(24, 0.3));
  check_plane(0.9, solid_angle(24, 0.9));
  check_plane(1.3, 2.0 * pi() - solid_angle(24, 1.3));  // the shorter way
}

// Where the plane comes back upside down both ways are as long.
static void a_half_turn_is_turned_back_either_way(void)
{
  double lo = 0.9, hi = 1.2;
  for (int i = 0; i < 60; i++) {
    double mid = 0.5 * (lo + hi);
    if (solid_angle(24, mid) < pi())
      lo = mid;
    else
      hi = mid;
  }
  check_plane(lo, pi());
}

// Circles of several colatitudes, through that of the half turn, where the shorter way changes
// sides: frames stay smooth over the lines. Either axis first.
static void lines_of_a_cyclic_axis_are_turned_back_alike(void)
{
  enum { N = 32, LINES = 13 };
  for (int first = 0; first < 2; first++) {
    mw_error err;
    mw_arena mem = { 0 };
    mw_align al = { 0 };
    family u = { 0 };
    if (!family_init(&u, 2, first ? (int[]){ N + 1, LINES } : (int[]){ LINES, N + 1 }, 3)) return;
    for (int g = 0; g < u.n_point; g++) {
      int t = first ? g / LINES : g % (N + 1), line = first ? g % LINES : g / (N + 1);
      tangent_plane(&u, g, 0.8 + 0.04 * line, 2.0 * pi() * t / N);
    }
    if (MW_OKAY(align(&u, 3, first ? 1 : 2, 0, NULL, &mem, &al, &err))) {
      MW_CHECK(u.closing == LINES);
      int step = first ? LINES : 1;
      for (int line = 0; line < LINES; line++) {
        int g = first ? line : line * (N + 1);
        MW_NEAR(largest_difference(&u, &al, g + N * step, g), 0.0, TURNED);
      }
      // an edge moves the plane by its arc, at most 2π sin(1.28)/N, and turns it by at most (2π +
      // π)/N within itself; along the other axis by 0.04 and by the change of the solid angle, 2π
      // sin(a) 0.04, all below 0.5: 1 − cos 0.5
      MW_CHECK(al.largest_jump < 1.0 - cos(0.5));
    }
    mw_arena_free(&mem);
    family_free(&u);
  }
}

// ---- signs --------------------------------------------------------------------------------------

static void a_mode_that_changes_its_sign_around_the_turn_is_an_error(void)
{
  enum { N = 64 };
  mw_error err;
  mw_arena mem = { 0 };
  mw_align al = { .m = -1 };
  family u = { 0 };
  if (!family_init(&u, 1, (int[]){ N + 1 }, 3)) return;
  // eigenvectors of [cos θ, sin θ; sin θ, −cos θ], far apart in λ, and a third one
  for (int g = 0; g <= N; g++) {
    double phi = pi() * g / N;
    mode(&u, g, 0)[2] = 1.0;
    mode(&u, g, 1)[0] = mode(&u, g, 2)[1] = cos(phi);
    mode(&u, g, 1)[1] = sin(phi);
    mode(&u, g, 2)[0] = -sin(phi);
    for (int i = 0; i < 3; i++) u.lambda[g * 3 + i] = pow(10.0, i);
  }
  MW_FAILS(align(&u, 2, 1, 0, NULL, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "mode 2 changes its sign") && strstr(err.msg, "coordinate 1"));
  MW_CHECK(al.m == -1);
  MW_OKAY(align(&u, 2, 0, 0, NULL, &mem, &al, &err));  // not declared, it may
  // a double mode, one of whose two changes its sign, in any basis
  for (int g = 0; g <= N; g++) {
    double x = sin(0.9 * g * g), y = sqrt(1.0 - x * x);
    u.lambda[g * 3 + 1] = 1.0;
    for (int l = 0; l < 3; l++) {
      double a = mode(&u, g, 0)[l], b = mode(&u, g, 1)[l];
      mode(&u, g, 0)[l] = y * a + x * b;
      mode(&u, g, 1)[l] = y * b - x * a;
    }
  }
  MW_FAILS(align(&u, 2, 1, 0, NULL, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "mode 1 with those it veers with") != NULL);
  mw_arena_free(&mem);
  family_free(&u);
}

// ---- matrices -----------------------------------------------------------------------------------

// A(θ, x) = D + cos θ E + sin θ O + x F: six eigenvalues between 5 and 20, of which two veer (E_12)
// and two cross. Mirror S = diag(1, 1, 1, −1, −1, 1): S A(θ) S = A(−θ), O couples rows of different
// signs alone, the others rows of the same. around: the turn leads around a point where modes 2 and
// 3, of opposite parity, have one eigenvalue.
static void matrix_of(double theta, double x, bool around, double A[DIM * DIM])
{
  static const double D[DIM] = { 5.0, 6.0, 9.0, 10.0, 14.0, 20.0 };
  memset(A, 0, DIM * DIM * sizeof *A);
  for (int i = 0; i < DIM; i++) A[i * DIM + i] = D[i];
  double c = cos(theta), s = sin(theta);
  A[0] += 1.2 * c;
  A[DIM + 1] += 0.3 * x;
  A[1] = A[DIM] = 0.15 * (1.0 + 0.5 * cos(2.0 * theta));  // veering of 0 and 1
  A[3] = A[3 * DIM] = 0.4 * s;                            // 0 and 3
  A[DIM + 4] = A[4 * DIM + 1] = 0.5 * sin(2.0 * theta) + 0.2 * s * x;
  if (around) A[3 * DIM + 3] += 1.5 * (c - 1.0);
  A[2 * DIM + 3] = A[3 * DIM + 2] = 0.6 * s;  // 2 and 3, around: veer at cos θ = 1/3
  A[3 * DIM + 4] = A[4 * DIM + 3] = 0.3 * c * x;
  A[2 * DIM + 5] = A[5 * DIM + 2] = 0.4 + 0.2 * c;
}

static const double MIRROR[DIM] = { 1, 1, 1, -1, -1, 1 };

// The k lowest modes of A at all points; theta(index along axis 0), x of axis 1.
static void modes_of(family *u, const mw_axis *axis, bool around)
{
  for (int g = 0; g < u->n_point; g++) {
    double A[DIM * DIM], w[DIM], V[DIM * DIM];
    mw_error err = { 0 };
    int n1 = u->s > 1 ? u->n_grid[1] : 1;
    double theta = mw_axis_theta(&axis[0], g / n1);
    matrix_of(theta, u->s > 1 ? mw_axis_theta(&axis[1], g % n1) : 0.3, around, A);
    MW_OKAY(mw_eig_sym(DIM, A, w, V, &err));
    for (int i = 0; i < u->k; i++) {
      u->lambda[g * u->k + i] = w[i];
      for (int l = 0; l < DIM; l++)
        mode(u, g, i)[l] = ((g * 5 + i * 3) % 7 < 3 ? -1.0 : 1.0) * V[l * DIM + i];
    }
  }
}

// Largest error of the n lowest eigenvalues of the interpolated Qᵀ Λ Q, along one cyclic axis.
static double interpolated(int n, bool uneven, bool around)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  mw_axis a = { 0 };
  family u = { 0 };
  double worst = 0.0;
  MW_OKAY(mw_axis_uniform(-0.4, 2.0 * pi() - 0.4, true, n, 1, &mem, &a, &err));
  unsigned char split[512] = { 0 };
  int *from;
  for (int k = 0; k < n - 1; k++) split[k] = uneven && k >= n / 4 && k < n / 2;
  MW_OKAY(mw_axis_split(&a, split, &mem, &a, &from, &err));
  if (!family_init(&u, 1, &a.n, 5)) return INFINITY;
  modes_of(&u, &a, around);
  if (!MW_OKAY(align(&u, around ? 4 : 3, 1, 0, &a, &mem, &al, &err))) return INFINITY;
  int m = al.m, k = al.k;
  MW_WITHIN(largest_difference(&u, &al, a.n - 1, 0), 0.0, 1e3 * TURNED,
            "worst of rounding, alike at every step");  // modes to eps over gaps of 0.1
  double *K = mw_arena_f64(&mem, (size_t)(a.n * m * m));
  double *coef = mw_arena_f64(&mem, mw_axis_n_coef(1, &a, m * m)), *w = mw_arena_f64(&mem, DIM);
  if (!MW_CHECK(K && coef && w)) return INFINITY;
  for (int g = 0; g < a.n; g++)
    for (int i = 0; i < m * m; i++)
      for (int l = 0; l < k; l++)
        K[g * m * m + i] +=
            al.Q[(g * k + l) * m + i / m] * u.lambda[g * k + l] * al.Q[(g * k + l) * m + i % m];
  MW_OKAY(mw_axis_fit(1, &a, m * m, K, coef, &err));
  for (int p = 0; p < 400; p++) {
    double theta = a.lo + 2.0 * pi() * (p + 0.5) / 400.0, A[DIM * DIM], V[DIM * DIM], want[DIM];
    double b[4], db[4], X[DIM * DIM] = { 0 };
    int cell;
    mw_rom_basis(a.n_table, a.lo, a.hi, theta, &cell, b, db);
    for (int j = 0; j < 4; j++) mw_axpy(m * m, b[j], coef + (cell + j) * m * m, X);
    matrix_of(theta, 0.3, around, A);
    MW_OKAY(mw_eig_sym(DIM, A, want, V, &err));
    MW_OKAY(mw_eig_sym(m, X, w, V, &err));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(w[i] / want[i] - 1.0));
  }
  mw_arena_free(&mem);
  family_free(&u);
  return worst;
}

static void modes_around_a_turn_are_interpolated_to_fourth_order(void)
{
  for (int kind = 0; kind < 4; kind++) {
    bool uneven = kind % 2, around = kind / 2;
    double coarse = interpolated(65, uneven, around), fine = interpolated(129, uneven, around);
    MW_CHECK(coarse < 1e-2);
    MW_CHECK(log2(coarse / fine) > 3.5);
  }
}

// ---- mirror images ------------------------------------------------------------------------------

// Largest departure of Ψ(ḡ) from S Ψ(g) diag(σ), σ from the middle; axis 0 mirrored.
static double asymmetry(const family *u, const mw_align *al)
{
  int n0 = u->n_grid[0], rest = u->n_point / n0;
  double worst = 0.0;
  for (int c = 0; c < al->m; c++) {
    double sigma = 0.0, x[DIM], y[DIM];
    column(u, al, n0 / 2 * rest, c, x);
    for (int l = 0; l < DIM; l++) sigma += MIRROR[l] * x[l] * x[l];
    sigma = sigma > 0.0 ? 1.0 : -1.0;
    for (int g = 0; g < u->n_point; g++) {
      column(u, al, g, c, x);
      column(u, al, (n0 - 1 - g / rest) * rest + g % rest, c, y);
      for (int l = 0; l < DIM; l++) worst = fmax(worst, fabs(y[l] - sigma * MIRROR[l] * x[l]));
    }
  }
  return worst;
}

// Modes to eps over the smallest gap, 0.05, carried over 50 points
static const double CARRIED = 50 * 20 * 20 * DBL_EPSILON;

static void aligned_modes_of_a_symmetric_axis_are_mirror_images(void)
{
  for (int cyclic = 0; cyclic < 2; cyclic++)
    for (int s = 1; s <= 2; s++) {
      mw_error err = { 0 };
      mw_arena mem = { 0 };
      mw_align al = { 0 };
      mw_axis a[2] = { { 0 } };
      family u = { 0 };
      double most = cyclic ? pi() : 2.0;
      MW_OKAY(mw_axis_uniform(-most, most, cyclic, 49, 1, &mem, &a[0], &err));
      MW_OKAY(mw_axis_uniform(-1.0, 1.0, false, 7, 1, &mem, &a[1], &err));
      if (!family_init(&u, s, (int[]){ 49, 7 }, 5)) return;
      modes_of(&u, a, !cyclic);
      if (MW_OKAY(align(&u, cyclic ? 3 : 4, (unsigned)cyclic, 1, a, &mem, &al, &err))) {
        MW_CHECK(al.n_cluster < al.m);  // some of them are turned together
        MW_WITHIN(asymmetry(&u, &al), 0.0, CARRIED, "worst of roundings carried along the axis");
        if (cyclic)
          MW_WITHIN(largest_difference(&u, &al, 48 * (u.n_point / 49), 0), 0.0, CARRIED,
                    "worst of rounding, alike at every step");
      }
      // carried from the first point on they are not: modes of opposite parity were mixed on the
      // way
      mw_align other = { 0 };
      if (!cyclic && MW_OKAY(align(&u, 4, 0, 0, NULL, &mem, &other, &err)))
        MW_CHECK(asymmetry(&u, &other) > 1e3 * CARRIED);
      mw_arena_free(&mem);
      family_free(&u);
    }
}

// Modes 2 and 3 come back upside down: one alone cannot be smooth, both can, as mirror images, too.
static void a_turn_around_a_double_eigenvalue_needs_both_modes(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  mw_axis a = { 0 };
  family u = { 0 };
  MW_OKAY(mw_axis_uniform(-pi(), pi(), true, 49, 1, &mem, &a, &err));
  if (!family_init(&u, 1, &a.n, 5)) return;
  modes_of(&u, &a, true);
  MW_FAILS(align(&u, 3, 1, 0, &a, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_OKAY(align(&u, 4, 1, 1, &a, &mem, &al, &err));
  MW_WITHIN(asymmetry(&u, &al), 0.0, CARRIED, "worst of rounding, alike at every step");
  MW_WITHIN(largest_difference(&u, &al, 48, 0), 0.0, CARRIED,
            "worst of rounding, alike at every step");
  mw_arena_free(&mem);
  family_free(&u);
}

// Two modes of one eigenvalue and one parity, cos θ/2 e_0 + sin θ/2 e_3 and the same of e_1 and
// e_4: both change their sign. They can be turned into each other over the turn, but mirrored the
// turn would be the other way round.
static void a_half_turn_of_one_parity_cannot_be_mirrored(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_align al = { 0 };
  family u = { 0 };
  if (!family_init(&u, 1, (int[]){ 33 }, 3)) return;
  for (int g = 0; g < 33; g++) {
    double half = pi() * (g - 16) / 32.0, any = sin(1.3 * g * g);
    for (int i = 0; i < 2; i++)
      for (int l = 0; l < 2; l++) {
        double q = i == l ? cos(any) : i ? sin(any) : -sin(any);
        mode(&u, g, i)[l] = q * cos(half);
        mode(&u, g, i)[3 + l] = q * sin(half);
      }
    mode(&u, g, 2)[5] = 1.0;
    u.lambda[3 * g] = u.lambda[3 * g + 1] = 1.0;
    u.lambda[3 * g + 2] = 5.0;
  }
  MW_FAILS(align(&u, 3, 1, 1, NULL, &mem, &al, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "cyclic and symmetric at once") != NULL);
  MW_OKAY(align(&u, 3, 1, 0, NULL, &mem, &al, &err));
  MW_NEAR(largest_difference(&u, &al, 32, 0), 0.0, TURNED);
  mw_arena_free(&mem);
  family_free(&u);
}

static void grids_that_are_not_symmetric_are_refused(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_align al = { .m = -1 };
  mw_axis a = { 0 };
  family u = { 0 };
  MW_OKAY(mw_axis_uniform(-1.0, 1.0, false, 8, 1, &mem, &a, &err));
  if (!family_init(&u, 1, (int[]){ 9 }, 5)) return;
  u.n_grid[0] = u.n_point = 8;
  MW_FAILS(align(&u, 3, 0, 1, &a, &mem, &al, &err), MW_ERR_INPUT);
  int *from;
  MW_OKAY(mw_axis_split(&a, (unsigned char[]){ 0, 0, 1, 0, 0, 0, 0 }, &mem, &a, &from, &err));
  u.n_grid[0] = u.n_point = 9;
  MW_FAILS(align(&u, 3, 0, 1, &a, &mem, &al, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "do not mirror each other") && al.m == -1);
  u.s = MW_ALIGN_MAX_S + 1;
  MW_FAILS(align(&u, 3, 0, 0, NULL, &mem, &al, &err), MW_ERR_INPUT);
  mw_arena_free(&mem);
  family_free(&u);
}

// ---- many coordinates ---------------------------------------------------------------------------

// A constant basis with a double mode, signs and turns anyhow, on grids of one to six coordinates
// with cyclic and symmetric ones.
static void constant_modes_are_found_again_in_six_coordinates(void)
{
  static const int n[MW_ALIGN_MAX_S] = { 3, 5, 4, 3, 3, 3 };
  for (int s = 1; s <= MW_ALIGN_MAX_S; s++) {
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    mw_align al = { 0 };
    family u = { 0 };
    if (!family_init(&u, s, n, 3)) return;
    for (int g = 0; g < u.n_point; g++) {
      double phi = 1.7 * sin(3.1 * g * g), sign = g % 3 ? 1.0 : -1.0;
      mode(&u, g, 0)[0] = cos(phi);
      mode(&u, g, 0)[1] = sin(phi);
      mode(&u, g, 1)[0] = -sign * sin(phi);
      mode(&u, g, 1)[1] = sign * cos(phi);
      mode(&u, g, 2)[2] = sign;
      u.lambda[g * 3] = u.lambda[g * 3 + 1] = 1.0;
      u.lambda[g * 3 + 2] = 5.0;
    }
    if (MW_OKAY(align(&u, 3, 0x2c, 0x32, NULL, &mem, &al, &err))) {
      MW_CHECK(al.m == 3 && al.n_cluster == 2);
      double most = 0.0;
      for (int g = 1; g < u.n_point; g++) most = fmax(most, largest_difference(&u, &al, g, 0));
      // at most 20 steps along the comb, six axes turned back
      MW_WITHIN(most, 0.0, 20 * 30 * DBL_EPSILON + 6 * TURNED,
                "worst of rounding, alike at every step");
      MW_WITHIN(al.largest_jump, 0.0, 20 * 30 * DBL_EPSILON + 6 * TURNED,
                "worst of rounding, alike at every step");
    }
    mw_arena_free(&mem);
    family_free(&u);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_plane_around_a_sphere_is_turned_back_evenly_by_the_solid_angle",
      a_plane_around_a_sphere_is_turned_back_evenly_by_the_solid_angle },
    { "a_half_turn_is_turned_back_either_way", a_half_turn_is_turned_back_either_way },
    { "lines_of_a_cyclic_axis_are_turned_back_alike",
      lines_of_a_cyclic_axis_are_turned_back_alike },
    { "a_mode_that_changes_its_sign_around_the_turn_is_an_error",
      a_mode_that_changes_its_sign_around_the_turn_is_an_error },
    { "modes_around_a_turn_are_interpolated_to_fourth_order",
      modes_around_a_turn_are_interpolated_to_fourth_order },
    { "aligned_modes_of_a_symmetric_axis_are_mirror_images",
      aligned_modes_of_a_symmetric_axis_are_mirror_images },
    { "a_turn_around_a_double_eigenvalue_needs_both_modes",
      a_turn_around_a_double_eigenvalue_needs_both_modes },
    { "a_half_turn_of_one_parity_cannot_be_mirrored",
      a_half_turn_of_one_parity_cannot_be_mirrored },
    { "grids_that_are_not_symmetric_are_refused", grids_that_are_not_symmetric_are_refused },
    { "constant_modes_are_found_again_in_six_coordinates",
      constant_modes_are_found_again_in_six_coordinates },
  };
  return mw_test_run("align around", cases, (int)(sizeof cases / sizeof *cases));
}
