// SPDX-License-Identifier: BSD-3-Clause
// certificate_fields.c: forces of the tables' coefficients, and of their slopes, against those of
// the mechanism (fields_layer.h).
//
// Along a line θ(t) of constant rates, the largest ones, each load l has a deflection at rest of
// the mechanism, δ_l = K⁻¹ F_l: gravity −U1, the largest accelerations −a_i d_i, the largest inputs
// u_k y1_k. Of tables and directly, on the columns:
//   inertia      a_i d_i ;  a_ij over √(a_ii a_jj)                                              (1)
//   gravity      U1 ;  H_g over K
//   convective   Q = ∂_t d − ½ b , the inertia of ρ_tt ;  R_l = 2 e δ_l' + (∂_t e − c) δ_l ,
//       of ΨᵀM d²/dt²(Ψ δ_l) less δ_l'' ;
//                H, 2 e, c and Y over K
//   own dampers  Σ c_i θ̇_i² of the coordinates, relative
//   damping      C δ_l' + CE δ_l ;  ωC and CE between the modes k,
//       l over |λ_k − λ_l + iω 2 √(ω_kω_l ζ_kζ_l)| e, ζ at least 0.01;
//                what the columns leave of dampers' gaps (damper.c)
//   inputs       ∂_t y0 and y1 of the field that each drive acts along, of a unit input, relative:
//                among those along coordinates
//   coordinates  ∂_t (½ a + U0) ,  ∂_t U1 δ_l + ½ δ_lᵀ ∂_t K δ_l + δ_lᵀ CC δ_l                  (2)
// A model is judged by all of the mechanism, whatever it was asked to leave out: of `first_order`
// H, H_g and Y are none, of `leading` b, c, e, CE, CC and dampers without springs, too.
// What stands in (2) for gravity alone errs along each coordinate i by
//   ΔQ_i = |∂_i ΔV| ,  V = U0 + U1 δ_l + ½ δ_lᵀ K δ_l ,  as waves of length 2π ΔV/ΔQ_i         (3)
// on lines along i alone, the largest; runs that leave i free drift by it (sim/gmp/drift.c).
// δ_l is the mechanism's on both sides: what differs is the residual of the tables' equations on
// its motion. Forces on the columns err by |ΔF| over the sum of |F_l|, both the root of FᵀK⁻¹F, of
// the deflection they make; matrices over K by their entries between the modes k, l of K over the
// larger λ (2 e: times the lower ω); (2) over what accelerates the coordinates, and the energy of
// the deflections over the range.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "fields_layer.h"

typedef struct side {   // tables or mechanism
  double *record;       // [MW_LINE × lay.n]  K elastic
  const double *d;      // [MW_LINE × s × m]
  const double *input;  // [MW_LINE × n_input × m]  NULL: those of the record's fields
  double *F;            // [n_load × m]   in the middle
  double *R, *D;        // [n_load × m]   R_l, and damping
  double *p;            // [n_load]       (2)
  double *Q;            // [m]
  double *c;            // [m × m]        c less ∂_t H: with −H_tt in place of it
} side;

typedef struct fields {
  const mw_reduction *r;
  const mw_tables *t;
  const mw_lines *z;
  const mw_rom *rom;
  mw_rom_inertia inertia;  // that it runs with
  mw_rom_layout lay;       // of rom
  int n_load;
  side table, direct;
  double *delta;            // [n_load × MW_LINE × m]  δ_l
  double *td, *value, *Hg;  // [MW_LINE × s × m]; [n_field]; [mm]
  double *K, *L, *V, *w;    // of the mechanism in the middle: K, its factor, its modes
  // [n_input]  largest power of unit inputs over the lines, and not less than rounding
  double *input;
  double *own;               // [m]  mw_damper_own of the modes
  double *gap;               // [dampers × m]  gaps of the modes
  double *A, *B, *x;         // [m × m], [m × m], [m]
  double *H;                 // [m × m]  ∂_t H of the tables
  double *none;              // [mm]  zeros: Y of an input that the tables have none of
  double force[MW_MOTIONS];  // of the line: |ΔF|, over `load` in the end
  double share[MW_MOTIONS];  // of the line: what is relative by itself
  double load, power;        // of the line: Σ |F_l|; what accelerates
  double rest_force[MW_ROM_MAX_S], rest_energy[MW_ROM_MAX_S];  // largest ΔQ_i, |ΔV| of (3)
  mw_arena mem;
} fields;

