// SPDX-License-Identifier: BSD-3-Clause
// mpc.h: a receding-horizon controller on a reduced model: what it follows, what it estimates, what
// it solves.
//
// n = s + m, n_u inputs, all of them drives; n_ref fields of the model are followed: its outputs,
// then the drives' coordinates. Memory is taken from an arena once; a sample (mw_mpc_eval) takes
// none.
#ifndef MW_GANTRY_MPC_MPC_H
#define MW_GANTRY_MPC_MPC_H

#include "fem/model.h"
#include "qp.h"
#include "reduction/romfile.h"

enum { MW_MPC_MAX_STEP = 32, MW_MPC_MAX_U = 8, MW_MPC_MAX_REF = 16 };

// ---- plan.c: where everything should be, every period h from t = 0 on ---------------------------

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
// MW_ERR_INPUT: a drive without a controlled move. The plan lives in mem.
MW_MUST_USE mw_code mw_mpc_plan_build(const mw_rom_file *rom, const mw_model *model,
                                      const mw_scenario *sc, double h, mw_arena *mem,
                                      mw_mpc_plan *out, mw_error *err);

// ---- observer.c: extended Kalman filter for the state and a constant force at each drive --------

typedef struct mw_observer_opt {
  double position, rate;  // m, m/s   what the measured coordinates and rates err by; 1e-6, 1e-4
  double force;           // N        change of the disturbing force in a period; 0.3
  double
      modal;  // kg^½ m/s   change of a column's rate in a period that the model does not know; 2e-5
} mw_observer_opt;
mw_observer_opt mw_observer_opt_default(void);

typedef struct mw_observer {
  const mw_rom *rom;  // borrowed
  const mw_rom_opt *opt;
  mw_observer_opt noise;
  int n_x, n_e, n_y;           // 2n, n_x + n_u, 2 n_u measured
  double *x, *d;               // [n_e]  state, then disturbing forces d = x + n_x, N
  double *P;                   // [n_e × n_e]  covariance
  double *A, *B, *F;           // [n_x × n_x], [n_x × n_u], [n_e × n_e]
  double *C, *CP, *S, *K, *T;  // [n_y × n_e] …, workspace
  double *value, *gradient;    // of mw_rom_fields
  void *work;                  // mw_rom_sens_bytes
} mw_observer;
MW_MUST_USE mw_code mw_observer_init(mw_observer *o, const mw_rom *rom, const mw_rom_opt *opt,
                                     const double *x0, mw_arena *mem, mw_error *err);
// Takes the drives' coordinates s and rates s_dot [n_u] in.
mw_rom_code mw_observer_update(mw_observer *o, const double *s, const double *s_dot);
// On by h under the forces u [n_u].
mw_rom_code mw_observer_step(mw_observer *o, double h, const double *u);

// Fields [n_ref] of a model at x with their derivatives: y, y_dot [n_ref], J [n_ref × n] =
// dy/d(theta, delta) = dy_dot/d(thd, deld), J_dot [n_ref × n] = dy_dot/d(theta, delta) but for
// second derivatives along theta. value [n_field], gradient [s × n_field]: workspace.
mw_rom_code mw_mpc_fields(const mw_rom *rom, const double *x, int n_ref, const int *field,
                          double *y, double *y_dot, double *J, double *J_dot, double *value,
                          double *gradient);

// C [m × n] := A [m × k] B [k × n] of row lengths a, b, c; C overlaps neither.
void mw_mpc_mul(int m, int n, int k, const double *A, int a, const double *B, int b, double *C,
                int c);

// ---- mpc.c: one quadratic programme a period ----------------------------------------------------

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
// decided: what is computed has a whole period. Returns false when the model or the programme
// failed (rom_code, qp_code); the forces decided then are those planned before.
bool mw_mpc_eval(mw_mpc *c, double t, const double *s, const double *s_dot, double *u);

#endif
