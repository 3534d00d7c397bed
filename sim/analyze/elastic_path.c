// SPDX-License-Identifier: BSD-3-Clause
// elastic_path.c: a reduced model along a path: what a motion needs of drives, and how far it
// deflects outputs while nothing swings.
//
// With all coordinates θ prescribed, δ = δ̇ = 0 and no forces of drives, the reduced model gives
//   δ̈ = R(θ, θ̇, θ̈) ,  forces r along θ ,  d_i = −∂R/∂θ̈_i                          (1)
// and, were δ kept at 0 besides, Q = r − d R along θ. Both are of second degree in θ̇, linear in
// θ̈:
//   θ̇ = θ' ṗ ,  θ̈ = θ' p̈ + θ'' ṗ²:  Q = a p̈ + b ṗ² + f ṗ + c = B n ,  B = ∂y_u/∂θ  (2)
//   K δ = R + (∂y_u/∂δ)ᵀ n ,  y = ∂y/∂δ δ              at rest, n of least norm        (3)
// Dry friction of a field y_f is constant as long as p rises: ± coulomb ∂y_f/∂θ in c, ∓ coulomb
// ∂y_f/∂δ in R, by the sign of y_f'.
// θ' and θ'' follow from the path by fields of the model at δ = 0: y_θ θ' = X', y_θ θ'' = X''
// less its acceleration at constant rates. Cost: s + 8 evaluations a point.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "sim/elastic_reach.h"
#include "tool_path_priv.h"

enum { PARTS = 4 };  // of p̈, ṗ², ṗ, at rest

typedef struct walker {
  const mw_mech *m;
  const mw_rom_file *file;
  const mw_tool_path *path;
  const mw_drive_limits *limits;
  mw_rom rom;  // without the limits that it is meant for
  mw_rom_opt opt;
  int s, n_el, n, n_row;        // θ, δ, both; parts of the path
  int *field;                   // [n_row]  of the path's parts
  int *coord;                   // [n_coord]  fields of coordinates, −1: none
  double *x, *u, *acc, *Y;      // [2n], [n_u], [n], [3 n_y]
  double *acc_x, *acc_u, *Y_x;  // [n × 2n], [n × n_u], [3 n_y × 2n]
  double *r, *K, *D;            // [s], [n_el × n_el] its factor, [s × n_el] d of (1)
  double *R0, *R[PARTS];        // [n_el]  R of one evaluation; of (2)
  int *way;                     // [n_law]  of fields that rub
  double *yp, *G, *b, *A, *nf;  // [3 n_row], [n_row × s] scratch …
  double th1[MW_ROM_MAX_S], th2[MW_ROM_MAX_S];
  void *work;
  mw_arena mem;
} walker;

static int field_of(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

static mw_code lost(const walker *w, double p, mw_rom_code code, const mw_rom_info *info,
                    mw_error *err)
{
  int i = info->index;
  const char *what = i >= 0 && i < w->s ? w->file->coordinate[i] : "a coordinate";
  if (code == MW_ROM_THETA)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "at p = %.6g the path leaves the range of %s in the reduced model", p, what);
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the reduced model cannot be evaluated on the path at p = %.6g: %s", p,
                 mw_rom_code_name(code));
}

// ---- evaluation ---------------------------------------------------------------------------------

// Rates, accelerations and forces at w->x (δ = δ̇ = 0): Y, acc, r; NULL: 0
static mw_code look(walker *w, double p, const double *thd, const double *thdd, const double *u,
                    mw_error *err)
{
  double zero[MW_ROM_MAX_S] = { 0.0 };
  mw_rom_info info = { .index = -1 };
  mw_rom_call call = { &w->rom, &w->opt, 0.0, u ? u : w->u, thdd ? thdd : zero, w->work, &info };
  const mw_rom_outputs_sens out = { .Y = w->Y, .reaction = w->r };
  memcpy(w->x + w->n, thd ? thd : zero, (size_t)w->s * sizeof *w->x);
  mw_rom_code code = mw_rom_rhs(&call, w->x, w->acc);
  if (code == MW_ROM_OK) code = mw_rom_outputs_jacobian(&call, w->x, &out);
  return code == MW_ROM_OK ? MW_OK : lost(w, p, code, &info, err);
}

