// SPDX-License-Identifier: BSD-3-Clause
// test_component.c: a component is its source: same bits as the source in its place, and, to the
// roundings of another order of elimination, the motion of the assembly whose parts are seen; its
// map D of one body is that body's inverse mass. Saved runs go on with the bits of whole ones.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/component.h"
#include "leg_cart.h"
#include "mw_test.h"
#include "sim/simulation.h"

// ---- same motion --------------------------------------------------------------------------------

static void same_bits(const mw_run *a, const mw_run *b)
{
  if (!MW_CHECK(a->n_t == b->n_t && a->n_out == b->n_out && a->n_coord == b->n_coord)) return;
  int n = a->n_t;
  MW_SAME_BITS(a->y, b->y, 3 * n * a->n_out);
  MW_SAME_BITS(a->s, b->s, n * a->n_coord);
  MW_SAME_BITS(a->s_dot, b->s_dot, n * a->n_coord);
  MW_SAME_BITS(a->kinetic, b->kinetic, n);
  MW_SAME_BITS(a->potential, b->potential, n);
  MW_SAME_BITS(a->work, b->work, n);
  MW_SAME_BITS(a->force, b->force, n * a->n_drive);
  MW_SAME_BITS(a->reaction, b->reaction, 6 * n * a->n_joint);
}

// The run without the outputs of what is inside: those of the cart's are first.
static void same_motion(const mw_run *seen, const mw_run *r, double tol)
{
  double y = 0.0, work = 0.0, energy = 0.0;
  if (!MW_CHECK(seen->n_t == r->n_t && seen->n_out == r->n_out)) return;
  for (int i = 0; i < 3 * r->n_t * r->n_out; i++) y = fmax(y, fabs(seen->y[i] - r->y[i]));
  for (int k = 0; k < r->n_t; k++) {
    work = fmax(work, fabs(seen->work[k] - r->work[k]));
    energy =
        fmax(energy, fabs(seen->kinetic[k] + seen->potential[k] - r->kinetic[k] - r->potential[k]));
  }
  MW_WITHIN(y, 0.0, tol, "promised: another order of elimination, or the tolerance of steps");
  MW_WITHIN(work, 0.0, tol, "promised: another order of elimination, or the tolerance of steps");
  MW_WITHIN(energy, 0.0, tol, "promised: another order of elimination, or the tolerance of steps");
}

typedef void writes(const char *name, const char *use, const char *ctx);

// fixed: by steps of fixed length
static void check_uses(writes *put_use, const char *const use[3], const char *ctx, bool fixed)
{
  static const char *const name[3] = { "seen.yaml", "source.yaml", "object.yaml" };
  mw_case c[3] = { { .body = NULL } };
  mw_run r[3] = { { 0 } };
  bool fine = true;
  for (int k = 0; k < 3; k++) {
    put_use(name[k], use[k], ctx);
    fine = mw_leg_run(name[k], &c[k], &r[k]) && fine;
  }
  if (fine) {
    same_bits(&r[1], &r[2]);
    if (fixed)
      same_motion(&r[0], &r[1], 1e-12);
    else  // 1e-8 in each of a hundred steps: roundings decide where friction ends one
      same_motion(&r[0], &r[1], 1e-6);
    MW_CHECK(c[0].model.n_body == c[1].model.n_body);
    MW_CHECK(strcmp(c[1].model.hash, c[2].model.hash) == 0);
    MW_CHECK(strcmp(c[0].model.hash, c[1].model.hash) != 0);
  }
  for (int k = 0; k < 3; k++) {
    mw_run_free(&r[k]);
    mw_case_free(&c[k]);
  }
}

static void check_method(const char *method)
{
  static const char *const use[3] = { "use: leg.yaml", "component: leg.yaml", "component: leg.so" };
  check_uses(mw_leg_put_cart, use, method, strcmp(method, "dop853") != 0);
}

static void objects_move_with_the_bits_of_their_source(void) { check_method("rk4"); }
static void they_do_so_in_real_time(void) { check_method("leapfrog"); }
static void they_do_so_by_steps_of_their_own_length(void) { check_method("dop853"); }

