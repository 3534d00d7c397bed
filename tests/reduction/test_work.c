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
#include <time.h>
#include <unistd.h>

#include "fixture_work.h"
#include "mw_test.h"
#include "work/offline_layer.h"
#include "work_toy.h"

enum { N = 12 };

static void results_stand_in_order_whoever_did_them(void)
{
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_stats st;
  for (int n = 0; n <= 3; n++) {
    mw_work_opt o = fixture_work_pool(&f, n);
    o.folder = NULL;
    MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
    MW_CHECK(st.made == N && st.reused == 0 && st.lost == 0 && st.unit_s > 0.0);
    MW_CHECK(st.bytes == N * TOY_RESULT * 8.0);
  }
  mw_work_opt o = fixture_work_here(&f);
  MW_OKAY(fixture_work_run(&o, 0, u, &st, &err));
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
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
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_work_stats st;
  for (int n = 2; n <= 3; n++) {
    mw_unit *u = toy_units(N, TOY_SLOW, NULL), *bad = toy_units(N, TOY_FAILS, NULL);
    int here = 0;
    mw_work_opt o = fixture_work_pool(&f, n);
    o.folder = NULL;
    o.thread = true;
    o.fn = counted;
    o.ctx = &here;
    // all ask for it; others, idle at first, have one each
    for (int i = 0; i < N; i++) u[i].worker = 1;
    MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
    MW_CHECK(st.made == N && st.lost == 0 && here > 0 && here <= N - (n - 1));
    MW_FAILS(fixture_work_run(&o, N, bad, NULL, &err), MW_ERR_NUMERIC);
    MW_CHECK(!strcmp(err.file, "toy.yaml") && !strcmp(err.msg, "x is 0"));
    toy_free(N, u);
    toy_free(N, bad);
  }
  fixture_work_remove(f.dir, 1);
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
  fixture_work f = fixture_work_make();
  mw_error err;
  for (int n = 2; n <= 4; n++) {
    mw_work_opt o = fixture_work_pool(&f, n);
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
  fixture_work_remove(f.dir, 1);
}

static void a_log_has_a_line_for_each_unit_done(void)
{
  enum { HALF = N / 2 };
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_error err;
  mw_work_opt o = fixture_work_here(&f), p = fixture_work_pool(&f, 2);
  MW_OKAY(fixture_work_run(&o, HALF, u, NULL, &err));
  FILE *log = p.log = tmpfile();
  MW_CHECK(log != NULL);
  MW_OKAY(fixture_work_run(&p, N, u, NULL, &err));  // the first half is found
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
  fixture_work_remove(f.dir, 1);
}

static void a_finished_unit_is_never_done_again(void)
{
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = fixture_work_here(&f), p = fixture_work_pool(&f, 2);
  MW_OKAY(fixture_work_run(&o, 5, u, &st, &err));
  MW_CHECK(st.made == 5 && fixture_work_lines(f.log) == 5 &&
           fixture_work_files(f.folder, ".unit", NULL) == 5);
  MW_OKAY(fixture_work_run(&p, N, u, &st, &err));
  MW_CHECK(st.made == N - 5 && st.reused == 5 && fixture_work_lines(f.log) == N);
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  MW_CHECK(st.made == 0 && st.reused == N && fixture_work_lines(f.log) == N);
  // another model's units are others
  o.context = "model 2";
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  MW_CHECK(st.made == N && st.reused == 0);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
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
  fixture_work f = fixture_work_make();
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_error err;
  mw_work_stats st;
  mw_work_opt o = fixture_work_here(&f);
  char path[512], other[512];
  MW_OKAY(fixture_work_run(&o, 1, u, &st, &err));
  MW_CHECK(fixture_work_files(f.folder, ".unit", path) == 1);
  // last byte, first byte of the result, the digest, the length, the magic
  static const long at[] = { 1, 8000, 8001, 8033, 8050 };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    damage(path, at[i], 0);
    MW_OKAY(fixture_work_run(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 1 && st.reused == 0);
    MW_OKAY(fixture_work_run(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 0 && st.reused == 1);
  }
  static const long cut[] = { 8055, 56, 20, 1 };
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
    damage(path, 1, cut[i]);
    MW_OKAY(fixture_work_run(&o, 1, u, &st, &err));
    MW_CHECK(st.made == 1 && st.reused == 0);
  }
  // whole, but of another unit
  MW_OKAY(fixture_work_run(&o, 2, u, &st, &err));
  MW_CHECK(st.made == 1);
  snprintf(other, sizeof other, "%s", path);
  DIR *d = opendir(f.folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (strstr(e->d_name, ".unit") && !strstr(path, e->d_name))
      snprintf(other, sizeof other, "%s/%.255s", f.folder, e->d_name);
  if (d) closedir(d);
  MW_CHECK(strcmp(path, other) != 0 && rename(path, other) == 0);
  MW_OKAY(fixture_work_run(&o, 2, u, &st, &err));
  MW_CHECK(st.made == 2 && st.reused == 0);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void a_full_disk_is_named_and_loses_nothing(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = fixture_work_here(&f);
  struct rlimit old, small;
  // a limit for files as a disk that is full: five small units fit, a large one does not
  MW_CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small = old;
  small.rlim_cur = 1000000;
  (void)signal(SIGXFSZ, SIG_IGN);
  MW_CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
  u[5].kind = TOY_LARGE;
  MW_FAILS(fixture_work_run(&o, N, u, &st, &err), MW_ERR_IO);
  MW_CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
  MW_CHECK(strstr(err.msg, strerror(EFBIG)) && strcmp(err.file, f.folder) == 0);
  MW_CHECK(fixture_work_files(f.folder, ".unit", NULL) == 5 && fixture_work_lines(f.log) == 6);
  u[5].kind = TOY_PLAIN;
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  MW_CHECK(st.reused == 5 && st.made == N - 5);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void the_unit_of_a_killed_worker_goes_to_another(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_work_stats st;
  mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
  mw_work_opt o = fixture_work_pool(&f, 2);
  u[0].kind = u[3].kind = u[N - 1].kind = TOY_FRAIL;
  MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
  MW_CHECK(st.made == N && st.lost == 3 && fixture_work_lines(f.log) == N + 3);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
}

static void a_unit_that_ends_two_workers_is_an_error(void)
{
  static const int kind[] = { TOY_DIES, TOY_EXITS };
  static const char *const how[] = { "signal 9", "exit status 3" };
  for (int i = 0; i < 2; i++) {
    fixture_work f = fixture_work_make();
    mw_error err;
    mw_work_stats st;
    mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
    mw_work_opt o = fixture_work_pool(&f, 2);
    u[3].kind = kind[i];
    MW_FAILS(fixture_work_run(&o, N, u, &st, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "unit 4 of 12 ended 2 workers") && strstr(err.msg, how[i]));
    // what was finished stays; the next time only the rest is tried
    int kept = fixture_work_files(f.folder, ".unit", NULL);
    MW_CHECK(kept >= 3 && kept < N && kept == st.made && st.lost == 2);
    u[3].kind = TOY_PLAIN;
    MW_OKAY(fixture_work_run(&o, N, u, &st, &err));
    MW_CHECK(st.reused == kept && st.made == N - kept);
    toy_free(N, u);
    fixture_work_remove(f.dir, 1);
  }
}

static void an_error_travels_whole_and_what_is_finished_stays(void)
{
  for (int n = 0; n <= 3; n++) {
    fixture_work f = fixture_work_make();
    mw_error err;
    mw_work_stats st;
    mw_unit *u = toy_units(N, TOY_PLAIN, f.log);
    mw_work_opt o = fixture_work_pool(&f, n);
    u[7].kind = u[8].kind = TOY_FAILS;
    MW_FAILS(fixture_work_run(&o, N, u, &st, &err), MW_ERR_NUMERIC);
    MW_CHECK(err.code == MW_ERR_NUMERIC && err.line == 7 && err.col == 2);
    MW_CHECK(!strcmp(err.file, "toy.yaml") && !strcmp(err.msg, "x is 7"));
    MW_CHECK(st.made >= 7 && fixture_work_files(f.folder, ".unit", NULL) == st.made);
    toy_free(N, u);
    fixture_work_remove(f.dir, 1);
  }
}

static void what_a_unit_prints_does_not_get_into_its_result(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_PRINTS, NULL);
  mw_work_opt o = fixture_work_pool(&f, 2);
  int keep = dup(STDERR_FILENO);
  MW_CHECK(keep >= 0 && freopen("/dev/null", "w", stderr) != NULL);  // where it goes instead
  MW_OKAY(fixture_work_run(&o, 2, u, NULL, &err));
  fflush(stderr);
  MW_CHECK(dup2(keep, STDERR_FILENO) >= 0);
  close(keep);
  toy_free(2, u);
  fixture_work_remove(f.dir, 1);
}

static void forty_megabytes_come_whole_from_worker_and_disk(void)
{
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(2, TOY_LARGE, NULL);
  mw_work_opt o = fixture_work_pool(&f, 2);
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
    fixture_work_release(2, r);
    mw_work_free(w);
  }
  toy_free(2, u);
  fixture_work_remove(f.dir, 1);
}

static void a_worker_that_cannot_be_started_is_named(void)
{
  static const char *const none[] = { "/nowhere/modeway", NULL };
  fixture_work f = fixture_work_make();
  mw_error err;
  mw_unit *u = toy_units(N, TOY_PLAIN, NULL);
  mw_work_opt o = fixture_work_pool(&f, 2);
  o.worker_argv = none;
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_IO);
  MW_CHECK(strstr(err.msg, "/nowhere/modeway") != NULL);
  // a program that is no worker
  static const char *const no_worker[] = { "false", NULL };
  o.worker_argv = no_worker;
  MW_FAILS(fixture_work_run(&o, N, u, NULL, &err), MW_ERR_NUMERIC);
  MW_CHECK(strstr(err.msg, "exit status 1") != NULL);
  toy_free(N, u);
  fixture_work_remove(f.dir, 1);
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
    { "numbers_come_back_from_bytes_and_no_more_than_there_are",
      numbers_come_back_from_bytes_and_no_more_than_there_are },
  };
  return mw_test_run("test_work", cases, (int)(sizeof cases / sizeof *cases));
}
