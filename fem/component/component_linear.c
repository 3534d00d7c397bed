// SPDX-License-Identifier: BSD-3-Clause
// component_linear.c: mass, stiffness and damping of a component at rest, from its interface alone.
//
//   ⟨u, v⟩ = (T(u + v) − T(u − v))/2         T: the kinetic energy, quadratic in rates         (1)
//   M_ij = ⟨N_i, N_j⟩ ,   F_i = ⟨N_i, a⟩     a: accelerations without wrenches from outside    (2)
//   K_ij = −∂F_i/∂x_j ,   C_ij = −∂F_i/∂ẋ_j  extrapolated differences (base/difference.h)      (3)
//
// (1) is taken of vectors with T = 1/2, so that no digits are lost beside heavy ones. (3) is the
// stiffness where a = 0 at rest, or where x are states and N does not change: else N turns with x
// and F has a part of that, which depends on what is outside. Weight is left out for that reason
// where frames are those of bodies; springs that are loaded are refused.
// Cost: 14 evaluations of the inside a way, each with 2 f energies; twice that with C.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/difference.h"
#include "component_priv.h"
#include "fem/component_linear.h"
#include "rigid/rigid_mech_layer.h"

// of the largest entry: differences reach 1e-10; friction, loaded springs and play err by 1e-3
static const double AGREE = 1e-6;

typedef struct probe {
  mw_component_at at;
  mw_component *c;
  mw_component_ways way;
  int n_frame, j;          // the way that is moved along
  bool rate;               // its rate is
  double *q0, *q, *v, *r;  // [12 n_frame]  frames; rates; of sums
  double *u, *f, *a;       // [n]  twists; no wrenches; accelerations
  double *s;               // [f]  1/√(2 T(N_i))
  double *reach;           // [f]  x that moves the border by the size, or by 1 rad
  double *d, *e;           // [f]  a column of (3), its errors
  mw_arena mem;
} probe;

static mw_code fail(const probe *p, mw_code code, const char *what, mw_error *err)
{
  return mw_fail(err, code, p->at.use->at, "component %.64s: %.300s", p->at.use->name, what);
}

// ---- opening ------------------------------------------------------------------------------------

mw_code mw_component_use_open(const mw_component *c, const mw_component_use *u,
                              const mw_component_in *in, void **one, mw_component_size *size,
                              mw_error *err)
{
  mw_code rc = mw_component_instance(c, in, u->at, one, err);
  if (rc != MW_OK) return rc;
  mw_component_calls_of(c)->size(*one, size);
  if (size->n_frame == u->size.n_frame && strcmp(size->hash, u->hash) == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, u->at,
                 "component %.64s: found %.160s changed since the model was read, expected the "
                 "same file",
                 u->name, u->file);
}

static mw_code memory(probe *p, mw_error *err)
{
  size_t k = 12 * (size_t)p->n_frame, n = 6 * (size_t)p->n_frame;
  double **frame[] = { &p->q0, &p->q, &p->v, &p->r }, **way[] = { &p->u, &p->f, &p->a },
         **all[] = { &p->s, &p->reach, &p->d, &p->e };  // n is the most ways
  for (int i = 0; i < 4; i++) *frame[i] = mw_arena_f64(&p->mem, k);
  for (int i = 0; i < 3; i++) *way[i] = mw_arena_f64(&p->mem, n);
  for (int i = 0; i < 4; i++) *all[i] = mw_arena_f64(&p->mem, n);
  return mw_arena_check(&p->mem, err);
}

// An instance where the bodies are at p [n_frame × 12]
static mw_code open_probe(probe *p, const mw_component_use *u, double size, bool weight,
                          const double *at, mw_error *err)
{
  mw_component_in in = u->in;
  mw_component_size is;
  *p = (probe){ .at = { .use = u, .size = size }, .n_frame = u->size.n_frame };
  in.size = size;
  if (!weight && u->size.n_state == 0) memset(in.gravity, 0, sizeof in.gravity);
  mw_code rc = memory(p, err);
  if (rc == MW_OK) rc = mw_component_open(u->file, u->at, &p->c, err);
  if (rc == MW_OK) rc = mw_component_use_open(p->c, u, &in, &p->at.one, &is, err);
  if (rc != MW_OK) return rc;
  p->at.call = mw_component_calls_of(p->c);
  for (int k = 0; k < p->n_frame; k++) mw_component_frame(&u->body[k], at + 12 * k, p->q0 + 12 * k);
  p->at.q = p->q0;
  p->at.call->accept(p->at.one, p->q0);
  return mw_component_ways_find(&p->at, &p->mem, &p->way, err);
}

