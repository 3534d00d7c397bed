// SPDX-License-Identifier: BSD-3-Clause
// tables.c: the tables of the reduced model: coefficients on the grid, what the axes are declared
// to be, splines, trains.
//
//   records (lagrangian.c, extra.c) → axes nothing depends on → turns of cyclic axes closed →
//     mirrors of symmetric ones found
//   → spline coefficients → the half of symmetric axes → trains where they are smaller
//
// While a grid is chosen its tables are drafts: without second order, convective dissipation and
// finer tables of rigid motion, which take most of the time and say nothing of where the columns
// want more points.
//
// A declared property that does not hold is refused by name: SAME is what the eigensolver and the
// bodies' bases leave, far below any tolerance of a certificate.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "kept_rows_layer.h"
#include "parameter_layer.h"
#include "records_layer.h"
#include "reduce_layer.h"
#include "reduction/compress.h"
#include "rigid_table_layer.h"
#include "second/extra_layer.h"

static const double SAME = 1e-5;        // relative to the size of a field's kind
static const double COMPRESSION = 0.1;  // of the tolerance asked for, left to trains
// Bytes of a table above which trains are taken though a step takes longer with them.
static const double LARGE = 512.0 * 1024.0 * 1024.0;

typedef struct tables {
  mw_reduction *r;
  mw_rom_file *f;
  mw_tables *out;
  mw_records rec;
  double *slope;                   // [s × n_y]
  mw_mirror mirror[MW_ROM_MAX_S];  // of symmetric axes
  mw_motion motion;
  mw_arena mem;  // not kept
} tables;

static bool is_symmetric(const tables *t, int i)
{
  return t->r->model->reduction.coordinate[i].symmetric && !(t->rec.flat >> i & 1u);
}

// Flat, cyclic, symmetric axes, in this order.
static mw_code properties(tables *t, mw_error *err)
{
  mw_rom *rom = &t->f->rom;
  mw_code rc = mw_records_flatten(&t->rec, t->slope, err);
  if (rc == MW_OK) mw_records_clear_rounding(&t->rec);
  if (rc == MW_OK) rc = mw_records_close(&t->rec, SAME, t->slope, err);
  rom->flat = t->rec.flat;
  for (int i = 0; rc == MW_OK && i < t->r->s; i++) {
    if (t->r->axis[i].cyclic) rom->cyclic |= 1u << i;
    if (!is_symmetric(t, i)) continue;
    rom->symmetric |= 1u << i;
    rc = mw_records_mirror(&t->rec, i, t->slope, SAME, &t->mem, &t->mirror[i], err);
  }
  return rc;
}

// Signs of all mirrors as rom.h wants them.
static mw_code signs(tables *t, mw_error *err)
{
  mw_rom *rom = &t->f->rom;
  size_t s = (size_t)rom->s, m = (size_t)rom->m, ny = (size_t)rom->n_y;
  if (!rom->symmetric) return MW_OK;
  int *sigma = mw_arena_int(&t->f->mem, s * m), *tau = mw_arena_int(&t->f->mem, s * ny);
  double *shift = mw_arena_f64(&t->f->mem, s * ny);
  mw_code rc = mw_arena_check(&t->f->mem, err);
  if (rc != MW_OK) return rc;
  for (size_t k = 0; k < s * m; k++) sigma[k] = 1;
  for (size_t k = 0; k < s * ny; k++) tau[k] = 1;
  for (size_t i = 0; i < s; i++) {
    if (!(rom->symmetric >> i & 1u)) continue;
    memcpy(sigma + i * m, t->mirror[i].sigma, m * sizeof *sigma);
    memcpy(tau + i * ny, t->mirror[i].tau, ny * sizeof *tau);
    memcpy(shift + i * ny, t->mirror[i].y_shift, ny * sizeof *shift);
  }
  rom->mirror = sigma;
  rom->mirror_y = tau;
  rom->y_shift = shift;
  return MW_OK;
}

