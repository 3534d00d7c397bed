// SPDX-License-Identifier: BSD-3-Clause
// patterns_weight.c: static patterns of what the weight's stiffness does to modes, where
// frequencies under the weight need them.
//
//   P = K⁻¹K_g ψ_a / √(ψ_aᵀKψ_a) ,  and once more  K⁻¹K_g P                                     (1)
// A load across a slender member couples its sway with its twist (Prandtl, Michell 1899): the modes
// of the machine without load and the patterns of its loads hold little of that, and K_g projected
// on them is wrong by as much as the frequencies. The columns that are missing are those of (1):
// perturbation of first and second order of mode a. Modes of the loaded machine would do as well at
// a grid point; but static compliance, receptances and proofs are those of the elastic machine, and
// machines that do not need (1), nearly all, keep their columns.
//
// At up to CHECKS grid points frequencies on modes and candidates are compared with those of the
// whole bases (loaded.c). Where one errs by more than PART × tolerance, candidates are taken, mode
// by mode and then a second time, each that takes GAIN of the sum of squared errors with it, until
// none errs by more.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "second/weight_layer.h"
#include "work/offline_layer.h"

enum { CHECKS = 3, ORDERS = 2 };
static const double PART = 0.2;   // of the tolerance of frequencies
static const double GAIN = 0.01;  // of the sum of squared errors

typedef struct check {  // a grid point
  mw_weight w;
  mw_ritz z;
  double *lambda;  // [n_want]  under the weight, on the whole bases
  double *C;       // [m_modes × n]  (1), of the order that is being tried
} check;

typedef struct trial {
  const mw_reduction *r;
  const mw_patterns *p;
  int n;  // checks
  check at[CHECKS];
  int n_taken, *mode, *order;  // [ORDERS × m_modes]
  mw_arena mem;
} trial;

bool mw_weight_known(const mw_mech *m) { return m->model->n_component == 0; }

bool mw_weight_counts(const mw_mech *m)
{
  return (mw_norm3(m->model->gravity) > 0.0 || mw_mech_sprung(m)) &&
         m->model->reduction.inertia == MW_INERTIA_FULL;
}

bool mw_rest_loads(const mw_reduction *r)
{
  bool any = mw_norm3(r->model->gravity) > 0.0;
  for (int g = 0; g < r->n_point; g++) any = any || r->point[g].q.loaded;
  return any;
}

const char *mw_rest_name(const mw_reduction *r)
{
  bool heavy = mw_norm3(r->model->gravity) > 0.0;
  for (int g = 0; g < r->n_point; g++)
    if (r->point[g].q.loaded) return heavy ? "gravity and springs" : "springs";
  return "gravity";
}

mw_code mw_weight_at(const mw_reduction *r, mw_system *sys, const mw_config *q,
                     const mw_weight_push *push, mw_weight *out, mw_error *err)
{
  mw_code rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  return rc == MW_OK ? mw_weight_build(sys, q, r->full, r->offline->fine.basis, push, out, err)
                     : rc;
}

// Rows of X [k × n] := K⁻¹K_g x
static mw_code respond(const mw_weight *w, mw_system *sys, int k, const double *X, double *out,
                       mw_error *err)
{
  mw_code rc = mw_weight_mul(w, k, X, out, err);
  return rc == MW_OK ? mw_system_solve_many(sys, k, out, out, err) : rc;
}

// (1) of mode x; scratch [n]
static void scaled(mw_system *sys, int n, const double *x, double *to, double *scratch)
{
  mw_system_mul_K(sys, x, scratch);
  double e = mw_dot(n, x, scratch);
  for (int i = 0; i < n; i++) to[i] = e > 0.0 ? x[i] / sqrt(e) : 0.0;
}

// ---- which --------------------------------------------------------------------------------------

// Relative error of frequency k; 1 where either side buckles and the other does not
static double error_of(double is, double of)
{
  if (!(of > 0.0) || !(is > 0.0)) return (of > 0.0) == (is > 0.0) ? 0.0 : 1.0;
  return fabs(sqrt(is / of) - 1.0);
}

// Largest error and sum of squares over all checks; the space holds what was tried.
static double errors(const trial *t, double *sum)
{
  double most = 0.0;
  *sum = 0.0;
  for (int i = 0; i < t->n; i++)
    for (int k = 0; k < t->r->n_want; k++) {
      double e = error_of(t->at[i].z.val[k], t->at[i].lambda[k]);
      most = fmax(most, e);
      *sum += e * e;
    }
  return most;
}

