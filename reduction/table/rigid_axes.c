// SPDX-License-Identifier: BSD-3-Clause
// rigid_axes.c: how many table points rigid motion needs along each coordinate.
//
// Along lines of each axis the spline through rigid motion at n points is compared with kinematics
// half way between them. A cubic spline errs by f'''' h⁴/24 t²(1 − t)² within a cell where its
// slopes at the points are of fourth order, so that the error ε in the middle says the others:
//   value ≤ ε ,   derivative ≤ (16 √3/9) ε/h                                   (1)
// What they may be, p = PART of the model's tolerance, for each of s axes a share of 1/s:
//   positions     limit = p × deflection, the largest one of outputs at rest under what is declared
//                 (gravity, forces, accelerations, rates); at least FLOOR, at most CAP, of the
//                 machine's size or of a metre, whichever is less
//   angles        the same over the machine's size
//   directions    p, of the bodies' base vectors: columns are smooth in body axes, what loads do to
//                 them and how outputs
//                 see them is in ground axes (a shaft that spins about its axis moves no output,
//                   but turns its modes)
//   a_ij          p √(A_i A_j) , A_i the largest a_ii on the line
//   derivatives   p × the largest along the line (forces of inputs, gravity, inertia), at least
//                 p × LEAST × size / width
// FLOOR is a tenth of a micrometre a metre: below what machines repeat, and above the rounding of
// kinematics; the CAP keeps an unloaded tool within a micrometre, whatever the machine bends, and
// costs 1.5 times the points of a limit five times that. Positions that are linear or cubic in θ
// (slides) need no more points than the grid has. Cost: two configurations a point.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "reduction/spline.h"
#include "rigid_table_layer.h"

enum { LINES = 3, TRIES = 12, MOST_POINTS = 4096 };
static const double PART = 0.1, FLOOR = 1e-7, CAP = 5e-7, LEAST = 1e-3, MICROMETRE = 1e-6;
static const double SLOPE = 3.0792014356780040;  // 16 √3/9
static const double MOST_BYTES = 536870912.0;    // of a table with all fields
static const double MOST_WORK = 5e11;            // multiplications for the columns' fields

// ---- sizes --------------------------------------------------------------------------------------

typedef struct box {
  double lo[3], hi[3];
} box;

static void into(box *b, const double x[3])
{
  for (int i = 0; i < 3; i++) {
    b->lo[i] = fmin(b->lo[i], x[i]);
    b->hi[i] = fmax(b->hi[i], x[i]);
  }
}

double mw_motion_size(const mw_reduction *r, const mw_rom *rom, const double *records)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  box b = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
  double x[3];
  for (int k = 0; k < r->full->n_body; k++)
    for (int n = 0; n < r->full->body[k].n_node; n++) {
      const double *p = r->point[0].q.p + 12 * k;
      mw_mul33v(p + 3, r->full->body[k].X + 3 * n, x);
      for (int i = 0; i < 3; i++) x[i] += p[i];
      into(&b, x);
    }
  for (int g = 0; g < r->n_point; g++) {
    const double *rec = records + (size_t)g * (size_t)L.n;
    for (int k = 0; k < r->mech->n_body; k++) into(&b, r->point[g].q.p + 12 * k);
    for (int o = 0, k = 0; o < r->model->n_output; k += mw_output_width(&r->model->output[o++])) {
      if (mw_output_is_gauge(&r->model->output[o])) continue;
      for (int i = 0; i < 3; i++) x[i] = rec[L.y + (k + i) * (1 + r->m)];
      into(&b, x);
    }
  }
  double d[3] = { b.hi[0] - b.lo[0], b.hi[1] - b.lo[1], b.hi[2] - b.lo[2] };
  double size = mw_norm3(d);
  return size > 0.0 ? size : 1.0;
}

int mw_motion_load_count(const mw_reduction *r) { return 1 + 2 * r->s + r->model->n_drive; }

bool mw_motion_load_is_rate(const mw_reduction *r, int l)
{
  return l > 0 && l <= 2 * r->s && l % 2 == 0;
}

