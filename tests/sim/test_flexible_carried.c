// SPDX-License-Identifier: BSD-3-Clause
// test_flexible_carried.c: a component by a reduced model on a turntable: along a coordinate of its
// own it turns with its carrier as the full mechanism does; without one it is refused, before a run
// by the reference, in a run by the angle of its port.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec3.h"
#include "export/export_layer.h"
#include "flexible_rig.h"
#include "mw_test.h"
#include "reduction/reduce.h"

static mw_arena mem;
static mw_case part;     // its names are those of the text
static mw_rom_file rom;  // of the part last reduced

// An elastic beam with a head that slides on its end.
static const char BEAM[] =
    "modeway: 1\n"
    "name: beam\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
    "sections:\n"
    "  box: { general: { A: 4.44e-4, Iy: 1.0175e-7, Iz: 1.0175e-7, It: 1.5196e-7, ky: 0.44,\n"
    "                    kz: 0.44 } }\n"
    "damping: { beta: 2e-5 }\n"
    "outputs: { %stool: { body: head } }\n"
    "bodies:\n"
    "  beam:\n"
    "    beams:\n"
    "      points: { root: [0, 0, 0], tip: [0.6, 0, 0] }\n"
    "      members: [{ from: root, to: tip, section: box, material: alu, elements: 6,\n"
    "                  up: [0, 0, 1] }]\n"
    "    frames: { root: { node: root }, tip: { node: tip } }\n"
    "  head: { at: [0.6, 0, 0], rigid: { mass: 1.5, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0] } }\n"
    "  base: { ground: true, frames: { axis: { point: [0, 0, 0] } } }\n";
static const char PORT[] = "hub: { orientation: beam.root, arm: 0.1 }, ";
// Its turn about the table's axis is a coordinate.
static const char TURNS[] =
    "joints:\n"
    "  phi: { revolute: { a: base.axis, b: beam.root, axis: [0, 0, 1] }, coordinate: phi }\n"
    "  end: { fixed: { a: beam.tip, b: head } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-3.3, 3.3], points: 9, max_rate: 12,\n"
    "                        max_acceleration: 200 } }\n"
    "  max_deflection: 2e-2\n"
    "  modes: { count: 9 }\n"
    "  tolerance: 1e-3\n"
    "  certificate: { points: 1, samples: 3, band: 200 }\n";
// It floats on soft springs, the way of its head is its coordinate.
static const char FLOATS[] =
    "joints:\n"
    "  way: { prismatic: { a: beam.tip, b: head, axis: [0, 1, 0] }, coordinate: way }\n"
    "springs:\n"
    "  float: { a: base.axis, b: beam.root, stiffness: [1e2, 1e2, 1e2, 10, 10, 10] }\n"
    "reduction:\n"
    "  coordinates: { way: { range: [-0.2, 0.2], points: 5, max_rate: 2, max_acceleration: 50 } }\n"
    "  max_deflection: 2e-2\n"
    "  modes: { count: 10 }\n"
    "  patterns: { floating: 20 }\n"
    "  tolerance: 1e-3\n"
    "  certificate: { points: 1, samples: 3, band: 200 }\n";
static const char TABLE[] =
    "  table: { rigid: { mass: 5, inertia: [0.05, 0.05, 0.05, 0, 0, 0] } }\n"
    "joints:\n"
    "  turn: { revolute: { a: base.axis, b: table, axis: [0, 0, 1] }, coordinate: turn,\n"
    "          drive: m }\n";
static const char HEAD[] =
    "modeway: 1\nname: table\ngravity: [0, 0, -9.81]\n"
    "bodies:\n  base: { ground: true, frames: { axis: { point: [0, 0, 0] } } }\n";
static const char RUN[] = "scenarios:\n"
                          "  go: { duration: %g, step: %g, store: 1e-2, initial: undeformed,\n"
                          "        drives: { m: %s }, rigid: { method: rk4 } }\n";

