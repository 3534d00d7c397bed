// SPDX-License-Identifier: BSD-3-Clause
// bench_frf.c: frequency responses of the gantry at many places on one core.
//
//   bench_frf [places [frequencies]]      default 10000 1000
//
// The nine receptances of its tool at places spread over the work space by Halton's points, over
// the band that its certificate judges. Printed: processor time, time of a place, and how many of
// them answered by pairs of poles (sim/frf.h: the others solve the equations at each frequency).
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fixture.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/frf.h"

static double halton(int k, int base)
{
  double x = 0.0, part = 1.0;
  for (k++; k > 0; k /= base) x += (part /= base) * (k % base);
  return x;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mw_code measure(const mw_rom_file *f, int places, int n_hz, mw_error *err)
{
  static const int prime[] = { 2, 3, 5, 7, 11, 13 };
  mw_arena mem = { 0 };
  mw_frf_end *tool = NULL;
  mw_frf *w = NULL;
  int n = 0, by_pairs = 0;
  double *hz = mw_arena_f64(&mem, (size_t)n_hz), *H = mw_arena_f64(&mem, 18 * (size_t)n_hz),
         theta[MW_ROM_MAX_S], sum = 0.0;
  mw_code rc = mw_arena_check(&mem, err);
  double top = mw_certificate_bandwidth(&f->certificate);
  for (int k = 0; rc == MW_OK && k < n_hz; k++) hz[k] = top * (k + 1) / n_hz;
  if (rc == MW_OK) rc = mw_frf_ends(f, "to", "tool", &mem, &n, &tool, err);
  mw_frf_in in = { .n_to = n,
                   .n_from = n,
                   .to = tool,
                   .from = tool,
                   .n_hz = n_hz,
                   .hz = hz,
                   .held = (1u << f->rom.s) - 1u };
  if (rc == MW_OK) rc = mw_frf_open(f, &in, &w, err);
  double start = now();
  for (int p = 0; rc == MW_OK && p < places; p++) {
    for (int i = 0; i < f->rom.s; i++)
      theta[i] = f->rom.lo[i] + (f->rom.hi[i] - f->rom.lo[i]) * halton(p, prime[i % 6]);
    rc = mw_frf_at(w, theta, H, err);
    sum += H[p % (18 * n_hz)];
    by_pairs += mw_frf_by_pairs(w);
  }
  double took = now() - start;
  if (rc == MW_OK)
    printf("%d places, %d frequencies, %d responses: %.3f s of the processor, %.1f us a place, "
           "%d by pairs of poles (sum %.3g)\n",
           places, n_hz, n * n, took, 1e6 * took / places, by_pairs, sum);
  mw_frf_close(w);
  mw_arena_free(&mem);
  return rc;
}

int main(int argc, char **argv)
{
  int places = argc > 1 ? atoi(argv[1]) : 10000, n_hz = argc > 2 ? atoi(argv[2]) : 1000;
  mw_error err = { 0 };
  mw_fixture f;
  mw_rom_file rom = { 0 };
  if (places < 1 || n_hz < 1) {
    fprintf(stderr, "usage: bench_frf [places [frequencies]]\n");
    return 2;
  }
  if (!mw_fixture_file(MW_CASES_DIR "/gantry.yaml", &f)) return 1;
  int good = mw_fixture_okay(mw_reduce(&f.model, &f.mech, NULL, &rom, &err), &err) &&
             mw_fixture_okay(measure(&rom, places, n_hz, &err), &err);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  return !good;
}
