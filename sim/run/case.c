// SPDX-License-Identifier: BSD-3-Clause
// case.c: a model with its bodies and mechanism.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/suggest.h"
#include "sim/case.h"

mw_code mw_case_read(const char *path, mw_case *c, mw_error *err)
{
  return mw_case_read_edited(path, NULL, c, err);
}

typedef mw_code read_fn(const char *path, const mw_model_edit *edit, mw_model *out, mw_error *err);

static mw_code read_by(read_fn *read, const char *path, const mw_model_edit *edit, mw_case *c,
                       mw_error *err)
{
  mw_error e = { 0 };
  *c = (mw_case){ 0 };
  mw_code rc = read(path, edit, &c->model, &e);
  if (rc == MW_OK) c->body = mw_arena_alloc(&c->mem, (size_t)c->model.n_body, sizeof *c->body);
  if (rc == MW_OK) rc = mw_arena_check(&c->mem, &e);
  for (int b = 0; rc == MW_OK && b < c->model.n_body; b++)
    rc = mw_body_build(&c->model, b, &c->mem, &c->body[b], &e);
  if (rc == MW_OK) rc = mw_mech_build(&c->model, c->body, &c->mem, &c->mech, &e);
  if (rc == MW_OK) return MW_OK;
  mw_case_free(c);
  // an input that cannot be read is wrong input
  if (rc == MW_ERR_IO) rc = e.code = MW_ERR_INPUT;
  if (err) *err = e;
  return rc;
}

mw_code mw_case_read_edited(const char *path, const mw_model_edit *edit, mw_case *c, mw_error *err)
{
  return read_by(mw_model_read_edited, path, edit, c, err);
}

mw_code mw_case_read_middle(const char *path, const mw_model_edit *edit, mw_case *c, mw_error *err)
{
  return read_by(mw_model_read_middle, path, edit, c, err);
}

void mw_case_free(mw_case *c)
{
  mw_arena_free(&c->mem);
  mw_model_free(&c->model);
  *c = (mw_case){ 0 };
}

bool mw_file_is_netcdf(const char *path)
{
  unsigned char head[4] = { 0 };
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  bool yes =
      fread(head, 1, sizeof head, f) == sizeof head && memcmp(head, "\x89HDF", sizeof head) == 0;
  fclose(f);
  return yes;
}

int mw_mech_unknowns(const mw_mech *m)
{
  int n = m->n_coord;
  for (int b = 0; b < m->n_body; b++) n += m->body[b].n_u + (m->body[b].ground ? 0 : 12);
  return n;
}

mw_code mw_scenario_find(const mw_model *m, const char *name, const mw_scenario **out,
                         mw_error *err)
{
  char known[256] = "";
  mw_suggest near = mw_suggest_init(name);
  for (int k = 0; k < m->n_scenario; k++) {
    mw_suggest_add(&near, m->scenario[k].name);
    if (strcmp(m->scenario[k].name, name) == 0) {
      *out = &m->scenario[k];
      return MW_OK;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", m->scenario[k].name);
  }
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                 "there is no scenario \"%s\"%s%s%s; there are: %s", name,
                 near.best ? ", did you mean \"" : "", near.best ? near.best : "",
                 near.best ? "\"?" : "", m->n_scenario ? known : "none");
}

// A coordinate of a model or of a reduced one.
typedef struct axis {
  const char *name, *unit;
  double lo, hi;
  bool cyclic;
  mw_at at;
} axis;

static int axis_find(int n, const axis *a, const char *name, size_t len)
{
  int i = 0;
  while (i < n && (strlen(a[i].name) != len || strncmp(a[i].name, name, len) != 0)) i++;
  return i;
}

