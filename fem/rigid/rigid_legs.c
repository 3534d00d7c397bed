// SPDX-License-Identifier: BSD-3-Clause
// rigid_legs.c: accelerations of a body P that stands on legs of three axes and a ball each, in
// closed form (Merlet, Parallel Robots, 2006, chapter 9), ground axes.
//
// A leg hangs on the ground by a universal joint at p, axes n1 fixed to the ground, n2 to its lower
// body L; its upper body U is on L by an axis n3, of a prismatic joint or, at e, a revolute one;
// its ball, d behind U's centre of mass, is c behind P's. With ρ from p to centres of mass, W the
// bodies' rates, α the accelerations about and along n1, n2, n3:
//   ω'_L = n1 α1 + n2 α2 + β ,  β = W_L × n2 (n2·W_L) ,  ȯ'_L = ω'_L × ρ_L + W_L × (W_L × ρ_L)  (1)
//   prismatic:  ω'_U = ω'_L ,  ṡ = n3·(ȯ_U − W_L × ρ_U) ,
//     ȯ'_U = ω'_U × ρ_U + W_L × (W_L × ρ_U) + 2 ṡ W_L × n3 + n3 α3                              (2)
//   revolute, ρ behind e:  ω'_U = ω'_L + W_L × W_U + n3 α3 ,
//     ȯ'_U = ω'_L × e + W_L × (W_L × e) + ω'_U × ρ + W_U × (W_U × ρ)                            (3)
//   x = ȯ'_U + ω'_U × d + W_U × (W_U × d) = T α + b                    acceleration of the ball (4)
// With H α + h = Tᵀ f the leg's equations, f the ball's force on it, columns of (1) to (3) in H:
//   f = K x + κ ,  K = T⁻ᵀ H T⁻¹ ,  κ = T⁻ᵀ h − K b                                             (5)
//   x = J a + g ,  J = [ 1  −c~ ] ,  g = W_P × (W_P × c) ,  a = (ȯ'_P, ω'_P) :
//   (M_P + Σ JᵀK J) a = w_P − Σ Jᵀ (K g + κ)                                                    (6)
// and back by (4), (1) to (3). A leg whose T is close to singular has no such form: elimination.
// (1) to (4) are the second derivatives of the rows of rigid_primitive.c where these and their
// rates vanish. Multipliers are owed, as in rigid_articulated.c.
#include <string.h>

#include "fem/joint.h"
#include "rigid_mech_layer.h"
#include "solve/eight_layer.h"

struct mw_rleg {
  int foot, lower, upper;  // slot of the ground's body, bodies
  bool slides, on_lower;   // n3: of a prismatic joint; fixed to the lower body (else to the upper)
  double Xf[3], Xl[3];     // m, p in axes of foot and lower body
  double n1[3], n2[3], n3[3];  // axes of foot, lower body, owner
  double Yl[3], Yu[3];         // m, e of a revolute joint in axes of lower, upper body
  double Zu[3], Zp[3];         // m, the ball in axes of upper body, P
};

typedef struct half {           // of a leg: one body
  double lin[3][3], ang[3][3];  // m, 1: columns of (1) to (3)
  double b[6];                  // m/s², rad/s²: what they have beyond those
} half;

struct mw_rleg_work {
  half lower, upper;
  double Ti[9], b[3];  // inverse of T, (4)
  double K[9], kappa[3];
  double c[3], g[3];  // (6)
};

// ---- which mechanisms ---------------------------------------------------------------------------

typedef struct joints {  // those of a body that are not balls at P
  int node[2], n;
} joints;

static mw_joint_kind kind_of(const mw_rigid *r, int node)
{
  return r->m->joint[r->node[node].joint].in->kind;
}

static bool is_part(const mw_rigid *r, int node)
{
  const mw_rnode *n = &r->node[node];
  if (n->joint < 0 || !n->plain) return false;
  switch (kind_of(r, node)) {
  case MW_JOINT_UNIVERSAL: return n->n == 4;
  case MW_JOINT_REVOLUTE:
  case MW_JOINT_PRISMATIC: return n->n == 5;
  case MW_JOINT_SPHERICAL: return n->n == 3;
  default: return false;
  }
}

// The joint of x that is not `node`, where x has two; −1
static int other(const joints *x, int node)
{
  if (x->n != 2) return -1;
  return x->node[0] == node ? x->node[1] : x->node[0];
}

