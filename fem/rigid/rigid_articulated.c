// SPDX-License-Identifier: BSD-3-Clause
// rigid_articulated.c: accelerations of trees of revolute and prismatic joints by the recursion of
// articulated bodies (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3), in ground
// axes at the centres of mass, a = (ȯ', ω').
//
// A body C hangs on P, the ground or another body, by one joint; ρ its point as seen from either
// centre of mass, n the axis:
//   ω'_C = ω'_P + β + n α ,  β = ω_P × ω_C                    α: of a revolute joint, else 0    (1)
//   ȯ'_C + ω'_C × ρ_C = ȯ'_P + ω'_P × ρ_P + κ + n α           α: of a prismatic joint, else 0   (2)
//   a_C = X a_P + ζ + S α ,  X = [ 1  −d~ ; 0  1 ] ,  d = ρ_P − ρ_C ,  ζ = (κ − β × ρ_C, β)     (3)
//   revolute:  κ = ω_P × (ω_P × ρ_P) − ω_C × (ω_C × ρ_C) ,  S = (ρ_C × n, n)
//   prismatic, δ = x_b − x_a behind ρ_a:  S = (n, 0) ,
//     κ = ±[ ω_a × (ω_a × (ρ_a − δ)) − ω_b × (ω_b × ρ_b) + 2 ω_a × δ' ]   +: b hangs on a       (4)
// From the leaves, A and e = −p what a body and those on it have of inertia and of forces:
//   U = A S ,  D = SᵀU ,  s = Sᵀe ,  A ← A − U Uᵀ/D ,  e ← e − U s/D + A ζ                      (5)
//   A_P += XᵀA X ,  e_P += Xᵀe                                                                  (6)
// and back:  α = −(s + Uᵀ(X a_P + ζ))/D , (3).                                                  (7)
// (1), (2) are the second derivatives of the rows of rigid_primitive.c where these and their rates
// vanish. Multipliers are not found: mw_rigid_articulated_reactions eliminates once they are asked
// for.
#include <string.h>

#include "fem/joint.h"
#include "rigid_mech_layer.h"
#include "solve/eight_layer.h"

struct mw_rlink {
  int body, parent;     // parent: slot
  bool slides, on_a;    // on_a: body is the joint's a
  double Xc[3], Xp[3];  // m, the joint's point in principal axes of body and parent
  double axis[3];       // in the axes of its owner: a revolute joint's b, a prismatic one's a
};

struct mw_rarm {
  double A[6][LD];  // (5)  lanes 0 … 5
  double e[LD], U[LD], S[LD], zeta[LD];
  double d[LD];                 // lanes 3 … 5
  double a[LD];                 // (3)
  double s, over_D, unused[6];  // unused: to a whole number of lines of the cache
};

// ---- which mechanisms ---------------------------------------------------------------------------

static bool is_link(const mw_rigid *r, int node)
{
  const mw_rnode *n = &r->node[node];
  if (n->joint < 0 || !n->plain || n->n != 5) return false;
  mw_joint_kind kind = r->m->joint[n->joint].in->kind;
  return kind == MW_JOINT_REVOLUTE || kind == MW_JOINT_PRISMATIC;
}

static void column(const double F[9], int i, double out[3])
{
  for (int k = 0; k < 3; k++) out[k] = F[3 * k + i];
}

static mw_rlink link_of(const mw_rigid *r, const mw_joint *j, int body)
{
  int sa = r->slot[j->a], sb = r->slot[j->b];
  bool slides = j->in->kind == MW_JOINT_PRISMATIC, on_a = body == sa;
  mw_rlink l = { .body = body, .parent = on_a ? sb : sa, .slides = slides, .on_a = on_a };
  double x[3];
  mw_rigid_local(r, sa, j->Xa, on_a ? l.Xc : l.Xp);
  mw_rigid_local(r, sb, j->Xb, on_a ? l.Xp : l.Xc);
  column(slides ? j->Fa : j->Fb, 2, x);
  mw_rigid_local_dir(r, slides ? sa : sb, x, l.axis);
  return l;
}

// Joints by the slots that they are at: lists of node · 2 + side.
typedef struct lists {
  int *first, *next;  // [n_slot], [2 n_hard]  −1: none
  int *queue;         // [n_slot]  slots that are reached
  unsigned char *reached;
} lists;

