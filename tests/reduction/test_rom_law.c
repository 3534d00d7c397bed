// SPDX-License-Identifier: BSD-3-Clause
// test_rom_law.c: friction and end stops against the formulas of rom.h (8), (9) in complex
// arithmetic, differences, and what they must never do: give energy.
#include <complex.h>
#include <float.h>
#include <math.h>

#include "mw_test.h"
#include "rom/step.h"

static const mw_rom_law drive = { .coulomb = 40.0,
                                  .stiction = 65.0,
                                  .stribeck = 0.02,
                                  .smooth = 1e-3,
                                  .lo = -0.3,
                                  .hi = 0.5,
                                  .stiffness = 1e6,
                                  .damping = 0.8,
                                  .soft = 1e-3 };

// Places in, at and beyond the stops, speeds from creep to far above every scale.
static const double places[] = {
  -0.31, -0.3003, -0.3, -0.2995, 0.0, 0.2, 0.4997, 0.5, 0.501, 0.52
};
static const double speeds[] = {
  -2.0, -0.05, -0.02, -1e-3, -2e-4, 0.0, 1e-5, 7e-4, 0.01, 0.3, 1.1
};
enum { N_PLACE = sizeof places / sizeof *places, N_SPEED = sizeof speeds / sizeof *speeds };

typedef double complex cplx;

// (8), (9) as they stand in the header. size: sum of the absolute values of the terms at real y, v.
static cplx force(const mw_rom_law *law, cplx y, cplx v, double *size)
{
  cplx q = v / law->stribeck;
  cplx F = (law->coulomb + (law->stiction - law->coulomb) / (1.0 + q * q)) * v /
           csqrt(v * v + law->smooth * law->smooth);
  cplx hi = y - law->hi, lo = law->lo - y, soft2 = law->soft * law->soft;
  cplx d_hi = (hi + csqrt(hi * hi + soft2)) / 2.0, d_lo = (lo + csqrt(lo * lo + soft2)) / 2.0;
  cplx S = law->stiffness * (d_hi * (1.0 + law->damping * v) - d_lo * (1.0 - law->damping * v));
  *size = fabs(law->coulomb) + fabs(law->stiction) +
          law->stiffness * (1.0 + law->damping * cabs(v)) * (cabs(hi) + cabs(lo) + 2.0 * law->soft);
  return -F - S;
}

static void force_and_slopes_are_those_of_the_formulas(void)
{
  const double step = 1e-30;
  for (int i = 0; i < N_PLACE; i++)
    for (int k = 0; k < N_SPEED; k++) {
      double f[6], y = places[i], v = speeds[k], size;
      mw_rom_law_eval(&drive, y, v, f);
      // thirty operations on terms of `size` at most; d cancels in the formula, relative to |p| in
      // size
      double want = creal(force(&drive, y, v, &size));
      MW_NEAR(f[0], want, 30 * DBL_EPSILON * size);
      // the slopes of d are below 1, those of friction below level/smooth + extra/stribeck
      double f_y = cimag(force(&drive, y + step * I, v, &size)) / step;
      double f_v = cimag(force(&drive, y, v + step * I, &size)) / step;
      double size_y = drive.stiffness * (1.0 + drive.damping * fabs(v));
      double size_v =
          drive.stiction / drive.smooth + drive.stiction / drive.stribeck +
          drive.stiffness * drive.damping * (fabs(y - drive.hi) + fabs(y - drive.lo) + drive.soft);
      MW_NEAR(f[1], f_y, 30 * DBL_EPSILON * size_y);
      MW_NEAR(f[2], f_v, 30 * DBL_EPSILON * size_v);
    }
}

// Fourth-order difference along y (axis 0) or v (1) of entry `of`.
static double difference(int axis, int of, double y, double v, double h)
{
  static const double weight[4] = { 1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0 };
  static const int at[4] = { -2, -1, 1, 2 };
  double sum = 0.0, f[6];
  for (int k = 0; k < 4; k++) {
    mw_rom_law_eval(&drive, y + (axis == 0 ? at[k] * h : 0.0), v + (axis == 1 ? at[k] * h : 0.0),
                    f);
    sum += weight[k] * f[of];
  }
  return sum / h;
}

static void second_derivatives_are_slopes_of_the_first(void)
{
  // A difference of step r times the smallest scale L of a function of size 1 errs by r⁴/30 of its
  // fifth derivative, below 5! · 3 /L⁵ for both shapes, and by 2 · 30 eps/r of rounding: with r =
  // 1e-3 1.2e-11 and 1.3e-11, relative to (size of the first derivative)/L; the places themselves
  // are rounded by eps |y|/(r L), 1e-10 of the size at most.
  const double r = 1e-3, tol = 1.2e-11 + 1.3e-11 + 1e-10;
  for (int i = 0; i < N_PLACE; i++)
    for (int k = 0; k < N_SPEED; k++) {
      double f[6], y = places[i], v = speeds[k];
      double along_y = drive.stiffness * (1.0 + drive.damping * fabs(v));
      double along_v = drive.stiction / drive.smooth;
      double both = drive.stiffness * drive.damping;
      mw_rom_law_eval(&drive, y, v, f);
      MW_NEAR(f[3], difference(0, 1, y, v, r * drive.soft), tol * along_y / drive.soft);
      MW_NEAR(f[4], difference(0, 2, y, v, r * drive.soft),
              tol * (along_v + both * drive.soft) / drive.soft);
      MW_NEAR(f[4], difference(1, 1, y, v, r * drive.smooth), tol * along_y / drive.smooth);
      MW_NEAR(f[5], difference(1, 2, y, v, r * drive.smooth),
              tol * (along_v + both) / drive.smooth);
    }
}

