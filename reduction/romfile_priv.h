// SPDX-License-Identifier: BSD-3-Clause
// romfile_priv.h: what the files that make up rom.nc share.
#ifndef MW_REDUCTION_ROMFILE_PRIV_H
#define MW_REDUCTION_ROMFILE_PRIV_H

#include "reduction/ncfile.h"
#include "reduction/romfile.h"

enum { MW_ROMFILE_MAX_M = 4096, MW_ROMFILE_MAX_N = 1 << 20 };

// Sizes, order, signs, indices, finiteness: what both sides rely on. MW_ERR_INPUT names the file.
MW_MUST_USE mw_code mw_romfile_check(const mw_rom_file *f, const char *path, mw_error *err);

// Where the table of axis i ends: hi, or mid of a symmetric axis.
static inline double mw_romfile_end(const mw_rom *r, int i)
{
  return r->symmetric >> i & 1u ? 0.5 * (r->lo[i] + r->hi[i]) : r->hi[i];
}

// romfile_certificate.c
void mw_romfile_write_certificate(mw_ncw *w, const mw_rom_file *f);
void mw_romfile_read_certificate(mw_ncr *r, mw_rom_file *f);

// romfile_table.c: axes that are cyclic or symmetric, and trains
void mw_romfile_write_axes(mw_ncw *w, const mw_rom_file *f, int field);
void mw_romfile_read_axes(mw_ncr *r, mw_rom_file *f);
// Cores prefix_core_x, …, and prefix_field_core of a train of n_field fields; knot [s]: dimensions, lengths.
void mw_romfile_write_train(mw_ncw *w, const mw_rom_file *f, const mw_rom_train *t,
                            const char *prefix, int n_field, const int *knot);
void mw_romfile_read_train(mw_ncr *r, const mw_rom_file *f, const char *prefix, int n_field,
                           const int *n_knot, mw_rom_train *t);

#endif
