// SPDX-License-Identifier: BSD-3-Clause
// certificate_places.c: where a certificate judges forces of motion (certificate_lines.c).
//
// At random; in the outermost interval at either end of each coordinate, where splines and patterns
// are worst; at the samples that err most; and where columns turn most suddenly between points of
// the tables' grid, by the tables themselves:
//   turn² = Σ_i h_i² Σ_kl (δ²_i e_ikl / max(K_kk, K_ll))²     δ²_i second difference,
//       h_i the interval along axis i      (1)
// of which the order alone matters. Splines err by powers of that, and places may be narrow: a
// four-bar's columns turn within 0.03 of a turn of its crank. In an interval, t from 0 to 1, a
// cubic spline's values err by t² (1 − t)², most in the middle, and its slopes by t (1 − t) (1 −
// 2t): by nothing there, most at t = (1 ± 1/√3)/2; lines go through all three. Cost: 1 + 2 s
// evaluations of the tables a cell.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields_layer.h"
#include "reduction/certificate.h"

enum { TURNS = 8, THREE = 3 };  // cells where columns turn, places in each

// (1) at theta, with intervals h [s]; value [3 × n_field]
static mw_code turn_at(const mw_rom *rom, const double *theta, const double *h, double *value,
                       double *out, mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  int m = rom->m, mk = m * (m - 1) / 2;
  double sum = 0.0, at_i, near[MW_ROM_MAX_S];
  const double *mid = value, *below = value + rom->n_field, *above = below + rom->n_field;
  const double *K = mid + L.K;
  for (int i = 0; i < rom->s; i++)  // room on either side
    near[i] = fmin(fmax(theta[i], rom->lo[i] + h[i]), rom->hi[i] - h[i]);
  bool good = mw_rom_fields(rom, near, value, NULL, NULL) == MW_ROM_OK;
  for (int i = 0; i < rom->s; i++, near[i - 1] = at_i) {
    at_i = near[i];
    for (int side = 0; side < 2; side++) {
      near[i] = at_i + (side ? h[i] : -h[i]);
      good = good &&
             mw_rom_fields(rom, near, value + (1 + side) * rom->n_field, NULL, NULL) == MW_ROM_OK;
    }
    for (int k = 0, at = L.e + i * mk; k < m; k++)
      for (int l = 0; l < k; l++, at++) {
        double x = h[i] * (below[at] - 2.0 * mid[at] + above[at]) /
                   fmax(K[k * (k + 3) / 2], K[l * (l + 3) / 2]);
        sum += x * x;
      }
  }
  *out = sum;
  if (good) return MW_OK;
  return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
}

// The middle of cell c of the grid of r, and its intervals; cell numbers along the coordinates
static void cell_of(const mw_reduction *r, int c, int *number, double *theta, double *h)
{
  for (int i = 0; i < r->s; i++) {
    const mw_axis *a = &r->axis[i];
    number[i] = c % (a->n - 1);
    c /= a->n - 1;
    double lo = mw_axis_theta(a, number[i]), hi = mw_axis_theta(a, number[i] + 1);
    theta[i] = 0.5 * (lo + hi);
    h[i] = hi - lo;
  }
}

// Is it one of those that say the same: along flat axes, in the mirrored half of symmetric ones?
static bool told_already(const mw_reduction *r, const mw_rom *rom, const int *number)
{
  for (int i = 0; i < r->s; i++) {
    if (rom->flat >> i & 1u && number[i] > 0) return true;
    if (rom->symmetric >> i & 1u && 2 * number[i] >= r->axis[i].n - 1) return true;
  }
  return false;
}

// Cells, `most` at most, in which (1) is largest, no two of them neighbours: their number n
static mw_code most_bent(const mw_reduction *r, const mw_rom *rom, int most, int *cell, int *n,
                         mw_error *err)
{
  mw_arena tmp = { 0 };
  int cells = 1, number[MW_ROM_MAX_S], other[MW_ROM_MAX_S];
  double at[MW_ROM_MAX_S], h[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) cells *= r->axis[i].n - 1;
  double *turn = mw_arena_f64(&tmp, (size_t)cells),
         *value = mw_arena_f64(&tmp, 3 * (size_t)rom->n_field);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int c = 0; rc == MW_OK && c < cells; c++) {
    cell_of(r, c, number, at, h);
    if (!told_already(r, rom, number)) rc = turn_at(rom, at, h, value, &turn[c], err);
  }
  for (*n = 0; rc == MW_OK && *n < most; ++*n) {
    int best = 0;
    for (int c = 1; c < cells; c++)
      if (turn[c] > turn[best]) best = c;
    if (!(turn[best] > 0.0)) break;
    cell[*n] = best;
    cell_of(r, best, number, at, h);
    for (int c = 0; c < cells; c++) {
      bool near = true;
      cell_of(r, c, other, at, h);
      for (int i = 0; i < r->s; i++) near = near && abs(other[i] - number[i]) <= 1;
      if (near) turn[c] = 0.0;
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// Adds places in those cells: along one coordinate after the other, then along all, as lines go.
static mw_code add_turns(const mw_reduction *r, const mw_rom *rom, mw_places *to, double *theta,
                         mw_error *err)
{
  int cell[TURNS], n, number[MW_ROM_MAX_S], s = r->s, each = s > 1 ? s + 1 : 1;
  double middle[MW_ROM_MAX_S], h[MW_ROM_MAX_S];
  mw_code rc = most_bent(r, rom, TURNS, cell, &n, err);
  for (int k = 0; rc == MW_OK && k < n * THREE * each; k++, to->n++) {
    cell_of(r, cell[k / each / THREE], number, middle, h);
    for (int i = 0; i < s; i++)
      theta[to->n * s + i] = middle[i] + (k / each % THREE - 1) * h[i] / (2.0 * sqrt(3.0));
  }
  return rc;
}

mw_code mw_lines_certify(mw_reduction *r, const mw_patterns *p, const mw_rom_file *f, mw_lines *out,
                         mw_error *err)
{
  enum { SEED = 2, AN_END = 4, LEAST = 8 };  // AN_END: lines at either end
  static const double RANDOM = 0.48;         // random lines, of the samples asked for
  mw_arena tmp = { 0 };
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(&f->certificate, v), s = r->s;
  double *theta = mw_arena_f64(&tmp, (size_t)(MW_VERDICTS + TURNS * THREE * (s + 1)) * (size_t)s);
  int asked = (int)lround(RANDOM * r->model->reduction.n_sample);
  mw_line_places at = { .n_random = asked > LEAST ? asked : LEAST,
                        .n_end = 2 * s * AN_END,
                        .seed = SEED };
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    if (!v[k].theta) continue;
    memcpy(theta + at.given.n++ * s, v[k].theta, (size_t)s * sizeof *theta);
  }
  if (rc == MW_OK && f->inertia == MW_ROM_FULL) rc = add_turns(r, &f->rom, &at.given, theta, err);
  at.given.theta = theta;
  if (rc == MW_OK) rc = mw_lines_build(r, p, f->rom.n_y, &at, out, err);
  mw_arena_free(&tmp);
  return rc;
}
