// SPDX-License-Identifier: BSD-3-Clause
// rigid_state.c: natural coordinates of the rigid mechanism, and tangent vectors û = (Eᵀ do, φ).
//
//   q → û applied:   o + E û_o ,  E exp(φ~)                                                     (1)
//   v = (E û_o, E ω~) ,   a = (E u̇_o, E (α~ + ω~ ω~))                                          (2)
// (2) satisfies the rigid-body rows' velocities and accelerations by construction: they are the
// null space of the constant Jacobian Ê_ij + Ê_ji and its particular solution.
#include <string.h>

#include "joint/turn_layer.h"
#include "rigid_mech_layer.h"

mw_rigid_size mw_rigid_sizes(const mw_rigid *r) { return r->n; }
const mw_rigid_body *mw_rigid_bodies(const mw_rigid *r) { return r->body; }

void mw_rigid_local(const mw_rigid *r, int slot, const double X[3], double Y[3])
{
  double d[3] = { X[0] - r->cf[slot][0], X[1] - r->cf[slot][1], X[2] - r->cf[slot][2] };
  mw_mul33tv(r->Rf[slot], d, Y);
}

void mw_rigid_local_dir(const mw_rigid *r, int slot, const double d[3], double f[3])
{
  mw_mul33tv(r->Rf[slot], d, f);
}

void mw_rigid_from_frames(const mw_rigid *r, const double *p, double *q)
{
  for (int b = 0; b < r->n.n_body; b++) {
    const double *pb = p + 12 * r->body[b].body;
    double *k = q + 12 * b, x[3];
    mw_mul33v(pb + 3, r->body[b].c, x);
    for (int i = 0; i < 3; i++) k[i] = pb[i] + x[i];
    mw_mul33(pb + 3, r->body[b].R, k + 3);
  }
  for (int k = 0; k < r->n.n_rotor; k++) q[12 * r->n.n_body + k] = r->start[r->rotor_coord[k]];
}

void mw_rigid_to_frames(const mw_rigid *r, const double *q, double *p)
{
  const mw_mech *m = r->m;
  memcpy(p, m->p0, 12 * (size_t)m->n_body * sizeof(double));
  for (int b = 0; b < r->n.n_body; b++) {
    const double *k = q + 12 * b, *R = r->body[b].R;
    double *pb = p + 12 * r->body[b].body, x[3];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) pb[3 + 3 * i + j] = mw_dot3(k + 3 + 3 * i, R + 3 * j);  // E Rᵀ
    mw_mul33v(pb + 3, r->body[b].c, x);
    for (int i = 0; i < 3; i++) pb[i] = k[i] - x[i];
  }
}

// exp(φ~) by Rodrigues' formula; below a tenth of a radian by series (next terms p¹⁰/11!, p¹⁰/12!:
// under rounding)
static void rotation(const double phi[3], double C[9])
{
  double p2 = mw_dot3(phi, phi), s, c;
  if (p2 < 0.01) {
    s = 1.0 - p2 / 6.0 * (1.0 - p2 / 20.0 * (1.0 - p2 / 42.0 * (1.0 - p2 / 72.0)));
    c = 0.5 * (1.0 - p2 / 12.0 * (1.0 - p2 / 30.0 * (1.0 - p2 / 56.0 * (1.0 - p2 / 90.0))));
  } else {
    double p = sqrt(p2), half = sin(0.5 * p);
    s = sin(p) / p;
    c = 2.0 * half * half / p2;
  }
  double x = phi[0], y = phi[1], z = phi[2];
  double m[9] = { -c * (y * y + z * z), c * x * y - s * z,    c * x * z + s * y,
                  c * x * y + s * z,    -c * (x * x + z * z), c * y * z - s * x,
                  c * x * z - s * y,    c * y * z + s * x,    -c * (x * x + y * y) };
  for (int i = 0; i < 9; i++) C[i] = m[i] + (i % 4 == 0 ? 1.0 : 0.0);
}

