// SPDX-License-Identifier: BSD-3-Clause
// mesh_check.c: the invariants of a mesh, in code.
//
// At a corner a with neighbours b along the element's edges the Jacobian is the triple product of
// the edge tangents,
//   J_a = det [ t_1 t_2 t_3 ] ,  t = b − a  (linear) ,  t = 4 m − 3 a − b  (m mid-edge)         (1)
// since only the nodes of an edge move points along it. Shells: J_a = t_1 × t_2 against the normal
// of the whole facet. O(n_elem log n_elem) for elements that are there twice.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/element_class.h"
#include "mesh_priv.h"

// Relative to the longest edge cubed (shells: squared). The stiffnesses of a plate h thick and L
// wide differ by (L/h)²: below 1e-9 they are 1e18 apart, and doubles no longer hold both.
static const double FLAT = 1e-9;
// Distance of a mid-edge node from the middle, relative to its edge: an edge on a circle's arc of
// 140° has tan(140°/4)/2 = 0.35; nodes in the order of another program are mostly farther off.
static const double OFF = 0.35;

static const double *node_at(const mw_mesh *m, int e, int i)
{
  return m->x + 3 * (size_t)m->elem_node[m->elem_ptr[e] + i];
}

static void centre(const mw_mesh *m, int e, double c[3])
{
  int n = mw_elem_classes[m->elem_kind[e]]->domain->n_corner;
  for (int k = 0; k < 3; k++) {
    c[k] = 0.0;
    for (int i = 0; i < n; i++) c[k] += node_at(m, e, i)[k] / n;
  }
}

// "element 12 (10-node tetrahedron at (1, 2, 3) m)"
#define ELEMENT_FORMAT "element %d (%s at (%g, %g, %g) m)"
#define ELEMENT_VALUES(m, e, c)                                                                    \
  (m)->elem_tag[e], mw_elem_info_of((m)->elem_kind[e])->name, (c)[0], (c)[1], (c)[2]

static mw_code check_ids(const mw_mesh *m, mw_error *err)
{
  mw_at at = { .file = m->path };
  for (size_t k = 0; k < 3 * (size_t)m->n_node; k++)
    if (!isfinite(m->x[k]))
      return mw_fail(err, MW_ERR_INPUT, at, "node %d has a coordinate that is not finite",
                     m->tag[k / 3]);
  for (int e = 0; e < m->n_elem; e++) {
    if (m->elem_kind[e] >= MW_ELEM_KINDS ||
        m->elem_ptr[e + 1] - m->elem_ptr[e] != mw_elem_info_of(m->elem_kind[e])->n_node ||
        m->elem_part[e] < 0 || m->elem_part[e] >= m->n_part)
      return mw_fail(err, MW_ERR_INPUT, at,
                     "element %d has no kind, or nodes or a part not its own", m->elem_tag[e]);
    for (int k = m->elem_ptr[e]; k < m->elem_ptr[e + 1]; k++)
      if (m->elem_node[k] < 0 || m->elem_node[k] >= m->n_node)
        return mw_fail(err, MW_ERR_INPUT, at, "element %d refers to a node that does not exist",
                       m->elem_tag[e]);
  }
  return MW_OK;
}

static bool has_mid(const mw_mesh *m, int e)
{
  return mw_elem_info_of(m->elem_kind[e])->n_node >
         mw_elem_classes[m->elem_kind[e]]->domain->n_corner;
}

// Longest edge into *size; each mid-edge node near the middle of its edge.
static mw_code check_edges(const mw_mesh *m, int e, double *size, mw_error *err)
{
  const mw_elem_domain *s = mw_elem_classes[m->elem_kind[e]]->domain;
  *size = 0.0;
  for (int k = 0; k < s->n_edge; k++) {
    const double *a = node_at(m, e, s->edge[k][0]), *b = node_at(m, e, s->edge[k][1]);
    double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] }, off[3], length = mw_norm3(d), c[3];
    *size = fmax(*size, length);
    if (!has_mid(m, e)) continue;
    const double *mid = node_at(m, e, s->n_corner + k);
    for (int i = 0; i < 3; i++) off[i] = mid[i] - 0.5 * (a[i] + b[i]);
    if (mw_norm3(off) <= OFF * length) continue;
    int node = m->elem_node[m->elem_ptr[e] + s->n_corner + k];
    centre(m, e, c);
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                   ELEMENT_FORMAT ": mid-edge node %d is %.3g m from the middle of its edge of "
                                  "%.3g m, expected at most %g of the edge",
                   ELEMENT_VALUES(m, e, c), m->tag[node], mw_norm3(off), length, OFF);
  }
  return MW_OK;
}

// t := tangent at corner a towards its neighbour b, equation (1)
static void tangent(const mw_mesh *m, int e, int a, int b, double t[3])
{
  const mw_elem_domain *s = mw_elem_classes[m->elem_kind[e]]->domain;
  const double *xa = node_at(m, e, a), *xb = node_at(m, e, b), *mid = NULL;
  for (int k = 0; k < s->n_edge && has_mid(m, e) && mid == NULL; k++)
    if ((s->edge[k][0] == a && s->edge[k][1] == b) || (s->edge[k][0] == b && s->edge[k][1] == a))
      mid = node_at(m, e, s->n_corner + k);
  for (int i = 0; i < 3; i++)
    t[i] = mid == NULL ? xb[i] - xa[i] : 4.0 * (mid[i] - xa[i]) - (xb[i] - xa[i]);
}

