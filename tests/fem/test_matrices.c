// SPDX-License-Identifier: BSD-3-Clause
// test_matrices.c: bodies of foreign matrices: what another program would write of our own bodies
// gives the same bodies back in every format; masses by scalar weights give the moments their
// definition gives; bodies that cannot be are refused. test_matrices_bad.c has the readers and
// broken files.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "fixture_matrices.h"
#include "mw_test.h"

// the box through its files, against itself; tol as in check_same
static void round_trip(mw_matrices_in in, fixture_built *own, const fixture_source *s, double tol)
{
  fixture_built b;
  fixture_foreign(&b, &in, s->scale);
  if (fixture_build(&b)) {
    double residual = 1.0;
    mw_error err = { 0 };
    fixture_same_body(&own->body, &b.body, tol);
    // λ of the tenth elastic mode is 1e-4 of the largest, which rounding of K is relative to
    fixture_same_frequencies(&own->body, &b.body, 6, fmax(1e-9, 1e4 * tol));
    MW_OKAY(mw_body_check(&b.body, &residual, &err));
    // K of our own box resists rigid motions by rounding, 300 entries a row
    MW_NEAR(residual, 0.0, 300 * DBL_EPSILON + 300 * tol);
    for (int i = 0; i < 3 * s->n_node; i++) MW_NEAR(b.body.X[i], own->body.X[i], 2.0 * DBL_EPSILON);
  }
  fixture_free_built(&b);
}

// rounding: %.17g is exact; μ is a mean of three, h and J are sums of products
static const double EXACT = 8.0 * DBL_EPSILON;

static void calculix_files_give_the_body_back(void)
{
  static const double SCALE[3] = { 1.0, 1e-3, 0.0254 };
  fixture_built own;
  fixture_source s;
  int order[FIXTURE_MAX_ROW];
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".sti",
                        .mass = FIXTURE_STEM ".mas",
                        .dofs = FIXTURE_STEM ".dof",
                        .nodes = FIXTURE_STEM ".inp" };
  bool okay = fixture_box_source(&own, &s);
  for (int k = 0; k < 3 && okay; k++) {
    s.scale = SCALE[k];
    fixture_shuffle(s.n, order);
    okay = MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d, %.17g, %.17g, %.17g\n")) &&
           MW_CHECK(fixture_write_dofs(&s, in.dofs, order)) &&
           MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 's', order)) &&
           MW_CHECK(fixture_write_entries(&s, s.M, in.mass, 's', order));
    if (okay) round_trip(in, &own, &s, EXACT);
  }
  fixture_free_built(&own);
  fixture_clean();
}

static void matrix_market_gives_the_body_back(void)
{
  fixture_built own;
  fixture_source s;
  int order[FIXTURE_MAX_ROW];
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".k.mtx",
                        .mass = FIXTURE_STEM ".m.mtx",
                        .nodes = FIXTURE_STEM ".nodes" };
  if (fixture_box_source(&own, &s)) {
    // rows by default: x y z of each node in the order of the table, which ends with the first
    for (int k = 0; k < s.n; k++) order[k] = s.n - 3 - 3 * (k / 3) + k % 3;
    s.scale = 1e-3;
    MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d %.17g %.17g %.17g # a node\n"));
    MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 'g', order));
    MW_CHECK(fixture_write_entries(&s, s.M, in.mass, 'm', order));
    round_trip(in, &own, &s, EXACT);
  }
  fixture_free_built(&own);
  fixture_clean();
}

static void dmig_gives_the_body_back(void)
{
  fixture_built own;
  fixture_source s;
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".pch",
                        .mass = FIXTURE_STEM ".pch",
                        .nodes = FIXTURE_STEM ".bdf" };
  bool okay = fixture_box_source(&own, &s);
  for (int large = 0; large < 2 && okay; large++) {
    MW_CHECK(fixture_write_nodes(&s, in.nodes, "GRID,%d,,%.17g,%.17g,%.17g\n"));
    MW_CHECK(fixture_write_punch(&s, in.stiffness, large));
    // large field holds 10 digits
    round_trip(in, &own, &s, large ? 5e-10 : EXACT);
  }
  fixture_free_built(&own);
  fixture_clean();
}

