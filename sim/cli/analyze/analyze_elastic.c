// SPDX-License-Identifier: BSD-3-Clause
// analyze_elastic.c: modeway analyze MODEL statics --elastic: how the unreduced machine gives way,
// and where it buckles.
#include <string.h>

#include "analyze/analyze_layer.h"
#include "analyze_priv.h"

enum { MOST = 3, POINTS = 11 };

static void print_rows(const mw_mech *m, const mw_elastic_rest *o, int i)
{
  const double *y = o->y + 3 * i * o->n_out;
  printf("factor %.9g, potential energy %.9g J:", o->factor[i], o->potential[i]);
  printf(m->n_coord > 0 ? " " : " no coordinate");
  mw_print_coordinates(m, o->s + i * m->n_coord);
  if (o->n_unstable[i] == 0) printf("; stable");
  if (o->n_unstable[i] > 0)
    printf("; unstable in %d direction%s", o->n_unstable[i], o->n_unstable[i] > 1 ? "s" : "");
  if (o->n_unstable[i] < 0 && !o->not_judged) printf("; its tangent is singular to rounding");
  printf("\n");
  for (int k = 0; k < o->n_out; k++) {
    const double *a = y + 3 * k, *b = o->y0 + 3 * k;
    printf("  %-16s %14.7g %14.7g %14.7g m   by %13.6g %13.6g %13.6g\n",
           m->model->output[o->out[k]].name, a[0], a[1], a[2], a[0] - b[0], a[1] - b[1],
           a[2] - b[2]);
  }
}

// Is a critical factor outside of the factors that were asked for?
static bool is_beyond(const mw_elastic_found *f, double factor)
{
  return f->lo < f->hi && (factor < f->lo || factor > f->hi);
}

static void print_critical(const mw_mech *m, const mw_elastic_found *f)
{
  const mw_buckling *c = &f->critical;
  if (f->left_out) printf("no critical factors: %s\n", f->left_out);
  if (f->sought && c->n == 0) printf("no critical factor\n");
  if (c->left > 0.0)
    printf("critical factors are known to %.2g: what another step would change is rounding\n",
           c->left);
  for (int i = 0; i < c->n; i++) {
    printf("critical factor %.9g%s", c->factor[i],
           is_beyond(f, c->factor[i]) ? ", beyond --factor" : "");
    for (int k = 0; k < f->rest.n_out; k++) {
      int out = f->rest.out[k];
      const double *y = c->y + 3 * (i * m->model->n_output + out);
      printf("%s %s %.5g %.5g %.5g", k > 0 ? ";" : ", gives way by", m->model->output[out].name,
             y[0], y[1], y[2]);
    }
    printf("\n");
  }
}

static void print_text(const mw_mech *m, const mw_elastic_found *f)
{
  const mw_elastic_rest *o = &f->rest;
  bool any = false;
  printf("%s: %d %s with elastic bodies; held:", m->model->name, o->n,
         o->n == 1 ? "equilibrium" : "equilibria");
  for (int c = 0; c < m->n_coord; c++)
    if (o->held[c]) printf("%s %s", any ? "," : "", mw_mech_coord_name(m, c)), any = true;
  printf(any ? "\n" : " nothing\n");
  for (int i = 0; i < o->n; i++) print_rows(m, o, i);
  if (o->not_judged) printf("stability is not judged: %s\n", o->not_judged);
  if (o->end) printf("beyond the last factor: %s\n", o->end);
  print_critical(m, f);
}

static void json_vector(mw_json *w, const char *key, const double *a, const double *b)
{
  mw_json_array(w, key);
  for (int i = 0; i < 3; i++) mw_json_num(w, NULL, a[i] - (b ? b[i] : 0.0));
  mw_json_end(w, ']');
}

static void json_rest(mw_json *w, const mw_mech *m, const mw_elastic_rest *o, int i)
{
  mw_json_object(w, NULL);
  mw_json_num(w, "factor", o->factor[i]);
  mw_json_object(w, "at");
  for (int c = 0; c < m->n_coord; c++)
    mw_json_num(w, mw_mech_coord_name(m, c), o->s[i * m->n_coord + c]);
  mw_json_end(w, '}');
  mw_json_num(w, "potential", o->potential[i]);
  mw_json_num(w, "turn", o->turn[i]);
  if (o->n_unstable[i] >= 0) mw_json_num(w, "unstable", o->n_unstable[i]);
  mw_json_object(w, "outputs");
  for (int k = 0; k < o->n_out; k++) {
    const double *y = o->y + 3 * (i * o->n_out + k);
    mw_json_object(w, m->model->output[o->out[k]].name);
    json_vector(w, "position", y, NULL);
    json_vector(w, "displacement", y, o->y0 + 3 * k);
    mw_json_end(w, '}');
  }
  mw_json_end(w, '}');
  mw_json_end(w, '}');
}

