// SPDX-License-Identifier: BSD-3-Clause
// map.c: scalars of frequency responses at a place, map.h (1).
//
// The peak: the largest of the band's frequencies and of those where each motion that swings has
// its own peak, ω √(1 − 2ζ²); then a golden section between its neighbours.
#include "sim/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"

struct mw_map {
  mw_map_in in;
  mw_frf *frf;
  int n_value;
  double *H, *size;    // [n_to × n_from × 2 × n_hz], [n_hz]  over the band
  double *one;         // [n_to × n_from × 2]  at one frequency
  double *A, *sv, *V;  // [n_to × n_from], [min], [min × n_from]  static
  double *U, *force;   // [n_to × min], [n_from]
  mw_arena mem;
};

static const char *const NAME[MW_MAP_N_KIND] = { "compliance", "stiffness", "direction", "peak",
                                                 "peak_hz",    "frequency", "damping" };

const char *mw_map_kind_name(mw_map_kind kind) { return NAME[kind]; }

bool mw_map_kind_find(const char *name, size_t len, mw_map_kind *out)
{
  for (int k = 0; k < MW_MAP_N_KIND; k++)
    if (strlen(NAME[k]) == len && strncmp(NAME[k], name, len) == 0) {
      *out = (mw_map_kind)k;
      return true;
    }
  return false;
}

static int width(const mw_map *w, int kind)
{
  return w->in.kind[kind] == MW_MAP_DIRECTION ? w->in.frf.n_from : 1;
}

static bool wants(const mw_map *w, mw_map_kind kind)
{
  for (int k = 0; k < w->in.n_kind; k++)
    if (w->in.kind[k] == kind) return true;
  return false;
}

// Compliances at rest are receptances.
static mw_code check(const mw_map_in *in, mw_error *err)
{
  for (int k = 0; k < in->n_kind; k++)
    if (in->kind[k] <= MW_MAP_DIRECTION && in->frf.kind != MW_FRF_RECEPTANCE)
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found %s with %s, expected it with receptance: at rest the others are 0",
                     NAME[in->kind[k]], mw_frf_kind_name(in->frf.kind));
  return MW_OK;
}

mw_code mw_map_open(const mw_rom_file *f, const mw_map_in *in, mw_map **out, mw_error *err)
{
  mw_code rc = check(in, err);
  if (rc != MW_OK) return rc;
  mw_map *w = calloc(1, sizeof *w);
  if (!w) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  w->in = *in;
  size_t entries = (size_t)(in->frf.n_to * in->frf.n_from), n_hz = (size_t)in->frf.n_hz;
  size_t least = (size_t)(in->frf.n_to < in->frf.n_from ? in->frf.n_to : in->frf.n_from);
  for (int k = 0; k < in->n_kind; k++) w->n_value += width(w, k);
  w->H = mw_arena_f64(&w->mem, entries * 2 * n_hz);
  w->size = mw_arena_f64(&w->mem, n_hz);
  w->one = mw_arena_f64(&w->mem, entries * 2);
  w->A = mw_arena_f64(&w->mem, entries);
  w->sv = mw_arena_f64(&w->mem, least);
  w->V = mw_arena_f64(&w->mem, least * (size_t)in->frf.n_from);
  w->U = mw_arena_f64(&w->mem, least * (size_t)in->frf.n_to);
  w->force = mw_arena_f64(&w->mem, (size_t)in->frf.n_from);
  rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) rc = mw_frf_open(f, &w->in.frf, &w->frf, err);
  if (rc == MW_OK)
    *out = w;
  else
    mw_map_close(w);
  return rc;
}

void mw_map_close(mw_map *w)
{
  if (!w) return;
  mw_frf_close(w->frf);
  mw_arena_free(&w->mem);
  free(w);
}

int mw_map_values(const mw_map *w) { return w->n_value; }

// The kind that value k is of, and which of its values.
static mw_map_kind kind_of(const mw_map *w, int k, int *which)
{
  int kind = 0;
  for (; k >= width(w, kind); kind++) k -= width(w, kind);
  *which = k;
  return w->in.kind[kind];
}

