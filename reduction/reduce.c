// SPDX-License-Identifier: BSD-3-Clause
// reduce.c: Global Modal Parametrization, the offline stage in its order.
//
//   grid of θ → ρ(θ), ρ_θ → modes and static patterns with θ held → proof that no mode is missing → alignment →
//   finer tables → static patterns chosen, Ψ(θ) M-orthonormal → reduced Lagrangian → flat axes, splines → certificate
//
// Each body is factored once (blocks.c). Heirman, Brüls, Desmet 2009; Brüls, Duysinx, Golinval 2007.
#include "reduction/reduce.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "reduce_priv.h"
#include "reduction/spline.h"

// Modes computed beyond those asked for, so that tracking and clusters have room; more where one gets lost nevertheless.
enum { MODES_EXTRA = 6, MODES_EXTRA_MOST = 18 };

// Kinematics, systems of all grid points; each starts from its neighbour on the comb.
static mw_code configurations(mw_reduction *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double theta[MW_ROM_MAX_S];
    mw_reduction_theta(r, g, theta);
    const mw_config *near = g > 0 ? &r->point[g - 1].q : NULL;
    if (r->s > 1 && g % r->n_grid[r->s - 1] == 0 && g > 0)
      near = &r->point[g - r->n_grid[r->s - 1]].q;
    rc = mw_config_at(r->mech, r->locked, r->s, r->coord, theta, near, &pt->mem, &pt->q, err);
    if (rc == MW_OK)
      rc = mw_system_build(r->blocks, r->locked, r->model->reduction.craig_bampton, pt->q.p,
                           pt->q.s, &pt->sys, err);
  }
  return rc;
}

static mw_code modes_at(mw_reduction *r, int g, int k, mw_error *err)
{
  mw_grid_point *pt = &r->point[g];
  pt->k = k;
  pt->lambda = mw_arena_f64(&pt->mem, (size_t)k);
  pt->Phi = mw_arena_f64(&pt->mem_modes, (size_t)k * (size_t)r->n);
  mw_code rc = mw_arena_check(&pt->mem_modes, err);
  if (rc == MW_OK) rc = mw_arena_check(&pt->mem, err);
  return rc == MW_OK ? mw_system_modes(pt->sys, k, pt->lambda, pt->Phi, err) : rc;
}

// Number of modes asked for: the count, or the largest number below the frequency found at the corners and centre of the
// grid's index space (all points are checked later by modes_on_grid).
static mw_code modes_wanted(mw_reduction *r, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  r->n_want = in->n_modes;
  if (r->n_want > 0) return MW_OK;
  double limit = 2.0 * acos(-1.0) * in->modes_below;
  int sample[3] = { 0, r->n_point / 2, r->n_point - 1 };
  for (int i = 0; i < 3; i++) {
    mw_grid_point *pt = &r->point[sample[i]];
    for (int k = 8;; k *= 2) {
      mw_code rc = modes_at(r, sample[i], k, err);
      if (rc != MW_OK) return rc;
      bool enough = pt->lambda[k - 1] > limit * limit;
      int below = 0;
      while (below < k && pt->lambda[below] <= limit * limit) below++;
      mw_arena_free(&pt->mem_modes);
      if (!enough) continue;
      if (below > r->n_want) r->n_want = below;
      break;
    }
  }
  if (r->n_want == 0)
    return mw_fail(err, MW_ERR_INPUT, in->at, "no mode below %g Hz (the lowest is at %.4g Hz)",
                   in->modes_below, sqrt(r->point[0].lambda[0]) / (2.0 * acos(-1.0)));
  return MW_OK;
}

