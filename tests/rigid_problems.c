// SPDX-License-Identifier: BSD-3-Clause
// rigid_problems.c: see rigid_problems.h. Tolerances are those the references recommend,
// tests/references/README.md.
#include "rigid_problems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/example.h"

#define HALF_PI 1.57079632679489662
static const double GRAVITY = 9.81;  // m/s²

// ---- laws of one degree of freedom: J(x) x'' + J'(x) x'²/2 + V'(x) = 0 --------------------------

// N-four-bar: x the angle of the cranks, rad.
static void four_bar_law(int n, const double y[2], double dy[2])
{
  double N = n, c = ((N + 1.0) / 2.0 + N) / ((N + 1.0) / 3.0 + N);
  dy[0] = y[1];
  dy[1] = -GRAVITY * c * cos(y[0]);
}

// Sarrus's linkage of cases/spatial-six-bar.yaml: x the slope of the lower links, rad.
static void sarrus_law(int n, const double y[2], double dy[2])
{
  const double l = 0.4, m = 0.5, I = 6.5e-3, M = 2.0, k = 400.0, l0 = 0.6;  // SI
  double s = sin(y[0]), c = cos(y[0]), z = 2.0 * l * s, dz = 2.0 * l * c;
  double J = 2.0 * (m * l * l / 4.0 + I + m * l * l * (s * s / 4.0 + 2.25 * c * c) + I +
                    2.0 * M * l * l * c * c);
  double dJ = 2.0 * s * c * (2.0 * m * l * l * (0.25 - 2.25) - 4.0 * M * l * l);
  double dV = GRAVITY * dz * (M + 2.0 * m) + k * (z - l0) * dz;
  (void)n;
  dy[0] = y[1];
  dy[1] = -(0.5 * dJ * y[1] * y[1] + dV) / J;
}

// cases/double-scott-russell.yaml: x the slope of the right crank, rad.
static void scott_russell_law(int n, const double y[2], double dy[2])
{
  const double l = 0.5, mc = 0.6, mr = 1.2, ms = 0.5;  // SI
  double Ic = mc * l * l / 12.0, Ir = mr * 4.0 * l * l / 12.0;
  double s = sin(y[0]), c = cos(y[0]);
  double J = 2.0 * (Ic + mc * l * l / 4.0 + mr * l * l + Ir + 4.0 * ms * l * l * s * s);
  double dJ = 16.0 * ms * l * l * s * c;
  (void)n;
  dy[0] = y[1];
  dy[1] = -(0.5 * dJ * y[1] * y[1] + GRAVITY * l * c * (mc + 2.0 * mr)) / J;
}

// ---- the problems -------------------------------------------------------------------------------

#define COORD(c)                                                                                   \
  {                                                                                                \
    c, MW_Q_COORD, c, 0                                                                            \
  }
#define RATE(column, c)                                                                            \
  {                                                                                                \
    column, MW_Q_RATE, c, 0                                                                        \
  }
#define POINT(column, o, i)                                                                        \
  {                                                                                                \
    column, MW_Q_OUTPUT, o, i                                                                      \
  }
#define FORCE(column, j, i)                                                                        \
  {                                                                                                \
    column, MW_Q_REACTION, j, i                                                                    \
  }

