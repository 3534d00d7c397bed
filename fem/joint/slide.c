// SPDX-License-Identifier: BSD-3-Clause
// slide.c: a slider on a guide of another body, on one or more runners.
//
// Guide point for arc length σ and section offset c = (c_t, c_1, c_2) in the guide's axes (t, n1,
// n2), body axes:
//   Y_a(σ) = X0 + t σ + u(σ) + exp(r(σ)~) C ,   C = t c_t + n1 c_1 + n2 c_2 ,   u, r:
//       mw_guide_field      (1)
// Slider point: x_b + Σ_i c'_i A_i(b), rigid with the slider's frame, coinciding with (1) in the
// reference configuration. Rows (n: n1 or n2 of the guide's body):
//   g_0 = t·(x_b − x_a(s))                                    defines the slide position s      (2)
//   g_k = n·(x_b,k − x_a(s + offset_k))                       a runner, rigid or λ = k g + c ġ  (3)
//   orientation (if locked): t·A2(b), t·A3(b), n1·A3(b)       relative to the guide's body      (4)
// t, n1, n2 in (2), (3), (4) are the axes of the guide's body: of an elastic one its mean axes,
// which no interface shows (Ra). Orientation tangent to an elastic guide: in (4) they turn with the
// section, f → exp(r(s)~) f, and (2) is read where the slider meets the guide's line, x_b + Σ_i
// c'_i A_i(b) with c = 0: locked, slider and section are one. dx_a/ds = E (t + u'(s) + T r'(s) ×
// exp(r~) C), T of base/vec3.h: the contact force does no work that the guide does not receive.
#include <math.h>

#include "base/vec3.h"
#include "keys/key_layer.h"
#include "mech/mech_layer.h"

enum { MAX_NODES = MW_GUIDE_MAX_NODE };

typedef struct contact {
  mw_guide_place at;
  double Y[3];           // m, guide point in body axes
  double dY[3];          // derivative in s
  double C[3];           // m, section offset in body axes
  double r[3], Cr[3];    // rad, rotation of an elastic guide; m, exp(r~) C
  double W[MAX_NODES];   // elastic guide: weights at `at`
  double W1[MAX_NODES];  // their derivatives
} contact;

// Guide point (1)
static mw_code guide_point(const mw_joint *j, const mw_side *a, double sigma, double len,
                           const double shift[3], contact *out, mw_error *err)
{
  const mw_guide *g = j->guide;
  out->at = (mw_guide_place){ .s = sigma, .len = len };
  for (int i = 0; i < 3; i++) {
    out->C[i] = g->t[i] * shift[0] + g->n1[i] * shift[1] + g->n2[i] * shift[2];
    out->Y[i] = g->X0[i] + g->t[i] * sigma + out->C[i];
    out->dY[i] = g->t[i];
    out->Cr[i] = out->C[i];
    out->r[i] = 0.0;
  }
  if (!j->guide_elastic) {
    double slack = 1e-9 * g->length;
    if (!(sigma - 0.5 * len >= -slack && sigma + 0.5 * len <= g->length + slack))
      return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a runner at %g m leaves its guide of %g m",
                     sigma, g->length);
    return MW_OK;
  }
  mw_code rc = mw_guide_weights(g, sigma, len, out->W, out->W1, NULL, err);
  if (rc != MW_OK || !a->z) return rc;
  double u[3], u1[3], r1[3];
  mw_guide_place at = out->at;
  mw_guide_field(g, at, out->W, a->z + g->z, u, out->r);
  at.order = 1;
  mw_guide_field(g, at, out->W1, a->z + g->z, u1, r1);
  mw_turn3(out->r, out->C, out->Cr);
  mw_turn_rate3(out->r, r1, r1);
  mw_cross3(r1, out->Cr, r1);
  for (int i = 0; i < 3; i++) {
    out->Y[i] += u[i] + (out->Cr[i] - out->C[i]);
    out->dY[i] += u1[i] + r1[i];
  }
  return MW_OK;
}

// Adds −n·dx_a for the body-fixed direction n (body axes) of the guide's body, and the rotation of
// n itself against d (ground axes): the derivative of n·(x − x_a) on side a.
static void add_guide(const mw_joint *j, mw_side *a, int row, const double n[3], const double d[3],
                      const contact *c, mw_joint_eval *e)
{
  const mw_guide *g = j->guide;
  double d_hat[3], m[3], minus[3] = { -n[0], -n[1], -n[2] };
  mw_mul33tv(a->p + 3, d, d_hat);
  for (int i = 0; i < 3; i++) a->J[12 * row + i] -= n[i];
  for (int b = 0; b < 3; b++)
    for (int k = 0; k < 3; k++) a->J[12 * row + 3 + 3 * b + k] += d_hat[b] * n[k] - n[b] * c->Y[k];
  e->Js[row] = -mw_dot3(n, c->dY);
  if (!j->guide_elastic) return;
  mw_cross3(c->Cr, minus, m);  // −n·(T dr × exp(r~) C)
  mw_turn_moment3(c->r, m, m);
  mw_guide_row(g, c->at, c->W, minus, m, a->Z + row * a->n_z + g->z);
}

