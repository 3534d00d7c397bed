// SPDX-License-Identifier: BSD-3-Clause
// large.c: deflections at which what the reduced model leaves out reaches its tolerance, from
// shapes on the mesh.
//
// Stretching. On x = ρ + ψδ + ½Ψ2δδ strains stay linear in δ where members may draw in. Where they
// are held at both ends they cannot: with the quadratic strain η(ψ) of an amplitude of 1
// (fem/strain.h, 1), its stresses relaxed by every displacement w that the joints let free with θ
// held, V has the quartic term
//   V4 δ⁴ ,   V4 = min_w ½ (η + B w)ᵀ D (η + B w) = ½ ηᵀDη − ½ bᵀK⁻¹b ,  b = BᵀDη               (1)
// which the model does not have. Its force is 4 V4 δ³ beside ψᵀKψ δ: a share of 4 V4 δ²/ψᵀKψ, which
// (2) sets to the tolerance:
//   δ_max = √(tolerance ψᵀKψ / 4 V4)                                                            (2)
// For a sine on a prismatic beam between fixed ends the share is A δ²/4I (Woinowsky-Krieger 1950).
// b and ½ηᵀDη: mw_body_stretch.
// Solid elements too coarse for the curvature cannot draw in either: the full path has that
// stiffness, too, and it is in V4. Second derivatives of the joints' rows are not in (1): what
// rigid levers of closed loops draw in is not seen.
//
// Bending. Members that draw in are known to second order. Where the columns' mass follows, too (G,
// extra_mass.c; else what it errs by is named there, of relative order deflection/length), what is
// left is of relative order (deflection/length)², measured on clamped arms that a force at the tip
// swings, against chains of rigid links: BENT (w/l)², w the largest difference of displacements
// within an elastic body of size l.
//
// Tilting. What a rigid body's centre of mass moves by sin φ and 1 − cos φ instead of φ and ½φ² is
// of the same order: of a body that tilts by φ on its bearings and carries the share μ of the
// column's kinetic energy by its centre's motion, TILTED μ φ². Measured on a carriage on soft
// bearings against the full path, at 0.013, 0.027 and 0.065 rad; of the last (4.5e-3 with the arm
// rigid, against the exact equations) T to third order in δ under the arm's motion, A_ij cubic and
// B_i quadratic, is 86 %, outputs 12 %. No choice of δ helps: its third order does not enter what
// the model keeps. Where rigid bodies' A3 and B2 are kept (third_mass.c) it is half of that at
// 0.065 rad; the limits stay as they are.
// What stays. Under the weight, the largest rates, and accelerations held with them, outputs err as
// long as it lasts (swing.c, 7): a centrifugal load that bends an arm falls by what the arm draws
// in, of which the model knows no third order. Where accelerations jump, swings are judged; not
// covered: what inputs at frames bend and stays.
// Swings. What third order makes of the frequencies of the softest modes, and of outputs, as far as
// declared loads deflect them at rest, is judged (swing.c), with coordinates free that a scenario
// of the model leaves free, and with them held as others hold them. Where some are free, what the
// columns leave out of frequencies there is judged (swing_lost.c): columns are made with all held.
// Turning. Loads of rates are fixed to bodies that turn by φ as other loads deflect the machine, a
// rotor out of balance to its housing: of what they deflect outputs by, the model knows up to φ²,
// and φ³/6 is left (turns_of).
// Cost: at most MW_LARGE_PLACES systems over the mesh, an evaluation of all elements and a
// solution a column, load, set of loads and mode.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "fem/strain.h"
#include "second/second_layer.h"
#include "swing_priv.h"
#include "table/rigid_table_layer.h"
#include "work/offline_layer.h"

enum { SLAB = 8192 };              // unknowns of a body on a thread
enum { AT_ONCE = 8 };              // shapes of which elements take the strains together
enum { MODES = 6, JUMP = 2 };      // whose swings are looked at
enum { STAYS = 5 };                // what is bent and stays: sets of loads
static const double BENT = 2.7;    // measured: 2.6 at w/l = 0.021, 2.7 at 0.041 and 0.081
static const double TILTED = 1.3;  // measured: 0.94, 0.94, 1.3 at 0.013, 0.027, 0.065 rad
static const double SCALE = 1e-3;  // of the machine: displacement at which elements are evaluated
static const double ROUNDING = 1e-9;   // of ½ηᵀDη: what cancels
static const double MOST_PHASE = 2.0;  // outputs err by no more than twice what a mode moves them

typedef struct large {
  const mw_reduction *r;
  mw_rom_file *f;
  mw_arena *keep;  // of what f gets
  const mw_blocks *direct;
  mw_field_ranges moves;  // declared, or the scenarios'
  mw_system *sys;         // over the mesh, θ held
  size_t n;               // its unknowns
  int n_load, n_mode, n_stay, n_shape;
  double *value, *gradient;  // [n_field], [s × n_field]
  // [n_shape × m] amplitudes of the shapes: columns, declared loads at rest, lowest modes; [m × m]
  double *c, *K;
  double *F, *let_go;  // [n_load × m] the loads, [m] what jumps as free coordinates are let go
  double *V, *P,
      *w2;  // [m × m], [m × m], [m]  modes, what projects on them, squares of their frequencies
  unsigned free;          // coordinates without which modes are not held, as bits
  unsigned least, most;   // free in all runs of the model's scenarios, and in any
  bool all_held;          // at this place
  double longest;         // s, of the model's scenarios that leave a coordinate free
  double band;            // (rad/s)², of the highest mode asked for, all coordinates held
  double lost[MODES];     // what frequencies err by for what columns leave out (swing_lost.c)
  double *off, most_off;  // [n_load + 1]  by load, and let go: add_lost; of the worst mode
  double *to;             // [n_shape]  what a shape is scaled by
  double *Y;              // [n_shape × n of the reduction]  the shapes in its coordinates
  double *X, *B, *W;      // [n_shape × n]
  double *E;              // [n_shape × n]  the shapes, modes and what stays without what turns
  double *U;              // [n]
  double *V4;             // [n_shape]
  double *own;            // [n_shape × n_body]  ½ηᵀDη
  double *lambda;         // [n_row]  what rows carry at rest
  double *preload;        // [n_row]  what of it springs have before anything deflects
  int *body;              // [n_shape]  that stretches most
  double *work;           // a vector
  double *bend, *bend_w, *stretch, *stretch_w;  // [m]
  const char **bend_body, **stretch_body;
  double *omega, *shift, *third, *mode, *output, *bends, *moved;  // of f->swing
  const char **moved_body;
  mw_arena mem;
} large;

