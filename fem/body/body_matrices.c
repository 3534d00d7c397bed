// SPDX-License-Identifier: BSD-3-Clause
// body_matrices.c: bodies of foreign matrices: nodes from the files, K = Cᵀ K C, and the mass
// moments that M tells.
//
// With C the map from unknowns to motions (body_layer.h). The rigid motions R of the nodes are
// exact in any element, hence from M alone, whatever its elements are,
//   s_β = M R_tβ ,   m = R_tᵀ M R_t ,   [mX]~ = R_tᵀ M R_r ,   I = R_rᵀ M R_r ,
//       J = ½ tr(I) 1 − I      (1)
// M_αβ and h_αβ take more: that a block of M is the mass of scalar weights (matrices_moments.c). On
// the ground they multiply nothing, as the frame never moves; there the part of M that is not of
// this kind is shared out equally, a third to each M_αα. Free bodies with such a part are refused.
// Motions without a row are fixed in the other program: allowed on the ground only. The mass that
// moves with nodes that were fixed there is not in the file, and not in s and m either.
// O(entries).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "body_layer.h"
#include "matrices/matrices_layer.h"

// relative to the largest mass; files have 10 digits and more, and a block's entries are rounded
// alike
static const double SCALAR = 1e-9;
// residual forces of rigid motions over those of single entries: 7 digits in the file would do
static const double RIGID = 1e-6;
// energy of rigid motions over the sum of those of single entries: rounding in the file's digits
// leaves 1e-14 and less, a machine on soft mounts has more
static const double HELD = 1e-14;
// kg/m³: osmium; and a thousandth of air, far below the frames machines are made of
static const double HEAVIEST = 22600.0, LIGHTEST = 1e-3;

enum { N_MAT = 8 };  // K, M, the six M_αβ of mw_body.Mab
static const int MAB[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };

// ---- nodes ----

static mw_code check_translations(const mw_body_work *w, const mw_matrices *m, mw_error *err)
{
  for (int i = 0; i < m->n_node && !w->in->ground; i++)
    for (int c = 0; c < 3; c++)
      if (m->row[6 * i + c] < 0)
        return mw_fail(err, MW_ERR_INPUT, w->in->matrices->at,
                       "node %d has no row for direction %d: supports inside the matrices need "
                       "ground: true",
                       m->tag[i], c + 1);
  return MW_OK;
}

mw_code mw_body_matrix_nodes(mw_body_work *w, mw_error *err)
{
  mw_matrices *m = mw_arena_alloc(&w->tmp, 1, sizeof *m);
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc == MW_OK) rc = mw_matrices_read(w->in->matrices, w->in->mesh_scale, &w->tmp, m, err);
  if (rc == MW_OK) rc = check_translations(w, m, err);
  if (rc != MW_OK) return rc;
  w->matrices = m;
  w->n_node = m->n_node;
  w->tag = m->tag;
  w->dof = 3;
  for (int k = 0; k < m->n_row; k++)
    if (m->motion[k] % 6 > 2) w->dof = 6;
  w->X = mw_arena_f64(&w->tmp, 3 * (size_t)(w->n_node + w->in->n_attach));
  w->used = mw_arena_alloc(&w->tmp, (size_t)w->n_node, 1);
  w->live = mw_arena_alloc(&w->tmp, (size_t)w->n_node * (size_t)w->dof, 1);
  rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(w->X, m->x, 3 * (size_t)m->n_node * sizeof(double));
  memset(w->used, 1, (size_t)m->n_node);
  for (int k = 0; k < m->n_row; k++) w->live[w->dof * (m->motion[k] / 6) + m->motion[k] % 6] = 1;
  return MW_OK;
}

void mw_body_matrix_near(const mw_body_work *w, int node, char *near)
{
  const mw_csc *K = &w->matrices->K;
  const int *motion = w->matrices->motion;
  for (int j = 0; j < K->n_col; j++)
    for (int p = K->ptr[j]; p < K->ptr[j + 1]; p++) {
      int a = motion[K->row[p]] / 6, b = motion[j] / 6;
      if (a == node) near[b] = 1;
      if (b == node) near[a] = 1;
    }
}

// ---- rigid motions ----

// r [6]: motion c at x under the six rigid modes: e_k, e_k × x
static void rigid_row(const double x[3], int c, double r[6])
{
  for (int j = 0; j < 3; j++) {
    double e[3] = { j == 0, j == 1, j == 2 }, t[3];
    mw_cross3(e, x, t);
    r[j] = j == c;
    r[3 + j] = c < 3 ? t[c] : j == c - 3;
  }
}

