// SPDX-License-Identifier: BSD-3-Clause
// import_cad.c: an assembly of a CAD program: a body a solid, with its mass and place, and joints
// proposed where faces of two solids lie on each other. Bodies have the axes of the file, their
// origins at their centres of mass.
//
// Two solids touch where flat faces lie in one plane with opposite normals (contact n), or where a
// shaft and a hole have one axis (fit a), and their boxes overlap there. What they hold:
//
//   fits                    contacts                  proposal
//   one axis                none                      cylindrical
//                           a normal along it         revolute
//                           normals across it alone   prismatic
//   several parallel axes   none                      prismatic
//   several axes else                                 fixed
//   none                    one normal                planar
//                           normals in a plane        prismatic, across them
//                           three independent ones    fixed
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/cad.h"
#include "import_priv.h"

// What counts as the same, as a share of the assembly's size; sine of an angle.
static const double near_share = 1e-6, parallel = 1e-6;

typedef struct face {
  bool plane;
  double x[3], d[3];    // m; a point and the outer normal, or a point of the axis and the axis
  double r;             // m, of a cylinder, below 0: a hole
  double lo[3], hi[3];  // m
} face;

typedef struct part {
  double lo[3], hi[3];  // m
  int n_face, first;    // of its faces
} part;

typedef struct assembly {
  import_model *m;
  double near;  // m
  double size;  // m
  int n_part, n_face, room_part, room_face;
  part *part;  // [n_part]  as m->body
  face *face;  // [n_face]
  mw_error *err;
} assembly;

// ---- the list of solids -------------------------------------------------------------------------

static void *grow(mw_arena *mem, void *array, int n, int *room, size_t size)
{
  if (n < *room) return array;
  int wanted = 2 * *room + 64;
  void *more = mw_arena_alloc(mem, (size_t)wanted, size);
  if (more && n > 0) memcpy(more, array, (size_t)n * size);
  if (more) *room = wanted;
  return more;
}

static int numbers(const char *p, double *x, int n)
{
  char *end;
  int got = 0;
  for (; got < n; got++, p = end) {
    x[got] = strtod(p, &end);
    if (end == p) break;
  }
  return got;
}

static mw_code odd(const assembly *w)
{
  return mw_fail(w->err, MW_ERR_IO, (mw_at){ .file = w->m->path },
                 "the program modeway-mesher is of another version than this program");
}

static mw_code add_solid(assembly *w, const char *text)
{
  const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
  mw_at at = { .file = w->m->path };
  if (!*name) name = mw_arena_printf(w->m->mem, "solid_%d", w->n_part + 1);
  part *all = grow(w->m->mem, w->part, w->n_part, &w->room_part, sizeof *all);
  mw_code rc = mw_arena_check(w->m->mem, w->err);
  if (rc != MW_OK) return rc;
  w->part = all;
  all[w->n_part++] = (part){ .first = w->n_face };
  name = import_name(w->m, 'b', -1, name, at);
  return import_add_body(w->m, name, at) ? MW_OK : mw_arena_check(w->m->mem, w->err);
}

static mw_code add_face(assembly *w, bool plane, const char *text)
{
  double v[13];
  int n = plane ? 12 : 13;
  face *all = grow(w->m->mem, w->face, w->n_face, &w->room_face, sizeof *all);
  mw_code rc = mw_arena_check(w->m->mem, w->err);
  if (rc != MW_OK) return rc;
  w->face = all;
  if (w->n_part == 0 || numbers(text, v, n) != n) return odd(w);
  face *f = &all[w->n_face++];
  *f = (face){ .plane = plane, .r = plane ? 0.0 : v[6] };
  for (int i = 0; i < 3; i++) {
    f->x[i] = v[i];
    f->d[i] = v[3 + i];
    f->lo[i] = v[n - 6 + i];
    f->hi[i] = v[n - 3 + i];
  }
  w->part[w->n_part - 1].n_face++;
  return MW_OK;
}

