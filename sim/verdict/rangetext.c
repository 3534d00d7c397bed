// SPDX-License-Identifier: BSD-3-Clause
// rangetext.c: the ranges that a reduced model is meant for and its certificate covers, in
// words and as JSON.
#include "rangetext_layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reduction/certificate.h"

static const char *unit_of(const mw_rom_file *f, int i)
{
  return f->unit && f->unit[i] ? f->unit[i] : "";
}

// "what: NAME value unit, …" of the n values that are finite; false: none is
static bool list_of(const mw_rom_file *f, const char *what, int n, const char *const *name,
                    const double *x, const char *per, char *text)
{
  size_t used = (size_t)snprintf(text, MW_RANGE_SIZE, "%s", what);
  bool any = false;
  for (int i = 0; x && i < n && used < MW_RANGE_SIZE; i++) {
    if (!isfinite(x[i])) continue;
    used += (size_t)snprintf(text + used, MW_RANGE_SIZE - used, "%s %s %.4g", any ? "," : "",
                             name[i], x[i]);
    if (per && used < MW_RANGE_SIZE)
      used += (size_t)snprintf(text + used, MW_RANGE_SIZE - used, " %s%s", unit_of(f, i), per);
    any = true;
  }
  return any;
}

static bool bandwidth(const mw_rom_file *f, char *text)
{
  const mw_certificate *c = &f->certificate;
  double hz = mw_certificate_bandwidth(c);
  if (!(hz > 0.0)) return false;
  snprintf(text, MW_RANGE_SIZE, "bandwidth of inputs: %.4g Hz, %s; above it the model has %s", hz,
           c->n_io > 0 ? "up to which receptances hold at the certificate's tolerance"
                       : "of the highest mode compared, for no receptances are",
           f->n_patterns > 0 ? "static patterns alone" : "nothing");
  return true;
}

// Values of the parameters that the model keeps.
static bool parameters(const mw_rom_file *f, char text[MW_RANGE_SIZE])
{
  size_t at = 0;
  text[0] = 0;
  for (int k = 0; k < f->n_parameter && at < MW_RANGE_SIZE; k++) {
    const mw_rom_parameter *p = &f->parameter[k];
    int n = snprintf(text + at, MW_RANGE_SIZE - at, "%s %s = %.6g (kept from %.6g to %.6g)",
                     k ? "," : "parameters:", p->name, p->value, p->lo, p->hi);
    at += n > 0 ? (size_t)n : 0;
  }
  return f->n_parameter > 0;
}

// What runs with free coordinates are judged by.
static bool rest_forces(const mw_rom_file *f, char *text)
{
  const mw_certificate *c = &f->certificate;
  size_t used = (size_t)snprintf(text, MW_RANGE_SIZE, "forces along coordinates at rest err by:");
  bool any = false;
  for (int i = 0; c->rest_force && i < f->rom.s && used < MW_RANGE_SIZE; i++) {
    if (!(c->rest_force[i] > 0.0)) continue;
    used += (size_t)snprintf(text + used, MW_RANGE_SIZE - used, "%s %s %.2g N%s within %.2g %s",
                             any ? "," : "", f->coordinate[i], c->rest_force[i],
                             strcmp(unit_of(f, i), "rad") == 0 ? " m" : "", c->rest_length[i],
                             unit_of(f, i));
    any = true;
  }
  return any;
}

bool mw_range_text(const mw_rom_file *f, int k, char text[MW_RANGE_SIZE])
{
  const mw_certificate *c = &f->certificate;
  const mw_rom *r = &f->rom;
  for (int line = 0, n = 0; line < 7; line++) {
    bool there =
        line == 0
            ? list_of(f, "rates, refused beyond:", r->s, f->coordinate, r->rate_max, "/s", text)
        : line == 1 ? list_of(f, "inputs, refused beyond:", r->n_u, f->input, r->u_max, NULL, text)
        : line == 2 ? list_of(f, "rates that forces are judged for:", r->s, f->coordinate,
                              c->force_rate, "/s", text)
        : line == 3 ? list_of(f, "accelerations that forces are judged for:", r->s, f->coordinate,
                              c->force_acceleration, "/s2", text)
        : line == 4 ? rest_forces(f, text)
        : line == 5 ? bandwidth(f, text)
                    : parameters(f, text);
    if (there && n++ == k) return true;
  }
  return false;
}

// Member of numbers by name; null where there is no limit
static void json_list(mw_json *j, const char *key, int n, const char *const *name, const double *x)
{
  if (!x) return;
  mw_json_object(j, key);
  for (int i = 0; i < n; i++) mw_json_num(j, name[i], x[i]);
  mw_json_end(j, '}');
}

void mw_ranges_json(mw_json *j, const mw_rom_file *f)
{
  const mw_certificate *c = &f->certificate;
  const mw_rom *r = &f->rom;
  double hz = mw_certificate_bandwidth(c);
  mw_json_object(j, "ranges");
  json_list(j, "rates_refused_beyond", r->s, f->coordinate, r->rate_max);
  json_list(j, "inputs_refused_beyond", r->n_u, f->input, r->u_max);
  json_list(j, "amplitudes_refused_beyond", r->m, f->column, r->delta_max);
  json_list(j, "rates_judged", r->s, f->coordinate, c->force_rate);
  json_list(j, "accelerations_judged", r->s, f->coordinate, c->force_acceleration);
  json_list(j, "rest_forces", r->s, f->coordinate, c->rest_force);
  json_list(j, "rest_lengths", r->s, f->coordinate, c->rest_length);
  mw_json_num(j, "input_bandwidth_hz", hz > 0.0 ? hz : (double)NAN);
  mw_json_end(j, '}');
}
