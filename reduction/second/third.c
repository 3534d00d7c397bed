// SPDX-License-Identifier: BSD-3-Clause
// third.c: the manifold of the first columns to third order at a configuration, θ held.
//
//   y(δ) = ψ_a δ_a + ½ Ψ2_ab δ_aδ_b + 1/6 Ψ3_abc δ_aδ_bδ_c     in the chart of second.c         (1)
// Gaps g of all joint rows, those of springs and runners too, stay linear along it: with the
// residuals
//   R2[d] = d²/dh² g(h ψd) ,   R3[d] = d³/dh³ g(h ψd + ½ h² Ψ2dd)   at h = 0                    (2)
//   K Ψ2 + g_qᵀμ = 0 ,  g_q Ψ2 − μ/k = −R2[d] ;   likewise Ψ3, R3                               (3)
// Where springs hold more than once, what is left of the gaps is orthogonal, in energy, to all that
// is admissible: V has no cubic term and its quartic one is the square of what is left of second
// order. A free coordinate follows by its own row: others take R − Js R_c/Js_c of theirs. The
// stress of bodies is not in (3): what it brings shows in G and H, which are compared
// (third_mass.c). Forms of d are polarised: pairs from e_b and e_b + e_c, triples from e_a, e_a ±
// e_b and e_a + e_b + e_c. Differences as in second_rows.c, of order 4; in h |ω| = STEP they err by
// some STEP⁴ = 2e-7 and round to EPSILON/STEP³ = 3e-11.
// Cost: 30 k³ evaluations of a joint, k³/6 solutions.
#include "third_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"

static const double STEP = 2e-2;  // rad

int mw_third_count(int k) { return k + k * (k + 1) / 2 + k * (k + 1) * (k + 2) / 6; }

int mw_third_triple(int k, int a, int b, int c)
{
  int t;
  if (a < b) t = a, a = b, b = t;
  if (b < c) t = b, b = c, c = t;
  if (a < b) t = a, a = b, b = t;
  return k + k * (k + 1) / 2 + a * (a + 1) * (a + 2) / 6 + b * (b + 1) / 2 + c;
}

// Sums of vectors along one direction; the joints there.
typedef struct curve {
  mw_third *t;
  const mw_config *q;
  int width;             // rows, then coordinates
  double *y1, *y2, *y3;  // [6 n_body + n_z + n_coord]  ψd, Ψ2dd, Ψ3ddd
  double *y;             // the same, of a point
  double *p;             // [12 n_body]  its frames
  double *g, *Js;        // [n_row]
  double *coord;         // [n_coord × n]  functionals of the free coordinates
  double *tmp;           // [2 n]
  mw_joint_eval e;
  mw_arena mem;
} curve;

mw_code mw_third_init(const mw_second *z, int k, mw_third *out, mw_error *err)
{
  const mw_mech *m = z->mech;
  mw_third t = { .z = z, .k = k, .n_vec = mw_third_count(k) };
  size_t nv = (size_t)t.n_vec, nb = (size_t)m->n_body;
  t.z0 = mw_arena_int(&t.mem, nb);
  mw_code rc = mw_arena_check(&t.mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    t.z0[b] = t.n_z;
    if (z->z[b]) t.n_z += m->body[b].n_z;
  }
  t.X = mw_arena_f64(&t.mem, nv * (size_t)z->n);
  t.twist = mw_arena_f64(&t.mem, nv * nb * 6);
  t.zf = mw_arena_f64(&t.mem, nv * (size_t)t.n_z);
  t.s = mw_arena_f64(&t.mem, nv * (size_t)m->n_coord);
  if (rc == MW_OK) rc = mw_arena_check(&t.mem, err);
  *out = t;
  if (rc != MW_OK) mw_third_free(out);
  return rc;
}

void mw_third_free(mw_third *t)
{
  mw_arena_free(&t->mem);
  *t = (mw_third){ 0 };
}

// ---- a point of the manifold --------------------------------------------------------------------

