// SPDX-License-Identifier: BSD-3-Clause
// advice.c: what would help where the accuracy asked for was not met.
//
// A peak of a receptance that is displaced by df errs by about df/(ζ f). So much of its error is
// due to frequencies; the rest is due to what the columns leave out: modes, towards the end of the
// band, or static patterns.
// A frequency misses the direct one between grid points by interpolation, which differs much from
// point to point, and everywhere alike by what the bodies' bases leave out. The coordinate that
// interpolation errs most along: from every second grid value at the worst point,
//   K_2h(θ) = Σ_k L_k(θ_i) K(θ with θ_i at grid value 2k)      L:
//       Lagrange's cubic through the four nearest      (1)
//   e_i = max_l |f_l(K_2h) − f_l(K)| / f_l(K)                  ranks the coordinates            (2)
// Cost: 4 evaluations of the table a coordinate, and as many eigenvalues of K.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/certificate.h"

static const double ALIKE =
    0.3;  // least error of a frequency over its largest: above, it is not the grid's
static const double DUE =
    0.3;  // part of a receptance's error that frequencies must explain to be blamed
static const double BAND_END =
    0.7;  // receptances that err most above this part of the band lack modes
enum { NODES = 4 };

typedef struct advice {
  const mw_rom_file *f;
  int n_freq;
  double *value, *K, *V, *w;  // fields, [m × m], [m × m], [m]
  double *w0;                 // [m]  of K at the point
  mw_arena mem;
} advice;

// K(theta) added to K with a weight.
static mw_code add_K(advice *a, const double *theta, double weight)
{
  const mw_rom *rom = &a->f->rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  if (mw_rom_fields(rom, theta, a->value, NULL, NULL) != MW_ROM_OK) return MW_ERR_RANGE;
  for (int i = 0; i < rom->m; i++)
    for (int j = 0; j < rom->m; j++) {
      int hi = i > j ? i : j, lo = i > j ? j : i;
      a->K[i * rom->m + j] += weight * a->value[L.K + hi * (hi + 1) / 2 + lo];
    }
  return MW_OK;
}

static double grid_value(const mw_rom_file *f, int i, int k)
{
  if (f->grid[i]) return f->grid[i][k];
  return f->rom.lo[i] + (f->rom.hi[i] - f->rom.lo[i]) * k / (f->n_grid[i] - 1);
}

// Up to NODES of every second grid value of coordinate i around x; returns their number.
static int nearest(const mw_rom_file *f, int i, double x, double node[NODES])
{
  int n = (f->n_grid[i] + 1) / 2, first = 0;
  int count = n < NODES ? n : NODES;
  while (first + count < n &&
         fabs(grid_value(f, i, 2 * (first + count)) - x) < fabs(grid_value(f, i, 2 * first) - x))
    first++;
  for (int k = 0; k < count; k++) node[k] = grid_value(f, i, 2 * (first + k));
  return count;
}

// (1), (2) at theta, whose frequencies w0 are known
static mw_code share_of(advice *a, int i, const double *theta, double *share)
{
  const mw_rom *rom = &a->f->rom;
  double node[NODES], at[MW_ROM_MAX_S];
  int m = rom->m, n = nearest(a->f, i, theta[i], node);
  mw_code rc = MW_OK;
  *share = 0.0;
  if (rom->flat >> i & 1u) return MW_OK;
  memset(a->K, 0, (size_t)m * (size_t)m * sizeof(double));
  memcpy(at, theta, (size_t)rom->s * sizeof(double));
  for (int k = 0; rc == MW_OK && k < n; k++) {
    double weight = 1.0;
    for (int l = 0; l < n; l++)
      if (l != k) weight *= (theta[i] - node[l]) / (node[k] - node[l]);
    at[i] = node[k];
    rc = add_K(a, at, weight);
  }
  if (rc == MW_OK) rc = mw_eig_sym(m, a->K, a->w, a->V, NULL);
  for (int k = 0; rc == MW_OK && k < a->n_freq; k++) {
    double e = fabs(sqrt(fmax(a->w[k], 0.0) / a->w0[k]) - 1.0);
    if (!(e <= *share)) *share = e;
  }
  return rc;
}

// Shares of all coordinates at a point of the certificate.
static mw_code shares(const mw_rom_file *f, int point, double *share)
{
  const mw_rom *rom = &f->rom;
  const double *theta = f->certificate.theta + point * rom->s;
  size_t m = (size_t)rom->m;
  advice a = { .f = f, .n_freq = f->certificate.n_freq < rom->m ? f->certificate.n_freq : rom->m };
  a.value = mw_arena_f64(&a.mem, (size_t)rom->n_field);
  a.K = mw_arena_f64(&a.mem, m * m);
  a.V = mw_arena_f64(&a.mem, m * m);
  a.w = mw_arena_f64(&a.mem, m);
  a.w0 = mw_arena_f64(&a.mem, m);
  mw_code rc = mw_arena_check(&a.mem, NULL);
  if (rc == MW_OK) rc = add_K(&a, theta, 1.0);
  if (rc == MW_OK) rc = mw_eig_sym(rom->m, a.K, a.w0, a.V, NULL);
  for (int i = 0; rc == MW_OK && i < rom->s; i++) rc = share_of(&a, i, theta, &share[i]);
  mw_arena_free(&a.mem);
  return rc;
}

