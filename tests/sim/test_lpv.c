// SPDX-License-Identifier: BSD-3-Clause
// test_lpv.c: linear systems on the grid of a reduced model against differences of its equations of
// motion, and their files as other programs read them (check_lpv.py).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/ncfile.h"
#include "reduction/reduce.h"
#include "sim/lpv.h"

typedef struct made {
  mw_fixture f;
  mw_rom_file rom;
  mw_lpv l;
  double *work;
  bool good;
} made;

// A machine under gravity with two coordinates, x along which nothing changes and phi; a beam with
// a cart without damping.
static void open_made(made *k, bool machine)
{
  mw_error err = { 0 };
  static const char *unit[] = { "m", "rad" };
  *k = (made){ 0 };
  bool fine = machine ? mw_fixture_machine("", &k->f)
                      : mw_fixture_beam("SS", 16, 0.5, 0.0, 7, 3, "", &k->f);
  k->good = MW_CHECK(fine) && MW_OKAY(mw_reduce(&k->f.model, &k->f.mech, NULL, &k->rom, &err));
  if (k->good) k->rom.unit = unit;
  k->good = k->good && MW_OKAY(mw_lpv_build(&k->rom, &k->l, &err));
  if (k->good)
    k->work = calloc(mw_rom_sens_bytes(&k->rom.rom) / sizeof(double) + 1, sizeof(double));
  k->good = k->good && MW_CHECK(k->work);
}

static void close_made(made *k)
{
  free(k->work);
  mw_lpv_free(&k->l);
  mw_rom_file_free(&k->rom);
  mw_fixture_free(&k->f);
}

// The machine, reduced once for all cases, which change nothing of it.
static const made *the_machine(bool close)
{
  static made k;
  static bool opened;
  if (!opened && !close) open_made(&k, true);
  if (opened && close) close_made(&k);
  opened = !close;
  return &k;
}

// x' and y at x, u
static void equations(const made *k, const double *x, const double *u, double *x_dot, double *y)
{
  const mw_rom *r = &k->rom.rom;
  mw_rom_opt opt = mw_rom_opt_default();
  int n = r->s + r->m;
  opt.inertia = k->rom.inertia;
  memcpy(x_dot, x + n, (size_t)n * sizeof *x);
  MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = r, .opt = &opt, .u = u, .work = k->work }, x,
                      x_dot + n) == MW_ROM_OK);
  MW_CHECK(mw_rom_outputs(r, x, y, y + r->n_y, k->work, NULL) == MW_ROM_OK);
}

// Column c of [A B; C D; C_rate D_rate] by a central difference with step e.
static void column(const made *k, int point, int c, double e, double *d)
{
  int nx = k->l.n_x, nu = k->l.n_u, rows = nx + 2 * k->l.n_y;
  double *z = calloc((size_t)(nx + nu), sizeof *z), *lo = calloc((size_t)rows, sizeof *lo);
  if (MW_CHECK(z && lo)) {
    memcpy(z, k->l.x0 + point * nx, (size_t)nx * sizeof *z);
    memcpy(z + nx, k->l.u0 + point * nu, (size_t)nu * sizeof *z);
    z[c] += e;
    equations(k, z, z + nx, d, d + nx);
    z[c] -= 2.0 * e;
    equations(k, z, z + nx, lo, lo + nx);
    for (int i = 0; i < rows; i++) d[i] = (d[i] - lo[i]) / (2.0 * e);
  }
  free(z);
  free(lo);
}

static double entry(const mw_lpv *l, int point, int row, int c)
{
  int nx = l->n_x, nu = l->n_u, ny = l->n_y;
  const double *A = l->A + point * nx * nx, *B = l->B + point * nx * nu;
  if (row < nx) return c < nx ? A[row * nx + c] : B[row * nu + c - nx];
  int k = (row - nx) / ny, i = (row - nx) % ny;
  return c < nx ? l->C[k][(point * ny + i) * nx + c] : l->D[k][(point * ny + i) * nu + c - nx];
}

