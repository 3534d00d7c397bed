// SPDX-License-Identifier: BSD-3-Clause
// key_layer.h: how keys of the model file are written: for the table in model_keys.c, and for the
// joints, whose keys stand in their files of ../joint/.
//
// A shape says what a value may be: a scalar, a list of items, a mapping of fixed keys, a mapping
// of names; several at once where the forms differ (a number or a mapping).
#ifndef MW_FEM_KEY_LAYER_H
#define MW_FEM_KEY_LAYER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "fem/joint_kinds.h"

typedef enum mw_scalar {
  MW_S_NONE,
  MW_S_NUMBER,
  MW_S_INTEGER,
  MW_S_BOOLEAN,
  MW_S_TEXT,
  MW_S_NAME,       // [A-Za-z_][A-Za-z0-9_-]*
  MW_S_REF,        // NAME, or several with dots between them
  MW_S_WORD,       // one of words
  MW_S_EXPRESSION  // of time; once checked, its text has values in place of parameters
} mw_scalar;

// What a name refers to. Inside an assembly it is a part of it: its path stands before the name.
typedef enum mw_names {
  MW_NAMES_NONE,
  MW_NAMES_MATERIAL,  // of the assembly, or else of what it stands in
  MW_NAMES_SECTION,   // likewise
  MW_NAMES_BODY,
  MW_NAMES_FRAME,  // body.frame, or body
  MW_NAMES_GUIDE,  // body.guide
  MW_NAMES_JOINT,
  MW_NAMES_COORDINATE,
  MW_NAMES_DRIVE,
  MW_NAMES_OUTPUT
} mw_names;

// What becomes of a value where its assembly is turned or mirrored. A mirrored body is its image
// in its own frame, whose axes are mirrored twice: in the assembly's plane, and in their own.
typedef enum mw_mirror {
  MW_MIRROR_SAME,
  MW_MIRROR_VECTOR,   // of body axes: its component across the plane changes its sign
  MW_MIRROR_AXIS,     // of a joint: likewise, and turned round where its coordinate is no travel
  MW_MIRROR_INERTIA,  // Ixx Iyy Izz Ixy Ixz Iyz
  MW_MIRROR_GUIDE,    // along t, n1, n2 of a guide: n2 = t × n1 changes its sign
  MW_MIRROR_HAND,     // a number that changes its sign: pitch of a screw, helix of teeth
  MW_MIRROR_GROUND,   // vector in ground axes, or in the axes that `axes` beside it says
  MW_MIRROR_GROUND_TORQUE,  // the same, a torque
  MW_MIRROR_REFUSED         // has no mirror image: files
} mw_mirror;

typedef struct mw_shape {
  // of shapes that stand in themselves, or often: what the schema calls them; NULL: none
  const char *name;
  mw_scalar scalar;
  const char *unit;       // of numbers, "" without
  double lo, hi;          // range of numbers
  bool lo_open, hi_open;  // the end itself is excluded
  const char *words;      // separated by blanks; with NUMBER: also allowed in place of a number
  mw_names refers;        // of REF; of a mapping of names: what these are
  bool declares;          // NAME of something that the assembly it stands in has
  mw_mirror mirror;
  const struct mw_shape *item;   // list
  int n_min, n_max;              // entries of a list, n_max 0: any number
  const struct mw_key *keys;     // mapping of fixed keys, ended by name NULL
  const struct mw_shape *named;  // mapping of names to this shape
} mw_shape;

enum {
  MW_KEY_REQUIRED = 1,
  MW_KEY_ONE = 2,      // exactly one of the keys with this flag
  MW_KEY_AT_MOST = 4,  // at most one of the keys with this flag
  MW_KEY_FILE = 8,     // a file that the machine is made of: its bytes count, not its name
  MW_KEY_PART = 16     // of an assembly: what the key of this name is in a model
};

typedef struct mw_key {
  const char *name;
  int flags;
  const mw_shape *shape;
  const char *fallback;  // default as YAML text, NULL: none (or one that doc describes)
  const char *doc;
} mw_key;

