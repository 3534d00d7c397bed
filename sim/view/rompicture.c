// SPDX-License-Identifier: BSD-3-Clause
// rompicture.c: frequencies of a reduced model over θ, and where its tables have points.
//
// Dots are the eigenanalyses on the grid, lines the eigenvalues of the interpolated stiffness
// (romlines.c); colours and shapes say which mode of the reduced model a frequency belongs to, grey
// none. A coordinate has one panel, or with more coordinates three: the lowest, middle and highest
// grid line of a second one, all others at their middle line. Coordinates nothing depends on are
// left out. Cost: that of the lines.
#include "rompicture_layer.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
  WIDE = 1044,  // px, of a figure
  TALL = 520,
  SMALL = 380,    // panel heights: one a figure, three side by side
  STRIP = 140,    // of the points along a coordinate
  MAX_NOTE = 14,  // a panel
  MAX_TEXT = 10,
  LETTERS = 150  // lines below a figure, letters of one
};

void mw_rom_figures_add(mw_rom_figures *g, const mw_figure *figure) { g->figure[g->n++] = *figure; }

static const char *unit_of(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] && f->unit[i][0] ? f->unit[i] : NULL;
}

static void axis_label(const mw_rom_file *f, int i, char *out, size_t n)
{
  const char *unit = unit_of(f, i);
  snprintf(out, n, "%s%s%s", f->coordinate[i], unit ? ", " : "", unit ? unit : "");
}

static bool is_flat(const mw_rom_file *f, int i) { return (f->rom.flat >> i & 1u) != 0; }

// ---- one panel of frequencies -------------------------------------------------------------------

// Eigenanalyses on the grid line of l.
static mw_code direct_dots(const mw_rom_file *f, const mw_rom_line *l, mw_arena *mem, mw_dots *d,
                           mw_error *err)
{
  int n = f->n_grid[l->axis], at = 0, stride = 1;
  for (int i = f->rom.s - 1, size = 1; i >= 0; size *= f->n_grid[i--]) {
    if (i == l->axis) stride = size;
    at += size * l->index[i];
  }
  size_t count = (size_t)n * (size_t)f->n_freq;
  double *x = mw_arena_f64(mem, count), *y = mw_arena_f64(mem, count);
  int *group = mw_arena_int(mem, count), q = 0;
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < f->n_freq; k++, q++) {
      size_t from = (size_t)(at + i * stride) * (size_t)f->n_freq + (size_t)k;
      x[q] = mw_rom_grid_at(f, l->axis, i);
      y[q] = f->frequency[from];
      group[q] = f->identity ? f->identity[from] : MW_PLOT_GREY;
    }
  *d = (mw_dots){ .n = q, .x = x, .y = y, .group = group, .radius = 2.6 };
  return MW_OK;
}

static void add_notes(const mw_rom_line *l, mw_panel *p)
{
  static const mw_shape shape[] = { MW_SHAPE_CROSS, MW_SHAPE_RING, MW_SHAPE_NOTCH };
  for (int pass = 0; pass < 2; pass++)  // veerings first: they have something to say
    for (int k = 0; k < l->n_approach && p->n_note < MAX_NOTE; k++) {
      const mw_approach *a = &l->approach[k];
      if (a->kind == MW_APPROACH_CLOSEST || (a->kind == MW_APPROACH_VEERING) == (pass == 1))
        continue;
      mw_note *to = &p->note[p->n_note++];
      *to = (mw_note){ .x = a->x, .y = a->hz, .shape = shape[a->kind] };
      if (a->kind == MW_APPROACH_VEERING)
        snprintf(to->text, sizeof to->text, "%d–%d: %.2g Hz", a->lower + 1, a->lower + 2, a->gap);
      else
        snprintf(to->text, sizeof to->text, "%d–%d", a->lower + 1, a->lower + 2);
    }
}

static mw_code line_panel(const mw_rom_file *f, const mw_rom_line *l, mw_arena *mem, mw_panel *p,
                          mw_error *err)
{
  mw_code rc = MW_OK;
  *p = (mw_panel){ .n = l->n, .x = l->x, .n_curve = l->n_freq };
  p->curve = mw_arena_alloc(mem, (size_t)l->n_freq, sizeof *p->curve);
  p->note = mw_arena_alloc(mem, MAX_NOTE, sizeof *p->note);
  p->dots = mw_arena_alloc(mem, 1, sizeof *p->dots);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK && f->frequency && f->n_freq > 0) {
    rc = direct_dots(f, l, mem, p->dots, err);
    p->n_dots = rc == MW_OK;
  }
  if (rc != MW_OK) return rc;
  for (int k = 0; k < l->n_freq; k++)
    p->curve[k] = (mw_curve){ .width = 1.3,
                              .y = l->hz + (size_t)k * (size_t)l->n,
                              .group = l->identity + (size_t)k * (size_t)l->n };
  add_notes(l, p);
  axis_label(f, l->axis, p->x_label, sizeof p->x_label);
  snprintf(p->y_label, sizeof p->y_label, "frequency, Hz");
  mw_rom_line_text(f, l, p->title, sizeof p->title);
  return MW_OK;
}

