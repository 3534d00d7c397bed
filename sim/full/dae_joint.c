// SPDX-License-Identifier: BSD-3-Clause
// dae_joint.c: elimination of the bodies, and the rows of the joints that are left.
//
//   S_b y_b + Ĵ_bᵀ Δλ = −r_b ,  Σ_b Ĵ_b y_b + Js Δs − Δλ/k = −ρ ,  Jsᵀ Δλ + k_s Δs = −r_s       (1)
//   [ F + 1/k   −Js  ] [ Δλ ]   [ ρ − Σ Ĵ W r ]
//   [ −Jsᵀ      −k_s ] [ Δs ] = [ r_s         ] ,      F = Σ_b Ĵ_b (P̂ S_b⁻¹ P̂ᵀ) Ĵ_bᵀ          (2)
//
// Ĵ: rows over the interface functionals (ô, Ê, z). A coordinate leaves (2) by the row e of its own
// joint that defines it, whatever its other rows: f_i = Js_i / Js_e ,
//   rows i ≠ e:  ĵ_i − f_i ĵ_e ,  λ̃ = λ_e + Σ f_i λ_i                                       (3)
//   row e:       F_ee λ̃ + … + (Js_e² / k_s) λ̃ = ρ_e − … − Js_e r_s / k_s        k_s > 0
//                λ̃ = −r_s / Js_e                                                k_s = 0
//                Δs given, F λ̃ = ρ_e + Js_e Δs − …                              held
// What is left, F + R over the rows, is positive and enters the elimination of fem/elim.h: rigid
// bodies as nodes, Ĵ G Ĵᵀ = (t L)(t L)ᵀ by their twists t, what elastic ones leave as blocks
// between rows (dae_graph.c). O(N) along chains and trees. Rows of constraints that depend on
// others (two rails, closed loops) show there as zero pivots of the rows that close a loop and are
// left out; their gaps are still watched. Rigid-body rows never are.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "dae_layer.h"

enum { LD = MW_ELIM_LD };

static const double REDUNDANT = 1e-10;  // pivot relative to a row's own diagonal
static const double WEAK = 1e30;        // Js²/k_s beyond this part of F: k_s counts as 0

typedef struct side {  // rows of one joint over the functionals of one body
  int n;
  const double *J, *Z;
} side;

// Side of joint j on body b, one of its two.
static side side_of(const mw_dae *d, int j, int b)
{
  const mw_joint *jt = &d->m->joint[j];
  const mw_joint_eval *e = &d->e[j];
  return (side){ .n = jt->n_row, .J = jt->a == b ? e->Ja : e->Jb, .Z = jt->a == b ? e->Za : e->Zb };
}

static int frame_of(const mw_dae_block *k) { return k->moving ? 12 : 0; }

// x := P̂ y, the functionals of a body's unknowns
static void functionals(const mw_dae_block *k, const double *y, double *x)
{
  int frame = frame_of(k);
  memcpy(x, y, (size_t)frame * sizeof(double));
  if (k->n_u > 0) mw_csc_mul(&k->body->P, 1.0, y + k->n_d, 0.0, x + frame);
}

// ĵ·x for row i of a side
static double row_dot(const mw_dae_block *k, const side *s, int i, const double *x)
{
  int frame = frame_of(k), nz = k->n_f - frame;
  return (frame ? mw_dot(12, s->J + 12 * i, x) : 0.0) +
         (nz > 0 ? mw_dot(nz, s->Z + (size_t)i * (size_t)nz, x + frame) : 0.0);
}

// T := ĵ G; most entries of a row are zero
static void row_times_G(const mw_dae_block *k, const side *s, int i, double *T)
{
  int frame = frame_of(k), nz = k->n_f - frame;
  memset(T, 0, (size_t)k->n_f * sizeof(double));
  for (int c = 0; c < frame; c++)
    if (s->J[12 * i + c] != 0.0)
      mw_axpy(k->n_f, s->J[12 * i + c], k->G + (size_t)c * (size_t)k->n_f, T);
  for (int c = 0; c < nz; c++) {
    double z = s->Z[(size_t)i * (size_t)nz + (size_t)c];
    if (z != 0.0) mw_axpy(k->n_f, z, k->G + (size_t)(frame + c) * (size_t)k->n_f, T);
  }
}

