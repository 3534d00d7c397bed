// SPDX-License-Identifier: BSD-3-Clause
// test_certificate.c: samples, their comparison with a reduced model, and the verdict, against
// spoiled models.
#include "reduction/certificate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fixture_sample.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static const double PI = 3.14159265358979323846;

// ---- comparison ---------------------------------------------------------------------------------

enum { POINTS = 4 };

// Samples at the first Halton points (without assurance), and the reduced model of the fixture.
static bool compare_setup(fixture_sample *b, mw_rom_file *rom, mw_sample *z)
{
  mw_error err = { 0 };
  double theta[POINTS];
  bool good = MW_OKAY(mw_reduce(&b->f.model, &b->f.mech, NULL, rom, &err));
  mw_points_halton(&b->r, 0, POINTS, theta);
  for (int i = 0; good && i < POINTS; i++)
    good = fixture_sample_place(b, theta[i]) &&
           MW_OKAY(mw_sample_build(b->sys, &b->in, &z[i], &b->mem, &err));
  b->r.m = rom->rom.m;
  b->r.m_modes = rom->n_modes;
  return good;
}

// All of field `from` … `from + n` of every coefficient times a.
static void scale_fields(mw_rom_file *rom, int from, int n, double a)
{
  double *coef = (double *)(size_t)rom->rom.coef;  // the test owns the file
  for (int k = 0; k < mw_rom_n_knot(&rom->rom, 0); k++)
    for (int i = 0; i < n; i++) coef[k * rom->rom.n_field + from + i] *= a;
}

// K times 1 + ε: frequencies times √(1 + ε), to rounding; and of the energy at rest ε/(1 + ε) is
// left out beyond what was.
static void a_stiffness_that_is_wrong_is_found_out(void)
{
  fixture_sample b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate good = { 0 }, bad = { 0 };
  mw_error err = { 0 };
  double eps = 0.02;
  if (fixture_sample_open("SS", 20, 25, NULL, &b) && compare_setup(&b, &rom, z) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &good, &b.mem, &err))) {
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    scale_fields(&rom, L.K, L.C - L.K, 1.0 + eps);
    MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &bad, &b.mem, &err));
    MW_CHECK(good.n_freq == 3 && bad.n_freq == 3);
    for (int k = 0; k < POINTS * 3; k++) {
      MW_WITHIN(bad.f_rom[k] / good.f_rom[k], sqrt(1.0 + eps), 1e-12,
                "roundings of two eigenproblems that are nearly the same");
      MW_SAME_BITS(&bad.f_direct[k], &good.f_direct[k], 1);
    }
    // the largest of what interpolation errs by comes on top
    MW_NEAR(bad.max_frequency_error, eps / 2, eps * eps / 8 + 2 * good.max_frequency_error);
    MW_CHECK(good.max_frequency_error < 1e-3 && good.max_receptance_error < 0.5);
    MW_NEAR(bad.max_energy_left, eps / (1.0 + eps), 2.0 * good.max_energy_left);
    MW_WITHIN(bad.max_static_error, eps / (1.0 + eps), 2.0 * good.max_static_error,
              "the largest error of interpolation, at whatever sample is worst");
    // a peak displaced by ε/2, ζ = 0.02: |h' − h|/|h| = |1 − 1/(1 − iε/(2ζ))| to first order of ε
    // and ζ
    double x = eps / (2.0 * 0.02);
    MW_CHECK(bad.max_receptance_error > 0.8 * x / sqrt(1.0 + x * x));
    printf("certificate: good %.1e %.1e %.1e, spoiled %.1e %.1e %.1e\n", good.max_frequency_error,
           good.max_receptance_error, good.max_energy_left, bad.max_frequency_error,
           bad.max_receptance_error, bad.max_energy_left);
  }
  mw_rom_file_free(&rom);
  fixture_sample_close(&b);
}

// Energy of a random combination v of loads that the reduced model leaves out.
static double left_out(const mw_sample *z, const double *F, const double *v)
{
  double left = 0.0, all = 0.0;
  for (int i = 0; i < z->n_load; i++)
    for (int j = 0; j < z->n_load; j++) {
      all += v[i] * z->F0[i * z->n_load + j] * v[j];
      left += v[i] * (z->F0[i * z->n_load + j] - F[i * z->n_load + j]) * v[j];
    }
  return fabs(left) / all;
}

