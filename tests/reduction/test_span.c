// SPDX-License-Identifier: BSD-3-Clause
// test_span.c: modes that cannot be followed one by one: a span holds the lowest ones and is
// smooth; what is lost is named.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/align.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "reduction/romfile.h"

// ---- a family of matrices with cones all over ---------------------------------------------------

// K(x, y) = diag(9, 10, …, 18) + x A + y B, |x|, |y| <= 1, A and B banded with entries between -3
// and 3 on the diagonal, -0.3 and 0.3 beside it: levels cross each other over most of the square,
// and none of them stays apart from all others.
enum { N = 10, K_MODES = 9, WANT = 2, MOST_AXIS = 33 };

static double entry(unsigned *state)  // in [-1, 1]: a linear congruential generator
{
  *state = *state * 1664525u + 1013904223u;
  return 2.0 * (double)(*state >> 8) / (double)(1u << 24) - 1.0;
}

static void family(unsigned seed, double A[2][N * N])
{
  unsigned state = seed;
  memset(A, 0, 2 * sizeof *A);
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < N; i++)
      for (int j = i > 2 ? i - 2 : 0; j <= i; j++)
        A[t][i * N + j] = A[t][j * N + i] = (i == j ? 3.0 : 0.3) * entry(&state);
}

typedef struct square {
  int n;           // points along each coordinate
  double *lambda;  // [n² × K_MODES]
  double *Phi;     // [n² × K_MODES × N]
  double A[2][N * N];
} square;

static bool modes(const square *q, double x, double y, double *lambda, double *Phi)
{
  double S[N * N], w[N], V[N * N];
  for (int i = 0; i < N * N; i++) S[i] = x * q->A[0][i] + y * q->A[1][i];
  for (int i = 0; i < N; i++) S[i * N + i] += 9.0 + i;
  if (mw_eig_sym(N, S, w, V, NULL) != MW_OK) return false;
  for (int k = 0; k < K_MODES; k++) {
    lambda[k] = w[k];
    for (int i = 0; Phi && i < N; i++) Phi[k * N + i] = V[i * N + k];
  }
  return true;
}

static bool square_build(unsigned seed, int n, square *q)
{
  *q = (square){ .n = n };
  family(seed, q->A);
  q->lambda = calloc((size_t)(n * n * K_MODES), sizeof *q->lambda);
  q->Phi = calloc((size_t)(n * n * K_MODES * N), sizeof *q->Phi);
  bool good = q->lambda && q->Phi;
  for (int g = 0; good && g < n * n; g++)
    good = modes(q, -1.0 + 2.0 * (g / n) / (n - 1), -1.0 + 2.0 * (g % n) / (n - 1),
                 q->lambda + g * K_MODES, q->Phi + g * K_MODES * N);
  return MW_CHECK(good);
}

static void square_free(square *q)
{
  free(q->lambda);
  free(q->Phi);
}

static mw_code overlap(void *ctx, int g, int g2, double *O, mw_error *err)
{
  (void)err;
  const square *q = ctx;
  mw_gemm('n', 't', K_MODES, K_MODES, N, 1.0, q->Phi + g * K_MODES * N, q->Phi + g2 * K_MODES * N,
          0.0, O);
  return MW_OK;
}

static mw_code align(square *q, bool spans, mw_arena *mem, mw_align *al, mw_error *err)
{
  int n_grid[2] = { q->n, q->n };
  mw_align_in in = { .s = 2,
                     .n_grid = n_grid,
                     .k = K_MODES,
                     .n_want = WANT,
                     .lambda = q->lambda,
                     .overlap = overlap,
                     .ctx = q,
                     .spans = spans };
  return mw_align_modes(&in, mem, al, err);
}

// Largest |QᵀQ − 1| and largest share of a wanted mode outside of the columns.
static void defects(const square *q, const mw_align *al, double *orthogonal, double *missing)
{
  int m = al->m;
  *orthogonal = *missing = 0.0;
  for (int g = 0; g < q->n * q->n; g++) {
    const double *Q = al->Q + g * K_MODES * m;
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) {
        double x = a == b ? -1.0 : 0.0;
        for (int i = 0; i < K_MODES; i++) x += Q[i * m + a] * Q[i * m + b];
        *orthogonal = fmax(*orthogonal, fabs(x));
      }
    for (int i = 0; i < WANT; i++) *missing = fmax(*missing, 1.0 - mw_dot(m, Q + i * m, Q + i * m));
  }
}