static mw_code fit(tables *t, mw_error *err)
{
  const mw_reduction *r = t->r;
  mw_rom *rom = &t->f->rom;
  int n_knot[MW_ROM_MAX_S];
  double *coef = mw_arena_f64(&t->f->mem, mw_records_n_coef(&t->rec));
  mw_code rc = mw_arena_check(&t->f->mem, err);
  if (rc == MW_OK) rc = mw_records_fit(&t->rec, coef, err);
  for (int i = 0; i < r->s; i++) {
    n_knot[i] = rom->flat >> i & 1u ? 1 : t->rec.axis[i].n_table + 2;
    rom->n_grid[i] = t->rec.axis[i].n_table;
    rom->lo[i] = r->lo[i];
    rom->hi[i] = r->hi[i];
  }
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    if (!(rom->symmetric >> i & 1u)) continue;
    rc = mw_records_halve(&t->rec, i, &t->mirror[i], n_knot, coef, err);
    rom->n_grid[i] = n_knot[i] - 2;
  }
  rom->coef = coef;
  return rc;
}

// theta of record q of the table's, before axes were halved.
static void place(const mw_records *rec, int q, double *theta)
{
  for (int i = rec->s - 1; i >= 0; i--) {
    int n = rec->flat >> i & 1u ? 1 : rec->axis[i].n;
    theta[i] = mw_axis_theta(&rec->axis[i], q % n);
    q /= n;
  }
}

// Records of x's dissipation alone at all points of the table.
static mw_code dissipate(const tables *t, const mw_extra *x, double *data, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_reduction *r = t->r;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&t->f->rom));
  int mm = r->m * (r->m + 1) / 2, ce = r->s * r->m * r->m, cc = r->s * (r->s + 1) / 2 * mm;
  double *w = mw_arena_f64(&tmp, (size_t)r->n_point), theta[MW_ROM_MAX_S];
  mw_code rc = mw_arena_check(&tmp, err);
  for (int q = 0; rc == MW_OK && q < mw_records_count(&t->rec); q++) {
    double *to = data + (size_t)q * (size_t)L.n;
    place(&t->rec, q, theta);
    rc = mw_grid_weights(r, theta, w, err);
    for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
      if (w[g] == 0.0) continue;
      mw_axpy(mm, w[g], x->C + (size_t)g * (size_t)mm, to + L.C);
      if (t->f->rom.parts & MW_ROM_CE) mw_axpy(ce, w[g], x->CE + (size_t)g * (size_t)ce, to + L.CE);
      if (t->f->rom.parts & MW_ROM_CC) mw_axpy(cc, w[g], x->CC + (size_t)g * (size_t)cc, to + L.CC);
    }
  }
  mw_arena_free(&tmp);
  return rc;
}

// Sets fields to 0 that are 0 in the whole table: rounding, and what was left out of it.
static void clear_fields(const tables *t, double *data)
{
  size_t n = (size_t)t->f->rom.n_field, all = (size_t)mw_records_count(&t->rec) * n;
  for (size_t f = 0; f < n; f++) {
    bool any = false;
    for (size_t k = f; k < all && !any; k += n) any = t->rec.data[k] != 0.0;
    for (size_t k = f; k < all && !any; k += n) data[k] = 0.0;
  }
}

// Spline coefficients of rec, records that a parameter adds, with the axes of the table.
static mw_code fit_kept(tables *t, mw_records *rec, double *coef, mw_error *err)
{
  const mw_rom *rom = &t->f->rom;
  int n_knot[MW_ROM_MAX_S];
  clear_fields(t, rec->data);
  mw_code rc = mw_records_fit(rec, coef, err);
  for (int i = 0; i < rom->s; i++) n_knot[i] = rom->flat >> i & 1u ? 1 : rec->axis[i].n_table + 2;
  for (int i = 0; rc == MW_OK && i < rom->s; i++)
    if (rom->symmetric >> i & 1u) rc = mw_records_halve(rec, i, &t->mirror[i], n_knot, coef, err);
  return rc;
}