// Twists, functionals and coordinates of vector v from its unknowns; own [n_coord] (NULL: 0) what
// coordinates have beside them.
static void read_vector(curve *w, int v, const double *own)
{
  mw_third *t = w->t;
  const mw_second *z = t->z;
  const mw_mech *m = z->mech;
  double *x = w->tmp, *s = t->s + (size_t)v * (size_t)m->n_coord;
  memcpy(x, t->X + (size_t)v * (size_t)z->n, (size_t)z->n * sizeof *x);
  for (int c = 0; c < m->n_coord; c++)
    s[c] = z->locked[c]
               ? 0.0
               : mw_dot(z->n, w->coord + (size_t)c * (size_t)z->n, x) + (own ? own[c] : 0.0);
  mw_second_split(z->blocks, 1, x, t->twist + (size_t)v * (size_t)m->n_body * 6, x + z->n);
  for (int b = 0; b < m->n_body; b++)
    if (z->z[b])
      mw_csc_mul(&m->body[b].P, 1.0, x + mw_blocks_offset(z->blocks, b), 0.0,
                 t->zf + (size_t)v * (size_t)t->n_z + t->z0[b]);
}

static void add_vector(const mw_third *t, int v, double c, double *y)
{
  int nb = 6 * t->z->mech->n_body, nc = t->z->mech->n_coord;
  mw_axpy(nb, c, t->twist + (size_t)v * (size_t)nb, y);
  mw_axpy(t->n_z, c, t->zf + (size_t)v * (size_t)t->n_z, y + nb);
  mw_axpy(nc, c, t->s + (size_t)v * (size_t)nc, y + nb + t->n_z);
}

// y1 along d [k], with y2 for order 2, y3 (of one column) for order 3.
static void set_direction(curve *w, int order, const double *d)
{
  const mw_third *t = w->t;
  size_t n = (size_t)t->z->mech->n_body * 6 + (size_t)t->n_z + (size_t)t->z->mech->n_coord;
  memset(w->y1, 0, n * sizeof *w->y1);
  memset(w->y2, 0, n * sizeof *w->y2);
  memset(w->y3, 0, n * sizeof *w->y3);
  if (order == 3) add_vector(t, mw_third_triple(t->k, 0, 0, 0), d[0] * d[0] * d[0], w->y3);
  for (int b = 0; b < t->k; b++) {
    if (d[b] == 0.0) continue;
    add_vector(t, b, d[b], w->y1);
    for (int c = 0; order > 1 && c < t->k; c++)
      if (d[c] != 0.0) add_vector(t, mw_third_pair(t->k, b, c), d[b] * d[c], w->y2);
  }
}

// g [n_row] at h y1 + ½ h² y2 + 1/6 h³ y3
static mw_code gaps(curve *w, double h, mw_error *err)
{
  const mw_third *t = w->t;
  const mw_mech *m = t->z->mech;
  int nb = 6 * m->n_body, n = nb + t->n_z + m->n_coord;
  for (int i = 0; i < n; i++) w->y[i] = h * (w->y1[i] + h * (w->y2[i] / 2.0 + h * w->y3[i] / 6.0));
  for (int b = 0; b < m->n_body; b++)
    mw_second_displace(w->q->p + 12 * b, w->y + 6 * b, 1.0, w->p + 12 * b);
  const double *zf = w->y + nb, *s = zf + t->n_z;
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (jt->n_row == 0) continue;
    double at = mw_joint_s(jt, w->q->s) + (jt->coord >= 0 ? s[jt->coord] : 0.0);
    rc = mw_joint_eval_at(m, j, w->p + 12 * jt->a, t->z->z[jt->a] ? zf + t->z0[jt->a] : NULL,
                          w->p + 12 * jt->b, t->z->z[jt->b] ? zf + t->z0[jt->b] : NULL, at, &w->e,
                          err);
    if (rc != MW_OK) break;
    memcpy(w->g + jt->row0, w->e.g, (size_t)jt->n_row * sizeof *w->g);
    if (h == 0.0) memcpy(w->Js + jt->row0, w->e.Js, (size_t)jt->n_row * sizeof *w->Js);
  }
  return rc;
}

