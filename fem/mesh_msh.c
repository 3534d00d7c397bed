// SPDX-License-Identifier: BSD-3-Clause
// mesh_msh.c: reader of gmsh's .msh format, version 4.1, text and binary, behind one set of number
// readers.
//
// The file is read as a whole; every count is compared with the bytes that are left before anything
// is allocated. Sections besides $MeshFormat, $PhysicalNames, $Entities, $Nodes and $Elements are
// skipped. mesh_build.c turns what is read into the mesh. O(file size · log n_node).
// Format: gmsh 4.8 reference manual, chapter "MSH file format".
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_priv.h"

// ---- characters ----

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static mw_code fail(const msh_reader *r, mw_error *err, const char *what, const char *detail)
{
  mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
  if (!r->binary) return mw_fail(err, MW_ERR_INPUT, at, "%s%s", what, detail);
  return mw_fail(err, MW_ERR_INPUT, at, "at byte %zu: %s%s", r->pos, what, detail);
}

static void skip_space(msh_reader *r)
{
  while (r->pos < r->size && is_space(r->buf[r->pos])) {
    if (r->buf[r->pos] == '\n') r->line++;
    r->pos++;
  }
}

// Next word into word [n], cut if longer; empty at the end of the file.
static void next_word(msh_reader *r, char *word, size_t n)
{
  size_t k = 0;
  skip_space(r);
  for (; r->pos < r->size && !is_space(r->buf[r->pos]); r->pos++)
    if (k + 1 < n) word[k++] = r->buf[r->pos];
  word[k] = '\0';
}

static void skip_line(msh_reader *r)
{
  while (r->pos < r->size && r->buf[r->pos] != '\n') r->pos++;
  if (r->pos < r->size) {
    r->pos++;
    r->line++;
  }
}

static mw_code expect_word(msh_reader *r, const char *want, mw_error *err)
{
  char word[64];
  next_word(r, word, sizeof word);
  if (strcmp(word, want) == 0) return MW_OK;
  mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
  return mw_fail(err, MW_ERR_INPUT, at, "found '%.40s', expected %s%s", word, want,
                 word[0] ? "" : " (the file is cut off)");
}

// ---- numbers ----

static mw_code text_number(msh_reader *r, const char *what, double *x, mw_error *err)
{
  char word[64], *end;
  next_word(r, word, sizeof word);
  if (word[0] == '\0') return fail(r, err, "the file is cut off, expected ", what);
  *x = strtod(word, &end);
  if (*end != '\0' || !isfinite(*x)) {
    mw_at at = { .file = r->path, .line = r->line };
    return mw_fail(err, MW_ERR_INPUT, at, "found '%.40s', expected %s", word, what);
  }
  return MW_OK;
}

static mw_code raw(msh_reader *r, void *out, size_t n, const char *what, mw_error *err)
{
  if (r->size - r->pos < n) return fail(r, err, "the file is cut off, expected ", what);
  memcpy(out, r->buf + r->pos, n);
  r->pos += n;
  return MW_OK;
}

static mw_code get_f64(msh_reader *r, const char *what, double *x, mw_error *err)
{
  if (!r->binary) return text_number(r, what, x, err);
  mw_code rc = raw(r, x, sizeof *x, what, err);
  if (rc == MW_OK && !isfinite(*x)) return fail(r, err, "not a finite number: ", what);
  return rc;
}

static mw_code get_int(msh_reader *r, const char *what, int *i, mw_error *err)
{
  double x = 0.0;
  int32_t v = 0;
  mw_code rc = r->binary ? raw(r, &v, sizeof v, what, err) : text_number(r, what, &x, err);
  if (rc != MW_OK) return rc;
  if (x != floor(x) || fabs(x) > INT_MAX) return fail(r, err, "not an integer in range: ", what);
  *i = r->binary ? v : (int)x;
  return MW_OK;
}

// a count or a tag, written as size_t; must fit an int
static mw_code get_size(msh_reader *r, const char *what, int *i, mw_error *err)
{
  double x = 0.0;
  uint64_t v = 0;
  mw_code rc = r->binary ? raw(r, &v, sizeof v, what, err) : text_number(r, what, &x, err);
  if (rc != MW_OK) return rc;
  if (x != floor(x) || x < 0.0 || x > INT_MAX || v > INT_MAX)
    return fail(r, err, "not a whole number in 0 … 2147483647: ", what);
  *i = r->binary ? (int)v : (int)x;
  return MW_OK;
}

