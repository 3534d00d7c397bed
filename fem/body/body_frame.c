// SPDX-License-Identifier: BSD-3-Clause
// body_frame.c: attachment frames as six functionals of the unknowns, translation t and rotation r.
//
//   node      beams: the node's own motions; mesh: its t, r by (1) over the nodes of its elements
//   rigid     the master of the rigid patch
//   average   with d_k = X_k − X̄ of the n nodes of the set and the frame's origin X:
//               r = A⁻¹ Σ d_k × u_k ,  A = Σ |d_k|² 1 − d_k d_kᵀ ,
//               t = (1/n) Σ u_k + r × (X − X̄)                                                  (1)
//   point     of a rigid body, or of a ground body's fixed frame: no functionals
// A rigid motion u = v + ω × X gives t = v + ω × X and r = ω exactly.
#include <string.h>

#include "base/vec3.h"
#include "body_layer.h"

static const double COLLINEAR =
    1e-10;  // det A / tr³ A below: nodes within 1e-5 of their length on a line

// rows r (z + 3 ...) of (1); Ainv [9], mean [3]
static mw_code mean_rotation(const mw_body_work *w, const mw_attach *a, int n, const int *node,
                             double mean[3], double Ainv[9], mw_error *err)
{
  double A[9] = { 0 }, c[3];
  memset(mean, 0, 3 * sizeof *mean);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < 3; i++) mean[i] += w->X[3 * node[k] + i] / n;
  for (int k = 0; k < n; k++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = w->X[3 * node[k] + i] - mean[i];
    double dd = mw_dot3(d, d);
    for (int i = 0; i < 9; i++) A[i] += (i % 4 == 0 ? dd : 0.0) - d[i / 3] * d[i % 3];
  }
  mw_cross3(A + 3, A + 6, c);
  double det = mw_dot3(A, c), tr = A[0] + A[4] + A[8];
  if (!(det > COLLINEAR * tr * tr * tr))
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "frame '%s': the %d nodes of '%s' lie on a line, they define no rotation",
                   a->name, n, a->set ? a->set : "the node's elements");
  for (int i = 0; i < 3; i++) {
    mw_cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), c);
    for (int j = 0; j < 3; j++) Ainv[3 * j + i] = c[j] / det;
  }
  return MW_OK;
}

// Adds (1): rotation rows z + 3.., and with translation the rows z..z+2 for origin X.
static mw_code add_average(const mw_body_work *w, const mw_attach *a, int n, const int *node,
                           const double X[3], bool translation, int z, mw_triplets *P,
                           mw_error *err)
{
  double mean[3], Ainv[9], D[3];
  mw_code rc = mean_rotation(w, a, n, node, mean, Ainv, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3; i++) D[i] = X[i] - mean[i];
  for (int k = 0; k < n; k++) {
    int m = mw_body_motion(w, node[k]);
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = w->X[3 * node[k] + i] - mean[i];
    for (int c = 0; c < 3; c++) {
      double e[3] = { c == 0, c == 1, c == 2 }, r[3], t[3];
      mw_cross3(d, e, r);
      mw_mul33v(Ainv, r, r);
      mw_cross3(r, D, t);
      for (int i = 0; i < 3; i++) mw_body_add_motion(w, P, z + 3 + i, m + c, r[i]);
      for (int i = 0; i < 3 && translation; i++)
        mw_body_add_motion(w, P, z + i, m + c, t[i] + e[i] / n);
    }
  }
  return MW_OK;
}

// the nodes of all elements that share `node` (foreign matrices: that couple with it), ascending
static mw_code neighbours(mw_body_work *w, int node, int *n, int **out, mw_error *err)
{
  char *near = mw_arena_alloc(&w->tmp, (size_t)w->n_node, 1);
  const mw_mesh *m = w->mesh;
  *out = mw_arena_int(&w->tmp, (size_t)w->n_node);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int e = 0; m && e < m->n_elem; e++) {
    bool has = false;
    for (int k = m->elem_ptr[e]; k < m->elem_ptr[e + 1]; k++) has |= m->elem_node[k] == node;
    for (int k = m->elem_ptr[e]; k < m->elem_ptr[e + 1] && has; k++) near[m->elem_node[k]] = 1;
  }
  if (w->matrices) mw_body_matrix_near(w, node, near);
  *n = 0;
  for (int i = 0; i < w->n_node; i++)
    if (near[i]) (*out)[(*n)++] = i;
  return MW_OK;
}

// A node with rotations of its own; else a frame's rotation is the mean of its elements' nodes.
static bool turns(const mw_body_work *w, int node)
{
  return w->dof == 6 && w->live[6 * node + 3] && w->live[6 * node + 4] && w->live[6 * node + 5];
}

