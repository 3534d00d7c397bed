// SPDX-License-Identifier: BSD-3-Clause
// reduce.c: Global Modal Parametrization, the offline stage in its order.
//
//   bodies on bases of their own → number of modes → grid of θ, ρ(θ), ρ_θ → modes with θ held, each
//     proved complete
//   → alignment, patterns, tables (pass.c) → certificate; again with more grid points where they
//     are needed (adapt.c)
//
// From the bases on nothing grows with the mesh but the certificate's samples. Bodies, modes and
// samples are units of work (units.c); what is between them needs all of the grid and is done here.
// Heirman, Brüls, Desmet 2009; Brüls, Duysinx, Golinval 2007.
#include "reduction/reduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "certify/certificate_layer.h"
#include "certify/fields_layer.h"
#include "certify/judge_layer.h"
#include "certify/samples_layer.h"
#include "pass_layer.h"
#include "reduction/certificate.h"
#include "table/rigid_table_layer.h"

enum { MODES_EXTRA = MW_MODES_EXTRA, MESH = 100 };
// Of the receptances' tolerance, for the modes left out; the rest is for interpolation.
static const double MODES_PART = 0.5;

// ---- configurations and bodies ------------------------------------------------------------------

// Kinematics of all grid points; each starts from its neighbour on the comb.
static mw_code kinematics(mw_reduction *r, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    mw_grid_point *pt = &r->point[g];
    double theta[MW_ROM_MAX_S];
    if (pt->q.p) continue;
    int line = r->n_grid[r->s - 1];
    mw_reduction_theta(r, g, theta);
    const mw_config *near =
        g > 0 ? &r->point[r->s > 1 && g % line == 0 ? g - line : g - 1].q : NULL;
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta, near, &pt->mem, &pt->q, err);
  }
  return rc;
}

// The lowest eigenvalues at grid point g, at least k and so many that the last exceeds limit (0:
// k); lambda from mem
static mw_code spectrum(const mw_reduction *r, int g, int k, double limit, mw_arena *mem, int *n,
                        double **lambda, mw_error *err)
{
  mw_system *sys = NULL;
  mw_code rc =
      mw_system_build(r->blocks, r->locked, r->hold, r->point[g].q.p, r->point[g].q.s, &sys, err);
  int most = rc == MW_OK ? mw_system_modes_most(sys) : 0;
  for (*n = k < most ? k : most; rc == MW_OK; *n = 2 * *n < most ? 2 * *n : most) {
    double *X = mw_arena_f64(mem, (size_t)*n * (size_t)r->n);
    *lambda = mw_arena_f64(mem, (size_t)*n);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK && *n < 1)
      rc = mw_fail(err, MW_ERR_INPUT, r->model->reduction.at,
                   "with the coordinates held nothing of the mechanism moves: expected elastic "
                   "bodies, springs or runners with stiffness");
    if (rc == MW_OK) rc = mw_system_modes(sys, *n, *lambda, X, err);
    if (rc != MW_OK || (*lambda)[*n - 1] > limit || *n == most) break;
  }
  mw_system_free(sys);
  return rc;
}

// n_want: the count, or the largest number below the frequency at the corners and centre of the
// grid's index space; top: the largest eigenvalue among those and MODES_EXTRA more.
static mw_code modes_wanted(mw_reduction *r, double *top, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double limit = 2.0 * acos(-1.0) * fmax(in->modes_below, in->modes_band), lowest = 0.0;
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
  if (rc == MW_OK && r->n_want == 0 && in->modes_below > 0.0)
    rc = mw_fail(err, MW_ERR_INPUT, in->at, "no mode below %g Hz (the lowest is at %.4g Hz)",
                 in->modes_below, sqrt(lowest) / (2.0 * acos(-1.0)));
  return rc;
}

