// SPDX-License-Identifier: BSD-3-Clause
// promise.c: what a reduced model's certificate promises for a run, beside what the run shows
// (certificate.h says what is promised; compare_time.c what of a difference is the paths' own).
#include "promise_layer.h"

#include <math.h>
#include <string.h>

#include "draw/plot_layer.h"
#include "reduction/certificate.h"

bool mw_promise_of(const mw_comparison *q, int k, mw_promise *out)
{
  const mw_quantity *a = &q->quantity[k];
  const mw_certificate *c = q->rom ? &q->rom->certificate : NULL;
  int gmp = mw_comparison_path(q, "gmp");
  if (gmp < 0 || q->full < 0 || !c || k >= q->n_judged) return false;
  int run = mw_certificate_run(c, q->sc->hash);
  double known = mw_comparison_known(q, k);
  bool halved = !isnan(known);
  if (!halved) known = 0.0;
  *out = (mw_promise){ .promised = mw_certificate_promise(c, run, k, a->unit),
                       .judged = (double)NAN,
                       .error = mw_comparison_error(q, gmp, k) };
  if (isnan(out->error)) return false;
  if (run >= 0 && k < c->runs.n_quantity) out->judged = c->runs.error[run * c->runs.n_quantity + k];
  if (a->scale > 0.0) known /= a->scale;
  out->below = halved && out->error <= known;
  out->beyond = q->run[gmp].beyond;
  if (out->beyond && isnan(out->judged)) out->promised = (double)NAN;
  out->met = isnan(out->promised) || out->error <= out->promised;
  out->broken = !out->met && out->error - known > MW_PROMISE_FACTOR * out->promised;
  return true;
}

bool mw_promise_exceeded(const mw_comparison *q)
{
  mw_promise p;
  for (int k = 0; k < q->n_quantity; k++)
    if (mw_promise_of(q, k, &p) && !p.met) return true;
  return false;
}

bool mw_promise_broken(const mw_comparison *q, mw_error *err)
{
  mw_promise p;
  for (int k = 0; k < q->n_quantity; k++)
    if (mw_promise_of(q, k, &p) && p.broken) {
      (void)mw_fail(
          err, MW_ERR_NUMERIC, MW_NOWHERE,
          "scenario %.64s: %.64s errs by %.2e on path gmp, without the paths' own "
          "errors in time; the reduced model's certificate promises %.2e (exceeded by more "
          "than %g)",
          q->sc->name, q->quantity[k].name, p.error, p.promised, MW_PROMISE_FACTOR);
      return true;
    }
  return false;
}

// Is there a run of the scenario's name that was another scenario then?
static bool changed(const mw_comparison *q)
{
  const mw_run_proofs *r = &q->rom->certificate.runs;
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->scenario[i], q->sc->name) == 0 && strcmp(r->hash[i], q->sc->hash) != 0)
      return true;
  return false;
}

static void print_time(const mw_comparison *q)
{
  printf("\n%-20s %-12s %11s %11s %7s\n", "error in time", "path", "own", "known to", "order");
  for (int k = 0; k < q->n_quantity; k++)
    for (int h = 0; h < MW_HALVED; h++) {
      const mw_quantity *a = &q->quantity[k];
      const mw_own_error *e = &a->time[h];
      double by = a->scale > 0.0 ? a->scale : 1.0;
      if (q->halved[h] == 0 || isnan(e->own)) continue;
      printf("%-20s %-12s %11.3e %11.3e ", a->name, q->label[mw_comparison_halved_path(q, h)],
             e->own / by, e->known / by);
      if (isnan(e->order))
        printf("%7s\n", "-");  // rounding
      else
        printf("%7.2f\n", e->order);
    }
}

