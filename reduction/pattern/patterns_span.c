// SPDX-License-Identifier: BSD-3-Clause
// patterns_span.c: static patterns that cannot be followed one by one: the span of what is left of
// them is followed.
//
// A load in ground axes on a body that turns goes over into another one, a residual that vanishes
// has no direction, one that vanishes within a plane of two coordinates has none that could be
// continued. Their span is smooth nevertheless. With R(g) the residuals over √group (n × c), the
// span of p dimensions at g holds most of the strain energy of
//   B(g) = [ R(g) , τ X(g) ] :   W(g) = B V_p ,   BᵀKB = V diag(w) Vᵀ , w descending ,
//       τ² = share / 100      (1)
// A direction counts from share = COUNTS × tolerance of the group's energy on: a load that turns
// meets them all, and its own compliance is judged down to 1e-4 of the largest
// (certificate_loads.c). X(g) is the neighbours' span at g: K⁻¹K W(g') (the nearest in strain
// energy that keeps the joints), M-orthogonal to modes and columns. It weighs nothing beside
// residuals that count, and gives a span where they vanish or their rank falls:
//   own      w_p of R alone reaches the share: no neighbours
//   between  cubic through up to four own points along an axis, their bases turned to the nearest
//            one's by a polar factor
//   beyond   spans of all neighbours that have one, layer by layer; then SWEEPS times of all
//            neighbours
// Where no point is own the layers start where R with the neighbours' R has the largest w_p (the
// rank of R is below p, but it turns). p: from the largest number of directions that count anywhere
// on; the first whose least principal cosine along an edge reaches SMOOTH, else the best one, and
// none where that is below one half. Along flat axes, on which no mode depends, one span serves all
// points: R holds the residuals of all of them. Columns: discrete parallel transport of the span
// (align.h), around cyclic axes with the turn spread evenly.
// Cost: c + 2 s p products and 2 s p solves a point that is not own, and those of align.h. Absil,
// Mahony, Sepulchre 2008, section 2.1.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "patterns_layer.h"

static const double COUNTS = 5e-5;  // of the tolerance
static const double TAU2 = 0.01;    // of the share
static const double SMOOTH = 0.75;  // principal cosine with a neighbour, 41 degrees
static const double RANK = 1e-6;    // of τ²: below, a direction is not there
enum { SWEEPS = 2, NO = 0, OWN = 1, FILLED = 2, CARRIED = 3 };

typedef struct span {
  mw_select *w;
  mw_reduction *r;
  int c, p, p_most;
  int alike;        // most points that one span belongs to
  const int *cand;  // [c]
  double group, share, tau2;
  double *energy;  // [n_point × p_most]  w of R, descending
  double *W;     // [n_point × p_most × n]  rows: K-orthonormal, M-orthonormal once all are there
  double *next;  // [n_point × p_most × n]  of a sweep
  char *state;   // [n_point]
  int rows;      // most rows of B
  double *B, *KB;     // [rows × n]
  double *G, *V, *e;  // [rows × rows], [rows × rows], [rows]
  double cosine;      // least along an edge
  bool flat;          // constant along all axes that are flat
  mw_arena mem;
} span;

static double *basis(const span *z, double *of, int g)
{
  return of + (size_t)g * (size_t)z->p_most * (size_t)z->r->n;
}

// The grid point whose span is that of g, too: the first along flat axes, of others that of the
// same configuration.
static int same_as(const mw_reduction *r, int g)
{
  int stride = 1, h = mw_grid_same_turn(r, g);
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
    if (r->flat[i]) h -= h / stride % r->n_grid[i] * stride;
  return h;
}

// Neighbour of g one step along an axis, around a cyclic one, too; −1: none.
static int neighbour(const mw_reduction *r, int axis, int stride, int g, int step)
{
  int k = g / stride % r->n_grid[axis], last = r->n_grid[axis] - 1;
  if (r->axis[axis].cyclic && k + step < 0) k += last;
  if (k + step < 0 || k + step > last) return -1;
  return same_as(r, g + (k + step - g / stride % r->n_grid[axis]) * stride);
}

// ---- the span at a point ------------------------------------------------------------------------

static double *residual(const span *z, int g, int a)
{
  return z->r->point[g].P + (size_t)z->cand[a] * (size_t)z->r->n;
}

