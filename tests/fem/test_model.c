// SPDX-License-Identifier: BSD-3-Clause
// test_model.c: what a good model file becomes: every key of model_full.yaml, every default of
// model_least.yaml.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "fem/model.h"
#include "mw_test.h"

#define FULL  MW_TESTS_DIR "/fem/model_full.yaml"
#define PARTS MW_TESTS_DIR "/fem/model_parts.yaml"
#define LEAST MW_TESTS_DIR "/fem/model_least.yaml"

static const double PI = 3.14159265358979323846;

// One rounding of the decimal in the file and one of that in the test, both to nearest: equal bits.
static bool same3(const double *a, double x, double y, double z)
{
  return a[0] == x && a[1] == y && a[2] == z;
}

static bool is(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

static mw_model read_okay(const char *path)
{
  mw_model m = { 0 };
  mw_error err = { 0 };
  MW_OKAY(mw_model_read(path, &m, &err));
  return m;
}

static void head_and_materials_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  MW_CHECK(is(m.path, FULL) && is(m.name, "gantry"));
  MW_CHECK(same3(m.gravity, 0, 0, -9.81));
  MW_CHECK(m.alpha == 0.5 && m.beta == 1e-5 && m.modal == 0.0);
  MW_CHECK(m.n_material == 2 && is(m.material[1].name, "alu"));
  MW_CHECK(m.material[0].E == 210e9 && m.material[0].nu == 0.3 && m.material[0].rho == 7850);
  MW_CHECK(m.material[1].E == 70e9 && m.material[1].nu == 0.33 && m.material[1].rho == 2700);
  MW_CHECK(m.material[1].at.line == 7 && m.material[1].at.col == 55);
  mw_model_free(&m);
  MW_CHECK(m.mem.head == NULL && m.body == NULL);
}

// It of a rectangle by 500 terms of Saint-Venant's series; the rest of Σ n⁻⁵ over odd n > 1000 is
// below 1/(8·1000⁴)
static double torsion(double a, double b)
{
  double sum = 0.0;
  for (int n = 999; n >= 1; n -= 2) sum += tanh(n * PI * a / (2.0 * b)) / pow(n, 5);
  return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(PI, 5) * b / a * sum);
}

static void sections_have_their_closed_forms(void)
{
  mw_model m = read_okay(FULL);
  const mw_section *box = &m.section[0], *bar = &m.section[1], *disc = &m.section[2];
  const mw_section *pipe = &m.section[3], *any = &m.section[4];
  // a handful of products, each rounded once
  double eps = 8 * DBL_EPSILON;
  MW_CHECK(m.n_section == 5);
  MW_NEAR(box->A, 0.02, eps * 0.02);
  MW_NEAR(box->Iy, 0.1 * 0.008 / 12.0, eps * 1e-4);  // ∫z², z along the height
  MW_NEAR(box->Iz, 0.2 * 0.001 / 12.0, eps * 1e-4);
  // truncated series in the test (1.3e-13 of Σ, times 64/π⁵ b/a), plus cancellation in 1/3 − …
  MW_NEAR(box->It, torsion(0.2, 0.1), 0.2 * 0.001 * (1.3e-13 * 0.11 + 16 * DBL_EPSILON));
  MW_CHECK(box->ky == 5.0 / 6.0 && box->kz == 5.0 / 6.0 && box->rotary);
  MW_NEAR(bar->A, PI * 1e-4, eps * PI * 1e-4);
  MW_NEAR(bar->Iy, PI / 4.0 * 1e-8, eps * PI / 4.0 * 1e-8);
  MW_NEAR(bar->It, PI / 2.0 * 1e-8, eps * PI / 2.0 * 1e-8);
  MW_CHECK(bar->ky == 0.0 && bar->kz == 0.0 && !bar->rotary);
  MW_NEAR(disc->ky, 7.8 / 8.8, eps);
  MW_NEAR(pipe->A, PI * (1e-4 - 2.5e-5), eps * PI * 1e-4);
  MW_NEAR(pipe->Iz, PI / 4.0 * (1e-8 - 6.25e-10), eps * 1e-8);
  MW_NEAR(pipe->kz, 7.8 * 1.5625 / (8.8 * 1.5625 + 23.6 * 0.25), eps);
  MW_CHECK(any->A == 1 && any->Iy == 2 && any->Iz == 3 && any->It == 4);
  MW_CHECK(any->ky == 0.5 && any->kz == 0.6 && !any->rotary);
  mw_model_free(&m);
}

