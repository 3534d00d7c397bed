// SPDX-License-Identifier: BSD-3-Clause
// work_pool.c: the backends `here` and `worker processes`, and what a worker process does.
//
// One of the workers may be a thread of this process, so that what it makes is there afterwards: it
// speaks over a socket pair, too, and ends with it.
//
// A worker is the program itself, started anew (not a bare fork: BLAS and MPI do not survive one),
// with a socket pair as its standard input and its standard output turned to standard error, so
// that nothing it prints gets into the messages. It ends when the socket does: with its parent,
// however that ends. Sockets and not pipes: writing to a dead worker is an error here
// (MSG_NOSIGNAL), not a signal for the whole program.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/blas.h"
#include "fem/mpi.h"
#include "work_priv.h"

extern char **environ;

// ---- a unit -------------------------------------------------------------------------------------

void mw_unit_do(mw_unit_fn fn, void *ctx, const mw_head *head, const unsigned char *args,
                mw_answer *out)
{
  mw_error e = { 0 };
  double t = mw_wall_time();
  *out = (mw_answer){ .head = *head };
  mw_code rc = fn(ctx, head->kind, args, (size_t)head->n, &out->body, &e);
  out->head.seconds = mw_wall_time() - t;
  out->head.what = MW_HEAD_RESULT;
  if (rc == MW_OK) {
    out->head.n = out->body.n;
    mw_store_digest(head->name, out->body, out->head.digest);
    return;
  }
  if (e.code == MW_OK) (void)mw_fail(&e, rc, MW_NOWHERE, "a unit of work failed");
  out->head.what = MW_HEAD_ERROR;
  free(out->body.p);
  out->body = (mw_bytes){ .p = malloc(sizeof e), .n = sizeof e };
  if (out->body.p)
    memcpy(out->body.p, &e, sizeof e);
  else
    out->body.n = 0;
  out->head.n = out->body.n;
}

typedef struct here {
  mw_backend backend;
  mw_unit_fn fn;
  void *ctx;
  mw_answer answer;
} here;

static mw_code here_send(mw_backend *d, int worker, const mw_head *head, const unsigned char *args,
                         mw_error *err)
{
  (void)worker;
  (void)err;
  here *h = (here *)d;
  mw_unit_do(h->fn, h->ctx, head, args, &h->answer);
  return MW_OK;
}

static mw_code here_wait(mw_backend *d, mw_answer *out, mw_error *err)
{
  (void)err;
  here *h = (here *)d;
  *out = h->answer;
  h->answer = (mw_answer){ 0 };
  return MW_OK;
}

static void here_close(mw_backend *d)
{
  free(((here *)d)->answer.body.p);
  free(d);
}

mw_code mw_here_open(mw_unit_fn fn, void *ctx, mw_backend **out, mw_error *err)
{
  here *h = calloc(1, sizeof *h);
  if (!h) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  h->backend =
      (mw_backend){ .n_worker = 1, .send = here_send, .wait = here_wait, .close = here_close };
  h->fn = fn;
  h->ctx = ctx;
  *out = &h->backend;
  return MW_OK;
}

// ---- messages over a socket ---------------------------------------------------------------------

static bool send_all(int fd, const void *p, size_t n)
{
  const unsigned char *q = p;
  while (n > 0) {
    ssize_t k = send(fd, q, n, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    q += k;
    n -= (size_t)k;
  }
  return true;
}

static bool recv_all(int fd, void *p, size_t n)
{
  unsigned char *q = p;
  while (n > 0) {
    ssize_t k = recv(fd, q, n, 0);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    q += k;
    n -= (size_t)k;
  }
  return true;
}

static bool recv_body(int fd, const mw_head *h, mw_bytes *b)
{
  *b = (mw_bytes){ .p = malloc((size_t)h->n + 1), .n = (size_t)h->n };
  if (b->p && recv_all(fd, b->p, b->n)) return true;
  free(b->p);
  *b = (mw_bytes){ 0 };
  return false;
}

// ---- the pool -----------------------------------------------------------------------------------

typedef struct process {
  bool there, busy;
  pid_t pid;  // of a process
  int fd;
} process;

typedef struct pool {
  mw_backend backend;
  const char *const *argv;
  mw_unit_fn fn;  // of worker 0, a thread; NULL: it is a process as the others
  void *ctx;
  pthread_t thread;
  int thread_fd;
  char **env;        // ours, with one BLAS thread
  process *process;  // [n_worker]
  struct pollfd *ask;
} pool;

static char **make_env(void)
{
  static char blas[] = "OPENBLAS_NUM_THREADS=1", omp[] = "OMP_NUM_THREADS=1";
  size_t n = 0, k = 0;
  while (environ[n]) n++;
  char **env = calloc(n + 3, sizeof *env);
  if (!env) return NULL;
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], "OPENBLAS_NUM_THREADS=", 21) != 0 &&
        strncmp(environ[i], "OMP_NUM_THREADS=", 16) != 0)
      env[k++] = environ[i];
  env[k++] = blas;
  env[k] = omp;
  return env;
}