double mw_dae_row_yield(mw_dae *d, int j, int i)
{
  const mw_joint *jt = &d->m->joint[j];
  double F = 0.0;
  for (int k = 0; k < (jt->a == jt->b ? 1 : 2); k++) {
    int b = k == 0 ? jt->a : jt->b;
    side s = side_of(d, j, b);
    if (d->block[b].n_f == 0) continue;
    row_times_G(&d->block[b], &s, i, d->work);
    F += row_dot(&d->block[b], &s, i, d->work);
  }
  return F;
}

// ---- what acts ----------------------------------------------------------------------------------

static bool carries_force(const mw_dae *d, int j, int i)
{
  double k = mw_dae_row_stiffness(d, j, i);
  return isinf(k) || (k > 0.0 && !d->no_elastic);
}

static bool takes_part(const mw_dae *d, int j, int i)
{
  return d->keep[d->m->joint[j].row0 + i] && carries_force(d, j, i);
}

// What a coordinate's own row moves, ĵ_e G, and what holds the coordinate.
static void set_coordinates(mw_dae *d)
{
  const mw_mech *m = d->m;
  for (int c = 0; c < m->n_coord; c++) {
    mw_dae_coordinate *p = &d->sys.coord[c];
    int j = m->coord_joint[c], e = m->joint[j].coord_row;
    double F = 0.0;
    for (int k = 0; k < 2; k++) {
      int b = k == 0 ? m->joint[j].a : m->joint[j].b;
      side s = side_of(d, j, b);
      if (d->block[b].n_f == 0) continue;
      row_times_G(&d->block[b], &s, e, p->T[k]);
      F += row_dot(&d->block[b], &s, e, p->T[k]);
    }
    p->held = -1;
    p->Js = d->e[j].Js[e];
    p->k = mw_dae_coord_stiffness(d, c);
    p->idle = !(p->k > 0.0) || p->Js * p->Js > WEAK * F * p->k;
  }
  for (int k = 0; k < d->n_hold; k++) {
    d->sys.coord[d->hold[k]].held = k;
    d->sys.coord[d->hold[k]].idle = false;
  }
}

// f of (3): of slides, whose rows all change with the place.
static void mix_rows(mw_dae *d)
{
  for (int j = 0; j < d->m->n_joint; j++) {
    const mw_joint *jt = &d->m->joint[j];
    const double *Js = d->e[j].Js;
    for (int i = 0; jt->guide && i < jt->n_row; i++)
      d->sys.mix[jt->row0 + i] = i == jt->coord_row ? 0.0 : Js[i] / Js[jt->coord_row];
  }
}

// Which rows take part (d->active) and their R (sys.diag). seek: constraints alone, to find
// redundant ones.
static void set_rows(mw_dae *d, bool seek)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  for (int k = 0; k < s->n_node; k++) {
    const mw_dae_node *p = &s->node[k];
    const mw_joint *jt = &m->joint[p->joint];
    for (int i = p->first; i < p->first + p->n; i++) {
      const mw_dae_coordinate *c = i == jt->coord_row ? &s->coord[jt->coord] : NULL;
      bool hard = isinf(mw_dae_row_stiffness(d, p->joint, i)), free = c && c->held < 0;
      bool on = seek ? hard && !free : takes_part(d, p->joint, i) && !(c && c->idle);
      double R = on ? 1.0 / mw_dae_row_stiffness(d, p->joint, i) : 1.0;
      if (on && free) R += c->Js * c->Js / c->k;
      d->active[jt->row0 + i] = on;
      s->diag[(m->n_body + k) * LD + i - p->first] = R;
    }
  }
}

// ---- the matrix ---------------------------------------------------------------------------------

void mw_dae_twist_row(const double *J, double t[6])
{
  const double *W = J + 3;
  memcpy(t, J, 3 * sizeof *t);
  t[3] = W[7] - W[5];
  t[4] = W[2] - W[6];
  t[5] = W[3] - W[1];
}

