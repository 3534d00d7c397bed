// SPDX-License-Identifier: BSD-3-Clause
// test_vtu.c: what goes into the files for ParaView: places, displacements, stress at nodes, bytes.
//
// The file's structure as others read it is checked by check_vtu.py (test_cli).
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "check/quality_layer.h"
#include "fem/element.h"
#include "fixture.h"
#include "mw_test.h"
#include "view/vtu_layer.h"

static const double EPS = DBL_EPSILON;
static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
static const char *const FILE_NAME = "test_vtu.tmp.vtu";

// ---- one element as a body ----------------------------------------------------------------------

// Every motion of every node is an unknown: u first, then the rotations of shells.
typedef struct one {
  mw_mesh mesh;
  mw_mesh_part part;
  unsigned char kind;
  int ptr[2], node[MW_SOLID_MAX_NODE], zero;
  double X[3 * MW_SOLID_MAX_NODE], thickness, frame[24];
  mw_material material;
  mw_body body[2];
  mw_mech mech;
  mw_vtu_grid grid;
  mw_arena mem;
} one;

static bool unit_rows(int n, int first, int n_u, mw_arena *mem, mw_csc *out)
{
  mw_triplets t = { 0 };
  mw_error err = { 0 };
  for (int i = 0; i < n; i++) mw_triplets_add(&t, i, first + i, 1.0);
  bool ok = MW_OKAY(mw_csc_build(&t, n, n_u, false, mem, out, &err));
  mw_triplets_free(&t);
  return ok;
}

