// SPDX-License-Identifier: BSD-3-Clause
// large.c: deflections at which what the reduced model leaves out reaches its tolerance, from
// shapes on the mesh.
//
// Stretching. Members that are held at both ends stretch: V has the quartic term V4 δ⁴
// (large_shapes.c, 1), which the model does not have. Its force is 4 V4 δ³ beside ψᵀKψ δ: a share
// of 4 V4 δ²/ψᵀKψ, which (1) sets to the tolerance:
//   δ_max = √(tolerance ψᵀKψ / 4 V4)                                                            (1)
// For a sine on a prismatic beam between fixed ends the share is A δ²/4I (Woinowsky-Krieger 1950).
//
// Bending. Members that draw in are known to second order. Where the columns' mass follows, too (G,
// extra_mass.c; else what it errs by is named there, of relative order deflection/length), what is
// left is of relative order (deflection/length)², measured on clamped arms that a force at the tip
// swings, against chains of rigid links: BENT (w/l)², w the largest difference of displacements
// within an elastic body of size l.
//
// Tilting. What a rigid body's centre of mass moves by sin φ and 1 − cos φ instead of φ and ½φ² is
// of the same order: of a body that tilts by φ on its bearings and carries the share μ of the
// column's kinetic energy by its centre's motion, TILTED μ φ². Measured on a carriage on soft
// bearings against the full path, at 0.013, 0.027 and 0.065 rad; of the last (4.5e-3 with the arm
// rigid, against the exact equations) T to third order in δ under the arm's motion, A_ij cubic and
// B_i quadratic, is 86 %, outputs 12 %. No choice of δ helps: its third order does not enter what
// the model keeps. Where rigid bodies' A3 and B2 are kept (third_mass.c) it is half of that at
// 0.065 rad; the limits stay as they are.
// What swings and what stays bent: large_swings.c.
// Turning. Loads of rates are fixed to bodies that turn by φ as other loads deflect the machine, a
// rotor out of balance to its housing: of what they deflect outputs by, the model knows up to φ²,
// and φ³/6 is left (turns_of).
// Cost: at most MW_LARGE_PLACES systems over the mesh, an evaluation of all elements and a
// solution a column, load, set of loads and mode.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "large_priv.h"
#include "table/rigid_table_layer.h"
#include "work/offline_layer.h"

enum { STAYS = 5 };                // what is bent and stays: sets of loads
static const double BENT = 2.7;    // measured: 2.6 at w/l = 0.021, 2.7 at 0.041 and 0.081
static const double TILTED = 1.3;  // measured: 0.94, 0.94, 1.3 at 0.013, 0.027, 0.065 rad

// ---- bending ------------------------------------------------------------------------------------

// Diagonal of the box around n points x [n × 3]
static double diagonal(int n, const double *x)
{
  double lo[3], hi[3], d[3];
  for (int i = 0; i < 3; i++) lo[i] = INFINITY, hi[i] = -INFINITY;
  for (int k = 0; k < 3 * n; k++) {
    lo[k % 3] = fmin(lo[k % 3], x[k]);
    hi[k % 3] = fmax(hi[k % 3], x[k]);
  }
  for (int i = 0; i < 3; i++) d[i] = hi[i] - lo[i];
  return n > 0 ? mw_norm3(d) : 0.0;
}

double mw_large_spread(const large *z, int b, const double *x, double *slope)
{
  const mw_body *body = &z->r->full->body[b];
  const double *xb = x + mw_blocks_offset(z->direct, b);
  *slope = 0.0;
  if (body->n_u == 0) return 0.0;
  mw_csc_mul(&body->N, 1.0, xb, 0.0, z->work);
  double size = diagonal(body->n_node, body->X), w = diagonal(body->n_node, z->work);
  *slope = size > 0.0 ? w / size : 0.0;
  return w;
}

