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

// romfile_coef.c: the record of each knot
size_t mw_romfile_n_knots(const mw_rom *r);  // of all axes together
// knot [s]: dimensions of the axes; field: that of the fields
MW_MUST_USE mw_code mw_romfile_write_coef(mw_ncw *w, const mw_rom_file *f,
                                          const int knot[MW_ROM_MAX_S], int field, mw_error *err);
void mw_romfile_read_coef(mw_ncr *r, mw_rom_file *f);  // or its trains

// romfile_parameter.c: parameters that can be set
void mw_romfile_write_parameters(mw_ncw *w, const mw_rom_file *f);
void mw_romfile_read_parameters(mw_ncr *r, mw_rom_file *f);
// Once the shapes of the records and of the table for starts are known.
void mw_romfile_read_rows(mw_ncr *r, mw_rom_file *f);

// romfile_certificate.c
void mw_romfile_write_certificate(mw_ncw *w, const mw_rom_file *f);
void mw_romfile_read_certificate(mw_ncr *r, mw_rom_file *f);

// romfile_runs.c: scenarios run by both paths
void mw_romfile_write_runs(mw_ncw *w, const mw_run_proofs *p);
void mw_romfile_read_runs(mw_ncr *r, mw_run_proofs *p);
void mw_romfile_write_outside(mw_ncw *w, const mw_run_scope *z);
void mw_romfile_read_outside(mw_ncr *r, mw_run_scope *z);

// romfile_drawn.c: columns at drawn nodes
void mw_romfile_write_drawn(mw_ncw *w, const mw_rom_file *f);
void mw_romfile_read_drawn(mw_ncr *r, mw_rom_file *f);

// romfile_law.c: friction and end stops
MW_MUST_USE mw_code mw_romfile_write_laws(mw_ncw *w, const mw_rom_file *f, mw_error *err);
void mw_romfile_read_laws(mw_ncr *r, mw_rom_file *f);
MW_MUST_USE mw_code mw_romfile_check_laws(const mw_rom_file *f, mw_at at, mw_error *err);

// romfile_table.c: axes that are cyclic or symmetric, and trains
void mw_romfile_write_axes(mw_ncw *w, const mw_rom_file *f, int field);
void mw_romfile_read_axes(mw_ncr *r, mw_rom_file *f);
// Trains of a record of n_record fields: train0_core_x, …, train0_field_core, train1_… behind the
// prefix; knot [s]: dimensions, lengths. Reading: NULL and *n 0 where there are none.
void mw_romfile_write_trains(mw_ncw *w, const mw_rom_file *f, int n, const mw_rom_train *t,
                             const char *prefix, const int *knot);
const mw_rom_train *mw_romfile_read_trains(mw_ncr *r, const mw_rom_file *f, const char *prefix,
                                           int n_record, const int *n_knot, int *n);

#endif
