// SPDX-License-Identifier: BSD-3-Clause
// inp_read.c: reader of Abaqus and CalculiX input files: what a keyword means.
//
// The model data count: nodes, elements, sets, surfaces, ties, materials, sections and masses, with
// files included. *STEP ends the reading; boundary conditions, loads and what else does not change
// mass and stiffness are passed over; what would change them and is not read is refused by name,
// and so are unknown keywords. Sets must be defined before they are used. O(file size).
// [ccx] CalculiX CrunchiX User's Manual 2.20, chapter "Input deck format".
// [Abaqus] Abaqus Keywords Reference Guide.
#include <limits.h>
#include <string.h>

#include "inp_priv.h"

// ---- nodes and elements ----

static mw_code room_node(inp_reader *r, mw_error *err)
{
  int cap = r->cap_node;
  void *v = r->nodes.node, *x = r->x;
  mw_code rc = mw_inp_grow(r, &v, r->nodes.n, &cap, sizeof *r->nodes.node, err);
  if (rc == MW_OK) rc = mw_inp_grow(r, &x, r->nodes.n, &r->cap_node, 3 * sizeof *r->x, err);
  if (rc != MW_OK) return rc;
  r->nodes.node = v;
  r->nodes.x = r->x = x;
  return MW_OK;
}

static mw_code read_node(inp_reader *r, int nset, mw_error *err)
{
  char word[INP_WORD];
  int tag, n = r->nodes.n;
  mw_code rc = room_node(r, err);
  if (rc != MW_OK || !mw_inp_field(r, word)) return rc;
  rc = mw_inp_int(r, word, "a node number", &tag, err);
  for (int i = 0; i < 3 && rc == MW_OK; i++)
    rc = mw_inp_field(r, word)
             ? mw_inp_f64(r, word, "a coordinate", &r->x[3 * (size_t)n + (size_t)i], err)
             : mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "node %d has %d coordinates, expected 3",
                       tag, i);
  if (rc != MW_OK) return rc;
  r->nodes.node[r->nodes.n++] = (mesh_node){ tag, n, r->line, r->file };
  return nset < 0 ? MW_OK : mw_inp_append(r, &r->nset.v[nset].tag, tag, err);
}

static mw_code read_nodes(inp_reader *r, mw_error *err)
{
  const char *nset = mw_inp_param(r, "NSET"), *system = mw_inp_param(r, "SYSTEM");
  int set = -1;
  bool more = true;
  mw_code rc = MW_OK;
  if (system != NULL && !mw_inp_same(system, "R"))
    return mw_fail(err, MW_ERR_INPUT, r->at, "*NODE with SYSTEM=%.16s, expected rectangular",
                   system);
  if (nset != NULL && *nset != '\0') rc = mw_inp_set_room(r, &r->nset, nset, &set, err);
  if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  while (rc == MW_OK && more) {
    rc = read_node(r, set, err);
    if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  }
  return rc;
}

// The next node number of an element. A line that ends with a comma goes on in the next one, and so
// does a full one of 16 fields.
static mw_code element_field(inp_reader *r, const inp_type *t, int tag, int *n_field, int have,
                             char word[INP_WORD], mw_error *err)
{
  bool more = true;
  while (more && !mw_inp_field(r, word)) {
    mw_at at = mw_inp_at(r);
    mw_code rc = MW_OK;
    more = r->comma || *n_field >= 16;
    *n_field = 0;
    if (more) rc = mw_inp_data(r, &more, err);
    if (rc != MW_OK) return rc;
    if (!more)
      return mw_fail(err, MW_ERR_INPUT, at, "element %d has %d nodes, %s has %d", tag, have,
                     t->name, t->n);
  }
  ++*n_field;
  return MW_OK;
}

static mw_code room_elem(inp_reader *r, mw_error *err)
{
  inp_elems *p = &r->elems;
  int cap[2] = { p->cap, p->cap };
  void *id = p->id, *type = p->type, *ptr = p->ptr;
  mw_code rc = mw_inp_grow(r, &id, p->n, &cap[0], sizeof *p->id, err);
  if (rc == MW_OK) rc = mw_inp_grow(r, &type, p->n, &cap[1], sizeof *p->type, err);
  // ptr [cap + 1]: one more than it is told
  if (rc == MW_OK && p->n == p->cap) {
    ptr = mw_arena_alloc(&r->tmp, (size_t)cap[0] + 1, sizeof *p->ptr);
    rc = mw_arena_check(&r->tmp, err);
    if (rc == MW_OK && p->n > 0) memcpy(ptr, p->ptr, ((size_t)p->n + 1) * sizeof *p->ptr);
  }
  if (rc != MW_OK) return rc;
  p->id = id;
  p->type = type;
  p->ptr = ptr;
  p->cap = cap[0];
  return MW_OK;
}

