// SPDX-License-Identifier: BSD-3-Clause
// test_rigid_joint.c: every joint between two rigid bodies in arbitrary configurations: J is the
// derivative of g, γ that of J v, the rows are independent, the coordinate's rate is its
// derivative, turns are counted.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/joint.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "mw_test.h"

enum { CONFIGURATIONS = 6 };

typedef struct kind {
  const char *name, *text;  // the joint j
  int rows;
} kind;

// Both bodies are free but for the joint; their frames at meet the joint's demands.
static const kind kinds[] = {
  { "fixed", "j: { fixed: { a: a.p, b: b } }", 6 },
  { "revolute", "j: { revolute: { a: a.p, b: b, axis: [1, 2, -1] }, coordinate: s }", 5 },
  { "prismatic", "j: { prismatic: { a: a.p, b: b, axis: [1, 2, -1] }, coordinate: s }", 5 },
  { "cylindrical, travel", "j: { cylindrical: { a: a.p, b: b, axis: [1, 2, -1] }, coordinate: s }",
    4 },
  { "cylindrical, angle",
    "j: { cylindrical: { a: a.p, b: b, axis: [1, 2, -1] }, coordinate: s, measure: angle }", 4 },
  { "spherical", "j: { spherical: { a: a.p, b: b } }", 3 },
  // both frames have the ground axes
  { "universal, angle",
    "j: { universal: { a: a.p, b: b, axis: [0, 0, 1], axis_b: [1, 0, 0] }, coordinate: s }", 4 },
  { "universal, second",
    "j: { universal: { a: a.p, b: b, axis: [0, 0, 1], axis_b: [1, 0, 0] }, coordinate: s, "
    "measure: second }",
    4 },
  { "planar", "j: { planar: { a: a.p, b: b, normal: [1, 2, -1] }, coordinate: s }", 3 },
  { "primitives, travel",
    "j: { primitives: { a: a.p, b: b, z: [1, 2, -1], x: [1, 0, 1], hold: [x, xy, zx, yz] }, "
    "coordinate: s }",
    4 },
  { "primitives, angle",
    "j: { primitives: { a: a.p, b: b, z: [1, 2, -1], x: [1, 0, 1], hold: [zx, zy, z] }, "
    "coordinate: s, measure: angle }",
    3 },
  { "screw", "j: { screw: { a: a.p, b: b, axis: [1, 2, -1], pitch: 0.4 }, coordinate: s }", 5 },
  { "screw, left-handed",
    "j: { screw: { a: a.p, b: b, axis: [1, 2, -1], pitch: -0.4 }, coordinate: s }", 5 },
  { "screw, travel",
    "j: { screw: { a: a.p, b: b, axis: [1, 2, -1], pitch: 0.4 }, coordinate: s, measure: travel }",
    5 },
  { "distance", "j: { distance: { a: a, b: b.q } }", 1 },
  { "curve",
    "j: { curve: { a: a.p, b: b, points: [[0,0,0], [1,0.2,0], [1.5,1,0.3], [0.8,1.6,0.5], "
    "[-0.2,1,0.2]], closed: true }, "
    "coordinate: s }",
    2 },
  { "rolling",
    "j: { rolling: { a: a.p, b: b, normal: [0, 0, 1], axis_b: [0, 1, 0], radius: 0.3 } }", 3 },
  { "wheels",
    "j: { wheels: { a: a.p, b: b.q, axis: [0.6, -0.5, 0], teeth: [17, 29], pressure_angle: 0.7, "
    "helix: 0.3 } }",
    1 },
  { "wheels, ring",
    "j: { wheels: { a: a.p, b: b.q, axis: [0.6, -0.5, 0], teeth: [20, -63], pressure_angle: 0.7, "
    "helix: -0.2, moment: negative } }",
    1 },
  { "wheels, ring of a",
    "j: { wheels: { a: a.p, b: b.q, axis: [0.6, -0.5, 0], teeth: [-60, 24], pressure_angle: 0 } }",
    1 },
  { "rack", "j: { rack: { a: a.p, b: b.q, axis: [1, 2, -1], along: [1, 0, 1], helix: 0.3 } }", 1 },
  { "rack, other side",
    "j: { rack: { a: a.p, b: b.q, axis: [-1, -2, 1], along: [1, 0, 1], helix: 0.3, moment: "
    "negative } }",
    1 },
  { "gear",
    "j: { revolute: { a: a.p, b: b, axis: [1, 2, -1] }, coordinate: s }\n"
    "  k: { prismatic: { a: b, b: c, axis: [0, 1, 0] }, coordinate: z }\n"
    "  l: { gear: { first: s, second: z, ratio: 0.15 } }",
    11 },
  { "slide",
    "j: { slide: { guide: a.rail, on: b, orientation: fixed, runners: [ { offset: 0 } ] }, "
    "coordinate: s }",
    5 },
  { "slide, tangent",
    "j: { slide: { guide: a.rail, on: b, orientation: tangent, runners: [ { offset: 0 } ] }, "
    "coordinate: s }",
    5 },
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static const char *const model_text =
    "modeway: 1\n"
    "bodies:\n"
    "  a: { at: [0.3, -0.2, 0.1], rigid: { mass: 2, com: [0.1, 0.3, -0.2], inertia: [1, 1.5, 1.2, "
    "0.1, -0.2, 0.05] }, "
    "frames: { p: { point: [0.4, 0.1, 0.2] } }, guides: { rail: { points: [[-3, 0.1, 0.2], [5, "
    "0.1, 0.2]] } } }\n"
    "  b: { at: [0.7, -0.1, 0.3], rigid: { mass: 3, com: [-0.2, 0.1, 0.3], inertia: [0.8, 0.9, "
    "1.1, -0.1, 0.05, 0.1] }, "
    "frames: { q: { point: [0.5, 0.6, 0.7] } } }\n"
    "  c: { at: [0.7, -0.1, 0.3], rigid: { mass: 1, inertia: [0.5, 0.6, 0.7, 0, 0, 0] } }\n"
    "joints:\n"
    "  %s\n"
    "forces:\n"
    "  fa: { point: { on: a, direction: [1, 0, 0] } }\n"
    "  fb: { point: { on: b, direction: [0, 1, 0] } }\n"
    "  fc: { point: { on: c, direction: [0, 1, 0] } }\n";

typedef struct rig {
  mw_fixture f;
  mw_rigid *r;
  mw_rigid_work *w;
  mw_rigid_size n;
  double reach;  // m and rad that bodies are moved by, at most
  double *q, *v, *a, *u, *g, *gd;
} rig;

static bool rig_init(const char *text, const mw_rigid_opt *opt, rig *k)
{
  mw_error err = { 0 };
  *k = (rig){ 0 };
  if (!MW_CHECK(mw_fixture_text(text, &k->f))) return false;
  if (!MW_OKAY(mw_rigid_build(&k->f.mech, opt, &k->r, &err)) ||
      !MW_OKAY(mw_rigid_work_build(k->r, &k->w, &err)))
    return false;
  k->n = mw_rigid_sizes(k->r);
  double **v[] = { &k->q, &k->v, &k->a, &k->u, &k->g, &k->gd };
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    *v[i] = mw_arena_f64(&k->f.mem, (size_t)(k->n.n_q + k->n.n_row));
  mw_rigid_from_frames(k->r, k->f.mech.p0, k->q);
  return MW_OKAY(mw_arena_check(&k->f.mem, &err));
}

static void rig_free(rig *k)
{
  mw_rigid_work_free(k->w);
  mw_rigid_free(k->r);
  mw_fixture_free(&k->f);
}

static bool rig_kind(const kind *t, rig *k)
{
  char text[4096];
  mw_rigid_opt opt = mw_rigid_opt_default();
  snprintf(text, sizeof text, model_text, t->text);
  bool fine = rig_init(text, &opt, k);
  // wheels: near a common plane, and not so near that no line of contact is left
  k->reach = strncmp(t->name, "wheels", 6) == 0 ? 0.02 : 0.5;
  if (!fine) printf("  joint %s\n", t->name);
  return fine;
}

static int rows_of_class(const mw_joint *j)
{
  int n = mw_joint_class_of(j->in)->n_own;
  for (int i = 0; i < j->n_list; i++) n += j->list[i].kind == MW_ROW_POINT ? 3 : 1;
  return n;
}

// Each kind of joint is tested here, and has the rows that its class says it has.
static void every_kind_has_the_rows_of_its_class(void)
{
  bool seen[MW_JOINT_KINDS] = { [MW_JOINT_SPRING] = true };  // test_turn.c
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    if (!rig_kind(&kinds[t], &k)) continue;
    int sum = 0;
    for (int j = 0; j < k.f.mech.n_joint; j++) {
      sum += rows_of_class(&k.f.mech.joint[j]);
      seen[k.f.mech.joint[j].in->kind] = true;
    }
    if (!MW_CHECK(sum == kinds[t].rows)) printf("  joint %s\n", kinds[t].name);
    rig_free(&k);
  }
  for (int i = 0; i < MW_JOINT_KINDS; i++) {
    const mw_joint_class *c = mw_joint_classes[i];
    if (!MW_CHECK(seen[i] && c->n_rate <= c->n_own && (c->n_own > 0) == (c->add_own != NULL)))
      printf("  joint %s\n", mw_joint_key((mw_joint_kind)i));
  }
}

