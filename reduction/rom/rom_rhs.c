// SPDX-License-Identifier: BSD-3-Clause
// rom_rhs.c: equations of motion of the reduced Lagrangian, energy, rest position.
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
// (Coriolis). inertia LEADING: b, c, e = 0. G = I leaves only an s × s system: A - B B'.
//
// Quadratic forms are scalar products of a packed field with a packed product of delta and deld,
// matrix fields are summed over i, j before they multiply a vector. Cost: about 4 n_field products
// after the interpolation. The plain version of (2) is tests/reduction/rom_reference.c. Allocates
// nothing.
#include <math.h>

#include "rom_priv.h"

enum { MAX_PAIR = MW_ROM_MAX_S * (MW_ROM_MAX_S + 1) / 2 };

// x split into its parts.
typedef struct parts {
  const double *theta, *delta, *thd, *deld;
} parts;

static parts parts_of(const mw_rom *rom, const double *x)
{
  int n = rom->s + rom->m;
  return (parts){ x, x + rom->s, x + n, x + n + rom->s };
}

// Scalars of (1) and their derivatives, pairs ij packed.
typedef struct forms {
  double A[MAX_PAIR], A_k[MW_ROM_MAX_S][MAX_PAIR];  // A_ij, A_ij,k
  double A_w[MAX_PAIR];                             // (b_ij + 2 c_ij delta)·w
  double B_kw[MW_ROM_MAX_S][MW_ROM_MAX_S];          // [k][i]  B_i,k·w
  double V_k[MW_ROM_MAX_S],
      V_size[MW_ROM_MAX_S];  // V,k and the sum of the absolute values of its terms
} forms;

static int pair(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// Weights that turn quadratic forms in packed matrices into scalar products.
static void set_products(int m, const parts *x, int full, rom_work *w)
{
  const double *del = x->delta, *deld = x->deld;
  double *dd = w->dd, *dv = w->dv, *vd = w->vd;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < i; j++) dd[j] = 2.0 * (del[i] * del[j]);
    dd[i] = del[i] * del[i];
    dd += i + 1;
    if (!full) continue;
    for (int j = 0; j < i; j++) {
      double ij = del[i] * deld[j], ji = deld[i] * del[j];
      dv[j] = 2.0 * (ij + ji);
      vd[j] = ji - ij;
    }
    dv[i] = 2.0 * (del[i] * deld[i]);
    dv += i + 1;
    vd += i;
  }
}

static void set_forms(const mw_rom *rom, const parts *x, int full, const rom_work *w, forms *q)
{
  int s = rom->s, m = rom->m, ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const mw_rom_layout *l = &w->lay;
  for (int k = -1; k < s; k++) {  // -1: values
    const double *f = k < 0 ? w->value : w->gradient + (size_t)k * (size_t)rom->n_field;
    double *A = k < 0 ? q->A : q->A_k[k];
    if (k >= 0 && (rom->flat >> k & 1u)) {  // nothing depends on theta_k
      for (int p = 0; p < ss; p++) A[p] = 0.0;
      for (int i = 0; i < s; i++) q->B_kw[k][i] = 0.0;
      q->V_k[k] = q->V_size[k] = 0.0;
      continue;
    }
    for (int p = 0; p < ss; p++) {
      A[p] = f[l->a + p];
      if (full)
        A[p] += rom_dot(m, f + l->b + p * m, x->delta) + rom_dot(mm, f + l->c + p * mm, w->dd);
    }
    if (k < 0) continue;
    for (int i = 0; i < s; i++) {
      q->B_kw[k][i] = rom_dot(m, f + l->d + i * m, x->deld);
      if (full) q->B_kw[k][i] += rom_dot(mk, f + l->e + i * mk, w->vd);
    }
    double K_k = 0.5 * rom_dot(mm, f + l->K, w->dd), U1_k = rom_dot(m, f + l->U1, x->delta);
    q->V_k[k] = K_k + f[l->U0] + U1_k;
    q->V_size[k] = fabs(K_k) + fabs(f[l->U0]) + fabs(U1_k);
  }
  for (int p = 0; p < ss; p++)
    q->A_w[p] = full ? rom_dot(m, w->value + l->b + p * m, x->deld) +
                           rom_dot(mm, w->value + l->c + p * mm, w->dv)
                     : 0.0;
}

