// SPDX-License-Identifier: BSD-3-Clause
// campaign_sequences.c FIRST N SECONDS: functional mock-up units of both versions, called in any
// order with any numbers.
//
// A sequence: an instance of co-simulation or model exchange, then up to 40 calls drawn at random,
// legal and illegal ones, with value references that are none, states that are not finite, times
// that go back. Every call answers by a status of the standards below fatal; an instance beside
// goes on with the bits of one that was alone; afterwards the instance is reset and does three
// steps with the bits of a new one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fmu_rig.h"

enum { MAX_CALL = 40, MAX_COPY = 4, MAX_N = 2 * RIG_MAX_X + 4, STEPS = 3, MAX_BYTES = 1 << 20 };

static unsigned long first = 1, count = 60, done, calls;
static double seconds;

typedef struct sequence {
  rig *r;
  uint64_t seed;
  bool cosim;
  void *copy[MAX_COPY];
  unsigned char *bytes;  // of a copy, [n_bytes]
  size_t n_bytes;
} sequence;

static unsigned draw(sequence *s, unsigned n)
{
  return (unsigned)(fabs(synthetic_random(&s->seed)) * n) % n;
}

static double number(sequence *s)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, -0.0, 1e-300 };
  if (draw(s, 4) == 0) return odd[draw(s, sizeof odd / sizeof *odd)];
  return synthetic_random(&s->seed);
}

static size_t references(sequence *s, uint32_t *vr)
{
  size_t n = draw(s, 6);
  for (size_t k = 0; k < n; k++) {
    const fmu_import *f = &s->r->u.f;
    vr[k] = draw(s, 8) == 0 ? (uint32_t)draw(s, 100000) * 50000u
                            : f->var[draw(s, (unsigned)f->n_var)].vr;
  }
  return n;
}

static void numbers(sequence *s, double *x, size_t n)
{
  for (size_t k = 0; k < n; k++) x[k] = number(s);
}

// Lengths as the unit has them, or others.
static size_t length(sequence *s) { return draw(s, 4) == 0 ? draw(s, MAX_N) : (size_t)s->r->n_x; }

static int copies(sequence *s, unsigned what)
{
  fmu_unit *u = &s->r->u;
  void **at = &s->copy[draw(s, MAX_COPY)];
  size_t n = 0;
  int status = FMU_OK;
  if (what == 0) return fmu_copy(u, at);
  if (what == 1) return *at ? fmu_restore(u, *at) : FMU_OK;
  if (what == 2) return *at ? fmu_forget(u, at) : FMU_OK;
  if (what == 3) {
    if (!*at || fmu_bytes(u, *at, &n) != FMU_OK || n > MAX_BYTES) return FMU_OK;
    status = fmu_write(u, *at, s->bytes, draw(s, 4) == 0 ? n / 2 : n);
    s->n_bytes = status == FMU_OK ? n : 0;
    return status;
  }
  if (s->n_bytes > 0 && draw(s, 2) == 0) s->bytes[draw(s, (unsigned)s->n_bytes)] ^= 1;
  return s->n_bytes > 0 ? fmu_read(u, s->bytes, draw(s, 4) == 0 ? s->n_bytes / 2 : s->n_bytes, at)
                        : FMU_OK;
}

static int derivatives(sequence *s, bool adjoint)
{
  uint32_t unknown[8], known[8];
  double seed[8], out[8];
  size_t n = references(s, unknown), k = references(s, known);
  numbers(s, seed, 8);
  return (adjoint && s->r->u.f.version == 3 ? fmu_adjoint : fmu_directional)(&s->r->u, unknown, n,
                                                                             known, k, seed, out);
}

