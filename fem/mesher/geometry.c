// SPDX-License-Identifier: BSD-3-Clause
// geometry.c: a CAD file becomes solids with their faces and edges.
//
// Solids of a mesh have to hang together: two that do not share a face would be meshed apart and
// rattle loose. Pieces are counted by union-find over the faces, O(faces).
//
// Integrals of several solids, V_k, c_k, I_k about c_k (unit density):
//
//   V = Σ V_k ,   c = Σ V_k c_k / V ,   I = Σ I_k + V_k (d_k·d_k 1 − d_k d_kᵀ) ,  d_k = c_k − c (1)
//
// Distance of a point from a trimmed face: to its orthogonal projection where that lies inside,
// else to the nearest of its edges; from an edge likewise, ends instead of edges.
#include <float.h>
#include <gmshc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mesher_priv.h"

// Limits how far a group's point lies off the part, of the diagonal of its bounding box: users type
// coordinates from drawings, and miss curved faces by a little.
static const double off_part = 0.01;
// Two faces this close to each other at the point, by the same measure, cannot be told apart.
static const double apart = 1e-6;
// mm; IGES files mostly hold loose faces: edges that are nearer to each other than this are one.
static const double sewing = 1e-3;

mw_code cad_fail(const job *j, mw_code code, const char *what, mw_error *err)
{
  int ierr;
  char **log = NULL;
  size_t n = 0;
  const char *why = "gmsh gives no reason";
  gmshLoggerGet(&log, &n, &ierr);
  for (size_t k = n; !ierr && k-- > 0;)  // the first error is the cause of the others
    if (strncmp(log[k], "Error: ", 7) == 0) why = log[k] + 7;
  mw_code rc = mw_fail(err, code, MW_NOWHERE, "%s %s: %s", j->file, what, why);
  for (size_t k = 0; !ierr && k < n; k++) gmshFree(log[k]);
  if (!ierr) gmshFree(log);
  return rc;
}

// ---- opening ----

typedef struct format {
  const char *ending, *kernel;  // kernel: gmsh's name of it, NULL: a script
  bool has_unit;
  mw_code (*check)(job *j, mw_error *err);  // NULL: a script
} format;

static const format formats[] = {
  { ".step", "step", true, step_check },  { ".stp", "step", true, step_check },
  { ".iges", "iges", true, iges_check },  { ".igs", "iges", true, iges_check },
  { ".brep", "brep", false, brep_check }, { ".brp", "brep", false, brep_check },
  { ".geo", NULL, false, NULL },
};

static mw_code find_format(const job *j, const format **out, mw_error *err)
{
  const char *dot = strrchr(j->file, '.');
  for (size_t k = 0; dot != NULL && k < sizeof formats / sizeof *formats; k++)
    if (strcasecmp(dot, formats[k].ending) == 0) {
      *out = &formats[k];
      return MW_OK;
    }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%s: expected .step, .stp, .iges, .igs, .brep or .geo", j->file);
}

// The first bytes tell a STEP or BREP file; OpenCASCADE is not careful with others.
static mw_code check_begin(const job *j, const format *f, mw_error *err)
{
  char head[256] = { 0 };
  FILE *file = fopen(j->file, "rb");
  if (file == NULL) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s cannot be opened", j->file);
  size_t n = fread(head, 1, sizeof head - 1, file);
  fclose(file);
  if (n == 0) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s is empty", j->file);
  const char *mark = f->kernel == NULL                ? ""
                     : strcmp(f->kernel, "step") == 0 ? "ISO-10303-21"
                     : strcmp(f->kernel, "brep") == 0 ? "CASCADE Topology"
                                                      : "";
  if (strstr(head, mark) == NULL)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s is not a %s file: it does not begin with %s",
                   j->file, f->kernel, mark);
  return MW_OK;
}

