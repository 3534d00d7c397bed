// SPDX-License-Identifier: BSD-3-Clause
// body_gauge.c: stress and strain outputs: S of mw_body, six rows a point.
//
//   solids   S = D B(ξ) with x(ξ) = x                                                           (1)
//   shells   the facet under the point, in its middle, at the given height over the middle surface
//            (2)
// What path full has beyond S u is body_strain.c's.
//
// Stress of finite elements jumps from element to element. At a point that several of them share (a
// node, a face) S is their mean, also where their materials differ; facets count only where no
// solid holds the point. One pass over the elements' boxes a point, Newton's method where a box is
// near.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "body_layer.h"
#include "fem/element_class.h"
#include "fem/output.h"

static const double OUTSIDE = 1e-6;  // of the body's size: rounding of coordinates in mesh files

typedef struct place {  // of a point in an element
  double xi[3];         // natural coordinates, solids
  double x[3];          // m, the nearest point of the element found
  double distance;      // m
} place;

static mw_elem_kind kind_of(const mw_mesh *m, int e) { return (mw_elem_kind)m->elem_kind[e]; }

// Coordinates of an element's nodes X [n × 3]; returns n.
static int element_nodes(const mw_mesh *m, int e, double *X)
{
  int n = m->elem_ptr[e + 1] - m->elem_ptr[e];
  for (int i = 0; i < n; i++)
    memcpy(X + 3 * i, m->x + 3 * (size_t)m->elem_node[m->elem_ptr[e] + i], 3 * sizeof *X);
  return n;
}

// Distance of x to the box around an element, enlarged by half its diagonal: mid-side nodes of
// curved edges may lie inside of the curve, and facets have a thickness.
static double box_distance(int n, const double *X, const double x[3])
{
  double lo[3], hi[3], d[3];
  for (int c = 0; c < 3; c++) {
    lo[c] = hi[c] = X[c];
    for (int i = 1; i < n; i++) {
      lo[c] = fmin(lo[c], X[3 * i + c]);
      hi[c] = fmax(hi[c], X[3 * i + c]);
    }
    d[c] = hi[c] - lo[c];
  }
  double room = 0.5 * mw_norm3(d);
  for (int c = 0; c < 3; c++) d[c] = fmax(0.0, fmax(lo[c] - room - x[c], x[c] - hi[c] - room));
  return mw_norm3(d);
}

// Barycentric coordinates of the first n vertices of a simplex, put into it.
static void clip_simplex(int n, double *L)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += L[i] = fmax(0.0, L[i]);
  for (int i = 0; i < n && sum > 1.0; i++) L[i] /= sum;
}

static void clip(mw_elem_kind kind, double xi[3])
{
  int simplex = mw_elem_classes[kind]->domain->n_simplex;
  clip_simplex(simplex, xi);
  for (int c = simplex; c < 3; c++) xi[c] = fmin(1.0, fmax(-1.0, xi[c]));
}

static bool place_in_solid(mw_elem_kind kind, int n, const double *X, const double x[3], place *p)
{
  double outside, N[MW_SOLID_MAX_NODE], d[3];
  if (!mw_solid_locate(kind, X, x, p->xi, &outside)) return false;
  if (outside > 0.0) clip(kind, p->xi);
  mw_solid_shape(kind, p->xi, N, NULL);
  memset(p->x, 0, sizeof p->x);
  for (int i = 0; i < n; i++)
    for (int c = 0; c < 3; c++) p->x[c] += N[i] * X[3 * i + c];
  for (int c = 0; c < 3; c++) d[c] = x[c] - p->x[c];
  p->distance = outside > 0.0 ? mw_norm3(d) : 0.0;
  return true;
}

static void place_on_segment(const double *a, const double *b, const double x[3], place *p)
{
  double e[3], d[3];
  for (int i = 0; i < 3; i++) {
    e[i] = b[i] - a[i];
    d[i] = x[i] - a[i];
  }
  double t = fmin(1.0, fmax(0.0, mw_dot3(d, e) / mw_dot3(e, e)));
  for (int i = 0; i < 3; i++) {
    p->x[i] = a[i] + t * e[i];
    d[i] = x[i] - p->x[i];
  }
  p->distance = mw_norm3(d);
}

static void keep_nearer(const place *other, place *p)
{
  if (other->distance < p->distance) *p = *other;
}