// Residuals R of the rows with free coordinates that follow by their own row; own [n_coord] (NULL:
// not wanted): by how much
static void follow(const curve *w, double *R, double *own)
{
  const mw_mech *m = w->t->z->mech;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    if (jt->n_row == 0 || jt->coord < 0 || jt->coord_row < 0 || w->t->z->locked[jt->coord])
      continue;
    double by = R[jt->row0 + jt->coord_row] / w->Js[jt->row0 + jt->coord_row];
    for (int i = 0; i < jt->n_row; i++) R[jt->row0 + i] -= w->Js[jt->row0 + i] * by;
    if (own) own[jt->coord] = -by;
  }
}

// R [width] := (2) along d [k], rows, then what free coordinates have beside their functional; of a
// curve of order `bent`
static mw_code take_form(curve *w, int order, int bent, const double *d, double *R, mw_error *err)
{
  static const double at[6] = { 1.0, -1.0, 2.0, -2.0, 3.0, -3.0 },
                      second[4] = { 16.0 / 12.0, 16.0 / 12.0, -1.0 / 12.0, -1.0 / 12.0 },
                      third[6] = { -13.0 / 8.0, 13.0 / 8.0, 1.0, -1.0, -1.0 / 8.0, 1.0 / 8.0 };
  const mw_mech *m = w->t->z->mech;
  double h = STEP / 2.0, *own = R + m->n_row;  // no direction is longer than 3
  memset(R, 0, (size_t)w->width * sizeof *R);
  set_direction(w, bent, d);
  mw_code rc = gaps(w, 0.0, err);
  if (rc == MW_OK && order == 2) mw_axpy(m->n_row, -30.0 / (12.0 * h * h), w->g, R);
  for (int i = 0; rc == MW_OK && i < (order == 2 ? 4 : 6); i++) {
    rc = gaps(w, at[i] * h, err);
    mw_axpy(m->n_row, order == 2 ? second[i] / (h * h) : third[i] / (h * h * h), w->g, R);
  }
  if (rc == MW_OK) follow(w, R, own);
  return rc;
}

// ---- tensors ------------------------------------------------------------------------------------

// R [pairs × width] of second order.
static mw_code pairs(curve *w, double *R, mw_error *err)
{
  int k = w->t->k, n = w->width;
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < k; b++) {
    double d[MW_ROM_MAX_G] = { 0.0 };
    d[b] = 1.0;
    rc = take_form(w, 2, 1, d, R + (size_t)(b * (b + 3) / 2 * n), err);
  }
  for (int b = 0; b < k; b++)
    for (int c = 0; rc == MW_OK && c < b; c++) {
      double *to = R + (size_t)((b * (b + 1) / 2 + c) * n), d[MW_ROM_MAX_G] = { 0.0 };
      const double *bb = R + (size_t)(b * (b + 3) / 2 * n), *cc = R + (size_t)(c * (c + 3) / 2 * n);
      d[b] = d[c] = 1.0;
      rc = take_form(w, 2, 1, d, to, err);
      for (int i = 0; i < n; i++) to[i] = 0.5 * (to[i] - bb[i] - cc[i]);
    }
  return rc;
}

// Row of R [triples × width].
static double *row_of(const curve *w, double *R, int a, int b, int c)
{
  int k = w->t->k;
  return R + (size_t)((mw_third_triple(k, a, b, c) - mw_third_triple(k, 0, 0, 0)) * w->width);
}

// Those of two different columns; those of one are there. minus [width].
static mw_code triples_of_two(curve *w, double *R, double *minus, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int a = 0; a < w->t->k; a++)
    for (int b = 0; rc == MW_OK && b < a; b++) {
      double *aab = row_of(w, R, a, a, b), *abb = row_of(w, R, a, b, b), d[MW_ROM_MAX_G] = { 0.0 };
      const double *aaa = row_of(w, R, a, a, a), *bbb = row_of(w, R, b, b, b);
      d[a] = d[b] = 1.0;
      rc = take_form(w, 3, 2, d, aab, err);
      d[b] = -1.0;
      if (rc == MW_OK) rc = take_form(w, 3, 2, d, minus, err);
      for (int i = 0; i < w->width; i++) {
        double p = aab[i], m = minus[i];
        aab[i] = (p - m - 2.0 * bbb[i]) / 6.0;
        abb[i] = (p + m - 2.0 * aaa[i]) / 6.0;
      }
    }
  return rc;
}