// ---- shapes -------------------------------------------------------------------------------------

typedef struct piece {  // of a body, for threads
  large *z;
  int body;
} piece;

// Unknowns of a body from SLAB i on, of all shapes: z->X from z->Y. A basis is read once, some
// columns wide, beside the shapes there.
static mw_code lift_slab(void *ctx, int i, mw_error *err)
{
  enum { WIDTH = 512 };
  const piece *l = ctx;
  const large *z = l->z;
  const mw_basis *T = &z->r->offline->fine.basis[l->body];
  size_t nu = (size_t)T->n_u, from = (size_t)SLAB * (size_t)i, nr = (size_t)z->r->n,
         end = from + SLAB < nu ? from + SLAB : nu;
  const double *Y = z->Y + mw_blocks_offset(z->r->blocks, l->body);
  double *X = z->X + mw_blocks_offset(z->direct, l->body);
  (void)err;
  for (size_t o = from; o < end; o += WIDTH) {
    size_t w = o + WIDTH < end ? WIDTH : end - o;
    for (size_t k = 0; k < (size_t)T->r; k++) {
      const float *t = T->T + k * nu + o;
      for (size_t s = 0; s < (size_t)z->n_shape; s++) {
        double y = Y[s * nr + k], *x = X + s * z->n + o;
        for (size_t j = 0; j < w; j++) x[j] += y * (double)t[j];
      }
    }
  }
  return MW_OK;
}

// X [n_shape × n] on the mesh of the shapes Y in the reduction's coordinates
static mw_code lift_all(large *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  memset(z->X, 0, (size_t)z->n_shape * z->n * sizeof *z->X);
  for (int b = 0; rc == MW_OK && b < r->full->n_body; b++) {
    const mw_body *body = &r->full->body[b];
    size_t from = (size_t)mw_blocks_offset(r->blocks, b),
           to = (size_t)mw_blocks_offset(z->direct, b);
    piece l = { z, b };
    for (size_t k = 0; body->n_u == 0 && !body->ground && k < (size_t)z->n_shape; k++)
      memcpy(z->X + k * z->n + to, z->Y + k * (size_t)r->n + from, 6 * sizeof *z->X);
    if (body->n_u > 0) rc = mw_parallel(r->work, (body->n_u + SLAB - 1) / SLAB, lift_slab, &l, err);
  }
  return rc;
}

// Sets of loads that stay: the weight; rates; both; both with accelerations, forth and back
static bool has_weight(int k) { return k != 1; }
static bool has_rates(int k) { return k > 0; }
static double accelerated(int k) { return k == 3 ? 1.0 : k == 4 ? -1.0 : 0.0; }

// Sum of set k's loads at rest, from theirs; nothing where it is another set again
static void stay_shape(large *z, int k)
{
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m;
  double *c = z->c + (m + (size_t)(z->n_load + z->n_mode + k)) * m, rates = 0.0, speeds_up = 0.0;
  for (int i = 0; i < r->s; i++) {
    rates = fmax(rates, z->moves.rate[i]);
    speeds_up = fmax(speeds_up, z->moves.acceleration[i]);
  }
  if (accelerated(k) != 0.0 ? !(speeds_up > 0.0) : has_rates(k) && !(rates > 0.0)) return;
  for (int l = 0; l <= 2 * r->s; l++) {
    bool rate = mw_motion_load_is_rate(r, l);
    double by = l == 0 ? has_weight(k) : rate ? has_rates(k) : accelerated(k);
    mw_axpy((int)m, by, z->c + (m + (size_t)l) * m, c);
  }
}

// c of all shapes at the fields of z->value, each column of amplitude 1
static mw_code amplitudes_at(large *z, mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m;
  memset(z->c, 0, (size_t)z->n_shape * m * sizeof *z->c);
  for (size_t a = 0; a < m; a++) z->c[a * m + a] = 1.0;
  (void)mw_motion_loads(r, &z->moves, &z->f->rom, z->value, z->F);
  memcpy(z->c + m * m, z->F, (size_t)z->n_load * m * sizeof *z->F);
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b <= a; b++)
      z->K[a * m + b] = z->K[b * m + a] = z->value[(size_t)L.K + a * (a + 1) / 2 + b];
  mw_swing_modes_in in = { .rom = &z->f->rom, .value = z->value, .K = z->K, .free = z->free };
  mw_code rc = mw_swing_modes(&in, z->w2, z->V, z->P, err);
  z->all_held = z->free == 0;
  if (rc == MW_ERR_NUMERIC && z->free) {  // no inertia is left: certificate_motion.c says so
    if (err) *err = (mw_error){ .code = MW_OK };
    in.free = 0;
    z->all_held = true;
    rc = mw_swing_modes(&in, z->w2, z->V, z->P, err);
  }
  if (rc == MW_OK) rc = mw_swing_let_go(&in, z->gradient, z->let_go, err);
  if (rc == MW_OK) rc = mw_chol_factor(r->m, z->K, err);
  for (int l = 0; rc == MW_OK && l < z->n_load; l++)
    mw_chol_solve(r->m, z->K, 1, z->c + (size_t)(r->m + l) * m);
  for (size_t k = 0; k < (size_t)z->n_mode; k++)
    for (size_t a = 0; a < m; a++) z->c[(m + (size_t)z->n_load + k) * m + a] = z->V[a * m + k];
  for (int k = 0; rc == MW_OK && k < z->n_stay; k++) stay_shape(z, k);
  return rc;
}

