// SPDX-License-Identifier: BSD-3-Clause
// test_extra_coarse.c: second order and convective dissipation of a large table, made at some of
// its points (extra_coarse.c), against the same made at all of them.
//
// Columns are K⁻¹f of loads fixed in the bodies: smooth in theta as they are, so that no modes are
// followed. X: any of the parts, S_i: the cubic spline along axis i through the points that are
// kept, h_i apart, Λ_i: the largest sum of its weights' sizes,
//   X − S_0 S_1 S_2 X_k = (X − S_0 X) + S_0 (X − S_1 X) + S_0 S_1 (X − S_2 X)
//                         + S_0 S_1 S_2 (X − X_k)
//   |f − S_i f| <= (1 + Λ_i) |f − s| for any spline s of its space, of which complete cubic
//     interpolation errs by 5/384 h_i⁴ max |f''''|                                              (1)
// (de Boor, A practical guide to splines, ch. V; the bound for the uniform norm). X_k: what is made
// at the kept points alone; slopes of the splines there, which dissipation takes, differ.
#include <float.h>
#include <math.h>

#include "../fixture.h"
#include "base/dense.h"
#include "mw_test.h"
#include "pass_layer.h"
#include "reduction/axis.h"
#include "second/extra_layer.h"
#include "work/offline_layer.h"

enum { S = 3, COLUMNS = 3, GRID = 5, MOST = 8 };
static const int FACTOR[S] = { 4, 2, 4 }, KEPT[S] = { 2, 2, 2 };

// A cart on damped runners on an elastic beam, on it a wheel on a bushing and a tool that turns on
// another.
static const char *const CHAIN =
    "modeway: 1\n"
    "name: chain\n"
    "gravity: [0.5, -2, -9.81]\n"

    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections: { bar: { rectangle: { width: 0.05, height: 0.03 } } }\n"
    "bodies:\n"
    "  bed:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [2, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: bar, material: alu, elements: 3, up: [0, 0, 1] } "
    "]\n"
    "    supports: [ { nodes: a }, { nodes: b } ]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "  cart:\n"
    "    at: [0.7, 0.02, 0.1]\n"
    "    rigid: { mass: 3, com: [0.05, 0.02, 0.03], inertia: [0.02, 0.03, 0.04, 0, 0, 0] }\n"
    "    frames: { axle: { point: [0.05, 0.03, 0.1] } }\n"
    "  hub:\n"
    "    at: [0.75, 0.05, 0.2]\n"
    "    rigid: { mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] }\n"
    "    frames: { axle: { point: [0, 0, 0] }, side: { point: [0.1, 0, 0.1] } }\n"
    "  wheel:\n"
    "    at: [0.85, 0.05, 0.3]\n"
    "    rigid: { mass: 1, com: [0.1, 0.05, 0.02], inertia: [0.01, 0.02, 0.025, 0.001, 0, 0] }\n"
    "    frames: { foot: { point: [0, 0, 0] }, head: { point: [0.2, 0.2, 0.05] } }\n"
    "  tool:\n"
    "    at: [1.05, 0.25, 0.35]\n"
    "    rigid: { mass: 0.7, com: [0.1, -0.05, 0.2], inertia: [0.01, 0.012, 0.015, 0, 0.002, 0] }\n"
    "    frames: { foot: { point: [0, 0, 0] }, tip: { point: [0.2, 0.1, 0.3] } }\n"
    "joints:\n"
    "  x:\n"
    "    slide:\n"
    "      guide: bed.rail\n"
    "      on: cart\n"
    "      orientation: free\n"
    "      runners:\n"
    "        - { offset: -0.1, shift: [0, 0.02, 0.05], stiffness: 1e6, damping: 100 }\n"
    "        - { offset: 0.1, shift: [0, 0.02, 0.05], stiffness: 2e6, damping: 200 }\n"
    "        - { offset: 0.0, shift: [0, 0, -0.05], directions: [n1], stiffness: 1e6 }\n"
    "    coordinate: x\n"
    "    drive: motor\n"
    "  axle: { revolute: { a: cart.axle, b: hub.axle, axis: [0, 1, 0] }, coordinate: psi, "
    "drive: swing }\n"
    "  head: { revolute: { a: wheel.head, b: tool.foot, axis: [0.3, 0.2, 1] }, coordinate: phi, "
    "drive: turn }\n"
    "springs:\n"
    "  bush: { a: hub.side, b: wheel.foot, stiffness: [9e4, 8e4, 7e4, 700, 800, 900] }\n"
    "drives: { push: { force: { on: tool.tip, direction: [1, 2, 3] } } }\n"
    "outputs: { tip: { frame: tool.tip } }\n"
    "reduction:\n"
    "  coordinates:\n"
    "    x: { range: [0.4, 1.4], points: 5 }\n"
    "    psi: { range: [-0.6, 0.6], points: 5 }\n"
    "    phi: { range: [-0.8, 0.8], points: 5 }\n"
    "  modes: { count: 3 }\n";