// Reduces the beam with `rest` behind it and exports it to part.so.
static bool export_part(const char *rest, const char *met)
{
  mw_error err = { 0 };
  mw_export_list list = { 0 };
  const char *head = mw_arena_printf(&mem, BEAM, PORT);
  mw_rom_file_free(&rom);
  mw_case_free(&part);
  bool fine = head && rig_put("part.yaml", mw_arena_printf(&mem, "%s%s", head, rest)) &&
              MW_OKAY(mw_case_read(rig_path("part.yaml"), &part, &err)) &&
              MW_OKAY(mw_reduce(&part.model, &part.mech, NULL, &rom, &err)) &&
              MW_OKAY(mw_export_flexible(&rom, &part.mech, rig_path("part.so"), &mem, &list, &err));
  if (fine) printf("  %s: %d columns, reduced in %.2f s\n", met, rom.rom.m, rom.wall_s);
  return fine;
}

// The table with the component bolted on it, under one action.
static bool put_machine(const char *action, double duration, double step)
{
  const char *run = mw_arena_printf(&mem, RUN, duration, step, action);
  return run && rig_put("machine.yaml",
                        mw_arena_printf(&mem,
                                        "%s%s  bolt: { fixed: { a: table, b: part.hub } }\n"
                                        "assemblies: { part: { component: part.so } }\n%s",
                                        HEAD, TABLE, run));
}

// The same with the beam as it is.
static bool put_whole(const char *action, double duration, double step)
{
  const char *run = mw_arena_printf(&mem, RUN, duration, step, action),
             *beam = mw_arena_printf(&mem, BEAM, "");
  return run && beam &&
         rig_put("whole.yaml", mw_arena_printf(&mem,
                                               "%s%s  bolt: { fixed: { a: table, b: beam.root } }\n"
                                               "  end: { fixed: { a: beam.tip, b: head } }\n%s",
                                               beam, TABLE, run));
}

static void along_its_coordinate_it_turns_as_the_full_mechanism_does(void)
{
  static const char PUSH[] = "{ force: { sine: { amplitude: 16, frequency: 1 } } }";
  mw_run r[3] = { { 0 } };
  if (export_part(TURNS, "turns along a coordinate") && put_machine(PUSH, 0.6, 5e-5) &&
      put_whole(PUSH, 0.6, 5e-5) && rig_run(rig_path("machine.yaml"), "rigid", NULL, &r[0]) &&
      rig_run(rig_path("whole.yaml"), "full", NULL, &r[1]) &&
      rig_run(rig_path("whole.yaml"), "rigid", NULL, &r[2])) {
    const double *end = r[2].y + 3 * (r[2].n_t - 1);
    double deflection = rig_apart(&r[1], &r[2]), apart = rig_apart(&r[0], &r[1]);
    printf("  turned by %.2f rad, deflection %.3g m, %.2e of it from the full path\n",
           atan2(end[1], end[0]), deflection, apart / deflection);
    MW_WITHIN(apart / deflection, 0.0, 1e-3, "promised: the tolerance of the part");
    MW_CHECK(fabs(atan2(end[1], end[0])) > 1.0);
    for (int k = 0; k < r[0].n_note; k++) MW_CHECK(strstr(r[0].note[k], "none of its") == NULL);
  }
  for (int k = 0; k < 3; k++) mw_run_free(&r[k]);
}

// ---- without such a coordinate ------------------------------------------------------------------

static mw_code run(const char *action, double duration, mw_run *r, mw_error *err)
{
  mw_case c = { .body = NULL };
  mw_path_opt opt = { .rom = NULL };
  if (!put_machine(action, duration, 5e-5)) return MW_ERR_IO;
  mw_code rc = mw_case_read(rig_path("machine.yaml"), &c, err);
  if (rc == MW_OK) rc = mw_path_run(&c, &c.model.scenario[0], "rigid", &opt, r, err);
  mw_case_free(&c);
  return rc;
}

static void a_reference_that_turns_it_far_is_refused_before_the_run(void)
{
  static const char *const action[] = {
    "{ move: { from: 0, to: 1.5, max_velocity: 6, max_acceleration: 30, max_jerk: 3000 },\n"
    "             kp: 1e4, kd: 100 }",
    "{ position: { cycloid: { from: 0, to: -1.5, start: 0, end: 0.3 } } }"
  };
  if (!export_part(FLOATS, "floats")) return;
  for (size_t k = 0; k < sizeof action / sizeof *action; k++) {
    mw_error err = { 0 };
    mw_run r = { 0 };
    MW_FAILS(run(action[k], 0.6, &r, &err), MW_ERR_INPUT);
    MW_CHECK(strstr(err.msg, "turns turn by 1.5 rad, and with it component part along none of its "
                             "coordinates") != NULL);
    MW_CHECK(err.line > 0 && r.n_t == 0);
    mw_run_free(&r);
  }
}

