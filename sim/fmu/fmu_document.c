// SPDX-License-Identifier: BSD-3-Clause
// fmu_document.c: documentation/index.html of a functional mock-up unit.
#include <math.h>

#include "fmu_priv.h"
#include "verdict/certtext_layer.h"

static void cell(const char *s, FILE *out)
{
  fputs("<td>", out);
  mw_fmu_print_escaped(s, out);
  fputs("</td>", out);
}

static void cell_f64(double x, bool is_there, FILE *out)
{
  if (is_there && isfinite(x))
    fprintf(out, "<td>%.6g</td>", x);
  else
    fputs("<td></td>", out);
}

static void print_block(const mw_fmu *f, const char *title, int from, int to, FILE *out)
{
  if (from == to) return;
  fprintf(out,
          "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>start</th><th>min</th>"
          "<th>max</th><th></th></tr>\n",
          title);
  for (int k = from; k < to; k++) {
    const mw_fmu_var *v = &f->var[k];
    fputs("<tr>", out);
    cell(v->name, out);
    cell(v->unit, out);
    cell_f64(v->start, v->has_start, out);
    cell_f64(v->min, true, out);
    cell_f64(v->max, true, out);
    cell(v->description, out);
    fputs("</tr>\n", out);
  }
  fputs("</table>\n", out);
}

static void print_certificate(const mw_rom_file *r, FILE *out)
{
  const mw_certificate *c = &r->certificate;
  if (c->n == 0) return;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  char samples[320], covered[320], solvers[480];
  mw_certificate_samples_text(c, samples, sizeof samples);
  mw_certificate_covered_text(c, covered, sizeof covered);
  fprintf(out, "<p>Certificate %s: %s; %s. Largest errors and their tolerances:</p>\n<ul>\n",
          mw_certificate_met(c) ? "met" : "<strong>missed</strong>", samples, covered);
  for (int i = 0; i < n; i++)
    fprintf(out, "<li>%s %.2g%s (%.2g, %s)</li>\n", v[i].name, v[i].error, v[i].unit[0] ? " m" : "",
            v[i].tolerance, v[i].met ? "met" : "missed");
  fputs("</ul>\n", out);
  fputs("<p>Ranges that the model is made for:</p>\n<ul>\n", out);
  char range[MW_RANGE_SIZE];
  for (int k = 0; mw_range_text(r, k, range); k++) {
    fputs("<li>", out);
    mw_fmu_print_escaped(range, out);
    fputs("</li>\n", out);
  }
  fputs("</ul>\n", out);
  if (mw_certificate_solvers_text(c, solvers, sizeof solvers))
    fprintf(out, "<p>Eigensolvers: %s.</p>\n", solvers);
}

void mw_fmu_print_document(const mw_fmu *f, int version, FILE *out)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>", out);
  mw_fmu_print_escaped(f->rom->model_name, out);
  fputs("</title>\n<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}"
        "td,th{text-align:left;padding:0 1em 0 0}</style></head>\n<body>\n<h1>",
        out);
  mw_fmu_print_escaped(f->rom->model_name, out);
  fprintf(out,
          "</h1>\n<p>Reduced model of a flexible mechanism, FMI %d.0, model exchange and "
          "co-simulation, made by modeway " MW_VERSION ".</p>\n",
          version);
  print_certificate(f->rom, out);
  fputs("<p>Co-simulation: a communication step is divided evenly into steps not longer than the "
        "parameter <code>step</code>; inputs are constant over it. A state or a step that leaves "
        "the range of the model is refused with status <i>discard</i>, the state stays as it was, "
        "and the message names the variable. The start is the middle of the range, at rest under "
        "gravity; elastic coordinates do not follow another start of the rigid-body ones by "
        "themselves.</p>\n<p><img src=\"diagram.png\" alt=\"the model\"></p>\n",
        out);
  print_block(f, "Inputs", f->u, f->y, out);
  print_block(f, "Outputs", f->y, f->step, out);
  print_block(f, "States", f->x, f->dx, out);
  print_block(f, "Parameters", f->step, f->n_var, out);
  fputs("</body>\n</html>\n", out);
}
