// SPDX-License-Identifier: BSD-3-Clause
// test_flexible.c: a component whose inside is a reduced model, in a machine: frequencies and runs
// are those of the whole machine, on its meshes and reduced at once; the object has the bits of
// what it was made from; what it does not do is refused by name.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "export/export_layer.h"
#include "fem/component.h"
#include "flexible_rig.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/simulation.h"

enum { MAX_FRAME = RIG_FRAMES };
static mw_case axis;           // the supplier's
static mw_rom_file part, all;  // its reduced model; the whole machine's
static mw_flexible_text text;
static char *block;  // its tables
static size_t n_block;
static mw_arena mem;

// The text of a case, of mem.
static char *text_of(const char *name)
{
  const char *path = mw_arena_printf(&mem, MW_CASES_DIR "/bought-axis/%s", name);
  return path ? rig_text(path, &mem) : NULL;
}

// The spindle on the axis whose parts are known, as one machine; its output in place of the port.
static bool put_whole(void)
{
  static const char spindle[] =
      "  spindle:\n    at: [0.4, 0, 0.32]\n"
      "    rigid: { mass: 0.8, com: [0.01, 0.005, 0.03], inertia: [2e-3, 2e-3, 1e-3, 0, 0, 0] }\n"
      "joints:\n  chuck: { fixed: { a: flange.face, b: spindle } }";
  static const char behind[] =
      "outputs: { tip: { body: spindle, point: [0, 0, 0.08] } }\n"
      "scenarios:\n"
      "  go: { duration: 0.02, step: 1e-5, store: 5e-4, initial: undeformed, start: { x: 0.3 },\n"
      "        drives: { motor: { force: { sine: { amplitude: 100, frequency: 60 } } } },\n"
      "        rigid: { method: rk4 } }\n";
  char *t = text_of("axis.yaml"), *joints = strstr(t, "joints:"), *outputs = strstr(t, "outputs:"),
       *rest = outputs ? strchr(outputs, '\n') : NULL;
  if (!MW_CHECK(joints && rest)) return false;
  const char *whole = mw_arena_printf(&mem, "%.*s%s%.*s%s%s", (int)(joints - t), t, spindle,
                                      (int)(outputs - joints) - 7, joints + 7, behind, rest + 1);
  return MW_CHECK(whole != NULL) && rig_put("whole.yaml", whole);
}

// Reduces both, exports the axis.
static bool prepare(void)
{
  mw_error err = { 0 };
  mw_case whole = { .body = NULL };
  mw_export_list list = { 0 };
  const char *left_out = NULL;
  bool fine = MW_OKAY(mw_case_read(MW_CASES_DIR "/bought-axis/axis.yaml", &axis, &err)) &&
              MW_OKAY(mw_reduce(&axis.model, &axis.mech, NULL, &part, &err)) && put_whole() &&
              MW_OKAY(mw_case_read(rig_path("whole.yaml"), &whole, &err)) &&
              MW_OKAY(mw_reduce(&whole.model, &whole.mech, NULL, &all, &err));
  mw_case_free(&whole);
  if (fine)
    printf("  parts reduced in %.2f s, the whole machine in %.2f s\n", part.wall_s, all.wall_s);
  return fine &&
         MW_OKAY(mw_export_flexible_text(&part, &axis.mech, &mem, &text, &left_out, &err)) &&
         MW_CHECK(left_out == NULL) && MW_OKAY(mw_export_block(&part, &block, &n_block, &err)) &&
         MW_OKAY(mw_export_flexible(&part, &axis.mech, rig_path("axis.so"), &mem, &list, &err)) &&
         rig_put("machine.yaml", text_of("machine.yaml"));
}

static void parts_and_whole_are_reduced(void) { MW_CHECK(prepare()); }

// The axis stands at 0.4 m of 0.25 to 0.45 m; one that stands beyond begins at the end.
static void starts_outside_of_the_range_are_said(void)
{
  static const char said[] =
      "x begins at 0.45, the end of its range; in the reference configuration it is at 0.5";
  double at = axis.mech.s0[0];
  MW_CHECK(at == 0.4);
  for (int beyond = 0; beyond < 2; beyond++) {
    mw_error err = { 0 };
    mw_export_list list = { 0 };
    if (beyond) axis.mech.s0[0] = 0.5;
    if (MW_OKAY(mw_export_flexible(&part, &axis.mech, rig_path("beyond.so"), &mem, &list, &err)))
      MW_CHECK((strstr(list.note, said) != NULL) == beyond);
  }
  axis.mech.s0[0] = at;
}

