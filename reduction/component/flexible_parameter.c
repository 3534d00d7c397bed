// SPDX-License-Identifier: BSD-3-Clause
// flexible_parameter.c: parameters that a component's reduced model keeps: its coefficients at the
// values that are set where it is used (kept.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible_priv.h"

size_t mw_flexible_tables_bytes(const mw_kept *z)
{
  size_t node = (size_t)(z->n * z->n_node);
  return z->n > 0 ? (node + mw_kept_tables(z) * z->n_coef) * sizeof(double) : 0;
}

// "a, b" of the parameters
static const char *names(mw_flexible *c)
{
  const char *all = "";
  for (int k = 0; all && k < c->text.kept.n; k++)
    all = mw_arena_printf(&c->mem, "%s%s%s", all, k ? ", " : "", c->text.parameter[k].name);
  return all ? all : "";
}

// Takes "name=value" to p.
static mw_code take(mw_flexible *c, const char *set, double *p, mw_error *err)
{
  const char *eq = strchr(set, '=');
  size_t n = eq ? (size_t)(eq - set) : strlen(set);
  for (int k = 0; eq && k < c->text.kept.n; k++) {
    const mw_flexible_parameter *of = &c->text.parameter[k];
    char *end;
    if (strlen(of->name) != n || strncmp(of->name, set, n) != 0) continue;
    double value = strtod(eq + 1, &end);
    if (end == eq + 1 || *end || !(value >= of->lo && value <= of->hi))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found %.80s, expected a number from %g to %g",
                     set, of->lo, of->hi);
    p[k] = value;
    return MW_OK;
  }
  if (c->text.kept.n == 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found set of %.*s, expected none: its reduced model has no parameters", (int)n,
                   set);
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found set of %.*s, expected one of %.160s", (int)n,
                 set, names(c));
}

// Coefficients at p in place of those of the block.
static mw_code put(mw_flexible *c, const mw_kept *given, const double *p, mw_error *err)
{
  mw_kept z = c->text.kept;
  if (!given->node || !c->rom.coef || z.n_coef * sizeof(double) != mw_rom_bytes(&c->rom))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "found tables of %zu coefficients for its parameters, expected those of the "
                   "reduced model",
                   z.n_coef);
  double *coef = mw_arena_f64(&c->mem, z.n_coef);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  z.node = given->node;
  z.coef = given->coef;
  mw_kept_at(&z, p, coef);
  c->rom.coef = coef;
  c->rom.zero_e = z.zero_e;
  c->rom.zero_H = z.zero_H;
  c->rom.zero_c = z.zero_c;
  c->rom.slow = z.slow;
  return MW_OK;
}

mw_code mw_flexible_set(mw_flexible *c, const mw_kept *given, mw_error *err)
{
  double p[MW_KEPT_PARAMETERS];
  bool moved = false;
  mw_code rc = MW_OK;
  for (int k = 0; k < c->text.kept.n; k++) p[k] = c->text.parameter[k].value;
  for (int i = 0; rc == MW_OK && i < c->in.n_set; i++) rc = take(c, c->in.set[i], p, err);
  for (int k = 0; k < c->text.kept.n; k++) moved = moved || p[k] != c->text.parameter[k].value;
  return rc == MW_OK && moved ? put(c, given, p, err) : rc;
}

void mw_flexible_parameter_of(const void *p, int k, mw_component_parameter *out)
{
  const mw_flexible *c = p;
  *out = (mw_component_parameter){ c->text.parameter[k].name, c->value[k] };
}
