// SPDX-License-Identifier: BSD-3-Clause
// test_mode_sweep.c: frequencies along a coordinate are those at each of its points, and modes keep
// their numbers through crossings, and through veerings that points go straight through.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture_rom.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "view/modesweep_layer.h"

enum { N = 5, N_FREQ_SWEPT = 4 };

static bool read_beam(mw_case *c)
{
  mw_error err = { 0 };
  return MW_CHECK(mw_case_read(MW_CASES_DIR "/beam-carriage.yaml", c, &err) == MW_OK);
}

static void each_point_has_the_frequencies_of_its_place(void)
{
  mw_case c;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_mode_sweep s = { 0 };
  const double theta[1] = { 0.1 };
  if (!read_beam(&c)) return;
  mw_mode_sweep_in in = {
    .c = &c, .n = N, .n_freq = N_FREQ_SWEPT, .lo = 0.1, .hi = 0.7, .theta = theta
  };
  MW_OKAY(mw_mode_sweep_build(&in, &mem, &s, &err));
  MW_CHECK(s.n == N && s.n_freq == N_FREQ_SWEPT && strcmp(s.name, "x") == 0);
  MW_CHECK(strcmp(s.unit, "m") == 0 && strcmp(s.rest, "") == 0);
  for (int k = 0; k < N; k++) {
    double *hz = NULL, *loaded = NULL;
    int n = N_FREQ_SWEPT;
    MW_CHECK(s.x[k] == 0.1 + (0.7 - 0.1) * k / (N - 1));
    MW_OKAY(mw_direct_modes_loaded(&c.mech, &s.x[k], &n, 0, &mem, &hz, &loaded, NULL, NULL, &err));
    MW_SAME_BITS(s.hz + k * N_FREQ_SWEPT, hz, N_FREQ_SWEPT);
    MW_SAME_BITS(s.loaded + k * N_FREQ_SWEPT, loaded, N_FREQ_SWEPT);
  }
  // modes of a beam under a carriage: each keeps its place in the order
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N_FREQ_SWEPT; i++) MW_CHECK(s.share[k * N_FREQ_SWEPT + i] <= 1.0 + 1e-9);
  mw_arena_free(&mem);
  mw_case_free(&c);
}

// The reduced model of two modes along x on n points: identities of the lower frequency at both
// ends, and of all.
static void sweep_two(const two_modes *q, int n, int ends[2], mw_mode_sweep *s, mw_arena *mem)
{
  mw_case c;
  mw_error err = { 0 };
  fixture *x = fixture_rom(q, 1, 2);
  const double theta[1] = { 0.0 };
  if (!read_beam(&c)) exit(EXIT_FAILURE);
  mw_mode_sweep_in in = { .c = &c, .rom = &x->f, .n = n, .n_freq = 2, .hi = 1.0, .theta = theta };
  MW_OKAY(mw_mode_sweep_build(&in, mem, s, &err));
  ends[0] = s->identity[0];
  ends[1] = s->identity[2 * (n - 1)];
  for (int k = 0; k < n; k++)  // the frequencies are in their order, whatever the modes
    for (int i = 0; i < 2; i++) {
      double d = q->b * (s->x[k] - q->ref), r = sqrt(d * d + q->k * q->k);
      double want = sqrt(q->a + (i ? r : -r)) / (2.0 * acos(-1.0));
      double slope = 1.0 / (8.0 * pow(acos(-1.0), 2) * want);  // df/dλ
      MW_WITHIN(s->loaded[2 * k + i], want, fixture_rounding(q) * slope + 8 * DBL_EPSILON * want,
                "the largest eigenvalue's rounding");
    }
  free(x);
  mw_case_free(&c);
}

static void crossing_modes_keep_their_numbers(void)
{
  mw_arena mem = { 0 };
  mw_mode_sweep s = { 0 };
  int ends[2];
  sweep_two(&TYPICAL, 20, ends, &s, &mem);
  MW_CHECK(ends[0] == 0 && ends[1] == 1 && s.n_identity == 2 && s.n_lost == 0);
  for (int k = 2; k < 2 * s.n; k++) MW_CHECK(fabs(s.share[k] - 1.0) < 1e-9);  // shapes stay
  mw_arena_free(&mem);
}

