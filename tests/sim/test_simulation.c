// SPDX-License-Identifier: BSD-3-Clause
// test_simulation.c: a simulation taken step by step has the bits of the whole run; saved, and
// restored in one opened anew, it goes on with them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/simulation.h"

// A cart with dry friction and an end stop that it meets, or a limit (between head and tail), on a
// beam whose modes are damped: under a controller that samples within steps, under forces that jump
// and bend.
static const char *const cart_head =
    "modeway: 1\n"
    "name: cart\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.3, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.03, height: 0.02 } } }\n"
    "damping: { modal: 0.02 }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: bar, material: alu, elements: 8, up: [0, 0, 1] }]\n"
    "    supports:\n"
    "      - { nodes: a, dofs: [x, y, z, rx, ry, rz] }\n"
    "      - { nodes: b, dofs: [y, z] }\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "    frames: { end: { node: b } }\n"
    "  carriage: { at: [0.2, 0, 0], rigid: { mass: 0.5, inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] } }\n"
    "joints:\n"
    "  x:\n"
    "    slide: { guide: beam.rail, on: carriage, orientation: fixed, runners: [{ offset: 0 }] }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "    drive_friction: { coulomb: 0.05, static: 0.06, stribeck: 0.01 }\n";
static const char *const cart_tail =
    "outputs: { cart: { body: carriage } }\n"
    "reduction: { coordinates: { x: { range: [0.05, 0.95], points: 9 } }, modes: { count: 3 },\n"
    "             certificate: { points: 2, samples: 8 } }\n"
    "scenarios:\n"
    "  held: { duration: 0.4, step: 1.1e-3, control_period: 6.6e-3, initial: static, store: 0.02,\n"
    "          start: { x: 0.2 }, drives: { motor: { kp: 200, kd: 2, move: { from: 0.2, to: 0.45,\n"
    "          start: 0.02, max_velocity: 2, max_acceleration: 20, max_jerk: 500 } } } }\n"
    "  kinks: { duration: 0.4, step: 1e-3, store: 0.02, start: { x: 0.2 }, drives: { motor:\n"
    "           { force: { table: { time: [0, 0.1, 0.15, 0.2133, 1],\n"
    "                               value: [1, 1, 2, -2, 0] } } } } }\n"
    "  limit: { duration: 2, step: 1e-3, store: 0.02, start: { x: 0.2 }, drives: { motor:\n"
    "           { force: { step: { value: 0.6, at: 0.1 } } } } }\n";

typedef struct kind {
  const char *path;
  mw_method rigid;
  mw_rom_method rom;
} kind;
static const kind KINDS[] = {
  { "full", 0, 0 },
  { "body", 0, 0 },
  { "gmp", 0, MW_ROM_MIDPOINT },
  { "gmp", 0, MW_ROM_EXPONENTIAL },
  { "rigid", MW_METHOD_RK4, 0 },
  { "rigid", MW_METHOD_LEAPFROG, 0 },
  { "rigid", MW_METHOD_ALPHA, 0 },
  { "rigid", MW_METHOD_MIDPOINT, 0 },
  { "rigid", MW_METHOD_DOP853, 0 },
  { "rigid", MW_METHOD_DOPRI5, 0 },
  { "rigid", MW_METHOD_RADAU, 0 },
  { "rigid", MW_METHOD_AUTO, 0 },
  { "rigid", MW_METHOD_ADAMS, 0 },
  { "rigid", MW_METHOD_CVODE, 0 },
  { "rigid", MW_METHOD_IDA, 0 },
};
enum { N_KIND = sizeof KINDS / sizeof *KINDS, GOOD_INSTANT = 7 };

// What a simulation needs, read anew each time.
typedef struct rig {
  mw_case c;
  mw_rigid_in rigid;
  mw_rom_method method;
  mw_path_opt opt;
  mw_scenario sc;
  const char *name;  // of the path
} rig;

static bool okay(mw_code rc, const mw_error *err)
{
  if (rc != MW_OK) fprintf(stderr, "%s\n", err->msg);
  return MW_CHECK(rc == MW_OK);
}