static mw_code list(const mw_rigid *r, mw_arena *tmp, lists *z, mw_error *err)
{
  size_t slots = (size_t)r->n_slot;
  *z = (lists){ .first = mw_arena_int(tmp, slots), .next = mw_arena_int(tmp, 2 * slots) };
  z->queue = mw_arena_int(tmp, slots);
  z->reached = mw_arena_alloc(tmp, slots, 1);
  mw_code rc = mw_arena_check(tmp, err);
  for (int s = 0; rc == MW_OK && s < r->n_slot; s++) z->first[s] = -1;
  for (int i = r->n_hard - 1; rc == MW_OK && i >= 0; i--) {
    const mw_joint *j = &r->m->joint[r->node[i].joint];
    const int slot[2] = { r->slot[j->a], r->slot[j->b] };
    for (int side = 0; side < 2; side++) {
      z->next[2 * i + side] = z->first[slot[side]];
      z->first[slot[side]] = 2 * i + side;
    }
  }
  return rc;
}

// Links in the order in which bodies are reached from the ground; their number.
static int grow(mw_rigid *r, lists *z)
{
  int n = 0, end = 0;
  for (int s = r->n.n_body; s < r->n_slot; s++) {
    z->queue[end++] = s;
    z->reached[s] = 1;
  }
  for (int at = 0; at < end; at++)
    for (int k = z->first[z->queue[at]]; k >= 0; k = z->next[k]) {
      const mw_joint *j = &r->m->joint[r->node[k / 2].joint];
      int body = r->slot[k % 2 == 0 ? j->b : j->a];
      if (z->reached[body]) continue;
      z->reached[body] = 1;
      z->queue[end++] = body;
      r->link[n++] = link_of(r, j, body);
    }
  return n;
}

mw_code mw_rigid_articulated_build(mw_rigid *r, mw_error *err)
{
  bool tree = r->n.n_body > 0 && r->n_hard == r->n.n_body && r->n_held == 0 && r->n_friction == 0 &&
              r->n_component == 0 && r->opt.part == 0 && !r->opt.assemblies && !r->opt.eliminate;
  for (int i = 0; tree && i < r->n_hard; i++) tree = is_link(r, i);
  if (!tree) return MW_OK;
  mw_arena tmp = { 0 };
  lists z;
  r->link = mw_arena_alloc(&r->mem, (size_t)r->n.n_body, sizeof *r->link);
  mw_code rc = mw_arena_check(&r->mem, err);
  if (rc == MW_OK) rc = list(r, &tmp, &z, err);
  if (rc == MW_OK && grow(r, &z) < r->n.n_body) r->link = NULL;  // a loop, and a body without joint
  mw_arena_free(&tmp);
  return rc;
}

bool mw_rigid_articulates(const mw_rigid *r) { return r->link != NULL; }

void mw_rigid_none_redundant(const mw_rigid *r, mw_rigid_work *w)
{
  for (int i = 0; i < r->hard.n_node * LD; i++) w->hard.inv[i] = 1.0;
}

mw_code mw_rigid_articulated_work(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  if (!r->link) return MW_OK;
  w->arm = mw_arena_alloc(&w->mem, (size_t)r->n.n_body, sizeof *w->arm);
  mw_rigid_none_redundant(r, w);
  return mw_arena_check(&w->mem, err);
}

// ---- bodies and joints --------------------------------------------------------------------------

// A row of six, the others zero.
static inline void put_row(double *row, int at, double x, double y, double z)
{
  const mw_eight v = { at == 0 ? x : 0.0,
                       at == 0 ? y : 0.0,
                       at == 0 ? z : 0.0,
                       at == 3 ? x : 0.0,
                       at == 3 ? y : 0.0,
                       at == 3 ? z : 0.0,
                       0.0,
                       0.0 };
  mw_eight_put(row, &v);
}

// A and e of the body alone; f: what acts on it, its axes, NULL: its weight and −ω × Iω
static inline void start(const mw_rigid *r, const mw_rkin *k, int b, const double *f, mw_rarm *z)
{
  const double *m = r->diag + b * LD, *E = k->E, *g = r->m->model->gravity;
  double I[9], EI[9], p[6], L[3];
  for (int i = 0; i < 9; i++) EI[i] = E[i] * m[3 + i % 3];
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) I[3 * i + j] = I[3 * j + i] = mw_dot3(EI + 3 * i, E + 3 * j);
  if (f) {
    mw_mul33v(E, f, p);
    mw_mul33v(E, f + 3, p + 3);
  } else {
    for (int i = 0; i < 3; i++) p[i] = m[MW_WEIGHT] * g[i];
    mw_mul33v(I, k->W, L);
    mw_cross3(L, k->W, p + 3);
  }
  put_row(z->A[0], 0, m[0], 0.0, 0.0);
  put_row(z->A[1], 0, 0.0, m[0], 0.0);
  put_row(z->A[2], 0, 0.0, 0.0, m[0]);
  for (int i = 0; i < 3; i++) put_row(z->A[3 + i], 3, I[3 * i], I[3 * i + 1], I[3 * i + 2]);
  const mw_eight e = { -p[0], -p[1], -p[2], -p[3], -p[4], -p[5], 0.0, 0.0 };
  mw_eight_put(z->e, &e);
}

