// SPDX-License-Identifier: BSD-3-Clause
// test_frf.c: frequency responses against the linear systems of the same model solved by an
// elimination of the test's own, closed forms of a beam, and what holds for any of them.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/frf.h"
#include "sim/lpv.h"

static const double PI = 3.14159265358979323846;

typedef struct made {
  mw_fixture f;
  mw_rom_file rom;
  mw_lpv l;
  mw_arena mem;
  bool good;
} made;

static void open_made(made *k, bool arm)
{
  static const char *unit[] = { "m", "rad" };
  mw_error err = { 0 };
  *k = (made){ 0 };
  bool fine =
      arm ? mw_fixture_machine("", &k->f) : mw_fixture_beam("SS", 16, 0.5, 0.0, 7, 3, "", &k->f);
  k->good = fine && mw_fixture_okay(mw_reduce(&k->f.model, &k->f.mech, NULL, &k->rom, &err), &err);
  if (k->good) k->rom.unit = unit;
  k->good = k->good && mw_fixture_okay(mw_lpv_build(&k->rom, &k->l, &err), &err);
}

static made machine, beam;

static void close_made(made *k)
{
  mw_lpv_free(&k->l);
  mw_rom_file_free(&k->rom);
  mw_arena_free(&k->mem);
  mw_fixture_free(&k->f);
}

// X := Z⁻¹ X by Gauss's elimination with pivots; Z [n × n] is destroyed, X [n × k].
static void eliminate(int n, double complex *Z, int k_rhs, double complex *X)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (cabs(Z[i * n + k]) > cabs(Z[p * n + k])) p = i;
    for (int j = 0; j < n + k_rhs; j++) {
      double complex *a = j < n ? &Z[k * n + j] : &X[k * k_rhs + j - n],
                     *b = j < n ? &Z[p * n + j] : &X[p * k_rhs + j - n], t = *a;
      *a = *b;
      *b = t;
    }
    for (int i = k + 1; i < n; i++) {
      double complex m = Z[i * n + k] / Z[k * n + k];
      for (int j = k; j < n; j++) Z[i * n + j] -= m * Z[k * n + j];
      for (int j = 0; j < k_rhs; j++) X[i * k_rhs + j] -= m * X[k * k_rhs + j];
    }
  }
  for (int k = n - 1; k >= 0; k--)
    for (int j = 0; j < k_rhs; j++) {
      for (int l = k + 1; l < n; l++) X[k * k_rhs + j] -= Z[k * n + l] * X[l * k_rhs + j];
      X[k * k_rhs + j] /= Z[k * n + k];
    }
}

// y_i/u_j at grid point p of the linear systems, written as equations of second order:
//   (K + iω D − ω²) z = B ,  [K D] = −A's rows of accelerations
// bound: of the rounding of both, n eps |C| |Z⁻¹| (|Z| |z| + |B|) [Higham 2002, (7.12)], twice.
static double complex reference(const mw_lpv *l, int p, int i, int j, double hz, double *bound)
{
  int nx = l->n_x, n = nx / 2, cols = n + 1;
  double omega = 2.0 * PI * hz, off[64];
  const double *A = l->A + p * nx * nx, *B = l->B + p * nx * l->n_u;
  double complex Z[64 * 64], first[64 * 64], X[64 * 65], y = 0.0;
  for (int a = 0; a < n; a++) {
    for (int b = 0; b < n; b++) {
      Z[a * n + b] = first[a * n + b] = -A[(n + a) * nx + b] - I * omega * A[(n + a) * nx + n + b] -
                                        (a == b ? omega * omega : 0.0);
      X[a * cols + b] = a == b;
    }
    X[a * cols + n] = B[(n + a) * l->n_u + j];
  }
  eliminate(n, Z, cols, X);
  for (int a = 0; a < n; a++) {
    off[a] = fabs(B[(n + a) * l->n_u + j]);
    for (int b = 0; b < n; b++) off[a] += cabs(first[a * n + b]) * cabs(X[b * cols + n]);
  }
  *bound = 0.0;
  for (int a = 0; a < n; a++) {
    double c = l->C[0][(p * l->n_y + i) * nx + a];
    y += c * X[a * cols + n];
    for (int b = 0; b < n; b++)
      *bound += 2.0 * n * DBL_EPSILON * fabs(c) * cabs(X[a * cols + b]) * off[b];
  }
  return y;
}