// One NAME=NUMBER of text, at *p, which then is behind it and its comma.
static mw_code read_one(int n, const axis *all, const char **p, bool *given, double *theta,
                        mw_error *err)
{
  static const double NEAR = 1e-9;  // of the range: rounding
  size_t len = strcspn(*p, "=,");
  int i = axis_find(n, all, *p, len);
  if (i == n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--at: \"%.*s\" is not a coordinate of the reduction (%s%s)", (int)len, *p,
                   all[0].name, n > 1 ? ", …" : "");
  const axis *a = &all[i];
  char *end = NULL;
  double v = (*p)[len] == '=' ? strtod(*p + len + 1, &end) : 0.0;
  if (!end || end == *p + len + 1 || (*end != ',' && *end != '\0') || !isfinite(v))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: found \"%s\", expected %s=NUMBER", *p,
                   a->name);
  if (given[i]) return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: %s is given twice", a->name);
  if (!a->cyclic && (v < a->lo - NEAR * (a->hi - a->lo) || v > a->hi + NEAR * (a->hi - a->lo)))
    return mw_fail(err, MW_ERR_INPUT, a->at, "--at: %s is %g%s%s, outside of its range [%g, %g]",
                   a->name, v, *a->unit ? " " : "", a->unit, a->lo, a->hi);
  given[i] = true;
  theta[i] = v;
  *p = *end == ',' ? end + 1 : end;
  return MW_OK;
}

static mw_code read_all(int n, const axis *all, const char *text, double *theta, mw_error *err)
{
  bool given[MW_ROM_MAX_S] = { false };
  mw_code rc = MW_OK;
  for (const char *p = text ? text : ""; rc == MW_OK && *p;)
    rc = read_one(n, all, &p, given, theta, err);
  for (int i = 0; rc == MW_OK && i < n; i++)
    if (!given[i])
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: coordinate %s is missing", all[i].name);
  return rc;
}

mw_code mw_theta_read(const mw_model *m, const char *text, double *theta, mw_error *err)
{
  const mw_reduction_in *in = &m->reduction;
  axis axes[MW_ROM_MAX_S];
  if (!in->present && !text) return MW_OK;
  if (!in->present)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                   "--at: found no section reduction, whose coordinates it sets; expected "
                   "reduction.coordinates, or no --at for the reference configuration");
  for (int i = 0; i < in->n_coordinate; i++) {
    const mw_coordinate_in *c = &in->coordinate[i];
    axes[i] = (axis){ c->name, mw_joint_unit(&m->joint[c->joint]), c->lo, c->hi, c->cyclic, c->at };
  }
  return read_all(in->n_coordinate, axes, text, theta, err);
}

mw_code mw_rom_theta_read(const mw_rom_file *f, const char *text, double *theta, mw_error *err)
{
  axis axes[MW_ROM_MAX_S];
  for (int i = 0; i < f->rom.s; i++)
    axes[i] = (axis){ .name = f->coordinate[i],
                      .unit = f->unit && f->unit[i] ? f->unit[i] : "",
                      .lo = f->rom.lo[i],
                      .hi = f->rom.hi[i],
                      .cyclic = (f->rom.cyclic >> i & 1u) != 0,
                      .at = MW_NOWHERE };
  return read_all(f->rom.s, axes, text, theta, err);
}

mw_code mw_rom_of_case(const mw_case *c, const char *path, mw_rom_file *out, mw_error *err)
{
  mw_rom_file f = { 0 };
  mw_code rc = mw_rom_file_read(path, &f, err);
  if (rc == MW_OK) rc = mw_rom_file_match(&f, &c->model, path, err);
  if (rc == MW_OK) rc = mw_rom_file_laws(&c->mech, &f, err);
  if (rc == MW_OK) rc = mw_rom_file_parameters(&c->model, &f, err);
  if (rc == MW_OK)
    *out = f;
  else
    mw_rom_file_free(&f);
  return rc;
}

double mw_run_real_time_factor(const mw_run *r)
{
  return r->n_t > 1 && r->wall_s > 0.0 ? (r->t[r->n_t - 1] - r->t[0]) / r->wall_s : (double)NAN;
}

double mw_run_residual(const mw_run *r)
{
  double largest = 0.0;
  for (int k = 0; k < r->n_t; k++)
    if (!(r->residual[k] <= largest)) largest = r->residual[k];
  return largest;
}
