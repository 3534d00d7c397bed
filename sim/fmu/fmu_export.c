// SPDX-License-Identifier: BSD-3-Clause
// fmu_export.c: modeway export --to fmu: units of one or both versions, with a picture of the
// machine where its model is at hand.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export/export_layer.h"
#include "fmu_priv.h"
#include "sim/case.h"
#include "view/picture_layer.h"

// The machine with its coordinates in the middle of their ranges.
static mw_code draw(const mw_case *c, const mw_rom_file *rom, mw_arena *mem, mw_fmu_job *job,
                    mw_error *err)
{
  const mw_mech *m = &c->mech;
  mw_picture_opt opt = mw_picture_opt_default();
  mw_picture pic;
  unsigned char *png = NULL;
  size_t n_p = 12 * (size_t)m->n_body, n_s = (size_t)m->n_coord;
  double *p = mw_arena_f64(mem, n_p), *s = mw_arena_f64(mem, n_s + 1),
         *mid = mw_arena_f64(mem, n_s + 1);
  unsigned char *locked = mw_arena_alloc(mem, n_s + 1, 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(p, m->p0, n_p * sizeof *p);
  memcpy(s, m->s0, n_s * sizeof *s);
  for (int i = 0; i < rom->rom.s; i++) {
    int k = mw_mech_coord(m, rom->coordinate[i]);
    if (k < 0) continue;
    locked[k] = 1;
    mid[k] = 0.5 * (rom->rom.lo[i] + rom->rom.hi[i]);
  }
  opt.width = MW_FMU_ICON_WIDTH;
  opt.height = MW_FMU_ICON_HEIGHT;
  rc = mw_mech_rigid_solve(m, locked, mid, p, s, err);
  if (rc == MW_OK) rc = mw_picture_draw(m, p, s, &opt, mem, &pic, err);
  if (rc == MW_OK) rc = mw_raster_png(&pic.r, MW_PICTURE_SAMPLES, mem, &png, &job->n_png, err);
  if (rc == MW_OK) job->png = png;
  return rc;
}

// Units of joint coordinates that are not the reduction's: the reduced model does not tell them.
static void find_units(const mw_case *c, const mw_rom_file *rom, mw_arena *mem, mw_fmu_job *job)
{
  const char **unit = mw_arena_alloc(mem, (size_t)rom->rom.n_y + 1, sizeof *unit);
  for (int k = 0; unit && k < rom->rom.n_y; k++)
    for (int i = 0; strncmp(rom->field[k], "s:", 2) == 0 && i < c->mech.n_coord; i++)
      if (strcmp(rom->field[k] + 2, mw_mech_coord_name(&c->mech, i)) == 0)
        unit[k] = mw_arena_str(mem, mw_run_coord_unit(&c->model, i));
  job->field_unit = unit;
}

// A machine that cannot be drawn (no body has an extent) is exported without, and *bare says why.
static mw_code draw_model(const char *model, mw_arena *mem, mw_fmu_job *job, const char **bare,
                          mw_error *err)
{
  mw_case c = { 0 };
  mw_error why = { 0 };
  mw_code rc = mw_case_read(model, &c, err);
  if (rc == MW_OK) rc = mw_rom_file_match(job->rom, &c.model, model, err);
  if (rc == MW_OK) {
    find_units(&c, job->rom, mem, job);
    if (draw(&c, job->rom, mem, job, &why) != MW_OK)
      *bare = mw_arena_printf(mem, "%s: %s; the picture inside shows frequencies", model, why.msg);
    rc = mw_arena_check(mem, err);
  }
  mw_case_free(&c);
  return rc;
}

static mw_code write_one(mw_fmu_job *job, int version, const char *path, mw_arena *mem,
                         mw_export_list *list, mw_error *err)
{
  static const char BARE[] = "there is no binary inside, sources alone: no C compiler was found";
  bool compiled = false;
  job->version = version;
  mw_code rc = mw_fmu_write(job, path, &compiled, err);
  if (rc != MW_OK) return rc;
  list->file[list->n++] = path;
  if (compiled || (list->note && strstr(list->note, BARE))) return MW_OK;
  list->note = list->note ? mw_arena_printf(mem, "%s; %s", list->note, BARE) : BARE;
  return mw_arena_check(mem, err);
}

// A model that was asked for must be there, the one that the reduced model names need not.
static mw_code picture(const mw_rom_file *rom, const mw_export_opt *opt, mw_arena *mem,
                       mw_fmu_job *job, mw_export_list *list, mw_error *err)
{
  if (opt->model)
    return strcmp(opt->model, "none") != 0 ? draw_model(opt->model, mem, job, &list->note, err)
                                           : MW_OK;
  if (rom->model_file && *rom->model_file &&
      draw_model(rom->model_file, mem, job, &list->note, NULL) != MW_OK)
    list->note = mw_arena_printf(mem,
                                 "%s cannot be read as it was reduced: the picture inside shows "
                                 "frequencies, with --model MODEL the machine",
                                 rom->model_file);
  return mw_arena_check(mem, err);
}

mw_code mw_export_fmu(const mw_rom_file *rom, const mw_export_opt *opt, const char *out,
                      mw_arena *mem, mw_export_list *list, mw_error *err)
{
  mw_fmu_job job = {
    .rom = rom, .name = list->name, .seen = opt->seen, .kept = opt->kept, .progress = opt->progress
  };
  size_t n = strlen(out), stem = n > 4 && strcmp(out + n - 4, ".fmu") == 0 ? n - 4 : n;
  *list = (mw_export_list){ 0 };
  if (stem == n)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "-o: found \"%.200s\", expected a file NAME.fmu",
                   out);
  mw_code rc = mw_export_name(rom, opt, list->name, err);
  // what the sources inside name themselves begins so
  if (rc == MW_OK &&
      (strncasecmp(list->name, "fmu", 3) == 0 || strncasecmp(list->name, "fmi", 3) == 0))
    rc = mw_fail(
        err, MW_ERR_INPUT, MW_NOWHERE,
        "the name \"%s\" begins as names within the unit do, expected --name NAME without fmu or "
        "fmi "
        "in front",
        list->name);
  if (rc == MW_OK) rc = picture(rom, opt, mem, &job, list, err);
  if (rc != MW_OK || opt->fmi != 0)
    return rc == MW_OK ? write_one(&job, opt->fmi, out, mem, list, err) : rc;
  mw_fmu_object object = { 0 };
  job.object = &object;
  for (int version = 2; rc == MW_OK && version <= 3; version++) {
    const char *path = mw_arena_printf(mem, "%.*s-fmi%d.fmu", (int)stem, out, version);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) rc = write_one(&job, version, path, mem, list, err);
  }
  free(object.data);
  return rc;
}
