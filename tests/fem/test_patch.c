// SPDX-License-Identifier: BSD-3-Clause
// test_patch.c: rigid patches that turn by finite angles: rigid turns of whole bodies, and a
// slender cantilever against the elastica.
//
//   rᵀ K_σ(u) r = −Σ_n (ω × (ω × X_n))·(K u)_n        for the rigid turn r of ω                 (1)
//   cantilever under a dead load P at its end, α = PL²/EI:  EI θ'' = −P cos θ ,
//     w/L = α/3 (1 − 4/35 α²) + O(α⁵) ,   shortening/L = α²/15 + O(α⁴)                          (2)
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/strain.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "mw_test.h"

static const char PATH[] = "test_patch.msh";

typedef struct part {
  fixture_body f;
  mw_node_set_in set[4];
  mw_tie_in tie;
  mw_output_in output[3];
  mw_arena mem;
  mw_body b;
} part;

static void add_set(part *t, const char *name, double x)
{
  t->set[t->f.body.n_node_set++] = (mw_node_set_in){ .name = name,
                                                     .kind = MW_PICK_BOX,
                                                     .p = { x, -10.0, -10.0 },
                                                     .q = { x, 10.0, 10.0 },
                                                     .within = 1e-9 };
}

static bool part_open(part *t, int n_box, const fixture_grid_box *box)
{
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  t->f.body.node_set = t->set;
  t->f.body.tie = &t->tie;
  t->f.body.mesh = PATH;
  t->f.model.output = t->output;
  return MW_CHECK(fixture_grid(PATH, n_box, box) == 0);
}

// Stress of the body at a point.
static void add_gauge(part *t, double x, double y, double z)
{
  t->output[t->f.model.n_output++] =
      (mw_output_in){ .name = "gauge", .kind = MW_OUTPUT_STRESS, .x = { x, y, z } };
}

static bool part_build(part *t)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_body_build(&t->f.model, 0, &t->mem, &t->b, &err));
}

