// SPDX-License-Identifier: BSD-3-Clause
// pass.c: from a grid of configurations to the interpolated model, once.
//
//   modes (units.c) → alignment → finer tables → static patterns chosen, Ψ(θ) M-orthonormal →
//     tables → K between the points
//
// A grid that gets more points is gone over again; modes and kinematics of the points it had are
// kept.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "pass_layer.h"

// Modes computed beyond those asked for, so that tracking and clusters have room; more where one
// gets lost nevertheless.
enum { MODES_EXTRA = MW_MODES_EXTRA, MODES_EXTRA_MOST = 3 * MODES_EXTRA, ENLARGED_MOST = 3 };
enum { PROOF = 3 };               // modes computed beyond those wanted, at least
enum { NAMED = 3 };               // lost modes in a message
static const double LOST = 0.5;   // of a mode's square, outside the columns
static const double BAND = 1.25;  // of the bodies' bases, over the highest mode computed

// ---- bodies -------------------------------------------------------------------------------------

double mw_pass_band(double highest)
{
  // two digits, so that small changes elsewhere in the mechanism leave a body's basis what it is
  double two_pi = 2.0 * acos(-1.0), x = BAND * highest / two_pi;
  double unit = pow(10.0, floor(log10(x)) - 1.0);
  return two_pi * ceil(x / unit) * unit;
}

void mw_pass_use(mw_reduction *r, const mw_bases *b)
{
  r->mech = &b->mech;
  r->blocks = b->blocks;
  r->n = mw_blocks_size(b->blocks);
}

// ---- modes --------------------------------------------------------------------------------------

// Sets r->motions and r->modes_most, of the first grid point: joint rows are the same ones at all.
static mw_code limits(mw_reduction *r, mw_error *err)
{
  mw_system *sys = NULL;
  const mw_config *q = &r->point[0].q;
  mw_code rc = mw_system_build(r->blocks, r->locked, r->hold, q->p, q->s, &sys, err);
  if (rc == MW_OK) {
    r->motions = mw_system_motions(sys);
    r->modes_most = mw_system_modes_most(sys);
  }
  mw_system_free(sys);
  return rc;
}

// Modes that may be asked for: some are computed beyond them, unless there are no more motions.
static int modes_allowed(const mw_reduction *r)
{
  return r->modes_most == r->motions ? r->motions : r->modes_most - PROOF;
}

// Modes computed at each point.
static int modes_computed(mw_reduction *r, int extra)
{
  int k = r->n_want + extra, most = modes_allowed(r);
  if (r->n_want > most) r->n_want = most;
  return k < r->modes_most ? k : r->modes_most;
}

static mw_code too_many(const mw_reduction *r, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  if (r->modes_most == r->motions)
    return mw_fail(err, MW_ERR_INPUT, in->modes_at,
                   "count is %d, but with the coordinates held the mechanism has %d motion%s: "
                   "expected at most as many",
                   in->n_modes, r->motions, r->motions > 1 ? "s" : "");
  return mw_fail(
      err, MW_ERR_INPUT, in->modes_at,
      "count is %d, but the bases of the bodies have %d unknowns, whose lower half less %d "
      "are modes that can be trusted: expected at most %d, or a larger "
      "reduction.bodies.band",
      in->n_modes, r->n, PROOF, modes_allowed(r));
}

static mw_code pass_modes(mw_reduction *r, const mw_pass *pass, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  mw_code rc = limits(r, err);
  if (rc != MW_OK) return rc;
  int k = modes_computed(r, pass->extra), most = modes_allowed(r);
  if (in->count_given && in->n_modes > most && most > 0) return too_many(r, err);
  if (r->n_want < 1)
    return mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                   "the mechanism has too few unknowns (%d) for modes", r->n);
  return mw_units_modes(r, pass->band, k, err);
}

// Modes and systems of all points go, for others in their place.
static void forget(mw_reduction *r)
{
  for (int g = 0; g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    mw_system_free(pt->sys);
    mw_arena_free(&pt->mem_modes);
    mw_arena_free(&pt->mem_P);
    mw_arena_free(&pt->mem_pass);
    pt->sys = NULL;
    pt->k = 0;
    pt->lambda = pt->Phi = pt->Psi = pt->P = NULL;
  }
}

