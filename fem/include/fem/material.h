// SPDX-License-Identifier: BSD-3-Clause
// material.h: what solids have, to find a unit that is wrong.
#ifndef MW_FEM_MATERIAL_H
#define MW_FEM_MATERIAL_H

#include "base/api.h"

MW_API_BEGIN

typedef enum mw_material_doubt {
  MW_MATERIAL_USUAL,
  MW_MATERIAL_DENSITY,
  MW_MATERIAL_MODULUS,
  MW_MATERIAL_BOTH  // each may be, not together
} mw_material_doubt;

enum { MW_MATERIAL_TEXT = 200 };

// From foams and rubber to tungsten carbide: E Pa, rho kg/m³. Beyond that text says what was
// expected.
mw_material_doubt mw_material_check(double E, double rho, char text[MW_MATERIAL_TEXT]);

MW_API_END

#endif
