// SPDX-License-Identifier: BSD-3-Clause
// matrices.c: stiffness and mass matrix of another program: its files into one set of nodes and
// rows.
//
// Every reader gives entries between motions 6 node + direction. The nodes that have a row are
// kept, in the order of their numbers, and rows follow the motions. With a unit of length of L
// metres, newton and second as they are, a force per motion and a force per acceleration become
//   translations  N / unit → /L ;   translation with rotation  N → 1 ;   rotations  N·unit → ×L (1)
// O(entries · log n_node).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrices_layer.h"

static const double SYMMETRIC = 1e-10;  // of the largest entry, what a "general" matrix may miss

typedef enum mx_format { TRIPLETS, MARKET, DMIG, UNKNOWN } mx_format;

static bool is_nastran(const char *path)
{
  return mx_ends_with(path, ".pch") || mx_ends_with(path, ".bdf") || mx_ends_with(path, ".dat") ||
         mx_ends_with(path, ".nas");
}

static mx_format format_of(const char *path)
{
  if (mx_ends_with(path, ".sti") || mx_ends_with(path, ".mas")) return TRIPLETS;
  if (mx_ends_with(path, ".mtx")) return MARKET;
  return is_nastran(path) ? DMIG : UNKNOWN;
}

static mw_code check_files(const mw_matrices_in *in, mw_error *err)
{
  mx_format k = format_of(in->stiffness), m = format_of(in->mass);
  for (int i = 0; i < 2; i++)
    if ((i == 0 ? k : m) == UNKNOWN)
      return mw_fail(err, MW_ERR_INPUT, i == 0 ? in->stiffness_at : in->mass_at,
                     "'%s' is no matrix file, expected .sti, .mas, .mtx, .pch, .bdf, .dat or .nas",
                     i == 0 ? in->stiffness : in->mass);
  if ((k == DMIG) != (m == DMIG))
    return mw_fail(err, MW_ERR_INPUT, in->mass_at,
                   "only one of the two matrices is DMIG, their rows cannot be matched");
  if (k == DMIG && in->dofs != NULL)
    return mw_fail(err, MW_ERR_INPUT, in->dofs_at, "DMIG names its rows itself, drop dofs");
  if ((k == TRIPLETS || m == TRIPLETS) && in->dofs == NULL)
    return mw_fail(err, MW_ERR_INPUT, in->at, "dofs is missing, expected the rows' .dof file");
  return MW_OK;
}

static mw_code read_matrix(mx_reader *r, const char *path, char kind, mx_list *out, mw_error *err)
{
  mx_format f = format_of(path);
  if (f == DMIG) return mx_read_dmig(r, path, kind, out, err);
  return f == MARKET ? mx_read_market(r, path, out, err) : mx_read_triplets(r, path, out, err);
}

static mw_code read_files(mx_reader *r, mw_error *err)
{
  const mw_matrices_in *in = r->in;
  mw_code rc = check_files(in, err);
  if (rc != MW_OK) return rc;
  if (mx_ends_with(in->nodes, ".inp"))
    rc = mx_read_inp(r, in->nodes, err);
  else
    rc =
        is_nastran(in->nodes) ? mx_read_grids(r, in->nodes, err) : mx_read_table(r, in->nodes, err);
  if (rc == MW_OK && in->dofs != NULL) rc = mx_read_dofs(r, in->dofs, err);
  if (rc == MW_OK) rc = read_matrix(r, in->stiffness, 'K', &r->K, err);
  return rc == MW_OK ? read_matrix(r, in->mass, 'M', &r->M, err) : rc;
}

// ---- rows ----

// Motions with a row: all that have a number, else all that an entry names. new_row [6 n_node]: 1 →
// row + 1
static mw_code number_rows(const mx_reader *r, int *new_row, mw_arena *mem, mw_matrices *out,
                           mw_error *err)
{
  for (int i = 0; i < r->n_row; i++) new_row[r->row[i]] = 1;
  for (int k = 0; k < 2 && r->n_row == 0; k++) {
    const mx_list *l = k == 0 ? &r->K : &r->M;
    for (int e = 0; e < l->n; e++) new_row[l->e[e].row] = new_row[l->e[e].col] = 1;
  }
  for (int i = 0; i < r->n_node; i++) {
    int n = 0;
    for (int c = 0; c < 6; c++) n += new_row[6 * i + c];
    out->n_row += n;
    out->n_node += n > 0;
  }
  out->x = mw_arena_f64(mem, 3 * (size_t)out->n_node);
  out->tag = mw_arena_int(mem, (size_t)out->n_node);
  out->row = mw_arena_int(mem, 6 * (size_t)out->n_node);
  out->motion = mw_arena_int(mem, (size_t)out->n_row);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  int node = 0, row = 0;
  for (int k = 0; k < r->n_node; k++) {  // by ascending number
    int i = r->order[k], first = row;
    for (int c = 0; c < 6; c++) {
      bool live = new_row[6 * i + c] > 0;
      if (live) out->motion[row] = 6 * node + c;
      if (live) new_row[6 * i + c] = ++row;
      if (node < out->n_node) out->row[6 * node + c] = live ? row - 1 : -1;
    }
    if (row > first) out->tag[node++] = r->node[i].tag;
  }
  return MW_OK;
}

