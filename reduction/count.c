// SPDX-License-Identifier: BSD-3-Clause
// count.c: how many modes a reduced model needs, by the receptances between its unit loads.
//
// With m modes and the static solutions of some loads a reduced model is Galerkin's on span{φ_1 …
// φ_m, K⁻¹f_p}. All it needs is in a sample: φᵀKφ = λ, φ_iᵀf = B_i, and of what the modes leave of
// the static solutions, x_p = K⁻¹f_p − Σ φ B/λ,
//   x_pᵀK x_q = x_pᵀ f_q = F0 − Σ_{t<=m} B Bᵀ/λ_t = R0 ,
//       x_pᵀM x_q = F1 − Σ_{t<=m} B Bᵀ/λ_t² = R1      (1)
// orthogonal to the modes, so that its own modes are terms beside them:
//   R0 = U r Uᵀ ,  S = (U/√r)ᵀ R1 (U/√r) = V ν Vᵀ ,  λ_j = 1/ν_j ,
//       b_j = R0_{·p} (U/√r) V / √ν_j      (2)
// Receptances of both by their terms (receptance.c), errors as in romfile.h. m is the least with
// all larger ones within the tolerance at all samples; more where λ_{m+1} is as good as λ_m. Cost:
// m × (n_load³ + 4 terms × pairs a frequency).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "pass_layer.h"

static const double CLUSTER = 5e-3;    // of an eigenvalue to the next: alike, and not to be cut
static const double ROUNDING = 1e-11;  // of a pattern's energy: what is below has no direction
enum { EQUIDISTANT = 200, SAMPLES = 3 };

// ---- Galerkin's model ---------------------------------------------------------------------------

typedef struct galerkin {
  const mw_sample *z;
  int n_p, *load;                         // [n_p]  loads with patterns
  double *R0, *R1, *Rio, *U, *T, *S, *V;  // [n_p × n_p]; Rio [n_io × n_p]
  double *r, *nu, *d;                     // [n_p]  d: 1/√F0 of a pattern
  mw_arena mem;
} galerkin;

static mw_code galerkin_init(galerkin *w, const mw_sample *z, const unsigned char *pattern,
                             mw_error *err)
{
  size_t n = (size_t)z->n_load;
  *w = (galerkin){ .z = z };
  w->load = mw_arena_int(&w->mem, n);
  double **square[7] = { &w->R0, &w->R1, &w->Rio, &w->U, &w->T, &w->S, &w->V };
  for (int i = 0; i < 7; i++) *square[i] = mw_arena_f64(&w->mem, n * n);
  w->r = mw_arena_f64(&w->mem, n);
  w->nu = mw_arena_f64(&w->mem, n);
  w->d = mw_arena_f64(&w->mem, n);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int l = 0; rc == MW_OK && l < z->n_load; l++) {
    double f = z->F0[l * z->n_load + l];
    if (!pattern[l] || !(f > 0.0)) continue;
    w->d[w->n_p] = 1.0 / sqrt(f);
    w->load[w->n_p++] = l;
  }
  return rc;
}

// (1) between loads a and b
static void rest(const mw_sample *z, int m, int a, int b, double *r0, double *r1)
{
  *r0 = z->F0[a * z->n_load + b];
  *r1 = z->F1[a * z->n_load + b];
  for (int t = 0; t < m; t++) {
    double bb = z->B[t * z->n_load + a] * z->B[t * z->n_load + b] / z->lambda[t];
    *r0 -= bb;
    *r1 -= bb / z->lambda[t];
  }
}

// (1) scaled, then its eigenvectors above rounding: U/√r in the first columns of U, as many as it
// returns
static mw_code directions(galerkin *w, int m, int *rank, mw_error *err)
{
  int n = w->n_p, first = 0;
  double r1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double scale = w->d[i] * w->d[j];
      rest(w->z, m, w->load[i], w->load[j], &w->R0[i * n + j], &r1);
      w->R0[j * n + i] = w->R0[i * n + j] *= scale;
      w->R1[j * n + i] = w->R1[i * n + j] = scale * r1;
    }
  for (int i = 0; i < w->z->n_io; i++)
    for (int j = 0; j < n; j++) {
      rest(w->z, m, i, w->load[j], &w->Rio[i * n + j], &r1);
      w->Rio[i * n + j] *= w->d[j];
    }
  memcpy(w->T, w->R0, (size_t)n * (size_t)n * sizeof *w->T);
  mw_code rc = mw_eig_sym(n, w->T, w->r, w->V, err);
  if (rc != MW_OK) return rc;
  while (first < n && w->r[first] <= ROUNDING) first++;
  *rank = n - first;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < *rank; j++)
      w->U[i * *rank + j] = w->V[i * n + first + j] / sqrt(w->r[first + j]);
  return MW_OK;
}

