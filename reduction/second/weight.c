// SPDX-License-Identifier: BSD-3-Clause
// weight.c: products with the stiffness of the weight, K_g of weight_layer.h.
//
// x is split as in second.c: r = (RᵀMR)⁻¹RᵀM x, e = x − R r, functionals z = P e; rigid bodies have
// r alone. Then
//   rows     Q = Σ λ Φ_qq on r, z and the free coordinate of each joint,
//       whose columns second_rows.c is given one by one      (1)
//   frames   g·x_qq[a, d] = turned(ω_a, ω_d) + ω_a·(S e_d × g) + ω_d·(S e_a × g) ,  S = ∫ρ N ,
//       as (4) of second.c with B = 0      (2)
//   stress   K_σ on e, on the mesh
//   a push f at X of a frame that e displaces by z: as (2) with f for g, X for mX of turned, z for
//     S e
// and what acts on r and e goes back by the transposed of the split:
//   y = (1 − M R (RᵀMR)⁻¹ Rᵀ) y_e + M R (RᵀMR)⁻¹ y_r                                            (3)
// Functionals that none of a joint's rows sees, displaced by anything, are left out of its Q.
// Cost: the elements of bodies under stress once for all k vectors; a joint, 4 evaluations a column
// that its rows see.
#include "weight_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/strain.h"
#include "second_layer.h"
#include "system/system_layer.h"

// ---- rows of joints -----------------------------------------------------------------------------

