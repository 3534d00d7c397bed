// SPDX-License-Identifier: BSD-3-Clause
// rom_api.c: the public calls, by the build for the best vector instructions of this machine.
//
// All builds give the same bits (step.h). The choice costs some nanoseconds a call.
#include "rom_kernel.h"

extern const rom_kernel rom_kernel_of_plain, rom_kernel_of_avx2, rom_kernel_of_avx512;

#ifdef MW_ROM_X86
const rom_kernel *const rom_kernels[ROM_MAX_KERNEL] = { &rom_kernel_of_plain, &rom_kernel_of_avx2,
                                                        &rom_kernel_of_avx512 };

int rom_kernel_runs(int k)
{
  if (k == 2)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  return k == 0 || (k == 1 && __builtin_cpu_supports("avx2"));
}
#else
const rom_kernel *const rom_kernels[ROM_MAX_KERNEL] = { &rom_kernel_of_plain };

int rom_kernel_runs(int k) { return k == 0; }
#endif

static const rom_kernel *best(void)
{
  for (int k = ROM_MAX_KERNEL - 1; k > 0; k--)
    if (rom_kernels[k] && rom_kernel_runs(k)) return rom_kernels[k];
  return rom_kernels[0];
}

const char *mw_rom_kernel_name(void) { return best()->name; }

void mw_rom_basis(int n, double lo, double hi, double theta, int *cell, double w[4], double dw[4])
{
  best()->basis(n, lo, hi, theta, cell, w, dw);
}

unsigned mw_rom_fold(const mw_rom *rom, const double *theta, double *at, double *turns)
{
  return best()->fold(rom, theta, at, turns);
}

mw_rom_code mw_rom_fields(const mw_rom *rom, const double *theta, double *value, double *gradient,
                          mw_rom_info *info)
{
  return best()->fields(rom, theta, value, gradient, info);
}

mw_rom_code mw_rom_rhs(const mw_rom_call *call, const double *x, double *acc)
{
  return best()->rhs(call, x, acc);
}

mw_rom_code mw_rom_step(const mw_rom_call *call, double *x) { return best()->step(call, x); }

mw_rom_code mw_rom_jacobian(const mw_rom_call *call, const double *x, double *acc, double *acc_x,
                            double *acc_u)
{
  return best()->jacobian(call, x, acc, acc_x, acc_u);
}

mw_rom_code mw_rom_step_sens(const mw_rom_call *call, double *x, double *x_x, double *x_u)
{
  return best()->step_sens(call, x, x_x, x_u);
}

mw_rom_code mw_rom_adjoint(const mw_rom_call *call, int n_step, const double *x, const double *g_x,
                           double *g_u, double *lambda)
{
  return best()->adjoint(call, n_step, x, g_x, g_u, lambda);
}

mw_rom_code mw_rom_outputs(const mw_rom *rom, const double *x, double *y, double *y_dot, void *work,
                           mw_rom_info *info)
{
  return best()->outputs(rom, x, y, y_dot, work, info);
}

mw_rom_code mw_rom_outputs_jacobian(const mw_rom_call *call, const double *x,
                                    const mw_rom_outputs_sens *out)
{
  return best()->outputs_jacobian(call, x, out);
}

mw_rom_code mw_rom_energy(const mw_rom_call *call, const double *x, double *T, double *V,
                          double *dissipated)
{
  return best()->energy(call, x, T, V, dissipated);
}

mw_rom_code mw_rom_static(const mw_rom *rom, const double *theta, const double *u, double *delta,
                          void *work, mw_rom_info *info)
{
  return best()->rest(rom, theta, u, delta, work, info);
}

void mw_rom_batch_run(const mw_rom *rom, const mw_rom_opt *opt, const mw_rom_batch *batch,
                      int first, int n, void *work)
{
  best()->batch_run(rom, opt, batch, first, n, work);
}

size_t mw_rom_batch_bytes(const mw_rom *rom) { return best()->batch_bytes(rom); }
size_t mw_rom_work_bytes(const mw_rom *rom) { return best()->work_bytes(rom); }
size_t mw_rom_sens_bytes(const mw_rom *rom) { return best()->sens_bytes(rom); }