// All panels of a figure get the range of their lines, with a little room for dots.
static void same_range(int n, mw_panel *p)
{
  double lo = INFINITY, hi = -INFINITY;
  for (int q = 0; q < n; q++)
    for (int k = 0; k < p[q].n_curve; k++)
      for (int i = 0; i < p[q].n; i++) {
        double y = p[q].curve[k].y[i];
        if (isfinite(y)) lo = fmin(lo, y), hi = fmax(hi, y);
      }
  if (!(lo <= hi)) return;
  double room = 0.02 * (hi - lo) + 0.01 * hi;
  for (int q = 0; q < n; q++) {
    p[q].y_lo = fmax(lo - room, 0.0);
    p[q].y_hi = hi + room;
  }
}

// ---- legend and texts ---------------------------------------------------------------------------

static void key_of(int group, const char *text, mw_key *k)
{
  *k = (mw_key){ .width = 1.3 };
  mw_plot_pen(group, &k->color, &k->dash, &k->shape);
  snprintf(k->text, sizeof k->text, "%s", text);
}

static void mark_key(mw_shape shape, const char *text, mw_key *k)
{
  *k = (mw_key){ .color = "#000000", .shape = shape };
  snprintf(k->text, sizeof k->text, "%s", text);
}

// "aligned together: 2, 3, 5; 7, 8" (numbers of columns); empty without clusters of more than one.
static void cluster_text(const mw_rom_file *f, char *out, size_t n)
{
  size_t used = 0;
  bool any = false;
  out[0] = '\0';
  for (int k = 0; f->cluster && k < f->n_modes; k++) {
    int members = 0;
    bool first = true;
    for (int j = 0; j < f->n_modes; j++) {
      members += f->cluster[j] == f->cluster[k];
      if (j < k && f->cluster[j] == f->cluster[k]) first = false;
    }
    for (int j = k; j < f->n_modes && first && members > 1 && used < n; j++) {
      if (f->cluster[j] != f->cluster[k]) continue;
      const char *before = j > k ? ", " : any ? "; " : "aligned together: modes ";
      int c = snprintf(out + used, n - used, "%s%d", before, j + 1);
      used += c > 0 ? (size_t)c : 0;
      any = true;
    }
  }
}

// Is there a dot or a point of a line of this group?
static bool has_group(int n, const mw_panel *p, int group)
{
  for (int q = 0; q < n; q++) {
    for (int k = 0; k < p[q].n_curve; k++)
      for (int i = 0; i < p[q].n; i++)
        if (p[q].curve[k].group[i] == group) return true;
    for (int i = 0; p[q].n_dots > 0 && i < p[q].dots[0].n; i++)
      if (p[q].dots[0].group[i] == group && p[q].dots[0].y[i] <= p[q].y_hi) return true;
  }
  return false;
}

static bool has_mark(int n, const mw_panel *p, mw_shape shape)
{
  for (int q = 0; q < n; q++)
    for (int k = 0; k < p[q].n_note; k++)
      if (p[q].note[k].shape == shape) return true;
  return false;
}

// What there is in the panels.
static mw_code legend(const mw_rom_file *f, mw_arena *mem, mw_figure *g, mw_error *err)
{
  static const struct {
    mw_shape shape;
    const char *text;
  } mark[] = { { MW_SHAPE_NOTCH, "veering" },
               { MW_SHAPE_CROSS, "crossing" },
               { MW_SHAPE_RING, "crossing or veering" } };
  char text[160];
  mw_key *k = mw_arena_alloc(mem, (size_t)f->n_modes + 5, sizeof *k);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  int n = 0;
  for (int a = 0; a < f->n_modes; a++)
    if (has_group(g->n_panel, g->panel, a)) key_of(a, f->column[a], &k[n++]);
  if (has_group(g->n_panel, g->panel, MW_PLOT_GREY))
    key_of(MW_PLOT_GREY, f->identity ? "none of these" : "eigenanalyses, patterns", &k[n++]);
  for (int a = 0; a < 3; a++)
    if (has_mark(g->n_panel, g->panel, mark[a].shape))
      mark_key(mark[a].shape, mark[a].text, &k[n++]);
  cluster_text(f, text, sizeof text);
  if (text[0] != '\0') mark_key(MW_SHAPE_NONE, text, &k[n++]);
  g->key = k;
  g->n_key = n;
  return MW_OK;
}

