// SPDX-License-Identifier: BSD-3-Clause
// positioner.h: a carriage on two rails of a steel boom of hexahedra: the two-body positioner of
// the offline benches.
#ifndef MW_TESTS_BENCH_POSITIONER_H
#define MW_TESTS_BENCH_POSITIONER_H

#include <stdbool.h>

// Writes DIR/NAME.inp (the boom: bar.h, 1.2 m long, clamped at x = 0, with about `unknowns` of
// them, a CalculiX job for ten modes) and DIR/NAME.yaml (the model: 12 kg on four pads of 0.2 m,
// `points` grid points from x = 0.2 to 1 m, `modes` modes, `certificate` samples; extra: more lines
// of its section reduction, "" for none). false: cannot. *n: the boom's unknowns.
bool positioner_write(const char *dir, const char *name, double unknowns, int points, int modes,
                      int certificate, const char *extra, long *n);

#endif
