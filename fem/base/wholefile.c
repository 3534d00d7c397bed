// SPDX-License-Identifier: BSD-3-Clause
// wholefile.c: files that are replaced as a whole, and read as a whole.
//
// Written under a temporary name in the same folder, synced, renamed. The temporary file is
// NAME.N.tmp, N = 0, 1, ..., and its writer holds it locked (flock), so that the kernel frees it
// when its writer is killed: the next writer of NAME removes it. What another process still writes,
// other users' files and links stay, as does everything where the file system knows no locks; the
// writer then takes the next N. Other programs (compilers) do not write into a file that is held,
// they put a new one there: what they make stands beside it, NAME.N.tmp.made, and is removed with
// it.
#define _DEFAULT_SOURCE  // flock
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/wholefile.h"

const char mw_trailer_magic[8] = { 'M', 'W', 'D', 'I', 'G', 'E', 'S', 'T' };
enum { PATH_LEN = 4096, MADE_LEN = PATH_LEN + 8, TMP_TRIES = 100, TMP_BEYOND = 3 };

// ---- files as bytes -----------------------------------------------------------------------------

void mw_trailer_make(const void *data, size_t n, unsigned char out[MW_TRAILER])
{
  mw_sha256 s;
  mw_sha256_init(&s);
  mw_sha256_add(&s, data, n);
  memcpy(out, mw_trailer_magic, sizeof mw_trailer_magic);
  mw_sha256_end(&s, out + sizeof mw_trailer_magic);
}

static mw_code check_name(const char *path, mw_error *err)
{
  if (path[0] == '\0') return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the name of a file is empty");
  if (strstr(path, "://"))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path },
                   "the name contains \"://\"; only local files are read and written");
  if (strlen(path) > PATH_LEN - 64)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the name of a file is longer than %d bytes",
                   PATH_LEN - 64);
  return MW_OK;
}

static int write_all(int fd, const unsigned char *p, size_t n)
{
  while (n > 0) {
    ssize_t k = write(fd, p, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return -1;
    if (k == 0) {
      errno = ENOSPC;
      return -1;
    }
    p += k;
    n -= (size_t)k;
  }
  return 0;
}

// Takes the file that has just been opened: locks it and checks that it still has its name. Where
// the file system knows no locks, a file that was made just now is its maker's all the same.
static bool take(int fd, const char *tmp, bool made)
{
  struct stat a, b;
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && (!made || errno == EWOULDBLOCK)) return false;
  return fstat(fd, &a) == 0 && lstat(tmp, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

static void name_made(const char *tmp, char made[MADE_LEN])
{
  snprintf(made, MADE_LEN, "%s.made", tmp);
}

// Removes what a killed writer left under this name: a regular file of this user that no process
// holds locked.
static void remove_left(const char *tmp)
{
  struct stat st;
  char made[MADE_LEN];
  int fd = open(tmp, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
      take(fd, tmp, false)) {
    name_made(tmp, made);
    (void)unlink(made);
    (void)unlink(tmp);
  }
  (void)close(fd);
}

static void name_tmp(const char *path, int i, char tmp[PATH_LEN])
{
  snprintf(tmp, PATH_LEN, "%s.%d.tmp", path, i);
}

// Opens a file that does not exist yet, beside path, and holds it locked. Names are counted, and
// first freed of what killed writers left.
static int open_tmp(const char *path, char tmp[PATH_LEN])
{
  char next[PATH_LEN];
  for (int i = 0; i < TMP_TRIES; i++) {
    name_tmp(path, i, tmp);
    remove_left(tmp);
    int fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) return -1;
    if (fd >= 0 && take(fd, tmp, true)) {
      for (int k = i + 1; k <= i + TMP_BEYOND; k++) {
        name_tmp(path, k, next);
        remove_left(next);
      }
      return fd;
    }
    if (fd >= 0) (void)close(fd);
  }
  errno = EEXIST;
  return -1;
}

// The rename survives a crash only once the folder is on disk; a file system that cannot do this is
// not an error.
static void sync_folder(const char *path)
{
  char dir[PATH_LEN];
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) : 0;
  memcpy(dir, path, n);
  dir[n] = '\0';
  int fd = open(!slash ? "." : n ? dir : "/", O_RDONLY);
  if (fd < 0) return;
  (void)fsync(fd);
  (void)close(fd);
}

bool mw_file_ends_in(const char *path, const char *ending)
{
  size_t n = strlen(path), k = strlen(ending);
  return n > k && strcmp(path + n - k, ending) == 0;
}