// clang-format off
static const mw_problem problems[] = {
  { .name = "pendulum", .file = "pendulum.yaml", .scenario = "swing",
    .table = "R05_A01_pendulum.csv",
    .q = { POINT("x", "ball", 0), POINT("y", "ball", 1), FORCE("tension", "rod", 6) },
    .tol_q = 1e-8, .tol_force = 1e-7, .mobility = 5, .conservative = true },
  { .name = "four-bar", .example = "n-four-bar", .n = 1, .scenario = "ride",
    .table = "R05_A02_fourbar_N1.csv",
    .q = { COORD("phi"), RATE("phidot", "phi"), POINT("B0x", "B0", 0), POINT("B0y", "B0", 1) },
    .tol_q = 1e-6, .tol_v = 1e-6, .mobility = 1, .redundant = 3, .conservative = true },
  { .name = "40-four-bar", .example = "n-four-bar", .n = 40, .scenario = "ride",
    .table = "R05_A02_fourbar_N40.csv",
    .q = { COORD("phi"), RATE("phidot", "phi"), POINT("B0x", "B0", 0), POINT("B0y", "B0", 1) },
    .tol_q = 1e-6, .tol_v = 1e-6, .mobility = 1, .redundant = 120, .conservative = true },
  { .name = "andrews", .file = "andrews.yaml", .scenario = "ivp", .table = "R01_andrews_ivp.csv",
    .q = { COORD("beta"), COORD("theta"), COORD("gamma"), COORD("phi"), COORD("delta"),
           COORD("omega"), COORD("epsilon"), RATE("d_beta", "beta"), RATE("d_theta", "theta"),
           RATE("d_gamma", "gamma"), RATE("d_phi", "phi"), RATE("d_delta", "delta"),
           RATE("d_omega", "omega"), RATE("d_epsilon", "epsilon"), FORCE("lam1", "E3", 0),
           FORCE("lam2", "E3", 1), FORCE("lam3", "E4", 0),
           FORCE("lam4", "E4", 1), FORCE("lam5", "E6", 0), FORCE("lam6", "E6", 1) },
    .tol_q = 1e-8, .tol_v = 1e-8, .tol_force = 1e-6, .mobility = 1, .redundant = 9 },
  { .name = "andrews-iftomm", .file = "andrews.yaml", .scenario = "iftomm",
    .table = "R02_A03_andrews_iftomm.csv",
    .q = { POINT("F_x", "F", 0), POINT("F_y", "F", 1) },
    .tol_q = 1e-9, .mobility = 1, .redundant = 9 },
  { .name = "bricard", .file = "bricard.yaml", .scenario = "fall", .table = "R04_A04_bricard.csv",
    .q = { POINT("P3x", "P3", 0), POINT("P3y", "P3", 1), POINT("P3z", "P3", 2), COORD("q1"),
           COORD("q2"), COORD("q3"), COORD("q4"), COORD("q5"), COORD("q6") },
    .tol_q = 1e-8, .mobility = 1, .redundant = 1, .conservative = true },
  { .name = "flyball-transient", .file = "flyball.yaml", .scenario = "transient",
    .table = "R05_A05_flyball_omega0_2pi_transient.csv",
    .q = { COORD("psi"), COORD("alpha"), COORD("s"), RATE("psidot", "psi"),
           RATE("alphadot", "alpha"), RATE("sdot", "s") },
    .tol_q = 1e-8, .tol_v = 1e-6, .mobility = 4, .stiff = true },
  { .name = "flyball", .file = "flyball.yaml", .scenario = "turn",
    .table = "R05_A05_flyball_omega0_2pi.csv",
    .q = { COORD("s"), COORD("alpha"), RATE("psidot", "psi") },
    .tol_q = 1e-5, .tol_v = 1e-5, .mobility = 4, .stiff = true },
  { .name = "six-bar", .file = "six-bar.yaml", .scenario = "turn", .table = "R06_sixbar.csv",
    .q = { COORD("theta"), RATE("thetadot", "theta"), POINT("Ax", "A", 0), POINT("Ay", "A", 1),
           POINT("Bx", "B", 0), POINT("By", "B", 1), POINT("Cx", "C", 0), POINT("Cy", "C", 1),
           POINT("Dx", "D", 0), POINT("Dy", "D", 1) },
    .tol_q = 1e-8, .tol_v = 1e-8, .mobility = 1, .redundant = 6, .conservative = true },
  { .name = "hexapod", .file = "hexapod.yaml", .scenario = "pull", .table = "R06_stewart_C.csv",
    .q = { POINT("x", "platform", 0), POINT("y", "platform", 1), POINT("z", "platform", 2),
           POINT("X_x", "platform_x", 0), POINT("X_y", "platform_x", 1),
           POINT("X_z", "platform_x", 2),
           POINT("Y_x", "platform_y", 0), POINT("Y_y", "platform_y", 1),
           POINT("Y_z", "platform_y", 2),
           COORD("l1"), COORD("l2"), COORD("l3"), COORD("l4"), COORD("l5"), COORD("l6") },
    .tol_q = 1e-8, .mobility = 6 },
  { .name = "spatial-six-bar", .file = "spatial-six-bar.yaml", .scenario = "bounce",
    .law = sarrus_law,
    .start = { HALF_PI / 3.0, 0.0 }, .q = { COORD("phi"), RATE("phidot", "phi") },
    .tol_q = 1e-8, .tol_v = 1e-8, .mobility = 1, .redundant = 1, .conservative = true },
  { .name = "double-scott-russell", .file = "double-scott-russell.yaml", .scenario = "turn",
    .law = scott_russell_law,
    .start = { HALF_PI * 2.0 / 3.0, 3.0 }, .q = { COORD("phi"), RATE("phidot", "phi") },
    .tol_q = 1e-6, .tol_v = 1e-6, .mobility = 1, .redundant = 10, .conservative = true },
  { .name = "160-four-bar", .example = "n-four-bar", .n = 160, .scenario = "ride",
    .law = four_bar_law,
    .start = { HALF_PI, -1.0 }, .q = { COORD("phi"), RATE("phidot", "phi") },
    .tol_q = 1e-6, .tol_v = 1e-6, .mobility = 1, .redundant = 480, .conservative = true },
};
// clang-format on
enum { N_PROBLEMS = sizeof problems / sizeof *problems };

