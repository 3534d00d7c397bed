// SPDX-License-Identifier: BSD-3-Clause
// small_motions_layer.h: small motions z'' + D z' + K z = B f, y = C z of m coordinates: their
// equations, modes and receptances without a library. modeway_rom.wasm
// has them; tests compile them natively.
#ifndef MW_SIM_SMALL_MOTIONS_LAYER_H
#define MW_SIM_SMALL_MOTIONS_LAYER_H

#include "rom/step.h"

// Small motions of a model about rest at theta, held there, without drive forces and laws
// (rest_motions.c): x [2 (s + m)] at rest; out: K, D [m × m], B [m] by a force along field `load`,
// C [n_y × m], y [n_y], one behind the other, all rows over the mass; work: what the model's calls
// need (mw_rom_work_bytes), where its fields are kept meanwhile.
mw_rom_code modeway_rom_rest(const mw_rom *r, const mw_rom_opt *opt, const double *theta, int load,
                             double *x, double *out, double *work);

// Modes of the symmetric K [m × m], row-major, which is destroyed: square [m] (rad/s)², ascending,
// and rows V [m × m], orthonormal. Returns 0, 1 where it did not converge.
int modeway_rom_modes(int m, double *K, double *square, double *V);

// Receptances h [n × 2], real and imaginary parts of C (K − ω² + iωD)⁻¹ B, ω = 2π hz, with B [m]
// and C [m];  work [2 m² + 2 m].
void modeway_rom_receptance(int m, const double *K, const double *D, const double *B,
                            const double *C, int n, const double *hz, double *h, double *work);

#endif