static void side_init(fields *z, side *s)
{
  size_t m = (size_t)z->r->m, nl = (size_t)z->n_load;
  s->F = mw_arena_f64(&z->mem, nl * m);
  s->R = mw_arena_f64(&z->mem, nl * m);
  s->D = mw_arena_f64(&z->mem, nl * m);
  s->p = mw_arena_f64(&z->mem, nl);
  s->Q = mw_arena_f64(&z->mem, m);
  s->c = mw_arena_f64(&z->mem, m * m);
}

static mw_code fields_init(fields *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  size_t m = (size_t)r->m, mm = m * m, s = (size_t)r->s;
  z->n_load = 1 + r->s + r->model->n_drive;
  side_init(z, &z->table);
  side_init(z, &z->direct);
  z->table.record = mw_arena_f64(&z->mem, MW_LINE * (size_t)z->z->lay.n);
  z->td = mw_arena_f64(&z->mem, MW_LINE * s * m);
  z->table.d = z->td;
  z->delta = mw_arena_f64(&z->mem, (size_t)z->n_load * MW_LINE * m);
  z->value = mw_arena_f64(&z->mem, (size_t)z->rom->n_field);
  z->Hg = mw_arena_f64(&z->mem, mm);
  double **square[] = { &z->K, &z->L, &z->V, &z->A, &z->B, &z->H };
  for (size_t i = 0; i < sizeof square / sizeof *square; i++)
    *square[i] = mw_arena_f64(&z->mem, mm);
  z->w = mw_arena_f64(&z->mem, m);
  z->x = mw_arena_f64(&z->mem, m);
  z->none = mw_arena_f64(&z->mem, mm);
  z->own = mw_arena_f64(&z->mem, m);
  z->input = mw_arena_f64(&z->mem, (size_t)r->model->n_drive);
  z->gap = mw_arena_f64(&z->mem, (size_t)z->z->damper.n * m);
  return mw_arena_check(&z->mem, err);
}

static void unpack(int m, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) A[a * m + b] = A[b * m + a] = x[a * (a + 1) / 2 + b];
}

static void unpack_skew(int m, double f, const double *x, double *A)
{
  for (int a = 0; a < m; a++)
    for (int b = 0; b < a; b++) {
      A[a * m + b] += f * x[a * (a - 1) / 2 + b];
      A[b * m + a] -= f * x[a * (a - 1) / 2 + b];
    }
}

// y += f A x
static void times(int m, double f, const double *A, const double *x, double *y)
{
  for (int a = 0; a < m; a++) y[a] += f * mw_dot(m, A + a * m, x);
}

// Derivative at the middle of values `stride` apart
static double slope(const double *x, size_t stride, double h)
{
  return (x[0] - 8.0 * x[stride] + 8.0 * x[3 * stride] - x[4 * stride]) / (12.0 * h);
}

// ---- one side -----------------------------------------------------------------------------------

// Unit input u at point k of the line, on the columns
static const double *unit_input(const fields *z, const side *s, int u, int k)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m;
  if (s->input) return s->input + (size_t)((k * z->r->model->n_drive + u) * m);
  return s->record + (size_t)k * (size_t)L->n + L->y + z->rom->u_field[u] * (1 + m) + 1;
}

// Load l at point k of the line
static void load_at(const fields *z, const side *s, int l, int k, double *F)
{
  const mw_reduction *r = z->r;
  const mw_rom_layout *L = &z->z->lay;
  const double *rec = s->record + (size_t)k * (size_t)L->n;
  int m = r->m;
  for (int a = 0; a < m; a++) {
    if (l == 0) F[a] = -rec[L->U1 + a];
    if (l > 0 && l <= r->s)
      F[a] = -z->r->range.acceleration[l - 1] * s->d[(k * r->s + l - 1) * m + a];
    if (l > r->s) {
      int u = l - 1 - r->s;
      double most = r->model->reduction.max_input[u];
      F[a] = (most > 0.0 && isfinite(most) ? most : 0.0) * unit_input(z, s, u, k)[a];
    }
  }
}

