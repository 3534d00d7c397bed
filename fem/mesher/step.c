// SPDX-License-Identifier: BSD-3-Clause
// step.c: whether the text of a STEP file is whole, before OpenCASCADE sees it.
//
// OpenCASCADE skips what it cannot read and computes with what is left: a number that is none may
// keep it busy for ever, a reference to nothing crashes it. Here the data section is read as the
// tokens of the exchange structure (ISO 10303-21): numbers are finite, words are keywords before
// '(', enumerations between dots, and every #N in use is defined. What entities are called is
// judged by step_known.c. O(bytes).
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step_priv.h"

typedef struct lexer {
  const job *j;
  const char *p, *end;  // a zero byte at end
  int line, depth;      // depth: of parentheses since the last definition
  bool simple;          // the last definition has its keyword
  step_text *t;
} lexer;

static mw_code fail_at(const lexer *x, int line, const char *what, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: %s", x->j->file, line, what);
}

// Past blanks and comments.
static mw_code skip(lexer *x, mw_error *err)
{
  for (;;) {
    while (x->p < x->end && isspace((unsigned char)*x->p)) x->line += *x->p++ == '\n';
    if (x->end - x->p < 2 || x->p[0] != '/' || x->p[1] != '*') return MW_OK;
    int from = x->line;
    for (x->p += 2; x->end - x->p >= 2 && !(x->p[0] == '*' && x->p[1] == '/'); x->p++)
      x->line += *x->p == '\n';
    if (x->end - x->p < 2) return fail_at(x, from, "a comment without end: truncated?", err);
    x->p += 2;
  }
}

// '...' or "...", with quotes doubled inside
static mw_code skip_quoted(lexer *x, mw_error *err)
{
  char quote = *x->p++;
  int from = x->line;
  for (; x->p < x->end; x->p++) {
    x->line += *x->p == '\n';
    if (*x->p != quote) continue;
    if (x->p + 1 < x->end && x->p[1] == quote)
      x->p++;
    else
      break;
  }
  if (x->p >= x->end) return fail_at(x, from, "a string without end: truncated?", err);
  x->p++;
  return MW_OK;
}

static mw_code read_id(lexer *x, mw_error *err)
{
  char *end;
  int line = x->line;
  unsigned long id = isdigit((unsigned char)x->p[1]) ? strtoul(x->p + 1, &end, 10) : 0;
  if (id == 0) return fail_at(x, line, "'#' without a number", err);
  x->p = end;
  mw_code rc = skip(x, err);
  if (rc != MW_OK) return rc;
  bool defined = x->p < x->end && *x->p == '=';
  x->t->use[x->t->n_use] = (step_use){ .id = id, .at = x->t->n_use, .line = line };
  x->t->use[x->t->n_use++].defined = defined;
  if (defined) x->depth = 0, x->simple = false;
  return MW_OK;
}

// Keywords of entities: KEYWORD(...) or (KEYWORD(...) KEYWORD(...) ...); those inside of their
// parameters are types of measures.
static void add_word(lexer *x, const char *text, int n, int line)
{
  if (x->depth > 1 || (x->depth == 1 && x->simple)) return;
  x->simple = x->depth == 0;
  x->t->word[x->t->n_word++] =
      (step_word){ .text = text, .n = n, .line = line, .use = x->t->n_use };
}

static mw_code read_number(lexer *x, mw_error *err)
{
  char *end;
  double value = strtod(x->p, &end);
  if (end == x->p || !isfinite(value) || isalnum((unsigned char)*end))
    return fail_at(x, x->line, "not a finite number", err);
  x->p = end;
  return MW_OK;
}

