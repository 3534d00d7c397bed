// SPDX-License-Identifier: BSD-3-Clause
// reach.h: accessible dynamics: what speeds and accelerations limits of drives leave along a path
// (Horáček, Šika, Valášek, Adv. Eng. Softw. 72, 2014).
//
// A path gives positions, attitude or coordinates over a parameter p in [0, 1]; p follows time as
// it may. All of it is about the mechanism with rigid bodies, as sim/analyze.h.
#ifndef MW_SIM_REACH_H
#define MW_SIM_REACH_H

#include <stdbool.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/expr.h"
#include "sim/analyze.h"

MW_API_BEGIN

// ---- paths (analyze/tool_path.c) ----------------------------------------------------------------

// What a part of a path says: position of the output (m, ground axes), Cardan angles of its body
// (rad, about x, the turned y, the twice turned z, from the ground's axes), or MW_ALONG_COORDINATE
// + c.
enum { MW_ALONG_X, MW_ALONG_RX = 3, MW_ALONG_COORDINATE = 6 };

typedef struct mw_path_part {
  int what;
  mw_expr expr;      // of p, written t; {0}: it is 0
  double *y, *bend;  // [n_knot]  C² cubic spline in its place, its second derivatives; NULL: none
} mw_path_part;

typedef struct mw_tool_path {
  int output;  // into the model's outputs, a position; −1: coordinates alone
  int n_part;
  mw_path_part *part;  // [n_part]
  int n_knot;
  double *knot;  // [n_knot]  p of splines, ascending from 0 to 1
} mw_tool_path;

// The position output of this name (NULL: the model's first that moves; −1: it has none) into
// *output.
// MW_ERR_INPUT: there is none of the name, or it does not move.
MW_MUST_USE mw_code mw_tool_output(const mw_mech *m, const char *name, int *output, mw_error *err);

// Reads "x=0.9+0.5*cos(2*pi*t),y=0.3+0.5*sin(2*pi*t),rz=0", t the path's parameter; names are x y z
// rx ry rz of the output (NULL: the model's first position) and coordinates. With one of the angles
// all three are given, 0 where not named. Memory from mem.
MW_MUST_USE mw_code mw_tool_path_read(const mw_mech *m, const char *text, const char *output,
                                      mw_arena *mem, mw_tool_path *out, mw_error *err);
// The same from a table: a line of names, then rows of n numbers, splines through them; a first
// column p, or the parameter is the row's number over the last one's.
MW_MUST_USE mw_code mw_tool_path_table(const mw_mech *m, const char *file, const char *output,
                                       mw_arena *mem, mw_tool_path *out, mw_error *err);
// What part i of a path says: "tip.x" or "tip.rx" of its output, or a coordinate's name.
enum { MW_PATH_NAME = 192 };
void mw_tool_path_name(const mw_mech *m, const mw_tool_path *path, int i, char name[MW_PATH_NAME]);
// Either: a table where the argument ends in .csv.
MW_MUST_USE mw_code mw_tool_path_from(const mw_mech *m, const char *arg, const char *output,
                                      mw_arena *mem, mw_tool_path *out, mw_error *err);

// ---- along a path (analyze/path_dynamics.c) -----------------------------------------------------

// a p̈ + b ṗ² + f ṗ ≤ h
typedef struct mw_half {
  double a, b, f, h;
} mw_half;

// In k independent coordinates z, chosen among all so that they say most of the motion, driven ones
// first:  Q = a p̈ + b ṗ² + f ṗ + c ,  Q = B n  of drives' forces n.
typedef struct mw_path_dynamics {
  int n, k, n_drive, n_coord;
  int *coord;           // [k]            z
  double *p;            // [n]
  double *s, *s1, *s2;  // [n × n_coord]  coordinates, their first and second derivatives by p
  double *a, *b, *f, *c;  // [n × k]      N or N·m, of p̈ (1/s²), ṗ² (1/s²), ṗ (1/s), at rest
  double *B;              // [n × k × n_drive]
  double *rate;           // [n × n_drive] derivatives of the drives' coordinates by p, m or rad
  bool viscous;           // f, or that of a bound, does not vanish
  // c has dry friction of coordinates (drive_friction), coulomb against the way of each: exact
  // where p rises and they move faster than at `smooth`; none of coordinates that stand
  bool dry;
  int n_bound;     // 0: what follows is NULL
  mw_half *bound;  // [n × n_bound]  limits besides those of drives
} mw_path_dynamics;

// At ascending p [n], from the position `at` on, on the branch of positions that is nearest to it.
// MW_ERR_INPUT: the path does not say all of the motion or stays where it is, forces are not of
// second degree in the speed (stops), friction goes with reactions or falls with the speed.
// MW_ERR_NUMERIC: the path leads where the mechanism cannot go, or through a singular position;
// says at which p.
MW_MUST_USE mw_code mw_path_dynamics_find(const mw_mech *m, const mw_position *at,
                                          const mw_tool_path *path, int n, const double *p,
                                          mw_arena *mem, mw_path_dynamics *out, mw_error *err);

// ---- regions (analyze/region.c) -----------------------------------------------------------------

