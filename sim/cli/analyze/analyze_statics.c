// SPDX-License-Identifier: BSD-3-Clause
// analyze_statics.c: modeway analyze MODEL statics: equilibria, stability, load paths.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"

typedef struct job {
  mw_case c;
  mw_position at;
  mw_statics_in in;
  mw_equilibria e;
  mw_load_path path;
  bool followed;  // path, else e
} job;

// ---- text and JSON ------------------------------------------------------------------------------

static void print_equilibria(const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_equilibria *o = &j->e;
  printf("%s: %d %s, %d %s\n", m->model->name, o->n, o->n == 1 ? "equilibrium" : "equilibria", o->k,
         o->k == 1 ? "freedom" : "freedoms");
  for (int i = 0; i < o->n; i++) {
    const mw_equilibrium *e = &o->at[i];
    printf("%3d  %-12s", i + 1, mw_stability_name(e->kind));
    mw_print_coordinates(m, e->s);
    printf("\n     omega^2, 1/s2:");
    for (int k = 0; k < o->k; k++) printf(" %.9g", e->mu[k]);
    printf("\n");
  }
  if (o->n_start > 0)
    printf("of %d random starts and the position %d led to one that was known, %d to none\n",
           o->n_start, o->n_same, o->n_lost);
}

static void print_path(const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_load_path *o = &j->path;
  printf("%s: %d equilibria over the factor, from %.9g to %.9g; the end: %s\n", m->model->name,
         o->n, o->factor[0], o->factor[o->n - 1], o->end);
  printf("%12s %14s %10s  coordinates\n", "factor", "least omega^2", "unstable");
  int every = o->n > 20 ? o->n / 20 : 1;
  for (int i = 0; i < o->n; i++) {
    if (i % every != 0 && i != o->n - 1) continue;
    printf("%12.7g %14.7g %10d  ", o->factor[i], o->mu[i], o->n_unstable[i]);
    mw_print_coordinates(m, o->s + i * m->n_coord);
    printf("\n");
  }
  for (int i = 0; i < o->n_critical; i++) {
    const mw_critical *k = &o->critical[i];
    printf("%s at the factor %.12g: ", mw_critical_name(k->kind), k->factor);
    mw_print_coordinates(m, k->s);
    printf("\n");
    printf("    gives way along");
    for (int c = 0; c < m->n_coord; c++) printf(" %s %.9g", mw_mech_coord_name(m, c), k->mode[c]);
    printf("\n");
  }
  if (o->n_critical == 0) printf("no critical point\n");
}

static void print_text(const void *of)
{
  const job *j = of;
  (j->followed ? print_path : print_equilibria)(j);
}

static void json_coordinates(mw_json *w, const mw_mech *m, const char *key, const double *s)
{
  mw_json_object(w, key);
  for (int c = 0; c < m->n_coord; c++) mw_json_num(w, mw_mech_coord_name(m, c), s[c]);
  mw_json_end(w, '}');
}

