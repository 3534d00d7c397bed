// SPDX-License-Identifier: BSD-3-Clause
// runfile.c: a simulation as run.nc: time, output positions, joint coordinates, drive forces,
// energies, residuals, stresses and strains at points; of the rigid path joint reactions as well.
//
// Names are string coordinate variables, so that ds.position.sel(output="tool", component="z")
// works in xarray and ncread(f, 'position') in MATLAB. Wall time is not stored: same inputs, same
// bytes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/output.h"
#include "reduction/ncfile.h"
#include "sim/run.h"

static void write_coordinates(mw_ncw *w, const mw_run *r, int time, mw_arena *mem)
{
  int coordinate = mw_ncw_dim(w, "coordinate", r->n_coord), tc[2] = { time, coordinate };
  const char **name = mw_arena_alloc(mem, (size_t)r->n_coord, sizeof *name);
  const char **unit = mw_arena_alloc(mem, (size_t)r->n_coord, sizeof *unit);
  if (!name || !unit) return;
  for (int c = 0; c < r->n_coord; c++) {
    name[c] = mw_run_coord_name(r->model, c);
    unit[c] = mw_run_coord_unit(r->model, c);
  }
  mw_ncw_str(w, "coordinate", coordinate, "joint coordinates", name);
  mw_ncw_str(w, "coordinate_unit", coordinate, "units of the joint coordinates", unit);
  mw_ncw_f64(w, "s", 2, tc, NULL, "joint coordinates, NaN where the path does not give them", r->s);
  mw_ncw_f64(w, "s_dot", 2, tc, NULL, "rates of the joint coordinates", r->s_dot);
}

static void write_outputs(mw_ncw *w, const mw_run *r, int time, mw_arena *mem)
{
  static const char *const axes[3] = { "x", "y", "z" };
  int output = mw_ncw_dim(w, "output", r->n_out), drive = mw_ncw_dim(w, "drive", r->n_drive);
  int component = mw_ncw_dim(w, "component", 3);
  int toc[3] = { time, output, component }, td[2] = { time, drive };
  const char **out = mw_arena_alloc(mem, (size_t)r->n_out, sizeof *out);
  const char **drv = mw_arena_alloc(mem, (size_t)r->n_drive, sizeof *drv);
  if (!out || !drv) return;
  for (int k = 0; k < r->n_out; k++) out[k] = r->model->output[r->out[k]].name;
  for (int k = 0; k < r->n_drive; k++) drv[k] = r->model->drive[k].name;
  mw_ncw_str(w, "output", output, "outputs", out);
  mw_ncw_str(w, "component", component, "ground axes", axes);
  mw_ncw_str(w, "drive", drive, "drives", drv);
  mw_ncw_f64(w, "position", 3, toc, "m", "positions of the outputs in ground axes", r->y);
  mw_ncw_f64(w, "force", 2, td, NULL,
             "drive forces (N) and moments (N m); where controllers sample, those held until then",
             r->force);
}

// The outputs of one kind, which have a unit of their own, and von Mises' measure of them.
static void write_gauges(mw_ncw *w, const mw_run *r, int time, mw_output_kind kind, mw_arena *mem)
{
  bool stress = kind == MW_OUTPUT_STRESS;
  size_t n = 0, nt = (size_t)r->n_t;
  const char **name = mw_arena_alloc(mem, (size_t)r->n_gauge, sizeof *name);
  double *s = mw_arena_f64(mem, 6 * nt * (size_t)r->n_gauge),
         *e = mw_arena_f64(mem, nt * (size_t)r->n_gauge);
  if (!name || !s || !e) return;
  for (int g = 0; g < r->n_gauge; g++)
    if (r->model->output[r->gauge[g]].kind == kind) name[n++] = r->model->output[r->gauge[g]].name;
  for (int t = 0, at = 0; t < r->n_t; t++)
    for (int g = 0; g < r->n_gauge; g++) {
      if (r->model->output[r->gauge[g]].kind != kind) continue;
      memcpy(s + 6 * at, r->stress + 6 * (t * r->n_gauge + g), 6 * sizeof *s);
      e[at++] = mw_run_equivalent(r, g, t);
    }
  int dim[3] = { time, mw_ncw_dim(w, stress ? "stress_output" : "strain_output", (int)n),
                 mw_ncw_dim_id(w, "tensor") };
  mw_ncw_str(w, stress ? "stress_output" : "strain_output", dim[1], "points on bodies", name);
  mw_ncw_f64(
      w, stress ? "stress" : "strain", 3, dim, stress ? "Pa" : "1",
      stress ? "stress at points, body axes" : "strain at points, body axes, engineering shear", s);
  mw_ncw_f64(w, stress ? "von_mises" : "equivalent_strain", 2, dim, stress ? "Pa" : "1",
             stress ? "von Mises stress" : "von Mises equivalent strain", e);
}

