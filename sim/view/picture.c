// SPDX-License-Identifier: BSD-3-Clause
// picture.c: the scene seen from far away (orthographic), with names, axes and a scale.
//
//   d: to the eye;  r = z × d (y × d when they are parallel),  u = d × r      right, up,
//       normalised      (1)
//   sample = middle + scale (r·x, −u·x) ,  depth d·x
//   brightness of a face 0.58 + 0.42 max(0, n·l),  n turned to the eye,  l ∥ d + 0.6 u − 0.5 r  (2)
#include "picture_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "draw/plot_layer.h"
#include "reduction/ncfile.h"

enum { LEFT = 220, RIGHT = 40, TOP = 70, BOTTOM = 100, ROW = 22, SWATCH = 14, LEGEND_MOST = 32 };
static const double TEXT = 10.5,
                    TITLE = 14.0;  // px, height of capitals: three and four samples a dot
static const mw_rgb WHITE = { 255, 255, 255 }, BLACK = { 30, 30, 30 }, RIM = { 70, 70, 70 };
static const mw_rgb MARK[MW_MARKS] = {
  { 255, 255, 255 }, { 250, 220, 60 }, { 240, 110, 30 }, { 40, 150, 60 }
};
static const char *const MARK_NAME[MW_MARKS] = { "frame", "joint", "runner", "support" };
static const double MARK_RADIUS[MW_MARKS] = { 3.5, 5.0, 4.5, 3.5 };

mw_picture_opt mw_picture_opt_default(void)
{
  return (mw_picture_opt){ .eye = { 1.0, -1.0, 1.0 }, .width = 1400, .height = 1000 };
}

typedef struct camera {
  double r[3], u[3], d[3], l[3];  // right, up, to the eye, to the light
  double x0, y0, scale;           // samples; samples a metre
} camera;

static void to_samples(const camera *k, const double x[3], double out[3])
{
  out[0] = k->x0 + k->scale * mw_dot3(k->r, x);
  out[1] = k->y0 - k->scale * mw_dot3(k->u, x);
  out[2] = mw_dot3(k->d, x);
}

static void unit(double x[3])
{
  double n = mw_norm3(x);
  for (int i = 0; i < 3; i++) x[i] /= n;
}

// (1)
static void look(camera *k, const double eye[3])
{
  static const double z[3] = { 0, 0, 1 }, y[3] = { 0, 1, 0 };
  memcpy(k->d, eye, sizeof k->d);
  unit(k->d);
  mw_cross3(z, k->d, k->r);
  if (mw_norm3(k->r) < 1e-6) mw_cross3(y, k->d, k->r);
  unit(k->r);
  mw_cross3(k->d, k->r, k->u);
  for (int i = 0; i < 3; i++) k->l[i] = k->d[i] + 0.6 * k->u[i] - 0.5 * k->r[i];
  unit(k->l);
}

typedef struct range2 {
  double lo[2], hi[2];
} range2;

static void widen(range2 *b, const camera *k, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    double q[2] = { mw_dot3(k->r, x + 3 * i), mw_dot3(k->u, x + 3 * i) };
    for (int c = 0; c < 2; c++) {
      b->lo[c] = fmin(b->lo[c], q[c]);
      b->hi[c] = fmax(b->hi[c], q[c]);
    }
  }
}

// The scene fills what the margins leave.
static void fit(camera *k, const mw_scene *s, const mw_picture_opt *opt)
{
  range2 b = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
  const double *box = opt->box;
  for (int c = 0; box && c < 8; c++) {
    const double x[3] = { box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2] };
    widen(&b, k, 1, x);
  }
  for (int i = 0; !box && i < s->n_tri; i++) widen(&b, k, 3, s->tri[i].x);
  for (int i = 0; !box && i < s->n_line; i++) widen(&b, k, 2, s->line[i].x);
  for (int i = 0; !box && i < s->n_dot; i++) widen(&b, k, 1, s->dot[i].x);
  double w = opt->width - LEFT - RIGHT, h = opt->height - TOP - BOTTOM, least = 1e-3 * s->size;
  k->scale = fmin(w / fmax(b.hi[0] - b.lo[0], least), h / fmax(b.hi[1] - b.lo[1], least));
  k->scale *= MW_PICTURE_SAMPLES;
  k->x0 = MW_PICTURE_SAMPLES * (LEFT + 0.5 * w) - k->scale * 0.5 * (b.lo[0] + b.hi[0]);
  k->y0 = MW_PICTURE_SAMPLES * (TOP + 0.5 * h) + k->scale * 0.5 * (b.lo[1] + b.hi[1]);
}

