// SPDX-License-Identifier: BSD-3-Clause
// test_component_modes.c: small motions of machines with a rigid component, known by its interface
// alone, beside the same machines whose parts are seen.
//
// The inside gives accelerations and energies; its stiffness is a difference of accelerations
// (fem/component_linear.h), exact but for rounding where springs are linear and a way is straight.
// Eigenvalues λ of the lowest modes err by rounding in products with the machine's stiffness, by
// as much as stiff parts are moved by it (machine.condition).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check_layer.h"
#include "fem/component_linear.h"
#include "fem/rigid.h"
#include "link_table.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/linearize.h"
#include "sim/statics.h"

enum { N_MODE = 6 };

// A link whose knee is held by a spring and damped. %s: what else its joint has.
static const char LINK[] = LINK_OF("%s");

// A table with a quill that its own drive lifts.
static const char TABLE[] =
    "modeway: 1\n"
    "bodies:\n"
    "  table:\n"
    "    rigid: { mass: 1.5, com: [0, 0.01, 0.02], inertia: [6e-3, 5e-3, 4e-3, 1e-4, 0, 0] }\n"
    "    frames: { way: { point: [0, 0, 0.03] } }\n"
    "  quill:\n"
    "    at: [0, 0, 0.03]\n"
    "    rigid: { mass: 0.6, com: [0, 0.01, -0.05], inertia: [2e-3, 2e-3, 3e-4, 0, 0, 0] }\n"
    "    frames: { tip: { point: [0, 0, -0.15] } }\n"
    "joints:\n"
    "  lift: { prismatic: { a: table.way, b: quill, axis: [0, 0, 1] }, coordinate: z,\n"
    "          drive: motor, damping: 4 }\n"
    "ports: { base: table, tool: quill.tip }\n";

// The link hangs at the end of a cantilever. %s: gravity, how it is used.
static const char HANGS[] =
    "modeway: 1\ngravity: [0, 0, %s]\n" HANGS_THERE "reduction:\n"
    "  coordinates: { psi: { range: [-1, 1], points: 4, max_rate: 1, max_acceleration: 1 } }\n"
    "  modes: { count: 4 }\n";

// The table on a beam that moves itself.
static const char ROLLS[] =
    "modeway: 1\ngravity: [0, 0, %s]\n" ROLLS_ON
    "  far: { a: base.b, b: beam.b, stiffness: [0, 400, 2e5, 0, 0, 0],\n"
    "         damping: [0, 0, 20, 0, 0, 0] }\n"
    "  upright: { a: base.tool, b: cart.tool, stiffness: [0, 0, 0, 40, 0, 0],\n"
    "             damping: [0, 0, 0, 0.2, 0, 0] }\n" ROLLS_AS "reduction:\n"
    "  coordinates:\n"
    "    x: { range: [0.2, 0.8], points: 4, max_rate: 1, max_acceleration: 1 }\n"
    "    y: { range: [-0.2, 0.2], points: 4, max_rate: 1, max_acceleration: 1 }\n"
    "    cart.z: { range: [-0.05, 0.05], points: 4, max_rate: 1, max_acceleration: 1 }\n"
    "  modes: { count: 4 }\n";

typedef struct machine {
  const char *text, *seen, *hidden;
  double theta[3], condition;
} machine;

// Elements of length h are strained by a bending w (β/l)² of displacements w: 12/(h β/l)⁴ of the
// cantilever, 6 h long, β = 1.875. The beam on springs moves y without bending: of its 8 elements
// 12 EI/h³ twice each, over the stiffness of the spring.
#define BENT  (12.0 / (0.3125 * 0.3125 * 0.3125 * 0.3125))
#define MOVED (16.0 * 12.0 * 1400.0 / (0.125 * 0.125 * 0.125) / 400.0)
static const machine hanging = { HANGS, "use: link.yaml", "component: link.so", { 0.0 }, BENT },
                     rolling = {
                       ROLLS, "use: table.yaml", "component: table.so", { 0.37, 0.1, -0.02 }, MOVED
                     };

