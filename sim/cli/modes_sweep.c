// SPDX-License-Identifier: BSD-3-Clause
// modes_sweep.c: modeway modes --sweep: frequencies along one coordinate with the mode each belongs
// to.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd_layer.h"
#include "draw/plot_layer.h"
#include "reduction/reduce.h"
#include "view/modesweep_layer.h"

enum { POINTS = 31, MOST_POINTS = 10000 };

// NAME, its whole range, or NAME=LO:HI:N.
static mw_code read_axis(const mw_model *m, const char *text, mw_mode_sweep_in *in, mw_error *err)
{
  const mw_reduction_in *r = &m->reduction;
  size_t len = strcspn(text, "=");
  int used = -1, i = 0;
  while (i < r->n_coordinate &&
         (strlen(r->coordinate[i].name) != len || strncmp(r->coordinate[i].name, text, len) != 0))
    i++;
  if (i == r->n_coordinate)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--sweep: found \"%.64s\", expected a coordinate of the reduction", text);
  const mw_coordinate_in *c = &r->coordinate[i];
  in->along = i;
  in->n = POINTS;
  in->lo = c->lo;
  in->hi = c->hi;
  if (text[len] == '=' &&
      (sscanf(text + len + 1, "%lf:%lf:%d%n", &in->lo, &in->hi, &in->n, &used) != 3 ||
       text[len + 1 + (size_t)used] || in->n < 2 || in->n > MOST_POINTS || !(in->lo < in->hi)))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "--sweep: found \"%.64s\", expected %s=LO:HI:N with LO < HI, N from 2 to %d",
                   text, c->name, (int)MOST_POINTS);
  return MW_OK;
}

// --at for the other coordinates, the swept one at its first value.
static mw_code read_place(const mw_args *a, const mw_model *m, const mw_mode_sweep_in *in,
                          double *theta, mw_error *err)
{
  mw_arena mem = { 0 };
  const char *at = mw_args_value(a, "at");
  at = mw_arena_printf(&mem, "%s%s%s=%.17g", at ? at : "", at ? "," : "",
                       m->reduction.coordinate[in->along].name, in->lo);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_theta_read(m, at, theta, err);
  mw_arena_free(&mem);
  return rc;
}

static void json_rows(mw_json *j, const char *key, const mw_mode_sweep *s, const double *x)
{
  if (!x) return;
  mw_json_array(j, key);
  for (int k = 0; k < s->n; k++) {
    mw_json_array(j, NULL);
    for (int i = 0; i < s->n_freq; i++)
      if (s->identity[k * s->n_freq + i] >= 0) mw_json_num(j, NULL, x[k * s->n_freq + i]);
    mw_json_end(j, ']');
  }
  mw_json_end(j, ']');
}

static void print_json(const mw_model *m, const double *theta, const mw_mode_sweep *s)
{
  mw_json j = { .f = stdout };
  mw_json_object(&j, NULL);
  mw_json_str(&j, "sweep", s->name);
  mw_json_object(&j, "at");
  for (int i = 0; i < m->reduction.n_coordinate; i++)
    if (i != s->along) mw_json_num(&j, m->reduction.coordinate[i].name, theta[i]);
  mw_json_end(&j, '}');
  mw_json_array(&j, "values");
  for (int k = 0; k < s->n; k++) mw_json_num(&j, NULL, s->x[k]);
  mw_json_end(&j, ']');
  json_rows(&j, "frequencies_hz", s, s->hz ? s->hz : s->loaded);
  json_rows(&j, "under_weight_hz", s, s->loaded);
  mw_json_array(&j, "modes");
  for (int k = 0; k < s->n; k++) {
    mw_json_array(&j, NULL);
    for (int i = 0; i < s->n_freq; i++)
      if (s->identity[k * s->n_freq + i] >= 0)
        mw_json_num(&j, NULL, s->identity[k * s->n_freq + i] + 1);
    mw_json_end(&j, ']');
  }
  mw_json_end(&j, ']');
  json_rows(&j, "shares_kept", s, s->share);
  mw_json_num(&j, "shapes_lost", s->n_lost);
  mw_json_end(&j, '}');
}

// A row a point: each frequency with the number of its mode.
static void print_text(const mw_mode_sweep *s, const char *what)
{
  const double *hz = s->loaded ? s->loaded : s->hz;
  printf("%s over %s%s%s%s; Hz, in brackets the mode\n", what, s->name, *s->rest ? " at " : "",
         s->rest, s->loaded ? ", under the weight" : "");
  for (int k = 0; k < s->n; k++) {
    printf("%10.5g", s->x[k]);
    for (int i = 0; i < s->n_freq; i++)
      if (s->identity[k * s->n_freq + i] >= 0)
        printf("  %10.5g (%d)", hz[k * s->n_freq + i], s->identity[k * s->n_freq + i] + 1);
    printf("\n");
  }
  if (s->n_lost > 0)
    printf("%d times a frequency has more than half of no shape of the point before: a mode that "
           "comes into the band, or changes between points\n",
           s->n_lost);
}

mw_code mw_cmd_modes_sweep(const mw_args *a, const mw_case *c, int n, int how, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_rom_file rom = { 0 };
  mw_mode_sweep s = { 0 };
  double theta[MW_ROM_MAX_S];
  const char *path = mw_args_value(a, "rom"), *picture = mw_args_value(a, "picture"),
             *table = mw_args_value(a, "output");
  const char *what = path ? "modes of the reduced model" : "direct modes";
  mw_mode_sweep_in in = { .c = c, .n_freq = n, .how = how, .theta = theta };
  mw_code rc = read_axis(&c->model, mw_args_value(a, "sweep"), &in, err);
  if (rc == MW_OK && picture) rc = mw_plot_name(picture, err);
  if (rc == MW_OK) rc = read_place(a, &c->model, &in, theta, err);
  if (rc == MW_OK && path) {
    rc = mw_rom_of_case(c, path, &rom, err);
    if (rc == MW_OK) mw_cmd_warn_missed(&rom, path);
    in.rom = &rom;
    if (in.n_freq > rom.rom.m) in.n_freq = rom.rom.m;
  }
  if (rc == MW_OK && !path && (how & MW_MODES_FREE) == 0) mw_cmd_weight_note(&c->mech);
  if (rc == MW_OK) rc = mw_mode_sweep_build(&in, &mem, &s, err);
  if (rc == MW_OK && table) rc = mw_mode_sweep_csv(&s, table, err);
  if (rc == MW_OK && picture) rc = mw_mode_sweep_picture(&s, c->model.name, picture, err);
  if (rc == MW_OK && a->json) print_json(&c->model, theta, &s);
  if (rc == MW_OK && !a->json) print_text(&s, what);
  mw_rom_file_free(&rom);
  mw_arena_free(&mem);
  return rc;
}