static void place_nodes(const mx_reader *r, double scale, mw_matrices *out)
{
  for (int i = 0; i < out->n_node; i++) {
    const mx_node *p = &r->node[mx_find_node(r, out->tag[i])];
    for (int c = 0; c < 3; c++) out->x[3 * i + c] = scale * p->x[c];
  }
}

// ---- entries ----

// (1)
static double unit_factor(int row, int col, double scale)
{
  int n = (row % 6 > 2) + (col % 6 > 2);
  return n == 0 ? 1.0 / scale : n == 1 ? 1.0 : scale;
}

static mw_code asymmetric(const mx_reader *r, const mx_list *l, const mx_entry *e, double other,
                          mw_error *err)
{
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = l->path, .line = e->line },
                 "entry %d.%d, %d.%d is %.17g and its mirror %.17g, expected a symmetric matrix",
                 r->node[e->row / 6].tag, e->row % 6 + 1, r->node[e->col / 6].tag, e->col % 6 + 1,
                 e->val, other);
}

static double entry_of(const mw_csc *A, int row, int col)
{
  int lo = A->ptr[col], hi = A->ptr[col + 1];
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (A->row[mid] < row)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < A->ptr[col + 1] && A->row[lo] == row ? A->val[lo] : 0.0;
}

// both triangles: symmetric up to rounding, then the mean goes to the lower one
static mw_code symmetrize(const mx_reader *r, const mx_list *l, const int *new_row, mw_csc *A,
                          mw_triplets *t, mw_error *err)
{
  double most = 0.0;
  for (int e = 0; e < l->n; e++) most = fmax(most, fabs(l->e[e].val));
  for (int e = 0; e < l->n; e++) {
    const mx_entry *p = &l->e[e];
    int i = new_row[p->row] - 1, j = new_row[p->col] - 1;
    double other = entry_of(A, j, i);
    if (!(fabs(p->val - other) <= SYMMETRIC * most)) return asymmetric(r, l, p, other, err);
    if (i >= j) mw_triplets_add(t, i, j, i == j ? p->val : 0.5 * (p->val + other));
  }
  return MW_OK;
}

typedef struct place {
  int row, col, line;
} place;

static int compare_places(const void *a, const void *b)
{
  const place *p = a, *q = b;
  if (p->row != q->row) return p->row < q->row ? -1 : 1;
  if (p->col != q->col) return p->col < q->col ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

// An entry is given twice: which, and where.
static mw_code duplicate(const mx_reader *r, const mx_list *l, const int *new_row, mw_error *err)
{
  place *p = malloc((size_t)l->n * sizeof *p);
  if (p == NULL) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  for (int e = 0; e < l->n; e++) {
    const mx_entry *q = &l->e[e];
    bool swap = !l->general && new_row[q->row] < new_row[q->col];
    p[e] = (place){ swap ? q->col : q->row, swap ? q->row : q->col, q->line };
  }
  qsort(p, (size_t)l->n, sizeof *p, compare_places);
  int k = 1;
  while (k < l->n - 1 && (p[k].row != p[k - 1].row || p[k].col != p[k - 1].col)) k++;
  mw_code rc =
      mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = l->path, .line = p[k].line },
              "entry %d.%d, %d.%d is given twice, first in line %d", r->node[p[k].row / 6].tag,
              p[k].row % 6 + 1, r->node[p[k].col / 6].tag, p[k].col % 6 + 1, p[k - 1].line);
  free(p);
  return rc;
}

// the entries of l as a lower symmetric matrix, units of the file
static mw_code build_matrix(const mx_reader *r, const mx_list *l, const int *new_row, int n,
                            mw_arena *mem, mw_csc *out, mw_error *err)
{
  mw_triplets t = { 0 };
  mw_arena tmp = { 0 };
  mw_csc A = { 0 };
  for (int e = 0; e < l->n; e++) {
    int i = new_row[l->e[e].row] - 1, j = new_row[l->e[e].col] - 1;
    bool swap = !l->general && i < j;
    mw_triplets_add(&t, swap ? j : i, swap ? i : j, l->e[e].val);
  }
  mw_code rc = mw_csc_build(&t, n, n, !l->general, l->general ? &tmp : mem, &A, err);
  if (rc == MW_OK && A.ptr[n] != t.n) rc = duplicate(r, l, new_row, err);
  if (rc == MW_OK && l->general) {
    mw_triplets_free(&t);
    rc = symmetrize(r, l, new_row, &A, &t, err);
    if (rc == MW_OK) rc = mw_csc_build(&t, n, n, true, mem, &A, err);
  }
  mw_triplets_free(&t);
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = A;
  return rc;
}

static void scale_matrix(const mw_matrices *m, double scale, mw_csc *A)
{
  for (int j = 0; j < A->n_col; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++)
      A->val[p] *= unit_factor(m->motion[A->row[p]], m->motion[j], scale);
}

// ---- sets ----

static int compare_ints(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return p < q ? -1 : p > q;
}

