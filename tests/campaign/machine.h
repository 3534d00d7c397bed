// SPDX-License-Identifier: BSD-3-Clause
// machine.h: a random machine of a number, and its model file as seen in other units, axes, frames,
// orders and names.
//
// Everything is kept in ground axes at the reference configuration; a view says how it is written.
#ifndef MW_TEST_MACHINE_H
#define MW_TEST_MACHINE_H

#include <stdbool.h>
#include <stdio.h>

enum {
  MACHINE_BODIES = 13,  // the ground is body 0
  MACHINE_JOINTS = 26,
  MACHINE_SPRINGS = 6,
  MACHINE_RUNNERS = 4,
  MACHINE_NAME = 32
};

typedef enum machine_kind {
  MACHINE_REVOLUTE,
  MACHINE_PRISMATIC,
  MACHINE_FIXED,
  MACHINE_SPHERICAL,
  MACHINE_CYLINDRICAL,
  MACHINE_UNIVERSAL,
  MACHINE_PLANAR,
  MACHINE_DISTANCE,
  MACHINE_SLIDE
} machine_kind;

// What a machine is made of.
typedef enum machine_family {
  MACHINE_TREE,      // rigid: revolute, prismatic, fixed joints without loops
  MACHINE_MIXED,     // rigid: joints of all kinds, without loops
  MACHINE_LOOPS,     // rigid: the same closed by rods
  MACHINE_PLANE,     // rigid: a plane loop anywhere in space, closed by a revolute joint
  MACHINE_ARM,       // elastic links in series
  MACHINE_CARRIAGE,  // a carriage on an elastic beam of the ground, which may carry an arm
  MACHINE_BRIDGE,    // an elastic beam on a travelling body, a carriage on it
  MACHINE_CRANK,     // an elastic slider-crank
  MACHINE_FAMILIES
} machine_family;

typedef struct machine_body {
  bool elastic, held;  // held: of the ground, clamped at both ends
  double o[3];         // m, origin of its frame
  double E[9];         // its axes as columns
  double mass;         // kg; of an elastic body at its end b
  double com[3];       // m
  double J[9];         // kg m2 about com, ground axes
  double end[3];       // m, elastic: a beam from o to here
  double up[3];
  double width, height;  // m
  double E_mod, rho;     // Pa, kg/m3
  int elements;          // of each half
} machine_body;

typedef struct machine_joint {
  machine_kind kind;
  int a, b;              // bodies
  double p[3];           // m, where both meet; distance, slide: the point of b
  double pa[3];          // m, distance: the point of a
  double axis[3];        // revolute, cylindrical, universal: of a turn; prismatic: of travel
  double axis_b[3];      // universal: of the second turn
  bool named;            // it has a coordinate, a drive and what follows
  double start, rate;    // m or rad and per second
  double damping, k;     // N s/m or N m s/rad; N/m or N m/rad, free at the reference
  double amplitude, hz;  // N or N m: force of the drive
  double to;             // elastic machines: the drive leads the coordinate from start to here
  double lo, hi;         // range of the reduction; lo = hi: none
  int n_runner;          // slide
  double offset[MACHINE_RUNNERS], stiffness, runner_damping;  // m; 0: rigid
  double shift[MACHINE_RUNNERS];                              // m, along n2
} machine_joint;

typedef struct machine_spring {  // between two points, the same in all directions
  int a, b;
  double pa[3], pb[3], k, c;  // m, N/m, N s/m
  bool line;                  // along the line between them, as one of `forces`
} machine_spring;

typedef struct machine {
  unsigned long number;
  machine_family family;
  int n_body, n_joint, n_spring;
  machine_body body[MACHINE_BODIES];
  machine_joint joint[MACHINE_JOINTS];
  machine_spring spring[MACHINE_SPRINGS];
  double gravity[3];             // m/s2
  double duration, step, store;  // s
  double alpha, beta;            // damping of elastic bodies, 1/s and s
  bool linear;                   // strain
} machine;

// A view: x_view = length (Q x + shift), masses times mass, seconds stay seconds.
typedef struct machine_view {
  double Q[9], shift[3];      // orthogonal, of determinant -1: a mirror; m before length
  double length, mass;        // units of length and mass of the view in one of the machine
  unsigned long long order;   // of bodies, joints, springs; 0: as they are
  unsigned long long names;   // 0: as they are
  unsigned long long frames;  // bodies have other frames; 0: their own
  double soft;                // Young's modulus is divided by it
  double step;                // s, 0: the machine's
} machine_view;

// A machine of a family: the same everywhere.
void machine_make(machine_family family, unsigned long number, machine *out);
machine_view machine_view_plain(void);
// A rotation (mirror: behind a reflection) that belongs to a number.
void machine_turn(unsigned long long number, bool mirror, double *Q);
void machine_write(const machine *m, const machine_view *v, FILE *f);
// Brings an output position back from a view, m.
void machine_back(const machine_view *v, const double *seen, double *x);
// Name of joint j's coordinate in a view, into name [MACHINE_NAME].
void machine_coord_name(const machine_view *v, int j, char *name);
bool machine_turns(const machine_joint *j);  // its coordinate is an angle

// Numbers from 0 to 1 that belong to a number.
double machine_uniform(unsigned long long *state);

// Runs a machine of the family MACHINE_TREE by a program of its own (machine_tree.c): coordinates
// of the joints at n_t instants `store` apart into s [n_t × n_joint], m or rad; origins of the
// bodies, ground axes, into x [n_t × n_body × 3], m.
bool machine_tree_run(const machine *m, double step, int n_t, double *s, double *x);

#endif
