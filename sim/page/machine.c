// SPDX-License-Identifier: BSD-3-Clause
// machine.c: a machine for pages: its scene in body axes, and its bodies' frames over the
// coordinates of a reduced model.
//
//   x_I = o_b(θ) + E_b(θ) X ,   X = Eᵀ(x − o) of the scene in the middle of the ranges          (1)
//
// Frames stand on a uniform grid of θ, n[i] points an axis, the last fastest; pages interpolate
// between them by cubics. Cost: a solution of the loops a point.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "livepage_layer.h"
#include "view/picture_layer.h"

// Points an axis by the number of coordinates: some thousand configurations at most.
static const int POINTS[MW_ROM_MAX_S] = { 65, 17, 9, 5, 4, 3 };

typedef struct machine {
  const mw_mech *m;
  const mw_rom_file *rom;
  double *p, *s, *theta;  // [12 × n_body], [n_coord], [n_coord]
  unsigned char *locked;  // [n_coord]
  int coord[MW_ROM_MAX_S];
} machine;

static mw_code allocate(machine *w, mw_arena *mem, mw_error *err)
{
  size_t n_p = 12 * (size_t)w->m->n_body, n_s = (size_t)w->m->n_coord + 1;
  w->p = mw_arena_f64(mem, n_p);
  w->s = mw_arena_f64(mem, n_s);
  w->theta = mw_arena_f64(mem, n_s);
  w->locked = mw_arena_alloc(mem, n_s, 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(w->p, w->m->p0, n_p * sizeof *w->p);
  memcpy(w->s, w->m->s0, (n_s - 1) * sizeof *w->s);
  for (int i = 0; i < w->rom->rom.s; i++) {
    w->coord[i] = mw_mech_coord(w->m, w->rom->coordinate[i]);
    if (w->coord[i] < 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the model has no coordinate %s",
                     w->rom->coordinate[i]);
    w->locked[w->coord[i]] = 1;
  }
  return MW_OK;
}

// Frames where each coordinate is at a share of its range.
static mw_code go(machine *w, const double *share, mw_error *err)
{
  const mw_rom *r = &w->rom->rom;
  for (int i = 0; i < r->s; i++)
    w->theta[w->coord[i]] = r->lo[i] + share[i] * (r->hi[i] - r->lo[i]);
  return mw_mech_rigid_solve(w->m, w->locked, w->theta, w->p, w->s, err);
}

// A point of the scene in the axes of its body.
static void put_point(const machine *w, int body, const double *x, FILE *f)
{
  const double *o = w->p + 12 * (size_t)body;
  for (int k = 0; k < 3; k++) {
    double X = 0.0;
    for (int i = 0; i < 3; i++) X += o[3 + 3 * i + k] * (x[i] - o[i]);
    fprintf(f, ",%.5g", fabs(X) < 1e-9 ? 0.0 : X);
  }
}

static void put_color(mw_rgb c, FILE *f) { fprintf(f, ",%d", c.r << 16 | c.g << 8 | c.b); }

static mw_code put_scene(const machine *w, FILE *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_scene c;
  mw_code rc = mw_scene_build(w->m, w->p, w->s, &mem, &c, err);
  if (rc == MW_OK) {
    fputs("\"tri\": [0", f);
    for (int t = 0; t < c.n_tri; t++) {
      fprintf(f, ",%d", c.tri[t].body);
      put_color(c.tri[t].color, f);
      for (int k = 0; k < 9; k += 3) put_point(w, c.tri[t].body, c.tri[t].x + k, f);
    }
    fputs("], \"line\": [0", f);
    for (int t = 0; t < c.n_line; t++) {
      fprintf(f, ",%d,%d,%.3g", c.line[t].body[0], c.line[t].body[1], c.line[t].width);
      put_color(c.line[t].color, f);
      for (int k = 0; k < 2; k++) put_point(w, c.line[t].body[k], c.line[t].x + 3 * k, f);
    }
    fputs("], \"dot\": [0", f);
    for (int t = 0; t < c.n_dot; t++) {
      fprintf(f, ",%d,%d", c.dot[t].body, (int)c.dot[t].mark);
      put_point(w, c.dot[t].body, c.dot[t].x, f);
    }
    fputs("]", f);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code put_frames(machine *w, FILE *f, mw_error *err)
{
  int s = w->rom->rom.s, n = POINTS[s - 1], all = 1;
  mw_code rc = MW_OK;
  fputs(", \"n\": [", f);
  for (int i = 0; i < s; i++) {
    all *= n;
    fprintf(f, "%s%d", i ? "," : "", n);
  }
  fputs("], \"frames\": [0", f);
  for (int g = 0; rc == MW_OK && g < all; g++) {
    double share[MW_ROM_MAX_S];
    for (int i = s - 1, rest = g; i >= 0; rest /= n, i--) share[i] = (double)(rest % n) / (n - 1);
    rc = go(w, share, err);
    for (int k = 0; rc == MW_OK && k < 12 * w->m->n_body; k++) {
      // 0, ±1 and what is rounding away from them are most of it
      double x = fabs(w->p[k]) < 1e-12 ? 0.0 : w->p[k];
      fprintf(f, ",%.9g", x);
    }
  }
  fputs("]", f);
  return rc;
}

mw_code mw_machine_write(const mw_rom_file *rom, const mw_case *model, FILE *f, mw_error *err)
{
  machine w = { .m = &model->mech, .rom = rom };
  mw_arena mem = { 0 };
  double middle[MW_ROM_MAX_S] = { 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 };
  mw_code rc = allocate(&w, &mem, err);
  if (rc == MW_OK) rc = go(&w, middle, err);
  fputs("{", f);
  if (rc == MW_OK) rc = put_scene(&w, f, err);
  if (rc == MW_OK) rc = put_frames(&w, f, err);
  fputs("}", f);
  mw_arena_free(&mem);
  return rc;
}