// ---- an instance in the process -----------------------------------------------------------------

static const mw_component_in HERE = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                      .gravity = { 0, 0, -9.81 } };

static mw_flexible *in_process(const mw_component_in *in, mw_error *why)
{
  void *one = NULL;
  return mw_flexible_open(block, n_block, &text, "none", in, &one, why) == MW_OK ? one : NULL;
}

// Mass of the spindle about the point of the flange, its axes.
static void spindle_mass(double M[36])
{
  static const double m = 0.8, c[3] = { 0.01, 0.005, 0.03 }, I[3] = { 2e-3, 2e-3, 1e-3 };
  const double C[9] = { 0.0, -c[2], c[1], c[2], 0.0, -c[0], -c[1], c[0], 0.0 };
  memset(M, 0, 36 * sizeof *M);
  for (int i = 0; i < 3; i++) {
    M[7 * i] = m;
    for (int j = 0; j < 3; j++) {
      M[6 * i + 3 + j] = -m * C[3 * i + j];
      M[6 * (3 + i) + j] = m * C[3 * i + j];
      M[6 * (3 + i) + 3 + j] = (i == j ? I[i] + m * mw_dot3(c, c) : 0.0) - m * c[i] * c[j];
    }
  }
}

// z̈ at rest with the spindle on the flange and the coordinate held: wrenches Q of both, with
//   M a = w − Q at the flange, D Q + R = a there and 0 along the coordinate.
static bool coupled(mw_flexible *c, const double *z, double *acc)
{
  enum { N = 12, ROWS = 7 };
  double q[12 * MAX_FRAME], v[12 * MAX_FRAME] = { 0.0 }, f[6 * MAX_FRAME] = { 0.0 },
                                   x[6 * MAX_FRAME], D[N * N], M[36], S[ROWS * ROWS], b[ROWS];
  char why[80];
  int piv[ROWS];
  mw_error err = { 0 };
  rig_place(c, z, q);
  if (!MW_CHECK(mw_flexible_load(c, 0.0, q, v) < 1e-12)) return false;
  if (!MW_CHECK(mw_flexible_factor(c, why, sizeof why) == 0)) return false;
  mw_flexible_border(c, D);
  mw_flexible_solve(c, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x);
  spindle_mass(M);
  double g[6] = { 0.0 };
  mw_mul33tv(q + 3, HERE.gravity, g);
  // unknown Q = (Q of the flange, force along the coordinate): (1 + M D) Q = w − M R
  for (int i = 0; i < ROWS; i++) {
    b[i] = i < 6 ? 0.0 : -x[6];
    for (int j = 0; j < ROWS; j++) {
      double sum = i == j && i < 6 ? 1.0 : 0.0;
      if (i == 6) sum = D[6 * N + j];
      for (int k = 0; i < 6 && k < 6; k++) sum += M[6 * i + k] * D[k * N + j];
      S[i * ROWS + j] = sum;
    }
    for (int k = 0; i < 6 && k < 6; k++) b[i] += M[6 * i + k] * (g[k] - x[k]);
  }
  if (!MW_OKAY(mw_lu_factor(ROWS, S, piv, &err))) return false;
  mw_lu_solve(ROWS, S, piv, 1, b);
  memcpy(f, b, ROWS * sizeof *b);
  mw_flexible_solve(c, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x);
  for (int i = 0; i < c->n; i++) acc[i] = x[6 * (c->size.state0 + i / 3) + i % 3];
  return true;
}

enum { N_HZ = 6, MAX_Z = RIG_STATES };

// Of columns x, the coordinate held at `at`.
typedef struct held {
  mw_flexible *c;
  double at;  // m
} held;

static bool accelerate(void *ctx, const double *x, double *acc)
{
  const held *m = ctx;
  double z[MAX_Z], a[MAX_Z];
  size_t n = (size_t)m->c->n - 1;
  z[0] = m->at;
  memcpy(z + 1, x, n * sizeof *z);
  if (!coupled(m->c, z, a)) return false;
  memcpy(acc, a + 1, n * sizeof *acc);
  return true;
}

