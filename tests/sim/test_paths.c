// SPDX-License-Identifier: BSD-3-Clause
// test_paths.c: the reduced model against the full flexible simulation of a machine that slides and
// swings: two independent routes to the same motion, gyroscopic and centrifugal terms included.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/law.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/dae.h"

static const char *const swing =
    "scenarios:\n"
    "  swing:\n"
    "    duration: 0.5\n"
    "    step: 5e-4\n"
    "    store: 1e-3\n"
    "    start: { x: 0.5, phi: -0.6 }\n"
    "    initial: static\n"
    "    drives:\n"
    "      motor: { position: { cycloid: { from: 0.5, to: 1.4, start: 0, end: 0.4 } } }\n"
    "      swing: { position: { cycloid: { from: -0.6, to: 0.6, start: 0, end: 0.4 } } }\n"
    "  free:\n"
    "    duration: 0.4\n"
    "    step: 5e-4\n"
    "    store: 1e-3\n"
    "    start: { x: 0.9, phi: { at: -0.3, velocity: 1.5 } }\n"
    "    initial: static\n"
    "  thrown:\n"
    "    duration: 0.6\n"
    "    step: 2.5e-4\n"
    "    store: 1e-3\n"
    "    start: { x: { at: 0.6, velocity: 1.2 }, phi: { at: -0.3, velocity: 1 } }\n"
    "    initial: static\n"
    "    drives: { swing: { force: -1 } }\n";

typedef struct pair {
  mw_fixture f;
  mw_rom_file rom;
  bool good;
} pair;

static void open_pair(pair *p)
{
  mw_error err = { 0 };
  *p = (pair){ 0 };
  p->good = MW_CHECK(mw_fixture_machine(swing, &p->f)) &&
            MW_OKAY(mw_reduce(&p->f.model, &p->f.mech, NULL, &p->rom, &err));
}

static void close_pair(pair *p)
{
  mw_rom_file_free(&p->rom);
  mw_fixture_free(&p->f);
}

// Largest distance of the tool between two runs, m.
static double distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    double d = 0.0;
    for (int i = 0; i < 3; i++)
      d += pow(a->y[k * 3 * a->n_out + i] - b->y[k * 3 * b->n_out + i], 2.0);
    if (!(sqrt(d) <= worst)) worst = sqrt(d);
  }
  return worst;
}

// Largest distance of the tool from where it is on the rigid mechanism at the same coordinates, m.
static double deflection(const mw_fixture *f, const mw_run *r)
{
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  const mw_mech *m = &f->mech;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  double *p = mw_arena_f64(&mem, 12 * nb), *s = mw_arena_f64(&mem, nc), worst = 0.0;
  unsigned char *locked = mw_arena_alloc(&mem, nc, 1);
  memset(locked, 1, nc);
  memcpy(p, m->p0, 12 * nb * sizeof *p);
  memcpy(s, m->s0, nc * sizeof *s);
  const mw_output_in *o = &f->model.output[r->out[0]];
  for (int k = 0; k < r->n_t; k++) {
    double x[3], d = 0.0;
    if (!MW_OKAY(mw_mech_rigid_solve(m, locked, r->s + (size_t)k * nc, p, s, &err))) break;
    mw_mech_point(m, o->ref, o->x, p + 12 * o->ref.body, NULL, x, NULL, NULL);
    for (int i = 0; i < 3; i++) d += pow(r->y[k * 3 * r->n_out + i] - x[i], 2.0);
    if (!(sqrt(d) <= worst)) worst = sqrt(d);
  }
  mw_arena_free(&mem);
  return worst;
}

static double gmp_error(pair *p, int scenario, mw_rom_inertia inertia, double step)
{
  mw_error err = { 0 };
  mw_run full = { 0 }, gmp = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = step;
  const mw_scenario *sc = &p->f.model.scenario[scenario];
  p->rom.inertia = inertia;
  double d = NAN;
  if (MW_OKAY(mw_dae_run(&p->f.mech, sc, "full", &opt, NULL, &full, &err)) &&
      MW_OKAY(
          mw_rom_run(&p->f.model, &p->f.mech, &p->rom, sc, MW_ROM_STEP(step), NULL, &gmp, &err)))
    d = distance(&full, &gmp);
  mw_run_free(&full);
  mw_run_free(&gmp);
  return d;
}

// The arm's tip deflects by some millimetres (its own quasi-static deflection under the peak
// angular acceleration of 47 rad/s² and gravity); the reduction keeps three modes and all patterns.
static void reduced_machine_follows_the_full_one_when_it_slides_and_swings(void)
{
  pair p;
  open_pair(&p);
  if (p.good) {
    double full = gmp_error(&p, 0, MW_ROM_FULL, 5e-4),
           leading = gmp_error(&p, 0, MW_ROM_LEADING, 5e-4);
    printf("tool, full against reduced: inertia full %.2e m, leading %.2e m\n", full, leading);
    MW_CHECK(full < 1e-4);
    MW_CHECK(full <
             0.2 * leading);  // the convective, centrifugal and gyroscopic terms are what is left
  }
  close_pair(&p);
}

