// SPDX-License-Identifier: BSD-3-Clause
// cmd_reduce.c: modeway reduce: the reduced model of a mechanism with its certificate.
#include <stdlib.h>
#include <string.h>

#include "check/check_layer.h"
#include "compare/run_proof_layer.h"
#include "compare/run_scope_layer.h"
#include "draw/plot_layer.h"
#include "fem/mpi.h"
#include "page/livepage_layer.h"
#include "reducejob_priv.h"
#include "reduction/certificate.h"
#include "verdict/certtext_layer.h"
#include "view/rompicture_layer.h"

static void print_units(mw_json *j, const mw_work_stats *w)
{
  mw_json_object(j, "units");
  mw_json_num(j, "done", w->made);
  mw_json_num(j, "found", w->reused);
  mw_json_num(j, "missing", w->missing);
  mw_json_num(j, "seconds", w->unit_s);
  mw_json_num(j, "bytes", w->bytes);
  mw_json_end(j, '}');
}

static void print_json(const mw_rom_file *f, const mw_work_stats *w)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_num(&j, "grid_points", f->n_point);
  mw_json_num(&j, "modes", f->n_modes);
  mw_json_num(&j, "modes_wanted", f->n_freq);
  if (f->followed) mw_json_str(&j, "modes_followed", f->followed);
  if (f->fixed) mw_json_str(&j, "modes_fixed_at", f->fixed);
  mw_json_num(&j, "patterns", f->n_patterns);
  mw_json_num(&j, "unknowns", f->unknowns);
  mw_json_num(&j, "wall_s", f->wall_s);
  mw_json_num(&j, "largest_jump", f->largest_jump);
  mw_cmd_json_notes(f, &j);
  print_units(&j, w);
  mw_certificate_json(&j, f);
  mw_json_end(&j, '}');
}

// Columns that hold several static patterns together.
static void print_spans(const mw_rom_file *f)
{
  static const char one[] = ": 1 of ";
  for (int k = f->n_modes; k < f->rom.m; k++) {
    const char *of = strstr(f->column[k], one);
    if (of)
      printf("  followed together in %s columns: %.*s\n", of + strlen(one),
             (int)(of - f->column[k]), f->column[k]);
  }
}

static void print_text(const mw_rom_file *f, const char *path, const mw_work_stats *w)
{
  printf("%s: %d modes and %d patterns on %d grid points, from %d unknowns, in %.2f s\n", path,
         f->n_modes, f->n_patterns, f->n_point, f->unknowns, f->wall_s);
  for (int i = 0; i < f->rom.s; i++)
    printf("  %s: %g to %g %s, %d points, tables of %d\n", f->coordinate[i], f->rom.lo[i],
           f->rom.hi[i], f->unit[i], f->n_grid[i], f->rom.n_grid[i]);
  char text[MW_NOTE_SIZE];
  for (int k = 0; mw_cmd_rom_note(f, k, text); k++) printf("  %s\n", text);
  print_spans(f);
  mw_certificate_print(f);
  printf("units: %d done, %d found finished\n", w->made, w->reused);
}

// A shard that is done, while others are not, or with nothing left for any.
static void print_shard(const mw_args *a, const mw_reduce_job *job, bool complete)
{
  const mw_work_stats *w = &job->stats;
  if (a->json) {
    mw_json j = { .f = stdout };
    mw_json_object(&j, NULL);
    mw_json_num(&j, "shard", job->shard);
    mw_json_num(&j, "shards", job->n_shard);
    mw_json_bool(&j, "complete", complete);
    print_units(&j, w);
    mw_json_end(&j, '}');
    return;
  }
  printf("shard %d/%d: its units are finished\nunits: %d done, %d found finished, %d missing\n",
         job->shard, job->n_shard, w->made, w->reused, w->missing);
  if (!complete) return;
  printf("the units of all shards are finished; put them together by\n  modeway merge %s -o %s",
         a->operand, mw_args_value(a, "output"));
  const char *const same[] = { "grid", "cache" };
  for (int k = 0; k < 2; k++)
    if (mw_args_value(a, same[k])) printf(" --%s %s", same[k], mw_args_value(a, same[k]));
  if (mw_args_value(a, "no-cache")) printf(" --no-cache");
  for (int k = 0; k < a->n_set; k++) printf(" --set '%s'", a->set[k]);
  printf("\n");
}

