// SPDX-License-Identifier: BSD-3-Clause
// rigid_lockup.c: names the dead point that a prescribed coordinate has come to.
//
// Where the mechanism has one freedom with all other prescribed coordinates held, it is followed
// both ways (one_freedom.c) from where the run has stopped. Called once, when a run has failed.
#include <math.h>
#include <string.h>

#include "rigid_path_layer.h"
#include "sim/analyze.h"

static int prescribed(const mw_rigid_sim *s, int action)
{
  double y[3];
  int j = s->m->model->drive[s->sc->action[action].drive].joint;
  bool is = j >= 0 && s->m->joint[j].coord >= 0 &&
            mw_control_prescribed(s->sc, s->sc->action[action].drive, s->t, y);
  return is ? s->m->joint[j].coord : -1;
}

// Is the nearest end of where it can drive a dead point, and near at hand?
static bool at_dead_point(const mw_motion *o, double s, double *at)
{
  // of the range: adaptive methods know the state some steps before
  static const double NEAR = 0.05;
  double lo = o->lo_dead ? fabs(s - o->lo) : INFINITY, hi = o->hi_dead ? fabs(s - o->hi) : INFINITY;
  *at = lo < hi ? o->lo : o->hi;
  return fmin(lo, hi) <= NEAR * (o->hi - o->lo);
}

static bool look(const mw_rigid_sim *s, const mw_position *at, int coord, const unsigned char *held,
                 char *text, size_t size)
{
  static const double TURNS = 12.566370614359172, SIZES = 10.0;  // rad, of the size
  const mw_mech *m = s->m;
  const char *unit = mw_joint_unit(m->joint[m->coord_joint[coord]].in);
  double far = strcmp(unit, "m") == 0 ? SIZES * s->size : TURNS, dead;
  const mw_motion_opt opt = { .coord = coord, .lo = at->s[coord] - far, .hi = at->s[coord] + far };
  mw_arena mem = { 0 };
  mw_motion o;
  mw_error unused = { 0 };
  bool found = mw_motion_follow(m, at, held, &opt, &mem, &o, &unused) == MW_OK &&
               at_dead_point(&o, at->s[coord], &dead);
  if (found)
    snprintf(text, size, "; %.40s has a dead point at %.9g, it can drive from %.9g to %.9g %s",
             mw_mech_coord_name(m, coord), dead, o.lo, o.hi, unit);
  mw_arena_free(&mem);
  return found;
}

void mw_rigid_sim_name_lockup(const mw_rigid_sim *s, char *text, size_t size)
{
  const mw_mech *m = s->m;
  mw_arena mem = { 0 };
  unsigned char *held = mw_arena_alloc(&mem, (size_t)m->n_coord, 1);
  mw_position at = { mw_arena_f64(&mem, 12 * (size_t)m->n_body),
                     mw_arena_f64(&mem, (size_t)m->n_coord) };
  mw_error unused = { 0 };
  bool found = mw_arena_check(&mem, &unused) != MW_OK || m->model->n_component > 0;
  text[0] = '\0';
  if (!found) {
    memcpy(at.p, m->p0, 12 * (size_t)m->n_body * sizeof *at.p);
    mw_rigid_to_frames(s->r, s->q, at.p);
    mw_rigid_coords(s->r, s->w, s->q, NULL, at.s, NULL);
  }
  for (int i = 0; !found && i < s->sc->n_action; i++) {
    int coord = prescribed(s, i);
    memset(held, 0, (size_t)m->n_coord);
    for (int k = 0; k < s->sc->n_action; k++) {
      int other = prescribed(s, k);
      if (other >= 0 && other != coord) held[other] = 1;
    }
    if (coord >= 0) found = look(s, &at, coord, held, text, size);
  }
  mw_arena_free(&mem);
}
