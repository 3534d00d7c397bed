// SPDX-License-Identifier: BSD-3-Clause
// json.c: writing one JSON object (RFC 8259) on one line.
//
// A number that is not finite becomes null, a byte that is no UTF-8 becomes U+FFFD: what we write
// can always be read.
#include "base/json.h"

#include <assert.h>
#include <math.h>

// Bytes of the UTF-8 sequence at s; 0 if it is none (overlong forms and surrogates included).
static int utf8_length(const unsigned char *s)
{
  if (s[0] < 0x80) return 1;
  int n = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
          : (s[0] & 0xf0) == 0xe0       ? 3
          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                        : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
  if (n == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
  return n;
}

static void write_string(FILE *f, const char *text)
{
  fputc('"', f);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = utf8_length(s);
    if (n == 0)
      fputs("\\ufffd", f);
    else if (*s == '"' || *s == '\\')
      fprintf(f, "\\%c", *s);
    else if (*s == '\n')
      fputs("\\n", f);
    else if (*s == '\t')
      fputs("\\t", f);
    else if (*s < 0x20)
      fprintf(f, "\\u%04x", *s);
    else
      fwrite(s, 1, (size_t)n, f);
    s += n ? n : 1;
  }
  fputc('"', f);
}

// comma and key before a value
static void lead(mw_json *j, const char *key)
{
  if (j->depth > 0) {
    if (!j->first[j->depth]) fputs(", ", j->f);
    j->first[j->depth] = false;
  }
  if (key) {
    write_string(j->f, key);
    fputs(": ", j->f);
  }
}

static void begin(mw_json *j, const char *key, char bracket)
{
  lead(j, key);
  fputc(bracket, j->f);
  j->depth++;
  assert(j->depth < (int)(sizeof j->first / sizeof *j->first));
  j->first[j->depth] = true;
}

void mw_json_object(mw_json *j, const char *key) { begin(j, key, '{'); }

void mw_json_array(mw_json *j, const char *key) { begin(j, key, '['); }

void mw_json_end(mw_json *j, char bracket)
{
  assert(j->depth > 0);
  fputc(bracket, j->f);
  j->depth--;
  if (j->depth == 0) fputc('\n', j->f);
}

void mw_json_num(mw_json *j, const char *key, double x)
{
  lead(j, key);
  if (!isfinite(x))
    fputs("null", j->f);
  else if (x == rint(x) && fabs(x) < 9007199254740992.0)  // 2^53: integers are exact below
    fprintf(j->f, "%.0f", x);
  else
    fprintf(j->f, "%.17g", x);
}

void mw_json_str(mw_json *j, const char *key, const char *s)
{
  lead(j, key);
  if (s)
    write_string(j->f, s);
  else
    fputs("null", j->f);
}

void mw_json_bool(mw_json *j, const char *key, bool b)
{
  lead(j, key);
  fputs(b ? "true" : "false", j->f);
}
