// SPDX-License-Identifier: BSD-3-Clause
// check_structure.c: the blocks of a rigid mechanism's elimination, and their fill, as a picture.
// The counterpart of Figure 3 of Kraus, Winckler, Bock (2001).
#include <stdio.h>
#include <stdlib.h>

#include "check_layer.h"
#include "draw/plot_layer.h"
#include "reduction/ncfile.h"

enum { SIDE = 720, MARGIN = 150, TOP = 70, NAMED = 60 };

static const char *const BODY = "#1f4e79", *const ROWS = "#b8860b", *const COUPLED = "#8fb3d0",
                         *const FILL = "#b03a2e";

mw_code mw_check_structure(const mw_mech *m, mw_arena *mem, mw_rigid_structure *out, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_rigid *r = NULL;
  opt.components = true;
  mw_code rc = mw_rigid_build(m, &opt, &r, err);
  if (rc == MW_OK) rc = mw_rigid_structure_find(r, mem, out, err);
  mw_rigid_free(r);
  return rc;
}

static void put(FILE *f, double x, double y, double w, double h, const char *color)
{
  fprintf(f, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", x, y, w,
          h, color);
}

static void text(FILE *f, double x, double y, const char *anchor, const char *s)
{
  fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  mw_plot_text(f, s);
  fprintf(f, "</text>\n");
}

static void head(FILE *f, const mw_mech *m, const mw_rigid_structure *o)
{
  static const char *const what[] = { "bodies", "rows of joints", "coupled", "fill" };
  const char *const color[] = { BODY, ROWS, COUPLED, FILL };
  char line[256];
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
          "fill=\"#ffffff\"/>\n",
          SIDE + MARGIN + 20, SIDE + TOP + 20);
  snprintf(line, sizeof line,
           "%.80s: %d nodes in the order of elimination, %d blocks below the "
           "diagonal, %d of them fill",
           m->model->name, o->n, o->n_block, o->n_fill);
  text(f, 10, 22, "start", line);
  for (int i = 0; i < 4; i++) {
    put(f, 10 + 140 * i, 36, 12, 12, color[i]);
    text(f, 28 + 140 * i, 46, "start", what[i]);
  }
}

// Blocks as wide as their unknowns, both halves; names where there is room for them
static void draw(FILE *f, const mw_mech *m, const mw_rigid_structure *o, const double *at)
{
  double px = SIDE / at[o->n], gap = px >= 3.0 ? 0.6 : 0.0;
  head(f, m, o);
  fprintf(f,
          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999999\"/>\n",
          MARGIN, TOP, SIDE, SIDE);
  for (int k = 0; k < o->n; k++) {
    double x = MARGIN + px * at[k], y = TOP + px * at[k], w = px * o->size[k] - gap;
    put(f, x, y, w, w, o->rows[k] ? ROWS : BODY);
    if (o->n <= NAMED) text(f, MARGIN - 6, y + 0.5 * w + 4, "end", o->name[k]);
  }
  for (int i = 0; i < o->n_block; i++) {
    const mw_rigid_block *b = &o->block[i];
    double x = px * at[b->col], y = px * at[b->row], w = px * o->size[b->col] - gap,
           h = px * o->size[b->row] - gap;
    put(f, MARGIN + x, TOP + y, w, h, b->fill ? FILL : COUPLED);
    put(f, MARGIN + y, TOP + x, h, w, b->fill ? FILL : COUPLED);
  }
  fprintf(f, "</svg>\n");
}

mw_code mw_check_structure_write(const mw_mech *m, const mw_rigid_structure *o, const char *path,
                                 mw_error *err)
{
  mw_arena mem = { 0 };
  double *at = mw_arena_f64(&mem, (size_t)o->n + 1);
  char *out = NULL;
  size_t n = 0;
  FILE *f = at ? open_memstream(&out, &n) : NULL;
  for (int k = 0; at && k < o->n; k++) at[k + 1] = at[k] + o->size[k];
  if (f) {
    draw(f, m, o, at);
    if (fclose(f) != 0) f = NULL;
  }
  mw_code rc = f ? mw_plot_save(path, "blocks of the rigid elimination", out, n, err)
                 : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a picture");
  free(out);
  mw_arena_free(&mem);
  return rc;
}