const char *mw_motion_load_name(const mw_reduction *r, int l, mw_arena *mem)
{
  char text[128];
  int i = (l - 1) / 2;
  if (l == 0) return mw_rest_name(r);
  if (l <= 2 * r->s)
    snprintf(text, sizeof text, "the largest %s of %.80s", l % 2 ? "acceleration" : "rate",
             r->model->reduction.coordinate[i].name);
  else
    snprintf(text, sizeof text, "the largest input %.80s", r->model->drive[l - 1 - 2 * r->s].name);
  return mw_arena_str(mem, text);
}

int mw_motion_loads(const mw_reduction *r, const mw_field_ranges *at, const mw_rom *rom,
                    const double *rec, double *F)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  const mw_reduction_in *in = &r->model->reduction;
  int m = r->m, n = 0;
  for (int a = 0; a < m; a++) F[a] = -rec[L.U1 + a];
  n++;
  for (int i = 0; i < r->s; i++, n += 2)
    for (int a = 0; a < m; a++) {
      int ii = i * (i + 1) / 2 + i;
      F[n * m + a] = -at->acceleration[i] * rec[L.d + i * m + a];
      F[(n + 1) * m + a] = 0.5 * at->rate[i] * at->rate[i] * rec[L.b + ii * m + a];
    }
  for (int d = 0; d < r->model->n_drive; d++, n++) {
    int joint = r->model->drive[d].joint, held = -1;
    for (int i = 0; i < r->s; i++)
      if (joint >= 0 && r->mech->joint[joint].coord == r->coord[i]) held = i;
    const double *y1 = rec + L.y + rom->u_field[d] * (1 + m) + 1;
    double u = in->max_input[d], a_ii = held >= 0 ? rec[L.a + held * (held + 1) / 2 + held] : 0.0;
    for (int a = 0; a < m; a++)  // a force on a coordinate that is held accelerates it
      F[n * m + a] = held < 0 ? u * y1[a] : a_ii > 0.0 ? -u / a_ii * rec[L.d + held * m + a] : 0.0;
  }
  return n;
}

// Largest deflection of an output on the grid: of each load alone, added up.
static mw_code largest_deflection(const mw_reduction *r, const mw_rom *rom, const double *records,
                                  double *out, mw_error *err)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  size_t m = (size_t)r->m, most = (size_t)mw_motion_load_count(r);
  mw_arena tmp = { 0 };
  mw_field_ranges declared;
  double *K = mw_arena_f64(&tmp, m * m), *F = mw_arena_f64(&tmp, most * m);
  mw_code rc = mw_arena_check(&tmp, err);
  *out = 0.0;
  mw_reduction_declared(r, &declared);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    const double *rec = records + (size_t)g * (size_t)L.n;
    int n = mw_motion_loads(r, &declared, rom, rec, F);
    for (int a = 0; a < r->m; a++)
      for (int b = 0; b <= a; b++) K[a * r->m + b] = rec[L.K + a * (a + 1) / 2 + b];
    if (mw_chol_factor(r->m, K, NULL) != MW_OK) continue;  // pass.c names it
    for (int l = 0; l < n; l++) mw_chol_solve(r->m, K, 1, F + (size_t)l * m);
    for (int o = 0, k = 0; o < r->model->n_output; k += mw_output_width(&r->model->output[o++])) {
      double w = 0.0;
      for (int l = 0; !mw_output_is_gauge(&r->model->output[o]) && l < n; l++) {
        double x[3];
        for (int i = 0; i < 3; i++)
          x[i] = mw_dot(r->m, rec + L.y + (k + i) * (1 + r->m) + 1, F + (size_t)l * m);
        w += mw_norm3(x);
      }
      *out = fmax(*out, w);
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

void mw_motion_ranges(const mw_reduction *r, const mw_rom *rom, const double *records,
                      const mw_motion *mo, double *delta_max)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  const mw_model *m = r->model;
  double most = m->reduction.max_deflection > 0.0 ? m->reduction.max_deflection : mo->size / 3.0;
  for (int a = 0; a < r->m; a++) {
    double per = 0.0;  // m a unit of the column
    for (int g = 0; g < r->n_point; g++)
      for (int o = 0, k = 0; o < m->n_output; k += mw_output_width(&m->output[o++])) {
        const double *y = records + (size_t)g * (size_t)L.n + L.y + k * (1 + r->m) + 1 + a;
        double x[3];
        for (int i = 0; !mw_output_is_gauge(&m->output[o]) && i < 3; i++) x[i] = y[i * (1 + r->m)];
        if (!mw_output_is_gauge(&m->output[o])) per = fmax(per, mw_norm3(x));
      }
    delta_max[a] = per > 0.0 ? most / per : INFINITY;
  }
}

