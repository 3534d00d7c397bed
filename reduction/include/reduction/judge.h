// SPDX-License-Identifier: BSD-3-Clause
// judge.h: a reduction that is done but still in memory, to compare its model, or changed copies of
// it, elsewhere.
#ifndef MW_REDUCTION_JUDGE_H
#define MW_REDUCTION_JUDGE_H

#include <stdint.h>

#include "base/api.h"
#include "reduction/romfile.h"

MW_API_BEGIN

// The bodies' bases, the grid and the columns of a reduction, as long as mw_reduce calls
// mw_reduce_opt.judge.
typedef struct mw_judge mw_judge;

// Compares f with the mechanism at n configurations, uniform in the box and independent, other ones
// for every seed: on the bodies' bases (milliseconds each), or on the meshes. f: the model that
// mw_reduce made, or a copy with other numbers in its tables. out: what is compared at
// configurations, in arrays from mem (verdicts of certificate.h); rigid positions, lost patterns,
// stretching, forces of motion and frequencies under loads are those of f's own certificate. The
// last n, seed and kind of samples are kept for the next call.
// MW_ERR_NUMERIC: f's stiffness is not positive definite at one of them.
MW_MUST_USE mw_code mw_judge_random(mw_judge *j, const mw_rom_file *f, int n, uint64_t seed,
                                    bool meshes, mw_certificate *out, mw_arena *mem, mw_error *err);
// What mw_judge_random leaves to f's own certificate and is compared at configurations, too, into
// out, its result: forces of motion and rates of what does not swing along lines through n random
// configurations, frequencies under the weight and under inputs at n others, on the bodies' bases.
MW_MUST_USE mw_code mw_judge_motion(mw_judge *j, const mw_rom_file *f, int n, uint64_t seed,
                                    mw_certificate *out, mw_arena *mem, mw_error *err);
// The certificate that mw_reduce would have given f, at the same samples.
MW_MUST_USE mw_code mw_judge_certify(mw_judge *j, const mw_rom_file *f, mw_certificate *out,
                                     mw_arena *mem, mw_error *err);

MW_API_END

#endif
