// SPDX-License-Identifier: BSD-3-Clause
// test_flexible_joined.c: two components by reduced models, joined to each other.
//
// Each is one half of a slender beam, clamped at its outer end; joined tip to tip they are the beam
// of length l clamped at both ends (Bernoulli):
//
//   cos β cosh β = 1 ,   ω = (β/l)² √(EI/μ) ,   φ = cosh ξ − cos ξ − σ (sinh ξ − sin ξ) ,
//   σ = (cosh β − cos β)/(sinh β − sin β) ,   ξ = β x/l ,   ∫ φ² dx = l                (1)
//
// A force F sin Ωt on the middle of the beam at rest moves it there by
//
//   w(t) = F l³/(192 EI) sin Ωt
//          + Σ F φ²(l/2)/(μ l) ((sin Ωt − Ω/ω sin ωt)/(ω² − Ω²) − sin Ωt/ω²)            (2)
//
// where the first term is the static deflection, Σ F φ²(l/2)/(μ l ω²) of all modes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/export_layer.h"
#include "flexible_rig.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/linearize.h"

static const double PI = 3.14159265358979323846;
static mw_arena mem;

// r² = I/A = 2e-7 m²: shear and rotary inertia take (1 + 2 (1 + ν)/k) (β/l)² r²/2 of a frequency,
// 4e-6 of the lowest.
static const double LENGTH = 1.6, EI = 70e9 * 2e-10, MU = 2700 * 1e-3;  // m, N m², kg/m
static const double FORCE = 6e-4, HZ = 2.0;                             // N

// Of the whole beam and of both halves, as far as their points.
#define BEAM                                                                                       \
  "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"                                         \
  "sections:\n"                                                                                    \
  "  rod: { general: { A: 1e-3, Iy: 2e-10, Iz: 2e-10, It: 4e-10, ky: 0.8, kz: 0.8 } }\n"           \
  "bodies:\n"                                                                                      \
  "  beam:\n"                                                                                      \
  "    ground: true\n"                                                                             \
  "    beams:\n"

// The reduction wants a coordinate: a wheel that touches nothing.
static const char HALF[] =
    "modeway: 1\nname: half a beam\ngravity: [0, 0, 0]\n" BEAM
    "      points: { a: [0, 0, 0], b: [0.8, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: rod, material: alu, elements: 12,\n"
    "                  up: [0, 0, 1] }]\n"
    "    supports: [{ nodes: a }]\n"
    "    frames: { tip: { node: b } }\n"
    "  base: { ground: true, frames: { axis: { point: [0, 0, 0] } } }\n"
    "  wheel: { rigid: { mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] } }\n"
    "joints:\n"
    "  turn: { revolute: { a: base.axis, b: wheel, axis: [0, 0, 1] }, coordinate: turn }\n"
    "outputs: { tip: { orientation: beam.tip, arm: 0.1 } }\n"
    "reduction:\n"
    "  coordinates: { turn: { range: [-0.1, 0.1], points: 4, max_rate: 1,\n"
    "                         max_acceleration: 10 } }\n"
    "  modes: { count: 8 }\n"
    "  tolerance: 1e-3\n"
    "  certificate: { points: 1, samples: 3 }\n";
static const char JOINED[] =
    "modeway: 1\nname: two halves\ngravity: [0, 0, 0]\n"
    "assemblies:\n"
    "  left: { component: half.so }\n"
    "  right: { component: half.so, at: [1.6, 0, 0], axes: { x: [-1, 0, 0], y: [0, -1, 0] } }\n"
    "joints: { middle: { fixed: { a: left.tip, b: right.tip } } }\n"
    "drives: { push: { force: { on: left.tip, direction: [0, 1, 0] } } }\n"
    "outputs: { middle: { body: left.tip } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: 1e-4, store: 5e-3, initial: undeformed,\n"
    "        drives: { push: { force: { sine: { amplitude: 6e-4, frequency: 2 } } } },\n"
    "        rigid: { method: rk4 } }\n";