static mw_code prove(mw_reduction *r, int k, mw_error *err)
{
  mw_arena mem = { 0 };
  size_t np = (size_t)r->n_point;
  const mw_config **config = mw_arena_alloc(&mem, np, sizeof *config);
  const double **lambda = mw_arena_alloc(&mem, np, sizeof *lambda);
  int *missed = mw_arena_int(&mem, np);
  mw_code rc = mw_arena_check(&mem, err);
  for (int attempt = 0; rc == MW_OK; attempt++) {
    for (size_t g = 0; g < np; g++) {
      config[g] = &r->point[g].q;
      lambda[g] = r->point[g].lambda;
    }
    mw_proof pr = { .mech = r->mech,
                    .locked = r->locked,
                    .lock_loads = r->model->reduction.craig_bampton,
                    .n = r->n_point,
                    .k = k,
                    .need = k - 2,
                    .config = config,
                    .lambda = lambda };
    rc = mw_prove_modes(&pr, missed, err);
    int first = -1;
    for (int g = r->n_point - 1; rc == MW_OK && g >= 0; g--)
      if (missed[g] != 0) first = g;
    if (rc != MW_OK || first < 0) break;
    if (attempt == 2) {
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "%d modes are missing at grid point %d",
                   missed[first], first);
      break;
    }
    // compute more of them where some were missed, keep the lowest k
    for (int g = first; rc == MW_OK && g < r->n_point; g++)
      if (missed[g] != 0) rc = modes_at(r, g, k + r->extra * (attempt + 1), err);
  }
  mw_arena_free(&mem);
  return rc;
}

// Modes and candidate patterns at all grid points.
static mw_code modes_on_grid(mw_reduction *r, mw_error *err)
{
  mw_code rc = modes_wanted(r, err);
  int k = r->n_want + r->extra;
  if (k > r->n / 2) k = r->n / 2;
  if (r->n_want > k - 3) r->n_want = k - 3;
  if (rc == MW_OK && r->n_want < 1)
    rc = mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                 "the mechanism has too few unknowns (%d) for modes", r->n);
  if (rc == MW_OK && !r->cand) rc = mw_patterns_list(r, err);
  mw_progress_start(r->progress, "modes and patterns", r->n_point);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    rc = modes_at(r, g, k, err);
    pt->P = mw_arena_f64(&pt->mem_modes, (size_t)r->n_cand * (size_t)r->n);
    if (rc == MW_OK) rc = mw_arena_check(&pt->mem_modes, err);
    if (rc == MW_OK) rc = mw_patterns_free(r, pt, err);
    mw_progress_step(r->progress, g + 1);
  }
  mw_progress_end(r->progress);
  return rc == MW_OK ? prove(r, k, err) : rc;
}

typedef struct overlap_ctx {
  const mw_reduction *r;
  int k;
  double *MX;
} overlap_ctx;

static mw_code overlap(void *ctx, int g, int g2, double *O, mw_error *err)
{
  (void)err;
  overlap_ctx *c = ctx;
  const mw_grid_point *a = &c->r->point[g], *b = &c->r->point[g2];
  size_t n = (size_t)c->r->n;
  for (int j = 0; j < c->k; j++)
    mw_system_mul_M(b->sys, b->Phi + (size_t)j * n, c->MX + (size_t)j * n);
  mw_gemm('n', 't', c->k, c->k, c->r->n, 1.0, a->Phi, c->MX, 0.0, O);
  return MW_OK;
}