// ---- one ground body: frames, guides, sets, fixed motions ----

static void add_connections(fixture_body *f, bool ground)
{
  mw_attach *a = fixture_attach(f, "plate", MW_ATTACH_RIGID, "x1");
  a->mass = 3.0;
  for (int i = 0; i < 6; i++) a->inertia[i] = i < 3 ? 0.02 + 0.001 * i : 0.001;
  fixture_attach(f, "mean", MW_ATTACH_AVERAGE, "middle");
  // its rotation is that of the nodes of its elements, which foreign matrices tell by their entries
  mw_attach *node = fixture_attach(f, "corner", MW_ATTACH_NODE, NULL);
  for (int c = 0; c < 3; c++) node->x[c] = FIXTURE_X[c];
  mw_guide_in *g = fixture_guide(f, "rail", -1, -1);
  g->set = "rail";
  if (ground) fixture_support(f, "x0");
}

// nodes on a plane x = const, by their numbers
static mw_node_set_in by_number(const fixture_built *own, const char *name, int axis, double x,
                                int *tag)
{
  mw_node_set_in s = { .name = name, .kind = MW_PICK_TAGS, .tag = tag };
  for (int i = 0; i < own->body.n_node; i++)
    if (fabs(own->body.X[3 * i + axis] - x) < 1e-9) tag[s.n_tag++] = own->body.mesh->tag[i];
  return s;
}

static void frames_guides_and_masses_are_those_of_the_mesh(void)
{
  for (int ground = 0; ground < 2; ground++) {
    fixture_built own, mesh = { 0 }, foreign;
    fixture_source s;
    int order[FIXTURE_MAX_ROW], tag[4][FIXTURE_MAX_ROW];
    mw_matrices_in in = { .stiffness = FIXTURE_STEM ".k.mtx",
                          .mass = FIXTURE_STEM ".m.mtx",
                          .dofs = FIXTURE_STEM ".dof",
                          .nodes = FIXTURE_STEM ".nodes" };
    if (!fixture_box_source(&own, &s)) return;
    mw_node_set_in set[4] = { by_number(&own, "middle", 0, FIXTURE_X[0] + 0.5 * FIXTURE_L[0],
                                        tag[0]),
                              { .name = "rail",
                                .kind = MW_PICK_LINE,
                                .p = { FIXTURE_X[0], FIXTURE_X[1], FIXTURE_X[2] },
                                .q = { FIXTURE_X[0] + FIXTURE_L[0], FIXTURE_X[1], FIXTURE_X[2] } },
                              by_number(&own, "x0", 0, FIXTURE_X[0], tag[2]),
                              by_number(&own, "x1", 0, FIXTURE_X[0] + FIXTURE_L[0], tag[3]) };
    fixture_shuffle(s.n, order);
    MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d %.17g %.17g %.17g\n"));
    MW_CHECK(fixture_write_dofs(&s, in.dofs, order));
    MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 'm', order));
    MW_CHECK(fixture_write_entries(&s, s.M, in.mass, 'm', order));
    fixture_init(&mesh.f);
    mesh.f.body.mesh = FIXTURE_MESH;
    fixture_foreign(&foreign, &in, 1.0);
    mesh.f.body.ground = foreign.f.body.ground = ground;
    mesh.f.body.node_set = foreign.f.body.node_set = set;
    mesh.f.body.n_node_set = 2;  // the faces are groups of the mesh
    foreign.f.body.n_node_set = 4;
    add_connections(&mesh.f, ground);
    add_connections(&foreign.f, ground);
    // the rail meets the face x1, whose nodes the patch holds: a rail without its end
    set[1].q[0] -= 0.25 * FIXTURE_L[0];
    if (fixture_build(&mesh) && fixture_build(&foreign)) {
      fixture_same_body(&mesh.body, &foreign.body, EXACT);
      fixture_same_frequencies(&mesh.body, &foreign.body, ground ? 0 : 6, 1e-9);
    }
    fixture_free_built(&own);
    fixture_free_built(&mesh);
    fixture_free_built(&foreign);
    fixture_clean();
  }
}

