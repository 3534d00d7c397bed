// SPDX-License-Identifier: BSD-3-Clause
// dae_rows.c: joint rows along the motion, and the residual of all equations.
//
//   body         F(q,v,a) + Φᵀ λ_b + Qᵀ μ + Jᵀ λ − drives = 0        (F: dae_body.c)            (1)
//   coordinate   Σ Jsᵀ λ + damping ṡ − law(s,
//       ṡ) − drives (+ multiplier of a held coordinate) = 0      (2)
//   constraint   g = 0   elastic row  λ = k g + c ġ   held coordinate  s − target = 0   (3)
// Joint coordinates carry no mass: (2) is algebraic. law: dry friction and end stops (fem/law.h).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"

mw_dae_motion mw_dae_motion_of(const mw_dae *d, int b, bool rates)
{
  mw_dae_motion x = { .p = mw_dae_frame(d, d->q, b), .u = mw_dae_u(d, d->q, b) };
  if (!rates) return x;
  if (d->moving[b]) {
    x.pd = d->v + d->col[b];
    x.pdd = d->a + d->col[b];
  }
  x.ud = mw_dae_u(d, d->v, b);
  x.udd = mw_dae_u(d, d->a, b);
  return x;
}

// ---- rows ---------------------------------------------------------------------------------------

void mw_dae_rows_mul(mw_dae *d, const double *x, double *out)
{
  const mw_mech *m = d->m;
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    const double *E = mw_dae_frame(d, d->q, b) + 3, *xb = x + d->col[b];
    double *hat = d->hat + 12 * b, Et[9];
    memset(hat, 0, 12 * sizeof(double));
    if (d->moving[b]) {
      for (int i = 0; i < 9; i++) Et[i] = E[3 * (i % 3) + i / 3];
      mw_mul33tv(E, xb, hat);
      mw_mul33(Et, xb + 3, hat + 3);
    }
    if (body->n_u > 0) mw_csc_mul(&body->P, 1.0, xb + (d->moving[b] ? 12 : 0), 0.0, d->zd[b]);
  }
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    const mw_joint_eval *e = &d->e[j];
    int na = m->body[jt->a].n_z, nb = m->body[jt->b].n_z;
    for (int i = 0; i < jt->n_row; i++) {
      double y = mw_dot(12, e->Ja + 12 * i, d->hat + 12 * jt->a) +
                 mw_dot(12, e->Jb + 12 * i, d->hat + 12 * jt->b);
      if (m->body[jt->a].n_u > 0) y += mw_dot(na, e->Za + (size_t)i * (size_t)na, d->zd[jt->a]);
      if (m->body[jt->b].n_u > 0) y += mw_dot(nb, e->Zb + (size_t)i * (size_t)nb, d->zd[jt->b]);
      if (jt->s_coord >= 0) y += e->Js[i] * x[d->col_s + jt->s_coord];
      out[jt->row0 + i] = y;
    }
  }
}

mw_code mw_dae_rows(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0) mw_csc_mul(&m->body[b].P, 1.0, mw_dae_u(d, d->q, b), 0.0, d->z[b]);
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    const double *za = m->body[jt->a].n_u > 0 ? d->z[jt->a] : NULL,
                 *zb = m->body[jt->b].n_u > 0 ? d->z[jt->b] : NULL;
    double s = mw_joint_s(jt, d->q + d->col_s);
    mw_code rc = mw_joint_eval_at(m, j, mw_dae_frame(d, d->q, jt->a), za,
                                  mw_dae_frame(d, d->q, jt->b), zb, s, &d->e[j], err);
    if (rc != MW_OK) return rc;
    memcpy(d->g + jt->row0, d->e[j].g, (size_t)jt->n_row * sizeof(double));
  }
  mw_dae_rows_mul(d, d->v, d->gd);
  mw_dae_law_eval(d);
  return mw_dae_components_load(d, err);
}

double mw_dae_row_stiffness(const mw_dae *d, int j, int i)
{
  const mw_joint *jt = &d->m->joint[j];
  if (d->left_out) return jt->k[i] > 0.0 && !(d->left_out[j] >> i & 1u) ? INFINITY : 0.0;
  return isinf(jt->k[i]) ? INFINITY : jt->k[i] + d->c1 * jt->c[i];
}

