// SPDX-License-Identifier: BSD-3-Clause
// rom_places.c: places in the work space of a reduced model, which coordinates are held, and which
// responses are meant, from the command line.
#include "rom_places_priv.h"

#include <stdio.h>
#include <string.h>

static mw_code find(const mw_rom_file *f, const char *option, const char *name, size_t len,
                    int *out, mw_error *err)
{
  for (*out = 0; *out < f->rom.s; (*out)++)
    if (strlen(f->coordinate[*out]) == len && strncmp(f->coordinate[*out], name, len) == 0)
      return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--%s: \"%.*s\" is not a coordinate of the reduction (%s%s)", option, (int)len,
                 name, f->coordinate[0], f->rom.s > 1 ? ", …" : "");
}

mw_code mw_rom_axis_read(const mw_rom_file *f, const char *option, const char *text, int n_default,
                         int n_max, mw_rom_axis *out, mw_error *err)
{
  size_t len = strcspn(text, "=");
  int used = -1, i = 0;
  mw_code rc = find(f, option, text, len, &i, err);
  if (rc != MW_OK) return rc;
  *out = (mw_rom_axis){ i, f->rom.lo[i], f->rom.hi[i], n_default };
  if (text[len] == '=' &&
      (sscanf(text + len + 1, "%lf:%lf:%d%n", &out->lo, &out->hi, &out->n, &used) != 3 ||
       text[len + 1 + (size_t)used] || out->n < 2 || out->n > n_max || !(out->lo < out->hi)))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--%s: found \"%.64s\", expected %s=LO:HI:N with LO < HI, N from 2 to %d",
                   option, text, f->coordinate[i], n_max);
  if (out->hi > f->rom.hi[i] || out->lo < f->rom.lo[i])
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--%s: %s from %g to %g, outside of its range [%g, %g]", option,
                   f->coordinate[i], out->lo, out->hi, f->rom.lo[i], f->rom.hi[i]);
  return MW_OK;
}

double mw_rom_axis_value(const mw_rom_axis *a, int k)
{
  return a->lo + (a->hi - a->lo) * k / (a->n - 1);
}

mw_code mw_rom_place(const mw_args *a, const mw_rom_file *f, int n_axis, const mw_rom_axis *axis,
                     double *theta, mw_error *err)
{
  mw_arena mem = { 0 };
  const char *at = mw_args_value(a, "at");
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < n_axis; k++) {
    at = mw_arena_printf(&mem, "%s%s%s=%.17g", at ? at : "", at ? "," : "",
                         f->coordinate[axis[k].along], axis[k].lo);
    rc = mw_arena_check(&mem, err);
  }
  if (rc == MW_OK) rc = mw_cmd_rom_theta(f, at, theta, err);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_rom_held_read(const mw_rom_file *f, const char *text, unsigned *held, mw_error *err)
{
  *held = (1u << f->rom.s) - 1u;
  if (text && strcmp(text, "all") == 0) {
    *held = 0;
    return MW_OK;
  }
  for (const char *p = text; p;) {
    size_t len = strcspn(p, ",");
    int i = 0;
    mw_code rc = find(f, "free", p, len, &i, err);
    if (rc != MW_OK) return rc;
    *held &= ~(1u << i);
    p = p[len] ? p + len + 1 : NULL;
  }
  return MW_OK;
}

mw_code mw_rom_kind_read(const char *text, mw_frf_kind *kind, mw_error *err)
{
  if (!text) return MW_OK;
  for (int k = MW_FRF_RECEPTANCE; k <= MW_FRF_ACCELERANCE; k++)
    if (strcmp(text, mw_frf_kind_name((mw_frf_kind)k)) == 0) {
      *kind = (mw_frf_kind)k;
      return MW_OK;
    }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--as: found \"%.64s\", expected receptance, mobility or accelerance", text);
}
