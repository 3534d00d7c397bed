// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian_terms.c: derivatives of the equations of motion.
//
//   R(q, v, u; a) = M(q) a - r(q, v, u)   at fixed a                                            (1)
// With alpha, beta the parts of a, v = thd, w = deld, h_ij = b_ij + 2 c_ij delta, ,k = d/dtheta_k
// and A, B, V as in rom_terms.c (what is of H, CE and CC: rom_jacobian_second.c):
//   R_i     = sum_j A_ij alpha_j + B_i·beta + sum_jk A_ij,k v_j v_k + sum_j v_j h_ij·w
//             + sum_j v_j (B_i,j - B_j,i)·w - 1/2 sum_jk A_jk,i v_j v_k + V,i + c_theta_i v_i - Q_i
//   R_delta = sum_i alpha_i B_i + beta + sum_ij v_i v_j B_i,j + 2 sum_i v_i e_i w
//             - 1/2 sum_ij v_i v_j h_ij + K delta + U1 + C w - Q                                (2)
// d/dtheta_l puts ,l on every field. The rest, with P_i = sum_j v_j e_i,j and G_i = sum_j v_j e_j,i
// (skew), Y_i = 2 sum_j v_j c_ij (symmetric):
//   dR_i/ddelta = (2 sum_j alpha_j c_ij + 2 sum_jk v_j v_k c_ij,k - sum_jk v_j v_k c_jk,i + K,i)
//     delta
//                 + sum_j alpha_j b_ij + sum_jk v_j v_k (b_ij,k - 1/2 b_jk,i) + U1,i
//                 + Y_i w + (G_i - P_i) w - e_i beta - dQ_i/ddelta
//   dR_i/dv_l   = sum_j v_j (A_ij,l + A_il,j - A_lj,i) + h_il·w + (B_i,l - B_l,i)·w + c_theta_i (l
//               = i)
//   dR_i/dw     = Y_i delta + sum_j v_j b_ij + (P_i - G_i) delta + sum_j v_j (d_i,j - d_j,i)
//   dR_delta/ddelta = K - sum_ij v_i v_j c_ij + sum_i alpha_i e_i + sum_i v_i P_i
//   dR_delta/dv_l   = (P_l + G_l) delta + sum_j v_j (d_l,j + d_j,l - b_lj) + 2 e_l w - Y_l delta
//   dR_delta/dw     = C + 2 sum_i v_i e_i                                                       (3)
// inertia LEADING: b, c, e = 0. Packed matrices are summed before they meet a vector. Cost: 40 m²
// products at s = 2 besides the interpolation, about 20 KB read for m = 10. Source of (2):
// rom_terms.c; forces Q: rom_jacobian.c. Allocates nothing.
#include <math.h>

#include "motion/rom_third.h"
#include "rom_derive.h"

enum {
  JAC_MAX_PAIR = MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2,
  JAC_MAX_TERM = 1 + MW_ROM_MAX_S * (1 + MW_ROM_MAX_S) + JAC_MAX_PAIR
};

// Like rom_dot, but the rest of up to seven makes no chain: many short ones are needed here.
static inline double jac_dot(int n, const double *restrict a, const double *restrict b)
{
  double p[8] = { 0.0 };
  int k = 0;
  for (; k + 8 <= n; k += 8)
    for (int l = 0; l < 8; l++) p[l] += a[k + l] * b[k + l];
  if (k + 4 <= n) {
    for (int l = 0; l < 4; l++) p[l] += a[k + l] * b[k + l];
    k += 4;
  }
  if (k + 2 <= n) {
    for (int l = 0; l < 2; l++) p[4 + l] += a[k + l] * b[k + l];
    k += 2;
  }
  if (k < n) p[6] += a[k] * b[k];
  return ((p[0] + p[4]) + (p[1] + p[5])) + ((p[2] + p[6]) + (p[3] + p[7]));
}