static const char MIXED[] =
    "modeway: 1\nname: two halves, one of elements\ngravity: [0, 0, 0]\n" BEAM
    "      points: { a: [0.8, 0, 0], b: [1.6, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: rod, material: alu, elements: 12,\n"
    "                  up: [0, 0, 1] }]\n"
    "    supports: [{ nodes: b }]\n"
    "    frames: { tip: { node: a } }\n"
    "assemblies: { left: { component: half.so } }\n"
    "joints: { middle: { fixed: { a: left.tip, b: beam.tip } } }\n"
    "drives: { push: { force: { on: left.tip, direction: [0, 1, 0] } } }\n"
    "outputs: { middle: { body: left.tip } }\n"
    "scenarios:\n"
    "  go: { duration: 1, step: 5e-4, store: 5e-3, initial: undeformed,\n"
    "        drives: { push: { force: { sine: { amplitude: 6e-4, frequency: 2 } } } } }\n";

static const char WHOLE[] =
    "modeway: 1\nname: the whole beam\ngravity: [0, 0, 0]\n" BEAM
    "      points: { a: [0, 0, 0], b: [1.6, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: rod, material: alu, elements: 24,\n"
    "                  up: [0, 0, 1] }]\n"
    "    supports: [{ nodes: a }, { nodes: b }]\n";

static bool prepare(void)
{
  mw_error err = { 0 };
  mw_case half = { .body = NULL };
  mw_rom_file rom = { 0 };
  mw_export_list list = { 0 };
  bool fine = rig_put("half.yaml", HALF) && rig_put("joined.yaml", JOINED) &&
              rig_put("mixed.yaml", MIXED) &&
              MW_OKAY(mw_case_read(rig_path("half.yaml"), &half, &err)) &&
              MW_OKAY(mw_reduce(&half.model, &half.mech, NULL, &rom, &err)) &&
              MW_OKAY(mw_export_flexible(&rom, &half.mech, rig_path("half.so"), &mem, &list, &err));
  mw_rom_file_free(&rom);
  mw_case_free(&half);
  return fine;
}

// The k-th β of (1) whose φ is symmetric, by Newton's method in cos β = 1/cosh β.
static double root(int k)
{
  double b = (2 * k + 1.5) * PI;
  for (int i = 0; i < 10; i++) b -= (cos(b) - 1.0 / cosh(b)) / (tanh(b) / cosh(b) - sin(b));
  return b;
}

// Equation (2). Its terms go with Ω/ω³, β⁻⁶: those left out are 6e-7 of the peak together.
static double middle_at(double t)
{
  enum { TERMS = 6 };
  double Omega = 2.0 * PI * HZ, w = FORCE * pow(LENGTH, 3) / (192.0 * EI) * sin(Omega * t);
  for (int k = 0; k < TERMS; k++) {
    double b = root(k), omega = b * b / (LENGTH * LENGTH) * sqrt(EI / MU), x = 0.5 * b;
    double sigma = (cosh(b) - cos(b)) / (sinh(b) - sin(b));
    double phi = cosh(x) - cos(x) - sigma * (sinh(x) - sin(x));
    w += FORCE * phi * phi / (MU * LENGTH) *
         ((sin(Omega * t) - Omega / omega * sin(omega * t)) / (omega * omega - Omega * Omega) -
          sin(Omega * t) / (omega * omega));
  }
  return w;
}

// The run of a machine of two halves by a path against (2).
static void swings_as_the_whole_beam(const char *name, const char *path)
{
  mw_run r = { 0 };
  double most = 0.0, peak = 0.0;
  if (!rig_run(rig_path(name), path, NULL, &r)) return;
  for (int i = 0; i < r.n_t; i++) {
    double w = middle_at(r.t[i]);
    peak = fmax(peak, fabs(w));
    most = fmax(most, fabs(r.y[3 * i + 1] - w));
  }
  printf("  %d instants, largest deflection %.3g m, %.2e of it from the closed form\n", r.n_t, peak,
         most / peak);
  MW_CHECK(r.n_t > 100);
  MW_WITHIN(most / peak, 0.0, 1e-3, "promised: the tolerance of the parts");
  mw_run_free(&r);
}