// Nearest point of the triangle a b c: the foot x − a = u (b − a) + v (c − a) + w n, or one on its
// edges.
static void place_on_triangle(const double *a, const double *b, const double *c, const double x[3],
                              place *p)
{
  double e[3], f[3], d[3], n[3], t[3];
  for (int i = 0; i < 3; i++) {
    e[i] = b[i] - a[i];
    f[i] = c[i] - a[i];
    d[i] = x[i] - a[i];
  }
  mw_cross3(e, f, n);
  double nn = mw_dot3(n, n);
  mw_cross3(d, f, t);
  double u = mw_dot3(t, n) / nn;
  mw_cross3(e, d, t);
  double v = mw_dot3(t, n) / nn;
  if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) {
    for (int i = 0; i < 3; i++) p->x[i] = a[i] + u * e[i] + v * f[i];
    p->distance = fabs(mw_dot3(d, n)) / sqrt(nn);
    return;
  }
  place other;
  place_on_segment(a, b, x, p);
  place_on_segment(b, c, x, &other);
  keep_nearer(&other, p);
  place_on_segment(c, a, x, &other);
  keep_nearer(&other, p);
}

// The distance of a facet is counted from its surface, half the thickness over the middle.
static bool place_on_facet(int n, const double *X, double thickness, const double x[3], place *p)
{
  place other;
  place_on_triangle(X, X + 3, X + 6, x, p);
  if (n == 4) {
    place_on_triangle(X, X + 6, X + 9, x, &other);
    keep_nearer(&other, p);
  }
  p->distance = fmax(0.0, p->distance - 0.5 * thickness);
  return true;
}

// Where x lies in element e, if it is nearer than `limit`.
static bool place_in(const mw_body_work *w, int e, const double x[3], double limit, place *p)
{
  double X[3 * MW_SOLID_MAX_NODE];
  const mw_mesh *m = w->mesh;
  int n = element_nodes(m, e, X);
  if (box_distance(n, X, x) > limit) return false;
  bool found = mw_elem_info_of(kind_of(m, e))->dim == 3
                   ? place_in_solid(kind_of(m, e), n, X, x, p)
                   : place_on_facet(n, X, w->part_thickness[m->elem_part[e]], x, p);
  return found && p->distance <= limit;
}

// A [6 × dof] of an element: stress or strain per motion of its nodes X
mw_code mw_gauge_rows(mw_elem_kind kind, const double *X, const mw_material *material,
                      const mw_gauge *g, const double xi[3], double *A, mw_error *err)
{
  return mw_elem_classes[kind]->stress(kind, X, material, xi, g->z, g->strain, A, err);
}

// Adds weight × S of an element to the rows of a gauge.
static mw_code add_element(mw_body_work *w, const mw_gauge *g, const mw_gauge_place *p,
                           mw_triplets *S, mw_error *err)
{
  double X[3 * MW_SOLID_MAX_NODE], A[6 * MW_SOLID_MAX_DOF];
  const mw_mesh *m = w->mesh;
  mw_elem_kind kind = kind_of(m, p->elem);
  int n = element_nodes(m, p->elem, X), dof = mw_elem_info_of(kind)->dof;
  mw_code rc = mw_gauge_rows(kind, X, &w->part_material[m->elem_part[p->elem]], g, p->xi, A, err);
  for (int i = 0; i < n && rc == MW_OK; i++) {
    int motion = mw_body_motion(w, m->elem_node[m->elem_ptr[p->elem] + i]);
    for (int c = 0; c < dof; c++)
      for (int r = 0; r < 6; r++)
        mw_body_add_motion(w, S, g->row + r, motion + c, p->weight * A[r * dof * n + dof * i + c]);
  }
  return rc;
}

// Nearest point of a face, between its corners.
static void place_on_face(const mw_mesh *m, int face, const double x[3], place *p)
{
  int node[8];
  const mw_elem_info *info = mw_elem_info_of(kind_of(m, m->face_elem[face]));
  mw_mesh_face(m, face, node);
  *p = (place){ .distance = INFINITY };
  for (int c = 2; c < info->face_corner[m->face_side[face]]; c++) {
    place other;
    place_on_triangle(m->x + 3 * (size_t)node[0], m->x + 3 * (size_t)node[c - 1],
                      m->x + 3 * (size_t)node[c], x, &other);
    keep_nearer(&other, p);
  }
}

