// SPDX-License-Identifier: BSD-3-Clause
// modestart.c: what a scenario's mode starts mean for the modes that a path has.
//
//   x = amplitude Σ_k c_k φ_k ,   c_k = y_k / Σ_j y_j²                                         (1)
//
// y_k is what φ_k displaces the component by that the scenario names, k and j run over the modes
// of one frequency, to 1e-3: a single mode as a rule. Of several their span alone is known; (1) is
// the vector in it that moves the component by the amplitude with the least energy, whatever basis
// of the span a path has.
#include <math.h>
#include <string.h>

#include "fem/output.h"
#include "modestart_layer.h"

static const double SAME = 1e-3;  // of a frequency: modes that count as of one
// a component that a mode of unit mass does not move, of 1/√m of the machine
static const double STILL = 1e-4;
enum { BEYOND = 5 };  // modes above the highest that may be of its frequency

int mw_mode_start_count(const mw_scenario *sc)
{
  int n = 0;
  for (int i = 0; i < sc->n_mode_start; i++)
    if (sc->mode_start[i].mode > n) n = sc->mode_start[i].mode;
  return n > 0 ? n + BEYOND : 0;
}

static mw_code check(const mw_mode_start *in, int n, mw_error *err)
{
  if (in->mode <= n) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, in->at,
                 "found mode %d, expected 1 to %d, the modes there are to start from", in->mode, n);
}

mw_code mw_mode_start_check(const mw_scenario *sc, int n, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < sc->n_mode_start; i++) rc = check(&sc->mode_start[i], n, err);
  return rc;
}

static bool same(double a, double b) { return fabs(a - b) <= SAME * fmax(a, b); }

mw_code mw_mode_start_share(const mw_mech *mech, const mw_scenario *sc, int i,
                            const mw_start_modes *modes, double *share, mw_error *err)
{
  const mw_mode_start *in = &sc->mode_start[i];
  const mw_model *m = mech->model;
  const mw_output_in *o = &m->output[in->output];
  int rows = mw_output_row(m, m->n_output), row = mw_output_row(m, in->output) + in->axis;
  int first = in->mode - 1, last = first;
  double sum = 0.0, mass = 0.0;
  mw_code rc = check(in, modes->n, err);
  if (rc != MW_OK) return rc;
  while (first > 0 && same(modes->hz[first - 1], modes->hz[first])) first--;
  while (last + 1 < modes->n && same(modes->hz[last], modes->hz[last + 1])) last++;
  memset(share, 0, (size_t)modes->n * sizeof *share);
  for (int k = first; k <= last; k++) {
    share[k] = modes->y[(size_t)k * (size_t)rows + (size_t)row];
    sum += share[k] * share[k];
  }
  for (int b = 0; b < mech->n_body; b++) mass += mech->body[b].m;
  if (!(sqrt(sum * mass) > STILL))
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "mode %d (%.6g Hz) does not move %.64s.%s, expected a component that it moves",
                   in->mode, modes->hz[in->mode - 1], o->name, mw_output_axis(o, in->axis));
  for (int k = first; k <= last; k++) share[k] /= sum;
  return MW_OK;
}
