// SPDX-License-Identifier: BSD-3-Clause
// suggest.h: which name a misspelt word may mean.
#ifndef MW_FEM_SUGGEST_H
#define MW_FEM_SUGGEST_H

#include "base/api.h"

MW_API_BEGIN

// Best of the candidates offered for a misspelt word.
typedef struct mw_suggest {
  const char *want, *best;  // best NULL: none is near
  int cost;
} mw_suggest;
mw_suggest mw_suggest_init(const char *want);
void mw_suggest_add(mw_suggest *s, const char *candidate);

MW_API_END

#endif
