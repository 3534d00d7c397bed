// SPDX-License-Identifier: BSD-3-Clause
// model_shape.c: checks a tree of YAML nodes against the table of keys, turns texts into numbers
// and fills in defaults.
//
// Numbers are [+-] digits [. digits] [e [+-] digits], whole text, read by strtod; the caller sets
// the C locale. A text with a $ in place of a number is an expression of the model's parameters;
// among these themselves any text is one.
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape_layer.h"

static const double LARGEST = 1e60;  // so that products of four numbers of a model stay finite

// ---- words --------------------------------------------------------------------------------------

mw_suggest mw_suggest_init(const char *want) { return (mw_suggest){ want, NULL, 0 }; }

// Edits from a to b: insert, delete, replace, swap neighbours (optimal string alignment); texts
// above 31 bytes are far.
static int distance(const char *a, const char *b)
{
  enum { MOST = 31 };
  size_t na = strlen(a), nb = strlen(b);
  if (na > MOST || nb > MOST) return MOST;
  int d[MOST + 1][MOST + 1];
  for (size_t i = 0; i <= na; i++)
    for (size_t j = 0; j <= nb; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = (int)(i + j);
        continue;
      }
      int c =
          d[i - 1][j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      if (d[i - 1][j] + 1 < c) c = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < c) c = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < c)
        c = d[i - 2][j - 2] + 1;
      d[i][j] = c;
    }
  return d[na][nb];
}

void mw_suggest_add(mw_suggest *s, const char *candidate)
{
  size_t n = strlen(s->want);
  int cost = distance(s->want, candidate), most = n < 3 ? 1 : n < 6 ? 2 : 3;
  if (cost > most || (size_t)cost >= n || (s->best && cost >= s->cost)) return;
  s->best = candidate;
  s->cost = cost;
}

// The k-th blank-separated word of words into out [32]; false when there are fewer.
static bool word_at(const char *words, int k, char out[32])
{
  for (const char *p = words; p && *p; k--) {
    size_t n = strcspn(p, " ");
    if (k == 0) {
      snprintf(out, 32, "%.*s", (int)n, p);
      return true;
    }
    p += n + (p[n] == ' ');
  }
  return false;
}

static bool word_in(const char *words, const char *text)
{
  char w[32];
  for (int k = 0; word_at(words, k, w); k++)
    if (strcmp(w, text) == 0) return true;
  return false;
}

static bool is_name(const char *s, size_t n)
{
  if (n == 0 || !(isalpha((unsigned char)s[0]) || s[0] == '_')) return false;
  for (size_t i = 1; i < n; i++)
    if (!(isalnum((unsigned char)s[i]) || s[i] == '_' || s[i] == '-')) return false;
  return true;
}

// Names with dots between them.
static bool is_path(const char *s)
{
  for (;; s++) {
    size_t n = strcspn(s, ".");
    if (!is_name(s, n)) return false;
    s += n;
    if (!*s) return true;
  }
}

static bool is_number(const char *s)
{
  size_t digits = 0, n;
  if (*s == '+' || *s == '-') s++;
  s += n = strspn(s, "0123456789");
  digits += n;
  if (*s == '.') {
    s++;
    s += n = strspn(s, "0123456789");
    digits += n;
  }
  if (digits == 0) return false;
  if (*s == 'e' || *s == 'E') {
    s++;
    if (*s == '+' || *s == '-') s++;
    n = strspn(s, "0123456789");
    if (n == 0) return false;
    s += n;
  }
  return *s == '\0';
}

// ---- what is expected ---------------------------------------------------------------------------

// Appends to out [n]; a text that does not fit is cut.
static void add(char *out, size_t n, const char *fmt, ...) MW_PRINTF(3, 4);
static void add(char *out, size_t n, const char *fmt, ...)
{
  size_t used = strlen(out);
  va_list args;
  va_start(args, fmt);
  vsnprintf(out + used, n - used, fmt, args);
  va_end(args);
}

