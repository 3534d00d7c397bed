// SPDX-License-Identifier: BSD-3-Clause
// test_eigen.c: modes and patterns by modeway-eigen on 1, 2 and 4 processes against LAPACK on the dense matrices and
// CHOLMOD.
//
// Bounds. A solve with A = K − σM is exact for A + E, |E| <= c ε |A|, c some n at worst (Higham 2002, ch. 11), and so are
// LAPACK's eigenvalues for K + E: both are off by at most n ε λ_max, λ_max the largest eigenvalue of (K, M). Relative to
// a pattern of M-norm one that is n ε λ_max / |λ − σ|, with the smallest distance of a pattern's content.
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

// `copies` of p side by side without a tie: every eigenvalue that often.
static bool copies_of(const problem *p, int copies, problem *out)
{
  mw_error err;
  const mw_csc *from[2] = { &p->K, &p->M };
  *out = (problem){ .n = copies * p->n, .top = p->top };
  mw_csc *to[2] = { &out->K, &out->M };
  for (int m = 0; m < 2; m++) {
    mw_triplets t = { 0 };
    for (int c = 0; c < copies; c++)
      for (int j = 0; j < p->n; j++)
        for (int k = from[m]->ptr[j]; k < from[m]->ptr[j + 1]; k++)
          mw_triplets_add(&t, c * p->n + from[m]->row[k], c * p->n + j, from[m]->val[k]);
    bool okay = MW_OKAY(mw_csc_build(&t, out->n, out->n, true, &out->mem, to[m], &err));
    mw_triplets_free(&t);
    if (!okay) return false;
  }
  out->lambda = mw_arena_f64(&out->mem, (size_t)out->n);
  for (int i = 0; out->lambda && i < out->n; i++) out->lambda[i] = p->lambda[i / copies];
  return MW_CHECK(out->lambda != NULL);
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

// The n_modes eigenvalues from the first-th on, M-orthonormal vectors, residuals by CHOLMOD or MUMPS in this process.
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
  // M-orthonormal: PARPACK reorthogonalises to rounding, modes of later runs are projected and normalised; sums of n
  // terms, condition of M's scaling below 100
  MW_NEAR(off, 0.0, 100.0 * p->n * DBL_EPSILON);
  // the solves of both programs, see above, and PARPACK's own 1e-13
  MW_NEAR(worst, 0.0, 2.0 * tol / near + 1e-12);
  MW_NEAR(s->r.residual, 0.0, tol / near + 1e-12);
  mw_factor_free(f);
}

static void modes_of_a_clamped_bar_are_those_of_lapack(void)
{
  enum { MODES = 12 };
  problem p;
  solved s;
  if (clamped_bar(&p))
    for (int r = 0; r < RANKS; r++) {
      if (!solve(&p, 0.0, MODES, 0, NULL, ranks[r], &s)) continue;
      check_modes(&p, 0.0, 0, MODES, &s);
      MW_CHECK(s.r.below == 0);
    }
  mw_arena_free(&p.mem);
}

// σ² a hundredth of the first elastic eigenvalue away: A well conditioned, zero and the first pair equally in reach
static double grounding(const problem *p) { return -0.01 * p->lambda[6]; }