static int spawn(const pool *p, int fd, pid_t *pid)
{
  posix_spawn_file_actions_t act;
  int e = posix_spawn_file_actions_init(&act);
  if (e != 0) return e;
  e = posix_spawn_file_actions_adddup2(&act, fd, STDIN_FILENO);
  if (e == 0) e = posix_spawn_file_actions_adddup2(&act, STDERR_FILENO, STDOUT_FILENO);
  // posix_spawn changes neither argv nor what it points to
  union {
    const char *const *in;
    char *const *out;
  } a = { .in = p->argv };
  if (e == 0) e = posix_spawnp(pid, p->argv[0], &act, NULL, a.out, p->env);
  posix_spawn_file_actions_destroy(&act);
  return e;
}

// Does units that come over a socket until it ends.
static void serve(int fd, mw_unit_fn fn, void *ctx)
{
  mw_head head;
  bool heard = true;
  while (heard && recv_all(fd, &head, sizeof head) && head.what == MW_HEAD_UNIT) {
    mw_bytes args;
    mw_answer a;
    if (!recv_body(fd, &head, &args)) break;
    mw_unit_do(fn, ctx, &head, args.p, &a);
    heard = send_all(fd, &a.head, sizeof a.head) && send_all(fd, a.body.p, a.body.n);
    free(args.p);
    free(a.body.p);
  }
  close(fd);
}

static void *serve_here(void *ctx)
{
  pool *p = ctx;
  (void)mw_blas_serial();  // OpenMP's settings are those of a thread
  serve(p->thread_fd, p->fn, p->ctx);
  return NULL;
}

static bool is_thread(const pool *p, int k) { return k == 0 && p->fn; }

static mw_code start(pool *p, int k, mw_error *err)
{
  int pair[2], e;
  process *s = &p->process[k];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no socket for worker %d: %s", k + 1,
                   strerror(errno));
  (void)fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(pair[1], F_SETFD, FD_CLOEXEC);
  if (is_thread(p, k)) {
    mw_mpi_start();  // by the thread that will end it
    p->thread_fd = pair[1];
    e = pthread_create(&p->thread, NULL, serve_here, p);
  } else {
    e = spawn(p, pair[1], &s->pid);
  }
  if (e != 0 || !is_thread(p, k)) close(pair[1]);
  if (e != 0) {
    close(pair[0]);
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "worker %d (%.200s) cannot be started: %s", k + 1,
                   is_thread(p, k) ? "a thread" : p->argv[0], strerror(e));
  }
  *s = (process){ .there = true, .pid = s->pid, .fd = pair[0] };
  return MW_OK;
}

// Closes the socket of worker k and tells how its worker ended.
static void end(pool *p, int k, char how[64])
{
  process *s = &p->process[k];
  int status = 0;
  close(s->fd);
  if (is_thread(p, k)) {
    pthread_join(p->thread, NULL);
    snprintf(how, 64, "the end of a thread");
  } else {
    pid_t got;
    do got = waitpid(s->pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got != s->pid)
      snprintf(how, 64, "unknown reason");
    else if (WIFSIGNALED(status))
      snprintf(how, 64, "signal %d", WTERMSIG(status));
    else
      snprintf(how, 64, "exit status %d", WEXITSTATUS(status));
  }
  *s = (process){ .fd = -1 };
}

