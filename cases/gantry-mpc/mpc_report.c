// SPDX-License-Identifier: BSD-3-Clause
// mpc_report.c: the demonstration as a table, run files, a picture and a page.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "draw/plot_layer.h"
#include "reduction/ncfile.h"
#include "sim/case.h"

static const char *const name[MW_DEMO_RUNS] = { "PD + feed-forward", "receding horizon" };
static const char *const color[MW_DEMO_RUNS] = { "#e69f00", "#0072b2" };

// ---- table --------------------------------------------------------------------------------------

static void print_times(const mw_demo *d, FILE *f)
{
  static const char *const clock[MW_DEMO_CLOCKS] = { "wall", "processor" };
  int most = 0;
  for (int k = 0; k < d->n_sample; k++) most = d->changes[k] > most ? d->changes[k] : most;
  fprintf(
      f,
      "\n\n%d samples, %d unknowns each, at most %d changes of the active set; %.4g %% within %g "
      "ms (%d late)\n%-20s %12s %14s %14s %14s\n",
      d->n_timed, d->mpc.n_step * d->rom->rom.n_u, most, 100.0 - 100.0 * d->n_late / d->n_timed,
      1e3 * d->opt.deadline, d->n_late, "time of a sample, ms", "median", "99 %", "99.9 %",
      "worst");
  for (int c = 0; c < MW_DEMO_CLOCKS; c++)
    fprintf(f, "%-20s %12.3f %14.3f %14.3f %14.3f\n", clock[c], 1e3 * mw_demo_percentile(d, c, 0.5),
            1e3 * mw_demo_percentile(d, c, 0.99), 1e3 * mw_demo_percentile(d, c, 0.999),
            1e3 * mw_demo_percentile(d, c, 1.0));
}

void mw_demo_print(const mw_demo *d, FILE *f)
{
  int nu = d->rom->rom.n_u;
  fprintf(
      f, "%s, scenario %s, plant: %s, %g s; the move ends at %.4g s\n\n%-20s %12s %14s %14s %14s\n",
      d->c->model.name, d->opt.scenario,
      d->opt.rom_plant ? "the reduced model" : "the full mechanism", d->opt.duration, d->plan.end,
      "", "settled, s", "after end, ms", "off plan, µm", "ringing, µm");
  for (int i = 0; i < MW_DEMO_RUNS; i++) {
    const mw_demo_figures *g = &d->figure[i];
    fprintf(f, "%-20s %12.4f %14.1f %13.1f %13.1f\n", name[i], g->settled, 1e3 * g->after,
            1e6 * g->off_plan, 1e6 * g->ringing);
  }
  fprintf(f, "\n%-20s", "largest force, N");
  for (int k = 0; k < nu; k++) fprintf(f, " %17s", d->rom->input[k]);
  for (int i = 0; i < MW_DEMO_RUNS; i++) {
    fprintf(f, "\n%-20s", name[i]);
    for (int k = 0; k < nu; k++) fprintf(f, " %17.1f", d->figure[i].force[k]);
  }
  fprintf(f, "\n%-20s", "… change a sample, N");
  for (int i = 0; i < MW_DEMO_RUNS; i++) {
    fprintf(f, "\n%-20s", name[i]);
    for (int k = 0; k < nu; k++) fprintf(f, " %17.1f", d->figure[i].slew[k]);
  }
  print_times(d, f);
}

// ---- picture ------------------------------------------------------------------------------------

// y: values of both runs, [MW_DEMO_RUNS × n]
static void set_curves(mw_panel *p, mw_curve *curve, int n, const double *x, const double *y)
{
  p->n = n;
  p->x = x;
  p->n_curve = MW_DEMO_RUNS;
  p->curve = curve;
  for (int i = 0; i < MW_DEMO_RUNS; i++)
    curve[i] = (mw_curve){ .name = name[i], .color = color[i], .width = 1.6, .y = y + i * n };
}