static bool coupled_hz(mw_flexible *c, double at, double hz[N_HZ])
{
  held m = { c, at };
  double x[MAX_Z] = { 0.0 }, h[MAX_Z];
  for (int i = 0; i < c->n - 1; i++) h[i] = 1e-6;  // kg^½ m
  return rig_frequencies(c->n - 1, x, h, accelerate, &m, N_HZ, hz);
}

static void coupled_frequencies_are_those_of_the_whole_machine(void)
{
  static const double at[] = { 0.255, 0.3, 0.37, 0.44 };  // m, on the grid and off it
  mw_error err = { 0 };
  mw_case whole = { .body = NULL };
  mw_flexible *c = in_process(&HERE, &err);
  double most = 0.0, most_reduced = 0.0;
  if (!MW_CHECK(c != NULL) || !MW_OKAY(mw_case_read(rig_path("whole.yaml"), &whole, &err))) return;
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    double hz[N_HZ], reduced[N_HZ], *direct = NULL, *loaded = NULL, *shape = NULL, p[12 * 8];
    int n = N_HZ;
    mw_arena tmp = { 0 };
    if (coupled_hz(c, at[i], hz) &&
        MW_OKAY(mw_direct_modes_loaded(&whole.mech, &at[i], &n, MW_SOLVER_LANCZOS, &tmp, &direct,
                                       &loaded, &shape, p, &err)) &&
        MW_OKAY(mw_rom_frequencies(&all, &at[i], false, N_HZ, reduced, &err)))
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
  mw_flexible_calls.close(c);
}

// The machine's own modes, of the stiffness and mass that accelerations and energies of the
// component give; the weight of the spindle stiffens next to nothing.
static void modes_of_the_machine_are_those_of_the_whole(void)
{
  static const double at[] = { 0.3, 0.37 };  // m, on the grid and off it
  static const char *const coordinates =
      "reduction: { coordinates: { axis.x: { range: [0.26, 0.44], points: 4, max_rate: 1,\n"
      "                                      max_acceleration: 1 } }, modes: { count: 4 } }\n";
  mw_error err = { 0 };
  mw_case whole = { .body = NULL }, c = { .body = NULL };
  mw_arena tmp = { 0 };
  double most = 0.0;
  const char *machine = mw_arena_printf(&tmp, "%s%s", text_of("machine.yaml"), coordinates);
  if (MW_CHECK(machine) && rig_put("modes.yaml", machine) &&
      MW_OKAY(mw_case_read(rig_path("modes.yaml"), &c, &err)) &&
      MW_OKAY(mw_case_read(rig_path("whole.yaml"), &whole, &err)))
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
      double *hz = NULL, *direct = NULL, *loaded = NULL;
      int n = N_HZ;
      if (!MW_OKAY(mw_direct_modes(&c.mech, &at[i], N_HZ, 0, &tmp, &hz, NULL, NULL, &err)) ||
          !MW_OKAY(mw_direct_modes_loaded(&whole.mech, &at[i], &n, 0, &tmp, &direct, &loaded, NULL,
                                          NULL, &err)))
        break;
      for (int k = 0; k < N_HZ; k++) most = fmax(most, fabs(hz[k] / loaded[k] - 1.0));
    }
  printf("  frequencies: %.2e of the meshes'\n", most);
  MW_WITHIN(most, 0.0, 1e-3, "promised: the tolerance of the part");
  mw_arena_free(&tmp);
  mw_case_free(&whole);
  mw_case_free(&c);
}

// ---- runs ---------------------------------------------------------------------------------------

static bool run_of(const char *name, const char *how, const mw_rom_file *rom, mw_run *r)
{
  return rig_run(rig_path(name), how, rom, r);
}