// Residuals of all points whose span is that of g, as rows of B; returns their number.
static int put_residuals(span *z, int g)
{
  const mw_reduction *r = z->r;
  size_t n = (size_t)r->n;
  int k = 0;
  for (int h = g; h < (z->alike > 1 ? r->n_point : g + 1); h++)
    for (int a = 0; a < z->c && k < z->c * z->alike && same_as(r, h) == g; a++, k++) {
      memset(z->B + (size_t)k * n, 0, n * sizeof *z->B);
      mw_axpy(r->n, 1.0 / sqrt(z->group), residual(z, h, a), z->B + (size_t)k * n);
    }
  return k;
}

// Eigenvalues and eigenvectors of BᵀKB for the first k rows of B at g, ascending, in e and V.
static mw_code eigen(span *z, int g, int k, mw_error *err)
{
  size_t n = (size_t)z->r->n;
  for (int a = 0; a < k; a++)
    mw_system_mul_K(z->r->point[g].sys, z->B + (size_t)a * n, z->KB + (size_t)a * n);
  mw_gemm('n', 't', k, k, z->r->n, 1.0, z->B, z->KB, 0.0, z->G);
  return mw_eig_sym(k, z->G, z->e, z->V, err);
}

// (1) from the first k rows of B into W, K-orthonormal; false: there are fewer than p directions
static bool dominant(const span *z, int k, double *W)
{
  size_t n = (size_t)z->r->n;
  memset(W, 0, (size_t)z->p * n * sizeof *W);
  for (int i = 0; i < z->p; i++) {
    int col = k - 1 - i;
    if (col < 0 || !(z->e[col] > RANK * z->tau2)) return false;
    for (int a = 0; a < k; a++)
      mw_axpy(z->r->n, z->V[a * k + col] / sqrt(z->e[col]), z->B + (size_t)a * n,
              W + (size_t)i * n);
  }
  return true;
}

// Rows [from, from + k) of B as displacements that point g admits, times a.
static mw_code admit(span *z, int g, int from, int k, double a, mw_error *err)
{
  mw_reduction *r = z->r;
  size_t n = (size_t)r->n;
  double *X = z->B + (size_t)from * n;
  for (int i = 0; i < k; i++)
    mw_system_mul_K(r->point[g].sys, X + (size_t)i * n, z->KB + (size_t)i * n);
  mw_code rc = mw_system_solve_many(r->point[g].sys, k, z->KB, X, err);
  for (int i = 0; rc == MW_OK && i < k; i++) {
    double *x = X + (size_t)i * n;
    mw_pattern_deflate(&r->point[g], r->n, 0, r->m, x, z->w->Mp);
    for (size_t j = 0; j < n; j++) x[j] *= a;
  }
  return rc;
}

static mw_code from_own(span *z, int g, mw_error *err)
{
  int k = put_residuals(z, g);
  mw_code rc = eigen(z, g, k, err);
  if (rc == MW_OK && dominant(z, k, basis(z, z->W, g))) z->state[g] = OWN;
  return rc;
}

// ---- between own points -------------------------------------------------------------------------

// Rows of X [p × n] += c × those of W(node), turned to those of W(ref).
static mw_code add_turned(span *z, int node, int ref, double c, double *X, mw_error *err)
{
  int p = z->p, n = z->r->n;
  double *of_ref = basis(z, z->W, ref);
  for (int i = 0; i < p; i++)
    mw_system_mul_K(z->r->point[ref].sys, of_ref + (size_t)i * (size_t)n,
                    z->KB + (size_t)i * (size_t)n);
  mw_gemm('n', 't', p, p, n, 1.0, z->KB, basis(z, z->W, node), 0.0, z->G);
  mw_code rc = mw_svd(p, p, z->G, z->e, z->V, z->V + p * p, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 'n', p, p, p, 1.0, z->V, z->V + p * p, 0.0, z->G);
  mw_gemm('n', 'n', p, n, p, c, z->G, basis(z, z->W, node), 1.0, X);
  return MW_OK;
}

