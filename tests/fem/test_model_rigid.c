// SPDX-License-Identifier: BSD-3-Clause
// test_model_rigid.c: what the keys of the rigid path become: every key of model_rigid.yaml, and
// their defaults.
#include <math.h>
#include <string.h>

#include "fem/model.h"
#include "mw_test.h"

#define RIGID MW_TESTS_DIR "/fem/model_rigid.yaml"

// One rounding of the decimal in the file and one of that in the test, both to nearest: equal bits.
static bool same3(const double *a, double x, double y, double z)
{
  return a[0] == x && a[1] == y && a[2] == z;
}

static bool is(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

static mw_model read_okay(void)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_model_read(RIGID, &m, &err));
  return m;
}

// An empty joint (force, …) where the model has none of that name: its fields then miss what is
// wanted.
static mw_joint_in joint(const mw_model *m, const char *name)
{
  for (int j = 0; j < m->n_joint; j++)
    if (is(m->joint[j].name, name)) return m->joint[j];
  MW_CHECK(false);
  return (mw_joint_in){ .ratio = -1.0 };
}

static int index_of(const mw_model *m, const char *name)
{
  for (int j = 0; j < m->n_joint; j++)
    if (is(m->joint[j].name, name)) return j;
  return -1;
}

static mw_force_in force(const mw_model *m, const char *name)
{
  for (int i = 0; i < m->n_force; i++)
    if (is(m->force[i].name, name)) return m->force[i];
  MW_CHECK(false);
  return (mw_force_in){ .joint = -2 };
}

static mw_rigid_in method(const mw_model *m, const char *name)
{
  for (int i = 0; i < m->n_scenario; i++)
    if (is(m->scenario[i].name, name)) return m->scenario[i].rigid;
  MW_CHECK(false);
  return (mw_rigid_in){ .tolerance = -1.0 };
}

static void axes_of_both_bodies_and_zero_directions_are_as_written(void)
{
  mw_model m = read_okay();
  mw_joint_in h = joint(&m, "hinge"), r = joint(&m, "rail"), c = joint(&m, "tube");
  mw_joint_in p = joint(&m, "table"), u = joint(&m, "cross"), coin = joint(&m, "coin");
  MW_CHECK(m.assemble);
  MW_CHECK(h.kind == MW_JOINT_REVOLUTE && same3(h.axis, 0, 0, 2) && h.has_axis_b);
  MW_CHECK(same3(h.axis_b, 0, 3, 0) && h.has_zero && same3(h.zero, 1, 0, 1));
  MW_CHECK(same3(h.zero_b, 0, 0, 1) && h.start == 0.5 && h.coordinate_damping == 0.2);
  MW_CHECK(r.has_axis_b && same3(r.axis_b, 0, 1, 0) && !r.has_zero && same3(r.zero, 0, 0, 0));
  MW_CHECK(c.kind == MW_JOINT_CYLINDRICAL && !c.has_axis_b && same3(c.axis, 1, 0, 0));
  MW_CHECK(c.a.body == 2 && c.a.attach == 0 && c.b.body == 4 && c.b.attach == -1);
  MW_CHECK(p.kind == MW_JOINT_PLANAR && same3(p.axis, 0, 1, 0) && same3(p.axis_b, 0, 0, 1));
  MW_CHECK(p.has_axis_b && p.has_zero && same3(p.zero_b, 0, 1, 0));
  MW_CHECK(u.kind == MW_JOINT_UNIVERSAL && u.has_axis_b && same3(u.axis_b, 0, 1, 0));
  MW_CHECK(coin.kind == MW_JOINT_ROLLING && same3(coin.axis, 0, 0, 1) && coin.radius == 0.3);
  MW_CHECK(coin.has_axis_b && same3(coin.axis_b, 0, 1, 0) && !coin.coordinate);
  mw_model_free(&m);
}

