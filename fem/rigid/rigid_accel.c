// SPDX-License-Identifier: BSD-3-Clause
// rigid_accel.c: accelerations by block elimination; accelerations of trees of
// revolute and prismatic joints by rigid_articulated.c, of a body on legs by rigid_legs.c.
//
//   [ M  Jᵀ ] [ v̂' ]   [ f̂ ]
//   [ J  0  ] [ λ  ] = [ γ  ]                                                                   (1)
// Redundant rows are left out while factoring (elim.c); their set may change from call to call, the
// accelerations do not jump because λ is no state. Friction depends on λ: fixed-point iteration
// with the factors at hand.
#include <string.h>

#include "rigid_mech_layer.h"

void mw_rigid_fill(const mw_rigid *r, const mw_rigid_work *w, const mw_elim *e, mw_elim_num *n,
                   int node)
{
  const mw_rnode *p = &r->node[node];
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    const double *Jt = w->Jt[k];
    double *to = n->val + e->couple[k];
    int m = e->size[r->touch[k]];
    if (to == Jt) continue;
    if (!e->across[k]) {
      memcpy(to, Jt, (size_t)m * LD * sizeof(double));
      continue;
    }
    for (int row = 0; row < p->n; row++)
      for (int c = 0; c < m; c++) to[row * LD + c] = Jt[c * LD + row];
  }
}

static void count_changes(const mw_rigid *r, mw_rigid_work *w)
{
  int first = r->n.n_body + r->n.n_rotor;
  bool changed = false;
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++) {
      unsigned char out = w->hard.inv[(first + i) * LD + c] == 0.0;
      changed |= out != w->dropped[i * LD + c];
      w->dropped[i * LD + c] = out;
    }
  w->changes += changed;
}

// ε D on the rows' part of the diagonal
static void regularize(const mw_rigid *r, mw_rigid_work *w, double eps)
{
  int first = r->n.n_body + r->n.n_rotor;
  memcpy(w->diag, r->diag, (size_t)first * LD * sizeof(double));
  for (int i = 0; i < r->n_hard; i++) {
    const mw_rnode *p = &r->node[i];
    double *d = w->diag + (first + i) * LD;
    memset(d, 0, LD * sizeof(double));
    for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
      int e = r->touch[k];
      for (int x = 0; x < r->hard.size[e]; x++)
        for (int c = 0; c < LD; c++) {
          double j = w->Jt[k][x * LD + c];
          d[c] += eps * j * j / r->diag[e * LD + x];
        }
    }
    // what components leave there, as it was written
    for (int c = 0; r->n_component > 0 && c < p->n; c++)
      d[c] += eps * w->hard.scale[(first + i) * LD + c];
  }
}

static mw_code no_pivot(const mw_rigid *r, const mw_rigid_work *w, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%s: no acceleration, the pivot is not positive (not finite positions?)",
                 mw_rigid_node_name(r, w->hard.failed));
}

mw_code mw_rigid_factor(const mw_rigid *r, mw_rigid_work *w, double regular, mw_error *err)
{
  mw_elim_task task = { .diag = r->diag, .inverse = r->inverse };
  if (r->n_component > 0) {
    mw_code rc = mw_rigid_components_factor(r, w, err);
    if (rc != MW_OK) return rc;
  }
  if (regular > 0.0) {
    regularize(r, w, regular);
    task.diag = w->diag;
  } else {
    task.drop = r->opt.drop;
    task.hard = true;
  }
  for (int i = 0; i < r->n_hard; i++) mw_rigid_fill(r, w, &r->hard, &w->hard, i);
  w->factored = MW_FACTORS_NONE;
  if (mw_elim_factor(&r->hard, &w->hard, &task) != MW_OK) return no_pivot(r, w, err);
  if (regular == 0.0) {
    w->factored = MW_FACTORS_HERE;
    if (w->hard.n_dropped > 0 || w->changes > 0) count_changes(r, w);
  }
  return MW_OK;
}

// A landing: rates u, half a step away; see mw_rigid_accel_close.
typedef struct landing {
  const double *u;
  double h;
} landing;

// Right-hand sides of a node's rows: −g for positions; with J û_q = −g, −(2/h)(J û − g/h + g_t) for
// accelerations.
static void land(const mw_rigid *r, mw_rigid_work *w, const landing *to, int node)
{
  int first = r->n.n_body + r->n.n_rotor, n = r->node[node].n;
  bool later = r->n_friction > 0 || r->n_component > 0;
  double rate[LD], *acc = (later ? w->gamma : w->sol + first * LD) + node * LD;
  mw_rigid_node_rate(r, w, node, to->u, rate);
  for (int c = 0; c < n; c++) {
    double g = w->g[node * LD + c];
    acc[c] = -2.0 / to->h * (rate[c] - g / to->h + w->gt[node * LD + c]);
    w->x[(first + node) * LD + c] = -g;
  }
}

