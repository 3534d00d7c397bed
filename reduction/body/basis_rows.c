// SPDX-License-Identifier: BSD-3-Clause
// basis_rows.c: the rows a basis is made of, and their combinations that diagonalise K and M.
//
//   U = [R; φ; Z] ,  Z M Rᵀ = Z M φᵀ = 0           patterns Z, orthogonal to what comes before them
//   KG = Z K Zᵀ ,  MG = Z M Zᵀ ;   C MG Cᵀ = 1 ,  C KG Cᵀ = diag(λ)                             (1)
//
// (1) on the small matrices: rows of unit energy, KG = V diag(w) Vᵀ without dependent combinations,
// and on these the eigenvalues of MG are 1/λ: low ones, which matter, come out best. A combination
// of w has a share of w in the energy of a row, and rounding of MG becomes ε/w in it: those far
// below the tolerance are left out. Patterns are touched by one product with M, one by each other's
// products (half of MG), and one by C (basis_project.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "basis_priv.h"

static const double DEPENDENT = 1e-11;  // see r->dependent; less would be rounding

mw_code basis_rows_init(stage *z, int room, basis_rows *out, mw_error *err)
{
  size_t n = (size_t)z->n, q = room > 0 ? (size_t)room : 1;
  *out = (basis_rows){ .head = z->n_rigid + z->n_mode, .room = room, .dependent = DEPENDENT };
  out->U = calloc(((size_t)out->head + q) * n, sizeof *out->U);
  out->Y = calloc(q * n, sizeof *out->Y);
  out->MU = calloc((size_t)out->head * n + 1, sizeof *out->MU);
  out->MG = calloc(q * q, sizeof *out->MG);
  out->KG = calloc(q * q, sizeof *out->KG);
  if (!out->U || !out->Y || !out->MU || !out->MG || !out->KG)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the basis of body %s",
                   z->b->name);
  if (z->n_rigid > 0) memcpy(out->U, z->R, (size_t)z->n_rigid * n * sizeof *out->U);
  if (z->n_mode > 0)
    memcpy(out->U + (size_t)z->n_rigid * n, z->Phi, (size_t)z->n_mode * n * sizeof *out->U);
  basis_mul(z, &z->b->M, out->head, out->U, out->MU);
  return MW_OK;
}

// Grown, what was there kept; what is new is not set. False: no memory, and *p as it was.
static bool grow(double **p, size_t doubles)
{
  double *x = realloc(*p, doubles * sizeof **p);
  if (x) *p = x;
  return x != NULL;
}

// G [q × q] in rows of `old` becomes one in rows of `new`, zero beyond q.
static void stretch(double *G, size_t q, size_t old, size_t new)
{
  for (size_t i = new; i-- > 0;) {
    double *row = G + i * new;
    size_t k = i < q ? q : 0;
    if (k > 0) memmove(row, G + i * old, k * sizeof *row);
    for (; k < new; k++) row[k] = 0.0;
  }
}

mw_code basis_rows_room(const stage *z, basis_rows *r, int k, mw_error *err)
{
  int need = r->q + k;
  if (need <= r->room) return MW_OK;
  if (r->head + need > z->n)
    return mw_fail(err, MW_ERR_NUMERIC, z->b->at,
                   "body %s: more patterns than it has unknowns (%d) would be needed for this band "
                   "and tolerance",
                   z->b->name, z->n);
  int most = z->n - r->head, room = 2 * r->room < most ? 2 * r->room : most;
  if (room < need) room = need;
  size_t n = (size_t)z->n, new = (size_t)room;
  if (!grow(&r->U, ((size_t)r->head + new) * n) || !grow(&r->Y, new *n) ||
      !grow(&r->MG, new *new) || !grow(&r->KG, new *new))
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the basis of body %s",
                   z->b->name);
  stretch(r->MG, (size_t)r->q, (size_t)r->room, new);
  stretch(r->KG, (size_t)r->q, (size_t)r->room, new);
  r->room = room;
  return MW_OK;
}

void basis_rows_free(basis_rows *r)
{
  free(r->U);
  free(r->Y);
  free(r->MU);
  free(r->MG);
  free(r->KG);
  *r = (basis_rows){ 0 };
}