// Across a joint from a slot: the other slot
static int across(const mw_rigid *r, int node, int slot)
{
  const mw_joint *j = &r->m->joint[r->node[node].joint];
  return r->slot[j->a] == slot ? r->slot[j->b] : r->slot[j->a];
}

// A point of the joint, and a column of its axes, in those of a slot
static void seen(const mw_rigid *r, const mw_joint *j, int slot, double X[3], double axis[3])
{
  bool on_a = r->slot[j->a] == slot;
  const double *F = on_a ? j->Fa : j->Fb, third[3] = { F[2], F[5], F[8] };
  mw_rigid_local(r, slot, on_a ? j->Xa : j->Xb, X);
  if (axis) mw_rigid_local_dir(r, slot, third, axis);
}

// The leg from its joint at the ground on; its platform, −1: it is none
static int leg_of(const mw_rigid *r, const joints *at, int foot, mw_rleg *l)
{
  const mw_joint *j = &r->m->joint[r->node[foot].joint];
  int nb = r->n.n_body, a = r->slot[j->a], b = r->slot[j->b];
  double unused[3];
  *l = (mw_rleg){ .foot = a < nb ? b : a, .lower = a < nb ? a : b };
  if (l->foot < nb) return -1;
  seen(r, j, l->foot, l->Xf, l->n1);
  seen(r, j, l->lower, l->Xl, l->n2);
  int middle = other(&at[l->lower], foot);
  if (middle < 0) return -1;
  l->slides = kind_of(r, middle) == MW_JOINT_PRISMATIC;
  if (!l->slides && kind_of(r, middle) != MW_JOINT_REVOLUTE) return -1;
  l->upper = across(r, middle, l->lower);
  if (l->upper >= nb) return -1;
  j = &r->m->joint[r->node[middle].joint];
  int owner = r->slot[l->slides ? j->a : j->b];
  l->on_lower = owner == l->lower;
  seen(r, j, owner, unused, l->n3);
  seen(r, j, l->lower, l->Yl, NULL);
  seen(r, j, l->upper, l->Yu, NULL);
  int ball = other(&at[l->upper], middle);
  if (ball < 0 || kind_of(r, ball) != MW_JOINT_SPHERICAL) return -1;
  int platform = across(r, ball, l->upper);
  if (platform >= nb) return -1;
  j = &r->m->joint[r->node[ball].joint];
  seen(r, j, l->upper, l->Zu, NULL);
  seen(r, j, platform, l->Zp, NULL);
  return platform;
}

// Joints of each body; false: one of them is none that legs have.
static bool list(const mw_rigid *r, joints *at)
{
  for (int i = 0; i < r->n_hard; i++) {
    if (!is_part(r, i)) return false;
    const mw_joint *j = &r->m->joint[r->node[i].joint];
    const int slot[2] = { r->slot[j->a], r->slot[j->b] };
    for (int k = 0; k < 2; k++) {
      if (slot[k] >= r->n.n_body) continue;
      joints *x = &at[slot[k]];
      if (x->n < 2) x->node[x->n] = i;
      x->n++;
    }
  }
  return true;
}

static bool find(mw_rigid *r, const joints *at)
{
  int n = 0, legs = r->n_hard / 3;
  for (int i = 0; i < r->n_hard; i++) {
    if (kind_of(r, i) != MW_JOINT_UNIVERSAL) continue;
    int platform = n < legs ? leg_of(r, at, i, &r->leg[n]) : -1;
    if (platform < 0 || (n > 0 && platform != r->platform)) return false;
    r->platform = platform;
    n++;
  }
  return n == legs;
}

mw_code mw_rigid_legs_build(mw_rigid *r, mw_error *err)
{
  int n = r->n_hard / 3;
  bool may = r->n_hard > 0 && r->n_hard == 3 * n && r->n.n_body == 2 * n + 1 && r->n_held == 0 &&
             r->n_friction == 0 && r->n_component == 0 && r->opt.part == 0 && !r->opt.assemblies &&
             !r->opt.eliminate;
  if (!may) return MW_OK;
  mw_arena tmp = { 0 };
  joints *at = mw_arena_alloc(&tmp, (size_t)r->n.n_body, sizeof *at);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && list(r, at)) {
    r->leg = mw_arena_alloc(&r->mem, (size_t)n, sizeof *r->leg);
    rc = mw_arena_check(&r->mem, err);
    if (rc == MW_OK && find(r, at)) r->n_leg = n;
  }
  mw_arena_free(&tmp);
  return rc;
}