// n items of at least `bytes` each in a binary file (two characters in a text file) must still
// follow
static mw_code need(const msh_reader *r, int n, size_t bytes, const char *what, mw_error *err)
{
  size_t left = (r->size - r->pos + (r->binary ? 0 : 1)) / (r->binary ? bytes : 2);
  if ((size_t)n <= left) return MW_OK;
  mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
  return mw_fail(err, MW_ERR_INPUT, at, "%d %s announced, but only %zu bytes are left", n, what,
                 r->size - r->pos);
}

// ---- sections ----

static mw_code read_format(msh_reader *r, mw_error *err)
{
  double version = 0.0;
  int type = 0, width = 0, one = 0;
  if (r->have_format) return fail(r, err, "second $MeshFormat", "");
  mw_code rc = text_number(r, "the version of the format", &version, err);
  if (rc != MW_OK) return rc;
  if (version < 4.05 || version > 4.15) {
    mw_at at = { .file = r->path, .line = r->line };
    return mw_fail(err, MW_ERR_INPUT, at, "mesh format %g, expected 4.1 (gmsh -format msh41)",
                   version);
  }
  rc = get_int(r, "the file type (0 text, 1 binary)", &type, err);
  if (rc == MW_OK) rc = get_int(r, "the size of a tag", &width, err);
  if (rc != MW_OK) return rc;
  if (width != 8) return fail(r, err, "tags are not 8 bytes wide, expected 8 in $MeshFormat", "");
  if (type != 0 && type != 1)
    return fail(r, err, "the file type is neither 0 (text) nor 1 (binary)", "");
  r->have_format = true;
  if (type == 1) {
    skip_line(r);
    r->binary = true;
    rc = get_int(r, "the number one", &one, err);
    if (rc == MW_OK && one != 1)
      return fail(r, err, "the file was written on a machine of the other byte order", "");
  }
  return rc == MW_OK ? expect_word(r, "$EndMeshFormat", err) : rc;
}

// "name" in quotes to the end of the line
static mw_code quoted_name(msh_reader *r, const char **name, mw_error *err)
{
  skip_space(r);
  size_t a = r->pos, b;
  if (a >= r->size || r->buf[a] != '"')
    return fail(r, err, "expected the name of a physical group in quotes", "");
  for (b = a + 1; b < r->size && r->buf[b] != '"' && r->buf[b] != '\n'; b++) {
  }
  if (b >= r->size || r->buf[b] != '"')
    return fail(r, err, "the name of a physical group is not closed by a quote", "");
  char *s = mw_arena_alloc(r->mem, b - a, 1);
  if (s == NULL) return mw_arena_check(r->mem, err);
  memcpy(s, r->buf + a + 1, b - a - 1);
  *name = s;
  r->pos = b + 1;
  return MW_OK;
}

// Always text, also in binary files.
static mw_code read_names(msh_reader *r, mw_error *err)
{
  bool binary = r->binary;
  int n = 0;
  if (r->group != NULL) return fail(r, err, "second $PhysicalNames", "");
  r->binary = false;
  mw_code rc = get_size(r, "the number of physical names", &n, err);
  if (rc == MW_OK) rc = need(r, n, 2, "physical names", err);
  if (rc == MW_OK) {
    r->group = mw_arena_alloc(&r->tmp, (size_t)n, sizeof *r->group);
    rc = mw_arena_check(&r->tmp, err);
  }
  for (int k = 0; k < n && rc == MW_OK; k++) {
    msh_group *g = &r->group[k];
    rc = get_int(r, "the dimension of a physical group", &g->dim, err);
    if (rc == MW_OK) rc = get_int(r, "the tag of a physical group", &g->tag, err);
    if (rc == MW_OK && (g->dim < 0 || g->dim > 3))
      rc = fail(r, err, "the dimension of a physical group is not 0 to 3", "");
    if (rc == MW_OK) rc = quoted_name(r, &g->name, err);
  }
  r->binary = binary;
  r->n_group = rc == MW_OK ? n : 0;
  return rc == MW_OK ? expect_word(r, "$EndPhysicalNames", err) : rc;
}

static mw_code read_int_list(msh_reader *r, const char *what, int *n, int **list, mw_error *err)
{
  mw_code rc = get_size(r, what, n, err);
  if (rc == MW_OK) rc = need(r, *n, 4, what, err);
  if (rc != MW_OK) return rc;
  *list = mw_arena_int(&r->tmp, (size_t)*n);
  rc = mw_arena_check(&r->tmp, err);
  for (int k = 0; k < *n && rc == MW_OK; k++) rc = get_int(r, what, &(*list)[k], err);
  return rc;
}

