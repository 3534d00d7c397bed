// SPDX-License-Identifier: BSD-3-Clause
// rigid_plant.c: the rigid mechanism between two samples of its controllers, linearized where a
// scenario starts, at rest.
//
//   q(z) on the constraints, along B z ;  rates B w ,  BᵀMB = 1 ,  J B = 0                    (1)
//   z' = w ,  w' = BᵀM v̂'(q(z), B w, f) = A_z z + A_w w + B_f f                               (2)
//   f0 = argmin |w'(0, 0, f)|:  what holds the mechanism where it starts, as well as the drives
//       of controllers can                                                                  (4)
//   [ x⁺ ]         [ A  B_f ]
//   [ f  ] = exp(T [ 0  0   ]) [ x ; f ]                                                      (3)
// Derivatives are central differences of accelerations (f: one difference, exact). Positions are
// taken in units of 1/ω, ω² = |A_z|, which keeps (3) small. Columns of B are what the projection
// onto the constraints leaves of numbers at random, made orthonormal. Frames of components have no
// mass of their own: any metric does for (1), theirs is a unit one. Cost: 4 n accelerations, n³.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "rigid_path_layer.h"
#include "run/stability_layer.h"
#include "sim/rigidrun.h"

static const double EPS = 1e-6;  // m or rad (1/s): differences

typedef struct plant {
  mw_rigid_sim s;  // the scenario's start
  mw_scenario sc;  // controllers hold forces
  mw_rigid *r;     // of small motions
  mw_rigid_work *w;
  int n;              // degrees of freedom
  double *B;          // [n × n_u]  row k: column k of (1)
  double *MB;         // [n × n_u]
  double *q, *v, *a;  // [n_q]
  double *u;          // [n_u]
  double *v0;         // [n_q]  rates that prescribed positions ask for
  double *z, *lo;     // [n + 4 n_drive]  w' and y at a state
  double *A;          // [2n × 2n]
  double *Bf;         // [2n × n_drive]
} plant;

// ---- setup --------------------------------------------------------------------------------------

// The scenario with constant forces, none yet, in the place of controllers
static mw_code hold(plant *p, const mw_scenario *sc, mw_arena *mem, mw_error *err)
{
  p->sc = *sc;
  p->sc.action = mw_arena_alloc(mem, (size_t)sc->n_action, sizeof *sc->action);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < sc->n_action; k++) {
    mw_action *a = &p->sc.action[k];
    *a = sc->action[k];
    if (a->kind != MW_ACTION_CONTROL) continue;
    a->kind = MW_ACTION_FORCE;
    a->signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT };
  }
  return rc;
}

