// SPDX-License-Identifier: BSD-3-Clause
// test_component_full.c: components beside elastic bodies, paths full and body. A machine moves as
// the one whose parts are seen to within the error that its steps have anyway: from runs of steps
// 2h and h, of second order,
//
//   e(h) = |y(2h) − y(h)|/3                                                                     (1)
//
// Both integrate the same equations; they differ in the metric by which the nine numbers of axes
// return to a rotation, whose part in a step is of the order that (1) counts.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/component.h"
#include "link_table.h"
#include "mw_test.h"
#include "sim/simulation.h"

// A link whose knee rubs and is held by a spring.
static const char LINK[] =
    LINK_OF(",\n          friction: { coulomb: 0.1, static: 0.12, radius: 0.02, preload: 2, "
            "smooth: 0.05 }");

// A table with a quill that its own drive lifts, which rubs, and a bob on it.
static const char TABLE[] =
    "modeway: 1\n"
    "bodies:\n"
    "  table:\n"
    "    rigid: { mass: 1.5, com: [0, 0.01, 0.02], inertia: [6e-3, 5e-3, 4e-3, 1e-4, 0, 0] }\n"
    "    frames: { way: { point: [0, 0, 0.03] } }\n"
    "  quill:\n"
    "    at: [0, 0, 0.03]\n"
    "    rigid: { mass: 0.6, com: [0, 0, -0.05], inertia: [2e-3, 2e-3, 3e-4, 0, 0, 0] }\n"
    "    frames: { tip: { point: [0, 0, -0.15] }, pin: { point: [0, 0.02, -0.1] } }\n"
    "  bob:\n"
    "    at: [0, 0.02, -0.07]\n"
    "    rigid: { mass: 0.1, com: [0.01, 0, -0.06], inertia: [2e-4, 2e-4, 3e-5, 0, 0, 0] }\n"
    "joints:\n"
    "  lift:\n"
    "    prismatic: { a: table.way, b: quill, axis: [0, 0, 1] }\n"
    "    coordinate: z\n"
    "    drive: motor\n"
    "    friction: { coulomb: 0.1, preload: 5, smooth: 0.05 }\n"
    "  swing: { revolute: { a: quill.pin, b: bob, axis: [0, 1, 0] }, coordinate: phi,\n"
    "           damping: 2e-3 }\n"
    "ports: { base: table, tool: quill.tip }\n";

// The link hangs at the end of a cantilever. %s: how it is used; %s: step, s.
static const char HANGS[] =
    "modeway: 1\ngravity: [0, 0, -9.81]\n" HANGS_THERE "scenarios:\n"
    "  go: { duration: 0.2, step: %s, store: 4e-3, initial: undeformed,\n"
    "        drives: { m: { force: { sine: { amplitude: 0.4, frequency: 3 } } } } }\n";

// The table rolls along a beam that moves itself; a spring holds its tool.
static const char ROLLS[] =
    "modeway: 1\ngravity: [0, 0, -9.81]\n" ROLLS_ON
    "  far: { a: base.b, b: beam.b, stiffness: [0, 400, 2e5, 0, 0, 0],\n"
    "         damping: [0, 20, 20, 0, 0, 0] }\n"
    "  rope: { a: base.tool, b: cart.tool, stiffness: [40, 40, 40, 0, 0, 0],\n"
    "          damping: [1, 1, 1, 0, 0, 0] }\n" ROLLS_AS "scenarios:\n"
    "  go: { duration: 0.2, step: %s, store: 4e-3, initial: undeformed,\n"
    "        control_period: 2e-3,\n"
    "        start: { x: { at: 0.3, velocity: 0.5 } },\n"
    "        drives: { motor_x: { force: { sine: { amplitude: 10, frequency: 2 } } },\n"
    "                  motor_y: { force: { sine: { amplitude: 20, frequency: 3 } } },\n"
    "                  %s } }\n";

// Two blocks of half a kilogram on a spring whose motion takes 0.42 ms: ω = 15 rad/ms.
static const char STIFF[] =
    "modeway: 1\n"
    "bodies:\n"
    "  a: { rigid: { mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] },\n"
    "       frames: { m: { point: [0, 0, 0.1] } } }\n"
    "  b: { at: [0, 0, 0.1], rigid: { mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] },\n"
    "       frames: { top: { point: [0, 0, 0.1] } } }\n"
    "joints: { s: { prismatic: { a: a.m, b: b, axis: [0, 0, 1] }, coordinate: z } }\n"
    "springs: { k: { a: a.m, b: b, stiffness: [0, 0, 5.625e7] } }\n"
    "ports: { pa: a, pb: b.top }\n";

