// SPDX-License-Identifier: BSD-3-Clause
// motion.c: see motion.h.
//
// Small vibrations of the reduced model: with the rates held, δ0 solves acc(θ, δ0, θ̇, 0) = 0
// (Newton by mw_rom_jacobian), and
//   d/dt (δ, δ̇) = [ 0  1 ; ∂acc/∂δ  ∂acc/∂δ̇ ] (δ, δ̇)                                         (1)
// has the eigenvalues asked for. The model must not change with θ along the motion for (1) to be
// what vibrates.
#include "motion.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/reduce.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t, size_t);

// ---- rows ---------------------------------------------------------------------------------------

void motion_row(int *missed, double got, double limit, const char *format, ...)
{
  va_list list;
  char what[160];
  bool met = got <= limit;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  printf("%-72s %10.2e %10.1e  %s\n", what, got, limit, met ? "met" : "missed");
  fflush(stdout);
  if (!met) ++*missed;
}

void motion_note(double got, const char *format, ...)
{
  va_list list;
  char what[160];
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  printf("%-72s %10.4g\n", what, got);
  fflush(stdout);
}

// ---- models -------------------------------------------------------------------------------------

static char *read_text(const char *path)
{
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  char *text = n > 0 ? calloc((size_t)n + 1, 1) : NULL;
  if (text && fread(text, 1, (size_t)n, f) != (size_t)n) {
    free(text);
    text = NULL;
  }
  fclose(f);
  return text;
}

// text with every `from` replaced, in new memory; NULL where there is none.
static char *replaced(const char *text, const char *from, const char *to)
{
  size_t n = 0, len = strlen(from);
  for (const char *p = text; (p = strstr(p, from)) != NULL; p += len) n++;
  char *out = n > 0 ? calloc(strlen(text) + n * (strlen(to) + 1) + 1, 1) : NULL, *end = out;
  if (!out) return NULL;
  for (const char *p; (p = strstr(text, from)) != NULL; text = p + len) {
    memcpy(end, text, (size_t)(p - text));
    end += p - text;
    memcpy(end, to, strlen(to));
    end += strlen(to);
  }
  memcpy(end, text, strlen(text) + 1);
  return out;
}

bool motion_case(const char *name, const motion_swap *swap, motion *out)
{
  char path[512];
  *out = (motion){ 0 };
  snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, name);
  char *text = read_text(path);
  if (!text) fprintf(stderr, "%s cannot be read\n", path);
  for (; text && swap && swap->from; swap++) {
    char *next = replaced(text, swap->from, swap->to);
    if (!next) fprintf(stderr, "%s: there is no \"%s\"\n", name, swap->from);
    free(text);
    text = next;
  }
  bool good = text && mw_fixture_text(text, &out->f);
  free(text);
  return good;
}

bool motion_text(motion *out, const char *format, ...)
{
  enum { SIZE = 16384 };
  char *text = malloc(SIZE);
  va_list list;
  *out = (motion){ 0 };
  va_start(list, format);
  int n = text ? vsnprintf(text, SIZE, format, list) : -1;
  va_end(list);
  bool good = n >= 0 && n < SIZE && mw_fixture_text(text, &out->f);
  free(text);
  return good;
}

void motion_close(motion *m)
{
  mw_rom_file_free(&m->rom);
  mw_fixture_free(&m->f);
}

bool motion_reduce(motion *m)
{
  mw_error err = { 0 };
  return mw_fixture_okay(mw_reduce(&m->f.model, &m->f.mech, NULL, &m->rom, &err), &err);
}

mw_scenario *motion_scenario(motion *m, const char *name)
{
  for (int k = 0; k < m->f.model.n_scenario; k++)
    if (strcmp(m->f.model.scenario[k].name, name) == 0) return &m->f.model.scenario[k];
  fprintf(stderr, "there is no scenario %s\n", name);
  return NULL;
}

// Modes that damping.modal damps in the full and body paths: those the reduction asks for, as in
// `modeway simulate`.
static int modal(const motion *m)
{
  return m->f.model.modal > 0.0 ? m->f.model.reduction.n_modes : 0;
}

