// SPDX-License-Identifier: BSD-3-Clause
// export_component.c: a reduced model as a component: a shared object that other models use
// (reduction/component/README.md). Its orientations are the ports, its drives and positions are
// seen, nothing else.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "export_layer.h"
#include "fem/component_pack.h"
#include "fem/output.h"
#include "reduction/certificate.h"
#include "verdict/wholetext_layer.h"

enum { AXES = 3 };

// ---- what is seen -------------------------------------------------------------------------------

static int field_index(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

static const char *axis_name(const mw_model *m, int output, int axis, mw_arena *mem)
{
  const mw_output_in *o = &m->output[output];
  return mw_arena_printf(mem, "%s.%s", o->name, mw_output_axis(o, axis));
}

static bool add_port(const mw_model *m, const mw_rom_file *f, const mw_observed_in *o,
                     mw_arena *mem, mw_flexible_seen *out)
{
  *out = (mw_flexible_seen){ .kind = MW_FLEXIBLE_PORT, .name = o->name, .field = -1 };
  for (int k = 0; k < MW_ORIENTATION_POINTS * AXES; k++) {
    const char *name = axis_name(m, o->of + k / AXES, k % AXES, mem);
    int field = name ? field_index(f, name) : -1;
    if (k == 0) out->field = field;
    if (field < 0 || field != out->field + k) return false;
  }
  out->arm = m->output[o->of + 1].x[0] - m->output[o->of].x[0];
  return true;
}

static bool add_output(const mw_model *m, const mw_rom_file *f, int k, mw_arena *mem,
                       mw_flexible_seen *out)
{
  const char *name = axis_name(m, k, 0, mem);
  *out = (mw_flexible_seen){ .kind = MW_FLEXIBLE_OUTPUT,
                             .name = m->output[k].name,
                             .field = name ? field_index(f, name) : -1 };
  return out->field >= 0;
}

// A drive of a coordinate, as what it acts on moves.
static bool add_drive(const mw_model *m, const mw_rom_file *f, int d, mw_flexible_seen *out)
{
  int input = -1;
  for (int k = 0; k < f->rom.n_u; k++)
    if (strcmp(f->input[k], m->drive[d].name) == 0) input = k;
  if (input < 0 || m->drive[d].joint < 0) return false;
  const mw_joint_in *j = &m->joint[m->drive[d].joint];
  *out = (mw_flexible_seen){ .kind = j->measure == MW_MEASURE_ANGLE ? MW_FLEXIBLE_ANGLE
                                                                    : MW_FLEXIBLE_TRAVEL,
                             .name = m->drive[d].name,
                             .field = f->rom.u_field[input],
                             .coordinate = j->coordinate,
                             .limits = { -INFINITY, INFINITY },
                             .most = f->rom.u_max ? f->rom.u_max[input] : INFINITY };
  for (int i = 0; i < f->rom.s; i++)
    if (strcmp(f->coordinate[i], j->coordinate) == 0 && !(f->rom.cyclic >> i & 1u)) {
      out->limits[0] = f->rom.lo[i];
      out->limits[1] = f->rom.hi[i];
    }
  if (j->has_limits)
    for (int i = 0; i < 2; i++)
      out->limits[i] = i ? fmin(out->limits[i], j->limits[i]) : fmax(out->limits[i], j->limits[i]);
  return true;
}

static void leave_out(const char *what, const char *why, mw_arena *mem, const char **left_out)
{
  *left_out = mw_arena_printf(mem, "%s%s%s (%s)", *left_out ? *left_out : "", *left_out ? ", " : "",
                              what, why);
}

static void find_ports(const mw_model *m, const mw_rom_file *f, mw_arena *mem,
                       mw_flexible_seen *seen, int *n, const char **left_out)
{
  for (int k = 0; k < m->n_observed; k++) {
    const mw_observed_in *o = &m->observed[k];
    if (o->kind == MW_OUTPUT_ORIENTATION && add_port(m, f, o, mem, &seen[*n]))
      (*n)++;
    else
      leave_out(o->name, mw_output_key(o->kind), mem, left_out);
  }
}

static void find_drives(const mw_model *m, const mw_rom_file *f, mw_arena *mem,
                        mw_flexible_seen *seen, int *n, const char **left_out)
{
  for (int d = 0; d < m->n_drive; d++)
    if (add_drive(m, f, d, &seen[*n]))
      (*n)++;
    else
      leave_out(m->drive[d].name, "a force at a frame", mem, left_out);
}

static void find_outputs(const mw_model *m, const mw_rom_file *f, mw_arena *mem,
                         mw_flexible_seen *seen, int *n, const char **left_out)
{
  for (int k = 0; k < m->n_output; k++) {
    if (m->output[k].part) continue;
    if (m->output[k].kind == MW_OUTPUT_POSITION && add_output(m, f, k, mem, &seen[*n]))
      (*n)++;
    else
      leave_out(m->output[k].name, mw_output_key(m->output[k].kind), mem, left_out);
  }
}

// ---- what is promised ---------------------------------------------------------------------------

static const char *promise_of(const mw_rom_file *f, mw_arena *mem)
{
  const mw_certificate *c = &f->certificate;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  const char *t = mw_arena_printf(mem,
                                  "certificate: %s; %d samples off the grid, %d of them on the "
                                  "meshes\n",
                                  mw_certificate_met(c) ? "met" : "missed", c->n, c->n_mesh);
  for (int k = 0; t && k < n; k++)
    t = mw_arena_printf(mem, "%s  %-28s %.2e%s%s (tolerance %.2e: %s)\n", t, v[k].name, v[k].error,
                        *v[k].unit ? " " : "", v[k].unit, v[k].tolerance,
                        v[k].met ? "met" : "missed");
  double band = mw_certificate_bandwidth(c);
  if (t && band > 0.0) t = mw_arena_printf(mem, "%s  up to %.4g Hz\n", t, band);
  for (int i = 0; t && f->rom.rate_max && i < f->rom.s; i++)
    if (isfinite(f->rom.rate_max[i]))
      t = mw_arena_printf(mem, "%s  rates of %s up to %.6g %s/s\n", t, f->coordinate[i],
                          f->rom.rate_max[i], f->unit && f->unit[i] ? f->unit[i] : "");
  for (int k = 0; t && f->rom.u_max && k < f->rom.n_u; k++)
    if (isfinite(f->rom.u_max[k]))
      t = mw_arena_printf(mem, "%s  forces of %s up to %.6g\n", t, f->input[k], f->rom.u_max[k]);
  return t;
}

// ---- writing ------------------------------------------------------------------------------------

// The reference configuration, which may lie outside of the ranges: as near as these allow.
static void find_start(const mw_mech *mech, const mw_rom_file *f, double *start)
{
  for (int i = 0; i < f->rom.s; i++) {
    start[i] = 0.5 * (f->rom.lo[i] + f->rom.hi[i]);
    for (int c = 0; c < mech->n_coord; c++)
      if (strcmp(mw_mech_coord_name(mech, c), f->coordinate[i]) == 0) start[i] = mech->s0[c];
    if (!(f->rom.cyclic >> i & 1u)) start[i] = fmin(fmax(start[i], f->rom.lo[i]), f->rom.hi[i]);
  }
}

// Parameters of the reduced model, whose tables are kept; why not, where they are left out.
static mw_code find_parameters(const mw_rom_file *f, mw_arena *mem, mw_flexible_text *out,
                               const char **left_out, mw_error *err)
{
  static const size_t MOST = 1u << 24;  // coefficients of all tables, 128 MiB of the object
  mw_flexible_parameter *p = mw_arena_alloc(mem, (size_t)f->n_parameter, sizeof *p);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK || f->n_parameter == 0) return rc;
  if (f->rom.coef)
    rc = mw_export_kept_of(f, MOST, mem, &out->kept, err);
  else
    out->kept.why = "its tables are compressed";
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++) {
    const mw_rom_parameter *of = &f->parameter[k];
    p[k] = (mw_flexible_parameter){ of->name, of->lo, of->hi, of->value };
    if (out->kept.why) leave_out(of->name, out->kept.why, mem, left_out);
  }
  out->parameter = p;
  return rc;
}

