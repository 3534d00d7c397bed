// SPDX-License-Identifier: BSD-3-Clause
// bench_align.c: error of interpolated frequencies against the grid, coupled beams with travelling
// masses.
//
// Error: largest relative one of the lowest frequencies at points off the grid (601 in one
// coordinate, 61² in two). Order: log2 of its fall when the grid is halved; 4 is the spline's. m:
// modes kept of k = wanted + 6; clusters:
// m − number of clusters says how many modes were joined. Not a test: prints, judges nothing.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../reduction/fixture_beams.h"

enum { N_GRID = 3, N_COUNT = 3 };

static const beams studies[] = {
  { "crossing", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 0.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "veering, far below the grid",
    BEAMS_ONE_MASS,
    0.7,
    0.3,
    0.0,
    0.1,
    0.37,
    0.37,
    { 0.2 },
    { 0.7 } },
  { "veering, sharp", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 1.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "veering, about the grid", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 10.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "veering, resolved", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 100.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "veering, strong", BEAMS_ONE_MASS, 0.7, 0.3, 0.0, 1000.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "veering, chains", BEAMS_ONE_MASS, 0.9, 0.3, 0.0, 10000.0, 0.37, 0.37, { 0.2 }, { 0.7 } },
  { "cone, mass and lever",
    BEAMS_LEVER,
    0.7,
    0.3,
    0.0,
    100.0,
    0.37,
    0.37,
    { 0.2, -0.5 },
    { 0.7, 0.6 } },
  { "cone, two masses",
    BEAMS_TWO_MASSES,
    1.07,
    0.3,
    0.3,
    10.0,
    0.45,
    0.47,
    { 0.2, 0.3 },
    { 0.7, 0.8 } },
  { "cone, stiff spring",
    BEAMS_TWO_MASSES,
    1.07,
    0.3,
    0.3,
    1000.0,
    0.45,
    0.47,
    { 0.2, 0.3 },
    { 0.7, 0.8 } },
};

static mw_code study(const beams *b, mw_error *err)
{
  static const int want[N_COUNT] = { 4, 6, 8 };
  int one = beams_n_coord(b) == 1, n[N_GRID] = { one ? 19 : 13, one ? 37 : 25, one ? 73 : 49 };
  beams_truth truth = { 0 };
  beams_grid grid[N_GRID] = { { 0 } };
  mw_code rc = beams_truth_build(b, one ? 601 : 61, &truth, err);
  for (int i = 0; rc == MW_OK && i < N_GRID; i++) rc = beams_grid_build(b, n[i], &grid[i], err);
  for (int c = 0; rc == MW_OK && c < N_COUNT; c++) {
    beams_result r[N_GRID];
    for (int i = 0; rc == MW_OK && i < N_GRID; i++)
      rc = beams_compare(b, &grid[i], &truth, want[c], want[c] + 6, false, &r[i], err);
    if (rc == MW_OK)
      printf("%-28s %d  %d/%d/%d%s  %.1e %.1e %.1e  %5.2f %5.2f  %2d %2d %2d  %2d %2d %2d  %.3f\n",
             b->name, want[c], n[0], n[1], n[2], one ? " " : "²", r[0].error, r[1].error,
             r[2].error, log2(r[0].error / r[1].error), log2(r[1].error / r[2].error), r[0].m,
             r[1].m, r[2].m, r[0].m - r[0].n_cluster, r[1].m - r[1].n_cluster,
             r[2].m - r[2].n_cluster, r[2].largest_jump);
  }
  mw_arena_free(&truth.mem);
  for (int i = 0; i < N_GRID; i++) mw_arena_free(&grid[i].mem);
  return rc;
}

int main(void)
{
  mw_error err = { 0 };
  printf("%-28s n  grids     errors                   orders       m         joined    jump\n",
         "case");
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
    if (study(&studies[i], &err) != MW_OK) {
      fprintf(stderr, "%s: %s\n", studies[i].name, err.msg);
      return EXIT_FAILURE;
    }
  return EXIT_SUCCESS;
}