// R [triples × width] of third order.
static mw_code triples(curve *w, double *R, double *minus, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int a = 0; rc == MW_OK && a < w->t->k; a++) {
    double d[MW_ROM_MAX_G] = { 0.0 };
    d[a] = 1.0;
    rc = take_form(w, 3, 2, d, row_of(w, R, a, a, a), err);
  }
  if (rc == MW_OK) rc = triples_of_two(w, R, minus, err);
  for (int a = 0; a < w->t->k; a++)
    for (int b = 0; b < a; b++)
      for (int c = 0; rc == MW_OK && c < b; c++) {
        double *to = row_of(w, R, a, b, c), d[MW_ROM_MAX_G] = { 0.0 };
        const int in[3] = { a, b, c };
        d[a] = d[b] = d[c] = 1.0;
        rc = take_form(w, 3, 2, d, to, err);
        for (int l = 0; l < 3; l++) {
          int one = in[l], two = in[(l + 1) % 3];
          mw_axpy(w->width, -1.0, row_of(w, R, one, one, one), to);
          mw_axpy(w->width, -3.0, row_of(w, R, one, one, two), to);
          mw_axpy(w->width, -3.0, row_of(w, R, one, two, two), to);
        }
        for (int i = 0; i < w->width; i++) to[i] /= 6.0;
      }
  return rc;
}

// Vectors v0 … v0 + n - 1 of residuals R [n × width]: (3), and c times more [n × N] (NULL: 0)
static void solve(curve *w, mw_system *sys, int v0, int n, double *R, double c, const double *more)
{
  const mw_mech *m = w->t->z->mech;
  size_t N = (size_t)w->t->z->n;
  for (int i = 0; i < n; i++) {
    double *gap = R + (size_t)i * (size_t)w->width;
    for (int k = 0; k < m->n_row; k++) gap[k] = -gap[k];
    double *x = w->t->X + (size_t)(v0 + i) * N;
    mw_system_solve_gaps(sys, gap, x);
    if (more) mw_axpy((int)N, c, more + (size_t)i * N, x);
    read_vector(w, v0 + i, gap + m->n_row);
  }
}

static mw_code curve_init(curve *w, mw_third *t, mw_system *sys, const mw_config *q, mw_error *err)
{
  const mw_mech *m = t->z->mech;
  *w = (curve){ .t = t, .q = q, .width = m->n_row + m->n_coord };
  size_t N = (size_t)t->z->n, n = (size_t)m->n_body * 6 + (size_t)t->n_z + (size_t)m->n_coord,
         nr = (size_t)m->n_row;
  w->y1 = mw_arena_f64(&w->mem, n);
  w->y2 = mw_arena_f64(&w->mem, n);
  w->y3 = mw_arena_f64(&w->mem, n);
  w->y = mw_arena_f64(&w->mem, n);
  w->p = mw_arena_f64(&w->mem, 12 * (size_t)m->n_body);
  w->g = mw_arena_f64(&w->mem, nr);
  w->Js = mw_arena_f64(&w->mem, nr);
  w->coord = mw_arena_f64(&w->mem, (size_t)m->n_coord * N);
  w->tmp = mw_arena_f64(&w->mem, 2 * N);
  w->e = mw_joint_eval_init(m, &w->mem);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (!t->z->locked[c]) mw_system_load_coord(sys, c, w->coord + (size_t)c * N);
  return rc;
}

// The columns, scaled so that none turns anything by more than 1 rad or moves it by more than the
// machine's size.
static void scale_columns(curve *w, double *size)
{
  mw_third *t = w->t;
  const mw_mech *m = t->z->mech;
  int nb = 6 * m->n_body;
  size_t N = (size_t)t->z->n;
  double length = mw_mech_size(m);
  for (int a = 0; a < t->k; a++) {
    double most = 0.0, *x = t->X + (size_t)a * N;
    memcpy(x, t->z->Psi + (size_t)a * N, N * sizeof *x);
    read_vector(w, a, NULL);
    for (int b = 0; b < m->n_body; b++)
      most = fmax(most, mw_second_reach(&m->body[b], length, t->twist + a * nb + 6 * b,
                                        t->z->z[b] ? t->zf + a * t->n_z + t->z0[b] : NULL));
    size[a] = most > 0.0 ? most : 1.0;
    for (size_t i = 0; i < N; i++) x[i] /= size[a];
    read_vector(w, a, NULL);
  }
}

