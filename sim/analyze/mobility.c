// SPDX-License-Identifier: BSD-3-Clause
// mobility.c: freedoms of a rigid mechanism at a position: counted, infinitesimal, finite.
//
//   Grübler      6 n_body − rows                                                                (1)
//   infinitesimal   6 n_body − rank J = dim N ,  J N = 0                                        (2)
//   second order    y = N z goes on only if  L_lᵀ γ(y) = zᵀ Q_l z = 0  for all L_lᵀ J = 0       (3)
//   finite          6 n_body − rank J beside the position, along each z of (3) that leads there (4)
//   rows of joint j that others hold:  n_j − (rank J − rank J without j)                        (5)
// (3) for two freedoms: q11 x² + 2 q12 x y + q22 y² = 0 has two roots (motions cross), one, or none
// (shaky); for more by Gauss-Newton's method from many starts, tangents of motions that stand
// alone: z such that Q_l z, all l, have rank k − 1. Beside a regular position (3) holds
// for all z and the rank stays. Cost: some singular value decompositions, one a joint.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "linkage_priv.h"
#include "sim/analyze.h"

// positions are closed to 1e-13 of the size: what singular values of dependent rows are off
static const double RANK = 1e-9;
static const double BEND = 1e-7;    // of (3): γ of unit tangents is of size 1
static const double BESIDE = 0.03;  // rad: how far beside the position (4) looks

typedef struct probe {
  mw_linkage l;
  int k, n_left;                // freedoms, dependent rows
  double *sv, *N, *left, *Q;    // [n_u], [k × n_u], [n_left × n_row], [n_left × k × k]
  double *y, *q1, *sv1, *rate;  // [n_u], [n_q], [n_u], [n_q]  scratch
  mw_arena mem;
} probe;

const char *mw_mobility_name(mw_mobility_kind kind)
{
  static const char *const name[] = { "regular", "bifurcation", "infinitesimal" };
  return name[kind];
}

// Why held coordinates could not be reached from p, s: where a dead point is the reason, says so.
static mw_code no_way(const mw_mech *m, const unsigned char *held, const mw_position *from,
                      mw_error *why, mw_error *err)
{
  mw_linkage l = { 0 };
  mw_arena tmp = { 0 };
  int free = 0, rank = 0, n = 0, first = -1;
  mw_error unused;
  mw_code rc = mw_linkage_open(m, NULL, true, from->p, from->s, &l, &unused);
  size_t n_u = (size_t)l.n.n_u, rows = (size_t)l.n.n_row;
  double *A = mw_arena_f64(&tmp, (rows + (size_t)m->n_coord) * n_u), *sv = mw_arena_f64(&tmp, n_u);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, &unused);
  if (rc == MW_OK) {
    mw_linkage_eval(&l, NULL);
    rc = mw_linkage_svd(&l, sv, NULL, NULL, &unused);
    free = l.n.n_u - mw_linkage_rank(&l, sv, RANK);
    memcpy(A, l.J, rows * n_u * sizeof *A);
  }
  for (int c = 0; rc == MW_OK && c < m->n_coord; c++) {
    if (!held[c]) continue;
    if (first < 0) first = c;
    memcpy(A + (rows + (size_t)n++) * n_u, l.Js + (size_t)c * n_u, n_u * sizeof *A);
  }
  if (rc == MW_OK) rc = mw_svd((int)rows + n, l.n.n_u, A, sv, NULL, NULL, &unused);
  while (rc == MW_OK && rank < l.n.n_u && rank < (int)rows + n && sv[rank] > RANK * sv[0]) rank++;
  bool dead = rc == MW_OK && n <= free && rank < l.n.n_u - free + n;
  mw_linkage_close(&l);
  mw_arena_free(&tmp);
  if (dead)
    return mw_fail(err, MW_ERR_NUMERIC, m->joint[m->coord_joint[first]].in->at,
                   "%.80s%s cannot drive the mechanism from where the model stands, a dead point; "
                   "expected other coordinates, or a model that stands beside it",
                   mw_mech_coord_name(m, first), n > 1 ? " and the others named" : "");
  if (err) *err = *why;
  return why->code;
}

