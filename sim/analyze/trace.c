// SPDX-License-Identifier: BSD-3-Clause
// trace.c: the rigid mechanism as independent coordinates z lead it from place to place.
//
//   [J; Js_z] T = [0; 1] ,  u = Tᵀ ż ,  [J; Js_z] u' = [γ; z̈ − bias_z]                         (1)
// by block elimination over the joints (fem/rigid.h), redundant rows left out: rows alone determine
// the solution, so that masses are but a measure. Whether z say all of the motion is asked once, by
// singular values.
#include "trace_priv.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/law.h"

static const double RANK = 1e-9;  // as in mobility.c: rows close to 1e-13

static mw_code memory(mw_trace *t, mw_error *err)
{
  size_t n_u = (size_t)t->n.n_u, rows = (size_t)t->n.n_row, nc = (size_t)t->n.n_coord,
         k = (size_t)t->k, soft = (size_t)t->n.n_soft;
  t->z = mw_arena_int(&t->mem, k);
  t->row = mw_arena_int(&t->mem, k);
  double **tangent[] = { &t->mass, &t->zero };
  for (int i = 0; i < 2; i++) *tangent[i] = mw_arena_f64(&t->mem, n_u);
  double **row[] = { &t->gamma, &t->c, &t->lambda, &t->gap };
  for (int i = 0; i < 4; i++) *row[i] = mw_arena_f64(&t->mem, rows);
  t->q = mw_arena_f64(&t->mem, (size_t)t->n.n_q);
  t->s = mw_arena_f64(&t->mem, nc);
  t->bias = mw_arena_f64(&t->mem, nc);
  t->T = mw_arena_f64(&t->mem, k * n_u);
  t->J = mw_arena_f64(&t->mem, rows * n_u);
  t->Js = mw_arena_f64(&t->mem, nc * n_u);
  t->soft = mw_arena_f64(&t->mem, soft);
  t->soft_dot = mw_arena_f64(&t->mem, soft);
  return mw_arena_check(&t->mem, err);
}

static void matrices(mw_trace *t, const double *u)
{
  const mw_rigid_dense d = { t->J, t->gamma, t->Js, t->bias };
  mw_rigid_matrices(t->r, t->w, t->t, t->q, u, &d);
}

// Rows that are alike but for rounding: what a product and its sum err by, of rows of order 1 or of
// metres.
static bool alike(int n, const double *a, const double *b)
{
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i] - b[i]) <= 64.0 * DBL_EPSILON * fmax(1.0, fabs(a[i])))) return false;
  return true;
}

// Which row holds which of z: it is the rate of its coordinate.
static void find_rows(mw_trace *t, const int *joint)
{
  int n = t->n.n_u;
  for (int i = 0; i < t->k; i++)
    for (int c = 0; c < t->n.n_row; c++) {
      const double *a = t->J + (size_t)c * (size_t)n, *b = t->Js + (size_t)t->z[i] * (size_t)n;
      if (joint[c] < 0 && alike(n, a, b)) t->row[i] = c;
    }
}

// All of the motion must be determined by z, and each of z be free.
static mw_code check_freedoms(mw_trace *t, mw_error *err)
{
  size_t n = (size_t)t->n.n_u, rows = (size_t)t->n.n_row;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, rows * n), *b = mw_arena_f64(&tmp, rows),
         *x = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < t->k; i++) {
    int rank = 0;
    memcpy(A, t->J, rows * n * sizeof *A);
    memset(b, 0, rows * sizeof *b);
    b[t->row[i]] = 1.0;
    rc = mw_lstsq((int)rows, (int)n, A, b, RANK, x, &rank, err);
    if (rc == MW_OK && rank < t->n.n_u)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "coordinates given: %d, freedoms left with them held: %d; expected as many "
                   "independent ones as the mechanism has freedoms",
                   t->k, t->n.n_u - rank);
    for (int j = 0; rc == MW_OK && j < t->k; j++)
      if (fabs(mw_dot((int)n, t->Js + (size_t)t->z[j] * n, x) - (i == j)) > 1e-6)
        rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "%s depends on the other coordinates that are given; expected independent "
                     "ones",
                     mw_mech_coord_name(t->m, t->z[i]));
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code begin(mw_trace *t, const mw_position *at, const unsigned char *given, mw_error *err)
{
  int *joint = mw_arena_int(&t->mem, (size_t)t->n.n_row), k = 0;
  mw_code rc = mw_arena_check(&t->mem, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < t->n.n_coord; c++)
    if (given[c]) t->z[k++] = c;
  mw_rigid_from_frames(t->r, at->p, t->q);
  memcpy(t->s, at->s, (size_t)t->n.n_coord * sizeof *t->s);
  mw_rigid_accept_coords(t->r, t->w, t->s);
  mw_rigid_hold(t->r, t->w, t->s, NULL);
  mw_rigid_masses(t->r, t->mass);
  mw_rigid_row_joints(t->r, joint);
  matrices(t, NULL);
  find_rows(t, joint);
  return check_freedoms(t, err);
}