// R [n_row × 6]: rigid motions about the middle of the body, rotations by one over its size; zero
// where the model fixes a motion
static void rigid_rows(const mw_body_work *w, const mw_matrices *m, double *R)
{
  for (int k = 0; k < m->n_row; k++) {
    int node = m->motion[k] / 6, c = m->motion[k] % 6;
    double x[3];
    if (w->fixed[w->dof * node + c]) continue;
    for (int i = 0; i < 3; i++) x[i] = (m->x[3 * node + i] - 0.5 * (w->lo[i] + w->hi[i])) / w->size;
    rigid_row(x, c, R + 6 * (size_t)k);
    for (int j = 3; j < 6 && c > 2; j++) R[6 * (size_t)k + (size_t)j] /= w->size;
  }
}

// Largest |K R| over Σ |K| |R|, translations and rotations each on their own
static double rigid_residual(const mw_matrices *m, const double *R, double *y, double *a)
{
  const mw_csc *K = &m->K;
  double force[2] = { 0 }, scale[2] = { 0 };
  for (int j = 0; j < K->n_col; j++)
    for (int p = K->ptr[j]; p < K->ptr[j + 1]; p++) {
      int i = K->row[p];
      for (int side = 0; side < (i == j ? 1 : 2); side++) {
        const double *r = R + 6 * (size_t)(side == 0 ? j : i);
        int to = side == 0 ? i : j;
        double most = 0.0;
        for (int k = 0; k < 6; k++) {
          y[6 * (size_t)to + (size_t)k] += K->val[p] * r[k];
          most = fmax(most, fabs(r[k]));
        }
        a[to] += fabs(K->val[p]) * most;
      }
    }
  for (int i = 0; i < m->n_row; i++) {
    int kind = m->motion[i] % 6 > 2;
    scale[kind] = fmax(scale[kind], a[i]);
    for (int k = 0; k < 6; k++) force[kind] = fmax(force[kind], fabs(y[6 * (size_t)i + (size_t)k]));
  }
  double rel = force[0] / scale[0];
  return scale[1] > 0.0 ? fmax(rel, force[1] / scale[1]) : rel;
}

// Free: rigid motions cost nothing. On the ground: each costs something, G = Rᵀ K R is definite.
static mw_code check_rigid(mw_body_work *w, const mw_matrices *m, mw_error *err)
{
  size_t n = (size_t)m->n_row;
  double *R = mw_arena_f64(&w->tmp, 6 * n), *y = mw_arena_f64(&w->tmp, 6 * n),
         *a = mw_arena_f64(&w->tmp, n), G[36] = { 0 }, lambda[6], V[36], scale = 0.0;
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  rigid_rows(w, m, R);
  double rel = rigid_residual(m, R, y, a);
  if (!w->in->ground && !(rel <= RIGID))
    return mw_fail(err, MW_ERR_INPUT, w->in->matrices->stiffness_at,
                   "the stiffness resists rigid motion (%.2g of its entries, at most %g): supports "
                   "inside the matrices need ground: true",
                   rel, RIGID);
  if (!w->in->ground) return MW_OK;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < 36; k++) G[k] += R[6 * i + k / 6] * y[6 * i + k % 6];
    scale += a[i];
  }
  rc = mw_eig_sym(6, G, lambda, V, err);
  int n_free = 0;
  for (int k = 0; k < 6; k++) n_free += lambda[k] < HELD * scale;
  if (rc != MW_OK || n_free == 0) return rc;
  return mw_fail(err, MW_ERR_INPUT, w->in->matrices->at,
                 "nothing holds body '%s' on the ground: %d rigid motions are free, give supports",
                 w->in->name, n_free);
}

// ---- assembly ----

typedef struct assembly {
  const mw_body_work *w;
  const mw_matrices *m;
  mw_body *out;
  mw_triplets t[N_MAT];
  double G[36];     // Rᵀ M R about the origin
  double most[2];   // largest diagonal entry of M: translations, rotations
  double worst;     // largest share of M that is no scalar weight's, relative
  int worst_at[2];  // its motions
} assembly;