// V gains the candidates at pt, but for dampers, of which not all become columns; those of loads
// that θ holds are rounding, which keeps no joints.
static mw_code add_candidates(const mw_reduction *r, const mw_patterns *p, const mw_grid_point *pt,
                              mw_ritz *z, mw_error *err)
{
  static const double ROUNDING = 1e-16;  // of the largest strain energy
  mw_arena tmp = { 0 };
  size_t n = (size_t)r->n;
  double *X = mw_arena_f64(&tmp, (size_t)p->n * n), *Kx = mw_arena_f64(&tmp, n),
         *e = mw_arena_f64(&tmp, (size_t)p->n), most = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  int k = 0;
  for (int j = 0; rc == MW_OK && j < p->n; j++) {
    if (p->list[j].kind == MW_PATTERN_DAMPER) continue;
    mw_system_mul_K(pt->sys, pt->P + (size_t)j * n, Kx);
    e[j] = mw_dot(r->n, pt->P + (size_t)j * n, Kx);
    most = fmax(most, e[j]);
  }
  for (int j = 0; rc == MW_OK && j < p->n; j++)
    if (e[j] > ROUNDING * most) memcpy(X + (size_t)k++ * n, pt->P + (size_t)j * n, n * sizeof *X);
  if (rc == MW_OK) rc = mw_ritz_extend(z, k, X, err);
  mw_arena_free(&tmp);
  return rc;
}

// Check i of a trial
static mw_code open_check(void *ctx, int i, mw_error *err)
{
  trial *t = ctx;
  const mw_reduction *r = t->r;
  const mw_grid_point *pt = &r->point[mw_reduction_spread(r, i, t->n)];
  check *c = &t->at[i];
  int more = ORDERS * r->m_modes, steps = MW_RITZ_STEPS * r->n_want, own = r->m_modes + t->p->n;
  mw_ritz whole = { 0 };
  mw_code rc = mw_weight_at(r, pt->sys, &pt->q, NULL, &c->w, err);
  if (rc == MW_OK) rc = mw_ritz_init(pt->sys, &c->w, own + more, &c->z, err);
  if (rc == MW_OK) rc = mw_ritz_extend(&c->z, r->m_modes, pt->Psi, err);
  if (rc == MW_OK) rc = add_candidates(r, t->p, pt, &c->z, err);
  if (rc == MW_OK) rc = mw_ritz_init(pt->sys, &c->w, own + steps, &whole, err);
  if (rc == MW_OK) rc = mw_ritz_extend(&whole, c->z.size, c->z.V, err);
  if (rc == MW_OK) rc = mw_ritz_lowest(&whole, r->n_want, c->lambda, err);
  mw_ritz_free(&whole);
  return rc;
}

