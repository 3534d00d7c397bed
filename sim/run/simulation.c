// SPDX-License-Identifier: BSD-3-Clause
// simulation.c: the simulation of a scenario by one path, as a whole or step by step.
//
//   full   the bodies as they are
//   body   each elastic body on its Craig-Bampton basis (bodyreduce.h)
//   rigid  elastic bodies without unknowns: natural coordinates with integrators of their own
//          (rigidrun.h)
//   gmp    the reduced model of the whole mechanism (romrun.h)
//
// A saved state: head, then the pieces of the loop, the series and the path, one after the other.
// Without those of the path where its method or a unit of another program keeps them to itself:
// restored, the run is taken again up to there, and compared with what was stored.
#include "sim/simulation.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "fem/strain.h"
#include "loop_layer.h"
#include "modestart_layer.h"
#include "reduction/reduce.h"
#include "series_layer.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"

struct mw_sim {
  const mw_case *c;       // borrowed
  const mw_scenario *sc;  // borrowed
  mw_series *series;      // borrowed; NULL: none
  const mw_path *path;
  mw_mech mech;  // of bodies as the path takes them, but for gmp
  mw_dae_opt dae;
  mw_rigid_run_opt rigid;
  mw_rom_run_opt rom;
  mw_loop loop;
  bool open;      // loop
  bool finished;  // its run is the caller's
  mw_arena mem;
};

static const mw_path *const paths[] = { &mw_path_full, &mw_path_body, &mw_path_rigid,
                                        &mw_path_gmp };

// ---- bodies -------------------------------------------------------------------------------------

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
  const mw_basis_opt basis = { opt->body_modes, opt->truncated, opt->progress };
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < c->model.n_body; b++) {
    const mw_body *full = &c->body[b];
    if (full->n_u == 0 || strcmp(path, "full") == 0)
      body[b] = *full;
    else if (strcmp(path, "rigid") == 0)
      rc = mw_body_project(full, NULL, 0, mem, &body[b], err);
    else
      rc = mw_body_basis_by(full, &basis, mem, &body[b], &T[b], err);
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
    mw_run_add_note(
        r,
        "strains are linear in %s (%s): what weight, other loads and rotation stiffen or soften "
        "is not known",
        names, projected ? "bases know no others" : "matrices of another program");
  return mw_arena_check(&r->mem, err);
}

// Path rigid leaves modes out, yet those that there are none of are wrong in it as in the others.
static mw_code check_modes(const mw_case *c, const mw_scenario *sc, mw_error *err)
{
  const mw_reduction_in *in = &c->model.reduction;
  double theta[MW_ROM_MAX_S] = { 0.0 };
  int n = 0;
  if (sc->n_mode_start == 0) return MW_OK;
  for (int i = 0; i < in->n_coordinate && i < MW_ROM_MAX_S; i++)
    theta[i] = c->mech.s0[c->mech.joint[in->coordinate[i].joint].coord];
  mw_code rc = mw_direct_motions(&c->mech, theta, &n, err);
  return rc == MW_OK ? mw_mode_start_check(sc, n, err) : rc;
}

// A note on an elastic start that the rigid path leaves out.
static mw_code note_unbent(const mw_scenario *sc, mw_run *r, mw_error *err)
{
  if (sc->n_mode_start + sc->n_load_start == 0 || strcmp(r->path, "rigid") != 0) return MW_OK;
  mw_run_add_note(r, "the scenario's elastic start is left out: bodies of path rigid do not bend");
  return mw_arena_check(&r->mem, err);
}

static mw_code note_laws(const mw_rom_file *rom, mw_run *r, mw_error *err)
{
  if (strcmp(r->path, "gmp") != 0) return MW_OK;
  if (rom->law_note) mw_run_add_note(r, "%s", rom->law_note);
  if (rom->parameter_note) mw_run_add_note(r, "%s", rom->parameter_note);
  return mw_arena_check(&r->mem, err);
}

// ---- opening ------------------------------------------------------------------------------------