static void close_probe(probe *p)
{
  if (p->at.one) mw_component_calls_of(p->c)->close(p->at.one);
  mw_component_close(p->c);
  mw_arena_free(&p->mem);
}

// ---- energy -------------------------------------------------------------------------------------

static void rates_of(const probe *p, const double *u, double *v)
{
  for (int k = 0; k < p->n_frame; k++) mw_frame_rates(p->q + 12 * k, u + 6 * k, v + 12 * k);
}

// T of twists u at p->q
static double kinetic(probe *p, const double *u)
{
  double T, V;
  rates_of(p, u, p->r);
  p->at.call->energy(p->at.one, p->at.t, p->q, p->r, &T, &V);
  return T;
}

// (1) of s N_i and b w
static double inner(probe *p, int i, const double *w, double b)
{
  double T[2];
  const double *N = p->way.N + (size_t)i * (size_t)p->way.n;
  for (int side = 0; side < 2; side++) {
    double by = side == 0 ? b : -b;
    for (int k = 0; k < p->way.n; k++) p->u[k] = p->s[i] * N[k] + by * w[k];
    T[side] = kinetic(p, p->u);
  }
  return 0.5 * (T[0] - T[1]);
}

static double border_moves(const probe *p, int i)
{
  const mw_component_size *z = &p->at.use->size;
  const double *N = p->way.N + (size_t)i * (size_t)p->way.n;
  double most = 0.0;
  int last = z->n_state > 0 ? z->state0 : p->n_frame;
  for (int k = 0; k < 6 * last; k++) most = fmax(most, fabs(N[k]) / (k % 6 < 3 ? p->at.size : 1.0));
  return most;
}

// Scales of the ways: by energy, and by what they move.
static mw_code scales(probe *p, mw_error *err)
{
  static const double LEAST = 1e-3;  // of the most: ways that the border hardly shows
  double most = 0.0;
  memcpy(p->q, p->q0, 12 * (size_t)p->n_frame * sizeof *p->q);
  for (int i = 0; i < p->way.f; i++) {
    double T = kinetic(p, p->way.N + (size_t)i * (size_t)p->way.n);
    if (!(T > 0.0)) return fail(p, MW_ERR_NUMERIC, "its inside moves in a way without mass", err);
    p->s[i] = 1.0 / sqrt(2.0 * T);
    p->reach[i] = border_moves(p, i);
    most = fmax(most, p->reach[i]);
  }
  for (int i = 0; i < p->way.f; i++)
    p->reach[i] = most > 0.0 ? 1.0 / fmax(p->reach[i], LEAST * most) : 1.0;
  return MW_OK;
}

static void masses(probe *p, double *M)
{
  size_t f = (size_t)p->way.f;
  memcpy(p->q, p->q0, 12 * (size_t)p->n_frame * sizeof *p->q);
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j <= i; j++) {
      const double *N = p->way.N + j * (size_t)p->way.n;
      M[i * f + j] = M[j * f + i] = inner(p, (int)i, N, p->s[j]) / (p->s[i] * p->s[j]);
    }
}

// ---- forces -------------------------------------------------------------------------------------

