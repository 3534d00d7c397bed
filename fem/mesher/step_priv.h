// SPDX-License-Identifier: BSD-3-Clause
// step_priv.h: the data section of a STEP file as its references and keywords, in their order.
#ifndef MW_FEM_STEP_PRIV_H
#define MW_FEM_STEP_PRIV_H

#include "mesher_priv.h"

typedef struct step_use {  // of #id
  unsigned long id;
  size_t at;          // its index in step_text.use
  size_t definition;  // index of the use that defines it
  int line;
  bool defined;  // here
} step_use;

typedef struct step_word {  // a keyword of the entity that the last definition before it begins
  const char *text;         // of the file, not terminated
  int n, line;
  size_t use;  // uses before it
} step_word;

typedef struct step_text {
  size_t n_use, n_word;
  step_use *use;     // [n_use]
  step_use *sorted;  // [n_use] by id, definitions first
  step_word *word;   // [n_word]
} step_text;

// step_known.c: refuses entities that solids and their places need and that OpenCASCADE does not
// know, by line, number and keyword; shapes whose context has no unit of length, by line and
// number.
MW_MUST_USE mw_code step_known(job *j, const step_text *t, mw_error *err);

#endif
