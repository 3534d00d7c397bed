// SPDX-License-Identifier: BSD-3-Clause
// test_component.c: a component is its source: same bits as the source in its place, and, to the
// roundings of another order of elimination, the motion of the assembly whose parts are seen; its
// map D of one body is that body's inverse mass. Saved runs go on with the bits of whole ones.
// Damaged, foreign and newer objects, and what components do not do, are refused by name.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fem/component.h"
#include "mw_test.h"
#include "sim/simulation.h"

static char folder[64];

// A leg that bends with dry friction and play in its knee, and slides on stops, a spring and a
// damper in its foot; mount and tip are seen.
static const char LEG[] =
    "modeway: 1\n"
    "parameters: { load: 0.4 }\n"
    "bodies:\n"
    "  hip_of_the_leg:\n"
    "    rigid: { mass: 0.8, com: [0, 0.01, 0], inertia: [4e-3, 5e-3, 3e-3, 2e-4, 0, 0] }\n"
    "    frames: { mount: { point: [0, 0, 0.05] }, knee: { point: [0, 0, -0.05] } }\n"
    "  thigh:\n"
    "    at: [0, 0, -0.05]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: 0.5, com: [0, 0, -0.1], inertia: [3e-3, 3e-3, 6e-4, 0, 0, 0] }\n"
    "    frames: { pin: { point: [0, 0, 0] }, sole: { point: [0, 0, -0.3] } }\n"
    "  toe:\n"
    "    at: [0.07, 0, -0.29]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: $load, com: [0, 0, -0.02], inertia: [1e-3, 1e-3, 4e-4, 0, 0, 0] }\n"
    "    frames: { tip: { point: [0, 0, -0.05] } }\n"
    "joints:\n"
    "  knee:\n"
    "    revolute: { a: hip_of_the_leg.knee, b: thigh.pin, axis: [0, 1, 0] }\n"
    "    coordinate: phi\n"
    "    friction: { coulomb: 0.1, static: 0.12, radius: 0.02, preload: 2, smooth: 0.05 }\n"
    "    play: { gap: 0.1, middle: 0.02, stiffness: 30, damping: 0.1 }\n"
    "  slot:\n"
    "    prismatic: { a: thigh, b: toe, axis: [0, 0, 1] }\n"
    "    coordinate: z\n"
    "    damping: 0.3\n"
    "    stops: { range: [-0.01, 0.015], stiffness: 5000, damping: 0.5 }\n"
    "drives:\n"
    "  lift: { coordinate: z, rotor: { inertia: 2e-5, ratio: 300, stiffness: 4e4, damping: 20 } }\n"
    "springs:\n"
    "  sole: { a: thigh.sole, b: toe.tip, stiffness: 30, damping: 0.05 }\n"
    "outputs:\n"
    "  shin: { body: thigh, point: [0.01, 0, -0.3] }\n"
    "  nail: { frame: toe.tip }\n"
    "  nail_rate: { velocity: nail }\n"
    "  stroke: { coordinate: z }\n"
    "  push: { drive_force: lift }\n"
    "ports: { mount: hip_of_the_leg.mount, tip: toe.tip }\n";

