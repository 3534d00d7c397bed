// SPDX-License-Identifier: BSD-3-Clause
// test_second.c: the second order of the motion (second.c, second_rows.c) against the constrained
// motion itself.
//
// Two independent routes to ⟨f, Ψ2⟩ of a chain that is statically determinate. One: −ψᵀ K_g[f] ψ
// from patterns, multipliers and derivatives of rows. The other: strains linear in δ (gaps of soft
// rows, elastic displacement in the floating frames) prescribed, frames and free coordinates by
// Newton on all rows, nonlinear as they are; the work of f there, differenced twice.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "base/vec3.h"
#include "mw_test.h"
#include "second/second_layer.h"

enum { COLUMNS = 5, COMBINATIONS = 4 };

// A cart on an elastic beam (one runner soft, one direction rigid), on it a wheel whose angle is
// free, held by a spring on a lever, and a tool on a bushing.
static const char *const CHAIN =
    "modeway: 1\n"
    "name: chain\n"
    "gravity: [0.5, -2, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.03 } } }\n"
    "bodies:\n"
    "  bed:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [2, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 12, up: [0, 0, 1] "
    "} ]\n"
    "    supports: [ { nodes: a }, { nodes: b } ]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  cart:\n"
    "    at: [0.7, 0.02, 0.1]\n"
    "    rigid: { mass: 3, com: [0.05, 0.02, 0.03], inertia: [0.02, 0.03, 0.04, 0, 0, 0] }\n"
    "    frames: { axle: { point: [0.05, 0.03, 0.1] }, side: { point: [0.3, 0.28, 0.25] } }\n"
    "  wheel:\n"
    "    at: [0.8, 0.1, 0.3]\n"
    "    rigid: { mass: 1, com: [0.1, 0.05, 0.02], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0] }\n"
    "    frames: { axle: { point: [-0.05, -0.05, -0.1] }, side: { point: [0.2, 0.2, 0.05] } }\n"
    "  tool:\n"
    "    at: [1.0, 0.3, 0.4]\n"
    "    rigid: { mass: 0.7, com: [0.1, -0.05, 0.2], inertia: [0.01, 0.012, 0.015, 0, 0.002, 0] }\n"
    "    frames: { foot: { point: [0, 0, -0.05] }, head: { point: [0.1, 0, 0.3] } }\n"
    "  turret:\n"
    "    at: [1.1, 0.3, 0.7]\n"
    "    rigid: { mass: 0.4, com: [0.05, 0.05, 0.05], inertia: [0.004, 0.005, 0.006, 0, 0, 0] }\n"
    "    frames: { foot: { point: [0, 0, 0] } }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: bed.rail\n"
    "      on: cart\n"
    "      orientation: fixed\n"
    "      runners: [ { offset: 0.05, shift: [0, 0.01, 0.04], length: 0.2, stiffness: [2e5, 1e5] "
    "} ]\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  axle: { revolute: { a: cart.axle, b: wheel.axle, axis: [0, 1, 0] }, coordinate: psi, "
    "drive: swing }\n"
    "  hub: { revolute: { a: tool.head, b: turret.foot, axis: [0.3, 0.2, 1] }, coordinate: phi, "
    "drive: turn }\n"
    "springs:\n"
    "  lever: { a: cart.side, b: wheel.side, stiffness: [0, 0, 4e4] }\n"
    "  bush: { a: wheel.side, b: tool.foot, stiffness: [9e4, 8e4, 7e4, 700, 800, 900] }\n"
    "drives: { push: { force: { on: tool.foot, direction: [1, 2, 3] } } }\n"
    "outputs: { tip: { body: turret, point: [0.1, 0.2, 0.3] }, mid: { body: wheel, point: [0.1, "
    "0, 0] } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0.4, 1.4], points: 5 }, phi: { range: [-0.8, 0.8], points: 5 } "
    "}\n"
    "  modes: { count: 3 }\n";

// ---- the first route ----------------------------------------------------------------------------

typedef struct chain {
  mw_fixture f;
  mw_blocks *blocks;
  mw_system *sys;
  mw_config q;
  mw_second z;
  unsigned char *locked;  // [n_coord]
  int s, coord[2], n;
  double *Psi;  // [COLUMNS × n]
  mw_arena mem;
} chain;

