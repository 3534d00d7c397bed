// SPDX-License-Identifier: BSD-3-Clause
// assembly_modes.c: ways in which a mechanism closes with coordinates held.
//
//   cut: joints that close loops; tree: rows J₁ of the others and of held coordinates  (1)
//   y = N z , J₁ N = 0 , z random;  q ← q moved by y, then by −J₁⁺ g₁  (2)
// (2) some times over, from the first position: bodies stay joined as they were, a hinge is never
// turned over, what is planar stays planar. Then all rows are closed (mw_rigid_assemble).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "linkage_priv.h"
#include "sim/kinematics.h"

static const double RANK = 1e-9;  // singular values of dependent rows, of the largest

typedef struct search {
  const mw_mech *m;
  mw_linkage l;
  unsigned char *cut;  // [n_row]
  unsigned seed;
  double *A, *V, *sv;         // [n_row × n_u], [n_u × n_u], [n_u]  rows of (1)
  double *g, *y, *q, *p, *s;  // [n_row], [n_u], [n_q], [n_body × 12], [n_coord]  scratch
  mw_assemblies o;
} search;

// ---- the open tree ------------------------------------------------------------------------------

static int root_of(const int *parent, int b)
{
  while (parent[b] != b) b = parent[b];
  return b;
}

static bool is_held(const mw_mech *m, const unsigned char *given, int j)
{
  return m->joint[j].coord >= 0 && given[m->joint[j].coord];
}

// Marks rows of joints that close loops; of loops those that are held stay, as far as they can.
static void cut_loops(search *h, const unsigned char *given, int *parent, unsigned char *joint)
{
  const mw_mech *m = h->m;
  int ground = -1;
  for (int b = 0; b < m->n_body; b++) {
    if (m->body[b].ground && ground < 0) ground = b;
    parent[b] = m->body[b].ground ? ground : b;
  }
  for (int held = 1; held >= 0; held--)
    for (int j = 0; j < m->n_joint; j++) {
      if (is_held(m, given, j) != (held == 1)) continue;
      int a = root_of(parent, m->joint[j].a), b = root_of(parent, m->joint[j].b);
      joint[j] = m->joint[j].in->kind == MW_JOINT_GEAR || a == b;
      if (!joint[j]) parent[a] = b;
    }
  for (int i = 0; i < h->l.n.n_row; i++) h->cut[i] = h->l.joint[i] >= 0 && joint[h->l.joint[i]];
}

// Rows of (1) at l.q; of their gaps −g over what rows were divided by. Their number
static int tree_rows(search *h, bool gaps)
{
  mw_linkage *l = &h->l;
  size_t n = (size_t)l->n.n_u;
  int rows = 0;
  mw_linkage_eval(l, NULL);
  if (gaps) mw_rigid_rows(l->r, l->w, 0.0, l->q, NULL, h->g, NULL, NULL, NULL);
  for (int i = 0; i < l->n.n_row; i++) {
    if (h->cut[i]) continue;
    memcpy(h->A + (size_t)rows * n, l->J + (size_t)i * n, n * sizeof *h->A);
    h->g[rows++] = gaps ? -h->g[i] / l->norm[i] : 0.0;
  }
  return rows;
}

static void move_by(search *h)
{
  mw_linkage *l = &h->l;
  for (int i = 0; i < l->n.n_u; i++) h->y[i] *= i % 6 < 3 ? l->size : 1.0;
  mw_rigid_move(l->r, l->q, h->y, h->q);
  mw_linkage_put(l, h->q);
}

static double random_one(unsigned *seed)  // in −1 … 1
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

// (2), once
static mw_code wander(search *h, mw_error *err)
{
  enum { CLOSE = 4 };
  static const double FAR = 0.8;  // rad, of the size
  mw_linkage *l = &h->l;
  int n = l->n.n_u, rows = tree_rows(h, false), rank = 0;
  size_t big = (size_t)(rows > n ? rows : n);  // rows of zeros: all of the right vectors
  memset(h->A + (size_t)rows * (size_t)n, 0, (big - (size_t)rows) * (size_t)n * sizeof *h->A);
  mw_code rc = mw_svd((int)big, n, h->A, h->sv, NULL, h->V, err);
  if (rc != MW_OK) return rc;
  while (rank < n && rank < rows && h->sv[rank] > RANK * h->sv[0]) rank++;
  memset(h->y, 0, (size_t)n * sizeof *h->y);
  for (int i = rank; i < n; i++)
    mw_axpy(n, FAR * random_one(&h->seed), h->V + (size_t)i * (size_t)n, h->y);
  move_by(h);
  for (int i = 0; rc == MW_OK && i < CLOSE; i++) {
    rows = tree_rows(h, true);
    rc = rows > 0 ? mw_lstsq(rows, n, h->A, h->g, RANK, h->y, &rank, err) : MW_OK;
    if (rc == MW_OK && rows > 0) move_by(h);
  }
  return rc;
}

