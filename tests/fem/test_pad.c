// SPDX-License-Identifier: BSD-3-Clause
// test_pad.c: guides on faces of solids: what the pads' functionals reproduce, and what lies
// between the stations.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/factor.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "guide/guide_priv.h"
#include "mw_test.h"

enum { N_MAX = 400 };

static const double EPS = DBL_EPSILON;
static const char PATH[] = "test_pad.msh";

// A free body of boxes; its mesh is read by mw_body_build.
static void make(fixture_body *f, int n_box, const fixture_grid_box *box)
{
  fixture_init(f);
  MW_CHECK(fixture_grid(PATH, n_box, box) == 0);
  f->body.mesh = PATH;
}

static mw_guide_in *add_pad(fixture_body *f, const double a[3], const double b[3], double length,
                            double width)
{
  mw_guide_in *g = fixture_guide(f, "rail", -1, -1);
  memcpy(g->ends[0], a, sizeof g->ends[0]);
  memcpy(g->ends[1], b, sizeof g->ends[1]);
  g->pad[0] = length;
  g->pad[1] = width;
  g->normal[0] = g->normal[1] = 0.0;
  return g;
}

// z = P u for the nodal field u(x), component c of station j of guide 0
static void apply(const mw_body *b, void (*field)(const double x[3], double u[3]), double *z)
{
  static double u[400000];
  // unknowns of a free solid body without patches and ties are the nodes' motions in order
  for (int i = 0; i < b->n_node; i++) field(b->X + 3 * i, u + 3 * i);
  mw_csc_mul(&b->P, 1.0, u, 0.0, z);
}

static void bend(double x[3])  // rotates about a skew axis and shifts
{
  double a[3] = { 0.36, 0.48, 0.8 }, c = cos(0.7), s = sin(0.7), y[3], d = mw_dot3(a, x);
  mw_cross3(a, x, y);
  for (int i = 0; i < 3; i++) x[i] = c * x[i] + s * y[i] + (1.0 - c) * d * a[i] + 0.3 * i - 0.2;
}

// in the plane of the faces only, by less than a third of a cell of the bed; edges stay straight
// lines of half-steps
static void skew(double x[3])
{
  double s = sin(20.0 * x[0]) * sin(31.4 * x[1]);
  x[0] += 0.008 * s;
  x[1] += 0.004 * s;
}

static void linear(const double x[3], double u[3])
{
  u[0] = 0.3 + 0.2 * x[0] - 0.7 * x[1] + 0.4 * x[2];
  u[1] = -0.1 + 0.9 * x[0] + 0.5 * x[1] - 0.2 * x[2];
  u[2] = 0.6 - 0.3 * x[0] + 0.1 * x[1] + 0.8 * x[2];
}

// Linear fields come out as at the pad's centre, whatever the element, the shape of its faces, and
// how much of the pad is on them: (2) of guide_pad.c. Rounding: the sums run over fewer than 200
// nodes, corrections are of order 10.
static void linear_fields_are_exact(void)
{
  static const mw_elem_kind KIND[] = { MW_ELEM_TET4,  MW_ELEM_TET10,  MW_ELEM_HEX8,
                                       MW_ELEM_HEX20, MW_ELEM_WEDGE6, MW_ELEM_WEDGE15 };
  for (int k = 0; k < 12; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_body b;
    fixture_body f;
    fixture_grid_box box = {
      KIND[k % 6], { 12, 4, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, k < 6 ? bend : skew
    };
    make(&f, 1, &box);
    double p[3] = { 0.0, 0.045, 0.06 }, q[3] = { 0.6, 0.055, 0.06 }, n[3] = { 0, 0, 1 }, z[N_MAX],
           o[3] = { 0 };
    mw_guide_in *g = add_pad(&f, p, q, 0.11, 0.037);
    memcpy(g->normal, n, sizeof n);
    if (k < 6) {
      bend(g->ends[0]), bend(g->ends[1]), bend(g->normal), bend(o);
      for (int i = 0; i < 3; i++) g->normal[i] -= o[i];
    }
    if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
      double residual;
      MW_OKAY(mw_body_check(&b, &residual, &err));
      apply(&b, linear, z);
      const mw_guide *w = &b.guide[0];
      for (int j = 0; j < w->n; j++) {
        double X[3], u[3];
        for (int i = 0; i < 3; i++) X[i] = w->X0[i] + w->s[j] * w->t[i];
        linear(X, u);
        for (int i = 0; i < 3; i++) MW_NEAR(z[w->z + 3 * j + i], u[i], 2000.0 * EPS);
      }
    }
    mw_arena_free(&mem);
  }
}