// Does a row of the joint see functional i, once its bodies are displaced and turned? A row along
// one axis sees what lies across it where the body turns. used [n_z of a, then of b]
static mw_code seen(const mw_mech *m, int j, const mw_config *q, char *used, mw_error *err)
{
  const mw_joint *jt = &m->joint[j];
  mw_arena tmp = { 0 };
  int na = m->body[jt->a].n_z, nb = m->body[jt->b].n_z;
  mw_joint_eval e = mw_joint_eval_init(m, &tmp);
  double *z = mw_arena_f64(&tmp, (size_t)(na + nb)), p[2][12];
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < na + nb; i++) z[i] = 1e-3 * sin(1.0 + 1.7 * i);
  for (int side = 0; side < 2; side++) {
    static const double turn[6] = { 0.0, 0.0, 0.0, 1.3e-3, -0.9e-3, 1.7e-3 }, none[6] = { 0.0 };
    int b = side == 0 ? jt->a : jt->b;
    mw_second_displace(q->p + 12 * b, m->body[b].ground ? none : turn, side + 1.0, p[side]);
  }
  if (rc == MW_OK)
    rc = mw_joint_eval_at(m, j, p[0], na > 0 ? z : NULL, p[1], nb > 0 ? z + na : NULL,
                          mw_joint_s(jt, q->s), &e, err);
  for (int r = 0; rc == MW_OK && r < jt->n_row; r++) {
    for (int i = 0; i < na; i++) used[i] |= e.Za[r * na + i] != 0.0;
    for (int i = 0; i < nb; i++) used[na + i] |= e.Zb[r * nb + i] != 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Numbers that the rows of joint jt->joint see
static mw_code columns_of(mw_weight *w, const mw_mech *m, const mw_config *q, mw_weight_joint *jt,
                          mw_error *err)
{
  const mw_joint *in = &m->joint[jt->joint];
  const int side[2] = { in->a, in->b };
  mw_arena tmp = { 0 };
  size_t most = 13 + (size_t)m->body[in->a].n_z + (size_t)m->body[in->b].n_z;
  char *used = mw_arena_alloc(&tmp, most, 1);
  jt->column = mw_arena_alloc(&w->mem, most, sizeof *jt->column);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = seen(m, jt->joint, q, used, err);
  for (int s = 0, at = 0; rc == MW_OK && s < 2; at += m->body[side[s++]].n_z) {
    if (s == 1 && in->a == in->b) break;
    for (int i = 0; i < 6 && !m->body[side[s]].ground; i++)
      jt->column[jt->n++] = (mw_weight_column){ MW_WEIGHT_TWIST, side[s], i };
    for (int i = 0; i < m->body[side[s]].n_z; i++)
      if (used[at + i])
        jt->column[jt->n++] = (mw_weight_column){ MW_WEIGHT_FUNCTIONAL, side[s], i };
  }
  if (in->coord >= 0 && !w->sys->locked[in->coord])
    jt->column[jt->n++] = (mw_weight_column){ MW_WEIGHT_COORD, -1, in->coord };
  mw_arena_free(&tmp);
  return rc;
}

// Q of a joint; lambda [n_row of the mechanism]
static mw_code curvature(mw_weight *w, const mw_config *q, double *lambda, mw_weight_joint *jt,
                         mw_error *err)
{
  const mw_mech *m = w->sys->bl->m;
  const mw_joint *in = &m->joint[jt->joint];
  mw_second z = { .mech = m, .blocks = w->sys->bl, .locked = w->sys->locked, .m = jt->n };
  size_t k = (size_t)jt->n, nb = (size_t)m->n_body, nc = (size_t)m->n_coord;
  z.n_load = 1;
  z.lambda = mw_arena_f64(&z.mem, (size_t)m->n_row);
  z.twist = mw_arena_f64(&z.mem, nb * k * 6);
  z.z = mw_arena_alloc(&z.mem, nb, sizeof *z.z);
  z.coord = mw_arena_f64(&z.mem, k * nc);
  z.Kg = mw_arena_f64(&z.mem, k * k);
  mw_code rc = mw_arena_check(&z.mem, err);
  for (int s = 0; rc == MW_OK && s < 2; s++) {
    int b = s == 0 ? in->a : in->b;
    if (m->body[b].n_u > 0) z.z[b] = mw_arena_f64(&z.mem, k * (size_t)m->body[b].n_z);
  }
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  for (size_t a = 0; rc == MW_OK && a < k; a++) {
    const mw_weight_column *c = &jt->column[a];
    size_t b = (size_t)c->body, i = (size_t)c->i;
    if (c->kind == MW_WEIGHT_TWIST) z.twist[6 * (b * k + a) + i] = 1.0;
    if (c->kind == MW_WEIGHT_FUNCTIONAL) z.z[b][a * (size_t)m->body[b].n_z + i] = 1.0;
    if (c->kind == MW_WEIGHT_COORD) z.coord[a * nc + i] = 1.0;
  }
  if (rc == MW_OK) {
    memcpy(z.lambda + in->row0, lambda + in->row0, (size_t)in->n_row * sizeof *lambda);
    rc = mw_second_rows(&z, q, err);
  }
  if (rc == MW_OK) memcpy(jt->Q, z.Kg, k * k * sizeof *jt->Q);
  mw_arena_free(&z.mem);
  return rc;
}

static mw_code joints(mw_weight *w, const mw_config *q, double *lambda, mw_error *err)
{
  const mw_mech *m = w->sys->bl->m;
  w->joint = mw_arena_alloc(&w->mem, (size_t)m->n_joint, sizeof *w->joint);
  mw_code rc = mw_arena_check(&w->mem, err);
  for (int j = 0; rc == MW_OK && j < m->n_joint; j++) {
    bool loaded = false;
    for (int i = 0; i < m->joint[j].n_row; i++)
      loaded = loaded || lambda[m->joint[j].row0 + i] != 0.0;
    if (!loaded) continue;
    mw_weight_joint *jt = &w->joint[w->n_joint++];
    jt->joint = j;
    rc = columns_of(w, m, q, jt, err);
    jt->Q = mw_arena_f64(&w->mem, (size_t)jt->n * (size_t)jt->n);
    if (rc == MW_OK) rc = mw_arena_check(&w->mem, err);
    if (rc == MW_OK) rc = curvature(w, q, lambda, jt, err);
  }
  return rc;
}

// ---- meshes -------------------------------------------------------------------------------------

// F [k × n_u] := K_σ E of body b, in the coordinates of the mechanism; E [k × n_u]
static mw_code stress_forces(const mw_weight *w, int b, int k, double *E, double *F, mw_error *err)
{
  const mw_body *mesh = &w->full->body[b];
  if (!w->basis) return mw_body_stress_forces(mesh, w->u[b], k, E, F, err);
  mw_arena tmp = { 0 };
  size_t n = (size_t)k * (size_t)mesh->n_u;
  double *U = mw_arena_f64(&tmp, n), *G = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_stress_lift(&w->basis[b], k, E, U, err);
  if (rc == MW_OK) rc = mw_body_stress_forces(mesh, w->u[b], k, U, G, err);
  if (rc == MW_OK) rc = mw_stress_project(&w->basis[b], k, G, F, err);
  mw_arena_free(&tmp);
  return rc;
}

// ---- the operator -------------------------------------------------------------------------------

// Elastic part of the weight's own pattern P [n] on the meshes
static mw_code stresses(mw_weight *w, double *P, double *tmp, mw_error *err)
{
  const mw_blocks *bl = w->sys->bl;
  mw_second_split(bl, 1, P, NULL, tmp);
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < bl->m->n_body; b++) {
    const mw_body *mesh = &w->full->body[b];
    double *p = P + bl->offset[b];
    if (!w->stress || mesh->n_u == 0 || !mw_body_has_stress(mesh)) continue;
    w->u[b] = mw_arena_f64(&w->mem, (size_t)mesh->n_u);
    rc = mw_arena_check(&w->mem, err);
    if (rc == MW_OK && w->basis) rc = mw_stress_lift(&w->basis[b], 1, p, w->u[b], err);
    if (rc == MW_OK && !w->basis) memcpy(w->u[b], p, (size_t)mesh->n_u * sizeof *p);
  }
  return rc;
}

