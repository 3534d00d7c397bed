// SPDX-License-Identifier: BSD-3-Clause
// swing_free.c: modes of the columns where coordinates are free, and what their inertia makes of
// them as they swing further.
//
// Without momentum of their own the free coordinates follow, A θ' = −B δ', and the columns move
// with
//   δ'ᵀ (G − Bᵀ A⁻¹ B) δ' ,                                                                     (1)
// at first order I − dᵀ a⁻¹ d: the lighter the hub, the higher the frequency, and the smaller the
// difference of large terms in (1).
#include "swing_priv.h"

#include <string.h>

#include "base/dense.h"

// Free coordinates into at, their a into A [n × n]; returns n
static int free_inertia(const mw_swing_modes_in *z, int *at, double *A)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(z->rom));
  int n = 0;
  for (int i = 0; i < z->rom->s; i++)
    if (z->free >> i & 1u) at[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      A[i * n + j] = A[j * n + i] = z->value[L.a + at[i] * (at[i] + 1) / 2 + at[j]];
  return n;
}

// Md [m × m] := (1) at first order
static mw_code moved_mass(const mw_swing_modes_in *z, double *Md, double *work, mw_error *err)
{
  size_t m = (size_t)z->rom->m;
  int at[MW_ROM_MAX_S];
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(z->rom));
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S], *d = work, *u = work + MW_ROM_MAX_S * m;
  size_t n = (size_t)free_inertia(z, at, A);
  memset(Md, 0, m * m * sizeof *Md);
  for (size_t a = 0; a < m; a++) Md[a * m + a] = 1.0;
  for (size_t i = 0; i < n; i++)
    memcpy(d + i * m, z->value + L.d + (size_t)at[i] * m, m * sizeof *d);
  memcpy(u, d, n * m * sizeof *d);
  mw_code rc = mw_chol_factor((int)n, A, err);
  if (rc != MW_OK) return rc;
  mw_chol_solve((int)n, A, (int)m, u);
  for (size_t i = 0; i < n; i++)
    for (size_t a = 0; a < m; a++) mw_axpy((int)m, -d[i * m + a], u + i * m, Md + a * m);
  return MW_OK;
}

mw_code mw_swing_let_go(const mw_swing_modes_in *z, const double *gradient, double *F,
                        mw_error *err)
{
  int at[MW_ROM_MAX_S], m = z->rom->m;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(z->rom));
  double A[MW_ROM_MAX_S * MW_ROM_MAX_S], a[MW_ROM_MAX_S];
  memset(F, 0, (size_t)m * sizeof *F);
  int n = free_inertia(z, at, A);
  if (n == 0) return MW_OK;
  mw_code rc = mw_chol_factor(n, A, err);
  for (int i = 0; i < n; i++) a[i] = -gradient[at[i] * z->rom->n_field + L.U0];
  if (rc == MW_OK) mw_chol_solve(n, A, 1, a);
  for (int i = 0; rc == MW_OK && i < n; i++) mw_axpy(m, -a[i], z->value + L.d + at[i] * m, F);
  return rc;
}

mw_code mw_swing_modes(const mw_swing_modes_in *z, double *w2, double *V, double *P, mw_error *err)
{
  mw_arena tmp = { 0 };
  int m = z->rom->m;
  size_t mm = (size_t)m * (size_t)m;
  double *K = mw_arena_f64(&tmp, mm), *M = mw_arena_f64(&tmp, mm), *Md = mw_arena_f64(&tmp, mm),
         *work = mw_arena_f64(&tmp, 2 * MW_ROM_MAX_S * (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) memcpy(K, z->K, mm * sizeof *K);
  if (rc == MW_OK && !z->free) {
    rc = mw_eig_sym(m, K, w2, V, err);
    if (rc == MW_OK) memcpy(P, V, mm * sizeof *P);
  } else if (rc == MW_OK) {
    rc = moved_mass(z, M, work, err);
    memcpy(Md, M, mm * sizeof *M);
    if (rc == MW_OK) rc = mw_eig_gen(m, K, M, w2, V, err);
    if (rc == MW_OK) mw_gemm('n', 'n', m, m, m, 1.0, Md, V, 0.0, P);
  }
  mw_arena_free(&tmp);
  return rc;
}

// q_0, q_1, q_2 of bᵀA⁻¹b = q_0 + q_1 h + q_2 h² ; u0 = A_0⁻¹b_0
static mw_code carried(const mw_swing_inertia *z, double b[3][MW_ROM_MAX_S], double q[3],
                       double *u0, mw_error *err)
{
  int n = z->n;
  double L[MW_ROM_MAX_S * MW_ROM_MAX_S], u[3][MW_ROM_MAX_S];
  memcpy(L, z->A[0], (size_t)(n * n) * sizeof *L);
  mw_code rc = mw_chol_factor(n, L, err);
  for (int k = 0; rc == MW_OK && k < 3; k++) {
    memcpy(u[k], b[k], (size_t)n * sizeof *u[k]);
    for (int j = 1; j <= k; j++)
      for (int i = 0; i < n; i++) u[k][i] -= mw_dot(n, z->A[j] + i * n, u[k - j]);
    mw_chol_solve(n, L, 1, u[k]);
    q[k] = 0.0;
    for (int j = 0; j <= k; j++) q[k] += mw_dot(n, b[j], u[k - j]);
  }
  if (rc == MW_OK) memcpy(u0, u[0], (size_t)n * sizeof *u0);
  return rc;
}

mw_code mw_swing_carry(const mw_swing_inertia *z, bool quadratic, double e[2], double known[2],
                       double *u0, mw_error *err)
{
  double b[3][MW_ROM_MAX_S], q[3];
  memcpy(b, z->b, sizeof b);
  mw_code rc = carried(z, b, q, u0, err);
  if (rc != MW_OK) return rc;
  e[0] -= q[1];
  e[1] -= q[2];
  if (!quadratic) memset(b[2], 0, sizeof b[2]);
  rc = carried(z, b, q, u0, err);
  known[0] -= q[1];
  known[1] -= q[2];
  return rc;
}
