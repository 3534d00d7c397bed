// SPDX-License-Identifier: BSD-3-Clause
// parameter.c: tables of a reduced model at another value of a parameter that it keeps.
//
// At the points of the tables a record follows from that of the middle (payload.c); what it changes
// by is interpolated and added to the coefficients. So the tables change with the parameter as
// little as the parameter does, and have the properties of their axes that they had (flat, cyclic,
// symmetric). What stiffness and damping of rows add (kept_rows.c) is added to the coefficients of
// the middle before.
// Cost: an evaluation and O(s² m³) a point of the tables; nothing a step.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "parameter_layer.h"
#include "records_layer.h"

typedef struct tables {
  mw_rom_file *f;
  mw_turned at;
  mw_axis axis[MW_ROM_MAX_S], start[MW_ROM_MAX_S];  // whole, of symmetric coordinates too
  mw_mirror mirror[MW_ROM_MAX_S];
  mw_arena mem;
} tables;

static const double ROUNDING = 1e-9;  // of the largest slope: what kinematics leave of 0

// ---- what changes -------------------------------------------------------------------------------

static double middle(const mw_rom_parameter *p) { return 0.5 * (p->lo + p->hi); }

static mw_code payloads(const mw_rom_file *f, const double *to, mw_turned *z, mw_error *err)
{
  z->payload = mw_arena_alloc(&z->mem, (size_t)f->n_parameter, sizeof *z->payload);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    if (p->field < 0) continue;
    mw_payload x = { .mass = p->mass * (to[k] - middle(p)), .field = p->field };
    memcpy(x.gravity, p->gravity, sizeof x.gravity);
    if (x.mass != 0.0) z->payload[z->n++] = x;
  }
  return rc;
}

int mw_rom_damped(const mw_rom *rom)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  return L.e - L.C + L.y - L.CE;
}

size_t mw_rom_file_start_size(const mw_rom_file *f)
{
  size_t n = (size_t)f->n_start;
  for (int i = 0; i < f->rom.s; i++) n *= (size_t)f->n_table[i] + 2;
  return n;
}

// Memory for z's tables beside those of the middle, from which they begin.
static mw_code begin_rows(const mw_rom_file *f, mw_turned *z, mw_error *err)
{
  size_t bytes = mw_rom_bytes(&f->rom), start = mw_rom_file_start_size(f);
  if (z->coef) return MW_OK;
  z->coef = mw_arena_alloc(&z->mem, bytes, 1);
  z->begun = f->stiff ? mw_arena_f64(&z->mem, start) : NULL;
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(z->coef, z->made.coef, bytes);
  z->made.coef = z->coef;
  if (!z->begun) return MW_OK;
  memcpy(z->begun, z->start, start * sizeof *z->begun);
  z->start = z->begun;
  return MW_OK;
}

// Adds what a change `by` of parameter k makes of rows to z's tables.
static void add_rows(const mw_rom_file *f, int k, double by, mw_turned *z)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  size_t n = (size_t)mw_rom_damped(&f->rom), start = mw_rom_file_start_size(f);
  size_t knots = mw_rom_bytes(&f->rom) / sizeof(double) / (size_t)L.n;
  int c = L.e - L.C, rest = L.y - L.CE, mm = f->rom.m * (f->rom.m + 1) / 2;
  for (size_t q = 0; q < knots; q++) {
    double *to = z->coef + q * (size_t)L.n;
    size_t at = (size_t)k * knots + q;
    if (f->damped) mw_axpy(c, by, f->damped + at * n, to + L.C);
    if (f->damped) mw_axpy(rest, by, f->damped + at * n + c, to + L.CE);
    if (f->stiff) mw_axpy(mm, by, f->stiff + at * (size_t)mm, to + L.K);
  }
  if (z->begun) mw_axpy((int)start, by, f->stiff_start + (size_t)k * start, z->begun);
}

