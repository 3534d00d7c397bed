// SPDX-License-Identifier: BSD-3-Clause
// bar.h: a clamped bar of second-order solids as a CalculiX input file, and as a model that reads
// it.
#ifndef MW_TESTS_BENCH_BAR_H
#define MW_TESTS_BENCH_BAR_H

#include <stdbool.h>

// Length × 0.2 × 0.15 m of steel, clamped at x = 0.
typedef struct bar {
  const char *type;  // "C3D10" (six tetrahedra a cell) or "C3D20"
  double length;     // m
  int n[3];          // cells along x, y, z
} bar;

// Cells near cubes that give about `unknowns` (free) ones.
bar bar_of_size(const char *type, double length, double unknowns);
// Writes DIR/NAME.inp (mesh, material, boundary, a step for n_modes modes) and DIR/NAME.yaml;
// false: cannot. Returns the unknowns left free through unknowns.
bool bar_write(const bar *b, int n_modes, const char *dir, const char *name, long *unknowns);

#endif