// Shapes turn by (atan(b h (x − ref)/k) change)/2 between points: over the whole line, wide beside
// k, by nearly 90°. Points that see it turn keep the order; two that do not go straight through.
static void veerings_exchange_shapes_over_their_width(void)
{
  two_modes q = TYPICAL;
  mw_arena mem = { 0 };
  mw_mode_sweep s = { 0 };
  int ends[2];
  q.k = 400.0;  // b × 0.02 m
  sweep_two(&q, 201, ends, &s, &mem);
  MW_CHECK(ends[0] == 0 && ends[1] == 0 && s.n_identity == 2 && s.n_lost == 0);
  for (int k = 1; k < s.n; k++) {
    double turn =
        0.5 * (atan(q.b * (s.x[k] - q.ref) / q.k) - atan(q.b * (s.x[k - 1] - q.ref) / q.k));
    // shapes err by the rounding of K over the gap, 2k at least; their product by both
    MW_WITHIN(s.share[2 * k], pow(cos(turn), 2), 2.0 * fixture_rounding(&q) / (2.0 * q.k),
              "the largest eigenvalue's rounding");
  }
  sweep_two(&q, 2, ends, &s, &mem);
  MW_CHECK(ends[0] == 0 && ends[1] == 1 && s.n_identity == 2 && s.n_lost == 0);
  mw_arena_free(&mem);
}

static void no_half_begins_a_mode(void)
{
  // three shapes before, of numbers 4, none, 2
  const double overlap[3 * 3] = { 0.51, 0.3, 0.1, 0.5, 0.2, 0.25, 0.0, 0.9, 0.0 };
  const int before[3] = { 4, -1, 2 };
  int identity[3], n_identity = 5;
  double share[3];
  mw_modes_follow(3, 3, overlap, before, identity, share, &n_identity);
  MW_CHECK(identity[0] == 4 && identity[1] == 5 && identity[2] == 6 && n_identity == 7);
  MW_CHECK(share[0] == 0.51 && share[1] == 0.0 && share[2] == 0.0);
}

static void files_hold_every_frequency(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_mode_sweep s = { 0 };
  int ends[2], rows = 0;
  char path[96], row[256];
  sweep_two(&TYPICAL, 7, ends, &s, &mem);
  snprintf(path, sizeof path, "/tmp/mw-modesweep-%d.csv", (int)getpid());
  MW_OKAY(mw_mode_sweep_csv(&s, path, &err));
  FILE *f = fopen(path, "r");
  if (MW_CHECK(f != NULL)) {
    MW_CHECK(fgets(row, sizeof row, f) != NULL);
    MW_CHECK(strcmp(row, "x [m],number,under the weight [Hz],mode,share kept\n") == 0);
    for (; fgets(row, sizeof row, f); rows++) {
      double x, hz, share;
      int number, mode;
      MW_CHECK(sscanf(row, "%lf,%d,%lf,%d,%lf", &x, &number, &hz, &mode, &share) == 5);
      MW_CHECK(x == s.x[rows / 2] && number == rows % 2 + 1 && hz == s.loaded[rows]);
      MW_CHECK(mode == s.identity[rows] + 1);
    }
    (void)fclose(f);
  }
  MW_CHECK(rows == 14);
  (void)remove(path);
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "each_point_has_the_frequencies_of_its_place", each_point_has_the_frequencies_of_its_place },
  { "crossing_modes_keep_their_numbers", crossing_modes_keep_their_numbers },
  { "veerings_exchange_shapes_over_their_width", veerings_exchange_shapes_over_their_width },
  { "no_half_begins_a_mode", no_half_begins_a_mode },
  { "files_hold_every_frequency", files_hold_every_frequency },
};

int main(void) { return mw_test_run("mode_sweep", cases, (int)(sizeof cases / sizeof *cases)); }
