// SPDX-License-Identifier: BSD-3-Clause
// bench_rigid_precision.c: see bench_rigid_precision.h. The counterpart of Figure 5 of Kraus,
// Winckler, Bock (2001).
//
// Errors are the largest of coordinates and points over the run against the reference table, m or
// rad; times are those of the stepping alone, the least of three runs when one is short.
#include "bench_rigid_precision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/ncfile.h"
#include "rigid_problems.h"

enum { N_PROBLEM = 2, N_PROJ = 4, N_METHOD = 6, N_SET = 6, N_PANEL = N_PROBLEM * N_PROJ };
enum { N_ALL = N_PANEL * N_METHOD * N_SET };

static const char *const problem_name[N_PROBLEM] = { "six-bar", "andrews" };
static const double projection[N_PROJ] = { 1e-4, 1e-6, 1e-8, 1e-10 };
static const mw_method method[N_METHOD] = {
  MW_METHOD_CVODE,    MW_METHOD_IDA,   MW_METHOD_RK4,
  MW_METHOD_LEAPFROG, MW_METHOD_ALPHA, MW_METHOD_MIDPOINT
};
static const char *const color[N_METHOD] = { "#1b6ca8", "#d1495b", "#2e933c",
                                             "#e0a100", "#7d4e9e", "#555555" };
static const double tolerance[N_SET] = { 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12 };
static const double parts[N_SET] = { 4.0, 2.0, 1.0, 0.5, 0.25, 0.125 };  // of the scenario's step

typedef struct grid {
  double value[N_PROBLEM * N_METHOD * N_SET];  // tolerance or step, s
  double error[N_ALL], wall[N_ALL], gap[N_ALL], drift[N_ALL];
} grid;

static bool fixed_step(mw_method m) { return m != MW_METHOD_CVODE && m != MW_METHOD_IDA; }

// error, wall, gap, drift at place i; NaN where the method fails
static void measure(const mw_problem *p, const mw_fixture *f, const mw_table *t,
                    const mw_rigid_run_opt *o, grid *g, int i)
{
  const mw_scenario *sc = mw_problem_scenario(p, f);
  mw_error err = { 0 };
  g->error[i] = g->wall[i] = g->gap[i] = g->drift[i] = NAN;
  for (int k = 0; k < 3; k++) {
    mw_run r = { 0 };
    if (mw_rigid_run(&f->mech, sc, o, NULL, &r, &err) != MW_OK) return;
    mw_deviation d = mw_problem_compare(p, t, &r, sc->duration);
    double wall = r.wall_s, gap = 0.0;
    for (int n = 0; n < r.n_t; n++) gap = fmax(gap, r.residual[n]);
    g->error[i] = d.q;
    g->gap[i] = gap;
    g->drift[i] = r.energy_drift;
    g->wall[i] = k == 0 ? wall : fmin(g->wall[i], wall);
    mw_run_free(&r);
    if (wall > 0.3) return;
  }
}

static bool measure_problem(int ip, grid *g)
{
  const mw_problem *p = mw_problem_find(problem_name[ip]);
  mw_fixture f;
  mw_table t = { 0 };
  if (!mw_problem_open(p, &f)) return false;
  const mw_scenario *sc = mw_problem_scenario(p, &f);
  bool ok = sc && mw_problem_table(p, sc, &t);
  for (int j = 0; ok && j < N_PROJ; j++)
    for (int m = 0; m < N_METHOD; m++)
      for (int s = 0; s < N_SET; s++) {
        mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
        bool fixed = fixed_step(method[m]);
        int i = ((ip * N_PROJ + j) * N_METHOD + m) * N_SET + s;
        o.rigid.method = method[m];
        o.rigid.projection = projection[j];
        if (fixed) o.step = sc->step * parts[s];
        // implicit fixed steps: their equations are solved as closely as the constraints are kept
        o.rigid.tolerance = fixed ? projection[j] : tolerance[s];
        g->value[(ip * N_METHOD + m) * N_SET + s] = fixed ? o.step : tolerance[s];
        measure(p, &f, &t, &o, g, i);
        printf("%-8s %-9s %8.1e projection %.0e: error %.1e, gap %.1e, %.4f s\n", problem_name[ip],
               mw_rigid_method_name(method[m]), fixed ? o.step : tolerance[s], projection[j],
               g->error[i], g->gap[i], g->wall[i]);
      }
  mw_table_free(&t);
  mw_fixture_free(&f);
  return ok;
}

