// SPDX-License-Identifier: BSD-3-Clause
// run.c: the time series of a simulation, the same for every path.
#include "sim/run.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/vec3.h"
#include "fem/control.h"
#include "fem/output.h"

static const double INTERVALS_MOST = 1e8;

static mw_code list_outputs(mw_run *r, mw_error *err)
{
  const mw_model *m = r->model;
  r->out = mw_arena_int(&r->mem, (size_t)m->n_output);
  r->gauge = mw_arena_int(&r->mem, (size_t)m->n_output);
  mw_code rc = mw_arena_check(&r->mem, err);
  for (int k = 0; rc == MW_OK && k < m->n_output; k++) {
    if (mw_output_is_gauge(&m->output[k]))
      r->gauge[r->n_gauge++] = k;
    else if (!m->output[k].part)
      r->out[r->n_out++] = k;
  }
  return rc;
}

// a part in 1e9 of an interval: the duration may be a rounded multiple of it
static double intervals_of(const mw_scenario *sc)
{
  return floor(sc->duration / sc->store * (1.0 + 1e-9) + 1e-9);
}

static const double SAME = 1e-6;  // relative: rates, steps and intervals as they were asked for

static void name_interval(mw_run *r, const mw_scenario *sc)
{
  if (sc->store_asked > 0.0 && fabs(sc->store - sc->store_asked) > SAME * sc->store)
    mw_run_add_note(r, "stored every %.9g s in place of %.9g s, so that the run ends at %.9g s",
                    sc->store, sc->store_asked, sc->duration);
}

// A prescribed velocity that jumps is an impulse of the drive; what it does is in the motion, but
// not in the work.
static mw_code name_kinks(mw_run *r, const mw_scenario *sc, mw_error *err)
{
  for (int i = 0; i < sc->n_action; i++) {
    const mw_signal *g = &sc->action[i].signal;
    if (sc->action[i].kind != MW_ACTION_POSITION) continue;
    for (double t = mw_signal_next_kink(g, 0.0); t < sc->duration; t = mw_signal_next_kink(g, t)) {
      double y, before, after;
      mw_signal_eval(g, mw_signal_before(t), &y, &before, NULL);
      mw_signal_eval(g, t, &y, &after, NULL);
      if (!(fabs(after - before) > SAME * fmax(fabs(before), fabs(after)))) continue;
      r->kinked = true;
      mw_run_add_note(
          r,
          "the velocity that drive %s prescribes jumps at %.6g s: its impulse is not in the work, "
          "no energy balance is given",
          r->model->drive[sc->action[i].drive].name, t);
      return mw_arena_check(&r->mem, err);
    }
  }
  return MW_OK;
}

int mw_run_instants(const mw_scenario *sc)
{
  double n = intervals_of(sc);
  return n >= 0.0 && n < INTERVALS_MOST ? (int)n + 1 : 0;
}

mw_code mw_run_init(const mw_model *model, const mw_scenario *sc, const char *path, int n_coord,
                    mw_run *out, mw_error *err)
{
  if (mw_run_instants(sc) == 0)
    return mw_fail(err, MW_ERR_INPUT, sc->at, "scenario %s stores %g instants, at most %g expected",
                   sc->name, intervals_of(sc), INTERVALS_MOST);
  mw_run r = { .path = path,
               .scenario = sc->name,
               .model = model,
               .n_t = mw_run_instants(sc),
               .n_coord = n_coord,
               .n_drive = model->n_drive };
  size_t n = (size_t)r.n_t;
  mw_code rc = list_outputs(&r, err);
  if (rc != MW_OK) {
    mw_run_free(&r);
    return rc;
  }
  r.t = mw_arena_f64(&r.mem, n);
  r.s = mw_arena_f64(&r.mem, n * (size_t)n_coord);
  r.s_dot = mw_arena_f64(&r.mem, n * (size_t)n_coord);
  r.y = mw_arena_f64(&r.mem, n * 3 * (size_t)r.n_out);
  r.stress = mw_arena_f64(&r.mem, n * 6 * (size_t)r.n_gauge);
  r.seen = mw_arena_f64(&r.mem, n * (size_t)mw_observed_row(model, model->n_observed));
  r.force = mw_arena_f64(&r.mem, n * (size_t)r.n_drive);
  r.kinetic = mw_arena_f64(&r.mem, n);
  r.potential = mw_arena_f64(&r.mem, n);
  r.work = mw_arena_f64(&r.mem, n);
  r.residual = mw_arena_f64(&r.mem, n);
  rc = mw_arena_check(&r.mem, err);
  name_interval(&r, sc);
  if (rc == MW_OK) rc = name_kinks(&r, sc, err);
  if (rc == MW_OK)
    *out = r;
  else
    mw_run_free(&r);
  return rc;
}

