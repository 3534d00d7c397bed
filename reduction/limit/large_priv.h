// SPDX-License-Identifier: BSD-3-Clause
// large_priv.h: the judging of large deflections of a reduction, place by place.
#ifndef MW_REDUCTION_LARGE_PRIV_H
#define MW_REDUCTION_LARGE_PRIV_H

#include "reduce_layer.h"
#include "table/rigid_table_layer.h"
#include "work/offline_layer.h"

enum { MW_LARGE_MODES = 6 };  // whose swings are looked at
enum { MW_LARGE_JUMP = 2 };   // what jumps deflects as much of what it does at rest

struct mw_large {
  const mw_reduction *r;
  mw_rom_file *f;
  mw_arena *keep;  // of what f gets
  const mw_blocks *direct;
  mw_field_ranges moves;  // declared, or the scenarios'
  mw_system *sys;         // over the mesh, θ held
  size_t n;               // its unknowns
  int n_load, n_mode, n_stay, n_shape;
  double *value, *gradient;  // [n_field], [s × n_field]
  // [n_shape × m] amplitudes of the shapes: columns, declared loads at rest, lowest modes; [m × m]
  double *c, *K;
  double *F, *let_go;  // [n_load × m] the loads, [m] what jumps as free coordinates are let go
  double *V, *P,
      *w2;  // [m × m], [m × m], [m]  modes, what projects on them, squares of their frequencies
  unsigned free;                // coordinates without which modes are not held, as bits
  unsigned least, most;         // free in all runs of the model's scenarios, and in any
  bool all_held;                // at this place
  double longest;               // s, of the model's scenarios that leave a coordinate free
  double band;                  // (rad/s)², of the highest mode asked for, all coordinates held
  double lost[MW_LARGE_MODES];  // what frequencies err by for what columns leave out (swing_lost.c)
  double *off, most_off;        // [n_load + 1]  by load, and let go: add_lost; of the worst mode
  double *to;                   // [n_shape]  what a shape is scaled by
  double *Y;                    // [n_shape × n of the reduction]  the shapes in its coordinates
  double *X, *B, *W;            // [n_shape × n]
  double *E;        // [n_shape × n]  the shapes, modes and what stays without what turns
  double *U;        // [n]
  double *V4;       // [n_shape]
  double *own;      // [n_shape × n_body]  ½ηᵀDη
  double *lambda;   // [n_row]  what rows carry at rest
  double *preload;  // [n_row]  what of it springs have before anything deflects
  int *body;        // [n_shape]  that stretches most
  double *work;     // a vector
  double *bend, *bend_w, *stretch, *stretch_w;  // [m]
  const char **bend_body, **stretch_body;
  double *omega, *shift, *third, *mode, *output, *bends, *moved;  // of f->swing
  const char **moved_body;
  mw_arena mem;
};
typedef struct mw_large large;

// large.c
// Largest difference of displacements within elastic body b in shape x, m, and over its size; 0 of
// a rigid one
double mw_large_spread(const large *z, int b, const double *x, double *slope);
// Displacement of rigid body b's centre of mass in shape x of a column of amplitude c, m, and √μ φ
// of it; 0 of an elastic one
double mw_large_sway(const large *z, int b, const double *x, double c, double *tilt);
// Shape k's body that moves most, and how far, m
double mw_large_furthest(const large *z, int k, int *body);
// cᵀKc of a shape
double mw_large_energy(const large *z, const double *c);

// large_shapes.c
typedef struct mw_large_stay {  // loads that bend and stay
  bool weight, rates;
  double accelerated;  // by that times the largest accelerations
} mw_large_stay;
// Set k of them: the weight; rates; both; both with accelerations, forth and back
mw_large_stay mw_large_stay_at(int k);
// Shapes at grid point g, each scaled to the same part of the machine's size, m, and their V4
MW_MUST_USE mw_code mw_large_shapes(large *z, int g, double size, mw_error *err);

// large_swings.c
// What z->free's swings err by at q, into the certificate and the model's swings
MW_MUST_USE mw_code mw_large_swings(large *z, const mw_config *q, mw_error *err);
// What outputs err by as long as loads stay at q, into the certificate
MW_MUST_USE mw_code mw_large_stays(large *z, const mw_config *q, mw_error *err);

#endif
