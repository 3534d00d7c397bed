// SPDX-License-Identifier: BSD-3-Clause
// test_modal.c: one meaning of damping.modal: the full and body paths damp the modes that the
// reduced path damps.
//
// Beam of mw_fixture_beam, EI = rho A = L = 1, a mass of ½ on it.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "rom_step.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"

enum { N_MODE = 10 };

#define DAMPED "damping: { modal: 0.05 }\n"
// modes of the beam alone are at π k²/2 Hz
#define DAMPED_OVER                                                                                \
  "damping: { modal: { frequency: [2, 14.13716694, 39.26990817, 76.96902001, 127.2345025],\n"      \
  "                    ratio: [0.02, 0.1, 0.04, 0.06, 0.08] } }\n"
static const char *const scenarios =
    "drives: { push: { force: { on: beam.mid, direction: [0, 0, 1] } } }\n"
    "scenarios:\n"
    "  rings: { duration: 1.5, step: 1e-3, store: 1e-2, start: { x: 0 }, initial: undeformed,\n"
    "           drives: { motor: { position: 0 }, push: { force: 1 } } }\n"
    "  stands: { duration: 1, step: 5e-4, store: 1e-2, start: { x: 0.37 }, initial: undeformed,\n"
    "            drives: { motor: { position: 0.37 }, push: { force: 1 } } }\n"
    "  crosses: { duration: 1, step: 5e-4, store: 1e-2, start: { x: 0.1 }, initial: static,\n"
    "             drives: { motor: { position: { cycloid: { from: 0.1, to: 0.9, start: 0, end: "
    "0.8 } } } } }\n";