mw_code mw_run_steps(mw_run *r, double T, const char *what, double step, int *out, mw_error *err)
{
  double parts = fmax(ceil(T / step - 1e-9), 1.0), h = T / parts;
  if (!(parts < 1e9))
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "step is %g s, too small for an interval of %g s",
                   step, T);
  *out = (int)parts;
  if (!(fabs(h - step) > SAME * step)) return mw_arena_check(&r->mem, err);
  if (*out == 1)
    mw_run_add_note(r, "steps of %.9g s in place of %.9g s: %s as often", h, step, what);
  else
    mw_run_add_note(
        r, "steps of %.9g s in place of %.9g s: %d of them make up the %.9g s after which %s", h,
        step, *out, T, what);
  return mw_arena_check(&r->mem, err);
}

mw_code mw_run_init_rigid(mw_run *r, mw_error *err)
{
  size_t n = (size_t)r->n_t, nj = (size_t)r->model->n_joint;
  r->n_joint = r->model->n_joint;
  r->stress = NULL;
  r->residual_v = mw_arena_f64(&r->mem, n);
  r->residual_a = mw_arena_f64(&r->mem, n);
  r->reaction = mw_arena_f64(&r->mem, n * nj * 6);
  r->redundant = mw_arena_int(&r->mem, n * nj);
  return mw_arena_check(&r->mem, err);
}

// Appends text to list [*n]; NULL: there was no memory for it.
static void append(mw_run *r, const char ***list, int *n, const char *text)
{
  const char **more = mw_arena_alloc(&r->mem, (size_t)*n + 1, sizeof *more);
  if (!more || !text) return;
  for (int k = 0; k < *n; k++) more[k] = (*list)[k];
  more[(*n)++] = text;
  *list = more;
}

void mw_run_add_warning(mw_run *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  append(r, &r->warning, &r->n_warning, mw_arena_vprintf(&r->mem, format, args));
  va_end(args);
}

void mw_run_add_note(mw_run *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  append(r, &r->note, &r->n_note, mw_arena_vprintf(&r->mem, format, args));
  va_end(args);
}

void mw_run_add_beyond(mw_run *r, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const char *text = mw_arena_vprintf(&r->mem, format, args);
  va_end(args);
  r->beyond = r->beyond && text ? mw_arena_printf(&r->mem, "%s, %s", r->beyond, text) : text;
}

void mw_run_warn_limited(mw_run *r, const mw_control *c)
{
  for (int k = 0; k < c->sc->n_action; k++) {
    const mw_control_loop *l = &c->loop[k];
    if (l->n_limited == 0) continue;
    mw_run_add_warning(r,
                       "drive %s is at its limits of force or power at %d of %d samples of its "
                       "controller, first at %.6g s",
                       c->model->drive[c->sc->action[k].drive].name, l->n_limited, c->n_sample,
                       l->t_limited);
  }
}