static void coordinates_measure_what_is_written_or_usual(void)
{
  static const struct want {
    const char *name;
    mw_measure measure;
  } want[] = {
    { "hinge", MW_MEASURE_ANGLE },    { "rail", MW_MEASURE_TRAVEL },
    { "tube", MW_MEASURE_TRAVEL },    { "tube2", MW_MEASURE_ANGLE },
    { "cross", MW_MEASURE_ANGLE },    { "cross2", MW_MEASURE_SECOND },
    { "table", MW_MEASURE_ANGLE },    { "thread", MW_MEASURE_ANGLE },
    { "thread2", MW_MEASURE_TRAVEL }, { "track", MW_MEASURE_TRAVEL },
    { "rod", MW_MEASURE_NONE },       { "coin", MW_MEASURE_NONE },
    { "rack", MW_MEASURE_NONE },      { "ring", MW_MEASURE_NONE },
    { "loose", MW_MEASURE_NONE },
  };
  mw_model m = read_okay();
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    MW_CHECK(joint(&m, want[i].name).measure == want[i].measure);
  MW_CHECK(is(joint(&m, "thread2").coordinate, "s_travel") && !joint(&m, "loose").coordinate);
  mw_model_free(&m);
}

static void pitch_length_and_curves_are_as_written(void)
{
  mw_model m = read_okay();
  mw_joint_in s = joint(&m, "thread"), d = joint(&m, "rod"), c = joint(&m, "track");
  MW_CHECK(s.kind == MW_JOINT_SCREW && s.pitch == -0.002 && joint(&m, "thread2").pitch == 0.01);
  MW_CHECK(d.kind == MW_JOINT_DISTANCE && d.length == 1.5 && joint(&m, "rod2").length == 0);
  MW_CHECK(c.kind == MW_JOINT_CURVE && c.n_curve == 4 && !c.closed && joint(&m, "ring").closed);
  if (MW_CHECK(c.curve != NULL))
    MW_CHECK(same3(c.curve, 0, 0, 0) && same3(c.curve + 6, 1, 1, 0) && same3(c.curve + 9, 0, 1, 2));
  mw_model_free(&m);
}

static void gear_stands_between_the_bodies_of_its_first_joint(void)
{
  mw_model m = read_okay();
  mw_joint_in g = joint(&m, "rack"), h = joint(&m, "hinge");
  MW_CHECK(g.kind == MW_JOINT_GEAR && g.ratio == -0.05 && index_of(&m, "rack") == 0);
  MW_CHECK(g.gear[0] == index_of(&m, "hinge") && g.gear[1] == index_of(&m, "rail"));
  MW_CHECK(g.a.body == h.a.body && g.a.attach == h.a.attach && g.b.body == h.b.body);
  MW_CHECK(h.gear[0] == -1 && h.gear[1] == -1);
  mw_model_free(&m);
}

static void limits_and_friction_are_as_written(void)
{
  mw_model m = read_okay();
  mw_joint_in h = joint(&m, "hinge"), r = joint(&m, "rail"), c = joint(&m, "tube");
  const mw_friction_in *f = &h.friction, *g = &r.friction;
  MW_CHECK(h.has_limits && h.limits[0] == -10 && h.limits[1] == 20 && !r.has_limits);
  MW_CHECK(f->present && f->mu == 0.1 && f->mu_static == 0.15 && f->v_stribeck == 2e-2);
  MW_CHECK(f->v_smooth == 3e-3 && f->radius == 0.04 && f->preload == 50 && f->at.line == 23);
  MW_CHECK(g->present && g->mu == 0.2 && g->mu_static == 0.2 && g->v_stribeck == 1e-2);
  MW_CHECK(g->v_smooth == 1e-3 && g->radius == 1 && g->preload == 0 && !c.friction.present);
  mw_model_free(&m);
}