// Distance along an axis from the target, µm, from a little before the end of the move on
static void panel_settling(const mw_demo *d, int axis, mw_panel *p, mw_curve *curve, double *x,
                           double *y)
{
  static const char *const axes[3] = { "x", "y", "z" };
  const mw_run *r = d->run;
  int first = 0, n;
  while (first < r->n_t - 1 && r->t[first] < d->plan.end - 5e-3) first++;
  n = r->n_t - first;
  for (int k = 0; k < n; k++) x[k] = 1e3 * (r->t[first + k] - d->plan.end);
  for (int i = 0; i < MW_DEMO_RUNS; i++)
    for (int k = 0; k < n; k++)
      y[i * n + k] = 1e6 * (d->run[i].y[3 * (size_t)(first + k) * (size_t)r->n_out + (size_t)axis] -
                            d->target[axis]);
  set_curves(p, curve, n, x, y);
  p->x_hi = fmin(200.0, x[n - 1]);
  p->x_lo = x[0];
  double most = 2e6 * d->opt.band;
  for (int k = 0; k < 2 * n; k++) most = fmax(most, fabs(y[k]));
  p->y_hi = 1.05 * most;
  p->y_lo = -p->y_hi;
  p->rule = 1e6 * d->opt.band;
  snprintf(p->title, sizeof p->title, "tool along %s after the move's nominal end", axes[axis]);
  snprintf(p->x_label, sizeof p->x_label, "ms");
  snprintf(p->y_label, sizeof p->y_label, "µm from its place at rest");
}

static void panel_path(const mw_demo *d, mw_panel *p, mw_curve *curve, double *x, double *y)
{
  const mw_run *r = d->run;
  int n = r->n_t;
  for (int k = 0; k < n; k++) x[k] = r->t[k];
  for (int i = 0; i < MW_DEMO_RUNS; i++)
    for (int k = 0; k < n; k++) {
      int at = (int)(x[k] / d->plan.h + 0.5), t = at < d->plan.n_t ? at : d->plan.n_t - 1;
      const double *a = d->run[i].y + 3 * (size_t)k * (size_t)r->n_out,
                   *b = d->plan.y + t * d->plan.n_ref;
      y[i * n + k] = 1e6 * hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    }
  set_curves(p, curve, n, x, y);
  p->log_y = true;
  snprintf(p->title, sizeof p->title, "distance of the tool from the plan");
  snprintf(p->x_label, sizeof p->x_label, "s");
  snprintf(p->y_label, sizeof p->y_label, "µm");
}

static void panel_force(const mw_demo *d, int drive, mw_panel *p, mw_curve *curve, double *x,
                        double *y)
{
  const mw_run *r = d->run;
  int n = r->n_t;
  for (int k = 0; k < n; k++) x[k] = r->t[k];
  for (int i = 0; i < MW_DEMO_RUNS; i++)
    for (int k = 0; k < n; k++)
      y[i * n + k] = d->run[i].force[(size_t)k * (size_t)r->n_drive + (size_t)drive];
  set_curves(p, curve, n, x, y);
  snprintf(p->title, sizeof p->title, "force of %.80s", d->rom->input[drive]);
  snprintf(p->x_label, sizeof p->x_label, "s");
  snprintf(p->y_label, sizeof p->y_label, "N");
}

// Share of the samples that took longer than x: 1 − the distribution; x [n], y [MW_DEMO_CLOCKS × n]
static void panel_times(const mw_demo *d, mw_panel *p, mw_curve *curve, double *x, double *y)
{
  enum { N = 400 };
  static const char *const clock[MW_DEMO_CLOCKS] = { "by the wall's clock", "by the processor's" };
  for (int c = 0; c < MW_DEMO_CLOCKS; c++)
    for (int k = 0, i = 0; k < N; k++) {
      x[k] = 1e3 * d->mpc.period * k / (N - 1);
      while (i < d->n_timed && 1e3 * d->time[c][i] <= x[k]) i++;
      y[c * N + k] = (double)(d->n_timed - i) / d->n_timed;
    }
  set_curves(p, curve, N, x, y);
  for (int c = 0; c < MW_DEMO_CLOCKS; c++) {
    curve[c].name = clock[c];
    curve[c].color = c == MW_DEMO_WALL ? color[MW_DEMO_MPC] : "#999999";
  }
  p->log_y = true;
  p->dip = 0.5 / d->n_timed;
  p->x_hi = 1e3 * d->mpc.period;
  snprintf(p->title, sizeof p->title, "samples that took longer (grey: processor time)");
  snprintf(p->x_label, sizeof p->x_label, "ms (a period; deadline %g)", 1e3 * d->opt.deadline);
  snprintf(p->y_label, sizeof p->y_label, "share of %d", d->n_timed);
}