static mw_code open_beside(const char *path, char tmp[PATH_LEN], int *fd, mw_error *err)
{
  mw_at at = { .file = path };
  mw_code rc = check_name(path, err);
  if (rc != MW_OK) return rc;
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return mw_fail(err, MW_ERR_IO, at, "cannot be written: it exists and is not a regular file");
  *fd = open_tmp(path, tmp);
  if (*fd < 0) return mw_fail(err, MW_ERR_IO, at, "cannot be written: %s", strerror(errno));
  return MW_OK;
}

mw_code mw_file_replace(const char *path, const void *data, size_t n, bool trailer, mw_error *err)
{
  mw_at at = { .file = path };
  char tmp[PATH_LEN];
  int fd = -1;
  mw_code rc = open_beside(path, tmp, &fd, err);
  if (rc != MW_OK) return rc;
  unsigned char tail[MW_TRAILER];
  int bad = write_all(fd, data, n), e = errno;
  if (!bad && trailer) {
    mw_trailer_make(data, n, tail);
    bad = write_all(fd, tail, sizeof tail);
    e = errno;
  }
  if (!bad && fsync(fd) != 0) {
    bad = -1;
    e = errno;
  }
  // while it is locked: unlocked, it would be a file that is left
  if (!bad && rename(tmp, path) != 0) {
    bad = -1;
    e = errno;
  }
  if (bad) (void)unlink(tmp);
  (void)close(fd);  // all of it is synced
  if (bad) return mw_fail(err, MW_ERR_IO, at, "cannot be written (%zu bytes): %s", n, strerror(e));
  sync_folder(path);
  return MW_OK;
}

// ---- made by another program --------------------------------------------------------------------

mw_code mw_wholefile_open(const char *path, mw_wholefile *out, mw_error *err)
{
  char tmp[PATH_LEN], made[MADE_LEN];
  int fd = -1;
  mw_code rc = open_beside(path, tmp, &fd, err);
  if (rc != MW_OK) return rc;
  name_made(tmp, made);
  (void)unlink(made);  // of a writer that was killed where the file system knows no locks
  *out = (mw_wholefile){ .made = strdup(made), .lock = strdup(tmp), .fd = fd };
  if (out->made && out->lock) return MW_OK;
  rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  (void)unlink(tmp);
  (void)close(fd);
  free(out->made);
  free(out->lock);
  *out = (mw_wholefile){ .fd = -1 };
  return rc;
}

// Syncs what was made, from whoever's hands it comes.
static int sync_made(const char *made)
{
  int fd = open(made, O_RDONLY | O_CLOEXEC), bad;
  if (fd < 0) return -1;
  bad = fsync(fd);
  (void)close(fd);
  return bad;
}

mw_code mw_wholefile_close(mw_wholefile *w, const char *path, bool keep, mw_error *err)
{
  mw_code rc = MW_OK;
  if (keep && (sync_made(w->made) != 0 || rename(w->made, path) != 0)) {
    rc = mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be written: %s", strerror(errno));
    keep = false;
  }
  if (!keep) (void)unlink(w->made);
  (void)unlink(w->lock);
  (void)close(w->fd);
  if (keep) sync_folder(path);
  free(w->made);
  free(w->lock);
  *w = (mw_wholefile){ .fd = -1 };
  return rc;
}

mw_code mw_file_read(const char *path, char **data, size_t *n, mw_error *err)
{
  mw_at at = { .file = path };
  mw_code rc = check_name(path, err);
  if (rc != MW_OK) return rc;
  FILE *f = fopen(path, "rb");
  if (!f) return mw_fail(err, MW_ERR_INPUT, at, "cannot be read: %s", strerror(errno));
  char *buf = NULL;
  size_t len = 0, cap = 0;
  for (;;) {
    if (len + 1 >= cap) {
      cap = cap ? 2 * cap : (size_t)1 << 16;
      char *more = realloc(buf, cap);
      if (!more) {
        rc = mw_fail(err, MW_ERR_MEMORY, at, "no memory for a file of more than %zu bytes", len);
        break;
      }
      buf = more;
    }
    size_t k = fread(buf + len, 1, cap - len - 1, f);
    len += k;
    if (k == 0) {
      if (ferror(f)) rc = mw_fail(err, MW_ERR_INPUT, at, "cannot be read: %s", strerror(errno));
      break;
    }
  }
  (void)fclose(f);
  if (rc != MW_OK) {
    free(buf);
    return rc;
  }
  buf[len] = '\0';
  *data = buf;
  *n = len;
  return MW_OK;
}