static void friction_and_damping_only_take_energy(void)
{
  for (int i = 0; i < N_PLACE; i++)
    for (int k = 0; k < N_SPEED; k++) {
      double f[6], rest[6], y = places[i], v = speeds[k];
      mw_rom_law_eval(&drive, y, v, f);
      mw_rom_law_eval(&drive, y, 0.0, rest);
      // the force less the stops' springs; the difference rounds by eps of the spring
      MW_CHECK((f[0] - rest[0]) * v <= 4 * DBL_EPSILON * fabs(rest[0] * v));
      MW_CHECK(v == 0.0 || (f[0] - rest[0]) * v < 0.0);
    }
}

static void friction_has_coulombs_level_stribecks_peak_and_is_odd(void)
{
  mw_rom_law law = drive;
  law.lo = -INFINITY;
  law.hi = INFINITY;
  double f[6], back[6];
  for (int k = 0; k < N_SPEED; k++) {
    mw_rom_law_eval(&law, 0.1, speeds[k], f);
    mw_rom_law_eval(&law, -7.0, -speeds[k], back);
    MW_CHECK(f[0] == -back[0] && f[2] == back[2] && f[5] == -back[5]);
    MW_CHECK(f[1] == 0.0 && f[3] == 0.0 && f[4] == 0.0);  // no stop: nothing depends on y
  }
  // far above both scales: coulomb (1 - smooth²/(2 v²)) + extra stribeck²/v², next terms below
  // their squares
  double v = 10.0, a = law.smooth / v, b = law.stribeck / v, extra = law.stiction - law.coulomb;
  mw_rom_law_eval(&law, 0.0, v, f);
  MW_NEAR(-f[0], law.coulomb * (1.0 - 0.5 * a * a) + extra * b * b,
          law.stiction * (a * a + b * b) * (a * a + b * b) + 10 * DBL_EPSILON * law.stiction);
  // at rest: nothing, with slope stiction/smooth
  mw_rom_law_eval(&law, 0.0, 0.0, f);
  MW_CHECK(f[0] == 0.0);
  MW_NEAR(f[2], -law.stiction / law.smooth, 10 * DBL_EPSILON * law.stiction / law.smooth);
  // between smooth and stribeck the force passes nearly stiction: at v = 5 smooth = stribeck/4 it
  // is (coulomb + extra/(1 + 1/16)) / sqrt(1 + 1/25)
  mw_rom_law_eval(&law, 0.0, 5e-3, f);
  MW_NEAR(-f[0], (40.0 + 25.0 / (1.0 + 1.0 / 16.0)) / sqrt(1.0 + 1.0 / 25.0),
          20 * DBL_EPSILON * 65.0);
  MW_CHECK(-f[0] > law.coulomb && -f[0] < law.stiction);
}

static void a_stop_is_half_soft_at_its_place_and_a_spring_beyond(void)
{
  mw_rom_law law = drive;
  double f[6];
  law.coulomb = law.stiction = 0.0;
  law.lo = -INFINITY;
  mw_rom_law_eval(&law, law.hi, 0.0, f);
  MW_NEAR(-f[0], law.stiffness * law.soft / 2.0, 10 * DBL_EPSILON * law.stiffness * law.soft);
  // p beyond: stiffness (p + soft²/(4 p)), the next term is soft⁴/(16 p³)
  double p = 0.25, soft2 = law.soft * law.soft;
  mw_rom_law_eval(&law, law.hi + p, 0.0, f);
  MW_NEAR(-f[0], law.stiffness * (p + soft2 / (4.0 * p)),
          law.stiffness * (soft2 * soft2 / (8.0 * p * p * p) + 10 * DBL_EPSILON * p));
  // p inside: stiffness soft²/(4 p), and to all digits although p + sqrt(p² + soft²) has none of
  // them left
  law.soft = 1e-9;
  soft2 = law.soft * law.soft;
  mw_rom_law_eval(&law, law.hi - p, 0.0, f);
  MW_NEAR(-f[0], law.stiffness * soft2 / (4.0 * p), 10 * DBL_EPSILON * law.stiffness * soft2 / p);
  // the lower stop is the upper one seen from the other side
  mw_rom_law mirror = law;
  mirror.lo = -law.hi;
  mirror.hi = INFINITY;
  double g[6];
  for (int k = 0; k < N_SPEED; k++) {
    mw_rom_law_eval(&law, 0.5004, speeds[k], f);
    mw_rom_law_eval(&mirror, -0.5004, -speeds[k], g);
    MW_CHECK(f[0] == -g[0] && f[1] == g[1] && f[2] == g[2] && f[3] == -g[3] && f[4] == -g[4] &&
             f[5] == -g[5]);
  }
}

static const mw_test_case cases[] = {
  { "force_and_slopes_are_those_of_the_formulas", force_and_slopes_are_those_of_the_formulas },
  { "second_derivatives_are_slopes_of_the_first", second_derivatives_are_slopes_of_the_first },
  { "friction_and_damping_only_take_energy", friction_and_damping_only_take_energy },
  { "friction_has_coulombs_level_stribecks_peak_and_is_odd",
    friction_has_coulombs_level_stribecks_peak_and_is_odd },
  { "a_stop_is_half_soft_at_its_place_and_a_spring_beyond",
    a_stop_is_half_soft_at_its_place_and_a_spring_beyond },
};

int main(void) { return mw_test_run("rom_law", cases, (int)(sizeof cases / sizeof *cases)); }
