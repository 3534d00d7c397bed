// SPDX-License-Identifier: BSD-3-Clause
// work_store.c: a folder of finished units, one file each.
//
//   name   = SHA-256(context ‖ 0 ‖ kind ‖ arguments)
//   digest = SHA-256(name ‖ length ‖ bytes)                                                     (1)
//
// A file CONTEXT-NAME.unit (16 digits of the context's hash, 64 of the name) holds magic, shard and
// number of shards of who made it, length, digest, bytes. The worker that does the unit computes
// the digest; a file that does not match it, or has another unit's name, is treated as missing.
//
// Units are written to a temporary name and renamed: a process that is killed leaves whole units
// only. Against a crash of the machine they are synced, the cheap ones in groups: a sync costs up
// to 20 ms on a disk that turns, as much as such a unit. What is not synced is at most SYNC_S of
// work of each worker, and its digest tells. Where the system can, a group is one sync of the file
// system: file by file a thousand workers would wait for the one writer, 2 to 6 ms a file instead
// of 0.1 to 1. There is one writer, so one temporary name.
#ifdef __linux__
#define _GNU_SOURCE  // syncfs
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "work_priv.h"

enum { PATH_LEN = 4096, PREFIX = 16, HEX = 64 };
static const double SYNC_S = 0.5;  // s, work of each worker that may wait for a sync
static const char SUFFIX[] = ".unit";

typedef struct file_head {
  char magic[8];
  int of[2];   // shard, n_shard of who made it
  uint64_t n;  // bytes that follow
  unsigned char digest[MW_DIGEST];
} file_head;

static const char MAGIC[8] = { 'M', 'W', 'U', 'N', 'I', 'T', '1', '\n' };

void mw_store_name(const char *context, const mw_unit *u, unsigned char name[MW_DIGEST])
{
  mw_sha256 s;
  mw_sha256_init(&s);
  mw_sha256_add(&s, context, strlen(context) + 1);
  mw_sha256_add(&s, &u->kind, sizeof u->kind);
  mw_sha256_add(&s, u->args.p, u->args.n);
  mw_sha256_end(&s, name);
}

void mw_store_digest(const unsigned char name[MW_DIGEST], mw_bytes b, unsigned char out[MW_DIGEST])
{
  mw_sha256 s;
  uint64_t n = b.n;
  mw_sha256_init(&s);
  mw_sha256_add(&s, name, MW_DIGEST);
  mw_sha256_add(&s, &n, sizeof n);
  mw_sha256_add(&s, b.p, b.n);
  mw_sha256_end(&s, out);
}

static void path_of(const mw_store *s, const char *folder, const unsigned char name[MW_DIGEST],
                    char path[PATH_LEN])
{
  char hex[HEX + 1];
  mw_sha256_hex(name, hex);
  snprintf(path, PATH_LEN, "%s/%s-%s%s", folder, s->prefix, hex, SUFFIX);
}

static char *copy(const char *a, const char *b)
{
  size_t n = strlen(a) + strlen(b) + 1;
  char *s = malloc(n);
  if (s) snprintf(s, n, "%s%s", a, b);
  return s;
}

static mw_code copy_also(const char *const *also, mw_store *s, mw_error *err)
{
  int n = 0;
  while (also && also[n]) n++;
  s->also = calloc((size_t)n + 1, sizeof *s->also);
  bool okay = s->also != NULL;
  for (int i = 0; okay && i < n; i++) {
    if (strlen(also[i]) > PATH_LEN - 128) continue;  // no folder of ours
    s->also[s->n_also] = copy(also[i], "");
    okay = s->also[s->n_also++] != NULL;
  }
  return okay ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
}

static mw_code open_folder(mw_store *s, mw_error *err)
{
  int fd = open(s->folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return mw_fail(err, MW_ERR_IO, (mw_at){ .file = s->folder }, "cannot be opened: %s",
                   strerror(errno));
  s->folder_fd = fd;
  return MW_OK;
}

mw_code mw_store_open(const mw_work_opt *opt, mw_store *out, mw_error *err)
{
  mw_store s = { .n_worker = opt->n_worker > 1 ? opt->n_worker : 1 };
  unsigned char digest[MW_DIGEST];
  char hex[HEX + 1], tmp[64] = "/tmp";
  mw_sha256 sha;
  mw_sha256_init(&sha);
  mw_sha256_add(&sha, opt->context, strlen(opt->context));
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  memcpy(s.prefix, hex, PREFIX);
  if (opt->folder && strlen(opt->folder) > PATH_LEN - 128)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the name of a folder is longer than %d bytes",
                   PATH_LEN - 128);
  mw_code rc = copy_also(opt->also, &s, err);
  if (rc == MW_OK && opt->folder) {
    if (opt->n_shard > 0) snprintf(tmp, sizeof tmp, "/tmp-%d-of-%d", opt->shard, opt->n_shard);
    s.folder = copy(opt->folder, "");
    s.tmp = copy(opt->folder, tmp);
    if (!s.folder || !s.tmp) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
    if (rc == MW_OK) rc = mw_lock_take(opt->folder, opt->shard, opt->n_shard, &s.lock, err);
    if (rc == MW_OK) (void)unlink(s.tmp);  // what a kill left
    if (rc == MW_OK) rc = open_folder(&s, err);
  }
  if (rc == MW_OK)
    *out = s;
  else
    mw_store_close(&s);
  return rc;
}

void mw_store_close(mw_store *s)
{
  mw_code rc = mw_store_sync(s, NULL);
  (void)rc;  // units that did not reach the disk are done again
  mw_lock_free(&s->lock);
  if (s->folder_fd > 0) close(s->folder_fd);
  for (int i = 0; i < s->n_also; i++) free(s->also[i]);
  free(s->also);
  free(s->folder);
  free(s->tmp);
  *s = (mw_store){ 0 };
}

