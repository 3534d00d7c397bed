// SPDX-License-Identifier: BSD-3-Clause
// rom_reference.c: two plain ways to the equations of motion of a reduced model.
//
// ref_terms_eval unpacks every field and follows equation (2) of rom_rhs.c with loops over all
// indices. ref_lagrange_residual knows only the Lagrangian: with q = (theta, delta), it forms
//   p_i(q, q') = (L(q, q' + e_i) - L(q, q' - e_i)) / 2       exact, L is quadratic in q'
//   d/dt p_i   = Im p_i(q + iε q', q' + iε z) / ε ,    dL/dq_i = Im L(q + iε e_i, q') / ε
// in complex arithmetic, with a spline evaluation of its own.
#include <complex.h>
#include <math.h>

#include "rom_reference.h"

typedef double complex cplx;

static const double eps_step = 1e-30;

static int sym_index(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

static double skew_sign(int a, int b) { return a > b ? 1.0 : a < b ? -1.0 : 0.0; }
// Of a >= b >= c in any order.
static int cube_index(int a, int b, int c)
{
  int hi = a > b ? a : b, lo = a < b ? a : b;
  if (c > hi) return cube_index(c, hi, lo);
  return hi * (hi + 1) * (hi + 2) / 6 + sym_index(lo, c);
}
static int skew_index(int a, int b) { return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a; }

// ---- plain terms --------------------------------------------------------------------------------

// v, w, delta and the fields at x; k < 0: value, else derivative with respect to theta_k.
typedef struct plain {
  int s, m, n_field, full, third;  // third: columns of A3 and B2
  unsigned parts;
  mw_rom_layout l;
  const double *delta, *v, *w;
  double value[2048], gradient[MW_ROM_MAX_S * 2048];
} plain;

static const double *fields(const plain *p, int k)
{
  return k < 0 ? p->value : p->gradient + k * p->n_field;
}

static double b_ij(const plain *p, int k, int i, int j, int a)
{
  return p->full ? fields(p, k)[p->l.b + sym_index(i, j) * p->m + a] : 0.0;
}

static double c_ij(const plain *p, int k, int i, int j, int a, int b)
{
  return p->full ? fields(p, k)[p->l.c + sym_index(i, j) * p->m * (p->m + 1) / 2 + sym_index(a, b)]
                 : 0.0;
}

static double e_i(const plain *p, int k, int i, int a, int b)
{
  if (!p->full || a == b) return 0.0;
  return skew_sign(a, b) * fields(p, k)[p->l.e + i * p->m * (p->m - 1) / 2 + skew_index(a, b)];
}

static double H_i(const plain *p, int k, int i, int a, int b)
{
  if (!p->full || !(p->parts & MW_ROM_H)) return 0.0;
  return fields(p, k)[p->l.H + i * p->m * (p->m + 1) / 2 + sym_index(a, b)];
}

static double CE_i(const plain *p, int i, int a, int b)
{
  return p->parts & MW_ROM_CE ? p->value[p->l.CE + (i * p->m + a) * p->m + b] : 0.0;
}

static double CC_ij(const plain *p, int i, int j, int a, int b)
{
  if (!(p->parts & MW_ROM_CC)) return 0.0;
  return p->value[p->l.CC + sym_index(i, j) * p->m * (p->m + 1) / 2 + sym_index(a, b)];
}

static double A3_ij(const plain *p, int k, int i, int j, int a, int b, int c)
{
  int n = p->third;
  if (a >= n || b >= n || c >= n) return 0.0;
  return fields(p,
                k)[p->l.A3 + sym_index(i, j) * (n * (n + 1) * (n + 2) / 6) + cube_index(a, b, c)];
}

static double B2_i(const plain *p, int k, int i, int a, int b, int c)
{
  int n = p->third;
  if (a >= n || b >= n || c >= n) return 0.0;
  return fields(p, k)[p->l.B2 + (i * n + a) * (n * (n + 1) / 2) + sym_index(b, c)];
}

// G_abc or G_abc,k
static double G_abc(const mw_rom *rom, const plain *p, int k, int a, int b, int c)
{
  int n = rom->n_G;
  if (!p->full || a >= n || b >= n || c >= n) return 0.0;
  return fields(p, k)[p->l.G + a * (n * (n + 1) / 2) + sym_index(b, c)];
}

// Of a field, 0 where it has none.
static double Y_k(const mw_rom *rom, const plain *p, int k, int field, int a, int b)
{
  for (int q = 0; q < rom->n_Y; q++)
    if (rom->Y_field[q] == field)
      return fields(p, k)[p->l.Y + q * p->m * (p->m + 1) / 2 + sym_index(a, b)];
  return 0.0;
}

static double K_ab(const plain *p, int k, int a, int b)
{
  return fields(p, k)[p->l.K + sym_index(a, b)];
}
static double C_ab(const plain *p, int a, int b) { return p->value[p->l.C + sym_index(a, b)]; }

static void add(double term, double *sum, double *size)
{
  *sum += term;
  *size += fabs(term);
}

// A_ij or A_ij,k
static double A_ij(const plain *p, int k, int i, int j)
{
  double A = fields(p, k)[p->l.a + sym_index(i, j)];
  for (int a = 0; a < p->m; a++) {
    A += b_ij(p, k, i, j, a) * p->delta[a];
    for (int b = 0; b < p->m; b++) A += p->delta[a] * c_ij(p, k, i, j, a, b) * p->delta[b];
    for (int b = 0; b < p->m; b++)
      for (int c = 0; c < p->m; c++)
        A += A3_ij(p, k, i, j, a, b, c) * p->delta[a] * p->delta[b] * p->delta[c];
  }
  return A;
}

// B_ia or B_ia,k
static double B_ia(const plain *p, int k, int i, int a)
{
  double B = fields(p, k)[p->l.d + i * p->m + a];
  for (int b = 0; b < p->m; b++) {
    B += (e_i(p, k, i, a, b) + H_i(p, k, i, a, b)) * p->delta[b];
    for (int c = 0; c < p->m; c++) B += B2_i(p, k, i, a, b, c) * p->delta[b] * p->delta[c];
  }
  return B;
}

static void theta_row(const mw_rom *rom, const plain *p, const double *u, int i, double *r,
                      double *size)
{
  int s = p->s, m = p->m;
  const double *v = p->v, *w = p->w, *del = p->delta;
  for (int j = 0; j < s; j++) {
    for (int k = 0; k < s; k++) {
      add(-A_ij(p, k, i, j) * v[j] * v[k], r, size);
      add(0.5 * A_ij(p, i, j, k) * v[j] * v[k], r, size);
    }
    for (int a = 0; a < m; a++) {
      add(-v[j] * b_ij(p, -1, i, j, a) * w[a], r, size);
      for (int b = 0; b < m; b++)
        add(-2.0 * v[j] * w[a] * c_ij(p, -1, i, j, a, b) * del[b], r, size);
      for (int b = 0; b < m; b++)
        for (int c = 0; c < m; c++)
          add(-3.0 * v[j] * w[a] * A3_ij(p, -1, i, j, a, b, c) * del[b] * del[c], r, size);
      add(-v[j] * B_ia(p, j, i, a) * w[a], r, size);
      add(v[j] * B_ia(p, i, j, a) * w[a], r, size);
    }
  }
  add(-fields(p, i)[p->l.U0], r, size);
  for (int a = 0; a < m; a++) {
    add(-fields(p, i)[p->l.U1 + a] * del[a], r, size);
    for (int b = 0; b < m; b++) {
      add(-0.5 * del[a] * K_ab(p, i, a, b) * del[b], r, size);
      add(-w[a] * H_i(p, -1, i, a, b) * w[b], r, size);
      add(-w[a] * CE_i(p, i, a, b) * del[b], r, size);
      for (int j = 0; j < s; j++) add(-v[j] * del[a] * CC_ij(p, i, j, a, b) * del[b], r, size);
    }
  }
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++)
      for (int c = 0; c < m; c++) {
        add(w[a] * G_abc(rom, p, i, a, b, c) * w[b] * del[c], r, size);
        add(-2.0 * w[a] * B2_i(p, -1, i, a, b, c) * w[b] * del[c], r, size);
      }
  add(-rom->c_theta[i] * v[i], r, size);
  for (int k = 0; k < rom->n_u; k++) {
    const double *y_i = fields(p, i) + p->l.y + rom->u_field[k] * (1 + m);
    add(u[k] * y_i[0], r, size);
    for (int a = 0; a < m; a++) {
      add(u[k] * y_i[1 + a] * del[a], r, size);
      for (int b = 0; b < m; b++)
        add(0.5 * u[k] * del[a] * Y_k(rom, p, i, rom->u_field[k], a, b) * del[b], r, size);
    }
  }
}