static void ends(made *k, const char *text, int *n, mw_frf_end **end)
{
  mw_error err = { 0 };
  k->good = k->good && MW_OKAY(mw_frf_ends(&k->rom, "to", text, &k->mem, n, end, &err));
}

enum { N_HZ = 40 };

static void frequencies(double hi, double *hz)
{
  for (int k = 0; k < N_HZ; k++) hz[k] = hi * (0.37 + k) / N_HZ;
}

// All fields of the model from its drives, coordinates free, at some grid points.
static void compare_with_systems(made *k)
{
  mw_error err = { 0 };
  double hz[N_HZ], *H = calloc(2 * N_HZ, sizeof *H);
  frequencies(1.1 * k->rom.frequency[k->rom.n_freq - 1], hz);
  for (int i = 0; H && i < k->l.n_y; i++) {
    mw_frf_end to = { .name = "y", .n = 1, .field = { i }, .weight = { 1.0 }, .unit = "m" };
    for (int j = 0; j < k->l.n_u; j++) {
      mw_frf_end from = {
        .name = "u", .n = 1, .field = { k->rom.rom.u_field[j] }, .weight = { 1.0 }, .unit = "m"
      };
      mw_frf_in in = { .n_to = 1, .n_from = 1, .to = &to, .from = &from, .n_hz = N_HZ, .hz = hz };
      mw_frf *w = NULL;
      if (!MW_OKAY(mw_frf_open(&k->rom, &in, &w, &err))) continue;
      for (int p = 0; p < k->l.n_point; p += k->l.n_point / 3 + 1) {
        if (!MW_OKAY(mw_frf_at(w, k->l.x0 + p * k->l.n_x, H, &err))) break;
        for (int f = 0; f < N_HZ; f++) {
          double bound;
          double complex y = reference(&k->l, p, i, j, hz[f], &bound);
          MW_NEAR(cabs(H[f] + I * H[N_HZ + f] - y), 0.0, bound);
        }
      }
      mw_frf_close(w);
    }
  }
  free(H);
}

static void free_coordinates_answer_as_the_linear_systems_do(void)
{
  made *k = &machine;
  if (k->good) compare_with_systems(k);
}

static void forces_on_held_coordinates_move_nothing(void)
{
  mw_error err = { 0 };
  made *k = &machine;
  if (k->good) {
    double hz[N_HZ], H[2 * N_HZ];
    frequencies(k->rom.frequency[0], hz);
    int n_to, n_from;
    mw_frf_end *to, *from;
    ends(k, "tool.z", &n_to, &to);
    ends(k, "phi", &n_from, &from);
    mw_frf_in in = {
      .n_to = n_to, .n_from = n_from, .to = to, .from = from, .held = 3, .n_hz = N_HZ, .hz = hz
    };
    mw_frf *w = NULL;
    if (k->good && MW_OKAY(mw_frf_open(&k->rom, &in, &w, &err)) &&
        MW_OKAY(mw_frf_at(w, k->l.x0, H, &err)))
      for (int f = 0; f < 2 * N_HZ; f++) MW_CHECK(H[f] == 0.0);
    mw_frf_close(w);
  }
}

// A beam on two supports, EI = L = 1: 1/48 under a unit force at mid-span, which is a static
// pattern: exact at grid points but for the solvers' rounding; its resonance is that of the
// reduced model there.
static void a_beam_gives_way_by_one_48th(void)
{
  mw_error err = { 0 };
  made *k = &beam;
  double hz[3] = { 0.0, 0.0, 0.0 }, H[6], theta = 0.5, natural;
  int n;
  mw_frf_end *end;
  ends(k, "mid.z", &n, &end);
  if (k->good && MW_OKAY(mw_rom_frequencies(&k->rom, &theta, false, 1, &natural, &err))) {
    hz[1] = 0.999 * natural, hz[2] = 1.001 * natural;
    mw_frf_in in = {
      .n_to = 1, .n_from = 1, .to = end, .from = end, .held = 1, .n_hz = 3, .hz = hz
    };
    mw_frf *w = NULL;
    mw_frf_poles pole;
    if (MW_OKAY(mw_frf_open(&k->rom, &in, &w, &err)) && MW_OKAY(mw_frf_at(w, &theta, H, &err)) &&
        MW_OKAY(mw_frf_poles_of(w, &pole, &err))) {
      // the stiffness of 16 elements has a condition of some 1e5
      MW_NEAR(H[0], 1.0 / 48.0, 1e5 * DBL_EPSILON / 48.0);
      MW_CHECK(H[1] > H[0] && H[2] < -H[0]);  // the sign changes at the resonance
      MW_CHECK(pole.n == k->rom.rom.m && pole.n_other == 0);
      MW_NEAR(pole.hz[0], natural, 16.0 * k->rom.rom.m * DBL_EPSILON * natural);
      MW_CHECK(pole.zeta[0] == 0.0);
    }
    mw_frf_close(w);
  }
}

