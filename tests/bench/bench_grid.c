// SPDX-License-Identifier: BSD-3-Clause
// bench_grid.c: what grids that choose their own points cost beside the best fixed ones that err no
// more.
//
//   bench_grid [name ...]     machines by name, default: all
//
// e = largest error over its tolerance at FRESH random configurations on the bodies' bases, of what
// certificates compare there (frequencies, shapes, compliance, receptances), by judge.h. Each
// machine with grid: auto, then on fixed grids: as many points along each coordinate, and those of
// the chosen grid times some factors; the cheapest with e no larger than that of auto (or within
// the tolerance, where auto is), or none. Fixed grids that have more points than RATIO times those
// of auto are not tried. Exits with 1 where auto costs more than RATIO times the best one, in
// processor seconds, misses its certificate, or something could not be computed.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "promise.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

enum { FRESH = 100, SEED = 20111123, ALIKE_LEAST = 5, ALIKE_MOST = 33 };
static const double RATIO = 2.0;

static const char *const names[] = { "stacked",       "portal",       "flexcell", "gantry",
                                     "beam-carriage", "slider-crank", "two-link", "polar" };
enum { NAMES = sizeof names / sizeof *names };

typedef struct result {
  bool done, met;
  int n_grid[MW_ROM_MAX_S], n_point;
  double seconds;  // of the processor, without FRESH
  double error;    // e
  double judging;  // seconds that FRESH took
} result;

static double processor_s(void) { return (double)clock() / CLOCKS_PER_SEC; }

static mw_code look(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  result *q = ctx;
  double start = processor_s();
  mw_arena mem = { 0 };
  mw_certificate c;
  mw_code rc = mw_judge_random(j, f, FRESH, SEED, false, &c, &mem, err);
  q->error = 0.0;
  for (int i = 0; rc == MW_OK && i < c.n; i++) {
    double e[MW_ERROR_KINDS];
    mw_certificate_errors(&c, i, e);
    for (int k = 0; k < MW_ERROR_KINDS; k++)
      if (!(e[k] <= q->error)) q->error = e[k];
  }
  mw_arena_free(&mem);
  q->judging = processor_s() - start;
  return rc;
}

static void print(const char *what, int s, const result *q)
{
  printf("  %-6s", what);
  for (int i = 0; i < s; i++) printf("%s%d", i ? " x " : "", q->n_grid[i]);
  printf(": %d points, %.1f s, %.2g of the tolerance at %d fresh points, certificate %s\n",
         q->n_point, q->seconds, q->error, FRESH, q->met ? "met" : "missed");
  fflush(stdout);
}

// The machine reduced as m->f.model says.
static result reduce(motion *m, const char *what)
{
  result q = { .done = false };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_reduce_opt opt = { .judge = look, .judge_ctx = &q };
  int s = m->f.model.reduction.n_coordinate;
  double start = processor_s();
  q.done = mw_reduce(&m->f.model, &m->f.mech, &opt, &rom, &err) == MW_OK;
  q.seconds = processor_s() - start - q.judging;
  for (int i = 0; i < s; i++)
    q.n_grid[i] = q.done ? rom.n_grid[i] : m->f.model.reduction.coordinate[i].n_grid;
  q.n_point = rom.n_point;
  q.met = q.done && mw_certificate_met(&rom.certificate);
  if (q.done) print(what, s, &q);
  mw_rom_file_free(&rom);
  return q;
}

// A fixed grid, where it is new, valid and not too large; *best: the cheapest that errs no more
// than auto.
static void fixed(motion *m, const result *chosen, const int *n, result *best)
{
  mw_reduction_in *in = &m->f.model.reduction;
  double points = 1.0;
  for (int i = 0; i < in->n_coordinate; i++) {
    in->coordinate[i].n_grid = n[i] < ALIKE_LEAST ? ALIKE_LEAST : n[i];
    if (in->coordinate[i].symmetric) in->coordinate[i].n_grid |= 1;
    points *= in->coordinate[i].n_grid;
  }
  if (points > RATIO * chosen->n_point || (best->done && points >= best->n_point)) return;
  in->grid_auto = false;
  result q = reduce(m, "fixed");
  if (!q.done || !(q.error <= fmax(chosen->error, chosen->met ? 1.0 : 0.0))) return;
  if (chosen->met && !q.met) return;
  if (!best->done || q.seconds < best->seconds) *best = q;
}

static bool machine(const promise_model *p, bool *good)
{
  static const double part[] = { 0.5, 0.6, 0.7, 0.85, 1.0, 1.2 };
  motion m;
  int n[MW_ROM_MAX_S];
  *good = false;
  if (!p->open(p, &m)) return false;
  mw_reduction_in *in = &m.f.model.reduction;
  in->grid_auto = true;
  printf("%s: %s\n", p->name, p->what);
  result chosen = reduce(&m, "auto"), best = { .done = false };
  for (size_t k = 0; chosen.done && k < sizeof part / sizeof *part; k++) {
    for (int i = 0; i < in->n_coordinate; i++) n[i] = (int)lround(part[k] * chosen.n_grid[i]);
    fixed(&m, &chosen, n, &best);
  }
  for (int k = ALIKE_LEAST; chosen.done && k <= ALIKE_MOST; k += 4) {
    for (int i = 0; i < in->n_coordinate; i++) n[i] = k;
    fixed(&m, &chosen, n, &best);
  }
  if (chosen.done && best.done) print("best", in->n_coordinate, &best);
  double ratio = best.done ? chosen.seconds / best.seconds : 0.0;
  *good = chosen.done && chosen.met && ratio <= RATIO;
  if (best.done)
    printf("  auto costs %.2f of the best fixed grid: %s\n", ratio, *good ? "met" : "missed");
  else
    printf("  no fixed grid of at most %g times its points errs as little: %s\n", RATIO,
           *good ? "met" : "missed");
  fflush(stdout);
  motion_close(&m);
  return chosen.done;
}

static bool asked(int argc, char **argv, const char *name)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], name) == 0) return true;
  return argc == 1;
}

int main(int argc, char **argv)
{
  const promise_model *list;
  int n = promise_models(&list), missed = 0, failed = 0, done = 0;
  for (int k = 0; k < NAMES; k++)
    for (int i = 0; i < n; i++) {
      bool good;
      if (strcmp(list[i].name, names[k]) != 0 || !asked(argc, argv, names[k])) continue;
      done++;
      if (!machine(&list[i], &good))
        failed++;
      else
        missed += !good;
    }
  if (done == 0) {
    fprintf(stderr, "machines:");
    for (int k = 0; k < NAMES; k++) fprintf(stderr, " %s", names[k]);
    fprintf(stderr, "\n");
    return 2;
  }
  printf("%d machines, %d missed, %d could not be computed\n", done, missed, failed);
  return missed > 0 || failed > 0;
}
