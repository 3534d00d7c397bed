// SPDX-License-Identifier: BSD-3-Clause
// test_strain.c: strains of second order of every element, against what needs none of their code:
// derivatives by differences, rigid turns, the virial of the linear stress, Euler's buckling loads,
// a spinning bar.
//
//   rᵀ K_σ(u) r = −Σ_n (ω × (ω × X_n))·(K u)_n        for the rigid turn r of ω: ∫ σ : ω~ᵀω~ dV (1)
//   column, one end built in, Engesser:  P = P_E/(1 + P_E/(κ G A)) ,  P_E = π² EI/(4 L²)        (2)
#include "fem/element.h"
#include "fem/strain.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "mw_test.h"

static const char PATH[] = "test_strain.msh";
enum { SOLIDS = 6 };
static const mw_elem_kind SOLID[SOLIDS] = { MW_ELEM_TET4,  MW_ELEM_TET10,  MW_ELEM_HEX8,
                                            MW_ELEM_HEX20, MW_ELEM_WEDGE6, MW_ELEM_WEDGE15 };

typedef struct part {
  fixture_body f;
  mw_node_set_in set[4];
  mw_tie_in tie;
  mw_part_in mesh_part;
  mw_arena mem;
  mw_body b;
} part;

static void part_init(part *t, bool ground)
{
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  t->f.body.ground = ground;
  t->f.body.node_set = t->set;
  t->f.body.tie = &t->tie;
  t->f.body.part = &t->mesh_part;
}

static void part_free(part *t) { mw_arena_free(&t->mem); }

static void add_set(part *t, const char *name, double lo, double hi)
{
  t->set[t->f.body.n_node_set++] = (mw_node_set_in){ .name = name,
                                                     .kind = MW_PICK_BOX,
                                                     .p = { lo, -10.0, -10.0 },
                                                     .q = { hi, 10.0, 10.0 },
                                                     .within = 1e-9 };
}

static bool part_build(part *t)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_body_build(&t->f.model, 0, &t->mem, &t->b, &err));
}

// a column along x from 0 to L, built in at 0, a rigid plate at L
static void hold_ends(part *t, double L)
{
  add_set(t, "end", 0.0, 0.0);
  add_set(t, "far", L, L);
  fixture_support(&t->f, "end");
  fixture_attach(&t->f, "plate", MW_ATTACH_RIGID, "far");
}

static bool build_box(part *t, mw_elem_kind kind, const int n[3], const double l[3], bool ground,
                      void (*warp)(double *))
{
  fixture_grid_box box = { kind, { n[0], n[1], n[2] }, { 0, 0, 0 }, { l[0], l[1], l[2] }, warp };
  part_init(t, ground);
  if (!MW_CHECK(fixture_grid(PATH, 1, &box) == 0)) return false;
  t->f.body.mesh = PATH;
  if (ground) hold_ends(t, l[0]);
  return part_build(t);
}

// nx × ny facets over lx × ly, z of a node by fold (x, y)
static bool build_plate(part *t, mw_elem_kind kind, const int n[2], const double l[2], double thick,
                        bool ground, double fold)
{
  int nx = n[0], ny = n[1], tri = kind == MW_ELEM_TRI3, tag = 1;
  part_init(t, ground);
  FILE *f = fopen(PATH, "w");
  if (!MW_CHECK(f != NULL)) return false;
  fprintf(f,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"skin\"\n"
          "$EndPhysicalNames\n$Nodes\n%d\n",
          (nx + 1) * (ny + 1));
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++)
      fprintf(f, "%d %.17g %.17g %.17g\n", 1 + i + (nx + 1) * j, l[0] * i / nx, l[1] * j / ny,
              fold * fabs(l[1] * j / ny - 0.5 * l[1]));
  fprintf(f, "$EndNodes\n$Elements\n%d\n", nx * ny * (tri ? 2 : 1));
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int a = 1 + i + (nx + 1) * j, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      if (!tri) {
        fprintf(f, "%d 3 2 1 1 %d %d %d %d\n", tag++, a, b, c, d);
      } else if ((i + j) % 2) {
        fprintf(f, "%d 2 2 1 1 %d %d %d\n%d 2 2 1 1 %d %d %d\n", tag, a, b, c, tag + 1, a, c, d);
        tag += 2;
      } else {
        fprintf(f, "%d 2 2 1 1 %d %d %d\n%d 2 2 1 1 %d %d %d\n", tag, a, b, d, tag + 1, b, c, d);
        tag += 2;
      }
    }
  fprintf(f, "$EndElements\n");
  if (!MW_CHECK(fclose(f) == 0)) return false;
  t->f.body.mesh = PATH;
  t->mesh_part = (mw_part_in){ .name = "skin", .material = -1, .thickness = thick };
  t->f.body.n_part = 1;
  if (ground) hold_ends(t, l[0]);
  return part_build(t);
}

