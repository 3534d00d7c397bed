// SPDX-License-Identifier: BSD-3-Clause
// align.c: modes that are smooth functions of theta over a tensor grid.
//
//   O(g, g') = Φ(g)ᵀ M Φ(g')                                          neighbours only           (1)
//   tracking: π(g) = argmax Σ_i O(g⁻, g)²_{π(g⁻)i, π(g)i}  g⁻: parent on the comb (Hungarian)  (2)
//   link(i, j) = max |O_ij| over edges where λ_i, λ_j lie within a factor 1.5, or where i overlaps
//     itself below one half
//   link(i, j) = 1 where λ_i = λ_j to 1e-6 anywhere: a double mode has no basis of its own, its two
//     columns are any two of a plane
//   link(i, ∅) = max sqrt(1 − |row or column of O|²):
//       what the computed modes do not hold of mode i      (3)
//   clusters: connected components of link > 0.02, and of modes that change places along an edge
//     though they overlap
//   by 1e-6 only; Q(g) = polar(O(g⁻, g)ᵀ Q(g⁻)) within each (transport.c)                       (4)
//
// Modes that change places: a veering much sharper than the grid hardly shows at the grid points,
// but the coupling it hides is an error of the frequencies that no refinement removes (order 0
// instead of 4 in tests/bench/bench_align.c).
//
// The comb starts at the first point of each axis, in the middle of a symmetric one, and runs along
// the last axis wherever it can: the lines at the start of all later axes are its spine. Edges that
// close cyclic axes link modes like all others. Kept are whole components of link > 0.3 that hold a
// wanted mode (one of the n_want lowest at some grid point): a weaker link across the cut is the
// turning of smooth modes, not a veering. Where a wanted mode would be linked to the outside the
// threshold is raised step by step, which cuts the weakest links; where that does not help the
// whole space of the n_want lowest modes is followed as one cluster, or, where that turns too fast,
// a span of more columns that holds it (span.c).
// Cost: one overlap an edge, O(k³) a point. Kuhn 1955, Munkres 1957 (assignment); Schönemann 1966
// (Procrustes).
#include "reduction/align.h"

#include <math.h>
#include <stdbool.h>

#include "align_priv.h"
#include "assign_priv.h"
#include "base/dense.h"

static const double LINK = 0.02;       // overlap above which two kept modes are turned together
static const double LINK_CUT = 0.3;    // overlap above which a mode is kept because another one is
static const double LINK_MOST = 0.71;  // sqrt(1/2): at most this much may be cut
static const double LINK_STEP = 1.25;
static const double NEAR = 1.5;  // ratio of eigenvalues that can veer
static const double DOUBLE =
    1e-6;  // of λ: an eigensolver leaves such a pair turned by its own error over this
static const double SELF = 0.5;
static const double SPACE = 0.05;  // overlap that every direction of a followed space keeps
static const double FAST = 0.7;    // the same, below which a span is looked for instead
static const double CROSS =
    1e-6;  // overlap; the coupling missed is below 1e-6 of the spread of λ in a cell

typedef mw_align_work work;
typedef mw_align_edge edge;

static mw_code check(const mw_align_in *in, mw_error *err)
{
  for (int i = 0; i < in->s; i++) {
    int n = in->n_grid[i];
    bool cyclic = in->cyclic >> i & 1u, symmetric = in->symmetric >> i & 1u, even = n % 2 == 0;
    if (symmetric && even)
      return mw_fail(
          err, MW_ERR_INPUT, MW_NOWHERE,
          "coordinate %d is symmetric with %d grid points, expected an odd number: one in the "
          "middle",
          i + 1, n);
    if (cyclic && n < 3)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "coordinate %d is cyclic with %d grid points, expected 3 at least", i + 1, n);
    const int *at = in->axis ? in->axis[i].at : NULL;
    for (int k = 0; symmetric && at && k < n; k++)
      if (at[k] + at[n - 1 - k] != at[n - 1])
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                       "grid points %d and %d of symmetric coordinate %d do not mirror each other",
                       k + 1, n - k, i + 1);
  }
  return MW_OK;
}

