// SPDX-License-Identifier: BSD-3-Clause
// study.c: a model at many values of its parameters.
//
// Each point is the model read with its values set (--set) and judged by criteria.c, so that what
// is varied may be anything in the file. Finished points are lines of a journal,
// written whole by one call: "index value …", or "index ! reason". Processes share the points that
// it does not have, every workers-th each; a study that was killed goes on where it was. The
// journal's first line says of what study it is; another one begins anew. It is read after a kill,
// which files that are written as a whole are not (base/wholefile.h): it stands beside the study's
// own file under a name that stays, FILE.nc.part.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/blas.h"
#include "base/sha256.h"
#include "fem/mpi.h"
#include "sim/case.h"
#include "study_priv.h"

enum { LINE = 8192 };

// LO:HI or LO:HI:N
static bool read_range(const char *text, mw_varied *out)
{
  int used = -1;
  if (sscanf(text, "%lf:%lf%n", &out->lo, &out->hi, &used) != 2) return false;
  const char *rest = text + used;
  if (!*rest) return true;
  used = -1;
  return sscanf(rest, ":%d%n", &out->n, &used) == 1 && !rest[used] && out->n >= 2;
}

mw_code mw_varied_read(const char *text, size_t n, mw_varied *out, mw_error *err)
{
  char copy[MW_STUDY_TEXT];
  *out = (mw_varied){ 0 };
  snprintf(copy, sizeof copy, "%.*s", (int)(n < sizeof copy ? n : sizeof copy - 1), text);
  size_t len = strcspn(copy, "=");
  if (len == 0 || len >= sizeof out->path || copy[len] != '=' || !read_range(copy + len + 1, out) ||
      !(out->lo < out->hi))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--vary: found \"%.64s\", expected PATH=LO:HI:N with LO < HI, N from 2 on, or "
                   "PATH=LO:HI with --design",
                   copy);
  memcpy(out->path, copy, len);
  return MW_OK;
}

// ---- one point ----------------------------------------------------------------------------------

// At values x [n_varied], NULL: the model as its file and --set have it.
static mw_code evaluate(const mw_study_in *in, const double *x, mw_arena *mem, mw_found *out,
                        mw_error *err)
{
  int n = in->n_set + (x ? in->n_varied : 0);
  const char **set = mw_arena_alloc(mem, (size_t)n + 1, sizeof *set);
  mw_case c;
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < n; k++)
    set[k] = k < in->n_set ? in->set[k]
                           : mw_arena_printf(mem, "%s=%.17g", in->varied[k - in->n_set].path,
                                             x[k - in->n_set]);
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  const mw_model_edit edit = { .n_set = n, .set = set };
  rc = mw_case_read_edited(in->model, &edit, &c, err);
  if (rc != MW_OK) return rc;
  rc = mw_criteria_find(in, &c, mem, out, err);
  mw_case_free(&c);
  return rc;
}

// ---- the journal --------------------------------------------------------------------------------

// A point as a line.
static size_t line_of(int point, mw_code rc, const mw_found *f, const mw_error *e, char line[LINE])
{
  size_t n = (size_t)snprintf(line, LINE, "%d", point);
  if (rc != MW_OK) n += (size_t)snprintf(line + n, LINE - n, " ! %.250s", e->msg);
  for (int k = 0; rc == MW_OK && k < f->n && n < LINE - 32; k++)
    n += (size_t)snprintf(line + n, LINE - n, " %.17g", f->value[k]);
  line[n++] = '\n';
  return n;
}

// A finished point into s; false: the line is none (cut off by a kill).
static bool take_line(mw_study *s, const char *line, mw_arena *mem)
{
  char *end;
  long point = strtol(line, &end, 10);
  if (end == line || point < 0 || point >= s->n_point || !strchr(line, '\n')) return false;
  double *value = s->value + (size_t)point * (size_t)s->n_criterion;
  if (strncmp(end, " ! ", 3) == 0) {
    s->reason[point] = mw_arena_printf(mem, "%.*s", (int)strcspn(end + 3, "\n"), end + 3);
    return true;
  }
  for (int k = 0; k < s->n_criterion; k++) {
    char *behind;
    value[k] = strtod(end, &behind);
    if (behind == end) {
      for (int i = 0; i <= k; i++) value[i] = NAN;
      return false;
    }
    end = behind;
  }
  return true;
}

