// SPDX-License-Identifier: BSD-3-Clause
// test_romrun.c: the reduced model under the drives of a scenario, against closed forms of one
// carriage on one oscillator.
//
//   T = ½ A θ̇² + d θ̇ δ̇ + ½ δ̇² ,  V = ½ ω² δ² + g δ        constant coefficients             (1)
//   δ̈ + ω² δ = −g − d θ̈ ,   F = A θ̈ + d δ̈                                                   (2)
#include <math.h>
#include <string.h>

#include "mw_test.h"
#include "rom_step.h"

enum { N_GRID = 5, N_KNOT = N_GRID + 2 };
static const double A = 2.0, D = 0.5, W = 40.0;  // kg, sqrt(kg), 1/s

typedef struct fixture {
  mw_model model;
  mw_joint_in joint_in;
  mw_drive_in drive;
  mw_output_in output;
  mw_scenario sc;
  mw_action action;
  mw_mech mech;
  mw_joint joint;
  int coord_joint[1], u_field[1];
  double s0[1], c_theta[1], delta_max[1];
  const char *coordinate[1], *field[4], *column[1], *input[1];
  mw_rom_file file;
  double coef[N_KNOT * 64];
} fixture;

// theta from 0 to 2 m; outputs tool = (theta + delta, delta, 0)
static void make(fixture *f, double gravity)
{
  memset(f, 0, sizeof *f);
  f->joint_in = (mw_joint_in){ .name = "x", .kind = MW_JOINT_SLIDE, .coordinate = "x" };
  f->drive = (mw_drive_in){ .name = "motor", .joint = 0 };
  f->output.name = "tool";
  f->model = (mw_model){ .path = "two.yaml",
                         .name = "two",
                         .n_joint = 1,
                         .n_drive = 1,
                         .n_output = 1,
                         .joint = &f->joint_in,
                         .drive = &f->drive,
                         .output = &f->output };
  f->joint = (mw_joint){ .in = &f->joint_in, .name = "x", .coord = 0 };
  f->s0[0] = 0.5;
  f->mech = (mw_mech){ .model = &f->model,
                       .n_joint = 1,
                       .n_coord = 1,
                       .joint = &f->joint,
                       .coord_joint = f->coord_joint,
                       .s0 = f->s0 };
  f->action = (mw_action){ .drive = 0 };
  f->sc = (mw_scenario){ .name = "go",
                         .duration = 0.5,
                         .step = 1e-3,
                         .control_period = 1e-3,
                         .store = 1e-2,
                         .n_action = 1,
                         .action = &f->action };
  f->coordinate[0] = "x";
  f->column[0] = "mode 1";
  f->input[0] = "motor";
  f->field[0] = "tool.x";
  f->field[1] = "tool.y";
  f->field[2] = "tool.z";
  f->field[3] = "s:x";
  f->u_field[0] = 3;
  f->delta_max[0] = INFINITY;
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = 1, .n_y = 4 });
  for (int k = 0; k < N_KNOT; k++) {
    double *c = f->coef + k * l.n,
           theta = 0.5 * (k - 1);  // a spline whose coefficients lie on a line is that line
    c[l.a] = A;
    c[l.d] = D;
    c[l.K] = W * W;
    c[l.U1] = gravity;
    c[l.y] = theta;  // tool.x
    c[l.y + 1] = 1.0;
    c[l.y + 3] = 1.0;    // tool.y
    c[l.y + 6] = theta;  // s:x
  }
  f->file = (mw_rom_file){ .coordinate = f->coordinate,
                           .field = f->field,
                           .column = f->column,
                           .input = f->input,
                           .inertia = MW_ROM_FULL };
  f->file.rom = (mw_rom){ .s = 1,
                          .m = 1,
                          .n_y = 4,
                          .n_u = 1,
                          .n_field = l.n,
                          .n_grid = { N_GRID },
                          .hi = { 2.0 },
                          .coef = f->coef,
                          .u_field = f->u_field,
                          .c_theta = f->c_theta,
                          .delta_max = f->delta_max };
}

// A sine-shaped acceleration over one period T drives the oscillator: delta of (2) while it lasts.
static double forced(double t, double stroke, double T)
{
  double O = 2.0 * acos(-1.0) / T, F = -D * stroke * O / T;
  return F / (W * W - O * O) * (sin(O * t) - O / W * sin(W * t));
}