// Ĵ N L of node k on a rigid body, into its block of the elimination
static void fill_rigid(mw_dae *d, int k, int touch)
{
  mw_dae_system *s = &d->sys;
  const mw_dae_node *p = &s->node[k];
  const mw_joint *jt = &d->m->joint[p->joint];
  int b = s->touch[touch];
  const double *L = d->block[b].L;
  side v = side_of(d, p->joint, b);
  double *to = s->num.val + s->elim.couple[touch];
  bool across = s->elim.across[touch];
  memset(to, 0, (size_t)(across ? p->n : 6) * LD * sizeof(double));
  for (int r = 0; r < p->n; r++) {
    if (!d->active[jt->row0 + p->first + r]) continue;
    double mix = s->mix[jt->row0 + p->first + r], t[6], x[6] = { 0.0 };
    mw_dae_twist_row(v.J + 12 * (p->first + r), t);
    if (mix != 0.0) {
      double own[6];
      mw_dae_twist_row(v.J + 12 * jt->coord_row, own);
      mw_axpy(6, -mix, own, t);
    }
    for (int i = 0; i < 6; i++)
      for (int c = 0; c <= i; c++) x[c] += t[i] * L[6 * i + c];
    for (int c = 0; c < 6; c++) to[across ? r * LD + c : c * LD + r] = x[c];
  }
}

// ĵ G of row i of joint j, shifted as in (3), on body b; in place or in d->work
static const double *row_answer(mw_dae *d, int b, int j, int i)
{
  const mw_joint *jt = &d->m->joint[j];
  const mw_dae_block *k = &d->block[b];
  const double *own = jt->coord >= 0 ? d->sys.coord[jt->coord].T[jt->a == b ? 0 : 1] : NULL;
  double mix = d->sys.mix[jt->row0 + i];
  side v = side_of(d, j, b);
  if (own && i == jt->coord_row) return own;
  row_times_G(k, &v, i, d->work);
  if (mix != 0.0) mw_axpy(k->n_f, -mix, own, d->work);
  return d->work;
}

// Adds row i of node a (of body b's) times all nodes from a on, T = ĵ G.
static void add_row(mw_dae *d, int b, int a, int i, const double *T)
{
  const mw_dae_block *k = &d->block[b];
  mw_dae_system *s = &d->sys;
  const mw_dae_large *l = &s->large[b];
  for (int o = a; o < l->n; o++) {
    const mw_dae_node *q = &s->node[l->node[o]];
    const mw_joint *jt = &d->m->joint[q->joint];
    const mw_dae_between *at = &l->pair[a * l->n + o];
    side w = side_of(d, q->joint, b);
    double *to = s->num.val + at->at, own = jt->guide ? row_dot(k, &w, jt->coord_row, T) : 0.0;
    for (int c = o == a ? i : 0; c < q->n; c++) {
      int row = q->first + c;
      if (!d->active[jt->row0 + row]) continue;
      double F = jt->guide && row == jt->coord_row
                     ? own
                     : row_dot(k, &w, row, T) - s->mix[jt->row0 + row] * own;
      if (o != a) {
        to[at->swapped ? c * LD + i : i * LD + c] -= F;
        continue;
      }
      to[i * LD + c] += F;
      if (c != i) to[c * LD + i] += F;
    }
  }
}

// Ĵ G Ĵᵀ between the nodes of an elastic body, or of a component
static void add_large(mw_dae *d, int b)
{
  const mw_dae_large *l = &d->sys.large[b];
  mw_dae_component *c = mw_dae_component_of(d, b);
  if (c) mw_dae_component_pairs(d, c);
  for (int a = 0; !c && a < l->n; a++) {
    const mw_dae_node *p = &d->sys.node[l->node[a]];
    for (int i = 0; i < p->n; i++)
      if (d->active[d->m->joint[p->joint].row0 + p->first + i])
        add_row(d, b, a, i, row_answer(d, b, p->joint, p->first + i));
  }
}

static void clear_large(mw_dae *d)
{
  mw_dae_system *s = &d->sys;
  for (int b = 0; b < d->m->n_body; b++) {
    const mw_dae_large *l = &s->large[b];
    for (int i = 0; i < l->n; i++)
      for (int k = i; k < l->n; k++) {
        const mw_dae_between *at = &l->pair[i * l->n + k];
        int rows = s->node[l->node[at->swapped ? k : i]].n;
        memset(s->num.val + at->at, 0, (size_t)(rows * LD) * sizeof(double));
      }
  }
}

static void fill(mw_dae *d)
{
  mw_dae_system *s = &d->sys;
  int nb = d->m->n_body;
  for (int k = 0; k < s->n_node; k++)
    for (int t = s->ptr[k]; t < s->ptr[k + 1]; t++)
      if (s->elim.size[s->touch[t]] > 0) fill_rigid(d, k, t);
  clear_large(d);
  for (int b = 0; b < nb; b++)
    if (s->large[b].n > 0) add_large(d, b);
  for (int b = 0; b < nb; b++)
    for (int i = 0; i < s->large[b].n; i++) {
      int node = nb + s->large[b].node[i];
      const double *F = s->num.val + s->elim.diag[node];
      for (int r = 0; r < s->elim.size[node]; r++) s->num.scale[node * LD + r] = F[r * (LD + 1)];
    }
}