int mw_run_parts(mw_run *r, mw_part *part)
{
  const size_t n = (size_t)r->n_t, nb = (size_t)r->n_body, joints = n * (size_t)r->n_joint;
  const struct {
    double *at;
    size_t n;
  } series[] = { { r->t, n },
                 { r->s, n * (size_t)r->n_coord },
                 { r->s_dot, n * (size_t)r->n_coord },
                 { r->y, 3 * n * (size_t)r->n_out },
                 { r->stress, 6 * n * (size_t)r->n_gauge },
                 { r->seen, n * (size_t)mw_observed_row(r->model, r->model->n_observed) },
                 { r->force, n * (size_t)r->n_drive },
                 { r->kinetic, n },
                 { r->potential, n },
                 { r->work, n },
                 { r->residual, n },
                 { r->residual_v, n },
                 { r->residual_a, n },
                 { r->reaction, 6 * joints },
                 { r->turn, nb },
                 { r->turn_t, nb },
                 { r->spin, nb },
                 { r->flank, 3 * (size_t)r->n_flank },
                 { &r->wall_s, 1 } };
  int k = 0;
  for (size_t i = 0; i < sizeof series / sizeof *series; i++)
    if (series[i].at) part[k++] = (mw_part){ series[i].at, series[i].n * sizeof(double) };
  if (r->redundant) part[k++] = (mw_part){ r->redundant, joints * sizeof *r->redundant };
  part[k++] = (mw_part){ &r->iterations, sizeof r->iterations };
  return k;
}

void mw_run_finish(mw_run *r)
{
  // what changes by less than this part of the energies at hand is rounding of stiffness against
  // stiffness: nothing moved (by 3e-5 of a deflection at rest)
  static const double ROUNDING = 1e-9;
  double drift = 0.0, scale = 0.0, most = 0.0;
  for (int k = 0; k < r->n_t; k++) {
    double dE = r->kinetic[k] + r->potential[k] - r->work[k] -
                (r->kinetic[0] + r->potential[0] - r->work[0]);
    double size = fabs(r->kinetic[k]) + fabs(r->potential[k] - r->potential[0]);
    if (!(fabs(dE) <= drift)) drift = fabs(dE);
    if (!(size <= scale)) scale = size;
    most = fmax(most, fabs(r->kinetic[k]) + fabs(r->potential[k]));
  }
  if (scale <= ROUNDING * most) scale = most;
  // where there is no energy there is nothing to compare with
  static const double NOTHING = 1e-25;  // J
  r->energy_drift = r->kinked ? NAN : scale > NOTHING ? drift / scale : drift;
}

double mw_run_equivalent(const mw_run *r, int g, int t)
{
  if (!r->stress) return (double)NAN;
  size_t at = (size_t)t * (size_t)r->n_gauge + (size_t)g;
  return mw_output_equivalent(r->model->output[r->gauge[g]].kind, r->stress + 6 * at);
}

double *mw_run_seen(const mw_run *r, int o, int t)
{
  int width = mw_observed_row(r->model, r->model->n_observed);
  return r->seen + (size_t)t * (size_t)width + mw_observed_row(r->model, o);
}

void mw_run_note_unseen(mw_run *r, mw_output_kind kind, const char *why)
{
  const char *names = NULL;
  r->unseen |= mw_output_classes[kind]->needs;
  for (int o = 0; o < r->model->n_observed; o++) {
    const mw_observed_in *in = &r->model->observed[o];
    if (in->kind != kind) continue;
    names = names ? mw_arena_printf(&r->mem, "%s, %s", names, in->name) : in->name;
    if (!names) return;
  }
  if (names)
    mw_run_add_note(r, "path %s has no %s (%s): %s", r->path, mw_output_key(kind), names, why);
}

void mw_run_free(mw_run *r)
{
  mw_arena_free(&r->mem);
  *r = (mw_run){ 0 };
}

// Joints with a coordinate: slides always, the others where the user names one.
static bool has_coordinate(const mw_joint_in *j)
{
  return j->kind == MW_JOINT_SLIDE || j->coordinate;
}

