// SPDX-License-Identifier: BSD-3-Clause
// contact.c: whether a run's steps see the contacts at end stops and with play, in every path whose
// steps have the length that was asked for.
//
// A contact of stiffness k takes half a period of what it stops, T = π/ω, whatever the speed; the
// methods' second order makes it, by steps of h,
//   (ω h)²/12 = (π/n)²/12 of T longer ,   n = T/h                                               (1)
// so that fewer than ten steps err by more than a hundredth. n is counted: ends of steps beyond the
// stop until the coordinate leaves it, so that no mass has to be known; of a contact that outlasts
// the run, twice those to its deepest, once it has come back from there. Cost: a comparison a
// coordinate and step.
#include "contact_layer.h"

#include <math.h>

static const int ENOUGH = 10;  // steps of a contact: (1) below 0.01

static double lengthened(int n)
{
  static const double PI = 3.14159265358979323846;
  return PI * PI / (12.0 * n * n);
}

static const mw_law *law_of(const mw_mech *m, int coord)
{
  return &m->joint[m->coord_joint[coord]].in->law;
}

mw_code mw_contacts_init(const mw_mech *m, mw_arena *mem, mw_contacts *out, mw_error *err)
{
  mw_contacts z = { .c = mw_arena_alloc(mem, (size_t)m->n_coord, sizeof *z.c) };
  mw_code rc = mw_arena_check(mem, err);
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++)
    if (m->joint[m->coord_joint[c]].in->has_law && law_of(m, c)->stiffness > 0.0)
      z.c[z.n++] = (mw_contact){ .coord = c, .least = ENOUGH };
  *out = z;
  return rc;
}

// The contact has ended, or the run.
static void count(mw_contact *c, bool left)
{
  int n = left ? c->steps : 2 * c->deepest;
  c->n++;
  if (n < ENOUGH && c->n_coarse++ == 0) c->t_coarse = c->t;
  if (n < c->least) c->least = n;
  c->side = c->steps = c->deepest = 0;
}

void mw_contacts_step(mw_contacts *z, const mw_mech *m, double t0, const double *s)
{
  for (int i = 0; i < z->n; i++) {
    mw_contact *c = &z->c[i];
    const mw_law *l = law_of(m, c->coord);
    double x = s[c->coord], depth = fmax(x - l->hi, l->lo - x);
    int side = x > l->hi ? 1 : x < l->lo ? -1 : 0;
    if (c->side != 0 && side != c->side) count(c, true);
    if (side == 0) continue;
    if (c->side == 0)
      *c = (mw_contact){ .coord = c->coord,
                         .side = side,
                         .t = t0,
                         .n = c->n,
                         .n_coarse = c->n_coarse,
                         .least = c->least,
                         .t_coarse = c->t_coarse };
    c->steps++;
    if (!(depth > c->depth)) continue;
    c->depth = depth;
    c->deepest = c->steps;
  }
}

void mw_contacts_warn(mw_contacts *z, const mw_mech *m, double h, mw_run *r)
{
  for (int i = 0; i < z->n; i++) {
    mw_contact *c = &z->c[i];
    const mw_joint_in *j = m->joint[m->coord_joint[c->coord]].in;
    if (c->side != 0 && c->deepest < c->steps) count(c, false);
    if (c->n_coarse == 0) continue;
    mw_run_add_warning(
        r,
        "joint %s: %d of %d contacts %s take fewer than %d steps of %.4g s, one of "
        "them %d (first at %.6g s): methods of second order err by some %.1e of such "
        "a contact's time, steps of %.2g s by a hundredth",
        j->name, c->n_coarse, c->n, j->law.play ? "with its play" : "at its stops", ENOUGH, h,
        c->least, c->t_coarse, lengthened(c->least), h * c->least / ENOUGH);
  }
}
