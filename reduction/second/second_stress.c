// SPDX-License-Identifier: BSD-3-Clause
// second_stress.c: stress stiffness of the bodies, projected: Kg += Ψᵀ K_σ(σ(P_f)) Ψ, at a cost
// that knows no mesh.
//
//   K_σ is linear in the displacement its stress is from: xᵀ K_σ(u) y = uᵀ f(x, y) (strain.h).
//   Columns of all grid points in k directions U of their Gram matrix in the body's eigenbasis
//       T,      (1)
//     Σ_g W ζζᵀ W / energy = U diag(ν) Uᵀ ,  W = K^¼ ,  D = Uᵀ W ,  lifted: T W⁻¹ U
//   G_ab = Tᵀ f(u_a, u_b)           on the mesh, once a body, for every pair of directions,
//       all stresses of the basis      (2)
//   Kg[f] += Ξ [G_ab · P_f] Ξᵀ ,  Ξ = D Ψ      at a grid point                                  (3)
// W lies between what weighs displacements and strain energy: what lies around a runner's pad has
// much energy and hardly any stress stiffness. How many directions do is not known beforehand:
// those above share² of the largest ν, share from SHARE[0] down until (3) is what all of the
// columns give at MW_STRESS_CHECKS grid points,
//   |Kg_ab − exact| <= CLOSE × tolerance × max(most, 1/A) ,   most = max |exact_ab| ,
//   both over √(ψ_aᵀKψ_a ψ_bᵀKψ_b) ,   A: largest amplitude of f that is declared, 1 of gravity (4)
// or share is SHARE's last, or the next one's (2) would cost more than MOST; or more than CHEAP,
// and what errs is below
//   |Kg_ab − exact| A <= CLOSE × tolerance × √(ψ_aᵀKψ_a ψ_bᵀKψ_b) ,   A:
//       of ranges.c where none is declared      (5)
// What is left then is said (error), and judged by (5) (left). With strain: linear
// bodies have no stress stiffness in the full path, and none here: the same motion to second order.
// T is in single precision, good to 1e-7 of what is second order itself. Cost: (2) k²/2 forces of
// the mesh and as many products with T.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/strain.h"
#include "second_layer.h"

enum {
  N_SHARE = 9,
  BATCH = 64,
  CHUNK = 512
};  // CHUNK: columns of a basis that are in double precision at once, some of which caches hold
static const double SHARE[N_SHARE] = { 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6 };
static const double CLOSE = 0.5;    // of the tolerance: stress stiffness is a part of the stiffness
static const double MOST = 1e8;     // pairs × unknowns of a mesh: half a minute
static const double CHEAP = 3e6;    // likewise: a second
static const double ROUND = 1e-14;  // of the largest eigenvalue of a Gram matrix

// A of (4), of (5): 0 where nothing bounds the load. What is not an input bends by no more than the
// weight of all that moves, of mass `mass`, at the largest acceleration: a column of unit mass by
// no more than its root.
static double amplitude(const mw_reduction_in *in, const mw_field_ranges *z, double mass,
                        const mw_second_load *l)
{
  double u;
  switch (l->kind) {
  case MW_SECOND_RATE: return z->acceleration[l->i];
  case MW_SECOND_PAIR: return z->rate[l->i] * z->rate[l->j] * (l->i == l->j ? 1.0 : 2.0);
  case MW_SECOND_REST: return 1.0;
  case MW_SECOND_POINT:
  case MW_SECOND_COORD:
    u = l->input >= 0 ? in->max_input[l->input] : 0.0;
    return u > 0.0 && isfinite(u) ? u : mass * z->load;
  case MW_SECOND_COLUMN: return sqrt(mass) * z->load;
  }
  return 0.0;
}

static void amplitudes(mw_stress *st, const mw_second *z)
{
  const mw_reduction_in *in = &st->r->model->reduction;
  mw_field_ranges declared;
  double mass = 0.0;
  mw_reduction_declared(st->r, &declared);
  for (int b = 0; b < st->r->mech->n_body; b++) mass += st->r->mech->body[b].m;
  for (int k = 0; k < st->n_load; k++) {
    double a = amplitude(in, &declared, mass, &z->load[k]);
    st->over[k] = a > 0.0 ? 1.0 / a : 0.0;
    st->amplitude[k] = amplitude(in, &st->r->range, mass, &z->load[k]);
  }
}

