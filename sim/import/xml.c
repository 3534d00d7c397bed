// SPDX-License-Identifier: BSD-3-Clause
// xml.c: reads the XML that robots are described in: elements, attributes,
// comments, CDATA, the five named characters and numeric ones. Every value
// keeps its line and column, which libraries give of elements alone. Document
// types with declarations are refused, and with them entities that grow without
// bound. O(bytes); nesting costs no stack.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml_layer.h"

typedef struct scan {
  const char *path, *p, *end;  // a zero byte at end
  const char *line_start;
  int line;
  mw_arena *mem;
  mw_error *err;
} scan;

static mw_at here(const scan *s)
{
  return (mw_at){ s->path, s->line, (int)(s->p - s->line_start) + 1 };
}

// Past n bytes.
static void skip(scan *s, size_t n)
{
  for (; n > 0 && s->p < s->end; n--, s->p++)
    if (*s->p == '\n') {
      s->line++;
      s->line_start = s->p + 1;
    }
}

static void skip_blanks(scan *s)
{
  while (s->p < s->end && isspace((unsigned char)*s->p)) skip(s, 1);
}

static bool begins(const scan *s, const char *text)
{
  size_t n = strlen(text);
  return (size_t)(s->end - s->p) >= n && memcmp(s->p, text, n) == 0;
}

// Past the next `mark`; what: of what begins here.
static mw_code skip_to(scan *s, const char *mark, const char *what)
{
  mw_at at = here(s);
  while (s->p < s->end && !begins(s, mark)) skip(s, 1);
  if (s->p >= s->end)
    return mw_fail(s->err, MW_ERR_INPUT, at, "found %s without end, expected %s", what, mark);
  skip(s, strlen(mark));
  return MW_OK;
}

static bool name_byte(char c)
{
  return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == ':' ||
         (unsigned char)c >= 0x80;
}

static mw_code read_name(scan *s, const char *what, const char **name)
{
  const char *from = s->p;
  mw_at at = here(s);
  while (s->p < s->end && name_byte(*s->p)) skip(s, 1);
  if (s->p == from) {
    if (s->p >= s->end)
      return mw_fail(s->err, MW_ERR_INPUT, at, "found the end of the file, expected %s", what);
    return mw_fail(s->err, MW_ERR_INPUT, at, "found the byte 0x%02x, expected %s",
                   (unsigned)(unsigned char)*s->p, what);
  }
  *name = mw_arena_printf(s->mem, "%.*s", (int)(s->p - from), from);
  return mw_arena_check(s->mem, s->err);
}

// Bytes of the code point u in UTF-8; their number.
static size_t utf8(unsigned long u, char out[4])
{
  if (u < 0x80) return (void)(out[0] = (char)u), 1;
  size_t n = u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;
  for (size_t k = n; k-- > 1; u >>= 6) out[k] = (char)(0x80 | (u & 0x3f));
  out[0] = (char)((0xf00 >> n & 0xff) | u);
  return n;
}

