// SPDX-License-Identifier: BSD-3-Clause
// response.c: what the commands on frequency responses have in common.
#include "response_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frf/frf_layer.h"
#include "reduction/certificate.h"
#include "rom_places_priv.h"

const char mw_response_not_judged[] =
    "the certificate judges no receptances: how far these hold is not known";
const char mw_response_no_laws[] =
    "dry friction and end stops are left out: at rest they would lock what they act on";

// Prints the values of parameters that the reduced model keeps, and what --set changed.
static void print_parameters(const mw_rom_file *f)
{
  for (int k = 0; k < f->n_parameter; k++)
    printf("parameter %s = %g, kept from %g to %g: another by --set parameters.%s=VALUE\n",
           f->parameter[k].name, f->parameter[k].value, f->parameter[k].lo, f->parameter[k].hi,
           f->parameter[k].name);
  if (f->parameter_note) printf("%s\n", f->parameter_note);
  if (f->law_note) printf("%s\n", f->law_note);
}

void mw_response_json_parameters(const mw_response *r, mw_json *j)
{
  if (r->f.n_parameter == 0) return;
  mw_json_object(j, "parameters");
  for (int k = 0; k < r->f.n_parameter; k++)
    mw_json_num(j, r->f.parameter[k].name, r->f.parameter[k].value);
  mw_json_end(j, '}');
}

int mw_response_run(const mw_args *a, const mw_response_stages *stages, void *job)
{
  mw_error err = { 0 };
  mw_response *r = job;
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  r->a = a;
  mw_code rc = mw_args_rom(a, &r->f, &err);
  if (rc == MW_OK) r->bandwidth = mw_certificate_bandwidth(&r->f.certificate);
  if (rc == MW_OK) rc = stages->read(job, &err);
  if (rc == MW_OK) rc = stages->compute(job, &err);
  if (rc == MW_OK && out) rc = stages->write(job, out, &err);
  if (rc == MW_OK && picture) rc = stages->picture(job, picture, &err);
  if (rc == MW_OK) (a->json ? stages->json : stages->text)(job);
  if (rc == MW_OK && !a->json) print_parameters(&r->f);
  stages->close(job);
  mw_rom_file_free(&r->f);
  mw_arena_free(&r->mem);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

// The coordinate whose force or motion the end is alone; -1: another end.
static int end_coordinate(const mw_rom_file *f, const mw_frf_end *end)
{
  const char *name = f->field[end->field[0]];
  if (end->n != 1 || strncmp(name, "s:", 2) != 0) return -1;
  for (int i = 0; i < f->rom.s; i++)
    if (strcmp(f->coordinate[i], name + 2) == 0) return i;
  return -1;
}

// Says which ends are coordinates that are held: their responses are zero.
static void note_held(const mw_rom_file *f, const char *what, const mw_frf_end *end, int n,
                      unsigned held)
{
  for (int k = 0; k < n; k++) {
    int i = end_coordinate(f, end + k);
    if (i >= 0 && held >> i & 1u)
      fprintf(stderr,
              "modeway: note: --%s %s: coordinate %s is held, responses %s it are zero; --free %s "
              "has it free\n",
              what, end[k].name, f->coordinate[i], strcmp(what, "to") == 0 ? "of" : "to forces on",
              f->coordinate[i]);
  }
}

mw_code mw_response_ends(mw_response *r, const char *to, const char *from, mw_frf_in *in,
                         mw_error *err)
{
  mw_frf_end *moves = NULL, *pushed = NULL;
  mw_code rc = mw_rom_held_read(&r->f, mw_args_value(r->a, "free"), &in->held, err);
  if (rc == MW_OK) rc = mw_frf_ends(&r->f, "to", to, &r->mem, &in->n_to, &moves, err);
  if (rc == MW_OK)
    rc = mw_frf_ends(&r->f, "from", from ? from : to, &r->mem, &in->n_from, &pushed, err);
  if (rc != MW_OK) return rc;
  in->to = moves;
  in->from = pushed;
  note_held(&r->f, "to", moves, in->n_to, in->held);
  if (from) note_held(&r->f, "from", pushed, in->n_from, in->held);
  return MW_OK;
}

double mw_response_highest(const mw_response *r, double beyond)
{
  const mw_rom_file *f = &r->f;
  double hz = r->bandwidth;
  for (int k = 0; r->bandwidth <= 0.0 && f->frequency && k < f->n_point * f->n_freq; k++)
    hz = fmax(hz, f->frequency[k]);
  return beyond * hz;
}

mw_code mw_response_band(mw_response *r, double lo, double hi, int n, mw_frf_in *in, mw_error *err)
{
  double *hz = mw_arena_f64(&r->mem, (size_t)n);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int k = 0; rc == MW_OK && k < n; k++) hz[k] = lo + (hi - lo) * k / (n - 1);
  in->hz = hz;
  in->n_hz = n;
  return rc;
}