// A right-hand side on its way through the groups.
typedef struct passage {
  const mw_rigid *r;
  mw_rigid_work *w;
  double t;
  const double *q, *v, *rotor;
  const landing *to;  // NULL: none
  bool carry;         // the right-hand side is carried along
  double *a;          // [n_q]
} passage;

// Lean mechanisms: bodies up to those the node at this place in the order needs; returns how many
// are done.
static int start_bodies(const passage *z, int done, int end, int at)
{
  const mw_rigid *r = z->r;
  for (; done < end && r->body_ripe[done] <= at; done++) {
    int b = r->body_turn[done];
    mw_rigid_start_body(r, z->w, b, z->q, z->v, z->w->sol + b * LD);
  }
  return done;
}

static void eval_row(const passage *z, int i)
{
  const mw_rigid *r = z->r;
  mw_rigid_work *w = z->w;
  int first = r->n.n_body + r->n.n_rotor;
  double unused[LD];
  mw_rigid_eval_node(r, w, z->t, z->rotor, i, z->to ? w->g + i * LD : unused,
                     z->carry ? w->sol + (first + i) * LD : w->gamma + i * LD);
  mw_rigid_fill(r, w, &r->hard, &w->hard, i);
  if (z->to) land(r, w, z->to, i);
}

// Rows and factors of a group together, in pieces that stay in the cache.
static mw_code rows_and_factors(void *ctx, int group)
{
  enum { PIECE = 4 };  // pivots: what they need stays in the first cache
  const passage *z = ctx;
  const mw_rigid *r = z->r;
  const mw_elim_group *g = &r->hard.group[group];
  int end = r->lean ? r->body0[group + 1] : 0, started = r->lean ? r->body0[group] : 0;
  mw_elim_task task = { .diag = r->diag,
                        .inverse = r->inverse,
                        .drop = r->opt.drop,
                        .x = z->carry ? z->w->sol : NULL,
                        .x2 = z->to ? z->w->x : NULL,
                        .first = g->first,
                        .hard = true };
  for (int at = r->turn0[group]; task.first < g->last; task.first = task.last) {
    task.last = task.first + PIECE < g->last ? task.first + PIECE : g->last;
    for (; at < r->turn0[group + 1] && r->ripe[at] < task.last; at++) {
      started = start_bodies(z, started, end, at);
      eval_row(z, r->turn[at]);
    }
    mw_code rc = mw_elim_factor_group(&r->hard, &z->w->hard, &task, group);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

// What comes before all groups: what several of them need; over ranks what other ranks' groups come
// to, and this one needs, too.
static void begin(const passage *z)
{
  const mw_rigid *r = z->r;
  if (mw_rigid_ranks_how(z->w) == MW_RANKS_NONE) {
    if (r->lean) (void)start_bodies(z, 0, r->body0[0], r->n_hard);
    for (int at = 0; at < r->turn0[0]; at++) eval_row(z, r->turn[at]);
    return;
  }
  int nb, n;
  const int *body = mw_rigid_ranks_bodies(z->w, &nb), *node = mw_rigid_ranks_nodes(z->w, &n);
  for (int i = 0; r->lean && i < nb; i++)
    mw_rigid_start_body(r, z->w, body[i], z->q, z->v, z->w->sol + body[i] * LD);
  for (int i = 0; i < n; i++) eval_row(z, node[i]);
}

// Rows and factors of (1). The bodies' right-hand side is in w->sol. z->to: w->g is filled, too,
// and the right-hand side of (1) of rigid_project.c carried along in w->x. What several groups need
// comes first.
static mw_code eliminate(passage *z, mw_error *err)
{
  const mw_rigid *r = z->r;
  mw_rigid_work *w = z->w;
  const mw_elim_task start = { .inverse = r->inverse };
  unsigned up = MW_RANKS_BLOCKS | (z->carry ? MW_RANKS_X : 0u) | (z->to ? MW_RANKS_X2 : 0u);
  mw_ranks_how how = mw_rigid_ranks_how(w);
  bool over_ranks = how != MW_RANKS_NONE;
  w->factored = MW_FACTORS_NONE;
  w->owed = false;
  begin(z);
  mw_elim_begin(&r->hard, &w->hard, &start);
  mw_code rc = over_ranks ? mw_rigid_ranks_up(r, w, up, rows_and_factors, z)
                          : mw_pool_up(w->pool, r->hard.n_group, &r->hard.group->above,
                                       sizeof *r->hard.group, rows_and_factors, z),
          end = mw_elim_end(&r->hard, &w->hard);
  rc = end != MW_OK ? end : rc;
  if (how == MW_RANKS_JOINED) rc = mw_rigid_ranks_agree(r, w, rc);
  if (rc != MW_OK) return no_pivot(r, w, err);
  w->factored = over_ranks ? MW_FACTORS_SHARED : MW_FACTORS_HERE;
  if (!over_ranks && (w->hard.n_dropped > 0 || w->changes > 0)) count_changes(r, w);
  return MW_OK;
}

void mw_rigid_load(const mw_rigid *r, double *x, const double *f, const double *c)
{
  int nb = r->n.n_body, first = nb + r->n.n_rotor;
  for (int b = 0; b < nb; b++) memcpy(x + b * LD, f + 6 * b, 6 * sizeof(double));
  for (int k = 0; k < r->n.n_rotor; k++) x[(nb + k) * LD] = f[6 * nb + k];
  if (c) memcpy(x + first * LD, c, (size_t)r->n_hard * LD * sizeof(double));
}

// Solves with friction; the applied forces without it are in w->f.
static mw_code solve_friction(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  enum { ITER_MAX = 100 };
  static const double TOL = 1e-12;  // of the largest normal force
  double *f = w->f + r->n.n_u;
  for (int i = 0; i < ITER_MAX; i++) {
    memcpy(f, w->f, (size_t)r->n.n_u * sizeof(double));
    mw_rigid_apply_friction(r, w, f);
    mw_rigid_load(r, w->sol, f, w->gamma);
    mw_rigid_solve(r, w, w->sol);
    double change = mw_rigid_normals(r, w), largest = 0.0;
    for (int k = 0; k < r->n_friction; k++) largest = fmax(largest, w->normal[k]);
    if (r->n_component > 0) change = fmax(change, mw_rigid_components_normals(r, w, &largest));
    if (change <= TOL * largest) return MW_OK;
  }
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "friction of %s %s finds no balance with its normal force (jamming?)",
                 r->n_friction > 0 ? "joint" : "component",
                 r->n_friction > 0 ? r->m->joint[r->friction[0].joint].name
                                   : r->component[0].in->name);
}

static mw_code not_finite(const mw_rigid *r, const double *a, mw_error *err)
{
  for (int b = 0; b < r->n.n_body; b++) {
    double sum = 0.0;
    for (int i = 0; i < 12; i++) sum += a[12 * b + i];
    if (!isfinite(sum))
      return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the acceleration of body %s is not finite",
                     r->m->body[r->body[b].body].name);
  }
  return MW_OK;
}

