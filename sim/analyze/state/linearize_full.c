// SPDX-License-Identifier: BSD-3-Clause
// linearize_full.c: the unreduced elastic mechanism at rest, in its own modes.
//
//   M ẍ + C ẋ + K x = F u ,  y = G x ,  joints closed;  x = Xᵀ η ,  X M Xᵀ = 1 ,  X K Xᵀ = Λ
//   η̈ = −Λ η − X C Xᵀ η̇ + X F u ,  y = G Xᵀ η + D u                                          (1)
//   D = G (x₁ − σ x₂ + σ² x₃) ,  x₁ = P (K − σM)⁻¹ F ,  x_j+1 = P (K − σM)⁻¹ M x_j            (2)
// (2) is how modes that are left out give way, as if at once: responses are exact at frequencies
// far below theirs, poles of undamped mechanisms at any. P takes the modes out; 1/λ of the others
// is known to (σ/λ)³. σ < 0 where it may move freely: its free motions are the modes of λ = 0. K
// and M are those of the undeformed mechanism: stiffness of the weight and of loads is not in them.
// Cost: a factorization of the bodies, twice; some solutions a mode; one a drive.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/system.h"
#include "sim/linearize.h"
#include "state_space_priv.h"

typedef struct full {
  const mw_mech *m;
  const mw_position *at;
  const unsigned char *held;  // [n_coord]
  mw_blocks *blocks;
  mw_system *sys;
  double sigma;    // (rad/s)²
  size_t n;        // unknowns
  int k, n_free;   // modes, those of λ = 0 first
  double *lambda;  // [k]
  double *X, *CX;  // [k × n]
  double *F, *x;   // [n_u × n], [n_u × n]  loads of drives, what they deflect
  double *g;       // [n]  scratch
  mw_arena mem;
} full;

// ---- what is not in it --------------------------------------------------------------------------

static bool is_held(const full *f, int c) { return f->held && f->held[c]; }

static bool holds_all(const full *f)
{
  const mw_reduction_in *r = &f->m->model->reduction;
  bool all = r->n_coordinate > 0 && f->held;
  for (int i = 0; i < r->n_coordinate; i++)
    all = all && f->held[f->m->joint[r->coordinate[i].joint].coord];
  return all;
}

static mw_code check(const full *f, mw_error *err)
{
  const mw_model *model = f->m->model;
  bool elastic = false, alpha = model->modal > 0.0;
  for (int b = 0; b < f->m->n_body; b++) {
    elastic = elastic || f->m->body[b].n_u > 0;
    alpha = alpha || f->m->body[b].alpha > 0.0;
  }
  for (int k = 0; k < model->n_component; k++)
    elastic = elastic || model->component[k].size.springs;
  if (!elastic)
    return mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "--modes: found no elastic body in %.80s, expected one, or no --modes: the rigid "
        "mechanism",
        model->name);
  if (model->modal > 0.0 && model->n_component > 0)
    return mw_fail(err, MW_ERR_INPUT, model->component[0].at,
                   "--modes: found damping by modal ratios beside component %.64s, which damps "
                   "itself; expected damping in proportion to stiffness",
                   model->component[0].name);
  mw_code rc = mw_mech_check_elastic(f->m, true, err);
  if (rc == MW_OK && alpha && !holds_all(f))
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--modes: damping alpha and modal act on what goes beyond the motion of the "
                 "reduction's coordinates; expected these in --hold, or beta alone");
  return rc;
}

// ---- modes --------------------------------------------------------------------------------------

static mw_code open_at(full *f, double sigma, const unsigned char *locked, mw_error *err)
{
  mw_system_free(f->sys);
  mw_blocks_free(f->blocks);
  f->sys = NULL;
  f->blocks = NULL;
  f->sigma = sigma;
  mw_code rc = mw_blocks_build(f->m, sigma, false, &f->blocks, err);
  if (rc == MW_OK) rc = mw_system_build(f->blocks, locked, 0, f->at->p, f->at->s, &f->sys, err);
  if (rc == MW_OK) f->n = (size_t)mw_blocks_size(f->blocks);
  return rc;
}