// Adds the push to the load f; tmp [n]
static void add_push(mw_weight *w, const mw_config *q, const mw_weight_push *push, double *f,
                     double *tmp)
{
  static const double none[3] = { 0.0, 0.0, 0.0 };
  const mw_mech *m = w->sys->bl->m;
  int b = push->on.body;
  double x[3], Jp[36], Jz[18];
  mw_system_load_point(w->sys, push->on, none, push->f, tmp);
  mw_axpy(w->sys->bl->n, 1.0, tmp, f);
  if (m->body[b].ground) return;
  w->pushed = true;
  w->push_body = b;
  w->push_z = mw_mech_frame_z(m, push->on);
  mw_mech_point(m, push->on, none, q->p + 12 * b, NULL, x, Jp, Jz);
  for (int i = 0; i < 3; i++) x[i] -= q->p[12 * b + i];
  mw_mul33tv(q->p + 12 * b + 3, x, w->push_at);
  mw_mul33tv(q->p + 12 * b + 3, push->f, w->push);
}

mw_code mw_weight_build(mw_system *sys, const mw_config *q, const mw_mech *full,
                        const mw_basis *basis, const mw_weight_push *push, mw_weight *out,
                        mw_error *err)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  mw_weight w = { .sys = sys, .full = full, .basis = basis, .stress = !full->model->strain_linear };
  mw_arena tmp = { 0 };
  size_t n = (size_t)bl->n;
  double *f = mw_arena_f64(&tmp, n), *P = mw_arena_f64(&tmp, n), *x = mw_arena_f64(&tmp, n);
  double *lambda = mw_arena_f64(&tmp, (size_t)m->n_row);
  w.g = mw_arena_f64(&w.mem, 3 * (size_t)m->n_body);
  w.u = mw_arena_alloc(&w.mem, (size_t)m->n_body, sizeof *w.u);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&w.mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    if (m->body[b].gravity && !m->body[b].ground)
      mw_mul33tv(q->p + 12 * b + 3, m->model->gravity, w.g + 3 * b);
  if (rc == MW_OK) mw_system_load_rest(sys, f);
  if (rc == MW_OK && push) add_push(&w, q, push, f, x);
  if (rc == MW_OK) rc = mw_system_solve_forces(sys, 1, f, P, lambda, err);
  if (rc == MW_OK) mw_system_preload(sys, lambda);
  if (rc == MW_OK) rc = stresses(&w, P, x, err);
  if (rc == MW_OK) rc = joints(&w, q, lambda, err);
  mw_arena_free(&tmp);
  *out = w;
  if (rc != MW_OK) mw_weight_free(out);
  return rc;
}

void mw_weight_free(mw_weight *w)
{
  mw_arena_free(&w->mem);
  *w = (mw_weight){ 0 };
}

typedef struct split {  // of k vectors
  int k;
  double *E;           // [k × n]            elastic parts
  double *r, *yr;      // [n_body × k × 6]   rigid parts, and what acts on them
  double **z, **yz;    // [n_body][k × n_z]  functionals, likewise
  double *coord, *fc;  // [n]  the functional of a coordinate; scratch
} split;

static double *place_of(const mw_weight *w, const split *s, const mw_weight_column *c, int a,
                        bool back)
{
  const mw_mech *m = w->sys->bl->m;
  if (c->kind == MW_WEIGHT_TWIST)
    return (back ? s->yr : s->r) + 6 * ((size_t)c->body * (size_t)s->k + (size_t)a) + c->i;
  return (back ? s->yz : s->z)[c->body] + (size_t)a * (size_t)m->body[c->body].n_z + c->i;
}

