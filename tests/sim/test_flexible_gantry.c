// SPDX-License-Identifier: BSD-3-Clause
// test_flexible_gantry.c: a gantry whose cross-beam axis is a component by a reduced model
// (cases/bought-gantry): two ports, a loop through the component, rigid motions of the axis among
// its coordinates. Frequencies and a run are those of the machine whose axis is known, on its
// meshes and reduced at once.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec3.h"
#include "export/export_layer.h"
#include "flexible_rig.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static mw_case axis;           // its names are those of the text
static mw_rom_file part, all;  // the axis; the whole machine
static mw_flexible_text text;
static char *block;
static size_t n_block;
static mw_arena mem;

// Copies a file of the case, with `to` in place of its one `from`.
static bool copy(const char *name, const char *from, const char *to)
{
  const char *path = mw_arena_printf(&mem, MW_CASES_DIR "/bought-gantry/%s", name);
  char *t = path ? rig_text(path, &mem) : NULL, *at = t ? strstr(t, from) : NULL;
  if (!MW_CHECK(at != NULL)) return false;
  const char *all_of = mw_arena_printf(&mem, "%.*s%s%s", (int)(at - t), t, to, at + strlen(from));
  return MW_CHECK(all_of && mw_test_write(rig_path(name), all_of, strlen(all_of)));
}

// The case by half of its grid along s, which costs half, and a shorter run.
static bool copy_all(void)
{
  static const char GRID[] = "points: 17", HALF[] = "points: 9", LONG[] = "duration: 0.05";
  static const char SHORT[] = "duration: 0.02";
  const char *whole = NULL;
  if (!copy("parts.yaml", "modeway: 1", "modeway: 1") || !copy("axis.yaml", GRID, HALF) ||
      !copy("gantry.yaml", LONG, SHORT) || !copy("whole.yaml", GRID, HALF))
    return false;
  char *t = rig_text(rig_path("whole.yaml"), &mem), *at = strstr(t, LONG);
  if (at) whole = mw_arena_printf(&mem, "%.*s%s%s", (int)(at - t), t, SHORT, at + strlen(LONG));
  return MW_CHECK(whole && mw_test_write(rig_path("whole.yaml"), whole, strlen(whole)));
}

static double processor_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void parts_and_whole_are_reduced(void)
{
  double t[3] = { processor_s() };
  mw_error err = { 0 };
  mw_case whole = { .body = NULL };
  mw_export_list list = { 0 };
  const char *left_out = NULL;
  bool fine = copy_all() && MW_OKAY(mw_case_read(rig_path("axis.yaml"), &axis, &err)) &&
              MW_OKAY(mw_reduce(&axis.model, &axis.mech, NULL, &part, &err));
  t[1] = processor_s();
  fine = fine && MW_OKAY(mw_case_read(rig_path("whole.yaml"), &whole, &err)) &&
         MW_OKAY(mw_reduce(&whole.model, &whole.mech, NULL, &all, &err));
  t[2] = processor_s();
  if (fine && MW_OKAY(mw_export_flexible_text(&part, &axis.mech, &mem, &text, &left_out, &err)) &&
      MW_OKAY(mw_export_block(&part, &block, &n_block, &err)) &&
      MW_OKAY(mw_export_flexible(&part, &axis.mech, rig_path("axis.so"), &mem, &list, &err)))
    printf(
        "  the part reduced in %.2f s of the processor (%d columns), the whole machine in %.2f s "
        "(%d)\n",
        t[1] - t[0], part.rom.m, t[2] - t[1], all.rom.m);
  MW_CHECK(left_out == NULL && text.n_seen == 4);
  mw_case_free(&whole);
}

// ---- frequencies --------------------------------------------------------------------------------

// The machine around an instance, x1 and s held: coordinates (x of the axis, its columns, x2).
typedef struct around {
  mw_flexible *c;
  double x1, s;  // m
} around;

enum { PORTS = 2, DRIVE = 6 * PORTS };  // DRIVE: place of its force among wrenches
static const double CARRIAGE = 2.5;     // kg
// N/m, N·m/rad, as gantry.yaml has them
static const double BLOCK[6] = { 4e8, 3.9999e8, 3.9999e8, 2.49e6, 2.498e6, 2.49e6 };
static const double RAIL[PORTS][3] = { { 0.7, -0.05, 0.0 }, { 0.7, 1.05, 0.0 } };  // m

// Wrench f [6] of the block on port k, axes of the port, with its carriage at x along the rail.
// Returns the force along x.
static double block_wrench(int k, const double *frame, double x, double f[6])
{
  const double *E = frame + 3;
  double F[3], M[3];
  const double turn[3] = { 0.5 * (E[7] - E[5]), 0.5 * (E[2] - E[6]), 0.5 * (E[3] - E[1]) };
  for (int i = 0; i < 3; i++) {
    F[i] = -BLOCK[i] * (frame[i] - RAIL[k][i] - (i == 0 ? x : 0.0));
    M[i] = -BLOCK[3 + i] * turn[i];
  }
  mw_mul33tv(E, F, f);
  mw_mul33tv(E, M, f + 3);
  return F[0];
}