const mw_problem *mw_problem_at(int k) { return k >= 0 && k < N_PROBLEMS ? &problems[k] : NULL; }

const mw_problem *mw_problem_find(const char *name)
{
  for (int k = 0; k < N_PROBLEMS; k++)
    if (strcmp(problems[k].name, name) == 0) return &problems[k];
  return NULL;
}

static bool open_example(const char *name, int n, mw_fixture *out)
{
  mw_error err = { 0 };
  char *text = NULL;
  FILE *f = tmpfile();
  if (!f) return false;
  bool ok = mw_fixture_okay(mw_example_write(f, name, n, &err), &err);
  long size = ok ? ftell(f) : -1;
  if (size > 0) text = calloc((size_t)size + 1, 1);
  rewind(f);
  ok = text && fread(text, 1, (size_t)size, f) == (size_t)size;
  fclose(f);
  if (ok) ok = mw_fixture_text(text, out);
  free(text);
  return ok;
}

bool mw_problem_open(const mw_problem *p, mw_fixture *out)
{
  char path[512];
  *out = (mw_fixture){ 0 };
  if (!p->file) return open_example(p->example, p->n, out);
  snprintf(path, sizeof path, "%s/%s", MW_CASES_DIR, p->file);
  return mw_fixture_file(path, out);
}

const mw_scenario *mw_problem_scenario(const mw_problem *p, const mw_fixture *f)
{
  for (int k = 0; k < f->model.n_scenario; k++)
    if (strcmp(f->model.scenario[k].name, p->scenario) == 0) return &f->model.scenario[k];
  return NULL;
}

// ---- tables -------------------------------------------------------------------------------------

enum { LINE = 4096, MAX_ROWS = 4096 };

static char *copy_text(mw_arena *mem, const char *s, size_t n)
{
  char *out = mw_arena_alloc(mem, n + 1, 1);
  if (out) memcpy(out, s, n);
  return out;
}

static bool read_columns(const char *line, mw_table *t)
{
  for (const char *p = line; *p; p++) t->n_col += *p == ',';
  t->n_col++;
  t->column = mw_arena_alloc(&t->mem, (size_t)t->n_col, sizeof *t->column);
  t->x = mw_arena_f64(&t->mem, (size_t)MAX_ROWS * (size_t)t->n_col);
  if (!t->column || !t->x) return false;
  const char *p = line;
  for (int c = 0; c < t->n_col; c++) {
    size_t n = strcspn(p, ",\n");
    t->column[c] = copy_text(&t->mem, p, n);
    if (!t->column[c]) return false;
    p += n + 1;
  }
  return true;
}

static bool read_table(const char *name, mw_table *t)
{
  char path[512], line[LINE];
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, name);
  FILE *f = fopen(path, "r");
  if (!f) {
    fprintf(stderr, "%s cannot be read\n", path);
    return false;
  }
  bool ok = fgets(line, sizeof line, f) && line[0] == '#' && fgets(line, sizeof line, f) &&
            read_columns(line, t);
  while (ok && fgets(line, sizeof line, f) && t->n_row < MAX_ROWS) {
    char *p = line;
    for (int c = 0; c < t->n_col; c++) {
      t->x[t->n_row * t->n_col + c] = strtod(p, &p);
      p += *p == ',';
    }
    t->n_row++;
  }
  fclose(f);
  return ok && t->n_row > 1;
}

// Runge-Kutta of order 4 with 2000 steps a stored interval: its error is below rounding of the
// sums.
static void law_step(const mw_problem *p, double h, double y[2])
{
  double k[4][2], z[2];
  static const double c[4] = { 0.0, 0.5, 0.5, 1.0 };
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 2; i++) z[i] = y[i] + (s ? c[s] * h * k[s - 1][i] : 0.0);
    p->law(p->n, z, k[s]);
  }
  for (int i = 0; i < 2; i++) y[i] += h * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]) / 6.0;
}