// Reduced models, made once; freed by main.
static struct {
  const char *path;  // of the model
  mw_rom_file rom;
} reduced[2];

// The one of a case, read from path; NULL after a failed check
static const mw_rom_file *reduced_of(const char *path, const mw_case *c)
{
  mw_error err = { 0 };
  int i = 0;
  while (i < 2 && reduced[i].path && strcmp(reduced[i].path, path) != 0) i++;
  if (!MW_CHECK(i < 2)) return NULL;
  if (!reduced[i].path) {
    if (!okay(mw_reduce(&c->model, &c->mech, NULL, &reduced[i].rom, &err), &err)) return NULL;
    reduced[i].path = path;
  }
  return &reduced[i].rom;
}

// duration 0: the scenario's
static bool open_rig(const char *path, const char *scenario, const kind *k, double duration, rig *r)
{
  mw_error err = { 0 };
  const mw_scenario *sc = NULL;
  *r = (rig){ .name = k->path, .method = k->rom };
  mw_code rc = mw_case_read(path, &r->c, &err);
  if (!okay(rc, &err)) return false;
  rc = mw_scenario_find(&r->c.model, scenario, &sc, &err);
  if (!okay(rc, &err)) return false;
  const mw_rom_file *rom = strcmp(k->path, "gmp") == 0 ? reduced_of(path, &r->c) : NULL;
  r->sc = *sc;
  if (duration > 0.0) r->sc.duration = duration;
  r->rigid = mw_rigid_run_opt_default(sc).rigid;
  r->rigid.method = k->rigid;
  r->opt = (mw_path_opt){ .rom = rom, .method = &r->method, .rigid = &r->rigid, .body_modes = 4 };
  return true;
}

static void close_rig(rig *r) { mw_case_free(&r->c); }

static void same(const mw_run *a, const mw_run *b)
{
  mw_part x[MW_RUN_PARTS], y[MW_RUN_PARTS];
  mw_run p = *a, q = *b;
  p.wall_s = q.wall_s = 0.0;
  int n = mw_run_parts(&p, x);
  if (!MW_CHECK(a->n_t == b->n_t && mw_run_parts(&q, y) == n)) return;
  for (int i = 0; i < n; i++)
    MW_CHECK(x[i].bytes == y[i].bytes && memcmp(x[i].at, y[i].at, x[i].bytes) == 0);
  MW_CHECK(a->steps == b->steps && a->set_changes == b->set_changes);
  MW_CHECK(!a->event == !b->event && (!a->event || strcmp(a->event, b->event) == 0));
  if (!MW_CHECK(a->n_warning == b->n_warning)) return;
  for (int i = 0; i < a->n_warning; i++) MW_CHECK(strcmp(a->warning[i], b->warning[i]) == 0);
}

// Steps to the n-th stored instant (n < 0: to the end); their number.
static int go(mw_sim *s, int n)
{
  mw_error err = { 0 };
  int steps = 0;
  while (n != 0 && !mw_sim_ended(s)) {
    if (!okay(mw_sim_step(s, &err), &err)) break;
    steps++;
    n -= mw_sim_stored(s);
  }
  return steps;
}

static bool whole(rig *r, mw_run *out)
{
  mw_error err = { 0 };
  return okay(mw_path_run(&r->c, &r->sc, r->name, &r->opt, out, &err), &err);
}

static mw_sim *begin(rig *r)
{
  mw_error err = { 0 };
  mw_sim *s = NULL;
  return okay(mw_sim_open(&r->c, &r->sc, r->name, &r->opt, &s, &err), &err) ? s : NULL;
}

// Finishes once, at the end: before it and a second time are wrong input, and nothing is left to
// save.
static void finish(mw_sim *s, mw_run *out)
{
  mw_error err = { 0 };
  mw_run again = { 0 };
  if (!okay(mw_sim_finish(s, out, &err), &err)) return;
  MW_CHECK(mw_sim_finish(s, &again, &err) == MW_ERR_INPUT && strstr(err.msg, "was finished"));
  MW_CHECK(mw_sim_bytes(s) == 0 && mw_sim_ended(s));
}

