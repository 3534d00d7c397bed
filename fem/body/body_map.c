// SPDX-License-Identifier: BSD-3-Clause
// body_map.c: from the motions of the nodes to the unknowns of a body.
//
// Motions of the nodes become unknowns, except: supports of ground bodies (0), the slaves of a
// rigid patch with master (t, φ) at X,
//   u_k = t + φ × (X_k − X) ,   θ_k = φ                                                         (1)
// and tied nodes, u_k = Σ_j c_j u_j (body_tie.c; shells keep their rotations).
// Rigid modes in the unknowns: a translation e_k, and about the frame's origin e_k × X with
// rotation e_k. Cost O(nodes).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_layer.h"

// ε_ijk: (a × b)_i = Σ ε_ijk a_j b_k
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

void mw_body_add_motion(const mw_body_work *w, mw_triplets *P, int row, int motion, double coef)
{
  for (int p = w->ptr[motion]; p < w->ptr[motion + 1]; p++)
    mw_triplets_add(P, row, w->unknown[p], coef * w->coef[p]);
}

// Every rigid patch gets a master, its nodes know it.
static mw_code rigid_patches(mw_body_work *w, mw_error *err)
{
  const mw_body_in *in = w->in;
  w->master = mw_arena_int(&w->tmp, (size_t)w->n_node);
  w->master_attach = mw_arena_int(&w->tmp, (size_t)in->n_attach);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < w->n_node; i++) w->master[i] = -1;
  for (int k = 0; k < in->n_attach; k++) {
    const mw_attach *a = &in->attach[k];
    int n = 0;
    const int *node = NULL;
    if (a->kind != MW_ATTACH_RIGID) continue;
    rc = mw_body_find_set(w, a->set, a->at, &n, &node, err);
    if (rc == MW_OK) rc = mw_body_attach_origin(w, a, w->X + 3 * (w->n_node + w->n_master), err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < n; i++) {
      if (w->master[node[i]] >= 0)
        return mw_fail(err, MW_ERR_INPUT, a->at, "rigid patches '%s' and '%s' share a node",
                       a->name, in->attach[w->master_attach[w->master[node[i]]]].name);
      w->master[node[i]] = w->n_master;
    }
    w->master_attach[w->n_master++] = k;
  }
  return MW_OK;
}

static mw_code fix_nodes(mw_body_work *w, mw_error *err)
{
  const mw_body_in *in = w->in;
  w->fixed = mw_arena_alloc(&w->tmp, (size_t)w->n_node * (size_t)w->dof, 1);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  if (in->ground && in->n_support == 0 && !in->matrices)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "body '%s' is on the ground but has no supports, nothing holds it", in->name);
  if (!in->ground && in->n_support > 0)
    return mw_fail(err, MW_ERR_INPUT, in->support[0].at,
                   "body '%s' has supports, which only a ground body can have", in->name);
  for (int k = 0; k < in->n_support; k++) {
    const mw_support *s = &in->support[k];
    int n = 0;
    const int *node = NULL;
    rc = mw_body_find_set(w, s->set, s->at, &n, &node, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; i < n; i++) {
      if (w->master[node[i]] >= 0)
        return mw_fail(err, MW_ERR_INPUT, s->at, "support '%s' shares a node with rigid patch '%s'",
                       s->set, in->attach[w->master_attach[w->master[node[i]]]].name);
      for (int c = 0; c < w->dof; c++)
        if (s->dof[c]) w->fixed[node[i] * w->dof + c] = 1;
    }
  }
  return MW_OK;
}

static void map_push(mw_body_work *w, int *nz, int unknown, double coef)
{
  w->unknown[*nz] = unknown;
  w->coef[(*nz)++] = coef;
}

static bool is_tied(const mw_body_work *w, int node)
{
  return node < w->n_node && w->tie_ptr && w->tie_ptr[node + 1] > w->tie_ptr[node];
}

// motion `i` of a node is an unknown of its own
static bool is_own(const mw_body_work *w, int i)
{
  int node = i / w->dof, c = i % w->dof;
  return w->live[i] && w->master[node] < 0 && !w->fixed[i] && !(c < 3 && is_tied(w, node));
}

// (1): motion c of slave `node` in the unknowns of its master
static void map_slave(mw_body_work *w, int node, int c, const int *first, int *nz)
{
  int m = w->master[node], base = first[m];
  map_push(w, nz, base + c, 1.0);
  for (int j = 0; j < 3 && c < 3; j++)
    for (int k = 0; k < 3; k++)
      if (j != c && k != c && j != k)
        map_push(w, nz, base + 3 + j,
                 levi(c, j, k) * (w->X[3 * node + k] - w->X[3 * (w->n_node + m) + k]));
}

