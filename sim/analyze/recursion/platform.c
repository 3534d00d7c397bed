// SPDX-License-Identifier: BSD-3-Clause
// platform.c: drive forces of a platform on legs, each of three axes and a ball.
//
// About the platform's origin O, in ground axes: axes S = (s, v) with v = o × s, or (0, s) of a
// slide; motions V = (ω, v_O), accelerations A = (ω', a_O − ω × v_O) (Featherstone, Rigid Body
// Dynamics Algorithms, 2008, chapter 2):
//   V = Σ S φ' ,  A = Σ S φ'' + V₀ × S φ' ,  V × S = (ω × s, ω × v + v_O × s)                  (1)
//   at x:  v = v_O + ω × x ,  a = a_O + ω' × x + ω × v                                         (2)
//   J = (s × (p − o) | s):  φ' = J⁻¹ v_p ,  φ'' = J⁻¹ (a_p − a_p(φ'' = 0)) ,  p the ball       (3)
//   f = m (a_c − g) ,  n = I ω' + ω × I ω + c × f ,  Q = S·(n, f) of all bodies behind         (4)
//   F = J⁻ᵀ (Q + d φ' − e τ)        on the leg at the ball, e the axis that is driven          (5)
//   Σ (p × d, d) τ = W + Σ (p × F₀, F₀) ,  d = J⁻ᵀ e ,  F₀ = J⁻ᵀ (Q + d φ')                     (6)
// τ of least norm by the 6 × 6 matrix of (6). Cost: some 900 operations a leg of two bodies.
#include "sim/platform.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

enum { AXES = 3, SIDE = 6, MOST = 64 };  // MOST legs

typedef struct axis {
  int body;     // whose axes these are
  double s[3];  // unit, in them, along the way of φ from the ground on
  double X[3];  // a point of it
  bool slides;
  int link;  // bodies 0 … link − 1 of the leg are before it
  double damping;
} axis;

typedef struct leg {
  axis axis[AXES];
  int n_link, link[AXES];  // bodies
  double tip[3];           // the ball, in the last one's axes
  int driven, drive;       // axis and drive
  double sign;             // of the drive's coordinate
} leg;

struct mw_platform {
  int n_drive, n_leg, body;
  const mw_mech *m;
  leg *leg;  // [n_leg]
  double g[3];
  double *I;  // [n_body × 9]  about the centre, in its axes
  double *c;  // [n_body × 3]  centre
};

// ---- building -----------------------------------------------------------------------------------

static mw_code refuse(const mw_mech *m, const char *what, const char *name, mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
                 "%s %s: expected a platform on legs of three axes, revolute, prismatic or "
                 "universal, one of them driven, and a ball each; rigid bodies, weight, dampers of "
                 "coordinates",
                 what, name);
}

static mw_code check(const mw_mech *m, mw_error *err)
{
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0) return refuse(m, "elastic body", m->body[b].name, err);
  for (int j = 0; j < m->n_joint; j++)
    if (m->joint[j].in->has_law || m->joint[j].in->friction.present)
      return refuse(m, "friction, stops or play of joint", m->joint[j].in->name, err);
  for (int d = 0; d < m->model->n_drive; d++)
    if (m->model->drive[d].rotor) return refuse(m, "rotor of drive", m->model->drive[d].name, err);
  if (m->model->n_component > 0) return refuse(m, "component", m->model->component[0].name, err);
  if (m->model->n_force > 0) return refuse(m, "force of", m->model->name, err);
  return MW_OK;
}

// The body with most balls
static int find_platform(const mw_mech *m)
{
  int best = -1, most = 0;
  for (int b = 0; b < m->n_body; b++) {
    int n = 0;
    for (int j = 0; j < m->n_joint; j++)
      n += m->joint[j].in->kind == MW_JOINT_SPHERICAL && (m->joint[j].a == b || m->joint[j].b == b);
    if (n > most && !m->body[b].ground) most = n, best = b;
  }
  return best;
}

// Centre and inertia about it
static void inertia(const mw_body *b, double *c, double *I)
{
  double trace = 0.0, J[9];
  for (int i = 0; i < 3; i++) c[i] = b->m > 0.0 ? b->mX[i] / b->m : 0.0;
  for (int i = 0; i < 9; i++) J[i] = b->J[i] - b->m * c[i / 3] * c[i % 3];
  for (int i = 0; i < 3; i++) trace += J[4 * i];
  for (int i = 0; i < 9; i++) I[i] = (i % 4 == 0 ? trace : 0.0) - J[i];
}

