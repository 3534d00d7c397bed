// SPDX-License-Identifier: BSD-3-Clause
// bench_substructure.c: a mechanism on its bodies' bases against the same one on its meshes, at 20
// random θ.
//
//   bench_substructure [--tolerance T] [MODEL.yaml ...]
//
// default: cases/gantry.yaml, and a positioner whose bed of hexahedra has about 15,000 unknowns,
// both at the bodies' default tolerance; the band is chosen as modeway reduce chooses it
// (reduce.c). Printed, each the largest over θ and relative:
//   frequencies  |f_sub/f − 1| of the modes wanted
//   compliance   1 − f·x_sub / f·x of static patterns: unit loads, inertia, gravity. It is the
//                square of the shape's error in
//                the K-norm (Galerkin: |x − x_sub|_K² = f·x − f·x_sub), which stands beside it
//   shape        |x − T x_sub|_M / |x|_M of the same; T is single precision: not below some 1e-7
//   receptance   between all unit loads: (a) damped, in the certificate's measure (certificate.h),
//                240 frequencies from 0 to
//                the highest mode wanted, same number of modes and moments of the rest in both; (b)
//                  undamped, by factoring
//                K − ω²M of the mesh and of the bases at 8 frequencies, nothing truncated; same
//                  measure, E of (a), those left
//                out at which a mode is within its half-width
// and, for each body, columns and what its basis says it leaves out. Judged (exit status 1):
// frequencies, compliances, receptances within 1e-6. A peak displaced by df errs by df/(ζ f), fifty
// times its frequency at ζ = 0.02: the damped receptance is what decides (positioner: 3e-7 with
// frequencies right to 6e-9).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/blas.h"
#include "base/dense.h"
#include "fixture.h"
#include "positioner.h"
#include "sample/receptance_layer.h"
#include "work/offline_layer.h"

enum { N_THETA = 20, N_HZ = 240, N_SHIFT = 8, EXTRA = 6, MODES_DEFAULT = 12 };
static const double LIMIT = 1e-6, BAND = 1.25, TWO_PI = 6.283185307179586;

typedef struct worst {  // largest relative errors so far
  double frequency, compliance, shape, damped, undamped;
} worst;

typedef struct pair {  // the mechanism twice: [0] mesh, [1] bases
  mw_fixture f;
  mw_offline *z;
  const mw_mech *mech[2];
  mw_blocks *bl[2], *shifted[2][N_SHIFT];
  mw_bases *bases;
  int n_want;
  double top;             // rad/s, highest mode wanted
  double omega[N_SHIFT];  // rad/s
} pair;

static double larger(double a, double b) { return b <= a ? a : b; }  // b, too, if it is no number

// ---- both mechanisms ----------------------------------------------------------------------------

static mw_code random_theta(const pair *p, unsigned *seed, mw_arena *mem, mw_config *q,
                            mw_error *err)
{
  const mw_reduction_in *in = &p->f.model.reduction;
  double theta[MW_ROM_MAX_S];
  for (int i = 0; i < p->z->s; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    theta[i] = in->coordinate[i].lo +
               (in->coordinate[i].hi - in->coordinate[i].lo) * ((*seed >> 8) / 16777216.0);
  }
  return mw_config_at(&p->f.mech, p->z->locked, p->z->s, p->z->coord, theta, NULL, mem, q, err);
}