static void a_free_square_bar_has_six_rigid_modes_and_pairs(void)
{
  enum { MODES = 12 };
  problem p;
  solved s;
  if (square_bar(&p)) {
    double tol = p.n * DBL_EPSILON * p.top;
    MW_NEAR(p.lambda[6], p.lambda[7], 2.0 * tol);  // a pair indeed
    for (int r = 0; r < RANKS; r++) {
      if (!solve(&p, grounding(&p), MODES, 0, NULL, ranks[r], &s)) continue;
      check_modes(&p, grounding(&p), 0, MODES, &s);
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

// Nine equal eigenvalues: an iteration with one vector sees one of them, the rest by rounding or not at all.
static void the_count_finds_what_parpack_misses(void)
{
  enum { COPIES = 9, MODES = 20 };
  problem p, many = { 0 };
  solved s;
  if (clamped_bar(&p) && copies_of(&p, COPIES, &many))
    for (int r = 0; r < 2; r++) {
      if (!solve(&many, 0.0, MODES, 0, NULL, ranks[r], &s)) continue;
      check_modes(&many, 0.0, 0, MODES, &s);
      MW_CHECK(s.r.rounds > 1);
    }
  mw_arena_free(&many.mem);
  mw_arena_free(&p.mem);
}

static void patterns_satisfy_their_equations(void)
{
  enum { K = 35 };  // not a multiple of the block
  problem p;
  solved s;
  if (square_bar(&p)) {
    double sigma = grounding(&p);
    size_t n = (size_t)p.n;
    unsigned seed = 7;
    double *B = mw_arena_f64(&p.mem, K * n), *R = mw_arena_f64(&p.mem, n);
    for (size_t i = 0; B && i < K * n; i++) B[i] = fixture_random(&seed);
    for (int r = 0; R && r < RANKS; r++) {
      if (!solve(&p, sigma, 0, K, B, ranks[r], &s)) continue;
      for (size_t i = 0; i < K; i++) {
        const double *y = s.Y + i * n, *b = B + i * n;
        mw_csc_mul(&p.K, 1.0, y, 0.0, R);
        mw_csc_mul(&p.M, -sigma, y, 1.0, R);
        mw_axpy(p.n, -1.0, b, R);
        // a row of K sums to less than 81 entries of at most K_max each
        double k_max = 0.0, y_max = 0.0, r_max = 0.0;
        for (int k = 0; k < p.K.ptr[p.n]; k++) k_max = fmax(k_max, fabs(p.K.val[k]));
        for (size_t k = 0; k < n; k++) y_max = fmax(y_max, fabs(y[k]));
        for (size_t k = 0; k < n; k++) r_max = fmax(r_max, fabs(R[k]));
        MW_NEAR(r_max, 0.0, 81.0 * p.n * DBL_EPSILON * k_max * y_max);
      }
    }
  }
  mw_arena_free(&p.mem);
}

static void counts_below_a_shift_are_those_of_lapack(void)
{
  static const double place[] = { 0.5, 5.5, 6.5, 20.5 };  // between eigenvalues, as ordered
  problem p;
  mw_error err;
  if (clamped_bar(&p))
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
      int below = (int)(place[i] + 0.5), count = -1;
      mw_eigen_opt opt = options(ranks[i % RANKS]);
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
  if (square_bar(&p))
    for (int r = 0; r < 2; r++) {
      mw_eigen_opt opt = options(ranks[r]);
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

// Waits for a rank to appear, at most 20 s, and kills it.
static bool kill_a_rank(const char *folder)
{
  struct timespec nap = { .tv_nsec = 2000000 };
  for (int tries = 0; tries < 10000; tries++) {
    DIR *d = opendir("/proc");
    struct dirent *e;
    while (d && (e = readdir(d)) != NULL)
      if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && is_rank(e->d_name, folder)) {
        bool done = kill((pid_t)atoi(e->d_name), SIGKILL) == 0;
        closedir(d);
        return done;
      }
    if (d) closedir(d);
    nanosleep(&nap, NULL);
  }
  return false;
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
    if (killer == 0) _exit(kill_a_rank(folder) ? 0 : 1);
    MW_FAILS(mw_eigen_count_below(&p.K, &p.M, 0.0, &opt, &count, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "ended without a result") != NULL);
    MW_CHECK(waitpid(killer, &how, 0) == killer && how == 0);
    MW_CHECK(rmdir(folder) == 0);  // nothing is left in it
    mw_arena_free(&p.mem);
  }
}

static const mw_test_case cases[] = {
  { "modes_of_a_clamped_bar_are_those_of_lapack", modes_of_a_clamped_bar_are_those_of_lapack },
  { "a_free_square_bar_has_six_rigid_modes_and_pairs",
    a_free_square_bar_has_six_rigid_modes_and_pairs },
  { "modes_around_a_shift_inside_the_spectrum_are_the_nearest",
    modes_around_a_shift_inside_the_spectrum_are_the_nearest },
  { "the_count_finds_what_parpack_misses", the_count_finds_what_parpack_misses },
  { "patterns_satisfy_their_equations", patterns_satisfy_their_equations },
  { "counts_below_a_shift_are_those_of_lapack", counts_below_a_shift_are_those_of_lapack },
  { "a_singular_matrix_is_refused", a_singular_matrix_is_refused },
  { "a_killed_rank_is_an_error_and_leaves_no_files",
    a_killed_rank_is_an_error_and_leaves_no_files },
  { "a_process_that_has_started_mpi_can_have_it_run",
    a_process_that_has_started_mpi_can_have_it_run },
};

int main(void)
{
  // containers run tests as root; a suite with a build of its own names its own program
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  (void)setenv("MODEWAY_EIGEN", MW_EIGEN, 1);
  return mw_test_run("eigen", cases, (int)(sizeof cases / sizeof *cases));
}
