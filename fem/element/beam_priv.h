// SPDX-License-Identifier: BSD-3-Clause
// beam_priv.h: what the beam's stiffness and its strains of second order share.
#ifndef MW_FEM_BEAM_PRIV_H
#define MW_FEM_BEAM_PRIV_H

#include "element_priv.h"

enum { MW_BEAM_GAUSS = 4 };

// Gauss-Legendre on [0, 1], exact to degree 7
static const double MW_BEAM_X[MW_BEAM_GAUSS] = { 0.069431844202973712, 0.33000947820757187,
                                                 0.66999052179242813, 0.93056815579702629 };
static const double MW_BEAM_W[MW_BEAM_GAUSS] = { 0.17392742256872693, 0.32607257743127307,
                                                 0.32607257743127307, 0.17392742256872693 };

// Finds length l (m) and local axes a [9] in rows; MW_ERR_INPUT as mw_beam_element.
MW_MUST_USE mw_code mw_beam_axes(const double x1[3], const double x2[3], const double up[3],
                                 mw_at at, double *l, double a[9], mw_error *err);

#endif
