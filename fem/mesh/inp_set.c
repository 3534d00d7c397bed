// SPDX-License-Identifier: BSD-3-Clause
// inp_set.c: *NSET, *ELSET, *SURFACE and *TIE: names for nodes, elements and faces.
#include <string.h>

#include "inp_priv.h"

int mw_inp_set_find(const inp_sets *s, const char *name)
{
  for (int k = 0; k < s->n; k++)
    if (mw_inp_same(s->v[k].name, name)) return k;
  return -1;
}

mw_code mw_inp_set_room(inp_reader *r, inp_sets *s, const char *name, int *out, mw_error *err)
{
  *out = mw_inp_set_find(s, name);
  if (*out >= 0) return MW_OK;
  void *v = s->v;
  mw_code rc = mw_inp_grow(r, &v, s->n, &s->cap, sizeof *s->v, err);
  s->v = v;
  const char *copy = mw_arena_str(r->mem, name);
  if (rc == MW_OK) rc = mw_arena_check(r->mem, err);
  if (rc != MW_OK) return rc;
  *out = s->n;
  s->v[s->n++] = (inp_set){ .name = copy, .at = r->at };
  return MW_OK;
}

// Adds a number; a full list first drops what it holds twice, so that sets of sets stay small.
static mw_code add(inp_reader *r, inp_list *l, int tag, mw_error *err)
{
  if (l->n == l->cap) {
    l->n = mw_mesh_unique(l->v, l->n);
    if (l->n <= l->cap / 2 && l->n > 0) return l->v[l->n++] = tag, MW_OK;
  }
  return mw_inp_append(r, l, tag, err);
}

// first, last, step (1 if left out); no more numbers than there are nodes or elements so far
static mw_code add_range(inp_reader *r, inp_list *l, bool elems, mw_error *err)
{
  static const char *WHAT = "first, last and step of GENERATE";
  char word[INP_WORD];
  int v[3] = { 0, 0, 1 }, n = 0, have = elems ? r->elems.n : r->nodes.n;
  mw_code rc = MW_OK;
  while (rc == MW_OK && n < 3 && mw_inp_field(r, word))
    if (word[0] != '\0') rc = mw_inp_int(r, word, WHAT, &v[n++], err);
  if (rc != MW_OK) return rc;
  if (n < 2 || v[1] < v[0])
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "expected %s, ascending", WHAT);
  int count = (v[1] - v[0]) / v[2] + 1;
  if (count > have)
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r),
                   "GENERATE makes %d numbers, but there are %d %s so far", count, have,
                   elems ? "elements" : "nodes");
  for (int k = 0; k < count && rc == MW_OK; k++) rc = add(r, l, v[0] + k * v[2], err);
  return rc;
}

static mw_code add_set(inp_reader *r, inp_sets *s, int set, const char *name, mw_error *err)
{
  int from = mw_inp_set_find(s, name);
  if (from < 0)
    return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "set '%.64s' is not defined before this line",
                   name);
  mw_code rc = MW_OK;
  // a set put into itself does not grow
  for (int k = 0, n = s->v[from].tag.n; from != set && k < n && rc == MW_OK; k++)
    rc = add(r, &s->v[set].tag, s->v[from].tag.v[k], err);
  return rc;
}

mw_code mw_inp_read_set(inp_reader *r, bool elems, mw_error *err)
{
  inp_sets *s = elems ? &r->elset : &r->nset;
  const char *name;
  bool generate = mw_inp_param(r, "GENERATE") != NULL, more = true;
  int set;
  mw_code rc = mw_inp_want(r, elems ? "ELSET" : "NSET", &name, err);
  if (rc == MW_OK && !elems && mw_inp_param(r, "ELSET") != NULL)
    rc = mw_fail(err, MW_ERR_INPUT, r->at, "*NSET with ELSET= is not read, the ELSET is a set too");
  if (rc == MW_OK) rc = mw_inp_set_room(r, s, name, &set, err);
  if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  for (; rc == MW_OK && more; rc = rc == MW_OK ? mw_inp_data(r, &more, err) : rc) {
    char word[INP_WORD];
    if (generate) {
      rc = add_range(r, &s->v[set].tag, elems, err);
      continue;
    }
    while (rc == MW_OK && mw_inp_field(r, word)) {
      int tag;
      if (word[0] == '\0') continue;
      if (!mw_inp_is_number(word)) {
        rc = add_set(r, s, set, word, err);
        continue;
      }
      rc = mw_inp_int(r, word, "a number or the name of a set", &tag, err);
      if (rc == MW_OK) rc = add(r, &s->v[set].tag, tag, err);
    }
  }
  return rc;
}

// ---- surfaces ----

