// SPDX-License-Identifier: BSD-3-Clause
// test_elastic_rest.c: elastic mechanisms at rest against closed forms: deflections, columns that
// buckle.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/buckling.h"
#include "sim/statics.h"

static const double PI = 3.14159265358979323846;

typedef struct rig {
  mw_fixture f;
  mw_arena mem;
  mw_position at;
  double force[4];
  mw_elastic_in in;
} rig;

static bool open_text(const char *text, rig *r)
{
  mw_error err = { 0 };
  *r = (rig){ 0 };
  if (!MW_CHECK(mw_fixture_text(text, &r->f))) return false;
  r->in = (mw_elastic_in){ .at = &r->at, .force = r->force, .lo = 1.0, .hi = 1.0, .n = 1 };
  memcpy(r->in.gravity, r->f.model.gravity, sizeof r->in.gravity);
  return MW_OKAY(mw_position_find(&r->f.mech, NULL, NULL, &r->mem, &r->at, &err));
}

static void close_rig(rig *r)
{
  mw_arena_free(&r->mem);
  mw_fixture_free(&r->f);
}

// ---- a cantilever -------------------------------------------------------------------------------

// EI = 100 N m², L = 1 m, along x; Euler-Bernoulli, without weight.
static bool open_cantilever(int elements, double axial, rig *r)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "modeway: 1\n"
      "gravity: [0, 0, 0]\n"
      "materials: { st: { E: 1e11, nu: 0.3, rho: 1000 } }\n"
      "sections: { s: { general: { A: %.17g, Iy: 1e-9, Iz: 2e-9, It: 1e-9 }, shear: false } }\n"
      "bodies:\n"
      "  bar:\n"
      "    ground: true\n"
      "    beams: { points: { a: [0, 0, 0], b: [1, 0, 0] }, members: [{ from: a, to: b,\n"
      "             section: s, material: st, elements: %d, up: [0, 0, 1] }] }\n"
      "    supports: [{ nodes: a }]\n"
      "    frames: { tip: { node: b } }\n"
      "drives:\n"
      "  across: { force: { on: bar.tip, direction: [0, 0, 1] } }\n"
      "  along: { force: { on: bar.tip, direction: [-1, 0, 0] } }\n"
      "outputs: { tip: { frame: bar.tip } }\n",
      axial, elements);
  return open_text(text, r);
}

// w = P L³/3EI: cubic elements are exact for it. Beyond, shortening: w (1 − O((w/L)²)), 1e-8 here.
static void cantilever_bends_by_the_closed_form(void)
{
  rig r;
  mw_error err = { 0 };
  mw_elastic_rest o;
  if (open_cantilever(4, 1e-4, &r)) {
    r.force[0] = 0.03;
    if (MW_OKAY(mw_elastic_rest_find(&r.f.mech, &r.in, &r.mem, &o, &err))) {
      double w = 0.03 / 3.0 / 100.0;
      MW_CHECK(o.n == 1 && o.n_out == 1 && !o.end);
      MW_WITHIN(o.y[2] - o.y0[2], w, 1e-8 * w + 1e-12,
                "what the iteration may leave, and shortening");
      MW_WITHIN(o.potential[0], 0.5 * 0.03 * w, 1e-8 * 0.5 * 0.03 * w,
                "what the iteration may leave, and shortening");
    }
  }
  close_rig(&r);
}

// Pushed across by F and along by P, k² = P/EI: w = F (tan kL − kL)/(P k). Elements err by what
// Euler's load is off and by the strain P/EA, over 1 − P/P_cr; corrections end at 1e-12 m.
static void beam_columns_bend_by_the_closed_form(void)
{
  enum { N = 16, POINTS = 10 };
  rig r;
  mw_error err = { 0 };
  mw_elastic_rest o;
  double Pcr = PI * PI * 100.0 / 4.0, P = 0.9 * Pcr, F = 1e-4;
  if (open_cantilever(N, 1e-2, &r)) {
    r.force[0] = F;
    r.force[1] = P;
    r.in.lo = 0.1;
    r.in.n = POINTS;
    if (MW_OKAY(mw_elastic_rest_find(&r.f.mech, &r.in, &r.mem, &o, &err)) &&
        MW_CHECK(o.n == POINTS))
      for (int i = 0; i < o.n; i++) {
        double part = o.factor[i] * P / Pcr, k = sqrt(o.factor[i] * P / 100.0);
        double w = F * (tan(k) - k) / (P * k), off = pow(PI / 2.0 / N, 4) / 720.0;
        off += o.factor[i] * P / 1e9;
        MW_NEAR(o.y[3 * i + 2], w, w * off * part / (1.0 - part) + 1e-12);
      }
  }
  close_rig(&r);
}