static bool run_dae(const mw_fixture *f, const mw_mech *m, const char *path, int scenario, int n,
                    mw_run *r)
{
  mw_error err = { 0 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.n_modal = n;
  return MW_OKAY(mw_dae_run(m, &f->model.scenario[scenario], path, &opt, NULL, r, &err));
}

// Under a step at mid-span u = Σ 2 sin²(kπ/2)/ω² (1 − e^{−ζωt} (cos ω_d t + ζ/√(1−ζ²) sin ω_d t)),
// ω = (kπ)²; ten modes are damped, the eleventh and those above, 2/(11π)⁴ of 1/48 and less, ring
// on. 16 elements have the first mode to 1e-6.
static void ring_out(const char *damping, double (*ratio)(double omega))
{
  const double pi = acos(-1.0);
  char text[2048];
  mw_fixture f;
  mw_run r = { 0 };
  snprintf(text, sizeof text, "%s%s", damping, scenarios);
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 0.0, 9, N_MODE, text, &f))) return;
  if (run_dae(&f, &f.mech, "full", 0, N_MODE, &r)) {
    double worst = 0.0;
    for (int k = 0; k < r.n_t; k++) {
      double u = 0.0, t = r.t[k];
      for (int j = 1; j < 40; j += 2) {
        double w = pow(j * pi, 2.0), z = j < N_MODE ? ratio(w) : 0.0, wd = w * sqrt(1.0 - z * z);
        u += 2.0 / (w * w) *
             (1.0 - exp(-z * w * t) * (cos(wd * t) + z / sqrt(1.0 - z * z) * sin(wd * t)));
      }
      worst = fmax(worst, fabs(r.y[3 * (size_t)k * (size_t)r.n_out + 2] - u));
    }
    double peak = 2.0 / 48.0, high = 0.0;
    for (int j = N_MODE + 1; j < 40; j += 2) high += 2.0 / pow(j * pi, 4.0);
    printf("ringing out: off by %.1e of the peak, energy %.1e\n", worst / peak, r.energy_drift);
    // twice what the modes from the eleventh on do, which the step does not follow; in the others
    // the step of 1 ms has a phase of (ω h)²/12 ω t, with e^{−ζωt} at most (ω h)²/(12 e ζ) of 2/ω²
    double phase = 0.0;
    for (int j = 1; j <= N_MODE; j += 2) {
      double w = pow(j * pi, 2.0);
      phase += 2.0 / (w * w) * fmin(2.0, pow(w * 1e-3, 2.0) / (12.0 * exp(1.0) * ratio(w)));
    }
    MW_NEAR(worst, 0.0, 2.0 * high + 2.0 * phase);
    MW_NEAR(r.energy_drift, 0.0, 1e-3);
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

static double ratio_of_all(double omega)
{
  (void)omega;
  return 0.05;
}

// DAMPED_OVER at the modes, which are its points; the first is below them.
static double ratio_of_each(double omega)
{
  static const double ratio[] = { 0.02, 0.1, 0.04, 0.06, 0.08 };
  double k = sqrt(omega) / acos(-1.0);
  return ratio[(int)(0.5 * (k - 1.0) + 0.25)];
}

static void modes_ring_out_by_their_ratio(void) { ring_out(DAMPED, ratio_of_all); }
static void modes_ring_out_by_the_ratio_of_their_frequency(void)
{
  ring_out(DAMPED_OVER, ratio_of_each);
}

// Largest difference of the mid-span deflection of two runs over the peak of the second.
static double difference(const mw_run *a, const mw_run *b)
{
  double worst = 0.0, peak = 0.0;
  for (int k = 0; k < a->n_t; k++) {
    size_t i = 3 * (size_t)k * (size_t)a->n_out + 2;
    worst = fmax(worst, fabs(a->y[i] - b->y[i]));
    peak = fmax(peak, fabs(b->y[i]));
  }
  return worst / peak;
}

// Held at x = 0.37 (stands), and while the mass crosses.
static void full_body_and_reduced_paths_damp_alike(const char *damping, int scenario, double tol)
{
  char text[2048];
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_mech mech = { 0 };
  mw_run full = { 0 }, body = { 0 }, gmp = { 0 }, bare = { 0 };
  snprintf(text, sizeof text, "%s%s", damping, scenarios);
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.5, 2.0, 33, N_MODE, text, &f))) return;
  mw_body *b = mw_arena_alloc(&mem, (size_t)f.model.n_body, sizeof *b);
  bool good = MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
  for (int i = 0; good && i < f.model.n_body; i++)
    good = MW_OKAY(mw_body_basis(&f.body[i], 6, false, &mem, &b[i], NULL, &err));
  good = good && MW_OKAY(mw_mech_build(&f.model, b, &mem, &mech, &err)) &&
         run_dae(&f, &f.mech, "full", scenario, N_MODE, &full) &&
         run_dae(&f, &mech, "body", scenario, N_MODE, &body) &&
         run_dae(&f, &f.mech, "full", scenario, 0, &bare) &&
         MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[scenario], MW_ROM_STEP(5e-4),
                            NULL, &gmp, &err));
  if (good) {
    double h = f.model.scenario[scenario].step, b_f = difference(&body, &full),
           g_f = difference(&gmp, &full), effect = difference(&bare, &full);
    printf("modal damping: body %.1e, reduced %.1e of the peak; without damping %.1e\n", b_f, g_f,
           effect);
    MW_CHECK(effect > 2e-2);
    // the basis has static modes of every node of the guide, all there is: the same equations,
    // whose steps round by the condition (ω h)² of their matrix, ω² = 8400/l⁴ the stiffest bending
    // of an element, and add up as √steps
    MW_NEAR(b_f, 0.0, mw_test_rounding(full.steps, 8400.0 * pow(16.0, 4.0) * h * h));
    MW_NEAR(g_f, 0.0, tol);
    MW_NEAR(full.energy_drift, 0.0, 1e-3);  // trapezoids of power where the force starts at once
  }
  mw_run_free(&full);
  mw_run_free(&body);
  mw_run_free(&gmp);
  mw_run_free(&bare);
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// Ten modes and the pattern of the force leave the modes from the eleventh on, 2/(11π)⁴ of 1/48 =
// 7e-5 each of what force and weight bring, and what they ring by, as much again: some hundreds of
// millionths.
static void held_mechanism_is_damped_alike(void)
{
  full_body_and_reduced_paths_damp_alike(DAMPED, 1, 1e-3);
}

// The dissipation while θ moves is in the reduced model's CE and CC; what is left is that of the
// held mechanism.
static void moving_mechanism_is_damped_alike(void)
{
  full_body_and_reduced_paths_damp_alike(DAMPED, 2, 1e-3);
}

// The same where ratios depend on frequencies, which move with the mass.
static void damping_over_frequency_is_alike(void)
{
  full_body_and_reduced_paths_damp_alike(DAMPED_OVER, 2, 1e-3);
}

