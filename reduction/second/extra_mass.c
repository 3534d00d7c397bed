// SPDX-License-Identifier: BSD-3-Clause
// extra_mass.c: which columns' mass changes with their amplitudes by more than may be left out.
//
// Of the softest column's amplitude δ_1, frequency ω_1: a quasi-static δ_a is some (ω_1/ω_a)² δ_1,
// so that ½ w·E w over ½ w·w is
//   2 δ_1 |G_abc| f_a f_b f_c ,   f_a = (ω_1/ω_a)²                                              (1)
// Vibrations and their inertia forces err by that share where G is left out. The largest δ_1 has
// the strain energy of what is declared:
//   δ_1 = w/(ω_1 √c)                max_deflection w, c: the largest compliance of an output
//   δ_1 = 2 Σ_l √(F_l K⁻¹ F_l)/ω_1  else, where rates, accelerations and inputs are all declared;
//       2: loads that jump      (2)
// With neither, w is a third of the machine's size, as in delta_max.
// A coordinate that is light, its inertia A − B Bᵀ being the small difference a_ii − Σ d_ia², errs
// by more than that share: H δ in B changes it to first order, and only (I + E)⁻¹ between B and Bᵀ
// follows.
// Where the third order is not kept, columns that turn with a coordinate faster than they vibrate
// go without G: there it is held up by A3 and B2, and errs alone by (θ'_i e_iab/ω_1)² of its share.
// Only where a coordinate turns a body: elsewhere columns change the mass by what they turn
// themselves, in proportion to deflection over length, too, and that is left out.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "extra_layer.h"
#include "table/rigid_table_layer.h"
#include "third_layer.h"

enum { MOST = 6 };  // columns: k³/2 fields of the record
// of the tolerance, of light coordinates; of others; of the largest share, where nothing is
// declared
static const double PART = 0.1, HALF = 0.5, SMALL = 1e-2;
static const double SEEN = 1e-3;    // of the tolerance: shares below are not named
static const double SHAPES = 1e-7;  // what an eigensolver leaves of shapes that stay

bool mw_mass_is_light(const mw_reduction *r, const double *records, int n_y, int i)
{
  static const double LIGHT = 0.05;  // of a_ii
  const mw_rom_layout lay = mw_rom_layout_of((mw_rom_shape){ .s = r->s, .m = r->m, .n_y = n_y });
  double own = 1.0;
  for (size_t g = 0; g < (size_t)r->n_point; g++) {
    const double *rec = records + g * (size_t)lay.n, *d = rec + lay.d + i * r->m;
    double a = rec[lay.a + i * (i + 3) / 2];
    own = fmin(own, (a - mw_dot(r->m, d, d)) / a);
  }
  return own < LIGHT;
}

// out [n_moved + 1] = the largest (1), for δ_1 = ½, of entries that are not of the first k columns
// alone, k = 0 … n_moved. f [m] of (1). Returns ω_1, rad/s.
static double shares(const mw_extra *x, const double *records, int n_field, int K, double *f,
                     double *out)
{
  int m = x->m, n = x->n_moved;
  size_t mm = (size_t)(m * (m + 1) / 2);
  double w1 = INFINITY;
  for (int a = 0; a < m; a++) {
    const double *Kaa = records + K + a * (a + 3) / 2;
    f[a] = INFINITY;
    for (size_t g = 0; g < (size_t)x->n_point; g++)
      f[a] = fmin(f[a], sqrt(Kaa[g * (size_t)n_field]));
    w1 = fmin(w1, f[a]);
  }
  for (int a = 0; a < m; a++) f[a] = w1 * w1 / (f[a] * f[a]);
  memset(out, 0, (size_t)(n + 1) * sizeof *out);
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    for (int a = 0; a < n; a++) {
      const double *G = x->G + (g * (size_t)n + (size_t)a) * mm;
      for (int b = 0; b < m; b++)
        for (int c = 0; c <= b; c++, G++) {
          int last = a > b ? a : b;  // the first `last` columns do not have it
          double size = fabs(*G) * f[a] * f[b] * f[c];
          for (int k = 0; k <= n && k <= last; k++) out[k] = fmax(out[k], size);
        }
    }
  return w1;
}

