// SPDX-License-Identifier: BSD-3-Clause
// test_pagescenarios.c: scenarios as pages carry them: samples of forces, positions and controllers
// at the instants at which runs look at them, against the formulas of the signals, and the reasons
// of those that a page cannot start.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "mw_test.h"
#include "page/livepage_layer.h"
#include "reduction/reduce.h"
#include "sim/romrun.h"

#define MOVE "{ cycloid: { from: 0.2, to: 0.8, start: 0, end: 1 } }"
static const char *const SCENARIOS =
    "scenarios:\n"
    "  push: { duration: 1, step: 0.01, start: { x: { at: 0.3, velocity: 0.1 } },\n"
    "          drives: { motor: { force: { sine: { amplitude: 2, frequency: 0.5 } } } } }\n"
    "  move: { duration: 2, step: 0.01, start: { x: 0.2 }, drives: { motor: { position:\n"
    "          { cycloid: { from: 0.2, to: 0.8, start: 0, end: 2 } } } } }\n"
    "  hold: { duration: 1, step: 0.01, control_period: 0.02, start: { x: 0.2 },\n"
    "          drives: { motor: { follow: " MOVE ", kp: 50, kd: 7, ki: 3 } } }\n"
    "  odd: { duration: 1.005, step: 0.01, start: { x: 0.2 }, cutting: { to: [mid.y, mid.z],\n"
    "         force: 6e8, radial: 0.25, teeth: 3, immersion: 0.5, down: true,\n"
    "         rpm: [500, 9000] } }\n"
    "  long: { duration: 2000, step: 0.01, start: { x: 0.2 },\n"
    "          drives: { motor: { force: { sine: { amplitude: 1, frequency: 1 } } } } }\n"
    "  weak: { duration: 1, step: 0.01, control_period: 0.02, start: { x: 0.2 },\n"
    "          drives: { motor: { follow: " MOVE ", kp: 50, kd: 7, limits: { force: 9 } } } }\n";

typedef struct fixture {
  mw_fixture f;
  mw_case model;
  mw_rom_file rom;
  char *text;  // JSON
} fixture;

static bool make(fixture *z)
{
  mw_error err = { 0 };
  size_t n = 0;
  *z = (fixture){ 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 8, 0.3, 0.0, 5, 2, SCENARIOS, &z->f)) ||
      !MW_OKAY(mw_reduce(&z->f.model, &z->f.mech, NULL, &z->rom, &err)))
    return false;
  z->model = (mw_case){ .model = z->f.model, .body = z->f.body, .mech = z->f.mech };
  FILE *f = open_memstream(&z->text, &n);
  if (!MW_CHECK(f != NULL)) return false;
  bool good = MW_OKAY(mw_page_scenarios(&z->rom, &z->model, f, &err));
  return MW_CHECK(fclose(f) == 0) && good;
}

static void clear(fixture *z)
{
  free(z->text);
  mw_rom_file_free(&z->rom);
  mw_fixture_free(&z->f);
}

// Number k of the list behind "key" behind "name"; NAN: there is none.
static double number(const fixture *z, const char *name, const char *key, int k)
{
  char word[64];
  snprintf(word, sizeof word, "\"%s\"", name);
  const char *p = strstr(z->text, word);
  snprintf(word, sizeof word, "\"%s\"", key);
  p = p ? strstr(p + 1, word) : NULL;
  p = p ? p + strlen(word) : NULL;
  while (p && *p && strchr(": [\n", *p)) p++;
  for (; p && k > 0; k--)
    if ((p = p + strcspn(p, ",]")) && *p++ != ',') return NAN;
  return p ? strtod(p, NULL) : NAN;
}

static bool says(const fixture *z, const char *what) { return strstr(z->text, what) != NULL; }

// Numbers go through text: 17 digits or fewer, as written; the formulas round by a few ε.
static const double ROUNDED = 1e-12;

