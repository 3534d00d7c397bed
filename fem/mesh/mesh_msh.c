// SPDX-License-Identifier: BSD-3-Clause
// mesh_msh.c: reader of gmsh's .msh format: the sections, and those of version 4.1 (mesh_msh2.c:
// 2.2).
//
// The file is read as a whole. Sections besides $MeshFormat, $PhysicalNames, $Entities, $Nodes and
// $Elements are skipped. mesh_build.c turns what is read into the mesh. O(file size).
// Format: gmsh 4.8 reference manual, chapter "MSH file format".
#include <limits.h>
#include <string.h>

#include "mesh_priv.h"

// ---- sections ----

static mw_code read_format(msh_reader *r, mw_error *err)
{
  double version = 0.0;
  int type = 0, width = 0, one = 0;
  if (r->have_format) return mw_msh_fail(r, err, "second $MeshFormat", "");
  mw_code rc = mw_msh_text(r, "the version of the format", &version, err);
  if (rc != MW_OK) return rc;
  r->v2 = version == 2.2;
  if (version != 4.1 && !r->v2)
    return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r),
                   "mesh format %g, expected 4.1 or 2.2 (gmsh -format msh41)", version);
  rc = mw_msh_int(r, "the file type (0 text, 1 binary)", &type, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the size of a tag", &width, err);
  if (rc != MW_OK) return rc;
  if (width != 8)
    return mw_msh_fail(r, err, "tags are not 8 bytes wide, expected 8 in $MeshFormat", "");
  if (type != 0 && type != 1)
    return mw_msh_fail(r, err, "the file type is neither 0 (text) nor 1 (binary)", "");
  r->have_format = true;
  if (type == 1) {
    mw_msh_skip_line(r);
    r->binary = true;
    rc = mw_msh_int(r, "the number one", &one, err);
    if (rc == MW_OK && one != 1)
      return mw_msh_fail(r, err, "the file was written on a machine of the other byte order", "");
  }
  return rc == MW_OK ? mw_msh_expect(r, "$EndMeshFormat", err) : rc;
}

// Always text, also in binary files.
static mw_code read_names(msh_reader *r, mw_error *err)
{
  bool binary = r->binary;
  int n = 0;
  if (r->group != NULL) return mw_msh_fail(r, err, "second $PhysicalNames", "");
  r->binary = false;
  mw_code rc = mw_msh_size(r, "the number of physical names", &n, err);
  if (rc == MW_OK) rc = mw_msh_need(r, n, 2, "physical names", err);
  if (rc == MW_OK) {
    r->group = mw_arena_alloc(&r->tmp, (size_t)n, sizeof *r->group);
    rc = mw_arena_check(&r->tmp, err);
  }
  for (int k = 0; k < n && rc == MW_OK; k++) {
    msh_group *g = &r->group[k];
    rc = mw_msh_int(r, "the dimension of a physical group", &g->dim, err);
    if (rc == MW_OK) rc = mw_msh_int(r, "the tag of a physical group", &g->tag, err);
    if (rc == MW_OK && (g->dim < 0 || g->dim > 3))
      rc = mw_msh_fail(r, err, "the dimension of a physical group is not 0 to 3", "");
    if (rc == MW_OK) rc = mw_msh_quoted(r, &g->name, err);
  }
  r->binary = binary;
  r->n_group = rc == MW_OK ? n : 0;
  return rc == MW_OK ? mw_msh_expect(r, "$EndPhysicalNames", err) : rc;
}

static mw_code read_int_list(msh_reader *r, const char *what, int *n, int **list, mw_error *err)
{
  mw_code rc = mw_msh_size(r, what, n, err);
  if (rc == MW_OK) rc = mw_msh_need(r, *n, 4, what, err);
  if (rc != MW_OK) return rc;
  *list = mw_arena_int(&r->tmp, (size_t)*n);
  rc = mw_arena_check(&r->tmp, err);
  for (int k = 0; k < *n && rc == MW_OK; k++) rc = mw_msh_int(r, what, &(*list)[k], err);
  return rc;
}

static mw_code read_entity(msh_reader *r, int dim, msh_entity *e, mw_error *err)
{
  double x;
  int n = 0, *list;
  e->dim = dim;
  mw_code rc = mw_msh_int(r, "the tag of an entity", &e->tag, err);
  for (int i = 0; i < (dim == 0 ? 3 : 6) && rc == MW_OK; i++)
    rc = mw_msh_f64(r, "the bounds of an entity", &x, err);
  if (rc == MW_OK) rc = read_int_list(r, "physical tags of an entity", &e->n, &e->physical, err);
  if (rc == MW_OK && dim > 0) rc = read_int_list(r, "bounding entities", &n, &list, err);
  return rc;
}