// Kinematics of all bodies, what acts on them, to w->sol.
void mw_rigid_forces(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                     const double *v)
{
  int nb = r->n.n_body;
  const double *sigma = q + 12 * nb, *sigma_dot = v + 12 * nb;
  mw_rigid_kin(r, w, q, v);
  mw_rigid_eval_coords(r, w);
  mw_rigid_apply(r, w, t, sigma_dot, true, w->f);
  double *u = w->f + r->n.n_u;
  if (r->n_node > r->n_hard) {
    for (int i = r->n_hard; i < r->n_node; i++)
      mw_rigid_eval_node(r, w, t, sigma, i, w->g + i * LD, w->gamma + i * LD);
    mw_rigid_twist(r, q, v, u);
    mw_rigid_apply_soft(r, w, u, w->f);
  }
  mw_rigid_load(r, w->sol, w->f, NULL);
}

// Acceleration of body b in natural coordinates, (2) of rigid_state.c; returns 0, or what is not a
// number.
static inline double natural(const mw_rigid_work *w, int b, double *out)
{
  const mw_rkin *k = &w->kin[b];
  const double *x = w->sol + b * LD;
  mw_mul33v(k->E, x, out);
  mw_rturn(k->E, k->w, x + 3, out + 3);
  return 0.0 * (((out[0] + out[1]) + (out[2] + out[3])) + ((out[4] + out[5]) + (out[6] + out[7])) +
                ((out[8] + out[9]) + (out[10] + out[11])));
}

// Those of all bodies and rotors; returns 0, or what is not a number.
static double all_natural(const mw_rigid *r, const mw_rigid_work *w, double *a)
{
  int nb = r->n.n_body;
  double sum = 0.0;
  for (int b = 0; b < nb; b++) sum += natural(w, b, a + 12 * b);
  for (int k = 0; k < r->n.n_rotor; k++) a[12 * nb + k] = w->sol[(nb + k) * LD];
  return sum;
}

