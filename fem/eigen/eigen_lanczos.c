// SPDX-License-Identifier: BSD-3-Clause
// eigen_lanczos.c: modes by PARPACK, shift-invert, M-orthogonal to those that are known.
//
//   OP = P A⁻¹ M ,   P = 1 − Σ_i x_i x_iᵀ M   over the known modes x_i                          (1)
//   OP x = ν x ,   λ = σ + 1/ν                                                                  (2)
//
// On the M-orthogonal complement of the known modes P OP P is symmetric in M, with what is missing
// as its largest eigenvalues: a second mode of a double eigenvalue, which an iteration with one
// vector need not see, comes out here. The start vector is a fixed sequence of numbers over the
// unknowns, the same for any number of ranks.
// Cost: a solve and a product with M a step, some two to three steps a mode; memory n_loc (2 want +
// 20). Lehoucq, Sorensen, Yang, ARPACK Users' Guide, SIAM 1998; Maschhoff, Sorensen, P_ARPACK, PARA
// '96, LNCS 1184.
#include <math.h>
#include <mpi.h>
#include <string.h>
// clang-format off
#include <arpack/parpack.h>
// clang-format on

#include "base/dense.h"
#include "base/progress.h"
#include "eigen_priv.h"

static const double TOL =
    1e-13;  // of a Ritz value's residual over |ν|; the modes are checked below
static const double TOL_CHECK = 1e-8;  // of the same, computed: beyond it is no rounding
enum { RESTARTS = 300, EXTRA_VECTORS = 20 };

typedef struct krylov {
  const job *j;
  solver *f;
  mass *m;
  const modes *known;
  int nev, ncv, lworkl;
  int *select;    // [ncv]
  double *resid;  // [n_loc]
  double *V;      // [ncv × n_loc]
  double *workd;  // [3 × n_loc]
  double *workl;  // [lworkl]
  double *d, *c;  // [ncv]; [modes known in the end]
  int n_solve;
  double t_start, t_said;  // s
  mw_arena mem;
} krylov;

static mw_code init(krylov *z, mw_error *err)
{
  size_t n = (size_t)z->j->s.n_loc, p = (size_t)z->ncv;
  z->lworkl = z->ncv * (z->ncv + 8);
  z->select = mw_arena_int(&z->mem, p);
  z->resid = mw_arena_f64(&z->mem, n);
  z->V = mw_arena_f64(&z->mem, p * n);
  z->workd = mw_arena_f64(&z->mem, 3 * n);
  z->workl = mw_arena_f64(&z->mem, (size_t)z->lworkl);
  z->d = mw_arena_f64(&z->mem, p);
  z->c = mw_arena_f64(&z->mem, (size_t)z->known->n + (size_t)z->nev);
  return mw_arena_check(&z->mem, err);
}

