// SPDX-License-Identifier: BSD-3-Clause
// lock.c: a folder of one's own, or of an array's jobs.
//
//   alone        `lock` exclusive
//   shard i of N `lock` shared, `lock-i-of-N` exclusive
//
// fcntl locks: they hold on network file systems too, and the kernel drops them with the process,
// so that kill -9 leaves none behind. The files say who holds them. A lock counts only while its
// file still has its name: another process may have removed the file between our opening and
// locking it.
#include "reduction/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_LEN = 4096, WHO_LEN = 128, TRIES = 100 };

static void path_of(const char *folder, int shard, int n_shard, char path[PATH_LEN])
{
  if (n_shard > 0)
    snprintf(path, PATH_LEN, "%s/lock-%d-of-%d", folder, shard, n_shard);
  else
    snprintf(path, PATH_LEN, "%s/lock", folder);
}

// First line of a lock file.
static void read_who(const char *path, char who[WHO_LEN])
{
  who[0] = '\0';
  FILE *f = fopen(path, "r");
  if (f && fgets(who, WHO_LEN, f)) who[strcspn(who, "\n")] = '\0';
  if (f) fclose(f);
  if (who[0] == '\0') snprintf(who, WHO_LEN, "another process");
}

// Names a process that holds one of the shards' files.
static void find_shard(const char *folder, char who[WHO_LEN])
{
  DIR *d = opendir(folder);
  snprintf(who, WHO_LEN, "a shard of an array");
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    int i, n;
    char path[PATH_LEN];
    if (sscanf(e->d_name, "lock-%d-of-%d", &i, &n) != 2) continue;
    path_of(folder, i, n, path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    bool held = fd >= 0 && fcntl(fd, F_GETLK, &all) == 0 && all.l_type != F_UNLCK;
    if (fd >= 0) close(fd);
    if (!held) continue;
    char line[WHO_LEN];
    read_who(path, line);
    snprintf(who, WHO_LEN, "%.60s (shard %d/%d)", line, i, n);
    break;
  }
  if (d) closedir(d);
}

static void write_who(int fd)
{
  char host[64] = "", text[WHO_LEN];
  if (gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  int n = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
  // only for people to read: no harm when it fails
  if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n) return;
}

static mw_code refuse(const char *folder, const char *path, bool shards, mw_error *err)
{
  char who[WHO_LEN];
  if (shards)
    find_shard(folder, who);
  else
    read_who(path, who);
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = folder },
                 "%s works on this output; two at once are refused", who);
}

// Opens and locks one file; *fd −1 where the file system knows no locks.
static mw_code take_file(const char *folder, const char *path, short type, int *fd, mw_error *err)
{
  for (int i = 0; i < TRIES; i++) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
      return mw_fail(err, MW_ERR_IO, (mw_at){ .file = folder }, "the folder cannot be made: %s",
                     strerror(errno));
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd < 0 && errno == ENOENT) continue;  // somebody has just removed the folder
    if (*fd < 0)
      return mw_fail(err, MW_ERR_IO, (mw_at){ .file = folder }, "the folder cannot be used: %s",
                     strerror(errno));
    struct flock all = { .l_type = type, .l_whence = SEEK_SET };
    if (fcntl(*fd, F_SETLK, &all) != 0) {
      int e = errno;
      close(*fd);
      *fd = -1;
      if (e != EACCES && e != EAGAIN) return MW_OK;
      // a plain `lock` says who holds it only when it is held for one process
      struct flock ask = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
      int look = open(path, O_RDWR | O_CLOEXEC);
      bool shared = look >= 0 && fcntl(look, F_GETLK, &ask) == 0 && ask.l_type == F_UNLCK;
      if (look >= 0) close(look);
      return refuse(folder, path, shared, err);
    }
    struct stat a, b;
    if (fstat(*fd, &a) == 0 && stat(path, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev)
      return MW_OK;
    close(*fd);
  }
  *fd = -1;
  return mw_fail(err, MW_ERR_IO, (mw_at){ .file = folder }, "the folder cannot be locked");
}

mw_code mw_lock_take(const char *folder, int shard, int n_shard, mw_lock *out, mw_error *err)
{
  char path[PATH_LEN];
  mw_lock l = { .fd = -1, .fd_shard = -1, .shard = shard, .n_shard = n_shard };
  if (strlen(folder) > PATH_LEN - 64)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the name of a folder is longer than %d bytes",
                   PATH_LEN - 64);
  size_t len = strlen(folder) + 1;
  l.folder = malloc(len);
  if (!l.folder) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  memcpy(l.folder, folder, len);
  path_of(folder, 0, 0, path);
  mw_code rc = take_file(folder, path, n_shard > 0 ? F_RDLCK : F_WRLCK, &l.fd, err);
  if (rc == MW_OK && n_shard > 0) {
    path_of(folder, shard, n_shard, path);
    rc = take_file(folder, path, F_WRLCK, &l.fd_shard, err);
  }
  if (rc != MW_OK) {
    if (l.fd >= 0) close(l.fd);
    free(l.folder);
    return rc;
  }
  if (l.fd >= 0 && n_shard == 0) write_who(l.fd);
  if (l.fd_shard >= 0) write_who(l.fd_shard);
  *out = l;
  return MW_OK;
}

void mw_lock_free(mw_lock *l)
{
  char path[PATH_LEN];
  if (!l->folder) return;
  if (l->n_shard > 0) {
    path_of(l->folder, l->shard, l->n_shard, path);
    (void)unlink(path);
    if (l->fd_shard >= 0) close(l->fd_shard);
  }
  // the common file is removed when no other process holds it
  struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  path_of(l->folder, 0, 0, path);
  if (l->n_shard == 0 || (l->fd >= 0 && fcntl(l->fd, F_SETLK, &all) == 0)) (void)unlink(path);
  if (l->fd >= 0) close(l->fd);
  (void)rmdir(l->folder);
  free(l->folder);
  *l = (mw_lock){ .fd = -1, .fd_shard = -1 };
}