static mw_code read_entities(msh_reader *r, mw_error *err)
{
  int n[4] = { 0 };
  mw_code rc = MW_OK;
  if (r->entity != NULL) return mw_msh_fail(r, err, "second $Entities", "");
  for (int d = 0; d < 4 && rc == MW_OK; d++) {
    rc = mw_msh_size(r, "the number of entities", &n[d], err);
    if (rc == MW_OK) rc = mw_msh_need(r, n[d], 36, "entities", err);
  }
  if (rc != MW_OK) return rc;
  size_t total = (size_t)n[0] + (size_t)n[1] + (size_t)n[2] + (size_t)n[3];
  if (total > r->size)
    return mw_msh_fail(r, err, "more entities announced than the file has bytes", "");
  r->entity = mw_arena_alloc(&r->tmp, total, sizeof *r->entity);
  rc = mw_arena_check(&r->tmp, err);
  for (int d = 0; d < 4; d++)
    for (int k = 0; k < n[d] && rc == MW_OK; k++)
      rc = read_entity(r, d, &r->entity[r->n_entity++], err);
  return rc == MW_OK ? mw_msh_expect(r, "$EndEntities", err) : rc;
}

mw_code mw_msh_room_nodes(msh_reader *r, int n, mw_error *err)
{
  r->have_nodes = true;
  r->nodes.what = "node";
  r->nodes.path = &r->path;
  r->nodes.node = mw_arena_alloc(&r->tmp, (size_t)n, sizeof *r->nodes.node);
  r->nodes.x = mw_arena_f64(&r->tmp, 3 * (size_t)n);
  return mw_arena_check(&r->tmp, err);
}

static mw_code read_node_block(msh_reader *r, int n_total, mw_error *err)
{
  int dim = 0, tag = 0, parametric = 0, n = 0;
  mw_code rc = mw_msh_int(r, "the dimension of a node block", &dim, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the entity of a node block", &tag, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the parametric flag of a node block", &parametric, err);
  if (rc == MW_OK) rc = mw_msh_size(r, "the number of nodes of a block", &n, err);
  if (rc != MW_OK) return rc;
  if (dim < 0 || dim > 3)
    return mw_msh_fail(r, err, "the dimension of a node block is not 0 to 3", "");
  if (parametric != 0 && parametric != 1)
    return mw_msh_fail(r, err, "the parametric flag of a node block is not 0 or 1", "");
  if (n > n_total - r->nodes.n)
    return mw_msh_fail(r, err, "the node blocks hold more nodes than announced", "");
  int n_extra = parametric ? dim : 0;
  for (int k = 0; k < n && rc == MW_OK; k++) {
    mesh_node *p = &r->nodes.node[r->nodes.n + k];
    rc = mw_msh_size(r, "a node tag", &p->tag, err);
    if (rc == MW_OK && p->tag == 0) rc = mw_msh_fail(r, err, "node tag 0, tags start at 1", "");
    p->index = r->nodes.n + k;
    p->line = mw_msh_at(r).line;
  }
  for (int k = 0; k < n && rc == MW_OK; k++) {
    double *x = r->nodes.x + 3 * (size_t)(r->nodes.n + k), extra;
    for (int i = 0; i < 3 && rc == MW_OK; i++) rc = mw_msh_f64(r, "a coordinate", &x[i], err);
    for (int i = 0; i < n_extra && rc == MW_OK; i++)
      rc = mw_msh_f64(r, "a parametric coordinate", &extra, err);
  }
  r->nodes.n += n;
  return rc;
}

// sizes that open $Nodes and $Elements: blocks, items, smallest and largest tag
static mw_code read_header(msh_reader *r, const char *what, size_t bytes, int *n_block, int *n,
                           mw_error *err)
{
  int tag;
  mw_code rc = mw_msh_size(r, "the number of blocks", n_block, err);
  if (rc == MW_OK) rc = mw_msh_size(r, what, n, err);
  for (int i = 0; i < 2 && rc == MW_OK; i++)
    rc = mw_msh_size(r, "the smallest and largest tag", &tag, err);
  if (rc == MW_OK) rc = mw_msh_need(r, *n_block, 20, "blocks", err);
  return rc == MW_OK ? mw_msh_need(r, *n, bytes, what, err) : rc;
}

static mw_code read_nodes(msh_reader *r, mw_error *err)
{
  int n_block = 0, n = 0;
  mw_code rc = read_header(r, "nodes", 32, &n_block, &n, err);
  if (rc == MW_OK) rc = mw_msh_room_nodes(r, n, err);
  for (int k = 0; k < n_block && rc == MW_OK; k++) rc = read_node_block(r, n, err);
  if (rc == MW_OK && r->nodes.n != n)
    rc = mw_msh_fail(r, err, "the node blocks hold fewer nodes than announced", "");
  return rc;
}

