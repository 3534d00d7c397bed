// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian.c: derivatives of the equations of motion, and of the accelerations.
//
//   R(q, v, u; a) = M(q) a - r(q, v, u) ,   d acc = - M⁻¹ dR  at a = acc                          (1)
// With alpha, beta the parts of a, v = thd, w = deld, h_ij = b_ij + 2 c_ij delta, ,k = d/dtheta_k and
// A, B, V as in rom_rhs.c:
//   R_i     = sum_j A_ij alpha_j + B_i·beta + sum_jk A_ij,k v_j v_k + sum_j v_j h_ij·w
//             + sum_j v_j (B_i,j - B_j,i)·w - 1/2 sum_jk A_jk,i v_j v_k + V,i + c_theta_i v_i - Q_i
//   R_delta = sum_i alpha_i B_i + beta + sum_ij v_i v_j B_i,j + 2 sum_i v_i e_i w
//             - 1/2 sum_ij v_i v_j h_ij + K delta + U1 + C w - Q                                  (2)
// d/dtheta_l puts ,l on every field. The rest, with P_i = sum_j v_j e_i,j and G_i = sum_j v_j e_j,i
// (skew), Y_i = 2 sum_j v_j c_ij (symmetric):
//   dR_i/ddelta = (2 sum_j alpha_j c_ij + 2 sum_jk v_j v_k c_ij,k - sum_jk v_j v_k c_jk,i + K,i) delta
//                 + sum_j alpha_j b_ij + sum_jk v_j v_k (b_ij,k - 1/2 b_jk,i) + U1,i
//                 + Y_i w + (G_i - P_i) w - e_i beta - dQ_i/ddelta
//   dR_i/dv_l   = sum_j v_j (A_ij,l + A_il,j - A_lj,i) + h_il·w + (B_i,l - B_l,i)·w + c_theta_i (l = i)
//   dR_i/dw     = Y_i delta + sum_j v_j b_ij + (P_i - G_i) delta + sum_j v_j (d_i,j - d_j,i)
//   dR_delta/ddelta = K - sum_ij v_i v_j c_ij + sum_i alpha_i e_i + sum_i v_i P_i
//   dR_delta/dv_l   = (P_l + G_l) delta + sum_j v_j (d_l,j + d_j,l - b_lj) + 2 e_l w - Y_l delta
//   dR_delta/dw     = C + 2 sum_i v_i e_i                                                         (3)
// A force F along a field y, g = dy/dq, g' = dg/dt, F = u or that of a law at y and dy/dt = g·(v, w):
//   dQ/dq = F y,qq + g (F_y g + F_v g')' ,  dQ/d(v, w) = F_v g g' transposed ,  dQ/du = g          (4)
// inertia LEADING: b, c, e = 0. Packed matrices are summed before they meet a vector. Cost: 40 m²
// products at s = 2 besides the interpolation, about 20 KB read for m = 10. Source of (2): rom_rhs.c;
// (3), (4) are checked against complex steps of the Lagrangian. Allocates nothing.
#include <math.h>

#include "rom_priv.h"

enum {
  JAC_MAX_PAIR = MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2,
  JAC_MAX_TERM = 1 + MW_ROM_MAX_S * (1 + MW_ROM_MAX_S) + JAC_MAX_PAIR
};

// ---- memory -------------------------------------------------------------------------------------

// The next n doubles of base (NULL: measure only), each slice 64-byte aligned.
static double *jac_slice(double *base, size_t *used, int n)
{
  double *at = base ? base + *used : NULL;
  *used += ((size_t)n + 7) / 8 * 8;
  return at;
}