// Lines of a journal of this study; done [n_point]. *known: it is of this one.
static int read_journal(const char *path, const char *head, mw_study *s, unsigned char *done,
                        bool *known, mw_arena *mem)
{
  FILE *f = fopen(path, "r");
  char *line = malloc(LINE);
  int n = 0;
  *known = f && line && fgets(line, LINE, f) && strcmp(line, head) == 0;
  while (*known && fgets(line, LINE, f)) {
    if (!take_line(s, line, mem)) continue;
    long point = strtol(line, NULL, 10);
    n += !done[point];
    done[point] = 1;
  }
  if (f) (void)fclose(f);
  free(line);
  return n;
}

// ---- the points ---------------------------------------------------------------------------------

// Evaluates every workers-th of the points that are not done; exit status.
static int work(const mw_study_in *in, const mw_study *s, const unsigned char *done, int worker,
                int fd)
{
  int mine = 0;
  char *line = malloc(LINE);
  for (int k = 0; line && k < s->n_point; k++) {
    if (done[k] || mine++ % in->workers != worker) continue;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_found f = { 0 };
    mw_code rc = evaluate(in, s->x + k * s->n_varied, &mem, &f, &err);
    if (rc == MW_OK && f.n != s->n_criterion)
      rc = mw_fail(&err, MW_ERR_INPUT, MW_NOWHERE, "it has %d criteria, expected %d", f.n,
                   s->n_criterion);
    size_t n = line_of(k, rc, &f, &err, line);
    mw_arena_free(&mem);
    if (write(fd, line, n) != (ssize_t)n) return 1;
  }
  free(line);
  return line ? 0 : 1;
}

static mw_code run_workers(const mw_study_in *in, mw_study *s, const unsigned char *done,
                           const char *head, bool known, mw_error *err)
{
  int fd =
      open(in->journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (known ? 0 : O_TRUNC), 0666);
  bool good = fd >= 0 && (known || write(fd, head, strlen(head)) == (ssize_t)strlen(head));
  int started = 0, status = 0;
  if (known) good = good && write(fd, "\n", 1) == 1;  // behind a line that was cut off
  // MPI, once started, does not go through forks: the points are then this process's own
  if (good && mw_mpi_started()) {
    mw_study_in alone = *in;
    alone.workers = 1;
    s->alone = in->workers > 1;
    good = work(&alone, s, done, 0, fd) == 0;
  }
  for (; good && !mw_mpi_started() && started < in->workers; started++) {
    pid_t pid = fork();
    if (pid == 0) _exit(work(in, s, done, started, fd));
    if (pid < 0) good = false;
  }
  for (int k = 0; k < started; k++)
    if (wait(&status) < 0 || status != 0) good = false;
  if (fd >= 0 && close(fd) != 0) good = false;
  return good ? MW_OK
              : mw_fail(err, MW_ERR_IO, (mw_at){ .file = in->journal },
                        "the study's journal cannot be written, or a worker ended: %s",
                        strerror(errno));
}

static mw_code layout(const mw_study_in *in, const mw_found *first, mw_arena *mem, mw_study *s,
                      mw_error *err)
{
  double points = mw_design_count(in);
  if (points > MW_STUDY_MAX_POINTS)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--vary: found %.3g points, expected at most %d",
                   points, (int)MW_STUDY_MAX_POINTS);
  *s = (mw_study){ .n_varied = in->n_varied, .n_criterion = first->n, .n_point = (int)points };
  size_t n = (size_t)s->n_point, nc = (size_t)first->n, nv = (size_t)in->n_varied;
  s->path = mw_arena_alloc(mem, nv, sizeof *s->path);
  s->name = first->name;
  s->unit = first->unit;
  s->aim = first->aim;
  s->x = mw_arena_f64(mem, n * nv);
  s->value = mw_arena_f64(mem, n * nc);
  s->reason = mw_arena_alloc(mem, n, sizeof *s->reason);
  mw_code rc = mw_arena_check(mem, err);
  for (size_t k = 0; rc == MW_OK && k < n * nc; k++) s->value[k] = NAN;
  if (rc == MW_OK) mw_design_fill(in, s->n_point, s->x);
  for (int k = 0; rc == MW_OK && k < in->n_varied; k++) s->path[k] = in->varied[k].path;
  return rc;
}