// Along its axis the column stays straight at any load; each of Euler's loads (2 k − 1)² π² EI/4L²,
// of EI = 100 and 200 N m², that it is beyond is a direction in which it gives way. A bent one
// below the first load is stable.
static void a_straight_column_is_unstable_beyond_eulers_loads(void)
{
  static const double part[5] = { 0.9, 1.1, 1.9, 2.1, 9.1 };  // of the first
  static const int unstable[5] = { 0, 1, 1, 2, 3 };
  double Pcr = PI * PI * 100.0 / 4.0;
  for (int bent = 0; bent < 2; bent++)
    for (int i = 0; i < (bent ? 1 : 5); i++) {
      rig r;
      mw_error err = { 0 };
      mw_elastic_rest o;
      if (open_cantilever(16, 1e-2, &r)) {
        r.force[0] = bent ? 1e-3 : 0.0;
        r.force[1] = part[i] * Pcr;
        if (MW_OKAY(mw_elastic_rest_find(&r.f.mech, &r.in, &r.mem, &o, &err)))
          MW_CHECK(!o.not_judged && o.n_unstable[0] == unstable[i]);
      }
      close_rig(&r);
    }
}

static double buckle(rig *r, bool weight, int n_force, const char *const *drive, double *mode)
{
  mw_buckling_in in = { .p = r->at.p, .s = r->at.s, .weight = weight };
  mw_buckling o;
  mw_error err = { 0 };
  mw_ref on[2];
  double force[6] = { 0 }, x = NAN;
  unsigned char *held = mw_arena_alloc(&r->mem, (size_t)r->f.mech.n_coord, 1);
  if (!MW_CHECK(held != NULL)) return x;
  memset(held, 1, (size_t)r->f.mech.n_coord);
  for (int i = 0; i < n_force; i++)
    for (int d = 0; d < r->f.model.n_drive; d++) {
      const mw_drive_in *k = &r->f.model.drive[d];
      if (strcmp(k->name, drive[i]) != 0) continue;
      on[i] = k->on;
      for (int c = 0; c < 3; c++) force[3 * i + c] = k->dir[c];
    }
  in.held = held;
  in.on = on;
  in.force = force;
  in.n_force = n_force;
  if (MW_OKAY(mw_buckling_find(&r->f.mech, &in, 3, &r->mem, &o, &err)) && MW_CHECK(o.n > 0)) {
    // small spaces settle, or are all there is: then nothing but rounding is left
    MW_CHECK(o.left >= 0.0 && o.left < 1e-9);
    x = o.factor[0];
    if (mode) memcpy(mode, o.y, 3 * sizeof *mode);
  }
  return x;
}

// Euler: P = π²EI/4L², about the weak axis. Cubic elements err by (k h)⁴/720 for w = 1 − cos kx,
// kL = π/2 (the next term of sin² over its square that a cubic leaves, below twice that).
static void columns_buckle_at_eulers_load(void)
{
  static const char *const along[] = { "along" };
  double P = PI * PI * 100.0 / 4.0, last = 0.0;
  for (int n = 2; n <= 8; n *= 2) {
    rig r;
    double mode[3] = { 0 };
    if (open_cantilever(n, 1e-4, &r)) {
      double off = buckle(&r, false, 1, along, mode) / P - 1.0;
      printf("%d elements: off by %.2e\n", n, off);
      MW_NEAR(off, 0.0, 2.0 * pow(PI / 2.0 / n, 4) / 720.0);
      MW_CHECK(fabs(mode[2]) == 1.0 && fabs(mode[1]) < 1e-9);
      if (n > 2) MW_CHECK(last / off > 14.0 && last / off < 18.0);
      last = off;
    }
    close_rig(&r);
  }
}

// Pulled, it does not buckle; pushed across and along, it does where it is pushed along.
static void tension_buckles_nothing(void)
{
  rig r;
  mw_error err = { 0 };
  if (open_cantilever(4, 1e-4, &r)) {
    mw_buckling o;
    const double pull[3] = { 1.0, 0.0, 0.0 };
    mw_buckling_in in = { r.at.p, r.at.s, NULL, 1, &r.f.model.drive[1].on, pull, false };
    if (MW_OKAY(mw_buckling_find(&r.f.mech, &in, 3, &r.mem, &o, &err))) MW_CHECK(o.n == 0);
  }
  close_rig(&r);
}

// ---- a column under its own weight --------------------------------------------------------------

// θ'' = −λ s θ of the slope θ, s from the tip, θ'(0) = 0: its series at s
static double slope(double lambda, double s)
{
  double term = 1.0, sum = 1.0;
  for (int n = 3; n < 90; n += 3) sum += term *= -lambda * s * s * s / (n * (n - 1));
  return sum;
}

