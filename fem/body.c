// SPDX-License-Identifier: BSD-3-Clause
// body.c: builds a body of the model: rigid mass properties, or nodes, unknowns and the assembled
// elements.
//
// Motions of the nodes become unknowns, except: supports of ground bodies (0) and the slaves of a
// rigid patch with master (t, φ) at X,
//   u_k = t + φ × (X_k − X) ,   θ_k = φ                                                         (1)
// Rigid modes in the unknowns: a translation e_k, and about the frame's origin e_k × X with
// rotation e_k. Cost O(elements).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_priv.h"

// ε_ijk: (a × b)_i = Σ ε_ijk a_j b_k
static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

void mw_body_add_motion(const mw_body_work *w, mw_triplets *P, int row, int motion, double coef)
{
  for (int p = w->ptr[motion]; p < w->ptr[motion + 1]; p++)
    mw_triplets_add(P, row, w->unknown[p], coef * w->coef[p]);
}

// Beam nodes: the named points, then the inner nodes of each member.
static mw_code beam_nodes(mw_body_work *w, mw_error *err)
{
  const mw_body_in *in = w->in;
  w->dof = 6;
  w->n_node = in->n_point;
  for (int k = 0; k < in->n_member; k++) {
    w->n_node += in->member[k].n_elem - 1;
    w->n_elem += in->member[k].n_elem;
  }
  w->X = mw_arena_f64(&w->tmp, 3 * (size_t)(w->n_node + in->n_attach));
  w->used = mw_arena_alloc(&w->tmp, (size_t)w->n_node, 1);
  w->elem = mw_arena_int(&w->tmp, 2 * (size_t)w->n_elem);
  w->elem_member = mw_arena_int(&w->tmp, (size_t)w->n_elem);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < in->n_point; k++) memcpy(w->X + 3 * k, in->point[k].x, sizeof in->point[k].x);
  int node = in->n_point, e = 0;
  for (int k = 0; k < in->n_member; k++) {
    const mw_member *mb = &in->member[k];
    const double *a = in->point[mb->from].x, *b = in->point[mb->to].x;
    int last = mb->from;
    for (int i = 1; i <= mb->n_elem; i++, e++) {
      int next = i == mb->n_elem ? mb->to : node++;
      double f = (double)i / mb->n_elem;
      for (int c = 0; c < 3 && i < mb->n_elem; c++) w->X[3 * next + c] = a[c] + f * (b[c] - a[c]);
      w->elem[2 * e] = last;
      w->elem[2 * e + 1] = next;
      w->elem_member[e] = k;
      w->used[last] = w->used[next] = 1;
      last = next;
    }
  }
  return MW_OK;
}

static mw_code mesh_nodes(mw_body_work *w, mw_error *err)
{
  w->solid = true;
  w->dof = 3;
  mw_code rc = mw_mesh_read(w->in->mesh, w->in->mesh_scale, &w->tmp, &w->mesh, err);
  if (rc == MW_OK) rc = mw_mesh_check(&w->mesh, w->in->mesh, err);
  if (rc != MW_OK) return rc;
  w->n_node = w->mesh.n_node;
  w->X = mw_arena_f64(&w->tmp, 3 * (size_t)(w->n_node + w->in->n_attach));
  w->used = mw_arena_alloc(&w->tmp, (size_t)w->n_node, 1);
  rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(w->X, w->mesh.x, 3 * (size_t)w->n_node * sizeof(double));
  memset(w->used, 1, (size_t)w->n_node);
  return MW_OK;
}

static void measure(mw_body_work *w)
{
  double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY };
  for (int k = 0; k < 3 * w->n_node; k++) {
    if (!w->used[k / 3]) continue;
    lo[k % 3] = fmin(lo[k % 3], w->X[k]);
    hi[k % 3] = fmax(hi[k % 3], w->X[k]);
  }
  double d[3] = { hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2] };
  w->size = mw_norm3(d);
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
  if (in->ground && in->n_support == 0)
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

