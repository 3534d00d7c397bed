// SPDX-License-Identifier: BSD-3-Clause
// rompicture_certificate.c: what the certificate of a reduced model compared, as pictures.
//
//   errors over each coordinate: a dot a configuration, the largest ringed; 1 − MAC as an error too
//   receptances |H_ii|, direct and reduced, at the configuration of the largest error; below, the
//     largest error of row i
//   over all configurations, for the MAX_ROW rows with the largest
//
// What the file does not have is left out.
#include <math.h>
#include <string.h>

#include "reduction/certificate.h"
#include "rompicture_layer.h"

enum { COLUMNS = 3, WIDE = 1044, HIGH = 250, MAX_QUANTITY = 6, MAX_ROW = 6 };

typedef struct quantity {
  const char *name, *label;
  const double *y;  // [n × per]
  int per;
  double tolerance;  // 0: none
} quantity;

int mw_rom_worst(int n, int per, const double *y, double *value)
{
  int worst = -1;
  for (int i = 0; y && i < n * per; i++)
    if (worst < 0 || !(y[i] <= *value)) {
      if (worst >= 0 && isnan(*value)) break;
      worst = i / per;
      *value = y[i];
    }
  return worst;
}

// ---- errors over the coordinates ----------------------------------------------------------------

static double tolerance_of(const mw_verdict *v, int n, const char *key)
{
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, key) == 0) return v[i].tolerance;
  return 0.0;
}

// What was compared at all points, with relative errors of frequencies and 1 − MAC from mem.
static mw_code quantities(const mw_rom_file *f, mw_arena *mem, quantity *q, int *n, mw_error *err)
{
  const mw_certificate *c = &f->certificate;
  size_t size = (size_t)c->n * (size_t)c->n_freq;
  double *e = mw_arena_f64(mem, size), *off = mw_arena_f64(mem, size);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < size && c->f_direct && c->f_rom; k++)
    e[k] = fabs(c->f_rom[k] - c->f_direct[k]) / c->f_direct[k];
  for (size_t k = 0; k < size && c->mac; k++) off[k] = 1.0 - c->mac[k];
  mw_verdict v[MW_VERDICTS];
  int n_v = mw_certificate_verdicts(c, v);
  *n = 0;
  if (size > 0 && c->f_direct && c->f_rom)
    q[(*n)++] = (quantity){ "frequencies", "relative error", e, c->n_freq, c->tolerance };
  if (size > 0 && c->mac)
    q[(*n)++] = (quantity){ "modes", "1 − modal assurance", off, c->n_freq,
                            tolerance_of(v, n_v, "shapes") };
  if (c->static_error)
    q[(*n)++] = (quantity){ "static compliance", "relative error", c->static_error, 1,
                            tolerance_of(v, n_v, "static_compliance") };
  if (c->stress_error)
    q[(*n)++] = (quantity){ "static stress and strain", "relative error", c->stress_error, 1,
                            tolerance_of(v, n_v, "stress") };
  if (c->n_io > 0 && c->receptance_error)
    q[(*n)++] = (quantity){ "receptance", "error", c->receptance_error, 1,
                            tolerance_of(v, n_v, "receptances") };
  if (c->energy_left)
    q[(*n)++] = (quantity){ "strain energy left out", "share", c->energy_left, 1, 0.0 };
  return MW_OK;
}

// Quantity q over coordinate i: all its values, and each point's largest on top.
static mw_code error_panel(const mw_rom_file *f, const quantity *q, int i, mw_arena *mem,
                           mw_panel *p, mw_error *err)
{
  const mw_certificate *c = &f->certificate;
  size_t n = (size_t)c->n, per = (size_t)q->per;
  double *x = mw_arena_f64(mem, n * per), *at = mw_arena_f64(mem, n), *top = mw_arena_f64(mem, n),
         value = 0.0;
  mw_dots *d = mw_arena_alloc(mem, 2, sizeof *d);
  mw_note *note = mw_arena_alloc(mem, 1, sizeof *note);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n * per; k++) x[k] = c->theta[(k / per) * (size_t)f->rom.s + (size_t)i];
  for (size_t k = 0; k < n; k++) {
    at[k] = x[k * per];
    (void)mw_rom_worst(1, q->per, q->y + k * per, &top[k]);
  }
  d[0] = (mw_dots){
    .n = (int)(n * per), .x = x, .y = q->y, .color = "#bbbbbb", .shape = MW_SHAPE_DOT, .radius = 2.0
  };
  d[1] = (mw_dots){
    .n = c->n, .x = at, .y = top, .color = "#0072b2", .shape = MW_SHAPE_DOT, .radius = 3.0
  };
  const char *unit = f->unit && f->unit[i] ? f->unit[i] : "";
  *p = (mw_panel){ .x_lo = f->rom.lo[i],
                   .x_hi = f->rom.hi[i],
                   .log_y = true,
                   .n_dots = 2,
                   .dots = d,
                   .rule = q->tolerance,
                   .note = note };
  int worst = mw_rom_worst(c->n, q->per, q->y, &value);
  if (worst >= 0 && value > 0.0) {
    *note = (mw_note){ .x = at[worst], .y = value, .shape = MW_SHAPE_RING };
    snprintf(note->text, sizeof note->text, "%.1e", value);
    p->n_note = 1;
  }
  snprintf(p->title, sizeof p->title, "%s", q->name);
  snprintf(p->x_label, sizeof p->x_label, "%.60s%s%s", f->coordinate[i], unit[0] ? ", " : "", unit);
  snprintf(p->y_label, sizeof p->y_label, "%s", q->label);
  return MW_OK;
}