static void square(const double x[3], double u[3])
{
  u[0] = x[0] * x[0];
  u[1] = x[1] * x[1];
  u[2] = x[0] * x[1];
}

// Quadratic elements hold x² exactly, so that U gives the kernel's variances: l²/48 along (cubic
// B-spline of support l), w²/12 across. Clipped pieces of faces with straight edges are integrated
// exactly: only rounding remains. Pads over several elements and inside one.
static void second_moments_of_the_pad_are_those_of_its_kernel(void)
{
  static const mw_elem_kind KIND[] = { MW_ELEM_TET10, MW_ELEM_HEX20, MW_ELEM_WEDGE15 };
  static const double SIDE[2][2] = { { 0.11, 0.037 }, { 0.03, 0.008 } };
  for (int k = 0; k < 6; k++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_body b;
    fixture_body f;
    fixture_grid_box box = { KIND[k % 3], { 12, 4, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, NULL };
    double p[3] = { 0.1, 0.045, 0.06 }, q[3] = { 0.5, 0.045, 0.06 }, l = SIDE[k / 3][0],
           w = SIDE[k / 3][1], *z = mw_arena_f64(&mem, 3 * N_MAX);
    make(&f, 1, &box);
    add_pad(&f, p, q, l, w);
    if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err)) && MW_CHECK(b.guide[0].n < N_MAX)) {
      const mw_guide *g = &b.guide[0];
      apply(&b, square, z);
      for (int j = 0; j < g->n; j++) {
        double x = 0.1 + g->s[j], y = 0.045;
        MW_NEAR(z[g->z + 3 * j], x * x + l * l / 48.0, 500.0 * EPS * x * x);
        MW_NEAR(z[g->z + 3 * j + 1], y * y + w * w / 12.0, 500.0 * EPS * y * y);
        MW_NEAR(z[g->z + 3 * j + 2], x * y, 500.0 * EPS * x * y);
      }
    }
    mw_arena_free(&mem);
  }
}

// The pad may leave the face until a quarter of the kernel is off: B's integral from 0 is 2x/3 −
// x³/3 + x⁴/8 of x = 4 s/l.
static void a_pad_ends_where_a_quarter_of_it_is_off_the_face(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_body b;
  fixture_body f;
  fixture_grid_box box = { MW_ELEM_TET10, { 12, 4, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, NULL };
  make(&f, 1, &box);
  double L = 0.6, l = 0.1, W[N_MAX];
  add_pad(&f, (double[3]){ 0.6, 0.05, 0.06 }, (double[3]){ 0, 0.05, 0.06 }, l, 0.02);
  if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
    const mw_guide *g = &b.guide[0];
    double x = 4.0 * g->s[0] / l;
    // the end is found to 1e-9 of the length; density of the kernel there is below 1 in x
    MW_NEAR(2.0 * x / 3.0 - x * x * x / 3.0 + x * x * x * x / 8.0, 0.25, 2e-9 * 4.0 * L / l);
    MW_WITHIN(g->s[g->n - 1], L - g->s[0], 4e-9 * L, "what the search for the end may leave");
    MW_OKAY(mw_guide_weights(g, 0.3, 0.0, W, NULL, NULL, &err));
    MW_OKAY(mw_guide_weights(g, 0.3, l, W, NULL, NULL, &err));
    MW_FAILS(mw_guide_weights(g, 0.3, 0.5 * l, W, NULL, NULL, &err), MW_ERR_INPUT);
    MW_OKAY(mw_guide_weights(g, g->s[0], 0.0, W, NULL, NULL, &err));
    MW_FAILS(mw_guide_weights(g, 0.5 * g->s[0], 0.0, W, NULL, NULL, &err), MW_ERR_RANGE);
    MW_CHECK(strstr(err.msg, "leaves the face of guide 'rail'") != NULL);
    MW_FAILS(mw_guide_weights(g, 1.01 * L, 0.0, W, NULL, NULL, &err), MW_ERR_RANGE);
  }
  mw_arena_free(&mem);
}