// Columns come before their loads.
static bool columns_of(chain *c)
{
  mw_second_columns(&c->z, c->sys, c->Psi);
  return true;
}

static bool open_at(const double theta[2], chain *c)
{
  const mw_mech *m = &c->f.mech;
  const mw_reduction_in *in = &c->f.model.reduction;
  mw_error err = { 0 };
  c->s = in->n_coordinate;
  c->locked = mw_arena_alloc(&c->mem, (size_t)m->n_coord, 1);
  for (int i = 0; i < c->s; i++) {
    c->coord[i] = m->joint[in->coordinate[i].joint].coord;
    c->locked[c->coord[i]] = 1;
  }
  if (!MW_OKAY(mw_blocks_build(m, 0.0, false, &c->blocks, &err)) ||
      !MW_OKAY(mw_config_at(m, c->locked, c->s, c->coord, theta, NULL, &c->mem, &c->q, &err)) ||
      !MW_OKAY(mw_system_build(c->blocks, c->locked, false, c->q.p, c->q.s, &c->sys, &err)))
    return false;
  c->n = mw_blocks_size(c->blocks);
  double lambda[COLUMNS];
  c->Psi = mw_arena_f64(&c->mem, (size_t)COLUMNS * (size_t)c->n);
  return MW_OKAY(mw_system_modes(c->sys, COLUMNS, lambda, c->Psi, &err)) &&
         MW_OKAY(mw_second_init(m, c->blocks, c->locked, c->s, COLUMNS, COLUMNS, &c->z, &err)) &&
         columns_of(c) && MW_OKAY(mw_second_loads(&c->z, c->sys, &c->q, &err));
}

static void close_chain(chain *c)
{
  mw_second_free(&c->z);
  mw_system_free(c->sys);
  mw_blocks_free(c->blocks);
  mw_arena_free(&c->mem);
  mw_fixture_free(&c->f);
}

// ---- the second route ---------------------------------------------------------------------------

typedef struct manifold {  // motion along one combination of columns, t times
  const chain *c;
  double *p, *s;           // [n_body × 12], [n_coord]  as solved
  double **z;              // [n_body][n_z]  functionals of the elastic displacement
  double **u;              // [n_body][n_u]
  double *gap;             // [n_row]  prescribed
  double *twist;           // [n_body × 6]  first order, to start from
  double *coord;           // [n_coord]
  int n_unknown, *column;  // [n_body], −1
  double *J, *r;
  int *piv;
  mw_joint_eval e;
  mw_arena mem;
} manifold;

static void turn(const double *p, const double tw[6], double out[12])
{
  // o + E t, E exp(ω~): the series, for what rounding leaves of it
  double t[3], term[9], W[9] = { 0.0, -tw[5], tw[4], tw[5], 0.0, -tw[3], -tw[4], tw[3], 0.0 };
  double E[12];
  memcpy(E, p, sizeof E);
  mw_mul33v(p + 3, tw, t);
  for (int i = 0; i < 3; i++) out[i] = p[i] + t[i];
  memcpy(term, E + 3, sizeof term);
  memcpy(out + 3, term, sizeof term);
  for (int k = 1; k < 24; k++) {
    mw_mul33(term, W, term);
    for (int i = 0; i < 9; i++) {
      term[i] /= k;
      out[3 + i] += term[i];
    }
  }
}