static mw_code read_entity(msh_reader *r, int dim, msh_entity *e, mw_error *err)
{
  double x;
  int n = 0, *list;
  e->dim = dim;
  mw_code rc = get_int(r, "the tag of an entity", &e->tag, err);
  for (int i = 0; i < (dim == 0 ? 3 : 6) && rc == MW_OK; i++)
    rc = get_f64(r, "the bounds of an entity", &x, err);
  if (rc == MW_OK) rc = read_int_list(r, "physical tags of an entity", &e->n, &e->physical, err);
  if (rc == MW_OK && dim > 0) rc = read_int_list(r, "bounding entities", &n, &list, err);
  return rc;
}

static mw_code read_entities(msh_reader *r, mw_error *err)
{
  int n[4] = { 0 };
  mw_code rc = MW_OK;
  if (r->entity != NULL) return fail(r, err, "second $Entities", "");
  for (int d = 0; d < 4 && rc == MW_OK; d++) {
    rc = get_size(r, "the number of entities", &n[d], err);
    if (rc == MW_OK) rc = need(r, n[d], 36, "entities", err);
  }
  if (rc != MW_OK) return rc;
  size_t total = (size_t)n[0] + (size_t)n[1] + (size_t)n[2] + (size_t)n[3];
  if (total > r->size) return fail(r, err, "more entities announced than the file has bytes", "");
  r->entity = mw_arena_alloc(&r->tmp, total, sizeof *r->entity);
  rc = mw_arena_check(&r->tmp, err);
  for (int d = 0; d < 4; d++)
    for (int k = 0; k < n[d] && rc == MW_OK; k++)
      rc = read_entity(r, d, &r->entity[r->n_entity++], err);
  return rc == MW_OK ? expect_word(r, "$EndEntities", err) : rc;
}

static mw_code read_node_block(msh_reader *r, int n_total, mw_error *err)
{
  int dim = 0, tag = 0, parametric = 0, n = 0;
  mw_code rc = get_int(r, "the dimension of a node block", &dim, err);
  if (rc == MW_OK) rc = get_int(r, "the entity of a node block", &tag, err);
  if (rc == MW_OK) rc = get_int(r, "the parametric flag of a node block", &parametric, err);
  if (rc == MW_OK) rc = get_size(r, "the number of nodes of a block", &n, err);
  if (rc != MW_OK) return rc;
  if (dim < 0 || dim > 3) return fail(r, err, "the dimension of a node block is not 0 to 3", "");
  if (parametric != 0 && parametric != 1)
    return fail(r, err, "the parametric flag of a node block is not 0 or 1", "");
  if (n > n_total - r->n_node)
    return fail(r, err, "the node blocks hold more nodes than announced", "");
  int n_extra = parametric ? dim : 0;
  for (int k = 0; k < n && rc == MW_OK; k++) {
    msh_node *p = &r->node[r->n_node + k];
    rc = get_size(r, "a node tag", &p->tag, err);
    if (rc == MW_OK && p->tag == 0) rc = fail(r, err, "node tag 0, tags start at 1", "");
    p->index = r->n_node + k;
    p->line = r->binary ? 0 : r->line;
  }
  for (int k = 0; k < n && rc == MW_OK; k++) {
    double *x = r->x + 3 * (size_t)(r->n_node + k), extra;
    for (int i = 0; i < 3 && rc == MW_OK; i++) rc = get_f64(r, "a coordinate", &x[i], err);
    for (int i = 0; i < n_extra && rc == MW_OK; i++)
      rc = get_f64(r, "a parametric coordinate", &extra, err);
  }
  r->n_node += n;
  return rc;
}

// sizes that open $Nodes and $Elements: blocks, items, smallest and largest tag
static mw_code read_header(msh_reader *r, const char *what, size_t bytes, int *n_block, int *n,
                           mw_error *err)
{
  int tag;
  mw_code rc = get_size(r, "the number of blocks", n_block, err);
  if (rc == MW_OK) rc = get_size(r, what, n, err);
  for (int i = 0; i < 2 && rc == MW_OK; i++)
    rc = get_size(r, "the smallest and largest tag", &tag, err);
  if (rc == MW_OK) rc = need(r, *n_block, 20, "blocks", err);
  return rc == MW_OK ? need(r, *n, bytes, what, err) : rc;
}

