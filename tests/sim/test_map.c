// SPDX-License-Identifier: BSD-3-Clause
// test_map.c: scalars over the work space against closed forms of a beam, searches of the test's
// own, and what holds for any machine.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/map.h"

enum { N_BAND = 200 };
static const double PI = 3.14159265358979323846;

typedef struct made {
  mw_fixture f;
  mw_rom_file rom;
  mw_arena mem;
  double hz[N_BAND];
  mw_map_in in;
  mw_frf_end *end;
  bool good;
} made;

static made machine, beam;
static const mw_map_kind ALL[] = { MW_MAP_COMPLIANCE, MW_MAP_STIFFNESS, MW_MAP_PEAK,
                                   MW_MAP_PEAK_HZ,    MW_MAP_FREQUENCY, MW_MAP_DAMPING,
                                   MW_MAP_DIRECTION };
enum { COMPLIANCE, STIFFNESS, PEAK, PEAK_HZ, FREQUENCY, DAMPING, DIRECTION, N_ALL };

static void open_made(made *k, bool arm)
{
  static const char *unit[] = { "m", "rad" };
  mw_error err = { 0 };
  *k = (made){ 0 };
  bool fine = arm ? mw_fixture_machine("", &k->f)
                  : mw_fixture_beam("SS", 16, 0.5, 0.0, 13, 3, "damping: { modal: 0.02 }\n", &k->f);
  k->good = fine && mw_fixture_okay(mw_reduce(&k->f.model, &k->f.mech, NULL, &k->rom, &err), &err);
  if (k->good) k->rom.unit = unit;
}

// Everything between the ends of that name, over a band up to hi.
static bool ask(made *k, const char *text, double hi, unsigned held)
{
  mw_error err = { 0 };
  mw_frf_in *in = &k->in.frf;
  if (!k->good || !MW_OKAY(mw_frf_ends(&k->rom, "to", text, &k->mem, &in->n_to, &k->end, &err)))
    return false;
  for (int i = 0; i < N_BAND; i++) k->hz[i] = hi * (i + 1) / N_BAND;
  in->n_from = in->n_to;
  in->to = in->from = k->end;
  in->held = held;
  in->hz = k->hz;
  in->n_hz = N_BAND;
  k->in.n_kind = N_ALL;
  k->in.kind = ALL;
  return true;
}

static void close_made(made *k)
{
  mw_rom_file_free(&k->rom);
  mw_arena_free(&k->mem);
  mw_fixture_free(&k->f);
}

// A beam on two supports under a force at x: x² (1 − x)²/3 there.
static void a_beam_is_softest_in_the_middle(void)
{
  static const double PROMISE = 2e-3;
  mw_error err = { 0 };
  made *k = &beam;
  mw_map *w = NULL;
  double value[N_ALL];
  if (!ask(k, "cart.z", 40.0, 1u) || !MW_OKAY(mw_map_open(&k->rom, &k->in, &w, &err))) return;
  MW_CHECK(mw_map_values(w) == N_ALL);
  for (int i = 1; i < 20; i++) {
    double x = 0.05 * i, want = x * x * (1.0 - x) * (1.0 - x) / 3.0;
    if (!MW_OKAY(mw_map_at(w, &x, value, &err))) break;
    MW_WITHIN(value[COMPLIANCE], want, PROMISE * want, "static compliance is promised so");
    MW_NEAR(value[STIFFNESS] * value[COMPLIANCE], 1.0, 2.0 * DBL_EPSILON);
    MW_CHECK(value[DIRECTION] == 1.0);
  }
  mw_map_close(w);
}

static double modulus(mw_frf *w, double hz)
{
  mw_error err = { 0 };
  double H[2] = { 0 };
  return mw_frf_more(w, 1, &hz, H, &err) == MW_OK ? hypot(H[0], H[1]) : (double)NAN;
}

// The peak of one motion is 1/(2ζ√(1 − ζ²)) times its compliance, plus what the others give; a scan
// finds nothing higher, and the peak itself.
static void peaks_are_those_of_a_fine_scan(void)
{
  enum { N_SCAN = 20001 };
  mw_error err = { 0 };
  made *k = &beam;
  mw_map *w = NULL;
  mw_frf *f = NULL;
  mw_frf_poles pole;
  double value[N_ALL], H[2 * N_BAND];
  if (!ask(k, "cart.z", 40.0, 1u) || !MW_OKAY(mw_map_open(&k->rom, &k->in, &w, &err)) ||
      !MW_OKAY(mw_frf_open(&k->rom, &k->in.frf, &f, &err))) {
    mw_map_close(w);
    return;
  }
  for (int i = 1; i < 8; i++) {
    double x = 0.11 * i, most = 0.0;
    if (!MW_OKAY(mw_map_at(w, &x, value, &err)) || !MW_OKAY(mw_frf_at(f, &x, H, &err)) ||
        !MW_OKAY(mw_frf_poles_of(f, &pole, &err)))
      break;
    MW_CHECK(value[FREQUENCY] == pole.hz[0] && value[DAMPING] == pole.zeta[0]);
    for (int s = 0; s < N_SCAN; s++)
      most = fmax(most, modulus(f, value[PEAK_HZ] * (0.9 + 0.2 * (s + 0.37) / (N_SCAN - 1))));
    double step = 0.2 / (N_SCAN - 1), half = 0.5 * step / pole.zeta[0];  // over half a width
    MW_CHECK(value[PEAK] >= most * (1.0 - 16.0 * DBL_EPSILON));
    MW_NEAR(most, value[PEAK], 0.5 * half * half * value[PEAK]);
    MW_NEAR(modulus(f, value[PEAK_HZ]), value[PEAK], 16.0 * DBL_EPSILON * value[PEAK]);
    // nothing higher anywhere in the band
    for (int s = 0; s < N_BAND; s++) MW_CHECK(hypot(H[s], H[N_BAND + s]) <= value[PEAK]);
  }
  mw_frf_close(f);
  mw_map_close(w);
}