// KEYWORD( or SECTION; or .ENUMERATION.
static mw_code read_word(lexer *x, mw_error *err)
{
  bool dotted = *x->p == '.', user = *x->p == '!';
  const char *from = x->p;
  x->p += dotted || user;
  while (x->p < x->end && (isalnum((unsigned char)*x->p) || *x->p == '_' || *x->p == '-')) x->p++;
  if (dotted) {
    if (x->p >= x->end || *x->p != '.' || x->p == from + 1)
      return fail_at(x, x->line, "an enumeration that does not end with a dot", err);
    x->p++;
    return MW_OK;
  }
  int n = (int)(x->p - from), line = x->line;
  mw_code rc = skip(x, err);
  if (rc != MW_OK) return rc;
  if (x->p < x->end && *x->p == '(') add_word(x, from, n, line);
  if (x->p < x->end && (*x->p == '(' || *x->p == ';')) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: '%.*s' is neither number nor entity",
                 x->j->file, line, n < 40 ? n : 40, from);
}

static mw_code next_token(lexer *x, mw_error *err)
{
  char c = *x->p;
  char d = x->p + 1 < x->end ? x->p[1] : '\0';
  if (c == '\'' || c == '"') return skip_quoted(x, err);
  if (c == '#') return read_id(x, err);
  if (isdigit((unsigned char)c) || c == '-' || c == '+' || (c == '.' && isdigit((unsigned char)d)))
    return read_number(x, err);
  if (isalpha((unsigned char)c) || c == '.' || c == '!' || c == '_') return read_word(x, err);
  if (!isprint((unsigned char)c))
    return fail_at(x, x->line, "a byte that is no text outside of strings", err);
  x->depth += (c == '(') - (c == ')');
  x->p++;
  return MW_OK;
}

// definitions first
static int by_id(const void *a, const void *b)
{
  const step_use *u = a, *v = b;
  if (u->id != v->id) return u->id < v->id ? -1 : 1;
  if (u->defined != v->defined) return u->defined ? -1 : 1;
  return (u->at > v->at) - (u->at < v->at);
}

// Sorts the uses and links each to its definition.
static mw_code check_ids(const job *j, step_text *t, mw_error *err)
{
  step_use *u = t->sorted;
  if (t->n_use > 0) memcpy(u, t->use, t->n_use * sizeof *u);
  qsort(u, t->n_use, sizeof *u, by_id);
  size_t definition = 0;
  for (size_t k = 0; k < t->n_use; k++) {
    bool first = k == 0 || u[k - 1].id != u[k].id;
    if (first && !u[k].defined)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: #%lu is defined nowhere", j->file,
                     u[k].line, u[k].id);
    if (!first && u[k].defined)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: #%lu is defined twice", j->file, u[k].id);
    if (first) definition = u[k].at;
    t->use[u[k].at].definition = definition;
  }
  return MW_OK;
}

static mw_code make_room(job *j, const char *text, size_t n, step_text *t, mw_error *err)
{
  size_t n_hash = 0, n_open = 0;
  for (size_t k = 0; k < n; k++) {
    n_hash += text[k] == '#';
    n_open += text[k] == '(';
  }
  t->use = mw_arena_alloc(&j->mem, n_hash, sizeof *t->use);
  t->sorted = mw_arena_alloc(&j->mem, n_hash, sizeof *t->sorted);
  t->word = mw_arena_alloc(&j->mem, n_open, sizeof *t->word);
  return mw_arena_check(&j->mem, err);
}

mw_code step_check(job *j, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  step_text t = { 0 };
  mw_code rc = text_load(j, &text, &n, err);
  if (rc == MW_OK) rc = make_room(j, text, n, &t, err);
  if (rc != MW_OK) return rc;
  lexer x = { .j = j, .p = text, .end = text + n, .line = 1, .t = &t };
  rc = skip(&x, err);
  while (rc == MW_OK && x.p < x.end) {
    rc = next_token(&x, err);
    if (rc == MW_OK) rc = skip(&x, err);
  }
  if (rc != MW_OK) return rc;
  // the end of the exchange structure, whatever blanks follow
  size_t tail = n;
  while (tail > 0 && isspace((unsigned char)text[tail - 1])) tail--;
  static const char last[] = "END-ISO-10303-21;";
  size_t n_last = sizeof last - 1;
  if (tail < n_last || memcmp(text + tail - n_last, last, n_last) != 0)
    return fail_at(&x, x.line, "the file ends without END-ISO-10303-21: truncated", err);
  rc = check_ids(j, &t, err);
  return rc == MW_OK ? step_known(j, &t, err) : rc;
}
