// SPDX-License-Identifier: BSD-3-Clause
// reach.c: where deflections leave what a reduced model is right for (reach_layer.h).
#include "reach_layer.h"

#include <math.h>

#include "base/dense.h"
#include "reduction/certificate.h"

static const double ROUNDING = 1e-6;  // of a limit: a motion that just reaches it

static const mw_reach *reach_of(const mw_rom_file *f, int kind)
{
  return kind == MW_REACH_BEND ? &f->bend : &f->stretch;
}

bool mw_reach_note(const mw_rom_file *f, int kind, char *text, size_t n)
{
  static const char *const what[MW_REACH_N] = { "what is of third order",
                                                "stretching between supports" };
  const mw_reach *z = reach_of(f, kind);
  const char *but = kind == MW_REACH_BEND && (f->rom.parts & MW_ROM_THIRD)
                        ? " but of the inertia of turning rigid bodies"
                        : "";
  int first = -1;
  for (int a = f->rom.m - 1; z->amplitude && a >= 0; a--)
    if (isfinite(z->amplitude[a])) first = a;
  if (first < 0) return false;
  bool constant = kind == MW_REACH_BEND && f->rom.n_G == 0;
  snprintf(text, n, "%s%s is left out%s: beyond %.3g m of body %s (%s) %s is more than %.2g",
           what[kind], but, constant ? ", and any change of the columns' mass with deflection" : "",
           z->deflection[first], z->body[first], f->column[first], constant ? "third order" : "it",
           f->certificate.tolerance);
  return true;
}

void mw_reach_look(const mw_rom_file *f, const double *delta, double t, mw_reach_seen *seen)
{
  for (int kind = 0; kind < MW_REACH_N; kind++) {
    const mw_reach *z = reach_of(f, kind);
    for (int a = 0; z->amplitude && a < f->rom.m; a++) {
      double ratio = fabs(delta[a]) / z->amplitude[a];
      if (!(ratio > seen[kind].ratio)) continue;
      seen[kind] = (mw_reach_seen){ .ratio = ratio, .t = t, .column = a };
    }
  }
}

void mw_swing_look(const mw_rom_file *f, const double *delta, const double *rate, double t,
                   mw_swing_seen *seen)
{
  const mw_swings *z = &f->swing;
  double y = 0.0, e = 0.0, sum = 0.0, p[MW_SWING_MOST];
  int n = z->n < MW_SWING_MOST ? z->n : MW_SWING_MOST;
  for (int k = 0; k < n; k++) {
    const double *v = z->mode + k * f->rom.m;
    double q = mw_dot(f->rom.m, v, delta);
    p[k] = 0.0;
    if (!(z->omega[k] > 0.0)) continue;
    p[k] = mw_dot(f->rom.m, v, rate) / z->omega[k];
    sum += sqrt(fabs(z->shift[k])) * (q * q + p[k] * p[k]);
    seen->most[k] = fmax(seen->most[k], q * q + p[k] * p[k]);
    y += z->bends[k] * fabs(q);
    e += z->output[k] * z->third[k] * fabs(q * q * q);
  }
  for (int k = 0; k < n; k++) {
    seen->phase[k] += z->omega[k] * sqrt(fabs(z->shift[k])) * sum * (t - seen->t);
    e += z->output[k] * seen->phase[k] * fabs(p[k]);
  }
  seen->t = t;
  seen->peak = fmax(seen->peak, y);
  if (e <= seen->error) return;
  seen->error = e;
  seen->when = t;
}

// The mode whose phase errs most, NULL: outputs err by less than they may.
static mw_code warn_of_swings(const mw_rom_file *f, const mw_swing_seen *seen, mw_run *r,
                              mw_error *err)
{
  const mw_swings *z = &f->swing;
  double share = seen->peak > 0.0 ? seen->error / seen->peak : 0.0,
         tolerance = mw_certificate_run_tolerance(&f->certificate, "m");
  int a = 0;
  if (!(share > tolerance)) return MW_OK;
  for (int k = 1; k < z->n && k < MW_SWING_MOST; k++)
    if (z->output[k] * seen->phase[k] * sqrt(seen->most[k]) >
        z->output[a] * seen->phase[a] * sqrt(seen->most[a]))
      a = k;
  mw_run_add_warning(
      r,
      "body %s swings at %.4g Hz as far as %.3g m, where its frequency differs by %.1e, which a "
      "reduced "
      "model does not know: its phase errs by some %.2g rad up to the end, outputs with their own "
      "third order by some %.2g of their peak deflection (at %.6g s), more than %.2g; path full "
      "knows it",
      z->body[a], z->omega[a] / (2.0 * acos(-1.0)), z->deflection[a] * sqrt(seen->most[a]),
      z->shift[a] * seen->most[a], seen->phase[a], share, seen->when, tolerance);
  return mw_arena_check(&r->mem, err);
}

