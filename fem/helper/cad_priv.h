// SPDX-License-Identifier: BSD-3-Clause
// cad_priv.h: the program modeway-mesher as seen from cad.c.
#ifndef MW_FEM_CAD_PRIV_H
#define MW_FEM_CAD_PRIV_H

#include "base/arena.h"

// Its path: $MODEWAY_MESHER, else beside the running program, else in the build tree of the running
// program, else in $PATH.
MW_MUST_USE mw_code mw_cad_find_mesher(mw_at at, mw_arena *mem, const char **path, mw_error *err);

// Runs argv[0] (argv ends with NULL), its standard output and error into files. A program that does
// not end by itself is an error here; status: its exit status.
MW_MUST_USE mw_code mw_cad_run(const char *const *argv, const char *out, const char *errors,
                               mw_at at, int *status, mw_error *err);

#endif