mw_code mw_stress_init(const mw_reduction *r, const mw_second *z, mw_stress *out, mw_error *err)
{
  const mw_mech *m = r->mech;
  *out = (mw_stress){ .r = r, .n_load = z->n_load, .m = z->m };
  size_t nl = (size_t)z->n_load, nb = (size_t)m->n_body, nx = (size_t)z->n, nm = (size_t)z->m;
  out->body = mw_arena_alloc(&out->mem, nb, sizeof *out->body);
  out->most = mw_arena_f64(&out->mem, nl);
  out->over = mw_arena_f64(&out->mem, nl);
  out->amplitude = mw_arena_f64(&out->mem, nl);
  out->n_check = r->n_point < MW_STRESS_CHECKS ? r->n_point : MW_STRESS_CHECKS;
  for (int i = 0; i < out->n_check; i++)
    out->check[i] = (mw_stress_check){ .Psi = mw_arena_f64(&out->mem, nm * nx),
                                       .P = mw_arena_f64(&out->mem, nl * nx),
                                       .energy = mw_arena_f64(&out->mem, nm),
                                       .Kg = mw_arena_f64(&out->mem, nb * nl * nm * nm) };
  mw_code rc = mw_arena_check(&out->mem, err);
  if (rc == MW_OK) amplitudes(out, z);
  for (size_t b = 0; rc == MW_OK && b < nb; b++) {
    mw_stress_body *s = &out->body[b];
    size_t n = (size_t)m->body[b].n_u;
    if (n == 0 || r->model->strain_linear || !mw_body_has_stress(&r->full->body[b])) continue;
    s->n = (int)n;
    s->w = mw_arena_f64(&out->mem, n);
    s->gram = mw_arena_f64(&out->mem, n * n);
    rc = mw_arena_check(&out->mem, err);
    const mw_csc *K = &m->body[b].K;
    // rigid modes come first in a basis: nothing of them, whatever rounding leaves of their
    // eigenvalues
    size_t first = (size_t)r->offline->fine.basis[b].n_rigid;
    for (size_t i = first; rc == MW_OK && i < n; i++)
      s->w[i] = sqrt(sqrt(fmax(K->val[K->ptr[i]], 0.0)));
  }
  if (rc != MW_OK) mw_stress_free(out);
  return rc;
}

void mw_stress_free(mw_stress *s)
{
  mw_arena_free(&s->mem);
  *s = (mw_stress){ 0 };
}

// ---- what the grid has --------------------------------------------------------------------------

// Columns, loads' solutions and energies of the checks, which lie in the middle of equal parts of
// the grid.
static mw_code fill_checks(mw_stress *st, mw_second *z, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < st->n_check; i++) {
    const mw_grid_point *pt = &st->r->point[mw_reduction_spread(st->r, i, st->n_check)];
    mw_stress_check *c = &st->check[i];
    mw_second_columns(z, pt->sys, pt->Psi);
    rc = mw_second_loads(z, pt->sys, &pt->q, err);
    memcpy(c->Psi, pt->Psi, (size_t)z->m * (size_t)z->n * sizeof *c->Psi);
    memcpy(c->P, z->P, (size_t)z->n_load * (size_t)z->n * sizeof *z->P);
    for (int a = 0; a < z->m; a++) {
      const double *x = pt->Psi + (size_t)a * (size_t)z->n;
      mw_system_mul_K(pt->sys, x, z->tmp);
      c->energy[a] = mw_dot(z->n, x, z->tmp);
    }
  }
  return rc;
}

typedef struct gathering {
  mw_stress *st;
  double *energy;  // [n_point × m]  ψᵀKψ
} gathering;

static mw_code energies(void *ctx, int from, int to, mw_error *err)
{
  const gathering *z = ctx;
  const mw_reduction *r = z->st->r;
  size_t m = (size_t)z->st->m, n = (size_t)r->n;
  mw_arena tmp = { 0 };
  double *y = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = from; rc == MW_OK && g < to; g++)
    for (size_t a = 0; a < m; a++) {
      const double *x = r->point[g].Psi + a * n;
      mw_system_mul_K(r->point[g].sys, x, y);
      z->energy[(size_t)g * m + a] = mw_dot(r->n, x, y);
    }
  mw_arena_free(&tmp);
  return rc;
}