static void manifold_init(const chain *c, const double comb[COLUMNS], manifold *w)
{
  const mw_mech *m = &c->f.mech;
  const mw_second *z = &c->z;
  mw_error err = { 0 };
  *w = (manifold){ .c = c };
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  w->p = mw_arena_f64(&w->mem, 12 * nb);
  w->s = mw_arena_f64(&w->mem, nc);
  w->z = mw_arena_alloc(&w->mem, nb, sizeof *w->z);
  w->u = mw_arena_alloc(&w->mem, nb, sizeof *w->u);
  w->gap = mw_arena_f64(&w->mem, (size_t)m->n_row);
  w->twist = mw_arena_f64(&w->mem, 6 * nb);
  w->coord = mw_arena_f64(&w->mem, nc);
  w->column = mw_arena_int(&w->mem, nb);
  w->e = mw_joint_eval_init(m, &w->mem);
  for (int b = 0; b < m->n_body; b++) {
    w->column[b] = m->body[b].ground ? -1 : w->n_unknown;
    if (!m->body[b].ground) w->n_unknown += 6;
    for (int a = 0; a < COLUMNS; a++)
      mw_axpy(6, comb[a], z->twist + 6 * (b * COLUMNS + a), w->twist + 6 * b);
    if (m->body[b].n_u == 0) continue;
    w->u[b] = mw_arena_f64(&w->mem, (size_t)m->body[b].n_u);
    w->z[b] = mw_arena_f64(&w->mem, (size_t)m->body[b].n_z);
    for (int a = 0; a < COLUMNS; a++)
      mw_axpy(m->body[b].n_u, comb[a], z->elastic + a * z->n + mw_blocks_offset(c->blocks, b),
              w->u[b]);
    mw_csc_mul(&m->body[b].P, 1.0, w->u[b], 0.0, w->z[b]);
  }
  for (int a = 0; a < COLUMNS; a++)
    mw_axpy(m->n_coord, comb[a], z->coord + a * m->n_coord, w->coord);
  for (int i = 0; i < m->n_coord; i++) w->n_unknown += !c->locked[i];
  size_t n = (size_t)w->n_unknown;
  w->J = mw_arena_f64(&w->mem, n * n);
  w->r = mw_arena_f64(&w->mem, n);
  w->piv = mw_arena_int(&w->mem, n);
  MW_CHECK(w->n_unknown == m->n_row);  // statically determinate
  // gaps to first order, of soft rows: those of constraints are rounding
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    MW_OKAY(mw_joint_eval_at(m, j, c->q.p + 12 * jt->a, NULL, c->q.p + 12 * jt->b, NULL,
                             jt->coord >= 0 ? c->q.s[jt->coord] : 0.0, &w->e, &err));
    for (int i = 0; i < jt->n_row; i++) {
      double g = jt->coord >= 0 ? w->e.Js[i] * w->coord[jt->coord] : 0.0;
      for (int side = 0; side < 2; side++) {
        int b = side == 0 ? jt->a : jt->b, nz = m->body[b].n_z;
        const double *J = (side == 0 ? w->e.Ja : w->e.Jb) + 12 * i, *t = w->twist + 6 * b;
        g += mw_dot3(J, t) + (J[10] - J[8]) * t[3] + (J[5] - J[9]) * t[4] + (J[6] - J[4]) * t[5];
        if (w->z[b]) g += mw_dot(nz, (side == 0 ? w->e.Za : w->e.Zb) + i * nz, w->z[b]);
      }
      if (isinf(jt->k[i]))
        MW_WITHIN(g, 0.0, 1e-8, "worst of solves, by the condition");
      else
        w->gap[jt->row0 + i] = g;
    }
  }
}

// Residual and Jacobian of all rows at t times the combination; largest residual
static double rows(manifold *w, double t, double **zt)
{
  const mw_mech *m = &w->c->f.mech;
  mw_error err = { 0 };
  double most = 0.0;
  size_t n = (size_t)w->n_unknown;
  memset(w->J, 0, n * n * sizeof *w->J);
  for (int j = 0; j < m->n_joint; j++) {
    const mw_joint *jt = &m->joint[j];
    MW_OKAY(mw_joint_eval_at(m, j, w->p + 12 * jt->a, zt[jt->a], w->p + 12 * jt->b, zt[jt->b],
                             jt->coord >= 0 ? w->s[jt->coord] : 0.0, &w->e, &err));
    for (int i = 0; i < jt->n_row; i++) {
      size_t row = (size_t)(jt->row0 + i);
      w->r[row] = w->e.g[i] - t * w->gap[row];
      most = fmax(most, fabs(w->r[row]));
      for (int side = 0; side < 2; side++) {
        int b = side == 0 ? jt->a : jt->b;
        const double *J = (side == 0 ? w->e.Ja : w->e.Jb) + 12 * i;
        if (w->column[b] < 0) continue;
        double *to = w->J + row * n + w->column[b];
        const double x[6] = { J[0], J[1], J[2], J[10] - J[8], J[5] - J[9], J[6] - J[4] };
        mw_axpy(6, 1.0, x, to);
      }
      if (jt->coord >= 0 && !w->c->locked[jt->coord]) {
        size_t at = n - 1;
        for (int k = m->n_coord - 1; k > jt->coord; k--) at -= !w->c->locked[k];
        w->J[row * n + at] = w->e.Js[i];
      }
    }
  }
  return most;
}

