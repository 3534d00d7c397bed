// SPDX-License-Identifier: BSD-3-Clause
// generate.c: physical groups, element sizes, mesh and file.
//
// Size at distance d from a refined place, h there and H elsewhere, up to the distance D:
//
//   h for d <= D ,   h + (H − h)(d − D)/D for D < d < 2 D ,   H beyond ;   the least of all places
//
// One thread and gmsh's fixed seed: same job, same bytes.
#include <gmshc.h>
#include <math.h>
#include <string.h>

#include "mesher_priv.h"

// Regular tetrahedra of edge h fill 1/8.5 h³ each; above this many the size is taken for a slip.
static const double tets_per_cube = 8.5, max_tets = 2e7;

static mw_code add_group(const job *j, int dim, int tag, const char *name, mw_error *err)
{
  int ierr, physical = gmshModelAddPhysicalGroup(dim, &tag, 1, -1, &ierr);
  if (!ierr) gmshModelSetPhysicalName(dim, physical, name, &ierr);
  return ierr ? cad_fail(j, MW_ERR_NUMERIC, "cannot be given groups", err) : MW_OK;
}

static bool is_in_group(int dim, int tag)
{
  int ierr, *physical = NULL;
  size_t n = 0;
  gmshModelGetPhysicalGroupsForEntity(dim, tag, &physical, &n, &ierr);
  if (ierr) return false;
  gmshFree(physical);
  return n > 0;
}

static mw_code add_groups(const job *j, const cad *c, mw_error *err)
{
  mw_code rc = MW_OK;
  char name[32];
  for (int k = 0; rc == MW_OK && k < c->n_solid; k++) {
    if (is_in_group(3, c->solid[k])) continue;  // by the script
    snprintf(name, sizeof name, c->n_solid == 1 ? "solid" : "solid_%d", k + 1);
    rc = add_group(j, 3, c->solid[k], name, err);
  }
  for (int k = 0; rc == MW_OK && k < j->n_group; k++)
    rc = add_group(j, j->group[k].dim, j->group[k].tag, j->group[k].name, err);
  for (int k = 0; rc == MW_OK && k < c->n_face; k++) {
    snprintf(name, sizeof name, "face_%d", c->face[k]);
    rc = add_group(j, 2, c->face[k], name, err);
  }
  for (int k = 0; rc == MW_OK && k < c->n_edge; k++) {
    snprintf(name, sizeof name, "edge_%d", c->edge[k]);
    rc = add_group(j, 1, c->edge[k], name, err);
  }
  return rc;
}

// ---- element sizes ----

static bool set_number(int field, const char *option, double value)
{
  int ierr;
  gmshModelMeshFieldSetNumber(field, option, value, &ierr);
  return ierr == 0;
}

static bool set_list(int field, const char *option, double *value, size_t n)
{
  int ierr;
  gmshModelMeshFieldSetNumbers(field, option, value, n, &ierr);
  return ierr == 0;
}

// Options have changed their names between gmsh 4.8 and 4.13: the new one, else the old one.
static bool set_either(int field, const char *now, const char *before, double value)
{
  return set_number(field, now, value) || set_number(field, before, value);
}

// Around a point: a ball with a transition. Returns the field, 0: failed.
static int ball(const job *j, const job_refine *r, double unit)
{
  int ierr, f = gmshModelMeshFieldAdd("Ball", -1, &ierr);
  if (ierr) return 0;
  bool okay =
      set_number(f, "XCenter", r->x[0] / unit) && set_number(f, "YCenter", r->x[1] / unit) &&
      set_number(f, "ZCenter", r->x[2] / unit) && set_number(f, "Radius", r->distance / unit) &&
      set_number(f, "Thickness", r->distance / unit) && set_number(f, "VIn", r->size / unit) &&
      set_number(f, "VOut", j->size / unit);
  return okay ? f : 0;
}

// Around a face or edge: distance from points on it, not more than about a quarter of D apart.
static int shell(const job *j, const cad *c, const job_refine *r)
{
  const job_group *g = &j->group[r->group];
  double unit = c->unit, tag = g->tag, n = ceil(4.0 * c->diagonal * unit / r->distance);
  int ierr, near = gmshModelMeshFieldAdd("Distance", -1, &ierr), f = 0;
  if (ierr) return 0;
  n = fmin(fmax(n, 20.0), 1000.0);
  bool okay = set_list(near, g->dim == 2 ? "SurfacesList" : "CurvesList", &tag, 1) ||
              set_list(near, g->dim == 2 ? "FacesList" : "EdgesList", &tag, 1);
  okay = okay && (set_number(near, "Sampling", n) || set_number(near, "NumPointsPerCurve", n) ||
                  set_number(near, "NNodesByEdge", n));
  if (okay) f = gmshModelMeshFieldAdd("Threshold", -1, &ierr);
  okay = okay && !ierr && set_either(f, "InField", "IField", near) &&
         set_either(f, "SizeMin", "LcMin", r->size / unit) &&
         set_either(f, "SizeMax", "LcMax", j->size / unit) &&
         set_number(f, "DistMin", r->distance / unit) &&
         set_number(f, "DistMax", 2.0 * r->distance / unit);
  return okay ? f : 0;
}