// Off the grid and damped, where the pairs of poles are coupled: reciprocity, sums of fields,
// rates, and the largest in any direction against two by two matrices solved by hand.
static void responses_obey_what_holds_for_all_of_them(void)
{
  mw_error err = { 0 };
  made *k = &machine;
  double hz[N_HZ], theta[2] = { 0.0 };
  int n;
  mw_frf_end *end;
  ends(k, "tool.x,tool.z,2*tool.x-0.5*tool.z", &n, &end);
  if (k->good) {
    for (int i = 0; i < 2; i++)
      theta[i] = k->rom.rom.lo[i] + 0.3217 * (k->rom.rom.hi[i] - k->rom.rom.lo[i]);
    frequencies(1.1 * k->rom.frequency[k->rom.n_freq - 1], hz);
    double *H[3], worst[N_HZ];
    for (int kind = 0; kind < 3; kind++) {
      mw_frf_in in = { .n_to = n,
                       .n_from = n,
                       .to = end,
                       .from = end,
                       .held = 3,
                       .n_hz = N_HZ,
                       .hz = hz,
                       .kind = (mw_frf_kind)kind };
      mw_frf *w = NULL;
      H[kind] = mw_arena_f64(&k->mem, 18 * N_HZ);
      if (H[kind] && MW_OKAY(mw_frf_open(&k->rom, &in, &w, &err)))
        MW_OKAY(mw_frf_at(w, theta, H[kind], &err));
      mw_frf_close(w);
    }
    MW_CHECK(n == 3);
#define AT(kind, i, j, f)                                                                          \
  (H[kind][((i)*3 + (j)) * 2 * N_HZ + (f)] + I * H[kind][(((i)*3 + (j)) * 2 + 1) * N_HZ + (f)])
    mw_frf_in two = { .n_to = 2, .n_from = 2, .to = end, .from = end, .n_hz = N_HZ, .hz = hz };
    double part[8 * N_HZ];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        memcpy(part + (i * 2 + j) * 2 * N_HZ, H[0] + (i * 3 + j) * 2 * N_HZ,
               2 * N_HZ * sizeof *part);
    MW_OKAY(mw_frf_worst(&two, part, worst, &err));
    for (int f = 0; f < N_HZ; f++) {
      double complex xx = AT(0, 0, 0, f), xz = AT(0, 0, 1, f), zx = AT(0, 1, 0, f),
                     zz = AT(0, 1, 1, f), s = 2.0 * PI * I * hz[f];
      double round = 16.0 * k->rom.rom.m * DBL_EPSILON * (cabs(xx) + cabs(zz));
      MW_NEAR(cabs(xz - zx), 0.0, round);
      double complex sum = 2.0 * xx - 0.5 * zx,
                     both = 2.0 * (2.0 * xx - 0.5 * xz) - 0.5 * (2.0 * zx - 0.5 * zz);
      MW_NEAR(cabs(AT(0, 2, 0, f) - sum), 0.0, 3.0 * round);
      MW_NEAR(cabs(AT(0, 2, 2, f) - both), 0.0, 9.0 * round);
      MW_CHECK(cabs(AT(1, 0, 1, f) - s * xz) <= 8.0 * DBL_EPSILON * cabs(s * xz));
      MW_CHECK(cabs(AT(2, 0, 1, f) - s * s * xz) <= 8.0 * DBL_EPSILON * cabs(s * s * xz));
      // the largest eigenvalue of HᴴH: half its trace and the root of half the trace² less |det|²
      double trace = creal(xx * conj(xx) + xz * conj(xz) + zx * conj(zx) + zz * conj(zz)),
             det = cabs(xx * zz - xz * zx);
      MW_NEAR(worst[f], sqrt(0.5 * trace + sqrt(fmax(0.25 * trace * trace - det * det, 0.0))),
              round);
    }
#undef AT
  }
}

