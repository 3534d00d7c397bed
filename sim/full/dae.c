// SPDX-License-Identifier: BSD-3-Clause
// dae.c: paths full and body in the run loop (run/path_layer.h): memory, steps, what is stored.
//
// Steps cross kinks of forces and samples of controllers; the state takes what the method does not
// see of them (dae_kink.c). Where a step meets a limit of a coordinate the state is interpolated
// (dae_limit.c). Work is the trapezoid of drive power less the power lost in dampers, and what
// kinks add to it.
#include "sim/dae.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"
#include "fem/law.h"
#include "fem/output.h"
#include "fem/strain.h"
#include "rigid/rigid_carried_layer.h"
#include "run/flank_layer.h"
#include "run/lockup_layer.h"
#include "sim/turn.h"
#include "verdict/wholetext_layer.h"

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
  d->normal = mw_arena_f64(a, nc);
  d->law_coord = mw_arena_int(a, nc);
  d->law_k = mw_arena_f64(a, nc);
  d->law_slope = mw_arena_f64(a, nc);
  d->law_c = mw_arena_f64(a, nc);
  d->keep = mw_arena_alloc(a, (size_t)m->n_row, 1);
  d->active = mw_arena_alloc(a, (size_t)m->n_row, 1);
  d->sys.r_s = mw_arena_f64(a, nc);
  d->block = mw_arena_alloc(a, nb, sizeof *d->block);
  d->show_p = mw_arena_f64(a, 12 * nb);
  d->before_p = mw_arena_f64(a, 12 * nb);
  d->before_s = mw_arena_f64(a, nc);
  d->show_u = mw_arena_alloc(a, nb, sizeof *d->show_u);
  for (int c = 0; d->law_coord && c < m->n_coord; c++)
    if (m->joint[m->coord_joint[c]].in->has_law || mw_dae_rubs(d, c)) d->law_coord[d->n_law++] = c;
  d->law_answer = mw_arena_f64(a, (size_t)d->n_law * (rows + nc));
  d->law_p = mw_arena_f64(a, nc);
  d->law_from = mw_arena_f64(a, nc);
  d->law_there = mw_arena_f64(a, nc);
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

static void close_path(void *p)
{
  mw_dae *d = p;
  for (int b = 0; d->block && b < d->m->n_body; b++) mw_dae_block_free(&d->block[b]);
  mw_dae_modal_free(d);
  mw_dae_components_close(d);
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
static mw_code net_power(mw_dae *d, double *out, mw_error *err)
{
  const mw_mech *m = d->m;
  double P = 0.0;
  if (d->n_component > 0) mw_dae_residual(d, true);
  mw_code rc = mw_dae_components_residual(d, err);
  for (int k = 0; k < m->model->n_drive; k++)
    if (d->force[k] != 0.0) P += d->force[k] * mw_dae_drive_along(d, k, d->v);
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint_in *in = m->joint[m->coord_joint[c]].in;
    double v = d->v[d->col_s + c], lost = 0.0;
    if (in->has_law) mw_law_energy(&in->law, d->q[d->col_s + c], v, NULL, &lost);
    P -= in->coordinate_damping * v * v + lost + mw_dae_friction_lost(d, c);
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
  *out = P + mw_dae_components_power(d) - mw_dae_modal_lost(d);
  return rc;
}

static void see_flanks(const mw_dae *d, mw_run *r)
{
  for (int j = 0; j < d->m->n_joint; j++) {
    const mw_joint *jt = &d->m->joint[j];
    double y[6];
    if (!mw_run_has_flank(r, jt)) continue;
    mw_dae_reaction(d, j, y);
    mw_run_flank(r, jt, j, d->t, mw_dae_frame(d, d->q, jt->a), y);
  }
}

static mw_code observe(void *p, int k, mw_run *r, mw_error *err)
{
  mw_dae *d = p;
  const mw_mech *m = d->m;
  const mw_model *model = m->model;
  size_t i = (size_t)k, nc = (size_t)r->n_coord, nd = (size_t)r->n_drive, no = (size_t)r->n_out;
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
    if (mw_dae_component_of(d, b)) continue;
    mw_dae_body_energy(&m->body[b], d->moving[b], model->gravity, &x, &T, &V, &lost, d->work);
    r->kinetic[k] += T;
    r->potential[k] += V + mw_dae_strain_energy(d, b);
  }
  mw_dae_components_energy(d, &r->kinetic[k], &r->potential[k]);
  r->residual[k] = mw_dae_components_gap(d);
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
  r->work[k] = d->energy;
  for (int b = 0; b < m->n_body; b++) {
    mw_run_turn(r, b, d->t, mw_body_turn(&m->body[b], mw_dae_u(d, d->q, b), d->work));
    if (d->moving[b]) mw_run_spin(r, b, d->q + d->col[b], d->v + d->col[b]);
  }
  see_flanks(d, r);
  return mw_dae_observe(d, k, r, err);
}

