// SPDX-License-Identifier: BSD-3-Clause
// report.c: a comparison as compare.nc, compare.svg and a report.html that needs no other file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare_layer.h"
#include "draw/plot_layer.h"
#include "fem/output.h"
#include "reduction/ncfile.h"
#include "verdict/promise_layer.h"

enum { MAX_QUANTITY = 12 };  // in the picture

// Colours that the colour-blind tell apart (Okabe and Ito 2008); the reference is drawn wide and
// below the others.
static const mw_curve style[] = {
  { .name = "rigid", .color = "#999999", .width = 1.5 },
  { .name = "body", .color = "#e69f00", .width = 2.0 },
  { .name = "gmp", .color = "#0072b2", .width = 2.0, .dash = "7 4" },
  { .name = "full", .color = "#000000", .width = 3.5 },
  { .name = "full_halved", .color = "#cc79a7", .width = 1.5, .dash = "2 3" },
  { .name = "full_quartered", .color = "#e69f00", .width = 1.5, .dash = "1 3" },
  { .name = "gmp_halved", .color = "#56b4e9", .width = 1.5, .dash = "2 3" },
  { .name = "gmp_quartered", .color = "#009e73", .width = 1.5, .dash = "1 3" },
};

static mw_curve curve_of(const char *label)
{
  for (size_t k = 0; k < sizeof style / sizeof *style; k++)
    if (strcmp(style[k].name, label) == 0) return style[k];
  return (mw_curve){ .name = label, .color = "#009e73", .width = 1.5 };
}

// ---- picture ------------------------------------------------------------------------------------

// A unit that keeps the largest number between 0.1 and 100 (of stresses: below 1000).
static const char *prefixed(const char *unit, double largest, double *factor)
{
  *factor = 1.0;
  if (strcmp(unit, "Pa") == 0) {
    static const char *const of_pascal[] = { "Pa", "kPa", "MPa", "GPa" };
    int p = 0;
    for (; p < 3 && largest * *factor >= 1e3; p++) *factor *= 1e-3;
    return of_pascal[p];
  }
  if (strcmp(unit, "m") != 0 || !(largest > 0.0)) return unit;
  static const char *const name[] = { "m", "mm", "µm", "nm" };
  int k = 0;
  while (k < 3 && largest * *factor < 0.1) {
    *factor *= 1e3;
    k++;
  }
  return name[k];
}

// Component in which the full path deflects most.
static int main_axis(const mw_comparison *q, int output)
{
  const mw_run *ref = &q->run[q->full >= 0 ? q->full : 0];
  double peak[3] = { 0.0, 0.0, 0.0 };
  for (int t = 0; t < q->n_t; t++)
    for (int i = 0; i < 3; i++) {
      size_t at = 3 * ((size_t)t * (size_t)ref->n_out + (size_t)output) + (size_t)i;
      peak[i] = fmax(peak[i], fabs(ref->y[at] - q->base[at]));
    }
  return peak[0] >= peak[1] && peak[0] >= peak[2] ? 0 : peak[1] >= peak[2] ? 1 : 2;
}

// Values of quantity k on path i into y [n_t]: deflection along an axis, von Mises stress, or the
// coordinate.
static void series(const mw_comparison *q, int i, int k, int axis, double *y)
{
  const mw_run *r = &q->run[i];
  const mw_quantity *a = &q->quantity[k];
  for (size_t t = 0; t < (size_t)q->n_t; t++) {
    if (a->output >= 0) {
      size_t at = 3 * (t * (size_t)r->n_out + (size_t)a->output) + (size_t)axis;
      y[t] = r->y[at] - q->base[at];
    } else if (a->gauge >= 0) {
      y[t] = mw_run_equivalent(r, a->gauge, (int)t);
    } else if (a->observed >= 0) {
      int n;
      const double *seen = mw_quantity_at(r, a, (int)t, &n);
      y[t] = seen ? seen[axis] : (double)NAN;
    } else {
      y[t] = r->s[t * (size_t)r->n_coord + (size_t)a->coord];
    }
  }
}

// Component of an observed part that is largest on the reference.
static int main_component(const mw_comparison *q, const mw_quantity *a)
{
  const mw_run *ref = &q->run[q->full >= 0 ? q->full : 0];
  double most = -1.0;
  int main = 0;
  for (int t = 0; t < q->n_t; t++) {
    int n;
    const double *y = mw_quantity_at(ref, a, t, &n);
    for (int i = 0; y && i < n; i++)
      if (fabs(y[i]) > most) {
        most = fabs(y[i]);
        main = i;
      }
  }
  return main;
}