// members in three directions that meet in a point
static bool build_frame(part *t)
{
  part_init(t, false);
  int o = fixture_point(&t->f, "o", 0.1, 0.2, -0.1), a = fixture_point(&t->f, "a", 1.0, 0.3, 0.2),
      b = fixture_point(&t->f, "b", 0.3, 1.1, 0.4), c = fixture_point(&t->f, "c", -0.2, 0.4, 0.9);
  fixture_member(&t->f, o, a, 3);
  fixture_member(&t->f, o, b, 2);
  fixture_member(&t->f, c, o, 2);
  fixture_member(&t->f, a, b, 2);
  return part_build(t);
}

// beam of n elements along x, built in at 0 or free; frames at the ends
static bool build_beam(part *t, int n, double L, bool ground)
{
  part_init(t, ground);
  int a = fixture_point(&t->f, "end", 0, 0, 0), b = fixture_point(&t->f, "tip", L, 0, 0);
  fixture_member(&t->f, a, b, n);
  t->f.member[0].up[0] = t->f.member[0].up[1] = 0.0;
  if (ground) fixture_support(&t->f, "end");
  fixture_attach(&t->f, "plate", MW_ATTACH_NODE, "tip");
  return part_build(t);
}

static void warp(double x[3])
{
  double y = x[1], z = x[2];
  x[0] += 0.1 * y * z + 0.03 * x[0] * x[0];
  x[1] += 0.07 * x[0] * z - 0.05 * z;
  x[2] += 0.04 * x[0] + 0.06 * y * y;
}

