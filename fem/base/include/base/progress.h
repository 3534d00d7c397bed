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
} mw_progress;

mw_progress mw_progress_default(bool quiet);  // looks whether stderr is a terminal
void mw_progress_start(mw_progress *p, const char *what,
                       double total);  // p may be NULL in all three
void mw_progress_step(mw_progress *p, double done);
void mw_progress_end(mw_progress *p);
void mw_progress_note(mw_progress *p,
                      const char *text);  // a line of its own, outside start and end
double mw_wall_time(void);                // s, monotonic

MW_API_END

#endif