// Modes below the limit wherever most are; highest and top: of the modes wanted, of all computed,
// rad/s.
static int modes_below(const mw_reduction *r, double limit, double *highest, double *top)
{
  int below = 0;
  *highest = *top = 0.0;
  for (int g = 0; g < r->n_point; g++) {
    const mw_grid_point *pt = &r->point[g];
    int n = 0;
    while (n < pt->k && pt->lambda[n] <= limit * limit) n++;
    below = n > below ? n : below;
    *highest = fmax(*highest, sqrt(pt->lambda[r->n_want - 1]));
    *top = fmax(*top, sqrt(pt->lambda[pt->k - 1]));
  }
  return below;
}

mw_code mw_pass_modes_in_band(mw_reduction *r, mw_pass *pass, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double two_pi = 2.0 * acos(-1.0), highest, top;
  for (;;) {
    mw_code rc = pass_modes(r, pass, err);
    if (rc != MW_OK || r->waiting) return rc;
    int below = modes_below(r, two_pi * in->modes_below, &highest, &top);
    if (below > r->n_want && r->n_want + pass->extra < r->modes_most) {
      r->n_want = below;
      for (int g = 0; g < r->n_point; g++) mw_arena_free(&r->point[g].mem_modes);
      continue;
    }
    if (in->body_band > 0.0 || highest <= pass->band.band) return MW_OK;
    if (pass->enlarged == ENLARGED_MOST)
      return mw_fail(err, MW_ERR_NUMERIC, in->at,
                     "a mode is at %.4g Hz, above what the bodies' bases are right for (%.4g Hz); "
                     "reduction.bodies.band would help",
                     highest / two_pi, pass->band.band / two_pi);
    forget(r);
    pass->band.band = mw_pass_band(top);
    pass->enlarged++;
    rc = mw_units_bodies(r, pass->band, 0, NULL, NULL, err);
    if (rc != MW_OK || r->waiting) return rc;
    mw_pass_use(r, &r->offline->fine);
  }
}

// ---- the model ----------------------------------------------------------------------------------

static mw_code systems(mw_reduction *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    if (!r->point[g].sys)
      rc = mw_system_build(r->blocks, r->locked, r->hold, r->point[g].q.p, r->point[g].q.s,
                           &r->point[g].sys, err);
  return rc;
}

// Candidate patterns at all grid points.
static mw_code patterns_on_grid(mw_reduction *r, const mw_patterns *p, mw_error *err)
{
  mw_code rc = MW_OK;
  mw_progress_start(r->progress, "patterns", r->n_point);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    pt->P = mw_arena_f64(&pt->mem_P, (size_t)p->n * (size_t)r->n);
    rc = mw_arena_check(&pt->mem_P, err);
    if (rc == MW_OK) rc = mw_patterns_free(r, p, pt, err);
    mw_progress_step(r->progress, g + 1);
  }
  mw_progress_end(r->progress);
  return rc;
}

typedef struct overlap_ctx {
  const mw_reduction *r;
  int k, n_done;  // edges of the grid
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
  mw_progress_step(c->r->progress, ++c->n_done);
  return MW_OK;
}

// The k modes of each point, aligned, as the first columns of Psi; room for n_pattern candidates
// behind them.
static mw_code align(mw_reduction *r, int k, int n_pattern, bool spans, mw_error *err)
{
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
                     .axis = r->axis,
                     .spans = spans };
  for (int i = 0; i < r->s; i++) {
    if (r->axis[i].cyclic) in.cyclic |= 1u << i;
    if (r->model->reduction.coordinate[i].symmetric) in.symmetric |= 1u << i;
  }
  mw_progress_start(r->progress, spans ? "following modes, as spans if need be" : "following modes",
                    r->s * r->n_point);
  if (rc == MW_OK) rc = mw_align_modes(&in, &r->mem_pass, &r->align, err);
  mw_progress_end(r->progress);
  r->m = r->m_modes = rc == MW_OK ? r->align.m : 0;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    pt->Psi = mw_arena_f64(&pt->mem_pass, (size_t)(r->m_modes + n_pattern + MW_SPAN_SPARE) * n);
    rc = mw_arena_check(&pt->mem_pass, err);
    // Ψ = Qᵀ Φ by rows
    if (rc == MW_OK)
      mw_gemm('t', 'n', r->m_modes, r->n, k, 1.0, r->align.Q + (size_t)g * ks * (size_t)r->m_modes,
              pt->Phi, 0.0, pt->Psi);
  }
  mw_arena_free(&mem);
  return rc;
}

