// SPDX-License-Identifier: BSD-3-Clause
// test_work.c: lists of units: who does them, what stays on disk, what is never done twice. Toy
// units say in a log when they are begun; nothing here has a tolerance, results are compared bit
// for bit.
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mw_test.h"
#include "reduction/lock.h"
#include "work/offline_layer.h"
#include "work_toy.h"

enum { N = 12 };

static const char *const worker_argv[] = { MW_WORKER, NULL };

typedef struct fixture {
  char dir[64], folder[128], log[128];
} fixture;

static fixture make(void)
{
  fixture f = { .dir = "/tmp/modeway-work-XXXXXX" };
  MW_CHECK(mkdtemp(f.dir) != NULL);
  snprintf(f.folder, sizeof f.folder, "%s/parts", f.dir);
  snprintf(f.log, sizeof f.log, "%s/log", f.dir);
  return f;
}

// Removes a folder and what is in it, two levels deep.
static void remove_all(const char *dir, int level)
{
  char path[512];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    snprintf(path, sizeof path, "%.200s/%.255s", dir, e->d_name);
    if (unlink(path) != 0 && level > 0) remove_all(path, level - 1);
  }
  if (d) closedir(d);
  (void)rmdir(dir);
}

// Files whose names end so; path [512] of the last one.
static int count_files(const char *dir, const char *end, char *path)
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

static int count_lines(const char *path)
{
  FILE *f = fopen(path, "r");
  int n = 0, c;
  while (f && (c = getc(f)) != EOF) n += c == '\n';
  if (f) fclose(f);
  return n;
}

static mw_work_opt here(const fixture *f)
{
  return (mw_work_opt){ .fn = toy_unit, .folder = f->folder, .context = "model 1" };
}

static mw_work_opt pool(const fixture *f, int n)
{
  mw_work_opt o = here(f);
  o.n_worker = n;
  o.worker_argv = worker_argv;
  return o;
}

static void release(int n, mw_bytes *r)
{
  for (int i = 0; i < n; i++) free(r[i].p);
}

static void check_results(int n, const mw_bytes *r)
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

// Runs one list and ends the work; the results are checked where all went well.
static mw_code run_list(const mw_work_opt *o, int n, const mw_unit *u, mw_work_stats *st,
                        mw_error *err)
{
  mw_work *w = NULL;
  mw_bytes r[64];
  int missing = -1;
  mw_code rc = mw_work_init(o, &w, err);
  if (rc == MW_OK) {
    rc = mw_work_run(w, "toys", n, u, r, &missing, err);
    if (rc == MW_OK && missing == 0)
      check_results(n, r);
    else
      for (int i = 0; i < n; i++) MW_CHECK(r[i].p == NULL && r[i].n == 0);
    if (rc == MW_OK && missing == 0) release(n, r);
    if (st) *st = mw_work_stats_of(w);
    MW_CHECK(mw_work_stats_of(w).missing == missing);
    MW_CHECK(mw_work_reused(w) == mw_work_stats_of(w).reused);
  }
  mw_work_free(w);
  return rc;
}

static void results_stand_in_order_whoever_did_them(void)
{
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_stats st;
  for (int n = 0; n <= 3; n++) {
    mw_work_opt o = pool(&f, n);
    o.folder = NULL;
    MW_OKAY(run_list(&o, N, u, &st, &err));
    MW_CHECK(st.made == N && st.reused == 0 && st.lost == 0 && st.unit_s > 0.0);
    MW_CHECK(st.bytes == N * TOY_RESULT * 8.0);
  }
  mw_work_opt o = here(&f);
  MW_OKAY(run_list(&o, 0, u, &st, &err));
  toy_free(N, u);
  remove_all(f.dir, 1);
}

// Counts in ctx what is done in this process.
static mw_code counted(void *ctx, int kind, const unsigned char *args, size_t n_args,
                       mw_bytes *result, mw_error *err)
{
  ++*(int *)ctx;
  return toy_unit(NULL, kind, args, n_args, result, err);
}

