// SPDX-License-Identifier: BSD-3-Clause
// chart.c: coordinates of the rigid mechanism near a state, as many as it has freedoms.
//
//   z: joint coordinates, rotors' angles, and f·twist(q0, q − q0), which is linear in q         (1)
//   [g(q, t); z(q) − z] = 0 :        q ← q moved by −P [g; z(q) − z]                            (2)
//   [J û + g_t; ż(q, û) − ż] = 0 :   û ← û − P [J û + g_t; ż(q, û) − ż]                         (3)
// P is the pseudo-inverse of the rows and rates of z at q0, redundant rows included: chords
// converge by the part that rows turn by. With P of full column rank, (2) and (3) stop at rounding.
#include "chart_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"

static const double RANK = 1e-9;  // as in mobility.c: rows close to 1e-13

// ---- setup --------------------------------------------------------------------------------------

// Prescribed positions of the scenario, and a constant force of every other drive
static mw_code actions(mw_chart *c, const mw_linearize_at *at, mw_error *err)
{
  const mw_model *model = c->m->model;
  c->sc = at->scenario ? *at->scenario : (mw_scenario){ .duration = 1.0, .step = 1e-3 };
  c->sc.n_action = 0;
  c->sc.action = mw_arena_alloc(&c->mem, (size_t)model->n_drive, sizeof *c->sc.action);
  c->input = mw_arena_int(&c->mem, (size_t)model->n_drive);
  mw_code rc = mw_arena_check(&c->mem, err);
  for (int d = 0; rc == MW_OK && d < model->n_drive; d++) {
    mw_action *a = &c->sc.action[c->sc.n_action++];
    *a = (mw_action){ .drive = d, .kind = MW_ACTION_FORCE };
    a->signal.kind = MW_SIGNAL_CONSTANT;
    for (int k = 0; at->scenario && k < at->scenario->n_action; k++)
      if (at->scenario->action[k].drive == d && at->scenario->action[k].kind == MW_ACTION_POSITION)
        *a = at->scenario->action[k];
    if (a->kind == MW_ACTION_FORCE) c->input[c->n_in++] = d;
  }
  return rc;
}

double *mw_chart_force(mw_chart *c, int i) { return &c->sc.action[c->input[i]].signal.a; }

static mw_code memory(mw_chart *c, mw_error *err)
{
  size_t n_u = (size_t)c->n.n_u, n_q = (size_t)c->n.n_q,
         rows = (size_t)(c->n.n_row + mw_rigid_inside_most(c->r)), nc = (size_t)c->n.n_coord,
         soft = (size_t)c->n.n_soft;
  double **state[] = { &c->q0, &c->v0, &c->q, &c->v, &c->a };
  for (int i = 0; i < 5; i++) *state[i] = mw_arena_f64(&c->mem, n_q);
  double **tangent[] = { &c->mass, &c->u, &c->ud, &c->x };
  for (int i = 0; i < 4; i++) *tangent[i] = mw_arena_f64(&c->mem, n_u);
  double **coord[] = { &c->s0, &c->s, &c->s_dot, &c->bias };
  for (int i = 0; i < 4; i++) *coord[i] = mw_arena_f64(&c->mem, nc);
  c->J = mw_arena_f64(&c->mem, rows * n_u);
  c->Js = mw_arena_f64(&c->mem, nc * n_u);
  c->gamma = mw_arena_f64(&c->mem, rows);
  c->gap = mw_arena_f64(&c->mem, rows + n_u);  // k is at most n_u
  c->g_soft = mw_arena_f64(&c->mem, 2 * soft);
  return mw_arena_check(&c->mem, err);
}

static mw_code refuse_rolling(mw_chart *c, mw_error *err)
{
  unsigned char *rate = mw_arena_alloc(&c->mem, (size_t)c->n.n_row, 1);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc != MW_OK) return rc;
  mw_rigid_rate_rows(c->r, rate);
  for (int i = 0; i < c->n.n_row; i++)
    if (rate[i])
      return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = c->m->model->path },
                     "found rows between velocities alone (rolling): positions have more freedoms "
                     "than rates, expected none");
  return MW_OK;
}

static double measure(const mw_chart *c, int i)  // of entry i of a twist
{
  return i < 6 * c->n.n_body && i % 6 < 3 ? c->size : 1.0;
}

// What a coordinate is divided by to have no unit.
static double unit_of(const mw_chart *c, int coord)
{
  const mw_joint *j = &c->m->joint[c->m->coord_joint[coord]];
  return strcmp(mw_joint_unit(j->in), "m") == 0 ? c->size : 1.0;
}