// a at p->q and rates p->v: friction that goes with normal forces is had with those of a.
static mw_code accelerations(probe *p, mw_error *err)
{
  enum { MOST = 100 };
  static const double TOL = 1e-12;  // of the largest normal force
  const mw_component_calls *call = p->at.call;
  char why[320] = "";
  double gap = call->load(p->at.one, p->at.t, p->q, p->v);
  if (call->factor(p->at.one, why, sizeof why) != 0 || isnan(gap))
    return fail(p, MW_ERR_NUMERIC, why[0] ? why : "its inside cannot be beside its position", err);
  for (int i = 0; i < MOST; i++) {
    double change = 0.0, largest = 0.0;
    call->solve(p->at.one, MW_COMPONENT_ACCELERATION, NULL, 0.0, p->f, p->a);
    call->normals(p->at.one, &change, &largest);
    if (change <= TOL * largest) return MW_OK;
  }
  return fail(p, MW_ERR_NUMERIC, "friction finds no balance with its normal force", err);
}

// F of (2), x along way j or its rate
static mw_code forces(void *ctx, double x, double *F, mw_error *err)
{
  probe *p = ctx;
  const double *N = p->way.N + (size_t)p->j * (size_t)p->way.n;
  for (int k = 0; k < p->way.n; k++) p->u[k] = x * N[k];
  for (int k = 0; k < p->n_frame; k++)
    if (p->rate)
      memcpy(p->q + 12 * k, p->q0 + 12 * k, 12 * sizeof *p->q);
    else
      mw_frame_move(p->q0 + 12 * k, p->u + 6 * k, p->q + 12 * k);
  memset(p->v, 0, 12 * (size_t)p->n_frame * sizeof *p->v);
  if (p->rate) rates_of(p, p->u, p->v);
  mw_code rc = accelerations(p, err);
  if (rc != MW_OK) return rc;
  double T = kinetic(p, p->a), by = T > 0.0 ? 1.0 / sqrt(2.0 * T) : 0.0;
  for (int i = 0; i < p->way.f; i++) F[i] = by > 0.0 ? inner(p, i, p->a, by) / (p->s[i] * by) : 0.0;
  return MW_OK;
}

// A column of (3)
static mw_code column(probe *p, mw_error *err)
{
  static const double FAR = 0.04, FAST = 1.0;  // of a rad or the size; of these in a second
  const mw_curve_at f = { forces, p, p->way.f };
  return mw_difference_within(&f, (p->rate ? FAST : FAR) * p->reach[p->j], p->d, p->e, err);
}

// A [f × f] := −∂F/∂x or −∂F/∂ẋ; its error over the largest entry, both times s_i s_j
static mw_code derivatives(probe *p, bool rate, double *A, double *error, mw_error *err)
{
  size_t f = (size_t)p->way.f;
  double most = 0.0, wrong = 0.0;
  mw_code rc = MW_OK;
  p->rate = rate;
  for (p->j = 0; rc == MW_OK && p->j < p->way.f; p->j++) {
    rc = column(p, err);
    for (size_t i = 0; rc == MW_OK && i < f; i++) {
      double by = p->s[i] * p->s[p->j];
      A[i * f + (size_t)p->j] = 0.0 - p->d[i];
      most = fmax(most, by * fabs(p->d[i]));
      wrong = fmax(wrong, by * p->e[i]);
    }
  }
  for (size_t i = 0; rc == MW_OK && i < f; i++)
    for (size_t j = 0; j < i; j++)
      wrong = fmax(wrong, p->s[i] * p->s[j] * fabs(A[i * f + j] - A[j * f + i]));
  *error = most > 0.0 ? wrong / most : 0.0;
  return rc;
}

// ---- stiffness ----------------------------------------------------------------------------------

// Are forces at rest more than what moving by REST takes?
static bool is_loaded(const probe *p, const double *K, const double *F)
{
  static const double REST = 1e-9;  // of the size, or rad, as of springs (mech_rigid.c)
  size_t f = (size_t)p->way.f;
  for (size_t i = 0; i < f; i++) {
    double most = 0.0;
    for (size_t j = 0; j < f; j++) most = fmax(most, fabs(K[i * f + j]) * p->reach[j]);
    if (fabs(F[i]) > REST * most) return true;
  }
  return false;
}

