// SPDX-License-Identifier: BSD-3-Clause
// drawn.c: the columns Ψ(θ) at the nodes that pictures draw, and at the frames of elastic bodies.
//
// Ψ of body b is T_b x_ba(θ) on its basis; over all columns and points the x of a body lie close to
// a space of few dimensions. An orthonormal basis Q of it is chosen greedily: the x that is left
// worst is taken next, until all are within the tolerance. With TᵀMT = 1 that is the norm of the
// mass. Then
//   φ_bk = N_b T_b q_k ,   c_bka(θ) = q_k · x_ba(θ)                                    (1)
// at nodes; at frames the translations of P_b stand for N_b.
// Cost: points × columns × unknowns of the bases × shapes, whatever the meshes.
#include "reduction/drawn.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduce_layer.h"
#include "reduction/romfile.h"
#include "second/second_layer.h"
#include "work/offline_layer.h"

// Points an axis by the number of coordinates: some thousand configurations at most.
static const int POINTS[MW_ROM_MAX_S] = { 65, 17, 9, 5, 4, 4 };

typedef struct draft {
  const mw_reduction *r;
  mw_drawn d;
  double *Psi;    // [n_point × m × r->n]
  double *size;   // [n_point × m]  norm of a column on the elastic bodies
  int *n_shape;   // of d
  int *n_node;    // of d
  double **Q;     // [n_body][n_shape × r_b]  of elastic bodies
  int *x0;        // [n_body]  first coordinate of a body in a column
  mw_arena *mem;  // of the result
  mw_arena tmp;
} draft;

static int coordinates_of(const mw_reduction *r, int b)
{
  const mw_body *body = &r->full->body[b];
  return body->n_u > 0 ? r->offline->fine.basis[b].r : body->ground ? 0 : 6;
}

static void choose_grid(draft *z)
{
  const mw_reduction *r = z->r;
  z->d.n_point = 1;
  for (int i = 0; i < r->s; i++) {
    int n = r->axis[i].n, most = POINTS[r->s - 1];
    n = r->flat[i] ? 1 : n > most ? most : n;
    z->d.n_grid[i] = n;
    z->d.n_point *= n;
  }
}

static void place_of(const draft *z, int g, double *theta)
{
  const mw_reduction *r = z->r;
  for (int i = r->s - 1; i >= 0; i--) {
    int n = z->d.n_grid[i], k = g % n;
    theta[i] = n == 1 ? r->lo[i] : r->lo[i] + (r->hi[i] - r->lo[i]) * k / (n - 1);
    g /= n;
  }
}

static mw_code some_columns(void *ctx, int from, int to, mw_error *err)
{
  const draft *z = ctx;
  size_t mn = (size_t)z->r->m * (size_t)z->r->n;
  mw_code rc = MW_OK;
  for (int g = from; rc == MW_OK && g < to; g++) {
    double theta[MW_ROM_MAX_S];
    place_of(z, g, theta);
    rc = mw_columns_at(z->r, theta, z->r->m, z->Psi + (size_t)g * mn, err);
  }
  return rc;
}