void mw_dae_row_residual(mw_dae *d, bool rates)
{
  for (int j = 0; j < d->m->n_joint; j++) {
    const mw_joint *jt = &d->m->joint[j];
    for (int i = 0; i < jt->n_row; i++) {
      int row = jt->row0 + i;
      double k = mw_dae_row_stiffness(d, j, i);
      double f = isinf(k) ? 0.0 : jt->k[i] * d->g[row] + (rates ? jt->c[i] * d->gd[row] : 0.0);
      d->rho[row] = isinf(k) ? d->g[row] : k > 0.0 ? (f - d->lambda[row]) / k : 0.0;
    }
  }
  for (int k = 0; k < d->n_hold; k++)
    d->rho[d->m->n_row + k] = d->q[d->col_s + d->hold[k]] - d->target[3 * k];
}

// ---- residual -----------------------------------------------------------------------------------

const int mw_dae_pair[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 1, 2 }, { 2, 0 }, { 0, 1 } };

// Border rows of a moving body: its frame's forces so far get Φᵀ λ_b, the rows themselves their
// gaps.
static void frame_rows(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const double *E = mw_dae_frame(d, d->q, b) + 3, *lam = d->lam + 12 * b;
  double *r = d->r[b];
  for (int c = 0; c < 6; c++) {
    int i = mw_dae_pair[c][0], j = mw_dae_pair[c][1];
    double g = E[i] * E[j] + E[3 + i] * E[3 + j] + E[6 + i] * E[6 + j];
    if (i == j) g = 0.5 * (g - 1.0);
    r[3 + 3 * i + j] += lam[c];
    if (i != j) r[3 + 3 * j + i] += lam[c];
    r[12 + c] = k->c_phi * g;
    if (!(fabs(g) <= d->gap)) {
      d->gap = fabs(g);
      d->gap_joint = -1;
    }
  }
  for (int c = 0; c < k->n_ref; c++) {
    const double *Q = k->Q + (size_t)c * (size_t)k->n_u;
    r[18 + c] = k->c_ref * mw_dot(k->n_u, Q, mw_dae_u(d, d->q, b));
    mw_axpy(k->n_u, lam[6 + c], Q, r + k->n_d);
  }
}

// Jᵀ λ of the joint rows, into frames, functionals and coordinates
static void joint_forces(mw_dae *d)
{
  const mw_mech *m = d->m;
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    const mw_joint_eval *e = &d->e[j];
    int na = m->body[jt->a].n_z, nb = m->body[jt->b].n_z;
    for (int i = 0; i < jt->n_row; i++) {
      double l = d->lambda[jt->row0 + i];
      if (isinf(jt->k[i]) && !(fabs(d->g[jt->row0 + i]) <= d->gap)) {
        d->gap = fabs(d->g[jt->row0 + i]);
        d->gap_joint = j;
      }
      if (l == 0.0) continue;
      if (d->moving[jt->a]) mw_axpy(12, l, e->Ja + 12 * i, d->r[jt->a]);
      if (d->moving[jt->b]) mw_axpy(12, l, e->Jb + 12 * i, d->r[jt->b]);
      if (m->body[jt->a].n_u > 0) mw_axpy(na, l, e->Za + (size_t)i * (size_t)na, d->fz[jt->a]);
      if (m->body[jt->b].n_u > 0) mw_axpy(nb, l, e->Zb + (size_t)i * (size_t)nb, d->fz[jt->b]);
      if (jt->s_coord >= 0) d->r_s[jt->s_coord] += l * e->Js[i];
    }
  }
  for (int k = 0; k < d->n_hold; k++) d->r_s[d->hold[k]] += d->lambda[m->n_row + k];
}