mw_code mw_reach_warn(const mw_rom_file *f, const mw_reach_seen *seen, const mw_swing_seen *swing,
                      mw_run *r, mw_error *err)
{
  static const char *const what[MW_REACH_N] = {
    "third order in deflection", "stretching of members held at both ends (or of elements too "
                                 "coarse to draw in)"
  };
  static const char *const who[MW_REACH_N] = { "path full of bodies made of several (divide)",
                                               "path full" };
  for (int kind = 0; kind < MW_REACH_N; kind++) {
    const mw_reach *z = reach_of(f, kind);
    int a = seen[kind].column;
    double x = seen[kind].ratio;
    if (!(x > 1.0)) continue;
    mw_run_add_warning(
        r,
        "%s deflects body %s by %.3g m (at %.6g s): beyond %.3g m %s, which a reduced model does "
        "not know, is more than %.2g of it, here some %.2g; %s knows it",
        f->column[a], z->body[a], x * z->deflection[a], seen[kind].t, z->deflection[a], what[kind],
        f->certificate.tolerance, x * x * f->certificate.tolerance, who[kind]);
  }
  return warn_of_swings(f, swing, r, err);
}

mw_code mw_free_warn(const mw_rom_file *f, unsigned prescribed, mw_run *r, mw_error *err)
{
  unsigned bits = f->swing.n > 0 ? f->certificate.third_held & ~prescribed : 0;
  const char *names = NULL;
  for (int i = 0; i < f->rom.s; i++)
    if (bits >> i & 1u)
      names = mw_arena_printf(&r->mem, "%s%s%s", names ? names : "", names ? ", " : "",
                              f->coordinate[i]);
  if (!names) return mw_arena_check(&r->mem, err);
  mw_run_add_beyond(r, "%s runs free", names);
  mw_run_add_warning(
      r,
      "free coordinates that the certificate takes for prescribed: %s; what third order makes of "
      "the phases is not judged then; reduce judges it for a model with a scenario that leaves "
      "them "
      "free, or with largest forces of their drives (reduction.inputs); path full knows it",
      names);
  return mw_arena_check(&r->mem, err);
}

void mw_fast_look(const mw_reduction_in *in, const double *before, const double *after, double h,
                  double t, mw_fast_seen *seen)
{
  for (int i = 0; i < in->n_coordinate; i++) {
    double a = fabs(after[i] - before[i]) / h, most = in->coordinate[i].max_acceleration;
    seen->rate[i] = fmax(seen->rate[i], fmax(fabs(before[i]), fabs(after[i])));
    seen->acceleration[i] = fmax(seen->acceleration[i], a);
    if (!(most > 0.0) || !(a > (1.0 + ROUNDING) * most) || !(a > seen->ratio * most)) continue;
    seen->ratio = a / most;
    seen->t = t;
    seen->coordinate = i;
  }
}

static void note_of_assumed(const mw_mech *m, const mw_rom_file *f, const mw_fast_seen *seen,
                            mw_run *r)
{
  static const char *const what[] = { "rate", "acceleration" }, *const per[] = { "/s", "/s2" };
  const mw_certificate *c = &f->certificate;
  const char *text = NULL;
  for (int i = 0; c->force_rate && c->force_acceleration && i < f->rom.s; i++) {
    const mw_coordinate_in *in = &m->model->reduction.coordinate[i];
    const double declared[] = { in->max_rate, in->max_acceleration },
                 judged[] = { c->force_rate[i], c->force_acceleration[i] },
                 went[] = { seen->rate[i], seen->acceleration[i] };
    for (int k = 0; k < 2; k++) {
      if (declared[k] > 0.0 || !(went[k] > (1.0 + ROUNDING) * judged[k])) continue;
      text = mw_arena_printf(&r->mem, "%s%s%s of %s %.3g %s%s (judged up to %.3g)",
                             text ? text : "", text ? ", " : "", what[k], in->name, went[k],
                             mw_joint_unit(&m->model->joint[in->joint]), per[k], judged[k]);
    }
  }
  if (!text) return;
  mw_run_add_note(r,
                  "faster than what the certificate judges forces of motion for, as nothing is "
                  "declared: %s; max_rate and max_acceleration (reduction.coordinates) have them "
                  "judged",
                  text);
}

mw_code mw_fast_warn(const mw_mech *m, const mw_rom_file *f, const mw_fast_seen *seen, mw_run *r,
                     mw_error *err)
{
  note_of_assumed(m, f, seen, r);
  if (!(seen->ratio > 0.0)) return mw_arena_check(&r->mem, err);
  const mw_coordinate_in *c = &m->model->reduction.coordinate[seen->coordinate];
  mw_run_add_warning(r,
                     "%s accelerates by %.3g %s/s2 (at %.6g s), %.3g are declared: the "
                     "certificate promises nothing beyond",
                     c->name, seen->ratio * c->max_acceleration,
                     mw_joint_unit(&m->model->joint[c->joint]), seen->t, c->max_acceleration);
  mw_run_add_beyond(r, "%s accelerates by more than is declared", c->name);
  return mw_arena_check(&r->mem, err);
}
