// SPDX-License-Identifier: BSD-3-Clause
// rom_jacobian_third.c: derivatives of what T has of third order in the coordinates' rates
// (rom_third.h).
//
// Of the first k = n_G columns, with x = delta, w = deld, v = thd, alpha, beta the parts of a, [..]
// forms in x, w as they follow:
//   R_i     += sum_j alpha_j A3_ij[xxx] + 3 v_j A3_ij[xxw] + sum_jk v_j v_k (A3_ij,k - 1/2
//           A3_jk,i)[xxx]
//              + B2_i[beta xx] + 2 B2_i[w xw] + sum_j v_j (B2_i,j - B2_j,i)[w xx]
//   R_delta += F[. xx] - 3/2 S[. xx] + 2 (N[. xw] - N[w x.]) ,   F = sum_i alpha_i B2_i + sum_ij
//                                                                v_i v_j B2_i,j ,
//              S = sum_ij v_i v_j A3_ij ,  N = sum_i v_i B2_i                                   (1)
// d/dtheta_l puts ,l on every table; the rest is polynomial. Cost: s³ products of k³/6. Allocates
// nothing.
#include "motion/rom_third.h"
#include "rom_derive.h"

enum { MAX_B = MW_ROM_MAX_G * ROM_MAX_SQUARE, WIDE = MW_ROM_MAX_G * MW_ROM_MAX_G };

typedef struct third_point {
  const mw_rom *rom;
  rom_jac *j;
  int s, k, n, ld, cube, square;  // packed numbers of A3_ij, of a row of B2_i
  const double *x, *v, *w, *alpha, *beta;
  double xxx[ROM_MAX_CUBE], xxw[ROM_MAX_CUBE], xx[ROM_MAX_SQUARE], xw[ROM_MAX_SQUARE];
} third_point;

// Tables, and their slopes by each coordinate, NULL: 0.
typedef struct third_tables {
  const double *f, *slope[MW_ROM_MAX_S];
} third_tables;

static const double *A3_of(const third_point *p, const double *f, int i, int j)
{
  return f + p->j->lay.A3 + rom_jac_pair(i, j) * p->cube;
}
static const double *B2_of(const third_point *p, const double *f, int i)
{
  return f + p->j->lay.B2 + i * p->k * p->square;
}

static double cube_form(const third_point *p, const double *f, int i, int j, const double *weight)
{
  return f ? rom_dot(p->cube, A3_of(p, f, i, j), weight) : 0.0;
}

// sum_a y_a B2_i,a·weight
static double square_form(const third_point *p, const double *f, int i, const double *y,
                          const double *weight)
{
  double sum = 0.0;
  for (int a = 0; f && a < p->k; a++)
    sum += y[a] * rom_dot(p->square, B2_of(p, f, i) + a * p->square, weight);
  return sum;
}

static third_tables tables_at(const third_point *p, int l)
{
  third_tables t = { .f = l < 0 ? p->j->value : rom_jac_gradient(p->rom, p->j, l) };
  for (int k = 0; k < p->s; k++)
    if (!rom_jac_is_flat(p->rom, k))
      t.slope[k] = l < 0 ? rom_jac_gradient(p->rom, p->j, k) : rom_jac_hessian(p->rom, p->j, k, l);
  return t;
}

// R_i of (1) with the tables t.
static double row_of(const third_point *p, const third_tables *t, int i)
{
  double R = square_form(p, t->f, i, p->beta, p->xx) + square_form(p, t->f, i, p->w, p->xw);
  for (int j = 0; j < p->s; j++) {
    double sum = cube_form(p, t->f, i, j, p->xxw);
    for (int k = 0; k < p->s; k++)
      sum += p->v[k] * (cube_form(p, t->slope[k], i, j, p->xxx) -
                        0.5 * cube_form(p, t->slope[i], j, k, p->xxx));
    sum +=
        square_form(p, t->slope[j], i, p->w, p->xx) - square_form(p, t->slope[i], j, p->w, p->xx);
    R += p->alpha[j] * cube_form(p, t->f, i, j, p->xxx) + p->v[j] * sum;
  }
  return R;
}