// The cart with what acts on the ports of its left leg from outside: a drive, forces, a torque in
// the axes of the frame, a spring.
static void put_pushed(const char *name, const char *use, const char *method)
{
  static const char outputs[] = "outputs: { cart:", motor[] = "      motor: { force:";
  char text[MW_LEG_CART], all[MW_LEG_CART + 1200];
  mw_leg_cart(use, method, text);
  const char *o = strstr(text, outputs), *m = strstr(text, motor);
  if (!MW_CHECK(o && m && o < m)) return;
  snprintf(all, sizeof all,
           "%.*sdrives: { push: { force: { on: left.tip, direction: [0.3, 0, 1] } } }\n"
           "forces:\n"
           "  poke: { point: { on: left.tip, direction: [0, 0, 1] },\n"
           "          force: { sine: { amplitude: 0.5, frequency: 3 } } }\n"
           "  twist: { torque: { on: left.tip, direction: [0, 1, 0], axes: body }, force: 0.02 }\n"
           "  rope: { spring: { a: cart.right, b: left.tip }, stiffness: 3, damping: 0.05 }\n"
           "%.*s      push: { force: { sine: { amplitude: 1, frequency: 2 } } }\n%s",
           (int)(o - text), text, (int)(m - o), o, m);
  mw_leg_put(name, all);
}

static void forces_at_ports_act_as_on_the_parts(void)
{
  static const char *const use[3] = { "use: leg.yaml", "component: leg.yaml", "component: leg.so" };
  check_uses(put_pushed, use, "rk4", true);
}

// The text of a case with its axis used otherwise.
static void put_portal(const char *name, const char *use, const char *text)
{
  static const char was[] = "component: portal/axis.yaml, set";
  char all[8192];
  const char *at = strstr(text, was);
  if (!MW_CHECK(at != NULL)) return;
  snprintf(all, sizeof all, "%.*s%s, set%s", (int)(at - text), text, use, at + strlen(was));
  mw_leg_put(name, all);
}

// Three axes with motors under control, friction and a spring inside, commanded by their names.
static void the_portal_of_bought_axes_moves_as_its_parts(void)
{
  static const char axis[] = MW_CASES_DIR "/portal/axis.yaml";
  static const char *const use[3] = { "use: " MW_CASES_DIR "/portal/axis.yaml",
                                      "component: " MW_CASES_DIR "/portal/axis.yaml",
                                      "component: axis.so" };
  char path[160], text[8192] = "";
  mw_error err = { 0 };
  FILE *f = fopen(MW_CASES_DIR "/portal.yaml", "r");
  if (!MW_CHECK(f != NULL && fread(text, 1, sizeof text - 1, f) > 0)) return;
  fclose(f);
  if (MW_OKAY(mw_component_write(axis, mw_leg_path("axis.so", path), &err)))
    check_uses(put_portal, use, text, true);
}

// Cart 1, legs 2 each, bar 6, less the 3 and 4 rows at its ends.
static void freedoms_are_counted_as_if_the_parts_were_seen(void)
{
  static const char *const use[2] = { "use: leg.yaml", "component: leg.so" };
  int n[2] = { 0, 1 };
  for (int k = 0; k < 2; k++) {
    mw_case c = { .body = NULL };
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    mw_leg_put_cart("object.yaml", use[k], "rk4");
    if (mw_leg_get("object.yaml", &c)) {
      int *rows = mw_arena_int(&mem, (size_t)c.mech.n_joint);
      MW_OKAY(mw_mech_mobility(&c.mech, c.mech.p0, c.mech.s0, &n[k], rows, &err));
    }
    mw_arena_free(&mem);
    mw_case_free(&c);
  }
  MW_CHECK(n[0] == 4 && n[1] == n[0]);
}

// Runs the machine `text`, whose "%s" is an assembly of the file `source`: with its parts seen,
// then as a component.
static bool run_both(const char *text, const char *source, mw_case c[2], mw_run r[2])
{
  static const char *const use[2] = { "use", "component" };
  bool fine = true;
  for (int k = 0; k < 2; k++) {
    const char *at = strstr(text, "%s");
    char all[4096];
    int n =
        snprintf(all, sizeof all, "%.*s%s: %s%s", (int)(at - text), text, use[k], source, at + 2);
    if (!MW_CHECK(n > 0 && (size_t)n < sizeof all)) return false;
    mw_leg_put("object.yaml", all);
    fine = mw_leg_run("object.yaml", &c[k], &r[k]) && fine;
  }
  return fine;
}