// Aligned modes as the first columns of Psi; room for all candidates behind them.
static mw_code align(mw_reduction *r, mw_error *err)
{
  int k = r->n_want + r->extra;
  if (k > r->n / 2) k = r->n / 2;
  mw_arena mem = { 0 };
  size_t n = (size_t)r->n, ks = (size_t)k;
  double *lambda = mw_arena_f64(&mem, (size_t)r->n_point * ks);
  overlap_ctx ctx = { .r = r, .k = k, .MX = mw_arena_f64(&mem, ks * n) };
  mw_code rc = mw_arena_check(&mem, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    memcpy(lambda + (size_t)g * ks, r->point[g].lambda, ks * sizeof *lambda);
  mw_align_in in = { .s = r->s,
                     .n_grid = r->n_grid,
                     .k = k,
                     .n_want = r->n_want,
                     .lambda = lambda,
                     .overlap = overlap,
                     .ctx = &ctx };
  if (rc == MW_OK) rc = mw_align_modes(&in, &r->mem, &r->align, err);
  r->m = r->m_modes = rc == MW_OK ? r->align.m : 0;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    pt->Psi = mw_arena_f64(&pt->mem, ((size_t)r->m_modes + (size_t)r->n_cand) * n);
    rc = mw_arena_check(&pt->mem, err);
    // Ψ = Qᵀ Φ by rows
    if (rc == MW_OK)
      mw_gemm('t', 'n', r->m_modes, r->n, k, 1.0, r->align.Q + (size_t)g * ks * (size_t)r->m_modes,
              pt->Phi, 0.0, pt->Psi);
  }
  mw_arena_free(&mem);
  return rc;
}

// Modes on the grid and their alignment; again with more of them while a wanted one leaves those computed. (The fixed
// interface modes of Craig and Bampton are computed once: their systems have given way to the free ones by then.)
static mw_code aligned_modes(mw_reduction *r, mw_error *err)
{
  for (r->extra = MODES_EXTRA;; r->extra += MODES_EXTRA) {
    mw_code rc = modes_on_grid(r, err);
    if (rc == MW_OK) rc = align(r, err);
    bool enough = r->align.n_dropped == 0 || r->extra + MODES_EXTRA > MODES_EXTRA_MOST;
    if (rc != MW_OK || enough || r->model->reduction.craig_bampton) return rc;
    for (int g = 0; g < r->n_point; g++) mw_arena_free(&r->point[g].mem_modes);
  }
}

// K between the grid points: positive definite at every cell centre.
static mw_code check_stiffness(const mw_reduction *r, const mw_rom *rom, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_rom_layout L = mw_rom_layout_of(r->s, r->m, rom->n_y);
  double *v = mw_arena_f64(&mem, (size_t)L.n), *A = mw_arena_f64(&mem, (size_t)r->m * (size_t)r->m);
  mw_code rc = mw_arena_check(&mem, err);
  int cells = 1;
  for (int i = 0; i < r->s; i++) cells *= r->n_grid[i] - 1;
  for (int c = 0; rc == MW_OK && c < cells; c++) {
    double theta[MW_ROM_MAX_S];
    int rest = c;
    for (int i = r->s - 1; i >= 0; i--) {
      int k = rest % (r->n_grid[i] - 1);
      rest /= r->n_grid[i] - 1;
      theta[i] = r->lo[i] + (r->hi[i] - r->lo[i]) * ((double)k + 0.5) / (double)(r->n_grid[i] - 1);
    }
    mw_rom_info info;
    if (mw_rom_fields(rom, theta, v, NULL, &info) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the interpolated model cannot be evaluated inside its grid");
    for (int i = 0; rc == MW_OK && i < r->m; i++)
      for (int j = 0; j <= i; j++) A[i * r->m + j] = v[L.K + i * (i + 1) / 2 + j];
    if (rc == MW_OK && mw_chol_factor(r->m, A, NULL) != MW_OK)
      rc = mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "the interpolated stiffness is not positive definite between grid points (near %s = %g); "
          "more grid points are needed",
          r->model->reduction.coordinate[0].name, theta[0]);
  }
  mw_arena_free(&mem);
  return rc;
}

// Units of the stresses and strains among the fields, where there are any.
static mw_code field_units(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  const mw_model *m = r->model;
  for (int o = 0, k = 0; o < m->n_output; k += mw_output_width(&m->output[o++])) {
    if (!mw_output_is_gauge(&m->output[o])) continue;
    if (!f->field_unit)
      f->field_unit = mw_arena_alloc(&f->mem, (size_t)f->rom.n_y, sizeof *f->field_unit);
    for (int i = 0; i < 6 && f->field_unit; i++)
      f->field_unit[k + i] = mw_output_unit(&m->output[o]);
  }
  for (int k = 0; f->field_unit && k < f->rom.n_y; k++)
    if (!f->field_unit[k]) f->field_unit[k] = "";
  return mw_arena_check(&f->mem, err);
}