// Without one of the patterns: F_rom by dense solution with K; of all combinations of vertical
// loads (others do next to nothing) none leaves out more than is certified, and the best of many
// comes close.
static void a_column_that_is_missing_shows_in_the_energy_left(void)
{
  fixture_sample b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate c = { 0 }, whole = { 0 };
  mw_error err = { 0 };
  if (fixture_sample_open("SS", 20, 25, NULL, &b) && compare_setup(&b, &rom, z) &&
      MW_CHECK(rom.n_patterns > 0) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, 1, z, &whole, &b.mem, &err))) {
    int m = rom.rom.m, gone = m - 1, n_io = z[0].n_io, nl = z[0].n_load;
    mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
    for (int j = 0; j < m - 1; j++) scale_fields(&rom, L.K + gone * (gone + 1) / 2 + j, 1, 0.0);
    for (int k = 0; k < rom.rom.n_y; k++) scale_fields(&rom, L.y + k * (1 + m) + 1 + gone, 1, 0.0);
    scale_fields(&rom, L.d + gone, 1, 0.0);
    scale_fields(&rom, L.U1 + gone, 1, 0.0);
    MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, 1, z, &c, &b.mem, &err));
    // F_rom densely
    double *v = mw_arena_f64(&b.mem, (size_t)rom.rom.n_field);
    double *K = mw_arena_f64(&b.mem, (size_t)m * (size_t)m);
    double *g = mw_arena_f64(&b.mem, (size_t)nl * (size_t)m), *x = mw_arena_f64(&b.mem, (size_t)m);
    double *F = mw_arena_f64(&b.mem, (size_t)nl * (size_t)nl);
    MW_CHECK(mw_rom_fields(&rom.rom, z[0].theta, v, NULL, NULL) == MW_ROM_OK);
    for (int i = 0; i < m; i++)
      for (int j = 0; j <= i; j++) K[i * m + j] = v[L.K + i * (i + 1) / 2 + j];
    for (int l = 0; l < nl; l++)
      for (int a = 0; a < m; a++)
        g[l * m + a] =
            l < n_io ? v[L.y + l * (1 + m) + 1 + a] : (l == n_io ? -v[L.d + a] : -v[L.U1 + a]);
    MW_OKAY(mw_chol_factor(m, K, &err));
    for (int l = 0; l < nl; l++) {
      memcpy(x, g + l * m, (size_t)m * sizeof *x);
      mw_chol_solve(m, K, 1, x);
      for (int k = 0; k < nl; k++) F[l * nl + k] = mw_dot(m, x, g + k * m);
    }
    const char *const name[2] = { "mid", "cart" };
    double best = 0.0, combination[32];
    for (int t = 0; t < 20000 && MW_CHECK(nl <= 32); t++) {
      memset(combination, 0, sizeof combination);
      for (int k = 0; k < 2; k++)
        combination[fixture_sample_load(&b, name[k], 2)] =
            cos(2.0 * PI * t / 20000.0 - 0.5 * PI * k);
      best = fmax(best, left_out(&z[0], F, combination));
    }
    printf("energy left: %.1e, without a pattern %.3e; the best of many combinations %.3e\n",
           whole.max_energy_left, c.max_energy_left, best);
    MW_CHECK(best <=
             c.max_energy_left * (1.0 + 1e-6));  // rounding of F, condition 1e4 of kept loads
    // acceleration along the beam does nothing to it and gravity is the cart's load: two loads are
    // all there is
    MW_CHECK(best > 0.999 * c.max_energy_left);
    MW_CHECK(c.max_energy_left > 10.0 * whole.max_energy_left);
  }
  mw_rom_file_free(&rom);
  fixture_sample_close(&b);
}