static mw_code read_element(inp_reader *r, const inp_type *t, int elset, mw_error *err)
{
  inp_elems *p = &r->elems;
  char word[INP_WORD];
  int tag, node, n_field = 1, line = r->line, file = r->file;
  mw_code rc = room_elem(r, err);
  if (rc != MW_OK || !mw_inp_field(r, word)) return rc;
  rc = mw_inp_int(r, word, "an element number", &tag, err);
  for (int i = 0; i < t->n && rc == MW_OK; i++) {
    rc = element_field(r, t, tag, &n_field, i, word, err);
    if (rc == MW_OK) rc = mw_inp_int(r, word, "the node of an element", &node, err);
    if (rc == MW_OK) rc = mw_inp_append(r, &p->link, node, err);
  }
  if (rc == MW_OK && mw_inp_field(r, word) && word[0] != '\0')
    rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "element %d has more than the %d nodes of %s",
                 tag, t->n, t->name);
  if (rc != MW_OK) return rc;
  p->id[p->n] = (mesh_node){ tag, p->n, line, file };
  p->type[p->n] = t;
  p->ptr[++p->n] = p->link.n;
  return elset < 0 ? MW_OK : mw_inp_append(r, &r->elset.v[elset].tag, tag, err);
}

static mw_code read_elements(inp_reader *r, mw_error *err)
{
  const char *type, *elset = mw_inp_param(r, "ELSET");
  const inp_type *t = NULL;
  int set = -1;
  bool more = true;
  mw_code rc = mw_inp_want(r, "TYPE", &type, err);
  if (rc == MW_OK) rc = mw_inp_type_of(r, type, &t, err);
  if (rc == MW_OK && elset != NULL && *elset != '\0')
    rc = mw_inp_set_room(r, &r->elset, elset, &set, err);
  if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  while (rc == MW_OK && more) {
    rc = read_element(r, t, set, err);
    if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  }
  return rc;
}

// ---- keywords ----

static mw_code read_nset(inp_reader *r, mw_error *err) { return mw_inp_read_set(r, false, err); }
static mw_code read_elset(inp_reader *r, mw_error *err) { return mw_inp_read_set(r, true, err); }

typedef struct keyword {
  const char *name;                               // capitals without blanks
  mw_code (*read)(inp_reader *r, mw_error *err);  // NULL: see refused
  const char *refused;                            // why; NULL: passed over
} keyword;

static const char FLAT[] = "write the file without parts and instances (flat)";
static const char CONSTRAINT[] = "make it a frame, joint or tie of the model instead";
static const char GENERATION[] = "write nodes, elements and sets out";

static const keyword KEYWORD[] = {
  { "NODE", read_nodes, NULL },
  { "ELEMENT", read_elements, NULL },
  { "NSET", read_nset, NULL },
  { "ELSET", read_elset, NULL },
  { "SURFACE", mw_inp_read_surface, NULL },
  { "TIE", mw_inp_read_tie, NULL },
  { "MATERIAL", mw_inp_read_material, NULL },
  { "ELASTIC", mw_inp_read_elastic, NULL },
  { "DENSITY", mw_inp_read_density, NULL },
  { "SOLIDSECTION", mw_inp_read_section, NULL },
  { "SHELLSECTION", mw_inp_read_section, NULL },
  { "MASS", mw_inp_read_mass, NULL },
  { "PART", NULL, FLAT },
  { "INSTANCE", NULL, FLAT },
  { "ASSEMBLY", NULL, FLAT },
  { "EQUATION", NULL, CONSTRAINT },
  { "MPC", NULL, CONSTRAINT },
  { "RIGIDBODY", NULL, CONSTRAINT },
  { "COUPLING", NULL, CONSTRAINT },
  { "KINEMATICCOUPLING", NULL, CONSTRAINT },
  { "DISTRIBUTINGCOUPLING", NULL, CONSTRAINT },
  { "SHELLTOSOLIDCOUPLING", NULL, CONSTRAINT },
  { "CONTACTPAIR", NULL, CONSTRAINT },
  { "CONTACT", NULL, CONSTRAINT },
  { "EMBEDDEDELEMENT", NULL, CONSTRAINT },
  { "CYCLICSYMMETRYMODEL", NULL, CONSTRAINT },
  { "CONNECTORSECTION", NULL, CONSTRAINT },
  { "SPRING", NULL, "make it a spring joint or a bushing of the model instead" },
  { "DASHPOT", NULL, "make it a spring joint or a bushing of the model instead" },
  { "ROTARYINERTIA", NULL, "give mass and inertia to a frame of the model instead" },
  { "NONSTRUCTURALMASS", NULL, "give the mass to a density or a frame instead" },
  { "BEAMSECTION", NULL, "make beams members of a body of beams" },
  { "BEAMGENERALSECTION", NULL, "make beams members of a body of beams" },
  { "MEMBRANESECTION", NULL, "use shells" },
  { "SHELLGENERALSECTION", NULL, "use *SHELL SECTION with a material" },
  { "SUBMODEL", NULL, "write the whole model" },
  { "SUPERELEMENT", NULL, "import its matrices as a body of their own" },
  { "MATRIXINPUT", NULL, "import the matrices as a body of their own" },
  { "NGEN", NULL, GENERATION },
  { "NFILL", NULL, GENERATION },
  { "NCOPY", NULL, GENERATION },
  { "ELGEN", NULL, GENERATION },
  { "ELCOPY", NULL, GENERATION },
  { "NMAP", NULL, GENERATION },
  // no mass and no stiffness
  { "HEADING", NULL, NULL },
  { "PREPRINT", NULL, NULL },
  { "BOUNDARY", NULL, NULL },
  { "AMPLITUDE", NULL, NULL },
  { "INITIALCONDITIONS", NULL, NULL },
  { "TRANSFORM", NULL, NULL },
  { "ORIENTATION", NULL, NULL },
  { "SYSTEM", NULL, NULL },
  { "PHYSICALCONSTANTS", NULL, NULL },
  { "PARAMETER", NULL, "write the numbers themselves" },
  { "RESTART", NULL, NULL },
  { "TIMEPOINTS", NULL, NULL },
  { "FILTER", NULL, NULL },
  { "SURFACEINTERACTION", NULL, NULL },
  { "SURFACEBEHAVIOR", NULL, NULL },
  { "FRICTION", NULL, NULL },
  { "SECTIONCONTROLS", NULL, NULL },
  { "HOURGLASSSTIFFNESS", NULL, NULL },
  { "TRANSVERSESHEARSTIFFNESS", NULL, NULL },
  { "EXPANSION", NULL, NULL },
  { "CONDUCTIVITY", NULL, NULL },
  { "SPECIFICHEAT", NULL, NULL },
  { "DAMPING", NULL, NULL },
  { "PLASTIC", NULL, NULL },
  { "CREEP", NULL, NULL },
  { "DEPVAR", NULL, NULL },
  { "USERMATERIAL", NULL, "give *ELASTIC" },
  { "HYPERELASTIC", NULL, "give *ELASTIC" },
};