// Bodies and options of a path that has bodies.
static mw_code take_bodies(mw_sim *s, const mw_path_opt *opt, mw_error *err)
{
  const mw_case *c = s->c;
  const char *path = s->path->name;
  size_t nb = (size_t)c->model.n_body;
  mw_body *body = mw_arena_alloc(&s->mem, nb, sizeof *body);
  double **T = mw_arena_alloc(&s->mem, nb, sizeof *T);
  int *n_basis = mw_arena_int(&s->mem, nb);
  mw_code rc = mw_arena_check(&s->mem, err);
  if (rc == MW_OK && s->path != &mw_path_rigid) rc = modal_count(c, opt->rom, &s->dae.n_modal, err);
  if (rc == MW_OK) rc = bodies_of(c, path, opt, &s->mem, body, T, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) n_basis[b] = body[b].n_u;
  if (s->series) {
    s->series->T = T;
    s->series->n_basis = n_basis;
  }
  return rc == MW_OK ? mw_mech_build(&c->model, body, &s->mem, &s->mech, err) : rc;
}

static mw_code open_loop(mw_sim *s, const mw_path_opt *opt, mw_error *err)
{
  const mw_watch *watch = s->series ? &s->series->watch : NULL;
  bool gmp = s->path == &mw_path_gmp, rigid = s->path == &mw_path_rigid;
  s->dae = mw_dae_opt_default();
  s->dae.controller = opt->controller;
  s->rigid = mw_rigid_run_opt_default(s->sc);
  if (opt->rigid) s->rigid.rigid = *opt->rigid;
  s->rigid.team = opt->team;
  s->rom.method = opt->method ? *opt->method : MW_ROM_N_METHOD;
  mw_code rc = gmp ? MW_OK : take_bodies(s, opt, err);
  if (rc == MW_OK && rigid) rc = check_modes(s->c, s->sc, err);
  if (rc != MW_OK) return rc;
  const mw_path_in in = { .model = &s->c->model,
                          .mech = gmp ? &s->c->mech : &s->mech,
                          .sc = s->sc,
                          .name = s->path->name,
                          .step = opt->step > 0.0 ? opt->step : s->sc->step,
                          .opt = gmp     ? (const void *)&s->rom
                                 : rigid ? (const void *)&s->rigid
                                         : (const void *)&s->dae,
                          .rom = opt->rom };
  rc = mw_loop_open(s->path, &in, watch, opt->progress, &s->loop, err);
  s->open = rc == MW_OK;
  return rc;
}

mw_code mw_sim_open(const mw_case *c, const mw_scenario *sc, const char *path,
                    const mw_path_opt *opt, mw_sim **out, mw_error *err)
{
  mw_sim *s = calloc(1, sizeof *s);
  if (!s) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  s->c = c;
  s->sc = sc;
  s->series = opt->series;
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    if (strcmp(paths[i]->name, path) == 0) s->path = paths[i];
  mw_code rc = s->path ? open_loop(s, opt, err)
                       : mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                                 "path: found \"%s\", expected full, body, rigid or gmp", path);
  if (rc == MW_OK)
    *out = s;
  else
    mw_sim_close(s);
  return rc;
}

void mw_sim_close(mw_sim *s)
{
  if (!s) return;
  if (s->open) mw_loop_close(&s->loop);
  if (s->series) s->series->T = NULL;
  mw_arena_free(&s->mem);
  free(s);
}

// ---- steps --------------------------------------------------------------------------------------

double mw_sim_time(const mw_sim *s) { return s->loop.t; }

bool mw_sim_ended(const mw_sim *s) { return mw_loop_ended(&s->loop); }

bool mw_sim_stored(const mw_sim *s) { return mw_loop_stored(&s->loop); }

void mw_sim_coords(mw_sim *s, double *coord) { s->path->coords(s->loop.p, coord); }

mw_code mw_sim_step(mw_sim *s, mw_error *err)
{
  if (mw_sim_ended(s))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the run has ended at t = %g s", s->loop.t);
  return mw_loop_step(&s->loop, err);
}

