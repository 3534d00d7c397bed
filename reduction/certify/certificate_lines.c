// SPDX-License-Identifier: BSD-3-Clause
// certificate_lines.c: coefficients of the reduced Lagrangian made directly at configurations off
// the grid (fields_layer.h).
//
//   θ(t) = θ_0 + v t ,  t = −2h … 2h in MW_LINE points,
//       |v_i| h at most STEP of the grid's interval      (1)
// A line is a grid of its own, of the one coordinate t: ρ_t = Σ v_i ρ_i. Columns there are those of
// the mechanism at θ(t) in the frame of the tables' (certificate_columns.c), so that vectors on
// them may be compared with those of tables; shapes, and their derivatives by t, are the
// mechanism's.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fields_layer.h"
#include "pattern/patterns_layer.h"
#include "sample/sample_layer.h"
#include "second/extra_layer.h"
#include "second/second_layer.h"
#include "table/parameter_layer.h"
#include "work/offline_layer.h"

static const double STEP = 0.02;
static const double SEEN = 1e-10;  // of a further column's own M-norm, squared: less is rounding

typedef struct point {  // of a line
  mw_config q, all;     // rates along the line; of all coordinates
  mw_system *sys;
  double *Psi;  // [m × n]
} point;

typedef struct build {
  mw_reduction *r;
  const mw_patterns *cand;
  mw_lines *z;
  mw_axis axis;  // of t
  int at[MW_LINE];
  mw_reduction line;  // s = 1, the points of one line
  mw_second second;   // of s = 1
  mw_grid_point grid[MW_LINE];
  point p[MW_LINE];
  int n_y;
  bool *apart;  // [m]  columns outside the patterns' span
  int n_mid;
  mw_grid_point *mid;  // [n]  middles of all lines, in memory of their own; sys NULL: it is lost
  mw_arena tmp;        // of one line
  mw_arena mem;
} build;

void mw_lines_free(mw_lines *z)
{
  mw_arena_free(&z->mem);
  *z = (mw_lines){ 0 };
}

// ---- places -------------------------------------------------------------------------------------

// θ of line j: random, of the lines at ends in the middle of an outermost interval, or a given one
static void middle(const mw_reduction *r, const mw_line_places *at, int j, uint64_t *state,
                   double *theta)
{
  int end = j - at->n_random, s = r->s, given = end - at->n_end;
  mw_points_random(r, 1, state, theta);
  if (given >= 0) {
    memcpy(theta, at->given.theta + given * s, (size_t)s * sizeof *theta);
  } else if (end >= 0) {
    int i = end / 2 % s;
    double half = 0.5 * (mw_axis_theta(&r->axis[i], 1) - mw_axis_theta(&r->axis[i], 0));
    theta[i] = end % 2 ? r->hi[i] - half : r->lo[i] + half;
  }
}

// The middle, rate and step of line j: along one coordinate after the other, then along all of them
// at once with signs of chance.
static void place(const mw_reduction *r, const mw_line_places *at, int j, uint64_t *state,
                  mw_lines *z)
{
  mw_line *l = &z->line[j];
  double chance[MW_ROM_MAX_S], cell[MW_ROM_MAX_S];
  int turn = r->s > 1 ? j % (r->s + 1) : 0;
  middle(r, at, j, state, l->theta);
  mw_points_random(r, 1, state, chance);
  l->step = INFINITY;
  for (int i = 0; i < r->s; i++) {
    const mw_axis *a = &r->axis[i];
    double width = r->hi[i] - r->lo[i];
    bool back = chance[i] - r->lo[i] < 0.5 * width;
    // the half that tables of symmetric axes hold
    if (r->model->reduction.coordinate[i].symmetric)
      l->theta[i] = fmin(l->theta[i], r->lo[i] + r->hi[i] - l->theta[i]);
    int k = 0;
    while (k + 2 < a->n && mw_axis_theta(a, k + 1) < l->theta[i]) k++;
    cell[i] = mw_axis_theta(a, k + 1) - mw_axis_theta(a, k);
    if (turn != r->s && turn != i) continue;
    l->rate[i] = back ? -r->range.rate[i] : r->range.rate[i];
    l->step = fmin(l->step, STEP * cell[i] / r->range.rate[i]);
  }
  for (int i = 0; i < r->s; i++) {
    bool half = r->model->reduction.coordinate[i].symmetric;
    // a pattern may vanish at an end, where no line goes
    double room = (MW_LINE_MID + 1) * STEP * cell[i],
           hi = half ? 0.5 * (r->lo[i] + r->hi[i]) : r->hi[i];
    l->theta[i] = fmin(fmax(l->theta[i], r->lo[i] + room), hi - room);
  }
}

