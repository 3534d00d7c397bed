// SPDX-License-Identifier: BSD-3-Clause
// test_nafems.c: whole bodies against published and independent numbers: NAFEMS on coarse meshes,
// CalculiX.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mw_test.h"
#include "nafems_priv.h"

// Items of a result within the tolerance the reference recommends; target where there is one,
// unless own.
static void judge(const nafems_result *r, const char *name, int n, bool own_only)
{
  MW_CHECK(r->proved);
  for (int k = 0; k < n; k++) {
    double target, own, tol;
    if (!MW_CHECK(nafems_reference(name, r->first + k, &target, &own, &tol))) return;
    double ref = own_only || isnan(target) ? own : target;
    MW_NEAR(r->value[k], ref, tol * fabs(ref));
  }
}

// The table's frames are of the same elements (Hermite beams, consistent mass), written separately;
// FV4's links are rigid there and 3e5 times as stiff as the beam here.
static void beam_benchmarks_are_those_of_another_program(void)
{
  nafems_result r;
  if (MW_CHECK(nafems_fv2(4, true, &r))) judge(&r, "FV2x4", 16, true);
  if (MW_CHECK(nafems_fv4(5, &r))) judge(&r, "FV4x5", 6, true);
}

// the targets are those of arms that do not stretch
static void double_cross_meets_its_targets(void)
{
  nafems_result r;
  if (MW_CHECK(nafems_fv2(16, false, &r))) judge(&r, "FV2", 16, false);
}

static void thin_plates_meet_their_targets(void)
{
  static const mw_elem_kind KIND[2] = { MW_ELEM_TRI3, MW_ELEM_QUAD4 };
  for (int k = 0; k < 2; k++) {
    nafems_result r;
    if (MW_CHECK(nafems_fv12(KIND[k], 24, &r))) judge(&r, "FV12", 7, false);
    if (MW_CHECK(nafems_fv16(KIND[k], 16, &r))) judge(&r, "FV16", 6, false);
  }
}

// the first three: higher ones take a finer mesh than a test should
static void tapered_membrane_meets_its_targets(void)
{
  nafems_result r;
  if (MW_CHECK(nafems_fv32(MW_ELEM_QUAD4, 16, &r))) judge(&r, "FV32", 3, false);
  if (MW_CHECK(nafems_fv32(MW_ELEM_TRI3, 16, &r))) judge(&r, "FV32", 3, false);
}

static void thick_plate_meets_its_targets(void)
{
  nafems_result r;
  if (MW_CHECK(nafems_fv52(MW_ELEM_HEX20, 6, 2, &r))) judge(&r, "FV52", 3, false);
}

static void stresses_meet_their_targets(void)
{
  nafems_result r;
  if (MW_CHECK(nafems_le1(MW_ELEM_HEX20, 8, &r))) judge(&r, "LE1", 1, false);
  if (MW_CHECK(nafems_le10(MW_ELEM_HEX20, 6, 4, &r))) judge(&r, "LE10", 1, false);
  if (MW_CHECK(nafems_le11(MW_ELEM_HEX20, 3, &r))) judge(&r, "LE11", 1, false);
}

static void bend(double x[3])
{
  double a = x[0], b = x[1];
  x[0] = 3.0 * a + 0.3 * b;
  x[1] = 0.5 * b + 0.1 * a * a;
  x[2] = 0.4 * x[2] * (1.0 + 0.2 * a);
}

// 6 × 2 × 2 bricks, curved edges, clamped at the root, mass integrated where CalculiX does: for
// C3D10 at fewer points than ours, for C3D20 at the same. CalculiX prints seven digits (half a unit
// of the seventh: up to
// 5e-7); its ARPACK and ours stop far below.
static void frequencies_are_calculixs(void)
{
  static const struct {
    mw_elem_kind kind;
    const char *name;
  } OF[2] = { { MW_ELEM_TET10, "C3D10" }, { MW_ELEM_HEX20, "C3D20" } };
  const mw_material steel = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
  for (int k = 0; k < 2; k++) {
    char line[256];
    double want[6], hz[6];
    bool proved = false;
    grid g;
    part p;
    FILE *f = fopen(MW_TESTS_DIR "/references/R17_calculix_solids.csv", "r");
    if (!MW_CHECK(f != NULL)) return;
    int read = 0;
    while (read != 6 && fgets(line, sizeof line, f))
      if (strncmp(line, OF[k].name, 5) == 0)
        read = sscanf(line + 6, "%lf,%lf,%lf,%lf,%lf,%lf", want, want + 1, want + 2, want + 3,
                      want + 4, want + 5);
    fclose(f);
    grid_build(OF[k].kind, (const int[3]){ 6, 2, 2 }, NULL, &g);
    for (int i = 0; i < g.n_node; i++) bend(g.X + 3 * i);
    bool ok = MW_CHECK(read == 6) && MW_CHECK(part_of_grid(&g, &steel, 0.0, &p));
    if (ok && OF[k].kind == MW_ELEM_TET10) ok = MW_CHECK(part_mass_as_calculix(&p, &steel));
    for (int i = 0; ok && i < g.n_node; i++)
      for (int m = 0; m < 3 && g.lattice[3 * i] == 0; m++) part_hold(&p, i, m);
    ok = ok && MW_CHECK(part_modes(&p, 6, hz, NULL, &proved)) && MW_CHECK(proved);
    for (int i = 0; ok && i < 6; i++) MW_NEAR(hz[i], want[i], 1e-6 * want[i]);
    part_free(&p);
    grid_free(&g);
  }
}

static const mw_test_case cases[] = {
  { "beam_benchmarks_are_those_of_another_program", beam_benchmarks_are_those_of_another_program },
  { "double_cross_meets_its_targets", double_cross_meets_its_targets },
  { "thin_plates_meet_their_targets", thin_plates_meet_their_targets },
  { "tapered_membrane_meets_its_targets", tapered_membrane_meets_its_targets },
  { "thick_plate_meets_its_targets", thick_plate_meets_its_targets },
  { "stresses_meet_their_targets", stresses_meet_their_targets },
  { "frequencies_are_calculixs", frequencies_are_calculixs },
};

int main(void) { return mw_test_run("nafems", cases, (int)(sizeof cases / sizeof *cases)); }
