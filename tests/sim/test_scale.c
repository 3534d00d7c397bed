// SPDX-License-Identifier: BSD-3-Clause
// test_scale.c: machines that are similar move alike, whatever their size and the units of their
// model.
//
// Lengths by L, masses by M, times by T: E by M/(L T²), rho by M/L³, gravity by L/T². What has no
// unit stays.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

// A strip on a hub, hanging, released from 1 rad after a static start: the strip bends and is
// stretched by its swing.
static const char *const pendulum =
    "modeway: 1\n"
    "gravity: [0, 0, %.17g]\n"
    "materials: { alu: { E: %.17g, nu: 0.33, rho: %.17g, unusual: true } }\n"
    "sections: { s: { rectangle: { width: %.17g, height: %.17g }, shear: false, rotary: false } }\n"
    "bodies:\n"
    "  base: { ground: true, rigid: { mass: 0 } }\n"
    "  strip:\n"
    "    axes: { x: [0, 0, -1], y: [0, 1, 0] }\n"
    "    beams:\n"
    "      points: { r: [0, 0, 0], t: [%.17g, 0, 0] }\n"
    "      members: [ { from: r, to: t, section: s, material: alu, elements: 8 } ]\n"
    "    frames:\n"
    "      r: { node: r, mass: %.17g, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] }\n"
    "      t: { node: t, mass: %.17g }\n"
    "joints: { h: { revolute: { a: base, b: strip.r, axis: [0, 1, 0] }, coordinate: phi } }\n"
    "outputs: { tip: { frame: strip.t } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-1.6, 1.6], points: 9%s } }\n"
    "  modes: { count: 4 }\n"
    "  certificate: { points: 2, samples: 8 }\n"
    "scenarios:\n"
    "  fall: { duration: %.17g, step: %.17g, store: %.17g, start: { phi: 1 } }\n";

typedef struct scale {
  double L, M, T;
} scale;

static const scale scales[] = {
  { 1.0, 1.0, 1.0 },      // a metre
  { 1e3, 1e9, 30.0 },     // a kilometre of the same material's density
  { 1e5, 1e12, 1e3 },     // larger and heavier than any
  { 1e3, 1e-3, 1.0 },     // millimetres, tonnes, newtons
  { 1e-4, 1e-12, 1e-4 },  // a tenth of a millimetre
  { 1e-5, 1e-15, 1e-5 },  // ten micrometres
  { 1e-5, 1e-15, 3e-3 },  // in the gravity of the first
};
enum { N_SCALE = sizeof scales / sizeof *scales };

// declared: the largest rate and acceleration are
static bool read(const scale *u, bool declared, double gravity, mw_fixture *f)
{
  char text[4096], most[128] = "";
  double L = u->L, M = u->M, T = u->T, I = 0.5 * M * L * L;
  if (declared)
    snprintf(most, sizeof most, ", max_rate: %.17g, max_acceleration: %.17g", 8.0 / T,
             60.0 / (T * T));
  snprintf(text, sizeof text, pendulum, gravity * L / (T * T), 70e9 * M / (L * T * T),
           2700.0 * M / (L * L * L), 0.03 * L, 0.01 * L, L, M, I, I, I, 0.3 * M, most, 0.2 * T,
           1e-3 * T, 0.02 * T);
  return mw_fixture_text(text, f);
}

// Largest difference of a run's outputs and coordinates from those of the first scale, over L and
// 1.
static double difference(const mw_run *a, const mw_run *b, double L)
{
  double most = a->n_t == b->n_t ? 0.0 : INFINITY;
  for (int k = 0; k < a->n_t && k < b->n_t; k++) {
    most = fmax(most, fabs(a->s[k] - b->s[k]));
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(a->y[3 * k + i] - b->y[3 * k + i] / L));
  }
  return most;
}