// A difference with 2e errs by twice what one with e does (grid points are knots of the splines,
// whose third derivatives jump there) or more: their distance is the latter's truncation, but for
// higher orders, which a factor 2 allows for. Rounding: each value is a sum of some hundred terms,
// the largest of the size of the row's own derivatives times the state; ten times eps of them over
// e.
static void systems_are_differences_of_the_equations_of_motion(void)
{
  const made *k = the_machine(false);
  if (k->good) {
    static const double STEP = 1e-5;
    const mw_lpv *l = &k->l;
    int nx = l->n_x, nu = l->n_u, rows = nx + 2 * l->n_y, n_point[2] = { 0, l->n_point - 3 };
    double *d = calloc(2 * (size_t)rows, sizeof *d);
    for (int p = 0; p < 2; p++)
      for (int c = 0; d && c < nx + nu; c++) {
        double e = c < nx ? STEP : 1e-2;
        double at = c < l->s ? l->x0[n_point[p] * nx + c] : 0.0;
        if (c < l->s && (at - 2.0 * e < k->rom.rom.lo[c] || at + 2.0 * e > k->rom.rom.hi[c]))
          continue;  // the box ends here
        column(k, n_point[p], c, e, d);
        column(k, n_point[p], c, 2.0 * e, d + rows);
        for (int i = 0; i < rows; i++) {
          double size = 1.0, got = entry(l, n_point[p], i, c);
          for (int j = 0; j < nx; j++)
            size = fmax(size, fabs(entry(l, n_point[p], i, j) * l->x0[n_point[p] * nx + j]));
          for (int j = 0; j < nx; j++) size = fmax(size, fabs(entry(l, n_point[p], i, j)) * e);
          MW_NEAR(got, d[i], 2.0 * fabs(d[rows + i] - d[i]) + 10.0 * DBL_EPSILON * size / e);
        }
      }
    free(d);
  }
}

// At rest ẋ0 = 0, so ÿ = ∂ẏ/∂x ẋ has the derivatives C_rate A and C_rate B, but for rounding of
// these sums, and for what is left of ẋ0 times second derivatives of the outputs: the tool goes on
// arcs of some ten centimetres, in patterns of unit mass (1/√kg) on bodies of 0.3 kg and more.
static void accelerations_of_outputs_follow_from_their_rates(void)
{
  const made *k = the_machine(false);
  for (int row = 0; k->good && row < k->l.n_point * k->l.n_y; row++) {
    const mw_lpv *l = &k->l;
    int nx = l->n_x, nu = l->n_u, p = row / l->n_y;
    double x_dot[64], y[64], left = 0.0;
    equations(k, l->x0 + p * nx, l->u0 + p * nu, x_dot, y);
    for (int i = 0; i < nx; i++) left = fmax(left, 4.0 * fabs(x_dot[i]));
    MW_CHECK(left < 1e-8);
    for (int c = 0; c < nx + nu; c++) {
      double sum = 0.0, size = 0.0;
      for (int j = 0; j < nx; j++) {
        double x = l->C[1][row * nx + j] *
                   (c < nx ? l->A[(p * nx + j) * nx + c] : l->B[(p * nx + j) * nu + c - nx]);
        sum += x;
        size += fabs(x);
      }
      double got = c < nx ? l->C[2][row * nx + c] : l->D[2][row * nu + c - nx];
      MW_NEAR(got, sum, 2.0 * nx * DBL_EPSILON * size + left);
    }
  }
}

// Holding forces of the machine: dV/dphi = u, the motor rests on a level rail; nothing accelerates.
// The difference errs by e²/6 V''' + eps V/e, V some ten J, V''' like V.
static void drives_hold_the_machine_against_gravity(void)
{
  const made *k = the_machine(false);
  if (k->good) {
    static const double STEP = 1e-4;
    const mw_lpv *l = &k->l;
    mw_rom_opt opt = mw_rom_opt_default();
    for (int p = 0; p < l->n_point; p++) {
      double x[64], T, V[2];
      const double *at = l->x0 + p * l->n_x, *u = l->u0 + p * l->n_u;
      memcpy(x, at, (size_t)l->n_x * sizeof *x);
      for (int i = 0; i < 2 * l->s; i++)
        MW_WITHIN(i < l->s ? l->rest[p * l->s + i] : x[l->n_x / 2 + i - l->s], 0.0, 1e-9,
                  "what the iteration for rest may leave");
      if (p % l->n_grid[1] == 0 || p % l->n_grid[1] == l->n_grid[1] - 1) continue;
      for (int side = 0; side < 2; side++) {
        x[1] = at[1] + (side ? STEP : -STEP);
        MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &k->rom.rom, .opt = &opt, .work = k->work },
                               x, &T, &V[side], NULL) == MW_ROM_OK);
      }
      MW_NEAR(u[1], (V[1] - V[0]) / (2.0 * STEP), STEP * STEP * 20.0 + 1e3 * DBL_EPSILON / STEP);
      MW_WITHIN(u[0], 0.0, 1e-9, "what the iteration for rest may leave");
      MW_CHECK(fabs(u[1]) > 1e-3);
    }
  }
}