static void beam_body_is_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_body_in *b = &m.body[2];
  static const double axes[9] = { 0, -1, 0, 1, 0, 0, 0, 0, 1 };
  static const bool dof[6] = { true, true, true, true, false, false };
  MW_CHECK(m.n_body == 6 && is(m.body[0].name, "ground") && m.body[0].ground && m.body[0].rigid);
  MW_CHECK(is(b->name, "beam") && b->ground && !b->rigid && !b->gravity && !b->mesh);
  MW_CHECK(same3(b->origin, 0, 0, 1));
  // x and y of length 2 and 3 along the ground's axes: exact
  for (int i = 0; i < 9; i++) MW_CHECK(b->axes[i] == axes[i]);
  MW_CHECK(b->n_point == 3 && is(b->point[1].name, "m") && same3(b->point[1].x, 0.5, 0, 0));
  MW_CHECK(b->n_member == 2 && b->member[0].n_elem == 40 && b->member[1].n_elem == 1);
  MW_CHECK(b->member[0].from == 0 && b->member[0].to == 1 && b->member[1].section == 4);
  MW_CHECK(b->member[1].material == 1 && same3(b->member[1].up, 0, 0, 1));
  MW_CHECK(b->n_support == 2 && is(b->support[0].set, "a") && is(b->support[1].set, "b"));
  for (int i = 0; i < 6; i++) MW_CHECK(b->support[0].dof[i] == dof[i] && b->support[1].dof[i]);
  MW_CHECK(b->n_guide == 1 && b->guide[0].from == 0 && b->guide[0].to == 2 && !b->guide[0].set);
  MW_CHECK(b->guide[0].has_start && same3(b->guide[0].start, 2, 0, 0));
  MW_CHECK(b->n_attach == 1 && b->attach[0].kind == MW_ATTACH_NODE && is(b->attach[0].set, "m"));
  MW_CHECK(b->attach[0].mass == 0.25 && b->alpha == 0.0 && b->beta == 2e-5);
  mw_model_free(&m);
}

static void mesh_and_rigid_bodies_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_body_in *arm = &m.body[3], *cart = &m.body[4];
  MW_CHECK(is(arm->mesh, MW_TESTS_DIR "/fem/model_any.msh") && arm->mesh_scale == 0.001);
  MW_CHECK(arm->mesh_material == 1 && !arm->ground && !arm->rigid && arm->alpha == 0.5);
  MW_CHECK(is(arm->guide[0].set, "side line") && same3(arm->guide[0].normal, 0, 0, 1));
  MW_CHECK(arm->guide[0].from == -1 && arm->guide[0].to == -1);
  const mw_attach *hub = &arm->attach[0], *pad = &arm->attach[1], *tip = &arm->attach[2];
  MW_CHECK(hub->kind == MW_ATTACH_RIGID && is(hub->set, "hub_set") && hub->has_x);
  MW_CHECK(same3(hub->x, 0, 0, 0.1) && hub->mass == 1.2 && same3(hub->inertia, 1, 2, 2.5));
  MW_CHECK(same3(hub->inertia + 3, 0.1, 0, 0));
  MW_CHECK(pad->kind == MW_ATTACH_AVERAGE && !pad->has_x && is(pad->set, "pad_set"));
  MW_CHECK(tip->kind == MW_ATTACH_NODE && !tip->set && tip->has_x && tip->x[2] == 0.5);
  MW_CHECK(cart->rigid && cart->mass == 4.2 && same3(cart->com, 0.01, 0, 0));
  MW_CHECK(same3(cart->inertia, 0.1, 0.2, 0.25) && same3(cart->inertia + 3, 0, 0, 0.01));
  MW_CHECK(cart->attach[1].kind == MW_ATTACH_POINT && same3(cart->attach[1].x, 0, 0, -0.1));
  MW_CHECK(same3(cart->guide[0].ends[1], 1, 0, 0) && same3(cart->guide[0].normal, 0, 1, 0));
  MW_CHECK(cart->gravity && cart->mass_at.line == 45);
  mw_model_free(&m);
}