void mw_frame_move(const double *p, const double *u, double *dst)
{
  double x[3], C[9];
  mw_mul33v(p + 3, u, x);
  for (int i = 0; i < 3; i++) dst[i] = p[i] + x[i];
  rotation(u + 3, C);
  mw_mul33(p + 3, C, dst + 3);
}

void mw_rigid_move(const mw_rigid *r, const double *q, const double *u, double *dst)
{
  for (int b = 0; b < r->n.n_body; b++) mw_frame_move(q + 12 * b, u + 6 * b, dst + 12 * b);
  for (int k = 0; k < r->n.n_rotor; k++)
    dst[12 * r->n.n_body + k] = q[12 * r->n.n_body + k] + u[6 * r->n.n_body + k];
}

// E w~, columns: E (w × e_j)
static void times_skew(const double *E, const double w[3], double *out)
{
  for (int i = 0; i < 3; i++) {
    const double *e = E + 3 * i;
    double x = e[1] * w[2] - e[2] * w[1], y = e[2] * w[0] - e[0] * w[2],
           z = e[0] * w[1] - e[1] * w[0];
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = z;
  }
}

void mw_frame_rates(const double *p, const double *u, double *v)
{
  mw_mul33v(p + 3, u, v);
  times_skew(p + 3, u + 3, v + 3);
}

void mw_rigid_rates(const mw_rigid *r, const double *q, const double *u, double *v)
{
  for (int b = 0; b < r->n.n_body; b++) mw_frame_rates(q + 12 * b, u + 6 * b, v + 12 * b);
  memcpy(v + 12 * r->n.n_body, u + 6 * r->n.n_body, (size_t)r->n.n_rotor * sizeof(double));
}

void mw_rigid_twist(const mw_rigid *r, const double *q, const double *v, double *u)
{
  for (int b = 0; b < r->n.n_body; b++) {
    const double *E = q + 12 * b + 3, *at = v + 12 * b;
    mw_mul33tv(E, at, u + 6 * b);
    mw_spin33(E, at + 3, u + 6 * b + 3);
  }
  memcpy(u + 6 * r->n.n_body, v + 12 * r->n.n_body, (size_t)r->n.n_rotor * sizeof(double));
}

// ---- coordinates and points ---------------------------------------------------------------------

void mw_rigid_coords(const mw_rigid *r, mw_rigid_work *w, const double *q, const double *v,
                     double *s, double *s_dot)
{
  mw_rigid_kin(r, w, q, v);
  for (int c = 0; c < r->n.n_coord; c++) {
    mw_rcoord_eval e;
    mw_rigid_coord_eval(&r->coord[c], &w->kin[r->coord[c].a], &w->kin[r->coord[c].b],
                        w->accepted[c], &e);
    s[c] = e.s;
    if (s_dot) s_dot[c] = e.s_dot;
  }
}

void mw_rigid_accept(const mw_rigid *r, mw_rigid_work *w, const double *q)
{
  mw_rigid_kin(r, w, q, NULL);
  for (int c = 0; c < r->n_coord; c++) {
    if (!r->turns[c]) continue;
    mw_rcoord_eval e;
    mw_rigid_coord_eval(&r->coord[c], &w->kin[r->coord[c].a], &w->kin[r->coord[c].b],
                        w->accepted[c], &e);
    w->accepted[c] = e.s;
  }
  mw_rigid_components_accept(r, w, q);
}

void mw_rigid_accept_coords(const mw_rigid *r, mw_rigid_work *w, const double *s)
{
  memcpy(w->accepted, s, (size_t)r->n.n_coord * sizeof(double));
}