static mw_code singular(const mw_dae *d, mw_error *err)
{
  int k = d->sys.num.failed - d->m->n_body;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "at t = %.6g s the equations of the joints are singular, in joint %.128s", d->t,
                 k < 0 ? "?" : d->m->joint[d->sys.node[k].joint].name);
}

static mw_code factor(mw_dae *d, bool seek, mw_error *err)
{
  mw_dae_system *s = &d->sys;
  const mw_elim_task task = {
    .diag = s->diag, .inverse = s->inverse, .drop = REDUNDANT, .any_sign = !seek
  };
  set_rows(d, seek);
  fill(d);
  return mw_elim_factor(&s->elim, &s->num, &task) == MW_OK ? MW_OK : singular(d, err);
}

// Marks redundant constraints; those of held coordinates count among them.
static mw_code find_redundant(mw_dae *d, mw_error *err)
{
  const mw_dae_system *s = &d->sys;
  mw_code rc = factor(d, true, err);
  if (rc != MW_OK) return rc;
  memset(d->keep, 1, (size_t)d->m->n_row);
  for (int k = 0; k < s->n_node; k++)
    for (int i = 0; i < s->node[k].n; i++) {
      int row = d->m->joint[s->node[k].joint].row0 + s->node[k].first + i;
      if (s->num.inv[(d->m->n_body + k) * LD + i] == 0.0) d->keep[row] = 0;
    }
  d->rows_known = true;
  return MW_OK;
}

// Ĵ S⁻¹ H of the rows that act
static void couple(mw_dae *d)
{
  const mw_dae_drag *g = &d->drag;
  const mw_mech *m = d->m;
  if (g->s == 0) return;
  memset(g->W, 0, (size_t)(g->s * m->n_row) * sizeof(double));
  for (int b = 0; b < m->n_body; b++)
    for (int i = 0; g->H[b] && i < g->s; i++) {
      const mw_dae_block *k = &d->block[b];
      functionals(k, g->SH[b] + (size_t)i * (size_t)k->n_y, d->work);
      for (int l = d->joints_ptr[b]; l < d->joints_ptr[b + 1]; l++) {
        int j = d->joints_of[l];
        side s = side_of(d, j, b);
        for (int r = 0; r < s.n; r++)
          if (takes_part(d, j, r))
            g->W[i * m->n_row + m->joint[j].row0 + r] += row_dot(k, &s, r, d->work);
      }
    }
}

mw_code mw_dae_joint_build(mw_dae *d, mw_error *err)
{
  mw_dae_components_border(d);
  set_coordinates(d);
  mix_rows(d);
  mw_code rc = d->rows_known ? MW_OK : find_redundant(d, err);
  if (rc == MW_OK) rc = factor(d, false, err);
  if (rc == MW_OK) rc = mw_dae_drag_build(d, err);
  if (rc == MW_OK) couple(d);
  if (rc == MW_OK) rc = mw_dae_drag_join(d, err);
  if (rc == MW_OK) mw_dae_law_answers(d);
  return rc;
}

// ---- solutions ----------------------------------------------------------------------------------

// ρ − ĵ x_f of row i of joint j
static double row_rest(const mw_dae *d, int j, int i, double rho)
{
  const mw_joint *jt = &d->m->joint[j];
  for (int k = 0; k < (jt->a == jt->b ? 1 : 2); k++) {
    int b = k == 0 ? jt->a : jt->b;
    side s = side_of(d, j, b);
    if (d->block[b].n_f > 0) rho -= row_dot(&d->block[b], &s, i, d->sys.x_f[b]);
  }
  return rho;
}

// f_b = Ĵ_bᵀ λ on every body's functionals
static void interface_forces(mw_dae *d, const double *lam)
{
  const mw_mech *m = d->m;
  for (int b = 0; b < m->n_body; b++) {
    const mw_dae_block *k = &d->block[b];
    double *f = d->sys.f[b];
    int frame = frame_of(k), nz = k->n_f - frame;
    memset(f, 0, (size_t)k->n_f * sizeof(double));
    for (int l = d->joints_ptr[b]; k->n_f > 0 && l < d->joints_ptr[b + 1]; l++) {
      const double *x = lam + m->joint[d->joints_of[l]].row0;
      side s = side_of(d, d->joints_of[l], b);
      for (int i = 0; i < s.n; i++) {
        if (x[i] == 0.0) continue;
        if (frame) mw_axpy(12, x[i], s.J + 12 * i, f);
        if (nz > 0) mw_axpy(nz, x[i], s.Z + (size_t)i * (size_t)nz, f + frame);
      }
    }
  }
  mw_dae_components_move(d);
}