// Ra[row] of a direction n (body axes of a) read against d (ground axes): d·(r × E n) = r·(n × d̂)
static void add_axes_turn(const mw_joint_sides *k, int row, const double n[3], const double d[3],
                          mw_joint_eval *e)
{
  double d_hat[3], m[3];
  mw_mul33tv(k->a.p + 3, d, d_hat);
  mw_cross3(n, d_hat, m);
  for (int i = 0; i < 3; i++) e->Ra[3 * row + i] += m[i];
}

// One row n·(x_b + Σ c_i A_i(b) − x_a(σ)).
static void slide_row(const mw_joint *j, mw_joint_sides *k, int row, const double n[3],
                      const double at_b[3], const contact *c, mw_joint_eval *e)
{
  double w[3], xa[3], d[3];
  mw_mul33v(k->a.p + 3, n, w);
  mw_mul33v(k->a.p + 3, c->Y, xa);
  for (int i = 0; i < 3; i++) {
    d[i] = k->b.x[i] - k->a.p[i] - xa[i];
    for (int l = 0; l < 3; l++) d[i] += at_b[l] * k->b.A[3 * l + i];
  }
  e->g[row] = mw_dot3(w, d);
  add_axes_turn(k, row, n, d, e);
  add_guide(j, &k->a, row, n, d, c, e);
  mw_side_add_point(&k->b, row, w);
  for (int l = 0; l < 3; l++) {
    double wl[3] = { at_b[l] * w[0], at_b[l] * w[1], at_b[l] * w[2] };
    mw_side_add_axis(&k->b, row, l, wl);
  }
}