static mw_code pool_send(mw_backend *d, int k, const mw_head *head, const unsigned char *args,
                         mw_error *err)
{
  pool *p = (pool *)d;
  process *s = &p->process[k];
  char how[64];
  // a worker that ended while idle is replaced; one that ends now is found by pool_wait
  for (int i = 0; i < 2; i++) {
    mw_code rc = s->there ? MW_OK : start(p, k, err);
    if (rc != MW_OK) return rc;
    if (send_all(s->fd, head, sizeof *head) && send_all(s->fd, args, (size_t)head->n)) break;
    if (i == 0) end(p, k, how);
  }
  s->busy = true;
  return MW_OK;
}

static mw_code pool_wait(mw_backend *d, mw_answer *out, mw_error *err)
{
  pool *p = (pool *)d;
  *out = (mw_answer){ .worker = -1 };
  for (int i = 0; i < d->n_worker; i++)
    p->ask[i] =
        (struct pollfd){ .fd = p->process[i].busy ? p->process[i].fd : -1, .events = POLLIN };
  while (poll(p->ask, (nfds_t)d->n_worker, -1) < 0)
    if (errno != EINTR)
      return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the workers are out of sight: %s",
                     strerror(errno));
  for (int i = 0; out->worker < 0 && i < d->n_worker; i++)
    if (p->ask[i].fd >= 0 && p->ask[i].revents != 0) out->worker = i;
  process *s = &p->process[out->worker];
  s->busy = false;
  if (recv_all(s->fd, &out->head, sizeof out->head) && recv_body(s->fd, &out->head, &out->body))
    return MW_OK;
  out->dead = true;
  end(p, out->worker, out->how);
  return MW_OK;
}

// Idle workers end with their sockets; a process that is still at work (something failed) is not
// waited for.
static void pool_close(mw_backend *d)
{
  pool *p = (pool *)d;
  char how[64];
  for (int i = 0; p->process && i < d->n_worker; i++)
    if (p->process[i].there) {
      if (p->process[i].busy && !is_thread(p, i)) (void)kill(p->process[i].pid, SIGKILL);
      (void)shutdown(p->process[i].fd, SHUT_RDWR);
    }
  for (int i = 0; p->process && i < d->n_worker; i++)
    if (p->process[i].there) end(p, i, how);
  free(p->process);
  free(p->ask);
  free(p->env);
  free(p);
}

mw_code mw_pool_open(int n, const char *const *argv, mw_unit_fn fn, void *ctx, mw_backend **out,
                     mw_error *err)
{
  pool *p = calloc(1, sizeof *p);
  if (!p) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  p->backend =
      (mw_backend){ .n_worker = n, .send = pool_send, .wait = pool_wait, .close = pool_close };
  p->argv = argv;
  p->fn = fn;
  p->ctx = ctx;
  p->env = make_env();
  p->process = calloc((size_t)n, sizeof *p->process);
  p->ask = calloc((size_t)n, sizeof *p->ask);
  if (!p->env || !p->process || !p->ask) {
    pool_close(&p->backend);
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  for (int i = 0; i < n; i++) p->process[i].fd = -1;
  *out = &p->backend;
  return MW_OK;
}

// ---- a worker -----------------------------------------------------------------------------------

// The socket under another number, with nothing to read from standard input and nothing but errors
// to print to.
static int take_socket(void)
{
  int fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int kind = 0;
  socklen_t n = sizeof kind;
  bool okay = fd >= 0 && null >= 0 && getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &n) == 0 &&
              dup2(null, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
  if (null >= 0) close(null);
  if (!okay && fd >= 0) close(fd);
  return okay ? fd : -1;
}

mw_code mw_pool_serve(mw_unit_fn fn, void *ctx, mw_error *err)
{
#ifdef __linux__
  // a long unit is not finished for a parent that is no more
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  int fd = take_socket();
  if (fd < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "a worker is started by modeway itself: standard input is not its socket");
  serve(fd, fn, ctx);
  return MW_OK;
}
