// SPDX-License-Identifier: BSD-3-Clause
// target_run.c: the gantry's exported C, 10⁴ steps through friction and into stops, as bits.
//
// Prints what a target must print as well, whole numbers alone, so that no library's way of writing
// reals matters: the words of the state at the end, how far the coordinates went, a digest of all
// states on the way (FNV-1a, 64 bits) and of accelerations, outputs and derivatives at every 500th.
//   u_k = +- DRIVE_k, of another sign every PERIOD steps and by another phase for each input
// so that the coordinates are pushed into both stops, and turn.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gantry.h"

enum { N_STEP = 10000, EVERY = 500, PERIOD = 450, N_X = GANTRY_N_X, N_U = GANTRY_N_U };

static double work[GANTRY_WORK_SENS], x[N_X], u[N_U], acc[GANTRY_N_ACC], y[2 * GANTRY_N_Y];
static double by_x[N_X * N_X], by_u[N_X * N_U];

static uint64_t bits(double value)
{
  uint64_t b;
  memcpy(&b, &value, sizeof b);
  return b;
}

static void digest(uint64_t *sum, const double *value, int n)
{
  for (int k = 0; k < n; k++)
    for (int byte = 0; byte < 8; byte++)
      *sum = (*sum ^ (bits(value[k]) >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
}

static void print(const char *name, int k, uint64_t b)
{
  printf("%s[%d] %08lx%08lx\n", name, k, (unsigned long)(b >> 32),
         (unsigned long)(b & 0xffffffffu));
}

// Accelerations, outputs and derivatives at x into the digest; 0: all calls went well.
static int digest_others(uint64_t *sum)
{
  double next[N_X];
  int code = gantry_rhs(x, u, acc, work, NULL);
  digest(sum, acc, GANTRY_N_ACC);
  if (code == 0) code = gantry_outputs(x, y, y + GANTRY_N_Y, work, NULL);
  digest(sum, y, 2 * GANTRY_N_Y);
  if (code == 0) code = gantry_jacobian(x, u, acc, by_x, by_u, work, NULL);
  digest(sum, by_x, GANTRY_N_ACC * N_X);
  memcpy(next, x, sizeof next);
  if (code == 0) code = gantry_step_sens(1e-3, u, next, by_x, by_u, work, NULL);
  digest(sum, by_x, N_X * N_X);
  digest(sum, by_u, N_X * N_U);
  return code;
}

int main(void)
{
  static const double drive[N_U] = { 60.0, 60.0, 30.0 };
  double lowest[GANTRY_N_THETA], highest[GANTRY_N_THETA];
  uint64_t states = UINT64_C(0xcbf29ce484222325), others = states;
  int code = 0, k;
  x[0] = lowest[0] = highest[0] = 0.7;
  x[1] = lowest[1] = highest[1] = 0.5;
  for (k = 0; k < N_STEP && code == 0; k++) {
    for (int i = 0; i < N_U; i++) u[i] = (k / PERIOD + i / 2) % 2 == 0 ? drive[i] : -drive[i];
    code = gantry_step(1e-3, u, x, work, NULL);
    digest(&states, x, N_X);
    for (int i = 0; i < GANTRY_N_THETA; i++) {
      if (x[i] < lowest[i]) lowest[i] = x[i];
      if (x[i] > highest[i]) highest[i] = x[i];
    }
    if (code == 0 && k % EVERY == 0) code = digest_others(&others);
  }
  printf("steps %d, code %d\n", k, code);
  for (int i = 0; i < N_X; i++) print("x", i, bits(x[i]));
  for (int i = 0; i < GANTRY_N_THETA; i++) print("lowest", i, bits(lowest[i]));
  for (int i = 0; i < GANTRY_N_THETA; i++) print("highest", i, bits(highest[i]));
  print("states", N_STEP, states);
  print("others", N_STEP / EVERY, others);
  return code;
}
