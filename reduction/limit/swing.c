// SPDX-License-Identifier: BSD-3-Clause
// swing.c: how a mode's frequency changes as it swings further, at a configuration, θ held but for
// free coordinates.
//
// Along y(h) = h y1 + ½h² y2 + 1/6 h³ y3 of third.c, y1 the mode, y2 with what bodies draw in by
// (large_shapes.c), the mechanism is an oscillator
//   T = ½ m (1 + e1 h + e2 h²) ḣ² ,   V = ½ k h² (1 + v1 h + v2 h²)
// With dq = √(T's bracket) dh and Lindstedt's series (Nayfeh, Mook 1979, 2.3.1) it swings at
//   ω(h)/ω − 1 = (¾ β − 15/16 α²) h² ,  α = v1 − ½ e1 ,
//       β = v2 − ¾ e1 v1 + 19/48 e1² − 1/3 e2 ,      (1)
// and the reduced model at (1) of what it has of e1 (with G) and e2 (A; B2 where it is kept): the
// difference is an error of frequencies that no phase can make up for. Small swings about a
// deflection h that stays: ½ (3 v1 − e1) h + … of ω, by the second derivative of V over T's
// bracket.
//   T: fields x_1 = t_1 + ω_1~X + N u_1 ,  x_2 = t_2 + B_2 X + 2 ω_1~N u_1 + N u_2 ,
//      x_3 = t_3 + B_3 X + 3 B_2 N u_1 + 3 ω_1~N u_2 + N u_3 ,
//          B = exp(hω_1~ + …) = 1 + h ω_1~ + ½h² B_2 + …      (2)
//      m e1 = 2⟨x_1, x_2⟩ ,  m e2 = ⟨x_2, x_2⟩ + ⟨x_1, x_3⟩                                     (3)
//   V: w = ½ y2:  V4 = ½ηᵀDη + b·w + ½ wᵀKw + ½ Σ k (½ gap'')²  of bodies and springs           (4)
//      weight: −g·x_3/6 and −g·x_4/24 + λ·gap''''/24, λ its forces on the rows:
//          y4 has no work on what bears it      (5)
//      springs that θ stretches by g0: k g0·gap'''/6, and λ has k g0 in it
//   free coordinates: unit rates move x by V_i = V_i0 + ω_i~(h x_1 + ½h² x_2) (shapes turn with the
//     bodies, and stay),
//      A_1 = 2 sym⟨V_i0, ω_j~x_1⟩ ,  A_2 = ⟨ω_i~x_1, ω_j~x_1⟩ + sym⟨V_i0, ω_j~x_2⟩ ,
//      b_1 = ⟨V_i0, x_2⟩ ,  b_2 = ½⟨V_i0, x_3⟩ + ½⟨ω_i~x_1, x_2⟩ ,
//          T loses ½ bᵀA⁻¹b h'² (swing_free.c)      (6)
//   what stays bent: rates θ' and accelerations a held, T = ½ A(h) + …, A = A_0 + A_1 h + … of V =
//     V_0 + ω~(h x_1 + ½h² x_2 + …),
//      inertia a·b(h), h where loads, ½A' and k h (1 + 3/2 v1 h + 2 v2 h²) are equal. Of that the
//        model has A_1, A_2, b_0, b_1
//      (A_3, b_2 where they are kept): it errs by
//        Δ = [3/2 A_3 h² − b_2 h² − k (3/2 v1 h² + 2 v2 h³)] / (k − A_2) ,                      (7)
//      and outputs by Δ x_1 + h³ x_3/6. A_4 h³, for which x_4 is missing, is small where rates are
//        far below the frequency;
//      along one shape, which a beam leaves where that takes less: an elastica errs by an eighth
//        less
// What V has of h³ beside the weight's is zero: y2 is where it is least. Not in (1): that other
// modes swing along with twice the frequency, as they do where one is near it, and moments of
// inertia that frames of elastic bodies carry.
#include "swing_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "second/third_layer.h"

enum { ORDERS = 3 };
static const double SOFTEST = 0.1;  // of the stiffness: what rates are taken to leave of it

// c + B X + Σ A_j N u_j, body axes
typedef struct field {
  double c[3], B[9];
  double A[ORDERS][9];  // of u_1, u_2, u_3
  int n;
} field;