#define REQUIRED MW_KEY_REQUIRED
#define ONE      MW_KEY_ONE
#define AT_MOST  MW_KEY_AT_MOST
#define A_FILE   MW_KEY_FILE
#define A_PART   MW_KEY_PART

#define SHAPE(...)         (&(const mw_shape){ __VA_ARGS__ })
#define NUMBER(u)          SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = -INFINITY, .hi = INFINITY)
#define ABOVE0(u)          SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo_open = true, .hi = INFINITY)
#define ABOVE0_TO(most)    SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo_open = true, .hi = most)
#define FROM0(u)           SHAPE(.scalar = MW_S_NUMBER, .unit = u, .lo = 0, .hi = INFINITY)
#define INTEGER(a, b)      SHAPE(.scalar = MW_S_INTEGER, .unit = "", .lo = a, .hi = b)
#define BOOLEAN            SHAPE(.scalar = MW_S_BOOLEAN)
#define TEXT               SHAPE(.scalar = MW_S_TEXT)
#define NAME               SHAPE(.scalar = MW_S_NAME)
#define DECLARED           SHAPE(.scalar = MW_S_NAME, .declares = true)
#define REF_TO(names)      SHAPE(.scalar = MW_S_REF, .refers = names)
#define MATERIAL_REF       REF_TO(MW_NAMES_MATERIAL)
#define SECTION_REF        REF_TO(MW_NAMES_SECTION)
#define BODY_REF           REF_TO(MW_NAMES_BODY)
#define FRAME_REF          REF_TO(MW_NAMES_FRAME)
#define GUIDE_REF          REF_TO(MW_NAMES_GUIDE)
#define JOINT_REF          REF_TO(MW_NAMES_JOINT)
#define COORDINATE_REF     REF_TO(MW_NAMES_COORDINATE)
#define DRIVE_REF          REF_TO(MW_NAMES_DRIVE)
#define OUTPUT_REF         REF_TO(MW_NAMES_OUTPUT)
#define EXPRESSION         SHAPE(.scalar = MW_S_EXPRESSION)
#define WORDS(w)           SHAPE(.scalar = MW_S_WORD, .words = w)
#define LIST(a, b, shape)  SHAPE(.item = shape, .n_min = a, .n_max = b)
#define NUMBERS(n, u, how) SHAPE(.item = NUMBER(u), .n_min = n, .n_max = n, .mirror = how)
#define VECTOR_AS(u, how)  NUMBERS(3, u, how)
#define VECTOR(u)          VECTOR_AS(u, MW_MIRROR_VECTOR)
#define AXIS_VECTOR        VECTOR_AS("", MW_MIRROR_AXIS)
#define INERTIA6           NUMBERS(6, "kg m2", MW_MIRROR_INERTIA)
#define MAPPING(k)         SHAPE(.keys = k)
#define NAMED(shape)       SHAPE(.named = shape)
#define NAMED_BY(n, shape) SHAPE(.named = shape, .refers = n)

// ---- joints between two frames, in mw_joint_<name>_keys -----------------------------------------

// clang-format off
#define PAIR                                                                                      \
  { "a", REQUIRED, FRAME_REF, NULL, "body.frame" },                                               \
  { "b", REQUIRED, FRAME_REF, NULL, "body.frame of the other body" }
#define AXIS                                                                                      \
  { "axis", REQUIRED, AXIS_VECTOR, NULL, "in the axes of a's body" }
#define AXIS_B                                                                                    \
  { "axis_b", 0, AXIS_VECTOR, NULL,                                                                \
    "the same axis in the axes of b's body; default: as in the reference configuration" }
#define ZEROS                                                                                     \
  { "zero", 0, VECTOR(""), NULL,                                                                  \
    "direction across the axis, in the axes of a's body; with zero_b and axis_b (normal_b)" },    \
  { "zero_b", 0, VECTOR(""), NULL,                                                                \
    "the same in the axes of b's body: where the two agree the angle is start" }
// clang-format on

#define MW_JOINT_KEYS(KIND, name, what) extern const mw_key mw_joint_##name##_keys[];
MW_JOINT_LIST(MW_JOINT_KEYS)
#undef MW_JOINT_KEYS

#endif
