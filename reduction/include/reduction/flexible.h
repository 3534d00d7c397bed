// SPDX-License-Identifier: BSD-3-Clause
// flexible.h: components whose inside is a reduced model: the interface of fem/component_abi.h by
// a block of rom/flat.h and a description of what is seen of it (reduction/component/README.md).
#ifndef MW_REDUCTION_FLEXIBLE_H
#define MW_REDUCTION_FLEXIBLE_H

#include "base/api.h"
#include "base/arena.h"
#include "base/error.h"
#include "fem/component_abi.h"
#include "reduction/kept.h"
#include "rom/rom.h"

MW_API_BEGIN

// Kinds of what is seen, each a frame of the component.
typedef enum mw_flexible_kind {
  MW_FLEXIBLE_PORT,    // a border frame: nine fields, origin, points along x and y
  MW_FLEXIBLE_TRAVEL,  // one field in m, o = (y, 0, 0)
  MW_FLEXIBLE_ANGLE,   // one field in rad, E turned by y about z
  MW_FLEXIBLE_OUTPUT   // a position: three fields
} mw_flexible_kind;

typedef struct mw_flexible_seen {
  mw_flexible_kind kind;
  const char *name;
  int field;               // the first of its fields
  double arm;              // m, of ports
  const char *coordinate;  // TRAVEL, ANGLE: what the drive of this name acts on
  double limits[2];        // m or rad, of that; -INFINITY, INFINITY: none
  double most;             // N or N·m, largest force of the drive that is promised; INFINITY
} mw_flexible_seen;

// A parameter that whoever uses the component may set.
typedef struct mw_flexible_parameter {
  const char *name;
  double lo, hi, value;  // SI units; value: of the block
} mw_flexible_parameter;

// What an object says of its inside besides the block.
typedef struct mw_flexible_text {
  double gravity[3];                       // m/s², in the axes of the component
  double start[MW_ROM_MAX_S];              // m or rad, coordinates in the reference configuration
  int n_seen;                              // ports first, then drives, then outputs
  const mw_flexible_seen *seen;            // [n_seen]
  const char *promise;                     // of its certificate, lines
  const mw_flexible_parameter *parameter;  // [kept.n]
  mw_kept kept;  // its tables, node and coef, are not in the text; n = 0: nothing can be set
} mw_flexible_text;

// As text, and back.
MW_MUST_USE mw_code mw_flexible_text_write(const mw_flexible_text *t, mw_arena *mem,
                                           const char **out, mw_error *err);
MW_MUST_USE mw_code mw_flexible_text_read(const char *text, size_t n, mw_arena *mem,
                                          mw_flexible_text *out, mw_error *err);

// rad, by which a port may be turned against what θ says: columns turn what they move to first
// order, and err by half the square of the angle (0.5 %). Runs end there.
#define MW_FLEXIBLE_FAR 0.1

extern const mw_component_calls mw_flexible_calls;
// An instance by the n bytes of a block and by its description, both of which it copies; hash: of
// all.
MW_MUST_USE mw_code mw_flexible_open(const void *block, size_t n, const mw_flexible_text *text,
                                     const char *hash, const mw_component_in *in, void **out,
                                     mw_error *err);

// Files in the payload of an object (fem/component_pack.h), in this order.
enum { MW_FLEXIBLE_BLOCK, MW_FLEXIBLE_DESCRIPTION, MW_FLEXIBLE_TABLES, MW_FLEXIBLE_FILES };
// The third: node, then coef of kept, as they lie in memory. Bytes of them.
size_t mw_flexible_tables_bytes(const mw_kept *z);

MW_API_END

#endif