// A sum of rows of records: sum_t c_t (field of n doubles, number p_t of its kind, in record f_t).
typedef struct jac_sum {
  int n, p[JAC_MAX_TERM];
  double c[JAC_MAX_TERM];
  const double *f[JAC_MAX_TERM];
} jac_sum;

static void jac_term(double c, const double *f, int p, jac_sum *sum)
{
  sum->c[sum->n] = c;
  sum->f[sum->n] = f;
  sum->p[sum->n++] = p;
}

// y += scale × sum, fields at `offset` of the record, n doubles each: four rows at a time.
static void jac_add_sum(const jac_sum *sum, double scale, int offset, int n, double *restrict y)
{
  int t = 0;
  for (; t + 4 <= sum->n; t += 4) {
    const double *r[4];
    double c[4];
    for (int k = 0; k < 4; k++) {
      r[k] = sum->f[t + k] + offset + sum->p[t + k] * n;
      c[k] = scale * sum->c[t + k];
    }
    const double *r0 = r[0], *r1 = r[1], *r2 = r[2], *r3 = r[3];
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (int k = 0; k < n; k++) y[k] += (c0 * r0[k] + c1 * r1[k]) + (c2 * r2[k] + c3 * r3[k]);
  }
  for (; t < sum->n; t++) rom_jac_add(n, scale * sum->c[t], sum->f[t] + offset + sum->p[t] * n, y);
}

// y += (X + E) v, X symmetric and E skew, both packed: four partial sums a row.
static void jac_multiply(int m, const double *restrict X, const double *restrict E,
                         const double *restrict v, double *restrict y)
{
  for (int i = 0; i < m; i++) {
    double p[4] = { 0.0 }, vi = v[i];
    int k = 0;
    for (; k + 4 <= i; k += 4)
      for (int l = 0; l < 4; l++) {
        p[l] += (X[k + l] + E[k + l]) * v[k + l];
        y[k + l] += (X[k + l] - E[k + l]) * vi;
      }
    for (; k < i; k++) {
      p[0] += (X[k] + E[k]) * v[k];
      y[k] += (X[k] - E[k]) * vi;
    }
    y[i] += ((p[0] + p[2]) + (p[1] + p[3])) + X[i] * vi;
    X += i + 1;
    E += i;
  }
}

// ---- scalars ------------------------------------------------------------------------------------

// Quadratic forms of (2) and their derivatives, pairs ij and kl packed.
typedef struct jac_forms {
  double V2[JAC_MAX_PAIR];                                  // v_i v_j, twice for i != j
  double A_k[MW_ROM_MAX_S][JAC_MAX_PAIR];                   // A_ij,k
  double h[JAC_MAX_PAIR], h_k[MW_ROM_MAX_S][JAC_MAX_PAIR];  // h_ij·w, h_ij,k·w
  double B_kw[MW_ROM_MAX_S][MW_ROM_MAX_S];                  // [k][i]  B_i,k·w
  double V_k[MW_ROM_MAX_S];                                 // V,k
  double B_kb[MW_ROM_MAX_S][MW_ROM_MAX_S];                  // [k][i]  B_i,k·beta
  double A_kl[JAC_MAX_PAIR][JAC_MAX_PAIR];                  // [kl][ij]  A_ij,kl
  double B_klw[JAC_MAX_PAIR][MW_ROM_MAX_S];                 // [kl][i]  B_i,kl·w
  double V_kl[JAC_MAX_PAIR];                                // V,kl
} jac_forms;

// x split into its parts, and a.
typedef struct jac_point {
  int s, m, n, ss, mm, mk, full;
  const double *delta, *v, *w, *alpha, *beta;
  const mw_rom *rom;
} jac_point;

// Is there an e_i, a c_ij that is not 0 everywhere?
static int jac_has_e(const jac_point *x, int i) { return !(x->rom->zero_e >> i & 1u); }
static int jac_has_c(const jac_point *x, int p) { return !(x->rom->zero_c >> p & 1u); }