// Coefficients of z's tables with the rows at their values, where these are not the middle's.
static mw_code set_rows(const mw_rom_file *f, const double *to, mw_turned *z, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    double by = p->field < 0 ? to[k] - middle(p) : 0.0;
    if (by == 0.0) continue;
    rc = begin_rows(f, z, err);
    if (rc == MW_OK) add_rows(f, k, by, z);
  }
  return rc;
}

mw_code mw_turned_open(const mw_rom_file *f, const double *to, mw_turned *out, mw_error *err)
{
  mw_turned z = { .made = f->rom, .start = f->start };
  if (f->made_coef) z.made.coef = f->made_coef;
  if (f->made_coef) z.start = f->made_start;
  mw_code rc = set_rows(f, to, &z, err);
  mw_rom_note_zeros(&z.made);  // those of f may be of other values
  size_t n = (size_t)f->rom.n_field;
  z.value = mw_arena_f64(&z.mem, n);
  z.slope = mw_arena_f64(&z.mem, (size_t)f->rom.s * n);
  z.record = mw_arena_f64(&z.mem, n);
  if (rc == MW_OK) rc = mw_arena_check(&z.mem, err);
  if (rc == MW_OK) rc = payloads(f, to, &z, err);
  if (rc == MW_OK) rc = mw_payload_init(mw_rom_shape_of(&z.made), &z.work, err);
  *out = z;
  if (rc != MW_OK) mw_turned_close(out);
  return rc;
}

void mw_turned_close(mw_turned *z)
{
  mw_payload_free(&z->work);
  mw_arena_free(&z->mem);
  *z = (mw_turned){ 0 };
}

mw_code mw_turned_at(mw_turned *z, const double *theta, mw_error *err)
{
  mw_rom_info info = { 0 };
  if (mw_rom_fields(&z->made, theta, z->value, z->slope, &info) != MW_ROM_OK)
    return mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "no record at coordinate %d = %g", info.index + 1,
                   theta[info.index]);
  return mw_payload_fold(&z->work, z->made.Y_field, z->n, z->payload, z->value, z->slope, z->record,
                         err);
}

// Column b of Ψ W has those of Ψ from b on, W being lower triangular.
void mw_turned_columns(const mw_turned *z, int n, double *X)
{
  int m = z->made.m;
  for (int b = 0; b < m; b++) {
    double *x = X + (size_t)b * (size_t)n;
    for (int i = 0; i < n; i++) x[i] *= z->work.W[b * m + b];
    for (int a = b + 1; a < m; a++) mw_axpy(n, z->work.W[a * m + b], X + (size_t)a * (size_t)n, x);
  }
}

// Potential energy must stay what the axes say of it: the weight of a payload that rises along a
// flat one, or is not its mirror image, needs another.
static mw_code check_weight(const tables *t, mw_error *err)
{
  const mw_rom *r = &t->at.made;
  for (int k = 0; k < t->at.n; k++)
    for (int i = 0; i < r->s; i++) {
      double rise = 0.0, most = 0.0;
      bool odd = false;
      for (int c = 0; c < 3; c++) {
        int y = t->at.payload[k].field + c;
        double g = t->at.payload[k].gravity[c], v = r->y_slope ? r->y_slope[i * r->n_y + y] : 0.0;
        if (r->flat >> i & 1u) rise += g * v;
        most = fmax(most, fabs(v) * mw_norm3(t->at.payload[k].gravity));
        if (r->symmetric >> i & 1u) odd = odd || (g != 0.0 && r->mirror_y[i * r->n_y + y] < 0);
      }
      if (fabs(rise) > ROUNDING * most || odd)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                       "coordinate %s lifts %s alone, while the rest of the machine is balanced, "
                       "expected a model without reduction.parameters, reduced for each value",
                       t->f->coordinate[i], t->f->field[t->at.payload[k].field]);
    }
  return MW_OK;
}

static int whole(const mw_rom *r, int i, int n) { return r->symmetric >> i & 1u ? 2 * n - 1 : n; }