// Body k of a list of all kinds: solids, two plates, beams; from PATCHED on held bodies with a
// rigid patch, a plate and one with a tie. The others are free.
enum { PATCHED = SOLIDS + 3, BODIES = PATCHED + 2 };
static bool build_any(part *t, int k)
{
  const int n3[3] = { 2, 1, 1 }, n2[2] = { 3, 2 };
  const double l3[3] = { 1.0, 0.5, 0.4 }, l2[2] = { 1.0, 0.6 };
  if (k < SOLIDS) return build_box(t, SOLID[k], n3, l3, false, warp);
  if (k == SOLIDS) return build_plate(t, MW_ELEM_TRI3, n2, l2, 0.02, false, 0.3);
  if (k == SOLIDS + 1) return build_plate(t, MW_ELEM_QUAD4, n2, l2, 0.02, false, 0.0);
  if (k == SOLIDS + 2) return build_frame(t);
  if (k == PATCHED) return build_plate(t, MW_ELEM_QUAD4, n2, l2, 0.02, true, 0.0);
  fixture_grid_box box[2] = {
    { MW_ELEM_HEX8, { 2, 2, 1 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
    { MW_ELEM_TET10, { 2, 1, 1 }, { 0.101, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL }
  };
  part_init(t, true);
  if (!MW_CHECK(fixture_grid(PATH, 2, box) == 0)) return false;
  t->f.body.mesh = PATH;
  t->f.body.n_tie = 1;
  t->tie = (mw_tie_in){ .slave = "right", .master = "left", .distance = 0.005 };
  add_set(t, "left", 0.1, 0.1);
  add_set(t, "right", 0.101, 0.101);
  hold_ends(t, 0.201);
  return part_build(t);
}

static double *vector(part *t, unsigned seed, double size)
{
  double *u = mw_arena_f64(&t->mem, (size_t)t->b.n_u);
  for (int i = 0; i < t->b.n_u; i++) u[i] = size * fixture_random(&seed);
  return u;
}

// f_int − K u and the energy beyond ½ uᵀKu
static double force(part *t, const double *u, double *f)
{
  mw_error err = { 0 };
  double V = 0.0, *work = mw_arena_f64(&t->mem, (size_t)mw_body_strain_work(&t->b));
  memset(f, 0, (size_t)t->b.n_u * sizeof *f);
  MW_OKAY(mw_body_strain_force(&t->b, u, f, &V, work, &err));
  return V;
}

// ---- derivatives ----

static void forces_are_the_gradient_of_the_energy_and_the_tangent_theirs(void)
{
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    int n = t.b.n_u;
    size_t N = (size_t)n;
    double h = 1e-4, *u = vector(&t, 1, 0.02), *v = vector(&t, 2, 0.02);
    double *f = mw_arena_f64(&t.mem, N), *fp = mw_arena_f64(&t.mem, N),
           *fm = mw_arena_f64(&t.mem, N), *x = mw_arena_f64(&t.mem, N),
           *Tv = mw_arena_f64(&t.mem, N), size = 0.0, wrong = 0.0;
    mw_csc T = t.b.K;
    T.val = mw_arena_f64(&t.mem, (size_t)T.ptr[n]);
    (void)force(&t, u, f);
    for (int i = 0; i < n; i++) x[i] = u[i] + h * v[i];
    double Vp = force(&t, x, fp);
    for (int i = 0; i < n; i++) x[i] = u[i] - h * v[i];
    double Vm = force(&t, x, fm), fv = mw_dot(n, f, v);
    // differences err by h² of third derivatives and by rounding over h
    MW_NEAR((Vp - Vm) / (2.0 * h), fv, 1e-6 * fabs(fv));
    MW_OKAY(mw_body_add_tangent(&t.b, u, &T, &err));
    mw_csc_mul(&T, 1.0, v, 0.0, Tv);
    for (int i = 0; i < n; i++) {
      size = fmax(size, fabs(Tv[i]));
      wrong = fmax(wrong, fabs((fp[i] - fm[i]) / (2.0 * h) - Tv[i]));
    }
    MW_NEAR(wrong, 0.0, 1e-6 * size);
    part_free(&t);
  }
}

// Along v = u its power is a + 2b + c with V(λu) = ½ λ²a + ½ λ³b + λ⁴c/8: two energies give b and c
// (patches turn by finite angles, test_patch.c). And it is symmetric in v, w.
static void damping_works_on_the_rate_of_the_strain(void)
{
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    int n = t.b.n_u;
    double *u = vector(&t, 1, 0.02), *v = vector(&t, 2, 0.02), *w = vector(&t, 3, 0.02);
    double *f = vector(&t, 4, 0.0), *g = vector(&t, 5, 0.0), *own = vector(&t, 6, 0.0);
    double *work = mw_arena_f64(&t.mem, (size_t)mw_body_strain_work(&t.b));
    double *x = vector(&t, 1, 0.04), V1 = force(&t, u, work), V2 = force(&t, x, work);
    // V1 = b/2 + c/8, V2 = 4b + 2c; sums of n products of some 20 roundings each
    double c = V2 - 8.0 * V1, b = 2.0 * V1 - 0.25 * c, eps = mw_test_rounding(20.0 * n, 1.0);
    MW_OKAY(mw_body_strain_drag(&t.b, 1.0, u, u, own, work, &err));
    if (k < PATCHED)
      MW_NEAR(mw_dot(n, own, u), 2.0 * b + c, eps * (16.0 * fabs(V1) + 2.0 * fabs(V2)));
    MW_OKAY(mw_body_strain_drag(&t.b, 0.5, u, v, f, work, &err));
    MW_OKAY(mw_body_strain_drag(&t.b, 0.5, u, w, g, work, &err));
    double size = mw_dot(n, f, f) * mw_dot(n, w, w) + mw_dot(n, g, g) * mw_dot(n, v, v);
    MW_NEAR(mw_dot(n, f, w), mw_dot(n, g, v), eps * sqrt(size));
    part_free(&t);
  }
}

// Against the forces, drags and energies of both signs, whose elements are evaluated by another
// routine: forces beyond the linear ones are b + k, drags 2b + k, b even in u and k odd. Sums of n
// products of some 20 roundings each.
static void what_stretches_is_even_in_the_displacement(void)
{
  enum { ROWS = 3 };
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    size_t N = (size_t)t.b.n_u;
    double *X = mw_arena_f64(&t.mem, ROWS * N), *B = mw_arena_f64(&t.mem, ROWS * N), V[ROWS];
    double *u = vector(&t, 1, 0.0), *f = vector(&t, 1, 0.0), *drag = vector(&t, 1, 0.0),
           *sum = vector(&t, 1, 0.0);
    double *work = mw_arena_f64(&t.mem, (size_t)mw_body_strain_work(&t.b));
    for (unsigned r = 0; r < ROWS; r++) memcpy(X + r * N, vector(&t, 4 + r, 0.02), N * sizeof *X);
    MW_OKAY(mw_body_stretch(&t.b, ROWS, X, B, V, &err));
    for (size_t r = 0; r < ROWS; r++) {
      double even = 0.0, energies = 0.0, size = 0.0, wrong = 0.0;
      memset(sum, 0, N * sizeof *sum);
      for (int side = 0; side < 2; side++) {
        memset(drag, 0, N * sizeof *drag);
        for (size_t i = 0; i < N; i++) u[i] = side ? -X[r * N + i] : X[r * N + i];
        double one = force(&t, u, f);
        even += 0.5 * one;
        energies += fabs(one);
        MW_OKAY(mw_body_strain_drag(&t.b, 1.0, u, u, drag, work, &err));
        for (size_t i = 0; i < N; i++) {
          sum[i] += 0.5 * (drag[i] - f[i]);
          size = fmax(size, fabs(drag[i]) + fabs(f[i]));
        }
      }
      for (size_t i = 0; i < N; i++) wrong = fmax(wrong, fabs(sum[i] - B[r * N + i]));
      double eps = mw_test_rounding(20.0 * (double)N, 1.0);
      MW_CHECK(V[r] > 0.0 && size > 0.0);
      MW_NEAR(V[r], even, eps * energies);
      MW_NEAR(wrong, 0.0, eps * size);
    }
    part_free(&t);
  }
}

// odd part of the energy beyond the linear one at part_of × u; adds what both sides are to size
static double odd_energy(part *t, const double *u, double part_of, double *size)
{
  size_t N = (size_t)t->b.n_u;
  double *x = mw_arena_f64(&t->mem, N), *f = mw_arena_f64(&t->mem, N), V[2];
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < N; i++) x[i] = (side ? -part_of : part_of) * u[i];
    V[side] = force(t, x, f);
  }
  *size += 0.5 * (fabs(V[0]) + fabs(V[1]));
  return 0.5 * (V[0] - V[1]);
}