// Shapes at grid point g: columns, what declared loads bend, modes, each scaled to SCALE of the
// machine; c follows.
static mw_code shapes_at(large *z, int g, double size, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_rom_info info;
  double theta[MW_ROM_MAX_S];
  size_t m = (size_t)r->m, nr = (size_t)r->n;
  mw_reduction_theta(r, g, theta);
  int highest = r->n_want < r->point[g].k ? r->n_want : r->point[g].k;
  z->band = highest > 0 ? r->point[g].lambda[highest - 1] : 0.0;
  if (mw_rom_fields(&z->f->rom, theta, z->value, z->gradient, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "the model cannot be evaluated on its grid");
  mw_code rc = amplitudes_at(z, err);
  memset(z->Y, 0, (size_t)z->n_shape * nr * sizeof *z->Y);
  for (size_t k = 0; rc == MW_OK && k < (size_t)z->n_shape; k++)
    for (size_t a = 0; a < m; a++)
      mw_axpy(r->n, z->c[k * m + a], r->point[g].Psi + a * nr, z->Y + k * nr);
  if (rc == MW_OK) rc = lift_all(z, err);
  for (int k = 0; rc == MW_OK && k < z->n_shape; k++) {
    double *c = z->c + (size_t)k * m, *x = z->X + (size_t)k * z->n, most = 0.0;
    for (size_t i = 0; i < z->n; i++) most = fmax(most, fabs(x[i]));
    z->to[k] = most > 0.0 ? SCALE * size / most : 0.0;
    for (size_t i = 0; i < z->n; i++) x[i] *= z->to[k];
    for (size_t a = 0; a < m; a++) c[a] *= z->to[k];
  }
  return rc;
}

// ---- stretching ---------------------------------------------------------------------------------

// b of (1) into z->B and ½ηᵀDη into z->own, of shapes AT_ONCE i and on: a thread's share
static mw_code some_stretches(void *ctx, int i, mw_error *err)
{
  const piece *q = ctx;
  large *z = q->z;
  const mw_body *body = &z->r->full->body[q->body];
  mw_arena tmp = { 0 };
  size_t nu = (size_t)body->n_u, o = (size_t)mw_blocks_offset(z->direct, q->body);
  double *X = mw_arena_f64(&tmp, AT_ONCE * nu), *B = mw_arena_f64(&tmp, AT_ONCE * nu), V[AT_ONCE];
  int at = AT_ONCE * i, n = z->n_shape - at < AT_ONCE ? z->n_shape - at : AT_ONCE;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < n; k++)
    memcpy(X + (size_t)k * nu, z->E + (size_t)(at + k) * z->n + o, nu * sizeof *X);
  if (rc == MW_OK) rc = mw_body_stretch(body, n, X, B, V, err);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    memcpy(z->B + (size_t)(at + k) * z->n + o, B + (size_t)k * nu, nu * sizeof *B);
    z->own[(at + k) * z->r->full->n_body + q->body] = V[k];
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code quadratic(large *z, int i, mw_error *err)
{
  piece q = { z, i };
  return mw_parallel(z->r->work, (z->n_shape + AT_ONCE - 1) / AT_ONCE, some_stretches, &q, err);
}

// The body with most of what is left in shape k: its own share of (1), with w = −W there
static int most_stretched(const large *z, int k)
{
  const mw_mech *m = z->r->full;
  double most = -INFINITY;
  int at = 0, n = 0;
  for (int b = 0; b < m->n_body; b++)
    if (mw_body_has_stress(&m->body[b])) at = b, n++;
  if (n == 1) return at;
  for (int b = 0; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    const double *w = z->W + (size_t)k * z->n + (size_t)mw_blocks_offset(z->direct, b),
                 *f = z->B + (size_t)k * z->n + (size_t)mw_blocks_offset(z->direct, b);
    if (!mw_body_has_stress(body)) continue;
    mw_csc_mul(&body->K, 1.0, w, 0.0, z->work);
    double left =
        z->own[k * m->n_body + b] - mw_dot(body->n_u, f, w) + 0.5 * mw_dot(body->n_u, w, z->work);
    if (left > most) most = left, at = b;
  }
  return at;
}

// V4 of all shapes by (1)
static mw_code stretch(large *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t nb = (size_t)r->full->n_body, ns = (size_t)z->n_shape,
         turned = (size_t)(r->m + z->n_load);  // modes and what stays: turns are swing.c's
  mw_code rc = MW_OK;
  memset(z->B, 0, ns * z->n * sizeof *z->B);
  memset(z->own, 0, ns * nb * sizeof *z->own);
  memcpy(z->E, z->X, ns * z->n * sizeof *z->E);
  mw_second_split(z->direct, z->n_mode + z->n_stay, z->E + turned * z->n, NULL, z->U);
  for (int b = 0; rc == MW_OK && b < r->full->n_body; b++)
    if (mw_body_has_stress(&r->full->body[b])) rc = quadratic(z, b, err);
  for (size_t k = 0; k < ns; k++) {
    z->V4[k] = 0.0;
    for (size_t b = 0; b < nb; b++) z->V4[k] += z->own[k * nb + b];
  }
  if (rc == MW_OK) rc = mw_system_solve_many(z->sys, z->n_shape, z->B, z->W, err);
  for (int k = 0; rc == MW_OK && k < z->n_shape; k++) {
    size_t at = (size_t)k * z->n;
    double left = z->V4[k] - 0.5 * mw_dot((int)z->n, z->B + at, z->W + at);
    z->V4[k] = left > ROUNDING * z->V4[k] ? left : 0.0;
    z->body[k] = most_stretched(z, k);
  }
  return rc;
}

// cᵀKc of a shape
static double energy(const large *z, const double *c)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  const double *K = z->value + L.K;
  double sum = 0.0;
  for (int a = 0; a < z->r->m; a++)
    for (int b = 0; b <= a; b++) sum += *K++ * c[a] * c[b] * (a == b ? 1.0 : 2.0);
  return sum;
}