// λ = q L³/EI = 7.837347438943 (Greenhill 1881), the first at which θ(1) = 0. Elements bear the
// mean of the weight above them: q h²/12 θ(0)² of q ∫ s θ² less, but for its square.
static void heavy_columns_buckle_at_greenhills_height(void)
{
  static const double LAMBDA = 7.837347438943;
  double sum = 0.0;
  enum { PARTS = 2000 };
  for (int i = 0; i <= PARTS; i++) {  // Simpson
    double x = (double)i / PARTS, t = slope(LAMBDA, x);
    sum += (i == 0 || i == PARTS ? 1.0 : i % 2 ? 4.0 : 2.0) * x * t * t / (3.0 * PARTS);
  }
  MW_NEAR(slope(LAMBDA, 1.0), 0.0, 1e-12 * LAMBDA);
  for (int n = 8; n <= 32; n *= 2) {
    char text[1536];
    rig r;
    snprintf(text, sizeof text,
             "modeway: 1\n"
             "gravity: [0, 0, -10]\n"
             "materials: { st: { E: 1e11, nu: 0.3, rho: 1000 } }\n"
             "sections: { s: { general: { A: 1e-4, Iy: 1e-9, Iz: 2e-9, It: 1e-9 }, shear: false,\n"
             "                 rotary: false } }\n"
             "bodies:\n"
             "  bar:\n"
             "    ground: true\n"
             "    beams: { points: { a: [0, 0, 0], b: [0, 0, 1] }, members: [{ from: a, to: b,\n"
             "             section: s, material: st, elements: %d, up: [1, 0, 0] }] }\n"
             "    supports: [{ nodes: a }]\n"
             "    frames: { tip: { node: b } }\n"
             "outputs: { tip: { frame: bar.tip } }\n",
             n);
    if (open_text(text, &r)) {
      // q = 1 N/m
      double off = buckle(&r, true, 0, NULL, NULL) / (LAMBDA * 100.0) - 1.0;
      double less = 1.0 / (12.0 * n * n * sum);
      printf("%d elements: off by %.2e\n", n, off);
      MW_NEAR(off, -less, less * less);
    }
    close_rig(&r);
  }
}

// ---- a carriage on a beam -----------------------------------------------------------------------

// Mid-span: M g L³/48EI, EI = L = 1; supports hold the beam's own weight where it is on the ground.
// The strains of second order stiffen it by its stretch, w² over the section's height (1e-8), and
// corrections end at 1e-12 m.
static void beam_gives_way_under_its_carriage(void)
{
  rig r = { 0 };
  mw_error err = { 0 };
  mw_elastic_rest o;
  static const double M = 1e-3, G = 10.0;
  static const unsigned char given[1] = { 1 };
  static const double half[1] = { 0.5 };
  if (mw_fixture_beam("SS", 8, M, G, 5, 2, NULL, &r.f) &&
      MW_OKAY(mw_position_find(&r.f.mech, given, half, &r.mem, &r.at, &err))) {
    r.in = (mw_elastic_in){ .at = &r.at, .force = r.force, .lo = 0.0, .hi = 1.0, .n = 2 };
    memcpy(r.in.gravity, r.f.model.gravity, sizeof r.in.gravity);
    r.in.weight = true;
    if (MW_OKAY(mw_elastic_rest_find(&r.f.mech, &r.in, &r.mem, &o, &err)) &&
        MW_CHECK(o.n == 2 && o.held[0] == 1) && MW_CHECK(o.not_judged && o.n_unstable[0] == -1))
      for (int k = 0; k < o.n_out; k++) {
        if (strcmp(r.f.model.output[o.out[k]].name, "mid") != 0) continue;
        const double *y = o.y + 3 * k, *y0 = o.y0 + 3 * k;
        double w = M * G / 48.0;
        MW_CHECK(y[2] == y0[2]);
        MW_NEAR(y0[2] - y[3 * o.n_out + 2], w, 1e-8 * w + 1e-12);
      }
  }
  close_rig(&r);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "cantilever_bends_by_the_closed_form", cantilever_bends_by_the_closed_form },
    { "beam_columns_bend_by_the_closed_form", beam_columns_bend_by_the_closed_form },
    { "a_straight_column_is_unstable_beyond_eulers_loads",
      a_straight_column_is_unstable_beyond_eulers_loads },
    { "columns_buckle_at_eulers_load", columns_buckle_at_eulers_load },
    { "tension_buckles_nothing", tension_buckles_nothing },
    { "heavy_columns_buckle_at_greenhills_height", heavy_columns_buckle_at_greenhills_height },
    { "beam_gives_way_under_its_carriage", beam_gives_way_under_its_carriage },
  };
  return mw_test_run("elastic_rest", cases, (int)(sizeof cases / sizeof *cases));
}