static double arbitrary(unsigned *seed)  // in (−1, 1)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// An arbitrary configuration on the constraints, an arbitrary velocity that keeps them.
static bool shake(rig *k, unsigned *seed)
{
  mw_error err = { 0 };
  for (int i = 0; i < k->n.n_u; i++) k->u[i] = k->reach * arbitrary(seed);
  mw_rigid_move(k->r, k->q, k->u, k->q);
  if (!MW_OKAY(mw_rigid_assemble(k->r, k->w, 0.0, k->q, 1e-14, &err))) return false;
  mw_rigid_accept(k->r, k->w, k->q);
  for (int i = 0; i < k->n.n_u; i++) k->u[i] = arbitrary(seed);
  mw_rigid_rates(k->r, k->q, k->u, k->v);
  if (!MW_OKAY(mw_rigid_project_v(k->r, k->w, 0.0, k->q, k->v, true, &err))) return false;
  return MW_OKAY(mw_rigid_accel(k->r, k->w, 0.0, k->q, k->v, k->a, &err));
}

// Gaps and rates at t = h on the path q + h v + h²/2 a.
static void rows_at(const rig *k, double h, double *g, double *gd)
{
  size_t n = (size_t)k->n.n_q;
  double *q = malloc(3 * n * sizeof *q), *v = q + n, *u = v + n;
  for (size_t i = 0; i < n; i++) {
    q[i] = k->q[i] + h * (k->v[i] + 0.5 * h * k->a[i]);
    v[i] = k->v[i] + h * k->a[i];
  }
  mw_rigid_twist(k->r, q, v, u);
  mw_rigid_rows(k->r, k->w, h, q, u, g, gd, NULL, NULL);
  free(q);
}

