// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_motion.c: where machines that turn have their tool at rest, by their reduced models
// and by closed forms.
//
// 10000 random configurations each (splitmix64). Judged: 1e-6 m; velocities of the tool for unit
// rates 1e-4 of the largest.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "arms.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/vec3.h"
#include "reduction/reduce.h"

enum { N = 10000 };
static const double POSITION = 1e-6, VELOCITY = 1e-4;

// Errors at one θ, position in m and velocities of unit rates; the largest velocity.
static bool errors(arm_kind kind, const mw_rom *rom, const double *theta, double *v, double *grad,
                   double e[3])
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  double x[3], D[9], d[3];
  if (mw_rom_fields(rom, theta, v, grad, NULL) != MW_ROM_OK) return false;
  arm_tool(kind, theta, x, D);
  for (int i = 0; i < 3; i++) d[i] = v[L.y + i * (1 + rom->m)] - x[i];
  e[0] = fmax(e[0], mw_norm3(d));
  for (int j = 0; j < rom->s; j++) {
    double w[3];
    for (int i = 0; i < 3; i++) {
      w[i] = D[i * rom->s + j];
      d[i] = grad[j * rom->n_field + L.y + i * (1 + rom->m)] - w[i];
    }
    e[1] = fmax(e[1], mw_norm3(d));
    e[2] = fmax(e[2], mw_norm3(w));
  }
  return true;
}

static bool machine(arm_kind kind)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_progress quiet = mw_progress_default(true);
  mw_reduce_opt opt = { .progress = &quiet };
  double e[3] = { 0.0 };
  uint64_t state = 2;
  if (!arm_open(kind, NULL, &f)) return false;
  bool good = mw_fixture_okay(mw_reduce(&f.model, &f.mech, &opt, &rom, &err), &err);
  double *v = malloc((size_t)(rom.rom.n_field + 1) * sizeof *v);
  double *grad = malloc((size_t)(rom.rom.s * rom.rom.n_field + 1) * sizeof *grad);
  good = good && v && grad;
  for (int k = 0; good && k < N; k++) {
    double theta[MW_ROM_MAX_S];
    for (int i = 0; i < rom.rom.s; i++) {
      const mw_coordinate_in *c = &f.model.reduction.coordinate[i];
      theta[i] = c->lo + (c->hi - c->lo) * mw_random_unit(&state);
    }
    good = errors(kind, &rom.rom, theta, v, grad, e);
  }
  good = good && e[0] <= POSITION && e[1] <= VELOCITY * e[2];
  printf("%-13s tables of", arm_name(kind));
  for (int i = 0; i < rom.rom.s; i++) printf("%s%d", i ? " x " : " ", rom.rom.n_grid[i]);
  printf(" (%.3g MB, %.1f s)  tool %.2e m (%.0e)  velocity %.2e (%.0e)  %s\n",
         1e-6 * (double)mw_rom_bytes(&rom.rom), rom.wall_s, e[0], POSITION, e[1] / e[2], VELOCITY,
         good ? "met" : "MISSED");
  free(v);
  free(grad);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  return good;
}

int main(void)
{
  bool good = true;
  printf("tools at rest, %d random configurations\n", N);
  for (int k = 0; k < N_ARM; k++) good = machine((arm_kind)k) && good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
