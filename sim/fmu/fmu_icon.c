// SPDX-License-Identifier: BSD-3-Clause
// fmu_icon.c: frequencies of a reduced model over a coordinate that they depend on, as a small
// picture, for where the machine's own model is not at hand.
#include <math.h>

#include "draw/raster_layer.h"
#include "fmu_priv.h"
#include "view/rompicture_layer.h"

enum { SAMPLES = 2, POINTS = 101, LEFT = 60, RIGHT = 20, TOP = 50, BOTTOM = 50 };  // px
static const mw_rgb PAPER = { 255, 255, 255 }, INK = { 30, 30, 30 }, AXIS = { 150, 150, 150 };
static const mw_rgb CURVE[] = {
  { 31, 90, 160 }, { 200, 80, 30 }, { 40, 130, 70 }, { 130, 70, 150 }, { 160, 130, 20 }
};
enum { N_CURVE = sizeof CURVE / sizeof *CURVE };

static void segment(mw_raster *r, double x0, double y0, double x1, double y1, double width,
                    mw_rgb color)
{
  double a[3] = { SAMPLES * x0, SAMPLES * y0, 0.0 }, b[3] = { SAMPLES * x1, SAMPLES * y1, 0.0 };
  mw_raster_line(r, a, b, SAMPLES * width, color);
}

static void draw(mw_raster *r, const mw_rom_file *rom, const mw_rom_line *l)
{
  double right = MW_FMU_ICON_WIDTH - RIGHT, bottom = MW_FMU_ICON_HEIGHT - BOTTOM, most = 0.0;
  char text[128];
  for (int k = 0; k < l->n_freq * l->n; k++)
    if (l->hz[k] > most) most = l->hz[k];
  if (!(most > 0.0)) most = 1.0;
  segment(r, LEFT, bottom, right, bottom, 1.5, AXIS);
  segment(r, LEFT, TOP, LEFT, bottom, 1.5, AXIS);
  double wide = (right - LEFT) / (l->n - 1), high = (bottom - TOP) / most;
  for (int k = 0; k < l->n_freq; k++)
    for (int i = 1; i < l->n; i++) {
      const double *hz = l->hz + k * l->n + i;
      if (hz[0] >= 0.0 && hz[-1] >= 0.0)
        segment(r, LEFT + wide * (i - 1), bottom - high * hz[-1], LEFT + wide * i,
                bottom - high * hz[0], 2.5, CURVE[k % N_CURVE]);
    }
  snprintf(text, sizeof text, "%.60s", rom->model_name ? rom->model_name : "");
  mw_raster_text(r, SAMPLES * LEFT, SAMPLES * 15.0, SAMPLES * 2.0, text, INK);
  snprintf(text, sizeof text, "%.3g HZ", most);
  mw_raster_text(r, SAMPLES * 5.0, SAMPLES * (TOP - 14.0), SAMPLES * 1.5, text, INK);
  snprintf(text, sizeof text, "%.40s  %.4g ... %.4g %s", rom->coordinate[l->axis], l->x[0],
           l->x[l->n - 1], rom->unit && rom->unit[l->axis] ? rom->unit[l->axis] : "");
  mw_raster_text(r, SAMPLES * LEFT, SAMPLES * (bottom + 15.0), SAMPLES * 1.5, text, INK);
}

mw_code mw_fmu_chart(const mw_rom_file *rom, mw_arena *mem, unsigned char **data, size_t *n,
                     mw_error *err)
{
  mw_rom_line line = { 0 };
  mw_raster r;
  int middle[MW_ROM_MAX_S];
  int axis = 0;
  for (int i = 0; i < rom->rom.s; i++) middle[i] = rom->n_grid[i] / 2;
  while (axis < rom->rom.s - 1 && rom->rom.flat >> axis & 1u) axis++;
  mw_code rc = mw_raster_init(SAMPLES * MW_FMU_ICON_WIDTH, SAMPLES * MW_FMU_ICON_HEIGHT, PAPER, mem,
                              &r, err);
  if (rc == MW_OK) rc = mw_rom_line_build(rom, axis, middle, POINTS, mem, &line, err);
  if (rc == MW_OK) draw(&r, rom, &line);
  return rc == MW_OK ? mw_raster_png(&r, SAMPLES, mem, data, n, err) : rc;
}