static void write_stress(mw_ncw *w, const mw_run *r, int time, mw_arena *mem)
{
  static const char *const pairs[6] = { "xx", "yy", "zz", "xy", "yz", "zx" };
  int tensor = mw_ncw_dim(w, "tensor", 6);
  mw_ncw_str(w, "tensor", tensor, "components of a stress or strain", pairs);
  write_gauges(w, r, time, MW_OUTPUT_STRESS, mem);
  write_gauges(w, r, time, MW_OUTPUT_STRAIN, mem);
}

// Observed outputs of one kind.
static void write_kind(mw_ncw *w, const mw_run *r, int time, mw_output_kind kind, mw_arena *mem)
{
  const mw_model *m = r->model;
  const mw_output_class *c = mw_output_classes[kind];
  const char *variable = c->variable ? c->variable : mw_output_key(kind);
  size_t width = (size_t)c->width;
  const char **name = mw_arena_alloc(mem, (size_t)m->n_observed, sizeof *name);
  double *y = mw_arena_f64(mem, (size_t)r->n_t * (size_t)m->n_observed * width), *to = y;
  int n = 0;
  if (!name || !y) return;
  for (int o = 0; o < m->n_observed; o++)
    if (m->observed[o].kind == kind) name[n++] = m->observed[o].name;
  if (n == 0 || c->needs & r->unseen) return;
  for (int t = 0; t < r->n_t; t++)
    for (int o = 0; o < m->n_observed; o++)
      if (m->observed[o].kind == kind)
        to = (double *)memcpy(to, mw_run_seen(r, o, t), width * sizeof *to) + width;
  const char *output = mw_arena_printf(mem, "%s_output", variable),
             *component = mw_arena_printf(mem, "%s_component", variable);
  if (!output || !component) return;
  int dim[3] = { time, mw_ncw_dim(w, output, n),
                 width > 1 ? mw_ncw_dim(w, component, c->width) : 0 };
  mw_ncw_str(w, output, dim[1], "outputs", name);
  if (width > 1) mw_ncw_str(w, component, dim[2], "components", c->axis);
  mw_ncw_f64(w, variable, width > 1 ? 3 : 2, dim,
             c->n_part > 1 || c->length ? NULL : c->part[0].unit, c->doc, y);
}

// What only the rigid path has: joint reactions, redundant rows, residuals of rates.
static void write_rigid(mw_ncw *w, const mw_run *r, int time, mw_arena *mem)
{
  static const char *const parts[6] = { "Fx", "Fy", "Fz", "Mx", "My", "Mz" };
  int joint = mw_ncw_dim(w, "joint", r->n_joint), wrench = mw_ncw_dim(w, "wrench", 6);
  int tjw[3] = { time, joint, wrench }, tj[2] = { time, joint };
  const char **name = mw_arena_alloc(mem, (size_t)r->n_joint, sizeof *name);
  if (!name) return;
  for (int j = 0; j < r->n_joint; j++) name[j] = r->model->joint[j].name;
  mw_ncw_str(w, "joint", joint, "joints", name);
  mw_ncw_str(w, "wrench", wrench, "force (N) and moment (N m), ground axes", parts);
  mw_ncw_f64(w, "reaction", 3, tjw, NULL,
             "force (N) and moment (N m) of each joint on its body b at its point, ground axes; of "
             "least norm where rows are redundant",
             r->reaction);
  mw_ncw_int(w, "redundant", 2, tj, "redundant rows of each joint", r->redundant);
  mw_ncw_f64(w, "residual_velocity", 1, &time, NULL,
             "largest residual of the velocity constraints, m/s or 1/s", r->residual_v);
  mw_ncw_f64(w, "residual_acceleration", 1, &time, NULL,
             "largest residual of the acceleration constraints, m/s2 or 1/s2", r->residual_a);
}

