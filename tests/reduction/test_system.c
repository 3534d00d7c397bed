// SPDX-License-Identifier: BSD-3-Clause
// test_system.c: the block solver against dense saddle-point systems; modes against closed forms;
// inertia counts.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

typedef struct at_theta {
  double *p, *s;
  unsigned char *locked;
  mw_arena mem;
} at_theta;

static void go_to(const mw_fixture *f, double x, double phi, at_theta *q)
{
  mw_error err = { 0 };
  *q = (at_theta){ 0 };
  size_t nb = (size_t)f->mech.n_body, nc = (size_t)f->mech.n_coord;
  q->p = mw_arena_f64(&q->mem, 12 * nb);
  q->s = mw_arena_f64(&q->mem, nc);
  q->locked = mw_arena_alloc(&q->mem, nc, 1);
  memcpy(q->p, f->mech.p0, 12 * nb * sizeof(double));
  memcpy(q->s, f->mech.s0, nc * sizeof(double));
  int cx = mw_mech_coord(&f->mech, "x"), cp = mw_mech_coord(&f->mech, "phi");
  double *to = mw_arena_f64(&q->mem, nc);
  to[cx] = x;
  to[cp] = phi;
  q->locked[cx] = q->locked[cp] = 1;
  MW_OKAY(mw_mech_rigid_solve(&f->mech, q->locked, to, q->p, q->s, &err));
}

// Columns of the dense operator of `mul`.
static double *dense_of(const mw_system *sys, int n,
                        void (*mul)(const mw_system *, const double *, double *))
{
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), *e = calloc((size_t)n, sizeof *e);
  for (int j = 0; j < n; j++) {
    memset(e, 0, (size_t)n * sizeof *e);
    e[j] = 1.0;
    mul(sys, e, A + (size_t)j * (size_t)n);
  }
  free(e);
  return A;
}

// Independent route: joint rows over all unknowns by differencing displacements through the joints'
// own functionals. Rows are evaluated with unit unknowns: Z P e for elastic, J (v, ω) for rigid
// bodies. Only rigid rows are constraints; elastic rows are in K already. Returns the number of
// rows.
static int constraint_rows(const mw_fixture *f, const at_theta *q, const mw_blocks *bl, int n,
                           double *C)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_joint_eval e = mw_joint_eval_init(&f->mech, &mem);
  int rows = 0;
  for (int ji = 0; ji < f->mech.n_joint; ji++) {
    const mw_joint *j = &f->mech.joint[ji];
    MW_OKAY(mw_joint_eval_at(&f->mech, ji, q->p + 12 * j->a, NULL, q->p + 12 * j->b, NULL,
                             j->coord >= 0 ? q->s[j->coord] : 0.0, &e, &err));
    for (int r = 0; r < j->n_row; r++) {
      if (!isinf(j->k[r])) continue;
      double *row = C + (size_t)rows++ * (size_t)n;
      for (int side = 0; side < 2; side++) {
        int b = side == 0 ? j->a : j->b, o = mw_blocks_offset(bl, b);
        const mw_body *body = &f->mech.body[b];
        const double *J = (side == 0 ? e.Ja : e.Jb) + 12 * r,
                     *Z = (side == 0 ? e.Za : e.Zb) + body->n_z * r;
        if (body->n_u > 0) {
          mw_csc_mul_t(&body->P, 1.0, Z, 1.0, row + o);
        } else if (!body->ground) {
          const double w[6] = { J[0], J[1], J[2], J[10] - J[8], J[5] - J[9], J[6] - J[4] };
          for (int i = 0; i < 6; i++) row[o + i] += w[i];
        }
      }
    }
  }
  mw_arena_free(&mem);
  return rows;
}