static mw_code take_columns(draft *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t n = (size_t)r->n, m = (size_t)r->m, all = (size_t)z->d.n_point * m;
  z->Psi = mw_arena_f64(&z->tmp, all * n);
  z->size = mw_arena_f64(&z->tmp, all);
  mw_points of = { .n = z->d.n_point, .fn = some_columns, .ctx = z };
  mw_code rc = mw_arena_check(&z->tmp, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  for (size_t k = 0; rc == MW_OK && k < all; k++) {
    double sum = 0.0;
    for (int b = 0; b < r->full->n_body; b++) {
      const double *x = z->Psi + k * n + z->x0[b];
      if (r->full->body[b].n_u > 0) sum += mw_dot(coordinates_of(r, b), x, x);
    }
    z->size[k] = sqrt(sum);
  }
  return rc;
}

// Q of body b, if it has one: rows of V, columns over their size, until none is left beyond the
// tolerance.
static mw_code choose_shapes(void *ctx, int b, mw_error *err)
{
  draft *z = ctx;
  const mw_reduction *r = z->r;
  double *Q = z->Q[b];
  if (!Q) return MW_OK;
  int all = z->d.n_point * r->m, k = coordinates_of(r, b);
  mw_arena tmp = { 0 };
  double *V = mw_arena_f64(&tmp, (size_t)all * (size_t)k), *left = mw_arena_f64(&tmp, (size_t)all);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < all; i++) {
    const double *x = z->Psi + (size_t)i * (size_t)r->n + z->x0[b];
    double *v = V + (size_t)i * (size_t)k;
    for (int c = 0; z->size[i] > 0.0 && c < k; c++) v[c] = x[c] / z->size[i];
  }
  if (rc == MW_OK) z->n_shape[b] = mw_span_choose(all, k, V, MW_DRAWN_TOLERANCE, k, left, Q);
  mw_arena_free(&tmp);
  return rc;
}

int mw_drawn_mark(const mw_body *body, char *used)
{
  int n = 0;
  bool none = body->n_edge == 0 && body->n_tri == 0;
  memset(used, none, (size_t)body->n_node);
  for (int k = 0; k < body->n_frame; k++) {
    used[body->n_node + k] = body->frame[k].z >= 0;
    n += body->frame[k].z >= 0;
  }
  for (int k = 0; k < 2 * body->n_edge; k++) used[body->edge[k]] = 1;
  for (int k = 0; k < 3 * body->n_tri; k++) used[body->tri[k]] = 1;
  for (int k = 0; k < body->n_node; k++) n += used[k];
  return n;
}

static mw_code find_nodes(draft *z, mw_error *err)
{
  const mw_mech *m = z->r->full;
  int most = 1;
  for (int b = 0; b < m->n_body; b++) {
    int n = m->body[b].n_node + m->body[b].n_frame;
    if (m->body[b].n_u > 0 && n > most) most = n;
  }
  char *used = mw_arena_alloc(&z->tmp, (size_t)most, 1);
  mw_code rc = mw_arena_check(&z->tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    z->n_node[b] = m->body[b].n_u > 0 ? mw_drawn_mark(&m->body[b], used) : 0;
    z->d.n_node_all += z->n_node[b];
  }
  int *node = mw_arena_int(z->mem, (size_t)z->d.n_node_all), at = 0;
  if (rc == MW_OK) rc = mw_arena_check(z->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    if (z->n_node[b] == 0) continue;
    (void)mw_drawn_mark(&m->body[b], used);
    for (int k = 0; k < m->body[b].n_node + m->body[b].n_frame; k++)
      if (used[k]) node[at++] = k;
  }
  z->d.node = node;
  return rc;
}

