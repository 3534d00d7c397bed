// SPDX-License-Identifier: BSD-3-Clause
// compare_sets.c: modeway compare --sets: reduced models of several mode sets beside the full path,
// over the number of their columns. The comparison of Heirman et al. on sets of modes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_layer.h"
#include "base/folder.h"
#include "compare_sets_priv.h"
#include "reduction/reduce.h"

enum { MOST = 32 };

typedef struct mode_set {
  char name[40];
  int n_modes, columns;
  double *error;  // [n_quantity]  relative, NaN: the set has none
  double wall;    // s, of the stepping
} mode_set;

typedef struct job {
  const mw_args *a;
  const mw_case *c;
  const mw_scenario *sc;
  mw_path_opt *opt;
  mw_comparison q;  // path gmp of the set in hand, and the full one
  int n;
  mode_set set[MOST];
  mw_arena mem;
} job;

// ---- sets ---------------------------------------------------------------------------------------

static const char *const KINDS[] = { "rubin", "craig-bampton", "nopatterns", NULL };

// "rubin:4,nopatterns:8"
static mw_code read_sets(job *j, mw_error *err)
{
  for (const char *p = mw_args_value(j->a, "sets"); *p;) {
    size_t len = strcspn(p, ","), kind = strcspn(p, ":,");
    char *end = NULL;
    long n = p[kind] == ':' ? strtol(p + kind + 1, &end, 10) : 0;
    int k = 0;
    while (KINDS[k] && (strlen(KINDS[k]) != kind || strncmp(KINDS[k], p, kind) != 0)) k++;
    if (!KINDS[k] || !end || end != p + len || n < 1 || n > 1000 || j->n == MOST)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "--sets: found \"%.*s\", expected rubin:N, craig-bampton:N or nopatterns:N, N "
                     "modes, at most %d sets",
                     len < 60 ? (int)len : 60, p, (int)MOST);
    mode_set *s = &j->set[j->n++];
    snprintf(s->name, sizeof s->name, "%.*s", (int)len, p);
    s->n_modes = (int)n;
    p += len + (p[len] == ',');
  }
  return MW_OK;
}

// The model with the set in place of its own; modes by their number alone.
static void edit(const job *j, const mode_set *s, mw_case *c)
{
  mw_reduction_in *in = &c->model.reduction;
  *c = *j->c;
  c->mech.model = &c->model;
  in->n_modes = s->n_modes;
  in->count_given = true;
  in->modes_below = in->modes_band = 0.0;
  in->grid_auto = false;
  in->craig_bampton = strncmp(s->name, KINDS[1], strlen(KINDS[1])) == 0;
  if (strncmp(s->name, KINDS[2], strlen(KINDS[2])) != 0) return;
  in->pattern_outputs = in->pattern_drives = in->pattern_acceleration = false;
  in->pattern_gravity = in->pattern_dampers = false;
}

static mw_code run_set(job *j, mode_set *s, mw_error *err)
{
  mw_case c;
  mw_rom_file rom = { 0 };
  mw_reduce_opt opt = { .progress = j->opt->progress };
  mw_comparison *q = &j->q;
  edit(j, s, &c);
  mw_code rc = mw_reduce(&c.model, &c.mech, &opt, &rom, err);
  if (rc != MW_OK) return rc;
  s->columns = rom.rom.m;
  j->opt->rom = q->rom = &rom;
  rc = mw_comparison_run(q, 0, j->opt, err);
  if (rc == MW_OK) rc = mw_comparison_build(q, err);
  if (rc == MW_OK) s->wall = q->run[0].wall_s;
  s->error = rc == MW_OK ? mw_arena_f64(&j->mem, (size_t)q->n_quantity) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(&j->mem, err);
  for (int k = 0; rc == MW_OK && k < q->n_quantity; k++) s->error[k] = q->relative[k];
  mw_run_free(&q->run[0]);
  q->run[0] = (mw_run){ 0 };
  q->rom = NULL;
  mw_rom_file_free(&rom);
  return rc;
}

// ---- what was found -----------------------------------------------------------------------------

static void print_text(const job *j)
{
  const mw_comparison *q = &j->q;
  printf("%s, scenario %s: largest errors of sets of modes, relative\n\n%-24s %7s %9s",
         j->c->model.name, j->sc->name, "set", "columns", "wall, s");
  for (int k = 0; k < q->n_quantity; k++) printf(" %13.13s", q->quantity[k].name);
  printf("\n");
  for (int i = 0; i < j->n; i++) {
    printf("%-24s %7d %9.3g", j->set[i].name, j->set[i].columns, j->set[i].wall);
    for (int k = 0; k < q->n_quantity; k++)
      if (isfinite(j->set[i].error[k]))
        printf(" %13.3e", j->set[i].error[k]);
      else
        printf(" %13s", "-");
    printf("\n");
  }
}

