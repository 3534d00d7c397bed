// SPDX-License-Identifier: BSD-3-Clause
// system.c: the linear elastic mechanism at one configuration, solved bodies first, then joints.
//
//   S_b x_b + B_bᵀ μ + P_gᵀ y = f_b          elastic body, S_b = K − σM (+ κ on the grounded
//                                            unknowns)
//   −σ M_6 x_r + B_rᵀ μ      = f_r           rigid moving body
//   Σ B x − μ/k   = 0   joint rows (k = ∞: constraints), B = C P: C by functionals of the interface
//   P_g x_b + y/κ            = 0             takes the grounding springs out again (y = −κ P_g x)
//
// Eliminating x_b leaves the small symmetric system (small.c) in (μ, x_r, y), X = B S⁻¹,
// X_g = P_g S⁻¹:
//   [ −ΣX Bᵀ − 1/k   B_r    −X P_gᵀ      ]   [ μ   ]   [ −Σ B S⁻¹ f  ]
//   [  B_rᵀ        −σM_6     0           ] · [ x_r ] = [ f_r         ]
//   [ −P_g Xᵀ        0      −X_g P_gᵀ + 1/κ ] [ y  ]   [ −P_g S⁻¹ f  ]
//
// Frames of components are rigid bodies there: system_component.c.
// Redundant constraint rows are found by a pivoted Cholesky of the constraint rows' Gram matrix and
// dropped. Cost of a configuration: one solve a joint row and body it touches, all at once, and
// O(n_small³), of long chains of bodies O(n_small); in the bodies' eigenbases (basis.h) a solve is
// a division, and nothing grows with the mesh.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/output.h"
#include "system_layer.h"

// Row of a joint evaluation on body side: functionals (elastic, Ra those of its mean axes or NULL)
// or (v, ω) with Ê = ω~ (rigid).
static void side_row(const mw_body *body, const double *J, const double *Z, const double *Ra,
                     double *out)
{
  if (body->n_u > 0) {
    memcpy(out, Z, (size_t)body->n_z * sizeof *out);
    if (Ra) memcpy(out + body->n_z, Ra, 3 * sizeof *out);
    return;
  }
  if (body->ground) return;
  const double *W = J + 3;
  for (int i = 0; i < 3; i++) out[i] += J[i];
  out[3] += W[7] - W[5];
  out[4] += W[2] - W[6];
  out[5] += W[3] - W[1];
}

static void add_row(const mw_system *sys, const mw_joint *j, const mw_joint_eval *e, int row,
                    double **C, int out)
{
  const mw_mech *m = sys->bl->m;
  int wa = mw_block_width(sys->bl, j->a), wb = mw_block_width(sys->bl, j->b);
  int za = m->body[j->a].n_z, zb = m->body[j->b].n_z;
  if (wa > 0)
    side_row(&m->body[j->a], e->Ja + 12 * row, e->Za + row * za, wa > za ? e->Ra + 3 * row : NULL,
             C[j->a] + (size_t)out * (size_t)wa);
  if (wb > 0)
    side_row(&m->body[j->b], e->Jb + 12 * row, e->Zb + row * zb, NULL,
             C[j->b] + (size_t)out * (size_t)wb);
}

// What row i of joint j, row n_mu of C, pulls at its gap g.
static void preload(mw_system *sys, const mw_joint *j, int i, double g, double **C)
{
  double f = mw_mech_spring_force(sys->bl->m, j, i, g);
  if (f == 0.0) return;
  sys->preload[j->row0 + i] = f;
  sys->energy += 0.5 * f * g;
  for (int side = 0; side < (j->a == j->b ? 1 : 2); side++) {
    int b = side == 0 ? j->a : j->b, w = mw_block_width(sys->bl, b);
    if (w > 0) mw_axpy(w, -f, C[b] + (size_t)sys->n_mu * (size_t)w, sys->pull[b]);
  }
}

