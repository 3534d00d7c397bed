// SPDX-License-Identifier: BSD-3-Clause
// dae_observe.c: what observed outputs need of a state.
//
//   z = P u ,  z' = P u' ,  z'' = P u''                       functionals of a point's frame
//   F = −Σ λ_i ∂g_i/∂ô ,  M = −Σ λ_i ∂g_i/∂ω          reaction on body b, its axes        (1)
// The rows' part along b's elastic unknowns is what holds within the body. λ of elastic rows is
// k g + c g'.
#include "base/vec3.h"
#include "dae_layer.h"

// Velocity and acceleration of the position o into v, a [3].
static void motion_of(mw_dae *d, const mw_output_in *o, double *v, double *a)
{
  int b = o->ref.body;
  const mw_body *body = &d->m->body[b];
  const mw_dae_motion x = mw_dae_motion_of(d, b, true);
  mw_point_state k = { .p = x.p, .pd = x.pd, .pdd = x.pdd };
  if (body->n_u > 0) {
    double *zd = d->work, *zdd = d->work + body->n_z;
    mw_csc_mul(&body->P, 1.0, x.ud, 0.0, zd);
    mw_csc_mul(&body->P, 1.0, x.udd, 0.0, zdd);
    k.z = d->z[b];
    k.zd = zd;
    k.zdd = zdd;
  }
  mw_mech_point_motion(d->m, o->ref, o->x, &k, v, a);
}

void mw_dae_reaction(const mw_dae *d, int j, double *y)
{
  const mw_joint *jt = &d->m->joint[j];
  const double *E = mw_dae_frame(d, d->q, jt->b) + 3;
  double F[3] = { 0.0 }, M[3] = { 0.0 }, Y[3], arm[3];
  for (int i = 0; i < jt->n_row; i++) {
    const double *J = d->e[j].Jb + 12 * i, *R = J + 3;
    double l = d->lambda[jt->row0 + i];
    const double turn[3] = { R[7] - R[5], R[2] - R[6], R[3] - R[1] };  // Ê = ω~
    for (int c = 0; c < 3; c++) {
      F[c] -= l * J[c];
      M[c] -= l * turn[c];
    }
  }
  for (int c = 0; c < 3; c++)
    Y[c] = jt->Xb[c] + (jt->zb >= 0 && d->m->body[jt->b].n_u > 0 ? d->z[jt->b][jt->zb + c] : 0.0);
  mw_cross3(Y, F, arm);
  for (int c = 0; c < 3; c++) M[c] -= arm[c];
  mw_mul33v(E, F, y);
  mw_mul33v(E, M, y + 3);
}

mw_code mw_dae_observe(mw_dae *d, int k, mw_run *r, mw_error *err)
{
  const mw_model *m = d->m->model;
  mw_observing *z = &d->observer;
  if (!z->on) return MW_OK;
  for (int o = 0; o < m->n_output; o++) {
    const mw_output_in *out = &m->output[o];
    int b = out->ref.body, row = mw_output_row(m, o);
    if (mw_output_is_gauge(out)) continue;
    mw_mech_point(d->m, out->ref, out->x, mw_dae_frame(d, d->q, b),
                  d->m->body[b].n_u > 0 ? d->z[b] : NULL, z->y + row, NULL, NULL);
    motion_of(d, out, z->y_dot + row, z->y_ddot + row);
  }
  if (z->needs & MW_SEES_REACTION)
    for (int j = 0; j < d->m->n_joint; j++) mw_dae_reaction(d, j, z->reaction + 6 * j);
  mw_code rc = mw_observing_rest(z, r->s + (size_t)k * (size_t)r->n_coord, err);
  if (rc == MW_OK) mw_observing_put(z, k, z->reaction, r);
  return rc;
}