// A [big × n_u] := J, lengths over the size, rows of norm 1 (what they were divided by: norm
// [n_row]), zeros below
static void scaled_rows(const mw_chart *c, double *A, double *norm)
{
  int n = c->n.n_u;
  for (int i = 0; i < c->n_row; i++) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
      A[i * n + k] = c->J[i * n + k] * measure(c, k);
      sum += A[i * n + k] * A[i * n + k];
    }
    norm[i] = sum > 0.0 ? sqrt(sum) : 1.0;
    for (int k = 0; k < n; k++) A[i * n + k] /= norm[i];
  }
}

// Null space as rows N [k × n_u], in lengths over the size; sets k
static mw_code null_space(mw_chart *c, mw_arena *tmp, const double **N, mw_error *err)
{
  size_t n = (size_t)c->n.n_u, rows = (size_t)c->n_row, big = rows > n ? rows : n;
  double *A = mw_arena_f64(tmp, big * n), *sv = mw_arena_f64(tmp, n), *V = mw_arena_f64(tmp, n * n),
         *norm = mw_arena_f64(tmp, rows);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  scaled_rows(c, A, norm);
  rc = mw_svd((int)big, (int)n, A, sv, NULL, V, err);
  size_t rank = 0;
  while (rank < n && sv[rank] > RANK * sv[0]) rank++;
  c->k = (int)(n - rank);
  *N = V + rank * n;
  return rc;
}

// ---- choice of coordinates ----------------------------------------------------------------------

typedef struct choice {
  mw_chart *c;
  const double *N;  // [k × n_u]
  double *W;        // [n × k]  rates of candidates along N, without unit; what earlier ones leave
  double *S;        // [k × n_u]  rates of the chosen ones
  int chosen;
} choice;

// W of a row over twists a [n_u], divided by `unit`
static void rates_along(const choice *h, const double *a, double unit, double *W)
{
  int n = h->c->n.n_u;
  for (int i = 0; i < h->c->k; i++) {
    W[i] = 0.0;
    for (int x = 0; x < n; x++) W[i] += h->N[i * n + x] * a[x] * measure(h->c, x) / unit;
  }
}

// Takes candidate w [k] out of all others.
static void take_out(const choice *h, const double *w, int n, double *W)
{
  int k = h->c->k;
  double len = mw_dot(k, w, w);
  for (int i = 0; i < n; i++)
    if (W + i * k != w) mw_axpy(k, -mw_dot(k, w, W + i * k) / len, w, W + i * k);
}

static void choose(choice *h, mw_chart_kind kind, int which, const double *row)
{
  mw_chart *c = h->c;
  int i = h->chosen++;
  c->kind[i] = kind;
  c->which[i] = which;
  memcpy(h->S + (size_t)i * (size_t)c->n.n_u, row, (size_t)c->n.n_u * sizeof *row);
  if (kind != MW_CHART_COORDINATE)
    memcpy(c->f + (size_t)i * (size_t)c->n.n_u, row, (size_t)c->n.n_u * sizeof *row);
}

// 0: named; 1: driven; 2: others; -1: held
static int class_of(const mw_chart *c, int coord)
{
  const mw_model *model = c->m->model;
  if (c->held && c->held[coord]) return -1;
  if (c->named && c->named[coord]) return 0;
  for (int d = 0; d < model->n_drive; d++)
    if (model->drive[d].joint >= 0 && c->m->joint[model->drive[d].joint].coord == coord) return 1;
  return 2;
}

// Joint coordinates of a class, the one with most freedom left first
static void choose_coordinates(choice *h, int class)
{
  mw_chart *c = h->c;
  int k = c->k;
  while (h->chosen < k) {
    int best = -1;
    double most = 1e-6;
    for (int s = 0; s < c->n.n_coord; s++) {
      double len = sqrt(mw_dot(k, h->W + s * k, h->W + s * k));
      if (class_of(c, s) != class || !(len > most * (1.0 + 1e-9))) continue;
      most = len;
      best = s;
    }
    if (best < 0) return;
    choose(h, MW_CHART_COORDINATE, best, c->Js + (size_t)best * (size_t)c->n.n_u);
    take_out(h, h->W + best * k, c->n.n_coord + k, h->W);
    memset(h->W + best * k, 0, (size_t)k * sizeof *h->W);
  }
}

