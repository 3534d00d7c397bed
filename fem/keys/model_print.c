// SPDX-License-Identifier: BSD-3-Clause
// model_print.c: the table of keys as a JSON Schema (draft 2020-12) and as text to read.
//
// The schema checks what the table checks: keys, types, ranges, names. What needs the rest of the
// file (references, lengths, inertia tensors) only mw_model_read checks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "shape_layer.h"

#define NAME_PATTERN "[A-Za-z_][A-Za-z0-9_-]*"
#define PATH_PATTERN "^" NAME_PATTERN "([.]" NAME_PATTERN ")*$"

static void put_shape(mw_json *j, const char *key, const mw_shape *s, const mw_key *k);

// ---- schema -------------------------------------------------------------------------------------

static void put_words(mw_json *j, const char *words)
{
  char w[32];
  mw_json_array(j, "enum");
  for (const char *p = words; *p;) {
    size_t n = strcspn(p, " ");
    snprintf(w, sizeof w, "%.*s", (int)n, p);
    mw_json_str(j, NULL, w);
    p += n + (p[n] == ' ');
  }
  mw_json_end(j, ']');
}

// A type, or a text of the pattern: an expression of parameters. What else is said of numbers and
// lists does not concern texts.
static void put_either(mw_json *j, const char *type, const char *pattern)
{
  mw_json_array(j, "type");
  mw_json_str(j, NULL, type);
  mw_json_str(j, NULL, "string");
  mw_json_end(j, ']');
  mw_json_str(j, "pattern", pattern);
}

static void put_scalar(mw_json *j, const mw_shape *s)
{
  static const char *const type[] = { "",       "number", "integer", "boolean", "string",
                                      "string", "string", "string",  "string" };
  bool number = s->scalar == MW_S_NUMBER || s->scalar == MW_S_INTEGER;
  if (number || s->scalar == MW_S_EXPRESSION)
    put_either(j, number ? type[s->scalar] : "number",
               number && s != &mw_parameter_shape ? "[$]" : ".");
  else
    mw_json_str(j, "type", type[s->scalar]);
  if (number) {
    if (isfinite(s->lo)) mw_json_num(j, s->lo_open ? "exclusiveMinimum" : "minimum", s->lo);
    if (isfinite(s->hi)) mw_json_num(j, s->hi_open ? "exclusiveMaximum" : "maximum", s->hi);
  }
  if (s->scalar == MW_S_WORD) put_words(j, s->words);
  if (s->scalar == MW_S_TEXT) mw_json_num(j, "minLength", 1);
  if (s->scalar == MW_S_NAME) mw_json_str(j, "pattern", "^" NAME_PATTERN "$");
  if (s->scalar == MW_S_REF) mw_json_str(j, "pattern", PATH_PATTERN);
}

static void put_required(mw_json *j, const mw_key *keys)
{
  mw_json_array(j, "required");
  for (const mw_key *k = keys; k->name; k++)
    if (k->flags & MW_KEY_REQUIRED) mw_json_str(j, NULL, k->name);
  mw_json_end(j, ']');
}