// (2)
static mw_rgb shade(const camera *k, const mw_scene_tri *t)
{
  double a[3], b[3], n[3];
  for (int i = 0; i < 3; i++) {
    a[i] = t->x[3 + i] - t->x[i];
    b[i] = t->x[6 + i] - t->x[i];
  }
  mw_cross3(a, b, n);
  double len = mw_norm3(n);
  if (!(len > 0.0)) return t->color;
  double f = mw_dot3(n, k->l) / len * (mw_dot3(n, k->d) < 0.0 ? -1.0 : 1.0);
  f = 0.58 + 0.42 * fmax(0.0, f);
  return (mw_rgb){ (unsigned char)(t->color.r * f), (unsigned char)(t->color.g * f),
                   (unsigned char)(t->color.b * f) };
}

static void paint(const camera *k, const mw_scene *s, mw_raster *r)
{
  double a[3], b[3], c[3];
  for (int i = 0; i < s->n_tri; i++) {
    to_samples(k, s->tri[i].x, a);
    to_samples(k, s->tri[i].x + 3, b);
    to_samples(k, s->tri[i].x + 6, c);
    mw_raster_triangle(r, a, b, c, shade(k, &s->tri[i]));
  }
  for (int i = 0; i < s->n_line; i++) {
    const mw_scene_line *l = &s->line[i];
    to_samples(k, l->x, a);
    to_samples(k, l->x + 3, b);
    a[2] += l->lift * s->size;
    b[2] += l->lift * s->size;
    mw_raster_line(r, a, b, l->width * MW_PICTURE_SAMPLES, l->color);
  }
}

static void mark(mw_raster *r, double x, double y, mw_mark what)
{
  double R = MARK_RADIUS[what] * MW_PICTURE_SAMPLES, rim = 1.2 * MW_PICTURE_SAMPLES;
  if (what == MW_MARK_FRAME || what == MW_MARK_JOINT) {
    mw_raster_disc(r, x, y, R, RIM);
    mw_raster_disc(r, x, y, R - rim, MARK[what]);
  } else {
    mw_raster_rect(r, x - R, y - R, 2.0 * R, 2.0 * R, RIM);
    mw_raster_rect(r, x - R + rim, y - R + rim, 2.0 * (R - rim), 2.0 * (R - rim), MARK[what]);
  }
}

// Is something nearer to the eye there? (Marks do not count.)
static bool hidden(const mw_raster *r, const double x[3], double tol)
{
  int i = (int)x[0], j = (int)x[1];
  if (i < 0 || j < 0 || i >= r->w || j >= r->h) return false;
  double z = (double)r->z[(size_t)j * (size_t)r->w + (size_t)i];
  return isfinite(z) && z > x[2] + tol;
}

// ---- names, axes, scale -------------------------------------------------------------------------

static void label(mw_picture *p, double x, double y, double size, const char *text)
{
  if (p->n_label == MW_PICTURE_LABELS || !text) return;
  p->label[p->n_label++] = (mw_label){ x, y, size, text };
}

// In samples from pixels
static void rect(mw_picture *p, double x, double y, double w, double h, mw_rgb color)
{
  double s = MW_PICTURE_SAMPLES;
  mw_raster_rect(&p->r, s * x, s * y, s * w, s * h, color);
}

static void line2(mw_picture *p, double x0, double y0, double x1, double y1, double width,
                  mw_rgb color)
{
  double s = MW_PICTURE_SAMPLES, a[3] = { s * x0, s * y0, 1e30 }, b[3] = { s * x1, s * y1, 1e30 };
  mw_raster_line(&p->r, a, b, s * width, color);
}