static void undriven_machine_keeps_its_energy_in_both_paths(void)
{
  pair p;
  open_pair(&p);
  if (p.good) {
    mw_error err = { 0 };
    const mw_scenario *sc = &p.f.model.scenario[1];
    double drift[2];
    for (int i = 0; i < 2; i++) {
      mw_run r = { 0 };
      drift[i] = NAN;
      if (MW_OKAY(mw_rom_run(&p.f.model, &p.f.mech, &p.rom, sc, MW_ROM_STEP(i == 0 ? 5e-5 : 2.5e-5),
                             NULL, &r, &err)))
        drift[i] = r.energy_drift;
      mw_run_free(&r);
    }
    // second order at steps that resolve the bearings (5 kHz); the work of their dampers is counted
    // by trapezoids
    MW_NEAR(drift[0] / drift[1], 4.0, 0.6);
  }
  close_pair(&p);
}

// The hub of the arm is light: after the impact its rate trembles with frequencies beyond any
// modes, by some 0.1 rad/s. Its friction is smoothed over that; a sharper law asks which way it
// trembles.
// The machine with friction of cart and hinge, and a stop 0.2 m ahead of the cart, which it meets
// at 1 m/s. The model file of the fixture has none: they are put into the joints it was made of.
static void add_laws(mw_fixture *f)
{
  mw_joint_in *x = &f->model.joint[0], *phi = &f->model.joint[2];
  x->has_law = phi->has_law = true;
  x->law = (mw_law){ 6.0, 9.0, 0.02, 2e-3, 0.3, 0.8, 1e5, 0.3, 1e-4, false };
  phi->law = (mw_law){ 0.4, 0.4, 0.02, 0.2, -INFINITY, INFINITY, 0.0, 0.0, 1.0, false };
}

// Two integrators, two sets of unknowns, two writings of the law. What each integrator errs by is
// about a third of what halving its step changes (order 2); the whole change bounds it. Beside that
// the reduced model leaves out what is of second order in the tool's deflection w over the arm's
// length, 0.4 m, of w itself: the impact turns the cart back and bends the arm by w.
static const double ARM = 0.4;  // m