static void show(void *p, mw_snapshot *out)
{
  mw_dae *d = p;
  for (int b = 0; b < d->m->n_body; b++) {
    memcpy(d->show_p + 12 * b, mw_dae_frame(d, d->q, b), 12 * sizeof(double));
    d->show_u[b] = mw_dae_u(d, d->q, b);
  }
  out->p = d->show_p;
  out->u = d->show_u;
}

// ---- steps --------------------------------------------------------------------------------------

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

static void coords(void *p, double *s)
{
  const mw_dae *d = p;
  memcpy(s, d->q + d->col_s, (size_t)d->m->n_coord * sizeof *s);
}

// Samples controllers and takes forces as they are from sp->t on; power at the start.
static mw_code enter_step(mw_dae *d, const mw_span *sp, mw_error *err)
{
  mw_code rc = MW_OK;
  if (sp->tau >= 0.0) {
    rc = mw_dae_sample(d, sp->tau, err);
    if (rc == MW_OK) rc = mw_dae_ask(d, sp->t + sp->tau, err);
  }
  d->bent = 0.0;
  if (rc == MW_OK) rc = mw_dae_bend(d, sp->tau, &d->bent, err);
  return rc == MW_OK ? net_power(d, &d->power, err) : rc;
}

static void frames_before(mw_dae *d)
{
  for (int b = 0; b < d->m->n_body; b++)
    memcpy(d->before_p + 12 * b, mw_dae_frame(d, d->q, b), 12 * sizeof(double));
  memcpy(d->before_s, d->q + d->col_s, (size_t)d->m->n_coord * sizeof(double));
}

// Says behind the error of a step which prescribed coordinate has come to a dead point.
static mw_code explained(const mw_dae *d, mw_code rc, mw_error *err)
{
  if (!err || rc != MW_ERR_NUMERIC) return rc;
  char dead[160];
  mw_lockup_of_scenario(d->m, d->sc, d->t, d->before_p, d->before_s, dead, sizeof dead);
  return mw_lockup_append(rc, dead, err);
}

// Are the joints closed? At a dead point the rows of a prescribed coordinate depend on the others,
// and are left out as redundant ones are; these close with the others.
static mw_code closed(const mw_dae *d, mw_error *err)
{
  static const double OPEN = 1e-6;  // 1, of the size: far more than an iteration leaves
  double gap = 0.0;
  int joint = 0;
  for (int j = 0; j < d->m->n_joint; j++)
    for (int i = 0; i < d->m->joint[j].n_row; i++) {
      double g = fabs(d->g[d->m->joint[j].row0 + i]);
      if (!isinf(d->m->joint[j].k[i]) || g <= gap) continue;
      gap = g;
      joint = j;
    }
  if (gap <= OPEN * fmax(d->size, 1.0)) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, d->sc->at,
                 "at t = %.6g s joint %.80s stays open by %.3g m (or 1); a shorter step may help",
                 d->t, d->m->joint[joint].name, gap);
}

static mw_code step(void *p, mw_span *sp, mw_error *err)
{
  mw_dae *d = p;
  d->t = sp->t;
  mw_dae_limit_keep(d);
  mw_code rc = enter_step(d, sp, err);
  if (rc != MW_OK) return rc;
  mw_dae_limit_keep(d);
  frames_before(d);
  rc = mw_dae_step(d, err);
  if (rc == MW_OK) rc = mw_dae_rows(d, err);
  if (rc == MW_OK) rc = closed(d, err);
  return rc == MW_OK ? rc : explained(d, rc, err);
}

static mw_code accept(void *p, const mw_span *sp, mw_error *err)
{
  mw_dae *d = p;
  mw_code rc = sp->event >= 0 ? mw_dae_rows(d, err) : MW_OK;
  if (rc != MW_OK) return rc;
  double power = 0.0;
  mw_dae_reactions(d);
  d->t = sp->event >= 0 ? sp->t + sp->took : sp->end;
  rc = net_power(d, &power, err);
  d->energy += 0.5 * sp->took * (d->power + power) + d->bent;
  if (rc == MW_OK) rc = accept_turns(d, false, err);
  return rc == MW_OK ? mw_dae_components_accept(d, err) : rc;
}

// ---- the path -----------------------------------------------------------------------------------

static mw_code open(void *p, const mw_path_in *in, double h, mw_run *r, mw_error *err)
{
  mw_dae *d = p;
  d->m = in->mech;
  d->sc = in->sc;
  d->opt = *(const mw_dae_opt *)in->opt;
  d->progress = in->progress;
  d->limited = in->n_limit > 0;
  mw_code rc = mw_mech_check_elastic(d->m, true, err);
  if (rc == MW_OK) rc = mw_run_init_turns(r, d->m->n_body, err);
  if (rc == MW_OK) rc = mw_run_init_flanks(r, d->m, err);
  if (rc == MW_OK) rc = mw_rigid_carried_note(in->mech, in->sc, r, err);
  if (rc == MW_OK) rc = mw_dae_components_open(d, err);
  if (rc == MW_OK) rc = set_up(d, h, err);
  if (rc == MW_OK && d->limited) d->start = mw_arena_f64(&d->mem, 6 * (size_t)d->n_q);
  if (rc == MW_OK) rc = mw_arena_check(&d->mem, err);
  if (rc == MW_OK)
    rc = mw_control_build(in->model, d->sc, d->sc->control_period, &d->mem, &d->control, err);
  d->control.units = mw_cosim_units(in->cosim);
  if (rc == MW_OK) rc = mw_control_feed(&d->control, d->m, &d->mem, err);
  if (rc == MW_OK) rc = mw_observing_init(d->m, &d->mem, &d->observer, err);
  if (rc == MW_OK) rc = mw_dae_components_check(d, err);
  if (rc == MW_OK) rc = mw_dae_modal_build(d, err);
  if (rc == MW_OK && mw_dae_slows(d) && !d->strain.on)
    rc = mw_dae_memory_init(d, &d->mem, &d->strain.memory, err);
  return rc;
}