static void solve_equals_dense_saddle_point_system(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_machine(NULL, &f))) return;
  at_theta q;
  go_to(&f, 0.9, 0.4, &q);
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  MW_OKAY(mw_blocks_build(&f.mech, 0.0, false, &bl, &err));
  MW_OKAY(mw_system_build(bl, q.locked, false, q.p, q.s, &sys, &err));
  int n = mw_blocks_size(bl), n_c = f.mech.n_row;
  double *K = dense_of(sys, n, mw_system_mul_K), *C = calloc((size_t)(n_c * n), sizeof *C);
  n_c = constraint_rows(&f, &q, bl, n, C);
  int N = n + n_c, rank = 0;
  double *A = calloc((size_t)N * (size_t)N, sizeof *A), *b = calloc((size_t)N, sizeof *b);
  double *x = calloc((size_t)N, sizeof *x), *y = calloc((size_t)n, sizeof *y);
  double scale =
      1e8;  // rows of C brought to the size of K, so that the dense solver's rank decision is sharp
  for (int i = 0; i < n; i++) {
    memcpy(A + (size_t)i * (size_t)N, K + (size_t)i * (size_t)n, (size_t)n * sizeof *A);
    for (int c = 0; c < n_c; c++) A[i * N + n + c] = A[(n + c) * N + i] = scale * C[c * n + i];
    b[i] = sin(1.0 + 3.0 * i);
  }
  MW_OKAY(mw_system_solve(sys, b, y, &err));
  MW_OKAY(mw_lstsq(N, N, A, b, 1e-15, x, &rank, &err));
  double big = 0.0;
  for (int i = 0; i < n; i++) big = fmax(big, fabs(x[i]));
  // both solve with K of condition 1e7 (beam elements of 7 cm): eps × 1e7 × a few
  for (int i = 0; i < n; i++)
    MW_WITHIN(y[i], x[i], 1e-7 * big, "worst of a solve, by the condition");
  free(K);
  free(C);
  free(A);
  free(b);
  free(x);
  free(y);
  mw_system_free(sys);
  mw_blocks_free(bl);
  mw_arena_free(&q.mem);
  mw_fixture_free(&f);
}

typedef void (*product)(const mw_system *sys, const double *x, double *y);
typedef mw_code (*products)(const mw_system *sys, int k, const double *X, double *Y, mw_error *err);

// A product of BᵀwB, w >= 0, by rows or by many vectors at once differs by the rounding of n +
// n_row sums, of terms that |BᵀwB|_ij <= √(A_ii A_jj) bounds.
static void compare_products(const mw_system *sys, int n, int n_row, product one, products many)
{
  enum { COUNT = 5 };
  mw_error err = { 0 };
  size_t N = (size_t)n;
  double *A = dense_of(sys, n, one), *X = calloc(COUNT * N, sizeof *X),
         *Y = calloc(COUNT * N, sizeof *Y), *y = calloc(N, sizeof *y);
  for (int i = 0; i < COUNT * n; i++) X[i] = sin(1.0 + 0.7 * i);
  MW_OKAY(many(sys, COUNT, X, Y, &err));
  for (size_t k = 0; k < COUNT; k++) {
    double size = 0.0;
    for (size_t j = 0; j < N; j++) size += sqrt(A[j * N + j]) * fabs(X[k * N + j]);
    one(sys, X + k * N, y);
    for (size_t i = 0; i < N; i++)
      MW_WITHIN(Y[k * N + i], y[i], (n + n_row) * DBL_EPSILON * sqrt(A[i * N + i]) * size,
                "worst of sums in another order, of as many terms as there are unknowns");
  }
  free(A);
  free(X);
  free(Y);
  free(y);
}

static void products_of_many_vectors_are_those_of_each(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_machine(NULL, &f))) return;
  at_theta q;
  go_to(&f, 0.9, 0.4, &q);
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  MW_OKAY(mw_blocks_build(&f.mech, 0.0, false, &bl, &err));
  MW_OKAY(mw_system_build(bl, q.locked, false, q.p, q.s, &sys, &err));
  int n = mw_blocks_size(bl);
  compare_products(sys, n, f.mech.n_row, mw_system_mul_K, mw_system_mul_K_many);
  compare_products(sys, n, f.mech.n_row, mw_system_mul_C, mw_system_mul_C_many);
  mw_system_free(sys);
  mw_blocks_free(bl);
  mw_arena_free(&q.mem);
  mw_fixture_free(&f);
}