// The two lowest modes of a family where no mode can be followed alone, and their space breaks at
// cones. The span holds them but for 1e-3 (span.c), its columns are orthonormal but for products of
// two factors of some ten roundings each, and neighbours turn by 45 degrees at most.
static void a_span_holds_the_lowest_modes_where_none_can_be_followed(void)
{
  static const unsigned seeds[] = { 1, 10 };
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    mw_align alone = { 0 }, span = { 0 };
    square q;
    double orthogonal, missing;
    if (!square_build(seeds[i], 17, &q)) return;
    mw_code rc = align(&q, false, &mem, &alone, &err);
    MW_CHECK(rc == MW_ERR_NUMERIC);
    if (MW_OKAY(align(&q, true, &mem, &span, &err))) {
      MW_CHECK(span.span && span.m > WANT && span.n_dropped == 0 && span.n_cluster == 1);
      defects(&q, &span, &orthogonal, &missing);
      MW_NEAR(orthogonal, 0.0, 1e-13);
      MW_NEAR(missing, 0.0, 1e-3);
      MW_CHECK(span.cut <= sqrt(0.5));
    }
    mw_arena_free(&mem);
    square_free(&q);
  }
}

// ---- a machine of two slides in series ----------------------------------------------------------

// cases/flexcell.yaml on a fixed grid of n x n points
static bool flexcell(int n, int count, const char *tolerance, mw_fixture *f)
{
  char from[4][64] = { "grid: auto", "{ range: [0.2, 1.3],", "{ range: [0.3, 1],",
                       "modes: { count: 4 }\n  tolerance: 1e-3" };
  char to[4][64] = { "grid: fixed" }, text[1 << 14];
  snprintf(to[1], sizeof to[1], "{ range: [0.2, 1.3], points: %d,", n);
  snprintf(to[2], sizeof to[2], "{ range: [0.3, 1], points: %d,", n);
  snprintf(to[3], sizeof to[3], "modes: { count: %d }\n  tolerance: %s", count, tolerance);
  FILE *file = fopen(MW_CASES_DIR "/flexcell.yaml", "r");
  size_t used = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[used] = '\0';
  for (int i = 0; i < 4; i++) {
    char *at = strstr(text, from[i]), rest[1 << 14];
    if (!MW_CHECK(at != NULL)) return false;
    snprintf(rest, sizeof rest, "%s", at + strlen(from[i]));
    snprintf(at, sizeof text - (size_t)(at - text), "%s%s", to[i], rest);
  }
  return mw_fixture_text(text, f);
}

// The beam divides into parts above and below the carriage, whose modes cross while it slides: four
// modes are followed as a span of more. Their frequencies against eigenanalyses of the mesh, at
// places on no grid; the tolerance is the model's, 1.5 times at places that its few samples have
// not seen.
static void modes_that_change_into_others_are_all_in_the_model(void)
{
  static const double tolerance = 2e-3;
  static const double place[4][2] = {
    { 0.23, 0.33 }, { 0.517, 0.451 }, { 0.93, 0.62 }, { 1.27, 0.97 }
  };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!flexcell(17, 4, "2e-3", &f)) return;
  f.model.reduction.n_sample = 24;  // the places below are others
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(rom.n_freq == 4 && rom.n_modes > 4 && rom.followed != NULL);
    MW_CHECK(rom.certificate.n_freq == 4);
    MW_NEAR(rom.certificate.max_frequency_error, 0.0, tolerance);
    for (int i = 0; i < 4; i++) {
      mw_arena mem = { 0 };
      double *direct = NULL, reduced[4];
      if (MW_OKAY(mw_direct_modes(&f.mech, place[i], 4, 0, &mem, &direct, NULL, NULL, &err)) &&
          MW_OKAY(mw_rom_frequencies(&rom, place[i], false, 4, reduced, &err)))
        for (int k = 0; k < 4; k++) MW_NEAR(reduced[k], direct[k], 1.5 * tolerance * direct[k]);
      mw_arena_free(&mem);
    }
    mw_rom_file_free(&rom);
  }
  mw_fixture_free(&f);
}

// Seven modes on 9 x 9 points are too many for that grid: the run ends, with their numbers,
// frequencies and places.
static void modes_that_get_lost_are_named(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!flexcell(9, 7, "2e-3", &f)) return;
  MW_FAILS(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "of 7 modes asked for") && strstr(err.msg, " Hz at x = ") &&
           strstr(err.msg, ", z = ") && err.line > 0);
  mw_fixture_free(&f);
}

static const mw_test_case cases[] = {
  { "a_span_holds_the_lowest_modes_where_none_can_be_followed",
    a_span_holds_the_lowest_modes_where_none_can_be_followed },
  { "modes_that_change_into_others_are_all_in_the_model",
    modes_that_change_into_others_are_all_in_the_model },
  { "modes_that_get_lost_are_named", modes_that_get_lost_are_named },
};

int main(void) { return mw_test_run("span", cases, (int)(sizeof cases / sizeof *cases)); }