void mw_dae_clear_interfaces(mw_dae *d)
{
  for (int b = 0; b < d->m->n_body; b++)
    memset(d->sys.x_f[b], 0, (size_t)d->block[b].n_f * sizeof(double));
}

// The rows' part of the right-hand side, the coordinates' own of them as the head says.
static void row_loads(mw_dae *d, const double *rho, const double *r_s)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  for (int c = 0; c < m->n_coord; c++) {
    mw_dae_coordinate *p = &s->coord[c];
    const mw_joint *jt = &m->joint[m->coord_joint[c]];
    p->rest = row_rest(d, m->coord_joint[c], jt->coord_row, rho[jt->row0 + jt->coord_row]);
  }
  for (int c = 0; c < m->n_coord; c++) {
    const mw_dae_coordinate *p = &s->coord[c];
    const mw_joint *jt = &m->joint[m->coord_joint[c]];
    double lam = p->idle ? -r_s[c] / p->Js : 0.0;
    for (int k = 0; lam != 0.0 && k < 2; k++) {
      int b = k == 0 ? jt->a : jt->b;
      if (mw_dae_component_of(d, b))
        mw_dae_component_push(d, b, m->coord_joint[c], jt->coord_row, lam);
      else
        mw_axpy(d->block[b].n_f, lam, p->T[k], s->x_f[b]);
    }
  }
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    double *rhs = s->rhs + jt->row0;
    for (int i = 0; i < jt->n_row; i++)
      if (d->active[jt->row0 + i] || (jt->guide && i == jt->coord_row))
        rhs[i] = row_rest(d, j, i, rho[jt->row0 + i]);
    if (jt->coord_row < 0) continue;
    const mw_dae_coordinate *p = &s->coord[jt->coord];
    for (int i = 0; jt->guide && i < jt->n_row; i++)
      rhs[i] -= s->mix[jt->row0 + i] * rhs[jt->coord_row];
    if (p->held >= 0)
      rhs[jt->coord_row] -= p->Js * rho[m->n_row + p->held];
    else if (!p->idle)
      rhs[jt->coord_row] -= p->Js * r_s[jt->coord] / p->k;
  }
}

// λ of the joints' rows from the elimination's solution
static void read_rows(const mw_dae *d, const double *r_s, double *lam)
{
  const mw_mech *m = d->m;
  const mw_dae_system *s = &d->sys;
  for (int k = 0; k < s->n_node; k++) {
    int row0 = m->joint[s->node[k].joint].row0 + s->node[k].first;
    for (int i = 0; i < s->node[k].n; i++)
      lam[row0 + i] = d->active[row0 + i] ? s->x[(m->n_body + k) * LD + i] : 0.0;
  }
  for (int c = 0; c < m->n_coord; c++) {
    const mw_joint *jt = &m->joint[m->coord_joint[c]];
    double *own = lam + jt->row0 + jt->coord_row;
    if (s->coord[c].idle) *own = -r_s[c] / s->coord[c].Js;
    for (int i = 0; jt->guide && i < jt->n_row; i++)
      *own -= s->mix[jt->row0 + i] * lam[jt->row0 + i];
  }
}

// What the rows' forces move along the own row of coordinate c.
static double moved(const mw_dae *d, int c)
{
  int j = d->m->coord_joint[c];
  const mw_joint *jt = &d->m->joint[j];
  double sum = 0.0;
  for (int k = 0; k < 2; k++) {
    int b = k == 0 ? jt->a : jt->b;
    const mw_dae_component *i = mw_dae_component_of(d, b);
    side s = side_of(d, j, b);
    sum += i ? row_dot(&d->block[b], &s, jt->coord_row, i->move + 12 * (b - i->first))
             : mw_dot(d->block[b].n_f, d->sys.coord[c].T[k], d->sys.f[b]);
  }
  return sum;
}

