// SPDX-License-Identifier: BSD-3-Clause
// bench_chain.c: what a Newton iteration of the full path costs along a chain, beside a step of the
// rigid path's implicit method.
//
// N links of 1 m and 1 kg, hinged about y and z in turn, let go from the horizontal; all of them
// rigid, or the middle one an elastic beam. Processor time of the steps alone: that of a longer run
// less that of a shorter one, the least of some rounds in turn. Judged are the ratio of the rigid
// chains and how the cost of a link grows with their number; a line ends in `ok` or `FAILED`, exit
// status 1 if one failed. Chains with an elastic link are printed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"

enum { ROUNDS = 7, LINK_TEXT = 512 };

static const double STEP = 1e-3;      // s
static const double MOST_RATIO = 3;   // iteration of the full path over a step of the rigid one
static const double MOST_GROWTH = 2;  // of the cost of a link, over that in the shortest chain

static int link_text(int k, bool elastic, char *to)
{
  if (elastic)
    return snprintf(to, LINK_TEXT,
                    "  link%d:\n    at: [%d, 0, 0]\n    beams:\n"
                    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
                    "      members: [{ from: a, to: b, section: rod, material: rod, elements: 6 }]"
                    "\n    frames: { start: { node: a }, end: { node: b } }\n",
                    k, k - 1);
  return snprintf(to, LINK_TEXT,
                  "  link%d: { at: [%d, 0, 0], rigid: { mass: 1, com: [0.5, 0, 0], inertia: "
                  "[2e-3, 0.085, 0.085, 0, 0, 0] }, frames: { end: { point: [1, 0, 0] } } }\n",
                  k, k - 1);
}

static bool open_chain(int n, bool elastic, mw_fixture *f)
{
  size_t size = (size_t)(2 * n + 4) * LINK_TEXT;
  char *text = malloc(size), *at = text;
  int mid = elastic ? n / 2 : -1;
  if (!text) return false;
  at += snprintf(at, LINK_TEXT, "modeway: 1\nname: chain\ngravity: [0, 0, -9.81]\n");
  if (elastic)
    at += snprintf(at, LINK_TEXT,
                   "materials: { rod: { E: 30e9, nu: 0.33, rho: 100 } }\n"
                   "sections: { rod: { rectangle: { width: 0.1, height: 0.1 } } }\n");
  at += snprintf(at, LINK_TEXT, "bodies:\n");
  for (int k = 1; k <= n; k++) at += link_text(k, k == mid, at);
  at += snprintf(at, LINK_TEXT, "joints:\n");
  for (int k = 1; k <= n; k++) {
    char a[32] = "ground";
    if (k > 1) snprintf(a, sizeof a, "link%d.end", k - 1);
    at += snprintf(at, LINK_TEXT,
                   "  hinge%d: { revolute: { a: %s, b: link%d%s, axis: %s }, coordinate: q%d }\n",
                   k, a, k, k == mid ? ".start" : "", k % 2 == 1 ? "[0, 1, 0]" : "[0, 0, 1]", k);
  }
  snprintf(at, LINK_TEXT,
           "scenarios:\n  fall: { initial: undeformed, duration: 1, step: 1e-3, store: 1e-3 }\n");
  bool ok = mw_fixture_text(text, f);
  free(text);
  return ok;
}

// s of processor time of `steps` steps, start included, and their iterations (full) or steps.
static bool ride(const mw_fixture *f, bool rigid, int steps, double *seconds, double *count)
{
  mw_scenario sc = f->model.scenario[0];
  mw_error err = { 0 };
  mw_run r = { 0 };
  sc.duration = sc.store = steps * STEP;
  sc.step = STEP;
  mw_rigid_run_opt alpha = mw_rigid_run_opt_default(&sc);
  mw_dae_opt full = mw_dae_opt_default();
  alpha.rigid.method = MW_METHOD_ALPHA;
  clock_t start = clock();
  mw_code rc = rigid ? mw_rigid_run(&f->mech, &sc, &alpha, NULL, &r, &err)
                     : mw_dae_run(&f->mech, &sc, "full", &full, NULL, &r, &err);
  *seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (!mw_fixture_okay(rc, &err)) return false;
  *count = rigid ? r.steps : r.iterations;
  mw_run_free(&r);
  return true;
}

// ms an iteration (full), or a step
static bool measure(const mw_fixture *f, bool rigid, int steps, double *ms)
{
  double s[2], n[2];
  if (!ride(f, rigid, steps, &s[0], &n[0]) || !ride(f, rigid, 3 * steps, &s[1], &n[1]))
    return false;
  *ms = fmin(*ms, 1e3 * (s[1] - s[0]) / (n[1] - n[0]));
  return true;
}

static bool row(int n, bool elastic, double *of_link)
{
  mw_fixture f;
  double full = INFINITY, rigid = INFINITY;
  int steps = 12800 / n;  // some 0.1 s
  if (!open_chain(n, elastic, &f)) return false;
  bool ok = true;
  for (int k = 0; ok && k < ROUNDS; k++) {
    ok = measure(&f, false, steps, &full);
    if (!elastic) ok = ok && measure(&f, true, steps, &rigid);
  }
  mw_fixture_free(&f);
  if (!ok) return false;
  if (elastic) {
    printf("%5d  %8.4f  %8.3f\n", n, full, 1e3 * full / n);
    return true;
  }
  if (*of_link == 0.0) *of_link = full / n;
  double ratio = full / rigid, growth = full / n / *of_link;
  bool fine = ratio <= MOST_RATIO && growth <= MOST_GROWTH;
  printf("%5d  %8.4f  %8.3f  %8.4f  %6.2f <= %g  %6.2f <= %g  %s\n", n, full, 1e3 * full / n, rigid,
         ratio, MOST_RATIO, growth, MOST_GROWTH, fine ? "ok" : "FAILED");
  return fine;
}

int main(void)
{
  static const int SIZES[] = { 10, 20, 40, 80, 160, 320 };
  double of_link = 0.0;
  bool ok = true;
  puts(
      "links, all rigid: full path ms an iteration, us a link of it, rigid path (alpha) ms a step, "
      "their ratio, cost of a link over the shortest chain's");
  for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++)
    ok = row(SIZES[k], false, &of_link) && ok;
  puts("links, one elastic: full path ms an iteration, us a link of it");
  for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++)
    ok = row(SIZES[k], true, &of_link) && ok;
  return ok ? 0 : 1;
}