static bool make(mw_elem_kind kind, const double *X, one *o)
{
  static const double I12[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const mw_elem_info *info = mw_elem_info_of(kind);
  mw_error err = { 0 };
  *o = (one){ .kind = (unsigned char)kind, .thickness = 0.02, .material = STEEL };
  int n = info->n_node, n_u = info->dof * n;
  memcpy(o->X, X, 3 * (size_t)n * sizeof *X);
  for (int i = 0; i < n; i++) o->node[i] = i;
  o->ptr[1] = n;
  o->mesh = (mw_mesh){ .n_node = n,
                       .n_elem = 1,
                       .n_part = 1,
                       .x = o->X,
                       .elem_kind = &o->kind,
                       .elem_ptr = o->ptr,
                       .elem_node = o->node,
                       .elem_part = &o->zero,
                       .part = &o->part };
  o->body[0] = (mw_body){ .name = "ground", .ground = true };
  o->body[1] = (mw_body){ .name = "one",
                          .n_u = n_u,
                          .n_node = n,
                          .X = o->X,
                          .mesh = &o->mesh,
                          .part_material = &o->material,
                          .part_thickness = &o->thickness };
  for (int i = 0; i < 24; i++) o->frame[i] = I12[i % 12];
  o->mech = (mw_mech){ .n_body = 2, .body = o->body, .p0 = o->frame };
  bool ok = unit_rows(3 * n, 0, n_u, &o->mem, &o->body[1].N);
  if (info->dof == 6) ok = ok && unit_rows(3 * n, 3 * n, n_u, &o->mem, &o->body[1].Nr);
  return ok && MW_OKAY(mw_vtu_grid_build(&o->mech, &o->mem, &o->grid, &err));
}

// A solid of a kind with its nodes moved off the reference element by an affine map
static void nodes_of(mw_elem_kind kind, double *X)
{
  static const double A[9] = { 1.1, 0.2, -0.1, 0.1, 0.9, 0.3, -0.2, 0.1, 1.2 };
  for (int i = 0; i < mw_elem_info_of(kind)->n_node; i++) {
    double xi[3];
    mw_node_xi(kind, i, xi);
    mw_mul33v(A, xi, X + 3 * i);
  }
}

static const mw_elem_kind SOLID[] = { MW_ELEM_TET4,   MW_ELEM_TET10,  MW_ELEM_HEX8,   MW_ELEM_HEX20,
                                      MW_ELEM_HEX20R, MW_ELEM_WEDGE6, MW_ELEM_WEDGE15 };
enum { N_SOLID = sizeof SOLID / sizeof *SOLID };

static void shape_functions_are_one_at_their_own_node_and_zero_at_others(void)
{
  for (int k = 0; k < N_SOLID; k++) {
    int n = mw_elem_info_of(SOLID[k])->n_node;
    for (int i = 0; i < n; i++) {
      double xi[3], N[MW_SOLID_MAX_NODE];
      mw_node_xi(SOLID[k], i, xi);
      mw_solid_shape(SOLID[k], xi, N, NULL);
      for (int j = 0; j < n; j++)
        MW_NEAR(N[j], i == j, 8.0 * EPS);  // coordinates 0, ½, 1: exact but for products
    }
  }
}

// Hooke by hand: σ = 2G ε + λ tr ε
static void hooke(const double A[9], double s[6])
{
  static const int ROW[6] = { 0, 1, 2, 0, 1, 2 }, COL[6] = { 0, 1, 2, 1, 2, 0 };
  double G = STEEL.E / (2.0 * (1.0 + STEEL.nu)),
         lam = STEEL.E * STEEL.nu / ((1.0 + STEEL.nu) * (1.0 - 2.0 * STEEL.nu));
  for (int k = 0; k < 6; k++)
    s[k] = G * (A[3 * ROW[k] + COL[k]] + A[3 * COL[k] + ROW[k]]) +
           (k < 3 ? lam * (A[0] + A[4] + A[8]) : 0.0);
}

static void a_linear_field_has_hookes_stress_at_every_node_of_every_solid(void)
{
  static const double A[9] = { 1e-3, 2e-4, -3e-4, 5e-4, -2e-3, 1e-4, 4e-4, 6e-4, 7e-4 };
  double want[6], X[3 * MW_SOLID_MAX_NODE], u[2 * MW_SOLID_MAX_DOF], stress[12 * MW_SOLID_MAX_NODE];
  mw_error err = { 0 };
  hooke(A, want);
  for (int k = 0; k < N_SOLID; k++) {
    one o;
    nodes_of(SOLID[k], X);
    if (!make(SOLID[k], X, &o)) return;
    int n = o.mesh.n_node;
    for (int i = 0; i < n; i++) mw_mul33v(A, X + 3 * i, u + 3 * i);
    for (int i = 0; i < 3 * n; i++) u[3 * n + i] = -2.0 * u[i];  // a second vector
    MW_OKAY(mw_vtu_stress(&o.grid, 2, u, stress, &err));
    // λ + 2G times strains of 1e-3 summed over at most 20 nodes with gradients below 10
    double tol = 20.0 * 10.0 * EPS * 3e11 * 3e-3;
    for (int i = 0; i < 6 * n; i++) {
      MW_NEAR(stress[i], want[i % 6], tol);
      MW_NEAR(stress[6 * n + i], -2.0 * want[i % 6], 2.0 * tol);
    }
    mw_arena_free(&o.mem);
  }
}

// Stretched by e along x and bent about y by κ: at height z the strain is e + zκ and the stress
// E/(1 − ν²) (1, ν) times it; the larger one is stored.
static void shells_show_the_face_with_the_larger_stress(void)
{
  static const double TRI[9] = { 0.1, 0, 0, 1.2, 0.1, 0, 0.3, 0.9, 0 },
                      QUAD[12] = { 0, 0, 0, 1, 0, 0, 1, 0.8, 0, 0, 0.8, 0 };
  static const mw_elem_kind kind[2] = { MW_ELEM_TRI3, MW_ELEM_QUAD4 };
  mw_error err = { 0 };
  for (int k = 0; k < 4; k++) {
    one o;
    const double *X = k % 2 ? QUAD : TRI;
    double e = 1e-4, kappa = k < 2 ? 2e-2 : -2e-2, u[24] = { 0 }, stress[24];
    if (!make(kind[k % 2], X, &o)) return;
    int n = o.mesh.n_node;
    for (int i = 0; i < n; i++) {
      double x = X[3 * i];
      u[3 * i] = e * x;
      u[3 * i + 2] = -0.5 * kappa * x * x;
      u[3 * n + 3 * i + 1] = kappa * x;
    }
    MW_OKAY(mw_vtu_stress(&o.grid, 1, u, stress, &err));
    double eps = e + 0.5 * o.thickness * fabs(kappa), D = STEEL.E / (1.0 - STEEL.nu * STEEL.nu);
    // DKT and MITC4 on a rectangle have constant curvature exactly; cancellation of edge gradients
    // up to 10
    double tol = mw_test_rounding(24.0, 10.0 * D * eps);
    const double want[6] = { D * eps, STEEL.nu * D * eps, 0, 0, 0, 0 };
    for (int i = 0; i < 6 * n; i++) MW_NEAR(stress[i], want[i % 6], tol);
    double mises = D * eps * sqrt(1.0 - STEEL.nu + STEEL.nu * STEEL.nu);
    MW_NEAR(mw_vtu_von_mises(stress), mises, 4.0 * tol);
    mw_arena_free(&o.mem);
  }
}

// VTK: mid-edge nodes of (0 1) (1 2) (2 0) (3 4) (4 5) (5 3) (0 3) (1 4) (2 5), the first
// triangle's normal outward. Read back by VTK 9.1 both wedges have a positive volume so.
static void wedges_are_numbered_as_vtk_wants_them(void)
{
  static const int EDGE[9][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 },
                                  { 5, 3 }, { 0, 3 }, { 1, 4 }, { 2, 5 } };
  static const mw_elem_kind kind[2] = { MW_ELEM_WEDGE6, MW_ELEM_WEDGE15 };
  for (int k = 0; k < 2; k++) {
    one o;
    double X[45], x[15][3], d[3][3], n[3];
    nodes_of(kind[k], X);
    if (!make(kind[k], X, &o)) return;
    for (int i = 0; i < o.mesh.n_node; i++) memcpy(x[i], X + 3 * o.grid.node[i], sizeof x[i]);
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 3; c++) d[i][c] = x[i + 1][c] - x[0][c];
    mw_cross3(d[0], d[1], n);
    MW_CHECK(mw_dot3(n, d[2]) < 0.0);
    for (int e = 0; k == 1 && e < 9; e++)
      for (int c = 0; c < 3; c++)
        MW_NEAR(x[6 + e][c], 0.5 * (x[EDGE[e][0]][c] + x[EDGE[e][1]][c]), 8.0 * EPS);
    mw_arena_free(&o.mem);
  }
}