// Over the largest deflection, what the rigid machine moves otherwise. Each path's error in time
// is of order h² (full, gmp: 1e-5 s) and h⁴ (rk4: 2e-5 s).
static void runs_are_those_of_the_whole_machine(void)
{
  mw_run r[4] = { { 0 } };
  if (run_of("machine.yaml", "rigid", NULL, &r[0]) && run_of("whole.yaml", "rigid", NULL, &r[1]) &&
      run_of("whole.yaml", "full", NULL, &r[2]) && run_of("whole.yaml", "gmp", &all, &r[3])) {
    double scale = rig_apart(&r[2], &r[1]);
    printf("  deflection %.3g m; component %.2e of it from the full path, %.2e from the whole's "
           "reduced model; %.2e between these\n",
           scale, rig_apart(&r[0], &r[2]) / scale, rig_apart(&r[0], &r[3]) / scale,
           rig_apart(&r[2], &r[3]) / scale);
    MW_WITHIN(rig_apart(&r[0], &r[2]) / scale, 0.0, 1e-3, "promised: the tolerance of the part");
    MW_WITHIN(rig_apart(&r[0], &r[3]) / scale, 0.0, 1e-3, "promised: the tolerance of the part");
    // RK4 takes y⁶/72, y = h ω, of the energy of what swings at ω in each of 1000 steps: 8.5e-7 at
    // 500 Hz, below which the force, of 60 Hz, excites the machine
    MW_WITHIN(r[0].energy_drift, 0.0, 1e-6, "order 5 of the steps at 500 Hz");
    // of sums of 17 by 17 terms of up to 1e4 m/s²: ω² = 5e9/s² of the fastest column, 2e-6 m of it
    for (int k = 0; k < r[0].n_t; k++)
      MW_NEAR(r[0].residual_a[k], 0.0, mw_test_rounding(17.0 * 17.0, 1e4));
  }
  for (int k = 0; k < 4; k++) mw_run_free(&r[k]);
}

// The run by the method that is taken where none is said, of steps of its own length; what is
// implicit is refused by name.
static void other_methods_do_the_same_or_are_refused(void)
{
  static const struct {
    const char *method, *name;
  } of[] = { { "rk4 }", "rk4.yaml" }, { "auto}", "auto.yaml" }, { "alpha", "alpha.yaml" } };
  mw_run r[2] = { { 0 } };
  char *t = text_of("machine.yaml"), *at = strstr(t, "rk4 }");
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  if (!MW_CHECK(at != NULL)) return;
  for (int k = 0; k < 3; k++) {
    memcpy(at, of[k].method, 5);
    if (k == 2) at[5] = '}';
    rig_put(of[k].name, t);
  }
  if (run_of("rk4.yaml", "rigid", NULL, &r[0]) && run_of("auto.yaml", "rigid", NULL, &r[1])) {
    MW_CHECK(strcmp(r[1].method, "dop853") == 0);
    // both follow swinging at 500 Hz and below: RK4 errs by (h ω)⁵/120 of it a step, 6e-11 in each
    // of 1000 steps, the other by 1e-8, its tolerance; positions are of 1 m and less
    MW_WITHIN(rig_apart(&r[0], &r[1]), 0.0, 1e-8, "promised: the tolerance of steps, of 1 m");
  }
  if (MW_OKAY(mw_case_read(rig_path("alpha.yaml"), &c, &err))) {
    mw_run none = { 0 };
    mw_path_opt opt = { 0 };
    MW_FAILS(mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, &none, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "expected the rigid path by auto, dop853") != NULL);
  }
  mw_case_free(&c);
  mw_run_free(&r[0]);
  mw_run_free(&r[1]);
}

// A force at the flange, a drive of the machine's, is one at the spindle that is fixed there.
static void forces_act_at_ports(void)
{
  static const char *const on[2] = { "axis.flange", "spindle" };
  static const char *const name[2] = { "flange.yaml", "spindle.yaml" };
  static const char motor[] = "axis.motor: {";
  mw_run r[2] = { { 0 } };
  const char *t = text_of("machine.yaml"), *at = strstr(t, motor);
  bool fine = MW_CHECK(at != NULL);
  for (int k = 0; k < 2 && fine; k++) {
    char *model =
        mw_arena_printf(&mem,
                        "%.*spush: { force: { sine: { amplitude: 20, frequency: 90 } } }, %s\n"
                        "drives: { push: { force: { on: %s, direction: [0, 1, 0.5] } } }\n",
                        (int)(at - t), t, at, on[k]);
    fine =
        MW_CHECK(model != NULL) && rig_put(name[k], model) && run_of(name[k], "rigid", NULL, &r[k]);
  }
  // the fixed joint is closed to 1e-12 after each of 1000 steps
  if (fine)
    MW_WITHIN(rig_apart(&r[0], &r[1]), 0.0, 1e-12, "promised: how far joints are closed, of 1 m");
  mw_run_free(&r[0]);
  mw_run_free(&r[1]);
}