static void two_halves_joined_swing_as_the_whole_beam(void)
{
  if (prepare()) swings_as_the_whole_beam("joined.yaml", "rigid");
}

static void they_do_so_in_path_full(void) { swings_as_the_whole_beam("joined.yaml", "full"); }

// The left half is a component, the right one has elements.
static void a_half_joined_to_elements_swings_as_the_whole_beam(void)
{
  swings_as_the_whole_beam("mixed.yaml", "full");
}

// ---- frequencies --------------------------------------------------------------------------------

enum { N_MODE = 4 };

// λ of the lowest modes of a machine at rest, (rad/s)², of the matrix A of its modes. Both wheels
// are free.
static bool lambda_of(const char *name, double lambda[N_MODE])
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_arena tmp = { 0 };
  mw_state_space s;
  bool fine = MW_OKAY(mw_case_read(rig_path(name), &c, &err));
  const mw_position at = { c.mech.p0, c.mech.s0 };
  fine = fine && MW_OKAY(mw_linearize_full(&c.mech, &at, NULL, N_MODE, &tmp, &s, &err));
  int k = fine ? s.n_x / 2 : 0;
  for (int i = 0; fine && i < N_MODE; i++) {
    int row = k - N_MODE + i;
    lambda[i] = -s.A[(k + row) * s.n_x + row];
  }
  fine = fine && MW_CHECK(strncmp(s.state[k - N_MODE], "mode 1,", 7) == 0);
  mw_arena_free(&tmp);
  mw_case_free(&c);
  return fine;
}

// (1): ω of the lowest mode, across the beam along y and z. Shear and rotary inertia take 4e-6 of
// it, halves by 8 modes and patterns at their tips 1e-5.
static void joined_halves_have_the_frequency_of_the_whole_beam(void)
{
  static const char *const name[2] = { "joined.yaml", "mixed.yaml" };
  double b = root(0), omega = b * b / (LENGTH * LENGTH) * sqrt(EI / MU), lambda[N_MODE];
  for (int k = 0; k < 2; k++) {
    if (!lambda_of(name[k], lambda)) return;
    for (int i = 0; i < 2; i++) {
      printf("  %s: frequency %d %.2e of the closed form\n", name[k], i + 1,
             sqrt(lambda[i]) / omega - 1.0);
      MW_WITHIN(fabs(sqrt(lambda[i]) / omega - 1.0), 0.0, 1e-3,
                "promised: the tolerance of the parts");
    }
  }
}

// A half that is a component on a half of elements, beside the whole beam of the same elements.
static void a_half_on_elements_has_the_frequencies_of_the_mesh(void)
{
  double lambda[N_MODE], whole[N_MODE];
  if (!rig_put("whole.yaml", WHOLE) || !lambda_of("mixed.yaml", lambda) ||
      !lambda_of("whole.yaml", whole))
    return;
  for (int i = 0; i < N_MODE; i++) {
    printf("  frequency %d: %.2e of the mesh's\n", i + 1, sqrt(lambda[i] / whole[i]) - 1.0);
    MW_WITHIN(fabs(sqrt(lambda[i] / whole[i]) - 1.0), 0.0, 1e-3,
              "promised: the tolerance of the part");
  }
}

// The same of differences of accelerations in path rigid, where ways inside are states of the
// system.
static void joined_halves_linearized_in_path_rigid_have_it_too(void)
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_arena tmp = { 0 };
  mw_state_space s;
  mw_pole *pole = NULL;
  double b = root(0), omega = b * b / (LENGTH * LENGTH) * sqrt(EI / MU), zero, nearest = INFINITY;
  if (!MW_OKAY(mw_case_read(rig_path("joined.yaml"), &c, &err))) return;
  const mw_position position = { c.mech.p0, c.mech.s0 };
  const mw_linearize_at at = { .position = &position };
  if (MW_OKAY(mw_linearize_rigid(&c.mech, &at, &tmp, &s, &err)) &&
      MW_OKAY(mw_state_space_poles(&s, &tmp, &pole, &zero, &err)))
    for (int i = 0; i < s.n_x; i++)
      if (fabs(pole[i].im / omega - 1.0) < fabs(nearest)) nearest = pole[i].im / omega - 1.0;
  printf("  frequency %.2e of the closed form\n", nearest);
  MW_WITHIN(fabs(nearest), 0.0, 1e-3, "promised: the tolerance of the parts");
  mw_arena_free(&tmp);
  mw_case_free(&c);
}