// Motions left out of the matrices are those a support fixes; what stays is the same.
static void motions_without_a_row_are_fixed(void)
{
  fixture_built own, held = { 0 }, foreign;
  fixture_source s, cut;
  int order[FIXTURE_MAX_ROW];
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".sti",
                        .mass = FIXTURE_STEM ".mas",
                        .dofs = FIXTURE_STEM ".dof",
                        .nodes = FIXTURE_STEM ".nodes" };
  if (!fixture_box_source(&own, &s)) return;
  fixture_init(&held.f);
  held.f.body.mesh = FIXTURE_MESH;
  held.f.body.ground = true;
  fixture_support(&held.f, "x0");
  fixture_foreign(&foreign, &in, 1.0);
  foreign.f.body.ground = true;
  if (fixture_build(&held)) {
    cut = s;
    cut.n = 0;
    for (int k = 0; k < s.n; k++) {
      if (fabs(s.x[3 * (k / 3)] - FIXTURE_X[0]) < 1e-9) continue;
      cut.tag[cut.n] = s.tag[k];
      cut.dir[cut.n++] = s.dir[k];
    }
    cut.K = &held.body.K;
    cut.M = &held.body.M;
    fixture_shuffle(cut.n, order);
    MW_CHECK(cut.n == held.body.n_u);
    MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d %.17g %.17g %.17g\n"));
    MW_CHECK(fixture_write_dofs(&cut, in.dofs, order));
    MW_CHECK(fixture_write_entries(&cut, cut.K, in.stiffness, 's', order));
    MW_CHECK(fixture_write_entries(&cut, cut.M, in.mass, 's', order));
    if (fixture_build(&foreign)) {
      MW_WITHIN(fixture_csc_difference(&held.body.K, &foreign.body.K), 0.0, EXACT,
                "a few roundings, none by chance");
      MW_WITHIN(fixture_csc_difference(&held.body.M, &foreign.body.M), 0.0, EXACT,
                "a few roundings, none by chance");
      fixture_same_frequencies(&held.body, &foreign.body, 0, 1e-9);
      MW_CHECK(foreign.body.m < held.body.m);
    }
  }
  fixture_free_built(&own);
  fixture_free_built(&held);
  fixture_free_built(&foreign);
  fixture_clean();
}

static void node_sets_of_an_inp_are_node_sets(void)
{
  fixture_built own;
  fixture_source s;
  int order[FIXTURE_MAX_ROW];
  mw_arena mem = { 0 };
  mw_matrices m;
  mw_error err = { 0 };
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".sti",
                        .mass = FIXTURE_STEM ".mas",
                        .dofs = FIXTURE_STEM ".dof",
                        .nodes = FIXTURE_STEM ".inp" };
  if (!fixture_box_source(&own, &s)) return;
  fixture_identity(order);
  MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d, %.17g, %.17g, %.17g\n"));
  MW_CHECK(fixture_write_dofs(&s, in.dofs, order));
  MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 's', order));
  MW_CHECK(fixture_write_entries(&s, s.M, in.mass, 's', order));
  if (MW_OKAY(mw_matrices_read(&in, 1.0, &mem, &m, &err)) && MW_CHECK(m.n_set == 3)) {
    MW_CHECK(strcmp(m.set[0].name, "NALL") == 0 && m.set[0].n == s.n_node);
    MW_CHECK(strcmp(m.set[1].name, "rail") == 0 && m.set[1].n == 5);
    MW_CHECK(strcmp(m.set[2].name, "ends") == 0 && m.set[2].n == 6);
    MW_CHECK(m.tag[m.set[2].node[5]] == 7);
  }
  mw_arena_free(&mem);
  fixture_free_built(&own);
  fixture_clean();
}

