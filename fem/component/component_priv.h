// SPDX-License-Identifier: BSD-3-Clause
// component_priv.h: what the files of components share.
#ifndef MW_FEM_COMPONENT_PRIV_H
#define MW_FEM_COMPONENT_PRIV_H

#include <stdint.h>

#include "base/sha256.h"
#include "fem/component.h"
#include "fem/component_pack.h"
#include "fem/model.h"

// ---- component_rigid.c: the interface by the rigid mechanism ------------------------------------

extern const mw_component_calls mw_component_rigid_calls;
MW_MUST_USE mw_code mw_component_rigid_open(const mw_component_source *s, const mw_component_in *in,
                                            void **out, mw_error *err);

// ---- component_pack.c: the sources behind the object, at the end of the file --------------------
//
// object | payload | trailer: MAGIC [8], bytes of the object (u64), bytes of the payload (u64),
// SHA-256 of all before [32], that of the payload alone [32]. The payload is not in clear text.

enum { MW_PACK_TRAILER = 8 + 8 + 8 + 32 + 32 };
// The payload of files [n] as *bytes in mem.
MW_MUST_USE mw_code mw_pack_make(const mw_component_source *s, mw_arena *mem, unsigned char **bytes,
                                 size_t *n, mw_error *err);
void mw_pack_trailer(const unsigned char *payload, size_t n, const unsigned char *object,
                     size_t n_object, unsigned char out[MW_PACK_TRAILER]);
// *found false: the file has no trailer. whole: the digest of all is checked, too; else that of the
// payload alone. out NULL: checked only.
MW_MUST_USE mw_code mw_pack_read(const char *path, bool whole, mw_arena *mem,
                                 mw_component_source *out, bool *found, mw_error *err);

#endif