static mw_code add_edge(work *w, int axis, int a, int b, mw_error *err)
{
  const mw_align_in *in = w->in;
  size_t kk = (size_t)in->k * (size_t)in->k;
  edge *e = &w->edge[w->n_edge];
  *e = (edge){ .a = a, .b = b, .O = mw_arena_f64(&w->mem, kk) };
  if (!e->O) return mw_arena_check(&w->mem, err);
  mw_code rc = in->overlap(in->ctx, a, b, e->O, err);
  for (size_t j = 0; rc == MW_OK && j < kk; j++)
    if (!isfinite(e->O[j]))
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "overlap of grid points %d and %d is not finite", a, b);
  w->edge_of[a * in->s + axis] = w->n_edge++;
  return rc;
}

static mw_code build_edges(work *w, mw_error *err)
{
  const mw_align_in *in = w->in;
  mw_code rc = MW_OK;
  for (int j = 0; j < w->n_point * in->s; j++) w->edge_of[j] = -1;
  for (int i = in->s - 1; i >= 0; i--)
    for (int g = 0; rc == MW_OK && g < w->n_point; g++) {
      int stride = w->stride[i], n = in->n_grid[i];
      if (g / stride % n > 0)
        rc = add_edge(w, i, g - stride, g, err);
      else if (in->cyclic >> i & 1u)
        rc = add_edge(w, i, g + (n - 1) * stride, g, err);
    }
  return rc;
}

// The comb: each point's parent is one step nearer to the root along the last axis that is not at
// its root.
static void build_comb(work *w)
{
  const mw_align_in *in = w->in;
  int root = 0, n = 0;
  for (int i = 0; i < in->s; i++) root += w->root[i] * w->stride[i];
  w->parent[root] = w->parent_edge[root] = -1;
  w->order[n++] = root;
  for (int i = 0; i < in->s; i++) {
    int n_line = n;
    for (int side = 1; side >= -1; side -= 2)
      for (int d = 1; d < in->n_grid[i]; d++) {
        int at = w->root[i] + side * d;
        for (int l = 0; at >= 0 && at < in->n_grid[i] && l < n_line; l++) {
          int g = w->order[l] + side * d * w->stride[i];
          w->parent[g] = g - side * w->stride[i];
          w->parent_edge[g] = w->edge_of[(side > 0 ? w->parent[g] : g) * in->s + i];
          w->order[n++] = g;
        }
      }
    w->n_order[i] = n;
  }
}

mw_align_step mw_align_to_parent(const mw_align_work *w, int g)
{
  const edge *e = &w->edge[w->parent_edge[g]];
  int k = w->in->k;
  return e->b == g ? (mw_align_step){ e->O, k, 1 } : (mw_align_step){ e->O, 1, k };
}

// (2), parents before their children
static mw_code track(work *w, mw_error *err)
{
  int k = w->in->k;
  mw_arena tmp = { 0 };
  double *cost = mw_arena_f64(&tmp, (size_t)k * (size_t)k);
  void *scratch = mw_arena_alloc(&tmp, mw_assign_bytes(k), 1);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int t = 0; rc == MW_OK && t < k; t++) w->perm[w->order[0] * k + t] = t;
  for (int o = 1; rc == MW_OK && o < w->n_point; o++) {
    int g = w->order[o];
    mw_align_step step = mw_align_to_parent(w, g);
    const int *from = w->perm + w->parent[g] * k;
    for (int t = 0; t < k; t++)
      for (int j = 0; j < k; j++) {
        double x = step.O[from[t] * step.of_parent + j * step.of_child];
        cost[t * k + j] = -x * x;
      }
    mw_assign(k, cost, w->perm + g * k, scratch);
  }
  mw_arena_free(&tmp);
  return rc;
}

static void raise_link(work *w, int i, int j, double x)
{
  int n = w->in->k + 1;
  if (i != j && x > w->link[i * n + j]) w->link[i * n + j] = w->link[j * n + i] = x;
}

