// SPDX-License-Identifier: BSD-3-Clause
// rom_terms.c: equations of motion of the reduced Lagrangian at given fields.
//
// With v = thd, w = deld and ,k = d/dtheta_k:
//   L = 1/2 sum A_ij v_i v_j + sum v_i B_i·w + 1/2 w·w - 1/2 delta·K delta - U0 - U1·delta      (1)
//   A_ij = a_ij + b_ij·delta + delta·c_ij delta ,   B_i = d_i + (e_i + H_i) delta
// d/dt dL/dv_i - dL/dtheta_i = Q_i - c_theta_i v_i  and  d/dt dL/dw - dL/ddelta = Q - C w  read
//   sum_j A_ij thdd_j + B_i·deldd = r_theta_i ,    sum_i B_i thdd_i + deldd = r_delta           (2)
//   r_theta_i = - sum_jk A_ij,k v_j v_k - sum_j v_j (b_ij + 2 c_ij delta)·w - sum_j v_j B_i,j·w
//               + 1/2 sum_jk A_jk,i v_j v_k + sum_j v_j B_j,i·w - V,i
//               - w·H_i w
//               - c_theta_i v_i - w·CE_i delta - sum_j v_j delta·CC_ij delta
//               + sum_k u_k (y0_k,i + y1_k,i·delta + 1/2 delta·Y_k,i delta)
//               (first line: d/dt, second: dL/dtheta_i, third: forces; r_delta likewise)
//   V,i       = 1/2 delta·K,i delta + U0,i + U1,i·delta
//   r_delta   = - sum_ij v_i v_j B_i,j - sum_i v_i e_i w
//               + sum_ij v_i v_j (1/2 b_ij + c_ij delta) + sum_i v_i e_i' w - K delta - U1
//               - C w - sum_i v_i CE_i delta + sum_k u_k (y1_k + Y_k delta)
// e_i skew: e_i w·w = 0 is left out above and the two e terms in r_delta add to - 2 sum_i v_i e_i w
// (Coriolis); those of H_i, symmetric, cancel there, and H_i,j joins c_ij. inertia LEADING: b, c,
// e, H = 0. A law adds its force as an input of its field.
//
// Quadratic forms are scalar products of a packed field with a packed product of delta and deld:
// one reading of c_ij serves A, its rate and r_delta: rom_packs.h, or rom_rows.h where there are no
// packs. Matrix fields are summed over i, j before they multiply a vector. Cost: about 4 n_field
// products
// after the interpolation. The plain version of (2) is tests/reduction/rom_reference.c. Written in
// `real`: rom_batch.c compiles it for several rollouts at once. Allocates nothing.
#include "core/rom_columns.h"
#include "core/rom_layer.h"
#include "rom_mass.h"
#include "rom_packs.h"
#include "rom_rows.h"
#include "rom_third.h"

// x split into its parts.
typedef struct parts {
  const real *delta, *thd, *deld;
} parts;