// Joint rows that act: all but the defining rows of free coordinates; a free coordinate's change is
// −row·x / Js.
static mw_code joint_rows(mw_system *sys, double **C, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  mw_arena tmp = { 0 };
  mw_joint_eval e = mw_joint_eval_init(m, &tmp);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int ji = 0; rc == MW_OK && ji < m->n_joint; ji++) {
    const mw_joint *j = &m->joint[ji];
    rc = mw_joint_eval_at(m, ji, sys->p + 12 * j->a, NULL, sys->p + 12 * j->b, NULL,
                          mw_joint_s(j, sys->s), &e, err);
    for (int i = 0; rc == MW_OK && i < j->n_row; i++) {
      bool defines = i == j->coord_row;
      if (defines) {
        add_row(sys, j, &e, i, sys->coord, j->coord);
        for (int side = 0; side < 2; side++) {
          int b = side == 0 ? j->a : j->b, w = mw_block_width(sys->bl, b);
          double *c = w > 0 ? sys->coord[b] + (size_t)j->coord * (size_t)w : NULL;
          if (side == 1 && j->a == j->b) break;
          for (int k = 0; k < w; k++) c[k] /= -e.Js[i];
        }
      }
      if ((defines && !sys->locked[j->coord]) || !(j->k[i] > 0.0)) continue;
      add_row(sys, j, &e, i, C, sys->n_mu);
      preload(sys, j, i, e.g[i], C);
      sys->mech_row[sys->n_mu] = j->row0 + i;
      sys->k_row[sys->n_mu] = j->k[i];
      sys->c_row[sys->n_mu++] = j->c[i];
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_system_load_row(const mw_system *sys, int row, double *f, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  mw_arena tmp = { 0 };
  mw_joint_eval e = mw_joint_eval_init(m, &tmp);
  double **C = mw_arena_alloc(&tmp, (size_t)m->n_body, sizeof *C);
  int ji = 0;
  while (row >= m->joint[ji].row0 + m->joint[ji].n_row) ji++;
  const mw_joint *j = &m->joint[ji];
  for (int side = 0; C && side < 2; side++) {
    int b = side == 0 ? j->a : j->b, w = mw_block_width(sys->bl, b);
    if (w > 0 && !C[b]) C[b] = mw_arena_f64(&tmp, (size_t)w);
  }
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK)
    rc = mw_joint_eval_at(m, ji, sys->p + 12 * j->a, NULL, sys->p + 12 * j->b, NULL,
                          mw_joint_s(j, sys->s), &e, err);
  if (rc == MW_OK) {
    add_row(sys, j, &e, row - j->row0, C, 0);
    memset(f, 0, (size_t)sys->bl->n * sizeof *f);
    for (int side = 0; side < (j->a == j->b ? 1 : 2); side++) {
      int b = side == 0 ? j->a : j->b;
      if (C[b]) mw_system_add_functional(sys, b, C[b], f);
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

static bool held(uint64_t hold, int load) { return load < 64 && (hold >> load & 1u); }

// Rows that hold the outputs' positions, the force drives and the driven free coordinates;
// redundant ones are dropped later.
static void load_rows(mw_system *sys, uint64_t hold, double **C)
{
  const mw_mech *m = sys->bl->m;
  const mw_model *model = m->model;
  int n_point = model->n_output + model->n_drive;
  for (int i = 0; i < n_point; i++) {
    const mw_drive_in *d = i < model->n_output ? NULL : &model->drive[i - model->n_output];
    if (!d && mw_output_is_gauge(&model->output[i])) continue;
    if (d && !held(hold, 2 * model->n_output + i)) continue;
    if (d && d->joint >= 0) {
      int c = m->joint[d->joint].coord;
      if (sys->locked[c]) continue;
      for (int b = 0; b < m->n_body; b++) {
        size_t w = (size_t)mw_block_width(sys->bl, b);
        if (w > 0)
          memcpy(C[b] + (size_t)sys->n_mu * w, sys->coord[b] + (size_t)c * w, w * sizeof(double));
      }
      sys->mech_row[sys->n_mu] = -1;
      sys->k_row[sys->n_mu++] = INFINITY;
      continue;
    }
    const double none[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < (d ? 1 : 3); k++) {
      double e[3] = { k == 0, k == 1, k == 2 };
      mw_ref ref = d ? d->on : model->output[i].ref;
      double *row = C[ref.body];
      if (!row || (!d && !held(hold, 3 * i + k))) continue;
      mw_system_point_row(sys, ref, d ? none : model->output[i].x, d ? d->dir : e,
                          row + (size_t)sys->n_mu * (size_t)mw_block_width(sys->bl, ref.body));
      sys->mech_row[sys->n_mu] = -1;
      sys->k_row[sys->n_mu++] = INFINITY;
    }
  }
}

// B of a body: the rows that touch it.
static mw_code body_rows(mw_system *sys, int b, const double *C, mw_error *err)
{
  const mw_body *body = &sys->bl->m->body[b];
  size_t w = (size_t)mw_block_width(sys->bl, b), nu = (size_t)body->n_u, n = (size_t)sys->n_mu;
  sys->act[b] = mw_arena_int(&sys->mem, n);
  mw_code rc = mw_arena_check(&sys->mem, err);
  if (rc != MW_OK) return rc;
  int *act = sys->act[b], n_act = 0;
  for (size_t i = 0; i < n; i++) {
    bool any = false;
    for (size_t c = 0; c < w && !any; c++) any = C[i * w + c] != 0.0;
    if (any) act[n_act++] = (int)i;
  }
  sys->n_act[b] = n_act;
  sys->B[b] = mw_arena_f64(&sys->mem, (size_t)n_act * (nu > 0 ? nu : w));
  rc = mw_arena_check(&sys->mem, err);
  for (size_t a = 0; rc == MW_OK && nu == 0 && a < (size_t)n_act; a++)
    memcpy(sys->B[b] + a * w, C + (size_t)act[a] * w, w * sizeof *C);
  for (int a = 0; rc == MW_OK && nu > 0 && a < n_act; a++)
    mw_block_functional(&sys->bl->block[b], C + (size_t)act[a] * w, sys->B[b] + (size_t)a * nu);
  return rc;
}

// G [n × n] += B Bᵀ of those rows of a body that have a number in `to` [n_mu], the others −1
static mw_code add_gram(const mw_system *sys, int b, const int *to, int n, double *G, mw_error *err)
{
  const mw_body *body = &sys->bl->m->body[b];
  size_t width = body->n_u > 0 ? (size_t)body->n_u : 6;
  int own = 0;
  for (int a = 0; a < sys->n_act[b]; a++) own += to[sys->act[b][a]] >= 0;
  if (own == 0) return MW_OK;
  mw_arena tmp = { 0 };
  size_t k = (size_t)own;
  double *B = mw_arena_f64(&tmp, k * width), *g = mw_arena_f64(&tmp, k * k);
  int *at = mw_arena_int(&tmp, k);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int a = 0, c = 0; rc == MW_OK && a < sys->n_act[b]; a++) {
    if (to[sys->act[b][a]] < 0) continue;
    memcpy(B + (size_t)c * width, sys->B[b] + (size_t)a * width, width * sizeof *B);
    at[c++] = to[sys->act[b][a]];
  }
  if (rc == MW_OK) mw_gemm('n', 't', own, own, (int)width, 1.0, B, B, 0.0, g);
  for (int c = 0; rc == MW_OK && c < own; c++)
    for (int d = 0; d < own; d++) G[at[c] * n + at[d]] += 0.5 * (g[c * own + d] + g[d * own + c]);
  mw_arena_free(&tmp);
  return rc;
}

// Rows of all bodies without those not in keep.
static void keep_rows(mw_system *sys, const int *keep, int *to)
{
  int out = 0;
  for (int i = 0; i < sys->n_mu; i++) {
    to[i] = keep[i] ? out : -1;
    if (to[i] < 0) continue;
    sys->k_row[out] = sys->k_row[i];
    sys->mech_row[out] = sys->mech_row[i];
    sys->c_row[out++] = sys->c_row[i];
  }
  for (int b = 0; b < sys->bl->m->n_body; b++) {
    const mw_body *body = &sys->bl->m->body[b];
    size_t w = body->n_u > 0 ? (size_t)body->n_u : 6;
    int n = 0;
    for (int a = 0; sys->B[b] && a < sys->n_act[b]; a++) {
      int i = to[sys->act[b][a]];
      if (i < 0) continue;
      if (n != a) memmove(sys->B[b] + (size_t)n * w, sys->B[b] + (size_t)a * w, w * sizeof(double));
      sys->act[b][n++] = i;
    }
    sys->n_act[b] = n;
  }
  sys->n_mu = out;
}

// Scales G [n × n] to a diagonal of 1, as rows of turning and of moving do not compare; rows that
// do nothing, beside the largest, to 0.
static void normalise(size_t n, double *G)
{
  static const double NOTHING = 1e-24;  // squares: far below any unit, far above rounding
  double most = 0.0;
  for (size_t i = 0; i < n; i++) most = fmax(most, G[i * n + i]);
  for (size_t i = 0; i < n; i++) {
    double d = G[i * n + i], by = d > NOTHING * most ? 1.0 / sqrt(d) : 0.0;
    for (size_t j = 0; j < n; j++) {
      G[i * n + j] *= by;
      G[j * n + i] *= by;
    }
  }
}

// Drops redundant constraint rows: they lie in the span of other constraints on every body, elastic
// or rigid.
static mw_code drop_redundant(mw_system *sys, mw_error *err)
{
  size_t n = (size_t)sys->n_mu;
  mw_arena tmp = { 0 };
  int *keep = mw_arena_int(&tmp, n), *to = mw_arena_int(&tmp, n), n_fixed = 0, rank = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) to[i] = isinf(sys->k_row[i]) ? n_fixed++ : -1;
  size_t k = (size_t)n_fixed;
  double *G = mw_arena_f64(&tmp, k * k);
  int *kept = mw_arena_int(&tmp, k);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  for (int b = 0; rc == MW_OK && k > 0 && b < sys->bl->m->n_body; b++)
    if (sys->B[b]) rc = add_gram(sys, b, to, n_fixed, G, err);
  if (rc == MW_OK) normalise(k, G);
  if (rc == MW_OK && k > 0) rc = mw_chol_pivoted(n_fixed, G, 1e-11, kept, &rank, err);
  for (size_t i = 0; rc == MW_OK && i < n; i++) keep[i] = to[i] < 0 || kept[to[i]];
  if (rc == MW_OK && rank < n_fixed) keep_rows(sys, keep, to);
  mw_arena_free(&tmp);
  return rc;
}

// X = B S⁻¹ of the elastic bodies; of those in their eigenbases from tmp.
static mw_code solve_rows(mw_system *sys, mw_arena *tmp, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int b = 0; rc == MW_OK && b < sys->bl->m->n_body; b++) {
    size_t n = (size_t)sys->n_act[b], nu = (size_t)sys->bl->m->body[b].n_u;
    if (!sys->B[b] || nu == 0) continue;
    mw_arena *mem = sys->bl->block[b].diag ? tmp : &sys->mem;
    sys->X[b] = mw_arena_f64(mem, n * nu);
    rc = mw_arena_check(mem, err);
    if (rc != MW_OK) return rc;
    memcpy(sys->X[b], sys->B[b], n * nu * sizeof(double));
    rc = mw_block_solve(&sys->bl->block[b], (int)nu, (int)n, nu, sys->X[b], err);
  }
  return rc;
}

size_t mw_system_entries(const mw_system *sys, bool ground)
{
  size_t n = (size_t)sys->n_mu + mw_system_components_entries(sys);  // 1/k
  for (int b = 0; b < sys->bl->m->n_body; b++) {
    const mw_body *body = &sys->bl->m->body[b];
    size_t act = (size_t)sys->n_act[b], g = (size_t)sys->bl->block[b].n_ground;
    if (body->n_u > 0)
      n += act * act + (ground ? 2 * act * g + g * g : 0);
    else if (!body->ground)
      n += 36 + 12 * act;
  }
  return n;
}

void mw_system_rigid_entries(const mw_system *sys, int b, double sigma, int o, mw_small *z)
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      mw_small_add(z, o + i, o + j, -sigma * sys->bl->M6[36 * b + 6 * i + j]);
  for (int a = 0; a < sys->n_act[b]; a++)
    for (int j = 0; j < 6; j++) {
      double x = sys->B[b][6 * a + j];
      mw_small_add(z, sys->act[b][a], o + j, x);
      mw_small_add(z, o + j, sys->act[b][a], x);
    }
}

