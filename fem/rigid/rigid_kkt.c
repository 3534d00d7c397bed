// SPDX-License-Identifier: BSD-3-Clause
// rigid_kkt.c: the pieces implicit methods need: forces, rows, and the linear system of their
// Newton steps.
//
//   [ β M  Jᵀ  Jsᵀ ] [ x  ]   [ f  ]
//   [ J    0   0   ] [ λ  ] = [ c  ]        k' = k + γ' c: what a soft row answers to a step    (1)
//   [ Js   0  −1/k'] [ λs ]   [ cs ]        friction and stops of a coordinate add −∂F/∂s,
//       −∂F/∂ṡ to its k, c; friction by a reaction −∂F/∂ṡ at the reaction as last known
#include <string.h>

#include "fem/joint.h"
#include "fem/law.h"
#include "rigid_mech_layer.h"

const double *mw_rigid_soft_k(const mw_rigid *r) { return r->k; }
const double *mw_rigid_soft_c(const mw_rigid *r) { return r->d; }

void mw_rigid_stretch(mw_rigid_work *w, const double *S) { w->stretch = S; }

void mw_rigid_rate_rows(const mw_rigid *r, unsigned char *rate)
{
  memset(rate, 0, (size_t)r->n.n_row);
  for (int i = 0; i < r->n_hard; i++)
    for (int k = 0; k < r->node[i].n_elem; k++) {
      const mw_relem *e = &r->elem[r->node[i].elem0 + k];
      int n = e->kind == MW_R_OWN ? e->class->n_rate : 0;
      memset(rate + r->node[i].row0 + e->row + e->n - n, 1, (size_t)n);
    }
}

void mw_rigid_force(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, const double *u,
                    bool gyro, double *f)
{
  mw_rigid_kin_twist(r, w, q, u);
  mw_rigid_eval(r, w, t, q + 12 * r->n.n_body, 0, 0);  // coordinates alone
  mw_rigid_apply(r, w, t, u ? u + 6 * r->n.n_body : NULL, gyro && u, f);
  if (u) mw_rigid_apply_friction(r, w, f);
}

void mw_rigid_rows(const mw_rigid *r, mw_rigid_work *w, double t, const double *q, const double *u,
                   double *g, double *g_dot, double *gs, double *gs_dot)
{
  mw_rigid_kin_twist(r, w, q, u);
  mw_rigid_eval(r, w, t, q + 12 * r->n.n_body, 0, r->n_node);
  w->factored = 0;
  for (int i = 0; i < r->n_node; i++) {
    const mw_rnode *p = &r->node[i];
    bool hard = i < r->n_hard;
    double rate[LD] = { 0.0 }, *to = hard ? g : gs, *to_dot = hard ? g_dot : gs_dot;
    if (u && to_dot) mw_rigid_node_rate(r, w, i, u, rate);
    for (int c = 0; c < p->n; c++) {
      if (to) to[p->row0 + c] = w->g[i * LD + c];
      if (to_dot) to_dot[p->row0 + c] = rate[c] + w->gt[i * LD + c];
    }
  }
}

void mw_rigid_add_reaction(const mw_rigid *r, const mw_rigid_work *w, const double *lambda,
                           const double *lambda_s, double *f)
{
  for (int i = 0; i < r->n_node; i++) {
    const double *l = i < r->n_hard ? lambda : lambda_s;
    if (l) mw_rigid_node_pull(r, w, i, l + r->node[i].row0, f);
  }
}

void mw_rigid_keep_reaction(const mw_rigid *r, mw_rigid_work *w, const double *lambda,
                            const double *lambda_s)
{
  for (int i = 0; i < r->n_node; i++) {
    const double *l = i < r->n_hard ? lambda : lambda_s;
    for (int c = 0; l && c < r->node[i].n; c++) w->lambda[i * LD + c] = l[r->node[i].row0 + c];
  }
  w->owed = false;
  (void)mw_rigid_normals(r, w);
}

