// SPDX-License-Identifier: BSD-3-Clause
// dae_bent.c: elastic deflections and rates that a scenario starts with, in the full and body
// paths.
//
//   f = Σ_k c_k ω_k² M φ_k + released forces  ⇒  K x = f for x = Σ_k c_k φ_k + what they do     (1)
//   f += what is out of balance undeformed but for the weight, where the start is undeformed    (2)
//   v += Σ_k ċ_k φ_k                                                                            (3)
//
// The run starts from the equilibrium under f, without weight where the start is undeformed: it
// closes the joints and shortens members as bent ones are, where φ_k alone would stretch them. ω_k
// is that under the weight where the start is; f turns with the frames. Modes are those of the
// path's own bodies, with the coordinates of the reduction held (modestart.c). Cost: the modes,
// once.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "full/dae_layer.h"
#include "reduction/reduce.h"
#include "run/modestart_layer.h"

typedef struct modes {
  mw_start_modes of;
  double *hz, *loaded, *shape;  // [n], [n] or NULL, [n × len]
  double *y;                    // [n × rows]
  int len;
} modes;

// ---- shapes -------------------------------------------------------------------------------------

static int unknowns(const mw_body *b) { return b->n_u > 0 ? b->n_u : b->ground ? 0 : 6; }

// The displacement x of a body of the linear system as a twist of its frame, in body axes, and
// unknowns u [n_u] beyond: of elastic ones RᵀM u = 0.
static mw_code parts_of(const mw_body *b, const double *x, double tau[6], double *u, double *work,
                        mw_error *err)
{
  double A[36], *MR = work;
  int piv[6];
  memset(tau, 0, 6 * sizeof *tau);
  memcpy(b->n_u > 0 ? u : tau, x, (size_t)unknowns(b) * sizeof *x);
  if (b->n_u == 0 || b->ground) return MW_OK;
  size_t n = (size_t)b->n_u;
  for (int c = 0; c < 6; c++) {
    double *r = work + 6 * n;
    for (size_t i = 0; i < n; i++) r[i] = b->R[6 * i + (size_t)c];
    mw_csc_mul(&b->M, 1.0, r, 0.0, MR + (size_t)c * n);
    tau[c] = mw_dot(b->n_u, MR + (size_t)c * n, x);
  }
  for (int c = 0; c < 6; c++)
    for (int k = 0; k < 6; k++) {
      A[6 * c + k] = 0.0;
      for (size_t i = 0; i < n; i++)
        A[6 * c + k] += MR[(size_t)c * n + i] * b->R[6 * i + (size_t)k];
    }
  if (mw_lu_factor(6, A, piv, NULL) != MW_OK)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "body %s has no inertia", b->name);
  mw_lu_solve(6, A, piv, 1, tau);
  mw_gemm('n', 'n', b->n_u, 1, 6, -1.0, b->R, tau, 1.0, u);
  return MW_OK;
}

static void hat_of(const double tau[6], double hat[12])
{
  const double *w = tau + 3;
  const double W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  memcpy(hat, tau, 3 * sizeof *hat);
  memcpy(hat + 3, W, sizeof W);
}

// Displacements y [rows] of the positions on body b by the twist tau and unknowns u, undeformed.
static void see(const mw_dae *d, int b, const double tau[6], const double *u, double *z, double *y)
{
  const mw_model *model = d->m->model;
  const mw_body *body = &d->m->body[b];
  double hat[12], x[3], Jp[36], Jz[18];
  hat_of(tau, hat);
  if (body->n_u > 0) mw_csc_mul(&body->P, 1.0, u, 0.0, z);
  for (int o = 0; o < model->n_output; o++) {
    const mw_output_in *out = &model->output[o];
    if (out->ref.body != b || mw_output_is_gauge(out)) continue;
    int z0 = mw_mech_frame_z(d->m, out->ref);
    mw_mech_point(d->m, out->ref, out->x, mw_dae_frame(d, d->q, b), NULL, x, Jp, Jz);
    for (int i = 0; i < 3; i++)
      y[mw_output_row(model, o) + i] =
          mw_dot(12, Jp + 12 * i, hat) + (z0 >= 0 ? mw_dot(6, Jz + 6 * i, z + z0) : 0.0);
  }
}

// Scratch of all bodies: 6 n_u + n_u for the parts, u, z.
static double *scratch(const mw_dae *d, mw_arena *mem)
{
  size_t most = 0;
  for (int b = 0; b < d->m->n_body; b++) {
    size_t n = 8 * (size_t)d->m->body[b].n_u + (size_t)d->m->body[b].n_z;
    if (n > most) most = n;
  }
  return mw_arena_f64(mem, most);
}