static void meshes_and_their_parts_are_as_written(void)
{
  mw_model m = read_okay(PARTS);
  const mw_body_in *b = &m.body[1];
  MW_CHECK(is(b->mesh, MW_TESTS_DIR "/fem/model_any.inp") && b->has_unit && b->mesh_scale == 1e-3);
  MW_CHECK(b->mesh_material == -1 && b->n_part == 2 && is(b->part[0].name, "sheet"));
  MW_CHECK(b->part[0].material == 1 && b->part[0].thickness == 0.004);
  MW_CHECK(b->part[1].material == -1 && b->part[1].thickness == 0.0);
  static const mw_pick_kind kind[] = { MW_PICK_BOX,      MW_PICK_PLANE,   MW_PICK_LINE,
                                       MW_PICK_CYLINDER, MW_PICK_NEAREST, MW_PICK_TAGS };
  if (!MW_CHECK(b->n_node_set == 6)) return;
  const mw_node_set_in *s = b->node_set;
  for (int k = 0; k < 6; k++) MW_CHECK(s[k].kind == kind[k]);
  MW_CHECK(same3(s[0].q, 0.1, 0.2, 0.3) && s[0].within == 1e-3 && s[1].within == 0.0);
  MW_CHECK(same3(s[1].p, 0, 0, -0.5) && same3(s[1].q, 0, 0, 2) && same3(s[2].q, 1, 0, 0));
  MW_CHECK(s[3].r == 0.03 && same3(s[4].p, 1, 2, 3) && s[5].n_tag == 3 && s[5].tag[2] == 13);
  MW_CHECK(b->n_tie == 2 && is(b->tie[0].slave, "corner") && is(b->tie[0].master, "floor"));
  MW_CHECK(b->tie[0].distance == 2e-3 && b->tie[1].distance == 0.0);
  MW_CHECK(b->n_bushing == 1 && b->bushing[0].a == 0 && b->bushing[0].b == 1);
  MW_CHECK(b->bushing[0].stiffness[1] == 2e8 && b->bushing[0].stiffness[5] == 3e4);
  const mw_expected_in *x = &b->expected;
  MW_CHECK(x->present && x->mass == 12.5 && x->has_com && x->has_inertia && x->tolerance == 0.05);
  MW_CHECK(same3(x->com, 0.1, 0.2, 0.3) && same3(x->inertia + 3, 0, 0, 0.1));
  MW_CHECK(b->guide[0].pad[0] == 0.08 && b->guide[0].pad[1] == 0.02 && !b->guide[0].set);
  MW_CHECK(same3(b->guide[0].ends[1], 1, 0, 0) && is(b->guide[1].set, "rim"));
  mw_model_free(&m);
}

static void cad_and_foreign_matrices_are_as_written(void)
{
  mw_model m = read_okay(PARTS);
  const mw_cad_in *c = m.body[2].cad;
  if (!MW_CHECK(c != NULL && m.body[3].matrices != NULL)) return;
  MW_CHECK(is(c->file, MW_TESTS_DIR "/fem/model_any.msh") && c->size == 0.02 && c->order == 1);
  MW_CHECK(c->scale == 0.0254 && c->n_group == 2 && c->n_refine == 2 && !m.body[2].mesh);
  MW_CHECK(is(c->group[0].name, "bore") && c->group[0].dim == 2 && c->group[1].dim == 1);
  MW_CHECK(same3(c->group[1].x, 0.5, 0, 0) && is(c->refine[0].group, "rail"));
  MW_CHECK(!c->refine[1].group && same3(c->refine[1].x, 0, 0, 1) && c->refine[1].size == 0.004);
  MW_CHECK(is(m.body[3].matrices->mass, MW_TESTS_DIR "/fem/model_any.msh"));
  MW_CHECK(m.body[3].mesh_scale == 0.01 && m.body[3].matrices->dofs_at.line > 0);
  MW_CHECK(m.joint[0].n_runner == 0);
  MW_CHECK(m.output[0].kind == MW_OUTPUT_STRESS && m.output[0].ref.body == 1);
  MW_CHECK(m.output[0].z == 0.002 && same3(m.output[0].x, 0.1, 0, 0));
  MW_CHECK(m.output[1].kind == MW_OUTPUT_STRAIN && m.output[1].ref.body == 2);
  mw_model_free(&m);
}

static void write_text(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  if (MW_CHECK(f != NULL)) MW_CHECK(fputs(text, f) >= 0 && fclose(f) == 0);
}