// Strain energy's amplitude of (2), times ω_1: of every declared load, added up; largest on the
// grid. INFINITY: a bound is missing.
static mw_code loaded(const mw_extra_grid *z, const mw_rom *rom, double *out, mw_error *err)
{
  const mw_reduction_in *in = &z->r->model->reduction;
  int m = z->r->m, n = mw_motion_load_count(z->r);
  *out = INFINITY;
  for (int i = 0; i < z->r->s; i++)
    if (!(in->coordinate[i].max_rate > 0.0) || !(in->coordinate[i].max_acceleration > 0.0))
      return MW_OK;
  for (int d = 0; d < z->r->model->n_drive; d++) {
    int joint = z->r->model->drive[d].joint;
    bool moves = false;  // a coordinate, whose acceleration is bounded
    for (int i = 0; i < z->r->s; i++)
      moves = moves || (joint >= 0 && z->r->mech->joint[joint].coord == z->r->coord[i]);
    if (!moves && !(in->max_input[d] > 0.0)) return MW_OK;
  }
  mw_arena tmp = { 0 };
  mw_field_ranges declared;
  mw_reduction_declared(z->r, &declared);
  double *K = mw_arena_f64(&tmp, (size_t)m * (size_t)m),
         *F = mw_arena_f64(&tmp, (size_t)n * (size_t)m), *w = mw_arena_f64(&tmp, (size_t)m),
         most = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int g = 0; rc == MW_OK && g < z->r->n_point; g++) {
    const double *rec = z->records + (size_t)g * (size_t)z->lay.n;
    double sum = 0.0;
    for (int a = 0; a < m; a++)
      for (int b = 0; b <= a; b++) K[a * m + b] = rec[z->lay.K + a * (a + 1) / 2 + b];
    rc = mw_chol_factor(m, K, err);
    if (rc != MW_OK) break;
    (void)mw_motion_loads(z->r, &declared, rom, rec, F);
    for (int l = 0; l < n; l++) {
      memcpy(w, F + l * m, (size_t)m * sizeof *w);
      mw_chol_solve(m, K, 1, w);
      sum += sqrt(fmax(mw_dot(m, F + l * m, w), 0.0));
    }
    most = fmax(most, 2.0 * sum);
  }
  mw_arena_free(&tmp);
  if (rc == MW_OK) *out = most;
  return rc;
}

// (2): *delta; is it declared?
static mw_code amplitude(const mw_extra_grid *z, const mw_rom *rom, double w1, double *delta,
                         bool *declared, mw_error *err)
{
  double w = z->r->model->reduction.max_deflection;
  if (w > 0.0 && !isinf(w) && z->soft > 0.0) {
    *delta = w / (sqrt(z->soft) * w1);
    *declared = true;
    return MW_OK;
  }
  mw_code rc = loaded(z, rom, delta, err);
  *declared = isfinite(*delta);
  *delta /= w1;
  if (!*declared && z->soft > 0.0)
    *delta = mw_motion_size(z->r, rom, z->records) / 3.0 / (sqrt(z->soft) * w1);
  return rc;
}

static void name(mw_extra_note *note, void *to, int n_G, double share, bool declared)
{
  char text[128], amount[64];
  snprintf(amount, sizeof amount,
           declared ? "%.1e of it at the declared ranges" : "%.1e of it at a third of the size",
           share);
  if (n_G == 0)
    snprintf(text, sizeof text, "change of the columns' mass (%s)", amount);
  else
    snprintf(text, sizeof text, "change of the mass of columns after the first %d (%s)", n_G,
             amount);
  note(to, text);
}

// B2 of light coordinates goes: with B so, their inertia would take (I + E)⁻¹ to second order in δ,
// and half of it is worse than none.
static void clear_light(const mw_extra_grid *z, int n_y, mw_extra *x, mw_extra_note *note, void *to)
{
  size_t k = (size_t)x->n_G;
  for (int i = 0; i < x->s; i++) {
    if (!mw_mass_is_light(z->r, z->records, n_y, i)) continue;
    char text[128];
    snprintf(text, sizeof text, "coupling with %s quadratic in the columns",
             z->r->model->reduction.coordinate[i].name);
    note(to, text);
    mw_extra_clear(z->r, x->B2, x->s, i, k * (k * (k + 1) / 2));
  }
}

typedef struct sizes {  // of (1), (2)
  const double *f;      // [m]
  double w1, delta;
  bool declared;
} sizes;

// Do columns of G turn with a coordinate faster than they vibrate, |θ'_i e_iab| > ω_1, at the
// declared or assumed rates?
static bool turned(const mw_extra_grid *z, const mw_extra *x, double w1)
{
  const mw_reduction *r = z->r;
  double most = 0.0;
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    for (int i = 0; i < x->s; i++) {
      double max = r->model->reduction.coordinate[i].max_rate;
      const double *e = z->records + g * (size_t)z->lay.n + z->lay.e + i * (x->m * (x->m - 1) / 2);
      for (int ab = 0; ab < x->n_G * (x->n_G - 1) / 2; ab++)
        most = fmax(most, fabs(e[ab]) * (max > 0.0 ? max : r->range.rate[i]));
    }
  return most > w1;
}

