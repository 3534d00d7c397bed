// SPDX-License-Identifier: BSD-3-Clause
// surface.c: surfaces on which a value over three axes is constant, by marching tetrahedra.
//
// A cell is six tetrahedra around the diagonal from its first corner to its last; they share faces
// with those of the cells beside, so that surfaces have no gaps. In a tetrahedron the value is
// linear, the surface a triangle (one corner on one side) or two (two and two).
#include "surface_layer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "plot_layer.h"

typedef struct corner {
  double x[3], v;
} corner;

typedef struct mesh {
  int n;
  double *x;  // [n × 9], NULL: counts
  double level;
} mesh;

// ---- the surface --------------------------------------------------------------------------------

// From the corner inside to that outside, so that all cells have the same bits.
static void between(const corner *a, const corner *b, double level, double x[3])
{
  double share = (level - a->v) / (b->v - a->v);
  for (int i = 0; i < 3; i++) x[i] = a->x[i] + share * (b->x[i] - a->x[i]);
}

static void add(mesh *m, const double a[3], const double b[3], const double c[3])
{
  for (int i = 0; m->x && i < 3; i++) {
    double *x = m->x + 9 * (size_t)m->n + i;
    x[0] = a[i];
    x[3] = b[i];
    x[6] = c[i];
  }
  m->n++;
}

static void tetrahedron(mesh *m, const corner *const t[4])
{
  const corner *in[4], *out[4];
  int n_in = 0, n_out = 0;
  double x[4][3];
  for (int k = 0; k < 4; k++)
    if (t[k]->v >= m->level)
      in[n_in++] = t[k];
    else
      out[n_out++] = t[k];
  if (n_in == 0 || n_out == 0) return;
  if (n_in == 2) {
    for (int k = 0; k < 4; k++) between(in[k / 2], out[(k == 1 || k == 2) ? 1 : 0], m->level, x[k]);
    add(m, x[0], x[1], x[2]);
    add(m, x[0], x[2], x[3]);
    return;
  }
  for (int k = 0; k < 3; k++)
    between(in[n_in == 1 ? 0 : k], out[n_in == 1 ? k : 0], m->level, x[k]);
  add(m, x[0], x[1], x[2]);
}

static void cell(const mw_volume *v, mesh *m, int i, int j, int k)
{
  // corners along the edges from 0 to 7, an axis each, in all six orders
  static const int way[6][2] = { { 1, 3 }, { 1, 5 }, { 2, 3 }, { 2, 6 }, { 4, 5 }, { 4, 6 } };
  corner c[8];
  for (int b = 0; b < 8; b++) {
    int at[3] = { i + (b & 1), j + (b >> 1 & 1), k + (b >> 2 & 1) };
    for (int a = 0; a < 3; a++) c[b].x[a] = v->x[a][at[a]];
    c[b].v = v->value[((size_t)at[0] * (size_t)v->n[1] + (size_t)at[1]) * (size_t)v->n[2] +
                      (size_t)at[2]];
    if (!isfinite(c[b].v)) return;
  }
  for (int w = 0; w < 6; w++)
    tetrahedron(m, (const corner *const[4]){ &c[0], &c[way[w][0]], &c[way[w][1]], &c[7] });
}

static void march(const mw_volume *v, mesh *m)
{
  m->n = 0;
  for (int i = 0; i + 1 < v->n[0]; i++)
    for (int j = 0; j + 1 < v->n[1]; j++)
      for (int k = 0; k + 1 < v->n[2]; k++) cell(v, m, i, j, k);
}