static void solve_at(manifold *w, double t)
{
  const chain *c = w->c;
  const mw_mech *m = &c->f.mech;
  mw_error err = { 0 };
  mw_arena tmp = { 0 };
  double **zt = mw_arena_alloc(&tmp, (size_t)m->n_body, sizeof *zt);
  memcpy(w->s, c->q.s, (size_t)m->n_coord * sizeof *w->s);
  mw_axpy(m->n_coord, t, w->coord, w->s);
  for (int b = 0; b < m->n_body; b++) {
    double tw[6];
    for (int i = 0; i < 6; i++) tw[i] = t * w->twist[6 * b + i];
    turn(c->q.p + 12 * b, tw, w->p + 12 * b);
    if (!w->z[b]) continue;
    zt[b] = mw_arena_f64(&tmp, (size_t)m->body[b].n_z);
    mw_axpy(m->body[b].n_z, t, w->z[b], zt[b]);
  }
  double left = 1.0;
  for (int it = 0; it < 12; it++) {
    left = rows(w, t, zt);
    if (!MW_OKAY(mw_lu_factor(w->n_unknown, w->J, w->piv, &err))) break;
    mw_lu_solve(w->n_unknown, w->J, w->piv, 1, w->r);
    for (int b = 0; b < m->n_body; b++) {
      double tw[6], p[12];
      for (int i = 0; w->column[b] >= 0 && i < 6; i++) tw[i] = -w->r[w->column[b] + i];
      memcpy(p, w->p + 12 * b, sizeof p);
      if (w->column[b] >= 0) turn(p, tw, w->p + 12 * b);
    }
    for (int k = m->n_coord - 1, at = w->n_unknown - 1; k >= 0; k--)
      if (!c->locked[k]) w->s[k] -= w->r[at--];
  }
  MW_NEAR(left, 0.0, 1e-13);
  mw_arena_free(&tmp);
}

// J += P A of the frames that carry moments of inertia P: their points are at (1 + θ~ + A) r, A = ½
// θ~²
static void add_carried(const mw_body *body, const double *z, double t, double J[9])
{
  for (int i = 0; z && i < body->n_frame; i++) {
    const mw_frame *f = &body->frame[i];
    if (f->z < 0) continue;
    double x[3], A[9], PA[9];
    for (int k = 0; k < 3; k++) x[k] = t * z[f->z + 3 + k];
    const double X[9] = { 0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0 };
    mw_mul33(X, X, A);
    mw_mul33(f->J, A, PA);
    for (int k = 0; k < 9; k++) J[k] += 0.5 * PA[k];
  }
}

