// SPDX-License-Identifier: BSD-3-Clause
// output.c: what an output is made of, and stress and strain from a body's unknowns.
//
//   σ = S u   (1)  S [6 × n_u] of mw_body
//   dev s : dev s = ⅓ ((s_xx − s_yy)² + (s_yy − s_zz)² + (s_zz − s_xx)²) + 2 (s_xy² + s_yz² +
//       s_zx²)      (2)
//
// Engineering shear is twice the tensor's component.
#include "fem/output.h"

#include <math.h>

bool mw_output_is_gauge(const mw_output_in *o) { return o->kind != MW_OUTPUT_POSITION; }

int mw_output_width(const mw_output_in *o) { return mw_output_is_gauge(o) ? 6 : 3; }

int mw_output_row(const mw_model *m, int k)
{
  int row = 0;
  for (int i = 0; i < k; i++) row += mw_output_width(&m->output[i]);
  return row;
}

const char *mw_output_axis(const mw_output_in *o, int i)
{
  static const char *const axis[3] = { "x", "y", "z" };
  static const char *const pair[6] = { "xx", "yy", "zz", "xy", "yz", "zx" };
  return mw_output_is_gauge(o) ? pair[i] : axis[i];
}

const char *mw_output_unit(const mw_output_in *o)
{
  return o->kind == MW_OUTPUT_POSITION ? "m" : o->kind == MW_OUTPUT_STRESS ? "Pa" : "1";
}

void mw_mech_gauges(const mw_mech *m, int b, const double *u, double *y)
{
  const mw_body *body = &m->body[b];
  if (body->n_gauge == 0 || body->n_u == 0) return;
  for (int g = 0; g < body->n_gauge; g++) {
    double *s = y + mw_output_row(m->model, body->gauge[g].output);
    for (int i = 0; i < 6; i++) s[i] = 0.0;
  }
  for (int j = 0; j < body->n_u; j++)
    for (int p = body->S.ptr[j]; p < body->S.ptr[j + 1]; p++) {
      int g = body->S.row[p] / 6, i = body->S.row[p] % 6;
      y[mw_output_row(m->model, body->gauge[g].output) + i] += body->S.val[p] * u[j];
    }
}

double mw_output_equivalent(mw_output_kind kind, const double s[6])
{
  double xy = s[0] - s[1], yz = s[1] - s[2], zx = s[2] - s[0];
  double normal = (xy * xy + yz * yz + zx * zx) / 3.0;
  double shear = 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  return kind == MW_OUTPUT_STRESS ? sqrt(1.5 * (normal + shear))
                                  : sqrt(2.0 / 3.0 * (normal + 0.25 * shear));
}
