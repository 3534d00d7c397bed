// SPDX-License-Identifier: BSD-3-Clause
// inverse_dynamics.c: drive forces for a motion at an instant, and the equation of motion in
// minimal coordinates.
//
//   [J; Js_z] T = [0; 1] ,  u = T ż ,  [J; Js_z] u' = [γ; z̈ − bias_z]                          (1)
//   M(z) z̈ + h(z, ż) = Q ,  M = Tᵀ M̂ T ,  h = Tᵀ (M̂ u'(z̈ = 0) − f̂)                         (2)
//   Q = (Js_d T)ᵀ τ , |τ| least                                                                 (3)
// by singular values: rows may be redundant, drives too. f̂: weight, springs, dampers, friction,
// forces of the model without a scenario. Cost O(n_row n_u²).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/rigid.h"
#include "sim/analyze.h"

static const double RANK = 1e-9;  // as in mobility.c: rows close to 1e-13

typedef struct motion_state {
  const mw_mech *m;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  int k;      // minimal coordinates
  int *z;     // [k]
  double *q;  // [n_q]
  double *J, *gamma, *Js, *bias;
  double *A, *B;  // [(n_row + k) × n_u]  the rows of (1), a copy that is destroyed
  double *b;      // [n_row + k]
  double *T;      // [k × n_u]
  double *u, *u0, *ud, *f, *mass;  // [n_u]
  mw_arena mem;
} motion_state;

static mw_code open_state(const mw_mech *m, const mw_position *at, const unsigned char *given,
                          motion_state *s, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  *s = (motion_state){ .m = m };
  mw_code rc = mw_rigid_build(m, &opt, &s->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(s->r, &s->w, err);
  if (rc != MW_OK) return rc;
  s->n = mw_rigid_sizes(s->r);
  if (s->n.n_rotor > 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
                   "drives have rotors behind a flexibility: their angles are no coordinates of "
                   "the rigid mechanism, expected none");
  for (int c = 0; c < m->n_coord; c++) s->k += given[c];
  size_t n_u = (size_t)s->n.n_u, rows = (size_t)(s->n.n_row + s->k);
  s->z = mw_arena_int(&s->mem, (size_t)s->k);
  s->q = mw_arena_f64(&s->mem, (size_t)s->n.n_q);
  s->J = mw_arena_f64(&s->mem, rows * n_u);
  s->gamma = mw_arena_f64(&s->mem, rows);
  s->Js = mw_arena_f64(&s->mem, (size_t)m->n_coord * n_u);
  s->bias = mw_arena_f64(&s->mem, (size_t)m->n_coord);
  s->A = mw_arena_f64(&s->mem, rows * n_u);
  s->B = mw_arena_f64(&s->mem, rows * n_u);
  s->b = mw_arena_f64(&s->mem, rows);
  s->T = mw_arena_f64(&s->mem, (size_t)s->k * n_u);
  double **vector[] = { &s->u, &s->u0, &s->ud, &s->f, &s->mass };
  for (int i = 0; i < 5; i++) *vector[i] = mw_arena_f64(&s->mem, n_u);
  rc = mw_arena_check(&s->mem, err);
  if (rc != MW_OK) return rc;
  for (int c = 0, i = 0; c < m->n_coord; c++)
    if (given[c]) s->z[i++] = c;
  mw_rigid_from_frames(s->r, at->p, s->q);
  mw_rigid_accept_coords(s->r, s->w, at->s);
  mw_rigid_masses(s->r, s->mass);
  return MW_OK;
}

static void close_state(motion_state *s)
{
  mw_rigid_work_free(s->w);
  mw_rigid_free(s->r);
  mw_arena_free(&s->mem);
}

static void matrices(motion_state *s, const double *u)
{
  const mw_rigid_dense d = { s->J, s->gamma, s->Js, s->bias };
  size_t n_u = (size_t)s->n.n_u;
  mw_rigid_matrices(s->r, s->w, 0.0, s->q, u, &d);
  memcpy(s->A, s->J, (size_t)s->n.n_row * n_u * sizeof(double));
  for (int i = 0; i < s->k; i++)
    memcpy(s->A + (size_t)(s->n.n_row + i) * n_u, s->Js + (size_t)s->z[i] * n_u,
           n_u * sizeof(double));
}

// x := solution of (1) for the right-hand side s->b; all of it must be determined.
static mw_code solve(motion_state *s, double *x, mw_error *err)
{
  int rows = s->n.n_row + s->k, rank = 0;
  memcpy(s->B, s->A, (size_t)rows * (size_t)s->n.n_u * sizeof(double));
  mw_code rc = mw_lstsq(rows, s->n.n_u, s->B, s->b, RANK, x, &rank, err);
  if (rc == MW_OK && rank < s->n.n_u)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%d coordinates are given, and %d freedoms are left with them held; expected as "
                 "many independent ones as the mechanism has freedoms",
                 s->k, s->n.n_u - rank);
  return rc;
}

static mw_code basis(motion_state *s, mw_error *err)
{
  mw_code rc = MW_OK;
  matrices(s, NULL);
  for (int i = 0; rc == MW_OK && i < s->k; i++) {
    memset(s->b, 0, (size_t)(s->n.n_row + s->k) * sizeof(double));
    s->b[s->n.n_row + i] = 1.0;
    double *T = s->T + (size_t)i * (size_t)s->n.n_u;
    rc = solve(s, T, err);
    for (int j = 0; rc == MW_OK && j < s->k; j++) {
      double rate = mw_dot(s->n.n_u, s->Js + (size_t)s->z[j] * (size_t)s->n.n_u, T);
      if (fabs(rate - (i == j)) > 1e-6)
        rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "%s depends on the other coordinates that are given; expected independent "
                     "ones",
                     mw_mech_coord_name(s->m, s->z[i]));
    }
  }
  return rc;
}

