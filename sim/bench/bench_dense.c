// SPDX-License-Identifier: BSD-3-Clause
// bench_dense.c: right-hand sides by other ways than the elimination in one part: in groups, and
// undistributed, by matrices of all rows:
//
//   (J M⁻¹ Jᵀ) λ = J M⁻¹ f̂ − γ ,  û' = M⁻¹ (f̂ − Jᵀ λ)
//
// J without the rows that repeat others: what Kasper and Vlasenko compare their distributed method
// with (Component Based Virtual Models of Mechanical Parts of Mechatronic Systems, sections 3 and
// 5). O(n_row² n_u).
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "bench_layer.h"

// ---- in groups ----------------------------------------------------------------------------------

typedef struct groups {
  const mw_rigid_sim *s;
  mw_rigid *r;
  mw_rigid_work *w;
  double *a;  // [n_q]
} groups;

static mw_code call_groups(void *context, int k, mw_error *err)
{
  const groups *g = context;
  (void)k;
  return mw_rigid_accel(g->r, g->w, g->s->t, g->s->q, g->s->v, g->a, err);
}

static bool has_assemblies(const mw_mech *m)
{
  for (int b = 0; b < m->n_body; b++)
    if (strchr(m->body[b].name, '.')) return true;
  return false;
}

mw_code mw_bench_rigid_groups(const mw_rigid_sim *s, int *n_group, double *ns, mw_error *err)
{
  enum { PARTS = 16 };
  mw_rigid_opt opt = mw_rigid_opt_default();
  mw_arena mem = { 0 };
  groups g = { .s = s, .a = mw_arena_f64(&mem, (size_t)s->n.n_q) };
  opt.scenario = s->sc;
  opt.assemblies = has_assemblies(s->m);
  opt.part = s->m->n_joint / PARTS + 1;
  *n_group = 0;
  *ns = NAN;
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_rigid_build(s->m, &opt, &g.r, err);
  if (rc == MW_OK) rc = mw_rigid_work_build(g.r, &g.w, err);
  if (rc == MW_OK) {
    mw_rigid_accept_coords(g.r, g.w, mw_rigid_accepted(s->w));
    rc = mw_rigid_sample(g.r, g.w, s->t, s->q, s->v, err);
    *n_group = mw_rigid_plan(g.r)->n_group;
    if (rc == MW_OK && *n_group > 1) rc = mw_bench_time(call_groups, &g, ns, err);
  }
  mw_rigid_work_free(g.w);
  mw_rigid_free(g.r);
  mw_arena_free(&mem);
  return rc;
}

// ---- by matrices --------------------------------------------------------------------------------

typedef struct dense {
  mw_rigid_sim *s;
  mw_rigid_dense D;
  int n_kept, *kept;          // [n_row]  rows that do not repeat others
  double *u, *f, *mass, *du;  // [n_u]
  double *JM, *K;             // [n_row × n_u]  J M⁻¹ and J of the rows kept
  double *S;                  // [n_row × n_row]
  double *lambda, *none;      // [n_row]
  double *gs, *gs_dot;        // [n_soft]
} dense;

static mw_code room(dense *z, mw_arena *mem, mw_error *err)
{
  const mw_rigid_size *n = &z->s->n;
  size_t nu = (size_t)n->n_u, nr = (size_t)n->n_row, ns = (size_t)n->n_soft;
  z->D = (mw_rigid_dense){ mw_arena_f64(mem, nr * nu), mw_arena_f64(mem, nr),
                           mw_arena_f64(mem, (size_t)n->n_coord * nu),
                           mw_arena_f64(mem, (size_t)n->n_coord) };
  z->kept = mw_arena_int(mem, nr);
  z->S = mw_arena_f64(mem, nr * nr);
  double **of_u[] = { &z->u, &z->f, &z->mass, &z->du };
  for (size_t i = 0; i < sizeof of_u / sizeof *of_u; i++) *of_u[i] = mw_arena_f64(mem, nu);
  double **of_rows[] = { &z->lambda, &z->none };
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = mw_arena_f64(mem, nr);
  z->JM = mw_arena_f64(mem, nr * nu);
  z->K = mw_arena_f64(mem, nr * nu);
  z->gs = mw_arena_f64(mem, ns);
  z->gs_dot = mw_arena_f64(mem, ns);
  return mw_arena_check(mem, err);
}