// δ_l of the mechanism
static mw_code rest(fields *z, int l, mw_error *err)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < MW_LINE; k++) {
    double *d = z->delta + (size_t)(l * MW_LINE + k) * (size_t)m;
    load_at(z, &z->direct, l, k, d);
    unpack(m, z->direct.record + (size_t)k * (size_t)L->n + L->K, z->A);
    rc = mw_chol_factor(m, z->A, err);
    if (rc == MW_OK) mw_chol_solve(m, z->A, 1, d);
  }
  return rc;
}

// R_l, damping and (2) of load l
static void moving(fields *z, side *s, int l, double h)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m, mm = m * (m + 1) / 2;
  size_t n = (size_t)L->n, M = (size_t)m, at = (size_t)l * M;
  const double *mid = s->record + MW_LINE_MID * n, *line = z->delta + (size_t)(l * MW_LINE) * M,
               *delta = line + MW_LINE_MID * M;
  double *R = s->R + at, *D = s->D + at, *rate = z->x, p = 0.0;
  for (int a = 0; a < m; a++) {
    rate[a] = slope(line + a, M, h);
    R[a] = D[a] = 0.0;
    p += slope(s->record + L->U1 + a, n, h) * delta[a];
  }
  memset(z->A, 0, M * M * sizeof *z->A);
  unpack_skew(m, 2.0, mid + L->e, z->A);
  times(m, 1.0, z->A, rate, R);
  memset(z->A, 0, M * M * sizeof *z->A);
  unpack_skew(m, 0.5 / h, mid + n + L->e, z->A);
  unpack_skew(m, -0.5 / h, mid - n + L->e, z->A);
  times(m, 1.0, z->A, delta, R);
  times(m, -1.0, s->c, delta, R);
  unpack(m, mid + L->C, z->A);
  times(m, 1.0, z->A, rate, D);
  times(m, 1.0, mid + L->CE, delta, D);
  for (int k = 0; k < mm; k++) z->B[k] = 0.5 * slope(s->record + L->K + k, n, h) + mid[L->CC + k];
  unpack(m, z->B, z->A);
  memset(z->x, 0, M * sizeof *z->x);
  times(m, 1.0, z->A, delta, z->x);
  s->p[l] = p + mw_dot(m, delta, z->x);
}

static void side_of(fields *z, side *s, double h)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m;
  size_t n = (size_t)L->n;
  for (int l = 0; l < z->n_load; l++) {
    load_at(z, s, l, MW_LINE_MID, s->F + (size_t)l * (size_t)m);
    moving(z, s, l, h);
  }
  const double *mid = s->record + MW_LINE_MID * n;
  for (int a = 0; a < m; a++) s->Q[a] = slope(s->record + L->d + a, n, h) - 0.5 * mid[L->b + a];
}

// Clears what runs of the model leave out of its tables (inertia: leading): b, c, e.
static void forget_unused(const fields *z, double *rec)
{
  const mw_rom_layout *L = &z->z->lay;
  size_t m = (size_t)z->r->m;
  if (z->inertia != MW_ROM_LEADING) return;
  memset(rec + L->b, 0, m * sizeof *rec);
  memset(rec + L->c, 0, m * (m + 1) / 2 * sizeof *rec);
  memset(rec + L->e, 0, m * (m - 1) / 2 * sizeof *rec);
}

// The tables along the line
static mw_code table_of(fields *z, const mw_line *l, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_rom_layout *L = &z->z->lay;
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, n = (size_t)L->n, s = (size_t)r->s;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < MW_LINE; k++) {
    double theta[MW_ROM_MAX_S], *rec = z->table.record + (size_t)k * n;
    for (int i = 0; i < r->s; i++)
      theta[i] = l->theta[i] + l->rate[i] * (k - MW_LINE_MID) * l->step;
    if (mw_rom_fields(z->rom, theta, z->value, NULL, NULL) != MW_ROM_OK)
      return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
    mw_line_contract(z->z, l, mw_rom_shape_of(z->rom), z->value, rec);
    forget_unused(z, rec);
    memcpy(z->td + (size_t)k * s * m, z->value + z->lay.d, s * m * sizeof *z->td);
    rc = mw_gravity_stiffness(r, z->t, theta, z->Hg, err);
    if (rc == MW_OK) mw_axpy((int)mm, 1.0, z->Hg, rec + L->K);
  }
  if (rc == MW_OK) rc = mw_gravity_stiffness(r, z->t, l->theta, z->Hg, err);
  for (size_t k = 0; k < mm; k++) z->B[k] = slope(z->table.record + L->H + k, n, l->step);
  unpack(r->m, z->B, z->H);
  unpack(r->m, z->table.record + MW_LINE_MID * n + L->c, z->table.c);
  mw_axpy(r->m * r->m, -1.0, z->H, z->table.c);
  return rc;
}

