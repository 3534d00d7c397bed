// SPDX-License-Identifier: BSD-3-Clause
// track.c: modes of a configuration from those of its neighbour, in the bodies' eigenbases, where a
// shift costs nothing.
//
//   V := orthonormal, K-diagonal combinations of (K − σ₀M)⁻¹ M V          all vectors,
//       σ₀ of the system: keeps the joints      (1)
//   v_i := (K − θ_i M)⁻¹ M v_i ,  θ_i its Rayleigh quotient               cubic convergence,
//       each with its own shift      (2)
//   D(σ) = [ −B (Λ − σ)⁻¹ Bᵀ − 1/k , B_r ; B_rᵀ , −σ M_6 ]   all that is factored for a shift   (3)
//   eigenvalues below σ = #(Λ < σ) + neg(D(σ)) − n_mu   proves that none is missing   (4)
//
// (2) and combinations of all vectors alternate until |K v − θ M v|_{M⁻¹} = 1/|y|_M is small. Where
// the neighbour is too far, modes are found twice or missed: (4) says so and block Lanczos starts
// anew. Cost: 2 to 3 shifts a mode, each O(n_mu² n). Parlett, The Symmetric Eigenvalue Problem,
// 1998, ch. 4 (Rayleigh quotients).
#include "track_layer.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "system_layer.h"

enum { ROUNDS = 8, AT_ONCE = 16 };  // AT_ONCE: rows of B, a multiple of four
static const double SMALL = 1e-9;   // residual over θ: the next step of (2) takes it to rounding
static const double EQUAL = 2e-6;   // relative distance of modes that a shift cannot part

typedef struct tracker {
  mw_system *sys;
  int n, k, all;              // unknowns; modes wanted; vectors
  double *V, *W;              // [all × n]
  double *G, *Q, *H, *theta;  // [all × all], …, [all]
  double *residual;           // [k]  over theta, of the last step (2)
  mw_small D;                 // (3)
  double *rhs;                // [size of D]
  double *scaled, *gram;      // [most rows of a body × n_u], [most rows of a body, squared]
  double *work;               // [2 × all × n]
  mw_arena mem;
} tracker;

bool mw_system_is_small(const mw_system *sys)
{
  for (int b = 0; b < sys->bl->m->n_body; b++)
    if (sys->bl->m->body[b].n_u > 0 && !sys->bl->block[b].eigenbasis) return false;
  return true;
}

static mw_code tracker_init(mw_system *sys, int k, int all, tracker *t, mw_error *err)
{
  size_t n = (size_t)sys->bl->n, a = (size_t)all, ns = (size_t)sys->n_mu, width = 0, act = 0;
  for (int b = 0; b < sys->bl->m->n_body; b++) {
    if (sys->small_body[b] >= 0 && sys->bl->m->body[b].n_u == 0) ns += 6;
    if (sys->bl->m->body[b].n_u == 0) continue;
    if ((size_t)sys->bl->m->body[b].n_u > width) width = (size_t)sys->bl->m->body[b].n_u;
    if ((size_t)sys->n_act[b] > act) act = (size_t)sys->n_act[b];
  }
  *t = (tracker){ .sys = sys, .n = (int)n, .k = k, .all = all };
  t->V = mw_arena_f64(&t->mem, a * n);
  t->W = mw_arena_f64(&t->mem, a * n);
  t->G = mw_arena_f64(&t->mem, a * a);
  t->Q = mw_arena_f64(&t->mem, a * a);
  t->H = mw_arena_f64(&t->mem, a * a);
  t->theta = mw_arena_f64(&t->mem, a);
  t->residual = mw_arena_f64(&t->mem, a);
  t->rhs = mw_arena_f64(&t->mem, ns);
  t->scaled = mw_arena_f64(&t->mem, act * width);
  t->gram = mw_arena_f64(&t->mem, act * act);
  t->work = mw_arena_f64(&t->mem, 2 * a * n);
  mw_code rc = mw_arena_check(&t->mem, err);
  if (rc == MW_OK) rc = mw_small_init((int)ns, mw_system_entries(sys, false), &t->D, err);
  return rc;
}

static void tracker_free(tracker *t)
{
  mw_small_free(&t->D);
  mw_arena_free(&t->mem);
}