// ---- starts -------------------------------------------------------------------------------------

static mw_code keep(search *h, const double *p, const double *s, mw_arena *mem, mw_error *err)
{
  size_t np = 12 * (size_t)h->m->n_body, nc = (size_t)h->m->n_coord;
  mw_position at = { mw_arena_f64(mem, np), mw_arena_f64(mem, nc) };
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(at.p, p, np * sizeof *p);
  memcpy(at.s, s, nc * sizeof *s);
  h->o.at[h->o.n++] = at;
  return MW_OK;
}

static bool known(const search *h, const double *p)
{
  static const double NEAR = 1e-6;  // of the size; beside singular positions rows close to √ε
  for (int i = 0; i < h->o.n; i++) {
    double off = 0.0;
    for (int k = 0; k < 12 * h->m->n_body; k++)
      off = fmax(off, fabs(h->o.at[i].p[k] - p[k]) / (k % 12 < 3 ? h->l.size : 1.0));
    if (off <= NEAR) return true;
  }
  return false;
}

// MW_ERR_NUMERIC: it does not close
static mw_code try_start(search *h, const double *value, mw_arena *mem, mw_error *err)
{
  enum { STEPS = 8 };
  static const double TOL = 1e-13;
  const mw_position *first = &h->o.at[0];
  mw_linkage *l = &h->l;
  mw_rigid_from_frames(l->r, first->p, l->q);
  mw_rigid_accept_coords(l->r, l->w, first->s);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < STEPS; i++) rc = wander(h, err);
  mw_rigid_hold(l->r, l->w, value, NULL);
  if (rc == MW_OK) rc = mw_rigid_assemble(l->r, l->w, 0.0, l->q, TOL * l->size, err);
  if (rc != MW_OK) return rc;
  memcpy(h->p, h->m->p0, 12 * (size_t)h->m->n_body * sizeof *h->p);
  mw_rigid_to_frames(l->r, l->q, h->p);
  mw_rigid_coords(l->r, l->w, l->q, NULL, h->s, NULL);
  if (!known(h, h->p)) return keep(h, h->p, h->s, mem, err);
  h->o.n_same++;
  return MW_OK;
}

static mw_code open_search(search *h, const unsigned char *given, const mw_position *first,
                           mw_error *err)
{
  const mw_mech *m = h->m;
  mw_code rc = mw_linkage_open(m, given, true, first->p, first->s, &h->l, err);
  if (rc != MW_OK) return rc;
  mw_arena *mem = &h->l.mem;
  size_t n = (size_t)h->l.n.n_u, rows = (size_t)h->l.n.n_row;
  int *parent = mw_arena_int(mem, (size_t)m->n_body);
  unsigned char *joint = mw_arena_alloc(mem, (size_t)m->n_joint, 1);
  h->cut = mw_arena_alloc(mem, rows, 1);
  h->A = mw_arena_f64(mem, (rows > n ? rows : n) * n);
  h->V = mw_arena_f64(mem, n * n);
  h->sv = mw_arena_f64(mem, n);
  h->g = mw_arena_f64(mem, rows);
  h->y = mw_arena_f64(mem, n);
  h->q = mw_arena_f64(mem, (size_t)h->l.n.n_q);
  h->p = mw_arena_f64(mem, 12 * (size_t)m->n_body);
  h->s = mw_arena_f64(mem, (size_t)m->n_coord);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) cut_loops(h, given, parent, joint);
  return rc;
}

static mw_code check_held(const search *h, const unsigned char *given, const mw_position *at,
                          mw_error *err)
{
  int left = 0;
  mw_code rc = mw_mech_freedom(h->m, given, at->p, at->s, &left, err);
  if (rc != MW_OK || left == 0) return rc;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "freedoms left with the given coordinates held: %d; expected none: "
                 "there would be assemblies without end",
                 left);
}

mw_code mw_assemblies_find(const mw_mech *m, const unsigned char *given, const double *value,
                           int n_start, mw_arena *mem, mw_assemblies *out, mw_error *err)
{
  search h = { .m = m, .seed = 1, .o = { .n_start = n_start } };
  mw_position first;
  h.o.at = mw_arena_alloc(mem, (size_t)n_start + 1, sizeof *h.o.at);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_position_find(m, given, value, mem, &first, err);
  if (rc == MW_OK) rc = open_search(&h, given, &first, err);
  if (rc == MW_OK) rc = check_held(&h, given, &first, err);
  if (rc == MW_OK) rc = keep(&h, first.p, first.s, mem, err);
  for (int i = 0; rc == MW_OK && i < n_start; i++) {
    mw_error why = { 0 };
    rc = try_start(&h, value, mem, &why);
    if (rc == MW_ERR_NUMERIC) {
      h.o.n_lost++;
      rc = MW_OK;
    } else if (rc != MW_OK && err) {
      *err = why;
    }
  }
  mw_linkage_close(&h.l);
  if (rc == MW_OK) *out = h.o;
  return rc;
}