static double largest_of(int n, const double *y)
{
  double m = 0.0;
  for (int k = 0; k < n; k++)
    if (isfinite(y[k])) m = fmax(m, fabs(y[k]));
  return m;
}

// Order of drawing: the reference first, below the others.
static int drawn(const mw_comparison *q, int k)
{
  if (q->full < 0) return k;
  return k == 0 ? q->full : k <= q->full ? k - 1 : k;
}

static void observed_title(const mw_comparison *q, const mw_quantity *a, int axis, mw_panel *p)
{
  const mw_output_kind kind = q->c->model.observed[a->observed].kind;
  const mw_output_class *c = mw_output_classes[kind];
  snprintf(p->title, sizeof p->title, "%.80s: %s %s", a->name, mw_output_key(kind),
           c->axis[c->part[a->part].from + axis]);
}

static void panel_values(const mw_comparison *q, int k, mw_panel *p, double *y)
{
  static const char *const axes[3] = { "x", "y", "z" };
  const mw_quantity *a = &q->quantity[k];
  int axis = a->output >= 0 ? main_axis(q, a->output) : a->observed >= 0 ? main_component(q, a) : 0;
  double largest = 0.0, factor;
  p->n_curve = q->n_path;
  for (int c = 0; c < q->n_path; c++) {
    double *yc = y + (size_t)c * (size_t)q->n_t;
    series(q, drawn(q, c), k, axis, yc);
    largest = fmax(largest, largest_of(q->n_t, yc));
    p->curve[c] = curve_of(q->label[drawn(q, c)]);
    p->curve[c].y = yc;
  }
  const char *unit = prefixed(a->unit, largest, &factor);
  if (a->observed >= 0) observed_title(q, a, axis, p);
  for (size_t t = 0; t < (size_t)q->n_path * (size_t)q->n_t; t++) y[t] *= factor;
  if (a->coord >= 0)
    snprintf(p->title, sizeof p->title, "coordinate %.80s", a->name);
  else if (a->gauge >= 0)
    snprintf(p->title, sizeof p->title, "%.80s: %s", a->name,
             strcmp(a->unit, "Pa") == 0 ? "von Mises stress" : "equivalent strain");
  else if (a->output >= 0)
    snprintf(p->title, sizeof p->title, "%.80s: %s along %s", a->name,
             q->c->model.reduction.present ? "elastic deflection" : "change from the start",
             axes[axis]);
  snprintf(p->y_label, sizeof p->y_label, "%s", unit);
}

static void panel_difference(const mw_comparison *q, int k, mw_panel *p, double *y)
{
  const mw_quantity *a = &q->quantity[k];
  double largest = 0.0, factor;
  for (int c = 0; c < q->n_path; c++) {
    int i = drawn(q, c);
    if (i == q->full) continue;
    const double *e = q->diff + ((size_t)i * (size_t)q->n_quantity + (size_t)k) * (size_t)q->n_t;
    double *yc = y + (size_t)p->n_curve * (size_t)q->n_t;
    memcpy(yc, e, (size_t)q->n_t * sizeof *yc);
    largest = fmax(largest, largest_of(q->n_t, yc));
    p->curve[p->n_curve] = curve_of(q->label[i]);
    p->curve[p->n_curve].width = 1.5;
    p->curve[p->n_curve++].y = yc;
  }
  const char *unit = prefixed(a->unit, largest, &factor);
  for (size_t t = 0; t < (size_t)p->n_curve * (size_t)q->n_t; t++) y[t] *= factor;
  p->log_y = true;
  snprintf(p->title, sizeof p->title, "%.80s: difference from full", a->name);
  snprintf(p->y_label, sizeof p->y_label, "%s", unit);
}

static mw_code write_svg(const mw_comparison *q, FILE *f, mw_error *err)
{
  mw_arena tmp = { 0 };
  int n = q->n_quantity < MAX_QUANTITY ? q->n_quantity : MAX_QUANTITY;
  size_t size = (size_t)q->n_path * (size_t)q->n_t;
  mw_panel *p = mw_arena_alloc(&tmp, 2 * (size_t)n, sizeof *p);
  mw_curve *curve = mw_arena_alloc(&tmp, 2 * (size_t)n * (size_t)q->n_path, sizeof *curve);
  double *y = mw_arena_f64(&tmp, 2 * (size_t)n * size);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < 2 * n; k++) {
    p[k] = (mw_panel){ .x_label = "time, s",
                       .n = q->n_t,
                       .x = q->run[0].t,
                       .curve = curve + (size_t)k * (size_t)q->n_path };
    if (k % 2 == 0)
      panel_values(q, k / 2, &p[k], y + (size_t)k * size);
    else
      panel_difference(q, k / 2, &p[k], y + (size_t)k * size);
  }
  if (rc == MW_OK) mw_plot_write(f, 2 * n, 2, p);
  mw_arena_free(&tmp);
  return rc;
}