// Axes of joint j towards the ground at body `near`, put before those that the leg has (k of them)
static bool add_axes(const mw_mech *m, leg *l, int j, int near, int *k)
{
  const mw_joint *joint = &m->joint[j];
  bool from_a = near == joint->a, both = joint->in->kind == MW_JOINT_UNIVERSAL;
  int n = both ? 2 : 1;
  if (*k + n > AXES) return false;
  for (int i = 0; i < n; i++) {
    bool a = i == 0 ? from_a : !from_a;  // the second one of a universal joint is the far body's
    const double *F = a ? joint->Fa : joint->Fb, *X = a ? joint->Xa : joint->Xb;
    axis *x = &l->axis[AXES - *k - n + i];
    *x = (axis){ .body = a ? joint->a : joint->b, .s = { F[2], F[5], F[8] } };
    memcpy(x->X, X, sizeof x->X);
    x->slides = joint->in->kind == MW_JOINT_PRISMATIC;
    x->link = l->n_link;  // counted from the ball, turned round in the end
  }
  bool damped = joint->coord >= 0 && joint->in->coordinate_damping != 0.0;
  if (both && damped) return false;
  if (damped) l->axis[AXES - *k - 1].damping = joint->in->coordinate_damping;
  for (int d = 0; d < m->model->n_drive; d++) {
    if (m->model->drive[d].joint != j) continue;
    if (l->drive >= 0 || both) return false;
    l->drive = d;
    l->driven = AXES - *k - 1;
    l->sign = from_a ? 1.0 : -1.0;
  }
  *k += n;
  return true;
}

// From the ball j at body b down to the ground
static bool trace(const mw_mech *m, leg *l, int j, int b)
{
  int k = 0, links[AXES];
  *l = (leg){ .drive = -1 };
  memcpy(l->tip, b == m->joint[j].a ? m->joint[j].Xa : m->joint[j].Xb, sizeof l->tip);
  while (!m->body[b].ground) {
    int next = -1, n = 0;
    if (l->n_link == AXES) return false;
    links[l->n_link++] = b;
    for (int i = 0; i < m->n_joint; i++) {
      if (i == j || (m->joint[i].a != b && m->joint[i].b != b)) continue;
      next = i;
      n++;
    }
    if (n != 1) return false;
    mw_joint_kind kind = m->joint[next].in->kind;
    if (kind != MW_JOINT_REVOLUTE && kind != MW_JOINT_PRISMATIC && kind != MW_JOINT_UNIVERSAL)
      return false;
    j = next;
    b = m->joint[j].a == b ? m->joint[j].b : m->joint[j].a;
    if (!add_axes(m, l, j, b, &k)) return false;
  }
  for (int i = 0; i < l->n_link; i++) l->link[i] = links[l->n_link - 1 - i];
  for (int i = 0; i < AXES; i++) l->axis[i].link = l->n_link - l->axis[i].link;
  return k == AXES && l->drive >= 0;
}

mw_code mw_platform_build(const mw_mech *m, mw_arena *mem, mw_platform **out, mw_error *err)
{
  mw_platform *o = mw_arena_alloc(mem, 1, sizeof *o);
  leg *legs = mw_arena_alloc(mem, (size_t)m->n_joint, sizeof *legs);
  double *I = mw_arena_f64(mem, 9 * (size_t)m->n_body),
         *c = mw_arena_f64(mem, 3 * (size_t)m->n_body);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = check(m, err);
  if (rc != MW_OK) return rc;
  *o = (mw_platform){ .n_drive = m->model->n_drive, .m = m, .leg = legs, .I = I, .c = c };
  o->body = find_platform(m);
  memcpy(o->g, m->model->gravity, sizeof o->g);
  int bodies = 1;
  for (int j = 0; o->body >= 0 && j < m->n_joint; j++) {
    const mw_joint *joint = &m->joint[j];
    if (joint->a != o->body && joint->b != o->body) continue;
    bool good = joint->in->kind == MW_JOINT_SPHERICAL &&
                trace(m, &legs[o->n_leg], j, joint->a == o->body ? joint->b : joint->a);
    if (!good) return refuse(m, "joint", joint->in->name, err);
    bodies += legs[o->n_leg++].n_link;
  }
  for (int b = 0; b < m->n_body; b++) {
    bodies -= !m->body[b].ground;
    inertia(&m->body[b], c + 3 * b, I + 9 * b);
  }
  if (o->n_leg < SIDE || o->n_leg > MOST || bodies != 0)
    return refuse(m, "bodies of", m->model->name, err);
  *out = o;
  return MW_OK;
}

