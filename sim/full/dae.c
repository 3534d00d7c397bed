// SPDX-License-Identifier: BSD-3-Clause
// dae.c: a run of the mechanism: start, steps, and what is stored of them.
//
// The step divides the store interval. Controllers are sampled at multiples of their period and
// held, also within a step; a force acts from where it jumps (dae_kink.c); a run ends at the first
// joint limit it meets (dae_limit.c). Work is the trapezoid of drive power less the power lost in
// dampers, and what kinks add to it.
#include "sim/dae.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_priv.h"
#include "fem/law.h"
#include "fem/output.h"
#include "fem/strain.h"
#include "sim/turn.h"

mw_dae_opt mw_dae_opt_default(void)
{
  return (mw_dae_opt){ .rho_inf = 0.8, .tol = 1e-9, .newton_max = 20 };
}

// ---- memory -------------------------------------------------------------------------------------

// Flat layout and the joints of each body.
static mw_code layout(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  size_t nb = (size_t)m->n_body;
  d->col = mw_arena_int(&d->mem, nb);
  d->moving = mw_arena_alloc(&d->mem, nb, sizeof *d->moving);
  d->joints_ptr = mw_arena_int(&d->mem, nb + 1);
  d->joints_of = mw_arena_int(&d->mem, 2 * (size_t)m->n_joint);
  mw_code rc = mw_arena_check(&d->mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0, n = 0; b < m->n_body; b++) {
    d->moving[b] = !m->body[b].ground;
    d->col[b] = d->n_q;
    d->n_q += m->body[b].n_u + (d->moving[b] ? 12 : 0);
    for (int j = 0; j < m->n_joint; j++)
      if (m->joint[j].a == b || m->joint[j].b == b) d->joints_of[n++] = j;
    d->joints_ptr[b + 1] = n;
  }
  d->col_s = d->n_q;
  d->n_q += m->n_coord;
  return MW_OK;
}

static mw_code allocate(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  mw_arena *a = &d->mem;
  size_t nb = (size_t)m->n_body, nq = (size_t)d->n_q, nc = (size_t)m->n_coord;
  size_t nd = (size_t)m->model->n_drive, rows = (size_t)m->n_row + nc, work = 0;
  double **flat[] = { &d->q, &d->v, &d->a, &d->aux, &d->dq };
  double **row[] = { &d->lambda, &d->g, &d->gd, &d->rho, &d->dlam, &d->law_rho };
  for (size_t i = 0; i < sizeof flat / sizeof *flat; i++) *flat[i] = mw_arena_f64(a, nq);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) *row[i] = mw_arena_f64(a, rows);
  d->lam = mw_arena_f64(a, 12 * nb);
  d->hat = mw_arena_f64(a, 12 * nb);
  d->force = mw_arena_f64(a, nd);
  d->rows = mw_arena_f64(a, (size_t)mw_output_row(m->model, m->model->n_output));
  d->u_held = mw_arena_f64(a, nd);
  d->bend = mw_arena_f64(a, 3 * nd);
  d->kept = mw_arena_f64(a, rows + 12 * nb);
  d->turned = mw_arena_f64(a, rows);
  d->hold = mw_arena_int(a, nc);
  d->hold_drive = mw_arena_int(a, nc);
  d->target = mw_arena_f64(a, 3 * nc);
  d->ds = mw_arena_f64(a, nc);
  d->r_s = mw_arena_f64(a, nc);
  d->law_force = mw_arena_f64(a, nc);
  d->law_coord = mw_arena_int(a, nc);
  d->law_k = mw_arena_f64(a, nc);
  d->law_slope = mw_arena_f64(a, nc);
  d->law_c = mw_arena_f64(a, nc);
  d->keep = mw_arena_alloc(a, (size_t)m->n_row, 1);
  d->active = mw_arena_alloc(a, (size_t)m->n_row, 1);
  d->sys.r_s = mw_arena_f64(a, nc);
  d->block = mw_arena_alloc(a, nb, sizeof *d->block);
  d->show_p = mw_arena_f64(a, 12 * nb);
  d->show_u = mw_arena_alloc(a, nb, sizeof *d->show_u);
  for (int c = 0; d->law_coord && c < m->n_coord; c++)
    if (m->joint[m->coord_joint[c]].in->has_law) d->law_coord[d->n_law++] = c;
  d->law_answer = mw_arena_f64(a, (size_t)d->n_law * (rows + nc));
  d->law_p = mw_arena_f64(a, (size_t)d->n_law);
  d->e = mw_arena_alloc(a, (size_t)m->n_joint, sizeof *d->e);
  double ***part[] = { &d->r, &d->y, &d->z, &d->zd, &d->fz };
  for (size_t i = 0; i < sizeof part / sizeof *part; i++)
    *part[i] = mw_arena_alloc(a, nb, sizeof **part[i]);
  mw_code rc = mw_arena_check(a, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m->n_body; b++) {
    size_t nu = (size_t)m->body[b].n_u, nz = (size_t)m->body[b].n_z;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
      (*part[i])[b] = mw_arena_f64(a, i < 2 ? nu + MW_DAE_BORDER : nz);
    size_t need = 13 * nu + nz + 12, turn = (size_t)mw_body_turn_work(&m->body[b]);
    if (turn > need) need = turn;
    if (need > work) work = need;
  }
  for (int j = 0; j < m->n_joint; j++) d->e[j] = mw_joint_eval_init(m, a);
  d->work = mw_arena_f64(a, work);
  return mw_arena_check(a, err);
}

