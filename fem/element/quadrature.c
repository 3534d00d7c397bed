// SPDX-License-Identifier: BSD-3-Clause
// quadrature.c: where solids are integrated.
//
//             stiffness               mass
//   TET4      1, exact                4, exact
//   TET10     4, degree 2             24, degree 6 [K1986]: exact for straight edges
//   HEX8      2 × 2 × 2               3 × 3 × 3: exact for straight edges
//   HEX20     3 × 3 × 3               3 × 3 × 3: exact for parallelepipeds
//   HEX20R    2 × 2 × 2               3 × 3 × 3
//   WEDGE6    3 × 2: exact for prisms 6 × 3, degree 4 in the triangle [D1985]: exact for prisms
//   WEDGE15   3 × 3, degree 2         6 × 3
//
// CalculiX 2.20 takes the points of the stiffness for the mass of every element. For HEX20 that is
// the same, and its frequencies are CalculiX's to the digits it prints. The exact mass of TET10
// lowers the first ten of a clamped beam by 1e-7 to 2e-5 at 12,000 unknowns and by up to 3e-6 at
// 50,000; four points would leave the mass of small meshes singular. With CalculiX's points
// (mw_solid_mass) TET4, TET10, HEX20R and WEDGE15 agree, too. C3D6 differs by its 1 × 2 points of
// the stiffness, which leave a motion without energy, C3D8I by its modes.
//
// All integrate ∇N exactly on straight-edged elements, which is the patch test. HEX20R has six
// motions without energy of its own; two by two elements hold each other's, a single row of them
// does not.
// [K1986] Keast, Moderate-degree tetrahedral quadrature formulas, Comput. Methods Appl. Mech. Eng.
//         55 (1986).
// [D1985] Dunavant, High degree efficient symmetrical Gaussian quadrature rules for the triangle,
//         Int. J. Numer. Methods Eng. 21 (1985).
#include "element_priv.h"

// Gauss-Legendre on [−1, 1] with 1, 2, 3 points: 1/√3, √(3/5)
static const double GAUSS_X[3][3] = { { 0.0 },
                                      { -0.57735026918962576451, 0.57735026918962576451 },
                                      { -0.77459666924148337704, 0.0, 0.77459666924148337704 } };
static const double GAUSS_W[3][3] = { { 2.0 }, { 1.0, 1.0 }, { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 } };

static void add(mw_rule *r, double x, double y, double z, double w)
{
  r->xi[r->n][0] = x;
  r->xi[r->n][1] = y;
  r->xi[r->n][2] = z;
  r->w[r->n++] = w;
}

static void hex_rule(int n, mw_rule *r)
{
  const double *x = GAUSS_X[n - 1], *w = GAUSS_W[n - 1];
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) add(r, x[i], x[j], x[k], w[i] * w[j] * w[k]);
}

// Four points with one barycentric coordinate 1 − 3a; weight w each, of a total of 1
static void tet_ring4(double a, double w, mw_rule *r)
{
  for (int q = 0; q < 4; q++) {
    double L[4] = { a, a, a, a };
    L[q] = 1.0 - 3.0 * a;
    add(r, L[1], L[2], L[3], w / 6.0);
  }
}

static void tet_rule(int n, mw_rule *r)
{
  if (n == 1) tet_ring4(0.25, 0.25, r);
  if (n == 4) tet_ring4(0.13819660112501051518, 0.25, r);  // (5 − √5)/20
  if (n < 24) return;
  static const double A = 0.0636610018750175299, B = 0.269672331458315867, W12 = 27.0 / 560.0;
  tet_ring4(0.214602871259151684, 0.0399227502581679, r);
  tet_ring4(0.0406739585346113397, 0.0100772110553207, r);
  tet_ring4(0.322337890142275646, 0.0553571815436544, r);
  for (int q = 0; q < 12; q++) {
    int i = q / 3, j = (i + 1 + q % 3) % 4;
    double L[4] = { A, A, A, A };
    L[i] = B;
    L[j] = 1.0 - 2.0 * A - B;
    add(r, L[1], L[2], L[3], W12 / 6.0);
  }
}

// Three points with one barycentric coordinate 1 − 2a, times n along ζ; weight w each, of a total
// of 1
static void wedge_ring3(double a, double w, int n, mw_rule *r)
{
  for (int k = 0; k < n; k++)
    for (int q = 0; q < 3; q++)
      add(r, q == 1 ? 1.0 - 2.0 * a : a, q == 2 ? 1.0 - 2.0 * a : a, GAUSS_X[n - 1][k],
          0.5 * w * GAUSS_W[n - 1][k]);
}

static void wedge_rule(int n_tri, int n, mw_rule *r)
{
  if (n_tri == 3) wedge_ring3(1.0 / 6.0, 1.0 / 3.0, n, r);
  if (n_tri == 6) {
    wedge_ring3(0.44594849091596488632, 0.22338158967801146570, n, r);
    wedge_ring3(0.09157621350977074346, 0.10995174365532186764, n, r);
  }
}

void mw_solid_rule(mw_elem_kind kind, bool mass, mw_rule *rule)
{
  rule->n = 0;
  switch (kind) {
  case MW_ELEM_TET4: tet_rule(mass ? 4 : 1, rule); break;
  case MW_ELEM_TET10: tet_rule(mass ? 24 : 4, rule); break;
  case MW_ELEM_HEX8:
  case MW_ELEM_HEX20R: hex_rule(mass ? 3 : 2, rule); break;
  case MW_ELEM_HEX20: hex_rule(3, rule); break;
  case MW_ELEM_WEDGE6: wedge_rule(mass ? 6 : 3, mass ? 3 : 2, rule); break;
  case MW_ELEM_WEDGE15: wedge_rule(mass ? 6 : 3, 3, rule); break;
  default: break;
  }
}