static void link_doubles(work *w)
{
  int k = w->in->k;
  for (int g = 0; g < w->n_point; g++) {
    const int *perm = w->perm + g * k;
    const double *lambda = w->in->lambda + (size_t)g * (size_t)k;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < i; j++)
        if (fabs(lambda[perm[i]] - lambda[perm[j]]) <= DOUBLE * fabs(lambda[perm[i]]))
          raise_link(w, i, j, 1.0);
  }
}

// What edge e says of mode i: (3).
static void link_edge(work *w, const edge *e)
{
  int k = w->in->k;
  const int *pa = w->perm + e->a * k, *pb = w->perm + e->b * k;
  const double *la = w->in->lambda + (size_t)e->a * (size_t)k,
               *lb = w->in->lambda + (size_t)e->b * (size_t)k;
  double edge_of_band = fmin(la[k - 1], lb[k - 1]);
  for (int i = 0; i < k; i++) {
    double row = 0.0, col = 0.0, best = 0.0;
    int partner = i;
    for (int j = 0; j < k; j++) {
      double x = fabs(e->O[pa[i] * k + pb[j]]), y = fabs(e->O[pa[j] * k + pb[i]]),
             most = fmax(x, y);
      double hi = fmax(la[pa[i]], lb[pb[j]]), lo = fmin(la[pa[i]], lb[pb[j]]);
      row += x * x;
      col += y * y;
      bool cross = (la[pa[i]] - la[pa[j]]) * (lb[pb[i]] - lb[pb[j]]) <= 0.0;
      if (hi < NEAR * lo) raise_link(w, i, j, x);
      if (cross && most > CROSS) raise_link(w, i, j, fmax(most, 1.01 * LINK));
      if (j != i && most > best) {
        best = most;
        partner = j;
      }
    }
    double lost = sqrt(fmax(0.0, 1.0 - fmin(row, col)));
    if (fabs(e->O[pa[i] * k + pb[i]]) < SELF && best > lost) raise_link(w, i, partner, best);
    bool near_band = NEAR * fmax(la[pa[i]], lb[pb[i]]) > edge_of_band;
    if (near_band || lost > sqrt(SELF)) raise_link(w, i, k, lost);
  }
}

// Components of link > threshold among the nodes 0 … n−1; label: smallest node of the component.
static void components(const double *link, int n, int row, double threshold, int *label)
{
  for (int i = 0; i < n; i++) label[i] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      if (!(link[i * row + j] > threshold) || label[i] == label[j]) continue;
      int from = label[i] > label[j] ? label[i] : label[j],
          to = label[i] > label[j] ? label[j] : label[i];
      for (int l = 0; l < n; l++)
        if (label[l] == from) label[l] = to;
    }
}

// Marks the tracked modes that are among the n_want lowest somewhere.
static void mark_wanted(work *w)
{
  int k = w->in->k;
  for (int g = 0; g < w->n_point; g++)
    for (int t = 0; t < k; t++)
      if (w->perm[g * k + t] < w->in->n_want) w->wanted[t] = 1;
}

// Labels with no wanted mode in the component of the outside. False when that needs cutting links
// above LINK_MOST: modes that sweep through the whole band (a heavy mass divides a beam in two)
// cannot be followed one by one.
static bool separate(work *w)
{
  int k = w->in->k, n = k + 1;
  for (double t = LINK_CUT; t < LINK_MOST; t *= LINK_STEP) {
    int cut = 0;
    components(w->link, n, n, t, w->label);
    for (int i = 0; i < k; i++) cut += w->wanted[i] && w->label[i] == w->label[k];
    if (cut == 0) return true;
  }
  return false;
}

