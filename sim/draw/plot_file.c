// SPDX-License-Identifier: BSD-3-Clause
// plot_file.c: figures as files: SVG alone, in a page with its title, or PNG.
#include <stdlib.h>

#include "plot_layer.h"
#include "reduction/ncfile.h"

mw_code mw_plot_name(const char *path, mw_error *err)
{
  if (mw_file_ends_in(path, ".svg") || mw_file_ends_in(path, ".html")) return MW_OK;
  if (mw_file_ends_in(path, ".png")) return mw_plot_png_ready(err);
  return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = path },
                 "found a name without .svg, .html or .png, expected one of these endings");
}

mw_code mw_plot_save(const char *path, const char *title, const char *svg, size_t n, mw_error *err)
{
  char *page = NULL, *png = NULL;
  size_t n_page = 0, n_png = 0;
  mw_code rc = mw_plot_name(path, err);
  if (rc != MW_OK) return rc;
  if (mw_file_ends_in(path, ".svg")) return mw_file_replace(path, svg, n, false, err);
  if (mw_file_ends_in(path, ".png")) {
    rc = mw_plot_png(svg, n, &png, &n_png, err);
    if (rc == MW_OK) rc = mw_file_replace(path, png, n_png, false, err);
    free(png);
    return rc;
  }
  FILE *f = open_memstream(&page, &n_page);
  if (f) {
    mw_page_begin(f, title);
    (void)fwrite(svg, 1, n, f);
    mw_page_end(f);
  }
  if (!f || fclose(f) != 0) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the page");
  if (rc == MW_OK) rc = mw_file_replace(path, page, n_page, false, err);
  free(page);
  return rc;
}