int mw_rigid_leg_count(const mw_rigid *r) { return r->n_leg; }

mw_code mw_rigid_legs_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  if (r->n_leg == 0) return MW_OK;
  w->leg = mw_arena_alloc(&w->mem, (size_t)r->n_leg, sizeof *w->leg);
  mw_rigid_none_redundant(r, w);
  return mw_arena_check(&w->mem, err);
}

// ---- legs ---------------------------------------------------------------------------------------

// c += ω × (ω × x)
static inline void add_centripetal(const double w[3], const double x[3], double c[3])
{
  double t[3];
  mw_cross3(w, x, t);
  mw_cross3(w, t, t);
  for (int i = 0; i < 3; i++) c[i] += t[i];
}

// (1); p [3]: where the universal joint is; n: n1, n2
static inline void lower(const mw_rkin *L, const double p[3], double n[2][3], half *z)
{
  double rho[3], x[3], rate = mw_dot3(n[1], L->W);
  for (int i = 0; i < 3; i++) rho[i] = L->o[i] - p[i];
  mw_cross3(L->W, n[1], x);
  for (int i = 0; i < 3; i++) z->b[3 + i] = rate * x[i];
  for (int k = 0; k < 2; k++) {
    memcpy(z->ang[k], n[k], sizeof z->ang[k]);
    mw_cross3(n[k], rho, z->lin[k]);
  }
  mw_cross3(z->b + 3, rho, z->b);
  add_centripetal(L->W, rho, z->b);
}

// (2)
static inline void sliding(const mw_rkin *L, const mw_rkin *U, const double p[3],
                           const double n3[3], const half *low, half *z)
{
  double rho[3], x[3], rate[3];
  for (int i = 0; i < 3; i++) rho[i] = U->o[i] - p[i];
  mw_cross3(L->W, rho, x);
  for (int i = 0; i < 3; i++) rate[i] = U->v[i] - x[i];
  double twice = 2.0 * mw_dot3(n3, rate);
  for (int k = 0; k < 2; k++) {
    memcpy(z->ang[k], low->ang[k], sizeof z->ang[k]);
    mw_cross3(low->ang[k], rho, z->lin[k]);
  }
  memcpy(z->lin[2], n3, sizeof z->lin[2]);
  memset(z->ang[2], 0, sizeof z->ang[2]);
  memcpy(z->b + 3, low->b + 3, 3 * sizeof(double));
  mw_cross3(z->b + 3, rho, z->b);
  add_centripetal(L->W, rho, z->b);
  mw_cross3(L->W, n3, x);
  for (int i = 0; i < 3; i++) z->b[i] += twice * x[i];
}

// (3)
static inline void turning(const mw_rleg *l, const mw_rkin *L, const mw_rkin *U, const double p[3],
                           const double n3[3], const half *low, half *z)
{
  double e[3], rho[3], x[3];
  mw_mul33v(L->E, l->Yl, e);
  mw_mul33v(U->E, l->Yu, rho);
  for (int i = 0; i < 3; i++) {
    e[i] += L->o[i] - p[i];
    rho[i] = -rho[i];
  }
  mw_cross3(L->W, U->W, x);
  for (int i = 0; i < 3; i++) z->b[3 + i] = low->b[3 + i] + x[i];
  for (int k = 0; k < 2; k++) {
    double both[3] = { e[0] + rho[0], e[1] + rho[1], e[2] + rho[2] };
    memcpy(z->ang[k], low->ang[k], sizeof z->ang[k]);
    mw_cross3(low->ang[k], both, z->lin[k]);
  }
  memcpy(z->ang[2], n3, sizeof z->ang[2]);
  mw_cross3(n3, rho, z->lin[2]);
  mw_cross3(low->b + 3, e, z->b);
  mw_cross3(z->b + 3, rho, x);
  for (int i = 0; i < 3; i++) z->b[i] += x[i];
  add_centripetal(L->W, e, z->b);
  add_centripetal(U->W, rho, z->b);
}

