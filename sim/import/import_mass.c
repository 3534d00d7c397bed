// SPDX-License-Identifier: BSD-3-Clause
// import_mass.c: places of frames, and masses seen from other frames.
//
// A mass (m, c, I about c) in frame B, B at x with axes R in A:
//
//   c_A = x + R c ,   I_A = R I Rᵀ (1)
//
// Several in one frame (Steiner):
//
//   m = Σ m_k ,   c = Σ m_k c_k / m ,   I = Σ I_k + m_k (d_k·d_k 1 − d_k d_kᵀ)
//   ,  d_k = c_k − c   (2)
#include <math.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "import_priv.h"

static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };

const import_place import_here = { { 0.0, 0.0, 0.0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };

import_place import_chain(const import_place *a, const import_place *b)
{
  import_place c;
  mw_mul33v(a->R, b->x, c.x);
  for (int i = 0; i < 3; i++) c.x[i] += a->x[i];
  mw_mul33(a->R, b->R, c.R);
  return c;
}

void import_turn(const double axis[3], double angle, double R[9])
{
  double half = 0.5 * angle, s = sin(half);
  const double q[4] = { cos(half), s * axis[0], s * axis[1], s * axis[2] };
  import_quaternion(q, R);
}

void import_quaternion(const double q[4], double R[9])
{
  double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], s = 2.0 / n;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    R[4 * i] = 1.0 - s * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
    R[3 * i + j] = s * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
    R[3 * j + i] = s * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
  }
}

import_mass import_moved(const import_mass *p, const import_place *at)
{
  double A[9], T[9];
  import_mass out = { .m = p->m };
  mw_mul33v(at->R, p->com, out.com);
  for (int i = 0; i < 3; i++) out.com[i] += at->x[i];
  for (int i = 0; i < 6; i++) A[3 * row[i] + col[i]] = A[3 * col[i] + row[i]] = p->inertia[i];
  mw_mul33(at->R, A, T);
  for (int i = 0; i < 6; i++) out.inertia[i] = mw_dot3(T + 3 * row[i], at->R + 3 * col[i]);
  return out;
}

import_mass import_sum(const import_mass *a, const import_mass *b)
{
  const import_mass *part[2] = { a, b };
  import_mass s = { .m = a->m + b->m };
  if (!(s.m > 0.0)) return *a;
  for (int i = 0; i < 3; i++) s.com[i] = (a->m * a->com[i] + b->m * b->com[i]) / s.m;
  for (int k = 0; k < 2; k++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = part[k]->com[i] - s.com[i];
    double dd = mw_dot3(d, d);
    for (int i = 0; i < 6; i++)
      s.inertia[i] +=
          part[k]->inertia[i] + part[k]->m * ((i < 3 ? dd : 0.0) - d[row[i]] * d[col[i]]);
  }
  return s;
}

mw_code import_mass_check(const import_mass *p, const char *what, mw_at at, bool *unphysical,
                          mw_error *err)
{
  static const double slack = 1e-6;  // of the trace, as the reader of model files has it
  const double *I = p->inertia;
  double A[9] = { I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2] }, w[3], V[9];
  if (p->m < 0.0)
    return mw_fail(err, MW_ERR_INPUT, at, "%s: mass is %g kg, expected none or above 0", what,
                   p->m);
  mw_code rc = mw_eig_sym(3, A, w, V, err);
  if (rc != MW_OK) return rc;
  double size = fabs(w[0]) + fabs(w[1]) + fabs(w[2]);
  if (w[0] < -slack * size)
    return mw_fail(err, MW_ERR_INPUT, at,
                   "%s: a principal moment of inertia is %g kg m2, expected none below 0", what,
                   w[0]);
  *unphysical = w[0] + w[1] < w[2] - slack * size;
  return MW_OK;
}