static mw_code axes(tables *t, mw_error *err)
{
  const mw_rom *r = &t->at.made;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    bool cyclic = r->cyclic >> i & 1u;
    rc = mw_axis_uniform(r->lo[i], r->hi[i], cyclic, whole(r, i, r->n_grid[i]), 1, &t->mem,
                         &t->axis[i], err);
    if (rc == MW_OK)
      rc = mw_axis_uniform(r->lo[i], r->hi[i], cyclic, whole(r, i, t->f->n_table[i]), 1, &t->mem,
                           &t->start[i], err);
    if (rc != MW_OK || !(r->symmetric >> i & 1u)) continue;
    // of what changes: y0 do not
    t->mirror[i] = (mw_mirror){ .sigma = mw_arena_int(&t->mem, (size_t)r->m),
                                .tau = mw_arena_int(&t->mem, (size_t)r->n_y),
                                .shift = mw_arena_f64(&t->mem, (size_t)r->n_y) };
    rc = mw_arena_check(&t->mem, err);
    if (rc != MW_OK) break;
    memcpy(t->mirror[i].sigma, r->mirror + i * r->m, (size_t)r->m * sizeof(int));
    memcpy(t->mirror[i].tau, r->mirror_y + i * r->n_y, (size_t)r->n_y * sizeof(int));
  }
  return rc;
}

// ---- one table ----------------------------------------------------------------------------------

// theta of point g of a tensor grid; flat axes have one.
static void place(const mw_axis *axis, int s, unsigned flat, int g, double *theta)
{
  for (int i = s - 1; i >= 0; i--) {
    int n = flat >> i & 1u ? 1 : axis[i].n;
    theta[i] = mw_axis_theta(&axis[i], g % n);
    g /= n;
  }
}

static mw_code change_coef(tables *t, double *coef, mw_error *err)
{
  const mw_rom *r = &t->at.made;
  mw_records rec = { .s = r->s,
                     .m = r->m,
                     .n_y = r->n_y,
                     .n_Y = r->n_Y,
                     .n_G = r->n_G,
                     .Y_field = r->Y_field,
                     .parts = r->parts,
                     .axis = t->axis,
                     .flat = r->flat };
  size_t n = (size_t)r->n_field, count = (size_t)mw_records_count(&rec), knots = 1;
  int n_knot[MW_ROM_MAX_S];
  double *old = mw_arena_f64(&t->mem, count * n), *all;
  rec.data = mw_arena_f64(&t->mem, count * n);
  all = mw_arena_f64(&t->mem, mw_records_n_coef(&rec));
  mw_code rc = mw_arena_check(&t->mem, err);
  for (size_t g = 0; rc == MW_OK && g < count; g++) {
    double theta[MW_ROM_MAX_S];
    place(t->axis, r->s, r->flat, (int)g, theta);
    rc = mw_turned_at(&t->at, theta, err);
    memcpy(rec.data + g * n, t->at.record, n * sizeof *old);
    memcpy(old + g * n, t->at.value, n * sizeof *old);
  }
  if (rc != MW_OK) return rc;
  mw_records_clear_rounding(&rec);
  for (size_t k = 0; k < count * n; k++) rec.data[k] -= old[k];
  rc = mw_records_fit(&rec, all, err);
  for (int i = 0; i < r->s; i++) n_knot[i] = r->flat >> i & 1u ? 1 : t->axis[i].n_table + 2;
  for (int i = 0; rc == MW_OK && i < r->s; i++)
    if (r->symmetric >> i & 1u) rc = mw_records_halve(&rec, i, &t->mirror[i], n_knot, all, err);
  for (int i = 0; i < r->s; i++) knots *= (size_t)n_knot[i];
  for (size_t k = 0; rc == MW_OK && k < knots * n; k++) coef[k] = r->coef[k] + all[k];
  return rc;
}