static double frequency_error(const mw_certificate *c, int point, int k)
{
  int at = point * c->n_freq + k;
  return fabs(c->f_rom[at] - c->f_direct[at]) / c->f_direct[at];
}

// The mode at a point whose frequency errs most, or (hz > 0) the one nearest to hz.
static int mode_of(const mw_certificate *c, int point, double hz)
{
  int best = 0;
  for (int k = 1; k < c->n_freq; k++) {
    const double *f = c->f_direct + point * c->n_freq;
    if (hz > 0.0 ? fabs(f[k] - hz) < fabs(f[best] - hz)
                 : frequency_error(c, point, k) > frequency_error(c, point, best))
      best = k;
  }
  return best;
}

static bool alike(const mw_certificate *c, int k)
{
  double least = INFINITY, largest = 0.0;
  for (int i = 0; i < c->n_mesh; i++) {  // others do not see what the bases leave out
    least = fmin(least, frequency_error(c, i, k));
    largest = fmax(largest, frequency_error(c, i, k));
  }
  return c->n_mesh > 1 && least > ALIKE * largest;
}

// The lowest so many frequencies meet the tolerance at all samples.
static int lowest_met(const mw_certificate *c)
{
  int met = c->n_freq;
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < met; k++)
      if (!(frequency_error(c, i, k) <= c->tolerance)) met = k;
  return met;
}

// What would mend the frequency of mode k at a point.
static void mend_frequency(const mw_rom_file *f, int point, int k, char *text, size_t n)
{
  double share[MW_ROM_MAX_S] = { 0 };
  int i = 0;
  if (f->fixed) {
    snprintf(text, n,
             "reduction.set: rubin would help: of modes with loads fixed the last err most, "
             "however many; the lowest %d of %d hold here, and more modes (reduction.modes) make "
             "that more",
             lowest_met(&f->certificate), f->certificate.n_freq);
    return;
  }
  if (alike(&f->certificate, k)) {
    snprintf(text, n,
             "finer bases of the bodies would help (reduction.bodies.tolerance, "
             "reduction.bodies.band): frequencies err everywhere alike");
    return;
  }
  if (f->grid_note) {  // points were added wherever they help
    snprintf(text, n, "on the grid as it was chosen: %s", f->grid_note);
    return;
  }
  if (shares(f, point, share) != MW_OK) return;
  for (int l = 1; l < f->rom.s; l++)
    if (share[l] > share[i]) i = l;
  snprintf(text, n, "more grid points on %s would help (now %d: reduction.coordinates.%s.points)",
           f->coordinate[i], f->n_grid[i], f->coordinate[i]);
}

// What would mend a quantity that is judged by what the columns span.
static void mend_columns(const mw_certificate *c, char *text, size_t n)
{
  snprintf(text, n,
           "more modes or static patterns, or a finer grid, would help (reduction.modes, "
           "reduction.patterns, reduction.coordinates): the columns leave out up to %.1e of the "
           "strain energy of loads at rest",
           c->max_energy_left);
}

static void mend_receptance(const mw_rom_file *f, char *text, size_t n)
{
  const mw_certificate *c = &f->certificate;
  int point = c->worst_receptance, k = mode_of(c, point, fmax(c->worst_hz, 1e-300));
  if (frequency_error(c, point, k) > DUE * c->zeta * c->max_receptance_error)
    mend_frequency(f, point, k, text, n);
  else if (c->n_band > 0 && c->worst_hz > BAND_END * c->band[c->n_band - 1])
    snprintf(
        text, n,
        "receptances err most at %.4g Hz, close to the end of the band, and hold up to %.4g Hz: "
        "certificate.band asks for no more than that, modes.band for as many modes as a band "
        "needs; more modes by count (now %d) raise the band with them",
        c->worst_hz, mw_certificate_bandwidth(c), f->n_modes);
  else
    mend_columns(c, text, n);
}

static bool is_motion(const char *key)
{
  for (int i = 0; i < MW_MOTIONS; i++)
    if (strcmp(key, mw_certificate_motion_key(i)) == 0) return true;
  return false;
}

// Was the model asked to leave out what a quantity misses by?
static bool asked_to_leave(const mw_rom_file *f, const char *key)
{
  static const char *const second[] = { "weight", "pushed", "gravity", "convective",
                                        "third_order" };
  if (f->inertia == MW_ROM_LEADING && strcmp(key, "damping") == 0) return true;
  for (size_t i = 0; i < sizeof second / sizeof *second; i++)
    if (strcmp(key, second[i]) == 0) return f->first_order || f->inertia == MW_ROM_LEADING;
  return false;
}