static mw_code open_file(job *j, double *unit, mw_error *err)
{
  const format *f = NULL;
  mw_code rc = find_format(j, &f, err);
  if (rc == MW_OK) rc = check_begin(j, f, err);
  if (rc != MW_OK) return rc;
  if (f->has_unit && j->scale > 0.0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%s: %s files say their unit of length themselves: no unit or scale here",
                   j->file, f->ending);
  if (!f->has_unit && !(j->scale > 0.0) && !j->convert)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%s: %s files do not say their unit of length: unit or scale is needed", j->file,
                   f->ending);
  *unit = f->has_unit ? 1e-3 : j->scale;
  if (f->check != NULL) rc = f->check(j, err);
  if (rc != MW_OK) return rc;
  int ierr;
  if (f->kernel == NULL) {
    gmshOpen(j->file, &ierr);
    return ierr ? cad_fail(j, MW_ERR_INPUT, "cannot be read", err) : MW_OK;
  }
  int *shape = NULL;
  size_t n = 0;
  bool iges = strcmp(f->kernel, "iges") == 0;
  // the IGES reader knows no target unit before its first file; OpenCASCADE's own is the millimetre
  if (!iges) gmshOptionSetString("Geometry.OCCTargetUnit", "MM", &ierr);
  if (iges) gmshOptionSetNumber("Geometry.Tolerance", sewing, &ierr);
  gmshOptionSetNumber("Geometry.OCCSewFaces", iges, &ierr);
  gmshOptionSetNumber("Geometry.OCCMakeSolids", iges, &ierr);
  gmshModelOccImportShapes(j->file, &shape, &n, 1, f->kernel, &ierr);
  if (!ierr) gmshFree(shape);
  if (!ierr) gmshModelOccSynchronize(&ierr);
  return ierr ? cad_fail(j, MW_ERR_INPUT, "cannot be read (truncated or damaged?)", err) : MW_OK;
}

// ---- solids, faces, edges ----

// Tags of dimension dim. [n]
static mw_code entities(job *j, int dim, int **tag, int *n, mw_error *err)
{
  int ierr, *pair = NULL;
  size_t n_pair = 0;
  gmshModelGetEntities(&pair, &n_pair, dim, &ierr);
  if (ierr) return cad_fail(j, MW_ERR_INPUT, "cannot be read", err);
  *n = (int)(n_pair / 2);
  *tag = mw_arena_int(&j->mem, n_pair / 2);
  mw_code rc = mw_arena_check(&j->mem, err);
  for (int k = 0; rc == MW_OK && k < *n; k++) (*tag)[k] = pair[2 * k + 1];
  gmshFree(pair);
  return rc;
}

// What bounds an entity, one dimension below; released by gmshFree. Returns the number.
static size_t bounds_of(int dim, int tag, int **down)
{
  int ierr, *up = NULL;
  size_t n_up = 0, n_down = 0;
  *down = NULL;
  gmshModelGetAdjacencies(dim, tag, &up, &n_up, down, &n_down, &ierr);
  if (ierr) return 0;
  gmshFree(up);
  return n_down;
}

static int by_value(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int index_of(const int *tag, int n, int wanted)
{
  const int *p = bsearch(&wanted, tag, (size_t)n, sizeof *tag, by_value);
  return p ? (int)(p - tag) : -1;
}

static int root(int *parent, int k)
{
  while (parent[k] != k) k = parent[k] = parent[parent[k]];
  return k;
}

// Keeps those tags of dimension dim that bound one of upper; joins pieces over shared ones.
//   piece  [n_upper] or NULL
static mw_code keep_bounds(job *j, int dim, const int *upper, int n_upper, int *piece, int *tag,
                           int *n, mw_error *err)
{
  int *owner = mw_arena_int(&j->mem, (size_t)*n), kept = 0;
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc != MW_OK) return rc;
  qsort(tag, (size_t)*n, sizeof *tag, by_value);
  for (int k = 0; k < *n; k++) owner[k] = -1;
  for (int s = 0; s < n_upper; s++) {
    int *down;
    size_t n_down = bounds_of(dim + 1, upper[s], &down);
    for (size_t i = 0; i < n_down; i++) {
      int f = index_of(tag, *n, abs(down[i]));
      if (f < 0) continue;
      if (owner[f] >= 0 && piece != NULL) piece[root(piece, s)] = root(piece, owner[f]);
      owner[f] = s;
    }
    gmshFree(down);
  }
  for (int k = 0; k < *n; k++)
    if (owner[k] >= 0) tag[kept++] = tag[k];
  *n = kept;
  return MW_OK;
}