mw_code mw_surface_build(const mw_volume *v, double level, mw_arena *mem, int *n, double **x,
                         mw_error *err)
{
  mesh m = { .level = level };
  march(v, &m);
  m.x = mw_arena_f64(mem, 9 * (size_t)m.n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (m.n > 0) march(v, &m);
  *n = m.n;
  *x = m.x;
  return MW_OK;
}

// ---- the picture --------------------------------------------------------------------------------

enum { MARGIN = 70, FOOT = 46, N_COLOR = 5 };  // px
// Of mw_plot_pen, without those that shades are not seen on.
static const char *const COLOR[N_COLOR] = { "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7" };

typedef struct camera {
  const mw_volume *v;
  double x0, y0, scale;  // px; px a length of the box
} camera;

typedef struct face {
  double px[6], depth;
  const char *color;
  double light;
} face;

// An axis from 0 to 1.
static void to_box(const mw_volume *v, const double x[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = (x[i] - v->x[i][0]) / (v->x[i][v->n[i] - 1] - v->x[i][0]);
}

// Right (1, 1, 0)/√2, up (−1, 1, 2)/√6, to the eye (1, −1, 1)/√3.
static double to_px(const camera *k, const double b[3], double px[2])
{
  px[0] = k->x0 + k->scale * (b[0] + b[1]) / sqrt(2.0);
  px[1] = k->y0 - k->scale * (-b[0] + b[1] + 2.0 * b[2]) / sqrt(6.0);
  return (b[0] - b[1] + b[2]) / sqrt(3.0);
}

static void face_of(const camera *k, const double x[9], const char *color, face *f)
{
  static const double light[3] = { 0.3, -0.5, 0.81 };
  double b[3][3], u[3], w[3], normal[3];
  f->color = color;
  f->depth = 0.0;
  for (int c = 0; c < 3; c++) {
    to_box(k->v, x + 3 * c, b[c]);
    f->depth += to_px(k, b[c], f->px + 2 * c) / 3.0;
  }
  for (int i = 0; i < 3; i++) {
    u[i] = b[1][i] - b[0][i];
    w[i] = b[2][i] - b[0][i];
  }
  mw_cross3(u, w, normal);
  double size = mw_norm3(normal);
  f->light = size > 0.0 ? 0.55 + 0.45 * fabs(mw_dot3(normal, light)) / size : 1.0;
}

static int farther(const void *a, const void *b)
{
  double x = ((const face *)a)->depth, y = ((const face *)b)->depth;
  return (x > y) - (x < y);
}

// Edges of the box that end in its nearest corner (1, 0, 1), or the others.
static void write_box(const camera *k, bool near, FILE *f)
{
  for (int a = 0; a < 3; a++)
    for (int c = 0; c < 4; c++) {
      double from[3], to[3], p[2], q[2];
      int i = (a + 1) % 3, j = (a + 2) % 3;
      from[i] = to[i] = c & 1;
      from[j] = to[j] = c >> 1;
      from[a] = 0.0;
      to[a] = 1.0;
      const double nearest[3] = { 1.0, 0.0, 1.0 };
      if ((from[i] == nearest[i] && from[j] == nearest[j]) != near) continue;
      (void)to_px(k, from, p);
      (void)to_px(k, to, q);
      fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#888888\" stroke-width=\"%s\"/>\n",
              p[0], p[1], q[0], q[1], near ? "0.6" : "1");
    }
}

static void write_text(FILE *f, double x, double y, const char *anchor, const char *text)
{
  fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  mw_plot_text(f, text);
  fputs("</text>\n", f);
}

// Names and ends of the axes beside the lower edges x and y, and the left one along z.
static void write_axes(const camera *k, FILE *f)
{
  static const double edge[3][2][3] = { { { 0, 0, 0 }, { 1, 0, 0 } },
                                        { { 1, 0, 0 }, { 1, 1, 0 } },
                                        { { 0, 0, 0 }, { 0, 0, 1 } } };
  static const double off[3][2] = { { -14, 16 }, { 14, 16 }, { -8, 0 } };
  char text[128];
  for (int a = 0; a < 3; a++) {
    double p[2], q[2];
    const char *anchor = a == 1 ? "start" : "end";
    (void)to_px(k, edge[a][0], p);
    (void)to_px(k, edge[a][1], q);
    snprintf(text, sizeof text, "%.80s", k->v->label[a]);
    write_text(f, 0.5 * (p[0] + q[0]) + off[a][0], 0.5 * (p[1] + q[1]) + off[a][1], anchor, text);
    for (int e = 0; e < 2; e++) {
      snprintf(text, sizeof text, "%.4g", k->v->x[a][e ? k->v->n[a] - 1 : 0]);
      write_text(f, (e ? q : p)[0] + 0.6 * off[a][0] + (a < 2 ? (e ? -6.0 : 6.0) : 0.0),
                 (e ? q : p)[1] + 0.6 * off[a][1] + 4.0, anchor, text);
    }
  }
}

static void write_faces(int n, face *all, FILE *f)
{
  if (n > 0) qsort(all, (size_t)n, sizeof *all, farther);
  fputs("<g fill-opacity=\"0.6\" shape-rendering=\"crispEdges\">\n", f);
  for (int t = 0; t < n; t++) {
    const face *g = &all[t];
    unsigned rgb[3] = { 0 };
    (void)sscanf(g->color, "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
    fprintf(f, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"#%02x%02x%02x\"/>\n", g->px[0],
            g->px[1], g->px[2], g->px[3], g->px[4], g->px[5], (unsigned)(rgb[0] * g->light),
            (unsigned)(rgb[1] * g->light), (unsigned)(rgb[2] * g->light));
  }
  fputs("</g>\n", f);
}

static void write_levels(int n, const double *level, const char *unit, int h, FILE *f)
{
  char text[64];
  for (int k = 0; k < n; k++) {
    const char *color = COLOR[k % N_COLOR];
    fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>\n", 20 + 150 * k,
            h - 30, color);
    snprintf(text, sizeof text, "%.4g %.24s", level[k], unit);
    write_text(f, 40.0 + 150 * k, h - 18.0, "start", text);
  }
}

// All faces at all levels, in mem.
static mw_code faces(const camera *k, int n, const double *level, mw_arena *mem, int *n_face,
                     face **out, mw_error *err)
{
  int *count = mw_arena_int(mem, (size_t)n);
  double **x = mw_arena_alloc(mem, (size_t)n, sizeof *x);
  mw_code rc = mw_arena_check(mem, err);
  *n_face = 0;
  for (int l = 0; rc == MW_OK && l < n; l++) {
    rc = mw_surface_build(k->v, level[l], mem, &count[l], &x[l], err);
    *n_face += rc == MW_OK ? count[l] : 0;
  }
  *out = rc == MW_OK ? mw_arena_alloc(mem, (size_t)*n_face + 1, sizeof **out) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int l = 0, at = 0; rc == MW_OK && l < n; l++) {
    const char *color = COLOR[l % N_COLOR];
    for (int t = 0; t < count[l]; t++) face_of(k, x[l] + 9 * (size_t)t, color, &(*out)[at++]);
  }
  return rc;
}