static void choose_rotors(choice *h, double *row)
{
  mw_chart *c = h->c;
  const mw_model *model = c->m->model;
  int k = c->k, r = 0;
  double *w = h->W + (c->n.n_coord + k) * k;
  for (int d = 0; d < model->n_drive && h->chosen < k; d++) {
    if (!model->drive[d].rotor) continue;
    memset(row, 0, (size_t)c->n.n_u * sizeof *row);
    row[6 * c->n.n_body + r++] = 1.0;
    rates_along(h, row, 1.0, w);
    choose(h, MW_CHART_ROTOR, d, row);
    take_out(h, w, c->n.n_coord + k, h->W);
  }
}

// Directions that nothing named says: what is left of N, in units of 1
static void choose_directions(choice *h, double *row)
{
  mw_chart *c = h->c;
  int k = c->k, n = c->n.n_u, number = 0;
  double *W = h->W + c->n.n_coord * k;  // what is left of unit vectors
  while (h->chosen < k) {
    int best = 0;
    for (int i = 1; i < k; i++)
      if (mw_dot(k, W + i * k, W + i * k) > mw_dot(k, W + best * k, W + best * k) * (1.0 + 1e-9))
        best = i;
    double *w = W + best * k, len = sqrt(mw_dot(k, w, w));
    for (int i = 0; i < k; i++) w[i] /= len;
    for (int x = 0; x < n; x++) {
      row[x] = 0.0;
      for (int i = 0; i < k; i++) row[x] += w[i] * h->N[i * n + x] / measure(c, x);
    }
    choose(h, MW_CHART_FREE, ++number, row);
    take_out(h, w, k, W);
    memset(w, 0, (size_t)k * sizeof *w);
  }
}

static void swap(size_t n, double *a, double *b)
{
  for (size_t i = 0; i < n; i++) {
    double x = a[i];
    a[i] = b[i];
    b[i] = x;
  }
}

// Coordinates in the model's order, then rotors, then directions
static void sort(choice *h)
{
  mw_chart *c = h->c;
  size_t n = (size_t)c->n.n_u;
  for (int i = 0; i < c->k; i++)
    for (int j = i; j > 0; j--) {
      size_t a = (size_t)j - 1, b = (size_t)j;
      if (c->kind[a] < c->kind[b] || (c->kind[a] == c->kind[b] && c->which[a] < c->which[b])) break;
      mw_chart_kind kind = c->kind[a];
      int which = c->which[a];
      c->kind[a] = c->kind[b], c->which[a] = c->which[b];
      c->kind[b] = kind, c->which[b] = which;
      swap(n, h->S + a * n, h->S + b * n);
      swap(n, c->f + a * n, c->f + b * n);
    }
}

static mw_code choose_all(mw_chart *c, const double *N, mw_arena *tmp, mw_error *err)
{
  size_t k = (size_t)c->k, nc = (size_t)c->n.n_coord;
  choice h = { .c = c, .N = N, .S = c->S, .W = mw_arena_f64(tmp, (nc + k + 1) * k) };
  double *row = mw_arena_f64(tmp, (size_t)c->n.n_u);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  for (int s = 0; s < c->n.n_coord; s++)
    rates_along(&h, c->Js + (size_t)s * (size_t)c->n.n_u, unit_of(c, s), h.W + (size_t)s * k);
  for (size_t i = 0; i < k; i++) h.W[(nc + i) * k + i] = 1.0;
  choose_coordinates(&h, 0);
  choose_rotors(&h, row);
  choose_coordinates(&h, 1);
  choose_coordinates(&h, 2);
  choose_directions(&h, row);
  sort(&h);
  return MW_OK;
}

static mw_code names(mw_chart *c, mw_error *err)
{
  for (int i = 0; i < c->k; i++) {
    const char *name = "", *unit = "1";
    int w = c->which[i];
    if (c->kind[i] == MW_CHART_COORDINATE) {
      name = mw_arena_str(&c->place, mw_mech_coord_name(c->m, w));
      unit = mw_joint_unit(c->m->joint[c->m->coord_joint[w]].in);
    } else if (c->kind[i] == MW_CHART_ROTOR) {
      name = mw_arena_printf(&c->place, "rotor of %s", c->m->model->drive[w].name);
      unit = mw_joint_unit(c->m->joint[c->m->model->drive[w].joint].in);
    } else {
      name = mw_arena_printf(&c->place, "direction %d", w);
    }
    c->name[i] = name;
    c->unit[i] = unit;
  }
  return mw_arena_check(&c->place, err);
}

