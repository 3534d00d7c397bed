// SPDX-License-Identifier: BSD-3-Clause
// test_accessible.c: accessible dynamics and fastest traversals of a 2R arm and of a machine with a
// drive too many, against tables had by vertex enumeration, forward dynamics of another program and
// linear programs; regions by tuples against linear programs of GLPK.
#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "sim/accessible.h"
#include "sim/case.h"

#define CIRCLE(x, y, r) "x=" x "+" r "*cos(2*pi*t),y=" y "+" r "*sin(2*pi*t)"

typedef struct rig {
  mw_case c;
  mw_arena mem;
  mw_tool_path path;
  mw_position at;
  double lo[4], hi[4], speed[4];
  mw_drive_limits limits;
} rig;

static bool open_rig(const char *file, int n_set, const char *const *set, const char *path, rig *r)
{
  mw_error err = { 0 };
  mw_model_edit edit = { .n_set = n_set, .set = set };
  *r = (rig){ 0 };
  return MW_OKAY(mw_case_read_edited(file, &edit, &r->c, &err)) &&
         MW_OKAY(mw_position_find(&r->c.mech, NULL, NULL, &r->mem, &r->at, &err)) &&
         MW_OKAY(mw_tool_path_read(&r->c.mech, path, NULL, &r->mem, &r->path, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_case_free(&r->c);
}

static void limit(rig *r, int n, const double *force, const double *speed)
{
  for (int d = 0; d < n; d++) {
    r->lo[d] = -force[d];
    r->hi[d] = force[d];
    r->speed[d] = speed ? speed[d] : INFINITY;
  }
  r->limits = (mw_drive_limits){ r->lo, r->hi, r->speed, NULL };
}

// Vertices of the table [n × 5], x and y in columns 2 and 3, are those of a region, and no others.
// Their number in want.
static void compare_vertices(const mw_regions *o, int i, int n, const double *const *row,
                             double tol)
{
  const double *v = o->vertex + (size_t)i * (size_t)o->most * 2;
  double big[2] = { 0.0 };
  MW_CHECK(o->n_vertex[i] == n);
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 2; c++) big[c] = fmax(big[c], fabs(row[k][c]));
  for (int k = 0; k < n; k++) {
    double best = INFINITY;
    for (int j = 0; j < o->n_vertex[i]; j++)
      best = fmin(
          best, fmax(fabs(v[2 * j] - row[k][0]) / big[0], fabs(v[2 * j + 1] - row[k][1]) / big[1]));
    MW_WITHIN(best, 0.0, tol, "15 digits of a table, lines that meet at small angles");
  }
}

// ---- 2R arm (R12, R20) --------------------------------------------------------------------------

static const double TORQUE[2] = { 30.0, 12.0 }, SPEED[2] = { 6.0, 8.0 };

static void regions_of_a_2r_arm_are_those_of_vertex_enumeration(void)
{
  enum { MOST = 200 };
  double x[MOST * 5], p[11];
  rig r;
  mw_error err = { 0 };
  mw_path_dynamics d;
  mw_regions with[2];
  int n = mw_fixture_table(MW_TESTS_DIR "/references/R12_2R_accessible.csv", 5, MOST, x);
  MW_CHECK(n == 123);
  for (int i = 0; i < 11; i++) p[i] = 0.1 * i;
  if (!open_rig(MW_CASES_DIR "/2r.yaml", 0, NULL, CIRCLE("0.9", "0.3", "0.5"), &r) ||
      !MW_OKAY(mw_path_dynamics_find(&r.c.mech, &r.at, &r.path, 11, p, &r.mem, &d, &err))) {
    close_rig(&r);
    return;
  }
  for (int kind = 0; kind < 2; kind++) {
    limit(&r, 2, TORQUE, kind ? SPEED : NULL);
    if (!MW_OKAY(mw_regions_find(&d, &r.limits, &r.mem, &with[kind], &err))) n = 0;
  }
  for (int i = 0; i < 11 && n > 0; i++) {
    const double *row[2][16];
    int count[2] = { 0 }, k = 0;
    for (int j = 0; j < n; j++) {
      const double *t = x + 5 * j;
      if (fabs(t[0] - p[i]) > 1e-9) continue;
      if (t[1] < 2.0) row[(int)t[1]][count[(int)t[1]]++] = t + 2;
      if (t[1] == 2.0) {  // a, b, c of a torque: 15 digits of sums of five terms of up to 30 N m
        MW_NEAR(d.a[2 * i + k], t[2], mw_test_rounding(20.0, 30.0));
        MW_NEAR(d.b[2 * i + k], t[3], mw_test_rounding(20.0, 100.0));
        MW_NEAR(d.c[2 * i + k++], t[4], mw_test_rounding(20.0, 30.0));
      }
      if (t[1] == 3.0) {
        MW_WITHIN(with[0].fastest[i], t[2], 1e-12, "15 digits of a table");
        MW_WITHIN(with[1].fastest[i], t[3], 1e-12, "15 digits of a table");
      }
    }
    for (int kind = 0; kind < 2; kind++)
      compare_vertices(&with[kind], i, count[kind], row[kind], 1e-11);
  }
  close_rig(&r);
}

static double traverse(rig *r, int n, mw_traversal *o)
{
  mw_error err = { 0 };
  mw_path_dynamics d;
  double *p = malloc((2 * (size_t)n + 1) * sizeof *p), t = NAN;
  if (!MW_CHECK(p != NULL)) return t;
  mw_traversal_points(n, p);
  if (MW_OKAY(
          mw_path_dynamics_find(&r->c.mech, &r->at, &r->path, 2 * n + 1, p, &r->mem, &d, &err)) &&
      MW_OKAY(mw_traversal_find(&d, &r->limits, &r->mem, o, &err)))
    t = o->duration;
  free(p);
  return t;
}

// Durations by two discretizations, good to 2.8e-6 s (R20).
static void a_2r_arm_goes_round_a_circle_as_fast_as_two_other_methods_say(void)
{
  static const double force[2] = { 32.0, 14.0 }, speed[2] = { 4.0, 5.0 };
  rig r;
  mw_traversal o;
  if (open_rig(MW_CASES_DIR "/2r.yaml", 0, NULL, "x=-0.6+0.35*cos(2*pi*t),y=0.9-0.35*sin(2*pi*t)",
               &r)) {
    limit(&r, 2, force, NULL);
    MW_WITHIN(traverse(&r, 400, &o), 0.8071993313329906, 5e-5, "order of the middles, h^2");
    limit(&r, 2, force, speed);
    MW_WITHIN(traverse(&r, 400, &o), 0.812267876260345, 5e-5, "order of the middles, h^2");
  }
  close_rig(&r);
  // R12: 1600 intervals of first order, whose last doublings moved it by 3.6e-4 and 1.5e-4 s
  if (open_rig(MW_CASES_DIR "/2r.yaml", 0, NULL, CIRCLE("0.9", "0.3", "0.5"), &r)) {
    limit(&r, 2, TORQUE, SPEED);
    MW_WITHIN(traverse(&r, 400, &o), 1.120703754127292, 1.5e-4, "what the table's doublings leave");
  }
  close_rig(&r);
}

// ---- the star (R20) -----------------------------------------------------------------------------

static const char *const STAR_PATH[3] = {
  "x=0.05*cos(2*pi*t),y=0.05*sin(2*pi*t),rz=0",
  "x=0.1*cos(2*pi*t),y=0.1*sin(2*pi*t),rz=0",
  "x=-0.12+0.24*t,y=-0.08+0.16*t,rz=0.15*t",
};

static bool open_star(int path, bool vertical, int drives, bool viscous, bool speed, rig *r)
{
  static const char *const set[2][2][2] = {
    { { "parameters.weight=0", "parameters.viscous=0" },
      { "parameters.weight=0", "parameters.viscous=60" } },
    { { "parameters.weight=9.81", "parameters.viscous=0" },
      { "parameters.weight=9.81", "parameters.viscous=80" } },
  };
  double force[4] = { vertical ? 400.0 : 200.0, vertical ? 350.0 : 200.0, vertical ? 400.0 : 200.0,
                      vertical ? 350.0 : 200.0 },
         v = vertical ? 1.2 : 0.8, fast[4] = { v, v, v, v };
  if (drives == 3) force[3] = 0.0;
  bool good = open_rig(MW_CASES_DIR "/star.yaml", 2, set[vertical][viscous], STAR_PATH[path], r);
  limit(r, 4, force, speed ? fast : NULL);
  return good;
}

static bool star_at(rig *r, mw_path_dynamics *d)
{
  static const double p[5] = { 0.0, 0.25, 0.5, 0.75, 1.0 };
  mw_error err = { 0 };
  return MW_OKAY(mw_path_dynamics_find(&r->c.mech, &r->at, &r->path, 5, p, &r->mem, d, &err));
}

enum { STAR_ROWS = 1100, STAR_COLUMNS = 8 };

// Rows of a point of the table of a kind, x y z of each; how many.
static int rows_at(int n, const double *x, int path, bool vertical, int drives, double p, int kind,
                   const double **row)
{
  int m = 0;
  for (int i = 0; i < n; i++) {
    const double *t = x + STAR_COLUMNS * i;
    if ((int)t[0] == path && (t[1] > 0.5) == vertical && (int)t[2] == drives &&
        fabs(t[3] - p) < 1e-9 && (int)t[4] == kind)
      row[m++] = t + 5;
  }
  return m;
}

static void compare_star(int n, const double *x, int path, bool vertical, int drives)
{
  rig r;
  mw_error err = { 0 };
  mw_path_dynamics d;
  mw_regions o;
  const double *row[16];
  for (int kind = 0; kind < 3; kind++) {
    if (!open_star(path, vertical, drives, kind == 2, kind > 0, &r) || !star_at(&r, &d) ||
        !MW_OKAY(mw_regions_find(&d, &r.limits, &r.mem, &o, &err))) {
      close_rig(&r);
      return;
    }
    MW_CHECK(d.k == 3 && d.viscous == (kind == 2));
    for (int i = 0; i < 5; i++) {
      int m = rows_at(n, x, path, vertical, drives, d.p[i], kind, row);
      MW_CHECK(m >= 3);
      if (kind < 2) compare_vertices(&o, i, m, row, 1e-10);
      mw_half half[16];
      int halves = mw_halves_find(&d, i, &r.limits, half);
      for (int j = 0; j < m && kind == 2; j++) {
        double lo = NAN, hi = NAN;
        MW_CHECK(mw_region_range(halves, half, row[j][0], &lo, &hi));
        MW_WITHIN(lo, row[j][1], 1e-10 * 100.0, "15 digits of a table");
        MW_WITHIN(hi, row[j][2], 1e-10 * 100.0, "15 digits of a table");
      }
      m = rows_at(n, x, path, vertical, drives, d.p[i], 3, row);
      for (int j = 0; j < m && kind == 0; j++) {
        MW_WITHIN(d.s[4 * i + j], row[j][0], 1e-14, "15 digits of a table");
        MW_WITHIN(d.s1[4 * i + j], row[j][1], 1e-12, "15 digits of a table");
        MW_WITHIN(d.s2[4 * i + j], row[j][2], 1e-11, "15 digits of a table");
      }
    }
    close_rig(&r);
  }
}

static void regions_of_the_star_are_those_of_linear_programs_with_three_drives_and_four(void)
{
  static double x[STAR_ROWS * STAR_COLUMNS];
  int n =
      mw_fixture_table(MW_TESTS_DIR "/references/R20_star_regions.csv", STAR_COLUMNS, STAR_ROWS, x);
  MW_CHECK(n == 1091);
  for (int path = 0; path < 3; path++)
    for (int vertical = 0; vertical < 2; vertical++)
      for (int drives = 3; drives < 5; drives++) compare_star(n, x, path, vertical, drives);
}

// Durations by linear programs of 1600 intervals, viscous ones by reachability, uncertain by up to
// 9e-5 s: [circle, line][vertical][3 drives, 4][forces, with speeds, with viscous forces as well]
static const double FASTEST[2][2][2][3] = {
  { { { 1.0946017426689574, 1.4916336160327113, 1.4977237242785373 },
      { 0.7706193095153124, 1.4441529490548126, 1.4441217173688088 } },
    { { 1.1427782982991812, 1.2426890670185633, 1.356928951163426 },
      { 0.6337816276784143, 0.977752088579237, 0.9804735126201689 } } },
  { { { 0.4395420055351159, 0.921098778704696, 0.9207207939495861 },
      { 0.3937850800995627, 0.9191282328035927, 0.9189120538610744 } },
    { { 0.448884976676605, 0.6690912485953182, 0.6830892502955832 },
      { 0.3687237295298571, 0.6571517455820219, 0.6624200530166404 } } },
};

static void the_star_traverses_paths_as_fast_as_two_other_methods_say(void)
{
  for (int i = 0; i < 24; i++) {
    int path = i / 12, vertical = i / 6 % 2, drives = i / 3 % 2, kind = i % 3;
    rig r;
    mw_traversal o;
    double want = FASTEST[path][vertical][drives][kind];
    if (open_star(path + 1, vertical, drives + 3, kind == 2, kind > 0, &r))
      MW_WITHIN(traverse(&r, 600, &o), want, 5e-4 * want, "two discretizations, 1e-3 promised");
    close_rig(&r);
  }
}

// ---- linear programs ----------------------------------------------------------------------------

// Largest u ṗ² + v p̈ by GLPK: unknowns ṗ², p̈, forces.
static double program(const mw_path_dynamics *d, int i, const mw_drive_limits *l, double u,
                      double v, double *x, double *y)
{
  int k = d->k, nd = d->n_drive, index[16];
  double value[16];
  glp_prob *lp = glp_create_prob();
  glp_smcp opt;
  glp_init_smcp(&opt);
  opt.msg_lev = GLP_MSG_ERR;
  opt.tol_bnd = opt.tol_dj = 1e-9;
  glp_set_obj_dir(lp, GLP_MAX);
  glp_add_rows(lp, k);
  glp_add_cols(lp, 2 + nd);
  double speed = mw_speed_limit(d, i, l);
  glp_set_col_bnds(lp, 1, isfinite(speed) ? GLP_DB : GLP_LO, 0.0,
                   isfinite(speed) ? speed * speed : 0.0);
  glp_set_col_bnds(lp, 2, GLP_FR, 0.0, 0.0);
  glp_set_obj_coef(lp, 1, u);
  glp_set_obj_coef(lp, 2, v);
  for (int j = 0; j < nd; j++)
    glp_set_col_bnds(lp, 3 + j, l->lo[j] < l->hi[j] ? GLP_DB : GLP_FX, l->lo[j], l->hi[j]);
  for (int r = 0; r < k; r++) {
    for (int j = 0; j < 2 + nd; j++) index[j + 1] = j + 1;
    value[1] = d->b[i * k + r];
    value[2] = d->a[i * k + r];
    for (int j = 0; j < nd; j++) value[3 + j] = -d->B[(i * k + r) * nd + j];
    glp_set_mat_row(lp, r + 1, 2 + nd, index, value);
    glp_set_row_bnds(lp, r + 1, GLP_FX, -d->c[i * k + r], -d->c[i * k + r]);
  }
  double best =
      glp_simplex(lp, &opt) == 0 && glp_get_status(lp) == GLP_OPT ? glp_get_obj_val(lp) : NAN;
  *x = glp_get_col_prim(lp, 1);
  *y = glp_get_col_prim(lp, 2);
  glp_delete_prob(lp);
  return best;
}

static void compare_program(const mw_path_dynamics *d, const mw_drive_limits *l,
                            const mw_regions *o, int i)
{
  const double *v = o->vertex + (size_t)i * (size_t)o->most * 2;
  int n = o->n_vertex[i];
  double bx = 0.0, by = 0.0;
  for (int k = 0; k < n; k++) {
    bx = fmax(bx, fabs(v[2 * k]));
    by = fmax(by, fabs(v[2 * k + 1]));
  }
  // along each edge's normal, and between them
  for (int k = 0; k < 2 * n; k++) {
    const double *a = v + 2 * (k / 2), *b = v + 2 * ((k / 2 + 1) % n),
                 *c = v + 2 * ((k / 2 + 2) % n);
    double u = (b[1] - a[1]) / by, w = -(b[0] - a[0]) / bx, most = -INFINITY, x, y;
    if (k % 2) u += (c[1] - b[1]) / by, w -= (c[0] - b[0]) / bx;
    double len = hypot(u, w);
    u /= len * bx;
    w /= len * by;
    for (int j = 0; j < n; j++) most = fmax(most, u * v[2 * j] + w * v[2 * j + 1]);
    MW_WITHIN(program(d, i, l, u, w, &x, &y), most, 1e-12, "promised; a basis of four equations");
  }
}

static void regions_by_tuples_are_those_of_linear_programs(void)
{
  for (int i = 0; i < 12; i++) {
    int path = i / 4, vertical = i / 2 % 2, drives = 3 + i % 2;
    rig r;
    mw_error err = { 0 };
    mw_path_dynamics d;
    mw_regions o;
    if (open_star(path, vertical, drives, false, path != 1, &r) && star_at(&r, &d) &&
        MW_OKAY(mw_regions_find(&d, &r.limits, &r.mem, &o, &err)))
      for (int k = 0; k < d.n; k++) compare_program(&d, &r.limits, &o, k);
    close_rig(&r);
  }
}

// ---- paths in space -----------------------------------------------------------------------------

// A wrist that moves and turns about all axes: s' and s'' by differences of fourth order over h,
// whose error is h⁴/30 of fifth and h⁴/90 of sixth derivatives, some (2 π)⁵ and (2 π)⁶ of 0.5 rad
// and of what the arm makes of it, and rounding 1e-15/h and 4e-15/h².
static void derivatives_along_a_path_with_attitude_are_those_of_differences(void)
{
  static const double H = 2e-3;
  const char *path = "x=0.45+0.1*sin(2*t),y=-0.1+0.2*t,z=0.2+0.1*cos(3*t),rx=0.3*sin(2*t),"
                     "ry=2.4+0.4*t^2,rz=0.5*t";
  double p[5], at[6] = { 0.1, 0.8, 2.8, 0.1, 0.4, 0.1 };
  unsigned char given[6] = { 1, 1, 1, 1, 1, 1 };
  rig r;
  mw_error err = { 0 };
  mw_path_dynamics d;
  mw_equation e;
  for (int i = 0; i < 5; i++) p[i] = 0.5 + (i - 2) * H;
  if (open_rig(MW_CASES_DIR "/puma.yaml", 0, NULL, path, &r) &&
      MW_OKAY(mw_position_find(&r.c.mech, given, at, &r.mem, &r.at, &err)) &&
      MW_OKAY(mw_path_dynamics_find(&r.c.mech, &r.at, &r.path, 5, p, &r.mem, &d, &err))) {
    for (int c = 0; c < 6; c++) {
      const double *s = d.s + c;
      double d1 = (s[0] - 8.0 * s[6] + 8.0 * s[18] - s[24]) / (12.0 * H),
             d2 = (-s[0] + 16.0 * s[6] - 30.0 * s[12] + 16.0 * s[18] - s[24]) / (12.0 * H * H);
      double fifth = 1e3, sixth = 1e4, h4 = H * H * H * H;
      MW_NEAR(d.s1[12 + c], d1, h4 / 30.0 * fifth + 1e-15 / H);
      MW_NEAR(d.s2[12 + c], d2, h4 / 90.0 * sixth + 4e-15 / (H * H));
    }
    // what it needs at ṗ = 0.7, p̈ = -2 is what inverse dynamics says of these rates
    double rate[6], acceleration[6];
    for (int c = 0; c < 6; c++) {
      rate[c] = 0.7 * d.s1[12 + c];
      acceleration[c] = 0.49 * d.s2[12 + c] - 2.0 * d.s1[12 + c];
    }
    mw_position there;
    if (MW_OKAY(mw_position_find(&r.c.mech, given, d.s + 12, &r.mem, &there, &err)) &&
        MW_OKAY(
            mw_equation_find(&r.c.mech, &there, given, rate, acceleration, NULL, &r.mem, &e, &err)))
      for (int k = 0; k < 6; k++) {
        int i = 12 + k;
        MW_NEAR(-2.0 * d.a[i] + 0.49 * d.b[i] + 0.7 * d.f[i] + d.c[i], e.Q[k], 50.0 * 1e-12);
      }
  }
  close_rig(&r);
}

// Both joints of the arm rub and turn back on the circle at places of their own: what a motion
// needs is what inverse dynamics says, whose law rubs by v/√(v² + smooth²) of 5 and 3 N m.
static void dry_friction_along_a_path_is_that_of_inverse_dynamics(void)
{
  static const char *const rub[2] = { "joints.shoulder.drive_friction={coulomb: 5, smooth: 1e-9}",
                                      "joints.elbow.drive_friction={coulomb: 3, smooth: 1e-9}" };
  enum { N = 16 };
  unsigned char given[2] = { 1, 1 };
  double p[N];
  int ways[2][2] = { { 0 } };
  rig r;
  mw_error err = { 0 };
  mw_path_dynamics d;
  for (int i = 0; i < N; i++) p[i] = (i + 0.5) / N;
  if (open_rig(MW_CASES_DIR "/2r.yaml", 2, rub, CIRCLE("0.9", "0.3", "0.5"), &r) &&
      MW_OKAY(mw_path_dynamics_find(&r.c.mech, &r.at, &r.path, N, p, &r.mem, &d, &err))) {
    MW_CHECK(d.dry && !d.viscous);
    for (int i = 0; i < N; i++) {
      double rate[2], acceleration[2];
      mw_position there;
      mw_equation e;
      for (int c = 0; c < 2; c++) {
        rate[c] = 0.7 * d.s1[2 * i + c];
        acceleration[c] = 0.49 * d.s2[2 * i + c] - 2.0 * d.s1[2 * i + c];
        ways[c][rate[c] > 0.0]++;
      }
      if (!MW_OKAY(mw_position_find(&r.c.mech, given, d.s + 2 * i, &r.mem, &there, &err)) ||
          !MW_OKAY(mw_equation_find(&r.c.mech, &there, given, rate, acceleration, NULL, &r.mem, &e,
                                    &err)))
        continue;
      for (int k = 0; k < 2; k++) {
        int x = 2 * i + k;
        MW_WITHIN(-2.0 * d.a[x] + 0.49 * d.b[x] + 0.7 * d.f[x] + d.c[x], e.Q[k], 50.0 * 1e-12,
                  "positions close to 1e-13, forces of 50 N m");
      }
    }
    for (int c = 0; c < 2; c++) MW_CHECK(ways[c][0] > 0 && ways[c][1] > 0);
  }
  close_rig(&r);
}

static double det3(const double *a, const double *b, const double *c)
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Least over λ of the largest |n_j + λ v_j|/w_j, which is where two of them are equal.
static double least_largest(const double *n, const double *v, const double *w, double *at)
{
  double best = INFINITY;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      for (int sign = -1; sign < 2; sign += 2) {
        double x = (sign * n[j] / w[j] - n[i] / w[i]) / (v[i] / w[i] - sign * v[j] / w[j]);
        double most = 0.0;
        for (int k = 0; k < 4; k++) most = fmax(most, fabs(n[k] + x * v[k]) / w[k]);
        if (most < best) best = most, *at = x;
      }
  return best;
}

typedef struct share_case {
  rig *r;
  const mw_position *at;
  const unsigned char *given;
  const double *rate, *acceleration, *v;  // v: the combination of forces that does nothing
} share_case;

// Forces by `how` are those of e, least norm, and λ v.
static void share(const share_case *c, const mw_sharing *how, const mw_equation *e, double lambda)
{
  mw_error err = { 0 };
  mw_equation o;
  double size = 0.0;
  if (!MW_OKAY(mw_equation_find(&c->r->c.mech, c->at, c->given, c->rate, c->acceleration, how,
                                &c->r->mem, &o, &err)))
    return;
  for (int j = 0; j < 4; j++) size = fmax(size, fabs(e->tau[j]) + fabs(lambda * c->v[j]));
  for (int j = 0; j < 4; j++)
    MW_WITHIN(o.tau[j], e->tau[j] + lambda * c->v[j], 1e-10 * size, "promised of drive forces");
}

// The smallest largest force, alone and of limits; the least norm within limits that cut it off, at
// the border of what they leave; and too tight ones.
static void compare_shares(const share_case *c, const mw_equation *e)
{
  static const double ONE[4] = { 1.0, 1.0, 1.0, 1.0 }, W[4] = { 1.0, 3.0, 0.7, 2.0 };
  mw_error err = { 0 };
  mw_equation o;
  double x, t, lo[4], hi[4];
  (void)least_largest(e->tau, c->v, ONE, &x);
  share(c, &(mw_sharing){ .largest = true }, e, x);
  t = least_largest(e->tau, c->v, W, &x);
  for (int j = 0; j < 4; j++) hi[j] = 1.5 * t * W[j], lo[j] = -hi[j];
  share(c, &(mw_sharing){ true, lo, hi }, e, x);
  double from = -INFINITY, to = INFINITY;  // of λ
  for (int j = 0; j < 4; j++) {
    hi[j] = 1.01 * t * W[j], lo[j] = -hi[j];
    double a = (lo[j] - e->tau[j]) / c->v[j], b = (hi[j] - e->tau[j]) / c->v[j];
    from = fmax(from, fmin(a, b));
    to = fmin(to, fmax(a, b));
  }
  share(c, &(mw_sharing){ false, lo, hi }, e, fmin(fmax(0.0, from), to));
  for (int j = 0; j < 4; j++) hi[j] = 0.5 * t * W[j], lo[j] = -hi[j];
  MW_FAILS(mw_equation_find(&c->r->c.mech, c->at, c->given, c->rate, c->acceleration,
                            &(mw_sharing){ false, lo, hi }, &c->r->mem, &o, &err),
           MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, ": 2 times these are needed") != NULL);
}