// Digest of the model file and --set: of runs and certificates all of it counts, damping and
// scenarios, too, which the model's own digest leaves out.
static const char *digest_of(const mw_study_in *in, mw_arena *mem)
{
  char text[4096], hex[65];
  uint8_t digest[32];
  mw_sha256 sha;
  FILE *f = fopen(in->model, "rb");
  mw_sha256_init(&sha);
  for (size_t n; f && (n = fread(text, 1, sizeof text, f)) > 0;) mw_sha256_add(&sha, text, n);
  for (int k = 0; k < in->n_set; k++) mw_sha256_add(&sha, in->set[k], strlen(in->set[k]) + 1);
  if (f) (void)fclose(f);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  return mw_arena_printf(mem, "%s", hex);
}

// What the study is of, as the journal's first line.
static const char *head_of(const mw_study_in *in, const char *hash, mw_arena *mem)
{
  const char *head = mw_arena_printf(mem, "modeway study %s at %s, %d modes", hash,
                                     in->at ? in->at : "-", in->n_modes);
  const char *reach[] = { in->path, in->tool, in->limits.force, in->limits.speed,
                          in->limits.power };
  if (head && in->of != MW_OF_DEFAULT) head = mw_arena_printf(mem, "%s, of %u", head, in->of);
  if (head && in->only) head = mw_arena_printf(mem, "%s (%s)", head, in->only);
  if (head && in->of & (MW_OF_RUN | MW_OF_CERTIFICATE))
    head =
        mw_arena_printf(mem, "%s, %s by %s within %.17g, %s", head,
                        in->scenario ? in->scenario : "-", in->run, in->within, digest_of(in, mem));
  for (int k = 0; head && k < 5; k++)
    if (reach[k]) head = mw_arena_printf(mem, "%s, %s", head, reach[k]);
  if (head && in->design.kind != MW_DESIGN_GRID)
    head = mw_arena_printf(mem, "%s, design %d of %d, seed %llu", head, (int)in->design.kind,
                           in->design.n, in->design.seed);
  for (int k = 0; head && k < in->n_varied; k++)
    head = mw_arena_printf(mem, "%s %s=%.17g:%.17g:%d", head, in->varied[k].path, in->varied[k].lo,
                           in->varied[k].hi, in->varied[k].n);
  return head ? mw_arena_printf(mem, "%s\n", head) : NULL;
}

static mw_code run_study(const mw_study_in *in, mw_arena *mem, mw_study *out, mw_error *err)
{
  mw_case c;
  mw_found first = { 0 };
  mw_study s = { 0 };
  bool known = false;
  const mw_model_edit edit = { .n_set = in->n_set, .set = in->set };
  mw_code rc = mw_design_check(in, err);
  if (rc == MW_OK) rc = mw_case_read_edited(in->model, &edit, &c, err);
  if (rc != MW_OK) return rc;
  const char *hash = mw_arena_printf(mem, "%s", c.model.hash);
  const char *head = head_of(in, c.model.hash, mem),
             *title = mw_arena_printf(mem, "%s", c.model.name);
  mw_case_free(&c);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = evaluate(in, NULL, mem, &first, err);
  if (rc == MW_OK) rc = layout(in, &first, mem, &s, err);
  unsigned char *done = rc == MW_OK ? mw_arena_alloc(mem, (size_t)s.n_point, 1) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  s.title = title;
  s.hash = hash;
  s.n_found = read_journal(in->journal, head, &s, done, &known, mem);
  if (s.n_found < s.n_point) rc = run_workers(in, &s, done, head, known, err);
  if (rc == MW_OK && read_journal(in->journal, head, &s, done, &known, mem) + s.n_found < s.n_point)
    rc = mw_fail(err, MW_ERR_IO, (mw_at){ .file = in->journal }, "points are missing in it");
  for (int k = 0; k < s.n_point; k++) s.n_failed += s.reason[k] != NULL;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK && s.n_failed == s.n_point) {
    mw_study_done(in);
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "every point fails, the first with: %.200s",
                 s.reason[0]);
  }
  if (rc == MW_OK) *out = s;
  return rc;
}

mw_code mw_study_run(const mw_study_in *in, mw_arena *mem, mw_study *out, mw_error *err)
{
  mw_blas_threads before = mw_blas_serial();  // a process that forks has no threads of OpenMP
  mw_code rc = run_study(in, mem, out, err);
  mw_blas_restore(before);
  return rc;
}

void mw_study_done(const mw_study_in *in) { (void)remove(in->journal); }