static mw_code set_sizes(job *j, const cad *c, mw_error *err)
{
  int ierr;
  double smallest = j->size;
  gmshOptionSetNumber("Mesh.MeshSizeMin", 0.0, &ierr);
  gmshOptionSetNumber("Mesh.MeshSizeMax", j->size / c->unit, &ierr);
  gmshOptionSetNumber("Mesh.MeshSizeFactor", 1.0, &ierr);
  if (c->known && tets_per_cube * c->volume / pow(smallest, 3) > max_tets)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "size %g m gives about %.1e elements in %.3g m3: is it in metres?", smallest,
                   tets_per_cube * c->volume / pow(smallest, 3), c->volume);
  if (j->n_refine == 0) return MW_OK;
  double *list = mw_arena_f64(&j->mem, (size_t)j->n_refine);
  mw_code rc = mw_arena_check(&j->mem, err);
  for (int k = 0; rc == MW_OK && k < j->n_refine; k++) {
    const job_refine *r = &j->refine[k];
    int f = r->group < 0 ? ball(j, r, c->unit) : shell(j, c, r);
    if (f == 0) rc = cad_fail(j, MW_ERR_NUMERIC, "cannot be refined", err);
    list[k] = f;
  }
  if (rc != MW_OK) return rc;
  int least = gmshModelMeshFieldAdd("Min", -1, &ierr);
  if (!ierr && !set_list(least, "FieldsList", list, (size_t)j->n_refine)) ierr = 1;
  if (!ierr) gmshModelMeshFieldSetAsBackgroundMesh(least, &ierr);
  return ierr ? cad_fail(j, MW_ERR_NUMERIC, "cannot be refined", err) : MW_OK;
}

// ---- mesh ----

static mw_code check_solids(const job *j, const cad *c, mw_error *err)
{
  for (int k = 0; k < c->n_solid; k++) {
    int ierr;
    size_t *tag = NULL, *node = NULL, n = 0, n_node = 0;
    gmshModelMeshGetElementsByType(4, &tag, &n, &node, &n_node, c->solid[k], 0, 1, &ierr);
    if (ierr) return cad_fail(j, MW_ERR_NUMERIC, "cannot be meshed", err);
    gmshFree(tag);
    gmshFree(node);
    if (n == 0)
      return cad_fail(j, MW_ERR_NUMERIC, "cannot be meshed (a smaller size may help)", err);
  }
  return MW_OK;
}

mw_code mesh_build(job *j, const cad *c, mesh_facts *out, mw_error *err)
{
  int ierr;
  mw_code rc = add_groups(j, c, err);
  if (rc == MW_OK) rc = set_sizes(j, c, err);
  if (rc != MW_OK) return rc;
  // whatever a script has set or meshed
  gmshModelMeshClear(NULL, 0, &ierr);
  gmshOptionSetNumber("Mesh.ElementOrder", 1, &ierr);
  gmshOptionSetNumber("Mesh.SecondOrderLinear", 0, &ierr);
  gmshOptionSetNumber("Mesh.HighOrderOptimize", 0, &ierr);
  gmshOptionSetNumber("Mesh.SubdivisionAlgorithm", 0, &ierr);
  gmshOptionSetNumber("Mesh.RecombineAll", 0, &ierr);
  gmshOptionSetNumber("Mesh.SaveAll", 0, &ierr);
  gmshOptionSetNumber("Mesh.SaveParametric", 0, &ierr);
  gmshOptionSetNumber("Mesh.RandomSeed", 1, &ierr);
  gmshModelMeshGenerate(3, &ierr);
  if (ierr) return cad_fail(j, MW_ERR_NUMERIC, "cannot be meshed (a smaller size may help)", err);
  rc = check_solids(j, c, err);
  if (rc != MW_OK) return rc;
  if (j->order == 2) gmshModelMeshSetOrder(2, &ierr);
  if (ierr) return cad_fail(j, MW_ERR_NUMERIC, "cannot be meshed to order 2", err);
  rc = mesh_straighten(j, c, out, err);
  if (rc != MW_OK) return rc;
  gmshOptionSetNumber("Mesh.MshFileVersion", 4.1, &ierr);
  gmshOptionSetNumber("Mesh.Binary", 1, &ierr);
  gmshOptionSetNumber("Mesh.ScalingFactor", c->unit, &ierr);
  gmshWrite(j->out, &ierr);
  return ierr ? mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%s cannot be written", j->out) : MW_OK;
}