void mw_promise_print(const mw_comparison *q)
{
  mw_promise p;
  bool begun = false;
  bool halved = q->halved[MW_HALVED_FULL] > 0;
  if (halved) print_time(q);
  for (int k = 0; k < q->n_quantity; k++) {
    if (!mw_promise_of(q, k, &p)) continue;
    if (!begun)
      printf("\n%-20s %11s %11s %s\n", "certificate", "promised", "happened",
             halved ? "(without the paths' own errors in time)" : "");
    begun = true;
    printf("%-20s ", q->quantity[k].name);
    if (isnan(p.promised))
      printf("%11s %11.3e %s: nothing is promised", "-", p.error,
             p.beyond ? p.beyond : "the certificate is missed");
    else
      printf("%11.3e %11.3e %s", p.promised, p.error, p.met ? "met" : "exceeded");
    if (p.below) printf(", below what is known");
    if (!isnan(p.judged)) printf(" (its own run of the scenario: %.3e)", p.judged);
    printf("\n");
  }
  if (begun && changed(q)) printf("the scenario is not as it was when the certificate ran it\n");
}

void mw_promise_page(const mw_comparison *q, FILE *f)
{
  mw_promise p;
  bool begun = false;
  for (int k = 0; k < q->n_quantity; k++) {
    const mw_quantity *a = &q->quantity[k];
    if (!mw_promise_of(q, k, &p)) continue;
    if (!begun)
      fputs("<p>What the reduced model's certificate promises, and what happened: over peak or "
            "travel, without the paths' own errors in time where their steps were halved.</p>\n"
            "<table>\n<tr><th>quantity</th><th>promised</th><th>happened</th><th></th>"
            "<th>full path's own error</th><th>known to</th>"
            "<th>reduced path's own error</th><th>known to</th></tr>\n",
            f);
    begun = true;
    double by = a->scale > 0.0 ? a->scale : 1.0;
    fputs("<tr><th>", f);
    mw_plot_text(f, a->name);
    fputs("</th>", f);
    mw_page_cell(f, p.promised);
    mw_page_cell(f, p.error);
    fprintf(f, "<td>%s%s</td>",
            isnan(p.promised) ? "nothing promised"
            : p.met           ? "met"
                              : "exceeded",
            p.below ? ", below what is known" : "");
    for (int h = 0; h < MW_HALVED; h++) {
      mw_page_cell(f, a->time[h].own / by);
      mw_page_cell(f, a->time[h].known / by);
    }
    fputs("</tr>\n", f);
  }
  if (begun) fputs("</table>\n", f);
}

static void json_own(const mw_own_error *e, mw_json *j)
{
  mw_json_num(j, "own", e->own);
  mw_json_num(j, "known", e->known);
  mw_json_num(j, "order", e->order);
}

void mw_promise_json(const mw_comparison *q, mw_json *j)
{
  mw_promise p;
  mw_json_object(j, "time");
  for (int k = 0; q->halved[MW_HALVED_FULL] > 0 && k < q->n_quantity; k++) {
    const mw_quantity *a = &q->quantity[k];
    mw_json_object(j, a->name);
    json_own(&a->time[MW_HALVED_FULL], j);
    if (q->halved[MW_HALVED_GMP] > 0) {
      mw_json_object(j, "gmp");
      json_own(&a->time[MW_HALVED_GMP], j);
      mw_json_end(j, '}');
    }
    mw_json_end(j, '}');
  }
  mw_json_end(j, '}');
  mw_json_object(j, "promise");
  for (int k = 0; k < q->n_quantity; k++) {
    if (!mw_promise_of(q, k, &p)) continue;
    mw_json_object(j, q->quantity[k].name);
    mw_json_num(j, "promised", p.promised);
    mw_json_num(j, "error", p.error);
    mw_json_num(j, "judged", p.judged);
    mw_json_bool(j, "below_known", p.below);
    mw_json_bool(j, "met", p.met);
    mw_json_bool(j, "broken", p.broken);
    mw_json_end(j, '}');
  }
  mw_json_end(j, '}');
}