static void samples_serve_grids_of_any_size(void)
{
  fixture_sample b[2];
  mw_rom_file rom[2] = { 0 };
  mw_sample z[POINTS], other[POINTS];
  mw_certificate c[2] = { 0 };
  mw_error err = { 0 };
  bool good = fixture_sample_open("CF", 16, 9, NULL, &b[0]);
  good = fixture_sample_open("CF", 16, 17, NULL, &b[1]) && good;
  for (int i = 0; good && i < 2; i++) b[i].f.model.reduction.coordinate[0].refine = 8;
  if (good && compare_setup(&b[0], &rom[0], z) && compare_setup(&b[1], &rom[1], other) &&
      MW_OKAY(mw_certificate_compare(&b[0].r, NULL, &rom[0], POINTS, z, &c[0], &b[0].mem, &err)) &&
      MW_OKAY(mw_certificate_compare(&b[1].r, NULL, &rom[1], POINTS, z, &c[1], &b[1].mem, &err))) {
    for (int i = 0; i < POINTS; i++) {
      MW_SAME_BITS(z[i].F0, other[i].F0, z[i].n_load * z[i].n_load);
      MW_SAME_BITS(z[i].lambda, other[i].lambda, z[i].k);
    }
    MW_CHECK(c[0].n_band == c[1].n_band && c[0].n_band > 200 && c[0].n_band <= 1000);
    MW_SAME_BITS(c[0].band, c[1].band, c[0].n_band);
    MW_SAME_BITS(c[0].f_direct, c[1].f_direct, POINTS * c[0].n_freq);
    // a grid twice as fine: a factor of 16 in the limit, half of it asked for
    MW_CHECK(c[1].max_frequency_error < c[0].max_frequency_error / 8.0);
    // receptances err by the columns left out, 5e-4 on both grids; of that a frequency that errs by
    // 8e-6 and less moves a peak of half width 1e-3 and more by a hundredth
    MW_NEAR(c[1].max_receptance_error, c[0].max_receptance_error, 2e-2 * c[0].max_receptance_error);
  }
  for (int i = 0; i < 2; i++) {
    mw_rom_file_free(&rom[i]);
    fixture_sample_close(&b[i]);
  }
}

// The list has a frequency within a quarter of a mode's half width of every sampled mode in the
// band, and names its rows.
static void receptances_are_compared_where_the_modes_are(void)
{
  fixture_sample b;
  mw_rom_file rom = { 0 };
  mw_sample z[POINTS];
  mw_certificate c = { 0 };
  mw_error err = { 0 };
  if (fixture_sample_open("SS", 16, 17, "  certificate: { band: 20 }\n", &b) &&
      compare_setup(&b, &rom, z) &&
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &c, &b.mem, &err))) {
    MW_CHECK(c.band[0] == 0.0 && c.band[c.n_band - 1] == 20.0);
    for (int i = 1; i < c.n_band; i++) MW_CHECK(c.band[i] > c.band[i - 1]);
    int in_band = 0;
    for (int i = 0; i < POINTS; i++)
      for (int k = 0; k < z[i].k; k++) {
        double f = sqrt(z[i].lambda[k]) / (2.0 * PI), gap = INFINITY;
        if (f > 20.0) continue;
        for (int l = 0; l < c.n_band; l++) gap = fmin(gap, fabs(c.band[l] - f));
        MW_CHECK(gap <= 0.25 * c.zeta * f);
        in_band++;
      }
    MW_CHECK(in_band >= 2 * POINTS);
    MW_CHECK(c.n_io == 9 && strcmp(c.io[2], "mid.z") == 0 && strcmp(c.io[8], "cart.z") == 0);
    double largest = 0.0;
    for (int i = 0; i < c.n_io * c.n_band; i++) largest = fmax(largest, c.band_error[i]);
    MW_SAME_BITS(&largest, &c.max_receptance_error, 1);
    MW_SAME_BITS(&c.receptance_error[c.worst_receptance], &c.max_receptance_error, 1);
    // what leads to nothing is left out: across the plane the beam is 1e8 times as stiff
    for (int l = 0; l < c.n_band; l++) MW_CHECK(c.band_error[l] == 0.0);
    MW_CHECK(c.receptance_bound < 1e-3);
    // at rest |H_ii| is the compliance of the worst point
    const mw_sample *w = &z[c.worst_receptance];
    int row = c.worst_io;
    // what modes take from statics they give back: sums over as many
    MW_NEAR(c.band_direct[row * c.n_band] / w->F0[row * w->n_load + row], 1.0,
            mw_test_rounding(w->k, 1.0));
  }
  mw_rom_file_free(&rom);
  fixture_sample_close(&b);
}

// ---- assurance, points, verdict -----------------------------------------------------------------