// Dampers of kept parameter k into damped [knots × n].
static mw_code damp(tables *t, int k, size_t knots, double *damped, mw_error *err)
{
  const mw_rom *rom = &t->f->rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  mw_records rec = t->rec;
  mw_extra x = { 0 };
  size_t c = (size_t)(L.e - L.C), n = (size_t)mw_rom_damped(rom);
  double *coef = mw_arena_f64(&t->mem, mw_records_n_coef(&rec));
  rec.data = mw_arena_f64(&t->mem, (size_t)mw_records_count(&rec) * (size_t)L.n);
  mw_code rc = mw_arena_check(&t->mem, err);
  if (rc == MW_OK) rc = mw_extra_dampers(t->r, k, &x, err);
  if (rc == MW_OK) rc = dissipate(t, &x, rec.data, err);
  if (rc == MW_OK) rc = fit_kept(t, &rec, coef, err);
  for (size_t q = 0; rc == MW_OK && q < knots; q++) {
    const double *from = coef + q * (size_t)L.n;
    memcpy(damped + q * n, from + L.C, c * sizeof *from);
    memcpy(damped + q * n + c, from + L.CE, (n - c) * sizeof *from);
  }
  mw_extra_free(&x);
  return rc;
}

// Stiffness of kept parameter k into stiff [knots × mm], and into the table for starts.
static mw_code stiffen(tables *t, int k, size_t knots, double *stiff, double *start, mw_error *err)
{
  mw_arena tmp = { 0 };
  const mw_reduction *r = t->r;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&t->f->rom));
  mw_records rec = t->rec;
  size_t np = (size_t)r->n_point, n_start = (size_t)t->f->n_start,
         mm = (size_t)(r->m * (r->m + 1) / 2), wide = mw_axis_n_coef(r->s, r->axis, t->f->n_start);
  int n_table[MW_ROM_MAX_S];
  double *coef = mw_arena_f64(&tmp, mw_records_n_coef(&rec)),
         *energy = mw_arena_f64(&tmp, np * n_start), *w = mw_arena_f64(&tmp, np),
         *all = mw_arena_f64(&tmp, wide);
  rec.data = mw_arena_f64(&tmp, (size_t)mw_records_count(&rec) * (size_t)L.n);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_kept_stiffness(r, k, t->f->n_start, energy, err);
  for (int q = 0; rc == MW_OK && q < mw_records_count(&rec); q++) {
    double theta[MW_ROM_MAX_S];
    place(&rec, q, theta);
    rc = mw_grid_weights(r, theta, w, err);
    for (size_t g = 0; rc == MW_OK && g < np; g++)
      if (w[g] != 0.0)
        mw_axpy((int)mm, w[g], energy + g * n_start, rec.data + (size_t)q * (size_t)L.n + L.K);
  }
  if (rc == MW_OK) rc = fit_kept(t, &rec, coef, err);
  for (size_t q = 0; rc == MW_OK && q < knots; q++)
    memcpy(stiff + q * mm, coef + q * (size_t)L.n + L.K, mm * sizeof *stiff);
  if (rc == MW_OK) rc = mw_axis_fit(r->s, r->axis, t->f->n_start, energy, all, err);
  for (int i = 0; i < r->s; i++) n_table[i] = r->axis[i].n_table;
  if (rc == MW_OK) mw_table_halve(r->s, t->f->rom.symmetric, n_start, n_table, all);
  for (int i = 0; i < r->s; i++) n_start *= (size_t)n_table[i] + 2;
  if (rc == MW_OK) memcpy(start, all, n_start * sizeof *start);
  mw_arena_free(&tmp);
  return rc;
}

static bool any_kept(const mw_reduction_in *in, bool stiff)
{
  for (int k = 0; k < in->n_kept; k++)
    if (mw_kept_has(&in->kept[k], stiff)) return true;
  return false;
}