static int one_call(sequence *s)
{
  fmu_unit *u = &s->r->u;
  uint32_t vr[8];
  double x[MAX_N];
  size_t n;
  switch (draw(s, 20)) {
  case 0: return fmu_enter(u, number(s), draw(s, 2) == 0, number(s));
  case 1: return fmu_exit(u);
  case 2: return draw(s, 4) == 0 ? fmu_terminate(u) : fmu_exit(u);
  case 3: return draw(s, 4) == 0 ? fmu_reset(u) : FMU_OK;
  case 4:
  case 5: n = references(s, vr); return fmu_get(u, vr, n, x);
  case 6:
  case 7:
    n = references(s, vr);
    numbers(s, x, n);
    return fmu_set(u, vr, n, x);
  case 8:
  case 9: return fmu_step(u, draw(s, 2) ? 0.0 : number(s), draw(s, 2) ? 1e-3 : number(s));
  case 10: return s->cosim ? FMU_OK : fmu_events(u);
  case 11: return fmu_set_time(u, number(s));
  case 12:
    n = length(s);
    numbers(s, x, n);
    return s->r->u.f.version == 3 || n == (size_t)s->r->n_x ? fmu_set_states(u, x, n) : FMU_OK;
  case 13: return fmu_get_states(u, x, length(s));
  case 14: return draw(s, 2) ? fmu_derivatives(u, x, length(s)) : fmu_get_nominals(u, x, length(s));
  case 15: return derivatives(s, draw(s, 2) == 0);
  default: return copies(s, draw(s, 5));
  }
}

// What a unit gives from its start, initialized and driven for three steps.
static void steps(rig *r, double *x)
{
  MW_CHECK(fmu_enter(&r->u, 0.0, false, 0.0) == FMU_OK);
  MW_CHECK(fmu_exit(&r->u) == FMU_OK);
  rig_steps(r, 0, STEPS, x);
}

static void sequence_of(rig *r, unsigned long k)
{
  double alone[RIG_MAX_X], after[RIG_MAX_X];
  sequence s = { .r = r, .seed = 77u + 1000003u * k, .cosim = k % 3 != 0 };
  s.bytes = calloc(1, MAX_BYTES);
  if (!MW_CHECK(s.bytes != NULL)) return;
  MW_CHECK(fmu_instantiate(&r->u, true, r->u.f.token, true));
  steps(r, alone);
  fmu_free(&r->u);
  MW_CHECK(fmu_instantiate(&r->u, s.cosim, r->u.f.token, draw(&s, 2) == 0));
  unsigned n = draw(&s, MAX_CALL);
  for (unsigned i = 0; i < n; i++) {
    int status = one_call(&s);
    calls++;
    if (!MW_CHECK(status >= FMU_OK && status <= FMU_ERROR))
      printf("sequence %lu, version %d: call %u gives %d\n", k, r->u.f.version, i, status);
  }
  for (int i = 0; i < MAX_COPY; i++)
    if (s.copy[i]) MW_CHECK(fmu_forget(&r->u, &s.copy[i]) == FMU_OK);
  if (s.cosim) {
    MW_CHECK(fmu_reset(&r->u) == FMU_OK);
    steps(r, after);
    if (!MW_SAME_BITS(alone, after, r->n_x)) printf("sequence %lu\n", k);
  }
  fmu_free(&r->u);
  free(s.bytes);
}

static void is_made(rig *r) { MW_CHECK(r->n_x > 0); }

static void both(rig *r) { sequence_of(r, first + done); }

static void units_answer_any_sequence_of_calls_and_begin_anew_after_a_reset(void)
{
  rig_each(is_made);  // compilers take longer than many sequences
  time_t start = time(NULL);
  for (; done < count && (seconds <= 0.0 || difftime(time(NULL), start) < seconds); done++)
    rig_each(both);
  printf("sequences: %lu of each version, %lu calls\n", done, calls);
}

static const mw_test_case cases[] = {
  { "units_answer_any_sequence_of_calls_and_begin_anew_after_a_reset",
    units_answer_any_sequence_of_calls_and_begin_anew_after_a_reset },
  { RIG_LAST, rig_remove },
};

int main(int argc, char **argv)
{
  if (argc > 1) first = strtoul(argv[1], NULL, 10);
  if (argc > 2) count = strtoul(argv[2], NULL, 10);
  if (argc > 3) seconds = strtod(argv[3], NULL);
  return mw_test_run("sequences", cases, (int)(sizeof cases / sizeof *cases));
}