// ---- bending ------------------------------------------------------------------------------------

// Diagonal of the box around n points x [n × 3]
static double diagonal(int n, const double *x)
{
  double lo[3], hi[3], d[3];
  for (int i = 0; i < 3; i++) lo[i] = INFINITY, hi[i] = -INFINITY;
  for (int k = 0; k < 3 * n; k++) {
    lo[k % 3] = fmin(lo[k % 3], x[k]);
    hi[k % 3] = fmax(hi[k % 3], x[k]);
  }
  for (int i = 0; i < 3; i++) d[i] = hi[i] - lo[i];
  return n > 0 ? mw_norm3(d) : 0.0;
}

// Largest difference of displacements within elastic body b in shape x, m, and over its size
static double spread(const large *z, int b, const double *x, double *slope)
{
  const mw_body *body = &z->r->full->body[b];
  const double *xb = x + mw_blocks_offset(z->direct, b);
  *slope = 0.0;
  if (body->n_u == 0) return 0.0;
  mw_csc_mul(&body->N, 1.0, xb, 0.0, z->work);
  double size = diagonal(body->n_node, body->X), w = diagonal(body->n_node, z->work);
  *slope = size > 0.0 ? w / size : 0.0;
  return w;
}

// Displacement of rigid body b's centre of mass in shape x of a column of amplitude c, m, and √μ φ
// of it
static double sway(const large *z, int b, const double *x, double c, double *tilt)
{
  const mw_body *body = &z->r->full->body[b];
  const double *t = x + mw_blocks_offset(z->direct, b);  // displacement of its origin, rotation
  double v[3], centre[3];
  *tilt = 0.0;
  if (body->n_u > 0 || body->ground || !(body->m > 0.0)) return 0.0;
  for (int i = 0; i < 3; i++) centre[i] = body->mX[i] / body->m;
  mw_cross3(t + 3, centre, v);
  for (int i = 0; i < 3; i++) v[i] += t[i];
  double w = mw_norm3(v);
  *tilt = mw_norm3(t + 3) * fmin(sqrt(body->m) * w / c, 1.0);  // columns are M-orthonormal
  return w;
}

// ---- limits -------------------------------------------------------------------------------------

static void lower(double at, double w, const char *body, int a, double *most, double *deflection,
                  const char **name)
{
  if (!(at < most[a])) return;
  most[a] = at;
  deflection[a] = w * at;
  name[a] = body;
}

static void columns_of(large *z)
{
  const mw_reduction *r = z->r;
  double tolerance = r->model->reduction.tolerance, slope;
  for (int a = 0; a < r->m; a++) {
    const double *x = z->X + (size_t)a * z->n;
    double c = z->to[a];
    if (!(c > 0.0)) continue;
    for (int b = 0; b < r->full->n_body; b++) {
      double w = spread(z, b, x, &slope);
      if (slope > 0.0)
        lower(c * sqrt(tolerance / BENT) / slope, w / c, r->full->body[b].name, a, z->bend,
              z->bend_w, z->bend_body);
      w = sway(z, b, x, c, &slope);
      if (slope > 0.0)
        lower(c * sqrt(tolerance / TILTED) / slope, w / c, r->full->body[b].name, a, z->bend,
              z->bend_w, z->bend_body);
    }
    if (!(z->V4[a] > 0.0)) continue;
    double w = spread(z, z->body[a], x, &slope),
           share = 4.0 * z->V4[a] / energy(z, z->c + a * r->m);
    lower(c * sqrt(tolerance / share), w / c, r->full->body[z->body[a]].name, a, z->stretch,
          z->stretch_w, z->stretch_body);
  }
}

// The largest share of a declared load at rest that stretching would carry
static void loads_of(large *z)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  for (int l = 0; l < z->n_load; l++) {
    int k = r->m + l;
    double e = energy(z, z->c + (size_t)k * (size_t)r->m), slope;
    if (!(z->V4[k] > 0.0) || !(e > 0.0)) continue;
    double share = 4.0 * z->V4[k] / (e * z->to[k] * z->to[k]);
    if (!(share > cert->stretch_error)) continue;
    cert->stretch_error = share;
    cert->stretch_deflection = spread(z, z->body[k], z->X + (size_t)k * z->n, &slope) / z->to[k];
    cert->stretch_body = r->full->body[z->body[k]].name;
    cert->stretch_load = mw_motion_load_name(r, l, z->keep);
  }
}

// Largest angle by which declared load l turns a rigid body, rad; twice that at rest where it may
// jump
static double turned(const large *z, int l, int *body)
{
  const mw_reduction *r = z->r;
  int k = r->m + l;
  double most = 0.0, by = l == 0 || mw_motion_load_is_rate(r, l) ? 1.0 : JUMP;
  *body = 0;
  for (int b = 0; z->to[k] > 0.0 && b < r->full->n_body; b++) {
    const mw_body *it = &r->full->body[b];
    if (it->n_u > 0 || it->ground || !(it->m > 0.0)) continue;
    double phi = mw_norm3(z->X + (size_t)k * z->n + mw_blocks_offset(z->direct, b) + 3);
    if (by * phi / z->to[k] > most) most = by * phi / z->to[k], *body = b;
  }
  return most;
}

