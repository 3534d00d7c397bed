// SPDX-License-Identifier: BSD-3-Clause
// nafems_fv.c: NAFEMS' free vibration benchmarks.
// [A1987] Abbassian, Dawswell, Knowles, Selected benchmarks for natural frequency analysis, NAFEMS
// 1987.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nafems_priv.h"

static const mw_material STEEL = { .name = "steel", .E = 200e9, .nu = 0.3, .rho = 8000.0 };

static bool near(double a, double b) { return fabs(a - b) < 1e-9; }

static bool modes(part *p, const char *name, int first, int n, nafems_result *out)
{
  out->name = name;
  out->first = first;
  out->n = n;
  out->unknowns = p->b.n_u;
  return part_modes(p, n, out->value, NULL, &out->proved);
}

// holds motion `motion` of every node where all of it: component axis at x; axis −1: everywhere
static void hold(part *p, int axis, double x, int motion)
{
  for (int i = 0; i < p->b.n_node; i++)
    if (axis < 0 || near(p->b.X[3 * i + axis], x)) part_hold(p, i, motion);
}

// Eight arms of 5 m, square 0.125 m, ends pinned, in the plane. Arms that do not stretch: 1e6 times
// the section's area with as much less density.
bool nafems_fv2(int n, bool stretch, nafems_result *out)
{
  part p;
  mw_point point[9] = { { .name = "centre" } };
  mw_member arm[8];
  const double a = 0.125, pi = acos(-1.0), more = stretch ? 1.0 : 1e6;
  memset(&p, 0, sizeof p);
  for (int k = 0; k < 8; k++) {
    point[k + 1] =
        (mw_point){ .name = "end", .x = { 5 * cos(k * pi / 4), 5 * sin(k * pi / 4), 0 } };
    arm[k] = (mw_member){ .from = 0, .to = k + 1, .n_elem = n, .up = { 0, 0, 1 } };
  }
  p.material[0] = STEEL;
  p.material[0].rho /= more;
  p.section[0] = (mw_section){
    .A = more * a * a, .Iy = pow(a, 4) / 12, .Iz = pow(a, 4) / 12, .It = pow(a, 4) / 7
  };
  p.in.n_point = 9;
  p.in.point = point;
  p.in.n_member = 8;
  p.in.member = arm;
  bool ok = part_build(&p);
  for (int m = 2; ok && m < 5; m++) hold(&p, -1, 0.0, m);
  for (int i = 0; ok && i < 9; i++)
    for (int m = 0; m < 2 && i > 0; m++) part_hold(&p, i, m);  // points come first
  ok = ok && modes(&p, "FV2", 1, 16, out);
  part_free(&p);
  return ok;
}

// 10 m, diameter 0.5 m; 10 t at y = 2 m and 1 t at y = −2 m from the tip on links 3e5 times as
// stiff: their bending takes 4e-7 of the frequencies, the rounding of their stiffness as much.
bool nafems_fv4(int n, nafems_result *out)
{
  part p;
  mw_point point[4] = { { .name = "root" },
                        { .name = "tip", .x = { 10, 0, 0 } },
                        { .name = "left", .x = { 10, 2, 0 } },
                        { .name = "right", .x = { 10, -2, 0 } } };
  mw_member member[3] = {
    { .from = 0, .to = 1, .n_elem = n, .up = { 0, 0, 1 } },
    { .from = 1, .to = 2, .section = 1, .material = 1, .n_elem = 1, .up = { 0, 0, 1 } },
    { .from = 1, .to = 3, .section = 1, .material = 1, .n_elem = 1, .up = { 0, 0, 1 } }
  };
  mw_attach attach[2] = { { .name = "m1", .kind = MW_ATTACH_NODE, .set = "left", .mass = 10000 },
                          { .name = "m2", .kind = MW_ATTACH_NODE, .set = "right", .mass = 1000 } };
  const double pi = acos(-1.0), d = 0.5, I = pi * pow(d, 4) / 64, stiff = 3e5;
  memset(&p, 0, sizeof p);
  p.material[0] = STEEL;
  p.material[1] = (mw_material){ .name = "link", .E = 200e9 * stiff, .nu = 0.3, .rho = 1e-6 };
  p.section[0] = p.section[1] = (mw_section){ .A = pi * d * d / 4, .Iy = I, .Iz = I, .It = 2 * I };
  p.in.n_point = 4;
  p.in.point = point;
  p.in.n_member = 3;
  p.in.member = member;
  p.in.n_attach = 2;
  p.in.attach = attach;
  bool ok = part_build(&p);
  for (int m = 0; ok && m < 6; m++) part_hold(&p, 0, m);
  ok = ok && modes(&p, "FV4", 1, 6, out);
  part_free(&p);
  return ok;
}