// Entries of motion i's row: 1 own, up to 3 of a slave, and for a tied node those of its masters.
static int row_length(const mw_body_work *w, int i)
{
  int node = i / w->dof, c = i % w->dof;
  if (i >= w->n_node * w->dof) return 1;
  if (!w->live[i]) return 0;
  if (w->master[node] >= 0) return c < 3 ? 3 : 1;
  if (c >= 3 || !is_tied(w, node)) return is_own(w, i);
  int n = 0;
  for (int k = w->tie_ptr[node]; k < w->tie_ptr[node + 1]; k++)
    n += row_length(w, w->tie_node[k] * w->dof + c);
  return n;
}

// tied motions copy the rows of what they follow, all of which stand
static void map_tied(mw_body_work *w, int i)
{
  int node = i / w->dof, c = i % w->dof, nz = w->ptr[i];
  for (int k = w->tie_ptr[node]; k < w->tie_ptr[node + 1]; k++) {
    int j = w->tie_node[k] * w->dof + c;
    for (int p = w->ptr[j]; p < w->ptr[j + 1]; p++)
      map_push(w, &nz, w->unknown[p], w->tie_coef[k] * w->coef[p]);
  }
}

static mw_code map_motions(mw_body_work *w, mw_error *err)
{
  w->n_motion = w->n_node * w->dof + 6 * w->n_master;
  size_t n = (size_t)w->n_motion;
  int n_own = 0, next = 0, *first = mw_arena_int(&w->tmp, (size_t)w->n_master);
  w->ptr = mw_arena_int(&w->tmp, n + 1);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < w->n_motion; i++) w->ptr[i + 1] = w->ptr[i] + row_length(w, i);
  w->unknown = mw_arena_int(&w->tmp, (size_t)w->ptr[n]);
  w->coef = mw_arena_f64(&w->tmp, (size_t)w->ptr[n]);
  rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  // masters are numbered after the nodes
  for (int i = 0; i < w->n_node * w->dof; i++) n_own += is_own(w, i);
  for (int m = 0; m < w->n_master; m++) first[m] = n_own + 6 * m;
  for (int i = 0; i < w->n_motion; i++) {
    int node = i / w->dof, nz = w->ptr[i];
    if (i >= w->n_node * w->dof)
      map_push(w, &nz, n_own + i - w->n_node * w->dof, 1.0);
    else if (w->live[i] && w->master[node] >= 0)
      map_slave(w, node, i % w->dof, first, &nz);
    else if (is_own(w, i))
      map_push(w, &nz, next++, 1.0);
  }
  for (int i = 0; i < w->n_node * w->dof; i++)
    if (i % w->dof < 3 && w->live[i] && is_tied(w, i / w->dof)) map_tied(w, i);
  w->n_u = n_own + 6 * w->n_master;
  if (w->n_u == 0)
    return mw_fail(err, MW_ERR_INPUT, w->in->at, "body '%s' has all its nodes fixed, make it rigid",
                   w->in->name);
  return MW_OK;
}

// r [6]: motion c of a node at X under the rigid modes
static void rigid_row(const double X[3], int c, double r[6])
{
  for (int j = 0; j < 3; j++) {
    r[j] = j == c;
    r[3 + j] = j == c - 3;
    for (int k = 0; k < 3 && c < 3; k++) r[3 + j] += levi(c, j, k) * X[k];
  }
}

mw_code mw_body_rigid_modes(const mw_body_work *w, mw_body *out, mw_error *err)
{
  out->R = mw_arena_f64(w->mem, 6 * (size_t)w->n_u);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < w->n_motion; i++) {
    bool of_node = i < w->n_node * w->dof;
    int k = i - w->n_node * w->dof, node = of_node ? i / w->dof : w->n_node + k / 6;
    if (of_node && !is_own(w, i)) continue;
    rigid_row(w->X + 3 * node, of_node ? i % w->dof : k % 6,
              out->R + 6 * (size_t)w->unknown[w->ptr[i]]);
  }
  return MW_OK;
}