// V − ½ uᵀKu = ½ uᵀ K_σ(u) u + O(u⁴): V(u) − V(−u) leaves out the fourth order, and u/2 the fifth,
// which patches have
static void stress_stiffness_is_the_cubic_part_of_the_energy(void)
{
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    double *u = vector(&t, 3, 1e-3), G, half = 0.0, one = 0.0;
    double cubic = (32.0 * odd_energy(&t, u, 0.5, &half) - odd_energy(&t, u, 1.0, &one)) / 3.0;
    MW_OKAY(mw_body_stress_stiffness(&t.b, u, 1, u, &G, &err));
    // exact but for rounding and, of patches, u⁷: turns by 0.03 to the fourth power
    MW_NEAR(0.5 * G, cubic,
            mw_test_rounding(20.0 * t.b.n_u, (32.0 * half + one) / 3.0) +
                (k < PATCHED ? 0.0 : 1e-6 * fabs(cubic)));
    part_free(&t);
  }
}

static void stress_stiffness_is_symmetric_and_linear_in_the_stress(void)
{
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    size_t N = (size_t)t.b.n_u;
    double *X = mw_arena_f64(&t.mem, 3 * N), G[9], A[9], B[9], size = 0.0;
    for (size_t r = 0; r < 3; r++)
      memcpy(X + r * N, vector(&t, 4 + (unsigned)r, 1.0), N * sizeof *X);
    double *u = vector(&t, 9, 1.0), *v = vector(&t, 10, 1.0), *w = mw_arena_f64(&t.mem, N);
    for (size_t i = 0; i < N; i++) w[i] = 2.0 * u[i] - 3.0 * v[i];
    MW_CHECK(mw_body_has_stress(&t.b));
    MW_OKAY(mw_body_stress_stiffness(&t.b, u, 3, X, A, &err));
    MW_OKAY(mw_body_stress_stiffness(&t.b, v, 3, X, B, &err));
    MW_OKAY(mw_body_stress_stiffness(&t.b, w, 3, X, G, &err));
    for (int i = 0; i < 9; i++) size = fmax(size, fabs(A[i]) + fabs(B[i]));
    for (int i = 0; i < 9; i++) {
      MW_NEAR(G[i], 2.0 * A[i] - 3.0 * B[i], 1e3 * DBL_EPSILON * size);
      MW_SAME_BITS(&G[i], &G[3 * (i % 3) + i / 3], 1);
    }
    part_free(&t);
  }
}

// uᵀ f_ab = aᵀ K_σ(u) b: pairs by their strains (solids) or entry by entry, against the matrix, all
// at once and in parts
static void pairs_are_the_stress_stiffness_of_any_stress(void)
{
  static part t;
  mw_error err = { 0 };
  enum { ROWS = 3, PAIRS = ROWS * (ROWS + 1) / 2 };
  for (int k = 0; k < BODIES; k++) {
    if (!build_any(&t, k)) return;
    size_t N = (size_t)t.b.n_u;
    double *X = mw_arena_f64(&t.mem, ROWS * N), *F = mw_arena_f64(&t.mem, PAIRS * N),
           *part_F = mw_arena_f64(&t.mem, 2 * N), G[ROWS * ROWS], size = 0.0;
    for (size_t r = 0; r < ROWS; r++)
      memcpy(X + r * N, vector(&t, 4 + (unsigned)r, 1.0), N * sizeof *X);
    double *u = vector(&t, 9, 1.0);
    MW_OKAY(mw_body_stress_stiffness(&t.b, u, ROWS, X, G, &err));
    MW_OKAY(mw_body_stress_pairs(&t.b, ROWS, X, 0, PAIRS, F, &err));
    MW_OKAY(mw_body_stress_pairs(&t.b, ROWS, X, 3, 2, part_F, &err));
    for (int l = 0; l < PAIRS; l++) {
      double sum = 0.0, terms = 0.0;
      int a, b;
      mw_pair_of(l, &a, &b);
      MW_CHECK(b <= a && a * (a + 1) / 2 + b == l);
      for (size_t i = 0; i < N; i++) {
        sum += u[i] * F[i * PAIRS + (size_t)l];
        terms += fabs(u[i] * F[i * PAIRS + (size_t)l]);
      }
      size = fmax(size, terms);
      // N terms, each of some hundred of an element's own sums
      MW_NEAR(sum, G[ROWS * a + b], mw_test_rounding(100.0 * (double)N, size));
    }
    for (size_t i = 0; i < N; i++) MW_SAME_BITS(part_F + 2 * i, F + i * PAIRS + 3, 2);
    part_free(&t);
  }
}

// ---- rigid turns ----

// the motion of nodes at X: x := A X (rotation φ at nodes that have one); unknowns of free bodies
// are their nodes' motions
static void affine(const part *t, int dof, const double A[9], const double phi[3], double *x)
{
  for (int i = 0; i < t->b.n_node; i++) {
    mw_mul33v(A, t->b.X + 3 * i, x + dof * i);
    for (int c = 3; c < dof; c++) x[dof * i + c] = phi[c - 3];
  }
}