// Rows W ψ/√energy of body b at grid point g: rows [m × s->n]
static void weighted(const gathering *z, int b, int g, double *rows)
{
  const mw_reduction *r = z->st->r;
  const mw_stress_body *s = &z->st->body[b];
  size_t m = (size_t)z->st->m, nb = (size_t)s->n;
  const double *x = r->point[g].Psi + mw_blocks_offset(r->blocks, b);
  for (size_t a = 0; a < m; a++) {
    double e = z->energy[(size_t)g * m + a], c = e > 0.0 ? 1.0 / sqrt(e) : 0.0;
    for (size_t i = 0; i < nb; i++) rows[a * nb + i] = c * s->w[i] * x[a * (size_t)r->n + i];
  }
}

// (1) of body b, some points at once
static mw_code gram(void *ctx, int b, mw_error *err)
{
  enum { AT_ONCE = 32 };
  const gathering *z = ctx;
  const mw_stress_body *s = &z->st->body[b];
  size_t m = (size_t)z->st->m, nb = (size_t)s->n;
  mw_arena tmp = { 0 };
  double *rows = mw_arena_f64(&tmp, AT_ONCE * m * nb);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = 0; rc == MW_OK && nb > 0 && g < z->st->r->n_point; g += AT_ONCE) {
    int left = z->st->r->n_point - g, k = left < AT_ONCE ? left : AT_ONCE;
    for (int i = 0; i < k; i++) weighted(z, b, g + i, rows + (size_t)i * m * nb);
    mw_gemm('t', 'n', s->n, s->n, k * z->st->m, 1.0, rows, rows, g > 0 ? 1.0 : 0.0, s->gram);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_stress_gather(mw_stress *st, mw_second *z, mw_error *err)
{
  const mw_reduction *r = st->r;
  mw_arena tmp = { 0 };
  gathering all = { st, mw_arena_f64(&tmp, (size_t)r->n_point * (size_t)st->m) };
  mw_points points = { .n = r->n_point, .fn = energies, .ctx = &all };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = fill_checks(st, z, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &points, err);
  if (rc == MW_OK) rc = mw_parallel(r->work, r->mech->n_body, gram, &all, err);
  mw_arena_free(&tmp);
  return rc;
}

// What of k vectors X [k × n] of the mechanism is of body b, without its rigid part: rows [k ×
// s->n]
static void rows_of(const mw_stress *st, int b, int k, const double *X, double *rows)
{
  const mw_stress_body *s = &st->body[b];
  size_t n = (size_t)st->r->n, nb = (size_t)s->n, o = (size_t)mw_blocks_offset(st->r->blocks, b);
  for (size_t a = 0; a < (size_t)k; a++)
    for (size_t i = 0; i < nb; i++) rows[a * nb + i] = s->w[i] > 0.0 ? X[a * n + o + i] : 0.0;
}

// ---- on the mesh --------------------------------------------------------------------------------

// Columns [i, i + n) of a basis in double precision: part [T->r × n]
static void chunk_of(const mw_basis *T, size_t i, size_t n, double *part)
{
  for (size_t c = 0; c < (size_t)T->r; c++)
    for (size_t j = 0; j < n; j++) part[c * n + j] = (double)T->T[c * (size_t)T->n_u + i + j];
}

// lift: U := L T, L [k × r] is `from`; else L := U Tᵀ, U [k × n_u] is `from`
static mw_code through_basis(const mw_basis *T, bool lift, int k, const double *from, double *to,
                             mw_error *err)
{
  size_t nu = (size_t)T->n_u, K = (size_t)k;
  mw_arena tmp = { 0 };
  double *part = mw_arena_f64(&tmp, (size_t)T->r * CHUNK), *cut = mw_arena_f64(&tmp, K * CHUNK);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < nu; i += CHUNK) {
    size_t n = nu - i < CHUNK ? nu - i : CHUNK;
    chunk_of(T, i, n, part);
    if (lift) {
      mw_gemm('n', 'n', k, (int)n, T->r, 1.0, from, part, 0.0, cut);
      for (size_t d = 0; d < K; d++) memcpy(to + d * nu + i, cut + d * n, n * sizeof *to);
    } else {
      for (size_t d = 0; d < K; d++) memcpy(cut + d * n, from + d * nu + i, n * sizeof *cut);
      mw_gemm('n', 't', k, T->r, (int)n, 1.0, cut, part, i > 0 ? 1.0 : 0.0, to);
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_stress_lift(const mw_basis *T, int k, const double *L, double *U, mw_error *err)
{
  return through_basis(T, true, k, L, U, err);
}

mw_code mw_stress_project(const mw_basis *T, int k, const double *U, double *L, mw_error *err)
{
  return through_basis(T, false, k, U, L, err);
}

typedef struct exactly {  // checks on the mesh of a body
  mw_stress *st;
  int b;
  double *X, *u;  // [n_check × m × n_u], [n_check × n_load × n_u]  columns, loads
} exactly;

// Columns and loads of check i on the mesh
static mw_code lift_check(void *ctx, int i, mw_error *err)
{
  exactly *z = ctx;
  mw_stress *st = z->st;
  const mw_basis *T = &st->r->offline->fine.basis[z->b];
  const mw_stress_check *c = &st->check[i];
  mw_arena tmp = { 0 };
  size_t m = (size_t)st->m, nl = (size_t)st->n_load, most = m > nl ? m : nl, at = (size_t)i;
  double *rows = mw_arena_f64(&tmp, most * (size_t)st->body[z->b].n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    rows_of(st, z->b, st->m, c->Psi, rows);
    rc = mw_stress_lift(T, st->m, rows, z->X + at * m * (size_t)T->n_u, err);
  }
  if (rc == MW_OK) {
    rows_of(st, z->b, st->n_load, c->P, rows);
    rc = mw_stress_lift(T, st->n_load, rows, z->u + at * nl * (size_t)T->n_u, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Where Kg of load l at check c of body b stands
static double *exact_at(const mw_stress *st, int b, int c, int l)
{
  size_t mm = (size_t)st->m * (size_t)st->m;
  return st->check[c].Kg + ((size_t)b * (size_t)st->n_load + (size_t)l) * mm;
}

// Kg of a load at a check
static mw_code exact_one(void *ctx, int i, mw_error *err)
{
  exactly *z = ctx;
  mw_stress *st = z->st;
  int c = i / st->n_load, l = i % st->n_load;
  size_t nu = (size_t)st->r->full->body[z->b].n_u;
  return mw_body_stress_stiffness(&st->r->full->body[z->b], z->u + (size_t)i * nu, st->m,
                                  z->X + (size_t)c * (size_t)st->m * nu, exact_at(st, z->b, c, l),
                                  err);
}

// Kg of all checks from body b on the mesh, and the largest of each load
static mw_code exact(mw_stress *st, int b, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t m = (size_t)st->m, nl = (size_t)st->n_load, nc = (size_t)st->n_check,
         nu = (size_t)st->r->full->body[b].n_u;
  exactly z = {
    .st = st, .b = b, .X = mw_arena_f64(&tmp, nc * m * nu), .u = mw_arena_f64(&tmp, nc * nl * nu)
  };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_parallel(st->r->work, st->n_check, lift_check, &z, err);
  if (rc == MW_OK) rc = mw_parallel(st->r->work, st->n_check * st->n_load, exact_one, &z, err);
  for (int i = 0; rc == MW_OK && i < st->n_check; i++)
    for (int k = 0; k < st->n_load; k++) {
      const double *Kg = exact_at(st, b, i, k), *energy = st->check[i].energy;
      for (size_t a = 0; a < m * m; a++)
        st->most[k] = fmax(st->most[k], fabs(Kg[a]) / sqrt(energy[a / m] * energy[a % m]));
    }
  mw_arena_free(&tmp);
  return rc;
}

// (2) of pairs [from, to) of the lifted directions U
static mw_code pairs(mw_stress *st, int b, const double *U, int from, int to, mw_error *err)
{
  const mw_basis *T = &st->r->offline->fine.basis[b];
  mw_stress_body *s = &st->body[b];
  mw_arena tmp = { 0 };
  size_t nu = (size_t)T->n_u, r = (size_t)T->r;
  double *F = mw_arena_f64(&tmp, nu * BATCH), *part = mw_arena_f64(&tmp, r * CHUNK),
         *sum = mw_arena_f64(&tmp, r * BATCH);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int at = from; rc == MW_OK && at < to; at += BATCH) {
    int n = to - at < BATCH ? to - at : BATCH;
    rc = mw_body_stress_pairs(&st->r->full->body[b], s->k, U, at, n, F, err);
    for (size_t i = 0; rc == MW_OK && i < nu; i += CHUNK) {
      size_t len = nu - i < CHUNK ? nu - i : CHUNK;
      chunk_of(T, i, len, part);
      mw_gemm('n', 'n', T->r, n, (int)len, 1.0, part, F + i * (size_t)n, i > 0 ? 1.0 : 0.0, sum);
    }
    for (int l = 0; rc == MW_OK && l < n; l++)
      for (size_t c = 0; c < r; c++)
        s->G[(size_t)(at + l) * r + c] = s->w[c] > 0.0 ? sum[c * (size_t)n + (size_t)l] : 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- at a grid point ----------------------------------------------------------------------------

// (3) of body b: Kg [n_load × m × m] += of the loads' P and the columns Psi
static mw_code contract(const mw_stress *st, int b, const double *P, const double *Psi, double *Kg,
                        mw_error *err)
{
  const mw_stress_body *s = &st->body[b];
  mw_arena tmp = { 0 };
  int m = st->m, nl = st->n_load, k = s->k, n_pair = k * (k + 1) / 2;
  size_t M = (size_t)m, L = (size_t)nl, K = (size_t)k;
  double *part = mw_arena_f64(&tmp, (M > L ? M : L) * (size_t)s->n),
         *Xi = mw_arena_f64(&tmp, M * K), *c = mw_arena_f64(&tmp, L * (size_t)n_pair),
         *S = mw_arena_f64(&tmp, K * K), *XS = mw_arena_f64(&tmp, M * K);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    rows_of(st, b, m, Psi, part);
    mw_gemm('n', 't', m, k, s->n, 1.0, part, s->D, 0.0, Xi);
    rows_of(st, b, nl, P, part);
    mw_gemm('n', 't', nl, n_pair, s->n, 1.0, part, s->G, 0.0, c);
  }
  for (size_t f = 0; rc == MW_OK && f < L; f++, c += n_pair) {
    for (size_t i = 0, l = 0; i < K; i++)
      for (size_t j = 0; j <= i; j++, l++) S[i * K + j] = S[j * K + i] = c[l];
    mw_gemm('n', 'n', m, k, k, 1.0, Xi, S, 0.0, XS);
    mw_gemm('n', 't', m, m, k, 1.0, XS, Xi, 1.0, Kg + f * M * M);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- how many directions ------------------------------------------------------------------------

typedef struct spectrum {  // of a Gram matrix
  double *lambda, *V;      // [n] ascending, [n × n] by columns
} spectrum;

static mw_code spectrum_of(mw_stress_body *s, mw_arena *mem, spectrum *out, mw_error *err)
{
  size_t n = (size_t)s->n;
  *out = (spectrum){ mw_arena_f64(mem, n), mw_arena_f64(mem, n * n) };
  mw_code rc = mw_arena_check(mem, err);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) s->gram[j * n + i] = s->gram[i * n + j];
  return rc == MW_OK ? mw_eig_sym(s->n, s->gram, out->lambda, out->V, err) : rc;
}

static int n_above(int n, const spectrum *z, double share)
{
  int k = 0;
  while (k < n && z->lambda[n - 1 - k] > fmax(share * share, ROUND) * z->lambda[n - 1]) k++;
  return k;
}

// k directions instead of the fewer there are: D, and (2) of the new pairs
static mw_code extend(mw_stress *st, int b, const spectrum *z, int k, mw_error *err)
{
  mw_stress_body *s = &st->body[b];
  const mw_basis *T = &st->r->offline->fine.basis[b];
  mw_arena tmp = { 0 };
  size_t n = (size_t)s->n, K = (size_t)k, old = (size_t)s->k;
  double *L = mw_arena_f64(&tmp, K * n), *U = mw_arena_f64(&tmp, K * (size_t)T->n_u);
  double *D = mw_arena_f64(&st->mem, K * n), *G = mw_arena_f64(&st->mem, K * (K + 1) / 2 * n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&st->mem, err);
  for (size_t d = 0; rc == MW_OK && d < K; d++)
    for (size_t i = 0; i < n; i++) {
      double v = z->V[i * n + n - 1 - d];
      D[d * n + i] = v * s->w[i];
      L[d * n + i] = s->w[i] > 0.0 ? v / s->w[i] : 0.0;
    }
  if (rc == MW_OK && old > 0) memcpy(G, s->G, old * (old + 1) / 2 * n * sizeof *G);
  if (rc == MW_OK) rc = mw_stress_lift(T, k, L, U, err);
  s->k = k;
  s->D = D;
  s->G = G;
  if (rc == MW_OK) rc = pairs(st, b, U, (int)(old * (old + 1) / 2), k * (k + 1) / 2, err);
  mw_arena_free(&tmp);
  return rc;
}

// By how much (4) and (5) are missed for body b, over their right sides without CLOSE × tolerance
static mw_code difference(const mw_stress *st, int b, double *most, double *left, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t m = (size_t)st->m, nl = (size_t)st->n_load;
  double *Kg = mw_arena_f64(&tmp, nl * m * m);
  mw_code rc = mw_arena_check(&tmp, err);
  *most = *left = 0.0;
  for (int i = 0; rc == MW_OK && i < st->n_check; i++) {
    const mw_stress_check *c = &st->check[i];
    const double *is = c->Kg + (size_t)b * nl * m * m;
    memset(Kg, 0, nl * m * m * sizeof *Kg);
    if (st->body[b].k > 0) rc = contract(st, b, c->P, c->Psi, Kg, err);
    for (size_t k = 0; k < nl; k++)
      for (size_t a = 0; a < m * m; a++) {
        double by = fabs(Kg[k * m * m + a] - is[k * m * m + a]),
               energy = sqrt(c->energy[a / m] * c->energy[a % m]),
               size = energy * fmax(st->most[k], st->over[k]);
        if (by > *most * size) *most = by / size;
        if (by > 0.0) *left = fmax(*left, by * st->amplitude[k] / energy);
      }
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code tensor(mw_stress *st, int b, mw_error *err)
{
  mw_stress_body *s = &st->body[b];
  mw_arena tmp = { 0 };
  spectrum z;
  double n_u = (double)st->r->offline->fine.basis[b].n_u,
         limit = CLOSE * st->r->model->reduction.tolerance, by = 0.0, left = 0.0;
  mw_code rc = spectrum_of(s, &tmp, &z, err);
  if (rc == MW_OK) rc = difference(st, b, &by, &left, err);
  for (int i = 0; rc == MW_OK && i < N_SHARE && by > limit; i++) {
    int k = n_above(s->n, &z, SHARE[i]);
    if (k == s->k) continue;
    double cost = 0.5 * k * (k + 1.0) * n_u;
    if ((s->k > 0 && cost > MOST) || (left <= limit && cost > CHEAP)) break;
    rc = extend(st, b, &z, k, err);
    if (rc == MW_OK) rc = difference(st, b, &by, &left, err);
  }
  if (by > limit) {
    st->error = fmax(st->error, by);
    st->left += left;
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_stress_build(mw_stress *st, mw_error *err)
{
  const mw_reduction *r = st->r;
  mw_code rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  for (int b = 0; rc == MW_OK && b < r->mech->n_body; b++)
    if (st->body[b].n > 0) rc = exact(st, b, err);
  for (int b = 0; rc == MW_OK && b < r->mech->n_body; b++)
    if (st->body[b].n > 0) rc = tensor(st, b, err);
  return rc;
}

mw_code mw_stress_add(const mw_stress *st, mw_second *z, const double *Psi, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < st->r->mech->n_body; b++)
    if (st->body[b].k > 0) rc = contract(st, b, z->P, Psi, z->Kg, err);
  return rc;
}