// ---- points ------------------------------------------------------------------------------------

// Σ rate_i v_i of `width` entries a coordinate
static double *along(const mw_reduction *r, const mw_line *l, size_t width, const double *v,
                     mw_arena *mem)
{
  double *out = mw_arena_f64(mem, width);
  for (int i = 0; out && i < r->s; i++) mw_axpy((int)width, l->rate[i], v + (size_t)i * width, out);
  return out;
}

// Rows of Psi [m × n] := M-orthonormal ones of the same span, in the frame nearest to X [m × n]:
// (B Bᵀ)^-½ B Q of the nearest ones Q, B = X M Qᵀ.
static mw_code in_frame_of(build *b, mw_system *sys, const double *X, double *Psi, mw_error *err)
{
  int m = b->r->m, n = b->r->n;
  size_t mn = (size_t)m * (size_t)n;
  double *MX = mw_arena_f64(&b->tmp, mn), *B = mw_arena_f64(&b->tmp, (size_t)m * (size_t)m);
  mw_code rc = mw_arena_check(&b->tmp, err);
  if (rc == MW_OK) rc = mw_columns_nearest(sys, m, n, Psi, MX, err);
  if (rc != MW_OK) return rc;
  for (int a = 0; a < m; a++)
    mw_system_mul_M(sys, Psi + (size_t)a * (size_t)n, MX + (size_t)a * (size_t)n);
  mw_gemm('n', 't', m, m, n, 1.0, X, MX, 0.0, B);
  mw_gemm('n', 'n', m, n, m, 1.0, B, Psi, 0.0, MX);
  memcpy(Psi, MX, mn * sizeof *Psi);
  return mw_columns_nearest(sys, m, n, Psi, MX, err);
}

// Columns at a point: those of the mechanism; at other values of parameters (certificate_range.c)
// those of the middle, turned as the tables are, in the frame of the tables'.
static mw_code columns_of(build *b, const mw_direct_columns *in, double *Psi, mw_error *err)
{
  const mw_reduction *r = b->r;
  const mw_shifted *to = r->shifted;
  if (!to) return mw_columns_direct(in, Psi, err);
  mw_direct_columns middle = *in;
  middle.r = to->middle;
  middle.sys = NULL;
  double *X = mw_arena_f64(&b->tmp, (size_t)r->m * (size_t)r->n);
  mw_code rc = mw_arena_check(&b->tmp, err);
  if (rc == MW_OK)
    rc = mw_system_build(to->middle->blocks, r->locked, 0, in->q->p, in->q->s, &middle.sys, err);
  if (rc == MW_OK) rc = mw_columns_direct(&middle, Psi, err);
  mw_system_free(middle.sys);
  if (rc == MW_OK) rc = mw_columns_at(r, in->q->theta, r->m, X, err);
  if (rc == MW_OK) mw_turned_columns(to->turned, r->n, Psi);
  return rc == MW_OK ? in_frame_of(b, in->sys, X, Psi, err) : rc;
}

static mw_code point_at(build *b, const mw_line *l, int k, bool first, const mw_config *near,
                        mw_error *err)
{
  mw_reduction *r = b->r;
  point *p = &b->p[k];
  double theta[MW_ROM_MAX_S];
  for (int i = 0; i < r->s; i++) theta[i] = l->theta[i] + l->rate[i] * (k - MW_LINE_MID) * l->step;
  mw_code rc = mw_config_at(r->mech, r->locked, r->s, r->coord, theta, near, &b->tmp, &p->all, err);
  if (rc != MW_OK) return rc;
  p->q = p->all;
  p->q.v = along(r, l, 6 * (size_t)r->mech->n_body, p->all.v, &b->tmp);
  p->q.s_dot = along(r, l, (size_t)r->mech->n_coord, p->all.s_dot, &b->tmp);
  rc = mw_arena_check(&b->tmp, err);
  if (rc == MW_OK) rc = mw_system_build(r->blocks, r->locked, 0, p->all.p, p->all.s, &p->sys, err);
  p->Psi = mw_arena_f64(&b->tmp, (size_t)r->m * (size_t)r->n);
  if (rc == MW_OK) rc = mw_arena_check(&b->tmp, err);
  const mw_direct_columns in = {
    .r = r, .cand = b->cand, .sys = p->sys, .q = &p->all, .apart = b->apart, .first = first
  };
  return rc == MW_OK ? columns_of(b, &in, p->Psi, err) : rc;
}