static void put_one_required(mw_json *j, const char *name)
{
  mw_json_object(j, NULL);
  mw_json_array(j, "required");
  mw_json_str(j, NULL, name);
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

// exactly one of the keys with a flag: oneOf; at most one: oneOf with a further case, none of them
static void put_choice(mw_json *j, const mw_key *keys)
{
  int flag = 0;
  for (const mw_key *k = keys; k->name; k++) flag |= k->flags & (MW_KEY_ONE | MW_KEY_AT_MOST);
  if (!flag) return;
  mw_json_array(j, "oneOf");
  for (const mw_key *k = keys; k->name; k++)
    if (k->flags & flag) put_one_required(j, k->name);
  if (flag == MW_KEY_AT_MOST) {
    mw_json_object(j, NULL);
    mw_json_object(j, "not");
    mw_json_array(j, "anyOf");
    for (const mw_key *k = keys; k->name; k++)
      if (k->flags & flag) put_one_required(j, k->name);
    mw_json_end(j, ']');
    mw_json_end(j, '}');
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
}

static void put_keys(mw_json *j, const mw_key *keys)
{
  mw_json_str(j, "type", "object");
  mw_json_object(j, "properties");
  for (const mw_key *k = keys; k->name; k++) put_shape(j, k->name, k->shape, k);
  mw_json_end(j, '}');
  put_required(j, keys);
  put_choice(j, keys);
  mw_json_bool(j, "additionalProperties", false);
}

static void put_named(mw_json *j, const mw_shape *s)
{
  mw_json_str(j, "type", "object");
  mw_json_object(j, "patternProperties");
  put_shape(j, s->refers ? PATH_PATTERN : "^" NAME_PATTERN "$", s->named, NULL);
  mw_json_end(j, '}');
  mw_json_bool(j, "additionalProperties", false);
}

static void put_list(mw_json *j, const mw_shape *s)
{
  if (s->item->scalar == MW_S_NUMBER)
    put_either(j, "array", "^[$]" NAME_PATTERN "$");
  else
    mw_json_str(j, "type", "array");
  put_shape(j, "items", s->item, NULL);
  mw_json_num(j, "minItems", s->n_min);
  if (s->n_max) mw_json_num(j, "maxItems", s->n_max);
}

static void put_default_scalar(mw_json *j, const char *key, const char *text)
{
  char *end = NULL;
  double x = strtod(text, &end);
  bool number = end != text && *end == '\0';
  if (number)
    mw_json_num(j, key, x);
  else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
    mw_json_bool(j, key, text[0] == 't');
  else
    mw_json_str(j, key, text);
}

static void put_default(mw_json *j, const char *text)
{
  if (text[0] == '{') return;  // an absent mapping: its keys have their own defaults
  if (text[0] != '[') {
    put_default_scalar(j, "default", text);
    return;
  }
  mw_json_array(j, "default");
  for (const char *p = text + 1; *p && *p != ']';) {
    char w[32];
    size_t n = strcspn(p, ",]");
    snprintf(w, sizeof w, "%.*s", (int)n, p);
    put_default_scalar(j, NULL, w);
    p += n;
    p += strspn(p, ", ");
  }
  mw_json_end(j, ']');
}

static void put_unit(const mw_shape *s, const char *doc, char *out, size_t n)
{
  const mw_shape *number = s;
  while (number->item && number->scalar == MW_S_NONE) number = number->item;
  if (number->unit && number->unit[0])
    snprintf(out, n, "%s [%s]", doc, number->unit);
  else
    snprintf(out, n, "%s", doc);
}

// The forms of a shape, each its own schema when there are several.
static void put_forms(mw_json *j, const mw_shape *s)
{
  bool word = s->scalar == MW_S_NUMBER && s->words;
  int n =
      (s->scalar != MW_S_NONE) + word + (s->item != NULL) + (s->keys != NULL) + (s->named != NULL);
  if (n > 1) mw_json_array(j, "anyOf");
  for (int form = 0; form < 5; form++) {
    bool has = form == 0   ? s->scalar != MW_S_NONE
               : form == 1 ? word
               : form == 2 ? s->item != NULL
               : form == 3 ? s->keys != NULL
                           : s->named != NULL;
    if (!has) continue;
    if (n > 1) mw_json_object(j, NULL);
    if (form == 0) put_scalar(j, s);
    if (form == 1) put_words(j, s->words);
    if (form == 2) put_list(j, s);
    if (form == 3) put_keys(j, s->keys);
    if (form == 4) put_named(j, s);
    if (n > 1) mw_json_end(j, '}');
  }
  if (n > 1) mw_json_end(j, ']');
}

static void put_shape(mw_json *j, const char *key, const mw_shape *s, const mw_key *k)
{
  char doc[512];
  mw_json_object(j, key);
  if (k) {
    put_unit(s, k->doc, doc, sizeof doc);
    mw_json_str(j, "description", doc);
    if (k->fallback) put_default(j, k->fallback);
  }
  if (k && k->flags & MW_KEY_PART) {
    snprintf(doc, sizeof doc, "#/properties/%s", k->name);
    mw_json_str(j, "$ref", doc);
  } else if (s->name) {
    snprintf(doc, sizeof doc, "#/$defs/%s", s->name);
    mw_json_str(j, "$ref", doc);
  } else {
    put_forms(j, s);
  }
  mw_json_end(j, '}');
}

static void put_named_shapes(mw_json *j)
{
  mw_json_object(j, "$defs");
  for (int k = 0; mw_named_shapes[k]; k++) {
    mw_json_object(j, mw_named_shapes[k]->name);
    put_forms(j, mw_named_shapes[k]);
    mw_json_end(j, '}');
  }
  mw_json_end(j, '}');
}

void mw_model_print_schema(FILE *f)
{
  mw_json j = { .f = f };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
  mw_json_str(&j, "title", "modeway model, SI units");
  put_keys(&j, mw_model_shape.keys);
  put_named_shapes(&j);
  mw_json_end(&j, '}');
}

// ---- reference ----------------------------------------------------------------------------------

static void print_keys(FILE *f, const mw_key *keys, int indent);

// What may stand below a key: fixed keys, named entries, list entries.
static void print_below(FILE *f, const mw_shape *s, int indent)
{
  if (s->name) {
    fprintf(f, "%*sthe keys of %s, at the end\n", indent, "", s->name);
    return;
  }
  if (s->keys) print_keys(f, s->keys, indent);
  if (s->item && s->item->name)
    print_below(f, s->item, indent);
  else if (s->item && s->item->keys) {
    fprintf(f, "%*s-\n", indent, "");
    print_keys(f, s->item->keys, indent + 2);
  }
  if (s->named) {
    char text[256];
    bool plain = !s->named->keys && !s->named->named;
    fprintf(f, "%*sNAME:", indent, "");
    if (plain || s->named->item || s->named->scalar != MW_S_NONE)
      fprintf(f, "  %s", mw_shape_text(s->named, text, sizeof text));
    fputc('\n', f);
    print_below(f, s->named, indent + 2);
  }
}

static void print_keys(FILE *f, const mw_key *keys, int indent)
{
  for (const mw_key *k = keys; k->name; k++) {
    char text[256];
    fprintf(f, "%*s%s:  %s", indent, "", k->name, mw_shape_text(k->shape, text, sizeof text));
    if (k->flags & MW_KEY_REQUIRED) fputs(", required", f);
    if (k->flags & MW_KEY_ONE) fputs(", one of its kind required", f);
    if (k->flags & MW_KEY_AT_MOST) fputs(", at most one of its kind", f);
    if (k->fallback && k->fallback[0] != '{') fprintf(f, ", default %s", k->fallback);
    fprintf(f, "\n%*s%s\n", indent + 6, "", k->doc);
    if (k->flags & MW_KEY_PART)
      fprintf(f, "%*sthe keys of %s, as in a model\n", indent + 2, "", k->name);
    else
      print_below(f, k->shape, indent + 2);
  }
}

void mw_model_print_keys(FILE *f)
{
  fputs(
      "Keys of a model file (YAML, SI units; numbers like 1e3, truth values true and false).\n"
      "NAME stands for a name of your choice: letters, digits, _ and -, not beginning with a "
      "digit or -.\n"
      "body.frame and body.guide refer to a frame or guide of a body; a bare body name is its own "
      "frame\n"
      "(rigid bodies and ground). The body ground is always there. What stands in assemblies has "
      "their names\n"
      "before its own: left.arm.hub is frame hub of body arm in assembly left.\n"
      "A number may be an expression with parameters: 2*$payload + 1; + - * / ^ ( ) pi, sin cos "
      "tan asin acos\n"
      "atan sinh cosh tanh exp log sqrt abs min max; in quotes where it has commas. A list of "
      "numbers may be\n"
      "$NAME of a parameter that is a list.\n\n",
      f);
  print_keys(f, mw_model_shape.keys, 0);
  for (int k = 0; mw_named_shapes[k]; k++) {
    fprintf(f, "\n%s:\n", mw_named_shapes[k]->name);
    print_keys(f, mw_named_shapes[k]->keys, 2);
  }
}

// ---- reference as JSON --------------------------------------------------------------------------

static void list_keys(mw_json *j, const mw_key *keys, const char *path);

// What may stand below a key, as print_below.
static void list_below(mw_json *j, const mw_shape *s, const char *path)
{
  char below[256];
  if (s->name) return;  // once, at the end
  if (s->keys) list_keys(j, s->keys, path);
  snprintf(below, sizeof below, "%.200s-.", path);
  if (s->item) list_below(j, s->item, below);
  snprintf(below, sizeof below, "%.200sNAME.", path);
  if (s->named) list_below(j, s->named, below);
}

static void list_keys(mw_json *j, const mw_key *keys, const char *path)
{
  for (const mw_key *k = keys; k->name; k++) {
    char text[256], here[256];
    snprintf(here, sizeof here, "%.200s%.50s", path, k->name);
    mw_json_object(j, NULL);
    mw_json_str(j, "path", here);
    mw_json_str(j, "expected", mw_shape_text(k->shape, text, sizeof text));
    mw_json_str(j, "needed",
                k->flags & MW_KEY_REQUIRED  ? "yes"
                : k->flags & MW_KEY_ONE     ? "one of its kind"
                : k->flags & MW_KEY_AT_MOST ? "at most one of its kind"
                                            : "no");
    if (k->fallback && k->fallback[0] != '{') put_default(j, k->fallback);
    mw_json_str(j, "meaning", k->doc);
    if (k->shape->name) mw_json_str(j, "keys_of", k->shape->name);
    if (k->flags & MW_KEY_PART) mw_json_str(j, "keys_of", k->name);
    mw_json_end(j, '}');
    snprintf(here, sizeof here, "%.200s%.50s.", path, k->name);
    if (!(k->flags & MW_KEY_PART)) list_below(j, k->shape, here);
  }
}

void mw_model_print_keys_json(FILE *f)
{
  mw_json j = { .f = f };
  mw_json_object(&j, NULL);
  mw_json_array(&j, "keys");
  list_keys(&j, mw_model_shape.keys, "");
  for (int k = 0; mw_named_shapes[k]; k++) {
    char head[64];
    snprintf(head, sizeof head, "(%s).", mw_named_shapes[k]->name);
    list_keys(&j, mw_named_shapes[k]->keys, head);
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}