// What the rows of a joint have of vector a, x [n]; y [n] +=, in its free coordinate
static void add_joint(const mw_weight *w, const mw_weight_joint *jt, split *s, int a,
                      const double *x, double *l, double *y)
{
  int n = jt->n, size = w->sys->bl->n;
  for (int i = 0; i < n; i++) {
    const mw_weight_column *c = &jt->column[i];
    if (c->kind == MW_WEIGHT_COORD) {
      mw_system_load_coord(w->sys, c->i, s->coord);
      l[i] = mw_dot(size, s->coord, x);
    } else {
      l[i] = *place_of(w, s, c, a, false);
    }
  }
  for (int i = 0; i < n; i++) {
    double v = mw_dot(n, jt->Q + (size_t)i * (size_t)n, l);
    const mw_weight_column *c = &jt->column[i];
    if (c->kind == MW_WEIGHT_COORD)
      mw_axpy(size, v, s->coord, y);
    else
      *place_of(w, s, c, a, true) += v;
  }
}

// (2) of body b: r, yr [6]; e, ye [n_u]
static void add_frame(const mw_weight *w, int b, const double *r, const double *e, double *yr,
                      double *ye)
{
  const mw_body *body = &w->sys->bl->m->body[b];
  const double *g = w->g + 3 * b, *om = r + 3;
  double oX = mw_dot3(om, body->mX), og = mw_dot3(om, g), gX = mw_dot3(g, body->mX);
  for (int i = 0; i < 3; i++) yr[3 + i] -= 0.5 * (g[i] * oX + body->mX[i] * og) - gX * om[i];
  if (body->n_u == 0) return;
  double se[3], t[3];
  size_t n = (size_t)body->n_u;
  for (size_t i = 0; i < 3; i++) se[i] = mw_dot(body->n_u, body->s + i * n, e);
  mw_cross3(se, g, t);
  for (int i = 0; i < 3; i++) yr[3 + i] -= t[i];
  mw_cross3(g, om, t);
  for (size_t i = 0; i < 3; i++) mw_axpy(body->n_u, -t[i], body->s + i * n, ye);
}

// (2) of the push; r, yr [6]; z, yz [n_z] NULL: rigid
static void add_pushed(const mw_weight *w, const double *r, const double *z, double *yr, double *yz)
{
  const double *f = w->push, *X = w->push_at, *om = r + 3;
  double oX = mw_dot3(om, X), of = mw_dot3(om, f), fX = mw_dot3(f, X), t[3];
  for (int i = 0; i < 3; i++) yr[3 + i] -= 0.5 * (f[i] * oX + X[i] * of) - fX * om[i];
  if (w->push_z < 0 || !z) return;
  mw_cross3(z + w->push_z, f, t);
  for (int i = 0; i < 3; i++) yr[3 + i] -= t[i];
  mw_cross3(f, om, t);
  for (int i = 0; i < 3; i++) yz[w->push_z + i] -= t[i];
}

// (3) of body b, with Pᵀ yz: y [n_u] holds y_e; work [2 n_u]
static void pull(const mw_weight *w, int b, const double *yr, const double *yz, double *y,
                 double *work)
{
  const mw_blocks *bl = w->sys->bl;
  const mw_body *body = &bl->m->body[b];
  double c[6];
  mw_csc_mul_t(&body->P, 1.0, yz, 1.0, y);
  if (body->ground) return;
  memcpy(c, yr, sizeof c);
  mw_gemm('t', 'n', 6, 1, body->n_u, -1.0, body->R, y, 1.0, c);
  mw_chol_solve(6, bl->RMR + 36 * b, 1, c);
  mw_gemm('n', 'n', body->n_u, 1, 6, 1.0, body->R, c, 0.0, work);
  mw_csc_mul(&body->M, 1.0, work, 1.0, y);
}

