// SPDX-License-Identifier: BSD-3-Clause
// test_work_shards.c: units of work shared by processes: locks, kills, shards, merges, folders that
// several have finished.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fixture_work.h"
#include "mw_test.h"
#include "reduction/lock.h"
#include "work/offline_layer.h"
#include "work_toy.h"

enum { N = 12 };

// Starts a child that locks the folder and waits; returns when it holds the lock.
static pid_t holder(const char *folder, int shard, int n_shard)
{
  int p[2];
  char c = 0;
  MW_CHECK(pipe(p) == 0);
  pid_t pid = fork();
  if (pid == 0) {
    mw_lock l;
    mw_error err = { 0 };
    c = mw_lock_take(folder, shard, n_shard, &l, &err) == MW_OK ? 'y' : 'n';
    if (write(p[1], &c, 1) != 1) _exit(1);
    for (;;) pause();
  }
  MW_CHECK(read(p[0], &c, 1) == 1 && c == 'y');
  close(p[0]);
  close(p[1]);
  return pid;
}

static void end(pid_t pid) { MW_CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid); }

static void two_processes_on_one_folder_refuse_each_other(void)
{
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_opt o = fixture_work_here(&f);
  char who[64], host[64] = "";
  pid_t pid = holder(f.folder, 0, 0);
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_INPUT);
  snprintf(who, sizeof who, "process %ld on", (long)pid);
  MW_CHECK(gethostname(host, sizeof host - 1) == 0);
  MW_CHECK(strstr(err.msg, who) && strstr(err.msg, host) && strcmp(err.file, f.folder) == 0);
  o.shard = 1, o.n_shard = 2;
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) != NULL);
  // kill -9 leaves no lock
  end(pid);
  o.n_shard = 0;
  MW_OKAY(fixture_work_run(&o, N, u, NULL, &err));
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void shards_work_beside_each_other_and_not_beside_the_whole(void)
{
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = fixture_work_here(&f);
  char who[64];
  pid_t pid = holder(f.folder, 2, 3);
  snprintf(who, sizeof who, "process %ld on", (long)pid);
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) && strstr(err.msg, "shard 2/3"));
  o.shard = 2, o.n_shard = 3;
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) != NULL);
  o.shard = 1;
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  MW_CHECK(st.made == N / 3 && st.missing == N - N / 3);
  MW_CHECK(fixture_work_files(f.folder, "lock", NULL) == 1);
  end(pid);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void what_a_kill_left_half_written_is_removed(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = fixture_work_here(&f);
  char path[256];
  snprintf(path, sizeof path, "%s/tmp", f.folder);
  MW_CHECK(mkdir(f.folder, 0777) == 0);
  FILE *t = fopen(path, "w");
  MW_CHECK(t && fputs("half a unit", t) >= 0 && fclose(t) == 0);
  MW_OKAY(fixture_work_run(&o, N, u, NULL, &err));
  MW_CHECK(access(path, F_OK) != 0 && fixture_work_files(f.folder, ".unit", NULL) == N);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

// Waits up to ten seconds until nobody is left in the process group.
static bool group_ends(pid_t group)
{
  struct timespec t = { .tv_nsec = 10000000 };
  for (int i = 0; i < 1000; i++) {
    if (kill(-group, 0) != 0 && errno == ESRCH) return true;
    (void)nanosleep(&t, NULL);
  }
  return false;
}

static void workers_end_with_their_parent_and_its_lock_too(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_LONG, f.log);
  mw_work_opt o = fixture_work_pool(&f, 2);
  pid_t pid = fork();
  if (pid == 0) {
    mw_work *w = NULL;
    mw_bytes r[2];
    (void)setpgid(0, 0);
    if (mw_work_init(&o, &w, &err) != MW_OK) _exit(1);
    _exit(mw_work_run(w, "long", 2, u, r, NULL, &err) == MW_OK ? 0 : 1);
  }
  struct timespec t = { .tv_nsec = 10000000 };
  for (int i = 0; i < 1000 && fixture_work_lines(f.log) < 2; i++) (void)nanosleep(&t, NULL);
  MW_CHECK(fixture_work_lines(f.log) == 2);  // both are at work
  end(pid);
  MW_CHECK(group_ends(pid));
  u[0].kind = u[1].kind = TOY_PLAIN;
  MW_OKAY(fixture_work_run(&o, 2, u, NULL, &err));
  toy_free(2, u);
  fixture_work_remove(f.dir, 1);
}