static bool get(const machine *m, bool seen, const char *gravity, mw_case *c)
{
  char text[4096];
  snprintf(text, sizeof text, m->text, gravity, seen ? m->seen : m->hidden);
  mw_leg_put("machine.yaml", text);
  return mw_leg_get("machine.yaml", c);
}

// ---- frequencies --------------------------------------------------------------------------------

// Rounding of K changes λ of a shape x by that of Σ |x_i K_ij x_j|, over xᵀKx: sums of some 100
// terms.
static double rounding(const machine *m) { return mw_test_rounding(100.0, m->condition); }

static bool modes_of(const machine *m, bool seen, int how, mw_arena *mem, double **hz)
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  bool fine = get(m, seen, "0", &c) &&
              MW_OKAY(mw_direct_modes(&c.mech, m->theta, N_MODE, how, mem, hz, NULL, NULL, &err));
  mw_case_free(&c);
  return fine;
}

static void has_the_frequencies_of_its_parts(const machine *m)
{
  static const int how[2] = { 0, MW_MODES_FREE };
  for (int k = 0; k < 2; k++) {
    mw_arena mem = { 0 };
    double *seen = NULL, *hidden = NULL, most = 0.0;
    if (modes_of(m, true, how[k], &mem, &seen) && modes_of(m, false, how[k], &mem, &hidden))
      for (int i = 0; i < N_MODE; i++) {
        most = fmax(most, fabs(hidden[i] / seen[i] - 1.0));
        MW_WITHIN(hidden[i] / seen[i] - 1.0, 0.0, rounding(m), "solutions with the stiffness");
      }
    printf("  coordinates %s: %.2e apart\n", k == 0 ? "held" : "free", most);
    mw_arena_free(&mem);
  }
}

static void a_link_on_a_cantilever_has_the_frequencies_of_its_parts(void)
{
  has_the_frequencies_of_its_parts(&hanging);
}

static void a_table_on_a_beam_has_the_frequencies_of_its_parts(void)
{
  has_the_frequencies_of_its_parts(&rolling);
}

// ---- linear systems -----------------------------------------------------------------------------

// C (iω − A)⁻¹ B + D of input 0 to the output called so: real and imaginary part
static void response(const mw_state_space *s, const char *output, double w, double out[2])
{
  double H[1024];
  mw_error err = { 0 };
  int i = 0;
  while (i < s->n_y && strcmp(s->output[i], output) != 0) i++;
  out[0] = out[1] = 0.0;
  if (!MW_CHECK(i < s->n_y && 2 * s->n_y * s->n_u <= 1024) ||
      !MW_OKAY(mw_state_space_frf(s, 1, &w, H, &err)))
    return;
  memcpy(out, H + 2 * i * s->n_u, 2 * sizeof *out);
}

static bool system_of(const machine *m, bool seen, mw_arena *mem, mw_state_space *s)
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  bool fine = get(m, seen, "0", &c);
  const mw_position at = { c.mech.p0, c.mech.s0 };
  fine = fine && MW_OKAY(mw_linearize_full(&c.mech, &at, NULL, N_MODE, mem, s, &err));
  if (fine) {  // names are the case's
    const char **name = mw_arena_alloc(mem, (size_t)s->n_y, sizeof *name);
    for (int i = 0; name && i < s->n_y; i++) name[i] = mw_arena_str(mem, s->output[i]);
    s->output = name;
  }
  mw_case_free(&c);
  return fine && MW_CHECK(s->output != NULL);
}

// Dampers inside are in it: at a mode's frequency they alone bound the response, of λ and damping
// that err by rounding(m), by 1/ζ < 100 times as much.
static void responds_as_its_parts(const machine *m, const char *output)
{
  static const double HZ[] = { 0.5, 3.0, 10.0, 26.0, 60.0 };
  mw_arena mem = { 0 };
  mw_state_space seen, hidden;
  double most = 0.0;
  if (system_of(m, true, &mem, &seen) && system_of(m, false, &mem, &hidden) &&
      MW_CHECK(seen.n_x == hidden.n_x && hidden.error < 1e-12))
    for (int k = 0; k < 5; k++) {
      double a[2], b[2];
      response(&seen, output, 2.0 * acos(-1.0) * HZ[k], a);
      response(&hidden, output, 2.0 * acos(-1.0) * HZ[k], b);
      double off = hypot(b[0] - a[0], b[1] - a[1]) / hypot(a[0], a[1]);
      most = fmax(most, off);
      MW_WITHIN(off, 0.0, 100.0 * rounding(m), "frequencies' over the damping");
    }
  printf("  responses %.2e apart\n", most);
  mw_arena_free(&mem);
}

