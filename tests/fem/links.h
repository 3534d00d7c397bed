// SPDX-License-Identifier: BSD-3-Clause
// links.h: a machine of links, as a tree or with loops.
#ifndef MW_TESTS_FEM_LINKS_H
#define MW_TESTS_FEM_LINKS_H

#include <stdbool.h>

#include "fixture.h"

// n links along a line, hinged about y and z in turn, an arm on each; `loops`: every fifth link is
// tied to the next but one by a rod with ball joints. Names of bodies hold assemblies, with _ in
// place of their dots. False after printing what went wrong.
bool links_open(int n, bool loops, mw_fixture *f);

// n ≥ 48 links in a chain, with springs, dampers, stops, a prescribed coordinate, a force, a
// controller, a rotor and, `rubs`, joints that rub by their reactions; scenario ride of 6 ms, fall
// ends at a limit.
bool links_driven_open(int n, bool rubs, mw_fixture *f);

#endif
