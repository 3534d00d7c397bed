// SPDX-License-Identifier: BSD-3-Clause
// span.c: where modes cannot be followed one by one, a span of m columns that holds the n lowest
// modes everywhere and turns as little as possible from each grid point to the next.
//
//   P = C Cᵀ ,  C [k × m] in the k modes computed at a point   the span at a point   (1)
//   maximize  Σ_edges tr(P_a O P_b Oᵀ) + Σ_points tr(P W) ,  W_i = 1 / (1 + (λ_i / λ_n)²)       (2)
//   C(g) := eigenvectors of the m largest eigenvalues of Σ_neighbours O P Oᵀ + W   one sweep   (3)
//   C := orthonormal(Λ⁻¹ C)   one step of inverse iteration   (4)
//
// (3) raises (2) at every step. It starts from the tracked modes that are among the n lowest
// anywhere, which change into others where modes veer or cross at conical points; the sweeps spread
// that over some cells. (4) is smooth in theta, too, and takes what the span lacks of mode i down
// by λ_i over the eigenvalues of what it lacks. Where the span so found still turns too fast or
// lacks a mode, one more tracked mode starts with the others.
// A span is no invariant subspace of K: refine.c holds it to the joints, without an iteration on
// it.
// Cost: SWEEPS eigenproblems of order k a point and span tried.
// Souza, Marzari, Vanderbilt, Phys. Rev. B 65 (2001) 035109 (disentanglement of entangled bands).
#include <math.h>
#include <string.h>

#include "align_priv.h"
#include "base/dense.h"

enum { SWEEPS = 20 };

typedef struct span {
  mw_align_work *w;
  int m;
  double *C;              // [n_point × k × m]
  double *T, *Z, *V, *d;  // [k × m], [k × k], [k × k], [k]
  double *A, *sv;         // [m × m], [m]
  mw_arena mem;
} span;

static double *basis(const span *s, int g)
{
  return s->C + (size_t)g * (size_t)s->w->in->k * (size_t)s->m;
}

// T := O C(b) of an edge from a to b; of its transpose and C(a) where back
static void across(span *s, const mw_align_edge *e, bool back)
{
  int k = s->w->in->k;
  mw_gemm(back ? 't' : 'n', 'n', k, s->m, k, 1.0, e->O, basis(s, back ? e->a : e->b), 0.0, s->T);
}

// (3) at one point
static mw_code relax(span *s, int g, mw_error *err)
{
  const mw_align_work *w = s->w;
  int k = w->in->k, m = s->m, size = w->in->s;
  const double *lambda = w->in->lambda + (size_t)g * (size_t)k;
  memset(s->Z, 0, (size_t)k * (size_t)k * sizeof *s->Z);
  for (int i = 0; i < k; i++) {
    double ratio = lambda[i] / lambda[w->in->n_want - 1];
    s->Z[i * k + i] = 1.0 / (1.0 + ratio * ratio);
  }
  for (int i = 0; i < size; i++)
    for (int back = 0; back < 2; back++) {
      bool first = g / w->stride[i] % w->in->n_grid[i] == 0;
      int e =
          back ? first ? -1 : w->edge_of[(g - w->stride[i]) * size + i] : w->edge_of[g * size + i];
      if (e < 0) continue;
      across(s, &w->edge[e], back);
      mw_gemm('n', 't', k, k, m, 1.0, s->T, s->T, 1.0, s->Z);
    }
  mw_code rc = mw_eig_sym(k, s->Z, s->d, s->V, err);
  double *C = basis(s, g);
  for (int i = 0; rc == MW_OK && i < k; i++)
    for (int j = 0; j < m; j++) C[i * m + j] = s->V[i * k + k - 1 - j];
  return rc;
}

// Points of one colour of a chessboard see those of the other alone: mirrored ones stay mirrored.
static int colour(const mw_align_work *w, int g)
{
  int sum = 0;
  for (int i = 0; i < w->in->s; i++) sum += g / w->stride[i] % w->in->n_grid[i];
  return sum % 2;
}

// (4)
static void iterate(span *s, int g)
{
  int k = s->w->in->k, m = s->m;
  const double *lambda = s->w->in->lambda + (size_t)g * (size_t)k;
  double *C = basis(s, g);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < m; j++) C[i * m + j] *= lambda[0] / lambda[i];
  for (int twice = 0; twice < 2; twice++)
    for (int j = 0; j < m; j++) {
      for (int l = 0; l < j; l++) {
        double x = 0.0;
        for (int i = 0; i < k; i++) x += C[i * m + j] * C[i * m + l];
        for (int i = 0; i < k; i++) C[i * m + j] -= x * C[i * m + l];
      }
      double square = 0.0;
      for (int i = 0; i < k; i++) square += C[i * m + j] * C[i * m + j];
      for (int i = 0; i < k; i++) C[i * m + j] /= sqrt(square);
    }
}

// A := C(a)ᵀ O C(b)
static void overlap(span *s, const mw_align_edge *e, double *A)
{
  across(s, e, false);
  mw_gemm('t', 'n', s->m, s->m, s->w->in->k, 1.0, basis(s, e->a), s->T, 0.0, A);
}

// Smallest cosine between neighbours' spans, and the largest share of a wanted mode's energy
// outside of them.
static mw_code quality(span *s, double *cosine, double *missing, mw_error *err)
{
  const mw_align_work *w = s->w;
  int m = s->m;
  mw_code rc = MW_OK;
  *cosine = 1.0;
  *missing = 0.0;
  for (int e = 0; rc == MW_OK && e < w->n_edge; e++) {
    overlap(s, &w->edge[e], s->A);
    rc = mw_svd(m, m, s->A, s->sv, NULL, NULL, err);
    if (rc == MW_OK) *cosine = fmin(*cosine, s->sv[m - 1]);
  }
  for (int g = 0; g < w->n_point; g++)
    for (int i = 0; i < w->in->n_want; i++) {
      const double *row = basis(s, g) + (size_t)i * (size_t)m;
      *missing = fmax(*missing, 1.0 - mw_dot(m, row, row));
    }
  return rc;
}

