// SPDX-License-Identifier: BSD-3-Clause
// rom_isa.c: the table of one build, ROM_ISA.
#include "core/rom_layer.h"
// behind rom_layer.h: names carry the build's ending
#include "rom_kernel.h"

#define ROM_TEXT_(x) #x
#define ROM_TEXT(x)  ROM_TEXT_(x)

extern const rom_kernel ROM_NAME(rom_kernel_of);
const rom_kernel ROM_NAME(rom_kernel_of) = {
  .name = &ROM_TEXT(ROM_ISA)[1],  // without the underscore
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