// (4): b and the inverse of T; false: T is close to singular
static inline bool ball(const mw_rleg *l, const mw_rkin *U, mw_rleg_work *z)
{
  // of the product of T's columns: in K of (5) roundings grow by 1/LEAST² at most, to 2e-12
  static const double LEAST = 1e-2;
  const half *u = &z->upper;
  double d[3], T[3][3], x[3], rows[3][3], size = 1.0;
  mw_mul33v(U->E, l->Zu, d);
  for (int k = 0; k < 3; k++) {
    mw_cross3(u->ang[k], d, x);
    for (int i = 0; i < 3; i++) T[k][i] = u->lin[k][i] + x[i];
    size *= mw_dot3(T[k], T[k]);
  }
  mw_cross3(u->b + 3, d, x);
  for (int i = 0; i < 3; i++) z->b[i] = u->b[i] + x[i];
  add_centripetal(U->W, d, z->b);
  mw_cross3(T[1], T[2], rows[0]);
  mw_cross3(T[2], T[0], rows[1]);
  mw_cross3(T[0], T[1], rows[2]);
  double det = mw_dot3(T[0], rows[0]);
  if (!(det * det > LEAST * LEAST * size)) return false;
  double over = 1.0 / det;
  for (int i = 0; i < 9; i++) z->Ti[i] = rows[i / 3][i % 3] * over;
  return true;
}

// H, h of (5) += those of one body, m: its masses, f: what acts on it, its axes. n: columns
static inline void add_body(const mw_rkin *k, const double *m, const double *f, const half *z,
                            int n, double H[9], double h[3])
{
  double ang[3][3], F[3], t[3], beta[3];
  mw_mul33v(k->E, f, F);
  mw_mul33tv(k->E, z->b + 3, beta);
  for (int i = 0; i < 3; i++) {
    F[i] = m[0] * z->b[i] - F[i];
    t[i] = m[3 + i] * beta[i] - f[3 + i];
  }
  for (int c = 0; c < n; c++) {
    double heavy[3];
    mw_mul33tv(k->E, z->ang[c], ang[c]);
    h[c] += mw_dot3(z->lin[c], F) + mw_dot3(ang[c], t);
    for (int i = 0; i < 3; i++) heavy[i] = m[3 + i] * ang[c][i];
    for (int e = 0; e <= c; e++)
      H[3 * c + e] += m[0] * mw_dot3(z->lin[c], z->lin[e]) + mw_dot3(heavy, ang[e]);
  }
}

// (1) to (5); false: no such form
static inline bool condense(const mw_rigid *r, const mw_rigid_work *w, const mw_rleg *l,
                            mw_rleg_work *z)
{
  const mw_rkin *L = &w->kin[l->lower], *U = &w->kin[l->upper], *f = &w->kin[l->foot];
  double p[3], n[2][3], n3[3], H[9] = { 0.0 }, h[3] = { 0.0 }, G[9], x[3];
  mw_mul33v(f->E, l->Xf, p);
  for (int i = 0; i < 3; i++) p[i] += f->o[i];
  mw_mul33v(f->E, l->n1, n[0]);
  mw_mul33v(L->E, l->n2, n[1]);
  mw_mul33v(l->on_lower ? L->E : U->E, l->n3, n3);
  lower(L, p, n, &z->lower);
  if (l->slides)
    sliding(L, U, p, n3, &z->lower, &z->upper);
  else
    turning(l, L, U, p, n3, &z->lower, &z->upper);
  if (!ball(l, U, z)) return false;
  add_body(L, r->diag + l->lower * LD, w->sol + l->lower * LD, &z->lower, 2, H, h);
  add_body(U, r->diag + l->upper * LD, w->sol + l->upper * LD, &z->upper, 3, H, h);
  H[1] = H[3];
  H[2] = H[6];
  H[5] = H[7];
  mw_mul33(H, z->Ti, G);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      z->K[3 * i + j] = z->K[3 * j + i] =
          z->Ti[i] * G[j] + z->Ti[3 + i] * G[3 + j] + z->Ti[6 + i] * G[6 + j];
  mw_mul33tv(z->Ti, h, z->kappa);
  mw_mul33v(z->K, z->b, x);
  for (int i = 0; i < 3; i++) z->kappa[i] -= x[i];
  return true;
}

// ---- the body on them ---------------------------------------------------------------------------

// Its own part of (6), lower triangle
static inline void start(const mw_rkin *k, const double *m, const double *f, double A[6][6],
                         double e[6])
{
  double EI[9];
  const double *E = k->E;
  memset(A, 0, 36 * sizeof(double));
  for (int i = 0; i < 9; i++) EI[i] = E[i] * m[3 + i % 3];
  for (int i = 0; i < 3; i++) {
    A[i][i] = m[0];
    for (int j = 0; j <= i; j++) A[3 + i][3 + j] = mw_dot3(EI + 3 * i, E + 3 * j);
  }
  mw_mul33v(E, f, e);
  mw_mul33v(E, f + 3, e + 3);
}