void mw_system_gram_entries(const mw_system *sys, int b, const double *X, double *g, mw_small *z)
{
  int n = sys->n_act[b], nu = sys->bl->m->body[b].n_u;
  if (n > 0) mw_gemm('n', 't', n, n, nu, -1.0, X, sys->B[b], 0.0, g);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      mw_small_add(z, sys->act[b][i], sys->act[b][j], 0.5 * (g[i * n + j] + g[j * n + i]));
}

// −X P_gᵀ and −X_g P_gᵀ + 1/κ of an elastic body
static void ground_part(mw_system *sys, int b)
{
  const mw_block *k = &sys->bl->block[b];
  mw_small *z = &sys->small;
  int o = sys->small_body[b];
  size_t nu = (size_t)sys->bl->m->body[b].n_u;
  for (int g = 0; g < k->n_ground; g++) {
    size_t at = (size_t)k->ground[g];
    for (int a = 0; a < sys->n_act[b]; a++) {
      double x = -sys->X[b][(size_t)a * nu + at];
      mw_small_add(z, sys->act[b][a], o + g, x);
      mw_small_add(z, o + g, sys->act[b][a], x);
    }
    for (int h = 0; h <= g; h++) {
      double x = -k->X[(size_t)h * nu + at] + (g == h ? 1.0 / k->kappa[g] : 0.0);
      mw_small_add(z, o + g, o + h, x);
      if (h < g) mw_small_add(z, o + h, o + g, x);
    }
  }
}