// c := ω × (ω × x)
static inline void centripetal(const double w[3], const double x[3], double c[3])
{
  mw_cross3(w, x, c);
  mw_cross3(w, c, c);
}

// (4), ρ of the body or of its parent, the joint's a, drawn out by δ
static inline void slide(const mw_rlink *l, const mw_rkin *C, const mw_rkin *P, double *rc,
                         double *rp, double kappa[3])
{
  const mw_rkin *a = l->on_a ? C : P, *b = l->on_a ? P : C;
  double *ra = l->on_a ? rc : rp, *rb = l->on_a ? rp : rc, back[3], delta[3], rate[3], x[3], y[3];
  mw_cross3(a->W, ra, x);
  mw_cross3(b->W, rb, y);
  for (int i = 0; i < 3; i++) {
    delta[i] = b->o[i] + rb[i] - a->o[i] - ra[i];
    rate[i] = b->v[i] + y[i] - a->v[i] - x[i];
    back[i] = ra[i] - delta[i];
    ra[i] += delta[i];
  }
  centripetal(a->W, back, x);
  centripetal(b->W, rb, y);
  mw_cross3(a->W, rate, back);
  for (int i = 0; i < 3; i++) {
    kappa[i] = x[i] - y[i] + 2.0 * back[i];
    if (l->on_a) kappa[i] = -kappa[i];
  }
}

// (1) to (4)
static inline void joint(const mw_rlink *l, const mw_rkin *C, const mw_rkin *P, mw_rarm *z)
{
  const mw_rkin *owner = l->slides == l->on_a ? C : P;
  double n[3], rc[3], rp[3], kappa[3], x[3], y[3], beta[3];
  mw_mul33v(owner->E, l->axis, n);
  mw_mul33v(C->E, l->Xc, rc);
  mw_mul33v(P->E, l->Xp, rp);
  mw_cross3(P->W, C->W, beta);
  if (l->slides) {
    slide(l, C, P, rc, rp, kappa);
    memcpy(z->S, n, sizeof n);
    memset(z->S + 3, 0, sizeof n);
  } else {
    centripetal(P->W, rp, x);
    centripetal(C->W, rc, y);
    for (int i = 0; i < 3; i++) kappa[i] = x[i] - y[i];
    mw_cross3(rc, n, z->S);
    memcpy(z->S + 3, n, sizeof n);
  }
  mw_cross3(beta, rc, x);
  for (int i = 0; i < 3; i++) {
    z->zeta[i] = kappa[i] - x[i];
    z->zeta[3 + i] = beta[i];
    z->d[3 + i] = rp[i] - rc[i];
  }
}

// ---- the recursion ------------------------------------------------------------------------------

#define INLINE static inline __attribute__((always_inline))

// Σ x_i R_i over six rows, by two sums.
INLINE void combine(const mw_eight R[6], const double *x, mw_eight *out)
{
  mw_eight even = R[0] * x[0], odd = R[1] * x[1];
  even += R[2] * x[2];
  odd += R[3] * x[3];
  even += R[4] * x[4];
  odd += R[5] * x[5];
  *out = even + odd;
}

