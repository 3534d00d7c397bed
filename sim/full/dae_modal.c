// SPDX-License-Identifier: BSD-3-Clause
// dae_modal.c: damping of what bodies move beyond the rigid motion, in the full and body paths: a
// modal ratio, C = 2ζ K^½ in M-orthonormal modes, and the mass-proportional part C = α M of elastic
// bodies that move (of those fixed to ground: dae_body.c).
//
//   C(θ) = Σ_k 2ζ ω_k (M φ_k)(M φ_k)ᵀ        ω_k, φ_k of the mechanism with θ held, at θ        (1)
//   F = Cᵀ w ,  w = v − V_i θ̇_i   velocities beyond the rigid motion; on θ acts −V_iᵀ C w   (2)
//   V_i = (Eᵀ(v_i + ω_i × (o − o_ρ)), Eᵀω_i)
//       the machine turned as a whole with what it is deflected by      (3)
//
// v_i, ω_i are those of ρ_i at the frame (o_ρ, E_ρ) of ρ(θ), (o, E) is the frame as it is: a
// deflected machine that turns with θ as one piece is not damped, like the reduced model, whose
// columns turn with their bodies. w of an elastic body is R τ + u̇ at its nodes, of a rigid one its
// twist τ, both in body axes, first order in u. So each mode
// is one row over (τ_b, u̇_b): y_k = √(2ζω_k) (Mφ_k)ᵀ w, and F adds y_k times the row. The modes
// are those of the path's own bodies, at the corners of a grid over the reduction's range, the
// first time a run passes there; (1) between them is the cubic through four corners along each
// coordinate (of 33 or, of two coordinates, 17), linear with three or more (of 9). The operator
// needs no alignment. θ is that of the step's prediction.
// α M_b of body b acts on its w alone, whatever its frame and however it is divided; power w_bᵀ α
// M_b w_b. Newton's matrix does without the modes: its iteration contracts by ζ at worst, but
// beside light coordinates, where it may not at all; combinations of iterates (dae_anderson.c) see
// to that, a few directions being all that is missing. α M_b is in it, with the coordinates that w
// has: beside light ones an iteration without would not contract at all. With γ' the factor of
// rates, over (y_b, Δθ)
//   [ S_b     −H_b        ]    H_b = γ' α M_b V   [n_y × s]     (γ' α M_b itself is in S_b)     (4)
//   [ −H_bᵀ   Σ_b V ᵀH_b  ]    and, y_b eliminated (dae_joint.c, dae_drag.c): rows
//                              Js + Ĵ S⁻¹ H, coordinates k_s + D ,  D = Σ_b VᵀH − HᵀS⁻¹H
// Cost: the modes of 4, 16, 8 corners a cell; two products of n_modes rows a corner and iteration;
// s solves a damped body where the joint system is built.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "dae_layer.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

enum { MOST = 8, REACH = 4 };  // coordinates; corners of a cubic

struct mw_dae_modal {
  const mw_mech *m;
  int s, n_mode, len;  // coordinates, modes, numbers in a row
  int grid, reach;     // corners along a coordinate, and of an interpolation
  int *at;             // [n_body]  first number of a body in a row: twist (moving), then u
  int coord[MOST];     // of the mechanism
  bool cyclic[MOST];
  double lo[MOST], gap[MOST];
  double **row;  // [n_corner]  [n_mode × len], NULL: not yet known
  int n_corner;
  int n_now, most;  // corners of the step, at most so many
  int *now;         // [most]
  double *weight;   // [most]
  double *w, *f;    // [len]
  double *x, *y;    // [len]  w at a body's unknowns, and α M of it
  double *all_s;    // [n_coord]  all coordinates of the mechanism at p
  double *p,
      *v;  // ρ(θ) of the step: frames [n_body × 12], rates [s × n_body × 6] (v, ω) in its body axes
  mw_arena mem;
};

// ---- corners ------------------------------------------------------------------------------------