static void a_link_on_a_cantilever_responds_as_its_parts(void)
{
  responds_as_its_parts(&hanging, "link.x");
}

static void a_table_on_a_beam_responds_as_its_parts(void)
{
  responds_as_its_parts(&rolling, "tool.z");
}

// ---- statics ------------------------------------------------------------------------------------

// Compliance at outputs, and under the weight, inside and outside
static void static_patterns_are_those_of_the_parts(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_case c[2] = { { .body = NULL }, { .body = NULL } };
  mw_statics s[2] = { { 0 }, { 0 } };
  bool fine = true;
  for (int k = 0; k < 2; k++)
    fine = fine && get(&rolling, k == 0, "-9.81", &c[k]) &&
           MW_OKAY(mw_direct_statics(&c[k].model, &c[k].mech, rolling.theta, &mem, &s[k], &err));
  int found = 0;
  double most = 0.0;
  for (int i = 0; fine && i < s[0].n; i++)
    for (int j = 0; j < s[1].n; j++) {
      if (strcmp(s[0].name[i], s[1].name[j]) != 0) continue;
      double a = s[0].compliance[i], b = s[1].compliance[j];
      found++;
      most = fmax(most, fabs(b - a) / fmax(fabs(a), s[0].compliance[0]));
      MW_WITHIN(b, a, rounding(&rolling) * fmax(fabs(a), fabs(s[0].compliance[0])),
                "solutions with the stiffness");
    }
  printf("  %d of %d patterns, %.2e apart\n", found, s[1].n, most);
  MW_CHECK(!fine || (found == s[1].n && found >= 10 && s[0].n > s[1].n));
  for (int k = 0; k < 2; k++) mw_case_free(&c[k]);
  mw_arena_free(&mem);
}

// ---- the rigid mechanism ------------------------------------------------------------------------

// Where the rigid machine settles with psi held, and how it swings there. Roundings ε of
// accelerations are divided by steps of differences, 0.04/64 rad at least: 4e-13.
static void a_rigid_machine_settles_and_swings_as_its_parts(void)
{
  double mu[2] = { 0.0 }, place[2][3];
  for (int k = 0; k < 2; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_case c = { .body = NULL };
    mw_equilibria e;
    unsigned char held[4] = { 0 };
    if (!get(&hanging, k == 0, "-9.81", &c)) return;
    const mw_position at = { c.mech.p0, c.mech.s0 };
    held[mw_mech_coord(&c.mech, "psi")] = 1;
    const mw_statics_in in = { .at = &at, .held = held, .factor = 1.0 };
    if (MW_OKAY(mw_equilibria_find(&c.mech, &in, 0, &mem, &e, &err)) &&
        MW_CHECK(e.n == 1 && e.k == 1 && e.at[0].kind == MW_STABLE)) {
      mu[k] = e.at[0].mu[0];
      mw_rigid *r = NULL;
      mw_rigid_opt opt = mw_rigid_opt_default();
      double v[3];
      opt.components = true;
      if (MW_OKAY(mw_rigid_build(&c.mech, &opt, &r, &err)))
        mw_rigid_point(r, c.model.output[1].ref, c.model.output[1].x, e.at[0].q, NULL, place[k], v);
      mw_rigid_free(r);
    }
    mw_arena_free(&mem);
    mw_case_free(&c);
  }
  double off = 0.0;
  for (int i = 0; i < 3; i++) off = fmax(off, fabs(place[0][i] - place[1][i]));
  printf("  omega^2 %.6g 1/s2, %.2e apart; places %.2e m\n", mu[0], mu[1] / mu[0] - 1.0, off);
  MW_WITHIN(off, 0.0, 1e-12, "steps end at 1e-12 of the size");
  MW_WITHIN(mu[1] / mu[0], 1.0, 1e-12, "rounding over the narrowest step of differences");
}