mw_code mw_msh_room_elems(msh_reader *r, int n, mw_error *err)
{
  msh_elems *p = &r->elems;
  r->have_elems = true;
  p->cap = n;
  p->type = mw_arena_alloc(&r->tmp, (size_t)n, sizeof *p->type);
  p->tag = mw_arena_int(&r->tmp, (size_t)n);
  p->entity = mw_arena_int(&r->tmp, (size_t)n);
  p->ptr = mw_arena_alloc(&r->tmp, (size_t)n + 1, sizeof *p->ptr);
  return mw_arena_check(&r->tmp, err);
}

// room for one more element of n nodes; the list doubles
static mw_code room_link(msh_reader *r, int n, mw_error *err)
{
  msh_elems *p = &r->elems;
  size_t used = p->ptr[p->n];
  if (used > (size_t)(INT_MAX - n))
    return mw_msh_fail(r, err, "more nodes of elements than 2147483647", "");
  if (used + (size_t)n <= p->cap_link) return MW_OK;
  size_t cap = 2 * used + 10 * (size_t)p->cap + 20;
  if (cap > (r->size - r->pos) / 2 + used + (size_t)n)
    cap = (r->size - r->pos) / 2 + used + (size_t)n;  // a node takes two bytes at least
  int *link = mw_arena_int(&r->tmp, cap);
  mw_code rc = mw_arena_check(&r->tmp, err);
  if (rc != MW_OK) return rc;
  if (used > 0) memcpy(link, p->link, used * sizeof *link);
  p->link = link;
  p->cap_link = cap;
  return MW_OK;
}

mw_code mw_msh_element(msh_reader *r, const msh_type *type, int tag, int entity, mw_error *err)
{
  msh_elems *p = &r->elems;
  if (p->n >= p->cap)
    return mw_msh_fail(r, err, "the blocks hold more elements than announced", "");
  mw_code rc = room_link(r, type->n, err);
  for (int i = 0; i < type->n && rc == MW_OK; i++) {
    int node = 0, index = -1;
    rc = (r->v2 ? mw_msh_int : mw_msh_size)(r, "the node of an element", &node, err);
    if (rc == MW_OK) index = mw_mesh_nodes_find(&r->nodes, node);
    if (rc == MW_OK && index < 0)
      rc = mw_fail(err, MW_ERR_INPUT, mw_msh_at(r),
                   "element %d refers to node %d, which does not exist", tag, node);
    if (rc == MW_OK) p->link[p->ptr[p->n] + (size_t)i] = index;
  }
  if (rc != MW_OK) return rc;
  p->type[p->n] = type;
  p->tag[p->n] = tag;
  p->entity[p->n] = entity;
  p->ptr[p->n + 1] = p->ptr[p->n] + (size_t)type->n;
  p->n++;
  return MW_OK;
}

// Blocks mostly come in the order of the entities: the search goes on after the last one found.
static mw_code find_entity(const msh_reader *r, int dim, int tag, int *entity, mw_error *err)
{
  int first = *entity + 1;
  *entity = -1;
  for (int i = 0; i < r->n_entity && *entity < 0; i++) {
    int k = (first + i) % r->n_entity;
    if (r->entity[k].dim == dim && r->entity[k].tag == tag) *entity = k;
  }
  if (*entity >= 0 || r->entity == NULL) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r),
                 "elements of entity %d of dimension %d, which does not exist", tag, dim);
}