static void delta_row(const mw_rom *rom, const plain *p, const double *u, int a, double *r,
                      double *size)
{
  int s = p->s, m = p->m;
  const double *v = p->v, *w = p->w, *del = p->delta;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) {
      add(-v[i] * v[j] * B_ia(p, j, i, a), r, size);
      add(0.5 * v[i] * v[j] * b_ij(p, -1, i, j, a), r, size);
      for (int b = 0; b < m; b++) add(v[i] * v[j] * c_ij(p, -1, i, j, a, b) * del[b], r, size);
      for (int b = 0; b < m; b++)
        for (int c = 0; c < m; c++)
          add(1.5 * v[i] * v[j] * A3_ij(p, -1, i, j, a, b, c) * del[b] * del[c], r, size);
    }
    for (int b = 0; b < m; b++) {
      add(-2.0 * v[i] * e_i(p, -1, i, a, b) * w[b], r, size);
      add(-v[i] * CE_i(p, i, a, b) * del[b], r, size);
      for (int c = 0; c < m; c++) {
        double turn = B2_i(p, -1, i, a, b, c) - B2_i(p, -1, i, b, a, c);
        add(-2.0 * v[i] * turn * w[b] * del[c], r, size);
      }
    }
  }
  for (int b = 0; b < m; b++) {
    add(-K_ab(p, -1, a, b) * del[b], r, size);
    add(-C_ab(p, a, b) * w[b], r, size);
  }
  add(-p->value[p->l.U1 + a], r, size);
  for (int b = 0; b < m; b++)
    for (int c = 0; c < m; c++) {
      add(-G_abc(rom, p, -1, a, b, c) * w[b] * w[c], r, size);
      for (int j = 0; j < s; j++)
        add(-v[j] * (G_abc(rom, p, j, a, b, c) + G_abc(rom, p, j, b, a, c)) * del[c] * w[b], r,
            size);
    }
  for (int k = 0; k < rom->n_u; k++) {
    add(u[k] * p->value[p->l.y + rom->u_field[k] * (1 + m) + 1 + a], r, size);
    for (int b = 0; b < m; b++)
      add(u[k] * Y_k(rom, p, -1, rom->u_field[k], a, b) * del[b], r, size);
  }
}