static void json_equilibria(mw_json *w, const job *j)
{
  const mw_equilibria *o = &j->e;
  mw_json_array(w, "equilibria");
  for (int i = 0; i < o->n; i++) {
    mw_json_object(w, NULL);
    json_coordinates(w, &j->c.mech, "at", o->at[i].s);
    mw_json_str(w, "stability", mw_stability_name(o->at[i].kind));
    mw_json_num(w, "unstable", o->at[i].n_unstable);
    mw_json_array(w, "omega2");
    for (int k = 0; k < o->k; k++) mw_json_num(w, NULL, o->at[i].mu[k]);
    mw_json_end(w, ']');
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
  mw_json_num(w, "starts", o->n_start);
  mw_json_num(w, "known", o->n_same);
  mw_json_num(w, "without", o->n_lost);
}

static void json_path(mw_json *w, const job *j)
{
  const mw_mech *m = &j->c.mech;
  const mw_load_path *o = &j->path;
  mw_json_array(w, "path");
  for (int i = 0; i < o->n; i++) {
    mw_json_object(w, NULL);
    mw_json_num(w, "factor", o->factor[i]);
    json_coordinates(w, m, "at", o->s + i * m->n_coord);
    mw_json_num(w, "least_omega2", o->mu[i]);
    mw_json_num(w, "unstable", o->n_unstable[i]);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
  mw_json_array(w, "critical");
  for (int i = 0; i < o->n_critical; i++) {
    const mw_critical *k = &o->critical[i];
    mw_json_object(w, NULL);
    mw_json_str(w, "kind", mw_critical_name(k->kind));
    mw_json_num(w, "factor", k->factor);
    json_coordinates(w, m, "at", k->s);
    json_coordinates(w, m, "mode", k->mode);
    mw_json_end(w, '}');
  }
  mw_json_end(w, ']');
  mw_json_str(w, "end", o->end);
}

static void print_json(const void *of)
{
  const job *j = of;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", j->c.model.name);
  (j->followed ? json_path : json_equilibria)(&w, j);
  mw_json_end(&w, '}');
}

// ---- command ------------------------------------------------------------------------------------

static mw_code read_all(const mw_args *a, job *j, mw_error *err)
{
  const mw_mech *m = &j->c.mech;
  mw_arena *mem = &j->c.mem;
  unsigned char *held = mw_arena_alloc(mem, (size_t)m->n_coord, 1);
  double *force = mw_arena_f64(mem, (size_t)j->c.model.n_drive);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_args_position(a, m, mem, &j->at, err);
  if (rc == MW_OK) rc = mw_args_coordinates(a, "hold", m, held, NULL, err);
  if (rc == MW_OK) rc = mw_args_drives(a, "force", &j->c.model, force, err);
  j->in = (mw_statics_in){ &j->at, held, force, mw_args_value(a, "weight") != NULL, 1.0 };
  return rc;
}

static mw_code along(const mw_args *a, job *j, mw_error *err)
{
  mw_load_path_opt opt = { 0 };
  if (mw_args_value(a, "starts"))
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "found --starts beside --factor, whose path has one start; expected one of them");
  if (!j->in.weight && !mw_args_value(a, "force"))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--factor: found no --force and no --weight, expected what the factor takes");
  mw_code rc = mw_args_range(a, "factor", &opt.lo, &opt.hi, err);
  if (rc == MW_OK) rc = mw_args_f64(a, "step", 1e-4, 0.2, &opt.step, err);
  if (rc == MW_OK) rc = mw_args_int(a, "points", 2, 100000, &opt.most, err);
  if (rc == MW_OK) rc = mw_load_path_follow(&j->c.mech, &j->in, &opt, &j->c.mem, &j->path, err);
  j->followed = true;
  return rc;
}

static mw_code equilibria(const mw_args *a, job *j, mw_error *err)
{
  static const char *const apart[] = { "weight", "step", "points" };
  int n = 0;
  for (int i = 0; i < 3; i++)
    if (mw_args_value(a, apart[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "--%s belongs to --factor LO,HI", apart[i]);
  mw_code rc = mw_args_int(a, "starts", 0, 100000, &n, err);
  return rc == MW_OK ? mw_equilibria_find(&j->c.mech, &j->in, n, &j->c.mem, &j->e, err) : rc;
}

static mw_code work(const mw_args *a, void *of, mw_error *err)
{
  job *j = of;
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  mw_code rc = read_all(a, j, err);
  if (rc == MW_OK) rc = mw_args_value(a, "factor") ? along(a, j, err) : equilibria(a, j, err);
  const mw_equilibria *e = j->followed ? NULL : &j->e;
  const mw_load_path *path = j->followed ? &j->path : NULL;
  if (rc == MW_OK && out) rc = mw_statics_write(&j->c.mech, e, path, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_statics_picture(&j->c.mech, e, path, picture, err);
  return rc;
}

// Elastic bodies print for themselves.
static int run_elastic(const mw_args *a)
{
  job j = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_args_case(a, a->operand, &j.c, NULL, &err);
  if (rc != MW_OK) return mw_cmd_fail(&err);
  rc = read_all(a, &j, &err);
  if (rc == MW_OK)
    rc = mw_analyze_elastic(a, &j.c.mech, &j.at, j.in.held, j.in.force, &j.c.mem, &err);
  mw_case_free(&j.c);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

static int run(const mw_args *a)
{
  job j = { 0 };
  if (mw_args_value(a, "elastic")) return run_elastic(a);
  return mw_topic_run(a, &(mw_topic_work){ &j, &j.c, work, print_json, print_text });
}

const mw_topic mw_topic_statics = {
  .name = "statics",
  .summary = "equilibria and their stability; load paths through folds, critical loads",
  .doc =
      "Equilibria of the rigid mechanism under weight, springs, forces of the model and --force\n"
      "of drives, elastic runners and bearings free, without dry friction and stops: the one that\n"
      "Newton's method finds from --at, and those from --starts random positions (the same every\n"
      "time) that the mechanism moves to: where joints close in other ways, too (kinematics\n"
      "--starts), those are left out; bodies of the model placed near them give theirs. omega^2\n"
      "are eigenvalues of M^-1 K, K the tangent stiffness with loads: all above 0 is stable,\n"
      "complex ones flutter.\n"
      "--factor follows equilibria from the factor 0 (or LO) upwards as --force, with --weight\n"
      "gravity too, are times the factor: through folds, where the mechanism snaps through, and\n"
      "straight on at branches, where it buckles; both are located, with the direction in which\n"
      "it gives way. --step: of coordinates (rad, m over the size) and the factor (over its\n"
      "range). --points: at most so many (2000).\n"
      "--elastic: bodies bend, with strains of second order; coordinates are held as far as they\n"
      "would move freely. Positions of outputs at --points factors (11) of the range, else under\n"
      "the forces as they are; the factors of --force, with --weight of gravity too, at which the\n"
      "machine buckles, by the stress it has before it bends. Equilibria of bodies at rest that\n"
      "no joint holds are stable, or unstable in so many directions, by the tangent stiffness\n"
      "there.\n\n"
      "--json: {\"name\", \"equilibria\": [{\"at\": {COORDINATE: m or rad}, \"stability\":\n"
      "  stable, unstable, indifferent or flutter, \"unstable\": eigenvalues below 0,\n"
      "  \"omega2\": 1/s2}], \"starts\", \"known\", \"without\": starts that led to one that was\n"
      "  known, to none}; with --factor {\"name\", \"path\": [{\"factor\", \"at\",\n"
      "  \"least_omega2\", \"unstable\"}], \"critical\": [{\"kind\": fold or branch, \"factor\",\n"
      "  \"at\", \"mode\": rates}], \"end\"}; with --elastic {\"name\", \"held\": [..],\n"
      "  \"equilibria\": [{\"factor\", \"at\", \"potential\": J, \"turn\": rad,\n"
      "  \"unstable\": directions, where \"not_judged\" does not say why not, \"outputs\":\n"
      "  {OUTPUT: {\"position\", \"displacement\": m}}}], \"critical_left\": what another step\n"
      "  would change factors by, rounding, \"critical\": [{\"factor\", \"beyond\": --factor,\n"
      "  \"outputs\": {OUTPUT: what it moves by}}], \"end\", \"left_out\": why none were sought}\n",
  .options = " at hold force factor elastic weight starts step points output picture ",
  .run = run,
};