static void range_text(const mw_shape *s, char *out, size_t n)
{
  bool lo = isfinite(s->lo), hi = isfinite(s->hi);
  if (lo && hi && s->lo == s->hi)
    add(out, n, " %g", s->lo);
  else if (lo && hi && !s->lo_open && !s->hi_open)
    add(out, n, " from %g to %g", s->lo, s->hi);
  else if (lo && hi)
    add(out, n, " %s %g and %s %g", s->lo_open ? "above" : "of at least", s->lo,
        s->hi_open ? "below" : "at most", s->hi);
  else if (lo && s->lo_open)
    add(out, n, " above %g", s->lo);
  else if (lo)
    add(out, n, " of at least %g", s->lo);
  else if (hi)
    add(out, n, " %s %g", s->hi_open ? "below" : "of at most", s->hi);
}

static void scalar_text(const mw_shape *s, char *out, size_t n)
{
  static const char *const plain[] = {
    "",       "a number", "a whole number",    "true or false", "a text", "a name",
    "a name", "",         "an expression of t"
  };
  bool place =
      s->refers == MW_NAMES_NONE || s->refers == MW_NAMES_FRAME || s->refers == MW_NAMES_GUIDE;
  if (s->scalar == MW_S_REF && place)
    add(out, n, "body.frame");
  else if (s->scalar != MW_S_WORD)
    add(out, n, "%s", plain[s->scalar]);
  if (s->scalar == MW_S_NUMBER || s->scalar == MW_S_INTEGER) {
    range_text(s, out, n);
    if (s->unit[0]) add(out, n, " [%s]", s->unit);
  }
  char w[32];
  for (int k = 0; s->words && word_at(s->words, k, w); k++)
    add(out, n, "%s%s", k > 0 || s->scalar != MW_S_WORD ? " or " : "", w);
}

const char *mw_shape_text(const mw_shape *s, char *out, size_t n)
{
  char inner[128] = "";
  out[0] = '\0';
  if (s->scalar != MW_S_NONE) scalar_text(s, out, n);
  if (s->item) {
    add(out, n, "%sa list of ", out[0] ? " or " : "");
    if (s->n_min == s->n_max)
      add(out, n, "%d ", s->n_min);
    else if (s->n_max)
      add(out, n, "%d to %d ", s->n_min, s->n_max);
    else if (s->n_min > 1)
      add(out, n, "at least %d ", s->n_min);
    if (s->item->keys)
      add(out, n, s->item->scalar == MW_S_NUMBER ? "numbers or mappings" : "mappings");
    else if (s->item->item)
      add(out, n, "vectors of %d numbers [%s]", s->item->n_min, s->item->item->unit);
    else if (s->item->scalar == MW_S_NUMBER && isinf(s->item->lo))
      add(out, n, s->item->unit[0] ? "numbers [%s]" : "numbers", s->item->unit);
    else
      add(out, n, "(%s)", mw_shape_text(s->item, inner, sizeof inner));
  }
  if (s->keys) add(out, n, "%sa mapping", out[0] ? " or " : "");
  if (s->named) add(out, n, "%sa mapping of names", out[0] ? " or " : "");
  return out;
}

// ---- scalars ------------------------------------------------------------------------------------

static mw_code wrong(const mw_ynode *node, const mw_shape *s, const char *what, mw_error *err)
{
  char expected[256];
  mw_shape_text(s, expected, sizeof expected);
  if (node->kind == MW_Y_LIST)
    return mw_fail(err, MW_ERR_INPUT, node->at, "%.64s: found a list, expected %s", what, expected);
  if (node->kind == MW_Y_MAP)
    return mw_fail(err, MW_ERR_INPUT, node->at, "%.64s: found a mapping, expected %s", what,
                   expected);
  if (node->text[0] == '\0')
    return mw_fail(err, MW_ERR_INPUT, node->at, "%.64s: found nothing, expected %s", what,
                   expected);
  return mw_fail(err, MW_ERR_INPUT, node->at, "%.64s: found %s\"%.64s\", expected %s", what,
                 node->plain ? "" : "the quoted text ", node->text, expected);
}

