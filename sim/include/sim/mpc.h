// SPDX-License-Identifier: BSD-3-Clause
// mpc.h: a receding-horizon controller on a reduced model: its reference trajectories and the
// quadratic program it solves each period.
//
// n = s + m, n_u inputs, all of them drives; n_ref fields of the model are followed: its outputs,
// then the drives' coordinates. Memory is taken from an arena once; a sample (mw_mpc_eval) takes
// none.
#ifndef MW_SIM_MPC_H
#define MW_SIM_MPC_H

#include "base/api.h"
#include "fem/model.h"
#include "reduction/romfile.h"
#include "sim/observer.h"
#include "sim/qp.h"

MW_API_BEGIN

enum { MW_MPC_MAX_STEP = 32, MW_MPC_MAX_REF = 16 };

// ---- plan.c: reference trajectories at every period h from t = 0 on ---------------------------

// The moves of a scenario's drives, and for each instant the model at rest with its drives there:
// fields y and their rates along the move. Rest, not rigid motion: the sag of the machine belongs
// to where the tool should be.
typedef struct mw_mpc_plan {
  int n_t, n_ref, n_out;  // the last instant stands for all later ones
  double h;               // s
  double end;             // s, when the last move ends
  int *field;             // [n_ref]  outputs, then drives' coordinates
  double *y, *y_dot;      // [n_t × n_ref]  m or rad, and per s
  double *x0, *u0;        // [2n], [n_u]  rest at t = 0 and the forces that hold it
} mw_mpc_plan;
// MW_ERR_INPUT: a drive without a controlled move. The plan is allocated from mem.
MW_MUST_USE mw_code mw_mpc_plan_build(const mw_rom_file *rom, const mw_model *model,
                                      const mw_scenario *sc, double h, mw_arena *mem,
                                      mw_mpc_plan *out, mw_error *err);

// ---- mpc.c: one quadratic program a period ----------------------------------------------------

typedef struct mw_mpc_opt {
  double period;               // s
  int n_step;                  // steps of the prediction, u constant over each
  double h[MW_MPC_MAX_STEP];   // s
  double tool, tool_rate;      // 1/m, s/m    weights of the outputs' errors
  double drive, drive_rate;    // 1/m, s/m    of the drives' coordinates
  double slew_weight;          // 1/N         of the change of a force in a period
  double force[MW_MPC_MAX_U];  // N           bound of each force
  double slew[MW_MPC_MAX_U];   // N           bound of its change in a period
} mw_mpc_opt;
mw_mpc_opt mw_mpc_opt_default(void);  // no bounds

typedef struct mw_mpc {
  const mw_rom *rom;  // borrowed, as the plan
  const mw_mpc_plan *plan;
  mw_mpc_opt opt;
  mw_rom_opt step;
  mw_observer observer;
  mw_qp qp;
  int n_v;                // n_step × n_u
  double *u;              // [n_step × n_u]  planned forces
  double *u_next;         // [n_u]  to be applied from the next sample on
  double *share;          // [n_step × n_step]  of the old steps in the new ones, a period later
  double *x, *X, *X_new;  // [2n], [2n × n_v]  predicted state and its derivatives
  double *A, *B;          // [2n × 2n], [2n × n_u]  of a step
  double *y, *y_dot, *e;  // [n_ref], [n_ref], [2 n_ref]
  double *J, *J_dot, *G;  // [n_ref × n], [n_ref × n], [2 n_ref × n_v]
  double *old;            // [n_step × n_u]
  mw_rom_code rom_code;   // of the last sample
  mw_qp_code qp_code;
} mw_mpc;
MW_MUST_USE mw_code mw_mpc_init(mw_mpc *c, const mw_rom_file *rom, const mw_mpc_plan *plan,
                                const mw_mpc_opt *opt, mw_arena *mem, mw_error *err);
// A sample at t: u [n_u] gets the forces that the sample before decided on, and the next ones are
// decided: what is computed has a whole period. Returns false when the model or the program
// failed (rom_code, qp_code); the forces decided then are those planned before.
bool mw_mpc_eval(mw_mpc *c, double t, const double *s, const double *s_dot, double *u);

MW_API_END

#endif