// Where the bodies' unknowns are in the small system, and how large it is.
static void small_places(mw_system *sys)
{
  const mw_blocks *bl = sys->bl;
  const mw_mech *m = bl->m;
  int n = sys->n_mu;
  for (int b = 0; b < m->n_body; b++) {
    sys->small_body[b] = -1;
    int w = m->body[b].n_u > 0 ? bl->block[b].n_ground : mw_block_width(bl, b);
    if (w == 0) continue;
    sys->small_body[b] = n;
    n += w;
  }
  sys->n_small = n;
}

// The system of the file's head.
static mw_code small_system(mw_system *sys, mw_arena *tmp, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  size_t act = 0;
  small_places(sys);
  for (int b = 0; b < m->n_body; b++)
    if (sys->X[b] && (size_t)sys->n_act[b] > act) act = (size_t)sys->n_act[b];
  sys->rhs = mw_arena_f64(&sys->mem, (size_t)sys->n_small);
  sys->many = mw_arena_f64(&sys->mem, MW_SYSTEM_MANY * (size_t)sys->n_small);
  double *g = mw_arena_f64(tmp, act * act);
  mw_code rc = mw_arena_check(&sys->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(tmp, err);
  if (rc == MW_OK) rc = mw_small_init(sys->n_small, mw_system_entries(sys, true), &sys->small, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < m->n_body; b++)
    if (sys->X[b]) mw_system_gram_entries(sys, b, sys->X[b], g, &sys->small);
  for (int i = 0; i < sys->n_mu; i++)
    if (!isinf(sys->k_row[i])) mw_small_add(&sys->small, i, i, -1.0 / sys->k_row[i]);
  for (int b = 0; b < m->n_body; b++) {
    if (sys->small_body[b] < 0) continue;
    if (m->body[b].n_u == 0)
      mw_system_rigid_entries(sys, b, sys->bl->sigma, sys->small_body[b], &sys->small);
    else
      ground_part(sys, b);
  }
  mw_system_components_add_entries(sys, sys->bl->sigma, &sys->small);
  return MW_OK;
}

static mw_code factor_small(mw_system *sys, mw_error *err)
{
  static const double LEAST = 1e-14;  // of pivots, over the largest
  double ratio;
  mw_code rc = mw_small_factor(&sys->small, &ratio, err);
  if (rc == MW_OK && !(ratio > LEAST)) rc = MW_ERR_NUMERIC;
  if (rc == MW_ERR_NUMERIC)
    return mw_fail(
        err, rc, MW_NOWHERE,
        "the mechanism is singular at this configuration: a joint leaves a motion free or holds "
        "one twice");
  return rc;
}

static mw_code allocate(mw_system *sys, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, n_z = 6;
  sys->locked = mw_arena_alloc(&sys->mem, nc, 1);
  sys->B = mw_arena_alloc(&sys->mem, nb, sizeof *sys->B);
  sys->X = mw_arena_alloc(&sys->mem, nb, sizeof *sys->X);
  sys->coord = mw_arena_alloc(&sys->mem, nb, sizeof *sys->coord);
  sys->act = mw_arena_alloc(&sys->mem, nb, sizeof *sys->act);
  sys->n_act = mw_arena_int(&sys->mem, nb);
  sys->small_body = mw_arena_int(&sys->mem, nb);
  sys->work = mw_arena_f64(&sys->mem, 3 * (size_t)sys->bl->n);
  sys->preload = mw_arena_f64(&sys->mem, (size_t)m->n_row);
  sys->pull = mw_arena_alloc(&sys->mem, nb, sizeof *sys->pull);
  mw_code rc = mw_arena_check(&sys->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    size_t w = (size_t)mw_block_width(sys->bl, b);
    if (w > n_z) n_z = w;
    if (w > 0) sys->coord[b] = mw_arena_f64(&sys->mem, nc * w);
    if (w > 0) sys->pull[b] = mw_arena_f64(&sys->mem, w);
  }
  sys->zf = mw_arena_f64(&sys->mem, n_z);
  return rc == MW_OK ? mw_arena_check(&sys->mem, err) : rc;
}

// All rows of the joints (and of held loads) by functionals, then by the bodies' unknowns. view:
// the definitions of joint coordinates alone are kept.
static mw_code make_rows(mw_system *sys, uint64_t hold, bool view, mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  size_t nb = (size_t)m->n_body;
  size_t nr = (size_t)m->n_row + (hold ? (size_t)(3 * m->model->n_output + m->model->n_drive) : 0);
  nr += (size_t)mw_system_components_rows(sys);
  sys->k_row = mw_arena_f64(&sys->mem, nr);
  sys->c_row = mw_arena_f64(&sys->mem, nr);
  sys->mech_row = mw_arena_int(&sys->mem, nr);
  mw_arena tmp = { 0 };
  double **C = mw_arena_alloc(&tmp, nb, sizeof *C);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&sys->mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    size_t w = (size_t)mw_block_width(sys->bl, b);
    if (w > 0) C[b] = mw_arena_f64(&tmp, nr * w);
  }
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = joint_rows(sys, C, err);
  if (rc == MW_OK) mw_system_components_add_rows(sys, C);
  if (rc == MW_OK && hold) load_rows(sys, hold, C);
  for (int b = 0; rc == MW_OK && !view && b < m->n_body; b++)
    if (C[b]) rc = body_rows(sys, b, C[b], err);
  if (view) sys->n_mu = 0;
  mw_arena_free(&tmp);
  return rc;
}