// (4)
static void orientation_rows(mw_joint_sides *k, int row, mw_joint_eval *e)
{
  static const int axes[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  for (int i = 0; i < 3; i++) {
    int a = axes[i][0], b = axes[i][1];
    mw_row_axes(&k->a, &k->b, a, b, row + i, e->g);
    add_axes_turn(k, row + i, k->a.f + 3 * a, k->b.A + 3 * b, e);
  }
}

// The axes of the guide's body as they stand at the section at c: columns exp(r~) f; r and dr/ds
static void section_axes(const mw_joint *j, mw_side *a, const contact *c, double r[3], double r1[3])
{
  mw_guide_place at = c->at;
  double u[3];
  if (!a->z) return;
  mw_guide_field(j->guide, at, c->W, a->z + j->guide->z, u, r);
  at.order = 1;
  mw_guide_field(j->guide, at, c->W1, a->z + j->guide->z, u, r1);
  for (int i = 0; i < 3; i++) {
    mw_turn3(r, a->f + 3 * i, a->c + 3 * i);
    mw_mul33v(a->p + 3, a->c + 3 * i, a->A + 3 * i);
  }
}

// (4), tangent to an elastic guide
static void tangent_rows(const mw_joint *j, mw_joint_sides *k, int row, const contact *c,
                         mw_joint_eval *e)
{
  static const int axes[3][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
  const double none[3] = { 0.0, 0.0, 0.0 };
  mw_side *a = &k->a;
  double r[3] = { 0.0 }, r1[3] = { 0.0 }, w_hat[3], m[3];
  section_axes(j, a, c, r, r1);
  for (int i = 0; i < 3; i++) {
    int ia = axes[i][0], ib = axes[i][1];
    mw_row_axes(a, &k->b, ia, ib, row + i, e->g);
    mw_mul33tv(a->p + 3, k->b.A + 3 * ib, w_hat);
    mw_cross3(a->c + 3 * ia, w_hat, m);  // w·(T dr × c) = dr·Tᵀ (c × ŵ)
    mw_turn_moment3(r, m, m);
    mw_guide_row(j->guide, c->at, c->W, none, m, a->Z + (row + i) * a->n_z + j->guide->z);
    e->Js[row + i] += mw_dot3(m, r1);
  }
}

static mw_code elastic(const mw_joint *j, mw_joint_sides *k, mw_joint_eval *e, mw_error *err)
{
  const mw_guide *g = j->guide;
  const double zero[3] = { 0.0, 0.0, 0.0 };
  contact c;
  bool tangent = j->in->tangent && j->guide_elastic;
  double foot[3] = { 0.0, tangent ? -j->gap[0] : 0.0, tangent ? -j->gap[1] : 0.0 };
  if (g->n > MAX_NODES)
    return mw_fail(err, MW_ERR_INPUT, j->in->at, "guide of %d nodes, at most %d expected", g->n,
                   (int)MAX_NODES);
  // (2)
  mw_code rc = guide_point(j, &k->a, k->s, 0.0, zero, &c, err);
  if (rc == MW_OK) slide_row(j, k, 0, g->t, foot, &c, e);
  // (3)
  int row = 1;
  for (int i = 0; rc == MW_OK && i < j->in->n_runner; i++) {
    const mw_runner *r = &j->in->runner[i];
    rc = guide_point(j, &k->a, k->s + r->offset, r->length, r->shift, &c, err);
    if (rc != MW_OK) break;
    double at_b[3] = { r->offset + r->shift[0], r->shift[1] - j->gap[0], r->shift[2] - j->gap[1] };
    for (int d = 0; d < 2; d++)
      if (r->dir[d]) slide_row(j, k, row++, d == 0 ? g->n1 : g->n2, at_b, &c, e);
  }
  if (rc != MW_OK || !j->in->lock_rotation) return rc;
  // (4)
  if (!tangent)
    orientation_rows(k, row, e);
  else if ((rc = guide_point(j, &k->a, k->s, 0.0, zero, &c, err)) == MW_OK)
    tangent_rows(j, k, row, &c, e);
  return rc;
}

// Rigid guide: n·t = 0 takes s out of (3), which becomes n·(x_b + Σ c'_i A_i(b) − E (X0 + C)) with
// constant points; the coordinate is t·(x_b − x_a).
static void rows(const mw_joint *j, mw_row_list *l)
{
  const mw_guide *g = j->guide;
  for (int i = 0; i < j->in->n_runner; i++) {
    const mw_runner *r = &j->in->runner[i];
    double at_b[3] = { r->offset + r->shift[0], r->shift[1] - j->gap[0], r->shift[2] - j->gap[1] };
    for (int d = 0; d < 2; d++) {
      if (!r->dir[d]) continue;
      mw_row *row = mw_row_add(l, j, MW_ROW_ALONG, 1 + d, 0);
      for (int k = 0; k < 3; k++) {
        row->Xa[k] = g->X0[k] + g->n1[k] * r->shift[1] + g->n2[k] * r->shift[2];
        for (int c = 0; c < 3; c++) row->Xb[k] += j->Fb[3 * k + c] * at_b[c];
      }
      row->k = r->stiffness[d];
      row->d = r->damping[d];
    }
  }
  if (!j->in->lock_rotation) return;
  mw_row_add(l, j, MW_ROW_AXES, 0, 1);
  mw_row_add(l, j, MW_ROW_AXES, 0, 2);
  mw_row_add(l, j, MW_ROW_AXES, 1, 2);
}

static void place(const mw_mech *m, mw_joint *j, const double d[3], double *s0)
{
  (void)m;
  *s0 = d[0];
  j->gap[0] = d[1];
  j->gap[1] = d[2];
}

static const mw_key runner_keys[] = {
  { "offset", 0, NUMBER("m"), "0", "along the guide from the slider's frame" },
  { "shift", 0, VECTOR_AS("m", MW_MIRROR_GUIDE), "[0, 0, 0]",
    "contact point off the guide line, along t, n1, n2" },
  { "directions", 0, LIST(1, 2, WORDS("n1 n2")), "[n1, n2]", "normals it acts along" },
  { "length", 0, FROM0("m"), "0",
    "contact length, 0: a point; along it the mean displacement counts; stays on the guide as a "
    "whole" },
  { "stiffness", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .lo_open = true, .hi = INFINITY,
          .words = "rigid",
          .item = SHAPE(.scalar = MW_S_NUMBER, .unit = "N/m", .lo = 0, .lo_open = true,
                        .hi = INFINITY, .words = "rigid"),
          .n_min = 2, .n_max = 2),
    "rigid", "along n1 and n2; rigid: a constraint" },
  { "damping", 0,
    SHAPE(.scalar = MW_S_NUMBER, .unit = "N s/m", .lo = 0, .hi = INFINITY, .item = FROM0("N s/m"),
          .n_min = 2, .n_max = 2),
    "0", "along n1 and n2" },
  { .name = NULL },
};
const mw_key mw_joint_slide_keys[] = {
  { "guide", REQUIRED, GUIDE_REF, NULL, "body.guide it runs on" },
  { "on", REQUIRED, FRAME_REF, NULL, "body.frame of the slider" },
  { "orientation", 0, WORDS("free fixed tangent"), "free",
    "fixed: the slider keeps its orientation in the guide's body, in the mean axes of an elastic "
    "one; tangent: in the "
    "section of the beam under it, whose slope and twist it follows" },
  { "runners", 0, LIST(0, 64, MAPPING(runner_keys)), NULL,
    "contacts; default: one rigid point at offset 0; []: none, the coordinate is measured only (a "
    "ball screw's "
    "line)" },
  { .name = NULL },
};

const mw_joint_class mw_joint_slide = {
  .measure = { MW_MEASURE_TRAVEL },
  .draw = MW_DRAW_RUNNERS,
  .rows = rows,
  .place = place,
  .elastic = elastic,
};