static bool accelerate(void *ctx, const double *x, double *acc)
{
  enum { N = DRIVE + 6 };
  const around *m = ctx;
  mw_flexible *c = m->c;
  int n = c->n;
  double z[RIG_STATES], q[12 * RIG_FRAMES],
      v[12 * RIG_FRAMES] = { 0.0 }, f[6 * RIG_FRAMES] = { 0.0 }, a[6 * RIG_FRAMES], D[N * N],
             F = 0.0;
  char why[80];
  z[0] = x[0];
  z[1] = m->s;
  memcpy(z + 2, x + 1, (size_t)(n - 2) * sizeof *z);
  rig_place(c, z, q);
  if (!MW_CHECK(mw_flexible_load(c, 0.0, q, v) < 1e-12)) return false;
  if (!MW_CHECK(mw_flexible_factor(c, why, sizeof why) == 0)) return false;
  mw_flexible_border(c, D);
  for (int k = 0; k < PORTS; k++) F = block_wrench(k, q + 12 * k, k ? x[n - 1] : m->x1, f + 6 * k);
  mw_flexible_solve(c, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, a);
  f[DRIVE] = -a[DRIVE] / D[DRIVE * N + DRIVE];  // holds s
  mw_flexible_solve(c, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, a);
  for (int i = 0, to = 0; i < n; i++)
    if (i != 1) acc[to++] = a[6 * (c->size.state0 + i / 3) + i % 3];
  acc[n - 1] = -F / CARRIAGE;
  return true;
}

enum { N_HZ = 6 };

static void coupled_frequencies_are_those_of_the_whole_machine(void)
{
  static const mw_component_in HERE = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                        .gravity = { 0, 0, -9.81 } };
  static const double at[][2] = { { 0.0, 0.5 }, { -0.3, 0.3 }, { 0.21, 0.87 }, { 0.5, 0.125 } };
  mw_error err = { 0 };
  mw_case whole = { .body = NULL };
  void *one = NULL;
  double most = 0.0, most_reduced = 0.0;
  if (!MW_OKAY(mw_flexible_open(block, n_block, &text, "none", &HERE, &one, &err)) ||
      !MW_OKAY(mw_case_read(rig_path("whole.yaml"), &whole, &err)))
    return;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    around m = { .c = one, .x1 = at[i][0], .s = at[i][1] };
    int n = N_HZ, n_x = m.c->n;
    double x[RIG_STATES] = { 0.0 }, h[RIG_STATES], hz[N_HZ], reduced[N_HZ], p[12 * 8],
           *direct = NULL, *loaded = NULL, *shape = NULL;
    mw_arena tmp = { 0 };
    x[0] = 0.7 + m.x1;
    x[n_x - 1] = m.x1;
    for (int k = 0; k < n_x; k++) h[k] = 1e-6;  // m, kg^½ m
    if (rig_frequencies(n_x, x, h, accelerate, &m, N_HZ, hz) &&
        MW_OKAY(mw_direct_modes_loaded(&whole.mech, at[i], &n, MW_SOLVER_LANCZOS, &tmp, &direct,
                                       &loaded, &shape, p, &err)) &&
        MW_OKAY(mw_rom_frequencies(&all, at[i], false, N_HZ, reduced, &err)))
      for (int k = 0; k < N_HZ; k++) {
        most = fmax(most, fabs(hz[k] / loaded[k] - 1.0));
        most_reduced = fmax(most_reduced, fabs(hz[k] / reduced[k] - 1.0));
      }
    mw_arena_free(&tmp);
  }
  printf("  frequencies: %.2e of the meshes', %.2e of the whole's reduced model\n", most,
         most_reduced);
  MW_WITHIN(most, 0.0, 1e-3, "promised: the tolerance of the part");
  MW_WITHIN(most_reduced, 0.0, 2e-3, "promised: the tolerances of part and whole");
  mw_case_free(&whole);
  mw_flexible_calls.close(one);
}

// ---- a run --------------------------------------------------------------------------------------

// Over the largest deflection, what the rigid machine moves otherwise.
static void a_run_is_that_of_the_whole_machine(void)
{
  mw_run r[4] = { { 0 } };
  if (rig_run(rig_path("gantry.yaml"), "rigid", NULL, &r[0]) &&
      rig_run(rig_path("whole.yaml"), "rigid", NULL, &r[1]) &&
      rig_run(rig_path("whole.yaml"), "full", NULL, &r[2]) &&
      rig_run(rig_path("whole.yaml"), "gmp", &all, &r[3])) {
    double scale = rig_apart(&r[2], &r[1]);
    printf("  deflection %.3g m; component %.2e of it from the full path, %.2e from the whole's "
           "reduced model; %.2e between these\n",
           scale, rig_apart(&r[0], &r[2]) / scale, rig_apart(&r[0], &r[3]) / scale,
           rig_apart(&r[2], &r[3]) / scale);
    MW_WITHIN(rig_apart(&r[0], &r[2]) / scale, 0.0, 1e-3, "promised: the tolerance of the part");
    MW_WITHIN(rig_apart(&r[0], &r[3]) / scale, 0.0, 1e-3, "promised: the tolerance of the part");
    MW_CHECK(r[0].n_t == 21 && r[0].n_warning == r[1].n_warning);
  }
  for (int k = 0; k < 4; k++) mw_run_free(&r[k]);
}