// "S1" … "S6", "SPOS", "SNEG" (shells: the whole element)
static mw_code face_label(const inp_reader *r, const char *word, int *face, mw_error *err)
{
  *face = -1;
  if (mw_inp_same(word, "SPOS") || mw_inp_same(word, "SNEG")) return MW_OK;
  if ((word[0] == 'S' || word[0] == 's') && word[1] >= '1' && word[1] <= '6' && word[2] == '\0')
    return *face = word[1] - '1', MW_OK;
  return mw_fail(err, MW_ERR_INPUT, mw_inp_at(r),
                 "found '%.32s', expected the label of a face: S1 to S6, SPOS or SNEG", word);
}

static mw_code read_item(inp_reader *r, inp_surface *s, mw_error *err)
{
  char word[INP_WORD], label[INP_WORD] = "";
  inp_item item = { .at = mw_inp_at(r), .set = -1, .face = -1 };
  mw_code rc = MW_OK;
  if (!mw_inp_field(r, word)) return MW_OK;
  (void)mw_inp_field(r, label);
  if (mw_inp_is_number(word))
    rc = mw_inp_int(r, word, "a number or the name of a set", &item.tag, err);
  else {
    item.set = mw_inp_set_find(s->nodes ? &r->nset : &r->elset, word);
    if (item.set < 0)
      rc = mw_fail(err, MW_ERR_INPUT, item.at, "%s '%.64s' is not defined before this line",
                   s->nodes ? "NSET" : "ELSET", word);
  }
  if (rc == MW_OK && !s->nodes) rc = face_label(r, label, &item.face, err);
  void *v = s->item;
  if (rc == MW_OK) rc = mw_inp_grow(r, &v, s->n, &s->cap, sizeof *s->item, err);
  s->item = v;
  if (rc == MW_OK) s->item[s->n++] = item;
  return rc;
}

mw_code mw_inp_read_surface(inp_reader *r, mw_error *err)
{
  const char *name, *type = mw_inp_param(r, "TYPE");
  bool more = true;
  mw_code rc = mw_inp_want(r, "NAME", &name, err);
  if (rc != MW_OK) return rc;
  inp_surface s = { .name = mw_arena_str(r->mem, name), .at = r->at };
  s.nodes = type != NULL && mw_inp_same(type, "NODE");
  if (type != NULL && !s.nodes && !mw_inp_same(type, "ELEMENT"))
    return mw_fail(err, MW_ERR_INPUT, r->at, "*SURFACE of type %.32s, expected ELEMENT or NODE",
                   type);
  for (int k = 0; k < r->n_surface; k++)
    if (mw_inp_same(r->surface[k].name, name))
      return mw_fail(err, MW_ERR_INPUT, r->at, "surface '%.64s' is defined twice", name);
  rc = mw_arena_check(r->mem, err);
  if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  while (rc == MW_OK && more) {
    rc = read_item(r, &s, err);
    if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  }
  void *v = r->surface;
  if (rc == MW_OK) rc = mw_inp_grow(r, &v, r->n_surface, &r->cap_surface, sizeof *r->surface, err);
  r->surface = v;
  if (rc == MW_OK) r->surface[r->n_surface++] = s;
  return rc;
}

mw_code mw_inp_read_tie(inp_reader *r, mw_error *err)
{
  const char *name = mw_inp_param(r, "NAME"), *far = mw_inp_param(r, "POSITIONTOLERANCE");
  char slave[INP_WORD] = "", master[INP_WORD] = "";
  bool more;
  inp_tie t = { .at = r->at };
  mw_code rc = MW_OK;
  if (far != NULL) rc = mw_inp_f64(r, far, "the position tolerance of a tie", &t.distance, err);
  if (rc == MW_OK && t.distance < 0.0)
    rc = mw_fail(err, MW_ERR_INPUT, r->at, "position tolerance %g, must not be negative",
                 t.distance);
  t.name = mw_arena_str(r->mem, name != NULL ? name : "");
  if (rc == MW_OK) rc = mw_inp_data(r, &more, err);
  for (; rc == MW_OK && more; rc = rc == MW_OK ? mw_inp_data(r, &more, err) : rc) {
    if (!mw_inp_field(r, slave) || !mw_inp_field(r, master)) {
      rc = mw_fail(err, MW_ERR_INPUT, mw_inp_at(r), "expected the slave and the master surface");
      continue;
    }
    t.at = mw_inp_at(r);
    t.slave = mw_arena_str(&r->tmp, slave);
    t.master = mw_arena_str(&r->tmp, master);
    void *v = r->tie;
    rc = mw_inp_grow(r, &v, r->n_tie, &r->cap_tie, sizeof *r->tie, err);
    r->tie = v;
    if (rc == MW_OK) r->tie[r->n_tie++] = t;
    if (rc == MW_OK) rc = mw_arena_check(&r->tmp, err);
  }
  if (rc == MW_OK && t.slave == NULL)
    return mw_fail(err, MW_ERR_INPUT, t.at, "*TIE names no surfaces");
  return rc == MW_OK ? mw_arena_check(r->mem, err) : rc;
}
