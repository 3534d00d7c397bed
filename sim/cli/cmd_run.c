// SPDX-License-Identifier: BSD-3-Clause
// cmd_run.c: what commands say of runs and of reduced models that miss their certificates.
#include <string.h>

#include "cmd_layer.h"
#include "verdict/certtext_layer.h"

void mw_cmd_warnings(const mw_run *r, const char *path)
{
  for (int k = 0; k < r->n_warning; k++)
    fprintf(stderr, "modeway: warning: path %s: %s\n", path, r->warning[k]);
  for (int k = 0; k < r->n_note; k++)
    fprintf(stderr, "modeway: note: path %s: %s\n", path, r->note[k]);
}

// A number of each output that is a position, unless there are none
static void json_outputs(const mw_run *r, const char *name, const double *x, mw_json *j)
{
  if (!x) return;
  mw_json_object(j, name);
  for (int o = 0; o < r->n_out; o++) mw_json_num(j, r->model->output[r->out[o]].name, x[o]);
  mw_json_end(j, '}');
}

void mw_cmd_json_warnings(const mw_run *r, const mw_rom_file *rom, mw_json *j)
{
  char text[MW_NOTE_SIZE];
  json_outputs(r, "above", r->above, j);
  json_outputs(r, "coarse", r->coarse, j);
  mw_json_array(j, "warnings");
  for (int k = 0; k < r->n_warning; k++) mw_json_str(j, NULL, r->warning[k]);
  mw_json_end(j, ']');
  mw_json_array(j, "notes");
  for (int k = 0; k < r->n_note; k++) mw_json_str(j, NULL, r->note[k]);
  for (int k = 0; strcmp(r->path, "gmp") == 0 && mw_cmd_rom_note(rom, k, text); k++)
    mw_json_str(j, NULL, text);
  mw_json_end(j, ']');
}

mw_code mw_cmd_judge_run(const mw_run *r, const char *out, mw_error *err)
{
  if (!r->missed) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, (mw_at){ .file = out },
                 "nothing is promised of the run: %.160s misses its certificate", r->missed);
}

void mw_cmd_warn_missed(const mw_rom_file *f, const char *path)
{
  char text[384];
  if (mw_certificate_missed_text(&f->certificate, text, sizeof text))
    fprintf(stderr, "modeway: warning: %s misses its certificate: %s\n", path, text);
}
