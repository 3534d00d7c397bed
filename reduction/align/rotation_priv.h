// SPDX-License-Identifier: BSD-3-Clause
// rotation_priv.h: logarithm and exponential of rotations of n dimensions.
#ifndef MW_REDUCTION_ROTATION_PRIV_H
#define MW_REDUCTION_ROTATION_PRIV_H

#include <stdbool.h>

#include "base/error.h"

// Determinant of A [n × n], kept.
MW_MUST_USE mw_code mw_rotation_det(int n, const double *A, double *det, mw_error *err);
// Skew L [n × n] with exp(L) = H, H [n × n] orthogonal with determinant 1, angles at most π.
// *half_turn: an angle is within 1e-4 of π, where L is one of several; exp(L) = H then to 2e-4
// only.
MW_MUST_USE mw_code mw_rotation_log(int n, const double *H, double *L, bool *half_turn,
                                    mw_error *err);
// R [n × n] = exp(t L), L skew.
MW_MUST_USE mw_code mw_rotation_exp(int n, double t, const double *L, double *R, mw_error *err);
// A [n × n] := its polar factor, the orthogonal matrix nearest to it.
MW_MUST_USE mw_code mw_rotation_nearest(int n, double *A, mw_error *err);

#endif