static void the_hash_sees_what_an_inp_file_includes(void)
{
  char hash[3][65];
  write_text("test_model.tmp.yaml", "modeway: 1\nbodies: {a: {ground: true, mesh: "
                                    "test_model.tmp.inp, supports: [{nodes: s}]}}\n");
  write_text("test_model.tmp.inp", "*INCLUDE, INPUT=test_model_b.tmp.inp\n*STEP\n");
  for (int k = 0; k < 3; k++) {
    write_text("test_model_b.tmp.inp", k == 1 ? "*NODE\n1, 0, 0, 1\n" : "*NODE\n1, 0, 0, 0\n");
    mw_model m = read_okay("test_model.tmp.yaml");
    memcpy(hash[k], m.hash, sizeof hash[k]);
    mw_model_free(&m);
  }
  MW_CHECK(strcmp(hash[0], hash[2]) == 0 && strcmp(hash[0], hash[1]) != 0);
  remove("test_model.tmp.yaml");
  remove("test_model.tmp.inp");
  remove("test_model_b.tmp.inp");
}

static void joints_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_joint_in *x = &m.joint[0], *h = &m.joint[1], *p = &m.joint[2], *ball = &m.joint[3];
  MW_CHECK(m.n_joint == 7 && x->kind == MW_JOINT_SLIDE && is(x->coordinate, "xc"));
  MW_CHECK(x->a.body == 2 && x->guide == 0 && x->b.body == 4 && x->b.attach == 0);
  MW_CHECK(x->lock_rotation && x->coordinate_damping == 10 && x->n_runner == 2);
  const mw_runner *r = x->runner;
  MW_CHECK(r[0].offset == -0.1 && same3(r[0].shift, 0, 0.05, 0) && r[0].length == 0.05);
  MW_CHECK(r[0].dir[0] && !r[0].dir[1] && r[0].stiffness[0] == 1e8 && r[0].stiffness[1] == 1e8);
  MW_CHECK(r[0].damping[0] == 100 && r[0].damping[1] == 100);
  MW_CHECK(r[1].dir[0] && r[1].dir[1] && isinf(r[1].stiffness[0]) && r[1].stiffness[1] == 2e8);
  MW_CHECK(r[1].damping[0] == 3 && r[1].damping[1] == 4 && r[1].length == 0);
  MW_CHECK(h->kind == MW_JOINT_REVOLUTE && h->a.body == 1 && h->a.attach == 0 && h->start == 0.5);
  MW_CHECK(same3(h->axis, 0, 0, 1) && is(h->coordinate, "phi") && h->n_runner == 0);
  MW_CHECK(p->kind == MW_JOINT_PRISMATIC && p->b.body == 5 && p->b.attach == -1);
  MW_CHECK(ball->kind == MW_JOINT_SPHERICAL && ball->b.body == 0 && !ball->coordinate);
  MW_CHECK(m.joint[4].kind == MW_JOINT_FIXED && is(m.joint[4].name, "weld"));
  const mw_joint_in *bush = &m.joint[5], *rope = &m.joint[6];
  MW_CHECK(bush->kind == MW_JOINT_SPRING && same3(bush->stiffness, 1, 2, 3));
  MW_CHECK(same3(bush->stiffness + 3, 4, 5, 6) && same3(bush->damping, 7, 8, 9));
  MW_CHECK(same3(bush->damping + 3, 0, 0, 0) && same3(rope->stiffness, 100, 100, 100));
  MW_CHECK(same3(rope->stiffness + 3, 0, 0, 0) && same3(rope->damping, 0, 0, 0));
  mw_model_free(&m);
}