// (1): motion c of slave `node` in the unknowns of its master
static void map_slave(mw_body_work *w, int node, int c, const int *first, int *nz)
{
  int m = w->master[node], base = first[m];
  if (c >= 3) {
    map_push(w, nz, base + c, 1.0);
    return;
  }
  map_push(w, nz, base + c, 1.0);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      if (j != c && k != c && j != k)
        map_push(w, nz, base + 3 + j,
                 levi(c, j, k) * (w->X[3 * node + k] - w->X[3 * (w->n_node + m) + k]));
}

static mw_code map_motions(mw_body_work *w, mw_error *err)
{
  w->n_motion = w->n_node * w->dof + 6 * w->n_master;
  size_t n = (size_t)w->n_motion;
  int nz = 0, *first = mw_arena_int(&w->tmp, (size_t)w->n_master);
  w->ptr = mw_arena_int(&w->tmp, n + 1);
  w->unknown = mw_arena_int(&w->tmp, 3 * n);
  w->coef = mw_arena_f64(&w->tmp, 3 * n);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  // masters are numbered after the nodes
  for (int i = 0; i < w->n_node * w->dof; i++)
    w->n_u += w->used[i / w->dof] && w->master[i / w->dof] < 0 && !w->fixed[i];
  for (int m = 0; m < w->n_master; m++) first[m] = w->n_u + 6 * m;
  int next = 0;
  for (int i = 0; i < w->n_motion; i++) {
    int node = i / w->dof;
    if (i >= w->n_node * w->dof)
      map_push(w, &nz, w->n_u + i - w->n_node * w->dof, 1.0);
    else if (w->master[node] >= 0)
      map_slave(w, node, i % w->dof, first, &nz);
    else if (w->used[node] && !w->fixed[i])
      map_push(w, &nz, next++, 1.0);
    w->ptr[i + 1] = nz;
  }
  w->n_u += 6 * w->n_master;
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

static mw_code rigid_modes(const mw_body_work *w, mw_body *out, mw_error *err)
{
  out->R = mw_arena_f64(w->mem, 6 * (size_t)w->n_u);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  for (int node = 0; node < w->n_node + w->n_master; node++) {
    bool slave = node < w->n_node && w->master[node] >= 0;
    for (int c = 0, m = mw_body_motion(w, node); c < (node < w->n_node ? w->dof : 6); c++, m++)
      if (!slave && w->ptr[m + 1] > w->ptr[m])
        rigid_row(w->X + 3 * node, c, out->R + 6 * (size_t)w->unknown[w->ptr[m]]);
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

// All elements of a free body hang together (through shared nodes or rigid patches).
static mw_code check_connected(mw_body_work *w, mw_error *err)
{
  int n = w->n_node + w->n_master, pieces = 0, *parent = mw_arena_int(&w->tmp, (size_t)n);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK || w->in->ground) return rc;
  for (int i = 0; i < n; i++) parent[i] = i;
  for (int k = 0; k < w->n_elem; k++) join(parent, w->elem[2 * k], w->elem[2 * k + 1]);
  for (int k = 0; k < 10 * w->mesh.n_tet; k++)
    join(parent, w->mesh.tet[k], w->mesh.tet[k - k % 10]);
  for (int i = 0; i < w->n_node; i++)
    if (w->master[i] >= 0) join(parent, i, w->n_node + w->master[i]);
  for (int i = 0; i < w->n_node; i++) pieces += w->used[i] && find_root(parent, i) == i;
  if (pieces <= 1) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, w->in->at,
                 "body '%s' falls into %d pieces, they must share nodes or a rigid patch",
                 w->in->name, pieces);
}

// nodes, their displacement, edges and surface triangles
static mw_code pictures(mw_body_work *w, mw_body *out, mw_error *err)
{
  mw_triplets N = { 0 };
  out->n_node = w->n_node;
  out->n_edge = w->n_elem;
  out->n_tri = w->mesh.n_tri;
  out->X = mw_arena_f64(w->mem, 3 * (size_t)w->n_node);
  out->edge = mw_arena_int(w->mem, 2 * (size_t)w->n_elem);
  out->tri = mw_arena_int(w->mem, 3 * (size_t)w->mesh.n_tri);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->X, w->X, 3 * (size_t)w->n_node * sizeof(double));
  if (w->n_elem > 0) memcpy(out->edge, w->elem, 2 * (size_t)w->n_elem * sizeof(int));
  for (int k = 0; k < 3 * w->mesh.n_tri; k++) out->tri[k] = w->mesh.tri[6 * (k / 3) + k % 3];
  for (int i = 0; i < 3 * w->n_node; i++)
    mw_body_add_motion(w, &N, i, mw_body_motion(w, i / 3) + i % 3, 1.0);
  rc = mw_csc_build(&N, 3 * w->n_node, w->n_u, false, w->mem, &out->N, err);
  mw_triplets_free(&N);
  return rc;
}