// A run by steps of its own length, or of fixed ones, saved half way goes on with the bits of the
// whole one.
static void saved_runs_go_on(void)
{
  static const char *const names[] = { "rk4.yaml", "auto.yaml" };  // of the test before
  for (int k = 0; k < 2; k++) {
    mw_error err = { 0 };
    mw_case c = { .body = NULL };
    mw_run whole = { 0 }, rest = { 0 };
    mw_sim *a = NULL, *b = NULL;
    const mw_path_opt opt = { 0 };
    if (!MW_OKAY(mw_case_read(rig_path(names[k]), &c, &err))) continue;
    const mw_scenario *sc = &c.model.scenario[0];
    bool fine = MW_OKAY(mw_sim_open(&c, sc, "rigid", &opt, &a, &err)) &&
                MW_OKAY(mw_sim_open(&c, sc, "rigid", &opt, &b, &err));
    while (fine && (mw_sim_time(a) < 0.5 * sc->duration || !mw_sim_stored(a)))
      fine = MW_OKAY(mw_sim_step(a, &err));
    size_t n = fine ? mw_sim_bytes(a) : 0;
    void *state = malloc(n + 1);
    fine = fine && MW_CHECK(state != NULL) && MW_OKAY(mw_sim_save(a, state, &err)) &&
           MW_OKAY(mw_sim_restore(b, state, n, &err));
    while (fine && !mw_sim_ended(a)) fine = MW_OKAY(mw_sim_step(a, &err));
    while (fine && !mw_sim_ended(b)) fine = MW_OKAY(mw_sim_step(b, &err));
    if (fine && MW_OKAY(mw_sim_finish(a, &whole, &err)) && MW_OKAY(mw_sim_finish(b, &rest, &err))) {
      MW_SAME_BITS(whole.s, rest.s, whole.n_t * whole.n_coord);
      MW_SAME_BITS(whole.y, rest.y, 3 * whole.n_t * whole.n_out);
    }
    mw_run_free(&whole);
    mw_run_free(&rest);
    mw_sim_close(a);
    mw_sim_close(b);
    mw_case_free(&c);
    free(state);
  }
}

// ---- the object ---------------------------------------------------------------------------------

static bool opened(mw_component **c, void **one)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_component_open(rig_path("axis.so"), MW_NOWHERE, c, &err)) &&
         MW_OKAY(mw_component_instance(*c, &HERE, MW_NOWHERE, one, &err));
}

static void objects_have_the_bits_of_what_they_are_made_from(void)
{
  enum { N = 12 };
  mw_error err = { 0 };
  mw_component *c = NULL;
  void *there = NULL;
  mw_flexible *here = in_process(&HERE, &err);
  if (!MW_CHECK(here != NULL) || !opened(&c, &there)) return;
  const mw_component_calls *call[2] = { &mw_flexible_calls, mw_component_calls_of(c) };
  void *one[2] = { here, there };
  double z[MAX_Z], q[12 * MAX_FRAME], v[12 * MAX_FRAME], f[6 * MAX_FRAME], D[2][N * N],
      x[2][6 * MAX_FRAME], e[2][3];
  mw_component_size n;
  char why[80];
  for (int i = 0; i < here->n; i++) z[i] = i ? 1e-5 * sin(3.0 * i) : 0.31;
  rig_place(here, z, q);
  call[0]->size(here, &n);
  for (int i = 0; i < 12 * n.n_frame; i++) v[i] = 0.0;
  for (int i = 0; i < here->n; i++) v[12 * (n.state0 + i / 3) + i % 3] = cos(2.0 * i);
  for (int i = 0; i < 6 * n.n_frame; i++) f[i] = i < N ? sin(1.0 + i) : 0.0;
  for (int k = 0; k < 2; k++) {
    MW_CHECK(call[k]->load(one[k], 0.0, q, v) < 1e-12 &&
             call[k]->factor(one[k], why, sizeof why) == 0);
    call[k]->border(one[k], D[k]);
    call[k]->solve(one[k], MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x[k]);
    call[k]->energy(one[k], 0.0, q, v, &e[k][0], &e[k][1]);
    e[k][2] = call[k]->power(one[k]);
  }
  MW_SAME_BITS(D[0], D[1], N * N);
  MW_SAME_BITS(x[0], x[1], 6 * n.n_frame);
  MW_SAME_BITS(e[0], e[1], 3);
  printf("  component against its source: %s bits\n",
         memcmp(D[0], D[1], sizeof D[0]) == 0 &&
                 memcmp(x[0], x[1], 6 * (size_t)n.n_frame * sizeof(double)) == 0
             ? "same"
             : "other");
  call[0]->close(here);
  call[1]->close(there);
  mw_component_close(c);
}

