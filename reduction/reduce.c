// SPDX-License-Identifier: BSD-3-Clause
// reduce.c: Global Modal Parametrization, the offline stage in its order.
//
//   bodies on bases of their own → grid of θ, ρ(θ), ρ_θ → modes with θ held, each proved complete → alignment → finer tables
//   → static patterns chosen, Ψ(θ) M-orthonormal → reduced Lagrangian → flat axes, splines, trains → certificate
//
// From the bases on nothing grows with the mesh but the certificate's samples. Bodies, modes and samples are units of work
// (units.c); what is between them needs all of the grid and is done here. Heirman, Brüls, Desmet 2009; Brüls, Duysinx,
// Golinval 2007.
#include "reduction/reduce.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "offline_priv.h"

// Modes computed beyond those asked for, so that tracking and clusters have room; more where one gets lost nevertheless.
enum { MODES_EXTRA = 6, MODES_EXTRA_MOST = 18 };
static const double BAND =
    1.25;  // times the highest of these at the start: what bodies' bases are right for

// ---- configurations and bodies --------------------------------------------------------------------

// Kinematics of all grid points; each starts from its neighbour on the comb.
static mw_code kinematics(mw_reduction *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double theta[MW_ROM_MAX_S];
    int line = r->n_grid[r->s - 1];
    mw_reduction_theta(r, g, theta);
    const mw_config *near =
        g > 0 ? &r->point[r->s > 1 && g % line == 0 ? g - line : g - 1].q : NULL;
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta, near, &pt->mem, &pt->q, err);
  }
  return rc;
}

static mw_code systems(mw_reduction *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    rc = mw_system_build(r->blocks, r->locked, r->model->reduction.craig_bampton, r->point[g].q.p,
                         r->point[g].q.s, &r->point[g].sys, err);
  return rc;
}

// The lowest eigenvalues at grid point g, at least k and so many that the last exceeds limit (0: k); lambda from mem
static mw_code spectrum(const mw_reduction *r, int g, int k, double limit, mw_arena *mem, int *n,
                        double **lambda, mw_error *err)
{
  mw_system *sys = NULL;
  int most = r->n / 2;
  mw_code rc = mw_system_build(r->blocks, r->locked, r->model->reduction.craig_bampton,
                               r->point[g].q.p, r->point[g].q.s, &sys, err);
  for (*n = k < most ? k : most; rc == MW_OK; *n = 2 * *n < most ? 2 * *n : most) {
    double *X = mw_arena_f64(mem, (size_t)*n * (size_t)r->n);
    *lambda = mw_arena_f64(mem, (size_t)*n);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK && *n < 1)
      rc = mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                   "the mechanism has too few unknowns (%d) for modes", r->n);
    if (rc == MW_OK) rc = mw_system_modes(sys, *n, *lambda, X, err);
    if (rc != MW_OK || (*lambda)[*n - 1] > limit || *n == most) break;
  }
  mw_system_free(sys);
  return rc;
}

// n_want: the count, or the largest number below the frequency at the corners and centre of the grid's index space; top: the
// largest eigenvalue among those and MODES_EXTRA more.
static mw_code modes_wanted(mw_reduction *r, double *top, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double limit = 2.0 * acos(-1.0) * in->modes_below, lowest = 0.0;
  int sample[3] = { 0, r->n_point / 2, r->n_point - 1 };
  mw_arena mem = { 0 };
  mw_code rc = MW_OK;
  r->n_want = in->n_modes;
  *top = 0.0;
  for (int i = 0; rc == MW_OK && i < 3; i++) {
    double *lambda = NULL;
    int n = 0, below = 0;
    rc = spectrum(r, sample[i], in->n_modes + MODES_EXTRA, limit * limit, &mem, &n, &lambda, err);
    if (rc != MW_OK) break;
    while (below < n && lambda[below] <= limit * limit) below++;
    if (in->n_modes == 0 && below > r->n_want) r->n_want = below;
    *top = fmax(*top, lambda[n - 1]);
    lowest = lambda[0];
  }
  mw_arena_free(&mem);
  if (rc == MW_OK && r->n_want == 0)
    rc = mw_fail(err, MW_ERR_INPUT, in->at, "no mode below %g Hz (the lowest is at %.4g Hz)",
                 in->modes_below, sqrt(lowest) / (2.0 * acos(-1.0)));
  return rc;
}

static void use(mw_reduction *r, const mw_bases *b)
{
  r->mech = &b->mech;
  r->blocks = b->blocks;
  r->n = mw_blocks_size(b->blocks);
}

// Up to two digits, so that small changes elsewhere in the mechanism leave a body's basis what it is.
static double rounded_up(double x)
{
  double unit = pow(10.0, floor(log10(x)) - 1.0);
  return ceil(x / unit) * unit;
}