// What kept parameters that are stiffness or damping of rows add to the tables, which are halved.
static mw_code kept_rows(tables *t, mw_error *err)
{
  const mw_reduction_in *in = &t->r->model->reduction;
  mw_rom_file *f = t->f;
  size_t kept = (size_t)in->n_kept, knots = 1, start = mw_rom_file_start_size(f),
         n = (size_t)mw_rom_damped(&f->rom), mm = (size_t)(f->rom.m * (f->rom.m + 1) / 2);
  bool damped = any_kept(in, false), stiff = any_kept(in, true);
  if (!damped && !stiff) return MW_OK;
  for (int i = 0; i < f->rom.s; i++)
    knots *= f->rom.flat >> i & 1u ? 1 : (size_t)f->rom.n_grid[i] + 2;
  double *d = damped ? mw_arena_f64(&f->mem, kept * knots * n) : NULL,
         *k = stiff ? mw_arena_f64(&f->mem, kept * knots * mm) : NULL,
         *s = stiff ? mw_arena_f64(&f->mem, kept * start) : NULL;
  mw_code rc = mw_arena_check(&f->mem, err);
  for (size_t i = 0; rc == MW_OK && i < kept; i++) {
    const mw_kept_in *p = &in->kept[i];
    if (mw_kept_has(p, false)) rc = damp(t, (int)i, knots, d + i * knots * n, err);
    if (rc == MW_OK && mw_kept_has(p, true))
      rc = stiffen(t, (int)i, knots, k + i * knots * mm, s + i * start, err);
  }
  f->damped = d;
  f->stiff = k;
  f->stiff_start = s;
  return rc;
}

// Records at the points that rigid motion needs beyond the grid's, where there are any.
static mw_code finer(tables *t, mw_error *err)
{
  mw_reduction *r = t->r;
  mw_motion *mo = &t->motion;
  mw_code rc = mw_motion_axes(r, t->f, t->rec.data, &t->mem, mo, err);
  if (rc != MW_OK) return rc;
  t->out->motion_tolerance = mo->tolerance;
  double *delta_max = mw_arena_f64(&t->f->mem, (size_t)r->m);
  rc = mw_arena_check(&t->f->mem, err);
  if (rc != MW_OK) return rc;
  mw_motion_ranges(r, &t->f->rom, t->rec.data, mo, delta_max);
  t->f->rom.delta_max = delta_max;
  if (!mo->finer) return MW_OK;
  unsigned char *elastic = mw_arena_alloc(&t->mem, (size_t)t->f->rom.n_field, 1);
  rc = mw_arena_check(&t->mem, err);
  if (rc == MW_OK)
    rc = mw_motion_records(r, t->f, mo, t->out, t->rec.data, &t->mem, &t->rec.data, err);
  if (rc != MW_OK) return rc;
  mw_motion_elastic(r, t->f, mo, elastic);
  t->rec.axis = mo->axis;
  t->rec.grid = mo->grid;
  t->rec.elastic = elastic;
  return MW_OK;
}

// Records with the second order of the motion and convective dissipation, their shape as it turns
// out.
static mw_code add_extra(tables *t, double **records, mw_error *err)
{
  mw_reduction *r = t->r;
  mw_rom_file *f = t->f;
  mw_extra x;
  mw_code rc = mw_extra_build(r, &x, err);
  if (rc != MW_OK) return rc;
  mw_progress_start(r->progress, "what of second order matters", 1);
  rc = mw_extra_choose(r, *records, &x, f, err);
  mw_progress_end(r->progress);
  if (rc == MW_OK) rc = mw_extra_put(r, &x, f, *records, t->out, &t->mem, records, err);
  if (x.n_made < x.n_point && (x.second || x.CE))
    f->thinned = mw_arena_printf(&f->mem,
                                 "made at %d of the tables' %d points, at the others by splines "
                                 "through these",
                                 x.n_made, x.n_point);
  mw_extra_free(&x);
  return rc == MW_OK ? mw_arena_check(&f->mem, err) : rc;
}

// Records as they are before any property of an axis is made of them, for certificate_tables.c.
static mw_code keep_records(tables *t, mw_error *err)
{
  const mw_reduction *r = t->r;
  mw_tables *o = t->out;
  size_t n = (size_t)t->f->rom.n_field, all = (size_t)r->n_point * n;
  double width = 0.0;
  o->record = mw_arena_f64(&o->mem, all);
  o->scale = mw_arena_f64(&o->mem, n);
  mw_code rc = mw_arena_check(&o->mem, err);
  if (rc != MW_OK) return rc;
  o->n_record = (int)n;
  memcpy(o->record, t->rec.data, all * sizeof *o->record);
  for (int i = 0; i < r->s; i++) width = fmax(width, r->hi[i] - r->lo[i]);
  mw_field_scales(&t->rec, width, o->scale);
  return MW_OK;
}