// ---- records ------------------------------------------------------------------------------------

// d of each coordinate at all points, a of each pair in the middle
static mw_code coordinates(build *b, mw_line *l, mw_error *err)
{
  const mw_reduction *r = b->r;
  size_t n = (size_t)r->n, s = (size_t)r->s, vb = 6 * (size_t)r->mech->n_body, m = (size_t)r->m;
  double *rho = mw_arena_f64(&b->tmp, s * n), *Mx = mw_arena_f64(&b->tmp, n);
  mw_code rc = mw_arena_check(&b->tmp, err);
  for (size_t k = 0; rc == MW_OK && k < MW_LINE; k++)
    for (size_t i = 0; i < s; i++) {
      const point *p = &b->p[k];
      mw_system_rigid(p->sys, p->all.v + i * vb, rho + i * n);
      mw_system_mul_M(p->sys, rho + i * n, Mx);
      mw_gemm('n', 't', r->m, 1, r->n, 1.0, p->Psi, Mx, 0.0, l->d + (k * s + i) * m);
      for (size_t j = 0; k == MW_LINE_MID && j <= i; j++)
        l->a[i * (i + 1) / 2 + j] = mw_dot(r->n, rho + j * n, Mx);
    }
  return rc;
}

// Unit inputs: on columns at all points, along the line in the middle. What θ holds does no work on
// columns.
static mw_code inputs(build *b, mw_line *l, mw_error *err)
{
  static const double none[3] = { 0.0, 0.0, 0.0 };
  const mw_reduction *r = b->r;
  const mw_model *model = r->model;
  size_t m = (size_t)r->m, n = (size_t)r->n, nu = (size_t)model->n_drive;
  double *f = mw_arena_f64(&b->tmp, n), *rho = mw_arena_f64(&b->tmp, n);
  mw_code rc = mw_arena_check(&b->tmp, err);
  for (size_t k = 0; rc == MW_OK && k < MW_LINE; k++) {
    const point *p = &b->p[k];
    for (size_t u = 0; u < nu; u++) {
      const mw_drive_in *d = &model->drive[u];
      int coord = d->joint >= 0 ? r->mech->joint[d->joint].coord : -1;
      double power = coord >= 0 ? p->q.s_dot[coord] : 0.0;
      if (coord >= 0)
        mw_system_load_coord(p->sys, coord, f);
      else
        mw_system_load_point(p->sys, d->on, none, d->dir, f);
      if (coord < 0) {
        mw_system_rigid(p->sys, p->q.v, rho);
        power = mw_dot(r->n, f, rho);
      }
      if (coord < 0 || !r->locked[coord])
        mw_gemm('n', 't', r->m, 1, r->n, 1.0, p->Psi, f, 0.0, l->input + (k * nu + u) * m);
      if (k == MW_LINE_MID) l->power[u] = power;
    }
  }
  return rc;
}

// Records of the bare layout into those of the line, with what dampers without springs and
// convective damping add.
static void put(const build *b, const mw_extra *x, const double *bare, mw_line *l)
{
  const mw_rom_layout from =
                          mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = b->r->m, .n_y = b->n_y }),
                      *to = &b->z->lay;
  int m = b->r->m, mm = m * (m + 1) / 2;
  for (int k = 0; k < MW_LINE; k++) {
    const double *in = bare + (size_t)k * (size_t)from.n;
    double *out = l->record + (size_t)k * (size_t)to->n;
    memcpy(out, in, (size_t)from.y * sizeof *out);
    memcpy(out + to->y, in + from.y, (size_t)(from.n - from.y) * sizeof *out);
    if (!x->CE) continue;
    mw_axpy(mm, 1.0, x->C + k * mm, out + to->C);
    memcpy(out + to->CE, x->CE + (size_t)(k * m * m), (size_t)(m * m) * sizeof *out);
    memcpy(out + to->CC, x->CC + (size_t)(k * mm), (size_t)mm * sizeof *out);
  }
}

