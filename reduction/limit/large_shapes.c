// SPDX-License-Identifier: BSD-3-Clause
// large_shapes.c: shapes at a grid point, on the mesh: columns, what declared loads bend, modes,
// and what stays; and the energy by which members stretch in them.
//
// On x = ρ + ψδ + ½Ψ2δδ strains stay linear in δ where members may draw in. Where they are held at
// both ends they cannot: with the quadratic strain η(ψ) of an amplitude of 1 (fem/strain.h, 1), its
// stresses relaxed by every displacement w that the joints let free with θ held, V has the quartic
// term
//   V4 δ⁴ ,   V4 = min_w ½ (η + B w)ᵀ D (η + B w) = ½ ηᵀDη − ½ bᵀK⁻¹b ,  b = BᵀDη               (1)
// which the model does not have. b and ½ηᵀDη: mw_body_stretch.
// Solid elements too coarse for the curvature cannot draw in either: the full path has that
// stiffness, too, and it is in V4. Second derivatives of the joints' rows are not in (1): what
// rigid levers of closed loops draw in is not seen.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/strain.h"
#include "large_priv.h"
#include "second/second_layer.h"
#include "swing_priv.h"

enum { SLAB = 8192 };              // unknowns of a body on a thread
enum { AT_ONCE = 8 };              // shapes of which elements take the strains together
static const double SCALE = 1e-3;  // of the machine: displacement at which elements are evaluated
static const double ROUNDING = 1e-9;  // of ½ηᵀDη: what cancels

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

mw_large_stay mw_large_stay_at(int k)
{
  return (mw_large_stay){ k != 1, k > 0, k == 3 ? 1.0 : k == 4 ? -1.0 : 0.0 };
}

// Sum of set k's loads at rest, from theirs; nothing where it is another set again
static void stay_shape(large *z, int k)
{
  const mw_reduction *r = z->r;
  mw_large_stay set = mw_large_stay_at(k);
  size_t m = (size_t)r->m;
  double *c = z->c + (m + (size_t)(z->n_load + z->n_mode + k)) * m, rates = 0.0, speeds_up = 0.0;
  for (int i = 0; i < r->s; i++) {
    rates = fmax(rates, z->moves.rate[i]);
    speeds_up = fmax(speeds_up, z->moves.acceleration[i]);
  }
  if (set.accelerated != 0.0 ? !(speeds_up > 0.0) : set.rates && !(rates > 0.0)) return;
  for (int l = 0; l <= 2 * r->s; l++) {
    bool rate = mw_motion_load_is_rate(r, l);
    double by = l == 0 ? set.weight : rate ? set.rates : set.accelerated;
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

mw_code mw_large_shapes(large *z, int g, double size, mw_error *err)
{
  mw_code rc = shapes_at(z, g, size, err);
  return rc == MW_OK ? stretch(z, err) : rc;
}

double mw_large_energy(const large *z, const double *c)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  const double *K = z->value + L.K;
  double sum = 0.0;
  for (int a = 0; a < z->r->m; a++)
    for (int b = 0; b <= a; b++) sum += *K++ * c[a] * c[b] * (a == b ? 1.0 : 2.0);
  return sum;
}
