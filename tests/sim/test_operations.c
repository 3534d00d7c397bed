// SPDX-License-Identifier: BSD-3-Clause
// test_operations.c: operations that modeway bench has by formula are those of eliminating entry by
// entry, and of closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_operations_layer.h"
#include "fixture.h"
#include "mw_test.h"

typedef struct rig {
  mw_fixture f;
  mw_rigid *r;
  mw_arena mem;
  mw_rigid_structure s;
} rig;

static bool open_rig(const char *name, rig *r)
{
  char path[512];
  mw_error err = { 0 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  *r = (rig){ 0 };
  snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, name);
  return MW_CHECK(mw_fixture_file(path, &r->f)) &&
         MW_OKAY(mw_rigid_build(&r->f.mech, &opt, &r->r, &err)) &&
         MW_OKAY(mw_rigid_structure_find(r->r, &r->mem, &r->s, &err));
}

static void close_rig(rig *r)
{
  mw_rigid_free(r->r);
  mw_arena_free(&r->mem);
  mw_fixture_free(&r->f);
}

// Marks entries (i, j) that stand in the matrix: M diagonal, blocks between bodies and rows full.
static void fill_in(const mw_rigid_structure *s, const int *first, size_t n, unsigned char *A)
{
  for (size_t i = 0; i < n; i++) A[i * n + i] = 1;
  for (int b = 0; b < s->n_block; b++) {
    const mw_rigid_block *k = &s->block[b];
    for (int i = first[k->row]; !k->fill && i < first[k->row + 1]; i++)
      for (int j = first[k->col]; j < first[k->col + 1]; j++)
        A[(size_t)i * n + (size_t)j] = A[(size_t)j * n + (size_t)i] = 1;
  }
}

// Eliminates entry by entry and counts as it goes: a quotient a pivot, a product an entry of its
// column, a product and a sum an entry that is changed, below and on the diagonal. A right-hand
// side: a product and a sum an entry, forwards and backwards, a product a pivot.
static mw_elim_count by_entries(const mw_rigid_structure *s, mw_arena *mem)
{
  mw_elim_count out = { 0 };
  int *first = mw_arena_int(mem, (size_t)s->n + 1);
  for (int k = 0; first && k < s->n; k++) first[k + 1] = first[k] + s->size[k];
  size_t n = first ? (size_t)first[s->n] : 0;
  unsigned char *A = mw_arena_alloc(mem, n * n + 1, 1);
  if (!MW_CHECK(A != NULL)) return out;
  fill_in(s, first, n, A);
  for (size_t p = 0; p < n; p++) {
    out.factor += 1.0;
    out.solve += 1.0;
    for (size_t i = p + 1; i < n; i++) {
      if (!A[i * n + p]) continue;
      out.factor += 1.0;
      out.solve += 4.0;
      for (size_t j = p + 1; j <= i; j++) {
        if (!A[j * n + p]) continue;
        out.factor += 2.0;
        A[i * n + j] = A[j * n + i] = 1;
      }
    }
  }
  return out;
}

static void an_elimination_costs_what_it_does_entry_by_entry(void)
{
  static const char *const cases[] = { "2r", "puma", "bricard", "andrews", "six-bar", "hexapod" };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rig r;
    mw_elim_count plan, graph;
    mw_error err = { 0 };
    if (open_rig(cases[i], &r) && MW_OKAY(mw_count_symbolic(&r.s, false, &graph, &err))) {
      mw_elim_count entries = by_entries(&r.s, &r.mem);
      mw_count_elimination(&r.s, &plan);
      printf("%s: %.0f to factor, %.0f a right-hand side\n", cases[i], plan.factor, plan.solve);
      MW_CHECK(plan.factor == entries.factor && plan.solve == entries.solve);
      MW_CHECK(plan.factor == graph.factor && plan.solve == graph.solve);
    }
    close_rig(&r);
  }
}

// One body on 5 rows; (c + 1)² a pivot, 4 c + 1 of a right-hand side. Twist: 6 pivots with c = 5,
// then c = 4 … 0. Natural coordinates: 12 with c = 11, 6 with c = 10 … 5, then 4 … 0.
static void one_body_costs_its_closed_form_in_twists_and_natural_coordinates(void)
{
  rig r;
  mw_elim_count twist, natural;
  mw_error err = { 0 };
  if (open_rig("beam-carriage", &r) && MW_OKAY(mw_count_symbolic(&r.s, true, &natural, &err))) {
    mw_count_elimination(&r.s, &twist);
    MW_CHECK(twist.factor == 6 * 36 + 55 && twist.solve == 6 * 21 + 45);
    MW_CHECK(natural.factor == 12 * 144 + 451 + 55 && natural.solve == 12 * 45 + 186 + 45);
  }
  close_rig(&r);
}

// A body on a basis of n columns: K, M, moments full, L a triangle. At rest 4 L − 2 n = 2 n² of the
// factor, 2 n² each of K and M, 2 z n of z functionals; moving 36 n² more of the moments, 4·24 n +
// 2·24² of the border, 2·12 (n + 24) and 2·24 z of the frame.
static void a_body_on_a_basis_costs_its_closed_form(void)
{
  enum { N = 40, Z = 7 };
  int ptr[N + 1];
  for (int i = 0; i <= N; i++) ptr[i] = N * i;
  const mw_csc full = { .n_row = N, .n_col = N, .ptr = ptr };
  mw_body b = { .n_u = N, .n_z = Z, .K = full, .M = full };
  for (int i = 0; i < 6; i++) b.Mab[i] = full;
  double n = N, z = Z, L = 0.5 * n * (n + 1.0), rest = 6.0 * n * n + 2.0 * z * n;
  MW_CHECK(mw_count_body(&b, false, L) == rest);
  MW_CHECK(mw_count_body(&b, true, L) ==
           rest + 36.0 * n * n + 96.0 * n + 1152.0 + 24.0 * (n + 24.0) + 48.0 * z);
}

static const mw_test_case cases[] = {
  { "an_elimination_costs_what_it_does_entry_by_entry",
    an_elimination_costs_what_it_does_entry_by_entry },
  { "one_body_costs_its_closed_form_in_twists_and_natural_coordinates",
    one_body_costs_its_closed_form_in_twists_and_natural_coordinates },
  { "a_body_on_a_basis_costs_its_closed_form", a_body_on_a_basis_costs_its_closed_form },
};

int main(void) { return mw_test_run("operations", cases, (int)(sizeof cases / sizeof *cases)); }