static void the_first_worker_may_be_a_thread(void)
{
  fixture f = make();
  mw_error err;
  mw_work_stats st;
  for (int n = 2; n <= 3; n++) {
    mw_unit *u = toy_units(N, TOY_SLOW, NULL), *bad = toy_units(N, TOY_FAILS, NULL);
    int here = 0;
    mw_work_opt o = pool(&f, n);
    o.folder = NULL;
    o.thread = true;
    o.fn = counted;
    o.ctx = &here;
    // all ask for it; others, idle at first, have one each
    for (int i = 0; i < N; i++) u[i].worker = 1;
    MW_OKAY(run_list(&o, N, u, &st, &err));
    MW_CHECK(st.made == N && st.lost == 0 && here > 0 && here <= N - (n - 1));
    MW_FAILS(run_list(&o, N, bad, NULL, &err), MW_ERR_NUMERIC);
    MW_CHECK(!strcmp(err.file, "toy.yaml") && !strcmp(err.msg, "x is 0"));
    toy_free(N, u);
    toy_free(N, bad);
  }
  remove_all(f.dir, 1);
}

typedef struct crowd {  // items within items
  const mw_work *w;
  atomic_int now, most, done;
} crowd;

static mw_code inner(void *ctx, int i, mw_error *err)
{
  static const struct timespec pause = { .tv_nsec = 2000000 };
  crowd *z = ctx;
  int now = atomic_fetch_add(&z->now, 1) + 1, most = atomic_load(&z->most);
  (void)i;
  (void)err;
  while (now > most && !atomic_compare_exchange_weak(&z->most, &most, now)) continue;
  (void)nanosleep(&pause, NULL);
  atomic_fetch_sub(&z->now, 1);
  atomic_fetch_add(&z->done, 1);
  return MW_OK;
}

static mw_code outer(void *ctx, int i, mw_error *err)
{
  crowd *z = ctx;
  (void)i;
  return mw_parallel(z->w, N, inner, z, err);
}

static void items_within_items_take_no_more_threads_than_there_are(void)
{
  enum { OUTER = 3 };
  fixture f = make();
  mw_error err;
  for (int n = 2; n <= 4; n++) {
    mw_work_opt o = pool(&f, n);
    mw_work *w = NULL;
    o.folder = NULL;
    MW_OKAY(mw_work_init(&o, &w, &err));
    crowd z = { .w = w };
    MW_OKAY(mw_parallel(w, OUTER, outer, &z, &err));
    MW_CHECK(atomic_load(&z.done) == OUTER * N && atomic_load(&z.most) <= n);
    MW_OKAY(mw_parallel(w, N, inner, &z, &err));  // all of them again
    MW_CHECK(atomic_load(&z.done) == (OUTER + 1) * N && atomic_load(&z.most) <= n);
    mw_work_free(w);
  }
  remove_all(f.dir, 1);
}

