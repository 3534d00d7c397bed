// SPDX-License-Identifier: BSD-3-Clause
// lockup.c: names dead points of coordinates, for errors of runs and reductions that they end.
//
// Where the mechanism has one freedom with all other coordinates of that kind held, it is followed
// both ways (one_freedom.c) from where it stands. Called once, when something has failed.
#include "lockup_layer.h"

#include <math.h>
#include <string.h>

#include "fem/control.h"
#include "sim/analyze.h"

static const double TURNS = 12.566370614359172, SIZES = 10.0;  // rad, of the size: looked through

static bool is_length(const mw_mech *m, int coord)
{
  return strcmp(mw_joint_unit(m->joint[m->coord_joint[coord]].in), "m") == 0;
}

static void say(const mw_mech *m, int coord, double dead, const mw_motion *o, char *text,
                size_t size)
{
  snprintf(text, size, "; %.40s has a dead point at %.9g, it can drive from %.9g to %.9g %s",
           mw_mech_coord_name(m, coord), dead, o->lo, o->hi,
           mw_joint_unit(m->joint[m->coord_joint[coord]].in));
}

static bool follow(const mw_mech *m, const mw_position *at, int coord, const unsigned char *held,
                   const double range[2], mw_arena *mem, mw_motion *o)
{
  mw_error unused = { 0 };
  const mw_motion_opt opt = { .coord = coord, .lo = range[0], .hi = range[1] };
  return mw_motion_follow(m, at, held, &opt, mem, o, &unused) == MW_OK;
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

static bool look(const mw_mech *m, const mw_position *at, int coord, const unsigned char *held,
                 char *text, size_t size)
{
  double far = is_length(m, coord) ? SIZES * mw_mech_size(m) : TURNS, dead;
  const double range[2] = { at->s[coord] - far, at->s[coord] + far };
  mw_arena mem = { 0 };
  mw_motion o;
  bool found =
      follow(m, at, coord, held, range, &mem, &o) && at_dead_point(&o, at->s[coord], &dead);
  if (found) say(m, coord, dead, &o, text, size);
  mw_arena_free(&mem);
  return found;
}

static int prescribed(const mw_mech *m, const mw_scenario *sc, int action, double t)
{
  double y[3];
  int j = m->model->drive[sc->action[action].drive].joint;
  bool is =
      j >= 0 && m->joint[j].coord >= 0 && mw_control_prescribed(sc, sc->action[action].drive, t, y);
  return is ? m->joint[j].coord : -1;
}

void mw_lockup_of_scenario(const mw_mech *m, const mw_scenario *sc, double t, const double *p,
                           const double *s, char *text, size_t size)
{
  mw_arena mem = { 0 };
  size_t nb = 12 * (size_t)m->n_body, nc = (size_t)m->n_coord;
  unsigned char *held = mw_arena_alloc(&mem, nc, 1);
  mw_position at = { mw_arena_f64(&mem, nb), mw_arena_f64(&mem, nc) };
  mw_error unused = { 0 };
  text[0] = '\0';
  bool done = mw_arena_check(&mem, &unused) != MW_OK || m->model->n_component > 0;
  if (!done) {
    memcpy(at.p, p, nb * sizeof *p);
    memcpy(at.s, s, nc * sizeof *s);
    done = mw_mech_rigid_solve(m, NULL, s, at.p, at.s, &unused) != MW_OK;
  }
  for (int i = 0; !done && i < sc->n_action; i++) {
    int coord = prescribed(m, sc, i, t);
    memset(held, 0, nc);
    for (int k = 0; k < sc->n_action; k++) {
      int other = prescribed(m, sc, k, t);
      if (other >= 0 && other != coord) held[other] = 1;
    }
    if (coord >= 0) done = look(m, &at, coord, held, text, size);
  }
  mw_arena_free(&mem);
}

// Does the range of coordinate i of the reduction go beyond a dead point?
static bool range_has(const mw_mech *m, int i, const mw_position *at, const unsigned char *held,
                      char *text, size_t size)
{
  const mw_coordinate_in *in = &m->model->reduction.coordinate[i];
  int coord = m->joint[in->joint].coord;
  double far = is_length(m, coord) ? SIZES * mw_mech_size(m) : TURNS;
  const double range[2] = { fmin(in->lo, at->s[coord]) - far, fmax(in->hi, at->s[coord]) + far };
  mw_arena mem = { 0 };
  mw_motion o;
  bool found = follow(m, at, coord, held, range, &mem, &o);
  bool lo = found && o.lo_dead && in->lo < o.lo, hi = found && o.hi_dead && in->hi > o.hi;
  if (lo || hi) say(m, coord, lo ? o.lo : o.hi, &o, text, size);
  mw_arena_free(&mem);
  return lo || hi;
}

void mw_lockup_of_range(const mw_mech *m, char *text, size_t size)
{
  const mw_reduction_in *in = &m->model->reduction;
  mw_arena mem = { 0 };
  unsigned char *held = mw_arena_alloc(&mem, (size_t)m->n_coord, 1);
  mw_position at;
  mw_error unused = { 0 };
  text[0] = '\0';
  bool done = mw_arena_check(&mem, &unused) != MW_OK || m->model->n_component > 0 ||
              mw_position_find(m, NULL, NULL, &mem, &at, &unused) != MW_OK;
  for (int i = 0; !done && i < in->n_coordinate; i++) {
    memset(held, 0, (size_t)m->n_coord);
    for (int k = 0; k < in->n_coordinate; k++)
      if (k != i) held[m->joint[in->coordinate[k].joint].coord] = 1;
    done = range_has(m, i, &at, held, text, size);
  }
  mw_arena_free(&mem);
}

mw_code mw_lockup_append(mw_code rc, const char *text, mw_error *err)
{
  if (!err || text[0] == '\0') return rc;
  size_t room = sizeof err->msg - 1, extra = strlen(text), used = strlen(err->msg);
  if (extra > room) return rc;
  if (used + extra > room) used = room - extra;
  memcpy(err->msg + used, text, extra + 1);
  return rc;
}
