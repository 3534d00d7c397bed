// SPDX-License-Identifier: BSD-3-Clause
// fixture_matrices.c: what another program would write of our own bodies, for tests of foreign
// matrices.
#include "fixture_matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "mw_test.h"

// ---- writers ----

// force a motion in the files' unit of length per SI
static double unit(const fixture_source *s, int i, int j)
{
  int n = (s->dir[i] > 3) + (s->dir[j] > 3);
  return n == 0 ? s->scale : n == 1 ? 1.0 : 1.0 / s->scale;
}

bool fixture_write_nodes(const fixture_source *s, const char *path, const char *format)
{
  FILE *f = fopen(path, "w");
  if (f == NULL) return false;
  if (strstr(path, ".inp") != NULL) fprintf(f, "*HEADING\n*NODE, NSET=NALL\n");
  // the last first: the order of the file must not matter
  for (int i = s->n_node - 1; i >= 0; i--)
    fprintf(f, format, s->node[i], s->x[3 * i] / s->scale, s->x[3 * i + 1] / s->scale,
            s->x[3 * i + 2] / s->scale);
  if (strstr(path, ".inp") != NULL)
    fprintf(f, "*NSET, NSET=rail, GENERATE\n1, 5\n*NSET,NSET=ends\nrail, 7\n");
  return fclose(f) == 0;
}

// row k of the files is row order[k] of the source
bool fixture_write_dofs(const fixture_source *s, const char *path, const int *order)
{
  FILE *f = fopen(path, "w");
  if (f == NULL) return false;
  for (int k = 0; k < s->n; k++) fprintf(f, "%d.%d\n", s->tag[order[k]], s->dir[order[k]]);
  return fclose(f) == 0;
}

// style: 's' .sti lines of the upper triangle, 'm' Matrix Market symmetric, 'g' general
bool fixture_write_entries(const fixture_source *s, const mw_csc *A, const char *path, char style,
                           const int *order)
{
  int place[FIXTURE_MAX_ROW], nnz = 0;
  FILE *f = fopen(path, "w");
  if (f == NULL) return false;
  for (int k = 0; k < s->n; k++) place[order[k]] = k + 1;
  for (int j = 0; j < s->n; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) nnz += style == 'g' && A->row[p] != j ? 2 : 1;
  if (style != 's')
    fprintf(f, "%%%%MatrixMarket matrix coordinate real %s\n%% a comment\n%d %d %d\n",
            style == 'g' ? "general" : "symmetric", s->n, s->n, nnz);
  for (int j = 0; j < s->n; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) {
      int a = place[A->row[p]], b = place[j], lo = a < b ? a : b, hi = a < b ? b : a;
      double x = A->val[p] * unit(s, A->row[p], j);
      fprintf(f, "%d %d %.17g\n", style == 's' ? lo : hi, style == 's' ? hi : lo, x);
      if (style == 'g' && lo != hi) fprintf(f, "%d %d %.17g\n", lo, hi, x);
    }
  return fclose(f) == 0;
}

// DMIG columns; large: 16 columns a field, 10 digits; else free field, 17 digits
static void write_dmig(const fixture_source *s, const mw_csc *A, const char *name, bool large,
                       FILE *f)
{
  fprintf(f, large ? "DMIG    %-8s%8d%8d%8d%8d\n" : "DMIG,%s,%d,%d,%d,%d\n", name, 0, 6, 2, 0);
  for (int j = 0; j < s->n; j++) {
    fprintf(f, large ? "DMIG*   %-16s%16d%16d\n" : "DMIG*,%s,%d,%d\n", name, s->tag[j], s->dir[j]);
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) {
      int i = A->row[p];
      char x[40];
      snprintf(x, sizeof x, large ? "%16.9E" : "%.16E", A->val[p] * unit(s, i, j));
      if (strchr(x, 'E') != NULL && large) *strchr(x, 'E') = 'D';
      fprintf(f, large ? "*       %16d%16d%s\n" : "*,%d,%d,%s\n", s->tag[i], s->dir[i], x);
    }
  }
}

bool fixture_write_punch(const fixture_source *s, const char *path, bool large)
{
  FILE *f = fopen(path, "w");
  if (f == NULL) return false;
  fprintf(f, "$ punched by hand\nASET1   123     1       THRU    9\n");
  write_dmig(s, s->K, "KAAX", large, f);
  write_dmig(s, s->M, "MAAX", large, f);
  return fclose(f) == 0;
}

// ---- bodies ----

bool fixture_build(fixture_built *b)
{
  mw_error err = { 0 };
  return MW_OKAY(mw_body_build(&b->f.model, 0, &b->mem, &b->body, &err));
}

static const int N_BOX[3] = { 2, 1, 1 };
const double FIXTURE_X[3] = { -0.1, 0.2, 0.05 }, FIXTURE_L[3] = { 0.4, 0.15, 0.1 };

// the free box of tetrahedra, and it as a source
bool fixture_box_source(fixture_built *b, fixture_source *s)
{
  *b = (fixture_built){ 0 };
  fixture_init(&b->f);
  b->f.body.mesh = FIXTURE_MESH;
  if (!MW_CHECK(fixture_box(FIXTURE_MESH, N_BOX, FIXTURE_X, FIXTURE_L, NULL) == 0) ||
      !fixture_build(b))
    return false;
  *s = (fixture_source){ .n = b->body.n_u,
                         .K = &b->body.K,
                         .M = &b->body.M,
                         .n_node = b->body.n_node,
                         .x = b->body.X,
                         .node = b->body.mesh->tag,
                         .scale = 1.0 };
  if (!MW_CHECK(s->n == 3 * s->n_node && s->n <= FIXTURE_MAX_ROW)) return false;
  for (int k = 0; k < s->n; k++) {
    s->tag[k] = s->node[k / 3];
    s->dir[k] = k % 3 + 1;
  }
  return true;
}