// ---- one axis -----------------------------------------------------------------------------------

typedef struct survey {
  const mw_reduction *r;
  mw_motion_at at;
  mw_motion *mo;
  int n_y;
  int n_field;                   // those of at.lay, then the base vectors of all bodies, 9 each
  bool *angle;                   // [n_y]
  bool *skip;                    // [n_y]  stresses and strains
  double weight;                 // N, of all that gravity pulls
  double *need;                  // [n_field]  scratch
  double at_line[MW_ROM_MAX_S];  // the coordinates of the line
  mw_arena mem;
} survey;

// Kinds of the fields y: which are angles, which no motion at all.
static mw_code survey_init(survey *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_model *m = r->model;
  mw_arena *mem = &z->mem;
  z->angle = mw_arena_alloc(mem, (size_t)z->n_y, sizeof *z->angle);
  z->skip = mw_arena_alloc(mem, (size_t)z->n_y, sizeof *z->skip);
  z->n_field = z->at.lay.n + 9 * r->mech->n_body;
  z->need = mw_arena_f64(mem, (size_t)z->n_field);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  int k = 0;
  for (int o = 0; o < m->n_output; o++)
    for (int i = 0; i < mw_output_width(&m->output[o]); i++)
      z->skip[k++] = mw_output_is_gauge(&m->output[o]);
  for (int c = 0; c < r->mech->n_coord; c++)
    z->angle[k++] = strcmp(mw_joint_unit(r->mech->joint[r->mech->coord_joint[c]].in), "rad") == 0;
  for (int b = 0; b < r->mech->n_body; b++)
    if (r->mech->body[b].gravity) z->weight += r->mech->body[b].m * mw_norm3(m->gravity);
  return MW_OK;
}

// Rigid motion at n points of the line along axis i, V [n × n_field].
static mw_code sample_line(survey *z, int i, int n, const double *at, double *V, mw_error *err)
{
  double theta[MW_ROM_MAX_S];
  size_t nf = (size_t)z->n_field;
  mw_code rc = MW_OK;
  memcpy(theta, z->at_line, sizeof theta);
  for (int k = 0; rc == MW_OK && k < n; k++) {
    theta[i] = at[k];
    const mw_config *near = k > 0 ? &z->at.q : mw_motion_near(z->r, theta);
    double *rec = V + (size_t)k * nf;
    rc = mw_motion_at_eval(&z->at, theta, near, rec, err);
    for (int b = 0; rc == MW_OK && b < z->r->mech->n_body; b++)
      memcpy(rec + z->at.lay.n + 9 * b, z->at.q.p + 12 * b + 3, 9 * sizeof *rec);
  }
  return rc;
}

// Takes the turns out of y0 along a cyclic axis: its splines close.
static void close_line(const survey *z, const mw_axis *a, int n, const double *at, const double *V,
                       double *X)
{
  size_t nf = (size_t)z->n_field;
  const double *end = V + (size_t)(a->n - 1) * nf;
  for (int k = z->at.lay.y; a->cyclic && k < z->at.lay.n; k++) {
    double slope = (end[k] - V[k]) / (a->hi - a->lo);
    for (int j = 0; j < n; j++) X[(size_t)j * nf + (size_t)k] -= slope * (at[j] - a->lo);
  }
}

// How many times as many intervals field f needs whose spline errs by e in the middle of one of
// width h.
static double more_of(double e, double h, double value, double slope)
{
  double x = pow(e / value, 0.25), y = cbrt(SLOPE * e / h / slope);
  return fmax(x, y);
}