// Weights that turn quadratic forms in packed matrices into scalar products.
static void set_jac_products(const jac_point *x, rom_jac *j)
{
  double *dd = j->dd, *dw = j->dw, *db = j->db, *ed = j->ed, *eb = j->eb;
  const double *del = x->delta, *w = x->w, *beta = x->beta;
  for (int a = 0; a < x->m; a++) {
    for (int b = 0; b < a; b++) {
      dd[b] = 2.0 * (del[a] * del[b]);
      dw[b] = 2.0 * (del[a] * w[b] + w[a] * del[b]);
      db[b] = 2.0 * (del[a] * beta[b] + beta[a] * del[b]);
      ed[b] = w[a] * del[b] - del[a] * w[b];
      eb[b] = beta[a] * del[b] - del[a] * beta[b];
    }
    dd[a] = del[a] * del[a];
    dw[a] = 2.0 * (del[a] * w[a]);
    db[a] = 2.0 * (del[a] * beta[a]);
    dd += a + 1;
    db += a + 1;
    dw += a + 1;
    ed += a;
    eb += a;
  }
}

// A_ij of a record, pairs packed.
static void set_jac_A_of(const jac_point *x, const rom_jac *j, const double *f, double *A)
{
  for (int p = 0; p < x->ss; p++) {
    A[p] = f[j->lay.a + p];
    if (!x->full) continue;
    double c = jac_has_c(x, p) ? jac_dot(x->mm, f + j->lay.c + p * x->mm, j->dd) : 0.0;
    A[p] += jac_dot(x->m, f + j->lay.b + p * x->m, x->delta) + c;
  }
}

// h_ij·w of a record.
static void set_jac_h_of(const jac_point *x, const rom_jac *j, const double *f, double *h)
{
  for (int p = 0; p < x->ss; p++) {
    h[p] = x->full ? jac_dot(x->m, f + j->lay.b + p * x->m, x->w) : 0.0;
    if (x->full && jac_has_c(x, p)) h[p] += jac_dot(x->mm, f + j->lay.c + p * x->mm, j->dw);
  }
}

// B_i·y of a record; e: weights of y' E delta, h: of 2 y' H delta.
static void set_jac_B_of(const jac_point *x, const rom_jac *j, const double *f, const double *y,
                         const double *e, const double *h, double *B)
{
  for (int i = 0; i < x->s; i++) {
    B[i] = jac_dot(x->m, f + j->lay.d + i * x->m, y);
    if (x->full && jac_has_e(x, i)) B[i] += jac_dot(x->mk, f + j->lay.e + i * x->mk, e);
    if (j->with_H && rom_has_H(x->rom, i))
      B[i] += 0.5 * jac_dot(x->mm, f + j->lay.H + i * x->mm, h);
  }
}

static double jac_V_of(const jac_point *x, const rom_jac *j, const double *f)
{
  return 0.5 * jac_dot(x->mm, f + j->lay.K, j->dd) + f[j->lay.U0] +
         jac_dot(x->m, f + j->lay.U1, x->delta);
}

static void set_jac_forms(const mw_rom *rom, const jac_point *x, const rom_jac *j, jac_forms *q)
{
  int s = x->s;
  for (int i = 0, p = 0; i < s; i++)
    for (int k = 0; k <= i; k++, p++) q->V2[p] = (i == k ? 1.0 : 2.0) * (x->v[i] * x->v[k]);
  set_jac_h_of(x, j, j->value, q->h);
  for (int k = 0; k < s; k++) {
    if (rom_jac_is_flat(rom, k)) {  // nothing depends on theta_k
      rom_jac_clear(x->ss, q->A_k[k]);
      rom_jac_clear(x->ss, q->h_k[k]);
      rom_jac_clear(s, q->B_kw[k]);
      rom_jac_clear(s, q->B_kb[k]);
      q->V_k[k] = 0.0;
    } else {
      const double *f = rom_jac_gradient(rom, j, k);
      set_jac_A_of(x, j, f, q->A_k[k]);
      set_jac_h_of(x, j, f, q->h_k[k]);
      set_jac_B_of(x, j, f, x->w, j->ed, j->dw, q->B_kw[k]);
      set_jac_B_of(x, j, f, x->beta, j->eb, j->db, q->B_kb[k]);
      q->V_k[k] = jac_V_of(x, j, f);
    }
    for (int l = 0; l <= k; l++) {
      int p = rom_jac_pair(k, l);
      if (rom_jac_is_flat(rom, k) || rom_jac_is_flat(rom, l)) {
        rom_jac_clear(x->ss, q->A_kl[p]);
        rom_jac_clear(s, q->B_klw[p]);
        q->V_kl[p] = 0.0;
        continue;
      }
      const double *f = rom_jac_hessian(rom, j, k, l);
      set_jac_A_of(x, j, f, q->A_kl[p]);
      set_jac_B_of(x, j, f, x->w, j->ed, j->dw, q->B_klw[p]);
      q->V_kl[p] = jac_V_of(x, j, f);
    }
  }
}

