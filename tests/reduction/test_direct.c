// SPDX-License-Identifier: BSD-3-Clause
// test_direct.c: direct frequencies of the certificate against LAPACK on the constrained mesh.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduce_layer.h"
#include "reduction/certificate.h"
#include "system/system_layer.h"

typedef struct dense {
  int n, n_c;     // unknowns, rigid joint rows
  double *K, *M;  // [n × n]
  double *C;      // [n_c × n]
  mw_arena mem;
} dense;

static void add_csc(dense *d, double *A, int at, const mw_csc *m)
{
  for (int j = 0; j < m->n_col; j++)
    for (int p = m->ptr[j]; p < m->ptr[j + 1]; p++) {
      int i = m->row[p];
      A[(at + i) * d->n + at + j] = A[(at + j) * d->n + at + i] = m->val[p];
    }
}

// Row i of the joints over all unknowns.
static void joint_row(const mw_system *sys, int i, double *row)
{
  const mw_mech *m = sys->bl->m;
  for (int b = 0; b < m->n_body; b++) {
    size_t width = m->body[b].n_u > 0 ? (size_t)m->body[b].n_u : 6;
    for (int k = 0; sys->B[b] && k < sys->n_act[b]; k++)
      if (sys->act[b][k] == i)
        memcpy(row + sys->bl->offset[b], sys->B[b] + (size_t)k * width, width * sizeof *row);
  }
}

// Bodies' own K and M side by side, elastic joint rows as springs, rigid ones as constraints.
static bool assemble(const mw_system *sys, dense *d)
{
  const mw_blocks *bl = sys->bl;
  *d = (dense){ .n = bl->n };
  size_t n = (size_t)d->n;
  d->K = mw_arena_f64(&d->mem, n * n);
  d->M = mw_arena_f64(&d->mem, n * n);
  d->C = mw_arena_f64(&d->mem, (size_t)sys->n_mu * n);
  double *row = mw_arena_f64(&d->mem, n);
  if (!MW_CHECK(d->K && d->M && d->C && row)) return false;
  for (int b = 0; b < bl->m->n_body; b++) {
    const mw_body *body = &bl->m->body[b];
    int at = bl->offset[b];
    if (body->n_u > 0) {
      add_csc(d, d->K, at, &body->K);
      add_csc(d, d->M, at, &body->M);
    } else if (!body->ground) {
      for (int i = 0; i < 36; i++) d->M[(at + i / 6) * d->n + at + i % 6] = bl->M6[36 * b + i];
    }
  }
  for (int i = 0; i < sys->n_mu; i++) {
    memset(row, 0, n * sizeof *row);
    joint_row(sys, i, row);
    if (isinf(sys->k_row[i]))
      memcpy(d->C + (size_t)d->n_c++ * n, row, n * sizeof *row);
    else
      for (int a = 0; a < d->n; a++) mw_axpy(d->n, sys->k_row[i] * row[a], row, d->K + a * d->n);
  }
  return true;
}

// A on the null space Z [n × k] of C: Zᵀ A Z
static void project(int n, int k, const double *A, const double *Z, double *tmp, double *out)
{
  mw_gemm('n', 'n', n, k, n, 1.0, A, Z, 0.0, tmp);
  mw_gemm('t', 'n', k, k, n, 1.0, Z, tmp, 0.0, out);
}

// The lowest n_hz frequencies, by SVD of C and dsygvd.
static void dense_frequencies(dense *d, int n_hz, double *hz)
{
  mw_error err = { 0 };
  size_t n = (size_t)d->n, nn = n * n;
  // rows of zeros make the SVD a full one, whose last right singular vectors span the null space
  double *S = mw_arena_f64(&d->mem, nn), *sv = mw_arena_f64(&d->mem, n),
         *Vt = mw_arena_f64(&d->mem, nn), *Z = mw_arena_f64(&d->mem, nn),
         *tmp = mw_arena_f64(&d->mem, nn), *U = mw_arena_f64(&d->mem, nn),
         *K = mw_arena_f64(&d->mem, nn), *M = mw_arena_f64(&d->mem, nn);
  if (!MW_CHECK(S && sv && Vt && Z && tmp && U && K && M)) return;
  memcpy(S, d->C, (size_t)d->n_c * n * sizeof *S);
  if (!MW_OKAY(mw_svd(d->n, d->n, S, sv, U, Vt, &err))) return;
  int rank = 0, k;
  while (rank < d->n && sv[rank] > 1e-9 * sv[0]) rank++;
  k = d->n - rank;
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < k; j++) Z[i * k + j] = Vt[(rank + j) * d->n + i];
  project(d->n, k, d->K, Z, tmp, K);
  project(d->n, k, d->M, Z, tmp, M);
  if (!MW_OKAY(mw_eig_gen(k, K, M, sv, U, &err))) return;
  for (int i = 0; i < n_hz; i++) hz[i] = sqrt(sv[i]) / (2.0 * acos(-1.0));
}

