// SPDX-License-Identifier: BSD-3-Clause
// formula.c: (1) of formula_layer.h on elastic sides, and on rigid ones.
#include "formula_layer.h"

#include "base/vec3.h"
#include "mech/mech_layer.h"
#include "rigid/nodes_layer.h"

// ---- elastic sides ------------------------------------------------------------------------------

// w A_i·d of `of`, A_i fixed to it: its point and axes and the point of `other`; sign 1 where
// `other` is b.
static void add_along(mw_side *of, mw_side *other, int row, int i, double w, double sign)
{
  const double *A = of->A + 3 * i;
  double d[3], at[3], minus[3];
  for (int l = 0; l < 3; l++) {
    d[l] = w * sign * (other->x[l] - of->x[l]);
    at[l] = w * sign * A[l];
    minus[l] = -at[l];
  }
  mw_side_add_axis(of, row, i, d);
  mw_side_add_point(other, row, at);
  mw_side_add_point(of, row, minus);
}

void mw_formula_elastic(const mw_joint *j, mw_joint_sides *k, int row, mw_joint_eval *e)
{
  const mw_formula *f = mw_joint_class_of(j->in)->formula;
  double x[MW_FORMULA_PARTS], slope[MW_FORMULA_PARTS], d[3];
  for (int l = 0; l < 3; l++) d[l] = k->b.x[l] - k->a.x[l];
  for (int p = 0; p < f->n; p++) {
    const double *A = (f->part[p].kind == MW_MEASURED_ALONG_B ? k->b.A : k->a.A) + 3 * f->part[p].i;
    x[p] = mw_dot3(A, f->part[p].kind == MW_MEASURED_AXES ? k->b.A + 3 * f->part[p].j : d);
  }
  e->g[row] = f->eval(j, x, NULL, slope, NULL);
  for (int p = 0; p < f->n; p++) {
    int i = f->part[p].i, to = f->part[p].j;
    double w = slope[p], wa[3], wb[3];
    switch (f->part[p].kind) {
    case MW_MEASURED_ALONG_A: add_along(&k->a, &k->b, row, i, w, 1.0); break;
    case MW_MEASURED_ALONG_B: add_along(&k->b, &k->a, row, i, w, -1.0); break;
    default:
      for (int l = 0; l < 3; l++) {
        wa[l] = w * k->b.A[3 * to + l];
        wb[l] = w * k->a.A[3 * i + l];
      }
      mw_side_add_axis(&k->a, row, i, wa);
      mw_side_add_axis(&k->b, row, to, wb);
    }
  }
}

// ---- rigid sides --------------------------------------------------------------------------------

void mw_formula_add_own(mw_rbuilder *b, int joint)
{
  mw_rigid *r = b->r;
  const mw_joint *j = &r->m->joint[joint];
  mw_relem *e = mw_rnode_add_own(b, joint);
  double *axes = mw_arena_f64(&r->mem, 18);
  for (int i = 0; axes && i < 3; i++) {
    const double fa[3] = { j->Fa[i], j->Fa[3 + i], j->Fa[6 + i] },
                 fb[3] = { j->Fb[i], j->Fb[3 + i], j->Fb[6 + i] };
    mw_rigid_local_dir(r, r->slot[j->a], fa, axes + 3 * i);
    mw_rigid_local_dir(r, r->slot[j->b], fb, axes + 9 + 3 * i);
  }
  e->axes = axes;
}

static void measure(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, const mw_formula *f,
                    int p, mw_rcoord_eval *v)
{
  const double *fa = e->axes + 3 * f->part[p].i, *fb = e->axes + 9 + 3 * f->part[p].j;
  mw_rcoord_eval back;
  switch (f->part[p].kind) {
  case MW_MEASURED_ALONG_A: mw_rigid_along(a, b, e->Xa, e->Xb, fa, v); return;
  case MW_MEASURED_AXES: mw_rigid_axes(a, b, fa, fb, v); return;
  default:
    mw_rigid_along(b, a, e->Xb, e->Xa, e->axes + 9 + 3 * f->part[p].i, &back);
    *v = (mw_rcoord_eval){ .s = -back.s, .s_dot = -back.s_dot, .bias = -back.bias };
    for (int i = 0; i < 6; i++) {
      v->Ja[i] = -back.Jb[i];
      v->Jb[i] = -back.Ja[i];
    }
  }
}

void mw_formula_eval(const mw_relem *e, const mw_rkin *a, const mw_rkin *b, double near,
                     const mw_rout *o)
{
  const mw_formula *f = e->class->formula;
  mw_rcoord_eval v[MW_FORMULA_PARTS];
  double x[MW_FORMULA_PARTS], rate[MW_FORMULA_PARTS], slope[MW_FORMULA_PARTS], bias = 0.0;
  (void)near;
  for (int p = 0; p < f->n; p++) {
    measure(e, a, b, f, p, &v[p]);
    x[p] = v[p].s;
    rate[p] = v[p].s_dot;
  }
  *o->g = f->eval(e->joint, x, rate, slope, &bias);
  for (int p = 0; p < f->n; p++) {
    bias += slope[p] * v[p].bias;
    for (int i = 0; i < 6; i++) {
      v[p].Ja[i] *= slope[p];
      v[p].Jb[i] *= slope[p];
    }
    mw_rput(o->Ja, o->row, v[p].Ja, v[p].Ja + 3);
    mw_rput(o->Jb, o->row, v[p].Jb, v[p].Jb + 3);
  }
  *o->gamma = -bias;
}