// A number or an expression of parameters.
static mw_code read_number(mw_ynode *node, const mw_shape *s, const char *what,
                           const mw_shape_env *env)
{
  double y[3];
  mw_expr e = { 0 };
  if (node->plain && is_number(node->text)) {
    node->num = strtod(node->text, NULL);
    return MW_OK;
  }
  bool empty = node->text[strspn(node->text, " ")] == '\0';
  if (empty || !(env->free || strchr(node->text, '$'))) return wrong(node, s, what, env->err);
  mw_code rc = mw_parameter_expr(env, node, false, &e);
  if (rc != MW_OK) return rc;
  mw_expr_eval(&e, 0.0, y);
  node->num = y[0];
  if (isfinite(y[0])) return MW_OK;
  return mw_fail(env->err, MW_ERR_INPUT, node->at, "%.64s: %.64s is not finite, expected a number",
                 what, node->text);
}

static mw_code check_number(mw_ynode *node, const mw_shape *s, const char *what,
                            const mw_shape_env *env)
{
  char value[40] = "";
  if (node->plain && s->words && word_in(s->words, node->text)) {
    node->num = INFINITY;
    return MW_OK;
  }
  mw_code rc = node->number ? MW_OK : read_number(node, s, what, env);
  if (rc != MW_OK) return rc;
  double x = node->num;
  node->number = true;
  if (!is_number(node->text)) snprintf(value, sizeof value, " = %.6g", x);
  if (!(fabs(x) <= LARGEST))
    return mw_fail(env->err, MW_ERR_INPUT, node->at,
                   "%.64s is %.32s%s, expected a magnitude of at most %g", what, node->text, value,
                   LARGEST);
  bool low = s->lo_open ? !(x > s->lo) : !(x >= s->lo),
       high = s->hi_open ? !(x < s->hi) : !(x <= s->hi);
  if (low || high || (s->scalar == MW_S_INTEGER && x != floor(x))) {
    char expected[256] = "";
    scalar_text(s, expected, sizeof expected);
    return mw_fail(env->err, MW_ERR_INPUT, node->at, "%.64s is %.32s%s%s%s, expected %s", what,
                   node->text, value, s->unit[0] ? " " : "", s->unit, expected);
  }
  return MW_OK;
}

static mw_code check_scalar(mw_ynode *node, const mw_shape *s, const char *what,
                            const mw_shape_env *env)
{
  const char *t = node->text;
  size_t n = strlen(t);
  bool fine = false;
  switch (s->scalar) {
  case MW_S_NONE: break;
  case MW_S_NUMBER:
  case MW_S_INTEGER: return check_number(node, s, what, env);
  case MW_S_BOOLEAN:
    node->num = strcmp(t, "true") == 0;
    fine = node->plain && (node->num > 0.0 || strcmp(t, "false") == 0);
    break;
  case MW_S_EXPRESSION: {
    mw_expr e;
    if (t[strspn(t, " ")] == '\0') break;
    mw_code rc = mw_parameter_expr(env, node, true, &e);
    return rc == MW_OK ? mw_parameter_values(env, node) : rc;
  }
  case MW_S_TEXT:
    fine = n > 0 && !(node->plain && (strcmp(t, "~") == 0 || strcmp(t, "null") == 0));
    break;
  case MW_S_NAME: fine = node->path ? is_path(t) : is_name(t, n); break;
  case MW_S_REF: fine = is_path(t); break;
  case MW_S_WORD:
    fine = word_in(s->words, t);
    if (!fine && n > 0) {
      char w[32], best[32] = "";
      mw_suggest g = mw_suggest_init(t);
      for (int k = 0; word_at(s->words, k, w); k++) {
        g.best = best[0] ? best : NULL;
        mw_suggest_add(&g, w);
        if (g.best == w) memcpy(best, w, sizeof best);
      }
      if (best[0])
        return mw_fail(env->err, MW_ERR_INPUT, node->at,
                       "%.64s: found \"%.64s\", did you mean \"%s\"?", what, t, best);
    }
    break;
  }
  return fine ? MW_OK : wrong(node, s, what, env->err);
}

// ---- defaults -----------------------------------------------------------------------------------

