// SPDX-License-Identifier: BSD-3-Clause
// whole.c: whether a BREP or IGES file is there to its end, before OpenCASCADE sees it.
//
// OpenCASCADE takes numbers it no longer finds for whatever lies in memory: half a BREP file may
// ask for all memory there is. BREP: eight sections "Name count", in the last as many shapes as
// announced, each closed by "*", then the root shape; no word that reads as an infinite number.
// IGES: the last line is the terminate section, a T in column 73. O(bytes).
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mesher_priv.h"

mw_code text_load(job *j, char **text, size_t *n, mw_error *err)
{
  FILE *f = fopen(j->file, "rb");
  long size = -1;
  if (f != NULL && fseek(f, 0, SEEK_END) == 0) size = ftell(f);
  if (size < 0 || fseek(f, 0, SEEK_SET) != 0) {
    if (f != NULL) fclose(f);
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s cannot be read", j->file);
  }
  *text = mw_arena_alloc(&j->mem, (size_t)size + 1, 1);
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc == MW_OK) *n = fread(*text, 1, (size_t)size, f);
  fclose(f);
  return rc;
}

typedef struct words {
  char *p;  // a zero byte at the end
  int line;
} words;

// The next word, its length; 0 at the end.
static size_t next_word(words *w, const char **word)
{
  while (isspace((unsigned char)*w->p)) w->line += *w->p++ == '\n';
  *word = w->p;
  while (*w->p != '\0' && !isspace((unsigned char)*w->p)) w->p++;
  return (size_t)(w->p - *word);
}

static bool is_word(const char *word, size_t n, const char *wanted)
{
  return n == strlen(wanted) && memcmp(word, wanted, n) == 0;
}

static bool is_infinite(const char *word, size_t n)
{
  size_t sign = n > 0 && (*word == '-' || *word == '+');
  return n - sign >= 3 &&
         (strncasecmp(word + sign, "nan", 3) == 0 || strncasecmp(word + sign, "inf", 3) == 0);
}

mw_code brep_check(job *j, mw_error *err)
{
  static const char *const section[] = {
    "Locations", "Curve2ds",       "Curves", "Polygon3D", "PolygonOnTriangulations",
    "Surfaces",  "Triangulations", "TShapes"
  };
  enum { N_SECTION = sizeof section / sizeof *section };
  char *text = NULL;
  const char *word;
  size_t size = 0, n;
  long n_shape = 0, n_closed = 0, n_root = 0;
  int found = 0;
  mw_code rc = text_load(j, &text, &size, err);
  if (rc != MW_OK) return rc;
  words w = { text, 1 };
  while ((n = next_word(&w, &word)) > 0) {
    if (is_infinite(word, n))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: not a finite number", j->file,
                     w.line);
    if (found < N_SECTION && is_word(word, n, section[found]) && ++found == N_SECTION) {
      (void)next_word(&w, &word);
      n_shape = strtol(word, NULL, 10);
    } else if (found == N_SECTION) {
      bool closes = is_word(word, n, "*");
      n_closed += closes;
      n_root = closes ? 0 : n_root + 1;
    }
  }
  // the root shape: its number and location
  if (found == N_SECTION && n_shape > 0 && n_closed == n_shape && n_root == 2) return MW_OK;
  if (found < N_SECTION)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%s line %d: the file ends without section %s",
                   j->file, w.line, section[found]);
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%s line %d: the file ends after %ld of %ld shapes: truncated", j->file, w.line,
                 n_closed, n_shape);
}

mw_code iges_check(job *j, mw_error *err)
{
  enum { MARK = 72, LINE = 80 };  // column of the section's letter, length of a line
  char *text = NULL;
  size_t n = 0;
  mw_code rc = text_load(j, &text, &n, err);
  if (rc != MW_OK) return rc;
  while (n > 0 && isspace((unsigned char)text[n - 1])) n--;
  size_t from = n;
  while (from > 0 && text[from - 1] != '\n') from--;
  if (n - from == LINE && text[from + MARK] == 'T') return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "%s: the last line is not the terminate section of an IGES file: truncated",
                 j->file);
}