// ---- the pseudo-inverse -------------------------------------------------------------------------

// P of [J; S]
static mw_code pseudo_inverse(mw_chart *c, mw_arena *tmp, mw_error *err)
{
  size_t n = (size_t)c->n.n_u, rows = (size_t)c->n_row, k = (size_t)c->k, m = rows + k;
  double *A = mw_arena_f64(tmp, m * n), *norm = mw_arena_f64(tmp, m), *sv = mw_arena_f64(tmp, n),
         *U = mw_arena_f64(tmp, m * n), *V = mw_arena_f64(tmp, n * n);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  scaled_rows(c, A, norm);
  for (size_t i = 0; i < k; i++) {
    norm[rows + i] = c->kind[i] == MW_CHART_COORDINATE ? unit_of(c, c->which[i]) : 1.0;
    for (size_t x = 0; x < n; x++)
      A[(rows + i) * n + x] = c->S[i * n + x] * measure(c, (int)x) / norm[rows + i];
  }
  rc = mw_svd((int)m, (int)n, A, sv, U, V, err);
  if (rc == MW_OK && n > 0 && !(sv[n - 1] > RANK * sv[0]))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the position is singular: no coordinates say how the mechanism moves");
  for (size_t x = 0; rc == MW_OK && x < n; x++)
    for (size_t i = 0; i < m; i++) {
      double sum = 0.0;
      for (size_t l = 0; l < n; l++) sum += V[l * n + x] * U[i * n + l] / sv[l];
      c->P[x * m + i] = measure(c, (int)x) * sum / norm[i];
    }
  return rc;
}

// ---- opening ------------------------------------------------------------------------------------

// Where the rows of what is inside of components are in J.
static double *inside_rows(const mw_chart *c)
{
  return c->J + (size_t)c->n.n_row * (size_t)c->n.n_u;
}

static mw_code coordinates(mw_chart *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_rigid_dense d = { c->J, c->gamma, c->Js, c->bias };
  const double *N = NULL;
  int inside = 0;
  mw_rigid_matrices(c->r, c->w, c->t, c->q0, NULL, &d);
  mw_code rc = mw_rigid_inside_rows(c->r, c->w, c->t, c->q0, inside_rows(c), &inside, err);
  c->n_row = c->n.n_row + inside;
  if (rc == MW_OK) rc = null_space(c, &tmp, &N, err);
  size_t k = (size_t)c->k, n = (size_t)c->n.n_u;
  mw_arena_free(&c->place);
  if (rc == MW_OK) {
    c->kind = mw_arena_alloc(&c->place, k, sizeof *c->kind);
    c->which = mw_arena_int(&c->place, k);
    c->name = mw_arena_alloc(&c->place, k, sizeof *c->name);
    c->unit = mw_arena_alloc(&c->place, k, sizeof *c->unit);
    double **z[] = { &c->z0, &c->zd0, &c->z, &c->zd };
    for (int i = 0; i < 4; i++) *z[i] = mw_arena_f64(&c->place, k);
    c->f = mw_arena_f64(&c->place, k * n);
    c->S = mw_arena_f64(&c->place, k * n);
    c->P = mw_arena_f64(&c->place, n * ((size_t)c->n_row + k));
    rc = mw_arena_check(&c->place, err);
  }
  if (rc == MW_OK) rc = choose_all(c, N, &tmp, err);
  if (rc == MW_OK) rc = pseudo_inverse(c, &tmp, err);
  if (rc == MW_OK) rc = names(c, err);
  mw_arena_free(&tmp);
  return rc;
}

// z [k] at q, and ż [k] at q, v; v NULL: z alone
static void read_state(mw_chart *c, const double *q, const double *v, double *z, double *zd)
{
  size_t n = (size_t)c->n.n_u;
  mw_rigid_coords(c->r, c->w, q, v, c->s, v ? c->s_dot : NULL);
  for (int i = 0; i < c->n.n_q; i++) c->a[i] = q[i] - c->q0[i];
  mw_rigid_twist(c->r, c->q0, c->a, c->x);
  for (int i = 0; i < c->k; i++) {
    bool coord = c->kind[i] == MW_CHART_COORDINATE;
    z[i] = coord ? c->s[c->which[i]] : c->z0[i] + mw_dot((int)n, c->f + (size_t)i * n, c->x);
  }
  if (!v) return;
  mw_rigid_twist(c->r, c->q0, v, c->x);
  for (int i = 0; i < c->k; i++) {
    bool coord = c->kind[i] == MW_CHART_COORDINATE;
    zd[i] = coord ? c->s_dot[c->which[i]] : mw_dot((int)n, c->f + (size_t)i * n, c->x);
  }
}