static size_t jac_layout(rom_jac *j, const mw_rom *rom, double *base)
{
  int s = rom->s, m = rom->m, n = s + m, ss = s * (s + 1) / 2, mm = m * (m + 1) / 2,
      mk = m * (m - 1) / 2;
  size_t used = 0;
  j->lay = mw_rom_layout_of(s, m, rom->n_y);
  j->mp = (m + 7) / 8 * 8;
  j->ld = (2 * n + rom->n_u + 7) / 8 * 8;
  j->value = jac_slice(base, &used, j->lay.n);
  j->gradient = jac_slice(base, &used, s * j->lay.n);
  j->hessian = jac_slice(base, &used, ss * j->lay.n);
  j->R = jac_slice(base, &used, n * j->ld);
  j->A = jac_slice(base, &used, s * s);
  j->B = jac_slice(base, &used, s * j->mp);
  j->a = jac_slice(base, &used, n);
  j->dd = jac_slice(base, &used, mm);
  j->dw = jac_slice(base, &used, mm);
  j->ed = jac_slice(base, &used, mk);
  j->eb = jac_slice(base, &used, mk);
  j->sym = jac_slice(base, &used, mm);
  j->skew = jac_slice(base, &used, mk);
  j->P = jac_slice(base, &used, mk);
  j->G = jac_slice(base, &used, mk);
  j->g = jac_slice(base, &used, n);
  j->g_dot = jac_slice(base, &used, n);
  for (int k = 0; k < 5; k++) j->row[k] = jac_slice(base, &used, j->mp);
  j->train = jac_slice(base, &used, rom_second_doubles(rom));
  return used;
}

static size_t sens_layout(rom_sens *w, const mw_rom *rom, char *base)
{
  size_t bytes = mw_rom_work_bytes(rom);
  if (base) rom_work_init(&w->work, rom, base);
  bytes +=
      sizeof(double) * jac_layout(&w->jac, rom, base ? (double *)(void *)(base + bytes) : NULL);
  return bytes;
}

size_t mw_rom_sens_bytes(const mw_rom *rom)
{
  rom_sens w;
  return sens_layout(&w, rom, NULL);
}

void rom_sens_init(rom_sens *w, const mw_rom *rom, void *mem) { (void)sens_layout(w, rom, mem); }

// ---- small sums ---------------------------------------------------------------------------------

