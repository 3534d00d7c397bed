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
// Cost: 4 evaluations of a joint a column, and columns² × functionals a load.
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
  int j, width;     // joint; of a covector: 6 of a, 6 of b, functionals of a, of b, coordinate
  double *g0, *g1;  // [n_load × width]  Σ λ J here, and its derivative along a column
  double *delta;    // [m × width]       the columns as g1 sees them
  double *za, *zb;  // displaced functionals
  double length;    // m, of the machine: what its displacements are measured by
  // [most rows of a joint × 2], [2] of all rows so far: a joint touches few of a body's functionals
  reach *row, all[2];
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

// What of Z [n] is not zero, and of all rows of the side with it
static reach reach_of(const double *Z, int n, reach *all)
{
  reach r = { 0, n };
  while (r.to > 0 && Z[r.to - 1] == 0.0) r.to--;
  while (r.from < r.to && Z[r.from] == 0.0) r.from++;
  if (r.from == r.to) return (reach){ 0, 0 };
  if (all->from == all->to) *all = r;
  if (r.from < all->from) all->from = r.from;
  if (r.to > all->to) all->to = r.to;
  return r;
}

static void reaches(rows *w)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  int na = z->mech->body[jt->a].n_z, nb = z->mech->body[jt->b].n_z;
  for (int i = 0; i < jt->n_row; i++) {
    w->row[2 * i] = w->row[2 * i + 1] = (reach){ 0, 0 };
    if (z->z[jt->a]) w->row[2 * i] = reach_of(w->e.Za + (size_t)i * (size_t)na, na, &w->all[0]);
    if (z->z[jt->b]) w->row[2 * i + 1] = reach_of(w->e.Zb + (size_t)i * (size_t)nb, nb, &w->all[1]);
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

// o [width] += c J of row i, on the sides' rates and functionals
static void add_row(const rows *w, int i, double c, double *o)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  int na = z->mech->body[jt->a].n_z, nb = z->mech->body[jt->b].n_z;
  for (int side = 0; side < 2; side++) {
    const double *J = (side == 0 ? w->e.Ja : w->e.Jb) + 12 * i, *W = J + 3;
    const double x[6] = { J[0], J[1], J[2], W[7] - W[5], W[2] - W[6], W[3] - W[1] };
    mw_axpy(6, c, x, o + 6 * side);
  }
  reach a = w->row[2 * i], b = w->row[2 * i + 1];
  mw_axpy(a.to - a.from, c, w->e.Za + (size_t)i * (size_t)na + a.from, o + 12 + a.from);
  mw_axpy(b.to - b.from, c, w->e.Zb + (size_t)i * (size_t)nb + b.from, o + 12 + na + b.from);
  if (jt->coord >= 0) o[w->width - 1] += c * w->e.Js[i];
}

// n covectors [n × width] := 0, where rows reach
static void clear(const rows *w, int n, double *o)
{
  int na = w->z->mech->body[w->jt->a].n_z;
  for (int k = 0; k < n; k++, o += w->width) {
    memset(o, 0, 12 * sizeof *o);
    memset(o + 12 + w->all[0].from, 0, (size_t)(w->all[0].to - w->all[0].from) * sizeof *o);
    memset(o + 12 + na + w->all[1].from, 0, (size_t)(w->all[1].to - w->all[1].from) * sizeof *o);
    o[w->width - 1] = 0.0;
  }
}

// A covector g times a column d [width], where rows reach
static double product(const rows *w, const double *g, const double *d)
{
  int a = 12 + w->all[0].from, b = 12 + w->z->mech->body[w->jt->a].n_z + w->all[1].from;
  return mw_dot(12, g, d) + mw_dot(w->all[0].to - w->all[0].from, g + a, d + a) +
         mw_dot(w->all[1].to - w->all[1].from, g + b, d + b) + g[w->width - 1] * d[w->width - 1];
}

// out [n_load × width] += c Σ λ J
static void add_covectors(const rows *w, double c, double *out)
{
  const mw_second *z = w->z;
  for (int k = 0; k < z->n_load; k++)
    for (int i = 0; i < w->jt->n_row; i++) {
      double l = c * z->lambda[(size_t)k * (size_t)z->mech->n_row + (size_t)(w->jt->row0 + i)];
      if (l != 0.0) add_row(w, i, l, out + (size_t)k * (size_t)w->width);
    }
}

