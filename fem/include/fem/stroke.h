// SPDX-License-Identifier: BSD-3-Clause
// stroke.h: the stiffness of a spring that varies with a joint coordinate s, as that of a ball
// screw with where its nut is.
//
//   V = ½ k f(s) g² = ½ k (√f g)²                                                             (1)
// so that a spring is one of constant stiffness k whose measure is g √f, in all paths; beside
// its force along g it has one along s, −½ k f' g². Its dampers see (g √f)' with f alone: c f ġ.
#ifndef MW_FEM_STROKE_H
#define MW_FEM_STROKE_H

#include "base/api.h"
#include "fem/model.h"

MW_API_BEGIN

// √f at s, and its slope (NULL: not wanted). The compliance 1/f is a natural cubic spline of the
// points; beyond them it goes on as an exponential function of the same slope, never negative.
double mw_stroke_eval(const mw_stroke *k, double s, double *slope);

MW_API_END

#endif