static mw_code names(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  const mw_model *m = r->model;
  const mw_mech *mech = r->mech;
  mw_arena *mem = &f->mem;
  f->model_name = mw_arena_str(mem, m->name);
  f->model_file = mw_arena_str(mem, m->path);
  f->version = MW_VERSION;
  memcpy(f->model_hash, m->hash, sizeof f->model_hash);
  f->coordinate = mw_arena_alloc(mem, (size_t)r->s, sizeof *f->coordinate);
  f->field = mw_arena_alloc(mem, (size_t)f->rom.n_y, sizeof *f->field);
  f->input = mw_arena_alloc(mem, (size_t)m->n_drive, sizeof *f->input);
  f->column = mw_arena_alloc(mem, (size_t)r->m, sizeof *f->column);
  int *u_field = mw_arena_int(mem, (size_t)m->n_drive);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = field_units(r, f, err);
  if (rc != MW_OK) return rc;
  int k = 0;
  for (int i = 0; i < r->s; i++)
    f->coordinate[i] = mw_arena_str(mem, m->reduction.coordinate[i].name);
  for (int o = 0; o < m->n_output; o++)
    for (int i = 0; i < mw_output_width(&m->output[o]); i++)
      f->field[k++] =
          mw_arena_printf(mem, "%s.%s", m->output[o].name, mw_output_axis(&m->output[o], i));
  for (int i = 0; i < mech->n_coord; i++)
    f->field[k++] = mw_arena_printf(mem, "s:%s", mw_mech_coord_name(mech, i));
  for (int d = 0; d < m->n_drive; d++) {
    int joint = m->drive[d].joint;
    f->input[d] = mw_arena_str(mem, m->drive[d].name);
    u_field[d] = joint >= 0 ? mw_output_row(m, m->n_output) + mech->joint[joint].coord : k;
    if (joint < 0) f->field[k++] = mw_arena_printf(mem, "f:%s", m->drive[d].name);
  }
  f->rom.u_field = u_field;
  for (int i = 0; i < r->m_modes; i++) f->column[i] = mw_arena_printf(mem, "mode %d", i + 1);
  for (int j = 0; j < r->n_cand; j++)
    if (r->cand[j].kept) f->column[r->cand[j].column] = mw_arena_str(mem, r->cand[j].name);
  return mw_arena_check(mem, err);
}

static mw_code dampers(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  double *c_theta = mw_arena_f64(&f->mem, (size_t)r->s),
         *delta_max = mw_arena_f64(&f->mem, (size_t)r->m);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < r->s; i++)
    c_theta[i] = r->mech->joint[r->mech->coord_joint[r->coord[i]]].in->coordinate_damping;
  for (int a = 0; a < r->m; a++) delta_max[a] = INFINITY;
  f->rom.c_theta = c_theta;
  f->rom.delta_max = delta_max;
  return MW_OK;
}

// Direct frequencies on the grid, for pictures and for the reader's eye.
static mw_code grid_frequencies(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  for (int i = 0; i < r->s; i++) f->n_grid[i] = r->n_grid[i];
  f->n_point = r->n_point;
  f->n_freq = r->n_want;
  f->frequency = mw_arena_f64(&f->mem, (size_t)r->n_point * (size_t)r->n_want);
  f->cluster = mw_arena_int(&f->mem, (size_t)r->m_modes);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int g = 0; g < r->n_point; g++)
    for (int k = 0; k < r->n_want; k++)
      f->frequency[g * r->n_want + k] = sqrt(r->point[g].lambda[k]) / (2.0 * acos(-1.0));
  memcpy(f->cluster, r->align.cluster, (size_t)r->m_modes * sizeof *f->cluster);
  f->largest_jump = r->align.largest_jump;
  return MW_OK;
}