void mw_dae_momentum(const mw_body *b, const double x[6], double y[6])
{
  // m v + ω × mX, mX × v + (tr J 1 − J) ω
  double wX[3], Xv[3], tr = b->J[0] + b->J[4] + b->J[8];
  mw_cross3(x + 3, b->mX, wX);
  mw_cross3(b->mX, x, Xv);
  for (int i = 0; i < 3; i++) {
    y[i] = b->m * x[i] + wX[i];
    y[3 + i] = Xv[i] + tr * x[3 + i] - mw_dot3(b->J + 3 * i, x + 3);
  }
}

// M φ of body b: x [n_u or 6] of the linear system, y as long
static void times_mass(const mw_body *b, const double *x, double *y)
{
  if (b->n_u > 0)
    mw_csc_mul(&b->M, 1.0, x, 0.0, y);
  else
    mw_dae_momentum(b, x, y);
}

// Row of the mode phi, scaled: √(2ζω) of (2)
static void fill_row(const struct mw_dae_modal *k, const double *phi, double omega, double *row)
{
  const mw_mech *m = k->m;
  double scale = sqrt(2.0 * mw_model_modal(m->model, omega) * omega);
  memset(row, 0, (size_t)k->len * sizeof *row);
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    double *tau = row + k->at[b], *u = tau + (body->ground ? 0 : 6);
    if (body->n_u == 0 && body->ground) continue;
    times_mass(body, phi, body->n_u > 0 ? u : tau);
    for (int i = 0; i < body->n_u && !body->ground; i++)
      mw_axpy(6, u[i], body->R + 6 * (size_t)i, tau);
    phi += body->n_u > 0 ? body->n_u : 6;
  }
  for (int i = 0; i < k->len; i++) row[i] *= scale;
}

// ρ(θ) and its rates of unit θ̇_i in the order of θ, into k->p and k->v
static mw_code rigid_motion(struct mw_dae_modal *k, const double *theta, mw_error *err)
{
  const mw_mech *m = k->m;
  mw_arena tmp = { 0 };
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, ns = (size_t)k->s;
  unsigned char *locked = mw_arena_alloc(&tmp, nc, 1);
  double *s = k->all_s, *to = mw_arena_f64(&tmp, nc), *all = mw_arena_f64(&tmp, 6 * nb * ns),
         *s_dot = mw_arena_f64(&tmp, nc * ns);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    for (int i = 0; i < k->s; i++) {
      locked[k->coord[i]] = 1;
      to[k->coord[i]] = theta[i];
    }
    rc = mw_mech_rigid_solve(m, locked, to, k->p, s, err);
  }
  if (rc == MW_OK) rc = mw_mech_rigid_modes(m, locked, k->p, s, all, s_dot, err);
  for (int i = 0; rc == MW_OK && i < k->s; i++) {
    size_t rank = 0;
    for (int c = 0; c < k->coord[i]; c++) rank += locked[c];
    memcpy(k->v + 6 * nb * (size_t)i, all + 6 * nb * rank, 6 * nb * sizeof *k->v);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Of the modes of a corner, as mw_dae_block_cost.
static double corner_cost(const struct mw_dae_modal *k)
{
  enum { SOLVES = 300 };  // right-hand sides, about
  return (double)SOLVES * k->len;
}

static mw_code corner(struct mw_dae_modal *k, const mw_blocks *blocks, int c, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t len = (size_t)k->len, n = (size_t)mw_blocks_size(blocks);
  double theta[MOST], *hz = NULL, *shape = NULL, two_pi = 2.0 * acos(-1.0);
  double *row =
      mw_arena_f64(&k->mem, (size_t)k->n_mode * len);  // zero beyond all motions there are
  int found = k->n_mode;
  mw_code rc = mw_arena_check(&k->mem, err);
  for (int i = 0, at = c; i < k->s; i++, at /= k->grid)
    theta[i] = k->lo[i] + k->gap[i] * (at % k->grid);
  if (rc == MW_OK) rc = mw_held_modes(blocks, theta, &found, &tmp, &hz, &shape, err);
  for (int j = 0; rc == MW_OK && j < found; j++)
    fill_row(k, shape + (size_t)j * n, two_pi * hz[j], row + (size_t)j * len);
  if (rc == MW_OK) k->row[c] = row;
  mw_arena_free(&tmp);
  return rc;
}

// Those of n corners c that are not yet known, the bodies factored once for all of them.
static mw_code make_corners(struct mw_dae_modal *k, int n, const int *c, mw_progress *progress,
                            mw_error *err)
{
  mw_blocks *blocks = NULL;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < n; i++) {
    if (k->row[c[i]]) continue;
    if (!blocks) rc = mw_blocks_build(k->m, 0.0, false, &blocks, err);
    if (rc == MW_OK) rc = corner(k, blocks, c[i], err);
    mw_progress_add(progress, corner_cost(k));
  }
  mw_blocks_free(blocks);
  return rc;
}