static void a_rigid_machine_has_the_poles_of_its_parts(void)
{
  mw_pole *pole[2] = { NULL };
  mw_arena mem = { 0 };
  mw_state_space s[2];
  double zero = 0.0, most = 0.0;
  bool fine = true;
  for (int k = 0; k < 2; k++) {
    mw_error err = { 0 };
    mw_case c = { .body = NULL };
    fine = fine && get(&hanging, k == 0, "0", &c);
    const mw_position p = { c.mech.p0, c.mech.s0 };
    const mw_linearize_at at = { .position = &p };
    fine = fine && MW_OKAY(mw_linearize_rigid(&c.mech, &at, &mem, &s[k], &err)) &&
           MW_OKAY(mw_state_space_poles(&s[k], &mem, &pole[k], &zero, &err));
    mw_case_free(&c);
  }
  double largest = 0.0;
  for (int i = 0; fine && i < s[0].n_x * s[0].n_x; i++) largest = fmax(largest, fabs(s[0].A[i]));
  // psi, and the knee on its spring, damped
  if (fine && MW_CHECK(s[0].n_x == 4 && s[1].n_x == 4))
    for (int i = 1; i < 4; i++) {
      double size = hypot(pole[0][i].re, pole[0][i].im),
             off = hypot(pole[1][i].re - pole[0][i].re, pole[1][i].im - pole[0][i].im);
      most = fmax(most, off / size);
      MW_WITHIN(off / size, 0.0, (s[0].error + s[1].error) * largest / (size * size),
                "what derivatives are estimated to, of the largest");
    }
  printf("  poles %.2e apart, derivatives estimated to %.2e\n", most, fine ? s[1].error : NAN);
  mw_arena_free(&mem);
}

// ---- what is refused ----------------------------------------------------------------------------

static void put_link(const char *more)
{
  char text[2048];
  snprintf(text, sizeof text, LINK, more);
  mw_leg_put("link.yaml", text);
}

// A knee that rubs is no damper: its stiffness is there, its damping is refused by name.
static void friction_inside_has_frequencies_and_no_damping(void)
{
  const machine m = { HANGS, "", "component: link.yaml", { 0.0 }, BENT };
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_case c = { .body = NULL };
  double *plain = NULL, *rubs = NULL;
  mw_state_space s;
  bool fine = modes_of(&hanging, false, 0, &mem, &plain);
  put_link(",\n    friction: { coulomb: 0.1, radius: 0.02, preload: 2, smooth: 0.05 }");
  fine = fine && modes_of(&m, false, 0, &mem, &rubs);
  for (int i = 0; fine && i < N_MODE; i++)
    MW_WITHIN(rubs[i] / plain[i] - 1.0, 0.0, rounding(&m), "solutions with the stiffness");
  if (fine && get(&m, false, "0", &c)) {
    const mw_position at = { c.mech.p0, c.mech.s0 };
    MW_FAILS(mw_linearize_full(&c.mech, &at, NULL, N_MODE, &mem, &s, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "component link") && strstr(err.msg, "do not follow small rates"));
  }
  put_link("");
  mw_case_free(&c);
  mw_arena_free(&mem);
}

// ---- controllers --------------------------------------------------------------------------------

