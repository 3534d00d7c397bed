// SPDX-License-Identifier: BSD-3-Clause
// test_eigen.c: modes and patterns by modeway-eigen on 1, 2 and 4 processes against LAPACK on the
// dense matrices and CHOLMOD.
//
// Bounds. A solve with A = K − σM is exact for A + E, |E| <= c ε |A|, c some n at worst (Higham
// 2002, ch. 11), and so are LAPACK's eigenvalues for K + E: both are off by at most n ε λ_max,
// λ_max the largest eigenvalue of (K, M). Relative to a pattern of M-norm one that is n ε λ_max /
// |λ − σ|, with the smallest distance of a pattern's content.
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/dense.h"
#include "fem/eigen.h"
#include "fem/factor.h"
#include "fem/mpi.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "mw_test.h"

static const char *MESH = "/tmp/modeway_test_eigen.msh";
enum { RANKS = 3 };
static const int ranks[RANKS] = { 1, 2, 4 };

typedef struct problem {
  mw_csc K, M;
  int n;
  double *lambda;  // [n]  ascending, by LAPACK
  double top;      // largest of them
  mw_arena mem;
} problem;

static mw_eigen_opt options(int n)
{
  return (mw_eigen_opt){ .ranks = n, .mpirun = "mpirun --oversubscribe", .quiet = true };
}

static bool by_lapack(problem *p)
{
  size_t nn = (size_t)p->n * (size_t)p->n;
  mw_error err;
  double *K = mw_arena_f64(&p->mem, nn), *M = mw_arena_f64(&p->mem, nn);
  double *V = mw_arena_f64(&p->mem, nn);
  p->lambda = mw_arena_f64(&p->mem, (size_t)p->n);
  if (!MW_OKAY(mw_arena_check(&p->mem, &err))) return false;
  fixture_dense(&p->K, K);
  fixture_dense(&p->M, M);
  bool okay = MW_OKAY(mw_eig_gen(p->n, K, M, p->lambda, V, &err));
  p->top = p->lambda[p->n - 1];
  return okay;
}

static bool build(fixture_body *f, problem *p)
{
  mw_body body;
  mw_error err;
  *p = (problem){ 0 };
  f->body.mesh = MESH;
  if (!MW_OKAY(mw_body_build(&f->model, 0, &p->mem, &body, &err))) return false;
  p->K = body.K;
  p->M = body.M;
  p->n = body.n_u;
  return by_lapack(p);
}

// Steel bar of quadratic tetrahedra, clamped at x = 0.
static bool clamped_bar(problem *p)
{
  fixture_body f;
  fixture_init(&f);
  f.body.ground = true;
  fixture_support(&f, "x0");
  return MW_CHECK(fixture_box(MESH, (int[3]){ 5, 1, 1 }, (double[3]){ 0 },
                              (double[3]){ 0.5, 0.04, 0.06 }, NULL) == 0) &&
         build(&f, p);
}

