// SPDX-License-Identifier: BSD-3-Clause
// joint.c: joint rows g and their derivatives, formulated with parallelism so that every joint has full row rank
// (Kraus, Winckler, Bock 2001, section 5: a ∥ b ⇔ a ⊥ h1, a ⊥ h2).
//
// A1 A2 A3: joint axes fixed to body a or b, equal in the reference configuration; the joint's own axis is A3.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mech_priv.h"

void mw_side_init(mw_side *k, const double X[3], const double F[9])
{
  const double *E = k->p + 3, zero[3] = { 0.0, 0.0, 0.0 };
  const double *t = k->z && k->z0 >= 0 ? k->z + k->z0 : zero,
               *r = k->z && k->z0 >= 0 ? t + 3 : zero;
  for (int i = 0; i < 3; i++) k->Y[i] = X[i] + t[i];
  mw_mul33v(E, k->Y, k->x);
  for (int i = 0; i < 3; i++) k->x[i] += k->p[i];
  for (int i = 0; i < 3; i++) {
    double *f = k->f + 3 * i, *c = k->c + 3 * i;
    for (int l = 0; l < 3; l++) f[l] = F[3 * l + i];
    mw_cross3(r, f, c);
    for (int l = 0; l < 3; l++) c[l] += f[l];
    mw_mul33v(E, c, k->A + 3 * i);
  }
}

// J[row] += ŵ_β Ê_βα y_α
static void add_rotation(mw_side *k, int row, const double w_hat[3], const double y[3])
{
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++) k->J[12 * row + 3 + 3 * b + a] += w_hat[b] * y[a];
}

void mw_side_add_point(mw_side *k, int row, const double w[3])
{
  double w_hat[3];
  mw_mul33tv(k->p + 3, w, w_hat);
  for (int i = 0; i < 3; i++) k->J[12 * row + i] += w_hat[i];
  add_rotation(k, row, w_hat, k->Y);
  if (k->z0 >= 0)
    for (int i = 0; i < 3; i++) k->Z[row * k->n_z + k->z0 + i] += w_hat[i];
}

void mw_side_add_axis(mw_side *k, int row, int i, const double w[3])
{
  double w_hat[3], m[3];
  mw_mul33tv(k->p + 3, w, w_hat);
  add_rotation(k, row, w_hat, k->c + 3 * i);
  mw_cross3(k->f + 3 * i, w_hat, m);
  if (k->z0 >= 0)
    for (int l = 0; l < 3; l++) k->Z[row * k->n_z + k->z0 + 3 + l] += m[l];
}

void mw_row_axes(mw_side *a, mw_side *b, int i, int j, int row, double *g)
{
  g[row] = mw_dot3(a->A + 3 * i, b->A + 3 * j);
  mw_side_add_axis(a, row, i, b->A + 3 * j);
  mw_side_add_axis(b, row, j, a->A + 3 * i);
}

void mw_row_along(mw_side *a, mw_side *b, int i, int row, double *g)
{
  const double *n = a->A + 3 * i, minus[3] = { -n[0], -n[1], -n[2] };
  double d[3] = { b->x[0] - a->x[0], b->x[1] - a->x[1], b->x[2] - a->x[2] };
  g[row] = mw_dot3(n, d);
  mw_side_add_axis(a, row, i, d);
  mw_side_add_point(b, row, n);
  mw_side_add_point(a, row, minus);
}

// rows row … row+2: x_b − x_a in ground axes
static void rows_point(mw_side *a, mw_side *b, int row, double *g)
{
  for (int i = 0; i < 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 }, minus[3] = { -e[0], -e[1], -e[2] };
    g[row + i] = b->x[i] - a->x[i];
    mw_side_add_point(b, row + i, e);
    mw_side_add_point(a, row + i, minus);
  }
}

// rows row … row+2: [A3(a)·A2(b), A1(a)·A3(b), A2(a)·A1(b)], to first order the rotation of b against a about A1 A2 A3
static void rows_orientation(mw_side *a, mw_side *b, int row, double *g)
{
  mw_row_axes(a, b, 2, 1, row, g);
  mw_row_axes(a, b, 0, 2, row + 1, g);
  mw_row_axes(a, b, 1, 0, row + 2, g);
}

// Fixed: g = [x_b − x_a ; orientation]                                   6 rows
void mw_joint_fixed(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  (void)j;
  rows_point(&k->a, &k->b, 0, e->g);
  rows_orientation(&k->a, &k->b, 3, e->g);
}

// Spherical: g = x_b − x_a                                               3 rows
void mw_joint_spherical(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  (void)j;
  rows_point(&k->a, &k->b, 0, e->g);
}

// Revolute: g = [x_b − x_a ; A1(a)·A3(b) ; A2(a)·A3(b)]                  5 rows
// coordinate s: cos φ A2(a)·A1(b) − sin φ A1(a)·A1(b) = 0, φ = s − start  (A1(b) = cos φ A1(a) + sin φ A2(a))
void mw_joint_revolute(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  rows_point(&k->a, &k->b, 0, e->g);
  mw_row_axes(&k->a, &k->b, 0, 2, 3, e->g);
  mw_row_axes(&k->a, &k->b, 1, 2, 4, e->g);
  if (j->coord < 0) return;
  double phi = k->s - j->in->start, c = cos(phi), s = sin(phi), w[3], *A = k->a.A, *B = k->b.A;
  for (int i = 0; i < 3; i++) w[i] = c * A[3 + i] - s * A[i];
  double cB[3] = { c * B[0], c * B[1], c * B[2] }, sB[3] = { -s * B[0], -s * B[1], -s * B[2] };
  e->g[5] = mw_dot3(w, B);
  mw_side_add_axis(&k->a, 5, 1, cB);
  mw_side_add_axis(&k->a, 5, 0, sB);
  mw_side_add_axis(&k->b, 5, 0, w);
  e->Js[5] = -s * mw_dot3(A + 3, B) - c * mw_dot3(A, B);
}

// Prismatic: g = [A1(a)·d ; A2(a)·d ; orientation] , d = x_b − x_a       5 rows
// coordinate s: A3(a)·d − (s − start) = 0, d measured from its reference value
void mw_joint_prismatic(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  mw_row_along(&k->a, &k->b, 0, 0, e->g);
  mw_row_along(&k->a, &k->b, 1, 1, e->g);
  rows_orientation(&k->a, &k->b, 2, e->g);
  if (j->coord < 0) return;
  mw_row_along(&k->a, &k->b, 2, 5, e->g);
  e->g[5] -= j->gap[0] + k->s - j->in->start;
  e->Js[5] = -1.0;
}

// Spring (bushing): g_i = A_i(a)·(x_b − x_a) and the three orientation rows, those with a stiffness or a damper;
// reaction λ_i = k_i g_i + c_i ġ_i, no force in the reference configuration.
void mw_joint_spring(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  static const int axes[3][2] = { { 2, 1 }, { 0, 2 }, { 1, 0 } };
  int row = 0;
  for (int i = 0; i < 6; i++) {
    if (j->in->stiffness[i] <= 0.0 && j->in->damping[i] <= 0.0) continue;
    if (i < 3)
      mw_row_along(&k->a, &k->b, i, row++, e->g);
    else
      mw_row_axes(&k->a, &k->b, axes[i - 3][0], axes[i - 3][1], row++, e->g);
  }
}