// Texts of all approaches of the lines, as many a line below the figure as it holds.
static mw_code approach_lines(const mw_rom_file *f, int n, const mw_rom_line *line, mw_arena *mem,
                              mw_figure *g, mw_error *err)
{
  const char **to = mw_arena_alloc(mem, MAX_TEXT + 1, sizeof *to);
  mw_code rc = mw_arena_check(mem, err);
  char text[1024] = "", one[192], at[192];
  int used = 0, left = 0;
  for (int q = 0; rc == MW_OK && q < n; q++) {
    mw_rom_line_text(f, &line[q], at, sizeof at);
    for (int k = 0; k < line[q].n_approach; k++) {
      if (line[q].approach[k].kind == MW_APPROACH_CLOSEST) continue;
      mw_approach_text(f, &line[q], &line[q].approach[k], one, sizeof one);
      int more = (int)(strlen(one) + strlen(at)) + 4;
      if (used > 0 && used + more > LETTERS) {
        to[g->n_line++] = mw_arena_str(mem, text);
        used = 0;
      }
      if (g->n_line == MAX_TEXT) {
        left++;
        continue;
      }
      used += snprintf(text + used, sizeof text - (size_t)used, "%s%s%s%s", used ? ";  " : "", at,
                       at[0] ? ": " : "", one);
    }
  }
  if (rc == MW_OK && used > 0) to[g->n_line++] = mw_arena_str(mem, text);
  if (rc == MW_OK && left > 0)
    to[g->n_line++] = mw_arena_printf(mem, "… and %d more, see the page (.html)", left);
  g->line = to;
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// ---- figures ------------------------------------------------------------------------------------

// The figure of coordinate `axis`; second: coordinate whose low, middle and high line are shown,
// −1: none.
static mw_code axis_figure(const mw_rom_file *f, int axis, int second, mw_rom_figures *g,
                           mw_error *err)
{
  int n = second >= 0 ? 3 : 1, index[MW_ROM_MAX_S];
  mw_rom_line *line = g->line + g->n_line;
  mw_panel *p = mw_arena_alloc(&g->mem, (size_t)n, sizeof *p);
  mw_code rc = mw_arena_check(&g->mem, err);
  mw_figure fig = {
    .n_panel = n, .n_col = n, .w = WIDE / n, .h = n > 1 ? SMALL : TALL, .panel = p
  };
  snprintf(fig.title, sizeof fig.title,
           "Frequencies along %s: eigenanalyses on the grid (dots), interpolated (lines)",
           f->coordinate[axis]);
  for (int q = 0; rc == MW_OK && q < n; q++) {
    for (int i = 0; i < f->rom.s; i++) index[i] = f->n_grid[i] / 2;
    if (second >= 0) index[second] = q * (f->n_grid[second] - 1) / 2;
    rc = mw_rom_line_build(f, axis, index, MW_ROM_LINE_POINTS, &g->mem, &line[q], err);
    if (rc == MW_OK) rc = line_panel(f, &line[q], &g->mem, &p[q], err);
  }
  if (rc == MW_OK) same_range(n, p);
  if (rc == MW_OK) rc = legend(f, &g->mem, &fig, err);
  if (rc == MW_OK) rc = approach_lines(f, n, line, &g->mem, &fig, err);
  if (rc != MW_OK) return rc;
  g->n_line += n;
  mw_rom_figures_add(g, &fig);
  return MW_OK;
}

mw_code mw_rom_figures_lines(const mw_rom_file *f, mw_rom_figures *g, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < f->rom.s && f->n_modes > 0; i++) {
    int second = -1;
    for (int j = f->rom.s - 1; j >= 0; j--)
      if (j != i && !is_flat(f, j)) second = j;
    if (!is_flat(f, i)) rc = axis_figure(f, i, second, g, err);
  }
  return rc;
}

// ---- storage ------------------------------------------------------------------------------------

// Adds to a text of n bytes that has *used of them.
static void add(char *out, size_t n, size_t *used, const char *fmt, ...) MW_PRINTF(4, 5);
static void add(char *out, size_t n, size_t *used, const char *fmt, ...)
{
  va_list ap;
  if (*used + 1 >= n) return;
  va_start(ap, fmt);
  int k = vsnprintf(out + *used, n - *used, fmt, ap);
  va_end(ap);
  *used += k > 0 ? (size_t)k : 0;
}

static void add_bytes(char *out, size_t n, size_t *used, double bytes)
{
  const char *unit = bytes >= 1e9 ? "GB" : bytes >= 1e6 ? "MB" : "kB";
  add(out, n, used, "%.3g %s", bytes / (bytes >= 1e9 ? 1e9 : bytes >= 1e6 ? 1e6 : 1e3), unit);
}