// Largest distance of the tool of two runs, m
static double tool_distance(const mw_run *a, const mw_run *b)
{
  double worst = 0.0;
  for (int k = 0; k < 3 * a->n_t * a->n_out; k++) worst = fmax(worst, fabs(a->y[k] - b->y[k]));
  return worst;
}

// The arm of mw_fixture_machine swings freely. A rigid turn strains nothing, so damping takes next
// to nothing of the swing; what it changes are the arm's vibrations, and there both paths agree to
// a tenth of them (three modes a side, patterns in the reduced one).
static void turning_mechanism_is_not_braked(void)
{
  static const char *const swing =
      "damping: { modal: 0.05 }\n"
      "scenarios:\n"
      "  free: { duration: 0.2, step: 5e-4, store: 1e-3, initial: undeformed,\n"
      "          start: { x: 0.9, phi: { at: -0.3, velocity: 1.5 } } }\n";
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, bare = { 0 }, gmp = { 0 };
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    int n = 0;
    for (int k = 0; k < rom.rom.m; k++) n += strncmp(rom.column[k], "mode ", 5) == 0;
    if (run_dae(&f, &f.mech, "full", 0, n, &full) && run_dae(&f, &f.mech, "full", 0, 0, &bare) &&
        MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], MW_ROM_STEP(5e-4), NULL,
                           &gmp, &err))) {
      double effect = tool_distance(&full, &bare), off = tool_distance(&full, &gmp);
      int c = f.mech.joint[2].coord, last = (full.n_t - 1) * full.n_coord + c;
      double turned = fabs(bare.s[last] + 0.3), braked = fabs(full.s[last] - bare.s[last]);
      printf("swing: damping moves the tool by %.1e m, full against reduced %.1e m; %.1e of the "
             "turn\n",
             effect, off, braked / turned);
      MW_CHECK(effect > 1e-5);
      MW_CHECK(off < 0.1 * effect);
      MW_CHECK(braked < 1e-2 * turned);
    }
  }
  mw_run_free(&full);
  mw_run_free(&bare);
  mw_run_free(&gmp);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A heavy point on a light shaft, y + i z = w, spinning at Ω, pushed along z from t = 0 on. Modal
