// SPDX-License-Identifier: BSD-3-Clause
// describe.c: what a reduced model carries beside its tables: sizes, names, units, dampers, the
// grid and its frequencies.
#include <math.h>
#include <string.h>

#include "fem/output.h"
#include "reduce_layer.h"

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

static mw_code names(const mw_reduction *r, const mw_patterns *p, mw_rom_file *f, mw_error *err)
{
  const mw_model *m = r->model;
  const mw_mech *mech = r->mech;
  mw_arena *mem = &f->mem;
  f->model_name = mw_arena_str(mem, m->name);
  f->model_file = mw_arena_str(mem, m->path);
  if (m->n_parameter > 0) f->parameters = mw_model_parameter_text(m, mem);
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
  for (int j = 0; j < p->n; j++)
    if (p->list[j].kept) f->column[p->list[j].column] = mw_arena_str(mem, p->list[j].name);
  for (int j = 0; j < p->n_span; j++)
    for (int i = 0; i < p->span[j].n; i++)
      f->column[p->span[j].first + i] =
          mw_arena_printf(mem, "patterns %s: %d of %d", p->span[j].of, i + 1, p->span[j].n);
  return mw_arena_check(mem, err);
}

// Candidates whose patterns are lost.
static mw_code lost(const mw_reduction *r, const mw_patterns *p, mw_rom_file *f, mw_error *err)
{
  const char *text = "";
  for (int j = 0; text && j < p->n; j++) {
    const mw_pattern *c = &p->list[j];
    double theta[MW_ROM_MAX_S];
    if (!c->lost) continue;
    mw_reduction_theta(r, c->left_at, theta);
    text = mw_arena_printf(&f->mem, "%s%s%s: %.2g of its static compliance at", text,
                           text[0] ? "; " : "", c->name, c->left);
    for (int i = 0; text && i < r->s; i++)
      text = mw_arena_printf(&f->mem, "%s%s %s = %g", text, i > 0 ? "," : "",
                             r->model->reduction.coordinate[i].name, theta[i]);
  }
  if (text && text[0]) f->lost = text;
  return mw_arena_check(&f->mem, err);
}

// Candidates without a column, alone or with others, whose compliance is held nevertheless: by the
// columns of others, or within the tolerance though they could not be followed. How much of it is
// left out.
static mw_code bare(const mw_patterns *p, bool given_up, const char **out, mw_arena *mem,
                    mw_error *err)
{
  const char *text = "";
  for (int j = 0; text && j < p->n; j++) {
    const mw_pattern *c = &p->list[j];
    bool asked = c->kind != MW_PATTERN_WEIGHT && c->kind != MW_PATTERN_DAMPER;
    if (!asked || !c->bare || c->lost || c->given_up != given_up) continue;
    text = mw_arena_printf(mem, "%s%s%s", text, text[0] ? ", " : "", c->name);
    if (text && c->left > 0.0)
      text = mw_arena_printf(mem, "%s (%.1e of its static compliance)", text, c->left);
    else if (text)
      text = mw_arena_printf(mem, "%s (it hardly bends anything)", text);
  }
  if (text && text[0]) *out = text;
  return mw_arena_check(mem, err);
}

// Declared largest rates and forces, where there are any.
static mw_code ranges(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  double *rate = mw_arena_f64(&f->mem, (size_t)r->s),
         *u = mw_arena_f64(&f->mem, (size_t)r->model->n_drive);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < r->s; i++) {
    double x = in->coordinate[i].max_rate;
    rate[i] = x > 0.0 ? x : INFINITY;
    if (x > 0.0) f->rom.rate_max = rate;
  }
  for (int d = 0; d < r->model->n_drive; d++) {
    u[d] = in->max_input[d] > 0.0 ? in->max_input[d] : INFINITY;
    if (in->max_input[d] > 0.0) f->rom.u_max = u;
  }
  return MW_OK;
}

static mw_code any_deflection(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  double *delta_max = mw_arena_f64(&f->mem, (size_t)r->m);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) return rc;
  for (int a = 0; a < r->m; a++) delta_max[a] = INFINITY;
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

// Before tables are refined (refine.c): the grid is that of the eigenanalyses.
mw_code mw_describe_grid(const mw_reduction *r, mw_rom_file *f, mw_error *err)
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

// More modes than were asked for, and why.
static mw_code followed(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  int m = r->m_modes, n = r->n_want;
  if (m == n) return MW_OK;
  if (r->align.span)
    f->followed = mw_arena_printf(&f->mem,
                                  "%d modes for the lowest %d: these change into others over the "
                                  "grid, and a span that holds them everywhere is followed",
                                  m, n);
  else
    f->followed = mw_arena_printf(&f->mem,
                                  "%d modes for the lowest %d: all that are among these somewhere, "
                                  "and what they change into (no cluster is cut)",
                                  m, n);
  return mw_arena_check(&f->mem, err);
}

// Parameters that the reduced model keeps, in the middle of their ranges.
static mw_code parameters(const mw_reduction *r, mw_rom_file *f, mw_error *err)
{
  const mw_reduction_in *in = &r->model->reduction;
  f->n_parameter = in->n_kept;
  f->parameter = mw_arena_alloc(&f->mem, (size_t)in->n_kept, sizeof *f->parameter);
  mw_code rc = mw_arena_check(&f->mem, err);
  for (int k = 0; rc == MW_OK && k < in->n_kept; k++) {
    const mw_kept_in *p = &in->kept[k];
    f->parameter[k] =
        (mw_rom_parameter){ .name = mw_arena_str(&f->mem, p->name),
                            .lo = p->lo,
                            .hi = p->hi,
                            .value = p->value,
                            .mass = p->mass,
                            .field = p->output < 0 ? -1 : mw_output_row(r->model, p->output) };
    memcpy(f->parameter[k].gravity, p->gravity, sizeof p->gravity);
  }
  return rc == MW_OK ? mw_arena_check(&f->mem, err) : rc;
}

mw_code mw_describe(const mw_reduction *r, const mw_patterns *p, mw_rom_file *f, mw_error *err)
{
  f->n_modes = r->m_modes;
  f->n_patterns = r->m - r->m_modes;
  f->rom.s = r->s;
  f->rom.m = r->m;
  f->rom.n_u = r->model->n_drive;
  f->rom.n_y = field_count(r);
  mw_code rc = any_deflection(r, f, err);
  if (rc == MW_OK) rc = followed(r, f, err);
  if (rc == MW_OK && r->fixed) f->fixed = mw_arena_str(&f->mem, r->fixed);
  if (rc == MW_OK) rc = ranges(r, f, err);
  if (rc == MW_OK) rc = lost(r, p, f, err);
  if (rc == MW_OK) rc = bare(p, false, &f->held, &f->mem, err);
  if (rc == MW_OK) rc = bare(p, true, &f->given_up, &f->mem, err);
  if (rc == MW_OK) rc = names(r, p, f, err);
  if (rc == MW_OK) rc = parameters(r, f, err);
  return rc == MW_OK ? mw_rom_file_laws(r->mech, f, err) : rc;
}