static void samples_are_those_of_the_signals(void)
{
  const double pi = acos(-1.0);
  fixture z;
  if (!make(&z)) return;
  MW_CHECK(number(&z, "push", "steps", 0) == 100.0 && number(&z, "hold", "period", 0) == 2.0);
  for (int k = 0; k < 100; k += 7) {
    double t = (k + 0.5) * 0.01;  // forces: in the middle of a step
    MW_WITHIN(number(&z, "push", "value", k), 2.0 * sin(pi * t), 2.0 * ROUNDED, "digits of a text");
    t = (k + 1) * 0.01;  // positions: at the end of a step; cycloids of 0.6 in 2 s
    MW_WITHIN(number(&z, "move", "value", k), 0.2 + 0.6 * (t / 2 - sin(pi * t) / (2.0 * pi)),
              ROUNDED, "digits of a text");
    MW_WITHIN(number(&z, "move", "rate", k), 0.3 * (1.0 - cos(pi * t)), ROUNDED,
              "digits of a text");
  }
  for (int k = 0; k <= 50; k += 5) {
    double t = k * 0.02;  // controllers: at each sample; 0.6 in 1 s
    MW_WITHIN(number(&z, "hold", "value", k), 0.2 + 0.6 * (t - sin(2.0 * pi * t) / (2.0 * pi)),
              ROUNDED, "digits of a text");
    MW_WITHIN(number(&z, "hold", "rate", k), 0.6 * (1.0 - cos(2.0 * pi * t)), ROUNDED,
              "digits of a text");
    MW_WITHIN(number(&z, "hold", "acc", k), 1.2 * pi * sin(2.0 * pi * t), 10.0 * ROUNDED,
              "digits of a text");
  }
  MW_CHECK(isnan(number(&z, "hold", "value", 51)) && isnan(number(&z, "push", "value", 100)));
  MW_CHECK(number(&z, "hold", "kp", 0) == 50.0 && number(&z, "hold", "kd", 0) == 7.0 &&
           number(&z, "hold", "ki", 0) == 3.0);
  clear(&z);
}

static void they_start_where_runs_do(void)
{
  fixture z;
  double x[64];
  mw_error err = { 0 };
  if (!make(&z)) return;
  int n = 2 * (z.rom.rom.s + z.rom.rom.m);
  if (MW_CHECK(n <= 64) &&
      MW_OKAY(mw_rom_run_start(&z.f.model, &z.f.mech, &z.rom, &z.f.model.scenario[0], x, &err)))
    for (int i = 0; i < n; i++)
      MW_WITHIN(number(&z, "push", "x", i), x[i], ROUNDED * fabs(x[i]), "digits of a text");
  MW_WITHIN(number(&z, "push", "x", 0), 0.3, ROUNDED, "digits of a text");
  MW_WITHIN(number(&z, "push", "x", n / 2), 0.1, ROUNDED, "digits of a text");
  clear(&z);
}

// Whether a page can start the scenario or not.
static void processes_are_those_of_the_scenarios(void)
{
  fixture z;
  if (!make(&z)) return;
  const char *at = strstr(z.text, "\"cutting\"");
  if (MW_CHECK(at != NULL)) {
    MW_CHECK(strstr(at, "\"odd\"") && strstr(at, "\"mid.y,mid.z\"") && !strstr(at, "\"move\""));
    MW_CHECK(number(&z, "cutting", "force", 0) == 6e8 && number(&z, "cutting", "teeth", 0) == 3.0);
    MW_CHECK(number(&z, "cutting", "radial", 0) == 0.25);
    MW_CHECK(number(&z, "cutting", "immersion", 0) == 0.5);
    MW_CHECK(number(&z, "cutting", "rpm", 0) == 500.0 && number(&z, "cutting", "rpm", 1) == 9000.0);
  }
  clear(&z);
}

static void what_a_page_cannot_start_is_named(void)
{
  fixture z;
  if (!make(&z)) return;
  MW_CHECK(
      says(&z, "\"odd: its duration, or its period of control, is no whole number of steps\""));
  MW_CHECK(says(&z, "\"long: it has too many steps for a page\""));
  MW_CHECK(says(&z, "\"weak: it has limits\""));
  MW_CHECK(!says(&z, "\"push:") && !says(&z, "\"move:") && !says(&z, "\"hold:"));
  clear(&z);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "samples_are_those_of_the_signals", samples_are_those_of_the_signals },
    { "they_start_where_runs_do", they_start_where_runs_do },
    { "processes_are_those_of_the_scenarios", processes_are_those_of_the_scenarios },
    { "what_a_page_cannot_start_is_named", what_a_page_cannot_start_is_named },
  };
  return mw_test_run("pagescenarios", cases, (int)(sizeof cases / sizeof *cases));
}