// Twists and unknowns of vector v, times c
static void scale_vector(mw_third *t, int v, double c)
{
  size_t nb = 6 * (size_t)t->z->mech->n_body, n = (size_t)t->z->n;
  for (size_t i = 0; i < nb; i++) t->twist[(size_t)v * nb + i] *= c;
  for (size_t i = 0; i < n; i++) t->X[(size_t)v * n + i] *= c;
}

// Back to the columns as they are.
static void unscale(mw_third *t, const double *size)
{
  int k = t->k;
  for (int a = 0; a < k; a++) {
    scale_vector(t, a, size[a]);
    for (int b = 0; b <= a; b++) {
      scale_vector(t, mw_third_pair(k, a, b), size[a] * size[b]);
      for (int c = 0; c <= b; c++)
        scale_vector(t, mw_third_triple(k, a, b, c), size[a] * size[b] * size[c]);
    }
  }
}

// left [n_row] := what is left of the column's gaps of second or third order, over size to that
// power
static mw_code take_left(curve *w, int order, double size, double *left, double *R, mw_error *err)
{
  const double d[MW_ROM_MAX_G] = { 1.0 };
  mw_code rc = take_form(w, order, order, d, R, err);
  for (int i = 0; i < w->t->z->mech->n_row; i++) left[i] = R[i] * pow(size, order);
  return rc;
}

// of->fourth: central differences of order 2, which err by some h²/6
static mw_code take_fourth(curve *w, double size, mw_third_column *of, double *R, mw_error *err)
{
  static const double at[5] = { 0.0, 1.0, -1.0, 2.0, -2.0 }, c[5] = { 6.0, -4.0, -4.0, 1.0, 1.0 };
  const double d[MW_ROM_MAX_G] = { 1.0 }, h = STEP;
  const mw_mech *m = w->t->z->mech;
  mw_code rc = MW_OK;
  memset(R, 0, (size_t)m->n_row * sizeof *R);
  set_direction(w, 3, d);
  for (int i = 0; rc == MW_OK && i < 5; i++) {
    rc = gaps(w, at[i] * h, err);
    mw_axpy(m->n_row, c[i] * pow(size / h, 4), w->g, R);
  }
  if (rc == MW_OK) follow(w, R, NULL);
  memcpy(of->fourth, R, (size_t)m->n_row * sizeof *R);
  return rc;
}

mw_code mw_third_build(mw_third *t, mw_system *sys, const mw_config *q, mw_third_column *of,
                       mw_error *err)
{
  curve w;
  int k = t->k, n2 = k * (k + 1) / 2, n3 = k * (k + 1) * (k + 2) / 6;
  double size[MW_ROM_MAX_G];
  mw_code rc = curve_init(&w, t, sys, q, err);
  double *R = mw_arena_f64(&w.mem, (size_t)(n3 + 1) * (size_t)w.width);
  if (rc == MW_OK) rc = mw_arena_check(&w.mem, err);
  if (rc == MW_OK) scale_columns(&w, size);
  if (rc == MW_OK) rc = pairs(&w, R, err);
  if (rc == MW_OK) solve(&w, sys, k, n2, R, 1.0 / (size[0] * size[0]), of ? of->strained : NULL);
  if (rc == MW_OK && of) rc = take_left(&w, 2, size[0], of->left, R, err);
  if (rc == MW_OK) rc = triples(&w, R, R + (size_t)n3 * (size_t)w.width, err);
  if (rc == MW_OK) solve(&w, sys, k + n2, n3, R, 0.0, NULL);
  if (rc == MW_OK && of) rc = take_left(&w, 3, size[0], of->third, R, err);
  if (rc == MW_OK && of) rc = take_fourth(&w, size[0], of, R, err);
  if (rc == MW_OK) unscale(t, size);
  mw_arena_free(&w.mem);
  return rc;
}
