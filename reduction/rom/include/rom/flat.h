// SPDX-License-Identifier: BSD-3-Clause
// flat.h: a reduced model as one block of bytes, read where it lies: no netCDF, no heap.
//
// `modeway export --to table` writes it. In words of 8 bytes, the lowest byte first, each array
// filled up to whole words:
//   "MODEWAYT"; version, 0x01020304 (32 bits each); bytes of all of it; digest of all that follows
//   (FNV-1a, 64 bits); 32-bit words: MW_FLAT_HEAD of them, flat.c says which; lo, hi [6 each];
//   y_slope [s × n_y] where an axis is flat or cyclic; mirror [s × m], mirror_y [s × n_y] (32 bits)
//   and y_shift [s × n_y] where one is symmetric; u_field [n_u], Y_field [n_Y] (32 bits);
//   c_theta [s], delta_max [m], rate_max [s] and u_max [n_u] where there are; of each law field (a
//   word) and its nine numbers; the table, or of each train first, n_field, rank [6] (32 bits), its
//   cores and field; names, each ending with 0: the model, x [2n], their units, u, y
#ifndef MW_ROM_FLAT_H
#define MW_ROM_FLAT_H

#include "rom/step.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MW_FLAT_VERSION = 1, MW_FLAT_HEAD = 32 };
enum { MW_FLAT_MAX_M = 512, MW_FLAT_MAX_Y = 2048 };  // columns; fields, inputs, laws

typedef enum mw_rom_flat_code {
  MW_FLAT_OK = 0,
  MW_FLAT_FOREIGN,    // not such a block, or of a machine of another order of bytes
  MW_FLAT_NEWER,      // of a version that this library does not know
  MW_FLAT_CUT,        // fewer or more bytes than it says it has
  MW_FLAT_DAMAGED,    // its digest is not that of its bytes
  MW_FLAT_WRONG,      // what it says is no reduced model
  MW_FLAT_UNALIGNED,  // bytes or memory do not lie on a multiple of 8
  MW_FLAT_MEMORY      // memory is too small
} mw_rom_flat_code;
const char *mw_rom_flat_code_name(mw_rom_flat_code code);

typedef struct mw_rom_flat {
  mw_rom rom;              // points into the block
  mw_rom_inertia inertia;  // what it was made for
  const char *names;       // each ending with 0: the model, x [2n], their units, u [n_u], y [n_y]
} mw_rom_flat;

// The model in a block of n bytes, which must stay as long as the model. With memory NULL: how many
// bytes of it are needed, into *size. Else *out lies in memory [*size], which must stay, too. All
// sizes, indices and ranges are checked, whatever the digest says.
mw_rom_flat_code mw_rom_flat_open(const void *bytes, size_t n, void *memory, size_t *size,
                                  const mw_rom_flat **out);
// Name k of names, counted from the model's, 0.
const char *mw_rom_flat_name(const mw_rom_flat *flat, int k);
// The digest of n bytes behind a value of it so far; MW_FLAT_SEED at first.
#define MW_FLAT_SEED 14695981039346656037ull
unsigned long long mw_rom_flat_digest(unsigned long long so_far, const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif

#endif
