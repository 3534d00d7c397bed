// SPDX-License-Identifier: BSD-3-Clause
// flexible_priv.h: an instance of a component by a reduced model.
#ifndef MW_FLEXIBLE_PRIV_H
#define MW_FLEXIBLE_PRIV_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vec3.h"
#include "reduction/flexible.h"
#include "rom/flat.h"

enum { PORT_FIELDS = 9, FRAME = 12, TWIST = 6, STATES = 3 };  // STATES: of z that a frame carries

// What a port's frame is made of, as of the fields last taken in (flexible_frame.c).
typedef struct mw_port_frame {
  double o[3], E[9];  // m, 1: axes of the component
  double U[9];        // EᵀX, X = (a, b, 0)
  double P_inv[9];    // (tr U 1 − U)⁻¹
} mw_port_frame;

// What runs have left of what is promised, the largest of each over its limit; 0: nothing. What an
// instance remembers.
typedef struct mw_flexible_memory {
  double column;               // |δ| over delta_max
  double rate[MW_ROM_MAX_S];   // |θ̇| over rate_max
  double force[MW_ROM_MAX_S];  // |u| over that of the drive, of the first so many drives
  double turn;                 // rad, of a port against what θ alone says (mw_flexible_turned)
  int turned;                  // that port
} mw_flexible_memory;

typedef struct mw_flexible {
  mw_rom rom;  // with each field an input, and without ranges but that of θ
  mw_rom_opt opt;
  const mw_rom *promised;  // with its ranges
  mw_flexible_text text;
  mw_component_in in;
  mw_component_size size;
  int n;                // s + m
  int *input;           // [n_y]  0, 1, 2, …
  mw_port_frame *port;  // [n_seen]
  void *work;
  bool fresh;        // Y_u and acc_u are those of x
  mw_rom_code code;  // of the last evaluation
  int blame;         // coordinate then
  double *x;         // [2n]        state as last loaded
  double *Y;         // [3 × n_y]   fields, rates, accelerations without wrenches
  double *Y_u;       // [3 n_y × n_y]
  double *acc;       // [n]         accelerations without wrenches
  double *acc_u;     // [n × n_y]
  double *acc_x;     // [n × 2n]
  double *rigid;     // [n_y]       G acc: accelerations of fields but for what rates make
  double *gap;       // [n_seen × 6]
  double *u, *r;     // [n_y]       forces on fields, what they answer
  double *z, *y;     // [2n], [n_y] scratch
  double *start;     // [n_seen]    m or rad, of drives in the reference configuration
  double *place;     // [n_seen × 12]  frames there
  double *force;     // [n_seen]    N or N·m, on drives as last solved for
  double *G, *A;     // [s × n_y], [s × s]  kinematics: ∂y/∂θ, Cholesky factor of the mass
  double *record;    // [n_field]  kinematics: of the tables
  mw_flexible_memory memory;
  const char *value[MW_KEPT_PARAMETERS];  // of parameters unless they are set, as text
  char hash[65];
  mw_arena mem;
} mw_flexible;

// ---- flexible_frame.c ---------------------------------------------------------------------------

// Frame of fields y [9] with points at arm.
void mw_port_place(const double *y, double arm, mw_port_frame *f);
// Twist (Eᵀȯ, ω) of rates y_dot [9]: linear in them.
void mw_port_rate(const mw_port_frame *f, const double *y_dot, double arm, double twist[6]);
// (Eᵀö, ω̇) of fields that change by y_dot and y_ddot.
void mw_port_acceleration(const mw_port_frame *f, const double *y_dot, const double *y_ddot,
                          double arm, double out[6]);
// Adds the forces on fields that do what the wrench (E axes) does: the transpose of mw_port_rate.
void mw_port_wrench(const mw_port_frame *f, const double wrench[6], double arm, double *u);

// ---- flexible_parameter.c -----------------------------------------------------------------------

// Takes values of parameters from c->in: coefficients of `given`, whose tables are not in c->text.
MW_MUST_USE mw_code mw_flexible_set(mw_flexible *c, const mw_kept *given, mw_error *err);
void mw_flexible_parameter_of(const void *p, int k, mw_component_parameter *out);

// ---- flexible_motion.c --------------------------------------------------------------------------

// Evaluates fields at x; forces: accelerations and what wrenches change, too.
void mw_flexible_eval(mw_flexible *c, bool forces);
// The place (o, E) of what is seen, ground axes, at fields c->Y.
void mw_flexible_place(const mw_flexible *c, int k, double p[12]);
void mw_flexible_state_of(const mw_flexible *c, const double *q, double *z);
int mw_flexible_trouble(const mw_flexible *c, char *why, size_t n_why);
// The largest angle by which deflections turn a port, where frames q have it, rad, to *port its
// number; NaN: θ of q has no tables.
double mw_flexible_turned(mw_flexible *c, const double *q, int *port);
// The largest of the amplitudes delta [m] over what is promised of it.
double mw_flexible_reach(const mw_flexible *c, const double *delta);

double mw_flexible_load(void *p, double t, const double *q, const double *v);
int mw_flexible_factor(void *p, char *why, size_t n_why);
void mw_flexible_border(void *p, double *D);
void mw_flexible_solve(void *p, int what, const double *u, double h, const double *f, double *x);
void mw_flexible_energy(void *p, double t, const double *q, const double *v, double *kinetic,
                        double *potential);
void mw_flexible_residual(void *p, double t, const double *q, const double *v, const double *a,
                          double *out);
double mw_flexible_power(const void *p);

#endif