static mw_code begin(plant *p, const mw_mech *m, const mw_scenario *sc, mw_arena *mem,
                     mw_error *err)
{
  mw_rigid_sim *s = &p->s;
  mw_code rc = mw_rigid_sim_init(m, sc, mw_rigid_run_opt_default(sc).rigid, s, err);
  if (rc == MW_OK) rc = mw_rigid_start(s, err);
  if (rc != MW_OK) return rc;
  rc = hold(p, sc, mem, err);
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.scenario = &p->sc;
  opt.small = true;
  opt.components = true;
  if (rc == MW_OK) rc = mw_rigid_build(m, &opt, &p->r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(p->r, &p->w, err);
  if (rc != MW_OK) return rc;
  mw_rigid_accept_coords(p->r, p->w, mw_rigid_accepted(s->w));
  size_t nq = (size_t)s->n.n_q;
  p->q = mw_arena_f64(mem, nq);
  p->v = mw_arena_f64(mem, nq);
  p->a = mw_arena_f64(mem, nq);
  p->v0 = mw_arena_f64(mem, nq);
  p->u = mw_arena_f64(mem, (size_t)s->n.n_u);
  rc = mw_arena_check(mem, err);
  return rc == MW_OK ? mw_rigid_project_v(p->r, p->w, 0.0, s->q, p->v0, true, err) : rc;
}

// ---- directions ---------------------------------------------------------------------------------

static double dot(const mw_rigid_sim *s, const double *x, const double *y)
{
  return mw_dot(s->n.n_u, x, y);
}

// The component that frame b of the mechanism is of, NULL: none; k: which of its frames.
static const mw_component_use *component_at(const mw_rigid_sim *s, int b, int *k)
{
  int body = mw_rigid_bodies(s->r)[b].body;
  const mw_component_use *u = mw_model_component_of(s->m->model, body);
  *k = u ? body - u->body0 : 0;
  return u;
}

// f := G u, the mass, and of frames of components lengths over the size
static void metric(const mw_rigid_sim *s, const double *u, double *f)
{
  mw_rigid_sim_mass(s, u, f);
  for (int b = 0, k; b < s->n.n_body; b++)
    for (int i = 0; component_at(s, b, &k) && i < 6; i++)
      f[6 * b + i] = u[6 * b + i] * (i < 3 ? 1.0 : s->size * s->size);
}

// Takes out of u what frames that carry states have beyond these.
static void leave_states(const mw_rigid_sim *s, double *u)
{
  for (int b = 0, k; b < s->n.n_body; b++) {
    const mw_component_use *c = component_at(s, b, &k);
    if (!c || c->size.n_state == 0 || k < c->size.state0) continue;
    for (int i = 0; i < 6; i++)
      if (i > 2 || 3 * (k - c->size.state0) + i >= c->size.n_state) u[6 * b + i] = 0.0;
  }
}

// Rows inside of components at the start
static mw_code inside(plant *p, int *n_row, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t rows = (size_t)mw_rigid_inside_most(p->r);
  double *J = mw_arena_f64(&tmp, rows * (size_t)p->s.n.n_u);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rigid_inside_rows(p->r, p->w, 0.0, p->s.q, J, n_row, err);
  mw_arena_free(&tmp);
  return rc;
}

// b made orthonormal in M to the k directions before, twice; false: it depends on them.
static bool orthonormal(plant *p, int k)
{
  size_t nu = (size_t)p->s.n.n_u;
  double *b = p->B + (size_t)k * nu, *Mb = p->MB + (size_t)k * nu;
  metric(&p->s, b, Mb);
  double before = dot(&p->s, b, Mb);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < k; i++)
      mw_axpy((int)nu, -dot(&p->s, b, p->MB + (size_t)i * nu), p->B + (size_t)i * nu, b);
  metric(&p->s, b, Mb);
  double left = dot(&p->s, b, Mb);
  if (!(left > 1e-12 * before)) return false;
  for (size_t i = 0; i < nu; i++) {
    b[i] /= sqrt(left);
    Mb[i] /= sqrt(left);
  }
  return true;
}

static mw_code directions(plant *p, mw_arena *mem, mw_error *err)
{
  enum { MOST = 200 };
  const mw_rigid_sim *s = &p->s;
  size_t nu = (size_t)s->n.n_u, nq = (size_t)s->n.n_q;
  unsigned seed = 1;
  mw_code rc = MW_OK;
  int n_row = 0, redundant = mw_rigid_redundant(p->r, p->w, NULL);
  if (s->m->model->n_component > 0) rc = inside(p, &n_row, err);
  if (rc != MW_OK) return rc;
  p->n = s->n.n_u - s->n.n_row + redundant - n_row;
  if (p->n > MOST)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d degrees of freedom, at most %d are judged",
                   p->n, MOST);
  p->B = mw_arena_f64(mem, (size_t)p->n * nu);
  p->MB = mw_arena_f64(mem, (size_t)p->n * nu);
  rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < p->n; k++) {
    double *b = p->B + (size_t)k * nu;
    for (size_t i = 0; i < nu; i++) {
      seed = seed * 1664525u + 1013904223u;
      b[i] = (double)(seed >> 8) / 16777216.0 - 0.5;
    }
    leave_states(s, b);
    mw_rigid_rates(p->r, s->q, b, p->v);
    for (size_t i = 0; i < nq; i++) p->v[i] += p->v0[i];
    rc = mw_rigid_project_v(p->r, p->w, 0.0, s->q, p->v, s->m->model->n_component > 0, err);
    for (size_t i = 0; i < nq; i++) p->v[i] -= p->v0[i];
    mw_rigid_twist(p->r, s->q, p->v, b);
    if (rc == MW_OK && !orthonormal(p, k))
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%d degrees of freedom, found %d", p->n, k);
  }
  return rc;
}

// ---- derivatives --------------------------------------------------------------------------------