static mw_code worst_lines(const mw_rom_file *f, int n, const quantity *q, mw_arena *mem,
                           mw_figure *fig, mw_error *err)
{
  const char **line = mw_arena_alloc(mem, (size_t)n + 1, sizeof *line);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    char at[192];
    double value = 0.0;
    int worst = mw_rom_worst(f->certificate.n, q[k].per, q[k].y, &value);
    if (worst < 0) continue;
    mw_rom_theta_text(f, f->certificate.theta + (size_t)worst * (size_t)f->rom.s, 0, at, sizeof at);
    line[fig->n_line++] =
        mw_arena_printf(mem, "%s: largest %s %.2e at %s", q[k].name, q[k].label, value, at);
  }
  bool none = false;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < f->certificate.n * q[k].per; i++) none = none || q[k].y[i] <= 0.0;
  if (rc == MW_OK && none) line[fig->n_line++] = "dots on the lower edge: no difference at all";
  fig->line = line;
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

static mw_code error_figure(const mw_rom_file *f, mw_rom_figures *g, mw_error *err)
{
  quantity q[MAX_QUANTITY];
  int n = 0, s = f->rom.s;
  mw_code rc = quantities(f, &g->mem, q, &n, err);
  mw_panel *p = mw_arena_alloc(&g->mem, (size_t)n * (size_t)s, sizeof *p);
  mw_key *key = mw_arena_alloc(&g->mem, 3, sizeof *key);
  if (rc == MW_OK) rc = mw_arena_check(&g->mem, err);
  if (rc != MW_OK || n == 0) return rc;
  // one coordinate: quantities side by side; more: a row of coordinates a quantity
  mw_figure fig = {
    .w = WIDE / COLUMNS, .h = HIGH, .n_panel = n * s, .panel = p, .key = key, .n_key = 2
  };
  fig.n_col = s == 2 ? 2 : COLUMNS;
  fig.w = WIDE / fig.n_col;
  snprintf(fig.title, sizeof fig.title, "Certificate: direct against interpolated at %d points",
           f->certificate.n);
  for (int k = 0; rc == MW_OK && k < n * s; k++)
    rc = error_panel(f, &q[k / s], k % s, &g->mem, &p[k], err);
  key[0] = (mw_key){ .text = "largest of a point", .color = "#0072b2", .shape = MW_SHAPE_DOT };
  key[1] = (mw_key){ .text = "other modes", .color = "#bbbbbb", .shape = MW_SHAPE_DOT };
  key[2] = (mw_key){
    .text = "tolerance", .color = "#d55e00", .dash = "8 4", .width = 1.5, .shape = MW_SHAPE_NONE
  };
  for (int k = 0; k < n; k++)
    if (q[k].tolerance > 0.0) fig.n_key = 3;
  if (rc == MW_OK) rc = worst_lines(f, n, q, &g->mem, &fig, err);
  if (rc == MW_OK) mw_rom_figures_add(g, &fig);
  return rc;
}

// ---- receptances --------------------------------------------------------------------------------

// The rows with the largest errors, largest first.
static int worst_rows(const mw_certificate *c, int row[MAX_ROW])
{
  double error[MAX_ROW];
  int n = 0;
  for (int r = 0; r < c->n_io; r++) {
    double e = 0.0;
    (void)mw_rom_worst(1, c->n_band, c->band_error + (size_t)r * (size_t)c->n_band, &e);
    int k = n < MAX_ROW ? n++ : MAX_ROW;
    for (; k > 0 && !(error[k - 1] >= e); k--)
      if (k < MAX_ROW) {
        row[k] = row[k - 1];
        error[k] = error[k - 1];
      }
    if (k < MAX_ROW) {
      row[k] = r;
      error[k] = e;
    }
  }
  return n;
}

