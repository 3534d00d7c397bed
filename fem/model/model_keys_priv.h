// SPDX-License-Identifier: BSD-3-Clause
// model_keys_priv.h: how the table of keys is written, and its parts that stand in files of their own.
#ifndef MW_FEM_MODEL_KEYS_PRIV_H
#define MW_FEM_MODEL_KEYS_PRIV_H

#include <math.h>

#include "model_priv.h"

#define REQUIRED MW_KEY_REQUIRED
#define ONE      MW_KEY_ONE
#define AT_MOST  MW_KEY_AT_MOST

#define SHAPE(...)        (&(const mw_shape){ __VA_ARGS__ })
#define NUMBER(u)         SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = -INFINITY, .hi = INFINITY)
#define ABOVE0(u)         SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo_open = true, .hi = INFINITY)
#define FROM0(u)          SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = 0, .hi = INFINITY)
#define INTEGER(a, b)     SHAPE(.scalar = MW_S_INTEGER, .unit = "", .lo = a, .hi = b)
#define BOOLEAN           SHAPE(.scalar = MW_S_BOOLEAN)
#define TEXT              SHAPE(.scalar = MW_S_TEXT)
#define NAME              SHAPE(.scalar = MW_S_NAME)
#define REF               SHAPE(.scalar = MW_S_REF)
#define WORDS(w)          SHAPE(.scalar = MW_S_WORD, .words = w)
#define LIST(a, b, shape) SHAPE(.item = shape, .n_min = a, .n_max = b)
#define VECTOR(u)         LIST(3, 3, NUMBER(u))
#define MAPPING(k)        SHAPE(.keys = k)
#define NAMED(shape)      SHAPE(.named = shape)

// model_keys_body.c
extern const mw_key mw_damping_keys[];
extern const mw_key mw_material_keys[];
extern const mw_key mw_section_keys[];
extern const mw_key mw_body_keys[];

#endif