// A ground body must be held: the fixed motions of the six rigid modes (about a support, lengths
// over the size).
static mw_code check_held(const mw_body_work *w, mw_error *err)
{
  double G[36] = { 0 }, lambda[6], V[36];
  const double *X0 = NULL;
  int n_free = 0;
  for (int i = 0; i < w->n_node * w->dof; i++) {
    double r[6], d[3];
    if (!w->fixed[i]) continue;
    if (X0 == NULL) X0 = w->X + 3 * (i / w->dof);
    for (int c = 0; c < 3; c++) d[c] = (w->X[3 * (i / w->dof) + c] - X0[c]) / w->size;
    rigid_row(d, i % w->dof, r);
    for (int j = 0; j < 36; j++) G[j] += r[j / 6] * r[j % 6];
  }
  mw_code rc = mw_eig_sym(6, G, lambda, V, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < 6; j++)
    n_free += lambda[j] < 1e-12;  // squares of relative distances above 1e-6
  if (n_free == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, w->in->support[0].at,
                 "the supports of body '%s' leave %d rigid motions free", w->in->name, n_free);
}

static int find_root(int *parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(int *parent, int i, int j)
{
  int a = find_root(parent, i), b = find_root(parent, j);
  if (a != b) parent[a > b ? a : b] = a < b ? a : b;
}

static void join_elements(const mw_body_work *w, int *parent)
{
  for (int k = 0; k < w->n_elem; k++) join(parent, w->elem[2 * k], w->elem[2 * k + 1]);
  for (int e = 0; w->mesh && e < w->mesh->n_elem; e++)
    for (int k = w->mesh->elem_ptr[e]; k < w->mesh->elem_ptr[e + 1]; k++)
      join(parent, w->mesh->elem_node[k], w->mesh->elem_node[w->mesh->elem_ptr[e]]);
}

// The frame's nodes hang together with its number in `parent`.
static mw_code join_frame(mw_body_work *w, int attach, int *parent, int id, mw_error *err)
{
  const mw_attach *a = &w->in->attach[attach];
  int n = 1, one = 0;
  const int *node = &one;
  if (a->kind == MW_ATTACH_POINT) return MW_OK;
  mw_code rc = a->set ? mw_body_find_set(w, a->set, a->at, &n, &node, err)
                      : mw_body_find_node(w, a->x, a->at, &one, err);
  for (int i = 0; i < n && rc == MW_OK; i++) join(parent, node[i], id);
  return rc;
}

// All pieces of a free body hang together (through shared nodes, rigid patches, ties, bushings),
// each piece of a ground body is held.
static mw_code check_connected(mw_body_work *w, mw_error *err)
{
  const mw_body_in *in = w->in;
  int n = w->n_node + w->n_master, total = n + in->n_bushing, pieces = 0;
  int *parent = mw_arena_int(&w->tmp, (size_t)total);
  char *held = mw_arena_alloc(&w->tmp, (size_t)total, 1);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK || in->matrices) return rc;
  for (int i = 0; i < total; i++) parent[i] = i;
  join_elements(w, parent);
  for (int i = 0; i < w->n_node; i++) {
    if (w->master[i] >= 0) join(parent, i, w->n_node + w->master[i]);
    for (int k = w->tie_ptr ? w->tie_ptr[i] : 0; w->tie_ptr && k < w->tie_ptr[i + 1]; k++)
      join(parent, i, w->tie_node[k]);
  }
  for (int k = 0; k < in->n_bushing && rc == MW_OK; k++) {
    rc = join_frame(w, in->bushing[k].a, parent, n + k, err);
    if (rc == MW_OK) rc = join_frame(w, in->bushing[k].b, parent, n + k, err);
  }
  if (rc != MW_OK) return rc;
  for (int i = 0; i < w->n_node * w->dof; i++)
    if (w->fixed[i]) held[find_root(parent, i / w->dof)] = 1;
  for (int i = 0; i < w->n_node; i++)
    pieces += w->used[i] && find_root(parent, i) == i && !(in->ground && held[i]);
  if (pieces <= (in->ground ? 0 : 1)) return MW_OK;
  if (in->ground)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "%d pieces of body '%s' are held by no support, they must share nodes, a tie, a "
                   "rigid patch or a bushing with one that is",
                   pieces, in->name);
  return mw_fail(err, MW_ERR_INPUT, in->at,
                 "body '%s' falls into %d pieces, they must share nodes, a tie, a rigid patch or a "
                 "bushing",
                 in->name, pieces);
}

mw_code mw_body_map(mw_body_work *w, mw_error *err)
{
  mw_code rc = rigid_patches(w, err);
  if (rc == MW_OK) rc = fix_nodes(w, err);
  if (rc == MW_OK) rc = mw_body_ties(w, err);
  if (rc == MW_OK && w->in->ground && !w->in->matrices) rc = check_held(w, err);
  if (rc == MW_OK) rc = check_connected(w, err);
  return rc == MW_OK ? map_motions(w, err) : rc;
}