mw_code mw_inp_keyword(inp_reader *r, bool *step, mw_error *err)
{
  *step = strcmp(r->keyword, "STEP") == 0;
  if (*step) return MW_OK;
  for (size_t k = 0; k < sizeof KEYWORD / sizeof *KEYWORD; k++) {
    if (strcmp(r->keyword, KEYWORD[k].name) != 0) continue;
    if (KEYWORD[k].refused != NULL)
      return mw_fail(err, MW_ERR_INPUT, r->at, "*%s is not read: %s", r->keyword,
                     KEYWORD[k].refused);
    return KEYWORD[k].read != NULL ? KEYWORD[k].read(r, err) : MW_OK;
  }
  return mw_fail(err, MW_ERR_INPUT, r->at, "unknown keyword *%.60s", r->keyword);
}

static mw_code read_all(inp_reader *r, mw_error *err)
{
  bool data = false, step = false;
  mw_code rc = mw_inp_data(r, &data, err);
  if (rc == MW_OK && data) {
    char word[INP_WORD] = "";
    (void)mw_inp_field(r, word);
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r),
                   "found '%.40s', expected a keyword such as *NODE", word);
  }
  if (rc == MW_OK) rc = mw_inp_card(r, err);
  while (rc == MW_OK && r->keyword != NULL && !step) {
    rc = mw_inp_keyword(r, &step, err);
    if (rc == MW_OK && !step) rc = mw_inp_card(r, err);
  }
  return rc;
}

mw_code mw_inp_read(const char *path, double scale, mw_arena *mem, mw_mesh *out, mw_error *err)
{
  inp_reader *r = NULL;
  mw_arena own = { 0 };  // the reader is too large for the stack of a worker
  mw_mesh mesh = { .path = path };
  r = mw_arena_alloc(&own, 1, sizeof *r);
  mw_code rc = mw_arena_check(&own, err);
  if (rc != MW_OK) return rc;
  r->scale = scale;
  r->mem = mem;
  rc = mw_inp_open(r, path, MW_NOWHERE, err);
  if (rc == MW_OK) rc = read_all(r, err);
  if (rc == MW_OK) rc = mw_inp_build(r, &mesh, err);
  mw_arena_free(&r->tmp);
  mw_arena_free(&own);
  if (rc == MW_OK) *out = mesh;
  return rc;
}

mw_code mw_inp_files(const char *path, mw_arena *mem, int *n, const char ***file, mw_error *err)
{
  mw_arena own = { 0 };
  inp_reader *r = mw_arena_alloc(&own, 1, sizeof *r);
  mw_code rc = mw_arena_check(&own, err);
  if (rc != MW_OK) return rc;
  rc = mw_inp_open(r, path, MW_NOWHERE, err);
  do {
    if (rc == MW_OK) rc = mw_inp_card(r, err);
  } while (rc == MW_OK && r->keyword != NULL && strcmp(r->keyword, "STEP") != 0);
  *n = r->n_path;
  *file = mw_arena_alloc(mem, (size_t)r->n_path, sizeof **file);
  for (int k = 0; rc == MW_OK && *file && k < r->n_path; k++)
    (*file)[k] = mw_arena_str(mem, r->path[k]);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  mw_arena_free(&r->tmp);
  mw_arena_free(&own);
  return rc;
}