// Smallest cosine between the spaces of the n_want lowest modes at neighbouring points: what the
// direction that turns most keeps along an edge.
static mw_code space_cosine(const work *w, double *cosine, mw_error *err)
{
  int k = w->in->k, m = w->in->n_want;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, (size_t)m * (size_t)m), *sv = mw_arena_f64(&tmp, (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  *cosine = 1.0;
  for (int e = 0; rc == MW_OK && e < w->n_edge; e++) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) A[i * m + j] = w->edge[e].O[i * k + j];
    rc = mw_svd(m, m, A, sv, NULL, NULL, err);
    if (rc == MW_OK) *cosine = fmin(*cosine, sv[m - 1]);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Instead of single modes the space of the n_want lowest is followed: modes by number, one cluster.
static void follow_space(work *w)
{
  int k = w->in->k;
  for (int g = 0; g < w->n_point; g++)
    for (int t = 0; t < k; t++) w->perm[g * k + t] = t;
  for (int t = 0; t < k; t++) {
    w->wanted[t] = t < w->in->n_want;
    w->label[t] = t < w->in->n_want ? 0 : k;
  }
  w->label[k] = k;
}

// Largest departure from one of a kept mode's overlap with itself, over all edges.
static void largest_jump(const work *w, mw_align *out)
{
  int k = w->in->k, m = out->m;
  size_t km = (size_t)k * (size_t)m;
  for (int i = 0; i < w->n_edge; i++) {
    const edge *e = &w->edge[i];
    const double *Qa = out->Q + (size_t)e->a * km, *Qb = out->Q + (size_t)e->b * km;
    for (int c = 0; c < m; c++) {
      double self = 0.0;
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) self += Qa[a * m + c] * e->O[a * k + b] * Qb[b * m + c];
      if (fabs(1.0 - self) <= out->largest_jump) continue;
      out->largest_jump = fabs(1.0 - self);
      out->jump_a = e->a;
      out->jump_b = e->b;
    }
  }
}

// Strongest link between the kept modes and all others, the outside included.
static double strongest_cut(const work *w, int m, const int *kept)
{
  int k = w->in->k;
  double cut = 0.0;
  for (int j = 0; j <= k; j++) {
    bool is_kept = false;
    double most = 0.0;
    for (int a = 0; a < m; a++) {
      is_kept = is_kept || kept[a] == j;
      most = fmax(most, w->link[kept[a] * (k + 1) + j]);
    }
    if (!is_kept) cut = fmax(cut, most);
  }
  return cut;
}

