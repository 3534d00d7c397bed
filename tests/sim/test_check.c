// SPDX-License-Identifier: BSD-3-Clause
// test_check.c: what modeway check finds out about bodies: free motions, frequencies, elements,
// nodes in one place.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec3.h"
#include "check/check_layer.h"
#include "check/quality_layer.h"
#include "fem/cad.h"
#include "fem/element.h"
#include "fem/mpi.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const double EPS = DBL_EPSILON;
static const char *const MESH = "test_check.tmp.msh";

// ---- quality ------------------------------------------------------------------------------------

static void ideal_elements_have_quality_one(void)
{
  static const double TET[12] = { 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1 };
  static const double TRI[9] = { 0, 0, 0, 1, 0, 0, 0.5, 0.86602540378443865, 0 };
  static const double QUAD[12] = { 0, 0, 0, 2, 0, 0, 2, 0, 2, 0, 0, 2 };
  static const double WEDGE[18] = { 0, 0, 0, 1, 0, 0, 0.5, 0.86602540378443865, 0,
                                    0, 0, 2, 1, 0, 2, 0.5, 0.86602540378443865, 2 };
  double X[60], tet[12];
  for (int i = 0; i < 20; i++) mw_node_xi(MW_ELEM_HEX20, i, X + 3 * i);
  // positive orientation: corners 2 and 3 of a left-handed set change places
  memcpy(tet, TET, sizeof tet);
  double a[3], b[3], c[3], n[3];
  for (int i = 0; i < 3; i++) {
    a[i] = tet[3 + i] - tet[i];
    b[i] = tet[6 + i] - tet[i];
    c[i] = tet[9 + i] - tet[i];
  }
  mw_cross3(a, b, n);
  if (mw_dot3(n, c) < 0.0)
    for (int i = 0; i < 3; i++) tet[6 + i] = TET[9 + i], tet[9 + i] = TET[6 + i];
  double tol = 16.0 * EPS;  // a product of some ten factors
  MW_NEAR(mw_elem_quality(MW_ELEM_HEX20, X), 1.0, tol);
  MW_NEAR(mw_elem_quality(MW_ELEM_HEX8, X), 1.0, tol);
  MW_NEAR(mw_elem_quality(MW_ELEM_TET4, tet), 1.0, tol);
  MW_NEAR(mw_elem_quality(MW_ELEM_WEDGE6, WEDGE), 1.0, tol);
  MW_NEAR(mw_elem_quality(MW_ELEM_TRI3, TRI), 1.0, tol);
  MW_NEAR(mw_elem_quality(MW_ELEM_QUAD4, QUAD), 1.0, tol);
}

// Sheared by s: edges (1, 0, 0), (s, 1, 0), (0, 0, 1) at every corner, 1/√(1 + s²). The corner of a
// cube cut off: at its other three corners edges 1, √2, √2 and volume 1. A corner pushed through
// the element: negative.
static void distorted_elements_have_the_quality_of_their_worst_corner(void)
{
  static const double CUT[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  double X[24], s = 0.75;
  for (int i = 0; i < 8; i++) {
    mw_node_xi(MW_ELEM_HEX8, i, X + 3 * i);
    X[3 * i] += s * X[3 * i + 1];
  }
  MW_NEAR(mw_elem_quality(MW_ELEM_HEX8, X), 1.0 / sqrt(1.0 + s * s), 16.0 * EPS);
  MW_NEAR(mw_elem_quality(MW_ELEM_TET4, CUT), 0.5 * sqrt(2.0), 16.0 * EPS);
  for (int i = 0; i < 3; i++) X[18 + i] = 1.2 * X[i];
  MW_CHECK(mw_elem_quality(MW_ELEM_HEX8, X) < 0.0);
}

// ---- free motions -------------------------------------------------------------------------------

// A free beam, L = 1: Euler-Bernoulli, Iz = 4 Iy, no rotary inertia. Lowest: cos βL cosh βL = 1, ω
// = (βL)² √(EI/ρA)/L².
static void a_free_beam_has_six_free_motions_and_the_frequency_of_the_textbook(void)
{
  static const char *const text =
      "modeway: 1\nname: free beam\nmaterials:\n  m: { E: 1e9, nu: 0.3, rho: 1000 }\n"
      "sections:\n  s: { general: { A: 1e-3, Iy: 1e-8, Iz: 4e-8, It: 3e-8 }, rotary: false }\n"
      "bodies:\n  bar:\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 20, up: [0, 0, 1] } "
      "]\n"
      "    frames: { a: { node: a } }\n"
      "springs: { s: { a: ground, b: bar.a, stiffness: [1, 1, 1] } }\n";
  mw_fixture f;
  mw_error err = { 0 };
  mw_body_report r;
  if (!mw_fixture_text(text, &f)) {
    MW_CHECK(false);
    return;
  }
  if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err))) {
    double beta = 4.730040744862704,
           f1 = beta * beta * sqrt(1e9 * 1e-8 / (1000 * 1e-3)) / (2.0 * acos(-1.0));
    MW_CHECK(r.zero.done && r.zero.found == 6 && r.zero.expected == 6 && r.zero.node == -1);
    // cubic elements: relative error of λ (βh)⁴/720 and smaller by (βh)² from there on; of the
    // frequency half
    double h = beta / 20.0, want = 0.5 * pow(h, 4.0) / 720.0;
    MW_NEAR(r.zero.lowest_hz / f1 - 1.0, want, h * h * want);
    MW_CHECK(r.n_beam == 20);
    MW_OKAY(mw_body_judge(&f.mech.body[1], &r, &err));
  }
  mw_fixture_free(&f);
}