// Free square bar of hexahedra: six equal modes at zero, then bending modes in pairs.
static bool square_bar(problem *p)
{
  fixture_grid_box box = {
    .kind = MW_ELEM_HEX8, .n = { 10, 2, 2 }, .x0 = { 0 }, .l = { 1.0, 0.1, 0.1 }
  };
  fixture_body f;
  fixture_init(&f);
  return MW_CHECK(fixture_grid(MESH, 1, &box) == 0) && build(&f, p);
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Seven-point Laplacian of a cube of m³ points, M = 1: eigenvalues 6 − 2 Σ_d cos(i_d π/(m + 1)),
// most of them triple.
static bool cube(int m, problem *p)
{
  const double pi = acos(-1.0);
  int n = m * m * m, step[3] = { 1, m, m * m };
  mw_triplets K = { 0 }, M = { 0 };
  mw_error err;
  *p = (problem){ .n = n };
  p->lambda = mw_arena_f64(&p->mem, (size_t)n);
  for (int e = 0; p->lambda && e < n; e++) {
    mw_triplets_add(&K, e, e, 6.0);
    mw_triplets_add(&M, e, e, 1.0);
    p->lambda[e] = 6.0;
    for (int d = 0; d < 3; d++) {
      int i = e / step[d] % m;
      if (i + 1 < m) mw_triplets_add(&K, e + step[d], e, -1.0);
      p->lambda[e] -= 2.0 * cos((i + 1) * pi / (m + 1));
    }
  }
  bool okay = MW_CHECK(p->lambda != NULL) &&
              MW_OKAY(mw_csc_build(&K, n, n, true, &p->mem, &p->K, &err)) &&
              MW_OKAY(mw_csc_build(&M, n, n, true, &p->mem, &p->M, &err));
  mw_triplets_free(&K);
  mw_triplets_free(&M);
  if (!okay) return false;
  qsort(p->lambda, (size_t)n, sizeof *p->lambda, ascending);
  p->top = p->lambda[n - 1];
  return true;
}

typedef struct solved {
  double *lambda, *X, *Y;
  mw_eigen_result r;
} solved;

static bool solve(problem *p, double sigma, int n_modes, int k, const double *B, int n_ranks,
                  solved *s)
{
  mw_error err;
  mw_eigen_job job = { .K = &p->K, .M = &p->M, .sigma = sigma, .n_modes = n_modes, .k = k, .B = B };
  mw_eigen_opt opt = options(n_ranks);
  s->lambda = mw_arena_f64(&p->mem, (size_t)n_modes);
  s->X = mw_arena_f64(&p->mem, (size_t)n_modes * (size_t)p->n);
  s->Y = mw_arena_f64(&p->mem, (size_t)k * (size_t)p->n);
  s->r = (mw_eigen_result){ .lambda = s->lambda, .X = s->X, .Y = s->Y };
  return MW_OKAY(mw_arena_check(&p->mem, &err)) && MW_OKAY(mw_eigen_run(&job, &opt, &s->r, &err));
}

// The n_modes eigenvalues from the first-th on, M-orthonormal vectors, residuals by CHOLMOD or
// MUMPS in this process.
static void check_modes(problem *p, double sigma, int first, int n_modes, const solved *s)
{
  size_t n = (size_t)p->n;
  mw_csc A = { 0 };
  mw_error err;
  mw_factor *f = NULL;
  double *MX = mw_arena_f64(&p->mem, n * (size_t)n_modes), *R = mw_arena_f64(&p->mem, n);
  double off = 0.0, worst = 0.0, near = INFINITY;
  double tol = p->n * DBL_EPSILON * p->top;
  if (!MW_OKAY(mw_csc_add(1.0, &p->K, -sigma, &p->M, &p->mem, &A, &err))) return;
  if (!MW_OKAY(mw_factor_build(&A, false, &f, &err))) return;
  for (int i = 0; i < n_modes; i++) {
    double *Mx = MX + (size_t)i * n, nu = 1.0 / (s->lambda[i] - sigma);
    MW_NEAR(s->lambda[i], p->lambda[first + i], tol);
    mw_csc_mul(&p->M, 1.0, s->X + (size_t)i * n, 0.0, Mx);
    MW_OKAY(mw_factor_solve(f, 1, Mx, R, &err));
    mw_axpy(p->n, -nu, s->X + (size_t)i * n, R);
    worst = fmax(
        worst, sqrt(mw_dot(p->n, R, R) / mw_dot(p->n, s->X + (size_t)i * n, s->X + (size_t)i * n)) /
                   fabs(nu));
    near = fmin(near, fabs(s->lambda[i] - sigma));
    for (int j = 0; j <= i; j++)
      off = fmax(off, fabs(mw_dot(p->n, s->X + (size_t)j * n, Mx) - (i == j)));
  }
  // M-orthonormal: PARPACK reorthogonalises to rounding, modes of later runs are projected and
  // normalised; sums of n terms. |x|ᵀM|x| is at most 27 xᵀMx: the mass of a linear hexahedron has
  // eigenvalues of 1/8 to 27/8 times its diagonal.
  MW_NEAR(off, 0.0, mw_test_rounding(p->n, 27.0));
  // the solves of both programs, see above, and PARPACK's own 1e-13
  MW_WITHIN(worst, 0.0, 2.0 * tol / near + 1e-12, "worst backward error of two programs");
  MW_NEAR(s->r.residual, 0.0, tol / near + 1e-12);
  mw_factor_free(f);
}

// Simple modes of two runs, with their signs: |x' − x|_M <= error of the eigenvalues over the gap
// to the next one.
static void check_same(problem *p, int n_modes, const solved *s, const solved *t)
{
  size_t n = (size_t)p->n;
  double *d = mw_arena_f64(&p->mem, n), *Md = mw_arena_f64(&p->mem, n);
  double tol = 2.0 * p->n * DBL_EPSILON * p->top;
  for (int i = 0; d && Md && i < n_modes; i++) {
    double gap = p->lambda[i + 1] - p->lambda[i];
    if (i > 0) gap = fmin(gap, p->lambda[i] - p->lambda[i - 1]);
    memcpy(d, s->X + (size_t)i * n, n * sizeof *d);
    mw_axpy(p->n, -1.0, t->X + (size_t)i * n, d);
    mw_csc_mul(&p->M, 1.0, d, 0.0, Md);
    MW_WITHIN(sqrt(mw_dot(p->n, d, Md)), 0.0, tol / gap, "worst backward error, any order");
    MW_WITHIN(s->lambda[i], t->lambda[i], tol, "worst backward error, any order");
  }
}

static void modes_of_a_clamped_bar_are_those_of_lapack_for_any_number_of_ranks(void)
{
  enum { MODES = 12 };
  problem p;
  solved s[RANKS];
  if (clamped_bar(&p))
    for (int r = 0; r < RANKS; r++) {
      if (!solve(&p, 0.0, MODES, 0, NULL, ranks[r], &s[r])) break;
      check_modes(&p, 0.0, 0, MODES, &s[r]);
      MW_CHECK(s[r].r.below == 0);
      if (r > 0) check_same(&p, MODES, &s[r], &s[0]);
    }
  mw_arena_free(&p.mem);
}

// σ² a hundredth of the first elastic eigenvalue away: A well conditioned, zero and the first pair
// equally in reach
static double grounding(const problem *p) { return -0.01 * p->lambda[6]; }

// (K − σM) y = b to the rounding of a backward stable solve; a row of K or M has at most 81
// entries.
static void check_patterns(problem *p, double sigma, int k, const double *B, const solved *s)
{
  size_t n = (size_t)p->n;
  double *R = mw_arena_f64(&p->mem, n), k_max = 0.0;
  for (int e = 0; e < p->K.ptr[p->n]; e++) k_max = fmax(k_max, fabs(p->K.val[e]));
  for (size_t i = 0; R && i < (size_t)k; i++) {
    const double *y = s->Y + i * n;
    double y_max = 0.0, r_max = 0.0;
    mw_csc_mul(&p->K, 1.0, y, 0.0, R);
    mw_csc_mul(&p->M, -sigma, y, 1.0, R);
    mw_axpy(p->n, -1.0, B + i * n, R);
    for (size_t e = 0; e < n; e++) y_max = fmax(y_max, fabs(y[e]));
    for (size_t e = 0; e < n; e++) r_max = fmax(r_max, fabs(R[e]));
    MW_WITHIN(r_max, 0.0, 81.0 * p->n * DBL_EPSILON * k_max * y_max,
              "worst backward error of an elimination");
  }
}

static void a_free_square_bar_has_six_rigid_modes_pairs_and_patterns(void)
{
  enum { MODES = 12, K = 35 };  // K: not a multiple of the block
  problem p;
  solved s;
  if (square_bar(&p)) {
    double tol = p.n * DBL_EPSILON * p.top;
    unsigned seed = 7;
    double *B = mw_arena_f64(&p.mem, K * (size_t)p.n);
    for (size_t i = 0; B && i < K * (size_t)p.n; i++) B[i] = fixture_random(&seed);
    // a pair indeed
    MW_WITHIN(p.lambda[6], p.lambda[7], 2.0 * tol, "worst backward error of LAPACK's reduction");
    for (int r = 0; B && r < RANKS; r++) {
      if (!solve(&p, grounding(&p), MODES, K, B, ranks[r], &s)) continue;
      check_modes(&p, grounding(&p), 0, MODES, &s);
      check_patterns(&p, grounding(&p), K, B, &s);
      MW_CHECK(s.r.below == 0);
    }
  }
  mw_arena_free(&p.mem);
}

static void modes_around_a_shift_inside_the_spectrum_are_the_nearest(void)
{
  enum { MODES = 6 };
  problem p;
  solved s;
  if (clamped_bar(&p)) {
    double sigma = 0.5 * (p.lambda[6] + p.lambda[7]);
    int first = 0;
    while (p.lambda[first + MODES] - sigma < sigma - p.lambda[first]) first++;
    if (solve(&p, sigma, MODES, 0, NULL, 2, &s)) check_modes(&p, sigma, first, MODES, &s);
    MW_CHECK(s.r.below == 7);
    MW_CHECK(first > 0 && first < 7);
  }
  mw_arena_free(&p.mem);
}

// Of three equal modes one or two are missed as a rule; which, rounding decides: one of the runs at
// least must show it.
static void the_count_finds_what_parpack_misses(void)
{
  enum { MODES = 12 };
  int more = 0;
  for (int r = 0; r < RANKS; r++) {
    problem p;
    solved s;
    if (cube(7 + r, &p) && solve(&p, 0.0, MODES, 0, NULL, ranks[r], &s)) {
      check_modes(&p, 0.0, 0, MODES, &s);
      more += s.r.rounds > 1;
    }
    mw_arena_free(&p.mem);
  }
  MW_CHECK(more > 0);
}

static void counts_below_a_shift_are_those_of_lapack(void)
{
  static const int at[RANKS] = { 1, 6, 21 };  // eigenvalues below the shift
  problem p;
  mw_error err;
  if (clamped_bar(&p))
    for (int i = 0; i < RANKS; i++) {
      int below = at[i], count = -1;
      mw_eigen_opt opt = options(ranks[i]);
      double sigma = 0.5 * (p.lambda[below - 1] + p.lambda[below]);
      MW_OKAY(mw_eigen_count_below(&p.K, &p.M, sigma, &opt, &count, &err));
      MW_CHECK(count == below);
    }
  mw_arena_free(&p.mem);
}

static void a_process_that_has_started_mpi_can_have_it_run(void)
{
  problem p;
  mw_error err;
  int count = -1;
  mw_eigen_opt opt = options(2);
  mw_mpi_start();
  if (clamped_bar(&p)) {
    MW_OKAY(mw_eigen_count_below(&p.K, &p.M, -1.0, &opt, &count, &err));
    MW_CHECK(count == 0);
  }
  mw_arena_free(&p.mem);
}

static void a_singular_matrix_is_refused(void)
{
  problem p;
  mw_error err;
  int count = -1;
  if (square_bar(&p)) {
    mw_eigen_opt opt = options(2);
    MW_FAILS(mw_eigen_count_below(&p.K, &p.M, 0.0, &opt, &count, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "singular") != NULL);
    MW_CHECK(count == -1);
  }
  mw_arena_free(&p.mem);
}

// ---- a rank killed ----

// Is process `pid` a modeway-eigen with a job in folder?
static bool is_rank(const char *pid, const char *folder)
{
  char path[300], text[4096] = "";
  snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  const char *name = strrchr(text, '/');
  if (!name || strcmp(name, "/modeway-eigen") != 0) return false;
  const char *job = text + strlen(text) + 1;
  return job < text + n && strncmp(job, folder, strlen(folder)) == 0;
}

static void nap(void)
{
  struct timespec t = { .tv_nsec = 2000000 };
  nanosleep(&t, NULL);
}

// Waits for a rank to appear, at most 20 s; 0: none did.
static pid_t find_a_rank(const char *folder)
{
  pid_t found = 0;
  for (int tries = 0; tries < 10000 && !found; tries++) {
    DIR *d = opendir("/proc");
    struct dirent *e;
    while (d && !found && (e = readdir(d)) != NULL)
      if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && is_rank(e->d_name, folder))
        found = (pid_t)atoi(e->d_name);
    if (d) closedir(d);
    if (!found) nap();
  }
  return found;
}

