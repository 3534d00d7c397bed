// SPDX-License-Identifier: BSD-3-Clause
// mjcf_tree.c: the tree of an MJCF file: included files, settings of the
// compiler, classes of defaults, orientations (mujoco.readthedocs.io, XML
// reference).
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "mjcf_priv.h"

// ---- included files
// -----------------------------------------------------------------------------

static const char *beside(const char *path, const char *file, mw_arena *mem)
{
  const char *slash = strrchr(path, '/');
  if (file[0] == '/' || !slash) return mw_arena_str(mem, file);
  return mw_arena_printf(mem, "%.*s/%s", (int)(slash - path), path, file);
}

// The children of the included file in place of e; returns the first of them or
// what follows e.
static mw_code splice(mjcf *w, xml_node *parent, xml_node *before, xml_node *e, int *n_file)
{
  const char *file = NULL;
  xml_node *root = NULL;
  mw_code rc = xml_need(e, "file", &file, w->err);
  if (rc != MW_OK) return rc;
  const char *path = beside(w->m->path, file, w->m->mem);
  rc = mw_arena_check(w->m->mem, w->err);
  if (rc == MW_OK && ++*n_file > MJCF_DEPTH)
    rc = mw_fail(w->err, MW_ERR_INPUT, e->at,
                 "found more than %d included files: does one include itself?", (int)MJCF_DEPTH);
  if (rc == MW_OK) rc = xml_read(path, w->m->mem, &root, w->err);
  if (rc != MW_OK) return rc;
  xml_node *next = e->next, *first = root->first ? root->first : next;
  if (root->last) root->last->next = next;
  if (before)
    before->next = first;
  else
    parent->first = first;
  if (parent->last == e) parent->last = root->last ? root->last : before;
  for (xml_node *c = root->first; c; c = c->next) {
    c->parent = parent;
    if (c == root->last) break;
  }
  return MW_OK;
}

mw_code mjcf_include(mjcf *w, xml_node *root)
{
  mw_code rc = MW_OK;
  int n_file = 0;
  // depth first, without recursion
  for (xml_node *parent = root; parent && rc == MW_OK;) {
    xml_node *before = NULL, *e = parent->first;
    while (e && rc == MW_OK) {
      if (strcmp(e->name, "include") == 0) {
        rc = splice(w, parent, before, e, &n_file);
        e = before ? before->next : parent->first;
      } else {
        before = e;
        e = e->next;
      }
    }
    xml_node *next = parent->first;
    while (!next && parent) {
      next = parent == root ? NULL : parent->next;
      if (!next) parent = parent == root ? NULL : parent->parent;
    }
    parent = next;
  }
  return rc;
}

// ---- classes
// ------------------------------------------------------------------------------------

// Without recursion: classes nest as deep as the file has them.
static const xml_node *find_class(const xml_node *top, const char *name)
{
  for (const xml_node *d = top; d;) {
    const char *own = xml_text(d, "class");
    const xml_node *next = xml_child(d, "default");
    if (own && strcmp(own, name) == 0) return d;
    while (!next && d && d != top) {
      next = xml_next(d, "default");
      if (!next) d = d->parent;
    }
    d = next;
  }
  return NULL;
}

static const xml_node *class_of(const mjcf *w, const char *name)
{
  const xml_node *d = NULL;
  for (const xml_node *t = xml_child(w->root, "default"); t && name && !d;
       t = xml_next(t, "default"))
    d = find_class(t, name);
  return d;
}

// Classes that elements name are there; "main" is the one of all, named or not.
static mw_code check_classes(const mjcf *w)
{
  static const char *const key[] = { "class", "childclass" };
  for (const xml_node *e = w->root; e;) {
    const xml_node *next = strcmp(e->name, "default") == 0 ? NULL : e->first;
    for (size_t k = 0; k < 2 && strcmp(e->name, "default") != 0; k++) {
      const xml_attr *a = xml_find(e, key[k]);
      if (a && strcmp(a->value, "main") != 0 && !class_of(w, a->value))
        return mw_fail(w->err, MW_ERR_INPUT, a->at,
                       "%s: found %.64s, expected the class of a default", key[k], a->value);
    }
    while (!next && e != w->root) {
      next = e->next;
      e = e->parent;
    }
    e = next;
  }
  return MW_OK;
}