mw_code mw_sim_finish(mw_sim *s, mw_run *out, mw_error *err)
{
  if (s->finished || !mw_sim_ended(s))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the run %s at t = %g s, expected its end",
                   s->finished ? "was finished" : "is", s->loop.t);
  mw_code rc = mw_loop_finish(&s->loop, out, err);
  if (rc != MW_OK) return rc;
  s->finished = true;
  rc = note_linear(s->c, out, err);
  if (rc == MW_OK) rc = note_unbent(s->sc, out, err);
  if (rc == MW_OK) rc = note_laws(s->loop.in.rom, out, err);
  if (rc != MW_OK) mw_run_free(out);
  return rc;
}

mw_code mw_path_run(const mw_case *c, const mw_scenario *sc, const char *path,
                    const mw_path_opt *opt, mw_run *out, mw_error *err)
{
  mw_sim *s = NULL;
  mw_code rc = mw_sim_open(c, sc, path, opt, &s, err);
  while (rc == MW_OK && !mw_sim_ended(s)) rc = mw_loop_advance(&s->loop, err);
  if (rc == MW_OK) rc = mw_sim_finish(s, out, err);
  mw_sim_close(s);
  return rc;
}

// ---- state --------------------------------------------------------------------------------------

enum { DIGEST = 32, PARTS = MW_LOOP_PARTS + MW_RUN_PARTS + MW_PATH_PARTS };

typedef struct head {
  char magic[8];
  uint64_t bytes;          // of all of it
  uint64_t taken_again;    // 1: without pieces of the path, whose method keeps what is not ours
  double t;                // s
  uint8_t key[DIGEST];     // of model, scenario, path, step and sizes
  uint8_t digest[DIGEST];  // of the pieces
} head;
static const char MAGIC[8] = "mwstate2";

// The pieces of loop and series, and where asked for those of the path; their number, -1: it has
// none.
static int all_parts(mw_sim *s, bool path, mw_part *part)
{
  int n = mw_loop_parts(&s->loop, part);
  n += mw_run_parts(s->loop.r, part + n);
  int more = path ? s->path->parts(s->loop.p, part + n) : 0;
  return more < 0 ? -1 : n + more;
}

// The pieces that are saved; *again: without those of the path.
static int saved_parts(mw_sim *s, mw_part *part, bool *again)
{
  int n = s->sc->n_unit > 0 ? -1 : all_parts(s, true, part);
  *again = n < 0;
  return n < 0 ? all_parts(s, false, part) : n;
}

static void key_of(const mw_sim *s, const mw_part *part, int n, uint8_t key[DIGEST])
{
  mw_sha256 sum;
  mw_sha256_init(&sum);
  mw_sha256_add(&sum, s->c->model.hash, strlen(s->c->model.hash));
  mw_sha256_add(&sum, s->sc->hash, strlen(s->sc->hash));
  for (int j = 0; j < s->c->model.n_joint; j++) {  // what the hash leaves out
    const mw_joint_in *in = &s->c->model.joint[j];
    const mw_law *l = &in->law;
    const double kept[] = {
      in->coordinate_damping, l->coulomb, l->stiction, l->stribeck, l->smooth, l->lo, l->hi,
      l->stiffness,           l->damping, l->soft,     l->play
    };
    mw_sha256_add(&sum, kept, sizeof kept);
  }
  mw_sha256_add(&sum, s->path->name, strlen(s->path->name));
  mw_sha256_add(&sum, &s->loop.in.step, sizeof s->loop.in.step);
  for (int i = 0; i < n; i++) mw_sha256_add(&sum, &part[i].bytes, sizeof part[i].bytes);
  mw_sha256_end(&sum, key);
}

static size_t bytes_of(const mw_part *part, int n)
{
  size_t sum = sizeof(head);
  for (int i = 0; i < n; i++) sum += part[i].bytes;
  return sum;
}

static void digest_of(const void *state, size_t bytes, uint8_t digest[DIGEST])
{
  mw_sha256 sum;
  mw_sha256_init(&sum);
  mw_sha256_add(&sum, (const char *)state + sizeof(head), bytes - sizeof(head));
  mw_sha256_end(&sum, digest);
}