typedef struct swing {
  const mw_swing_in *in;
  const mw_mech *m;
  const mw_blocks *bl;
  mw_second z;
  mw_third t;
  mw_third_column of;
  double *u;      // [ORDERS × n]  elastic parts of y1, y2, y3
  double *twist;  // [ORDERS][n_body × 6]
  double *mass;   // [n_body × ORDERS × ORDERS × 9]  of every pair of u, as mw_body_mass_products
  double *work;   // [2 n]
  double *f;      // [2 n]
  mw_arena mem;
} swing;

// ---- fields -------------------------------------------------------------------------------------

static void skew(double c, const double *w, double A[9])
{
  const double W[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  for (int i = 0; i < 9; i++) A[i] = c * W[i];
}

// C += c A B
static void add_product(double c, const double *A, const double *B, double *C)
{
  double AB[9];
  mw_mul33(A, B, AB);
  for (int i = 0; i < 9; i++) C[i] += c * AB[i];
}

// B_1 … B_4 of (2) of the three twists' turns W [ORDERS × 9]
static void turns(double W[ORDERS][9], double B[4][9])
{
  double W11[9];
  mw_mul33(W[0], W[0], W11);
  memcpy(B[0], W[0], sizeof B[0]);
  for (int i = 0; i < 9; i++) {
    B[1][i] = W[1][i] + W11[i];
    B[2][i] = W[2][i];
    B[3][i] = 0.0;
  }
  add_product(1.5, W[0], W[1], B[2]);
  add_product(1.5, W[1], W[0], B[2]);
  add_product(1.0, W11, W[0], B[2]);
  add_product(1.0, W11, W11, B[3]);
  add_product(2.0, W11, W[1], B[3]);
  double W12[9];
  mw_mul33(W[0], W[1], W12);
  add_product(2.0, W12, W[0], B[3]);
  add_product(2.0, W[1], W11, B[3]);
  add_product(3.0, W[1], W[1], B[3]);
  add_product(2.0, W[0], W[2], B[3]);
  add_product(2.0, W[2], W[0], B[3]);
}

// x_1 … x_4 of body b
static void fields_of(const swing *z, int b, field x[4])
{
  static const double choose[4][ORDERS] = { { 1, 0, 0 }, { 2, 1, 0 }, { 3, 3, 1 }, { 4, 6, 4 } };
  double W[ORDERS][9], B[4][9];
  size_t nb = 6 * (size_t)z->m->n_body;
  const double *tw = z->twist + 6 * b;
  for (size_t v = 0; v < ORDERS; v++) skew(1.0, tw + v * nb + 3, W[v]);
  turns(W, B);
  memset(x, 0, 4 * sizeof *x);
  for (size_t v = 0; v < 4; v++) {
    if (v < ORDERS) memcpy(x[v].c, tw + v * nb, sizeof x[v].c);
    memcpy(x[v].B, B[v], sizeof B[v]);
    if (z->m->body[b].n_u == 0) continue;
    x[v].n = v < ORDERS ? (int)v + 1 : ORDERS;
    for (size_t j = 0; j < (size_t)x[v].n; j++) {
      size_t order = v - j;  // of the turn that u_{j+1} takes part in
      for (int i = 0; i < 9; i++)
        x[v].A[j][i] = order == 0 ? (double)(i % 4 == 0) : choose[v][j] * B[order - 1][i];
    }
  }
}

static const double *elastic(const swing *z, int b, int j)
{
  return z->u + (size_t)j * (size_t)mw_blocks_size(z->bl) + (size_t)mw_blocks_offset(z->bl, b);
}

// ∫ρ (c + B X)·A N u_j
static double affine_elastic(const swing *z, int b, const double *c, const double *B,
                             const double *A, int j)
{
  const mw_body *body = &z->m->body[b];
  const double *u = elastic(z, b, j);
  size_t n = (size_t)body->n_u;
  double sum = 0.0;
  for (size_t g = 0; g < 3; g++) {
    double s = mw_dot(body->n_u, body->s + g * n, u);
    for (size_t a = 0; a < 3; a++) sum += c[a] * A[3 * a + g] * s;
    for (size_t k = 0; k < 3; k++) {
      double h = mw_dot(body->n_u, body->h + (3 * k + g) * n, u);
      for (size_t a = 0; a < 3; a++) sum += B[3 * a + k] * A[3 * a + g] * h;
    }
  }
  return sum;
}

// ⟨x, y⟩ of body b
static double product(const swing *z, int b, const field *x, const field *y)
{
  const mw_body *body = &z->m->body[b];
  double Bm[3], sum = body->m * mw_dot3(x->c, y->c);
  mw_mul33v(y->B, body->mX, Bm);
  sum += mw_dot3(x->c, Bm);
  mw_mul33v(x->B, body->mX, Bm);
  sum += mw_dot3(y->c, Bm);
  for (int a = 0; a < 3; a++) {
    mw_mul33v(body->J, y->B + 3 * a, Bm);  // J is symmetric
    sum += mw_dot3(x->B + 3 * a, Bm);
  }
  for (int j = 0; j < y->n; j++) sum += affine_elastic(z, b, x->c, x->B, y->A[j], j);
  for (int j = 0; j < x->n; j++) sum += affine_elastic(z, b, y->c, y->B, x->A[j], j);
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < y->n; j++) {
      const double *C = z->mass + 9 * (ORDERS * (ORDERS * b + i) + j);
      for (int k = 0; k < 9; k++)
        for (int g = 0; g < 3; g++) sum += x->A[i][3 * g + k / 3] * y->A[j][3 * g + k % 3] * C[k];
    }
  return sum;
}