static mw_code split_init(const mw_weight *w, int k, const double *X, split *s, mw_arena *mem,
                          mw_error *err)
{
  const mw_blocks *bl = w->sys->bl;
  size_t n = (size_t)bl->n, nb = (size_t)bl->m->n_body, K = (size_t)k;
  *s = (split){ .k = k };
  s->E = mw_arena_f64(mem, K * n);
  s->r = mw_arena_f64(mem, nb * K * 6);
  s->yr = mw_arena_f64(mem, nb * K * 6);
  s->z = mw_arena_alloc(mem, nb, sizeof *s->z);
  s->yz = mw_arena_alloc(mem, nb, sizeof *s->yz);
  s->coord = mw_arena_f64(mem, n);
  s->fc = mw_arena_f64(mem, 2 * n);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(s->E, X, K * n * sizeof *X);
  mw_second_split(bl, k, s->E, s->r, s->fc);
  for (size_t b = 0; b < nb; b++) {
    const mw_body *body = &bl->m->body[b];
    if (body->n_u == 0) continue;
    s->z[b] = mw_arena_f64(mem, K * (size_t)body->n_z);
    s->yz[b] = mw_arena_f64(mem, K * (size_t)body->n_z);
    rc = mw_arena_check(mem, err);
    for (size_t a = 0; rc == MW_OK && a < K; a++)
      mw_csc_mul(&body->P, 1.0, s->E + a * n + bl->offset[b], 0.0, s->z[b] + a * (size_t)body->n_z);
    if (rc != MW_OK) return rc;
  }
  return rc;
}

// Y [k × n] of body b := what stress and frames have of it; y_r in s
static mw_code body_part(const mw_weight *w, int b, split *s, double *Y, mw_error *err)
{
  const mw_blocks *bl = w->sys->bl;
  const mw_body *body = &bl->m->body[b];
  mw_arena tmp = { 0 };
  size_t n = (size_t)bl->n, nu = (size_t)body->n_u, o = (size_t)bl->offset[b], K = (size_t)s->k;
  double *e = mw_arena_f64(&tmp, K * nu), *f = mw_arena_f64(&tmp, K * nu);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t a = 0; rc == MW_OK && a < K; a++)
    if (nu > 0) memcpy(e + a * nu, s->E + a * n + o, nu * sizeof *e);
  if (rc == MW_OK && w->u[b]) rc = stress_forces(w, b, s->k, e, f, err);
  for (size_t a = 0; rc == MW_OK && a < K; a++) {
    size_t at = 6 * ((size_t)b * K + a);
    if (!body->ground) add_frame(w, b, s->r + at, e + a * nu, s->yr + at, f + a * nu);
    if (nu > 0) memcpy(Y + a * n + o, f + a * nu, nu * sizeof *f);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_weight_mul(const mw_weight *w, int k, const double *X, double *Y, mw_error *err)
{
  const mw_blocks *bl = w->sys->bl;
  const mw_mech *m = bl->m;
  mw_arena tmp = { 0 };
  split s;
  size_t n = (size_t)bl->n, K = (size_t)k;
  int most = 1;
  for (int j = 0; j < w->n_joint; j++) most = w->joint[j].n > most ? w->joint[j].n : most;
  double *l = mw_arena_f64(&tmp, (size_t)most);
  mw_code rc = split_init(w, k, X, &s, &tmp, err);
  memset(Y, 0, K * n * sizeof *Y);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) rc = body_part(w, b, &s, Y, err);
  for (int a = 0; rc == MW_OK && a < k; a++) {
    double *y = Y + (size_t)a * n;
    memset(s.fc, 0, n * sizeof *s.fc);
    for (int j = 0; j < w->n_joint; j++)
      add_joint(w, &w->joint[j], &s, a, X + (size_t)a * n, l, s.fc);
    if (w->pushed) {
      size_t b = (size_t)w->push_body, r = 6 * (b * K + (size_t)a),
             z = (size_t)a * (size_t)m->body[b].n_z;
      bool elastic = m->body[b].n_u > 0;
      add_pushed(w, s.r + r, elastic ? s.z[b] + z : NULL, s.yr + r, elastic ? s.yz[b] + z : NULL);
    }
    for (int b = 0; b < m->n_body; b++) {
      const double *yr = s.yr + 6 * ((size_t)b * K + (size_t)a);
      if (m->body[b].n_u > 0)
        pull(w, b, yr, s.yz[b] + (size_t)a * (size_t)m->body[b].n_z, y + bl->offset[b], s.fc + n);
      else if (!m->body[b].ground)
        memcpy(y + bl->offset[b], yr, 6 * sizeof *yr);
    }
    mw_axpy(bl->n, 1.0, s.fc, y);
  }
  mw_arena_free(&tmp);
  return rc;
}