static void too_early(mw_sim *s)
{
  mw_error err = { 0 };
  mw_run none = { 0 };
  MW_CHECK(mw_sim_finish(s, &none, &err) == MW_ERR_INPUT && strstr(err.msg, "expected its end"));
}

// The run as a whole, step by step, and saved at the n-th stored instant and restored elsewhere.
static void try(const char *path, const char *scenario, const kind *k, double duration, int n)
{
  rig r;
  mw_error err = { 0 };
  mw_run all = { 0 }, stepped = { 0 }, gone_on = { 0 };
  if (!open_rig(path, scenario, k, duration, &r) || !whole(&r, &all)) return;
  mw_sim *s = begin(&r);
  int first = s ? go(s, n) : 0;
  if (s) too_early(s);
  size_t bytes = s ? mw_sim_bytes(s) : 0;
  double t = s ? mw_sim_time(s) : 0.0;
  void *state = malloc(bytes + 1);
  if (MW_CHECK(s && state && bytes > 0 && first > 0) && okay(mw_sim_save(s, state, &err), &err)) {
    MW_CHECK(go(s, -1) > 0);
    finish(s, &stepped);
    same(&all, &stepped);
  }
  mw_sim_close(s);
  close_rig(&r);
  if (!open_rig(path, scenario, k, duration, &r)) return;
  s = begin(&r);
  if (MW_CHECK(s != NULL) && okay(mw_sim_restore(s, state, bytes, &err), &err)) {
    MW_CHECK(mw_sim_time(s) == t && t > 0.0);
    (void)go(s, -1);
    finish(s, &gone_on);
    printf("%-6s %-9s %d instants, %d steps, %zu bytes, %d changes of rows\n", r.name, scenario,
           gone_on.n_t, gone_on.steps, bytes, gone_on.set_changes);
    same(&all, &gone_on);
  }
  mw_sim_close(s);
  free(state);
  mw_run_free(&all);
  mw_run_free(&stepped);
  mw_run_free(&gone_on);
  close_rig(&r);
}

static char cart_path[] = "/tmp/modeway_simulation_XXXXXX";
static char limited_path[] = "/tmp/modeway_simulation_XXXXXX";

static void restored_runs_have_the_bits_of_whole_ones(void)
{
  for (int i = 0; i < N_KIND; i++) {
    try(cart_path, "held", &KINDS[i], 0.0, GOOD_INSTANT);
    try(cart_path, "kinks", &KINDS[i], 0.0, GOOD_INSTANT);
  }
}

static void runs_that_a_limit_ends_do_so_after_restoring(void)
{
  for (int i = 0; i < N_KIND; i++) try(limited_path, "limit", &KINDS[i], 0.0, 20);
}

// Blocks of the full path that were renewed for their strains are made again.
static void strains_of_second_order_go_on(void)
{
  try(MW_CASES_DIR "/arm-spin-up.yaml", "spin", &KINDS[0], 12.0, 150);
  try(MW_CASES_DIR "/boom.yaml", "push", &KINDS[0], 0.2, 30);
}

// Loops with redundant rows, dry friction in joints.
static void rigid_loops_and_friction_go_on(void)
{
  for (int i = 4; i < N_KIND - 1; i++) {  // ida takes 22,000 steps three times
    try(MW_CASES_DIR "/six-bar.yaml", "turn", &KINDS[i], 0.5, 9);
    try(MW_CASES_DIR "/arm.yaml", "pick", &KINDS[i], 0.2, 9);
  }
}

