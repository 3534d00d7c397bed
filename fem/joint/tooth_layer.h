// SPDX-License-Identifier: BSD-3-Clause
// tooth_layer.h: what gear wheels and racks have in common: the flank that carries.
#ifndef MW_FEM_TOOTH_LAYER_H
#define MW_FEM_TOOTH_LAYER_H

#include <math.h>

#include "fem/joint.h"

// Pressure angle α in the transverse section, tan α = tan α_n/cos β, and the axial part of the
// contact normal over its transverse part, tan β cos α (β: helix at the pitch circle).
typedef struct mw_tooth {
  double cosine, sine, lead;
} mw_tooth;

static inline mw_tooth mw_tooth_of(const mw_joint_in *in)
{
  double alpha = atan(tan(in->pressure_angle) / cos(in->helix)), c = cos(alpha);
  return (mw_tooth){ .cosine = c, .sine = sin(alpha), .lead = tan(in->helix) * c };
}

// MW_ERR_INPUT where body, a wheel of joint j, can turn about other axes than that of j alone.
MW_MUST_USE mw_code mw_tooth_check_axle(const mw_mech *m, const mw_joint *j, int body,
                                        mw_error *err);

// g less whole multiples of the period, at which other teeth meet.
static inline double mw_tooth_near(double g, double period)
{
  return g - period * nearbyint(g / period);
}

// clang-format off
#define TOOTH_KEYS                                                                                \
  { "pressure_angle", 0,                                                                          \
    SHAPE(.scalar = MW_S_NUMBER, .unit = "rad", .lo = 0, .hi = 0.8), "0.3490658503988659",        \
    "in the normal section, at the pitch circle" },                                               \
  { "helix", 0,                                                                                   \
    SHAPE(.scalar = MW_S_NUMBER, .unit = "rad", .lo = -1.2, .hi = 1.2,                            \
          .mirror = MW_MIRROR_HAND), "0",                                                         \
    "helix angle of b's teeth at the pitch circle, above 0: right-handed" },                      \
  { "moment", 0, WORDS("positive negative"), "positive",                                          \
    "sense about axis of the moment that the teeth put on b: it says which flanks touch, and so "\
    "to which side the force along the line of contact leans; its radial part keeps that flank "  \
    "where the moment turns round" }
// clang-format on

#endif