// number i of a fixed sequence in [−1/2, 1/2): one round of SplitMix64 (Steele, Lea, Flood, OOPSLA
// 2014)
static double fixed(int i)
{
  uint64_t x = ((uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return (double)(x >> 11) * 0x1p-53 - 0.5;
}

// w := P w, twice against rounding
static void project(krylov *z, double *w)
{
  const modes *x = z->known;
  int n = z->j->s.n_loc;
  for (int twice = 0; twice < 2 && x->n > 0; twice++) {
    for (int i = 0; i < x->n; i++) z->c[i] = mw_dot(n, x->MX + (size_t)i * (size_t)n, w);
    team_sums(x->n, z->c);
    for (int i = 0; i < x->n; i++) mw_axpy(n, -z->c[i], x->X + (size_t)i * (size_t)n, w);
  }
}

static void tell(krylov *z)
{
  enum { EVERY = 5 };  // s
  double now = mw_wall_time();
  if (z->n_solve == 0) z->t_start = z->t_said = now;
  if (++z->n_solve == 1 || now - z->t_said < EVERY) return;
  z->t_said = now;
  team_say(&z->j->s, "%d modes: %d solves in %.0f s", z->nev, z->n_solve, now - z->t_start);
}

// Reverse communication until PARPACK is content: info of pdsaupd.
static mw_code iterate(krylov *z, int *iparam, int *ipntr, int *info, mw_error *err)
{
  enum { FIRST = -1, APPLY = 1, MASS = 2, DONE = 99 };
  int n = z->j->s.n_loc, ido = 0;
  mw_code rc = MW_OK;
  *info = 1;  // resid holds the start vector
  while (rc == MW_OK) {
    pdsaupd_c((int)MPI_Comm_c2f(MPI_COMM_WORLD), &ido, "G", n, "LM", z->nev, TOL, z->resid, z->ncv,
              z->V, n, iparam, ipntr, z->workd, z->workl, z->lworkl, info);
    double *x = z->workd + ipntr[0] - 1, *y = z->workd + ipntr[1] - 1;
    if (ido == MASS) {
      mass_mul(z->m, x, y);
    } else if (ido == FIRST || ido == APPLY) {
      if (ido == FIRST)
        mass_mul(z->m, x, y);
      else
        memcpy(y, z->workd + ipntr[2] - 1, (size_t)n * sizeof *y);
      rc = solver_solve(z->f, 1, y, err);
      project(z, y);
      tell(z);
    } else {
      break;
    }
  }
  return rc;
}

// Vectors of the converged Ritz values: V [n_conv × n_loc], d [n_conv].
static mw_code extract(krylov *z, int *iparam, int *ipntr, int *n_conv, mw_error *err)
{
  int n = z->j->s.n_loc, info = 0;
  pdseupd_c((int)MPI_Comm_c2f(MPI_COMM_WORLD), 1, "A", z->select, z->d, z->V, n, solver_shift(z->f),
            "G", n, "LM", z->nev, TOL, z->resid, z->ncv, z->V, n, iparam, ipntr, z->workd, z->workl,
            z->lworkl, &info);
  *n_conv = iparam[4] < z->nev ? iparam[4] : z->nev;
  if (info == 0 && *n_conv > 0) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "PARPACK gives no modes (pdseupd: %d)", info);
}

static bool reserve(modes *x, int n, size_t n_loc)
{
  if (n <= x->cap) return true;
  size_t cap = 2 * (size_t)n, old = (size_t)x->n;
  double *lambda = mw_arena_f64(&x->mem, cap), *X = mw_arena_f64(&x->mem, cap * n_loc);
  double *MX = mw_arena_f64(&x->mem, cap * n_loc);
  if (!lambda || !X || !MX) return false;
  if (x->n > 0) {
    memcpy(lambda, x->lambda, old * sizeof *lambda);
    memcpy(X, x->X, old * n_loc * sizeof *X);
    memcpy(MX, x->MX, old * n_loc * sizeof *MX);
  }
  x->lambda = lambda;
  x->X = X;
  x->MX = MX;
  x->cap = (int)cap;
  return true;
}

// Mode i of V, normalised, its sign fixed by its product with the start vector, behind those of x.
static void append(krylov *z, int i, modes *x)
{
  int n = z->j->s.n_loc, lo = z->j->s.first[z->j->s.rank];
  double *v = z->V + (size_t)i * (size_t)n, s[2] = { 0.0, 0.0 };
  double *to = x->X + (size_t)x->n * (size_t)n, *Mto = x->MX + (size_t)x->n * (size_t)n;
  project(z, v);
  mass_mul(z->m, v, Mto);
  s[0] = mw_dot(n, v, Mto);
  for (int k = 0; k < n; k++) s[1] += v[k] * fixed(lo + k);
  team_sums(2, s);
  double a = copysign(1.0 / sqrt(s[0]), s[1]);
  for (int k = 0; k < n; k++) {
    to[k] = a * v[k];
    Mto[k] *= a;
  }
  x->lambda[x->n] = z->d[i];
}

// |A⁻¹ M x − ν x|_M / |ν| of modes from … x->n − 1, 16 of them at a time; V is scratch
static mw_code residuals(krylov *z, int from, modes *x, mw_error *err)
{
  size_t n = (size_t)z->j->s.n_loc;
  double worst = 0.0;
  mw_code rc = MW_OK;
  for (int i = from; rc == MW_OK && i < x->n; i += SOLVE_AT_ONCE) {
    int rows = x->n - i < SOLVE_AT_ONCE ? x->n - i : SOLVE_AT_ONCE;
    memcpy(z->V, x->MX + (size_t)i * n, (size_t)rows * n * sizeof *z->V);
    rc = solver_solve(z->f, rows, z->V, err);
    for (int k = 0; rc == MW_OK && k < rows; k++) {
      double nu = 1.0 / (x->lambda[i + k] - solver_shift(z->f)), *r = z->V + (size_t)k * n;
      mw_axpy((int)n, -nu, x->X + (size_t)(i + k) * n, r);
      mass_mul(z->m, r, z->workd);
      double rr = team_sum(mw_dot((int)n, r, z->workd));
      worst = fmax(worst, sqrt(fmax(rr, 0.0)) / fabs(nu));
    }
  }
  if (rc == MW_OK && !(worst <= TOL_CHECK))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "a mode of PARPACK leaves a residual of %.3g, at most %g is rounding", worst,
                 TOL_CHECK);
  x->residual = fmax(x->residual, worst);
  return rc;
}

mw_code lanczos_add(const job *j, solver *f, mass *m, int want, modes *x, mw_error *err)
{
  int left = j->s.n - x->n, iparam[11] = { 0 }, ipntr[14] = { 0 }, info = 0, n_conv = 0;
  krylov z = { .j = j, .f = f, .m = m, .known = x };
  z.nev = want < left - 1 ? want : left - 1;
  z.ncv = 2 * z.nev + EXTRA_VECTORS < left ? 2 * z.nev + EXTRA_VECTORS : left;
  iparam[0] = 1;         // exact shifts
  iparam[2] = RESTARTS;  // at most
  iparam[6] = 3;         // shift-invert
  mw_code rc = init(&z, err);
  if (rc == MW_OK && !reserve(x, x->n + z.nev, (size_t)j->s.n_loc))
    rc = mw_arena_check(&x->mem, err);
  rc = team_agree(rc, err);
  if (rc == MW_OK) {
    int lo = j->s.first[j->s.rank];
    for (int k = 0; k < j->s.n_loc; k++) z.resid[k] = fixed(lo + k);
    project(&z, z.resid);
    rc = iterate(&z, iparam, ipntr, &info, err);
  }
  if (rc == MW_OK && (info < 0 || info > 1))
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "PARPACK failed (pdsaupd: %d)", info);
  if (rc == MW_OK) rc = extract(&z, iparam, ipntr, &n_conv, err);
  int from = x->n;
  for (int i = 0; rc == MW_OK && i < n_conv; i++) {
    append(&z, i, x);
    x->n++;
  }
  if (rc == MW_OK) rc = residuals(&z, from, x, err);
  mw_arena_free(&z.mem);
  return rc;
}

void modes_free(modes *x)
{
  mw_arena_free(&x->mem);
  *x = (modes){ 0 };
}