// ---- nodes with rotations ----

enum { N_BEAM = 8 };

// A bent beam of N_BEAM elements, free, or clamped at its first point
static bool make_beam(fixture_built *b, fixture_source *s, bool ground)
{
  *b = (fixture_built){ 0 };
  fixture_init(&b->f);
  int p = fixture_point(&b->f, "a", 0.1, 0.0, -0.2), q = fixture_point(&b->f, "b", 0.6, 0.1, 0.0),
      r = fixture_point(&b->f, "c", 0.7, 0.6, 0.3);
  fixture_member(&b->f, p, q, N_BEAM / 2);
  fixture_member(&b->f, q, r, N_BEAM / 2);
  b->f.body.ground = ground;
  if (ground) fixture_support(&b->f, "a");
  if (!fixture_build(b)) return false;
  static int number[N_BEAM + 1];
  *s = (fixture_source){ .n = b->body.n_u,
                         .K = &b->body.K,
                         .M = &b->body.M,
                         .n_node = b->body.n_node,
                         .x = b->body.X,
                         .node = number,
                         .scale = 1.0 };
  for (int i = 0; i <= N_BEAM; i++) number[i] = 10 * i + 3;
  for (int k = 0; k < s->n; k++) {
    s->tag[k] = number[k / 6];
    s->dir[k] = k % 6 + 1;
  }
  return true;
}

static bool write_beam(const fixture_source *s, const mw_matrices_in *in)
{
  int order[FIXTURE_MAX_ROW];
  fixture_shuffle(s->n, order);
  return MW_CHECK(fixture_write_nodes(s, in->nodes, "%d %.17g %.17g %.17g\n")) &&
         MW_CHECK(fixture_write_dofs(s, in->dofs, order)) &&
         MW_CHECK(fixture_write_entries(s, s->K, in->stiffness, 'm', order)) &&
         MW_CHECK(fixture_write_entries(s, s->M, in->mass, 'm', order));
}

static const mw_matrices_in BEAM = { .stiffness = FIXTURE_STEM ".k.mtx",
                                     .mass = FIXTURE_STEM ".m.mtx",
                                     .dofs = FIXTURE_STEM ".dof",
                                     .nodes = FIXTURE_STEM ".nodes" };

// The free beam's matrices on the ground, clamped by the model's support: K, M and s as of our own
static void clamped_beam_gives_the_body_back(void)
{
  fixture_built own, held, foreign;
  fixture_source s, t;
  int tag[1] = { 3 };
  mw_node_set_in set = { .name = "a", .kind = MW_PICK_TAGS, .n_tag = 1, .tag = tag };
  mw_matrices_in in = BEAM;
  if (!make_beam(&own, &s, false) || !make_beam(&held, &t, true)) return;
  for (int mm = 0; mm < 2; mm++) {
    s.scale = mm ? 1e-3 : 1.0;
    if (!write_beam(&s, &in)) break;
    fixture_foreign(&foreign, &in, s.scale);
    foreign.f.body.ground = true;
    foreign.f.body.node_set = &set;
    foreign.f.body.n_node_set = 1;
    fixture_support(&foreign.f, "a");
    if (fixture_build(&foreign)) {
      MW_NEAR(fixture_csc_difference(&held.body.K, &foreign.body.K), 0.0, EXACT);
      MW_NEAR(fixture_csc_difference(&held.body.M, &foreign.body.M), 0.0, EXACT);
      // sums over the rows of 3 nodes
      MW_NEAR(fixture_difference(held.body.s, foreign.body.s, 3 * held.body.n_u), 0.0, 18 * EXACT);
      MW_NEAR(foreign.body.m / held.body.m, 1.0, mw_test_rounding(18.0 * N_BEAM, 1.0));
      // inertia from rotations: sums over all pairs of nodes
      MW_NEAR(fixture_difference(held.body.mX, foreign.body.mX, 3), 0.0, 18 * N_BEAM * EXACT);
      MW_NEAR(fixture_difference(held.body.J, foreign.body.J, 9), 0.0, 18 * N_BEAM * EXACT);
      fixture_same_frequencies(&held.body, &foreign.body, 0, 1e-9);
      // Σ M_αα = M all the same
      mw_body sum = foreign.body;
      double D[FIXTURE_MAX_ROW], E[FIXTURE_MAX_ROW], x[FIXTURE_MAX_ROW], y[3][FIXTURE_MAX_ROW];
      unsigned seed = 3;
      for (int i = 0; i < sum.n_u; i++) x[i] = fixture_random(&seed);
      mw_csc_mul(&sum.M, 1.0, x, 0.0, D);
      for (int k = 0; k < 3; k++) mw_csc_mul(&sum.Mab[k], 1.0, x, 0.0, y[k]);
      for (int i = 0; i < sum.n_u; i++) E[i] = y[0][i] + y[1][i] + y[2][i];
      MW_NEAR(fixture_difference(D, E, sum.n_u), 0.0, 18 * EXACT);
    }
    fixture_free_built(&foreign);
  }
  fixture_free_built(&own);
  fixture_free_built(&held);
  fixture_clean();
}

