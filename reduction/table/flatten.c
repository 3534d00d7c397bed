// SPDX-License-Identifier: BSD-3-Clause
// flatten.c: axes of the grid that nothing depends on (rom.h, flat): a carriage on a rigid rail, a
// table on a rigid bed.
//
// Axis i is flat when along every line of the grid each coefficient stays within FLAT of the
// largest one of its kind, and each y0 is linear with one slope for all lines, to FLAT of the
// largest y0. Records are then kept at the first point of the axis alone: a table of one record
// instead of n + 2, and a quarter of the work online.
#include <math.h>
#include <string.h>

#include "fem/output.h"
#include "records_layer.h"

static const double FLAT =
    1e-7;  // far below any tolerance of a certificate, far above what an eigensolver leaves

static bool is_flat(const mw_records *r, int axis, const double *scale, double *slope)
{
  mw_rom_layout L = mw_rom_layout_of(mw_records_shape(r));
  const mw_axis *a = &r->axis[axis];
  int n = a->n, m = r->m, stride = mw_records_stride(r, axis), count = mw_records_count(r);
  size_t nf = (size_t)L.n;
  for (int k = 0; k < r->n_y; k++) {
    size_t f = (size_t)L.y + (size_t)k * (size_t)(1 + m);
    slope[k] = (r->data[(size_t)((n - 1) * stride) * nf + f] - r->data[f]) / (a->hi - a->lo);
  }
  for (int g = 0; g < count; g++) {
    int k = g / stride % n;
    const double *x = r->data + (size_t)g * nf, *x0 = x - (size_t)(k * stride) * nf;
    double way = mw_axis_theta(a, k) - a->lo;
    for (int f = 0; f < L.n; f++) {
      bool value = f >= L.y && f < L.Y && (f - L.y) % (1 + m) == 0;
      double want = x0[f] + (value ? slope[(f - L.y) / (1 + m)] * way : 0.0);
      if (!(fabs(x[f] - want) <= FLAT * scale[f])) return false;
    }
  }
  return true;
}

// The records at the first point of the axis, in order.
static void keep_first(mw_records *r, int axis)
{
  size_t nf = (size_t)mw_rom_n_field(mw_records_shape(r));
  int n = r->axis[axis].n, stride = mw_records_stride(r, axis), count = mw_records_count(r),
      out = 0;
  for (int g = 0; g < count; g++)
    if (g / stride % n == 0)
      memmove(r->data + (size_t)out++ * nf, r->data + (size_t)g * nf, nf * sizeof *r->data);
  r->flat |= 1u << axis;
}

mw_code mw_records_flatten(mw_records *r, double *y_slope, mw_error *err)
{
  size_t nf = (size_t)mw_rom_n_field(mw_records_shape(r));
  mw_arena tmp = { 0 };
  double *scale = mw_arena_f64(&tmp, nf), *slope = mw_arena_f64(&tmp, (size_t)r->n_y);
  mw_code rc = mw_arena_check(&tmp, err);
  unsigned flat = 0;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    mw_field_scales(r, r->axis[i].hi - r->axis[i].lo, scale);
    if (!is_flat(r, i, scale, slope)) continue;
    memcpy(y_slope + i * r->n_y, slope, (size_t)r->n_y * sizeof *slope);
    flat |= 1u << i;
  }
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (flat >> i & 1u) keep_first(r, i);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_field_kinds(const mw_model *m, int n_y, mw_arena *mem, mw_output_kind **out,
                       mw_error *err)
{
  mw_output_kind *kind = mw_arena_alloc(mem, (size_t)n_y, sizeof *kind);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < n_y; k++) kind[k] = MW_OUTPUT_POSITION;
  for (int o = 0, k = 0; rc == MW_OK && o < m->n_output; o++)
    for (int i = 0; i < mw_output_width(&m->output[o]); i++) kind[k++] = m->output[o].kind;
  if (rc == MW_OK) *out = kind;
  return rc;
}
