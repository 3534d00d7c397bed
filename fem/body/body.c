// SPDX-License-Identifier: BSD-3-Clause
// body.c: builds a body of the model: rigid mass properties, or nodes, unknowns and the assembled
// elements.
//
// An elastic body is made of beams, of a mesh (a file, or what gmsh makes of a CAD file), or of the
// matrices of another program. In this order: nodes; node sets; rigid patches, ties and supports,
// hence the unknowns (body_map.c); the interface z = P u; K and the mass moments. Cost O(elements).
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "body_layer.h"
#include "fem/cad.h"

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
  w->live = mw_arena_alloc(&w->tmp, 6 * (size_t)w->n_node, 1);
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
      memset(w->live + 6 * last, 1, 6);
      memset(w->live + 6 * next, 1, 6);
      last = next;
    }
  }
  return MW_OK;
}

// the file of the mesh: the user's, or the one made of the CAD file
static mw_code read_mesh(mw_body_work *w, mw_error *err)
{
  const char *path = w->in->mesh;
  double scale = w->in->mesh_scale;
  w->mesh = mw_arena_alloc(w->mem, 1, sizeof *w->mesh);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc == MW_OK && w->in->cad) {
    w->cad = mw_arena_alloc(w->mem, 1, sizeof *w->cad);
    rc = mw_arena_check(w->mem, err);
    if (rc == MW_OK) rc = mw_cad_mesh(w->in, w->mem, &path, w->cad, err);
    scale = 1.0;
  }
  if (rc == MW_OK) rc = mw_mesh_read(path, scale, w->mem, w->mesh, err);
  return rc == MW_OK ? mw_mesh_check(w->mesh, err) : rc;
}

static mw_code mesh_nodes(mw_body_work *w, mw_error *err)
{
  mw_code rc = read_mesh(w, err);
  if (rc != MW_OK) return rc;
  const mw_mesh *m = w->mesh;
  w->dof = 3;
  for (int e = 0; e < m->n_elem; e++)
    if (mw_elem_info_of((mw_elem_kind)m->elem_kind[e])->dof == 6) w->dof = 6;
  w->n_node = m->n_node;
  w->tag = m->tag;
  w->X = mw_arena_f64(&w->tmp, 3 * (size_t)(w->n_node + w->in->n_attach));
  w->used = mw_arena_alloc(&w->tmp, (size_t)w->n_node, 1);
  w->live = mw_arena_alloc(&w->tmp, (size_t)w->n_node * (size_t)w->dof, 1);
  rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(w->X, m->x, 3 * (size_t)w->n_node * sizeof(double));
  memset(w->used, 1, (size_t)w->n_node);
  for (int e = 0; e < m->n_elem; e++) {
    int dof = mw_elem_info_of((mw_elem_kind)m->elem_kind[e])->dof;
    for (int k = m->elem_ptr[e]; k < m->elem_ptr[e + 1]; k++)
      memset(w->live + (size_t)w->dof * (size_t)m->elem_node[k], 1, (size_t)dof);
  }
  return mw_body_parts(w, err);
}

static void measure(mw_body_work *w)
{
  for (int c = 0; c < 3; c++) w->lo[c] = INFINITY, w->hi[c] = -INFINITY;
  for (int k = 0; k < 3 * w->n_node; k++) {
    if (!w->used[k / 3]) continue;
    w->lo[k % 3] = fmin(w->lo[k % 3], w->X[k]);
    w->hi[k % 3] = fmax(w->hi[k % 3], w->X[k]);
  }
  double d[3] = { w->hi[0] - w->lo[0], w->hi[1] - w->lo[1], w->hi[2] - w->lo[2] };
  w->size = mw_norm3(d);
}

// corner triangles of the faces of solids and of the shells; out [3 × n] or NULL: their number
static int triangles(const mw_mesh *m, int *out)
{
  int n = 0, node[8];
  for (int k = 0; k < m->n_face + m->n_elem; k++) {
    int corners = 0;
    if (k < m->n_face) {
      const mw_elem_info *i = mw_elem_info_of((mw_elem_kind)m->elem_kind[m->face_elem[k]]);
      corners = i->face_corner[m->face_side[k]];
      mw_mesh_face(m, k, node);
    } else {
      int e = k - m->n_face;
      const mw_elem_info *i = mw_elem_info_of((mw_elem_kind)m->elem_kind[e]);
      if (i->dim == 2) corners = i->n_node;
      for (int c = 0; c < corners; c++) node[c] = m->elem_node[m->elem_ptr[e] + c];
    }
    for (int c = 2; c < corners; c++, n++) {
      if (!out) continue;
      out[3 * n] = node[0];
      out[3 * n + 1] = node[c - 1];
      out[3 * n + 2] = node[c];
    }
  }
  return n;
}

