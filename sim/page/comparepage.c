// SPDX-License-Identifier: BSD-3-Clause
// comparepage.c: recorded runs of one scenario by several paths as a page: values and differences
// of each quantity over time, and all of them at an instant; one file, no network.
//
// The page carries {"scenario", "full" (index of the reference, -1: none), "time", "paths":
// [{"label", "unknowns", "steps", "step"}], "quantities": [{"name", "unit", "what", "value" [path ×
// component × time], "difference" [path × time]}], "motion" (comparemotion_priv.h), "undrawn": what
// is not drawn, and why}. Values of positions are those beside the
// undeformed mechanism, as in compare.svg.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "compare/compare_layer.h"
#include "comparemotion_priv.h"
#include "draw/plot_layer.h"
#include "livepage_layer.h"
#include "reduction/ncfile.h"

// Seven digits: no picture shows more, and files stay small.
static void put_number(mw_json *j, double x)
{
  char text[32];
  snprintf(text, sizeof text, "%.7g", x);
  mw_json_num(j, NULL, isfinite(x) ? strtod(text, NULL) : (double)NAN);
}

static int components_of(const mw_comparison *q, const mw_quantity *a)
{
  int n = 0;
  (void)mw_quantity_at(&q->run[q->full >= 0 ? q->full : 0], a, 0, &n);
  return a->gauge >= 0 ? 1 : n;
}

static double value_of(const mw_comparison *q, int i, const mw_quantity *a, int component, int t)
{
  int n = 0;
  const mw_run *r = &q->run[i];
  if (a->gauge >= 0) return mw_run_equivalent(r, a->gauge, t);
  const double *y = mw_quantity_at(r, a, t, &n);
  if (!y) return NAN;
  if (a->output < 0) return y[component];
  return y[component] - q->base[3 * (t * r->n_out + a->output) + component];
}

static void put_quantity(const mw_comparison *q, int k, mw_json *j)
{
  const mw_quantity *a = &q->quantity[k];
  mw_json_object(j, NULL);
  mw_json_str(j, "name", a->name);
  mw_json_str(j, "unit", a->unit);
  mw_json_str(j, "what",
              a->output >= 0  ? "deflection"
              : a->gauge >= 0 ? "von Mises measure"
                              : "value");
  mw_json_array(j, "value");
  for (int i = 0; i < q->n_path; i++) {
    mw_json_array(j, NULL);
    for (int c = 0; c < components_of(q, a); c++) {
      mw_json_array(j, NULL);
      for (int t = 0; t < q->n_t; t++) put_number(j, value_of(q, i, a, c, t));
      mw_json_end(j, ']');
    }
    mw_json_end(j, ']');
  }
  mw_json_end(j, ']');
  mw_json_array(j, "difference");
  for (int i = 0; i < q->n_path; i++) {
    mw_json_array(j, NULL);
    for (int t = 0; t < q->n_t; t++)
      put_number(
          j, q->diff[((size_t)i * (size_t)q->n_quantity + (size_t)k) * (size_t)q->n_t + (size_t)t]);
    mw_json_end(j, ']');
  }
  mw_json_end(j, ']');
  mw_json_end(j, '}');
}

