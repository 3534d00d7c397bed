// SPDX-License-Identifier: BSD-3-Clause
// second_rows.c: what the curvature of the joints' rows adds to K_g, and the rows' gaps along the
// columns.
//
//   Σ_k λ_k D²g_k[ψ_a, ψ_b] ,   D²g[ψ_a, ψ_b] = d/dh (J(h ψ_a)·δ_b(h)) at h = 0                 (1)
//   h ψ_a: frames o + h E t, E exp(h ω~), functionals h z, coordinates as they are; δ_b(h): ψ_b in
//     body axes there,
//     ô = exp(−h ω_a~) t_b → t_b − h ω_a × t_b ,  Ê = (ω_b − h/2 ω_a × ω_b)~: the last term drops
//                                                 out of the symmetric part
//   with a free coordinate's change s_a, s_b:   + s_b dJs[ψ_a] + s_a dJs[ψ_b]      (g_ss = 0:
//       guides are straight)      (2)
//
// One routine serves all joints: their rows are evaluated where they stand (fem/joint/) and
// differentiated by
//   f'(0) = (8 (f(h) − f(−h)) − f(2h) + f(−2h)) / 12h + O(h⁴ f⁽⁵⁾/30)                           (3)
// Rows are polynomials of the frames, of degree two or three, and trigonometric in h |ω| and in h
// times the rotations of elastic frames and guides (exp(r~)) alone; those of springs against turns
// are rotation vectors, smooth up to half a turn. With h |ω| = STEP (3) errs by STEP⁴/30 = 9e-12
// and rounds to 2 EPSILON/STEP = 1e-13 of the row's size, far below the 1e-8 that is asked for;
// along the coordinate of a slide, where weights are splines, nothing is differenced.
// Rows, covectors and columns are kept packed, as far as rows reach: products of all loads and
// columns at once. Cost: 4 evaluations of a joint a column, and columns² × functionals that the
// joint touches a load.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "second_layer.h"

static const double STEP = 4e-3;  // rad

typedef struct reach {  // functionals of a side that rows touch: from … to − 1
  int from, to;
} reach;

typedef struct rows {
  mw_second *z;
  const mw_config *q;
  const mw_joint *jt;
  int j;
  reach all[2];  // of all rows so far: a joint touches few of a body's functionals
  // of a packed row: 6 of a, 6 of b, functionals of a and of b within `packed`, coordinate
  int width;
  reach packed[2];
  double *J;          // [n_row × width]   rows, or their derivative along a column
  double *lambda;     // [n_load × n_row]  of the joint
  double *g0, *g1;    // [n_load × width]  Σ λ J here, and its derivative along a column
  double *delta;      // [m × width]       the columns as g1 sees them
  double *turn, *t0;  // [m × 6], [n_load × 6]  ω_a × t_b of both sides; forces of g0
  double *X;          // [n_load × m]      of one column a
  double *Kg;         // [n_load × m × m]  of one joint
  double *za, *zb;    // displaced functionals
  double length;      // m, of the machine: what its displacements are measured by
  mw_joint_eval e;
  mw_arena mem;
} rows;

void mw_second_displace(const double *p, const double tw[6], double h, double out[12])
{
  double w[3] = { h * tw[3], h * tw[4], h * tw[5] }, t[3], x = mw_norm3(w), C[9];
  double s = x > 0.0 ? sin(x) / x : 1.0, half = x > 0.0 ? sin(0.5 * x) / x : 0.5,
         c = 2.0 * half * half;
  mw_mul33v(p + 3, tw, t);
  for (int i = 0; i < 3; i++) out[i] = p[i] + h * t[i];
  const double W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      C[3 * i + k] = (i == k) + s * W[3 * i + k] + c * (w[i] * w[k] - (i == k ? x * x : 0.0));
  mw_mul33(p + 3, C, out + 3);
}

static const double *twist_of(const rows *w, int body, int a)
{
  return w->z->twist + 6 * ((size_t)body * (size_t)w->z->m + (size_t)a);
}

static double largest(int n, const double *x, double by, double least)
{
  for (int i = 0; i < n; i++) least = fmax(least, fabs(x[i]) / by);
  return least;
}

