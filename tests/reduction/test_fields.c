// SPDX-License-Identifier: BSD-3-Clause
// test_fields.c: forces of motion of tables against those of the mechanism: what is right is met,
// every coefficient that is wrong is found out and named by its row.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/judge.h"
#include "reduction/reduce.h"

// A field of the record, and the row that misses where it is scaled.
typedef struct mutant {
  const char *name, *row;
  int from, to;
  double by;  // what it is off by: more where it is a small part of the forces
} mutant;

static double error_of(const mw_certificate *c, const char *row, bool *met)
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v);
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].key, row) == 0) {
      *met = v[i].met;
      return v[i].error;
    }
  *met = true;
  return -1.0;
}

// f with fields from … to of its tables times 1 + eps; its coefficients are released by the caller.
static double *scaled(const mw_rom_file *f, int from, int to, double eps, mw_rom_file *out)
{
  size_t n = (size_t)f->rom.n_field;
  for (int i = 0; i < f->rom.s; i++) n *= (size_t)mw_rom_n_knot(&f->rom, i);
  double *coef = malloc(n * sizeof *coef);
  *out = *f;
  if (!MW_CHECK(coef != NULL)) return NULL;
  memcpy(coef, f->rom.coef, n * sizeof *coef);
  for (size_t i = 0; i < n; i++) {
    int field = (int)(i % (size_t)f->rom.n_field);
    if (field >= from && field < to) coef[i] *= 1.0 + eps;
  }
  out->rom.coef = coef;
  return coef;
}

// The certificate of f scaled: the row misses.
static void look_at(mw_judge *j, const mw_rom_file *f, const mutant *u)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_certificate c;
  mw_rom_file other;
  bool met = true;
  double *coef = scaled(f, u->from, u->to, u->by, &other);
  if (coef && MW_OKAY(mw_judge_certify(j, &other, &c, &mem, &err))) {
    double e = error_of(&c, u->row, &met);
    printf("fields: %-4s by %-7.1e: %s %.2e\n", u->name, u->by, u->row, e);
    if (!MW_CHECK(!met)) fprintf(stderr, "%s is not missed by %s\n", u->name, u->row);
  }
  free(coef);
  mw_arena_free(&mem);
}

static void rows_are_met(const mw_rom_file *f)
{
  static const char *const row[MW_MOTIONS] = { "inertia", "gravity", "convective", "damping",
                                               "coordinate_forces" };
  MW_CHECK(f->certificate.n_force > 0);
  for (int i = 0; i < MW_MOTIONS; i++) {
    bool met = false;
    double e = error_of(&f->certificate, row[i], &met);
    printf("fields: %-18s %.2e\n", row[i], e);
    MW_CHECK(met && e >= 0.0);
  }
}

typedef struct look {
  int calls;
  void (*mutants)(mw_judge *j, const mw_rom_file *f);
} look;

static mw_code all_rows(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  look *l = ctx;
  (void)err;
  l->calls++;
  rows_are_met(f);
  l->mutants(j, f);
  return MW_OK;
}

static void reduce_and_look(mw_fixture *f, void (*mutants)(mw_judge *j, const mw_rom_file *f))
{
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  look l = { .mutants = mutants };
  mw_reduce_opt opt = { .judge = all_rows, .judge_ctx = &l };
  MW_OKAY(mw_reduce(&f->model, &f->mech, &opt, &rom, &err));
  MW_CHECK(l.calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(f);
}

// ---- a mass that moves along a beam -------------------------------------------------------------

static void of_a_moving_mass(mw_judge *j, const mw_rom_file *f)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  const mutant m[] = { { "U1", "gravity", L.U1, L.b, 0.02 },  { "C", "damping", L.C, L.e, 0.02 },
                       { "e", "convective", L.e, L.c, 0.02 }, { "c", "convective", L.c, L.H, 0.02 },
                       { "CE", "damping", L.CE, L.CC, 0.05 }, { "a", "inertia", L.a, L.U0, 0.02 },
                       { "K", "frequencies", L.K, L.C, 0.02 } };
  for (size_t i = 0; i < sizeof m / sizeof *m; i++) look_at(j, f, &m[i]);
}

// Half the beam's mass at half of its critical speed π, damped by 2 %: all of it matters.
static void coefficients_of_a_moving_mass_are_compared(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_beam("SS", 40, 0.5, 1.0, 41, 4, "damping: { beta: 4e-3 }\n", &f)))
    return;
  f.model.reduction.coordinate[0].max_rate = acos(-1.0) / 2.0;
  f.model.reduction.coordinate[0].max_acceleration = 1.0;
  reduce_and_look(&f, of_a_moving_mass);
}

// ---- machines that turn -------------------------------------------------------------------------