mw_code mw_export_flexible_text(const mw_rom_file *rom, const mw_mech *mech, mw_arena *mem,
                                mw_flexible_text *out, const char **left_out, mw_error *err)
{
  const mw_model *m = mech->model;
  int n = m->n_observed + m->n_drive + m->n_output, count = 0;
  mw_flexible_seen *seen = mw_arena_alloc(mem, (size_t)n, sizeof *seen);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  *left_out = NULL;
  find_ports(m, rom, mem, seen, &count, left_out);
  if (count == 0)
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ m->path, 1, 1 },
                   "component: found no orientation of a frame among the outputs, expected one: "
                   "frames whose orientation is an output are its ports");
  find_drives(m, rom, mem, seen, &count, left_out);
  find_outputs(m, rom, mem, seen, &count, left_out);
  *out = (mw_flexible_text){ .n_seen = count, .seen = seen, .promise = promise_of(rom, mem) };
  memcpy(out->gravity, m->gravity, sizeof out->gravity);
  find_start(mech, rom, out->start);
  rc = find_parameters(rom, mem, out, left_out, err);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

// node and coef, one behind the other
static mw_code tables_of(const mw_kept *z, mw_arena *mem, mw_model_text *out, mw_error *err)
{
  size_t n = mw_flexible_tables_bytes(z), n_node = (size_t)(z->n * z->n_node);
  double *bytes = mw_arena_alloc(mem, n, 1);
  mw_code rc = mw_arena_check(mem, err);
  *out = (mw_model_text){ "tables", (const char *)bytes, n };
  if (rc != MW_OK || n == 0) return rc;
  memcpy(bytes, z->node, n_node * sizeof *bytes);
  memcpy(bytes + n_node, z->coef, n - n_node * sizeof *bytes);
  return MW_OK;
}