mw_code mw_position_find(const mw_mech *m, const unsigned char *held, const double *value,
                         mw_arena *mem, mw_position *out, mw_error *err)
{
  size_t np = 12 * (size_t)m->n_body, nc = (size_t)m->n_coord;
  out->p = mw_arena_f64(mem, np);
  out->s = mw_arena_f64(mem, nc);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->p, m->p0, np * sizeof *out->p);
  memcpy(out->s, m->s0, nc * sizeof *out->s);
  rc = mw_mech_rigid_solve(m, NULL, m->s0, out->p, out->s, err);
  if (rc != MW_OK || !held) return rc;
  mw_error why = { 0 };
  const mw_position from = { mw_arena_f64(mem, np), mw_arena_f64(mem, nc) };
  rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(from.p, out->p, np * sizeof *from.p);
  memcpy(from.s, out->s, nc * sizeof *from.s);
  rc = mw_mech_rigid_solve(m, held, value, out->p, out->s, &why);
  if (rc == MW_ERR_NUMERIC) return no_way(m, held, &from, &why, err);
  if (rc != MW_OK && err) *err = why;
  return rc;
}

// ---- ranks --------------------------------------------------------------------------------------

// Rank of the rows but those of joint j (−1: of all).
static mw_code rank_without(const mw_linkage *l, int j, int *rank, mw_error *err)
{
  size_t n = (size_t)l->n.n_u;
  int rows = 0;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, (size_t)l->n.n_row * n), *sv = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i < l->n.n_row; i++)
    if (l->joint[i] != j || j < 0)
      memcpy(A + (size_t)rows++ * n, l->J + (size_t)i * n, n * sizeof *A);
  if (rc == MW_OK) rc = mw_svd(rows, l->n.n_u, A, sv, NULL, NULL, err);
  *rank = 0;
  for (int i = 0; rc == MW_OK && i < rows && i < l->n.n_u; i++) *rank += sv[i] > RANK * sv[0];
  mw_arena_free(&tmp);
  return rc;
}

static mw_code by_joint(const mw_linkage *l, mw_mobility *o, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int j = 0; rc == MW_OK && o->dependent > 0 && j < l->m->n_joint; j++) {
    int rows = 0, rank = 0;
    for (int i = 0; i < l->n.n_row; i++) rows += l->joint[i] == j;
    if (rows > 0) rc = rank_without(l, j, &rank, err);
    if (rows > 0) o->joint[j] = rows - (o->rank - rank);
  }
  return rc;
}

static mw_code hyperstatic(const mw_mech *m, const mw_position *at, const unsigned char *held,
                           mw_mobility *o, mw_error *err)
{
  mw_linkage hard = { 0 };
  int rank = 0;
  mw_code rc = mw_linkage_open(m, held, false, at->p, at->s, &hard, err);
  if (rc == MW_OK) {
    mw_linkage_eval(&hard, NULL);
    rc = rank_without(&hard, -1, &rank, err);
    o->n_elastic = o->n_row - hard.n.n_row;
    o->hyperstatic = hard.n.n_row - rank;
  }
  mw_linkage_close(&hard);
  return rc;
}

// ---- second order -------------------------------------------------------------------------------

static double form(const probe *b, int i, const double *z)
{
  const double *Q = b->Q + (size_t)i * (size_t)(b->k * b->k);
  double sum = 0.0;
  for (int r = 0; r < b->k; r++)
    for (int c = 0; c < b->k; c++) sum += z[r] * Q[r * b->k + c] * z[c];
  return sum;
}

static double worst_form(const probe *b, const double *z)
{
  double most = 0.0;
  for (int i = 0; i < b->n_left; i++) most = fmax(most, fabs(form(b, i, z)));
  return most;
}

// Directions of two freedoms that keep the largest form at zero; z [2 × 2], their number.
static int roots_of_two(const probe *b, double *z)
{
  const double *Q = NULL;
  double most = 0.0;
  for (int i = 0; i < b->n_left; i++) {
    const double *x = b->Q + 4 * (size_t)i;
    double size = fmax(fmax(fabs(x[0]), fabs(x[3])), fabs(x[1]));
    if (size > most) Q = x, most = size;
  }
  return Q ? mw_form_roots(Q, BEND, z) : 0;
}

