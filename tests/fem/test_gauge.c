// SPDX-License-Identifier: BSD-3-Clause
// test_gauge.c: stress and strain at points of a body against bending theory, Hooke's law and the
// elements themselves.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "base/vec3.h"
#include "fem/element.h"
#include "fem/factor.h"
#include "fem/output.h"
#include "fixture_body.h"
#include "mw_test.h"

static const char *MESH = "/tmp/modeway_test_gauge.msh";

// A box [l] on the ground at x = 0, its end x = l a rigid patch "tip"; outputs: lines of YAML.
static bool box_model(const int n[3], const double l[3], double nu, bool ground,
                      const char *outputs, mw_fixture *out)
{
  const double x0[3] = { 0.0, 0.0, 0.0 };
  char text[4096];
  snprintf(text, sizeof text,
           "modeway: 1\nname: box\nmaterials: { m: { E: 200e9, nu: %.17g, rho: 7800 } }\n"
           "bodies:\n"
           "  wall: { ground: true, rigid: { mass: 0 }, frames: { p: { point: [%.17g, 0, 0] } } }\n"
           "  box:\n    mesh: %s\n    material: m\n%s"
           "    frames: { tip: { rigid: x1, point: [%.17g, 0, 0] } }\n"
           "%soutputs:\n%s",
           nu, l[0], MESH, ground ? "    ground: true\n    supports: [{ nodes: x0 }]\n" : "", l[0],
           ground ? "" : "joints: { hold: { fixed: { a: wall.p, b: box.tip } } }\n", outputs);
  return MW_CHECK(fixture_box(MESH, n, x0, l, NULL) == 0) && MW_CHECK(mw_fixture_text(text, out));
}

// The elastic body of a model, and the rows of all outputs for its unknowns.
static const mw_body *elastic(const mw_fixture *f, int *b)
{
  *b = f->model.n_body - 1;
  return &f->body[*b];
}

// u [n_u] under the wrench F M at the first frame; NULL after a failed check.
static double *bent(const mw_body *b, const double wrench[6])
{
  mw_error err = { 0 };
  mw_factor *K = NULL;
  double *z = calloc((size_t)b->n_z, sizeof *z), *u = calloc((size_t)b->n_u, sizeof *u);
  for (int i = 0; i < 6; i++) z[b->frame[0].z + i] = wrench[i];
  mw_csc_mul_t(&b->P, 1.0, z, 0.0, u);
  bool good =
      MW_OKAY(mw_factor_build(&b->K, true, &K, &err)) && MW_OKAY(mw_factor_solve(K, 1, u, u, &err));
  mw_factor_free(K);
  free(z);
  if (good) return u;
  free(u);
  return NULL;
}

// With ν = 0 a clamped box whose end turns about y by a moment bends with u = κ (x z̃, 0, −x²/2):
// plane ends, quadratic displacements, so that ten nodes hold it exactly. Points inside, on faces
// shared by tetrahedra, at corners.
static void pure_bending_is_exact_in_solids(void)
{
  static const char *const outputs = "  a: { stress: box, point: [0.11, 0.013, 0.031] }\n"
                                     "  b: { stress: box, point: [0.2, 0.01, 0.02] }\n"
                                     "  c: { stress: box, point: [0.1, 0.02, 0.04] }\n"
                                     "  d: { strain: box, point: [0.37, 0.001, 0.003] }\n";
  static const double z[4] = { 0.031, 0.02, 0.04, 0.003 };
  const double l[3] = { 0.4, 0.02, 0.04 }, M = 30.0;
  mw_fixture f;
  int b;
  if (!box_model((int[3]){ 4, 1, 2 }, l, 0.0, true, outputs, &f)) return;
  const mw_body *body = elastic(&f, &b);
  double I = l[1] * pow(l[2], 3.0) / 12.0, *u = bent(body, (double[6]){ [4] = M }), y[24];
  // u carries the rounding of a solve, condition of K about 1e7 for a box of aspect 10 in four
  // bricks; σ is a difference of displacements over 0.02 m. Of the largest stress:
  double tol = 1e7 * DBL_EPSILON * M * 0.5 * l[2] / I;
  for (int g = 0; u && g < 4; g++) {
    mw_mech_gauges(&f.mech, b, u, y);
    double want = M * (z[g] - 0.5 * l[2]) / I, scale = g == 3 ? 200e9 : 1.0;
    for (int i = 0; i < 6; i++) MW_NEAR(y[6 * g + i] * scale, i == 0 ? want : 0.0, tol);
  }
  free(u);
  mw_fixture_free(&f);
}