// K and C of soft columns count as much as those of stiff ones, entry by entry (compress_rom.c);
// `all`: all fields by what trains go by where that is more.
static mw_code scale_records(mw_tables *t, const mw_rom_file *f, bool all, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  double *scale = mw_arena_f64(&tmp, (size_t)f->rom.n_field);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = mw_rom_scale(f, scale, err);
  for (int k = 0; rc == MW_OK && k < t->n_record; k++) {
    bool own = k >= L.K && k < L.e;
    if (own || (all && scale[k] > t->scale[k])) t->scale[k] = scale[k];
  }
  mw_arena_free(&tmp);
  return rc;
}

// Records of lagrangian.c [n_point × n] and its starts: those of a draft where there was one.
// Drafts keep them.
static mw_code records_of(tables *t, const mw_tables *draft, mw_rom_shape bare, size_t n,
                          double *records, double *rates, mw_error *err)
{
  mw_tables *out = t->out;
  size_t np = (size_t)t->r->n_point, n_start = (size_t)t->f->n_start;
  if (draft->draft) {
    memcpy(records, draft->draft, np * n * sizeof *records);
    memcpy(rates, draft->rates, np * n_start * sizeof *rates);
    return MW_OK;
  }
  mw_code rc = mw_lagrangian_build(t->r, bare, records, rates, err);
  if (rc != MW_OK || !t->r->choosing) return rc;
  out->draft = mw_arena_f64(&out->mem, np * n);
  out->rates = mw_arena_f64(&out->mem, np * n_start);
  rc = mw_arena_check(&out->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(out->draft, records, np * n * sizeof *records);
  memcpy(out->rates, rates, np * n_start * sizeof *rates);
  return MW_OK;
}

static mw_code build(tables *t, const mw_tables *draft, mw_error *err)
{
  mw_reduction *r = t->r;
  mw_rom_file *f = t->f;
  mw_rom_shape bare = { .s = r->s, .m = r->m, .n_y = f->rom.n_y };
  mw_rom_layout L = mw_rom_layout_of(bare);
  mw_output_kind *kind = NULL;
  f->n_start = r->m * (r->m + 1) / 2 + r->s * r->m * r->m;
  double *records = mw_arena_f64(&t->mem, (size_t)r->n_point * (size_t)L.n);
  double *rates = mw_arena_f64(&t->mem, (size_t)r->n_point * (size_t)f->n_start);
  double *start = mw_arena_f64(&f->mem, mw_axis_n_coef(r->s, r->axis, f->n_start));
  t->slope = mw_arena_f64(&f->mem, (size_t)r->s * (size_t)f->rom.n_y);
  mw_code rc = mw_arena_check(&t->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&f->mem, err);
  if (rc == MW_OK) rc = mw_field_kinds(r->model, f->rom.n_y, &t->mem, &kind, err);
  if (rc == MW_OK) rc = records_of(t, draft, bare, (size_t)L.n, records, rates, err);
  if (rc == MW_OK)
    rc = mw_reduction_ranges(r, mw_motion_size(r, &f->rom, records), &r->range, &r->mem_pass, err);
  // a draft: what chooses the grid is of first order, and of columns alone
  if (rc == MW_OK && !r->choosing) rc = add_extra(t, &records, err);
  f->rom.n_field = mw_rom_n_field(mw_rom_shape_of(&f->rom));
  if (rc == MW_OK) rc = mw_axis_fit(r->s, r->axis, f->n_start, rates, start, err);
  for (int i = 0; i < r->s; i++) f->n_table[i] = r->axis[i].n_table;
  f->start = start;
  t->rec = (mw_records){ .s = r->s,
                         .m = r->m,
                         .n_y = f->rom.n_y,
                         .n_Y = f->rom.n_Y,
                         .n_G = f->rom.n_G,
                         .Y_field = f->rom.Y_field,
                         .parts = f->rom.parts,
                         .axis = r->axis,
                         .kind = kind,
                         .coordinate = f->coordinate,
                         .in = r->model->reduction.coordinate,
                         .field = f->field,
                         .data = records };
  if (rc == MW_OK && !r->choosing) rc = keep_records(t, err);
  if (rc == MW_OK && !r->choosing) rc = finer(t, err);
  if (rc == MW_OK) rc = properties(t, err);
  if (rc == MW_OK) rc = signs(t, err);
  mw_progress_start(r->progress, "tables", 1);
  if (rc == MW_OK) rc = fit(t, err);
  mw_progress_end(r->progress);
  if (rc == MW_OK) mw_table_halve(r->s, f->rom.symmetric, (size_t)f->n_start, f->n_table, start);
  if (rc == MW_OK && !r->choosing) rc = kept_rows(t, err);
  f->rom.y_slope = f->rom.flat || f->rom.cyclic ? t->slope : NULL;
  if (rc == MW_OK) mw_rom_note_zeros(&f->rom);
  if (rc == MW_OK) rc = mw_rom_file_note_slow(f, err);
  return rc;
}

void mw_tables_free(mw_tables *t)
{
  mw_arena_free(&t->mem);
  *t = (mw_tables){ 0 };
}

mw_code mw_tables_build(mw_reduction *r, mw_rom_file *f, mw_tables *out, mw_error *err)
{
  tables t = { .r = r, .f = f, .out = out };
  mw_tables draft = *out;
  *out = (mw_tables){ 0 };
  mw_code rc = build(&t, &draft, err);
  mw_tables_free(&draft);
  mw_arena_free(&t.mem);
  return rc;
}

// What auto came to. least: products of trains that were not made, 0: they were.
static mw_code note_form(mw_rom_file *f, double products, double bytes, double least, mw_error *err)
{
  if (f->rom.n_train > 0)
    f->table_note = mw_arena_printf(
        &f->mem,
        "tensor trains, %.3g MB instead of %.3g MB of a whole table and %.2g times "
        "its operations a step (table: full takes the whole one)",
        1e-6 * (double)mw_rom_bytes(&f->rom), 1e-6 * bytes, mw_rom_products(&f->rom) / products);
  else if (least > 0.0)
    f->table_note = mw_arena_printf(&f->mem,
                                    "whole, %.3g MB: a step would take at least %.2g times its "
                                    "operations with tensor trains (table: compressed takes these)",
                                    1e-6 * bytes, least / products);
  else
    f->table_note = mw_arena_printf(
        &f->mem,
        "whole, %.3g MB: tensor trains are not smaller, or a step would "
        "take more operations with them (table: compressed takes these where smaller)",
        1e-6 * bytes);
  return mw_arena_check(&f->mem, err);
}

mw_code mw_tables_compress(const mw_reduction *r, mw_rom_file *f, mw_tables *t, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double bytes = (double)mw_rom_bytes(&f->rom), products = mw_rom_products(&f->rom);
  bool choose = in->table == MW_TABLE_AUTO;
  int left = 0;
  for (int i = 0; i < r->s; i++) left += !(f->rom.flat >> i & 1u);
  // masses that are parameters are put into whole tables
  bool trains = in->table != MW_TABLE_FULL && (!choose || left >= 3) && in->n_kept == 0;
  double tol = COMPRESSION * in->tolerance, least = 0.0,
         most = choose && bytes <= LARGE ? products : INFINITY;
  mw_rom_file whole = *f;
  mw_code rc = MW_OK;
  mw_progress_start(trains ? r->progress : NULL, "tensor trains", 1);
  if (trains && most < INFINITY) rc = mw_rom_least_products(f, tol, most, &least, err);
  bool dear = least > most;
  if (rc == MW_OK && trains && !dear) rc = mw_rom_compress(f, tol, most, NULL, err);
  mw_progress_end(trains ? r->progress : NULL);
  if (rc == MW_OK) rc = scale_records(t, &whole, f->rom.n_train > 0, err);
  if (rc != MW_OK || !trains) return rc;
  if (choose) rc = note_form(f, products, bytes, dear ? least : 0.0, err);
  if (rc == MW_OK) mw_rom_note_zeros(&f->rom);
  if (rc == MW_OK) rc = mw_rom_file_note_slow(f, err);
  return rc;
}