static void reduced_machine_rubs_and_hits_its_stop_like_the_full_one(void)
{
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_run full[2] = { 0 }, gmp[2] = { 0 }, bare = { 0 };
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  const mw_scenario *sc = &f.model.scenario[2];
  mw_dae_opt opt = mw_dae_opt_default();
  opt.step = 2.5e-4;
  bool fine = MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &bare, &err));
  add_laws(&f);
  fine = fine && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
         MW_CHECK(rom.rom.n_law == 2) && MW_CHECK(rom.light && strcmp(rom.light, "phi") == 0);
  for (int i = 0; fine && i < 2; i++) {
    opt.step = i == 0 ? 1.25e-4 : 6.25e-5;  // the arm answers the impact at some 100 Hz and above
    fine = MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &full[i], &err)) &&
           MW_OKAY(
               mw_rom_run(&f.model, &f.mech, &rom, sc, MW_ROM_STEP(opt.step), NULL, &gmp[i], &err));
  }
  if (fine) {
    double off = distance(&full[1], &gmp[1]), effect = distance(&full[1], &bare);
    double half = distance(&full[0], &full[1]), half_gmp = distance(&gmp[0], &gmp[1]);
    double w = deflection(&f, &full[1]);
    printf("tool, friction and stop: full against reduced %.1e m of %.1e m, deflection %.1e m; "
           "steps halved %.1e, %.1e\n",
           off, effect, w, half, half_gmp);
    printf("energy: full %.1e %.1e, reduced %.1e %.1e\n", full[0].energy_drift,
           full[1].energy_drift, gmp[0].energy_drift, gmp[1].energy_drift);
    MW_CHECK(effect > 0.1);
    MW_NEAR(off, 0.0, half + half_gmp + w * w / ARM);
    // work is summed up by trapezoids: order 2, a quarter. Where the impact falls between two steps
    // moves each drift by some tenths (measured at six steps: ratios 4.5 4.2 6.3 4.0 4.0), so that
    // a third is asked for, and no lower limit
    MW_CHECK(full[1].energy_drift < full[0].energy_drift / 3.0);
    MW_CHECK(gmp[1].energy_drift < gmp[0].energy_drift / 3.0);
  }
  mw_run_free(&bare);
  for (int i = 0; i < 2; i++) {
    mw_run_free(&full[i]);
    mw_run_free(&gmp[i]);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A prescribed drive gives what friction takes, and nothing else of the motion changes: the force
// with friction less that without is -f(ṡ), in both paths, to rounding: of forces of 100 N in the
// full one; of what holds patterns in balance in the reduced one, some 10 kN and a hundred
// products. At t = 0 the full one keeps rates shifted by O(h²) (dae_first.c).
static void prescribed_drives_take_friction_upon_themselves(void)
{
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom[2] = { 0 };
  mw_run r[2][2] = { 0 };
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  const mw_scenario *sc = &f.model.scenario[0];
  mw_dae_opt opt = mw_dae_opt_default();
  bool fine = true;
  add_laws(&f);
  f.model.joint[0].law.lo = -INFINITY;
  f.model.joint[0].law.hi = INFINITY;
  mw_law law[2] = { f.model.joint[0].law, f.model.joint[2].law };
  for (int i = 0; fine && i < 2; i++) {
    for (int k = 0; i == 0 && k < 2; k++)
      f.model.joint[2 * k].law.coulomb = f.model.joint[2 * k].law.stiction = 0.0;
    for (int k = 0; i == 1 && k < 2; k++) f.model.joint[2 * k].law = law[k];
    fine = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom[i], &err)) &&
           MW_OKAY(mw_dae_run(&f.mech, sc, "full", &opt, NULL, &r[0][i], &err)) &&
           MW_OKAY(
               mw_rom_run(&f.model, &f.mech, &rom[i], sc, MW_ROM_STEP(5e-4), NULL, &r[1][i], &err));
  }
  for (int path = 0; fine && path < 2; path++) {
    const mw_run *bare = &r[path][0], *rubs = &r[path][1];
    double worst[2] = { 0.0, 0.0 }, most[2] = { 0.0, 0.0 };
    for (int k = 1; k < rubs->n_t; k++)
      for (int c = 0; c < 2; c++) {
        double F[3], *s_dot = &rubs->s_dot[k * rubs->n_coord + c];
        mw_law_force(&law[c], rubs->s[k * rubs->n_coord + c], *s_dot, F);
        double more = rubs->force[2 * k + c] - bare->force[2 * k + c];
        worst[c] = fmax(worst[c], fabs(more + F[0]));
        most[c] = fmax(most[c], fabs(F[0]));
      }
    double tol = DBL_EPSILON * (path == 0 ? 1e3 : 1e6);
    MW_NEAR(worst[0], 0.0, tol);
    MW_NEAR(worst[1], 0.0, tol);
    MW_CHECK(most[0] > 6.0 && most[1] > 0.39);
  }
  for (int i = 0; i < 4; i++) mw_run_free(&r[i / 2][i % 2]);
  for (int i = 0; i < 2; i++) mw_rom_file_free(&rom[i]);
  mw_fixture_free(&f);
}

// ---- a cart on a beam that does not bend --------------------------------------------------------

static const char *const rides =
    "scenarios:\n"
    "  slides: { duration: 0.098, step: 4.9e-5, store: 9.8e-4, start: { x: { at: 0.2, velocity: "
    "0.5 } } }\n"
    "  sticks: { duration: 0.2, step: 1e-3, store: 0.01, start: { x: 0.2 }, drives: { motor: { "
    "force: 1.5 } } }\n"
    "  bounces: { duration: 0.12, step: 2e-5, store: 1e-3, start: { x: { at: 0.2, velocity: 1 } } "
    "}\n";

// Rate at the end of a scenario with a law on x, and x; the cart of 0.5 kg does not bend the beam
// without gravity.
static bool ride(const mw_fixture *f, mw_rom_file *rom, int scenario, const mw_law *law,
                 double step, double *v, double *x)
{
  mw_error err = { 0 };
  mw_run r = { 0 };
  const mw_rom_law in_rom = { .field = rom->rom.u_field[0],
                              .coulomb = law->coulomb,
                              .stiction = law->stiction,
                              .stribeck = law->stribeck,
                              .smooth = law->smooth,
                              .lo = law->lo,
                              .hi = law->hi,
                              .stiffness = law->stiffness,
                              .damping = law->damping,
                              .soft = law->soft };
  rom->rom.n_law = 1;
  rom->rom.law = &in_rom;
  bool fine = MW_OKAY(mw_rom_run(&f->model, &f->mech, rom, &f->model.scenario[scenario],
                                 MW_ROM_STEP(step), NULL, &r, &err));
  *v = fine ? r.s_dot[r.n_t - 1] : (double)NAN;
  *x = fine ? r.s[r.n_t - 1] : (double)NAN;
  rom->rom.n_law = 0;
  rom->rom.law = NULL;
  mw_run_free(&r);
  return fine;
}

static double rebound(double v, double c) { return v / c - log1p(c * v) / (c * c); }
static double spring(double p, double soft)
{
  return 0.25 * (p * p + p * hypot(p, soft) + soft * soft * asinh(p / soft));
}