// The model's receptances with m modes; memory from mem.
static mw_code model(galerkin *w, int m, double zeta, mw_receptance *out, mw_arena *mem,
                     mw_error *err)
{
  const mw_sample *z = w->z;
  int n = w->n_p, n_io = z->n_io, k = 0, kept = 0;
  mw_code rc = n > 0 ? directions(w, m, &k, err) : MW_OK;
  if (rc == MW_OK && k > 0) {
    mw_gemm('n', 'n', n, k, n, 1.0, w->R1, w->U, 0.0, w->T);
    mw_gemm('t', 'n', k, k, n, 1.0, w->U, w->T, 0.0, w->S);
    rc = mw_eig_sym(k, w->S, w->nu, w->V, err);
  }
  *out = (mw_receptance){ .n_io = n_io, .n_term = m, .zeta = zeta };
  out->lambda = mw_arena_f64(mem, (size_t)(m + k));
  out->b = mw_arena_f64(mem, (size_t)(m + k) * (size_t)n_io);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->lambda, z->lambda, (size_t)m * sizeof *out->lambda);
  for (int t = 0; t < m; t++)
    memcpy(out->b + t * n_io, z->B + t * z->n_load, (size_t)n_io * sizeof *out->b);
  if (k > 0) mw_gemm('n', 'n', n_io, k, n, 1.0, w->Rio, w->U, 0.0, w->T);
  for (int j = 0; j < k; j++) {
    if (!(w->nu[j] > 0.0)) continue;  // rounding
    double *b = out->b + (m + kept) * n_io;
    for (int i = 0; i < n_io; i++) {
      double sum = 0.0;
      for (int p = 0; p < k; p++) sum += w->T[i * k + p] * w->V[p * k + j];
      b[i] = sum / sqrt(w->nu[j]);
    }
    out->lambda[m + kept++] = 1.0 / w->nu[j];
  }
  out->n_term = m + kept;
  return MW_OK;
}

// ---- errors -------------------------------------------------------------------------------------

mw_code mw_receptance_worst(const mw_receptance *direct, const mw_receptance *rom,
                            const unsigned char *skip, double hz_end, double *worst, mw_error *err)
{
  mw_arena tmp = { 0 };
  double two_pi = 2.0 * acos(-1.0);
  size_t most = EQUIDISTANT + (size_t)direct->n_term + (size_t)rom->n_term;
  double *hz = mw_arena_f64(&tmp, most), *e = mw_arena_f64(&tmp, most * (size_t)direct->n_io);
  mw_code rc = mw_arena_check(&tmp, err);
  int n = EQUIDISTANT;
  for (int i = 0; rc == MW_OK && i < EQUIDISTANT; i++) hz[i] = hz_end * i / (EQUIDISTANT - 1);
  for (int t = 0; rc == MW_OK && t < direct->n_term + rom->n_term; t++) {
    double l = t < direct->n_term ? direct->lambda[t] : rom->lambda[t - direct->n_term];
    if (sqrt(l) / two_pi <= hz_end) hz[n++] = sqrt(l) / two_pi;
  }
  if (rc == MW_OK) rc = mw_receptance_compare(direct, rom, skip, n, hz, e, err);
  *worst = 0.0;
  for (int i = 0; rc == MW_OK && i < n * direct->n_io; i++)
    if (!(e[i] <= *worst)) *worst = e[i];
  mw_arena_free(&tmp);
  return rc;
}

// Largest error of a sample's receptances with m modes from 0 to hz_end.
static mw_code error_of(const mw_sample *z, const unsigned char *pattern, const unsigned char *skip,
                        double zeta, double hz_end, int m, double *worst, mw_error *err)
{
  mw_arena tmp = { 0 };
  galerkin w = { 0 };
  mw_receptance direct, rom;
  mw_code rc = galerkin_init(&w, z, pattern, err);
  if (rc == MW_OK) rc = mw_receptance_of(z, zeta, &direct, &tmp, err);
  if (rc == MW_OK) rc = model(&w, m, zeta, &rom, &tmp, err);
  if (rc == MW_OK) rc = mw_receptance_worst(&direct, &rom, skip, hz_end, worst, err);
  mw_arena_free(&w.mem);
  mw_arena_free(&tmp);
  return rc;
}

static bool alike(int n, const mw_sample *z, int m)
{
  for (int i = 0; i < n; i++)
    if (z[i].lambda[m] < z[i].lambda[m - 1] * (1.0 + CLUSTER)) return true;
  return false;
}