// λ that counts as 0, of motions that may be held by springs inside of components: far below σ, far
// above what iterations leave of 0
static double nothing(const full *f) { return 1e-8 * fabs(f->sigma); }

// The lowest λ with the coordinates in `all` held that is not of a motion which they leave free.
static mw_code lowest_held(full *f, const unsigned char *all, double *lowest, mw_error *err)
{
  static const double SOME = -1.0;  // (rad/s)²: below 0, where there are such motions
  int free = 0, k;
  mw_code rc = mw_mech_freedom(f->m, all, f->at->p, f->at->s, &free, err);
  if (rc == MW_OK) rc = open_at(f, free > 0 ? SOME : 0.0, all, err);
  if (rc != MW_OK) return rc;
  int most = mw_system_modes_most(f->sys);
  k = free + 1 < most ? free + 1 : most;
  double *lambda = mw_arena_f64(&f->mem, (size_t)k), *X = mw_arena_f64(&f->mem, (size_t)k * f->n);
  rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = mw_system_modes(f->sys, k, lambda, X, err);
  int i = 0;
  while (rc == MW_OK && i < k - 1 && lambda[i] <= nothing(f)) i++;
  if (rc == MW_OK) *lowest = lambda[i];
  return rc;
}

// σ of (2): 0 where nothing is free, or below it, a tenth of the lowest λ with all coordinates held
static mw_code shift(full *f, mw_error *err)
{
  static const double BELOW = 0.1;
  size_t nc = (size_t)f->m->n_coord;
  unsigned char *all = mw_arena_alloc(&f->mem, nc, 1);
  double lowest = 0.0;
  mw_code rc = mw_mech_freedom(f->m, f->held, f->at->p, f->at->s, &f->n_free, err);
  if (rc == MW_OK) rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK && f->n_free == 0) return open_at(f, 0.0, f->held, err);
  if (rc != MW_OK) return rc;
  memset(all, 1, nc);
  rc = lowest_held(f, all, &lowest, err);
  return rc == MW_OK ? open_at(f, -BELOW * lowest, f->held, err) : rc;
}

static mw_code find_modes(full *f, int n_mode, mw_error *err)
{
  int most = mw_system_modes_most(f->sys);
  f->k = f->n_free + n_mode < most ? f->n_free + n_mode : most;
  size_t k = (size_t)f->k, n_u = (size_t)f->m->model->n_drive;
  f->lambda = mw_arena_f64(&f->mem, k);
  f->X = mw_arena_f64(&f->mem, k * f->n);
  f->CX = mw_arena_f64(&f->mem, k * f->n);
  f->F = mw_arena_f64(&f->mem, n_u * f->n);
  f->x = mw_arena_f64(&f->mem, n_u * f->n);
  f->g = mw_arena_f64(&f->mem, f->n);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = mw_system_modes(f->sys, f->k, f->lambda, f->X, err);
  if (rc == MW_OK) rc = mw_system_mul_C_many(f->sys, f->k, f->X, f->CX, err);
  int free = 0;
  while (rc == MW_OK && free < f->n_free &&
         (f->m->model->n_component == 0 || f->lambda[free] <= nothing(f)))
    f->lambda[free++] = 0.0;
  f->n_free = free;
  if (f->k > free + n_mode) f->k = free + n_mode;
  return rc;
}

// ---- matrices -----------------------------------------------------------------------------------

static void load_of_drive(const full *f, int d, double *to)
{
  static const double origin[3] = { 0.0 };
  const mw_drive_in *in = &f->m->model->drive[d];
  if (in->joint >= 0)
    mw_system_load_coord(f->sys, f->m->joint[in->joint].coord, to);
  else
    mw_system_load_point(f->sys, in->on, origin, in->dir, to);
}