// Two faces share an edge that is bent by δ, along the pad or across it, in a rectangle that holds
// the pad: ∫ B = 1, for what one face lacks the other has. Rounding: 2 faces of 32 triangles in 4
// strips, 12 points each.
static void faces_with_bent_edges_carry_the_whole_pad(void)
{
  static const double DELTA = 0.1, MID[4][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } },
                      CORNER[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
  double w[8][3], l = 1.2, width = 1.1;
  for (int k = 0; k < 4; k++) {
    double sum = 0.0;
    int n = k % 2 ? 8 : 4;
    for (int side = 0; side < 2; side++) {
      mw_pad_face f = { .n = n, .n_corner = 4, .lo = { -1, -1 }, .hi = { 1, 1 } };
      for (int i = 0; i < n; i++) {
        const double *r = i < 4 ? CORNER[i] : MID[i - 4];
        f.x[i][0] = 0.5 * r[0] + (side == 0 ? -0.5 : 0.5);
        f.x[i][1] = r[1];
        bool shared = fabs(f.x[i][0]) < 0.1;
        if (shared && n == 4) f.x[i][0] += DELTA * r[1];  // an oblique edge
        if (shared && i >= 4) f.x[i][0] += DELTA;
        double x = f.x[i][0];
        if (k >= 2) f.x[i][0] = f.x[i][1], f.x[i][1] = x;
      }
      f.affine = mw_pad_face_is_affine(&f);
      MW_CHECK(!f.affine);
      mw_pad_place at = { .s = 0.03, .y = -0.1, .length = l, .width = width, .smooth = true };
      MW_CHECK(mw_pad_integrate(&f, &at, w));
      for (int i = 0; i < n; i++) sum += w[i][0];
    }
    MW_NEAR(sum, 1.0, 1000.0 * EPS);
  }
}

// A row of nodes at the border of a face: the pad lies on the face, its centre half a width in; the
// other way about too.
static void a_guide_on_an_edge_moves_half_a_width_in(void)
{
  for (int side = 0; side < 2; side++) {
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_body b;
    fixture_body f;
    fixture_grid_box box = { MW_ELEM_HEX20, { 12, 4, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, NULL };
    double y = side == 0 ? 0.0 : 0.1, w = 0.03;
    mw_node_set_in edge = {
      .name = "edge", .kind = MW_PICK_LINE, .p = { 0, y, 0.06 }, .q = { 0.6, y, 0.06 }
    };
    make(&f, 1, &box);
    f.body.node_set = &edge;
    f.body.n_node_set = 1;
    mw_guide_in *g = add_pad(&f, (double[3]){ 0 }, (double[3]){ 0 }, 0.1, w);
    g->set = "edge";
    g->normal[1] = 0.1;  // the face's own counts
    if (MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err))) {
      MW_NEAR(b.guide[0].X0[1], side == 0 ? 0.5 * w : 0.1 - 0.5 * w, 10.0 * EPS);
      MW_NEAR(b.guide[0].n1[2], 1.0, 10.0 * EPS);
      MW_WITHIN(b.guide[0].n1[1], 0.0, 10.0 * EPS, "a few roundings, none by chance");
    }
    mw_arena_free(&mem);
  }
}

static void expect_message(double z, double y, double nz, double length, double width,
                           const char *part)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_body b;
  fixture_body f;
  fixture_grid_box box = { MW_ELEM_HEX8, { 12, 4, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, NULL };
  make(&f, 1, &box);
  mw_guide_in *g = add_pad(&f, (double[3]){ 0.1, y, z }, (double[3]){ 0.5, y, z }, length, width);
  g->normal[1] = 1.0 - nz;
  g->normal[2] = nz;
  MW_FAILS(mw_body_build(&f.model, 0, &mem, &b, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strstr(err.msg, part) != NULL)) printf("  got %s, want %s\n", err.msg, part);
  mw_arena_free(&mem);
}

static void wrong_pads_are_refused(void)
{
  expect_message(0.061, 0.05, 1.0, 0.08, 0.02,
                 "the nearest face with about that normal is 0.001 m off");
  expect_message(0.06, 0.05, 0.5, 0.08, 0.02, "no face of a solid has about the normal");
  expect_message(0.06, 0.02, 1.0, 0.08, 0.06,
                 "0.06 m wide, but its face ends 0.02 m from the line");
  expect_message(0.06, 0.13, 1.0, 0.08, 0.02, "runs beside its face");
  expect_message(0.06, 0.05, 1.0, 4.0, 0.02, "is nowhere on a plane face");
  expect_message(0.06, 0.05, 1.0, 5e-4, 0.02, "makes more than 4096 places");
}

// c(s) = W(s)ᵀ F W(s), F [n × n] compliance between the stations of guide 0 in one direction
static double quadratic(int n, const double *F, const double *W)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += W[i] * F[i * n + j] * W[j];
  return sum;
}