// At rest: fields with their derivatives by θ, δ.
static mw_code look_at_rest(walker *w, double p, bool stiffness, mw_error *err)
{
  double zero[MW_ROM_MAX_S] = { 0.0 };
  mw_rom_info info = { .index = -1 };
  mw_rom_call call = { &w->rom, &w->opt, 0.0, w->u, zero, w->work, &info };
  const mw_rom_outputs_sens out = { .Y = w->Y, .Y_x = w->Y_x };
  memset(w->x + w->n, 0, (size_t)w->n * sizeof *w->x);
  mw_rom_code code = mw_rom_outputs_jacobian(&call, w->x, &out);
  if (code == MW_ROM_OK && stiffness)
    code = mw_rom_jacobian(&call, w->x, w->acc, w->acc_x, w->acc_u);
  return code == MW_ROM_OK ? MW_OK : lost(w, p, code, &info, err);
}

// ∂ field/∂ x_j at rest
static double slope(const walker *w, int field, int j)
{
  return w->Y_x[(size_t)field * 2 * (size_t)w->n + (size_t)j];
}

// ---- positions ----------------------------------------------------------------------------------

// Least squares of the path's rows, which say all of θ.
static mw_code solve_rows(walker *w, double p, const double *rhs, double *x, mw_error *err)
{
  static const double RANK = 1e-9;
  int rank = 0;
  for (int i = 0; i < w->n_row; i++)
    for (int j = 0; j < w->s; j++) w->G[i * w->s + j] = slope(w, w->field[i], j);
  mw_code rc = mw_lstsq(w->n_row, w->s, w->G, rhs, RANK, x, &rank, err);
  if (rc == MW_OK && rank < w->s)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "the path at p = %.6g does not say all of the motion, or is singular there: "
                 "expected as many independent parts as the %d coordinates of the reduction",
                 p, w->s);
  return rc;
}

// Newton's steps of θ to the path at p; fields at rest are then those there.
static mw_code settle(walker *w, double p, mw_error *err)
{
  enum { ITER = 50 };
  // of a coordinate's range: what a step may leave; below ROUNDING a step that no longer shrinks
  static const double CLOSE = 1e-14, ROUNDING = 1e-11, OFF = 1e-9;
  double step = INFINITY, last, dx[MW_ROM_MAX_S], off = 0.0;
  bool done = false;
  mw_tool_path_eval(w->path, p, w->yp);
  for (int i = 0; i < ITER && !done; i++) {
    mw_code rc = look_at_rest(w, p, false, err);
    for (int k = 0; k < w->n_row; k++) w->b[k] = w->yp[3 * k] - w->Y[w->field[k]];
    if (rc == MW_OK) rc = solve_rows(w, p, w->b, dx, err);
    if (rc != MW_OK) return rc;
    last = step;
    step = 0.0;
    for (int j = 0; j < w->s; j++) step = fmax(step, fabs(dx[j]) / (w->rom.hi[j] - w->rom.lo[j]));
    done = step <= CLOSE || (step <= ROUNDING && step > 0.5 * last);
    for (int j = 0; j < w->s; j++) w->x[j] += dx[j];
  }
  mw_code rc = look_at_rest(w, p, true, err);
  for (int k = 0; rc == MW_OK && k < w->n_row; k++)
    off = fmax(off, fabs(w->yp[3 * k] - w->Y[w->field[k]]));
  if (rc != MW_OK || (done && off <= OFF)) return rc;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "the path leads at p = %.6g where the machine cannot go: %.3g m or rad are left",
                 p, off);
}

// θ', θ'' at p; Y are then fields, rates and accelerations of ṗ = 1, p̈ = 0, what δ adds left out.
static mw_code follow(walker *w, double p, mw_error *err)
{
  int ny = w->rom.n_y;
  for (int k = 0; k < w->n_row; k++) w->b[k] = w->yp[3 * k + 1];
  mw_code rc = solve_rows(w, p, w->b, w->th1, err);
  memset(w->th2, 0, sizeof w->th2);
  for (int pass = 0; rc == MW_OK && pass < 2; pass++) {
    rc = look(w, p, w->th1, w->th2, NULL, err);
    for (int f = 0; f < ny; f++)
      for (int a = 0; a < w->n_el; a++)
        w->Y[2 * ny + f] -= slope(w, f, w->s + a) * w->acc[w->s + a];
    if (pass > 0 || rc != MW_OK) break;
    for (int k = 0; k < w->n_row; k++) w->b[k] = w->yp[3 * k + 2] - w->Y[2 * ny + w->field[k]];
    rc = solve_rows(w, p, w->b, w->th2, err);
  }
  return rc;
}