// A, B of (1)
static void dynamics(full *f, mw_state_space *o)
{
  int k = f->k, nx = 2 * k, n = (int)f->n;
  for (int i = 0; i < k; i++) {
    double *row = o->A + (size_t)(k + i) * (size_t)nx;
    const double *x = f->X + (size_t)i * f->n;
    o->A[(size_t)i * (size_t)nx + (size_t)(k + i)] = 1.0;
    row[i] = 0.0 - f->lambda[i];
    for (int j = 0; j < k; j++) row[k + j] = 0.0 - mw_dot(n, x, f->CX + (size_t)j * f->n);
    if (holds_all(f))
      row[k + i] -= 2.0 * mw_model_modal(f->m->model, sqrt(f->lambda[i])) * sqrt(f->lambda[i]);
    for (int d = 0; d < o->n_u; d++)
      o->B[(k + i) * o->n_u + d] = mw_dot(n, x, f->F + (size_t)d * f->n);
  }
  for (int c = 0; c < f->m->n_coord; c++) {  // dampers of coordinates
    double damping = f->m->joint[f->m->coord_joint[c]].in->coordinate_damping;
    if (damping == 0.0 || is_held(f, c)) continue;
    mw_system_load_coord(f->sys, c, f->g);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++)
        o->A[(k + i) * nx + k + j] -= damping * mw_dot(n, f->g, f->X + (size_t)i * f->n) *
                                      mw_dot(n, f->g, f->X + (size_t)j * f->n);
  }
}

// f->x of (2)
static mw_code give_way(full *f, int n_u, mw_error *err)
{
  enum { TERMS = 3 };
  size_t n = f->n;
  mw_code rc = MW_OK;
  double *y = mw_arena_f64(&f->mem, n), *load = mw_arena_f64(&f->mem, n);
  rc = mw_arena_check(&f->mem, err);
  for (int d = 0; rc == MW_OK && d < n_u; d++) {
    double *x = f->x + (size_t)d * n, part = 1.0;
    memcpy(load, f->F + (size_t)d * n, n * sizeof *load);
    for (int j = 0; rc == MW_OK && j < (f->sigma != 0.0 ? TERMS : 1); j++, part *= -f->sigma) {
      rc = mw_system_solve(f->sys, load, y, err);
      for (int i = 0; rc == MW_OK && i < f->k; i++) {
        const double *mode = f->X + (size_t)i * n;
        mw_axpy((int)n, -mw_dot((int)n, mode, load) / (f->lambda[i] - f->sigma), mode, y);
      }
      if (rc == MW_OK) mw_axpy((int)n, part, y, x);
      if (rc == MW_OK) mw_system_mul_M(f->sys, y, load);
    }
  }
  return rc;
}

// Row of C and of D, (2), of the functional f->g
static void see(full *f, int row, mw_state_space *o)
{
  int n = (int)f->n;
  double *C = o->C + (size_t)row * (size_t)o->n_x, *D = o->D + row * o->n_u;
  for (int i = 0; i < f->k; i++) C[i] = mw_dot(n, f->g, f->X + (size_t)i * f->n);
  for (int d = 0; d < o->n_u; d++) D[d] = mw_dot(n, f->g, f->x + (size_t)d * f->n);
}

static bool is_place(const mw_output_in *in) { return in->kind == MW_OUTPUT_POSITION && !in->part; }