// ∫ρ x
static void impulse(const swing *z, int b, const field *x, double out[3])
{
  const mw_body *body = &z->m->body[b];
  mw_mul33v(x->B, body->mX, out);
  for (int i = 0; i < 3; i++) out[i] += body->m * x->c[i];
  for (int j = 0; j < x->n; j++) {
    double s[3], As[3];
    for (size_t i = 0; i < 3; i++)
      s[i] = mw_dot(body->n_u, body->s + i * (size_t)body->n_u, elastic(z, b, j));
    mw_mul33v(x->A[j], s, As);
    for (int i = 0; i < 3; i++) out[i] += As[i];
  }
}

// ---- energies -----------------------------------------------------------------------------------

// (3), (5) of all bodies; third, fourth: derivatives of the potential of what acts at rest
static void inertia(const swing *z, double *e1, double *e2, double *third, double *fourth)
{
  const mw_model *model = z->m->model;
  *e1 = *e2 = *third = *fourth = 0.0;
  for (int b = 0; b < z->m->n_body; b++) {
    const mw_body *body = &z->m->body[b];
    field x[4];
    if (body->ground && body->n_u == 0) continue;
    fields_of(z, b, x);
    *e1 += 2.0 * product(z, b, &x[0], &x[1]);
    *e2 += product(z, b, &x[1], &x[1]) + product(z, b, &x[0], &x[2]);
    if (!body->gravity) continue;
    double g[3], p[3];
    mw_mul33tv(z->in->q->p + 12 * b + 3, model->gravity, g);
    impulse(z, b, &x[2], p);
    *third -= mw_dot3(g, p);
    impulse(z, b, &x[3], p);
    *fourth -= mw_dot3(g, p);
  }
  for (int k = 0; k < z->m->n_row; k++) {
    *third += z->in->preload[k] * z->of.third[k];
    *fourth += z->in->lambda[k] * z->of.fourth[k];
  }
}

// x := ω~y
static void turned(const double *omega, const field *y, field *x)
{
  double W[9];
  skew(1.0, omega, W);
  x->n = y->n;
  mw_mul33v(W, y->c, x->c);
  mw_mul33(W, y->B, x->B);
  for (int j = 0; j < y->n; j++) mw_mul33(W, y->A[j], x->A[j]);
}

// Velocity of body b, body axes [6], for a unit rate of coordinate i of the reduction
static const double *rate_of(const swing *z, int i, int b)
{
  return z->in->q->v + 6 * (i * z->m->n_body + b);
}