#ifndef MW_LIVES
#define MW_LIVES 1000
#endif
enum { LIVES_OF_FILES = 10 };  // each checks the digest of some megabytes

// One life: opened, taken a step further, remembered, closed. first, memory: of the first one.
static bool one_life(int k, const mw_component_calls *call, void *one, double first[6],
                     void *memory)
{
  double q[12 * MAX_FRAME], v[12 * MAX_FRAME] = { 0.0 }, f[6 * MAX_FRAME] = { 0.0 },
                                   x[6 * MAX_FRAME];
  mw_component_body b;
  mw_component_size n;
  char why[80];
  call->size(one, &n);
  bool fine = n.n_memory == sizeof(mw_flexible_memory);
  if (fine && k > 0) call->restore(one, memory);
  for (int i = 0; i < n.n_frame; i++) {
    call->body(one, i, &b);
    memcpy(q + 12 * i, b.p, sizeof b.p);
  }
  fine = fine && call->load(one, 0.0, q, v) < 1e-12 && call->factor(one, why, sizeof why) == 0;
  call->solve(one, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x);
  call->accept(one, q);
  if (k == 0) memcpy(first, x, 6 * sizeof *first);
  fine = fine && memcmp(first, x, 6 * sizeof *first) == 0;
  call->save(one, memory);
  call->close(one);
  return fine;
}

static void many_lives_leave_nothing(void)
{
  unsigned char memory[sizeof(mw_flexible_memory)];
  double first[6] = { 0.0 };
  mw_error err = { 0 };
  bool fine = true;
  for (int k = 0; fine && k < MW_LIVES + LIVES_OF_FILES; k++) {
    mw_component *c = NULL;
    void *one = k < LIVES_OF_FILES ? NULL : in_process(&HERE, &err);
    if (k < LIVES_OF_FILES ? !opened(&c, &one) : !one) return;
    fine = one_life(k, c ? mw_component_calls_of(c) : &mw_flexible_calls, one, first, memory);
    mw_component_close(c);
  }
  MW_CHECK(fine);
  printf("  %d times opened, taken a step, saved, restored and closed, %d of them from the file\n",
         MW_LIVES + LIVES_OF_FILES, LIVES_OF_FILES);
}

// ---- frames -------------------------------------------------------------------------------------

// Fields of a port that moves and bends a little: t is time.
static void fields_at(double t, double y[9])
{
  static const double arm = 0.1;
  double r[3] = { 0.7 * sin(t), 0.4 * t, 0.9 * cos(2.0 * t) }, ex[3] = { arm, 0.0, 0.0 },
         ey[3] = { 0.0, arm, 0.0 };
  for (int i = 0; i < 3; i++) y[i] = 0.3 * sin(t + i);
  mw_turn3(r, ex, y + 3);
  mw_turn3(r, ey, y + 6);
  for (int i = 0; i < 3; i++) {
    y[3 + i] += y[i] + 1e-3 * arm * sin(3.0 * t + i);
    y[6 + i] += y[i] + 1e-3 * arm * cos(2.0 * t - i);
  }
}

static void differences(double t, double h, double *d, double *dd)
{
  double up[9], mid[9], down[9];
  fields_at(t + h, up);
  fields_at(t, mid);
  fields_at(t - h, down);
  for (int i = 0; i < 9; i++) {
    d[i] = (up[i] - down[i]) / (2.0 * h);
    dd[i] = (up[i] - 2.0 * mid[i] + down[i]) / (h * h);
  }
}