// The grid point where mode k (by number) is least within the columns, and what of it they lack
// there.
static double least_kept(const mw_reduction *r, int k, int *point)
{
  double most = -1.0;
  size_t m = (size_t)r->m_modes;
  for (int g = 0; g < r->n_point; g++) {
    const double *row = r->align.Q + ((size_t)g * (size_t)r->align.k + (size_t)k) * m;
    double lacks = 1.0 - mw_dot(r->m_modes, row, row);
    if (lacks <= most) continue;
    most = lacks;
    *point = g;
  }
  return most;
}

// An error where modes asked for are not among the columns.
static mw_code lost(const mw_reduction *r, mw_error *err)
{
  char text[320] = "";
  size_t used = 0;
  int n_lost = 0;
  for (int k = 0; k < r->n_want; k++) {
    int g = 0;
    double theta[MW_ROM_MAX_S];
    if (least_kept(r, k, &g) < LOST) continue;
    if (++n_lost > NAMED) continue;
    mw_reduction_theta(r, g, theta);
    used += (size_t)snprintf(text + used, sizeof text - used, "%smode %d (%.4g Hz at",
                             n_lost > 1 ? ", " : "", k + 1,
                             sqrt(r->point[g].lambda[k]) / (2.0 * acos(-1.0)));
    for (int i = 0; i < r->s && used < sizeof text; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, " %s = %.4g%s",
                               r->model->reduction.coordinate[i].name, theta[i],
                               i + 1 < r->s ? "," : ")");
    if (used >= sizeof text) break;
  }
  if (n_lost == 0) return MW_OK;
  return mw_fail(
      err, MW_ERR_NUMERIC, r->model->reduction.at,
      "%d of %d modes asked for cannot be followed over the grid: %s%s; more grid points, "
      "another number of modes (reduction.modes) or shorter ranges would keep them",
      n_lost, r->n_want, text, n_lost > NAMED ? ", …" : "");
}

// Alignment of the modes; again with more of them while a wanted one leaves those computed, at last
// as a span.
static mw_code aligned_modes(mw_reduction *r, mw_pass *pass, mw_patterns *p, mw_error *err)
{
  for (bool first = true;; first = false) {
    mw_code rc = pass_modes(r, pass, err);
    if (rc == MW_OK && !r->waiting && first) rc = mw_patterns_list_dampers(r, p, err);
    if (rc != MW_OK || r->waiting) return rc;
    int k = modes_computed(r, pass->extra);
    bool most = pass->extra + MODES_EXTRA > MODES_EXTRA_MOST || k == r->modes_most;
    rc = align(r, k, p->n, most, err);
    bool all = rc == MW_OK && r->align.n_dropped == 0;
    if (all || most || (rc != MW_OK && rc != MW_ERR_NUMERIC)) return rc;
    pass->extra += MODES_EXTRA;
    for (int g = 0; g < r->n_point; g++) mw_arena_free(&r->point[g].mem_modes);
  }
}

// " x = 0.75 (5 points given), y = …"; of a grid that chooses itself the place alone
const char *mw_pass_place(const mw_reduction *r, const double *theta, char *text, size_t n)
{
  size_t at = 0;
  text[0] = '\0';
  for (int i = 0; i < r->s && at < n; i++) {
    const mw_coordinate_in *c = &r->model->reduction.coordinate[i];
    int k = snprintf(text + at, n - at, "%s %s = %.4g", i ? "," : "", c->name, theta[i]);
    at += k > 0 ? (size_t)k : 0;
    if (r->model->reduction.grid_auto || at >= n) continue;
    k = snprintf(text + at, n - at, " (%d points given)", c->n_grid);
    at += k > 0 ? (size_t)k : 0;
  }
  return text;
}

