// SPDX-License-Identifier: BSD-3-Clause
// scaling_measure.c: runs of bench_scaling itself as a reduction, and the logs they leave.
#include "scaling_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"
#include "work/work_priv.h"

// ---- runs and logs ------------------------------------------------------------------------------

static bool read_log(const char *path, scaling_log *out)
{
  char line[512];
  int cap = 0;
  double cpu = 0.0;  // of the next unit, where the leader did it
  FILE *f = fopen(path, "r");
  *out = (scaling_log){ 0 };
  while (f && fgets(line, sizeof line, f)) {
    scaling_unit u;
    char name[24];
    double s;
    int calls;
    if (sscanf(line, "cpu %lf", &cpu) == 1) continue;
    if (sscanf(line, "stage %23s %lf %d", name, &s, &calls) == 3) {
      if (out->n_stage == SCALING_MAX_STAGE) continue;
      snprintf(out->stage[out->n_stage].name, sizeof name, "%s", name);
      out->stage[out->n_stage].s = s;
      out->stage[out->n_stage++].calls = calls;
    } else if (sscanf(line, "%47s %d %d %d %lf %lf %lf %lf %lf %lf %lf", u.list, &u.index, &u.kind,
                      &u.worker, &u.args, &u.result, &u.s, &u.send, &u.keep, &u.sent,
                      &u.back) == 11) {
      if (out->n == cap) {
        cap = cap ? 2 * cap : 256;
        scaling_unit *more = realloc(out->unit, (size_t)cap * sizeof *more);
        if (!more) break;
        out->unit = more;
      }
      u.cpu = cpu > 0.0 ? cpu : u.s;
      cpu = 0.0;
      out->unit[out->n++] = u;
    }
  }
  if (f) fclose(f);
  return out->n_stage > 0;
}

bool scaling_measure(const char *dir, const char *name, const char *what, scaling_how how,
                     scaling_log *out)
{
  char self[400], ranks[120] = "", command[2048], path[512];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) return false;
  self[n] = '\0';
  if (how.n_rank > 0)
    snprintf(ranks, sizeof ranks,
             "mpirun --allow-run-as-root --oversubscribe --bind-to none -n %d ", how.n_rank);
  snprintf(command, sizeof command,
           "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 %s'%s' %s '%s/%s.yaml' '%s/run' %d "
           "2> '%s/run.err'",
           ranks, self, what, dir, name, dir, how.n_worker, dir);
  int status = system(command);
  snprintf(path, sizeof path, "%s/run.log", dir);
  bool okay = status == 0 && read_log(path, out);
  if (!okay) fprintf(stderr, "bench_scaling: failed, see %s/run.err: %s\n", dir, command);
  return okay;
}

void scaling_log_free(scaling_log *l)
{
  free(l->unit);
  *l = (scaling_log){ 0 };
}

double scaling_stage(const scaling_log *l, const char *name)
{
  for (int k = 0; k < l->n_stage; k++)
    if (strcmp(l->stage[k].name, name) == 0) return l->stage[k].s;
  return 0.0;
}

// ---- durations ----------------------------------------------------------------------------------

static bool first_of_seat(const scaling_log *l, int u)
{
  for (int i = 0; i < u; i++)
    if (l->unit[i].kind == l->unit[u].kind && l->unit[i].worker == l->unit[u].worker) return false;
  return true;
}

int scaling_durations(const scaling_log *l, int kind, bool again, double *s)
{
  int n = 0;
  for (int u = 0; u < l->n; u++)
    if (l->unit[u].kind == kind && !(again && first_of_seat(l, u))) s[n++] = l->unit[u].cpu;
  return n;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double scaling_median(int n, const double *s)
{
  double *t = n > 0 ? malloc((size_t)n * sizeof *t) : NULL;
  if (!t) return 0.0;
  memcpy(t, s, (size_t)n * sizeof *t);
  qsort(t, (size_t)n, sizeof *t, ascending);
  double m = 0.5 * (t[n / 2] + t[(n - 1) / 2]);
  free(t);
  return m;
}

double scaling_mean(int n, const double *s)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += s[i];
  return n > 0 ? sum / n : 0.0;
}

// ---- the disk -----------------------------------------------------------------------------------

enum { FILES = 96, SMALL = 4096, LARGE = 1000000 };

// s a file of n bytes, written and read back (of the processor), and synced (on the clock)
static bool time_files(const char *dir, size_t n, double *put, double *sync, double *get)
{
  char folder[512];
  mw_store s;
  mw_head head = { 0 };
  mw_bytes b = { .p = malloc(n), .n = n }, c;
  int of[2];
  snprintf(folder, sizeof folder, "%s/disk.parts", dir);
  mw_work_opt opt = { .folder = folder, .context = "disk" };
  bool okay = b.p && mw_store_open(&opt, &s, NULL) == MW_OK;
  *put = *sync = *get = 0.0;
  if (!okay) {
    free(b.p);
    return false;
  }
  for (size_t i = 0; i < n; i++) b.p[i] = (unsigned char)(i * 2654435761u >> 13);
  for (int i = 0; okay && i < FILES; i++) {
    memcpy(head.name, &i, sizeof i);
    mw_store_digest(head.name, b, head.digest);
    clock_t cpu = clock();
    okay = mw_store_put(&s, &head, b, NULL) == MW_OK;
    *put += (double)(clock() - cpu) / CLOCKS_PER_SEC / FILES;
    if (s.n_unsynced < MW_STORE_UNSYNCED_MOST - 1 && i < FILES - 1) continue;
    double t = mw_wall_time();
    okay = okay && mw_store_sync(&s, NULL) == MW_OK;
    *sync += (mw_wall_time() - t) / FILES;
  }
  for (int i = 0; okay && i < FILES; i++) {
    memcpy(head.name, &i, sizeof i);
    clock_t cpu = clock();
    okay = mw_store_get(&s, head.name, &c, of);
    *get += (double)(clock() - cpu) / CLOCKS_PER_SEC / FILES;
    if (okay) free(c.p);
  }
  mw_store_remove(&s);
  mw_store_close(&s);
  free(b.p);
  return okay;
}

bool scaling_store(const char *dir, scaling_leader *out, double *digest_b)
{
  double put[2] = { 0.0 }, sync[2] = { 0.0 }, get[2] = { 0.0 }, more = LARGE - SMALL;
  bool okay = time_files(dir, SMALL, &put[0], &sync[0], &get[0]) &&
              time_files(dir, LARGE, &put[1], &sync[1], &get[1]);
  out->put = put[0];
  out->sync = sync[0];
  out->get = get[0];
  out->put_b = fmax(0.0, (put[1] - put[0]) / more);
  out->sync_b = fmax(0.0, (sync[1] - sync[0]) / more);
  out->get_b = fmax(0.0, (get[1] - get[0]) / more);
  unsigned char digest[MW_DIGEST], name[MW_DIGEST] = { 0 };
  mw_bytes b = { .p = calloc(16, LARGE), .n = 16 * (size_t)LARGE };
  clock_t cpu = clock();
  if (b.p) mw_store_digest(name, b, digest);
  *digest_b = (double)(clock() - cpu) / CLOCKS_PER_SEC / (double)b.n;
  free(b.p);
  return okay && b.p;
}