static inline double dot6(const double *x, const double *y)
{
  return (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + (x[3] * y[3] + x[4] * y[4] + x[5] * y[5]);
}

// (5)
INLINE void reduce(mw_rarm *z, mw_eight R[6], mw_eight *e)
{
  mw_eight U, t;
  combine(R, z->S, &U);
  mw_eight_put(z->U, &U);
  z->s = dot6(z->S, z->e);
  z->over_D = 1.0 / dot6(z->S, z->U);
  t = U * z->over_D;
  MW_UNROLL for (int i = 0; i < 6; i++) R[i] -= t * z->U[i];
  *e -= t * z->s;
  combine(R, z->zeta, &t);
  *e += t;
}

// Lanes 3 … 5 of a row x: − x × d
INLINE void shift(mw_eight *x, const mw_eight *d1, const mw_eight *d2)
{
  *x += __builtin_shufflevector(*x, *x, 0, 1, 2, 2, 0, 1, 6, 7) * *d2 -
        __builtin_shufflevector(*x, *x, 0, 1, 2, 1, 2, 0, 6, 7) * *d1;
}

// (6)
INLINE void hand_over(const mw_rarm *z, mw_eight R[6], mw_eight *e, mw_rarm *to)
{
  mw_eight d, d1, d2, t;
  mw_eight_get(z->d, &d);
  d1 = __builtin_shufflevector(d, d, 0, 0, 0, 5, 3, 4, 0, 0);
  d2 = __builtin_shufflevector(d, d, 0, 0, 0, 4, 5, 3, 0, 0);
  R[3] += R[2] * z->d[4] - R[1] * z->d[5];
  R[4] += R[0] * z->d[5] - R[2] * z->d[3];
  R[5] += R[1] * z->d[3] - R[0] * z->d[4];
  MW_UNROLL for (int i = 0; i < 6; i++)
  {
    shift(&R[i], &d1, &d2);
    mw_eight_get(to->A[i], &t);
    t += R[i];
    mw_eight_put(to->A[i], &t);
  }
  shift(e, &d1, &d2);
  mw_eight_get(to->e, &t);
  t += *e;
  mw_eight_put(to->e, &t);
}

static void from_leaves(const mw_rigid *r, mw_rarm *arm)
{
  for (int i = r->n.n_body - 1; i >= 0; i--) {
    const mw_rlink *l = &r->link[i];
    mw_rarm *z = &arm[l->body];
    mw_eight R[6], e;
    MW_UNROLL for (int k = 0; k < 6; k++) mw_eight_get(z->A[k], &R[k]);
    mw_eight_get(z->e, &e);
    reduce(z, R, &e);
    if (l->parent < r->n.n_body) hand_over(z, R, &e, &arm[l->parent]);
  }
}

// (7), and a of the body in natural coordinates, (2) of rigid_state.c; returns 0, or what is not a
// number
static inline double accelerate(const mw_rkin *k, const double *ap, mw_rarm *z, double *out)
{
  const double *d = z->d + 3;
  double x[3], a[6];
  mw_cross3(d, ap + 3, x);
  for (int i = 0; i < 3; i++) {
    a[i] = ap[i] - x[i] + z->zeta[i];
    a[3 + i] = ap[3 + i] + z->zeta[3 + i];
  }
  double alpha = -(z->s + dot6(z->U, a)) * z->over_D;
  for (int i = 0; i < 6; i++) z->a[i] = a[i] + z->S[i] * alpha;
  return mw_rnatural(k, z->a, out);
}

double mw_rigid_articulated(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v,
                            double *a)
{
  static const double still[6] = { 0.0 };
  int nb = r->n.n_body;
  double sum = 0.0;
  for (int i = 0; i < nb; i++) {
    const mw_rlink *l = &r->link[i];
    if (r->lean) mw_rigid_kin_body(w, l->body, q, v);
    start(r, &w->kin[l->body], l->body, r->lean ? NULL : w->sol + l->body * LD, &w->arm[l->body]);
    joint(l, &w->kin[l->body], &w->kin[l->parent], &w->arm[l->body]);
  }
  from_leaves(r, w->arm);
  for (int i = 0; i < nb; i++) {
    const mw_rlink *l = &r->link[i];
    const double *above = l->parent < nb ? w->arm[l->parent].a : still;
    sum += accelerate(&w->kin[l->body], above, &w->arm[l->body], a + 12 * l->body);
  }
  mw_rigid_owe(r, w, a);
  return sum;
}

void mw_rigid_owe(const mw_rigid *r, mw_rigid_work *w, double *a)
{
  int nb = r->n.n_body;
  for (int k = 0; k < r->n.n_rotor; k++)
    a[12 * nb + k] = w->sol[(nb + k) * LD] * r->inverse[(nb + k) * LD];
  w->factored = 0;
  w->owed = true;
}

// ---- reactions ----------------------------------------------------------------------------------

mw_code mw_rigid_articulated_reactions(const mw_rigid *r, mw_rigid_work *w, mw_error *err)
{
  int nb = r->n.n_body, first = nb + r->n.n_rotor;
  mw_rigid_eval(r, w, 0.0, NULL, 0, r->n_hard);  // of joints: at any time, without rotors
  mw_code rc = mw_rigid_factor(r, w, 0.0, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; r->lean && b < nb; b++) mw_rigid_weight(r, &w->kin[b], b, true, w->sol + b * LD);
  memcpy(w->sol + first * LD, w->gamma, (size_t)r->n_hard * LD * sizeof(double));
  mw_rigid_solve(r, w, w->sol);
  w->owed = false;
  return MW_OK;
}