// Bodies on bases that hold for the modes asked for: rough ones say how high these reach.
static mw_code bodies(mw_reduction *r, mw_band *band, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  mw_band rough = { .rough = true };
  double top = 0.0, two_pi = 2.0 * acos(-1.0);
  *band = (mw_band){ .band = two_pi * in->body_band, .tolerance = in->body_tolerance };
  mw_code rc = MW_OK;
  if (!(band->band > 0.0)) {
    rc = mw_units_bodies(r, rough, err);
    if (rc != MW_OK || r->waiting) return rc;
    use(r, &r->offline->rough);
    rc = modes_wanted(r, &top, err);
    if (rc == MW_OK) band->band = two_pi * rounded_up(BAND * sqrt(top) / two_pi);
  }
  if (rc == MW_OK) rc = mw_units_bodies(r, *band, err);
  if (rc != MW_OK || r->waiting) return rc;
  use(r, &r->offline->fine);
  return modes_wanted(r, &top, err);
}

// ---- modes ----------------------------------------------------------------------------------------

// Modes computed at each point: at most half of all there are.
static int modes_computed(mw_reduction *r)
{
  int k = r->n_want + r->extra;
  if (k > r->n / 2) k = r->n / 2;
  if (r->n_want > k - 3) r->n_want = k - 3;
  return k;
}

static mw_code modes_on_grid(mw_reduction *r, mw_band band, mw_error *err)
{
  int k = modes_computed(r);
  if (r->n_want < 1)
    return mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                   "the mechanism has too few unknowns (%d) for modes", r->n);
  return mw_units_modes(r, band, k, err);
}

// Candidate patterns at all grid points.
static mw_code patterns_on_grid(mw_reduction *r, mw_error *err)
{
  mw_code rc = r->cand ? MW_OK : mw_patterns_list(r, err);
  mw_progress_start(r->progress, "patterns", r->n_point);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    pt->P = mw_arena_f64(&pt->mem, (size_t)r->n_cand * (size_t)r->n);
    rc = mw_arena_check(&pt->mem, err);
    if (rc == MW_OK) rc = mw_patterns_free(r, pt, err);
    mw_progress_step(r->progress, g + 1);
  }
  mw_progress_end(r->progress);
  return rc;
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
  int k = modes_computed(r);
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
                     .ctx = &ctx,
                     .axis = r->axis };
  for (int i = 0; i < r->s; i++) {
    if (r->axis[i].cyclic) in.cyclic |= 1u << i;
    if (r->model->reduction.coordinate[i].symmetric) in.symmetric |= 1u << i;
  }
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