static void of_a_machine(mw_judge *j, const mw_rom_file *f)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  const mutant m[] = {
    { "a", "inertia", L.a, L.U0, 0.02 },   { "U0", "coordinate_forces", L.U0, L.d, 0.1 },
    { "d", "inertia", L.d, L.U1, 0.02 },   { "U1", "gravity", L.U1, L.b, 0.02 },
    { "b", "convective", L.b, L.K, 0.02 }, { "C", "damping", L.C, L.e, 0.02 }
  };
  for (size_t i = 0; i < sizeof m / sizeof *m; i++) look_at(j, f, &m[i]);
}

static void of_an_arm_spun_up(mw_judge *j, const mw_rom_file *f)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  const mutant m[] = { { "c", "convective", L.c, L.H, 0.02 }, { "d", "inertia", L.d, L.U1, 0.02 } };
  for (size_t i = 0; i < sizeof m / sizeof *m; i++) look_at(j, f, &m[i]);
}

// Beyond its first frequency at rest: centrifugal forces hold it.
static void what_stiffens_an_arm_is_compared(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/arm-spin-up.yaml", &f))) return;
  reduce_and_look(&f, of_an_arm_spun_up);
}

// ---- beside the equations -----------------------------------------------------------------------

// The certificate of f: its row misses by about e.
static void row_errs(mw_judge *j, const mw_rom_file *f, const char *what, const char *row, double e)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_certificate c;
  bool met = true;
  if (MW_OKAY(mw_judge_certify(j, f, &c, &mem, &err))) {
    double is = error_of(&c, row, &met);
    printf("fields: %s: %s %.3e, %.3e expected\n", what, row, is, e);
    MW_CHECK(!met);
    // the certificate of what is right errs by less than its tolerance there, 2e-3
    MW_WITHIN(is, e, 2e-3, "the certificate's tolerance");
  }
  mw_arena_free(&mem);
}

// A coefficient of one spline in one cell: seen at the points that it weighs on, 2/3 in the middle
// of three
static void of_one_place(mw_judge *j, const mw_rom_file *f)
{
  const double by = 0.3;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(&f->rom));
  const int field[] = { L.a, L.d, L.U1, L.K, L.C };
  size_t n = (size_t)f->rom.n_field, all = n;
  for (int i = 0; i < f->rom.s; i++) all *= (size_t)mw_rom_n_knot(&f->rom, i);
  double *coef = malloc(all * sizeof *coef);
  for (size_t i = 0; MW_CHECK(coef != NULL) && i < sizeof field / sizeof *field; i++) {
    mw_rom_file other = *f;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_certificate c;
    size_t at = all / 2 / n * n + (size_t)field[i];
    memcpy(coef, f->rom.coef, all * sizeof *coef);
    coef[at] *= 1.0 + by;
    other.rom.coef = coef;
    if (MW_OKAY(mw_judge_certify(j, &other, &c, &mem, &err))) {
      bool met = true;
      double e = error_of(&c, "tables", &met);
      printf("fields: coefficient %d in one place: tables %.2e (%s)\n", field[i], e, c.table_field);
      MW_CHECK(!met && c.table_field != NULL && c.n_table > 0);
    }
    mw_arena_free(&mem);
  }
  free(coef);
}

static void of_drives_and_dampers(mw_judge *j, const mw_rom_file *f)
{
  mw_rom_file other = *f;
  int field[2] = { f->rom.u_field[1], f->rom.u_field[0] };
  double c[2] = { 1.1 * f->rom.c_theta[0], f->rom.c_theta[1] };
  bool met = false;
  MW_CHECK(f->rom.n_u == 2 && f->rom.s == 2);
  double e = error_of(&f->certificate, "tables", &met);
  printf("fields: tables %.2e\n", e);
  MW_CHECK(met && e >= 0.0 &&
           e < 1e-7);  // splines go through their points, but what is set to 0 as rounding
  other.rom.u_field = field;
  // 2 m/s one way and 8 rad/s the other, along one line at least, over 2 m/s
  row_errs(j, &other, "drives swapped", "coordinate_forces", 5.0);
  other.rom.u_field = f->rom.u_field;
  other.rom.c_theta = c;
  row_errs(j, &other, "a damper", "damping", 0.1);
  of_one_place(j, f);
}

static void of_a_machine_and_what_acts_on_it(mw_judge *j, const mw_rom_file *f)
{
  of_a_machine(j, f);
  of_drives_and_dampers(j, f);
}

static void a_machine_that_turns_and_what_acts_on_it_are_compared(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_machine("  tolerance: 1e-3\ndamping: { beta: 1e-4 }\n", &f))) return;
  for (int i = 0; i < 2; i++) {
    f.model.reduction.coordinate[i].max_rate = i ? 8.0 : 2.0;
    f.model.reduction.coordinate[i].max_acceleration = i ? 40.0 : 10.0;
  }
  f.model.joint[f.model.reduction.coordinate[0].joint].coordinate_damping = 3.0;
  reduce_and_look(&f, of_a_machine_and_what_acts_on_it);
}