static mw_code read_line(assembly *w, const char *line, double density, bool *end)
{
  double v[6] = { 0 };
  *end = strcmp(line, "end") == 0;
  if (strncmp(line, "solid ", 6) == 0) return add_solid(w, line + 6);
  if (strncmp(line, "plane ", 6) == 0) return add_face(w, true, line + 6);
  if (strncmp(line, "cylinder ", 9) == 0) return add_face(w, false, line + 9);
  if (*end) return MW_OK;
  if (w->n_part == 0) return odd(w);
  import_body *b = &w->m->body[w->m->n_body - 1];
  part *p = &w->part[w->n_part - 1];
  if (strncmp(line, "volume ", 7) == 0 && numbers(line + 7, v, 1) == 1) {
    b->mass.m = density * v[0];
    b->comment = mw_arena_printf(w->m->mem, "volume %.9g m3", v[0]);
  } else if (strncmp(line, "centre ", 7) == 0 && numbers(line + 7, v, 3) == 3) {
    memcpy(b->place.x, v, sizeof b->place.x);
  } else if (strncmp(line, "inertia ", 8) == 0 && numbers(line + 8, v, 6) == 6) {
    for (int i = 0; i < 6; i++) b->mass.inertia[i] = density * v[i];
  } else if (strncmp(line, "box ", 4) == 0 && numbers(line + 4, v, 6) == 6) {
    memcpy(p->lo, v, sizeof p->lo);
    memcpy(p->hi, v + 3, sizeof p->hi);
  } else {
    return odd(w);
  }
  return MW_OK;
}

static mw_code read_list(assembly *w, const char *path, double density)
{
  char *line = NULL;
  size_t room = 0;
  bool end = false;
  FILE *f = fopen(path, "r");
  mw_code rc = f ? MW_OK : odd(w);
  while (rc == MW_OK && !end && getline(&line, &room, f) > 0) {
    line[strcspn(line, "\n")] = '\0';
    rc = read_line(w, line, density, &end);
  }
  if (rc == MW_OK && !end) rc = odd(w);
  free(line);
  if (f) fclose(f);
  return rc;
}

// ---- faces that lie on each other ---------------------------------------------------------------

enum { MAX_WAY = 8 };  // different axes and normals of a pair that are kept

typedef struct pair {
  int a, b;
  int n_axis, n_normal;
  double axis[MAX_WAY][3], foot[MAX_WAY][3];  // of fits
  double shaft, hole;                         // m, radii of the first
  double normal[MAX_WAY][3], at[MAX_WAY][3];  // of contacts
} pair;

static bool is_parallel(const double a[3], const double b[3])
{
  double c[3];
  mw_cross3(a, b, c);
  return mw_norm3(c) <= parallel;
}

// Distance of point x from the line through p along d
static double off_line(const double x[3], const double p[3], const double d[3])
{
  double v[3] = { x[0] - p[0], x[1] - p[1], x[2] - p[2] }, c[3];
  mw_cross3(v, d, c);
  return mw_norm3(c);
}

// Axes of the boxes' common part that are longer than what counts as none; its middle.
static int common(const assembly *w, const double *lo_a, const double *hi_a, const double *lo_b,
                  const double *hi_b, double middle[3])
{
  int n = 0;
  for (int i = 0; i < 3; i++) {
    double lo = fmax(lo_a[i], lo_b[i]), hi = fmin(hi_a[i], hi_b[i]);
    if (hi < lo - w->near) return -1;
    n += hi - lo > 10.0 * w->near;
    middle[i] = 0.5 * (lo + hi);
  }
  return n;
}

static void add_contact(const assembly *w, pair *p, const face *a, const face *b)
{
  double d[3], middle[3];
  for (int i = 0; i < 3; i++) d[i] = b->x[i] - a->x[i];
  if (!is_parallel(a->d, b->d) || mw_dot3(a->d, b->d) > 0.0) return;
  if (fabs(mw_dot3(d, a->d)) > w->near || common(w, a->lo, a->hi, b->lo, b->hi, middle) < 2) return;
  for (int k = 0; k < p->n_normal; k++)
    if (is_parallel(p->normal[k], a->d)) return;
  if (p->n_normal == MAX_WAY) return;
  double off = 0.0;
  for (int i = 0; i < 3; i++) off += (middle[i] - a->x[i]) * a->d[i];
  for (int i = 0; i < 3; i++) {
    p->normal[p->n_normal][i] = a->d[i];
    p->at[p->n_normal][i] = middle[i] - off * a->d[i];
  }
  p->n_normal++;
}