// A free beam of few unknowns and a clamped one of more than LAPACK takes instead of MUMPS, which
// needs MPI. The first of this suite that factors: what is started stays.
static void beams_are_examined_without_mpi(void)
{
  static const char *const text =
      "modeway: 1\nmaterials: { m: { E: 1e9, nu: 0.3, rho: 1000 } }\n"
      "sections: { s: { rectangle: { width: 0.02, height: 0.03 } } }\n"
      "bodies:\n"
      "  free:\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 20 } ]\n"
      "    frames: { a: { node: a } }\n"
      "  clamped:\n    ground: true\n    beams:\n      points: { a: [0, 1, 0], b: [1, 1, 0] }\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 60 } ]\n"
      "    supports: [ { nodes: a } ]\n"
      "springs: { s: { a: ground, b: free.a, stiffness: [1, 1, 1] } }\n";
  mw_fixture f;
  mw_error err = { 0 };
  mw_body_report r;
  MW_CHECK(!mw_mpi_started());
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  for (int b = 1; b <= 2; b++)
    if (MW_OKAY(mw_body_examine(&f.mech, b, false, &r, &err)))
      MW_CHECK(r.zero.done && r.zero.found == (b == 1 ? 6 : 0));
  MW_CHECK(f.mech.body[2].n_u == 360);
  MW_CHECK(!mw_mpi_started());
  mw_fixture_free(&f);
}