// 1/(λ_j − σ) of a body in its eigenbasis, away from zero
static double inverse(const mw_body *body, int j, double sigma)
{
  double d = body->K.val[j] - sigma, least = DBL_EPSILON * (fabs(body->K.val[j]) + fabs(sigma));
  return 1.0 / (fabs(d) > least ? d : least);
}

// (3); *below: #(Λ < σ)
static void shifted(tracker *t, double sigma, int *below)
{
  const mw_system *sys = t->sys;
  const mw_mech *m = sys->bl->m;
  int n = sys->n_mu;
  *below = 0;
  mw_small_clear(&t->D);
  for (int i = 0; i < n; i++)
    if (!isinf(sys->k_row[i])) mw_small_add(&t->D, i, i, -1.0 / sys->k_row[i]);
  for (int b = 0, o = n; b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    int nu = body->n_u;
    if (nu == 0 && sys->small_body[b] >= 0) {
      mw_system_rigid_entries(sys, b, sigma, o, &t->D);
      o += 6;
    }
    for (int j = 0; j < nu; j++) *below += body->K.val[j] < sigma;
    if (nu == 0 || !sys->B[b]) continue;
    double *d = t->work;
    for (int j = 0; j < nu; j++) d[j] = inverse(body, j, sigma);
    for (int a = 0; a < sys->n_act[b]; a++) {
      const double *row = sys->B[b] + (size_t)a * (size_t)nu;
      double *s = t->scaled + (size_t)a * (size_t)nu;
      for (int j = 0; j < nu; j++) s[j] = row[j] * d[j];
    }
    mw_system_gram_entries(sys, b, t->scaled, t->gram, &t->D);
  }
}

// y := (K − σM)⁻¹ M x on the constrained space; *norm its M-norm. false: D(σ) is exactly singular.
static bool inverse_step(tracker *t, double sigma, const double *x, double *y, double *norm)
{
  mw_system *sys = t->sys;
  const mw_mech *m = sys->bl->m;
  int below, n = sys->n_mu;
  shifted(t, sigma, &below);
  mw_system_mul_M(sys, x, y);
  memset(t->rhs, 0, (size_t)t->D.n * sizeof *t->rhs);
  for (int b = 0, o = n; b < m->n_body; b++) {
    int at = sys->bl->offset[b], nu = m->body[b].n_u;
    if (nu == 0 && sys->small_body[b] >= 0) {
      memcpy(t->rhs + o, y + at, 6 * sizeof *y);
      o += 6;
    }
    for (int j = 0; j < nu; j++) y[at + j] *= inverse(&m->body[b], j, sigma);
    for (int a = 0; nu > 0 && sys->B[b] && a < sys->n_act[b]; a++)
      t->rhs[sys->act[b][a]] -= mw_dot(nu, sys->B[b] + (size_t)a * (size_t)nu, y + at);
  }
  if (mw_small_factor(&t->D, NULL, NULL) != MW_OK) return false;
  mw_small_solve(&t->D, 1, t->rhs);
  for (int b = 0, o = n; b < m->n_body; b++) {
    int at = sys->bl->offset[b], nu = m->body[b].n_u;
    if (nu == 0 && sys->small_body[b] >= 0) {
      memcpy(y + at, t->rhs + o, 6 * sizeof *y);
      o += 6;
    }
    // y −= (Λ − σ)⁻¹ Bᵀ μ
    double *f = t->work;
    memset(f, 0, (size_t)nu * sizeof *f);
    for (int a = 0, k; nu > 0 && sys->B[b] && a < sys->n_act[b]; a += k) {
      double mu[AT_ONCE];
      for (k = 0; k < AT_ONCE && a + k < sys->n_act[b]; k++) mu[k] = t->rhs[sys->act[b][a + k]];
      mw_axpy_rows(nu, k, mu, sys->B[b] + (size_t)a * (size_t)nu, (size_t)nu, f);
    }
    for (int j = 0; j < nu; j++) y[at + j] -= f[j] * inverse(&m->body[b], j, sigma);
  }
  mw_system_mul_M(sys, y, t->work);
  *norm = sqrt(mw_dot(t->n, y, t->work));
  return isfinite(*norm) && *norm > 0.0;
}