// 200 steps, each converged to 1e-9 of the size (mw_dae_opt_default), errors of which may add up.
static void full_paths_of_similar_machines_are_similar(void)
{
  mw_run first = { 0 };
  mw_fixture f[N_SCALE];
  for (int i = 0; i < N_SCALE; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_dae_opt opt = mw_dae_opt_default();
    if (!MW_CHECK(read(&scales[i], true, -9.81, &f[i]))) return;
    if (!MW_OKAY(mw_dae_run(&f[i].mech, &f[i].model.scenario[0], "full", &opt, NULL, &r, &err)))
      continue;
    if (i == 0)
      first = r;
    else
      MW_NEAR(difference(&first, &r, scales[i].L), 0.0, 200.0 * opt.tol);
    if (i > 0) mw_run_free(&r);
  }
  mw_run_free(&first);
  for (int i = 0; i < N_SCALE; i++) mw_fixture_free(&f[i]);
}

// Tables may have other numbers of points (rigid_axes.c measures by metres above one): a reduced
// model's run departs from its full one by about 1e-3 of the deflection, 1.5e-5 of the length, and
// similar ones by no more than a part of that from each other.
static void reduced_models_of_similar_machines_are_similar(void)
{
  mw_run first = { 0 };
  mw_fixture f[N_SCALE];
  for (int i = 0; i < N_SCALE; i++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    mw_rom_file rom = { 0 };
    if (!MW_CHECK(read(&scales[i], true, -9.81, &f[i]))) return;
    if (!MW_OKAY(mw_reduce(&f[i].model, &f[i].mech, NULL, &rom, &err))) continue;
    if (MW_OKAY(mw_rom_run(&f[i].model, &f[i].mech, &rom, &f[i].model.scenario[0], NULL, NULL, &r,
                           &err))) {
      if (i == 0)
        first = r;
      else
        MW_NEAR(difference(&first, &r, scales[i].L), 0.0, 2e-6);
      if (i > 0) mw_run_free(&r);
    }
    mw_rom_file_free(&rom);
  }
  mw_run_free(&first);
  for (int i = 0; i < N_SCALE; i++) mw_fixture_free(&f[i]);
}

// ---- the same machine in metres, millimetres and micrometres ------------------------------------

// A carriage on a beam. Of this and the pendulum no rates and accelerations are declared, the
// certificate takes some: of the weight, or, without gravity, of the softest mode.
static const char *const carriage =
    "modeway: 1\n"
    "gravity: [0, 0, %.17g]\n"
    "materials: { alu: { E: %.17g, nu: 0.3, rho: %.17g, unusual: true } }\n"
    "sections: { bar: { rectangle: { width: %.17g, height: %.17g } } }\n"
    "bodies:\n"
    "  beam:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [%.17g, 0, 0] }\n"
    "      members: [{ from: a, to: b, section: bar, material: alu, elements: 6, up: [0, 0, 1] }]\n"
    "    supports: [{ nodes: a }, { nodes: b, dofs: [y, z, rx] }]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  cart: { at: [%.17g, 0, 0], rigid: { mass: 0.5, inertia: [%.17g, %.17g, %.17g, 0, 0, 0] } }\n"
    "joints:\n"
    "  x: { slide: { guide: beam.rail, on: cart, orientation: fixed, runners: [{ offset: 0 }] },\n"
    "       coordinate: x, drive: motor }\n"
    "outputs: { cart: { body: cart, point: [0, %.17g, %.17g] } }\n"
    "reduction: { coordinates: { x: { range: [%.17g, %.17g], points: 9 } },\n"
    "             modes: { count: 2 }, certificate: { points: 1, samples: 8 } }\n";

static bool read_carriage(double L, double gravity, mw_fixture *f)
{
  char text[4096];
  double I = 1e-3 * L * L;
  int n = snprintf(text, sizeof text, carriage, gravity * L, 70e9 / L, 2700.0 / (L * L * L),
                   0.03 * L, 0.02 * L, L, 0.2 * L, I, I, I, 0.1 * L, 0.1 * L, 0.2 * L, 0.8 * L);
  return MW_CHECK(n > 0 && n < (int)sizeof text) && mw_fixture_text(text, f);
}