// Two of them, one mirrored, below a driven cart, their tips joined by a bar: a loop through both.
// %s: how the leg is used; %s: method.
static const char CART[] =
    "modeway: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "definitions:\n"
    "  side:\n"
    "    parameters: { heavy: 0.5 }\n"
    "    assemblies:\n"
    "      leg: { %s, at: [0, 0.2, 0], set: { load: 0.8*$heavy } }\n"
    "    ports: { mount: leg.mount, tip: leg.tip }\n"
    "bodies:\n"
    "  cart:\n"
    "    rigid: { mass: 4, inertia: [0.1, 0.12, 0.1, 0, 0, 0] }\n"
    "    frames: { left: { point: [0, 0.2, 0.05] }, right: { point: [0, -0.2, 0.05] } }\n"
    "  bar:\n"
    "    at: [0.084, 0, -0.338]\n"
    "    axes: { x: [0.96, 0, 0.28], y: [0, 1, 0] }\n"
    "    rigid: { mass: 0.3, inertia: [0.01, 4e-4, 0.01, 0, 0, 0] }\n"
    "    frames: { left: { point: [0, 0.2, 0] }, right: { point: [0, -0.2, 0] } }\n"
    "joints:\n"
    "  x: { prismatic: { a: ground, b: cart, axis: [1, 0, 0] }, coordinate: x, damping: 2,\n"
    "       drive: motor }\n"
    "  left: { fixed: { a: cart.left, b: left.mount } }\n"
    "  right: { fixed: { a: cart.right, b: right.mount } }\n"
    "  below_left: { spherical: { a: bar.left, b: left.tip } }\n"
    "  below_right: { cylindrical: { a: bar.right, b: right.tip, axis: [0, 1, 0] } }\n"
    "assemblies:\n"
    "  left: { use: side, set: { heavy: 0.6 } }\n"
    "  right: { use: side, mirror: y }\n"
    "outputs: { cart: { body: cart }, bar: { body: bar, point: [0.1, 0, 0] } }\n"
    "scenarios:\n"
    "  go:\n"
    "    duration: 0.5\n"
    "    step: 5e-4\n"
    "    store: 5e-3\n"
    "    initial: undeformed\n"
    "    drives:\n"
    "      motor: { force: { sine: { amplitude: 8, frequency: 1.5 } } }\n"
    "      left.leg.lift: { force: { sine: { amplitude: 3, frequency: 2.5 } } }\n"
    "      right.leg.lift: { position: { sine: { amplitude: 4e-3, frequency: 3 } } }\n"
    "    rigid: { method: %s }\n";

static const char *path_of(const char *name, char path[160])
{
  snprintf(path, 160, "%s/%s", folder, name);
  return path;
}

static void put(const char *name, const char *text)
{
  char path[160];
  MW_CHECK(mw_test_write(path_of(name, path), text, strlen(text)));
}

static bool get(const char *name, mw_case *c)
{
  char path[160];
  mw_error err = { 0 };
  return MW_OKAY(mw_case_read(path_of(name, path), c, &err));
}

static void put_cart(const char *name, const char *use, const char *method)
{
  char text[sizeof CART + 400];
  snprintf(text, sizeof text, CART, use, method);
  put(name, text);
}

static bool run_of(const char *name, mw_case *c, mw_run *r)
{
  mw_error err = { 0 };
  mw_path_opt opt = { 0 };
  if (!get(name, c)) return false;
  return MW_OKAY(mw_path_run(c, &c->model.scenario[0], "rigid", &opt, r, &err));
}

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
static void same_motion(const mw_run *seen, const mw_run *r)
{
  double y = 0.0, work = 0.0, energy = 0.0;
  if (!MW_CHECK(seen->n_t == r->n_t && seen->n_out == r->n_out)) return;
  for (int i = 0; i < 3 * r->n_t * r->n_out; i++) y = fmax(y, fabs(seen->y[i] - r->y[i]));
  for (int k = 0; k < r->n_t; k++) {
    work = fmax(work, fabs(seen->work[k] - r->work[k]));
    energy =
        fmax(energy, fabs(seen->kinetic[k] + seen->potential[k] - r->kinetic[k] - r->potential[k]));
  }
  MW_WITHIN(y, 0.0, 1e-12, "promised: another order of elimination");
  MW_WITHIN(work, 0.0, 1e-12, "promised: another order of elimination");
  MW_WITHIN(energy, 0.0, 1e-12, "promised: another order of elimination");
}

typedef void writes(const char *name, const char *use, const char *ctx);