// ---- page ---------------------------------------------------------------------------------------

static void write_tables(const mw_comparison *q, FILE *f)
{
  fputs(
      "<table>\n<tr><th>path</th><th>unknowns</th><th>steps</th><th>iterations</th><th>wall time, "
      "s</th>"
      "<th>times real time</th><th>energy balance</th><th>constraint residual</th></tr>\n",
      f);
  for (int i = 0; i < q->n_path; i++) {
    const mw_run *r = &q->run[i];
    fprintf(f, "<tr><th>%s</th><td>%d</td><td>%d</td><td>%d</td>", q->label[i], r->unknowns,
            r->steps, r->iterations);
    mw_page_cell(f, r->wall_s);
    mw_page_cell(f, mw_run_real_time_factor(r));
    mw_page_cell(f, r->energy_drift);
    mw_page_cell(f, mw_run_residual(r));
    fputs("</tr>\n", f);
  }
  fputs("</table>\n<p>Differences from the full mechanism; relative: of the full path's peak "
        "elastic deflection, "
        "for a coordinate, and an output that does not deflect, of its travel; of stresses the von "
        "Mises stress of the difference over the "
        "peak.</p>\n<table>\n<tr><th>quantity</th><th>path</th><th>largest</th><th>rms</th>"
        "<th>unit</th><th>relative</th></tr>\n",
        f);
  for (int k = 0; k < q->n_quantity; k++)
    for (int i = 0; i < q->n_path; i++) {
      size_t at = (size_t)i * (size_t)q->n_quantity + (size_t)k;
      if (i == q->full) continue;
      fputs("<tr><th>", f);
      mw_plot_text(f, q->quantity[k].name);
      fprintf(f, "</th><td>%s</td>", q->label[i]);
      mw_page_cell(f, q->max[at]);
      mw_page_cell(f, q->rms[at]);
      fprintf(f, "<td>%s</td>", q->quantity[k].unit);
      mw_page_cell(f, q->relative[at]);
      fputs("</tr>\n", f);
    }
  fputs("</table>\n", f);
  mw_promise_page(q, f);
}

static void write_warnings(const mw_comparison *q, FILE *f)
{
  for (int i = 0; i < q->n_path; i++)
    for (int k = 0; k < q->run[i].n_warning; k++) {
      fprintf(f, "<p class=\"warning\">Path %s: ", q->label[i]);
      mw_plot_text(f, q->run[i].warning[k]);
      fputs(".</p>\n", f);
    }
}

static void write_html(const mw_comparison *q, const char *svg, FILE *f)
{
  const mw_model *m = &q->c->model;
  mw_page_begin(f, m->name);
  fputs("<p>Scenario <b>", f);
  mw_plot_text(f, q->sc->name);
  fprintf(f, "</b>, %g s, %d instants. Model <code>", q->sc->duration, q->n_t);
  mw_plot_text(f, m->path);
  fprintf(f, "</code>, <code>%s</code>.<br>modeway %s: <code>", m->hash, MW_VERSION);
  mw_plot_text(f, q->command ? q->command : "compare");
  fputs("</code></p>\n", f);
  write_warnings(q, f);
  write_tables(q, f);
  fputs(svg, f);
  mw_page_end(f);
}

// ---- netCDF -------------------------------------------------------------------------------------