// Writes a file of the case with steps of 1e-4 s.
static bool widen(const char *name, const char *to)
{
  static const char SHORT[] = "step: 1e-5";
  char *t = rig_text(rig_path(name), &mem), *at = t ? strstr(t, SHORT) : NULL;
  if (!MW_CHECK(at != NULL)) return false;
  const char *wide =
      mw_arena_printf(&mem, "%.*sstep: 1e-4%s", (int)(at - t), t, at + strlen(SHORT));
  return MW_CHECK(wide && mw_test_write(rig_path(to), wide, strlen(wide)));
}

// By steps three times as long as explicit methods are stable at.
static void path_full_takes_it_by_longer_steps(void)
{
  mw_run r[3] = { { 0 } };
  if (widen("gantry.yaml", "wide.yaml") && widen("whole.yaml", "whole-wide.yaml") &&
      rig_run(rig_path("wide.yaml"), "full", NULL, &r[0]) &&
      rig_run(rig_path("whole.yaml"), "rigid", NULL, &r[1]) &&
      rig_run(rig_path("whole-wide.yaml"), "full", NULL, &r[2])) {
    double scale = rig_apart(&r[2], &r[1]), apart = rig_apart(&r[0], &r[2]) / scale;
    printf("  path full, steps of 1e-4 s: component %.2e of the deflection from the whole\n",
           apart);
    MW_WITHIN(apart, 0.0, 1e-3, "promised: the tolerance of the part");
    MW_CHECK(r[0].unknowns < r[2].unknowns);
  }
  for (int k = 0; k < 3; k++) mw_run_free(&r[k]);
}

// Writes a file of the case, its ends fixed to the carriages in place of the elastic blocks, for
// 10 ms.
static bool bolt(const char *name, const char *to)
{
  char *t = rig_text(rig_path(name), &mem), *springs = strstr(t, "springs:"),
       *behind = springs ? strstr(springs, "assemblies:") : NULL,
       *end = behind ? strstr(behind, "duration: 0.02") : NULL;
  if (!MW_CHECK(end != NULL)) return false;
  const char *all_of = mw_arena_printf(
      &mem,
      "%.*s  bolt_left: { fixed: { a: left, b: axis.left } }\n"
      "  bolt_right: { fixed: { a: right, b: axis.right } }\n%.*sduration: 0.01%s",
      (int)(springs - t), t, (int)(end - behind), behind, end + strlen("duration: 0.02"));
  return MW_CHECK(all_of && mw_test_write(rig_path(to), all_of, strlen(all_of)));
}

// The loop of joints that yield nowhere: twelve rows on the component.
static void a_loop_of_joints_is_that_of_the_whole_machine(void)
{
  mw_run r[3] = { { 0 } };
  if (bolt("gantry.yaml", "bolted.yaml") && bolt("whole.yaml", "whole-bolted.yaml") &&
      rig_run(rig_path("bolted.yaml"), "rigid", NULL, &r[0]) &&
      rig_run(rig_path("whole-bolted.yaml"), "rigid", NULL, &r[1]) &&
      rig_run(rig_path("whole-bolted.yaml"), "full", NULL, &r[2])) {
    double scale = rig_apart(&r[2], &r[1]), apart = rig_apart(&r[0], &r[2]) / scale;
    printf("  bolted: deflection %.3g m; component %.2e of it from the full path\n", scale, apart);
    MW_WITHIN(apart, 0.0, 1e-3, "promised: the tolerance of the part");
  }
  for (int k = 0; k < 3; k++) mw_run_free(&r[k]);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_and_whole_are_reduced", parts_and_whole_are_reduced },  // for all that follow
    { "coupled_frequencies_are_those_of_the_whole_machine",
      coupled_frequencies_are_those_of_the_whole_machine },
    { "a_run_is_that_of_the_whole_machine", a_run_is_that_of_the_whole_machine },
    { "path_full_takes_it_by_longer_steps", path_full_takes_it_by_longer_steps },
    { "a_loop_of_joints_is_that_of_the_whole_machine",
      a_loop_of_joints_is_that_of_the_whole_machine },
  };
  if (!rig_open("flexible_gantry")) return 1;
  int rc = mw_test_run("flexible_gantry", cases, (int)(sizeof cases / sizeof *cases));
  rig_close();
  mw_rom_file_free(&part);
  mw_rom_file_free(&all);
  mw_case_free(&axis);
  free(block);
  mw_arena_free(&mem);
  return rc;
}
