// SPDX-License-Identifier: BSD-3-Clause
// cuda.h: many rollouts on a CUDA device, where the build found one: target mw_rom_cuda.
//
// Each rollout is a thread that makes the steps of mw_rom_step with the same operations in the same
// order, none fused, which should give the bits of the host. Compiled and tested on the host; no
// device has run it yet (README.md).
#ifndef MW_ROM_CUDA_H
#define MW_ROM_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

#include "rom/step.h"

// A model on the device. One thread of the host at a time may use it.
typedef struct mw_rom_cuda mw_rom_cuda;

// Copies the model to the device; name, what the device is called (may be NULL), holds until the
// close. NULL: *why says why not (no device, no memory), a text that is never freed.
mw_rom_cuda *mw_rom_cuda_open(const mw_rom *rom, const char **name, const char **why);
void mw_rom_cuda_close(mw_rom_cuda *gpu);  // NULL is fine

// mw_rom_batch_run of rollouts first … first + n - 1, in as many turns as its memory asks for. 0,
// or -1: *why says why not; rollouts that were not finished then have their x, code and done as
// they were; their paths may be written.
int mw_rom_cuda_batch_run(mw_rom_cuda *gpu, const mw_rom_opt *opt, const mw_rom_batch *batch,
                          int first, int n, const char **why);

#ifdef __cplusplus
}
#endif

#endif