static double row_by_rate(const third_point *p, const third_tables *t, int i, int l)
{
  double sum = cube_form(p, t->f, i, l, p->xxw) + square_form(p, t->slope[l], i, p->w, p->xx) -
               square_form(p, t->slope[i], l, p->w, p->xx);
  for (int k = 0; k < p->s; k++)
    sum += p->v[k] *
           (cube_form(p, t->slope[k], i, l, p->xxx) + cube_form(p, t->slope[l], i, k, p->xxx) -
            cube_form(p, t->slope[i], l, k, p->xxx));
  return sum;
}

// y [k] += c X_a·xx of rows X [k × square]
static void add_rows(const third_point *p, double c, const double *X, double *y)
{
  for (int a = 0; a < p->k; a++) y[a] += c * rom_dot(p->square, X + a * p->square, p->xx);
}

// F, N, S of (1) as they multiply: y [k] = R_delta with the tables t; F, N [k × square], S [cube]
// are left behind.
static void column_of(const third_point *p, const third_tables *t, double *F, double *N, double *S,
                      double *y)
{
  int k = p->k, rows = k * p->square;
  double P[WIDE], g[MW_ROM_MAX_G];
  rom_jac_clear(rows, F);
  rom_jac_clear(rows, N);
  rom_jac_clear(p->cube, S);
  rom_jac_clear(k, y);
  for (int i = 0; i < p->s; i++) {
    rom_jac_add(rows, p->alpha[i], B2_of(p, t->f, i), F);
    rom_jac_add(rows, p->v[i], B2_of(p, t->f, i), N);
    for (int l = 0; l < p->s; l++) {
      if (t->slope[l]) rom_jac_add(rows, p->v[i] * p->v[l], B2_of(p, t->slope[l], i), F);
      rom_jac_add(p->cube, p->v[i] * p->v[l], A3_of(p, t->f, i, l), S);
    }
  }
  add_rows(p, 1.0, F, y);
  rom_cube_slope(k, S, p->x, g);
  rom_mass_sum(k, N, p->x, P);
  for (int a = 0; a < k; a++) {
    y[a] -= 0.5 * g[a];
    for (int b = 0; b < k; b++)
      y[a] += 2.0 * (P[a * MW_ROM_MAX_G + b] - P[b * MW_ROM_MAX_G + a]) * p->w[b];
  }
}

// H [k × MW_ROM_MAX_G] = d² (X_abc x_a x_b x_c): its product with y along each pair; X packed
static void cube_curve(int k, const double *X, const double *y, double *H)
{
  rom_jac_clear(k * MW_ROM_MAX_G, H);
  for (int a = 0; a < k; a++)
    for (int b = 0; b <= a; b++)
      for (int c = 0; c <= b; c++, X++) {
        const int at[3] = { a, b, c };
        double n = (a == b && b == c ? 1.0 : a == b || b == c ? 3.0 : 6.0) * *X;
        for (int q = 0; q < 3; q++) {
          int u = at[q], v = at[(q + 1) % 3];
          H[u * MW_ROM_MAX_G + v] += n * y[at[(q + 2) % 3]];
          H[v * MW_ROM_MAX_G + u] += n * y[at[(q + 2) % 3]];
        }
      }
}

// y_c += c sum_a P_ac x_a of P [k × MW_ROM_MAX_G]
static void add_transposed(int k, double c, const double *P, const double *x, double *y)
{
  for (int a = 0; a < k; a++) rom_jac_add(k, c * x[a], P + a * MW_ROM_MAX_G, y);
}