static mw_code records(build *b, mw_line *l, mw_error *err)
{
  mw_reduction *line = &b->line;
  const mw_rom_shape shape = { .s = 1, .m = line->m, .n_y = b->n_y };
  size_t m = (size_t)line->m;
  mw_extra x = { .n_point = MW_LINE, .s = 1, .m = line->m };
  double *bare = mw_arena_f64(&b->tmp, MW_LINE * (size_t)mw_rom_n_field(shape)),
         *start = mw_arena_f64(&b->tmp, MW_LINE * (m * (m + 1) / 2 + m * m));
  mw_code rc = mw_arena_check(&b->tmp, err);
  if (rc == MW_OK) rc = mw_lagrangian_build(line, shape, bare, start, err);
  if (rc == MW_OK && mw_dissipation_any(b->r))
    rc = mw_extra_dissipation(line, &b->second, NULL, &x, err);
  if (rc == MW_OK) put(b, &x, bare, l);
  mw_extra_free(&x);
  return rc == MW_OK ? coordinates(b, l, err) : rc;
}

// Further columns of the dampers in the middle: chains x = K⁻¹f, K⁻¹M x, …, M-orthonormal beside
// the columns and each other; what of one is rounding is left out. x [n_damper × n], f its forces.
static mw_code beyond(build *b, const double *f, double *x, mw_line *l, mw_error *err)
{
  const mw_reduction *r = b->r;
  const point *p = &b->p[MW_LINE_MID];
  int nd = b->z->damper.n, m = r->m, e = 0;
  size_t n = (size_t)r->n, most = (size_t)MW_BEYOND * (size_t)nd;
  double *all = mw_arena_f64(&b->tmp, ((size_t)m + most) * n), *Mx = mw_arena_f64(&b->tmp, n),
         *y = mw_arena_f64(&b->tmp, n), *own = mw_arena_f64(&b->tmp, n);
  mw_code rc = mw_arena_check(&b->tmp, err);
  if (rc == MW_OK) memcpy(all, p->Psi, (size_t)m * n * sizeof *all);
  const mw_grid_point with = { .sys = p->sys, .Psi = all };
  for (int k = 0; rc == MW_OK && k < MW_BEYOND * nd; k++) {
    double *link = x + (size_t)(k % nd) * n, *to = all + (size_t)(m + e) * n;
    mw_system_mul_M(p->sys, link, Mx);
    if (k >= nd) {  // the next of its chain
      rc = mw_system_solve(p->sys, Mx, y, err);
      memcpy(link, y, n * sizeof *y);
      mw_system_mul_M(p->sys, link, Mx);
    }
    double size = mw_dot(r->n, link, Mx);
    if (rc != MW_OK || !(size > 0.0)) continue;
    memcpy(to, link, n * sizeof *to);
    mw_pattern_deflate(&with, r->n, 0, m + e, to, Mx);
    mw_system_mul_M(p->sys, to, Mx);
    double left = mw_dot(r->n, to, Mx);
    if (!(left > SEEN * size)) continue;
    for (size_t i = 0; i < n; i++) to[i] /= sqrt(left);
    e++;
  }
  l->n_beyond = e;
  for (int i = 0; rc == MW_OK && i < e; i++) {
    mw_system_mul_K(p->sys, all + (size_t)(m + i) * n, own);
    for (int k = 0; k < m + e; k++)
      l->K_beyond[i * (m + e) + k] = mw_dot(r->n, all + (size_t)k * n, own);
    for (int k = 0; k < nd; k++)
      l->gap_beyond[k * e + i] = mw_dot(r->n, f + (size_t)k * n, all + (size_t)(m + i) * n);
  }
  return rc;
}

