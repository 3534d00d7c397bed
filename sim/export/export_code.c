// SPDX-License-Identifier: BSD-3-Clause
// export_code.c: the sources of the online model as one C99 text for other programs.
//
// The sources of reduction/rom/, and those that outputs are made of, less what only builds for
// several sets of vector instructions have, are cut into items (preprocessor lines, functions,
// prototypes, constants, types), each with
// the comments before it. An item is kept if the text that uses the model, or an item kept before,
// names it, so that no function is left that a compiler calls unused; a file without a function
// kept is left out. What is kept is written in the order of the sources, with these changes token
// by token and no others, so that the arithmetic is the library's own:
//   double -> real ,  1.5 -> REAL(1.5) ,  fabs -> real_fabs (all of libm) ,  DBL_MIN -> REAL_MIN ,
//       functions static
// A static name of two files gets that of its file in front. O(text × names), some milliseconds.
#include <ctype.h>
#include <string.h>

#include "export_layer.h"

enum { MAX_ITEM = 2048, MAX_SOURCE = 64, MAX_INCLUDE = 16, MAX_WORD = 128 };

typedef enum item_kind { LINE, DEFINE, FUNCTION, PROTOTYPE, OBJECT, TYPE, OTHER } item_kind;

// A piece [begin, end) of a file; name within it.
typedef struct item {
  const char *begin, *first, *end;  // first: behind the comments before it
  item_kind kind;
  const char *name;
  int n_name, file;
  bool is_static, kept, twice;
} item;

typedef struct source {
  const char *name, *text;
  bool header, kept;
} source;

typedef struct code {
  int n_item, n_source, n_include;
  item *item;  // [MAX_ITEM]
  source source[MAX_SOURCE];
  const char *include[MAX_INCLUDE];  // lines
  mw_arena mem;
} code;

// ---- tokens -------------------------------------------------------------------------------------

typedef enum token { BLANK, COMMENT, WORD, NUMBER, STRING, SIGN } token;

static bool is_word(int c) { return isalnum(c) || c == '_'; }

// The kind of the token at p and where it ends; *p is not the end of the text.
static token next_token(const char *p, const char **end)
{
  const char *q = p + 1;
  token kind = SIGN;
  if (isspace((unsigned char)*p)) {
    kind = BLANK;
    while (*q && isspace((unsigned char)*q)) q++;
  } else if (p[0] == '/' && p[1] == '/') {
    kind = COMMENT;
    while (*q && *q != '\n') q++;
  } else if (p[0] == '/' && p[1] == '*') {
    kind = COMMENT;
    const char *close = strstr(p + 2, "*/");
    q = close ? close + 2 : p + strlen(p);
  } else if (*p == '"' || *p == '\'') {
    kind = STRING;
    while (*q && *q != *p) q += q[0] == '\\' && q[1] ? 2 : 1;
    if (*q) q++;
  } else if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
    kind = NUMBER;
    while (is_word((unsigned char)*q) || *q == '.' ||
           ((*q == '+' || *q == '-') && strchr("eEpP", q[-1])))
      q++;
  } else if (is_word((unsigned char)*p)) {
    kind = WORD;
    while (is_word((unsigned char)*q)) q++;
  }
  *end = q;
  return kind;
}

static bool same(const char *p, size_t n, const char *word)
{
  return strlen(word) == n && memcmp(p, word, n) == 0;
}

static bool one_of(const char *p, size_t n, const char *const *words)
{
  for (; *words; words++)
    if (same(p, n, *words)) return true;
  return false;
}

// A number with a point or an exponent, without a suffix.
static bool is_floating(const char *p, const char *end)
{
  bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
  if (strchr("fFlLuU", end[-1]) && !(hex && strchr("fF", end[-1]))) return false;
  for (; p < end; p++)
    if (*p == '.' || strchr(hex ? "pP" : "eE", *p)) return true;
  return false;
}

// ---- items --------------------------------------------------------------------------------------

// What is known of an item while its tokens pass.
typedef struct look {
  int depth, parens;        // of braces, of parentheses and brackets
  bool call, equals, body;  // at depth 0: "name(", "=", "{" seen
  const char *word, *name;  // last word at depth 0; the name found
  int n_word, n_name, n_tokens;
  bool is_static, is_typedef, is_enum;
} look;

static void see_word(look *l, const char *p, int n)
{
  static const char *const skip[] = { "__attribute__", "_Alignas", NULL };
  if (l->n_tokens == 1) {
    l->is_typedef = same(p, (size_t)n, "typedef");
    l->is_static = same(p, (size_t)n, "static") || same(p, (size_t)n, "ROM_INLINE");
  }
  l->is_enum = l->is_enum || same(p, (size_t)n, "enum");
  if (l->depth > 0 || l->parens > 0 || l->call || l->equals || one_of(p, (size_t)n, skip)) return;
  l->word = p;
  l->n_word = n;
}

