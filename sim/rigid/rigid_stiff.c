// SPDX-License-Identifier: BSD-3-Clause
// rigid_stiff.c: Newton's matrix of implicit adaptive methods, by the mechanism's own elimination.
//
// Of y' = f(t, y), y = (q, v), f = (v, a(t, q, v)), what springs, dampers, friction and stops give
// of ∂f/∂y; z = (1 − γ ∂f/∂y)⁻¹ r, r = (r_q, r_v), z = (δq, δv):
//
//   δq − γ δv = r_q ,  M δv + γ Jsᵀ (k Js δq + c Js δv) + Jᵀ λ = M r_v ,  J δv = J r_v          (1)
//   ⇒  (γ⁻² M + Jsᵀ (k + c/γ) Js) δv + Jᵀ λ' = γ⁻² M r_v − γ⁻¹ Jsᵀ k Js r_q
//
// What the mechanism's own motion gives (gyroscopic terms, turning directions of forces) is left
// out. No matrix is formed.
#include "rigid_stiff_priv.h"

#include <string.h>

mw_code mw_rigid_stiff_build(const mw_rigid_sim *s, mw_rigid_stiff *out, mw_error *err)
{
  size_t nq = (size_t)s->n.n_q, nu = (size_t)s->n.n_u, nr = (size_t)s->n.n_row;
  size_t ns = (size_t)s->n.n_soft;
  mw_rigid_stiff p = { .s = s };
  double **u[] = { &p.uq, &p.uv, &p.f }, **row[] = { &p.row, &p.row0, &p.lam };
  double **soft[] = { &p.soft, &p.soft0, &p.soft2 };
  p.q = mw_arena_f64(&p.mem, nq);
  p.v = mw_arena_f64(&p.mem, nq);
  for (int i = 0; i < 3; i++) {
    *u[i] = mw_arena_f64(&p.mem, nu);
    *row[i] = mw_arena_f64(&p.mem, nr);
    *soft[i] = mw_arena_f64(&p.mem, ns);
  }
  for (int j = 0; j < s->m->n_joint; j++) p.friction |= s->m->joint[j].in->friction.present;
  mw_code rc = mw_arena_check(&p.mem, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(s->r, &p.w, err);
  if (rc == MW_OK)
    *out = p;
  else
    mw_rigid_stiff_free(&p);
  return rc;
}

void mw_rigid_stiff_free(mw_rigid_stiff *p)
{
  mw_rigid_work_free(p->w);
  mw_arena_free(&p->mem);
  *p = (mw_rigid_stiff){ 0 };
}

void mw_rigid_stiff_begin(mw_rigid_stiff *p)
{
  mw_rigid_accept_coords(p->s->r, p->w, mw_rigid_accepted(p->s->w));
}

void mw_rigid_stiff_accept(mw_rigid_stiff *p, const double *q)
{
  mw_rigid_accept(p->s->r, p->w, q);
}

void mw_rigid_stiff_factor(mw_rigid_stiff *p, double t, const double *y, double gamma)
{
  const mw_rigid_sim *s = p->s;
  const double *q = y, *v = y + s->n.n_q;
  mw_error ignored;
  // reactions that joints rub by; where there are none, those last known do
  if (p->friction) (void)!mw_rigid_accel(s->r, p->w, t, q, v, p->v, &ignored);
  memset(p->f, 0, (size_t)s->n.n_u * sizeof(double));
  mw_rigid_rows(s->r, p->w, t, q, p->f, p->row, p->row0, p->soft, p->soft0);
  memcpy(p->q, q, (size_t)s->n.n_q * sizeof(double));
  p->t = t;
  // rates that friction and stops have their slopes at
  mw_rigid_twist(s->r, q, v, p->uv);
  mw_rigid_rows(s->r, p->w, t, q, p->uv, NULL, NULL, NULL, NULL);
  mw_rigid_kkt_factor(s->r, p->w, 1.0 / (gamma * gamma), 1.0 / gamma);
}

// J u into row, Js u into soft
static void along(mw_rigid_stiff *p, const double *u)
{
  const mw_rigid_sim *s = p->s;
  mw_rigid_rows(s->r, p->w, p->t, p->q, u, p->lam, p->row, p->soft2, p->soft);
  for (int i = 0; i < s->n.n_row; i++) p->row[i] -= p->row0[i];
  for (int i = 0; i < s->n.n_soft; i++) p->soft[i] -= p->soft0[i];
}

// The parts of E that are no rotation are left as they are.
void mw_rigid_stiff_solve(mw_rigid_stiff *p, double gamma, const double *r, double *z)
{
  const mw_rigid_sim *s = p->s;
  size_t n = (size_t)s->n.n_q;
  const double *q = p->q, *rq = r, *rv = r + n, *k = mw_rigid_soft_k(s->r);
  mw_rigid_twist(s->r, q, rq, p->uq);
  mw_rigid_twist(s->r, q, rv, p->uv);
  // f = γ⁻² M r_v − γ⁻¹ Jsᵀ k Js r_q
  mw_rigid_sim_mass(s, p->uv, p->f);
  for (int i = 0; i < s->n.n_u; i++) p->f[i] /= gamma * gamma;
  along(p, p->uq);
  for (int i = 0; i < s->n.n_soft; i++) p->soft[i] *= k[i] / gamma;
  memset(p->lam, 0, (size_t)s->n.n_row * sizeof(double));
  mw_rigid_add_reaction(s->r, p->w, p->lam, p->soft, p->f);
  // J δv = J r_v
  along(p, p->uv);
  memset(p->soft, 0, (size_t)s->n.n_soft * sizeof(double));
  mw_rigid_kkt_solve(s->r, p->w, p->f, p->row, p->soft, p->uq, p->lam, p->soft2);
  // δv = r_v and what its rigid part changed by, δq = r_q + γ δv
  for (int i = 0; i < s->n.n_u; i++) p->uq[i] -= p->uv[i];
  mw_rigid_rates(s->r, q, p->uq, p->v);
  for (size_t i = 0; i < n; i++) {
    z[n + i] = rv[i] + p->v[i];
    z[i] = rq[i] + gamma * z[n + i];
  }
}