static void a_log_has_a_line_for_each_unit_done(void)
{
  enum { HALF = N / 2 };
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_opt o = here(&f), p = pool(&f, 2);
  MW_OKAY(run_list(&o, HALF, u, NULL, &err));
  FILE *log = p.log = tmpfile();
  MW_CHECK(log != NULL);
  MW_OKAY(run_list(&p, N, u, NULL, &err));  // the first half is found
  int seen[N] = { 0 }, lines = 0, i, kind, worker;
  double args, result, s, send, keep, sent, back;
  if (log) rewind(log);
  while (log && fscanf(log, "toys %d %d %d %lf %lf %lf %lf %lf %lf %lf\n", &i, &kind, &worker,
                       &args, &result, &s, &send, &keep, &sent, &back) == 10) {
    lines++;
    if (!MW_CHECK(i >= HALF && i < N)) break;
    MW_CHECK(seen[i]++ == 0 && kind == TOY_PLAIN && (worker == 0 || worker == 1));
    MW_CHECK(args == sizeof(int) && result == TOY_RESULT * 8.0);
    MW_CHECK(s > 0.0 && send > 0.0 && keep > 0.0 && back - sent >= s);
  }
  MW_CHECK(lines == N - HALF && log && feof(log));
  if (log) fclose(log);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void a_finished_unit_is_never_done_again(void)
{
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = here(&f), p = pool(&f, 2);
  MW_OKAY(run_list(&o, 5, u, &st, &err));
  MW_CHECK(st.made == 5 && count_lines(f.log) == 5 && count_files(f.folder, ".unit", NULL) == 5);
  MW_OKAY(run_list(&p, N, u, &st, &err));
  MW_CHECK(st.made == N - 5 && st.reused == 5 && count_lines(f.log) == N);
  MW_OKAY(run_list(&o, N, u, &st, &err));
  MW_CHECK(st.made == 0 && st.reused == N && count_lines(f.log) == N);
  // another model's units are others
  o.context = "model 2";
  MW_OKAY(run_list(&o, N, u, &st, &err));
  MW_CHECK(st.made == N && st.reused == 0);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

// Changes the file at path: byte at (from the end), or its length.
static void damage(const char *path, long at, long cut)
{
  FILE *f = fopen(path, "r+b");
  MW_CHECK(f != NULL);
  if (!f) return;
  MW_CHECK(fseek(f, -at, SEEK_END) == 0);
  int c = getc(f);
  MW_CHECK(fseek(f, -at, SEEK_END) == 0 && putc(c ^ 1, f) != EOF);
  MW_CHECK(fclose(f) == 0);
  if (cut > 0) MW_CHECK(truncate(path, cut) == 0);
}

static void a_unit_whose_digest_does_not_hold_is_done_again(void)
{
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = here(&f);
  char path[512], other[512];
  MW_OKAY(run_list(&o, 1, u, &st, &err));
  MW_CHECK(count_files(f.folder, ".unit", path) == 1);
  // last byte, first byte of the result, the digest, the length, the magic
  static const long at[] = { 1, 8000, 8001, 8033, 8050 };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    damage(path, at[i], 0);
    MW_OKAY(run_list(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 1 && st.reused == 0);
    MW_OKAY(run_list(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 0 && st.reused == 1);
  }
  static const long cut[] = { 8055, 56, 20, 1 };
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    damage(path, 1, cut[i]);
    MW_OKAY(run_list(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 1 && st.reused == 0);
  }
  // whole, but of another unit
  MW_OKAY(run_list(&o, 2, u, &st, &err));
  MW_CHECK(st.made == 1);
  snprintf(other, sizeof other, "%s", path);
  DIR *d = opendir(f.folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (strstr(e->d_name, ".unit") && !strstr(path, e->d_name))
      snprintf(other, sizeof other, "%s/%.255s", f.folder, e->d_name);
  if (d) closedir(d);
  MW_CHECK(strcmp(path, other) != 0 && rename(path, other) == 0);
  MW_OKAY(run_list(&o, 2, u, &st, &err));
  MW_CHECK(st.made == 2 && st.reused == 0);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

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
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_opt o = here(&f);
  char who[64], host[64] = "";
  pid_t pid = holder(f.folder, 0, 0);
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_INPUT);
  snprintf(who, sizeof who, "process %ld on", (long)pid);
  MW_CHECK(gethostname(host, sizeof host - 1) == 0);
  MW_CHECK(strstr(err.msg, who) && strstr(err.msg, host) && strcmp(err.file, f.folder) == 0);
  o.shard = 1, o.n_shard = 2;
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) != NULL);
  // kill -9 leaves no lock
  end(pid);
  o.n_shard = 0;
  MW_OKAY(run_list(&o, N, u, NULL, &err));
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void shards_work_beside_each_other_and_not_beside_the_whole(void)
{
  fixture f = make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = here(&f);
  char who[64];
  pid_t pid = holder(f.folder, 2, 3);
  snprintf(who, sizeof who, "process %ld on", (long)pid);
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) && strstr(err.msg, "shard 2/3"));
  o.shard = 2, o.n_shard = 3;
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, who) != NULL);
  o.shard = 1;
  MW_OKAY(run_list(&o, N, u, &st, &err));
  MW_CHECK(st.made == N / 3 && st.missing == N - N / 3);
  MW_CHECK(count_files(f.folder, "lock", NULL) == 1);
  end(pid);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void what_a_kill_left_half_written_is_removed(void)
{
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = here(&f);
  char path[256];
  snprintf(path, sizeof path, "%s/tmp", f.folder);
  MW_CHECK(mkdir(f.folder, 0777) == 0);
  FILE *t = fopen(path, "w");
  MW_CHECK(t && fputs("half a unit", t) >= 0 && fclose(t) == 0);
  MW_OKAY(run_list(&o, N, u, NULL, &err));
  MW_CHECK(access(path, F_OK) != 0 && count_files(f.folder, ".unit", NULL) == N);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void a_full_disk_is_named_and_loses_nothing(void)
{
  fixture f = make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = here(&f);
  struct rlimit old, small;
  // a limit for files as a disk that is full: five small units fit, a large one does not
  MW_CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small = old;
  small.rlim_cur = 1000000;
  (void)signal(SIGXFSZ, SIG_IGN);
  MW_CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  u[5].kind = TOY_LARGE;
  MW_FAILS(run_list(&o, N, u, &st, &err), MW_ERR_IO);
  MW_CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  MW_CHECK(strstr(err.msg, strerror(EFBIG)) && strcmp(err.file, f.folder) == 0);
  MW_CHECK(count_files(f.folder, ".unit", NULL) == 5 && count_lines(f.log) == 6);
  u[5].kind = TOY_PLAIN;
  MW_OKAY(run_list(&o, N, u, &st, &err));
  MW_CHECK(st.reused == 5 && st.made == N - 5);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void the_unit_of_a_killed_worker_goes_to_another(void)
{
  fixture f = make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = pool(&f, 2);
  u[0].kind = u[3].kind = u[N - 1].kind = TOY_FRAIL;
  MW_OKAY(run_list(&o, N, u, &st, &err));
  MW_CHECK(st.made == N && st.lost == 3 && count_lines(f.log) == N + 3);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void a_unit_that_ends_two_workers_is_an_error(void)
{
  static const int kind[] = { TOY_DIES, TOY_EXITS };
  static const char *const how[] = { "signal 9", "exit status 3" };
  for (int i = 0; i < 2; i++) {
    fixture f = make();
    mw_error err;
    mw_work_stats st;
    mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
    mw_work_opt o = pool(&f, 2);
    u[3].kind = kind[i];
    MW_FAILS(run_list(&o, N, u, &st, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "unit 4 of 12 ended 2 workers") && strstr(err.msg, how[i]));
    // what was finished stays; the next time only the rest is tried
    int kept = count_files(f.folder, ".unit", NULL);
    MW_CHECK(kept >= 3 && kept < N && kept == st.made && st.lost == 2);
    u[3].kind = TOY_PLAIN;
    MW_OKAY(run_list(&o, N, u, &st, &err));
    MW_CHECK(st.reused == kept && st.made == N - kept);
    toy_free(N, u);
    remove_all(f.dir, 1);
  }
}

static void an_error_travels_whole_and_what_is_finished_stays(void)
{
  for (int n = 0; n <= 3; n++) {
    fixture f = make();
    mw_error err;
    mw_work_stats st;
    mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
    mw_work_opt o = pool(&f, n);
    u[7].kind = u[8].kind = TOY_FAILS;
    MW_FAILS(run_list(&o, N, u, &st, &err), MW_ERR_NUMERIC);
    MW_CHECK(err.code == MW_ERR_NUMERIC && err.line == 7 && err.col == 2);
    MW_CHECK(!strcmp(err.file, "toy.yaml") && !strcmp(err.msg, "x is 7"));
    MW_CHECK(st.made >= 7 && count_files(f.folder, ".unit", NULL) == st.made);
    toy_free(N, u);
    remove_all(f.dir, 1);
  }
}

static void what_a_unit_prints_does_not_get_into_its_result(void)
{
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_PRINTS, NULL);
  mw_work_opt o = pool(&f, 2);
  int keep = dup(STDERR_FILENO);
  MW_CHECK(keep >= 0 && freopen("/dev/null", "w", stderr) != NULL);  // where it goes instead
  MW_OKAY(run_list(&o, 2, u, NULL, &err));
  fflush(stderr);
  MW_CHECK(dup2(keep, STDERR_FILENO) >= 0);
  close(keep);
  toy_free(2, u);
  remove_all(f.dir, 1);
}

static void forty_megabytes_come_whole_from_worker_and_disk(void)
{
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_LARGE, NULL);
  mw_work_opt o = pool(&f, 2);
  for (int i = 0; i < 2; i++) {
    mw_work *w = NULL;
    mw_bytes r[2], want = { 0 };
    MW_OKAY(mw_work_init(&o, &w, &err));
    MW_OKAY(mw_work_run(w, "large", 2, u, r, NULL, &err));
    MW_CHECK(mw_work_reused(w) == 2 * i);
    for (int k = 0; k < 2; k++) {
      MW_OKAY(toy_unit(NULL, TOY_LARGE, u[k].args.p, u[k].args.n, &want, &err));
      MW_CHECK(r[k].n == want.n && memcmp(r[k].p, want.p, want.n) == 0);
      free(want.p);
    }
    release(2, r);
    mw_work_free(w);
  }
  toy_free(2, u);
  remove_all(f.dir, 1);
}

static void a_worker_that_cannot_be_started_is_named(void)
{
  static const char *const none[] = { "/nowhere/modeway", NULL };
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = pool(&f, 2);
  o.worker_argv = none;
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_IO);
  MW_CHECK(strstr(err.msg, "/nowhere/modeway") != NULL);
  // a program that is no worker
  static const char *const no_worker[] = { "false", NULL };
  o.worker_argv = no_worker;
  MW_FAILS(run_list(&o, N, u, NULL, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "exit status 1") != NULL);
  toy_free(N, u);
  remove_all(f.dir, 1);
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
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_LONG, f.log);
  mw_work_opt o = pool(&f, 2);
  pid_t pid = fork();
  if (pid == 0) {
    mw_work *w = NULL;
    mw_bytes r[2];
    (void)setpgid(0, 0);
    if (mw_work_init(&o, &w, &err) != MW_OK) _exit(1);
    _exit(mw_work_run(w, "long", 2, u, r, NULL, &err) == MW_OK ? 0 : 1);
  }
  struct timespec t = { .tv_nsec = 10000000 };
  for (int i = 0; i < 1000 && count_lines(f.log) < 2; i++) (void)nanosleep(&t, NULL);
  MW_CHECK(count_lines(f.log) == 2);  // both are at work
  end(pid);
  MW_CHECK(group_ends(pid));
  u[0].kind = u[1].kind = TOY_PLAIN;
  MW_OKAY(run_list(&o, 2, u, NULL, &err));
  toy_free(2, u);
  remove_all(f.dir, 1);
}