// Gaps of dampers along the columns, and by unit forces in them.
static mw_code gaps(build *b, mw_line *l, mw_error *err)
{
  const mw_reduction *r = b->r;
  const point *p = &b->p[MW_LINE_MID];
  int nd = b->z->damper.n;
  size_t m = (size_t)r->m, n = (size_t)r->n, d = (size_t)nd;
  double *f = mw_arena_f64(&b->tmp, d * n), *x = mw_arena_f64(&b->tmp, d * n);
  mw_code rc = mw_arena_check(&b->tmp, err);
  for (size_t k = 0; rc == MW_OK && k < d; k++) {
    rc = mw_system_load_row(p->sys, b->z->damper.row[k], f + k * n, err);
    mw_gemm('n', 't', r->m, 1, r->n, 1.0, p->Psi, f + k * n, 0.0, l->gap + k * m);
  }
  if (rc == MW_OK && nd > 0) rc = mw_system_solve_many(p->sys, nd, f, x, err);
  if (rc == MW_OK && nd > 0) mw_gemm('n', 't', nd, nd, r->n, 1.0, f, x, 0.0, l->give);
  return rc == MW_OK && b->z->beyond ? beyond(b, f, x, l, err) : rc;
}

static void forget(build *b)
{
  for (int k = 0; k < MW_LINE; k++) {
    mw_system_free(b->p[k].sys);
    b->p[k] = (point){ 0 };
  }
  mw_arena_free(&b->tmp);
}

// What the second order needs of the middle of line j.
static mw_code keep_middle(build *b, int j, mw_error *err)
{
  const mw_reduction *r = b->r;
  point *p = &b->p[MW_LINE_MID];
  mw_grid_point *to = &b->mid[j];
  size_t nb = (size_t)r->mech->n_body, nc = (size_t)r->mech->n_coord,
         mn = (size_t)r->m * (size_t)r->n;
  to->q.p = mw_arena_f64(&to->mem, 12 * nb);
  to->q.s = mw_arena_f64(&to->mem, nc);
  to->q.v = mw_arena_f64(&to->mem, 6 * nb);
  to->q.s_dot = mw_arena_f64(&to->mem, nc);
  to->Psi = mw_arena_f64(&to->mem, mn);
  mw_code rc = mw_arena_check(&to->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(to->q.p, p->q.p, 12 * nb * sizeof *to->q.p);
  memcpy(to->q.s, p->q.s, nc * sizeof *to->q.s);
  memcpy(to->q.v, p->q.v, 6 * nb * sizeof *to->q.v);
  memcpy(to->q.s_dot, p->q.s_dot, nc * sizeof *to->q.s_dot);
  memcpy(to->Psi, p->Psi, mn * sizeof *to->Psi);
  to->sys = p->sys;
  p->sys = NULL;
  return MW_OK;
}

static mw_code one_line(build *b, int j, mw_error *err)
{
  mw_line *l = &b->z->line[j];
  double t = MW_LINE_MID * l->step;
  // the middle first: it says which columns are outside the patterns' span
  static const int order[MW_LINE] = { 2, 1, 0, 3, 4 };
  mw_code rc = mw_axis_uniform(-t, t, false, MW_LINE, 1, &b->tmp, &b->line.axis[0], err);
  for (int i = 0; rc == MW_OK && i < MW_LINE; i++)
    rc = point_at(b, l, order[i], i == 0, i == 0 ? &b->r->point[0].q : &b->p[MW_LINE_MID].all, err);
  for (int k = 0; k < MW_LINE; k++)
    b->grid[k] = (mw_grid_point){ .q = b->p[k].q, .sys = b->p[k].sys, .Psi = b->p[k].Psi };
  if (rc == MW_OK) rc = records(b, l, err);
  if (rc == MW_OK) rc = inputs(b, l, err);
  if (rc == MW_OK) rc = gaps(b, l, err);
  if (rc == MW_OK) rc = keep_middle(b, j, err);
  forget(b);
  if (rc == MW_ERR_NUMERIC) {  // columns turn too fast between the grid's points
    l->lost = true;
    if (err) *err = (mw_error){ 0 };
    rc = MW_OK;
  }
  return rc;
}

// Lines of a block, with places for their points of its own.
static mw_code some_lines(void *ctx, int from, int to, mw_error *err)
{
  const build *all = ctx;
  build b = *all;
  mw_arena own = { 0 };
  b.line.point = b.grid;
  b.apart = mw_arena_alloc(&own, (size_t)b.r->m, sizeof *b.apart);
  mw_code rc = mw_arena_check(&own, err);
  for (int j = from; rc == MW_OK && j < to; j++) rc = one_line(&b, j, err);
  mw_arena_free(&own);
  return rc;
}

// ---- all of them --------------------------------------------------------------------------------

static mw_code allocate(build *b, mw_error *err)
{
  const mw_reduction *r = b->r;
  mw_lines *z = b->z;
  size_t m = (size_t)r->m, mm = m * (m + 1) / 2, s = (size_t)r->s, nd = (size_t)z->damper.n;
  z->line = mw_arena_alloc(&z->mem, (size_t)z->n, sizeof *z->line);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int j = 0; rc == MW_OK && j < z->n; j++) {
    mw_line *l = &z->line[j];
    l->record = mw_arena_f64(&z->mem, MW_LINE * (size_t)z->lay.n);
    l->d = mw_arena_f64(&z->mem, MW_LINE * s * m);
    l->a = mw_arena_f64(&z->mem, s * (s + 1) / 2);
    l->input = mw_arena_f64(&z->mem, MW_LINE * (size_t)r->model->n_drive * m);
    l->power = mw_arena_f64(&z->mem, (size_t)r->model->n_drive);
    l->Hij = mw_arena_f64(&z->mem, mm);
    l->Hg = mw_arena_f64(&z->mem, mm);
    l->Y = mw_arena_f64(&z->mem, (size_t)r->model->n_drive * mm);
    l->gap = mw_arena_f64(&z->mem, nd * m);
    l->give = mw_arena_f64(&z->mem, nd * nd);
    if (!z->beyond) continue;
    l->K_beyond = mw_arena_f64(&z->mem, MW_BEYOND * nd * (m + MW_BEYOND * nd));
    l->gap_beyond = mw_arena_f64(&z->mem, MW_BEYOND * nd * nd);
  }
  b->mid = mw_arena_alloc(&b->mem, (size_t)z->n, sizeof *b->mid);
  if (rc == MW_OK) rc = mw_arena_check(&b->mem, err);
  return rc == MW_OK ? mw_arena_check(&z->mem, err) : rc;
}

