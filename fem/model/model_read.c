// SPDX-License-Identifier: BSD-3-Clause
// model_read.c: a model file from its bytes to mw_model.
//
//   bytes → tree of nodes (yaml_tree.c) → checked against the table (model_shape.c, model_keys.c)
//         → names resolved (model_section.c, _body, _frame, _joint, _force, _run, _signal) →
//           model_check.c
//
// Texts are copied into the model's own memory; the tree lives as long as the reading.
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mesh.h"
#include "model_layer.h"

static const size_t LARGEST_FILE = (size_t)16 << 20;  // bytes

const char *mw_read_str(mw_reader *rd, const char *text) { return mw_arena_str(rd->mem, text); }

// ---- files --------------------------------------------------------------------------------------

mw_code mw_model_bytes(const char *path, const char *what, char **text, size_t *n, mw_error *err)
{
  mw_at at = { path, 0, 0 };
  size_t cap = 1 << 16, used = 0, got;
  FILE *f = fopen(path, "rb");
  if (!f) return mw_fail(err, MW_ERR_IO, at, "cannot open the %s: %s", what, strerror(errno));
  char *buf = malloc(cap);
  mw_code rc = buf ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  while (rc == MW_OK && (got = fread(buf + used, 1, cap - used, f)) > 0) {
    used += got;
    if (used < cap) continue;
    if (used > LARGEST_FILE) break;
    char *more = realloc(buf, cap *= 2);
    if (more)
      buf = more;
    else
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  }
  if (rc == MW_OK && ferror(f))
    rc = mw_fail(err, MW_ERR_IO, at, "cannot read the %s: %s", what, strerror(errno));
  if (rc == MW_OK && used > LARGEST_FILE)
    rc = mw_fail(err, MW_ERR_INPUT, at, "the file has more than %zu bytes, expected a model",
                 LARGEST_FILE);
  fclose(f);
  if (rc != MW_OK) {
    free(buf);
    return rc;
  }
  *text = buf;
  *n = used;
  return MW_OK;
}

// an .inp file's includes
static mw_code inp_files(const mw_body_in *b, mw_model_file_fn *fn, void *ctx, mw_error *err)
{
  mw_arena tmp = { 0 };
  int n = 0;
  const char **file = NULL;
  mw_code rc = mw_inp_files(b->mesh, &tmp, &n, &file, err);
  for (int k = 1; rc == MW_OK && k < n; k++)
    rc = fn(ctx, file[k], "included file", b->mesh_at, err);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code body_files(const mw_body_in *b, mw_model_file_fn *fn, void *ctx, mw_error *err)
{
  const char *dot = b->mesh ? strrchr(b->mesh, '.') : NULL;
  const mw_matrices_in *m = b->matrices;
  mw_code rc = b->mesh ? fn(ctx, b->mesh, "mesh", b->mesh_at, err) : MW_OK;
  if (rc == MW_OK && dot && strcmp(dot, ".inp") == 0) rc = inp_files(b, fn, ctx, err);
  if (rc == MW_OK && b->cad) rc = fn(ctx, b->cad->file, "CAD file", b->cad->at, err);
  if (rc == MW_OK && b->solid) rc = fn(ctx, b->solid->file, "CAD file", b->solid->at, err);
  if (rc == MW_OK && m && m->stiffness) rc = fn(ctx, m->stiffness, "matrix", m->stiffness_at, err);
  if (rc == MW_OK && m && m->mass) rc = fn(ctx, m->mass, "matrix", m->mass_at, err);
  if (rc == MW_OK && m && m->nodes) rc = fn(ctx, m->nodes, "table of nodes", m->nodes_at, err);
  if (rc == MW_OK && m && m->dofs) rc = fn(ctx, m->dofs, "table of directions", m->dofs_at, err);
  return rc;
}

mw_code mw_model_sources(const mw_model *m, mw_model_file_fn *fn, void *ctx, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < m->n_source; k++)
    rc = fn(ctx, m->source[k].path, "file of an assembly", m->source[k].at, err);
  return rc;
}