static bool write_nc(const char *path, const grid *g)
{
  mw_error err = { 0 };
  mw_ncw w;
  const char *name[N_METHOD];
  for (int m = 0; m < N_METHOD; m++) name[m] = mw_rigid_method_name(method[m]);
  mw_ncw_open(&w, "work-precision", "Run time over achieved error of the rigid path", "bench",
              "bench_rigid_references --work-precision");
  int dim[4] = { mw_ncw_dim(&w, "problem", N_PROBLEM), mw_ncw_dim(&w, "projection", N_PROJ),
                 mw_ncw_dim(&w, "method", N_METHOD), mw_ncw_dim(&w, "setting", N_SET) };
  int value[3] = { dim[0], dim[2], dim[3] };
  mw_ncw_str(&w, "problem", dim[0], "reference problem", problem_name);
  mw_ncw_f64(&w, "projection", 1, &dim[1], "1", "constraint gap left after a step, m or 1",
             projection);
  mw_ncw_str(&w, "method", dim[2], "integration method", name);
  mw_ncw_f64(&w, "value", 3, value, NULL,
             "setting: tolerance (adaptive methods) or step in s (fixed steps)", g->value);
  mw_ncw_f64(&w, "error", 4, dim, NULL,
             "largest error of coordinates and points over the run, m or rad; NaN: failed",
             g->error);
  mw_ncw_f64(&w, "wall", 4, dim, "s", "wall time of the stepping", g->wall);
  mw_ncw_f64(&w, "gap", 4, dim, NULL, "largest position constraint residual, m or 1", g->gap);
  mw_ncw_f64(&w, "energy_drift", 4, dim, "1", "largest change of the energy balance, relative",
             g->drift);
  mw_ncw_att_str(&w, NULL, "model_name", "planar six-bar, Andrews' squeezing mechanism");
  mw_ncw_att_str(&w, NULL, "model_hash", "");
  mw_ncw_att_str(&w, NULL, "scenario", "turn, ivp");
  mw_code rc = mw_ncw_close(&w, path, &err);
  return mw_fixture_okay(rc, &err);
}

// ---- picture ------------------------------------------------------------------------------------

enum { W = 300, H = 250, LEFT = 52, RIGHT = 10, TOP = 26, BOTTOM = 40, LEGEND = 30 };

typedef struct frame {
  double x0, y0;        // px, of the plot area
  double lo[2], hi[2];  // decades of error and time
} frame;

static double px(const frame *f, double error)
{
  return f->x0 + (W - LEFT - RIGHT) * (log10(error) - f->lo[0]) / (f->hi[0] - f->lo[0]);
}
static double py(const frame *f, double wall)
{
  return f->y0 + (H - TOP - BOTTOM) * (f->hi[1] - log10(wall)) / (f->hi[1] - f->lo[1]);
}

static bool shown(double error, double wall)
{
  return isfinite(error) && isfinite(wall) && error > 0.0 && wall > 0.0;
}

// Decades that hold every point of a problem.
static void find_range(const grid *g, int ip, frame *f)
{
  double lo[2] = { INFINITY, INFINITY }, hi[2] = { -INFINITY, -INFINITY };
  for (int i = ip * N_ALL / N_PROBLEM; i < (ip + 1) * N_ALL / N_PROBLEM; i++) {
    const double x[2] = { g->error[i], g->wall[i] };
    for (int a = 0; shown(x[0], x[1]) && a < 2; a++) {
      lo[a] = fmin(lo[a], log10(x[a]));
      hi[a] = fmax(hi[a], log10(x[a]));
    }
  }
  for (int a = 0; a < 2; a++) {
    f->lo[a] = isfinite(lo[a]) ? floor(lo[a]) : 0.0;
    f->hi[a] = isfinite(hi[a]) ? fmax(ceil(hi[a]), f->lo[a] + 1.0) : 1.0;
  }
}

