// SPDX-License-Identifier: BSD-3-Clause
// extra_records.c: puts into the records what they gain (extra.c: (1)).
//
//   c_ij += ½ (∂_jH_i + ∂_iH_j) − H_ij ,   K −= H_g                                             (2)
//   ∂_jH_i: derivative of the spline through H_i at the grid points, which is the one that the
//     tables hold: with it the total
//   derivative d/dt (½ θ'_i δᵀH_i δ) cancels online as it does here.
// Between grid points (2) and the rest are splines of the grid.
#include <string.h>

#include "base/dense.h"
#include "extra_layer.h"
#include "third_layer.h"

// What a record gains, at a grid point: c [pairs × mm], K, C [mm], then the parts of the shape in
// their order.
typedef struct gain {
  int c, K, C, H, G, A3, B2, CE, CC, Y, n;
} gain;

static gain gain_of(const mw_extra *x)
{
  int m = x->m, mm = m * (m + 1) / 2, s = x->s, ss = s * (s + 1) / 2;
  gain p = { .c = 0 };
  p.K = p.c + (x->second ? ss * mm : 0);
  p.C = p.K + (x->second ? mm : 0);
  p.H = p.C + (x->C ? mm : 0);
  p.G = p.H + (x->parts & MW_ROM_H ? s * mm : 0);
  p.A3 = p.G + x->n_G * (x->n_G * (x->n_G + 1) / 2);
  p.B2 = p.A3 + (x->parts & MW_ROM_THIRD ? ss * (x->n_G * (x->n_G + 1) * (x->n_G + 2) / 6) : 0);
  p.CE = p.B2 + (x->parts & MW_ROM_THIRD ? s * x->n_G * (x->n_G * (x->n_G + 1) / 2) : 0);
  p.CC = p.CE + (x->parts & MW_ROM_CE ? s * m * m : 0);
  p.Y = p.CC + (x->parts & MW_ROM_CC ? ss * mm : 0);
  p.n = p.Y + x->n_Y * mm;
  return p;
}

// (2) at all grid points, c [.. a record]
static mw_code second_of_c(const mw_reduction *r, const mw_extra *x, gain p, double *out,
                           mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t mm = (size_t)(x->m * (x->m + 1) / 2), s = (size_t)x->s, ss = s * (s + 1) / 2,
         np = (size_t)x->n_point;
  const double **H = mw_arena_alloc(&tmp, np, sizeof *H);
  double *slope = mw_arena_f64(&tmp, s * mm);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++) H[g] = x->H + g * s * mm;
  for (size_t j = 0; rc == MW_OK && j < s; j++) {
    size_t nj = (size_t)r->n_grid[j];
    double *D = mw_arena_f64(&tmp, nj * nj);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) rc = mw_axis_derivative(&r->axis[j], D, err);
    for (size_t g = 0; rc == MW_OK && g < np; g++) {
      mw_grid_slope(r, D, (int)j, (int)g, H, s * mm, slope);
      for (size_t i = 0; i < s; i++) {
        size_t ij = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
        mw_axpy((int)mm, i == j ? 1.0 : 0.5, slope + i * mm,
                out + g * (size_t)p.n + (size_t)p.c + ij * mm);
      }
    }
  }
  for (size_t g = 0; rc == MW_OK && g < np; g++)
    mw_axpy((int)(ss * mm), -1.0, x->Hij + g * ss * mm, out + g * (size_t)p.n + (size_t)p.c);
  mw_arena_free(&tmp);
  return rc;
}

static void copy_part(const mw_extra *x, const double *from, size_t width, int at, int n,
                      double *out)
{
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    memcpy(out + g * (size_t)n + (size_t)at, from + g * width, width * sizeof *out);
}

static mw_code gains(const mw_reduction *r, const mw_extra *x, gain p, double *out, mw_error *err)
{
  size_t m = (size_t)x->m, mm = m * (m + 1) / 2, s = (size_t)x->s, ss = s * (s + 1) / 2;
  if (x->C) copy_part(x, x->C, mm, p.C, p.n, out);
  if (x->parts & MW_ROM_CE) copy_part(x, x->CE, s * m * m, p.CE, p.n, out);
  if (x->parts & MW_ROM_CC) copy_part(x, x->CC, ss * mm, p.CC, p.n, out);
  if (!x->second) return MW_OK;
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    mw_axpy((int)mm, -1.0, x->Hg + g * mm, out + g * (size_t)p.n + (size_t)p.K);
  if (x->parts & MW_ROM_H) copy_part(x, x->H, s * mm, p.H, p.n, out);
  copy_part(x, x->Y, (size_t)x->n_Y * mm, p.Y, p.n, out);
  mw_mass_copy(x, p.n, p.G, out);
  if (x->parts & MW_ROM_THIRD) mw_third_copy(x, p.n, p.A3, p.B2, out);
  return second_of_c(r, x, p, out, err);
}

