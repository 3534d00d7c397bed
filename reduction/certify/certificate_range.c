// SPDX-License-Identifier: BSD-3-Clause
// certificate_range.c: the certificate over the ranges of parameters that the model keeps.
//
// At both ends of all ranges, with each parameter alone at its upper end where there are several,
// and at random values, the tables are set and judged once more, against a mechanism whose bodies
// have the mass there, and whose springs and runners the stiffness and damping
// (certificate_shift.c):
//   meshes   at the ends: bodies built anew; samples, stretching and third order
//   bases    the bodies' bases with the mass in their moments; random samples, the weight, inputs
//   lines    columns of the middle, made M-orthonormal at the value, in the mechanism there: forces
//            of motion (certificate_lines.c)
// What samples compare is judged once more at each value where the middle or any of the values err
// most, on the bases: errors as narrow as a crossing of modes are then seen at all of them.
// A quantity counts by its largest error at any of the values. Not judged there, for they are the
// middle's: patterns lost, tables at grid points, mass of columns and stress stiffness left out.
// Cost: a value, some dozen samples and lines on bases; an end, a factorization of the changed
// bodies, samples on the meshes and what large.c costs.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/random.h"
#include "certificate_layer.h"
#include "certificate_shift_priv.h"
#include "fem/output.h"
#include "fields_layer.h"
#include "reduction/certificate.h"
#include "system/system_layer.h"
#include "table/parameter_layer.h"
#include "table/rigid_table_layer.h"
#include "work/offline_layer.h"

enum {
  RANDOM_VALUES = 2,
  ENDS = 2,
  MESH = 2,          // samples on the meshes at an end
  SAMPLES_PART = 8,  // of the random samples asked for, at each value
  LINES_PART = 16,   // likewise, lines
  LEAST_SAMPLES = 8,
  LEAST_LINES = 4,
  SEED = 5
};

// ---- judging ------------------------------------------------------------------------------------

// The full mechanism at theta.
static mw_code sample_full(mw_value_shift *z, const double *theta, mw_sample *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_blocks *bl = NULL;
  mw_system *sys = NULL;
  mw_config q;
  mw_reduction *r = &z->r;
  mw_sample_in in = mw_certificate_sample(r);
  in.mech = r->full;
  in.basis = z->offline.fine.basis;
  in.q = &q;
  mw_code rc = mw_offline_direct(&z->offline, &bl, err);
  if (rc == MW_OK)
    rc = mw_config_at(r->full, r->locked, r->s, r->coord, theta, &r->point[0].q, &tmp, &q, err);
  if (rc == MW_OK) rc = mw_system_build(bl, r->locked, 0, q.p, q.s, &sys, err);
  if (rc == MW_OK) rc = mw_sample_build(sys, &in, out, &z->mem, err);
  mw_system_free(sys);
  mw_arena_free(&tmp);
  return rc;
}

// At theta [n × s], the first n_mesh of these on the meshes
static mw_code samples_at(mw_value_shift *z, int n_mesh, int n, const double *theta, mw_error *err)
{
  mw_reduction *r = &z->r;
  size_t s = (size_t)r->s;
  mw_sample *sample = mw_arena_alloc(&z->mem, (size_t)n, sizeof *sample);
  mw_sample_in in = mw_certificate_sample(r);
  mw_code rc = mw_arena_check(&z->mem, err);
  for (int i = 0; rc == MW_OK && i < n_mesh; i++)
    rc = sample_full(z, theta + (size_t)i * s, &sample[i], err);
  for (int i = n_mesh; rc == MW_OK && i < n; i++)
    rc = mw_sample_projected(r, &in, theta + (size_t)i * s, &sample[i], &z->mem, err);
  if (rc == MW_OK)
    rc = mw_certificate_compare(r, &z->t, &z->f, n, sample, &z->f.certificate, &z->f.mem, err);
  return rc;
}

static mw_code samples(mw_value_shift *z, int n_mesh, int n, uint64_t *state, mw_error *err)
{
  double *theta = mw_arena_f64(&z->mem, (size_t)(n_mesh + n) * (size_t)z->r.s);
  mw_code rc = mw_arena_check(&z->mem, err);
  if (rc != MW_OK) return rc;
  mw_points_random(&z->r, n_mesh + n, state, theta);
  return samples_at(z, n_mesh, n_mesh + n, theta, err);
}