void ref_terms_eval(const mw_rom *rom, mw_rom_inertia inertia, const double *x, const double *u,
                    ref_terms *t)
{
  static _Thread_local plain p;
  int s = rom->s, m = rom->m;
  p.s = s;
  p.m = m;
  p.n_field = rom->n_field;
  p.full = inertia == MW_ROM_FULL;
  p.parts = rom->parts;
  p.third = p.full && (rom->parts & MW_ROM_THIRD) ? rom->n_G : 0;
  p.l = mw_rom_layout_of(mw_rom_shape_of(rom));
  p.delta = x + s;
  p.v = x + s + m;
  p.w = x + 2 * s + m;
  *t = (ref_terms){ 0 };
  if (mw_rom_fields(rom, x, p.value, p.gradient, NULL) != MW_ROM_OK) return;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < s; j++) t->M[i][j] = A_ij(&p, -1, i, j);
    for (int a = 0; a < m; a++) t->M[i][s + a] = t->M[s + a][i] = B_ia(&p, -1, i, a);
    theta_row(rom, &p, u, i, &t->r[i], &t->size[i]);
  }
  for (int a = 0; a < m; a++) {
    t->M[s + a][s + a] = 1.0;
    for (int b = 0; b < m; b++)
      for (int c = 0; c < m; c++)
        t->M[s + a][s + b] +=
            (G_abc(rom, &p, -1, a, b, c) + G_abc(rom, &p, -1, b, a, c)) * p.delta[c];
    delta_row(rom, &p, u, a, &t->r[s + a], &t->size[s + a]);
  }
}

// ---- from the Lagrangian ------------------------------------------------------------------------

// A number as it is, or with the absolute values of its parts: with abs, sums become sums of
// absolute values.
static cplx num(cplx z, int absolute) { return absolute ? fabs(creal(z)) + fabs(cimag(z)) * I : z; }