// They stand on the end of a cantilever, pushed from above.
static const char PUSHED[] =
    "modeway: 1\ngravity: [0, 0, -9.81]\n" ALU "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [0.9, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: rod, material: alu, elements: 4,\n"
    "                  up: [0, 0, 1] }]\n"
    "    damping: { alpha: 0, beta: 1e-4 }\n"
    "    supports: [{ nodes: a }]\n"
    "    frames: { tip: { node: b } }\n"
    "joints: { stands: { fixed: { a: beam.tip, b: c.pa } } }\n"
    "assemblies: { c: { %s, at: [0.9, 0, 0] } }\n"
    "drives: { push: { force: { on: c.pb, direction: [0, 0, 1] } } }\n"
    "outputs: { b: { frame: c.pb }, a: { acceleration: b } }\n"
    "scenarios:\n"
    "  go: { duration: 0.2, step: %s, store: 1e-3, initial: undeformed,\n"
    "        drives: { push: { force: { sine: { amplitude: 20, frequency: 5 } } } } }\n";

static const char LIFTED[] = "cart.motor: { force: { sine: { amplitude: 9, frequency: 4 } } }",
                  LED[] = "cart.motor: { position: { sine: { amplitude: 5e-3, frequency: 3 } } }",
                  SAMPLED[] = "cart.motor: { move: { from: 0, to: 0.02, max_velocity: 0.5,\n"
                              "  max_acceleration: 8, max_jerk: 800 }, kp: 4e3, kd: 60 }";

// ---- runs ---------------------------------------------------------------------------------------

typedef struct machine {
  const char *text, *use, *component, *path, *more;
} machine;

static bool run_of(const machine *m, bool seen, const char *step, mw_run *r)
{
  char text[4096];
  mw_case c = { .body = NULL };
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  snprintf(text, sizeof text, m->text, seen ? m->use : m->component, step, m->more);
  mw_leg_put("machine.yaml", text);
  bool fine = mw_leg_get("machine.yaml", &c) &&
              MW_OKAY(mw_path_run(&c, &c.model.scenario[0], m->path, &opt, r, &err));
  mw_case_free(&c);
  return fine;
}

// Largest difference of two series of n at all instants, of which the runs have na and nb.
static double apart(int n_t, const double *a, int na, const double *b, int nb, int n)
{
  double most = 0.0;
  for (int t = 0; t < n_t; t++)
    for (int i = 0; i < n; i++) {
      double e = fabs(a[t * na + i] - b[t * nb + i]);
      if (!(e <= most)) most = e;
    }
  return most;
}

// By how much places (m), coordinates outside (m, rad), work and energy (J) of two runs differ.
static void differences(const mw_run *a, const mw_run *b, int n_coord, double e[4])
{
  e[0] = apart(a->n_t, a->y, 3 * a->n_out, b->y, 3 * b->n_out, 3 * a->n_out);
  e[1] = apart(a->n_t, a->s, a->n_coord, b->s, b->n_coord, n_coord);
  e[2] = apart(a->n_t, a->work, 1, b->work, 1, 1);
  e[3] = fmax(apart(a->n_t, a->kinetic, 1, b->kinetic, 1, 1),
              apart(a->n_t, a->potential, 1, b->potential, 1, 1));
}

static const char WIDE[] = "2e-4", FINE[] = "1e-4";

// To (1), n_coord of the coordinates being those outside, the first ones.
static void moves_as_its_parts(const machine *m, int n_coord)
{
  static const char *const what[] = { "places", "coordinates", "work", "energies" };
  mw_run wide = { 0 }, fine = { 0 }, hidden = { 0 };
  double own[4], off[4];
  if (run_of(m, true, WIDE, &wide) && run_of(m, true, FINE, &fine) &&
      run_of(m, false, FINE, &hidden) && MW_CHECK(fine.n_t == hidden.n_t && fine.n_t > 40)) {
    differences(&wide, &fine, n_coord, own);
    differences(&fine, &hidden, n_coord, off);
    for (int k = 0; k < 4; k++) {
      printf("  %s: %.2e apart, own error of steps %.2e\n", what[k], off[k], own[k] / 3.0);
      MW_WITHIN(off[k], 0.0, own[k] / 3.0, "the error of the steps themselves");
    }
    MW_CHECK(hidden.unknowns < fine.unknowns);
  }
  mw_run_free(&wide);
  mw_run_free(&fine);
  mw_run_free(&hidden);
}

