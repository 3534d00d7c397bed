// SPDX-License-Identifier: BSD-3-Clause
// pagekept.c: the table of a reduced model over the ranges of its parameters, for pages that set
// them (page_parameter.mjs).
//
//   c(p) = c(middle) + Σ_g ℓ_g(p) d_g ,  d_g = c(p_g) − c(middle)                               (1)
// as mw_kept_at has it, for Σ ℓ_g = 1. Of the d_g, scaled (compress.h), those combinations are kept
// that matter, by the eigenvectors of their products:
//   d_g ≈ Σ_r v_gr u_r ,  c(p) ≈ c(middle) + Σ_r a_r(p) u_r ,  a_r = Σ_g ℓ_g v_gr               (2)
// Above a million bytes all that goes in as trains, each of a part of c(middle) and of all u_r side
// by side: cores are common, so that a_r changes the field alone. What all that errs by is
// measured.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "export/export_layer.h"
#include "livepage_layer.h"
#include "reduction/compress.h"

static const double WHOLE = 1e6;    // bytes
static const double NODES = 0.1;    // of the tolerance, between the nodes
static const double DROPPED = 0.1;  // of the tolerance, combinations in all
static const double TRAINS = 0.25;  // of it
enum { TABLES_MOST = 1 << 25, NUMBERS_MOST = 1 << 21 };

typedef struct builder {
  const mw_rom_file *rom;
  mw_kept kept;    // coef: the differences, scaled, once they are made
  double *scale;   // [n_field]
  double *middle;  // [n_coef]
  double *u;       // [rank × n_coef]
  double tol;
  mw_arena mem;  // gone when the page's table is made
  mw_page_kept out;
} builder;

// ---- (2) ----------------------------------------------------------------------------------------

static mw_code make_differences(builder *w, mw_error *err)
{
  const mw_kept *z = &w->kept;
  size_t all = mw_kept_tables(z), n = z->n_coef, record = (size_t)w->rom->rom.n_field;
  w->middle = mw_arena_f64(&w->mem, n);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(w->middle, z->coef + (all - 1) / 2 * n, n * sizeof *w->middle);
  for (size_t g = 0; g < all; g++)
    for (size_t i = 0; i < n; i++) {
      double scale = w->scale[i % record], *x = &z->coef[g * n + i];
      *x = scale > 0.0 ? (*x - w->middle[i]) / scale : 0.0;
    }
  return MW_OK;
}

// Eigenvectors of the differences' products as columns of V [all × all], the largest last.
static mw_code eigenvectors(builder *w, double *V, mw_error *err)
{
  int all = (int)mw_kept_tables(&w->kept), n = (int)w->kept.n_coef;
  size_t square = (size_t)all * (size_t)all;
  double *G = mw_arena_f64(&w->mem, square), *lambda = mw_arena_f64(&w->mem, (size_t)all);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', all, all, n, 1.0, w->kept.coef, w->kept.coef, 0.0, G);
  return mw_eig_sym(all, G, lambda, V, err);
}

// First of the combinations u [all × n], scaled, that matters; those before it are below what is
// dropped. Their eigenvalues would not say that: small ones are rounding of the largest.
static int first_kept(const builder *w, int all, size_t n)
{
  double left = 0.0;
  for (int first = 0; first < all; first++) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(w->u[(size_t)first * n + i]));
    left += most;
    if (left > DROPPED * w->tol) return first;
  }
  return all;
}

static mw_code make_combinations(builder *w, mw_arena *mem, mw_error *err)
{
  size_t all = mw_kept_tables(&w->kept), n = w->kept.n_coef, record = (size_t)w->rom->rom.n_field;
  double *V = mw_arena_f64(&w->mem, all * all);
  w->u = mw_arena_f64(&w->mem, all * n);
  mw_code rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = eigenvectors(w, V, err);
  if (rc != MW_OK) return rc;
  mw_gemm('t', 'n', (int)all, (int)n, (int)all, 1.0, V, w->kept.coef, 0.0, w->u);
  size_t first = (size_t)first_kept(w, (int)all, n), r = all - first;
  w->u += first * n;
  w->out.rank = (int)r;
  w->out.v = mw_arena_f64(mem, all * r);
  rc = mw_arena_check(mem, err);
  for (size_t g = 0; rc == MW_OK && g < all; g++)
    for (size_t k = 0; k < r; k++)  // exactly none in the middle
      w->out.v[g * r + k] = g == (all - 1) / 2 ? 0.0 : V[g * all + first + k];
  for (size_t i = 0; i < r * n; i++) w->u[i] *= w->scale[i % record];
  return rc;
}