// normal of a facet, of its whole area: ½ d_1 × d_2 of a quadrilateral's diagonals
static void facet_normal(const mw_mesh *m, int e, double n[3])
{
  int c = mw_elem_classes[m->elem_kind[e]]->domain->n_corner;
  const double *x0 = node_at(m, e, 0), *x1 = node_at(m, e, 1), *x2 = node_at(m, e, 2),
               *x3 = node_at(m, e, c - 1);
  double p[3], q[3];
  for (int i = 0; i < 3; i++) p[i] = x2[i] - x0[i], q[i] = x3[i] - x1[i];
  if (c == 3)
    for (int i = 0; i < 3; i++) p[i] = x1[i] - x0[i], q[i] = x2[i] - x0[i];
  mw_cross3(p, q, n);
  double l = mw_norm3(n);
  for (int i = 0; i < 3 && l > 0.0; i++) n[i] /= l;
}

static mw_code check_jacobian(const mw_mesh *m, int e, double size, mw_error *err)
{
  const mw_elem_domain *s = mw_elem_classes[m->elem_kind[e]]->domain;
  int dim = mw_elem_info_of(m->elem_kind[e])->dim;
  double unit = dim == 3 ? size * size * size : size * size, normal[3] = { 0 }, c[3];
  if (dim == 2) facet_normal(m, e, normal);
  for (int a = 0; a < s->n_corner; a++) {
    double t[3][3], n[3];
    for (int k = 0; k < dim; k++) tangent(m, e, a, s->next[a][k], t[k]);
    mw_cross3(t[0], t[1], n);
    double J = mw_dot3(n, dim == 3 ? t[2] : normal);
    if (J > FLAT * unit) continue;
    centre(m, e, c);
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                   ELEMENT_FORMAT ": the Jacobian at node %d is %.3g of its size %s, %s",
                   ELEMENT_VALUES(m, e, c), m->tag[m->elem_node[m->elem_ptr[e] + a]],
                   unit > 0.0 ? J / unit : 0.0, dim == 3 ? "cubed" : "squared",
                   J < -FLAT * unit ? "it is inside out or folded" : "it is flat or a line");
  }
  return MW_OK;
}

// ---- elements that are there twice ----

typedef struct twin {
  unsigned hash;  // of the corners, whatever their order
  int elem;
} twin;

static int by_hash(const void *a, const void *b)
{
  const twin *p = a, *q = b;
  if (p->hash != q->hash) return p->hash < q->hash ? -1 : 1;
  return (p->elem > q->elem) - (p->elem < q->elem);
}

static unsigned corner_hash(const mw_mesh *m, int e)
{
  unsigned h = 0;
  for (int i = 0; i < mw_elem_classes[m->elem_kind[e]]->domain->n_corner; i++) {
    unsigned v = (unsigned)m->elem_node[m->elem_ptr[e] + i] * 2654435761u;
    h += v ^ v >> 15;
  }
  return h;
}

static bool same_corners(const mw_mesh *m, int e, int f)
{
  int n = mw_elem_classes[m->elem_kind[e]]->domain->n_corner, found = 0;
  if (n != mw_elem_classes[m->elem_kind[f]]->domain->n_corner) return false;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      found += m->elem_node[m->elem_ptr[e] + i] == m->elem_node[m->elem_ptr[f] + k];
  return found == n;
}

static mw_code check_twins(const mw_mesh *m, mw_error *err)
{
  mw_arena tmp = { 0 };
  twin *t = mw_arena_alloc(&tmp, (size_t)m->n_elem, sizeof *t);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int e = 0; rc == MW_OK && e < m->n_elem; e++) t[e] = (twin){ corner_hash(m, e), e };
  if (rc == MW_OK) qsort(t, (size_t)m->n_elem, sizeof *t, by_hash);
  for (int k = 1; rc == MW_OK && k < m->n_elem; k++)
    for (int i = k - 1; rc == MW_OK && i >= 0 && t[i].hash == t[k].hash; i--)
      if (same_corners(m, t[i].elem, t[k].elem)) {
        double c[3];
        centre(m, t[k].elem, c);
        rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                     ELEMENT_FORMAT " has the nodes of element %d: it is there twice",
                     ELEMENT_VALUES(m, t[k].elem, c), m->elem_tag[t[i].elem]);
      }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_mesh_check(const mw_mesh *m, mw_error *err)
{
  mw_code rc = check_ids(m, err);
  for (int e = 0; e < m->n_elem && rc == MW_OK; e++) {
    double size;
    rc = check_edges(m, e, &size, err);
    if (rc == MW_OK) rc = check_jacobian(m, e, size, err);
  }
  return rc == MW_OK ? check_twins(m, err) : rc;
}