static mw_code find_entities(job *j, cad *c, mw_error *err)
{
  mw_code rc = entities(j, 3, &c->solid, &c->n_solid, err);
  if (rc == MW_OK) rc = entities(j, 2, &c->face, &c->n_face, err);
  if (rc == MW_OK) rc = entities(j, 1, &c->edge, &c->n_edge, err);
  if (rc != MW_OK) return rc;
  if (c->n_solid == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%s has no solids (%d loose faces, %d edges): export the part as a solid",
                   j->file, c->n_face, c->n_edge);
  int *piece = mw_arena_int(&j->mem, (size_t)c->n_solid), n_piece = 0;
  rc = mw_arena_check(&j->mem, err);
  for (int k = 0; rc == MW_OK && k < c->n_solid; k++) piece[k] = k;
  if (rc == MW_OK) rc = keep_bounds(j, 2, c->solid, c->n_solid, piece, c->face, &c->n_face, err);
  if (rc == MW_OK) rc = keep_bounds(j, 1, c->face, c->n_face, NULL, c->edge, &c->n_edge, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < c->n_solid; k++) n_piece += piece[k] == k;
  if (n_piece > 1 && !j->parts)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "%s has %d solids in %d pieces that share no face: unite them in the CAD program, glue "
        "them by "
        "a gmsh script (SetFactory(\"OpenCASCADE\"); Merge \"...\"; Coherence;), or make each a "
        "body",
        j->file, c->n_solid, n_piece);
  return MW_OK;
}

static mw_code find_box(const job *j, cad *c, mw_error *err)
{
  int ierr;
  gmshModelGetBoundingBox(-1, -1, &c->lo[0], &c->lo[1], &c->lo[2], &c->hi[0], &c->hi[1], &c->hi[2],
                          &ierr);
  for (int i = 0; i < 3; i++) c->diagonal = hypot(c->diagonal, c->hi[i] - c->lo[i]);
  if (ierr || !(c->diagonal > 0.0 && isfinite(c->diagonal)))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: the solids have no extent", j->file);
  return MW_OK;
}

// Equation (1), kernel units; false where OpenCASCADE does not know the solids.
static bool integrate(const cad *c, double *V, double centre[3], double I[6])
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  double first[3] = { 0 };
  int ierr;
  *V = 0.0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < c->n_solid; k++) {
      double v = 0.0, d[3] = { 0 }, *A = NULL;
      size_t n = 0;
      gmshModelOccGetMass(3, c->solid[k], &v, &ierr);
      if (!ierr) gmshModelOccGetCenterOfMass(3, c->solid[k], &d[0], &d[1], &d[2], &ierr);
      if (ierr) return false;
      if (pass == 0) {
        *V += v;
        for (int i = 0; i < 3; i++) first[i] += v * d[i];
        continue;
      }
      gmshModelOccGetMatrixOfInertia(3, c->solid[k], &A, &n, &ierr);
      if (ierr || n != 9) return false;
      for (int i = 0; i < 3; i++) centre[i] = first[i] / *V, d[i] -= centre[i];
      double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      for (int i = 0; i < 6; i++)
        I[i] += A[3 * row[i] + col[i]] + v * ((i < 3 ? dd : 0.0) - d[row[i]] * d[col[i]]);
      gmshFree(A);
    }
  return *V > 0.0;
}

void cad_integrate(cad *c)
{
  double V, centre[3] = { 0 }, I[6] = { 0 };
  c->known = integrate(c, &V, centre, I);
  if (!c->known) return;
  c->volume = V * pow(c->unit, 3);
  for (int i = 0; i < 3; i++) c->centre[i] = centre[i] * c->unit;
  for (int i = 0; i < 6; i++) c->inertia[i] = I[i] * pow(c->unit, 5);
}

mw_code cad_read(job *j, cad *out, mw_error *err)
{
  cad c = { 0 };
  mw_code rc = open_file(j, &c.unit, err);
  if (rc == MW_OK) rc = find_entities(j, &c, err);
  if (rc == MW_OK) rc = find_box(j, &c, err);
  if (rc != MW_OK) return rc;
  cad_integrate(&c);
  *out = c;
  return MW_OK;
}

mw_code cad_convert(job *j, mw_error *err)
{
  double unit = 0.0;
  int ierr;
  mw_code rc = open_file(j, &unit, err);
  if (rc != MW_OK) return rc;
  gmshWrite(j->out, &ierr);
  return ierr ? cad_fail(j, MW_ERR_INPUT, "cannot be converted", err) : MW_OK;
}