// Inverse dynamics of the star on its way: the four forces give what the motion needs, and are
// across the one combination that does nothing, which minors of B are.
static void four_drives_share_what_three_freedoms_need(void)
{
  rig r;
  mw_error err = { 0 };
  mw_path_dynamics d;
  mw_position at;
  mw_equation e;
  unsigned char given[4] = { 0 };
  double rate[4] = { 0.0 }, acceleration[4] = { 0.0 };
  if (open_star(1, true, 4, true, false, &r) && star_at(&r, &d))
    for (int i = 0; i < 5; i++) {
      const double *B = d.B + (size_t)i * 12;
      for (int k = 0; k < 3; k++) {
        int c = d.coord[k];
        given[c] = 1;
        rate[c] = 0.9 * d.s1[4 * i + c];
        acceleration[c] = 0.81 * d.s2[4 * i + c] + 3.0 * d.s1[4 * i + c];
      }
      if (!MW_OKAY(mw_position_find(&r.c.mech, given, d.s + 4 * i, &r.mem, &at, &err)) ||
          !MW_OKAY(
              mw_equation_find(&r.c.mech, &at, given, rate, acceleration, NULL, &r.mem, &e, &err)))
        break;
      double idle = 0.0, size = 0.0, v[4];
      for (int j = 0; j < 4; j++) {
        double col[3][3];
        for (int x = 0, n = 0; x < 4; x++) {
          if (x == j) continue;
          for (int k = 0; k < 3; k++) col[n][k] = B[4 * k + x];
          n++;
        }
        double minor = (j % 2 ? -1.0 : 1.0) * det3(col[0], col[1], col[2]);
        v[j] = minor;
        idle += minor * e.tau[j];
        size += fabs(minor * e.tau[j]);
      }
      MW_CHECK(e.drive_rank == 3 && size > 0.0);
      MW_WITHIN(idle, 0.0, 1e-12 * size, "joints close to 1e-13");
      compare_shares(&(share_case){ &r, &at, given, rate, acceleration, v }, &e);
      for (int k = 0; k < 3; k++) {
        double got = 0.0, want, terms = 0.0;
        want = 3.0 * d.a[3 * i + k] + 0.81 * d.b[3 * i + k] + 0.9 * d.f[3 * i + k] + d.c[3 * i + k];
        for (int j = 0; j < 4; j++) {
          got += B[4 * k + j] * e.tau[j];
          terms += fabs(B[4 * k + j] * e.tau[j]);
        }
        MW_WITHIN(got, want, 1e-10 * terms, "promised of drive forces");
      }
    }
  close_rig(&r);
}

