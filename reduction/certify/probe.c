// SPDX-License-Identifier: BSD-3-Clause
// probe.c: errors of the interpolated model at points of θ, against the mechanism of projected
// bodies there.
//
//   frequency    largest |f_rom − f| / f of the modes wanted, over the tolerance
//   compliance   largest |F_rom − F0| of unit loads over F0, or a hundredth of the largest of their
//                kind where F0 is less
//                (a load over a support), over the tolerance
//   shape        1 - assurance, over the tolerance of shapes, where a sample has missed (axis -1):
//                shapes that turn into each other
//                follow the frequencies, and two intervals in a row are found by these
//   receptance   as in the certificate, over its own tolerance, where one is asked for
// The reduced model is taken in the eigenbasis of its K = V diag(w) Vᵀ: loads G = g V, F_rom = G
// diag(1/w) Gᵀ.
// Cost: a sample of the projected mechanism, some milliseconds, once; m³ a comparison.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "certificate_layer.h"
#include "pass_layer.h"
#include "reduction/certificate.h"
#include "work/offline_layer.h"

// The sample at theta with modes enough for what is compared; -1: there is none.
static int sample_at(const mw_adapt *a, const double *theta)
{
  const mw_reduction *r = a->r;
  for (int i = 0; i < a->n_sample; i++)
    if (memcmp(a->sample[i].theta, theta, (size_t)r->s * sizeof *theta) == 0 &&
        a->sample[i].k >= r->n_want && a->sample[i].n_mac >= r->n_want)
      return i;
  return -1;
}

typedef struct taking {  // samples that are not there yet
  const mw_reduction *r;
  mw_sample_in in;
  int n;
  const double **theta;  // [n]
  mw_sample *sample;     // [n]
  mw_arena *mem;         // [n]  of each
} taking;

static mw_code take_some(void *ctx, int from, int to, mw_error *err)
{
  const taking *t = ctx;
  mw_code rc = MW_OK;
  for (int i = from; rc == MW_OK && i < to; i++)
    rc = mw_sample_projected(t->r, &t->in, t->theta[i], &t->sample[i], &t->mem[i], err);
  return rc;
}

// at [n]: which samples are those of the probes; t: those of them that are not there yet, whose
// numbers come behind.
static void look_up(const mw_adapt *a, int n, const mw_probe *p, int *at, taking *t)
{
  size_t bytes = (size_t)a->r->s * sizeof *p->theta;
  for (int i = 0; i < n; i++) {
    at[i] = sample_at(a, p[i].theta);
    for (int k = 0; at[i] < 0 && k < t->n; k++)
      if (memcmp(t->theta[k], p[i].theta, bytes) == 0) at[i] = a->n_sample + k;
    if (at[i] >= 0) continue;
    at[i] = a->n_sample + t->n;
    t->theta[t->n++] = p[i].theta;
  }
}

static mw_code grow(mw_adapt *a, int n, mw_error *err)
{
  int cap = a->n_sample + n;
  if (cap <= a->cap_sample) return MW_OK;
  cap = cap > 2 * a->cap_sample ? cap : 2 * a->cap_sample;
  mw_sample *more = realloc(a->sample, (size_t)cap * sizeof *more);
  if (!more) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for %d probes", cap);
  a->sample = more;
  a->cap_sample = cap;
  return MW_OK;
}

// Samples of the projected mechanism at the probes, with modes enough for what is compared: those
// that are there, and new ones; at [n]: their numbers
static mw_code samples_at(mw_adapt *a, int n, const mw_probe *p, int *at, mw_error *err)
{
  mw_reduction *r = a->r;
  mw_arena tmp = { 0 };
  taking t = { .r = r, .in = mw_certificate_sample(r) };
  if (!(r->model->reduction.receptance > 0.0)) t.in.rest = INFINITY;  // none are asked for
  t.theta = mw_arena_alloc(&tmp, (size_t)n, sizeof *t.theta);
  t.mem = mw_arena_alloc(&tmp, (size_t)n, sizeof *t.mem);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) look_up(a, n, p, at, &t);
  if (rc == MW_OK && t.n > 0) rc = grow(a, t.n, err);
  mw_points of = { .n = t.n, .block = 1, .fn = take_some, .ctx = &t, .progress = r->progress };
  mw_progress_start(r->progress, "interpolation between grid points", t.n);
  t.sample = rc == MW_OK && t.n > 0 ? a->sample + a->n_sample : NULL;
  if (rc == MW_OK && t.n > 0) rc = mw_parallel_points(r->work, &of, err);
  mw_progress_end(r->progress);
  for (int i = 0; i < t.n; i++) mw_arena_take(&a->mem_sample, &t.mem[i]);
  if (rc == MW_OK) a->n_sample += t.n;
  mw_arena_free(&tmp);
  return rc;
}