static void a_link_on_a_cantilever_moves_as_its_parts(void)
{
  moves_as_its_parts(&(machine){ HANGS, "use: link.yaml", "component: link.yaml", "full", "" }, 1);
}

static void it_does_so_in_path_body(void)
{
  moves_as_its_parts(&(machine){ HANGS, "use: link.yaml", "component: link.so", "body", "" }, 1);
}

static void a_table_that_rolls_along_a_beam_moves_as_its_parts(void)
{
  moves_as_its_parts(&(machine){ ROLLS, "use: table.yaml", "component: table.so", "full", LIFTED },
                     2);
}

static void a_drive_inside_leads_it_as_one_that_is_seen(void)
{
  moves_as_its_parts(&(machine){ ROLLS, "use: table.yaml", "component: table.so", "full", LED }, 2);
}

// Normal forces inside jump as the controller is sampled, and friction with them: the difference of
// work goes with h², which twice the step makes four times as large, two times where friction
// follows late.
static void a_sampled_drive_inside_moves_it_as_one_that_is_seen(void)
{
  const machine m = { ROLLS, "use: table.yaml", "component: table.so", "full", SAMPLED };
  mw_run seen[2] = { 0 }, hidden[2] = { 0 };
  double off[2][4] = { { 0.0 } };
  bool fine = true;
  for (int k = 0; fine && k < 2; k++) {
    const char *step = k == 0 ? WIDE : FINE;
    fine = run_of(&m, true, step, &seen[k]) && run_of(&m, false, step, &hidden[k]);
    if (fine) differences(&seen[k], &hidden[k], 2, off[k]);
  }
  printf("  work: %.2e and %.2e J apart\n", off[0][2], off[1][2]);
  if (fine) MW_CHECK(off[1][2] < off[0][2] / 3.0);
  moves_as_its_parts(&m, 2);
  for (int k = 0; k < 2; k++) {
    mw_run_free(&seen[k]);
    mw_run_free(&hidden[k]);
  }
}

// Newton's matrix knows nothing of the spring inside, of 15²/β' times what it knows of the blocks.
// Accelerations err most by what an iteration leaves: to (1).
static void what_is_stiff_inside_accelerates_as_if_it_were_seen(void)
{
  const machine m = { PUSHED, "use: stiff.yaml", "component: stiff.yaml", "full", "" };
  mw_run wide = { 0 }, fine = { 0 }, hidden = { 0 };
  double own = 0.0, off = 0.0;
  mw_leg_put("stiff.yaml", STIFF);
  if (run_of(&m, true, "1e-3", &wide) && run_of(&m, true, "5e-4", &fine) &&
      run_of(&m, false, "1e-3", &hidden) && MW_CHECK(fine.n_t == hidden.n_t && fine.n_t > 100)) {
    for (int k = 0; k < fine.n_t; k++) {
      double a = wide.seen[3 * k + 2];
      own = fmax(own, fabs(a - fine.seen[3 * k + 2]) / 3.0);
      off = fmax(off, fabs(a - hidden.seen[3 * k + 2]));
    }
    printf("  accelerations: %.2e m/s² apart, own error of half the steps %.2e\n", off, own);
    MW_WITHIN(off, 0.0, own, "the error of half the steps themselves");
  }
  mw_run_free(&wide);
  mw_run_free(&fine);
  mw_run_free(&hidden);
}

// ---- rigid --------------------------------------------------------------------------------------

// Nothing outside of the component has mass, by which the tolerance of work is measured. Both runs
// err by some 1e-8 a step; 1e-6 is a hundred of them.
static void a_link_alone_runs_by_adaptive_steps(void)
{
  const machine m = { HANGS, "use: link.yaml", "component: link.so", "rigid", "" };
  mw_run seen = { 0 }, hidden = { 0 };
  double off[4];
  if (run_of(&m, true, FINE, &seen) && run_of(&m, false, FINE, &hidden) &&
      MW_CHECK(seen.n_t == hidden.n_t)) {
    differences(&seen, &hidden, 1, off);
    printf("  places %.2e, coordinates %.2e, work %.2e, energies %.2e apart\n", off[0], off[1],
           off[2], off[3]);
    for (int k = 0; k < 4; k++) MW_WITHIN(off[k], 0.0, 1e-6, "errors of a hundred steps");
  }
  mw_run_free(&seen);
  mw_run_free(&hidden);
}

