// SPDX-License-Identifier: BSD-3-Clause
// model_frame.c: guides and frames of a body, and the inertia tensors carried there.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "model_layer.h"

static const double INERTIA = 1e-6;  // of the trace: what rounded input may miss

// With J = ½ tr(I) 1 − I = ∫ρ X Xᵀ, both conditions on I are one: J is positive semidefinite.
mw_code mw_inertia_check(const mw_reader *rd, const double inertia[6], bool unphysical, mw_at at)
{
  const double *I = inertia;
  double trace = I[0] + I[1] + I[2], h = 0.5 * trace, w[3], V[9];
  double J[9] = { h - I[0], -I[3], -I[4], -I[3], h - I[1], -I[5], -I[4], -I[5], h - I[2] };
  double T[9] = { I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2] };
  mw_code rc = mw_eig_sym(3, T, w, V, rd->err);
  if (rc != MW_OK) return rc;
  if (w[0] < -INERTIA * fabs(trace) || trace < 0.0)
    return mw_fail(rd->err, MW_ERR_INPUT, at,
                   "inertia has the principal moment %g kg m2, expected none below 0", w[0]);
  if (unphysical) return MW_OK;
  double moment[3] = { w[0], w[1], w[2] };
  rc = mw_eig_sym(3, J, w, V, rd->err);
  if (rc == MW_OK && w[0] < -INERTIA * trace)
    rc = mw_fail(
        rd->err, MW_ERR_INPUT, at,
        "inertia has the principal moments %g, %g, %g kg m2, expected each at most the sum of the "
        "other two "
        "(unphysical_inertia: true beside it takes them as they are)",
        moment[0], moment[1], moment[2]);
  return rc;
}

// ---- guides -------------------------------------------------------------------------------------

static const char *kind_of(const mw_body_in *b)
{
  return b->rigid ? "rigid" : mw_meshed(b) ? "a mesh" : "made of beams";
}

static mw_code read_guide_ends(mw_reader *rd, const mw_ynode *e, mw_body_in *b, mw_guide_in *g)
{
  const mw_ynode *nodes = mw_y_find(e, "nodes"), *from = mw_y_find(e, "from"),
                 *to = mw_y_find(e, "to");
  const mw_ynode *points = mw_y_find(e, "points");
  const mw_ynode *given = nodes ? nodes : from ? from : points;
  const mw_ynode *pad = mw_y_find(e, "pad");
  bool mesh = mw_meshed(b), on_face = mesh && pad && points;
  const char *want = b->rigid ? "points" : mesh ? "nodes" : "from";
  g->from = g->to = -1;
  if (pad && !mesh)
    return mw_fail(rd->err, MW_ERR_INPUT, pad->key->at,
                   "guide %.64s: found pad, expected it only on a mesh: body %.64s is %s", g->name,
                   b->name, kind_of(b));
  if (pad) {
    g->pad[0] = mw_y_num(pad, "length");
    g->pad[1] = mw_y_num(pad, "width");
  }
  if (!on_face && strcmp(given->key->text, want) != 0)
    return mw_fail(rd->err, MW_ERR_INPUT, given->key->at,
                   "guide %.64s: found %s, expected %s: body %.64s is %s", g->name,
                   given->key->text,
                   b->rigid ? want
                   : mesh   ? "nodes (or points with pad)"
                            : "from and to",
                   b->name, kind_of(b));
  if (to && !from)
    return mw_fail(rd->err, MW_ERR_INPUT, to->key->at, "found to without from, expected both");
  if (from && !to)
    return mw_fail(rd->err, MW_ERR_INPUT, from->key->at,
                   "guide %.64s: found from without to, expected both", g->name);
  if (nodes) g->set = mw_read_str(rd, nodes->text);
  if (points) {
    mw_y_vec(points->first, 3, g->ends[0]);
    mw_y_vec(points->first->next, 3, g->ends[1]);
  }
  mw_code rc = MW_OK;
  if (from) {
    rc = mw_name_read(rd, from, "point", b->point, b->n_point, sizeof *b->point, &g->from);
    if (rc == MW_OK)
      rc = mw_name_read(rd, to, "point", b->point, b->n_point, sizeof *b->point, &g->to);
  }
  return rc;
}

