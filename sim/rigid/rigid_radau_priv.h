// SPDX-License-Identifier: BSD-3-Clause
// rigid_radau_priv.h: coefficients of the implicit Runge-Kutta method Radau IIA of order 5.
#ifndef MW_SIM_RIGID_RADAU_PRIV_H
#define MW_SIM_RIGID_RADAU_PRIV_H

enum { MW_RADAU_STAGES = 3 };

// Equations (1) to (3) of rigid_radau.c.
extern const double mw_radau_c[MW_RADAU_STAGES];
extern const double mw_radau_a[MW_RADAU_STAGES][MW_RADAU_STAGES];
extern const double mw_radau_t[MW_RADAU_STAGES][MW_RADAU_STAGES];  // lower triangle of A = T U
extern const double mw_radau_e[MW_RADAU_STAGES];
extern const double mw_radau_gamma;

#endif
