// SPDX-License-Identifier: BSD-3-Clause
// material.c: bounds of density, Young's modulus and the speed of sound along a bar, √(E/ρ): steel
// 5200 m/s, polymers 300 to 2500, rubber 30 to 100, beryllium 13000, diamond 18000. A modulus in
// MPa, or a density in g/cm³, lies far outside.
#include "fem/material.h"

#include <math.h>
#include <stdio.h>

static const double RHO_MIN = 1.0, RHO_MAX = 3e4;       // kg/m³
static const double E_MIN = 1e4, E_MAX = 3e12;          // Pa
static const double SPEED_MIN = 20.0, SPEED_MAX = 2e4;  // m/s

mw_material_doubt mw_material_check(double E, double rho, char text[MW_MATERIAL_TEXT])
{
  double speed = sqrt(E / rho);
  text[0] = '\0';
  if (!(rho >= RHO_MIN && rho <= RHO_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT, "expected %g to %g", RHO_MIN, RHO_MAX);
    return MW_MATERIAL_DENSITY;
  }
  if (!(E >= E_MIN && E <= E_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT, "expected %g to %g", E_MIN, E_MAX);
    return MW_MATERIAL_MODULUS;
  }
  if (!(speed >= SPEED_MIN && speed <= SPEED_MAX)) {
    snprintf(text, MW_MATERIAL_TEXT,
             "sound would travel at %.3g m/s, expected %g to %g with the density of %g kg/m³",
             speed, SPEED_MIN, SPEED_MAX, rho);
    return MW_MATERIAL_BOTH;
  }
  return MW_MATERIAL_USUAL;
}