// What loads of rates deflect an output by, of the largest that a load does; of the output where
// that is most
static double share_of_rates(const large *z)
{
  const mw_reduction *r = z->r;
  const mw_model *model = r->model;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  double share = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    double rates = 0.0, all = 0.0;
    if (mw_output_is_gauge(&model->output[o])) continue;
    for (int l = 0; l < z->n_load; l++) {
      double y[3];
      for (int i = 0; i < 3; i++)
        y[i] = mw_dot(r->m, z->value + L.y + (mw_output_row(model, o) + i) * (1 + r->m) + 1,
                      z->c + (size_t)(r->m + l) * (size_t)r->m);
      all = fmax(all, mw_norm3(y));
      if (mw_motion_load_is_rate(r, l)) rates = fmax(rates, mw_norm3(y));
    }
    if (all > 0.0) share = fmax(share, rates / all);
  }
  return share;
}

static void turns_of(large *z)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  double share = share_of_rates(z);
  for (int l = 0; share > 0.0 && l < z->n_load; l++) {
    int body;
    double phi = turned(z, l, &body), error = 0.5 * share * phi * phi * phi / 6.0;
    if (!(error > cert->third_error)) continue;
    cert->third_error = error;
    cert->third_shift = cert->third_hz = cert->third_phase = 0.0;
    cert->third_deflection = phi;
    cert->third_body = r->full->body[body].name;
    cert->third_load = mw_motion_load_name(r, l, z->keep);
  }
}

// ---- swings -------------------------------------------------------------------------------------

// Shape k's body that moves most, and how far, m
static double furthest(const large *z, int k, int *body)
{
  const mw_reduction *r = z->r;
  double most = 0.0, other;
  *body = 0;
  for (int b = 0; b < r->full->n_body; b++) {
    const double *x = z->X + (size_t)k * z->n;
    double w = fmax(spread(z, b, x, &other), sway(z, b, x, 1.0, &other));
    if (w > most) most = w, *body = b;
  }
  return most;
}

// Free coordinates have no controller to hold them: over the longest scenario of the model that
// leaves one free a mode's phase errs by
//   φ(t) = |Δω/ω| ω (1 − e^(−2δt))/(2δ) ,   outputs by e^(−δt) φ(t) of what it moves them       (3)
// as Δω goes with the square of its amplitude, which decays with δ = ½ vᵀCv; most where δt = ½ ln
// 3. Rad, of shift Δω/ω.
static double phase_at_most(const large *z, int mode, double shift)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  const double *C = z->value + L.C;
  double decay = 0.0, t = z->longest, w = sqrt(z->w2[mode]);
  if (z->all_held) return 0.0;
  for (int a = 0; a < z->r->m; a++)
    for (int b = 0; b <= a; b++)
      decay += (a == b ? 0.5 : 1.0) * *C++ * z->V[a * z->r->m + mode] * z->V[b * z->r->m + mode];
  if (!(decay * t > 1e-6)) return fabs(shift) * w * t;
  t = fmin(t, 0.5 * log(3.0) / decay);
  return fabs(shift) * w * exp(-decay * t) * (1.0 - exp(-2.0 * decay * t)) / (2.0 * decay);
}

// Amplitude of mode i's shape that forces F [m] bend at rest
static double at_rest(const large *z, int i, const double *F)
{
  int m = z->r->m;
  double f = 0.0;
  for (int a = 0; a < m; a++) f += z->V[a * m + i] * F[a];
  return f / (z->w2[i] * z->to[m + z->n_load + i]);
}

// Free coordinates swing with a mode, of amplitude h, by ω h u of their rates and ω² h u of their
// accelerations, u their rates for h' = 1. A run within what is declared of both has no more than
//   h_max = min over free i of  v_i/ω|u_i| , a_i/ω²|u_i|                                        (4)
// however its inputs jump; one that goes beyond is refused or named (sim/run/reach.c). The lighter
// a hub, the less of the deflection that a steady acceleration makes can swing. Not covered by (4):
// what coordinates that the weight accelerates jump by as they are let go.
static double swing_at_most(const large *z, const mw_swing *s, int mode)
{
  double w = sqrt(z->w2[mode]), most = INFINITY;
  for (int i = 0; i < z->r->s; i++) {
    const mw_coordinate_in *c = &z->r->model->reduction.coordinate[i];
    double u = fabs(s->rate[i]);
    if (u > 0.0 && c->max_rate > 0.0) most = fmin(most, c->max_rate / (w * u));
    if (u > 0.0 && c->max_acceleration > 0.0) most = fmin(most, c->max_acceleration / (w * w * u));
  }
  return fmax(most, JUMP * fabs(at_rest(z, mode, z->let_go)));
}

// What load l, of amplitude h of a mode's shape k at rest, makes of it: one that jumps on and off
// at the worst instants swings twice as far, none further than (4), and what the weight bends while
// coordinates are held swings as far once they are free.
static void judge_swing(const large *z, const mw_swing *s, int k, int mode, int l, double h)
{
  mw_certificate *cert = &z->f->certificate;
  bool weight = l == 0, steady = mw_motion_load_is_rate(z->r, l);
  if (!weight) h = fmin((steady ? 1 : JUMP) * fabs(h), swing_at_most(z, s, mode));
  double shift = weight && z->all_held ? mw_swing_shift_about(s, h) : mw_swing_shift(s) * h * h,
         phase = phase_at_most(z, mode, shift),
         share = s->bends > s->moves ? s->moves / s->bends : 1.0,
         error = fmax(fabs(shift), 0.5 * share * (s->third * h * h + fmin(phase, MOST_PHASE)));
  int body;
  if (!(error > cert->third_error)) return;
  cert->third_error = error;
  cert->third_shift = shift;
  cert->third_phase = phase;
  cert->third_hz = sqrt(z->w2[mode]) / (2.0 * acos(-1.0));
  cert->third_deflection = furthest(z, k, &body) * fabs(h);
  cert->third_body = z->r->full->body[body].name;
  cert->third_load = mw_motion_load_name(z->r, l, z->keep);
}