static mw_code stiffness(probe *p, mw_component_linear *o, mw_error *err)
{
  size_t f = (size_t)p->way.f;
  p->j = 0;
  p->rate = false;
  mw_code rc = f > 0 ? forces(p, 0.0, o->force, err) : MW_OK;
  if (rc == MW_OK) rc = derivatives(p, false, o->K, &o->error, err);
  if (rc != MW_OK) return rc;
  o->loaded = p->at.use->size.n_state == 0 && is_loaded(p, o->K, o->force);
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j < i; j++)
      o->K[i * f + j] = o->K[j * f + i] = 0.5 * (o->K[i * f + j] + o->K[j * f + i]);
  return MW_OK;
}

mw_code mw_component_linear_check(const mw_component_use *u, const mw_component_linear *l,
                                  mw_error *err)
{
  const probe p = { .at = { .use = u } };
  if (l->loaded)
    return fail(&p, MW_ERR_INPUT,
                "springs or forces inside are loaded at this position, and how they stiffen or "
                "soften it depends on what is outside; expected a position where they are at rest",
                err);
  if (l->error > AGREE)
    return fail(&p, MW_ERR_INPUT,
                "its forces do not follow small displacements as those of springs do (play, stops, "
                "a table's corner?), expected a position beside",
                err);
  return MW_OK;
}

// With the weight, F of the same ways
static mw_code weigh(const mw_component_use *u, double size, const double *at, double *F,
                     mw_error *err)
{
  probe p;
  mw_code rc = open_probe(&p, u, size, true, at, err);
  if (rc == MW_OK) rc = scales(&p, err);
  if (rc == MW_OK && p.way.f > 0) rc = forces(&p, 0.0, F, err);
  close_probe(&p);
  return rc;
}

static void copy(mw_arena *mem, size_t n, double **to, const double *from)
{
  *to = mw_arena_f64(mem, n);
  if (*to) memcpy(*to, from, n * sizeof **to);
}

mw_code mw_component_linear_find(const mw_component_use *u, double size, const double *at,
                                 mw_arena *mem, mw_component_linear *out, mw_error *err)
{
  probe p;
  mw_component_linear o = { .error = 0.0 };
  mw_code rc = open_probe(&p, u, size, false, at, err);
  size_t f = (size_t)p.way.f, n = (size_t)p.way.n;
  if (rc == MW_OK) {
    o.M = mw_arena_f64(mem, f * f);
    o.K = mw_arena_f64(mem, f * f);
    o.force = mw_arena_f64(mem, f);
    rc = mw_arena_check(mem, err);
  }
  if (rc == MW_OK) rc = scales(&p, err);
  if (rc == MW_OK) masses(&p, o.M);
  if (rc == MW_OK) rc = stiffness(&p, &o, err);
  if (rc == MW_OK && u->size.n_state == 0) rc = weigh(u, size, at, o.force, err);
  if (rc == MW_OK) {
    o.way = p.way;
    copy(mem, f * n, &o.way.N, p.way.N);
    copy(mem, f * n, &o.way.pick, p.way.pick);
    copy(mem, (n - f) * n, &o.way.rows, p.way.rows);
    rc = mw_arena_check(mem, err);
  }
  close_probe(&p);
  if (rc == MW_OK) *out = o;
  return rc;
}

mw_code mw_component_damping(const mw_component_use *u, double size, const double *at, double *C,
                             mw_error *err)
{
  probe p;
  double error = 0.0;
  mw_code rc = open_probe(&p, u, size, false, at, err);
  if (rc == MW_OK) rc = scales(&p, err);
  if (rc == MW_OK) rc = derivatives(&p, true, C, &error, err);
  if (rc == MW_OK && error > AGREE)
    rc = fail(&p, MW_ERR_INPUT,
              "its forces do not follow small rates as those of dampers do (friction?); expected "
              "none of such",
              err);
  close_probe(&p);
  return rc;
}

void mw_component_full(const mw_component_ways *way, const double *A, double *out)
{
  int n = way->n, f = way->f;
  memset(out, 0, (size_t)n * (size_t)n * sizeof *out);
  for (int i = 0; i < f; i++)
    for (int j = 0; j < f; j++)
      for (int x = 0; x < n; x++)
        if (way->pick[i * n + x] != 0.0)
          mw_axpy(n, A[i * f + j] * way->pick[i * n + x], way->pick + j * n, out + x * n);
}
