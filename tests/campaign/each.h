// SPDX-License-Identifier: BSD-3-Clause
// each.h: many cases in child processes, so that one that crashes or hangs is one finding.
#ifndef MW_TEST_EACH_H
#define MW_TEST_EACH_H

#include <stdbool.h>

// What became of a case; OPEN: it ended by a signal, or the claim about it does not hold.
enum { EACH_OPEN, EACH_REFUSED, EACH_TAKEN, EACH_NONE, EACH_ENDS };

typedef struct each_count {
  unsigned long n[EACH_ENDS];
} each_count;

// Does cases first … first + n - 1, each at most `seconds` of processor time long or ten times as
// many by the clock, none begun after `until` (s of wall time from now, 0: no limit). Prints a line
// each OPEN. Returns how many were done.
unsigned long each_do(int (*one)(void *ctx, unsigned long k), void *ctx, unsigned long first,
                      unsigned long n, int seconds, double until, each_count *count);

// A sequence of bytes that belongs to a number, the same everywhere.
unsigned char each_byte(unsigned long long *state);

#endif