// The same of the elastic part φ of column a's field: ∫ρ φ·(E0ᵀo + D (X + N u)), and of the frames'
// turns
static double work_elastic(const manifold *w, int a, int b, double t, const double o[3],
                           const double D[9])
{
  const mw_second *z = &w->c->z;
  const mw_body *body = &w->c->f.mech.body[b];
  size_t nu = (size_t)body->n_u;
  const double *u = z->elastic + a * z->n + mw_blocks_offset(w->c->blocks, b);
  static const int at[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
  double sum = 0.0, *y = calloc(nu, sizeof *y);
  for (size_t i = 0; y && i < 3; i++) {
    sum += o[i] * mw_dot(body->n_u, body->s + i * nu, u);
    for (size_t j = 0; j < 3; j++) {
      const mw_csc *M = &body->Mab[at[3 * i + j]];  // φ_i, (N u)_j
      if (i > j)
        mw_csc_mul_t(M, 1.0, w->u[b], 0.0, y);
      else
        mw_csc_mul(M, 1.0, w->u[b], 0.0, y);
      sum += D[3 * i + j] *
             (mw_dot(body->n_u, body->h + (3 * j + i) * nu, u) + t * mw_dot(body->n_u, u, y));
    }
  }
  free(y);
  for (int k = 0; k < body->n_frame; k++) {
    const mw_frame *f = &body->frame[k];
    if (f->z < 0) continue;
    const mw_frame one[1] = { *f };
    mw_body alone = { .n_frame = 1, .frame = (mw_frame *)one };
    double J[9] = { 0.0 };
    add_carried(&alone, w->z[b], t, J);
    const double *x = z->z[b] + a * body->n_z + f->z + 3;
    const double X[9] = { 0.0, -x[2], x[1], x[2], 0.0, -x[0], -x[1], x[0], 0.0 };
    for (int i = 0; i < 3; i++)
      for (int q = 0; q < 3; q++)
        for (int j = 0; j < 3; j++) sum += X[3 * i + q] * D[3 * i + j] * J[3 * q + j];
  }
  return sum;
}

// Work of load k at the motion as solved, t times the elastic displacement
static double work(const manifold *w, int k, double t)
{
  const chain *c = w->c;
  const mw_mech *m = &c->f.mech;
  const mw_second_load *l = &c->z.load[k];
  if (l->kind == MW_SECOND_COORD) return w->s[l->i];
  if (l->kind == MW_SECOND_POINT) {
    int b = l->ref.body;
    double x[3], *z = w->z[b] ? calloc((size_t)m->body[b].n_z, sizeof *z) : NULL;
    if (z) mw_axpy(m->body[b].n_z, t, w->z[b], z);
    mw_mech_point(m, l->ref, l->x, w->p + 12 * b, z, x, NULL, NULL);
    free(z);
    return mw_dot3(l->dir, x);
  }
  double sum = 0.0;
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    const double *E0 = c->q.p + 12 * b + 3, *p = w->p + 12 * b;
    const double *f = c->z.affine + ((size_t)k * (size_t)m->n_body + (size_t)b) * 12, *B = f + 3;
    if (body->n_u == 0 && body->ground) continue;
    double mX[3], J[9], d[3], o[3], D[9];
    memcpy(mX, body->mX, sizeof mX);
    memcpy(J, body->J, sizeof J);  // ∫ρ X_k (X + N u)_l
    for (int i = 0; w->u[b] && i < 3; i++) {
      size_t nu = (size_t)body->n_u;
      mX[i] += t * mw_dot(body->n_u, body->s + (size_t)i * nu, w->u[b]);
      for (int l2 = 0; l2 < 3; l2++)
        J[3 * i + l2] += t * mw_dot(body->n_u, body->h + (size_t)(3 * i + l2) * nu, w->u[b]);
    }
    add_carried(body, w->z[b], t, J);
    // ∫ρ (c + B X)·E0ᵀ (o + E (X + N u))
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        D[3 * i + j] = E0[i] * p[3 + j] + E0[3 + i] * p[6 + j] + E0[6 + i] * p[9 + j];
    mw_mul33tv(E0, p, o);
    mw_mul33v(D, mX, d);
    for (int i = 0; i < 3; i++) {
      sum += f[i] * (body->m * o[i] + d[i]);
      for (int q = 0; q < 3; q++) {
        sum += B[3 * i + q] * o[i] * body->mX[q];
        for (int j = 0; j < 3; j++) sum += B[3 * i + q] * D[3 * i + j] * J[3 * q + j];
      }
    }
    if (l->kind == MW_SECOND_COLUMN && body->n_u > 0) sum += work_elastic(w, l->i, b, t, o, D);
  }
  return sum;
}