// Bricks of unit size, one behind the other along x, of steel: the second shares `shared` nodes of
// the four at x = 1 (an edge: the first two, y = 0). The others are doubled, moved by gap along x.
static bool two_bricks(int shared, double gap, mw_fixture *out)
{
  static const int C[8][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                               { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
  static const int END[4] = { 1, 5, 2, 6 },
                   START[4] = { 0, 4, 3, 7 };  // at x = 1, as seen by each brick
  char folder[512], text[1024];
  int tag[8] = { 0 }, next = 9;
  FILE *f = fopen(MESH, "w");
  if (!f || !getcwd(folder, sizeof folder)) return false;
  for (int k = 0; k < shared; k++) tag[START[k]] = END[k] + 1;
  for (int i = 0; i < 8; i++)
    if (tag[i] == 0) tag[i] = next++;
  fprintf(f, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", next - 1);
  for (int i = 0; i < 8; i++) fprintf(f, "%d %d %d %d\n", i + 1, C[i][0], C[i][1], C[i][2]);
  for (int i = 0; i < 8; i++)
    if (tag[i] > 8)
      fprintf(f, "%d %.17g %d %d\n", tag[i], 1 + C[i][0] + (C[i][0] ? 0.0 : gap), C[i][1], C[i][2]);
  fprintf(f, "$EndNodes\n$Elements\n2\n7 5 2 1 1 1 2 3 4 5 6 7 8\n8 5 2 1 1");
  for (int i = 0; i < 8; i++) fprintf(f, " %d", tag[i]);
  fprintf(f, "\n$EndElements\n");
  fclose(f);
  snprintf(text, sizeof text,
           "modeway: 1\nname: bricks\nmaterials:\n  steel: { E: 2e11, nu: 0.25, rho: 8000 }\n"
           "bodies:\n  bricks:\n    mesh: %s/%s\n    unit: m\n    material: steel\n"
           "    frames: { a: { point: [0, 0, 0], mass: 500 } }\n"
           "springs: { s: { a: ground, b: bricks.a, stiffness: [1, 1, 1] } }\n",
           folder, MESH);
  bool ok = mw_fixture_text(text, out);
  remove(MESH);
  return ok;
}

static void a_hinge_inside_a_body_is_found_and_placed(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_body_report r;
  if (!two_bricks(2, 0.0, &f)) {
    MW_CHECK(false);
    return;
  }
  if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err))) {
    MW_CHECK(r.zero.done && r.zero.found == 7 && r.zero.expected == 6);
    // turned by ±φ about x = 1, y = 0, less the mean motion −½φ along y that both share: φ (∓y, x −
    // 1 + ½) behind the hinge; all corners at y = 1 move alike, by √1.25 φ, those at y = 0 by ½φ
    MW_NEAR(r.zero.x[1], 1.0, 0.0);
    MW_CHECK(r.zero.node >= 1 && r.zero.node <= 14);
    MW_FAILS(mw_body_judge(&f.mech.body[1], &r, &err), MW_ERR_NUMERIC);
    MW_CHECK(strstr(err.msg, "mechanism inside") != NULL);
    MW_CHECK(r.n_elem[MW_ELEM_HEX8] == 2);
    MW_NEAR(r.quality, 1.0, 16.0 * EPS);
    // nodes 3 and 7 have doubles: the second brick's nodes 3 and 7 are its third and sixth new ones
    MW_CHECK(r.n_coincident == 2 && r.coincident[0] == 3 && r.coincident[1] > 8);
    char text[256];
    MW_CHECK(mw_body_warning(&f.mech.body[1], &r, 0, text, sizeof text) &&
             strstr(text, "2 nodes lie on others"));
    MW_CHECK(!mw_body_warning(&f.mech.body[1], &r, 1, text, sizeof text));
  }
  mw_fixture_free(&f);
}

static void sound_bricks_and_bricks_on_one_node_differ_by_three_motions(void)
{
  static const int shared[2] = { 4, 1 }, want[2] = { 6, 9 };
  for (int k = 0; k < 2; k++) {
    mw_fixture f;
    mw_error err = { 0 };
    mw_body_report r;
    if (!two_bricks(shared[k], 0.01, &f)) {
      MW_CHECK(false);
      continue;
    }
    if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err))) {
      MW_CHECK(r.zero.found == want[k]);
      MW_CHECK(r.n_coincident == 0);  // a gap of 1e-2 is no coincidence
      // no rod along x of this length is slower than its first longitudinal mode, c/(2 L) over some
      // factor
      MW_CHECK(r.zero.lowest_hz > 100.0 && r.zero.lowest_hz < 5000.0 / 2.0);
    }
    mw_fixture_free(&f);
  }
}

// ---- reference ----------------------------------------------------------------------------------