static void draw_axes(FILE *o, const frame *f, int ip, int j)
{
  double w = W - LEFT - RIGHT, h = H - TOP - BOTTOM;
  fprintf(o, "<rect x='%g' y='%g' width='%g' height='%g' fill='none' stroke='#888'/>\n", f->x0,
          f->y0, w, h);
  fprintf(o, "<text x='%g' y='%g' text-anchor='middle'>%s, projection %.0e</text>\n",
          f->x0 + 0.5 * w, f->y0 - 8.0, problem_name[ip], projection[j]);
  fprintf(o, "<text x='%g' y='%g' text-anchor='middle'>error, m or rad</text>\n", f->x0 + 0.5 * w,
          f->y0 + h + 30.0);
  fprintf(o, "<text transform='translate(%g %g) rotate(-90)' text-anchor='middle'>time, s</text>\n",
          f->x0 - 38.0, f->y0 + 0.5 * h);
  double every = f->hi[0] - f->lo[0] > 7.0 ? 2.0 : 1.0;
  for (double k = f->lo[0]; k <= f->hi[0]; k += every) {
    double x = px(f, pow(10.0, k));
    fprintf(o, "<path d='M%g %gv%g' stroke='#ddd'/>", x, f->y0, h);
    fprintf(o, "<text x='%g' y='%g' text-anchor='middle'>1e%g</text>\n", x, f->y0 + h + 14.0, k);
  }
  for (double k = f->lo[1]; k <= f->hi[1]; k += 1.0) {
    double y = py(f, pow(10.0, k));
    fprintf(o, "<path d='M%g %gh%g' stroke='#ddd'/>", f->x0, y, w);
    fprintf(o, "<text x='%g' y='%g' text-anchor='end'>1e%g</text>\n", f->x0 - 4.0, y + 4.0, k);
  }
}

static void draw_curves(FILE *o, const frame *f, const grid *g, int panel)
{
  for (int m = 0; m < N_METHOD; m++) {
    int first = (panel * N_METHOD + m) * N_SET;
    fprintf(o, "<polyline fill='none' stroke='%s' stroke-width='1.5' points='", color[m]);
    for (int i = first; i < first + N_SET; i++)
      if (shown(g->error[i], g->wall[i]))
        fprintf(o, "%.1f,%.1f ", px(f, g->error[i]), py(f, g->wall[i]));
    fprintf(o, "'/>\n");
    for (int i = first; i < first + N_SET; i++)
      if (shown(g->error[i], g->wall[i]))
        fprintf(o, "<circle cx='%.1f' cy='%.1f' r='2.5' fill='%s'/>", px(f, g->error[i]),
                py(f, g->wall[i]), color[m]);
  }
}

static bool write_svg(const char *path, const grid *g)
{
  FILE *o = fopen(path, "w");
  if (!o) {
    fprintf(stderr, "%s cannot be written\n", path);
    return false;
  }
  fprintf(o,
          "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' "
          "font-size='11'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
          N_PROJ * W, N_PROBLEM * H + LEGEND);
  for (int ip = 0; ip < N_PROBLEM; ip++) {
    frame f;
    find_range(g, ip, &f);
    for (int j = 0; j < N_PROJ; j++) {
      f.x0 = j * W + LEFT;
      f.y0 = ip * H + TOP;
      draw_axes(o, &f, ip, j);
      draw_curves(o, &f, g, ip * N_PROJ + j);
    }
  }
  for (int m = 0; m < N_METHOD; m++)
    fprintf(o, "<path d='M%d %dh24' stroke='%s' stroke-width='2'/><text x='%d' y='%d'>%s</text>\n",
            LEFT + 130 * m, N_PROBLEM * H + 14, color[m], LEFT + 130 * m + 30, N_PROBLEM * H + 18,
            mw_rigid_method_name(method[m]));
  fprintf(o, "</svg>\n");
  return fclose(o) == 0;
}

bool mw_work_precision(const char *nc, const char *svg)
{
  grid *g = calloc(1, sizeof *g);
  bool ok = g != NULL;
  for (int ip = 0; ok && ip < N_PROBLEM; ip++) ok = measure_problem(ip, g);
  ok = ok && write_nc(nc, g) && write_svg(svg, g);
  free(g);
  return ok;
}