static mw_code set_up(mw_dae *d, double h, mw_error *err)
{
  double rho = d->opt.rho_inf;
  if (!(rho >= 0.0 && rho <= 1.0))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "rho_inf is %g, expected 0 to 1", rho);
  d->h = h;
  d->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
  d->alpha_f = rho / (rho + 1.0);
  d->gamma = 0.5 + d->alpha_f - d->alpha_m;
  d->beta = 0.25 * (d->gamma + 0.5) * (d->gamma + 0.5);
  d->b1 = (1.0 - d->alpha_m) / (h * h * d->beta * (1.0 - d->alpha_f));
  d->c1 = d->gamma / (h * d->beta);
  d->load = 1.0;
  d->size = mw_mech_size(d->m);
  d->g_norm = mw_norm3(d->m->model->gravity);
  mw_code rc = layout(d, err);
  if (rc == MW_OK) rc = allocate(d, err);
  if (rc == MW_OK) rc = mw_dae_graph_build(d, err);
  return rc == MW_OK ? mw_dae_strain_init(d, err) : rc;
}

static void clean_up(mw_dae *d)
{
  for (int b = 0; d->block && b < d->m->n_body; b++) mw_dae_block_free(&d->block[b]);
  mw_dae_modal_free(d);
  mw_arena_free(&d->mem);
}

static int unknowns_of(const mw_dae *d)
{
  int n = d->n_q + d->m->n_row + d->n_hold;
  for (int b = 0; b < d->m->n_body; b++)
    if (d->moving[b]) n += 6 + d->block[b].n_ref;
  return n;
}

// ---- what is stored -----------------------------------------------------------------------------

// Power of the drives less that of the dampers, with the rows at the state.
static double net_power(mw_dae *d)
{
  const mw_mech *m = d->m;
  double P = 0.0;
  for (int k = 0; k < m->model->n_drive; k++)
    if (d->force[k] != 0.0) P += d->force[k] * mw_dae_drive_along(d, k, d->v);
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
    double v = d->v[d->col_s + c], lost = 0.0;
    if (in->has_law) mw_law_energy(&in->law, d->q[d->col_s + c], v, NULL, &lost);
    P -= in->coordinate_damping * v * v + lost;
  }
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++)
      if (isfinite(m->joint[j].k[i])) {
        double v = d->gd[m->joint[j].row0 + i];
        P -= m->joint[j].c[i] * v * v;
      }
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    const double *ud = mw_dae_u(d, d->v, b);
    if (body->n_u == 0 || (body->alpha == 0.0 && body->beta == 0.0)) continue;
    mw_csc_mul(&body->M, d->moving[b] ? 0.0 : body->alpha, ud, 0.0, d->work);
    mw_csc_mul(&body->K, body->beta, ud, 1.0, d->work);
    P -= mw_dot(body->n_u, ud, d->work) + mw_dae_strain_lost(d, b);
  }
  return P - mw_dae_modal_lost(d);
}