// What body b adds to (6), V_i in `rate` [n]
static void carry_body(const swing *z, int b, const int *rate, mw_swing_inertia *to)
{
  field x[4], V[MW_ROM_MAX_S], W[2][MW_ROM_MAX_S];
  int n = to->n;
  fields_of(z, b, x);
  for (int i = 0; i < n; i++) {
    const double *v = rate_of(z, rate[i], b);
    memset(&V[i], 0, sizeof V[i]);
    memcpy(V[i].c, v, sizeof V[i].c);
    skew(1.0, v + 3, V[i].B);
    for (int k = 0; k < 2; k++) turned(v + 3, &x[k], &W[k][i]);
    to->b[0][i] += product(z, b, &V[i], &x[0]);
    to->b[1][i] += product(z, b, &V[i], &x[1]);
    to->b[2][i] += 0.5 * (product(z, b, &V[i], &x[2]) + product(z, b, &W[0][i], &x[1]));
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      to->A[0][i * n + j] += product(z, b, &V[i], &V[j]);
      to->A[1][i * n + j] += product(z, b, &V[i], &W[0][j]) + product(z, b, &V[j], &W[0][i]);
      to->A[2][i * n + j] +=
          product(z, b, &W[0][i], &W[0][j]) +
          0.5 * (product(z, b, &V[i], &W[1][j]) + product(z, b, &V[j], &W[1][i]));
    }
}

// (6): e [2] of (3) and what of it is known, over the mass; rate [s]: of free coordinates with h'
static mw_code carry(const swing *z, double e[2], double known[2], double *rate, mw_error *err)
{
  mw_swing_inertia I = { 0 };
  int of[MW_ROM_MAX_S];
  double u[MW_ROM_MAX_S] = { 0.0 };
  memset(rate, 0, MW_ROM_MAX_S * sizeof *rate);
  known[0] = z->in->linear ? e[0] : 0.0;
  known[1] = 0.0;
  for (int i = 0; i < z->in->r->s; i++)
    if (z->in->free >> i & 1u) of[I.n++] = i;
  for (int b = 0; I.n > 0 && b < z->m->n_body; b++) carry_body(z, b, of, &I);
  mw_code rc = I.n > 0 ? mw_swing_carry(&I, z->in->quadratic, e, known, u, err) : MW_OK;
  for (int i = 0; i < I.n; i++) rate[of[i]] = -u[i];
  for (int k = 0; k < 2; k++) {
    e[k] /= z->in->mass;
    known[k] /= z->in->mass;
  }
  return rc;
}

// (4)
static double quartic(const swing *z)
{
  const mw_mech *m = z->m;
  size_t n = (size_t)z->z.n;
  double *w = z->f, *Kw = z->f + n, V = z->in->quartic;
  for (size_t i = 0; i < n; i++) w[i] = 0.5 * z->t.X[n + i];
  mw_system_mul_K_bodies(z->in->sys, w, Kw);
  V += mw_dot((int)n, z->in->b, w) + 0.5 * mw_dot((int)n, w, Kw);
  for (int j = 0; j < m->n_joint; j++)
    for (int i = 0; i < m->joint[j].n_row; i++) {
      double g = 0.5 * z->of.left[m->joint[j].row0 + i];
      if (m->joint[j].k && isfinite(m->joint[j].k[i])) V += 0.5 * m->joint[j].k[i] * g * g;
    }
  return V;
}

// Displacement of an output's point under x, body axes; Jz [18], of its frame
static void point_of(const swing *z, const mw_output_in *o, const field *x, double out[3])
{
  const mw_mech *m = z->m;
  int b = o->ref.body, zf = mw_mech_frame_z(m, o->ref);
  const double *p = z->in->q->p + 12 * b;
  double at[3], X[3], Jp[36], Jz[18];
  mw_mech_point(m, o->ref, o->x, p, NULL, at, Jp, Jz);
  for (int i = 0; i < 3; i++) at[i] -= p[i];
  mw_mul33tv(p + 3, at, X);
  mw_mul33v(x->B, X, out);
  for (int i = 0; i < 3; i++) out[i] += x->c[i];
  for (int j = 0; zf >= 0 && j < x->n; j++) {
    double zj[6] = { 0.0 }, d[3], v[3];
    const mw_body *body = &m->body[b];
    mw_csc_mul(&body->P, 1.0, elastic(z, b, j), 0.0, z->work);
    memcpy(zj, z->work + zf, sizeof zj);
    for (int i = 0; i < 3; i++) v[i] = mw_dot(6, Jz + 6 * i, zj);
    mw_mul33tv(p + 3, v, d);
    mw_mul33v(x->A[j], d, v);
    for (int i = 0; i < 3; i++) out[i] += v[i];
  }
}