// The same of all fields at point k of a line: e [n_field] errors, V of the line.
static double need_of(const survey *z, int i, const double *e, const double *top,
                      const double *slope, double h, bool positions)
{
  const mw_rom_layout *L = &z->at.lay;
  const mw_reduction *r = z->r;
  double part = PART * r->model->reduction.tolerance / r->s, width = r->hi[i] - r->lo[i];
  double limit = z->mo->limit / r->s, more = 0.0, least = LEAST * z->mo->size / width;
  for (int k = 0; k < z->n_y; k++) {
    double unit = z->angle[k] ? 1.0 / z->mo->size : 1.0;
    if (z->skip[k]) continue;
    double s = positions ? INFINITY : part * fmax(slope[L->y + k], least * unit);
    more = fmax(more, more_of(e[L->y + k], h, limit * unit, s));
  }
  for (int p = 0, ij = 0; !positions && p < r->s; p++)
    for (int q = 0; q <= p; q++, ij++) {
      double a = sqrt(top[p * (p + 1) / 2 + p] * top[q * (q + 1) / 2 + q]);
      if (a > 0.0)
        more = fmax(more, more_of(e[ij], h, part * a, part * fmax(slope[ij], a / width)));
    }
  double force = fmax(slope[L->U0], least * z->weight);
  if (!positions && force > 0.0) more = fmax(more, more_of(e[L->U0], h, INFINITY, part * force));
  for (int f = L->n; !positions && f < z->n_field; f++)
    more = fmax(more, more_of(e[f], h, part, part * fmax(slope[f], 1.0 / width)));
  return more;
}

// Largest value and slope of every field along a line of n points.
static void sizes_of(const survey *z, int n, const double *at, const double *V, double *top,
                     double *slope)
{
  int nf = z->n_field;
  for (int f = 0; f < nf; f++) top[f] = slope[f] = 0.0;
  for (int k = 0; k < n; k++)
    for (int f = 0; f < nf; f++) {
      top[f] = fmax(top[f], fabs(V[k * nf + f]));
      if (k > 0)
        slope[f] = fmax(slope[f], fabs(V[k * nf + f] - V[(k - 1) * nf + f]) / (at[k] - at[k - 1]));
    }
}

// How many times as many intervals the points of a (along axis i) need; of positions alone too.
static mw_code line_needs(survey *z, int i, const mw_axis *a, double *more, double *position,
                          mw_error *err)
{
  mw_arena tmp = { 0 };
  int n = a->n, nf = z->n_field;
  double *at = mw_arena_f64(&tmp, (size_t)n), *mid = mw_arena_f64(&tmp, (size_t)n);
  double *V = mw_arena_f64(&tmp, (size_t)n * (size_t)nf),
         *X = mw_arena_f64(&tmp, (size_t)n * (size_t)nf);
  double *c = mw_arena_f64(&tmp, (size_t)(a->n_table + 2) * (size_t)nf);
  double *top = mw_arena_f64(&tmp, (size_t)nf), *slope = mw_arena_f64(&tmp, (size_t)nf);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < n; k++) at[k] = mw_axis_theta(a, k);
  for (int k = 0; rc == MW_OK && k + 1 < n; k++) mid[k] = 0.5 * (at[k] + at[k + 1]);
  if (rc == MW_OK) rc = sample_line(z, i, n, at, V, err);
  if (rc == MW_OK) rc = sample_line(z, i, n - 1, mid, X, err);
  if (rc == MW_OK) {
    sizes_of(z, n, at, V, top, slope);
    close_line(z, a, n - 1, mid, V, X);
    close_line(z, a, n, at, V, V);
    rc = mw_axis_fit(1, a, nf, V, c, err);
  }
  for (int k = 0; rc == MW_OK && k + 1 < n; k++) {
    rc = mw_spline_eval(1, &a->n_table, &a->lo, &a->hi, nf, c, &mid[k], z->need, NULL);
    for (int f = 0; f < nf; f++) z->need[f] = fabs(z->need[f] - X[k * nf + f]);
    double h = at[k + 1] - at[k];
    *more = fmax(*more, need_of(z, i, z->need, top, slope, h, false));
    *position = fmax(*position, need_of(z, i, z->need, top, slope, h, true));
  }
  mw_arena_free(&tmp);
  return rc;
}

