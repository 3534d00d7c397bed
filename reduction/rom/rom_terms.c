// SPDX-License-Identifier: BSD-3-Clause
// rom_terms.c: equations of motion of the reduced Lagrangian at given fields.
//
// With v = thd, w = deld and ,k = d/dtheta_k:
//   L = 1/2 sum A_ij v_i v_j + sum v_i B_i·w + 1/2 w·w - 1/2 delta·K delta - U0 - U1·delta      (1)
//   A_ij = a_ij + b_ij·delta + delta·c_ij delta ,   B_i = d_i + e_i delta
// d/dt dL/dv_i - dL/dtheta_i = Q_i - c_theta_i v_i  and  d/dt dL/dw - dL/ddelta = Q - C w  read
//   sum_j A_ij thdd_j + B_i·deldd = r_theta_i ,    sum_i B_i thdd_i + deldd = r_delta           (2)
//   r_theta_i = - sum_jk A_ij,k v_j v_k - sum_j v_j (b_ij + 2 c_ij delta)·w - sum_j v_j B_i,j·w
//               + 1/2 sum_jk A_jk,i v_j v_k + sum_j v_j B_j,i·w - V,i
//               - c_theta_i v_i + sum_k u_k (y0_k,i + y1_k,i·delta)
//               (first line: d/dt, second: dL/dtheta_i, third: forces; r_delta likewise)
//   V,i       = 1/2 delta·K,i delta + U0,i + U1,i·delta
//   r_delta   = - sum_ij v_i v_j B_i,j - sum_i v_i e_i w
//               + sum_ij v_i v_j (1/2 b_ij + c_ij delta) + sum_i v_i e_i' w - K delta - U1
//               - C w + sum_k u_k y1_k
// e_i skew: e_i w·w = 0 is left out above and the two e terms in r_delta add to - 2 sum_i v_i e_i w
// (Coriolis). inertia LEADING: b, c, e = 0. A law adds its force as an input of its field.
//
// Quadratic forms are scalar products of a packed field with a packed product of delta and deld,
// matrix fields are summed over i, j before they multiply a vector. Cost: about 4 n_field products
// after the interpolation. The plain version of (2) is tests/reduction/rom_reference.c. Written in
// `real`: rom_batch.c compiles it for several rollouts at once. Allocates nothing.
#include "rom_priv.h"

// x split into its parts.
typedef struct parts {
  const real *delta, *thd, *deld;
} parts;

