// SPDX-License-Identifier: BSD-3-Clause
// flexible_rig.h: components by reduced models in this process, beside the machines they are of.
#ifndef MW_TESTS_FLEXIBLE_RIG_H
#define MW_TESTS_FLEXIBLE_RIG_H

#include "component/flexible_priv.h"
#include "sim/case.h"

enum { RIG_FRAMES = 24, RIG_STATES = 48 };

// Frames q [n_frame × 12] that carry z, and those that are seen where z says.
void rig_place(mw_flexible *c, const double *z, double *q);

// Accelerations acc [n] at rest of coordinates x [n] of a machine around a component.
typedef bool rig_accelerate_fn(void *ctx, const double *x, double *acc);
// The lowest n_hz frequencies of −∂acc/∂x at x0 [n], by central differences of steps h: they err by
// h² of its third derivatives and by rounding over h.
bool rig_frequencies(int n, const double *x0, const double *h, rig_accelerate_fn *f, void *ctx,
                     int n_hz, double *hz);

// A folder of its own for what a suite writes, /tmp/test_SUITE.PROCESS, and the
// end of it with all that it holds.
bool rig_open(const char *suite);
void rig_close(void);
// The path of a file there, kept until the end; "" without memory.
const char *rig_path(const char *name);
// Writes such a file.
bool rig_put(const char *name, const char *text);
// A file whole to a string of mem.
char *rig_text(const char *path, mw_arena *mem);
// Runs the first scenario of a model file by a path.
bool rig_run(const char *path, const char *how, const mw_rom_file *rom, mw_run *r);
// Largest difference of the one output of two runs, m; NaN where they have others.
double rig_apart(const mw_run *a, const mw_run *b);

#endif