static mw_code judge(mw_value_shift *z, const mw_patterns *p, bool end, uint64_t *state,
                     mw_error *err)
{
  mw_certificate *c = &z->f.certificate;
  mw_lines lines = { 0 };
  int asked = z->model.reduction.n_sample, n = asked / SAMPLES_PART;
  int n_line = asked / LINES_PART, s = z->r.s;
  const mw_line_places at = { .n_random = n_line > LEAST_LINES ? n_line : LEAST_LINES,
                              .n_end = 2 * s,
                              .seed = *state };
  mw_code rc = samples(z, end ? MESH : 0, n > LEAST_SAMPLES ? n : LEAST_SAMPLES, state, err);
  if (rc == MW_OK) rc = mw_certificate_motion(&z->r, &z->t, &z->f, c, err);
  if (rc == MW_OK) rc = mw_lines_build(&z->r, p, z->f.rom.n_y, &at, &lines, err);
  if (rc == MW_OK) rc = mw_certificate_fields(&z->r, &z->t, &lines, &z->f, c, &z->f.mem, err);
  if (rc == MW_OK) rc = mw_certificate_decay(&z->r, &lines, c, &z->f.mem, err);
  if (rc == MW_OK) rc = mw_certificate_weight(&z->r, &z->f, NULL, c, &z->f.mem, err);
  if (rc == MW_OK) rc = mw_certificate_push(&z->r, &z->f, NULL, c, &z->f.mem, err);
  if (rc == MW_OK && end) rc = mw_large_limits(&z->r, &z->f, &z->f.mem, err);
  mw_lines_free(&lines);
  return rc;
}

// ---- the largest errors -------------------------------------------------------------------------

// Quantities that are judged in the middle alone.
static bool is_middles(const char *key)
{
  static const char *const none[] = { "lost_patterns", "tables", "stress_stiffness",
                                      "column_mass" };
  for (size_t k = 0; k < sizeof none / sizeof *none; k++)
    if (strcmp(key, none[k]) == 0) return true;
  return false;
}

static const char *value_text(const mw_model *m, const double *to, mw_arena *mem)
{
  const char *text = "";
  for (int k = 0; text && k < m->reduction.n_kept; k++)
    text = mw_arena_printf(mem, "%s%s%s = %.4g", text, k ? ", " : "", m->reduction.kept[k].name,
                           to[k]);
  return text;
}

static int find(const mw_range_proof *p, const char *key)
{
  int k = 0;
  while (k < p->n_quantity && strcmp(p->key[k], key) != 0) k++;
  return k;
}

static mw_code take(const mw_value_shift *z, mw_range_proof *p, mw_arena *mem, mw_error *err)
{
  mw_verdict v[MW_VERDICTS];
  mw_certificate c = z->f.certificate;
  c.range = (mw_range_proof){ 0 };
  int n = mw_certificate_verdicts(&c, v), s = z->r.s;
  for (int i = 0; i < n; i++) {
    if (is_middles(v[i].key)) continue;
    const char *key = mw_arena_printf(mem, "parameters_%s", v[i].key);
    mw_code rc = mw_arena_check(mem, err);
    if (rc != MW_OK) return rc;
    int k = find(p, key);
    bool first = k == p->n_quantity;
    if (!first && v[i].error <= p->error[k]) continue;  // an error that is no number is the largest
    if (first) p->n_quantity++;
    p->key[k] = key;
    if (first) p->name[k] = mw_arena_printf(mem, "%s, over parameters", v[i].name);
    p->unit[k] = mw_arena_str(mem, v[i].unit);
    p->at[k] = value_text(&z->model, z->to, mem);
    p->error[k] = v[i].error;
    p->tolerance[k] = v[i].tolerance;
    p->placed[k] = v[i].theta != NULL;
    if (v[i].theta) memcpy(p->theta + k * s, v[i].theta, (size_t)s * sizeof(double));
  }
  return mw_arena_check(mem, err);
}

// ---- where others err most ----------------------------------------------------------------------

// Quantities that samples compare.
static bool is_sampled(const char *key)
{
  static const char *const all[] = { "frequencies", "shapes", "static_compliance", "stress",
                                     "receptances" };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    if (strcmp(key, all[k]) == 0) return true;
  return false;
}

static int put_place(int n, int s, const double *theta, double *place)
{
  for (int i = 0; i < n; i++)
    if (memcmp(place + i * s, theta, (size_t)s * sizeof *theta) == 0) return n;
  memcpy(place + n * s, theta, (size_t)s * sizeof *theta);
  return n + 1;
}