static void drives_outputs_and_reduction_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_reduction_in *r = &m.reduction;
  MW_CHECK(m.n_drive == 5 && is(m.drive[0].name, "push") && m.drive[0].joint == -1);
  MW_CHECK(m.drive[0].on.body == 3 && m.drive[0].on.attach == 2 && same3(m.drive[0].dir, 0, 0, 1));
  MW_CHECK(is(m.drive[1].name, "motor_x") && m.drive[1].joint == 0 && m.drive[2].joint == 1);
  MW_CHECK(is(m.drive[3].name, "motor_z") && m.drive[3].joint == 2);  // declared by its joint alone
  MW_CHECK(is(m.drive[4].name, "blow") && m.drive[4].load && !m.drive[0].load &&
           m.drive[4].joint == -1 && same3(m.drive[4].dir, 0, 0.6, 0.8));
  const mw_body_in *carriage = &m.body[m.drive[4].on.body];
  MW_CHECK(is(carriage->name, "carriage") &&
           same3(carriage->attach[m.drive[4].on.attach].x, 0, 0, -0.1));
  MW_CHECK(m.n_output == 2 && m.output[0].ref.body == 4 && m.output[0].ref.attach == -1);
  MW_CHECK(same3(m.output[0].x, 0, 0, -0.3) && m.output[1].ref.body == 2 &&
           !m.output[1].ref.attach);
  MW_CHECK(r->present && r->n_coordinate == 2 && is(r->coordinate[0].name, "xc"));
  MW_CHECK(r->coordinate[0].lo == 0.2 && r->coordinate[0].hi == 1.1 &&
           r->coordinate[0].n_grid == 9);
  MW_CHECK(r->coordinate[1].joint == 2 && r->coordinate[1].lo == -0.1 &&
           r->coordinate[1].n_grid == 7);
  MW_CHECK(r->coordinate[0].refine == 0 && r->coordinate[1].refine == 2);
  MW_CHECK(r->coordinate[0].max_rate == 0.0 && r->coordinate[0].max_acceleration == 0.0);
  MW_CHECK(r->coordinate[1].max_rate == 1.5 && r->coordinate[1].max_acceleration == 20.0);
  MW_CHECK(r->max_input[0] == 25.5 && r->max_input[1] == 400.0 && r->max_input[2] == 0.0);
  MW_CHECK(r->max_input[3] == 0.0 && r->max_deflection == 0.02);
  MW_CHECK(r->n_modes == 0 && r->modes_below == 400 && r->craig_bampton &&
           r->inertia == MW_INERTIA_LEADING);
  MW_CHECK(!r->pattern_outputs && r->pattern_drives && !r->pattern_acceleration);
  MW_CHECK(r->pattern_gravity && r->pattern_dampers && r->floating == 5.0 && r->tolerance == 1e-4 &&
           r->n_certificate == 12);
  mw_model_free(&m);
}

static void a_cutting_process_is_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_cutting_in *c = m.scenario[0].cutting;
  if (MW_CHECK(c != NULL)) {
    MW_CHECK(is(c->to, "tool.x,0.6*tool.y+0.8*tool.z") && c->from == NULL);
    MW_CHECK(c->force == 6e8 && c->radial == 0.3 && c->teeth == 4 && c->immersion == 0.25);
    MW_CHECK(c->down && c->rpm[0] == 2000.0 && c->rpm[1] == 9000.0);
  }
  MW_CHECK(m.scenario[1].cutting == NULL);
  mw_model_free(&m);
}

static void scenarios_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_scenario *sc = &m.scenario[0];
  MW_CHECK(m.n_scenario == 4 && is(sc->name, "pick") && sc->duration == 1.5 && sc->step == 5e-4);
  MW_CHECK(sc->control_period == 1e-3 && sc->store == 2e-3 && !sc->static_start);
  // z has no start: where its ramp begins, at the ramp's rate
  MW_CHECK(sc->n_start == 3 && sc->start_joint[0] == 0 && sc->start_joint[2] == 2);
  MW_CHECK(same3(sc->start_s, 0.25, 0.1, 0.1) && same3(sc->start_v, 0, 0.4, 1.57));
  const mw_mode_start *e = sc->mode_start;
  MW_CHECK(sc->n_mode_start == 2 && e[0].mode == 2 && e[0].output == 0 && e[0].axis == 1);
  MW_CHECK(e[0].rate == 0.5 && e[0].amplitude == 0.0 && e[1].output == 1 && e[1].axis == 2);
  MW_CHECK(e[1].mode == 1 && e[1].amplitude == 1e-3 && e[1].rate == 0.0);
  MW_CHECK(sc->n_load_start == 1 && sc->load_start[0].output == 1 &&
           same3(sc->load_start[0].force, 1, 2, 3));
  MW_CHECK(sc->n_action == 4);
  const mw_action *a = sc->action;
  MW_CHECK(a[0].drive == 1 && a[0].kind == MW_ACTION_CONTROL && a[0].signal.kind == MW_SIGNAL_MOVE);
  MW_CHECK(a[0].kp == 1e6 && a[0].kd == 1e4 && a[0].ff == 12.5 && a[0].signal.t0 == 0.05);
  MW_CHECK(a[0].signal.a == 0.2 && a[0].signal.b == 0.9 && a[0].signal.v == 2);
  MW_CHECK(a[0].signal.acc == 20 && a[0].signal.jerk == 2000);
  MW_CHECK(a[1].kind == MW_ACTION_FORCE && a[1].signal.kind == MW_SIGNAL_SINE);
  MW_CHECK(a[1].signal.a == 1 && a[1].signal.f == 2 && a[1].signal.phase == 0.1);
  MW_CHECK(a[1].signal.t0 == 0.2 && a[1].signal.t1 == 0.5);
  MW_CHECK(a[2].kind == MW_ACTION_POSITION && a[2].signal.kind == MW_SIGNAL_RAMP);
  MW_CHECK(a[2].signal.a == 0.1 && a[2].signal.v == 1.57 && a[2].drive == 3);
  MW_CHECK(a[3].drive == 0 && a[3].signal.kind == MW_SIGNAL_CONSTANT && a[3].signal.a == 3);
  mw_model_free(&m);
}

