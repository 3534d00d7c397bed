// SPDX-License-Identifier: BSD-3-Clause
// machine.c: a machine for pages: its scene in body axes, its bodies' frames and the reduced
// model's columns over the coordinates.
//
//   x_I = o_b(θ) + E_b(θ) (X + u_b) ,   X = Eᵀ(x − o) of the scene in the middle of the ranges  (1)
//
// u_b is that of the drawn node nearest to X, where X is a frame that of the frame (drawn.h), of
// rigid bodies v + ω × X.
// Frames stand on a uniform grid of θ, n[i] points an axis, the last fastest; pages interpolate
// between them by cubics. Cost: a solution of the loops a point.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/vec3.h"
#include "livepage_layer.h"
#include "view/picture_layer.h"

// Points an axis by the number of coordinates: some thousand configurations at most.
static const int POINTS[MW_ROM_MAX_S] = { 65, 17, 9, 5, 4, 3 };
enum { PIECES = 16 };  // of a line along an elastic body
// What a shape is rounded to, of what its body moves most: all of them together, some hundred at
// random signs, err by less than a thousandth, as the columns themselves (drawn.h).
static const float DRAWN_STEPS = 8192.0F;

typedef struct machine {
  const mw_mech *m;
  const mw_drawn *drawn;   // n_body 0: nothing is known of how bodies deflect
  const mw_rom_file *rom;  // NULL: a recorded motion
  double *p, *s, *theta;   // [12 × n_body], [n_coord], [n_coord]
  unsigned char *locked;   // [n_coord]
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

// ---- the node that a point moves with -----------------------------------------------------------

// Whether the columns at drawn nodes are those of the mechanism's bodies.
static mw_code check_drawn(const machine *w, mw_error *err)
{
  const mw_drawn *d = w->drawn;
  const int *node = d->node;
  bool good = d->n_body == 0 || d->n_body == w->m->n_body;
  for (int b = 0; good && b < d->n_body; node += d->n_node[b], b++) {
    const mw_body *body = &w->m->body[b];
    good = (d->n_node[b] == 0 || body->n_u > 0);
    for (int k = 0; good && k < d->n_node[b]; k++)
      good = node[k] < body->n_node + body->n_frame &&
             (node[k] < body->n_node || body->frame[node[k] - body->n_node].z >= 0);
  }
  return good ? MW_OK
              : mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                        "the nodes to draw are not those of the model's bodies; reduce it again");
}

// Number among all drawn nodes of the one nearest to X (body axes), -1: the body is rigid, or
// nothing is known of it. Marks and ends of links stand for frames: one where X is goes before
// nodes, surfaces and edges keep to nodes.
static int nearest(const machine *w, int body, const double X[3], bool mark)
{
  static const double SAME = 1e-18;  // m², of a frame's place: it was rounded on its way
  const mw_drawn *d = w->drawn;
  const mw_body *on = &w->m->body[body];
  int first = 0, found = -1;
  double least = INFINITY;
  if (d->n_body == 0) return -1;
  for (int b = 0; b < body; b++) first += d->n_node[b];
  for (int k = first; k < first + d->n_node[body]; k++) {
    int frame = d->node[k] - on->n_node;
    const double *Y = frame < 0 ? on->X + 3 * (size_t)d->node[k] : on->frame[frame].X;
    double far = 0.0;
    for (int i = 0; i < 3; i++) far += (X[i] - Y[i]) * (X[i] - Y[i]);
    if (frame >= 0 && (!mark || far > SAME)) continue;
    if (far < least || frame >= 0) least = far, found = k;
  }
  return found;
}

// ---- the scene ----------------------------------------------------------------------------------

// A point of the scene in the axes of its body, and its node; mark: see nearest.
static void put_point(const machine *w, int body, const double *x, bool mark, FILE *f)
{
  const double *o = w->p + 12 * (size_t)body;
  double X[3];
  for (int k = 0; k < 3; k++) {
    X[k] = 0.0;
    for (int i = 0; i < 3; i++) X[k] += o[3 + 3 * i + k] * (x[i] - o[i]);
    fprintf(f, ",%.5g", fabs(X[k]) < 1e-9 ? 0.0 : X[k]);
  }
  fprintf(f, ",%d", nearest(w, body, X, mark));
}

static void put_color(mw_rgb c, FILE *f) { fprintf(f, ",%d", c.r << 16 | c.g << 8 | c.b); }

