// SPDX-License-Identifier: BSD-3-Clause
// ncfile.h: netCDF-4 files that are whole or refused: built in memory, digested, written beside,
// synced, renamed.
//
// A file is a netCDF-4 image followed by a trailer of 40 bytes: "MWDIGEST" and the SHA-256 of the
// image. HDF5 ignores bytes behind its own end of file, so every netCDF reader opens it; modeway's
// own reader checks the digest first. Every file carries the global attributes title, Conventions,
// source, history, modeway_file (its kind), modeway_format.
#ifndef MW_REDUCTION_NCFILE_H
#define MW_REDUCTION_NCFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/api.h"
#include "base/arena.h"
#include "base/wholefile.h"

MW_API_BEGIN

enum { MW_NC_FORMAT = 5, MW_NC_MAX_DIM = 8 };

// ---- writing: the first failure is kept, later calls do nothing, mw_ncw_close reports it --------
typedef struct mw_ncw {
  int id;         // netCDF id, -1: none
  int rc;         // first netCDF error, 0: none
  char what[64];  // what was being written then
} mw_ncw;

// kind: "rom", "run", "compare", "shapes". version: of the program; command: how it was called (may
// be NULL).
void mw_ncw_open(mw_ncw *w, const char *kind, const char *title, const char *version,
                 const char *command);
// Dimension id; -1 for n <= 0: variables that have it are left out.
int mw_ncw_dim(mw_ncw *w, const char *name, int n);
int mw_ncw_dim_id(mw_ncw *w, const char *name);  // of one made before, -1: none
// Variables, row-major over dim [n_dim]; units and long_name may be NULL.
void mw_ncw_f64(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *units,
                const char *long_name, const double *x);
void mw_ncw_f32(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *units,
                const char *long_name, const float *x);
void mw_ncw_int(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *long_name,
                const int *x);
void mw_ncw_str(mw_ncw *w, const char *name, int dim, const char *long_name, const char *const *x);
// Attributes; var NULL: global.
void mw_ncw_att_str(mw_ncw *w, const char *var, const char *name, const char *x);
void mw_ncw_att_f64(mw_ncw *w, const char *var, const char *name, double x);
void mw_ncw_att_int(mw_ncw *w, const char *name, int x);
// Closes the image and, unless something failed, puts it at path. Always releases w.
MW_MUST_USE mw_code mw_ncw_close(mw_ncw *w, const char *path, mw_error *err);
void mw_ncw_abort(mw_ncw *w);  // releases w, writes nothing

// ---- reading: as above, the first failure is kept in e and later calls do nothing ---------------
typedef struct mw_ncr {
  int id;            // netCDF id, -1: none
  char *image;       // the file's bytes
  size_t n_image;    // how many
  const char *path;  // borrowed
  mw_arena *mem;     // borrowed; arrays and strings go there
  mw_error e;        // first failure
} mw_ncr;

// Reads the whole file, checks its digest, then lets netCDF see it. kind NULL: any. MW_ERR_INPUT
// says what is wrong.
MW_MUST_USE mw_code mw_ncr_open(mw_ncr *r, const char *path, const char *kind, mw_arena *mem,
                                mw_error *err);
int mw_ncr_dim(mw_ncr *r, const char *name);             // its length, 0 when there is none
bool mw_ncr_has(const mw_ncr *r, const char *name);      // a variable of that name
bool mw_ncr_has_att(const mw_ncr *r, const char *name);  // of the file
// Whether n values of `bytes` each can be in the file, else a failure that names them: a length
// that stands in the file costs no memory before it is known that the values do, too.
bool mw_ncr_holds(mw_ncr *r, const char *name, double n, size_t bytes);
// Variables must have exactly the shape len [n_dim]; an empty shape (a zero length) gives a valid
// pointer to nothing. finite: every value must be, else infinities are allowed too (never NaN).
double *mw_ncr_f64(mw_ncr *r, const char *name, int n_dim, const int *len, bool finite);
float *mw_ncr_f32(mw_ncr *r, const char *name, int n_dim, const int *len);
int *mw_ncr_int(mw_ncr *r, const char *name, int n_dim, const int *len);
const char **mw_ncr_str(mw_ncr *r, const char *name, int len);
const char *mw_ncr_att_str(mw_ncr *r, const char *name);  // global; "" after a failure
double mw_ncr_att_f64(mw_ncr *r, const char *name);       // global, finite
int mw_ncr_att_int(mw_ncr *r, const char *name);
void mw_ncr_fail(mw_ncr *r, const char *fmt, ...)
    MW_PRINTF(2, 3);  // the caller's own finding, as MW_ERR_INPUT
// First failure, or MW_OK. Always releases r (not mem).
MW_MUST_USE mw_code mw_ncr_close(mw_ncr *r, mw_error *err);

MW_API_END

#endif