// Compliances of the reduced model at theta along the first three fields, y1ᵀK⁻¹y1
static bool compliances(const mw_rom_file *f, const double *theta, double c[3])
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  size_t m = (size_t)f->rom.m, n = (size_t)L.n;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double *value = mw_arena_f64(&mem, n * (1 + (size_t)f->rom.s)), *K = mw_arena_f64(&mem, m * m),
         *x = mw_arena_f64(&mem, m);
  mw_rom_info info;
  bool good = MW_OKAY(mw_arena_check(&mem, &err)) &&
              MW_CHECK(mw_rom_fields(&f->rom, theta, value, value + n, &info) == MW_ROM_OK);
  for (size_t a = 0; good && a < m; a++)
    for (size_t b = 0; b <= a; b++)
      K[a * m + b] = K[b * m + a] = value[(size_t)L.K + a * (a + 1) / 2 + b];
  good = good && MW_OKAY(mw_chol_factor((int)m, K, &err));
  for (size_t i = 0; good && i < 3; i++) {
    const double *y = value + (size_t)L.y + i * (1 + m) + 1;
    memcpy(x, y, m * sizeof *x);
    mw_chol_solve((int)m, K, 1, x);
    c[i] = mw_dot((int)m, y, x);
  }
  mw_arena_free(&mem);
  return good;
}

// Compares a model with one whose coordinate has units of which `unit` are one of its own. Which
// load's residual becomes a column first may differ; the columns leave out less than a hundredth of
// the tolerance of any load (patterns.c).
static void same_models(const mw_rom_file *a, const mw_rom_file *b, double unit)
{
  static const double EIGEN = 1e-8;
  const mw_certificate *c = &a->certificate, *d = &b->certificate;
  MW_CHECK(mw_certificate_met(c) == mw_certificate_met(d));
  if (!MW_CHECK(a->rom.m == b->rom.m && a->n_freq == b->n_freq && a->n_point == b->n_point)) return;
  for (int k = 0; k < a->rom.m; k++) MW_CHECK(strcmp(a->column[k], b->column[k]) == 0);
  for (int i = 0; i < a->n_point * a->n_freq; i++)
    MW_WITHIN(b->frequency[i] / a->frequency[i], 1.0, EIGEN, "the eigensolver's accuracy");
  for (int k = 0; k < 3; k++) {
    double at = a->rom.lo[0] + (0.1 + 0.35 * k) * (a->rom.hi[0] - a->rom.lo[0]), to = at * unit;
    double p[3], q[3];
    if (!compliances(a, &at, p) || !compliances(b, &to, q)) return;
    for (int i = 0; i < 3; i++)
      MW_WITHIN(q[i], p[i], 0.01 * c->tolerance * fmax(p[0], fmax(p[1], p[2])),
                "what columns may leave out of a load");
  }
  MW_WITHIN(d->force_rate[0] / (unit * c->force_rate[0]), 1.0, EIGEN, "the eigensolver's accuracy");
  MW_WITHIN(d->force_acceleration[0] / (unit * c->force_acceleration[0]), 1.0, EIGEN,
            "the eigensolver's accuracy");
  MW_CHECK(c->force_assumed && d->force_assumed);
}

static void units_of_length_do_not_matter(void)
{
  static const double unit[] = { 1.0, 1e3, 1e6 };
  for (int k = 0; k < 4; k++) {
    mw_rom_file first = { 0 };
    double gravity = k % 2 ? 0.0 : -9.81;
    for (int i = 0; i < 3; i++) {
      mw_fixture f = { 0 };
      mw_rom_file rom = { 0 };
      mw_error err = { 0 };
      scale u = { unit[i], 1.0, 1.0 };
      bool good = (k < 2 ? read_carriage(unit[i], gravity, &f) : read(&u, false, gravity, &f)) &&
                  MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
      if (good && i > 0 && first.n_point > 0) same_models(&first, &rom, k < 2 ? unit[i] : 1.0);
      if (i == 0)
        first = rom;
      else
        mw_rom_file_free(&rom);
      mw_fixture_free(&f);
    }
    mw_rom_file_free(&first);
  }
}

