// SPDX-License-Identifier: BSD-3-Clause
// matrices_nodes.c: nodes from a table or from an .inp, and the rows' node.direction.
//
// Of an .inp only *NODE and *NSET count: matrices need no elements, and elements of any kind may
// stand in such a file. O(file size · log n_node).
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "matrices_layer.h"

// ---- table: number x y z ----

mw_code mx_read_table(mx_reader *r, const char *path, mw_error *err)
{
  mx_text t;
  mw_code rc = mx_open(path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    int tag = 0;
    double x[3];
    char *comment = strchr(t.buf, '#');
    if (comment != NULL) *comment = '\0', t.cut = false;
    if (mx_blank(&t)) continue;
    rc = mx_int(&t, "a node number", &tag, err);
    for (int i = 0; i < 3 && rc == MW_OK; i++) rc = mx_real(&t, "a coordinate", &x[i], err);
    if (rc == MW_OK) rc = mx_end(&t, err);
    if (rc == MW_OK) rc = mx_add_node(r, &t, tag, x, err);
  }
  mx_close(&t);
  return rc == MW_OK ? mx_sort_nodes(r, path, err) : rc;
}

// ---- .inp ----

static bool starts(const char *s, const char *word)
{
  for (; *word != '\0'; s++, word++)
    if (toupper((unsigned char)*s) != *word) return false;
  return true;
}

static bool same(const char *a, const char *b)
{
  while (*a != '\0' && toupper((unsigned char)*a) == toupper((unsigned char)*b)) a++, b++;
  return *a == *b;
}

// Is the line's keyword `word`? ("*NODE" but not "*NODE PRINT")
static bool keyword(const char *line, const char *word)
{
  if (!starts(line, word)) return false;
  line += strlen(word);
  while (*line == ' ' || *line == '\t') line++;
  return *line == '\0' || *line == ',';
}

// value of KEY=VALUE on a keyword line into out [n]; false: not there (flag: KEY alone counts)
static bool option(const char *line, const char *key, char *out, size_t n)
{
  for (const char *p = strchr(line, ','); p != NULL; p = strchr(p, ',')) {
    size_t k = 0;
    p++;
    while (*p == ' ' || *p == '\t') p++;
    if (!starts(p, key)) continue;
    const char *q = p + strlen(key);
    while (*q == ' ' || *q == '\t') q++;
    if (*q != '=' && *q != ',' && *q != '\0') continue;
    if (*q == '=') q++;
    while (*q == ' ' || *q == '\t') q++;
    for (; *q != '\0' && *q != ',' && k + 1 < n; q++) out[k++] = *q;
    while (k > 0 && (out[k - 1] == ' ' || out[k - 1] == '\t')) k--;
    out[k] = '\0';
    return true;
  }
  return false;
}

// The set `name`, a new one if there is none; NULL: no memory.
static mx_set *find_set(mx_reader *r, const char *name, bool build)
{
  for (int k = 0; k < r->n_set; k++)
    if (same(r->set[k].name, name)) return &r->set[k];
  void *p = r->set;
  if (!build || mx_room(&p, r->n_set, &r->cap_set, sizeof *r->set, NULL) != MW_OK) return NULL;
  r->set = p;
  mx_set *s = &r->set[r->n_set++];
  *s = (mx_set){ 0 };
  strncat(s->name, name, sizeof s->name - 1);
  return s;
}

static mw_code add_tag(mx_set *s, int tag, mw_error *err)
{
  void *p = s->tag;
  mw_code rc = mx_room(&p, s->n, &s->cap, sizeof *s->tag, err);
  s->tag = p;
  if (rc == MW_OK) s->tag[s->n++] = tag;
  return rc;
}

typedef struct inp_state {
  enum { SKIP, NODES, SET, GENERATE } mode;
  int set;  // into mx_reader.set, -1: none
} inp_state;

static mw_code node_line(mx_reader *r, mx_text *t, const inp_state *s, mw_error *err)
{
  int tag = 0;
  double x[3] = { 0.0, 0.0, 0.0 };
  mw_code rc = mx_int(t, "a node number", &tag, err);
  // coordinates that are left out are zero
  for (int i = 0; i < 3 && rc == MW_OK && !mx_blank(t); i++)
    rc = mx_real(t, "a coordinate", &x[i], err);
  if (rc == MW_OK) rc = mx_end(t, err);
  if (rc == MW_OK) rc = mx_add_node(r, t, tag, x, err);
  return rc == MW_OK && s->set >= 0 ? add_tag(&r->set[s->set], tag, err) : rc;
}

// node numbers, or names of sets, whose nodes join
static mw_code set_line(mx_reader *r, mx_text *t, const inp_state *s, mw_error *err)
{
  mw_code rc = MW_OK;
  while (rc == MW_OK && !mx_blank(t)) {
    int tag = 0;
    char name[128];
    size_t n = strcspn(t->pos, ", \t");
    if (isdigit((unsigned char)*t->pos)) {
      rc = mx_int(t, "a node number", &tag, err);
      if (rc == MW_OK) rc = add_tag(&r->set[s->set], tag, err);
      continue;
    }
    if (n >= sizeof name) n = sizeof name - 1;
    memcpy(name, t->pos, n);
    name[n] = '\0';
    const mx_set *from = find_set(r, name, false);
    if (from == NULL) return mw_fail(err, MW_ERR_INPUT, mx_at(t), "unknown node set '%.60s'", name);
    for (int i = 0, m = from->n; i < m && rc == MW_OK; i++)
      rc = add_tag(&r->set[s->set], from->tag[i], err);
    t->pos += n;
  }
  return rc;
}

