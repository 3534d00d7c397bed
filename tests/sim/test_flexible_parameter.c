// SPDX-License-Identifier: BSD-3-Clause
// test_flexible_parameter.c: parameters that a reduced model keeps are set where it is used as a
// component: it is the reduced model at these values.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_layer.h"
#include "fem/component.h"
#include "flexible_rig.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static mw_case axis;  // its names are those of the text
static mw_rom_file part;
static mw_flexible_text text;
static char *block;
static size_t n_block;
static mw_arena mem;

// The axis of cases/bought-axis with a tool at the arm's head, 0 to 0.4 kg, on a coarse grid.
static const char *axis_text(void)
{
  static const struct {
    const char *from, *to;
  } put[] = {
    { "modeway: 1", "modeway: 1\nparameters: { tool: 0.1 }" },
    { "head: { node: b }", "head: { node: b, mass: $tool }" },
    { "outputs: {", "outputs: { head: { frame: arm.head }," },
    { "points: 9,", "points: 5," },
    { "  modes:", "  parameters: { tool: [0, 0.4] }\n  modes:" },
  };
  const char *t = rig_text(MW_CASES_DIR "/bought-axis/axis.yaml", &mem);
  for (size_t k = 0; t && k < sizeof put / sizeof *put; k++) {
    const char *at = strstr(t, put[k].from);
    if (!MW_CHECK(at != NULL)) return NULL;
    t = mw_arena_printf(&mem, "%.*s%s%s", (int)(at - t), t, put[k].to, at + strlen(put[k].from));
  }
  return t;
}

static void the_axis_is_reduced_with_its_parameter(void)
{
  mw_error err = { 0 };
  mw_export_list list = { 0 };
  const char *left_out = NULL;
  if (rig_put("axis.yaml", axis_text()) &&
      MW_OKAY(mw_case_read_middle(rig_path("axis.yaml"), NULL, &axis, &err)) &&
      MW_OKAY(mw_reduce(&axis.model, &axis.mech, NULL, &part, &err)) &&
      MW_OKAY(mw_export_flexible_text(&part, &axis.mech, &mem, &text, &left_out, &err)) &&
      MW_OKAY(mw_export_block(&part, &block, &n_block, &err)) &&
      MW_OKAY(mw_export_flexible(&part, &axis.mech, rig_path("axis.so"), &mem, &list, &err))) {
    if (left_out) printf("  left out: %s\n", left_out);
    MW_CHECK(left_out == NULL && text.kept.n == 1);
  }
}

static mw_component_in where(const char *const *set)
{
  return (mw_component_in){
    .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, .gravity = { 0, 0, -9.81 }, .n_set = set ? 1 : 0, .set = set
  };
}

// Its border map D [18 × 18] and R of all that is seen, at a place with deflections and rates.
enum { BORDER = 18, SEEN = 6 * RIG_FRAMES };

static bool motion(const mw_component_calls *call, void *one, double *D, double *R)
{
  double q[12 * RIG_FRAMES], v[12 * RIG_FRAMES] = { 0.0 }, f[SEEN] = { 0.0 };
  mw_component_size n;
  mw_component_body b;
  char why[80];
  call->size(one, &n);
  if (!MW_CHECK(6 * n.n_border <= BORDER && n.n_frame <= RIG_FRAMES)) return false;
  memset(R, 0, SEEN * sizeof *R);
  memset(D, 0, BORDER * BORDER * sizeof *D);
  for (int k = 0; k < n.n_frame; k++) {
    call->body(one, k, &b);
    memcpy(q + 12 * k, b.p, sizeof b.p);
  }
  for (int i = 1; i < n.n_state; i++) {
    q[12 * (n.state0 + i / 3) + i % 3] = 1e-5 * sin(3.0 * i);
    v[12 * (n.state0 + i / 3) + i % 3] = 1e-2 * cos(2.0 * i);
  }
  (void)call->load(one, 0.0, q, v);
  if (!MW_CHECK(call->factor(one, why, sizeof why) == 0)) return false;
  call->border(one, D);
  call->solve(one, MW_COMPONENT_ACCELERATION, NULL, 0.0, f, R);
  return true;
}

static double apart(const double *a, const double *b, int n)
{
  double most = 0.0, size = 0.0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return most / size;
}