// ---- settings
// -----------------------------------------------------------------------------------

static bool is_true(const char *text) { return strcmp(text, "true") == 0; }

static mw_code read_compiler(mjcf *w, const xml_node *e)
{
  const char *angle = xml_text(e, "angle"), *seq = xml_text(e, "eulerseq"),
             *coordinate = xml_text(e, "coordinate"), *limits = xml_text(e, "autolimits"),
             *geom = xml_text(e, "inertiafromgeom");
  if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
    return mw_fail(w->err, MW_ERR_INPUT, xml_find(e, "angle")->at,
                   "compiler: found angle %.32s, expected radian or degree", angle);
  if (angle && strcmp(angle, "radian") == 0) w->angle = 1.0;
  if (angle && strcmp(angle, "degree") == 0) w->angle = PI / 180.0;
  if (limits) w->autolimits = is_true(limits);
  if (geom) w->from_geom = strcmp(geom, "auto") == 0 ? -1 : is_true(geom);
  if (coordinate && strcmp(coordinate, "local") != 0)
    return mw_fail(w->err, MW_ERR_INPUT, xml_find(e, "coordinate")->at,
                   "compiler: found coordinate %.32s, expected local", coordinate);
  if (seq && (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3))
    return mw_fail(w->err, MW_ERR_INPUT, xml_find(e, "eulerseq")->at,
                   "compiler: found eulerseq %.32s, expected three of x y z X Y Z", seq);
  if (seq) memcpy(w->eulerseq, seq, 4);
  mw_code rc = xml_vec(e, "settotalmass", 1, &w->total_mass, w->err);
  mjcf_name_rest(w, e, "compiler",
                 " angle eulerseq coordinate autolimits inertiafromgeom settotalmass meshdir "
                 "texturedir assetdir ");
  return rc;
}

mw_code mjcf_settings(mjcf *w)
{
  mw_code rc = check_classes(w);
  for (const xml_node *e = w->root->first; e && rc == MW_OK; e = e->next) {
    if (strcmp(e->name, "compiler") == 0) rc = read_compiler(w, e);
    if (strcmp(e->name, "option") != 0) continue;
    rc = xml_vec(e, "gravity", 3, w->m->gravity, w->err);
    mjcf_name_rest(w, e, "option", " gravity ");
  }
  return rc;
}

void mjcf_name_rest(const mjcf *w, const xml_node *e, const char *what, const char *taken)
{
  char word[64];
  const char *list = NULL;
  for (const xml_attr *a = e->attr; a; a = a->next) {
    snprintf(word, sizeof word, " %.60s ", a->name);
    if (!strstr(taken, word))
      list = mw_arena_printf(w->m->mem, "%s%s%s", list ? list : "", list ? ", " : "", a->name);
  }
  if (list) import_note(w->m, e->at, "%s: not taken over: %s", what, list);
}

// ---- attributes
// ------------------------------------------------------------------------------------

static const xml_attr *attr_in(const xml_node *d, const char *element, const char *name)
{
  const xml_attr *last = NULL;
  for (const xml_node *c = xml_child(d, element); c; c = xml_next(c, element))
    if (xml_find(c, name)) last = xml_find(c, name);
  return last;
}

const xml_attr *mjcf_attr(const mjcf *w, const xml_node *e, const char *cls, const char *name)
{
  const xml_attr *a = xml_find(e, name);
  const char *own = xml_text(e, "class");
  const xml_node *top = xml_child(w->root, "default"), *d = NULL;
  if (a) return a;
  if (own) cls = own;
  d = class_of(w, cls);
  for (; d && d->parent && d->parent != w->root; d = d->parent)
    if ((a = attr_in(d, e->name, name)) != NULL) return a;
  for (; top; top = xml_next(top, "default"))
    if (attr_in(top, e->name, name)) a = attr_in(top, e->name, name);
  return a;
}

const char *mjcf_text(const mjcf *w, const xml_node *e, const char *cls, const char *name)
{
  const xml_attr *a = mjcf_attr(w, e, cls, name);
  return a ? a->value : NULL;
}