// ---- saved runs ---------------------------------------------------------------------------------

static bool ends(mw_sim *s, mw_run *r)
{
  mw_error err = { 0 };
  while (!mw_sim_ended(s))
    if (!MW_OKAY(mw_sim_step(s, &err))) return false;
  return MW_OKAY(mw_sim_finish(s, r, &err));
}

static void restored_runs_go_on_with_the_bits_of_whole_ones(void)
{
  char text[4096];
  mw_case c = { .body = NULL };
  mw_run whole = { 0 }, rest = { 0 };
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  mw_sim *a = NULL, *b = NULL;
  snprintf(text, sizeof text, HANGS, "component: link.so", WIDE);
  mw_leg_put("machine.yaml", text);
  if (mw_leg_get("machine.yaml", &c) &&
      MW_OKAY(mw_sim_open(&c, &c.model.scenario[0], "full", &opt, &a, &err)) &&
      MW_OKAY(mw_sim_open(&c, &c.model.scenario[0], "full", &opt, &b, &err))) {
    while (mw_sim_time(a) < 0.1 || !mw_sim_stored(a))
      if (!MW_OKAY(mw_sim_step(a, &err))) break;
    size_t n = mw_sim_bytes(a);
    void *state = malloc(n);
    if (MW_CHECK(state != NULL) && MW_OKAY(mw_sim_save(a, state, &err)) &&
        MW_OKAY(mw_sim_restore(b, state, n, &err)) && ends(a, &whole) && ends(b, &rest)) {
      MW_SAME_BITS(whole.y, rest.y, 3 * whole.n_t * whole.n_out);
      MW_SAME_BITS(whole.work, rest.work, whole.n_t);
    }
    free(state);
  }
  mw_sim_close(a);
  mw_sim_close(b);
  mw_run_free(&whole);
  mw_run_free(&rest);
  mw_case_free(&c);
}

// ---- static starts ------------------------------------------------------------------------------