static void direct_of(fields *z, const mw_line *l)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m;
  z->direct.record = l->record;
  z->direct.d = l->d;
  z->direct.input = l->input;
  unpack(m, l->record + MW_LINE_MID * (size_t)L->n + L->c, z->direct.c);
  unpack(m, l->Hij, z->A);
  mw_axpy(m * m, -1.0, z->A, z->direct.c);
}

// ---- comparison ---------------------------------------------------------------------------------

// √(xᵀK⁻¹x), of x − y where there is a y
static double energy(fields *z, const double *x, const double *y)
{
  int m = z->r->m;
  double sum = 0.0;
  for (int a = 0; a < m; a++) {
    double v = x[a] - (y ? y[a] : 0.0);
    v -= mw_dot(a, z->L + a * m, z->x);
    z->x[a] = v / z->L[a * m + a];
    sum += z->x[a] * z->x[a];
  }
  return sqrt(sum);
}

static void most(double *to, double x)
{
  if (!(x <= *to)) *to = x;  // a number that is none stays
}

// z->A := Vᵀ A V
static void between_modes(fields *z)
{
  int m = z->r->m;
  mw_gemm('n', 'n', m, m, m, 1.0, z->A, z->V, 0.0, z->B);
  mw_gemm('t', 'n', m, m, m, 1.0, z->V, z->B, 0.0, z->A);
}

// Largest entry of z->A between the modes over the larger λ
static double over_K(fields *z)
{
  int m = z->r->m;
  double big = 0.0;
  between_modes(z);
  for (int k = 0; k < m; k++)
    for (int l = 0; l <= k; l++) most(&big, fabs(z->A[k * m + l]) / z->w[k]);
  return big;
}

// The same of f (x − y), packed
static double share(fields *z, double f, const double *x, const double *y)
{
  int m = z->r->m, mm = m * (m + 1) / 2;
  for (int k = 0; k < mm; k++) z->B[k] = f * (x[k] - y[k]);
  unpack(m, z->B, z->A);
  return over_K(z);
}

static double gyroscopic(fields *z)
{
  const mw_rom_layout *L = &z->z->lay;
  size_t mid = MW_LINE_MID * (size_t)L->n + (size_t)L->e;
  int m = z->r->m;
  double big = 0.0;
  memset(z->A, 0, (size_t)(m * m) * sizeof *z->A);
  unpack_skew(m, 2.0, z->table.record + mid, z->A);
  unpack_skew(m, -2.0, z->direct.record + mid, z->A);
  between_modes(z);
  for (int k = 0; k < m; k++)
    for (int l = 0; l < k; l++) most(&big, fabs(z->A[k * m + l]) * sqrt(z->w[l]) / z->w[k]);
  return big;
}

// What mode k makes mode j do at its frequency, or the other way round, by a force of f a unit; in
// a free vibration, exp −ζωt, which errs by at most 1/e of what its damping does
static double answer(const fields *z, int k, int j, double f)
{
  double w = sqrt(fmax(z->w[k], z->w[j]));
  return exp(-1.0) * fabs(f) / hypot(z->w[k] - z->w[j], w * sqrt(z->own[k] * z->own[j]));
}