// What was carried along, back through a group.
static mw_code back(void *ctx, int group)
{
  const passage *z = ctx;
  const mw_rigid *r = z->r;
  mw_rigid_work *w = z->w;
  if (z->carry)
    mw_elim_backward_group(&r->hard, &w->hard, group, w->sol, z->to ? w->x : NULL);
  else if (z->to)
    mw_elim_backward_group(&r->hard, &w->hard, group, w->x, NULL);
  return MW_OK;
}

// Accelerations of the bodies and rotors that are pivots of a group
static mw_code accelerations(void *ctx, int group)
{
  const passage *z = ctx;
  const mw_rigid *r = z->r;
  const mw_rigid_work *w = z->w;
  const mw_elim_group *g = &r->hard.group[group];
  int nb = r->n.n_body;
  double sum = 0.0;
  (void)back(ctx, group);
  for (int s = g->first; s < g->last; s++) {
    int b = r->hard.pivot[s].node;
    if (b >= nb) {
      if (b < nb + r->n.n_rotor) z->a[12 * nb + b - nb] = w->sol[b * LD];
      continue;
    }
    sum += natural(w, b, z->a + 12 * b);
  }
  return sum == 0.0 ? MW_OK : MW_ERR_NUMERIC;
}

// The same with components: a row needs what they leave between all rows, so nothing is carried
// along; (1) of rigid_component.c.
static mw_code accelerate_around(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                 const double *v, const landing *to, double *a, mw_error *err)
{
  int nb = r->n.n_body, bodies = nb + r->n.n_rotor;
  mw_rigid_forces(r, w, t, q, v);
  mw_rigid_eval(r, w, t, q + 12 * nb, 0, r->n_hard);
  mw_rigid_components_eval(r, w, t, q, v);
  mw_code rc = mw_rigid_factor(r, w, 0.0, err);
  if (rc != MW_OK) return rc;
  if (to) memset(w->x, 0, (size_t)bodies * LD * sizeof(double));
  for (int i = 0; to && i < r->n_hard; i++) land(r, w, to, i);
  w->side = (mw_rside){ .what = MW_COMPONENT_ACCELERATION };
  if (to) w->side = (mw_rside){ MW_COMPONENT_LANDING, to->u, to->h };
  rc = solve_friction(r, w, err);
  w->side = (mw_rside){ .what = MW_COMPONENT_POSITION };
  if (rc == MW_OK && to) mw_rigid_solve(r, w, w->x);
  w->side = (mw_rside){ .what = MW_COMPONENT_NOTHING };
  if (rc != MW_OK) return rc;
  return all_natural(r, w, a) == 0.0 ? MW_OK : not_finite(r, a, err);
}

// Over ranks. One that fails goes on, for others wait for what it sends.
static mw_code accelerate_spread(passage *z, mw_error *err)
{
  mw_rigid_work *w = z->w;
  double *const x[2] = { w->sol, NULL };
  if (z->to)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "accelerations that close gaps (leapfrog) are not made over ranks of which each "
                   "holds but its part of the state");
  mw_code rc = eliminate(z, err), down = mw_rigid_ranks_down(z->r, w, x, accelerations, z);
  w->factored = MW_FACTORS_NONE;  // but for the groups of this rank
  mw_code all = mw_rigid_ranks_share(w, rc == MW_OK ? down : rc, z->a);
  if (all == MW_OK || rc != MW_OK) return rc;
  if (down != MW_OK) return not_finite(z->r, z->a, err);
  return mw_fail(err, all, MW_NOWHERE, "another rank finds no accelerations");
}

// Over ranks that hold the whole state: each gets all accelerations and multipliers.
static mw_code accelerate_joined(passage *z, mw_error *err)
{
  const mw_rigid *r = z->r;
  mw_rigid_work *w = z->w;
  double *const x[2] = { z->carry ? w->sol : NULL, z->to ? w->x : NULL };
  mw_code rc = eliminate(z, err);
  if (rc == MW_OK && !z->carry) rc = solve_friction(r, w, err);
  if (rc != MW_OK) return rc;
  if (x[0] || x[1]) {
    (void)!mw_rigid_ranks_down(r, w, x, back, z);  // does not fail
    mw_rigid_ranks_gather(r, w, x);
  }
  count_changes(r, w);
  return all_natural(r, w, z->a) == 0.0 ? MW_OK : not_finite(r, z->a, err);
}

