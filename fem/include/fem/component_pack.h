// SPDX-License-Identifier: BSD-3-Clause
// component_pack.h: shared objects that are copies of one, with what makes each of them behind it
// in its file (fem/component/README.md): for the objects themselves and for those who write them.
#ifndef MW_FEM_COMPONENT_PACK_H
#define MW_FEM_COMPONENT_PACK_H

#include "base/api.h"
#include "base/arena.h"
#include "base/error.h"
#include "fem/component_abi.h"
#include "fem/model.h"

MW_API_BEGIN

// Files that an object is made of, each by a path; in an arena. Of a source: itself and all files
// that it uses, each by the path under which the one that uses it asks for it, the source first;
// those of exported ones begin with "./".
typedef struct mw_component_source {
  mw_model_text *file;  // [n_file]
  int n_file;
  char hash[65];  // SHA-256, hexadecimal, of all texts
} mw_component_source;
void mw_component_hash(mw_component_source *s);

typedef struct mw_component_template {
  const char *name;   // "modeway-component.so"
  const char *env;    // variable of the environment that says where it is
  const char *place;  // folder of the build where it is made, from its root
} mw_component_template;
// Writes a copy of the object with s behind it to out. MW_ERR_IO: the object is not found.
MW_MUST_USE mw_code mw_component_pack(const mw_component_template *t, const mw_component_source *s,
                                      const char *out, mw_error *err);

// Of an object: opens an instance by what is behind it in its file; as mw_component_abi.open.
typedef mw_code mw_component_opener(const mw_component_source *s, const mw_component_in *in,
                                    void **out, mw_error *err);
int mw_component_open_own(mw_component_opener *opener, const mw_component_in *in, void **c,
                          char *why, size_t n_why);

MW_API_END

#endif