static void a_body_is_compared_with_its_cad_file(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_body_report r;
  if (!two_bricks(4, 0.0, &f)) {
    MW_CHECK(false);
    return;
  }
  // a block 2 × 1 × 1: V (b² + c²)/12 about its centre
  mw_cad_props cad = { .known = true,
                       .volume = 2.0,
                       .com = { 1.0, 0.5, 0.5 },
                       .inertia = { 2.0 / 6.0, 5.0 / 6.0, 5.0 / 6.0 } };
  f.mech.body[1].cad = &cad;
  if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err))) {
    MW_CHECK(r.reference == MW_REFERENCE_CAD);
    double tol =
        100.0 * EPS;  // sums over 27 points of products near one, 500 kg of a frame taken off
    MW_NEAR(f.mech.body[1].m, 16500.0, 16500.0 * tol);
    MW_WITHIN(r.d_mass, 0.0, tol, "sums of round numbers, exact by chance");
    MW_NEAR(r.d_com, 0.0, tol);
    MW_NEAR(r.d_inertia, 0.0, tol);
  }
  // a kernel that knows no integrals is no reference
  cad.known = false;
  if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err)))
    MW_CHECK(r.reference == MW_REFERENCE_NONE && isnan(r.d_mass));
  cad.known = true;
  cad.volume *= 1.25;
  cad.com[0] += 0.1;
  cad.inertia[3] = 0.2;
  if (MW_OKAY(mw_body_examine(&f.mech, 1, false, &r, &err))) {
    char text[256];
    MW_NEAR(r.d_mass, 0.2, 100.0 * EPS);
    MW_NEAR(r.d_com, 0.1 / sqrt(6.0), 100.0 * EPS);
    MW_NEAR(r.d_inertia, 0.2 / 2.0, 100.0 * EPS);
    MW_CHECK(mw_body_warning(&f.mech.body[1], &r, 0, text, sizeof text) && strstr(text, "CAD"));
  }
  mw_fixture_free(&f);
}

// A runner on a simply supported beam: with EI, L = 1 m and no shear it loses l³/1920 EI of a²
// c²/3EI within inner elements, ten times that in those at the ends; the warning's own size is
// enough.
static void coarse_beams_under_runners_are_named_with_the_size_they_need(void)
{
  static const char *const format =
      "modeway: 1\nname: runner on a beam\nmaterials: { m: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.02, height: 0.02 }, shear: false } }\n"
      "bodies:\n  bar:\n    ground: true\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] "
      "}\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: %d, up: [0, 0, 1] } "
      "]\n"
      "    supports: [ { nodes: a }, { nodes: b } ]\n    guides: { rail: { from: a, to: b } }\n"
      "  cart: { at: [0.5, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints: { x: { slide: { guide: bar.rail, on: cart, orientation: fixed }, coordinate: x } }\n"
      "reduction: { coordinates: { x: [%g, 0.5] } }\n";
  static const struct {
    int n;
    double from;
    bool coarse;
  } want[] = { { 8, 0.3, false }, { 4, 0.05, true }, { 32, 0.05, false } };
  for (int k = 0; k < 3; k++) {
    char text[2048], said[256] = "";
    mw_fixture f;
    snprintf(text, sizeof text, format, want[k].n, want[k].from);
    if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
    MW_CHECK(mw_joint_warning(&f.mech, 0, NULL, said, sizeof said) == want[k].coarse);
    MW_CHECK(!want[k].coarse || (strstr(said, "'rail'") && strstr(said, "are needed")));
    if (want[k].coarse) {
      // elements of the size that is named are fine
      double need = strtod(strstr(said, "elements of ") + 12, NULL);
      MW_WITHIN(need, 0.25, 1e-3, "the digits that are printed");
      need = strtod(strstr(said, "m, elements of ") + 15, NULL);
      MW_CHECK(need > 0.0 && need < 0.25);
      mw_fixture_free(&f);
      snprintf(text, sizeof text, format, (int)ceil(1.0 / need), want[k].from);
      if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
      MW_CHECK(!mw_joint_warning(&f.mech, 0, NULL, said, sizeof said));
    }
    mw_fixture_free(&f);
  }
}