// H, H_ij, H_g and Y of all middles that are not lost, which come first: the bodies' stress tensors
// are made once.
static mw_code second_order(build *b, mw_error *err)
{
  mw_lines *z = b->z;
  mw_reduction all = b->line;
  b->n_mid = 0;
  for (int j = 0; j < z->n; j++) {
    mw_grid_point to = b->mid[b->n_mid];
    if (!b->mid[j].sys) continue;
    b->mid[b->n_mid++] = b->mid[j];
    if (b->n_mid <= j) b->mid[j] = to;
  }
  if (b->n_mid == 0) return MW_OK;
  // along t coordinates go at their largest rates
  all.range = (mw_field_ranges){ .rate = { 1.0 }, .load = b->r->range.load };
  for (int i = 0; i < b->r->s; i++)
    all.range.acceleration[0] =
        fmax(all.range.acceleration[0], b->r->range.acceleration[i] / b->r->range.rate[i]);
  size_t m = (size_t)all.m, mm = m * (m + 1) / 2;
  all.point = b->mid;
  all.n_point = all.n_grid[0] = b->n_mid;
  mw_extra x = { .n_point = b->n_mid, .s = 1, .m = all.m };
  mw_code rc = mw_extra_second(&all, &b->second, &x, err);
  for (size_t i = 0, j = 0; rc == MW_OK && i < (size_t)z->n; i++) {
    mw_line *l = &z->line[i];
    if (l->lost) continue;
    double *mid = l->record + MW_LINE_MID * (size_t)z->lay.n;
    memcpy(mid + z->lay.H, x.H + j * mm, mm * sizeof *mid);
    memcpy(l->Hij, x.Hij + j * mm, mm * sizeof *mid);
    memcpy(l->Hg, x.Hg + j * mm, mm * sizeof *mid);
    for (int k = 0; k < x.n_Y; k++)
      if (x.Y_input[k] >= 0)
        memcpy(l->Y + (size_t)x.Y_input[k] * mm, x.Y + (j * (size_t)x.n_Y + (size_t)k) * mm,
               mm * sizeof *mid);
    j++;
  }
  mw_extra_free(&x);
  return rc;
}