// How the number of modes came about, where the model leaves it open.
static mw_code modes_by_receptance(mw_reduction *r, char *note, size_t n_note, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double tolerance = MODES_PART * in->receptance;
  mw_count c;
  mw_code rc = mw_count_modes(r, in->modes_band, tolerance, &c, err);
  if (rc != MW_OK) return rc;
  r->n_want = c.n;
  int n =
      snprintf(note, n_note,
               "%d modes: receptances from 0 to %g Hz err by %.1e for want of more (%.1e allowed)",
               c.n, in->modes_band, c.error, tolerance);
  if (c.n > 1 && n > 0 && (size_t)n < n_note)
    snprintf(note + n, n_note - (size_t)n,
             c.cluster ? ", none of a cluster left out" : ", with %d by %.1e", c.n - 1,
             c.error_fewer);
  return MW_OK;
}

// Says where no mode is left out, but by what the model asks for.
static void note_complete(const mw_reduction *r, char *note, size_t n_note)
{
  size_t used = strlen(note);
  if (r->n_want == r->motions)
    snprintf(note + used, n_note - used,
             "%sno mode is left out: with the coordinates held the mechanism has %d motion%s",
             used > 0 ? "; " : "", r->motions, r->motions > 1 ? "s" : "");
}

// Unknowns of the full mechanism.
static int unknowns(const mw_mech *m)
{
  int n = 0;
  for (int b = 0; b < m->n_body; b++)
    n += m->body[b].n_u > 0 ? m->body[b].n_u : m->body[b].ground ? 0 : 6;
  return n;
}

// Bodies on bases that hold for the modes asked for: rough ones say how high these reach.
static mw_code bodies(mw_reduction *r, mw_band *band, mw_samples *early, char *note, size_t n_note,
                      mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double top = 0.0, two_pi = 2.0 * acos(-1.0);
  *band = (mw_band){ .band = two_pi * in->body_band, .tolerance = in->body_tolerance };
  mw_code rc = MW_OK;
  if (!(band->band > 0.0)) {
    // samples wait for nothing where it is known how many modes they compare, on meshes with many
    // more than that
    r->n_want = in->n_modes;
    double *theta = NULL;
    if (in->n_modes > 0 && unknowns(r->full) > MESH * in->n_modes)
      rc = mw_samples_place(r, early, &theta, err);
    if (rc == MW_OK) rc = mw_units_first(r, early->n, theta, early->sample, &early->mem, err);
    if (rc != MW_OK || r->waiting) return rc;
    mw_pass_use(r, &r->offline->rough);
    rc = mw_hold_loads(r, err);
    if (rc == MW_OK) rc = modes_wanted(r, &top, err);
    if (rc == MW_OK) band->band = mw_pass_band(sqrt(top));
  }
  if (rc == MW_OK) rc = mw_units_bodies(r, *band, early->n, early->sample, &early->mem, err);
  if (rc != MW_OK || r->waiting) return rc;
  mw_pass_use(r, &r->offline->fine);
  if (in->body_band > 0.0) rc = mw_hold_loads(r, err);
  if (rc != MW_OK) return rc;
  if (in->modes_band > 0.0) return modes_by_receptance(r, note, n_note, err);
  return modes_wanted(r, &top, err);
}

// ---- all of it ----------------------------------------------------------------------------------

// What goes with a reduction over all its passes.
typedef struct plan {
  mw_reduction *r;
  mw_pass pass;
  mw_samples samples, early;
  mw_made made;    // by the last pass
  mw_lines lines;  // of its model
  bool adaptive;   // the grid is chosen; r->choosing until it is
  mw_adapt adapt;
  char modes_note[320];
} plan;

// all: at random samples, too
static mw_code certify(plan *p, mw_rom_file *f, bool all, mw_error *err)
{
  mw_code rc =
      mw_samples_compare(p->r, &p->made.tables, f, &p->samples, all, &f->certificate, &f->mem, err);
  f->certificate.n_lost = p->made.patterns.n_lost;
  // drafts (tables.c) do without what moves
  return rc == MW_OK && !p->r->choosing
             ? mw_certificate_motion(p->r, &p->made.tables, f, &f->certificate, err)
             : rc;
}