static mw_code see_modes(const mw_dae *d, modes *k, double *work, mw_error *err)
{
  int rows = mw_output_row(d->m->model, d->m->model->n_output);
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && j < k->of.n; j++) {
    const double *x = k->shape + (size_t)j * (size_t)k->len;
    for (int b = 0; rc == MW_OK && b < d->m->n_body; x += unknowns(&d->m->body[b++])) {
      const mw_body *body = &d->m->body[b];
      double tau[6], *u = work + 7 * (size_t)body->n_u, *z = u + body->n_u;
      rc = parts_of(body, x, tau, u, work, err);
      if (rc == MW_OK) see(d, b, tau, u, z, k->y + (size_t)j * (size_t)rows);
    }
  }
  return rc;
}

static mw_code find_modes(mw_dae *d, modes *k, double *work, mw_arena *mem, mw_error *err)
{
  const mw_reduction_in *in = &d->m->model->reduction;
  double theta[MW_ROM_MAX_S] = { 0.0 };
  int rows = mw_output_row(d->m->model, d->m->model->n_output), n = mw_mode_start_count(d->sc);
  for (int i = 0; i < in->n_coordinate && i < MW_ROM_MAX_S; i++)
    theta[i] = d->q[d->col_s + d->m->joint[in->coordinate[i].joint].coord];
  mw_code rc =
      mw_direct_modes_loaded(d->m, theta, &n, MW_MODES_UNPROVED | MW_MODES_AT_MOST, mem, &k->hz,
                             d->sc->static_start ? &k->loaded : NULL, &k->shape, NULL, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < d->m->n_body; b++) k->len += unknowns(&d->m->body[b]);
  k->y = mw_arena_f64(mem, (size_t)n * (size_t)rows);
  k->of = (mw_start_modes){ .n = n, .hz = k->hz, .y = k->y };
  rc = mw_arena_check(mem, err);
  return rc == MW_OK ? see_modes(d, k, work, err) : rc;
}

// ---- loads and rates ----------------------------------------------------------------------------

// lean += c M x of body b: forces on its unknowns, and what of them moves its frame
static void add_inertia(mw_dae *d, int b, double c, const double *x, double *work)
{
  const mw_body *body = &d->m->body[b];
  double *lean = d->lean[b], f[6] = { 0.0 };
  if (unknowns(body) == 0) return;
  if (body->n_u == 0) {
    mw_dae_momentum(body, x, f);
  } else {
    mw_csc_mul(&body->M, 1.0, x, 0.0, work);
    mw_axpy(body->n_u, c, work, lean + 12);
    if (body->ground) return;
    mw_gemm('t', 'n', 6, 1, body->n_u, 1.0, body->R, work, 0.0, f);
  }
  mw_dae_add_wrench(c, f, lean);
}

// (3) of body b in ground axes
static mw_code add_rate(mw_dae *d, int b, double c, const double *x, double *work, mw_error *err)
{
  const mw_body *body = &d->m->body[b];
  double tau[6], hat[12], o[3], W[9], *u = work + 7 * (size_t)body->n_u;
  if (unknowns(body) == 0) return MW_OK;
  mw_code rc = parts_of(body, x, tau, u, work, err);
  if (rc != MW_OK) return rc;
  if (d->moving[b]) {
    const double *E = mw_dae_frame(d, d->q, b) + 3;
    double *v = d->ring + d->col[b];
    hat_of(tau, hat);
    mw_mul33v(E, hat, o);
    mw_mul33(E, hat + 3, W);
    mw_axpy(3, c, o, v);
    mw_axpy(9, c, W, v + 3);
  }
  mw_axpy(body->n_u, c, u, mw_dae_u(d, d->ring, b));
  return MW_OK;
}

static mw_code add_mode(mw_dae *d, const modes *k, int j, double amplitude, double rate,
                        double *work, mw_error *err)
{
  const double *x = k->shape + (size_t)j * (size_t)k->len;
  double hz = k->loaded ? k->loaded[j] : k->hz[j], omega = 2.0 * acos(-1.0) * hz;
  mw_code rc = MW_OK;
  if (!(hz > 0.0))
    return mw_fail(err, MW_ERR_NUMERIC, d->sc->at,
                   "scenario %s: mode %d buckles under the weight, no deflection along it rests",
                   d->sc->name, j + 1);
  for (int b = 0; rc == MW_OK && b < d->m->n_body; x += unknowns(&d->m->body[b++])) {
    if (amplitude != 0.0) add_inertia(d, b, amplitude * omega * omega, x, work);
    if (rate != 0.0) rc = add_rate(d, b, rate, x, work, err);
  }
  return rc;
}

