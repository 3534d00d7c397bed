// SPDX-License-Identifier: BSD-3-Clause
// progress.h: progress of long work on stderr, a bar with time to go on a terminal, plain lines
// elsewhere: when it began, how far it is every 5 s, how long it took.
#ifndef MW_BASE_PROGRESS_H
#define MW_BASE_PROGRESS_H

#include <stdbool.h>

#include "base/api.h"

MW_API_BEGIN

typedef struct mw_progress {
  bool quiet;             // prints nothing
  bool tty;               // a bar that redraws itself; otherwise a line at most every 5 s
  const char *what;       // borrows the caller's text for the duration of the work
  double total, t_start;  // amount of work, unit free; wall clock at start, s
  double t_last;          // last print, s
  double done;            // of total, what mw_progress_add has summed up
  bool late;              // nothing is printed yet: the work may be short
} mw_progress;

mw_progress mw_progress_default(bool quiet);  // looks whether stderr is a terminal
// p may be NULL in all of these. Late: of work that may be short, nothing is printed before it has
// taken a second.
void mw_progress_start(mw_progress *p, const char *what, double total);
void mw_progress_start_late(mw_progress *p, const char *what, double total);
void mw_progress_step(mw_progress *p, double done);
void mw_progress_add(mw_progress *p, double more);  // a step to what was done before, and more
void mw_progress_end(mw_progress *p);
void mw_progress_note(mw_progress *p,
                      const char *text);  // a line of its own, outside start and end
double mw_wall_time(void);                // s, monotonic

MW_API_END

#endif