static void a_killed_rank_is_an_error_and_leaves_no_files(void)
{
  char folder[] = "/tmp/modeway_test_eigen_XXXXXX";
  problem p;
  mw_error err;
  int count = -1, how = 0;
  if (MW_CHECK(mkdtemp(folder) != NULL) && clamped_bar(&p)) {
    mw_eigen_opt opt = options(2);
    opt.folder = folder;
    fflush(stdout);
    pid_t killer = fork();
    if (killer == 0) {
      pid_t rank = find_a_rank(folder);
      _exit(rank > 0 && kill(rank, SIGKILL) == 0 ? 0 : 1);
    }
    MW_FAILS(mw_eigen_count_below(&p.K, &p.M, 0.0, &opt, &count, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "ended without a result") != NULL);
    MW_CHECK(waitpid(killer, &how, 0) == killer && how == 0);
    MW_CHECK(rmdir(folder) == 0);  // nothing is left in it
    mw_arena_free(&p.mem);
  }
}

// A job of some seconds, whose caller is killed as soon as a rank is there.
static void ranks_whose_caller_was_killed_end_and_leave_no_files(void)
{
  enum { SIDE = 20, MODES = 10 };
  char folder[] = "/tmp/modeway_test_eigen_XXXXXX";
  problem p;
  if (!MW_CHECK(mkdtemp(folder) != NULL) || !cube(SIDE, &p)) return;
  fflush(stdout);
  pid_t caller = fork();
  if (caller == 0) {
    mw_eigen_opt opt = options(2);
    mw_eigen_job job = { .K = &p.K, .M = &p.M, .n_modes = MODES };
    double lambda[MODES], *X = mw_arena_f64(&p.mem, MODES * (size_t)p.n);
    mw_eigen_result r = { .lambda = lambda, .X = X };
    opt.folder = folder;
    _exit((int)mw_eigen_run(&job, &opt, &r, NULL));
  }
  pid_t rank = find_a_rank(folder);
  MW_CHECK(rank > 0 && kill(caller, SIGKILL) == 0);
  MW_CHECK(waitpid(caller, NULL, 0) == caller);
  int gone = -1;
  for (int tries = 0; tries < 5000 && gone != 0; tries++) {  // at most 10 s
    gone = rmdir(folder);
    if (gone != 0) nap();
  }
  MW_CHECK(gone == 0);
  mw_arena_free(&p.mem);
}

