// SPDX-License-Identifier: BSD-3-Clause
// mass.c: y = M x with M's lower triangle in slices of columns.
//
//   y_j = Σ_{i ≥ j} M_ij x_i  (own columns)  +  Σ_{i < j} M_ji x_i
//       (sent once by the ranks of the columns i)      (1)
//
// Every product collects the whole of x on every rank: n numbers, against a solve that reads many
// entries of the factor for each of them.
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "eigen_priv.h"

struct mass {
  const job *j;
  int n_left;      // entries left of the diagonal in own rows
  int *row, *col;  // [n_left]  row: own, from 0; col: of the whole
  double *val;     // [n_left]
  double *x;       // [n]
  mw_arena mem;
};

typedef struct post {
  int *n_out, *n_in, *out_at, *in_at;  // [size]
  int *row, *col;                      // [sum of n_out]
  double *val;
  mw_arena mem;
} post;

static int sums(int size, const int *n, int *at)  // at[r] = Σ n[0 … r−1]; −1: too many
{
  int64_t sum = 0;
  for (int r = 0; r < size; r++) {
    at[r] = (int)sum;
    sum += n[r];
    if (sum > INT_MAX) return -1;
  }
  return (int)sum;
}

// What each rank is to get: M_ij, i > j, to the owner of row i.
static mw_code address(const job *j, post *p, mw_error *err)
{
  const slices *s = &j->s;
  size_t size = (size_t)s->size, nnz = (size_t)j->M.ptr[s->n_loc];
  p->n_out = mw_arena_int(&p->mem, size);
  p->n_in = mw_arena_int(&p->mem, size);
  p->out_at = mw_arena_int(&p->mem, size);
  p->in_at = mw_arena_int(&p->mem, size);
  p->row = mw_arena_int(&p->mem, nnz);
  p->col = mw_arena_int(&p->mem, nnz);
  p->val = mw_arena_f64(&p->mem, nnz);
  int *put = mw_arena_int(&p->mem, size), lo = s->first[s->rank];
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  for (int c = 0; c < s->n_loc; c++)
    for (int k = j->M.ptr[c]; k < j->M.ptr[c + 1]; k++)
      if (j->M.row[k] != lo + c) p->n_out[team_owner(s, j->M.row[k])]++;
  (void)sums(s->size, p->n_out, p->out_at);
  for (int r = 0; r < s->size; r++) put[r] = p->out_at[r];
  for (int c = 0; c < s->n_loc; c++)
    for (int k = j->M.ptr[c]; k < j->M.ptr[c + 1]; k++) {
      if (j->M.row[k] == lo + c) continue;
      int r = team_owner(s, j->M.row[k]), to = put[r]++;
      p->row[to] = j->M.row[k] - s->first[r];
      p->col[to] = lo + c;
      p->val[to] = j->M.val[k];
    }
  return MW_OK;
}

static void exchange(const post *p, const void *out, void *in, MPI_Datatype type)
{
  MPI_Alltoallv(out, p->n_out, p->out_at, type, in, p->n_in, p->in_at, type, MPI_COMM_WORLD);
}

mw_code mass_build(const job *j, mass **out, mw_error *err)
{
  post p = { 0 };
  mass *m = calloc(1, sizeof *m);
  mw_code rc = m ? address(j, &p, err) : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  rc = team_agree(rc, err);
  if (rc == MW_OK) {
    MPI_Alltoall(p.n_out, 1, MPI_INT, p.n_in, 1, MPI_INT, MPI_COMM_WORLD);
    m->j = j;
    m->n_left = sums(j->s.size, p.n_in, p.in_at);
    size_t n = m->n_left > 0 ? (size_t)m->n_left : 0;
    m->row = mw_arena_int(&m->mem, n);
    m->col = mw_arena_int(&m->mem, n);
    m->val = mw_arena_f64(&m->mem, n);
    m->x = mw_arena_f64(&m->mem, (size_t)j->s.n);
    rc = m->n_left < 0 ? mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE,
                                 "the mass matrix is too large for %d processes", j->s.size)
                       : mw_arena_check(&m->mem, err);
    rc = team_agree(rc, err);
  }
  if (rc == MW_OK) {
    exchange(&p, p.row, m->row, MPI_INT);
    exchange(&p, p.col, m->col, MPI_INT);
    exchange(&p, p.val, m->val, MPI_DOUBLE);
  }
  mw_arena_free(&p.mem);
  if (rc == MW_OK)
    *out = m;
  else
    mass_free(m);
  return rc;
}

void mass_mul(mass *m, const double *x, double *y)
{
  const mw_csc *M = &m->j->M;
  team_gather_all(&m->j->s, x, m->x);
  for (int c = 0; c < M->n_col; c++) {
    y[c] = 0.0;
    for (int k = M->ptr[c]; k < M->ptr[c + 1]; k++) y[c] += M->val[k] * m->x[M->row[k]];
  }
  for (int e = 0; e < m->n_left; e++) y[m->row[e]] += m->val[e] * m->x[m->col[e]];
}

void mass_free(mass *m)
{
  if (!m) return;
  mw_arena_free(&m->mem);
  free(m);
}