// Largest error of σ_xx at the quarter points of the middle section under a tip load F, over F L/2
// (h/4)/I.
static double tip_load_error(int n)
{
  static const char *const outputs = "  a: { stress: box, point: [0.2, 0.01, 0.01] }\n"
                                     "  b: { stress: box, point: [0.2, 0.01, 0.03] }\n";
  const double l[3] = { 0.4, 0.02, 0.04 }, F = 100.0;
  mw_fixture f;
  int b;
  double worst = NAN, y[12];
  if (!box_model((int[3]){ 4 * n, n / 2, n }, l, 0.3, true, outputs, &f)) return worst;
  const mw_body *body = elastic(&f, &b);
  double I = l[1] * pow(l[2], 3.0) / 12.0, *u = bent(body, (double[6]){ [2] = F });
  double size = F * 0.5 * l[0] * 0.25 * l[2] / I;
  if (u) {
    mw_mech_gauges(&f.mech, b, u, y);
    // F along z lowers σ above the axis
    worst = fmax(fabs(y[0] - size), fabs(y[6] + size)) / size;
  }
  free(u);
  mw_fixture_free(&f);
  return worst;
}

// σ_xx = F (L − x) z / I is exact here by Saint-Venant (ends 5 heights away: e^{-5π} at the
// slowest). The elements' strains are linear, the solution's σ_xx ∝ x z is not: the best linear
// function on a brick of Δx Δz misses it by Δx Δz/4 of ∂²σ/∂x∂z = F/I, relative to F L h/(8 I): 2
// Δx Δz/(L h). Finite elements are the best in energy, not at a point, and the solid's rigid
// sections at both ends disturb: allowed twice that.
static void tip_load_bends_as_in_the_textbook(void)
{
  double coarse = tip_load_error(2), fine = tip_load_error(4);
  printf("cantilever, stress at the quarter points: %.2e, half the mesh size %.2e\n", coarse, fine);
  MW_CHECK(coarse < 2.0 * 2.0 / (8.0 * 2.0));
  MW_CHECK(fine < 2.0 * 2.0 / (16.0 * 4.0));
  MW_CHECK(fine < 0.5 * coarse);  // at least first order where elements meet
}

static const char *const FOUR = "  a: { stress: box, point: [0.13, 0.011, 0.017] }\n"
                                "  b: { strain: box, point: [0.13, 0.011, 0.017] }\n"
                                "  c: { stress: box, point: [0.2, 0.01, 0.02] }\n"
                                "  d: { strain: box, point: [0.2, 0.01, 0.02] }\n";

// Hooke: σ = λ tr ε 1 + 2 G ε, shear by G γ
static void stress_and_strain_obey_hooke(void)
{
  const double l[3] = { 0.4, 0.02, 0.04 };
  mw_fixture f;
  int b;
  unsigned seed = 7;
  double y[24], nu = 0.3, lam = 200e9 * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
                G = 100e9 / (1.0 + nu);
  if (!box_model((int[3]){ 2, 1, 1 }, l, nu, false, FOUR, &f)) return;
  const mw_body *body = elastic(&f, &b);
  double *u = calloc((size_t)body->n_u, sizeof *u), largest = 0.0;
  for (int i = 0; i < body->n_u; i++) u[i] = fixture_random(&seed);
  mw_mech_gauges(&f.mech, b, u, y);
  for (int p = 0; p < 2; p++) {
    const double *s = y + 12 * p, *e = s + 6;
    for (int i = 0; i < 6; i++) largest = fmax(largest, fabs(s[i]));
    // sums of 30 products of either sign, each times Hooke's, of some six times their sum in all
    double tol = mw_test_rounding(100.0, 6.0 * largest), tr = lam * (e[0] + e[1] + e[2]);
    for (int i = 0; i < 3; i++) MW_NEAR(s[i], tr + 2.0 * G * e[i], tol);
    for (int i = 3; i < 6; i++) MW_NEAR(s[i], G * e[i], tol);
  }
  // rigid motions, of 1 m and 1 rad, cost no stress: differences of displacements of 1 m over 0.02
  // m
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < body->n_u; i++) u[i] = body->R[6 * i + k];
    mw_mech_gauges(&f.mech, b, u, y);
    for (int i = 0; i < 24; i++)
      MW_NEAR(y[i] * (i % 12 < 6 ? 1.0 : 200e9), 0.0, 1e3 * DBL_EPSILON * 200e9 / 0.02);
  }
  free(u);
  mw_fixture_free(&f);
}

