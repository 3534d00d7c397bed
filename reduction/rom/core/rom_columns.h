// SPDX-License-Identifier: BSD-3-Clause
// rom_columns.h: packed matrices times vectors. Not for anyone else.
//
// y += X v, sums over columns in their order. Packed rows of a lower triangle serve one number at a
// time; for packs the columns are laid out whole, [m × mp], long before they are read: single
// numbers that were just written make a pack wait. Written in `real`.
#ifndef MW_ROM_COLUMNS_H
#define MW_ROM_COLUMNS_H

#include "rom_layer.h"

// y = (add: +) sum_j columns_j v_j
ROM_INLINE void add_columns(const int m, const real *columns, const real *v, int add, real *y)
{
  const int mp = rom_padded(m);
  for (int i = 0; i < m; i += ROM_PAD) {
    rom_pack sum = { 0 };
    ROM_UNROLL
    for (int j = 0; j < m; j++) sum += ROM_GET(columns + j * mp + i) * v[j];
    if (add) sum += ROM_GET(y + i);
    ROM_PUT(y + i) = sum;
  }
}

// X symmetric.
ROM_INLINE void lay_sym(const int m, const real *restrict X, real *restrict columns)
{
  const int mp = rom_padded(m);
  ROM_UNROLL_ALL
  for (int i = 0; ROM_PAD > 1 && i < m; X += ++i) {
    for (int j = 0; j <= i; j += ROM_PAD) ROM_PUT(columns + i * mp + j) = ROM_GET(X + j);
    ROM_UNROLL_ALL
    for (int j = 0; j < i; j++) columns[j * mp + i] = X[j];
  }
}

ROM_INLINE void add_sym(const int m, const real *restrict X, const real *columns,
                        const real *restrict v, real *restrict y)
{
  for (int i = 0; ROM_PAD == 1 && i < m; X += ++i) {
    const real *below = X + i;
    real sum = rom_set(0.0);
    for (int j = 0; j < i; j++) sum += X[j] * v[j];
    for (int j = i; j < m; below += ++j) sum += *below * v[j];
    y[i] += sum;
  }
  if (ROM_PAD > 1) add_columns(m, columns, v, 1, y);
}

// X = S + E, E skew, packed without its diagonal.
ROM_INLINE void lay_both(const int m, const real *restrict S, const real *restrict E,
                         real *restrict columns)
{
  const int mp = rom_padded(m);
  ROM_UNROLL_ALL
  for (int i = 0; ROM_PAD > 1 && i < m; E += i, S += ++i) {
    real *column = columns + i * mp;
    for (int j = 0; j <= i; j += ROM_PAD) ROM_PUT(column + j) = ROM_GET(S + j) - ROM_GET(E + j);
    column[i] = S[i];
    ROM_UNROLL_ALL
    for (int j = 0; j < i; j++) columns[j * mp + i] = S[j] + E[j];
  }
}

// X skew.
ROM_INLINE void lay_skew(const int m, const real *restrict X, real *restrict columns)
{
  const int mp = rom_padded(m);
  ROM_UNROLL_ALL
  for (int i = 0; ROM_PAD > 1 && i < m; X += i++) {
    real *column = columns + i * mp;
    for (int j = 0; j <= i; j += ROM_PAD) ROM_PUT(column + j) = -ROM_GET(X + j);
    column[i] = rom_set(0.0);
    ROM_UNROLL_ALL
    for (int j = 0; j < i; j++) columns[j * mp + i] = X[j];
  }
}

// For two vectors: y1 += X v1 ,  y2 = X v2.
ROM_INLINE void add_skew(const int m, const real *restrict X, const real *columns,
                         const real *restrict v1, const real *restrict v2, real *restrict y1,
                         real *restrict y2)
{
  for (int i = 0; ROM_PAD == 1 && i < m; X += i++) {
    const real *below = X + 2 * i;
    real sum1 = rom_set(0.0), sum2 = rom_set(0.0);
    for (int j = 0; j < i; j++) {
      sum1 += X[j] * v1[j];
      sum2 += X[j] * v2[j];
    }
    for (int j = i + 1; j < m; below += j++) {
      sum1 -= *below * v1[j];
      sum2 -= *below * v2[j];
    }
    y1[i] += sum1;
    y2[i] = sum2;
  }
  if (ROM_PAD > 1) {
    add_columns(m, columns, v1, 1, y1);
    add_columns(m, columns, v2, 0, y2);
  }
}

// For two vectors, X symmetric: y1 += X v1 ,  y2 = X v2.
ROM_INLINE void add_sym_twice(const int m, const real *restrict X, const real *columns,
                              const real *restrict v1, const real *restrict v2, real *restrict y1,
                              real *restrict y2)
{
  for (int i = 0; ROM_PAD == 1 && i < m; X += ++i) {
    const real *below = X + i;
    real sum1 = rom_set(0.0), sum2 = rom_set(0.0);
    for (int j = 0; j < i; j++) {
      sum1 += X[j] * v1[j];
      sum2 += X[j] * v2[j];
    }
    for (int j = i; j < m; below += ++j) {
      sum1 += *below * v1[j];
      sum2 += *below * v2[j];
    }
    y1[i] += sum1;
    y2[i] = sum2;
  }
  if (ROM_PAD > 1) {
    add_columns(m, columns, v1, 1, y1);
    add_columns(m, columns, v2, 0, y2);
  }
}

#endif
