// SPDX-License-Identifier: BSD-3-Clause
// criteria_only.c: criteria of one output alone, --of WORD:NAME.
#include <string.h>

#include "study_priv.h"

// The output in a criterion's name behind `begins`, NULL: another criterion.
static const char *output_in(const char *name, const char *begins)
{
  size_t n = strlen(begins);
  return strncmp(name, begins, n) == 0 && name[n] == ' ' ? name + n + 1 : NULL;
}

// Is `output` the one called name [n], or a part or component of it?
static bool is_of(const char *output, const char *name, size_t n)
{
  return strncmp(output, name, n) == 0 &&
         (output[n] == '\0' || output[n] == ' ' || output[n] == '.');
}

// Whether a criterion stays: no entry of text speaks of its word with an output, or one names its.
static bool stays(const char *name, const char *text)
{
  bool spoken = false;
  for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',') {
    const mw_criterion_word *w = mw_criterion_word_at(p);
    size_t word = strcspn(p, ",:"), all = strcspn(p, ",");
    const char *output = w && w->begins ? output_in(name, w->begins) : NULL;
    if (!output) continue;
    if (p[word] != ':' || is_of(output, p + word + 1, all - word - 1)) return true;
    spoken = true;
  }
  return !spoken;
}

// Whether an entry of text finds a criterion of its output among all of f.
static mw_code check(const char *text, const mw_found *f, mw_error *err)
{
  for (const char *p = text; *p; p += strcspn(p, ","), p += *p == ',') {
    const mw_criterion_word *w = mw_criterion_word_at(p);
    size_t word = strcspn(p, ",:"), all = strcspn(p, ",");
    bool found = p[word] != ':';
    for (int k = 0; w && !found && k < f->n; k++) {
      const char *output = output_in(f->name[k], w->begins);
      found = output && is_of(output, p + word + 1, all - word - 1);
    }
    if (!found)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--of: found \"%.*s\", but no criterion of this kind is of such an output "
                     "(--of without names shows all)",
                     all < 60 ? (int)all : 60, p);
  }
  return MW_OK;
}

mw_code mw_criteria_only(const char *text, mw_found *f, mw_error *err)
{
  mw_code rc = check(text, f, err);
  int n = 0;
  for (int k = 0; rc == MW_OK && k < f->n; k++) {
    if (!stays(f->name[k], text)) continue;
    f->name[n] = f->name[k];
    f->unit[n] = f->unit[k];
    f->aim[n] = f->aim[k];
    f->value[n++] = f->value[k];
  }
  if (rc == MW_OK) f->n = n;
  return rc;
}