// Exit status; names the quantities that err by more than they may.
static int judge(const mw_rom_file *f, const char *out)
{
  char advice[512] = "", missed[384] = "";
  mw_error err = { 0 };
  if (!mw_certificate_missed_text(&f->certificate, missed, sizeof missed)) return EXIT_SUCCESS;
  mw_certificate_advice(f, advice, sizeof advice);
  (void)mw_fail(&err, MW_ERR_NUMERIC, (mw_at){ .file = out },
                "the certificate is missed off the grid: %s", missed);
  int status = mw_cmd_fail(&err);
  if (advice[0]) fprintf(stderr, "modeway: note: %s\n", advice);
  return status;
}

static void note_couples(const mw_mech *m)
{
  char text[256];
  for (int j = 0; j < m->n_joint; j++)
    if (mw_slide_couple_lost(m, j, text, sizeof text))
      fprintf(stderr, "modeway: note: joint %s: %s\n", m->joint[j].name, text);
}

// Motions on soft springs are columns, which turn nothing far.
static void note_floating(const mw_model *m)
{
  if (m->reduction.floating > 0.0)
    fprintf(stderr,
            "modeway: note: patterns.floating: motions below %g Hz are columns, of first order in "
            "their angles; a component made of it does not turn far with what carries it, but "
            "along coordinates of the reduction\n",
            m->reduction.floating);
}

// Meshes under runners that the tolerance is too narrow for: grids would chase their nodes.
static void note_ripples(mw_case *c)
{
  char text[256];
  mw_ripple *r = NULL;
  mw_error err = { 0 };
  if (mw_ripples(&c->mech, false, &c->mem, &r, &err) != MW_OK) {
    fprintf(stderr, "modeway: note: ripple under runners: not judged: %s\n", err.msg);
    return;
  }
  for (int j = 0; j < c->mech.n_joint; j++)
    if (r[j].need > 0.0 && mw_joint_warning(&c->mech, j, &r[j], text, sizeof text))
      fprintf(stderr, "modeway: note: joint %s: %s\n", c->mech.joint[j].name, text);
}

int mw_cmd_reduce_run(const mw_args *a, bool merge)
{
  mw_case c = { 0 };
  mw_error err = { 0 };
  mw_rom_file f = { 0 };
  mw_reduce_job job = { 0 };
  bool complete = false;
  mw_progress progress = mw_progress_default(a->quiet);
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture"),
             *page = mw_args_value(a, "page");
  if (mw_args_value(a, "worker") || mw_mpi_rank() > 0) return mw_reduce_job_serve(a);
  mw_code rc = picture ? mw_plot_name(picture, &err) : MW_OK;
  if (rc == MW_OK && page) rc = mw_rom_page_check(&err);
  if (rc == MW_OK)
    rc = mw_reduce_job_read(a, merge ? MW_REDUCE_MERGE : MW_REDUCE_WHOLE, &job, &err);
  if (rc == MW_OK) rc = mw_args_case_middle(a, a->operand, &c, &err);
  if (rc == MW_OK) mw_cmd_kept_note(a, &c.model);
  if (rc == MW_OK) note_couples(&c.mech);
  if (rc == MW_OK) note_floating(&c.model);
  if (rc == MW_OK && job.n_shard == 0 && !merge) note_ripples(&c);
  if (rc == MW_OK) rc = mw_reduce_job_start(&job, &c, &progress, &err);
  if (rc == MW_OK) rc = mw_reduce_job_rom(&job, &f, &complete, &err);
  // an array's units stay until merge has put them together
  bool whole = rc == MW_OK && job.n_shard == 0;
  if (whole) rc = mw_run_proofs_build(&c, &f, &progress, &err);
  if (whole && rc == MW_OK) rc = mw_run_scope_build(&c, &f, &err);
  if (whole && rc == MW_OK) rc = mw_rom_file_write(&f, out, &err);
  if (whole && rc == MW_OK && picture) rc = mw_rom_picture(&f, picture, &err);
  if (whole && rc == MW_OK && page) rc = mw_rom_page_write(&f, &c, NULL, MW_PAGE_AUTO, page, &err);
  mw_reduce_job_end(&job, whole && rc == MW_OK);
  int status = rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
  if (rc == MW_OK && !whole) print_shard(a, &job, complete);
  if (rc == MW_OK && whole) {
    if (a->json)
      print_json(&f, &job.stats);
    else
      print_text(&f, out, &job.stats);
    status = judge(&f, out);
  }
  if (complete) mw_rom_file_free(&f);
  mw_case_free(&c);
  return status;
}

