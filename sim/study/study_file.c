// SPDX-License-Identifier: BSD-3-Clause
// study_file.c: a study as netCDF, and as a page with parallel coordinates.
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "page/livepage_layer.h"
#include "reduction/ncfile.h"
#include "study_layer.h"

mw_code mw_study_write(const mw_study *s, const char *command, const char *path, mw_error *err)
{
  mw_ncw w;
  mw_arena mem = { 0 };
  const char **reason = mw_arena_alloc(&mem, (size_t)s->n_point, sizeof *reason);
  unsigned char *best = mw_arena_alloc(&mem, (size_t)s->n_point, 1);
  int *unbeaten = mw_arena_int(&mem, (size_t)s->n_point);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc != MW_OK) {
    mw_arena_free(&mem);
    return rc;
  }
  (void)mw_study_unbeaten(s, best);
  for (int k = 0; k < s->n_point; k++) {
    reason[k] = s->reason[k] ? s->reason[k] : "";
    unbeaten[k] = best[k];
  }
  mw_ncw_open(&w, "study", s->title, MW_VERSION, command);
  mw_ncw_att_str(&w, NULL, "model_name", s->title);
  mw_ncw_att_str(&w, NULL, "model_hash", s->hash);
  int point = mw_ncw_dim(&w, "point", s->n_point),
      varied = mw_ncw_dim(&w, "parameter", s->n_varied),
      criterion = mw_ncw_dim(&w, "criterion", s->n_criterion);
  mw_ncw_str(&w, "parameter", varied, "what was varied, paths of the model file", s->path);
  mw_ncw_str(&w, "criterion", criterion, "what the model is", s->name);
  mw_ncw_str(&w, "criterion_unit", criterion, "units of the criteria", s->unit);
  mw_ncw_int(&w, "aim", 1, &criterion, "1: the smaller the better, -1: the larger, 0: no aim",
             s->aim);
  mw_ncw_int(&w, "unbeaten", 1, &point, "1: no other point beats it in the aims", unbeaten);
  mw_ncw_str(&w, "failed", point, "why a point has no values, empty where it has", reason);
  mw_ncw_f64(&w, "x", 2, (int[]){ point, varied }, NULL, "values, in the model's units", s->x);
  mw_ncw_f64(&w, "value", 2, (int[]){ point, criterion }, NULL,
             "criteria, NaN where the point failed", s->value);
  mw_arena_free(&mem);
  return mw_ncw_close(&w, path, err);
}

static void put_names(mw_json *j, const char *key, int n, const char *const *name)
{
  mw_json_array(j, key);
  for (int k = 0; k < n; k++) mw_json_str(j, NULL, name[k]);
  mw_json_end(j, ']');
}

static void put_study(const mw_study *s, FILE *f)
{
  mw_json j = { .f = f };
  mw_json_object(&j, NULL);
  put_names(&j, "parameters", s->n_varied, s->path);
  put_names(&j, "criteria", s->n_criterion, s->name);
  put_names(&j, "units", s->n_criterion, s->unit);
  mw_json_array(&j, "points");
  for (int k = 0; k < s->n_point; k++) {
    mw_json_array(&j, NULL);
    for (int i = 0; i < s->n_varied; i++) mw_json_num(&j, NULL, s->x[k * s->n_varied + i]);
    for (int i = 0; i < s->n_criterion; i++)
      mw_json_num(&j, NULL, s->value[k * s->n_criterion + i]);
    mw_json_end(&j, ']');
  }
  mw_json_end(&j, ']');
  mw_json_end(&j, '}');
}

mw_code mw_study_page(const mw_study *s, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  char *study = NULL, *text = NULL;
  size_t n_study = 0, n = 0;
  FILE *f = open_memstream(&study, &n_study);
  if (f) put_study(s, f);
  mw_code rc = f && fclose(f) == 0
                   ? MW_OK
                   : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  if (f) {
    mw_page_head(s->title, &mem, f);
    if (s->n_failed > 0) fprintf(f, "<p>%d of %d points failed.</p>\n", s->n_failed, s->n_point);
    mw_page_part("study_body.html", &mem, f);
    rc = mw_page_block("study", study, n_study, f, err);
    fputs("<script type=\"module\">\n", f);
    mw_page_part("page_block.mjs", &mem, f);
    mw_page_part("page_table.mjs", &mem, f);
    mw_page_part("study_app.mjs", &mem, f);
    fputs("</script>\n</body>\n</html>\n", f);
    if (fclose(f) != 0 && rc == MW_OK)
      rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  }
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  mw_arena_free(&mem);
  free(study);
  free(text);
  return rc;
}