// ---- trains -------------------------------------------------------------------------------------

// Fields from … end-1 of c(middle) and of all u side by side: x [rows × width (1 + rank)].
static void side_by_side(const builder *w, int from, int end, double *x)
{
  size_t record = (size_t)w->rom->rom.n_field, rows = w->kept.n_coef / record,
         width = (size_t)(end - from);
  for (size_t k = 0; k < rows; k++)
    for (int r = 0; r <= w->out.rank; r++) {
      const double *of = r == 0 ? w->middle : w->u + (size_t)(r - 1) * w->kept.n_coef;
      memcpy(x, of + k * record + from, width * sizeof *x);
      x += width;
    }
}

// Takes the u out of the field [rows × width (1 + rank)] of a train; what is left, into field
// [rows × width].
static void take_apart(builder *w, int rows, int width, double *field, mw_rom_train *t)
{
  int all = width * (1 + w->out.rank);
  for (int r = 1; r <= w->out.rank; r++)
    for (int q = 0; q < rows; q++)
      for (int f = 0; f < width; f++)
        w->out.number[w->out.n_number++] = t->field[q * all + r * width + f];
  for (int q = 0; q < rows; q++)
    memcpy(field + q * width, t->field + q * all, (size_t)width * sizeof *field);
  t->field = field;
  t->n_field = width;
}

static mw_code divide(builder *w, int width, mw_arena *mem, mw_rom_train *t, mw_error *err)
{
  int rows = 1;
  for (int i = 0; i < w->rom->rom.s; i++)
    if (t->core[i]) rows = t->rank[i];
  size_t more = w->out.n_number + (size_t)(rows * width * w->out.rank);
  double *field = mw_arena_f64(mem, (size_t)(rows * width));
  double *number = realloc(w->out.number, more * sizeof *number + 1);
  if (number) w->out.number = number;
  if (!number || !field)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for tables of the page");
  take_apart(w, rows, width, field, t);
  return MW_OK;
}

static mw_code build_part(builder *w, int from, int end, mw_arena *mem, mw_rom_train *t,
                          mw_error *err)
{
  const mw_rom *r = &w->rom->rom;
  int n_knot[MW_ROM_MAX_S], width = end - from, fields = width * (1 + w->out.rank);
  size_t records = w->kept.n_coef / (size_t)r->n_field;
  mw_arena tmp = { 0 };
  double *x = mw_arena_f64(&tmp, records * (size_t)fields),
         *scale = mw_arena_f64(&tmp, (size_t)fields);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) {
    side_by_side(w, from, end, x);
    for (int f = 0; f < fields; f++) scale[f] = w->scale[from + f % width];
    for (int i = 0; i < r->s; i++) n_knot[i] = mw_rom_n_knot(r, i);
    mw_table table = {
      .s = r->s, .n_knot = n_knot, .n_record = fields, .n_field = fields, .coef = x, .scale = scale
    };
    rc = mw_train_build(&table, TRAINS * w->tol, mem, t, NULL, err);
  }
  if (rc == MW_OK && t->field) rc = mw_page_round_train(r, t, scale, TRAINS * w->tol, mem, err);
  t->first = from;
  mw_arena_free(&tmp);
  return rc == MW_OK && t->field ? divide(w, width, mem, t, err) : rc;
}

// All trains; none where a rank is too high.
static mw_code build_trains(builder *w, mw_arena *mem, mw_page_table *table, mw_error *err)
{
  int from[MW_ROM_MAX_PART + 1], n = mw_rom_parts(&w->rom->rom, from), k = 0;
  mw_rom_train *train = mw_arena_alloc(mem, (size_t)n, sizeof *train);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    if (from[i] == from[i + 1]) continue;
    rc = build_part(w, from[i], from[i + 1], mem, &train[k], err);
    if (rc == MW_OK && !train[k++].field) w->out.why = "its tables over their ranges are too large";
    if (w->out.why) return rc;
  }
  table->rom.train = train;
  table->rom.n_train = k;
  table->rom.coef = NULL;
  return rc;
}