static int jac_pair(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

static const double *jac_gradient(const mw_rom *rom, const rom_jac *j, int k)
{
  return j->gradient + (size_t)k * (size_t)rom->n_field;
}

static const double *jac_hessian(const mw_rom *rom, const rom_jac *j, int k, int l)
{
  return j->hessian + (size_t)jac_pair(k, l) * (size_t)rom->n_field;
}

static int jac_is_flat(const mw_rom *rom, int k) { return (int)(rom->flat >> k & 1u); }

static void jac_clear(int n, double *y)
{
  for (int k = 0; k < n; k++) y[k] = 0.0;
}

// y += c x
static void jac_add(int n, double c, const double *restrict x, double *restrict y)
{
  for (int k = 0; k < n; k++) y[k] += c * x[k];
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
  for (; t < sum->n; t++) jac_add(n, scale * sum->c[t], sum->f[t] + offset + sum->p[t] * n, y);
}

// ---- scalars ------------------------------------------------------------------------------------

// Quadratic forms of (2) and their derivatives, pairs ij and kl packed.
typedef struct jac_forms {
  double V2[JAC_MAX_PAIR];                                  // v_i v_j, twice for i != j
  double A_k[MW_ROM_MAX_S][JAC_MAX_PAIR];                   // A_ij,k
  double h[JAC_MAX_PAIR], h_k[MW_ROM_MAX_S][JAC_MAX_PAIR];  // h_ij·w, h_ij,k·w
  double B_kw[MW_ROM_MAX_S][MW_ROM_MAX_S];                  // [k][i]  B_i,k·w
  double B_kb[MW_ROM_MAX_S][MW_ROM_MAX_S];                  // [k][i]  B_i,k·beta
  double A_kl[JAC_MAX_PAIR][JAC_MAX_PAIR];                  // [kl][ij]  A_ij,kl
  double B_klw[JAC_MAX_PAIR][MW_ROM_MAX_S];                 // [kl][i]  B_i,kl·w
  double V_kl[JAC_MAX_PAIR];                                // V,kl
} jac_forms;

// x split into its parts, and a.
typedef struct jac_point {
  int s, m, n, ss, mm, mk, full;
  const double *delta, *v, *w, *alpha, *beta, *u;
} jac_point;

// Weights that turn quadratic forms in packed matrices into scalar products.
static void set_jac_products(const jac_point *x, rom_jac *j)
{
  double *dd = j->dd, *dw = j->dw, *ed = j->ed, *eb = j->eb;
  const double *del = x->delta, *w = x->w, *beta = x->beta;
  for (int a = 0; a < x->m; a++) {
    for (int b = 0; b < a; b++) {
      dd[b] = 2.0 * (del[a] * del[b]);
      dw[b] = 2.0 * (del[a] * w[b] + w[a] * del[b]);
      ed[b] = w[a] * del[b] - del[a] * w[b];
      eb[b] = beta[a] * del[b] - del[a] * beta[b];
    }
    dd[a] = del[a] * del[a];
    dw[a] = 2.0 * (del[a] * w[a]);
    dd += a + 1;
    dw += a + 1;
    ed += a;
    eb += a;
  }
}

// A_ij of a record, pairs packed.
static void set_A_of(const jac_point *x, const rom_jac *j, const double *f, double *A)
{
  for (int p = 0; p < x->ss; p++) {
    A[p] = f[j->lay.a + p];
    if (x->full)
      A[p] += rom_dot(x->m, f + j->lay.b + p * x->m, x->delta) +
              rom_dot(x->mm, f + j->lay.c + p * x->mm, j->dd);
  }
}

// h_ij·w of a record.
static void set_h_of(const jac_point *x, const rom_jac *j, const double *f, double *h)
{
  for (int p = 0; p < x->ss; p++)
    h[p] = x->full ? rom_dot(x->m, f + j->lay.b + p * x->m, x->w) +
                         rom_dot(x->mm, f + j->lay.c + p * x->mm, j->dw)
                   : 0.0;
}

// B_i·y of a record; e: weights of y' E delta.
static void set_B_of(const jac_point *x, const rom_jac *j, const double *f, const double *y,
                     const double *e, double *B)
{
  for (int i = 0; i < x->s; i++) {
    B[i] = rom_dot(x->m, f + j->lay.d + i * x->m, y);
    if (x->full) B[i] += rom_dot(x->mk, f + j->lay.e + i * x->mk, e);
  }
}

static double jac_V_of(const jac_point *x, const rom_jac *j, const double *f)
{
  return 0.5 * rom_dot(x->mm, f + j->lay.K, j->dd) + f[j->lay.U0] +
         rom_dot(x->m, f + j->lay.U1, x->delta);
}

static void set_jac_forms(const mw_rom *rom, const jac_point *x, const rom_jac *j, jac_forms *q)
{
  int s = x->s;
  for (int i = 0, p = 0; i < s; i++)
    for (int k = 0; k <= i; k++, p++) q->V2[p] = (i == k ? 1.0 : 2.0) * (x->v[i] * x->v[k]);
  set_h_of(x, j, j->value, q->h);
  for (int k = 0; k < s; k++) {
    if (jac_is_flat(rom, k)) {  // nothing depends on theta_k
      jac_clear(x->ss, q->A_k[k]);
      jac_clear(x->ss, q->h_k[k]);
      jac_clear(s, q->B_kw[k]);
      jac_clear(s, q->B_kb[k]);
    } else {
      const double *f = jac_gradient(rom, j, k);
      set_A_of(x, j, f, q->A_k[k]);
      set_h_of(x, j, f, q->h_k[k]);
      set_B_of(x, j, f, x->w, j->ed, q->B_kw[k]);
      set_B_of(x, j, f, x->beta, j->eb, q->B_kb[k]);
    }
    for (int l = 0; l <= k; l++) {
      int p = jac_pair(k, l);
      if (jac_is_flat(rom, k) || jac_is_flat(rom, l)) {
        jac_clear(x->ss, q->A_kl[p]);
        jac_clear(s, q->B_klw[p]);
        q->V_kl[p] = 0.0;
        continue;
      }
      const double *f = jac_hessian(rom, j, k, l);
      set_A_of(x, j, f, q->A_kl[p]);
      set_B_of(x, j, f, x->w, j->ed, q->B_klw[p]);
      q->V_kl[p] = jac_V_of(x, j, f);
    }
  }
}

// R_i by theta and thd.
static void set_theta_theta(const mw_rom *rom, const jac_point *x, const jac_forms *q, rom_jac *j)
{
  int s = x->s;
  const double *v = x->v;
  for (int i = 0; i < s; i++) {
    double *by_theta = j->R + i * j->ld, *by_v = by_theta + x->n;
    for (int l = 0; l < s; l++) {
      int il = jac_pair(i, l);
      double sum = q->B_kb[l][i] + q->V_kl[il], slope = q->h[il] + (q->B_kw[l][i] - q->B_kw[i][l]);
      for (int k = 0; k < s; k++) {
        int ik = jac_pair(i, k), kl = jac_pair(k, l);
        double A_vl = 0.0, A_il = 0.0;  // A_ik,jl v_j, A_kj,il v_j
        for (int jj = 0; jj < s; jj++) {
          A_vl += q->A_kl[jac_pair(jj, l)][ik] * v[jj];
          A_il += q->A_kl[il][jac_pair(k, jj)] * v[jj];
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

// ---- rows R_i by delta and deld, columns of R_delta by thd ---------------------------------------

// P_i, G_i; sum_j v_j d_i,j into p, sum_j v_j d_j,i into g.
static void set_P_G(const mw_rom *rom, const jac_point *x, int i, rom_jac *j, double *p, double *g)
{
  jac_sum P = { 0 }, G = { 0 };
  for (int k = 0; k < x->s; k++) {
    if (!jac_is_flat(rom, k)) jac_term(x->v[k], jac_gradient(rom, j, k), i, &P);
    if (!jac_is_flat(rom, i)) jac_term(x->v[k], jac_gradient(rom, j, i), k, &G);
  }
  jac_clear(x->m, p);
  jac_clear(x->m, g);
  jac_add_sum(&P, 1.0, j->lay.d, x->m, p);
  jac_add_sum(&G, 1.0, j->lay.d, x->m, g);
  if (!x->full) return;
  jac_clear(x->mk, j->P);
  jac_clear(x->mk, j->G);
  jac_add_sum(&P, 1.0, j->lay.e, x->mk, j->P);
  jac_add_sum(&G, 1.0, j->lay.e, x->mk, j->G);
}

// dR_i/ddelta of what needs no velocity matrices: the first two lines of (3).
static void set_theta_delta(const mw_rom *rom, const jac_point *x, const jac_forms *q, int i,
                            rom_jac *j, double *out)
{
  int is_flat = jac_is_flat(rom, i);
  const double *f_i = jac_gradient(rom, j, i);
  jac_clear(x->m, out);
  jac_clear(x->mm, j->sym);
  if (!is_flat) {
    jac_add(x->m, 1.0, f_i + j->lay.U1, out);
    jac_add(x->mm, 1.0, f_i + j->lay.K, j->sym);
  }
  if (x->full) {
    jac_sum sum = { 0 };
    for (int k = 0; k < x->s; k++) {
      int ik = jac_pair(i, k);
      jac_term(2.0 * x->alpha[k], j->value, ik, &sum);
      for (int l = 0; l < x->s; l++)
        if (!jac_is_flat(rom, l))
          jac_term(2.0 * (x->v[k] * x->v[l]), jac_gradient(rom, j, l), ik, &sum);
    }
    for (int p = 0; !is_flat && p < x->ss; p++) jac_term(-q->V2[p], f_i, p, &sum);
    jac_add_sum(&sum, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&sum, 0.5, j->lay.b, x->m, out);
  }
  rom_packed_sym_add(x->m, j->sym, x->delta, out);
}

// Row i by delta and deld, and the column of R_delta by thd_i.
static void set_theta_row(const mw_rom *rom, const jac_point *x, const jac_forms *q, int i,
                          rom_jac *j)
{
  int m = x->m, s = x->s, ld = j->ld;
  double *by_delta = j->R + i * ld + s, *by_w = by_delta + x->n,
         *R_delta = j->R + s * ld + x->n + i;
  double *P = j->row[0], *G = j->row[1], *Y = j->row[2], *col = j->row[3];
  set_theta_delta(rom, x, q, i, j, by_delta);
  set_P_G(rom, x, i, j, P, G);
  jac_clear(m, Y);
  jac_clear(m, col);
  if (x->full) {
    const double *e = j->value + j->lay.e + i * x->mk;
    jac_sum sum = { 0 };
    for (int k = 0; k < s; k++) jac_term(2.0 * x->v[k], j->value, jac_pair(i, k), &sum);
    jac_clear(x->mm, j->sym);
    jac_add_sum(&sum, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&sum, 0.5, j->lay.b, m, Y);
    rom_packed_sym_add(m, j->sym, x->delta, Y);
    rom_packed_skew_add(m, j->P, x->delta, P);
    rom_packed_skew_add(m, j->G, x->delta, G);
    rom_packed_skew_add(m, e, x->w, col);
    // (G - P) w + Y w - e beta
    rom_packed_sym_add(m, j->sym, x->w, by_delta);
    for (int k = 0; k < x->mk; k++) {
      j->skew[k] += x->v[i] * j->P[k];
      j->G[k] -= j->P[k];
    }
    rom_packed_skew_add(m, j->G, x->w, by_delta);
    double *minus = j->row[4];
    for (int a = 0; a < m; a++) minus[a] = -x->beta[a];
    rom_packed_skew_add(m, e, minus, by_delta);
  }
  for (int a = 0; a < m; a++) {
    by_w[a] = Y[a] + (P[a] - G[a]);
    R_delta[a * ld] = (P[a] + G[a]) + (2.0 * col[a] - Y[a]);
  }
}

// ---- rows R_delta -------------------------------------------------------------------------------

// R_delta by theta_l.
static void set_delta_theta(const mw_rom *rom, const jac_point *x, const jac_forms *q, int l,
                            rom_jac *j)
{
  int m = x->m, s = x->s, ld = j->ld;
  double *out = j->R + s * ld + l, *col = j->row[0];
  if (jac_is_flat(rom, l)) {
    for (int a = 0; a < m; a++) out[a * ld] = 0.0;
    return;
  }
  const double *f = jac_gradient(rom, j, l);
  jac_sum B = { 0 };
  for (int i = 0; i < s; i++) {
    jac_term(x->alpha[i], f, i, &B);
    for (int k = 0; k < s; k++)
      if (!jac_is_flat(rom, k)) jac_term(x->v[i] * x->v[k], jac_hessian(rom, j, k, l), i, &B);
  }
  jac_clear(m, col);
  jac_add(m, 1.0, f + j->lay.U1, col);
  jac_add_sum(&B, 1.0, j->lay.d, m, col);
  jac_clear(x->mm, j->sym);
  jac_add(x->mm, 1.0, f + j->lay.K, j->sym);
  if (x->full) {
    jac_sum A = { 0 }, G = { 0 };
    for (int p = 0; p < x->ss; p++) jac_term(-q->V2[p], f, p, &A);
    jac_add_sum(&A, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&A, 0.5, j->lay.b, m, col);
    jac_clear(x->mk, j->P);
    jac_add_sum(&B, 1.0, j->lay.e, x->mk, j->P);
    rom_packed_skew_add(m, j->P, x->delta, col);
    for (int i = 0; i < s; i++) jac_term(2.0 * x->v[i], f, i, &G);
    jac_clear(x->mk, j->G);
    jac_add_sum(&G, 1.0, j->lay.e, x->mk, j->G);
    rom_packed_skew_add(m, j->G, x->w, col);
  }
  rom_packed_sym_add(m, j->sym, x->delta, col);
  rom_packed_sym_add(m, f + j->lay.C, x->w, col);
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
static void set_delta_delta(const jac_point *x, const jac_forms *q, rom_jac *j)
{
  int s = x->s;
  double *by_delta = j->R + s * j->ld + s, *by_w = by_delta + x->n;
  const double *K = j->value + j->lay.K;
  for (int k = 0; k < x->mm; k++) j->sym[k] = K[k];
  if (x->full) {
    jac_sum c = { 0 }, e = { 0 }, ew = { 0 };
    for (int p = 0; p < x->ss; p++) jac_term(-q->V2[p], j->value, p, &c);
    for (int i = 0; i < s; i++) {
      jac_term(x->alpha[i], j->value, i, &e);
      jac_term(2.0 * x->v[i], j->value, i, &ew);
    }
    jac_add_sum(&c, 1.0, j->lay.c, x->mm, j->sym);
    jac_add_sum(&e, 1.0, j->lay.e, x->mk, j->skew);
    jac_clear(x->mk, j->P);
    jac_add_sum(&ew, 1.0, j->lay.e, x->mk, j->P);
  }
  jac_unpack(x->m, x->full, j->sym, j->skew, j->ld, by_delta);
  jac_unpack(x->m, x->full, j->value + j->lay.C, j->P, j->ld, by_w);
}

// ---- forces -------------------------------------------------------------------------------------

// First and second derivatives of a field y at delta.
static double jac_y_k(const mw_rom *rom, const rom_jac *j, const double *delta, int k, int f)
{
  const double *y = jac_gradient(rom, j, k) + f;
  return y[0] + (jac_is_flat(rom, k) ? 0.0 : rom_dot(rom->m, y + 1, delta));
}

static double jac_y_kl(const mw_rom *rom, const rom_jac *j, const double *delta, int k, int l,
                       int f)
{
  if (jac_is_flat(rom, k) || jac_is_flat(rom, l)) return 0.0;
  const double *y = jac_hessian(rom, j, k, l) + f;
  return y[0] + rom_dot(rom->m, y + 1, delta);
}

void rom_field_slope(const mw_rom *rom, const rom_jac *j, int field, const double *delta, double *g)
{
  int f = j->lay.y + field * (1 + rom->m);
  for (int i = 0; i < rom->s; i++) g[i] = jac_y_k(rom, j, delta, i, f);
  for (int a = 0; a < rom->m; a++) g[rom->s + a] = j->value[f + 1 + a];
}

void rom_field_curve(const mw_rom *rom, const rom_jac *j, int field, const double *delta,
                     const double *z, double *out)
{
  int s = rom->s, m = rom->m, f = j->lay.y + field * (1 + m);
  jac_clear(s + m, out);
  for (int i = 0; i < s; i++) {
    for (int k = 0; k < s; k++) out[i] += jac_y_kl(rom, j, delta, i, k, f) * z[k];
    if (jac_is_flat(rom, i)) continue;
    const double *y1 = jac_gradient(rom, j, i) + f + 1;
    out[i] += rom_dot(m, y1, z + s);
    jac_add(m, z[i], y1, out + s);
  }
}

// R by theta and delta -= F y,qq
static void add_jac_curve(const mw_rom *rom, const jac_point *x, int field, double F, rom_jac *j)
{
  int s = x->s, m = x->m, ld = j->ld, f = j->lay.y + field * (1 + m);
  for (int i = 0; i < s; i++) {
    for (int l = 0; l < s; l++) j->R[i * ld + l] -= F * jac_y_kl(rom, j, x->delta, i, l, f);
    if (jac_is_flat(rom, i)) continue;
    const double *y1 = jac_gradient(rom, j, i) + f + 1;
    for (int a = 0; a < m; a++) {
      j->R[i * ld + s + a] -= F * y1[a];
      j->R[(s + a) * ld + i] -= F * y1[a];
    }
  }
}

static void add_jac_forces(const mw_rom *rom, const jac_point *x, rom_jac *j)
{
  int n = x->n, ld = j->ld;
  for (int k = 0; k < rom->n_u; k++) {
    rom_field_slope(rom, j, rom->u_field[k], x->delta, j->g);
    add_jac_curve(rom, x, rom->u_field[k], x->u[k], j);
    for (int i = 0; i < n; i++) j->R[i * ld + 2 * n + k] = -j->g[i];
  }
  for (int k = 0; k < rom->n_law; k++) {
    const mw_rom_law *law = &rom->law[k];
    const double *y = j->value + j->lay.y + law->field * (1 + x->m);
    double F[6];
    rom_field_slope(rom, j, law->field, x->delta, j->g);
    rom_field_curve(rom, j, law->field, x->delta, x->v, j->g_dot);
    mw_rom_law_eval(law, y[0] + rom_dot(x->m, y + 1, x->delta), rom_dot(n, j->g, x->v), F);
    add_jac_curve(rom, x, law->field, F[0], j);
    for (int i = 0; i < n; i++) {
      double *row = j->R + i * ld, by_y = j->g[i] * F[1], by_v = j->g[i] * F[2];
      for (int l = 0; l < n; l++) {
        row[l] -= by_y * j->g[l] + by_v * j->g_dot[l];
        row[n + l] -= by_v * j->g[l];
      }
    }
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// A and B at the fields in j.
static void set_mass(const jac_point *x, rom_jac *j)
{
  double A[JAC_MAX_PAIR];
  set_A_of(x, j, j->value, A);
  for (int i = 0; i < x->s; i++) {
    double *B = j->B + i * j->mp;
    for (int k = 0; k < x->s; k++) j->A[i * x->s + k] = A[jac_pair(i, k)];
    for (int a = 0; a < x->m; a++) B[a] = j->value[j->lay.d + i * x->m + a];
    if (x->full) rom_packed_skew_add(x->m, j->value + j->lay.e + i * x->mk, x->delta, B);
  }
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
                   .delta = x + s,
                   .v = x + n,
                   .w = x + n + s,
                   .alpha = j->a,
                   .beta = j->a + s,
                   .u = u };
  set_jac_products(&at, j);
  set_mass(&at, j);
  set_jac_forms(rom, &at, j, &q);
  set_theta_theta(rom, &at, &q, j);
  jac_clear(at.mk, j->skew);
  for (int i = 0; i < s; i++) set_theta_row(rom, &at, &q, i, j);
  for (int l = 0; l < s; l++) set_delta_theta(rom, &at, &q, l, j);
  set_delta_delta(&at, &q, j);
  add_jac_forces(rom, &at, j);
}

// R <- - M⁻¹ R on the free rows, 0 on the prescribed ones; 0: M is not positive definite.
static int jac_solve(const mw_rom *rom, unsigned prescribed, rom_jac *j)
{
  int s = rom->s, m = rom->m, ld = j->ld, nc = 2 * (s + m) + rom->n_u;
  double H[MW_ROM_MAX_S][MW_ROM_MAX_S] = { { 0 } };
  for (int i = 0; i < s; i++) {
    double *T = j->R + i * ld;
    const double *B = j->B + i * j->mp;
    int is_given = (int)(prescribed >> i & 1u);
    for (int c = 0; c < nc; c++) T[c] = is_given ? 0.0 : -T[c];
    for (int a = 0; !is_given && a < m; a++) jac_add(nc, B[a], j->R + (s + a) * ld, T);
    for (int k = 0; k <= i; k++)
      H[i][k] = is_given || (prescribed >> k & 1u)
                    ? 0.0
                    : j->A[i * s + k] - rom_dot(m, B, j->B + k * j->mp);
    if (is_given) H[i][i] = 1.0;
  }
  for (int k = 0; k < s; k++) {
    if (!(H[k][k] > 0.0)) return 0;
    for (int i = k + 1; i < s; i++) {
      double l = H[i][k] / H[k][k];
      for (int c = k + 1; c <= i; c++) H[i][c] -= l * H[c][k];
      jac_add(nc, -l, j->R + k * ld, j->R + i * ld);
      H[k][i] = l;  // upper triangle: L'
    }
  }
  for (int i = s - 1; i >= 0; i--) {
    double *T = j->R + i * ld, per = 1.0 / H[i][i];
    for (int c = 0; c < nc; c++) T[c] *= per;
    for (int k = i + 1; k < s; k++) jac_add(nc, -H[i][k], j->R + k * ld, T);
  }
  for (int a = 0; a < m; a++) {
    double *D = j->R + (s + a) * ld;
    for (int c = 0; c < nc; c++) D[c] = -D[c];
    for (int i = 0; i < s; i++) jac_add(nc, -j->B[i * j->mp + a], j->R + i * ld, D);
  }
  return 1;
}

mw_rom_code mw_rom_jacobian(const mw_rom *rom, const mw_rom_opt *opt, const double *x,
                            const double *u, const double *thdd_p, double *acc, double *acc_x,
                            double *acc_u, void *work, mw_rom_info *info)
{
  rom_sens w;
  rom_sens_init(&w, rom, work);
  rom_jac *j = &w.jac;
  int n = rom->s + rom->m, nx = 2 * n;
  mw_rom_code rc = mw_rom_rhs(rom, opt, x, u, thdd_p, j->g, work, info);
  if (rc != MW_ROM_OK) return rc;
  rom_interpolate_second(rom, opt, x, 0, j);
  rom_terms_derivative(rom, opt, x, u, j->g, j);
  if (!jac_solve(rom, opt->prescribed, j)) return MW_ROM_SINGULAR;
  for (int i = 0; i < n; i++) {
    const double *row = j->R + i * j->ld;
    acc[i] = j->a[i];
    for (int k = 0; k < nx; k++) acc_x[i * nx + k] = row[k];
    for (int k = 0; k < rom->n_u; k++) acc_u[i * rom->n_u + k] = row[nx + k];
  }
  return MW_ROM_OK;
}