// No direction of a force moves the tool further than the one that is named.
static void directions_are_those_of_most_compliance(void)
{
  enum { N_TURN = 60 };
  mw_error err = { 0 };
  made *k = &machine;
  mw_map *w = NULL;
  mw_frf *f = NULL;
  double value[N_ALL + 2], H[9 * 2 * N_BAND], zero = 0.0, R[18], theta[2];
  if (!ask(k, "tool", 100.0, 3u) || !MW_OKAY(mw_map_open(&k->rom, &k->in, &w, &err)) ||
      !MW_OKAY(mw_frf_open(&k->rom, &k->in.frf, &f, &err))) {
    mw_map_close(w);
    return;
  }
  MW_CHECK(mw_map_values(w) == N_ALL + 2);
  for (int i = 0; i < 2; i++)
    theta[i] = k->rom.rom.lo[i] + 0.37 * (k->rom.rom.hi[i] - k->rom.rom.lo[i]);
  bool good = MW_OKAY(mw_map_at(w, theta, value, &err)) && MW_OKAY(mw_frf_at(f, theta, H, &err)) &&
              MW_OKAY(mw_frf_more(f, 1, &zero, R, &err));
  for (int a = 0; a <= N_TURN && good; a++)
    for (int b = 0; b < N_TURN; b++) {
      double up = PI * (a - 0.5 * N_TURN) / N_TURN, turn = 2.0 * PI * b / N_TURN, size = 0.0;
      double d[3] = { cos(up) * cos(turn), cos(up) * sin(turn), sin(up) };
      bool last = a == N_TURN && b == N_TURN - 1;
      if (last) memcpy(d, value + DIRECTION, sizeof d);
      for (int i = 0; i < 3; i++) {
        double y = 0.0;
        for (int j = 0; j < 3; j++) y += R[2 * (3 * i + j)] * d[j];
        size += y * y;
      }
      MW_CHECK(sqrt(size) <= value[COMPLIANCE] * (1.0 + 64.0 * DBL_EPSILON));
      if (last) MW_NEAR(sqrt(size), value[COMPLIANCE], mw_test_rounding(9.0, value[COMPLIANCE]));
    }
  mw_frf_close(f);
  mw_map_close(w);
}

// A coordinate that nothing holds goes on for ever under a constant force.
static void what_is_free_has_no_compliance_at_rest(void)
{
  mw_error err = { 0 };
  made *k = &machine;
  mw_map *w = NULL;
  double value[N_ALL + 2], theta[2];
  if (!ask(k, "tool", 100.0, 0u) || !MW_OKAY(mw_map_open(&k->rom, &k->in, &w, &err))) return;
  for (int i = 0; i < 2; i++) theta[i] = k->rom.rom.lo[i];
  if (MW_OKAY(mw_map_at(w, theta, value, &err)))
    MW_CHECK(isnan(value[COMPLIANCE]) && isnan(value[DIRECTION]) && value[PEAK] > 0.0);
  mw_map_close(w);
}

static void what_is_asked_for_is_named_or_refused(void)
{
  static const char *const name[] = { "compliance",       "stiffness",        "peak",
                                      "peak_hz",          "frequency 1",      "damping 1",
                                      "direction tool.x", "direction tool.y", "direction tool.z" },
                           *const unit[] = { "m/N", "N/m", "m/N", "Hz", "Hz", "", "", "", "" };
  mw_error err = { 0 };
  made *k = &machine;
  mw_map *w = NULL;
  mw_map_kind kind;
  char text[96], of[64];
  if (!ask(k, "tool", 100.0, 3u) || !MW_OKAY(mw_map_open(&k->rom, &k->in, &w, &err))) return;
  for (int v = 0; v < mw_map_values(w); v++) {
    MW_CHECK(strcmp(mw_map_name(w, v, text), name[v]) == 0);
    MW_CHECK(strcmp(mw_map_unit(w, v, of), unit[v]) == 0);
  }
  mw_map_close(w);
  k->in.frf.kind = MW_FRF_MOBILITY;
  MW_FAILS(mw_map_open(&k->rom, &k->in, &w, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "found compliance with mobility") != NULL);
  k->in.frf.kind = MW_FRF_RECEPTANCE;
  MW_CHECK(!mw_map_kind_find("softness", 8, &kind) && mw_map_kind_find("peak_hz", 7, &kind));
  MW_CHECK(kind == MW_MAP_PEAK_HZ);
}

static const mw_test_case cases[] = {
  { "a_beam_is_softest_in_the_middle", a_beam_is_softest_in_the_middle },
  { "peaks_are_those_of_a_fine_scan", peaks_are_those_of_a_fine_scan },
  { "directions_are_those_of_most_compliance", directions_are_those_of_most_compliance },
  { "what_is_free_has_no_compliance_at_rest", what_is_free_has_no_compliance_at_rest },
  { "what_is_asked_for_is_named_or_refused", what_is_asked_for_is_named_or_refused },
};

int main(void)
{
  open_made(&machine, true);
  open_made(&beam, false);
  int rc = mw_test_run("map", cases, (int)(sizeof cases / sizeof *cases));
  close_made(&machine);
  close_made(&beam);
  return rc;
}
