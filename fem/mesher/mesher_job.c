// SPDX-License-Identifier: BSD-3-Clause
// mesher_job.c: the command line of modeway-mesher.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesher_priv.h"

static const char help[] =
    "usage: modeway-mesher FILE -o MESH.msh --size H [options]\n"
    "       modeway-mesher FILE -o PART.step|PART.brep\n"
    "       modeway-mesher FILE -o LIST.parts\n"
    "meshes the solids of a CAD file by gmsh; all lengths are metres\n"
    "\n"
    "FILE is STEP (.step .stp), IGES (.iges .igs), BREP (.brep) or a gmsh script (.geo). STEP and\n"
    "IGES declare their unit of length, the others need --scale. A script is a program, it can do\n"
    "whatever gmsh can.\n"
    "\n"
    "  -o FILE                     gmsh mesh 4.1, binary; STEP or BREP: the geometry instead; "
    "lengths\n"
    "                              without unit become millimetres; .parts: a text, the solids "
    "one\n"
    "                              by one with their integrals and their flat and cylindrical "
    "faces\n"
    "  --size H                    of the elements\n"
    "  --order N                   1 or 2 (default): 4-node or 10-node tetrahedra\n"
    "  --scale S                   metres a unit of length of a BREP file or script\n"
    "  --face NAME X Y Z           names the face nearest to a point\n"
    "  --edge NAME X Y Z           names the edge nearest to a point\n"
    "  --near NAME H D             size H within the distance D of a named face or edge\n"
    "  --near-point X Y Z H D      the same around a point; --size holds from 2 D on\n"
    "  --verbose                   what gmsh has to say, on standard error\n"
    "\n"
    "Physical groups of the mesh: solid (several: solid_1, solid_2, ...; groups of volumes that a\n"
    "script defines stay), face_N and edge_N for every face and edge, and the names given. Prints "
    "the\n"
    "integrals of the CAD model (volume, centre, inertia about it for unit density: xx yy zz xy "
    "xz\n"
    "yz) and counts, a line each. Same file and options, same bytes.\n"
    "Exit status: 0 done, 1 gmsh cannot mesh it, 2 wrong input.\n";

void job_print_help(FILE *f) { fputs(help, f); }

typedef struct args {
  int n, k;  // k: next argument
  char **a;
  const char *option;  // being read
} args;

static mw_code next_text(args *s, const char **out, mw_error *err)
{
  if (s->k >= s->n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s lacks an argument", s->option);
  *out = s->a[s->k++];
  return MW_OK;
}

static mw_code next_number(args *s, double *out, mw_error *err)
{
  const char *text = "";
  mw_code rc = next_text(s, &text, err);
  if (rc != MW_OK) return rc;
  char *end;
  errno = 0;
  *out = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(*out))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: found '%s', expected a number", s->option,
                   text);
  return MW_OK;
}

static mw_code next_positive(args *s, double *out, mw_error *err)
{
  mw_code rc = next_number(s, out, err);
  if (rc == MW_OK && !(*out > 0.0))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s is %g, must be positive", s->option + 2, *out);
  return rc;
}

static mw_code next_point(args *s, double x[3], mw_error *err)
{
  mw_code rc = MW_OK;
  for (int c = 0; rc == MW_OK && c < 3; c++) rc = next_number(s, &x[c], err);
  return rc;
}

// solid, solid_N, face_N, edge_N are made by ourselves
static bool is_taken(const char *name)
{
  static const char *const stem[] = { "solid", "face_", "edge_" };
  for (int k = 0; k < 3; k++) {
    size_t n = strlen(stem[k]);
    if (strncmp(name, stem[k], n) != 0) continue;
    const char *rest = name + n;
    if (k == 0 && *rest == '\0') return true;
    if (k == 0 && *rest++ != '_') continue;
    if (*rest && strspn(rest, "0123456789") == strlen(rest)) return true;
  }
  return false;
}