// ---- the face or edge nearest to a point ----

static double gap(const double a[3], const double b[3])
{
  return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// Whether a point of the unbounded surface or curve is on the entity. gmsh 4.8 leaves the
// parameters of its closest points unset: they are asked for.
static bool is_inside(int dim, int tag, double x[3])
{
  double *u = NULL;
  size_t n = 0;
  int ierr, inside;
  gmshModelGetParametrization(dim, tag, x, 3, &u, &n, &ierr);
  if (ierr) return false;
  inside = gmshModelIsInside(dim, tag, u, n, &ierr);
  gmshFree(u);
  return !ierr && inside;
}

// To the orthogonal projection on the entity, INFINITY where there is none inside it.
static double projected(int dim, int tag, const double x[3])
{
  double at[3] = { x[0], x[1], x[2] }, *foot = NULL, *u = NULL, d = INFINITY;
  size_t n = 0, n_u = 0;
  int ierr;
  if (dim == 0)
    gmshModelGetValue(0, tag, NULL, 0, &foot, &n, &ierr);
  else
    gmshModelGetClosestPoint(dim, tag, at, 3, &foot, &n, &u, &n_u, &ierr);
  if (ierr) return INFINITY;
  if (n == 3 && isfinite(foot[0]) && (dim == 0 || is_inside(dim, tag, foot))) d = gap(x, foot);
  gmshFree(foot);
  gmshFree(u);
  return d;
}

static double distance_to(int dim, int tag, const double x[3])
{
  double d = projected(dim, tag, x);
  if (dim == 0) return d;
  int *down;
  size_t n = bounds_of(dim, tag, &down);
  for (size_t k = 0; k < n; k++) {
    double e = projected(dim - 1, abs(down[k]), x);
    // an edge without a foot: its ends, by recursion of depth two at most
    if (!isfinite(e) && dim == 2) e = distance_to(1, abs(down[k]), x);
    d = fmin(d, e);
  }
  gmshFree(down);
  return d;
}

// A bound from below: distance to the bounding box.
static double distance_to_box(int dim, int tag, const double x[3])
{
  double lo[3], hi[3], d = 0.0;
  int ierr;
  gmshModelGetBoundingBox(dim, tag, &lo[0], &lo[1], &lo[2], &hi[0], &hi[1], &hi[2], &ierr);
  if (ierr) return 0.0;
  for (int i = 0; i < 3; i++) d = hypot(d, fmax(0.0, fmax(lo[i] - x[i], x[i] - hi[i])));
  return d;
}

static mw_code find_group(const job *j, const cad *c, job_group *g, mw_error *err)
{
  const int *tag = g->dim == 2 ? c->face : c->edge, n = g->dim == 2 ? c->n_face : c->n_edge;
  const char *what = g->dim == 2 ? "face" : "edge";
  double x[3], best = INFINITY, second = INFINITY, slack = 1e-3 * c->diagonal;
  int rival = 0;
  for (int i = 0; i < 3; i++) x[i] = g->x[i] / c->unit;
  for (int k = 0; k < n; k++) {
    if (distance_to_box(g->dim, tag[k], x) > second + slack) continue;
    double d = distance_to(g->dim, tag[k], x);
    if (d < best) {
      second = best, rival = g->tag;
      best = d, g->tag = tag[k];
    } else if (d < second) {
      second = d, rival = tag[k];
    }
  }
  if (!(best <= off_part * c->diagonal))
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "group %s: the %s of %s nearest to (%g, %g, %g) m is %.3g m away (the part measures "
        "%.3g x %.3g x %.3g m)",
        g->name, what, j->file, g->x[0], g->x[1], g->x[2], best * c->unit,
        (c->hi[0] - c->lo[0]) * c->unit, (c->hi[1] - c->lo[1]) * c->unit,
        (c->hi[2] - c->lo[2]) * c->unit);
  if (second - best <= apart * c->diagonal)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "group %s: (%g, %g, %g) m is as near to %s %d as to %s %d: take a point inside one",
        g->name, g->x[0], g->x[1], g->x[2], what, g->tag, what, rival);
  return MW_OK;
}

mw_code cad_groups(job *j, const cad *c, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < j->n_group; k++) rc = find_group(j, c, &j->group[k], err);
  return rc;
}