// ---- terms that a model was asked to leave out --------------------------------------------------

// Reduces f with an inertia; row misses by about e, within `off` (0: by whatever), or, where it is
// NULL, nothing does.
static void left_out(mw_fixture *f, mw_inertia_form inertia, const char *row, double e, double off)
{
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  bool met = true;
  char advice[512] = "";
  f->model.reduction.inertia = inertia;
  if (!MW_OKAY(mw_reduce(&f->model, &f->mech, NULL, &rom, &err))) return;
  double is = row ? error_of(&rom.certificate, row, &met) : 0.0;
  printf("fields: inertia %d: %s %.4e\n", (int)inertia, row ? row : "all", is);
  MW_CHECK(mw_certificate_met(&rom.certificate) == (row == NULL) && met == (row == NULL));
  if (off > 0.0) MW_NEAR(is, e, off);
  mw_certificate_advice(&rom, advice, sizeof advice);
  MW_CHECK((strstr(advice, "inertia: full") != NULL) == (row != NULL));
  mw_rom_file_free(&rom);
}

// The weight makes 0.7327 Hz of 0.8608 Hz (closed form): both the frequency and its square err by
// what is left out.
static void a_column_without_its_weight_is_missed(void)
{
  const double f0 = 0.8608, f1 = 0.7327, rounded = 2.0 * 5e-5 / f1;
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/column.yaml", &f))) return;
  left_out(&f, MW_INERTIA_FIRST_ORDER, "weight", f0 / f1 - 1.0, 1e-3 + rounded);
  left_out(&f, MW_INERTIA_LEADING, "gravity", 1.0 - f1 * f1 / (f0 * f0), 2e-3 + rounded);
  mw_fixture_free(&f);
}

static void a_rotor_without_its_second_order_is_missed(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_file(MW_CASES_DIR "/rotor-disk.yaml", &f))) return;
  left_out(&f, MW_INERTIA_FULL, NULL, 0.0, 0.0);
  left_out(&f, MW_INERTIA_FIRST_ORDER, "convective", 0.0, 0.0);
  left_out(&f, MW_INERTIA_LEADING, "convective", 0.0, 0.0);
  mw_fixture_free(&f);
}

// Nothing turns, no weight: first order has all there is. A mass at half of its critical speed is
// not without convective terms.
static void a_moving_mass_has_no_second_order(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_beam("SS", 40, 0.5, 1.0, 41, 4, "damping: { beta: 4e-3 }\n", &f)))
    return;
  f.model.reduction.coordinate[0].max_rate = acos(-1.0) / 2.0;
  f.model.reduction.coordinate[0].max_acceleration = 1.0;
  left_out(&f, MW_INERTIA_FIRST_ORDER, NULL, 0.0, 0.0);
  left_out(&f, MW_INERTIA_LEADING, "convective", 0.0, 0.0);
  mw_fixture_free(&f);
}

// ---- ranges -------------------------------------------------------------------------------------

static void nothing(mw_judge *j, const mw_rom_file *f)
{
  (void)j;
  // g, and the rate that the softest mode, below π² rad/s with the mass, lets the range be crossed
  // with in two periods
  const char *text = f->certificate.force_assumed;
  MW_CHECK(text && strstr(text, "acceleration of x 1 m/s2") && strstr(text, "rate of x "));
  double rate = text ? atof(strstr(text, "rate of x ") + strlen("rate of x ")) : 0.0;
  MW_CHECK(rate > 0.2 && rate < acos(-1.0) / 4.0);
}

static void ranges_that_are_not_declared_are_named(void)
{
  mw_fixture f;
  if (!MW_CHECK(mw_fixture_beam("SS", 20, 0.5, 1.0, 25, 3, NULL, &f))) return;
  reduce_and_look(&f, nothing);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "coefficients_of_a_moving_mass_are_compared", coefficients_of_a_moving_mass_are_compared },
    { "what_stiffens_an_arm_is_compared", what_stiffens_an_arm_is_compared },
    { "a_machine_that_turns_and_what_acts_on_it_are_compared",
      a_machine_that_turns_and_what_acts_on_it_are_compared },
    { "a_column_without_its_weight_is_missed", a_column_without_its_weight_is_missed },
    { "a_rotor_without_its_second_order_is_missed", a_rotor_without_its_second_order_is_missed },
    { "a_moving_mass_has_no_second_order", a_moving_mass_has_no_second_order },
    { "ranges_that_are_not_declared_are_named", ranges_that_are_not_declared_are_named },
  };
  return mw_test_run("fields", cases, (int)(sizeof cases / sizeof *cases));
}