static double error_at_step(double h, double *force_error, double *drift)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  const double stroke = 1.0, T = 0.5;
  make(&f, 0.0);
  f.action.kind = MW_ACTION_POSITION;
  f.action.signal =
      (mw_signal){ .kind = MW_SIGNAL_CYCLOID, .a = 0.5, .b = stroke, .t0 = 0.0, .t1 = T };
  MW_OKAY(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, MW_ROM_STEP(h), NULL, &r, &err));
  double e = 0.0, O = 2.0 * acos(-1.0) / T;
  *force_error = 0.0;
  for (int k = 0; k < r.n_t; k++) {
    double t = r.t[k], want = forced(t, stroke, T), acc = stroke * O / T * sin(O * t);
    e = fmax(e, fabs(r.y[3 * k + 1] - want));
    e = fmax(e, fabs(r.s[k] - (0.5 + stroke * (t / T - sin(O * t) / (2.0 * acos(-1.0))))));
    // (2): F = A θ̈ + d δ̈ with δ̈ = −ω² δ − d θ̈
    *force_error = fmax(*force_error, fabs(r.force[k] - (A * acc + D * (-W * W * want - D * acc))));
  }
  *drift = r.energy_drift;
  mw_run_free(&r);
  return e;
}

// Mid-point rule: second order. An error falls by 4 when h is halved, up to the next term of its
// series, (ω h)² of it.
static void prescribed_motion_converges_with_second_order(void)
{
  double f1, f2, d1, d2, h = 1e-3;
  double e1 = error_at_step(h, &f1, &d1), e2 = error_at_step(0.5 * h, &f2, &d2);
  double tol = 4.0 * W * W * h * h;
  MW_NEAR(e1 / e2, 4.0, 4.0 * tol);
  MW_NEAR(f1 / f2, 4.0, 4.0 * tol);
  // work is the trapezoid: second order too
  MW_CHECK(d1 < 1e-3 && d1 / d2 > 3.5);
}

static void static_start_stays_at_rest(void)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  make(&f, 3.0);
  f.sc.static_start = true;
  f.action.kind = MW_ACTION_CONTROL;
  f.action.signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT, .a = 0.5 };
  f.action.kp = 1e4;
  f.action.kd = 100.0;
  MW_OKAY(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err));
  // rest is a fixed point of the step up to its tolerance 1e-12 relative, kept over 500 steps
  for (int k = 0; k < r.n_t; k++) {
    MW_WITHIN(r.y[3 * k + 1], -3.0 / (W * W), 500.0 * 1e-12 * 3.0 / (W * W),
              "what 500 iterations may leave");
    MW_WITHIN(r.s[k], 0.5, 500.0 * 1e-12, "what 500 iterations may leave");
  }
  MW_CHECK(r.unknowns == 2 && r.steps == 500 && strcmp(r.path, "gmp") == 0);
  mw_run_free(&r);
}

// At rest the amplitude is −3/W²: twice the limit of one kind, four times what the model leaves
// out, and half that of the other.
static void deflections_beyond_what_a_model_is_right_for_are_warned_of(void)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  double bend = 1.5 / (W * W), stretch = 6.0 / (W * W), w[2] = { 0.25, 0.5 };
  const char *body[1] = { "beam" };
  make(&f, 3.0);
  f.sc.static_start = true;
  f.action.kind = MW_ACTION_CONTROL;
  f.action.signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT, .a = 0.5 };
  f.file.certificate.tolerance = 1e-3;
  f.file.bend = (mw_reach){ &bend, &w[0], body };
  f.file.stretch = (mw_reach){ &stretch, &w[1], body };
  MW_OKAY(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err));
  if (MW_CHECK(r.n_warning == 1))
    MW_CHECK(strstr(r.warning[0], "mode 1 deflects body beam by 0.5 m") &&
             strstr(r.warning[0], "beyond 0.25 m third order") &&
             strstr(r.warning[0], "here some 0.004"));
  mw_run_free(&r);
}

// An impulse-free constant force: the centre of A θ + d δ moves like a free mass; energy is
// balanced by its work.
static void force_work_balances_energy(void)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  make(&f, 0.0);
  f.sc.duration = 0.3;
  f.action.kind = MW_ACTION_FORCE;
  f.action.signal = (mw_signal){ .kind = MW_SIGNAL_CONSTANT, .a = 4.0 };
  MW_OKAY(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err));
  for (int k = 0; k < r.n_t; k++) {
    // A θ̈ + d δ̈ = F is exact in the mid-point rule for a constant force: A (θ − θ0) + d δ = ½ F
    // t² up to the tolerance 1e-12 of 300 steps with values below 1
    MW_WITHIN(A * (r.s[k] - 0.5) + D * r.y[3 * k + 1], 0.5 * 4.0 * r.t[k] * r.t[k], 300.0 * 1e-12,
              "what 300 iterations may leave");
    MW_WITHIN(r.work[k], 4.0 * (r.s[k] - 0.5), 300.0 * 1e-12,
              "what 300 iterations may leave");  // force times way
  }
  MW_WITHIN(r.energy_drift, 0.0, 300.0 * 1e-12, "what 300 iterations may leave");
  mw_run_free(&r);
}

