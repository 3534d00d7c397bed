// SPDX-License-Identifier: BSD-3-Clause
// leg_cart.h: a leg as a component, and a cart that carries two of them, for suites of components.
#ifndef MW_TESTS_LEG_CART_H
#define MW_TESTS_LEG_CART_H

#include <stdbool.h>

#include "sim/simulation.h"

enum { MW_LEG_CART = 4096, MW_LEG = 2304 };  // bytes of their texts, at most

extern const char mw_leg[];  // model file of the leg

// Makes a folder for the files of a suite, with leg.yaml and leg.so; removes it with all of them.
bool mw_leg_open(const char *suite);
void mw_leg_close(void);
// Path of a file there; writes a text there; reads a case from there.
const char *mw_leg_path(const char *name, char path[160]);
void mw_leg_put(const char *name, const char *text);
bool mw_leg_get(const char *name, mw_case *c);
// The cart's model file, its legs used by `use`, its scenario by a method of the rigid path; into
// text, or written there.
char *mw_leg_cart(const char *use, const char *method, char text[MW_LEG_CART]);
void mw_leg_put_cart(const char *name, const char *use, const char *method);
// Runs the first scenario of a file there by the rigid path.
bool mw_leg_run(const char *name, mw_case *c, mw_run *r);

#endif