// (1) for arbitrary stress; plates: turns about their normal or an axis in their plane, see
// strain_shell.c
static void rigid_turns_work_on_the_virial_of_the_stress(void)
{
  static part t;
  mw_error err = { 0 };
  for (int k = 0; k < PATCHED; k++) {
    static const double W[4][3] = {
      { 0.3, -0.8, 0.5 }, { 0.0, 0.0, 1.0 }, { 0.6, 0.8, 0.0 }, { 1, 0, 0 }
    };
    if (k == SOLIDS) continue;  // folded
    if (!build_any(&t, k)) return;
    int dof = k < SOLIDS ? 3 : 6;
    size_t N = (size_t)t.b.n_u;
    if (!MW_CHECK(t.b.n_u == dof * t.b.n_node)) return;
    double *u = vector(&t, 11, 1e-3), *r = mw_arena_f64(&t.mem, N), *y = mw_arena_f64(&t.mem, N),
           *Ku = mw_arena_f64(&t.mem, N), G;
    mw_csc_mul(&t.b.K, 1.0, u, 0.0, Ku);
    for (int a = k == SOLIDS + 1 ? 1 : 0; a < 4; a++) {
      const double *w = W[a], zero[3] = { 0 };
      double S[9] = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 }, SS[9], size = 0.0;
      mw_mul33(S, S, SS);
      affine(&t, dof, S, w, r);
      affine(&t, dof, SS, zero, y);
      for (size_t i = 0; i < N; i++) size += fabs(y[i] * Ku[i]);
      MW_OKAY(mw_body_stress_stiffness(&t.b, u, 1, r, &G, &err));
      MW_NEAR(G, -mw_dot(t.b.n_u, y, Ku), 1e3 * DBL_EPSILON * size);
    }
    part_free(&t);
  }
}

// exp(θ~) − 1
static void turn(const double w[3], double A[9])
{
  double S[9] = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 }, SS[9], a = mw_norm3(w);
  mw_mul33(S, S, SS);
  for (int i = 0; i < 9; i++) A[i] = sin(a) / a * S[i] + (1.0 - cos(a)) / (a * a) * SS[i];
}

// energy of a turn, over that of a strain of one
static double turn_energy(part *t, int dof, const double w[3], double *f)
{
  double A[9], E[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, zero[3] = { 0 };
  double *x = mw_arena_f64(&t->mem, (size_t)t->b.n_u), *K = mw_arena_f64(&t->mem, (size_t)t->b.n_u);
  affine(t, dof, E, zero, x);
  mw_csc_mul(&t->b.K, 1.0, x, 0.0, K);
  double scale = mw_dot(t->b.n_u, x, K);
  turn(w, A);
  affine(t, dof, A, w, x);
  mw_csc_mul(&t->b.K, 1.0, x, 0.0, K);
  return (force(t, x, f) + 0.5 * mw_dot(t->b.n_u, x, K)) / scale;
}

static void turns_of_a_radian_strain_no_solid(void)
{
  static part t;
  const double w[3] = { 0.6, -0.5, 0.7 };
  for (int k = 0; k < SOLIDS; k++) {
    if (!build_any(&t, k)) return;
    MW_NEAR(turn_energy(&t, 3, w, mw_arena_f64(&t.mem, (size_t)t.b.n_u)), 0.0, 1e2 * DBL_EPSILON);
    part_free(&t);
  }
}

// ---- stress and strain at points ----

// strain [6] at a point of element e moved by A X, its corners turned by phi: linear and second
// part together
static void strain_at(const part *t, int e, const double A[9], const double phi[3], double y[6],
                      bool stress)
{
  const mw_mesh *m = t->b.mesh;
  mw_elem_kind kind = (mw_elem_kind)m->elem_kind[e];
  bool solid = mw_elem_info_of(kind)->dim == 3;
  int n = m->elem_ptr[e + 1] - m->elem_ptr[e], dof = solid ? 3 : 6;
  const double xi[3] = { 0.21, 0.13, 0.34 };
  double X[60], u[60] = { 0.0 }, B[360];
  const mw_material *steel = &t->f.material;
  mw_error err = { 0 };
  for (int i = 0; i < n; i++) {
    memcpy(X + 3 * i, m->x + 3 * m->elem_node[m->elem_ptr[e] + i], 3 * sizeof *X);
    mw_mul33v(A, X + 3 * i, u + dof * i);
    for (int c = 3; c < dof; c++) u[dof * i + c] = phi[c - 3];
  }
  if (solid) {
    MW_OKAY(mw_solid_second_stress(kind, X, steel, xi, !stress, u, y, &err));
    MW_OKAY(kind == MW_ELEM_HEX8 ? mw_hex8_stress(X, steel, xi, !stress, B, &err)
                                 : mw_solid_stress(kind, X, steel, xi, !stress, B, &err));
  } else {
    MW_OKAY(mw_shell_second_stress(kind, X, steel, !stress, u, y, &err));
    MW_OKAY(mw_shell_stress(kind, X, 0.003, steel, !stress, B, &err));
  }
  for (int i = 0; i < 6; i++) y[i] += mw_dot(dof * n, B + dof * n * i, u);
}

// E = ½ (FᵀF − 1), xx yy zz xy yz zx, shear doubled
static void green(const double F[9], double E[6])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3;
    E[i] = -0.5;
    E[3 + i] = 0.0;
    for (int c = 0; c < 3; c++) {
      E[i] += 0.5 * F[3 * c + i] * F[3 * c + i];
      E[3 + i] += F[3 * c + i] * F[3 * c + j];
    }
  }
}