// The ways of fields that rub, 1, −1 or 0, with Y as of follow: of those that stand as they begin.
static void find_ways(walker *w)
{
  static const double STANDS = 1e-9;  // of the largest
  const mw_rom *rom = &w->file->rom;
  double first = 0.0, second = 0.0;
  for (int i = 0; i < w->s; i++) {
    first = fmax(first, fabs(w->th1[i]));
    second = fmax(second, fabs(w->th2[i]));
  }
  for (int l = 0; l < rom->n_law; l++) {
    int f = rom->law[l].field;
    double unit = 0.0, way = w->Y[rom->n_y + f];
    for (int i = 0; i < w->s; i++) unit = fmax(unit, fabs(slope(w, f, i)));
    if (fabs(way) <= STANDS * first * unit) {
      way = w->Y[2 * rom->n_y + f];
      if (fabs(way) <= STANDS * fmax(second, first * first) * unit) way = 0.0;
    }
    w->way[l] = (way > 0.0) - (way < 0.0);
  }
}

// ---- what is needed, and what deflects ----------------------------------------------------------

static mw_code couplings(walker *w, double p, mw_error *err)  // R0, d of (1)
{
  mw_code rc = look(w, p, NULL, NULL, NULL, err);
  if (rc == MW_OK) memcpy(w->R0, w->acc + w->s, (size_t)w->n_el * sizeof *w->R0);
  for (int i = 0; rc == MW_OK && i < w->s; i++) {
    double unit[MW_ROM_MAX_S] = { 0.0 };
    unit[i] = 1.0;
    rc = look(w, p, NULL, unit, NULL, err);
    for (int a = 0; a < w->n_el; a++) w->D[i * w->n_el + a] = w->R0[a] - w->acc[w->s + a];
  }
  return rc;
}

// Q and R at θ' ṗ, θ' p̈ + θ'' ṗ²
static mw_code at_speed(walker *w, double p, double rate, double acceleration, double *Q, double *R,
                        mw_error *err)
{
  double thd[MW_ROM_MAX_S], thdd[MW_ROM_MAX_S];
  for (int i = 0; i < w->s; i++) {
    thd[i] = w->th1[i] * rate;
    thdd[i] = w->th1[i] * acceleration + w->th2[i] * rate * rate;
  }
  mw_code rc = look(w, p, thd, thdd, NULL, err);
  if (rc != MW_OK) return rc;
  memcpy(R, w->acc + w->s, (size_t)w->n_el * sizeof *R);
  for (int i = 0; i < w->s; i++) Q[i] = w->r[i] - mw_dot(w->n_el, w->D + i * w->n_el, R);
  return MW_OK;
}

// Parts of p̈, ṗ², ṗ and rest of what is of second degree; x: at rest, p̈ = 1, ṗ = 1, −1, 2. The
// largest deviation from that over the largest of x.
static double divide(int n, double *const x[5], double *const part[PARTS])
{
  double most = 0.0, off = 0.0;
  for (int i = 0; i < n; i++) {
    double c = x[0][i], linear = 0.5 * (x[2][i] - x[3][i]), square = 0.5 * (x[2][i] + x[3][i]) - c;
    for (int k = 0; k < 5; k++) most = fmax(most, fabs(x[k][i]));
    off = fmax(off, fabs(x[4][i] - c - 2.0 * linear - 4.0 * square));
    part[0][i] = x[1][i] - c;
    part[1][i] = square;
    part[2][i] = linear;
    part[3][i] = c;
  }
  return most > 0.0 ? off / most : 0.0;
}

// Is there a part of ṗ? It is 0 where rounding leaves it.
static bool damped(int n, double *const part[PARTS])
{
  static const double NONE = 1e-12;
  double most = 0.0, linear = 0.0;
  for (int k = 0; k < n; k++) {
    for (int x = 0; x < PARTS; x++) most = fmax(most, fabs(part[x][k]));
    linear = fmax(linear, fabs(part[2][k]));
  }
  for (int k = 0; k < n && !(linear > NONE * most); k++) part[2][k] = 0.0;
  return linear > NONE * most;
}

// Friction of the model's laws into c [s] and R at rest
static void rub(walker *w, double *c)
{
  const mw_rom *rom = &w->file->rom;
  for (int l = 0; l < rom->n_law; l++) {
    const mw_rom_law *law = &rom->law[l];
    double force = w->way[l] * law->coulomb;
    for (int k = 0; k < w->s; k++) c[k] += force * slope(w, law->field, k);
    for (int a = 0; a < w->n_el; a++) w->R[3][a] -= force * slope(w, law->field, w->s + a);
  }
}