// No element holds the point: how far off the nearest one is.
static mw_code outside(const mw_body_work *w, const mw_output_in *o, mw_error *err)
{
  const mw_mesh *m = w->mesh;
  place p, near = { .distance = INFINITY };
  int at = -1;
  for (int k = 0; k < m->n_face; k++) {
    place_on_face(m, k, o->x, &p);
    if (p.distance < near.distance) at = m->face_elem[k];
    keep_nearer(&p, &near);
  }
  for (int e = 0; e < m->n_elem; e++) {
    if (mw_elem_info_of(kind_of(m, e))->dim == 3 || !place_in(w, e, o->x, near.distance, &p))
      continue;
    if (p.distance < near.distance) at = e;
    keep_nearer(&p, &near);
  }
  if (at < 0)
    return mw_fail(err, MW_ERR_INPUT, o->at, "output '%s': body '%s' has no element near its point",
                   o->name, w->in->name);
  return mw_fail(err, MW_ERR_INPUT, o->at,
                 "output '%s': its point lies %.3g m outside of body '%s', the nearest element is "
                 "%d at [%.9g, %.9g, %.9g] m",
                 o->name, near.distance, w->in->name, m->elem_tag[at], near.x[0], near.x[1],
                 near.x[2]);
}

static mw_code check_height(const mw_body_work *w, int e, const mw_output_in *o, mw_error *err)
{
  double half = 0.5 * w->part_thickness[w->mesh->elem_part[e]];
  if (fabs(o->z) <= half * (1.0 + OUTSIDE)) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, o->at,
                 "output '%s': height %g m is outside of the shell, which reaches to ±%g m",
                 o->name, o->z, half);
}

// The elements that have the point.
static mw_code places_of(mw_body_work *w, const mw_output_in *o, mw_gauge *g, mw_error *err)
{
  const mw_mesh *m = w->mesh;
  double near = OUTSIDE * w->size;
  place p;
  int count[4] = { 0 };  // by dimension
  for (int e = 0; e < m->n_elem; e++)
    if (place_in(w, e, o->x, near, &p)) count[mw_elem_info_of(kind_of(m, e))->dim]++;
  int dim = count[3] > 0 ? 3 : 2;
  if (count[dim] == 0) return outside(w, o, err);
  mw_gauge_place *at = mw_arena_alloc(w->mem, (size_t)count[dim], sizeof *at);
  mw_code rc = mw_arena_check(w->mem, err);
  for (int e = 0; e < m->n_elem && rc == MW_OK; e++) {
    if (mw_elem_info_of(kind_of(m, e))->dim != dim || !place_in(w, e, o->x, near, &p)) continue;
    if (dim == 2) rc = check_height(w, e, o, err);
    at[g->n_place] = (mw_gauge_place){ .elem = e, .weight = 1.0 / count[dim] };
    if (dim == 3) memcpy(at[g->n_place].xi, p.xi, sizeof p.xi);
    g->n_place++;
  }
  if (dim == 3 && o->z != 0.0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_INPUT, o->at,
                 "output '%s' has a height, but its point lies in a solid, expected a shell",
                 o->name);
  g->place = at;
  return rc;
}

static mw_code one_gauge(mw_body_work *w, const mw_output_in *o, mw_gauge *g, mw_triplets *S,
                         mw_error *err)
{
  mw_code rc = places_of(w, o, g, err);
  for (int k = 0; k < g->n_place && rc == MW_OK; k++) rc = add_element(w, g, &g->place[k], S, err);
  return rc;
}

mw_code mw_body_gauges(mw_body_work *w, mw_body *out, mw_error *err)
{
  const mw_model *model = w->model;
  int b = (int)(w->in - model->body);
  for (int k = 0; k < model->n_output; k++)
    out->n_gauge += model->output[k].ref.body == b && mw_output_is_gauge(&model->output[k]);
  if (out->n_gauge == 0) return MW_OK;
  out->gauge = mw_arena_alloc(w->mem, (size_t)out->n_gauge, sizeof *out->gauge);
  mw_code rc = mw_arena_check(w->mem, err);
  mw_triplets S = { 0 };
  for (int k = 0, g = 0; k < model->n_output && rc == MW_OK; k++) {
    const mw_output_in *o = &model->output[k];
    if (o->ref.body != b || !mw_output_is_gauge(o)) continue;
    out->gauge[g] =
        (mw_gauge){ .output = k, .row = 6 * g, .strain = o->kind == MW_OUTPUT_STRAIN, .z = o->z };
    rc = w->mesh ? one_gauge(w, o, &out->gauge[g], &S, err)
                 : mw_fail(err, MW_ERR_INPUT, o->at,
                           "output '%s': body '%s' has no solids or shells", o->name, w->in->name);
    g++;
  }
  if (rc == MW_OK) rc = mw_csc_build(&S, 6 * out->n_gauge, out->n_u, false, w->mem, &out->S, err);
  mw_triplets_free(&S);
  return rc;
}
