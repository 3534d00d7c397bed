// SPDX-License-Identifier: BSD-3-Clause
// rom_kernel.h: one build of the online model for a set of vector instructions, as a table of its
// functions.
#ifndef MW_ROM_KERNEL_H
#define MW_ROM_KERNEL_H

#include "rom/step.h"

typedef struct rom_kernel {
  const char *name;
  void (*basis)(int, double, double, double, int *, double[4], double[4]);
  unsigned (*fold)(const mw_rom *, const double *, double *, double *);
  mw_rom_code (*fields)(const mw_rom *, const double *, double *, double *, mw_rom_info *);
  mw_rom_code (*rhs)(const mw_rom_call *, const double *, double *);
  mw_rom_code (*step)(const mw_rom_call *, double *);
  mw_rom_code (*jacobian)(const mw_rom_call *, const double *, double *, double *, double *);
  mw_rom_code (*step_sens)(const mw_rom_call *, double *, double *, double *);
  mw_rom_code (*adjoint)(const mw_rom_call *, int, const double *, const double *, double *,
                         double *);
  mw_rom_code (*outputs)(const mw_rom *, const double *, double *, double *, void *, mw_rom_info *);
  mw_rom_code (*outputs_jacobian)(const mw_rom_call *, const double *, const mw_rom_outputs_sens *);
  mw_rom_code (*energy)(const mw_rom_call *, const double *, double *, double *, double *);
  mw_rom_code (*rest)(const mw_rom *, const double *, const double *, double *, void *,
                      mw_rom_info *);
  void (*batch_run)(const mw_rom *, const mw_rom_opt *, const mw_rom_batch *, int, int, void *);
  size_t (*batch_bytes)(const mw_rom *);
  size_t (*sens_bytes)(const mw_rom *);
  size_t (*work_bytes)(const mw_rom *);
} rom_kernel;

// Those this build has; the machine may know fewer: rom_kernel_runs. [0] runs everywhere, the last
// one that runs is used.
enum { ROM_MAX_KERNEL = 3 };
#pragma GCC visibility push(hidden)
extern const rom_kernel *const rom_kernels[ROM_MAX_KERNEL];  // NULL: not in this build
int rom_kernel_runs(int k);
#pragma GCC visibility pop

#endif