static void paths_that_cannot_be_gone_are_refused(void)
{
  static const struct {
    const char *path, *set, *why;
    mw_code code;
  } bad[] = {
    { "x=t,y=0,rz=0", "parameters.weight=0", "cannot", MW_ERR_NUMERIC },
    { "x=0.1*t,y=0,z=0.1,rz=0", "parameters.weight=0", "where the mechanism cannot go",
      MW_ERR_NUMERIC },
    { "x=0,y=0,rz=0", "parameters.weight=0", "stays where it is", MW_ERR_INPUT },
    { "x=0.1*t,y=0", "parameters.weight=0", "does not say all of the motion", MW_ERR_INPUT },
    { "x=0.1*t,y=0,rz=0", "joints.slide1.drive_friction={coulomb: 5, static: 6}",
      "joint slide1: its drive_friction begins to move at 6", MW_ERR_INPUT },
    { "x=0.1*t,y=0,rz=0", "joints.slide1.friction={coulomb: 0.1}",
      "joint slide1: friction in proportion to its reaction", MW_ERR_INPUT },
  };
  static const double p[3] = { 0.0, 0.5, 1.0 };
  for (int i = 0; i < 6; i++) {
    rig r;
    mw_error err = { 0 };
    mw_path_dynamics d;
    if (open_rig(MW_CASES_DIR "/star.yaml", 1, &bad[i].set, bad[i].path, &r)) {
      MW_FAILS(mw_path_dynamics_find(&r.c.mech, &r.at, &r.path, 3, p, &r.mem, &d, &err),
               bad[i].code);
      MW_CHECK(strstr(err.msg, bad[i].why) != NULL);
    }
    close_rig(&r);
  }
}