void mw_rigid_kkt_factor(const mw_rigid *r, mw_rigid_work *w, double beta, double gamma)
{
  static const double STIFFNESS = 1e-30;  // N/m: a damper that does not act (γ' = 0)
  int first = r->n.n_body + r->n.n_rotor;
  for (int i = 0; i < first * LD; i++) {
    w->diag[i] = beta * r->diag[i];
    w->inverse[i] = r->inverse[i] / beta;
  }
  memset(w->diag + first * LD, 0, (size_t)r->n_node * LD * sizeof(double));
  for (int i = r->n_hard; i < r->n_node; i++)
    for (int c = 0; c < r->node[i].n; c++) {
      int s = r->node[i].row0 + c;
      w->diag[(first + i) * LD + c] = 1.0 / fmax(r->k[s] + gamma * r->d[s], STIFFNESS);
    }
  for (int i = 0; i < r->n_law; i++) {
    const mw_rlaw *p = &r->law[i];
    double k, c;
    mw_law_tangent(&p->in, w->ce[p->coord].s, w->ce[p->coord].s_dot, &k, &c);
    c += r->d[r->node[p->node].row0];
    w->diag[(first + p->node) * LD] = 1.0 / fmax(k + gamma * c, STIFFNESS);
  }
  for (int i = 0; i < r->n_friction; i++) {
    const mw_rfriction *p = &r->friction[i];
    double *d = &w->diag[(first + p->slope) * LD];
    *d = 1.0 / (1.0 / *d + gamma * mw_friction_slope(p->in, w->normal[i], w->ce[p->coord].s_dot));
  }
  for (int i = 0; i < r->n_node; i++) mw_rigid_fill(r, w, &r->all, &w->all, i);
  const mw_elim_task task = { .diag = w->diag, .inverse = w->inverse, .drop = r->opt.drop };
  // a pivot that is not positive comes from positions that are not finite: so will the solution be
  if (mw_elim_factor(&r->all, &w->all, &task) != MW_OK)
    for (size_t i = 0; i < r->all.n_val; i++) w->all.val[i] = NAN;
}

void mw_rigid_kkt_dropped(const mw_rigid *r, const mw_rigid_work *w, unsigned char *dropped)
{
  int first = r->n.n_body + r->n.n_rotor;
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++)
      dropped[r->node[i].row0 + c] = w->all.inv[(first + i) * LD + c] == 0.0;
}

void mw_rigid_kkt_solve(const mw_rigid *r, mw_rigid_work *w, const double *f, const double *c,
                        const double *cs, double *x, double *lambda, double *lambda_s)
{
  int nb = r->n.n_body, first = nb + r->n.n_rotor;
  memset(w->x, 0, (size_t)r->all.n_node * LD * sizeof(double));
  for (int b = 0; b < nb; b++) memcpy(w->x + b * LD, f + 6 * b, 6 * sizeof(double));
  for (int k = 0; k < r->n.n_rotor; k++) w->x[(nb + k) * LD] = f[6 * nb + k];
  for (int i = 0; i < r->n_node; i++) {
    const double *from = i < r->n_hard ? c : cs;
    for (int k = 0; from && k < r->node[i].n; k++)
      w->x[(first + i) * LD + k] = from[r->node[i].row0 + k];
  }
  mw_elim_solve(&r->all, &w->all, w->x);
  for (int b = 0; b < nb; b++) memcpy(x + 6 * b, w->x + b * LD, 6 * sizeof(double));
  for (int k = 0; k < r->n.n_rotor; k++) x[6 * nb + k] = w->x[(nb + k) * LD];
  for (int i = 0; i < r->n_node; i++) {
    double *to = i < r->n_hard ? lambda : lambda_s;
    for (int k = 0; to && k < r->node[i].n; k++)
      to[r->node[i].row0 + k] = w->x[(first + i) * LD + k];
  }
}