// R_i itself, but for the forces.
static void set_jac_residual(const mw_rom *rom, const jac_point *x, const jac_forms *q, rom_jac *j)
{
  int s = x->s;
  for (int i = 0; i < s; i++) {
    double R = jac_dot(x->m, j->B + i * j->mp, x->beta) + q->V_k[i] + rom->c_theta[i] * x->v[i];
    for (int k = 0; k < s; k++) {
      double sum = q->h[rom_jac_pair(i, k)] + (q->B_kw[k][i] - q->B_kw[i][k]);
      for (int l = 0; l < s; l++)
        sum += x->v[l] * (q->A_k[l][rom_jac_pair(i, k)] - 0.5 * q->A_k[i][rom_jac_pair(k, l)]);
      R += j->A[i * s + k] * x->alpha[k] + x->v[k] * sum;
    }
    j->residual[i] = R;
  }
}

// R_i by theta and thd.
static void set_jac_theta_theta(const mw_rom *rom, const jac_point *x, const jac_forms *q,
                                rom_jac *j)
{
  int s = x->s;
  const double *v = x->v;
  for (int i = 0; i < s; i++) {
    double *by_theta = j->R + i * j->ld, *by_v = by_theta + x->n;
    for (int l = 0; l < s; l++) {
      int il = rom_jac_pair(i, l);
      double sum = q->B_kb[l][i] + q->V_kl[il], slope = q->h[il] + (q->B_kw[l][i] - q->B_kw[i][l]);
      for (int k = 0; k < s; k++) {
        int ik = rom_jac_pair(i, k), kl = rom_jac_pair(k, l);
        double A_vl = 0.0, A_il = 0.0;  // A_ik,jl v_j, A_kj,il v_j
        for (int jj = 0; jj < s; jj++) {
          A_vl += q->A_kl[rom_jac_pair(jj, l)][ik] * v[jj];
          A_il += q->A_kl[il][rom_jac_pair(k, jj)] * v[jj];
        }
        sum += q->A_k[l][ik] * x->alpha[k];
        sum += v[k] * ((A_vl - 0.5 * A_il) + q->h_k[l][ik]);
        sum += v[k] * (q->B_klw[kl][i] - q->B_klw[il][k]);
        slope += v[k] * ((q->A_k[l][ik] + q->A_k[k][il]) - q->A_k[i][kl]);
      }
      by_theta[l] = sum;
      by_v[l] = slope + (i == l ? rom->c_theta[i] : 0.0);
    }
  }
}

// ---- rows R_i by delta and deld, columns of R_delta by thd --------------------------------------