// A point with three own points or more along an axis.
static mw_code fill(span *z, int g, mw_error *err)
{
  int node[4], at[4], k = mw_grid_nodes(z->r, g, z->state, node, at);
  double c[4];
  size_t n = (size_t)z->r->n;
  if (k < 3) return MW_OK;
  mw_lagrange_weights(k, at, c);
  int own = put_residuals(z, g);
  double *X = z->B + (size_t)own * n;
  memset(X, 0, (size_t)z->p * n * sizeof *X);
  mw_code rc = MW_OK;
  for (int a = 0; rc == MW_OK && a < k; a++) rc = add_turned(z, node[a], node[0], c[a], X, err);
  if (rc == MW_OK) rc = admit(z, g, own, z->p, sqrt(z->tau2), err);
  if (rc == MW_OK) rc = eigen(z, g, own + z->p, err);
  if (rc == MW_OK && dominant(z, own + z->p, basis(z, z->W, g))) z->state[g] = FILLED;
  return rc;
}

// ---- from neighbour to neighbour ----------------------------------------------------------------

// R(g) and what neighbours give: spans of those that have one, else (seed) their residuals; into
// `to`, *found false where there are fewer than p directions. The eigenvalues are left in e, their
// number in *rows.
static mw_code carry(span *z, int g, bool seed, double *to, int *rows, bool *found, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t n = (size_t)r->n;
  int own = put_residuals(z, g), k = own, stride = 1, beside = 0;
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
    for (int step = -1; step <= 1; step += 2) {
      int h = neighbour(r, i, stride, g, step);
      if (h < 0 || h == g || (!seed && z->state[h] == NO)) continue;
      beside++;
      if (!seed) {
        memcpy(z->B + (size_t)k * n, basis(z, z->W, h), (size_t)z->p * n * sizeof *z->B);
        k += z->p;
        continue;
      }
      for (int a = 0; a < z->c; a++) {
        double *x = z->B + (size_t)k * n, e;
        memcpy(x, residual(z, h, a), n * sizeof *x);
        e = mw_pattern_energy(r->point[h].sys, r->n, x, z->w->Mp);
        if (!(e > RANK * z->tau2 * z->group)) continue;
        for (size_t j = 0; j < n; j++) x[j] /= sqrt(e);
        k++;
      }
    }
  *found = false;
  if (beside == 0) return MW_OK;
  mw_code rc = admit(z, g, own, k - own, sqrt(z->tau2 / beside), err);
  if (rc == MW_OK) rc = eigen(z, g, k, err);
  if (rc == MW_OK) *found = dominant(z, k, to);
  *rows = k;
  return rc;
}

// Where no point is own: the one where the residuals and those of its neighbours have most of p
// directions.
static mw_code seed(span *z, bool *found, mw_error *err)
{
  mw_code rc = MW_OK;
  double most = 0.0;
  int best = -1, rows;
  bool here;
  *found = false;
  for (int g = 0; rc == MW_OK && g < z->r->n_point; g++) {
    if (same_as(z->r, g) != g) continue;
    rc = carry(z, g, true, basis(z, z->next, g), &rows, &here, err);
    if (rc != MW_OK || !here || !(z->e[rows - z->p] > most)) continue;
    most = z->e[rows - z->p];
    best = g;
  }
  if (rc != MW_OK || best < 0) return rc;
  memcpy(basis(z, z->W, best), basis(z, z->next, best),
         (size_t)z->p * (size_t)z->r->n * sizeof *z->W);
  z->state[best] = CARRIED;
  *found = true;
  return rc;
}

// All points that have none and a neighbour that has (again: all CARRIED ones) get a span, from
// what there was before.
static mw_code layer(span *z, bool again, int *n_new, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  int rows;
  *n_new = 0;
  for (int g = 0; g < r->n_point; g++) z->w->reached[g] = 0;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    if (z->state[g] != (again ? CARRIED : NO) || same_as(r, g) != g) continue;
    bool found;
    rc = carry(z, g, false, basis(z, z->next, g), &rows, &found, err);
    z->w->reached[g] = rc == MW_OK && found;
  }
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    if (!z->w->reached[g]) continue;
    memcpy(basis(z, z->W, g), basis(z, z->next, g), (size_t)z->p * (size_t)r->n * sizeof *z->W);
    z->state[g] = CARRIED;
    ++*n_new;
  }
  return rc;
}