mw_code mjcf_vec(const mjcf *w, const xml_node *e, const char *cls, const char *name, int n,
                 double *x)
{
  const xml_attr *a = mjcf_attr(w, e, cls, name);
  double v[16];
  int got = 0;
  mw_code rc = a ? xml_list(a, n, n, v, &got, w->err) : MW_OK;
  for (int k = 0; rc == MW_OK && k < got; k++) x[k] = v[k];
  return rc;
}

// ---- orientations
// -------------------------------------------------------------------------------

static mw_code zero_length(const mjcf *w, const xml_attr *a)
{
  return mw_fail(w->err, MW_ERR_INPUT, a->at,
                 "%s: found a vector of length 0, expected a direction", a->name);
}

static mw_code from_quat(const mjcf *w, const xml_attr *a, const double q[4], double R[9])
{
  if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0)) return zero_length(w, a);
  if (q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0) import_quaternion(q, R);
  return MW_OK;
}

static mw_code from_axisangle(const mjcf *w, const xml_attr *a, const double v[4], double R[9])
{
  double n = mw_norm3(v), axis[3];
  if (!(n > 0.0)) return zero_length(w, a);
  for (int i = 0; i < 3; i++) axis[i] = v[i] / n;
  import_turn(axis, v[3] * w->angle, R);
  return MW_OK;
}

// x as given, y made normal to it
static mw_code from_xyaxes(const mjcf *w, const xml_attr *a, const double v[6], double R[9])
{
  double n = mw_norm3(v), x[3], y[3], z[3];
  if (!(n > 0.0)) return zero_length(w, a);
  for (int i = 0; i < 3; i++) x[i] = v[i] / n;
  mw_cross3(x, v + 3, z);
  if (!((n = mw_norm3(z)) > 0.0)) return zero_length(w, a);
  for (int i = 0; i < 3; i++) z[i] /= n;
  mw_cross3(z, x, y);
  for (int i = 0; i < 3; i++) R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = z[i];
  return MW_OK;
}

// The least turn that takes z to v
static mw_code from_zaxis(const mjcf *w, const xml_attr *a, const double v[3], double R[9])
{
  double n = mw_norm3(v), axis[3] = { -v[1], v[0], 0.0 }, s;
  if (!(n > 0.0)) return zero_length(w, a);
  s = mw_norm3(axis);
  double angle = atan2(s, v[2]);
  for (int i = 0; i < 3; i++) axis[i] = s > 0.0 ? axis[i] / s : i == 0;
  if (angle != 0.0) import_turn(axis, angle, R);
  return MW_OK;
}

static mw_code from_euler(const mjcf *w, const xml_attr *a, const double v[3], double R[9])
{
  (void)a;
  for (int k = 0; k < 3; k++) {
    double axis[3] = { 0 }, T[9];
    char c = w->eulerseq[k];
    bool fixed = c >= 'X' && c <= 'Z';
    axis[fixed ? c - 'X' : c - 'x'] = 1.0;
    if (v[k] == 0.0) continue;
    import_turn(axis, v[k] * w->angle, T);
    if (fixed)
      mw_mul33(T, R, R);
    else
      mw_mul33(R, T, R);
  }
  return MW_OK;
}

mw_code mjcf_place(const mjcf *w, const xml_node *e, const char *cls, import_place *p)
{
  static const struct {
    const char *name;
    int n;
    mw_code (*read)(const mjcf *w, const xml_attr *a, const double *v, double R[9]);
  } way[] = { { "quat", 4, from_quat },
              { "axisangle", 4, from_axisangle },
              { "xyaxes", 6, from_xyaxes },
              { "zaxis", 3, from_zaxis },
              { "euler", 3, from_euler } };
  *p = import_here;
  mw_code rc = mjcf_vec(w, e, cls, "pos", 3, p->x);
  for (size_t k = 0; rc == MW_OK && k < sizeof way / sizeof *way; k++) {
    const xml_attr *a = mjcf_attr(w, e, cls, way[k].name);
    double v[6];
    int got = 0;
    if (!a) continue;
    rc = xml_list(a, way[k].n, way[k].n, v, &got, w->err);
    return rc == MW_OK ? way[k].read(w, a, v, p->R) : rc;
  }
  return rc;
}
