// SPDX-License-Identifier: BSD-3-Clause
// force_step.h: forces that jump within a step, by every path: a cart of ½ kg on the beam of
// mw_fixture_beam, pushed by its motor (scenario push: no gravity, so that x(t) has a closed form;
// weigh: on a beam that bends under it; held: there a controller sampled at instants that no step
// meets).
#ifndef MW_TESTS_FORCE_STEP_H
#define MW_TESTS_FORCE_STEP_H

#include "fixture.h"
#include "reduction/reduce.h"
#include "sim/run.h"

enum { MW_FORCE_PUSH, MW_FORCE_WEIGH, MW_FORCE_HELD, MW_FORCE_N_PATH = 7 };

typedef struct mw_force_rig {
  mw_fixture light, heavy;  // without gravity and with it
  mw_rom_file rom[2];
  mw_body *body[2][2];  // of paths body and rigid
  mw_mech mech[2][2];
  mw_arena mem;
} mw_force_rig;

bool mw_force_open(mw_force_rig *r);
void mw_force_close(mw_force_rig *r);
const char *mw_force_path(int path);
// Runs any scenario of a mechanism (k 0: without gravity, 1: with it) by a path.
mw_code mw_force_try(mw_force_rig *r, int path, int k, const mw_scenario *sc, double h, mw_run *out,
                     mw_error *err);
// Runs a scenario by a path in steps of h; the force (push, weigh) jumps at t, s. Prints what went
// wrong.
bool mw_force_run(mw_force_rig *r, int path, int scenario, double h, double t, mw_run *out);
// Largest |x − x_exact| of push over its travel.
double mw_force_error(const mw_run *r, double t);
// Largest difference of x of two runs over its range.
double mw_force_distance(const mw_run *a, const mw_run *b);

#endif