// A machine's text with `to` in place of `from`.
static bool altered(const machine *m, bool seen, const char *from, const char *to, mw_case *c)
{
  char text[4096], all[4352];
  snprintf(text, sizeof text, m->text, seen ? m->use : m->component, WIDE, m->more);
  const char *at = strstr(text, from);
  if (!MW_CHECK(at != NULL)) return false;
  snprintf(all, sizeof all, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  mw_leg_put("altered.yaml", all);
  return mw_leg_get("altered.yaml", c);
}

// Where the first stored instant is, of a run from its equilibrium.
static bool starts(const machine *m, bool seen, mw_run *r)
{
  mw_case c = { .body = NULL };
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  bool fine = altered(m, seen, "duration: 0.2", "duration: 8e-3", &c);
  for (int k = 0; fine && k < c.model.n_scenario; k++) c.model.scenario[k].static_start = true;
  fine = fine && MW_OKAY(mw_path_run(&c, &c.model.scenario[0], m->path, &opt, r, &err));
  mw_case_free(&c);
  return fine;
}

// The equilibrium is that of the parts, to where its iterations end; bent by what hangs on it, and
// with what the knee's spring gives way inside.
static void starts_where_its_parts_do(const machine *m)
{
  mw_run seen = { 0 }, hidden = { 0 }, straight = { 0 };
  if (starts(m, true, &seen) && starts(m, false, &hidden) && run_of(m, false, WIDE, &straight)) {
    double off = apart(1, seen.y, 0, hidden.y, 0, 3 * seen.n_out),
           bent = apart(1, straight.y, 0, hidden.y, 0, 3 * seen.n_out);
    printf("  path %s: %.2e m apart, %.2e m from where it is undeformed\n", m->path, off, bent);
    MW_WITHIN(off, 0.0, 1e-12, "promised: what corrections end at, of 1 m");
    MW_CHECK(bent > 1e-6);
  }
  mw_run_free(&seen);
  mw_run_free(&hidden);
  mw_run_free(&straight);
}

static void static_starts_are_those_of_the_parts(void)
{
  static const char *const path[] = { "full", "body", "rigid" };
  for (int k = 0; k < 3; k++)
    starts_where_its_parts_do(
        &(machine){ HANGS, "use: link.yaml", "component: link.so", path[k], "" });
  mw_leg_put("stiff.yaml", STIFF);
  starts_where_its_parts_do(
      &(machine){ PUSHED, "use: stiff.yaml", "component: stiff.yaml", "full", "" });
}

// ---- what is refused ----------------------------------------------------------------------------

// A machine with `to` in place of `from`.
static void refused(const machine *m, const char *from, const char *to, mw_code code,
                    const char *want)
{
  char said[800];
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  if (altered(m, false, from, to, &c))
    MW_FAILS(mw_path_run(&c, &c.model.scenario[0], m->path, &opt, &r, &err), code);
  mw_error_print(&err, said, sizeof said);
  if (!MW_CHECK(strstr(said, want) != NULL)) printf("found %s, wanted %s\n", said, want);
  mw_run_free(&r);
  mw_case_free(&c);
}

static void what_depends_on_modes_inside_is_refused(void)
{
  const machine hangs = { HANGS, NULL, "component: link.so", "full", "" },
                rolls = { ROLLS, NULL, "component: table.so", "body", LIFTED };
  refused(&hangs, "initial: undeformed",
          "initial: undeformed, elastic: { release: { tip: [0, 0, 1] } }", MW_ERR_INPUT,
          "found modes or loads to start with beside component link");
  refused(&hangs, "assemblies:",
          "reduction: { coordinates: { psi: { range: [-1, 1] } } }\n"
          "damping: { modal: 0.01 }\nassemblies:",
          MW_ERR_INPUT, "component link: found damping by modal ratios");
  refused(&rolls, "alpha: 0", "alpha: 1", MW_ERR_INPUT,
          "component cart: found damping by modal ratios");
}

// Where a run by path full begins, of the arm's parts or of it as a component, turned by q.
static bool column_starts(const char *column, const char *how, double q, mw_run *r)
{
  char text[4096];
  mw_case c = { .body = NULL };
  mw_path_opt opt = { 0 };
  mw_error err = { 0 };
  snprintf(text, sizeof text, column, how, q);
  mw_leg_put("column.yaml", text);
  bool fine = mw_leg_get("column.yaml", &c) &&
              MW_OKAY(mw_path_run(&c, &c.model.scenario[0], "full", &opt, r, &err));
  mw_case_free(&c);
  return fine;
}

// A slide on a spring on an arm that turns, on an elastic column; the arm starts turned, and the
// slide behind where its spring is free: the loaded spring makes the stiffness inside indefinite.
static void starts_are_found_where_springs_inside_begin_loaded(void)
{
  static const char arm[] =
      "modeway: 1\n"
      "bodies:\n"
      "  base: { rigid: { mass: 5, inertia: [0.1, 0.1, 0.1, 0, 0, 0] }, frames: { p: { point: [0, "
      "0, 0] }, e: { point: [0.1, 0.2, 0.05] } } }\n"
      "  arm: { at: [0.1, 0.2, 0.05], rigid: { mass: 2, com: [0.05, 0.1, 0.02], inertia: [0.02, "
      "0.03, 0.025, 0.003, -0.002, 0.004] }, frames: { tool: { point: [0.2, 0.3, 0.1] } } }\n"
      "  car: { at: [0.3, 0.5, 0.15], rigid: { mass: 1, com: [0.01, -0.02, 0.03], inertia: [0.01, "
      "0.012, 0.009, 1e-3, 0, 0] } }\n"
      "joints:\n"
      "  q: { revolute: { a: base.e, b: arm, axis: [0.2, 0.3, 1] }, coordinate: q, drive: m }\n"
      "  z: { prismatic: { a: arm.tool, b: car, axis: [0.3, 1, 0.2] } }\n"
      "springs: { k: { a: arm.tool, b: car, stiffness: [3000, 3000, 3000] } }\n"
      "ports: { foot: base.p, flange: car }\n";
  static const char column[] =
      "modeway: 1\n"
      "materials: { steel: { E: 2.1e11, nu: 0.3, rho: 7800 } }\n"
      "sections: { s: { tube: { diameter: 0.04, wall: 0.003 } } }\n"
      "bodies:\n"
      "  col:\n"
      "    ground: true\n"
      "    beams:\n"
      "      points: { a: [0.2, -0.3, -0.6], b: [0.2, -0.3, 0.4] }\n"
      "      members: [{ from: a, to: b, section: s, material: steel, elements: 8,\n"
      "                  up: [1, 0, 0] }]\n"
      "    supports: [{ nodes: a }]\n"
      "    frames: { top: { node: b } }\n"
      "joints: { ft: { fixed: { a: col.top, b: l.foot } } }\n"
      "assemblies:\n"
      "  l: { %s: arm.yaml, at: [0.2, -0.3, 0.4],\n"
      "       axes: { turn: { axis: [1, 2, 3], angle: 0.5 } } }\n"
      "outputs: { o: { frame: l.flange } }\n"
      "scenarios: { go: { duration: 1e-3, step: 5e-4, start: { l.q: %g } } }\n";
  static const double at[] = { 0.0, 0.001, 0.01, 0.1, 0.4 };
  mw_leg_put("arm.yaml", arm);
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    mw_run seen = { 0 }, hidden = { 0 };
    if (column_starts(column, "use", at[i], &seen) &&
        column_starts(column, "component", at[i], &hidden)) {
      double off = apart(1, seen.y, 0, hidden.y, 0, 3 * seen.n_out);
      printf("  from %g rad: %.2e m apart, open by %.2e\n", at[i], off, hidden.residual[0]);
      MW_WITHIN(off, 0.0, 1e-9, "what iterations that contract slowly end at, of 1 m");
      MW_CHECK(hidden.residual[0] <= 1e-8);
    }
    mw_run_free(&seen);
    mw_run_free(&hidden);
  }
}