static void compare(chain *c)
{
  mw_second *z = &c->z;
  mw_error err = { 0 };
  unsigned seed = 7;
  if (!MW_OKAY(mw_second_frames(z, &c->q, &err))) return;
  double *big = mw_arena_f64(&c->mem, (size_t)z->n_load),
         *off = mw_arena_f64(&c->mem, (size_t)z->n_load);
  for (int i = 0; i < COMBINATIONS; i++) {
    double comb[COLUMNS], most = 0.0;
    manifold w;
    for (int a = 0; a < COLUMNS; a++) {
      seed = seed * 1664525u + 1013904223u;
      comb[a] = (double)seed / 2147483648.0 - 1.0;
    }
    manifold_init(c, comb, &w);
    for (int k = 0; k < 6 * c->f.mech.n_body; k++) most = fmax(most, fabs(w.twist[k]));
    double h = 5e-3 / most, *W = calloc(5 * (size_t)z->n_load, sizeof *W);
    for (int k = -2; k <= 2; k++) {
      solve_at(&w, k * h);
      for (int l = 0; l < z->n_load; l++) W[(k + 2) * z->n_load + l] = work(&w, l, k * h);
    }
    for (int l = 0; l < z->n_load; l++) {
      double d2 = 0.0, Kg = 0.0;
      static const double stencil[5] = { -1.0, 16.0, -30.0, 16.0, -1.0 };
      for (int k = 0; k < 5; k++) d2 += stencil[k] * (W[k * z->n_load + l] - W[2 * z->n_load + l]);
      d2 /= 12.0 * h * h;
      for (int a = 0; a < COLUMNS; a++)
        for (int b = 0; b < COLUMNS; b++)
          Kg += comb[a] * comb[b] * z->Kg[(l * COLUMNS + a) * COLUMNS + b];
      big[l] = fmax(big[l], fabs(d2));
      off[l] = fmax(off[l], fabs(d2 + Kg));
    }
    free(W);
    mw_arena_free(&w.mem);
  }
  // differences of fourth order over 0.01 rad: 1e-8/90 of derivatives of sixth order, and 1e-15/h²
  // = 4e-11 of the work; of points in directions where nothing bends against those where it does
  double point = 0.0;
  for (int l = 0; l < z->n_load; l++)
    if (z->load[l].kind == MW_SECOND_POINT) point = fmax(point, big[l]);
  for (int l = 0; l < z->n_load; l++) {
    double size = z->load[l].kind == MW_SECOND_POINT ? point : big[l];
    MW_CHECK(size > 0.0);
    MW_NEAR(off[l] / size, 0.0, 1e-8);
  }
}

static void chain_of_soft_joints(void)
{
  chain c = { 0 };
  if (mw_fixture_text(CHAIN, &c.f) && open_at((double[2]){ 0.93, 0.4 }, &c)) compare(&c);
  close_chain(&c);
}

static void elastic_bodies_that_turn(void)
{
  chain c = { 0 };
  bool good = mw_fixture_machine(NULL, &c.f);
  if (good) memcpy(c.f.model.output[0].x, (double[3]){ 0.05, -0.1, 0.2 }, 3 * sizeof(double));
  if (good && open_at((double[2]){ 0.9, 0.5 }, &c)) compare(&c);
  close_chain(&c);
}

// ρ_ij against differences of the positions
static void second_derivatives_of_rigid_motion(void)
{
  enum { S = 2 };
  chain c = { 0 };
  mw_error err = { 0 };
  const double at[S] = { 0.93, 0.4 }, h = 1e-2;
  if (!mw_fixture_text(CHAIN, &c.f) || !open_at(at, &c)) {
    close_chain(&c);
    return;
  }
  const mw_mech *m = &c.f.mech;
  size_t np = 12 * (size_t)m->n_body;
  double *want = mw_arena_f64(&c.mem, 3 * np);
  static const int pair[3][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 } };
  static const double first[5] = { 1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12 },
                      second[5] = { -1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12 };
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++) {
      mw_config q;
      double theta[S] = { at[0] + i * h, at[1] + j * h };
      if (!MW_OKAY(mw_config_at(m, c.locked, S, c.coord, theta, &c.q, &c.mem, &q, &err))) break;
      if (j == 0) mw_axpy((int)np, second[i + 2] / (h * h), q.p, want);
      mw_axpy((int)np, first[i + 2] * first[j + 2] / (h * h), q.p, want + np);
      if (i == 0) mw_axpy((int)np, second[j + 2] / (h * h), q.p, want + 2 * np);
    }
  double most = 0.0, off = 0.0;
  for (int p = 0; p < 3; p++) {
    MW_CHECK(pair[p][0] >= pair[p][1]);
    for (size_t k = 0; k < np; k++) {
      most = fmax(most, fabs(want[(size_t)p * np + k]));
      off = fmax(off, fabs(want[(size_t)p * np + k] - c.z.p_ij[(size_t)p * np + k]));
    }
  }
  MW_CHECK(most > 0.1);
  MW_NEAR(off, 0.0, 1e-8);  // positions to 1e-13, over h²; h⁴/90 of the sixth derivative
  close_chain(&c);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "second_derivatives_of_rigid_motion", second_derivatives_of_rigid_motion },
    { "chain_of_soft_joints", chain_of_soft_joints },
    { "elastic_bodies_that_turn", elastic_bodies_that_turn },
  };
  return mw_test_run("second", cases, (int)(sizeof cases / sizeof *cases));
}