// A mass on a runner at mid-span of a simply supported beam, slender, so that what it gives along
// its axis is below the hundredth that is divided by, without shear: c = L³/48EI, of which elements
// of length l lose l³/1920EI where it stands between nodes and a quarter as long ones 1/64 of that.
// The tenth of l³/192EI in it is given to one digit (guide_beam.c), so that half of it is what the
// two may differ by. What is needed where that is too much is enough.
static void beams_that_ripple_from_node_to_node_are_named_with_the_size_they_need(void)
{
  static const char *const format =
      "modeway: 1\nname: runner on a beam\nmaterials: { m: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 5e-4, height: 5e-4 }, shear: false } }\n"
      "bodies:\n  bar:\n    ground: true\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] "
      "}\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: %d, up: [0, 0, 1] } "
      "]\n"
      "    supports: [ { nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] } ]\n"
      "    guides: { rail: { from: a, to: b } }\n"
      "  cart: { at: [0.5, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints: { x: { slide: { guide: bar.rail, on: cart, orientation: fixed }, coordinate: x } }\n"
      "outputs: { cart: { body: cart } }\n"
      "reduction: { coordinates: { x: [0.4, 0.6] }, tolerance: %g }\n";
  static const struct {
    int n;
    double tolerance;
  } want[] = { { 16, 1e-3 }, { 16, 3e-6 }, { 8, 3e-5 } };
  for (int k = 0; k < 3; k++) {
    char text[2048], said[256] = "";
    mw_error err = { 0 };
    mw_fixture f;
    mw_ripple *r = NULL;
    snprintf(text, sizeof text, format, want[k].n, want[k].tolerance);
    if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
    if (MW_OKAY(mw_ripples(&f.mech, true, &f.mem, &r, &err))) {
      double l = 1.0 / want[k].n, share = 48.0 * l * l * l / 1920.0 * (1.0 - 1.0 / 64.0);
      // the digit; and c, which is (4 · 0.4 · 0.6)² of that at mid-span where the range ends
      MW_NEAR(r[0].share, share, (0.5 + 1.0 / (0.96 * 0.96) - 1.0) * share);
      bool coarse = r[0].share > want[k].tolerance;
      MW_CHECK(coarse == (k > 0));
      MW_CHECK(mw_joint_warning(&f.mech, 0, r, said, sizeof said) == coarse);
      MW_CHECK(!coarse || (strstr(said, "'rail'") && strstr(said, "needed")));
      double need = r[0].need;
      mw_fixture_free(&f);
      snprintf(text, sizeof text, format, coarse ? (int)ceil(1.0 / need) : want[k].n,
               want[k].tolerance);
      if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
      if (MW_OKAY(mw_ripples(&f.mech, true, &f.mem, &r, &err)))
        MW_CHECK(!mw_joint_warning(&f.mech, 0, r, said, sizeof said));
    }
    mw_fixture_free(&f);
  }
}

// The ripple that is named again, by the machine's own meshes: largest and least lost, (1) of
// check_ripple.c, under that load in that window.
static bool ripple_on_meshes(const mw_case *c, const mw_case *fine, const mw_ripple *r,
                             double lost[2])
{
  enum { N = 5 };
  double theta[2 * N];
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_statics own[N], divided[N];
  for (int k = 0; k < N; k++) {
    theta[2 * k] = c->mech.s0[0];
    theta[2 * k + 1] = r->s + r->element * (k - N / 2) / (N - 1);
  }
  lost[0] = INFINITY, lost[1] = -INFINITY;
  bool good =
      MW_OKAY(mw_direct_statics_at(&c->model, &c->mech, N, theta, &mem, own, &err)) &&
      MW_OKAY(mw_direct_statics_at(&fine->model, &fine->mech, N, theta, &mem, divided, &err));
  for (int k = 0; good && k < N; k++)
    for (int i = 0; i < own[k].n; i++)
      if (strcmp(own[k].name[i], r->load) == 0) {
        double e = 1.0 - own[k].compliance[i] / divided[k].compliance[i];
        lost[0] = fmin(lost[0], e);
        lost[1] = fmax(lost[1], e);
      }
  mw_arena_free(&mem);
  return good;
}