static bool is_unit(const mw_store *s, const char *name)
{
  size_t at = PREFIX + 1;
  return strlen(name) == at + HEX + sizeof SUFFIX - 1 && memcmp(name, s->prefix, PREFIX) == 0 &&
         name[PREFIX] == '-' && strspn(name + at, "0123456789abcdef") == HEX &&
         strcmp(name + at + HEX, SUFFIX) == 0;
}

void mw_store_remove(mw_store *s)
{
  if (!s->folder) return;
  for (int i = 0; i < s->n_fd; i++) close(s->fd[i]);
  s->n_fd = s->n_unsynced = 0;
  DIR *d = opendir(s->folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (is_unit(s, e->d_name)) (void)unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
}

// ---- reading ------------------------------------------------------------------------------------

static bool read_all(int fd, void *p, size_t n)
{
  unsigned char *q = p;
  while (n > 0) {
    size_t part = n < (size_t)1 << 30 ? n : (size_t)1 << 30;
    ssize_t k = read(fd, q, part);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    q += k;
    n -= (size_t)k;
  }
  return true;
}

static bool get_file(const char *path, const unsigned char name[MW_DIGEST], mw_bytes *out,
                     int of[2])
{
  file_head h;
  struct stat st;
  unsigned char digest[MW_DIGEST];
  mw_bytes b = { 0 };
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool okay = fstat(fd, &st) == 0 && read_all(fd, &h, sizeof h) &&
              memcmp(h.magic, MAGIC, sizeof MAGIC) == 0 && (uint64_t)st.st_size == sizeof h + h.n;
  if (okay) {
    b.n = (size_t)h.n;
    b.p = malloc(b.n + 1);
    okay = b.p != NULL && read_all(fd, b.p, b.n);
  }
  close(fd);
  if (okay) {
    mw_store_digest(name, b, digest);
    okay = memcmp(digest, h.digest, MW_DIGEST) == 0;
  }
  if (!okay) {
    free(b.p);
    return false;
  }
  *out = b;
  memcpy(of, h.of, sizeof h.of);
  return true;
}

bool mw_store_get(const mw_store *s, const unsigned char name[MW_DIGEST], mw_bytes *out, int of[2])
{
  char path[PATH_LEN];
  if (s->folder) {
    path_of(s, s->folder, name, path);
    if (get_file(path, name, out, of)) return true;
  }
  for (int i = 0; i < s->n_also; i++) {
    path_of(s, s->also[i], name, path);
    if (get_file(path, name, out, of)) return true;
  }
  return false;
}

// ---- writing ------------------------------------------------------------------------------------

static bool write_all(int fd, const void *p, size_t n)
{
  const unsigned char *q = p;
  while (n > 0) {
    size_t part = n < (size_t)1 << 30 ? n : (size_t)1 << 30;
    ssize_t k = write(fd, q, part);
    if (k < 0 && errno == EINTR) continue;
    if (k == 0) errno = ENOSPC;
    if (k <= 0) return false;
    q += k;
    n -= (size_t)k;
  }
  return true;
}

static mw_code cannot(const mw_store *s, int e, mw_error *err)
{
  return mw_fail(err, MW_ERR_IO, (mw_at){ .file = s->folder },
                 "a finished unit cannot be written: %s; the same command resumes with those "
                 "written before",
                 strerror(e));
}

#ifdef __linux__
// All of the folder's file system, once: the files need not stay open.
static int sync_files(mw_store *s) { return syncfs(s->folder_fd) != 0 ? errno : 0; }

static int written(mw_store *s, int fd)
{
  (void)s;
  return close(fd) != 0 ? errno : 0;
}
#else
static int sync_files(mw_store *s)
{
  int bad = 0;
  for (int i = 0; i < s->n_fd; i++) {
    if (fsync(s->fd[i]) != 0 && !bad) bad = errno;
    if (close(s->fd[i]) != 0 && !bad) bad = errno;
  }
  s->n_fd = 0;
  // the names; a file system that cannot do this is not an error
  (void)fsync(s->folder_fd);
  return bad;
}

static int written(mw_store *s, int fd)
{
  s->fd[s->n_fd++] = fd;
  return 0;
}
#endif

mw_code mw_store_sync(mw_store *s, mw_error *err)
{
  if (s->n_unsynced == 0) return MW_OK;
  s->n_unsynced = 0;
  s->unsynced_s = 0.0;
  int bad = sync_files(s);
  return bad ? cannot(s, bad, err) : MW_OK;
}

mw_code mw_store_put(mw_store *s, const mw_head *head, mw_bytes b, mw_error *err)
{
  if (!s->folder) return MW_OK;
  char path[PATH_LEN];
  file_head h = { .of = { s->lock.shard, s->lock.n_shard }, .n = b.n };
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  memcpy(h.digest, head->digest, MW_DIGEST);
  path_of(s, s->folder, head->name, path);
  int fd = open(s->tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return cannot(s, errno, err);
  bool okay = write_all(fd, &h, sizeof h) && write_all(fd, b.p, b.n);
  if (!okay || rename(s->tmp, path) != 0) {
    int e = errno;
    close(fd);
    (void)unlink(s->tmp);
    return cannot(s, e, err);
  }
  int bad = written(s, fd);
  if (bad) return cannot(s, bad, err);
  s->n_unsynced++;
  s->unsynced_s += head->seconds;
  if (s->n_unsynced < MW_STORE_UNSYNCED_MOST && !(s->unsynced_s >= SYNC_S * s->n_worker))
    return MW_OK;
  return mw_store_sync(s, err);
}