static int pair_of(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// Weights that turn quadratic forms in packed matrices into scalar products.
ROM_INLINE void set_products(const int s, const int m, const parts *x, int full, rom_work *w)
{
  const real *del = x->delta, *deld = x->deld;
  real *dd = w->dd, *dv = w->dv, *vd = w->vd;
  ROM_UNROLL
  for (int i = 0; i < m; i++) {
    ROM_UNROLL
    for (int j = 0; j < i; j++) dd[j] = 2.0 * (del[i] * del[j]);
    dd[i] = del[i] * del[i];
    dd += i + 1;
    if (!full) continue;
    ROM_UNROLL
    for (int j = 0; j < i; j++) {
      real ij = del[i] * deld[j], ji = deld[i] * del[j];
      dv[j] = 2.0 * (ij + ji);
      if (s > 1) vd[j] = ji - ij;
    }
    dv[i] = 2.0 * (del[i] * deld[i]);
    dv += i + 1;
    vd += i;
  }
}

// A_ij of the record f.
ROM_INLINE void set_A(const int s, const int m, const real *f, const parts *x, int full,
                      const rom_work *w, real *A)
{
  int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2;
  for (int p = 0; p < ss; p++) {
    A[p] = f[w->lay.a + p];
    if (full)
      A[p] +=
          rom_dot(m, f + w->lay.b + p * m, x->delta) + rom_dot(mm, f + w->lay.c + p * mm, w->dd);
  }
}

ROM_INLINE void set_forms(const mw_rom *rom, const int s, const int m, const parts *x, int full,
                          const rom_work *w, rom_forms *q)
{
  int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const mw_rom_layout *l = &w->lay;
  set_A(s, m, w->value, x, full, w, q->A);
  for (int k = 0; k < s; k++) {
    const real *f = w->gradient + (size_t)k * (size_t)rom->n_field;
    if (rom->flat >> k & 1u) {  // nothing depends on theta_k
      for (int p = 0; p < ss; p++) q->A_k[k][p] = rom_set(0.0);
      for (int i = 0; i < s; i++) q->B_kw[k][i] = rom_set(0.0);
      q->V_k[k] = q->K_k[k] = rom_set(0.0);
      continue;
    }
    set_A(s, m, f, x, full, w, q->A_k[k]);
    for (int i = 0; i < s; i++) {
      if (i == k) continue;  // B_i,i·w of d/dt and of dL/dtheta_i cancel
      q->B_kw[k][i] = rom_dot(m, f + l->d + i * m, x->deld);
      if (full) q->B_kw[k][i] += rom_dot(mk, f + l->e + i * mk, w->vd);
    }
    q->K_k[k] = 0.5 * rom_dot(mm, f + l->K, w->dd);
    q->V_k[k] = q->K_k[k] + f[l->U0] + rom_dot(m, f + l->U1, x->delta);
  }
  for (int p = 0; p < ss; p++)
    q->A_w[p] = full ? rom_dot(m, w->value + l->b + p * m, x->deld) +
                           rom_dot(mm, w->value + l->c + p * mm, w->dv)
                     : rom_set(0.0);
}

ROM_INLINE void set_r_theta(const mw_rom *rom, const int s, const parts *x, const rom_forms *q,
                            int what, rom_work *w)
{
  int sizes = what & ROM_SIZES;
  const real *v = x->thd;
  for (int i = 0; i < s; i++) {
    real d_dt = rom_set(0.0), dL = rom_set(0.0), size = rom_set(0.0);
    for (int j = 0; j < s; j++) {
      real A_dot = q->A_w[pair_of(i, j)], A_i = rom_set(0.0);
      for (int k = 0; k < s; k++) {
        A_dot += q->A_k[k][pair_of(i, j)] * v[k];
        A_i += q->A_k[i][pair_of(j, k)] * v[k];
      }
      real B_dot = i == j ? rom_set(0.0) : q->B_kw[j][i], B_i = i == j ? B_dot : q->B_kw[i][j];
      d_dt += v[j] * (A_dot + B_dot);
      dL += v[j] * (0.5 * A_i + B_i);
      if (sizes)
        size += rom_size(v[j]) *
                (rom_size(A_dot) + rom_size(B_dot) + 0.5 * rom_size(A_i) + rom_size(B_i));
    }
    real damp = what & ROM_NONLINEAR ? rom_set(0.0) : rom->c_theta[i] * v[i];
    w->r_theta[i] = dL - d_dt - q->V_k[i] - damp;
    if (!sizes) continue;
    real rest = q->V_k[i] - q->K_k[i];
    w->f_theta[i] = size + rom_size(q->K_k[i]) + rom_size(rest) + rom_size(damp);
  }
}

// y += X v, X packed rows of the lower triangle of a symmetric matrix. Each sum by itself: adding rows to y would wait for y.
ROM_INLINE void add_sym(const int m, const real *restrict X, const real *restrict v,
                        real *restrict y)
{
  ROM_UNROLL
  for (int i = 0; i < m; i++) {
    const real *row = X + i * (i + 1) / 2, *column = row + i;
    real sum = rom_set(0.0);
    ROM_UNROLL
    for (int j = 0; j < i; j++) sum += row[j] * v[j];
    ROM_UNROLL
    for (int j = i; j < m; column += ++j) sum += *column * v[j];
    y[i] += sum;
  }
}

// The same of a skew one, without its diagonal.
ROM_INLINE void add_skew(const int m, const real *restrict X, const real *restrict v,
                         real *restrict y)
{
  ROM_UNROLL
  for (int i = 0; i < m; i++) {
    const real *row = X + i * (i - 1) / 2, *column = row + 2 * i;
    real sum = rom_set(0.0);
    ROM_UNROLL
    for (int j = 0; j < i; j++) sum += row[j] * v[j];
    ROM_UNROLL
    for (int j = i + 1; j < m; column += j++) sum -= *column * v[j];
    y[i] += sum;
  }
}

// B_i, and the inertia terms of r_delta.
ROM_INLINE void add_convective(const mw_rom *rom, const int s, const int m, const parts *x,
                               int full, rom_work *w)
{
  int mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const mw_rom_layout *l = &w->lay;
  const real *v = x->thd, *value = w->value;
  real *r = w->r_delta;
  for (int a = 0; full && a < mk; a++) w->skew1[a] = w->skew2[a] = rom_set(0.0);
  for (int i = 0; i < s; i++) {
    real *B = w->B + i * w->mp;
    for (int a = 0; a < m; a++) B[a] = value[l->d + i * m + a];
    for (int a = m; a < w->mp; a++) B[a] = rom_set(0.0);
    for (int j = 0; j < s; j++) {
      if (rom->flat >> j & 1u) continue;
      const real *f_j = w->gradient + (size_t)j * (size_t)rom->n_field;
      real vij = v[i] * v[j];
      for (int a = 0; a < m; a++) r[a] -= vij * f_j[l->d + i * m + a];
      for (int a = 0; full && a < mk; a++) w->skew2[a] -= vij * f_j[l->e + i * mk + a];
    }
    if (!full) continue;
    const real *e = value + l->e + i * mk;
    add_skew(m, e, x->delta, B);
    real v2 = 2.0 * v[i];
    for (int a = 0; a < mk; a++) w->skew1[a] -= v2 * e[a];
    for (int j = 0; j <= i; j++) {
      real vij = (i == j ? 1.0 : 2.0) * (v[i] * v[j]), half = 0.5 * vij;
      const real *b = value + l->b + pair_of(i, j) * m, *c = value + l->c + pair_of(i, j) * mm;
      for (int a = 0; a < m; a++) r[a] += half * b[a];
      for (int a = 0; a < mm; a++) w->sym[a] += vij * c[a];
    }
  }
  if (full) {
    add_skew(m, w->skew1, x->deld, r);
    add_skew(m, w->skew2, x->delta, r);
  }
}

void rom_field_rate(const mw_rom *rom, int k, const real *x, const rom_work *w, real *y,
                    real *y_dot, real *y_q)
{
  int s = rom->s, m = rom->m, f = w->lay.y + k * (1 + m);
  const real *delta = x + s, *thd = x + s + m, *deld = thd + s, *y1 = w->value + f + 1;
  *y = w->value[f] + rom_dot(m, y1, delta);
  *y_dot = rom_dot(m, y1, deld);
  for (int i = 0; i < s; i++) {
    const real *g = w->gradient + (size_t)i * (size_t)rom->n_field + f;
    real y_i = rom->flat >> i & 1u ? g[0] : g[0] + rom_dot(m, g + 1, delta);
    *y_dot += y_i * thd[i];
    if (y_q) y_q[i] = y_i;
  }
  for (int a = 0; y_q && a < m; a++) y_q[s + a] = y1[a];
}

// Force u along field k.
ROM_INLINE void add_force(const mw_rom *rom, const int s, const int m, int k, const parts *x,
                          real u, int sizes, rom_work *w)
{
  int f = w->lay.y + k * (1 + m);
  for (int i = 0; i < s; i++) {
    const real *y_i = w->gradient + (size_t)i * (size_t)rom->n_field + f;
    real Q = u * (rom->flat >> i & 1u ? y_i[0] : y_i[0] + rom_dot(m, y_i + 1, x->delta));
    w->r_theta[i] += Q;
    if (sizes) w->f_theta[i] += rom_size(Q);
  }
  for (int a = 0; a < m; a++) {
    real Q = u * w->value[f + 1 + a];
    w->r_delta[a] += Q;
    if (sizes) w->f_delta[a] += rom_size(Q);
  }
}

ROM_INLINE void add_forces(const mw_rom *rom, const int s, const int m, const real *x,
                           const parts *xp, const real *u, int sizes, rom_work *w)
{
  for (int k = 0; u && k < rom->n_u; k++) add_force(rom, s, m, rom->u_field[k], xp, u[k], sizes, w);
  for (int k = 0; k < rom->n_law; k++) {
    real y, y_dot, *f = w->law + 6 * k;
    rom_field_rate(rom, rom->law[k].field, x, w, &y, &y_dot, NULL);
    rom_law_at(&rom->law[k], y, y_dot, f);
    add_force(rom, s, m, rom->law[k].field, xp, f[0], sizes, w);
  }
}

ROM_INLINE void all_terms(const mw_rom *rom, const int s, const int m, const mw_rom_opt *opt,
                          const real *x, const real *u, int what, rom_work *w)
{
  int mm = m * (m + 1) / 2, full = opt->inertia == MW_ROM_FULL, sizes = what & ROM_SIZES;
  int linear = !(what & ROM_NONLINEAR);
  parts xp = { x + s, x + s + m, x + s + m + s };
  rom_forms *q = &w->forms;
  set_products(s, m, &xp, full, w);
  set_forms(rom, s, m, &xp, full, w, q);
  set_r_theta(rom, s, &xp, q, what, w);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) w->A[i * s + j] = q->A[pair_of(i, j)];

  // r_delta: potential and inertia, then the matrices that multiply delta together, then damping
  const real *U1 = w->value + w->lay.U1, *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  for (int a = 0; a < m; a++) {
    w->r_delta[a] = -U1[a];
    if (sizes) w->f_delta[a] = rom_size(U1[a]);
  }
  for (int a = m; a < w->mp; a++) w->r_delta[a] = rom_set(0.0);
  for (int a = 0; a < mm; a++) w->sym[a] = linear ? -K[a] : rom_set(0.0);
  add_convective(rom, s, m, &xp, full, w);
  if (full || linear) add_sym(m, w->sym, xp.delta, w->r_delta);
  for (int a = 0; linear && a < m; a++) w->rho[a] = -xp.deld[a];
  if (linear) add_sym(m, C, w->rho, w->r_delta);
  add_forces(rom, s, m, x, &xp, u, sizes, w);
}

// Sizes that loops are laid out for.
void rom_terms(const mw_rom *rom, const mw_rom_opt *opt, const real *x, const real *u, int what,
               rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (s == 1 && m == 6)
    all_terms(rom, 1, 6, opt, x, u, what, w);
  else if (s == 2 && m == 10)
    all_terms(rom, 2, 10, opt, x, u, what, w);
  else if (s == 3 && m == 12)
    all_terms(rom, 3, 12, opt, x, u, what, w);
  else
    all_terms(rom, s, m, opt, x, u, what, w);
}