// f̂ of (2) at rest in the ground (u NULL) or at u
static mw_code forces(motion_state *s, const double *u, mw_error *err)
{
  size_t n = (size_t)s->n.n_soft;
  mw_arena tmp = { 0 };
  double *g = mw_arena_f64(&tmp, n), *gd = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    const double *k = mw_rigid_soft_k(s->r), *c = mw_rigid_soft_c(s->r);
    mw_rigid_force(s->r, s->w, 0.0, s->q, u, true, s->f);
    mw_rigid_rows(s->r, s->w, 0.0, s->q, u, NULL, NULL, g, gd);
    for (size_t i = 0; i < n; i++) g[i] = k[i] * g[i] + (u ? c[i] * gd[i] : 0.0);
    mw_rigid_add_reaction(s->r, s->w, NULL, g, s->f);
  }
  mw_arena_free(&tmp);
  return rc;
}

// (2), of rest alone: h is what weight and springs need
static void static_part(const motion_state *s, double *g)
{
  for (int i = 0; i < s->k; i++)
    g[i] = -mw_dot(s->n.n_u, s->T + (size_t)i * (size_t)s->n.n_u, s->f);
}

static mw_code equation(motion_state *s, const double *rate, mw_equation *o, mw_error *err)
{
  int n = s->n.n_u, k = s->k;
  mw_code rc = forces(s, NULL, err);
  if (rc == MW_OK) static_part(s, o->g);
  for (int i = 0; i < k; i++) mw_axpy(n, rate[s->z[i]], s->T + i * n, s->u);
  matrices(s, s->u);
  memcpy(s->b, s->gamma, (size_t)s->n.n_row * sizeof(double));
  for (int i = 0; i < k; i++) s->b[s->n.n_row + i] = -s->bias[s->z[i]];
  if (rc == MW_OK) rc = solve(s, s->u0, err);
  if (rc == MW_OK) rc = forces(s, s->u, err);
  for (int i = 0; rc == MW_OK && i < k; i++) {
    const double *T = s->T + i * n;
    o->h[i] = 0.0;
    for (int x = 0; x < n; x++) o->h[i] += T[x] * (s->mass[x] * s->u0[x] - s->f[x]);
    for (int j = 0; j < k; j++) {
      double sum = 0.0;
      for (int x = 0; x < n; x++) sum += T[x] * s->mass[x] * s->T[j * n + x];
      o->M[i * k + j] = sum;
    }
  }
  return rc;
}

// (3)
static mw_code drives(motion_state *s, mw_equation *o, mw_error *err)
{
  const mw_model *model = s->m->model;
  int n = s->n.n_u, k = s->k, nd = model->n_drive, rank = 0;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, (size_t)(k * nd)), *B = mw_arena_f64(&tmp, (size_t)(k * nd));
  mw_code rc = mw_arena_check(&tmp, err);
  double left = 0.0;
  for (int d = 0; rc == MW_OK && d < nd; d++) {
    int j = model->drive[d].joint;
    if (j < 0) continue;  // a force at a frame: none is asked for
    for (int i = 0; i < k; i++)
      A[i * nd + d] = mw_dot(n, s->Js + s->m->joint[j].coord * n, s->T + i * n);
  }
  if (rc == MW_OK) memcpy(B, A, (size_t)(k * nd) * sizeof(double));
  if (rc == MW_OK && nd > 0) rc = mw_lstsq(k, nd, B, o->Q, RANK, o->tau, &rank, err);
  for (int i = 0; rc == MW_OK && i < k; i++) {
    left = fmax(left, fabs(o->Q[i] - (nd > 0 ? mw_dot(nd, A + i * nd, o->tau) : 0.0)));
  }
  o->drive_rank = rank;
  o->left = left;
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_equation_find(const mw_mech *m, const mw_position *at, const unsigned char *given,
                         const double *rate, const double *acceleration, mw_arena *mem,
                         mw_equation *out, mw_error *err)
{
  motion_state s;
  mw_equation o = { 0 };
  mw_code rc = open_state(m, at, given, &s, err);
  size_t k = (size_t)s.k;
  o.k = s.k;
  o.coord = mw_arena_int(mem, k);
  double **vector[] = { &o.h, &o.g, &o.Q };
  for (int i = 0; i < 3; i++) *vector[i] = mw_arena_f64(mem, k);
  o.M = mw_arena_f64(mem, k * k);
  o.tau = mw_arena_f64(mem, (size_t)m->model->n_drive);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = basis(&s, err);
  if (rc == MW_OK) rc = equation(&s, rate, &o, err);
  for (int i = 0; rc == MW_OK && i < s.k; i++) {
    o.coord[i] = s.z[i];
    o.Q[i] = o.h[i];
    for (int j = 0; j < s.k; j++) o.Q[i] += o.M[i * s.k + j] * acceleration[s.z[j]];
  }
  if (rc == MW_OK) rc = drives(&s, &o, err);
  close_state(&s);
  if (rc == MW_OK) *out = o;
  return rc;
}