// True when the item ends with this sign.
static bool see_sign(look *l, int c)
{
  bool outside = l->depth == 0 && l->parens == 0;
  if (c == '=' && outside && !l->call) {
    l->equals = true;
    if (!l->name) {
      l->name = l->word;
      l->n_name = l->n_word;
    }
  }
  if (c == '(' && outside && !l->equals && !l->call && !l->is_typedef && l->word) {
    l->call = true;
    l->name = l->word;
    l->n_name = l->n_word;
  }
  if (c == '[' && outside && !l->name) {
    l->name = l->word;
    l->n_name = l->n_word;
  }
  if (c == '(' || c == '[') l->parens++;
  if (c == ')' || c == ']') l->parens--;
  if (c == '{') {
    l->depth++;
    l->body = l->body || (l->call && !l->equals);
  }
  if (c == '}') {
    l->depth--;
    if (l->depth == 0 && l->body) return true;
  }
  return c == ';' && l->depth == 0 && l->parens == 0;
}

static item_kind kind_of(const look *l)
{
  if (l->body) return FUNCTION;
  if (l->call) return PROTOTYPE;
  if (l->is_typedef) return l->is_enum ? OTHER : TYPE;
  return l->name && l->is_static ? OBJECT : OTHER;
}

// A preprocessor line from p (a '#') on: its end behind the newline, its kind and name.
static const char *read_line(const char *p, item *it)
{
  const char *q = p, *word = p + 1;
  while (*q && *q != '\n') q += q[0] == '\\' && q[1] ? 2 : 1;
  if (*q) q++;
  while (*word == ' ') word++;
  it->kind = LINE;
  if (strncmp(word, "define ", 7) == 0) {
    it->kind = DEFINE;
    it->name = word + 7;
    while (*it->name == ' ') it->name++;
    while (is_word((unsigned char)it->name[it->n_name])) it->n_name++;
  }
  return q;
}

// Behind a comment on the rest of the line, else p.
static const char *line_comment(const char *p)
{
  const char *q = p, *end;
  while (*q == ' ') q++;
  return *q && next_token(q, &end) == COMMENT ? end : p;
}

// The item at p; false: only blanks and comments are left.
static bool read_item(const char *p, item *it)
{
  look l = { 0 };
  *it = (item){ .begin = p };
  for (const char *end; *p; p = end) {
    token kind = next_token(p, &end);
    if (kind == BLANK || kind == COMMENT) continue;
    if (l.n_tokens++ == 0) {
      it->first = p;
      if (*p == '#') {
        it->end = read_line(p, it);
        return true;
      }
    }
    if (kind == WORD) see_word(&l, p, (int)(end - p));
    if (kind != SIGN || !see_sign(&l, *p)) continue;
    it->kind = kind_of(&l);
    it->is_static = l.is_static;
    bool is_type = it->kind == TYPE || it->kind == OTHER;
    it->name = is_type ? l.word : l.name;
    it->n_name = is_type ? l.n_word : l.n_name;
    it->end = line_comment(end);
    return true;
  }
  return false;
}

// The lines of a header's guard: its first two lines and the last.
static void drop_guard(code *c, int first)
{
  int k = 0;
  for (int i = first; i < c->n_item && k < 2; i++)
    if (c->item[i].kind == LINE || c->item[i].kind == DEFINE) {
      c->item[i].end = c->item[i].first;
      c->item[i].kind = LINE;
      k++;
    }
  for (int i = c->n_item - 1; i >= first; i--)
    if (c->item[i].kind == LINE) {
      c->item[i].end = c->item[i].first;
      return;
    }
}

// ---- conditions ---------------------------------------------------------------------------------

// Names that builds of the library are told apart by: 0 not defined in an export, 1 defined; -1:
// anything else.
static int known(const char *p, size_t n)
{
  static const char *const undefined[] = { "ROM_LANES", "__cplusplus", NULL };
  if (one_of(p, n, undefined)) return 0;
  return same(p, n, "ROM_REAL_GIVEN") ? 1 : -1;
}

typedef struct condition {
  bool ours, active;  // asks for a known name; what follows is wanted
} condition;