// The reduced model at the value, exported there, against the component that is set to it. Both
// have one table at nodes. Between nodes each kind of coefficients is off by 1e-6 of its largest at
// most (export_kept.c), and accelerations are sums of some of them.
static void it_is_the_reduced_model_at_the_value_that_is_set(void)
{
  static const struct {
    const char *set;
    double value;
    bool node;
  } at[] = { { "tool=0", 0.0, true }, { "tool=0.4", 0.4, true }, { "tool=0.13", 0.13, false } };
  double D[3][BORDER * BORDER], R[3][SEEN], D0[BORDER * BORDER], R0[SEEN];
  mw_error err = { 0 };
  for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
    mw_component_in in = where(&at[k].set), plain = where(NULL);
    mw_component *c = NULL;
    void *one[3] = { NULL };
    char *there = NULL;
    size_t n = 0;
    if (MW_OKAY(mw_rom_set_parameter(&part, 0, at[k].value, &err)) &&
        MW_OKAY(mw_export_block(&part, &there, &n, &err)) &&
        MW_OKAY(mw_flexible_open(there, n, &text, "", &plain, &one[0], &err)) &&
        MW_OKAY(mw_flexible_open(block, n_block, &text, "", &in, &one[1], &err)) &&
        MW_OKAY(mw_component_open(rig_path("axis.so"), MW_NOWHERE, &c, &err)) &&
        MW_OKAY(mw_component_instance(c, &in, MW_NOWHERE, &one[2], &err)) &&
        motion(&mw_flexible_calls, one[0], D[0], R[0]) &&
        motion(&mw_flexible_calls, one[1], D[1], R[1]) &&
        motion(mw_component_calls_of(c), one[2], D[2], R[2])) {
      MW_SAME_BITS(D[1], D[2], BORDER * BORDER);
      MW_SAME_BITS(R[1], R[2], SEEN);
      double tol = at[k].node ? 1e-12 : 1e-5;
      MW_WITHIN(apart(D[1], D[0], BORDER * BORDER), 0.0, tol, "rounding, or ten kinds' 1e-6");
      MW_WITHIN(apart(R[1], R[0], SEEN), 0.0, tol, "rounding, or ten kinds' 1e-6");
      if (k == 0) {
        memcpy(D0, D[0], sizeof D0);
        memcpy(R0, R[0], sizeof R0);
      } else {
        MW_CHECK(apart(D[0], D0, BORDER * BORDER) > 1e-3);  // the value matters
      }
    }
    for (int i = 0; i < 2; i++)
      if (one[i]) mw_flexible_calls.close(one[i]);
    if (one[2]) mw_component_calls_of(c)->close(one[2]);
    mw_component_close(c);
    free(there);
  }
}

static void what_can_be_set_is_seen(void)
{
  mw_component_in in = where(NULL);
  mw_component_size n;
  mw_component_parameter p;
  mw_error err = { 0 };
  void *one = NULL;
  if (!MW_OKAY(mw_flexible_open(block, n_block, &text, "", &in, &one, &err))) return;
  mw_flexible_calls.size(one, &n);
  MW_CHECK(n.n_parameter == 1);
  mw_flexible_calls.parameter(one, 0, &p);
  MW_CHECK(strcmp(p.name, "tool") == 0 && atof(p.value) == text.parameter[0].value);
  mw_flexible_calls.close(one);
}

static void wrong_values_are_refused_by_name(void)
{
  static const struct {
    const char *set, *why;
  } wrong[] = { { "tool=0.5", "found tool=0.5, expected a number from 0 to 0.4" },
                { "tool=[1]", "found tool=[1], expected a number from 0 to 0.4" },
                { "mass=2", "found set of mass, expected one of tool" } };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    mw_component_in in = where(&wrong[k].set);
    mw_error err = { 0 };
    void *one = NULL;
    MW_FAILS(mw_flexible_open(block, n_block, &text, "", &in, &one, &err), MW_ERR_INPUT);
    MW_CHECK(one == NULL && strstr(err.msg, wrong[k].why) != NULL);
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "the_axis_is_reduced_with_its_parameter",
      the_axis_is_reduced_with_its_parameter },  // for all that follow
    { "what_can_be_set_is_seen", what_can_be_set_is_seen },
    { "it_is_the_reduced_model_at_the_value_that_is_set",
      it_is_the_reduced_model_at_the_value_that_is_set },
    { "wrong_values_are_refused_by_name", wrong_values_are_refused_by_name },
  };
  if (!rig_open("flexible_parameter")) return 1;
  int rc = mw_test_run("flexible_parameter", cases, (int)(sizeof cases / sizeof *cases));
  rig_close();
  mw_rom_file_free(&part);
  mw_case_free(&axis);
  free(block);
  mw_arena_free(&mem);
  return rc;
}
