// SPDX-License-Identifier: BSD-3-Clause
// bench_motion.c: machines in motion against closed forms, tables of independent programs, and the
// full path.
//
//   bench_motion [group ...]     default: all
//
// A row: what, the figure (relative to the peak elastic deflection or to the frequency unless it
// says otherwise), its limit, met or missed. Exits with 1 where one is missed or could not be
// computed.
#include <stdio.h>
#include <string.h>

#include "motion.h"

typedef struct group {
  const char *name, *what;
  bool (*run)(int *missed);
} group;

static const group groups[] = {
  { "spin-up", "an arm spun up, against an inextensible beam of large rotations", motion_spin_up },
  { "rotating", "frequencies of rotating cantilevers (R21), reduced", motion_rotating },
  { "rotor", "Campbell diagram of an overhung rotor against its closed form", motion_rotor },
  { "column", "beams under their own and a carried weight, against the equation", motion_column },
  { "axial", "a beam under axial force with a point mass (R21)", motion_axial },
  { "boom", "a boom pushed through bearings, against Legendre polynomials", motion_boom },
  { "damping", "a moving mass on a damped beam, against sine modes", motion_damping },
  { "sprung", "a carriage on springs and dampers (R10)", motion_sprung },
  { "arms", "two-link arm, polar positioner, SCARA: at rest and in motion", motion_arms },
  { "soft", "soft bearings under a high centre of mass on a rotating arm", motion_soft },
  { "loops", "closed loops of elastic links driven by a torque", motion_loops },
  { "crank", "flexible slider-crank (R23) and a full turn", motion_crank },
  { "flexcell", "a beam sliding through a carriage (R22) and its pick", motion_flexcell },
  { "cost", "right-hand sides with second order over those of first order", motion_cost },
};

int main(int argc, char **argv)
{
  int failed = 0, known = 0, missed = 0;
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; i++) wanted = wanted || strcmp(argv[i], groups[g].name) == 0;
    if (!wanted) continue;
    known++;
    printf("%s: %s\n", groups[g].name, groups[g].what);
    if (groups[g].run(&missed)) continue;
    printf("%-72s %10s %10s  missed\n", "  could not be computed", "", "");
    failed++;
  }
  if (argc > 1 && known < argc - 1) {
    fprintf(stderr, "groups:");
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
      fprintf(stderr, " %s", groups[g].name);
    fprintf(stderr, "\n");
    return 2;
  }
  printf("%d rows missed, %d groups could not be computed\n", missed, failed);
  return failed > 0 || missed > 0;
}
