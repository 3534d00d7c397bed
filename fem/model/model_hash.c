// SPDX-License-Identifier: BSD-3-Clause
// model_hash.c: what a reduced model is bound to, as SHA-256 digests: all that the model file says
// of the machine and its reduction, by value.
//
// Numbers count by their value (1, 1.0 and $one are the same), keys in the order of the table of
// keys, defaults as if they were left out, files by their bytes whatever they are called. Comments,
// layout, the machine's name, parameters by themselves and scenarios do not count, nor do damping,
// friction and end stops of joint coordinates, which reduced models take as they are (laws.c).
// Bodies, joints, drives and outputs count in their order and by their names, which reduced models
// give to their inputs, outputs and warnings.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "model_layer.h"

static mw_code hash_file(void *sha, const char *path, const char *what, mw_at at, mw_error *err)
{
  char buf[8192];
  size_t got;
  FILE *f = fopen(path, "rb");
  if (!f)
    return mw_fail(err, MW_ERR_IO, at, "cannot open the %s %.200s: %s", what, path,
                   strerror(errno));
  while ((got = fread(buf, 1, sizeof buf, f)) > 0) mw_sha256_add(sha, buf, got);
  mw_code rc = MW_OK;
  if (ferror(f))
    rc = mw_fail(err, MW_ERR_IO, at, "cannot read the %s %.200s: %s", what, path, strerror(errno));
  fclose(f);
  return rc;
}

static void hash_text(mw_sha256 *sha, const char *text)
{
  char length[24];
  size_t n = strlen(text);
  mw_sha256_add(sha, length, (size_t)snprintf(length, sizeof length, "%zu:", n));
  mw_sha256_add(sha, text, n);
}

// Which map an entry is in.
typedef enum place { ELSEWHERE, ROOT, OUTPUTS, REDUCTION, CERTIFICATE, JOINTS, JOINT } place;

// Which map the value of entry `key` of a map is.
static place place_of(const char *key, place inside)
{
  if (inside == ROOT && strcmp(key, "reduction") == 0) return REDUCTION;
  if (inside == ROOT && strcmp(key, "outputs") == 0) return OUTPUTS;
  if (inside == ROOT && strcmp(key, "joints") == 0) return JOINTS;
  return inside == REDUCTION && strcmp(key, "certificate") == 0 ? CERTIFICATE : ELSEWHERE;
}

// What a reduced model is not bound to: the machine's name, the names of its numbers, what it is
// made to do, the runs that a certificate judges by, and what stands beside the tables.
static bool is_apart(const char *key, place inside)
{
  static const char *const apart[] = { "name", "parameters", "scenarios" };
  static const char *const law[] = { "damping", "drive_friction", "stops" };
  for (int k = 0; k < 3; k++)
    if ((inside == ROOT && strcmp(key, apart[k]) == 0) ||
        (inside == JOINT && strcmp(key, law[k]) == 0))
      return true;
  return inside == CERTIFICATE && strcmp(key, "scenario") == 0;
}

// Nor to outputs that are seen in others: does entry e of a map of names count?
static bool named_counts(const mw_ynode *e, place inside)
{
  return inside != OUTPUTS || !mw_output_is_seen(e);
}

static const mw_ynode *counts(const mw_ynode *map, const mw_key *k, place inside);

// Does a scalar say what the text does?
static bool says(const mw_ynode *node, const char *text, size_t n)
{
  char *end;
  if (node->kind != MW_Y_SCALAR) return false;
  if (!node->number) return strlen(node->text) == n && memcmp(node->text, text, n) == 0;
  double x = strtod(text, &end);
  return end == text + n && x == node->num;
}

// Is the value that of the key's default, "1", "[0, 0, 1]" or "{}"?
static bool is_default(const mw_ynode *e, const mw_key *k, place inside)
{
  const char *p = k->fallback;
  if (!p) return false;
  if (*p == '{') {
    if (e->kind != MW_Y_MAP) return false;
    for (const mw_ynode *in = k->shape->keys ? NULL : e->first; in; in = in->next)
      if (named_counts(in, inside)) return false;
    if (!k->shape->keys) return true;
    for (const mw_key *in = k->shape->keys; in->name; in++)
      if (counts(e, in, inside)) return false;
    return true;
  }
  if (*p != '[') return says(e, p, strlen(p));
  const mw_ynode *item = e->kind == MW_Y_LIST ? e->first : NULL;
  for (p++; item && *p && *p != ']'; item = item->next) {
    size_t n = strcspn(p, ",]");
    if (!says(item, p, n)) return false;
    p += n;
    p += strspn(p, ", ");
  }
  return e->kind == MW_Y_LIST && !item && *p == ']';
}

// The entry of a map that key k has and that counts, NULL: none.
static const mw_ynode *counts(const mw_ynode *map, const mw_key *k, place inside)
{
  const mw_ynode *e = is_apart(k->name, inside) ? NULL : mw_y_find(map, k->name);
  return e && e->given && !is_default(e, k, place_of(k->name, inside)) ? e : NULL;
}

static void hash_scalar(mw_sha256 *sha, const mw_ynode *node)
{
  char value[32];
  snprintf(value, sizeof value, "%.17g", node->num + 0.0);  // one zero
  hash_text(sha, node->number ? value : node->text);
}

static void hash_node(mw_sha256 *sha, const mw_ynode *node, const mw_shape *s, place inside);