static void ripples_of_a_machine_with_a_mesh_are_those_of_its_mesh(void)
{
  static const char *const SET[] = { "bodies.beam.beams.members.0.elements=16",
                                     "bodies.beam.beams.members.1.elements=320",
                                     "bodies.beam.beams.members.2.elements=16" };
  mw_model_edit edit = { .n_set = 3, .set = SET };
  mw_case c, fine;
  mw_error err = { 0 };
  mw_ripple *r = NULL;
  double lost[2];
  if (!MW_OKAY(mw_case_read(MW_CASES_DIR "/gantry.yaml", &c, &err))) return;
  if (MW_OKAY(mw_case_read_edited(MW_CASES_DIR "/gantry.yaml", &edit, &fine, &err))) {
    int y = c.model.reduction.coordinate[1].joint;
    if (MW_OKAY(mw_ripples(&c.mech, false, &c.mem, &r, &err)) &&
        ripple_on_meshes(&c, &fine, &r[y], lost))
      // the arm hangs from the trolley: what its basis errs by, 1e-6 of a compliance, is the same
      // at each of the five and with either beam
      MW_NEAR(r[y].share, lost[1] - lost[0], 2e-6 * fmax(fabs(lost[0]), fabs(lost[1])));
    mw_case_free(&fine);
  }
  mw_case_free(&c);
}

// What a slide leaves unsaid: nothing, its distance, a couple that a line of nodes cannot take.
static void sliders_off_their_guide_and_couples_left_out_are_named(void)
{
  static const char *const format =
      "modeway: 1\nname: runner on a beam\nmaterials: { m: { E: 210e9, nu: 0.3, rho: 7850 } }\n"
      "sections: { s: { rectangle: { width: 0.02, height: 0.02 } } }\n"
      "bodies:\n  bar:\n    ground: true\n    beams:\n      points: { a: [0, 0, 0], b: [1, 0, 0] "
      "}\n"
      "      members: [ { from: a, to: b, section: s, material: m, elements: 4, up: [0, 0, 1] } ]\n"
      "    supports: [ { nodes: a } ]\n    guides: { rail: { from: a, to: b } }\n"
      "  cart: { at: [0.5, 0, %g], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n  x: { slide: { guide: bar.rail, on: cart, orientation: fixed,\n"
      "    runners: [{ shift: [0, %g, %g], directions: [%s] }] }, coordinate: x }\n";
  static const struct {
    double z, shift[2];
    const char *directions;
    bool off, lost;  // lost: were the guide a line of nodes
  } want[] = {
    { 0.0, { 0.0, 0.0 }, "n1, n2", false, false }, { 0.25, { 0.0, 0.0 }, "n1, n2", true, false },
    { 0.25, { 0.02, 0.0 }, "n1", true, false },    { 0.0, { 0.02, 0.0 }, "n2", false, true },
    { 0.0, { 0.0, 0.02 }, "n1", false, true },     { 0.25, { 0.0, 0.02 }, "n1, n2", true, true }
  };
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    char text[2048], said[256] = "";
    mw_fixture f;
    snprintf(text, sizeof text, format, want[k].z, want[k].shift[0], want[k].shift[1],
             want[k].directions);
    if (!MW_CHECK(mw_fixture_text(text, &f))) continue;
    MW_CHECK(mw_slide_note(&f.mech, 0, 0, said, sizeof said) == want[k].off);
    MW_CHECK(!want[k].off || strstr(said, "stands 0.25 m off guide 'rail'"));
    MW_CHECK(!mw_slide_note(&f.mech, 0, want[k].off, said, sizeof said));
    mw_guide line = *f.mech.joint[0].guide;
    line.rot = false;
    f.mech.joint[0].guide = &line;
    MW_CHECK(mw_slide_note(&f.mech, 0, want[k].off, said, sizeof said) == want[k].lost);
    MW_CHECK(!want[k].lost || strstr(said, "'rail' is a line of nodes"));
    mw_fixture_free(&f);
  }
}

// What rounding leaves along n2 of a slider that stands off its guide along n1 is not told.
static void rounding_is_no_distance_off_a_guide(void)
{
  char said[256] = "";
  mw_fixture f;
  const char *text =
      "modeway: 1\nname: off its guide\nbodies:\n  bar:\n    ground: true\n    rigid: { mass: 0 }\n"

      "    guides: { rail: { points: [[0, 0, 0], [1, 0, 0]] } }\n"
      "  cart: { at: [0.5, 0, 0], rigid: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }\n"
      "joints:\n"
      "  x: { slide: { guide: bar.rail, on: cart, orientation: fixed }, coordinate: x }\n";
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  f.mech.joint[0].gap[0] = 0.05;
  f.mech.joint[0].gap[1] = -4.2e-17;
  MW_CHECK(mw_slide_note(&f.mech, 0, 0, said, sizeof said));
  MW_CHECK(strstr(said, "(0.05 m along n1, 0 m along n2)"));
  mw_fixture_free(&f);
}

