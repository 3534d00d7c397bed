// SPDX-License-Identifier: BSD-3-Clause
// body_check.c: the invariants of a body, in code.
#include <math.h>

#include "base/vec3.h"
#include "fem/body.h"

static const double RIGID_TOL =
    1e-9;  // functionals of rigid motions, relative to the body's size: rounding only

static bool all_finite(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static mw_code wrong(const mw_body *b, const char *what, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, b->at, "body '%s': %s", b->name, what);
}

static int guide_rows(const mw_guide *g) { return (g->rot ? 6 : 3) * g->n; }

static mw_code check_matrix(const mw_body *b, const mw_csc *A, bool sym, int n_row, mw_error *err)
{
  mw_code rc = mw_csc_check(A, err);
  if (rc != MW_OK) return rc;
  if (A->sym != sym || A->n_row != n_row || A->n_col != b->n_u)
    return wrong(b, "matrix of the wrong shape", err);
  return all_finite(A->val, (size_t)A->ptr[A->n_col])
             ? MW_OK
             : wrong(b, "matrix with a value that is not finite", err);
}

static mw_code check_matrices(const mw_body *b, mw_error *err)
{
  mw_code rc = check_matrix(b, &b->K, true, b->n_u, err);
  if (rc == MW_OK) rc = check_matrix(b, &b->M, true, b->n_u, err);
  if (rc == MW_OK) rc = check_matrix(b, &b->P, false, b->n_z, err);
  if (rc == MW_OK && b->n_gauge > 0) rc = check_matrix(b, &b->S, false, 6 * b->n_gauge, err);
  for (int k = 0; k < 6 && rc == MW_OK; k++) rc = check_matrix(b, &b->Mab[k], k < 3, b->n_u, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)b->n_u;
  if (!all_finite(b->s, 3 * n) || !all_finite(b->h, 9 * n) ||
      (b->R != NULL && !all_finite(b->R, 6 * n)))
    return wrong(b, "mass moment that is not finite", err);
  return MW_OK;
}

// motion of X under rigid mode k: t = v + ω × X, r = ω
static void rigid_motion(int k, const double X[3], double t[3], double r[3])
{
  double e[3] = { k % 3 == 0, k % 3 == 1, k % 3 == 2 };
  for (int i = 0; i < 3; i++) r[i] = k < 3 ? 0.0 : e[i];
  if (k >= 3)
    mw_cross3(e, X, t);
  else
    for (int i = 0; i < 3; i++) t[i] = e[i];
}

static double frame_error(const mw_frame *f, int k, const double *z)
{
  double t[3], r[3], e = 0.0;
  rigid_motion(k, f->X, t, r);
  for (int i = 0; i < 3; i++)
    e = fmax(e, fmax(fabs(z[f->z + i] - t[i]), fabs(z[f->z + 3 + i] - r[i])));
  return e;
}

// Guide nodes of a mesh may lie off the line by rounding in the file: 1e-6 of the length.
static double guide_error(const mw_guide *g, int k, const double *z)
{
  double e = 0.0;
  for (int j = 0; j < g->n; j++) {
    double X[3], t[3], r[3];
    for (int i = 0; i < 3; i++) X[i] = g->X0[i] + g->s[j] * g->t[i];
    rigid_motion(k, X, t, r);
    const double *u = z + g->z + (g->rot ? 6 : 3) * j;
    for (int i = 0; i < 3; i++) e = fmax(e, fabs(u[i] - t[i]) - 1e-6 * g->length);
    for (int i = 0; i < 3 && g->rot; i++) e = fmax(e, fabs(u[3 + i] - r[i]));
  }
  return e;
}

// one rigid mode: functionals (complete bodies only) and residual
static mw_code check_mode(const mw_body *b, int k, double size, double *work, double *residual,
                          mw_error *err)
{
  int n = b->n_u;
  double *x = work, *y = work + n, *z = y + n, r_max = 0.0, f_max = 0.0, k_max = 0.0;
  for (int i = 0; i < n; i++) r_max = fmax(r_max, fabs(x[i] = b->R[6 * (size_t)i + (size_t)k]));
  mw_csc_mul(&b->K, 1.0, x, 0.0, y);
  for (int i = 0; i < n; i++) f_max = fmax(f_max, fabs(y[i]));
  for (int p = 0; p < b->K.ptr[n]; p++) k_max = fmax(k_max, fabs(b->K.val[p]));
  if (f_max > 0.0) *residual = fmax(*residual, f_max / (k_max * r_max));
  if (b->n_node == 0) return MW_OK;
  mw_csc_mul(&b->P, 1.0, x, 0.0, z);
  for (int i = 0; i < b->n_frame; i++)
    if (b->frame[i].z >= 0 && frame_error(&b->frame[i], k, z) > RIGID_TOL * size)
      return wrong(b, "a frame does not follow a rigid motion", err);
  for (int i = 0; i < b->n_guide; i++)
    if (guide_error(&b->guide[i], k, z) > RIGID_TOL * size)
      return wrong(b, "a guide does not follow a rigid motion", err);
  return MW_OK;
}

static mw_code check_rigid(const mw_body *b, double *residual, mw_error *err)
{
  mw_arena tmp = { 0 };
  double size = 1.0, *work = mw_arena_f64(&tmp, 2 * (size_t)b->n_u + (size_t)b->n_z);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; i < 3 * b->n_node; i++) size = fmax(size, fabs(b->X[i]));
  for (int k = 0; k < 6 && rc == MW_OK; k++) rc = check_mode(b, k, size, work, residual, err);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_body_check(const mw_body *body, double *rigid_residual, mw_error *err)
{
  double residual = 0.0;
  mw_code rc = MW_OK;
  if (!all_finite(&body->m, 1) || !all_finite(body->mX, 3) || !all_finite(body->J, 9))
    return wrong(body, "mass properties that are not finite", err);
  for (int k = 0; k < body->n_frame; k++)
    if (body->frame[k].z < -1 || (body->frame[k].z >= 0 && body->frame[k].z + 6 > body->n_z))
      return wrong(body, "frame outside the functionals", err);
  for (int k = 0; k < body->n_guide; k++)
    if (body->guide[k].n > 0 &&
        (body->guide[k].z < 0 || body->guide[k].z + guide_rows(&body->guide[k]) > body->n_z))
      return wrong(body, "guide outside the functionals", err);
  if (body->n_u > 0) rc = check_matrices(body, err);
  if (rc == MW_OK && body->n_u > 0 && body->R != NULL) rc = check_rigid(body, &residual, err);
  if (rc == MW_OK && rigid_residual != NULL) *rigid_residual = residual;
  return rc;
}