// First of the corners around x along coordinate i, and their Lagrange weights
static int around(const struct mw_dae_modal *k, int i, double x, double w[REACH])
{
  double turns = k->cyclic[i] ? floor((x - k->lo[i]) / (k->gap[i] * (k->grid - 1))) : 0.0;
  double t = (x - k->lo[i]) / k->gap[i] - turns * (k->grid - 1);
  t = fmin(fmax(t, 0.0), k->grid - 1.0);
  int first = (int)fmin(fmax(floor(t) - 0.5 * k->reach + 1.0, 0.0), (double)(k->grid - k->reach));
  t -= first;
  for (int a = 0; a < k->reach; a++) {
    w[a] = 1.0;
    for (int b = 0; b < k->reach; b++)
      if (b != a) w[a] *= (t - b) / (a - b);
  }
  return first;
}

// Corners now and weights of the coordinates in q; returns how many.
static int find_corners(const mw_dae *d, double *theta)
{
  struct mw_dae_modal *k = d->modal;
  double w[MOST][REACH];
  int first[MOST], total = 1, n = 0;
  for (int i = 0; i < k->s; i++, total *= k->reach) {
    theta[i] = d->q[d->col_s + k->coord[i]];
    first[i] = around(k, i, theta[i], w[i]);
  }
  for (int a = 0; k->n_mode > 0 && a < total; a++) {
    double weight = 1.0;
    int c = 0, stride = 1;
    for (int i = 0, at = a; i < k->s; i++, at /= k->reach, stride *= k->grid) {
      weight *= w[i][at % k->reach];
      c += stride * (first[i] + at % k->reach);
    }
    if (weight == 0.0) continue;
    k->now[n] = c;
    k->weight[n++] = weight;
  }
  return n;
}

double mw_dae_modal_cost(mw_dae *d)
{
  struct mw_dae_modal *k = d->modal;
  double theta[MOST], cost = 0.0;
  int n = k ? find_corners(d, theta) : 0;
  for (int i = 0; i < n; i++)
    if (!k->row[k->now[i]]) cost += corner_cost(k);
  if (k) k->n_now = 0;
  return cost;
}

mw_code mw_dae_modal_at(mw_dae *d, mw_error *err)
{
  struct mw_dae_modal *k = d->modal;
  double theta[MOST];
  if (!k) return MW_OK;
  k->n_now = 0;
  int n = find_corners(d, theta);
  mw_code rc = rigid_motion(k, theta, err);
  if (rc == MW_OK) rc = make_corners(k, n, k->now, d->progress, err);
  if (rc == MW_OK) k->n_now = n;
  return rc;
}

int mw_dae_modal_parts(mw_dae *d, mw_part *part)
{
  struct mw_dae_modal *k = d->modal;
  if (!k) return 0;
  size_t f64 = sizeof(double), nb = (size_t)d->m->n_body, most = (size_t)k->most;
  const mw_part all[] = {
    { &k->n_now, sizeof k->n_now },
    { k->now, most * sizeof *k->now },
    { k->weight, most * f64 },
    { k->p, 12 * nb * f64 },
    { k->v, 6 * nb * (size_t)k->s * f64 },
    { k->all_s, (size_t)d->m->n_coord * f64 },
  };
  memcpy(part, all, sizeof all);
  return (int)(sizeof all / sizeof *all);
}

mw_code mw_dae_modal_resume(mw_dae *d, mw_error *err)
{
  struct mw_dae_modal *k = d->modal;
  return k ? make_corners(k, k->n_now, k->now, d->progress, err) : MW_OK;
}

// ---- forces -------------------------------------------------------------------------------------