// V := M-orthonormal combinations of its rows with diagonal V K Vᵀ = theta, ascending. false: rows
// are dependent.
static bool combine(tracker *t)
{
  int a = t->all, n = t->n;
  for (int i = 0; i < a; i++)
    mw_system_mul_M(t->sys, t->V + (size_t)i * (size_t)n, t->W + (size_t)i * (size_t)n);
  mw_gemm('n', 't', a, a, n, 1.0, t->V, t->W, 0.0, t->G);
  if (mw_system_mul_K_many(t->sys, a, t->V, t->W, NULL) != MW_OK) return false;
  mw_gemm('n', 't', a, a, n, 1.0, t->V, t->W, 0.0, t->H);
  for (int i = 0; i < a; i++)
    for (int j = 0; j < i; j++) {
      t->G[i * a + j] = t->G[j * a + i] = 0.5 * (t->G[i * a + j] + t->G[j * a + i]);
      t->H[i * a + j] = t->H[j * a + i] = 0.5 * (t->H[i * a + j] + t->H[j * a + i]);
    }
  if (mw_eig_gen(a, t->H, t->G, t->theta, t->Q, NULL) != MW_OK) return false;
  mw_gemm('t', 'n', a, n, a, 1.0, t->Q, t->V, 0.0, t->W);
  memcpy(t->V, t->W, (size_t)a * (size_t)n * sizeof *t->V);
  return true;
}

// (4) just above the highest mode wanted: the modes below are those found. Where the next one all
// but equals it, just below all that do: these are not counted.
static bool proved(tracker *t)
{
  int n = t->k;  // modes below the shift
  while (n > 0 && n < t->all && t->theta[n] < t->theta[n - 1] * (1.0 + EQUAL)) n--;
  double sigma = t->theta[n == t->k ? n - 1 : n] * (1.0 + (n == t->k ? 0.5 : -0.5) * EQUAL);
  int below = 0, neg = 0, zero = 0;
  shifted(t, sigma, &below);
  if (mw_small_inertia(&t->D, &neg, &zero, NULL) != MW_OK || zero > 0) return false;
  return below + neg - t->sys->n_mu == n;
}

bool mw_system_proved(mw_system *sys, int k, int all, const double *lambda)
{
  tracker t = { 0 };
  bool good = mw_system_is_small(sys) && tracker_init(sys, k, all, &t, NULL) == MW_OK;
  if (good) {
    memcpy(t.theta, lambda, (size_t)all * sizeof *lambda);
    good = proved(&t);
  }
  tracker_free(&t);
  return good;
}

// (2) for the modes that are not there yet, then all combined; true when all are.
static bool refine(tracker *t)
{
  bool all = true;
  for (int i = 0; i < t->k; i++) {
    double norm, *v = t->V + (size_t)i * (size_t)t->n, *y = t->W;
    if (t->residual[i] <= SMALL) continue;
    if (!inverse_step(t, t->theta[i], v, y, &norm)) return false;
    for (int j = 0; j < t->n; j++) v[j] = y[j] / norm;
    t->residual[i] = 1.0 / (norm * t->theta[i]);
    all = all && t->residual[i] <= SMALL;
  }
  return all;
}

bool mw_system_track(mw_system *sys, int k, int all, const double *start, double *lambda, double *X,
                     mw_error *err)
{
  tracker t;
  bool good = tracker_init(sys, k, all, &t, err) == MW_OK;
  size_t n = (size_t)t.n;
  for (int i = 0; good && i < all; i++)
    mw_system_mul_M(sys, start + (size_t)i * n, t.W + (size_t)i * n);
  good = good && mw_system_solve_many(sys, all, t.W, t.V, err) == MW_OK && combine(&t);
  for (int i = 0; good && i < k; i++) t.residual[i] = INFINITY;
  bool done = false;
  for (int round = 0; good && !done && round < ROUNDS; round++) {
    double before = t.theta[k - 1];
    done = refine(&t);
    good = combine(&t) && isfinite(t.theta[k - 1]) && before > 0.0;
    // a combination moves a mode that was there when another found its place
    for (int i = 0; !done && i < k; i++)
      t.residual[i] = t.residual[i] <= SMALL * SMALL ? 0.0 : t.residual[i];
  }
  good = good && done && proved(&t);
  if (good) {
    memcpy(lambda, t.theta, (size_t)all * sizeof *lambda);
    memcpy(X, t.V, (size_t)all * n * sizeof *X);
  }
  tracker_free(&t);
  return good;
}