static void add_fit(const assembly *w, pair *p, const face *a, const face *b)
{
  double middle[3];
  if (a->r * b->r > 0.0 || !is_parallel(a->d, b->d) || off_line(b->x, a->x, a->d) > w->near) return;
  const face *shaft = a->r > 0.0 ? a : b, *hole = a->r > 0.0 ? b : a;
  if (shaft->r > -hole->r + w->near) return;  // it does not go in
  if (common(w, a->lo, a->hi, b->lo, b->hi, middle) < 3) return;
  for (int k = 0; k < p->n_axis; k++)
    if (is_parallel(p->axis[k], a->d) && off_line(a->x, p->foot[k], p->axis[k]) <= w->near) return;
  if (p->n_axis == MAX_WAY) return;
  if (p->n_axis == 0) p->shaft = shaft->r, p->hole = -hole->r;
  double along = 0.0;
  for (int i = 0; i < 3; i++) along += (middle[i] - a->x[i]) * a->d[i];
  for (int i = 0; i < 3; i++) {
    p->axis[p->n_axis][i] = a->d[i];
    p->foot[p->n_axis][i] = a->x[i] + along * a->d[i];
  }
  p->n_axis++;
}

static void compare(const assembly *w, pair *p)
{
  const part *a = &w->part[p->a], *b = &w->part[p->b];
  double middle[3];
  if (common(w, a->lo, a->hi, b->lo, b->hi, middle) < 0) return;
  for (int i = a->first; i < a->first + a->n_face; i++)
    for (int k = b->first; k < b->first + b->n_face; k++) {
      const face *f = &w->face[i], *g = &w->face[k];
      if (f->plane && g->plane) add_contact(w, p, f, g);
      if (!f->plane && !g->plane) add_fit(w, p, f, g);
    }
}

// ---- proposals ----------------------------------------------------------------------------------

// Key of the joint, its axis (or normal) and point.
static const char *judge(const pair *p, double axis[3], double x[3])
{
  int along = 0, across = 0;
  const double *first = p->n_axis > 0 ? p->axis[0] : p->normal[0];
  memcpy(axis, first, 3 * sizeof *axis);
  memcpy(x, p->n_axis > 0 ? p->foot[0] : p->at[0], 3 * sizeof *x);
  if (p->n_axis > 0) {
    bool same = true;
    for (int k = 1; k < p->n_axis; k++) same = same && is_parallel(p->axis[k], first);
    for (int k = 0; k < p->n_normal; k++) {
      along += is_parallel(p->normal[k], first);
      across += fabs(mw_dot3(p->normal[k], first)) <= parallel;
    }
    if (p->n_axis > 1) return same && p->n_normal == 0 ? "prismatic" : "fixed";
    if (p->n_normal == 0) return "cylindrical";
    if (along > 0) return across > 0 ? "fixed" : "revolute";
    return across == p->n_normal ? "prismatic" : "fixed";
  }
  if (p->n_normal == 1) return "planar";
  double way[3];
  mw_cross3(p->normal[0], p->normal[1], way);
  double n = mw_norm3(way);
  for (int i = 0; i < 3; i++) way[i] /= n;
  for (int k = 2; k < p->n_normal; k++)
    if (fabs(mw_dot3(p->normal[k], way)) > parallel) return "fixed";
  memcpy(axis, way, sizeof way);
  return "prismatic";
}

static const char *point(assembly *w, int body, const char *name, const double x[3])
{
  const import_body *b = &w->m->body[body];
  double in[3];
  for (int i = 0; i < 3; i++) in[i] = x[i] - b->place.x[i];
  return import_point(w->m, body, name, in, b->at);
}