static void inertia_count_finds_every_mode_below_a_shift(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_machine(NULL, &f))) return;
  at_theta q;
  go_to(&f, 0.9, 0.4, &q);
  enum { K = 12 };
  mw_blocks *bl = NULL, *at = NULL;
  mw_system *sys = NULL, *count_sys = NULL;
  MW_OKAY(mw_blocks_build(&f.mech, 0.0, false, &bl, &err));
  MW_OKAY(mw_system_build(bl, q.locked, false, q.p, q.s, &sys, &err));
  int n = mw_blocks_size(bl);
  double lambda[K], *X = calloc((size_t)(K * n), sizeof *X), *MX = calloc((size_t)n, sizeof *MX);
  MW_OKAY(mw_system_modes(sys, K, lambda, X, &err));
  for (int k = 0; k + 1 < K; k += 2) {
    double sigma = sqrt(lambda[k] * lambda[k + 1]);
    int count = -1;
    MW_OKAY(mw_blocks_build(&f.mech, sigma, true, &at, &err));
    MW_OKAY(mw_system_build(at, q.locked, false, q.p, q.s, &count_sys, &err));
    MW_OKAY(mw_system_count_below(count_sys, &count, &err));
    MW_CHECK(count == k + 1);
    mw_system_free(count_sys);
    mw_blocks_free(at);
  }
  // M-orthonormal to the iteration's tolerance of 1e-13, times ten for sums over the basis
  for (int i = 0; i < K; i++) {
    mw_system_mul_M(sys, X + i * n, MX);
    for (int j = 0; j < K; j++) MW_NEAR(mw_dot(n, X + j * n, MX), i == j ? 1.0 : 0.0, 1e-12);
  }
  free(X);
  free(MX);
  mw_system_free(sys);
  mw_blocks_free(bl);
  mw_arena_free(&q.mem);
  mw_fixture_free(&f);
}

// First six frequencies (lambda = (omega)^(1/2)) of the beam with a point mass from
// tests/references.
static bool table_row(const char *file, double xi, double lambda[6])
{
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, file);
  FILE *fp = fopen(path, "r");
  bool found = false;
  while (fp && !found && fgets(line, sizeof line, fp)) {
    double v[7];
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
               &v[6]) != 7)
      continue;
    found = fabs(v[0] - xi) < 1e-9;
    if (found) memcpy(lambda, v + 1, 6 * sizeof *lambda);
  }
  if (fp) fclose(fp);
  return found;
}

static double pointmass_error(const char *kind, const char *file, double mu, double xi, int n_elem)
{
  mw_fixture f;
  mw_error err = { 0 };
  double lambda[6], *hz = NULL, worst = 0.0, theta[1] = { xi };
  if (!MW_CHECK(table_row(file, xi, lambda)) ||
      !MW_CHECK(mw_fixture_beam(kind, n_elem, mu, 1.0, 9, 6, NULL, &f)))
    return NAN;
  mw_arena mem = { 0 };
  MW_OKAY(mw_direct_modes(&f.mech, theta, 6, false, &mem, &hz, NULL, NULL, &err));
  for (int k = 0; hz && k < 6; k++)
    worst = fmax(worst, fabs(2.0 * acos(-1.0) * hz[k] / (lambda[k] * lambda[k]) - 1.0));
  mw_arena_free(&mem);
  mw_fixture_free(&f);
  return worst;
}

static void beam_with_point_mass_has_the_published_frequencies(void)
{
  static const struct {
    const char *kind, *file;
    double mu, xi;
  } t[] = { { "SS", "R07_beam_pointmass_SS_mu0.5.csv", 0.5, 0.35 },
            { "CF", "R07_beam_pointmass_CF_mu2.csv", 2.0, 0.85 },
            { "SS", "R07_beam_pointmass_SS_mu0.5.csv", 0.5, 0.05 },
            { "CF", "R07_beam_pointmass_CF_mu0.5.csv", 0.5, 1.0 } };
  for (int i = 0; i < 4; i++) {
    double e40 = pointmass_error(t[i].kind, t[i].file, t[i].mu, t[i].xi, 40);
    double e80 = pointmass_error(t[i].kind, t[i].file, t[i].mu, t[i].xi, 80);
    // Hermite elements: (lambda_6 / n)^4 / 1440 = 4e-5 at 40 elements; the guide's cubic
    // interpolation adds the same order
    MW_NEAR(e40, 0.0, 1e-3);
    MW_NEAR(e80, 0.0, 1e-4);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "solve_equals_dense_saddle_point_system", solve_equals_dense_saddle_point_system },
    { "products_of_many_vectors_are_those_of_each", products_of_many_vectors_are_those_of_each },
    { "inertia_count_finds_every_mode_below_a_shift",
      inertia_count_finds_every_mode_below_a_shift },
    { "beam_with_point_mass_has_the_published_frequencies",
      beam_with_point_mass_has_the_published_frequencies },
  };
  return mw_test_run("system", cases, (int)(sizeof cases / sizeof *cases));
}