static void set_r_theta(const mw_rom *rom, const parts *x, const forms *q, rom_work *w)
{
  int s = rom->s;
  const double *v = x->thd;
  for (int i = 0; i < s; i++) {
    double d_dt = 0.0, dL = 0.0, size = 0.0;
    for (int j = 0; j < s; j++) {
      double A_dot = q->A_w[pair(i, j)], A_i = 0.0;
      for (int k = 0; k < s; k++) {
        A_dot += q->A_k[k][pair(i, j)] * v[k];
        A_i += q->A_k[i][pair(j, k)] * v[k];
      }
      d_dt += v[j] * (A_dot + q->B_kw[j][i]);
      dL += v[j] * (0.5 * A_i + q->B_kw[i][j]);
      size +=
          fabs(v[j]) * (fabs(A_dot) + fabs(q->B_kw[j][i]) + 0.5 * fabs(A_i) + fabs(q->B_kw[i][j]));
    }
    double damp = rom->c_theta[i] * v[i];
    w->r_theta[i] = dL - d_dt - q->V_k[i] - damp;
    w->f_theta[i] = size + q->V_size[i] + fabs(damp);
  }
}

// B_i, and the inertia terms of r_delta.
static void add_convective(const mw_rom *rom, const parts *x, int full, rom_work *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const mw_rom_layout *l = &w->lay;
  const double *v = x->thd, *value = w->value;
  double *r = w->r_delta;
  for (int a = 0; full && a < mk; a++) w->skew1[a] = w->skew2[a] = 0.0;
  for (int i = 0; i < s; i++) {
    double *B = w->B + i * w->mp;
    for (int a = 0; a < m; a++) B[a] = value[l->d + i * m + a];
    for (int j = 0; j < s; j++) {
      if (rom->flat >> j & 1u) continue;
      const double *f_j = w->gradient + (size_t)j * (size_t)rom->n_field;
      double vij = v[i] * v[j];
      for (int a = 0; a < m; a++) r[a] -= vij * f_j[l->d + i * m + a];
      for (int a = 0; full && a < mk; a++) w->skew2[a] += vij * f_j[l->e + i * mk + a];
    }
    if (!full) continue;
    const double *e = value + l->e + i * mk;
    rom_packed_skew_add(m, e, x->delta, B);
    for (int a = 0; a < mk; a++) w->skew1[a] -= 2.0 * v[i] * e[a];
    for (int j = 0; j <= i; j++) {
      double vij = (i == j ? 1.0 : 2.0) * v[i] * v[j];
      const double *b = value + l->b + pair(i, j) * m, *c = value + l->c + pair(i, j) * mm;
      for (int a = 0; a < m; a++) r[a] += 0.5 * vij * b[a];
      for (int a = 0; a < mm; a++) w->sym[a] += vij * c[a];
    }
  }
  if (full) {
    for (int a = 0; a < mk; a++) w->skew2[a] = -w->skew2[a];
    rom_packed_skew_add(m, w->skew1, x->deld, r);
    rom_packed_skew_add(m, w->skew2, x->delta, r);
  }
}