static void print_json(const job *j)
{
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "scenario", j->sc->name);
  mw_json_array(&w, "sets");
  for (int i = 0; i < j->n; i++) {
    mw_json_object(&w, NULL);
    mw_json_str(&w, "name", j->set[i].name);
    mw_json_num(&w, "columns", j->set[i].columns);
    mw_json_num(&w, "wall_s", j->set[i].wall);
    mw_json_object(&w, "relative");
    for (int k = 0; k < j->q.n_quantity; k++)
      mw_json_num(&w, j->q.quantity[k].name, j->set[i].error[k]);
    mw_json_end(&w, '}');
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  mw_json_end(&w, '}');
}

// Errors over columns, a colour a kind of set, with the sets' names
static mw_code draw(job *j, const char *dir, mw_error *err)
{
  mw_comparison *q = &j->q;
  size_t n = (size_t)j->n, nq = (size_t)q->n_quantity;
  mw_panel *p = mw_arena_alloc(&j->mem, nq, sizeof *p);
  mw_code rc = mw_arena_check(&j->mem, err);
  int drawn = 0;
  for (size_t k = 0; rc == MW_OK && k < nq && drawn < 4; k++) {
    mw_panel *o = &p[drawn];
    double *x = mw_arena_f64(&j->mem, n), *y = mw_arena_f64(&j->mem, n), most = 0.0;
    o->dots = mw_arena_alloc(&j->mem, 1, sizeof *o->dots);
    o->note = mw_arena_alloc(&j->mem, n, sizeof *o->note);
    rc = mw_arena_check(&j->mem, err);
    int m = 0;
    for (size_t i = 0; rc == MW_OK && i < n; i++) {
      if (!isfinite(j->set[i].error[k]) || !(j->set[i].error[k] > 0.0)) continue;
      x[m] = j->set[i].columns;
      y[m] = j->set[i].error[k];
      most = fmax(most, x[m]);
      mw_note *note = &o->note[o->n_note++];
      *note = (mw_note){ .x = x[m], .y = y[m], .shape = MW_SHAPE_NONE };
      snprintf(note->text, sizeof note->text, "%s", j->set[i].name);
      m++;
    }
    if (m == 0) continue;
    *o->dots = (mw_dots){ .n = m, .x = x, .y = y, .color = "#1f4e79", .radius = 4.0 };
    o->n_dots = 1;
    o->log_y = true;
    o->x_hi = 1.2 * most;
    snprintf(o->title, sizeof o->title, "%s: largest error, relative", q->quantity[k].name);
    snprintf(o->x_label, sizeof o->x_label, "columns");
    drawn++;
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/sets.svg", dir);
  return rc == MW_OK ? mw_analysis_draw(path, drawn, p, err) : rc;
}

// ---- the command --------------------------------------------------------------------------------

mw_code mw_compare_sets(const mw_args *a, const mw_case *c, const mw_scenario *sc, mw_path_opt *opt,
                        mw_error *err)
{
  static const char *const apart[] = { "rom", "paths", "halved", "body-modes", "truncated" };
  const char *dir = mw_args_value(a, "output");
  job *j = calloc(1, sizeof *j);
  if (!j) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  *j = (job){ .a = a, .c = c, .sc = sc, .opt = opt };
  j->q = (mw_comparison){ .c = c, .sc = sc, .n_path = 2, .label = { "gmp", "full" }, .full = 1 };
  mw_code rc = read_sets(j, err);
  for (size_t i = 0; rc == MW_OK && i < sizeof apart / sizeof *apart; i++)
    if (mw_args_value(a, apart[i]))
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "found --%s beside --sets, expected one of them",
                   apart[i]);
  if (rc == MW_OK && !c->model.reduction.present)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--sets: found no section reduction in the model, whose coordinates it needs");
  if (rc == MW_OK) rc = mw_folder_make(dir, err);
  if (rc == MW_OK) rc = mw_comparison_run(&j->q, 1, opt, err);
  for (int i = 0; rc == MW_OK && i < j->n; i++) {
    rc = run_set(j, &j->set[i], err);
    mw_error why = err ? *err : (mw_error){ 0 };
    if (rc != MW_OK) rc = mw_fail(err, rc, MW_NOWHERE, "set %s: %.400s", j->set[i].name, why.msg);
  }
  if (rc == MW_OK) rc = draw(j, dir, err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(j);
  mw_comparison_free(&j->q);
  mw_arena_free(&j->mem);
  free(j);
  return rc;
}