double mw_second_reach(const mw_body *body, double length, const double *twist, const double *z)
{
  double most = largest(3, twist + 3, 1.0, largest(3, twist, length, 0.0));
  for (int k = 0; z && k < body->n_frame; k++) {
    if (body->frame[k].z < 0) continue;
    const double *x = z + body->frame[k].z;
    most = largest(3, x + 3, 1.0, largest(3, x, length, most));
  }
  for (int k = 0; z && k < body->n_guide; k++) {
    const mw_guide *g = &body->guide[k];
    if (g->z < 0) continue;
    for (int j = 0; j < g->n; j++) {
      const double *x = z + g->z + (g->rot ? 6 : 3) * j;
      most = largest(3, x, length, most);
      if (g->rot) most = largest(3, x + 3, 1.0, most);
    }
  }
  return most;
}

static const double *functionals(const rows *w, int body, int a)
{
  return w->z->z[body] ? w->z->z[body] + (size_t)a * (size_t)w->z->mech->body[body].n_z : NULL;
}

// Enlarges `all` by what of Z [n] is not zero.
static void reach_of(const double *Z, int n, reach *all)
{
  reach r = { 0, n };
  while (r.to > 0 && Z[r.to - 1] == 0.0) r.to--;
  while (r.from < r.to && Z[r.from] == 0.0) r.from++;
  if (r.from == r.to) return;
  if (all->from == all->to) *all = r;
  if (r.from < all->from) all->from = r.from;
  if (r.to > all->to) all->to = r.to;
}

static void reaches(rows *w)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  size_t na = (size_t)z->mech->body[jt->a].n_z, nb = (size_t)z->mech->body[jt->b].n_z;
  for (size_t i = 0; i < (size_t)jt->n_row; i++) {
    if (z->z[jt->a]) reach_of(w->e.Za + i * na, (int)na, &w->all[0]);
    if (z->z[jt->b]) reach_of(w->e.Zb + i * nb, (int)nb, &w->all[1]);
  }
}

// Rows with the joint moved by h times column a (a < 0: where it is)
static mw_code eval(rows *w, int a, double h, mw_error *err)
{
  const mw_mech *m = w->z->mech;
  const mw_joint *jt = w->jt;
  double pa[12], pb[12];
  memcpy(pa, w->q->p + 12 * jt->a, sizeof pa);
  memcpy(pb, w->q->p + 12 * jt->b, sizeof pb);
  const double *za = a < 0 ? NULL : functionals(w, jt->a, a),
               *zb = a < 0 ? NULL : functionals(w, jt->b, a);
  if (a >= 0) {
    mw_second_displace(w->q->p + 12 * jt->a, twist_of(w, jt->a, a), h, pa);
    mw_second_displace(w->q->p + 12 * jt->b, twist_of(w, jt->b, a), h, pb);
  }
  for (int i = 0; za && i < m->body[jt->a].n_z; i++) w->za[i] = h * za[i];
  for (int i = 0; zb && i < m->body[jt->b].n_z; i++) w->zb[i] = h * zb[i];
  mw_code rc = mw_joint_eval_at(m, w->j, pa, za ? w->za : NULL, pb, zb ? w->zb : NULL,
                                mw_joint_s(jt, w->q->s), &w->e, err);
  if (rc == MW_OK) reaches(w);
  return rc;
}

static size_t length_of(reach r) { return (size_t)(r.to - r.from); }

// Packs by what rows reach so far.
static void set_width(rows *w)
{
  memcpy(w->packed, w->all, sizeof w->packed);
  w->width = 13 + (int)(length_of(w->all[0]) + length_of(w->all[1]));
}

// Do rows reach farther than they are packed?
static bool outgrown(const rows *w) { return memcmp(w->packed, w->all, sizeof w->packed) != 0; }

// J += c times the rows as last evaluated, packed
static void add_rows(rows *w, double c)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  int na = z->mech->body[jt->a].n_z, nb = z->mech->body[jt->b].n_z;
  int la = (int)length_of(w->packed[0]), lb = (int)length_of(w->packed[1]);
  double *o = w->J;
  for (int i = 0; i < jt->n_row; i++, o += w->width) {
    for (int side = 0; side < 2; side++) {
      const double *J = (side == 0 ? w->e.Ja : w->e.Jb) + 12 * i, *W = J + 3;
      const double x[6] = { J[0], J[1], J[2], W[7] - W[5], W[2] - W[6], W[3] - W[1] };
      mw_axpy(6, c, x, o + 6 * side);
    }
    mw_axpy(la, c, w->e.Za + (size_t)i * (size_t)na + w->packed[0].from, o + 12);
    mw_axpy(lb, c, w->e.Zb + (size_t)i * (size_t)nb + w->packed[1].from, o + 12 + la);
    if (jt->coord >= 0) o[w->width - 1] += c * w->e.Js[i];
  }
}