// V_i of (3) for body b, whose frame is (o, E)
static void carried(const struct mw_dae_modal *k, int b, int i, const double *frame, double V[6])
{
  const double *rho = k->p + 12 * b, *E = frame + 3;
  const double *v = k->v + 6 * ((size_t)i * (size_t)k->m->n_body + (size_t)b);
  double vg[3], wg[3], d[3], wd[3];
  mw_mul33v(rho + 3, v, vg);
  mw_mul33v(rho + 3, v + 3, wg);
  for (int c = 0; c < 3; c++) d[c] = frame[c] - rho[c];
  mw_cross3(wg, d, wd);
  for (int c = 0; c < 3; c++) vg[c] += wd[c];
  mw_mul33tv(E, vg, V);
  mw_mul33tv(E, wg, V + 3);
}

// w of (2), of rates x
static void rates(const mw_dae *d, const double *x, double *w)
{
  const struct mw_dae_modal *k = d->modal;
  for (int b = 0; b < d->m->n_body; b++) {
    double *tau = w + k->at[b], Et[9], W[9];
    int n_u = d->m->body[b].n_u;
    if (d->moving[b]) {
      const double *frame = mw_dae_frame(d, d->q, b), *E = frame + 3, *v = x + d->col[b];
      for (int i = 0; i < 9; i++) Et[i] = E[3 * (i % 3) + i / 3];
      mw_mul33tv(E, v, tau);
      mw_mul33(Et, v + 3, W);
      tau[3] = 0.5 * (W[7] - W[5]);
      tau[4] = 0.5 * (W[2] - W[6]);
      tau[5] = 0.5 * (W[3] - W[1]);
      for (int i = 0; i < k->s; i++) {
        double V[6];
        carried(k, b, i, frame, V);
        mw_axpy(6, -x[d->col_s + k->coord[i]], V, tau);
      }
      tau += 6;
    }
    memcpy(tau, x + d->col[b] + (d->moving[b] ? 12 : 0), (size_t)n_u * sizeof *tau);
  }
}

static bool drags(const mw_dae *d, int b)
{
  return d->moving[b] && d->m->body[b].n_u > 0 && d->m->body[b].alpha > 0.0;
}

// f_b += α M_b w_b; returns its power, W
static double drag(mw_dae *d, int b)
{
  const struct mw_dae_modal *k = d->modal;
  const mw_body *body = &d->m->body[b];
  const double *tau = k->w + k->at[b];
  double *f = k->f + k->at[b];
  memcpy(k->x, tau + 6, (size_t)body->n_u * sizeof *k->x);
  mw_gemm('n', 'n', body->n_u, 1, 6, 1.0, body->R, tau, 1.0, k->x);
  mw_csc_mul(&body->M, body->alpha, k->x, 0.0, k->y);
  mw_gemm('t', 'n', 6, 1, body->n_u, 1.0, body->R, k->y, 1.0, f);
  mw_axpy(body->n_u, 1.0, k->y, f + 6);
  return mw_dot(body->n_u, k->x, k->y);
}

// f = Σ weight y row + α M w; returns Σ weight y² + wᵀ α M w, W
static double damp(mw_dae *d)
{
  struct mw_dae_modal *k = d->modal;
  double lost = 0.0;
  rates(d, d->v, k->w);
  memset(k->f, 0, (size_t)k->len * sizeof(double));
  for (int c = 0; c < k->n_now; c++)
    for (int j = 0; j < k->n_mode; j++) {
      const double *row = k->row[k->now[c]] + (size_t)j * (size_t)k->len;
      double y = mw_dot(k->len, row, k->w);
      lost += k->weight[c] * y * y;
      mw_axpy(k->len, k->weight[c] * y, row, k->f);
    }
  for (int b = 0; b < d->m->n_body; b++)
    if (drags(d, b)) lost += drag(d, b);
  return lost;
}

bool mw_dae_modal_slows(const mw_dae *d) { return d->modal && d->modal->n_mode > 0; }

double mw_dae_modal_lost(mw_dae *d) { return d->modal ? damp(d) : 0.0; }

void mw_dae_add_wrench(double c, const double *f, double *r)
{
  for (int i = 0; i < 3; i++) r[i] += c * f[i];
  r[3 + 7] += 0.5 * c * f[3];
  r[3 + 5] -= 0.5 * c * f[3];
  r[3 + 2] += 0.5 * c * f[4];
  r[3 + 6] -= 0.5 * c * f[4];
  r[3 + 3] += 0.5 * c * f[5];
  r[3 + 1] -= 0.5 * c * f[5];
}