// Largest of the first k frequencies at three θ, on rough bases (rad/s).
static mw_code highest(pair *p, int k, double *omega, mw_error *err)
{
  mw_bases *b = NULL;
  mw_arena mem = { 0 };
  unsigned seed = 7;
  mw_code rc = mw_offline_bases(p->z, (mw_band){ .rough = true }, &b, err);
  *omega = 0.0;
  for (int i = 0; rc == MW_OK && i < 3; i++) {
    mw_config q;
    mw_system *sys = NULL;
    double *lambda = mw_arena_f64(&mem, (size_t)k),
           *X = mw_arena_f64(&mem, (size_t)k * (size_t)mw_blocks_size(b->blocks));
    rc = random_theta(p, &seed, &mem, &q, err);
    if (rc == MW_OK) rc = mw_arena_check(&mem, err);
    if (rc == MW_OK) rc = mw_system_build(b->blocks, p->z->locked, false, q.p, q.s, &sys, err);
    if (rc == MW_OK) rc = mw_system_modes(sys, k, lambda, X, err);
    if (rc == MW_OK) *omega = fmax(*omega, sqrt(lambda[k - 1]));
    mw_system_free(sys);
  }
  mw_arena_free(&mem);
  return rc;
}

static mw_code open_pair(const char *path, double tolerance, pair *p, mw_error *err)
{
  *p = (pair){ 0 };
  if (!mw_fixture_file(path, &p->f)) return MW_ERR_INPUT;
  const mw_reduction_in *in = &p->f.model.reduction;
  double top = 0.0;
  p->n_want = in->n_modes > 0 ? in->n_modes : MODES_DEFAULT;
  mw_code rc = mw_offline_init(&p->f.model, &p->f.mech, NULL, &p->z, err);
  if (rc == MW_OK) rc = highest(p, p->n_want + EXTRA, &top, err);
  if (rc == MW_OK) rc = highest(p, p->n_want, &p->top, err);
  mw_band band = { .band = in->body_band > 0.0 ? TWO_PI * in->body_band : BAND * top,
                   .tolerance = tolerance > 0.0 ? tolerance : in->body_tolerance };
  if (rc == MW_OK) rc = mw_offline_bases(p->z, band, &p->bases, err);
  if (rc == MW_OK) rc = mw_offline_direct(p->z, &p->bl[0], err);
  if (rc != MW_OK) return rc;
  p->bl[1] = p->bases->blocks;
  p->mech[0] = &p->f.mech;
  p->mech[1] = &p->bases->mech;
  for (int i = 0; rc == MW_OK && i < N_SHIFT; i++) {
    p->omega[i] = p->top * (i + 0.5) / N_SHIFT;
    for (int k = 0; rc == MW_OK && k < 2; k++)
      rc = mw_blocks_build(p->mech[k], p->omega[i] * p->omega[i], true, &p->shifted[k][i], err);
  }
  printf("  bodies right to %.0f Hz but for %.0e; modes wanted: %d, to %.0f Hz\n",
         band.band / TWO_PI, band.tolerance, p->n_want, p->top / TWO_PI);
  for (int b = 0; b < p->f.mech.n_body; b++) {
    const mw_basis *s = &p->bases->basis[b];
    if (s->n_u > 0)
      printf("  %-12s %6d unknowns, %d loads: %d rigid, %d modes, %d patterns; says %.1e is left\n",
             p->f.mech.body[b].name, s->n_u, p->f.mech.body[b].n_z, s->n_rigid, s->n_mode,
             s->n_pattern, s->left);
  }
  return rc;
}

static void close_pair(pair *p)
{
  for (int i = 0; i < N_SHIFT; i++)
    for (int k = 0; k < 2; k++) mw_blocks_free(p->shifted[k][i]);
  mw_offline_free(p->z);
  mw_fixture_free(&p->f);
}

// ---- comparison ---------------------------------------------------------------------------------

// x [n of the mesh] := T x_sub
static void expand(const pair *p, const double *x_sub, double *x)
{
  for (int b = 0; b < p->f.mech.n_body; b++) {
    const mw_body *body = &p->f.mech.body[b];
    const mw_basis *s = &p->bases->basis[b];
    int o = mw_blocks_offset(p->bl[0], b), os = mw_blocks_offset(p->bl[1], b);
    if (body->n_u == 0 && !body->ground) memcpy(x + o, x_sub + os, 6 * sizeof *x);
    for (int i = 0; i < body->n_u; i++) x[o + i] = 0.0;
    for (int c = 0; body->n_u > 0 && c < s->r; c++) {
      const float *t = s->T + (size_t)c * (size_t)s->n_u;
      for (int i = 0; i < body->n_u; i++) x[o + i] += (double)t[i] * x_sub[os + c];
    }
  }
}

