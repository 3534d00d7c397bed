// SPDX-License-Identifier: BSD-3-Clause
// series_layer.h: a run as a series of .vtu files with their .pvd, and as a film.
#ifndef MW_SIM_SERIES_LAYER_H
#define MW_SIM_SERIES_LAYER_H

#include "reduction/shapes.h"
#include "sim/watch.h"
#include "view/picture_layer.h"
#include "view/vtu_layer.h"

typedef struct mw_series_opt {
  const char *dir,  // NULL: none of these files
      *name;   // DIR/NAME-0000.vtu, …, DIR/NAME.pvd; the folder is made if its parent is there
  int frames;  // at most, >= 2
  double magnify;  // of displacements in the points' places
  bool stress;     // nodal stress, too
  bool film;       // frames are kept in film
  int n_state;     // gmp: its states x [n_state] are kept in film.x, no displacements; 0: these
} mw_series_opt;

typedef struct mw_series {
  mw_series_opt opt;
  const mw_mech *m;    // borrowed; bodies that are not projected
  mw_watch watch;      // hand this to the run
  double *const *T;    // [n_body]  of bodies on a basis, T[b] [n_u × n_basis[b]]; NULL: none is
  const int *n_basis;  // [n_body]
  const mw_shapes *shapes;  // gmp
  mw_vtu_grid grid;
  double *p, *s, *x;       // [n_body × 12], [n_coord], [n_x]  of a frame
  double *X, *d, *work;    // [n_point × 3] places, displacements
  double *stress, *mises;  // [n_point × 6], [n_point]
  int n, most;
  mw_film film;
  double *t;          // [most]  s
  const char **file;  // [most]
  mw_arena mem;
} mw_series;

// For a run of n_t stored instants. It stays where it is until mw_series_free.
MW_MUST_USE mw_code mw_series_open(mw_series *v, const mw_mech *m, int n_t,
                                   const mw_series_opt *opt, mw_error *err);
MW_MUST_USE mw_code mw_series_write(const mw_series *v,
                                    mw_error *err);  // the .pvd of the frames so far
void mw_series_free(mw_series *v);

#endif