// F [n × n] for rows z + stride j along direction d
static mw_code compliance(const mw_body *b, mw_factor *K, int n, int z, const double d[3],
                          double *F, mw_error *err)
{
  size_t nu = (size_t)b->n_u;
  mw_arena tmp = { 0 };
  double *f = mw_arena_f64(&tmp, nu * (size_t)n), *u = mw_arena_f64(&tmp, nu * (size_t)n),
         *e = mw_arena_f64(&tmp, (size_t)b->n_z);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int j = 0; rc == MW_OK && j < n; j++) {
    memset(e, 0, (size_t)b->n_z * sizeof *e);
    for (int i = 0; i < 3; i++) e[z + 3 * j + i] = d[i];
    mw_csc_mul_t(&b->P, 1.0, e, 0.0, f + nu * (size_t)j);
  }
  if (rc == MW_OK) rc = mw_factor_solve(K, n, f, u, err);
  for (int i = 0; rc == MW_OK && i < n; i++)
    for (int j = 0; j < n; j++) {
      F[i * n + j] = 0.0;
      for (size_t k = 0; k < nu; k++) F[i * n + j] += f[nu * (size_t)i + k] * u[nu * (size_t)j + k];
    }
  mw_arena_free(&tmp);
  return rc;
}

// Guide 0 runs over the whole bed; guides 1 … begin anywhere, so that their first station is the
// ideal functional there. Mesh coarser than the pad's knots and finer.
static void check_between(int nx, int ny)
{
  enum { N_AT = 7 };
  static const double CONTRACT = 1e-3;  // what guide_pad.c promises of its spacing
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_body b;
  fixture_body f;
  mw_factor *K = NULL;
  unsigned seed = 7;
  double W[N_MAX], at[N_AT], worst = 0.0, *F = mw_arena_f64(&mem, (size_t)N_MAX * N_MAX);
  fixture_grid_box box = { MW_ELEM_HEX20, { nx, ny, 2 }, { 0, 0, 0 }, { 0.6, 0.1, 0.06 }, NULL };
  make(&f, 1, &box);
  f.body.ground = true;
  mw_node_set_in foot = { .name = "foot", .kind = MW_PICK_PLANE, .q = { 0, 0, 1 } };
  f.body.node_set = &foot;
  f.body.n_node_set = 1;
  fixture_support(&f, "foot");
  add_pad(&f, (double[3]){ 0, 0.05, 0.06 }, (double[3]){ 0.6, 0.05, 0.06 }, 0.08, 0.02);
  for (int k = 0; k < N_AT; k++) {
    at[k] = 0.28 + 0.22 * fixture_random(&seed);
    add_pad(&f, (double[3]){ at[k], 0.05, 0.06 }, (double[3]){ at[k] + 0.05, 0.05, 0.06 }, 0.08,
            0.02);
  }
  bool ok = MW_OKAY(mw_body_build(&f.model, 0, &mem, &b, &err)) &&
            MW_OKAY(mw_factor_build(&b.K, true, &K, &err));
  for (int d = 0; ok && d < 3; d++) {
    const mw_guide *g = &b.guide[0];
    double dir[3] = { d == 0, d == 1, d == 2 }, ideal = 0.0;
    ok = MW_OKAY(compliance(&b, K, g->n, g->z, dir, F, &err));
    for (int k = 0; ok && k < N_AT; k++) {
      ok = MW_OKAY(compliance(&b, K, 1, b.guide[1 + k].z, dir, &ideal, &err)) &&
           MW_OKAY(mw_guide_weights(g, at[k], 0.0, W, NULL, NULL, &err));
      worst = fmax(worst, fabs(quadratic(g->n, F, W) / ideal - 1.0));
    }
  }
  MW_CHECK(ok && worst > 0.0);
  MW_NEAR(worst, 0.0, CONTRACT);
  mw_factor_free(K);
  mw_arena_free(&mem);
}

static void compliance_between_stations_is_that_of_the_ideal_pad(void)
{
  check_between(12, 4);
  check_between(30, 6);
}

static const mw_test_case cases[] = {
  { "linear_fields_are_exact", linear_fields_are_exact },
  { "second_moments_of_the_pad_are_those_of_its_kernel",
    second_moments_of_the_pad_are_those_of_its_kernel },
  { "a_pad_ends_where_a_quarter_of_it_is_off_the_face",
    a_pad_ends_where_a_quarter_of_it_is_off_the_face },
  { "faces_with_bent_edges_carry_the_whole_pad", faces_with_bent_edges_carry_the_whole_pad },
  { "a_guide_on_an_edge_moves_half_a_width_in", a_guide_on_an_edge_moves_half_a_width_in },
  { "wrong_pads_are_refused", wrong_pads_are_refused },
  { "compliance_between_stations_is_that_of_the_ideal_pad",
    compliance_between_stations_is_that_of_the_ideal_pad },
};

int main(void) { return mw_test_run("pad", cases, (int)(sizeof cases / sizeof *cases)); }