// K between the grid points, at every cell's centre.
mw_code mw_pass_soft(const mw_reduction *r, const mw_tables *t, const mw_rom *rom,
                     unsigned char *const *mark, int *n, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  double *v = mw_arena_f64(&mem, (size_t)L.n), *A = mw_arena_f64(&mem, (size_t)r->m * (size_t)r->m),
         *Hg = mw_arena_f64(&mem, (size_t)r->m * (size_t)(r->m + 1) / 2);
  mw_code rc = mw_arena_check(&mem, err);
  int cells = 1;
  *n = 0;
  for (int i = 0; i < r->s; i++) cells *= r->n_grid[i] - 1;
  for (int c = 0; rc == MW_OK && c < cells; c++) {
    double theta[MW_ROM_MAX_S];
    char place[256];
    int rest = c, at[MW_ROM_MAX_S];
    for (int i = r->s - 1; i >= 0; i--) {
      int k = at[i] = rest % (r->n_grid[i] - 1);
      rest /= r->n_grid[i] - 1;
      theta[i] = 0.5 * (mw_axis_theta(&r->axis[i], k) + mw_axis_theta(&r->axis[i], k + 1));
    }
    mw_rom_info info;
    if (mw_rom_fields(rom, theta, v, NULL, &info) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                   "the interpolated model cannot be evaluated inside its grid");
    // gravity makes machines soft at the grid points, too: that is not what is looked for
    if (rc == MW_OK) rc = mw_gravity_stiffness(r, t, theta, Hg, err);
    for (int i = 0; rc == MW_OK && i < r->m; i++)
      for (int j = 0; j <= i; j++) {
        int k = i * (i + 1) / 2 + j;
        A[i * r->m + j] = v[L.K + k] + Hg[k];
      }
    if (rc != MW_OK || mw_chol_factor(r->m, A, NULL) == MW_OK) continue;
    ++*n;
    for (int i = 0; mark && i < r->s; i++) mark[i][at[i]] = 1;
    if (!mark)
      rc = mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "the interpolated stiffness is not positive definite between grid points, near%s; %s; "
          "where more do not help, the load of an output goes from soft to stiff there: fewer "
          "outputs, or patterns: { outputs: false }",
          mw_pass_place(r, theta, place, sizeof place),
          r->model->reduction.grid_auto
              ? "more grid points are needed than grid: auto found: set them (grid: fixed, "
                "reduction.coordinates.NAME.points)"
              : "more grid points are needed there, twice as many to begin with "
                "(reduction.coordinates.NAME.points, or grid: auto)");
  }
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_pass_build(mw_reduction *r, mw_pass *pass, mw_rom_file *f, mw_made *out, bool *turns,
                      mw_error *err)
{
  bool keep = r->model->reduction.grid_auto;  // there may be another pass
  mw_patterns *p = &out->patterns;
  *turns = false;
  r->local = (mw_local){ .m = 0 };
  mw_code rc = systems(r, err);
  bool bodies_turn = false;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++)
    bodies_turn |= mw_config_turns(r->mech, r->s, &r->point[g].q);
  if (rc == MW_OK) rc = mw_patterns_list(r, bodies_turn, p, err);
  if (rc != MW_OK) return rc;
  *turns = true;
  rc = aligned_modes(r, pass, p, err);
  if (rc == MW_OK && r->waiting) return rc;
  if (rc == MW_OK) rc = lost(r, err);
  if (rc == MW_OK) rc = mw_describe_grid(r, f, err);
  if (rc == MW_OK) rc = patterns_on_grid(r, p, err);
  if (rc == MW_OK) rc = mw_reduction_refine(r, p, err);
  if (rc == MW_OK) rc = mw_patterns_weight(r, p, err);
  if (rc == MW_OK) rc = mw_patterns_select(r, p, err);
  for (int g = 0; g < r->n_point; g++) {
    mw_arena_free(&r->point[g].mem_P);
    r->point[g].P = NULL;
  }
  mw_progress_start(r->progress, "columns between the points", 1);
  if (rc == MW_OK) rc = mw_columns_local(r, err);
  mw_progress_end(r->progress);
  for (int g = 0; rc == MW_OK && !keep && g < r->n_point; g++)
    mw_arena_free(&r->point[g].mem_modes);
  if (rc == MW_OK) rc = mw_describe(r, p, f, err);
  if (rc == MW_OK) rc = mw_tables_build(r, f, &out->tables, err);
  int soft;
  if (rc == MW_OK) rc = mw_pass_soft(r, &out->tables, &f->rom, NULL, &soft, err);
  return rc;
}
