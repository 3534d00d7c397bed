// SPDX-License-Identifier: BSD-3-Clause
// cache.h: the folder for what is made once and found again: meshes of CAD files, bases of bodies.
// It may be deleted at any time.
#ifndef MW_FEM_CACHE_H
#define MW_FEM_CACHE_H

#include "base/api.h"
#include "base/arena.h"

MW_API_BEGIN

// $MODEWAY_CACHE, else $XDG_CACHE_HOME/modeway, else ~/.cache/modeway; made if need be. MW_ERR_IO,
// at `at`: there is no such place, or it cannot be made.
MW_MUST_USE mw_code mw_cache_folder(mw_at at, mw_arena *mem, const char **path, mw_error *err);
// A folder and those above it, made if need be.
MW_MUST_USE mw_code mw_cache_make(mw_at at, const char *path, mw_error *err);

MW_API_END

#endif