static void signals_are_as_written(void)
{
  mw_model m = read_okay(FULL);
  const mw_action *a = m.scenario[1].action, *b = m.scenario[2].action;
  MW_CHECK(a[0].signal.kind == MW_SIGNAL_CYCLOID && a[0].signal.a == 0.3);
  MW_CHECK(a[0].signal.b == 0.9 - 0.3 && a[0].signal.t0 == 0.1 && a[0].signal.t1 == 0.6);
  MW_CHECK(a[1].signal.kind == MW_SIGNAL_CHIRP && a[1].signal.a == 2 && a[1].signal.f == 1);
  MW_CHECK(a[1].signal.f1 == 50 && a[1].signal.t1 == 1 && a[1].signal.phase == 0);
  MW_CHECK(a[2].signal.kind == MW_SIGNAL_TABLE && a[2].signal.n == 3);
  MW_CHECK(same3(a[2].signal.t, 0, 0.5, 1) && same3(a[2].signal.y, 0, 1, -1));
  MW_CHECK(a[3].signal.kind == MW_SIGNAL_STEP && a[3].signal.a == 5 && a[3].signal.t0 == 0.25);
  // a table through t = 0: half way, at its slope; a sine from t = 0: zero, at 2 pi f a
  const mw_scenario *sc = &m.scenario[2];
  MW_CHECK(b[0].kind == MW_ACTION_POSITION && b[0].signal.n == 2);
  MW_NEAR(sc->start_s[0], 0.3, 2 * DBL_EPSILON);
  MW_NEAR(sc->start_v[0], 0.1, DBL_EPSILON);
  MW_CHECK(sc->start_joint[1] == 1 && sc->start_s[1] == 0.0);
  MW_NEAR(sc->start_v[1], PI, 4 * DBL_EPSILON);
  MW_CHECK(isinf(b[2].signal.t1) && b[2].signal.t1 > 0);
  // a spin-up begins at rest where it says
  const mw_signal *spin = &m.scenario[3].action[0].signal;
  MW_CHECK(spin->kind == MW_SIGNAL_SPIN_UP && spin->a == 0.2 && spin->v == 3);
  MW_CHECK(spin->t0 == 0.1 && spin->t1 == 0.6 && m.scenario[3].start_s[1] == 0.2);
  // a move without from begins in the middle of the coordinate's range
  MW_CHECK(b[1].signal.a == 0.5 * (0.8 - 0.1) && sc->start_s[2] == b[1].signal.a);
  mw_model_free(&m);
}

