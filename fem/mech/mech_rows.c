// SPDX-License-Identifier: BSD-3-Clause
// mech_rows.c: joint rows g and their derivatives on elastic bodies, formulated with parallelism so
// that every joint has full row rank (Kraus, Winckler, Bock 2001, section 5: a ∥ b ⇔ a ⊥ h1, a ⊥
// h2). Which rows a joint has stands in its file of joint/; here are the primitives these rows are
// made of.
//
// A1 A2 A3: joint axes fixed to body a or b, equal in the reference configuration; the joint's own
// axis is A3.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "joint/turn_layer.h"
#include "mech_layer.h"

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
    mw_turn3(r, f, c);
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
  if (k->z0 < 0) return;
  mw_cross3(k->c + 3 * i, w_hat, m);
  if (k->z) mw_turn_moment3(k->z + k->z0 + 3, m, m);
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

void mw_row_point(mw_side *a, mw_side *b, int row, double *g)
{
  for (int i = 0; i < 3; i++) {
    double e[3] = { i == 0, i == 1, i == 2 }, minus[3] = { -e[0], -e[1], -e[2] };
    g[row + i] = b->x[i] - a->x[i];
    mw_side_add_point(b, row + i, e);
    mw_side_add_point(a, row + i, minus);
  }
}

void mw_row_turn(mw_side *a, mw_side *b, const mw_row *r, int row, double *g)
{
  double P[9];
  mw_turn t;
  for (int i = 0; i < 9; i++) P[i] = mw_dot3(a->A + i / 3 * 3, b->A + i % 3 * 3);
  mw_turn_eval(r, P, NULL, &t);
  g[row] = t.g;
  for (int i = 0; i < 3; i++) {
    double wa[3], wb[3];
    mw_mul33tv(b->A, t.W + 3 * i, wa);
    for (int l = 0; l < 3; l++)
      wb[l] = t.W[i] * a->A[l] + t.W[3 + i] * a->A[3 + l] + t.W[6 + i] * a->A[6 + l];
    mw_side_add_axis(a, row, i, wa);
    mw_side_add_axis(b, row, i, wb);
  }
}

// ---- lists of rows ------------------------------------------------------------------------------

mw_row *mw_row_add(mw_row_list *l, const mw_joint *j, mw_row_kind kind, int i, int k)
{
  mw_row *r = &l->row[l->n++];
  *r = (mw_row){ .kind = kind, .i = i, .j = k, .k = INFINITY };
  memcpy(r->Xa, j->Xa, sizeof r->Xa);
  memcpy(r->Xb, j->Xb, sizeof r->Xb);
  return r;
}

void mw_row_add_orientation(mw_row_list *l, const mw_joint *j)
{
  mw_row_add(l, j, MW_ROW_AXES, 2, 1);
  mw_row_add(l, j, MW_ROW_AXES, 0, 2);
  mw_row_add(l, j, MW_ROW_AXES, 1, 0);
}

// ---- the coordinate as an unknown of its own ----------------------------------------------------

// Angle: cos φ A2(a)·B − sin φ A1(a)·B = 0 with B = A1(b) = cos φ A1(a) + sin φ A2(a), φ = s −
// start; universal: B = A3(b);
// SECOND: the same with a and b exchanged and φ backwards.
static void row_angle(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  bool second = j->in->measure == MW_MEASURE_SECOND;
  mw_side *from = second ? &k->b : &k->a, *to = second ? &k->a : &k->b;
  int axis = mw_joint_class_of(j->in)->crossed ? 2 : 0;
  double phi = k->s - j->in->start + j->phi0, c = cos(phi), s = sin(phi), w[3];
  if (second) s = -s;
  const double *A = from->A, *B = to->A + 3 * axis;
  for (int i = 0; i < 3; i++) w[i] = c * A[3 + i] - s * A[i];
  double cB[3] = { c * B[0], c * B[1], c * B[2] }, sB[3] = { -s * B[0], -s * B[1], -s * B[2] };
  e->g[row] = mw_dot3(w, B);
  mw_side_add_axis(from, row, 1, cB);
  mw_side_add_axis(from, row, 0, sB);
  mw_side_add_axis(to, row, axis, w);
  e->Js[row] = -s * mw_dot3(A + 3, B) - c * mw_dot3(A, B);
  if (second) e->Js[row] = -e->Js[row];
}

// Travel: A3(a)·d − (s − start) = 0, d measured from its reference value
static void row_travel(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  mw_row_along(&k->a, &k->b, 2, row, e->g);
  e->g[row] -= j->gap[0] + k->s - j->in->start;
  e->Js[row] = -1.0;
}

void mw_joint_list_eval(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e)
{
  int row = 0;
  for (int i = 0; i < j->n_list; i++) {
    const mw_row *r = &j->list[i];
    switch (r->kind) {
    case MW_ROW_POINT:
      mw_row_point(&k->a, &k->b, row, e->g);
      row += 3;
      break;
    case MW_ROW_AXES: mw_row_axes(&k->a, &k->b, r->i, r->j, row++, e->g); break;
    case MW_ROW_ALONG: mw_row_along(&k->a, &k->b, r->i, row++, e->g); break;
    default: mw_row_turn(&k->a, &k->b, r, row++, e->g); break;
    }
  }
  const mw_joint_class *class = mw_joint_class_of(j->in);
  if (class->own_elastic) {
    class->own_elastic(j, k, row, e);
    row += class->n_own;
  }
  if (j->coord_row < 0) return;
  if (class->coord_elastic)
    class->coord_elastic(j, k, row, e);
  else if (j->in->measure == MW_MEASURE_TRAVEL)
    row_travel(j, k, row, e);
  else
    row_angle(j, k, row, e);
}
