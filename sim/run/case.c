// SPDX-License-Identifier: BSD-3-Clause
// case.c: a model with its bodies and mechanism.
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
  for (int k = 0; k < m->n_scenario; k++) {
    if (strcmp(m->scenario[k].name, name) == 0) {
      *out = &m->scenario[k];
      return MW_OK;
    }
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", m->scenario[k].name);
  }
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                 "there is no scenario \"%s\"; there are: %s", name,
                 m->n_scenario ? known : "none");
}

mw_code mw_theta_read(const mw_model *m, const char *text, double *theta, mw_error *err)
{
  const mw_reduction_in *in = &m->reduction;
  static const double NEAR = 1e-9;  // of the range: rounding
  bool given[MW_ROM_MAX_S] = { false };
  if (!text && in->present)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: coordinate %s is missing",
                   in->coordinate[0].name);
  if (!text) return MW_OK;
  if (!in->present)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->path },
                   "the model has no section reduction with coordinates");
  for (const char *p = text; *p;) {
    size_t len = strcspn(p, "=,");
    int i = 0;
    while (i < in->n_coordinate &&
           (strlen(in->coordinate[i].name) != len || strncmp(in->coordinate[i].name, p, len) != 0))
      i++;
    if (i == in->n_coordinate)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--at: \"%.*s\" is not a coordinate of the reduction (%s%s)", (int)len, p,
                     in->coordinate[0].name, in->n_coordinate > 1 ? ", …" : "");
    char *end = NULL;
    double v = p[len] == '=' ? strtod(p + len + 1, &end) : 0.0;
    if (!end || end == p + len + 1 || (*end != ',' && *end != '\0') || !isfinite(v))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: found \"%s\", expected %s=NUMBER", p,
                     in->coordinate[i].name);
    if (given[i])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: %s is given twice",
                     in->coordinate[i].name);
    const mw_coordinate_in *c = &in->coordinate[i];
    if (!c->cyclic && (v < c->lo - NEAR * (c->hi - c->lo) || v > c->hi + NEAR * (c->hi - c->lo)))
      return mw_fail(err, MW_ERR_INPUT, c->at, "--at: %s is %g %s, outside of its range [%g, %g]",
                     c->name, v, mw_joint_unit(&m->joint[c->joint]), c->lo, c->hi);
    given[i] = true;
    theta[i] = v;
    p = *end == ',' ? end + 1 : end;
  }
  for (int i = 0; i < in->n_coordinate; i++)
    if (!given[i])
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--at: coordinate %s is missing",
                     in->coordinate[i].name);
  return MW_OK;
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