// A rod that hangs free in a component, on a cart that starts elsewhere: where it goes on the way
// depends on the metric of all bodies alike, that of a rod without inertia about its axis on the
// size of the whole machine. What a spring ties to the cart goes with it.
static void free_parts_start_where_those_that_are_seen_do(void)
{
  static const char rod[] =
      "modeway: 1\n"
      "bodies:\n"
      "  shoe: { rigid: { mass: 0.5, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0] } }\n"
      "  rod:\n"
      "    rigid: { mass: 0.3, com: [0.05, 0, -0.2], inertia: [4e-3, 4e-3, 2e-6, 0, 0, 0] }\n"
      "joints: { pin: { revolute: { a: shoe, b: rod, axis: [0, 1, 0] } } }\n"
      "outputs: { end: { body: rod, point: [0, 0, -0.4] } }\n"
      "ports: { top: shoe }\n";
  static const char cart[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  cart: { rigid: { mass: 4, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "  tail: { rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x }\n"
      "  y: { fixed: { a: cart, b: hung.top } }\n"
      "  z: { prismatic: { a: ground, b: tail, axis: [1, 0, 0] } }\n"
      "springs: { tie: { a: cart, b: tail, stiffness: [500, 0, 0, 0, 0, 0] } }\n"
      "outputs: { tail: { body: tail } }\n"
      "assemblies: { hung: { %s } }\n"
      "scenarios:\n"
      "  go: { duration: 0.1, step: 5e-4, store: 0.05, start: { x: { at: 0.3, velocity: 0.5 } },\n"
      "        initial: undeformed, rigid: { method: rk4 } }\n";
  mw_case c[2] = { { .body = NULL } };
  mw_run r[2] = { { 0 } };
  mw_leg_put("rod.yaml", rod);
  bool fine = run_both(cart, "rod.yaml", c, r);
  if (fine) same_motion(&r[0], &r[1], 1e-12);
  // the tail, before the outputs of the assembly
  // 1e-8 of the size
  if (fine) MW_WITHIN(r[1].y[0], 0.3, 1e-9, "what start coordinates may miss");
  for (int k = 0; k < 2; k++) {
    mw_run_free(&r[k]);
    mw_case_free(&c[k]);
  }
}

// An elbow inside, between the ground and a slider that starts elsewhere, or where it belongs.
static void coordinates_inside_that_follow_at_the_start_are_noted(void)
{
  static const char elbow[] =
      "modeway: 1\n"
      "bodies:\n"
      "  upper:\n"
      "    rigid: { mass: 1, com: [0.25, 0, 0], inertia: [1e-3, 1e-2, 1e-2, 0, 0, 0] }\n"
      "    frames: { pin: { point: [0.5, 0, 0] } }\n"
      "  lower:\n"
      "    at: [0.5, 0, 0]\n"
      "    rigid: { mass: 1, com: [0.1, 0, -0.2], inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0] }\n"
      "    frames: { tip: { point: [0.3, 0, -0.4] } }\n"
      "joints: { elbow: { revolute: { a: upper.pin, b: lower, axis: [0, 1, 0] } } }\n"
      "ports: { root: upper, tip: lower.tip }\n";
  static const char machine[] =
      "modeway: 1\n"
      "bodies:\n"
      "  slider:\n"
      "    at: [0.8, 0, -0.4]\n"
      "    rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] }\n"
      "    frames: { way: { point: [-0.8, 0, 0.4] } }\n"
      "joints:\n"
      "  hip: { revolute: { a: ground, b: arm.root, axis: [0, 1, 0] } }\n"
      "  x: { prismatic: { a: ground, b: slider.way, axis: [1, 0, 0] }, coordinate: x }\n"
      "  wrist: { revolute: { a: slider, b: arm.tip, axis: [0, 1, 0] } }\n"
      "assemblies: { arm: { component: elbow.yaml } }\n"
      "scenarios:\n"
      "  go: { duration: 1e-3, store: 1e-3, initial: undeformed, start: { x: { at: %g } },\n"
      "        rigid: { method: rk4 } }\n";
  mw_leg_put("elbow.yaml", elbow);
  for (int k = 0; k < 2; k++) {
    mw_case c = { .body = NULL };
    mw_run r = { 0 };
    char text[1024];
    int said = 0;
    snprintf(text, sizeof text, machine, k * -0.05);
    mw_leg_put("machine.yaml", text);
    if (MW_CHECK(mw_leg_run("machine.yaml", &c, &r)))
      for (int i = 0; i < r.n_note; i++)
        said += strstr(r.note[i], "component arm starts with its frames elsewhere") != NULL;
    MW_CHECK(said == k);
    mw_run_free(&r);
    mw_case_free(&c);
  }
}

// A pair of pendulums in a component, each an assembly with ports of its own, one of them an image
// of the other: ports of the pair alone are seen, and it moves as the parts that are seen.
static void ports_of_assemblies_inside_are_not_seen(void)
{
  static const char bob[] =
      "modeway: 1\n"
      "parameters: { load: 0.2 }\n"
      "bodies:\n"
      "  bob:\n"
      "    rigid: { mass: $load, com: [0.02, 0.01, -0.2],\n"
      "             inertia: [2e-3, 2e-3, 1e-3, 1e-4, 0, 2e-4] }\n"
      "    frames: { pin: { point: [0, 0, 0.1] }, end: { point: [0.03, 0, -0.3] } }\n"
      "ports: { pin: bob.pin, end: bob.end, whole: bob }\n";
  static const char pair[] =
      "modeway: 1\n"
      "parameters: { heavy: 0.3 }\n"
      "bodies:\n"
      "  bridge: { rigid: { mass: 0.5, inertia: [0.01, 0.02, 0.02, 0, 0, 0] },\n"
      "            frames: { l: { point: [0, 0.2, 0.1] }, r: { point: [0, -0.2, 0.1] } } }\n"
      "assemblies:\n"
      "  l: { use: bob.yaml, at: [0, 0.2, 0], set: { load: 2*$heavy } }\n"
      "  r: { use: bob.yaml, at: [0, -0.2, 0], mirror: y, set: { load: $heavy } }\n"
      "joints:\n"
      "  l: { revolute: { a: bridge.l, b: l.pin, axis: [0.2, 1, 0] }, coordinate: ql,\n"
      "       damping: 0.01 }\n"
      "  r: { revolute: { a: bridge.r, b: r.pin, axis: [-0.2, 1, 0] }, coordinate: qr,\n"
      "       damping: 0.02 }\n"
      "ports: { top: bridge, tip: l.end }\n";
  static const char cart[] =
      "modeway: 1\n"
      "gravity: [0, 0, -9.81]\n"
      "bodies:\n"
      "  cart: { rigid: { mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0] } }\n"
      "  ball: { at: [0.03, 0.2, -0.3],\n"
      "          rigid: { mass: 0.1, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x }\n"
      "  y: { fixed: { a: cart, b: hung.top } }\n"
      "  z: { spherical: { a: hung.tip, b: ball } }\n"
      "outputs: { cart: { body: cart }, ball: { body: ball } }\n"
      "assemblies: { hung: { %s, set: { heavy: 0.4 } } }\n"
      "scenarios:\n"
      "  go: { duration: 0.3, step: 1e-3, store: 0.05, initial: undeformed,\n"
      "        start: { x: { at: 0, velocity: 1.5 } }, rigid: { method: rk4 } }\n";
  mw_case c[2] = { { .body = NULL } };
  mw_run r[2] = { { 0 } };
  mw_leg_put("bob.yaml", bob);
  mw_leg_put("pair.yaml", pair);
  bool fine = run_both(cart, "pair.yaml", c, r);
  if (fine) same_motion(&r[0], &r[1], 1e-12);
  if (fine) MW_CHECK(c[1].model.component[0].size.n_port == 2);
  if (fine) MW_CHECK(c[1].model.component[0].size.n_border == 2);
  for (int k = 0; k < 2; k++) {
    mw_run_free(&r[k]);
    mw_case_free(&c[k]);
  }
}

// ---- saved runs ---------------------------------------------------------------------------------

static mw_sim *opened(const mw_case *c)
{
  static const mw_path_opt opt = { 0 };
  mw_error err = { 0 };
  mw_sim *s = NULL;
  return MW_OKAY(mw_sim_open(c, &c->model.scenario[0], "rigid", &opt, &s, &err)) ? s : NULL;
}

static void steps_to_end(mw_sim *s, mw_run *r)
{
  mw_error err = { 0 };
  while (!mw_sim_ended(s))
    if (!MW_OKAY(mw_sim_step(s, &err))) return;
  MW_OKAY(mw_sim_finish(s, r, &err));
}

static void restored_goes_on(const char *method)
{
  mw_case c = { .body = NULL };
  mw_run whole = { 0 }, rest = { 0 };
  mw_error err = { 0 };
  mw_leg_put_cart("object.yaml", "component: leg.so", method);
  if (!mw_leg_get("object.yaml", &c)) return;
  mw_sim *a = opened(&c), *b = opened(&c);
  if (a && b) {
    while (mw_sim_time(a) < 0.2 || !mw_sim_stored(a))
      if (!MW_OKAY(mw_sim_step(a, &err))) break;
    size_t n = mw_sim_bytes(a);
    void *state = malloc(n);
    if (MW_CHECK(state != NULL) && MW_OKAY(mw_sim_save(a, state, &err)) &&
        MW_OKAY(mw_sim_restore(b, state, n, &err))) {
      steps_to_end(a, &whole);
      steps_to_end(b, &rest);
      same_bits(&whole, &rest);
    }
    free(state);
  }
  mw_sim_close(a);
  mw_sim_close(b);
  mw_run_free(&whole);
  mw_run_free(&rest);
  mw_case_free(&c);
}

static void restored_runs_go_on_with_the_bits_of_whole_ones(void)
{
  static const char *const methods[] = { "rk4", "leapfrog", "dopri5", "dop853", "auto" };
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) restored_goes_on(methods[k]);
}

// ---- the interface ------------------------------------------------------------------------------

static const mw_component_in HERE = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                      .gravity = { 0, 0, -9.81 } };

static bool instance(const char *name, mw_component **c, void **one)
{
  char path[160];
  mw_error err = { 0 };
  return MW_OKAY(mw_component_open(mw_leg_path(name, path), MW_NOWHERE, c, &err)) &&
         MW_OKAY(mw_component_instance(*c, &HERE, MW_NOWHERE, one, &err));
}

// q and v = 0 of the reference configuration; [12 n_frame] each
static void at_rest(const mw_component_calls *call, const void *one, double *q)
{
  mw_component_size n;
  call->size(one, &n);
  for (int k = 0; k < n.n_frame; k++) {
    mw_component_body b;
    call->body(one, k, &b);
    for (int i = 0; i < 3; i++) {
      q[12 * k + i] = b.p[i];
      for (int j = 0; j < 3; j++) q[12 * k + i] += b.p[3 + 3 * i + j] * b.c[j];
      for (int j = 0; j < 3; j++) {
        q[12 * k + 3 + 3 * i + j] = 0.0;
        for (int l = 0; l < 3; l++)
          q[12 * k + 3 + 3 * i + j] += b.p[3 + 3 * i + l] * b.R[3 * l + j];
      }
    }
  }
}

static void the_map_of_one_body_is_its_inverse_mass(void)
{
  static const double want[6] = {
    1.0 / 2.0, 1.0 / 2.0, 1.0 / 2.0, 1.0 / 0.1, 1.0 / 0.2, 1.0 / 0.25
  };
  mw_component *c = NULL;
  void *one = NULL;
  double q[12], v[12] = { 0.0 }, D[36], f[6] = { 0.0 }, x[6];
  char why[80];
  mw_leg_put("stone.yaml", "modeway: 1\n"
                           "bodies: { stone: { rigid: { mass: 2, com: [0.1, 0, 0],\n"
                           "  inertia: [0.1, 0.2, 0.25, 0, 0, 0] } } }\n"
                           "ports: { here: stone }\n");
  if (!instance("stone.yaml", &c, &one)) return;
  const mw_component_calls *call = mw_component_calls_of(c);
  at_rest(call, one, q);
  MW_CHECK(call->load(one, 0.0, q, v) == 0.0);
  MW_CHECK(call->factor(one, why, sizeof why) == 0);
  call->border(one, D);
  // one division; inertia I goes through ½ tr(I) 1 − I + m c cᵀ and back, six sums of terms below
  // 0.3 kg m2, and D = 1/I errs by D² as much
  for (int i = 0; i < 36; i++) {
    double d = i % 7 == 0 ? want[i / 7] : 0.0;
    MW_NEAR(D[i], d, DBL_EPSILON * d + (i > 20 ? 6.0 * 0.5 * DBL_EPSILON * 0.3 * d * d : 0.0));
  }
  call->solve(one, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x);
  // of gravity: times m, over m
  for (int i = 0; i < 6; i++)
    MW_NEAR(x[i], i == 2 ? -9.81 : 0.0, i == 2 ? DBL_EPSILON * 9.81 : 0.0);
  call->close(one);
  mw_component_close(c);
}

#ifndef MW_LIVES
#define MW_LIVES 1000
#endif
enum { CYCLES = MW_LIVES };

// One life: opened, taken a step further, remembered, closed. first, memory: of the first one.
static bool one_life(int k, double *first, unsigned char *memory)
{
  mw_component *c = NULL;
  void *one = NULL;
  double q[36], v[36] = { 0.0 }, f[18] = { 0.0 }, x[18], D[324], change, largest;
  char why[80];
  if (!instance("leg.so", &c, &one)) return false;
  const mw_component_calls *call = mw_component_calls_of(c);
  mw_component_size n;
  call->size(one, &n);
  bool fine = n.n_frame == 3 && n.n_border == 3 && n.n_memory < 4096;
  if (fine && k > 0) call->restore(one, memory);
  if (fine) {
    at_rest(call, one, q);
    fine = call->load(one, 0.0, q, v) < 1e-9 && call->factor(one, why, sizeof why) == 0;
    call->border(one, D);
    f[2] = 1.0 + 1e-3 * k;
    call->solve(one, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, x);
    call->normals(one, &change, &largest);
    call->accept(one, q);
    fine = fine && call->turns(one, 0.0, q, why, sizeof why) == 0 && isfinite(x[0]);
    call->save(one, memory);
    if (k == 0) memcpy(first, D, sizeof D);
    fine = fine && memcmp(first, D, sizeof D) == 0;
  }
  call->close(one);
  mw_component_close(c);
  return fine;
}

static void many_lives_leave_nothing_behind(void)
{
  double first[324];
  unsigned char memory[4096] = { 0 };
  int n = 0;
  while (n < CYCLES && one_life(n, first, memory)) n++;
  MW_CHECK(n == CYCLES);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "objects_move_with_the_bits_of_their_source", objects_move_with_the_bits_of_their_source },
    { "they_do_so_in_real_time", they_do_so_in_real_time },
    { "they_do_so_by_steps_of_their_own_length", they_do_so_by_steps_of_their_own_length },
    { "the_portal_of_bought_axes_moves_as_its_parts",
      the_portal_of_bought_axes_moves_as_its_parts },
    { "coordinates_inside_that_follow_at_the_start_are_noted",
      coordinates_inside_that_follow_at_the_start_are_noted },
    { "ports_of_assemblies_inside_are_not_seen", ports_of_assemblies_inside_are_not_seen },
    { "free_parts_start_where_those_that_are_seen_do",
      free_parts_start_where_those_that_are_seen_do },
    { "freedoms_are_counted_as_if_the_parts_were_seen",
      freedoms_are_counted_as_if_the_parts_were_seen },
    { "restored_runs_go_on_with_the_bits_of_whole_ones",
      restored_runs_go_on_with_the_bits_of_whole_ones },
    { "the_map_of_one_body_is_its_inverse_mass", the_map_of_one_body_is_its_inverse_mass },
    { "many_lives_leave_nothing_behind", many_lives_leave_nothing_behind },
    { "forces_at_ports_act_as_on_the_parts", forces_at_ports_act_as_on_the_parts },
  };
  if (!mw_leg_open("test_component")) return 1;
  int failed = mw_test_run("component", cases, (int)(sizeof cases / sizeof *cases));
  mw_leg_close();
  return failed;
}