// At 0 Hz C K⁻¹ B is what a small force adds to the static deflection, off the grid too.
static void at_rest_they_are_static_deflections(void)
{
  mw_error err = { 0 };
  made *k = &machine;
  double hz[2] = { 0.0, 1e-6 }, H[4], theta[2] = { 0.0 };
  int n, to_n;
  mw_frf_end *end, *to;
  ends(k, "phi", &n, &end);
  ends(k, "tool.x", &to_n, &to);
  if (k->good) {
    const mw_rom *r = &k->rom.rom;
    for (int i = 0; i < 2; i++) theta[i] = r->lo[i] + 0.71 * (r->hi[i] - r->lo[i]);
    mw_frf_in in = { .n_to = 1, .n_from = 1, .to = to, .from = to, .held = 3, .n_hz = 2, .hz = hz };
    mw_frf *w = NULL;
    size_t words = mw_rom_sens_bytes(r) / sizeof(double) + 1;
    double *work = mw_arena_f64(&k->mem, words), delta[64], more[64], y0[64], y1[64],
           x[256] = { 0 };
    mw_rom wide = *r;
    int field = to->field[0];
    double push = 1e-3, u[1] = { push };
    wide.n_u = 1, wide.u_field = &field, wide.u_max = NULL;
    wide.n_law = 0;
    if (work && MW_OKAY(mw_frf_open(&k->rom, &in, &w, &err)) &&
        MW_OKAY(mw_frf_at(w, theta, H, &err)) &&
        MW_CHECK(mw_rom_static(&wide, theta, NULL, delta, work, NULL) == MW_ROM_OK) &&
        MW_CHECK(mw_rom_static(&wide, theta, u, more, work, NULL) == MW_ROM_OK)) {
      memcpy(x, theta, sizeof theta);
      memcpy(x + 2, delta, (size_t)r->m * sizeof *delta);
      MW_CHECK(mw_rom_outputs(&wide, x, y0, NULL, work, NULL) == MW_ROM_OK);
      memcpy(x + 2, more, (size_t)r->m * sizeof *more);
      MW_CHECK(mw_rom_outputs(&wide, x, y1, NULL, work, NULL) == MW_ROM_OK);
      // second order of the deflection under 1 mN, and rounding of positions of some metres
      double got = (y1[field] - y0[field]) / push;
      MW_NEAR(H[0], got, 1e-6 * fabs(H[0]) + 8.0 * DBL_EPSILON / push);
    }
    mw_frf_close(w);
  }
}

static void wrong_ends_are_named(void)
{
  static const struct {
    const char *text, *want;
  } bad[] = {
    { "tool.w", "--to: found \"tool.w\", expected one of" },
    { "tool.x+", "--to: found \"\", expected one of" },
    { "tool.x*2", "--to: found \"tool.x*2\", expected one of" },
    { "", "--to: found \"\", expected one of" },
    { "tool.x,,tool.z", "--to: found \",tool.z\", expected one of" },
    { "spin", "angular_velocity, reaction, drive_force, coordinate are seen in runs" },
    { "nan*tool.x", "expected a number" },
    { "tool.x-phi", "adds what is in rad to what is in m" },
  };
  made *k = &machine;
  for (size_t b = 0; k->good && b < sizeof bad / sizeof *bad; b++) {
    mw_error err = { 0 };
    mw_frf_end *end;
    int n;
    MW_FAILS(mw_frf_ends(&k->rom, "to", bad[b].text, &k->mem, &n, &end, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, bad[b].want) != NULL)) printf("%s\n", err.msg);
  }
}

static const mw_test_case cases[] = {
  { "free_coordinates_answer_as_the_linear_systems_do",
    free_coordinates_answer_as_the_linear_systems_do },
  { "forces_on_held_coordinates_move_nothing", forces_on_held_coordinates_move_nothing },
  { "a_beam_gives_way_by_one_48th", a_beam_gives_way_by_one_48th },
  { "responses_obey_what_holds_for_all_of_them", responses_obey_what_holds_for_all_of_them },
  { "at_rest_they_are_static_deflections", at_rest_they_are_static_deflections },
  { "wrong_ends_are_named", wrong_ends_are_named },
};

int main(void)
{
  open_made(&machine, true);
  open_made(&beam, false);
  int rc = machine.good && beam.good
               ? mw_test_run("frf", cases, (int)(sizeof cases / sizeof *cases))
               : EXIT_FAILURE;
  close_made(&machine);
  close_made(&beam);
  return rc;
}