// The mean over the elements at a node, found by its number and not by its place.
static void node_takes_the_mean_of_its_elements(void)
{
  const double l[3] = { 0.4, 0.02, 0.04 }, at[3] = { 0.2, 0.01, 0.02 };
  mw_fixture f;
  int b, count = 0;
  unsigned seed = 11;
  mw_error err = { 0 };
  double y[24], want[6] = { 0.0 }, largest = 0.0;
  if (!box_model((int[3]){ 2, 2, 2 }, l, 0.3, false,
                 "  c: { stress: box, point: [0.2, 0.01, 0.02] }\n", &f))
    return;
  const mw_body *body = elastic(&f, &b);
  const mw_mesh *m = body->mesh;
  double *u = calloc((size_t)body->n_u, sizeof *u),
         *v = calloc(3 * (size_t)body->n_node, sizeof *v);
  for (int i = 0; i < body->n_u; i++) u[i] = fixture_random(&seed);
  mw_csc_mul(&body->N, 1.0, u, 0.0, v);
  for (int e = 0; e < m->n_elem; e++) {
    double X[30], S[6 * 30], xi[4][3] = { { 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const int *node = m->elem_node + m->elem_ptr[e];
    int corner = -1;
    for (int i = 0; i < 10; i++) memcpy(X + 3 * i, m->x + 3 * node[i], 3 * sizeof *X);
    for (int i = 0; i < 4; i++)
      if (hypot(hypot(X[3 * i] - at[0], X[3 * i + 1] - at[1]), X[3 * i + 2] - at[2]) < 1e-9)
        corner = i;
    if (corner < 0) continue;
    count++;
    MW_OKAY(mw_solid_stress(MW_ELEM_TET10, X, body->part_material, xi[corner], false, S, &err));
    for (int r = 0; r < 6; r++)
      for (int i = 0; i < 30; i++) want[r] += S[30 * r + i] * v[3 * node[i / 3] + i % 3];
  }
  MW_CHECK(count == 24);  // six tetrahedra around a diagonal: 24 at an inner corner of eight bricks
  mw_mech_gauges(&f.mech, b, u, y);
  for (int r = 0; r < 6; r++) largest = fmax(largest, fabs(y[r]));
  // natural coordinates are exact where edges are straight; 24 sums of 30 products of either sign,
  // which add up to some six times their sum
  for (int r = 0; r < 6; r++)
    MW_NEAR(y[r], want[r] / count, mw_test_rounding(24.0 * 30.0, 6.0 * largest));
  free(u);
  free(v);
  mw_fixture_free(&f);
}

// All eigenvectors as a basis: σ = S_r ζ with ζ = Tᵀ M u
static void projection_on_all_modes_keeps_the_stress(void)
{
  const double l[3] = { 0.1, 0.05, 0.04 };
  mw_fixture f;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_body all = { 0 }, none = { 0 };
  int b;
  unsigned seed = 3;
  double y[24], yr[24], largest = 0.0;
  if (!box_model((int[3]){ 1, 1, 1 }, l, 0.3, true,
                 "  a: { stress: box, point: [0.03, 0.011, 0.017] }\n", &f))
    return;
  const mw_body *body = elastic(&f, &b);
  size_t n = (size_t)body->n_u;
  double *K = calloc(n * n, sizeof *K), *M = calloc(n * n, sizeof *M),
         *T = calloc(n * n, sizeof *T), *w = calloc(n, sizeof *w), *u = calloc(n, sizeof *u),
         *z = calloc(n, sizeof *z);
  fixture_dense(&body->K, K);
  fixture_dense(&body->M, M);
  for (size_t i = 0; i < n; i++) u[i] = fixture_random(&seed);
  mw_csc_mul(&body->M, 1.0, u, 0.0, w);
  if (MW_OKAY(mw_eig_gen((int)n, K, M, z, T, &err)) &&
      MW_OKAY(mw_body_project(body, T, (int)n, &mem, &all, &err)) &&
      MW_OKAY(mw_body_project(body, NULL, 0, &mem, &none, &err))) {
    mw_gemm('t', 'n', (int)n, 1, (int)n, 1.0, T, w, 0.0, z);
    mw_mech_gauges(&f.mech, b, u, y);
    mw_mech reduced = f.mech;
    reduced.body = mw_arena_alloc(&mem, (size_t)f.mech.n_body, sizeof *reduced.body);
    reduced.body[b] = all;
    mw_mech_gauges(&reduced, b, z, yr);
    for (int r = 0; r < 6; r++) largest = fmax(largest, fabs(y[r]));
    // u itself comes back as T Tᵀ M u with the condition of M, below 1e4 for one brick
    for (int r = 0; r < 6; r++)
      MW_WITHIN(yr[r], y[r], mw_test_rounding((double)n, 1e4 * largest),
                "worst of the condition of M");
    MW_OKAY(mw_body_check(&all, NULL, &err));
    MW_CHECK(none.n_gauge == 1 && none.gauge[0].row == -1 && body->gauge[0].row == 0);
  }
  free(K), free(M), free(T), free(w), free(u), free(z);
  mw_arena_free(&mem);
  mw_fixture_free(&f);
}

// n quadrilaterals of 0.1 × 0.05 m along x in gmsh's version 2.2: surfaces "sheet", points "x0",
// "x1"
static bool write_strip(int n)
{
  FILE *f = fopen(MESH, "w");
  if (!f) return false;
  fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n0 1 \"x0\"\n0 2 \"x1\"\n"
             "2 3 \"sheet\"\n$EndPhysicalNames\n");
  fprintf(f, "$Nodes\n%d\n", 2 * n + 2);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j < 2; j++) fprintf(f, "%d %.17g %.17g 0\n", 1 + 2 * i + j, 0.1 * i, 0.05 * j);
  fprintf(f, "$EndNodes\n$Elements\n%d\n", n + 4);
  for (int j = 0; j < 2; j++) {
    fprintf(f, "%d 15 2 1 1 %d\n", 1 + j, 1 + j);
    fprintf(f, "%d 15 2 2 2 %d\n", 3 + j, 2 * n + 1 + j);
  }
  for (int i = 0; i < n; i++)
    fprintf(f, "%d 3 2 3 3 %d %d %d %d\n", 5 + i, 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
  fprintf(f, "$EndElements\n");
  return fclose(f) == 0;
}

static const char *const STRIP = "modeway: 1\nname: strip\nmaterials: { m: { E: 200e9, nu: 0, rho: "
                                 "7800 } }\n"
                                 "bodies:\n  box:\n    mesh: %s\n    material: m\n"
                                 "    parts: { sheet: { thickness: 0.004 } }\n"
                                 "    ground: true\n    supports: [{ nodes: x0 }]\n"
                                 "    frames: { tip: { rigid: x1, point: [0.4, 0, 0] } }\n"
                                 "outputs:\n%s";

// Constant curvature is a patch both facets keep: σ_xx = M z/I, z over the middle surface; on an
// edge between facets too.
static void pure_bending_is_exact_in_shells(void)
{
  char text[4096];
  mw_fixture f;
  int b;
  double y[18], M = 2.0, I = 0.05 * pow(0.004, 3.0) / 12.0, want = M * 0.002 / I;
  snprintf(text, sizeof text, STRIP, MESH,
           "  a: { stress: box, point: [0.13, 0.02, 0.002], height: 0.002 }\n"
           "  b: { stress: box, point: [0.2, 0.01, 0], height: -0.002 }\n"
           "  c: { stress: box, point: [0.2, 0.01, 0] }\n");
  if (!MW_CHECK(write_strip(4)) || !MW_CHECK(mw_fixture_text(text, &f))) return;
  const mw_body *body = elastic(&f, &b);
  double *u = bent(body, (double[6]){ [4] = M });
  if (u) {
    mw_mech_gauges(&f.mech, b, u, y);
    // rounding of a solve, condition about 1e7 for a slender strip
    for (int g = 0; g < 3; g++)
      for (int i = 0; i < 6; i++)
        MW_NEAR(y[6 * g + i], i > 0 ? 0.0 : g == 0 ? want : g == 1 ? -want : 0.0, 1e-8 * want);
  }
  free(u);
  mw_fixture_free(&f);
}

// Reads and builds what must fail, compares the message.
static void refused(const char *text, const char *part)
{
  char path[] = "/tmp/modeway_gauge_XXXXXX";
  int fd = mkstemp(path);
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  mw_model m = { 0 };
  mw_arena mem = { 0 };
  mw_body body;
  mw_error err = { 0 };
  if (!MW_CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
  mw_code rc = mw_model_read(path, &m, &err);
  if (rc == MW_OK) rc = mw_body_build(&m, m.n_body - 1, &mem, &body, &err);
  MW_CHECK(rc == MW_ERR_INPUT && err.line > 0);
  if (!MW_CHECK(strstr(err.msg, part) != NULL)) printf("%s\n", err.msg);
  mw_arena_free(&mem);
  mw_model_free(&m);
  remove(path);
}

static void points_that_no_element_holds_are_refused(void)
{
  char text[4096];
  if (!MW_CHECK(write_strip(4))) return;
  snprintf(text, sizeof text, STRIP, MESH, "  a: { stress: box, point: [0.2, 0.01, 0.01] }\n");
  refused(text, "its point lies 0.008 m outside of body 'box'");  // of the sheet's surface at 2 mm
  snprintf(text, sizeof text, STRIP, MESH,
           "  a: { stress: box, point: [0.2, 0.01, 0], height: 0.003 }\n");
  refused(text, "height 0.003 m is outside of the shell");
  const double l[3] = { 0.4, 0.02, 0.04 }, x0[3] = { 0.0 };
  static const char *const solid =
      "modeway: 1\nname: box\nmaterials: { m: { E: 1, nu: 0, rho: 1, unusual: true } }\n"
      "bodies: { box: { mesh: %s, material: m, ground: true, supports: [{ nodes: x0 }] } "
      "}\noutputs:\n%s";
  if (!MW_CHECK(fixture_box(MESH, (int[3]){ 2, 1, 1 }, x0, l, NULL) == 0)) return;
  snprintf(text, sizeof text, solid, MESH, "  a: { strain: box, point: [0.2, 0.01, 0.05] }\n");
  refused(text, "its point lies 0.01 m outside of body 'box', the nearest element is");
  snprintf(text, sizeof text, solid, MESH,
           "  a: { strain: box, point: [0.2, 0.01, 0.01], height: 0.001 }\n");
  refused(text, "lies in a solid, expected a shell");
}

// ---- bricks with incompatible modes -------------------------------------------------------------

static const mw_material STEEL = { .name = "steel", .E = 200e9, .nu = 0.3, .rho = 7800.0 };

static void brick(double distort, double X[24])
{
  static const int CORNER[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                    { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
  static const double L[3] = { 0.2, 0.1, 0.06 };
  unsigned seed = 5;
  for (int i = 0; i < 24; i++)
    X[i] = L[i % 3] * (CORNER[i / 3][i % 3] - 0.5 + distort * fixture_random(&seed));
}

// Pure bending of a beam with lateral contraction, u = κ (x z, −ν y z, −½ (x² + ν z² − ν y²)): the
// modes hold it exactly.
static void bricks_bend_with_the_modulus_of_a_beam(void)
{
  const double kappa = 1e-3, nu = STEEL.nu, xi[3] = { 0.3, -0.7, 0.9 };
  double X[24], u[24], S[144], bare[144], s[6], plain[6], z = 0.03 * xi[2];
  mw_error err = { 0 };
  brick(0.0, X);
  for (int i = 0; i < 8; i++) {
    const double *x = X + 3 * i;
    u[3 * i] = kappa * x[0] * x[2];
    u[3 * i + 1] = -nu * kappa * x[1] * x[2];
    u[3 * i + 2] = -0.5 * kappa * (x[0] * x[0] + nu * (x[2] * x[2] - x[1] * x[1]));
  }
  if (!MW_OKAY(mw_hex8_stress(X, &STEEL, xi, false, S, &err)) ||
      !MW_OKAY(mw_solid_stress(MW_ELEM_HEX8, X, &STEEL, xi, false, bare, &err)))
    return;
  mw_gemm('n', 'n', 6, 1, 24, 1.0, S, u, 0.0, s);
  mw_gemm('n', 'n', 6, 1, 24, 1.0, bare, u, 0.0, plain);
  // sums over 24 and 9 products of about E κ L²/h
  double want = STEEL.E * kappa * z,
         tol = mw_test_rounding(24.0 + 9.0, STEEL.E * kappa * 0.04 / 0.06);
  for (int i = 0; i < 6; i++) MW_NEAR(s[i], i == 0 ? want : 0.0, tol);
  MW_CHECK(fabs(plain[0] - want) > 0.1 * want);  // else the modes' share is not seen
}

// Σ w Bᵀ σ over the points of the stiffness is K u: the stress belongs to the element that is
// assembled.
static void stress_of_bricks_is_in_balance_with_their_stiffness(void)
{
  double X[24], u[24], f[24] = { 0.0 }, Ku[24], largest = 0.0, S[144], B[144], s[6];
  unsigned seed = 17;
  mw_error err = { 0 };
  mw_solid solid;
  brick(0.15, X);
  for (int i = 0; i < 24; i++) u[i] = fixture_random(&seed);
  if (!MW_OKAY(mw_solid_element(MW_ELEM_HEX8, X, &STEEL, 1, MW_NOWHERE, &solid, &err))) return;
  for (int q = 0; q < 8; q++) {
    double g = 1.0 / sqrt(3.0), xi[3] = { q & 1 ? g : -g, q & 2 ? g : -g, q & 4 ? g : -g };
    double N[8], dN[24], J[9] = { 0.0 }, c[3];
    mw_solid_shape(MW_ELEM_HEX8, xi, N, dN);
    for (int i = 0; i < 8; i++)
      for (int k = 0; k < 9; k++) J[k] += X[3 * i + k % 3] * dN[3 * i + k / 3];
    mw_cross3(J, J + 3, c);
    if (!MW_OKAY(mw_hex8_stress(X, &STEEL, xi, false, S, &err)) ||
        !MW_OKAY(mw_solid_stress(MW_ELEM_HEX8, X, &STEEL, xi, true, B, &err)))
      return;
    mw_gemm('n', 'n', 6, 1, 24, 1.0, S, u, 0.0, s);
    mw_gemm('t', 'n', 24, 1, 6, mw_dot3(c, J + 6), B, s, 1.0, f);
  }
  mw_gemm('n', 'n', 24, 1, 24, 1.0, solid.K, u, 0.0, Ku);
  for (int i = 0; i < 24; i++) largest = fmax(largest, fabs(Ku[i]));
  // sums of 24 products, after a solve with K_aa of condition about 100
  for (int i = 0; i < 24; i++)
    MW_WITHIN(f[i], Ku[i], mw_test_rounding(24.0, 100.0 * largest),
              "worst case: 24 roundings of one sign, times the condition");
}

static void von_mises_measures_what_distorts(void)
{
  const double pull[6] = { 3.0 }, all[6] = { 2.0, 2.0, 2.0 }, shear[6] = { [4] = 2.0 },
               e_pull[6] = { 0.2, -0.1, -0.1 }, e_shear[6] = { [3] = 0.3 };
  double tol = 8.0 * DBL_EPSILON;  // some roundings of numbers of this size
  MW_NEAR(mw_output_equivalent(MW_OUTPUT_STRESS, pull), 3.0, 3.0 * tol);
  MW_NEAR(mw_output_equivalent(MW_OUTPUT_STRESS, all), 0.0, 0.0);  // of differences, exactly
  MW_NEAR(mw_output_equivalent(MW_OUTPUT_STRESS, shear), 2.0 * sqrt(3.0), 4.0 * tol);
  MW_NEAR(mw_output_equivalent(MW_OUTPUT_STRAIN, e_pull), 0.2, tol);  // no change of volume
  MW_NEAR(mw_output_equivalent(MW_OUTPUT_STRAIN, e_shear), 0.3 / sqrt(3.0), tol);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "pure_bending_is_exact_in_solids", pure_bending_is_exact_in_solids },
    { "tip_load_bends_as_in_the_textbook", tip_load_bends_as_in_the_textbook },
    { "stress_and_strain_obey_hooke", stress_and_strain_obey_hooke },
    { "node_takes_the_mean_of_its_elements", node_takes_the_mean_of_its_elements },
    { "projection_on_all_modes_keeps_the_stress", projection_on_all_modes_keeps_the_stress },
    { "pure_bending_is_exact_in_shells", pure_bending_is_exact_in_shells },
    { "points_that_no_element_holds_are_refused", points_that_no_element_holds_are_refused },
    { "bricks_bend_with_the_modulus_of_a_beam", bricks_bend_with_the_modulus_of_a_beam },
    { "stress_of_bricks_is_in_balance_with_their_stiffness",
      stress_of_bricks_is_in_balance_with_their_stiffness },
    { "von_mises_measures_what_distorts", von_mises_measures_what_distorts },
  };
  int rc = mw_test_run("gauge", cases, (int)(sizeof cases / sizeof *cases));
  remove(MESH);
  return rc;
}