static void store(mw_dae *d, int k, double work, mw_run *r)
{
  const mw_mech *m = d->m;
  const mw_model *model = m->model;
  size_t i = (size_t)k, nc = (size_t)r->n_coord, nd = (size_t)r->n_drive, no = (size_t)r->n_out;
  r->t[k] = d->t;
  memcpy(r->s + i * nc, d->q + d->col_s, nc * sizeof(double));
  memcpy(r->s_dot + i * nc, d->v + d->col_s, nc * sizeof(double));
  memcpy(r->force + i * nd, d->force, nd * sizeof(double));
  for (size_t k_out = 0; k_out < no; k_out++) {
    const mw_output_in *o = &model->output[r->out[k_out]];
    int b = o->ref.body;
    mw_mech_point(m, o->ref, o->x, mw_dae_frame(d, d->q, b), m->body[b].n_u > 0 ? d->z[b] : NULL,
                  r->y + (i * no + k_out) * 3, NULL, NULL);
  }
  for (int b = 0; b < m->n_body; b++) {
    mw_mech_gauges(m, b, mw_dae_u(d, d->q, b), d->rows);
    mw_dae_strain_gauges(d, b, d->rows);
  }
  for (int g = 0; g < r->n_gauge; g++)
    memcpy(r->stress + 6 * (i * (size_t)r->n_gauge + (size_t)g),
           d->rows + mw_output_row(model, r->gauge[g]), 6 * sizeof(double));
  for (int b = 0; b < m->n_body; b++) {
    mw_dae_motion x = mw_dae_motion_of(d, b, true);
    double T, V, lost;
    mw_dae_body_energy(&m->body[b], d->moving[b], model->gravity, &x, &T, &V, &lost, d->work);
    r->kinetic[k] += T;
    r->potential[k] += V + mw_dae_strain_energy(d, b);
  }
  for (int j = 0; j < m->n_joint; j++)
    for (int l = 0; l < m->joint[j].n_row; l++) {
      double g = d->g[m->joint[j].row0 + l], stiff = m->joint[j].k[l];
      if (isfinite(stiff))
        r->potential[k] += 0.5 * stiff * g * g;
      else
        r->residual[k] = fmax(r->residual[k], fabs(g));
    }
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
    double V = 0.0;
    if (in->has_law) mw_law_energy(&in->law, d->q[d->col_s + c], d->v[d->col_s + c], &V, NULL);
    r->potential[k] += V;
  }
  r->work[k] = work;
  for (int b = 0; b < m->n_body; b++) {
    mw_run_turn(r, b, d->t, mw_body_turn(&m->body[b], mw_dae_u(d, d->q, b), d->work));
    if (d->moving[b]) mw_run_spin(r, b, d->q + d->col[b], d->v + d->col[b]);
  }
}

// Frames of all bodies and their unknowns to whoever looks on
static mw_code show(mw_dae *d, int k, mw_error *err)
{
  const mw_mech *m = d->m;
  const mw_watch *f = d->opt.watch;
  if (!mw_watch_due(f, k)) return MW_OK;
  for (int b = 0; b < m->n_body; b++) {
    memcpy(d->show_p + 12 * b, mw_dae_frame(d, d->q, b), 12 * sizeof(double));
    d->show_u[b] = mw_dae_u(d, d->q, b);
  }
  mw_snapshot snap = { .t = d->t, .p = d->show_p, .u = d->show_u };
  return f->put(f->ctx, &snap, err);
}

// ---- run ----------------------------------------------------------------------------------------

// Controllers and signals from d->t on; more: work of the step that the powers at its ends do not
// show.
typedef struct clock {
  double t_next;  // s
  int n_sample;
} clock;

static mw_code enter_step(mw_dae *d, clock *c, double *more, mw_error *err)
{
  static const double NEAR = 1e-9;  // of a step
  double tau = -1.0;
  mw_code rc = MW_OK;
  if (c->t_next < d->t + d->h * (1.0 - NEAR)) {
    tau = c->t_next <= d->t + NEAR * d->h ? 0.0 : c->t_next - d->t;
    c->t_next = d->control.period * ++c->n_sample;
    mw_dae_sample(d, tau);
    rc = mw_dae_ask(d, d->t + tau, err);
  }
  return rc == MW_OK ? mw_dae_bend(d, tau, more, err) : rc;
}

// Compares how far springs are turned with what the step before left (first: with nothing).
static mw_code accept_turns(mw_dae *d, bool first, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && j < d->m->n_joint; j++) {
    int row0 = d->m->joint[j].row0;
    rc = mw_joint_check_turn(&d->m->joint[j], d->t, first ? NULL : d->turned + row0, d->g + row0,
                             err);
  }
  memcpy(d->turned, d->g, (size_t)d->m->n_row * sizeof *d->g);
  return rc;
}

