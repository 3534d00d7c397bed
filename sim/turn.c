// SPDX-License-Identifier: BSD-3-Clause
// turn.c: how far elastic bodies turn against their own frames (turn.h).
#include "sim/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Largest measured: error over deflection = SECOND φ² and LINEAR φ
static const double SECOND = 0.49, LINEAR = 0.78, ERROR = 1e-3;  // 1/rad², 1/rad, 1

double mw_turn_limit(bool linear) { return linear ? ERROR / LINEAR : sqrt(ERROR / SECOND); }

mw_code mw_run_init_turns(mw_run *r, int n_body, mw_error *err)
{
  r->turn = mw_arena_f64(&r->mem, (size_t)n_body);
  r->turn_t = mw_arena_f64(&r->mem, (size_t)n_body);
  r->linear = mw_arena_alloc(&r->mem, (size_t)n_body, sizeof *r->linear);
  r->n_body = n_body;
  return mw_arena_check(&r->mem, err);
}

void mw_run_turn(mw_run *r, int b, double t, double angle)
{
  if (!(angle > r->turn[b])) return;
  r->turn[b] = angle;
  r->turn_t[b] = t;
}

// Bodies that the model's body b was cut into (divide): their names are b's with ~2, ~3, …
static bool piece_of(const mw_model *m, int b, int whole)
{
  size_t n = strlen(m->body[whole].name);
  const char *name = m->body[b].name;
  return b == whole || (strncmp(name, m->body[whole].name, n) == 0 && name[n] == '~');
}

static const char *sentence(mw_run *r, int whole)
{
  const mw_model *m = r->model;
  int worst = whole, pieces = 0;
  for (int b = 0; b < r->n_body; b++) {
    if (!piece_of(m, b, whole)) continue;
    pieces++;
    if (r->turn[b] > r->turn[worst]) worst = b;
  }
  bool linear = r->linear[worst];
  double turn = r->turn[worst], limit = mw_turn_limit(linear);
  char remedy[160] = "make several bodies of it";
  if (!(turn > limit)) return NULL;
  if (turn <= mw_turn_limit(false))
    snprintf(remedy, sizeof remedy, "%s",
             strcmp(r->path, "full") == 0 ? "a mesh in place of matrices goes further"
                                          : "path full goes further");
  else if (m->body[whole].n_member > 0)
    snprintf(remedy, sizeof remedy, "divide: %.0f makes bodies of it that turn with it",
             ceil(turn / mw_turn_limit(false)) * pieces);
  return mw_arena_printf(&r->mem,
                         "body %s turns by %.3g rad against its frame (at %.6g s): beyond %.2g rad "
                         "%s strains err by more than %g of the deflection; %s",
                         m->body[worst].name, turn, r->turn_t[worst], limit,
                         linear ? "linear" : "its", ERROR, remedy);
}

mw_code mw_run_warn(mw_run *r, mw_error *err)
{
  r->warning = mw_arena_alloc(&r->mem, (size_t)r->n_body, sizeof *r->warning);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int b = 0; rc == MW_OK && !r->model->strain_linear && b < r->n_body; b++) {
    if (strchr(r->model->body[b].name, '~')) continue;
    const char *text = sentence(r, b);
    if (text) r->warning[r->n_warning++] = text;
  }
  return rc == MW_OK ? mw_arena_check(&r->mem, err) : rc;
}
