// SPDX-License-Identifier: BSD-3-Clause
// rigid_carried.c: coordinates that only deflections inside of a component let move.
//
// A component by a reduced model moves far along its coordinates θ, whatever carries it; other
// motions are deflections δ. With δ = 0 (kinematics), a rate of 1 at coordinate c of the machine,
// as far as all rows take it, gives
//
//   ṡ_c = 0 with the component ,   ṡ_c = 1 without the rows of the joints that hold it      (1)
//
// where the component is what holds c. Cost: two kinematics a driven coordinate and component.
#include <math.h>
#include <string.h>

#include "fem/control.h"
#include "fem/rigid.h"
#include "reduction/flexible.h"
#include "rigid_carried_layer.h"

typedef struct carried {
  const mw_mech *m;
  const mw_scenario *sc;
  double *p, *s;                    // [n_body × 12], [n_coord]  the reference configuration
  unsigned char *loose, *left_out;  // [n_joint]  springs that hold nothing; and the joints of (1)
  unsigned char *held;              // [n_coord]
  double *rate;                     // [n_coord]
  mw_arena mem;
} carried;

static mw_code prepare(carried *k, mw_error *err)
{
  const mw_mech *m = k->m;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, nj = (size_t)m->n_joint;
  k->p = mw_arena_f64(&k->mem, 12 * nb);
  k->s = mw_arena_f64(&k->mem, nc);
  k->rate = mw_arena_f64(&k->mem, nc);
  k->held = mw_arena_alloc(&k->mem, nc, 1);
  k->loose = mw_arena_alloc(&k->mem, nj, 1);
  k->left_out = mw_arena_alloc(&k->mem, nj, 1);
  mw_code rc = mw_arena_check(&k->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(k->p, m->p0, 12 * nb * sizeof *k->p);
  memcpy(k->s, m->s0, nc * sizeof *k->s);
  if (m->model->assemble) rc = mw_mech_rigid_solve(m, NULL, m->s0, k->p, k->s, err);
  return rc == MW_OK ? mw_mech_loose_springs(m, NULL, k->loose, err) : rc;
}

// Rate of coordinate c where 1 is asked for, with the rows in k->left_out left out.
static mw_code rate_of(carried *k, int c, double *out, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_rigid *r = NULL;
  mw_rigid_work *w = NULL;
  mw_arena tmp = { 0 };
  memset(k->held, 0, (size_t)k->m->n_coord);
  memset(k->rate, 0, (size_t)k->m->n_coord * sizeof *k->rate);
  k->held[c] = 1;
  k->rate[c] = 1.0;
  opt.locked = k->held;
  opt.left_out = k->left_out;
  opt.kinematics = opt.soft_is_rigid = opt.components = true;
  mw_code rc = mw_rigid_build(k->m, &opt, &r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(r, &w, err);
  if (rc == MW_OK) {
    mw_rigid_size n = mw_rigid_sizes(r);
    double *q = mw_arena_f64(&tmp, (size_t)n.n_q), *v = mw_arena_f64(&tmp, (size_t)n.n_q),
           *s = mw_arena_f64(&tmp, 2 * (size_t)n.n_coord);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) {
      mw_rigid_from_frames(r, k->p, q);
      mw_rigid_accept_coords(r, w, k->s);
      mw_rigid_hold(r, w, k->s, k->rate);
      rc = mw_rigid_project_v(r, w, 0.0, q, v, true, err);
    }
    if (rc == MW_OK) {
      mw_rigid_coords(r, w, q, v, s, s + n.n_coord);
      *out = s[n.n_coord + c];
    }
  }
  mw_arena_free(&tmp);
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  return rc;
}

// The component by a reduced model that holds coordinate c by (1), NULL: none.
static mw_code holder_of(carried *k, int c, const mw_component_use **out, mw_error *err)
{
  const mw_mech *m = k->m;
  double with = 1.0;
  *out = NULL;
  memcpy(k->left_out, k->loose, (size_t)m->n_joint);
  mw_code rc = rate_of(k, c, &with, err);
  for (int i = 0; rc == MW_OK && fabs(with) < 0.5 && i < m->model->n_component; i++) {
    const mw_component_use *u = &m->model->component[i];
    double without = 0.0;
    if (u->size.n_state == 0) continue;
    memcpy(k->left_out, k->loose, (size_t)m->n_joint);
    for (int j = 0; j < m->n_joint; j++)
      if (mw_model_component_of(m->model, m->joint[j].a) == u ||
          mw_model_component_of(m->model, m->joint[j].b) == u)
        k->left_out[j] = 0xff;
    rc = rate_of(k, c, &without, err);
    if (rc != MW_OK || fabs(without) < 0.5) continue;
    *out = u;
    break;
  }
  return rc;
}

// How far the reference of an action leads its coordinate away from s, at instants spread over the
// scenario that no period meets; NaN: it has none.
static double reach_of(const mw_scenario *sc, const mw_action *a, double s)
{
  enum { INSTANTS = 1000 };
  static const double GOLDEN = 0.6180339887498949;
  double most = 0.0;
  if (a->kind == MW_ACTION_FORCE || a->unit) return (double)NAN;
  for (int i = 0; i <= INSTANTS; i++) {
    double y, share = i * GOLDEN;
    mw_signal_eval(&a->signal, i == INSTANTS ? sc->duration : (share - floor(share)) * sc->duration,
                   &y, NULL, NULL);
    most = fmax(most, fabs(y - s));
  }
  return most;
}

static mw_code judge(carried *k, const mw_action *a, mw_arena *mem, const char **text,
                     mw_error *err)
{
  const mw_drive_in *d = &k->m->model->drive[a->drive];
  const mw_component_use *u = NULL;
  int c = d->joint >= 0 ? k->m->joint[d->joint].coord : -1;
  if (c < 0 || mw_model_component_inside(k->m->model, d->joint)) return MW_OK;
  mw_code rc = holder_of(k, c, &u, err);
  if (rc != MW_OK || !u) return rc;
  const mw_joint_in *j = &k->m->model->joint[d->joint];
  double reach = reach_of(k->sc, a, k->s[c]);
  if (mw_joint_in_turns(j) && reach > MW_FLEXIBLE_FAR)
    return mw_fail(err, MW_ERR_INPUT, a->at,
                   "scenario %.64s: drive %.64s: found a reference that turns %.64s by %.3g rad, "
                   "and with it component %.64s along none of its coordinates, expected %g rad at "
                   "most: its reduced model turns farther along its coordinates alone, so reduce "
                   "it with this turn among them",
                   k->sc->name, d->name, j->name, reach, u->name, MW_FLEXIBLE_FAR);
  if (*text) return MW_OK;
  *text = mw_arena_printf(mem,
                          "drive %s moves joint %s, and with it component %s along none of its "
                          "coordinates: no farther than its reduced model promises of deflections; "
                          "where a port turns by more than %g rad the run ends",
                          d->name, j->name, u->name, MW_FLEXIBLE_FAR);
  return mw_arena_check(mem, err);
}

mw_code mw_rigid_carried(const mw_mech *m, const mw_scenario *sc, mw_arena *mem, const char **text,
                         mw_error *err)
{
  carried k = { .m = m, .sc = sc };
  bool any = false;
  mw_code rc = MW_OK;
  *text = NULL;
  for (int i = 0; i < m->model->n_component; i++)
    any = any || m->model->component[i].size.n_state > 0;
  if (any) rc = prepare(&k, err);
  for (int i = 0; any && rc == MW_OK && i < sc->n_action; i++)
    rc = judge(&k, &sc->action[i], mem, text, err);
  mw_arena_free(&k.mem);
  return rc;
}

mw_code mw_rigid_carried_note(const mw_mech *m, const mw_scenario *sc, mw_run *r, mw_error *err)
{
  const char *text = NULL;
  mw_code rc = mw_rigid_carried(m, sc, &r->mem, &text, err);
  if (rc == MW_OK && text) mw_run_add_note(r, "%s", text);
  return rc;
}