static void what_is_left_out_takes_its_default(void)
{
  mw_model m = read_okay(LEAST);
  const mw_body_in *frame = &m.body[1], *box = &m.body[2], *rod = &m.body[3];
  const mw_joint_in *s = &m.joint[0];
  const mw_reduction_in *r = &m.reduction;
  const mw_scenario *rest = &m.scenario[0], *go = &m.scenario[1];
  MW_CHECK(is(m.name, "model_least") && same3(m.gravity, 0, 0, 0));
  MW_CHECK(m.alpha == 0 && m.beta == 0 && m.modal == 0);
  MW_CHECK(frame->ground && frame->rigid && frame->mass == 0 &&
           same3(frame->guide[0].normal, 0, 0, 1));
  MW_CHECK(!frame->guide[0].has_start && frame->gravity && !box->ground &&
           same3(box->com, 0, 0, 0));
  MW_CHECK(same3(box->origin, 0, 0, 0) && box->axes[0] == 1 && box->axes[1] == 0 &&
           box->axes[8] == 1);
  MW_CHECK(rod->member[0].n_elem == 1 && same3(rod->member[0].up, 0, 0, 1));
  MW_CHECK(rod->attach[0].mass == 0 && !rod->attach[0].has_x && m.body[4].mesh_scale == 1);
  MW_CHECK(s->n_runner == 1 && s->runner[0].dir[0] && s->runner[0].dir[1] &&
           s->runner[0].offset == 0);
  MW_CHECK(isinf(s->runner[0].stiffness[0]) && isinf(s->runner[0].stiffness[1]));
  MW_CHECK(s->runner[0].damping[0] == 0 && s->runner[0].length == 0 && !s->lock_rotation);
  MW_CHECK(!s->coordinate && s->coordinate_damping == 0 && m.drive[0].joint == 0);
  MW_CHECK(m.output[0].ref.attach == -1 && same3(m.output[0].x, 0, 0, 0));
  MW_CHECK(r->coordinate[0].n_grid == 17 && r->coordinate[0].joint == 0 && r->n_modes == 6);
  MW_CHECK(r->coordinate[0].refine == 0);
  MW_CHECK(r->modes_below == 0 && !r->craig_bampton && r->inertia == MW_INERTIA_FULL &&
           r->tolerance == 1e-3);
  MW_CHECK(r->pattern_outputs && r->pattern_drives && r->pattern_acceleration &&
           r->pattern_gravity && r->floating == 0.0);
  MW_CHECK(r->max_deflection == 0.0 && r->max_input[0] == 0.0);
  MW_CHECK(r->coordinate[0].max_rate == 0.0 && r->coordinate[0].max_acceleration == 0.0);
  MW_CHECK(r->n_certificate == 8 && rest->step == 1e-3 && rest->control_period == 1e-3);
  MW_CHECK(rest->store == 1e-3 && rest->static_start && rest->n_action == 0);
  MW_CHECK(rest->n_start == 1 && rest->start_s[0] == 1.0 && rest->start_v[0] == 0.0);
  MW_CHECK(go->action[0].signal.a == 1.0 && go->action[0].kp == 1.0 && go->action[0].kd == 0);
  MW_CHECK(go->action[0].ff == 0 && go->action[0].signal.t0 == 0);
  mw_model_free(&m);
}

static bool hash_of(const char *text, char hash[65])
{
  write_text("test_model.tmp.yaml", text);
  mw_model m = read_okay("test_model.tmp.yaml");
  memcpy(hash, m.hash, 65);
  mw_model_free(&m);
  remove("test_model.tmp.yaml");
  return hash[0] != '\0';
}

#define BODY  "bodies: { a: { rigid: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } } }\n"
#define JOINT "joints: { j: { fixed: { a: ground, b: a } } }\n"

// The canonical form, by hand; what is left out of it, and what is not.
static void the_hash_sees_the_machine_and_neither_comments_names_nor_scenarios(void)
{
  static const char form[] =
      "{7:modeway1:16:bodies{1:a{5:rigid{4:mass1:27:inertia[1:11:11:11:01:01:0]}}}"
      "6:joints{1:j{5:fixed{1:a6:ground1:b1:a}}}}";
#define SPREAD                                                                                     \
  "modeway: 1\nbodies:\n  a:\n    rigid:\n      mass: 2\n"                                         \
  "      inertia: [1, 1, 1,\n        0, 0, 0]\n"
  static const char *const same[] = {
    "modeway: 1\n" BODY JOINT,
    "# a comment\nmodeway:   1\n\n" BODY "# another one\n" JOINT,
    "modeway: 1\nname: something else\n" BODY JOINT,
    "modeway: 1\n" BODY JOINT "scenarios: { s: { duration: 3 } }\n",
    SPREAD JOINT,
    // by value, in any order of keys, defaults written or not
    "modeway: 1.0\n" JOINT
    "bodies: { a: { rigid: { inertia: [1.0, 1e0, 1, 0.0, -0, 0], mass: +2.0 }, "
    "gravity: true, at: [0, 0.0, 0] } }\nstrain: \"nonlinear\"\ngravity: [0, 0, 0]\n",
    "modeway: 1\nparameters: { m: 2 }\nbodies: { a: { rigid: { mass: $m, inertia: [$m/2, 1, 1, 0, "
    "0, 0] } } }\ndamping: { alpha: 0 }\n" JOINT,
  };
  static const char *const other[] = {
    "modeway: 1\nbodies: { a: { rigid: { mass: 3, inertia: [1, 1, 1, 0, 0, 0] } } }\n" JOINT,
    "modeway: 1\n" BODY "joints: { k: { fixed: { a: ground, b: a } } }\n",
    "modeway: 1\n" BODY JOINT "outputs: { o: { body: a } }\n",
    "modeway: 1\ngravity: [0, 0, -9.81]\n" BODY JOINT,
  };
  mw_sha256 sha;
  unsigned char digest[32];
  char hex[65], hash[65];
  mw_sha256_init(&sha);
  mw_sha256_add(&sha, form, sizeof form - 1);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  for (size_t k = 0; k < sizeof same / sizeof *same; k++)
    MW_CHECK(hash_of(same[k], hash) && is(hash, hex));
  for (size_t k = 0; k < sizeof other / sizeof *other; k++)
    MW_CHECK(hash_of(other[k], hash) && !is(hash, hex));
}