// P_i, G_i; sum_j v_j d_i,j into p, sum_j v_j d_j,i into g.
static void set_jac_P_G(const mw_rom *rom, const jac_point *x, int i, rom_jac *j, double *p,
                        double *g)
{
  jac_sum P, G;
  P.n = G.n = 0;
  for (int k = 0; k < x->s; k++) {
    if (!rom_jac_is_flat(rom, k)) jac_term(x->v[k], rom_jac_gradient(rom, j, k), i, &P);
    if (!rom_jac_is_flat(rom, i)) jac_term(x->v[k], rom_jac_gradient(rom, j, i), k, &G);
  }
  rom_jac_clear(x->m, p);
  rom_jac_clear(x->m, g);
  jac_add_sum(&P, 1.0, j->lay.d, x->m, p);
  jac_add_sum(&G, 1.0, j->lay.d, x->m, g);
  if (!x->full) return;
  rom_jac_clear(x->mk, j->P);
  rom_jac_clear(x->mk, j->G);
  jac_add_sum(&P, 1.0, j->lay.e, x->mk, j->P);
  jac_add_sum(&G, 1.0, j->lay.e, x->mk, j->G);
}

// dR_i/ddelta of what needs no velocity matrices: the first two lines of (3).
static void set_jac_theta_delta(const mw_rom *rom, const jac_point *x, const jac_forms *q, int i,
                                rom_jac *j, double *out)
{
  int is_flat = rom_jac_is_flat(rom, i);
  const double *f_i = rom_jac_gradient(rom, j, i);
  rom_jac_clear(x->m, out);
  rom_jac_clear(x->mm, j->sym);
  if (!is_flat) {
    rom_jac_add(x->m, 1.0, f_i + j->lay.U1, out);
    rom_jac_add(x->mm, 1.0, f_i + j->lay.K, j->sym);
  }
  if (x->full) {
    jac_sum sum;
    sum.n = 0;
    for (int k = 0; k < x->s; k++) {
      int ik = rom_jac_pair(i, k);
      jac_term(2.0 * x->alpha[k], j->value, ik, &sum);
      for (int l = 0; l < x->s; l++)
        if (l != i && !rom_jac_is_flat(rom, l))
          jac_term(2.0 * (x->v[k] * x->v[l]), rom_jac_gradient(rom, j, l), ik, &sum);
    }
    // of c_jk,i both sums: they cancel for j = i or k = i alone
    for (int k = 0, p = 0; !is_flat && k < x->s; k++)
      for (int l = 0; l <= k; l++, p++)
        if ((k == i) == (l == i)) jac_term(k == i ? q->V2[p] : -q->V2[p], f_i, p, &sum);
    jac_add_sum(&sum, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&sum, 0.5, j->lay.b, x->m, out);
  }
  rom_packed_sym_add(x->m, j->sym, x->delta, out);
}

// Row i by delta and deld, and the column of R_delta by thd_i.
static void set_jac_theta_row(const mw_rom *rom, const jac_point *x, const jac_forms *q, int i,
                              rom_jac *j)
{
  int m = x->m, s = x->s, ld = j->ld;
  double *by_delta = j->R + i * ld + s, *by_w = by_delta + x->n,
         *R_delta = j->R + s * ld + x->n + i;
  double *P = j->row[0], *G = j->row[1], *Y = j->row[2], *col = j->row[3], *ew = j->row[4],
         *Yw = j->row[5];
  set_jac_theta_delta(rom, x, q, i, j, by_delta);
  set_jac_P_G(rom, x, i, j, P, G);
  rom_jac_clear(m, Y);
  rom_jac_clear(m, col);
  rom_jac_clear(m, ew);
  rom_jac_clear(m, by_w);
  if (x->full) {
    const double *e = j->value + j->lay.e + i * x->mk;
    jac_sum sum;
    sum.n = 0;
    for (int k = 0; k < s; k++) jac_term(2.0 * x->v[k], j->value, rom_jac_pair(i, k), &sum);
    rom_jac_clear(x->mm, j->sym);
    jac_add_sum(&sum, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&sum, 0.5, j->lay.b, m, Y);
    // P and G become P - G and P + G
    for (int k = 0; k < x->mk; k++) {
      double p = j->P[k], g = j->G[k];
      j->skew[k] += x->v[i] * p;
      j->P[k] = p - g;
      j->G[k] = p + g;
    }
    rom_jac_clear(m, Yw);
    jac_multiply(m, j->sym, j->P, x->delta, by_w);
    for (int k = 0; k < x->mm; k++) j->sym[k] = -j->sym[k];
    jac_multiply(m, j->sym, j->G, x->delta, col);
    jac_multiply(m, j->sym, j->P, x->w, Yw);  // - (Y + G - P) w
    rom_packed_skew_add(m, e, x->beta, Yw);
    rom_packed_skew_add(m, e, x->w, ew);
    for (int a = 0; a < m; a++) by_delta[a] -= Yw[a];
  }
  for (int a = 0; a < m; a++) {
    by_w[a] += Y[a] + (P[a] - G[a]);
    R_delta[a * ld] = (P[a] + G[a] - Y[a]) + (2.0 * ew[a] + col[a]);
  }
}

