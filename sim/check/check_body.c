// SPDX-License-Identifier: BSD-3-Clause
// check_body.c: one body: what it weighs beside its reference, how good its elements are, whether
// nodes lie in one place, what moves freely; and which of it is wrong, or worth a word.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "check_layer.h"
#include "fem/cad.h"
#include "fem/element_class.h"
#include "quality_layer.h"

static const double COINCIDENT = 1e-6;  // of the body's size, as nodes are found by place
static const double POOR = 0.1;         // quality below which an element is reported
// The same of 8-node hexahedra, whose incompatible modes bend rightly as parallelepipeds only: the
// first bending frequency of a cantilever of 16 x 2 x 2, its inner faces slanted to and fro, is 6 %
// high at a quality of 0.86, 13 % at 0.73, 33 % at 0.5, 95 % at 0.2.
static const double SKEW = 0.75;
static const double SMALL = 5e-3,
                    LARGE = 100.0;       // m, machine parts are between; else the unit may be wrong
static const double TALL = 10.0;         // sections that are so much taller than the body is large
static const double CAD_DIFFERS = 1e-2;  // relative; facets of a fair mesh cut off less
static const double CONDITION = 1e11;    // of the lowest frequency: some four digits are left

// I_o = tr J 1 − J ,  I_c = I_o − m (c·c 1 − c cᵀ)                                              (1)
static void mass_properties(const mw_body *b, double c[3], double I[6])
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  for (int i = 0; i < 3; i++) c[i] = b->m > 0.0 ? b->mX[i] / b->m : 0.0;
  double tr = b->J[0] + b->J[4] + b->J[8], cc = mw_dot3(c, c);
  for (int k = 0; k < 6; k++) {
    int i = row[k], j = col[k];
    I[k] = (i == j ? tr - b->m * cc : 0.0) - b->J[3 * i + j] + b->m * c[i] * c[j];
  }
}

static double size_of(const mw_body *b)
{
  double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY },
         d[3];
  for (int k = 0; k < 3 * b->n_node; k++) {
    lo[k % 3] = fmin(lo[k % 3], b->X[k]);
    hi[k % 3] = fmax(hi[k % 3], b->X[k]);
  }
  for (int i = 0; i < 3; i++) d[i] = b->n_node > 0 ? hi[i] - lo[i] : 0.0;
  return mw_norm3(d);
}

// ---- against the reference ----------------------------------------------------------------------

static double inertia_off(const double I[6], const double want[6])
{
  double most = 0.0, size = want[0] + want[1] + want[2];
  for (int k = 0; k < 6; k++) most = fmax(most, fabs(I[k] - want[k]));
  return most / size;
}

static double distance(const double a[3], const double b[3])
{
  double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
  return mw_norm3(d);
}

// Density of the body's one material; NaN: several
static double one_density(const mw_body *b)
{
  double rho = (double)NAN;
  for (int e = 0; b->mesh && b->part_material && e < b->mesh->n_elem; e++) {
    double here = b->part_material[b->mesh->elem_part[e]].rho;
    if (!isnan(rho) && here != rho) return (double)NAN;
    rho = here;
  }
  return rho;
}

// The body without the point masses its frames carry: what the CAD file knows. J: + m X Xᵀ + ½ tr I
// 1 − I each.
static mw_body bare(const mw_body *b, const mw_body_in *in)
{
  mw_body out = *b;
  for (int k = 0; k < in->n_attach && k < b->n_frame; k++) {
    const mw_attach *a = &in->attach[k];
    const double *X = b->frame[k].X, *t = a->inertia, half = 0.5 * (t[0] + t[1] + t[2]);
    const double I[9] = { t[0], t[3], t[4], t[3], t[1], t[5], t[4], t[5], t[2] };
    if (!(a->mass > 0.0)) continue;
    out.m -= a->mass;
    for (int i = 0; i < 3; i++) out.mX[i] -= a->mass * X[i];
    // nodes of solids do not turn: their frames' inertia is not in the body
    bool turns = a->kind == MW_ATTACH_RIGID || b->Nr.n_row > 0;
    for (int i = 0; i < 9; i++)
      out.J[i] -= a->mass * X[i / 3] * X[i % 3] + (turns ? (i % 4 == 0 ? half : 0.0) - I[i] : 0.0);
  }
  return out;
}