static mw_code node_frame(mw_body_work *w, const mw_attach *a, int z, mw_frame *f, mw_triplets *P,
                          mw_error *err)
{
  int node = 0, n = 0;
  const int *set = NULL;
  int *near = NULL;
  mw_code rc;
  if (a->set != NULL) {
    rc = mw_body_find_set(w, a->set, a->at, &n, &set, err);
    if (rc == MW_OK && n > 1)
      return mw_fail(err, MW_ERR_INPUT, a->at,
                     "frame '%s': '%s' has %d nodes, expected one (use rigid or average)", a->name,
                     a->set, n);
    if (rc == MW_OK) node = set[0];
  } else {
    rc = mw_body_find_node(w, a->x, a->at, &node, err);
  }
  if (rc != MW_OK) return rc;
  memcpy(f->X, w->X + 3 * node, sizeof f->X);
  for (int c = 0; c < (turns(w, node) ? 6 : 3); c++)
    mw_body_add_motion(w, P, z + c, mw_body_motion(w, node) + c, 1.0);
  if (turns(w, node)) return MW_OK;
  rc = neighbours(w, node, &n, &near, err);
  return rc == MW_OK ? add_average(w, a, n, near, f->X, false, z, P, err) : rc;
}

static mw_code rigid_frame(const mw_body_work *w, int k, int z, mw_frame *f, mw_triplets *P)
{
  for (int m = 0; m < w->n_master; m++) {
    if (w->master_attach[m] != k) continue;
    memcpy(f->X, w->X + 3 * (w->n_node + m), sizeof f->X);
    for (int c = 0; c < 6; c++)
      mw_body_add_motion(w, P, z + c, mw_body_motion(w, w->n_node + m) + c, 1.0);
  }
  return MW_OK;
}

static mw_code average_frame(mw_body_work *w, const mw_attach *a, int z, mw_frame *f,
                             mw_triplets *P, mw_error *err)
{
  int n = 0;
  const int *node = NULL;
  if (a->mass != 0.0)
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "frame '%s' carries a mass, which needs a node or a rigid patch", a->name);
  mw_code rc = mw_body_find_set(w, a->set, a->at, &n, &node, err);
  if (rc == MW_OK) rc = mw_body_attach_origin(w, a, f->X, err);
  return rc == MW_OK ? add_average(w, a, n, node, f->X, true, z, P, err) : rc;
}

static mw_code elastic_frame(mw_body_work *w, int k, int z, mw_frame *f, mw_triplets *P,
                             mw_error *err)
{
  const mw_attach *a = &w->in->attach[k];
  if (a->kind == MW_ATTACH_NODE) return node_frame(w, a, z, f, P, err);
  if (a->kind == MW_ATTACH_RIGID) return rigid_frame(w, k, z, f, P);
  return average_frame(w, a, z, f, P, err);
}

// ∫ρ r rᵀ = ½ tr(I) 1 − I of what the frame carries
static void carried(const mw_attach *a, mw_frame *f)
{
  const double *I = a->inertia, half = 0.5 * (I[0] + I[1] + I[2]);
  const double J[9] = { half - I[0], -I[3], -I[4], -I[3],      half - I[1],
                        -I[5],       -I[4], -I[5], half - I[2] };
  memcpy(f->J, J, sizeof J);
  for (int i = 0; i < 6; i++) f->heavy = f->heavy || I[i] != 0.0;
}

mw_code mw_body_frames(mw_body_work *w, mw_triplets *P, mw_body *out, mw_error *err)
{
  const mw_body_in *in = w->in;
  out->n_frame = in->n_attach;
  out->frame = mw_arena_alloc(w->mem, (size_t)in->n_attach, sizeof *out->frame);
  mw_code rc = mw_arena_check(w->mem, err);
  for (int k = 0; k < in->n_attach && rc == MW_OK; k++) {
    const mw_attach *a = &in->attach[k];
    mw_frame *f = &out->frame[k];
    f->name = a->name;
    f->z = -1;
    memcpy(f->X, a->x, sizeof f->X);
    if (a->kind == MW_ATTACH_POINT) {
      if (!in->rigid && !in->ground)
        rc = mw_fail(err, MW_ERR_INPUT, a->at,
                     "frame '%s' of elastic body '%s' is a bare point, expected %s", a->name,
                     in->name, "a node, a rigid patch or an average");
      continue;
    }
    if (in->rigid)
      return mw_fail(err, MW_ERR_INPUT, a->at, "frame '%s' of rigid body '%s' must be a point",
                     a->name, in->name);
    f->z = out->n_z;
    out->n_z += 6;
    rc = elastic_frame(w, k, f->z, f, P, err);
    carried(a, f);
  }
  return rc;
}
