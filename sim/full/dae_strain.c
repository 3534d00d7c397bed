// SPDX-License-Identifier: BSD-3-Clause
// dae_strain.c: strains of second order of the full path (fem/strain.h), and blocks that follow
// them.
//
//   f_int(u) = K u + (f_int(u) − K u)         the second part is added to the residual, exact   (1)
//   S_uu = β' M + γ' C + K                    kept as long as Newton's iteration contracts well
//   S_uu = β' M + γ' C + K_T(u)               once it does not: deflections of more than a
//                                             section's height turn the axial
//                                             stiffness into the bending, which K knows nothing of
// Damping β acts on the rate of the strain of second order, too (mw_body_strain_drag). Cost: one
// pass over the elements an iteration, a factorization and the interface's solutions a renewal.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"
#include "fem/output.h"
#include "fem/strain.h"
#include "sim/turn.h"

static size_t state_size(const mw_dae *d)
{
  const mw_mech *m = d->m;
  return 4 * (size_t)d->n_q + 12 * (size_t)m->n_body + (size_t)(m->n_row + m->n_coord);
}

mw_code mw_dae_strain_init(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_dae_strain *s = &d->strain;
  int work = 0, n_gauge = 0;
  if (m->model->strain_linear) return MW_OK;
  s->T = mw_arena_alloc(&d->mem, (size_t)m->n_body, sizeof *s->T);
  mw_code rc = mw_arena_check(&d->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    if (!mw_body_has_stress(body)) continue;
    s->on = true;
    s->T[b] = mw_arena_f64(&d->mem, (size_t)body->K.ptr[body->n_u]);
    if (mw_body_strain_work(body) > work) work = mw_body_strain_work(body);
    if (body->n_gauge > n_gauge) n_gauge = body->n_gauge;
  }
  if (rc != MW_OK || !s->on) return rc;
  s->work = mw_arena_f64(&d->mem, (size_t)work);
  s->gauge = mw_arena_f64(&d->mem, 6 * (size_t)n_gauge);
  s->save = mw_arena_f64(&d->mem, state_size(d));
  s->at = mw_arena_f64(&d->mem, (size_t)d->n_q);
  return mw_dae_memory_init(d, &d->mem, &s->memory, err);
}

void mw_dae_strain_force(mw_dae *d, int b, bool rates, double *r)
{
  if (!d->strain.on || !d->strain.T[b]) return;
  const mw_body *body = &d->m->body[b];
  const double *u = mw_dae_u(d, d->q, b), *v = mw_dae_u(d, d->v, b);
  mw_code rc = mw_body_strain_force(body, u, r, NULL, d->strain.work, NULL);
  if (rc == MW_OK && rates)
    rc = mw_body_strain_drag(body, body->beta, u, v, r, d->strain.work, NULL);
  if (rc != MW_OK) r[0] = NAN;
}

// Power (W) that the damping of (1) takes beyond u̇ᵀ β K u̇.
double mw_dae_strain_lost(mw_dae *d, int b)
{
  const mw_body *body = &d->m->body[b];
  const double *v = mw_dae_u(d, d->v, b);
  if (!d->strain.on || !d->strain.T[b] || body->beta == 0.0) return 0.0;
  memset(d->work, 0, (size_t)body->n_u * sizeof *d->work);
  mw_code rc =
      mw_body_strain_drag(body, body->beta, mw_dae_u(d, d->q, b), v, d->work, d->strain.work, NULL);
  return rc == MW_OK ? mw_dot(body->n_u, d->work, v) : NAN;
}

double mw_dae_strain_energy(mw_dae *d, int b)
{
  double V = 0.0;
  if (!d->strain.on || !d->strain.T[b]) return 0.0;
  memset(d->work, 0, (size_t)d->m->body[b].n_u * sizeof *d->work);
  mw_code rc =
      mw_body_strain_force(&d->m->body[b], mw_dae_u(d, d->q, b), d->work, &V, d->strain.work, NULL);
  return rc == MW_OK ? V : NAN;
}

void mw_dae_strain_gauges(mw_dae *d, int b, double *y)
{
  const mw_body *body = &d->m->body[b];
  double *s = d->strain.gauge;
  if (!d->strain.on || !d->strain.T[b] || body->n_gauge == 0) return;
  memset(s, 0, 6 * (size_t)body->n_gauge * sizeof *s);
  mw_code rc = mw_body_strain_gauges(body, mw_dae_u(d, d->q, b), s, d->strain.work, NULL);
  for (int i = 0; i < 6 * body->n_gauge; i++)
    y[mw_output_row(d->m->model, body->gauge[i / 6].output) + i % 6] += rc == MW_OK ? s[i] : NAN;
}

void mw_dae_name_turned(const mw_dae *d, char text[160])
{
  int worst = -1;
  double most = 1.0, angle = 0.0;
  text[0] = 0;
  for (int b = 0; b < d->m->n_body; b++) {
    bool linear = !d->strain.on || !d->strain.T[b];
    double turn = mw_body_turn(&d->m->body[b], mw_dae_u(d, d->q, b), d->work);
    if (!(turn > most * mw_turn_limit(linear))) continue;
    most = turn / mw_turn_limit(linear);
    angle = turn;
    worst = b;
  }
  if (worst >= 0 && !(angle < 1.0))  // no number of an iteration that went astray
    snprintf(
        text, 160,
        "; body %.64s bends by more than 1 rad: the load is beyond what one body bears; divide it",
        d->m->body[worst].name);
  else if (worst >= 0)
    snprintf(
        text, 160,
        "; body %.64s turns by %.3g rad against its frame, more than its strains are good for: "
        "divide it",
        d->m->body[worst].name, angle);
}

mw_code mw_dae_renew(mw_dae *d, bool statics, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < d->m->n_body; b++) {
    const mw_body *body = &d->m->body[b];
    if (!d->strain.T[b]) continue;
    mw_csc T = body->K;
    T.val = d->strain.T[b];
    memcpy(T.val, body->K.val, (size_t)T.ptr[T.n_col] * sizeof *T.val);
    rc = mw_body_add_tangent(body, mw_dae_u(d, d->q, b), &T, err);
    mw_dae_block k = { 0 };
    double beta = statics ? mw_dae_static_shift(d, body) : d->b1;
    if (rc == MW_OK)
      rc = mw_dae_block_build(body, d->moving[b], beta, statics ? 0.0 : d->c1, T.val,
                              mw_dae_u(d, d->q, b), d->progress, &k, err);
    if (rc != MW_OK) break;
    mw_dae_block_free(&d->block[b]);
    d->block[b] = k;
  }
  d->strain.renewals++;
  d->strain.renewed = true;
  memcpy(d->strain.at, d->q, (size_t)d->n_q * sizeof *d->q);
  return rc;
}

void mw_dae_keep(mw_dae *d, bool back)
{
  size_t nq = (size_t)d->n_q, nb = 12 * (size_t)d->m->n_body;
  double *part[6] = { d->q, d->v, d->a, d->aux, d->lam, d->lambda }, *at = d->strain.save;
  size_t size[6] = { nq, nq, nq, nq, nb, (size_t)(d->m->n_row + d->m->n_coord) };
  for (int i = 0; i < 6; at += size[i++])
    memcpy(back ? part[i] : at, back ? at : part[i], size[i] * sizeof *at);
}