static bool holds(int n, const char *const *lines, const char *words)
{
  bool any = false;
  for (int k = 0; k < n; k++) any = any || strstr(lines[k], words) != NULL;
  return any;
}

// Table and beam have 0.136 kg m² about the axis, the head stays behind on its way: 2 N m turn them
// by 0.018 rad in 50 ms, 7 N m by 0.064 rad and in 62 ms by 0.1 rad.
static void a_force_that_turns_it_is_told_and_ends_the_run(void)
{
  mw_error err = { 0 };
  mw_run r = { 0 };
  if (MW_OKAY(run("{ force: 2 }", 0.05, &r, &err)))
    MW_CHECK(holds(r.n_note, r.note, "drive m moves joint turn, and with it component part") &&
             !holds(r.n_warning, r.warning, "port hub turned"));
  mw_run_free(&r);
  r = (mw_run){ 0 };
  if (MW_OKAY(run("{ force: 7 }", 0.05, &r, &err)))
    MW_CHECK(holds(r.n_warning, r.warning, "port hub turned by 0.0"));
  mw_run_free(&r);
  r = (mw_run){ 0 };
  MW_FAILS(run("{ force: 7 }", 0.1, &r, &err), MW_ERR_NUMERIC);
  printf("  %s\n", err.msg);
  MW_CHECK(strstr(err.msg, "port hub has turned by 0.1") != NULL);
  mw_run_free(&r);
}

// A port turned by φ about a slanted axis from where θ has it: φ, to the rounding of its sine and
// cosine.
static void the_angle_of_a_port_is_that_it_was_turned_by(void)
{
  static const mw_component_in HERE = { .A = { 0, -1, 0, 1, 0, 0, 0, 0, 1 },
                                        .gravity = { 0, 0, -9.81 } };
  static const double PHI[] = { 0.0, 1e-3, 0.7, 3.0 };  // rad
  mw_error err = { 0 };
  mw_flexible_text text;
  const char *left_out = NULL;
  char *block = NULL;
  size_t n_block = 0;
  void *one = NULL;
  if (MW_OKAY(mw_export_flexible_text(&rom, &part.mech, &mem, &text, &left_out, &err)) &&
      MW_OKAY(mw_export_block(&rom, &block, &n_block, &err)) &&
      MW_OKAY(mw_flexible_open(block, n_block, &text, "none", &HERE, &one, &err))) {
    mw_flexible *c = one;
    double z[RIG_STATES] = { 0.1 }, q[12 * RIG_FRAMES], E[9], most = 0.0;
    int port = -1;
    rig_place(c, z, q);
    memcpy(E, q + 3, sizeof E);
    for (size_t k = 0; k < sizeof PHI / sizeof *PHI; k++) {
      const double turn[3] = { 2.0 / 3.0 * PHI[k], -1.0 / 3.0 * PHI[k], 2.0 / 3.0 * PHI[k] };
      for (int i = 0; i < 9; i += 3) mw_turn3(turn, E + i, q + 3 + i);
      most = fmax(most, fabs(mw_flexible_turned(c, q, &port) - PHI[k]));
    }
    printf("  angles of a port: %.2e rad off\n", most);
    MW_NEAR(most, 0.0, mw_test_rounding(30, PHI[3]));
    MW_CHECK(port == 0);
    mw_flexible_calls.close(c);
  }
  free(block);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "along_its_coordinate_it_turns_as_the_full_mechanism_does",
      along_its_coordinate_it_turns_as_the_full_mechanism_does },
    { "a_reference_that_turns_it_far_is_refused_before_the_run",
      a_reference_that_turns_it_far_is_refused_before_the_run },  // for those that follow
    { "a_force_that_turns_it_is_told_and_ends_the_run",
      a_force_that_turns_it_is_told_and_ends_the_run },
    { "the_angle_of_a_port_is_that_it_was_turned_by",
      the_angle_of_a_port_is_that_it_was_turned_by },
  };
  if (!rig_open("flexible_carried")) return 1;
  int rc = mw_test_run("flexible_carried", cases, (int)(sizeof cases / sizeof *cases));
  rig_close();
  mw_rom_file_free(&rom);
  mw_case_free(&part);
  mw_arena_free(&mem);
  return rc;
}
