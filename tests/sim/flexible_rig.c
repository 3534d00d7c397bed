// SPDX-License-Identifier: BSD-3-Clause
// flexible_rig.c: components by reduced models in this process, beside the machines they are of.
#include "flexible_rig.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dense.h"
#include "mw_test.h"

void rig_place(mw_flexible *c, const double *z, double *q)
{
  mw_component_body b;
  for (int k = 0; k < c->size.n_frame; k++) {
    mw_flexible_calls.body(c, k, &b);
    memcpy(q + 12 * k, b.p, sizeof b.p);
  }
  for (int i = 0; i < c->n; i++) q[12 * (c->size.state0 + i / 3) + i % 3] = z[i];
  (void)mw_flexible_load(c, 0.0, q, NULL);
  for (int k = 0; k < c->text.n_seen; k++) mw_flexible_place(c, k, q + 12 * k);
}

bool rig_frequencies(int n, const double *x0, const double *h, rig_accelerate_fn *f, void *ctx,
                     int n_hz, double *hz)
{
  double x[RIG_STATES], up[RIG_STATES], down[RIG_STATES], A[RIG_STATES * RIG_STATES],
      re[RIG_STATES], im[RIG_STATES];
  mw_error err = { 0 };
  if (!MW_CHECK(n <= RIG_STATES)) return false;
  memcpy(x, x0, (size_t)n * sizeof *x);
  for (int j = 0; j < n; j++) {
    x[j] = x0[j] + h[j];
    if (!f(ctx, x, up)) return false;
    x[j] = x0[j] - h[j];
    if (!f(ctx, x, down)) return false;
    x[j] = x0[j];
    for (int i = 0; i < n; i++) A[i * n + j] = (down[i] - up[i]) / (2.0 * h[j]);
  }
  if (!MW_OKAY(mw_eig_any(n, A, re, im, &err))) return false;
  for (int k = 0; k < n_hz; k++) {
    int least = 0;
    for (int i = 1; i < n; i++)
      if (re[i] < re[least]) least = i;
    hz[k] = sqrt(re[least]) / (2.0 * acos(-1.0));
    re[least] = INFINITY;
  }
  return true;
}

// ---- files --------------------------------------------------------------------------------------

static char folder[64];
static mw_arena paths;

bool rig_open(const char *suite)
{
  snprintf(folder, sizeof folder, "/tmp/test_%s.%ld", suite, (long)getpid());
  return mkdir(folder, 0700) == 0;
}

void rig_close(void)
{
  DIR *d = opendir(folder);
  for (const struct dirent *e = NULL; d && (e = readdir(d));)
    if (e->d_name[0] != '.') remove(rig_path(e->d_name));
  if (d) closedir(d);
  rmdir(folder);
  mw_arena_free(&paths);
}

const char *rig_path(const char *name)
{
  const char *p = mw_arena_printf(&paths, "%s/%s", folder, name);
  return p ? p : "";
}

bool rig_put(const char *name, const char *text)
{
  return MW_CHECK(text && mw_test_write(rig_path(name), text, strlen(text)));
}

char *rig_text(const char *path, mw_arena *mem)
{
  enum { MOST = 1 << 14 };
  char *t = mw_arena_alloc(mem, MOST, 1);
  FILE *f = fopen(path, "r");
  if (MW_CHECK(t && f)) MW_CHECK(fread(t, 1, MOST - 1, f) > 0);
  if (f) fclose(f);
  return t;
}

bool rig_run(const char *path, const char *how, const mw_rom_file *rom, mw_run *r)
{
  mw_error err = { 0 };
  mw_case c = { .body = NULL };
  mw_path_opt opt = { .rom = rom };
  if (!MW_OKAY(mw_case_read(path, &c, &err))) return false;
  bool fine = MW_OKAY(mw_path_run(&c, &c.model.scenario[0], how, &opt, r, &err));
  mw_case_free(&c);
  return fine;
}

double rig_apart(const mw_run *a, const mw_run *b)
{
  double most = 0.0;
  if (!MW_CHECK(a->n_t == b->n_t && a->n_out == 1 && b->n_out == 1)) return (double)NAN;
  for (int i = 0; i < 3 * a->n_t; i++) most = fmax(most, fabs(a->y[i] - b->y[i]));
  return most;
}