// The largest need over some lines along axis i, the others at places of their own.
static mw_code axis_needs(survey *z, int i, const mw_axis *a, double *more, double *position,
                          mw_error *err)
{
  static const double place[LINES] = { 0.5, 0.18, 0.86 };
  mw_code rc = MW_OK;
  *more = *position = 0.0;
  for (int l = 0; rc == MW_OK && l < (z->r->s > 1 ? LINES : 1); l++) {
    for (int j = 0; j < z->r->s; j++)
      z->at_line[j] = z->r->lo[j] + place[(l + j) % LINES] * (z->r->hi[j] - z->r->lo[j]);
    rc = line_needs(z, i, a, more, position, err);
  }
  return rc;
}

// The grid's points in a table `factor` times as fine, and all points of that table.
static mw_code finer_axis(const mw_axis *grid, int factor, mw_arena *mem, mw_axis *all,
                          mw_axis *same, mw_error *err)
{
  *same = *grid;
  same->n_table = (grid->n_table - 1) * factor + 1;
  same->at = mw_arena_int(mem, (size_t)grid->n);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < grid->n; k++) same->at[k] = grid->at[k] * factor;
  if (rc == MW_OK)
    rc = mw_axis_uniform(grid->lo, grid->hi, grid->cyclic, same->n_table, 1, mem, all, err);
  return rc;
}

// Smooth axes (refine.c) belong to mechanisms that slide, whose rigid motion polynomials hold.
static bool has_smooth(const mw_reduction *r)
{
  for (int i = 0; i < r->s; i++)
    if (r->axis[i].C) return true;
  return false;
}

// Factor of axis i: 0 where the grid's own points do.
static mw_code choose(survey *z, int i, int *factor, mw_error *err)
{
  const mw_axis *grid = &z->r->axis[i];
  double more, position;
  *factor = 0;
  if (has_smooth(z->r)) return MW_OK;
  mw_code rc = axis_needs(z, i, grid, &more, &position, err);
  if (rc != MW_OK || more <= 1.0) return rc;
  int widest = 1;
  for (int k = 0; k + 1 < grid->n; k++)
    if (grid->at[k + 1] - grid->at[k] > widest) widest = grid->at[k + 1] - grid->at[k];
  double next = more / widest;
  for (int t = 0; rc == MW_OK && t < TRIES; t++) {
    mw_arena tmp = { 0 };
    mw_axis all, same;
    int least = *factor + 1, wanted = next < MOST_POINTS ? (int)ceil(next) : MOST_POINTS;
    int most = (MOST_POINTS - 1) / (grid->n_table - 1);
    *factor = wanted > least ? wanted : least;
    if (most < 1) most = 1;
    if (*factor > most) *factor = most;
    rc = finer_axis(grid, *factor, &tmp, &all, &same, err);
    if (rc == MW_OK) rc = axis_needs(z, i, &all, &more, &position, err);
    mw_arena_free(&tmp);
    if (more <= 1.0 || *factor == most) break;
    next = 1.02 * more * *factor;
  }
  return rc;
}

// ---- the table ----------------------------------------------------------------------------------

static double table_bytes(const mw_reduction *r, const mw_motion *mo, int n_field)
{
  double x = sizeof(double) * (double)n_field;
  for (int i = 0; i < r->s; i++) {
    int f = mo->factor[i] > 1 ? mo->factor[i] : 1;
    x *= (double)((r->axis[i].n_table - 1) * f + 3);
  }
  return x;
}