// How far elastic bodies turn against their frames, and the warnings as one text, a line each.
static void write_turns(mw_ncw *w, const mw_run *r, mw_arena *mem)
{
  int body = mw_ncw_dim(w, "body", r->n_body);
  const char **name = mw_arena_alloc(mem, (size_t)r->n_body, sizeof *name);
  const char *all = "";
  if (!name) return;
  for (int b = 0; b < r->n_body; b++) name[b] = r->model->body[b].name;
  mw_ncw_str(w, "body", body, "bodies", name);
  mw_ncw_f64(w, "turn", 1, &body, "rad",
             "largest rotation of a body's nodes and frames against the body's own frame", r->turn);
  mw_ncw_f64(w, "turn_time", 1, &body, "s", "when", r->turn_t);
  mw_ncw_f64(w, "spin", 1, &body, "rad/s", "largest turning rate of a body's frame", r->spin);
  for (int k = 0; all && k < r->n_warning; k++)
    all = mw_arena_printf(mem, "%s%s%s", all, k ? "\n" : "", r->warning[k]);
  if (all && r->n_warning > 0) mw_ncw_att_str(w, NULL, "warnings", all);
}

// Notes as one text, a line each.
static void write_notes(mw_ncw *w, const mw_run *r, mw_arena *mem)
{
  const char *all = "";
  for (int k = 0; all && k < r->n_note; k++)
    all = mw_arena_printf(mem, "%s%s%s", all, k ? "\n" : "", r->note[k]);
  if (all && r->n_note > 0) mw_ncw_att_str(w, NULL, "notes", all);
}

mw_code mw_run_write(const mw_run *r, const char *path, mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  char title[512];
  snprintf(title, sizeof title, "%s: scenario %s, path %s", r->model->name, r->scenario, r->path);
  mw_ncw_open(&w, "run", title, MW_VERSION, r->command);
  mw_ncw_att_str(&w, NULL, "model_name", r->model->name);
  mw_ncw_att_str(&w, NULL, "model_hash", r->model->hash);
  if (r->model->n_parameter > 0)
    mw_ncw_att_str(&w, NULL, "model_parameters", mw_model_parameter_text(r->model, &mem));
  mw_ncw_att_str(&w, NULL, "scenario", r->scenario);
  mw_ncw_att_str(&w, NULL, "path", r->path);
  if (r->method) mw_ncw_att_str(&w, NULL, "method", r->method);
  if (r->event) mw_ncw_att_str(&w, NULL, "event", r->event);
  mw_ncw_att_f64(&w, NULL, "step", r->step);
  mw_ncw_att_int(&w, "steps", r->steps);
  mw_ncw_att_int(&w, "iterations", r->iterations);
  mw_ncw_att_int(&w, "unknowns", r->unknowns);
  if (r->method) mw_ncw_att_int(&w, "active_set_changes", r->set_changes);
  if (!isnan(r->energy_drift)) mw_ncw_att_f64(&w, NULL, "energy_drift", r->energy_drift);

  int time = mw_ncw_dim(&w, "time", r->n_t);
  mw_ncw_f64(&w, "time", 1, &time, "s", "time", r->t);
  write_outputs(&w, r, time, &mem);
  if (r->n_gauge > 0 && r->stress) write_stress(&w, r, time, &mem);
  for (int k = 0; k < MW_OUTPUT_KINDS; k++)
    if (mw_output_classes[k]->of != MW_OF_NOTHING) write_kind(&w, r, time, (mw_output_kind)k, &mem);
  write_coordinates(&w, r, time, &mem);
  mw_ncw_f64(&w, "kinetic", 1, &time, "J", "kinetic energy", r->kinetic);
  mw_ncw_f64(&w, "potential", 1, &time, "J", "potential energy", r->potential);
  mw_ncw_f64(&w, "work", 1, &time, "J", "work of the drives minus dissipation since the start",
             r->work);
  mw_ncw_f64(&w, "residual", 1, &time, NULL, "largest residual of the position constraints, m or 1",
             r->residual);
  if (r->turn) write_turns(&w, r, &mem);
  write_notes(&w, r, &mem);
  if (r->reaction) write_rigid(&w, r, time, &mem);
  mw_code rc = mw_arena_check(&mem, err);
  mw_arena_free(&mem);
  if (rc == MW_OK) return mw_ncw_close(&w, path, err);
  mw_ncw_abort(&w);
  return rc;
}