static mw_code generate_line(mx_reader *r, mx_text *t, const inp_state *s, mw_error *err)
{
  int a = 0, b = 0, step = 1;
  mw_code rc = mx_int(t, "the first node number", &a, err);
  if (rc == MW_OK) rc = mx_int(t, "the last node number", &b, err);
  if (rc == MW_OK && !mx_blank(t)) rc = mx_int(t, "the step", &step, err);
  if (rc == MW_OK && (step <= 0 || a <= 0 || b < a))
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = t->path, .line = t->line },
                 "nodes %d to %d by %d cannot be", a, b, step);
  for (long long k = a; k <= b && rc == MW_OK; k += step)
    if (mx_find_node(r, (int)k) >= 0) rc = add_tag(&r->set[s->set], (int)k, err);
  return rc;
}

static mw_code keyword_line(mx_reader *r, mx_text *t, inp_state *s, mw_error *err)
{
  char name[128], word[128];
  const char *line = t->pos;
  mw_at at = { .file = t->path, .line = t->line };
  bool node = keyword(line, "*NODE"), nset = keyword(line, "*NSET");
  *s = (inp_state){ .mode = SKIP, .set = -1 };
  if (keyword(line, "*SYSTEM") || keyword(line, "*INSTANCE"))
    return mw_fail(err, MW_ERR_INPUT, at, "%.40s moves nodes, expected their places in one system",
                   line);
  if (!node && !nset) return MW_OK;
  if (option(line, "INPUT", word, sizeof word))
    return mw_fail(err, MW_ERR_INPUT, at, "nodes in another file, '%s', expected them here", word);
  if (node && option(line, "SYSTEM", word, sizeof word))
    return mw_fail(err, MW_ERR_INPUT, at, "nodes in a coordinate system of their own, SYSTEM=%s",
                   word);
  if (option(line, "NSET", name, sizeof name)) {
    const mx_set *set = find_set(r, name, true);
    if (set == NULL) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
    s->set = (int)(set - r->set);
  } else if (nset) {
    return mw_fail(err, MW_ERR_INPUT, at, "*NSET without a name, expected NSET=");
  }
  s->mode = node ? NODES : option(line, "GENERATE", word, sizeof word) ? GENERATE : SET;
  return MW_OK;
}

// all: nodes first, sets (which need them sorted) in a second pass
static mw_code inp_pass(mx_reader *r, const char *path, bool sets, mw_error *err)
{
  mx_text t;
  inp_state s = { .mode = SKIP, .set = -1 };
  mw_code rc = mx_open(path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    mx_blank(&t);
    if (*t.pos == '\0' || starts(t.pos, "**")) continue;
    if (*t.pos == '*')
      rc = keyword_line(r, &t, &s, err);
    else if (s.mode == NODES && !sets)
      rc = node_line(r, &t, &s, err);
    else if (s.mode == SET && sets)
      rc = set_line(r, &t, &s, err);
    else if (s.mode == GENERATE && sets)
      rc = generate_line(r, &t, &s, err);
  }
  mx_close(&t);
  return rc;
}

mw_code mx_read_inp(mx_reader *r, const char *path, mw_error *err)
{
  mw_code rc = inp_pass(r, path, false, err);
  if (rc == MW_OK) rc = mx_sort_nodes(r, path, err);
  return rc == MW_OK ? inp_pass(r, path, true, err) : rc;
}

// ---- rows ----

// "12.3": node 12, direction z
static mw_code dof_word(const mx_reader *r, mx_text *t, int *motion, mw_error *err)
{
  char *end;
  mw_at at = mx_at(t);
  long tag = strtol(t->pos, &end, 10);
  size_t n = strcspn(t->pos, " \t,");
  bool right = isdigit((unsigned char)*t->pos) && *end == '.' && end[1] >= '1' && end[1] <= '6' &&
               end + 2 == t->pos + n && tag <= 0x7fffffff;
  if (!right)
    return mw_fail(err, MW_ERR_INPUT, at, "found '%.*s', expected node.direction, such as 12.3",
                   (int)(n < 40 ? n : 40), t->pos);
  int node = mx_find_node(r, (int)tag);
  if (node < 0)
    return mw_fail(err, MW_ERR_INPUT, at, "node %ld has no place in %s", tag, r->in->nodes);
  *motion = 6 * node + (end[1] - '1');
  t->pos += n;
  return MW_OK;
}

mw_code mx_read_dofs(mx_reader *r, const char *path, mw_error *err)
{
  mx_text t;
  int cap = 0;
  char *seen = calloc((size_t)r->n_node, 6);
  if (seen == NULL) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  mw_code rc = mx_open(path, &t, err);
  while (rc == MW_OK && mx_next(&t)) {
    int motion = 0;
    void *p = r->row;
    if (mx_blank(&t) || *t.pos == '#') continue;
    rc = dof_word(r, &t, &motion, err);
    if (rc == MW_OK) rc = mx_end(&t, err);
    if (rc == MW_OK && seen[motion])
      rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path, .line = t.line, .col = 1 },
                   "%d.%d has a row already", r->node[motion / 6].tag, motion % 6 + 1);
    if (rc == MW_OK) rc = mx_room(&p, r->n_row, &cap, sizeof *r->row, err);
    r->row = p;
    if (rc != MW_OK) break;
    seen[motion] = 1;
    r->row[r->n_row++] = motion;
  }
  mx_close(&t);
  free(seen);
  if (rc == MW_OK && r->n_row == 0)
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "no rows in this file");
  return rc;
}