static mw_code span_init(mw_align_work *w, int m, span *s, mw_error *err)
{
  size_t k = (size_t)w->in->k, ms = (size_t)m;
  *s = (span){ .w = w, .m = m };
  s->C = mw_arena_f64(&s->mem, (size_t)w->n_point * k * ms);
  s->T = mw_arena_f64(&s->mem, k * ms);
  s->Z = mw_arena_f64(&s->mem, k * k);
  s->V = mw_arena_f64(&s->mem, k * k);
  s->d = mw_arena_f64(&s->mem, k);
  s->A = mw_arena_f64(&s->mem, ms * ms);
  s->sv = mw_arena_f64(&s->mem, ms);
  return mw_arena_check(&s->mem, err);
}

// The span that starts from the first m tracked modes of `order`.
static mw_code find(span *s, const int *order, mw_error *err)
{
  const mw_align_work *w = s->w;
  int k = w->in->k;
  mw_code rc = MW_OK;
  for (int g = 0; g < w->n_point; g++)
    for (int j = 0; j < s->m; j++) basis(s, g)[w->perm[g * k + order[j]] * s->m + j] = 1.0;
  for (int sweep = 0; sweep < 2 * SWEEPS; sweep++)
    for (int g = 0; rc == MW_OK && g < w->n_point; g++)
      if (colour(w, g) == sweep % 2) rc = relax(s, g, err);
  for (int g = 0; rc == MW_OK && g < w->n_point; g++) iterate(s, g);
  return rc;
}

// Tracked modes: wanted ones first, then by the lowest number they have anywhere; returns how many
// are wanted.
static int by_number(const mw_align_work *w, int *order)
{
  int k = w->in->k, n = 0, n_wanted;
  for (int t = 0; t < k; t++)
    if (w->wanted[t]) order[n++] = t;
  n_wanted = n;
  for (int lowest = 0; lowest < k; lowest++)
    for (int t = 0; t < k; t++) {
      int least = k;
      for (int g = 0; g < w->n_point; g++)
        least = w->perm[g * k + t] < least ? w->perm[g * k + t] : least;
      if (!w->wanted[t] && least == lowest) order[n++] = t;
    }
  return n_wanted;
}

// Columns of the span carried along the comb: transport.c in the overlaps of the spans.
static mw_code carry(span *s, mw_arena *mem, mw_align *out, mw_error *err)
{
  int k = s->w->in->k, m = s->m, n_point = s->w->n_point;
  size_t mm = (size_t)m * (size_t)m, np = (size_t)n_point;
  mw_align_in in = *s->w->in;
  mw_align_work w = *s->w;
  mw_align turned = { .k = m, .m = m };
  in.k = m;
  w.in = &in;
  w.edge = mw_arena_alloc(&s->mem, (size_t)w.n_edge, sizeof *w.edge);
  w.perm = mw_arena_int(&s->mem, np * (size_t)m);
  turned.Q = mw_arena_f64(&s->mem, np * mm);
  double *O = mw_arena_f64(&s->mem, (size_t)w.n_edge * mm);
  int *all = mw_arena_int(&s->mem, (size_t)m);
  out->m = m;
  out->n_cluster = 1;
  out->Q = mw_arena_f64(mem, np * (size_t)k * (size_t)m);
  out->cluster = mw_arena_int(mem, (size_t)m);
  mw_code rc = mw_arena_check(&s->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < m; j++) all[j] = j;
  for (int g = 0; g < n_point; g++)
    for (int j = 0; j < m; j++) w.perm[g * m + j] = j;
  for (int e = 0; e < w.n_edge; e++) {
    w.edge[e] = s->w->edge[e];
    w.edge[e].O = O + (size_t)e * mm;
    overlap(s, &s->w->edge[e], w.edge[e].O);
  }
  rc = mw_align_carry(&w, m, all, all, &turned, err);
  for (int g = 0; rc == MW_OK && g < n_point; g++)
    mw_gemm('n', 'n', k, m, m, 1.0, basis(s, g), turned.Q + (size_t)g * mm, 0.0,
            out->Q + (size_t)g * (size_t)k * (size_t)m);
  return rc;
}

mw_code mw_align_span(mw_align_work *w, mw_arena *mem, mw_align *out, mw_error *err)
{
  static const double COSINE = 0.7;    // of neighbours' spans: 45 degrees a cell
  static const double MISSING = 1e-3;  // of a wanted mode
  int k = w->in->k, *order = mw_arena_int(&w->mem, (size_t)k);
  if (!order) return mw_arena_check(&w->mem, err);
  int m = by_number(w, order), most = m + w->in->n_want + 2;
  mw_code rc = MW_OK;
  // a cyclic axis would want the same span at both its ends
  if (w->in->cyclic) return MW_OK;
  for (bool good = false; rc == MW_OK && !good && m <= most && m <= k - 3; m++) {
    span s;
    double cosine, missing;
    rc = span_init(w, m, &s, err);
    if (rc == MW_OK) rc = find(&s, order, err);
    if (rc == MW_OK) rc = quality(&s, &cosine, &missing, err);
    good = rc == MW_OK && cosine >= COSINE && missing <= MISSING;
    if (good) rc = carry(&s, mem, out, err);
    if (good) out->cut = sqrt(fmax(0.0, 1.0 - cosine * cosine));
    if (good) out->span = true;
    mw_arena_free(&s.mem);
  }
  return rc;
}