void mw_probes_forget(mw_adapt *a)
{
  mw_arena_free(&a->mem_sample);
  free(a->sample);
  a->sample = NULL;
  a->n_sample = a->cap_sample = 0;
}

// ---- comparison ---------------------------------------------------------------------------------

typedef struct compare {
  const mw_reduction *r;
  const mw_tables *t;
  const mw_rom *rom;
  int n_io, n_freq;
  mw_unit_load *load;      // [n_io]
  unsigned char *skip;     // [n_io]
  double *largest;         // [n_load]  F0 of a load's kind over all probes
  double *value, *K, *V;   // fields; [m × m], [m × m]
  double *Psi, *AV, *mac;  // [m × n], [n_freq × m], [n_freq]
  double *w, *g, *G, *Gt;  // [m]; [n_io × m] on the columns, on K's eigenvectors; [m × n_io]
  mw_arena mem;
} compare;

static mw_code compare_init(compare *c, const mw_reduction *r, const mw_tables *t,
                            const mw_rom *rom, mw_error *err)
{
  size_t m = (size_t)rom->m;
  *c = (compare){
    .r = r, .t = t, .rom = rom, .n_io = mw_sample_unit_loads(r->mech, r->locked, NULL)
  };
  c->n_freq = r->n_want;
  size_t n = (size_t)c->n_io;
  c->load = mw_arena_alloc(&c->mem, n, sizeof *c->load);
  c->skip = mw_arena_alloc(&c->mem, n, 1);
  c->largest = mw_arena_f64(&c->mem, n + (size_t)r->s + 1);
  c->value = mw_arena_f64(&c->mem, (size_t)rom->n_field);
  c->K = mw_arena_f64(&c->mem, m * m);
  c->V = mw_arena_f64(&c->mem, m * m);
  c->w = mw_arena_f64(&c->mem, m);
  c->Psi = mw_arena_f64(&c->mem, m * (size_t)r->n);
  c->AV = mw_arena_f64(&c->mem, m * (size_t)r->n_want);
  c->mac = mw_arena_f64(&c->mem, (size_t)r->n_want);
  c->g = mw_arena_f64(&c->mem, n * m);
  c->G = mw_arena_f64(&c->mem, n * m);
  c->Gt = mw_arena_f64(&c->mem, n * m);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) (void)mw_sample_unit_loads(r->mech, r->locked, c->load);
  return rc;
}

// w, V, G at theta
static mw_code reduced_at(compare *c, const double *theta, mw_error *err)
{
  int m = c->rom->m;
  mw_rom_info info = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(c->rom));
  if (mw_rom_fields(c->rom, theta, c->value, NULL, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a probe lies outside the grid");
  for (int i = 0; i < m; i++)
    for (int j = 0; j <= i; j++)
      c->K[i * m + j] = c->K[j * m + i] = c->value[L.K + i * (i + 1) / 2 + j];
  // of the elastic machine, as the samples are: gravity's stiffness is taken out again
  mw_code rc = mw_gravity_stiffness(c->r, c->t, theta, c->V, err);
  for (int i = 0; rc == MW_OK && i < m; i++)
    for (int j = 0; j <= i; j++) {
      c->K[i * m + j] += c->V[i * (i + 1) / 2 + j];
      c->K[j * m + i] = c->K[i * m + j];
    }
  if (rc == MW_OK) rc = mw_eig_sym(m, c->K, c->w, c->V, err);
  if (rc == MW_OK && !(c->w[0] > 0.0))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the interpolated stiffness is not positive definite near %s = %g; more grid "
                 "points are needed",
                 c->r->model->reduction.coordinate[0].name, theta[0]);
  if (rc != MW_OK) return rc;
  for (int l = 0; l < c->n_io; l++)
    memcpy(c->g + l * m, c->value + L.y + c->load[l].field * (1 + m) + 1, (size_t)m * sizeof *c->g);
  if (c->n_io > 0) mw_gemm('n', 'n', c->n_io, m, m, 1.0, c->g, c->V, 0.0, c->G);
  for (int l = 0; l < c->n_io; l++)
    for (int t = 0; t < m; t++) c->Gt[t * c->n_io + l] = c->G[l * m + t];
  return MW_OK;
}