// A line in pieces, so that it bends with what it is drawn on.
static void put_line(const machine *w, const mw_scene_line *l, FILE *f)
{
  int b = l->body[0], pieces = 1;
  bool link = b != l->body[1];
  if (!link && w->m->body[b].n_u > 0 && l->width >= 2.0) pieces = PIECES;
  for (int k = 0; k < pieces; k++) {
    double x[2][3];
    for (int e = 0; e < 2; e++)
      for (int i = 0; i < 3; i++) {
        double t = (double)(k + e) / pieces;
        x[e][i] = (1.0 - t) * l->x[i] + t * l->x[3 + i];
      }
    fprintf(f, ",%d,%d,%.3g", b, l->body[1], l->width);
    put_color(l->color, f);
    put_point(w, b, x[0], link, f);
    put_point(w, l->body[1], x[1], link, f);
  }
}

static mw_code put_scene(const machine *w, FILE *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_scene c;
  mw_code rc = check_drawn(w, err);
  if (rc == MW_OK) rc = mw_scene_build(w->m, w->p, w->s, &mem, &c, err);
  if (rc == MW_OK) {
    fputs("\"tri\": [0", f);
    for (int t = 0; t < c.n_tri; t++) {
      fprintf(f, ",%d", c.tri[t].body);
      put_color(c.tri[t].color, f);
      for (int k = 0; k < 9; k += 3) put_point(w, c.tri[t].body, c.tri[t].x + k, false, f);
    }
    fputs("], \"line\": [0", f);
    for (int t = 0; t < c.n_line; t++) put_line(w, &c.line[t], f);
    fputs("], \"dot\": [0", f);
    for (int t = 0; t < c.n_dot; t++) {
      fprintf(f, ",%d,%d", c.dot[t].body, (int)c.dot[t].mark);
      put_point(w, c.dot[t].body, c.dot[t].x, true, f);
    }
    fputs("]", f);
  }
  mw_arena_free(&mem);
  return rc;
}

// ---- its motion ---------------------------------------------------------------------------------

// Frames p [12 × n_body] of the grid's next point.
static void put_frame(const machine *w, const double *p, FILE *f)
{
  for (int k = 0; k < 12 * w->m->n_body; k++) {
    // 0, ±1 and what is rounding away from them are most of it
    double x = fabs(p[k]) < 1e-12 ? 0.0 : p[k];
    fprintf(f, ",%.9g", x);
  }
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
    if (rc == MW_OK) put_frame(w, w->p, f);
  }
  fputs("]", f);
  return rc;
}

// What the bytes of mw_machine_shapes mean.
static void put_drawn(const mw_drawn *d, int s, FILE *f)
{
  fputs(", \"drawn\": {\"n\": [", f);
  for (int i = 0; i < s; i++) fprintf(f, "%s%d", i ? "," : "", d->n_grid[i]);
  fputs("], \"shapes\": [", f);
  for (int b = 0; b < d->n_body; b++) fprintf(f, "%s%d", b ? "," : "", d->n_shape[b]);
  fputs("], \"nodes\": [", f);
  for (int b = 0; b < d->n_body; b++) fprintf(f, "%s%d", b ? "," : "", d->n_node[b]);
  fputs("]}", f);
}

