// SPDX-License-Identifier: BSD-3-Clause
// judge.c: models compared with the mechanism by a reduction that is still in memory.
//
// Samples depend on the mechanism alone: those of one seed serve any number of models.
#include <string.h>

#include "certificate_layer.h"
#include "fields_layer.h"
#include "judge_layer.h"
#include "table/rigid_table_layer.h"

static mw_code take(mw_judge *j, int n, uint64_t seed, bool meshes, mw_error *err)
{
  mw_reduction *r = j->r;
  if (j->n == n && j->seed == seed && j->meshes == meshes) return MW_OK;
  mw_arena_free(&j->mem);
  j->n = 0;
  uint64_t state = seed;
  double *theta = mw_arena_f64(&j->mem, (size_t)n * (size_t)r->s);
  j->sample = mw_arena_alloc(&j->mem, (size_t)n, sizeof *j->sample);
  mw_code rc = mw_arena_check(&j->mem, err);
  if (rc != MW_OK) return rc;
  mw_points_random(r, n, &state, theta);
  if (meshes) {
    rc = mw_units_samples(r, j->band, false, n, theta, j->sample, &j->mem, err);
  } else {
    rc = mw_units_projected(r, j->band, n, theta, j->sample, &j->mem, err);
  }
  if (rc != MW_OK) return rc;
  j->n = n;
  j->seed = seed;
  j->meshes = meshes;
  return MW_OK;
}

void mw_certificate_copy_large(const mw_certificate *from, mw_certificate *to)
{
  to->stretch_error = from->stretch_error;
  to->stretch_deflection = from->stretch_deflection;
  to->stretch_load = from->stretch_load;
  to->stretch_body = from->stretch_body;
  to->third_error = from->third_error;
  to->third_shift = from->third_shift;
  to->third_hz = from->third_hz;
  to->third_phase = from->third_phase;
  to->third_time = from->third_time;
  to->third_held = from->third_held;
  to->third_deflection = from->third_deflection;
  to->third_load = from->third_load;
  to->third_body = from->third_body;
  to->free_error = from->free_error;
  to->free_shift = from->free_shift;
  to->free_phase = from->free_phase;
  to->free_hz = from->free_hz;
  to->undeclared = from->undeclared;
  to->third_taken = from->third_taken;
}

mw_code mw_judge_random(mw_judge *j, const mw_rom_file *f, int n, uint64_t seed, bool meshes,
                        mw_certificate *out, mw_arena *mem, mw_error *err)
{
  const mw_certificate *own = &f->certificate;
  mw_code rc = take(j, n, seed, meshes, err);
  if (rc == MW_OK)
    rc = mw_certificate_compare(j->r, &j->made->tables, f, n, j->sample, out, mem, err);
  if (rc == MW_OK && !meshes) out->kind = mw_arena_int(mem, (size_t)n);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  if (!meshes) out->n_mesh = 0;
  for (int i = 0; i < n && !meshes; i++) out->kind[i] = MW_POINT_RANDOM;
  out->n_lost = own->n_lost;
  out->n_motion = own->n_motion;
  out->motion_error = own->motion_error;
  out->motion_tolerance = own->motion_tolerance;
  out->n_force = own->n_force;
  out->n_force_random = own->n_force_random;
  memcpy(out->force_error, own->force_error, sizeof out->force_error);
  out->force_theta = own->force_theta;
  out->force_assumed = own->force_assumed;
  out->rest_force = own->rest_force;
  out->rest_length = own->rest_length;
  out->n_table = own->n_table;
  out->table_error = own->table_error;
  out->table_theta = own->table_theta;
  out->table_field = own->table_field;
  out->n_weight = own->n_weight;
  out->weight_error = own->weight_error;
  out->weight_buckles = own->weight_buckles;
  out->weight_theta = own->weight_theta;
  out->n_push = own->n_push;
  out->push_error = own->push_error;
  out->push_buckles = own->push_buckles;
  out->push_theta = own->push_theta;
  out->push_input = own->push_input;
  out->n_decay = own->n_decay;
  out->decay_error = own->decay_error;
  out->decay_rate = own->decay_rate;
  out->decay_theta = own->decay_theta;
  out->range = own->range;
  mw_certificate_copy_large(own, out);
  return MW_OK;
}

mw_code mw_judge_motion(mw_judge *j, const mw_rom_file *f, int n, uint64_t seed,
                        mw_certificate *out, mw_arena *mem, mw_error *err)
{
  mw_reduction *r = j->r;
  uint64_t state = seed;
  mw_lines lines = { 0 };
  mw_certificate c = *out;
  double *theta = mw_arena_f64(mem, (size_t)n * (size_t)r->s);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_points_random(r, n, &state, theta);
  const mw_places at = { .n = n, .theta = theta };
  const mw_line_places line = { .n_random = n, .seed = seed };
  c.weight_error = c.push_error = c.decay_error = 0.0;
  c.weight_buckles = c.push_buckles = false;
  rc = mw_certificate_weight(r, f, &at, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_push(r, f, &at, &c, mem, err);
  if (rc == MW_OK) rc = mw_lines_build(r, &j->made->patterns, f->rom.n_y, &line, &lines, err);
  if (rc == MW_OK) rc = mw_certificate_fields(r, &j->made->tables, &lines, f, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_decay(r, &lines, &c, mem, err);
  mw_lines_free(&lines);
  if (rc == MW_OK) *out = c;
  return rc;
}

mw_code mw_judge_certify(mw_judge *j, const mw_rom_file *f, mw_certificate *out, mw_arena *mem,
                         mw_error *err)
{
  const mw_certificate *own = &f->certificate;
  mw_certificate c;
  mw_code rc = mw_samples_compare(j->r, &j->made->tables, f, j->own, true, &c, mem, err);
  c.n_lost = j->made->patterns.n_lost;
  if (rc == MW_OK) rc = mw_certificate_motion(j->r, &j->made->tables, f, &c, err);
  if (rc == MW_OK) rc = mw_certificate_fields(j->r, &j->made->tables, j->lines, f, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_decay(j->r, j->lines, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_tables(j->r, &j->made->tables, f, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_weight(j->r, f, NULL, &c, mem, err);
  if (rc == MW_OK) rc = mw_certificate_push(j->r, f, NULL, &c, mem, err);
  if (rc != MW_OK) return rc;
  c.range = own->range;
  mw_certificate_copy_large(own, &c);
  *out = c;
  return MW_OK;
}