// Cubic B-spline weight k of 4 at t in a cell.
static cplx weight(int k, cplx t)
{
  cplx r = 1.0 - t;
  switch (k) {
  case 0: return r * r * r / 6.0;
  case 1: return (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0;
  case 2: return (-3.0 * t * t * t + 3.0 * t * t + 3.0 * t + 1.0) / 6.0;
  default: return t * t * t / 6.0;
  }
}

// All fields at complex theta, cell of the real part.
static void complex_fields(const mw_rom *rom, const cplx *theta, int absolute, cplx *f)
{
  int cell[MW_ROM_MAX_S] = { 0 }, n_corner = 1;
  cplx w[MW_ROM_MAX_S][4];
  for (int i = 0; i < rom->s; i++) {
    cplx x = (theta[i] - rom->lo[i]) * ((rom->n_grid[i] - 1) / (rom->hi[i] - rom->lo[i]));
    cell[i] = (int)fmin(fmax(floor(creal(x)), 0.0), rom->n_grid[i] - 2);
    for (int k = 0; k < 4; k++) w[i][k] = num(weight(k, x - cell[i]), absolute);
    n_corner *= 4;
  }
  for (int k = 0; k < rom->n_field; k++) f[k] = 0.0;
  for (int corner = 0; corner < n_corner; corner++) {
    cplx product = 1.0;
    size_t record = 0;
    for (int i = 0, rest = corner; i < rom->s; i++, rest /= 4) {
      record = record * ((size_t)rom->n_grid[i] + 2) + (size_t)(cell[i] + rest % 4);
      product *= w[i][rest % 4];
    }
    const double *r = rom->coef + record * (size_t)rom->n_field;
    for (int k = 0; k < rom->n_field; k++) f[k] += product * (absolute ? fabs(r[k]) : r[k]);
  }
}

// L, or with `absolute` the sum of its absolute terms. q [s + m], qd [s + m].
static cplx lagrangian(const mw_rom *rom, mw_rom_inertia inertia, const cplx *q, const cplx *qd,
                       int absolute)
{
  static _Thread_local cplx f[2048];
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2,
      full = inertia == MW_ROM_FULL;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(rom));
  int third = full && (rom->parts & MW_ROM_THIRD) ? rom->n_G : 0, square = third * (third + 1) / 2,
      cube = square * (third + 2) / 3;
  cplx del[REF_MAX_M], w[REF_MAX_M], T = 0.0, V;
  complex_fields(rom, q, absolute, f);
  for (int a = 0; a < m; a++) {
    del[a] = num(q[s + a], absolute);
    w[a] = num(qd[s + a], absolute);
    T += 0.5 * w[a] * w[a];
  }
  for (int i = 0; i < s; i++) {
    cplx v_i = num(qd[i], absolute);
    for (int j = 0; j < s; j++) {
      int p = sym_index(i, j);
      cplx A = f[l.a + p];
      for (int a = 0; full && a < m; a++) {
        A += f[l.b + p * m + a] * del[a];
        for (int b = 0; b < m; b++) A += f[l.c + p * mm + sym_index(a, b)] * del[a] * del[b];
      }
      for (int a = 0; a < third; a++)
        for (int b = 0; b < third; b++)
          for (int c = 0; c < third; c++)
            A += f[l.A3 + p * cube + cube_index(a, b, c)] * del[a] * del[b] * del[c];
      T += 0.5 * A * v_i * num(qd[j], absolute);
    }
    for (int a = 0; a < m; a++) {
      cplx B = f[l.d + i * m + a];
      for (int b = 0; full && (rom->parts & MW_ROM_H) && b < m; b++)
        B += f[l.H + i * mm + sym_index(a, b)] * del[b];
      for (int b = 0; full && b < m; b++)
        if (a != b)
          B += (absolute ? 1.0 : skew_sign(a, b)) * f[l.e + i * mk + skew_index(a, b)] * del[b];
      for (int b = 0; a < third && b < third; b++)
        for (int c = 0; c < third; c++)
          B += f[l.B2 + (i * third + a) * square + sym_index(b, c)] * del[b] * del[c];
      T += v_i * B * w[a];
    }
  }
  for (int a = 0, n = full ? rom->n_G : 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        T += w[a] * f[l.G + a * (n * (n + 1) / 2) + sym_index(b, c)] * w[b] * del[c];
  V = f[l.U0];
  for (int a = 0; a < m; a++) {
    V += f[l.U1 + a] * del[a];
    for (int b = 0; b < m; b++) V += 0.5 * f[l.K + sym_index(a, b)] * del[a] * del[b];
  }
  return absolute ? T + V : T - V;
}

// Im (L(q + iε dq, qd + iε dqd)) / ε
static double slope(const mw_rom *rom, mw_rom_inertia inertia, const double *q, const double *qd,
                    const double *dq, const double *dqd, int absolute)
{
  cplx Q[REF_MAX_N], Qd[REF_MAX_N];
  for (int k = 0; k < rom->s + rom->m; k++) {
    Q[k] = q[k] + eps_step * dq[k] * I;
    Qd[k] = qd[k] + eps_step * dqd[k] * I;
  }
  return cimag(lagrangian(rom, inertia, Q, Qd, absolute)) / eps_step;
}

// - dD/dq'_i of the terms with CE and CC of rom.h (5).
static void add_convective(const mw_rom *rom, const double *x, const cplx *f, int i, double *Q,
                           double *size)
{
  int s = rom->s, m = rom->m, n = s + m;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(rom));
  const double *del = x + s, *v = x + n, *w = v + s;
  for (int j = 0; j < s; j++)
    for (int a = 0; a < m; a++)
      for (int b = 0; b < m; b++) {
        double CE = rom->parts & MW_ROM_CE ? creal(f[l.CE + (j * m + a) * m + b]) : 0.0;
        int CC_at = l.CC + sym_index(i < s ? i : 0, j) * (m * (m + 1) / 2) + sym_index(a, b);
        if (i < s && (rom->parts & MW_ROM_CC))
          add(-v[j] * del[a] * creal(f[CC_at]) * del[b], Q, size);
        if (i == j) add(-w[a] * CE * del[b], Q, size);
        if (i == s + a) add(-v[j] * CE * del[b], Q, size);
      }
}

