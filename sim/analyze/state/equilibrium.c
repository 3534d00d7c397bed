// SPDX-License-Identifier: BSD-3-Clause
// equilibrium.c: equilibria of a mechanism, from several starts.
//
// Starts are joint coordinates at random about the position (the same every time), as far as the
// joints close with them; those that lead to no equilibrium, or to a known one, are counted.
#include <math.h>
#include <string.h>

#include "still_priv.h"

static const char *const stability_name[] = { [MW_STABLE] = "stable",
                                              [MW_UNSTABLE] = "unstable",
                                              [MW_INDIFFERENT] = "indifferent",
                                              [MW_FLUTTER] = "flutter" };

const char *mw_stability_name(mw_stability_kind kind) { return stability_name[kind]; }

static double random_one(unsigned *seed)  // in −1 … 1
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// Places are those of known equilibria: frames to 1e-6 of the size. Turns are not told apart.
static bool known(const mw_still *s, const mw_equilibria *o)
{
  static const double NEAR = 1e-6;
  const mw_chart *c = &s->c;
  for (int e = 0; e < o->n; e++) {
    double off = 0.0;
    for (int i = 0; i < c->n.n_q; i++)
      off = fmax(off, fabs(o->at[e].q[i] - c->q0[i]) /
                          (i < 12 * c->n.n_body && i % 12 < 3 ? c->size : 1.0));
    if (off <= NEAR) return true;
  }
  return false;
}

static mw_code keep(mw_still *s, double step, mw_arena *mem, mw_equilibria *o, mw_error *err)
{
  const mw_chart *c = &s->c;
  double near;
  mw_equilibrium e = { .s = mw_arena_f64(mem, (size_t)c->n.n_coord),
                       .q = mw_arena_f64(mem, (size_t)c->n.n_q),
                       .mu = mw_arena_f64(mem, (size_t)c->k),
                       .residual = step };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(e.s, c->s0, (size_t)c->n.n_coord * sizeof *e.s);
  memcpy(e.q, c->q0, (size_t)c->n.n_q * sizeof *e.q);
  rc = mw_still_judge(s, &e, &near, err);
  if (rc == MW_OK) o->at[o->n++] = e;
  return rc;
}

// One start; MW_ERR_NUMERIC: it leads nowhere.
static mw_code try_start(const mw_mech *m, const mw_statics_in *in, mw_arena *mem, mw_equilibria *o,
                         mw_error *err)
{
  mw_still s;
  double step;
  mw_code rc = mw_still_open(m, in, &s, err);
  if (rc == MW_OK) mw_still_load(&s, in->factor);
  if (rc == MW_OK) rc = mw_still_find(&s, false, &step, err);
  if (rc == MW_OK) o->k = s.c.k;
  if (rc == MW_OK && known(&s, o))
    o->n_same++;
  else if (rc == MW_OK)
    rc = keep(&s, step, mem, o, err);
  mw_still_close(&s);
  return rc;
}

// Joint coordinates that are not held, at random
static mw_code random_position(const mw_mech *m, const mw_statics_in *in, unsigned *seed,
                               mw_arena *tmp, mw_position *out, mw_error *err)
{
  static const double TURN = 3.14159265358979323846;
  size_t nc = (size_t)m->n_coord;
  unsigned char *at = mw_arena_alloc(tmp, nc, 1);
  double *value = mw_arena_f64(tmp, nc), size = mw_mech_size(m);
  mw_code rc = mw_arena_check(tmp, err);
  int driven = 0;
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++) {
    bool angle = strcmp(mw_joint_unit(m->joint[m->coord_joint[c]].in), "m") != 0;
    value[c] = in->at->s[c];
    at[c] = 1;
    if (in->held && in->held[c]) continue;
    value[c] += (angle ? TURN : size) * random_one(seed);
    driven++;
  }
  if (rc != MW_OK || driven == 0) return rc != MW_OK ? rc : MW_ERR_NUMERIC;
  rc = mw_position_find(m, at, value, tmp, out, err);
  // coordinates depend on each other: one of them leads, the others follow
  for (int c = 0; rc != MW_OK && rc != MW_ERR_MEMORY && c < m->n_coord; c++) {
    memset(at, 0, nc);
    at[c] = !(in->held && in->held[c]);
    if (at[c]) rc = mw_position_find(m, at, value, tmp, out, err);
  }
  return rc;
}

mw_code mw_equilibria_find(const mw_mech *m, const mw_statics_in *in, int n_start, mw_arena *mem,
                           mw_equilibria *out, mw_error *err)
{
  mw_equilibria o = { .n_start = n_start,
                      .at = mw_arena_alloc(mem, (size_t)n_start + 1, sizeof *o.at) };
  unsigned seed = 1;
  mw_error first = { 0 };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  rc = try_start(m, in, mem, &o, &first);
  if (rc == MW_ERR_NUMERIC) o.n_lost++;
  for (int i = 0; (rc == MW_OK || rc == MW_ERR_NUMERIC) && i < n_start; i++) {
    mw_arena tmp = { 0 };
    mw_position at;
    mw_statics_in from = *in;
    mw_error why = { 0 };
    from.at = &at;
    rc = random_position(m, in, &seed, &tmp, &at, &why);
    if (rc == MW_ERR_INPUT) rc = MW_ERR_NUMERIC;  // the coordinates cannot be there
    if (rc == MW_OK) rc = try_start(m, &from, mem, &o, &why);
    if (rc == MW_ERR_NUMERIC) o.n_lost++;
    if (rc != MW_OK && rc != MW_ERR_NUMERIC) first = why;
    mw_arena_free(&tmp);
  }
  if (rc == MW_ERR_NUMERIC) rc = MW_OK;
  if (rc == MW_OK && o.n == 0) rc = MW_ERR_NUMERIC;
  if (rc != MW_OK && err) *err = first;
  if (rc == MW_OK) *out = o;
  return rc;
}
