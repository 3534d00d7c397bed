// SPDX-License-Identifier: BSD-3-Clause
// turned_priv.h: quaternion and angular velocity of a frame by three of its points; for paths and,
// as text, for exports, which need <math.h> and vec3.h alone.
//
// p [9]: the frame's point, the points along x and y, m, ground axes. A direction in which results
// are derived has a suffix _d; NULL (both of one): none.
#ifndef MW_OUTPUT_TURNED_PRIV_H
#define MW_OUTPUT_TURNED_PRIV_H

// q (w, x, y, z) from the body's axes to ground axes; its sign is that of its largest component.
void mw_turned_quaternion(const double p[9], const double *p_d, double q[4], double *q_d);

// Turns q, and q_d with it, to the sign whose first component that is not 0 is positive.
void mw_turned_sign(double q[4], double *q_d);

// w [3] rad/s, ground axes, for the rates v [9] of p.
void mw_turned_velocity(const double p[9], const double v[9], double w[3]);
// Its derivative w_d [3] in the direction (p_d, v_d).
void mw_turned_velocity_along(const double p[9], const double v[9], const double p_d[9],
                              const double v_d[9], double w_d[3]);

#endif