// Is the third order of T (third_mass.c) kept, beside G? G goes where it would err by more than it
// mends.
static mw_code choose_third(const mw_extra_grid *z, const sizes *q, mw_extra *x,
                            mw_extra_note *note, void *to, mw_error *err)
{
  double rate[MW_ROM_MAX_S], share, tolerance = z->r->model->reduction.tolerance;
  char text[128];
  bool kept = z->r->model->reduction.n_kept > 0;
  mw_code rc = kept ? MW_OK : mw_third_mass(z->r, q->f, x, err);
  if (rc == MW_OK && x->n_G > 0 && !x->third) {
    if (turned(z, x, q->w1)) x->n_G = 0;
    note(to, kept ? "third order of the motion (of what parameters change it is not known)"
                  : "third order of the motion (elastic bodies move with the columns)");
  }
  if (rc != MW_OK || !x->third) return rc;
  for (int i = 0; i < x->s; i++) {
    rate[i] = z->r->model->reduction.coordinate[i].max_rate;
    if (!(rate[i] > 0.0)) rate[i] = INFINITY;
  }
  share = q->delta * mw_third_share(x, q->f, q->w1, rate);
  x->third = !q->declared || !(share <= HALF * tolerance);
  snprintf(text, sizeof text, "third order of the motion (%.1e of it at the declared ranges)",
           share);
  if (!x->third && share > SEEN * tolerance) note(to, text);
  return MW_OK;
}

// n_G, by the largest (1) of what is left, left [n_moved + 1]; false: nothing but rounding.
static bool choose_columns(const mw_extra_grid *z, const double *left, const sizes *q,
                           const mw_rom_file *f, mw_extra *x)
{
  double least = 0.0, delta = q->delta, tolerance = z->r->model->reduction.tolerance;
  bool light = f->light != NULL, declared = q->declared;
  for (int i = 0; i < x->s; i++) {  // a column's rigid part is some 1/√a of a coordinate
    double a = z->records[(size_t)z->lay.a + (size_t)(i * (i + 3) / 2)];
    least = fmax(least, SHAPES / (sqrt(a) * (z->r->hi[i] - z->r->lo[i])));
  }
  if (left[0] <= least) return false;
  bool deflection = declared && z->r->model->reduction.max_deflection > 0.0;
  double limit = (light ? PART : HALF) * tolerance / (2.0 * delta), most = SMALL * left[0];
  if (!declared) limit = light ? most : fmax(limit, most);
  if (declared && light && !deflection) limit = fmin(tolerance / (2.0 * delta), most);
  while (x->n_G < x->n_moved && x->n_G < MOST && left[x->n_G] > limit) x->n_G++;
  return true;
}

// Names what of G is left out.
static void account(const mw_extra_grid *z, const double *left, const sizes *q, const mw_extra *x,
                    mw_rom_file *f, mw_extra_note *note, void *to)
{
  double share = 2.0 * q->delta * left[x->n_G];
  if (share > SEEN * z->r->model->reduction.tolerance) name(note, to, x->n_G, share, q->declared);
  if (q->declared) f->mass_left = share;
}

mw_code mw_mass_choose(const mw_extra_grid *z, mw_extra *x, mw_rom_file *f, mw_extra_note *note,
                       void *to, mw_error *err)
{
  double left[MW_ROM_MAX_G + 1];
  mw_arena tmp = { 0 };
  x->n_G = 0;
  f->mass_left = 0.0;
  if (x->n_moved == 0) return MW_OK;
  double *w = mw_arena_f64(&tmp, (size_t)x->m);
  sizes q = { .f = w };
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  q.w1 = shares(x, z->records, z->lay.n, z->lay.K, w, left);
  rc = amplitude(z, &f->rom, q.w1, &q.delta, &q.declared, err);
  bool any = rc == MW_OK && choose_columns(z, left, &q, f, x);
  if (rc == MW_OK) rc = choose_third(z, &q, x, note, to, err);
  if (rc == MW_OK && any) account(z, left, &q, x, f, note, to);
  if (rc == MW_OK && x->third) clear_light(z, f->rom.n_y, x, note, to);
  mw_arena_free(&tmp);
  return rc;
}

void mw_mass_copy(const mw_extra *x, int n_gain, int at, double *out)
{
  size_t n = (size_t)x->n_G, nn = n * (n + 1) / 2, mm = (size_t)(x->m * (x->m + 1) / 2);
  for (size_t g = 0; g < (size_t)x->n_point; g++)
    for (size_t a = 0; a < n; a++)
      memcpy(out + g * (size_t)n_gain + (size_t)at + a * nn,
             x->G + (g * (size_t)x->n_moved + a) * mm, nn * sizeof *out);
}
