// SPDX-License-Identifier: BSD-3-Clause
// campaign_soak.c: the online model for days of a controller, pushed at random.
//
//   campaign_soak ROM.nc STATE STEPS SECONDS
//
// Steps of 1 ms under forces that change at random moments and stay between; friction and stops are
// the model's. Goes on from STATE (a file, made where there is none) until STEPS are done in all or
// SECONDS are over. Judged: each step is taken, coordinates stay in the model's box, numbers
// finite; and over each tenth hold of a force the balance
//
//   E(t1) − E(t0) = u (y(t1) − y(t0)) − ∫ D dt                                                  (1)
//
// D (dissipated power) by the trapezoidal rule. Prints steps, the largest part by which (1) errs,
// and latencies by powers of two; exit status 1 where a judgement fails.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reduction/romfile.h"
#include "rom/step.h"

static const double STEP = 1e-3, FORCE = 0.2;  // s; N, the largest of a random force
// (1) errs by the square of the step over the periods of what moves: (2 π 10 Hz · 1 ms)²/12 = 3e-4
// for contacts with stops, and more where a hold begins and ends within one
static const double BALANCE = 1e-2;
enum { BUCKETS = 32, MOST_N = 64, WATCHED = 10, HOLD = 64 };

typedef struct tally {
  unsigned long long seed, steps, hold;  // hold: how many forces there were
  unsigned long long refused, outside, watched, latency[BUCKETS];
  double worst, x[2 * MOST_N];
} tally;

typedef struct soak {
  const mw_rom *rom;
  mw_rom_opt opt;
  mw_rom_call call;
  mw_rom_info info;
  double *u, *y;
  tally t;
} soak;

static double now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double uniform(tally *t)  // in [0, 1)
{
  t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(t->seed >> 11) * 0x1p-53;
}

static void timed_step(soak *s)
{
  double from = now();
  mw_rom_code code = mw_rom_step(&s->call, s->t.x);
  double ns = 1e9 * (now() - from);
  int bucket = ns >= 1.0 ? (int)log2(ns) : 0;
  s->t.latency[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
  if (code != MW_ROM_OK && s->t.refused++ == 0)
    printf("  step %llu: %s, index %d\n", s->t.steps, mw_rom_code_name(code), s->info.index);
  for (int i = 0; i < s->rom->s; i++) {
    double th = s->t.x[i];
    s->t.outside += !(th >= s->rom->lo[i] && th <= s->rom->hi[i]);
  }
}

// Energy (J) and dissipated power (W)
static double energy(soak *s, double *dissipated)
{
  double T = NAN, V = NAN;
  if (mw_rom_energy(&s->call, s->t.x, &T, &V, dissipated) != MW_ROM_OK) s->t.refused++;
  return T + V;
}

// Σ u_k y_k of the fields that inputs act on
static double potential(soak *s)
{
  double sum = 0.0;
  if (mw_rom_outputs(s->rom, s->t.x, s->y, NULL, s->call.work, NULL) != MW_ROM_OK) s->t.refused++;
  for (int k = 0; k < s->rom->n_u; k++) sum += s->u[k] * s->y[s->rom->u_field[k]];
  return sum;
}

// One force, held for n steps; (1) over every tenth.
static void hold(soak *s, int n)
{
  bool watched = s->t.hold++ % WATCHED == 0;
  double D0 = 0.0, D1 = 0.0, lost = 0.0, E0 = 0.0, p0 = 0.0;
  for (int k = 0; k < s->rom->n_u; k++) s->u[k] = FORCE * (2.0 * uniform(&s->t) - 1.0);
  if (watched) {
    p0 = potential(s);
    E0 = energy(s, &D0);
  }
  for (int i = 0; i < n; i++) {
    timed_step(s);
    if (!watched) continue;
    (void)energy(s, &D1);
    lost += 0.5 * STEP * (D0 + D1);
    D0 = D1;
  }
  s->t.steps += (unsigned long long)n;
  if (!watched) return;
  double work = potential(s) - p0, E = energy(s, &D1);
  double error = fabs(E - E0 - work + lost) / (fabs(work) + lost + fabs(E - E0));
  s->t.watched++;
  if (!(error <= s->t.worst)) s->t.worst = error;
}

static bool load(const char *path, tally *t)
{
  FILE *f = fopen(path, "rb");
  bool okay = f && fread(t, sizeof *t, 1, f) == 1;
  if (f) (void)fclose(f);
  return okay;
}

static bool save(const char *path, const tally *t)
{
  FILE *f = fopen(path, "wb");
  if (!f) return false;
  bool okay = fwrite(t, sizeof *t, 1, f) == 1;
  return fclose(f) == 0 && okay;
}

static int print(const tally *t, double seconds)
{
  unsigned long long so_far = 0;
  bool fine = t->refused == 0 && t->outside == 0 && t->worst <= BALANCE;
  for (int b = 0; b < BUCKETS; b++) {
    if (t->latency[b] == 0) continue;
    so_far += t->latency[b];
    printf("  below %10.0f ns: %12llu  %.7f\n", ldexp(1.0, b + 1), t->latency[b],
           (double)so_far / (double)t->steps);
  }
  printf("soak: %llu steps of 1 ms (%.2f days), this time %.0f s, %llu forces, %llu refused, %llu "
         "outside, balance of %llu of them to %.1e, %d open\n",
         t->steps, (double)t->steps * STEP / 86400.0, seconds, t->hold, t->refused, t->outside,
         t->watched, t->worst, fine ? 0 : 1);
  return fine ? 0 : 1;
}

int main(int argc, char **argv)
{
  mw_rom_file f = { 0 };
  mw_error err = { 0 };
  char text[1024];
  if (argc != 5) return 2;
  if (mw_rom_file_read(argv[1], &f, &err) != MW_OK) {
    mw_error_print(&err, text, (int)sizeof text);
    fputs(text, stderr);
    return 2;
  }
  soak s = { .rom = &f.rom, .opt = mw_rom_opt_default() };
  int n = f.rom.s + f.rom.m;
  if (n > MOST_N) return 2;
  if (!load(argv[2], &s.t)) {
    s.t = (tally){ .seed = 1 };
    for (int i = 0; i < f.rom.s; i++) s.t.x[i] = 0.5 * (f.rom.lo[i] + f.rom.hi[i]);
  }
  s.u = calloc((size_t)(f.rom.n_u + f.rom.n_y) + 1, sizeof *s.u);
  s.y = s.u + f.rom.n_u;
  void *work = aligned_alloc(64, (mw_rom_work_bytes(&f.rom) + 127) / 64 * 64);
  if (!s.u || !work) return 2;
  s.call = (mw_rom_call){
    .rom = &f.rom, .opt = &s.opt, .h = STEP, .u = s.u, .work = work, .info = &s.info
  };
  double start = now(), most = strtod(argv[4], NULL);
  unsigned long long steps = strtoull(argv[3], NULL, 10);
  while (s.t.steps < steps && now() - start < most)
    hold(&s, HOLD + (int)(8 * HOLD * uniform(&s.t)));
  int status = print(&s.t, now() - start);
  if (!save(argv[2], &s.t)) status = 2;
  free(work);
  free(s.u);
  mw_rom_file_free(&f);
  return status;
}