// Richardson's central difference of column `which` (0: g, 1: ġ) of row i: error h⁴ times fifth
// derivatives (below 1e2 with rates of order one), rounding DBL_EPSILON/h.
static double slope(const rig *k, int which, int i)
{
  static const double H = 1e-3;
  double *y = malloc(2 * (size_t)k->n.n_row * sizeof *y), *g = y, *gd = y + k->n.n_row, d[2];
  for (int l = 0; l < 2; l++) {
    double h = H * (l + 1), hi, lo;
    rows_at(k, h, g, gd);
    hi = which ? gd[i] : g[i];
    rows_at(k, -h, g, gd);
    lo = which ? gd[i] : g[i];
    d[l] = (hi - lo) / (2.0 * h);
  }
  free(y);
  return (4.0 * d[0] - d[1]) / 3.0;
}

static const double SLOPE_TOL = 1e-9;  // 1e2 H⁴ = 1e-10, rounding of g, ġ (a few 1e-16)/H = 1e-12

static void jacobian_is_derivative_of_g(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 7u + (unsigned)t;
    if (!rig_kind(&kinds[t], &k)) continue;
    bool rolling = strcmp(kinds[t].name, "rolling") == 0;
    MW_CHECK(k.n.n_row == kinds[t].rows);
    for (int c = 0; c < CONFIGURATIONS && shake(&k, &seed); c++) {
      // any velocity will do; curves and rolling are defined on the constraints alone
      if (strcmp(kinds[t].name, "curve") != 0) {
        for (int i = 0; i < k.n.n_u; i++) k.u[i] = arbitrary(&seed);
        mw_rigid_rates(k.r, k.q, k.u, k.v);
        memset(k.a, 0, (size_t)k.n.n_q * sizeof(double));
      }
      // slide: its coordinate's row is no constraint here
      mw_rigid_twist(k.r, k.q, k.v, k.u);
      mw_rigid_rows(k.r, k.w, 0.0, k.q, k.u, k.g, k.gd, NULL, NULL);
      double *want = malloc((size_t)k.n.n_row * sizeof *want);
      memcpy(want, k.gd, (size_t)k.n.n_row * sizeof *want);
      for (int i = 0; i < (rolling ? 1 : k.n.n_row); i++) {
        MW_CHECK(fabs(k.g[i]) < 1e-12);
        if (!MW_NEAR(slope(&k, 0, i), want[i], SLOPE_TOL))
          printf("  joint %s, row %d\n", kinds[t].name, i);
      }
      free(want);
    }
    rig_free(&k);
  }
}