static void cases_are_read(void)
{
  static const char *const names[] = { "beam-carriage", "beam-carriage-light",
                                       "cantilever-carriage", "carriage-free", "gantry" };
  for (int i = 0; i < 5; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.yaml", MW_CASES_DIR, names[i]);
    mw_model m = read_okay(path);
    MW_CHECK(m.n_scenario > 0 && m.reduction.present);
    mw_model_free(&m);
  }
}

static void failed_reading_leaves_the_model_alone(void)
{
  mw_model m = { .n_body = 42 };
  mw_error err = { 0 };
  MW_FAILS(mw_model_read(MW_TESTS_DIR "/absent.yaml", &m, &err), MW_ERR_IO);
  MW_CHECK(is(err.file, MW_TESTS_DIR "/absent.yaml") && err.line == 0 && m.n_body == 42);
  MW_FAILS(mw_model_read(MW_TESTS_DIR, &m, &err), MW_ERR_IO);
  MW_FAILS(mw_model_read(MW_TESTS_DIR "/bad/model/alias.yaml", &m, &err), MW_ERR_INPUT);
  MW_FAILS(mw_model_read(MW_TESTS_DIR "/bad/model/alias.yaml", &m, NULL), MW_ERR_INPUT);
  MW_CHECK(m.n_body == 42);
}

static void reference_names_every_kind_of_key(void)
{
  static const char *const some[] = { "modeway:", "kp:",          "max_jerk:",
                                      "runners:", "certificate:", "Poisson" };
  char text[65536];
  FILE *f = tmpfile();
  if (!MW_CHECK(f != NULL)) return;
  mw_model_print_keys(f);
  rewind(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  fclose(f);
  for (int i = 0; i < 6; i++) MW_CHECK(strstr(text, some[i]) != NULL);
}

static const mw_test_case cases[] = {
  { "head_and_materials_are_as_written", head_and_materials_are_as_written },
  { "sections_have_their_closed_forms", sections_have_their_closed_forms },
  { "beam_body_is_as_written", beam_body_is_as_written },
  { "mesh_and_rigid_bodies_are_as_written", mesh_and_rigid_bodies_are_as_written },
  { "meshes_and_their_parts_are_as_written", meshes_and_their_parts_are_as_written },
  { "cad_and_foreign_matrices_are_as_written", cad_and_foreign_matrices_are_as_written },
  { "the_hash_sees_what_an_inp_file_includes", the_hash_sees_what_an_inp_file_includes },
  { "joints_are_as_written", joints_are_as_written },
  { "drives_outputs_and_reduction_are_as_written", drives_outputs_and_reduction_are_as_written },
  { "a_cutting_process_is_as_written", a_cutting_process_is_as_written },
  { "scenarios_are_as_written", scenarios_are_as_written },
  { "signals_are_as_written", signals_are_as_written },
  { "what_is_left_out_takes_its_default", what_is_left_out_takes_its_default },
  { "the_hash_sees_the_machine_and_neither_comments_names_nor_scenarios",
    the_hash_sees_the_machine_and_neither_comments_names_nor_scenarios },
  { "cases_are_read", cases_are_read },
  { "failed_reading_leaves_the_model_alone", failed_reading_leaves_the_model_alone },
  { "reference_names_every_kind_of_key", reference_names_every_kind_of_key },
};

int main(void) { return mw_test_run("model", cases, (int)(sizeof cases / sizeof *cases)); }
