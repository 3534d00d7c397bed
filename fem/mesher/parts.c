// SPDX-License-Identifier: BSD-3-Clause
// parts.c: the solids of a CAD file one by one, with their flat and cylindrical faces.
//
//   solid NAME                         as the file calls it, up to the end of the line
//   volume V                           m³
//   centre x y z                       m
//   inertia xx yy zz xy xz yz          m⁵ about the centre
//   box x y z x y z                    m, lowest and highest corner
//   plane x y z nx ny nz  LO HI        a point, the normal out of the solid
//   cylinder x y z ax ay az R  LO HI   a point of the axis, the axis, the radius, below 0 of a hole
//   end
//
// LO HI: box of the face, x y z x y z. Faces follow their solid. A cylinder x(u, v) is parametrized
// by its angle u and the travel v along its axis: x_v is the axis and x + x_uu the axis' point.
#include <gmshc.h>
#include <math.h>
#include <string.h>

#include "mesher_priv.h"

typedef struct point {  // of a face, kernel units
  double x[3], normal[3];
  double x_v[3], x_uu[3];
} point;

static void print_vec(FILE *f, const double *x, int n, double unit)
{
  for (int i = 0; i < n; i++) fprintf(f, " %.17g", x[i] * unit + 0.0);
}

// The face's own point in the middle of its parameters.
static bool middle(int face, point *p)
{
  double *lo = NULL, *hi = NULL, *x = NULL, *normal = NULL, *d = NULL, *dd = NULL, uv[2];
  size_t n = 0, n_hi = 0;
  int ierr;
  gmshModelGetParametrizationBounds(2, face, &lo, &n, &hi, &n_hi, &ierr);
  if (ierr || n != 2 || n_hi != 2) return false;
  for (int i = 0; i < 2; i++) uv[i] = 0.5 * (lo[i] + hi[i]);
  gmshFree(lo);
  gmshFree(hi);
  gmshModelGetValue(2, face, uv, 2, &x, &n, &ierr);
  if (!ierr) gmshModelGetNormal(face, uv, 2, &normal, &n, &ierr);
  if (!ierr) gmshModelGetDerivative(2, face, uv, 2, &d, &n, &ierr);
  if (!ierr) gmshModelGetSecondDerivative(2, face, uv, 2, &dd, &n, &ierr);
  for (int i = 0; !ierr && i < 3; i++) {
    p->x[i] = x[i];
    p->normal[i] = normal[i];
    p->x_v[i] = d[3 + i];
    p->x_uu[i] = dd[i];
  }
  gmshFree(x);
  gmshFree(normal);
  gmshFree(d);
  gmshFree(dd);
  return !ierr;
}

static void print_box(FILE *f, int dim, int tag, double unit)
{
  double x[6] = { 0 };
  int ierr;
  gmshModelGetBoundingBox(dim, tag, &x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &ierr);
  print_vec(f, x, 6, unit);
}

static void print_cylinder(FILE *f, const point *p, double unit)
{
  double axis[3], foot[3], r = 0.0, length = 0.0, out = 0.0;
  for (int i = 0; i < 3; i++) {
    r = hypot(r, p->x_uu[i]);
    length = hypot(length, p->x_v[i]);
    out -= p->normal[i] * p->x_uu[i];
    foot[i] = p->x[i] + p->x_uu[i];
  }
  for (int i = 0; i < 3; i++) axis[i] = p->x_v[i] / length;
  if (out < 0.0) r = -r;
  fputs("cylinder", f);
  print_vec(f, foot, 3, unit);
  print_vec(f, axis, 3, 1.0);
  print_vec(f, &r, 1, unit);
}

// Faces of other kinds say nothing.
static void print_face(FILE *f, int face, double unit)
{
  int ierr;
  char *type = NULL;
  point p;
  gmshModelGetType(2, face, &type, &ierr);
  if (ierr) return;
  bool plane = strcmp(type, "Plane") == 0, cylinder = strcmp(type, "Cylinder") == 0;
  gmshFree(type);
  if (!(plane || cylinder) || !middle(face, &p)) return;
  if (plane) {
    fputs("plane", f);
    print_vec(f, p.x, 3, unit);
    print_vec(f, p.normal, 3, 1.0);
  } else {
    print_cylinder(f, &p, unit);
  }
  print_box(f, 2, face, unit);
  fputc('\n', f);
}

static mw_code print_solid(const job *j, FILE *f, const cad *c, int k, mw_error *err)
{
  cad one = { .unit = c->unit, .n_solid = 1, .solid = &c->solid[k] };
  int ierr, *up = NULL, *face = NULL;
  size_t n_up = 0, n_face = 0;
  char *name = NULL;
  cad_integrate(&one);
  if (!one.known)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%s: OpenCASCADE finds no volume in solid %d of %d: is it closed?", j->file,
                   k + 1, c->n_solid);
  gmshModelGetEntityName(3, c->solid[k], &name, &ierr);
  for (char *p = name; !ierr && *p != '\0'; p++)
    if (*p == '\n' || *p == '\r') *p = ' ';
  fprintf(f, "solid %s\nvolume %.17g\ncentre", ierr ? "" : name, one.volume);
  if (!ierr) gmshFree(name);
  print_vec(f, one.centre, 3, 1.0);
  fputs("\ninertia", f);
  print_vec(f, one.inertia, 6, 1.0);
  fputs("\nbox", f);
  print_box(f, 3, c->solid[k], c->unit);
  fputc('\n', f);
  gmshModelGetAdjacencies(3, c->solid[k], &up, &n_up, &face, &n_face, &ierr);
  for (size_t i = 0; !ierr && i < n_face; i++) print_face(f, face[i], c->unit);
  if (!ierr) gmshFree(up);
  if (!ierr) gmshFree(face);
  return MW_OK;
}

mw_code parts_write(job *j, const cad *c, mw_error *err)
{
  FILE *f = fopen(j->out, "w");
  if (f == NULL) return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%s cannot be written", j->out);
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < c->n_solid; k++) rc = print_solid(j, f, c, k, err);
  fputs("end\n", f);
  bool okay = ferror(f) == 0;
  okay = fclose(f) == 0 && okay;
  if (rc == MW_OK && !okay)
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%s cannot be written", j->out);
  return rc;
}
