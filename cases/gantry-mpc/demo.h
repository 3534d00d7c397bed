// SPDX-License-Identifier: BSD-3-Clause
// demo.h: the same move under the scenario's own controllers and under the receding horizon, and
// what came of it.
#ifndef MW_GANTRY_MPC_DEMO_H
#define MW_GANTRY_MPC_DEMO_H

#include <stdio.h>

#include "sim/controller.h"
#include "sim/mpc.h"
#include "sim/run.h"

struct mw_case;  // of modeway's own program: a model with its bodies and mechanism

// The wall's clock, which deadlines mean, and that of the thread, which stands still while others
// have the processor.
enum { MW_DEMO_WALL = 0, MW_DEMO_CPU = 1, MW_DEMO_CLOCKS = 2 };
enum { MW_DEMO_PD = 0, MW_DEMO_MPC = 1, MW_DEMO_RUNS = 2 };

typedef struct mw_demo_opt {
  const char *scenario, *dir;
  double duration;  // s, of both runs; 0.8
  double band;      // m, the tool is settled when all its axes stay within; 20e-6
  double deadline;  // s, for a sample; 0.8e-3
  // m, of the drives' encoders; 0: exact (the drives' own controllers always get that)
  double resolution;
  int solves;      // samples to be timed in all, at least; 10000
  bool rom_plant;  // the reduced model itself, finely stepped, in place of the full mechanism
  bool quiet;
} mw_demo_opt;

typedef struct mw_demo_figures {
  double settled;              // s from the start, NaN: not within the run
  double after;                // s from the nominal end of the move
  double off_plan;             // m, largest distance of the tool from the plan
  double ringing;              // m, largest distance from the target after the nominal end
  double force[MW_MPC_MAX_U];  // N, largest of each drive
  double slew[MW_MPC_MAX_U];   // N, largest change of each between two samples
} mw_demo_figures;

typedef struct mw_demo {
  mw_demo_opt opt;
  const struct mw_case *c;
  const mw_rom_file *rom;
  mw_scenario sc;  // the model's, with the demonstration's duration and store interval
  mw_mpc_plan plan;
  mw_mpc_opt mpc;    // with the bounds that the first run has used up
  double target[3];  // m, the tool of the plant at rest at the end of the move
  mw_run run[MW_DEMO_RUNS];
  mw_demo_figures figure[MW_DEMO_RUNS];
  // samples of the controller in the loop: what it measured, ordered, and how long it took
  int n_sample;
  double *s, *s_dot, *u;  // [n_sample × n_u]
  int *changes;           // [n_sample]  of the active set
  // and in all, with what was measured fed to it again
  int n_timed, n_late;
  double *time[MW_DEMO_CLOCKS];  // [n_timed]  s, ascending in the end
  mw_arena mem;
} mw_demo;

// Both runs, figures, times. Stays where it is until mw_demo_free.
MW_MUST_USE mw_code mw_demo_run(mw_demo *d, const struct mw_case *c, const mw_rom_file *rom,
                                const mw_demo_opt *opt, mw_error *err);
void mw_demo_free(mw_demo *d);
// The share p of all samples took at most so long, s.
double mw_demo_percentile(const mw_demo *d, int clock, double p);
void mw_demo_print(const mw_demo *d, FILE *f);
// pd.nc, mpc.nc, gantry-mpc.svg and report.html in opt.dir.
MW_MUST_USE mw_code mw_demo_write(const mw_demo *d, const char *command, mw_error *err);

// ---- plant.c ------------------------------------------------------------------------------------
// A run of the reduced model in steps of an eighth of the control period, with a controller (NULL:
// the scenario's own).
MW_MUST_USE mw_code mw_plant_rom(const mw_demo *d, const mw_controller *controller, mw_run *out,
                                 mw_error *err);

#endif