// R_i by delta and by deld.
static void add_row(const third_point *p, const third_tables *t, int i)
{
  int k = p->k, s = p->s, rows = k * p->square;
  double T[ROM_MAX_CUBE] = { 0.0 }, W[ROM_MAX_CUBE] = { 0.0 }, D[MAX_B] = { 0.0 }, P[WIDE],
         g[MW_ROM_MAX_G], *by_x = p->j->R + i * p->ld + s, *by_w = by_x + p->n;
  for (int j = 0; j < s; j++) {
    rom_jac_add(p->cube, p->alpha[j], A3_of(p, t->f, i, j), T);
    rom_jac_add(p->cube, p->v[j], A3_of(p, t->f, i, j), W);
    for (int l = 0; l < s; l++) {
      double vv = p->v[j] * p->v[l];
      if (t->slope[l]) rom_jac_add(p->cube, vv, A3_of(p, t->slope[l], i, j), T);
      if (t->slope[i]) rom_jac_add(p->cube, -0.5 * vv, A3_of(p, t->slope[i], j, l), T);
    }
    if (t->slope[j]) rom_jac_add(rows, p->v[j], B2_of(p, t->slope[j], i), D);
    if (t->slope[i]) rom_jac_add(rows, -p->v[j], B2_of(p, t->slope[i], j), D);
  }
  rom_cube_slope(k, T, p->x, g);
  rom_jac_add(k, 1.0, g, by_x);
  cube_curve(k, W, p->x, P);
  add_transposed(k, 1.0, P, p->w, by_x);
  rom_cube_slope(k, W, p->x, g);
  rom_jac_add(k, 1.0, g, by_w);
  rom_mass_sum(k, D, p->x, P);
  add_transposed(k, 2.0, P, p->w, by_x);
  add_rows(p, 1.0, D, by_w);
  rom_mass_sum(k, B2_of(p, t->f, i), p->x, P);
  add_transposed(k, 2.0, P, p->beta, by_x);
  add_transposed(k, 2.0, P, p->w, by_w);
  for (int a = 0; a < k; a++) by_w[a] += 2.0 * rom_dot(k, P + a * MW_ROM_MAX_G, p->w);
  rom_mass_sum(k, B2_of(p, t->f, i), p->w, P);
  add_transposed(k, 2.0, P, p->w, by_x);
}

// R_delta by delta and by deld; F, N, S of (1).
static void add_block(const third_point *p, const double *F, const double *N, const double *S)
{
  int k = p->k, s = p->s, square = p->square;
  double of_F[WIDE], of_S[WIDE], by_w[WIDE], along[WIDE];
  rom_mass_sum(k, F, p->x, of_F);
  cube_curve(k, S, p->x, of_S);
  rom_mass_sum(k, N, p->x, by_w);
  rom_mass_sum(k, N, p->w, along);
  for (int a = 0; a < k; a++) {
    double *row = p->j->R + (s + a) * p->ld + s;
    for (int c = 0; c < k; c++) {
      int ac = a * MW_ROM_MAX_G + c;
      double across = 0.0;  // sum_b w_b N_bac
      for (int b = 0; b < k; b++) across += p->w[b] * N[b * square + rom_jac_pair(a, c)];
      row[c] += 2.0 * of_F[ac] - 0.5 * of_S[ac] + 2.0 * (along[ac] - across);
      row[p->n + c] += 2.0 * (by_w[ac] - by_w[c * MW_ROM_MAX_G + a]);
    }
  }
}

// R_delta by thd_l.
static void add_rate(const third_point *p, const third_tables *t, int l)
{
  int k = p->k, rows = k * p->square;
  double F[MAX_B] = { 0.0 }, S[ROM_MAX_CUBE] = { 0.0 }, P[WIDE], g[MW_ROM_MAX_G],
         y[MW_ROM_MAX_G] = { 0.0 };
  for (int i = 0; i < p->s; i++) {
    if (t->slope[i]) rom_jac_add(rows, p->v[i], B2_of(p, t->slope[i], l), F);
    if (t->slope[l]) rom_jac_add(rows, p->v[i], B2_of(p, t->slope[l], i), F);
    rom_jac_add(p->cube, p->v[i], A3_of(p, t->f, i, l), S);
  }
  add_rows(p, 1.0, F, y);
  rom_cube_slope(k, S, p->x, g);
  rom_mass_sum(k, B2_of(p, t->f, l), p->x, P);
  for (int a = 0; a < k; a++) {
    double sum = y[a] - g[a];
    for (int b = 0; b < k; b++)
      sum += 2.0 * (P[a * MW_ROM_MAX_G + b] - P[b * MW_ROM_MAX_G + a]) * p->w[b];
    p->j->R[(p->s + a) * p->ld + p->n + l] += sum;
  }
}