const char *mw_map_name(const mw_map *w, int k, char text[96])
{
  int which;
  mw_map_kind kind = kind_of(w, k, &which);
  if (kind == MW_MAP_DIRECTION)
    snprintf(text, 96, "%s %.80s", NAME[kind], w->in.frf.from[which].name);
  else if (kind == MW_MAP_FREQUENCY || kind == MW_MAP_DAMPING)
    snprintf(text, 96, "%s %d", NAME[kind], w->in.mode + 1);
  else
    snprintf(text, 96, "%s", NAME[kind]);
  return text;
}

// "m/N" inverted: "N/m".
static void invert(const char *unit, char text[64])
{
  const char *over = strchr(unit, '/');
  if (over)
    snprintf(text, 64, "%s/%.*s", over + 1, (int)(over - unit), unit);
  else
    text[0] = '\0';
}

const char *mw_map_unit(const mw_map *w, int k, char text[64])
{
  int which;
  char unit[64];
  mw_map_kind kind = kind_of(w, k, &which);
  mw_frf_in rest = w->in.frf;
  rest.kind = MW_FRF_RECEPTANCE;
  text[0] = '\0';
  if (kind == MW_MAP_PEAK) return mw_frf_unit(&w->in.frf, 0, 0, text);
  if (kind == MW_MAP_COMPLIANCE) return mw_frf_unit(&rest, 0, 0, text);
  if (kind == MW_MAP_STIFFNESS) invert(mw_frf_unit(&rest, 0, 0, unit), text);
  if (kind == MW_MAP_PEAK_HZ || kind == MW_MAP_FREQUENCY) strcpy(text, "Hz");
  return text;
}

// ---- at rest ------------------------------------------------------------------------------------

// σ(0) and the force [n_from] that reaches it, its largest component positive; NaN: not finite.
static mw_code at_rest(mw_map *w, double *compliance, double *force, mw_error *err)
{
  static const double zero = 0.0;
  int to = w->in.frf.n_to, from = w->in.frf.n_from, most = 0;
  bool finite = true;
  mw_code rc = mw_frf_more(w->frf, 1, &zero, w->one, err);
  for (int e = 0; e < to * from; e++) {
    w->A[e] = w->one[2 * e];
    finite = finite && isfinite(w->A[e]);
  }
  if (rc == MW_OK && finite) rc = mw_svd(to, from, w->A, w->sv, w->U, w->V, err);
  *compliance = finite ? w->sv[0] : (double)NAN;
  for (int j = 0; j < from; j++)
    if (fabs(w->V[j]) > fabs(w->V[most])) most = j;
  double sign = w->V[most] < 0.0 ? -1.0 : 1.0;
  for (int j = 0; j < from; j++) force[j] = finite ? sign * w->V[j] : (double)NAN;
  return rc;
}

// ---- the peak -----------------------------------------------------------------------------------

// σ at hz, from the place of the last mw_frf_at; −∞ where it is not finite.
static mw_code response(mw_map *w, double hz, double *size, mw_error *err)
{
  mw_frf_in in = w->in.frf;
  in.n_hz = 1;
  in.hz = &hz;
  mw_code rc = mw_frf_more(w->frf, 1, &hz, w->one, err);
  if (rc == MW_OK) rc = mw_frf_worst(&in, w->one, size, err);
  if (!isfinite(*size)) *size = -INFINITY;
  return rc;
}

// The largest σ between lo and hi, about at.
static mw_code golden(mw_map *w, double lo, double hi, double *hz, double *size, mw_error *err)
{
  static const double PART = 0.38196601125010515, EPS = 1e-9;  // the width, of the frequency
  double a = lo + PART * (hi - lo), b = hi - PART * (hi - lo), fa = 0.0, fb = 0.0;
  mw_code rc = response(w, a, &fa, err);
  if (rc == MW_OK) rc = response(w, b, &fb, err);
  while (rc == MW_OK && hi - lo > EPS * hi) {
    if (fa > fb) {
      hi = b, b = a, fb = fa;
      a = lo + PART * (hi - lo);
      rc = response(w, a, &fa, err);
    } else {
      lo = a, a = b, fa = fb;
      b = hi - PART * (hi - lo);
      rc = response(w, b, &fb, err);
    }
  }
  double x = fa > fb ? a : b, f = fmax(fa, fb);
  if (rc == MW_OK && f > *size) *size = f, *hz = x;
  return rc;
}