// ---- a mechanism --------------------------------------------------------------------------------

static void a_rigid_motion_moves_every_point_alike(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_vtu_grid g;
  if (!mw_fixture_file(MW_CASES_DIR "/gantry.yaml", &f)) {
    MW_CHECK(false);
    return;
  }
  static const double v[3] = { 0.3, -0.2, 0.5 }, w[3] = { 0.1, 0.4, -0.2 };
  if (MW_OKAY(mw_vtu_grid_build(&f.mech, &f.mem, &g, &err))) {
    double *X = mw_arena_f64(&f.mem, 3 * (size_t)g.n_point),
           *d = mw_arena_f64(&f.mem, 3 * (size_t)g.n_point);
    double *x = mw_arena_f64(&f.mem, (size_t)g.n_x), *work = mw_arena_f64(&f.mem, mw_vtu_work(&g));
    mw_vtu_points(&g, f.mech.p0, X);
    // velocity field v + w × x of ground axes, as (v, ω) in the axes of each body
    for (int b = 0; b < f.mech.n_body; b++) {
      const mw_body *body = &f.mech.body[b];
      const double *p = f.mech.p0 + 12 * b;
      double vo[3], m[6];
      mw_cross3(w, p, vo);
      for (int i = 0; i < 3; i++) vo[i] += v[i];
      mw_mul33tv(p + 3, vo, m);
      mw_mul33tv(p + 3, w, m + 3);
      if (body->ground) continue;
      for (int i = 0; i < g.x0[b + 1] - g.x0[b]; i++) {
        double *xi = x + g.x0[b] + i;
        if (body->n_u == 0) *xi = m[i];
        for (int k = 0; k < 6 && body->n_u > 0; k++) *xi += body->R[6 * i + k] * m[k];
      }
    }
    mw_vtu_displacement(&g, f.mech.p0, x, work, d);
    double worst = 0.0;
    for (int k = 0; k < g.n_point; k++) {
      double want[3];
      mw_cross3(w, X + 3 * k, want);
      for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(d[3 * k + i] - v[i] - want[i]));
    }
    MW_NEAR(worst, 0.0, 40.0 * EPS);  // sums of some ten products below one
    MW_CHECK(g.point0[g.m->n_body] == g.n_point && g.ptr[g.n_cell] > g.n_cell);
  }
  mw_fixture_free(&f);
}