static void body_names(mw_picture *p, const mw_scene *s, mw_arena *mem)
{
  int total = 0, rows = 0, most = (p->height - TOP - BOTTOM) / ROW;
  if (most > LEGEND_MOST) most = LEGEND_MOST;
  for (int b = 0; b < s->m->n_body; b++) total += s->drawn[b];
  for (int b = 0; b < s->m->n_body; b++) {
    if (!s->drawn[b]) continue;
    double y = TOP + ROW * rows;
    if (rows == most - 1 && total > most) {
      label(p, 20, y + 2, TEXT, mw_arena_printf(mem, "and %d more", total - rows));
      return;
    }
    rect(p, 20, y, SWATCH, SWATCH, mw_scene_color(s->m, b));
    label(p, 20 + SWATCH + 8, y + 2, TEXT, mw_arena_printf(mem, "%.24s", s->m->body[b].name));
    rows++;
  }
}

static void mark_names(mw_picture *p, const mw_scene *s)
{
  bool used[MW_MARKS] = { false };
  double x = LEFT + 260, y = p->height - 48, S = MW_PICTURE_SAMPLES;
  for (int i = 0; i < s->n_dot; i++) used[s->dot[i].mark] = true;
  for (int k = 0; k < MW_MARKS; k++) {
    if (!used[k]) continue;
    mark(&p->r, S * x, S * (y + 5), (mw_mark)k);
    label(p, x + 12, y, TEXT, MARK_NAME[k]);
    x += 110;
  }
  if (!s->guide) return;
  line2(p, x - 8, y + 5, x + 12, y + 5, 3.0, mw_scene_guide_color());
  label(p, x + 20, y, TEXT, "guide");
}

static void axes(mw_picture *p, const camera *k)
{
  static const mw_rgb color[3] = { { 200, 40, 40 }, { 40, 140, 40 }, { 40, 70, 200 } };
  static const char *const name[3] = { "x", "y", "z" };
  double x = 80, y = p->height - 70, length = 48;
  for (int i = 0; i < 3; i++) {
    double ex = length * k->r[i], ey = -length * k->u[i];
    line2(p, x, y, x + ex, y + ey, 2.5, color[i]);
    label(p, x + 1.25 * ex - 3, y + 1.25 * ey - 5, TEXT, name[i]);
  }
}

// A length of 1, 2 or 5 times a power of ten, near 150 px
static void scale_bar(mw_picture *p, mw_arena *mem)
{
  double want = 150.0 / p->scale, ten = pow(10.0, floor(log10(want))), f = want / ten;
  double length = ten * (f < 2.0 ? 1.0 : f < 5.0 ? 2.0 : 5.0), x = LEFT - 20, y = p->height - 40;
  rect(p, x, y, length * p->scale, 3, BLACK);
  rect(p, x, y - 5, 2, 13, BLACK);
  rect(p, x + length * p->scale - 2, y - 5, 2, 13, BLACK);
  label(
      p, x + 4, y - 18, TEXT,
      mw_arena_printf(mem, length < 1.0 ? "%g mm" : "%g m", length < 1.0 ? 1e3 * length : length));
}

mw_code mw_picture_draw(const mw_mech *m, const double *p, const double *s,
                        const mw_picture_opt *opt, mw_arena *mem, mw_picture *out, mw_error *err)
{
  mw_picture pic = { .width = opt->width, .height = opt->height };
  mw_scene scene;
  camera k;
  if (!(mw_norm3(opt->eye) > 0.0 && isfinite(mw_norm3(opt->eye))) || opt->width < 400 ||
      opt->height < 300)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "a picture of %d × %d pixels seen from [%g, %g, %g], expected a direction and at "
        "least 400 × 300",
        opt->width, opt->height, opt->eye[0], opt->eye[1], opt->eye[2]);
  mw_code rc = mw_scene_build(m, p, s, mem, &scene, err);
  if (rc == MW_OK)
    rc = mw_raster_init(MW_PICTURE_SAMPLES * opt->width, MW_PICTURE_SAMPLES * opt->height, WHITE,
                        mem, &pic.r, err);
  if (rc != MW_OK) return rc;
  look(&k, opt->eye);
  fit(&k, &scene, opt);
  pic.scale = k.scale / MW_PICTURE_SAMPLES;
  paint(&k, &scene, &pic.r);
  for (int i = 0; i < scene.n_dot; i++) {
    double x[3];
    to_samples(&k, scene.dot[i].x, x);
    if (scene.dot[i].mark == MW_MARK_SUPPORT && hidden(&pic.r, x, 0.01 * scene.size)) continue;
    mark(&pic.r, x[0], x[1], scene.dot[i].mark);
  }
  label(&pic, 20, 22, TITLE, m->model->name);
  body_names(&pic, &scene, mem);
  mark_names(&pic, &scene);
  axes(&pic, &k);
  scale_bar(&pic, mem);
  *out = pic;
  return mw_arena_check(mem, err);
}