// ---- all points ---------------------------------------------------------------------------------

// The span at `from` as an M-orthonormal basis at g, which admits it.
static mw_code settle(span *z, int from, int g, mw_error *err)
{
  size_t size = (size_t)z->p * (size_t)z->r->n * sizeof *z->B;
  mw_code rc = MW_OK;
  if (z->alike > 1) {
    memcpy(z->B, basis(z, z->W, from), size);
    rc = admit(z, g, 0, z->p, 1.0, err);
    memcpy(basis(z, z->W, g), z->B, size);
  }
  if (rc != MW_OK) return rc;
  return mw_orthonormal(z->r->point[g].sys, z->p, z->r->n, basis(z, z->W, g), z->KB, z->G, err);
}

// Bases at all points, each from the point whose span is its own.
static mw_code complete(span *z, bool *found, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  for (int g = 0; g < r->n_point; g++) *found = *found && (same_as(r, g) != g || z->state[g] != NO);
  for (int g = r->n_point - 1; rc == MW_OK && *found && g >= 0; g--)  // others before their source
    rc = settle(z, same_as(r, g), g, err);
  return rc;
}

// Spans of p dimensions at all points.
static mw_code spans(span *z, bool *found, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  int n_own = 0, n_new = 1;
  memset(z->state, NO, (size_t)r->n_point);
  *found = true;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    if (same_as(r, g) != g || !(z->energy[g * z->p_most + z->p - 1] >= z->share)) continue;
    rc = from_own(z, g, err);
    n_own += z->state[g] == OWN;
  }
  for (int g = 0; rc == MW_OK && n_own > 0 && g < r->n_point; g++)
    if (z->state[g] == NO && same_as(r, g) == g) rc = fill(z, g, err);
  if (rc == MW_OK && n_own == 0) rc = seed(z, found, err);
  while (rc == MW_OK && *found && n_new > 0) rc = layer(z, false, &n_new, err);
  for (int i = 0; rc == MW_OK && *found && i < SWEEPS; i++) rc = layer(z, true, &n_new, err);
  return rc == MW_OK ? complete(z, found, err) : rc;
}

// ---- columns ------------------------------------------------------------------------------------

static bool along_flat(const mw_reduction *r, int g, int h)
{
  int stride = 1;
  for (int i = r->s - 1; i >= 0; stride *= r->n_grid[i], i--)
    if (r->flat[i] && g / stride % r->n_grid[i] != h / stride % r->n_grid[i]) return true;
  return false;
}

// Overlaps of the bases along an edge; their least principal cosine.
static mw_code overlap(void *ctx, int g, int h, double *O, mw_error *err)
{
  span *z = ctx;
  size_t n = (size_t)z->r->n;
  int p = z->p;
  for (int i = 0; i < p; i++)
    mw_system_mul_M(z->r->point[h].sys, basis(z, z->W, h) + (size_t)i * n, z->KB + (size_t)i * n);
  mw_gemm('n', 't', p, p, z->r->n, 1.0, basis(z, z->W, g), z->KB, 0.0, O);
  memcpy(z->G, O, (size_t)p * (size_t)p * sizeof *z->G);
  mw_code rc = mw_svd(p, p, z->G, z->e, NULL, NULL, err);
  if (rc != MW_OK) return rc;
  z->cosine = fmin(z->cosine, z->e[p - 1]);
  if (along_flat(z->r, g, h) && !(z->e[p - 1] >= mw_pattern_flat)) z->flat = false;
  return MW_OK;
}

// Spans of p dimensions and their transport; cosine 0 where there are none or they change their
// sign around a turn.
static mw_code follow(span *z, int p, mw_align *align, mw_error *err)
{
  mw_reduction *r = z->r;
  mw_error why = { 0 };
  bool found;
  z->p = p;
  z->cosine = 0.0;
  mw_code rc = spans(z, &found, err);
  if (rc != MW_OK || !found) return rc;
  mw_align_in in = { .s = r->s,
                     .n_grid = r->n_grid,
                     .k = p,
                     .n_want = p,
                     .overlap = overlap,
                     .ctx = z,
                     .axis = r->axis };
  for (int i = 0; i < r->s; i++) {
    if (r->axis[i].cyclic) in.cyclic |= 1u << i;
    if (r->model->reduction.coordinate[i].symmetric) in.symmetric |= 1u << i;
  }
  z->cosine = 1.0;
  z->flat = true;
  rc = mw_align_space(&in, &z->mem, align, &why);
  if (rc == MW_ERR_NUMERIC) {
    z->cosine = 0.0;
    return MW_OK;
  }
  if (rc != MW_OK && err) *err = why;
  return rc;
}