// Where no interval asks for more points: at random samples and where the model errs most. Random
// ones that the grid gets more points for have served their time.
static mw_code judge_strictly(plan *p, mw_rom_file *f, bool *more, mw_error *err)
{
  mw_code rc = MW_OK;
  if (p->samples.n_random == 0) rc = mw_samples_draw(p->r, p->pass.band, &p->samples, err);
  if (rc != MW_OK || p->r->waiting) return rc;
  rc = mw_samples_seek(p->r, &p->made.tables, f, &p->samples, err);
  if (rc == MW_OK) rc = certify(p, f, true, err);
  if (rc == MW_OK) rc = mw_adapt_judge(&p->adapt, f, more, err);
  if (rc == MW_OK && *more) mw_samples_retire(&p->samples);
  return rc;
}

// More points, or the certificate of what there is: of tables that are as they will be stored.
static mw_code judge(plan *p, mw_rom_file *f, bool *more, mw_error *err)
{
  int soft = 0;
  mw_code rc = MW_OK;
  *more = false;
  if (p->r->choosing) {
    rc = certify(p, f, false, err);
    if (rc == MW_OK) rc = mw_adapt_split(&p->adapt, f, more, err);
    return rc == MW_OK && !*more ? judge_strictly(p, f, more, err) : rc;
  }
  rc = mw_tables_compress(p->r, f, &p->made.tables, err);
  if (rc == MW_OK && f->rom.n_train > 0)
    rc = mw_pass_soft(p->r, &p->made.tables, &f->rom, NULL, &soft, err);
  if (rc == MW_OK) rc = mw_samples_seek(p->r, &p->made.tables, f, &p->samples, err);
  return rc == MW_OK ? certify(p, f, true, err) : rc;
}

// From the grid to a certified model; *more: the grid has got more points instead.
static mw_code pass(plan *p, mw_rom_file *f, bool *more, mw_error *err)
{
  mw_reduction *r = p->r;
  bool turns = false;
  *more = false;
  mw_tables_free(&p->made.tables);
  mw_arena_free(&f->mem);
  const mw_inertia_form inertia = r->model->reduction.inertia;
  *f = (mw_rom_file){ .inertia = inertia == MW_INERTIA_LEADING ? MW_ROM_LEADING : MW_ROM_FULL,
                      .first_order = inertia == MW_INERTIA_FIRST_ORDER };
  mw_code rc = kinematics(r, err);
  int enlarged = p->pass.enlarged;
  if (rc == MW_OK) rc = mw_pass_modes_in_band(r, &p->pass, err);
  if (p->pass.enlarged > enlarged) {  // other coordinates of the bodies
    mw_probes_forget(&p->adapt);
    mw_samples_free(&p->samples);
  }
  // units that wait for nothing here come first: jobs of an array do them all
  const mw_samples *z = &p->samples;
  bool stale = z->n > 0 && z->sample[0].n_mac < r->n_want;
  if (rc == MW_OK && (z->n == 0 || stale))
    rc = mw_samples_take(r, p->pass.band, &p->early, &p->samples, err);
  if (rc != MW_OK || r->waiting) return rc;
  rc = mw_pass_build(r, &p->pass, f, &p->made, &turns, err);
  if (r->waiting) return rc;
  if (rc == MW_OK) rc = judge(p, f, more, err);
  // a grid too coarse to follow the modes says nothing of where
  if (rc != MW_ERR_NUMERIC || !turns || !r->choosing) return rc;
  mw_error later = { 0 };
  mw_code split = mw_adapt_everywhere(&p->adapt, f, more, &later);
  if (split == MW_OK && !*more) return rc;
  if (err) *err = later;
  return split;
}

