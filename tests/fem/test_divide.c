// SPDX-License-Identifier: BSD-3-Clause
// test_divide.c: bodies of beams cut into several: who gets which points, frames, guides and
// supports, and what is refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/mech.h"
#include "mw_test.h"

static const char PATH[] = "test_divide.yaml";

// members of 3 and 5 elements, %d pieces; frames at points and at an inner node; more: lines of the
// body, then of the model
static const char MODEL[] =
    "modeway: 1\nmaterials: {m: {E: 1e9, nu: 0.3, rho: 1000}}\n"
    "sections: {s: {rectangle: {width: 0.02, height: 0.02}}}\n"
    "bodies:\n  arm:\n    at: [0.5, 0, 0]\n    beams:\n"
    "      points: {a: [0, 0, 0], b: [0.3, 0, 0], c: [0.3, 0.5, 0], d: [0, 1, 0]}\n"
    "      members:\n        - {from: a, to: b, section: s, material: m, elements: 3}\n"
    "        - {from: %s, to: c, section: s, material: m, elements: 5}\n      divide: %d\n"
    "    frames: {root: {node: a}, knee: {node: b}, inner: {point: [0.3, 0.3, 0]}, tip: {node: c, "
    "mass: 2}}\n"
    "%s"
    "joints:\n  hub: {revolute: {a: ground, b: arm.root, axis: [0, 0, 1]}, coordinate: phi, "
    "drive: motor}\n"
    "%s"
    "drives: {pull: {force: {on: arm.tip, direction: [1, 0, 0]}}}\n"
    "outputs: {tip: {frame: arm.tip}, inner: {frame: arm.inner}, knee: {frame: arm.knee}}\n";

static mw_code read_model(const char *from, int n, const char *body, const char *joint, mw_model *m,
                          mw_error *err)
{
  FILE *f = fopen(PATH, "w");
  if (!f) return MW_ERR_INPUT;
  fprintf(f, MODEL, from, n, body, joint);
  fclose(f);
  return mw_model_read(PATH, m, err);
}

static const char *frame_of(const mw_model *m, mw_ref r)
{
  return m->body[r.body].attach[r.attach].name;
}

static void pieces_share_the_elements_and_hang_together(void)
{
  mw_model m;
  mw_error err = { 0 };
  for (int n = 1; n <= 8; n++) {
    if (!MW_OKAY(read_model("b", n, "", "", &m, &err))) return;
    int elements = 0;
    MW_CHECK(m.n_body == 1 + n && m.n_joint == n);
    for (int b = 1; b < m.n_body; b++)
      for (int k = 0; k < m.body[b].n_member; k++) elements += m.body[b].member[k].n_elem;
    MW_CHECK(elements == 8);
    for (int j = 1; j < m.n_joint; j++) {
      const mw_joint_in *in = &m.joint[j];
      const mw_body_in *a = &m.body[in->a.body], *b = &m.body[in->b.body];
      const char *pa = a->attach[in->a.attach].set, *pb = b->attach[in->b.attach].set;
      MW_CHECK(in->kind == MW_JOINT_FIXED && in->b.body == j + 1);
      // both frames lie in the cut
      const double *x = NULL, *y = NULL;
      for (int i = 0; i < a->n_point; i++)
        if (strcmp(a->point[i].name, pa) == 0) x = a->point[i].x;
      for (int i = 0; i < b->n_point; i++)
        if (strcmp(b->point[i].name, pb) == 0) y = b->point[i].x;
      if (!MW_CHECK(x && y)) continue;
      for (int c = 0; c < 3; c++) MW_NEAR(x[c], y[c], 1e-15);
    }
    mw_model_free(&m);
  }
}