// One step, the n-th; work: so far. *event: the limit met in it, where d->t and the state then are,
// -1: none.
static mw_code advance(mw_dae *d, clock *c, int n, double *work, int *event, mw_error *err)
{
  double more = 0.0, took = d->h;
  d->t = n * d->h;
  mw_code rc = enter_step(d, c, &more, err);
  if (rc != MW_OK) return rc;
  double P = net_power(d);
  mw_dae_limit_keep(d);
  rc = mw_dae_step(d, err);
  if (rc == MW_OK) rc = mw_dae_rows(d, err);
  if (rc == MW_OK || rc == MW_ERR_RANGE) *event = mw_dae_limit_meet(d, rc != MW_OK, &took);
  if (*event >= 0)
    rc = mw_dae_rows(d, err);
  else
    took = d->h;
  if (rc != MW_OK) return rc;
  mw_dae_reactions(d);
  *work += 0.5 * took * (P + net_power(d)) + more;
  d->t = *event >= 0 ? n * d->h + took : (n + 1) * d->h;
  return accept_turns(d, false, err);
}

static mw_code run(mw_dae *d, int per_store, mw_progress *progress, mw_run *r, mw_error *err)
{
  double work = 0.0;
  int event = -1, n_steps = r->steps;
  clock c = { 0 };
  mw_code rc = mw_dae_rows(d, err);
  if (rc == MW_OK) rc = accept_turns(d, true, err);
  if (rc != MW_OK) return rc;
  mw_dae_reactions(d);
  store(d, 0, 0.0, r);
  rc = show(d, 0, err);
  for (int n = 0; rc == MW_OK && n < n_steps && event < 0; n++) {
    double start = mw_wall_time();
    rc = advance(d, &c, n, &work, &event, err);
    r->wall_s += mw_wall_time() - start;
    if (rc != MW_OK) break;
    if (event >= 0) {
      r->steps = n + 1;
      r->n_t = n / per_store + 2;
      r->event = mw_limit_text(d->m, d->limit, event, d->t, &r->mem);
    }
    if ((n + 1) % per_store == 0 || event >= 0) {
      store(d, n / per_store + 1, work, r);
      rc = show(d, n / per_store + 1, err);
    }
    mw_progress_step(progress, d->t);
  }
  return rc == MW_OK ? mw_arena_check(&r->mem, err) : rc;
}

mw_code mw_dae_run(const mw_mech *m, const mw_scenario *sc, const char *path, const mw_dae_opt *opt,
                   mw_progress *progress, mw_run *out, mw_error *err)
{
  mw_dae d = { .m = m, .sc = sc, .opt = *opt };
  mw_run r = { 0 };
  double step = opt->step > 0.0 ? opt->step : sc->step;
  int per_store = 1;
  mw_code rc = mw_mech_check_elastic(m, err);
  if (rc != MW_OK) return rc;
  rc = mw_run_init(m->model, sc, path, m->n_coord, &r, err);
  if (rc == MW_OK) rc = mw_run_steps(&r, sc, step, &per_store, err);
  if (rc == MW_OK) rc = mw_run_init_turns(&r, m->n_body, err);
  if (rc == MW_OK) rc = set_up(&d, sc->store / per_store, err);
  if (rc == MW_OK)
    rc = mw_control_build(m->model, sc, fmax(sc->control_period, d.h), &d.mem, &d.control, err);
  if (rc == MW_OK) rc = mw_dae_modal_build(&d, err);
  if (rc == MW_OK && mw_dae_modal_slows(&d) && !d.strain.on)
    rc = mw_dae_memory_init(&d, &d.mem, &d.strain.memory, err);
  if (rc == MW_OK) rc = mw_dae_start(&d, err);
  if (rc == MW_OK) rc = mw_dae_limits_build(&d, err);
  r.steps = r.n_t > 0 ? (r.n_t - 1) * per_store : 0;
  mw_progress_start(progress, path, sc->duration);
  if (rc == MW_OK) rc = run(&d, per_store, progress, &r, err);
  mw_progress_end(progress);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) r.linear[b] = !d.strain.on || !d.strain.T[b];
  if (rc == MW_OK) rc = mw_run_warn(&r, err);
  if (rc == MW_OK && !opt->controller) mw_run_warn_limited(&r, &d.control);
  if (rc == MW_OK) rc = mw_arena_check(&r.mem, err);
  if (rc == MW_OK) {
    r.unknowns = unknowns_of(&d);
    r.iterations = d.iterations;
    r.step = d.h;
    mw_run_finish(&r);
    *out = r;
  } else {
    mw_run_free(&r);
  }
  clean_up(&d);
  return rc;
}