// w' and y at the state x off along direction k, its rates off by w, into z [n + 4 n_drive]
static mw_code look(plant *p, int k, double x, double w, double *z, mw_error *err)
{
  enum { ITERATIONS = 20 };
  const mw_rigid_sim *s = &p->s;
  int nd = s->n.n_drive;
  size_t nu = (size_t)s->n.n_u;
  double gap = 0.0;
  for (size_t i = 0; i < nu; i++) p->u[i] = x * p->B[(size_t)k * nu + i];
  mw_rigid_move(p->r, s->q, p->u, p->q);
  mw_code rc = mw_rigid_project_q(p->r, p->w, 0.0, p->q, 1e-14, ITERATIONS, true, &gap, err);
  for (size_t i = 0; i < nu; i++) p->u[i] = w * p->B[(size_t)k * nu + i];
  mw_rigid_rates(p->r, p->q, p->u, p->v);
  if (rc == MW_OK) rc = mw_rigid_project_v(p->r, p->w, 0.0, p->q, p->v, true, err);
  if (rc == MW_OK) rc = mw_rigid_accel(p->r, p->w, 0.0, p->q, p->v, p->a, err);
  if (rc != MW_OK) return rc;
  mw_rigid_twist(p->r, p->q, p->a, p->u);
  for (int i = 0; i < p->n; i++) z[i] = dot(s, p->MB + (size_t)i * nu, p->u);
  rc = mw_rigid_sample(p->r, p->w, 0.0, p->q, p->v, err);
  const mw_control *c = mw_rigid_control(p->w);
  const double *seen[] = { c->s, c->s_dot, c->e, c->e_dot };
  for (int i = 0; i < 4 * nd; i++) z[p->n + i] = seen[i / nd][i % nd];
  return rc;
}

// Column k of A_z and C (of A_w with rates)
static mw_code column(plant *p, int k, bool rates, double *C, mw_error *err)
{
  size_t nu = (size_t)p->s.n.n_u, n = (size_t)p->n, nx = 2 * n, at = (size_t)k + (rates ? n : 0);
  size_t ny = 4 * (size_t)p->s.n.n_drive;
  double most = 0.0;
  for (size_t i = 0; i < nu; i++) most = fmax(most, fabs(p->B[(size_t)k * nu + i]));
  double d = EPS / most;
  mw_code rc = look(p, k, rates ? 0.0 : d, rates ? d : 0.0, p->z, err);
  if (rc == MW_OK) rc = look(p, k, rates ? 0.0 : -d, rates ? -d : 0.0, p->lo, err);
  if (rc != MW_OK) return rc;
  for (size_t i = 0; i < n; i++) p->A[(n + i) * nx + at] = 0.5 * (p->z[i] - p->lo[i]) / d;
  for (size_t i = 0; i < ny; i++) C[i * nx + at] = 0.5 * (p->z[n + i] - p->lo[n + i]) / d;
  return MW_OK;
}

// B_f: w' at one newton more less that at the forces held
static mw_code forces(plant *p, mw_error *err)
{
  size_t n = (size_t)p->n, nd = (size_t)p->s.n.n_drive;
  mw_code rc = look(p, 0, 0.0, 0.0, p->lo, err);
  for (int k = 0; rc == MW_OK && k < p->sc.n_action; k++) {
    mw_action *a = &p->sc.action[k];
    if (a->kind != MW_ACTION_FORCE || a->signal.kind != MW_SIGNAL_CONSTANT) continue;
    a->signal.a += 1.0;
    rc = look(p, 0, 0.0, 0.0, p->z, err);
    a->signal.a -= 1.0;
    for (size_t i = 0; rc == MW_OK && i < n; i++)
      p->Bf[(n + i) * nd + (size_t)a->drive] = p->z[i] - p->lo[i];
  }
  return rc;
}