void basis_rows_add(stage *z, basis_rows *r, int k)
{
  size_t n = (size_t)z->n, q = (size_t)r->q;
  double *Z = r->U + ((size_t)r->head + q) * n, *Y = r->Y + q * n;
  basis_mul(z, &z->b->M, k, Z, Y);
  for (int first = 0; r->head > 0 && first < k; first += MW_BASIS_ROWS) {
    // what is left of rigid modes and modes after G': rounding, and a load's own rigid part
    int w = k - first < MW_BASIS_ROWS ? k - first : MW_BASIS_ROWS;
    double *c = z->work, *x = Z + (size_t)first * n, *y = Y + (size_t)first * n;
    mw_gemm('n', 't', w, r->head, z->n, 1.0, y, r->U, 0.0, c);
    mw_gemm('n', 'n', w, z->n, r->head, -1.0, c, r->U, 1.0, x);
    mw_gemm('n', 'n', w, z->n, r->head, -1.0, c, r->MU, 1.0, y);
  }
  // MG: the new rows against all so far, and the mirror image
  double *G = r->MG + q * (size_t)r->room;
  double *all = r->U + (size_t)r->head * n;
  double *g = malloc((size_t)k * (q + (size_t)k) * sizeof *g);
  if (!g) return;  // MG stays zero: basis_ritz finds nothing positive
  mw_gemm('n', 't', k, r->q + k, z->n, 1.0, Y, all, 0.0, g);
  for (size_t i = 0; i < (size_t)k; i++)
    for (size_t j = 0; j < q + (size_t)k; j++) {
      double x = g[i * (q + (size_t)k) + j];
      if (j >= q) x = 0.5 * (x + g[(j - q) * (q + (size_t)k) + q + i]);
      G[i * (size_t)r->room + j] = r->MG[j * (size_t)r->room + q + i] = x;
    }
  free(g);
  r->q += k;
}

mw_code basis_ritz(const basis_rows *r, int *n_out, double *C, double *lambda, mw_error *err)
{
  size_t q = (size_t)r->q, qq = q * q, room = (size_t)r->room;
  mw_arena tmp = { 0 };
  double *G = mw_arena_f64(&tmp, qq), *V = mw_arena_f64(&tmp, qq), *A = mw_arena_f64(&tmp, qq),
         *B = mw_arena_f64(&tmp, qq), *w = mw_arena_f64(&tmp, q), *d = mw_arena_f64(&tmp, q);
  mw_code rc = mw_arena_check(&tmp, err);
  *n_out = 0;
  if (rc != MW_OK || q == 0) {
    mw_arena_free(&tmp);
    return rc;
  }
  for (size_t i = 0; i < q; i++) {
    double k = r->KG[i * room + i];
    d[i] = k > 0.0 ? 1.0 / sqrt(k) : 0.0;
  }
  for (size_t i = 0; i < q; i++)
    for (size_t j = 0; j < q; j++)
      G[i * q + j] = 0.5 * (r->KG[i * room + j] + r->KG[j * room + i]) * d[i] * d[j];
  rc = mw_eig_sym(r->q, G, w, V, err);
  // rows of A: combinations of unit energy, the stiffest last
  int p = 0;
  for (int e = r->q - 1; rc == MW_OK && e >= 0 && w[e] > r->dependent * w[q - 1]; e--, p++)
    for (size_t i = 0; i < q; i++) A[(size_t)p * q + i] = V[i * q + (size_t)e] * d[i] / sqrt(w[e]);
  for (size_t i = 0; i < q; i++) memcpy(G + i * q, r->MG + i * room, q * sizeof *G);
  if (rc == MW_OK && p > 0) {
    mw_gemm('n', 'n', p, r->q, r->q, 1.0, A, G, 0.0, B);
    mw_gemm('n', 't', p, p, r->q, 1.0, B, A, 0.0, G);
    for (int i = 0; i < p; i++)
      for (int j = 0; j < i; j++) G[i * p + j] = G[j * p + i] = 0.5 * (G[i * p + j] + G[j * p + i]);
    rc = mw_eig_sym(p, G, w, V, err);
  }
  int m = 0;
  for (int e = p - 1; rc == MW_OK && e >= 0 && w[e] > 0.0; e--, m++) {
    lambda[m] = 1.0 / w[e];
    for (int i = 0; i < p; i++) B[m * p + i] = V[i * p + e] / sqrt(w[e]);
  }
  if (rc == MW_OK && m > 0) mw_gemm('n', 'n', m, r->q, p, 1.0, B, A, 0.0, C);
  *n_out = m;
  mw_arena_free(&tmp);
  return rc;
}