// All loads of a sample as vectors: unit loads, inertia, gravity; F [n_load × n]
static mw_code loads(const pair *p, mw_system *sys, const mw_config *q, int n_io, double *F,
                     mw_arena *mem, mw_error *err)
{
  const mw_model *m = &p->f.model;
  const mw_mech *mech = &p->f.mech;
  size_t n = (size_t)mw_blocks_size(mw_system_blocks(sys));
  mw_unit_load *list = mw_arena_alloc(mem, (size_t)n_io + 1, sizeof *list);
  double *x = mw_arena_f64(mem, n), none[3] = { 0.0 };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  (void)mw_sample_unit_loads(mech, p->z->locked, list);
  for (int l = 0; l < n_io; l++, F += n) {
    const mw_unit_load *u = &list[l];
    const double e[3] = { u->axis == 0, u->axis == 1, u->axis == 2 };
    if (u->output >= 0)
      mw_system_load_point(sys, m->output[u->output].ref, m->output[u->output].x, e, F);
    else if (u->coord >= 0)
      mw_system_load_coord(sys, u->coord, F);
    else
      mw_system_load_point(sys, m->drive[u->drive].on, none, m->drive[u->drive].dir, F);
  }
  for (int i = 0; i < p->z->s; i++, F += n) {
    mw_system_rigid(sys, q->v + 6 * (size_t)mech->n_body * (size_t)i, x);
    mw_system_mul_M(sys, x, F);
  }
  mw_system_load_rest(sys, F);
  return MW_OK;
}

// Responses X[k] [n_load × n_k] of mesh and bases to all loads, and W[k] [n_load × n_load] their
// work.
static mw_code responses(const pair *p, mw_system *const sys[2], const mw_config *q, int n_io,
                         double *X[2], double *W[2], mw_arena *mem, mw_error *err)
{
  mw_code rc = MW_OK;
  int nl = n_io + p->z->s + 1;
  for (int k = 0; rc == MW_OK && k < 2; k++) {
    int n = mw_blocks_size(mw_system_blocks(sys[k]));
    double *F = mw_arena_f64(mem, (size_t)nl * (size_t)n);
    X[k] = mw_arena_f64(mem, (size_t)nl * (size_t)n);
    W[k] = mw_arena_f64(mem, (size_t)nl * (size_t)nl);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = loads(p, sys[k], q, n_io, F, mem, err);
    if (rc == MW_OK) rc = mw_system_solve_many(sys[k], nl, F, X[k], err);
    if (rc == MW_OK) mw_gemm('n', 't', nl, nl, n, 1.0, F, X[k], 0.0, W[k]);
  }
  return rc;
}

// Loads that do next to nothing beside those of their kind.
static mw_code negligible(const pair *p, const mw_sample *s, unsigned char *skip, mw_arena *mem,
                          mw_error *err)
{
  mw_unit_load *list = mw_arena_alloc(mem, (size_t)s->n_io + 1, sizeof *list);
  double *largest = mw_arena_f64(mem, (size_t)s->n_load);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  (void)mw_sample_unit_loads(&p->f.mech, p->z->locked, list);
  mw_receptance_largest(1, s, list, largest);
  mw_receptance_negligible(s, largest, skip);
  return MW_OK;
}