static mw_code interface(mw_body_work *w, mw_body *out, mw_error *err)
{
  mw_triplets P = { 0 };
  mw_code rc = mw_body_frames(w, &P, out, err);
  if (rc == MW_OK) rc = mw_body_guides(w, &P, out, err);
  if (rc == MW_OK) rc = mw_csc_build(&P, out->n_z, out->n_u, false, w->mem, &out->P, err);
  mw_triplets_free(&P);
  return rc;
}

static mw_code build_elastic(mw_body_work *w, mw_body *out, mw_error *err)
{
  const mw_body_in *in = w->in;
  if (in->mesh != NULL && in->n_member > 0)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "body '%s' has beams and a mesh, make two bodies and join them", in->name);
  if (in->mesh == NULL && in->n_member == 0)
    return mw_fail(err, MW_ERR_INPUT, in->at, "body '%s' has no rigid, mesh or beams", in->name);
  mw_code rc = in->mesh != NULL ? mesh_nodes(w, err) : beam_nodes(w, err);
  if (rc != MW_OK) return rc;
  measure(w);
  rc = rigid_patches(w, err);
  if (rc == MW_OK) rc = fix_nodes(w, err);
  if (rc == MW_OK && in->ground) rc = check_held(w, err);
  if (rc == MW_OK) rc = check_connected(w, err);
  if (rc == MW_OK) rc = map_motions(w, err);
  if (rc != MW_OK) return rc;
  out->n_u = w->n_u;
  rc = mw_body_assemble(w, out, err);
  if (rc == MW_OK && !in->ground) rc = rigid_modes(w, out, err);
  if (rc == MW_OK) rc = interface(w, out, err);
  if (rc == MW_OK) rc = pictures(w, out, err);
  return rc;
}

// J = ∫ρ X Xᵀ from the inertia tensor about the centre of mass: ½ tr(I) 1 − I + m c cᵀ
static mw_code build_rigid(mw_body_work *w, mw_body *out, mw_error *err)
{
  const mw_body_in *in = w->in;
  const double *t = in->inertia, *c = in->com, half = 0.5 * (t[0] + t[1] + t[2]);
  double I[9] = { t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2] };
  if (in->n_support > 0)
    return mw_fail(err, MW_ERR_INPUT, in->support[0].at,
                   "body '%s' is rigid and cannot have supports", in->name);
  out->m = in->mass;
  for (int i = 0; i < 3; i++) out->mX[i] = in->mass * c[i];
  for (int i = 0; i < 9; i++)
    out->J[i] = (i % 4 == 0 ? half : 0.0) - I[i] + in->mass * c[i / 3] * c[i % 3];
  return interface(w, out, err);
}

mw_code mw_body_build(const mw_model *model, int b, mw_arena *mem, mw_body *out, mw_error *err)
{
  const mw_body_in *in = &model->body[b];
  mw_body_work w = { .model = model, .in = in, .mem = mem };
  mw_body body = { .name = in->name,
                   .at = in->at,
                   .ground = in->ground,
                   .gravity = in->gravity,
                   .alpha = in->alpha,
                   .beta = in->beta };
  mw_code rc = in->rigid ? build_rigid(&w, &body, err) : build_elastic(&w, &body, err);
  mw_arena_free(&w.tmp);
  if (rc == MW_OK) *out = body;
  return rc;
}