// What a line that begins with # does to the conditions; true: it is to be left out.
static bool see_line(const char *p, condition *c, int *n)
{
  enum { MAX_DEPTH = 15 };
  const char *word = p + 1, *name;
  while (*word == ' ') word++;
  bool ifdef = strncmp(word, "ifdef ", 6) == 0, ifndef = strncmp(word, "ifndef ", 7) == 0;
  if (strncmp(word, "if", 2) == 0) {
    size_t len = 0;
    name = word + (ifdef ? 6 : 7);
    while ((ifdef || ifndef) && is_word((unsigned char)name[len])) len++;
    int value = ifdef || ifndef ? known(name, len) : -1;
    if (*n < MAX_DEPTH)
      c[++*n] = (condition){ value >= 0, value < 0 || (ifdef ? value == 1 : value == 0) };
    return value >= 0;
  }
  bool ours = *n > 0 && c[*n].ours;
  if (ours && strncmp(word, "else", 4) == 0) c[*n].active = !c[*n].active;
  if (*n > 0 && strncmp(word, "endif", 5) == 0) --*n;
  return ours && (strncmp(word, "else", 4) == 0 || strncmp(word, "endif", 5) == 0);
}

// Leaves out, in place, what conditions on known names leave out.
static void resolve(char *text)
{
  condition c[16] = { { false, true } };
  int n = 0;
  char *to = text;
  for (const char *p = text, *next; *p; p = next) {
    const char *end = strchr(p, '\n');
    next = end ? end + 1 : p + strlen(p);
    bool skip = *p == '#' && see_line(p, c, &n);
    for (int k = 1; k <= n; k++) skip = skip || !c[k].active;
    size_t len = (size_t)(next - p);
    if (!skip) {
      memmove(to, p, len);
      to += len;
    }
  }
  *to = '\0';
}

static mw_code read_source(code *c, const mw_export_text *t, mw_error *err)
{
  if (c->n_source == MAX_SOURCE)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "too many sources to export");
  source *s = &c->source[c->n_source];
  size_t n = strlen(t->name);
  s->name = t->name;
  char *text = mw_export_text_join(t, &c->mem);
  s->text = text;
  s->header = n > 2 && strcmp(t->name + n - 2, ".h") == 0;
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  resolve(text);
  int first = c->n_item;
  item it;
  const char *p = s->text;
  const char *spdx = strchr(p, '\n');
  if (strncmp(p, "// SPDX", 7) == 0 && spdx) p = spdx + 1;
  for (; read_item(p, &it); p = it.end) {
    if (c->n_item == MAX_ITEM)
      return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "too many items in the sources to export");
    it.file = c->n_source;
    c->item[c->n_item++] = it;
  }
  if (s->header) drop_guard(c, first);
  c->n_source++;
  return MW_OK;
}

// ---- which of them ------------------------------------------------------------------------------

// Static names of two files.
static void mark_twice(code *c)
{
  for (int i = 0; i < c->n_item; i++)
    for (int j = 0; j < c->n_item; j++) {
      item *a = &c->item[i], *b = &c->item[j];
      bool both = a->name && b->name && a->file != b->file && a->is_static && b->is_static;
      if (both && a->n_name == b->n_name && memcmp(a->name, b->name, (size_t)a->n_name) == 0)
        a->twice = b->twice = true;
    }
}

static bool is_line(const item *it, const char *word)
{
  return it->kind == LINE && it->end > it->first && strstr(it->first, word) &&
         strstr(it->first, word) < it->end;
}

// Keeps what the text names: file -1 for names from outside, which see no static name.
static void keep_named(code *c, const char *p, const char *stop, int file)
{
  for (const char *end; p < stop; p = end) {
    if (next_token(p, &end) != WORD) continue;
    for (int i = 0; i < c->n_item; i++) {
      item *it = &c->item[i];
      if (it->kept || it->n_name != end - p || memcmp(it->name, p, (size_t)it->n_name) != 0)
        continue;
      if (it->twice && it->file != file) continue;
      it->kept = true;
      source *s = &c->source[it->file];
      s->kept = s->kept || it->kind == FUNCTION || it->kind == OBJECT;
      keep_named(c, it->first, it->end, it->file);
    }
  }
}

// Types and lines of kept files, with what they name.
static void keep_rest(code *c)
{
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < c->n_item; i++) {
      item *it = &c->item[i];
      bool file = c->source[it->file].header || c->source[it->file].kept;
      if (it->kept || !file || (it->kind != OTHER && it->kind != LINE)) continue;
      it->kept = true;
      again = true;
      if (!is_line(it, "include")) keep_named(c, it->first, it->end, it->file);
    }
  }
}

// ---- writing ------------------------------------------------------------------------------------