// nodes, their displacement, edges, surface triangles, and the mesh itself
static mw_code pictures(mw_body_work *w, mw_body *out, mw_error *err)
{
  mw_triplets N = { 0 };
  out->n_node = w->n_node;
  out->n_edge = w->n_elem;
  out->n_tri = w->mesh ? triangles(w->mesh, NULL) : 0;
  out->X = mw_arena_f64(w->mem, 3 * (size_t)w->n_node);
  out->edge = mw_arena_int(w->mem, 2 * (size_t)w->n_elem);
  out->tri = mw_arena_int(w->mem, 3 * (size_t)out->n_tri);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->X, w->X, 3 * (size_t)w->n_node * sizeof(double));
  if (w->n_elem > 0) memcpy(out->edge, w->elem, 2 * (size_t)w->n_elem * sizeof(int));
  if (w->mesh) triangles(w->mesh, out->tri);
  out->mesh = w->mesh;
  out->part_material = w->part_material;
  out->part_thickness = w->part_thickness;
  out->cad = w->cad;
  for (int i = 0; i < 3 * w->n_node; i++)
    mw_body_add_motion(w, &N, i, mw_body_motion(w, i / 3) + i % 3, 1.0);
  rc = mw_csc_build(&N, 3 * w->n_node, w->n_u, false, w->mem, &out->N, err);
  mw_triplets_free(&N);
  if (rc != MW_OK || !w->mesh || w->dof != 6) return rc;
  for (int i = 0; i < 3 * w->n_node; i++)
    mw_body_add_motion(w, &N, i, mw_body_motion(w, i / 3) + 3 + i % 3, 1.0);
  rc = mw_csc_build(&N, 3 * w->n_node, w->n_u, false, w->mem, &out->Nr, err);
  mw_triplets_free(&N);
  return rc;
}

// frames, guides and gauges as rows of P; bushings between the frames
static mw_code interface(mw_body_work *w, mw_body *out, mw_error *err)
{
  mw_triplets P = { 0 };
  mw_code rc = mw_body_frames(w, &P, out, err);
  if (rc == MW_OK) rc = mw_body_bushings(w, &P, out, err);
  if (rc == MW_OK) rc = mw_body_guides(w, &P, out, err);
  if (rc == MW_OK) rc = mw_body_gauges(w, out, err);
  if (rc == MW_OK) rc = mw_csc_build(&P, out->n_z, out->n_u, false, w->mem, &out->P, err);
  mw_triplets_free(&P);
  return rc;
}

static mw_code build_elastic(mw_body_work *w, mw_body *out, mw_error *err)
{
  const mw_body_in *in = w->in;
  w->meshed = in->mesh || in->cad || in->matrices;
  if (w->meshed && in->n_member > 0)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "body '%s' has beams and a mesh, make two bodies and join them", in->name);
  if (!w->meshed && in->n_member == 0)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "body '%s' has no rigid, mesh, cad, matrices or beams", in->name);
  mw_code rc = in->matrices ? mw_body_matrix_nodes(w, err)
               : w->meshed  ? mesh_nodes(w, err)
                            : beam_nodes(w, err);
  if (rc != MW_OK) return rc;
  measure(w);
  rc = mw_body_sets(w, err);
  if (rc == MW_OK) rc = mw_body_map(w, err);
  if (rc != MW_OK) return rc;
  out->n_u = w->n_u;
  rc = interface(w, out, err);
  if (rc == MW_OK)
    rc = in->matrices ? mw_body_matrix_assemble(w, out, err) : mw_body_assemble(w, out, err);
  if (rc == MW_OK && !in->ground) rc = mw_body_rigid_modes(w, out, err);
  if (rc == MW_OK) rc = pictures(w, out, err);
  if (rc == MW_OK) rc = mw_body_strain_build(w, out, err);
  return rc == MW_OK ? mw_body_plausible(w, out, err) : rc;
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
  mw_name_table_free(&w.names);
  mw_arena_free(&w.tmp);
  if (rc == MW_OK) *out = body;
  return rc;
}