mw_code mw_surface_draw(const mw_volume *v, int n, const double *level, const char *unit, int w,
                        int h, FILE *f, mw_error *err)
{
  mw_arena mem = { 0 };
  face *all = NULL;
  int n_face = 0;
  // the box is √2 wide and 4/√6 high
  double wide = (w - 2 * MARGIN) / sqrt(2.0), high = (h - MARGIN - FOOT - 30) / (4.0 / sqrt(6.0));
  camera k = { .v = v, .scale = fmin(wide, high) };
  k.x0 = 0.5 * w - 0.5 * sqrt(2.0) * k.scale;
  k.y0 = h - FOOT - 20 - k.scale / sqrt(6.0);
  mw_code rc = faces(&k, n, level, &mem, &n_face, &all, err);
  if (rc == MW_OK) {
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 "
            "%d %d\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
            "font-size=\"12\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
            "<text x=\"14\" y=\"22\" font-size=\"15\" font-weight=\"bold\">",
            w, h, w, h, w, h);
    mw_plot_text(f, v->title);
    fputs("</text>\n", f);
    write_box(&k, false, f);
    write_faces(n_face, all, f);
    write_box(&k, true, f);
    write_axes(&k, f);
    write_levels(n, level, unit, h, f);
    fputs("</svg>\n", f);
  }
  mw_arena_free(&mem);
  return rc;
}