// What frequencies err by where coordinates are free, of the lowest modes
static mw_code lost_of(large *z, const mw_config *q, mw_error *err)
{
  const mw_swing_lost_in in = {
    .r = z->r, .sys = z->sys, .q = q, .m = z->r->m, .X = z->X, .free = z->free
  };
  return mw_swing_lost(&in, z->n_mode, z->lost, err);
}

// What load l deflects outputs by at rest, m, of the one that it deflects most
static double deflects(const large *z, int l)
{
  const mw_reduction *r = z->r;
  const mw_model *model = r->model;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  double most = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    double y[3];
    if (mw_output_is_gauge(&model->output[o])) continue;
    for (int i = 0; i < 3; i++)
      y[i] = mw_dot(r->m, z->value + L.y + (mw_output_row(model, o) + i) * (1 + r->m) + 1,
                    z->c + (size_t)(r->m + l) * (size_t)r->m) /
             z->to[r->m + l];
    most = fmax(most, mw_norm3(y));
  }
  return most;
}

// What mode errs by, of those up to the highest one asked for with all held: a share of what a load
// deflects outputs by at rest errs by the phase (3). Where it jumps, or is let go, the mode's swing
// and the deflection double alike. Of all modes these may add up, in z->off.
static void add_lost(large *z, const mw_swing *s, int mode)
{
  mw_certificate *cert = &z->f->certificate;
  double shift = z->lost[mode], phase = fmin(phase_at_most(z, mode, shift), MOST_PHASE),
         most = shift;
  if (z->w2[mode] > z->band) return;
  for (int l = 0; l <= z->n_load; l++) {
    bool let_go = l == z->n_load;  // of what the weight deflects
    double y = z->to[z->r->m + (let_go ? 0 : l)] > 0.0 ? deflects(z, let_go ? 0 : l) : 0.0,
           h = at_rest(z, mode, let_go ? z->let_go : z->F + l * z->r->m),
           off = y > 0.0 ? fmin(fabs(h) * s->moves / y, 1.0) * phase : 0.0;
    z->off[l] += off;
    most = fmax(most, 0.5 * off);
  }
  cert->free_error = fmax(cert->free_error, shift);
  if (cert->free_hz > 0.0 && !(most > z->most_off)) return;
  z->most_off = most;
  cert->free_shift = shift;
  cert->free_phase = phase;
  cert->free_hz = sqrt(z->w2[mode]) / (2.0 * acos(-1.0));
}

// The loads by which outputs err most at this place
static void judge_lost(large *z)
{
  mw_certificate *cert = &z->f->certificate;
  for (int l = 0; l <= z->n_load; l++) {
    cert->free_error = fmax(cert->free_error, 0.5 * z->off[l]);
    z->off[l] = 0.0;
  }
}

// The mode that changes most of the places looked at, by number
static void keep_swing(large *z, const mw_swing *s, int k, int mode)
{
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m, i = (size_t)mode;
  double to = z->to[k], shift = mw_swing_shift(s) / (to * to);
  int body;
  if (z->free != z->most) return;  // of runs with all free that may be
  if (z->omega[i] > 0.0 && !(fabs(shift) > fabs(z->shift[i]))) return;
  z->omega[i] = sqrt(z->w2[i]);
  z->shift[i] = shift;
  for (size_t a = 0; a < m; a++) z->mode[i * m + a] = z->P[a * m + i];
  z->output[i] = s->moves / to;
  z->bends[i] = s->bends / to;
  z->third[i] = s->third / (to * to);
  z->moved[i] = furthest(z, k, &body) / to;
  z->moved_body[i] = r->full->body[body].name;
}

// Shape k for swing.c; its mass and stiffness are the caller's
static mw_swing_in swing_in(large *z, const mw_config *q, int k)
{
  const mw_reduction *r = z->r;
  size_t at = (size_t)k * z->n;
  double quartic = 0.0;
  for (int b = 0; b < r->full->n_body; b++) quartic += z->own[k * r->full->n_body + b];
  for (size_t j = 0; j < z->n; j++) z->W[at + j] *= -2.0;  // w of (1), for h² / 2
  return (mw_swing_in){ .r = r,
                        .sys = z->sys,
                        .q = q,
                        .x = z->X + at,
                        .strained = z->W + at,
                        .b = z->B + at,
                        .lambda = z->lambda,
                        .preload = z->preload,
                        .quartic = quartic,
                        .linear = z->f->rom.n_G > 0 };
}

// *out: nothing where a runner would leave its guide there
static mw_code swing_or_leave(const mw_swing_in *in, mw_swing *out, bool *left, mw_error *err)
{
  mw_code rc = mw_swing_at(in, out, err);
  *left = rc == MW_ERR_RANGE;
  if (!*left) return rc;
  if (err) *err = (mw_error){ .code = MW_OK };
  return MW_OK;
}

static mw_code swings_of(large *z, const mw_config *q, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_code rc = MW_OK;
  if (z->free && !z->all_held) rc = lost_of(z, q, err);
  for (int i = 0; rc == MW_OK && i < z->n_mode; i++) {
    int k = r->m + z->n_load + i;
    double to = z->to[k];
    mw_swing s;
    bool left;
    if (!(to > 0.0)) continue;
    mw_swing_in in = swing_in(z, q, k);
    in.free = z->all_held ? 0 : z->free;
    in.quadratic = (z->f->rom.parts & MW_ROM_THIRD) && !z->f->light;
    in.mass = to * to;
    in.stiffness = z->w2[i] * to * to;
    rc = swing_or_leave(&in, &s, &left, err);
    if (rc != MW_OK || left) continue;
    for (int l = 0; l < z->n_load; l++) judge_swing(z, &s, k, i, l, at_rest(z, i, z->F + l * r->m));
    if (z->free && !z->all_held) add_lost(z, &s, i);
    keep_swing(z, &s, k, i);
  }
  judge_lost(z);
  return rc;
}

// ---- what stays bent ----------------------------------------------------------------------------