mw_ynode *mw_shape_fallback(const char *text, mw_at at, mw_arena *mem)
{
  size_t n = strlen(text);
  if (text[0] == '{') return mw_yaml_node(mem, MW_Y_MAP, at, "", 0);
  if (text[0] != '[') return mw_yaml_node(mem, MW_Y_SCALAR, at, text, n);
  mw_ynode *list = mw_yaml_node(mem, MW_Y_LIST, at, "", 0), *last = NULL;
  for (const char *p = text + 1; list && p < text + n && *p != ']';) {
    size_t len = strcspn(p, ",]");
    mw_ynode *item = mw_yaml_node(mem, MW_Y_SCALAR, at, p, len);
    if (!item) return NULL;
    mw_yaml_append(list, item, &last);
    p += len;
    p += strspn(p, ", ");
  }
  return list;
}

static mw_code add_fallback(mw_ynode *map, const mw_key *k, const mw_shape_env *env)
{
  mw_ynode *last = map->first;
  while (last && last->next) last = last->next;
  mw_ynode *value = mw_shape_fallback(k->fallback, map->at, env->mem);
  mw_ynode *key = mw_yaml_node(env->mem, MW_Y_SCALAR, map->at, k->name, strlen(k->name));
  if (!value || !key) return mw_arena_check(env->mem, env->err);
  value->key = key;
  mw_yaml_append(map, value, &last);
  return mw_shape_check(value, k->shape, k->name, env);
}

// ---- mappings and lists -------------------------------------------------------------------------

static mw_at place_of(const mw_ynode *map) { return map->key ? map->key->at : map->at; }

static mw_code unknown_key(const mw_ynode *e, const mw_shape *s, const char *what, mw_error *err)
{
  char all[300] = "";
  mw_suggest g = mw_suggest_init(e->key->text);
  for (const mw_key *k = s->keys; k->name; k++) {
    mw_suggest_add(&g, k->name);
    add(all, sizeof all, "%s%s", all[0] ? ", " : "", k->name);
  }
  if (g.best)
    return mw_fail(err, MW_ERR_INPUT, e->key->at,
                   "unknown key \"%.64s\" in %.64s, did you mean \"%s\"?", e->key->text, what,
                   g.best);
  return mw_fail(err, MW_ERR_INPUT, e->key->at,
                 "unknown key \"%.64s\" in %.64s, expected one of: %s", e->key->text, what, all);
}

mw_code mw_shape_key(const mw_ynode *e, const mw_shape *s, const char *what, const mw_key **out,
                     mw_error *err)
{
  const mw_key *k = s->keys;
  while (k->name && strcmp(k->name, e->key->text) != 0) k++;
  *out = k;
  return k->name ? MW_OK : unknown_key(e, s, what, err);
}

mw_code mw_shape_name(const mw_ynode *name, const char *what, mw_error *err)
{
  if (is_name(name->text, strlen(name->text))) return MW_OK;
  return mw_fail(
      err, MW_ERR_INPUT, name->at,
      "%.64s: found the name \"%.64s\", expected a letter or _, then letters, digits, _ or -", what,
      name->text);
}

mw_code mw_shape_part(const mw_ynode *e, mw_code rc, mw_error *err)
{
  if (rc == MW_OK || !err || !e->key->path || strstr(err->msg, e->key->text)) return rc;
  return mw_fail(err, rc, (mw_at){ err->file, err->line, err->col }, "%s (of %.160s)", err->msg,
                 e->key->text);
}

// Required keys, and the groups of which one or at most one may be given.
static mw_code check_groups(const mw_ynode *map, const mw_shape *s, const char *what, mw_error *err)
{
  const mw_ynode *one = NULL;
  char choice[256] = "", text[256];
  for (const mw_key *k = s->keys; k->name; k++) {
    const mw_ynode *e = mw_y_find(map, k->name);
    if ((k->flags & MW_KEY_REQUIRED) && !e)
      return mw_fail(err, MW_ERR_INPUT, place_of(map), "%.64s: found no %s, expected %s (%s)", what,
                     k->name, mw_shape_text(k->shape, text, sizeof text), k->doc);
    if (!(k->flags & (MW_KEY_ONE | MW_KEY_AT_MOST))) continue;
    add(choice, sizeof choice, "%s%s", choice[0] ? ", " : "", k->name);
    if (!e) continue;
    if (one)
      return mw_fail(err, MW_ERR_INPUT, e->key->at,
                     "%.64s: found both %s and %s, expected only one of them", what, one->key->text,
                     k->name);
    one = e;
  }
  for (const mw_key *k = s->keys; k->name; k++)
    if ((k->flags & MW_KEY_ONE) && !one)
      return mw_fail(err, MW_ERR_INPUT, place_of(map), "%.64s: expected one of: %s", what, choice);
  return MW_OK;
}

