// SPDX-License-Identifier: BSD-3-Clause
// patterns.c: static patterns that the whole grid keeps, of the candidates in patterns_list.c.
//
// Candidates are made M-orthogonal to the modes; loads first, then inertia and gravity, rates,
// springs whose stiffness is a parameter, dampers, and what the weight's stiffness asks for
// (patterns_weight.c), the one whose residual holds the largest strain energy is followed over the
// grid (patterns_follow.c), the others are made orthogonal to it, and so on. Residuals that cannot
// be followed one by one are followed together (patterns_span.c). A residual counts from
//   share = SHARE × tolerance   of the largest energy of its group on, of loads of that of forces
// or of torques, whatever the units that they are in. Loads that θ holds entirely are none.
// Energies are those without what is on floating modes (reduction.patterns.floating): these are
// held by what uses the reduced model as a component, and would hide how ends yield that are held
// there.
// The response to rates, E = ½ fᵀK⁻¹f, moves no output that is a load, but changes the inertia
// along coordinates by 4E/v². A coordinate that runs free is driven off by it as deflections drive
// it off: the residual counts from RATES × tolerance of the largest energy of accelerations, as
// large as they are declared, and of gravity, on.
// Loads that the set of Craig and Bampton fixes come before the modes, which are made M-orthogonal
// to them, and both are turned into the modes of their span (patterns_ritz.c). Behind modes with
// the load fixed its pattern would be as stiff as they are, and the softest motions a cancellation
// of theirs that no interpolation of K keeps.
// What the columns leave out of candidate j in the end,
//   left_j = max_g (pᵀKp − bᵀ(ΨᵀKΨ)⁻¹b) / pᵀKp ,   b = ΨᵀKp ,   pᵀKp >= NEGLIGIBLE × group      (1)
// is the relative error of its compliance on the grid: one that cannot be followed is lost where it
// is above the tolerance.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "patterns_layer.h"
#include "work/offline_layer.h"

static const double SHARE = 0.01;  // of the tolerance asked for
static const double RATES =
    0.5;  // the same for the response to rates: energies count, not deflections
static const double NEGLIGIBLE = 1e-4;  // as certificate_loads.c

double mw_pattern_share(const mw_reduction *r) { return SHARE * r->model->reduction.tolerance; }

double mw_pattern_energy(mw_system *sys, int n, const double *x, double *Kx)
{
  mw_system_mul_K(sys, x, Kx);
  return mw_dot(n, x, Kx);
}

void mw_pattern_deflate(const mw_grid_point *pt, int n, int from, int m, double *x, double *Mx)
{
  for (int twice = 0; twice < 2; twice++) {
    mw_system_mul_M(pt->sys, x, Mx);
    for (int i = from; i < m; i++) {
      const double *psi = pt->Psi + (size_t)i * (size_t)n;
      mw_axpy(n, -mw_dot(n, psi, Mx), psi, x);
    }
  }
}

// Unit loads, inertia and gravity, rates, springs, dampers, the weight's stiffness: candidates
// whose energies are compared with each other, in the order they are followed
enum { LOADS, FIELDS, OF_RATES, STIFF, DAMPERS, OF_WEIGHT, GROUPS };

static int group_of(const mw_pattern *p)
{
  switch (p->kind) {
  case MW_PATTERN_OUTPUT:
  case MW_PATTERN_DRIVE: return LOADS;
  case MW_PATTERN_RATES: return OF_RATES;
  case MW_PATTERN_STIFF: return STIFF;
  case MW_PATTERN_DAMPER: return DAMPERS;
  case MW_PATTERN_WEIGHT: return OF_WEIGHT;
  default: return FIELDS;
  }
}

// Energy of which SHARE × tolerance counts for rates
static double energy_for_rates(const mw_select *w)
{
  const mw_reduction *r = w->r;
  double big = 0.0;
  for (int k = 0; k < w->p->n; k++) {
    double a = 1.0, v;
    if (w->p->list[k].kind == MW_PATTERN_ACCELERATION)
      mw_pattern_moves(r, w->p->list[k].index, &a, &v);
    if (group_of(&w->p->list[k]) == FIELDS) big = fmax(big, a * a * w->whole[k]);
  }
  return RATES / SHARE * big;
}