// A free bar of bricks and tetrahedra: patches at its end and on the face that the tetrahedra are
// tied to.
static bool build_tied(part *t)
{
  const fixture_grid_box box[2] = {
    { MW_ELEM_HEX8, { 2, 2, 1 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
    { MW_ELEM_TET10, { 2, 1, 1 }, { 0.101, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL }
  };
  if (!part_open(t, 2, box)) return false;
  t->f.body.n_tie = 1;
  t->tie = (mw_tie_in){ .slave = "right", .master = "left", .distance = 0.005 };
  add_set(t, "end", 0.0);
  add_set(t, "left", 0.1);
  add_set(t, "right", 0.101);
  fixture_attach(&t->f, "a", MW_ATTACH_RIGID, "end");
  fixture_attach(&t->f, "b", MW_ATTACH_RIGID, "left");
  add_gauge(t, 0.01, 0.013, 0.011);   // an element on a patch
  add_gauge(t, 0.05, 0.02, 0.03);     // four elements, on a patch and not
  add_gauge(t, 0.105, 0.013, 0.011);  // an element with tied nodes
  return part_build(t);
}

static double *array(part *t) { return mw_arena_f64(&t->mem, (size_t)t->b.n_u); }

// x := unknowns of the motion A X, patches turned by phi
static void affine(part *t, const double A[9], const double phi[3], double *x)
{
  const mw_body *b = &t->b;
  int *entries = mw_arena_int(&t->mem, 3 * (size_t)b->n_node);
  double y[3];
  for (int p = 0; p < b->N.ptr[b->n_u]; p++) entries[b->N.row[p]]++;
  for (int j = 0; j < b->n_u; j++)
    for (int p = b->N.ptr[j]; p < b->N.ptr[j + 1]; p++) {
      int i = b->N.row[p];
      if (entries[i] != 1) continue;  // follows others
      mw_mul33v(A, b->X + 3 * (i / 3), y);
      x[j] = y[i % 3];
    }
  for (int j = 0; j < b->n_u; j++)
    for (int p = b->P.ptr[j]; p < b->P.ptr[j + 1]; p++) {
      int k = b->P.row[p] / 6, c = b->P.row[p] % 6;
      mw_mul33v(A, b->frame[k].X, y);
      x[j] = c < 3 ? y[c] : phi[c - 3];
    }
}

// exp(φ~) − 1
static void turn(const double w[3], double A[9])
{
  double S[9] = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 }, SS[9], a = mw_norm3(w);
  mw_mul33(S, S, SS);
  for (int i = 0; i < 9; i++) A[i] = sin(a) / a * S[i] + (1.0 - cos(a)) / (a * a) * SS[i];
}

// f := f_int, the whole of it; returns the energy
static double force(part *t, const double *u, double *f)
{
  mw_error err = { 0 };
  double V = 0.0, *work = mw_arena_f64(&t->mem, (size_t)mw_body_strain_work(&t->b));
  mw_csc_mul(&t->b.K, 1.0, u, 0.0, f);
  double linear = 0.5 * mw_dot(t->b.n_u, u, f);
  MW_OKAY(mw_body_strain_force(&t->b, u, f, &V, work, &err));
  return V + linear;
}

// y [18] := stresses at the gauges, Pa; linear: S u alone
static void stresses(part *t, bool linear, const double *u, double *y)
{
  mw_error err = { 0 };
  double *work = mw_arena_f64(&t->mem, (size_t)mw_body_strain_work(&t->b));
  mw_csc_mul(&t->b.S, 1.0, u, 0.0, y);
  if (!linear) MW_OKAY(mw_body_strain_gauges(&t->b, u, y, work, &err));
}

// T := ∂f_int/∂u
static mw_csc tangent(part *t, const double *u)
{
  mw_error err = { 0 };
  mw_csc T = t->b.K;
  size_t nz = (size_t)T.ptr[t->b.n_u];
  T.val = mw_arena_f64(&t->mem, nz);
  memcpy(T.val, t->b.K.val, nz * sizeof *T.val);
  MW_OKAY(mw_body_add_tangent(&t->b, u, &T, &err));
  return T;
}

static double size_of(int n, const double *x)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static const double TURN[3] = { 0.6, -0.5, 0.7 }, ZERO[3] = { 0.0 };

static void a_turn_of_a_radian_stresses_no_gauge(void)
{
  static part t;
  double A[9], y[18], linear[18];
  if (!build_tied(&t)) return;
  double *u = array(&t), E = t.f.material.E;
  turn(TURN, A);
  affine(&t, A, TURN, u);
  stresses(&t, false, u, y);
  stresses(&t, true, u, linear);
  // rounding of sums over an element's nodes, of terms of E times a strain of one over shape
  // functions' gradients
  MW_NEAR(size_of(18, y) / E, 0.0, 1e3 * DBL_EPSILON);
  for (int g = 0; g < 3; g++) MW_CHECK(size_of(6, linear + 6 * g) > 0.1 * E);
  mw_arena_free(&t.mem);
}

// No strain: no energy, no force, and all stiffness is that of strains, on which damping works.
static void a_turn_of_a_radian_strains_no_patch_and_damping_resists_strains_alone(void)
{
  static part t;
  mw_error err = { 0 };
  const double ONE[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  double A[9];
  unsigned seed = 3;
  if (!build_tied(&t)) return;
  int n = t.b.n_u;
  double *u = array(&t), *x = array(&t), *f = array(&t), *v = array(&t), *Kx = array(&t);
  turn(TURN, A);
  affine(&t, A, TURN, u);
  affine(&t, ONE, ZERO, x);
  mw_csc_mul(&t.b.K, 1.0, x, 0.0, Kx);
  // rounding of sums over some 1e2 entries, against a strain of one
  MW_NEAR(force(&t, u, f) / mw_dot(n, x, Kx), 0.0, 1e2 * DBL_EPSILON);
  MW_NEAR(size_of(n, f) / size_of(n, Kx), 0.0, 1e3 * DBL_EPSILON);
  mw_csc T = tangent(&t, u);
  for (int i = 0; i < n; i++) v[i] = 0.02 * fixture_random(&seed);
  mw_csc_mul(&T, 1.0, v, 0.0, x);
  mw_csc_mul(&t.b.K, 1.0, v, 0.0, f);
  double *work = mw_arena_f64(&t.mem, (size_t)mw_body_strain_work(&t.b));
  MW_OKAY(mw_body_strain_drag(&t.b, 1.0, u, v, f, work, &err));
  for (int i = 0; i < n; i++) f[i] -= x[i];
  MW_NEAR(size_of(n, f) / size_of(n, x), 0.0, 1e3 * DBL_EPSILON);
  mw_arena_free(&t.mem);
}

static void forces_are_the_gradient_of_the_energy_at_a_radian_and_the_tangent_theirs(void)
{
  static part t;
  double A[9], h = 1e-4;
  unsigned seed = 5;
  if (!build_tied(&t)) return;
  int n = t.b.n_u;
  double *u = array(&t), *v = array(&t), *x = array(&t), *f = array(&t), *fp = array(&t),
         *fm = array(&t), *Tv = array(&t);
  turn(TURN, A);
  affine(&t, A, TURN, u);
  for (int i = 0; i < n; i++) {
    u[i] += 0.02 * fixture_random(&seed);
    v[i] = 0.02 * fixture_random(&seed);
  }
  (void)force(&t, u, f);
  for (int i = 0; i < n; i++) x[i] = u[i] + h * v[i];
  double Vp = force(&t, x, fp);
  for (int i = 0; i < n; i++) x[i] = u[i] - h * v[i];
  double Vm = force(&t, x, fm), fv = mw_dot(n, f, v);
  // differences err by h² of third derivatives and by rounding over h
  MW_NEAR((Vp - Vm) / (2.0 * h), fv, 1e-6 * fabs(fv));
  mw_csc T = tangent(&t, u);
  mw_csc_mul(&T, 1.0, v, 0.0, Tv);
  for (int i = 0; i < n; i++) x[i] = (fp[i] - fm[i]) / (2.0 * h) - Tv[i];
  MW_NEAR(size_of(n, x), 0.0, 1e-6 * size_of(n, Tv));
  mw_arena_free(&t.mem);
}

// (1) for an arbitrary stress
static void rigid_turns_work_on_the_virial_of_the_stress_of_patches(void)
{
  static part t;
  mw_error err = { 0 };
  const double w[3] = { 0.3, -0.8, 0.5 };
  double S[9] = { 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0 }, SS[9], G, sum = 0.0;
  unsigned seed = 11;
  if (!build_tied(&t)) return;
  int n = t.b.n_u;
  double *u = array(&t), *r = array(&t), *y = array(&t), *Ku = array(&t);
  for (int i = 0; i < n; i++) u[i] = 1e-3 * fixture_random(&seed);
  mw_csc_mul(&t.b.K, 1.0, u, 0.0, Ku);
  mw_mul33(S, S, SS);
  affine(&t, S, w, r);
  affine(&t, SS, ZERO, y);
  for (int i = 0; i < n; i++) sum += fabs(y[i] * Ku[i]);
  MW_OKAY(mw_body_stress_stiffness(&t.b, u, 1, r, &G, &err));
  MW_NEAR(G, -mw_dot(n, y, Ku), mw_test_rounding(n, sum));  // products of n
  mw_arena_free(&t.mem);
}

// ---- elastica ----

typedef struct bent {
  double linear, w, shortening;  // over L
  double moment,
      mean;  // half the difference and mean of σ_xx at both faces half way, over the linear one
} bent;

// 400 × 20 × 5 mm, built in at one end, a force on the patch at the other: by linear strains w/L =
// 0.04
static bool bend(mw_elem_kind kind, const int n[3], bent *out)
{
  static part t;
  mw_error err = { 0 };
  const double L = 0.4;
  fixture_grid_box box = { kind, { n[0], n[1], n[2] }, { 0, 0, 0 }, { L, 0.02, 0.005 }, NULL };
  if (!part_open(&t, 1, &box)) return false;
  t.f.body.ground = true;
  add_set(&t, "end", 0.0);
  add_set(&t, "far", L);
  fixture_support(&t.f, "end");
  fixture_attach(&t.f, "tip", MW_ATTACH_RIGID, "far");
  add_gauge(&t, 0.5 * L, 0.01, 0.005);
  add_gauge(&t, 0.5 * L, 0.01, 0.0);
  if (!part_build(&t)) return false;
  const mw_body *b = &t.b;
  size_t N = (size_t)b->n_u;
  double EI = t.f.material.E * 0.02 * pow(0.005, 3) / 12.0, z[6] = { 0, 0, -0.12 * EI / (L * L) };
  double *load = array(&t), *u = array(&t), *r = array(&t), *D = mw_arena_f64(&t.mem, N * N),
         least = INFINITY, y[12], linear[12];
  mw_csc_mul_t(&b->P, 1.0, z, 0.0, load);
  // Newton's iteration until rounding keeps corrections from getting smaller
  for (int it = 0, more = 1; more && it < 20; it++) {
    mw_csc T = tangent(&t, u);
    fixture_dense(&T, D);
    (void)force(&t, u, r);
    for (size_t i = 0; i < N; i++) r[i] = load[i] - r[i];
    if (!MW_OKAY(mw_chol_factor(b->n_u, D, &err))) break;
    mw_chol_solve(b->n_u, D, 1, r);
    for (size_t i = 0; i < N; i++) u[i] += r[i];
    mw_csc_mul(&b->P, 1.0, u, 0.0, z);
    if (it == 0) {
      out->linear = -z[2] / L;
      stresses(&t, true, u, linear);
    }
    double size = size_of(b->n_u, r);
    more = it < 4 || size < 0.1 * least;
    least = fmin(least, size);
  }
  out->w = -z[2] / L;
  out->shortening = -z[0] / L;
  stresses(&t, false, u, y);
  out->moment = (y[0] - y[6]) / (linear[0] - linear[6]);
  out->mean = (y[0] + y[6]) / (linear[0] - linear[6]);
  mw_arena_free(&t.mem);
  return MW_CHECK(least < 1e-8);  // m
}

// α from the linear deflection, 3 w/L, takes meshes' own errors out: up to 2.5 % of it, and of what
// (2) adds to it
static void a_solid_cantilever_that_ends_in_a_patch_bends_as_the_elastica(void)
{
  static const struct {
    mw_elem_kind kind;
    int n[3];
  } MESH[] = { { MW_ELEM_HEX8, { 40, 2, 1 } },
               { MW_ELEM_TET10, { 20, 1, 1 } },
               { MW_ELEM_HEX20, { 20, 1, 1 } },
               { MW_ELEM_WEDGE15, { 20, 1, 1 } } };
  for (size_t k = 0; k < sizeof MESH / sizeof *MESH; k++) {
    bent b;
    if (!bend(MESH[k].kind, MESH[k].n, &b)) continue;
    double a = 3.0 * b.linear, third = 4.0 / 35.0 * a * a;
    MW_NEAR(b.linear, 0.04, 0.025 * 0.04);
    // the patch and the built-in end stiffen a section's height, 1/80 of the length, each: 5 % of
    // what is small, too
    MW_NEAR(b.w / b.linear, 1.0 - third, 0.05 * third);
    MW_NEAR(b.shortening, a * a / 15.0, 0.05 * a * a / 15.0);
    printf("%d %.6e %.6e %.6e\n", (int)k, b.linear, (b.moment - 1) / (a * a), b.mean);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "a_turn_of_a_radian_strains_no_patch_and_damping_resists_strains_alone",
      a_turn_of_a_radian_strains_no_patch_and_damping_resists_strains_alone },
    { "forces_are_the_gradient_of_the_energy_at_a_radian_and_the_tangent_theirs",
      forces_are_the_gradient_of_the_energy_at_a_radian_and_the_tangent_theirs },
    { "rigid_turns_work_on_the_virial_of_the_stress_of_patches",
      rigid_turns_work_on_the_virial_of_the_stress_of_patches },
    { "a_turn_of_a_radian_stresses_no_gauge", a_turn_of_a_radian_stresses_no_gauge },
    { "a_solid_cantilever_that_ends_in_a_patch_bends_as_the_elastica",
      a_solid_cantilever_that_ends_in_a_patch_bends_as_the_elastica },
  };
  int rc = mw_test_run("test_patch", cases, (int)(sizeof cases / sizeof *cases));
  remove(PATH);
  return rc;
}