// The closed forms of test_laws.c: time of sliding, rate of creep, law of restitution. What half
// the step changes bounds what is left (order 2).
static void reduced_cart_slides_sticks_and_bounces_as_it_should(void)
{
  static const double M = 0.5, S = 1e-3, F = 2.5, V0 = 0.5, T = 0.098, C = 0.4, SOFT = 1e-4;
  static const mw_law rubs = { 2.5, 2.5, 0.02, 1e-3, -INFINITY, INFINITY, 0.0, 0.0, 1.0, false },
                      ends = { 0.0, 0.0, 1.0, 1.0, -INFINITY, 0.24, 2.5e4, 0.4, 1e-4, false };
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 8, M, 0.0, 5, 2, rides, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    double v[2], x[2], miss[2];
    double before = rebound(1.0, C) + ends.stiffness / M * spring(0.2 - ends.hi, SOFT);
    for (int i = 0; i < 2; i++)
      if (ride(&f, &rom, 0, &rubs, i == 0 ? 4.9e-5 : 2.45e-5, &v[i], &x[i]))
        miss[i] =
            M / F * (hypot(V0, S) - S * asinh(S / V0) - hypot(v[i], S) + S * asinh(S / v[i])) - T;
      else
        miss[i] = NAN;
    MW_CHECK(v[1] > 0.0 && v[1] < 0.05);
    MW_NEAR(miss[1], 0.0, fabs(miss[0] - miss[1]) + 1e-12);
    for (int i = 0; i < 2; i++)
      if (ride(&f, &rom, 2, &ends, i == 0 ? 2e-5 : 1e-5, &v[i], &x[i]))
        miss[i] = rebound(v[i], C) + ends.stiffness / M * spring(x[i] - ends.hi, SOFT) - before;
      else
        miss[i] = NAN;
    MW_CHECK(v[1] < -0.7 && v[1] > -0.9 && x[1] < 0.24);
    MW_NEAR(miss[1], 0.0, fabs(miss[0] - miss[1]) + 1e-12);
    printf("reduced cart: impact missed by %.1e, %.1e\n", miss[0], miss[1]);
    // steps of five time constants m smooth/coulomb; 200 of them leave nothing of how it began
    if (ride(&f, &rom, 1, &rubs, 1e-3, &v[0], &x[0]))
      MW_NEAR(v[0], S * 1.5 / 2.0, mw_test_rounding(200, S));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void flat_axes_are_found_and_change_nothing(void)
{
  pair p;
  open_pair(&p);
  if (p.good) {
    // the rail is rigid: nothing depends on x but positions; the arm turns: phi is no flat axis
    MW_CHECK(p.rom.rom.flat == 1u);
    MW_CHECK(mw_rom_n_knot(&p.rom.rom, 0) == 1 && mw_rom_n_knot(&p.rom.rom, 1) > 1);
    mw_error err = { 0 };
    double a[3], b[3];
    const double at[2][2] = { { 0.4, 0.3 }, { 1.5, 0.3 } };
    MW_OKAY(mw_rom_frequencies(&p.rom, at[0], true, 3, a, &err));
    MW_OKAY(mw_rom_frequencies(&p.rom, at[1], true, 3, b, &err));
    MW_SAME_BITS(a, b, 3);
    // tool.x moves with x one to one
    double *v = calloc((size_t)p.rom.rom.n_field, sizeof *v),
           *g = calloc(2 * (size_t)p.rom.rom.n_field, sizeof *g);
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&p.rom.rom));
    mw_rom_info info;
    MW_CHECK(mw_rom_fields(&p.rom.rom, at[1], v, g, &info) == MW_ROM_OK);
    MW_WITHIN(g[L.y], 1.0, 1e-7, "what an axis counts as flat by");
    free(v);
    free(g);
  }
  close_pair(&p);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "reduced_machine_follows_the_full_one_when_it_slides_and_swings",
      reduced_machine_follows_the_full_one_when_it_slides_and_swings },
    { "undriven_machine_keeps_its_energy_in_both_paths",
      undriven_machine_keeps_its_energy_in_both_paths },
    { "reduced_machine_rubs_and_hits_its_stop_like_the_full_one",
      reduced_machine_rubs_and_hits_its_stop_like_the_full_one },
    { "prescribed_drives_take_friction_upon_themselves",
      prescribed_drives_take_friction_upon_themselves },
    { "reduced_cart_slides_sticks_and_bounces_as_it_should",
      reduced_cart_slides_sticks_and_bounces_as_it_should },
    { "flat_axes_are_found_and_change_nothing", flat_axes_are_found_and_change_nothing },
  };
  return mw_test_run("paths", cases, (int)(sizeof cases / sizeof *cases));
}