static void axes_where_nothing_changes_keep_their_ends(void)
{
  const made *k = the_machine(false);
  if (k->good) {
    const mw_lpv *l = &k->l;
    size_t half = (size_t)(l->n_point / 2), nx = (size_t)l->n_x;
    MW_CHECK(l->n_grid[0] == 2 && l->n_grid[1] == 9 && l->n_point == 18);
    MW_CHECK(l->grid[0][0] == 0.3 && l->grid[0][1] == 1.6 && l->grid[1][8] == 0.8);
    MW_SAME_BITS(l->A, l->A + half * nx * nx, half * nx * nx);
    MW_CHECK(strcmp(l->state[0], "x") == 0 && strcmp(l->state[nx / 2 + 1], "d/dt phi") == 0);
    MW_CHECK(strcmp(l->input[1], "swing") == 0 && strcmp(l->input_unit[1], "N m") == 0);
    MW_CHECK(strcmp(l->output[0], "tool.x") == 0 && strcmp(l->output_unit[0], "m") == 0);
    MW_CHECK(strcmp(l->state_unit[1], "rad") == 0 && strcmp(l->input_unit[0], "N") == 0);
    // the tool goes with x one to one, by some tens of roundings of 2 m
    MW_NEAR(l->y0[half * (size_t)l->n_y] - l->y0[0], 1.3, 50.0 * 2.0 * DBL_EPSILON);
  }
}

#ifdef MW_PYTHON
// Both files hold what was built, as SciPy and h5py read them; the eigenvalues of A, by LAPACK's
// general solver, are the frequencies of the reduced model, by its symmetric one.
static void other_programs_find_the_same_systems_and_frequencies(void)
{
  made k;
  char folder[] = "/tmp/mw-lpv-XXXXXX", path[2][64], command[4096];
  open_made(&k, false);
  mw_error err = { 0 };
  if (k.good && MW_CHECK(mkdtemp(folder) != NULL)) {
    snprintf(path[0], sizeof path[0], "%s/l.mat", folder);
    snprintf(path[1], sizeof path[1], "%s/l.nc", folder);
    MW_OKAY(mw_export_lpv(&k.rom, path[0], &err));
    MW_OKAY(mw_export_lpv(&k.rom, path[1], &err));
    int n = snprintf(command, sizeof command, "%s %s %s %s %d", MW_PYTHON, MW_CHECK_LPV, path[0],
                     path[1], k.rom.rom.m);
    for (int p = 0; p < k.l.n_point; p++) {
      double f[64];
      MW_OKAY(mw_rom_frequencies(&k.rom, &k.l.grid[0][p], true, k.rom.rom.m, f, &err));
      for (int i = 0; i < k.rom.rom.m; i++)
        n += snprintf(command + n, sizeof command - (size_t)n, " %.17g", f[i]);
    }
    MW_CHECK(n < (int)sizeof command && system(command) == 0);
    MW_CHECK(remove(path[0]) == 0 && remove(path[1]) == 0 && rmdir(folder) == 0);
  }
  close_made(&k);
}
#endif

static void a_file_of_another_kind_is_refused(void)
{
  mw_rom_file none = { 0 };
  mw_error err = { 0 };
  MW_FAILS(mw_export_lpv(&none, "systems.csv", &err), MW_ERR_INPUT);
  MW_CHECK(strcmp(err.file, "systems.csv") == 0 && strstr(err.msg, ".nc or .mat") != NULL);
  MW_FAILS(mw_export_lpv(&none, ".mat", &err), MW_ERR_INPUT);
}

static const mw_test_case cases[] = {
  { "systems_are_differences_of_the_equations_of_motion",
    systems_are_differences_of_the_equations_of_motion },
  { "accelerations_of_outputs_follow_from_their_rates",
    accelerations_of_outputs_follow_from_their_rates },
  { "drives_hold_the_machine_against_gravity", drives_hold_the_machine_against_gravity },
  { "axes_where_nothing_changes_keep_their_ends", axes_where_nothing_changes_keep_their_ends },
#ifdef MW_PYTHON
  { "other_programs_find_the_same_systems_and_frequencies",
    other_programs_find_the_same_systems_and_frequencies },
#endif
  { "a_file_of_another_kind_is_refused", a_file_of_another_kind_is_refused },
};

int main(void)
{
  int status = mw_test_run("lpv", cases, (int)(sizeof cases / sizeof *cases));
  (void)the_machine(true);
  return status;
}