// The coefficients of rom.h from the records on the grid.
static mw_code splines(mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  const mw_model *m = r->model;
  int n_y = mw_output_row(m, m->n_output) + r->mech->n_coord, n_left[MW_ROM_MAX_S], left = 0;
  for (int d = 0; d < m->n_drive; d++) n_y += m->drive[d].joint < 0;
  mw_rom_layout L = mw_rom_layout_of(r->s, r->m, n_y);
  size_t n_coef = mw_spline_n_coef(r->s, r->n_grid, 1);
  mw_arena tmp = { 0 };
  f->n_start = r->m * (r->m + 1) / 2 + r->s * r->m * r->m;
  double *records = mw_arena_f64(&tmp, (size_t)r->n_point * (size_t)L.n);
  double *rates = mw_arena_f64(&tmp, (size_t)r->n_point * (size_t)f->n_start);
  double *coef = mw_arena_f64(&f->mem, n_coef * (size_t)L.n);
  double *start = mw_arena_f64(&f->mem, n_coef * (size_t)f->n_start);
  double *slope = mw_arena_f64(&f->mem, (size_t)r->s * (size_t)n_y);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = mw_lagrangian_build(r, n_y, records, rates, err);
  if (rc == MW_OK) rc = mw_spline_fit(r->s, r->n_grid, f->n_start, rates, start, err);
  f->start = start;
  f->rom = (mw_rom){ .s = r->s,
                     .m = r->m,
                     .n_y = n_y,
                     .n_u = m->n_drive,
                     .n_field = L.n,
                     .coef = coef,
                     .y_slope = slope };
  if (rc == MW_OK) rc = mw_flatten(r, n_y, records, &f->rom.flat, slope, n_left, err);
  for (int i = 0; i < r->s; i++) {
    f->rom.n_grid[i] = f->n_table[i] = r->n_grid[i];
    f->rom.lo[i] = r->lo[i];
    f->rom.hi[i] = r->hi[i];
    left += !(f->rom.flat >> i & 1u);
  }
  if (rc == MW_OK && left > 0) rc = mw_spline_fit(left, n_left, L.n, records, coef, err);
  if (rc == MW_OK && left == 0) memcpy(coef, records, (size_t)L.n * sizeof *coef);
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_reduce(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                  mw_rom_file *out, mw_error *err)
{
  double start = mw_wall_time();
  mw_reduction r = { 0 };
  mw_rom_file f = { .inertia = model->reduction.leading ? MW_ROM_LEADING : MW_ROM_FULL };
  mw_code rc = mw_reduction_init(model, mech, opt, &r, err);
  if (rc == MW_OK) rc = configurations(&r, err);
  if (rc == MW_OK) rc = aligned_modes(&r, err);
  if (rc == MW_OK) rc = grid_frequencies(&r, &f, err);
  if (rc == MW_OK) rc = mw_reduction_refine(&r, err);
  if (rc == MW_OK) rc = mw_patterns_select(&r, err);
  for (int g = 0; rc == MW_OK && g < r.n_point; g++) mw_arena_free(&r.point[g].mem_modes);
  if (rc == MW_OK) rc = splines(&r, &f, err);
  if (rc == MW_OK && opt && opt->shapes) rc = mw_shapes_write(&r, opt->shapes, err);
  f.n_modes = r.m_modes;
  f.n_patterns = r.m - r.m_modes;
  f.unknowns = r.n;
  if (rc == MW_OK) rc = dampers(&r, &f, err);
  if (rc == MW_OK) rc = names(&r, &f, err);
  if (rc == MW_OK) rc = check_stiffness(&r, &f.rom, err);
  if (rc == MW_OK) rc = mw_certificate_build(&r, &f, &f.certificate, &f.mem, err);
  mw_reduction_free(&r);
  f.wall_s = mw_wall_time() - start;
  if (rc == MW_OK)
    *out = f;
  else
    mw_arena_free(&f.mem);
  return rc;
}