mw_code mw_machine_write(const mw_rom_file *rom, const mw_case *model, FILE *f, mw_error *err)
{
  machine w = { .m = &model->mech, .rom = rom, .drawn = &rom->drawn };
  mw_arena mem = { 0 };
  double middle[MW_ROM_MAX_S] = { 0.5, 0.5, 0.5, 0.5, 0.5, 0.5 };
  mw_code rc = allocate(&w, &mem, err);
  if (rc == MW_OK) rc = go(&w, middle, err);
  fputs("{", f);
  if (rc == MW_OK) rc = put_scene(&w, f, err);
  if (rc == MW_OK) rc = put_frames(&w, f, err);
  if (rom->drawn.n > 0) put_drawn(&rom->drawn, rom->rom.s, f);
  fputs("}", f);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_machine_recorded(const mw_case *model, const mw_drawn *drawn, double *p, double *s,
                            FILE *f, mw_error *err)
{
  machine w = { .m = &model->mech, .drawn = drawn, .p = p, .s = s };
  int n = drawn->n_grid[0];
  fputs("{", f);
  mw_code rc = put_scene(&w, f, err);
  fprintf(f, ", \"n\": [%d], \"frames\": [0", n);
  for (int k = 0; k < n; k++) put_frame(&w, p + 12 * (size_t)k * (size_t)w.m->n_body, f);
  fputs("]", f);
  put_drawn(drawn, 1, f);
  fputs("}", f);
  return rc;
}

static void put_le(FILE *f, uint32_t v, int bytes)
{
  for (int k = 0; k < bytes; k++) fputc((int)(v >> 8 * k & 255u), f);
}

static void put_f32(FILE *f, float x)
{
  uint32_t v;
  memcpy(&v, &x, sizeof v);
  put_le(f, v, 4);
}

// 16 bits an amplitude: of the largest in its column; a coordinate of a rigid body by itself, for
// turns and displacements have different units. unit [m × n].
static void amplitude_units(const mw_drawn *d, size_t m, float *unit)
{
  size_t n = (size_t)d->n;
  for (size_t a = 0; a < m; a++) {
    float elastic = FLT_MIN;
    for (size_t k = 0; k < n; k++) {
      float most = FLT_MIN;
      for (size_t p = 0; p < (size_t)d->n_point; p++)
        most = fmaxf(most, fabsf(d->amplitude[(p * m + a) * n + k]));
      unit[a * n + k] = most;
    }
    size_t k = 0;
    for (int pass = 0; pass < 2; pass++, k = 0)
      for (int b = 0; b < d->n_body; b++)
        for (int i = 0; i < d->n_shape[b]; i++, k++) {
          float *u = &unit[a * n + k];
          if (d->n_node[b] > 0 && pass == 0) elastic = fmaxf(elastic, *u);
          if (d->n_node[b] > 0 && pass == 1) *u = elastic;
          if (pass == 1) *u /= INT16_MAX;
        }
  }
}

static uint32_t steps_of(float x, float unit) { return (uint32_t)(int32_t)lrintf(x / unit); }

// Differences from point to point, which are small, column by column and shape by shape.
static void put_amplitudes(const mw_drawn *d, size_t m, const float *unit, FILE *f)
{
  size_t all = m * (size_t)d->n;
  for (size_t k = 0; k < all; k++) {
    uint32_t before = 0;
    for (size_t p = 0; p < (size_t)d->n_point; p++) {
      uint32_t now = steps_of(d->amplitude[p * all + k], unit[k]);
      put_le(f, now - before, 2);
      before = now;
    }
  }
}

// Largest amplitude of shape k over all columns and points.
static float largest_amplitude(const mw_drawn *d, size_t m, int k)
{
  size_t rows = (size_t)d->n_point * m;
  float most = 0.0F;
  for (size_t p = 0; p < rows; p++)
    most = fmaxf(most, fabsf(d->amplitude[p * (size_t)d->n + (size_t)k]));
  return most;
}

// What one of 16 bits stands for in each shape: times its largest amplitude it is the same for all
// shapes of a body, a DRAWN_STEPS-th of what moves most; no less than 16 bits hold. unit [shapes].
static void shape_units(const mw_drawn *d, size_t m, float *unit)
{
  const float *x = d->shape;
  int k = 0, u = 0;
  for (int b = 0; b < d->n_body; k += d->n_shape[b], b++) {
    int n = 3 * d->n_node[b];
    float moves = 0.0F;
    if (n == 0) continue;
    for (int i = 0; i < d->n_shape[b]; i++) {
      float most = FLT_MIN;
      for (int j = 0; j < n; j++) most = fmaxf(most, fabsf(x[(size_t)i * (size_t)n + (size_t)j]));
      unit[u + i] = most / INT16_MAX;
      moves = fmaxf(moves, most * largest_amplitude(d, m, k + i));
    }
    for (int i = 0; i < d->n_shape[b]; i++) {
      float by = largest_amplitude(d, m, k + i);
      if (by > 0.0F) unit[u + i] = fmaxf(unit[u + i], moves / (DRAWN_STEPS * by));
    }
    u += d->n_shape[b];
    x += (size_t)d->n_shape[b] * (size_t)n;
  }
}

mw_code mw_machine_shapes(const mw_drawn *d, int n_column, FILE *f, mw_error *err)
{
  size_t m = (size_t)n_column;
  mw_arena mem = { 0 };
  int elastic = 0, all = n_column * d->n;
  for (int b = 0; b < d->n_body; b++) elastic += d->n_node[b] > 0 ? d->n_shape[b] : 0;
  float *unit = mw_arena_alloc(&mem, (size_t)all + (size_t)elastic + 1, sizeof *unit);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    amplitude_units(d, m, unit);
    shape_units(d, m, unit + all);
    for (int k = 0; k < all + elastic; k++) put_f32(f, unit[k]);
    put_amplitudes(d, m, unit, f);
    const float *x = d->shape, *u = unit + all;
    for (int b = 0; b < d->n_body; b++)
      for (int k = 0, n = 3 * d->n_node[b]; n > 0 && k < d->n_shape[b]; k++, x += n, u++)
        for (int i = 0; i < n; i++) put_le(f, steps_of(x[i], *u), 2);
  }
  mw_arena_free(&mem);
  return rc;
}