static void drive_friction_and_stops_are_as_written(void)
{
  mw_model m = read_okay();
  mw_joint_in none = joint(&m, "hinge"), both = joint(&m, "rail"), friction = joint(&m, "tube"),
              stops = joint(&m, "tube2");
  const mw_law *b = &both.law, *f = &friction.law, *s = &stops.law;
  MW_CHECK(!none.has_law && both.has_law && friction.has_law && stops.has_law);
  MW_CHECK(b->coulomb == 12 && b->stiction == 12 && b->stribeck == 1e-2 && b->smooth == 1e-3);
  MW_CHECK(b->lo == -0.5 && b->hi == 2 && b->stiffness == 1e6 && b->damping == 0);
  MW_CHECK(b->soft == 1e-4);
  MW_CHECK(f->coulomb == 1 && f->stiction == 1.5 && f->stribeck == 2e-2 && f->smooth == 3e-3);
  MW_CHECK(f->lo == -INFINITY && f->hi == INFINITY && f->stiffness == 0);
  MW_CHECK(s->coulomb == 0 && s->stiction == 0 && s->lo == -2 && s->hi == 3);
  MW_CHECK(s->stiffness == 500 && s->damping == 0.7 && s->soft == 2e-3);
  mw_model_free(&m);
}

static void rotors_are_as_written(void)
{
  mw_model m = read_okay();
  if (MW_CHECK(m.n_drive == 3)) {
    const mw_drive_in *a = &m.drive[0], *b = &m.drive[1], *c = &m.drive[2];
    MW_CHECK(a->rotor && a->inertia == 1e-3 && a->gear == 50 && a->stiffness == 2e4);
    MW_CHECK(a->damping == 3 && a->joint == index_of(&m, "hinge"));
    MW_CHECK(b->rotor && b->inertia == 2 && b->gear == 1 && b->stiffness == 100 && b->damping == 0);
    MW_CHECK(!c->rotor && c->joint == index_of(&m, "table"));
  }
  mw_model_free(&m);
}

static void forces_at_frames_are_as_written(void)
{
  mw_model m = read_okay();
  mw_force_in wind = force(&m, "wind"), jet = force(&m, "jet"), twist = force(&m, "twist");
  MW_CHECK(m.n_force == 8 && wind.kind == MW_FORCE_POINT && wind.a.attach == 0);
  MW_CHECK(is(m.body[wind.a.body].name, "flyer") && !wind.body_axes && same3(wind.dir, 0, 2, 0));
  MW_CHECK(!wind.has_signal && wind.signal.kind == MW_SIGNAL_CONSTANT && wind.signal.a == 1);
  MW_CHECK(jet.body_axes && jet.has_signal && jet.signal.kind == MW_SIGNAL_SINE);
  MW_CHECK(jet.signal.a == 3 && jet.signal.f == 2 && jet.joint == -1);
  MW_CHECK(twist.kind == MW_FORCE_TORQUE && twist.a.attach == -1 && twist.has_signal);
  MW_CHECK(twist.signal.kind == MW_SIGNAL_CONSTANT && twist.signal.a == -4);
  mw_model_free(&m);
}

static void springs_and_coordinate_forces_are_as_written(void)
{
  mw_model m = read_okay();
  mw_force_in strut = force(&m, "strut"), rope = force(&m, "rope"), brake = force(&m, "brake");
  mw_force_in coil = force(&m, "coil"), pull = force(&m, "pull");
  MW_CHECK(strut.kind == MW_FORCE_SPRING && strut.a.body == 1 && strut.a.attach == 1);
  MW_CHECK(strut.b.body == 2 && strut.b.attach == 0 && strut.k == 10 && strut.c == 2);
  MW_CHECK(strut.has_free && strut.free == 0.25 && strut.has_signal);
  MW_CHECK(strut.signal.kind == MW_SIGNAL_STEP && strut.signal.a == 7 && strut.signal.t0 == 1);
  MW_CHECK(rope.k == 5 && rope.c == 0 && !rope.has_free && !rope.has_signal);
  MW_CHECK(brake.kind == MW_FORCE_COORDINATE && brake.joint == index_of(&m, "rail"));
  MW_CHECK(brake.c == 8 && brake.k == 0 && !brake.has_free);
  MW_CHECK(coil.joint == index_of(&m, "cross2") && coil.has_free && coil.free == -0.1);
  MW_CHECK(coil.k == 9 && coil.signal.kind == MW_SIGNAL_TABLE && coil.signal.n == 2);
  MW_CHECK(pull.has_signal && pull.signal.a == 6 && pull.joint == index_of(&m, "hinge"));
  mw_model_free(&m);
}

