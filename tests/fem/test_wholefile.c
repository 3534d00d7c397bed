// SPDX-License-Identifier: BSD-3-Clause
// test_wholefile.c: what a killed writer left beside a file is removed by the next writer of that
// file, and nothing else is.
//
// No tolerances: contents are compared exactly. A writer is stood in for by a process that makes
// NAME.0.tmp and locks it as writers do; what is unlocked then is what a kill leaves.
#define _DEFAULT_SOURCE  // flock
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/wholefile.h"
#include "mw_test.h"

enum { LEN = 128 };

static char folder[32], path[64];

static void enter(void)
{
  strcpy(folder, "/tmp/mw-wholefile-XXXXXX");
  MW_CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/out.nc", folder);
}

static void leave(void)
{
  (void)remove(path);
  MW_CHECK(rmdir(folder) == 0);  // nothing else is in it
}

static const char *tmp_name(int n, char name[LEN])
{
  snprintf(name, LEN, "%s.%d.tmp", path, n);
  return name;
}

static void put(const char *name, const char *text)
{
  FILE *f = fopen(name, "wb");
  if (!MW_CHECK(f != NULL)) return;
  MW_CHECK(fputs(text, f) >= 0);
  MW_CHECK(fclose(f) == 0);
}

static bool holds(const char *name, const char *text)
{
  char *data = NULL;
  size_t n = 0;
  mw_error err;
  bool same = mw_file_read(name, &data, &n, &err) == MW_OK && n == strlen(text) &&
              memcmp(data, text, n) == 0;
  free(data);
  return same;
}

static bool exists(const char *name)
{
  struct stat st;
  return lstat(name, &st) == 0;
}

static void write_new(void)
{
  mw_error err;
  MW_OKAY(mw_file_replace(path, "new", 3, false, &err));
  MW_CHECK(holds(path, "new"));
}

static void what_killed_writers_left_is_removed_by_the_next_writer(void)
{
  char name[LEN];
  enter();
  for (int n = 0; n < 3; n++) put(tmp_name(n, name), "half");
  write_new();
  for (int n = 0; n < 3; n++) MW_CHECK(!exists(tmp_name(n, name)));
  leave();
}

// Makes NAME.0.tmp, locks it, says so and waits to be killed.
static pid_t start_writer(void)
{
  int ready[2];
  char name[LEN], byte = 0;
  if (!MW_CHECK(pipe(ready) == 0)) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    int fd = open(tmp_name(0, name), O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0 || flock(fd, LOCK_EX) != 0 || write(fd, "half", 4) != 4) _exit(1);
    if (write(ready[1], "r", 1) != 1) _exit(1);
    for (;;) (void)pause();
  }
  (void)close(ready[1]);
  MW_CHECK(pid > 0 && read(ready[0], &byte, 1) == 1);
  (void)close(ready[0]);
  return pid;
}

static void what_a_process_still_writes_stays_until_it_is_killed(void)
{
  char name[LEN];
  int status;
  enter();
  pid_t pid = start_writer();
  if (pid > 0) {
    write_new();
    MW_CHECK(holds(tmp_name(0, name), "half"));
    MW_CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
    MW_CHECK(exists(tmp_name(0, name)));
    write_new();
    MW_CHECK(!exists(tmp_name(0, name)));
  }
  leave();
}

static void links_and_folders_of_such_a_name_stay(void)
{
  char link[LEN], inside[LEN], other[LEN];
  enter();
  snprintf(other, sizeof other, "%s/other", folder);
  put(other, "other");
  MW_CHECK(symlink(other, tmp_name(0, link)) == 0);
  MW_CHECK(mkdir(tmp_name(1, inside), 0777) == 0);
  write_new();
  MW_CHECK(exists(link) && exists(inside));
  MW_CHECK(holds(other, "other"));
  MW_CHECK(unlink(link) == 0 && rmdir(inside) == 0 && unlink(other) == 0);
  leave();
}