// Columns at all points of r's grid
static bool columns(mw_reduction *r)
{
  mw_error err = { 0 };
  size_t n = (size_t)r->n;
  mw_arena tmp = { 0 };
  double *F = mw_arena_f64(&tmp, COLUMNS * n);
  bool good = F != NULL;
  r->m = r->m_modes = COLUMNS;
  // the tool's unknowns are the last
  for (int a = 0; good && a < COLUMNS; a++) F[(size_t)a * n + n - 6 + (size_t)a] = 1.0;
  for (int g = 0; good && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double theta[MW_ROM_MAX_S];
    mw_reduction_theta(r, g, theta);
    good = MW_OKAY(mw_config_at(r->mech, r->locked, r->s, r->coord, theta,
                                g > 0 ? &r->point[g - 1].q : NULL, &pt->mem, &pt->q, &err)) &&
           MW_OKAY(mw_system_build(r->blocks, r->locked, 0, pt->q.p, pt->q.s, &pt->sys, &err));
    pt->Psi = mw_arena_f64(&pt->mem_pass, COLUMNS * n);
    good = good && MW_CHECK(pt->Psi != NULL) &&
           MW_OKAY(mw_system_solve_many(pt->sys, COLUMNS, F, pt->Psi, &err));
  }
  mw_arena_free(&tmp);
  return good;
}

// A reduction of f on `factor` intervals for one of its grid; first: told that it has such a grid
static bool open_table(const mw_fixture *f, mw_offline *z, const int factor[S], bool first,
                       mw_reduction *r)
{
  mw_error err = { 0 };
  if (!MW_OKAY(mw_reduction_init(&f->model, &f->mech, NULL, r, &err))) return false;
  r->offline = z;
  mw_pass_use(r, &z->fine);
  for (int i = 0; i < S; i++) {
    r->first.axis[i] = r->axis[i];
    r->first.factor[i] = factor[i];
    if (!MW_OKAY(mw_axis_subdivide(&r->first.axis[i], factor[i], &r->mem, &r->axis[i], &err)))
      return false;
  }
  if (first) r->first.n_point = r->n_point;
  return MW_OKAY(mw_reduction_grid(r, &err)) && columns(r);
}

// ---- parts --------------------------------------------------------------------------------------

typedef struct part {
  const double *X;  // [n_point × n]
  size_t n;
} part;

static int parts(const mw_extra *x, part p[MOST])
{
  size_t m = (size_t)x->m, mm = m * (m + 1) / 2, s = (size_t)x->s, pairs = s * (s + 1) / 2;
  int n = 0;
  p[n++] = (part){ x->H, s * mm };
  p[n++] = (part){ x->Hij, pairs * mm };
  p[n++] = (part){ x->Hg, mm };
  p[n++] = (part){ x->Y, (size_t)x->n_Y * mm };
  p[n++] = (part){ x->G, (size_t)x->n_moved * mm };
  p[n++] = (part){ x->CE, s * m * m };
  p[n++] = (part){ x->CC, pairs * mm };
  return n;
}

