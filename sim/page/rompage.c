// SPDX-License-Identifier: BSD-3-Clause
// rompage.c: the pictures of a reduced model as one SVG, or as a page with its tables that needs no
// other file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/ncfile.h"
#include "verdict/certtext_layer.h"
#include "view/rompicture_layer.h"

void mw_rom_figures_free(mw_rom_figures *g)
{
  mw_arena_free(&g->mem);
  *g = (mw_rom_figures){ 0 };
}

mw_code mw_rom_figures_build(const mw_rom_file *f, mw_rom_figures *out, mw_error *err)
{
  mw_rom_figures g = { 0 };
  g.figure = mw_arena_alloc(&g.mem, (size_t)f->rom.s + 3, sizeof *g.figure);
  g.line = mw_arena_alloc(&g.mem, 3 * (size_t)f->rom.s, sizeof *g.line);
  mw_code rc = mw_arena_check(&g.mem, err);
  if (rc == MW_OK) rc = mw_rom_figures_lines(f, &g, err);
  if (rc == MW_OK) rc = mw_rom_figures_certificate(f, &g, err);
  if (rc == MW_OK) rc = mw_rom_figures_storage(f, &g, err);
  if (rc == MW_OK)
    *out = g;
  else
    mw_rom_figures_free(&g);
  return rc;
}

// ---- page ---------------------------------------------------------------------------------------

static void write_at(FILE *f, const mw_rom_file *r, const mw_verdict *v, const char *more)
{
  char at[192] = "";
  mw_verdict_where(r, v, at, sizeof at);
  fputs("<td>", f);
  mw_plot_text(f, at);
  mw_plot_text(f, more);
  fputs("</td></tr>\n", f);
}

static void write_verdict(FILE *f, const mw_rom_file *r, const mw_verdict *v)
{
  char more[192] = "";
  const mw_certificate *c = &r->certificate;
  if (strcmp(v->key, "receptances") == 0 && c->io && c->worst_io >= 0 && c->worst_io < c->n_io)
    snprintf(more, sizeof more, "; %.80s at %.4g Hz", c->io[c->worst_io], c->worst_hz);
  fprintf(f, "<tr><th>%s%s</th><td>%.3g</td>", v->name, v->unit[0] ? ", m" : "", v->error);
  mw_page_cell(f, v->tolerance);
  fprintf(f, "<td>%s</td>", v->met ? "met" : "<strong>missed</strong>");
  write_at(f, r, v, more);
}

void mw_rom_page_certificate(FILE *f, const mw_rom_file *r)
{
  const mw_certificate *c = &r->certificate;
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  char samples[320], covered[320], gap[320], solvers[480];
  if (c->n == 0) return;
  mw_certificate_samples_text(c, samples, sizeof samples);
  mw_certificate_covered_text(c, covered, sizeof covered);
  fprintf(f,
          "<h2>Certificate</h2>\n<p><strong>%s</strong>: %s; %s%s.</p>\n<table>\n"
          "<tr><th>what</th><th>largest error</th>"
          "<th>tolerance</th><th></th><th>worst at</th></tr>\n",
          mw_certificate_met(c) ? "Met" : "Missed", samples, covered,
          c->n_motion > 0 ? ", rigid positions at random ones" : "");
  for (int i = 0; i < n; i++) write_verdict(f, r, &v[i]);
  fputs("</table>\n", f);
  if (mw_certificate_solvers_text(c, solvers, sizeof solvers))
    fprintf(f, "<p>Eigensolvers: %s.</p>\n", solvers);
  for (int i = 0; i < n; i++)
    if (mw_certificate_gap_text(&v[i], gap, sizeof gap)) fprintf(f, "<p>%s.</p>\n", gap);
  if (c->receptance_bound > 0.0)
    fprintf(f, "<p>The direct receptances themselves err by %.2g at most.</p>\n",
            c->receptance_bound);
  if (c->energy_left)
    fprintf(f,
            "<p>Of the strain energy of combined loads the columns leave out %.2g at most.</p>\n",
            c->max_energy_left);
}

static void write_approaches(FILE *f, const mw_rom_file *r, const mw_rom_figures *g)
{
  if (g->n_line == 0) return;
  fputs("<h2>Neighbouring frequencies</h2>\n<p>Where frequencies of the interpolated model come "
        "closest along the lines "
        "drawn. A crossing's gap is below what the alignment tells from none.</p>\n"
        "<table>\n<tr><th>line</th><th>closest approach</th></tr>\n",
        f);
  for (int k = 0; k < g->n_line; k++) {
    char at[192], text[192];
    const mw_rom_line *l = &g->line[k];
    mw_rom_line_text(r, l, at, sizeof at);
    for (int a = 0; a < l->n_approach; a++) {
      mw_approach_text(r, l, &l->approach[a], text, sizeof text);
      fputs("<tr><th>along ", f);
      mw_plot_text(f, r->coordinate[l->axis]);
      fputs(at[0] ? ", " : "", f);
      mw_plot_text(f, at);
      fputs("</th><td>", f);
      mw_plot_text(f, text);
      fputs("</td></tr>\n", f);
    }
  }
  fputs("</table>\n", f);
}

static void write_html(FILE *f, const mw_rom_file *r, const mw_rom_figures *g)
{
  char storage[512];
  mw_rom_storage_text(r, storage, sizeof storage);
  mw_page_begin(f, r->model_name);
  fprintf(f, "<p>Reduced model: %d modes, %d static patterns for %d unknowns of the mechanism; ",
          r->n_modes, r->n_patterns, r->unknowns);
  mw_plot_text(f, storage);
  fprintf(f, ".<br>Model <code>");
  mw_plot_text(f, r->model_file ? r->model_file : "");
  fprintf(f, "</code>, <code>%s</code>.<br>modeway ", r->model_hash);
  mw_plot_text(f, r->version ? r->version : "");
  fputs(": <code>", f);
  mw_plot_text(f, r->command ? r->command : "reduce");
  fputs("</code></p>\n", f);
  mw_rom_page_certificate(f, r);
  for (int k = 0; k < g->n; k++) mw_plot_figures(f, 1, &g->figure[k]);
  write_approaches(f, r, g);
  mw_page_end(f);
}

mw_code mw_rom_picture(const mw_rom_file *r, const char *path, mw_error *err)
{
  mw_rom_figures g = { 0 };
  char *text = NULL;
  size_t n = 0;
  bool page = mw_file_ends_in(path, ".html");
  mw_code rc = mw_plot_name(path, err);
  if (rc == MW_OK) rc = mw_rom_figures_build(r, &g, err);
  FILE *f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f && page) write_html(f, r, &g);
  if (f && !page) mw_plot_figures(f, g.n, g.figure);
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK)
    rc = page ? mw_file_replace(path, text, n, false, err)
              : mw_plot_save(path, "reduced model", text, n, err);
  free(text);
  mw_rom_figures_free(&g);
  return rc;
}