// &name; or &#number; at s->p, appended to out.
static mw_code read_entity(scan *s, char *out, size_t *n)
{
  static const struct {
    const char *text;
    char c;
  } named[] = {
    { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' }
  };
  for (size_t k = 0; k < sizeof named / sizeof *named; k++)
    if (begins(s, named[k].text)) {
      out[(*n)++] = named[k].c;
      skip(s, strlen(named[k].text));
      return MW_OK;
    }
  bool number = begins(s, "&#"), hex = begins(s, "&#x");
  const char *digits = s->p + (hex ? 3 : 2);
  char *end = NULL;
  unsigned long u = 0;
  if (number && isxdigit((unsigned char)*digits)) u = strtoul(digits, &end, hex ? 16 : 10);
  if (!end || *end != ';' || u == 0 || u > 0x10ffff || (u >= 0xd800 && u < 0xe000))
    return mw_fail(s->err, MW_ERR_INPUT, here(s),
                   "found & that begins no known character, expected &amp; for it");
  *n += utf8(u, out + *n);  // no longer than what it stands for
  skip(s, (size_t)(end + 1 - s->p));
  return MW_OK;
}

static mw_code read_value(scan *s, xml_attr *a)
{
  char quote = s->p < s->end ? *s->p : '\0';
  mw_at at = here(s);
  if (quote != '"' && quote != '\'')
    return mw_fail(s->err, MW_ERR_INPUT, at, "found %s without quotes, expected %s=\"...\"",
                   a->name, a->name);
  skip(s, 1);
  a->at = here(s);
  const char *close = memchr(s->p, quote, (size_t)(s->end - s->p));
  if (!close)
    return mw_fail(s->err, MW_ERR_INPUT, at, "found a value of %s without end, expected %c",
                   a->name, quote);
  char *text = mw_arena_alloc(s->mem, (size_t)(close - s->p) + 1, 1);
  mw_code rc = mw_arena_check(s->mem, s->err);
  size_t n = 0;
  while (rc == MW_OK && s->p < close) {
    if (*s->p == '<')
      rc = mw_fail(s->err, MW_ERR_INPUT, here(s), "found < in a value, expected &lt; or a quote");
    else if (*s->p == '&')
      rc = read_entity(s, text, &n);
    else {
      text[n++] = isspace((unsigned char)*s->p) ? ' ' : *s->p;
      skip(s, 1);
    }
  }
  skip(s, 1);
  a->value = text;
  return rc;
}

static mw_code read_attr(scan *s, xml_node *e)
{
  xml_attr *a = mw_arena_alloc(s->mem, 1, sizeof *a), **last = &e->attr;
  mw_code rc = mw_arena_check(s->mem, s->err);
  mw_at at = here(s);
  if (rc == MW_OK) rc = read_name(s, "an attribute, /> or >", &a->name);
  if (rc != MW_OK) return rc;
  skip_blanks(s);
  if (!begins(s, "="))
    return mw_fail(s->err, MW_ERR_INPUT, here(s), "found %s without value, expected =", a->name);
  skip(s, 1);
  skip_blanks(s);
  rc = read_value(s, a);
  for (; rc == MW_OK && *last; last = &(*last)->next)
    if (strcmp((*last)->name, a->name) == 0)
      rc = mw_fail(s->err, MW_ERR_INPUT, at, "found %s twice in %s, expected it once", a->name,
                   e->name);
  if (rc == MW_OK) *last = a;
  return rc;
}

// <name ... > or <name ... />; *open: its children follow.
static mw_code read_start(scan *s, xml_node *parent, xml_node **out, bool *open)
{
  xml_node *e = mw_arena_alloc(s->mem, 1, sizeof *e);
  mw_code rc = mw_arena_check(s->mem, s->err);
  if (rc != MW_OK) return rc;
  *e = (xml_node){ .at = here(s), .parent = parent };
  skip(s, 1);
  rc = read_name(s, "the name of an element", &e->name);
  for (;;) {
    skip_blanks(s);
    if (rc != MW_OK || begins(s, ">") || begins(s, "/>")) break;
    rc = read_attr(s, e);
  }
  if (rc != MW_OK) return rc;
  *open = *s->p == '>';
  skip(s, *open ? 1 : 2);
  if (parent && parent->last) parent->last->next = e;
  if (parent && !parent->first) parent->first = e;
  if (parent) parent->last = e;
  *out = e;
  return MW_OK;
}

static mw_code read_close(scan *s, const xml_node *e)
{
  const char *name = "";
  mw_at at = here(s);
  skip(s, 2);
  mw_code rc = read_name(s, "the name of an element", &name);
  if (rc == MW_OK && (!e || strcmp(name, e->name) != 0))
    rc = mw_fail(s->err, MW_ERR_INPUT, at, "found </%s>, expected %s%s%s", name,
                 e ? "</" : "no end", e ? e->name : "", e ? ">" : "");
  skip_blanks(s);
  if (rc == MW_OK && !begins(s, ">"))
    rc = mw_fail(s->err, MW_ERR_INPUT, here(s), "found no end of </%s, expected >", name);
  skip(s, 1);
  return rc;
}

static mw_code skip_doctype(scan *s)
{
  mw_at at = here(s);
  while (s->p < s->end && *s->p != '>') {
    if (*s->p == '[')
      return mw_fail(s->err, MW_ERR_INPUT, at,
                     "found declarations in a document type, expected none");
    skip(s, 1);
  }
  skip(s, 1);
  return MW_OK;
}

// What begins with < at s->p; e: the open element, NULL: none.
static mw_code read_markup(scan *s, xml_node **e, xml_node **root)
{
  if (begins(s, "<!--")) return skip_to(s, "-->", "a comment");
  if (begins(s, "<?")) return skip_to(s, "?>", "an instruction");
  if (begins(s, "<![CDATA[")) return skip_to(s, "]]>", "CDATA");
  if (begins(s, "<!")) return skip_doctype(s);
  if (begins(s, "</")) {
    mw_code rc = read_close(s, *e);
    if (rc == MW_OK) *e = (*e)->parent;
    return rc;
  }
  xml_node *child = NULL;
  bool open = false;
  if (!*e && *root)
    return mw_fail(s->err, MW_ERR_INPUT, here(s), "found a second element, expected the end");
  mw_code rc = read_start(s, *e, &child, &open);
  if (rc != MW_OK) return rc;
  if (!*root) *root = child;
  if (open) *e = child;
  return MW_OK;
}

static mw_code load(const char *path, mw_arena *mem, char **text, size_t *n, mw_error *err)
{
  FILE *f = fopen(path, "rb");
  long size = -1;
  if (f && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  if (size < 0 || fseek(f, 0, SEEK_SET) != 0) {
    int why = errno;
    if (f) fclose(f);
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "cannot be read: %s", strerror(why));
  }
  *text = mw_arena_alloc(mem, (size_t)size + 1, 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) {
    *n = fread(*text, 1, (size_t)size, f);
    if (ferror(f)) rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path }, "cannot be read");
  }
  fclose(f);
  return rc;
}