static mw_code let_judge(plan *p, const mw_reduce_opt *opt, const mw_rom_file *f, mw_error *err)
{
  mw_judge j = {
    .r = p->r, .made = &p->made, .band = p->pass.band, .own = &p->samples, .lines = &p->lines
  };
  mw_code rc = opt->judge(opt->judge_ctx, &j, f, err);
  mw_arena_free(&j.mem);
  return rc;
}

// The model on the grid that was chosen, tables as fine as those of a grid that is given: of the
// points of the last draft, where it had no others.
static mw_code chosen(plan *p, mw_rom_file *f, mw_error *err)
{
  unsigned char *none[MW_ROM_MAX_S] = { NULL };
  int *from[MW_ROM_MAX_S];
  bool more;
  p->r->choosing = false;
  if (p->r->first.n_point > 0 && !p->r->first.draft) {
    int soft;
    f->certificate = (mw_certificate){ 0 };
    mw_code rc = mw_tables_build(p->r, f, &p->made.tables, err);
    if (rc == MW_OK) rc = mw_pass_soft(p->r, &p->made.tables, &f->rom, NULL, &soft, err);
    return rc == MW_OK ? judge(p, f, &more, err) : rc;
  }
  mw_reduction_coarsen(p->r);
  mw_code rc = mw_reduction_split(p->r, none, from, err);
  return rc == MW_OK ? pass(p, f, &more, err) : rc;
}

// Forces of motion off the grid, which may get more points for them.
static mw_code forces(plan *p, mw_rom_file *f, mw_error *err)
{
  mw_reduction *r = p->r;
  bool more = true, none;
  mw_code rc = MW_OK;
  while (rc == MW_OK && more) {
    more = false;
    mw_lines_free(&p->lines);
    rc = mw_lines_certify(r, &p->made.patterns, f, &p->lines, err);
    if (rc == MW_OK)
      rc = mw_certificate_fields(r, &p->made.tables, &p->lines, f, &f->certificate, &f->mem, err);
    if (rc == MW_OK && p->adaptive) rc = mw_adapt_forces(&p->adapt, f, &more, err);
    if (rc == MW_OK && more) rc = pass(p, f, &none, err);
    if (r->waiting) return rc;
  }
  return rc;
}

// What of the certificate a finished model has, but for large deflections.
static mw_code finish(plan *p, mw_rom_file *f, mw_error *err)
{
  mw_reduction *r = p->r;
  mw_code rc = p->adaptive ? MW_OK : forces(p, f, err);
  if (rc == MW_OK) rc = mw_certificate_decay(r, &p->lines, &f->certificate, &f->mem, err);
  if (rc == MW_OK) rc = mw_certificate_tables(r, &p->made.tables, f, &f->certificate, &f->mem, err);
  if (rc == MW_OK) rc = mw_certificate_weight(r, f, NULL, &f->certificate, &f->mem, err);
  if (rc == MW_OK) rc = mw_certificate_push(r, f, NULL, &f->certificate, &f->mem, err);
  return rc;
}

typedef struct last {  // stages that need nothing of each other
  plan *p;
  mw_reduction beside;  // without progress of its own
  mw_rom_file *f;
  mw_rom_file large;  // f as it was, to which large deflections are added
  mw_arena mem;
} last;

// Large deflections have long solutions on the mesh one after the other, on one thread: first.
static mw_code last_stage(void *ctx, int i, mw_error *err)
{
  last *z = ctx;
  return i == 0 ? mw_large_limits(&z->beside, &z->large, &z->mem, err) : finish(z->p, z->f, err);
}

static mw_code last_stages(plan *p, mw_rom_file *f, mw_error *err)
{
  last z = { .p = p, .beside = *p->r, .f = f };
  mw_code rc = MW_OK;
  if (mw_work_threads(p->r->work) > 1) {
    z.beside.progress = NULL;
    rc = mw_offline_shapes(p->r->offline, &p->r->offline->fine, err);
    z.large = *f;
    if (rc == MW_OK) rc = mw_parallel(p->r->work, 2, last_stage, &z, err);
    mw_certificate_copy_large(&z.large.certificate, &f->certificate);
    f->bend = z.large.bend;
    f->stretch = z.large.stretch;
    f->swing = z.large.swing;
  } else {
    rc = finish(p, f, err);
    if (rc == MW_OK) rc = mw_large_limits(p->r, f, &z.mem, err);
  }
  mw_arena_take(&f->mem, &z.mem);
  return rc;
}