double mw_large_sway(const large *z, int b, const double *x, double c, double *tilt)
{
  const mw_body *body = &z->r->full->body[b];
  const double *t = x + mw_blocks_offset(z->direct, b);  // displacement of its origin, rotation
  double v[3], centre[3];
  *tilt = 0.0;
  if (body->n_u > 0 || body->ground || !(body->m > 0.0)) return 0.0;
  for (int i = 0; i < 3; i++) centre[i] = body->mX[i] / body->m;
  mw_cross3(t + 3, centre, v);
  for (int i = 0; i < 3; i++) v[i] += t[i];
  double w = mw_norm3(v);
  *tilt = mw_norm3(t + 3) * fmin(sqrt(body->m) * w / c, 1.0);  // columns are M-orthonormal
  return w;
}

double mw_large_furthest(const large *z, int k, int *body)
{
  const mw_reduction *r = z->r;
  double most = 0.0, other;
  *body = 0;
  for (int b = 0; b < r->full->n_body; b++) {
    const double *x = z->X + (size_t)k * z->n;
    double w = fmax(mw_large_spread(z, b, x, &other), mw_large_sway(z, b, x, 1.0, &other));
    if (w > most) most = w, *body = b;
  }
  return most;
}

// ---- limits -------------------------------------------------------------------------------------

static void lower(double at, double w, const char *body, int a, double *most, double *deflection,
                  const char **name)
{
  if (!(at < most[a])) return;
  most[a] = at;
  deflection[a] = w * at;
  name[a] = body;
}

static void columns_of(large *z)
{
  const mw_reduction *r = z->r;
  double tolerance = r->model->reduction.tolerance, slope;
  for (int a = 0; a < r->m; a++) {
    const double *x = z->X + (size_t)a * z->n;
    double c = z->to[a];
    if (!(c > 0.0)) continue;
    for (int b = 0; b < r->full->n_body; b++) {
      double w = mw_large_spread(z, b, x, &slope);
      if (slope > 0.0)
        lower(c * sqrt(tolerance / BENT) / slope, w / c, r->full->body[b].name, a, z->bend,
              z->bend_w, z->bend_body);
      w = mw_large_sway(z, b, x, c, &slope);
      if (slope > 0.0)
        lower(c * sqrt(tolerance / TILTED) / slope, w / c, r->full->body[b].name, a, z->bend,
              z->bend_w, z->bend_body);
    }
    if (!(z->V4[a] > 0.0)) continue;
    double w = mw_large_spread(z, z->body[a], x, &slope),
           share = 4.0 * z->V4[a] / mw_large_energy(z, z->c + a * r->m);
    lower(c * sqrt(tolerance / share), w / c, r->full->body[z->body[a]].name, a, z->stretch,
          z->stretch_w, z->stretch_body);
  }
}

// The largest share of a declared load at rest that stretching would carry
static void loads_of(large *z)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  for (int l = 0; l < z->n_load; l++) {
    int k = r->m + l;
    double e = mw_large_energy(z, z->c + (size_t)k * (size_t)r->m), slope;
    if (!(z->V4[k] > 0.0) || !(e > 0.0)) continue;
    double share = 4.0 * z->V4[k] / (e * z->to[k] * z->to[k]);
    if (!(share > cert->stretch_error)) continue;
    cert->stretch_error = share;
    cert->stretch_deflection =
        mw_large_spread(z, z->body[k], z->X + (size_t)k * z->n, &slope) / z->to[k];
    cert->stretch_body = r->full->body[z->body[k]].name;
    cert->stretch_load = mw_motion_load_name(r, l, z->keep);
  }
}

// Largest angle by which declared load l turns a rigid body, rad; twice that at rest where it may
// jump
static double turned(const large *z, int l, int *body)
{
  const mw_reduction *r = z->r;
  int k = r->m + l;
  double most = 0.0, by = l == 0 || mw_motion_load_is_rate(r, l) ? 1.0 : MW_LARGE_JUMP;
  *body = 0;
  for (int b = 0; z->to[k] > 0.0 && b < r->full->n_body; b++) {
    const mw_body *it = &r->full->body[b];
    if (it->n_u > 0 || it->ground || !(it->m > 0.0)) continue;
    double phi = mw_norm3(z->X + (size_t)k * z->n + mw_blocks_offset(z->direct, b) + 3);
    if (by * phi / z->to[k] > most) most = by * phi / z->to[k], *body = b;
  }
  return most;
}