// Says whether a motion in the band is not damped.
static bool endless(const mw_map *w, const mw_frf_poles *p)
{
  double first = w->in.frf.hz[0], last = w->in.frf.hz[w->in.frf.n_hz - 1];
  for (int k = 0; k < p->n; k++)
    if (p->zeta[k] < MW_FRF_UNDAMPED && p->hz[k] >= first && p->hz[k] <= last) return true;
  return false;
}

static mw_code peak(mw_map *w, double *hz, double *size, mw_error *err)
{
  const mw_frf_in *in = &w->in.frf;
  int n = in->n_hz, at = -1;
  double first = in->hz[0], last = in->hz[n - 1], lo, hi;
  mw_frf_poles pole;
  *hz = *size = (double)NAN;
  mw_code rc = mw_frf_worst(in, w->H, w->size, err);
  if (rc == MW_OK) rc = mw_frf_poles_of(w->frf, &pole, err);
  if (rc != MW_OK || endless(w, &pole)) return rc;
  for (int k = 0; k < n; k++)
    if (isfinite(w->size[k]) && (at < 0 || w->size[k] > w->size[at])) at = k;
  if (at < 0) return MW_OK;
  *hz = in->hz[at];
  *size = w->size[at];
  lo = in->hz[at > 0 ? at - 1 : 0];
  hi = in->hz[at < n - 1 ? at + 1 : n - 1];
  for (int k = 0; rc == MW_OK && k < pole.n; k++) {
    double own = pole.hz[k] * sqrt(fmax(1.0 - 2.0 * pole.zeta[k] * pole.zeta[k], 0.0)), f;
    if (own < first || own > last || !(pole.zeta[k] > 0.0)) continue;
    rc = response(w, own, &f, err);
    if (f <= *size) continue;
    *hz = own;
    *size = f;
    lo = fmax(first, own - 2.0 * pole.zeta[k] * own);
    hi = fmin(last, own + 2.0 * pole.zeta[k] * own);
  }
  return rc == MW_OK && lo < hi ? golden(w, lo, hi, hz, size, err) : rc;
}

// ---- all values at a place ----------------------------------------------------------------------

// What a place has, as far as it is asked for.
typedef struct found {
  double compliance, peak, peak_hz, frequency, damping;
} found;

static mw_code look(mw_map *w, found *z, mw_error *err)
{
  mw_frf_poles pole;
  mw_code rc = MW_OK;
  if (wants(w, MW_MAP_PEAK) || wants(w, MW_MAP_PEAK_HZ)) rc = peak(w, &z->peak_hz, &z->peak, err);
  if (rc == MW_OK && w->in.frf.kind == MW_FRF_RECEPTANCE)
    rc = at_rest(w, &z->compliance, w->force, err);
  if (rc == MW_OK) rc = mw_frf_poles_of(w->frf, &pole, err);
  if (rc == MW_OK && w->in.mode < pole.n) {
    z->frequency = pole.hz[w->in.mode];
    z->damping = fabs(pole.zeta[w->in.mode]) < MW_FRF_UNDAMPED ? 0.0 : pole.zeta[w->in.mode];
  }
  return rc;
}

mw_code mw_map_at(mw_map *w, const double *theta, double *value, mw_error *err)
{
  found z = { NAN, NAN, NAN, NAN, NAN };
  mw_code rc = mw_frf_at(w->frf, theta, w->H, err);
  if (rc == MW_OK) rc = look(w, &z, err);
  for (int k = 0, kind = 0; kind < w->in.n_kind; k += width(w, kind++)) switch (w->in.kind[kind]) {
    case MW_MAP_COMPLIANCE: value[k] = z.compliance; break;
    case MW_MAP_STIFFNESS: value[k] = 1.0 / z.compliance; break;
    case MW_MAP_PEAK: value[k] = z.peak; break;
    case MW_MAP_PEAK_HZ: value[k] = z.peak_hz; break;
    case MW_MAP_FREQUENCY: value[k] = z.frequency; break;
    case MW_MAP_DAMPING: value[k] = z.damping; break;
    case MW_MAP_DIRECTION:
      for (int j = 0; j < w->in.frf.n_from; j++) value[k + j] = w->force[j];
      break;
    case MW_MAP_N_KIND: break;
    }
  return rc;
}
