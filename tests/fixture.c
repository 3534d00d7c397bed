// SPDX-License-Identifier: BSD-3-Clause
// fixture.c: see fixture.h.
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int mw_fixture_table(const char *path, int n, int most, double *x)
{
  char line[1024];
  int rows = 0;
  FILE *f = fopen(path, "r");
  for (int i = 0; f && rows < most && fgets(line, sizeof line, f); i++) {
    char *p = line;
    for (int k = 0; i >= 2 && k < n; k++, p++) x[rows * n + k] = strtod(p, &p);
    rows += i >= 2;
  }
  if (f) (void)fclose(f);
  return rows;
}

bool mw_fixture_okay(mw_code rc, const mw_error *err)
{
  char text[1024];
  if (rc == MW_OK) return true;
  mw_error_print(err, text, (int)sizeof text);
  fputs(text, stderr);
  return false;
}

bool mw_fixture_file(const char *path, mw_fixture *out)
{
  mw_error err = { 0 };
  *out = (mw_fixture){ 0 };
  if (!mw_fixture_okay(mw_model_read(path, &out->model, &err), &err)) return false;
  out->body = mw_arena_alloc(&out->mem, (size_t)out->model.n_body, sizeof *out->body);
  mw_code rc = mw_arena_check(&out->mem, &err);
  for (int b = 0; rc == MW_OK && b < out->model.n_body; b++)
    rc = mw_body_build(&out->model, b, &out->mem, &out->body[b], &err);
  if (rc == MW_OK) rc = mw_mech_build(&out->model, out->body, &out->mem, &out->mech, &err);
  if (rc != MW_OK) mw_fixture_free(out);
  return mw_fixture_okay(rc, &err);
}

bool mw_fixture_text(const char *text, mw_fixture *out)
{
  char path[] = "/tmp/modeway_fixture_XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0) return false;
  size_t n = strlen(text);
  bool ok = write(fd, text, n) == (ssize_t)n;
  close(fd);
  ok = ok && mw_fixture_file(path, out);
  unlink(path);
  return ok;
}

void mw_fixture_free(mw_fixture *f)
{
  mw_arena_free(&f->mem);
  mw_model_free(&f->model);
  *f = (mw_fixture){ 0 };
}

// Suites reduce these mechanisms a hundred times: certificates of tens of samples unless a test
// names their number.
static void fewer_samples(const char *extra, mw_fixture *f)
{
  if (!extra || !strstr(extra, "samples")) f->model.reduction.n_sample = 24;
}

bool mw_fixture_beam(const char *kind, int n_elem, double mass, double gravity, int n_grid,
                     int count, const char *extra, mw_fixture *out)
{
  // E A = 1e8, E Iz = 1e8, G It = 5e7: axial, lateral and torsional modes lie far above the band of
  // bending in x-z
  static const char *const format =
      "modeway: 1\n"
      "name: beam and carriage\n"
      // as the theory it is compared with: deflections are many times its radius of gyration
      "strain: linear\n"
      "gravity: [0, 0, %.17g]\n"
      "materials: { unit: { E: 1e8, nu: 0.0, rho: 1 } }\n"
      "sections: { line: { general: { A: 1, Iy: 1e-8, Iz: 1, It: 1, ky: 0, kz: 0, rotary: false } "
      "} }\n"
      "bodies:\n"
      "  beam:\n"
      "    ground: true\n"
      "    gravity: false\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], m: [0.5, 0, 0], b: [1, 0, 0] }\n"
      "      members:\n"
      "        - { from: a, to: m, section: line, material: unit, elements: %d, up: [0, 0, 1] }\n"
      "        - { from: m, to: b, section: line, material: unit, elements: %d, up: [0, 0, 1] }\n"
      "    supports:\n"
      "      - { nodes: a, dofs: %s }\n"
      "%s"
      "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
      "    frames: { mid: { node: m }, tip: { node: b } }\n"
      "  cart:\n"
      "    at: [0.5, 0, 0]\n"
      "    rigid: { mass: %.17g, com: [0, 0, 0], inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0] }\n"
      "joints:\n"
      "  x: { slide: { guide: beam.rail, on: cart, orientation: fixed }, coordinate: x, drive: "
      "motor }\n"
      "outputs:\n"
      "  mid: { frame: beam.mid }\n"
      "  tip: { frame: beam.tip }\n"
      "  cart: { body: cart, point: [0, 0, 0] }\n"
      "reduction:\n"
      "  coordinates: { x: { range: [0, 1], points: %d } }\n"
      "  modes: { count: %d }\n"
      "  patterns: { outputs: true, drives: false, acceleration: false, gravity: false }\n"
      "%s";
  bool ss = strcmp(kind, "SS") == 0;
  char text[8192];
  int n = snprintf(text, sizeof text, format, -gravity, n_elem / 2, n_elem - n_elem / 2,
                   ss ? "[x, y, z, rx]" : "all", ss ? "      - { nodes: b, dofs: [y, z] }\n" : "",
                   mass, n_grid, count, extra ? extra : "");
  if (!(n > 0 && n < (int)sizeof text && mw_fixture_text(text, out))) return false;
  fewer_samples(extra, out);
  return true;
}