static void free_beam_with_consistent_mass_is_refused(void)
{
  fixture_built own, foreign;
  fixture_source s;
  mw_error err = { 0 };
  mw_matrices_in in = BEAM;
  if (!make_beam(&own, &s, false) || !write_beam(&s, &in)) return;
  fixture_foreign(&foreign, &in, 1.0);
  MW_FAILS(mw_body_build(&foreign.f.model, 0, &foreign.mem, &foreign.body, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strstr(err.msg, "no mass of scalar weights") != NULL)) printf("  %s\n", err.msg);
  fixture_free_built(&own);
  fixture_free_built(&foreign);
  fixture_clean();
}

// Particles x = Σ w_i (X_i + r_i), displaced by u = Σ w_i (t_i + φ_i × r_i), weights of random
// nodes: all mass moments by their definition, with N written out.
enum { N_DOF = 6 * (N_BEAM + 1), N_PARTICLE = 60 };

typedef struct moments {
  double M[N_DOF][N_DOF], Mab[6][N_DOF][N_DOF], s[3 * N_DOF], h[9 * N_DOF], m, mX[3], J[9];
} moments;

static void add_particle(const double *x, unsigned *seed, moments *q)
{
  static const int AB[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
  double N[3][N_DOF] = { { 0 } }, X[3] = { 0 }, m = 0.2 + 0.1 * fixture_random(seed), w[3];
  w[0] = fixture_random(seed);
  w[1] = fixture_random(seed);
  w[2] = 1.0 - w[0] - w[1];
  for (int k = 0; k < 3; k++) {
    int i = (int)((fixture_random(seed) + 1.0) * 0.5 * (N_BEAM + 1));
    double r[3];
    for (int c = 0; c < 3; c++) r[c] = 0.1 * fixture_random(seed);
    for (int c = 0; c < 3; c++) {
      double e[3] = { c == 0, c == 1, c == 2 }, t[3];
      mw_cross3(e, r, t);
      N[c][6 * i + c] += w[k];
      for (int a = 0; a < 3; a++) N[a][6 * i + 3 + c] += w[k] * t[a];
      X[c] += w[k] * (x[3 * i + c] + r[c]);
    }
  }
  q->m += m;
  for (int a = 0; a < 9; a++) q->J[a] += m * X[a / 3] * X[a % 3];
  for (int a = 0; a < 3; a++) q->mX[a] += m * X[a];
  for (int i = 0; i < N_DOF; i++) {
    for (int b = 0; b < 3; b++) q->s[b * N_DOF + i] += m * N[b][i];
    for (int ab = 0; ab < 9; ab++) q->h[ab * N_DOF + i] += m * X[ab / 3] * N[ab % 3][i];
    for (int j = 0; j < N_DOF; j++) {
      for (int t = 0; t < 6; t++) q->Mab[t][i][j] += m * N[AB[t][0]][i] * N[AB[t][1]][j];
      for (int a = 0; a < 3; a++) q->M[i][j] += m * N[a][i] * N[a][j];
    }
  }
}

static void masses_of_scalar_weights_give_their_moments(void)
{
  fixture_built own, foreign;
  fixture_source s;
  unsigned seed = 5;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_triplets t = { 0 };
  mw_csc M;
  mw_matrices_in in = BEAM;
  moments *q = calloc(1, sizeof *q);
  if (!make_beam(&own, &s, false) || q == NULL) return;
  for (int k = 0; k < N_PARTICLE; k++) add_particle(own.body.X, &seed, q);
  for (int i = 0; i < N_DOF; i++)
    for (int j = 0; j <= i; j++) mw_triplets_add(&t, i, j, q->M[i][j]);
  MW_OKAY(mw_csc_build(&t, N_DOF, N_DOF, true, &mem, &M, &err));
  mw_triplets_free(&t);
  s.M = &M;
  s.scale = 1e-3;
  if (write_beam(&s, &in)) {
    fixture_foreign(&foreign, &in, s.scale);
    foreign.f.body.mesh_material = -1;
    if (fixture_build(&foreign)) {
      const mw_body *b = &foreign.body;
      // sums of N_PARTICLE terms, solved for by sums of a few entries
      double tol = 4 * N_PARTICLE * DBL_EPSILON, *D = calloc(N_DOF * N_DOF, sizeof *D);
      for (int k = 0; k < 6 && D != NULL; k++) {
        fixture_dense(&b->Mab[k], D);
        MW_NEAR(fixture_difference(&q->Mab[k][0][0], D, N_DOF * N_DOF), 0.0, tol);
      }
      free(D);
      // sums over all motions again
      tol = mw_test_rounding(4.0 * N_PARTICLE * N_DOF, 1.0);
      MW_NEAR(fixture_difference(q->s, b->s, 3 * N_DOF), 0.0, tol);
      MW_NEAR(fixture_difference(q->h, b->h, 9 * N_DOF), 0.0, tol);
      MW_NEAR(b->m / q->m, 1.0, tol);
      MW_NEAR(fixture_difference(q->mX, b->mX, 3), 0.0, tol);
      MW_NEAR(fixture_difference(q->J, b->J, 9), 0.0, tol);
    }
    fixture_free_built(&foreign);
  }
  free(q);
  fixture_free_built(&own);
  mw_arena_free(&mem);
  fixture_clean();
}

// ---- refused ----

static mw_code build_with(fixture_built *b, mw_error *err)
{
  return mw_body_build(&b->f.model, 0, &b->mem, &b->body, err);
}

static void expect(fixture_built *b, const char *msg)
{
  mw_error err = { 0 };
  MW_FAILS(build_with(b, &err), MW_ERR_INPUT);
  if (!MW_CHECK(strstr(err.msg, msg) != NULL)) printf("  %s\n", err.msg);
  fixture_free_built(b);
}

static void bodies_that_cannot_be_are_refused(void)
{
  fixture_built own, held = { 0 }, b;
  fixture_source s, cut;
  int order[FIXTURE_MAX_ROW];
  mw_matrices_in in = { .stiffness = FIXTURE_STEM ".sti",
                        .mass = FIXTURE_STEM ".mas",
                        .dofs = FIXTURE_STEM ".dof",
                        .nodes = FIXTURE_STEM ".nodes" };
  if (!fixture_box_source(&own, &s)) return;
  fixture_identity(order);
  MW_CHECK(fixture_write_nodes(&s, in.nodes, "%d %.17g %.17g %.17g\n"));
  MW_CHECK(fixture_write_dofs(&s, in.dofs, order));
  MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 's', order));
  MW_CHECK(fixture_write_entries(&s, s.M, in.mass, 's', order));
  fixture_foreign(&b, &in, 1e-3);  // metres taken for millimetres
  expect(&b, "more than if steel filled it: is its unit right?");
  fixture_foreign(&b, &in, 1e-3);
  b.f.body.mesh_material = -1;
  expect(&b, "more than if osmium filled it");
  fixture_foreign(&b, &in, 1e3);  // the other way round
  expect(&b, "a thousandth of air");
  fixture_foreign(&b, &in, 1.0);
  b.f.body.ground = true;
  expect(&b, "nothing holds body 'part' on the ground: 6 rigid motions are free");
  // a thousandth of a node's stiffness more, a spring to the ground
  for (int p = own.body.K.ptr[0]; p < own.body.K.ptr[1]; p++)
    if (own.body.K.row[p] == 0) own.body.K.val[p] *= 1.0 + 1e-3;
  MW_CHECK(fixture_write_entries(&s, s.K, in.stiffness, 's', order));
  fixture_foreign(&b, &in, 1.0);
  expect(&b, "the stiffness resists rigid motion");
  // a clamped face, taken for a free body and for one whose patch moves it
  cut = s;
  cut.n = 0;
  fixture_init(&held.f);
  held.f.body.mesh = FIXTURE_MESH;
  held.f.body.ground = true;
  fixture_support(&held.f, "x0");
  held.f.support[0].dof[1] = held.f.support[0].dof[2] = false;
  fixture_support(&held.f, "x1");
  if (fixture_build(&held)) {
    for (int k = 0; k < s.n; k++) {
      double x = s.x[3 * (k / 3)] - FIXTURE_X[0];
      if (fabs(x - FIXTURE_L[0]) < 1e-9 || (fabs(x) < 1e-9 && k % 3 == 0)) continue;
      cut.tag[cut.n] = s.tag[k];
      cut.dir[cut.n++] = s.dir[k];
    }
    cut.K = &held.body.K;
    cut.M = &held.body.M;
    MW_CHECK(cut.n == held.body.n_u);
    MW_CHECK(fixture_write_dofs(&cut, in.dofs, order));
    MW_CHECK(fixture_write_entries(&cut, cut.K, in.stiffness, 's', order));
    MW_CHECK(fixture_write_entries(&cut, cut.M, in.mass, 's', order));
    fixture_foreign(&b, &in, 1.0);
    expect(&b, "has no row for direction 1: supports inside the matrices need ground: true");
    mw_node_set_in set = {
      .name = "x0", .kind = MW_PICK_PLANE, .p = { FIXTURE_X[0], 0, 0 }, .q = { 1, 0, 0 }
    };
    fixture_foreign(&b, &in, 1.0);
    b.f.body.ground = true;
    b.f.body.node_set = &set;
    b.f.body.n_node_set = 1;
    fixture_attach(&b.f, "plate", MW_ATTACH_RIGID, "x0");
    expect(&b, "which the matrices fix in direction 1");
  }
  fixture_free_built(&own);
  fixture_free_built(&held);
  fixture_clean();
}

static const mw_test_case cases[] = {
  { "calculix_files_give_the_body_back", calculix_files_give_the_body_back },
  { "matrix_market_gives_the_body_back", matrix_market_gives_the_body_back },
  { "dmig_gives_the_body_back", dmig_gives_the_body_back },
  { "frames_guides_and_masses_are_those_of_the_mesh",
    frames_guides_and_masses_are_those_of_the_mesh },
  { "motions_without_a_row_are_fixed", motions_without_a_row_are_fixed },
  { "node_sets_of_an_inp_are_node_sets", node_sets_of_an_inp_are_node_sets },
  { "clamped_beam_gives_the_body_back", clamped_beam_gives_the_body_back },
  { "free_beam_with_consistent_mass_is_refused", free_beam_with_consistent_mass_is_refused },
  { "masses_of_scalar_weights_give_their_moments", masses_of_scalar_weights_give_their_moments },
  { "bodies_that_cannot_be_are_refused", bodies_that_cannot_be_are_refused },
};

int main(void) { return mw_test_run("matrices", cases, (int)(sizeof cases / sizeof *cases)); }