mw_code mw_trace_open(const mw_mech *m, const mw_position *at, const unsigned char *given,
                      mw_trace *out, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  *out = (mw_trace){ .m = m, .size = mw_mech_size(m) };
  opt.locked = given;
  mw_code rc = mw_rigid_build(m, &opt, &out->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(out->r, &out->w, err);
  if (rc != MW_OK) return rc;
  out->n = mw_rigid_sizes(out->r);
  if (out->n.n_rotor > 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
                   "drives have rotors behind a flexibility: their angles are no coordinates of "
                   "the rigid mechanism, expected none");
  for (int c = 0; c < m->n_coord; c++) out->k += given[c];
  rc = memory(out, err);
  return rc == MW_OK ? begin(out, at, given, err) : rc;
}

void mw_trace_close(mw_trace *t)
{
  mw_rigid_work_free(t->w);
  mw_rigid_free(t->r);
  mw_arena_free(&t->mem);
  *t = (mw_trace){ 0 };
}

// Coordinates at q, turns counted from those before.
static void accept(mw_trace *t)
{
  mw_rigid_coords(t->r, t->w, t->q, NULL, t->s, NULL);
  mw_rigid_accept_coords(t->r, t->w, t->s);
}

mw_code mw_trace_go(mw_trace *t, const double *to, mw_error *err)
{
  static const double TOL = 1e-13;  // of the size, what mw_mech_rigid_solve closes to
  mw_code rc = mw_rigid_reach(t->r, t->w, t->s, to, TOL * t->size, t->q, err);
  if (rc == MW_OK) accept(t);
  return rc;
}

// x := solution of (1) for the right-hand side t->c
static void solve(mw_trace *t, double *x)
{
  mw_rigid_kkt_solve(t->r, t->w, t->zero, t->c, NULL, x, t->lambda, NULL);
}

static void factor(mw_trace *t)
{
  static const double HEAVY = 1e12;  // 1/s²: beside masses so heavy no spring counts
  mw_rigid_rows(t->r, t->w, t->t, t->q, NULL, t->gap, NULL, NULL, NULL);
  mw_rigid_kkt_factor(t->r, t->w, HEAVY, 0.0);
}

static mw_code tangents(mw_trace *t, mw_error *err)
{
  size_t n = (size_t)t->n.n_u;
  matrices(t, NULL);
  for (int i = 0; i < t->k; i++) {
    double *T = t->T + (size_t)i * n;
    memset(t->c, 0, (size_t)t->n.n_row * sizeof *t->c);
    t->c[t->row[i]] = 1.0;
    solve(t, T);
    for (int j = 0; j < t->k; j++) {
      double rate = mw_dot((int)n, t->Js + (size_t)t->z[j] * n, T);
      if (!(fabs(rate - (i == j)) <= 1e-6))
        return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                       "%s cannot move on its own at %s = %.9g: the position is singular",
                       mw_mech_coord_name(t->m, t->z[i]), mw_mech_coord_name(t->m, t->z[i]),
                       t->s[t->z[i]]);
    }
  }
  return MW_OK;
}

mw_code mw_trace_basis(mw_trace *t, mw_error *err)
{
  factor(t);
  return tangents(t, err);
}

mw_code mw_trace_step(mw_trace *t, double *move, double *gap, mw_error *err)
{
  mw_rigid_hold(t->r, t->w, t->s, NULL);
  factor(t);
  *gap = 0.0;
  for (int i = 0; i < t->n.n_row; i++) {
    t->c[i] = -t->gap[i];
    *gap = fmax(*gap, fabs(t->gap[i]));
  }
  solve(t, move);
  return tangents(t, err);
}

void mw_trace_move(mw_trace *t, const double *u)
{
  mw_rigid_move(t->r, t->q, u, t->q);
  accept(t);
}

void mw_trace_bias(mw_trace *t, const double *u, double *ud)
{
  matrices(t, u);
  memcpy(t->c, t->gamma, (size_t)t->n.n_row * sizeof *t->c);
  for (int i = 0; i < t->k; i++) t->c[t->row[i]] = -t->bias[t->z[i]];
  solve(t, ud);
}