static void hash_map(mw_sha256 *sha, const mw_ynode *map, const mw_shape *s, place inside)
{
  for (const mw_key *k = s->keys; k && k->name; k++) {
    const mw_ynode *e = counts(map, k, inside);
    if (!e) continue;
    hash_text(sha, k->name);
    if (k->flags & MW_KEY_FILE &&
        e->kind == MW_Y_SCALAR) {  // its bytes follow, here how it is read
      const char *dot = strrchr(e->text, '.');
      hash_text(sha, dot ? dot : "");
    } else {
      hash_node(sha, e, k->shape, place_of(k->name, inside));
    }
  }
  for (const mw_ynode *e = s->named ? map->first : NULL; e; e = e->next) {
    if (!named_counts(e, inside)) continue;
    hash_text(sha, e->key->text);
    hash_node(sha, e, s->named, inside == JOINTS ? JOINT : ELSEWHERE);
  }
}

// 5:alpha a scalar, [..] a list, {key value ..} a map. inside: which map the node is.
static void hash_node(mw_sha256 *sha, const mw_ynode *node, const mw_shape *s, place inside)
{
  static const char *const open = "[{", *const close = "]}";
  if (node->kind == MW_Y_SCALAR) {
    hash_scalar(sha, node);
    return;
  }
  bool map = node->kind == MW_Y_MAP;
  mw_sha256_add(sha, open + map, 1);
  if (map) hash_map(sha, node, s, inside);
  for (const mw_ynode *e = map ? NULL : node->first; e; e = e->next)
    hash_node(sha, e, s->item, ELSEWHERE);
  mw_sha256_add(sha, close + map, 1);
}

// ---- what differs -------------------------------------------------------------------------------

static bool differ_map(const mw_ynode *a, const mw_ynode *b, const mw_shape *s, place inside,
                       mw_differ *d);

static bool differ_node(const mw_ynode *a, const mw_ynode *b, const mw_shape *s, place inside,
                        mw_differ *d)
{
  bool go = true;
  if (a->kind == MW_Y_MAP) return differ_map(a, b, s, inside, d);
  if (a->kind == MW_Y_LIST) {
    const mw_ynode *x = a->first, *y = b->first;
    for (; go && x && y; x = x->next, y = y->next) go = differ_node(x, y, s->item, ELSEWHERE, d);
    return go;
  }
  bool same = a->number ? a->num == b->num : strcmp(a->text, b->text) == 0;
  return same || d->found(d->ctx, d->path, d->depth, a, b);
}

static bool differ_entry(const mw_ynode *a, const mw_ynode *b, const mw_shape *s, place inside,
                         mw_differ *d)
{
  d->path[d->depth++] = a->key ? a->key->text : "";
  bool go = differ_node(a, b, s, inside, d);
  d->depth--;
  return go;
}

static bool differ_map(const mw_ynode *a, const mw_ynode *b, const mw_shape *s, place inside,
                       mw_differ *d)
{
  bool go = true;
  for (const mw_key *k = s->keys; go && k && k->name; k++) {
    const mw_ynode *x = mw_y_find(a, k->name), *y = mw_y_find(b, k->name);
    if (x && y && x->given && !is_apart(k->name, inside))
      go = differ_entry(x, y, k->shape, place_of(k->name, inside), d);
  }
  const mw_ynode *x = s->named ? a->first : NULL, *y = b->first;
  for (; go && x && y; x = x->next, y = y->next)
    if (named_counts(x, inside))
      go = differ_entry(x, y, s->named, inside == JOINTS ? JOINT : ELSEWHERE, d);
  return go;
}

void mw_model_differ(const mw_ynode *a, const mw_ynode *b, mw_differ *d)
{
  d->depth = 0;
  (void)differ_map(a, b, &mw_model_shape, ROOT, d);
}

// ---- all ----------------------------------------------------------------------------------------

static void hash_scenarios(const mw_ynode *root, mw_model *m)
{
  const mw_ynode *map = mw_y_find(root, "scenarios");
  const mw_key *k = mw_model_shape.keys;
  int i = 0;
  while (strcmp(k->name, "scenarios") != 0) k++;
  for (const mw_ynode *e = map->first; e && i < m->n_scenario; e = e->next, i++) {
    mw_sha256 sha;
    uint8_t digest[32];
    mw_sha256_init(&sha);
    hash_node(&sha, e, k->shape->named, ELSEWHERE);
    mw_sha256_end(&sha, digest);
    mw_sha256_hex(digest, m->scenario[i].hash);
  }
}

// The law of springs against turns, where there are some: reduced models made with k sin φ cos φ
// are other models.
static void hash_law(const mw_model *m, mw_sha256 *sha)
{
  bool any = false;
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 3; i < 6 && m->joint[j].kind == MW_JOINT_SPRING; i++)
      any = any || m->joint[j].stiffness[i] > 0.0 || m->joint[j].damping[i] > 0.0;
  if (any) hash_text(sha, "springs against turns: rotation vector");
}

// What components were made from, whatever their files are called, and what they are asked for.
static void hash_components(const mw_model *m, mw_sha256 *sha)
{
  for (int k = 0; k < m->n_component; k++) {
    const mw_component_use *u = &m->component[k];
    hash_text(sha, u->name);
    hash_text(sha, u->hash);
    mw_sha256_add(sha, u->in.p, sizeof u->in.p);
    mw_sha256_add(sha, u->in.A, sizeof u->in.A);
    for (int i = 0; i < u->in.n_set; i++) hash_text(sha, u->in.set[i]);
  }
}

mw_code mw_model_hash(const mw_ynode *root, const mw_ynode *middle, mw_model *m, mw_error *err)
{
  mw_sha256 sha;
  uint8_t digest[32];
  mw_sha256_init(&sha);
  hash_node(&sha, middle, &mw_model_shape, ROOT);
  hash_law(m, &sha);
  hash_scenarios(root, m);
  mw_code rc = mw_model_files(m, hash_file, &sha, err);
  hash_components(m, &sha);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, m->hash);
  return rc;
}