static bool integrate_law(const mw_problem *p, const mw_scenario *sc, mw_table *t)
{
  enum { PARTS = 2000 };
  int n = (int)lround(sc->duration / sc->store);
  if (!read_columns("t,x,x_dot", t) || n >= MAX_ROWS) return false;
  t->column[1] = p->q[0].column;
  t->column[2] = p->q[1].column;
  double y[2] = { p->start[0], p->start[1] };
  for (t->n_row = 0; t->n_row <= n; t->n_row++) {
    double *x = t->x + 3 * t->n_row;
    x[0] = t->n_row * sc->store;
    memcpy(x + 1, y, sizeof y);
    for (int i = 0; i < PARTS; i++) law_step(p, sc->store / PARTS, y);
  }
  return true;
}

bool mw_problem_table(const mw_problem *p, const mw_scenario *sc, mw_table *out)
{
  mw_table t = { 0 };
  bool ok = p->table ? read_table(p->table, &t) : integrate_law(p, sc, &t);
  if (ok)
    *out = t;
  else
    mw_table_free(&t);
  return ok;
}

void mw_table_free(mw_table *t)
{
  mw_arena_free(&t->mem);
  *t = (mw_table){ 0 };
}

// ---- comparison ---------------------------------------------------------------------------------

static int find_column(const mw_table *t, const char *name)
{
  for (int c = 0; c < t->n_col; c++)
    if (strcmp(t->column[c], name) == 0) return c;
  return -1;
}

// Where a quantity stands in the run's series: a pointer to its first instant and the distance to
// the next.
static const double *find_series(const mw_run *r, const mw_quantity *q, int *stride)
{
  const mw_model *m = r->model;
  if (q->kind == MW_Q_OUTPUT) {
    *stride = 3 * r->n_out;
    for (int o = 0; o < m->n_output; o++)
      if (strcmp(m->output[o].name, q->name) == 0) return r->y + 3 * o + q->axis;
  } else if (q->kind == MW_Q_REACTION) {
    *stride = 6 * r->n_joint;
    for (int j = 0; r->reaction && j < m->n_joint; j++)
      if (strcmp(m->joint[j].name, q->name) == 0) return r->reaction + 6 * j;
  } else {
    *stride = r->n_coord;
    for (int c = 0; c < r->n_coord; c++)
      if (strcmp(mw_run_coord_name(m, c), q->name) == 0)
        return (q->kind == MW_Q_RATE ? r->s_dot : r->s) + c;
  }
  return NULL;
}

static double value_of(const mw_quantity *q, const double *x)
{
  if (q->kind != MW_Q_REACTION) return *x;
  if (q->axis < 6) return x[q->axis];
  return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// The instant of the run at t, −1: none. Instants of both increase; k is where to begin.
static int find_instant(const mw_run *r, double t, int k)
{
  double slack = 1e-9 * (r->n_t > 1 ? r->t[1] - r->t[0] : 1.0);
  while (k < r->n_t && r->t[k] < t - slack) k++;
  return k < r->n_t && r->t[k] <= t + slack ? k : -1;
}

mw_deviation mw_problem_compare(const mw_problem *p, const mw_table *t, const mw_run *r,
                                double t_end)
{
  mw_deviation d = { 0 };
  double force = 0.0;
  for (const mw_quantity *q = p->q; q->column; q++) {
    int c = find_column(t, q->column), stride = 0, k = 0, found = 0;
    const double *series = find_series(r, q, &stride);
    double worst = c < 0 || !series ? INFINITY : 0.0, largest = 0.0;
    for (int i = 0; c >= 0 && series && i < t->n_row; i++) {
      double ti = t->x[i * t->n_col], want = t->x[i * t->n_col + c];
      int at = ti <= t_end * (1.0 + 1e-9) ? find_instant(r, ti, k) : -1;
      if (at < 0) continue;
      k = at;
      double off = fabs(value_of(q, series + (size_t)at * (size_t)stride) - want);
      if (!(off <= worst)) worst = off;
      largest = fmax(largest, fabs(want));
      found++;
    }
    if (found == 0) worst = INFINITY;
    double *into = q->kind == MW_Q_RATE ? &d.v : q->kind == MW_Q_REACTION ? &d.force : &d.q;
    if (q->kind == MW_Q_RATE) worst /= fmax(largest, 1e-300);
    if (q->kind == MW_Q_REACTION) force = fmax(force, largest);
    if (!(worst <= *into)) *into = worst;
    if (q == p->q || found < d.instants) d.instants = found;
  }
  if (force > 0.0) d.force /= force;
  return d;
}
