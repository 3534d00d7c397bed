// SPDX-License-Identifier: BSD-3-Clause
// cmd_kept.c: parameters that reduced models keep, on command lines.
#include <string.h>

#include "cmd_layer.h"

// The value that --set gives a parameter by its name, NULL: none does.
static const char *set_of(const mw_args *a, const char *name)
{
  static const char HEAD[] = "parameters.";
  const char *value = NULL;
  size_t n = strlen(name);
  for (int k = 0; k < a->n_set; k++) {
    const char *s = a->set[k];
    if (strncmp(s, HEAD, sizeof HEAD - 1) == 0 && strncmp(s + sizeof HEAD - 1, name, n) == 0 &&
        s[sizeof HEAD - 1 + n] == '=')
      value = s + sizeof HEAD + n;
  }
  return value;
}

static const mw_kept_in *find(const mw_model *m, const char *name)
{
  for (int k = 0; k < m->reduction.n_kept; k++)
    if (strcmp(m->reduction.kept[k].name, name) == 0) return &m->reduction.kept[k];
  return NULL;
}

mw_code mw_cmd_kept_left(const mw_args *a, const mw_model *edited, mw_rom_file *f, mw_error *err)
{
  mw_model plain = { 0 };
  mw_code rc = f->n_parameter > 0 ? mw_model_read(edited->path, &plain, err) : MW_OK;
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    const mw_kept_in *was = find(&plain, p->name), *is = find(edited, p->name);
    if (!set_of(a, p->name) && was && is && was->value == is->value)
      rc = mw_rom_set_parameter(f, k, 0.5 * (p->lo + p->hi), err);
  }
  mw_model_free(&plain);
  return rc;
}

void mw_cmd_kept_note(const mw_args *a, const mw_model *m)
{
  for (int k = 0; k < m->reduction.n_kept; k++) {
    const mw_kept_in *p = &m->reduction.kept[k];
    const char *value = set_of(a, p->name);
    if (value)
      fprintf(stderr,
              "modeway: note: reduction.parameters keeps %s from %g to %g, and the reduced model "
              "is made in the middle, at %g: --set parameters.%s=%.40s changes nothing here; it "
              "sets the value in simulate, compare, modes, frf, map, lobes and export\n",
              p->name, p->lo, p->hi, 0.5 * (p->lo + p->hi), p->name, value);
  }
}