mw_code xml_read(const char *path, mw_arena *mem, xml_node **root, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  mw_code rc = load(path, mem, &text, &n, err);
  return rc == MW_OK ? xml_parse(path, text, n, mem, root, err) : rc;
}

mw_code xml_parse(const char *path, const char *text, size_t n, mw_arena *mem, xml_node **root,
                  mw_error *err)
{
  xml_node *e = NULL, *top = NULL;
  const char *kept = mw_arena_str(mem, path);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  scan s = { kept, text, text + n, text, 1, mem, err };
  if (begins(&s, "\xef\xbb\xbf")) s.line_start = s.p += 3;
  while (rc == MW_OK && s.p < s.end) {
    if (*s.p == '<')
      rc = read_markup(&s, &e, &top);
    else if (!e && !isspace((unsigned char)*s.p))
      rc = mw_fail(err, MW_ERR_INPUT, here(&s), "found text, expected an XML file: <");
    else
      skip(&s, 1);
  }
  if (rc == MW_OK && e)
    rc = mw_fail(err, MW_ERR_INPUT, e->at, "found %s without end, expected </%s>: truncated?",
                 e->name, e->name);
  if (rc == MW_OK && !top)
    rc = mw_fail(err, MW_ERR_INPUT, here(&s), "found no element, expected an XML file");
  if (rc == MW_OK) *root = top;
  return rc;
}

// ---- what is in it
// ------------------------------------------------------------------------------

const xml_attr *xml_find(const xml_node *e, const char *name)
{
  for (const xml_attr *a = e ? e->attr : NULL; a; a = a->next)
    if (strcmp(a->name, name) == 0) return a;
  return NULL;
}

const char *xml_text(const xml_node *e, const char *name)
{
  const xml_attr *a = xml_find(e, name);
  return a ? a->value : NULL;
}

static const xml_node *named(const xml_node *e, const char *name)
{
  while (e && strcmp(e->name, name) != 0) e = e->next;
  return e;
}

const xml_node *xml_child(const xml_node *e, const char *name)
{
  return named(e ? e->first : NULL, name);
}

const xml_node *xml_next(const xml_node *e, const char *name) { return named(e->next, name); }

mw_code xml_list(const xml_attr *a, int lo, int hi, double *x, int *n, mw_error *err)
{
  const char *p = a->value;
  char *end;
  int got = 0;
  for (;; p = end) {
    while (*p == ' ' || *p == ',') p++;
    if (*p == '\0') break;
    double v = strtod(p, &end);
    if (end == p || !isfinite(v) || (*end != '\0' && *end != ' ' && *end != ','))
      return mw_fail(err, MW_ERR_INPUT, a->at, "%s: found \"%.40s\", expected numbers", a->name, p);
    if (got < hi) x[got] = v;
    got++;
  }
  if (lo == hi && got != lo)
    return mw_fail(err, MW_ERR_INPUT, a->at, "%s: found %d numbers, expected %d", a->name, got, lo);
  if (got < lo || got > hi)
    return mw_fail(err, MW_ERR_INPUT, a->at, "%s: found %d numbers, expected %d to %d", a->name,
                   got, lo, hi);
  *n = got;
  return MW_OK;
}

mw_code xml_vec(const xml_node *e, const char *name, int n, double *x, mw_error *err)
{
  const xml_attr *a = xml_find(e, name);
  double v[16];
  int got = 0;
  mw_code rc = a ? xml_list(a, n, n, v, &got, err) : MW_OK;
  for (int k = 0; rc == MW_OK && k < got; k++) x[k] = v[k];
  return rc;
}

mw_code xml_need(const xml_node *e, const char *name, const char **text, mw_error *err)
{
  const xml_attr *a = xml_find(e, name);
  if (!a || a->value[0] == '\0')
    return mw_fail(err, MW_ERR_INPUT, a ? a->at : e->at, "%s: found no %s, expected one", e->name,
                   name);
  *text = a->value;
  return MW_OK;
}
