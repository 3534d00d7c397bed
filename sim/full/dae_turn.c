// SPDX-License-Identifier: BSD-3-Clause
// dae_turn.c: how far elastic bodies turn against their own frames (turn.h).
#include "sim/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"

// Largest measured: error over deflection = SECOND φ² and LINEAR φ
static const double PI = 3.14159265358979323846;
static const double SECOND = 0.49, LINEAR = 0.78, ERROR = 1e-3;  // 1/rad², 1/rad, 1

double mw_turn_limit(bool linear) { return linear ? ERROR / LINEAR : sqrt(ERROR / SECOND); }

mw_code mw_run_init_turns(mw_run *r, int n_body, mw_error *err)
{
  r->turn = mw_arena_f64(&r->mem, (size_t)n_body);
  r->turn_t = mw_arena_f64(&r->mem, (size_t)n_body);
  r->spin = mw_arena_f64(&r->mem, (size_t)n_body);
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

// ω of EᵀĖ
void mw_run_spin(mw_run *r, int b, const double p[12], const double v[12])
{
  double w[3];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    w[i] = 0.0;
    for (int a = 0; a < 3; a++) w[i] += p[3 + 3 * a + k] * v[3 + 3 * a + j];
  }
  r->spin[b] = fmax(r->spin[b], mw_norm3(w));
}

double mw_spin_error(const mw_model *m, int b, double spin)
{
  const mw_body_in *in = &m->body[b];
  double lo[3] = { INFINITY, INFINITY, INFINITY }, hi[3] = { -INFINITY, -INFINITY, -INFINITY },
         slow = INFINITY, d[3];
  if (in->ground || in->n_member == 0) return 0.0;
  for (int k = 0; k < in->n_member; k++) {
    const mw_material *mat = &m->material[in->member[k].material];
    int end[2] = { in->member[k].from, in->member[k].to };
    if (mat->rho > 0.0) slow = fmin(slow, sqrt(mat->E / mat->rho));
    for (int i = 0; i < 6; i++) {
      double x = in->point[end[i / 3]].x[i % 3];
      lo[i % 3] = fmin(lo[i % 3], x);
      hi[i % 3] = fmax(hi[i % 3], x);
    }
  }
  for (int i = 0; i < 3; i++) d[i] = hi[i] - lo[i];
  double part = spin * mw_norm3(d) / (PI * slow);
  return 0.5 * part * part;
}

// Bodies that the model's body b was cut into (divide): their names are b's with ~2, ~3, …
static bool piece_of(const mw_model *m, int b, int whole)
{
  size_t n = strlen(m->body[whole].name);
  const char *name = m->body[b].name;
  return b == whole || (strncmp(name, m->body[whole].name, n) == 0 && name[n] == '~');
}

static const char *turn_sentence(mw_run *r, int whole)
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

static const char *spin_sentence(mw_run *r, int whole)
{
  const mw_model *m = r->model;
  double worst = 0.0, spin = 0.0;
  int pieces = 0;
  for (int b = 0; b < r->n_body; b++) {
    if (!piece_of(m, b, whole)) continue;
    pieces++;
    worst = fmax(worst, mw_spin_error(m, b, r->spin[b]));
    spin = fmax(spin, r->spin[b]);
  }
  if (!(worst > ERROR)) return NULL;
  return mw_arena_printf(
      &r->mem,
      "body %s turns at %.4g rad/s: moments of inertia of its sections are known "
      "to first order of their tilt, its bending frequencies err by about %.2g; "
      "divide: %.0f brings that below %g",
      m->body[whole].name, spin, worst, ceil(sqrt(worst / ERROR)) * pieces, ERROR);
}

mw_code mw_run_warn(mw_run *r, mw_error *err)
{
  for (int b = 0; b < r->n_body; b++) {
    if (strchr(r->model->body[b].name, '~')) continue;
    const char *turns = r->model->strain_linear ? NULL : turn_sentence(r, b),
               *spins = spin_sentence(r, b);
    if (turns) mw_run_add_warning(r, "%s", turns);
    if (spins) mw_run_add_warning(r, "%s", spins);
  }
  return mw_arena_check(&r->mem, err);
}