static void add_inputs(const mw_rom *rom, const parts *x, const double *u, rom_work *w)
{
  int s = rom->s, m = rom->m;
  for (int k = 0; k < rom->n_u; k++) {
    int f = w->lay.y + rom->u_field[k] * (1 + m);
    for (int i = 0; i < s; i++) {
      const double *y_i = w->gradient + (size_t)i * (size_t)rom->n_field + f;
      double y1 = rom->flat >> i & 1u ? 0.0 : rom_dot(m, y_i + 1, x->delta),
             Q = u[k] * (y_i[0] + y1);
      w->r_theta[i] += Q;
      w->f_theta[i] += fabs(Q);
    }
    for (int a = 0; a < m; a++) {
      double Q = u[k] * w->value[f + 1 + a];
      w->r_delta[a] += Q;
      w->f_delta[a] += fabs(Q);
    }
  }
}

void rom_terms(const mw_rom *rom, const mw_rom_opt *opt, const double *x, const double *u,
               rom_work *w)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, full = opt->inertia == MW_ROM_FULL;
  parts xp = parts_of(rom, x);
  forms q;
  set_products(m, &xp, full, w);
  set_forms(rom, &xp, full, w, &q);
  set_r_theta(rom, &xp, &q, w);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) w->A[i * s + j] = q.A[pair(i, j)];

  // r_delta: potential and inertia, then the matrices that multiply delta together, then damping
  const double *U1 = w->value + w->lay.U1, *K = w->value + w->lay.K, *C = w->value + w->lay.C;
  for (int a = 0; a < m; a++) {
    w->r_delta[a] = -U1[a];
    w->f_delta[a] = fabs(U1[a]);
  }
  for (int a = 0; a < mm; a++) w->sym[a] = -K[a];
  add_convective(rom, &xp, full, w);
  rom_packed_sym_add(m, w->sym, xp.delta, w->r_delta);
  for (int a = 0; a < m; a++) w->tmp[a] = -xp.deld[a];
  rom_packed_sym_add(m, C, w->tmp, w->r_delta);
  add_inputs(rom, &xp, u, w);
}

mw_rom_code mw_rom_rhs(const mw_rom *rom, const mw_rom_opt *opt, const double *x, const double *u,
                       const double *thdd_p, double *acc, void *work, mw_rom_info *info)
{
  mw_rom_code rc = rom_check_state(rom, x, info);
  if (rc == MW_ROM_OK) rc = rom_check_input(rom, opt, u, thdd_p, info);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, work);
  int s = rom->s, m = rom->m, n = s + m;
  rom_interpolate(rom, opt, x, &w);
  rom_terms(rom, opt, x, u, &w);

  // known accelerations to the right: r - A thdd_p, r - B' thdd_p
  double res[MW_ROM_MAX_S], given[MW_ROM_MAX_S] = { 0 };
  for (int j = 0; j < s; j++)
    if (thdd_p && (opt->prescribed >> j & 1u)) given[j] = thdd_p[j];
  for (int a = 0; a < m; a++) w.res[a] = w.r_delta[a];
  for (int i = 0; i < s; i++) {
    res[i] = w.r_theta[i];
    for (int j = 0; j < s; j++) res[i] -= w.A[i * s + j] * given[j];
    for (int a = 0; a < m; a++) w.res[a] -= w.B[i * w.mp + a] * given[i];
  }
  rc = rom_solve(s, m, &w, w.B, opt->prescribed, res, w.res, w.acc, w.acc + s);
  if (rc != MW_ROM_OK) return rc;
  for (int i = 0; i < s; i++) w.acc[i] += given[i];
  for (int i = 0; i < n; i++)
    if (!isfinite(w.acc[i])) return rom_blame(info, MW_ROM_NAN, i);
  for (int i = 0; i < n; i++) acc[i] = w.acc[i];
  return MW_ROM_OK;
}