static third_point point_of(const mw_rom *rom, const double *x, rom_jac *j)
{
  int s = rom->s, n = s + rom->m, k = rom_n_G(rom);
  third_point p = { .rom = rom,
                    .j = j,
                    .s = s,
                    .k = k,
                    .n = n,
                    .ld = j->ld,
                    .cube = k * (k + 1) * (k + 2) / 6,
                    .square = k * (k + 1) / 2,
                    .x = x + s,
                    .v = x + n,
                    .w = x + n + s,
                    .alpha = j->a,
                    .beta = j->a + s };
  rom_cubes(k, p.x, p.w, p.xxx, p.xxw);
  rom_squares(k, p.x, p.w, p.xx, p.xw);
  return p;
}

void rom_jac_third_of(const mw_rom *rom, const double *delta, const double *f, const rom_jac *j,
                      double *A, double *B, int ld)
{
  int s = rom->s, k = rom_n_G(rom), square = k * (k + 1) / 2, cube = square * (k + 2) / 3;
  double xxx[ROM_MAX_CUBE], xxw[ROM_MAX_CUBE], xx[ROM_MAX_SQUARE], xw[ROM_MAX_SQUARE];
  const double *A3 = f + j->lay.A3, *B2 = f + j->lay.B2;
  rom_cubes(k, delta, delta, xxx, xxw);
  rom_squares(k, delta, delta, xx, xw);
  for (int p = 0; p < s * (s + 1) / 2; p++) A[p] += rom_dot(cube, A3 + p * cube, xxx);
  for (int i = 0; i < s; i++)
    for (int a = 0; a < k; a++) B[i * ld + a] += rom_dot(square, B2 + (i * k + a) * square, xx);
}

void rom_jac_add_third(const mw_rom *rom, const double *x, rom_jac *j)
{
  static const double none[MW_ROM_MAX_S + MW_ROM_MAX_G] = { 0.0 };
  third_point p = point_of(rom, x, j), still = p;  // the residual has A and B with them
  double F[MAX_B], N[MAX_B], S[ROM_MAX_CUBE], y[MW_ROM_MAX_G];
  third_tables here = tables_at(&p, -1);
  still.alpha = still.beta = none;
  for (int l = 0; l < p.s; l++) {
    for (int i = 0; i < p.s; i++) j->R[i * p.ld + p.n + l] += row_by_rate(&p, &here, i, l);
    add_rate(&p, &here, l);
    if (rom_jac_is_flat(rom, l)) continue;
    third_tables t = tables_at(&p, l);
    for (int i = 0; i < p.s; i++) j->R[i * p.ld + l] += row_of(&p, &t, i);
    column_of(&p, &t, F, N, S, y);
    for (int a = 0; a < p.k; a++) j->R[(p.s + a) * p.ld + l] += y[a];
  }
  for (int i = 0; i < p.s; i++) {
    j->residual[i] += row_of(&still, &here, i);
    add_row(&p, &here, i);
  }
  column_of(&p, &here, F, N, S, y);
  add_block(&p, F, N, S);
}

void rom_jac_third_mass(const mw_rom *rom, const double *delta, const double *xi, const rom_jac *j,
                        int ld, double *T)
{
  int s = rom->s, k = rom_n_G(rom), cube = k * (k + 1) * (k + 2) / 6, square = k * (k + 1) / 2;
  double P[WIDE], g[MW_ROM_MAX_G];
  for (int i = 0; i < s; i++) {
    rom_mass_sum(k, j->value + j->lay.B2 + i * k * square, delta, P);
    add_transposed(k, 2.0, P, xi + s, T + i * ld + s);
    for (int a = 0; a < k; a++)
      rom_jac_add(k, 2.0 * xi[i], P + a * MW_ROM_MAX_G, T + (s + a) * ld + s);
    for (int l = 0; l < s; l++) {
      rom_cube_slope(k, j->value + j->lay.A3 + rom_jac_pair(i, l) * cube, delta, g);
      rom_jac_add(k, xi[l], g, T + i * ld + s);
    }
  }
}