// Δs from the coordinates' own rows, and the multipliers of held ones
static void read_coordinates(const mw_dae *d, const double *rho, const double *r_s, double *lam,
                             double *ds)
{
  const mw_mech *m = d->m;
  for (int c = 0; c < m->n_coord; c++) {
    const mw_dae_coordinate *p = &d->sys.coord[c];
    int j = m->coord_joint[c], n = m->joint[j].n_row;
    const mw_joint *jt = &m->joint[j];
    if (p->held < 0) {
      ds[c] = (moved(d, c) - p->rest) / p->Js;
      continue;
    }
    ds[c] = -rho[m->n_row + p->held];
    lam[m->n_row + p->held] = -r_s[c] - p->k * ds[c] - mw_dot(n, d->e[j].Js, lam + jt->row0);
  }
}

void mw_dae_rows_solve(mw_dae *d, const double *rho, const double *r_s, double *lam, double *ds)
{
  const mw_mech *m = d->m;
  mw_dae_system *s = &d->sys;
  row_loads(d, rho, r_s);
  memset(s->x, 0, (size_t)(m->n_body * LD) * sizeof(double));
  for (int k = 0; k < s->n_node; k++) {
    int row0 = m->joint[s->node[k].joint].row0 + s->node[k].first;
    double *x = s->x + (m->n_body + k) * LD;
    memset(x, 0, LD * sizeof *x);
    for (int i = 0; i < s->node[k].n; i++)
      if (d->active[row0 + i]) x[i] = -s->rhs[row0 + i];
  }
  mw_elim_solve(&s->elim, &s->num, s->x);
  read_rows(d, r_s, lam);
  interface_forces(d, lam);
  read_coordinates(d, rho, r_s, lam, ds);
}

// y = S⁻¹ r, and its functionals to x_f
static mw_code free_body(mw_dae *d, int b, mw_error *err)
{
  mw_dae_block *k = &d->block[b];
  mw_dae_component *c = mw_dae_component_of(d, b);
  if (c) {  // all of its frames at the first
    if (b == c->first) mw_dae_component_free(d, c);
    return MW_OK;
  }
  mw_code rc = mw_dae_block_solve(k, 1, d->r[b], d->y[b], err);
  if (rc == MW_OK && k->n_f > 0) functionals(k, d->y[b], d->sys.x_f[b]);
  return rc;
}

// y := −(y + Wᵀ f − S⁻¹ H Δθ), f = Ĵᵀ Δλ; most functionals bear no force
static void restore_body(mw_dae *d, int b)
{
  const mw_dae_block *k = &d->block[b];
  const mw_dae_component *c = mw_dae_component_of(d, b);
  double *y = d->y[b];
  if (c) mw_axpy(12, 1.0, c->move + 12 * (b - c->first), y);
  for (int i = 0; !c && i < k->n_f; i++)
    if (d->sys.f[b][i] != 0.0)
      mw_axpy(k->n_y, d->sys.f[b][i], k->W + (size_t)i * (size_t)k->n_y, y);
  for (int i = 0; d->drag.s > 0 && d->drag.H[b] && i < d->drag.s; i++)
    mw_axpy(k->n_y, -d->ds[d->drag.coord[i]], d->drag.SH[b] + (size_t)(i * k->n_y), y);
  for (int i = 0; i < k->n_y; i++) y[i] = -y[i];
}

mw_code mw_dae_solve(mw_dae *d, mw_error *err)
{
  const mw_mech *m = d->m;
  for (int b = 0; b < m->n_body; b++) {
    mw_code rc = d->block[b].n_y > 0 ? free_body(d, b, err) : MW_OK;
    if (rc != MW_OK) return rc;
  }
  memcpy(d->sys.r_s, d->r_s, (size_t)m->n_coord * sizeof(double));
  for (int b = 0; d->drag.s > 0 && b < m->n_body; b++)
    for (int i = 0; d->drag.H[b] && i < d->drag.s; i++)
      d->sys.r_s[d->drag.coord[i]] +=
          mw_dot(d->block[b].n_y, d->drag.SH[b] + (size_t)(i * d->block[b].n_y), d->r[b]);
  mw_dae_system_solve(d, d->rho, d->sys.r_s, d->dlam, d->ds);
  if (d->law_exact && d->n_law > 0) mw_dae_law_correct(d);
  if (d->drag.s > 0 || (d->law_exact && d->n_law > 0)) interface_forces(d, d->dlam);
  for (int b = 0; b < m->n_body; b++)
    if (d->block[b].n_y > 0) restore_body(d, b);
  return MW_OK;
}