mw_rom_code mw_rom_energy(const mw_rom *rom, const mw_rom_opt *opt, const double *x, double *T,
                          double *V, double *dissipated, void *work, mw_rom_info *info)
{
  mw_rom_code rc = rom_check_state(rom, x, info);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, work);
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2,
      full = opt->inertia == MW_ROM_FULL;
  const mw_rom_layout *l = &w.lay;
  parts xp = parts_of(rom, x);
  rom_interpolate(rom, opt, x, &w);
  set_products(m, &xp, full, &w);

  // T and V term by term of (1)
  const double *f = w.value, *v = xp.thd;
  double kinetic = 0.5 * rom_dot(m, xp.deld, xp.deld);
  for (int i = 0; i < s; i++) {
    double Bw = rom_dot(m, f + l->d + i * m, xp.deld);
    if (full) Bw += rom_dot(mk, f + l->e + i * mk, w.vd);
    kinetic += v[i] * Bw;
    for (int j = 0; j <= i; j++) {
      int p = pair(i, j);
      double A = f[l->a + p];
      if (full) A += rom_dot(m, f + l->b + p * m, xp.delta) + rom_dot(mm, f + l->c + p * mm, w.dd);
      kinetic += (i == j ? 0.5 : 1.0) * A * v[i] * v[j];
    }
  }
  *T = kinetic;
  *V = 0.5 * rom_dot(mm, f + l->K, w.dd) + f[l->U0] + rom_dot(m, f + l->U1, xp.delta);
  if (dissipated) {
    for (int a = 0; a < m; a++) w.tmp[a] = 0.0;
    rom_packed_sym_add(m, f + l->C, xp.deld, w.tmp);
    *dissipated = rom_dot(m, w.tmp, xp.deld);
    for (int i = 0; i < s; i++) *dissipated += rom->c_theta[i] * v[i] * v[i];
  }
  return MW_ROM_OK;
}

mw_rom_code mw_rom_static(const mw_rom *rom, const double *theta, const double *u, double *delta,
                          void *work, mw_rom_info *info)
{
  mw_rom_code rc = rom_check_theta(rom, theta, info);
  for (int k = 0; rc == MW_ROM_OK && u && k < rom->n_u; k++)
    if (!isfinite(u[k])) rc = rom_blame(info, MW_ROM_NAN, 2 * (rom->s + rom->m) + k);
  if (rc != MW_ROM_OK) return rc;
  rom_work w;
  rom_work_init(&w, rom, work);
  int m = rom->m, mp = w.mp;
  mw_rom_opt opt = mw_rom_opt_default();
  opt.inertia = MW_ROM_LEADING;
  rom_interpolate(rom, &opt, theta, &w);
  const double *K = w.value + w.lay.K;
  for (int i = 0; i < m * mp; i++) w.S[i] = 0.0;
  for (int i = 0, p = 0; i < m; i++)
    for (int j = 0; j <= i; j++, p++) w.S[i * mp + j] = w.S[j * mp + i] = K[p];
  if (!rom_invert(m, mp, w.S)) return MW_ROM_SINGULAR;

  // delta = K⁻¹ f, then two corrections with the residual: as accurate as a triangular solve
  double *f = w.f_delta, *x = w.r_delta;
  for (int a = 0; a < m; a++) {
    f[a] = -w.value[w.lay.U1 + a];
    for (int k = 0; u && k < rom->n_u; k++)
      f[a] += u[k] * w.value[w.lay.y + rom->u_field[k] * (1 + m) + 1 + a];
    x[a] = 0.0;
  }
  for (int pass = 0; pass < 3; pass++) {
    for (int a = 0; a < m; a++) w.res[a] = 0.0;
    rom_packed_sym_add(m, K, x, w.res);
    for (int a = 0; a < m; a++) w.res[a] = f[a] - w.res[a];
    rom_symv(m, mp, w.S, w.res, w.tmp);
    for (int a = 0; a < m; a++) x[a] += w.tmp[a];
  }
  for (int a = 0; a < m; a++)
    if (!(fabs(x[a]) <= rom->delta_max[a]))
      return rom_blame(info, isfinite(x[a]) ? MW_ROM_DELTA : MW_ROM_NAN, a);
  for (int a = 0; a < m; a++) delta[a] = x[a];
  return MW_ROM_OK;
}