// What loads of rates deflect an output by, of the largest that a load does; of the output where
// that is most
static double share_of_rates(const large *z)
{
  const mw_reduction *r = z->r;
  const mw_model *model = r->model;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&z->f->rom));
  double share = 0.0;
  for (int o = 0; o < model->n_output; o++) {
    double rates = 0.0, all = 0.0;
    if (mw_output_is_gauge(&model->output[o])) continue;
    for (int l = 0; l < z->n_load; l++) {
      double y[3];
      for (int i = 0; i < 3; i++)
        y[i] = mw_dot(r->m, z->value + L.y + (mw_output_row(model, o) + i) * (1 + r->m) + 1,
                      z->c + (size_t)(r->m + l) * (size_t)r->m);
      all = fmax(all, mw_norm3(y));
      if (mw_motion_load_is_rate(r, l)) rates = fmax(rates, mw_norm3(y));
    }
    if (all > 0.0) share = fmax(share, rates / all);
  }
  return share;
}

static void turns_of(large *z)
{
  const mw_reduction *r = z->r;
  mw_certificate *cert = &z->f->certificate;
  double share = share_of_rates(z);
  for (int l = 0; share > 0.0 && l < z->n_load; l++) {
    int body;
    double phi = turned(z, l, &body), error = 0.5 * share * phi * phi * phi / 6.0;
    if (!(error > cert->third_error)) continue;
    cert->third_error = error;
    cert->third_shift = cert->third_hz = cert->third_phase = 0.0;
    cert->third_deflection = phi;
    cert->third_body = r->full->body[body].name;
    cert->third_load = mw_motion_load_name(r, l, z->keep);
  }
}

// Shapes where these coordinates are free, and what their swings err by
static mw_code swings_at(large *z, int g, double size, unsigned free, mw_error *err)
{
  z->free = free;
  mw_code rc = mw_large_shapes(z, g, size, err);
  return rc == MW_OK ? mw_large_swings(z, &z->r->point[g].q, err) : rc;
}

// lambda and preload at configuration q, by one solution for all swings there; B and W are free
static mw_code rest_of(large *z, const mw_config *q, mw_error *err)
{
  size_t rows = (size_t)z->r->full->n_row;
  memset(z->lambda, 0, rows * sizeof *z->lambda);
  memset(z->preload, 0, rows * sizeof *z->preload);
  if (!(mw_norm3(z->r->model->gravity) > 0.0) && !q->loaded) return MW_OK;
  mw_system_load_rest(z->sys, z->B);
  mw_code rc = mw_system_solve_forces(z->sys, 1, z->B, z->W, z->lambda, err);
  mw_system_preload(z->sys, z->preload);
  mw_system_preload(z->sys, z->lambda);
  return rc;
}

static mw_code at_point(large *z, int g, double size, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_config *q = &r->point[g].q;
  mw_code rc = mw_system_build(z->direct, r->locked, 0, q->p, q->s, &z->sys, err);
  if (rc == MW_OK) rc = rest_of(z, q, err);
  if (rc == MW_OK && z->least != z->most) rc = swings_at(z, g, size, z->least, err);
  if (rc == MW_OK) rc = swings_at(z, g, size, z->most, err);
  if (rc == MW_OK) rc = mw_large_stays(z, q, err);
  mw_system_free(z->sys);
  z->sys = NULL;
  if (rc == MW_OK) columns_of(z);
  if (rc == MW_OK) loads_of(z);
  if (rc == MW_OK) turns_of(z);
  return rc;
}