static void shards_and_a_merge_make_the_whole(void)
{
  enum { SHARDS = 3 };
  fixture f = make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N - 1, TOY_PLAIN, f.log);  // 11 = 4 + 4 + 3
  mw_work_opt o = here(&f), merge = here(&f);
  merge.merge = true;
  MW_FAILS(run_list(&merge, N - 1, u, NULL, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "no finished unit") && strstr(err.msg, "--shard 1/N"));
  o.n_shard = SHARDS;
  static const int order[SHARDS] = { 2, 1, 3 }, made[SHARDS] = { 4, 4, 3 };
  int left = N - 1;
  for (int i = 0; i < SHARDS; i++) {
    o.shard = order[i];
    left -= made[i];
    MW_OKAY(run_list(&o, N - 1, u, &st, &err));
    MW_CHECK(st.made == made[i] && st.missing == left);
    if (left == 0) break;
    MW_FAILS(run_list(&merge, N - 1, u, NULL, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, i == 0 ? "7 of 11 units" : "3 of 11 units") != NULL);
    MW_CHECK(strstr(err.msg, i == 0 ? "--shard 1/3, 3/3 makes" : "--shard 3/3 makes") != NULL);
  }
  MW_CHECK(count_lines(f.log) == N - 1);
  MW_OKAY(run_list(&merge, N - 1, u, &st, &err));
  MW_CHECK(st.made == 0 && st.reused == N - 1 && count_lines(f.log) == N - 1);
  toy_free(N - 1, u);
  remove_all(f.dir, 1);
}