static mw_code read_nodes(msh_reader *r, mw_error *err)
{
  int n_block = 0, n = 0;
  if (r->node != NULL) return fail(r, err, "second $Nodes", "");
  mw_code rc = read_header(r, "nodes", 32, &n_block, &n, err);
  if (rc != MW_OK) return rc;
  r->node = mw_arena_alloc(&r->tmp, (size_t)n, sizeof *r->node);
  r->x = mw_arena_f64(&r->tmp, 3 * (size_t)n);
  rc = mw_arena_check(&r->tmp, err);
  for (int k = 0; k < n_block && rc == MW_OK; k++) rc = read_node_block(r, n, err);
  if (rc == MW_OK && r->n_node != n)
    rc = fail(r, err, "the node blocks hold fewer nodes than announced", "");
  if (rc == MW_OK) rc = expect_word(r, "$EndNodes", err);
  return rc == MW_OK ? mw_msh_sort_nodes(r, err) : rc;
}

// Nodes of an element type; 0: not one this program takes, err says why.
static mw_code nodes_of_type(const msh_reader *r, int type, int *n, mw_error *err)
{
  static const struct {
    int type, n;
  } FLAT[] = { { 15, 1 }, { 1, 2 }, { 8, 3 }, { 2, 3 }, { 9, 6 }, { 3, 4 }, { 16, 8 }, { 10, 9 } };
  mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
  for (size_t k = 0; k < sizeof FLAT / sizeof *FLAT; k++)
    if (FLAT[k].type == type) return *n = FLAT[k].n, MW_OK;
  if (type == 11) return *n = 10, MW_OK;
  if (type == 4)
    return mw_fail(err, MW_ERR_INPUT, at, "tetrahedra with 4 nodes, expected 10 (gmsh -order 2)");
  if (type == 5 || type == 6 || type == 7 || type == 12 || type == 13 || type == 14 ||
      (type >= 17 && type <= 19))
    return mw_fail(err, MW_ERR_INPUT, at,
                   "hexahedra, prisms or pyramids (element type %d), expected tetrahedra", type);
  return mw_fail(err, MW_ERR_INPUT, at, "unknown element type %d", type);
}

static mw_code read_element(msh_reader *r, msh_block *b, int k, mw_error *err)
{
  int node = 0;
  mw_code rc = get_size(r, "an element tag", &b->tag[k], err);
  for (int i = 0; i < b->n_per && rc == MW_OK; i++) {
    rc = get_size(r, "the node of an element", &node, err);
    if (rc != MW_OK) return rc;
    int index = mw_msh_find_node(r, node);
    mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
    if (index < 0)
      return mw_fail(err, MW_ERR_INPUT, at, "element %d refers to node %d, which does not exist",
                     b->tag[k], node);
    b->node[(size_t)b->n_per * (size_t)k + (size_t)i] = index;
  }
  return rc;
}

static mw_code find_entity(const msh_reader *r, msh_block *b, mw_error *err)
{
  mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
  b->entity = -1;
  for (int k = 0; k < r->n_entity && b->entity < 0; k++)
    if (r->entity[k].dim == b->dim && r->entity[k].tag == b->entity_tag) b->entity = k;
  if (b->entity >= 0 || r->entity == NULL) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at,
                 "elements of entity %d of dimension %d, which does not exist", b->entity_tag,
                 b->dim);
}

static mw_code read_block(msh_reader *r, msh_block *b, mw_error *err)
{
  int type = 0;
  mw_code rc = get_int(r, "the dimension of an element block", &b->dim, err);
  if (rc == MW_OK) rc = get_int(r, "the entity of an element block", &b->entity_tag, err);
  if (rc == MW_OK) rc = get_int(r, "the element type", &type, err);
  if (rc == MW_OK) rc = nodes_of_type(r, type, &b->n_per, err);
  if (rc == MW_OK) rc = find_entity(r, b, err);
  if (rc == MW_OK) rc = get_size(r, "the number of elements of a block", &b->n, err);
  if (rc == MW_OK && b->n > INT_MAX / b->n_per)
    rc = fail(r, err, "too many elements in a block", "");
  if (rc == MW_OK) rc = need(r, b->n * b->n_per, 8, "nodes of elements", err);
  if (rc != MW_OK) return rc;
  b->tag = mw_arena_int(&r->tmp, (size_t)b->n);
  b->node = mw_arena_int(&r->tmp, (size_t)b->n * (size_t)b->n_per);
  rc = mw_arena_check(&r->tmp, err);
  b->line = r->binary ? 0 : r->line;
  for (int k = 0; k < b->n && rc == MW_OK; k++) rc = read_element(r, b, k, err);
  return rc;
}