void mw_trace_force(mw_trace *t, const double *u, double *f)
{
  const double *k = mw_rigid_soft_k(t->r), *c = mw_rigid_soft_c(t->r);
  mw_rigid_force(t->r, t->w, t->t, t->q, u, true, f);
  if (t->n.n_soft == 0) return;
  mw_rigid_rows(t->r, t->w, t->t, t->q, u, NULL, NULL, t->soft, t->soft_dot);
  for (int i = 0; i < t->n.n_soft; i++)
    t->soft[i] = k[i] * t->soft[i] + (u ? c[i] * t->soft_dot[i] : 0.0);
  mw_rigid_add_reaction(t->r, t->w, NULL, t->soft, f);
}

// ---- dry friction -------------------------------------------------------------------------------

// The friction of joint j as a law on its own, false: it has none.
static bool dry_law(const mw_trace *t, int j, mw_law *out)
{
  const mw_joint_in *in = t->m->joint[j].in;
  if (!in->has_law || t->m->joint[j].coord < 0 || in->law.coulomb == 0.0) return false;
  *out = in->law;
  out->lo = -INFINITY;
  out->hi = INFINITY;
  out->stiffness = 0.0;
  return true;
}

mw_code mw_trace_check_dry(const mw_trace *t, bool *any, mw_error *err)
{
  *any = false;
  for (int j = 0; j < t->m->n_joint; j++) {
    const mw_joint_in *in = t->m->joint[j].in;
    mw_law l;
    if (in->friction.present && in->friction.mu_static > 0.0)
      return mw_fail(err, MW_ERR_INPUT, in->friction.at,
                     "joint %s: friction in proportion to its reaction depends on speed and "
                     "acceleration; accessible dynamics knows drive_friction",
                     in->name);
    if (in->has_law && in->law.stiction != in->law.coulomb)
      return mw_fail(err, MW_ERR_INPUT, in->at,
                     "joint %s: its drive_friction begins to move at %.9g, moves at %.9g and falls "
                     "with the speed between them; accessible dynamics knows a constant one: "
                     "expected no static",
                     in->name, in->law.stiction, in->law.coulomb);
    *any = *any || dry_law(t, j, &l);
  }
  return MW_OK;
}

void mw_trace_take_dry(const mw_trace *t, const double *u, double *f)
{
  int n = t->n.n_u;
  for (int j = 0; u && j < t->m->n_joint; j++) {
    mw_law l;
    double force[3];
    if (!dry_law(t, j, &l)) continue;
    const double *Js = t->Js + (size_t)t->m->joint[j].coord * (size_t)n;
    mw_law_force(&l, 0.0, mw_dot(n, Js, u), force);
    mw_axpy(n, -force[0], Js, f);
  }
}

void mw_trace_dry(const mw_trace *t, const double *u, const double *ud, double *f)
{
  static const double STANDS = 1e-9;  // of the largest, of coordinates that close to 1e-13
  int n = t->n.n_u;
  double most[2] = { 0.0 };
  for (int i = 0; i < n; i++) {
    double unit = i % 6 < 3 ? t->size : 1.0;
    most[0] = fmax(most[0], fabs(u[i]) / unit);
    most[1] = fmax(most[1], fabs(ud[i]) / unit);
    f[i] = 0.0;
  }
  most[1] = fmax(most[1], most[0] * most[0]);
  for (int j = 0; j < t->m->n_joint; j++) {
    mw_law l;
    if (!dry_law(t, j, &l)) continue;
    int c = t->m->joint[j].coord;
    const double *Js = t->Js + (size_t)c * (size_t)n;
    double unit = strcmp(mw_joint_unit(t->m->joint[j].in), "m") == 0 ? t->size : 1.0;
    double way = mw_dot(n, Js, u);
    if (fabs(way) <= STANDS * most[0] * unit) {
      way = mw_dot(n, Js, ud) + t->bias[c];
      if (fabs(way) <= STANDS * most[1] * unit) continue;
    }
    mw_axpy(n, way > 0.0 ? -l.coulomb : l.coulomb, Js, f);
  }
}

void mw_trace_drives(const mw_trace *t, double *A)
{
  const mw_model *model = t->m->model;
  size_t n = (size_t)t->n.n_u, nd = (size_t)model->n_drive;
  for (size_t d = 0; d < nd; d++) {
    int j = model->drive[d].joint;  // −1, a force at a frame: none is asked for
    for (size_t i = 0; i < (size_t)t->k; i++)
      A[i * nd + d] =
          j < 0 ? 0.0 : mw_dot((int)n, t->Js + (size_t)t->m->joint[j].coord * n, t->T + i * n);
  }
}