int mw_run_coord_joint(const mw_model *m, int c)
{
  for (int j = 0; j < m->n_joint; j++)
    if (has_coordinate(&m->joint[j]) && c-- == 0) return j;
  return -1;
}

const char *mw_run_coord_name(const mw_model *m, int c)
{
  int j = mw_run_coord_joint(m, c);
  if (j < 0) return NULL;
  return m->joint[j].coordinate ? m->joint[j].coordinate : m->joint[j].name;
}

const char *mw_run_coord_unit(const mw_model *m, int c)
{
  int j = mw_run_coord_joint(m, c);
  return j >= 0 ? mw_joint_unit(&m->joint[j]) : "m";
}

static bool says_start(const mw_model *m, const mw_scenario *sc, int joint)
{
  for (int k = 0; k < sc->n_start; k++)
    if (sc->start_joint[k] == joint) return true;
  for (int k = 0; k < sc->n_action; k++)
    if (sc->action[k].kind != MW_ACTION_FORCE && m->drive[sc->action[k].drive].joint == joint)
      return true;
  return false;
}

static const double MOVED = 1e-6;  // rad, or of the size: above what closing loops leaves

// Largest difference of where body b is to body a between p and p0, over `size` or 1 (rad).
static double apart(const double *p, const double *p0, int a, int b, double size)
{
  const double *at[2] = { p, p0 };
  double x[2][3], C[2][9], most = 0.0;
  for (int i = 0; i < 2; i++) {
    const double *A = at[i] + 12 * a, *B = at[i] + 12 * b;
    const double d[3] = { B[0] - A[0], B[1] - A[1], B[2] - A[2] };
    mw_mul33tv(A + 3, d, x[i]);
    for (int k = 0; k < 9; k++)
      C[i][k] =
          A[3 + k / 3] * B[3 + k % 3] + A[6 + k / 3] * B[6 + k % 3] + A[9 + k / 3] * B[9 + k % 3];
  }
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[0][k] - x[1][k]) / size);
  for (int k = 0; k < 9; k++) most = fmax(most, fabs(C[0][k] - C[1][k]));
  return most;
}

void mw_run_note_inside(mw_run *r, const mw_mech *m, const double *p)
{
  double size = mw_mech_size(m);
  for (int c = 0; c < m->model->n_component; c++) {
    const mw_component_use *u = &m->model->component[c];
    double most = 0.0;
    for (int k = 1; u->size.n_state == 0 && k < u->size.n_frame; k++)
      most = fmax(most, apart(p, m->p0, u->body0, u->body0 + k, size));
    if (most > MOVED)
      mw_run_add_note(r,
                      "component %.64s starts with its frames elsewhere to each other than in the "
                      "reference configuration: coordinates inside that no drive is seen by "
                      "follow the others or settle",
                      u->name);
  }
}

void mw_run_note_start(mw_run *r, const mw_scenario *sc, const double *s0, double size)
{
  enum { NAMED = 6 };
  const char *all = "";
  int n = 0;
  for (int c = 0; all && c < r->n_coord; c++) {
    int joint = mw_run_coord_joint(r->model, c);
    const char *unit = mw_run_coord_unit(r->model, c);
    double least = strcmp(unit, "rad") == 0 ? MOVED : MOVED * size;
    if (joint < 0 || says_start(r->model, sc, joint) || !(fabs(r->s[c] - s0[c]) > least)) continue;
    if (n++ < NAMED)
      all = mw_arena_printf(&r->mem, "%s%s%s at %.4g (%.4g) %s", all, n > 1 ? ", " : "",
                            mw_run_coord_name(r->model, c), r->s[c], s0[c], unit);
  }
  if (n > NAMED && all) all = mw_arena_printf(&r->mem, "%s, and %d more", all, n - NAMED);
  if (n > 0 && all)
    mw_run_add_note(r,
                    "the scenario does not say where these start, they follow the others or settle "
                    "(in brackets the reference configuration): %s",
                    all);
}