// Says what can be set, a line each.
static const char *say_parameters(const mw_flexible_text *t, mw_arena *mem)
{
  const char *x = "";
  for (int k = 0; x && k < t->kept.n; k++)
    x = mw_arena_printf(mem, "%s\nset: { %s: VALUE } from %g to %g, %g otherwise", x,
                        t->parameter[k].name, t->parameter[k].lo, t->parameter[k].hi,
                        t->parameter[k].value);
  return x;
}

// Says where coordinates begin elsewhere than in the reference configuration, a line each.
static const char *say_starts(const mw_mech *mech, const mw_rom_file *f, const double *start,
                              mw_arena *mem)
{
  const char *t = "";
  for (int i = 0; t && i < f->rom.s; i++)
    for (int c = 0; c < mech->n_coord; c++)
      if (strcmp(mw_mech_coord_name(mech, c), f->coordinate[i]) == 0 && mech->s0[c] != start[i])
        t = mw_arena_printf(mem,
                            "%s\n%s begins at %.6g, the end of its range; in the reference "
                            "configuration it is at %.6g",
                            t, f->coordinate[i], start[i], mech->s0[c]);
  return t;
}

mw_code mw_export_flexible(const mw_rom_file *rom, const mw_mech *mech, const char *out,
                           mw_arena *mem, mw_export_list *list, mw_error *err)
{
  static const mw_component_template object = { "modeway-flexible.so", "MODEWAY_FLEXIBLE",
                                                "reduction/component" };
  mw_flexible_text text;
  const char *described = NULL, *left_out = NULL;
  char *block = NULL;
  size_t n = 0;
  mw_code rc = mw_export_flexible_text(rom, mech, mem, &text, &left_out, err);
  if (rc == MW_OK) rc = mw_flexible_text_write(&text, mem, &described, err);
  if (rc == MW_OK) rc = mw_export_block(rom, &block, &n, err);
  mw_model_text tables = { 0 };
  if (rc == MW_OK) rc = tables_of(&text.kept, mem, &tables, err);
  if (rc == MW_OK) {
    mw_model_text file[MW_FLEXIBLE_FILES] = { [MW_FLEXIBLE_TABLES] = tables,
                                              [MW_FLEXIBLE_BLOCK] = { "block", block, n },
                                              [MW_FLEXIBLE_DESCRIPTION] = {
                                                  "description", described, strlen(described) } };
    mw_component_source s = { .file = file, .n_file = MW_FLEXIBLE_FILES };
    mw_component_hash(&s);
    rc = mw_component_pack(&object, &s, out, err);
  }
  free(block);
  if (rc != MW_OK) return rc;
  list->file[list->n++] = mw_arena_str(mem, out);
  const char *missed = mw_parts_missed(text.promise, mem);
  list->note = mw_arena_printf(
      mem,
      "used by assemblies: { NAME: { component: FILE } }, in the "
      "paths rigid, full and body%s%s%s%s%s%s",
      missed ? "\nit misses its certificate, which runs with it say: " : "", missed ? missed : "",
      left_out ? "\nnot exported: " : "", left_out ? left_out : "", say_parameters(&text, mem),
      say_starts(mech, rom, text.start, mem));
  return mw_arena_check(mem, err);
}