// F l³/(192 EI) in the middle, F = 6e-4 N from the start on.
static void joined_halves_start_as_the_whole_beam_bends(void)
{
  static const char sine[] = "sine: { amplitude: 6e-4, frequency: 2 }";
  static const struct {
    const char *text, *path;
  } of[] = { { JOINED, "full" }, { JOINED, "rigid" }, { MIXED, "full" } };
  double w = FORCE * pow(LENGTH, 3) / (192.0 * EI);
  for (int k = 0; k < 3; k++) {
    char all[4096];
    const char *t = of[k].text, *at = strstr(t, sine), *how = of[k].path;
    mw_case c = { .body = NULL };
    mw_run r = { 0 };
    mw_error err = { 0 };
    mw_path_opt opt = { 0 };
    if (!MW_CHECK(at != NULL)) continue;
    snprintf(all, sizeof all, "%.*sstep: { value: 6e-4 }%s", (int)(at - t), t, at + strlen(sine));
    if (!rig_put("rest.yaml", all) || !MW_OKAY(mw_case_read(rig_path("rest.yaml"), &c, &err)))
      continue;
    c.model.scenario[0].static_start = true;
    c.model.scenario[0].duration = 0.01;
    if (MW_OKAY(mw_path_run(&c, &c.model.scenario[0], how, &opt, &r, &err))) {
      printf("  path %s: %.2e of the closed form\n", how, r.y[1] / w - 1.0);
      MW_WITHIN(r.y[1] / w, 1.0, 1e-3, "promised: the tolerance of the parts");
      MW_WITHIN(r.y[3 * (r.n_t - 1) + 1] / r.y[1], 1.0, 1e-6, "it stays where it is at rest");
    }
    mw_run_free(&r);
    mw_case_free(&c);
  }
}

// What asks for more than the machine's stiffness refuses it, and says what to do instead: what the
// runs and frequencies above do.
static void what_moves_far_names_what_to_do_instead(void)
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_rom_file rom;
  if (!MW_OKAY(mw_case_read(rig_path("joined.yaml"), &c, &err))) return;
  MW_FAILS(mw_reduce(&c.model, &c.mech, NULL, &rom, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "component left") && strstr(err.msg, "its interface does not tell") &&
           strstr(err.msg, "each elastic body as a component of its own") &&
           strstr(err.msg, "a run by path rigid, full or body, or modes, or analyze linearize"));
  mw_case_free(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "two_halves_joined_swing_as_the_whole_beam", two_halves_joined_swing_as_the_whole_beam },
    { "they_do_so_in_path_full", they_do_so_in_path_full },
    { "a_half_joined_to_elements_swings_as_the_whole_beam",
      a_half_joined_to_elements_swings_as_the_whole_beam },
    { "joined_halves_have_the_frequency_of_the_whole_beam",
      joined_halves_have_the_frequency_of_the_whole_beam },
    { "a_half_on_elements_has_the_frequencies_of_the_mesh",
      a_half_on_elements_has_the_frequencies_of_the_mesh },
    { "joined_halves_linearized_in_path_rigid_have_it_too",
      joined_halves_linearized_in_path_rigid_have_it_too },
    { "joined_halves_start_as_the_whole_beam_bends", joined_halves_start_as_the_whole_beam_bends },
    { "what_moves_far_names_what_to_do_instead", what_moves_far_names_what_to_do_instead },
  };
  if (!rig_open("flexible_joined")) return 1;
  int rc = mw_test_run("flexible_joined", cases, (int)(sizeof cases / sizeof *cases));
  rig_close();
  mw_arena_free(&mem);
  return rc;
}
