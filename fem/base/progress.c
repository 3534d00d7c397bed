// SPDX-License-Identifier: BSD-3-Clause
// progress.c: progress of long work on stderr. The time to go assumes that work goes on at its mean
// pace so far.
#include "base/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double redraw_tty = 0.1, redraw_plain = 5.0;  // s between two prints
static const double short_work = 1.0;                      // s

double mw_wall_time(void)
{
  struct timespec t;
  if (clock_gettime(CLOCK_MONOTONIC, &t) != 0) return 0.0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mw_progress mw_progress_default(bool quiet)
{
  return (mw_progress){ .quiet = quiet, .tty = isatty(fileno(stderr)) == 1 };
}

// A log shows when work began: jobs are read the day after.
static void print_begin(const mw_progress *p)
{
  char when[32] = "";
  struct tm day;
  time_t begun = time(NULL) - (time_t)(mw_wall_time() - p->t_start);
  if (localtime_r(&begun, &day)) (void)strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &day);
  fprintf(stderr, "%s: begun %s\n", p->what, when);
}

static void announce(mw_progress *p)
{
  p->late = false;
  if (p->quiet) return;
  if (p->tty)
    fprintf(stderr, "\r%s ...\033[K", p->what);
  else
    print_begin(p);
}

void mw_progress_start_late(mw_progress *p, const char *what, double total)
{
  if (!p) return;
  p->what = what;
  p->total = total;
  p->done = 0.0;
  p->t_start = p->t_last = mw_wall_time();
  p->late = true;
}

void mw_progress_start(mw_progress *p, const char *what, double total)
{
  mw_progress_start_late(p, what, total);
  if (p) announce(p);
}

void mw_progress_note(mw_progress *p, const char *text)
{
  if (p && !p->quiet) fprintf(stderr, "%s%s\n", text, p->tty ? "\033[K" : "");
}

static void print_bar(const mw_progress *p, double part, double togo)
{
  char bar[BAR_WIDTH + 1];
  int full = (int)(part * BAR_WIDTH);
  for (int i = 0; i < BAR_WIDTH; i++) bar[i] = i < full ? '#' : '.';
  bar[BAR_WIDTH] = '\0';
  fprintf(stderr, "\r%s [%s] %3.0f %%  %.0f s to go\033[K", p->what, bar, 100.0 * part, togo);
}

void mw_progress_step(mw_progress *p, double done)
{
  if (!p || p->quiet || !p->what) return;
  double now = mw_wall_time();
  if (p->late && now - p->t_start < short_work) return;
  if (p->late) announce(p);
  if (now - p->t_last < (p->tty ? redraw_tty : redraw_plain)) return;
  double part = p->total > 0.0 ? fmin(fmax(done / p->total, 0.0), 1.0) : 0.0;
  double togo = part > 0.0 ? (now - p->t_start) * (1.0 - part) / part : 0.0;
  if (p->tty)
    print_bar(p, part, togo);
  else
    fprintf(stderr, "%s: %.0f %%, %.0f s to go\n", p->what, 100.0 * part, togo);
  p->t_last = now;
}

void mw_progress_add(mw_progress *p, double more)
{
  if (!p) return;
  p->done += more;
  mw_progress_step(p, p->done);
}

void mw_progress_end(mw_progress *p)
{
  if (!p || p->quiet || !p->what) return;
  if (!p->late)
    fprintf(stderr, "%s%s: done in %.1f s%s\n", p->tty ? "\r" : "", p->what,
            mw_wall_time() - p->t_start, p->tty ? "\033[K" : "");
  p->what = NULL;
}