// What helps where nothing else is to be said; NULL: more is.
static const char *plain_advice(const char *key)
{
  static const struct {
    const char *key, *text;
  } plain[] = {
    { "lost_patterns",
      "static patterns are lost: more grid points would keep them, or ranges in which their "
      "loads reach neither a support nor each other (reduction.coordinates); the file says "
      "which they are, and where (modeway info)" },
    { "stretching",
      "a stiffer section or a support that lets one end slide would help; path full knows "
      "it" },
    { "free_frequencies",
      "more modes would help (reduction.modes): columns are those of held coordinates, and "
      "lack what swings where these are free" },
    { "column_mass",
      "smaller declared ranges (max_deflection, rates, accelerations, inputs) would help: "
      "the mass of more than six columns changes" },
    { "damping",
      "a finer grid, more modes, or static patterns of dampers where they are switched off "
      "would help (reduction.coordinates, reduction.modes, reduction.patterns.dampers)" },
    { "tables", "tables are not what they were made of at grid points: a full table would help "
                "(reduction.table), or the model is to be made anew" },
    { "stress_stiffness",
      "lower accelerations, rates and inputs that are declared would help, or a coarser "
      "mesh: the bodies' stress stiffness is too costly there" },
    { "rigid_positions",
      "shorter ranges or fewer coordinates would help: the table that rigid motion needs is "
      "too large" },
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(key, plain[i].key) == 0) return plain[i].text;
  return NULL;
}

void mw_certificate_advice(const mw_rom_file *f, char *text, size_t n)
{
  const mw_certificate *c = &f->certificate;
  mw_verdict v[MW_VERDICTS];
  int k = 0, count = mw_certificate_verdicts(c, v);
  if (n == 0) return;
  text[0] = '\0';
  while (k < count && v[k].met) k++;
  if (k == count || c->n < 1 || c->n_freq < 1) return;
  // what else is missed may follow from patterns that are lost
  for (int i = k; c->n_lost > 0 && i < count; i++)
    if (strcmp(v[i].key, "lost_patterns") == 0) k = i;
  if (strcmp(v[k].key, "frequencies") == 0)
    mend_frequency(f, c->worst, mode_of(c, c->worst, 0.0), text, n);
  else if (strcmp(v[k].key, "receptances") == 0)
    mend_receptance(f, text, n);
  else if (asked_to_leave(f, v[k].key))
    snprintf(text, n,
             "inertia: full would help, which keeps %swhat stiffens or softens by rotation, weight "
             "and inputs: this model was asked to leave it out (inertia: %s)",
             f->first_order ? "" : "convective and gyroscopic terms, convective damping and ",
             f->first_order ? "first_order" : "leading");
  else if (plain_advice(v[k].key))
    snprintf(text, n, "%s", plain_advice(v[k].key));
  else if (strcmp(v[k].key, "third_order") == 0)
    snprintf(text, n,
             "lower declared ranges would help (now %s; third order grows with the square of what "
             "it deflects), or what deflects less; path full knows it",
             c->third_load ? c->third_load : "");
  else if (strcmp(v[k].key, "weight") == 0 && c->weight_buckles)
    snprintf(text, n,
             "a stiffer section, a shorter range or less mass would help: there the machine falls");
  else if (strcmp(v[k].key, "weight") == 0)
    snprintf(text, n,
             "more modes would help (reduction.modes), or more grid points: the weight softens "
             "modes by shapes that the columns lack");
  else if (strcmp(v[k].key, "pushed") == 0 && c->push_buckles)
    snprintf(
        text, n,
        "a stiffer section or a smaller declared input %s would help: there the machine buckles",
        c->push_input);
  else if (strcmp(v[k].key, "pushed") == 0)
    snprintf(text, n,
             "more modes would help (reduction.modes), or a smaller declared input %s: it softens "
             "modes by shapes that the columns lack",
             c->push_input ? c->push_input : "");
  else if (strcmp(v[k].key, "singular_at_rest") == 0)
    snprintf(
        text, n,
        "hardly any inertia belongs to %s alone, and at rest its weight bends the machine too far "
        "for terms of second "
        "order: give it its motor's inertia, or use path full or body there",
        f->light ? f->light : "a coordinate");
  else if (strcmp(v[k].key, "decay_rates") == 0)
    snprintf(text, n,
             "more modes would help, or static patterns of dampers where they are switched off "
             "(reduction.modes, reduction.patterns.dampers): dampers keep motions of %.4g 1/s from "
             "swinging",
             c->decay_rate);
  else if (strcmp(v[k].key, "convective") == 0)
    snprintf(text, n,
             "more grid points or more modes would help (reduction.coordinates, reduction.modes): "
             "these forces are of how columns change along coordinates; or lower rates that are "
             "declared (max_rate), with whose square they grow");
  else if (is_motion(v[k].key))
    snprintf(text, n,
             "more grid points would help where these forces err (reduction.coordinates), or lower "
             "rates and accelerations that are declared there");
  else if (strncmp(v[k].key, "run", 3) == 0)
    snprintf(text, n,
             "all else is met: more modes (reduction.modes), a smaller reduction.tolerance, or a "
             "shorter step of the scenario would help");
  else
    mend_columns(c, text, n);
}