mw_code mw_count_from(int n, const mw_sample *z, const unsigned char *pattern,
                      const unsigned char *skip, double zeta, double hz, double tolerance,
                      mw_count *out, mw_error *err)
{
  mw_code rc = MW_OK;
  mw_count c = { 0 };
  int most = z[0].k;
  for (int i = 1; i < n; i++) most = z[i].k < most ? z[i].k : most;
  c.n = most;
  for (int m = most; rc == MW_OK && m >= 0; m--) {
    double e = 0.0;
    for (int i = 0; rc == MW_OK && i < n && e <= tolerance; i++) {
      double at = 0.0;
      rc = error_of(&z[i], pattern, skip + (size_t)i * (size_t)z[i].n_io, zeta, hz, m, &at, err);
      if (!(at <= e)) e = at;
    }
    if (m < most) c.error_fewer = e;
    if (m == most) c.error = e;
    if (rc != MW_OK || m == 0 || !(e <= tolerance)) break;
    c.n = m;
    c.error = e;
  }
  for (; rc == MW_OK && c.n < most && alike(n, z, c.n); c.n++) c.cluster = true;
  if (rc == MW_OK) *out = c;
  return rc;
}

// ---- of a mechanism -----------------------------------------------------------------------------

static void patterns(const mw_reduction *r, int n_io, unsigned char *pattern,
                     const mw_unit_load *load)
{
  const mw_reduction_in *in = &r->model->reduction;
  for (int l = 0; l < n_io; l++)
    pattern[l] = load[l].output >= 0 ? in->pattern_outputs
                                     : in->pattern_drives || r->model->drive[load[l].drive].load;
  for (int i = 0; i < r->s; i++) pattern[n_io + i] = in->pattern_acceleration;
  pattern[n_io + r->s] = in->pattern_gravity;
}

static mw_code sample_at(const mw_reduction *r, int g, int k, double hz, double rest_left,
                         mw_sample *out, mw_arena *mem, mw_error *err)
{
  mw_system *sys = NULL;
  mw_sample_in in = { .mech = r->mech,
                      .locked = r->locked,
                      .s = r->s,
                      .q = &r->point[g].q,
                      .k = k,
                      .band = hz,
                      .rest = rest_left };
  mw_code rc = mw_system_build(r->blocks, r->locked, false, in.q->p, in.q->s, &sys, err);
  if (rc == MW_OK && k > mw_system_modes_most(sys)) in.k = mw_system_modes_most(sys);
  if (rc == MW_OK) rc = mw_sample_build(sys, &in, out, mem, err);
  mw_system_free(sys);
  return rc;
}

mw_code mw_count_modes(mw_reduction *r, double hz, double tolerance, mw_count *out, mw_error *err)
{
  static const double REST = 0.1;  // of the tolerance, for what a sample itself leaves open
  mw_arena mem = { 0 };
  mw_sample z[SAMPLES];
  int at[SAMPLES] = { 0, r->n_point / 2, r->n_point - 1 };
  int n_io = mw_sample_unit_loads(r->mech, r->locked, NULL), n_load = n_io + r->s + 1;
  mw_unit_load *load = mw_arena_alloc(&mem, (size_t)n_io, sizeof *load);
  unsigned char *pattern = mw_arena_alloc(&mem, (size_t)n_load, 1);
  unsigned char *skip = mw_arena_alloc(&mem, SAMPLES * (size_t)n_io, 1);
  double *largest = mw_arena_f64(&mem, (size_t)n_load);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && n_io == 0)
    rc = mw_fail(
        err, MW_ERR_INPUT, r->model->reduction.at,
        "modes are to be chosen by receptances, but there are no outputs and no free drives, "
        "expected modes.count or modes.below");
  if (rc == MW_OK) (void)mw_sample_unit_loads(r->mech, r->locked, load);
  if (rc == MW_OK) patterns(r, n_io, pattern, load);
  // without patterns many modes make up for them: again with more of them
  for (int k = MW_MODES_EXTRA; rc == MW_OK; k *= 2) {
    k = k < r->n / 4 ? k : r->n / 4;
    for (int i = 0; rc == MW_OK && i < SAMPLES; i++)
      rc = sample_at(r, at[i], k, hz, REST * tolerance, &z[i], &mem, err);
    if (rc != MW_OK) break;
    mw_receptance_largest(SAMPLES, z, load, largest);
    for (int i = 0; i < SAMPLES; i++) mw_receptance_negligible(&z[i], largest, skip + i * n_io);
    rc =
        mw_count_from(SAMPLES, z, pattern, skip, mw_sample_zeta(r->model), hz, tolerance, out, err);
    if (rc == MW_OK && (out->error <= tolerance || k >= r->n / 4)) break;
  }
  mw_arena_free(&mem);
  return rc;
}