static const char *stay_name(const large *z, int k)
{
  bool weight = has_weight(k) && z->to[z->r->m] > 0.0, rates = false;
  for (int i = 0; i < z->r->s; i++) rates = rates || (has_rates(k) && z->moves.rate[i] > 0.0);
  const char *also = weight ? " with " : "";
  return mw_arena_printf(z->keep, "%s%s%s%s%s", weight ? mw_rest_name(z->r) : "", rates ? also : "",
                         rates ? "the largest rates" : "",
                         accelerated(k) == 0.0 ? ""
                         : weight || rates     ? " and "
                                               : "",
                         accelerated(k) == 0.0 ? "" : "the largest accelerations");
}

static mw_code stays_of(large *z, const mw_config *q, mw_error *err)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  bool third = z->f->rom.parts & MW_ROM_THIRD;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < z->n_stay; k++) {
    int at = r->m + z->n_load + z->n_mode + k, body;
    double rate[MW_ROM_MAX_S], a[MW_ROM_MAX_S], to = z->to[at];
    mw_swing s;
    bool left;
    if (!(to > 0.0)) continue;
    for (int i = 0; i < r->s; i++) {
      rate[i] = has_rates(k) ? z->moves.rate[i] : 0.0;
      a[i] = accelerated(k) * z->moves.acceleration[i];
    }
    mw_swing_in of = swing_in(z, q, at);
    of.free = 0;
    of.mass = mw_dot(r->m, z->c + at * r->m, z->c + at * r->m);
    of.stiffness = energy(z, z->c + at * r->m);
    of.rate = rate;
    of.acceleration = a;
    of.amplitude = 1.0 / to;
    of.cubic = third;
    of.square = third && !z->f->light;
    rc = swing_or_leave(&of, &s, &left, err);
    if (rc != MW_OK || left || !(0.5 * s.stays > cert->third_error)) continue;
    cert->third_error = 0.5 * s.stays;
    cert->third_shift = cert->third_phase = 0.0;
    cert->third_hz = -1.0;
    cert->third_deflection = furthest(z, at, &body) / to;
    cert->third_body = r->full->body[body].name;
    cert->third_load = stay_name(z, k);
  }
  return rc;
}

// Shapes where these coordinates are free, and what their swings err by
static mw_code swings_at(large *z, int g, double size, unsigned free, mw_error *err)
{
  z->free = free;
  mw_code rc = shapes_at(z, g, size, err);
  if (rc == MW_OK) rc = stretch(z, err);
  return rc == MW_OK ? swings_of(z, &z->r->point[g].q, err) : rc;
}

// lambda and preload at configuration q, by one solution for all swings there; B and W are free
static mw_code rest_of(large *z, const mw_config *q, mw_error *err)
{
  size_t rows = (size_t)z->r->full->n_row;
  memset(z->lambda, 0, rows * sizeof *z->lambda);
  memset(z->preload, 0, rows * sizeof *z->preload);
  if (!(mw_norm3(z->r->model->gravity) > 0.0) && !q->loaded) return MW_OK;
  mw_system_load_rest(z->sys, z->B);
  mw_code rc = mw_system_solve_forces(z->sys, 1, z->B, z->W, z->lambda, err);
  mw_system_preload(z->sys, z->preload);
  mw_system_preload(z->sys, z->lambda);
  return rc;
}

static mw_code at_point(large *z, int g, double size, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_config *q = &r->point[g].q;
  mw_code rc = mw_system_build(z->direct, r->locked, 0, q->p, q->s, &z->sys, err);
  if (rc == MW_OK) rc = rest_of(z, q, err);
  if (rc == MW_OK && z->least != z->most) rc = swings_at(z, g, size, z->least, err);
  if (rc == MW_OK) rc = swings_at(z, g, size, z->most, err);
  if (rc == MW_OK) rc = stays_of(z, q, err);
  mw_system_free(z->sys);
  z->sys = NULL;
  if (rc == MW_OK) columns_of(z);
  if (rc == MW_OK) loads_of(z);
  if (rc == MW_OK) turns_of(z);
  return rc;
}

// Diagonal of the box around the nodes of the largest elastic body
static double largest_body(const mw_reduction *r)
{
  double most = 0.0;
  for (int b = 0; b < r->full->n_body; b++)
    most = fmax(most, diagonal(r->full->body[b].n_node, r->full->body[b].X));
  return most > 0.0 ? most : 1.0;
}

static size_t work_doubles(const mw_reduction *r)
{
  size_t most = (size_t)r->n;
  for (int b = 0; b < r->full->n_body; b++) {
    size_t n = (size_t)r->full->body[b].n_u, nodes = 3 * (size_t)r->full->body[b].n_node;
    if (n > most) most = n;
    if (nodes > most) most = nodes;
  }
  return most;
}