static mw_code accelerate_alone(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                                const double *v, const landing *to, double *a, mw_error *err)
{
  int nb = r->n.n_body;
  passage z = { .r = r,
                .w = w,
                .t = t,
                .q = q,
                .v = v,
                .rotor = q + 12 * nb,
                .to = to,
                .carry = r->n_friction == 0,
                .a = a };
  if (!r->lean) mw_rigid_forces(r, w, t, q, v);
  w->power = r->lean ? 0.0 : w->power;
  mw_ranks_how how = mw_rigid_ranks_how(w);
  if (how == MW_RANKS_SPREAD) return accelerate_spread(&z, err);
  if (r->link && !to)
    return mw_rigid_articulated(r, w, q, v, a) == 0.0 ? MW_OK : not_finite(r, a, err);
  double sum;
  if (r->n_leg > 0 && !to && mw_rigid_legs(r, w, q, v, a, &sum))
    return sum == 0.0 ? MW_OK : not_finite(r, a, err);
  if (to) memset(w->x, 0, (size_t)(nb + r->n.n_rotor) * LD * sizeof(double));
  if (how == MW_RANKS_JOINED) return accelerate_joined(&z, err);
  mw_code rc = eliminate(&z, err);
  if (rc == MW_OK && !z.carry) rc = solve_friction(r, w, err);
  if (rc != MW_OK) return rc;
  rc = mw_pool_down(w->pool, r->hard.n_group, &r->hard.group->above, sizeof *r->hard.group,
                    accelerations, &z);
  return rc == MW_OK ? MW_OK : not_finite(r, a, err);
}

static mw_code accelerate(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                          const double *v, const landing *to, double *a, mw_error *err)
{
  mw_code rc = r->n_component > 0 ? accelerate_around(r, w, t, q, v, to, a, err)
                                  : accelerate_alone(r, w, t, q, v, to, a, err);
  if (rc != MW_OK) {
    // lanes behind the rows of a node are never written anew: NaN would stay there for ever;
    // normal forces that found no balance are far off where the next acceleration begins
    memset(w->normal, 0, (size_t)r->n_friction * sizeof(double));
    memset(w->sol, 0, (size_t)r->hard.n_node * LD * sizeof(double));
    memset(w->x, 0, (size_t)r->hard.n_node * LD * sizeof(double));
  }
  return rc;
}

mw_code mw_rigid_accel(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                       const double *v, double *a, mw_error *err)
{
  return accelerate(r, w, t, q, v, NULL, a, err);
}

mw_code mw_rigid_accel_close(const mw_rigid *r, mw_rigid_work *w, double t, double h, double *q,
                             const double *v, double *u, double *a, double *gap, double *moved,
                             mw_error *err)
{
  const landing to = { .u = u, .h = h };
  mw_code rc = accelerate(r, w, t, q, v, &to, a, err);
  if (rc != MW_OK) return rc;
  mw_rigid_close_once(r, w, q, gap, moved);
  for (int i = 0; i < r->n.n_u; i++) u[i] += w->f[i] / h;
  return MW_OK;
}

// M Δv̂' + Jᵀ Δλ = Δf ,  J Δv̂' = 0
bool mw_rigid_accel_jump(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, double *a)
{
  int nb = r->n.n_body, first = nb + r->n.n_rotor;
  if (!w->factored || w->owed || r->n_friction > 0 || r->n.n_rotor > 0 || r->n_component > 0)
    return false;
  if (!mw_rigid_drives_jump(r, w, t, w->f)) return true;
  memset(w->x, 0, (size_t)r->hard.n_node * LD * sizeof(double));
  mw_rigid_load(r, w->x, w->f, NULL);
  mw_rigid_solve(r, w, w->x);
  for (int i = 0; i < r->n_hard * LD; i++) w->lambda[i] += w->x[first * LD + i];
  for (int b = 0; b < nb; b++) {
    const double *E = q + 12 * b + 3, *x = w->x + b * LD;
    double d[3];
    for (int i = 0; i < 3; i++) {
      mw_cross3(E + 3 * i, x + 3, d);  // a row of E α~
      for (int k = 0; k < 3; k++) a[12 * b + 3 + 3 * i + k] += d[k];
    }
    mw_mul33v(E, x, d);
    for (int i = 0; i < 3; i++) a[12 * b + i] += d[i];
  }
  return true;
}

double mw_rigid_power(const mw_rigid *r, const mw_rigid_work *w)
{
  double P = w->power + mw_rigid_friction_power(r, w);
  // held rows move at ∂g/∂t: −λ J v̂ = λ ∂g/∂t
  for (int h = 0; h < r->n_held; h++) {
    int i = r->held[h].node * LD + r->held[h].row;
    P += w->lambda[i] * w->gt[i];
  }
  return P + mw_rigid_components_power(r, w);
}