static void references_follow_by_name(void)
{
  mw_model m;
  mw_error err = { 0 };
  if (!MW_OKAY(read_model("b", 4, "", "", &m, &err))) return;
  // two elements a piece: nodes 0 2 4 6 8; a = 0, b = 3, inner = 6, c = 8
  MW_CHECK(m.joint[0].b.body == 1 && strcmp(frame_of(&m, m.joint[0].b), "root") == 0);
  for (int k = 0; k < m.n_drive; k++)
    if (m.drive[k].joint < 0)
      MW_CHECK(m.drive[k].on.body == 4 && strcmp(frame_of(&m, m.drive[k].on), "tip") == 0);
  MW_CHECK(m.output[0].ref.body == 4 && strcmp(frame_of(&m, m.output[0].ref), "tip") == 0);
  MW_CHECK(m.output[1].ref.body == 3 && strcmp(frame_of(&m, m.output[1].ref), "inner") == 0);
  MW_CHECK(m.output[2].ref.body == 2 && strcmp(frame_of(&m, m.output[2].ref), "knee") == 0);
  MW_CHECK(strcmp(m.body[1].name, "arm") == 0 && strcmp(m.body[3].name, "arm~3") == 0);
  MW_CHECK(m.body[4].attach[m.output[0].ref.attach].mass == 2.0);
  mw_model_free(&m);
}

// mass, centre and inertia of all pieces are those of the whole
static void nothing_is_lost(void)
{
  double whole[13];
  for (int n = 1; n <= 5; n += 2) {
    mw_model m;
    mw_error err = { 0 };
    mw_arena mem = { 0 };
    double sum[13] = { 0 };
    if (!MW_OKAY(read_model("b", n, "", "", &m, &err))) return;
    for (int b = 1; b < m.n_body; b++) {
      mw_body body;
      if (!MW_OKAY(mw_body_build(&m, b, &mem, &body, &err))) continue;
      sum[0] += body.m;
      for (int c = 0; c < 3; c++) sum[1 + c] += body.mX[c];
      for (int c = 0; c < 9; c++) sum[4 + c] += body.J[c];
    }
    for (int k = 0; k < 13; k++) {
      if (n == 1) whole[k] = sum[k];
      MW_NEAR(sum[k], whole[k], 1e-13 * whole[0]);
    }
    mw_arena_free(&mem);
    mw_model_free(&m);
  }
}

static void guides_within_a_piece_stay(void)
{
  static const char GUIDE[] = "    guides: {rail: {from: b, to: c, normal: [0, 0, 1]}}\n";
  mw_model m;
  mw_error err = { 0 };
  char body[600], joint[200];
  snprintf(body, sizeof body,
           "%s  cart:\n    at: [0.8, 0.2, 0]\n    rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n",
           GUIDE);
  snprintf(joint, sizeof joint, "  s: {slide: {guide: arm.rail, on: cart}, coordinate: s}\n");
  // cut at node 4: the guide from node 3 to 8 runs over it
  MW_FAILS(read_model("b", 2, body, joint, &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "guide rail runs over a cut of body arm") && err.line > 0);
  if (!MW_OKAY(read_model("b", 1, body, joint, &m, &err))) return;
  mw_model_free(&m);
}

static void what_cannot_be_cut_is_refused(void)
{
  mw_model m;
  mw_error err = { 0 };
  MW_FAILS(read_model("b", 9, "", "", &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "has 8 elements, expected at least one for each of 9 pieces") != NULL);
  MW_FAILS(read_model("a", 2, "", "", &m, &err), MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "found one from a, expected from b") != NULL && err.line > 0);
  MW_FAILS(read_model("b", 2,
                      "    bushings: {k: {a: root, b: tip, stiffness: [1, 1, 1, 0, 0, 0]}}\n", "",
                      &m, &err),
           MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "bushing k joins two pieces of body arm") != NULL);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "pieces_share_the_elements_and_hang_together", pieces_share_the_elements_and_hang_together },
    { "references_follow_by_name", references_follow_by_name },
    { "nothing_is_lost", nothing_is_lost },
    { "guides_within_a_piece_stay", guides_within_a_piece_stay },
    { "what_cannot_be_cut_is_refused", what_cannot_be_cut_is_refused },
  };
  int rc = mw_test_run("divide", cases, (int)(sizeof cases / sizeof *cases));
  remove(PATH);
  return rc;
}