static mw_code reduce(mw_reduction *r, const mw_reduce_opt *opt, mw_rom_file *f, mw_error *err)
{
  plan p = { .r = r, .pass = { .extra = MODES_EXTRA } };
  bool more = true;
  p.adaptive = r->model->reduction.grid_auto && !(opt && opt->n_grid_override > 0);
  mw_code rc = mw_adapt_init(r, &p.made, &p.adapt, err);
  if (rc == MW_OK) rc = kinematics(r, err);
  if (rc == MW_OK) rc = bodies(r, &p.pass.band, &p.early, p.modes_note, sizeof p.modes_note, err);
  r->choosing = p.adaptive;
  // for large deflections, while one thread is enough for what comes before them
  if (rc == MW_OK && !r->waiting && !r->model->strain_linear && mw_work_threads(r->work) > 1)
    mw_offline_direct_ahead(r->offline);
  while (rc == MW_OK && !r->waiting && more) rc = pass(&p, f, &more, err);
  if (r->choosing && rc == MW_OK && !r->waiting) rc = chosen(&p, f, err);
  if (rc == MW_OK && !r->waiting && p.adaptive) rc = forces(&p, f, err);
  if (rc == MW_OK && !r->waiting) {
    rc = last_stages(&p, f, err);
    if (rc == MW_OK) rc = mw_certificate_range(r, &p.made.patterns, &p.made.tables, f, err);
    if (rc == MW_OK) rc = mw_drawn_build(r, &f->mem, &f->drawn, err);
    if (rc == MW_OK && opt && opt->shapes) rc = mw_shapes_write(r, opt->shapes, err);
    note_complete(r, p.modes_note, sizeof p.modes_note);
    if (p.adaptive) f->grid_note = mw_arena_str(&f->mem, p.adapt.note);
    if (p.modes_note[0]) f->modes_note = mw_arena_str(&f->mem, p.modes_note);
    if (rc == MW_OK) rc = mw_arena_check(&f->mem, err);
    if (rc == MW_OK && opt && opt->judge) rc = let_judge(&p, opt, f, err);
  }
  mw_adapt_free(&p.adapt);
  mw_tables_free(&p.made.tables);
  mw_patterns_clear(&p.made.patterns);
  mw_samples_free(&p.samples);
  mw_samples_free(&p.early);
  mw_lines_free(&p.lines);
  return rc;
}

// Are parameters that the model keeps in the middle of their ranges, where its columns are made?
static mw_code check_kept(const mw_reduction_in *in, mw_error *err)
{
  for (int k = 0; k < in->n_kept; k++)
    if (in->kept[k].value != 0.5 * (in->kept[k].lo + in->kept[k].hi))
      return mw_fail(err, MW_ERR_INPUT, in->kept[k].at,
                     "parameter %s is %g, expected %g, the middle of its range, where a reduced "
                     "model that keeps it is made",
                     in->kept[k].name, in->kept[k].value, 0.5 * (in->kept[k].lo + in->kept[k].hi));
  return MW_OK;
}

mw_code mw_reduce(const mw_model *model, const mw_mech *mech, const mw_reduce_opt *opt,
                  mw_rom_file *out, mw_error *err)
{
  double start = mw_wall_time();
  mw_reduction r = { 0 };
  mw_rom_file f = { 0 };
  mw_offline *own = NULL;
  mw_work *own_work = NULL;
  mw_code rc = mw_mech_check_elastic(mech, false, err);
  if (rc == MW_OK) rc = check_kept(&model->reduction, err);
  if (rc == MW_OK) rc = mw_reduction_init(model, mech, opt, &r, err);
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