// S := J M⁻¹ Jᵀ of the rows kept
static void form(dense *z)
{
  int nu = z->s->n.n_u;
  for (int i = 0; i < z->n_kept; i++) {
    const double *row = z->D.J + (size_t)z->kept[i] * (size_t)nu;
    double *K = z->K + (size_t)i * (size_t)nu, *JM = z->JM + (size_t)i * (size_t)nu;
    for (int x = 0; x < nu; x++) {
      K[x] = row[x];
      JM[x] = row[x] / z->mass[x];
    }
  }
  mw_gemm('n', 't', z->n_kept, z->n_kept, nu, 1.0, z->JM, z->K, 0.0, z->S);
}

// Rows that do not repeat others, by the pivots of S scaled to a diagonal of ones.
static mw_code find_kept(dense *z, mw_error *err)
{
  int n = z->s->n.n_row, rank = 0;
  size_t size = (size_t)n;
  z->n_kept = n;
  for (int i = 0; i < n; i++) z->kept[i] = i;
  mw_rigid_matrices(z->s->r, z->s->w, z->s->t, z->s->q, z->u, &z->D);
  form(z);
  for (size_t i = 0; i < size; i++) z->lambda[i] = sqrt(z->S[i * size + i]);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) z->S[i * size + j] /= z->lambda[i] * z->lambda[j];
  mw_code rc = mw_chol_pivoted(n, z->S, mw_rigid_opt_default().drop, z->kept, &rank, err);
  z->n_kept = 0;
  for (int i = 0; rc == MW_OK && i < n; i++)
    if (z->kept[i]) z->kept[z->n_kept++] = i;
  return rc;
}

static mw_code call_dense(void *context, int k, mw_error *err)
{
  dense *z = context;
  const mw_rigid_sim *s = z->s;
  int nu = s->n.n_u;
  (void)k;
  // f̂, springs and dampers included
  mw_rigid_rows(s->r, s->w, s->t, s->q, z->u, z->lambda, NULL, z->gs, z->gs_dot);
  for (int i = 0; i < s->n.n_soft; i++)
    z->gs[i] = mw_rigid_soft_k(s->r)[i] * z->gs[i] + mw_rigid_soft_c(s->r)[i] * z->gs_dot[i];
  mw_rigid_force(s->r, s->w, s->t, s->q, z->u, true, z->f);
  mw_rigid_add_reaction(s->r, s->w, z->none, z->gs, z->f);
  mw_rigid_matrices(s->r, s->w, s->t, s->q, z->u, &z->D);
  form(z);
  for (int i = 0; i < z->n_kept; i++)
    z->lambda[i] = mw_dot(nu, z->JM + (size_t)i * (size_t)nu, z->f) - z->D.gamma[z->kept[i]];
  mw_code rc = mw_chol_factor(z->n_kept, z->S, err);
  if (rc != MW_OK) return rc;
  mw_chol_solve(z->n_kept, z->S, 1, z->lambda);
  for (int i = 0; i < z->n_kept; i++)
    mw_axpy(nu, -z->lambda[i], z->K + (size_t)i * (size_t)nu, z->f);
  for (int x = 0; x < nu; x++) z->du[x] = z->f[x] / z->mass[x];
  return MW_OK;
}

// Largest difference from the accelerations of the elimination, over their largest or 1
static mw_code compare(const dense *z, double *apart, mw_error *err)
{
  const mw_rigid_sim *s = z->s;
  double size = 1.0, most = 0.0;
  mw_code rc = mw_rigid_accel(s->r, s->w, s->t, s->q, s->v, s->a, err);
  if (rc != MW_OK) return rc;
  mw_rigid_twist(s->r, s->q, s->a, z->u);
  for (int x = 0; x < s->n.n_u; x++) {
    size = fmax(size, fabs(z->u[x]));
    most = fmax(most, fabs(z->u[x] - z->du[x]));
  }
  *apart = most / size;
  return MW_OK;
}

mw_code mw_bench_rigid_dense(mw_rigid_sim *s, double *ns, double *apart, mw_error *err)
{
  mw_arena mem = { 0 };
  dense z = { .s = s };
  *ns = *apart = NAN;
  if (s->n.n_row == 0 || s->n.n_row > MW_BENCH_DENSE) return MW_OK;
  mw_code rc = room(&z, &mem, err);
  if (rc == MW_OK) {
    mw_rigid_twist(s->r, s->q, s->v, z.u);
    mw_rigid_masses(s->r, z.mass);
    rc = find_kept(&z, err);
  }
  if (rc == MW_OK) rc = mw_bench_time(call_dense, &z, ns, err);
  if (rc == MW_OK) rc = compare(&z, apart, err);
  mw_arena_free(&mem);
  return rc;
}
