// SPDX-License-Identifier: BSD-3-Clause
// fixture_romfile.c: a reduced model with all that rom.nc can hold (fixture_romfile.h).
#include "fixture_romfile.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "reduction/certificate.h"

// Numbers that are no round numbers, the same every time.
static double noise(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) / (double)(1LL << 50) - 1.0;
}

static double *noise_array(mw_arena *mem, size_t n, uint64_t *state)
{
  double *x = mw_arena_f64(mem, n);
  for (size_t i = 0; x && i < n; i++) x[i] = noise(state);
  return x;
}

// Tables of two coordinates and three columns, with all parts; uses the memory of f.
static void put_rom(mw_rom_file *f, uint64_t *seed)
{
  static const int u_field[N_U] = { 3, 1 };
  static const double c_theta[S] = { 0.0, 0.25 }, delta_max[M] = { 0.1, INFINITY, 1e-3 },
                      rate_max[S] = { INFINITY, 1.75 }, u_max[N_U] = { 30.0, INFINITY };
  static const int Y_field[2] = { 0, 3 };
  const mw_rom_shape shape = {
    .s = S, .m = M, .n_y = N_Y, .n_Y = 2, .n_G = 2, .parts = MW_ROM_ALL_PARTS
  };
  static mw_rom_law law[2];
  law[0] = (mw_rom_law){ 3, 1.5, 2.5, 0.1, 1e-3, -INFINITY, INFINITY, 0.0, 0.0, 1.0 };
  law[1] = (mw_rom_law){ 0, 0.0, 0.0, 1.0, 1.0, -0.3, 1.0 / 3.0, 1e5, 0.7, 1e-4 };
  f->rom = (mw_rom){ .s = S,
                     .m = M,
                     .n_y = N_Y,
                     .n_u = N_U,
                     .n_field = mw_rom_n_field(shape),
                     .parts = shape.parts,
                     .n_Y = 2,
                     .n_G = 2,
                     .Y_field = Y_field,
                     .rate_max = rate_max,
                     .u_max = u_max,
                     .n_grid = { 7, 5 },
                     .lo = { 0.1, -1.0 },
                     .hi = { 0.9, 1.0 / 3.0 },
                     .u_field = u_field,
                     .c_theta = c_theta,
                     .delta_max = delta_max,
                     .n_law = 2,
                     .law = law };
  f->rom.coef = noise_array(&f->mem, N_KNOT * (size_t)f->rom.n_field, seed);
  for (int i = 0; i < S; i++) f->n_table[i] = f->rom.n_grid[i];
  f->n_start = f->rom.m * (f->rom.m + 1) / 2 + S * f->rom.m * f->rom.m;
  f->start = noise_array(&f->mem, N_KNOT * (size_t)f->n_start, seed);
}

static void put_swings(mw_rom_file *f, uint64_t *seed)
{
  static const char *swings[2] = { "arm", "post" };
  f->swing = (mw_swings){ .n = 2,
                          .omega = noise_array(&f->mem, 2, seed),
                          .shift = noise_array(&f->mem, 2, seed),
                          .third = noise_array(&f->mem, 2, seed),
                          .mode = noise_array(&f->mem, 2 * (size_t)f->rom.m, seed),
                          .output = noise_array(&f->mem, 2, seed),
                          .bends = noise_array(&f->mem, 2, seed),
                          .deflection = noise_array(&f->mem, 2, seed),
                          .body = swings };
}

static void put_certificate(mw_rom_file *f, uint64_t *seed)
{
  mw_certificate *c = &f->certificate;
  static int kind[N_CERT], solver[N_CERT];
  for (int i = 0; i < N_CERT; i++) kind[i] = i % MW_POINT_KINDS;
  for (int i = 0; i < N_CERT; i++) solver[i] = (i + 1) % MW_SOLVERS;
  static double table_theta[S] = { 0.5, 1.0 / 3.0 }, force_theta[MW_MOTIONS * S];
  static const char *outside[] = { "blow", "run" }, *why[] = { "too short", "q runs free" };
  *c = (mw_certificate){ .s = S,
                         .n_table = 35,
                         .table_error = 1.0 / 7.0,
                         .table_theta = table_theta,
                         .table_field = "K[2,1]",
                         .stress_stiffness_error = 1e-5,
                         .n_push = 6,
                         .push_error = 1.0 / 17.0,
                         .push_theta = table_theta,
                         .push_input = "push",
                         .third_error = 1.0 / 11.0,
                         .third_shift = -1.0 / 13.0,
                         .third_hz = 1.0 / 0.3,
                         .third_phase = 1.0 / 19.0,
                         .third_time = 1.5,
                         .free_error = 1.0 / 23.0,
                         .free_shift = 1.0 / 29.0,
                         .free_phase = 1.0 / 31.0,
                         .free_hz = 1.0 / 0.7,
                         .n_force = 188,
                         .n_force_random = 96,
                         .force_theta = force_theta,
                         .third_held = 1,
                         .third_deflection = 0.1,
                         .third_load = "the largest input push",
                         .third_body = "arm",
                         .undeclared = "rate of x",
                         .third_taken = "acceleration of x 5 m/s2",
                         .n = N_CERT,
                         .n_mesh = 1,
                         .kind = kind,
                         .solver = solver,
                         .arpack = "3.8.0",
                         .arpack_missed = 2,
                         .arpack_proved = 11,
                         .arpack_apart = 1.0 / 3e9,
                         .gap = { 0.5, 0.25, 1e-9, 0.0, 1.0 / 3.0 },
                         .has_gap = true,
                         .n_freq = 3,
                         .max_frequency_error = 1e-4,
                         .worst = 1,
                         .min_mac = 0.99,
                         .max_static_error = 2e-5,
                         .mass_error = 3e-4,
                         .outside = { .n = 2, .scenario = outside, .why = why },
                         .tolerance = 1e-3 };
  c->theta = noise_array(&f->mem, N_CERT * S, seed);
  c->f_direct = noise_array(&f->mem, N_CERT * 3, seed);
  c->f_rom = noise_array(&f->mem, N_CERT * 3, seed);
  c->mac = noise_array(&f->mem, N_CERT * 3, seed);
  c->static_error = noise_array(&f->mem, N_CERT, seed);
}

mw_rom_file fixture_romfile(void)
{
  static const char *coordinate[S] = { "x", "y" }, *unit[S] = { "m", "rad" };
  static const char *field[N_Y] = { "tool.x", "tool.y", "tool.z", "s:x" },
                    *input[N_U] = { "motor", "push" };
  static const char *column[M] = { "mode 1", "mode 2", "pattern tool.z" };
  static int cluster[2] = { 0, 1 };
  uint64_t seed = 7;
  mw_rom_file f = { .model_name = "two axes",
                    .version = "0.0",
                    .command = "modeway reduce two.yaml -o rom.nc",
                    .coordinate = coordinate,
                    .unit = unit,
                    .field = field,
                    .input = input,
                    .column = column,
                    .n_modes = 2,
                    .n_patterns = 1,
                    .n_grid = { 4, 5 },
                    .n_point = N_POINT,
                    .n_freq = N_FREQ,
                    .cluster = cluster,
                    .largest_jump = 0.125,
                    .unknowns = 4711,
                    .inertia = MW_ROM_LEADING };
  memset(f.model_hash, 'a', 64);
  put_rom(&f, &seed);
  f.frequency = noise_array(&f.mem, N_POINT * N_FREQ, &seed);
  f.thinned = "made at 8 of the tables' 35 points";
  put_swings(&f, &seed);
  put_certificate(&f, &seed);
  return f;
}