// F = R U, x = F X: Green-Lagrange strain and its stress in closed form, in every element. Shells:
// U in their plane, zz by plane stress, corners that turn with the gradient's skew part: no
// curvature.
static void stretched_and_turned_elements_have_the_strain_of_green(void)
{
  static part t;
  const double w[3] = { 0.6, -0.5, 0.7 };
  double R[9], F[9], A[9], U[9] = { 1.1, 0.05, 0.02, 0.05, 0.93, -0.04, 0.02, -0.04, 1.02 };
  for (int k = 0; k < SOLIDS + 2; k++) {
    bool shell = k >= SOLIDS;
    if (shell) U[2] = U[5] = U[6] = U[7] = 0.0, U[8] = 1.0;
    turn(w, R);
    for (int i = 0; i < 9; i += 4) R[i] += 1.0;
    mw_mul33(R, U, F);
    memcpy(A, F, sizeof A);
    for (int i = 0; i < 9; i += 4) A[i] -= 1.0;
    double E[6], s[6], y[6], phi[3] = { A[7], -A[6], 0.5 * (A[3] - A[1]) };
    if (k == SOLIDS ? !build_plate(&t, MW_ELEM_TRI3, (int[2]){ 3, 2 }, (double[2]){ 1.0, 0.6 },
                                   0.02, false, 0.0)
                    : !build_any(&t, k))
      return;
    const mw_material *m = &t.f.material;
    double nu = m->nu, lam = m->E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)),
           G = 0.5 * m->E / (1.0 + nu);
    green(F, E);
    if (shell) E[2] = -nu / (1.0 - nu) * (E[0] + E[1]), E[4] = E[5] = 0.0;
    for (int i = 0; i < 6; i++)
      s[i] = i < 3 ? lam * (E[0] + E[1] + E[2]) + 2.0 * G * E[i] : G * E[i];
    for (int e = 0; e < t.b.mesh->n_elem; e++) {
      // sums over twenty nodes of displacements of 1 by gradients of 1e1
      strain_at(&t, e, A, phi, y, false);
      for (int i = 0; i < 6; i++) MW_NEAR(y[i], E[i], 2e3 * DBL_EPSILON);
      strain_at(&t, e, A, phi, y, true);
      for (int i = 0; i < 6; i++) MW_NEAR(y[i], s[i], 2e3 * DBL_EPSILON * 3.0 * m->E);
    }
    part_free(&t);
  }
}

// beams that meet at angles: strains of third order, energy of sixth
static void turns_strain_beams_by_their_third_power(void)
{
  static part t;
  const double w[3] = { 0.06, -0.05, 0.07 }, half[3] = { 0.03, -0.025, 0.035 };
  if (!build_frame(&t)) return;
  double *f = mw_arena_f64(&t.mem, (size_t)t.b.n_u), V = turn_energy(&t, 6, w, f),
         Vh = turn_energy(&t, 6, half, f);
  MW_CHECK(V < 1e-6);
  MW_CHECK(V / Vh > 60.0);  // 64; more where v'² leaves out u'², which is of fourth order
  part_free(&t);
}

// ---- buckling ----

// smallest load P on the plate that makes K + P K_σ singular, along x
static double buckling_load(part *t)
{
  const mw_body *b = &t->b;
  mw_error err = { 0 };
  int n = b->n_u;
  size_t N = (size_t)n;
  double *K = mw_arena_f64(&t->mem, N * N), *L = mw_arena_f64(&t->mem, N * N),
         *G = mw_arena_f64(&t->mem, N * N), *X = mw_arena_f64(&t->mem, N * N),
         *V = mw_arena_f64(&t->mem, N * N), *w = mw_arena_f64(&t->mem, N),
         *u = mw_arena_f64(&t->mem, N), *z = mw_arena_f64(&t->mem, (size_t)b->n_z);
  z[b->frame[0].z] = -1.0;
  mw_csc_mul_t(&b->P, 1.0, z, 0.0, u);
  fixture_dense(&b->K, K);
  memcpy(L, K, N * N * sizeof *L);
  MW_OKAY(mw_chol_factor(n, L, &err));
  mw_chol_solve(n, L, 1, u);
  for (size_t i = 0; i < N; i++) X[i * N + i] = 1.0;
  MW_OKAY(mw_body_stress_stiffness(b, u, n, X, G, &err));
  for (size_t i = 0; i < N * N; i++) G[i] = -G[i];
  MW_OKAY(mw_eig_gen(n, G, K, w, V, &err));
  return 1.0 / w[n - 1];
}

