// SPDX-License-Identifier: BSD-3-Clause
// rom_complex.c: equation (2) of rom_rhs.c and the outputs term by term, in complex arithmetic.
//
// Fields and their derivatives by theta are sums over all corners of the cell of products of the
// B-spline pieces' derivatives, laws the formulas (8), (9) of rom.h. Nothing is shared with the
// code under test but the record's offsets.
#include <math.h>
#include <stdlib.h>

#include "rom_complex.h"

enum { MAX_FIELD = 2048 };

// Re + i Im with absolute values
static cplx num(int how, cplx z)
{
  return how == CPLX_ABSOLUTE ? fabs(creal(z)) + fabs(cimag(z)) * I : z;
}
static double minus(int how) { return how == CPLX_ABSOLUTE ? 1.0 : -1.0; }
static int sym(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

// Piece k of the cubic B-spline in a cell of width 1 at t, its derivative of order 0, 1, 2.
static cplx piece(int k, int order, cplx t)
{
  // coefficients of 1, t, t², t³, times 6
  static const double c[4][4] = {
    { 1, -3, 3, -1 }, { 4, 0, -6, 3 }, { 1, 3, 3, -3 }, { 0, 0, 0, 1 }
  };
  if (order == 0) return (c[k][0] + t * (c[k][1] + t * (c[k][2] + t * c[k][3]))) / 6.0;
  if (order == 1) return (c[k][1] + t * (2.0 * c[k][2] + t * 3.0 * c[k][3])) / 6.0;
  return (2.0 * c[k][2] + t * 6.0 * c[k][3]) / 6.0;
}

// All fields, differentiated by theta_k and theta_l (-1: not).
static void fields(const mw_rom *rom, int how, const cplx *theta, int k, int l, cplx *f)
{
  int s = rom->s, cell[MW_ROM_MAX_S] = { 0 }, n_corner = 1;
  cplx w[MW_ROM_MAX_S][4];
  for (int i = 0; i < s; i++) {
    if (rom->flat >> i & 1u) continue;
    double per = (rom->n_grid[i] - 1) / (rom->hi[i] - rom->lo[i]);
    int order = (k == i) + (l == i);
    cplx at = (theta[i] - rom->lo[i]) * per;
    cell[i] = (int)fmin(fmax(floor(creal(at)), 0.0), rom->n_grid[i] - 2);
    for (int q = 0; q < 4; q++) w[i][q] = num(how, piece(q, order, at - cell[i]) * pow(per, order));
    n_corner *= 4;
  }
  int any_flat = (k >= 0 && (rom->flat >> k & 1u)) || (l >= 0 && (rom->flat >> l & 1u));
  for (int q = 0; q < rom->n_field; q++) f[q] = 0.0;
  for (int corner = 0; !any_flat && corner < n_corner; corner++) {
    cplx product = 1.0;
    size_t record = 0;
    for (int i = 0, rest = corner; i < s; i++) {
      if (rom->flat >> i & 1u) continue;
      record = record * ((size_t)rom->n_grid[i] + 2) + (size_t)(cell[i] + rest % 4);
      product *= w[i][rest % 4];
      rest /= 4;
    }
    const double *r = rom->coef + record * (size_t)rom->n_field;
    for (int q = 0; q < rom->n_field; q++) f[q] += product * num(how, r[q]);
  }
  int y = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  for (int i = 0; i < s; i++)
    for (int q = 0; (rom->flat >> i & 1u) && q < rom->n_y; q++) {
      double slope = creal(num(how, rom->y_slope[i * rom->n_y + q]));
      cplx *y0 = f + y + q * (1 + rom->m);
      if (k < 0 && l < 0) *y0 += slope * num(how, theta[i] - rom->lo[i]);
      if ((k == i && l < 0) || (l == i && k < 0)) *y0 += slope;
    }
}

// Everything that the terms are made of; f[0]: values, f[1 + k]: derivatives by theta_k.
typedef struct terms {
  const mw_rom *rom;
  int s, m, full, how;
  mw_rom_layout l;
  cplx del[REF_MAX_M], v[MW_ROM_MAX_S], w[REF_MAX_M];
  cplx f[1 + MW_ROM_MAX_S][MAX_FIELD];
} terms;

static cplx b_of(const terms *t, int k, int i, int j, int a)
{
  return t->full ? t->f[1 + k][t->l.b + sym(i, j) * t->m + a] : 0.0;
}
static cplx c_of(const terms *t, int k, int i, int j, int a, int b)
{
  return t->full ? t->f[1 + k][t->l.c + sym(i, j) * t->m * (t->m + 1) / 2 + sym(a, b)] : 0.0;
}
static cplx e_of(const terms *t, int k, int i, int a, int b)
{
  if (!t->full || a == b) return 0.0;
  int p = a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
  double sign = a > b ? 1.0 : minus(t->how);
  return sign * t->f[1 + k][t->l.e + i * t->m * (t->m - 1) / 2 + p];
}
static cplx H_of(const terms *t, int k, int i, int a, int b)
{
  if (!t->full || !(t->rom->parts & MW_ROM_H)) return 0.0;
  return t->f[1 + k][t->l.H + i * t->m * (t->m + 1) / 2 + sym(a, b)];
}
static cplx CE_of(const terms *t, int i, int a, int b)
{
  return t->rom->parts & MW_ROM_CE ? t->f[0][t->l.CE + (i * t->m + a) * t->m + b] : 0.0;
}
static cplx CC_of(const terms *t, int i, int j, int a, int b)
{
  if (!(t->rom->parts & MW_ROM_CC)) return 0.0;
  return t->f[0][t->l.CC + sym(i, j) * t->m * (t->m + 1) / 2 + sym(a, b)];
}
// Of the first n_G columns, else 0.
static cplx G_of(const terms *t, int k, int a, int b, int c)
{
  int n = t->full ? t->rom->n_G : 0;
  if (a >= n || b >= n || c >= n) return 0.0;
  return t->f[1 + k][t->l.G + a * (n * (n + 1) / 2) + sym(b, c)];
}
static int third_of(const terms *t)
{
  return t->full && (t->rom->parts & MW_ROM_THIRD) ? t->rom->n_G : 0;
}
// Of the first n_G columns; a, b, c in any order.
static cplx A3_of(const terms *t, int k, int i, int j, int a, int b, int c)
{
  int n = third_of(t), hi = a > b ? a : b, lo = a < b ? a : b, mid = c > hi ? hi : c > lo ? c : lo;
  int top = c > hi ? c : hi, low = c < lo ? c : lo;
  if (top >= n) return 0.0;
  return t->f[1 + k][t->l.A3 + sym(i, j) * (n * (n + 1) * (n + 2) / 6) +
                     top * (top + 1) * (top + 2) / 6 + mid * (mid + 1) / 2 + low];
}
static cplx B2_of(const terms *t, int k, int i, int a, int b, int c)
{
  int n = third_of(t);
  if (a >= n || b >= n || c >= n) return 0.0;
  return t->f[1 + k][t->l.B2 + (i * n + a) * (n * (n + 1) / 2) + sym(b, c)];
}
// Y of a field in a record f.
static cplx Y_in(const terms *t, const cplx *f, int field, int a, int b)
{
  for (int q = 0; q < t->rom->n_Y; q++)
    if (t->rom->Y_field[q] == field) return f[t->l.Y + q * t->m * (t->m + 1) / 2 + sym(a, b)];
  return 0.0;
}
static cplx K_of(const terms *t, int k, int a, int b) { return t->f[1 + k][t->l.K + sym(a, b)]; }

static cplx A_of(const terms *t, int k, int i, int j)
{
  cplx A = t->f[1 + k][t->l.a + sym(i, j)];
  for (int a = 0; a < t->m; a++) {
    A += b_of(t, k, i, j, a) * t->del[a];
    for (int b = 0; b < t->m; b++) A += c_of(t, k, i, j, a, b) * t->del[a] * t->del[b];
    for (int b = 0; b < t->m; b++)
      for (int c = 0; c < t->m; c++)
        A += A3_of(t, k, i, j, a, b, c) * t->del[a] * t->del[b] * t->del[c];
  }
  return A;
}
static cplx B_of(const terms *t, int k, int i, int a)
{
  cplx B = t->f[1 + k][t->l.d + i * t->m + a];
  for (int b = 0; b < t->m; b++) {
    B += (e_of(t, k, i, a, b) + H_of(t, k, i, a, b)) * t->del[b];
    for (int c = 0; c < t->m; c++) B += B2_of(t, k, i, a, b, c) * t->del[b] * t->del[c];
  }
  return B;
}
static cplx y_of(const terms *t, int k, int field)
{
  const cplx *y = t->f[1 + k] + t->l.y + field * (1 + t->m);
  cplx sum = y[0];
  for (int a = 0; a < t->m; a++) {
    sum += y[1 + a] * t->del[a];
    for (int b = 0; b < t->m; b++)
      sum += 0.5 * Y_in(t, t->f[1 + k], field, a, b) * t->del[a] * t->del[b];
  }
  return sum;
}
// dy/ddelta_a, k as before.
static cplx y1_of(const terms *t, int k, int field, int a)
{
  cplx sum = t->f[1 + k][t->l.y + field * (1 + t->m) + 1 + a];
  for (int b = 0; b < t->m; b++) sum += Y_in(t, t->f[1 + k], field, a, b) * t->del[b];
  return sum;
}

// Force of a law; absolute: sizes of its value and slopes with the bounds of y and v.
static cplx law_of(const mw_rom_law *law, int how, cplx y, cplx v, cplx y_size, cplx v_size)
{
  if (how == CPLX_ABSOLUTE) {
    double f[6];
    mw_rom_law_eval(law, creal(y), creal(v), f);
    return fabs(f[0]) + fabs(f[1]) * creal(y_size) + fabs(f[2]) * creal(v_size) +
           I * ((fabs(f[1]) + fabs(f[3]) * creal(y_size) + fabs(f[4]) * creal(v_size)) *
                    cimag(y_size) +
                (fabs(f[2]) + fabs(f[4]) * creal(y_size) + fabs(f[5]) * creal(v_size)) *
                    cimag(v_size));
  }
  cplx q = v / law->stribeck, S = 0.0;
  cplx F = (law->coulomb + (law->stiction - law->coulomb) / (1.0 + q * q)) * v /
           csqrt(v * v + law->smooth * law->smooth);
  if (law->hi < INFINITY) {
    cplx p = y - law->hi;
    S += law->stiffness * (p + csqrt(p * p + law->soft * law->soft)) / 2.0 *
         (1.0 + law->damping * v);
  }
  if (law->lo > -INFINITY) {
    cplx p = law->lo - y;
    S -= law->stiffness * (p + csqrt(p * p + law->soft * law->soft)) / 2.0 *
         (1.0 - law->damping * v);
  }
  return -F - S;
}

static void set_terms(const mw_rom *rom, int full, int how, const cplx *x, terms *t)
{
  t->rom = rom;
  t->s = rom->s;
  t->m = rom->m;
  t->full = full;
  t->how = how;
  t->l = mw_rom_layout_of(mw_rom_shape_of(rom));
  for (int i = 0; i < t->s; i++) t->v[i] = num(how, x[t->s + t->m + i]);
  for (int a = 0; a < t->m; a++) {
    t->del[a] = num(how, x[t->s + a]);
    t->w[a] = num(how, x[2 * t->s + t->m + a]);
  }
  for (int k = -1; k < t->s; k++) fields(rom, how, x, k, -1, t->f[1 + k]);
}

// Forces along a field y: R -= F dy/dq
static void subtract_force(const terms *t, int field, cplx F, cplx *R)
{
  for (int i = 0; i < t->s; i++) R[i] += minus(t->how) * F * y_of(t, i, field);
  for (int a = 0; a < t->m; a++) R[t->s + a] += minus(t->how) * F * y1_of(t, -1, field, a);
}

static cplx rate_of(const terms *t, int field)
{
  cplx rate = 0.0;
  for (int i = 0; i < t->s; i++) rate += y_of(t, i, field) * t->v[i];
  for (int a = 0; a < t->m; a++) rate += y1_of(t, -1, field, a) * t->w[a];
  return rate;
}

static cplx theta_row(const terms *t, const cplx *a, int i)
{
  int s = t->s, m = t->m;
  double no = minus(t->how);
  cplx R = t->f[1 + i][t->l.U0] + t->rom->c_theta[i] * t->v[i];
  for (int j = 0; j < s; j++) {
    R += A_of(t, -1, i, j) * a[j];
    for (int k = 0; k < s; k++)
      R += A_of(t, k, i, j) * t->v[j] * t->v[k] + no * 0.5 * A_of(t, i, j, k) * t->v[j] * t->v[k];
    for (int c = 0; c < m; c++) {
      cplx h = b_of(t, -1, i, j, c);
      for (int d = 0; d < m; d++) h += 2.0 * c_of(t, -1, i, j, c, d) * t->del[d];
      for (int b = 0; b < m; b++)
        for (int d = 0; d < m; d++) h += 3.0 * A3_of(t, -1, i, j, c, b, d) * t->del[b] * t->del[d];
      R += t->v[j] * t->w[c] * (h + B_of(t, j, i, c) + no * B_of(t, i, j, c));
    }
  }
  for (int c = 0; c < m; c++) {
    R += B_of(t, -1, i, c) * a[s + c] + t->f[1 + i][t->l.U1 + c] * t->del[c];
    for (int d = 0; d < m; d++) {
      R += 0.5 * K_of(t, i, c, d) * t->del[c] * t->del[d];
      R += t->w[c] * (H_of(t, -1, i, c, d) * t->w[d] + CE_of(t, i, c, d) * t->del[d]);
      for (int j = 0; j < s; j++) R += t->v[j] * CC_of(t, i, j, c, d) * t->del[c] * t->del[d];
    }
  }
  for (int b = 0; b < m; b++)
    for (int c = 0; c < m; c++)
      for (int d = 0; d < m; d++) {
        R += no * t->w[b] * G_of(t, i, b, c, d) * t->w[c] * t->del[d];
        R += 2.0 * t->w[b] * B2_of(t, -1, i, b, c, d) * t->w[c] * t->del[d];
      }
  return R;
}

static cplx delta_row(const terms *t, const cplx *a, int c)
{
  int s = t->s, m = t->m;
  double no = minus(t->how);
  cplx R = a[s + c] + t->f[0][t->l.U1 + c];
  for (int i = 0; i < s; i++) {
    R += B_of(t, -1, i, c) * a[i];
    for (int d = 0; d < m; d++)
      R += t->v[i] * (2.0 * e_of(t, -1, i, c, d) * t->w[d] + CE_of(t, i, c, d) * t->del[d]);
    for (int j = 0; j < s; j++) {
      cplx vv = t->v[i] * t->v[j];
      R += vv * B_of(t, j, i, c) + no * 0.5 * vv * b_of(t, -1, i, j, c);
      for (int d = 0; d < m; d++) R += no * vv * c_of(t, -1, i, j, c, d) * t->del[d];
      for (int b = 0; b < m; b++)
        for (int d = 0; d < m; d++)
          R += no * 1.5 * vv * A3_of(t, -1, i, j, c, b, d) * t->del[b] * t->del[d];
    }
    for (int b = 0; b < m; b++)
      for (int d = 0; d < m; d++)
        R += 2.0 * t->v[i] * (B2_of(t, -1, i, c, b, d) + no * B2_of(t, -1, i, b, c, d)) * t->w[b] *
             t->del[d];
  }
  for (int b = 0; b < m; b++)
    for (int d = 0; d < m; d++) {
      R += (G_of(t, -1, c, b, d) + G_of(t, -1, b, c, d)) * t->del[d] * a[s + b];
      R += G_of(t, -1, c, b, d) * t->w[b] * t->w[d];
      for (int j = 0; j < s; j++)
        R += t->v[j] * (G_of(t, j, c, b, d) + G_of(t, j, b, c, d)) * t->del[d] * t->w[b];
    }
  for (int d = 0; d < m; d++)
    R += K_of(t, -1, c, d) * t->del[d] + t->f[0][t->l.C + sym(c, d)] * t->w[d];
  return R;
}

void cplx_residual(const mw_rom *rom, mw_rom_inertia inertia, int how, const cplx *x, const cplx *u,
                   const cplx *a, cplx *R)
{
  int s = rom->s, m = rom->m, full = inertia == MW_ROM_FULL;
  terms *t = malloc(2 * sizeof *t);
  cplx z[REF_MAX_N];
  if (t == NULL) abort();
  set_terms(rom, full, how, x, t);
  for (int i = 0; i < s + m; i++) z[i] = num(how, a[i]);
  for (int i = 0; i < s; i++) R[i] = theta_row(t, z, i);
  for (int c = 0; c < m; c++) R[s + c] = delta_row(t, z, c);
  for (int k = 0; k < rom->n_u; k++) subtract_force(t, rom->u_field[k], num(how, u[k]), R);
  if (rom->n_law > 0) set_terms(rom, full, CPLX_PLAIN, x, t + 1);
  for (int k = 0; k < rom->n_law; k++) {
    int field = rom->law[k].field;
    cplx F = law_of(&rom->law[k], how, y_of(t + 1, -1, field), rate_of(t + 1, field),
                    y_of(t, -1, field), rate_of(t, field));
    subtract_force(t, field, F, R);
  }
  free(t);
}

void cplx_output(const mw_rom *rom, int how, const cplx *x, const cplx *a, int field, cplx out[3])
{
  int s = rom->s, m = rom->m;
  terms *t = malloc(sizeof *t);
  cplx f[MAX_FIELD];
  if (t == NULL) abort();
  set_terms(rom, 1, how, x, t);
  int y = t->l.y + field * (1 + m);
  out[0] = y_of(t, -1, field);
  out[1] = rate_of(t, field);
  out[2] = 0.0;
  for (int i = 0; i < s; i++) {
    out[2] += y_of(t, i, field) * num(how, a[i]);
    for (int c = 0; c < m; c++) out[2] += 2.0 * y1_of(t, i, field, c) * t->v[i] * t->w[c];
    for (int k = 0; k < s; k++) {
      fields(rom, how, x, i, k, f);
      cplx y_ik = f[y];
      for (int c = 0; c < m; c++) {
        y_ik += f[y + 1 + c] * t->del[c];
        for (int d = 0; d < m; d++) y_ik += 0.5 * Y_in(t, f, field, c, d) * t->del[c] * t->del[d];
      }
      out[2] += y_ik * t->v[i] * t->v[k];
    }
  }
  for (int c = 0; c < m; c++) {
    out[2] += y1_of(t, -1, field, c) * num(how, a[s + c]);
    for (int d = 0; d < m; d++) out[2] += Y_in(t, t->f[0], field, c, d) * t->w[c] * t->w[d];
  }
  free(t);
}