// ---- files --------------------------------------------------------------------------------------

static void base64(FILE *f, const unsigned char *x, size_t n)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    unsigned v = (unsigned)x[i] << 16 | (i + 1 < n ? (unsigned)x[i + 1] << 8 : 0u) |
                 (i + 2 < n ? (unsigned)x[i + 2] : 0u);
    fputc(digit[v >> 18], f);
    fputc(digit[v >> 12 & 63u], f);
    fputc(i + 1 < n ? digit[v >> 6 & 63u] : '=', f);
    fputc(i + 2 < n ? digit[v & 63u] : '=', f);
  }
}

static mw_code write_svg(const mw_picture *p, const unsigned char *png, size_t n, const char *title,
                         const char *path, mw_error *err)
{
  char *text = NULL;
  size_t len = 0;
  FILE *f = open_memstream(&text, &len);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (mw_file_ends_in(path, ".svg")) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", f);
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" "
          "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"%d\" height=\"%d\" "
          "viewBox=\"0 0 %d %d\">\n<image width=\"%d\" height=\"%d\" "
          "xlink:href=\"data:image/png;base64,",
          p->width, p->height, p->width, p->height, p->width, p->height);
  base64(f, png, n);
  fputs("\"/>\n<g font-family=\"sans-serif\" fill=\"#1e1e1e\">\n", f);
  for (int k = 0; k < p->n_label; k++) {
    const mw_label *l = &p->label[k];
    // capitals are some 0.72 of the size of a sans-serif font
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\">", l->x, l->y + l->size,
            l->size / 0.72);
    mw_plot_text(f, l->text);
    fputs("</text>\n", f);
  }
  fputs("</g>\n</svg>\n", f);
  int bad = ferror(f);
  mw_code rc = MW_OK;
  if (fclose(f) != 0 || bad)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK) rc = mw_plot_save(path, title, text, len, err);
  free(text);
  return rc;
}

void mw_picture_label(mw_picture *p)
{
  enum { DOTS = 7 };  // of the letters' height
  double s = MW_PICTURE_SAMPLES;
  for (int k = 0; k < p->n_label; k++) {
    const mw_label *l = &p->label[k];
    mw_raster_text(&p->r, s * l->x, s * l->y, s * l->size / DOTS, l->text, BLACK);
  }
}

mw_code mw_picture_ending(const char *path, mw_error *err)
{
  static const char *const ending[] = { ".png", ".svg", ".html" };
  for (int k = 0; k < 3; k++)
    if (mw_file_ends_in(path, ending[k])) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "a picture is .png, .svg or .html, found \"%.200s\"", path);
}

mw_code mw_picture_write(const mw_mech *m, const double *p, const double *s,
                         const mw_picture_opt *opt, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_picture pic;
  unsigned char *png = NULL;
  size_t n = 0;
  bool image = mw_file_ends_in(path, ".png");
  mw_code rc = mw_picture_ending(path, err);
  if (rc == MW_OK) rc = mw_picture_draw(m, p, s, opt, &mem, &pic, err);
  if (rc == MW_OK && image) mw_picture_label(&pic);
  if (rc == MW_OK) rc = mw_raster_png(&pic.r, MW_PICTURE_SAMPLES, &mem, &png, &n, err);
  if (rc == MW_OK)
    rc = image ? mw_file_replace(path, png, n, false, err)
               : write_svg(&pic, png, n, m->model->name, path, err);
  mw_arena_free(&mem);
  return rc;
}
