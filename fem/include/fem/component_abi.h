// SPDX-License-Identifier: BSD-3-Clause
// component_abi.h: what a shared object with a component shows to the program that loads it. Needs
// nothing else: anybody can write such an object, in whatever language.
//
// A component is an assembly whose inside has no names: n_frame frames (o, E) at centres of mass
// along principal axes, p [12] = o (m), then E row-major, x = o + E X, ground axes. A state is
// their frames q [n_frame × 12] and rates v [n_frame × 12]; both belong to the caller, who
// integrates them. Tangent vectors u [n_frame × 6] are (Eᵀ do, φ): m, rad, frame axes; wrenches f
// [n_frame × 6] are (force, moment) along them, N, N·m. Ports are points of border frames; what is
// outside acts on border frames alone.
//
// With the wrenches Q of what is outside on the n_border border frames, the inside eliminated
// (Kasper, Vlasenko: Component Based Virtual Models of Mechanical Parts of Mechatronic Systems,
// sections 3.1 to 3.3, 4.1 to 4.3), the border moves by
//
//   accelerations         a = D Q + R                                                           (1)
//   corrections of
//   positions, velocities u = S Q + B          S = D: the metric of corrections is the mass     (2)
//
// A component may have states that are no frames of bodies: of elastic deflections, of a reduced
// model. Frames behind the others carry them, three coordinates each in o, with E = 1; n_state of
// them in order, with the rates in v. Nothing outside acts on such frames.
//
// `border` gives D, `solve` R or B (on the border frames, where Q = 0), and a or u of all frames
// once the caller has found Q.
#ifndef MW_FEM_COMPONENT_ABI_H
#define MW_FEM_COMPONENT_ABI_H

#include <stddef.h>

enum { MW_COMPONENT_VERSION = 3 };  // of this interface
#define MW_COMPONENT_SYMBOL "mw_component_interface"

// What is to be found: right-hand sides of what is inside.
enum {
  MW_COMPONENT_NOTHING,       // none: changes of forces from outside alone
  MW_COMPONENT_ACCELERATION,  // forces, springs, friction, and what rates ask for
  MW_COMPONENT_POSITION,      // −g: closes the joints
  MW_COMPONENT_VELOCITY,      // −(J u + g_t): what is added to rates u
  MW_COMPONENT_LANDING        // accelerations that close rates u within half a step h/2
};

typedef struct mw_component_in {  // where an instance stands, borrowed while it is opened
  // x_ground = A x + p: A row-major, its columns orthonormal; mirror 1, 2 or 3: A has a
  // determinant of −1, across the x, y or z axis of the component; 0: it is a rotation
  double p[3], A[9];  // m, 1
  int mirror;
  double gravity[3];  // m/s², ground axes
  int look;           // 1: to be looked at, gravity is not known
  int kinematics;     // 1: no forces, what is elastic is rigid, as far as positions need it
  double size;        // m, of the mechanism that it is part of; 0: not known
  int n_set;
  const char *const *set;  // [n_set]  "name=value" of parameters
} mw_component_in;

typedef struct mw_component_size {
  int n_frame, n_border, n_port, n_drive, n_output, n_parameter;
  int n_row;            // of joints inside, independent ones; what is elastic is rigid
  int springs;          // 1: something inside is elastic
  int grounded;         // 1: the inside hangs on the ground
  double size;          // m, of the inside: places, gyration and joints, from the ground's origin
  size_t n_memory;      // bytes, what an instance remembers from step to step besides q and v
  const char *hash;     // SHA-256, hexadecimal, of what the component was made from
  const int *border;    // [n_border]  frames, ascending
  int n_state;          // coordinates that frames carry in place of bodies, 0: none
  int state0;           // the first of these frames
  double step;          // s, the longest step of RK4 that what swings inside allows; 0: any
  const char *promise;  // lines, what its certificate says of the inside; NULL: it has none
} mw_component_size;

typedef struct mw_component_port {
  const char *name;
  int frame;
  const char *point;  // name of a point of the body that the port is, NULL: the port itself
  double x[3];        // m, in the axes of the body
} mw_component_port;