// One step of Gauss-Newton's method on the forms, z back to length 1.
static mw_code newton(const probe *b, double *z, mw_error *err)
{
  size_t k = (size_t)b->k, nl = (size_t)b->n_left;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, nl * k), *g = mw_arena_f64(&tmp, nl), *d = mw_arena_f64(&tmp, k);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < nl; i++) {
    g[i] = -form(b, (int)i, z);
    for (size_t r = 0; r < k; r++) A[i * k + r] = 2.0 * mw_dot(b->k, b->Q + (i * k + r) * k, z);
  }
  if (rc == MW_OK) rc = mw_lstsq(b->n_left, b->k, A, g, RANK, d, NULL, err);
  if (rc == MW_OK) mw_axpy(b->k, 1.0, d, z);
  double len = rc == MW_OK ? sqrt(mw_dot(b->k, z, z)) : 0.0;
  for (size_t i = 0; i < k && len > 0.0; i++) z[i] /= len;
  mw_arena_free(&tmp);
  return rc;
}

// ---- finite motions -----------------------------------------------------------------------------

// Does the motion along z N lead somewhere; the rank there.
static mw_code look_beside(probe *b, const double *z, bool *moves, int *rank, mw_error *err)
{
  mw_linkage *l = &b->l;
  mw_error why;
  double along = 0.0, far = 0.0;
  mw_gemm('n', 'n', 1, l->n.n_u, b->k, BESIDE, z, b->N, 0.0, b->y);
  *moves = mw_linkage_move(l, l->q, b->y, b->q1, &why) == MW_OK;
  if (!*moves) return MW_OK;
  mw_rigid_rates(l->r, l->q, l->x, b->rate);  // l->x: the twist that was moved by
  for (int i = 0; i < l->n.n_q; i++) {
    double unit = i % 12 < 3 ? l->size : 1.0, r = b->rate[i] / unit;
    along += (b->q1[i] - l->q[i]) / unit * r;
    far += r * r;
  }
  *moves = along > 0.5 * far;
  if (!*moves) return MW_OK;
  memcpy(b->rate, l->q, (size_t)l->n.n_q * sizeof *l->q);
  memcpy(l->q, b->q1, (size_t)l->n.n_q * sizeof *l->q);
  mw_linkage_eval(l, NULL);
  mw_code rc = mw_linkage_svd(l, b->sv1, NULL, NULL, err);
  *rank = mw_linkage_rank(l, b->sv1, RANK);
  memcpy(l->q, b->rate, (size_t)l->n.n_q * sizeof *l->q);
  mw_linkage_eval(l, NULL);
  return rc;
}

static void keep_tangent(const probe *b, const double *z, mw_mobility *o)
{
  const mw_linkage *l = &b->l;
  int nc = l->n.n_coord;
  double *to = o->tangent + (size_t)o->n_tangent * (size_t)nc, top = 0.0;
  mw_gemm('n', 'n', 1, l->n.n_u, b->k, 1.0, z, b->N, 0.0, b->y);
  mw_gemm('n', 't', 1, nc, l->n.n_u, 1.0, b->y, l->Js, 0.0, to);
  for (int c = 0; c < nc; c++) top = fabs(to[c]) > fabs(top) ? to[c] : top;
  for (int c = 0; c < nc && top != 0.0; c++) to[c] /= top;
  o->n_tangent++;
}

// (4) along z; its tangent is kept where it leads somewhere and there is room.
static mw_code follow(probe *b, const double *z, bool keep, bool *same, mw_mobility *o,
                      mw_error *err)
{
  bool moves;
  int rank = 0;
  mw_code rc = look_beside(b, z, &moves, &rank, err);
  *same = *same && moves && rank == o->rank;
  if (rc != MW_OK || !moves) return rc;
  if (b->l.n.n_u - rank > o->finite) o->finite = b->l.n.n_u - rank;
  if (keep && o->n_tangent < MW_MOBILITY_TANGENTS) keep_tangent(b, z, o);
  return MW_OK;
}