static double frequency_error(const compare *c, const mw_sample *z)
{
  double e = 0.0;
  for (int k = 0; k < c->n_freq; k++) {
    double d = fabs(sqrt(c->w[k] / z->lambda[k]) - 1.0);
    if (!(d <= e)) e = d;
  }
  return e;
}

static double compliance_error(const compare *c, const mw_sample *z)
{
  double e = 0.0;
  for (int l = 0; l < c->n_io; l++) {
    double f = 0.0, f0 = z->F0[l * z->n_load + l];
    for (int t = 0; t < c->rom->m; t++)
      f += c->Gt[t * c->n_io + l] * c->Gt[t * c->n_io + l] / c->w[t];
    double d = mw_compliance_error(f, f0, c->largest[l]);
    if (!(d <= e)) e = d;
  }
  return e;
}

static mw_code receptance_error(compare *c, const mw_sample *z, double *e, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_receptance direct, rom = { .n_io = c->n_io,
                                .n_term = c->rom->m,
                                .zeta = mw_sample_zeta(c->r->model),
                                .lambda = c->w,
                                .b = c->Gt };
  double end = c->r->model->reduction.band;
  if (!(end > 0.0)) end = sqrt(z->lambda[c->n_freq - 1]) / (2.0 * acos(-1.0));
  mw_receptance_negligible(z, c->largest, c->skip);
  mw_code rc = mw_receptance_of(z, rom.zeta, &direct, &tmp, err);
  if (rc == MW_OK) rc = mw_receptance_worst(&direct, &rom, c->skip, end, e, err);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code shape_error(compare *c, const mw_sample *z, double *e, mw_error *err)
{
  mw_code rc = mw_assurance(c->r, c->rom, z, c->n_freq, c->w, c->V, c->Psi, c->AV, c->mac, err);
  *e = 0.0;
  for (int k = 0; rc == MW_OK && k < c->n_freq; k++)
    if (!(1.0 - c->mac[k] <= *e)) *e = 1.0 - c->mac[k];
  return rc;
}

static mw_code compare_at(compare *c, const mw_sample *z, bool shapes, double e[MW_PROBE_KINDS],
                          mw_error *err)
{
  const mw_reduction_in *in = &c->r->model->reduction;
  mw_code rc = reduced_at(c, z->theta, err);
  if (rc != MW_OK) return rc;
  e[MW_PROBE_FREQUENCY] = frequency_error(c, z) / in->tolerance;
  e[MW_PROBE_COMPLIANCE] = compliance_error(c, z) / in->tolerance;
  e[MW_PROBE_RECEPTANCE] = e[MW_PROBE_SHAPE] = 0.0;
  if (shapes) rc = shape_error(c, z, &e[MW_PROBE_SHAPE], err);
  if (rc != MW_OK) return rc;
  e[MW_PROBE_SHAPE] /= mw_certificate_shape_tolerance(in->tolerance);
  if (!(in->receptance > 0.0) || c->n_io == 0 || c->n_freq == 0) return MW_OK;
  rc = receptance_error(c, z, &e[MW_PROBE_RECEPTANCE], err);
  e[MW_PROBE_RECEPTANCE] /= in->receptance;
  return rc;
}

mw_code mw_probes_eval(mw_adapt *a, const mw_rom_file *f, int n, mw_probe *p, mw_error *err)
{
  mw_reduction *r = a->r;
  compare c;
  mw_code rc = compare_init(&c, r, &a->made->tables, &f->rom, err);
  mw_sample *z = mw_arena_alloc(&c.mem, (size_t)n, sizeof *z);
  int *at = mw_arena_int(&c.mem, (size_t)n);
  if (rc == MW_OK) rc = mw_arena_check(&c.mem, err);
  if (rc == MW_OK) rc = samples_at(a, n, p, at, err);
  for (int i = 0; rc == MW_OK && i < n; i++) z[i] = a->sample[at[i]];
  if (rc == MW_OK) mw_receptance_largest(n, z, c.load, c.largest);
  for (int i = 0; rc == MW_OK && i < n; i++) rc = compare_at(&c, &z[i], p[i].axis < 0, p[i].e, err);
  mw_arena_free(&c.mem);
  return rc;
}