// The system with its rows, without its solver.
static mw_code begin(const mw_blocks *bl, const unsigned char *locked, uint64_t hold, bool view,
                     const double *p, const double *s, mw_system **out, mw_error *err)
{
  mw_system *sys = calloc(1, sizeof *sys);
  if (!sys) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for a configuration");
  size_t nb = (size_t)bl->m->n_body, nc = (size_t)bl->m->n_coord;
  sys->bl = bl;
  double *pc = mw_arena_f64(&sys->mem, 12 * nb), *sc = mw_arena_f64(&sys->mem, nc);
  mw_code rc = allocate(sys, err);
  if (rc == MW_OK) {
    memcpy(pc, p, 12 * nb * sizeof *pc);
    memcpy(sc, s, nc * sizeof *sc);
    if (locked) memcpy(sys->locked, locked, nc);
    sys->p = pc;
    sys->s = sc;
    rc = mw_system_components_open(sys, err);
  }
  if (rc == MW_OK) rc = make_rows(sys, hold, view, err);
  *out = sys;
  return rc;
}

mw_code mw_system_view(const mw_blocks *bl, const unsigned char *locked, const double *p,
                       const double *s, mw_system **out, mw_error *err)
{
  mw_system *sys = NULL;
  *out = NULL;
  mw_code rc = begin(bl, locked, 0, true, p, s, &sys, err);
  if (rc == MW_OK)
    *out = sys;
  else
    mw_system_free(sys);
  return rc;
}