// A = φᵀ M T with a basis of the beam that is nothing but numbers, the cart's rows unchanged.
static void assurance_is_in_the_coordinates_of_the_bases(void)
{
  fixture_sample b;
  mw_error err = { 0 };
  mw_sample full, based;
  if (fixture_sample_open("SS", 8, 5, NULL, &b) && fixture_sample_place(&b, 0.4)) {
    enum { R = 5 };
    int n_body = b.f.mech.n_body, beam = -1;
    mw_basis *basis = mw_arena_alloc(&b.mem, (size_t)n_body, sizeof *basis);
    for (int i = 0; i < n_body; i++)
      if (b.f.mech.body[i].n_u > 0) beam = i;
    int n_u = b.f.mech.body[beam].n_u, o = mw_blocks_offset(b.blocks, beam);
    int n = mw_blocks_size(b.blocks);
    basis[beam] =
        (mw_basis){ .n_u = n_u, .r = R, .T = mw_arena_alloc(&b.mem, (size_t)(R * n_u), 4) };
    for (int i = 0; i < R * n_u; i++) basis[beam].T[i] = (float)sin(1.0 + i * i);
    b.in.n_mac = 3;
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &full, &b.mem, &err))) {
      b.in.basis = basis;
      MW_OKAY(mw_sample_build(b.sys, &b.in, &based, &b.mem, &err));
      MW_CHECK(full.n == n && based.n == n - n_u + R && full.n_mac == 3 && based.n_mac == 3);
      for (int k = 0; k < 3; k++) {
        const double *row = full.A + k * n, *got = based.A + k * based.n;
        for (int c = 0; c < R; c++) {
          double want = 0.0, size = 0.0;
          for (int i = 0; i < n_u; i++) {
            want += row[o + i] * (double)basis[beam].T[c * n_u + i];
            size += fabs(row[o + i] * (double)basis[beam].T[c * n_u + i]);
          }
          MW_NEAR(got[o + c], want, n_u * DBL_EPSILON * size);  // the same sum in another order
        }
        MW_SAME_BITS(got, row, o);
        MW_SAME_BITS(got + o + R, row + o + n_u, n - o - n_u);
      }
    }
  }
  fixture_sample_close(&b);
}

// In a reduction the modes of its own columns are those of the sample: assurance next to one,
// compared by another route than the frequencies.
static void modal_assurance_is_next_to_one_on_a_fine_grid(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    const mw_certificate *c = &rom.certificate;
    MW_CHECK(c->n_mesh == 8 && c->n_freq == 3 && c->n_io == 9);
    // 1 − MAC is the square of the error of a mode's direction, which is about the square root of
    // λ's relative error
    MW_WITHIN(c->min_mac, 1.0, 1e-3, "the tolerance of frequencies");
    MW_CHECK(c->min_mac < 1.0 || c->max_frequency_error < 1e-9);
    MW_CHECK(mw_certificate_met(c));
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

static void samples_become_bytes_and_back(void)
{
  fixture_sample b;
  mw_error err = { 0 };
  mw_sample z, back;
  if (fixture_sample_open("SS", 8, 5, NULL, &b) && fixture_sample_place(&b, 0.4)) {
    b.in.n_mac = 2;
    if (MW_OKAY(mw_sample_build(b.sys, &b.in, &z, &b.mem, &err))) {
      mw_pack p = { 0 };
      mw_sample_pack(&z, &p);
      MW_CHECK(!p.failed);
      mw_unpack u = { .p = p.b.p, .left = p.b.n };
      if (MW_OKAY(mw_sample_unpack(&u, &back, &b.mem, &err))) {
        MW_CHECK(u.left == 0 && back.n == z.n && back.k == z.k && back.n_mac == 2);
        MW_CHECK(back.n_io == z.n_io && back.n_load == z.n_load && back.n_stress == 0);
        MW_SAME_BITS(back.theta, z.theta, 1);
        MW_SAME_BITS(back.lambda, z.lambda, z.k);
        MW_SAME_BITS(back.A, z.A, z.n_mac * z.n);
        MW_SAME_BITS(back.B, z.B, z.k * z.n_load);
        MW_SAME_BITS(back.F0, z.F0, z.n_load * z.n_load);
        MW_SAME_BITS(back.F1, z.F1, z.n_load * z.n_load);
      }
      // cut short anywhere, and with sizes that nothing can have
      for (size_t cut = 0; cut < p.b.n; cut += 1 + p.b.n / 97) {
        u = (mw_unpack){ .p = p.b.p, .left = cut };
        MW_FAILS(mw_sample_unpack(&u, &back, &b.mem, &err), MW_ERR_INPUT);
      }
      for (int i = 0; i < 6; i++) {
        mw_pack wrong = { 0 };
        int size[6] = { z.n, z.k, z.n_mac, z.n_io, z.n_load, z.n_stress };
        size[i] = i % 2 ? -1 : 2000000000;
        for (int k = 0; k < 6; k++) mw_pack_int(&wrong, 1, &size[k]);
        mw_pack_f64(&wrong, 64, z.F0);
        u = (mw_unpack){ .p = wrong.b.p, .left = wrong.b.n };
        MW_FAILS(mw_sample_unpack(&u, &back, &b.mem, &err), MW_ERR_INPUT);
        free(wrong.b.p);
      }
      free(p.b.p);
    }
  }
  fixture_sample_close(&b);
}

static void points_are_halton_s_and_lie_inside(void)
{
  mw_reduction r = { .s = 6 };
  double theta[16 * 6];
  for (int k = 0; k < 6; k++) r.hi[k] = 1.0;
  mw_points_halton(&r, 0, 16, theta);
  // radical inverses of 1 … 4 in base 2, of 1 … 4 in base 13, shifted by the golden section
  const double two[4] = { 1.0 / 2, 1.0 / 4, 3.0 / 4, 1.0 / 8 }, shift = 0.5 * (sqrt(5.0) - 1.0);
  for (int i = 0; i < 4; i++) {
    MW_NEAR(theta[6 * i], fmod(two[i] + shift, 1.0), 4 * DBL_EPSILON);
    MW_NEAR(theta[6 * i + 5], fmod((i + 1) / 13.0 + shift, 1.0), 4 * DBL_EPSILON);
  }
  for (int i = 0; i < 96; i++) MW_CHECK(theta[i] > 0.0 && theta[i] < 1.0);
}

static bool met_of(const mw_certificate *c, const char *key)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, key) == 0) return v[i].met;
  return MW_CHECK(false);
}