// Displacements of the output that moves most, with free coordinates and without, and third order
// of all over the former; to->rate is there
static void outputs(const swing *z, mw_swing *to)
{
  const mw_model *model = z->m->model;
  double most = 0.0, third = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    double v[3];
    field x[4];
    if (mw_output_is_gauge(&model->output[o])) continue;
    fields_of(z, model->output[o].ref.body, x);
    point_of(z, &model->output[o], &x[0], v);
    to->bends = fmax(to->bends, mw_norm3(v));
    for (int i = 0; i < z->in->r->s; i++) {
      field V = { 0 };
      double with[3];
      memcpy(V.c, rate_of(z, i, model->output[o].ref.body), sizeof V.c);
      skew(1.0, rate_of(z, i, model->output[o].ref.body) + 3, V.B);
      point_of(z, &model->output[o], &V, with);
      mw_axpy(3, to->rate[i], with, v);
    }
    most = fmax(most, mw_norm3(v));
    point_of(z, &model->output[o], &x[2], v);
    third = fmax(third, mw_norm3(v) / 6.0);
  }
  to->moves = most;
  to->third = most > 0.0 ? third / most : 0.0;
}

// ---- what stays bent ----------------------------------------------------------------------------

// V := rates of body b for those of the coordinates
static void rates_of(const swing *z, int b, const double *rate, field *V)
{
  double v[6] = { 0.0 };
  for (int i = 0; rate && i < z->in->r->s; i++) mw_axpy(6, rate[i], rate_of(z, i, b), v);
  memset(V, 0, sizeof *V);
  memcpy(V->c, v, sizeof V->c);
  skew(1.0, v + 3, V->B);
}

// A_1, A_2, A_3 in A [4], b_2 of (7)
static void loads_of(const swing *z, double A[4], double *b2)
{
  memset(A, 0, 4 * sizeof *A);
  *b2 = 0.0;
  for (int b = 0; b < z->m->n_body; b++) {
    field x[4], V, W[3], a, Wa;
    fields_of(z, b, x);
    rates_of(z, b, z->in->rate, &V);
    rates_of(z, b, z->in->acceleration, &a);
    const double spin[3] = { V.B[7], V.B[2], V.B[3] }, turn[3] = { a.B[7], a.B[2], a.B[3] };
    for (int k = 0; k < 3; k++) turned(spin, &x[k], &W[k]);
    turned(turn, &x[0], &Wa);
    A[1] += 2.0 * product(z, b, &V, &W[0]);
    A[2] += product(z, b, &V, &W[1]) + product(z, b, &W[0], &W[0]);
    A[3] += product(z, b, &V, &W[2]) / 3.0 + product(z, b, &W[0], &W[1]);
    *b2 += 0.5 * (product(z, b, &a, &x[2]) + product(z, b, &Wa, &x[1]));
  }
}

// (7): what outputs err by, over what they move by, at in->amplitude
static double stays(const swing *z, double v1, double v2, double moves)
{
  const mw_model *model = z->m->model;
  double A[4], b2, h = z->in->amplitude, k = z->in->stiffness, worst = 0.0;
  loads_of(z, A, &b2);
  double force = (z->in->cubic ? 0.0 : 1.5 * A[3] * h * h) - (z->in->square ? 0.0 : b2 * h * h) -
                 k * (1.5 * v1 * h * h + 2.0 * v2 * h * h * h),
         off = force / fmax(k - A[2], SOFTEST * k);
  for (int o = 0; o < model->n_output; o++) {
    double d[3], third[3];
    field x[4];
    if (mw_output_is_gauge(&model->output[o])) continue;
    fields_of(z, model->output[o].ref.body, x);
    point_of(z, &model->output[o], &x[0], d);
    point_of(z, &model->output[o], &x[2], third);
    for (int i = 0; i < 3; i++) d[i] = off * d[i] + h * h * h / 6.0 * third[i];
    worst = fmax(worst, mw_norm3(d));
  }
  return moves > 0.0 && h != 0.0 ? worst / (moves * fabs(h)) : 0.0;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_code init(swing *z, mw_error *err)
{
  const mw_reduction *r = z->in->r;
  size_t n = (size_t)mw_blocks_size(z->bl), nb = (size_t)z->m->n_body, most = 2 * n;
  z->z = (mw_second){ .mech = z->m,
                      .blocks = z->bl,
                      .locked = r->locked,
                      .s = r->s,
                      .m = 1,
                      .n = (int)n,
                      .Psi = z->in->x };
  z->z.z = mw_arena_alloc(&z->mem, nb, sizeof *z->z.z);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) {
    const mw_body *body = &z->m->body[b];
    if (body->n_u > 0) z->z.z[b] = mw_arena_f64(&z->mem, (size_t)body->n_z);
    if ((size_t)body->n_z > most) most = (size_t)body->n_z;
  }
  z->u = mw_arena_f64(&z->mem, ORDERS * n);
  z->twist = mw_arena_f64(&z->mem, ORDERS * nb * 6);
  z->mass = mw_arena_f64(&z->mem, nb * ORDERS * ORDERS * 9);
  z->work = mw_arena_f64(&z->mem, most);
  z->f = mw_arena_f64(&z->mem, 2 * n);
  z->of = (mw_third_column){ .strained = z->in->strained,
                             .third = mw_arena_f64(&z->mem, (size_t)z->m->n_row),
                             .left = mw_arena_f64(&z->mem, (size_t)z->m->n_row),
                             .fourth = mw_arena_f64(&z->mem, (size_t)z->m->n_row) };
  return rc == MW_OK ? mw_arena_check(&z->mem, err) : rc;
}

