// SPDX-License-Identifier: BSD-3-Clause
// step.c: whether the text of a STEP file is whole, before OpenCASCADE sees it.
//
// OpenCASCADE skips what it cannot read and computes with what is left: a number that is none may
// keep it busy for ever, a reference to nothing crashes it. Here the data section is read as the
// tokens of the exchange structure (ISO 10303-21): numbers are finite, words are keywords before
// '(' ,
// enumerations between dots, and every #N in use is defined. No schema is known. O(bytes).
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mesher_priv.h"

typedef struct use {  // of #id
  unsigned long id;
  int line;  // 0: its definition
} use;

typedef struct lexer {
  const job *j;
  const char *p, *end;  // a zero byte at end
  int line;
  size_t n_use;
  use *use;  // [n_use]
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
  x->use[x->n_use++] = (use){ id, x->p < x->end && *x->p == '=' ? 0 : line };
  return MW_OK;
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
  x->p++;
  return MW_OK;
}

// definitions first
static int by_id(const void *a, const void *b)
{
  const use *u = a, *v = b;
  if (u->id != v->id) return u->id < v->id ? -1 : 1;
  return (u->line > v->line) - (u->line < v->line);
}

static mw_code check_ids(lexer *x, mw_error *err)
{
  use *u = x->use;
  qsort(u, x->n_use, sizeof *u, by_id);
  for (size_t k = 0; k < x->n_use; k++) {
    bool first = k == 0 || u[k - 1].id != u[k].id;
    if (first && u[k].line != 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: #%lu is defined nowhere",
                     x->j->file, u[k].line, u[k].id);
    if (!first && u[k].line == 0)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s: #%lu is defined twice", x->j->file,
                     u[k].id);
  }
  return MW_OK;
}

mw_code step_check(job *j, mw_error *err)
{
  char *text = NULL;
  size_t n = 0, n_hash = 0;
  mw_code rc = text_load(j, &text, &n, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < n; k++) n_hash += text[k] == '#';
  lexer x = { .j = j, .p = text, .end = text + n, .line = 1 };
  x.use = mw_arena_alloc(&j->mem, n_hash, sizeof *x.use);
  rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) rc = skip(&x, err);
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
  return check_ids(&x, err);
}