static mw_code check_guide(const mw_reader *rd, const mw_ynode *e, const mw_body_in *b,
                           const mw_guide_in *g)
{
  double t[3], cross[3];
  const double *p = g->from >= 0 ? b->point[g->from].x : g->ends[0],
               *q = g->from >= 0 ? b->point[g->to].x : g->ends[1];
  const mw_ynode *normal = mw_y_find(e, "normal");
  if (!(mw_norm3(g->normal) > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT, normal->at, "normal is zero, expected a direction");
  if (g->set) return MW_OK;
  for (int i = 0; i < 3; i++) t[i] = q[i] - p[i];
  if (!(mw_norm3(t) > 0.0))
    return mw_fail(rd->err, MW_ERR_INPUT,
                   (g->from >= 0 ? mw_y_find(e, "to") : mw_y_find(e, "points"))->at,
                   "guide %.64s has two coincident ends, expected a length above 0", g->name);
  mw_cross3(t, g->normal, cross);
  if (mw_norm3(cross) <= MW_PARALLEL * mw_norm3(t) * mw_norm3(g->normal))
    return mw_fail(
        rd->err, MW_ERR_INPUT, normal->given ? normal->at : g->at,
        "guide %.64s: normal [%g, %g, %g] is parallel to the guide, expected one across it",
        g->name, g->normal[0], g->normal[1], g->normal[2]);
  return MW_OK;
}

mw_code mw_guides_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->guide, map->n);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    mw_guide_in *g = &b->guide[b->n_guide++];
    *g = (mw_guide_in){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    rc = mw_arena_check(rd->mem, rd->err);
    mw_y_vec(mw_y_find(e, "normal"), 3, g->normal);
    g->has_start = mw_y_given(e, "start");
    mw_y_vec(mw_y_find(e, "start"), 3, g->start);
    if (rc == MW_OK) rc = read_guide_ends(rd, e, b, g);
    if (rc == MW_OK) rc = check_guide(rd, e, b, g);
  }
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}

// ---- frames -------------------------------------------------------------------------------------

static mw_code read_frame(mw_reader *rd, const mw_ynode *e, mw_body_in *b, mw_attach *a)
{
  static const char *const kinds[] = { "node", "rigid", "average", NULL };
  static const mw_attach_kind kind_of_key[] = { MW_ATTACH_NODE, MW_ATTACH_RIGID,
                                                MW_ATTACH_AVERAGE };
  int kind, index;
  const mw_ynode *set = mw_y_one(e, kinds, &kind), *point = mw_y_find(e, "point"),
                 *inertia = mw_y_find(e, "inertia");
  a->has_x = point != NULL;
  mw_y_vec(point, 3, a->x);
  a->mass = mw_y_num(e, "mass");
  mw_y_vec(inertia, 6, a->inertia);
  bool carries = mw_y_given(e, "mass") || inertia->given;
  if (b->rigid && set)
    return mw_fail(rd->err, MW_ERR_INPUT, set->key->at,
                   "frame %.64s: found %s on the rigid body %.64s, expected point", a->name,
                   set->key->text, b->name);
  if (b->rigid && carries)
    return mw_fail(
        rd->err, MW_ERR_INPUT, a->at,
        "frame %.64s: found mass or inertia at a point of the rigid body %.64s, expected "
        "them in its own, key rigid",
        a->name, b->name);
  if (!set && !point)
    return mw_fail(rd->err, MW_ERR_INPUT, a->at, "frame %.64s: expected %s", a->name,
                   b->rigid ? "point" : "one of node, rigid, average, point");
  a->kind = set ? kind_of_key[kind] : b->rigid ? MW_ATTACH_POINT : MW_ATTACH_NODE;
  if (a->kind == MW_ATTACH_AVERAGE && carries)
    return mw_fail(rd->err, MW_ERR_INPUT, a->at,
                   "frame %.64s: found mass or inertia on an average frame, expected rigid",
                   a->name);
  if (kind == 0 && point)
    return mw_fail(rd->err, MW_ERR_INPUT, point->key->at,
                   "frame %.64s: found node and point, expected one of them", a->name);
  mw_code rc = mw_inertia_check(rd, a->inertia, false, inertia->at);
  if (rc != MW_OK || !set) return rc;
  a->set = mw_read_str(rd, set->text);
  return mw_meshed(b)
             ? MW_OK
             : mw_name_read(rd, set, "point", b->point, b->n_point, sizeof *b->point, &index);
}

mw_code mw_frames_read(mw_reader *rd, const mw_ynode *map, mw_body_in *b)
{
  mw_code rc = MW_NEW(rd, b->attach, map->n);
  for (const mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    mw_attach *a = &b->attach[b->n_attach++];
    *a = (mw_attach){ .name = mw_read_str(rd, e->key->text), .at = e->key->at };
    rc = mw_arena_check(rd->mem, rd->err);
    if (rc == MW_OK) rc = read_frame(rd, e, b, a);
  }
  return rc == MW_OK ? mw_arena_check(rd->mem, rd->err) : rc;
}