// Along each freedom alone and all of them together.
static mw_code follow_all(probe *b, bool *same, mw_mobility *o, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *z = mw_arena_f64(&tmp, (size_t)b->k);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int i = 0; rc == MW_OK && i <= b->k; i++) {
    for (int c = 0; c < b->k; c++) z[c] = i == b->k ? 1.0 / sqrt(b->k) : c == i;
    if (i < b->k || b->k > 1) rc = follow(b, z, i < b->k && b->k <= 2, same, o, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Does z of (3) stand alone: does no direction beside it keep all forms at zero to first order?
static mw_code stands_alone(const probe *b, const double *z, bool *alone, mw_error *err)
{
  static const double FLAT = 1e-5;
  size_t k = (size_t)b->k, nl = (size_t)b->n_left;
  mw_arena tmp = { 0 };
  double *A = mw_arena_f64(&tmp, nl * k), *sv = mw_arena_f64(&tmp, k);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < nl; i++)
    for (size_t r = 0; r < k; r++) A[i * k + r] = 2.0 * mw_dot(b->k, b->Q + (i * k + r) * k, z);
  if (rc == MW_OK) rc = mw_svd(b->n_left, b->k, A, sv, NULL, NULL, err);
  *alone = rc == MW_OK && nl + 1 >= k && sv[k - 2] > FLAT;
  mw_arena_free(&tmp);
  return rc;
}

// Is z, or −z, among the n of Z [n × k]?
static bool known(const probe *b, const double *z, int n, const double *Z)
{
  static const double NEAR = 1e-6;
  for (int i = 0; i < n; i++)
    if (fabs(mw_dot(b->k, z, Z + i * b->k)) > 1.0 - NEAR) return true;
  return false;
}

// Along what (3) leaves of more than two freedoms, from starts that fill the sphere.
static mw_code follow_found(probe *b, mw_mobility *o, mw_error *err)
{
  enum { STARTS = 96, ITER = 60 };
  mw_arena tmp = { 0 };
  double *z = mw_arena_f64(&tmp, (size_t)b->k),
         *Z = mw_arena_f64(&tmp, MW_MOBILITY_TANGENTS * (size_t)b->k);
  mw_code rc = mw_arena_check(&tmp, err);
  bool same = true, alone = false;
  for (int s = 0; rc == MW_OK && s < STARTS; s++) {
    for (int c = 0; c < b->k; c++) z[c] = cos(1.0 + 2.4 * s + 7.0 * c * (s + 1));
    for (int i = 0; rc == MW_OK && i < ITER && (i == 0 || worst_form(b, z) > BEND * BEND); i++)
      rc = newton(b, z, err);
    if (rc != MW_OK || !(worst_form(b, z) <= BEND) || known(b, z, o->n_tangent, Z)) continue;
    int n = o->n_tangent;
    rc = stands_alone(b, z, &alone, err);
    if (rc == MW_OK) rc = follow(b, z, alone, &same, o, err);
    if (o->n_tangent > n) memcpy(Z + n * b->k, z, (size_t)b->k * sizeof *z);
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code go_on(probe *b, mw_mobility *o, mw_error *err)
{
  double z[4];
  bool same = true;
  mw_code rc = MW_OK;
  for (size_t i = 0; i < (size_t)b->n_left * (size_t)(b->k * b->k); i++)
    o->bend = fmax(o->bend, fabs(b->Q[i]));
  if (o->bend <= BEND) {
    o->bend = 0.0;
    rc = follow_all(b, &same, o, err);
    o->kind = same ? MW_MOBILITY_REGULAR : MW_MOBILITY_INFINITESIMAL;
    if (!same && o->n_tangent > 1 && o->finite < b->k) o->kind = MW_MOBILITY_BIFURCATION;
    return rc;
  }
  o->kind = MW_MOBILITY_INFINITESIMAL;
  if (b->k > 2) {
    rc = follow_found(b, o, err);
    if (o->n_tangent > 1) o->kind = MW_MOBILITY_BIFURCATION;
    return rc;
  }
  int n = b->k == 2 ? roots_of_two(b, z) : 0;
  for (int i = 0; rc == MW_OK && i < n; i++)
    if (worst_form(b, z + 2 * i) <= sqrt(BEND)) rc = follow(b, z + 2 * i, true, &same, o, err);
  if (o->n_tangent > 1) o->kind = MW_MOBILITY_BIFURCATION;
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_code open_probe(const mw_mech *m, const mw_position *at, const unsigned char *held,
                          probe *b, mw_error *err)
{
  *b = (probe){ 0 };
  mw_code rc = mw_linkage_open(m, held, true, at->p, at->s, &b->l, err);
  if (rc != MW_OK) return rc;
  size_t n = (size_t)b->l.n.n_u, rows = (size_t)b->l.n.n_row, n_q = (size_t)b->l.n.n_q;
  double *Vt = mw_arena_f64(&b->mem, n * n), *Ut = mw_arena_f64(&b->mem, rows * rows);
  b->sv = mw_arena_f64(&b->mem, n);
  b->sv1 = mw_arena_f64(&b->mem, n);
  b->y = mw_arena_f64(&b->mem, n);
  b->q1 = mw_arena_f64(&b->mem, n_q);
  b->rate = mw_arena_f64(&b->mem, n_q);
  rc = mw_arena_check(&b->mem, err);
  if (rc != MW_OK) return rc;
  mw_linkage_eval(&b->l, NULL);
  rc = mw_linkage_svd(&b->l, b->sv, Ut, Vt, err);
  if (rc != MW_OK) return rc;
  size_t rank = (size_t)mw_linkage_rank(&b->l, b->sv, RANK);
  b->k = (int)(n - rank);
  b->n_left = (int)(rows - rank);
  b->N = Vt + rank * n;
  b->left = Ut + rank * rows;
  b->Q = mw_arena_f64(&b->mem, (size_t)b->n_left * (size_t)(b->k * b->k));
  rc = mw_arena_check(&b->mem, err);
  if (rc == MW_OK) rc = mw_linkage_forms(&b->l, b->k, b->N, b->n_left, b->left, b->Q, err);
  mw_linkage_eval(&b->l, NULL);
  return rc;
}

static void close_probe(probe *b)
{
  mw_linkage_close(&b->l);
  mw_arena_free(&b->mem);
}

static void count(const probe *b, mw_mobility *o)
{
  const mw_linkage *l = &b->l;
  o->n_body = l->n.n_body;
  o->n_row = l->n.n_row;
  o->gruebler = l->n.n_u - l->n.n_row;
  o->rank = l->n.n_u - b->k;
  o->mobility = b->k;
  o->dependent = b->n_left;
  o->n_sv = l->n.n_u;
  memcpy(o->sv, b->sv, (size_t)o->n_sv * sizeof *o->sv);
  double top = o->n_sv > 0 && b->sv[0] > 0.0 ? b->sv[0] : 1.0;
  o->above = o->rank > 0 ? b->sv[o->rank - 1] / top : 0.0;
  int least = l->n.n_row < l->n.n_u ? l->n.n_row : l->n.n_u;  // zeros behind it are counted ones
  o->below = o->rank < least ? b->sv[o->rank] / top : 0.0;
}

mw_code mw_mobility_find(const mw_mech *m, const mw_position *at, const unsigned char *held,
                         mw_arena *mem, mw_mobility *out, mw_error *err)
{
  probe b;
  mw_mobility o = { 0 };
  mw_code rc = open_probe(m, at, held, &b, err);
  o.joint = mw_arena_int(mem, (size_t)m->n_joint);
  o.sv = mw_arena_f64(mem, (size_t)b.l.n.n_u);
  o.tangent = mw_arena_f64(mem, MW_MOBILITY_TANGENTS * (size_t)m->n_coord);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) {
    count(&b, &o);
    rc = by_joint(&b.l, &o, err);
  }
  if (rc == MW_OK) rc = hyperstatic(m, at, held, &o, err);
  if (rc == MW_OK) rc = go_on(&b, &o, err);
  close_probe(&b);
  if (rc == MW_OK) *out = o;
  return rc;
}