static void states_of_other_runs_are_refused(void)
{
  rig r;
  mw_error err = { 0 };
  if (!open_rig(cart_path, "kinks", &KINDS[6], 0.0, &r)) return;
  mw_sim *s = begin(&r);
  size_t bytes = s ? mw_sim_bytes(s) : 0;
  char *state = malloc(bytes + 1);
  if (MW_CHECK(s && state && bytes > 0)) {
    MW_OKAY(mw_sim_step(s, &err));
    MW_FAILS(mw_sim_save(s, state, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "expected an instant that is stored") != NULL);
    (void)go(s, 1);
    MW_OKAY(mw_sim_save(s, state, &err));
    MW_FAILS(mw_sim_restore(s, state, bytes - 1, &err), MW_ERR_INPUT);
    MW_FAILS(mw_sim_restore(s, state, 10, &err), MW_ERR_INPUT);
    state[bytes / 2] ^= 1;
    MW_FAILS(mw_sim_restore(s, state, bytes, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "damaged") != NULL);
    state[bytes / 2] ^= 1;
    MW_OKAY(mw_sim_restore(s, state, bytes, &err));
    (void)go(s, -1);
    MW_FAILS(mw_sim_step(s, &err), MW_ERR_INPUT);
    mw_sim_close(s);
    r.opt.step = 5e-4;
    s = begin(&r);
    MW_FAILS(mw_sim_restore(s, state, bytes, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "another run") != NULL);
  }
  mw_sim_close(s);
  free(state);
  close_rig(&r);
}

// CVODE's history is not in the state, the run is taken again: from its beginning alone.
static void states_that_are_taken_again_need_a_new_run(void)
{
  rig r;
  mw_error err = { 0 };
  if (!open_rig(cart_path, "kinks", &(kind){ "rigid", MW_METHOD_CVODE, 0 }, 0.0, &r)) return;
  mw_sim *s = begin(&r);
  size_t bytes = s ? mw_sim_bytes(s) : 0;
  char *state = malloc(bytes + 1);
  if (MW_CHECK(s && state && bytes > 0)) {
    (void)go(s, 1);
    MW_OKAY(mw_sim_save(s, state, &err));
    (void)go(s, 1);
    MW_FAILS(mw_sim_restore(s, state, bytes, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "expected one newly opened") != NULL);
    state[bytes / 2] ^= 1;
    MW_FAILS(mw_sim_restore(s, state, bytes, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "damaged") != NULL);
  }
  mw_sim_close(s);
  free(state);
  close_rig(&r);
}

static void unknown_paths_are_refused(void)
{
  rig r;
  mw_error err = { 0 };
  mw_sim *s = NULL;
  if (!open_rig(cart_path, "kinks", &KINDS[6], 0.0, &r)) return;
  MW_FAILS(mw_sim_open(&r.c, &r.sc, "half", &r.opt, &s, &err), MW_ERR_INPUT);
  MW_CHECK(s == NULL && strstr(err.msg, "expected full, body, rigid or gmp") != NULL);
  close_rig(&r);
}

static bool write_cart(char *path, const char *of_x)
{
  int fd = mkstemp(path);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (!f) return false;
  int n = fprintf(f, "%s    %s\n%s", cart_head, of_x, cart_tail);
  return fclose(f) == 0 && n > 0;
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "restored_runs_have_the_bits_of_whole_ones", restored_runs_have_the_bits_of_whole_ones },
    { "runs_that_a_limit_ends_do_so_after_restoring",
      runs_that_a_limit_ends_do_so_after_restoring },
    { "strains_of_second_order_go_on", strains_of_second_order_go_on },
    { "rigid_loops_and_friction_go_on", rigid_loops_and_friction_go_on },
    { "states_of_other_runs_are_refused", states_of_other_runs_are_refused },
    { "states_that_are_taken_again_need_a_new_run", states_that_are_taken_again_need_a_new_run },
    { "unknown_paths_are_refused", unknown_paths_are_refused },
  };
  if (!write_cart(cart_path,
                  "stops: { range: [0.1, 0.4], stiffness: 1e4, damping: 0.5, soft: 1e-4 }") ||
      !write_cart(limited_path, "limits: [0.05, 0.8]"))
    return 1;
  int failed = mw_test_run("simulation", cases, (int)(sizeof cases / sizeof *cases));
  for (int i = 0; i < 2; i++) mw_rom_file_free(&reduced[i].rom);
  unlink(cart_path);
  unlink(limited_path);
  return failed;
}