// With the accelerations of the equations of motion, d/dt (J v + g_t) = J a − γ = 0.
static void gamma_is_what_keeps_the_rates(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 70u + (unsigned)t;
    if (!rig_kind(&kinds[t], &k)) continue;
    for (int c = 0; c < CONFIGURATIONS && shake(&k, &seed); c++)
      for (int i = 0; i < k.n.n_row; i++)
        if (!MW_WITHIN(slope(&k, 1, i), 0.0, 10.0 * SLOPE_TOL,
                       "the order of differences, of the largest derivatives"))
          printf("  joint %s, row %d\n", kinds[t].name, i);
    rig_free(&k);
  }
}

static void rows_of_a_joint_are_independent(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 700u + (unsigned)t;
    if (!rig_kind(&kinds[t], &k)) continue;
    for (int c = 0; c < CONFIGURATIONS && shake(&k, &seed); c++)
      MW_CHECK(mw_rigid_redundant(k.r, k.w, NULL) == 0);
    rig_free(&k);
  }
}

// v [n_body × 12]: rates of the frames p in body axes; they are linear in q.
static void frame_rates(rig *k, const double *p, double *v)
{
  const mw_mech *m = &k->f.mech;
  memcpy(v, p, 12 * (size_t)m->n_body * sizeof *v);
  for (int i = 0; i < k->n.n_q; i++) k->g[i] = k->q[i] + k->v[i];
  mw_rigid_to_frames(k->r, k->g, v);
  for (int b = 0; b < m->n_body; b++) {
    double d[12];
    for (int i = 0; i < 12; i++) d[i] = v[12 * b + i] - p[12 * b + i];
    mw_mul33tv(p + 12 * b + 3, d, v + 12 * b);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double *E = p + 12 * b + 3;
        v[12 * b + 3 + 3 * i + j] = E[i] * d[3 + j] + E[3 + i] * d[6 + j] + E[6 + i] * d[9 + j];
      }
  }
}

// Elastic bodies that do not deform: their rows, written in other words, vanish where the rigid
// ones do, and so do their rates.
static void rows_on_elastic_bodies_are_those_on_rigid_ones(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 27u + (unsigned)t;
    mw_error err = { 0 };
    if (!rig_kind(&kinds[t], &k)) continue;
    const mw_mech *m = &k.f.mech;
    mw_joint_eval e = mw_joint_eval_init(m, &k.f.mem);
    double *p = mw_arena_f64(&k.f.mem, 24 * (size_t)m->n_body), *v = p + 12 * m->n_body;
    double s[MW_JOINT_KINDS] = { 0.0 }, s_dot[MW_JOINT_KINDS] = { 0.0 };
    memcpy(p, m->p0, 12 * (size_t)m->n_body * sizeof *p);  // of the ground
    for (int c = 0; c < CONFIGURATIONS && shake(&k, &seed); c++) {
      mw_rigid_to_frames(k.r, k.q, p);
      frame_rates(&k, p, v);
      mw_rigid_coords(k.r, k.w, k.q, k.v, s, s_dot);
      for (int j = 0; j < m->n_joint; j++) {
        const mw_joint *jt = &m->joint[j];
        if (!MW_OKAY(mw_joint_eval_at(m, j, p + 12 * jt->a, NULL, p + 12 * jt->b, NULL,
                                      jt->coord < 0 ? 0.0 : s[jt->coord], &e, &err)))
          continue;
        for (int i = 0; i < jt->n_row; i++) {
          double rate = jt->coord < 0 ? 0.0 : e.Js[i] * s_dot[jt->coord];
          for (int l = 0; l < 12; l++)
            rate += e.Ja[12 * i + l] * v[12 * jt->a + l] + e.Jb[12 * i + l] * v[12 * jt->b + l];
          // assembled to 1e-14 of the size; rates projected likewise, sums of some fifty products
          // below ten
          if (!MW_NEAR(e.g[i], 0.0, 1e-12) || !MW_NEAR(rate, 0.0, 1e-12))
            printf("  joint %s, row %d\n", kinds[t].name, i);
        }
      }
    }
    rig_free(&k);
  }
}