// φ of (1) at the drawn nodes and frames of body b, from *out on, which is moved behind them
static mw_code put_body(const draft *z, int b, const int *node, float **out, mw_error *err)
{
  enum { AT_ONCE = 16 };  // shapes on the mesh, for which T is read once
  const mw_basis *T = &z->r->offline->fine.basis[b];
  const mw_body *body = &z->r->full->body[b];
  size_t nu = (size_t)body->n_u;
  mw_arena tmp = { 0 };
  double *u = mw_arena_f64(&tmp, AT_ONCE * nu);
  double *x = mw_arena_f64(&tmp, 3 * (size_t)body->n_node);
  double *y = mw_arena_f64(&tmp, (size_t)body->n_z + 1);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < z->n_shape[b]; k += AT_ONCE) {
    int n = z->n_shape[b] - k < AT_ONCE ? z->n_shape[b] - k : AT_ONCE;
    rc = mw_stress_lift(T, n, z->Q[b] + (size_t)k * (size_t)T->r, u, err);
    for (int l = 0; rc == MW_OK && l < n; l++) {
      mw_csc_mul(&body->N, 1.0, u + (size_t)l * nu, 0.0, x);
      if (body->n_frame > 0) mw_csc_mul(&body->P, 1.0, u + (size_t)l * nu, 0.0, y);
      for (int i = 0; i < z->n_node[b]; i++) {
        int frame = node[i] - body->n_node;
        const double *at = frame < 0 ? x + 3 * node[i] : y + body->frame[frame].z;
        for (int d = 0; d < 3; d++) *(*out)++ = (float)at[d];
      }
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code put_shapes(draft *z, mw_error *err)
{
  const mw_mech *m = z->r->full;
  for (int b = 0; b < m->n_body; b++) z->d.n_value += z->n_shape[b] * 3 * z->n_node[b];
  float *out = mw_arena_alloc(z->mem, (size_t)z->d.n_value, sizeof *out);
  const int *node = z->d.node;
  z->d.shape = out;
  mw_code rc = mw_arena_check(z->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; node += z->n_node[b], b++)
    if (z->n_node[b] > 0) rc = put_body(z, b, node, &out, err);
  return rc;
}

// c of (1)
static mw_code put_amplitudes(draft *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t all = (size_t)z->d.n_point * (size_t)r->m;
  for (int b = 0; b < r->full->n_body; b++) z->d.n += z->n_shape[b];
  float *c = mw_arena_alloc(z->mem, all * (size_t)z->d.n, sizeof *c);
  z->d.amplitude = c;
  mw_code rc = mw_arena_check(z->mem, err);
  for (size_t i = 0; rc == MW_OK && i < all; i++)
    for (int b = 0; b < r->full->n_body; b++) {
      const double *x = z->Psi + i * (size_t)r->n + z->x0[b];
      int n = coordinates_of(r, b);
      for (int k = 0; k < z->n_shape[b]; k++)
        *c++ = (float)(z->Q[b] ? mw_dot(n, z->Q[b] + (size_t)k * (size_t)n, x) : x[k]);
    }
  return rc;
}

static mw_code build(draft *z, mw_error *err)
{
  const mw_mech *m = z->r->full;
  size_t nb = (size_t)m->n_body;
  z->d.n_body = m->n_body;
  z->d.n_shape = z->n_shape = mw_arena_int(z->mem, nb);
  z->d.n_node = z->n_node = mw_arena_int(z->mem, nb);
  z->Q = mw_arena_alloc(&z->tmp, nb, sizeof *z->Q);
  z->x0 = mw_arena_int(&z->tmp, nb + 1);
  mw_code rc = mw_arena_check(z->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&z->tmp, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m->n_body; b++) z->x0[b + 1] = z->x0[b] + coordinates_of(z->r, b);
  choose_grid(z);
  rc = take_columns(z, err);
  for (int b = 0; b < m->n_body; b++) {
    size_t k = (size_t)coordinates_of(z->r, b);
    if (m->body[b].n_u == 0)
      z->n_shape[b] = (int)k;
    else if (m->body[b].n_node > 0)
      z->Q[b] = mw_arena_f64(&z->tmp, k * k);
  }
  if (rc == MW_OK) rc = mw_arena_check(&z->tmp, err);
  if (rc == MW_OK) rc = mw_parallel(z->r->work, m->n_body, choose_shapes, z, err);
  if (rc == MW_OK) rc = find_nodes(z, err);
  if (rc == MW_OK) rc = put_shapes(z, err);
  return rc == MW_OK ? put_amplitudes(z, err) : rc;
}

mw_code mw_drawn_build(const mw_reduction *r, mw_arena *mem, mw_drawn *out, mw_error *err)
{
  draft z = { .r = r, .mem = mem };
  if (r->m == 0 || !r->offline) return MW_OK;
  mw_code rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc == MW_OK) rc = build(&z, err);
  if (rc == MW_OK) *out = z.d;
  mw_arena_free(&z.tmp);
  return rc;
}