// L = 1 m, section 60 × 40 mm, bent about the weak axis; shear: counted
static double column(double E, bool shear)
{
  const double PI = acos(-1.0), PE = PI * PI * E * 0.06 * pow(0.04, 3) / 48.0;
  return shear ? PE / (1.0 + PE / (5.0 / 6.0 * 0.5 * E * 0.06 * 0.04)) : PE;
}

static void beams_buckle_at_eulers_load_to_fourth_order(void)
{
  static part t;
  double err[3];
  for (int k = 0; k < 3; k++) {
    if (!build_beam(&t, 1 << k, 1.0, true)) return;
    part_free(&t);
    t.f.material.nu = 0.0;
    t.f.section.ky = t.f.section.kz = 0.0;
    if (!part_build(&t)) return;
    double P = column(t.f.material.E, false);
    err[k] = buckling_load(&t) / P - 1.0;
    part_free(&t);
  }
  MW_NEAR(err[2], 0.0, 5e-5);
  MW_NEAR(err[0] / err[1], 16.0, 3.0);
  MW_NEAR(err[1] / err[2], 16.0, 1.0);
}

static void beams_with_shear_buckle_at_engessers_load(void)
{
  static part t;
  if (!build_beam(&t, 16, 1.0, true)) return;
  part_free(&t);
  t.f.material.nu = 0.0;
  if (!part_build(&t)) return;
  MW_NEAR(buckling_load(&t) / column(t.f.material.E, true), 1.0, 1e-6);
  part_free(&t);
}

// The error falls by the order of the element down to the difference of (2) from a solid, (h/L)²
// P/(GA) or less.
static void solids_buckle_at_eulers_load(void)
{
  static part t;
  // linear wedges and tetrahedra bend too stiffly and are left out
  static const struct {
    mw_elem_kind kind;
    int n;
    double ratio;
  } K[] = { { MW_ELEM_HEX8, 12, 3.5 },
            { MW_ELEM_HEX20, 6, 8.0 },
            { MW_ELEM_TET10, 6, 8.0 },
            { MW_ELEM_WEDGE15, 6, 8.0 } };
  const double l[3] = { 1.0, 0.06, 0.04 };
  for (int k = 0; k < (int)(sizeof K / sizeof *K); k++) {
    double err[2];
    for (int i = 0; i < 2; i++) {
      const int n[3] = { K[k].n << i, 1, 1 };
      if (!build_box(&t, K[k].kind, n, l, true, NULL)) return;
      part_free(&t);
      t.f.material.nu = 0.0;
      if (!part_build(&t)) return;
      err[i] = buckling_load(&t) / column(t.f.material.E, true) - 1.0;
      part_free(&t);
    }
    MW_NEAR(err[1], 0.0, 1e-3);
    MW_CHECK(fabs(err[0] / err[1]) > K[k].ratio);
  }
}

static void shells_buckle_at_eulers_load_to_second_order(void)
{
  static part t;
  const mw_elem_kind kind[2] = { MW_ELEM_TRI3, MW_ELEM_QUAD4 };
  const double l[2] = { 1.0, 0.06 };
  for (int k = 0; k < 2; k++) {
    double err[2];
    for (int i = 0; i < 2; i++) {
      const int n[2] = { 8 << i, 1 };
      if (!build_plate(&t, kind[k], n, l, 0.04, true, 0.0)) return;
      part_free(&t);
      t.f.material.nu = 0.0;
      if (!part_build(&t)) return;
      err[i] = buckling_load(&t) / column(t.f.material.E, k == 1) - 1.0;
      part_free(&t);
    }
    MW_NEAR(err[1], 0.0, 2e-3);
    MW_CHECK(fabs(err[0] / err[1]) > 2.5);
  }
}

// ---- a spinning bar ----