void mw_rom_storage_text(const mw_rom_file *f, char *out, size_t n)
{
  const mw_rom *r = &f->rom;
  bool train = r->n_train > 0;
  double full = 8.0 * r->n_field, start = 8.0 * f->n_start;
  size_t used = 0;
  out[0] = '\0';
  add(out, n, &used, train ? "tensor trains over " : "tables of ");
  for (int i = 0; i < r->s; i++) {
    add(out, n, &used, "%s%d", i ? " × " : "", mw_rom_n_knot(r, i));
    full *= mw_rom_n_knot(r, i);
    start *= f->n_table[i] + 2;
  }
  add(out, n, &used, " records of %d numbers, ", r->n_field);
  if (train) {
    int rank = 0;
    for (int k = 0; k < r->n_train; k++)
      for (int i = 0; i < r->s; i++) rank = r->train[k].rank[i] > rank ? r->train[k].rank[i] : rank;
    add(out, n, &used, "ranks up to %d: ", rank);
  }
  add_bytes(out, n, &used, (double)mw_rom_bytes(r));
  if (train) {
    add(out, n, &used, " instead of ");
    add_bytes(out, n, &used, full);
  }
  if (f->start) {
    add(out, n, &used, "; for starts with a velocity ");
    add_bytes(out, n, &used, start);
  }
  const mw_drawn *d = &f->drawn;
  if (d->n > 0) {
    add(out, n, &used, "; for pictures %d nodes in %d shapes, ", d->n_node_all, d->n);
    add_bytes(out, n, &used, 4.0 * d->n_value + 4.0 * d->n_point * (double)r->m * (double)d->n);
  }
}

// Ticks of grid points (row 1) and table points (row 0) along coordinate i.
static mw_code strip(const mw_rom_file *f, int i, mw_arena *mem, mw_panel *p, mw_error *err)
{
  static const char *const row[] = { "table", "grid" };
  int n_grid = f->n_grid[i], n_table = is_flat(f, i) ? 0 : f->rom.n_grid[i];
  const mw_rom *r = &f->rom;
  mw_dots *d = mw_arena_alloc(mem, 2, sizeof *d);
  double *x = mw_arena_f64(mem, (size_t)(n_grid + n_table)),
         *y = mw_arena_f64(mem, (size_t)(n_grid + n_table));
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n_grid; k++) {
    x[k] = mw_rom_grid_at(f, i, k);
    y[k] = 1.0;
  }
  for (int k = 0; k < n_table; k++)
    x[n_grid + k] = r->lo[i] + mw_rom_width(f, i) * k / (n_table - 1);
  d[0] = (mw_dots){
    .n = n_grid, .x = x, .y = y, .color = "#000000", .shape = MW_SHAPE_BAR, .radius = 10.0
  };
  d[1] = d[0];
  d[1].n = n_table;
  d[1].x = x + n_grid;
  d[1].y = y + n_grid;
  d[1].color = "#0072b2";
  *p = (mw_panel){
    .x_lo = r->lo[i], .x_hi = r->hi[i], .n_dots = 2, .dots = d, .n_row = 2, .row = row
  };
  axis_label(f, i, p->x_label, sizeof p->x_label);
  const char *kind = (r->symmetric >> i & 1u) != 0 ? ", its upper half mirrored"
                     : (r->cyclic >> i & 1u) != 0  ? ", cyclic"
                                                   : "";
  if (n_table > 0)
    snprintf(p->title, sizeof p->title, "%.60s: %d grid points, tables of %d%s", f->coordinate[i],
             n_grid, n_table, kind);
  else
    snprintf(p->title, sizeof p->title, "%.60s: %d grid points; nothing depends on it, one record",
             f->coordinate[i], n_grid);
  return MW_OK;
}

mw_code mw_rom_figures_storage(const mw_rom_file *f, mw_rom_figures *g, mw_error *err)
{
  int s = f->rom.s;
  mw_panel *p = mw_arena_alloc(&g->mem, (size_t)s, sizeof *p);
  const char **line = mw_arena_alloc(&g->mem, 1, sizeof *line);
  char text[512];
  mw_rom_storage_text(f, text, sizeof text);
  const char *copy = mw_arena_str(&g->mem, text);
  mw_code rc = mw_arena_check(&g->mem, err);
  for (int i = 0; rc == MW_OK && i < s; i++) rc = strip(f, i, &g->mem, &p[i], err);
  if (rc != MW_OK) return rc;
  line[0] = copy;
  mw_figure fig = {
    .w = WIDE, .h = STRIP, .n_col = 1, .n_panel = s, .panel = p, .n_line = 1, .line = line
  };
  snprintf(fig.title, sizeof fig.title, "Points");
  mw_rom_figures_add(g, &fig);
  return MW_OK;
}