// A 2R arm straight outwards through its shoulder's line: stretched at 2 m, p = 0.9375, where steps
// along the path become as long as the arm.
static void a_path_out_of_reach_says_where_it_ends(void)
{
  double p[101];
  static const char *const path[2] = { "x=0.5+1.6*t,y=0*t", "x=0.5+1.6*t,y=0.1+0*t" };
  for (int i = 0; i <= 100; i++) p[i] = i / 100.0;
  for (int i = 0; i < 2; i++) {
    rig r;
    mw_error err = { 0 };
    mw_path_dynamics d;
    if (open_rig(MW_CASES_DIR "/2r.yaml", 0, NULL, path[i], &r)) {
      MW_FAILS(mw_path_dynamics_find(&r.c.mech, &r.at, &r.path, 101, p, &r.mem, &d, &err),
               MW_ERR_NUMERIC);
      MW_CHECK(strstr(err.msg, "the path ") && strstr(err.msg, "p = 0.93"));
    }
    close_rig(&r);
  }
}

static const mw_test_case cases[] = {
  { "a_path_out_of_reach_says_where_it_ends", a_path_out_of_reach_says_where_it_ends },
  { "derivatives_along_a_path_with_attitude_are_those_of_differences",
    derivatives_along_a_path_with_attitude_are_those_of_differences },
  { "dry_friction_along_a_path_is_that_of_inverse_dynamics",
    dry_friction_along_a_path_is_that_of_inverse_dynamics },
  { "four_drives_share_what_three_freedoms_need", four_drives_share_what_three_freedoms_need },
  { "paths_that_cannot_be_gone_are_refused", paths_that_cannot_be_gone_are_refused },
  { "regions_of_a_2r_arm_are_those_of_vertex_enumeration",
    regions_of_a_2r_arm_are_those_of_vertex_enumeration },
  { "a_2r_arm_goes_round_a_circle_as_fast_as_two_other_methods_say",
    a_2r_arm_goes_round_a_circle_as_fast_as_two_other_methods_say },
  { "regions_of_the_star_are_those_of_linear_programs_with_three_drives_and_four",
    regions_of_the_star_are_those_of_linear_programs_with_three_drives_and_four },
  { "the_star_traverses_paths_as_fast_as_two_other_methods_say",
    the_star_traverses_paths_as_fast_as_two_other_methods_say },
  { "regions_by_tuples_are_those_of_linear_programs",
    regions_by_tuples_are_those_of_linear_programs },
};

int main(void)
{
  return mw_test_run("accessible dynamics", cases, (int)(sizeof cases / sizeof *cases));
}
