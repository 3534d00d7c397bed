// SPDX-License-Identifier: BSD-3-Clause
// rigid_reach.c: held coordinates led from values at hand to others, on the branch of positions
// they are on.
//
// Where loops close, positions of the same coordinates are several: a parallelogram and its
// antiparallelogram, both ways a four-bar's elbow may bend. From consistent positions a path is
// followed by tangents:
//   J v̂ = 0 at rates s' = to − from of the held coordinates;  q moved by h v̂,
//       and from there to the nearest positions      (1)
// with h such that (1) finds what it foresaw and rates go on as they were (SEEN, SMOOTH): off by
// the order of h on one branch, by as much as branches differ across. A body turns by TURN at most
// in a step: a motor behind a screw makes many turns along a travel that is held. Where no step is
// short enough for that, branches meet, and which one goes on nothing tells. Rough positions, and
// held coordinates that depend on each other, are led by assembly alone, in equal steps: (2).
#include <string.h>

#include "rigid_mech_layer.h"

static const double SEEN = 0.25;              // of a step: what positions may be off those foreseen
static const double SMOOTH = 0.5;             // of rates: what they may change by in a step
static const double SHORTEST = 1.0 / 4096.0;  // of the longest step
static const double TURN = 1.0;  // rad: of a body in a step, half a turn between two is not reached
static const double CLOSED = 1e-9;  // of the size, or rad: of positions that are consistent
static const double ROUNDING =
    1e-6;  // of the size, or rad: far above what closing to CLOSED moves bodies by

int mw_rigid_steps(const mw_rigid *r, const double *from, const double *to)
{
  static const double STEP = 0.3, MOST = 1e4;
  double far = 0.0;
  for (int h = 0; h < r->n_held; h++) {
    int c = r->held[h].coord;
    bool angle = !r->coord[c].curve && r->coord[c].measure != MW_MEASURE_TRAVEL;
    far = fmax(far, fabs(to[c] - from[c]) / (angle ? 1.0 : r->size));
  }
  return 1 + (int)fmin(far / STEP, MOST);
}

// ---- (2) ----------------------------------------------------------------------------------------

// n equal steps; false_root: one of them closed with axes that do not agree. now [n_coord]: scratch
static mw_code walk(const mw_rigid *r, mw_rigid_work *w, const double *from, const double *to,
                    int n, double tol, double *q, double *now, bool *false_root, mw_error *err)
{
  mw_code rc = MW_OK;
  *false_root = false;
  for (int i = 1; rc == MW_OK && i <= n; i++) {
    for (int c = 0; c < r->n.n_coord; c++)
      now[c] = i == n ? to[c] : from[c] + (to[c] - from[c]) * i / n;
    mw_rigid_hold(r, w, now, NULL);
    rc = mw_rigid_close(r, w, 0.0, q, tol, err);
    if (rc != MW_OK) break;
    rc = mw_rigid_check_axes(r, q, err);
    *false_root = rc != MW_OK;
    mw_rigid_accept(r, w, q);
  }
  return rc;
}

// ---- (1) ----------------------------------------------------------------------------------------

typedef struct path {
  const mw_rigid *r;
  mw_rigid_work *w;
  const double *from, *to;  // [n_coord]
  double tol;
  double *now, *rate, *at;    // [n_coord]; at: accepted
  double *q, *ahead, *found;  // [n_q]
  double *v, *u, *then,
      *off;  // [n_q]; [n_u]  rates here and at the end of a step, and their difference
} path;

// Largest rate or displacement of a body, sizes and rad
static double largest(const mw_rigid *r, const double *u)
{
  double most = 0.0;
  for (int b = 0; b < r->n.n_body; b++)
    most = fmax(most, mw_norm3(u + 6 * b) / r->size + mw_norm3(u + 6 * b + 3));
  return most;
}

// Largest rotation of a body, rad
static double largest_turn(const mw_rigid *r, const double *u)
{
  double most = 0.0;
  for (int b = 0; b < r->n.n_body; b++) most = fmax(most, mw_norm3(u + 6 * b + 3));
  return most;
}