static mw_code statics(const pair *p, mw_system *const sys[2], const mw_config *q, int n_io,
                       const unsigned char *skip, worst *w, mw_error *err)
{
  mw_arena mem = { 0 };
  double *X[2], *W[2];
  int nl = n_io + p->z->s + 1;
  size_t n = (size_t)mw_blocks_size(p->bl[0]);
  double *x = mw_arena_f64(&mem, n), *Mx = mw_arena_f64(&mem, n);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = responses(p, sys, q, n_io, X, W, &mem, err);
  for (int l = 0; rc == MW_OK && l < nl; l++) {
    const double *full = X[0] + (size_t)l * n;
    double f = W[0][l * nl + l];
    if (!(f > 0.0) || (l < n_io && skip[l])) continue;
    w->compliance = larger(w->compliance, fabs(W[1][l * nl + l] / f - 1.0));
    expand(p, X[1] + (size_t)l * (size_t)mw_blocks_size(p->bl[1]), x);
    mw_system_mul_M(sys[0], full, Mx);
    double whole = mw_dot((int)n, full, Mx);
    mw_axpy((int)n, -1.0, full, x);
    mw_system_mul_M(sys[0], x, Mx);
    if (whole > 0.0) w->shape = larger(w->shape, sqrt(mw_dot((int)n, x, Mx) / whole));
  }
  mw_arena_free(&mem);
  return rc;
}

// (b): |H_sub − H| over √(E_ii E_jj), E of the damped sample
static mw_code undamped(const pair *p, const mw_config *q, const mw_sample *s,
                        const mw_receptance *h, const unsigned char *skip, double zeta, worst *w,
                        mw_error *err)
{
  mw_code rc = MW_OK;
  int n_io = s->n_io, nl = s->n_load;
  for (int i = 0; rc == MW_OK && i < N_SHIFT; i++) {
    double o = p->omega[i], hz = o / TWO_PI, *X[2], *W[2];
    mw_system *sys[2] = { NULL, NULL };
    bool near = false;
    for (int k = 0; k < s->k; k++) near = near || fabs(sqrt(s->lambda[k]) / o - 1.0) < zeta;
    if (near) continue;
    mw_arena mem = { 0 };
    double *H = mw_arena_f64(&mem, (size_t)n_io * ((size_t)n_io + 1)),
           *E = mw_arena_f64(&mem, (size_t)n_io);
    rc = mw_arena_check(&mem, err);
    for (int k = 0; rc == MW_OK && k < 2; k++)
      rc = mw_system_build(p->shifted[k][i], p->z->locked, false, q->p, q->s, &sys[k], err);
    if (rc == MW_OK) rc = responses(p, sys, q, n_io, X, W, &mem, err);
    if (rc == MW_OK) rc = mw_receptance_eval(h, 1, &hz, H, E, err);
    for (int a = 0; rc == MW_OK && a < n_io; a++)
      for (int b = 0; b < n_io; b++)
        if (!skip[a] && !skip[b])
          w->undamped =
              larger(w->undamped, fabs(W[1][a * nl + b] - W[0][a * nl + b]) / sqrt(E[a] * E[b]));
    for (int k = 0; k < 2; k++) mw_system_free(sys[k]);
    mw_arena_free(&mem);
  }
  return rc;
}