static mw_code picture(const mw_demo *d, FILE *f, mw_error *err)
{
  enum { N = 6 };
  mw_arena tmp = { 0 };
  mw_panel p[N] = { 0 };
  mw_curve curve[N][MW_DEMO_RUNS];
  size_t n = (size_t)d->run[0].n_t + 400;
  double *x = mw_arena_f64(&tmp, N * n), *y = mw_arena_f64(&tmp, 2 * N * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    panel_settling(d, 0, &p[0], curve[0], x, y);
    panel_settling(d, 1, &p[1], curve[1], x + n, y + 2 * n);
    panel_path(d, &p[2], curve[2], x + 2 * n, y + 4 * n);
    panel_times(d, &p[3], curve[3], x + 3 * n, y + 6 * n);
    panel_force(d, 0, &p[4], curve[4], x + 4 * n, y + 8 * n);
    panel_force(d, d->rom->rom.n_u - 1, &p[5], curve[5], x + 5 * n, y + 10 * n);
    mw_plot_write(f, N, 2, p);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- files --------------------------------------------------------------------------------------

static void page(const mw_demo *d, const char *table, const char *svg, FILE *f)
{
  char title[512];
  snprintf(title, sizeof title, "%.300s: receding horizon on the reduced model", d->c->model.name);
  mw_page_begin(f, title);
  fputs(
      "<p>The same move of the full flexible mechanism, once under the scenario's controllers and "
      "once under a "
      "receding horizon that predicts with the reduced model, with no more force than the former "
      "used. The dashed "
      "line is the band of settling.</p>\n<pre>",
      f);
  mw_plot_text(f, table);
  fputs("</pre>\n", f);
  fputs(svg, f);
  mw_page_end(f);
}

static FILE *open_text(char **text, size_t *n, mw_code *rc, mw_error *err)
{
  FILE *f = *rc == MW_OK ? open_memstream(text, n) : NULL;
  if (*rc == MW_OK && !f) *rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the report");
  return f;
}

static void close_text(FILE *f, mw_code *rc, mw_error *err)
{
  if (f && fclose(f) != 0 && *rc == MW_OK)
    *rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the report");
}

mw_code mw_demo_write(const mw_demo *d, const char *command, mw_error *err)
{
  static const char *const file[MW_DEMO_RUNS] = { "pd.nc", "mpc.nc" };
  char path[4096], *svg = NULL, *table = NULL, *html = NULL;
  size_t n_svg = 0, n_table = 0, n_html = 0;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < MW_DEMO_RUNS; i++) {
    mw_run r = d->run[i];
    r.command = command;
    snprintf(path, sizeof path, "%s/%s", d->opt.dir, file[i]);
    rc = mw_run_write(&r, path, err);
  }
  FILE *f = open_text(&svg, &n_svg, &rc, err);
  if (f) rc = picture(d, f, err);
  close_text(f, &rc, err);
  f = open_text(&table, &n_table, &rc, err);
  if (f) mw_demo_print(d, f);
  close_text(f, &rc, err);
  f = open_text(&html, &n_html, &rc, err);
  if (f) page(d, table, svg, f);
  close_text(f, &rc, err);
  snprintf(path, sizeof path, "%s/gantry-mpc.svg", d->opt.dir);
  if (rc == MW_OK) rc = mw_file_replace(path, svg, n_svg, false, err);
  snprintf(path, sizeof path, "%s/report.html", d->opt.dir);
  if (rc == MW_OK) rc = mw_file_replace(path, html, n_html, false, err);
  free(svg);
  free(table);
  free(html);
  return rc;
}