// Each quantity has its tolerance, NaN misses it; all of them have to be met.
static void every_quantity_compared_decides_what_is_met(void)
{
  double stress[1] = { 0.0 };
  const mw_certificate fine = { .n = 1,
                                .n_freq = 1,
                                .n_io = 1,
                                .n_motion = 1,
                                .n_table = 1,
                                .stress_stiffness_error = 1e-9,
                                .tolerance = 1e-3,
                                .motion_tolerance = 1e-6,
                                .zeta = 0.02,
                                .min_mac = 1.0,
                                .stress_error = stress };
  MW_CHECK(mw_certificate_met(&fine));
  for (int bad = 0; bad < 2; bad++) {
    const double over = bad ? NAN : 1.01;
    mw_certificate c[9] = { fine, fine, fine, fine, fine, fine, fine, fine, fine };
    static const char *const key[9] = { "frequencies", "shapes",           "static_compliance",
                                        "stress",      "receptances",      "rigid_positions",
                                        "tables",      "stress_stiffness", "third_order" };
    c[0].max_frequency_error = 1e-3 * over;
    c[1].min_mac = 1.0 - 2e-3 * over;
    c[2].max_static_error = 2e-3 * over;
    c[3].max_stress_error = 1e-2 * over;
    c[4].max_receptance_error = 1e-3 / 0.02 * over;  // a peak displaced by 1e-3 with 2 % damping
    c[5].motion_error = 1e-6 * over;
    c[6].table_error = 1e-3 * over;
    c[7].stress_stiffness_error = 1e-3 * over;
    c[8].third_error = 1e-3 * over;
    for (int i = 0; i < 9; i++) {
      MW_CHECK(!met_of(&c[i], key[i]));
      MW_CHECK(!mw_certificate_met(&c[i]));
      for (int k = 0; k < 9; k++) MW_CHECK(k == i || met_of(&c[i], key[k]));
    }
  }
}

static void receptances_are_judged_by_the_tolerance_asked_for(void)
{
  mw_certificate c = { .n = 1, .n_io = 1, .tolerance = 1e-3, .zeta = 0.02, .min_mac = 1.0 };
  c.max_receptance_error = 0.3;
  MW_CHECK(!mw_certificate_met(&c));
  c.receptance_tolerance = 0.4;
  MW_CHECK(mw_certificate_met(&c));
  c.receptance_tolerance = 0.1;
  MW_CHECK(!mw_certificate_met(&c));
  c.receptance_tolerance = 0.0;
  c.zeta = 1e-6;  // no more than a tenth, however sharp peaks are
  MW_CHECK(!mw_certificate_met(&c));
}

