// SPDX-License-Identifier: BSD-3-Clause
// quadrature.c: what the rules of the solids are made of (tet.c, hex.c, wedge.c).
//
// CalculiX 2.20 takes the points of the stiffness for the mass of every element. For HEX20 that is
// the same, and its frequencies are CalculiX's to the digits it prints. With CalculiX's points
// (mw_solid_mass) TET4, TET10, HEX20R and WEDGE15 agree, too. C3D6 differs by its 1 × 2 points of
// the stiffness, which leave a motion without energy, C3D8I by its modes.
//
// All rules integrate ∇N exactly on straight-edged elements, which is the patch test.
#include "element_priv.h"

// 1/√3, √(3/5)
const double MW_GAUSS_X[3][3] = { { 0.0 },
                                  { -0.57735026918962576451, 0.57735026918962576451 },
                                  { -0.77459666924148337704, 0.0, 0.77459666924148337704 } };
const double MW_GAUSS_W[3][3] = { { 2.0 }, { 1.0, 1.0 }, { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 } };

void mw_rule_add(mw_rule *r, double x, double y, double z, double w)
{
  r->xi[r->n][0] = x;
  r->xi[r->n][1] = y;
  r->xi[r->n][2] = z;
  r->w[r->n++] = w;
}

void mw_solid_rule(mw_elem_kind kind, bool mass, mw_rule *rule)
{
  mw_elem_classes[kind]->rule(mass, rule);
}