static void print_json(const mw_mech *m, const mw_elastic_found *f)
{
  const mw_elastic_rest *o = &f->rest;
  const mw_buckling *c = &f->critical;
  mw_json w = { .f = stdout };
  mw_json_object(&w, NULL);
  mw_json_str(&w, "name", m->model->name);
  mw_json_array(&w, "held");
  for (int k = 0; k < m->n_coord; k++)
    if (o->held[k]) mw_json_str(&w, NULL, mw_mech_coord_name(m, k));
  mw_json_end(&w, ']');
  mw_json_array(&w, "equilibria");
  for (int i = 0; i < o->n; i++) json_rest(&w, m, o, i);
  mw_json_end(&w, ']');
  mw_json_array(&w, "critical");
  for (int i = 0; i < c->n; i++) {
    mw_json_object(&w, NULL);
    mw_json_num(&w, "factor", c->factor[i]);
    mw_json_bool(&w, "beyond", is_beyond(f, c->factor[i]));
    mw_json_object(&w, "outputs");
    for (int k = 0; k < o->n_out; k++)
      json_vector(&w, m->model->output[o->out[k]].name,
                  c->y + 3 * (i * m->model->n_output + o->out[k]), NULL);
    mw_json_end(&w, '}');
    mw_json_end(&w, '}');
  }
  mw_json_end(&w, ']');
  if (o->not_judged) mw_json_str(&w, "not_judged", o->not_judged);
  mw_json_num(&w, "critical_left", c->left);
  mw_json_str(&w, "end", o->end ? o->end : "");
  mw_json_str(&w, "left_out", f->left_out ? f->left_out : "");
  mw_json_end(&w, '}');
}

// Forces of drives at frames, for critical factors; left_out: why these are not looked for.
static mw_code critical(const mw_mech *m, const mw_elastic_in *in, mw_arena *mem,
                        mw_elastic_found *f, mw_error *err)
{
  const mw_model *model = m->model;
  mw_buckling_in b = { .p = in->at->p, .s = in->at->s, .held = f->rest.held, .weight = in->weight };
  mw_ref *on = mw_arena_alloc(mem, (size_t)model->n_drive, sizeof *on);
  double *force = mw_arena_f64(mem, 3 * (size_t)model->n_drive);
  mw_code rc = mw_arena_check(mem, err);
  for (int d = 0; rc == MW_OK && d < model->n_drive; d++) {
    const mw_drive_in *drive = &model->drive[d];
    int c = drive->joint >= 0 ? m->joint[drive->joint].coord : -1;
    if (in->force[d] == 0.0 || (c >= 0 && f->rest.held[c])) continue;
    if (c >= 0) {
      f->left_out =
          mw_arena_printf(mem, "drive %s acts along a coordinate that is free", drive->name);
      return mw_arena_check(mem, err);
    }
    on[b.n_force] = drive->on;
    for (int i = 0; i < 3; i++) force[3 * b.n_force + i] = in->force[d] * drive->dir[i];
    b.n_force++;
  }
  b.on = on;
  b.force = force;
  f->sought = rc == MW_OK && (b.n_force > 0 || b.weight);
  return f->sought ? mw_buckling_find(m, &b, MOST, mem, &f->critical, err) : rc;
}

mw_code mw_analyze_elastic(const mw_args *a, const mw_mech *m, const mw_position *at,
                           const unsigned char *held, const double *force, mw_arena *mem,
                           mw_error *err)
{
  static const char *const apart[] = { "starts", "step" };
  const char *out = mw_args_value(a, "output"), *picture = mw_args_value(a, "picture");
  mw_elastic_found f = { 0 };
  mw_elastic_in in = { .at = at, .held = held, .force = force, .lo = 1.0, .hi = 1.0, .n = 1 };
  in.weight = mw_args_value(a, "weight") != NULL;
  memcpy(in.gravity, m->model->gravity, sizeof in.gravity);
  for (int i = 0; i < 2; i++)
    if (mw_args_value(a, apart[i]))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     "found --%s beside --elastic, which begins undeformed and takes --points of "
                     "the factor",
                     apart[i]);
  if (mw_args_value(a, "factor")) in.n = POINTS;
  mw_code rc = mw_args_range(a, "factor", &in.lo, &in.hi, err);
  if (rc == MW_OK) rc = mw_args_int(a, "points", 1, 100000, &in.n, err);
  if (rc == MW_OK) rc = mw_elastic_rest_find(m, &in, mem, &f.rest, err);
  f.lo = in.lo;
  f.hi = in.hi;
  if (rc == MW_OK) rc = critical(m, &in, mem, &f, err);
  if (rc == MW_OK && out) rc = mw_elastic_write(m, &f, out, a->line, err);
  if (rc == MW_OK && picture) rc = mw_elastic_picture(m, &f, picture, err);
  if (rc == MW_OK) (a->json ? print_json : print_text)(m, &f);
  return rc;
}
