// SPDX-License-Identifier: BSD-3-Clause
// rom_names.h: names of one build of these files among several. Not for anyone else.
//
// The library holds them once for each set of vector instructions, ROM_ISA = _plain, _avx2, …: all
// functions that more than one file knows get that ending, and rom_api.c calls the best there is.
// Without ROM_ISA (on a controller) the names are as they are written. With ROM_LANES (rom_batch.c)
// what is written in `real` gets another ending.
#ifndef MW_ROM_NAMES_H
#define MW_ROM_NAMES_H

#include <stddef.h>

#ifdef ROM_ISA
#define ROM_JOIN_(a, b) a##b
#define ROM_JOIN(a, b)  ROM_JOIN_(a, b)
#define ROM_NAME(x)     ROM_JOIN(x, ROM_ISA)
#else
#define ROM_NAME(x) x
#endif

#ifdef ROM_LANES
#ifdef ROM_ISA
#define ROM_REAL_NAME(x) ROM_JOIN(ROM_JOIN(x, _lanes), ROM_ISA)
#else
#define ROM_REAL_NAME(x) x##_lanes
#endif
#else
#define ROM_REAL_NAME(x) ROM_NAME(x)
#endif

// written in `real`
#define rom_terms           ROM_REAL_NAME(rom_terms)
#define rom_work_init       ROM_REAL_NAME(rom_work_init)
#define rom_work_init_terms ROM_REAL_NAME(rom_work_init_terms)
#define rom_work_layout     ROM_REAL_NAME(rom_work_layout)
#define rom_exp_lay         ROM_REAL_NAME(rom_exp_lay)
#define rom_exp_step        ROM_REAL_NAME(rom_exp_step)
#define rom_interpolate     ROM_REAL_NAME(rom_interpolate)
#define rom_field_rate      ROM_REAL_NAME(rom_field_rate)
#define rom_add_curvature   ROM_REAL_NAME(rom_add_curvature)
#define rom_law_at          ROM_REAL_NAME(rom_law_at)

#ifdef ROM_ISA
#define rom_check_theta        ROM_NAME(rom_check_theta)
#define rom_check_state        ROM_NAME(rom_check_state)
#define rom_check_input        ROM_NAME(rom_check_input)
#define rom_blame              ROM_NAME(rom_blame)
#define rom_place_of           ROM_NAME(rom_place_of)
#define rom_interpolate_range  ROM_NAME(rom_interpolate_range)
#define rom_ranges_of          ROM_NAME(rom_ranges_of)
#define rom_add_slopes         ROM_NAME(rom_add_slopes)
#define rom_mirror             ROM_NAME(rom_mirror)
#define rom_add_turns          ROM_NAME(rom_add_turns)
#define rom_train_rank         ROM_NAME(rom_train_rank)
#define rom_train_range        ROM_NAME(rom_train_range)
#define rom_solve              ROM_NAME(rom_solve)
#define rom_invert             ROM_NAME(rom_invert)
#define rom_packed_sym_add     ROM_NAME(rom_packed_sym_add)
#define rom_symv               ROM_NAME(rom_symv)
#define rom_packed_skew_add    ROM_NAME(rom_packed_skew_add)
#define rom_exp_sens           ROM_NAME(rom_exp_sens)
#define rom_sens_packed        ROM_NAME(rom_sens_packed)
#define rom_sens_turning       ROM_NAME(rom_sens_turning)
#define rom_exp_sens_bytes     ROM_NAME(rom_exp_sens_bytes)
#define rom_sens_layout        ROM_NAME(rom_sens_layout)
#define rom_rk4_step           ROM_NAME(rom_rk4_step)
#define rom_stage_inside       ROM_NAME(rom_stage_inside)
#define mw_rom_step_sens       ROM_NAME(mw_rom_step_sens)
#define mw_rom_adjoint         ROM_NAME(mw_rom_adjoint)
#define rom_sens_init          ROM_NAME(rom_sens_init)
#define rom_interpolate_second ROM_NAME(rom_interpolate_second)
#define rom_second_doubles     ROM_NAME(rom_second_doubles)
#define rom_interpolate_third  ROM_NAME(rom_interpolate_third)
#define rom_jac_add_forces     ROM_NAME(rom_jac_add_forces)
#define rom_jac_add_second     ROM_NAME(rom_jac_add_second)
#define rom_jac_add_mass       ROM_NAME(rom_jac_add_mass)
#define rom_jac_mass_slope     ROM_NAME(rom_jac_mass_slope)
#define rom_jac_add_third      ROM_NAME(rom_jac_add_third)
#define rom_jac_third_of       ROM_NAME(rom_jac_third_of)
#define rom_jac_third_mass     ROM_NAME(rom_jac_third_mass)
#define rom_field_row          ROM_NAME(rom_field_row)
#define rom_jac_accel          ROM_NAME(rom_jac_accel)
#define rom_jac_solve          ROM_NAME(rom_jac_solve)
#define rom_terms_derivative   ROM_NAME(rom_terms_derivative)
#define rom_field_slope        ROM_NAME(rom_field_slope)
#define rom_field_curve        ROM_NAME(rom_field_curve)
#define rom_mid_step           ROM_NAME(rom_mid_step)
#define rom_accel              ROM_NAME(rom_accel)
#define rom_accel_of_fields    ROM_NAME(rom_accel_of_fields)

#define mw_rom_basis            ROM_NAME(mw_rom_basis)
#define mw_rom_fold             ROM_NAME(mw_rom_fold)
#define mw_rom_fields           ROM_NAME(mw_rom_fields)
#define mw_rom_rhs              ROM_NAME(mw_rom_rhs)
#define mw_rom_step             ROM_NAME(mw_rom_step)
#define mw_rom_jacobian         ROM_NAME(mw_rom_jacobian)
#define mw_rom_outputs_jacobian ROM_NAME(mw_rom_outputs_jacobian)
#define mw_rom_sens_bytes       ROM_NAME(mw_rom_sens_bytes)
#define mw_rom_outputs          ROM_NAME(mw_rom_outputs)
#define mw_rom_work_bytes       ROM_NAME(mw_rom_work_bytes)
#define mw_rom_energy           ROM_NAME(mw_rom_energy)
#define mw_rom_static           ROM_NAME(mw_rom_static)
#define mw_rom_batch_run        ROM_NAME(mw_rom_batch_run)
#define mw_rom_batch_bytes      ROM_NAME(mw_rom_batch_bytes)
#endif

#endif
