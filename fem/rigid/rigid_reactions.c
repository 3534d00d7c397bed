// SPDX-License-Identifier: BSD-3-Clause
// rigid_reactions.c: what the constraints do: residuals, redundant rows, reactions.
//
// Reactions of least norm: (J M⁻¹ Jᵀ + ε D) λ_{k+1} = r + ε D λ_k from λ = 0, D the rows' own
// diagonal; the part of λ that exerts nothing stays zero, the rest converges like ε.            (1)
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "rigid_mech_layer.h"

void mw_rigid_residuals(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                        const double *v, const double *a, mw_rigid_residual *out)
{
  *out = (mw_rigid_residual){ 0 };
  mw_rigid_kin(r, w, q, v);
  mw_rigid_eval(r, w, t, q + 12 * r->n.n_body, 0, r->n_hard);
  double *u = w->f, *u_dot = w->f + r->n.n_u;
  mw_rigid_twist(r, q, v, u);
  mw_rigid_twist(r, q, a, u_dot);
  for (int i = 0; i < r->n_hard; i++) {
    double rate[LD], acc[LD];
    mw_rigid_node_rate(r, w, i, u, rate);
    mw_rigid_node_rate(r, w, i, u_dot, acc);
    for (int c = 0; c < r->node[i].n; c++) {
      out->position = fmax(out->position, fabs(w->g[i * LD + c]));
      out->velocity = fmax(out->velocity, fabs(rate[c] + w->gt[i * LD + c]));
      out->acceleration = fmax(out->acceleration, fabs(acc[c] - w->gamma[i * LD + c]));
    }
  }
  for (int b = 0; b < r->n.n_body; b++) {
    const double *E = q + 12 * b + 3, *Ed = v + 12 * b + 3;
    for (int i = 0; i < 3; i++)
      for (int j = i; j < 3; j++) {
        double g = 0.0, gd = 0.0;
        for (int k = 0; k < 3; k++) {
          g += E[3 * k + i] * E[3 * k + j];
          gd += E[3 * k + i] * Ed[3 * k + j] + Ed[3 * k + i] * E[3 * k + j];
        }
        out->position = fmax(out->position, fabs(i == j ? 0.5 * (g - 1.0) : g));
        out->velocity = fmax(out->velocity, fabs(i == j ? 0.5 * gd : gd));
      }
  }
  mw_rigid_components_residual(r, w, t, q, v, a, out);
}

int mw_rigid_redundant(const mw_rigid *r, const mw_rigid_work *w, int *rows)
{
  int first = r->n.n_body + r->n.n_rotor, n = 0;
  if (rows) memset(rows, 0, (size_t)r->m->n_joint * sizeof(int));
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++)
      if (w->hard.inv[(first + i) * LD + c] == 0.0) {
        n++;
        if (rows && r->node[i].joint >= 0) rows[r->node[i].joint]++;
      }
  return n;
}

int mw_rigid_changes(const mw_rigid_work *w) { return w->changes; }

// (1), refined until nothing changes
static mw_code least_norm(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  enum { ITER_MAX = 8 };
  // ε lets the part that exerts nothing grow by rounding over ε, and is the contraction of the rest
  static const double EPS = 1e-5, TOL = 1e-12;
  int first = r->n.n_body + r->n.n_rotor;
  size_t n = (size_t)r->n_hard * LD;
  mw_arena tmp = { 0 };
  double *f = mw_arena_f64(&tmp, (size_t)r->n.n_u), *c = mw_arena_f64(&tmp, n),
         *sum = mw_arena_f64(&tmp, n), *d = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  // Jᵀ λ of what was found is kept: S λ = J M⁻¹ (Jᵀ λ) =: c
  for (int i = 0; rc == MW_OK && i < r->n_hard; i++)
    mw_rigid_node_pull(r, w, i, w->lambda + i * LD, f);
  if (rc == MW_OK) rc = mw_rigid_factor(r, w, EPS, err);
  if (rc == MW_OK) memcpy(d, w->diag + first * LD, n * sizeof(double));
  for (int k = 0; rc == MW_OK && k < ITER_MAX; k++) {
    // M x + Jᵀ λ = −f , J x − ε D (λ − λ_k) = 0  for  −f = Jᵀ λ_found: x → 0
    double largest = 0.0, change = 0.0;
    for (size_t i = 0; i < (size_t)r->n.n_u; i++) f[i] = -f[i];
    for (size_t i = 0; i < n; i++) c[i] = -d[i] * sum[i];
    mw_rigid_load(r, w->x, f, c);
    mw_rigid_solve(r, w, w->x);
    for (size_t i = 0; i < (size_t)r->n.n_u; i++) f[i] = -f[i];
    for (size_t i = 0; i < n; i++) {
      double l = w->x[(size_t)first * LD + i];
      change = fmax(change, fabs(l - sum[i]));
      largest = fmax(largest, fabs(l));
      sum[i] = l;
    }
    if (change <= TOL * largest) break;
  }
  if (rc == MW_OK) memcpy(w->lambda, sum, n * sizeof(double));
  mw_arena_free(&tmp);
  return rc;
}

// The joint's wrench on b at its point: −Jᵀ λ of side b, turned to ground axes and moved there.
static void node_wrench(const mw_rigid *r, const mw_rigid_work *w, int i, double *wrench)
{
  const mw_rnode *p = &r->node[i];
  const mw_joint *j = &r->m->joint[p->joint];
  int slot = r->slot[j->b], other = r->slot[j->a];
  bool on_b = slot < r->n.n_body;
  if (!on_b) slot = other;
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    if (r->touch[k] != slot) continue;
    double F[3] = { 0.0 }, T[3] = { 0.0 }, Y[3], x[3];
    for (int c = 0; c < p->n; c++)
      for (int x3 = 0; x3 < 3; x3++) {
        F[x3] -= w->Jt[k][x3 * LD + c] * w->lambda[i * LD + c];
        T[x3] -= w->Jt[k][(3 + x3) * LD + c] * w->lambda[i * LD + c];
      }
    mw_rigid_local(r, slot, on_b ? j->Xb : j->Xa, Y);
    mw_cross3(Y, F, x);
    for (int c = 0; c < 3; c++) T[c] -= x[c];
    mw_mul33v(w->kin[slot].E, F, F);
    mw_mul33v(w->kin[slot].E, T, T);
    for (int c = 0; c < 3; c++) {
      wrench[c] += on_b ? F[c] : -F[c];
      wrench[3 + c] += on_b ? T[c] : -T[c];
    }
  }
}

mw_code mw_rigid_reactions(const mw_rigid *r, mw_rigid_work *w, double *wrench, mw_error *err)
{
  mw_code rc = w->owed ? mw_rigid_articulated_reactions(r, w, err) : MW_OK;
  if (rc == MW_OK && w->hard.n_dropped > 0) rc = least_norm(r, w, err);
  memset(wrench, 0, 6 * (size_t)r->m->n_joint * sizeof(double));
  for (int i = 0; rc == MW_OK && i < r->n_node; i++)
    if (r->node[i].joint >= 0) node_wrench(r, w, i, wrench + 6 * r->node[i].joint);
  return rc;
}