// What the modes asked for lose or gain: of C, of CE beside it, and by gaps (damper.c)
static mw_code damping(fields *z, const mw_line *l, double *out, mw_error *err)
{
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m, mm = m * (m + 1) / 2, n = z->r->n_want < m ? z->r->n_want : m;
  const double *C = z->direct.record + MW_LINE_MID * (size_t)L->n + L->C,
               *T = z->table.record + MW_LINE_MID * (size_t)L->n + L->C;
  double big = 0.0, *own = z->own;
  unpack(m, C, z->A);
  between_modes(z);
  for (int k = 0; k < n; k++) own[k] = mw_damper_own(z->A[k * m + k], z->w[k]);
  for (int k = 0; k < mm; k++) z->B[k] = T[k] - C[k];
  unpack(m, z->B, z->A);
  between_modes(z);
  for (int k = 0; k < n; k++)
    for (int j = 0; j <= k; j++) most(&big, answer(z, k, j, sqrt(z->w[k]) * z->A[k * m + j]));
  for (int k = 0; k < m * m; k++) z->A[k] = T[L->CE - L->C + k] - C[L->CE - L->C + k];
  between_modes(z);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) most(&big, answer(z, k, j, z->A[k * m + j]));
  const mw_dampers *d = &z->z->damper;
  double lost = 0.0;
  mw_gemm('n', 'n', d->n, m, m, 1.0, l->gap, z->V, 0.0, z->gap);
  mw_code rc = mw_damper_loss(d, l->give, m, n, z->gap, z->w, own, &lost, NULL, err);
  most(&big, lost);
  most(out, big);
  return rc;
}

// Unit inputs along the line and on the columns; these over what unit forces at outputs do, too,
// where drives do nothing
static double inputs(fields *z, const mw_line *l)
{
  static const double LEAST = 1e-6;
  const mw_model *model = z->r->model;
  const mw_rom_layout *L = &z->z->lay;
  int m = z->r->m;
  double big = 0.0, size = 0.0, *f = z->B;
  for (int o = 0; o < model->n_output; o++)
    for (int k = 0; k < 3 && !mw_output_is_gauge(&model->output[o]); k++) {
      int row = mw_output_row(model, o) + k;
      const double *y1 = z->direct.record + MW_LINE_MID * (size_t)L->n + L->y + row * (1 + m) + 1;
      size = fmax(size, energy(z, y1, NULL));
    }
  for (int u = 0; u < model->n_drive; u++) {
    const double *y0 = z->table.record + L->y + z->rom->u_field[u] * (1 + m);
    double own = energy(z, unit_input(z, &z->direct, u, MW_LINE_MID), NULL);
    for (int a = 0; a < m; a++)
      f[a] = unit_input(z, &z->table, u, MW_LINE_MID)[a] -
             unit_input(z, &z->direct, u, MW_LINE_MID)[a];
    double by = energy(z, f, NULL), power = slope(y0, (size_t)L->n, l->step) - l->power[u];
    if (by > 0.0) most(&big, by / fmax(own, LEAST * size));
    if (power != 0.0) most(&big, fabs(power) / z->input[u]);
  }
  return big;
}

// The coordinates' own dampers
static double own_dampers(const fields *z, const mw_line *l)
{
  const mw_reduction *r = z->r;
  double has = 0.0, is = 0.0;
  for (int i = 0; i < r->s; i++) {
    const mw_joint_in *j = r->mech->joint[r->mech->coord_joint[r->coord[i]]].in;
    double v2 = l->rate[i] * l->rate[i];
    is += j->coordinate_damping * v2;
    has += (z->rom->c_theta ? z->rom->c_theta[i] : 0.0) * v2;
  }
  return has == is ? 0.0 : fabs(has - is) / is;
}

static void compare_shares(fields *z, const mw_line *l)
{
  const mw_reduction *r = z->r;
  const mw_rom_layout *L = &z->z->lay;
  size_t mid = MW_LINE_MID * (size_t)L->n, mm = (size_t)(r->m * (r->m + 1) / 2);
  const double *T = z->table.record + mid, *D = z->direct.record + mid;
  double *s = z->share, ahead = 0.0;
  for (int i = 0; i < r->s; i++)
    if (l->rate[i] != 0.0) ahead = fmax(ahead, z->r->range.acceleration[i] / z->r->range.rate[i]);
  for (int i = 0, ij = 0; i < r->s; i++)
    for (int j = 0; j <= i; j++, ij++) {
      double size = sqrt(l->a[i * (i + 3) / 2] * l->a[j * (j + 3) / 2]);
      if (size > 0.0) most(&s[MW_MOTION_INERTIA], fabs(z->value[z->lay.a + ij] - l->a[ij]) / size);
    }
  most(&s[MW_MOTION_DAMPING], own_dampers(z, l));
  most(&s[MW_MOTION_COORDINATE], inputs(z, l));
  most(&s[MW_MOTION_CONVECTIVE], gyroscopic(z));
  for (int k = 0; k < r->m * r->m; k++) z->A[k] = z->table.c[k] - z->direct.c[k];
  most(&s[MW_MOTION_CONVECTIVE], over_K(z));
  most(&s[MW_MOTION_CONVECTIVE], share(z, ahead, T + L->H, D + L->H));
  most(&s[MW_MOTION_GRAVITY], share(z, 1.0, z->Hg, l->Hg));
  for (int u = 0; u < r->model->n_drive; u++) {
    double by = r->model->reduction.max_input[u];
    int k = 0;
    while (k < z->rom->n_Y && z->rom->Y_field[k] != z->rom->u_field[u]) k++;
    if (!(by > 0.0) || !isfinite(by)) continue;
    const double *at = k < z->rom->n_Y ? z->value + z->lay.Y + (size_t)k * mm : z->none;
    most(&s[MW_MOTION_CONVECTIVE], share(z, by, at, l->Y + (size_t)u * mm));
  }
}

