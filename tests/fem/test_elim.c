// SPDX-License-Identifier: BSD-3-Clause
// test_elim.c: the block elimination against a dense least-squares solution, on graphs of bodies
// and rows.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fem/elim.h"
#include "mw_test.h"

enum { LD = MW_ELIM_LD, MOST = 40 };

typedef struct graph {
  int n_body, n_rows, size[MOST], ptr[MOST], touch[4 * MOST];
  unsigned char ground[MOST], full[MOST], soft[MOST];
  int n;         // unknowns
  int at[MOST];  // first unknown of a node
  // bodies the caller eliminates, their place on the ground, and the size the elimination sees
  unsigned char large[MOST], held[MOST];
  int seen[MOST];
  bool turned;  // large bodies have a direction in which B is negative
  // groups of bodies (MOST at most), the last one above all others; n_group 0: one of all
  int n_group, above[MOST], of[MOST];
  int most;  // > 0: groups by dissection, parts of at most so many
} graph;

static double arbitrary(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static void add_rows(graph *g, int size, int a, int b, bool soft)
{
  int k = g->n_rows++, n = g->ptr[k];
  g->size[g->n_body + k] = size;
  if (a >= 0) g->touch[n++] = a;
  if (b >= 0) g->touch[n++] = b;
  g->ground[k] = a < 0 || b < 0;
  g->full[k] = 1;
  g->soft[k] = soft;
  g->ptr[k + 1] = n;
}

static mw_elim_graph view(graph *g)
{
  g->n = 0;
  for (int i = 0; i < g->n_body + g->n_rows; i++) {
    g->at[i] = g->n;
    g->n += g->size[i];
    g->seen[i] = i < g->n_body && g->large[i] ? 0 : g->size[i];
  }
  return (mw_elim_graph){ .n_body = g->n_body,
                          .n_rows = g->n_rows,
                          .held = g->held,
                          .size = g->seen,
                          .ptr = g->ptr,
                          .touch = g->touch,
                          .ground = g->ground,
                          .full = g->full,
                          .soft = g->soft };
}

// Six unknowns a body.
static void bodies(graph *g, int n)
{
  memset(g, 0, sizeof *g);
  g->n_body = n;
  for (int b = 0; b < n; b++) g->size[b] = 6;
}

// Entry (row, col) of block k: arbitrary numbers in (−1, 1).
static double entry(int k, int row, int col)
{
  double x = 43758.5453 * sin(12.9898 * (k + 1) + 78.233 * (row + 1) + 37.719 * (col + 1));
  return 2.0 * (x - floor(x)) - 1.0;
}

// Entry (row, col) of what couples node k with its t-th body; twin, of: as in compare.
static double coupling(const graph *g, int k, int t, int twin, int of, int row, int col)
{
  return entry(k == twin ? g->ptr[of] + t - g->ptr[k] : t, row, col);
}

// Place of body b among those of node k, −1.
static int side_of(const graph *g, int k, int b)
{
  for (int t = g->ptr[k]; t < g->ptr[k + 1]; t++)
    if (g->touch[t] == b) return t;
  return -1;
}

// C B⁻¹ Cᵀ between rows k and l of large body b, at `to`: [k × l], or swapped; C B⁻¹ f off x of k.
static void leave_of_body(const graph *g, int b, int twin, int of, const double *inverse,
                          const mw_elim *e, mw_elim_num *num)
{
  for (int k = 0; k < g->n_rows; k++)
    for (int l = 0; l < g->n_rows; l++) {
      int s = side_of(g, k, b), t = side_of(g, l, b), nk = g->n_body + k, nl = g->n_body + l;
      bool swapped = false;
      if (s < 0 || t < 0 || l < k) continue;
      double *to = num->val + (k == l ? e->diag[nk] : mw_elim_between(e, nk, nl, &swapped));
      for (int r = 0; r < g->size[nk]; r++)
        for (int c = 0; c < g->size[nl]; c++) {
          double F = 0.0;
          for (int i = 0; i < 6; i++)
            F += coupling(g, k, s, twin, of, r, i) * inverse[b * LD + i] *
                 coupling(g, l, t, twin, of, c, i);
          to[swapped ? c * LD + r : r * LD + c] += k == l ? F : -F;
          if (k == l && r == c) num->scale[nk * LD + r] += F;
        }
    }
}

// The right-hand side of rows without large body b (sign −1), or b's unknowns from those of rows.
static void pass_body(const graph *g, int b, int twin, int of, const double *inverse, bool back,
                      double *x)
{
  for (int k = 0; k < g->n_rows; k++) {
    int s = side_of(g, k, b), node = g->n_body + k;
    for (int r = 0; s >= 0 && r < g->size[node]; r++)
      for (int i = 0; i < 6; i++) {
        double C = coupling(g, k, s, twin, of, r, i);
        if (back)
          x[b * LD + i] -= C * x[node * LD + r];
        else
          x[node * LD + r] -= C * inverse[b * LD + i] * x[b * LD + i];
      }
  }
  for (int i = 0; back && i < 6; i++) x[b * LD + i] *= inverse[b * LD + i];
}

// Solves both ways; returns the largest difference of the bodies' unknowns, *dropped the redundant
// rows. twin: a node of rows whose block repeats that of another (redundant), −1.
static double compare(graph *g, int twin, int of, int *dropped)
{
  mw_elim_graph v = view(g);
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_elim e;
  int n = g->n, nodes = g->n_body + g->n_rows, rank = 0;
  double *A = mw_arena_f64(&mem, (size_t)(n * n)), *b = mw_arena_f64(&mem, (size_t)n),
         *want = mw_arena_f64(&mem, (size_t)n), *x = mw_arena_f64(&mem, (size_t)(nodes * LD)),
         *diag = mw_arena_f64(&mem, (size_t)(nodes * LD)),
         *inverse = mw_arena_f64(&mem, (size_t)(nodes * LD)), worst = 0.0;
  mw_elim_tree tree;
  if (g->n_group > 0) {
    MW_OKAY(mw_elim_tree_of(&v, g->n_group, g->above, g->of, &mem, &tree, &err));
    v.tree = &tree;
  } else if (g->most > 0) {
    MW_OKAY(mw_elim_dissect(&v, g->most, &mem, &tree, &err));
    v.tree = &tree;
  }
  MW_OKAY(mw_elim_build(&v, &mem, &e, &err));
  mw_elim_num num = mw_elim_num_init(&e, &mem);
  MW_OKAY(mw_arena_check(&mem, &err));
  unsigned seed = 5;
  for (int i = 0; i < nodes; i++)
    for (int r = 0; r < g->size[i]; r++) {
      bool body = i < g->n_body;
      double d = body ? 1.5 + arbitrary(&seed) : g->soft[i - g->n_body] ? 0.3 : 0.0;
      if (body && g->large[i] && g->turned && r == 1) d = -d;
      diag[i * LD + r] = d;
      inverse[i * LD + r] = body ? 1.0 / d : 0.0;
      A[(g->at[i] + r) * n + g->at[i] + r] = body ? d : -d;
      // constraints have right-hand sides of zero: consistent, whatever is redundant
      b[g->at[i] + r] = x[i * LD + r] = body ? arbitrary(&seed) : 0.0;
    }
  for (int k = 0; k < g->n_rows; k++)
    for (int t = g->ptr[k]; t < g->ptr[k + 1]; t++) {
      int node = g->n_body + k, body = g->touch[t];
      double *to = num.val + e.couple[t];
      bool large = g->large[body];
      for (int r = 0; r < g->size[node]; r++)
        for (int c = 0; c < 6; c++) {
          double value = coupling(g, k, t, twin, of, r, c);
          if (!large) to[e.across[t] ? r * LD + c : c * LD + r] = value;
          A[(g->at[node] + r) * n + g->at[body] + c] = value;
          A[(g->at[body] + c) * n + g->at[node] + r] = value;
        }
    }
  const mw_elim_task task = {
    .diag = diag, .inverse = inverse, .drop = 1e-10, .any_sign = g->turned
  };
  for (int i = 0; i < g->n_body; i++) {
    if (!g->large[i]) continue;
    leave_of_body(g, i, twin, of, inverse, &e, &num);
    pass_body(g, i, twin, of, inverse, false, x);
  }
  MW_FAILS(mw_elim_factor(&e, &num, &task), MW_OK);
  mw_elim_solve(&e, &num, x);
  for (int i = 0; i < g->n_body; i++)
    if (g->large[i]) pass_body(g, i, twin, of, inverse, true, x);
  *dropped = num.n_dropped;
  MW_OKAY(mw_lstsq(n, n, A, b, 1e-12, want, &rank, &err));
  for (int i = 0; i < g->n_body; i++)
    for (int r = 0; r < 6; r++) worst = fmax(worst, fabs(x[i * LD + r] - want[g->at[i] + r]));
  mw_arena_free(&mem);
  return worst;
}

// Some hundred unknowns of order one, blocks of condition below 1e4 (arbitrary, 5 of 6 rows): 1e4 ·
// 100 · DBL_EPSILON
static const double TOL = 1e6 * DBL_EPSILON;

static void chains_and_trees_agree_with_the_dense_solution(void)
{
  graph g;
  int dropped;
  bodies(&g, 8);
  for (int b = 0; b < 8; b++) add_rows(&g, 5, b - 1, b, false);
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
  // a star on a moving hub: seven arms
  bodies(&g, 8);
  for (int b = 1; b < 8; b++) add_rows(&g, 3 + b % 4, 0, b, false);
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
}

static void loops_agree_with_the_dense_solution(void)
{
  graph g;
  int dropped;
  bodies(&g, 6);
  for (int b = 0; b < 6; b++) add_rows(&g, 4, b - 1, b, false);
  add_rows(&g, 3, 5, -1, false);  // to the ground
  add_rows(&g, 2, 4, 1, false);   // and across
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
}

static void redundant_rows_are_found_and_do_no_harm(void)
{
  graph g;
  int dropped;
  // the same three rows twice between two bodies, in a chain and in a loop
  bodies(&g, 4);
  for (int b = 0; b < 4; b++) add_rows(&g, 3, b - 1, b, false);
  add_rows(&g, 3, 1, 2, false);
  MW_WITHIN(compare(&g, 4, 2, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 3);
  add_rows(&g, 2, 3, -1, false);
  MW_WITHIN(compare(&g, 4, 2, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 3);
}

static void rows_with_a_stiffness_are_solved_too(void)
{
  graph g;
  int dropped;
  bodies(&g, 5);
  for (int b = 0; b < 5; b++) add_rows(&g, 4, b - 1, b, false);
  add_rows(&g, 6, 4, 0, true);
  add_rows(&g, 2, 2, -1, true);
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
}

static void bodies_the_caller_eliminates_agree_with_the_dense_solution(void)
{
  graph g;
  int dropped;
  // in the middle and at the end of a chain, next to each other, in a loop
  for (int k = 0; k < 2; k++) {
    bodies(&g, 6);
    g.large[2] = g.large[3] = g.large[5] = 1;
    for (int b = 0; b < 6; b++) add_rows(&g, 4, b - 1, b, false);
    if (k > 0) add_rows(&g, 3, 5, 0, false);
    MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
    MW_CHECK(dropped == 0);
  }
  // a hub with arms, on the ground as elastic bodies are, that also hold each other by springs
  bodies(&g, 6);
  g.large[0] = g.held[0] = 1;
  for (int b = 1; b < 6; b++) add_rows(&g, 1, 0, b, false);
  for (int b = 2; b < 6; b++) add_rows(&g, 2, b - 1, b, true);
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
  // all of them
  bodies(&g, 5);
  for (int b = 0; b < 5; b++) {
    g.large[b] = 1;
    add_rows(&g, 3, b - 1, b, false);
  }
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
}

static void redundant_rows_on_such_bodies_are_found(void)
{
  graph g;
  int dropped;
  bodies(&g, 4);
  g.large[1] = g.large[2] = 1;
  for (int b = 0; b < 4; b++) add_rows(&g, 3, b - 1, b, false);
  add_rows(&g, 3, 1, 2, false);
  MW_WITHIN(compare(&g, 4, 2, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 3);
}

static void pivots_of_either_sign_are_taken_where_asked_for(void)
{
  graph g;
  int dropped;
  bodies(&g, 5);
  g.large[1] = g.large[3] = 1;
  g.turned = true;
  for (int b = 0; b < 5; b++) add_rows(&g, 3, b - 1, b, false);
  MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
  MW_CHECK(dropped == 0);
}

// ---- groups -------------------------------------------------------------------------------------

// A tree of bodies, each on one of those before it, with loops by rows between any two.
static void arbitrary_mechanism(graph *g, int n, int loops, unsigned seed)
{
  bodies(g, n);
  for (int b = 0; b < n; b++) {
    int on = b == 0 ? -1 : (int)((arbitrary(&seed) + 1.0) * 0.5 * b);
    add_rows(g, 3 + b % 3, on, b, false);
  }
  for (int l = 0; l < loops; l++) {
    int a = (int)((arbitrary(&seed) + 1.0) * 0.5 * n),
        b = (int)((arbitrary(&seed) + 1.0) * 0.5 * n);
    if (a != b) add_rows(g, 1 + l % 2, a, b, l % 3 == 2);
  }
}

// Arbitrary groups of bodies in a tree of depth three: neighbours anywhere.
static void arbitrary_groups(graph *g, unsigned seed)
{
  static const int ABOVE[] = { 2, 2, 6, 5, 5, 6, -1 };
  g->n_group = (int)(sizeof ABOVE / sizeof *ABOVE);
  memcpy(g->above, ABOVE, sizeof ABOVE);
  for (int b = 0; b < g->n_body; b++) g->of[b] = (int)((arbitrary(&seed) + 1.0) * 0.5 * g->n_group);
}

static void groups_agree_with_the_dense_solution(void)
{
  graph g;
  int dropped;
  for (unsigned seed = 1; seed <= 20; seed++) {
    arbitrary_mechanism(&g, 12, (int)(seed % 4), seed);
    arbitrary_groups(&g, seed);
    MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
    MW_CHECK(dropped == 0);
    g.n_group = 0;
    g.most = 4;
    MW_WITHIN(compare(&g, -1, -1, &dropped), 0.0, TOL, "worst of the blocks' condition");
    MW_CHECK(dropped == 0);
  }
}

// Rows of a joint that stands twice, between bodies of one group, of two groups, of one and the
// group above it.
static void redundant_rows_across_borders_are_found(void)
{
  static const int OF[3][4] = { { 0, 0, 0, 1 }, { 0, 0, 1, 1 }, { 0, 2, 1, 0 } };
  static const int ABOVE[] = { 2, 2, -1 };
  for (int k = 0; k < 3; k++) {
    graph g;
    int dropped;
    bodies(&g, 4);
    for (int b = 0; b < 4; b++) add_rows(&g, 3, b - 1, b, false);
    add_rows(&g, 3, 1, 2, false);
    g.n_group = 3;
    memcpy(g.above, ABOVE, sizeof ABOVE);
    memcpy(g.of, OF[k], sizeof OF[k]);
    MW_WITHIN(compare(&g, 4, 2, &dropped), 0.0, TOL, "worst of the blocks' condition");
    MW_CHECK(dropped == 3);
  }
}

// Twice the links, about twice the blocks: nothing grows faster than the chain.
static void chains_have_no_fill(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  size_t values[2];
  for (int k = 0; k < 2; k++) {
    int n = 1000 * (k + 1);
    int *size = mw_arena_int(&mem, 2 * (size_t)n), *ptr = mw_arena_int(&mem, (size_t)n + 1),
        *touch = mw_arena_int(&mem, 2 * (size_t)n), at = 0;
    unsigned char *flag = mw_arena_alloc(&mem, 3 * (size_t)n, 1);
    for (int b = 0; b < n; b++) {
      size[b] = 6;
      size[n + b] = 5;
      if (b > 0) touch[at++] = b - 1;
      touch[at++] = b;
      ptr[b + 1] = at;
      flag[b] = b == 0;
      flag[n + b] = 1;
    }
    mw_elim_graph g = { .n_body = n,
                        .n_rows = n,
                        .size = size,
                        .ptr = ptr,
                        .touch = touch,
                        .ground = flag,
                        .full = flag + n,
                        .soft = flag + 2 * n };
    mw_elim e;
    MW_OKAY(mw_elim_build(&g, &mem, &e, &err));
    values[k] = e.n_val;
  }
  // a body's two couplings and a joint's block and its coupling to the next: (2·6 + 2·5)·8 numbers
  // a link
  MW_CHECK(values[0] <= 1000 * (2 * 6 + 2 * 5) * LD);
  MW_CHECK(values[1] <= 2000 * (2 * 6 + 2 * 5) * LD);
  mw_arena_free(&mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "chains_and_trees_agree_with_the_dense_solution",
      chains_and_trees_agree_with_the_dense_solution },
    { "loops_agree_with_the_dense_solution", loops_agree_with_the_dense_solution },
    { "redundant_rows_are_found_and_do_no_harm", redundant_rows_are_found_and_do_no_harm },
    { "rows_with_a_stiffness_are_solved_too", rows_with_a_stiffness_are_solved_too },
    { "bodies_the_caller_eliminates_agree_with_the_dense_solution",
      bodies_the_caller_eliminates_agree_with_the_dense_solution },
    { "redundant_rows_on_such_bodies_are_found", redundant_rows_on_such_bodies_are_found },
    { "pivots_of_either_sign_are_taken_where_asked_for",
      pivots_of_either_sign_are_taken_where_asked_for },
    { "groups_agree_with_the_dense_solution", groups_agree_with_the_dense_solution },
    { "redundant_rows_across_borders_are_found", redundant_rows_across_borders_are_found },
    { "chains_have_no_fill", chains_have_no_fill },
  };
  return mw_test_run("elim", cases, (int)(sizeof cases / sizeof *cases));
}