// damping is in the shaft, which turns: ẅ + 2ζω (ẇ − iΩ w) + ω² w = i F/m, ω² = 192 EI/(m L³), so
// that
//   w = w∞ + A e^{s₁t} + B e^{s₂t} ,  w∞ = (i F/m)/(ω² − 2iζωΩ) ,  s² + 2ζω s + ω² − 2iζωΩ = 0
// Damping against ground would bring w∞ down by 9 % of itself.
static void damping_of_a_spinning_shaft_turns_with_it(void)
{
  static const char *const text =
      "modeway: 1\nname: shaft\ngravity: [0, 0, 0]\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 1, unusual: true } }\n"
      "sections: { s: { circle: { diameter: 0.02 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  base: { ground: true, rigid: { mass: 0 }, frames: { B: { point: [0.8, 0, 0] } } }\n"
      "  rot:\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.4, 0, 0], b: [0.8, 0, 0] }\n"
      "      members:\n"
      "        - { from: a, to: m, section: s, material: steel, elements: 4 }\n"
      "        - { from: m, to: b, section: s, material: steel, elements: 4 }\n"
      "    frames: { a: { node: a }, m: { node: m }, b: { node: b } }\n"
      "  disk: { at: [0.4, 0, 0], rigid: { mass: 8, com: [0, 0, 0],\n"
      "          inertia: [1e-4, 6e-5, 6e-5, 0, 0, 0] } }\n"
      "joints:\n"
      "  s: { revolute: { a: base, b: rot.a, axis: [1, 0, 0] }, coordinate: phi, drive: motor }\n"
      "  r: { cylindrical: { a: base.B, b: rot.b, axis: [1, 0, 0] } }\n"
      "  f: { fixed: { a: rot.m, b: disk } }\n"
      "drives: { push: { force: { on: rot.m, direction: [0, 0, 1] } } }\n"
      "damping: { modal: 0.1 }\n"
      "outputs: { m: { frame: rot.m } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true,\n"
      "                        points: 9, max_rate: 60 } }\n"
      "  modes: { count: 2 }\n"
      "scenarios:\n"
      "  push: { duration: 0.3, step: 1e-4, store: 1e-3, initial: undeformed,\n"
      "          start: { phi: { at: 0, velocity: 60 } },\n"
      "          drives: { motor: { position: { ramp: { from: 0, velocity: 60 } } },\n"
      "                    push: { force: 50 } } }\n";
  const double complex I1 = I;
  const double pi = acos(-1.0), z = 0.1, Omega = 60.0, F = 50.0, m = 8.0, h = 1e-4,
               k = 192.0 * 210e9 * pi * pow(0.02, 4.0) / 64.0 / pow(0.8, 3.0), w = sqrt(k / m);
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_run full = { 0 }, gmp = { 0 };
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
      run_dae(&f, &f.mech, "full", 0, 2, &full) &&
      MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], MW_ROM_STEP(h), NULL, &gmp,
                         &err))) {
    double complex c = w * w - 2.0 * I1 * z * w * Omega, end = I1 * F / m / c;
    double complex root = csqrt(z * z * w * w - c), s1 = -z * w + root, s2 = -z * w - root;
    double complex A = end * s2 / (s1 - s2), B = -end - A;
    double off[2] = { 0.0, 0.0 };
    for (int i = 0; i < full.n_t; i++) {
      double t = full.t[i];
      double complex x = end + A * cexp(s1 * t) + B * cexp(s2 * t);
      size_t at = 3 * (size_t)i * (size_t)full.n_out;
      off[0] = fmax(off[0], cabs(full.y[at + 1] + I1 * full.y[at + 2] - x));
      off[1] = fmax(off[1], cabs(gmp.y[at + 1] + I1 * gmp.y[at + 2] - x));
    }
    printf("spinning shaft: full %.1e, reduced %.1e of the deflection\n", off[0] / cabs(end),
           off[1] / cabs(end));
    // phase of the step (ωh)²/12 ωt, with e^{−ζωt} at most (ωh)²/(12 e ζ); the shaft's mass, 13/35
    // of it over m; the tilted disk's and the shaft's own modes, static under the push: 1e-4
    double shaft = 13.0 / 35.0 * pi * 1e-4 * 0.8 / m;
    double tol = pow(w * h, 2.0) / (12.0 * exp(1.0) * z) + shaft + 1e-4;
    MW_NEAR(off[0] / cabs(end), 0.0, tol);
    MW_NEAR(off[1] / cabs(end), 0.0, tol);
  }
  mw_run_free(&full);
  mw_run_free(&gmp);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// A uniform cantilever on a hub that spins at Ω about its axis, pushed across at the tip from t = 0
// on. C = αM turns with the machine, so that every mode of y + i z = w has ẅ + α (ẇ − iΩ w) + ω² w
// = i F/m_k, and with 4/(m ω_k²) for the tip
//   w = Σ_k 4 i F/m/(ω_k² − iαΩ) (1 + (s₂ e^{s₁t} − s₁ e^{s₂t})/(s₁ − s₂)) ,  s² + α s + ω_k² − iαΩ
//                                                                             = 0
static double complex spun_cantilever(double t, double omega1, double m, double alpha, double Omega,
                                      double F)
{
  static const double LAMBDA[] = { 1.875104068711961, 4.694091132974174, 7.854757438237613,
                                   10.99554073487547, 14.13716839104647 };
  double complex sum = 0.0;
  for (int k = 0; k < 40; k++) {
    double lambda = k < 5 ? LAMBDA[k] : (k + 0.5) * acos(-1.0);
    double w = omega1 * pow(lambda / LAMBDA[0], 2.0);
    double complex c = w * w - I * alpha * Omega, root = csqrt(0.25 * alpha * alpha - c),
                   s1 = -0.5 * alpha + root, s2 = -0.5 * alpha - root;
    sum += 4.0 * I * F / m / c * (1.0 + (s2 * cexp(s1 * t) - s1 * cexp(s2 * t)) / (s1 - s2));
  }
  return sum;
}

