// SPDX-License-Identifier: BSD-3-Clause
// raster.c: triangles and lines into samples with a depth each.
//
//   triangle: sample s inside when its three areas (s, a, b), (s, b, c), (s, c, a) have one sign;
//       depth by them      (1)
//   line: sample within width/2 of the nearest point a + t (b − a), 0 <= t <= 1; depth there    (2)
//
// Cost: the samples of the bounding box, for lines those near the segment row by row.
#include <math.h>
#include <png.h>
#include <string.h>

#include "raster_layer.h"

mw_code mw_raster_init(int w, int h, mw_rgb background, mw_arena *mem, mw_raster *out,
                       mw_error *err)
{
  mw_raster r = { .w = w, .h = h };
  size_t n = (size_t)w * (size_t)h;
  r.color = mw_arena_alloc(mem, n, sizeof *r.color);
  r.z = mw_arena_alloc(mem, n, sizeof *r.z);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < n; i++) {
    r.color[i] = background;
    r.z[i] = -INFINITY;
  }
  *out = r;
  return MW_OK;
}

// First and last sample whose centres lie in [lo, hi], cut to the picture
static void range(double lo, double hi, int n, int *first, int *last)
{
  *first = lo <= 0.5 ? 0 : lo > n ? n : (int)ceil(lo - 0.5);
  *last = hi >= n - 0.5 ? n - 1 : hi < 0.0 ? -1 : (int)floor(hi - 0.5);
}

static void put(mw_raster *r, int x, int y, double z, mw_rgb color)
{
  size_t i = (size_t)y * (size_t)r->w + (size_t)x;
  if (!((float)z > r->z[i])) return;
  r->z[i] = (float)z;
  r->color[i] = color;
}

void mw_raster_triangle(mw_raster *r, const double a[3], const double b[3], const double c[3],
                        mw_rgb color)
{
  double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  int x0, x1, y0, y1;
  if (!(fabs(area) > 0.0)) return;
  range(fmin(a[0], fmin(b[0], c[0])), fmax(a[0], fmax(b[0], c[0])), r->w, &x0, &x1);
  range(fmin(a[1], fmin(b[1], c[1])), fmax(a[1], fmax(b[1], c[1])), r->h, &y0, &y1);
  for (int y = y0; y <= y1; y++)
    for (int x = x0; x <= x1; x++) {
      double px = x + 0.5, py = y + 0.5;
      double u = ((c[0] - b[0]) * (py - b[1]) - (c[1] - b[1]) * (px - b[0])) / area;
      double v = ((a[0] - c[0]) * (py - c[1]) - (a[1] - c[1]) * (px - c[0])) / area;
      double w = 1.0 - u - v;
      if (u >= 0.0 && v >= 0.0 && w >= 0.0) put(r, x, y, u * a[2] + v * b[2] + w * c[2], color);
    }
}

void mw_raster_line(mw_raster *r, const double a[3], const double b[3], double width, mw_rgb color)
{
  double dx = b[0] - a[0], dy = b[1] - a[1], l2 = dx * dx + dy * dy, half = 0.5 * width;
  int x0, x1, y0, y1;
  range(fmin(a[1], b[1]) - half, fmax(a[1], b[1]) + half, r->h, &y0, &y1);
  for (int y = y0; y <= y1; y++) {
    // the part of the segment that this row can be near to
    double py = y + 0.5, t0 = 0.0, t1 = 1.0;
    if (fabs(dy) > 1e-9) {
      t0 = fmin(1.0, fmax(0.0, (py - half - a[1]) / dy));
      t1 = fmin(1.0, fmax(0.0, (py + half - a[1]) / dy));
    }
    double xa = a[0] + t0 * dx, xb = a[0] + t1 * dx;
    range(fmin(xa, xb) - half, fmax(xa, xb) + half, r->w, &x0, &x1);
    for (int x = x0; x <= x1; x++) {
      double px = x + 0.5;
      double t = l2 > 0.0 ? ((px - a[0]) * dx + (py - a[1]) * dy) / l2 : 0.0;
      t = fmin(1.0, fmax(0.0, t));
      double ex = px - a[0] - t * dx, ey = py - a[1] - t * dy;
      if (ex * ex + ey * ey <= half * half) put(r, x, y, a[2] + t * (b[2] - a[2]), color);
    }
  }
}

// on top of everything so far and to come
static void over(mw_raster *r, int x, int y, mw_rgb color)
{
  size_t i = (size_t)y * (size_t)r->w + (size_t)x;
  r->z[i] = INFINITY;
  r->color[i] = color;
}

void mw_raster_rect(mw_raster *r, double x, double y, double w, double h, mw_rgb color)
{
  int x0, x1, y0, y1;
  range(x, x + w, r->w, &x0, &x1);
  range(y, y + h, r->h, &y0, &y1);
  for (int j = y0; j <= y1; j++)
    for (int i = x0; i <= x1; i++) over(r, i, j, color);
}

void mw_raster_disc(mw_raster *r, double x, double y, double radius, mw_rgb color)
{
  int x0, x1, y0, y1;
  range(x - radius, x + radius, r->w, &x0, &x1);
  range(y - radius, y + radius, r->h, &y0, &y1);
  for (int j = y0; j <= y1; j++)
    for (int i = x0; i <= x1; i++)
      if (hypot(i + 0.5 - x, j + 0.5 - y) <= radius) over(r, i, j, color);
}

// ---- PNG ----------------------------------------------------------------------------------------

static void reduce(const mw_raster *r, int by, int w, int h, unsigned char *out)
{
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int sum[3] = { 0 };
      for (int k = 0; k < by * by; k++) {
        mw_rgb c = r->color[(size_t)(y * by + k / by) * (size_t)r->w + (size_t)(x * by + k % by)];
        sum[0] += c.r;
        sum[1] += c.g;
        sum[2] += c.b;
      }
      for (int k = 0; k < 3; k++) *out++ = (unsigned char)((sum[k] + by * by / 2) / (by * by));
    }
}

mw_code mw_raster_png(const mw_raster *r, int by, mw_arena *mem, unsigned char **data, size_t *n,
                      mw_error *err)
{
  mw_arena tmp = { 0 };
  int w = r->w / by, h = r->h / by;
  png_image image = { .version = PNG_IMAGE_VERSION,
                      .width = (png_uint_32)w,
                      .height = (png_uint_32)h,
                      .format = PNG_FORMAT_RGB };
  png_alloc_size_t size = 0;
  unsigned char *pixel = mw_arena_alloc(&tmp, (size_t)w * (size_t)h, 3);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    reduce(r, by, w, h, pixel);
    if (!png_image_write_to_memory(&image, NULL, &size, 0, pixel, 0, NULL))
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "libpng: %s", image.message);
  }
  unsigned char *out = rc == MW_OK ? mw_arena_alloc(mem, size, 1) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK && !png_image_write_to_memory(&image, out, &size, 0, pixel, 0, NULL))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "libpng: %s", image.message);
  png_image_free(&image);
  mw_arena_free(&tmp);
  if (rc != MW_OK) return rc;
  *data = out;
  *n = size;
  return MW_OK;
}
