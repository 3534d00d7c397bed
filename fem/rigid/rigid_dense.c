// SPDX-License-Identifier: BSD-3-Clause
// rigid_dense.c: rows, coordinates and masses of the rigid mechanism as matrices.
//
// For analyses that look at all rows at once: ranks, null spaces, minimal coordinates. O(n_row n_u)
// a call; the elimination of rigid_accel.c does without them.
#include <string.h>

#include "rigid_mech_layer.h"

static void put_node(const mw_rigid *r, const mw_rigid_work *w, int i, double *J, double *gamma)
{
  const mw_rnode *p = &r->node[i];
  size_t n_u = (size_t)r->n.n_u;
  for (int k = p->touch0; k < p->touch0 + p->n_touch; k++) {
    int e = r->touch[k], at = mw_rigid_first_of(r, e);
    for (int c = 0; c < p->n; c++)
      for (int x = 0; x < mw_rigid_touched(r, e); x++)
        J[(size_t)(p->row0 + c) * n_u + (size_t)(at + x)] = w->Jt[k][x * LD + c];
  }
  memcpy(gamma + p->row0, w->gamma + i * LD, (size_t)p->n * sizeof *gamma);
}

static void put_coordinate(const mw_rigid *r, const mw_rigid_work *w, int c, double *Js,
                           double *bias)
{
  const mw_rcoord *k = &r->coord[c];
  mw_rcoord_eval e;
  mw_rigid_coord_eval(k, &w->kin[k->a], &w->kin[k->b], w->accepted[c], &e);
  for (int i = 0; i < 6; i++) {
    if (k->a < r->n.n_body) Js[6 * k->a + i] += e.Ja[i];
    if (k->b < r->n.n_body) Js[6 * k->b + i] += e.Jb[i];
  }
  *bias = e.bias;
}

void mw_rigid_matrices(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                       const double *u, const mw_rigid_dense *out)
{
  size_t n_u = (size_t)r->n.n_u;
  memset(out->J, 0, (size_t)r->n.n_row * n_u * sizeof(double));
  memset(out->Js, 0, (size_t)r->n.n_coord * n_u * sizeof(double));
  mw_rigid_kin_twist(r, w, q, u);
  mw_rigid_eval(r, w, t, q + 12 * r->n.n_body, 0, r->n_hard);
  w->factored = 0;
  for (int i = 0; i < r->n_hard; i++) put_node(r, w, i, out->J, out->gamma);
  for (int c = 0; c < r->n.n_coord; c++)
    put_coordinate(r, w, c, out->Js + (size_t)c * n_u, out->bias + c);
}

void mw_rigid_masses(const mw_rigid *r, double *mass)
{
  for (int e = 0; e < r->n.n_body + r->n.n_rotor; e++)
    for (int x = 0; x < (e < r->n.n_body ? 6 : 1); x++)
      mass[mw_rigid_first_of(r, e) + x] = r->diag[e * LD + x];
}

void mw_rigid_row_joints(const mw_rigid *r, int *joint)
{
  for (int i = 0; i < r->n_hard; i++)
    for (int c = 0; c < r->node[i].n; c++) joint[r->node[i].row0 + c] = r->node[i].joint;
  for (int h = 0; h < r->n_held; h++) joint[r->node[r->held[h].node].row0 + r->held[h].row] = -1;
}