ROM_INLINE int pair_of(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// The scalars of the Lagrangian; on the way r_delta = - U1 + what b_ij brings.
ROM_INLINE void set_forms(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                          const real *v, int full, int with_H, rom_work *w, rom_forms *q)
{
  const int ss = s * (s + 1) / 2;
  const rom_sums *by = &w->sums;
  const real *f = w->value, *U1 = f + l->U1;
  real sum[ROM_MAX_PAIR], half[ROM_MAX_PAIR];
  if (full) {
    for (int i = 0; i < s; i++)
      for (int j = 0; j <= i; j++) half[pair_of(i, j)] = i == j ? 0.5 * (v[i] * v[j]) : v[i] * v[j];
    weigh_twice(m, ss, NULL, f + l->b, w->del, w->deld, half, sum, q->A_w, U1, w->r_delta);
    for (int p = 0; p < ss; p++) {
      q->A[p] = f[l->a + p] + (sum[p] + by->c[p]);
      q->A_w[p] += by->c_w[p];
    }
  } else {
    for (int p = 0; p < ss; p++) {
      q->A[p] = f[l->a + p];
      q->A_w[p] = rom_set(0.0);
    }
    for (int a = 0; a < m; a += ROM_PAD) ROM_PUT(w->r_delta + a) = -ROM_GET(U1 + a);
  }
  for (int k = 0; k < s; k++) {
    if (rom->flat >> k & 1u) continue;  // nothing depends on theta_k
    f = w->gradient + (size_t)k * (size_t)rom->n_field;
    if (full) weigh(m, ss, NULL, f + l->b, w->del, sum);
    for (int p = 0; p < ss; p++)
      q->A_k[k][p] = full ? f[l->a + p] + (sum[p] + by->c_k[k][p]) : f[l->a + p];
    for (int i = 0; i < s; i++) {
      if (i == k) continue;  // B_i,i·w of d/dt and of dL/dtheta_i cancel
      weigh(m, 1, NULL, f + l->d + i * m, w->deld, &q->B_kw[k][i]);
      if (full && !(rom->zero_e >> i & 1u)) q->B_kw[k][i] += 0.5 * by->e_k[k][i];
    }
    real U_k;
    weigh(m, 1, NULL, f + l->U1, w->del, &U_k);
    for (int i = 0; with_H && i < s; i++)
      if (i != k && rom_has_H(rom, i)) q->B_kw[k][i] += 0.5 * by->H_k[k][i];
    q->K_k[k] = 0.5 * by->K_k[k];
    q->V_k[k] = q->K_k[k] + f[l->U0] + U_k;
  }
}

ROM_INLINE void set_r_theta(const mw_rom *rom, const int s, const real *v, const rom_forms *q,
                            int what, int with_H, rom_work *w)
{
  int sizes = what & ROM_SIZES;
  for (int i = 0; i < s; i++) {
    const int is_flat = (int)(rom->flat >> i & 1u);
    real d_dt = rom_set(0.0), dL = rom_set(0.0), size = rom_set(0.0);
    for (int j = 0; j < s; j++) {
      const int with_B_dot = i != j && !(rom->flat >> j & 1u), with_B_i = i != j && !is_flat;
      real A_dot = q->A_w[pair_of(i, j)], A_i = rom_set(0.0);
      for (int k = 0; k < s; k++) {
        if (!(rom->flat >> k & 1u)) A_dot += q->A_k[k][pair_of(i, j)] * v[k];
        if (!is_flat) A_i += q->A_k[i][pair_of(j, k)] * v[k];
      }
      real B_dot = rom_set(0.0), B_i = B_dot;
      if (with_B_dot) B_dot = q->B_kw[j][i];
      if (with_B_i) B_i = q->B_kw[i][j];
      d_dt += v[j] * (A_dot + B_dot);
      dL += v[j] * (0.5 * A_i + B_i);
      if (sizes)
        size += rom_size(v[j]) *
                (rom_size(A_dot) + rom_size(B_dot) + 0.5 * rom_size(A_i) + rom_size(B_i));
    }
    real damp = what & ROM_NONLINEAR ? rom_set(0.0) : rom->c_theta[i] * v[i];
    if (with_H) {
      dL -= q->H_ww[i];
      if (sizes) size += rom_size(q->H_ww[i]);
    }
    real V_i = rom_set(0.0), K_i = V_i;
    if (!is_flat) {
      V_i = q->V_k[i];
      K_i = q->K_k[i];
    }
    w->r_theta[i] = dL - d_dt - V_i - damp;
    if (!sizes) continue;
    real rest = V_i - K_i;
    w->f_theta[i] = size + rom_size(K_i) + rom_size(rest) + rom_size(damp);
  }
}

// B_i += H_i delta, and w·H_i w.
ROM_INLINE void add_H(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                      const real *columns, rom_work *w, rom_forms *q)
{
  const int mm = m * (m + 1) / 2, mp = rom_padded(m);
  for (int i = 0; i < s; i++) {
    q->H_ww[i] = rom_set(0.0);
    if (!rom_has_H(rom, i)) continue;
    real *B = w->B + i * mp;
    for (int a = m; a < mp; a++) w->image[a] = rom_set(0.0);
    add_sym_twice(m, w->value + l->H + i * mm, columns + i * m * mp, w->del, w->deld, B, w->image);
    for (int a = m; a < mp; a++) B[a] = w->image[a] = rom_set(0.0);
    q->H_ww[i] = rom_dot_rows(m, w->image, w->deld);
  }
}

// X v·v, X packed.
ROM_INLINE real packed_form(const int m, const real *restrict X, const real *restrict v)
{
  real sum = rom_set(0.0);
  for (int i = 0; i < m; X += ++i) {
    real row = rom_set(0.0);
    for (int j = 0; j < i; j++) row += X[j] * v[j];
    sum += (2.0 * row + X[i] * v[i]) * v[i];
  }
  return sum;
}

// r less what CE and CC dissipate; their sizes, too.
ROM_INLINE void add_dissipation(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                                const real *v, int sizes, rom_work *w)
{
  const int mm = m * (m + 1) / 2;
  for (int i = 0; (rom_parts(rom) & MW_ROM_CE) && i < s; i++) {
    const real *CE = w->value + l->CE + i * m * m;
    for (int a = 0; a < m; a++) {
      real force = rom_dot(m, CE + a * m, w->del);
      w->image[a] = force;
      w->r_delta[a] -= v[i] * force;
      if (sizes) w->f_delta[a] += rom_size(v[i] * force);
    }
    real power = rom_dot(m, w->image, w->deld);
    w->r_theta[i] -= power;
    if (sizes) w->f_theta[i] += rom_size(power);
  }
  for (int i = 0, p = 0; (rom_parts(rom) & MW_ROM_CC) && i < s; i++)
    for (int j = 0; j <= i; j++, p++) {
      real form = packed_form(m, w->value + l->CC + p * mm, w->del);
      w->r_theta[i] -= v[j] * form;
      if (i != j) w->r_theta[j] -= v[i] * form;
      if (sizes) w->f_theta[i] += rom_size(v[j] * form);
      if (sizes && i != j) w->f_theta[j] += rom_size(v[i] * form);
    }
}

// B_i, and the inertia terms of r_delta but for those of set_forms and sym, skew; columns: of the
// e_i.
ROM_INLINE void add_convective(const mw_rom *rom, const int s, const int m, const mw_rom_layout *l,
                               const real *v, int full, const real *columns, rom_work *w)
{
  const int mk = m * (m - 1) / 2, mp = rom_padded(m);
  const real *value = w->value;
  real *r = w->r_delta;
  for (int i = 0; i < s; i++) {
    real *B = w->B + i * mp;
    for (int a = 0; a < m; a += ROM_PAD) ROM_PUT(B + a) = ROM_GET(value + l->d + i * m + a);
    for (int j = 0; j < s; j++) {
      if (rom->flat >> j & 1u) continue;
      const real *d_j = w->gradient + (size_t)j * (size_t)rom->n_field + l->d + i * m;
      real vij = v[i] * v[j];
      for (int a = 0; a < m; a += ROM_PAD) ROM_PUT(r + a) -= vij * ROM_GET(d_j + a);
    }
    if (full && !(rom->zero_e >> i & 1u)) {
      real *e_w = w->e_w, v2 = 2.0 * v[i];
      add_skew(m, value + l->e + i * mk, columns + i * m * mp, w->del, w->deld, B, e_w);
      for (int a = 0; a < m; a += ROM_PAD) ROM_PUT(r + a) -= v2 * ROM_GET(e_w + a);
    }
    for (int a = m; a < mp; a++) B[a] = rom_set(0.0);
  }
}

// y = X v, X packed.
ROM_INLINE void packed_product(const int m, const real *restrict X, const real *restrict v,
                               real *restrict y)
{
  for (int i = 0; i < m; X += ++i) {
    const real *below = X + i;
    real sum = rom_set(0.0);
    for (int j = 0; j < i; j++) sum += X[j] * v[j];
    for (int j = i; j < m; below += ++j) sum += *below * v[j];
    y[i] = sum;
  }
}

// E of rom_mass.h, and what (2) and (3) there add to r; sizes: to f, too. With N_bc = sum_ja v_j
// w_a G_abc,j:
//   sum_j v_j E,j w = sum_j v_j G_abc,j w_b delta_c + N delta ,   1/2 w·E,j w = w_a G_abc,j w_b
//                                                                 delta_c
ROM_INLINE void mass_terms(const mw_rom *rom, const int k, const int s, int sizes, const real *v,
                           rom_work *w)
{
  enum { PAIRS = (MW_ROM_MAX_G * (MW_ROM_MAX_G + 1) / 2 + 7) / 8 * 8 };
  const int kk = k * (k + 1) / 2;
  const real *delta = w->del, *rate = w->deld, *G = w->value + w->lay.G;
  real ww[PAIRS], wd[PAIRS], N[PAIRS], y[MW_ROM_MAX_G], sum[MW_ROM_MAX_G], *E = w->E, *P = w->P;
  for (int b = 0, p = 0; b < k; b++) {
    for (int c = 0; c < b; c++, p++) {
      ww[p] = 2.0 * (rate[b] * rate[c]);
      wd[p] = rate[b] * delta[c] + rate[c] * delta[b];
    }
    ww[p] = rate[b] * rate[b];
    wd[p++] = rate[b] * delta[b];
  }
  for (int p = kk; p < rom_padded(kk); p++) ww[p] = wd[p] = rom_set(0.0);
  for (int p = 0; p < rom_padded(kk); p++) N[p] = rom_set(0.0);
  weigh(kk, k, NULL, G, ww, sum);
  for (int j = 0; j < s; j++) {
    if (rom->flat >> j & 1u) continue;
    const real *G_j = w->gradient + (size_t)j * (size_t)rom->n_field + w->lay.G;
    real form = rom_set(0.0);
    weigh(kk, k, NULL, G_j, wd, y);
    for (int a = 0; a < k; a++) {
      form += rate[a] * y[a];
      sum[a] += v[j] * y[a];
      rom_add_row(kk, v[j] * rate[a], G_j + a * kk, N);
    }
    w->r_theta[j] += form;
    if (sizes) w->f_theta[j] += rom_size(form);
  }
  packed_product(k, N, delta, y);
  for (int a = 0; a < k; a++) {
    w->r_delta[a] -= sum[a] + y[a];
    if (sizes) w->f_delta[a] += rom_size(sum[a]) + rom_size(y[a]);
  }
  rom_mass_sum(k, G, delta, P);
  for (int a = 0; a < k; a++)
    for (int b = 0; b < k; b++)
      E[a * MW_ROM_MAX_G + b] = P[a * MW_ROM_MAX_G + b] + P[b * MW_ROM_MAX_G + a];
}

// Numbers of columns that loops are laid out for.
static ROM_APART void add_mass(const mw_rom *rom, int sizes, const real *v, rom_work *w)
{
  int k = rom_n_G(rom), s = rom->s;
  if (k == 6)
    mass_terms(rom, 6, s, sizes, v, w);
  else if (k == 5)
    mass_terms(rom, 5, s, sizes, v, w);
  else if (k == 4)
    mass_terms(rom, 4, s, sizes, v, w);
  else if (k == 3)
    mass_terms(rom, 3, s, sizes, v, w);
  else if (k == 2)
    mass_terms(rom, 2, s, sizes, v, w);
  else
    mass_terms(rom, k, s, sizes, v, w);
}

// (1) and (2) of rom_third.h: into the forms, A and B, and r_delta; sizes: f_delta, too.
ROM_INLINE void third_terms(const mw_rom *rom, const int k, const int s, int sizes, const real *v,
                            rom_work *w, rom_forms *q)
{
  const int kk = k * (k + 1) / 2, kkk = kk * (k + 2) / 3, ss = s * (s + 1) / 2;
  const real *del = w->del, *rate = w->deld;
  const real *A3 = w->value + w->lay.A3, *B2 = w->value + w->lay.B2;
  real xxx[ROM_MAX_CUBE], xxw[ROM_MAX_CUBE], xx[ROM_MAX_SQUARE], xw[ROM_MAX_SQUARE];
  real sum[ROM_MAX_PAIR], S[ROM_MAX_CUBE], N[MW_ROM_MAX_G * ROM_MAX_SQUARE];
  real y[MW_ROM_MAX_G], r[MW_ROM_MAX_G], P[MW_ROM_MAX_G * MW_ROM_MAX_G];
  rom_cubes(k, del, rate, xxx, xxw);
  rom_squares(k, del, rate, xx, xw);
  for (int t = 0; t < rom_padded(kkk); t++) S[t] = rom_set(0.0);
  for (int t = 0; t < rom_padded(k * kk); t++) N[t] = rom_set(0.0);
  weigh(kkk, ss, NULL, A3, xxx, sum);
  for (int p = 0; p < ss; p++) q->A[p] += sum[p];
  weigh(kkk, ss, NULL, A3, xxw, sum);
  for (int p = 0; p < ss; p++) q->A_w[p] += sum[p];
  for (int i = 0; i < s; i++)
    for (int j = 0; j <= i; j++)
      rom_add_row(kkk, i == j ? 0.5 * (v[i] * v[j]) : v[i] * v[j], A3 + pair_of(i, j) * kkk, S);
  rom_cube_slope(k, S, del, r);
  for (int i = 0; i < s; i++) {
    const real *X = B2 + i * k * kk;
    real *B = w->B + i * w->mp;
    weigh(kk, k, NULL, X, xx, y);
    for (int a = 0; a < k; a++) B[a] += y[a];
    weigh(kk, k, NULL, X, xw, y);
    for (int a = 0; a < k; a++) q->H_ww[i] += rate[a] * y[a];
    rom_add_row(k * kk, v[i], X, N);
  }
  for (int j = 0; j < s; j++) {
    if (rom->flat >> j & 1u) continue;
    const real *f = w->gradient + (size_t)j * (size_t)rom->n_field;
    weigh(kkk, ss, NULL, f + w->lay.A3, xxx, sum);
    for (int p = 0; p < ss; p++) q->A_k[j][p] += sum[p];
    for (int i = 0; i < s; i++) {
      real vv = v[i] * v[j];
      weigh(kk, k, NULL, f + w->lay.B2 + i * k * kk, xx, y);
      for (int a = 0; a < k; a++) {
        r[a] -= vv * y[a];
        if (i != j) q->B_kw[j][i] += rate[a] * y[a];
      }
    }
  }
  rom_mass_sum(k, N, del, P);
  for (int a = 0; a < k; a++) {
    real turn = rom_set(0.0);
    for (int b = 0; b < k; b++)
      turn += (P[a * MW_ROM_MAX_G + b] - P[b * MW_ROM_MAX_G + a]) * rate[b];
    r[a] -= 2.0 * turn;
    w->r_delta[a] += r[a];
    if (sizes) w->f_delta[a] += rom_size(r[a]);
  }
}

// Numbers of columns that loops are laid out for.
static ROM_APART void add_third(const mw_rom *rom, int sizes, const real *v, rom_work *w)
{
  int k = rom_n_G(rom), s = rom->s;
  if (k == 6)
    third_terms(rom, 6, s, sizes, v, w, &w->forms);
  else if (k == 4)
    third_terms(rom, 4, s, sizes, v, w, &w->forms);
  else
    third_terms(rom, k, s, sizes, v, w, &w->forms);
}

// What Y_q of a field adds at x; y_dot NULL: to y alone, without gradients.
void rom_add_curvature(const mw_rom *rom, int q, const real *x, const rom_work *w, real *y,
                       real *y_dot, real *y_q)
{
  int s = rom->s, m = rom->m, f = w->lay.Y + q * (m * (m + 1) / 2);
  const real *delta = x + s, *thd = x + s + m, *deld = thd + s;
  real *g = w->image;
  packed_product(m, w->value + f, delta, g);
  *y += 0.5 * rom_dot(m, g, delta);
  if (!y_dot) return;
  *y_dot += rom_dot(m, g, deld);
  for (int a = 0; y_q && a < m; a++) y_q[s + a] += g[a];
  for (int i = 0; i < s; i++) {
    if (rom->flat >> i & 1u) continue;
    real y_i = 0.5 * packed_form(m, w->gradient + (size_t)i * (size_t)rom->n_field + f, delta);
    *y_dot += y_i * thd[i];
    if (y_q) y_q[i] += y_i;
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
  int q = rom_curvature(rom, k);
  if (q >= 0) rom_add_curvature(rom, q, x, w, y, y_dot, y_q);
}

// Force u along field k.
ROM_INLINE void add_force(const mw_rom *rom, const int s, const int m, const int second, int k,
                          const parts *x, real u, int sizes, rom_work *w)
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
  int q = second ? rom_curvature(rom, k) : -1;
  if (q < 0) return;
  f = w->lay.Y + q * (m * (m + 1) / 2);
  for (int i = 0; i < s; i++) {
    if (rom->flat >> i & 1u) continue;
    const real *Y_i = w->gradient + (size_t)i * (size_t)rom->n_field + f;
    real Q = u * (0.5 * packed_form(m, Y_i, x->delta));
    w->r_theta[i] += Q;
    if (sizes) w->f_theta[i] += rom_size(Q);
  }
  packed_product(m, w->value + f, x->delta, w->image);
  for (int a = 0; a < m; a++) {
    real Q = u * w->image[a];
    w->r_delta[a] += Q;
    if (sizes) w->f_delta[a] += rom_size(Q);
  }
}

ROM_INLINE void add_forces(const mw_rom *rom, const int s, const int m, const int second,
                           const real *x, const parts *xp, const real *u, int sizes, rom_work *w)
{
  for (int k = 0; u && k < rom->n_u; k++)
    add_force(rom, s, m, second, rom->u_field[k], xp, u[k], sizes, w);
  for (int k = 0; k < rom->n_law; k++) {
    real y, y_dot, *f = w->law + 6 * k;
    rom_field_rate(rom, rom->law[k].field, x, w, &y, &y_dot, NULL);
    rom_law_at(&rom->law[k], y, y_dot, f);
    add_force(rom, s, m, second, rom->law[k].field, xp, f[0], sizes, w);
  }
}

// second: there may be optional parts.
ROM_INLINE void all_terms(const int s, const int m, const mw_rom *rom, const int second,
                          const mw_rom_opt *opt, const real *x, const real *u, int what,
                          rom_work *w)
{
  const int mk = m * (m - 1) / 2, mp = rom_padded(m);
  const int full = opt->inertia == MW_ROM_FULL, sizes = what & ROM_SIZES;
  const int linear = !(what & ROM_NONLINEAR),
            with_H = second && full && (rom_parts(rom) & MW_ROM_H);
  const mw_rom_layout l = second ? rom_layout_of(rom, s, m) : rom_layout(s, m, rom->n_y, 0, 0, 0);
  parts xp = { x + s, x + s + m, x + s + m + s };
  rom_forms *q = &w->forms;
  const real *K = w->value + l.K, *C = w->value + l.C;
  real *of_C = w->columns + s * m * mp, *of_sum = of_C + m * mp, *of_H = of_sum + m * mp;
  for (int a = 0; a < m; a++) {
    w->del[a] = xp.delta[a];
    w->deld[a] = xp.deld[a];
  }
  for (int a = m; a < mp; a++) w->del[a] = w->deld[a] = rom_set(0.0);
  const int anew = !(what & ROM_SAME);
  for (int i = 0; anew && full && i < s; i++)
    if (!(rom->zero_e >> i & 1u)) lay_skew(m, w->value + l.e + i * mk, w->columns + i * m * mp);
  for (int i = 0; anew && with_H && i < s; i++)
    if (rom_has_H(rom, i)) lay_sym(m, w->value + l.H + i * (m * (m + 1) / 2), of_H + i * m * mp);
  if (linear) lay_sym(m, C, of_C);

  // r_delta: potential and inertia, then the matrices that multiply delta together, then damping
  for (int a = 0; sizes && a < m; a++) w->f_delta[a] = rom_size(w->value[l.U1 + a]);
  if (ROM_PAD == 1) {
    rom_rows_sums(rom, s, m, &l, xp.thd, full, with_H, what & ROM_KEEP, linear ? K : NULL, w,
                  &w->sums);
  } else {
    set_products(m, full, needs_vd(rom, s), w);
    set_skew(rom, s, m, &l, xp.thd, full, w);
    pack_sums(rom, s, m, &l, xp.thd, full, with_H, linear ? K : NULL, w, &w->sums);
    if (full || linear) lay_both(m, w->sym, w->skew, of_sum);
  }
  set_forms(rom, s, m, &l, xp.thd, full, with_H, w, q);
  // as early as can be: it is one long chain of sums, which what follows does not wait for
  if (!second) set_r_theta(rom, s, xp.thd, q, what, 0, w);
  add_convective(rom, s, m, &l, xp.thd, full, w->columns, w);
  if (with_H) add_H(rom, s, m, &l, of_H, w, q);
  if (with_H && rom_has_third(rom, opt)) add_third(rom, sizes, xp.thd, w);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) w->A[i * s + j] = q->A[pair_of(i, j)];
  if (second) set_r_theta(rom, s, xp.thd, q, what, with_H, w);
  if (linear) {
    for (int a = 0; a < m; a += ROM_PAD) ROM_PUT(w->e_w + a) = -ROM_GET(w->deld + a);
    add_sym(m, C, of_C, w->e_w, w->r_delta);
  }
  if (ROM_PAD > 1 && (full || linear)) add_columns(m, of_sum, w->del, 1, w->r_delta);
  for (int a = 0; ROM_PAD == 1 && a < m; a++) w->r_delta[a] += w->both[a];
  for (int a = m; a < mp; a++) w->r_delta[a] = rom_set(0.0);
  if (second && rom_parts(rom) & (MW_ROM_CE | MW_ROM_CC))
    add_dissipation(rom, s, m, &l, xp.thd, sizes, w);
  if (with_H && rom_n_G(rom) > 0) add_mass(rom, sizes, xp.thd, w);
  add_forces(rom, s, m, second, x, &xp, u, sizes, w);
}

void rom_terms(const mw_rom *rom, const mw_rom_opt *opt, const real *x, const real *u, int what,
               rom_work *w)
{
  int s = rom->s, m = rom->m;
  if (rom_parts(rom) || rom_acts_curved(rom)) {
    if (ROM_IS(s, m, 2, 10))
      all_terms(2, 10, rom, 1, opt, x, u, what, w);
    else
      all_terms(s, m, rom, 1, opt, x, u, what, w);
  } else {
    ROM_OF_SIZE(all_terms, s, m, rom, 0, opt, x, u, what, w);
  }
}