static void put_runs(const mw_comparison *q, const mw_page_motion *motion, FILE *f)
{
  mw_json j = { .f = f };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "scenario", q->sc->name);
  mw_json_num(&j, "full", q->full);
  mw_json_array(&j, "time");
  for (int t = 0; t < q->n_t; t++) put_number(&j, q->run[q->full >= 0 ? q->full : 0].t[t]);
  mw_json_end(&j, ']');
  mw_json_array(&j, "paths");
  for (int i = 0; i < q->n_path; i++) {
    mw_json_object(&j, NULL);
    mw_json_str(&j, "label", q->label[i]);
    mw_json_num(&j, "unknowns", q->run[i].unknowns);
    mw_json_num(&j, "steps", q->run[i].steps);
    mw_json_num(&j, "step", q->run[i].step);
    mw_json_end(&j, '}');
  }
  mw_json_end(&j, ']');
  if (motion->why) mw_json_str(&j, "undrawn", motion->why);
  if (motion->drawn.n_point > 0) {
    mw_json_object(&j, "motion");
    mw_json_num(&j, "end", motion->end);
    mw_json_num(&j, "reference", motion->reference);
    mw_json_array(&j, "column");
    for (int i = 0; i < q->n_path; i++) mw_json_num(&j, NULL, motion->column[i]);
    mw_json_end(&j, ']');
    mw_json_array(&j, "size");
    for (int i = 0; i < motion->n_column; i++) mw_json_num(&j, NULL, motion->size[i]);
    mw_json_end(&j, ']');
    mw_json_array(&j, "largest");
    for (int i = 0; i < q->n_path; i++) put_number(&j, motion->largest[i]);
    mw_json_end(&j, ']');
    mw_json_array(&j, "off");
    for (int i = 0; i < q->n_path; i++) put_number(&j, motion->off[i]);
    mw_json_end(&j, ']');
    mw_json_end(&j, '}');
  }
  mw_json_array(&j, "quantities");
  for (int k = 0; k < q->n_quantity; k++) put_quantity(q, k, &j);
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

// The machine and how it moves in each run.
static mw_code put_motion(const mw_comparison *q, const mw_page_motion *motion, FILE *f,
                          mw_error *err)
{
  char *bytes = NULL;
  size_t n = 0;
  mw_code rc = MW_OK;
  for (int shapes = 0; rc == MW_OK && motion->drawn.n_point > 0 && shapes < 2; shapes++) {
    FILE *g = open_memstream(&bytes, &n);
    if (!g) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
    rc = shapes ? mw_machine_shapes(&motion->drawn, motion->n_column, g, err)
                : mw_machine_recorded(q->c, &motion->drawn, motion->p, motion->s, g, err);
    if (fclose(g) != 0 && rc == MW_OK)
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
    if (rc == MW_OK) rc = mw_page_block(shapes ? "shapes" : "machine", bytes, n, f, err);
    free(bytes);
  }
  return rc;
}

static mw_code put_page(const mw_comparison *q, const mw_page_motion *motion, const char *runs,
                        size_t n, FILE *f, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_page_head(q->c->model.name, &mem, f);
  fputs("<p>Scenario <code>", f);
  mw_plot_text(f, q->sc->name);
  fprintf(f, "</code>, modeway %s, model <code>%s</code></p>\n", MW_VERSION, q->c->model.hash);
  mw_page_part("compare_body.html", &mem, f);
  mw_code rc = mw_page_block("runs", runs, n, f, err);
  if (rc == MW_OK) rc = put_motion(q, motion, f, err);
  fputs("<script type=\"module\">\n", f);
  mw_page_part("page_block.mjs", &mem, f);
  mw_page_part("page_machine.mjs", &mem, f);
  mw_page_part("page_view.mjs", &mem, f);
  mw_page_part("page_table.mjs", &mem, f);
  mw_page_part("compare_motion.mjs", &mem, f);
  mw_page_part("compare_app.mjs", &mem, f);
  fputs("</script>\n</body>\n</html>\n", f);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_comparison_page(const mw_comparison *q, const char *path, mw_error *err)
{
  char *runs = NULL, *text = NULL;
  size_t n_runs = 0, n = 0;
  mw_page_motion motion = { 0 };
  mw_code rc = mw_page_motion_build(q, &motion, err);
  FILE *f = rc == MW_OK ? open_memstream(&runs, &n_runs) : NULL;
  if (f) put_runs(q, &motion, f);
  if (rc == MW_OK && (!f || fclose(f) != 0))
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (f) rc = put_page(q, &motion, runs, n_runs, f, err);
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  if (f && fclose(f) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  mw_arena_free(&motion.mem);
  free(runs);
  free(text);
  return rc;
}
