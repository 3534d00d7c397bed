// SPDX-License-Identifier: BSD-3-Clause
// helper.h: programs of ours that modeway starts, modeway-mesher, modeway-eigen and modeway-png,
// and modeway-component.so, which exported components are copies of.
#ifndef MW_FEM_HELPER_H
#define MW_FEM_HELPER_H

#include "base/arena.h"

// Finds the program `name`: what the environment variable `env` names (MW_ERR_INPUT if that is
// none), else beside the running program, else in folder `place` of the running program's build
// tree, else in $PATH. path NULL: nowhere.
MW_MUST_USE mw_code mw_helper_find(const char *name, const char *env, const char *place, mw_at at,
                                   mw_arena *mem, const char **path, mw_error *err);

#endif