// size: of the body, m; of a rigid one 0
static void compare(const mw_body *b, const mw_body_in *in, double size, mw_body_report *r)
{
  const mw_expected_in *x = &in->expected;
  double rho = b->cad && b->cad->known ? one_density(b) : (double)NAN;
  r->d_mass = r->d_com = r->d_inertia = (double)NAN;
  if (x->present) {
    r->reference = MW_REFERENCE_EXPECTED;
    if (x->mass > 0.0) r->d_mass = fabs(b->m / x->mass - 1.0);
    if (x->has_com && size > 0.0) r->d_com = distance(r->com, x->com) / size;
    if (x->has_inertia) r->d_inertia = inertia_off(r->inertia, x->inertia);
  } else if (!isnan(rho)) {
    double want[6], com[3], I[6];
    mw_body part = bare(b, in);
    mass_properties(&part, com, I);
    for (int k = 0; k < 6; k++) want[k] = rho * b->cad->inertia[k];
    r->reference = MW_REFERENCE_CAD;
    r->d_mass = fabs(part.m / (rho * b->cad->volume) - 1.0);
    r->d_com = distance(com, b->cad->com) / size;
    r->d_inertia = inertia_off(I, want);
  }
}

// ---- elements and nodes -------------------------------------------------------------------------

static void elements(const mw_body *b, mw_body_report *r)
{
  const mw_mesh *m = b->mesh;
  r->n_beam = b->n_edge;
  r->quality = (double)NAN;
  r->quality_elem = -1;
  for (int e = 0; m && e < m->n_elem; e++) {
    double X[3 * 20], mid[3] = { 0 };
    const mw_elem_info *info = mw_elem_info_of((mw_elem_kind)m->elem_kind[e]);
    r->n_elem[m->elem_kind[e]]++;
    for (int i = 0; i < info->n_node; i++)
      for (int c = 0; c < 3; c++) {
        X[3 * i + c] = b->X[3 * (size_t)m->elem_node[m->elem_ptr[e] + i] + (size_t)c];
        mid[c] += X[3 * i + c] / info->n_node;
      }
    double q = mw_elem_quality((mw_elem_kind)m->elem_kind[e], X);
    if (mw_elem_classes[m->elem_kind[e]]->modes && q < SKEW) {
      if (r->n_skew < MW_CHECK_SKEW) r->skew[r->n_skew] = m->elem_tag[e];
      r->n_skew++;
    }
    if (q >= r->quality) continue;
    r->quality = q;
    r->quality_elem = m->elem_tag[e];
    memcpy(r->quality_x, mid, sizeof mid);
  }
}

// Height of a rectangle of the same area and larger second moment
static double tallest(const mw_model *m, const mw_body_in *in)
{
  double most = 0.0;
  for (int k = 0; k < in->n_member; k++) {
    const mw_section *s = &m->section[in->member[k].section];
    most = fmax(most, sqrt(12.0 * fmax(s->Iy, s->Iz) / s->A));
  }
  return most;
}

// Nodes that move by three unknowns of their own, each unknown's first node only: neither tied,
// slaved nor fixed.
static mw_code own_nodes(const mw_body *b, mw_arena *mem, char *own, mw_error *err)
{
  size_t n = 3 * (size_t)b->n_node;
  int *count = mw_arena_int(mem, n);
  char *plain = mw_arena_alloc(mem, n, 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < b->N.n_col; j++)
    for (int k = b->N.ptr[j]; k < b->N.ptr[j + 1]; k++) {
      count[b->N.row[k]]++;
      if (k == b->N.ptr[j] && b->N.val[k] == 1.0) plain[b->N.row[k]] = 1;
    }
  for (int i = 0; i < b->n_node; i++) {
    own[i] = 1;
    for (int c = 3 * i; c < 3 * i + 3; c++) own[i] = own[i] && plain[c] && count[c] == 1;
  }
  return MW_OK;
}