// Dampers hold no motion below 1/τ (certificate_decay.c).
static bool may_not_swing(const mw_reduction *r, const mw_dampers *d)
{
  double omega = 0.0;
  for (int g = 0; g < r->n_point; g++)
    if (r->point[g].k >= r->n_want)
      omega = fmax(omega, sqrt(fmax(r->point[g].lambda[r->n_want - 1], 0.0)));
  return d->n > 0 && omega * d->tau > 1.0;
}

mw_code mw_lines_build(mw_reduction *r, const mw_patterns *p, int n_y, const mw_line_places *at,
                       mw_lines *out, mw_error *err)
{
  int n = at->n_random + at->n_end + at->given.n;
  mw_lines z = { .n = n, .n_random = at->n_random };
  build b = { .r = r, .cand = p, .z = &z, .n_y = n_y, .line = *r };
  uint64_t state = at->seed;
  z.lay =
      mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = r->m, .n_y = n_y, .parts = MW_ROM_ALL_PARTS });
  b.line.s = 1;
  b.line.n_point = b.line.n_grid[0] = MW_LINE;
  b.line.progress = NULL;
  mw_code rc = mw_dampers_list(r->mech, r->locked, &z.mem, &z.damper, err);
  z.beyond = rc == MW_OK && may_not_swing(r, &z.damper);
  if (rc == MW_OK) rc = allocate(&b, err);
  if (rc == MW_OK) rc = mw_second_init(r->mech, r->blocks, r->locked, 1, r->m, 0, &b.second, err);
  mw_progress_start(r->progress, "forces off the grid", n);
  for (int j = 0; rc == MW_OK && j < n; j++) place(r, at, j, &state, &z);
  // there before threads look for them
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  // those of other values of parameters turn columns in a place that they share
  mw_points of = {
    .n = n, .block = r->shifted ? n : 1, .fn = some_lines, .ctx = &b, .progress = r->progress
  };
  if (rc == MW_OK && n > 0) rc = mw_parallel_points(r->work, &of, err);
  mw_progress_end(r->progress);
  if (rc == MW_OK) rc = second_order(&b, err);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  mw_second_free(&b.second);
  for (int j = 0; b.mid && j < n; j++) {
    mw_system_free(b.mid[j].sys);
    mw_arena_free(&b.mid[j].mem);
  }
  mw_arena_free(&b.mem);
  *out = z;
  if (rc != MW_OK) mw_lines_free(out);
  return rc;
}

void mw_line_contract(const mw_lines *z, const mw_line *l, mw_rom_shape shape, const double *in,
                      double *out)
{
  const mw_rom_layout L = mw_rom_layout_of(shape), *to = &z->lay;
  int s = shape.s, m = shape.m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const double *v = l->rate;
  memset(out, 0, (size_t)to->n * sizeof *out);
  out[to->U0] = in[L.U0];
  memcpy(out + to->U1, in + L.U1, (size_t)m * sizeof *out);
  memcpy(out + to->K, in + L.K, (size_t)mm * sizeof *out);
  memcpy(out + to->C, in + L.C, (size_t)mm * sizeof *out);
  memcpy(out + to->y, in + L.y, (size_t)(shape.n_y * (1 + m)) * sizeof *out);
  for (int i = 0, ij = 0; i < s; i++) {
    mw_axpy(m, v[i], in + L.d + i * m, out + to->d);
    mw_axpy(mk, v[i], in + L.e + i * mk, out + to->e);
    if (shape.parts & MW_ROM_H) mw_axpy(mm, v[i], in + L.H + i * mm, out + to->H);
    if (shape.parts & MW_ROM_CE) mw_axpy(m * m, v[i], in + L.CE + i * m * m, out + to->CE);
    for (int j = 0; j <= i; j++, ij++) {
      double w = (i == j ? 1.0 : 2.0) * v[i] * v[j];
      out[to->a] += w * in[L.a + ij];
      mw_axpy(m, w, in + L.b + ij * m, out + to->b);
      mw_axpy(mm, w, in + L.c + ij * mm, out + to->c);
      if (shape.parts & MW_ROM_CC) mw_axpy(mm, w, in + L.CC + ij * mm, out + to->CC);
    }
  }
}