// (2) into row i of o, R of (2)
static mw_code needed(walker *w, int i, double p, mw_elastic_path *o, mw_error *err)
{
  static const double with[5][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { -1, 0 }, { 2, 0 } };
  static const double SQUARE = 1e-9;
  mw_path_dynamics *d = &o->d;
  mw_arena tmp = { 0 };
  double *Q[5], *R[5],
      *part[PARTS] = { d->a + i * w->s, d->b + i * w->s, d->f + i * w->s, d->c + i * w->s };
  for (int k = 0; k < 5; k++) {
    Q[k] = mw_arena_f64(&tmp, (size_t)w->s);
    R[k] = mw_arena_f64(&tmp, (size_t)w->n_el);
  }
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = couplings(w, p, err);
  for (int k = 0; rc == MW_OK && k < 5; k++)
    rc = at_speed(w, p, with[k][0], with[k][1], Q[k], R[k], err);
  if (rc == MW_OK && !(divide(w->s, Q, part) <= SQUARE && divide(w->n_el, R, w->R) <= SQUARE))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "forces at p = %.6g are not of second degree in the speed: accessible dynamics "
                 "knows weight, springs, dampers and drive_friction; expected no stops, play",
                 p);
  if (rc == MW_OK) rub(w, part[3]);
  if (rc == MW_OK) d->viscous = damped(w->s, part) || d->viscous;
  if (rc == MW_OK) (void)damped(w->n_el, w->R);
  mw_arena_free(&tmp);
  return rc;
}

// B into row i of o, forces of least norm
static mw_code forces(walker *w, int i, mw_elastic_path *o, mw_error *err)
{
  mw_path_dynamics *d = &o->d;
  int nd = d->n_drive, s = w->s, rank;
  double *B = d->B + (size_t)i * (size_t)(s * nd);
  const double *part[PARTS] = { d->a + i * s, d->b + i * s, d->f + i * s, d->c + i * s };
  for (int k = 0; k < s; k++)
    for (int j = 0; j < nd; j++) {
      bool gives = w->limits->hi[j] > 0.0 || w->limits->lo[j] < 0.0;
      B[k * nd + j] = gives ? slope(w, w->rom.u_field[j], k) : 0.0;
    }
  for (int j = 0; j < nd; j++) {
    d->rate[i * nd + j] = 0.0;
    for (int k = 0; k < s; k++) d->rate[i * nd + j] += slope(w, w->rom.u_field[j], k) * w->th1[k];
  }
  for (int x = 0; x < PARTS; x++) {
    memcpy(w->A, B, (size_t)(s * nd) * sizeof *B);
    mw_code rc = mw_lstsq(s, nd, w->A, part[x], 1e-12, o->force + (i * PARTS + x) * nd, &rank, err);
    if (rc != MW_OK) return rc;
  }
  return MW_OK;
}

// (3) into row i of o, and the lowest frequency
static mw_code deflections(walker *w, int i, double p, mw_elastic_path *o, mw_error *err)
{
  static const double PI = 3.14159265358979323846;
  int n = w->n_el, s = w->s, nd = o->d.n_drive;
  double *part[PARTS] = { o->a, o->b, o->f, o->c };
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      w->K[a * n + b] = w->A[a * n + b] = -w->acc_x[(s + a) * 2 * w->n + s + b];
  mw_code rc = n > 0 ? mw_eig_sym(n, w->A, w->b, w->D, err) : MW_OK;
  o->hz[i] = n > 0 ? sqrt(fmax(w->b[0], 0.0)) / (2.0 * PI) : INFINITY;
  if (rc == MW_OK && n > 0) rc = mw_chol_factor(n, w->K, err);
  if (rc != MW_OK)
    return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the machine gives way by itself on the path at p = %.6g", p);
  for (int x = 0; x < PARTS; x++) {
    const double *force = o->force + (i * PARTS + x) * nd;
    for (int a = 0; a < n; a++)
      for (int j = 0; j < nd; j++) w->R[x][a] += slope(w, w->rom.u_field[j], s + a) * force[j];
    if (n > 0) mw_chol_solve(n, w->K, 1, w->R[x]);
    for (int k = 0; k < 3 * o->n_out; k++) {
      double y = 0.0;
      for (int a = 0; a < n; a++) y += slope(w, o->field[k], s + a) * w->R[x][a];
      part[x][3 * i * o->n_out + k] = y;
    }
  }
  return MW_OK;
}