static mw_code check_map(mw_ynode *map, const mw_shape *s, const char *what,
                         const mw_shape_env *env)
{
  mw_code rc = MW_OK;
  for (mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    const mw_key *k;
    rc = mw_shape_key(e, s, what, &k, env->err);
    if (rc == MW_OK) rc = mw_shape_check(e, k->shape, k->name, env);
  }
  if (rc == MW_OK && map->given) rc = check_groups(map, s, what, env->err);
  for (const mw_key *k = s->keys; k->name && rc == MW_OK; k++)
    if (k->fallback && !mw_y_find(map, k->name)) rc = add_fallback(map, k, env);
  return rc;
}

static mw_code check_named(mw_ynode *map, const mw_shape *s, const char *what,
                           const mw_shape_env *env)
{
  mw_code rc = MW_OK;
  for (mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    const char *name = e->key->text;
    bool dots = e->key->path || s->refers != MW_NAMES_NONE;
    rc = dots && is_path(name) ? MW_OK : mw_shape_name(e->key, what, env->err);
    if (rc == MW_OK) rc = mw_shape_check(e, s->named, name, env);
    rc = mw_shape_part(e, rc, env->err);
  }
  return rc;
}

static mw_code check_list(mw_ynode *list, const mw_shape *s, const char *what,
                          const mw_shape_env *env)
{
  char expected[256];
  if (list->n < s->n_min || (s->n_max && list->n > s->n_max))
    return mw_fail(env->err, MW_ERR_INPUT, list->at, "%.64s: found a list of %d, expected %s", what,
                   list->n, mw_shape_text(s, expected, sizeof expected));
  mw_code rc = MW_OK;
  for (mw_ynode *e = list->first; e && rc == MW_OK; e = e->next)
    rc = mw_shape_check(e, s->item, what, env);
  return rc;
}

mw_code mw_shape_check(mw_ynode *node, const mw_shape *s, const char *what, const mw_shape_env *env)
{
  if (node->kind == MW_Y_SCALAR && s->item) {
    mw_code rc = mw_parameter_list(env, node);
    if (rc != MW_OK) return rc;
  }
  if (node->kind == MW_Y_SCALAR && s->scalar != MW_S_NONE) return check_scalar(node, s, what, env);
  if (node->kind == MW_Y_LIST && s->item) return check_list(node, s, what, env);
  if (node->kind == MW_Y_MAP && s->keys) return check_map(node, s, what, env);
  if (node->kind == MW_Y_MAP && s->named) return check_named(node, s, what, env);
  return wrong(node, s, what, env->err);
}

// ---- after the check ----------------------------------------------------------------------------

const mw_ynode *mw_y_find(const mw_ynode *map, const char *key)
{
  bool is_map = map && map->kind == MW_Y_MAP;
  for (const mw_ynode *e = is_map ? map->first : NULL; e; e = e->next)
    if (strcmp(e->key->text, key) == 0) return e;
  return NULL;
}

bool mw_y_given(const mw_ynode *map, const char *key)
{
  const mw_ynode *e = mw_y_find(map, key);
  return e && e->given;
}

double mw_y_num(const mw_ynode *map, const char *key)
{
  const mw_ynode *e = mw_y_find(map, key);
  return e ? e->num : 0.0;
}

void mw_y_vec(const mw_ynode *list, int n, double *out)
{
  const mw_ynode *e = list ? list->first : NULL;
  for (int i = 0; i < n; i++, e = e ? e->next : NULL) out[i] = e ? e->num : 0.0;
}

const mw_ynode *mw_y_one(const mw_ynode *map, const char *const *keys, int *which)
{
  for (int k = 0; keys[k]; k++) {
    const mw_ynode *e = mw_y_find(map, keys[k]);
    *which = k;
    if (e && e->given) return e;
  }
  *which = -1;
  return NULL;
}