// The same of what positions b differ from a by
static double apart(const mw_rigid *r, const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < r->n.n_body; i++) {
    const double *p = a + 12 * i, *o = b + 12 * i;
    double d[3], turn = 0.0;
    for (int k = 0; k < 3; k++) d[k] = o[k] - p[k];
    for (int k = 3; k < 12; k++) turn = fmax(turn, fabs(o[k] - p[k]));
    most = fmax(most, mw_norm3(d) / r->size + turn);
  }
  return most;
}

static void hold_at(path *z, double t)
{
  for (int c = 0; c < z->r->n.n_coord; c++)
    z->now[c] = t >= 1.0 ? z->to[c] : z->from[c] + (z->to[c] - z->from[c]) * t;
  mw_rigid_hold(z->r, z->w, z->now, z->rate);
}

// u := v̂ of (1) at q; false: none keeps all rows
static bool rates_at(path *z, const double *q, double *u, mw_error *err)
{
  static const double LEFT =
      1e-6;  // of the coordinates' rates: far above rounding, far below a dependence
  mw_rigid_residual left;
  double most = 0.0;
  memset(z->v, 0, (size_t)z->r->n.n_q * sizeof *z->v);
  if (mw_rigid_project_v(z->r, z->w, 0.0, q, z->v, true, err) != MW_OK) return false;
  mw_rigid_residuals(z->r, z->w, 0.0, q, z->v, z->v, &left);  // accelerations: not read
  mw_rigid_twist(z->r, q, z->v, u);
  for (int h = 0; h < z->r->n_held; h++) most = fmax(most, fabs(z->rate[z->r->held[h].coord]));
  return left.velocity <= LEFT * most * fmin(1.0, z->r->size);
}

// One step of h from t; false: it is too long. z->q and z->u go on with it.
static bool follow(path *z, double t, double h)
{
  const mw_rigid *r = z->r;
  mw_error why = { 0 };
  double move = largest(r, z->u), floor = ROUNDING;
  if (h * largest_turn(r, z->u) > TURN) return false;  // angles count their turns by nearness
  for (int i = 0; i < r->n.n_u; i++) z->off[i] = h * z->u[i];
  mw_rigid_move(r, z->q, z->off, z->ahead);
  memcpy(z->found, z->ahead, (size_t)r->n.n_q * sizeof *z->found);
  hold_at(z, t + h);
  if (mw_rigid_close(r, z->w, 0.0, z->found, z->tol, &why) != MW_OK) return false;
  if (mw_rigid_check_axes(r, z->found, &why) != MW_OK) return false;
  if (!(apart(r, z->ahead, z->found) <= SEEN * h * move + floor)) return false;
  if (!rates_at(z, z->found, z->then, &why)) return false;
  for (int i = 0; i < r->n.n_u; i++) z->off[i] = z->then[i] - z->u[i];
  return h * largest(r, z->off) <= SMOOTH * h * fmin(move, largest(r, z->then)) + floor;
}

static mw_code branches_meet(const path *z, double t, mw_error *err)
{
  const mw_rigid *r = z->r;
  int c = r->held[0].coord;
  for (int h = 1; h < r->n_held; h++)
    if (fabs(z->rate[r->held[h].coord]) > fabs(z->rate[c])) c = r->held[h].coord;
  return mw_fail(
      err, MW_ERR_NUMERIC, r->m->joint[r->m->coord_joint[c]].in->at,
      "positions of the mechanism cannot be followed beyond %s = %.6g on the way to %.6g: they "
      "are singular there, or other "
      "ones with the same coordinates come too near; expected a range that ends before",
      mw_mech_coord_name(r->m, c), z->from[c] + (z->to[c] - z->from[c]) * t, z->to[c]);
}