// Only root can give files away; others see that another name of a file of theirs goes alone.
static void files_of_other_users_stay(void)
{
  char name[LEN], other[LEN];
  enter();
  put(tmp_name(0, name), "other");
  snprintf(other, sizeof other, "%s/other", folder);
  bool given = chown(name, 1, 1) == 0;
  MW_CHECK(link(name, other) == 0);
  write_new();
  MW_CHECK(exists(name) == given);
  MW_CHECK(holds(other, "other"));
  if (given) MW_CHECK(unlink(name) == 0);
  MW_CHECK(unlink(other) == 0);
  leave();
}

static void many_at_once_leave_one_whole_file_and_nothing_beside_it(void)
{
  enum { WRITERS = 4, TIMES = 50, SIZE = 20000 };
  enter();
  pid_t pid[WRITERS];
  for (int k = 0; k < WRITERS; k++) {
    pid[k] = fork();
    if (pid[k] != 0) continue;
    static char data[SIZE];
    mw_code rc = MW_OK;
    memset(data, 'a' + k, SIZE);
    for (int i = 0; i < TIMES && rc == MW_OK; i++)
      rc = mw_file_replace(path, data, SIZE, false, NULL);
    _exit(rc == MW_OK ? 0 : 1);
  }
  for (int k = 0; k < WRITERS; k++) {
    int status = -1;
    MW_CHECK(pid[k] > 0 && waitpid(pid[k], &status, 0) == pid[k] && status == 0);
  }
  char *data = NULL;
  size_t n = 0;
  mw_error err;
  MW_OKAY(mw_file_read(path, &data, &n, &err));
  MW_CHECK(n == SIZE);
  for (size_t i = 1; data && i < n; i++)
    if (data[i] != data[0]) {
      MW_CHECK(data[i] == data[0]);
      break;
    }
  free(data);
  leave();
}

// What another program makes: kept, given up, and left by a writer that is killed.
static void what_others_make_takes_its_name_or_goes(void)
{
  char lock[LEN], made[LEN];
  mw_error err;
  mw_wholefile w;
  enter();
  snprintf(made, sizeof made, "%s.made", tmp_name(0, lock));
  for (int keep = 1; keep >= 0; keep--) {
    if (!MW_OKAY(mw_wholefile_open(path, &w, &err))) continue;
    MW_CHECK(strcmp(w.made, made) == 0 && !exists(made) && exists(lock));
    put(w.made, keep ? "new" : "half");
    MW_OKAY(mw_wholefile_close(&w, path, keep, &err));
    MW_CHECK(holds(path, "new"));
    MW_CHECK(!exists(made) && !exists(lock));
  }
  // nothing was made
  if (MW_OKAY(mw_wholefile_open(path, &w, &err)))
    MW_FAILS(mw_wholefile_close(&w, path, true, &err), MW_ERR_IO);
  MW_CHECK(holds(path, "new") && !exists(lock));
  put(lock, "");
  put(made, "half");
  write_new();
  MW_CHECK(!exists(made) && !exists(lock));
  leave();
}

static const mw_test_case cases[] = {
  { "what_others_make_takes_its_name_or_goes", what_others_make_takes_its_name_or_goes },
  { "what_killed_writers_left_is_removed_by_the_next_writer",
    what_killed_writers_left_is_removed_by_the_next_writer },
  { "what_a_process_still_writes_stays_until_it_is_killed",
    what_a_process_still_writes_stays_until_it_is_killed },
  { "links_and_folders_of_such_a_name_stay", links_and_folders_of_such_a_name_stay },
  { "files_of_other_users_stay", files_of_other_users_stay },
  { "many_at_once_leave_one_whole_file_and_nothing_beside_it",
    many_at_once_leave_one_whole_file_and_nothing_beside_it },
};

int main(void) { return mw_test_run("wholefile", cases, (int)(sizeof cases / sizeof *cases)); }