static mw_code read_elements(msh_reader *r, mw_error *err)
{
  int n = 0, n_block = 0, n_read = 0;
  if (r->node == NULL) return fail(r, err, "$Elements comes before $Nodes", "");
  if (r->block != NULL) return fail(r, err, "second $Elements", "");
  mw_code rc = read_header(r, "elements", 16, &n_block, &n, err);
  if (rc != MW_OK) return rc;
  r->block = mw_arena_alloc(&r->tmp, (size_t)n_block, sizeof *r->block);
  rc = mw_arena_check(&r->tmp, err);
  for (int k = 0; k < n_block && rc == MW_OK; k++) {
    rc = read_block(r, &r->block[k], err);
    if (rc == MW_OK && r->block[k].n > n - n_read)
      rc = fail(r, err, "the blocks hold more elements than announced", "");
    n_read += rc == MW_OK ? r->block[k].n : 0;
    r->n_block++;
  }
  if (rc == MW_OK && n_read != n)
    rc = fail(r, err, "the blocks hold fewer elements than announced", "");
  return rc == MW_OK ? expect_word(r, "$EndElements", err) : rc;
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
      skip_line(r);
  }
  return fail(r, err, "the file is cut off, expected ", want);
}

static mw_code read_section(msh_reader *r, const char *name, mw_error *err)
{
  if (name[0] != '$') {
    mw_at at = { .file = r->path, .line = r->binary ? 0 : r->line };
    return mw_fail(err, MW_ERR_INPUT, at, "found '%.40s', expected a section such as $Nodes", name);
  }
  if (r->binary) skip_line(r);  // the data begin right after the line of the name
  if (strcmp(name, "$MeshFormat") == 0) return read_format(r, err);
  if (!r->have_format)
    return fail(r, err, "not a gmsh mesh: it does not begin with $MeshFormat", "");
  if (strcmp(name, "$PhysicalNames") == 0) return read_names(r, err);
  if (strcmp(name, "$Entities") == 0) return read_entities(r, err);
  if (strcmp(name, "$Nodes") == 0) return read_nodes(r, err);
  if (strcmp(name, "$Elements") == 0) return read_elements(r, err);
  if (strcmp(name, "$PartitionedEntities") == 0)
    return fail(r, err, "the mesh is partitioned, expected a mesh in one piece", "");
  return skip_section(r, name, err);
}

// ---- the file ----

static mw_code load(msh_reader *r, FILE *f, mw_error *err)
{
  mw_at at = { .file = r->path };
  if (fseek(f, 0, SEEK_END) != 0)
    return mw_fail(err, MW_ERR_IO, at, "cannot be read: %s", strerror(errno));
  long n = ftell(f);
  if (n < 0 || fseek(f, 0, SEEK_SET) != 0)
    return mw_fail(err, MW_ERR_IO, at, "cannot be read: %s", strerror(errno));
  char *buf = mw_arena_alloc(&r->tmp, (size_t)n + 1, 1);
  if (buf == NULL) return mw_arena_check(&r->tmp, err);
  r->size = fread(buf, 1, (size_t)n, f);
  if (ferror(f)) return mw_fail(err, MW_ERR_IO, at, "cannot be read: %s", strerror(errno));
  r->buf = buf;
  return MW_OK;
}

static mw_code read_all(msh_reader *r, mw_error *err)
{
  mw_code rc = MW_OK;
  while (rc == MW_OK) {
    char name[64];
    next_word(r, name, sizeof name);
    if (name[0] == '\0') break;
    rc = read_section(r, name, err);
  }
  if (rc != MW_OK) return rc;
  mw_at at = { .file = r->path };
  if (!r->have_format) return mw_fail(err, MW_ERR_INPUT, at, "the file is empty");
  if (r->node == NULL || r->block == NULL)
    return mw_fail(err, MW_ERR_INPUT, at, "the file has no %s section",
                   r->node == NULL ? "$Nodes" : "$Elements");
  return MW_OK;
}

mw_code mw_mesh_read(const char *path, double scale, mw_arena *mem, mw_mesh *out, mw_error *err)
{
  msh_reader r = { .path = path, .line = 1, .mem = mem, .scale = scale };
  mw_mesh mesh = { 0 };
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return mw_fail(err, MW_ERR_IO, (mw_at){ .file = path }, "cannot be opened: %s",
                   strerror(errno));
  mw_code rc = load(&r, f, err);
  fclose(f);
  if (rc == MW_OK) rc = read_all(&r, err);
  if (rc == MW_OK) rc = mw_msh_build(&r, &mesh, err);
  mw_arena_free(&r.tmp);
  if (rc == MW_OK) *out = mesh;
  return rc;
}