// Modes on the grid and their alignment; again with more of them while a wanted one leaves those computed. before: done once
// the first modes are there and before anything waits for others.
static mw_code aligned_modes(mw_reduction *r, mw_band band, mw_error *err)
{
  for (r->extra = MODES_EXTRA;; r->extra += MODES_EXTRA) {
    mw_code rc = modes_on_grid(r, band, err);
    if (rc != MW_OK || r->waiting) return rc;
    rc = align(r, err);
    bool enough = r->align.n_dropped == 0 || r->extra + MODES_EXTRA > MODES_EXTRA_MOST ||
                  modes_computed(r) == r->n / 2;
    if (rc != MW_OK || enough) return rc;
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
      theta[i] = 0.5 * (mw_axis_theta(&r->axis[i], k) + mw_axis_theta(&r->axis[i], k + 1));
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

// Affine fields: outputs, joint coordinates, force drives.
static int field_count(const mw_reduction *r)
{
  const mw_model *m = r->model;
  int n = mw_output_row(m, m->n_output) + r->mech->n_coord;
  for (int d = 0; d < m->n_drive; d++) n += m->drive[d].joint < 0;
  return n;
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

// The kept mode that holds most of mode k at a grid point, −1 where none holds half of it.
static int identity(const mw_reduction *r, int g, int k)
{
  const double *row =
      r->align.Q + ((size_t)g * (size_t)r->align.k + (size_t)k) * (size_t)r->m_modes;
  int best = -1;
  double most = 0.5;
  for (int a = 0; a < r->m_modes; a++)
    if (row[a] * row[a] > most) {
      most = row[a] * row[a];
      best = a;
    }
  return best;
}

// Grid and direct frequencies on it, for pictures and for the reader's eye.
static mw_code grid_frequencies(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  f->n_point = r->n_point;
  f->n_freq = r->n_want;
  f->frequency = mw_arena_f64(&f->mem, (size_t)r->n_point * (size_t)r->n_want);
  f->identity = mw_arena_int(&f->mem, (size_t)r->n_point * (size_t)r->n_want);
  f->cluster = mw_arena_int(&f->mem, (size_t)r->m_modes);
  for (int i = 0; i < r->s; i++) f->grid[i] = mw_arena_f64(&f->mem, (size_t)r->n_grid[i]);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < r->s; i++) {
    f->n_grid[i] = r->n_grid[i];
    for (int k = 0; k < r->n_grid[i]; k++) f->grid[i][k] = mw_axis_theta(&r->axis[i], k);
  }
  for (int g = 0; g < r->n_point; g++)
    for (int k = 0; k < r->n_want; k++) {
      f->frequency[g * r->n_want + k] = sqrt(r->point[g].lambda[k]) / (2.0 * acos(-1.0));
      f->identity[g * r->n_want + k] = identity(r, g, k);
    }
  memcpy(f->cluster, r->align.cluster, (size_t)r->m_modes * sizeof *f->cluster);
  f->largest_jump = r->align.largest_jump;
  return MW_OK;
}

// ---- all of it ------------------------------------------------------------------------------------

// The samples of the certificate, and the points they are at.
typedef struct samples {
  int n;
  double *theta;
  mw_sample *sample;
  mw_arena mem;
} samples;

static mw_code take_samples(mw_reduction *r, mw_band band, samples *z, mw_error *err)
{
  z->n = r->model->reduction.n_certificate;
  z->theta = mw_arena_f64(&z->mem, (size_t)z->n * (size_t)r->s);
  z->sample = mw_arena_alloc(&z->mem, (size_t)z->n, sizeof *z->sample);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc == MW_OK) mw_certificate_points(r, z->n, z->theta);
  if (rc == MW_OK) rc = mw_units_samples(r, band, z->n, z->theta, z->sample, &z->mem, err);
  return rc;
}

// From the grid to a certified model.
static mw_code on_grid(mw_reduction *r, mw_band band, samples *z, const mw_reduce_opt *opt,
                       mw_rom_file *f, mw_error *err)
{
  mw_code rc = modes_on_grid(r, band, err);
  // units that wait for nothing here come first: jobs of an array do them all
  if (rc == MW_OK && !z->sample) rc = take_samples(r, band, z, err);
  if (rc != MW_OK || r->waiting) return rc;
  rc = systems(r, err);
  if (rc == MW_OK) rc = mw_patterns_list(r, err);
  if (rc == MW_OK) rc = aligned_modes(r, band, err);
  if (rc != MW_OK || r->waiting) return rc;
  rc = grid_frequencies(r, f, err);
  if (rc == MW_OK) rc = patterns_on_grid(r, err);
  if (rc == MW_OK) rc = mw_reduction_refine(r, err);
  if (rc == MW_OK) rc = mw_patterns_select(r, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) mw_arena_free(&r->point[g].mem_modes);
  f->n_modes = r->m_modes;
  f->n_patterns = r->m - r->m_modes;
  f->rom.s = r->s;
  f->rom.m = r->m;
  f->rom.n_u = r->model->n_drive;
  f->rom.n_y = field_count(r);
  if (rc == MW_OK) rc = dampers(r, f, err);
  if (rc == MW_OK) rc = names(r, f, err);
  if (rc == MW_OK) rc = mw_tables_build(r, f, err);
  if (rc == MW_OK && opt && opt->shapes) rc = mw_shapes_write(r, opt->shapes, err);
  if (rc == MW_OK) rc = check_stiffness(r, &f->rom, err);
  if (rc == MW_OK)
    rc = mw_certificate_compare(r, f, z->n, z->sample, &f->certificate, &f->mem, err);
  return rc;
}

// Unknowns of the full mechanism.
static int unknowns(const mw_mech *m)
{
  int n = 0;
  for (int b = 0; b < m->n_body; b++)
    n += m->body[b].n_u > 0 ? m->body[b].n_u : m->body[b].ground ? 0 : 6;
  return n;
}

static mw_code reduce(mw_reduction *r, const mw_reduce_opt *opt, mw_rom_file *f, mw_error *err)
{
  mw_band band;
  samples z = { 0 };
  r->extra = MODES_EXTRA;
  mw_code rc = kinematics(r, err);
  if (rc == MW_OK) rc = bodies(r, &band, err);
  if (rc == MW_OK && !r->waiting) rc = on_grid(r, band, &z, opt, f, err);
  mw_arena_free(&z.mem);
  return rc;
}

mw_code mw_reduce(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                  mw_rom_file *out, mw_error *err)
{
  double start = mw_wall_time();
  mw_reduction r = { 0 };
  mw_rom_file f = { .inertia = model->reduction.leading ? MW_ROM_LEADING : MW_ROM_FULL };
  mw_offline *own = NULL;
  mw_work *own_work = NULL;
  mw_code rc = mw_reduction_init(model, mech, opt, &r, err);
  if (rc == MW_OK && !(opt && opt->work)) {
    rc = mw_offline_init(model, mech, opt ? opt->cache : NULL, &own, err);
    mw_work_opt w = { .fn = mw_reduce_unit, .ctx = own, .context = "", .progress = r.progress };
    if (rc == MW_OK) rc = mw_work_init(&w, &own_work, err);
  }
  r.offline = own ? own : opt ? opt->ctx : NULL;
  r.work = own ? own_work : opt ? opt->work : NULL;
  if (rc == MW_OK) rc = reduce(&r, opt, &f, err);
  bool waiting = r.waiting;
  mw_reduction_free(&r);
  if (own) mw_work_free(own_work);
  mw_offline_free(own);
  f.unknowns = unknowns(mech);
  f.wall_s = mw_wall_time() - start;
  if (rc == MW_OK && !waiting)
    *out = f;
  else
    mw_arena_free(&f.mem);
  if (rc == MW_OK && waiting) *out = (mw_rom_file){ 0 };
  return rc;
}