// Diagonal of the box around the nodes of the largest elastic body
static double largest_body(const mw_reduction *r)
{
  double most = 0.0;
  for (int b = 0; b < r->full->n_body; b++)
    most = fmax(most, diagonal(r->full->body[b].n_node, r->full->body[b].X));
  return most > 0.0 ? most : 1.0;
}

static size_t work_doubles(const mw_reduction *r)
{
  size_t most = (size_t)r->n;
  for (int b = 0; b < r->full->n_body; b++) {
    size_t n = (size_t)r->full->body[b].n_u, nodes = 3 * (size_t)r->full->body[b].n_node;
    if (n > most) most = n;
    if (nodes > most) most = nodes;
  }
  return most;
}

static mw_code init(large *z, mw_error *err)
{
  const mw_reduction *r = z->r;
  z->n_mode = r->m < MW_LARGE_MODES ? r->m : MW_LARGE_MODES;
  z->n_stay = STAYS;
  size_t m = (size_t)r->m, ns = m + (size_t)(z->n_load + z->n_mode + z->n_stay);
  mw_arena *keep = z->keep;
  z->n_shape = (int)ns;
  z->value = mw_arena_f64(&z->mem, (size_t)z->f->rom.n_field);
  z->gradient = mw_arena_f64(&z->mem, (size_t)r->s * (size_t)z->f->rom.n_field);
  z->let_go = mw_arena_f64(&z->mem, m);
  z->c = mw_arena_f64(&z->mem, ns * m);
  z->K = mw_arena_f64(&z->mem, m * m);
  z->F = mw_arena_f64(&z->mem, (size_t)z->n_load * m);
  z->off = mw_arena_f64(&z->mem, (size_t)z->n_load + 1);
  z->P = mw_arena_f64(&z->mem, m * m);
  z->V = mw_arena_f64(&z->mem, m * m);
  z->w2 = mw_arena_f64(&z->mem, m);
  z->to = mw_arena_f64(&z->mem, ns);
  z->Y = mw_arena_f64(&z->mem, ns * (size_t)r->n);
  z->X = mw_arena_f64(&z->mem, ns * z->n);
  z->B = mw_arena_f64(&z->mem, ns * z->n);
  z->E = mw_arena_f64(&z->mem, ns * z->n);
  z->U = mw_arena_f64(&z->mem, z->n);
  z->W = mw_arena_f64(&z->mem, ns * z->n);
  z->V4 = mw_arena_f64(&z->mem, ns);
  z->own = mw_arena_f64(&z->mem, ns * (size_t)r->full->n_body);
  z->lambda = mw_arena_f64(&z->mem, (size_t)r->full->n_row);
  z->preload = mw_arena_f64(&z->mem, (size_t)r->full->n_row);
  z->body = mw_arena_int(&z->mem, ns);
  z->work = mw_arena_f64(&z->mem, work_doubles(r));
  z->bend = mw_arena_f64(keep, m);
  z->bend_w = mw_arena_f64(keep, m);
  z->stretch = mw_arena_f64(keep, m);
  z->stretch_w = mw_arena_f64(keep, m);
  z->bend_body = mw_arena_alloc(keep, m, sizeof *z->bend_body);
  z->stretch_body = mw_arena_alloc(keep, m, sizeof *z->stretch_body);
  size_t n = (size_t)z->n_mode;
  double **of_mode[] = { &z->omega, &z->shift, &z->third, &z->output, &z->bends, &z->moved };
  for (size_t i = 0; i < sizeof of_mode / sizeof *of_mode; i++) *of_mode[i] = mw_arena_f64(keep, n);
  z->mode = mw_arena_f64(keep, n * m);
  z->moved_body = mw_arena_alloc(keep, n, sizeof *z->moved_body);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(keep, err);
  for (size_t k = 0; rc == MW_OK && k < n; k++) z->moved_body[k] = "";
  for (size_t a = 0; rc == MW_OK && a < m; a++) {
    z->bend[a] = z->stretch[a] = INFINITY;
    z->bend_body[a] = z->stretch_body[a] = "";
  }
  return rc;
}

