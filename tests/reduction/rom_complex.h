// SPDX-License-Identifier: BSD-3-Clause
// rom_complex.h: equations of motion and outputs of a reduced model in complex arithmetic, by plain
// loops: their derivatives are imaginary parts, without truncation error.
#ifndef MW_ROM_COMPLEX_H
#define MW_ROM_COMPLEX_H

#include <complex.h>

#include "rom_reference.h"

typedef double complex cplx;

// How a sum is taken: as it stands, or over absolute values of real and imaginary parts of all
// factors, with no sign: then the imaginary part bounds the sum of the absolute values of all terms
// of a derivative.
enum { CPLX_PLAIN = 0, CPLX_ABSOLUTE };

// R [s + m] = M(q) a - r(q, v, u) with the laws of rom. Tables, with or without flat axes; inside
// the box, no mirror.
//   x [2(s + m)], u [n_u], a [s + m]
void cplx_residual(const mw_rom *rom, mw_rom_inertia inertia, int how, const cplx *x, const cplx *u,
                   const cplx *a, cplx *R);

// Field y of x, its rate and its second derivative in time with accelerations a.
void cplx_output(const mw_rom *rom, int how, const cplx *x, const cplx *a, int field, cplx out[3]);

#endif