// ω and α of a frame that bends against differences of E and of ω; power by both sides.
static void frames_turn_as_their_points_do(void)
{
  static const double arm = 0.1, t = 0.4, h = 1e-4;
  mw_port_frame f[3];
  double y[9], d[9], dd[9], twist[3][6], a[6], W[9], u[9] = { 0.0 };
  static const double wrench[6] = { 1.0, -2.0, 0.5, 0.3, 0.7, -0.9 };
  for (int k = 0; k < 3; k++) {
    fields_at(t + (k - 1) * h, y);
    mw_port_place(y, arm, &f[k]);
    differences(t + (k - 1) * h, h, d, dd);
    mw_port_rate(&f[k], d, arm, twist[k]);
    if (k == 1) mw_port_acceleration(&f[1], d, dd, arm, a);
    if (k == 1) mw_port_wrench(&f[1], wrench, arm, u);
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      W[3 * i + j] = 0.0;
      for (int k = 0; k < 3; k++)
        W[3 * i + j] += f[1].E[3 * k + i] * (f[2].E[3 * k + j] - f[0].E[3 * k + j]) / (2.0 * h);
    }
  const double omega[3] = { 0.5 * (W[7] - W[5]), 0.5 * (W[2] - W[6]), 0.5 * (W[3] - W[1]) };
  // central differences err by h²/6 of third derivatives, some 30 of these numbers, on both sides
  double tol = 2.0 * 30.0 * h * h / 6.0;
  for (int i = 0; i < 3; i++) {
    MW_NEAR(twist[1][3 + i], omega[i], tol);
    MW_NEAR(a[3 + i], (twist[2][3 + i] - twist[0][3 + i]) / (2.0 * h), 10.0 * tol);
  }
  differences(t, h, d, dd);
  double inside = 0.0, outside = 0.0, size = 0.0;
  for (int i = 0; i < 9; i++) {
    inside += u[i] * d[i];
    size += fabs(u[i] * d[i]);
  }
  for (int i = 0; i < 6; i++) outside += wrench[i] * twist[1][i];
  MW_NEAR(inside, outside, mw_test_rounding(30.0, size));
}

// ---- refusals -----------------------------------------------------------------------------------

static void what_it_cannot_do_is_refused_by_name(void)
{
  static const char *const set = "mass=2";
  mw_component_in in = HERE;
  mw_error err = { 0 };
  in.gravity[2] = 0.0;
  MW_CHECK(in_process(&in, &err) == NULL && strstr(err.msg, "gravity") != NULL);
  in = HERE;
  in.mirror = 1;
  MW_CHECK(in_process(&in, &err) == NULL && strstr(err.msg, "mirror") != NULL);
  in = HERE;
  in.n_set = 1;
  in.set = &set;
  MW_CHECK(in_process(&in, &err) == NULL && strstr(err.msg, "set") != NULL);
  char *t = text_of("machine.yaml"), *step = strstr(t, "step: 2e-5");
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_path_opt opt = { 0 };
  if (!MW_CHECK(step != NULL)) return;
  step[9] = '4';  // 2e-4
  rig_put("coarse.yaml", t);
  if (MW_OKAY(mw_case_read(rig_path("coarse.yaml"), &c, &err))) {
    MW_FAILS(mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, &r, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "component axis: found steps of 0.0002 s") != NULL);
  }
  mw_case_free(&c);
  // what does not converge names what swings inside
  step[6] = '5';  // 5e-4
  rig_put("coarse.yaml", t);
  if (MW_OKAY(mw_case_read(rig_path("coarse.yaml"), &c, &err))) {
    MW_FAILS(mw_path_run(&c, &c.model.scenario[0], "full", &opt, &r, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "did not converge") != NULL);
    MW_CHECK(strstr(err.msg, "what swings inside of component axis asks for some") != NULL);
  }
  mw_case_free(&c);
}

// A force beyond that of the certificate is named at the end of the run.
static void what_leaves_the_promise_is_named(void)
{
  char *t = text_of("machine.yaml"), *force = strstr(t, "amplitude: 100,");
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_path_opt opt = { 0 };
  bool named = false;
  if (!MW_CHECK(force != NULL)) return;
  memcpy(force, "amplitude: 900,", 15);
  rig_put("strong.yaml", t);
  if (MW_OKAY(mw_case_read(rig_path("strong.yaml"), &c, &err)) &&
      MW_OKAY(mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, &r, &err)))
    for (int k = 0; k < r.n_warning; k++)
      named = named || (strstr(r.warning[k], "outside of what component axis promises") &&
                        strstr(r.warning[k], "a force of motor"));
  MW_CHECK(named);
  mw_run_free(&r);
  mw_case_free(&c);
}