// What would be a load of mw_motion_loads, but is neither declared nor in a scenario
static mw_code undeclared(const large *z, mw_rom_file *f, mw_error *err)
{
  const mw_reduction *r = z->r;
  const mw_reduction_in *in = &r->model->reduction;
  const char *text = NULL;
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k < 2; k++)
      if (!((k ? z->moves.acceleration[i] : z->moves.rate[i]) > 0.0))
        text = mw_arena_printf(z->keep, "%s%s%s of %s", text ? text : "", text ? ", " : "",
                               k ? "acceleration" : "rate", in->coordinate[i].name);
  for (int d = 0; d < r->model->n_drive; d++) {
    int joint = r->model->drive[d].joint;
    bool moves = false;  // a coordinate, whose acceleration is there
    for (int i = 0; i < r->s; i++)
      moves = moves || (joint >= 0 && r->mech->joint[joint].coord == r->coord[i]);
    if (!moves && !(in->max_input[d] > 0.0))
      text = mw_arena_printf(z->keep, "%s%sinput %s", text ? text : "", text ? ", " : "",
                             r->model->drive[d].name);
  }
  for (int k = 0; k < f->swing.n; k++)
    if (!(f->swing.omega[k] > 0.0))
      text =
          mw_arena_printf(z->keep, "%s%sswings of mode %d, whose runners would leave their guides",
                          text ? text : "", text ? ", " : "", k + 1);
  f->certificate.undeclared = text;
  return mw_arena_check(z->keep, err);
}

int mw_large_places(const mw_reduction *r, int g[MW_LARGE_PLACES])
{
  int n = r->n_point < MW_LARGE_PLACES ? r->n_point : MW_LARGE_PLACES;
  for (int k = 0; k < n; k++) g[k] = n > 1 ? k * (r->n_point - 1) / (n - 1) : 0;
  return n;
}

mw_code mw_large_limits(mw_reduction *r, mw_rom_file *f, mw_arena *mem, mw_error *err)
{
  large z = { .r = r, .f = f, .keep = mem, .n_load = mw_motion_load_count(r) };
  unsigned all = (1u << r->s) - 1u, held = mw_motion_prescribed(r);
  z.least = ~mw_motion_prescribable(r) & all;
  z.most = ~held & all;
  mw_blocks *direct = NULL;
  double size = largest_body(r);
  z.longest = mw_motion_longest_free(r);
  f->certificate.third_time = z.most ? z.longest : 0.0;
  f->certificate.third_held = held;
  f->certificate.stretch_error = f->certificate.third_error = f->certificate.third_phase = 0.0;
  f->certificate.free_hz = f->certificate.free_error = 0.0;
  f->certificate.third_taken = NULL;
  if (r->model->strain_linear) return MW_OK;  // nothing of second order in strains is asked for
  mw_code rc = mw_reduction_moves(r, &z.moves, mem, err);
  f->certificate.third_taken = z.moves.assumed;
  if (rc == MW_OK) rc = mw_offline_direct(r->offline, &direct, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc != MW_OK) return rc;
  z.direct = direct;
  z.n = (size_t)mw_blocks_size(direct);
  rc = init(&z, err);
  int place[MW_LARGE_PLACES], places = mw_large_places(r, place);
  mw_progress_start(r->progress, "large deflections", places);
  for (int k = 0; rc == MW_OK && k < places; k++) {
    rc = at_point(&z, place[k], size, err);
    mw_progress_step(r->progress, k + 1);
  }
  mw_progress_end(r->progress);
  f->bend = (mw_reach){ z.bend, z.bend_w, z.bend_body };
  f->stretch = (mw_reach){ z.stretch, z.stretch_w, z.stretch_body };
  f->swing = (mw_swings){ z.n_mode, z.omega, z.shift, z.third,     z.mode,
                          z.output, z.bends, z.moved, z.moved_body };
  if (rc == MW_OK) rc = undeclared(&z, f, err);
  mw_arena_free(&z.mem);
  return rc;
}