// A leg's part of (6)
static inline void stand(const mw_rleg *l, const mw_rkin *P, mw_rleg_work *z, double A[6][6],
                         double e[6])
{
  double f[3], t[3], M[9], x[3];
  const double *c = z->c, *K = z->K;
  mw_mul33v(P->E, l->Zp, z->c);
  memset(z->g, 0, sizeof z->g);
  add_centripetal(P->W, c, z->g);
  mw_mul33v(K, z->g, f);
  for (int i = 0; i < 3; i++) f[i] += z->kappa[i];
  mw_cross3(c, f, t);
  for (int i = 0; i < 3; i++) {
    e[i] -= f[i];
    e[3 + i] -= t[i];
    mw_cross3(c, K + 3 * i, M + 3 * i);  // a row of −K c~
    for (int j = 0; j <= i; j++) A[i][j] += K[3 * i + j];
    for (int j = 0; j < 3; j++) A[3 + j][i] += M[3 * i + j];
  }
  for (int j = 0; j < 3; j++) {
    const double column[3] = { M[j], M[3 + j], M[6 + j] };
    mw_cross3(c, column, x);
    for (int i = j; i < 3; i++) A[3 + i][3 + j] += x[i];
  }
}

// e := A⁻¹ e by L D Lᵀ; false: A is not positive
static inline bool solve(double A[6][6], double e[6])
{
  double over[6];
  MW_UNROLL for (int k = 0; k < 6; k++)
  {
    if (!(A[k][k] > 0.0)) return false;
    over[k] = 1.0 / A[k][k];
    MW_UNROLL for (int i = k + 1; i < 6; i++)
    {
      double f = A[i][k] * over[k];
      MW_UNROLL for (int j = k + 1; j <= i; j++) A[i][j] -= f * A[j][k];
      e[i] -= f * e[k];
    }
  }
  MW_UNROLL for (int k = 5; k >= 0; k--)
  {
    MW_UNROLL for (int i = k + 1; i < 6; i++) e[k] -= A[i][k] * e[i];
    e[k] *= over[k];
  }
  return true;
}

// ---- accelerations ------------------------------------------------------------------------------

// (1) to (3) of one body in natural coordinates
static inline double body(const mw_rkin *k, const half *z, const double alpha[3], int n, double *a)
{
  double x[6];
  memcpy(x, z->b, sizeof x);
  for (int c = 0; c < n; c++)
    for (int i = 0; i < 3; i++) {
      x[i] += z->lin[c][i] * alpha[c];
      x[3 + i] += z->ang[c][i] * alpha[c];
    }
  return mw_rnatural(k, x, a);
}

static inline double leg(const mw_rigid_work *w, const mw_rleg *l, const mw_rleg_work *z,
                         const double ap[6], double *a)
{
  double x[3], alpha[3];
  mw_cross3(ap + 3, z->c, x);
  for (int i = 0; i < 3; i++) x[i] += ap[i] + z->g[i] - z->b[i];
  mw_mul33v(z->Ti, x, alpha);
  return body(&w->kin[l->lower], &z->lower, alpha, 2, a + 12 * l->lower) +
         body(&w->kin[l->upper], &z->upper, alpha, 3, a + 12 * l->upper);
}

bool mw_rigid_legs(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v, double *a,
                   double *sum)
{
  const mw_rkin *P = &w->kin[r->platform];
  const double *f = w->sol + r->platform * LD;
  double A[6][6], e[6];
  for (int b = 0; r->lean && b < r->n.n_body; b++)
    mw_rigid_start_body(r, w, b, q, v, w->sol + b * LD);
  start(P, r->diag + r->platform * LD, f, A, e);
  for (int k = 0; k < r->n_leg; k++) {
    if (!condense(r, w, &r->leg[k], &w->leg[k])) return false;
    stand(&r->leg[k], P, &w->leg[k], A, e);
  }
  if (!solve(A, e)) return false;
  *sum = mw_rnatural(P, e, a + 12 * r->platform);
  for (int k = 0; k < r->n_leg; k++) *sum += leg(w, &r->leg[k], &w->leg[k], e, a);
  mw_rigid_owe(r, w, a);
  return true;
}