static mw_code add_modes(mw_dae *d, double *work, mw_arena *mem, mw_error *err)
{
  const mw_scenario *sc = d->sc;
  modes k = { 0 };
  if (sc->n_mode_start == 0) return MW_OK;
  mw_code rc = find_modes(d, &k, work, mem, err);
  double *share = mw_arena_f64(mem, (size_t)k.of.n);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < sc->n_mode_start; i++) {
    const mw_mode_start *in = &sc->mode_start[i];
    rc = mw_mode_start_share(d->m, sc, i, &k.of, share, err);
    for (int j = 0; rc == MW_OK && j < k.of.n; j++)
      if (share[j] != 0.0)
        rc = add_mode(d, &k, j, share[j] * in->amplitude, share[j] * in->rate, work, err);
  }
  return rc;
}

// Forces on positions that are released.
static void add_loads(mw_dae *d, double *z)
{
  const mw_mech *m = d->m;
  for (int i = 0; i < d->sc->n_load_start; i++) {
    const mw_load_start *l = &d->sc->load_start[i];
    const mw_output_in *o = &m->model->output[l->output];
    int b = o->ref.body, z0 = mw_mech_frame_z(m, o->ref);
    double x[3], Jp[36], Jz[18];
    mw_mech_point(m, o->ref, o->x, mw_dae_frame(d, d->q, b), NULL, x, Jp, Jz);
    if (m->body[b].n_u > 0) memset(z, 0, (size_t)m->body[b].n_z * sizeof *z);
    for (int c = 0; c < 3; c++) {
      if (d->moving[b]) mw_axpy(12, l->force[c], Jp + 12 * c, d->lean[b]);
      if (z0 >= 0) mw_axpy(6, l->force[c], Jz + 6 * c, z + z0);
    }
    if (m->body[b].n_u > 0) mw_csc_mul_t(&m->body[b].P, 1.0, z, 1.0, d->lean[b] + 12);
  }
}

mw_code mw_dae_bent(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  const mw_scenario *sc = d->sc;
  mw_arena mem = { 0 };
  if (sc->n_mode_start + sc->n_load_start == 0) return MW_OK;
  double **lean = mw_arena_alloc(&d->mem, (size_t)m->n_body, sizeof *lean);
  double *work = scratch(d, &mem);
  for (int b = 0; lean && b < m->n_body; b++)
    lean[b] = mw_arena_f64(&d->mem, 12 + (size_t)m->body[b].n_u);
  d->lean_s = mw_arena_f64(&d->mem, (size_t)m->n_coord);
  d->ring = mw_arena_f64(&d->mem, (size_t)d->n_q);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) {
    d->lean = lean;
    add_loads(d, work);
    rc = add_modes(d, work, &mem, err);
  }
  mw_arena_free(&mem);
  return rc;
}

void mw_dae_lean(mw_dae *d)
{
  if (!d->lean) return;
  for (int b = 0; b < d->m->n_body; b++) {
    if (d->moving[b]) mw_axpy(12, -d->load, d->lean[b], d->r[b]);
    mw_axpy(d->m->body[b].n_u, -d->load, d->lean[b] + 12, d->r[b] + d->block[b].n_d);
  }
  mw_axpy(d->m->n_coord, -d->load, d->lean_s, d->r_s);
}

// (2), with the blocks of statics there and no force of the rows yet
mw_code mw_dae_lean_undeformed(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  if (!d->lean || d->sc->static_start) return MW_OK;
  mw_code rc = mw_dae_rows(d, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      double k = m->joint[j].k[i];
      int row = m->joint[j].row0 + i;
      d->lambda[row] = isfinite(k) ? k * d->g[row] : 0.0;
    }
  double load = d->load;
  d->load = 0.0;
  mw_dae_residual(d, false);
  d->load = load;
  for (int b = 0; b < m->n_body; b++) {
    if (d->moving[b]) mw_axpy(12, 1.0, d->r[b], d->lean[b]);
    mw_axpy(m->body[b].n_u, 1.0, d->r[b] + d->block[b].n_d, d->lean[b] + 12);
  }
  mw_axpy(m->n_coord, 1.0, d->r_s, d->lean_s);
  memset(d->lambda, 0, (size_t)m->n_row * sizeof *d->lambda);
  return MW_OK;
}