// Each elastic body on its Craig-Bampton basis.
static mw_code run_body(motion *m, const mw_scenario *sc, mw_run *out, mw_error *err)
{
  enum { MODES = 10 };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.n_modal = modal(m);
  mw_arena mem = { 0 };
  mw_mech mech;
  int n = m->f.model.n_body;
  mw_body *body = mw_arena_alloc(&mem, (size_t)n, sizeof *body);
  mw_code rc = mw_arena_check(&mem, err);
  for (int b = 0; rc == MW_OK && b < n; b++)
    rc = mw_body_basis(&m->f.body[b], MODES, false, &mem, &body[b], NULL, err);
  if (rc == MW_OK) rc = mw_mech_build(&m->f.model, body, &mem, &mech, err);
  if (rc == MW_OK) rc = mw_dae_run(&mech, sc, "body", &opt, NULL, out, err);
  mw_arena_free(&mem);
  return rc;
}

bool motion_run(motion *m, const mw_scenario *sc, const char *path, mw_run *out)
{
  mw_error err = { 0 };
  mw_code rc;
  mw_dae_opt opt = mw_dae_opt_default();
  opt.n_modal = modal(m);
  *out = (mw_run){ 0 };
  if (strcmp(path, "gmp") == 0)
    rc = mw_rom_run(&m->f.model, &m->f.mech, &m->rom, sc, NULL, NULL, out, &err);
  else if (strcmp(path, "rigid") == 0)
    rc = mw_rigid_run(&m->f.mech, sc, NULL, NULL, out, &err);
  else if (strcmp(path, "body") == 0)
    rc = run_body(m, sc, out, &err);
  else
    rc = mw_dae_run(&m->f.mech, sc, "full", &opt, NULL, out, &err);
  if (rc != MW_OK) fprintf(stderr, "%s, path %s: ", sc->name, path);
  return mw_fixture_okay(rc, &err);
}

// Largest distance between positions of two runs at their common instants.
static double apart(const mw_run *a, const mw_run *b)
{
  double e = 0.0;
  int n = a->n_t < b->n_t ? a->n_t : b->n_t;
  for (int i = 0; i < n; i++)
    for (int o = 0; o < a->n_out; o++) {
      double d = 0.0;
      for (int c = 0; c < 3; c++) {
        size_t k = (size_t)(i * a->n_out + o) * 3 + (size_t)c;
        d = hypot(d, a->y[k] - b->y[k]);
      }
      if (!(d <= e)) e = d;
    }
  return a->n_t == b->n_t ? e : NAN;
}

// Largest distance of the outputs from those of the undeformed mechanism at the run's own
// coordinates of theta.
static double deflection_of(const motion *m, const mw_run *run)
{
  const mw_mech *mech = &m->f.mech;
  const mw_reduction_in *in = &m->f.model.reduction;
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  size_t nc = (size_t)mech->n_coord;
  unsigned char *locked = mw_arena_alloc(&mem, nc, 1);
  double *p = mw_arena_f64(&mem, 12 * (size_t)mech->n_body), *s = mw_arena_f64(&mem, nc), e = 0.0;
  mw_code rc = mw_arena_check(&mem, &err);
  if (rc == MW_OK) memcpy(p, mech->p0, 12 * (size_t)mech->n_body * sizeof *p);
  if (rc == MW_OK) memcpy(s, mech->s0, nc * sizeof *s);
  for (int t = 0; rc == MW_OK && t < run->n_t; t++) {
    for (int i = 0; i < in->n_coordinate; i++) {
      int c = mech->joint[in->coordinate[i].joint].coord;
      locked[c] = 1;
    }
    rc = mw_mech_rigid_solve(mech, locked, run->s + (size_t)t * nc, p, s, &err);
    for (int o = 0; rc == MW_OK && o < run->n_out; o++) {
      const mw_output_in *out = &m->f.model.output[run->out[o]];
      const double *y = run->y + 3 * (size_t)(t * run->n_out + o);
      double x[3];
      mw_mech_point(mech, out->ref, out->x, p + 12 * out->ref.body, NULL, x, NULL, NULL);
      e = fmax(e, hypot(hypot(y[0] - x[0], y[1] - x[1]), y[2] - x[2]));
    }
  }
  mw_arena_free(&mem);
  return mw_fixture_okay(rc, &err) ? e : NAN;
}

double motion_difference(motion *m, const char *scenario, const char *path, const char *reference,
                         double *peak)
{
  const mw_scenario *sc = motion_scenario(m, scenario);
  mw_run run[2] = { 0 };
  bool good = sc && motion_run(m, sc, path, &run[0]) && motion_run(m, sc, reference, &run[1]);
  double deflection = good ? deflection_of(m, &run[1]) : NAN;
  double e = good ? apart(&run[0], &run[1]) / deflection : NAN;
  mw_run_free(&run[0]);
  mw_run_free(&run[1]);
  if (peak) *peak = deflection;
  return e;
}