mw_code mw_model_files(const mw_model *m, mw_model_file_fn *fn, void *ctx, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; b < m->n_body && rc == MW_OK; b++) rc = body_files(&m->body[b], fn, ctx, err);
  return rc;
}

// ---- the model ----------------------------------------------------------------------------------

// The file's name without folder and ending.
static const char *default_name(mw_reader *rd)
{
  const char *slash = strrchr(rd->m->path, '/'), *name = slash ? slash + 1 : rd->m->path,
             *dot = strrchr(name, '.');
  int n = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
  return mw_arena_printf(rd->mem, "%.*s", n, name);
}

static mw_code read_head(mw_reader *rd, const mw_ynode *root)
{
  const mw_ynode *name = mw_y_find(root, "name"), *damping = mw_y_find(root, "damping"),
                 *modal = mw_y_find(damping, "modal");
  mw_model *m = rd->m;
  m->name = name ? mw_read_str(rd, name->text) : default_name(rd);
  mw_y_vec(mw_y_find(root, "gravity"), 3, m->gravity);
  m->strain_linear = strcmp(mw_y_find(root, "strain")->text, "linear") == 0;
  m->assemble = mw_y_num(root, "assemble") > 0.0;
  m->assemble_at = mw_y_find(root, "assemble")->at;
  m->alpha = mw_y_num(damping, "alpha");
  m->beta = mw_y_num(damping, "beta");
  mw_code rc = mw_read_modal(rd, modal);
  if (rc != MW_OK) return rc;
  if (modal->given && (mw_y_given(damping, "alpha") || mw_y_given(damping, "beta")))
    return mw_fail(rd->err, MW_ERR_INPUT, modal->key->at,
                   "damping: found modal beside alpha or beta, expected one of them");
  return mw_arena_check(rd->mem, rd->err);
}

// modeway's version comes first: the rest may mean something else in another one.
static mw_code check_version(const mw_ynode *root, const char *path, mw_error *err)
{
  if (root->kind != MW_Y_MAP)
    return mw_fail(err, MW_ERR_INPUT, root->at,
                   "found no mapping, expected a model that begins with modeway: 1");
  const mw_ynode *v = mw_y_find(root, "modeway");
  if (!v)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ path, 1, 1 },
                   "found no key modeway, expected modeway: 1");
  return MW_OK;
}

mw_code mw_read_tree(mw_reader *rd, mw_ynode *root, mw_arena *tree)
{
  mw_code rc = mw_read_parameters(rd, root, tree);
  const mw_scope scope = { rd->m->parameter, rd->m->n_parameter, NULL };
  const mw_shape_env env = { tree, rd->err, &scope, false };
  if (rc == MW_OK) rc = mw_assemblies_expand(rd, root, &scope, tree);
  return rc == MW_OK ? mw_shape_check(root, &mw_model_shape, "the model", &env) : rc;
}

static mw_code read_tree(mw_reader *rd, mw_ynode *root, mw_arena *tree)
{
  mw_code rc = check_version(root, rd->m->path, rd->err);
  if (rc == MW_OK) rc = mw_read_tree(rd, root, tree);
  if (rc == MW_OK) rc = read_head(rd, root);
  if (rc == MW_OK) rc = mw_read_sections(rd, root);
  if (rc == MW_OK) rc = mw_read_bodies(rd, root);
  if (rc == MW_OK) rc = mw_read_joints(rd, root);
  if (rc == MW_OK) rc = mw_read_drives(rd, root);
  if (rc == MW_OK) rc = mw_read_forces(rd, root);
  if (rc == MW_OK) rc = mw_read_outputs(rd, root);
  if (rc == MW_OK) rc = mw_divide_bodies(rd);
  if (rc == MW_OK) rc = mw_components_read(rd);
  if (rc == MW_OK) rc = mw_read_reduction(rd, root);
  if (rc == MW_OK) rc = mw_read_observed(rd, root);
  if (rc == MW_OK) rc = mw_model_check(rd);
  if (rc == MW_OK) rc = mw_read_scenarios(rd, root);
  return rc;
}

typedef struct files {  // as in mw_reader
  const mw_model_text *v;
  int n;
  bool inside;
} files;