static void keep(const walker *w, int i, double p, mw_elastic_path *o)
{
  mw_path_dynamics *d = &o->d;
  double *s[3] = { d->s, d->s1, d->s2 };
  d->p[i] = p;
  for (int x = 0; x < 3; x++)
    for (int c = 0; c < d->n_coord; c++)
      s[x][i * d->n_coord + c] =
          w->coord[c] >= 0 ? w->Y[x * w->rom.n_y + w->coord[c]] : (double)NAN;
}

// ---- along the path -----------------------------------------------------------------------------

static mw_code field_of_part(const walker *w, int what, int *field, mw_error *err)
{
  const mw_tool_path *path = w->path;
  const mw_model *model = w->m->model;
  char name[256];
  int c = what - MW_ALONG_COORDINATE;
  if (c < 0 && what >= MW_ALONG_RX)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "a path: found angles of a body, which a reduced model does not know; expected "
                   "x, y, z or coordinates");
  if (c < 0)
    snprintf(name, sizeof name, "%s.%s", model->output[path->output].name,
             mw_output_axis(&model->output[path->output], what));
  else
    snprintf(name, sizeof name, "s:%s", mw_mech_coord_name(w->m, c));
  *field = field_of(w->file, name);
  if (*field >= 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the reduced model has no field %s", name);
}

static mw_code find_fields(walker *w, mw_elastic_path *o, mw_error *err)
{
  const mw_model *model = w->m->model;
  char name[256];
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < w->n_row; i++)
    rc = field_of_part(w, w->path->part[i].what, &w->field[i], err);
  for (int c = 0; c < w->m->n_coord; c++) {
    snprintf(name, sizeof name, "s:%s", mw_mech_coord_name(w->m, c));
    w->coord[c] = field_of(w->file, name);
  }
  for (int k = 0; rc == MW_OK && k < 3 * o->n_out; k++) {
    const mw_output_in *out = &model->output[o->output[k / 3]];
    snprintf(name, sizeof name, "%s.%s", out->name, mw_output_axis(out, k % 3));
    o->field[k] = field_of(w->file, name);
    if (o->field[k] < 0)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the reduced model has no field %s", name);
  }
  if (rc == MW_OK && w->rom.n_u != model->n_drive)
    rc =
        mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                "the reduced model has %d inputs, the model %d drives", w->rom.n_u, model->n_drive);
  for (int i = 0; rc == MW_OK && i < w->s; i++)
    o->d.coord[i] = mw_mech_coord(w->m, w->file->coordinate[i]);
  return rc;
}

// Of laws constant friction alone is known.
static mw_code check_laws(const walker *w, mw_elastic_path *o, mw_error *err)
{
  const mw_rom *rom = &w->file->rom;
  for (int l = 0; l < rom->n_law; l++) {
    const mw_rom_law *law = &rom->law[l];
    const char *what = isfinite(law->lo) || isfinite(law->hi) ? "stops or play"
                       : law->stiction != law->coulomb        ? "friction that falls with the speed"
                                                              : NULL;
    if (what)
      return mw_fail(
          err, MW_ERR_INPUT, (mw_at){ .file = w->m->model->path },
          "%.80s has %s: accessible dynamics knows weight, springs, dampers and friction "
          "that is constant",
          w->file->field[law->field], what);
    o->d.dry = o->d.dry || law->coulomb > 0.0;
  }
  return MW_OK;
}