// (4) into the scenario of p, with B_f and w' at rest without forces of controllers in p->lo
static mw_code rest(plant *p, const mw_scenario *sc, mw_arena *tmp, mw_error *err)
{
  static const double RANK = 1e-9;
  int n_c = 0, rank;
  size_t nd = (size_t)p->s.n.n_drive, n = (size_t)p->n;
  double *G = mw_arena_f64(tmp, n * nd), *b = mw_arena_f64(tmp, n), *f = mw_arena_f64(tmp, nd);
  mw_code rc = mw_arena_check(tmp, err);
  for (int k = 0; k < sc->n_action; k++) n_c += sc->action[k].kind == MW_ACTION_CONTROL;
  if (rc != MW_OK || n_c == 0) return rc;
  for (int k = 0, i = 0; k < sc->n_action; k++) {
    if (sc->action[k].kind != MW_ACTION_CONTROL) continue;
    for (size_t j = 0; j < n; j++)
      G[j * (size_t)n_c + (size_t)i] = p->Bf[(n + j) * nd + (size_t)sc->action[k].drive];
    i++;
  }
  for (size_t j = 0; j < n; j++) b[j] = -p->lo[j];
  rc = mw_lstsq(p->n, n_c, G, b, RANK, f, &rank, err);
  for (int k = 0, i = 0; rc == MW_OK && k < sc->n_action; k++)
    if (sc->action[k].kind == MW_ACTION_CONTROL) p->sc.action[k].signal.a = f[i++];
  return rc;
}

// (3), from A, B_f in p; C is brought to the units of positions
static mw_code exact(plant *p, double T, mw_arena *tmp, mw_plant *out, mw_error *err)
{
  size_t n = (size_t)p->n, nx = 2 * n, nd = (size_t)p->s.n.n_drive, N = nx + nd;
  double *E = mw_arena_f64(tmp, N * N), *G = mw_arena_f64(tmp, N * N), norm = 0.0;
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  for (size_t i = n; i < nx; i++) {
    double sum = 0.0;
    for (size_t j = 0; j < n; j++) sum += fabs(p->A[i * nx + j]);
    norm = fmax(norm, sum);
  }
  double w = fmax(1.0, sqrt(norm));
  for (size_t i = 0; i < n; i++) G[i * N + n + i] = T * w;
  for (size_t i = n; i < nx; i++) {
    for (size_t j = 0; j < nx; j++) G[i * N + j] = T * p->A[i * nx + j] / (j < n ? w : 1.0);
    for (size_t j = 0; j < nd; j++) G[i * N + nx + j] = T * p->Bf[i * nd + j];
  }
  rc = mw_exp_any((int)N, G, E, err);
  for (size_t i = 0; rc == MW_OK && i < nx; i++) {
    memcpy(out->X + i * nx, E + i * N, nx * sizeof *E);
    memcpy(out->U + i * nd, E + i * N + nx, nd * sizeof *E);
  }
  for (size_t i = 0; i < 4 * nd; i++)
    for (size_t j = 0; j < n; j++) out->C[i * nx + j] /= w;
  return rc;
}

static mw_code linearize(plant *p, const mw_scenario *sc, double T, mw_arena *mem, mw_arena *tmp,
                         mw_plant *out, mw_error *err)
{
  size_t n = (size_t)p->n, nx = 2 * n, nd = (size_t)p->s.n.n_drive;
  *out = (mw_plant){ .n_x = (int)nx,
                     .n_u = (int)nd,
                     .X = mw_arena_f64(mem, nx * nx),
                     .U = mw_arena_f64(mem, nx * nd),
                     .C = mw_arena_f64(mem, 4 * nd * nx) };
  p->A = mw_arena_f64(tmp, nx * nx);
  p->Bf = mw_arena_f64(tmp, nx * nd);
  p->z = mw_arena_f64(tmp, n + 4 * nd);
  p->lo = mw_arena_f64(tmp, n + 4 * nd);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_arena_check(tmp, err);
  if (rc == MW_OK && n > 0) rc = forces(p, err);
  if (rc == MW_OK && n > 0) rc = rest(p, sc, tmp, err);
  for (int k = 0; rc == MW_OK && k < 2 * p->n; k++)
    rc = column(p, k % p->n, k >= p->n, out->C, err);
  return rc == MW_OK ? exact(p, T, tmp, out, err) : rc;
}

mw_code mw_rigid_plant(const mw_mech *m, const mw_scenario *sc, double period, mw_arena *mem,
                       mw_plant *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  plant p = { 0 };
  mw_code rc = begin(&p, m, sc, &tmp, err);
  if (rc == MW_OK) rc = directions(&p, &tmp, err);
  if (rc == MW_OK) rc = linearize(&p, sc, period, mem, &tmp, out, err);
  mw_rigid_work_free(p.w);
  mw_rigid_free(p.r);
  if (p.s.r) mw_rigid_sim_free(&p.s);
  mw_arena_free(&tmp);
  return rc;
}