// place [2 MW_VERDICTS × s]: where samples of the middle and of the values err most. Returns how
// many.
static int worst_places(const mw_certificate *middle, const mw_range_proof *p, int s, double *place)
{
  static const size_t PREFIX = sizeof "parameters_" - 1;
  mw_verdict v[MW_VERDICTS];
  int n = 0, n_verdict = mw_certificate_verdicts(middle, v);
  for (int i = 0; i < n_verdict; i++)
    if (v[i].theta && is_sampled(v[i].key)) n = put_place(n, s, v[i].theta, place);
  for (int k = 0; k < p->n_quantity; k++)
    if (p->placed[k] && is_sampled(p->key[k] + PREFIX))
      n = put_place(n, s, p->theta + k * s, place);
  return n;
}

static mw_code judge_there(const mw_reduction *r, const mw_tables *t, mw_rom_file *f,
                           mw_range_proof *p, mw_error *err)
{
  mw_arena tmp = { 0 };
  double *place = mw_arena_f64(&tmp, 2 * MW_VERDICTS * (size_t)r->s);
  mw_code rc = mw_arena_check(&tmp, err);
  int n = rc == MW_OK ? worst_places(&f->certificate, p, r->s, place) : 0;
  for (int i = 0; rc == MW_OK && n > 0 && i < p->n; i++) {
    mw_value_shift z = { .to = p->value + i * p->n_parameter, .bases_alone = true };
    rc = mw_value_shift_make(r, t, f, &z, err);
    if (rc == MW_OK) rc = samples_at(&z, 0, n, place, err);
    if (rc == MW_OK) rc = take(&z, p, &f->mem, err);
    mw_value_shift_free(&z);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- the values ---------------------------------------------------------------------------------

// Values in the order of the file's head.
static void values(const mw_model *m, uint64_t *state, mw_range_proof *p)
{
  int n = p->n_parameter;
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < n; k++) {
      const mw_kept_in *in = &m->reduction.kept[k];
      double part = i < ENDS                   ? (double)i
                    : i < p->n - RANDOM_VALUES ? (double)(i - ENDS == k)
                                               : mw_random_unit(state);
      p->value[i * n + k] = in->lo + part * (in->hi - in->lo);
    }
}

static mw_code proof_init(const mw_reduction *r, mw_range_proof *p, mw_arena *mem, mw_error *err)
{
  size_t most = MW_VERDICTS_ONE;
  p->n_parameter = r->model->reduction.n_kept;
  p->n = ENDS + (p->n_parameter > 1 ? p->n_parameter : 0) + RANDOM_VALUES;
  p->value = mw_arena_f64(mem, (size_t)p->n * (size_t)p->n_parameter);
  const char ***text[] = { &p->key, &p->name, &p->unit, &p->at };
  for (size_t k = 0; k < sizeof text / sizeof *text; k++)
    *text[k] = mw_arena_alloc(mem, most, sizeof **text[k]);
  p->error = mw_arena_f64(mem, most);
  p->tolerance = mw_arena_f64(mem, most);
  p->placed = mw_arena_int(mem, most);
  p->theta = mw_arena_f64(mem, most * (size_t)r->s);
  return mw_arena_check(mem, err);
}

mw_code mw_certificate_range(const mw_reduction *r, const mw_patterns *p, const mw_tables *t,
                             mw_rom_file *f, mw_error *err)
{
  mw_range_proof proof = { 0 };
  uint64_t state = SEED;
  if (r->model->reduction.n_kept == 0) return MW_OK;
  mw_code rc = proof_init(r, &proof, &f->mem, err);
  if (rc == MW_OK) rc = mw_offline_shapes(r->offline, &r->offline->fine, err);
  if (rc == MW_OK) values(r->model, &state, &proof);
  mw_progress_start(r->progress, "parameters over their ranges", proof.n);
  for (int i = 0; rc == MW_OK && i < proof.n; i++) {
    mw_value_shift z = { .to = proof.value + i * proof.n_parameter };
    rc = mw_value_shift_make(r, t, f, &z, err);
    if (rc == MW_OK) rc = judge(&z, p, i < ENDS, &state, err);
    if (rc == MW_OK) rc = take(&z, &proof, &f->mem, err);
    if (i == 0) proof.n_sample = z.f.certificate.n;
    mw_value_shift_free(&z);
    mw_progress_step(r->progress, i + 1);
  }
  if (rc == MW_OK) rc = judge_there(r, t, f, &proof, err);
  mw_progress_end(r->progress);
  proof.n_mesh = MESH;
  if (rc == MW_OK) f->certificate.range = proof;
  return rc;
}
