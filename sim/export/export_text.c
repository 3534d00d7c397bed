// SPDX-License-Identifier: BSD-3-Clause
// export_text.c: embedded files and templates, see export_layer.h.
#include <ctype.h>
#include <string.h>

#include "export_layer.h"

const mw_export_text *mw_export_text_find(const char *name)
{
  for (const mw_export_text *t = mw_export_texts; t->name; t++)
    if (strcmp(t->name, name) == 0) return t;
  return NULL;
}

char *mw_export_text_join(const mw_export_text *t, mw_arena *mem)
{
  size_t n = 0, used = 0;
  for (int k = 0; t->line[k]; k++) n += strlen(t->line[k]);
  char *s = mw_arena_alloc(mem, n + 1, 1);
  for (int k = 0; s && t->line[k]; k++) {
    size_t len = strlen(t->line[k]);
    memcpy(s + used, t->line[k], len);
    used += len;
  }
  return s;
}

void mw_export_fill(const char *text, int n, const mw_export_key *key, FILE *f)
{
  for (const char *p = text; *p;) {
    const char *q = p + 1;
    while (*p == '@' && (isalnum((unsigned char)*q) || *q == '_')) q++;
    size_t len = (size_t)(q - p) - 1;
    const char *value = NULL;
    for (int k = 0; *p == '@' && *q == '@' && k < n; k++)
      if (strlen(key[k].key) == len && memcmp(key[k].key, p + 1, len) == 0) value = key[k].value;
    if (value)
      fputs(value, f);
    else
      fputc(*p, f);
    p = value ? q + 1 : p + 1;
  }
}