// at [n] := spline of the grid through values [n_point × n] at theta
static mw_code between(const mw_reduction *r, const double *theta, size_t n, const double *values,
                       double *at, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *c = mw_arena_f64(&tmp, (size_t)r->n_point);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_grid_weights(r, theta, c, err);
  memset(at, 0, n * sizeof *at);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    if (c[g] != 0.0) mw_axpy((int)n, c[g], values + (size_t)g * n, at);
  mw_arena_free(&tmp);
  return rc;
}

static void put(const mw_extra *x, gain p, const mw_rom_layout *from, const mw_rom_layout *to,
                const double *add, const double *rec, double *out)
{
  int m = x->m, mm = m * (m + 1) / 2;
  memcpy(out, rec, (size_t)from->y * sizeof *out);
  memcpy(out + to->y, rec + from->y, (size_t)(from->n - from->y) * sizeof *out);
  if (x->second) mw_axpy(x->s * (x->s + 1) / 2 * mm, 1.0, add + p.c, out + to->c);
  if (x->second) mw_axpy(mm, 1.0, add + p.K, out + to->K);
  if (x->C) mw_axpy(mm, 1.0, add + p.C, out + to->C);
  memcpy(out + to->H, add + p.H, (size_t)(p.Y - p.H) * sizeof *out);
  memcpy(out + to->Y, add + p.Y, (size_t)(p.n - p.Y) * sizeof *out);
}

// What has no place of its own in the records, but is asked for between grid points and by
// certificates.
static mw_code keep_apart(const mw_extra *x, gain p, const double *values, mw_tables *t,
                          mw_error *err)
{
  size_t mm = (size_t)(x->m * (x->m + 1) / 2), np = (size_t)x->n_point,
         cs = (size_t)(x->s * (x->s + 1) / 2) * mm;
  if (!x->second) return MW_OK;
  t->Hg = mw_arena_f64(&t->mem, np * mm);
  t->second_c = mw_arena_f64(&t->mem, np * cs);
  mw_code rc = mw_arena_check(&t->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(t->Hg, x->Hg, np * mm * sizeof *t->Hg);
  for (size_t g = 0; g < np; g++)
    memcpy(t->second_c + g * cs, values + g * (size_t)p.n + (size_t)p.c, cs * sizeof *values);
  return MW_OK;
}

mw_code mw_extra_put(const mw_reduction *r, const mw_extra *x, const mw_rom_file *f,
                     const double *records, mw_tables *apart, mw_arena *mem, double **out,
                     mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_rom_shape bare = { .s = r->s, .m = r->m, .n_y = f->rom.n_y };
  mw_rom_layout from = mw_rom_layout_of(bare), to = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  gain p = gain_of(x);
  size_t np = (size_t)x->n_point;
  double *values = mw_arena_f64(&tmp, np * (size_t)p.n),
         *full = mw_arena_f64(mem, np * (size_t)to.n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = gains(r, x, p, values, err);
  if (rc == MW_OK) rc = keep_apart(x, p, values, apart, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++)
    put(x, p, &from, &to, values + g * (size_t)p.n, records + g * (size_t)from.n,
        full + g * (size_t)to.n);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = full;
  return rc;
}

// ---- between the grid points --------------------------------------------------------------------

mw_code mw_gravity_stiffness(const mw_reduction *r, const mw_tables *t, const double *theta,
                             double *Hg, mw_error *err)
{
  size_t mm = (size_t)(r->m * (r->m + 1) / 2);
  memset(Hg, 0, mm * sizeof *Hg);
  return t && t->Hg ? between(r, theta, mm, t->Hg, Hg, err) : MW_OK;
}

mw_code mw_second_of_c(const mw_reduction *r, const mw_tables *t, const double *theta, double *c,
                       mw_error *err)
{
  size_t n = (size_t)(r->s * (r->s + 1) / 2) * (size_t)(r->m * (r->m + 1) / 2);
  memset(c, 0, n * sizeof *c);
  return t->second_c ? between(r, theta, n, t->second_c, c, err) : MW_OK;
}
