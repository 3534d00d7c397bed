// SPDX-License-Identifier: BSD-3-Clause
// platform.h: drive forces of a parallel machine whose platform stands on legs of three axes each,
// in some hundred nanoseconds a leg. Other loops: analyze.h.
#ifndef MW_SIM_PLATFORM_H
#define MW_SIM_PLATFORM_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "fem/mech.h"

MW_API_BEGIN

typedef struct mw_platform mw_platform;

// Legs from the ground: revolute, prismatic and universal joints of three axes together, one of
// them with a drive, then a ball at the platform; rigid bodies, weight, dampers of coordinates.
// Memory from mem. MW_ERR_INPUT names what else there is.
MW_MUST_USE mw_code mw_platform_build(const mw_mech *m, mw_arena *mem, mw_platform **out,
                                      mw_error *err);
int mw_platform_body(const mw_platform *o);  // of the mechanism
// tau [n_drive], N or N·m, of least norm, where frames are p [n_body × 12] (closed, not checked)
// and the platform's has twist and acceleration [6]: of its origin, m/s, m/s², then angular, rad/s,
// rad/s², ground axes. Allocates nothing. false: a leg or the platform is singular there.
MW_MUST_USE bool mw_platform_eval(const mw_platform *o, const double *p, const double *twist,
                                  const double *acceleration, double *tau);

MW_API_END

#endif