// u = K⁻¹ Ω² h: v = α x has the energy ½ ∫ N α² dx = α²/6 ρ A Ω² L³, N = ½ ρ A Ω² (L² − x²)
static void a_spinning_bar_is_stiffened_by_its_axial_force(void)
{
  static part t;
  mw_error err = { 0 };
  const double Omega = 30.0, L = 1.0, alpha = 0.01;
  if (!build_beam(&t, 8, L, true)) return;
  const mw_body *b = &t.b;
  size_t N = (size_t)b->n_u;
  double *K = mw_arena_f64(&t.mem, N * N), *u = mw_arena_f64(&t.mem, N),
         *v = mw_arena_f64(&t.mem, N), G;
  fixture_dense(&b->K, K);
  // the clamped end keeps the line v = α (x − l_1) flat there: taken from the first node on, its
  // element by hand below
  for (size_t i = 0; i < N; i++) u[i] = Omega * Omega * b->h[i];  // h_xx
  MW_OKAY(mw_chol_factor(b->n_u, K, &err));
  mw_chol_solve(b->n_u, K, 1, u);
  // nodes but the first: v = α (x − x1), θz = α; the first element bends from rest to that slope
  // and is taken away
  double x1 = L / 8.0, f = t.f.material.rho * t.f.section.A * Omega * Omega;
  for (int i = 0; i < b->n_node; i++) {
    double x = b->X[3 * i];
    if (x == 0.0) continue;
    int at = b->N.n_col;  // unknown of the node's x displacement
    for (int j = 0; j < b->N.n_col; j++)
      for (int p = b->N.ptr[j]; p < b->N.ptr[j + 1]; p++)
        if (b->N.row[p] == 3 * i) at = j;
    v[at + 1] = alpha * (x - x1);
    v[at + 5] = alpha;
  }
  MW_OKAY(mw_body_stress_stiffness(b, u, 1, v, &G, &err));
  // first element: v' from Euler's cubic with end slope α and end deflection 0, shear aside: v' = α
  // (3ξ² − 2ξ), ∫ v'² = 2/15 α² l, and N is its mean there
  double c = 12.0 * t.f.material.E * t.f.section.Iz /
             (t.f.section.ky * t.f.section.A * t.f.material.E / 2.6 * x1 * x1);
  double s1 = 0.0;
  for (int i = 0; i < 1000; i++) {
    double xi = (i + 0.5) / 1000.0, d = (3.0 * xi * xi - (2.0 - c) * xi - 0.5 * c) / (1.0 + c);
    s1 += alpha * alpha * x1 * d * d / 1000.0;
  }
  double mean = 0.5 * f * (L * L - x1 * x1 / 3.0);  // of N over the first element
  double want =
      mean * s1 + alpha * alpha * 0.5 * f * (L * L * (L - x1) - (L * L * L - x1 * x1 * x1) / 3.0);
  MW_NEAR(G, want, 1e-5 * want);  // a thousand midpoints: 1e-6 of the first element's share
  part_free(&t);
}

static void rigid_bodies_have_no_stress(void)
{
  static part t;
  mw_error err = { 0 };
  part_init(&t, false);
  t.f.body.rigid = true;
  t.f.body.mass = 1.0;
  double G[4] = { 1, 1, 1, 1 };
  if (!part_build(&t)) return;
  MW_CHECK(!mw_body_has_stress(&t.b));
  MW_OKAY(mw_body_stress_stiffness(&t.b, NULL, 2, NULL, G, &err));
  for (int i = 0; i < 4; i++) MW_CHECK(G[i] == 0.0);
  part_free(&t);
}

static void projected_bodies_have_no_stress(void)
{
  static part t;
  mw_error err = { 0 };
  mw_body p;
  if (!build_beam(&t, 2, 1.0, true)) return;
  double *T = mw_arena_f64(&t.mem, (size_t)t.b.n_u);
  T[0] = 1.0;
  MW_OKAY(mw_body_project(&t.b, T, 1, &t.mem, &p, &err));
  MW_CHECK(mw_body_has_stress(&t.b) && !mw_body_has_stress(&p));
  part_free(&t);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "forces_are_the_gradient_of_the_energy_and_the_tangent_theirs",
      forces_are_the_gradient_of_the_energy_and_the_tangent_theirs },
    { "damping_works_on_the_rate_of_the_strain", damping_works_on_the_rate_of_the_strain },
    { "what_stretches_is_even_in_the_displacement", what_stretches_is_even_in_the_displacement },
    { "stress_stiffness_is_the_cubic_part_of_the_energy",
      stress_stiffness_is_the_cubic_part_of_the_energy },
    { "pairs_are_the_stress_stiffness_of_any_stress",
      pairs_are_the_stress_stiffness_of_any_stress },
    { "stress_stiffness_is_symmetric_and_linear_in_the_stress",
      stress_stiffness_is_symmetric_and_linear_in_the_stress },
    { "rigid_turns_work_on_the_virial_of_the_stress",
      rigid_turns_work_on_the_virial_of_the_stress },
    { "turns_of_a_radian_strain_no_solid", turns_of_a_radian_strain_no_solid },
    { "stretched_and_turned_elements_have_the_strain_of_green",
      stretched_and_turned_elements_have_the_strain_of_green },
    { "turns_strain_beams_by_their_third_power", turns_strain_beams_by_their_third_power },
    { "beams_buckle_at_eulers_load_to_fourth_order", beams_buckle_at_eulers_load_to_fourth_order },
    { "beams_with_shear_buckle_at_engessers_load", beams_with_shear_buckle_at_engessers_load },
    { "solids_buckle_at_eulers_load", solids_buckle_at_eulers_load },
    { "shells_buckle_at_eulers_load_to_second_order",
      shells_buckle_at_eulers_load_to_second_order },
    { "a_spinning_bar_is_stiffened_by_its_axial_force",
      a_spinning_bar_is_stiffened_by_its_axial_force },
    { "rigid_bodies_have_no_stress", rigid_bodies_have_no_stress },
    { "projected_bodies_have_no_stress", projected_bodies_have_no_stress },
  };
  int rc = mw_test_run("test_strain", cases, (int)(sizeof cases / sizeof *cases));
  remove(PATH);
  return rc;
}
