// SPDX-License-Identifier: BSD-3-Clause
// folder.h: folders that commands write into.
#ifndef MW_BASE_FOLDER_H
#define MW_BASE_FOLDER_H

#include "base/error.h"

MW_API_BEGIN

// Makes a folder unless it is there; the one above it is. MW_ERR_IO: dir cannot be one.
MW_MUST_USE mw_code mw_folder_make(const char *dir, mw_error *err);

MW_API_END

#endif