static mw_code outputs(full *f, mw_arena *mem, mw_state_space *o, mw_error *err)
{
  const mw_mech *m = f->m;
  const mw_model *model = m->model;
  char text[512] = "";
  int row = 0;
  for (int c = 0; c < m->n_coord; c++, row++) {
    o->output[row] = mw_mech_coord_name(m, c);
    o->output_unit[row] = mw_joint_unit(m->joint[m->coord_joint[c]].in);
    o->y0[row] = f->at->s[c];
    if (is_held(f, c)) continue;
    mw_system_load_coord(f->sys, c, f->g);
    see(f, row, o);
  }
  for (int i = 0; i < model->n_output + model->n_observed; i++) {
    const mw_output_in *in = i < model->n_output ? &model->output[i] : NULL;
    if (in && in->part) continue;
    if (!in || !is_place(in)) {
      size_t used = strlen(text);
      snprintf(text + used, sizeof text - used, "%s%.60s", used > 0 ? ", " : "",
               in ? in->name : model->observed[i - model->n_output].name);
      continue;
    }
    double at[3];
    mw_mech_point(m, in->ref, in->x, f->at->p + 12 * in->ref.body, NULL, at, NULL, NULL);
    for (int d = 0; d < 3; d++, row++) {
      const double dir[3] = { d == 0, d == 1, d == 2 };
      o->output[row] = mw_arena_printf(mem, "%s.%c", in->name, "xyz"[d]);
      o->output_unit[row] = "m";
      o->y0[row] = at[d];
      mw_system_load_point(f->sys, in->ref, in->x, dir, f->g);
      see(f, row, o);
    }
  }
  if (text[0] != '\0') o->left_out = mw_arena_str(mem, text);
  return mw_arena_check(mem, err);
}

static mw_code names(const full *f, mw_arena *mem, mw_state_space *o, mw_error *err)
{
  static const double TURN = 6.283185307179586;
  for (int i = 0; i < f->k; i++) {
    bool free = i < f->n_free;
    o->state[i] = free ? mw_arena_printf(mem, "free motion %d", i + 1)
                       : mw_arena_printf(mem, "mode %d, %.6g Hz", i + 1 - f->n_free,
                                         sqrt(fmax(f->lambda[i], 0.0)) / TURN);
    o->state[f->k + i] = mw_arena_printf(mem, "d/dt %s", o->state[i] ? o->state[i] : "");
    o->state_unit[i] = o->state_unit[f->k + i] = "";
  }
  for (int d = 0; d < o->n_u; d++) {
    const mw_drive_in *in = &f->m->model->drive[d];
    bool turns = in->joint >= 0 && mw_joint_in_turns(f->m->joint[in->joint].in);
    o->input[d] = in->name;
    o->input_unit[d] = turns ? "N m" : "N";
  }
  return mw_arena_check(mem, err);
}

mw_code mw_linearize_full(const mw_mech *m, const mw_position *at, const unsigned char *held,
                          int n_mode, mw_arena *mem, mw_state_space *out, mw_error *err)
{
  full f = { .m = m, .at = at, .held = held };
  mw_state_space o = { .n_u = m->model->n_drive, .n_y = m->n_coord };
  for (int i = 0; i < m->model->n_output; i++) o.n_y += is_place(&m->model->output[i]) ? 3 : 0;
  mw_code rc = check(&f, err);
  if (rc == MW_OK) rc = shift(&f, err);
  if (rc == MW_OK) rc = find_modes(&f, n_mode, err);
  o.n_x = 2 * f.k;
  if (rc == MW_OK) rc = mw_state_space_init(&o, mem, err);
  for (int d = 0; rc == MW_OK && d < o.n_u; d++) load_of_drive(&f, d, f.F + (size_t)d * f.n);
  if (rc == MW_OK) rc = give_way(&f, o.n_u, err);
  if (rc == MW_OK) dynamics(&f, &o);
  if (rc == MW_OK) rc = outputs(&f, mem, &o, err);
  if (rc == MW_OK) rc = names(&f, mem, &o, err);
  if (rc == MW_OK) o.error = mw_system_component_error(f.sys);
  mw_system_free(f.sys);
  mw_blocks_free(f.blocks);
  mw_arena_free(&f.mem);
  if (rc == MW_OK) *out = o;
  return rc;
}