// An inside that is carried far by what is none of its coordinates has no acceleration at last.
static void far_deflections_are_named_where_accelerations_end(void)
{
  mw_error err = { 0 };
  mw_flexible *c = in_process(&HERE, &err);
  char why[320];
  if (!MW_CHECK(c != NULL)) return;
  c->code = MW_ROM_SINGULAR;
  for (int far = 0; far < 2; far++) {
    c->x[c->rom.s] = (far ? -3.0 : 0.5) * c->promised->delta_max[0];
    MW_CHECK(mw_flexible_trouble(c, why, sizeof why) == 1);
    MW_CHECK((strstr(why, "deflections are 3 times as large as its reduced model promises") !=
              NULL) == far);
  }
  mw_flexible_calls.close(c);
}

// The axis as it is under a certificate that it misses: export, run and `beyond` say so.
static void a_missed_certificate_is_said(void)
{
  mw_rom_file missed = part;
  char *t = text_of("machine.yaml"), *object = strstr(t, "axis.so");
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_path_opt opt = { 0 };
  mw_export_list list = { 0 };
  bool named = false;
  missed.certificate.tolerance = 1e-7;
  if (!MW_CHECK(object != NULL && mw_certificate_met(&part.certificate)) ||
      !MW_CHECK(!mw_certificate_met(&missed.certificate)) ||
      !MW_OKAY(mw_export_flexible(&missed, &axis.mech, rig_path("miss.so"), &mem, &list, &err)))
    return;
  MW_CHECK(strstr(list.note, "it misses its certificate, which runs with it say: ") != NULL);
  memcpy(object, "miss.so", 7);
  rig_put("missed.yaml", t);
  if (MW_OKAY(mw_case_read(rig_path("missed.yaml"), &c, &err)) &&
      MW_OKAY(mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, &r, &err))) {
    for (int k = 0; k < r.n_warning; k++)
      named = named || strstr(r.warning[k], "component axis misses its certificate: ");
    MW_CHECK(r.beyond && strstr(r.beyond, "component axis misses its certificate"));
    MW_CHECK(r.missed && strcmp(r.missed, "component axis") == 0);
  }
  MW_CHECK(named);
  mw_run_free(&r);
  mw_case_free(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_and_whole_are_reduced", parts_and_whole_are_reduced },  // for all that follow
    { "frames_turn_as_their_points_do", frames_turn_as_their_points_do },
    { "coupled_frequencies_are_those_of_the_whole_machine",
      coupled_frequencies_are_those_of_the_whole_machine },
    { "modes_of_the_machine_are_those_of_the_whole", modes_of_the_machine_are_those_of_the_whole },
    { "runs_are_those_of_the_whole_machine", runs_are_those_of_the_whole_machine },
    { "other_methods_do_the_same_or_are_refused", other_methods_do_the_same_or_are_refused },
    { "saved_runs_go_on", saved_runs_go_on },
    { "forces_act_at_ports", forces_act_at_ports },
    { "objects_have_the_bits_of_what_they_are_made_from",
      objects_have_the_bits_of_what_they_are_made_from },
    { "many_lives_leave_nothing", many_lives_leave_nothing },
    { "starts_outside_of_the_range_are_said", starts_outside_of_the_range_are_said },
    { "what_it_cannot_do_is_refused_by_name", what_it_cannot_do_is_refused_by_name },
    { "what_leaves_the_promise_is_named", what_leaves_the_promise_is_named },
    { "far_deflections_are_named_where_accelerations_end",
      far_deflections_are_named_where_accelerations_end },
    { "a_missed_certificate_is_said", a_missed_certificate_is_said },
  };
  if (!rig_open("flexible")) return 1;
  int rc = mw_test_run("flexible", cases, (int)(sizeof cases / sizeof *cases));
  rig_close();
  mw_rom_file_free(&part);
  mw_rom_file_free(&all);
  mw_case_free(&axis);
  mw_arena_free(&mem);
  free(block);
  return rc;
}