// adds a at the motions d, e (6 node + direction of the matrices), lower triangle only with sym
static void add_entry(const mw_body_work *w, int d, int e, double a, bool sym, mw_triplets *t)
{
  int row = w->dof * (d / 6) + d % 6, col = w->dof * (e / 6) + e % 6;
  if (a == 0.0 || d % 6 >= w->dof || e % 6 >= w->dof) return;
  for (int p = w->ptr[row]; p < w->ptr[row + 1]; p++)
    for (int q = w->ptr[col]; q < w->ptr[col + 1]; q++)
      if (!sym || w->unknown[p] >= w->unknown[q])
        mw_triplets_add(t, w->unknown[p], w->unknown[q], w->coef[p] * a * w->coef[q]);
}

static void add_row(const mw_body_work *w, int d, double a, double *row)
{
  int i = w->dof * (d / 6) + d % 6;
  if (d % 6 >= w->dof) return;
  for (int p = w->ptr[i]; p < w->ptr[i + 1]; p++) row[w->unknown[p]] += w->coef[p] * a;
}

static void add_symmetric(const assembly *as, const mw_csc *A, mw_triplets *t)
{
  for (int j = 0; j < A->n_col; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) {
      int d = as->m->motion[A->row[p]], e = as->m->motion[j];
      add_entry(as->w, d, e, A->val[p], true, t);
      if (d != e) add_entry(as->w, e, d, A->val[p], true, t);
    }
}

// what springs and point masses already gave
static void add_body_matrix(const mw_csc *A, mw_triplets *t)
{
  for (int j = 0; j < A->n_col; j++)
    for (int p = A->ptr[j]; p < A->ptr[j + 1]; p++) mw_triplets_add(t, A->row[p], j, A->val[p]);
}

// M_αβ of the block, with a third of what scalar weights leave over
static void add_moments(assembly *as, int i, int j, const double B[36], const char known[36],
                        const mx_pair *p)
{
  double S[36], A[36];
  mx_pair_model(p, S);
  for (int t = 0; t < 6; t++) {
    int al = MAB[t][0], be = MAB[t][1];
    if (as->w->dof == 6) mx_pair_moment(p, al, be, A);
    for (int k = 0; k < 36; k++) {
      bool solid = k % 6 < 3 && k < 18;
      if (as->w->dof == 3 && !solid) continue;
      double moment = as->w->dof == 6 ? A[k] : k == 6 * al + be ? p->mu : 0.0;
      double rest = t < 3 && known[k] ? (B[k] - S[k]) / 3.0 : 0.0;
      add_entry(as->w, 6 * i + k / 6, 6 * j + k % 6, moment + rest, t < 3, &as->t[2 + t]);
    }
  }
}

// s, h and Rᵀ M R. B [6 × 6]: of the file; the moments stand in for entries it lacks.
static void add_sums(assembly *as, int i, int j, const double B[36], const char known[36],
                     const mx_pair *p)
{
  const double *X_i = as->m->x + 3 * i, *X_j = as->m->x + 3 * j;
  size_t n_u = (size_t)as->w->n_u;
  int dof = as->w->dof;
  double S[36], h[6], MR[6][6] = { { 0 } }, r[6];
  mx_pair_model(p, S);
  for (int k = 0; k < 36; k++) S[k] = known[k] ? B[k] : S[k];
  // (1): (R_iᵀ M)[mode][motion of j], then with R_j
  for (int a = 0; a < dof; a++) {
    rigid_row(X_i, a, r);
    for (int mode = 0; mode < 6; mode++)
      for (int b = 0; b < dof; b++) MR[mode][b] += r[mode] * S[6 * a + b];
  }
  for (int b = 0; b < dof; b++) {
    rigid_row(X_j, b, r);
    for (int k = 0; k < 36; k++) as->G[k] += MR[k / 6][b] * r[k % 6];
    for (size_t be = 0; be < 3; be++) add_row(as->w, 6 * j + b, MR[be][b], as->out->s + be * n_u);
  }
  for (int k = 0; k < 9; k++) {
    mx_pair_h(p, X_i, k / 3, k % 3, h);
    for (int b = 0; b < dof; b++) add_row(as->w, 6 * j + b, h[b], as->out->h + (size_t)k * n_u);
  }
}