void fixture_identity(int *order)
{
  for (int k = 0; k < FIXTURE_MAX_ROW; k++) order[k] = k;
}

void fixture_shuffle(int n, int *order)
{
  unsigned seed = 7;
  fixture_identity(order);
  for (int k = n - 1; k > 0; k--) {
    int j = (int)((fixture_random(&seed) + 1.0) * 0.5 * (k + 1)), t = order[k];
    order[k] = order[j];
    order[j] = t;
  }
}

void fixture_foreign(fixture_built *b, mw_matrices_in *in, double scale)
{
  *b = (fixture_built){ 0 };
  fixture_init(&b->f);
  b->f.body.matrices = in;
  b->f.body.mesh_scale = scale;
  b->f.body.has_unit = true;
}

static double largest(const double *x, int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// largest difference over the largest entry of a
double fixture_difference(const double *a, const double *b, int n)
{
  double most = 0.0, scale = largest(a, n);
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
  return scale > 0.0 ? most / scale : most;
}

double fixture_csc_difference(const mw_csc *A, const mw_csc *B)
{
  size_t n = (size_t)A->n_row * (size_t)A->n_col;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), d = INFINITY;
  if (a != NULL && b != NULL && A->n_row == B->n_row && A->n_col == B->n_col) {
    fixture_dense(A, a);
    fixture_dense(B, b);
    d = fixture_difference(a, b, (int)n);
  }
  free(a);
  free(b);
  return d;
}

// tol: of the files, relative to the largest entry of each matrix
void fixture_same_body(const mw_body *a, const mw_body *b, double tol)
{
  int n = a->n_u;
  if (!MW_CHECK(b->n_u == n)) return;
  MW_NEAR(fixture_csc_difference(&a->K, &b->K), 0.0, tol);
  MW_NEAR(fixture_csc_difference(&a->M, &b->M), 0.0, tol);
  for (int k = 0; k < 6; k++) MW_NEAR(fixture_csc_difference(&a->Mab[k], &b->Mab[k]), 0.0, tol);
  // sums of n terms
  MW_NEAR(fixture_difference(a->s, b->s, 3 * n), 0.0, n * tol);
  MW_NEAR(fixture_difference(a->h, b->h, 9 * n), 0.0, n * tol);
  MW_NEAR(b->m / a->m, 1.0, n * tol);
  MW_NEAR(fixture_difference(a->mX, b->mX, 3), 0.0, n * tol);
  MW_NEAR(fixture_difference(a->J, b->J, 9), 0.0, n * tol);
  if (a->n_z > 0 && MW_CHECK(a->n_z == b->n_z))
    MW_WITHIN(fixture_csc_difference(&a->P, &b->P), 0.0, tol, "a few roundings, none by chance");
}

// λ [n] of K x = λ M x, ascending, infinite where M is singular:
// M x = μ (K + σM) x with μ = 1/(λ + σ), its largest first
static bool eigenvalues(const mw_body *b, double *lambda)
{
  const double sigma = 1e8;  // (rad/s)²: 1.6 kHz, among the frequencies of these bodies
  size_t n = (size_t)b->n_u;
  mw_error err = { 0 };
  double mu[FIXTURE_MAX_ROW], *A = malloc(n * n * sizeof *A), *M = malloc(n * n * sizeof *M),
                              *V = malloc(n * n * sizeof *V);
  bool okay = A != NULL && M != NULL && V != NULL;
  if (okay) {
    fixture_dense(&b->K, A);
    fixture_dense(&b->M, M);
    for (size_t i = 0; i < n * n; i++) A[i] += sigma * M[i];
    okay = MW_OKAY(mw_eig_gen(b->n_u, M, A, mu, V, &err));
  }
  for (size_t k = 0; k < n && okay; k++) lambda[k] = 1.0 / mu[n - 1 - k] - sigma;
  free(A);
  free(M);
  free(V);
  return okay;
}

void fixture_same_frequencies(const mw_body *a, const mw_body *b, int first, double tol)
{
  double la[FIXTURE_MAX_ROW], lb[FIXTURE_MAX_ROW];
  if (!MW_CHECK(a->n_u == b->n_u) || !eigenvalues(a, la) || !eigenvalues(b, lb)) return;
  for (int k = first; k < first + 10 && k < a->n_u; k++)
    MW_WITHIN(sqrt(lb[k] / la[k]), 1.0, tol, "worst of dense eigenproblems, by their condition");
}

void fixture_clean(void)
{
  static const char *const END[] = { ".msh", ".sti", ".mas", ".dof",   ".nodes", ".inp",
                                     ".bdf", ".pch", ".dat", ".k.mtx", ".m.mtx" };
  char path[64];
  for (size_t k = 0; k < sizeof END / sizeof *END; k++) {
    snprintf(path, sizeof path, FIXTURE_STEM "%s", END[k]);
    remove(path);
  }
}

void fixture_free_built(fixture_built *b) { mw_arena_free(&b->mem); }
