// SPDX-License-Identifier: BSD-3-Clause
// test_tie.c: tied surfaces of meshes that do not match; bushings between frames of a body.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/factor.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "mw_test.h"

// MW_OKAY with the error of a bar
#define OKAY(bar, call)                                                                            \
  ((bar)->err.msg[0] = '\0', mw_test_okay((int)(call), (bar)->err.msg, #call, __FILE__, __LINE__))

static const double EPS = DBL_EPSILON;
static const char PATH[] = "test_tie.msh";

// A bar along x of two boxes that meet at x = 0.1 m, the second begins there plus a gap; sets
// "left" and "right" are the faces that meet, "end" and "far" the others across the bar.
typedef struct bar {
  fixture_body f;
  mw_node_set_in set[6];
  mw_tie_in tie[2];
  mw_bushing_in bushing[4];
  mw_arena mem;
  mw_body b;
  mw_error err;
} bar;

static void add_set(bar *t, const char *name, double lo, double hi)
{
  t->set[t->f.body.n_node_set++] = (mw_node_set_in){ .name = name,
                                                     .kind = MW_PICK_BOX,
                                                     .p = { lo, -1.0, -1.0 },
                                                     .q = { hi, 1.0, 1.0 },
                                                     .within = 1e-9 };
}

static void init(bar *t, int n_box, const fixture_grid_box *box)
{
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  MW_CHECK(fixture_grid(PATH, n_box, box) == 0);
  t->f.body.mesh = PATH;
  t->f.body.node_set = t->set;
  t->f.body.tie = t->tie;
  t->f.body.bushing = t->bushing;
  add_set(t, "end", box[0].x0[0], box[0].x0[0]);
  double far = box[n_box - 1].x0[0] + box[n_box - 1].l[0];
  add_set(t, "far", far, far);
}

// boxes of n bricks each, the second's face tied to the first's
static void init_tied(bar *t, mw_elem_kind kind, const int n1[3], const int n2[3], double gap)
{
  fixture_grid_box box[2] = {
    { kind, { n1[0], n1[1], n1[2] }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
    { kind, { n2[0], n2[1], n2[2] }, { 0.1 + gap, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL }
  };
  init(t, 2, box);
  // without a gap both faces lie in the same place: the box's nodes are told apart by their numbers
  // in the file
  int m[3] = { 2 * n1[0] + 1, 2 * n1[1] + 1, 2 * n1[2] + 1 }, total = m[0] * m[1] * m[2],
      r[3] = { 2 * n2[0] + 1, 2 * n2[1] + 1, 2 * n2[2] + 1 };
  for (int side = 0; side < 2; side++) {
    const int *h = side == 0 ? m : r;
    mw_node_set_in *s = &t->set[t->f.body.n_node_set++];
    *s = (mw_node_set_in){ .name = side == 0 ? "left" : "right", .kind = MW_PICK_TAGS };
    s->tag = mw_arena_int(&t->mem, (size_t)(h[1] * h[2]));
    bool quadratic = kind == MW_ELEM_TET10 || kind == MW_ELEM_HEX20 || kind == MW_ELEM_WEDGE15;
    for (int k = 0; k < h[2]; k++)
      for (int j = 0; j < h[1]; j++) {
        bool corner = j % 2 == 0 && k % 2 == 0,
             used = corner || (quadratic && (kind == MW_ELEM_TET10 || j % 2 == 0 || k % 2 == 0));
        if (kind == MW_ELEM_WEDGE15) used = corner || (quadratic && (j + k) % 2 == 1);
        int first = side == 0 ? 0 : total, i = side == 0 ? h[0] - 1 : 0;
        if (used) s->tag[s->n_tag++] = first + 1 + i + h[0] * (j + h[1] * k);
      }
  }
  t->tie[t->f.body.n_tie++] = (mw_tie_in){ .slave = "right", .master = "left" };
}

static mw_code build(bar *t) { return mw_body_build(&t->f.model, 0, &t->mem, &t->b, &t->err); }
static void release(bar *t) { mw_arena_free(&t->mem); }

static const mw_elem_kind KIND[] = { MW_ELEM_TET4,  MW_ELEM_TET10,  MW_ELEM_HEX8,
                                     MW_ELEM_HEX20, MW_ELEM_WEDGE6, MW_ELEM_WEDGE15 };

// nodal displacement of the whole body, out [3 n_node] = N u
static void nodal(const mw_body *b, const double *u, double *out)
{
  mw_csc_mul(&b->N, 1.0, u, 0.0, out);
}

// Unknowns of a nodal field: those of the nodes that are not slaves.
static void unknowns_of(const mw_body *b, void (*field)(const double x[3], double u[3]), double *u)
{
  int *n_in_row = calloc(3 * (size_t)b->n_node, sizeof *n_in_row);
  for (int p = 0; n_in_row && p < b->N.ptr[b->N.n_col]; p++) n_in_row[b->N.row[p]]++;
  for (int j = 0; n_in_row && j < b->n_u; j++)
    for (int p = b->N.ptr[j]; p < b->N.ptr[j + 1]; p++) {
      double v[3];
      if (n_in_row[b->N.row[p]] != 1 || b->N.val[p] != 1.0) continue;
      field(b->X + 3 * (b->N.row[p] / 3), v);
      u[j] = v[b->N.row[p] % 3];
    }
  free(n_in_row);
}

static void linear(const double x[3], double u[3])
{
  u[0] = 1e-3 * (0.3 + 2.0 * x[0] - 0.7 * x[1] + 0.4 * x[2]);
  u[1] = 1e-3 * (-0.1 + 0.9 * x[0] + 1.5 * x[1] - 0.2 * x[2]);
  u[2] = 1e-3 * (0.6 - 0.3 * x[0] + 0.1 * x[1] + 0.8 * x[2]);
}

// (1) of body_tie.c: slaves take the linear field of their masters, with a gap too
static void linear_fields_pass_a_tie_unchanged(void)
{
  for (int k = 0; k < 12; k++) {
    bar t;
    init_tied(&t, KIND[k % 6], (int[3]){ 2, 2, 2 }, (int[3]){ 2, 3, 5 }, k < 6 ? 0.0 : 5e-5);
    if (OKAY(&t, build(&t))) {
      double *u = mw_arena_f64(&t.mem, (size_t)t.b.n_u), v[3], worst = 0.0,
             *x = mw_arena_f64(&t.mem, 3 * (size_t)t.b.n_node);
      unknowns_of(&t.b, linear, u);
      nodal(&t.b, u, x);
      for (int i = 0; i < t.b.n_node; i++) {
        linear(t.b.X + 3 * i, v);
        for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(x[3 * i + c] - v[c]));
      }
      // Newton's method stops at 1e-10 or nearer in ξ, quadratically: rounding of 20 products
      // remains
      MW_NEAR(worst, 0.0, 100.0 * EPS * 2e-3);
    }
    release(&t);
  }
}

// The gap of 1e-4 of the size would leave a moment of 1e-4 of the force times the size if slaves
// followed the face.
static void a_tied_free_body_has_six_zero_modes_only(void)
{
  for (int k = 0; k < 12; k++) {
    bar t;
    double residual = 1.0;
    init_tied(&t, KIND[k % 6], (int[3]){ 1, 2, 1 }, (int[3]){ 2, 3, 2 }, k < 6 ? 0.0 : 2e-5);
    if (OKAY(&t, build(&t)) && OKAY(&t, mw_body_check(&t.b, &residual, &t.err))) {
      int n = t.b.n_u, zero = 0;
      double *K = mw_arena_f64(&t.mem, (size_t)n * (size_t)n), *w = mw_arena_f64(&t.mem, (size_t)n),
             *V = mw_arena_f64(&t.mem, (size_t)n * (size_t)n);
      MW_NEAR(residual, 0.0, mw_test_rounding(t.b.n_u, 1.0));
      fixture_dense(&t.b.K, K);
      OKAY(&t, mw_eig_sym(n, K, w, V, &t.err));
      // the softest elastic mode of such a bar is a bending one, 1e-4 of the stiffest or more;
      // zeros are rounding, n·eps
      for (int i = 0; i < n; i++) zero += w[i] < 1e-9 * w[n - 1];
      MW_CHECK(zero == 6);
    }
    release(&t);
  }
}

// where unknown j is the motion of a node: the node's place, else NULL
static const double *place_of(const mw_body *b, int j)
{
  const double *x = NULL;
  for (int p = b->N.ptr[j]; p < b->N.ptr[j + 1]; p++)
    if (b->N.val[p] == 1.0) x = b->X + 3 * (b->N.row[p] / 3);
  return x;
}

static bool between(double x, double hi) { return x > 1e-6 && x < hi - 1e-6; }

// Where slave nodes refine the master's faces, their nodal forces of a constant stress are its own:
// the linear field is in equilibrium inside. f = K u then is nonzero only at the outer surface, and
// what is at x = 0.1 m inside must vanish.
// Rounding: K u of 1e-3 · 0.2 m sums 100 products of E · size.
static void nested_meshes_pass_the_patch_test(void)
{
  static const mw_elem_kind NESTED[] = { MW_ELEM_HEX8, MW_ELEM_HEX20, MW_ELEM_TET10 };
  for (int k = 0; k < 3; k++) {
    bar t;
    init_tied(&t, NESTED[k], (int[3]){ 2, 2, 2 }, (int[3]){ 2, 4, 4 }, 0.0);
    if (OKAY(&t, build(&t))) {
      double *u = mw_arena_f64(&t.mem, (size_t)t.b.n_u), *f = mw_arena_f64(&t.mem, (size_t)t.b.n_u),
             worst = 0.0, most = 0.0;
      unknowns_of(&t.b, linear, u);
      mw_csc_mul(&t.b.K, 1.0, u, 0.0, f);
      for (int j = 0; j < t.b.n_u; j++) {
        const double *x = place_of(&t.b, j);
        bool inside = x && between(x[0], 0.2) && between(x[1], 0.04) && between(x[2], 0.03);
        most = fmax(most, fabs(f[j]));
        if (inside) worst = fmax(worst, fabs(f[j]));
      }
      MW_CHECK(most > 1e3);
      MW_NEAR(worst, 0.0, 100.0 * EPS * 210e9 * 0.04 * 1e-3);
    }
    release(&t);
  }
}

static void tension(const double x[3], double u[3])
{
  u[0] = 1e-3 * x[0];
  u[1] = -0.3e-3 * x[1];
  u[2] = -0.3e-3 * x[2];
}

// Otherwise a constant stress leaves forces on the interface, but, under tension with free sides,
// no resultant and no moment of those: the slaves' nodal forces have the traction's, and (1) hands
// both on.
static void meshes_that_do_not_match_leave_no_resultant(void)
{
  for (int k = 0; k < 6; k++) {
    bar t;
    init_tied(&t, KIND[k], (int[3]){ 2, 2, 3 }, (int[3]){ 2, 3, 2 }, 0.0);
    if (OKAY(&t, build(&t))) {
      double *u = mw_arena_f64(&t.mem, (size_t)t.b.n_u), *f = mw_arena_f64(&t.mem, (size_t)t.b.n_u),
             r[6] = { 0 }, sum = 0.0, left = 0.0;
      unknowns_of(&t.b, tension, u);
      mw_csc_mul(&t.b.K, 1.0, u, 0.0, f);
      for (int j = 0; j < t.b.n_u; j++) {
        const double *x = place_of(&t.b, j);
        sum += fabs(f[j]);
        if (!x || !between(x[0], 0.2)) continue;
        left += fabs(f[j]);
        for (int i = 0; i < 6; i++) r[i] += t.b.R[6 * j + i] * f[j];
      }
      MW_CHECK(left > 1e-3 * sum);
      for (int i = 0; i < 6; i++) MW_NEAR(r[i], 0.0, 1000.0 * EPS * sum);
    }
    release(&t);
  }
}

// Compliance fᵀ K⁻¹ f under the body's weight across (y), x = 0 fixed.
static double sag(bar *t)
{
  double c = 0.0;
  mw_factor *K = NULL;
  t->f.body.ground = true;
  fixture_support(&t->f, "end");
  if (OKAY(t, build(t)) && OKAY(t, mw_factor_build(&t->b.K, true, &K, &t->err))) {
    int n = t->b.n_u;
    const double *f = t->b.s + n;
    double *u = mw_arena_f64(&t->mem, (size_t)n);
    OKAY(t, mw_factor_solve(K, 1, f, u, &t->err));
    for (int i = 0; i < n; i++) c += f[i] * u[i];
  }
  mw_factor_free(K);
  release(t);
  return c;
}

static double sag_of_one(mw_elem_kind kind, int nx, int ny, int nz)
{
  bar t;
  fixture_grid_box box = { kind, { nx, ny, nz }, { 0, 0, 0 }, { 0.2, 0.04, 0.03 }, NULL };
  init(&t, 1, &box);
  return sag(&t);
}

// Tied to a face it refines, the fine mesh's functions are a subspace of the fine mesh's and hold
// the coarse mesh's: by Ritz' principle compliance lies between. Full integration of bricks keeps
// the load the same. Margins: rounding, times the condition of K, 1e6.
static void a_nested_tie_lies_between_the_coarse_and_the_fine_mesh(void)
{
  bar t;
  double coarse = sag_of_one(MW_ELEM_HEX20, 4, 2, 1), fine = sag_of_one(MW_ELEM_HEX20, 8, 4, 2),
         tied;
  init_tied(&t, MW_ELEM_HEX20, (int[3]){ 2, 2, 1 }, (int[3]){ 4, 4, 2 }, 0.0);
  tied = sag(&t);
  MW_CHECK(tied >= coarse * (1.0 - 1e-9));
  MW_CHECK(tied <= fine * (1.0 + 1e-9));
  MW_CHECK(coarse < fine * (1.0 - 1e-6));
  // not nested: not conforming, but by Strang's second lemma the traces' mismatch adds an error of
  // the order of the approximation's: no more than twice that of the coarser mesh in all
  init_tied(&t, MW_ELEM_HEX20, (int[3]){ 4, 2, 2 }, (int[3]){ 4, 3, 3 }, 0.0);
  tied = sag(&t);
  double finer = sag_of_one(MW_ELEM_HEX20, 12, 6, 4);
  MW_NEAR(tied / finer, 1.0, 2.0 * fabs(finer / coarse - 1.0));
}

// three boxes: the middle one is master of the left and, one element thick, slave of the right
static void ties_follow_each_other(void)
{
  bar t;
  fixture_grid_box box[3] = {
    { MW_ELEM_HEX8, { 2, 2, 2 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
    { MW_ELEM_HEX8, { 1, 3, 2 }, { 0.10001, 0, 0 }, { 0.01, 0.04, 0.03 }, NULL },
    { MW_ELEM_HEX8, { 2, 2, 3 }, { 0.11002, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL }
  };
  init(&t, 3, box);
  add_set(&t, "a", 0.1, 0.1);
  add_set(&t, "b", 0.10001, 0.10001);
  add_set(&t, "c", 0.11001, 0.11001);
  add_set(&t, "d", 0.11002, 0.11002);
  t.tie[0] = (mw_tie_in){ .slave = "a", .master = "b" };
  t.tie[1] = (mw_tie_in){ .slave = "c", .master = "d" };
  t.f.body.n_tie = 2;
  if (OKAY(&t, build(&t))) {
    double residual = 1.0;
    OKAY(&t, mw_body_check(&t.b, &residual, &t.err));
    MW_NEAR(residual, 0.0, mw_test_rounding(t.b.n_u, 1.0));
  }
  // and the other way about: each would follow the other
  t.tie[1] = (mw_tie_in){ .slave = "b", .master = "a" };
  mw_body none;
  MW_FAILS(mw_body_build(&t.f.model, 0, &t.mem, &none, &t.err), MW_ERR_INPUT);
  MW_CHECK(strstr(t.err.msg, "master surface") || strstr(t.err.msg, "circle"));
  release(&t);
}

static void expect_message(bar *t, const char *part)
{
  MW_FAILS(build(t), MW_ERR_INPUT);
  if (!MW_CHECK(strstr(t->err.msg, part) != NULL))
    mw_test_okay(1, t->err.msg, part, __FILE__, __LINE__);
  release(t);
}

static void wrong_ties_are_refused_by_number(void)
{
  const int n1[3] = { 2, 2, 2 }, n2[3] = { 2, 3, 3 };
  bar t;
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 1e-3);
  expect_message(&t, "is 0.001 m from master set 'left'");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 1e-3);
  t.tie[0].distance = 2e-3;
  OKAY(&t, build(&t));
  release(&t);
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  t.tie[0].slave = "left";
  expect_message(&t, "is a node of the master surface too");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  fixture_attach(&t.f, "patch", MW_ATTACH_RIGID, "right");
  expect_message(&t, "is on a rigid patch");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  t.f.body.ground = true;
  fixture_support(&t.f, "right");
  expect_message(&t, "is on a support");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  t.tie[1] = t.tie[0];
  t.f.body.n_tie = 2;
  expect_message(&t, "is already tied");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  t.set[2].n_tag = 1;
  expect_message(&t, "has no face of an element");
  init_tied(&t, MW_ELEM_HEX8, n1, n2, 0.0);
  t.f.body.n_tie = 0;
  expect_message(&t, "falls into 2 pieces");
}

// Two bricks of an .inp file with a tie of its own. The second is smaller; `off` moves one of its
// four tied nodes away.
static int write_inp(const char *path, double off)
{
  FILE *f = fopen(path, "w");
  if (!f) return 1;
  fprintf(f, "*NODE\n");
  for (int i = 0; i < 16; i++) {
    static const int AT[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                  { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
    const int *c = AT[i % 8];
    double x[3] = { 0.1 * c[0], 0.1 * c[1], 0.1 * c[2] };
    if (i >= 8) x[0] += 0.1, x[1] = 0.02 + 0.5 * x[1], x[2] = 0.03 + 0.5 * x[2];
    if (i == 8) x[0] += off;
    fprintf(f, "%d, %.17g, %.17g, %.17g\n", i + 1, x[0], x[1], x[2]);
  }
  fprintf(f, "*ELEMENT, TYPE=C3D8, ELSET=ALL\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
             "2, 9, 10, 11, 12, 13, 14, 15, 16\n"
             "*MATERIAL, NAME=STEEL\n*ELASTIC\n210e9, 0.3\n*DENSITY\n7850\n"
             "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n"
             "*SURFACE, NAME=M\n1, S4\n*SURFACE, NAME=S\n2, S6\n"
             "*TIE, NAME=GLUE, POSITION TOLERANCE=0.001\nS, M\n");
  return fclose(f) != 0;
}

static void ties_of_a_mesh_file_leave_far_nodes_free(void)
{
  static const char INP[] = "test_tie.inp";
  static const double OFF[2] = { 0.0, 0.002 };
  static const int FOLLOW[2] = { 4, 3 };
  for (int k = 0; k < 2; k++) {
    bar t;
    double residual = 1.0;
    memset(&t, 0, sizeof t);
    fixture_init(&t.f);
    t.f.body.mesh = INP;
    t.f.body.mesh_material = -1;
    t.f.body.has_unit = true;
    MW_CHECK(write_inp(INP, OFF[k]) == 0);
    if (OKAY(&t, build(&t)) && OKAY(&t, mw_body_check(&t.b, &residual, &t.err))) {
      MW_NEAR(residual, 0.0, mw_test_rounding(t.b.n_u, 1.0));
      MW_CHECK(t.b.n_u == 3 * (16 - FOLLOW[k]));
    }
    release(&t);
  }
}

// ---- bushings -----------------------------------------------------------------------------------

static void add_bushing(bar *t, int a, int b, double k, double k_turn)
{
  t->bushing[t->f.body.n_bushing++] = (mw_bushing_in){
    .name = "mount", .a = a, .b = b, .stiffness = { k, k, k, k_turn, k_turn, k_turn }
  };
}

// an empty bar of beams
static void init_beams(bar *t)
{
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  t->f.body.bushing = t->bushing;
}

// Cantilever (L1), gap with the bushing in its middle, free beam (L2) with a force F across its
// end. F bends beam 1 with the moment F (gap + L2); the bushing sinks by F/k and turns by F (gap/2
// + L2)/k_turn, seen at the levers of either side. Beam elements are exact at their nodes; the
// rounding of K⁻¹ is below eps times its condition, 1e7.
static void two_beams_on_a_bushing_bend_as_in_closed_form(void)
{
  double L1 = 0.5, gap = 0.06, L2 = 0.3, k = 3e6, k_turn = 2e4, F = 1000.0;
  bar t;
  init_beams(&t);
  fixture_point(&t.f, "wall", 0.0, 0.0, 0.0);
  fixture_point(&t.f, "one", L1, 0.0, 0.0);
  fixture_point(&t.f, "two", L1 + gap, 0.0, 0.0);
  fixture_point(&t.f, "tip", L1 + gap + L2, 0.0, 0.0);
  fixture_member(&t.f, 0, 1, 3);
  fixture_member(&t.f, 2, 3, 2);
  t.f.body.ground = true;
  fixture_support(&t.f, "wall");
  fixture_attach(&t.f, "a", MW_ATTACH_NODE, "one");
  fixture_attach(&t.f, "b", MW_ATTACH_NODE, "two");
  fixture_attach(&t.f, "c", MW_ATTACH_NODE, "tip");
  add_bushing(&t, 0, 1, k, k_turn);
  mw_factor *K = NULL;
  if (OKAY(&t, build(&t)) && OKAY(&t, mw_factor_build(&t.b.K, true, &K, &t.err))) {
    // local z of the members, up = (0.1, 0.2, 1)
    double n = sqrt(1.04), e[3] = { 0.0, 0.2 / n, 1.0 / n }, w = 0.0;
    double *z = mw_arena_f64(&t.mem, (size_t)t.b.n_z), *u = mw_arena_f64(&t.mem, (size_t)t.b.n_u);
    for (int i = 0; i < 3; i++) z[t.b.frame[2].z + i] = F * e[i];
    mw_csc_mul_t(&t.b.P, 1.0, z, 0.0, u);
    OKAY(&t, mw_factor_solve(K, 1, u, u, &t.err));
    mw_csc_mul(&t.b.P, 1.0, u, 0.0, z);
    for (int i = 0; i < 3; i++) w += e[i] * z[t.b.frame[2].z + i];
    const mw_section *s = &t.f.section;
    double EI = t.f.material.E * s->Iy, M = F * (gap + L2),
           GA = t.f.material.E / 2.6 * s->A * s->kz;
    double w1 = F * L1 * L1 * L1 / (3 * EI) + M * L1 * L1 / (2 * EI) + F * L1 / GA,
           turn1 = F * L1 * L1 / (2 * EI) + M * L1 / EI,
           turn2 = turn1 + F * (0.5 * gap + L2) / k_turn,
           want = w1 + turn1 * 0.5 * gap + F / k + turn2 * (0.5 * gap + L2) +
                  F * L2 * L2 * L2 / (3 * EI) + F * L2 / GA;
    MW_WITHIN(w, want, 1e7 * EPS * want, "worst of a solve, by the condition");
  }
  mw_factor_free(K);
  release(&t);
}

// Frames of every kind, far apart and oblique: only the six rigid motions cost nothing.
static void a_bushing_lets_rigid_motion_pass(void)
{
  for (int k = 0; k < 2; k++) {
    fixture_grid_box box[2] = {
      { MW_ELEM_HEX8, { 2, 1, 1 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
      { MW_ELEM_TET10, { 1, 1, 1 }, { 0.15, 0.02, 0.05 }, { 0.1, 0.04, 0.03 }, NULL }
    };
    bar t;
    double residual = 1.0;
    init(&t, 2, box);
    mw_attach *a =
        fixture_attach(&t.f, "a", k == 0 ? MW_ATTACH_RIGID : MW_ATTACH_NODE, k == 0 ? "end" : NULL);
    if (k == 1) a->x[0] = 0.1;
    fixture_attach(&t.f, "b", k == 0 ? MW_ATTACH_AVERAGE : MW_ATTACH_RIGID, "far");
    add_bushing(&t, 0, 1, 1e8, 1e5);
    if (OKAY(&t, build(&t)) && OKAY(&t, mw_body_check(&t.b, &residual, &t.err))) {
      int n = t.b.n_u, zero = 0;
      double *K = mw_arena_f64(&t.mem, (size_t)n * (size_t)n), *w = mw_arena_f64(&t.mem, (size_t)n),
             *V = mw_arena_f64(&t.mem, (size_t)n * (size_t)n);
      MW_NEAR(residual, 0.0, mw_test_rounding(t.b.n_u, 1.0));
      fixture_dense(&t.b.K, K);
      OKAY(&t, mw_eig_sym(n, K, w, V, &t.err));
      for (int i = 0; i < n; i++) zero += w[i] < 1e-11 * w[n - 1];
      MW_CHECK(zero == 6);
    }
    release(&t);
  }
}

// Two plates on four bolts, each a bushing between rigid patches: the bolts carry the upper plate's
// weight, and with bolts 1000 times as stiff the joint gives 1000 times less.
static void bolts_carry_what_lies_on_them(void)
{
  static const char *const NAME[8] = { "l0", "l1", "l2", "l3", "u0", "u1", "u2", "u3" };
  static const double K[2] = { 1e7, 1e10 };
  double open[2] = { 0 };
  for (int stiff = 0; stiff < 2; stiff++) {
    fixture_grid_box box[2] = {
      { MW_ELEM_HEX8, { 6, 6, 1 }, { 0, 0, 0 }, { 0.3, 0.3, 0.02 }, NULL },
      { MW_ELEM_HEX8, { 6, 6, 2 }, { 0, 0, 0.025 }, { 0.3, 0.3, 0.03 }, NULL }
    };
    mw_node_set_in set[10];
    bar t;
    init(&t, 2, box);
    t.f.body.node_set = set;
    t.f.body.n_node_set = 9;
    set[8] = (mw_node_set_in){ .name = "floor", .kind = MW_PICK_PLANE, .q = { 0, 0, 1 } };
    for (int i = 0; i < 8; i++) {
      double x = i & 1 ? 0.2 : 0.05, y = i & 2 ? 0.2 : 0.05, z = i < 4 ? 0.02 : 0.025;
      set[i] = (mw_node_set_in){
        .name = NAME[i], .kind = MW_PICK_BOX, .p = { x, y, z }, .q = { x + 0.05, y + 0.05, z }
      };
      fixture_attach(&t.f, NAME[i], MW_ATTACH_RIGID, NAME[i]);
    }
    for (int i = 0; i < 4; i++) add_bushing(&t, i, i + 4, K[stiff], 1e-3 * K[stiff]);
    t.f.body.ground = true;
    fixture_support(&t.f, "floor");
    mw_factor *factor = NULL;
    if (OKAY(&t, build(&t)) && OKAY(&t, mw_factor_build(&t.b.K, true, &factor, &t.err))) {
      size_t n = (size_t)t.b.n_u;
      double *u = mw_arena_f64(&t.mem, n), *z = mw_arena_f64(&t.mem, (size_t)t.b.n_z), force = 0.0,
             weight = 9.81 * t.f.material.rho * 0.3 * 0.3 * 0.03;
      for (size_t i = 0; i < n; i++) u[i] = -9.81 * t.b.s[2 * n + i];
      OKAY(&t, mw_factor_solve(factor, 1, u, u, &t.err));
      mw_csc_mul(&t.b.P, 1.0, u, 0.0, z);
      // the frames lie above each other: rotations have no lever across z
      for (int i = 0; i < 4; i++) {
        double g = z[t.b.frame[i + 4].z + 2] - z[t.b.frame[i].z + 2];
        force -= K[stiff] * g;
        open[stiff] -= 0.25 * g;
      }
      // difference of displacements of 1e-6 m, each with eps times the condition, up to 1e9 with
      // stiff bolts
      MW_WITHIN(force, weight, 1e9 * EPS * weight, "worst of a solve, by the condition");
    }
    mw_factor_free(factor);
    release(&t);
  }
  MW_WITHIN(open[0] / open[1], 1000.0, 1e9 * EPS * 1000.0, "worst of a solve, by the condition");
}

static const mw_test_case cases[] = {
  { "linear_fields_pass_a_tie_unchanged", linear_fields_pass_a_tie_unchanged },
  { "a_tied_free_body_has_six_zero_modes_only", a_tied_free_body_has_six_zero_modes_only },
  { "nested_meshes_pass_the_patch_test", nested_meshes_pass_the_patch_test },
  { "meshes_that_do_not_match_leave_no_resultant", meshes_that_do_not_match_leave_no_resultant },
  { "a_nested_tie_lies_between_the_coarse_and_the_fine_mesh",
    a_nested_tie_lies_between_the_coarse_and_the_fine_mesh },
  { "ties_follow_each_other", ties_follow_each_other },
  { "wrong_ties_are_refused_by_number", wrong_ties_are_refused_by_number },
  { "ties_of_a_mesh_file_leave_far_nodes_free", ties_of_a_mesh_file_leave_far_nodes_free },
  { "two_beams_on_a_bushing_bend_as_in_closed_form",
    two_beams_on_a_bushing_bend_as_in_closed_form },
  { "a_bushing_lets_rigid_motion_pass", a_bushing_lets_rigid_motion_pass },
  { "bolts_carry_what_lies_on_them", bolts_carry_what_lies_on_them },
};

int main(void) { return mw_test_run("tie", cases, (int)(sizeof cases / sizeof *cases)); }