// C of all checks, of order 1 or 2
static mw_code respond_all(trial *t, int order, mw_error *err)
{
  const mw_reduction *r = t->r;
  size_t n = (size_t)r->n, mn = (size_t)r->m_modes * n;
  mw_arena tmp = { 0 };
  double *X = mw_arena_f64(&tmp, mn), *s = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < t->n; i++) {
    check *c = &t->at[i];
    const double *Psi = r->point[mw_reduction_spread(r, i, t->n)].Psi;
    for (int a = 0; order == 1 && a < r->m_modes; a++)
      scaled(c->z.sys, r->n, Psi + (size_t)a * n, X + (size_t)a * n, s);
    if (order > 1) memcpy(X, c->C, mn * sizeof *X);
    rc = respond(&c->w, c->z.sys, r->m_modes, X, c->C, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Takes mode a where it helps.
static mw_code try_mode(trial *t, int a, int order, double *most, double *sum, mw_error *err)
{
  int size[CHECKS];
  double now;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < t->n; i++) {
    size[i] = t->at[i].z.size;
    rc = mw_ritz_extend(&t->at[i].z, 1, t->at[i].C + (size_t)a * (size_t)t->r->n, err);
  }
  if (rc != MW_OK) return rc;
  double e = errors(t, &now);
  if (now < (1.0 - GAIN) * *sum) {
    t->mode[t->n_taken] = a;
    t->order[t->n_taken++] = order;
    *most = e;
    *sum = now;
    return MW_OK;
  }
  for (int i = 0; i < t->n; i++) t->at[i].z.size = size[i];
  return MW_OK;
}

static mw_code choose(trial *t, mw_error *err)
{
  const mw_reduction *r = t->r;
  double sum, limit = PART * r->model->reduction.tolerance, most = errors(t, &sum);
  mw_code rc = MW_OK;
  for (int order = 1; rc == MW_OK && order <= ORDERS && most > limit; order++) {
    rc = respond_all(t, order, err);
    for (int a = 0; rc == MW_OK && a < r->m_modes && most > limit; a++)
      rc = try_mode(t, a, order, &most, &sum, err);
  }
  return rc;
}

// ---- candidates ---------------------------------------------------------------------------------

mw_code mw_patterns_weight_build(const mw_reduction *r, const mw_patterns *p, mw_system *sys,
                                 const mw_config *q, const double *Psi, double *P, mw_error *err)
{
  int first = 0, k;
  while (first < p->n && p->list[first].kind != MW_PATTERN_WEIGHT) first++;
  if ((k = p->n - first) == 0) return MW_OK;
  mw_arena tmp = { 0 };
  mw_weight w = { 0 };
  size_t n = (size_t)r->n, kn = (size_t)k * n;
  double *X = mw_arena_f64(&tmp, kn), *Y = mw_arena_f64(&tmp, kn), *s = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_weight_at(r, sys, q, NULL, &w, err);
  for (int a = 0; rc == MW_OK && a < k; a++)
    scaled(sys, r->n, Psi + (size_t)p->list[first + a].index * n, X + (size_t)a * n, s);
  for (int order = 1; rc == MW_OK && order <= ORDERS; order++) {
    rc = respond(&w, sys, k, X, Y, err);
    for (int a = 0; rc == MW_OK && a < k; a++)
      if (p->list[first + a].axis == order)
        memcpy(P + (size_t)(first + a) * n, Y + (size_t)a * n, n * sizeof *P);
    memcpy(X, Y, kn * sizeof *X);
  }
  mw_weight_free(&w);
  mw_arena_free(&tmp);
  return rc;
}

// Room for the candidates behind those that there are, at a grid point.
static mw_code enlarge(const mw_reduction *r, int n_old, int n_new, mw_grid_point *pt,
                       mw_error *err)
{
  size_t n = (size_t)r->n, m = (size_t)r->m_modes, all = (size_t)n_new;
  mw_arena of_P = { 0 }, of_Psi = { 0 };
  double *P = mw_arena_f64(&of_P, all * n),
         *Psi = mw_arena_f64(&of_Psi, (m + all + MW_SPAN_SPARE) * n);
  mw_code rc = mw_arena_check(&of_P, err);
  if (rc == MW_OK) rc = mw_arena_check(&of_Psi, err);
  if (rc == MW_OK) {
    memcpy(P, pt->P, (size_t)n_old * n * sizeof *P);
    memcpy(Psi, pt->Psi, m * n * sizeof *Psi);
    pt->P = P;
    pt->Psi = Psi;
    mw_arena was = pt->mem_P;
    pt->mem_P = of_P;
    of_P = was;
    was = pt->mem_pass;
    pt->mem_pass = of_Psi;
    of_Psi = was;
  }
  mw_arena_free(&of_P);
  mw_arena_free(&of_Psi);
  return rc;
}

static mw_code take(mw_reduction *r, mw_patterns *p, const trial *t, mw_error *err)
{
  int n_old = p->n;
  mw_pattern *list = mw_arena_alloc(&p->mem, (size_t)(n_old + t->n_taken), sizeof *list);
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(list, p->list, (size_t)n_old * sizeof *list);
  p->list = list;
  for (int i = 0; i < t->n_taken; i++)
    list[p->n++] =
        (mw_pattern){ .kind = MW_PATTERN_WEIGHT,
                      .index = t->mode[i],
                      .axis = t->order[i],
                      .name = mw_arena_printf(&p->mem, "pattern weight on mode %d%s",
                                              t->mode[i] + 1, t->order[i] > 1 ? " again" : "") };
  rc = mw_arena_check(&p->mem, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    rc = enlarge(r, n_old, p->n, pt, err);
    if (rc == MW_OK) rc = mw_patterns_weight_build(r, p, pt->sys, &pt->q, pt->Psi, pt->P, err);
  }
  return rc;
}

mw_code mw_patterns_weight(mw_reduction *r, mw_patterns *p, mw_error *err)
{
  if (!mw_weight_counts(r->mech) || !mw_rest_loads(r)) return MW_OK;
  trial t = { .r = r, .p = p, .n = r->n_point < CHECKS ? r->n_point : CHECKS };
  size_t m = (size_t)r->m_modes;
  t.mode = mw_arena_int(&t.mem, ORDERS * m);
  t.order = mw_arena_int(&t.mem, ORDERS * m);
  for (int i = 0; i < t.n; i++) {
    t.at[i].lambda = mw_arena_f64(&t.mem, (size_t)r->n_want);
    t.at[i].C = mw_arena_f64(&t.mem, m * (size_t)r->n);
  }
  mw_code rc = mw_arena_check(&t.mem, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc == MW_OK) rc = mw_parallel(r->work, t.n, open_check, &t, err);
  if (rc == MW_OK) rc = choose(&t, err);
  if (rc == MW_OK && t.n_taken > 0) rc = take(r, p, &t, err);
  for (int i = 0; i < t.n; i++) {
    mw_ritz_free(&t.at[i].z);
    mw_weight_free(&t.at[i].w);
  }
  mw_arena_free(&t.mem);
  return rc;
}