// ---- rigid machines start where they are asked to -----------------------------------------------

// Three links of length L one behind the other about oblique axes, and a slider along the last one.
static void write_chain(double L, char *text, int size)
{
  static const char *const axis[] = { "[1, 2, 3]", "[-1, 3, 1]", "[2, 1, -2]" };
  double I = 0.01 * L * L;
  int n = snprintf(text, (size_t)size, "modeway: 1\nbodies:\n");
  for (int b = 1; b <= 4; b++)
    n += snprintf(text + n, (size_t)(size - n),
                  "  b%d: { at: [%.17g, 0, 0], rigid: { mass: %d, com: [%.17g, %.17g, 0],\n"
                  "          inertia: [%.17g, %.17g, %.17g, 0, 0, 0] },\n"
                  "        frames: { end: { point: [%.17g, 0, 0] } } }\n",
                  b, (b - 1) * L, b, 0.5 * L, 0.3 * L, I, 2.0 * I, 2.0 * I, L);
  n += snprintf(text + n, (size_t)(size - n), "joints:\n");
  for (int b = 1; b <= 4; b++)
    n += snprintf(text + n, (size_t)(size - n),
                  "  j%d: { %s: { a: %s%.0d%s, b: b%d, axis: %s }, coordinate: q%d }\n", b,
                  b == 4 ? "prismatic" : "revolute", b == 1 ? "ground" : "b", b - 1,
                  b == 1 ? "" : ".end", b, b == 4 ? "[1, 0, 0]" : axis[b - 1], b);
  (void)snprintf(text + n, (size_t)(size - n),
                 "outputs: { y: { frame: b4.end } }\n"
                 "scenarios:\n"
                 "  still: { duration: 1e-3, step: 1e-3,\n"
                 "           start: { q1: -0.4, q2: 0.5, q3: 0.02 } }\n");
}

static void rigid_machines_of_any_size_start_alike(void)
{
  static const double size[] = { 1.0, 1e3, 1e6, 1e-3, 1e-6 };
  double first[3] = { 0 };
  for (int i = 0; i < 5; i++) {
    char text[4096];
    mw_fixture f;
    mw_run r = { 0 };
    mw_error err = { 0 };
    write_chain(size[i], text, (int)sizeof text);
    if (!MW_CHECK(mw_fixture_text(text, &f))) return;
    if (MW_OKAY(mw_rigid_run(&f.mech, &f.model.scenario[0], NULL, NULL, &r, &err))) {
      // the run's own projection leaves 1e-12 m or 1 in each of four joints, each of which turns
      // what is behind it, up to four lengths
      double tol = 4.0 * 4.0 * 1e-12 * fmax(1.0, 1.0 / size[i]);
      for (int k = 0; k < 3 && i == 0; k++) first[k] = r.y[k];
      for (int k = 0; k < 3 && i > 0; k++)
        MW_WITHIN(r.y[k] / size[i], first[k], tol, "gaps that projections are promised to leave");
      mw_run_free(&r);
    }
    mw_fixture_free(&f);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "full_paths_of_similar_machines_are_similar", full_paths_of_similar_machines_are_similar },
    { "reduced_models_of_similar_machines_are_similar",
      reduced_models_of_similar_machines_are_similar },
    { "units_of_length_do_not_matter", units_of_length_do_not_matter },
    { "rigid_machines_of_any_size_start_alike", rigid_machines_of_any_size_start_alike },
  };
  return mw_test_run("scale", cases, (int)(sizeof cases / sizeof *cases));
}