int motion_input(const motion *m, const char *drive)
{
  for (int k = 0; k < m->rom.rom.n_u; k++)
    if (strcmp(m->rom.input[k], drive) == 0) return k;
  fprintf(stderr, "the reduced model has no input %s\n", drive);
  return 0;
}

// ---- references ---------------------------------------------------------------------------------

bool motion_read(const char *file, motion_table *out)
{
  char path[512], line[1024];
  bool header = false;
  *out = (motion_table){ 0 };
  snprintf(path, sizeof path, "%s/references/%s", MW_TESTS_DIR, file);
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f) && out->n < MOTION_ROWS) {
    if (line[0] == '#') continue;
    if (!header) {
      header = true;
      continue;
    }
    int n = 0;
    for (char *p = line, *end; n < MOTION_COLS; p = end + 1) {
      out->v[out->n][n++] = strtod(p, &end);
      if (end == p || *end != ',') break;
    }
    out->cols = n;
    out->n++;
  }
  if (f) fclose(f);
  if (out->n == 0) fprintf(stderr, "%s cannot be read\n", path);
  return out->n > 0;
}

// ---- small vibrations ---------------------------------------------------------------------------

typedef struct place {
  const mw_rom *rom;
  mw_rom_opt opt;
  const double *u;
  double *x, *acc, *acc_x, *acc_u, *A, *zero;
  int *piv;
  void *work;
  mw_arena mem;
} place;

static bool place_init(const mw_rom_file *f, const double *theta, const double *thd,
                       const double *u, place *p)
{
  const mw_rom *rom = &f->rom;
  size_t s = (size_t)rom->s, m = (size_t)rom->m, n = s + m;
  *p = (place){ .rom = rom, .opt = mw_rom_opt_default() };
  p->opt.inertia = f->inertia;
  p->opt.prescribed = (1u << s) - 1u;
  p->x = mw_arena_f64(&p->mem, 2 * n);
  p->acc = mw_arena_f64(&p->mem, n);
  p->acc_x = mw_arena_f64(&p->mem, 2 * n * n);
  p->acc_u = mw_arena_f64(&p->mem, n * (size_t)(rom->n_u + 1));
  p->A = mw_arena_f64(&p->mem, 4 * m * m);
  p->zero = mw_arena_f64(&p->mem, (size_t)(rom->n_u + 1));
  p->piv = mw_arena_int(&p->mem, 2 * m);
  p->work = mw_arena_alloc(&p->mem, mw_rom_sens_bytes(rom), 1);
  if (mw_arena_check(&p->mem, NULL) != MW_OK) return false;
  p->u = u ? u : p->zero;
  memcpy(p->x, theta, s * sizeof *theta);
  memcpy(p->x + n, thd, s * sizeof *thd);
  return mw_rom_static(rom, theta, p->u, p->x + s, p->work, NULL) == MW_ROM_OK;
}

static bool derive(place *p)
{
  return mw_rom_jacobian(
             &(mw_rom_call){ .rom = p->rom, .opt = &p->opt, .u = p->u, .work = p->work }, p->x,
             p->acc, p->acc_x, p->acc_u) == MW_ROM_OK;
}

// Newton steps to the steady motion; the derivatives are left there.
static bool settle(place *p)
{
  enum { STEPS = 20 };
  int s = p->rom->s, m = p->rom->m, n = s + m;
  mw_error err = { 0 };
  for (int k = 0; k < STEPS; k++) {
    double step = 0.0, size = 0.0;
    if (!derive(p)) return false;
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) p->A[a * m + b] = p->acc_x[(s + a) * 2 * n + s + b];
    if (mw_lu_factor(m, p->A, p->piv, &err) != MW_OK) return false;
    mw_lu_solve(m, p->A, p->piv, 1, p->acc + s);
    for (int a = 0; a < m; a++) {
      step += p->acc[s + a] * p->acc[s + a];
      p->x[s + a] -= p->acc[s + a];
      size += p->x[s + a] * p->x[s + a];
    }
    if (step <= 1e-24 * size) return derive(p);
  }
  return false;
}

static int ascending(const void *x, const void *y)
{
  double a = *(const double *)x, b = *(const double *)y;
  return a < b ? -1 : a > b;
}