// Smaller factors where the table would be too large, the largest first, and what positions then
// err by.
static void fit_table(survey *z, int n_field)
{
  mw_motion *mo = z->mo;
  const mw_reduction *r = z->r;
  int wanted[MW_ROM_MAX_S];
  memcpy(wanted, mo->factor, sizeof wanted);
  while (table_bytes(r, mo, n_field) > MOST_BYTES) {
    int big = -1;
    for (int i = 0; i < r->s; i++)
      if (mo->factor[i] > 1 && (big < 0 || mo->factor[i] * (r->axis[i].n_table - 1) >
                                               mo->factor[big] * (r->axis[big].n_table - 1)))
        big = i;
    if (big < 0) break;
    mo->factor[big]--;
  }
  for (int i = 0; i < r->s; i++)
    if (mo->factor[i] < wanted[i])
      mo->left += mo->limit / r->s * pow((double)wanted[i] / mo->factor[i], 4.0);
  mo->bytes = (size_t)table_bytes(r, mo, n_field);
}

static bool columns_too(const mw_reduction *r, const mw_motion *mo)
{
  double products = 0.0, points = 1.0;
  for (int b = 0; b < r->mech->n_body; b++) {
    double n = r->mech->body[b].n_u > 0 ? r->mech->body[b].n_u : 6;
    products += 9.0 * n * n;
  }
  for (int i = 0; i < r->s; i++) points *= mo->axis[i].n;
  return points * (double)(r->m * r->s * (1 + r->s)) * products <= MOST_WORK;
}

// One line: the table, and what is left where it may not grow.
static void tell(const mw_reduction *r, const mw_motion *mo)
{
  char text[256];
  int n = snprintf(text, sizeof text, "rigid motion: table of");
  for (int i = 0; i < r->s; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s%d", i ? " × " : " ", mo->axis[i].n_table);
  n += snprintf(text + n, sizeof text - (size_t)n, " points, %.3g MB, positions within %.2g m%s",
                1e-6 * (double)mo->bytes, mo->left > 0.0 ? mo->left : mo->limit,
                mo->columns ? "" : "; columns' fields on the grid alone");
  mw_progress_note(r->progress, text);
  if (!(mo->left > 0.0)) return;
  snprintf(text, sizeof text,
           "rigid motion: %.2g m are asked for; the table may not grow beyond %.3g MB "
           "(shorter ranges or fewer coordinates would help)",
           mo->limit, 1e-6 * MOST_BYTES);
  mw_progress_note(r->progress, text);
}

static mw_code axes_of(const mw_reduction *r, mw_motion *mo, mw_arena *mem, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    mo->finer = mo->finer || mo->factor[i] > 0;
    mo->axis[i] = mo->grid[i] = r->axis[i];
    if (mo->factor[i] > 0)
      rc = finer_axis(&r->axis[i], mo->factor[i], mem, &mo->axis[i], &mo->grid[i], err);
  }
  return rc;
}

mw_code mw_motion_axes(mw_reduction *r, const mw_rom_file *f, const double *records, mw_arena *mem,
                       mw_motion *out, mw_error *err)
{
  mw_motion mo = { .size = mw_motion_size(r, &f->rom, records) };
  survey z = { .r = r, .mo = &mo, .n_y = f->rom.n_y };
  double unit = fmin(mo.size, 1.0);
  mw_code rc = largest_deflection(r, &f->rom, records, &mo.deflection, err);
  mo.limit = PART * r->model->reduction.tolerance * mo.deflection;
  mo.limit = fmin(fmax(mo.limit, FLOOR * unit), CAP * unit);
  mo.tolerance = fmax(r->model->reduction.tolerance * mo.deflection, MICROMETRE * unit);
  if (rc == MW_OK) rc = mw_motion_at_init(r, f->rom.n_y, &z.at, err);
  if (rc == MW_OK) rc = survey_init(&z, err);
  for (int i = 0; rc == MW_OK && i < r->s; i++) rc = choose(&z, i, &mo.factor[i], err);
  if (rc == MW_OK) fit_table(&z, f->rom.n_field);
  if (rc == MW_OK) rc = axes_of(r, &mo, mem, err);
  if (rc == MW_OK) mo.columns = columns_too(r, &mo);
  if (rc == MW_OK && mo.finer) tell(r, &mo);
  mw_arena_free(&z.mem);
  mw_motion_at_free(&z.at);
  if (rc == MW_OK) *out = mo;
  return rc;
}