// r, r_s += c times what k->f has of body b
static void add_forces(mw_dae *d, int b, double c)
{
  const struct mw_dae_modal *k = d->modal;
  const double *f = k->f + k->at[b];
  double *r = d->r[b];
  if (d->moving[b]) {
    mw_dae_add_wrench(c, f, r);
    for (int i = 0; i < k->s; i++) {
      double V[6];
      carried(k, b, i, mw_dae_frame(d, d->q, b), V);
      d->r_s[k->coord[i]] -= c * mw_dot(6, V, f);
    }
    f += 6;
  }
  mw_axpy(d->m->body[b].n_u, c, f, r + d->block[b].n_d);
}

void mw_dae_modal_force(mw_dae *d)
{
  if (!d->modal) return;
  (void)damp(d);
  for (int b = 0; b < d->m->n_body; b++) add_forces(d, b, 1.0);
}

void mw_dae_drag_add(mw_dae *d, const double *x, double c)
{
  struct mw_dae_modal *k = d->modal;
  if (!k) return;
  rates(d, x, k->w);
  memset(k->f, 0, (size_t)k->len * sizeof(double));
  for (int b = 0; b < d->m->n_body; b++) {
    if (!drags(d, b)) continue;
    (void)drag(d, b);
    add_forces(d, b, c);
  }
}

// ---- Newton's matrix ----------------------------------------------------------------------------

// (4) of body b
static mw_code couple(mw_dae *d, int b, mw_error *err)
{
  struct mw_dae_modal *k = d->modal;
  const mw_body *body = &d->m->body[b];
  mw_dae_block *block = &d->block[b];
  size_t ny = (size_t)block->n_y;
  double *H = d->drag.H[b], *SH = d->drag.SH[b], V[MOST][6];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < k->s; i++) {
    double *h = H + (size_t)i * ny, wrench[6];
    carried(k, b, i, mw_dae_frame(d, d->q, b), V[i]);
    mw_gemm('n', 'n', body->n_u, 1, 6, 1.0, body->R, V[i], 0.0, k->x);
    memset(h, 0, ny * sizeof *h);
    mw_csc_mul(&body->M, block->gamma * body->alpha, k->x, 0.0, h + block->n_d);
    mw_gemm('t', 'n', 6, 1, body->n_u, 1.0, body->R, h + block->n_d, 0.0, wrench);
    mw_dae_add_wrench(1.0, wrench, h);
    rc = mw_dae_block_solve(block, 1, h, SH + (size_t)i * ny, err);
    for (int j = 0; j <= i; j++) {
      double a =
          mw_dot(6, V[j], wrench) - mw_dot(block->n_y, H + (size_t)j * ny, SH + (size_t)i * ny);
      d->drag.D[i * k->s + j] += a;
      if (j < i) d->drag.D[j * k->s + i] += a;
    }
  }
  return rc;
}

mw_code mw_dae_drag_build(mw_dae *d, mw_error *err)
{
  mw_code rc = MW_OK;
  if (d->drag.s == 0) return MW_OK;
  memset(d->drag.D, 0, (size_t)d->drag.s * (size_t)d->drag.s * sizeof(double));
  for (int b = 0; rc == MW_OK && b < d->m->n_body; b++)
    if (d->drag.H[b]) rc = couple(d, b, err);
  return rc;
}

// ---- life ---------------------------------------------------------------------------------------

// What there is to damp: a modal ratio, of springs between rigid bodies, too; mass-proportional
// parts of such as move.
static mw_code wanted(const mw_dae *d, bool *modal, bool *any, mw_error *err)
{
  const mw_model *model = d->m->model;
  *any = false;
  for (int b = 0; b < d->m->n_body; b++) {
    *any |= drags(d, b);
    if (drags(d, b) && model->reduction.n_coordinate == 0)
      return mw_fail(err, MW_ERR_INPUT, model->body[b].at,
                     "body '%s' moves and has damping in proportion to its mass, which acts on "
                     "what moves beyond the coordinates of the reduction: there are none, expected "
                     "reduction.coordinates, or damping.beta",
                     model->body[b].name);
  }
  *modal = model->modal > 0.0 && d->opt.n_modal > 0;
  *any |= *modal;
  return MW_OK;
}

