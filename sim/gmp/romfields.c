// SPDX-License-Identifier: BSD-3-Clause
// romfields.c: what a run of the reduced model begins with: fields of outputs and coordinates,
// which coordinates are prescribed, memory.
#include <stdio.h>
#include <string.h>

#include "fem/output.h"
#include "romrun_priv.h"

static int field_index(const mw_rom_file *f, const char *name)
{
  for (int k = 0; k < f->rom.n_y; k++)
    if (strcmp(f->field[k], name) == 0) return k;
  return -1;
}

mw_code mw_rom_sim_fields(mw_rom_sim *q, mw_error *err)
{
  char name[256];
  const mw_model *m = q->model;
  int rows = mw_output_row(m, m->n_output), nc = q->mech->n_coord;
  int *out = mw_arena_int(&q->mem, (size_t)rows), *coord = mw_arena_int(&q->mem, (size_t)nc);
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc != MW_OK) return rc;
  for (int o = 0, k = 0; o < m->n_output; o++)
    for (int i = 0; i < mw_output_width(&m->output[o]); i++, k++) {
      snprintf(name, sizeof name, "%s.%s", m->output[o].name, mw_output_axis(&m->output[o], i));
      out[k] = field_index(q->file, name);
      if (out[k] < 0)
        return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "the reduced model has no field %s", name);
    }
  for (int c = 0; c < nc; c++) {
    snprintf(name, sizeof name, "s:%s", mw_mech_coord_name(q->mech, c));
    coord[c] = field_index(q->file, name);
  }
  q->y_out = out;
  q->y_coord = coord;
  if (q->rom->n_u != q->model->n_drive)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "the reduced model has %d inputs, the model %d drives", q->rom->n_u,
                   q->model->n_drive);
  return MW_OK;
}

int mw_rom_sim_theta(const mw_rom_sim *q, int coord)
{
  for (int i = 0; i < q->rom->s; i++)
    if (strcmp(q->file->coordinate[i], mw_mech_coord_name(q->mech, coord)) == 0) return i;
  return -1;
}

mw_code mw_rom_sim_prescribed(mw_rom_sim *q, mw_error *err)
{
  for (int i = 0; i < q->rom->s; i++) q->theta_drive[i] = -1;
  for (int k = 0; k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    if (a->kind != MW_ACTION_POSITION) continue;
    int joint = q->model->drive[a->drive].joint;
    int i = joint >= 0 && q->mech->joint[joint].coord >= 0
                ? mw_rom_sim_theta(q, q->mech->joint[joint].coord)
                : -1;
    if (i < 0)
      return mw_fail(
          err, MW_ERR_INPUT, a->at,
          "drive %s prescribes a position, but its coordinate is not one of the reduction; "
          "the reduced model can only control it",
          q->model->drive[a->drive].name);
    q->theta_drive[i] = a->drive;
    q->opt.prescribed |= 1u << i;
  }
  return MW_OK;
}

mw_code mw_rom_sim_memory(mw_rom_sim *q, mw_error *err)
{
  size_t n = (size_t)(q->rom->s + q->rom->m), nu = (size_t)q->rom->n_u, ny = (size_t)q->rom->n_y;
  q->x = mw_arena_f64(&q->mem, 2 * n);
  q->kept = mw_arena_f64(&q->mem, 2 * n);
  for (int i = 0; i < 2; i++) {
    mw_rom_end *e = i ? &q->b : &q->a;
    e->u = mw_arena_f64(&q->mem, nu);
    e->held = mw_arena_f64(&q->mem, nu);
    e->rate = mw_arena_f64(&q->mem, nu);
  }
  q->acc = mw_arena_f64(&q->mem, n);
  q->Y = mw_arena_f64(&q->mem, 3 * ny);
  q->x_rest = mw_arena_f64(&q->mem, 2 * n);
  q->u = mw_arena_f64(&q->mem, nu);
  q->y = mw_arena_f64(&q->mem, ny);
  q->y_dot = mw_arena_f64(&q->mem, ny);
  q->work = mw_arena_alloc(&q->mem, mw_rom_work_bytes(q->rom), 1);
  q->work_sens = mw_arena_alloc(&q->mem, mw_rom_sens_bytes(q->rom), 1);
  return mw_arena_check(&q->mem, err);
}