// The largest entry of B that scalar weights do not explain, over the masses it stands between
static void measure_rest(assembly *as, int i, int j, const double B[36], const char known[36],
                         const mx_pair *p)
{
  double S[36];
  mx_pair_model(p, S);
  for (int k = 0; k < 36; k++) {
    double scale = sqrt(as->most[k / 6 > 2] * as->most[k % 6 > 2]);
    if (!known[k] || B[k] == S[k]) continue;
    double rest = scale > 0.0 ? fabs(B[k] - S[k]) / scale : INFINITY;
    if (rest <= as->worst) continue;
    as->worst = rest;
    as->worst_at[0] = 6 * i + k / 6;
    as->worst_at[1] = 6 * j + k % 6;
  }
}

static void one_pair(assembly *as, int i, int j, double B[36])
{
  char known[36], known_t[36];
  double B_t[36];
  mx_pair p, p_t;
  for (int k = 0; k < 36; k++)
    known[k] = as->m->row[6 * i + k / 6] >= 0 && as->m->row[6 * j + k % 6] >= 0;
  for (int k = 0; k < 36 && i == j; k++)  // only the lower half was stored
    if (k / 6 < k % 6) B[k] = B[6 * (k % 6) + k / 6];
  mx_pair_build(B, known, &p);
  measure_rest(as, i, j, B, known, &p);
  add_sums(as, i, j, B, known, &p);
  add_moments(as, i, j, B, known, &p);
  if (i == j) return;
  for (int k = 0; k < 36; k++) {
    B_t[k] = B[6 * (k % 6) + k / 6];
    known_t[k] = known[6 * (k % 6) + k / 6];
  }
  mx_pair_transpose(&p, &p_t);
  add_sums(as, j, i, B_t, known_t, &p_t);
  add_moments(as, j, i, B_t, known_t, &p_t);
}

// The blocks of M, node by node: the nodes of node j's columns, numbered as they come
static mw_code add_masses(mw_body_work *w, assembly *as, mw_error *err)
{
  const mw_csc *M = &as->m->M;
  int n = as->m->n_node, most = 0;
  for (int j = 0, k = 0; j < n; j++) {
    int first = k;
    while (k < M->n_col && as->m->motion[k] / 6 == j) k++;
    if (M->ptr[k] - M->ptr[first] > most) most = M->ptr[k] - M->ptr[first];
  }
  if (most > n) most = n;
  int *slot = mw_arena_int(&w->tmp, (size_t)n), *near = mw_arena_int(&w->tmp, (size_t)most + 1);
  double *B = mw_arena_f64(&w->tmp, 36 * ((size_t)most + 1));
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  for (int j = 0, col = 0; j < n; j++) {
    int n_near = 0;
    for (; col < M->n_col && as->m->motion[col] / 6 == j; col++)
      for (int p = M->ptr[col]; p < M->ptr[col + 1]; p++) {
        int d = as->m->motion[M->row[p]], i = d / 6;
        if (slot[i] == 0) {
          near[n_near] = i;
          memset(B + 36 * (size_t)n_near, 0, 36 * sizeof *B);
          slot[i] = ++n_near;
        }
        B[36 * (size_t)(slot[i] - 1) + (size_t)(6 * (d % 6) + as->m->motion[col] % 6)] = M->val[p];
      }
    for (int k = 0; k < n_near; k++) {
      one_pair(as, near[k], j, B + 36 * (size_t)k);
      slot[near[k]] = 0;
    }
  }
  return MW_OK;
}

// (1): G is Rᵀ M R
static void mass_properties(const double G[36], mw_body *out)
{
  double tr = G[21] + G[28] + G[35];
  out->m += (G[0] + G[7] + G[14]) / 3.0;
  for (int l = 0; l < 3; l++) {
    int a = (l + 1) % 3, b = (l + 2) % 3;  // e_a · (e_b × X) = X_l
    out->mX[l] += 0.5 * (G[6 * a + 3 + b] - G[6 * b + 3 + a]);
  }
  for (int k = 0; k < 9; k++)
    out->J[k] += (k % 4 == 0 ? 0.5 * tr : 0.0) - G[6 * (3 + k / 3) + 3 + k % 3];
}

// ---- plausible ----

static mw_code check_weights(const assembly *as, mw_error *err)
{
  const mw_matrices *m = as->m;
  const int *d = as->worst_at;
  if (as->w->in->ground || as->worst <= SCALAR) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, as->w->in->matrices->mass_at,
                 "the mass between %d.%d and %d.%d is no mass of scalar weights (%.2g of the "
                 "largest), a free body's motion cannot be told from it: write lumped masses "
                 "(consistent beams and condensed bodies have others)",
                 m->tag[d[0] / 6], d[0] % 6 + 1, m->tag[d[1] / 6], d[1] % 6 + 1, as->worst);
}