// Forces of joints are internal: momentum and angular momentum change by the applied forces alone.
static void reactions_are_internal(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 17u + (unsigned)t;
    if (!rig_kind(&kinds[t], &k) || !shake(&k, &seed)) continue;
    double P[3] = { 0 }, L[3] = { 0 }, size = 0.0, want[3] = { 1.0, 2.0, 0.0 }, M[3] = { 0 };
    for (int b = 0; b < k.n.n_body; b++) {
      const mw_rigid_body *body = &mw_rigid_bodies(k.r)[b];
      const double *o = k.q + 12 * b, *E = o + 3, *a = k.a + 12 * b, *Edd = a + 3;
      double x[3];
      mw_cross3(o, a, x);
      for (int i = 0; i < 3; i++) {
        P[i] += body->m * a[i];
        L[i] += body->m * x[i];
      }
      // Σ J_i e_i × ë_i, J_i the planar moments
      double half = 0.5 * (body->I[0] + body->I[1] + body->I[2]);
      for (int c = 0; c < 3; c++) {
        double e[3] = { E[c], E[3 + c], E[6 + c] }, d[3] = { Edd[c], Edd[3 + c], Edd[6 + c] };
        mw_cross3(e, d, x);
        for (int i = 0; i < 3; i++) L[i] += (half - body->I[c]) * x[i];
      }
    }
    // applied: (1, 0, 0) at a's origin, (0, 1, 0) at b's and c's
    static const double F[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 1, 0 } };
    const double zero[3] = { 0.0 };
    for (int b = 1; b <= 3; b++) {
      double x[3], m[3];
      mw_rigid_point(k.r, (mw_ref){ .body = b, .attach = -1 }, zero, k.q, NULL, x, NULL);
      mw_cross3(x, F[b - 1], m);
      for (int i = 0; i < 3; i++) M[i] += m[i];
    }
    for (int i = 0; i < k.n.n_q; i++) size = fmax(size, fabs(k.a[i]));
    // sums of some fifty products of accelerations and lever arms below ten
    for (int i = 0; i < 3; i++) {
      MW_NEAR(P[i], want[i], mw_test_rounding(50.0, 10.0 * fmax(size, 1.0)));
      if (!MW_NEAR(L[i], M[i], mw_test_rounding(50.0, 10.0 * fmax(size, 1.0))))
        printf("  joint %s\n", kinds[t].name);
    }
    rig_free(&k);
  }
}

static void rate_of_a_coordinate_is_its_derivative(void)
{
  for (int t = 0; t < N_KIND; t++) {
    rig k;
    unsigned seed = 77u + (unsigned)t;
    if (!rig_kind(&kinds[t], &k)) continue;
    for (int c = 0; c < CONFIGURATIONS && k.n.n_coord > 0 && shake(&k, &seed); c++) {
      double s[2], s_dot[2], d[2], hi[2], lo[2];
      double *q = malloc((size_t)k.n.n_q * sizeof *q);
      mw_rigid_coords(k.r, k.w, k.q, k.v, s, s_dot);
      for (int l = 0; l < 2; l++) {
        double h = 1e-3 * (l + 1);
        for (int i = 0; i < k.n.n_q; i++) q[i] = k.q[i] + h * (k.v[i] + 0.5 * h * k.a[i]);
        mw_rigid_coords(k.r, k.w, q, NULL, hi, NULL);
        for (int i = 0; i < k.n.n_q; i++) q[i] = k.q[i] - h * (k.v[i] - 0.5 * h * k.a[i]);
        mw_rigid_coords(k.r, k.w, q, NULL, lo, NULL);
        d[l] = (hi[0] - lo[0]) / (2.0 * h);
      }
      if (!MW_NEAR((4.0 * d[0] - d[1]) / 3.0, s_dot[0], SLOPE_TOL))
        printf("  joint %s\n", kinds[t].name);
      free(q);
    }
    rig_free(&k);
  }
}

