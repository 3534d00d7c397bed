// SPDX-License-Identifier: BSD-3-Clause
// rom_isa.c: the table of one build for a set of vector instructions. The linker joins the files of
// a build to one object that shows this table alone, as rom_kernel_of_ISA (CMakeLists.txt): names
// of functions are the same in all builds.
#include "rom_kernel.h"

#ifndef ROM_ISA
#define ROM_ISA "plain"
#endif

extern const rom_kernel rom_kernel_of;
const rom_kernel rom_kernel_of = {
  .name = ROM_ISA,
  .basis = mw_rom_basis,
  .fold = mw_rom_fold,
  .fields = mw_rom_fields,
  .rhs = mw_rom_rhs,
  .step = mw_rom_step,
  .jacobian = mw_rom_jacobian,
  .step_sens = mw_rom_step_sens,
  .adjoint = mw_rom_adjoint,
  .outputs = mw_rom_outputs,
  .outputs_jacobian = mw_rom_outputs_jacobian,
  .energy = mw_rom_energy,
  .rest = mw_rom_static,
  .batch_run = mw_rom_batch_run,
  .batch_bytes = mw_rom_batch_bytes,
  .sens_bytes = mw_rom_sens_bytes,
  .work_bytes = mw_rom_work_bytes,
};