static mw_code whole_numbers(builder *w, mw_error *err)
{
  size_t n = (size_t)w->out.rank * w->kept.n_coef;
  if (n > NUMBERS_MOST) {
    w->out.why = "its tables over their ranges are too large where they are not compressed";
    return MW_OK;
  }
  w->out.number = malloc(n * sizeof *w->out.number + 1);
  if (!w->out.number)
    return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for tables of the page");
  for (size_t i = 0; i < n; i++) w->out.number[i] = w->u[i];
  w->out.n_number = n;
  return MW_OK;
}

// ---- what it errs by ----------------------------------------------------------------------------

// Trains with their fields at p.
static mw_code trains_at(const builder *w, const mw_rom *middle, const double *p, mw_arena *tmp,
                         mw_rom *out, mw_error *err)
{
  const mw_kept shares = { .n = w->kept.n,
                           .n_node = w->kept.n_node,
                           .n_coef = (size_t)w->out.rank,
                           .node = w->out.node,
                           .coef = w->out.v };
  const double *u = w->out.number;
  double *a = mw_arena_f64(tmp, (size_t)w->out.rank);
  mw_rom_train *train = mw_arena_alloc(tmp, (size_t)middle->n_train, sizeof *train);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc == MW_OK) mw_kept_at(&shares, p, a);
  for (int k = 0; rc == MW_OK && k < middle->n_train; k++) {
    size_t n = (size_t)middle->train[k].n_field;
    for (int i = 0; i < middle->s; i++)
      if (middle->train[k].core[i])
        n = (size_t)middle->train[k].n_field * (size_t)middle->train[k].rank[i];
    double *field = mw_arena_f64(tmp, n);
    rc = mw_arena_check(tmp, err);
    if (rc != MW_OK) return rc;
    memcpy(field, middle->train[k].field, n * sizeof *field);
    for (int r = 0; r < w->out.rank; r++, u += n)
      for (size_t i = 0; i < n; i++) field[i] += a[r] * u[i];
    train[k] = middle->train[k];
    train[k].field = field;
  }
  *out = *middle;
  out->train = train;
  return rc;
}

// In the middle, at the lower ends of the ranges and between the nodes.
static mw_code judge(const builder *w, mw_page_table *t, mw_error *err)
{
  static const double SHARE[] = { 0.0, 0.37 };
  mw_code rc = mw_page_compare(&w->rom->rom, &t->rom, w->scale, &t->error, err);
  for (int k = 0; rc == MW_OK && k < 2; k++) {
    double p[MW_KEPT_PARAMETERS], e = 0.0;
    mw_arena tmp = { 0 };
    mw_rom_file there;
    mw_rom here;
    rc = mw_rom_file_view(w->rom, &there, err);
    if (rc != MW_OK) return rc;
    for (int i = 0; rc == MW_OK && i < w->kept.n; i++) {
      p[i] = there.parameter[i].lo + SHARE[k] * (there.parameter[i].hi - there.parameter[i].lo);
      rc = mw_rom_set_parameter(&there, i, p[i], err);
    }
    if (rc == MW_OK) rc = trains_at(w, &t->rom, p, &tmp, &here, err);
    if (rc == MW_OK) rc = mw_page_compare(&there.rom, &here, w->scale, &e, err);
    t->error = fmax(t->error, e);
    mw_arena_free(&tmp);
    mw_arena_free(&there.mem);
  }
  return rc;
}

// ---- the whole ----------------------------------------------------------------------------------

