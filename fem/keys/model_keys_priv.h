// SPDX-License-Identifier: BSD-3-Clause
// model_keys_priv.h: the parts of the table of keys that stand in files of their own.
#ifndef MW_FEM_MODEL_KEYS_PRIV_H
#define MW_FEM_MODEL_KEYS_PRIV_H

#include "shape_layer.h"

// model_keys_body.c
extern const mw_key mw_damping_keys[];
extern const mw_key mw_material_keys[];
extern const mw_key mw_section_keys[];
extern const mw_key mw_body_keys[];

#endif