static void compare_forces(fields *z, const mw_line *l)
{
  const mw_reduction *r = z->r;
  const mw_rom_layout *L = &z->z->lay;
  const side *T = &z->table, *D = &z->direct;
  size_t m = (size_t)r->m, n = (size_t)L->n;
  double *f = z->force, p[2], work = 0.0;
  for (int k = 0; k < z->n_load; k++) {
    size_t at = (size_t)k * m;
    double e = energy(z, T->F + at, D->F + at);
    double own = energy(z, D->F + at, NULL);
    z->load += own;
    work += 0.5 * own * own;
    if (k <= r->s) most(&f[k == 0 ? MW_MOTION_GRAVITY : MW_MOTION_INERTIA], e);
    most(&f[MW_MOTION_CONVECTIVE], energy(z, T->R + at, D->R + at));
    most(&f[MW_MOTION_DAMPING], energy(z, T->D + at, D->D + at));
    most(&f[MW_MOTION_COORDINATE], fabs(T->p[k] - D->p[k]));
  }
  most(&f[MW_MOTION_CONVECTIVE], energy(z, T->Q, D->Q));
  z->load += energy(z, D->Q, NULL);
  for (int k = 0; k < 2; k++) {
    const double *rec = k ? D->record : T->record;
    p[k] = 0.5 * slope(rec + L->a, n, l->step) + slope(rec + L->U0, n, l->step);
  }
  most(&f[MW_MOTION_COORDINATE], fabs(p[0] - p[1]));
  for (int i = 0; i < r->s; i++) {
    double forces = z->r->range.acceleration[i] * l->a[i * (i + 3) / 2];
    z->power += fabs(l->rate[i]) * (forces + work / (r->hi[i] - r->lo[i]));
  }
}

// V of (3) with the record of point k
static double rest_energy(const fields *z, const side *s, int k)
{
  int m = z->r->m;
  const mw_rom_layout *L = &z->z->lay;
  const double *rec = s->record + k * L->n, *K = rec + L->K, *delta = z->delta + MW_LINE_MID * m;
  double V = rec[L->U0] + mw_dot(m, rec + L->U1, delta);
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) V += (a == b ? 0.5 : 1.0) * *K++ * delta[a] * delta[b];
  return V;
}

// (3) of a line along one coordinate
static void compare_rest(fields *z, const mw_line *l)
{
  int along = 0, n = 0;
  double off[MW_LINE];
  for (int i = 0; i < z->r->s; i++)
    if (l->rate[i] != 0.0 && n++ == 0) along = i;
  if (n != 1) return;
  for (int k = 0; k < MW_LINE; k++)
    off[k] = rest_energy(z, &z->table, k) - rest_energy(z, &z->direct, k);
  most(&z->rest_force[along], fabs(slope(off, 1, l->step) / l->rate[along]));
  most(&z->rest_energy[along], fabs(off[MW_LINE_MID]));
}