size_t mw_sim_bytes(mw_sim *s)
{
  mw_part part[PARTS];
  bool again;
  if (s->finished) return 0;
  int n = saved_parts(s, part, &again);
  return bytes_of(part, n);
}

static mw_code finished(const mw_sim *s, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the run was finished at t = %g s", s->loop.t);
}

mw_code mw_sim_save(mw_sim *s, void *state, mw_error *err)
{
  mw_part part[PARTS];
  bool again;
  if (s->finished) return finished(s, err);
  int n = saved_parts(s, part, &again);
  if (!mw_sim_stored(s))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the run is at t = %.9g s, expected an instant that is stored", s->loop.t);
  head h = { .bytes = bytes_of(part, n), .taken_again = again, .t = s->loop.t };
  char *to = (char *)state + sizeof h;
  for (int i = 0; i < n; to += part[i++].bytes)
    if (part[i].bytes > 0) memcpy(to, part[i].at, part[i].bytes);
  memcpy(h.magic, MAGIC, sizeof h.magic);
  key_of(s, part, n, h.key);
  digest_of(state, h.bytes, h.digest);
  memcpy(state, &h, sizeof h);
  return MW_OK;
}

// Says what is wrong with a state; part [n] as it needs them.
static mw_code check_state(mw_sim *s, const void *state, size_t bytes, const mw_part *part, int n,
                           mw_error *err)
{
  head h;
  uint8_t key[DIGEST], digest[DIGEST];
  memcpy(&h, state, sizeof h);
  key_of(s, part, n, key);
  if (memcmp(h.key, key, sizeof key) != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the state is that of another run, expected scenario %s by path %s in steps of "
                   "%g s of this model",
                   s->sc->name, s->path->name, s->loop.in.step);
  if (h.bytes == bytes && bytes == bytes_of(part, n)) digest_of(state, bytes, digest);
  if (h.bytes != bytes || memcmp(h.digest, digest, sizeof digest) != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the state is damaged: its digest is not that of its %zu bytes", bytes);
  return MW_OK;
}

// Steps a run to where a state was saved whose method cannot be put there: CVODE and IDA keep
// their history to themselves. What it stored has to be what the state says, all but the time it
// took.
static mw_code take_again(mw_sim *s, const head *h, const void *state, const mw_part *part, int n,
                          mw_error *err)
{
  mw_code rc = MW_OK;
  if (s->loop.t > h->t)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the run is at t = %.9g s, beyond the state's %.9g s: expected one newly opened",
                   s->loop.t, h->t);
  while (rc == MW_OK && s->loop.t < h->t && !mw_sim_ended(s)) rc = mw_loop_step(&s->loop, err);
  const char *from = (const char *)state + sizeof *h;
  bool same = true;
  for (int i = 0; i < n; from += part[i++].bytes)
    if (part[i].bytes > 0 && part[i].at != (const void *)&s->loop.r->wall_s)
      same = same && memcmp(part[i].at, from, part[i].bytes) == 0;
  if (rc != MW_OK || same) return rc;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "taken again to t = %.9g s the run is not the one that was saved: another build?",
                 s->loop.t);
}

mw_code mw_sim_restore(mw_sim *s, const void *state, size_t bytes, mw_error *err)
{
  mw_part part[PARTS];
  head h;
  if (s->finished) return finished(s, err);
  if (bytes >= sizeof h) memcpy(&h, state, sizeof h);
  if (bytes < sizeof h || memcmp(h.magic, MAGIC, sizeof h.magic) != 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "this is not the state of a run");
  int n = all_parts(s, h.taken_again == 0, part);
  if (n < 0)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the run has gone over to cvode: expected one newly opened");
  mw_code rc = check_state(s, state, bytes, part, n, err);
  if (rc != MW_OK) return rc;
  if (h.taken_again == 1) return take_again(s, &h, state, part, n, err);
  const char *from = (const char *)state + sizeof h;
  for (int i = 0; i < n; from += part[i++].bytes)
    if (part[i].bytes > 0) memcpy(part[i].at, from, part[i].bytes);
  return s->path->resume(s->loop.p, err);
}