// Is the candidate of a unit torque, not of a unit force?
static bool of_torque(const mw_select *w, int j)
{
  const mw_pattern *c = &w->p->list[j];
  if (c->kind != MW_PATTERN_DRIVE) return false;
  int joint = w->r->model->drive[c->index].joint;
  return joint >= 0 && mw_joint_in_turns(&w->r->model->joint[joint]);
}

// Largest energy of the candidate's group, of forces or of torques, over its weight: those of 1 N
// and of 1 N m do not compare.
static double group_energy(const mw_select *w, int j)
{
  double big = 0.0;
  if (group_of(&w->p->list[j]) == OF_RATES) return energy_for_rates(w);
  for (int k = 0; k < w->p->n; k++)
    if (group_of(&w->p->list[k]) == group_of(&w->p->list[j]) && of_torque(w, k) == of_torque(w, j))
      big = fmax(big, w->weight[k] * w->whole[k]);
  return big / w->weight[j];
}

// Columns from `from` on to be taken out of candidates, and what is left of these.
typedef struct taking {
  mw_select *w;
  int n, from;
  int *cand;     // [n]
  double *left;  // [n_point × n]  energy
} taking;

// All candidates of a point at once: its rows stay where caches have them.
static mw_code take_out_at(void *ctx, int first, int end, mw_error *err)
{
  const taking *z = ctx;
  const mw_reduction *r = z->w->r;
  mw_arena tmp = { 0 };
  size_t n = (size_t)r->n, nc = (size_t)z->n;
  double *Mx = mw_arena_f64(&tmp, n), *X = mw_arena_f64(&tmp, nc * n),
         *KX = mw_arena_f64(&tmp, nc * n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = first; rc == MW_OK && g < end; g++) {
    const mw_grid_point *pt = &r->point[g];
    for (size_t i = 0; i < nc; i++) {
      double *x = pt->P + (size_t)z->cand[i] * n;
      mw_pattern_deflate(pt, r->n, z->from, r->m, x, Mx);
      memcpy(X + i * n, x, n * sizeof *x);
    }
    rc = mw_system_mul_K_many(pt->sys, z->n, X, KX, err);
    for (size_t i = 0; i < nc; i++)
      z->left[(size_t)g * nc + i] = mw_dot(r->n, X + i * n, KX + i * n);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Takes columns from `from` on out of candidates everywhere: those that are open (NULL: all) and
// those aside.
static mw_code take_out(mw_select *w, const char *open, const int *aside, int n_aside, int from,
                        mw_error *err)
{
  const mw_reduction *r = w->r;
  mw_arena tmp = { 0 };
  size_t most = (size_t)(w->p->n + n_aside);
  taking z = { .w = w, .from = from, .cand = mw_arena_int(&tmp, most) };
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < w->p->n; k++)
    if (!open || open[k]) z.cand[z.n++] = k;
  for (int a = 0; rc == MW_OK && a < n_aside; a++) z.cand[z.n++] = aside[a];
  z.left = mw_arena_f64(&tmp, (size_t)r->n_point * (size_t)z.n);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  mw_points of = { .n = r->n_point, .fn = take_out_at, .ctx = &z };
  if (rc == MW_OK && z.n > 0) rc = mw_parallel_points(r->work, &of, err);
  for (int i = 0; rc == MW_OK && i < z.n; i++) {
    double *left = &w->left[z.cand[i]];
    *left = 0.0;
    for (int g = 0; g < r->n_point; g++) *left = fmax(*left, z.left[g * z.n + i]);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_pattern_append(mw_select *w, int j, const char *open, const int *aside, int n_aside,
                          mw_error *err)
{
  mw_reduction *r = w->r;
  size_t n = (size_t)r->n, col = (size_t)r->m * n;
  for (int g = 0; g < r->n_point; g++)
    memcpy(r->point[g].Psi + col, w->res + (size_t)g * n, n * sizeof(double));
  w->p->list[j].kept = true;
  w->p->list[j].column = r->m++;
  return take_out(w, open, aside, n_aside, r->m - 1, err);
}

// Open candidates of a group that count, first the one that has most left of the largest energy of
// its kind; returns their number.
static int counting(const mw_select *w, const char *open, int group, int *cand)
{
  int n = 0;
  for (int j = 0; j < w->p->n; j++) {
    double big = group_energy(w, j), least = mw_pattern_share(w->r) * big;
    if (!open[j] || group_of(&w->p->list[j]) != group) continue;
    if (!(w->left[j] > 0.0 && w->left[j] >= least)) continue;
    int k = n++;
    for (; k > 0 && w->left[j] / big > w->left[cand[k - 1]] / group_energy(w, cand[k - 1]); k--)
      cand[k] = cand[k - 1];
    cand[k] = j;
  }
  return n;
}

// Follows candidates of a group one by one. aside [*n_aside]: those that cannot be, by energy.
// Beside these, one that turns fast joins them: taken out of them it would make them turn as fast
// (an output at the end of a stiff member that turns through the direction of a load), while the
// span of all does not turn.
static mw_code follow_alone(mw_select *w, int group, char *open, int *aside, int *n_aside,
                            mw_error *err)
{
  mw_arena tmp = { 0 };
  int *cand = mw_arena_int(&tmp, (size_t)w->p->n);
  mw_code rc = mw_arena_check(&tmp, err);
  *n_aside = 0;
  for (int n; rc == MW_OK && (n = counting(w, open, group, cand)) > 0;) {
    bool found, calm;
    int j;
    rc = mw_pattern_follow_calm(w, n, cand, &j, &found, &calm, err);
    if (rc != MW_OK) break;
    open[j] = 0;
    if (found && (calm || *n_aside == 0))
      rc = mw_pattern_append(w, j, open, aside, *n_aside, err);
    else
      aside[(*n_aside)++] = j;
  }
  for (int j = 0; rc == MW_OK && j < w->p->n; j++)
    if (group_of(&w->p->list[j]) == group) open[j] = 0;
  mw_arena_free(&tmp);
  return rc;
}

// "tool.x, tool.y" of n candidates
static const char *names_of(mw_patterns *p, int n, const int *cand)
{
  const char *text = "";
  for (int a = 0; text && a < n; a++)
    text = mw_arena_printf(&p->mem, "%s%s%s", text, a > 0 ? ", " : "",
                           mw_pattern_of(&p->list[cand[a]]));
  return text;
}

// Follows candidates set aside as spans: all of them as one; where that is not smooth, without the
// last, and so on; then what is left. The first one that cannot be followed even alone is given up.
static mw_code follow_spans(mw_select *w, int n, int *aside, const char *open, mw_error *err)
{
  mw_reduction *r = w->r;
  mw_code rc = MW_OK;
  for (int k = n; rc == MW_OK && k > 0;) {
    bool found = false;
    int from = r->m;
    rc = mw_pattern_span(w, k, aside, group_energy(w, aside[0]), &found, err);
    if (rc != MW_OK || (!found && --k > 0)) continue;
    if (!found) w->dropped[aside[0]] = 1;
    for (int a = 0; found && a < k; a++) w->p->list[aside[a]].spanned = true;
    k += !found;
    if (r->m > from)
      w->p->span[w->p->n_span++] =
          (mw_span){ .first = from, .n = r->m - from, .of = names_of(w->p, k, aside) };
    n -= k;
    memmove(aside, aside + k, (size_t)n * sizeof *aside);
    k = n;
    rc = take_out(w, open, aside, n, from, err);
  }
  return rc;
}

// (1) of all candidates at grid points: share [n_point × p->n], −1: the candidate is negligible
typedef struct accounting {
  const mw_select *w;
  double *share;
} accounting;

// |L⁻¹ b|², L [m × m]; b becomes L⁻¹ b
static double norm_lower(int m, const double *L, double *b)
{
  double sum = 0.0;
  for (int a = 0; a < m; a++) {
    for (int i = 0; i < a; i++) b[a] -= L[a * m + i] * b[i];
    b[a] /= L[a * m + a];
    sum += b[a] * b[a];
  }
  return sum;
}

// (1) at grid point g. KPsi [m × n], A [m × m], b [m], y [n]
static mw_code account(const accounting *z, int g, double *KPsi, double *A, double *b, double *y,
                       mw_error *err)
{
  const mw_select *w = z->w;
  const mw_reduction *r = w->r;
  const mw_grid_point *pt = &r->point[g];
  int m = r->m, n = r->n;
  mw_code rc = mw_system_mul_K_many(pt->sys, m, pt->Psi, KPsi, err);
  if (rc == MW_OK) {
    mw_gemm('n', 't', m, m, n, 1.0, KPsi, pt->Psi, 0.0, A);
    rc = mw_chol_factor(m, A, err);
  }
  for (int j = 0; rc == MW_OK && j < w->p->n; j++) {
    const double *x = pt->P + (size_t)j * (size_t)n;
    double group = group_energy(w, j), left = mw_pattern_energy(pt->sys, n, x, y);
    mw_gemm('n', 't', m, 1, n, 1.0, KPsi, x, 0.0, b);
    left -= norm_lower(m, A, b);
    size_t at = (size_t)g * (size_t)w->p->n + (size_t)j;
    z->share[at] = w->own[at] > NEGLIGIBLE * group ? left / w->own[at] : -1.0;
  }
  return rc;
}

static mw_code account_some(void *ctx, int from, int to, mw_error *err)
{
  const accounting *z = ctx;
  mw_arena tmp = { 0 };
  size_t m = (size_t)z->w->r->m, n = (size_t)z->w->r->n;
  double *KPsi = mw_arena_f64(&tmp, m * n), *A = mw_arena_f64(&tmp, m * m),
         *b = mw_arena_f64(&tmp, m), *y = mw_arena_f64(&tmp, n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = from; rc == MW_OK && g < to; g++) rc = account(z, g, KPsi, A, b, y, err);
  mw_arena_free(&tmp);
  return rc;
}

// What is lost of each candidate, after all columns are there.
static mw_code account_all(mw_select *w, mw_error *err)
{
  mw_reduction *r = w->r;
  mw_arena tmp = { 0 };
  accounting z = { w, mw_arena_f64(&tmp, (size_t)r->n_point * (size_t)w->p->n) };
  mw_points of = { .n = r->n_point, .fn = account_some, .ctx = &z };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  for (int j = 0; rc == MW_OK && j < w->p->n; j++) {
    mw_pattern *c = &w->p->list[j];
    for (int g = 0; g < r->n_point; g++) {
      double share = z.share[(size_t)g * (size_t)w->p->n + (size_t)j];
      if (!(share > c->left)) continue;
      c->left = share;
      c->left_at = g;
    }
    // what is missing of the weight's stiffness is judged by frequencies under it
    c->lost =
        w->dropped[j] && c->kind != MW_PATTERN_WEIGHT && c->left > r->model->reduction.tolerance;
    w->p->n_lost += c->lost;
    c->given_up = w->dropped[j];
    c->bare = w->whole[j] > 0.0 && !c->kept && !c->spanned;
  }
  mw_arena_free(&tmp);
  return rc;
}

// Is candidate j a load that the set of Craig and Bampton fixes (system.h)?
static bool is_held(const mw_select *w, int j)
{
  const mw_reduction *r = w->r;
  const mw_pattern *c = &w->p->list[j];
  bool output = c->kind == MW_PATTERN_OUTPUT;
  if (!output && c->kind != MW_PATTERN_DRIVE) return false;
  int l = output ? 3 * c->index + c->axis : 3 * r->model->n_output + c->index;
  return l < 64 && (r->hold >> l & 1u) != 0;
}

// Columns of fixed loads, and modes made M-orthogonal to them. What of them cannot be followed
// alone stays open.
static mw_code held_first(mw_select *w, char *open, int *aside, mw_error *err)
{
  mw_reduction *r = w->r;
  mw_arena tmp = { 0 };
  size_t n = (size_t)r->n, m = (size_t)r->m_modes;
  char *held = mw_arena_alloc(&tmp, (size_t)w->p->n, 1);
  double *MX = mw_arena_f64(&tmp, m * n), *G = mw_arena_f64(&tmp, m * m);
  int n_aside;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int j = 0; rc == MW_OK && j < w->p->n; j++) {
    held[j] = is_held(w, j);
    w->left[j] = held[j] ? w->whole[j] : 0.0;
  }
  if (rc == MW_OK) rc = follow_alone(w, LOADS, held, aside, &n_aside, err);
  for (int j = 0; rc == MW_OK && j < w->p->n; j++)
    if (w->p->list[j].kept) open[j] = 0;
  for (int g = 0; rc == MW_OK && g < r->n_point && r->m > r->m_modes; g++) {
    mw_grid_point *pt = &r->point[g];
    for (size_t a = 0; a < m; a++)
      mw_pattern_deflate(pt, r->n, r->m_modes, r->m, pt->Psi + a * n, w->Mp);
    rc = mw_orthonormal(pt->sys, r->m_modes, r->n, pt->Psi, MX, G, err);
  }
  bool turned = false;
  if (rc == MW_OK && r->m > r->m_modes) rc = mw_pattern_ritz(w, &turned, err);
  int n_turned = 0;
  for (int j = 0; rc == MW_OK && turned && j < w->p->n; j++) {
    if (!w->p->list[j].kept) continue;
    w->p->list[j].kept = false;
    w->p->list[j].spanned = true;
    aside[n_turned++] = j;
  }
  if (n_turned > 0)
    w->p->span[w->p->n_span++] =
        (mw_span){ .first = r->m_modes, .n = n_turned, .of = names_of(w->p, n_turned, aside) };
  mw_arena_free(&tmp);
  return rc;
}

// Takes out of energies own [p->n] of candidates x at a point what is on floating modes Ψ,
// bᵀ(ΨᵀKΨ)⁻¹b, b = ΨᵀKx. KX [p->n × n]: K x; KPsi [m_modes × n], A [m_modes²], b [m_modes] scratch.
static mw_code without_floating(const mw_select *w, const mw_grid_point *pt, const double *KX,
                                double *KPsi, double *A, double *b, double *own, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n;
  double limit = pow(2.0 * acos(-1.0) * r->model->reduction.floating, 2.0);
  int m = 0;  // floating ones, before the others: modes are in ascending order but for clusters
  mw_code rc = mw_system_mul_K_many(pt->sys, r->m_modes, pt->Psi, KPsi, err);
  while (rc == MW_OK && m < r->m_modes &&
         mw_dot(r->n, pt->Psi + (size_t)m * n, KPsi + (size_t)m * n) < limit)
    m++;
  if (rc != MW_OK || m == 0) return rc;
  mw_gemm('n', 't', m, m, r->n, 1.0, KPsi, pt->Psi, 0.0, A);
  rc = mw_chol_factor(m, A, err);
  for (int j = 0; rc == MW_OK && j < w->p->n; j++) {
    mw_gemm('n', 't', m, 1, r->n, 1.0, pt->Psi, KX + (size_t)j * n, 0.0, b);
    own[j] -= norm_lower(m, A, b);
  }
  return rc;
}

// Unit loads that θ holds entirely at a point bend nothing: what is left of them has no direction,
// and where no other load bends more it would count. own [p->n] is their compliance.
static void clear_held(const mw_select *w, const mw_grid_point *pt, double *own)
{
  for (int j = 0; j < w->p->n; j++) {
    if (group_of(&w->p->list[j]) != LOADS) continue;
    if (!mw_load_is_held(w->r->mech, w->lowest, own[j], of_torque(w, j))) continue;
    memset(pt->P + (size_t)j * (size_t)w->r->n, 0, (size_t)w->r->n * sizeof *pt->P);
    own[j] = 0.0;
  }
}

// Energies and M-norms of the candidates at some points
static mw_code sizes_at(void *ctx, int from, int to, mw_error *err)
{
  const mw_select *w = ctx;
  const mw_reduction *r = w->r;
  size_t n = (size_t)r->n, nc = (size_t)w->p->n;
  mw_arena tmp = { 0 };
  double *Y = mw_arena_f64(&tmp, nc * n), *KPsi = mw_arena_f64(&tmp, (size_t)r->m_modes * n),
         *A = mw_arena_f64(&tmp, (size_t)r->m_modes * (size_t)r->m_modes),
         *b = mw_arena_f64(&tmp, (size_t)r->m_modes);
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t g = (size_t)from; rc == MW_OK && g < (size_t)to; g++) {
    rc = mw_system_mul_K_many(r->point[g].sys, w->p->n, r->point[g].P, Y, err);
    for (size_t j = 0; rc == MW_OK && j < nc; j++)
      w->own[g * nc + j] = mw_dot(r->n, r->point[g].P + j * n, Y + j * n);
    if (rc == MW_OK) clear_held(w, &r->point[g], w->own + g * nc);
    if (rc == MW_OK && r->model->reduction.floating > 0.0)
      rc = without_floating(w, &r->point[g], Y, KPsi, A, b, w->own + g * nc, err);
    for (size_t j = 0; rc == MW_OK && j < nc; j++) {
      const double *x = r->point[g].P + j * n;
      double *y = Y + j * n;
      mw_system_mul_M(r->point[g].sys, x, y);
      w->norm[g * nc + j] = sqrt(mw_dot(r->n, x, y));
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

static mw_code select_init(mw_select *w, mw_reduction *r, mw_patterns *p, mw_error *err)
{
  size_t n = (size_t)r->n, np = (size_t)r->n_point, nc = (size_t)p->n;
  *w = (mw_select){ .r = r, .p = p };
  w->Mp = mw_arena_f64(&w->mem, n);
  w->res = mw_arena_f64(&w->mem, np * n);
  w->norm = mw_arena_f64(&w->mem, np * nc);
  w->own = mw_arena_f64(&w->mem, np * nc);
  w->whole = mw_arena_f64(&w->mem, nc);
  w->weight = mw_arena_f64(&w->mem, nc);
  w->left = mw_arena_f64(&w->mem, nc);
  w->healthy = mw_arena_alloc(&w->mem, np, 1);
  w->reached = mw_arena_alloc(&w->mem, np, 1);
  w->dropped = mw_arena_alloc(&w->mem, nc, 1);
  w->queue = mw_arena_int(&w->mem, np);
  p->n_lost = p->n_span = 0;
  p->span = mw_arena_alloc(&p->mem, nc, sizeof *p->span);
  for (int i = 0; i < r->s; i++) r->flat[i] = !mw_modes_change(r, i);
  w->lowest = INFINITY;
  for (size_t g = 0; g < np; g++)
    if (r->point[g].lambda) w->lowest = fmin(w->lowest, r->point[g].lambda[0]);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&p->mem, err);
  if (rc == MW_OK) rc = mw_pattern_dampers_init(w, err);
  mw_points of = { .n = r->n_point, .fn = sizes_at, .ctx = w };
  if (rc == MW_OK) rc = mw_parallel_points(r->work, &of, err);
  for (size_t j = 0; rc == MW_OK && j < nc; j++) {
    bool moved = p->list[j].kind == MW_PATTERN_ACCELERATION;
    w->weight[j] = moved ? pow(mw_pattern_unit_acceleration(r, p->list[j].index), 2.0) : 1.0;
    for (size_t g = 0; g < np; g++) w->whole[j] = fmax(w->whole[j], w->own[g * nc + j]);
  }
  return rc;
}

mw_code mw_patterns_select(mw_reduction *r, mw_patterns *p, mw_error *err)
{
  mw_select w;
  mw_progress_start(r->progress, "following patterns", GROUPS);
  mw_code rc = select_init(&w, r, p, err);
  char *open = mw_arena_alloc(&w.mem, (size_t)p->n, 1);
  int *aside = mw_arena_int(&w.mem, (size_t)p->n);
  if (rc == MW_OK) rc = mw_arena_check(&w.mem, err);
  if (rc == MW_OK) memset(open, 1, (size_t)p->n);
  if (rc == MW_OK && r->hold != 0) rc = held_first(&w, open, aside, err);
  if (rc == MW_OK) rc = take_out(&w, NULL, NULL, 0, 0, err);
  for (int group = LOADS; rc == MW_OK && group < GROUPS; group++) {
    int n_aside = 0;
    if (group == DAMPERS)
      rc = mw_pattern_dampers(&w, open, aside, &n_aside, err);
    else
      rc = follow_alone(&w, group, open, aside, &n_aside, err);
    if (rc == MW_OK) rc = follow_spans(&w, n_aside, aside, open, err);
    mw_progress_step(r->progress, group + 1);
  }
  mw_progress_end(r->progress);
  if (rc == MW_OK) rc = account_all(&w, err);
  if (rc == MW_OK) rc = mw_arena_check(&p->mem, err);
  mw_patterns_forget_dampers(p);
  mw_arena_free(&w.mem);
  return rc;
}