static mw_code keep(work *w, mw_arena *mem, mw_align *out, mw_error *err)
{
  int k = w->in->k, n = k + 1;
  mw_arena tmp = { 0 };
  int *kept = mw_arena_int(&tmp, (size_t)k), *mode = mw_arena_int(&tmp, (size_t)k);
  int *col = mw_arena_int(&tmp, (size_t)k), *inner = mw_arena_int(&tmp, (size_t)k);
  double *link = mw_arena_f64(&tmp, (size_t)k * (size_t)k);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  double cosine = 0.0;
  bool apart = separate(w);
  if (!apart) rc = space_cosine(w, &cosine, err);
  if (rc == MW_OK && !apart && w->in->spans && cosine < FAST) rc = mw_align_span(w, mem, out, err);
  if (rc != MW_OK || out->span) {
    mw_arena_free(&tmp);
    return rc;
  }
  bool space = cosine > SPACE;
  if (space) follow_space(w);
  for (int i = 0; i < k; i++) {
    bool with_wanted = false;
    for (int j = 0; j < k; j++)
      with_wanted = with_wanted || (w->wanted[j] && w->label[j] == w->label[i]);
    bool outside = w->label[i] == w->label[k];
    if (with_wanted && !outside) kept[out->m++] = i;
    out->n_dropped += w->wanted[i] && outside;
  }
  out->cut = space ? sqrt(fmax(0.0, 1.0 - cosine * cosine)) : strongest_cut(w, out->m, kept);
  if (out->m == 0) {
    mw_arena_free(&tmp);
    return mw_fail(
        err, MW_ERR_NUMERIC, MW_NOWHERE,
        "no mode can be followed over the whole grid; more modes or more grid points are needed");
  }
  // clusters among the kept ones alone
  for (int a = 0; a < out->m; a++)
    for (int b = 0; b < out->m; b++) link[a * out->m + b] = w->link[kept[a] * n + kept[b]];
  components(link, out->m, out->m, space ? -1.0 : LINK, inner);
  out->Q = mw_arena_f64(mem, (size_t)w->n_point * (size_t)k * (size_t)out->m);
  out->cluster = mw_arena_int(mem, (size_t)out->m);
  rc = mw_arena_check(mem, err);
  for (int c = 0; rc == MW_OK && c < out->m; c++) {
    if (inner[c] != c) continue;
    int n_c = 0;
    for (int a = 0; a < out->m; a++)
      if (inner[a] == c) {
        out->cluster[a] = out->n_cluster;
        mode[n_c] = kept[a];
        col[n_c++] = a;
      }
    out->n_cluster++;
    rc = mw_align_carry(w, n_c, mode, col, out, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// What of the work does not depend on how modes are followed: the comb and the overlaps along all
// edges.
static mw_code work_init(work *w, const mw_align_in *in, mw_error *err)
{
  if (in->s < 1 || in->s > MW_ALIGN_MAX_S)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d coordinates, expected 1 to %d", in->s,
                   MW_ALIGN_MAX_S);
  mw_code rc = check(in, err);
  if (rc != MW_OK) return rc;
  *w = (work){ .in = in, .n_point = 1 };
  size_t k = (size_t)in->k;
  for (int i = in->s - 1; i >= 0; i--) {
    w->stride[i] = w->n_point;
    w->root[i] = in->symmetric >> i & 1u ? in->n_grid[i] / 2 : 0;
    w->n_point *= in->n_grid[i];
  }
  size_t np = (size_t)w->n_point, s = (size_t)in->s;
  w->edge = mw_arena_alloc(&w->mem, np * s, sizeof *w->edge);
  w->edge_of = mw_arena_int(&w->mem, np * s);
  w->order = mw_arena_int(&w->mem, np);
  w->parent = mw_arena_int(&w->mem, np);
  w->parent_edge = mw_arena_int(&w->mem, np);
  w->perm = mw_arena_int(&w->mem, np * k);
  w->link = mw_arena_f64(&w->mem, (k + 1) * (k + 1));
  w->wanted = mw_arena_alloc(&w->mem, k, 1);
  w->label = mw_arena_int(&w->mem, k + 1);
  rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = build_edges(w, err);
  if (rc == MW_OK) build_comb(w);
  return rc;
}

mw_code mw_align_modes(const mw_align_in *in, mw_arena *mem, mw_align *out, mw_error *err)
{
  work w = { 0 };
  mw_align result = { .k = in->k };
  mw_code rc = work_init(&w, in, err);
  if (rc == MW_OK) rc = track(&w, err);
  for (int i = 0; rc == MW_OK && i < w.n_edge; i++) link_edge(&w, &w.edge[i]);
  if (rc == MW_OK) link_doubles(&w);
  if (rc == MW_OK) {
    mark_wanted(&w);
    rc = keep(&w, mem, &result, err);
  }
  if (rc == MW_OK) largest_jump(&w, &result);
  mw_arena_free(&w.mem);
  if (rc == MW_OK) *out = result;
  return rc;
}

mw_code mw_align_space(const mw_align_in *in, mw_arena *mem, mw_align *out, mw_error *err)
{
  work w = { 0 };
  int k = in->k;
  mw_align result = { .k = k, .m = k, .n_cluster = 1 };
  mw_code rc = work_init(&w, in, err);
  if (rc == MW_OK) {
    follow_space(&w);
    result.Q = mw_arena_f64(mem, (size_t)w.n_point * (size_t)k * (size_t)k);
    result.cluster = mw_arena_int(mem, (size_t)k);
    rc = mw_arena_check(mem, err);
  }
  if (rc == MW_OK) rc = mw_align_carry(&w, k, w.perm, w.perm, &result, err);
  if (rc == MW_OK) largest_jump(&w, &result);
  mw_arena_free(&w.mem);
  if (rc == MW_OK) *out = result;
  return rc;
}
