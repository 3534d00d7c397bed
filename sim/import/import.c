// SPDX-License-Identifier: BSD-3-Clause
// import.c: a foreign file becomes the text of a model file: finds the format;
// names, bodies, joints, frames and notes of the model that a reader fills in.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import_priv.h"
#include "xml_layer.h"

// ---- what grows
// ---------------------------------------------------------------------------------

// Room for one more of n objects of size bytes; NULL: no memory, *array as it
// was.
static void *grow(import_model *m, void *array, int n, int *room, size_t size)
{
  if (n < *room) return array;
  int wanted = 2 * *room + 16;
  void *more = mw_arena_alloc(m->mem, (size_t)wanted, size);
  if (!more) return NULL;
  if (n > 0) memcpy(more, array, (size_t)n * size);
  *room = wanted;
  return more;
}

import_body *import_add_body(import_model *m, const char *name, mw_at at)
{
  import_body *all = grow(m, m->body, m->n_body, &m->room_body, sizeof *all);
  if (!all) return NULL;
  m->body = all;
  all[m->n_body] = (import_body){ .name = name, .at = at, .place = import_here };
  return &all[m->n_body++];
}

import_joint *import_add_joint(import_model *m, const char *name)
{
  import_joint *all = grow(m, m->joint, m->n_joint, &m->room_joint, sizeof *all);
  if (!all) return NULL;
  m->joint = all;
  all[m->n_joint] = (import_joint){ .name = name };
  return &all[m->n_joint++];
}

void import_add_frame(import_model *m, int body, const char *name, const double x[3])
{
  import_frame *all = grow(m, m->frame, m->n_frame, &m->room_frame, sizeof *all);
  if (!all) return;
  m->frame = all;
  all[m->n_frame++] = (import_frame){ name, body, { x[0], x[1], x[2] } };
}

void import_note(import_model *m, mw_at at, const char *fmt, ...)
{
  va_list args;
  mw_import_note *all = grow(m, m->note, m->n_note, &m->room_note, sizeof *all);
  if (!all) return;
  m->note = all;
  va_start(args, fmt);
  all[m->n_note++] = (mw_import_note){ at, mw_arena_vprintf(m->mem, fmt, args) };
  va_end(args);
}

// ---- names
// --------------------------------------------------------------------------------------

static bool is_taken(const import_model *m, char kind, int body, const char *name)
{
  for (int k = 0; kind == 'b' && k < m->n_body; k++)
    if (strcmp(m->body[k].name, name) == 0) return true;
  for (int k = 0; kind == 'j' && k < m->n_joint; k++)
    if (strcmp(m->joint[k].name, name) == 0) return true;
  for (int k = 0; kind == 'f' && k < m->n_frame; k++)
    if (m->frame[k].body == body && strcmp(m->frame[k].name, name) == 0) return true;
  return kind == 'b' && strcmp(name, "ground") == 0;
}

const char *import_name(import_model *m, char kind, int body, const char *text, mw_at at)
{
  bool fine = isalpha((unsigned char)text[0]) || text[0] == '_';
  char *stem = mw_arena_printf(m->mem, "%s%s", fine ? "" : "_", text);
  if (!stem) return "";
  for (char *p = stem; *p != '\0'; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-') *p = '_';
  const char *name = stem;
  for (int k = 2; name && is_taken(m, kind, body, name); k++)
    name = mw_arena_printf(m->mem, "%s_%d", stem, k);
  if (name && strcmp(name, text) != 0)
    import_note(m, at, "%s \"%s\" is called %s",
                kind == 'b'   ? "body"
                : kind == 'j' ? "joint"
                              : "frame",
                text, name);
  return name ? name : "";
}

const char *import_point(import_model *m, int body, const char *name, const double x[3], mw_at at)
{
  if (x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0) return NULL;
  const char *own = import_name(m, 'f', body, name, at);
  import_add_frame(m, body, own, x);
  return own;
}

// ---- formats
// ------------------------------------------------------------------------------------

// The file's name without folder and ending.
static const char *stem_of(const char *path, mw_arena *mem)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
             *dot = strrchr(name, '.');
  return mw_arena_printf(mem, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name),
                         name);
}

static bool is_cad(const char *path)
{
  static const char *const ending[] = { ".step", ".stp", ".iges", ".igs" };
  const char *dot = strrchr(path, '.');
  for (size_t k = 0; dot && k < sizeof ending / sizeof *ending; k++)
    if (strcasecmp(dot, ending[k]) == 0) return true;
  return false;
}

static mw_code read_xml(const mw_import_opt *opt, import_model *m, const char **kind, mw_error *err)
{
  xml_node *root = NULL;
  mw_code rc = xml_read(m->path, m->mem, &root, err);
  if (rc != MW_OK) return rc;
  bool urdf = strcmp(root->name, "robot") == 0, mjcf = strcmp(root->name, "mujoco") == 0;
  *kind = urdf ? "urdf" : "mjcf";
  if (!urdf && !mjcf)
    return mw_fail(err, MW_ERR_INPUT, root->at,
                   "found <%.64s>, expected <robot> (URDF) or <mujoco> (MJCF)", root->name);
  if (opt->density > 0.0)
    return mw_fail(err, MW_ERR_INPUT, root->at, "--density is for CAD files, found a robot");
  if (mjcf && opt->free_base)
    return mw_fail(err, MW_ERR_INPUT, root->at,
                   "--free-base is for URDF, found MJCF, which says it by joints");
  return urdf ? import_urdf(root, opt, m, err) : import_mjcf(root, m, err);
}

static int by_place(const void *a, const void *b)
{
  const mw_import_note *p = a, *q = b;
  int file = strcmp(p->at.file, q->at.file), line = p->at.line - q->at.line;
  if (file != 0) return file;
  return line != 0                ? line
         : p->at.col != q->at.col ? p->at.col - q->at.col
                                  : strcmp(p->text, q->text);
}

mw_code mw_import_read(const char *path, const mw_import_opt *opt, mw_arena *mem,
                       mw_import_result *out, mw_error *err)
{
  import_model m = { .path = mw_arena_str(mem, path),
                     .name = stem_of(path, mem),
                     .gravity = { 0.0, 0.0, -9.81 },
                     .mem = mem };
  const char *kind = "cad";
  bool cad = is_cad(path);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = cad ? import_cad(opt, &m, err) : read_xml(opt, &m, &kind, err);
  const char *text = rc == MW_OK ? import_text(&m) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (m.n_note > 0) qsort(m.note, (size_t)m.n_note, sizeof *m.note, by_place);
  *out = (mw_import_result){ .kind = kind,
                             .text = text,
                             .whole = !cad,
                             .n_body = m.n_body,
                             .n_joint = m.n_joint,
                             .n_proposed = m.n_proposed,
                             .n_note = m.n_note,
                             .note = m.note };
  return MW_OK;
}