// Generalised force i: sum_k u_k dy_k/dq_i, less damping.
static double force(const mw_rom *rom, const double *x, const double *u, int i, double *size)
{
  static _Thread_local cplx f[2048];
  int s = rom->s, m = rom->m, n = s + m;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(rom));
  cplx q[REF_MAX_N];
  double Q = 0.0;
  for (int k = 0; k < n; k++) q[k] = x[k] + (k == i ? eps_step * I : 0.0);
  complex_fields(rom, q, 0, f);
  for (int k = 0; k < rom->n_u; k++) {
    const cplx *y = f + l.y + rom->u_field[k] * (1 + m);
    cplx sum = y[0];
    for (int a = 0; a < m; a++) {
      sum += y[1 + a] * q[s + a];
      *size += fabs(u[k]) * fabs(cimag(y[1 + a] * q[s + a]) / eps_step);
      for (int c = 0; c < rom->n_Y; c++)
        for (int b = 0; rom->Y_field[c] == rom->u_field[k] && b < m; b++) {
          cplx term = 0.5 * f[l.Y + c * m * (m + 1) / 2 + sym_index(a, b)] * q[s + a] * q[s + b];
          sum += term;
          *size += fabs(u[k]) * fabs(cimag(term) / eps_step);
        }
    }
    *size += fabs(u[k] * cimag(y[0]) / eps_step);
    Q += u[k] * cimag(sum) / eps_step;
  }
  if (i < s) add(-rom->c_theta[i] * x[n + i], &Q, size);
  for (int b = 0; i >= s && b < m; b++)
    add(-creal(f[l.C + sym_index(i - s, b)]) * x[n + s + b], &Q, size);
  add_convective(rom, x, f, i, &Q, size);
  return Q;
}

double ref_lagrange_residual(const mw_rom *rom, mw_rom_inertia inertia, const double *x,
                             const double *u, const double *z, int i, double *size)
{
  int n = rom->s + rom->m;
  const double *q = x, *qd = x + n;
  double up[REF_MAX_N], down[REF_MAX_N], far[REF_MAX_N], unit[REF_MAX_N] = { 0 },
                                                         zero[REF_MAX_N] = { 0 };
  for (int k = 0; k < n; k++) {
    up[k] = qd[k] + (k == i);
    down[k] = qd[k] - (k == i);
    far[k] = fabs(qd[k]) + (k == i);
  }
  unit[i] = 1.0;
  double p_dot =
      0.5 * (slope(rom, inertia, q, up, qd, z, 0) - slope(rom, inertia, q, down, qd, z, 0));
  double dL = slope(rom, inertia, q, qd, unit, zero, 0);
  *size = slope(rom, inertia, q, far, qd, z, 1) + slope(rom, inertia, q, qd, unit, zero, 1);
  double Q = force(rom, x, u, i, size);
  return p_dot - dL - Q;
}