// ---- rows R_delta -------------------------------------------------------------------------------

// R_delta by theta_l.
static void set_jac_delta_theta(const mw_rom *rom, const jac_point *x, const jac_forms *q, int l,
                                rom_jac *j)
{
  int m = x->m, s = x->s, ld = j->ld;
  double *out = j->R + s * ld + l, *col = j->row[0];
  if (rom_jac_is_flat(rom, l)) {
    for (int a = 0; a < m; a++) out[a * ld] = 0.0;
    return;
  }
  const double *f = rom_jac_gradient(rom, j, l);
  jac_sum B;
  B.n = 0;
  for (int i = 0; i < s; i++) {
    jac_term(x->alpha[i], f, i, &B);
    for (int k = 0; k < s; k++)
      if (!rom_jac_is_flat(rom, k))
        jac_term(x->v[i] * x->v[k], rom_jac_hessian(rom, j, k, l), i, &B);
  }
  rom_jac_clear(m, col);
  rom_jac_add(m, 1.0, f + j->lay.U1, col);
  jac_add_sum(&B, 1.0, j->lay.d, m, col);
  rom_jac_clear(x->mm, j->sym);
  rom_jac_add(x->mm, 1.0, f + j->lay.K, j->sym);
  if (x->full) {
    jac_sum A, G;
    A.n = G.n = 0;
    for (int p = 0; p < x->ss; p++) jac_term(-q->V2[p], f, p, &A);
    jac_add_sum(&A, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&A, 0.5, j->lay.b, m, col);
    rom_jac_clear(x->mk, j->P);
    jac_add_sum(&B, 1.0, j->lay.e, x->mk, j->P);
    for (int i = 0; i < s; i++) jac_term(2.0 * x->v[i], f, i, &G);
    rom_jac_clear(x->mk, j->G);
    jac_add_sum(&G, 1.0, j->lay.e, x->mk, j->G);
    jac_multiply(m, j->sym, j->P, x->delta, col);
    jac_multiply(m, f + j->lay.C, j->G, x->w, col);
  } else {
    rom_packed_sym_add(m, j->sym, x->delta, col);
    rom_packed_sym_add(m, f + j->lay.C, x->w, col);
  }
  for (int a = 0; a < m; a++) out[a * ld] = col[a];
}

// out [m × m, rows ld apart] = symmetric X + skew E, both packed; full: there is an E.
static void jac_unpack(int m, int full, const double *X, const double *E, int ld, double *out)
{
  for (int a = 0; a < m; a++) {
    for (int b = 0; b < a; b++) {
      double e = full ? E[b] : 0.0;
      out[a * ld + b] = X[b] + e;
      out[b * ld + a] = X[b] - e;
    }
    out[a * ld + a] = X[a];
    X += a + 1;
    E += a;
  }
}