// |H| of row r above (p[0]), its error below (p[below]).
static void row_panels(const mw_rom_file *f, int r, mw_curve *curve, mw_panel *p, int below)
{
  const mw_certificate *c = &f->certificate;
  size_t at = (size_t)r * (size_t)c->n_band;
  bool point = strchr(c->io[r], '.') != NULL;  // of an output: a displacement over a force
  curve[0] = (mw_curve){ .color = "#999999", .width = 4.0, .y = c->band_direct + at };
  curve[1] = (mw_curve){ .color = "#0072b2", .width = 1.5, .dash = "5 3", .y = c->band_rom + at };
  curve[2] = (mw_curve){ .color = "#000000", .width = 1.5, .y = c->band_error + at };
  mw_panel both = { .log_y = true, .n = c->n_band, .x = c->band, .x_label = "frequency, Hz" };
  p[0] = p[below] = both;
  p[0].n_curve = 2;
  p[0].dip = 1e-5;
  p[0].curve = curve;
  snprintf(p[0].title, sizeof p[0].title, "|H| at %s", c->io[r]);
  snprintf(p[0].y_label, sizeof p[0].y_label, "receptance, %s", point ? "m/N" : "m/N or rad/(N m)");
  p[below].n_curve = 1;
  p[below].curve = curve + 2;
  p[below].rule = mw_certificate_receptance_tolerance(c);
  snprintf(p[below].title, sizeof p[below].title, "largest error, %s", c->io[r]);
  snprintf(p[below].y_label, sizeof p[below].y_label, "error, relative");
}

static mw_code receptance_figure(const mw_rom_file *f, mw_rom_figures *g, mw_error *err)
{
  const mw_certificate *c = &f->certificate;
  int row[MAX_ROW], n = worst_rows(c, row),
                    col = n == 4        ? 2
                          : n < COLUMNS ? n
                                        : COLUMNS,
                    blocks = (n + col - 1) / col;
  mw_curve *curve = mw_arena_alloc(&g->mem, 3 * (size_t)n, sizeof *curve);
  mw_panel *p = mw_arena_alloc(&g->mem, 2 * (size_t)(blocks * col), sizeof *p);
  mw_key *key = mw_arena_alloc(&g->mem, 4, sizeof *key);
  const char **line = mw_arena_alloc(&g->mem, 2, sizeof *line);
  mw_code rc = mw_arena_check(&g->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n; k++)
    row_panels(f, row[k], curve + 3 * k, &p[2 * col * (k / col) + k % col], col);
  mw_figure fig = { .w = WIDE / col, .h = HIGH, .n_col = col, .panel = p, .key = key };
  fig.n_key = 4;
  fig.n_panel = 2 * col * blocks;
  snprintf(fig.title, sizeof fig.title, "Receptance between 0 and %.4g Hz", c->band[c->n_band - 1]);
  key[0] = (mw_key){ .text = "direct", .color = "#999999", .width = 4.0, .shape = MW_SHAPE_NONE };
  key[1] = (mw_key){
    .text = "reduced", .color = "#0072b2", .width = 1.5, .dash = "5 3", .shape = MW_SHAPE_NONE
  };
  key[2] = (mw_key){ .text = "error", .color = "#000000", .width = 1.5, .shape = MW_SHAPE_NONE };
  key[3] = (mw_key){
    .text = "tolerance", .color = "#d55e00", .dash = "8 4", .width = 1.5, .shape = MW_SHAPE_NONE
  };
  char at[192] = "";
  if (c->worst_receptance >= 0 && c->worst_receptance < c->n)
    mw_rom_theta_text(f, c->theta + (size_t)c->worst_receptance * (size_t)f->rom.s, 0, at,
                      sizeof at);
  line[fig.n_line++] = mw_arena_printf(
      &g->mem,
      "|H| at the point of the largest error, %s, with a modal damping of %.3g; rows with the "
      "largest errors",
      at, c->zeta);
  line[fig.n_line++] = mw_arena_printf(
      &g->mem,
      "error of row i: largest over all points and columns j of |H_ij reduced − H_ij direct| over "
      "√(E_ii E_jj), E the "
      "sum of the magnitudes of all that contributes to H");
  fig.line = line;
  rc = mw_arena_check(&g->mem, err);
  if (rc == MW_OK) mw_rom_figures_add(g, &fig);
  return rc;
}

mw_code mw_rom_figures_certificate(const mw_rom_file *f, mw_rom_figures *g, mw_error *err)
{
  const mw_certificate *c = &f->certificate;
  mw_code rc = MW_OK;
  if (c->n > 0 && c->theta) rc = error_figure(f, g, err);
  if (rc == MW_OK && c->n_io > 0 && c->n_band > 1 && c->io && c->band && c->band_error &&
      c->band_direct && c->band_rom)
    rc = receptance_figure(f, g, err);
  return rc;
}