static int find_tag(const mw_matrices *m, int tag)
{
  const int *p = bsearch(&tag, m->tag, (size_t)m->n_node, sizeof tag, compare_ints);
  return p != NULL ? (int)(p - m->tag) : -1;
}

// Sets of nodes with a row; those without any are dropped.
static mw_code build_sets(const mx_reader *r, mw_arena *mem, mw_matrices *out, mw_error *err)
{
  out->set = mw_arena_alloc(mem, (size_t)r->n_set, sizeof *out->set);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; k < r->n_set && rc == MW_OK; k++) {
    const mx_set *from = &r->set[k];
    mw_mesh_set *s = &out->set[out->n_set];
    s->n = 0;
    s->name = mw_arena_str(mem, from->name);
    s->node = mw_arena_int(mem, (size_t)from->n);
    rc = mw_arena_check(mem, err);
    if (rc != MW_OK) break;
    for (int i = 0; i < from->n; i++) {
      int node = find_tag(out, from->tag[i]);
      if (node >= 0) s->node[s->n++] = node;
    }
    qsort(s->node, (size_t)s->n, sizeof *s->node, compare_ints);
    int n = 0;
    for (int i = 0; i < s->n; i++)
      if (n == 0 || s->node[i] != s->node[n - 1]) s->node[n++] = s->node[i];
    s->n = n;
    out->n_set += n > 0;
  }
  return rc;
}

// ---- reader ----

static mw_code build_all(const mx_reader *r, double scale, mw_arena *mem, mw_matrices *out,
                         mw_error *err)
{
  int *new_row = calloc((size_t)r->n_node * 6, sizeof *new_row);
  mw_code rc = MW_OK;
  if (new_row == NULL) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (rc == MW_OK) rc = number_rows(r, new_row, mem, out, err);
  if (rc == MW_OK) rc = build_matrix(r, &r->K, new_row, out->n_row, mem, &out->K, err);
  if (rc == MW_OK) rc = build_matrix(r, &r->M, new_row, out->n_row, mem, &out->M, err);
  free(new_row);
  if (rc != MW_OK) return rc;
  place_nodes(r, scale, out);
  scale_matrix(out, scale, &out->K);
  scale_matrix(out, scale, &out->M);
  return build_sets(r, mem, out, err);
}

static void free_reader(mx_reader *r)
{
  for (int k = 0; k < r->n_set; k++) free(r->set[k].tag);
  free(r->set);
  free(r->node);
  free(r->order);
  free(r->row);
  free(r->K.e);
  free(r->M.e);
}

mw_code mw_matrices_read(const mw_matrices_in *in, double scale, mw_arena *mem, mw_matrices *out,
                         mw_error *err)
{
  mx_reader r = { .in = in };
  mw_matrices m = { 0 };
  mw_code rc = read_files(&r, err);
  if (rc == MW_OK) rc = build_all(&r, scale, mem, &m, err);
  free_reader(&r);
  if (rc == MW_OK) rc = mw_matrices_check(&m, (mw_at){ .file = in->stiffness }, err);
  if (rc == MW_OK) *out = m;
  return rc;
}

static mw_code check_entries(const mw_csc *A, int n_row, mw_at at, mw_error *err)
{
  mw_code rc = mw_csc_check(A, err);
  if (rc != MW_OK) return rc;
  if (!A->sym || A->n_row != n_row || A->n_col != n_row)
    return mw_fail(err, MW_ERR_INPUT, at, "a matrix of %d × %d, expected %d rows", A->n_row,
                   A->n_col, n_row);
  for (int p = 0; p < A->ptr[n_row]; p++)
    if (!isfinite(A->val[p])) return mw_fail(err, MW_ERR_INPUT, at, "an entry is not finite");
  return MW_OK;
}

mw_code mw_matrices_check(const mw_matrices *m, mw_at at, mw_error *err)
{
  mw_code rc = check_entries(&m->K, m->n_row, at, err);
  if (rc == MW_OK) rc = check_entries(&m->M, m->n_row, at, err);
  for (int i = 0; i < 3 * m->n_node && rc == MW_OK; i++)
    if (!isfinite(m->x[i]))
      rc = mw_fail(err, MW_ERR_INPUT, at, "node %d has no finite place", m->tag[i / 3]);
  for (int k = 0; k < m->n_row && rc == MW_OK; k++) {
    int d = m->motion[k], tag = m->tag[d / 6];
    double kk = entry_of(&m->K, k, k), mm = entry_of(&m->M, k, k);
    if (m->row[d] != k)
      rc = mw_fail(err, MW_ERR_INPUT, at, "row %d is not that of its motion", k);
    else if (!(kk > 0.0))
      rc = mw_fail(err, MW_ERR_INPUT, at,
                   "node %d has stiffness %g in direction %d, must be positive "
                   "(is the file cut off?)",
                   tag, kk, d % 6 + 1);
    else if (!(mm >= 0.0))
      rc = mw_fail(err, MW_ERR_INPUT, at,
                   "node %d has mass %g in direction %d, must not be negative", tag, mm, d % 6 + 1);
  }
  return rc;
}