static void direct_frequencies_of_the_certificate_are_those_of_lapack_on_the_constrained_mesh(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  mw_reduction r = { 0 };
  mw_blocks *bl = NULL;
  if (!MW_CHECK(mw_fixture_machine("  grid: auto\n  certificate: { points: 6 }\n", &f))) return;
  MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom, &err));
  MW_OKAY(mw_reduction_init(&f.model, &f.mech, NULL, &r, &err));
  MW_OKAY(mw_blocks_build(&f.mech, 0.0, false, &bl, &err));
  const mw_certificate *c = &rom.certificate;
  MW_CHECK(c->n_mesh == 6 && c->n_freq == 3);
  for (int i = 0; bl && i < c->n_mesh; i++) {
    mw_arena mem = { 0 };
    mw_config q;
    mw_system *sys = NULL;
    dense d = { 0 };
    double hz[3] = { 0 };
    MW_OKAY(mw_config_at(&f.mech, r.locked, r.s, r.coord, c->theta + 2 * i, NULL, &mem, &q, &err));
    MW_OKAY(mw_system_build(bl, r.locked, false, q.p, q.s, &sys, &err));
    if (sys && assemble(sys, &d)) {
      dense_frequencies(&d, 3, hz);
      for (int k = 0; k < 3; k++) {
        // LAPACK errs by ε |K|/|M| against λ: beams' shortest waves are 1e4 times as fast as these
        // modes, λ 1e8; f by half of it
        MW_NEAR(c->f_direct[3 * i + k], hz[k], 0.5 * 1e8 * DBL_EPSILON * hz[k]);
        MW_WITHIN(c->f_rom[3 * i + k], hz[k], 1e-3 * hz[k], "the tolerance asked for");
      }
    }
    mw_system_free(sys);
    mw_arena_free(&d.mem);
    mw_arena_free(&mem);
  }
  mw_blocks_free(bl);
  mw_reduction_free(&r);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

// Three masses of 1 kg at x [3 × 3], without inertia of their own: code of the factor G of RᵀMR.
static mw_code gram_of_masses(const double x[9], double G[36], mw_error *err)
{
  int p[10], i[9];
  double one[9], R[54] = { 0.0 };
  for (int k = 0; k < 10; k++) p[k] = k;
  for (int k = 0; k < 9; k++) {
    i[k] = k;
    one[k] = 1.0;
    int c = k % 3, y = (c + 1) % 3, z = (c + 2) % 3;
    R[6 * k + c] = 1.0;
    // ω × x
    R[6 * k + 3 + y] = x[k - c + z];
    R[6 * k + 3 + z] = -x[k - c + y];
  }
  mw_body b = { .name = "row", .n_u = 9, .R = R };
  b.M = (mw_csc){ .n_row = 9, .n_col = 9, .sym = true, .ptr = p, .row = i, .val = one };
  return mw_block_rigid_gram(&b, G, err);
}

// det RᵀMR = m³ det J, J about the centre of mass: 27 kg³ and (4/9 − 1/9) 4/3 (kg m²)³
static void masses_on_a_line_have_no_inertia_about_it_and_others_that_of_their_closed_form(void)
{
  static const double apart[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
  static const double rows[2][9] = { { 0, 0, 0, 1, 0, 0, 2, 0, 0 },
                                     { 0.1, 0.2, 0.3, 0.4, 0.3, 0.5, 1.0, 0.5, 0.9 } };
  double G[36], det = 1.0;
  mw_error err = { 0 };
  if (!MW_OKAY(gram_of_masses(apart, G, &err))) return;
  for (int k = 0; k < 6; k++) det *= G[7 * k] * G[7 * k];
  MW_NEAR(det, 12.0, mw_test_rounding(12.0 * 9.0, 12.0));
  for (int k = 0; k < 2; k++) {
    memset(&err, 0, sizeof err);
    MW_FAILS(gram_of_masses(rows[k], G, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "body row") && strstr(err.msg, "without inertia"));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "direct_frequencies_of_the_certificate_are_those_of_lapack_on_the_constrained_mesh",
      direct_frequencies_of_the_certificate_are_those_of_lapack_on_the_constrained_mesh },
    { "masses_on_a_line_have_no_inertia_about_it_and_others_that_of_their_closed_form",
      masses_on_a_line_have_no_inertia_about_it_and_others_that_of_their_closed_form },
  };
  return mw_test_run("direct", cases, (int)(sizeof cases / sizeof *cases));
}