static mw_code change_start(tables *t, double *start, mw_error *err)
{
  const mw_rom_file *f = t->f;
  mw_rom_file made = *f;
  int s = t->at.made.s, n_table[MW_ROM_MAX_S];
  size_t n = (size_t)f->n_start, count = 1, knots = 1;
  made.rom = t->at.made;
  made.start = t->at.start;
  for (int i = 0; i < s; i++) count *= (size_t)(n_table[i] = t->start[i].n);
  double *data = mw_arena_f64(&t->mem, count * n), *turned = mw_arena_f64(&t->mem, n),
         *all = mw_arena_f64(&t->mem, mw_axis_n_coef(s, t->start, f->n_start));
  mw_code rc = mw_arena_check(&t->mem, err);
  for (size_t g = 0; rc == MW_OK && g < count; g++) {
    double theta[MW_ROM_MAX_S], *to = data + g * n;
    place(t->start, s, 0, (int)g, theta);
    rc = mw_turned_at(&t->at, theta, err);
    if (rc == MW_OK) rc = mw_rom_file_start(&made, theta, to, err);
    memcpy(turned, to, n * sizeof *turned);
    if (rc == MW_OK) mw_payload_turn_start(&t->at.work, turned);
    for (size_t k = 0; k < n; k++) to[k] = turned[k] - to[k];
  }
  if (rc == MW_OK) rc = mw_axis_fit(s, t->start, f->n_start, data, all, err);
  if (rc == MW_OK) mw_table_halve(s, t->at.made.symmetric, n, n_table, all);
  for (int i = 0; i < s; i++) knots *= (size_t)n_table[i] + 2;
  for (size_t k = 0; rc == MW_OK && k < knots * n; k++) start[k] = t->at.start[k] + all[k];
  return rc;
}

// ---- all ----------------------------------------------------------------------------------------

// Memory for tables besides those of the middle.
static mw_code keep(mw_rom_file *f, mw_error *err)
{
  if (f->made_coef) return MW_OK;
  if (f->rom.n_train > 0 || f->n_start_train > 0 || (f->rom.parts & MW_ROM_THIRD))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "parameters of a reduced model with %s, expected one made with them",
                   f->rom.n_train > 0 ? "compressed tables" : "the third order of the motion");
  f->set_coef = mw_arena_alloc(&f->mem, mw_rom_bytes(&f->rom), 1);
  f->set_start = mw_arena_f64(&f->mem, mw_rom_file_start_size(f));
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  f->made_coef = f->rom.coef;
  f->made_start = f->start;
  return MW_OK;
}

static mw_code note(mw_rom_file *f, mw_error *err)
{
  const char *all = NULL;
  f->parameter_note = NULL;
  for (int k = 0; k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    if (p->value == middle(p)) continue;
    all = mw_arena_printf(&f->mem, "%s%s%s = %g (made at %g)", all ? all : "", all ? ", " : "",
                          p->name, p->value, middle(p));
    if (!all) break;
  }
  if (all)
    f->parameter_note = mw_arena_printf(
        &f->mem, "%s: amplitudes up to which the reduced model holds are those of the middle of %s",
        all, f->n_parameter > 1 ? "the ranges" : "its range");
  return mw_arena_check(&f->mem, err);
}

// coef and start of f's tables at the values of t.
static mw_code change(tables *t, double *coef, double *start, mw_error *err)
{
  mw_code rc = check_weight(t, err);
  if (rc == MW_OK) rc = axes(t, err);
  if (rc == MW_OK) rc = change_coef(t, coef, err);
  return rc == MW_OK ? change_start(t, start, err) : rc;
}