static mw_code coincident(const mw_body *b, double size, mw_body_report *r, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t n = (size_t)b->n_node;
  char *own = mw_arena_alloc(&tmp, n, 1);
  double *x = mw_arena_f64(&tmp, 3 * n);
  int *from = mw_arena_int(&tmp, n), pair[2] = { -1, -1 }, count = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  mw_mesh free_nodes = { .path = b->mesh->path, .x = x };
  if (rc == MW_OK) rc = own_nodes(b, &tmp, own, err);
  for (int i = 0; rc == MW_OK && i < b->n_node; i++) {
    if (!own[i]) continue;
    memcpy(x + 3 * (size_t)free_nodes.n_node, b->X + 3 * (size_t)i, 3 * sizeof *x);
    from[free_nodes.n_node++] = i;
  }
  if (rc == MW_OK && free_nodes.n_node > 0)
    rc = mw_mesh_coincident(&free_nodes, COINCIDENT * size, &count, pair, err);
  r->n_coincident = count;
  for (int k = 0; k < 2; k++)
    r->coincident[k] = rc == MW_OK && pair[k] >= 0 ? b->mesh->tag[from[pair[k]]] : -1;
  mw_arena_free(&tmp);
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

mw_code mw_body_examine(const mw_mech *m, int b, bool deep, mw_body_report *out, mw_error *err)
{
  const mw_body *body = &m->body[b];
  mw_body_report r = { 0 };
  double size = size_of(body);
  r.zero.expected = body->ground ? 0 : 6;
  r.zero.lowest_hz = r.zero.condition = (double)NAN;
  r.coincident[0] = r.coincident[1] = r.zero.node = -1;
  mass_properties(body, r.com, r.inertia);
  compare(body, &m->model->body[b], size, &r);
  mw_code rc = mw_body_check(body, &r.rigid_residual, err);
  elements(body, &r);
  r.size = size;
  r.section = tallest(m->model, &m->model->body[b]);
  if (rc == MW_OK && body->n_u > 0 && body->mesh) rc = coincident(body, size, &r, err);
  if (rc == MW_OK && body->n_u > 0 && (deep || body->n_u <= MW_CHECK_UNKNOWNS))
    rc = mw_body_zero_modes(body, r.rigid_residual, &r.zero, err);
  if (rc == MW_OK) *out = r;
  return rc;
}

mw_code mw_body_judge(const mw_body *b, const mw_body_report *r, mw_error *err)
{
  const mw_zero_modes *z = &r->zero;
  if (!z->done || z->found == z->expected) return MW_OK;
  if (z->found < z->expected)
    return mw_fail(
        err, MW_ERR_NUMERIC, b->at,
        "body %s has %d motions that cost no energy, a free body has six: something holds "
        "it to the ground",
        b->name, z->found);
  return mw_fail(err, MW_ERR_NUMERIC, b->at,
                 "body %s has %d motions that cost no energy, expected %d: a mechanism inside the "
                 "body, moving most at node %d, [%.6g, %.6g, %.6g] m",
                 b->name, z->found, z->expected, z->node, z->x[0], z->x[1], z->x[2]);
}

static void say_skew(const mw_body_report *r, char *text, size_t n)
{
  char list[80] = "";
  size_t used = 0;
  for (int i = 0; i < r->n_skew && i < MW_CHECK_SKEW; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%d", i ? ", " : "", r->skew[i]);
  snprintf(
      text, n,
      "%d 8-node hexahedra (%s%s) have less than %g of an ideal corner: in bending they are too "
      "stiff, 13 %% in frequency at 0.73, 33 %% at 0.5 (expected nearly parallel faces)",
      r->n_skew, list, r->n_skew > MW_CHECK_SKEW ? ", …" : "", SKEW);
}

bool mw_body_warning(const mw_body *b, const mw_body_report *r, int k, char *text, size_t n)
{
  if (r->n_coincident > 0 && k-- == 0) {
    snprintf(
        text, n,
        "%d nodes lie on others and move apart from them, the first %d on %d (tie or merge them)",
        r->n_coincident, r->coincident[1], r->coincident[0]);
    return true;
  }
  if (r->quality < POOR && k-- == 0) {
    snprintf(text, n,
             "element %d is badly shaped, %.3g of an ideal corner, near [%.6g, %.6g, %.6g] m",
             r->quality_elem, r->quality, r->quality_x[0], r->quality_x[1], r->quality_x[2]);
    return true;
  }
  if (r->n_skew > 0 && k-- == 0) {
    say_skew(r, text, n);
    return true;
  }
  if (b->n_u > 0 && (r->size < SMALL || r->size > LARGE) && k-- == 0) {
    snprintf(text, n, "is %.3g m large, machine parts are %g to %g m: is its unit right?", r->size,
             SMALL, LARGE);
    return true;
  }
  if (r->section > TALL * r->size && k-- == 0) {
    snprintf(text, n, "has a section %.3g m tall and is %.3g m large: are their units the same?",
             r->section, r->size);
    return true;
  }
  if (r->reference == MW_REFERENCE_CAD &&
      fmax(r->d_mass, fmax(r->d_com, r->d_inertia)) > CAD_DIFFERS && k-- == 0) {
    snprintf(text, n,
             "differs from its CAD file by %.2g in mass, %.2g in centre, %.2g in inertia (a finer "
             "mesh?)",
             r->d_mass, r->d_com, r->d_inertia);
    return true;
  }
  if (r->zero.condition > CONDITION && k-- == 0) {
    snprintf(text, n, "its lowest frequency has a condition of %.1e: few digits are left",
             r->zero.condition);
    return true;
  }
  if (b->n_u > 0 && !r->zero.done && k-- == 0) {
    snprintf(text, n,
             b->n_u > MW_CHECK_UNKNOWNS
                 ? "free motions are not counted in a body of %d unknowns (--deep)"
                 : "free motions of its %d unknowns could not be counted",
             b->n_u);
    return true;
  }
  return false;
}