// Column b as a row of delta; coordinate: twice, (2) is symmetrised with the rest
static void put_column(rows *w, int b, double coordinate)
{
  const mw_second *z = w->z;
  const mw_joint *jt = w->jt;
  int na = z->mech->body[jt->a].n_z, nb = z->mech->body[jt->b].n_z;
  double *d = w->delta + (size_t)b * (size_t)w->width;
  memset(d, 0, (size_t)w->width * sizeof *d);
  memcpy(d, twist_of(w, jt->a, b), 6 * sizeof *d);
  memcpy(d + 6, twist_of(w, jt->b, b), 6 * sizeof *d);
  const double *za = functionals(w, jt->a, b), *zb = functionals(w, jt->b, b);
  if (za) memcpy(d + 12, za, (size_t)na * sizeof *d);
  if (zb) memcpy(d + 12 + na, zb, (size_t)nb * sizeof *d);
  if (jt->coord >= 0)
    d[w->width - 1] =
        coordinate * z->coord[(size_t)b * (size_t)z->mech->n_coord + (size_t)jt->coord];
}

// d(Σ λ J) along column a, by (3); false: the column leaves the joint where it is
static mw_code differentiate(rows *w, int a, bool *moves, mw_error *err)
{
  static const double at[4] = { 1.0, -1.0, 2.0, -2.0 }, c[4] = { 8.0, -8.0, -1.0, 1.0 };
  const mw_joint *jt = w->jt;
  const mw_mech *m = w->z->mech;
  double size = fmax(
      mw_second_reach(&m->body[jt->a], w->length, twist_of(w, jt->a, a), functionals(w, jt->a, a)),
      mw_second_reach(&m->body[jt->b], w->length, twist_of(w, jt->b, a), functionals(w, jt->b, a)));
  *moves = size > 0.0;
  clear(w, w->z->n_load, w->g1);
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && *moves && k < 4; k++) {
    double h = STEP / size;
    rc = eval(w, a, at[k] * h, err);
    if (rc == MW_OK) add_covectors(w, c[k] / (12.0 * h), w->g1);
  }
  return rc;
}

// −ω_a × t_b of both sides against Σ λ J
static double turned(const rows *w, const double *g0, int a, int b)
{
  double sum = 0.0, x[3];
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? w->jt->a : w->jt->b;
    mw_cross3(twist_of(w, body, a) + 3, twist_of(w, body, b), x);
    sum -= mw_dot3(g0 + 6 * side, x);
  }
  return sum;
}

static mw_code add_joint(rows *w, mw_error *err)
{
  mw_second *z = w->z;
  int m = z->m;
  mw_code rc = eval(w, -1, 0.0, err);
  if (rc != MW_OK) return rc;
  add_covectors(w, 1.0, w->g0);
  for (int b = 0; b < m; b++) put_column(w, b, 2.0);
  for (int a = 0; rc == MW_OK && a < m; a++) {
    bool moves;
    rc = differentiate(w, a, &moves, err);
    for (int k = 0; rc == MW_OK && moves && k < z->n_load; k++) {
      double *Kg = z->Kg + (size_t)k * (size_t)m * (size_t)m;
      const double *g1 = w->g1 + (size_t)k * (size_t)w->width,
                   *g0 = w->g0 + (size_t)k * (size_t)w->width;
      for (int b = 0; b < m; b++) {
        double x =
            0.5 * (product(w, g1, w->delta + (size_t)b * (size_t)w->width) + turned(w, g0, a, b));
        Kg[a * m + b] += x;
        Kg[b * m + a] += x;
      }
    }
  }
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
  w->g0 = mw_arena_f64(&w->mem, nl * width);
  w->g1 = mw_arena_f64(&w->mem, nl * width);
  w->delta = mw_arena_f64(&w->mem, M * width);
  w->row = mw_arena_alloc(&w->mem, 2 * most, sizeof *w->row);
  w->za = mw_arena_f64(&w->mem, nz);
  w->zb = mw_arena_f64(&w->mem, nz);
  return mw_arena_check(&w->mem, err);
}

static void joint_of(rows *w, int j)
{
  const mw_mech *m = w->z->mech;
  w->j = j;
  w->jt = &m->joint[j];
  w->width = 13 + m->body[w->jt->a].n_z + m->body[w->jt->b].n_z;
  // covectors are zero beyond what rows of the joint reach
  w->all[0] = w->all[1] = (reach){ 0, 0 };
  memset(w->g0, 0, (size_t)w->z->n_load * (size_t)w->width * sizeof *w->g0);
  memset(w->g1, 0, (size_t)w->z->n_load * (size_t)w->width * sizeof *w->g1);
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
    for (int b = 0; b < z->m; b++) put_column(&w, b, 1.0);
    for (int i = 0; rc == MW_OK && i < w.jt->n_row; i++) {
      clear(&w, 1, w.g0);
      add_row(&w, i, 1.0, w.g0);
      double *to = gap + (size_t)(w.jt->row0 + i) * (size_t)z->m;
      for (int b = 0; b < z->m; b++)
        to[b] = product(&w, w.g0, w.delta + (size_t)b * (size_t)w.width);
    }
  }
  mw_arena_free(&w.mem);
  return rc;
}