typedef struct mw_drive_limits {
  double *lo, *hi;  // [n_drive]  N or N·m
  double *speed;    // [n_drive]  m/s or rad/s, of its coordinate; INFINITY: none
  double *power;    // [n_drive]  W, driving and braking; INFINITY: none; NULL: none at all
} mw_drive_limits;

// Limits as a command line has them, NULL: none beside those that the reduction declares.
typedef struct mw_limits_text {
  const char *force, *speed, *power;
} mw_limits_text;

// The drive whose name the first len characters of text are, -1: none (analyze/drive_limits.c).
int mw_drive_named(const mw_model *m, const char *text, size_t len);
// MW_ERR_INPUT: the name at p, in the list all of entries NAME=.., stands before p already.
MW_MUST_USE mw_code mw_drive_once(const char *option, const char *all, const char *p,
                                  mw_error *err);
// "m1=30,m2=-10:12" of an option: limits lo and hi [n_drive] of drives, LO:HI or the largest value,
// both ways; lo NULL: the largest alone. text NULL: nothing is set.
MW_MUST_USE mw_code mw_limits_read(const char *option, const char *text, const mw_model *m,
                                   double *lo, double *hi, mw_error *err);
// Those of text, else max_input and max_rate of the reduction, else INFINITY (of lo -INFINITY).
MW_MUST_USE mw_code mw_drive_limits_known(const mw_model *m, const mw_limits_text *text,
                                          mw_arena *mem, mw_drive_limits *out, mw_error *err);
// The same for regions, which need a limit of each force; drives at frames give none.
// Memory from mem. MW_ERR_INPUT: a drive whose force has no limit.
MW_MUST_USE mw_code mw_drive_limits_find(const mw_model *m, const mw_limits_text *text,
                                         mw_arena *mem, mw_drive_limits *out, mw_error *err);

// Half-planes at point i, out [mw_halves_most]: the bounds of d, then what limits of forces leave,
// by r-tuples: all choices of k − 1 drives that are left out; the others are at their limits where
// equality holds.
int mw_halves_most(const mw_path_dynamics *d);
// MW_ERR_INPUT: there are fewer drives than freedoms, more than 200 such choices, or more
// half-planes than polygons take.
MW_MUST_USE mw_code mw_halves_check(const mw_path_dynamics *d, mw_error *err);
// Limits of power are left out here.
int mw_halves_find(const mw_path_dynamics *d, int i, const mw_drive_limits *limits, mw_half *out);
// The same with limits of power at the speed √x, x > 0: of forces P/(|rate| ṗ) by the tangent
// there, which is exact at x and lies within the limit elsewhere.
int mw_halves_near(const mw_path_dynamics *d, int i, const mw_drive_limits *limits, double x,
                   mw_half *out);
double mw_speed_limit(const mw_path_dynamics *d, int i, const mw_drive_limits *limits);  // of ṗ

// Polygon of (ṗ², p̈), ṗ² from lo to hi, of half-planes without f: vertex [2 (n + 4)], counter-
// clockwise; returns their number, 0: nothing is accessible, −1: it is unbounded in p̈.
int mw_region_polygon(int n, const mw_half *half, double lo, double hi, double *vertex);
// Range of p̈ at the speed ṗ, with f; false: none.
bool mw_region_range(int n, const mw_half *half, double rate, double *lo, double *hi);

// Along a path.
typedef struct mw_regions {
  int n, most;    // points; vertices of the largest
  int *n_vertex;  // [n]  −1: unbounded
  // [n × most × 2]  ṗ² 1/s², p̈ 1/s²; speeds limited, viscous forces and power left out
  double *vertex;
  double *fastest;  // [n]  largest ṗ, viscous forces and power counted; −1: none, INFINITY: all
  double *speed;    // [n]  largest ṗ by limits of speed alone
  double *rest;     // [n × 2]  range of p̈ at rest; NAN: cannot stand
} mw_regions;
MW_MUST_USE mw_code mw_regions_find(const mw_path_dynamics *d, const mw_drive_limits *limits,
                                    mw_arena *mem, mw_regions *out, mw_error *err);

// ---- fastest traversal (analyze/traversal.c) ----------------------------------------------------

typedef struct mw_traversal {
  int n;            // points
  double *p;        // [n]
  double *rate;     // [n]      ṗ, 1/s
  double *t;        // [n]      s
  double *force;    // [(n − 1) × n_drive]  N or N·m, least norm in the middle between points
  double duration;  // s
  int sweeps;       // of viscous forces and power, linearized anew each time; 1 without
} mw_traversal;

// Largest ṗ at point i, as in mw_regions; half [mw_halves_most] scratch.
double mw_fastest(const mw_path_dynamics *d, int i, const mw_drive_limits *limits, mw_half *half);

// From rest at p = 0 to rest at p = 1, n intervals. d: at 2 n + 1 points, mw_traversal_points.
void mw_traversal_points(int n, double *p);  // [2 n + 1]  fine at both ends, middles between
MW_MUST_USE mw_code mw_traversal_find(const mw_path_dynamics *d, const mw_drive_limits *limits,
                                      mw_arena *mem, mw_traversal *out, mw_error *err);

MW_API_END

#endif
