// SPDX-License-Identifier: BSD-3-Clause
// material.c: bounds of density, Young's modulus and the speed of sound along a bar, √(E/ρ): steel
// 5200 m/s, polymers 300 to 2500, rubber 30 to 100, beryllium 13000, diamond 18000. A modulus in
// MPa, or a density in g/cm³, lies far outside; steel in kPa, 164 m/s, among soft polymers. What is
// denser than these (2500 kg/m³) is glass, metal or ceramics: lead, the softest, has 1190 m/s,
// polymers filled with tungsten 700.
#include "fem/material.h"

#include <math.h>
#include <stdio.h>

static const double RHO_MIN = 1.0, RHO_MAX = 3e4;       // kg/m³
static const double E_MIN = 1e4, E_MAX = 3e12;          // Pa
static const double SPEED_MIN = 20.0, SPEED_MAX = 2e4;  // m/s
static const double DENSE = 2.5e3, DENSE_MIN = 400.0;   // kg/m³, m/s

mw_material_doubt mw_material_check(double E, double rho, char text[MW_MATERIAL_TEXT])
{
  double speed = sqrt(E / rho), least = rho > DENSE ? DENSE_MIN : SPEED_MIN;
  text[0] = '\0';
  if (!(rho >= RHO_MIN && rho <= RHO_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT, "expected %g to %g", RHO_MIN, RHO_MAX);
    return MW_MATERIAL_DENSITY;
  }
  if (!(E >= E_MIN && E <= E_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT, "expected %g to %g", E_MIN, E_MAX);
    return MW_MATERIAL_MODULUS;
  }
  if (!(speed >= least && speed <= SPEED_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT,
             "sound would travel at %.3g m/s, expected %g to %g with the density of %g kg/m³",
             speed, least, SPEED_MAX, rho);
    return MW_MATERIAL_BOTH;
  }
  return MW_MATERIAL_USUAL;
}
