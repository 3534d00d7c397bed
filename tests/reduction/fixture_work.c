// SPDX-License-Identifier: BSD-3-Clause
// fixture_work.c: see fixture_work.h.
#include "fixture_work.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "work_toy.h"

static const char *const worker_argv[] = { MW_WORKER, NULL };

fixture_work fixture_work_make(void)
{
  fixture_work f = { .dir = "/tmp/modeway-work-XXXXXX" };
  MW_CHECK(mkdtemp(f.dir) != NULL);
  snprintf(f.folder, sizeof f.folder, "%s/parts", f.dir);
  snprintf(f.log, sizeof f.log, "%s/log", f.dir);
  return f;
}

void fixture_work_remove(const char *dir, int level)
{
  char path[512];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%.200s/%.255s", dir, e->d_name);
    if (unlink(path) != 0 && level > 0) fixture_work_remove(path, level - 1);
  }
  if (d) closedir(d);
  (void)rmdir(dir);
}

int fixture_work_files(const char *dir, const char *end, char *path)
{
  int n = 0;
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    size_t len = strlen(e->d_name), tail = strlen(end);
    if (len < tail || strcmp(e->d_name + len - tail, end) != 0) continue;
    if (path) snprintf(path, 512, "%.200s/%.255s", dir, e->d_name);
    n++;
  }
  if (d) closedir(d);
  return n;
}

int fixture_work_lines(const char *path)
{
  FILE *f = fopen(path, "r");
  int n = 0, c;
  while (f && (c = getc(f)) != EOF) n += c == '\n';
  if (f) fclose(f);
  return n;
}

mw_work_opt fixture_work_here(const fixture_work *f)
{
  return (mw_work_opt){ .fn = toy_unit, .folder = f->folder, .context = "model 1" };
}

mw_work_opt fixture_work_pool(const fixture_work *f, int n)
{
  mw_work_opt o = fixture_work_here(f);
  o.n_worker = n;
  o.worker_argv = worker_argv;
  return o;
}

void fixture_work_release(int n, mw_bytes *r)
{
  for (int i = 0; i < n; i++) free(r[i].p);
}

void fixture_work_check(int n, const mw_bytes *r)
{
  mw_unit *u = toy_units(n, TOY_PLAIN, NULL);
  for (int i = 0; i < n; i++) {
    mw_bytes want = { 0 };
    mw_error err = { 0 };
    MW_OKAY(toy_unit(NULL, TOY_PLAIN, u[i].args.p, u[i].args.n, &want, &err));
    if (MW_CHECK(r[i].n == want.n && want.n == TOY_RESULT * sizeof(double)))
      MW_SAME_BITS(r[i].p, want.p, TOY_RESULT);
    free(want.p);
  }
  toy_free(n, u);
}

mw_code fixture_work_run(const mw_work_opt *o, int n, const mw_unit *u, mw_work_stats *st,
                         mw_error *err)
{
  mw_work *w = NULL;
  mw_bytes r[64];
  int missing = -1;
  mw_code rc = mw_work_init(o, &w, err);
  if (rc == MW_OK) {
    rc = mw_work_run(w, "toys", n, u, r, &missing, err);
    if (rc == MW_OK && missing == 0)
      fixture_work_check(n, r);
    else
      for (int i = 0; i < n; i++) MW_CHECK(r[i].p == NULL && r[i].n == 0);
    if (rc == MW_OK && missing == 0) fixture_work_release(n, r);
    if (st) *st = mw_work_stats_of(w);
    MW_CHECK(mw_work_stats_of(w).missing == missing);
    MW_CHECK(mw_work_reused(w) == mw_work_stats_of(w).reused);
  }
  mw_work_free(w);
  return rc;
}