// known: (1) can be had at the start
static mw_code follow_all(path *z, double *q, bool *known, mw_error *err)
{
  const mw_rigid *r = z->r;
  mw_error why = { 0 };
  size_t nq = (size_t)r->n.n_q, nc = (size_t)r->n_coord;
  double longest = 1.0 / mw_rigid_steps(r, z->from, z->to), t = 0.0;
  memcpy(z->q, q, nq * sizeof *q);
  hold_at(z, 0.0);
  double gap = 0.0;
  mw_code rc = mw_rigid_project_q(r, z->w, 0.0, z->q, z->tol, 0, true, &gap, &why);
  *known = rc == MW_OK && gap <= CLOSED * fmin(1.0, r->size) && rates_at(z, z->q, z->u, &why);
  if (!*known) return MW_OK;
  longest = fmin(longest, 0.5 * TURN / fmax(largest_turn(r, z->u), 0.5 * TURN));
  double h = longest;
  while (t < 1.0) {
    bool last = t + h > 1.0 - 1e-12;
    memcpy(z->at, z->w->accepted, nc * sizeof *z->at);
    if (!follow(z, t, last ? 1.0 - t : h)) {
      memcpy(z->w->accepted, z->at, nc * sizeof *z->at);
      h *= 0.5;
      if (h < SHORTEST * longest) return branches_meet(z, t, err);
      continue;
    }
    memcpy(z->q, z->found, nq * sizeof *q);
    memcpy(z->u, z->then, (size_t)r->n.n_u * sizeof *z->u);
    mw_rigid_accept(r, z->w, z->q);
    t = last ? 1.0 : t + h;
    h = fmin(2.0 * h, longest);
  }
  memcpy(q, z->q, nq * sizeof *q);
  return MW_OK;
}

static mw_code path_init(const mw_rigid *r, mw_rigid_work *w, mw_arena *mem, path *z, mw_error *err)
{
  size_t nq = (size_t)r->n.n_q, nu = (size_t)r->n.n_u;
  double **of_q[] = { &z->q, &z->ahead, &z->found, &z->v }, **of_u[] = { &z->u, &z->then, &z->off },
         **of_coord[] = { &z->now, &z->rate, &z->at };
  z->r = r;
  z->w = w;
  for (size_t i = 0; i < sizeof of_q / sizeof *of_q; i++) *of_q[i] = mw_arena_f64(mem, nq);
  for (size_t i = 0; i < sizeof of_u / sizeof *of_u; i++) *of_u[i] = mw_arena_f64(mem, nu);
  for (size_t i = 0; i < sizeof of_coord / sizeof *of_coord; i++)
    *of_coord[i] = mw_arena_f64(mem, (size_t)r->n_coord);
  return mw_arena_check(mem, err);
}

// (2), in finer steps where joints close falsely, in one where values between cannot be reached
static mw_code walk_all(path *z, double *q, mw_error *err)
{
  enum { FINER = 4, FINEST = 64 };  // times as many steps
  const mw_rigid *r = z->r;
  mw_rigid_work *w = z->w;
  size_t nq = (size_t)r->n.n_q, nc = (size_t)r->n_coord;
  bool false_root = false;
  int least = mw_rigid_steps(r, z->from, z->to), n = least;
  memcpy(z->q, q, nq * sizeof *q);
  memcpy(z->at, w->accepted, nc * sizeof *z->at);
  mw_code rc = walk(r, w, z->from, z->to, n, z->tol, q, z->now, &false_root, err);
  while (rc == MW_ERR_NUMERIC && ((false_root && n < FINEST * least) || (!false_root && n > 1))) {
    // coordinates that depend on each other may agree at the end alone: in one step
    n = false_root ? FINER * n : 1;
    memcpy(q, z->q, nq * sizeof *q);
    memcpy(w->accepted, z->at, nc * sizeof *z->at);
    rc = walk(r, w, z->from, z->to, n, z->tol, q, z->now, &false_root, err);
    if (n == 1) break;
  }
  return rc;
}

mw_code mw_rigid_reach(const mw_rigid *r, mw_rigid_work *w, const double *from, const double *to,
                       double tol, double *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  path z = { .from = from, .to = to, .tol = tol };
  bool known = false;
  mw_code rc = path_init(r, w, &tmp, &z, err);
  for (int h = 0; rc == MW_OK && h < r->n_held; h++) {
    int c = r->held[h].coord;
    z.rate[c] = to[c] - from[c];
  }
  if (rc == MW_OK) {
    mw_rigid_accept_coords(r, w, from);
    rc = follow_all(&z, q, &known, err);
  }
  if (rc == MW_OK && !known) {
    mw_rigid_accept_coords(r, w, from);
    rc = walk_all(&z, q, err);
  }
  if (rc == MW_OK) mw_rigid_hold(r, w, to, NULL);
  mw_arena_free(&tmp);
  return rc;
}