// How far the stored tip is from it, over the static deflection
static double off_spun(const mw_run *r, double omega1, double m, double alpha, double Omega,
                       double F)
{
  double worst = 0.0, still = F / m * 4.0 / (omega1 * omega1);
  for (int i = 0; i < r->n_t; i++) {
    const double *y = r->y + 3 * (size_t)i * (size_t)r->n_out;
    worst =
        fmax(worst, cabs(y[1] + I * y[2] - spun_cantilever(r->t[i], omega1, m, alpha, Omega, F)));
  }
  return worst / still;
}

static void mass_proportional_damping_turns_with_the_machine(void)
{
  static const char *const text =
      "modeway: 1\nname: stub\ngravity: [0, 0, 0]\ndamping: { alpha: 6 }\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { circle: { diameter: 0.02 }, shear: false, rotary: false } }\n"
      "bodies:\n"
      "  hub: { rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "  rod:\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], e: [2, 0, 0] }\n"
      "      members: [{ from: a, to: e, section: s, material: steel, elements: 16 }]\n"
      "      divide: %d\n"
      "    frames: { a: { node: a }, e: { node: e } }\n"
      "joints:\n"
      "  s: { revolute: { a: ground, b: hub, axis: [1, 0, 0] }, coordinate: phi, drive: motor }\n"
      "  f: { fixed: { a: hub, b: rod.a } }\n"
      "drives: { push: { force: { on: rod.e, direction: [0, 0, 1] } } }\n"
      "outputs: { e: { frame: rod.e } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-3.141592653589793, 3.141592653589793], cyclic: true,\n"
      "                        points: 17, max_rate: 15 } }\n"
      "  modes: { count: 10 }\n"
      "scenarios:\n"
      "  push: { duration: 0.4, step: 1e-4, store: 1e-3, initial: undeformed,\n"
      "          start: { phi: { at: 0, velocity: 15 } },\n"
      "          drives: { motor: { position: { ramp: { from: 0, velocity: 15 } } },\n"
      "                    push: { force: 1 } } }\n";
  const double pi = acos(-1.0), h = 1e-4, T = 0.4, m = 7850.0 * 0.25 * pi * 4e-4 * 2.0,
               w1 = pow(1.875104068711961 / 2.0, 2.0) *
                    sqrt(210e9 * pi * pow(0.02, 4.0) / 64.0 / (m / 2.0));
  // phase of the step, (ωh)²/12 ωt of each mode with its share (ω1/ω)² of the deflection, 2 at most
  double step = 0.0, above = 0.0;
  for (int k = 0; k < 40; k++) {
    double w = w1 * (k == 0 ? 1.0 : pow((k + 0.5) * pi / 1.875104068711961, 2.0));
    step += pow(w1 / w, 2.0) * fmin(2.0, pow(w * h, 2.0) / 12.0 * w * T);
    if (k >= 5) above += 2.0 * pow(w1 / w, 2.0);  // static in the reduced model
  }
  for (int divide = 1; divide <= 4; divide += 3) {
    char model[4096];
    mw_error err = { 0 };
    mw_fixture f;
    mw_rom_file rom = { 0 };
    mw_run full = { 0 }, gmp = { 0 };
    snprintf(model, sizeof model, text, divide);
    if (!MW_CHECK(mw_fixture_text(model, &f))) return;
    if (run_dae(&f, &f.mech, "full", 0, 10, &full))
      MW_NEAR(off_spun(&full, w1, m, 6.0, 15.0, 1.0), 0.0, step + 1e-4);
    if (divide == 1 && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
        MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], MW_ROM_STEP(h), NULL,
                           &gmp, &err)))
      MW_NEAR(off_spun(&gmp, w1, m, 6.0, 15.0, 1.0), 0.0, step + above + 1e-4);
    mw_run_free(&full);
    mw_run_free(&gmp);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