static double turned(const mw_rigid *r, const mw_relem *e, const double *q)
{
  const double *Ea = e->a < r->n.n_body ? q + 12 * e->a + 3 : r->fixed[e->a - r->n.n_body].E,
               *Eb = e->b < r->n.n_body ? q + 12 * e->b + 3 : r->fixed[e->b - r->n.n_body].E;
  double A[9], B[9], P[9];
  mw_turn t;
  for (int i = 0; i < 3; i++) {
    mw_mul33v(Ea, e->axes + 3 * i, A + 3 * i);
    mw_mul33v(Eb, e->axes + 9 + 3 * i, B + 3 * i);
  }
  for (int i = 0; i < 9; i++) P[i] = mw_dot3(A + i / 3 * 3, B + i % 3 * 3);
  mw_turn_eval(e->turn, P, NULL, &t);
  return t.g;
}

// A spring's rows are one node, in the order of its list.
mw_code mw_rigid_accept_turns(const mw_rigid *r, mw_rigid_work *w, double t, const double *q,
                              mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = r->n_hard; rc == MW_OK && i < r->n_node; i++) {
    const mw_rnode *n = &r->node[i];
    if (n->joint < 0 || r->m->joint[n->joint].in->kind != MW_JOINT_SPRING) continue;
    double g[LD] = { 0.0 }, *before = w->turned + n->row0;
    for (int k = n->elem0; k < n->elem0 + n->n_elem; k++)
      if (r->elem[k].kind == MW_R_TURN) g[r->elem[k].row] = turned(r, &r->elem[k], q);
    rc = mw_joint_check_turn(&r->m->joint[n->joint], t, w->turned_known ? before : NULL, g, err);
    memcpy(before, g, (size_t)n->n * sizeof *g);
  }
  w->turned_known = true;
  return rc == MW_OK ? mw_rigid_components_turns(r, w, t, q, err) : rc;
}

const double *mw_rigid_accepted(const mw_rigid_work *w) { return w->accepted; }

int mw_rigid_work_parts(const mw_rigid *r, mw_rigid_work *w, mw_part *part)
{
  size_t f64 = sizeof(double);
  const mw_part all[] = {
    { w->accepted, (size_t)r->n_coord * f64 },    { w->turned, (size_t)r->n.n_soft * f64 },
    { &w->turned_known, sizeof w->turned_known }, { w->sol, (size_t)r->all.n_node * LD * f64 },
    { w->normal, (size_t)r->n_friction * f64 },   { w->dropped, (size_t)r->n_hard * LD },
    { &w->changes, sizeof w->changes },           { w->memory, w->n_memory },
  };
  int n = (int)(sizeof all / sizeof *all);
  memcpy(part, all, sizeof all);
  return n + mw_control_parts(&w->control, part + n);
}

void mw_rigid_hold(const mw_rigid *r, mw_rigid_work *w, const double *s, const double *rate)
{
  for (int c = 0; c < r->n.n_coord; c++) {
    w->hold[c] = s[c];
    w->hold_rate[c] = rate ? rate[c] : 0.0;
  }
}

void mw_rigid_point(const mw_rigid *r, mw_ref ref, const double offset[3], const double *q,
                    const double *v, double x[3], double x_dot[3])
{
  const mw_mech *m = r->m;
  const mw_frame *f = ref.attach < 0 ? NULL : &m->body[ref.body].frame[ref.attach];
  int slot = r->slot[ref.body], nb = r->n.n_body;
  double X[3], Y[3], t[3];
  for (int i = 0; i < 3; i++) X[i] = (f ? f->X[i] : 0.0) + offset[i];
  mw_rigid_local(r, slot, X, Y);
  const double *o = slot < nb ? q + 12 * slot : r->fixed[slot - nb].o;
  mw_mul33v(o + 3, Y, t);
  for (int i = 0; i < 3; i++) x[i] = o[i] + t[i];
  if (!v || !x_dot) return;
  memset(x_dot, 0, 3 * sizeof(double));
  if (slot >= nb) return;
  mw_mul33v(v + 12 * slot + 3, Y, t);
  for (int i = 0; i < 3; i++) x_dot[i] = v[12 * slot + i] + t[i];
}
