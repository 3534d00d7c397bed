// SPDX-License-Identifier: BSD-3-Clause
// certificate_motion.c: positions of the outputs at rest and unloaded, of the tables against
// kinematics; and whether the model can move at all where its own weight has bent it.
//
//   error = max over N random θ and outputs of |y0(θ) − x(ρ(θ))|            (1)
// θ: uniform in the box (points.c), the same every time. The largest of N samples is exceeded, with
// a confidence of 95 %, in less than 1 − 0.05^(1/N) of the box. A coordinate with hardly any
// inertia of its own has what the columns leave of A(δ), a difference of large terms known to
// second order: at deflections of some size it is none any more. N_REST configurations at rest
// under gravity tell. Only free coordinates need inertia: what a run prescribes is given. A
// coordinate counts as free where no drive is on it, where a largest force of its drive is
// declared, or where a scenario of the model does not prescribe it; beside that all are taken for
// free, which is said where it makes a difference.
// Cost: a rigid configuration each.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "certificate_layer.h"
#include "fem/control.h"
#include "fem/output.h"
#include "rom/step.h"
#include "table/rigid_table_layer.h"

enum { N_MOTION = 1000, N_REST = 200 };

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

unsigned mw_motion_prescribable(const mw_reduction *r)
{
  const mw_model *m = r->model;
  unsigned bits = 0;
  for (int i = 0; i < r->s; i++)
    for (int d = 0; d < m->n_drive; d++)
      if (m->drive[d].joint == m->reduction.coordinate[i].joint &&
          !(m->reduction.max_input[d] > 0.0))
        bits |= 1u << i;
  return bits;
}

static bool prescribes(const mw_model *m, const mw_scenario *sc, int joint)
{
  double y[3];
  for (int d = 0; d < m->n_drive; d++)
    if (m->drive[d].joint == joint && mw_control_prescribed(sc, d, 0.0, y)) return true;
  return false;
}

unsigned mw_motion_prescribed(const mw_reduction *r)
{
  const mw_model *m = r->model;
  unsigned bits = mw_motion_prescribable(r);
  for (int i = 0; i < r->s; i++)
    for (int k = 0; k < m->n_scenario; k++)
      if (!prescribes(m, &m->scenario[k], m->reduction.coordinate[i].joint)) bits &= ~(1u << i);
  return bits;
}

double mw_motion_longest_free(const mw_reduction *r)
{
  const mw_model *m = r->model;
  unsigned bits = mw_motion_prescribable(r);
  double longest = 0.0;
  for (int k = 0; k < m->n_scenario; k++)
    for (int i = 0; i < r->s; i++)
      if (!(bits >> i & 1u) || !prescribes(m, &m->scenario[k], m->reduction.coordinate[i].joint))
        longest = fmax(longest, m->scenario[k].duration);
  return longest;
}

// Is the inertia of coordinates that are not prescribed singular at x, at rest? acc [s + m]
static bool stuck(const mw_rom *rom, unsigned prescribed, const double *u, const double *x,
                  double *acc, void *work)
{
  mw_rom_opt opt = mw_rom_opt_default();
  mw_rom_info info = { 0 };
  opt.prescribed = prescribed;
  return mw_rom_rhs(&(mw_rom_call){ .rom = rom, .opt = &opt, .u = u, .work = work, .info = &info },
                    x, acc) == MW_ROM_SINGULAR;
}

// Shares of N_REST configurations at which it is, deflected by gravity: of c->stuck and
// c->stuck_free.
static mw_code at_rest(const mw_reduction *r, const mw_rom *rom, mw_certificate *c, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_rom_info info = { 0 };
  unsigned prescribed = mw_motion_prescribed(r);
  size_t n = (size_t)(rom->s + rom->m);
  uint64_t state = 1;
  double *x = mw_arena_f64(&tmp, 2 * n), *acc = mw_arena_f64(&tmp, n),
         *u = mw_arena_f64(&tmp, (size_t)rom->n_u + 1);
  void *work = mw_arena_alloc(&tmp, mw_rom_work_bytes(rom), 1);
  mw_code rc = mw_arena_check(&tmp, err);
  c->stuck = c->stuck_free = 0.0;
  for (int i = 0; rc == MW_OK && i < N_REST; i++) {
    memset(x, 0, 2 * n * sizeof *x);
    mw_points_random(r, 1, &state, x);
    if (mw_rom_static(rom, x, u, x + rom->s, work, &info) != MW_ROM_OK) continue;
    c->stuck += stuck(rom, prescribed, u, x, acc, work) ? 1.0 / N_REST : 0.0;
    c->stuck_free += stuck(rom, 0, u, x, acc, work) ? 1.0 / N_REST : 0.0;
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_certificate_motion(const mw_reduction *r, const mw_tables *t, const mw_rom_file *f,
                              mw_certificate *c, mw_error *err)
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
  c->motion_tolerance = t->motion_tolerance;
  for (int i = 0; rc == MW_OK && i < N_MOTION; i++) {
    double theta[MW_ROM_MAX_S];
    mw_points_random(r, 1, &state, theta);
    rc = mw_motion_at_eval(&w, theta, mw_motion_near(r, theta), rec, err);
    if (rc == MW_OK && mw_rom_fields(&f->rom, theta, value, NULL, NULL) != MW_ROM_OK)
      rc = mw_fail(err, MW_ERR_RANGE, MW_NOWHERE, "a certificate point lies outside the grid");
    double e = rc == MW_OK ? distance(r, &f->rom, value, rec) : 0.0;
    if (!(e <= c->motion_error)) c->motion_error = e;
  }
  if (rc == MW_OK) rc = at_rest(r, &f->rom, c, err);
  mw_motion_at_free(&w);
  mw_arena_free(&tmp);
  return rc;
}