static void propose(assembly *w, const pair *p, FILE *f)
{
  double axis[3], x[3];
  const char *kind = judge(p, axis, x), *a = w->m->body[p->a].name, *b = w->m->body[p->b].name;
  const char *name = mw_arena_printf(w->m->mem, "joint_%d", w->m->n_proposed + 1);
  if (!name) return;
  const char *at_a = point(w, p->a, name, x), *at_b = point(w, p->b, name, x);
  bool fixed = strcmp(kind, "fixed") == 0, planar = strcmp(kind, "planar") == 0;
  if (w->m->n_proposed++ == 0)
    fputs(
        "\n# Proposed where faces are coaxial or coplanar; a proposal may be wrong, and what moves "
        "without\n# touching is not seen. Take the # from joints: and from each joint that is "
        "meant. One body has\n# to stand: ground: true.\n# joints:\n",
        f);
  fprintf(f, "#   %s:  # %s, %s:", name, a, b);
  if (p->n_axis > 0)
    fprintf(f, " %d common ax%s, shaft of radius %.6g m in a hole of %.6g m;", p->n_axis,
            p->n_axis == 1 ? "is" : "es", p->shaft, p->hole);
  if (p->n_normal > 0)
    fprintf(f, " flat contact with %d normal%s;", p->n_normal, p->n_normal == 1 ? "" : "s");
  fprintf(f, " to be confirmed\n#     %s: { a: %s%s%s, b: %s%s%s", kind, a, at_a ? "." : "",
          at_a ? at_a : "", b, at_b ? "." : "", at_b ? at_b : "");
  if (!fixed)
    fprintf(f, ", %s: [%.17g, %.17g, %.17g]", planar ? "normal" : "axis", axis[0] + 0.0,
            axis[1] + 0.0, axis[2] + 0.0);
  fputs(" }\n", f);
}

static mw_code propose_all(assembly *w)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return mw_fail(w->err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (int a = 0; a < w->n_part; a++)
    for (int b = a + 1; b < w->n_part; b++) {
      pair p = { .a = a, .b = b };
      compare(w, &p);
      if (p.n_axis + p.n_normal > 0) propose(w, &p, f);
    }
  if (w->m->n_proposed == 0)
    fputs("\n# No faces of two solids are coaxial or coplanar: joints: follow here.\n", f);
  bool okay = fclose(f) == 0;
  w->m->tail = okay ? mw_arena_str(w->m->mem, text) : NULL;
  free(text);
  return mw_arena_check(w->m->mem, w->err);
}

mw_code import_cad(const mw_import_opt *opt, import_model *m, mw_error *err)
{
  assembly w = { .m = m, .err = err };
  mw_cad_in cad = { .file = m->path, .at = { .file = m->path } };
  mw_cad_props props;
  const char *path = NULL;
  double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY };
  if (opt->free_base)
    return mw_fail(err, MW_ERR_INPUT, cad.at, "--free-base is for URDF, found a CAD file");
  if (!(opt->density > 0.0))
    return mw_fail(err, MW_ERR_INPUT, cad.at,
                   "a CAD file says no masses: expected --density, in kg/m3");
  mw_code rc = mw_cad_solids(&cad, m->mem, &path, &props, err);
  if (rc == MW_OK) rc = read_list(&w, path, opt->density);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < w.n_part; k++)
    for (int i = 0; i < 3; i++) {
      lo[i] = fmin(lo[i], w.part[k].lo[i]);
      hi[i] = fmax(hi[i], w.part[k].hi[i]);
    }
  for (int i = 0; i < 3; i++) w.size = hypot(w.size, hi[i] - lo[i]);
  w.near = near_share * w.size;
  m->head = mw_arena_printf(m->mem,
                            "# %d solids of %g kg/m3; each body has the axes of the file, its "
                            "origin at its centre of mass.\n",
                            w.n_part, opt->density);
  return propose_all(&w);
}