static mw_code build(builder *w, mw_page_form form, mw_arena *mem, mw_page_table *table,
                     mw_error *err)
{
  mw_page_table t = { .rom = w->rom->rom };
  w->out.n_node = w->kept.n_node;
  w->out.node = mw_arena_f64(mem, (size_t)(w->kept.n * w->kept.n_node));
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(w->out.node, w->kept.node, (size_t)(w->kept.n * w->kept.n_node) * sizeof(double));
  rc = make_differences(w, err);
  if (rc == MW_OK) rc = make_combinations(w, mem, err);
  double bytes = 8.0 * (1.0 + w->out.rank) * (double)w->kept.n_coef;
  bool whole = form == MW_PAGE_FULL || (form == MW_PAGE_AUTO && bytes <= WHOLE);
  if (rc == MW_OK) rc = whole ? whole_numbers(w, err) : build_trains(w, mem, &t, err);
  if (rc != MW_OK || w->out.why) return rc;
  // what is zero, or slow, at every value of the parameters
  t.rom.zero_e = w->kept.zero_e;
  t.rom.zero_c = w->kept.zero_c;
  t.rom.zero_H = w->kept.zero_H;
  t.rom.slow = w->kept.slow;
  if (!whole) {
    t.tolerance = w->tol;
    rc = judge(w, &t, err);
  }
  w->out.n = w->kept.n;
  if (rc == MW_OK) *table = t;
  return rc;
}

mw_code mw_page_kept_build(const mw_rom_file *rom, mw_page_form form, mw_arena *mem,
                           mw_page_table *table, mw_page_kept *out, mw_error *err)
{
  builder w = { .rom = rom };
  *out = (mw_page_kept){ 0 };
  if (rom->n_parameter == 0) return MW_OK;
  if (!rom->rom.coef) {
    out->why = "its table is of tensor trains";
    return MW_OK;
  }
  w.tol = mw_page_share(rom->certificate.tolerance);
  w.scale = mw_arena_f64(&w.mem, (size_t)rom->rom.n_field);
  mw_code rc = mw_arena_check(&w.mem, err);
  if (rc == MW_OK) rc = mw_rom_scale(rom, w.scale, err);
  if (rc == MW_OK)
    rc = mw_export_kept_scaled(rom, TABLES_MOST, w.scale, NODES * w.tol, &w.mem, &w.kept, err);
  if (rc == MW_OK && w.kept.n == 0) w.out.why = "its tables over their ranges are too large";
  if (rc == MW_OK && w.kept.n > 0) rc = build(&w, form, mem, table, err);
  mw_arena_free(&w.mem);
  if (rc != MW_OK || w.out.why) {
    free(w.out.number);
    w.out.number = NULL;
  }
  if (rc == MW_OK) *out = w.out;
  return rc;
}

void mw_page_kept_free(mw_page_kept *z)
{
  free(z->number);
  *z = (mw_page_kept){ 0 };
}

mw_code mw_page_kept_write(const mw_page_kept *z, FILE *f, mw_error *err)
{
  size_t n = z->n_number * sizeof *z->number;
  char *planes = malloc(n + 1);
  if (!planes) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for tables of the page");
  mw_page_planes((const char *)z->number, n, planes);
  mw_code rc = mw_page_block("kept", planes, n, f, err);
  free(planes);
  return rc;
}

static void put_numbers(mw_json *j, const char *key, size_t n, const double *x)
{
  mw_json_array(j, key);
  for (size_t i = 0; i < n; i++) mw_json_num(j, NULL, x[i]);
  mw_json_end(j, ']');
}

void mw_page_kept_about(const mw_rom_file *r, const mw_page_kept *z, mw_json *j)
{
  size_t tables = 1;
  mw_json_array(j, "parameters");
  for (int k = 0; k < z->n; k++) {
    const mw_rom_parameter *p = &r->parameter[k];
    tables *= (size_t)z->n_node;
    mw_json_object(j, NULL);
    mw_json_str(j, "name", p->name);
    mw_json_num(j, "value", 0.5 * (p->lo + p->hi));
    mw_json_num(j, "mass", p->field >= 0 ? p->mass : 0.0);
    mw_json_num(j, "field", p->field);
    put_numbers(j, "node", (size_t)z->n_node, z->node + k * z->n_node);
    mw_json_end(j, '}');
  }
  mw_json_end(j, ']');
  put_numbers(j, "share", z->n > 0 ? tables * (size_t)z->rank : 0, z->v);
}