static mw_code read_text(const char *text, size_t n, const mw_model_edit *edit, files in_memory,
                         mw_model *m, mw_error *err)
{
  mw_arena tree = { 0 };
  mw_name_table names = { 0 };
  mw_ynode *root = NULL;
  const mw_ynode *middle = NULL;
  const mw_kept_text copy = { text, n, edit, &tree };
  const char *slash = strrchr(m->path, '/');
  mw_reader rd = { .m = m,
                   .mem = &m->mem,
                   .err = err,
                   .names = &names,
                   .file = in_memory.v,
                   .n_file = in_memory.n,
                   .inside = in_memory.inside };
  rd.dir = mw_arena_printf(&m->mem, "%.*s", slash ? (int)(slash - m->path) + 1 : 0, m->path);
  mw_code rc = mw_arena_check(&m->mem, err);
  if (rc == MW_OK) rc = mw_yaml_read(text, n, m->path, &tree, &root, err);
  if (rc == MW_OK) rc = mw_model_edit_apply(&rd, root, edit, &tree);
  if (rc == MW_OK) rc = read_tree(&rd, root, &tree);
  if (rc == MW_OK) rc = mw_kept_read(&rd, root, &copy, &middle);
  if (rc == MW_OK) rc = mw_model_hash(root, middle, m, err);
  mw_name_table_free(&names);
  mw_arena_free(&tree);
  return rc;
}

mw_code mw_model_read(const char *path, mw_model *out, mw_error *err)
{
  return mw_model_read_edited(path, NULL, out, err);
}

static mw_code read_called(const char *path, const char *text, size_t n, const mw_model_edit *edit,
                           files in_memory, mw_model *out, mw_error *err)
{
  mw_model m = { 0 };
  // numbers have a point, whatever the language of the caller
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), old = c ? uselocale(c) : (locale_t)0;
  m.path = mw_arena_str(&m.mem, path);
  mw_code rc = mw_arena_check(&m.mem, err);
  if (rc == MW_OK) rc = read_text(text, n, edit, in_memory, &m, err);
  if (c) {
    uselocale(old);
    freelocale(c);
  }
  if (rc == MW_OK)
    *out = m;
  else
    mw_model_free(&m);
  return rc;
}

mw_code mw_model_read_text(const char *path, const char *text, size_t n, const mw_model_text *file,
                           int n_file, mw_model *out, mw_error *err)
{
  return read_called(path, text, n, NULL, (files){ file, n_file, true }, out, err);
}

mw_code mw_model_read_edited(const char *path, const mw_model_edit *edit, mw_model *out,
                             mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  mw_code rc = mw_model_bytes(path, "model file", &text, &n, err);
  if (rc == MW_OK) rc = read_called(path, text, n, edit, (files){ NULL, 0, false }, out, err);
  free(text);
  return rc;
}

static bool is_middle(const mw_model *m)
{
  const mw_kept_in *k = m->reduction.kept;
  for (int i = 0; i < m->reduction.n_kept; i++)
    if (k[i].value != 0.5 * (k[i].lo + k[i].hi)) return false;
  return true;
}

mw_code mw_model_read_middle(const char *path, const mw_model_edit *edit, mw_model *out,
                             mw_error *err)
{
  mw_model m, asked;
  mw_arena tmp = { 0 };
  mw_model_edit with = edit ? *edit : (mw_model_edit){ 0 };
  mw_code rc = mw_model_read_edited(path, edit, &asked, err);
  if (rc != MW_OK) return rc;
  if (is_middle(&asked)) {
    *out = asked;
    return MW_OK;
  }
  const mw_kept_in *k = asked.reduction.kept;
  rc = mw_kept_edit(&with, asked.reduction.n_kept, k, NULL, &tmp, err);
  if (rc == MW_OK) rc = mw_model_read_edited(path, &with, &m, err);
  mw_arena_free(&tmp);
  mw_model_free(&asked);
  if (rc == MW_OK) *out = m;
  return rc;
}

void mw_model_free(mw_model *m)
{
  mw_arena_free(&m->mem);
  *m = (mw_model){ 0 };
}