static void write_paths(mw_ncw *w, const mw_comparison *q, int path)
{
  double wall[MW_COMPARE_MAX_PATH], factor[MW_COMPARE_MAX_PATH], drift[MW_COMPARE_MAX_PATH],
      gap[MW_COMPARE_MAX_PATH];
  int unknowns[MW_COMPARE_MAX_PATH];
  for (int i = 0; i < q->n_path; i++) {
    wall[i] = q->run[i].wall_s;
    factor[i] = mw_run_real_time_factor(&q->run[i]);
    drift[i] = q->run[i].energy_drift;
    gap[i] = mw_run_residual(&q->run[i]);
    unknowns[i] = q->run[i].unknowns;
  }
  mw_ncw_str(w, "path", path, "ways to simulate the mechanism", q->label);
  mw_ncw_int(w, "unknowns", 1, &path, "unknowns of a step", unknowns);
  mw_ncw_f64(w, "wall_s", 1, &path, "s", "wall time of the stepping", wall);
  mw_ncw_f64(w, "real_time_factor", 1, &path, "1", "simulated over wall time", factor);
  mw_ncw_f64(w, "energy_drift", 1, &path, "1", "largest change of energy less work, relative",
             drift);
  mw_ncw_f64(w, "constraint_residual", 1, &path, NULL, "largest gap of a joint, m or 1", gap);
}

// What paths err by in time; a number a quantity is scratch
static void write_own(mw_ncw *w, const mw_comparison *q, int quantity, double *number)
{
  static const char *const name[MW_HALVED][2] = { { "full_own_error", "full_known" },
                                                  { "gmp_own_error", "gmp_known" } };
  static const char *const text[MW_HALVED] = { "the full path's own error in time",
                                               "the reduced path's own error in time" };
  for (int h = 0; h < MW_HALVED; h++) {
    if (q->halved[h] == 0) continue;
    for (int k = 0; k < q->n_quantity; k++) number[k] = q->quantity[k].time[h].own;
    mw_ncw_f64(w, name[h][0], 1, &quantity, NULL, text[h], number);
    for (int k = 0; k < q->n_quantity; k++) number[k] = q->quantity[k].time[h].known;
    mw_ncw_f64(w, name[h][1], 1, &quantity, NULL, "how exactly the motion without that is known",
               number);
  }
}

static mw_code write_series(mw_ncw *w, const mw_comparison *q, int path, int time, mw_error *err)
{
  static const char *const axes[3] = { "x", "y", "z" };
  const mw_model *m = &q->c->model;
  const mw_run *r = &q->run[0];
  mw_arena tmp = { 0 };
  int output = mw_ncw_dim(w, "output", r->n_out), component = mw_ncw_dim(w, "component", 3);
  int quantity = mw_ncw_dim(w, "quantity", q->n_quantity);
  int ptoc[4] = { path, time, output, component }, pqt[3] = { path, quantity, time };
  size_t n = 3 * (size_t)q->n_t * (size_t)r->n_out;
  const char **name = mw_arena_alloc(&tmp, (size_t)r->n_out, sizeof *name);
  const char **what = mw_arena_alloc(&tmp, (size_t)q->n_quantity, sizeof *what);
  double *y = mw_arena_f64(&tmp, n * (size_t)q->n_path),
         *scale = mw_arena_f64(&tmp, (size_t)q->n_quantity);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int k = 0; k < r->n_out; k++) name[k] = m->output[r->out[k]].name;
    for (int k = 0; k < q->n_quantity; k++) {
      what[k] = q->quantity[k].name;
      scale[k] = q->quantity[k].scale;
    }
    for (int i = 0; i < q->n_path; i++) memcpy(y + (size_t)i * n, q->run[i].y, n * sizeof *y);
    mw_ncw_f64(w, "time", 1, &time, "s", "time", q->run[0].t);
    mw_ncw_str(w, "output", output, "outputs", name);
    mw_ncw_str(w, "component", component, "ground axes", axes);
    mw_ncw_str(w, "quantity", quantity, "what is compared: outputs, then coordinates", what);
    mw_ncw_f64(
        w, "scale", 1, &quantity, NULL,
        "peak elastic deflection or von Mises stress, travel of a coordinate and of what does not "
        "deflect",
        scale);
    mw_ncw_f64(w, "position", 4, ptoc, "m", "positions of the outputs in ground axes", y);
    mw_ncw_f64(w, "undeformed", 3, ptoc + 1, "m",
               "positions without elastic deflection at the full path's theta", q->base);
    mw_ncw_f64(w, "difference", 3, pqt, NULL,
               "length of the difference from the full path, of stresses its von Mises measure",
               q->diff);
    mw_ncw_f64(w, "error_max", 2, pqt, NULL, "largest difference", q->max);
    mw_ncw_f64(w, "error_rms", 2, pqt, NULL, "root mean square difference", q->rms);
    mw_ncw_f64(w, "error_relative", 2, pqt, "1", "largest difference over scale", q->relative);
    write_own(w, q, quantity, scale);
    if (q->halved[MW_HALVED_FULL] > 0)
      mw_ncw_f64(w, "error_rest", 2, pqt, NULL,
                 "largest difference without the full path's own error in time, of the path gmp "
                 "without its own as well",
                 q->rest);
  }
  mw_arena_free(&tmp);
  return rc;
}