static mw_code walker_open(walker *w, mw_error *err)
{
  mw_arena *mem = &w->mem;
  size_t s = (size_t)w->s, m = (size_t)w->n_el, n = (size_t)w->n, ny = (size_t)w->rom.n_y,
         nu = (size_t)w->rom.n_u, rows = (size_t)w->n_row, scratch = m * m + s * nu + rows + m;
  w->field = mw_arena_int(mem, rows);
  w->coord = mw_arena_int(mem, (size_t)w->m->n_coord);
  w->way = mw_arena_int(mem, (size_t)w->file->rom.n_law);
  w->x = mw_arena_f64(mem, 2 * n);
  w->u = mw_arena_f64(mem, nu);
  w->acc = mw_arena_f64(mem, n);
  w->Y = mw_arena_f64(mem, 3 * ny);
  w->acc_x = mw_arena_f64(mem, 2 * n * n);
  w->acc_u = mw_arena_f64(mem, n * nu);
  w->Y_x = mw_arena_f64(mem, 6 * ny * n);
  w->r = mw_arena_f64(mem, s);
  w->K = mw_arena_f64(mem, m * m);
  w->D = mw_arena_f64(mem, (s + m) * m);
  w->R0 = mw_arena_f64(mem, m);
  for (int i = 0; i < PARTS; i++) w->R[i] = mw_arena_f64(mem, m);
  w->yp = mw_arena_f64(mem, 3 * rows);
  w->G = mw_arena_f64(mem, rows * s);
  w->b = mw_arena_f64(mem, rows + m);
  w->A = mw_arena_f64(mem, scratch);
  w->work = mw_arena_alloc(mem, mw_rom_sens_bytes(&w->rom), 1);
  return mw_arena_check(mem, err);
}

static mw_code path_memory(mw_arena *mem, mw_elastic_path *o, mw_error *err)
{
  mw_path_dynamics *d = &o->d;
  size_t n = (size_t)d->n, k = (size_t)d->k, nd = (size_t)d->n_drive, nc = (size_t)d->n_coord;
  d->coord = mw_arena_int(mem, k);
  o->output = mw_arena_int(mem, (size_t)o->n_out);
  o->field = mw_arena_int(mem, 3 * (size_t)o->n_out);
  d->p = mw_arena_f64(mem, n);
  double **coord[] = { &d->s, &d->s1, &d->s2 }, **force[] = { &d->a, &d->b, &d->f, &d->c },
         **y[] = { &o->a, &o->b, &o->f, &o->c };
  for (int i = 0; i < 3; i++) *coord[i] = mw_arena_f64(mem, n * nc);
  for (int i = 0; i < PARTS; i++) *force[i] = mw_arena_f64(mem, n * k);
  for (int i = 0; i < PARTS; i++) *y[i] = mw_arena_f64(mem, 3 * n * (size_t)o->n_out);
  d->B = mw_arena_f64(mem, n * k * nd);
  d->rate = mw_arena_f64(mem, n * nd);
  o->force = mw_arena_f64(mem, n * PARTS * nd);
  o->hz = mw_arena_f64(mem, n);
  return mw_arena_check(mem, err);
}

mw_code mw_elastic_path_find(const mw_mech *m, const mw_rom_file *rom, const mw_tool_path *path,
                             const double *theta, const mw_drive_limits *limits, int n_out,
                             const int *output, int n, const double *p, mw_arena *mem,
                             mw_elastic_path *out, mw_error *err)
{
  walker w = { .m = m,
               .file = rom,
               .path = path,
               .limits = limits,
               .rom = rom->rom,
               .opt = mw_rom_opt_default(),
               .s = rom->rom.s,
               .n_el = rom->rom.m,
               .n = rom->rom.s + rom->rom.m,
               .n_row = path->n_part };
  mw_elastic_path o = {
    .d = { .n = n, .k = w.s, .n_drive = m->model->n_drive, .n_coord = m->n_coord }, .n_out = n_out
  };
  w.rom.rate_max = w.rom.u_max = NULL;
  w.rom.n_law = 0;
  w.opt.inertia = rom->inertia;
  w.opt.prescribed = (1u << w.s) - 1u;
  mw_code rc = check_laws(&w, &o, err);
  if (rc == MW_OK) rc = walker_open(&w, err);
  if (rc == MW_OK) rc = path_memory(mem, &o, err);
  if (rc == MW_OK) memcpy(o.output, output, (size_t)n_out * sizeof *output);
  if (rc == MW_OK) rc = find_fields(&w, &o, err);
  if (rc == MW_OK) memcpy(w.x, theta, (size_t)w.s * sizeof *theta);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    rc = settle(&w, p[i], err);
    if (rc == MW_OK) rc = follow(&w, p[i], err);
    if (rc == MW_OK) keep(&w, i, p[i], &o);
    if (rc == MW_OK) find_ways(&w);
    if (rc == MW_OK) rc = needed(&w, i, p[i], &o, err);
    if (rc == MW_OK) rc = forces(&w, i, &o, err);
    if (rc == MW_OK) rc = deflections(&w, i, p[i], &o, err);
  }
  mw_arena_free(&w.mem);
  if (rc == MW_OK) *out = o;
  return rc;
}