// 10 × 10 × 0.05 m, bending only
static bool square_plate(mw_elem_kind kind, int n, bool clamped, nafems_result *out)
{
  part p;
  grid g;
  part_flat_grid(kind, n, n, &g);
  for (int i = 0; i < 3 * g.n_node; i++) g.X[i] *= 10.0;
  bool ok = part_of_grid(&g, &STEEL, 0.05, &p);
  for (int m = 0; ok && m < 6; m++) {
    if (m < 2 || m == 5) hold(&p, -1, 0.0, m);
    if (clamped) hold(&p, 0, 0.0, m);
  }
  ok = ok && (clamped ? modes(&p, "FV16", 1, 6, out) : modes(&p, "FV12", 4, 7, out));
  part_free(&p);
  grid_free(&g);
  return ok;
}

bool nafems_fv12(mw_elem_kind kind, int n, nafems_result *out)
{
  return square_plate(kind, n, false, out);
}

bool nafems_fv16(mw_elem_kind kind, int n, nafems_result *out)
{
  return square_plate(kind, n, true, out);
}

// length 10 m, height 5 m at the clamped root and 1 m at the tip, thickness 0.05 m; 2n × n cells
bool nafems_fv32(mw_elem_kind kind, int n, nafems_result *out)
{
  part p;
  grid g;
  part_flat_grid(kind, 2 * n, n, &g);
  for (int i = 0; i < g.n_node; i++) {
    double *X = g.X + 3 * i;
    X[1] = (X[1] - 0.5) * (5.0 - 4.0 * X[0]);
    X[0] *= 10.0;
  }
  bool ok = part_of_grid(&g, &STEEL, 0.05, &p);
  for (int m = 2; ok && m < 5; m++) hold(&p, -1, 0.0, m);
  for (int m = 0; ok && m < 2; m++) hold(&p, 0, 0.0, m);
  ok = ok && modes(&p, "FV32", 1, 6, out);
  part_free(&p);
  grid_free(&g);
  return ok;
}

// share of the kinetic energy along z
static double across(const part *p, const double *u)
{
  double c[9], *work = malloc((size_t)p->b.n_u * sizeof *work);
  mw_body_mass_products(&p->b, 1, &u, c, work);
  free(work);
  return c[8] / (c[0] + c[4] + c[8]);
}

// 10 × 10 × 1 m, uz = 0 along the bottom edges. Modes 8 to 10 are in-plane; those of the line
// support among them are singular in three dimensions and left out: at least half of the motion
// across the plate.
bool nafems_fv52(mw_elem_kind kind, int n, int nz, nafems_result *out)
{
  enum { MANY = 14 };
  part p;
  grid g;
  grid_build(kind, (const int[3]){ n, n, nz }, NULL, &g);
  for (int i = 0; i < 3 * g.n_node; i++) g.X[i] *= i % 3 == 2 ? 1.0 : 10.0;
  bool ok = part_of_grid(&g, &STEEL, 0.0, &p);
  double hz[MANY], *shape = NULL;
  for (int i = 0; ok && i < p.b.n_node; i++) {
    const double *X = p.b.X + 3 * i;
    bool edge = near(X[0], 0) || near(X[0], 10) || near(X[1], 0) || near(X[1], 10);
    if (edge && near(X[2], 0)) part_hold(&p, i, 2);
  }
  if (ok) shape = malloc(MANY * (size_t)p.b.n_u * sizeof *shape);
  ok = ok && part_modes(&p, MANY, hz, shape, &out->proved);
  out->name = "FV52";
  out->first = 8;
  out->n = 0;
  out->unknowns = p.b.n_u;
  for (int k = 0; ok && k < MANY && out->n < 3; k++)
    if (across(&p, shape + (size_t)k * (size_t)p.b.n_u) < 0.5) out->value[out->n++] = hz[k];
  free(shape);
  part_free(&p);
  grid_free(&g);
  return ok && out->n == 3;
}

bool nafems_reference(const char *name, int item, double *target, double *own, double *tolerance)
{
  char line[256], key[64];
  FILE *f = fopen(MW_TESTS_DIR "/references/R07_nafems.csv", "r");
  if (!f) return false;
  int len = snprintf(key, sizeof key, "%s,%d,", name, item);
  bool found = false;
  while (!found && fgets(line, sizeof line, f)) {
    if (strncmp(line, key, (size_t)len) != 0) continue;
    double *to[3] = { target, own, tolerance };
    char *s = line + len, *end;
    for (int k = 0; k < 3; k++) {
      double v = strtod(s, &end);
      *to[k] = end == s ? (double)NAN : v;
      s = end + (*end == ',');
    }
    found = true;
  }
  fclose(f);
  return found;
}