static mw_code drag_init(mw_dae *d, mw_error *err)
{
  struct mw_dae_modal *k = d->modal;
  mw_dae_drag *g = &d->drag;
  size_t nb = (size_t)d->m->n_body, s = (size_t)k->s;
  g->H = mw_arena_alloc(&k->mem, nb, sizeof *g->H);
  g->SH = mw_arena_alloc(&k->mem, nb, sizeof *g->SH);
  g->D = mw_arena_f64(&k->mem, s * s);
  mw_code rc = mw_arena_check(&k->mem, err);
  for (int b = 0; rc == MW_OK && b < d->m->n_body; b++) {
    size_t n = (size_t)d->m->body[b].n_u + MW_DAE_BORDER;
    if (!drags(d, b)) continue;
    g->H[b] = mw_arena_f64(&k->mem, s * n);
    g->SH[b] = mw_arena_f64(&k->mem, s * n);
    g->s = k->s;
  }
  g->coord = k->coord;
  return rc == MW_OK ? mw_dae_drag_init(d, &k->mem, err) : rc;
}

mw_code mw_dae_modal_build(mw_dae *d, mw_error *err)
{
  const mw_reduction_in *in = &d->m->model->reduction;
  bool modal, any;
  mw_code rc = wanted(d, &modal, &any, err);
  if (rc != MW_OK || !any) return rc;
  struct mw_dae_modal *k = calloc(1, sizeof *k);
  if (!k) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  d->modal = k;
  k->m = d->m;
  k->s = in->n_coordinate;
  k->n_mode = modal ? d->opt.n_modal : 0;
  k->n_corner = 1;
  k->grid = k->s < 2 ? 33 : k->s < 3 ? 17 : 9;
  k->reach = k->s < 3 ? REACH : 2;
  int most = 1;
  for (int i = 0; i < k->s; i++, most *= k->reach) {
    k->coord[i] = d->m->joint[in->coordinate[i].joint].coord;
    k->lo[i] = in->coordinate[i].lo;
    k->cyclic[i] = in->coordinate[i].cyclic;
    k->gap[i] = (in->coordinate[i].hi - in->coordinate[i].lo) / (k->grid - 1);
    k->n_corner *= k->grid;
  }
  k->at = mw_arena_int(&k->mem, (size_t)d->m->n_body);
  for (int b = 0; k->at && b < d->m->n_body; b++) {
    k->at[b] = k->len;
    k->len += d->m->body[b].n_u + (d->moving[b] ? 6 : 0);
  }
  size_t nb = (size_t)d->m->n_body;
  k->p = mw_arena_f64(&k->mem, 12 * nb);
  k->all_s = mw_arena_f64(&k->mem, (size_t)d->m->n_coord);
  k->v = mw_arena_f64(&k->mem, 6 * nb * (size_t)k->s);
  k->row = mw_arena_alloc(&k->mem, (size_t)k->n_corner, sizeof *k->row);
  k->most = most;
  k->now = mw_arena_int(&k->mem, (size_t)most);
  k->weight = mw_arena_f64(&k->mem, (size_t)most);
  k->w = mw_arena_f64(&k->mem, (size_t)k->len);
  k->f = mw_arena_f64(&k->mem, (size_t)k->len);
  k->x = mw_arena_f64(&k->mem, (size_t)k->len);
  k->y = mw_arena_f64(&k->mem, (size_t)k->len);
  rc = mw_arena_check(&k->mem, err);
  if (rc == MW_OK) memcpy(k->p, d->m->p0, 12 * nb * sizeof *k->p);
  if (rc == MW_OK) memcpy(k->all_s, d->m->s0, (size_t)d->m->n_coord * sizeof *k->all_s);
  return rc == MW_OK ? drag_init(d, err) : rc;
}

void mw_dae_modal_free(mw_dae *d)
{
  if (d->modal) mw_arena_free(&d->modal->mem);
  free(d->modal);
  d->modal = NULL;
  d->drag = (mw_dae_drag){ 0 };
}