mw_code mw_chart_put(mw_chart *c, const double *q, const double *v, const double *s, mw_error *err)
{
  size_t nq = (size_t)c->n.n_q;
  memmove(c->q0, q, nq * sizeof *q);
  memmove(c->s0, s, (size_t)c->n.n_coord * sizeof *s);
  if (v)
    memmove(c->v0, v, nq * sizeof *v);
  else
    memset(c->v0, 0, nq * sizeof *v);
  mw_rigid_accept_coords(c->r, c->w, c->s0);
  mw_rigid_hold(c->r, c->w, c->s0, NULL);
  mw_code rc = coordinates(c, err);
  if (rc != MW_OK) return rc;
  for (int i = 0, r = 0; i < c->k; i++)
    if (c->kind[i] == MW_CHART_ROTOR) c->z0[i] = c->q0[12 * c->n.n_body + r++];
  read_state(c, c->q0, c->v0, c->z0, c->zd0);
  return MW_OK;
}

static mw_code begin(mw_chart *c, const mw_linearize_at *at, mw_error *err)
{
  if (!at->q) mw_rigid_from_frames(c->r, at->position->p, c->q0);
  mw_rigid_masses(c->r, c->mass);
  mw_code rc = refuse_rolling(c, err);
  if (rc != MW_OK) return rc;
  return mw_chart_put(c, at->q ? at->q : c->q0, at->q ? at->v : NULL,
                      at->q ? at->s : at->position->s, err);
}

mw_code mw_chart_open(const mw_mech *m, const mw_linearize_at *at, mw_chart *out, mw_error *err)
{
  mw_rigid_opt opt = mw_rigid_opt_default();
  *out = (mw_chart){
    .m = m, .size = mw_mech_size(m), .t = at->t, .held = at->held, .named = at->named
  };
  mw_code rc = actions(out, at, err);
  opt.scenario = &out->sc;
  opt.locked = at->held;
  opt.small = true;
  opt.components = true;
  if (rc == MW_OK) rc = mw_rigid_build(m, &opt, &out->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(out->r, &out->w, err);
  if (rc != MW_OK) return rc;
  out->n = mw_rigid_sizes(out->r);
  rc = memory(out, err);
  return rc == MW_OK ? begin(out, at, err) : rc;
}

void mw_chart_close(mw_chart *c)
{
  mw_rigid_work_free(c->w);
  mw_rigid_free(c->r);
  mw_arena_free(&c->place);
  mw_arena_free(&c->mem);
  *c = (mw_chart){ 0 };
}

// ---- going there --------------------------------------------------------------------------------

// x [n_u] := P times gap; its largest entry, without unit
static double chord(mw_chart *c, double *x)
{
  size_t m = (size_t)c->n_row + (size_t)c->k;
  double most = 0.0;
  for (int i = 0; i < c->n.n_u; i++) {
    x[i] = -mw_dot((int)m, c->P + (size_t)i * m, c->gap);
    most = fmax(most, fabs(x[i]) / measure(c, i));
  }
  return most;
}

// (2) and (3): converged when corrections are rounding, and no longer fall; rest: what they may be
static bool done(int i, double step, double *before, double size)
{
  static const double ROUNDING = 1e-15, REST = 1e-12;
  bool small = step <= REST * size, still = step >= 0.5 * *before;
  *before = step;
  return step <= ROUNDING * size || (i > 1 && small && still);
}

static mw_code not_closed(double step, mw_error *err)
{
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "joints do not close beside the state: corrections stay at %.3g of the "
                 "mechanism's size",
                 step);
}

enum { CHORDS = 100 };

// Of what is inside of components, of rates u or (NULL) positions
static mw_code inside_gaps(mw_chart *c, const double *u, mw_error *err)
{
  const mw_rigid_inside in = { c->t, c->q, u, c->n_row - c->n.n_row, inside_rows(c) };
  return in.n_row > 0 ? mw_rigid_inside_gaps(c->r, c->w, &in, c->gap + c->n.n_row, err) : MW_OK;
}