mw_code mw_parameters_set(mw_rom_file *f, const double *to, mw_error *err)
{
  mw_code rc = keep(f, err);
  if (rc != MW_OK) return rc;
  tables t = { .f = f };
  double *coef = mw_arena_alloc(&t.mem, mw_rom_bytes(&f->rom), 1),
         *start = mw_arena_f64(&t.mem, mw_rom_file_start_size(f));
  rc = mw_arena_check(&t.mem, err);
  if (rc == MW_OK) rc = mw_turned_open(f, to, &t.at, err);
  bool heavy = rc == MW_OK && t.at.n > 0, other = heavy || (rc == MW_OK && t.at.coef);
  if (other && !heavy) {
    memcpy(coef, t.at.coef, mw_rom_bytes(&f->rom));
    memcpy(start, t.at.start, mw_rom_file_start_size(f) * sizeof *start);
  }
  if (heavy) rc = change(&t, coef, start, err);
  if (rc == MW_OK && other) {
    memcpy(f->set_coef, coef, mw_rom_bytes(&f->rom));
    memcpy(f->set_start, start, mw_rom_file_start_size(f) * sizeof *start);
  }
  if (rc == MW_OK) {
    f->certificate.runs = (mw_run_proofs){ 0 };
    f->certificate.outside = (mw_run_scope){ 0 };
    f->rom.coef = other ? f->set_coef : f->made_coef;
    f->start = other ? f->set_start : f->made_start;
    for (int k = 0; k < f->n_parameter; k++) f->parameter[k].value = to[k];
    mw_rom_note_zeros(&f->rom);
    rc = mw_rom_file_note_slow(f, err);
  }
  mw_turned_close(&t.at);
  mw_arena_free(&t.mem);
  return rc == MW_OK ? note(f, err) : rc;
}

// to [n_parameter] are within their ranges
static mw_code check_range(const mw_rom_file *f, const double *to, mw_error *err)
{
  for (int k = 0; k < f->n_parameter; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    if (!(to[k] >= p->lo && to[k] <= p->hi))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "parameter %s is %g, outside of the range [%g, %g] that the reduced model "
                     "keeps",
                     p->name, to[k], p->lo, p->hi);
  }
  return MW_OK;
}

static mw_code set_checked(mw_rom_file *f, const double *to, mw_error *err)
{
  mw_code rc = check_range(f, to, err);
  return rc == MW_OK ? mw_parameters_set(f, to, err) : rc;
}

mw_code mw_rom_set_parameter(mw_rom_file *f, int k, double value, mw_error *err)
{
  double to[MW_MODEL_MAX_KEPT];
  if (k < 0 || k >= f->n_parameter)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "parameter %d of a reduced model that keeps %d, expected one of them", k,
                   f->n_parameter);
  for (int i = 0; i < f->n_parameter; i++) to[i] = i == k ? value : f->parameter[i].value;
  return set_checked(f, to, err);
}

mw_code mw_rom_file_view(const mw_rom_file *f, mw_rom_file *out, mw_error *err)
{
  mw_rom_file z = *f;
  z.mem = (mw_arena){ 0 };
  z.made_coef = z.made_start = NULL;
  z.set_coef = z.set_start = NULL;
  z.parameter_note = NULL;
  if (f->made_coef) {
    z.rom.coef = f->made_coef;
    z.start = f->made_start;
    mw_rom_note_zeros(&z.rom);
  }
  z.parameter = mw_arena_alloc(&z.mem, (size_t)f->n_parameter, sizeof *z.parameter);
  mw_code rc = mw_arena_check(&z.mem, err);
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++) {
    z.parameter[k] = f->parameter[k];
    z.parameter[k].value = middle(&f->parameter[k]);
  }
  if (rc == MW_OK)
    *out = z;
  else
    mw_arena_free(&z.mem);
  return rc;
}

mw_code mw_rom_file_parameters(const mw_model *m, mw_rom_file *f, mw_error *err)
{
  double to[MW_MODEL_MAX_KEPT];
  bool other = false;
  for (int k = 0; k < f->n_parameter; k++) {
    to[k] = f->parameter[k].value;
    for (int i = 0; i < m->n_parameter; i++)
      if (strcmp(m->parameter[i].name, f->parameter[k].name) == 0) to[k] = m->parameter[i].value[0];
    other = other || to[k] != f->parameter[k].value;
  }
  return other ? set_checked(f, to, err) : MW_OK;
}