static void append(span *z, const mw_align *align)
{
  mw_reduction *r = z->r;
  size_t n = (size_t)r->n, pp = (size_t)z->p * (size_t)z->p;
  for (int g = 0; g < r->n_point; g++)
    mw_gemm('t', 'n', z->p, r->n, z->p, 1.0, align->Q + (size_t)g * pp, basis(z, z->W, g), 0.0,
            r->point[g].Psi + (size_t)r->m * n);
  r->m += z->p;
}

// Energies of the residuals' directions at all points; returns through p the largest number of
// those that count.
static mw_code count_directions(span *z, int *p, mw_error *err)
{
  mw_code rc = MW_OK;
  *p = 0;
  for (int g = 0; rc == MW_OK && g < z->r->n_point; g++) {
    if (same_as(z->r, g) != g) continue;
    int k = put_residuals(z, g);
    rc = eigen(z, g, k, err);
    for (int i = 0; rc == MW_OK && i < z->p_most && i < k; i++) {
      z->energy[g * z->p_most + i] = z->e[k - 1 - i];
      if (z->e[k - 1 - i] >= z->share && i + 1 > *p) *p = i + 1;
    }
  }
  return rc;
}

static mw_code span_init(span *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t n = (size_t)r->n, np = (size_t)r->n_point;
  int room = r->m_modes + z->w->p->n + MW_SPAN_SPARE - r->m;
  z->p_most = z->c + MW_SPAN_SPARE < room ? z->c + MW_SPAN_SPARE : room;
  z->alike = 1;
  for (int i = 0; i < r->s; i++) z->alike *= r->flat[i] ? r->n_grid[i] : r->axis[i].cyclic ? 2 : 1;
  z->rows = z->c * z->alike + 2 * r->s * (z->p_most > z->c ? z->p_most : z->c);
  size_t rows = (size_t)z->rows;
  z->energy = mw_arena_f64(&z->mem, np * (size_t)z->p_most);
  z->W = mw_arena_f64(&z->mem, np * (size_t)z->p_most * n);
  z->next = mw_arena_f64(&z->mem, np * (size_t)z->p_most * n);
  z->state = mw_arena_alloc(&z->mem, np, 1);
  z->B = mw_arena_f64(&z->mem, rows * n);
  z->KB = mw_arena_f64(&z->mem, rows * n);
  z->G = mw_arena_f64(&z->mem, rows * rows);
  z->V = mw_arena_f64(&z->mem, 2 * rows * rows);
  z->e = mw_arena_f64(&z->mem, rows);
  return mw_arena_check(&z->mem, err);
}

mw_code mw_pattern_span(mw_select *w, int n, const int *cand, double group, bool *found,
                        mw_error *err)
{
  mw_reduction *r = w->r;
  double share = COUNTS * r->model->reduction.tolerance, best = 0.0;
  span z = { .w = w, .r = r, .c = n, .cand = cand, .group = group, .share = share };
  z.tau2 = TAU2 * share;
  mw_align align = { 0 };
  int p = 0, best_p = 0;
  mw_code rc = span_init(&z, err);
  if (rc == MW_OK) rc = count_directions(&z, &p, err);
  *found = rc == MW_OK && p == 0;
  for (bool good = false; rc == MW_OK && p > 0 && p <= z.p_most && !good; p++) {
    rc = follow(&z, p, &align, err);
    good = z.cosine >= SMOOTH && z.flat;
    if (rc != MW_OK || !(good || z.cosine > best)) continue;
    best = z.cosine;
    best_p = p;
  }
  if (rc == MW_OK && best_p > 0 && best_p != z.p) rc = follow(&z, best_p, &align, err);
  if (rc == MW_OK && best >= mw_pattern_least) {
    append(&z, &align);
    *found = true;
  }
  mw_arena_free(&z.mem);
  return rc;
}
