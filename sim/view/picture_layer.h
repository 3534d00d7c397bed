// SPDX-License-Identifier: BSD-3-Clause
// picture_layer.h: the machine as a picture, PNG or SVG, without any viewer.
#ifndef MW_SIM_PICTURE_LAYER_H
#define MW_SIM_PICTURE_LAYER_H

#include "draw/raster_layer.h"
#include "fem/mech.h"

typedef struct mw_picture_opt {
  double eye[3];  // (1, −1, 1): direction from the machine to the eye, ground axes, any length > 0
  int width, height;  // 1400 × 1000 px, at least 400 × 300
  const double *box;  // [6]  m, lo and hi in ground axes that is in view; NULL: all that is drawn
} mw_picture_opt;
mw_picture_opt mw_picture_opt_default(void);

// Frames p [n_body × 12], coordinates s [n_coord]. The ending of path says what it becomes: .png,
// .svg (the same samples within, names as text), or .html, a page of that. MW_ERR_INPUT: another
// ending, or nothing to see.
MW_MUST_USE mw_code mw_picture_write(const mw_mech *m, const double *p, const double *s,
                                     const mw_picture_opt *opt, const char *path, mw_error *err);

MW_MUST_USE mw_code mw_picture_ending(const char *path, mw_error *err);  // before anything is done

// ---- moved.c: displacements as shape ------------------------------------------------------------

// The mechanism with displacements x [n_x of mw_vtu_grid] times `by` in its shape, as far as
// pictures look: nodes, frames, guides, joints; frames p [n_body × 12] into moved_p. Shares what
// stays with m (borrowed). Memory from mem.
MW_MUST_USE mw_code mw_moved_build(const mw_mech *m, const double *p, const double *x, double by,
                                   mw_arena *mem, mw_mech *out, double **moved_p, mw_error *err);

// Frame p [12] of a rigid body with displacement x [6] (v, ω in body axes) times `by` in it.
void mw_moved_rigid(double *p, const double *x, double by);

// ---- film.c: motions as animated PNG ------------------------------------------------------------

typedef struct mw_film {
  const mw_mech *m;       // borrowed; bodies that are not projected
  int n_x, n, most;       // unknowns; frames so far, room
  double *p, *s, *x, *t;  // [most × 12 n_body], [most × n_coord], [most × n_x], [most] s
  mw_arena mem;
} mw_film;
// n_x of mw_vtu_grid. Released by mw_film_free.
MW_MUST_USE mw_code mw_film_open(mw_film *f, const mw_mech *m, int n_x, int most, mw_error *err);
// Keeps a frame; those beyond `most` are not kept. s NULL: as slides have it at these frames.
void mw_film_add(mw_film *f, double t, const double *p, const double *s, const double *x);
// By what the largest displacement of a node or rigid body over the frames is `share` of the
// machine's size at the first; 1 where nothing is displaced.
MW_MUST_USE mw_code mw_film_magnify(const mw_film *f, double share, double *by, mw_error *err);
// Frame k with displacements times `by` as a picture (mw_picture_write).
MW_MUST_USE mw_code mw_film_picture(const mw_film *f, int k, double by, const char *path,
                                    mw_error *err);
// All frames with displacements times `by`, ms each, as FILE.png. All that is in view in one of
// them is in all.
MW_MUST_USE mw_code mw_film_write(const mw_film *f, double by, int ms, const char *path,
                                  mw_error *err);
void mw_film_free(mw_film *f);

// ---- picture_scene.c: what there is to see, in ground axes --------------------------------------

typedef enum mw_mark {
  MW_MARK_FRAME,
  MW_MARK_JOINT,
  MW_MARK_RUNNER,
  MW_MARK_SUPPORT,
  MW_MARKS
} mw_mark;

typedef struct mw_scene_tri {
  double x[9];  // m
  int body;     // that it moves with
  mw_rgb color;
} mw_scene_tri;

typedef struct mw_scene_line {
  double x[6];   // m
  int body[2];   // that each end moves with
  double width;  // px
  double lift;   // towards the eye, of the scene's size
  mw_rgb color;
} mw_scene_line;

typedef struct mw_scene_dot {
  double x[3];  // m
  int body;     // that it moves with
  mw_mark mark;
} mw_scene_dot;

typedef struct mw_scene {
  const mw_mech *m;
  const double *p, *s;
  double lo[3], hi[3], size;  // m, of nodes, frames and guides
  int n_tri, n_line, n_dot;
  int body;  // that what is added next moves with, while the scene is built
  mw_scene_tri *tri;
  mw_scene_line *line;
  mw_scene_dot *dot;
  char *drawn;    // [n_body]  it is in the picture
  bool guide;     // there are guides
  int **crease;   // [n_body]  edges of surfaces where they bend, pairs of nodes
  int *n_crease;  // [n_body]
} mw_scene;

MW_MUST_USE mw_code mw_scene_build(const mw_mech *m, const double *p, const double *s,
                                   mw_arena *mem, mw_scene *out, mw_error *err);
mw_rgb mw_scene_color(const mw_mech *m, int body);
mw_rgb mw_scene_guide_color(void);

// picture_crease.c: edges of a body's triangles that belong to one of them alone or bend by more
// than 30 degrees.
MW_MUST_USE mw_code mw_scene_creases(const mw_body *b, mw_arena *mem, int **edge, int *n,
                                     mw_error *err);

// ---- picture.c: as an image and text ------------------------------------------------------------

typedef struct mw_label {
  double x, y;  // px, left end, upper edge
  double size;  // px, height of capitals
  const char *text;
} mw_label;

enum { MW_PICTURE_LABELS = 64 };

typedef struct mw_picture {
  int width, height;  // px
  double scale;       // px a metre
  mw_raster r;        // MW_PICTURE_SAMPLES² samples a pixel, without text
  int n_label;
  mw_label label[MW_PICTURE_LABELS];
} mw_picture;

enum { MW_PICTURE_SAMPLES = 2 };

MW_MUST_USE mw_code mw_picture_draw(const mw_mech *m, const double *p, const double *s,
                                    const mw_picture_opt *opt, mw_arena *mem, mw_picture *out,
                                    mw_error *err);

void mw_picture_label(mw_picture *p);  // writes the text into the samples

#endif