static mw_code compare_line(fields *z, const mw_line *l, mw_error *err)
{
  const mw_reduction *r = z->r;
  int m = r->m;
  mw_code rc = table_of(z, l, err);
  if (rc != MW_OK) return rc;
  direct_of(z, l);
  const double *mid = z->direct.record + MW_LINE_MID * (size_t)z->z->lay.n;
  unpack(m, mid + z->z->lay.K, z->K);
  memcpy(z->L, z->K, (size_t)(m * m) * sizeof *z->K);
  memcpy(z->A, z->K, (size_t)(m * m) * sizeof *z->K);
  rc = mw_chol_factor(m, z->L, err);
  if (rc == MW_OK) rc = mw_eig_sym(m, z->A, z->w, z->V, err);
  for (int k = 0; rc == MW_OK && k < z->n_load; k++) rc = rest(z, k, err);
  if (rc == MW_OK && mw_rom_fields(z->rom, l->theta, z->value, NULL, NULL) != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
  if (rc != MW_OK) return rc;
  side_of(z, &z->direct, l->step);
  side_of(z, &z->table, l->step);
  memset(z->force, 0, sizeof z->force);
  memset(z->share, 0, sizeof z->share);
  z->load = z->power = 0.0;
  compare_forces(z, l);
  compare_rest(z, l);
  compare_shares(z, l);
  return damping(z, l, &z->share[MW_MOTION_DAMPING], err);
}

// z->input, of the lines
static void largest_powers(fields *z)
{
  static const double LEAST = 1e-6;
  int n = z->r->model->n_drive;
  double big = 0.0;
  for (int u = 0; u < n; u++)
    for (int j = 0; j < z->z->n; j++)
      if (!z->z->line[j].lost) z->input[u] = fmax(z->input[u], fabs(z->z->line[j].power[u]));
  for (int u = 0; u < n; u++) big = fmax(big, z->input[u]);
  for (int u = 0; u < n; u++) z->input[u] = fmax(z->input[u], LEAST * big);
}

mw_code mw_certificate_fields(const mw_reduction *r, const mw_tables *t, const mw_lines *lines,
                              const mw_rom_file *f, mw_certificate *c, mw_arena *mem, mw_error *err)
{
  fields z = { .r = r, .t = t, .z = lines, .rom = &f->rom, .inertia = f->inertia };
  z.lay = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  double load = 0.0, power = 0.0;
  mw_code rc = fields_init(&z, err);
  double *all = mw_arena_f64(&z.mem, 2 * MW_MOTIONS * (size_t)lines->n);
  c->force_theta = mw_arena_f64(mem, MW_MOTIONS * (size_t)r->s);
  c->force_rate = mw_arena_f64(mem, (size_t)r->s);
  c->force_acceleration = mw_arena_f64(mem, (size_t)r->s);
  c->rest_force = mw_arena_f64(mem, (size_t)r->s);
  c->rest_length = mw_arena_f64(mem, (size_t)r->s);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    c->force_rate[i] = r->range.rate[i];
    c->force_acceleration[i] = r->range.acceleration[i];
  }
  if (rc == MW_OK) largest_powers(&z);
  for (int j = 0; rc == MW_OK && j < lines->n; j++) {
    if (lines->line[j].lost) {  // nothing to compare with: all of it is wrong
      for (int k = 0; k < MW_MOTIONS; k++) all[(2 * j + 1) * MW_MOTIONS + k] = 1.0;
      continue;
    }
    rc = compare_line(&z, &lines->line[j], err);
    memcpy(all + 2 * MW_MOTIONS * j, z.force, sizeof z.force);
    memcpy(all + (2 * j + 1) * MW_MOTIONS, z.share, sizeof z.share);
    load = fmax(load, z.load);
    power = fmax(power, z.power);
  }
  c->n_force = lines->n;
  c->n_force_random = lines->n_random;
  c->force_assumed = r->range.assumed ? mw_arena_str(mem, r->range.assumed) : NULL;
  for (int k = 0; k < MW_MOTIONS; k++) c->force_error[k] = -1.0;
  for (int j = 0; rc == MW_OK && j < lines->n; j++)
    for (int k = 0; k < MW_MOTIONS; k++) {
      double x = all[2 * MW_MOTIONS * j + k], e = all[(2 * j + 1) * MW_MOTIONS + k],
             by = k == MW_MOTION_COORDINATE ? power : load;
      if (x > 0.0) most(&e, x / by);
      if (isnan(c->force_error[k]) || e <= c->force_error[k]) continue;
      c->force_error[k] = e;
      memcpy(c->force_theta + k * r->s, lines->line[j].theta, (size_t)r->s * sizeof(double));
    }
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    double Q = c->rest_force[i] = z.rest_force[i];
    c->rest_length[i] = Q > 0.0 ? 2.0 * acos(-1.0) * z.rest_energy[i] / Q : 0.0;
  }
  mw_arena_free(&z.mem);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}