// Earth's and a centrifuge's gravity pass, the earth's in mm/s² is asked about.
static void gravity_in_millimetres_is_asked_about(void)
{
  static const double g[][3] = { { 0, 0, 0 }, { 0, 0, -9.81 }, { 300, 0, 400 }, { 0, -9810, 0 } };
  char text[128] = "";
  for (size_t i = 0; i < 4; i++) {
    mw_model m = { 0 };
    memcpy(m.gravity, g[i], sizeof m.gravity);
    MW_CHECK(mw_gravity_warning(&m, text, sizeof text) == (i == 3));
  }
  MW_CHECK(strstr(text, "gravity is 9810 m/s2"));
}

// A report alone: what its sizes and slanted elements make check say.
static void sizes_and_slanted_hexahedra_are_worth_a_word(void)
{
  static const struct {
    double size, section;
    int n_skew;
    const char *text;  // NULL: nothing
  } want[] = { { 1.0, 0.1, 0, NULL },
               { 100.0, 0.0, 0, NULL },
               { 1000.0, 0.03, 0, "is 1e+03 m large" },
               { 5e-3, 0.0, 0, NULL },
               { 1e-3, 0.0, 0, "is 0.001 m large" },
               { 1.0, 30.0, 0, "has a section 30 m tall and is 1 m large" },
               { 1.0, 0.0, 2, "2 8-node hexahedra (7, 9) have less than 0.75" },
               { 1.0, 0.0, 9, "9 8-node hexahedra (7, 9, 11, 13, 15, …) have" } };
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    char text[256] = "";
    mw_body body = { .n_u = 6 };
    mw_body_report r = { .quality = 1.0,
                         .size = want[k].size,
                         .section = want[k].section,
                         .n_skew = want[k].n_skew,
                         .skew = { 7, 9, 11, 13, 15 },
                         .zero.done = true };
    MW_CHECK(mw_body_warning(&body, &r, 0, text, sizeof text) == (want[k].text != NULL));
    MW_CHECK(!want[k].text || strstr(text, want[k].text));
  }
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "rounding_is_no_distance_off_a_guide", rounding_is_no_distance_off_a_guide },
    { "gravity_in_millimetres_is_asked_about", gravity_in_millimetres_is_asked_about },
    { "ideal_elements_have_quality_one", ideal_elements_have_quality_one },
    { "distorted_elements_have_the_quality_of_their_worst_corner",
      distorted_elements_have_the_quality_of_their_worst_corner },
    { "beams_are_examined_without_mpi", beams_are_examined_without_mpi },
    { "a_free_beam_has_six_free_motions_and_the_frequency_of_the_textbook",
      a_free_beam_has_six_free_motions_and_the_frequency_of_the_textbook },
    { "a_hinge_inside_a_body_is_found_and_placed", a_hinge_inside_a_body_is_found_and_placed },
    { "sound_bricks_and_bricks_on_one_node_differ_by_three_motions",
      sound_bricks_and_bricks_on_one_node_differ_by_three_motions },
    { "coarse_beams_under_runners_are_named_with_the_size_they_need",
      coarse_beams_under_runners_are_named_with_the_size_they_need },
    { "beams_that_ripple_from_node_to_node_are_named_with_the_size_they_need",
      beams_that_ripple_from_node_to_node_are_named_with_the_size_they_need },
    { "ripples_of_a_machine_with_a_mesh_are_those_of_its_mesh",
      ripples_of_a_machine_with_a_mesh_are_those_of_its_mesh },
    { "sliders_off_their_guide_and_couples_left_out_are_named",
      sliders_off_their_guide_and_couples_left_out_are_named },
    { "sizes_and_slanted_hexahedra_are_worth_a_word",
      sizes_and_slanted_hexahedra_are_worth_a_word },
    { "a_body_is_compared_with_its_cad_file", a_body_is_compared_with_its_cad_file },
  };
  return mw_test_run("check", cases, (int)(sizeof cases / sizeof *cases));
}