static mw_code next_group(args *s, int dim, job *j, mw_error *err)
{
  job_group *g = &j->group[j->n_group];
  mw_code rc = next_text(s, &g->name, err);
  if (rc != MW_OK) return rc;
  g->dim = dim;
  if (g->name[0] == '\0' || strpbrk(g->name, "\"\n\r") != NULL)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: a name without quotes is expected",
                   s->option);
  if (is_taken(g->name))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "group %s: solid, solid_N, face_N and edge_N are names the mesher gives itself",
                   g->name);
  for (int k = 0; k < j->n_group; k++)
    if (strcmp(j->group[k].name, g->name) == 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "group %s: defined twice", g->name);
  j->n_group++;
  return next_point(s, g->x, err);
}

static mw_code next_near(args *s, bool point, job *j, mw_error *err)
{
  job_refine *r = &j->refine[j->n_refine++];
  mw_code rc = MW_OK;
  r->group = -1;
  if (point) {
    rc = next_point(s, r->x, err);
  } else {
    const char *name = "";
    rc = next_text(s, &name, err);
    for (int k = 0; rc == MW_OK && k < j->n_group; k++)
      if (strcmp(j->group[k].name, name) == 0) r->group = k;
    if (rc == MW_OK && r->group < 0)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "refine %d: no face or edge before it is called %s", j->n_refine, name);
  }
  if (rc == MW_OK) rc = next_positive(s, &r->size, err);
  return rc == MW_OK ? next_positive(s, &r->distance, err) : rc;
}

static mw_code next_option(args *s, job *j, mw_error *err)
{
  double order = 0.0;
  const char *o = s->option;
  if (strcmp(o, "-o") == 0) return next_text(s, &j->out, err);
  if (strcmp(o, "--size") == 0) return next_positive(s, &j->size, err);
  if (strcmp(o, "--scale") == 0) return next_positive(s, &j->scale, err);
  if (strcmp(o, "--face") == 0) return next_group(s, 2, j, err);
  if (strcmp(o, "--edge") == 0) return next_group(s, 1, j, err);
  if (strcmp(o, "--near") == 0) return next_near(s, false, j, err);
  if (strcmp(o, "--near-point") == 0) return next_near(s, true, j, err);
  if (strcmp(o, "--verbose") == 0) {
    j->verbose = true;
    return MW_OK;
  }
  if (strcmp(o, "--order") == 0) {
    mw_code rc = next_number(s, &order, err);
    if (rc == MW_OK && order != 1.0 && order != 2.0)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "order is %g, must be 1 or 2", order);
    j->order = (int)order;
    return rc;
  }
  if (o[0] == '-')
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "unknown option %s; see modeway-mesher --help",
                   o);
  if (j->file != NULL)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "one file is expected, found %s as well", o);
  j->file = o;
  return MW_OK;
}

static mw_code check(job *j, mw_error *err)
{
  if (j->file == NULL || j->out == NULL)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "a CAD file and -o are needed; see modeway-mesher --help");
  const char *dot = strrchr(j->out, '.');
  bool msh = dot != NULL && strcmp(dot, ".msh") == 0;
  j->convert = dot != NULL && (strcmp(dot, ".step") == 0 || strcmp(dot, ".brep") == 0);
  j->parts = dot != NULL && strcmp(dot, ".parts") == 0;
  if (!msh && !j->convert && !j->parts)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "-o %s: a name that ends in .msh (mesh), .step or .brep (geometry) or .parts "
                   "(list of solids) is expected",
                   j->out);
  if (j->convert && j->scale > 0.0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "-o %s: lengths are not scaled, leave out --scale", j->out);
  if (msh && !(j->size > 0.0)) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--size is needed");
  return MW_OK;
}

mw_code job_read(int argc, char **argv, job *out, mw_error *err)
{
  args s = { .n = argc, .k = 1, .a = argv };
  job j = { .order = 2 };
  j.group = mw_arena_alloc(&j.mem, (size_t)argc, sizeof *j.group);
  j.refine = mw_arena_alloc(&j.mem, (size_t)argc, sizeof *j.refine);
  mw_code rc = mw_arena_check(&j.mem, err);
  while (rc == MW_OK && s.k < s.n) {
    s.option = s.a[s.k++];
    rc = next_option(&s, &j, err);
  }
  if (rc == MW_OK) rc = check(&j, err);
  if (rc == MW_OK)
    *out = j;
  else
    mw_arena_free(&j.mem);
  return rc;
}
