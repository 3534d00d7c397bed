// SPDX-License-Identifier: BSD-3-Clause
// bench_rom_tables.c: storage and time of a full table against tensor trains, low rank over the
// fields, and Tucker.
//
//   full      Π n_i × fields                         train     Σ r_{i-1} n_i r_i + r fields
//   low rank  Π n_i × r + r fields                   Tucker    Σ n_i ρ_i + Π ρ_i × r + r fields (1)
//
// n_i knots, r the rank over the fields that the train has, ρ_i ranks of the unfoldings of its
// table [records × r] along one axis, cut about as the train's are. `one`: a train of all fields;
// `parts`: trains of parts of the record, as mw_rom_compress makes them. Synthetic fields are sums
// of three waves each, random in direction and phase, of at most half a period along an axis either
// way, and apart from each other; parts there are tenths of the record. Errors are those off the
// grid too.
#include "bench_rom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../reduction/rom_synthetic.h"
#include "base/dense.h"
#include "reduction/compress.h"

enum { N_CALL = 200, N_ROUND = 5, N_TENTH = 10 };

static double cpu(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Places to evaluate at: a path through the box.
static void place(const mw_rom *r, int k, double *theta)
{
  for (int i = 0; i < r->s; i++)
    theta[i] =
        0.5 * (r->lo[i] + r->hi[i]) + 0.49 * (r->hi[i] - r->lo[i]) * sin(0.013 * (i + 1) * k + i);
}

// Shortest CPU time of a few rounds, µs a call; value and gradient.
static double time_of(const mw_rom *r, double *v, double *g)
{
  double best = INFINITY, theta[MW_ROM_MAX_S];
  for (int round = 0; round < N_ROUND; round++) {
    double start = cpu();
    for (int k = 0; k < N_CALL; k++) {
      place(r, k, theta);
      if (mw_rom_fields(r, theta, v, g, NULL) != MW_ROM_OK) return NAN;
    }
    best = fmin(best, (cpu() - start) / N_CALL * 1e6);
  }
  return best;
}

// Largest difference of values, of the scales.
static double difference(const mw_rom *a, const mw_rom *b, const double *scale, double *v,
                         double *w)
{
  double most = 0.0, theta[MW_ROM_MAX_S];
  for (int k = 0; k < N_CALL; k++) {
    place(a, k, theta);
    if (mw_rom_fields(a, theta, v, NULL, NULL) != MW_ROM_OK ||
        mw_rom_fields(b, theta, w, NULL, NULL) != MW_ROM_OK)
      return NAN;
    for (int f = 0; f < a->n_field; f++)
      if (scale[f] > 0.0) most = fmax(most, fabs(v[f] - w[f]) / scale[f]);
  }
  return most;
}

// [records × r]: the cores of the one train of r multiplied, axes that are not flat. NULL: no
// memory.
static double *multiply(const mw_rom *r, mw_arena *mem)
{
  size_t rows = 1, rank = 1;
  double *T = mw_arena_f64(mem, 1);
  if (T) T[0] = 1.0;
  for (int i = 0; T && i < r->s; i++) {
    if (!r->train->core[i]) continue;
    size_t n = (size_t)mw_rom_n_knot(r, i), rn = (size_t)r->train->rank[i];
    double *next = mw_arena_f64(mem, rows * n * rn);
    for (size_t q = 0; next && q < rows; q++)
      for (size_t k = 0; k < n; k++)
        mw_gemm('n', 'n', 1, (int)rn, (int)rank, 1.0, T + q * rank,
                r->train->core[i] + k * rank * rn, 0.0, next + (q * n + k) * rn);
    T = next;
    rows *= n;
    rank = rn;
  }
  return T;
}

// Rank of the unfolding of T [outer × n × inner], tail of squares up to cut².
static int unfolding_rank(const double *T, size_t outer, size_t n, size_t inner, double cut)
{
  mw_arena tmp = { 0 };
  double *G = mw_arena_f64(&tmp, n * n), *w = mw_arena_f64(&tmp, n), *V = mw_arena_f64(&tmp, n * n);
  int rank = (int)n;
  if (!tmp.failed) {
    for (size_t o = 0; o < outer; o++)
      mw_gemm('n', 't', (int)n, (int)n, (int)inner, 1.0, T + o * n * inner, T + o * n * inner, 1.0,
              G);
    double sum = 0.0;
    if (mw_eig_sym((int)n, G, w, V, NULL) == MW_OK)
      for (size_t k = 0; k < n && sum + w[k] <= cut * cut; k++, rank--) sum += fmax(w[k], 0.0);
  }
  mw_arena_free(&tmp);
  return rank;
}

// Doubles of Tucker's form (1) at a root mean square error of a third of the largest one.
static size_t tucker_size(const mw_rom *r, double error)
{
  mw_arena mem = { 0 };
  const double *T = multiply(r, &mem);
  size_t rows = 1, inner = 1, core = 1, size = 0, rank = 1;
  for (int i = 0; i < r->s; i++) {
    rows *= (size_t)mw_rom_n_knot(r, i);
    if (r->train->core[i]) rank = (size_t)r->train->rank[i];
  }
  double cut = error / 3.0 * sqrt((double)rows * r->n_field / (r->s + 1));
  inner = rank;
  for (int i = r->s - 1; T && i >= 0; i--) {
    size_t n = (size_t)mw_rom_n_knot(r, i);
    if (n == 1) continue;
    size_t rho = (size_t)unfolding_rank(T, rows * rank / (inner * n), n, inner, cut);
    size += n * rho;
    core *= rho;
    inner *= n;
  }
  mw_arena_free(&mem);
  return size + core * rank + rank * (size_t)r->n_field;
}

typedef struct bench_table {
  mw_rom full;
  const double *scale;  // [n_field]
  const int *from;      // [n_part + 1]  where parts of the record begin
  int n_part;
  double *v, *w, *g;  // [n_field], [n_field], [s × n_field]
} bench_table;

// Trains of the parts that begin at from [n + 1]; out->n_train 0 where there are none.
static mw_code compress(const bench_table *b, int n, const int *from, double tol, mw_arena *mem,
                        mw_rom *out, double *error, mw_error *err)
{
  int n_knot[MW_ROM_MAX_S];
  for (int i = 0; i < b->full.s; i++) n_knot[i] = mw_rom_n_knot(&b->full, i);
  mw_table t = { b->full.s, n_knot, b->full.n_field, 0, 0, b->full.coef, b->scale, 0 };
  mw_rom_train *train = mw_arena_alloc(mem, (size_t)n, sizeof *train);
  mw_code rc = mw_arena_check(mem, err);
  *out = b->full;
  *error = 0.0;
  for (int k = 0; rc == MW_OK && k < n; k++) {
    double e = 0.0;
    t.first = from[k];
    t.n_field = from[k + 1] - from[k];
    if (t.n_field == 0) continue;
    rc = mw_train_build(&t, tol, mem, &train[out->n_train], &e, err);
    if (rc == MW_OK && !train[out->n_train].field) {
      out->n_train = 0;
      return rc;
    }
    out->n_train++;
    *error = fmax(*error, e);
  }
  out->train = train;
  out->coef = NULL;
  return rc;
}

static mw_code one_line(const bench_table *b, double tol, mw_error *err)
{
  mw_rom one, parts;
  mw_arena mem = { 0 };
  const mw_rom *full = &b->full;
  const int whole[2] = { 0, full->n_field };
  double error[2], start = cpu(), rows = (double)mw_rom_bytes(full) / full->n_field;
  mw_code rc = compress(b, 1, whole, tol, &mem, &one, &error[0], err);
  double made = cpu();
  if (rc == MW_OK) rc = compress(b, b->n_part, b->from, tol, &mem, &parts, &error[1], err);
  double done = cpu();
  if (rc == MW_OK && one.n_train > 0 && parts.n_train > 0) {
    int r = 0;
    char ranks[64] = "";
    for (int i = 0, at = 0; i < full->s; i++) {
      at +=
          snprintf(ranks + at, sizeof ranks - (size_t)at, "%s%d", i ? " " : "", one.train->rank[i]);
      if (one.train->rank[i]) r = one.train->rank[i];
    }
    printf("%8.0e %-13s %7.3f %7.3f %7.3f %7.3f %7.3f %7.1f %7.1f %8.1e %6.1f %6.1f %6.1f %5.1f "
           "%5.1f\n",
           tol, ranks, 1e-6 * (double)mw_rom_bytes(full),
           1e-6 * (rows * r + 8.0 * r * full->n_field), 8e-6 * (double)tucker_size(&one, error[0]),
           1e-6 * (double)mw_rom_bytes(&one), 1e-6 * (double)mw_rom_bytes(&parts),
           (double)mw_rom_bytes(full) / (double)mw_rom_bytes(&one),
           (double)mw_rom_bytes(full) / (double)mw_rom_bytes(&parts),
           difference(full, &parts, b->scale, b->v, b->w), time_of(full, b->v, b->g),
           time_of(&one, b->v, b->g), time_of(&parts, b->v, b->g), made - start, done - made);
  } else if (rc == MW_OK) {
    printf("%8.0e ranks above %d\n", tol, MW_ROM_MAX_RANK);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code lines(const mw_rom *full, const double *scale, int n_part, const int *from,
                     mw_error *err)
{
  static const double tol[] = { 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6 };
  size_t nf = (size_t)full->n_field;
  mw_arena mem = { 0 };
  bench_table b = { .full = *full, .scale = scale, .from = from, .n_part = n_part };
  b.v = mw_arena_f64(&mem, nf);
  b.w = mw_arena_f64(&mem, nf);
  b.g = mw_arena_f64(&mem, nf * (size_t)full->s);
  mw_code rc = mw_arena_check(&mem, err);
  printf("%8s %-13s %7s %7s %7s %7s %7s %15s %8s %20s %11s\n", "", "", "full", "lowrank", "Tucker",
         "one", "parts", "full/one /parts", "error", "full    one  parts", "made, CPU s");
  printf("%8s %-13s %7s %7s %7s %7s %7s %15s %8s %20s %11s\n", "tol", "ranks of one", "MB", "MB",
         "MB", "MB", "MB", "", "parts", "us, with gradient", "one parts");
  for (size_t k = 0; rc == MW_OK && k < sizeof tol / sizeof *tol; k++)
    rc = one_line(&b, tol[k], err);
  mw_arena_free(&mem);
  return rc;
}

// Spline coefficients that are samples of waves: any coefficients are a smooth table.
static void waves(const mw_rom *r, double *coef)
{
  uint64_t seed = 11;
  const double pi = acos(-1.0);
  size_t rows = 1;
  for (int i = 0; i < r->s; i++) rows *= (size_t)r->n_grid[i] + 2;
  for (int f = 0; f < r->n_field; f++) {
    double k[3][MW_ROM_MAX_S], phase[3];
    for (int w = 0; w < 3; w++) {
      phase[w] = pi * synthetic_random(&seed);
      for (int i = 0; i < r->s; i++) k[w][i] = pi * synthetic_random(&seed);
    }
    for (size_t row = 0; row < rows; row++) {
      double sum = 0.0, arg[3] = { phase[0], phase[1], phase[2] };
      size_t rest = row;
      for (int i = r->s - 1; i >= 0; i--) {
        size_t n = (size_t)r->n_grid[i] + 2;
        double x = ((double)(rest % n) - 1.0) / (double)(n - 3);
        rest /= n;
        for (int w = 0; w < 3; w++) arg[w] += k[w][i] * x;
      }
      for (int w = 0; w < 3; w++) sum += sin(arg[w]) / 3.0;
      coef[row * (size_t)r->n_field + (size_t)f] = sum;
    }
  }
}

static mw_code synthetic_tables(int s, const int *n_grid, int n_field, mw_error *err)
{
  mw_rom r = { .s = s, .n_field = n_field };
  mw_arena mem = { 0 };
  size_t n = (size_t)n_field;
  int from[N_TENTH + 1];
  printf("\nsynthetic, %d fields of", n_field);
  for (int i = 0; i < s; i++) {
    r.n_grid[i] = n_grid[i];
    r.hi[i] = 1.0;
    n *= (size_t)n_grid[i] + 2;
    printf(" %s%d", i ? "x " : "", n_grid[i]);
  }
  printf(" points\n");
  double *coef = mw_arena_f64(&mem, n), *scale = mw_arena_f64(&mem, (size_t)n_field);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    waves(&r, coef);
    for (int f = 0; f < n_field; f++) scale[f] = 1.0;
    r.coef = coef;
    for (int k = 0; k <= N_TENTH; k++) from[k] = (int)((long)n_field * k / N_TENTH);
    rc = lines(&r, scale, N_TENTH, from, err);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code file_tables(const char *path, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_code rc = mw_rom_file_read(path, &f, err);
  if (rc == MW_OK && !f.rom.coef)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "its table is a train already");
  double *scale = rc == MW_OK ? mw_arena_f64(&f.mem, (size_t)f.rom.n_field) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(&f.mem, err);
  if (rc == MW_OK) rc = mw_rom_scale(&f, scale, err);
  if (rc == MW_OK) printf("\n%s, %d fields\n", f.model_name, f.rom.n_field);
  int from[MW_ROM_MAX_PART + 1];
  if (rc == MW_OK) rc = lines(&f.rom, scale, mw_rom_parts(&f.rom, from), from, err);
  mw_rom_file_free(&f);
  return rc;
}

int bench_tables(const char *path)
{
  static const int three[] = { 9, 8, 9 }, four[] = { 7, 6, 7, 6 };
  mw_error err = { 0 };
  mw_code rc = path ? file_tables(path, &err) : synthetic_tables(3, three, 2500, &err);
  if (rc == MW_OK && !path) rc = synthetic_tables(4, four, 1000, &err);
  if (rc != MW_OK) fprintf(stderr, "bench_rom: %s: %s\n", err.file, err.msg);
  return rc != MW_OK;
}
