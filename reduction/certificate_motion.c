// SPDX-License-Identifier: BSD-3-Clause
// certificate_motion.c: positions of the outputs at rest and unloaded, of the tables against
// kinematics.
//
//   error = max over N random θ and outputs of |y0(θ) − x(ρ(θ))|            (1)
// θ: uniform in the box (points.c), the same every time. The largest of N samples is exceeded, with a confidence of 95 %, in less than 1 − 0.05^(1/N) of the box.
// Cost: a rigid configuration each.
#include <math.h>

#include "base/vec3.h"
#include "certificate_priv.h"
#include "fem/output.h"
#include "motion_priv.h"

enum { N_MOTION = 1000 };

// Largest distance of an output's position in `value` (of the tables) to that of the kinematics in
// `rec`.
static double distance(const mw_reduction *r, const mw_rom *rom, const double *value,
                       const double *rec)
{
  const mw_model *m = r->model;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom)),
                bare = mw_rom_layout_of((mw_rom_shape){ .s = r->s, .n_y = rom->n_y });
  double most = 0.0;
  for (int o = 0, k = 0; o < m->n_output; k += mw_output_width(&m->output[o++])) {
    double d[3];
    if (mw_output_is_gauge(&m->output[o])) continue;
    for (int i = 0; i < 3; i++) d[i] = value[L.y + (k + i) * (1 + r->m)] - rec[bare.y + k + i];
    double e = mw_norm3(d);
    if (!(e <= most)) most = e;
  }
  return most;
}

mw_code mw_certificate_motion(const mw_reduction *r, const mw_rom_file *f, mw_certificate *c,
                              mw_error *err)
{
  mw_motion_at w;
  mw_arena tmp = { 0 };
  uint64_t state = 1;
  mw_code rc = mw_motion_at_init(r, f->rom.n_y, &w, err);
  double *value = mw_arena_f64(&tmp, (size_t)f->rom.n_field);
  double *rec = mw_arena_f64(&tmp, (size_t)w.lay.n);
  if (rc == MW_OK) rc = mw_arena_check(&tmp, err);
  c->n_motion = N_MOTION;
  c->motion_error = 0.0;
  c->motion_tolerance = r->motion_tolerance;
  for (int i = 0; rc == MW_OK && i < N_MOTION; i++) {
    double theta[MW_ROM_MAX_S];
    mw_points_random(r, 1, &state, theta);
    rc = mw_motion_at_eval(&w, theta, mw_motion_near(r, theta), rec, err);
    if (rc == MW_OK && mw_rom_fields(&f->rom, theta, value, NULL, NULL) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
    double e = rc == MW_OK ? distance(r, &f->rom, value, rec) : 0.0;
    if (!(e <= c->motion_error)) c->motion_error = e;
  }
  mw_motion_at_free(&w);
  mw_arena_free(&tmp);
  return rc;
}