static mw_code start(void *p, mw_error *err)
{
  mw_dae *d = p;
  mw_code rc = mw_dae_start(d, err);
  d->progress = NULL;
  if (rc == MW_OK) rc = mw_dae_rows(d, err);
  if (rc == MW_OK) rc = accept_turns(d, true, err);
  if (rc == MW_OK) rc = mw_dae_components_accept(d, err);
  if (rc == MW_OK) mw_dae_reactions(d);
  return rc;
}

static int parts(void *p, mw_part *part)
{
  mw_dae *d = p;
  size_t f64 = sizeof(double), q = (size_t)d->n_q * f64, nd = (size_t)d->m->model->n_drive * f64;
  size_t rows = (size_t)(d->m->n_row + d->m->n_coord);
  const mw_part all[] = {
    { &d->t, f64 },
    { d->q, q },
    { d->v, q },
    { d->a, q },
    { d->aux, q },
    { d->lam, 12 * (size_t)d->m->n_body * f64 },
    { d->lambda, rows * f64 },
    { d->force, nd },
    { d->u_held, nd },
    { &d->asked, sizeof d->asked },
    { d->keep, (size_t)d->m->n_row },
    { &d->rows_known, sizeof d->rows_known },
    { d->turned, rows * f64 },
    { &d->energy, f64 },
    { &d->iterations, sizeof d->iterations },
    { &d->strain.pause, sizeof d->strain.pause },
    { &d->strain.renewed, sizeof d->strain.renewed },
    { d->strain.at, d->strain.on ? q : 0 },
    { d->inside, d->n_inside },
  };
  memcpy(part, all, sizeof all);
  int n = (int)(sizeof all / sizeof *all);
  n += mw_observing_parts(&d->observer, part + n);
  n += mw_control_parts(&d->control, part + n);
  return n + mw_dae_modal_parts(d, part + n);
}

// Blocks that were renewed are built again at the state they were renewed at.
static mw_code blocks_again(mw_dae *d, mw_error *err)
{
  bool renewed = d->strain.renewed;
  mw_code rc = mw_dae_blocks(d, false, err);
  if (rc != MW_OK || !renewed) return rc;
  mw_dae_keep(d, false);
  memcpy(d->q, d->strain.at, (size_t)d->n_q * sizeof *d->q);
  rc = mw_dae_renew(d, false, err);
  mw_dae_keep(d, true);
  return rc;
}

static mw_code resume(void *p, mw_error *err)
{
  mw_dae *d = p;
  d->progress = NULL;
  mw_code rc = blocks_again(d, err);
  if (rc == MW_OK) rc = mw_dae_modal_resume(d, err);
  return rc == MW_OK ? mw_dae_rows(d, err) : rc;
}

static mw_code finish(void *p, mw_run *r, mw_error *err)
{
  mw_dae *d = p;
  for (int b = 0; b < d->m->n_body; b++) r->linear[b] = !d->strain.on || !d->strain.T[b];
  r->unknowns = unknowns_of(d);
  r->iterations = d->iterations;
  mw_parts_tell(d->m->model, mw_dae_component_promise, d, r);
  mw_code rc = mw_run_warn(r, err);
  mw_run_warn_flanks(r, d->m);
  mw_dae_tell_friction(d, r);
  if (rc == MW_OK && !d->opt.controller) mw_run_warn_limited(r, &d->control);
  return rc;
}

#define MW_DAE_PATH(NAME)                                                                          \
  {                                                                                                \
    .name = NAME, .bytes = sizeof(mw_dae), .grid = true, .open = open, .start = start,             \
    .coords = coords, .step = step, .within = mw_dae_limit_at, .accept = accept, .parts = parts,   \
    .resume = resume, .observe = observe, .show = show, .finish = finish, .close = close_path      \
  }
const mw_path mw_path_full = MW_DAE_PATH("full");
const mw_path mw_path_body = MW_DAE_PATH("body");

mw_code mw_dae_run(const mw_mech *m, const mw_scenario *sc, const char *path, const mw_dae_opt *opt,
                   mw_progress *progress, mw_run *out, mw_error *err)
{
  const mw_path_in in = { .model = m->model,
                          .mech = m,
                          .sc = sc,
                          .name = path,
                          .step = opt->step > 0.0 ? opt->step : sc->step,
                          .opt = opt };
  return mw_loop_run(&mw_path_full, &in, opt->watch, progress, out, err);
}
