// SPDX-License-Identifier: BSD-3-Clause
// oscillator.c: a program of somebody else on libmodeway-rom: one mode beside a coordinate that
// stays where it is, delta = cos(omega t). Prints the largest error of a period; exit status 1 if
// it is above what the step's order allows.
#include <math.h>
#include <rom/step.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
  enum { KNOTS = 6, STEPS = 1000, FIELDS = 16 };
  const double omega = 2.0 * acos(-1.0), h = 1.0 / STEPS;
  static const double undamped[] = { 0.0 }, any[] = { INFINITY };
  mw_rom rom = { .s = 1,
                 .m = 1,
                 .n_grid = { KNOTS - 2 },
                 .lo = { 0.0 },
                 .hi = { 1.0 },
                 .c_theta = undamped,
                 .delta_max = any };
  mw_rom_layout at = mw_rom_layout_of(mw_rom_shape_of(&rom));
  static double coef[KNOTS * FIELDS];
  if (at.n > FIELDS) return EXIT_FAILURE;
  for (int k = 0; k < KNOTS; k++)
    coef[k * at.n + at.a] = 1.0, coef[k * at.n + at.K] = omega * omega;
  rom.n_field = at.n;
  rom.coef = coef;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.prescribed = 1;
  void *work = aligned_alloc(64, (mw_rom_work_bytes(&rom) + 63) / 64 * 64);
  mw_rom_info info;
  mw_rom_call call = { .rom = &rom, .opt = &opt, .h = h, .work = work, .info = &info };
  double x[4] = { 0.5, 1.0, 0.0, 0.0 }, worst = 0.0;
  for (int i = 1; i <= STEPS; i++) {
    mw_rom_code code = mw_rom_step(&call, x);
    if (code != MW_ROM_OK) return puts(mw_rom_code_name(code)), EXIT_FAILURE;
    worst = fmax(worst, fabs(x[1] - cos(omega * i * h)));
  }
  free(work);
  printf("%s: largest error of a period %.1e\n", mw_rom_kernel_name(), worst);
  return worst < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