// What check says of the loop of the drive that turns the link, whose integral part is too strong.
static const char *judged(bool seen, bool unstable, mw_arena *mem)
{
  static const char LOOP[] =
      "scenarios:\n"
      "  go: { duration: 2, step: 1e-3, store: 0.1, control_period: 1e-3, initial: undeformed,\n"
      "        drives: { m: { follow: 0, kp: 20, ki: 4000, kd: 0.1 } } }\n";
  char text[4096];
  mw_case c = { .body = NULL };
  mw_check r;
  mw_error err = { 0 };
  const char *said = NULL;
  int n =
      snprintf(text, sizeof text, HANGS, "-9.81", seen ? "use: link.yaml" : "component: link.yaml");
  snprintf(text + n, sizeof text - (size_t)n, "%s", LOOP);
  mw_leg_put("loop.yaml", text);
  if (mw_leg_get("loop.yaml", &c) && MW_OKAY(mw_check_run(&c.mech, false, mem, &r, &err)))
    said = unstable ? r.loop[0].unstable : r.loop[0].unjudged;
  said = said ? mw_arena_str(mem, said) : NULL;
  mw_case_free(&c);
  return said;
}

// To the digits that are printed.
static void loops_of_controllers_are_judged_as_on_its_parts(void)
{
  mw_arena mem = { 0 };
  const char *seen = judged(true, true, &mem), *hidden = judged(false, true, &mem);
  if (MW_CHECK(seen && hidden)) {
    printf("  %s\n", hidden);
    MW_CHECK(strcmp(seen, hidden) == 0 && strstr(seen, "swings at 22.28 Hz"));
  }
  put_link(",\n    friction: { coulomb: 0.1, radius: 0.02, preload: 2, smooth: 0.05 }");
  hidden = judged(false, false, &mem);
  MW_CHECK(hidden && strstr(hidden, "component link: its forces do not follow small rates"));
  put_link("");
  mw_arena_free(&mem);
}

// Where psi turns the upper part away, what hangs on its spring is not where the spring is at rest.
static void springs_inside_that_are_loaded_are_refused(void)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_case c = { .body = NULL };
  double theta = 0.3, *hz = NULL;
  if (get(&hanging, false, "0", &c)) {
    MW_FAILS(mw_direct_modes(&c.mech, &theta, N_MODE, 0, &mem, &hz, NULL, NULL, &err),
             MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "component link") && strstr(err.msg, "are loaded at this position"));
  }
  mw_case_free(&c);
  mw_arena_free(&mem);
}

// For all that follow.
static void parts_become_objects(void)
{
  static const char *const part[2][2] = { { "link.yaml", "link.so" },
                                          { "table.yaml", "table.so" } };
  put_link("");
  mw_leg_put("table.yaml", TABLE);
  for (int k = 0; k < 2; k++) {
    char path[160], out[160];
    mw_error err = { 0 };
    (void)MW_OKAY(
        mw_component_write(mw_leg_path(part[k][0], path), mw_leg_path(part[k][1], out), &err));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "parts_become_objects", parts_become_objects },
    { "a_link_on_a_cantilever_has_the_frequencies_of_its_parts",
      a_link_on_a_cantilever_has_the_frequencies_of_its_parts },
    { "a_table_on_a_beam_has_the_frequencies_of_its_parts",
      a_table_on_a_beam_has_the_frequencies_of_its_parts },
    { "a_link_on_a_cantilever_responds_as_its_parts",
      a_link_on_a_cantilever_responds_as_its_parts },
    { "a_table_on_a_beam_responds_as_its_parts", a_table_on_a_beam_responds_as_its_parts },
    { "static_patterns_are_those_of_the_parts", static_patterns_are_those_of_the_parts },
    { "a_rigid_machine_settles_and_swings_as_its_parts",
      a_rigid_machine_settles_and_swings_as_its_parts },
    { "a_rigid_machine_has_the_poles_of_its_parts", a_rigid_machine_has_the_poles_of_its_parts },
    { "friction_inside_has_frequencies_and_no_damping",
      friction_inside_has_frequencies_and_no_damping },
    { "loops_of_controllers_are_judged_as_on_its_parts",
      loops_of_controllers_are_judged_as_on_its_parts },
    { "springs_inside_that_are_loaded_are_refused", springs_inside_that_are_loaded_are_refused },
  };
  if (!mw_leg_open("test_component_modes")) return 1;
  int failed = mw_test_run("component_modes", cases, (int)(sizeof cases / sizeof *cases));
  mw_leg_close();
  return failed;
}
