// SPDX-License-Identifier: BSD-3-Clause
// bench_picture.c: what was measured, as bars.
#include <math.h>
#include <stdlib.h>

#include "bench_layer.h"
#include "draw/plot_layer.h"

enum { WIDE = 860, ROW = 26, AROUND = 90, LEFT = 300, RIGHT = 120, BAR = 14 };  // px

// Names what was not measured.
static void absent(FILE *f, int n, const char *const *name, const double *ns, int y)
{
  bool any = false;
  for (int k = 0; k < n; k++) {
    if (isfinite(ns[k])) continue;
    if (any)
      fputs(", ", f);
    else
      fprintf(f, "<text x=\"14\" y=\"%d\" font-size=\"11\">not measured: ", y);
    mw_plot_text(f, name[k]);
    any = true;
  }
  if (any) fputs("</text>\n", f);
}

mw_code mw_bench_picture(const char *title, int n, const char *const *name, const double *ns,
                         const char *path, mw_error *err)
{
  char *text = NULL;
  size_t size = 0;
  double most = 0.0;
  int high = AROUND, row = 0;
  FILE *f = open_memstream(&text, &size);
  for (int k = 0; k < n; k++) {
    most = isfinite(ns[k]) ? fmax(most, ns[k]) : most;
    high += isfinite(ns[k]) ? ROW : 0;
  }
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
          "%d\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"13\">\n"
          "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n<text x=\"14\" y=\"24\" "
          "font-size=\"15\" font-weight=\"bold\">",
          WIDE, high, WIDE, high, WIDE, high);
  mw_plot_text(f, title);
  fputs("</text>\n", f);
  for (int k = 0; k < n; k++) {
    if (!isfinite(ns[k])) continue;  // not measured
    int y = 48 + ROW * row++;
    double w = (WIDE - LEFT - RIGHT) * ns[k] / most;
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 10, y + 12);
    mw_plot_text(f, name[k]);
    fprintf(f,
            "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#0072b2\"/>\n"
            "<text x=\"%.1f\" y=\"%d\">%.0f ns</text>\n",
            LEFT, y, w, BAR, LEFT + w + 6.0, y + 12, ns[k]);
  }
  absent(f, n, name, ns, high - 14);
  fputs("</svg>\n", f);
  mw_code rc =
      fclose(f) == 0 ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the picture");
  if (rc == MW_OK) rc = mw_plot_save(path, title, text, size, err);
  free(text);
  return rc;
}