int mw_platform_body(const mw_platform *o) { return o->body; }

// ---- a leg --------------------------------------------------------------------------------------

// x += y × z
static void add_cross(const double y[3], const double z[3], double x[3])
{
  x[0] += y[1] * z[2] - y[2] * z[1];
  x[1] += y[2] * z[0] - y[0] * z[2];
  x[2] += y[0] * z[1] - y[1] * z[0];
}

// (1) by an axis at rate and acceleration
static void move_on(const double S[6], double rate, double acceleration, double V[6], double A[6])
{
  double turn[6] = { 0.0 };
  add_cross(V, S, turn);
  add_cross(V, S + 3, turn + 3);
  add_cross(V + 3, S, turn + 3);
  for (int i = 0; i < 6; i++) {
    A[i] += S[i] * acceleration + turn[i] * rate;
    V[i] += S[i] * rate;
  }
}

// (2)
static void at_point(const double V[6], const double A[6], const double x[3], double v[3],
                     double a[3])
{
  for (int i = 0; i < 3; i++) {
    v[i] = V[3 + i];
    a[i] = A[3 + i];
  }
  add_cross(V, x, v);
  add_cross(A, x, a);
  add_cross(V, v, a);
}

// (4): (n, f) of a body with frame at p
static void inertial(const mw_platform *o, int b, const double *p, const double *O,
                     const double V[6], const double A[6], double W[6])
{
  const mw_body *body = &o->m->body[b];
  const double *R = p + 3, *I = o->I + 9 * b;
  double c[3], v[3], a[3], w[3], x[3], y[3];
  mw_mul33v(R, o->c + 3 * b, c);
  for (int i = 0; i < 3; i++) c[i] += p[i] - O[i];
  at_point(V, A, c, v, a);
  for (int i = 0; i < 3; i++) W[3 + i] = body->m * (a[i] - o->g[i]);
  mw_mul33tv(R, A, x);
  mw_mul33tv(R, V, w);
  mw_mul33v(I, x, y);
  mw_mul33v(I, w, x);
  add_cross(w, x, y);
  mw_mul33v(R, y, W);
  add_cross(c, W + 3, W);
}

// Inverse of a matrix by its columns; false: singular to rounding
static bool invert(const double J[9], double inv[9])
{
  static const double SINGULAR = 1e-12;
  double size = 1.0, det;
  for (int k = 0; k < 3; k++) {  // J by columns: J[3k …]
    mw_cross3(J + 3 * ((k + 1) % 3), J + 3 * ((k + 2) % 3), inv + 3 * k);
    size *= mw_dot3(J + 3 * k, J + 3 * k);
  }
  det = mw_dot3(J, inv);
  if (!(det * det > SINGULAR * SINGULAR * size)) return false;
  for (int i = 0; i < 9; i++) inv[i] /= det;
  return true;
}