static void write_word(const code *c, int file, const char *p, size_t n, FILE *f)
{
  static const char *const libm[] = {
    "fabs", "sqrt", "floor", "ceil", "fmin", "fmax", "exp", "log",
    "sin",  "cos",  "tan",   "tanh", "atan", "pow",  "fma", NULL
  };
  static const char *const limit[] = { "DBL_MIN", "DBL_MAX", "DBL_EPSILON", NULL };
  bool twice = false;
  for (int i = 0; i < c->n_item && !twice; i++)
    twice = c->item[i].twice && c->item[i].file == file && (size_t)c->item[i].n_name == n &&
            memcmp(c->item[i].name, p, n) == 0;
  if (twice) fprintf(f, "%.*s_", (int)strcspn(c->source[file].name, "."), c->source[file].name);
  if (same(p, n, "double"))
    fputs("real", f);
  else if (one_of(p, n, limit))
    fprintf(f, "REAL_%.*s", (int)n - 4, p + 4);
  else
    fprintf(f, "%s%.*s", one_of(p, n, libm) ? "real_" : "", (int)n, p);
}

static void write_tokens(const code *c, int file, const char *p, const char *stop, FILE *f)
{
  for (const char *end; p < stop; p = end) {
    token kind = next_token(p, &end);
    if (end > stop) end = stop;
    if (kind == WORD)
      write_word(c, file, p, (size_t)(end - p), f);
    else if (kind == NUMBER && is_floating(p, end))
      fprintf(f, "REAL(%.*s)", (int)(end - p), p);
    else
      fwrite(p, 1, (size_t)(end - p), f);
  }
}

static void write_item(const code *c, const item *it, FILE *f)
{
  fwrite(it->begin, 1, (size_t)(it->first - it->begin), f);
  if (is_line(it, "include")) return;
  if ((it->kind == FUNCTION || it->kind == PROTOTYPE) && !it->is_static) fputs("static ", f);
  write_tokens(c, it->file, it->first, it->end, f);
}

static void note_include(code *c, const item *it)
{
  if (!strchr(it->first, '<') || strchr(it->first, '<') > it->end) return;
  for (int k = 0; k < c->n_include; k++)
    if (strncmp(c->include[k], it->first, (size_t)(it->end - it->first)) == 0) return;
  if (c->n_include < MAX_INCLUDE) c->include[c->n_include++] = it->first;
}

static void write_code(code *c, FILE *f)
{
  for (int i = 0; i < c->n_item; i++)
    if (c->item[i].kept && is_line(&c->item[i], "include")) note_include(c, &c->item[i]);
  for (int k = 0; k < c->n_include; k++)
    fprintf(f, "%.*s\n", (int)strcspn(c->include[k], "\n"), c->include[k]);
  for (int k = 0; k < c->n_source; k++) {
    if (!c->source[k].kept && !c->source[k].header) continue;
    fprintf(f, "\n// ---- %s ", c->source[k].name);
    for (size_t n = strlen(c->source[k].name); n < 90; n++) fputc('-', f);
    fputs("\n//\n", f);
    for (int i = 0; i < c->n_item; i++)
      if (c->item[i].file == k && c->item[i].kept) write_item(c, &c->item[i], f);
    fputc('\n', f);
  }
}

mw_code mw_export_code(const char *user, FILE *f, mw_error *err)
{
  static const char *const headers[] = {
    "rom.h",        "step.h",      "flat.h",        "rom_scalar.h",  "rom_sizes.h", "rom_layer.h",
    "rom_mass.h",   "rom_third.h", "rom_columns.h", "rom_packs.h",   "rom_rows.h",  "rom_turn.h",
    "rom_derive.h", "rom_sens.h",  "vec3.h",        "turned_priv.h", NULL
  };
  code c = { 0 };
  c.item = mw_arena_alloc(&c.mem, MAX_ITEM, sizeof *c.item);
  mw_code rc = mw_arena_check(&c.mem, err);
  for (int k = 0; rc == MW_OK && headers[k]; k++) {
    const mw_export_text *t = mw_export_text_find(headers[k]);
    if (t) rc = read_source(&c, t, err);
  }
  for (const mw_export_text *t = mw_export_texts; rc == MW_OK && t->name; t++) {
    size_t n = strlen(t->name);
    bool online = strncmp(t->name, "rom_", 4) == 0 && strcmp(t->name + n - 2, ".c") == 0;
    if (online || strcmp(t->name, "turned.c") == 0) rc = read_source(&c, t, err);
  }
  if (rc == MW_OK) {
    mark_twice(&c);
    keep_named(&c, user, user + strlen(user), -1);
    keep_rest(&c);
    write_code(&c, f);
  }
  mw_arena_free(&c.mem);
  return rc;
}