// A coarse grid: its coordinate. A fine one whose stiffness is wrong everywhere by the same: not
// the grid.
static void advice_names_what_is_to_blame(void)
{
  char text[256];
  mw_error err = { 0 };
  for (int i = 0; i < 2; i++) {
    fixture_sample b;
    mw_rom_file rom = { 0 };
    mw_sample z[POINTS];
    bool open = fixture_sample_open("SS", 20, i == 0 ? 9 : 33, "  tolerance: 1e-4\n", &b);
    if (open && i == 0) b.f.model.reduction.coordinate[0].refine = 1;
    if (open && compare_setup(&b, &rom, z)) {
      mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&rom.rom));
      if (i == 1) scale_fields(&rom, L.K, L.C - L.K, 1.01);
      MW_OKAY(mw_certificate_compare(&b.r, NULL, &rom, POINTS, z, &rom.certificate, &b.mem, &err));
      MW_CHECK(!mw_certificate_met(&rom.certificate));
      mw_certificate_advice(&rom, text, sizeof text);
      printf("advice: %s\n", text);
      MW_CHECK(strstr(text, i == 0 ? "coordinates.x.points" : "bodies.tolerance") != NULL);
      rom.certificate.tolerance = rom.certificate.receptance_tolerance = 1.0;
      mw_certificate_advice(&rom, text, sizeof text);
      MW_CHECK(text[0] == '\0');
    }
    mw_rom_file_free(&rom);
    fixture_sample_close(&b);
  }
}

// Of two coordinates the one with few points; the other runs on a rigid rail, nothing depends on
// it.
static void advice_tells_coordinates_apart(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char text[256] = "";
  if (!MW_CHECK(mw_fixture_machine("  tolerance: 1e-6\n", &f))) return;
  f.model.reduction.coordinate[1].n_grid = 5;
  f.model.reduction.coordinate[1].refine = 1;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err))) {
    MW_CHECK(!mw_certificate_met(&rom.certificate));
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "coordinates.phi.points") != NULL);
    // a peak that is displaced by a millionth is not what makes a receptance err by a tenth in the
    // middle of the band
    mw_certificate *c = &rom.certificate;
    c->tolerance = 1.0;
    c->receptance_tolerance = 1e-2;
    c->max_receptance_error = 0.1;
    for (int k = 0; k < c->n * c->n_freq; k++) c->f_rom[k] = c->f_direct[k] * (1.0 + 1e-6);
    c->worst_hz = 0.4 * c->band[c->n_band - 1];
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "reduction.patterns") != NULL);
    c->worst_hz = c->band[c->n_band - 1];
    mw_certificate_advice(&rom, text, sizeof text);
    MW_CHECK(strstr(text, "modes.band") && !strstr(text, "reduction.patterns"));
    // and does not fit into few bytes
    mw_certificate_advice(&rom, text, 8);
    MW_CHECK(strlen(text) == 7);
  }
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_stiffness_that_is_wrong_is_found_out", a_stiffness_that_is_wrong_is_found_out },
    { "a_column_that_is_missing_shows_in_the_energy_left",
      a_column_that_is_missing_shows_in_the_energy_left },
    { "samples_serve_grids_of_any_size", samples_serve_grids_of_any_size },
    { "receptances_are_compared_where_the_modes_are",
      receptances_are_compared_where_the_modes_are },
    { "assurance_is_in_the_coordinates_of_the_bases",
      assurance_is_in_the_coordinates_of_the_bases },
    { "modal_assurance_is_next_to_one_on_a_fine_grid",
      modal_assurance_is_next_to_one_on_a_fine_grid },
    { "samples_become_bytes_and_back", samples_become_bytes_and_back },
    { "points_are_halton_s_and_lie_inside", points_are_halton_s_and_lie_inside },
    { "every_quantity_compared_decides_what_is_met", every_quantity_compared_decides_what_is_met },
    { "receptances_are_judged_by_the_tolerance_asked_for",
      receptances_are_judged_by_the_tolerance_asked_for },
    { "advice_names_what_is_to_blame", advice_names_what_is_to_blame },
    { "advice_tells_coordinates_apart", advice_tells_coordinates_apart },
  };
  return mw_test_run("certificate", cases, (int)(sizeof cases / sizeof *cases));
}