static const mw_test_case cases[] = {
  { "modes_of_a_clamped_bar_are_those_of_lapack_for_any_number_of_ranks",
    modes_of_a_clamped_bar_are_those_of_lapack_for_any_number_of_ranks },
  { "a_free_square_bar_has_six_rigid_modes_pairs_and_patterns",
    a_free_square_bar_has_six_rigid_modes_pairs_and_patterns },
  { "modes_around_a_shift_inside_the_spectrum_are_the_nearest",
    modes_around_a_shift_inside_the_spectrum_are_the_nearest },
  { "the_count_finds_what_parpack_misses", the_count_finds_what_parpack_misses },
  { "counts_below_a_shift_are_those_of_lapack", counts_below_a_shift_are_those_of_lapack },
  { "a_singular_matrix_is_refused", a_singular_matrix_is_refused },
  { "a_killed_rank_is_an_error_and_leaves_no_files",
    a_killed_rank_is_an_error_and_leaves_no_files },
  { "ranks_whose_caller_was_killed_end_and_leave_no_files",
    ranks_whose_caller_was_killed_end_and_leave_no_files },
  { "a_process_that_has_started_mpi_can_have_it_run",
    a_process_that_has_started_mpi_can_have_it_run },
};

int main(void)
{
  // containers run tests as root; ranks that wait let others run; the program of this build
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  (void)setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  (void)setenv("MODEWAY_EIGEN", MW_EIGEN, 1);
  return mw_test_run("eigen", cases, (int)(sizeof cases / sizeof *cases));
}