bool mw_fixture_machine(const char *extra, mw_fixture *out)
{
  static const char *const text =
      "modeway: 1\n"
      "name: machine\n"
      "gravity: [0, 0, -9.81]\n"
      "materials: { alu: { E: 70e9, nu: 0.33, rho: 2700 } }\n"
      "sections: { bar: { rectangle: { width: 0.04, height: 0.03 } } }\n"
      "bodies:\n"
      "  rail: { ground: true, rigid: { mass: 0 }, guides: { x: { points: [[0, 0, 0], [2, 0, 0]], "
      "normal: [0, 0, 1] } } }\n"
      "  cart:\n"
      "    at: [0.7, 0, 0]\n"
      "    rigid: { mass: 3, com: [0, 0, 0.02], inertia: [0.02, 0.03, 0.03, 0, 0, 0] }\n"
      "    frames: { top: { point: [0, 0, 0.1] } }\n"
      "  beam:\n"
      "    at: [0.7, 0, 0.1]\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [0.2, 0.6, 0.3] }\n"
      "      members: [ { from: a, to: b, section: bar, material: alu, elements: 6, up: [0, 0, 1] "
      "} ]\n"
      "    frames: { foot: { node: a }, tip: { node: b } }\n"
      "  arm:\n"
      "    at: [0.9, 0.6, 0.4]\n"
      "    beams:\n"
      "      points: { a: [0, 0, 0], b: [0.4, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: bar, material: alu, elements: 5, up: [0, 0, 1] "
      "} ]\n"
      "    frames: { hub: { node: a }, tip: { node: b, mass: 0.3, inertia: [1e-4, 1e-4, 1e-4, 0, "
      "0, 0] } }\n"
      "joints:\n"
      "  x:\n"
      "    slide:\n"
      "      guide: rail.x\n"
      "      on: cart\n"
      "      orientation: free\n"
      "      runners:\n"
      "        - { offset: -0.1, shift: [0, 0, 0.05], stiffness: 1e7, damping: 10 }\n"
      "        - { offset: 0.1, shift: [0, 0, 0.05], stiffness: 2e7 }\n"
      "        - { offset: 0.0, shift: [0, 0, -0.05], directions: [n1], stiffness: 1e7 }\n"
      "    coordinate: x\n"
      "    drive: motor\n"
      "  foot: { fixed: { a: cart.top, b: beam.foot } }\n"
      "  hub: { revolute: { a: beam.tip, b: arm.hub, axis: [0, 0.2, 1] }, coordinate: phi, drive: "
      "swing }\n"
      "outputs: { tool: { frame: arm.tip } }\n"
      "reduction:\n"
      "  modes: { count: 3 }\n";
  static const char *const fixed =
      "  coordinates: { x: { range: [0.3, 1.6], points: 5 }, phi: { range: [-0.8, 0.8], points: 9 "
      "} }\n";
  static const char *const chosen = "  coordinates: { x: [0.3, 1.6], phi: [-0.8, 0.8] }\n";
  bool automatic = extra && strstr(extra, "grid: auto");
  char all[8192];
  int n = snprintf(all, sizeof all, "%s%s%s", text, automatic ? chosen : fixed, extra ? extra : "");
  if (!(n > 0 && n < (int)sizeof all && mw_fixture_text(all, out))) return false;
  fewer_samples(extra, out);
  return true;
}