// Weight over the bounding box: a unit that was mistaken is off by 10⁴ and more (mass 1/L, volume
// L³), so that the box may be rough: no side below a tenth of the size (frames in a plane), and
// twice what fills it (nodes the matrices fix are missing from it).
static mw_code check_density(const mw_body_work *w, double mass, mw_error *err)
{
  const mw_body_in *in = w->in;
  const mw_material *mat = in->mesh_material >= 0 ? &w->model->material[in->mesh_material] : NULL;
  double most = mat != NULL ? mat->rho : HEAVIEST, V = 1.0;
  for (int c = 0; c < 3; c++) V *= fmax(w->hi[c] - w->lo[c], 0.1 * w->size);
  if (!(mass > 0.0))
    return mw_fail(err, MW_ERR_INPUT, in->matrices->mass_at,
                   "body '%s' weighs %g kg, must be positive", in->name, mass);
  if (mass > 2.0 * most * V)
    return mw_fail(err, MW_ERR_INPUT, in->matrices->mass_at,
                   "body '%s' weighs %.4g kg in a box of %.4g m³, more than if %s filled it: is "
                   "its unit right?",
                   in->name, mass, V, mat != NULL ? mat->name : "osmium");
  if (mass < LIGHTEST * V)
    return mw_fail(err, MW_ERR_INPUT, in->matrices->mass_at,
                   "body '%s' weighs %.4g kg in a box of %.4g m³, a thousandth of air: is its unit "
                   "right (mm: newton and tonnes)?",
                   in->name, mass, V);
  return MW_OK;
}

// A patch cannot move nodes that are fixed in the matrices.
static mw_code check_patches(const mw_body_work *w, const mw_matrices *m, mw_error *err)
{
  for (int i = 0; i < w->n_node; i++)
    for (int c = 0; c < 3; c++)
      if (w->master[i] >= 0 && m->row[6 * i + c] < 0)
        return mw_fail(err, MW_ERR_INPUT, w->in->attach[w->master_attach[w->master[i]]].at,
                       "rigid patch '%s' holds node %d, which the matrices fix in direction %d",
                       w->in->attach[w->master_attach[w->master[i]]].name, m->tag[i], c + 1);
  return MW_OK;
}

static mw_code add_all(mw_body_work *w, assembly *as, mw_error *err)
{
  mw_body *out = as->out;
  const mw_matrices *m = as->m;
  for (int k = 0; k < N_MAT; k++)
    add_body_matrix(k == 0 ? &out->K : k == 1 ? &out->M : &out->Mab[k - 2], &as->t[k]);
  for (int k = 0; k < m->n_row; k++) {
    int kind = m->motion[k] % 6 > 2;
    int p = m->M.ptr[k];  // the diagonal comes first, if there is one
    if (p < m->M.ptr[k + 1] && m->M.row[p] == k) as->most[kind] = fmax(as->most[kind], m->M.val[p]);
  }
  add_symmetric(as, &m->K, &as->t[0]);
  add_symmetric(as, &m->M, &as->t[1]);
  mw_code rc = add_masses(w, as, err);
  double own = out->m;
  mass_properties(as->G, out);
  if (rc == MW_OK) rc = check_weights(as, err);
  if (rc == MW_OK) rc = check_density(w, out->m - own, err);
  for (int k = 0; k < N_MAT && rc == MW_OK; k++) {
    mw_csc *A = k == 0 ? &out->K : k == 1 ? &out->M : &out->Mab[k - 2];
    rc = mw_csc_build(&as->t[k], w->n_u, w->n_u, k < 5, w->mem, A, err);
    mw_triplets_free(&as->t[k]);
  }
  return rc;
}

mw_code mw_body_matrix_assemble(mw_body_work *w, mw_body *out, mw_error *err)
{
  const mw_matrices *m = w->matrices;
  assembly as = { .w = w, .m = m, .out = out };
  mw_code rc = check_patches(w, m, err);
  if (rc == MW_OK) rc = check_rigid(w, m, err);
  // springs and point masses, with room for s and h
  if (rc == MW_OK) rc = mw_body_assemble(w, out, err);
  if (rc == MW_OK) rc = add_all(w, &as, err);
  for (int k = 0; k < N_MAT; k++) mw_triplets_free(&as.t[k]);
  return rc;
}