// What comes after the units of the array, a merge does itself, and resumes.
static void a_merge_does_the_lists_no_shard_has_begun(void)
{
  fixture f = make();
  mw_error err;
  mw_unit *a = toy_units(4, TOY_PLAIN, f.log), *b = toy_units(N, TOY_PLAIN, f.dir);
  mw_work_opt o = here(&f), merge = here(&f);
  merge.merge = true;
  o.n_shard = 1;
  o.shard = 1;
  MW_OKAY(run_list(&o, 4, a, NULL, &err));
  for (int n = 5; n <= N; n += N - 5) {  // the second time five of b are there, by a merge
    mw_work *w = NULL;
    mw_bytes r[N];
    MW_OKAY(mw_work_init(&merge, &w, &err));
    MW_OKAY(mw_work_run(w, "a", 4, a, r, NULL, &err));
    release(4, r);
    MW_OKAY(mw_work_run(w, "b", n, b, r, NULL, &err));
    check_results(n, r);
    release(n, r);
    MW_CHECK(mw_work_stats_of(w).made == (n == 5 ? 5 : N - 5));
    mw_work_free(w);
  }
  toy_free(4, a);
  toy_free(N, b);
  remove_all(f.dir, 1);
}

static void finished_units_of_several_folders_are_found(void)
{
  fixture f = make();
  mw_error err;
  mw_work_stats st;
  char other[128];
  snprintf(other, sizeof other, "%s/other", f.dir);
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = here(&f), all = here(&f);
  const char *const also[] = { "/nowhere", other, NULL };
  MW_OKAY(run_list(&o, 5, u, &st, &err));
  o.folder = other;
  MW_OKAY(run_list(&o, N, u, &st, &err));
  all.also = also;
  MW_OKAY(run_list(&all, N, u, &st, &err));
  MW_CHECK(st.reused == N && st.made == 0);
  // and they may be found with no folder of one's own
  all.folder = NULL;
  MW_OKAY(run_list(&all, N, u, &st, &err));
  MW_CHECK(st.reused == N && st.made == 0);
  toy_free(N, u);
  remove_all(f.dir, 1);
}