static void steps_too_long_for_what_is_stiff_inside_name_the_component(void)
{
  const machine pushed = { PUSHED, NULL, "component: stiff.yaml", "full", "" };
  mw_leg_put("stiff.yaml", STIFF);
  refused(&pushed, "step: 2e-4, store: 1e-3", "step: 2e-2, store: 2e-2", MW_ERR_NUMERIC,
          "springs inside of component c, if any, are not in the iteration's matrix");
}

// For all that follow.
static void parts_become_objects(void)
{
  static const char *const part[][3] = { { "link.yaml", LINK, "link.so" },
                                         { "table.yaml", TABLE, "table.so" } };
  for (int k = 0; k < 2; k++) {
    char path[160], out[160];
    mw_error err = { 0 };
    mw_leg_put(part[k][0], part[k][1]);
    (void)MW_OKAY(
        mw_component_write(mw_leg_path(part[k][0], path), mw_leg_path(part[k][2], out), &err));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_become_objects", parts_become_objects },
    { "a_link_on_a_cantilever_moves_as_its_parts", a_link_on_a_cantilever_moves_as_its_parts },
    { "it_does_so_in_path_body", it_does_so_in_path_body },
    { "a_table_that_rolls_along_a_beam_moves_as_its_parts",
      a_table_that_rolls_along_a_beam_moves_as_its_parts },
    { "a_drive_inside_leads_it_as_one_that_is_seen", a_drive_inside_leads_it_as_one_that_is_seen },
    { "a_sampled_drive_inside_moves_it_as_one_that_is_seen",
      a_sampled_drive_inside_moves_it_as_one_that_is_seen },
    { "what_is_stiff_inside_accelerates_as_if_it_were_seen",
      what_is_stiff_inside_accelerates_as_if_it_were_seen },
    { "a_link_alone_runs_by_adaptive_steps", a_link_alone_runs_by_adaptive_steps },
    { "restored_runs_go_on_with_the_bits_of_whole_ones",
      restored_runs_go_on_with_the_bits_of_whole_ones },
    { "static_starts_are_those_of_the_parts", static_starts_are_those_of_the_parts },
    { "what_depends_on_modes_inside_is_refused", what_depends_on_modes_inside_is_refused },
    { "starts_are_found_where_springs_inside_begin_loaded",
      starts_are_found_where_springs_inside_begin_loaded },
    { "steps_too_long_for_what_is_stiff_inside_name_the_component",
      steps_too_long_for_what_is_stiff_inside_name_the_component },
  };
  if (!mw_leg_open("test_component_full")) return 1;
  int failed = mw_test_run("component_full", cases, (int)(sizeof cases / sizeof *cases));
  mw_leg_close();
  return failed;
}
