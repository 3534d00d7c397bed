// SPDX-License-Identifier: BSD-3-Clause
// flatten.c: axes of the grid that nothing depends on (rom.h, flat): a carriage on a rigid rail, a table on a rigid bed.
//
// Axis i is flat when along every line of the grid each coefficient stays within FLAT of the largest one of its kind, and
// each y0 is linear with one slope for all lines, to FLAT of the largest y0. Records are then kept at the first point of
// the axis alone: a table of one record instead of n + 2, and a quarter of the work online.
#include <math.h>
#include <string.h>

#include "fem/output.h"
#include "reduce_priv.h"

static const double FLAT =
    1e-7;  // far below any tolerance of a certificate, far above what an eigensolver leaves

// Largest magnitude of fields [from, to) over the grid, or `least` where that is larger.
static double largest(const mw_reduction *r, int n_field, const double *rec, int from, int to,
                      double least)
{
  for (int g = 0; g < r->n_point; g++)
    for (int f = from; f < to; f++)
      least = fmax(least, fabs(rec[(size_t)g * (size_t)n_field + (size_t)f]));
  return least;
}

// What field k of y is: fields of joint coordinates and force drives follow those of the outputs.
static mw_output_kind field_kind(const mw_model *m, int k)
{
  for (int o = 0; o < m->n_output; o++) {
    if (k < mw_output_width(&m->output[o])) return m->output[o].kind;
    k -= mw_output_width(&m->output[o]);
  }
  return MW_OUTPUT_POSITION;
}

// Scales of the fields y, apart by their units: lengths and angles, stresses, strains.
static void output_scales(const mw_reduction *r, const mw_rom_layout *L, int n_y, const double *rec,
                          double *scale)
{
  int m = r->m;
  double y0[3] = { 0.0 }, y1[3] = { 0.0 };
  for (int k = 0; k < n_y; k++) {
    int f = L->y + k * (1 + m), kind = (int)field_kind(r->model, k);
    y0[kind] = largest(r, L->n, rec, f, f + 1, y0[kind]);
    y1[kind] = largest(r, L->n, rec, f + 1, f + 1 + m, y1[kind]);
  }
  for (int f = L->y; f < L->n; f++) {
    int kind = (int)field_kind(r->model, (f - L->y) / (1 + m));
    scale[f] = (f - L->y) % (1 + m) == 0 ? y0[kind] : y1[kind];
  }
}

// Scale of every field: the largest of its kind. Inertia terms are measured against A and the width of the axis too, so that
// kinds that vanish are not judged by their rounding.
static void scales(const mw_reduction *r, const mw_rom_layout *L, int n_y, int axis,
                   const double *rec, double *scale)
{
  double a = largest(r, L->n, rec, L->a, L->U0, 0.0), width = r->hi[axis] - r->lo[axis],
         root = sqrt(a);
  const struct {
    int from, to;
    double least;
  } kind[] = {
    { L->a, L->U0, a },    { L->U0, L->d, a },           { L->d, L->U1, root },
    { L->U1, L->b, root }, { L->b, L->K, root / width }, { L->K, L->C, 0.0 },
    { L->C, L->e, 0.0 },   { L->e, L->c, 1.0 / width },  { L->c, L->y, 1.0 / (width * width) }
  };
  for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
    double x = largest(r, L->n, rec, kind[k].from, kind[k].to, kind[k].least);
    for (int f = kind[k].from; f < kind[k].to; f++) scale[f] = x;
  }
  output_scales(r, L, n_y, rec, scale);
}

static bool is_flat(const mw_reduction *r, const mw_rom_layout *L, int n_y, int axis, int stride,
                    const double *rec, const double *scale, double *slope)
{
  int n = r->n_grid[axis], m = r->m;
  size_t nf = (size_t)L->n;
  double h = (r->hi[axis] - r->lo[axis]) / (n - 1);
  for (int k = 0; k < n_y; k++) {
    size_t f = (size_t)(L->y + k * (1 + m));
    slope[k] = (rec[(size_t)((n - 1) * stride) * nf + f] - rec[f]) / (h * (n - 1));
  }
  for (int g = 0; g < r->n_point; g++) {
    int k = g / stride % n;
    const double *x = rec + (size_t)g * nf, *x0 = rec + (size_t)(g - k * stride) * nf;
    for (int f = 0; f < L->n; f++) {
      bool value = f >= L->y && (f - L->y) % (1 + m) == 0;
      double want = x0[f] + (value ? slope[(f - L->y) / (1 + m)] * h * k : 0.0);
      if (!(fabs(x[f] - want) <= FLAT * scale[f])) return false;
    }
  }
  return true;
}

mw_code mw_flatten(const mw_reduction *r, int n_y, double *records, unsigned *flat, double *y_slope,
                   int *n_left, mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(r->s, r->m, n_y);
  mw_arena tmp = { 0 };
  double *scale = mw_arena_f64(&tmp, (size_t)L.n), *slope = mw_arena_f64(&tmp, (size_t)n_y);
  mw_code rc = mw_arena_check(&tmp, err);
  *flat = 0;
  int stride = 1;
  for (int i = r->s - 1; rc == MW_OK && i >= 0; stride *= r->n_grid[i], i--) {
    scales(r, &L, n_y, i, records, scale);
    if (!is_flat(r, &L, n_y, i, stride, records, scale, slope)) continue;
    *flat |= 1u << i;
    memcpy(y_slope + i * n_y, slope, (size_t)n_y * sizeof *slope);
  }
  // the records at the first point of all flat axes, in order
  int out = 0;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    bool first = true;
    int rest = g;
    for (int i = r->s - 1; i >= 0; i--) {
      first = first && (!(*flat >> i & 1u) || rest % r->n_grid[i] == 0);
      rest /= r->n_grid[i];
    }
    if (first)
      memmove(records + (size_t)out++ * (size_t)L.n, records + (size_t)g * (size_t)L.n,
              (size_t)L.n * sizeof *records);
  }
  int left = 0;
  for (int i = 0; i < r->s; i++)
    if (!(*flat >> i & 1u)) n_left[left++] = r->n_grid[i];
  mw_arena_free(&tmp);
  return rc;
}