static mw_code init(large *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  z->n_mode = r->m < MODES ? r->m : MODES;
  z->n_stay = STAYS;
  size_t m = (size_t)r->m, ns = m + (size_t)(z->n_load + z->n_mode + z->n_stay);
  mw_arena *keep = z->keep;
  z->n_shape = (int)ns;
  z->value = mw_arena_f64(&z->mem, (size_t)z->f->rom.n_field);
  z->gradient = mw_arena_f64(&z->mem, (size_t)r->s * (size_t)z->f->rom.n_field);
  z->let_go = mw_arena_f64(&z->mem, m);
  z->c = mw_arena_f64(&z->mem, ns * m);
  z->K = mw_arena_f64(&z->mem, m * m);
  z->F = mw_arena_f64(&z->mem, (size_t)z->n_load * m);
  z->off = mw_arena_f64(&z->mem, (size_t)z->n_load + 1);
  z->P = mw_arena_f64(&z->mem, m * m);
  z->V = mw_arena_f64(&z->mem, m * m);
  z->w2 = mw_arena_f64(&z->mem, m);
  z->to = mw_arena_f64(&z->mem, ns);
  z->Y = mw_arena_f64(&z->mem, ns * (size_t)r->n);
  z->X = mw_arena_f64(&z->mem, ns * z->n);
  z->B = mw_arena_f64(&z->mem, ns * z->n);
  z->E = mw_arena_f64(&z->mem, ns * z->n);
  z->U = mw_arena_f64(&z->mem, z->n);
  z->W = mw_arena_f64(&z->mem, ns * z->n);
  z->V4 = mw_arena_f64(&z->mem, ns);
  z->own = mw_arena_f64(&z->mem, ns * (size_t)r->full->n_body);
  z->lambda = mw_arena_f64(&z->mem, (size_t)r->full->n_row);
  z->preload = mw_arena_f64(&z->mem, (size_t)r->full->n_row);
  z->body = mw_arena_int(&z->mem, ns);
  z->work = mw_arena_f64(&z->mem, work_doubles(r));
  z->bend = mw_arena_f64(keep, m);
  z->bend_w = mw_arena_f64(keep, m);
  z->stretch = mw_arena_f64(keep, m);
  z->stretch_w = mw_arena_f64(keep, m);
  z->bend_body = mw_arena_alloc(keep, m, sizeof *z->bend_body);
  z->stretch_body = mw_arena_alloc(keep, m, sizeof *z->stretch_body);
  size_t n = (size_t)z->n_mode;
  double **of_mode[] = { &z->omega, &z->shift, &z->third, &z->output, &z->bends, &z->moved };
  for (size_t i = 0; i < sizeof of_mode / sizeof *of_mode; i++) *of_mode[i] = mw_arena_f64(keep, n);
  z->mode = mw_arena_f64(keep, n * m);
  z->moved_body = mw_arena_alloc(keep, n, sizeof *z->moved_body);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(keep, err);
  for (size_t k = 0; rc == MW_OK && k < n; k++) z->moved_body[k] = "";
  for (size_t a = 0; rc == MW_OK && a < m; a++) {
    z->bend[a] = z->stretch[a] = INFINITY;
    z->bend_body[a] = z->stretch_body[a] = "";
  }
  return rc;
}

// What would be a load of mw_motion_loads, but is neither declared nor in a scenario
static mw_code undeclared(const large *z, mw_rom_file *f, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_reduction_in *in = &r->model->reduction;
  const char *text = NULL;
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k < 2; k++)
      if (!((k ? z->moves.acceleration[i] : z->moves.rate[i]) > 0.0))
        text = mw_arena_printf(z->keep, "%s%s%s of %s", text ? text : "", text ? ", " : "",
                               k ? "acceleration" : "rate", in->coordinate[i].name);
  for (int d = 0; d < r->model->n_drive; d++) {
    int joint = r->model->drive[d].joint;
    bool moves = false;  // a coordinate, whose acceleration is there
    for (int i = 0; i < r->s; i++)
      moves = moves || (joint >= 0 && r->mech->joint[joint].coord == r->coord[i]);
    if (!moves && !(in->max_input[d] > 0.0))
      text = mw_arena_printf(z->keep, "%s%sinput %s", text ? text : "", text ? ", " : "",
                             r->model->drive[d].name);
  }
  for (int k = 0; k < f->swing.n; k++)
    if (!(f->swing.omega[k] > 0.0))
      text =
          mw_arena_printf(z->keep, "%s%sswings of mode %d, whose runners would leave their guides",
                          text ? text : "", text ? ", " : "", k + 1);
  f->certificate.undeclared = text;
  return mw_arena_check(z->keep, err);
}

int mw_large_places(const mw_reduction *r, int g[MW_LARGE_PLACES])
{
  int n = r->n_point < MW_LARGE_PLACES ? r->n_point : MW_LARGE_PLACES;
  for (int k = 0; k < n; k++) g[k] = n > 1 ? k * (r->n_point - 1) / (n - 1) : 0;
  return n;
}

mw_code mw_large_limits(mw_reduction *r, mw_rom_file *f, mw_arena *mem, mw_error *err)
{
  large z = { .r = r, .f = f, .keep = mem, .n_load = mw_motion_load_count(r) };
  unsigned all = (1u << r->s) - 1u, held = mw_motion_prescribed(r);
  z.least = ~mw_motion_prescribable(r) & all;
  z.most = ~held & all;
  mw_blocks *direct = NULL;
  double size = largest_body(r);
  z.longest = mw_motion_longest_free(r);
  f->certificate.third_time = z.most ? z.longest : 0.0;
  f->certificate.third_held = held;
  f->certificate.stretch_error = f->certificate.third_error = f->certificate.third_phase = 0.0;
  f->certificate.free_hz = f->certificate.free_error = 0.0;
  f->certificate.third_taken = NULL;
  if (r->model->strain_linear) return MW_OK;  // nothing of second order in strains is asked for
  mw_code rc = mw_reduction_moves(r, &z.moves, mem, err);
  f->certificate.third_taken = z.moves.assumed;
  if (rc == MW_OK) rc = mw_offline_direct(r->offline, &direct, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc != MW_OK) return rc;
  z.direct = direct;
  z.n = (size_t)mw_blocks_size(direct);
  rc = init(&z, err);
  int place[MW_LARGE_PLACES], places = mw_large_places(r, place);
  mw_progress_start(r->progress, "large deflections", places);
  for (int k = 0; rc == MW_OK && k < places; k++) {
    rc = at_point(&z, place[k], size, err);
    mw_progress_step(r->progress, k + 1);
  }
  mw_progress_end(r->progress);
  f->bend = (mw_reach){ z.bend, z.bend_w, z.bend_body };
  f->stretch = (mw_reach){ z.stretch, z.stretch_w, z.stretch_body };
  f->swing = (mw_swings){ z.n_mode, z.omega, z.shift, z.third,     z.mode,
                          z.output, z.bends, z.moved, z.moved_body };
  if (rc == MW_OK) rc = undeclared(&z, f, err);
  mw_arena_free(&z.mem);
  return rc;
}