// Forces, and accelerations under them, are those at the instant that they stand beside, not those
// in the middle of the step before it. With what (2) makes of the force F of the signal and of δ as
// stored, tool.x = θ + δ has the acceleration
//   θ̈ + δ̈ ,  [ A d ; d 1 ] [ θ̈ ; δ̈ ] = [ F ; −ω² δ ]
static void forces_and_accelerations_are_those_at_the_instant(void)
{
  static const double F0 = 4.0, HZ = 30.0;
  mw_observed_in observed = { .name = "a", .kind = MW_OUTPUT_ACCELERATION };
  double place = 0.0;  // of no bodies
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  make(&f, 0.0);
  f.mech.p0 = &place;
  f.model.n_observed = 1;
  f.model.observed = &observed;
  f.sc.duration = 0.1;
  f.action.kind = MW_ACTION_FORCE;
  f.action.signal = (mw_signal){ .kind = MW_SIGNAL_SINE, .a = F0, .f = HZ, .t1 = INFINITY };
  if (!MW_OKAY(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err))) return;
  MW_CHECK(r.n_t == 11);
  for (int k = 0; k < r.n_t; k++) {
    double phase = 2.0 * acos(-1.0) * HZ * r.t[k], F = F0 * sin(phase), delta = r.y[3 * k + 1];
    double det = A - D * D, thdd = (F + D * W * W * delta) / det,
           deldd = (-A * W * W * delta - D * F) / det;
    // the force as far as its phase is known, the terms of the two equations
    double size = F0 * (1.0 + phase);
    MW_NEAR(r.force[k], F, mw_test_rounding(8, size));
    size += A * W * W * fabs(delta);
    MW_NEAR(mw_run_seen(&r, 0, k)[0], thdd + deldd, mw_test_rounding(16, size / det));
  }
  mw_run_free(&r);
}

static void leaving_the_range_names_the_coordinate(void)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  make(&f, 0.0);
  f.sc.duration = 2.0;
  f.action.kind = MW_ACTION_POSITION;
  f.action.signal = (mw_signal){ .kind = MW_SIGNAL_RAMP, .a = 0.5, .v = 1.0 };
  MW_FAILS(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err), MW_ERR_RANGE);
  MW_CHECK(strstr(err.msg, "coordinate x") && strstr(err.msg, "0 to 2") && r.mem.head == NULL);
}

static void prescribing_what_is_no_coordinate_is_refused_with_its_place(void)
{
  fixture f;
  mw_error err;
  mw_run r = { 0 };
  make(&f, 0.0);
  f.coordinate[0] = "other";
  f.action.kind = MW_ACTION_POSITION;
  f.action.at = (mw_at){ "two.yaml", 12, 3 };
  MW_FAILS(mw_rom_run(&f.model, &f.mech, &f.file, &f.sc, NULL, NULL, &r, &err), MW_ERR_INPUT);
  MW_CHECK(err.line == 12 && err.col == 3 && strstr(err.msg, "motor"));
}

static const mw_test_case cases[] = {
  { "prescribed_motion_converges_with_second_order",
    prescribed_motion_converges_with_second_order },
  { "static_start_stays_at_rest", static_start_stays_at_rest },
  { "deflections_beyond_what_a_model_is_right_for_are_warned_of",
    deflections_beyond_what_a_model_is_right_for_are_warned_of },
  { "force_work_balances_energy", force_work_balances_energy },
  { "forces_and_accelerations_are_those_at_the_instant",
    forces_and_accelerations_are_those_at_the_instant },
  { "leaving_the_range_names_the_coordinate", leaving_the_range_names_the_coordinate },
  { "prescribing_what_is_no_coordinate_is_refused_with_its_place",
    prescribing_what_is_no_coordinate_is_refused_with_its_place },
};

int main(void) { return mw_test_run("romrun", cases, (int)(sizeof cases / sizeof *cases)); }
