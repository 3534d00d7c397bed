// SPDX-License-Identifier: BSD-3-Clause
// fixture_work.h: folders of units of work, lists of toys on them, and what they leave there.
#ifndef MW_TEST_FIXTURE_WORK_H
#define MW_TEST_FIXTURE_WORK_H

#include "work/offline_layer.h"

typedef struct fixture_work {
  char dir[64], folder[128], log[128];
} fixture_work;

// A folder of its own, to be removed by fixture_work_remove (f.dir, 1)
fixture_work fixture_work_make(void);
// Removes a folder and what is in it, two levels deep.
void fixture_work_remove(const char *dir, int level);
// Files whose names end so; path [512] of the last one.
int fixture_work_files(const char *dir, const char *end, char *path);
int fixture_work_lines(const char *path);
// Options: units are done in this process, by n workers
mw_work_opt fixture_work_here(const fixture_work *f);
mw_work_opt fixture_work_pool(const fixture_work *f, int n);
void fixture_work_release(int n, mw_bytes *r);
// Results of toys are those of this process.
void fixture_work_check(int n, const mw_bytes *r);
// Runs one list and ends the work; the results are checked where all went well.
mw_code fixture_work_run(const mw_work_opt *o, int n, const mw_unit *u, mw_work_stats *st,
                         mw_error *err);

#endif