static void shards_and_a_merge_make_the_whole(void)
{
  enum { SHARDS = 3 };
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N - 1, TOY_PLAIN, f.log);  // 11 = 4 + 4 + 3
  mw_work_opt o = fixture_work_here(&f), merge = fixture_work_here(&f);
  merge.merge = true;
  MW_FAILS(fixture_work_run(&merge, N - 1, u, NULL, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "no finished unit") && strstr(err.msg, "--shard 1/N"));
  o.n_shard = SHARDS;
  static const int order[SHARDS] = { 2, 1, 3 }, made[SHARDS] = { 4, 4, 3 };
  int left = N - 1;
  for (int i = 0; i < SHARDS; i++) {
    o.shard = order[i];
    left -= made[i];
    MW_OKAY(fixture_work_run(&o, N - 1, u, &st, &err));
    MW_CHECK(st.made == made[i] && st.missing == left);
    if (left == 0) break;
    MW_FAILS(fixture_work_run(&merge, N - 1, u, NULL, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, i == 0 ? "7 of 11 units" : "3 of 11 units") != NULL);
    MW_CHECK(strstr(err.msg, i == 0 ? "--shard 1/3, 3/3 makes" : "--shard 3/3 makes") != NULL);
  }
  MW_CHECK(fixture_work_lines(f.log) == N - 1);
  MW_OKAY(fixture_work_run(&merge, N - 1, u, &st, &err));
  MW_CHECK(st.made == 0 && st.reused == N - 1 && fixture_work_lines(f.log) == N - 1);
  toy_free(N - 1, u);
  fixture_work_remove(f.dir, 1);
}

// What comes after the units of the array, a merge does itself, and resumes.
static void a_merge_does_the_lists_no_shard_has_begun(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *a = toy_units(4, TOY_PLAIN, f.log), *b = toy_units(N, TOY_PLAIN, f.dir);
  mw_work_opt o = fixture_work_here(&f), merge = fixture_work_here(&f);
  merge.merge = true;
  o.n_shard = 1;
  o.shard = 1;
  MW_OKAY(fixture_work_run(&o, 4, a, NULL, &err));
  for (int n = 5; n <= N; n += N - 5) {  // the second time five of b are there, by a merge
    mw_work *w = NULL;
    mw_bytes r[N];
    MW_OKAY(mw_work_init(&merge, &w, &err));
    MW_OKAY(mw_work_run(w, "a", 4, a, r, NULL, &err));
    fixture_work_release(4, r);
    MW_OKAY(mw_work_run(w, "b", n, b, r, NULL, &err));
    fixture_work_check(n, r);
    fixture_work_release(n, r);
    MW_CHECK(mw_work_stats_of(w).made == (n == 5 ? 5 : N - 5));
    mw_work_free(w);
  }
  toy_free(4, a);
  toy_free(N, b);
  fixture_work_remove(f.dir, 1);
}

static void finished_units_of_several_folders_are_found(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_work_stats st;
  char other[128];
  snprintf(other, sizeof other, "%s/other", f.dir);
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = fixture_work_here(&f), all = fixture_work_here(&f);
  const char *const also[] = { "/nowhere", other, NULL };
  MW_OKAY(fixture_work_run(&o, 5, u, &st, &err));
  o.folder = other;
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  all.also = also;
  MW_OKAY(fixture_work_run(&all, N, u, &st, &err));
  MW_CHECK(st.reused == N && st.made == 0);
  // and they may be found with no folder of one's own
  all.folder = NULL;
  MW_OKAY(fixture_work_run(&all, N, u, &st, &err));
  MW_CHECK(st.reused == N && st.made == 0);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void done_removes_what_is_ours_and_nothing_else(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = fixture_work_here(&f);
  for (int mine = 1; mine >= 0; mine--) {
    char path[256];
    mw_work *w = NULL;
    mw_bytes r[N];
    MW_OKAY(mw_work_init(&o, &w, &err));
    MW_OKAY(mw_work_run(w, "toys", N, u, r, NULL, &err));
    fixture_work_release(N, r);
    snprintf(path, sizeof path, "%s/notes.unit", f.folder);
    FILE *t = mine ? fopen(path, "w") : NULL;
    if (mine) MW_CHECK(t && fputs("a user's file", t) >= 0 && fclose(t) == 0);
    mw_work_done(w);
    MW_CHECK((access(path, F_OK) == 0) == (mine == 1));
    MW_CHECK(fixture_work_files(f.folder, "", NULL) == (mine ? 3 : 0));  // it, . and ..
    if (mine) MW_CHECK(unlink(path) == 0);
  }
  MW_CHECK(access(f.folder, F_OK) != 0);
  // a folder nothing was done in does not stay either
  mw_work *w = NULL;
  MW_OKAY(mw_work_init(&o, &w, &err));
  mw_work_free(w);
  MW_CHECK(access(f.folder, F_OK) != 0);
  mw_work_free(NULL);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "two_processes_on_one_folder_refuse_each_other",
      two_processes_on_one_folder_refuse_each_other },
    { "shards_work_beside_each_other_and_not_beside_the_whole",
      shards_work_beside_each_other_and_not_beside_the_whole },
    { "what_a_kill_left_half_written_is_removed", what_a_kill_left_half_written_is_removed },
    { "workers_end_with_their_parent_and_its_lock_too",
      workers_end_with_their_parent_and_its_lock_too },
    { "shards_and_a_merge_make_the_whole", shards_and_a_merge_make_the_whole },
    { "a_merge_does_the_lists_no_shard_has_begun", a_merge_does_the_lists_no_shard_has_begun },
    { "finished_units_of_several_folders_are_found", finished_units_of_several_folders_are_found },
    { "done_removes_what_is_ours_and_nothing_else", done_removes_what_is_ours_and_nothing_else },
  };
  return mw_test_run("test_work_shards", cases, (int)(sizeof cases / sizeof *cases));
}