static int run(const mw_args *a) { return mw_cmd_reduce_run(a, false); }

const mw_command mw_cmd_reduce = {
  .name = "reduce",
  .operand = "MODEL",
  .summary = "build the reduced model of a mechanism, with its certificate",
  .doc =
      "Modes and static patterns on a grid of the coordinates in the model's section\n"
      "reduction, aligned, and interpolated. The certificate compares frequencies, mode\n"
      "shapes, static compliance and stress, receptances and positions with the full\n"
      "mechanism off the grid, each with a tolerance of its own. Exit status 1 when one\n"
      "of them is missed; the file is written all the same.\n\n"
      "The work is a list of units, which -j N processes share, or the ranks of\n"
      "  mpirun -n N modeway reduce ...\n"
      "(rank 0 hands out), or the jobs of an array, each with --shard i/N of its own, which\n"
      "modeway merge puts together. The result is the same to the last bit. Finished units are\n"
      "kept in ROM.nc.parts until the reduced model is written: after a kill, a crash or a full\n"
      "disk the same command goes on from there.\n\n"
      "--json: {\"grid_points\", \"modes\", \"patterns\", \"unknowns\" of the full mechanism,\n"
      "  \"wall_s\", \"largest_jump\" of a mode between neighbours on the grid, \"notes\": what "
      "is left\n"
      "  out or was chosen, \"units\":\n"
      "  {\"done\", \"found\" finished, \"missing\", \"seconds\", \"bytes\"},\n" MW_CERTIFICATE_JSON
      "}; with --shard {\"shard\", \"shards\", \"complete\", \"units\"}\n",
  .option = { { 'o', "output", "ROM.nc", "the reduced model, netCDF",
                MW_OPT_REQUIRED | MW_OPT_WRITES },
              { 0, "grid", "N", "grid points of every coordinate (default: the model's)", 0 },
              { 0, "shapes", "SHAPES.nc", "its columns on the mesh, for simulate --vtk",
                MW_OPT_WRITES },
              { 0, "picture", "FILE",
                "frequencies over the coordinates and the certificate, FILE.svg, or FILE.html with "
                "tables, too",
                MW_OPT_WRITES },
              { 0, "page", "FILE.html",
                "the page that runs the reduced model, as modeway info --page writes it",
                MW_OPT_WRITES },
              { 'j', "jobs", "N", "workers, the first in this process (default: 1)", 0 },
              { 0, "shard", "i/N", "only the i-th of N parts of the work, for job arrays", 0 },
              { 0, "parts", "DIR", "folder of finished units (default: ROM.nc.parts)", 0 },
              { 0, "no-parts", NULL, "finished units are not kept: no resuming", 0 },
              { 0, "cache", "DIR", "folder of the bodies' bases (default: as for meshes)", 0 },
              { 0, "no-cache", NULL, "bases are neither kept nor looked for", 0 },
              MW_OPTION_SET,
              { 0, "worker", NULL, NULL, 0 } },
  .run = run,
};