// ---- bytes --------------------------------------------------------------------------------------

static double f64_at(const unsigned char *b)
{
  unsigned long long v = 0;
  double x;
  for (int i = 7; i >= 0; i--) v = v << 8 | b[i];
  memcpy(&x, &v, sizeof x);
  return x;
}

static void points_stand_in_the_file_bit_for_bit(void)
{
  one o;
  mw_error err = { 0 };
  double X[3 * MW_SOLID_MAX_NODE], value[MW_SOLID_MAX_NODE] = { 0.25 };
  mw_vtu_field field = { "a < b & c", 1, value };
  nodes_of(MW_ELEM_HEX20, X);
  if (!make(MW_ELEM_HEX20, X, &o)) return;
  FILE *f =
      MW_OKAY(mw_vtu_write(&o.grid, X, 1, &field, FILE_NAME, &err)) ? fopen(FILE_NAME, "rb") : NULL;
  static unsigned char text[8192];
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  static const char mark[] = "<AppendedData encoding=\"raw\">\n_";
  size_t at = 0;
  while (at + sizeof mark <= n && memcmp(text + at, mark, sizeof mark - 1) != 0) at++;
  if (MW_CHECK(at + sizeof mark + 8 + 60 * 8 < n)) {
    const unsigned char *data = text + at + sizeof mark - 1;
    MW_CHECK(data[0] == (480 & 255) && data[1] == 480 >> 8 && data[7] == 0);
    for (int i = 0; i < 60; i++) {
      double got = f64_at(data + 8 + 8 * i);
      MW_SAME_BITS(&got, &X[i], 1);
    }
    text[at] = '\0';
    MW_CHECK(strstr((char *)text, "Name=\"a &lt; b &amp; c\"") != NULL);
  }
  remove(FILE_NAME);
  MW_FAILS(mw_vtu_write(&o.grid, X, 1, &field, "no/such/folder/x.vtu", &err), MW_ERR_IO);
  mw_arena_free(&o.mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "shape_functions_are_one_at_their_own_node_and_zero_at_others",
      shape_functions_are_one_at_their_own_node_and_zero_at_others },
    { "a_linear_field_has_hookes_stress_at_every_node_of_every_solid",
      a_linear_field_has_hookes_stress_at_every_node_of_every_solid },
    { "shells_show_the_face_with_the_larger_stress", shells_show_the_face_with_the_larger_stress },
    { "wedges_are_numbered_as_vtk_wants_them", wedges_are_numbered_as_vtk_wants_them },
    { "a_rigid_motion_moves_every_point_alike", a_rigid_motion_moves_every_point_alike },
    { "points_stand_in_the_file_bit_for_bit", points_stand_in_the_file_bit_for_bit },
  };
  return mw_test_run("vtu", cases, (int)(sizeof cases / sizeof *cases));
}