static void done_removes_what_is_ours_and_nothing_else(void)
{
  fixture f = make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = here(&f);
  for (int mine = 1; mine >= 0; mine--) {
    char path[256];
    mw_work *w = NULL;
    mw_bytes r[N];
    MW_OKAY(mw_work_init(&o, &w, &err));
    MW_OKAY(mw_work_run(w, "toys", N, u, r, NULL, &err));
    release(N, r);
    snprintf(path, sizeof path, "%s/notes.unit", f.folder);
    FILE *t = mine ? fopen(path, "w") : NULL;
    if (mine) MW_CHECK(t && fputs("a user's file", t) >= 0 && fclose(t) == 0);
    mw_work_done(w);
    MW_CHECK((access(path, F_OK) == 0) == (mine == 1));
    MW_CHECK(count_files(f.folder, "", NULL) == (mine ? 3 : 0));  // it, . and ..
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
  remove_all(f.dir, 1);
}

static void numbers_come_back_from_bytes_and_no_more_than_there_are(void)
{
  mw_pack p = { 0 };
  static const double x[3] = { 0.1, -0.0, 1e300 };
  static const int k[2] = { 7, -1 };
  double y[3];
  int l[2];
  mw_pack_int(&p, 2, k);
  mw_pack_f64(&p, 3, x);
  mw_pack_f64(&p, 0, NULL);
  MW_CHECK(!p.failed && p.b.n == 2 * sizeof *k + 3 * sizeof *x);
  mw_unpack u = { .p = p.b.p, .left = p.b.n };
  mw_unpack_int(&u, 2, l);
  mw_unpack_f64(&u, 3, y);
  MW_CHECK(!u.failed && u.left == 0 && l[0] == 7 && l[1] == -1);
  MW_SAME_BITS(x, y, 3);
  mw_unpack_int(&u, 1, l);
  MW_CHECK(u.failed && l[0] == 7);
  u = (mw_unpack){ .p = p.b.p, .left = p.b.n };
  mw_unpack_f64(&u, (size_t)1 << 61, y);  // 8 times that is 0 modulo 2^64
  MW_CHECK(u.failed);
  mw_pack_f64(&p, (size_t)1 << 61, x);
  MW_CHECK(p.failed && p.b.n == 2 * sizeof *k + 3 * sizeof *x);
  free(p.b.p);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "results_stand_in_order_whoever_did_them", results_stand_in_order_whoever_did_them },
    { "the_first_worker_may_be_a_thread", the_first_worker_may_be_a_thread },
    { "items_within_items_take_no_more_threads_than_there_are",
      items_within_items_take_no_more_threads_than_there_are },
    { "a_log_has_a_line_for_each_unit_done", a_log_has_a_line_for_each_unit_done },
    { "a_finished_unit_is_never_done_again", a_finished_unit_is_never_done_again },
    { "a_unit_whose_digest_does_not_hold_is_done_again",
      a_unit_whose_digest_does_not_hold_is_done_again },
    { "two_processes_on_one_folder_refuse_each_other",
      two_processes_on_one_folder_refuse_each_other },
    { "shards_work_beside_each_other_and_not_beside_the_whole",
      shards_work_beside_each_other_and_not_beside_the_whole },
    { "what_a_kill_left_half_written_is_removed", what_a_kill_left_half_written_is_removed },
    { "a_full_disk_is_named_and_loses_nothing", a_full_disk_is_named_and_loses_nothing },
    { "the_unit_of_a_killed_worker_goes_to_another", the_unit_of_a_killed_worker_goes_to_another },
    { "a_unit_that_ends_two_workers_is_an_error", a_unit_that_ends_two_workers_is_an_error },
    { "an_error_travels_whole_and_what_is_finished_stays",
      an_error_travels_whole_and_what_is_finished_stays },
    { "what_a_unit_prints_does_not_get_into_its_result",
      what_a_unit_prints_does_not_get_into_its_result },
    { "forty_megabytes_come_whole_from_worker_and_disk",
      forty_megabytes_come_whole_from_worker_and_disk },
    { "a_worker_that_cannot_be_started_is_named", a_worker_that_cannot_be_started_is_named },
    { "workers_end_with_their_parent_and_its_lock_too",
      workers_end_with_their_parent_and_its_lock_too },
    { "shards_and_a_merge_make_the_whole", shards_and_a_merge_make_the_whole },
    { "a_merge_does_the_lists_no_shard_has_begun", a_merge_does_the_lists_no_shard_has_begun },
    { "finished_units_of_several_folders_are_found", finished_units_of_several_folders_are_found },
    { "done_removes_what_is_ours_and_nothing_else", done_removes_what_is_ours_and_nothing_else },
    { "numbers_come_back_from_bytes_and_no_more_than_there_are",
      numbers_come_back_from_bytes_and_no_more_than_there_are },
  };
  return mw_test_run("test_work", cases, (int)(sizeof cases / sizeof *cases));
}
