// SPDX-License-Identifier: BSD-3-Clause
// page.c: the HTML around tables and pictures, one look for all our reports.
#include <math.h>

#include "draw/plot_layer.h"

void mw_page_begin(FILE *f, const char *title)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", f);
  mw_plot_text(f, title);
  fputs("</title>\n<style>\nbody { font-family: sans-serif; max-width: 1080px; margin: 2em auto; "
        "color: #222; }\n"
        "table { border-collapse: collapse; margin: 1em 0; }\n"
        "th, td { padding: 0.25em 0.8em; border-bottom: 1px solid #ccc; text-align: right; }\n"
        "th:first-child { text-align: left; }\nsvg { max-width: 100%; height: auto; }\n"
        ".warning { border-left: 4px solid #d55e00; padding-left: 0.6em; }\n"
        "code { overflow-wrap: anywhere; }\n</style>\n</head>\n<body>\n<h1>",
        f);
  mw_plot_text(f, title);
  fputs("</h1>\n", f);
}

void mw_page_cell(FILE *f, double x)
{
  if (isfinite(x))
    fprintf(f, "<td>%.3g</td>", x);
  else
    fputs("<td>–</td>", f);
}

void mw_page_end(FILE *f) { fputs("</body>\n</html>\n", f); }