// Products of the elastic parts of every two orders, which the inertia is made of many times over
static void mass_products(swing *z)
{
  for (int b = 0; b < z->m->n_body; b++) {
    const double *u[ORDERS] = { elastic(z, b, 0), elastic(z, b, 1), elastic(z, b, 2) };
    mw_body_mass_products(&z->m->body[b], ORDERS, u, z->mass + 9 * ORDERS * ORDERS * b, z->work);
  }
}

static mw_code results(swing *z, mw_swing *out, mw_error *err)
{
  size_t n = (size_t)z->z.n;
  double third, fourth, e[2];
  *out = (mw_swing){ 0 };
  memcpy(z->u, z->t.X, ORDERS * n * sizeof *z->u);
  for (size_t v = 0; v < ORDERS; v++)
    mw_second_split(z->bl, 1, z->u + v * n, z->twist + 6 * v * (size_t)z->m->n_body, z->work);
  mass_products(z);
  inertia(z, &e[0], &e[1], &third, &fourth);
  mw_code rc = carry(z, e, out->known, out->rate, err);
  out->e1 = e[0];
  out->e2 = e[1];
  out->v1 = third / 3.0 / z->in->stiffness;
  out->v2 = (2.0 * quartic(z) + fourth / 12.0) / z->in->stiffness;
  outputs(z, out);
  if (z->in->amplitude != 0.0) out->stays = stays(z, out->v1, out->v2, out->moves);
  return rc;
}

mw_code mw_swing_at(const mw_swing_in *in, mw_swing *out, mw_error *err)
{
  swing z = { .in = in, .m = in->r->full, .bl = mw_system_blocks(in->sys) };
  mw_code rc = init(&z, err);
  if (rc == MW_OK) rc = mw_third_init(&z.z, 1, &z.t, err);
  if (rc == MW_OK) rc = mw_third_build(&z.t, in->sys, in->q, &z.of, err);
  if (rc == MW_OK) rc = results(&z, out, err);
  mw_third_free(&z.t);
  mw_arena_free(&z.mem);
  return rc;
}

// (1) over h²
static double series(double e1, double e2, double v1, double v2)
{
  double alpha = v1 - 0.5 * e1, beta = v2 - 0.75 * e1 * v1 + 19.0 / 48.0 * e1 * e1 - e2 / 3.0;
  return 0.75 * beta - 15.0 / 16.0 * alpha * alpha;
}

double mw_swing_shift(const mw_swing *z)
{
  return series(z->e1, z->e2, z->v1, z->v2) - series(z->known[0], z->known[1], 0.0, 0.0);
}

double mw_swing_shift_about(const mw_swing *z, double h)
{
  double stiffness = 3.0 * z->v1 * h + 6.0 * z->v2 * h * h,
         mass = (z->e1 - z->known[0]) * h + (z->e2 - z->known[1]) * h * h;
  return 0.5 * (stiffness - mass);
}