// Imaginary parts above zero of the eigenvalues of (1).
static int roots(place *p, int max, double *omega)
{
  int s = p->rom->s, m = p->rom->m, n = s + m, n2 = 2 * m, one = 1, info = 0, found = 0;
  int lwork = 8 * n2;
  double *w = calloc((size_t)(2 * n2 + lwork), sizeof *w), none = 0.0;
  if (!w) return 0;
  memset(p->A, 0, (size_t)(n2 * n2) * sizeof *p->A);
  for (int a = 0; a < m; a++) {
    p->A[a * n2 + m + a] = 1.0;
    for (int b = 0; b < m; b++) {
      p->A[(m + a) * n2 + b] = p->acc_x[(s + a) * 2 * n + s + b];
      p->A[(m + a) * n2 + m + b] = p->acc_x[(s + a) * 2 * n + n + s + b];
    }
  }
  // the transpose has the same eigenvalues
  dgeev_("N", "N", &n2, p->A, &n2, w, w + n2, &none, &one, &none, &one, w + 2 * n2, &lwork, &info,
         1, 1);
  for (int k = 0; info == 0 && k < n2; k++)
    if (w[n2 + k] > 0.0) w[found++] = w[n2 + k];
  qsort(w, (size_t)found, sizeof *w, ascending);
  if (found > max) found = max;
  memcpy(omega, w, (size_t)found * sizeof *w);
  free(w);
  return found;
}

int motion_vibrations(const mw_rom_file *f, const double *theta, const double *thd, const double *u,
                      int max, double *omega)
{
  place p;
  int n = place_init(f, theta, thd, u, &p) && settle(&p) ? roots(&p, max, omega) : 0;
  if (n == 0) fprintf(stderr, "the reduced model has no steady motion here\n");
  mw_arena_free(&p.mem);
  return n;
}

// ---- vibrations in a run ------------------------------------------------------------------------

// Least squares with the columns 1, cos, sin of omega, and where `slopes` is set those of the
// amplitudes times t as well: c gets the coefficients, the rms of the rest is returned.
static double project(int n, double h, const double *y, int n_f, const double *omega,
                      const double *slope, double *c)
{
  int cols = 1 + (slope ? 3 : 2) * n_f, rank = 0;
  double *A = calloc((size_t)n * (size_t)cols, sizeof *A), rest = 0.0;
  double *B = calloc((size_t)n * (size_t)cols, sizeof *B);
  mw_error err = { 0 };
  for (int i = 0; A && B && i < n; i++) {
    double *row = A + (size_t)i * (size_t)cols, t = (i - 0.5 * (n - 1)) * h;
    row[0] = 1.0;
    for (int k = 0; k < n_f; k++) {
      row[1 + 2 * k] = cos(omega[k] * t);
      row[2 + 2 * k] = sin(omega[k] * t);
      // derivative of the vibration by its frequency
      if (slope)
        row[1 + 2 * n_f + k] =
            t * (slope[2 + 2 * k] * cos(omega[k] * t) - slope[1 + 2 * k] * sin(omega[k] * t));
    }
  }
  bool good = A && B;
  if (good) memcpy(B, A, (size_t)n * (size_t)cols * sizeof *A);
  good = good && mw_lstsq(n, cols, A, y, 1e-13, c, &rank, &err) == MW_OK;
  for (int i = 0; good && i < n; i++) {
    double r = y[i];
    for (int k = 0; k < cols; k++) r -= B[(size_t)i * (size_t)cols + (size_t)k] * c[k];
    rest += r * r;
  }
  free(A);
  free(B);
  return good ? sqrt(rest / n) : NAN;
}

double motion_fit(int n, double h, const double *y, int n_f, double *omega)
{
  enum { MAX_F = 8, STEPS = 30 };
  double c[1 + 3 * MAX_F], d[1 + 3 * MAX_F], rms = 0.0, rest = NAN;
  if (n_f > MAX_F) return NAN;
  for (int i = 0; i < n; i++) rms += y[i] * y[i] / n;
  for (int k = 0; k < STEPS; k++) {
    double step = 0.0;
    rest = project(n, h, y, n_f, omega, NULL, c);
    if (isnan(project(n, h, y, n_f, omega, c, d))) return NAN;
    for (int j = 0; j < n_f; j++) {
      omega[j] += d[1 + 2 * n_f + j];
      step = fmax(step, fabs(d[1 + 2 * n_f + j] / omega[j]));
    }
    if (step < 1e-10) break;
  }
  return rest / sqrt(rms);
}