static mw_code read_block(msh_reader *r, int *entity, mw_error *err)
{
  int type = 0, dim = 0, tag = 0, n = 0;
  const msh_type *t = NULL;
  mw_code rc = mw_msh_int(r, "the dimension of an element block", &dim, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the entity of an element block", &tag, err);
  if (rc == MW_OK) rc = mw_msh_int(r, "the element type", &type, err);
  if (rc == MW_OK) rc = mw_msh_type_of(r, type, &t, err);
  if (rc == MW_OK && t->dim > dim)
    rc = mw_fail(err, MW_ERR_INPUT, mw_msh_at(r),
                 "elements of dimension %d (type %d) on an entity of dimension %d", t->dim, type,
                 dim);
  if (rc == MW_OK) rc = find_entity(r, dim, tag, entity, err);
  if (rc == MW_OK) rc = mw_msh_size(r, "the number of elements of a block", &n, err);
  if (rc == MW_OK && n > r->elems.cap - r->elems.n)
    rc = mw_msh_fail(r, err, "the blocks hold more elements than announced", "");
  for (int k = 0; k < n && rc == MW_OK; k++) {
    rc = mw_msh_size(r, "an element tag", &tag, err);
    if (rc == MW_OK) rc = mw_msh_element(r, t, tag, *entity, err);
  }
  return rc;
}

static mw_code read_elements(msh_reader *r, mw_error *err)
{
  int n = 0, n_block = 0, entity = -1;
  mw_code rc = read_header(r, "elements", 16, &n_block, &n, err);
  if (rc == MW_OK) rc = mw_msh_room_elems(r, n, err);
  for (int k = 0; k < n_block && rc == MW_OK; k++) rc = read_block(r, &entity, err);
  if (rc == MW_OK && r->elems.n != n)
    rc = mw_msh_fail(r, err, "the blocks hold fewer elements than announced", "");
  return rc;
}

static mw_code nodes_section(msh_reader *r, mw_error *err)
{
  if (r->have_nodes) return mw_msh_fail(r, err, "second $Nodes", "");
  mw_code rc = r->v2 ? mw_msh2_nodes(r, err) : read_nodes(r, err);
  if (rc == MW_OK) rc = mw_msh_expect(r, "$EndNodes", err);
  return rc == MW_OK ? mw_mesh_nodes_sort(&r->nodes, &r->tmp, err) : rc;
}

static mw_code elements_section(msh_reader *r, mw_error *err)
{
  if (!r->have_nodes) return mw_msh_fail(r, err, "$Elements comes before $Nodes", "");
  if (r->have_elems) return mw_msh_fail(r, err, "second $Elements", "");
  mw_code rc = r->v2 ? mw_msh2_elems(r, err) : read_elements(r, err);
  return rc == MW_OK ? mw_msh_expect(r, "$EndElements", err) : rc;
}

// To the line $End<name>; the bytes between may be anything.
static mw_code skip_section(msh_reader *r, const char *name, mw_error *err)
{
  char want[72] = "$End";
  strcat(want, name + 1);
  size_t n = strlen(want);
  while (r->pos < r->size) {
    if (r->size - r->pos >= n && memcmp(r->buf + r->pos, want, n) == 0) {
      r->pos += n;
      return MW_OK;
    }
    if (r->binary)
      r->pos++;
    else
      mw_msh_skip_line(r);
  }
  return mw_msh_fail(r, err, "the file is cut off, expected ", want);
}

static mw_code read_section(msh_reader *r, const char *name, mw_error *err)
{
  if (name[0] != '$')
    return mw_fail(err, MW_ERR_INPUT, mw_msh_at(r),
                   "found '%.40s', expected a section such as $Nodes", name);
  if (r->binary) mw_msh_skip_line(r);  // the data begin right after the line of the name
  if (strcmp(name, "$MeshFormat") == 0) return read_format(r, err);
  if (!r->have_format)
    return mw_msh_fail(r, err, "not a gmsh mesh: it does not begin with $MeshFormat", "");
  if (strcmp(name, "$PhysicalNames") == 0) return read_names(r, err);
  if (strcmp(name, "$Entities") == 0) return read_entities(r, err);
  if (strcmp(name, "$Nodes") == 0) return nodes_section(r, err);
  if (strcmp(name, "$Elements") == 0) return elements_section(r, err);
  if (strcmp(name, "$PartitionedEntities") == 0)
    return mw_msh_fail(r, err, "the mesh is partitioned, expected a mesh in one piece", "");
  return skip_section(r, name, err);
}

// ---- the file ----

static mw_code read_all(msh_reader *r, mw_error *err)
{
  mw_code rc = MW_OK;
  while (rc == MW_OK) {
    char name[64];
    mw_msh_word(r, name, sizeof name);
    if (name[0] == '\0') break;
    rc = read_section(r, name, err);
  }
  if (rc != MW_OK) return rc;
  mw_at at = { .file = r->path };
  if (!r->have_format) return mw_fail(err, MW_ERR_INPUT, at, "the file is empty");
  if (!r->have_nodes || !r->have_elems)
    return mw_fail(err, MW_ERR_INPUT, at, "the file has no %s section",
                   !r->have_nodes ? "$Nodes" : "$Elements");
  return MW_OK;
}

mw_code mw_msh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out, mw_error *err)
{
  msh_reader r = { .path = path, .line = 1, .mem = mem, .scale = scale };
  mw_mesh mesh = { .path = path };
  mw_code rc = mw_mesh_load(path, MW_NOWHERE, &r.tmp, &r.buf, &r.size, err);
  if (rc == MW_OK) rc = read_all(&r, err);
  if (rc == MW_OK) rc = mw_msh_build(&r, &mesh, err);
  mw_arena_free(&r.tmp);
  if (rc == MW_OK) *out = mesh;
  return rc;
}