static mw_code go_q(mw_chart *c, const double *z, mw_error *err)
{
  double before = INFINITY, step = INFINITY, *soft = c->g_soft;
  memcpy(c->q, c->q0, (size_t)c->n.n_q * sizeof *c->q);
  for (int i = 0; i < CHORDS; i++) {
    read_state(c, c->q, NULL, c->z, NULL);
    mw_rigid_rows(c->r, c->w, c->t, c->q, NULL, c->gap, NULL, soft, soft + c->n.n_soft);
    mw_code rc = inside_gaps(c, NULL, err);
    if (rc != MW_OK) return rc;
    for (int k = 0; k < c->k; k++) c->gap[c->n_row + k] = c->z[k] - z[k];
    step = chord(c, c->x);
    if (!isfinite(step) || step > 1.0) break;
    mw_rigid_move(c->r, c->q, c->x, c->q);
    if (done(i, step, &before, 1.0)) return MW_OK;
  }
  return not_closed(step, err);
}

static mw_code go_v(mw_chart *c, const double *zd, mw_error *err)
{
  double before = INFINITY, step = INFINITY, size = 1.0, *soft = c->g_soft;
  memset(c->u, 0, (size_t)c->n.n_u * sizeof *c->u);
  for (int i = 0; i < CHORDS; i++) {
    mw_rigid_rates(c->r, c->q, c->u, c->v);
    read_state(c, c->q, c->v, c->z, c->zd);
    mw_rigid_rows(c->r, c->w, c->t, c->q, c->u, NULL, c->gap, soft, soft + c->n.n_soft);
    mw_code rc = inside_gaps(c, c->u, err);
    if (rc != MW_OK) return rc;
    for (int k = 0; k < c->k; k++) c->gap[c->n_row + k] = c->zd[k] - (zd ? zd[k] : 0.0);
    step = chord(c, c->x);
    mw_axpy(c->n.n_u, 1.0, c->x, c->u);
    size = 0.0;
    for (int x = 0; x < c->n.n_u; x++) size = fmax(size, fabs(c->u[x]) / measure(c, x));
    if (!isfinite(step)) break;
    if (done(i, step, &before, fmax(size, 1e-300))) {
      mw_rigid_rates(c->r, c->q, c->u, c->v);
      return MW_OK;
    }
  }
  return not_closed(step, err);
}

mw_code mw_chart_go(mw_chart *c, const double *z, const double *zd, mw_error *err)
{
  mw_code rc = go_q(c, z, err);
  return rc == MW_OK ? go_v(c, zd, err) : rc;
}

void mw_chart_coords(mw_chart *c, double *s)
{
  mw_rigid_coords(c->r, c->w, c->q, NULL, c->s, NULL);
  if (s) memcpy(s, c->s, (size_t)c->n.n_coord * sizeof *s);
}

double mw_chart_unit(const mw_chart *c, int i)
{
  return c->kind[i] != MW_CHART_FREE && strcmp(c->unit[i], "m") == 0 ? c->size : 1.0;
}

mw_code mw_chart_accel(mw_chart *c, double *zdd, mw_error *err)
{
  size_t n = (size_t)c->n.n_u;
  const mw_rigid_dense d = { c->J, c->gamma, c->Js, c->bias };
  mw_code rc = mw_rigid_accel(c->r, c->w, c->t, c->q, c->v, c->a, err);
  if (rc != MW_OK) return rc;
  mw_rigid_twist(c->r, c->q, c->a, c->ud);
  mw_rigid_matrices(c->r, c->w, c->t, c->q, c->u, &d);
  mw_rigid_twist(c->r, c->q0, c->a, c->x);
  for (int i = 0; i < c->k; i++) {
    size_t s = (size_t)c->which[i];
    zdd[i] = c->kind[i] == MW_CHART_COORDINATE ? mw_dot((int)n, c->Js + s * n, c->ud) + c->bias[s]
                                               : mw_dot((int)n, c->f + (size_t)i * n, c->x);
  }
  return MW_OK;
}

void mw_chart_inertia(const mw_chart *c, double *T, double *M)
{
  size_t n = (size_t)c->n.n_u, rows = (size_t)c->n_row, k = (size_t)c->k, m = rows + k;
  for (size_t i = 0; i < k; i++)
    for (size_t x = 0; x < n; x++) T[i * n + x] = c->P[x * m + rows + i];
  for (size_t i = 0; i < k; i++)
    for (size_t j = 0; j < k; j++) {
      M[i * k + j] = 0.0;
      for (size_t x = 0; x < n; x++) M[i * k + j] += T[i * n + x] * c->mass[x] * T[j * n + x];
    }
}