static void check_uses(writes *put_use, const char *const use[3], const char *ctx)
{
  static const char *const name[3] = { "seen.yaml", "source.yaml", "object.yaml" };
  mw_case c[3] = { { .body = NULL } };
  mw_run r[3] = { { 0 } };
  bool fine = true;
  for (int k = 0; k < 3; k++) {
    put_use(name[k], use[k], ctx);
    fine = run_of(name[k], &c[k], &r[k]) && fine;
  }
  if (fine) {
    same_bits(&r[1], &r[2]);
    same_motion(&r[0], &r[1]);
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
  check_uses(put_cart, use, method);
}

static void objects_move_with_the_bits_of_their_source(void) { check_method("rk4"); }
static void they_do_so_in_real_time(void) { check_method("leapfrog"); }

// The text of a case with its axis used otherwise.
static void put_portal(const char *name, const char *use, const char *text)
{
  static const char was[] = "component: portal/axis.yaml, set";
  char all[8192];
  const char *at = strstr(text, was);
  if (!MW_CHECK(at != NULL)) return;
  snprintf(all, sizeof all, "%.*s%s, set%s", (int)(at - text), text, use, at + strlen(was));
  put(name, all);
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
  if (MW_OKAY(mw_component_write(axis, path_of("axis.so", path), &err)))
    check_uses(put_portal, use, text);
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
    put_cart("object.yaml", use[k], "rk4");
    if (get("object.yaml", &c)) {
      int *rows = mw_arena_int(&mem, (size_t)c.mech.n_joint);
      MW_OKAY(mw_mech_mobility(&c.mech, c.mech.p0, c.mech.s0, &n[k], rows, &err));
    }
    mw_arena_free(&mem);
    mw_case_free(&c);
  }
  MW_CHECK(n[0] == 4 && n[1] == n[0]);
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
  static const char *const use[2] = { "use: rod.yaml", "component: rod.yaml" };
  mw_case c[2] = { { .body = NULL } };
  mw_run r[2] = { { 0 } };
  bool fine = true;
  put("rod.yaml", rod);
  for (int k = 0; k < 2; k++) {
    char text[sizeof cart + 80];
    snprintf(text, sizeof text, cart, use[k]);
    put("object.yaml", text);
    fine = run_of("object.yaml", &c[k], &r[k]) && fine;
  }
  if (fine) same_motion(&r[0], &r[1]);
  // the tail, before the outputs of the assembly
  // 1e-8 of the size
  if (fine) MW_WITHIN(r[1].y[0], 0.3, 1e-9, "what start coordinates may miss");
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

static void restored_runs_go_on_with_the_bits_of_whole_ones(void)
{
  mw_case c = { .body = NULL };
  mw_run whole = { 0 }, rest = { 0 };
  mw_error err = { 0 };
  put_cart("object.yaml", "component: leg.so", "rk4");
  if (!get("object.yaml", &c)) return;
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

// ---- the interface ------------------------------------------------------------------------------

static const mw_component_in HERE = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                      .gravity = { 0, 0, -9.81 } };

static bool instance(const char *name, mw_component **c, void **one)
{
  char path[160];
  mw_error err = { 0 };
  return MW_OKAY(mw_component_open(path_of(name, path), MW_NOWHERE, c, &err)) &&
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
  put("stone.yaml", "modeway: 1\n"
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

static bool has(const char *bytes, long n, const char *word)
{
  size_t m = strlen(word);
  for (long i = 0; i + (long)m <= n; i++)
    if (memcmp(bytes + i, word, m) == 0) return true;
  return false;
}

static char *bytes_of(const char *name, long *n)
{
  char path[160], *b = NULL;
  FILE *f = fopen(path_of(name, path), "rb");
  if (!MW_CHECK(f != NULL)) return NULL;
  (void)fseek(f, 0, SEEK_END);
  *n = ftell(f);
  rewind(f);
  b = malloc((size_t)*n);
  if (!MW_CHECK(b != NULL && fread(b, 1, (size_t)*n, f) == (size_t)*n)) *n = 0;
  fclose(f);
  return b;
}

static void names_of_the_inside_are_not_in_the_object(void)
{
  long n = 0;
  char *b = bytes_of("leg.so", &n);
  MW_CHECK(b && !has(b, n, "hip_of_the_leg") && !has(b, n, "thigh") && !has(b, n, "leg.yaml"));
  free(b);
}

// ---- what is refused ----------------------------------------------------------------------------

static void refused(const char *name, const char *path, const char *want)
{
  mw_case c = { .body = NULL };
  mw_run r = { 0 };
  mw_error err = { 0 };
  char text[800], file[160];
  mw_path_opt opt = { 0 };
  mw_code rc = mw_case_read(path_of(name, file), &c, &err);
  if (rc == MW_OK) rc = mw_path_run(&c, &c.model.scenario[0], path, &opt, &r, &err);
  MW_CHECK(rc == MW_ERR_INPUT);
  mw_error_print(&err, text, sizeof text);
  if (!MW_CHECK(strstr(text, want) != NULL)) printf("found %s, wanted %s\n", text, want);
  mw_run_free(&r);
  mw_case_free(&c);
}

static void cut(const char *name, const char *from, long less, long flip)
{
  long n = 0;
  char path[160], *b = bytes_of(from, &n);
  if (b && flip >= 0) b[flip < n ? flip : n - 1] ^= 1;
  MW_CHECK(b && mw_test_write(path_of(name, path), b, (size_t)(n - less)));
  free(b);
}

static void damaged_and_foreign_objects_are_refused(void)
{
  struct {
    const char *file, *want;
  } bad[] = { { "cut.so", "object.yaml:7:25: error: component " },
              { "short.so", "found nothing behind the object" },
              { "flip.so", "found bytes that are not those of its digest" },
              { "tail.so", "found bytes that are not those of its digest" },
              { "none.so", "cannot open the file" },
              { "text.yaml", "found no key modeway" },
              { MW_FOREIGN, "without mw_component_interface" },
              { MW_NEWER, "found version 4 of the interface, made by a later program" } };
  long n = 0;
  char *b = bytes_of("leg.so", &n), use[300];
  free(b);
  cut("cut.so", "leg.so", n - 2000, -1);
  cut("short.so", "leg.so", 100, -1);
  cut("flip.so", "leg.so", 0, n / 3);
  cut("tail.so", "leg.so", 0, n - 200);
  put("text.yaml", "nothing: 1\n");
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    snprintf(use, sizeof use, "component: \"%s\"", bad[k].file);
    put_cart("object.yaml", use, "rk4");
    refused("object.yaml", "rigid", bad[k].want);
  }
}

static void what_components_do_not_do_is_refused_by_name(void)
{
  char text[sizeof CART + 400], *at;
  static const char *const methods[] = { "alpha", "midpoint", "cvode", "ida" };
  static const char *const paths[] = { "full", "body" };
  for (int k = 0; k < 4; k++) {
    put_cart("object.yaml", "component: leg.so", methods[k]);
    refused("object.yaml", "rigid", "component left.leg: its inside is not known here");
  }
  put_cart("object.yaml", "component: leg.so", "rk4");
  for (int k = 0; k < 2; k++)
    refused("object.yaml", paths[k],
            "component left.leg is known to the rigid path only (--path rigid)");
  put_cart("object.yaml", "component: leg.so, use: leg.yaml", "rk4");
  refused("object.yaml", "rigid", "found component beside use, expected one of them");
  snprintf(text, sizeof text, CART, "component: leg.so", "rk4");
  at = strstr(text, "load:");
  if (MW_CHECK(at != NULL)) memcpy(at, "lodd:", 5);
  put("object.yaml", text);
  refused("object.yaml", "rigid", "has no parameter \"lodd\", did you mean \"load\"?");
  snprintf(text, sizeof text, CART, "component: leg.so", "rk4");
  at = strstr(text, "leg.tip }");
  if (MW_CHECK(at != NULL)) memcpy(at, "leg.toe }", 9);
  put("object.yaml", text);
  refused("object.yaml", "rigid", "port left.tip: found nothing called left.leg.toe");
  snprintf(text, sizeof text, CART, "component: leg.so", "rk4");
  at = strstr(text, "initial: undeformed");
  if (MW_CHECK(at != NULL)) memcpy(at, "initial: static    ", 19);
  put("object.yaml", text);
  refused("object.yaml", "rigid", "expected initial: undeformed");
}

// Sources with what components cannot hide are not written.
static void sources_are_refused_where_they_stand(void)
{
  struct {
    const char *from, *to, *want;
  } bad[] = { { "play: { gap: 0.1, middle: 0.02, stiffness: 30, damping: 0.1 }", "limits: [-1, 1]",
                "found limits of a coordinate that no drive is seen by, expected rigid bodies" },
              { "ports: { mount: hip_of_the_leg.mount, tip: toe.tip }", "\n\n\n\n",
                "found no ports" },
              { "tip: toe.tip }", "tip: phi     }", "found a port that is no body or frame" } };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[sizeof LEG + 8], path[160], out[160], said[800];
    mw_error err = { 0 };
    memcpy(text, LEG, sizeof LEG);
    char *at = strstr(text, bad[k].from);
    if (!MW_CHECK(at != NULL)) continue;
    memset(at, ' ', strlen(bad[k].from));
    memcpy(at, bad[k].to, strlen(bad[k].to));
    put("bad.yaml", text);
    MW_FAILS(mw_component_write(path_of("bad.yaml", path), path_of("bad.so", out), &err),
             MW_ERR_INPUT);
    mw_error_print(&err, said, sizeof said);
    if (!MW_CHECK(strstr(said, bad[k].want) != NULL))
      printf("found %s, wanted %s\n", said, bad[k].want);
    MW_CHECK(access(out, F_OK) != 0);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "objects_move_with_the_bits_of_their_source", objects_move_with_the_bits_of_their_source },
    { "they_do_so_in_real_time", they_do_so_in_real_time },
    { "the_portal_of_bought_axes_moves_as_its_parts",
      the_portal_of_bought_axes_moves_as_its_parts },
    { "free_parts_start_where_those_that_are_seen_do",
      free_parts_start_where_those_that_are_seen_do },
    { "freedoms_are_counted_as_if_the_parts_were_seen",
      freedoms_are_counted_as_if_the_parts_were_seen },
    { "restored_runs_go_on_with_the_bits_of_whole_ones",
      restored_runs_go_on_with_the_bits_of_whole_ones },
    { "the_map_of_one_body_is_its_inverse_mass", the_map_of_one_body_is_its_inverse_mass },
    { "many_lives_leave_nothing_behind", many_lives_leave_nothing_behind },
    { "names_of_the_inside_are_not_in_the_object", names_of_the_inside_are_not_in_the_object },
    { "damaged_and_foreign_objects_are_refused", damaged_and_foreign_objects_are_refused },
    { "what_components_do_not_do_is_refused_by_name",
      what_components_do_not_do_is_refused_by_name },
    { "sources_are_refused_where_they_stand", sources_are_refused_where_they_stand },
  };
  static const char *const names[] = { "leg.yaml",    "leg.so",     "seen.yaml", "source.yaml",
                                       "object.yaml", "stone.yaml", "cut.so",    "short.so",
                                       "flip.so",     "tail.so",    "text.yaml", "bad.yaml",
                                       "rod.yaml",    "axis.so" };
  char path[160], out[160];
  mw_error err = { 0 };
  snprintf(folder, sizeof folder, "/tmp/test_component.%ld", (long)getpid());
  if (mkdir(folder, 0700) != 0) return 1;
  path_of("leg.yaml", path);
  if (!mw_test_write(path, LEG, sizeof LEG - 1)) return 1;
  if (mw_component_write(path, path_of("leg.so", out), &err) != MW_OK) {
    printf("%s\n", err.msg);
    return 1;
  }
  int failed = mw_test_run("component", cases, (int)(sizeof cases / sizeof *cases));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) unlink(path_of(names[k], path));
  rmdir(folder);
  return failed;
}