// R_delta by delta and deld; j->skew holds sum_i v_i P_i.
static void set_jac_delta_delta(const jac_point *x, const jac_forms *q, rom_jac *j)
{
  int s = x->s;
  double *by_delta = j->R + s * j->ld + s, *by_w = by_delta + x->n;
  const double *K = j->value + j->lay.K;
  for (int k = 0; k < x->mm; k++) j->sym[k] = K[k];
  if (x->full) {
    jac_sum c, e, ew;
    c.n = e.n = ew.n = 0;
    for (int p = 0; p < x->ss; p++) jac_term(-q->V2[p], j->value, p, &c);
    for (int i = 0; i < s; i++) {
      jac_term(x->alpha[i], j->value, i, &e);
      jac_term(2.0 * x->v[i], j->value, i, &ew);
    }
    jac_add_sum(&c, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&e, 1.0, j->lay.e, x->mk, j->skew);
    rom_jac_clear(x->mk, j->P);
    jac_add_sum(&ew, 1.0, j->lay.e, x->mk, j->P);
  }
  jac_unpack(x->m, x->full, j->sym, j->skew, j->ld, by_delta);
  jac_unpack(x->m, x->full, j->value + j->lay.C, j->P, j->ld, by_w);
}

// ---- the whole ----------------------------------------------------------------------------------

// A and B at the fields in j.
static void set_jac_mass(const jac_point *x, rom_jac *j)
{
  double A[JAC_MAX_PAIR];
  set_jac_A_of(x, j, j->value, A);
  for (int i = 0; i < x->s; i++) {
    double *B = j->B + i * j->mp;
    for (int k = 0; k < x->s; k++) j->A[i * x->s + k] = A[rom_jac_pair(i, k)];
    for (int a = 0; a < x->m; a++) B[a] = j->value[j->lay.d + i * x->m + a];
    if (x->full && jac_has_e(x, i))
      rom_packed_skew_add(x->m, j->value + j->lay.e + i * x->mk, x->delta, B);
    if (j->with_H && rom_has_H(x->rom, i))
      rom_packed_sym_add(x->m, j->value + j->lay.H + i * x->mm, x->delta, B);
  }
  if (!j->with_third) return;
  rom_jac_clear(x->ss, A);
  rom_jac_third_of(x->rom, x->delta, j->value, j, A, j->B, j->mp);
  for (int i = 0; i < x->s; i++)
    for (int k = 0; k < x->s; k++) j->A[i * x->s + k] += A[rom_jac_pair(i, k)];
}

void rom_terms_derivative(const mw_rom *rom, const mw_rom_opt *opt, const double *x,
                          const double *u, const double *a, rom_jac *j)
{
  int s = rom->s, m = rom->m, n = s + m;
  jac_forms q;
  for (int k = 0; k < n; k++) j->a[k] = a ? a[k] : 0.0;
  jac_point at = { .s = s,
                   .m = m,
                   .n = n,
                   .ss = s * (s + 1) / 2,
                   .mm = m * (m + 1) / 2,
                   .mk = m * (m - 1) / 2,
                   .full = opt->inertia == MW_ROM_FULL,
                   .rom = rom,
                   .delta = x + s,
                   .v = x + n,
                   .w = x + n + s,
                   .alpha = j->a,
                   .beta = j->a + s };
  j->with_H = at.full && (rom_parts(rom) & MW_ROM_H);
  j->n_G = at.full ? rom_n_G(rom) : 0;
  j->with_third = rom_has_third(rom, opt);
  set_jac_products(&at, j);
  set_jac_mass(&at, j);
  set_jac_forms(rom, &at, j, &q);
  set_jac_residual(rom, &at, &q, j);
  set_jac_theta_theta(rom, &at, &q, j);
  rom_jac_clear(at.mk, j->skew);
  for (int i = 0; i < s; i++) set_jac_theta_row(rom, &at, &q, i, j);
  for (int l = 0; l < s; l++) set_jac_delta_theta(rom, &at, &q, l, j);
  set_jac_delta_delta(&at, &q, j);
  if (rom_parts(rom)) rom_jac_add_second(rom, x, j);
  if (j->n_G > 0) rom_jac_add_mass(rom, x, j);
  if (j->with_third) rom_jac_add_third(rom, x, j);
  rom_jac_add_forces(rom, x, u, j);
}
