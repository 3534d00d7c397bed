// SPDX-License-Identifier: BSD-3-Clause
// model_parameter.c: the parameters of a model file, and the numbers that are made of them.
//
// A parameter is a number, a list of numbers, or an expression of those before it; $name stands for
// it wherever a number (or the whole list) may stand.
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "model_layer.h"

const mw_shape mw_parameter_shape = {
  .scalar = MW_S_NUMBER, .unit = "", .lo = -INFINITY, .hi = INFINITY, .item = NUMBER(""), .n_min = 1
};

// Parameters that numbers of node are made of.
static const mw_scope *scope_of(const mw_shape_env *env, const mw_ynode *node)
{
  return node->scope ? node->scope : env->scope;
}

// Searches the last ones first: what is made of others mostly follows them.
static const mw_parameter *parameter_at(const mw_scope *s, const char *name, size_t n)
{
  for (; s; s = s->outer)
    for (int k = s->n - 1; k >= 0; k--)
      if (strncmp(s->parameter[k].name, name, n) == 0 && s->parameter[k].name[n] == '\0')
        return &s->parameter[k];
  return NULL;
}

typedef struct finder {
  const mw_scope *scope;
  bool before;  // numbers are made of those before them
} finder;

// Value of a parameter that is a number (mw_expr_find).
static bool find(const void *ctx, const char *name, int n, double *value, char why[MW_EXPR_WHY])
{
  const finder *look = ctx;
  const mw_parameter *p = parameter_at(look->scope, name, (size_t)n);
  char word[49];
  snprintf(word, sizeof word, "%.*s", n, name);
  if (p && p->n == 0) {
    *value = p->value[0];
    return true;
  }
  mw_suggest s = mw_suggest_init(word);
  for (const mw_scope *in = look->scope; in; in = in->outer)
    for (int k = 0; k < in->n; k++)
      if (in->parameter[k].n == 0) mw_suggest_add(&s, in->parameter[k].name);
  if (p)
    snprintf(why, MW_EXPR_WHY, "found the list %s, expected a parameter that is a number", word);
  else if (s.best)
    snprintf(why, MW_EXPR_WHY, "found no parameter %s, did you mean \"%.48s\"?", word, s.best);
  else
    snprintf(why, MW_EXPR_WHY, "found no parameter %s, expected one of the model's%s", word,
             look->before ? " before it" : "");
  return false;
}

mw_code mw_parameter_expr(const mw_shape_env *env, const mw_ynode *node, bool time, mw_expr *out)
{
  mw_at at = node->at;
  if (!node->plain) at.col++;  // the quote
  const finder look = { scope_of(env, node), env->free };
  return mw_expr_read(node->text, time, at, find, &look, env->mem, out, env->err);
}

mw_code mw_parameter_values(const mw_shape_env *env, mw_ynode *node)
{
  const char *p = node->text, *all = "";
  while (all && *p) {
    size_t n = strcspn(p, "$");
    all = mw_arena_printf(env->mem, "%s%.*s", all, (int)n, p);
    p += n;
    if (!*p) break;
    n = 1;
    while (p[n] == '_' || isalnum((unsigned char)p[n])) n++;
    const mw_parameter *q = parameter_at(scope_of(env, node), p + 1, n - 1);
    if (all && q) all = mw_arena_printf(env->mem, "%s(%.17g)", all, q->value[0]);
    p += n;
  }
  if (all) node->text = all;
  return mw_arena_check(env->mem, env->err);
}

mw_code mw_parameter_list(const mw_shape_env *env, mw_ynode *node)
{
  const char *name = node->text + 1;
  const mw_parameter *p =
      node->text[0] == '$' ? parameter_at(scope_of(env, node), name, strlen(name)) : NULL;
  mw_ynode *last = NULL;
  if (!p || p->n == 0) return MW_OK;
  node->kind = MW_Y_LIST;
  for (int k = 0; k < p->n; k++) {
    char text[32];
    int n = snprintf(text, sizeof text, "%.17g", p->value[k]);
    mw_ynode *item = mw_yaml_node(env->mem, MW_Y_SCALAR, node->at, text, (size_t)n);
    if (!item) return mw_arena_check(env->mem, env->err);
    item->given = true;
    mw_yaml_append(node, item, &last);
  }
  return MW_OK;
}

static mw_code check_name(const mw_reader *rd, const mw_ynode *key)
{
  static const char *const taken[] = { "pi", "t" };
  for (int k = 0; k < 2; k++)
    if (strcmp(key->text, taken[k]) == 0)
      return mw_fail(rd->err, MW_ERR_INPUT, key->at,
                     "parameters: found the name %s, which expressions have another meaning for, "
                     "expected another",
                     key->text);
  if (!strchr(key->text, '-')) return MW_OK;
  return mw_fail(rd->err, MW_ERR_INPUT, key->at,
                 "parameters: found the name \"%.64s\", expected letters, digits and _: a - is a "
                 "minus in expressions",
                 key->text);
}

mw_code mw_parameter_read(mw_reader *rd, const mw_ynode *key, mw_ynode *e, const mw_shape_env *env,
                          mw_parameter *p)
{
  mw_code rc = check_name(rd, key);
  if (rc == MW_OK) rc = mw_shape_check(e, &mw_parameter_shape, key->text, env);
  if (rc != MW_OK) return rc;
  int n = e->kind == MW_Y_LIST ? e->n : 1;
  double *value = mw_arena_f64(rd->mem, (size_t)n);
  *p = (mw_parameter){ mw_read_str(rd, key->text), key->at, e->kind == MW_Y_LIST ? n : 0, value };
  rc = mw_arena_check(rd->mem, rd->err);
  if (rc != MW_OK) return rc;
  value[0] = e->num;
  if (e->kind == MW_Y_LIST) mw_y_vec(e, n, value);
  return MW_OK;
}

mw_code mw_read_parameters(mw_reader *rd, mw_ynode *root, mw_arena *tree)
{
  mw_ynode *map = root->first;
  mw_model *m = rd->m;
  while (map && strcmp(map->key->text, "parameters") != 0) map = map->next;
  if (!map || map->kind != MW_Y_MAP) return MW_OK;  // what it is instead the table of keys says
  mw_code rc = MW_NEW(rd, m->parameter, map->n);
  for (mw_ynode *e = map->first; e && rc == MW_OK; e = e->next) {
    const mw_scope before = { m->parameter, m->n_parameter, NULL };
    const mw_shape_env env = { tree, rd->err, &before, true };
    rc = mw_parameter_read(rd, e->key, e, &env, &m->parameter[m->n_parameter]);
    if (rc == MW_OK) m->n_parameter++;
  }
  return rc;
}

const char *mw_model_parameter_text(const mw_model *m, mw_arena *mem)
{
  const char *all = mw_arena_str(mem, "");
  for (int k = 0; all && k < m->n_parameter; k++) {
    const mw_parameter *p = &m->parameter[k];
    all = mw_arena_printf(mem, "%s%s%s = %s", all, k ? ", " : "", p->name, p->n ? "[" : "");
    for (int i = 0; all && i < (p->n ? p->n : 1); i++)
      all = mw_arena_printf(mem, "%s%s%.15g", all, i ? ", " : "", p->value[i]);
    if (all && p->n) all = mw_arena_printf(mem, "%s]", all);
  }
  return all;
}