// Beam with a mass at its end on a hub of inertia J that a torque turns
static bool hub(double J, const char *damping, mw_fixture *f)
{
  static const char *const text =
      "modeway: 1\nname: stub\nstrain: linear\ngravity: [0, 0, 0]\ndamping: { %s }\n"
      "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.01, height: 0.02 } } }\n"
      "bodies:\n"
      "  hub: { rigid: { mass: 0.1, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] } }\n"
      "  arm:\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], e: [1, 0, 0] }\n"
      "      members: [{ from: a, to: e, section: s, material: steel, elements: 8 }]\n"
      "    frames: { a: { node: a }, e: { node: e, mass: 1 } }\n"
      "joints:\n"
      "  s: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: phi, drive: motor }\n"
      "  f: { fixed: { a: hub, b: arm.a } }\n"
      "outputs: { e: { frame: arm.e } }\n"
      "reduction:\n"
      "  coordinates: { phi: { range: [-0.2, 0.2], points: 5, max_rate: 2, max_acceleration: 50 } "
      "}\n"
      "  modes: { count: 4 }\n"
      "scenarios:\n"
      "  turn: { duration: 0.2, step: 5e-4, store: 1e-2, initial: undeformed, start: { phi: 0 },\n"
      "          drives: { motor: { force: { sine: { amplitude: 0.5, frequency: 4 } } } } }\n";
  char model[4096];
  snprintf(model, sizeof model, text, damping, J, J, J);
  return MW_CHECK(mw_fixture_text(model, f));
}

// Of α the second correction of a step finds that the first one was right, whatever the
// coordinate's own inertia: Newton's matrix has all of first order. It lacks modal damping, beside
// light coordinates by more than it has: combined iterates converge nevertheless. Small motion,
// beside which the matrix at the undeformed machine is the tangent. The reduced path is another way
// to the same motion, within its certificate's promise of 2e-3 of the deflection.
static void damped_beside_light_coordinates(bool modal)
{
  const double inertia[] = { 1.0, 1e-3, 1e-5 }, step[] = { 1e-2, 2.5e-3, 5e-4 };
  for (int i = 0; i < 3; i++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_rom_file rom = { 0 };
    mw_run gmp = { 0 };
    if (!hub(inertia[i], modal ? "modal: 0.05" : "alpha: 20", &f)) return;
    bool good = i == 1 && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err)) &&
                MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], MW_ROM_STEP(5e-4),
                                   NULL, &gmp, &err));
    for (int k = 0; k < 3; k++) {
      mw_run full = { 0 };
      mw_dae_opt opt = mw_dae_opt_default();
      opt.step = step[k];
      opt.n_modal = modal ? 4 : 0;
      if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &full, &err))) {
        printf("hub of %g, steps of %g s: %.2f iterations a step\n", inertia[i], step[k],
               (double)full.iterations / full.steps);
        MW_CHECK(modal || full.iterations <= 2 * full.steps);
        double worst = 0.0, bent = 0.0;
        for (int t = 0; good && k == 2 && t < full.n_t; t++) {
          size_t at = 3 * (size_t)t * (size_t)full.n_out + 1;
          worst = fmax(worst, fabs(full.y[at] - gmp.y[at]));
          bent = fmax(bent, fabs(full.y[at] - sin(full.s[(size_t)t * (size_t)full.n_coord])));
        }
        if (good && k == 2) MW_NEAR(worst, 0.0, 2e-3 * bent);
      }
      mw_run_free(&full);
    }
    mw_run_free(&gmp);
    mw_rom_file_free(&rom);
    mw_fixture_free(&f);
  }
}

static void damping_beside_light_coordinates_costs_no_iterations(void)
{
  damped_beside_light_coordinates(false);
}

static void modal_damping_beside_light_coordinates_converges(void)
{
  damped_beside_light_coordinates(true);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "modes_ring_out_by_their_ratio", modes_ring_out_by_their_ratio },
    { "modes_ring_out_by_the_ratio_of_their_frequency",
      modes_ring_out_by_the_ratio_of_their_frequency },
    { "damping_over_frequency_is_alike", damping_over_frequency_is_alike },
    { "held_mechanism_is_damped_alike", held_mechanism_is_damped_alike },
    { "moving_mechanism_is_damped_alike", moving_mechanism_is_damped_alike },
    { "turning_mechanism_is_not_braked", turning_mechanism_is_not_braked },
    { "damping_of_a_spinning_shaft_turns_with_it", damping_of_a_spinning_shaft_turns_with_it },
    { "mass_proportional_damping_turns_with_the_machine",
      mass_proportional_damping_turns_with_the_machine },
    { "damping_beside_light_coordinates_costs_no_iterations",
      damping_beside_light_coordinates_costs_no_iterations },
    { "modal_damping_beside_light_coordinates_converges",
      modal_damping_beside_light_coordinates_converges },
  };
  return mw_test_run("modal", cases, (int)(sizeof cases / sizeof *cases));
}