// ---- a shaft ------------------------------------------------------------------------------------

static const char *const shaft =
    "modeway: 1\n"
    "bodies:\n"
    "  wheel: { rigid: { mass: 1, inertia: [0.5, 0.6, 0.7, 0, 0, 0] } }\n"
    "joints:\n"
    "  hinge: { revolute: { a: ground, b: wheel, axis: [0, 0, 1] }, coordinate: phi, drive: motor "
    "}\n"
    "scenarios:\n"
    "  turn: { duration: 1, step: 1e-3, drives: { motor: { position: { sine: { amplitude: 2, "
    "frequency: 0.5 } } } } }\n";

static void turns_are_counted(void)
{
  rig k;
  mw_rigid_opt opt = mw_rigid_opt_default();
  if (!rig_init(shaft, &opt, &k)) return;
  double s[1], u[6] = { 0.0 };
  for (int i = 1; i <= 40; i++) {
    u[5] = 0.5;
    mw_rigid_move(k.r, k.q, u, k.q);
    mw_rigid_accept(k.r, k.w, k.q);
    mw_rigid_coords(k.r, k.w, k.q, NULL, s, NULL);
    // forty rotations, each with a few roundings of E
    MW_NEAR(s[0], 0.5 * i, mw_test_rounding(40.0 * 10.0, 20.0));
  }
  for (int i = 39; i >= -40; i--) {
    u[5] = -0.5;
    mw_rigid_move(k.r, k.q, u, k.q);
    mw_rigid_accept(k.r, k.w, k.q);
  }
  mw_rigid_coords(k.r, k.w, k.q, NULL, s, NULL);
  MW_NEAR(s[0], -20.0, mw_test_rounding(120.0 * 10.0, 20.0));
  rig_free(&k);
}

// φ = 2 sin(π t): rate 2π cos, acceleration −2π² sin; the wheel turns with it, the drive gives I
// φ̈.
static void driven_coordinate_follows_its_function_of_time(void)
{
  static const double PI = 3.14159265358979323846;
  mw_fixture f;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(shaft, &f))) return;
  mw_rigid_opt opt = mw_rigid_opt_default();
  opt.scenario = &f.model.scenario[0];
  mw_rigid *r;
  mw_rigid_work *w;
  double q[12], v[12] = { 0.0 }, a[12], s[1], s_dot[1], force[1], t = 0.2;
  MW_OKAY(mw_rigid_build(&f.mech, &opt, &r, &err));
  MW_OKAY(mw_rigid_work_build(r, &w, &err));
  mw_rigid_from_frames(r, f.mech.p0, q);
  MW_OKAY(mw_rigid_project_q(r, w, t, q, 1e-14, 20, true, NULL, &err));
  MW_OKAY(mw_rigid_project_v(r, w, t, q, v, true, &err));
  MW_OKAY(mw_rigid_accel(r, w, t, q, v, a, &err));
  mw_rigid_coords(r, w, q, v, s, s_dot);
  mw_rigid_drive_forces(r, w, force);
  MW_NEAR(s[0], 2.0 * sin(PI * t), 1e-13);
  MW_NEAR(s_dot[0], 2.0 * PI * cos(PI * t), 1e-13 * 10.0);
  MW_WITHIN(force[0], -0.7 * 2.0 * PI * PI * sin(PI * t), 1e-12 * 10.0,
            "what projections may leave");
  mw_rigid_work_free(w);
  mw_rigid_free(r);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "every_kind_has_the_rows_of_its_class", every_kind_has_the_rows_of_its_class },
    { "jacobian_is_derivative_of_g", jacobian_is_derivative_of_g },
    { "gamma_is_what_keeps_the_rates", gamma_is_what_keeps_the_rates },
    { "rows_of_a_joint_are_independent", rows_of_a_joint_are_independent },
    { "rows_on_elastic_bodies_are_those_on_rigid_ones",
      rows_on_elastic_bodies_are_those_on_rigid_ones },
    { "reactions_are_internal", reactions_are_internal },
    { "rate_of_a_coordinate_is_its_derivative", rate_of_a_coordinate_is_its_derivative },
    { "turns_are_counted", turns_are_counted },
    { "driven_coordinate_follows_its_function_of_time",
      driven_coordinate_follows_its_function_of_time },
  };
  return mw_test_run("rigid_joint", cases, (int)(sizeof cases / sizeof *cases));
}