static void clear_rows(rows *w)
{
  memset(w->J, 0, (size_t)w->jt->n_row * (size_t)w->width * sizeof *w->J);
}

// g [n_load × width] := Σ λ J
static void covectors(const rows *w, double *g)
{
  mw_gemm('n', 'n', w->z->n_load, w->width, w->jt->n_row, 1.0, w->lambda, w->J, 0.0, g);
}

static void gather_lambda(rows *w)
{
  const mw_second *z = w->z;
  size_t n = (size_t)w->jt->n_row;
  for (size_t k = 0; k < (size_t)z->n_load; k++)
    memcpy(w->lambda + k * n, z->lambda + k * (size_t)z->mech->n_row + (size_t)w->jt->row0,
           n * sizeof *w->lambda);
}

// Column b as a row of delta; coordinate: twice, (2) is symmetrised with the rest
static void put_column(rows *w, int b, double coordinate)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  size_t la = length_of(w->packed[0]), lb = length_of(w->packed[1]);
  double *d = w->delta + (size_t)b * (size_t)w->width;
  memset(d, 0, (size_t)w->width * sizeof *d);
  memcpy(d, twist_of(w, jt->a, b), 6 * sizeof *d);
  memcpy(d + 6, twist_of(w, jt->b, b), 6 * sizeof *d);
  const double *za = functionals(w, jt->a, b), *zb = functionals(w, jt->b, b);
  if (za) memcpy(d + 12, za + w->packed[0].from, la * sizeof *d);
  if (zb) memcpy(d + 12 + la, zb + w->packed[1].from, lb * sizeof *d);
  if (jt->coord >= 0)
    d[w->width - 1] =
        coordinate * z->coord[(size_t)b * (size_t)z->mech->n_coord + (size_t)jt->coord];
}

// g1 := d(Σ λ J) along column a, by (3); false: the column leaves the joint where it is
static mw_code differentiate(rows *w, int a, bool *moves, mw_error *err)
{
  static const double at[4] = { 1.0, -1.0, 2.0, -2.0 }, c[4] = { 8.0, -8.0, -1.0, 1.0 };
  const mw_joint *jt = w->jt;
  const mw_mech *m = w->z->mech;
  double size = fmax(
      mw_second_reach(&m->body[jt->a], w->length, twist_of(w, jt->a, a), functionals(w, jt->a, a)),
      mw_second_reach(&m->body[jt->b], w->length, twist_of(w, jt->b, a), functionals(w, jt->b, a)));
  *moves = size > 0.0;
  if (!*moves) return MW_OK;
  mw_code rc = MW_OK;
  clear_rows(w);
  for (int k = 0; rc == MW_OK && k < 4; k++) {
    double h = STEP / size;
    rc = eval(w, a, at[k] * h, err);
    if (rc == MW_OK) add_rows(w, c[k] / (12.0 * h));
  }
  if (rc == MW_OK) covectors(w, w->g1);
  return rc;
}

// X := g1 times the columns, and −ω_a × t_b of both sides against Σ λ J
static void products(rows *w, int a)
{
  const mw_second *z = w->z;
  for (int b = 0; b < z->m; b++)
    for (int side = 0; side < 2; side++) {
      int body = side == 0 ? w->jt->a : w->jt->b;
      mw_cross3(twist_of(w, body, a) + 3, twist_of(w, body, b), w->turn + 6 * b + 3 * side);
    }
  mw_gemm('n', 't', z->n_load, z->m, w->width, 1.0, w->g1, w->delta, 0.0, w->X);
  mw_gemm('n', 't', z->n_load, z->m, 6, -1.0, w->t0, w->turn, 1.0, w->X);
}

// Kg of a joint, packed as far as rows reached before
static mw_code find_joint(rows *w, mw_error *err)
{
  const mw_second *z = w->z;
  size_t m = (size_t)z->m, mm = m * m;
  mw_code rc = eval(w, -1, 0.0, err);
  if (rc != MW_OK) return rc;
  set_width(w);
  clear_rows(w);
  add_rows(w, 1.0);
  covectors(w, w->g0);
  for (int k = 0; k < z->n_load; k++)
    for (int side = 0; side < 2; side++)
      memcpy(w->t0 + 6 * k + 3 * side, w->g0 + (size_t)k * (size_t)w->width + 6 * side,
             3 * sizeof *w->t0);
  for (int b = 0; b < z->m; b++) put_column(w, b, 2.0);
  memset(w->Kg, 0, (size_t)z->n_load * mm * sizeof *w->Kg);
  for (size_t a = 0; rc == MW_OK && a < m && !outgrown(w); a++) {
    bool moves;
    rc = differentiate(w, (int)a, &moves, err);
    if (rc != MW_OK || !moves) continue;
    products(w, (int)a);
    for (size_t k = 0; k < (size_t)z->n_load; k++)
      for (size_t b = 0; b < m; b++) {
        double x = 0.5 * w->X[k * m + b];
        w->Kg[k * mm + a * m + b] += x;
        w->Kg[k * mm + b * m + a] += x;
      }
  }
  return rc;
}