static void methods_are_as_written(void)
{
  mw_model m = read_okay();
  mw_rigid_in g = method(&m, "given"), p = method(&m, "plain");
  MW_CHECK(g.method == MW_METHOD_ALPHA && g.tolerance == 1e-6 && g.projection == 1e-10);
  MW_CHECK(g.rho_inf == 0.5 && g.ggl);
  MW_CHECK(p.method == MW_METHOD_AUTO && p.tolerance == 1e-8 && p.projection == 1e-12);
  MW_CHECK(p.rho_inf == 0.8 && !p.ggl);
  MW_CHECK(method(&m, "by_ida").method == MW_METHOD_IDA);
  MW_CHECK(method(&m, "by_rk4").method == MW_METHOD_RK4);
  MW_CHECK(method(&m, "by_leapfrog").method == MW_METHOD_LEAPFROG);
  MW_CHECK(method(&m, "by_midpoint").method == MW_METHOD_MIDPOINT);
  MW_CHECK(method(&m, "by_cvode").method == MW_METHOD_CVODE);
  mw_model_free(&m);
}

static void starts_of_every_kind_of_coordinate_are_as_written(void)
{
  static const char *const names[] = { "hinge", "cross2", "thread2", "track" };
  static const double s[] = { 12, 0.2, 0.01, 0.5 }, v[] = { 1, 0, 0, 0 };
  mw_model m = read_okay();
  if (MW_CHECK(m.n_scenario == 8)) {
    const mw_scenario *sc = &m.scenario[7];
    MW_CHECK(is(sc->name, "held") && sc->n_start == 4 && sc->n_action == 1);
    for (int i = 0; i < 4 && sc->n_start == 4; i++)
      MW_CHECK(sc->start_joint[i] == index_of(&m, names[i]) && sc->start_s[i] == s[i] &&
               sc->start_v[i] == v[i]);
  }
  mw_model_free(&m);
}

static void elastic_models_have_none_of_it(void)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_model_read(MW_TESTS_DIR "/fem/model_full.yaml", &m, &err));
  MW_CHECK(!m.assemble && m.n_force == 0);
  for (int j = 0; j < m.n_joint; j++)
    MW_CHECK(!m.joint[j].has_axis_b && !m.joint[j].has_zero && !m.joint[j].has_limits &&
             !m.joint[j].friction.present);
  for (int i = 0; i < m.n_drive; i++) MW_CHECK(!m.drive[i].rotor);
  if (MW_CHECK(m.n_joint == 7)) {
    MW_CHECK(m.joint[0].measure == MW_MEASURE_TRAVEL && m.joint[1].measure == MW_MEASURE_ANGLE);
    MW_CHECK(m.joint[2].measure == MW_MEASURE_TRAVEL && m.joint[3].measure == MW_MEASURE_NONE);
    MW_CHECK(m.joint[5].measure == MW_MEASURE_NONE);
  }
  mw_model_free(&m);
}

#define CASE(name)                                                                                 \
  {                                                                                                \
#name, name                                                                                    \
  }
static const mw_test_case cases[] = {
  CASE(axes_of_both_bodies_and_zero_directions_are_as_written),
  CASE(coordinates_measure_what_is_written_or_usual),
  CASE(pitch_length_and_curves_are_as_written),
  CASE(gear_stands_between_the_bodies_of_its_first_joint),
  CASE(limits_and_friction_are_as_written),
  CASE(drive_friction_and_stops_are_as_written),
  CASE(rotors_are_as_written),
  CASE(forces_at_frames_are_as_written),
  CASE(springs_and_coordinate_forces_are_as_written),
  CASE(methods_are_as_written),
  CASE(starts_of_every_kind_of_coordinate_are_as_written),
  CASE(elastic_models_have_none_of_it),
};

int main(void) { return mw_test_run("model_rigid", cases, (int)(sizeof cases / sizeof *cases)); }