// A drive inside, which what is outside commands: the coordinate that it acts on, of frames of the
// border. Angle: of direction x about z; else the travel of the point of b along z. −1: the ground.
typedef struct mw_component_drive {
  const char *name, *coordinate;
  int angle;          // 1: rad, 0: m
  int a, b;           // frames of the bodies
  double point[3];    // m, of b, in the axes of its body; travel
  double z[3], x[3];  // in the axes of a's body, across each other
  double start;       // m or rad, in the reference configuration
  double limits[2];   // m or rad, where a run ends; −INFINITY, INFINITY: nowhere
  // 1: the drive turns a rotor behind a flexible transmission, all at the coordinate but for
  // inertia, of the rotor that turns ratio times: kg·m² (kg), 1 (rad/m), N·m/rad (N/m), N·m·s/rad
  int rotor;
  double inertia, ratio, stiffness, damping;
} mw_component_drive;

typedef struct mw_component_output {
  const char *name;
  // "position" of a point; else "velocity" or "acceleration" of the position called so,
  // "drive_force" of a drive, "coordinate" of a drive's
  const char *kind, *of;
  int frame;    // position
  double x[3];  // m; in the axes of the body of border frames, of inner frames in their own
} mw_component_output;

typedef struct mw_component_parameter {
  const char *name;
  const char *value;  // text of what it is unless it is set
} mw_component_parameter;

typedef struct mw_component_body {  // a frame in the reference configuration
  double p[12];                     // of the body that outside is known by its ports
  double c[3], R[9];  // the frame there: o = p_o + E c, E = E_p R; of inner frames 0 and 1
} mw_component_body;

// Functions return 0, or 1 with a sentence (no newline, without names of what is inside) in why
// [n_why]. c: an instance; two of them share nothing.
typedef struct mw_component_calls {
  void (*close)(void *c);                               // NULL: nothing
  void (*size)(const void *c, mw_component_size *out);  // borrowed from c
  void (*port)(const void *c, int k, mw_component_port *out);
  void (*drive)(const void *c, int k, mw_component_drive *out);
  void (*output)(const void *c, int k, mw_component_output *out);
  void (*parameter)(const void *c, int k, mw_component_parameter *out);
  void (*body)(const void *c, int frame, mw_component_body *out);
  // Rows at t (s), q, and with v not NULL what accelerations need besides: kinematics, forces.
  // Returns the largest gap, m or 1.
  double (*load)(void *c, double t, const double *q, const double *v);
  int (*factor)(void *c, char *why, size_t n_why);  // of the rows as last evaluated
  void (*border)(void *c, double *D);               // [6 n_border × 6 n_border], row-major
  // x [n_frame × 6] with wrenches f from outside. u [n_frame × 6], h: of VELOCITY, LANDING.
  void (*solve)(void *c, int what, const double *u, double h, const double *f, double *x);
  // After an acceleration with all wrenches: friction inside takes the normal forces of it.
  // *change: by how much they changed, *largest of them, N: solved again until that is nothing.
  void (*normals)(void *c, double *change, double *largest);
  // Of the last acceleration: W, of dampers and friction.
  double (*power)(const void *c);
  void (*energy)(void *c, double t, const double *q, const double *v, double *kinetic,
                 double *potential);  // J
  // Largest |g|, |J u + g_t|, |J u' − γ| of rows inside, to out [3].
  void (*residual)(void *c, double t, const double *q, const double *v, const double *a,
                   double *out);
  // The step that led to q is accepted: turns of coordinates are counted from here. `turns` keeps
  // those of springs and fails where one has no direction any more.
  void (*accept)(void *c, const double *q);
  int (*turns)(void *c, double t, const double *q, char *why, size_t n_why);
  void (*save)(void *c, void *memory);  // [n_memory] bytes
  void (*restore)(void *c, const void *memory);
  // Ranges of its certificate that accepted steps have left: 0 where none was, or 1 with a sentence
  // in what [n]. NULL: it promises nothing.
  int (*left)(const void *c, char *what, size_t n);
} mw_component_calls;

typedef struct mw_component_abi {
  int version;       // MW_COMPONENT_VERSION
  size_t bytes;      // of this struct and mw_component_calls together
  const char *from;  // program that made it
  int (*open)(const mw_component_in *in, void **c, char *why, size_t n_why);
  const mw_component_calls *calls;
} mw_component_abi;

// The object's only symbol, MW_COMPONENT_SYMBOL.
typedef const mw_component_abi *mw_component_fn(void);

#endif
