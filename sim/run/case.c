// SPDX-License-Identifier: BSD-3-Clause
// case.c: a model with its bodies and mechanism, and its simulation by one path.
//
//   full   the bodies as they are
//   body   each elastic body on its Craig-Bampton basis (bodyreduce.h)
//   rigid  elastic bodies without unknowns: natural coordinates with integrators of their own
//          (rigidrun.h)
//   gmp    the reduced model of the whole mechanism (romrun.h)
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fem/strain.h"
#include "reduction/reduce.h"
#include "series_layer.h"
#include "sim/bodyreduce.h"
#include "sim/case.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

mw_code mw_case_read(const char *path, mw_case *c, mw_error *err)
{
  return mw_case_read_edited(path, NULL, c, err);
}

mw_code mw_case_read_edited(const char *path, const mw_model_edit *edit, mw_case *c, mw_error *err)
{
  mw_error e = { 0 };
  *c = (mw_case){ 0 };
  mw_code rc = mw_model_read_edited(path, edit, &c->model, &e);
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
  if (rc == MW_OK)
    *out = f;
  else
    mw_rom_file_free(&f);
  return rc;
}

// Modes below hz in the middle of the reduction's range, at least one.
static mw_code modes_below(const mw_case *c, double hz, int *n, mw_error *err)
{
  enum { MOST = 512 };
  const mw_reduction_in *in = &c->model.reduction;
  double theta[MW_ROM_MAX_S] = { 0 }, *found = NULL;
  mw_code rc = MW_OK;
  for (int i = 0; i < in->n_coordinate && i < MW_ROM_MAX_S; i++)
    theta[i] = 0.5 * (in->coordinate[i].lo + in->coordinate[i].hi);
  for (int k = 8; rc == MW_OK && k <= MOST; k *= 2) {
    mw_arena mem = { 0 };
    int n_found = k;
    rc = mw_direct_modes_loaded(&c->mech, theta, &n_found, MW_MODES_UNPROVED | MW_MODES_AT_MOST,
                                &mem, &found, NULL, NULL, NULL, err);
    bool enough = rc == MW_OK && (n_found < k || found[k - 1] > hz);
    for (*n = 0; rc == MW_OK && *n < n_found && found[*n] <= hz;) ++*n;
    mw_arena_free(&mem);
    if (enough) break;
  }
  if (*n < 1) *n = 1;
  return rc;
}

// How many modes damping.modal damps in the full and body paths (dae_modal.c): as many as the
// reduced model at hand has, else as its section asks for.
static mw_code modal_count(const mw_case *c, const mw_rom_file *rom, int *n, mw_error *err)
{
  const mw_reduction_in *in = &c->model.reduction;
  *n = 0;
  if (!(c->model.modal > 0.0)) return MW_OK;
  if (!in->present || in->n_coordinate > MW_ROM_MAX_S)
    return mw_fail(
        err, MW_ERR_INPUT, (mw_at){ .file = c->model.path },
        "damping.modal in a path with elastic bodies needs a section reduction, which says of "
        "which modes");
  for (int k = 0; rom && rom->column && k < rom->rom.m; k++)
    *n += strncmp(rom->column[k], "mode ", 5) == 0;
  if (*n > 0) return MW_OK;
  *n = in->n_modes;
  return *n > 0 ? MW_OK
                : modes_below(c, in->modes_below > 0.0 ? in->modes_below : in->modes_band, n, err);
}

// The bodies of a path that runs as a DAE; T [n_body] their bases where they have one
// (mw_body_basis).
static mw_code bodies_of(const mw_case *c, const char *path, const mw_path_opt *opt, mw_arena *mem,
                         mw_body *body, double **T, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < c->model.n_body; b++) {
    const mw_body *full = &c->body[b];
    if (full->n_u == 0 || strcmp(path, "full") == 0)
      body[b] = *full;
    else if (strcmp(path, "rigid") == 0)
      rc = mw_body_project(full, NULL, 0, mem, &body[b], err);
    else
      rc = mw_body_basis(full, opt->body_modes, opt->truncated, mem, &body[b], &T[b], err);
  }
  return rc;
}

// A note on the elastic bodies whose strains are linear though the model does not ask for it:
// projected ones, matrices of other programs.
static mw_code note_linear(const mw_case *c, mw_run *r, mw_error *err)
{
  bool projected = strcmp(r->path, "body") == 0;
  const char *names = NULL;
  if (c->model.strain_linear || (!projected && strcmp(r->path, "full") != 0)) return MW_OK;
  for (int b = 0; b < c->model.n_body; b++) {
    const mw_body *body = &c->body[b];
    if (body->n_u == 0 || (!projected && mw_body_has_stress(body))) continue;
    names = names ? mw_arena_printf(&r->mem, "%s, %s", names, body->name) : body->name;
    if (!names) break;
  }
  if (names)
    r->note[r->n_note++] = mw_arena_printf(
        &r->mem,
        "strains are linear in %s (%s): what weight, other loads and rotation stiffen or soften "
        "is not known",
        names, projected ? "bases know no others" : "matrices of another program");
  return mw_arena_check(&r->mem, err);
}

static mw_code run_rigid(const mw_mech *mech, const mw_scenario *sc, const mw_path_opt *opt,
                         mw_run *out, mw_error *err)
{
  mw_rigid_run_opt o = mw_rigid_run_opt_default(sc);
  if (opt->step > 0.0) o.step = opt->step;
  if (opt->rigid) o.rigid = *opt->rigid;
  if (opt->series) o.watch = &opt->series->watch;
  return mw_rigid_run(mech, sc, &o, opt->progress, out, err);
}

mw_code mw_path_run(const mw_case *c, const mw_scenario *sc, const char *path,
                    const mw_path_opt *opt, mw_run *out, mw_error *err)
{
  if (strcmp(path, "gmp") == 0) {
    const mw_rom_run_opt o = { .step = opt->step,
                               .method = opt->method ? *opt->method : MW_ROM_N_METHOD,
                               .watch = opt->series ? &opt->series->watch : NULL };
    return mw_rom_run_by(&c->model, &c->mech, opt->rom, sc, &o, opt->progress, out, err);
  }
  mw_arena mem = { 0 };
  mw_mech mech = { 0 };
  mw_dae_opt dae = mw_dae_opt_default();
  dae.step = opt->step;
  dae.controller = opt->controller;
  size_t nb = (size_t)c->model.n_body;
  mw_body *body = mw_arena_alloc(&mem, nb, sizeof *body);
  double **T = mw_arena_alloc(&mem, nb, sizeof *T);
  int *n_basis = mw_arena_int(&mem, nb);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && strcmp(path, "rigid") != 0) rc = modal_count(c, opt->rom, &dae.n_modal, err);
  if (rc == MW_OK) rc = bodies_of(c, path, opt, &mem, body, T, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) n_basis[b] = body[b].n_u;
  if (opt->series) {
    dae.watch = &opt->series->watch;
    opt->series->T = T;
    opt->series->n_basis = n_basis;
  }
  if (rc == MW_OK) rc = mw_mech_build(&c->model, body, &mem, &mech, err);
  if (rc == MW_OK && strcmp(path, "rigid") == 0)
    rc = run_rigid(&mech, sc, opt, out, err);
  else if (rc == MW_OK)
    rc = mw_dae_run(&mech, sc, path, &dae, opt->progress, out, err);
  if (opt->series) opt->series->T = NULL;
  mw_arena_free(&mem);
  if (rc != MW_OK) return rc;
  rc = note_linear(c, out, err);
  if (rc != MW_OK) mw_run_free(out);
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