// von Mises stress (equivalent strain) of all stress and strain outputs, NaN for the rigid path.
static mw_code write_stress(mw_ncw *w, const mw_comparison *q, int path, int time, mw_error *err)
{
  const mw_model *m = &q->c->model;
  mw_arena tmp = { 0 };
  int n = q->run[0].n_gauge, ptg[3] = { path, time, mw_ncw_dim(w, "gauge", n) };
  const char **name = mw_arena_alloc(&tmp, (size_t)n, sizeof *name);
  const char **unit = mw_arena_alloc(&tmp, (size_t)n, sizeof *unit);
  double *e = mw_arena_f64(&tmp, (size_t)q->n_path * (size_t)q->n_t * (size_t)n);
  mw_code rc = mw_arena_check(&tmp, err);
  size_t at = 0;
  for (int i = 0; rc == MW_OK && i < q->n_path; i++)
    for (int t = 0; t < q->n_t; t++)
      for (int g = 0; g < n; g++) e[at++] = mw_run_equivalent(&q->run[i], g, t);
  for (int g = 0; rc == MW_OK && g < n; g++) {
    name[g] = m->output[q->run[0].gauge[g]].name;
    unit[g] = mw_output_unit(&m->output[q->run[0].gauge[g]]);
  }
  if (rc == MW_OK) {
    mw_ncw_str(w, "gauge", ptg[2], "stress and strain outputs", name);
    mw_ncw_str(w, "gauge_unit", ptg[2], "their units", unit);
    mw_ncw_f64(w, "von_mises", 3, ptg, NULL,
               "von Mises stress or equivalent strain, NaN where the path has none", e);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code write_nc(const mw_comparison *q, const char *file, mw_error *err)
{
  mw_ncw w;
  char title[512];
  const mw_model *m = &q->c->model;
  snprintf(title, sizeof title, "%s: scenario %s, paths compared", m->name, q->sc->name);
  mw_ncw_open(&w, "compare", title, MW_VERSION, q->command);
  mw_ncw_att_str(&w, NULL, "model_name", m->name);
  mw_ncw_att_str(&w, NULL, "model_hash", m->hash);
  mw_arena mem = { 0 };
  if (m->n_parameter > 0)
    mw_ncw_att_str(&w, NULL, "model_parameters", mw_model_parameter_text(m, &mem));
  mw_arena_free(&mem);
  mw_ncw_att_str(&w, NULL, "scenario", q->sc->name);
  int path = mw_ncw_dim(&w, "path", q->n_path), time = mw_ncw_dim(&w, "time", q->n_t);
  write_paths(&w, q, path);
  mw_code rc = write_series(&w, q, path, time, err);
  if (rc == MW_OK) rc = write_stress(&w, q, path, time, err);
  if (rc == MW_OK) return mw_ncw_close(&w, file, err);
  mw_ncw_abort(&w);
  return rc;
}

// ---- all three ----------------------------------------------------------------------------------

static mw_code write_text(const mw_comparison *q, const char *dir, mw_error *err)
{
  char file[4096], *svg = NULL, *html = NULL;
  size_t n_svg = 0, n_html = 0;
  FILE *f = open_memstream(&svg, &n_svg);
  mw_code rc = f ? write_svg(q, f, err)
                 : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (f && fclose(f) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  snprintf(file, sizeof file, "%s/compare.svg", dir);
  if (rc == MW_OK) rc = mw_file_replace(file, svg, n_svg, false, err);
  f = rc == MW_OK ? open_memstream(&html, &n_html) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the report");
  if (f) write_html(q, svg, f);
  if (f && fclose(f) != 0) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the report");
  snprintf(file, sizeof file, "%s/report.html", dir);
  if (rc == MW_OK) rc = mw_file_replace(file, html, n_html, false, err);
  free(svg);
  free(html);
  return rc;
}

mw_code mw_comparison_write(const mw_comparison *q, const char *dir, mw_error *err)
{
  char file[4096];
  snprintf(file, sizeof file, "%s/compare.nc", dir);
  mw_code rc = write_nc(q, file, err);
  return rc == MW_OK ? write_text(q, dir, err) : rc;
}