static mw_code compare(const pair *p, mw_system *const sys[2], const mw_config *q, worst *w,
                       mw_error *err)
{
  mw_arena mem = { 0 };
  mw_sample s[2];
  memset(s, 0, sizeof s);
  mw_receptance h[2];
  double zeta = mw_sample_zeta(&p->f.model), hz[N_HZ];
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < 2;
       k++) {  // both with as many modes as the mesh's sample needs
    mw_sample_in in = { .mech = p->mech[k],
                        .locked = p->z->locked,
                        .s = p->z->s,
                        .q = q,
                        .k = p->n_want,
                        .first = s[0].k,
                        .band = p->top / TWO_PI,
                        .rest = k == 0 ? 1e-3 : 1e9 };
    rc = mw_sample_build(sys[k], &in, &s[k], &mem, err);
  }
  unsigned char *skip = mw_arena_alloc(&mem, (size_t)s[0].n_io + 1, 1);
  double *error = mw_arena_f64(&mem, (size_t)s[0].n_io * N_HZ);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = negligible(p, &s[0], skip, &mem, err);
  for (int k = 0; rc == MW_OK && k < p->n_want; k++)
    w->frequency = larger(w->frequency, fabs(sqrt(s[1].lambda[k] / s[0].lambda[k]) - 1.0));
  for (int i = 0; i < N_HZ; i++) hz[i] = p->top / TWO_PI * (i + 1) / N_HZ;
  for (int k = 0; rc == MW_OK && k < 2; k++) rc = mw_receptance_of(&s[k], zeta, &h[k], &mem, err);
  if (rc == MW_OK) rc = mw_receptance_compare(&h[0], &h[1], skip, N_HZ, hz, error, err);
  for (int i = 0; rc == MW_OK && i < s[0].n_io * N_HZ; i++) w->damped = larger(w->damped, error[i]);
  if (rc == MW_OK) rc = undamped(p, q, &s[0], &h[0], skip, zeta, w, err);
  if (rc == MW_OK) rc = statics(p, sys, q, s[0].n_io, skip, w, err);
  mw_arena_free(&mem);
  return rc;
}

static bool judge(const char *path, double tolerance)
{
  pair p;
  mw_error err = { 0 };
  worst w = { 0 };
  unsigned seed = 20240229;
  printf("%s\n", path);
  mw_code rc = open_pair(path, tolerance, &p, &err);
  for (int t = 0; rc == MW_OK && t < N_THETA; t++) {
    mw_arena mem = { 0 };
    mw_config q;
    mw_system *sys[2] = { NULL, NULL };
    rc = random_theta(&p, &seed, &mem, &q, &err);
    for (int k = 0; rc == MW_OK && k < 2; k++)
      rc = mw_system_build(p.bl[k], p.z->locked, false, q.p, q.s, &sys[k], &err);
    if (rc == MW_OK) rc = compare(&p, sys, &q, &w, &err);
    for (int k = 0; k < 2; k++) mw_system_free(sys[k]);
    mw_arena_free(&mem);
  }
  close_pair(&p);
  if (rc != MW_OK) return err.msg[0] ? mw_fixture_okay(rc, &err) : false;
  bool good =
      w.frequency <= LIMIT && w.compliance <= LIMIT && w.damped <= LIMIT && w.undamped <= LIMIT;
  printf("  %d configurations, limit %.0e: frequencies %.1e, compliance %.1e (K-norm of the shape "
         "%.1e), receptance damped %.1e, undamped %.1e: %s\n  not judged: shape in M-norm %.1e\n",
         N_THETA, LIMIT, w.frequency, w.compliance, sqrt(w.compliance), w.damped, w.undamped,
         good ? "good" : "BAD", w.shape);
  return good;
}

int main(int argc, char **argv)
{
  mw_blas_start(argv);
  bool good = true, any = false;
  double tolerance = 0.0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--tolerance") == 0 && i + 1 < argc)
      tolerance = strtod(argv[++i], NULL);
    else
      good = judge(argv[i], tolerance) && good, any = true;
  }
  if (any) return good ? 0 : 1;
  char dir[] = "/tmp/modeway_substructure_XXXXXX", path[256], inp[256];
  long unknowns;
  good = judge(MW_CASES_DIR "/gantry.yaml", tolerance);
  if (!mkdtemp(dir)) return 1;
  snprintf(path, sizeof path, "%s/positioner.yaml", dir);
  snprintf(inp, sizeof inp, "%s/positioner.inp", dir);
  good = positioner_write(dir, "positioner", 15000.0, 9, MODES_DEFAULT, 1, "", &unknowns) &&
         judge(path, tolerance) && good;
  unlink(path);
  unlink(inp);
  rmdir(dir);
  return good ? 0 : 1;
}