mw_code mw_system_build(const mw_blocks *bl, const unsigned char *locked, uint64_t hold,
                        const double *p, const double *s, mw_system **out, mw_error *err)
{
  mw_system *sys = NULL;
  mw_arena tmp = { 0 };
  *out = NULL;
  mw_code rc = begin(bl, locked, hold, false, p, s, &sys, err);
  if (rc == MW_OK) rc = drop_redundant(sys, err);
  if (rc == MW_OK) rc = solve_rows(sys, &tmp, err);
  if (rc == MW_OK) rc = small_system(sys, &tmp, err);
  if (rc == MW_OK) rc = factor_small(sys, err);
  for (int b = 0; rc == MW_OK && b < bl->m->n_body; b++)
    if (bl->block[b].diag) sys->X[b] = NULL;
  mw_arena_free(&tmp);
  if (rc == MW_OK)
    *out = sys;
  else
    mw_system_free(sys);
  return rc;
}

void mw_system_free(mw_system *sys)
{
  if (!sys) return;
  mw_small_free(&sys->small);
  mw_arena_free(&sys->mem);
  free(sys);
}

const mw_blocks *mw_system_blocks(const mw_system *sys) { return sys->bl; }

mw_code mw_system_count_below(mw_system *sys, int *count, mw_error *err)
{
  // In[S 0 Cᵀ; 0 −σM6 C_rᵀ; C C_r −1/k] = ΣIn(S_b) + In(D); every row μ adds one negative of its
  // own
  int neg = 0, zero = 0, total = 0;
  mw_code rc = mw_small_inertia(&sys->small, &neg, &zero, err);
  if (rc == MW_OK && zero > 0)
    rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "inertia count at a shift that is an eigenvalue");
  for (int b = 0; rc == MW_OK && b < sys->bl->m->n_body; b++) total += sys->bl->block[b].n_negative;
  *count = total + neg - sys->n_mu;
  return rc;
}