// Rows of the inverse are dual to the columns: adds F₀ and d of (5).
static bool pull(const mw_platform *o, const leg *l, const double *p, const double V[6],
                 const double A[6], double *at, double *F0, double *d)
{
  const double *O = p + 12 * o->body, *last = p + 12 * l->link[l->n_link - 1];
  double S[AXES][6], J[9], inv[9], v[3], a[3], a0[3], rate[AXES], acc[AXES],
      Q[AXES] = { 0.0 }, U[6] = { 0.0 }, B[6] = { 0.0 };
  mw_mul33v(last + 3, l->tip, at);
  for (int i = 0; i < 3; i++) at[i] += last[i] - O[i];
  for (int k = 0; k < AXES; k++) {
    const axis *x = &l->axis[k];
    const double *f = p + 12 * x->body;
    double s[3], r[3];
    mw_mul33v(f + 3, x->s, s);
    mw_mul33v(f + 3, x->X, r);
    for (int i = 0; i < 3; i++) {
      r[i] += f[i] - O[i];
      S[k][i] = x->slides ? 0.0 : s[i];
      S[k][3 + i] = x->slides ? s[i] : 0.0;
      J[3 * k + i] = S[k][3 + i];
    }
    if (x->slides) continue;
    mw_cross3(r, s, S[k] + 3);
    memcpy(J + 3 * k, S[k] + 3, 3 * sizeof *J);
    add_cross(s, at, J + 3 * k);
  }
  if (!invert(J, inv)) return false;
  at_point(V, A, at, v, a);
  for (int k = 0; k < AXES; k++) {
    rate[k] = mw_dot3(inv + 3 * k, v);
    move_on(S[k], rate[k], 0.0, U, B);
  }
  at_point(U, B, at, v, a0);
  for (int i = 0; i < 3; i++) a[i] -= a0[i];
  for (int k = 0; k < AXES; k++) acc[k] = mw_dot3(inv + 3 * k, a);
  memset(U, 0, sizeof U);
  memset(B, 0, sizeof B);
  for (int k = 0, b = 0; k < AXES; k++) {
    move_on(S[k], rate[k], acc[k], U, B);
    Q[k] += l->axis[k].damping * rate[k];
    int end = k + 1 < AXES ? l->axis[k + 1].link : l->n_link;
    for (; b < end; b++) {
      double W[6];
      inertial(o, l->link[b], p + 12 * l->link[b], O, U, B, W);
      for (int j = 0; j <= k; j++) Q[j] += mw_dot3(S[j], W) + mw_dot3(S[j] + 3, W + 3);
    }
  }
  for (int i = 0; i < 3; i++) {
    F0[i] = d[i] = 0.0;
    for (int k = 0; k < AXES; k++) F0[i] += inv[3 * k + i] * Q[k];
    d[i] = l->sign * inv[3 * l->driven + i];
  }
  return true;
}

// ---- the platform -------------------------------------------------------------------------------

// G x = b by Cholesky, in place; false: not definite
static bool solve(double G[SIDE * SIDE], double b[SIDE])
{
  static const double SINGULAR = 1e-14;
  for (int i = 0; i < SIDE; i++) {
    double diagonal = G[SIDE * i + i];
    for (int j = 0; j <= i; j++) {
      double x = G[SIDE * i + j];
      for (int k = 0; k < j; k++) x -= G[SIDE * i + k] * G[SIDE * j + k];
      if (j == i && !(x > SINGULAR * diagonal)) return false;
      G[SIDE * i + j] = j == i ? sqrt(x) : x / G[SIDE * j + j];
    }
  }
  for (int i = 0; i < SIDE; i++) {
    for (int k = 0; k < i; k++) b[i] -= G[SIDE * i + k] * b[k];
    b[i] /= G[SIDE * i + i];
  }
  for (int i = SIDE - 1; i >= 0; i--) {
    for (int k = i + 1; k < SIDE; k++) b[i] -= G[SIDE * k + i] * b[k];
    b[i] /= G[SIDE * i + i];
  }
  return true;
}

bool mw_platform_eval(const mw_platform *o, const double *p, const double *twist,
                      const double *acceleration, double *tau)
{
  double V[6], A[6], b[SIDE], G[SIDE * SIDE] = { 0.0 }, column[MOST][SIDE];
  for (int i = 0; i < 3; i++) {
    V[i] = twist[3 + i];
    V[3 + i] = twist[i];
    A[i] = acceleration[3 + i];
    A[3 + i] = acceleration[i];
  }
  double minus[3] = { -V[0], -V[1], -V[2] };
  add_cross(minus, V + 3, A + 3);
  inertial(o, o->body, p + 12 * o->body, p + 12 * o->body, V, A, b);
  for (int l = 0; l < o->n_leg; l++) {
    double at[3], F[3], *x = column[l];
    if (!pull(o, &o->leg[l], p, V, A, at, F, x + 3)) return false;
    mw_cross3(at, x + 3, x);
    add_cross(at, F, b);
    for (int i = 0; i < 3; i++) b[3 + i] += F[i];
    for (int i = 0; i < SIDE; i++)
      for (int k = 0; k <= i; k++) G[SIDE * i + k] += x[i] * x[k];
  }
  if (!solve(G, b)) return false;
  for (int d = 0; d < o->n_drive; d++) tau[d] = 0.0;
  for (int l = 0; l < o->n_leg; l++) {
    double t = 0.0;
    for (int i = 0; i < SIDE; i++) t += column[l][i] * b[i];
    tau[o->leg[l].drive] = t;
  }
  return true;
}