// Rows reach farther where the joint is moved, seldom: then all is done anew.
static mw_code add_joint(rows *w, mw_error *err)
{
  mw_second *z = w->z;
  gather_lambda(w);
  mw_code rc = find_joint(w, err);
  while (rc == MW_OK && outgrown(w)) rc = find_joint(w, err);
  if (rc == MW_OK) mw_axpy(z->n_load * z->m * z->m, 1.0, w->Kg, z->Kg);
  return rc;
}

static mw_code rows_init(rows *w, mw_second *z, const mw_config *q, mw_error *err)
{
  const mw_mech *m = z->mech;
  *w = (rows){ .z = z, .q = q, .length = mw_mech_size(m) };
  size_t nz = 1, M = (size_t)z->m, nl = (size_t)z->n_load, most = 1;
  for (int b = 0; b < m->n_body; b++)
    if ((size_t)m->body[b].n_z > nz) nz = (size_t)m->body[b].n_z;
  for (int j = 0; j < m->n_joint; j++)
    if ((size_t)m->joint[j].n_row > most) most = (size_t)m->joint[j].n_row;
  size_t width = 13 + 2 * nz;
  w->e = mw_joint_eval_init(m, &w->mem);
  w->J = mw_arena_f64(&w->mem, most * width);
  w->lambda = mw_arena_f64(&w->mem, nl * most);
  w->g0 = mw_arena_f64(&w->mem, nl * width);
  w->g1 = mw_arena_f64(&w->mem, nl * width);
  w->delta = mw_arena_f64(&w->mem, M * width);
  w->turn = mw_arena_f64(&w->mem, 6 * M);
  w->t0 = mw_arena_f64(&w->mem, 6 * nl);
  w->X = mw_arena_f64(&w->mem, nl * M);
  w->Kg = mw_arena_f64(&w->mem, nl * M * M);
  w->za = mw_arena_f64(&w->mem, nz);
  w->zb = mw_arena_f64(&w->mem, nz);
  return mw_arena_check(&w->mem, err);
}

static void joint_of(rows *w, int j)
{
  w->j = j;
  w->jt = &w->z->mech->joint[j];
  w->all[0] = w->all[1] = (reach){ 0, 0 };
}

static bool loaded(const mw_second *z, const mw_joint *jt)
{
  for (int k = 0; k < z->n_load; k++)
    for (int i = 0; i < jt->n_row; i++)
      if (z->lambda[(size_t)k * (size_t)z->mech->n_row + (size_t)(jt->row0 + i)] != 0.0)
        return true;
  return false;
}

mw_code mw_second_rows(mw_second *z, const mw_config *q, mw_error *err)
{
  rows w;
  mw_code rc = rows_init(&w, z, q, err);
  for (int j = 0; rc == MW_OK && j < z->mech->n_joint; j++) {
    if (!loaded(z, &z->mech->joint[j])) continue;
    joint_of(&w, j);
    rc = add_joint(&w, err);
  }
  mw_arena_free(&w.mem);
  return rc;
}

mw_code mw_second_gaps(mw_second *z, const mw_config *q, double *gap, mw_error *err)
{
  rows w;
  const mw_mech *m = z->mech;
  mw_code rc = rows_init(&w, z, q, err);
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    joint_of(&w, j);
    if (w.jt->n_row == 0) continue;
    rc = eval(&w, -1, 0.0, err);
    if (rc != MW_OK) break;
    set_width(&w);
    clear_rows(&w);
    add_rows(&w, 1.0);
    for (int b = 0; b < z->m; b++) put_column(&w, b, 1.0);
    mw_gemm('n', 't', w.jt->n_row, z->m, w.width, 1.0, w.J, w.delta, 0.0,
            gap + (size_t)w.jt->row0 * (size_t)z->m);
  }
  mw_arena_free(&w.mem);
  return rc;
}