// What entry e of a part is compared with: (1) of points `fine`, at every stride-th of which there
// are kept ones with the values `some`. scale: its largest value
static double bound(const mw_reduction *fine, const mw_reduction *kept, part all, part some,
                    size_t e, double *scale)
{
  double sum = 0.0, Lambda = 1.0, apart = 0.0;
  int step = 1;
  mw_error err = { 0 };
  *scale = 0.0;
  for (int g = 0; g < fine->n_point; g++) *scale = fmax(*scale, fabs(all.X[(size_t)g * all.n + e]));
  for (int i = 0; i < S; i++) {
    // axes from the first on, as in (1)
    int stride = 1, n = fine->n_grid[i];
    for (int j = i + 1; j < S; j++) stride *= fine->n_grid[j];
    double fourth = 0.0, ratio = (double)(n - 1) / (kept->n_grid[i] - 1), most = 1.0;
    for (int g = 0; g < fine->n_point; g++) {
      int k = g / stride % n;
      if (k + 4 >= n) continue;
      const double *v = all.X + (size_t)g * all.n + e;
      size_t d = (size_t)stride * all.n;
      fourth = fmax(fourth, fabs(v[0] - 4 * v[d] + 6 * v[2 * d] - 4 * v[3 * d] + v[4 * d]));
    }
    if (n == kept->n_grid[i]) continue;
    for (int k = 0; k < n; k++) {
      double w[64], size = 0.0;
      MW_OKAY(mw_axis_weights(&kept->axis[i], mw_axis_theta(&fine->axis[i], k), w, &err));
      for (int l = 0; l < kept->n_grid[i]; l++) size += fabs(w[l]);
      most = fmax(most, size);
    }
    sum += Lambda * (1.0 + most) * 5.0 / 384.0 * pow(ratio, 4) * fourth;
    Lambda *= most;
  }
  for (int g = 0; g < kept->n_point; g++) {
    int at = 0, rest = g;
    step = 1;
    for (int i = S - 1; i >= 0; i--) {
      at += rest % kept->n_grid[i] * ((fine->n_grid[i] - 1) / (kept->n_grid[i] - 1)) * step;
      rest /= kept->n_grid[i];
      step *= fine->n_grid[i];
    }
    apart = fmax(apart, fabs(some.X[(size_t)g * some.n + e] - all.X[(size_t)at * all.n + e]));
  }
  return sum + Lambda * apart;
}

static void points_between_are_within_what_splines_err_by_of_those_made_there(void)
{
  mw_fixture f;
  mw_reduction fine = { 0 }, kept = { 0 };
  mw_extra direct = { 0 }, built = { 0 }, some = { 0 };
  mw_offline *z = NULL;
  mw_bases *bases;
  mw_error err = { 0 };
  if (!MW_CHECK(mw_fixture_text(CHAIN, &f))) return;
  if (MW_OKAY(mw_offline_init(&f.model, &f.mech, NULL, &z, &err)) &&
      MW_OKAY(mw_offline_bases(z, (mw_band){ .band = 1e4, .tolerance = 1e-6 }, &bases, &err)) &&
      open_table(&f, z, FACTOR, true, &fine) && open_table(&f, z, KEPT, false, &kept) &&
      MW_OKAY(mw_extra_points(&fine, &direct, &err)) &&
      MW_OKAY(mw_extra_points(&kept, &some, &err)) &&
      MW_OKAY(mw_extra_build(&fine, &built, &err))) {
    part all[MOST], few[MOST], got[MOST];
    int n = parts(&direct, all);
    parts(&some, few);
    parts(&built, got);
    MW_CHECK(built.n_point == fine.n_point && built.n_Y == direct.n_Y);
    MW_CHECK(built.n_made == kept.n_point && direct.n_made == fine.n_point);
    for (int k = 0; k < n; k++) {
      double off = 0.0, allowed = 0.0, size = 0.0;
      MW_CHECK(all[k].X && got[k].X && all[k].n > 0);
      for (size_t e = 0; e < all[k].n; e++) {
        double scale;
        allowed = fmax(allowed, bound(&fine, &kept, all[k], few[k], e, &scale));
        size = fmax(size, scale);
        for (int g = 0; g < fine.n_point; g++) {
          size_t at = (size_t)g * all[k].n + e;
          off = fmax(off, fabs(got[k].X[at] - all[k].X[at]));
        }
      }
      MW_WITHIN(off, 0.0, allowed, "(1) of the header, of the direct values");
      MW_CHECK(allowed < 1e-2 * size);  // which says something,
      MW_CHECK(off > 1e-6 * size);      // of points that were not made directly
    }
  }
  mw_extra_free(&direct);
  mw_extra_free(&some);
  mw_extra_free(&built);
  mw_reduction_free(&fine);
  mw_reduction_free(&kept);
  mw_offline_free(z);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "points_between_are_within_what_splines_err_by_of_those_made_there",
      points_between_are_within_what_splines_err_by_of_those_made_there },
  };
  return mw_test_run("extra_coarse", cases, (int)(sizeof cases / sizeof *cases));
}