void mw_dae_drive_forces(mw_dae *d, const double *force)
{
  const double zero[3] = { 0.0, 0.0, 0.0 };
  const mw_model *model = d->m->model;
  for (int k = 0; k < model->n_drive; k++) {
    const mw_drive_in *in = &model->drive[k];
    bool held = false;
    for (int i = 0; i < d->n_hold; i++) held |= d->hold_drive[i] == k;
    if (held || force[k] == 0.0) continue;
    if (in->joint >= 0) {
      d->r_s[d->m->joint[in->joint].coord] -= force[k];
      continue;
    }
    int b = in->on.body, z0 = mw_mech_frame_z(d->m, in->on);
    double x[3], Jp[36], Jz[18];
    mw_mech_point(d->m, in->on, zero, mw_dae_frame(d, d->q, b),
                  d->m->body[b].n_u > 0 ? d->z[b] : NULL, x, Jp, Jz);
    for (int i = 0; i < 3; i++) {
      double f = -force[k] * in->dir[i];
      if (d->moving[b]) mw_axpy(12, f, Jp + 12 * i, d->r[b]);
      if (z0 >= 0) mw_axpy(6, f, Jz + 6 * i, d->fz[b] + z0);
    }
  }
}

void mw_dae_residual(mw_dae *d, bool rates)
{
  const mw_mech *m = d->m;
  d->gap = 0.0;
  d->gap_joint = -1;
  double gravity[3], weight = d->lean && !d->sc->static_start ? 0.0 : d->load;
  for (int i = 0; i < 3; i++) gravity[i] = weight * m->model->gravity[i];
  for (int b = 0; b < m->n_body; b++) {
    mw_dae_motion x = mw_dae_motion_of(d, b, rates);
    if (mw_dae_component_of(d, b))
      memset(d->r[b], 0, 12 * sizeof *d->r[b]);
    else
      mw_dae_body_force(&m->body[b], d->moving[b], gravity, &x, d->r[b], d->r[b] + d->block[b].n_d,
                        d->work);
    mw_dae_strain_force(d, b, rates, d->r[b] + d->block[b].n_d);
    if (d->moving[b]) frame_rows(d, b);
    memset(d->fz[b], 0, (size_t)m->body[b].n_z * sizeof(double));
  }
  for (int c = 0; c < m->n_coord; c++) {
    double damping = m->joint[m->coord_joint[c]].in->coordinate_damping;
    d->r_s[c] = (rates ? damping * d->v[d->col_s + c] : 0.0) - d->law_force[c];
  }
  if (rates) mw_dae_modal_force(d);
  joint_forces(d);
  mw_dae_drive_forces(d, d->force);
  mw_dae_lean(d);
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0)
      mw_csc_mul_t(&m->body[b].P, 1.0, d->fz[b], 1.0, d->r[b] + d->block[b].n_d);
}

// ---- update -------------------------------------------------------------------------------------

// Δ of a body in ground axes into dq; its size
static double body_step(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const double *y = d->y[b], *u = y + k->n_d;
  double *dq = d->dq + d->col[b], size = 0.0;
  for (int i = 0; i < k->n_u; i++)
    if (!(fabs(u[i]) <= size)) size = fabs(u[i]);
  if (!d->moving[b]) {
    memcpy(dq, u, (size_t)k->n_u * sizeof(double));
    return size;
  }
  const double *E = mw_dae_frame(d, d->q, b) + 3;
  mw_mul33v(E, y, dq);
  mw_mul33(E, y + 3, dq + 3);
  memcpy(dq + 12, u, (size_t)k->n_u * sizeof(double));
  for (int i = 0; i < 12; i++) {
    double x = i < 3 ? fabs(y[i]) : fabs(y[i]) * d->size;
    if (!(x <= size)) size = x;
  }
  for (int c = 0; c < 6; c++) d->lam[12 * b + c] += k->c_phi * y[12 + c];
  for (int c = 0; c < k->n_ref; c++) d->lam[12 * b + 6 + c] += k->c_ref * y[18 + c];
  return size;
}

double mw_dae_update(mw_dae *d, double fq, double fv, double fa)
{
  double size = 0.0;
  for (int b = 0; b < d->m->n_body; b++) {
    double x = body_step(d, b);
    if (!(x <= size)) size = x;
  }
  for (int c = 0; c < d->m->n_coord; c++) {
    d->dq[d->col_s + c] = d->ds[c];
    if (!(fabs(d->ds[c]) <= size)) size = fabs(d->ds[c]);
  }
  mw_axpy(d->n_all, 1.0, d->dlam, d->lambda);
  if (fq != 0.0) mw_axpy(d->n_q, fq, d->dq, d->q);
  if (fv != 0.0) mw_axpy(d->n_q, fv, d->dq, d->v);
  if (fa != 0.0) mw_axpy(d->n_q, fa, d->dq, d->a);
  return size;
}
