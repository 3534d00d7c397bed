// SPDX-License-Identifier: BSD-3-Clause
// ncfile.c: netCDF-4 files that are whole or refused.
//
// Why not let netCDF write the file: with a full disk nc_close fails and the process dies in an
// exit handler of HDF5, a killed writer leaves a short file that opens, and flipped bits can pass
// HDF5's own checksums. So the image is built in memory (nc_create_mem, nc_close_memio), digested
// as a whole, written under a temporary name in the same folder, synced and renamed. The reader
// checks the digest before HDF5 sees a byte. No time stamps: same inputs, same bytes.
#include "reduction/ncfile.h"

#include <math.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- writing ------------------------------------------------------------------------------------

// Keeps the first failure.
static bool okay(mw_ncw *w, int rc, const char *what)
{
  if (rc != NC_NOERR && w->rc == NC_NOERR) {
    w->rc = rc;
    snprintf(w->what, sizeof w->what, "%s", what);
  }
  return w->rc == NC_NOERR;
}

void mw_ncw_open(mw_ncw *w, const char *kind, const char *title, const char *version,
                 const char *command)
{
  *w = (mw_ncw){ .id = -1 };
  if (!okay(w, nc_create_mem("modeway", NC_NETCDF4, (size_t)1 << 16, &w->id), "the file")) {
    w->id = -1;
    return;
  }
  char text[8400];
  mw_ncw_att_str(w, NULL, "title", title);
  mw_ncw_att_str(w, NULL, "Conventions", "CF-1.8");
  snprintf(text, sizeof text, "modeway %s", version ? version : "");
  mw_ncw_att_str(w, NULL, "source", text);
  snprintf(text, sizeof text, "modeway %s: %s", version ? version : "", command ? command : kind);
  mw_ncw_att_str(w, NULL, "history", text);
  mw_ncw_att_str(w, NULL, "modeway_file", kind);
  mw_ncw_att_int(w, "modeway_format", MW_NC_FORMAT);
}

int mw_ncw_dim(mw_ncw *w, const char *name, int n)
{
  int id = -1;
  if (w->rc != NC_NOERR || n <= 0) return -1;
  return okay(w, nc_def_dim(w->id, name, (size_t)n, &id), name) ? id : -1;
}

int mw_ncw_dim_id(mw_ncw *w, const char *name)
{
  int id = -1;
  if (w->rc != NC_NOERR || nc_inq_dimid(w->id, name, &id) != NC_NOERR) return -1;
  return id;
}

// Defines a variable; false when there is nothing to write.
static bool define(mw_ncw *w, const char *name, int type, int n_dim, const int *dim,
                   const char *units, const char *long_name, int *var)
{
  if (w->rc != NC_NOERR) return false;
  for (int i = 0; i < n_dim; i++)
    if (dim[i] < 0) return false;
  if (!okay(w, nc_def_var(w->id, name, type, n_dim, dim, var), name)) return false;
  if (units) (void)okay(w, nc_put_att_text(w->id, *var, "units", strlen(units), units), name);
  if (long_name)
    (void)okay(w, nc_put_att_text(w->id, *var, "long_name", strlen(long_name), long_name), name);
  return w->rc == NC_NOERR;
}

void mw_ncw_f64(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *units,
                const char *long_name, const double *x)
{
  int var = -1;
  if (define(w, name, NC_DOUBLE, n_dim, dim, units, long_name, &var))
    (void)okay(w, nc_put_var_double(w->id, var, x), name);
}

void mw_ncw_f32(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *units,
                const char *long_name, const float *x)
{
  int var = -1;
  if (define(w, name, NC_FLOAT, n_dim, dim, units, long_name, &var))
    (void)okay(w, nc_put_var_float(w->id, var, x), name);
}

void mw_ncw_int(mw_ncw *w, const char *name, int n_dim, const int *dim, const char *long_name,
                const int *x)
{
  int var = -1;
  if (define(w, name, NC_INT, n_dim, dim, NULL, long_name, &var))
    (void)okay(w, nc_put_var_int(w->id, var, x), name);
}

void mw_ncw_str(mw_ncw *w, const char *name, int dim, const char *long_name, const char *const *x)
{
  int var = -1;
  if (!define(w, name, NC_STRING, 1, &dim, NULL, long_name, &var)) return;
  size_t n = 0;
  (void)okay(w, nc_inq_dimlen(w->id, dim, &n), name);
  for (size_t i = 0; i < n; i++) {
    const char *s = x[i] ? x[i] : "";
    (void)okay(w, nc_put_var1_string(w->id, var, &i, &s), name);
  }
}

static int var_id(mw_ncw *w, const char *var)
{
  int id = NC_GLOBAL;
  if (var && w->rc == NC_NOERR) (void)okay(w, nc_inq_varid(w->id, var, &id), var);
  return id;
}

void mw_ncw_att_str(mw_ncw *w, const char *var, const char *name, const char *x)
{
  int id = var_id(w, var);
  if (w->rc == NC_NOERR)
    (void)okay(w, nc_put_att_text(w->id, id, name, strlen(x ? x : ""), x ? x : ""), name);
}

void mw_ncw_att_f64(mw_ncw *w, const char *var, const char *name, double x)
{
  int id = var_id(w, var);
  if (w->rc == NC_NOERR) (void)okay(w, nc_put_att_double(w->id, id, name, NC_DOUBLE, 1, &x), name);
}

void mw_ncw_att_int(mw_ncw *w, const char *name, int x)
{
  if (w->rc == NC_NOERR) (void)okay(w, nc_put_att_int(w->id, NC_GLOBAL, name, NC_INT, 1, &x), name);
}

mw_code mw_ncw_close(mw_ncw *w, const char *path, mw_error *err)
{
  NC_memio image = { 0 };
  if (w->id >= 0) (void)okay(w, nc_close_memio(w->id, &image), "the end of the file");
  w->id = -1;
  mw_code rc = MW_OK;
  if (w->rc != NC_NOERR)
    rc = mw_fail(err, w->rc == NC_ENOMEM ? MW_ERR_MEMORY : MW_ERR_IO, (mw_at){ .file = path },
                 "%s cannot be put into the netCDF image: %s", w->what, nc_strerror(w->rc));
  else
    rc = mw_file_replace(path, image.memory, image.size, true, err);
  free(image.memory);
  return rc;
}

void mw_ncw_abort(mw_ncw *w)
{
  NC_memio image = { 0 };
  if (w->id >= 0 && nc_close_memio(w->id, &image) == NC_NOERR) free(image.memory);
  w->id = -1;
}

// ---- reading ------------------------------------------------------------------------------------

void mw_ncr_fail(mw_ncr *r, const char *fmt, ...)
{
  if (r->e.code != MW_OK) return;
  char text[400];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  (void)mw_fail(&r->e, MW_ERR_INPUT, (mw_at){ .file = r->path }, "%s", text);
}

static bool fine(mw_ncr *r, int rc, const char *what)
{
  if (rc != NC_NOERR) mw_ncr_fail(r, "%s: %s", what, nc_strerror(rc));
  return r->e.code == MW_OK;
}

// Is it a model file, whose first key tells it?
static bool is_model(const char *text, size_t n)
{
  static const char key[] = "modeway:";
  for (size_t i = 0; i + sizeof key <= n; i++)
    if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, key, sizeof key - 1) == 0) return true;
  return false;
}

// The digest, before anything else looks at the bytes.
static void check_digest(mw_ncr *r, size_t n)
{
  static const unsigned char hdf5[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
  const char *end = r->image + n;
  bool is_hdf5 = n >= sizeof hdf5 && memcmp(r->image, hdf5, sizeof hdf5) == 0;
  if (n < MW_TRAILER || memcmp(end - MW_TRAILER, mw_trailer_magic, 8) != 0) {
    if (is_hdf5)
      mw_ncr_fail(
          r,
          "the digest at the end is missing: the file is truncated, or modeway did not write it");
    else if (is_model(r->image, n))
      mw_ncr_fail(r, "a model file, expected one that modeway reduce or simulate makes of it");
    else
      mw_ncr_fail(r, "not a modeway file (%zu bytes, neither netCDF-4 nor a digest at the end)", n);
    return;
  }
  unsigned char want[MW_TRAILER];
  mw_trailer_make(r->image, n - MW_TRAILER, want);
  if (memcmp(want, end - MW_TRAILER, MW_TRAILER) != 0)
    mw_ncr_fail(r, "the digest does not match the contents: the file is damaged (%zu bytes)", n);
  else if (!is_hdf5)
    mw_ncr_fail(r, "not a netCDF-4 file, though its digest matches");
}

mw_code mw_ncr_open(mw_ncr *r, const char *path, const char *kind, mw_arena *mem, mw_error *err)
{
  size_t n = 0;
  *r = (mw_ncr){ .id = -1, .path = path, .mem = mem };
  if (mw_file_read(path, &r->image, &n, &r->e) == MW_OK) check_digest(r, n);
  r->n_image = n;
  if (r->e.code == MW_OK &&
      !fine(r, nc_open_mem("modeway", NC_NOWRITE, n - MW_TRAILER, r->image, &r->id),
            "cannot be opened"))
    r->id = -1;
  const char *found = mw_ncr_att_str(r, "modeway_file");
  int format = mw_ncr_att_int(r, "modeway_format");
  if (r->e.code == MW_OK && format != MW_NC_FORMAT)
    mw_ncr_fail(r, "format version %d, this program reads version %d%s", format, MW_NC_FORMAT,
                format < MW_NC_FORMAT ? ": an older modeway wrote it, make it again" : "");
  if (r->e.code == MW_OK && kind && strcmp(found, kind) != 0)
    mw_ncr_fail(r, "a modeway file of kind \"%s\", expected \"%s\"", found, kind);
  if (r->e.code == MW_OK) return MW_OK;
  return mw_ncr_close(r, err);
}

int mw_ncr_dim(mw_ncr *r, const char *name)
{
  int id;
  size_t n = 0;
  if (r->e.code != MW_OK || nc_inq_dimid(r->id, name, &id) != NC_NOERR) return 0;
  if (!fine(r, nc_inq_dimlen(r->id, id, &n), name)) return 0;
  if (n > INT32_MAX) {
    mw_ncr_fail(r, "dimension %s is %zu, at most %d can be read", name, n, INT32_MAX);
    return 0;
  }
  return (int)n;
}

bool mw_ncr_has(const mw_ncr *r, const char *name)
{
  int var = -1;
  return r->e.code == MW_OK && nc_inq_varid(r->id, name, &var) == NC_NOERR;
}

bool mw_ncr_has_att(const mw_ncr *r, const char *name)
{
  int id = -1;
  return r->e.code == MW_OK && nc_inq_attid(r->id, NC_GLOBAL, name, &id) == NC_NOERR;
}

bool mw_ncr_holds(mw_ncr *r, const char *name, double n, size_t bytes)
{
  if (r->e.code == MW_OK && n * (double)bytes > (double)r->n_image)
    mw_ncr_fail(r, "%s has %.0f values, more than the %zu bytes of the file can hold", name, n,
                r->n_image);
  return r->e.code == MW_OK;
}

// Bytes that a value takes in the file at least; of a string what HDF5 finds its characters by.
static size_t bytes_of(int type)
{
  return type == NC_DOUBLE ? sizeof(double) : type == NC_STRING ? 16 : sizeof(int);
}

// Finds a variable of the type and shape; count is the number of its values, 0: nothing to read.
static bool find(mw_ncr *r, const char *name, int type, int n_dim, const int *len, int *var,
                 size_t *count)
{
  double n = 1.0;
  *count = 0;
  if (r->e.code != MW_OK) return false;
  for (int i = 0; i < n_dim; i++) n *= (double)len[i];
  if (n == 0.0 || !mw_ncr_holds(r, name, n, bytes_of(type))) return false;
  *count = (size_t)n;  // exact: less than the bytes of a file
  int nd = 0, dim[NC_MAX_VAR_DIMS], found = 0;
  if (!fine(r, nc_inq_varid(r->id, name, var), name)) return false;
  if (!fine(r, nc_inq_var(r->id, *var, NULL, &found, &nd, dim, NULL), name)) return false;
  if (found != type || nd != n_dim) {
    mw_ncr_fail(r, "variable %s has the wrong type or %d dimensions, expected %d", name, nd, n_dim);
    return false;
  }
  for (int i = 0; i < n_dim; i++) {
    size_t have = 0;
    if (!fine(r, nc_inq_dimlen(r->id, dim[i], &have), name)) return false;
    if (have != (size_t)len[i]) {
      mw_ncr_fail(r, "dimension %d of variable %s is %zu, expected %d", i + 1, name, have, len[i]);
      return false;
    }
  }
  return true;
}

static void no_memory(mw_ncr *r)
{
  if (r->e.code == MW_OK)
    (void)mw_fail(&r->e, MW_ERR_MEMORY, (mw_at){ .file = r->path }, "no memory for its contents");
}

double *mw_ncr_f64(mw_ncr *r, const char *name, int n_dim, const int *len, bool finite)
{
  int var = -1;
  size_t n = 0;
  bool there = find(r, name, NC_DOUBLE, n_dim, len, &var, &n);
  double *x = mw_arena_f64(r->mem, there ? n : 0);
  if (!x) no_memory(r);
  if (!x || !there || !fine(r, nc_get_var_double(r->id, var, x), name)) return x;
  for (size_t i = 0; i < n; i++)
    if (!(isfinite(x[i]) || (!finite && isinf(x[i])))) {
      mw_ncr_fail(r, "value %zu of variable %s is %g, which is not finite", i, name, x[i]);
      break;
    }
  return x;
}

float *mw_ncr_f32(mw_ncr *r, const char *name, int n_dim, const int *len)
{
  int var = -1;
  size_t n = 0;
  bool there = find(r, name, NC_FLOAT, n_dim, len, &var, &n);
  float *x = mw_arena_alloc(r->mem, there ? n : 0, sizeof *x);
  if (!x) no_memory(r);
  if (!x || !there || !fine(r, nc_get_var_float(r->id, var, x), name)) return x;
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) {
      mw_ncr_fail(r, "value %zu of variable %s is %g, which is not finite", i, name, (double)x[i]);
      break;
    }
  return x;
}

int *mw_ncr_int(mw_ncr *r, const char *name, int n_dim, const int *len)
{
  int var = -1;
  size_t n = 0;
  bool there = find(r, name, NC_INT, n_dim, len, &var, &n);
  int *x = mw_arena_int(r->mem, there ? n : 0);
  if (!x) no_memory(r);
  if (x && there) (void)fine(r, nc_get_var_int(r->id, var, x), name);
  return x;
}

const char **mw_ncr_str(mw_ncr *r, const char *name, int len)
{
  int var = -1;
  size_t n = 0;
  bool there = find(r, name, NC_STRING, 1, &len, &var, &n);
  const char **x = mw_arena_alloc(r->mem, there ? n : 0, sizeof *x);
  if (!x) no_memory(r);
  for (size_t i = 0; x && there && i < n; i++) {
    char *s = NULL;
    if (!fine(r, nc_get_var1_string(r->id, var, &i, &s), name)) break;
    x[i] = mw_arena_str(r->mem, s ? s : "");
    if (s) (void)nc_free_string(1, &s);
    if (!x[i]) no_memory(r);
  }
  return x;
}

const char *mw_ncr_att_str(mw_ncr *r, const char *name)
{
  size_t n = 0;
  nc_type type = NC_NAT;
  if (r->e.code != MW_OK || !fine(r, nc_inq_att(r->id, NC_GLOBAL, name, &type, &n), name))
    return "";
  if (type != NC_CHAR) {
    mw_ncr_fail(r, "attribute %s is not text", name);
    return "";
  }
  char *s = mw_arena_alloc(r->mem, n + 1, 1);
  if (!s) no_memory(r);
  if (!s || !fine(r, nc_get_att_text(r->id, NC_GLOBAL, name, s), name)) return "";
  return s;
}

double mw_ncr_att_f64(mw_ncr *r, const char *name)
{
  size_t n = 0;
  double x = 0.0;
  if (r->e.code != MW_OK || !fine(r, nc_inq_attlen(r->id, NC_GLOBAL, name, &n), name)) return 0.0;
  if (n != 1) mw_ncr_fail(r, "attribute %s has %zu values, expected 1", name, n);
  if (n == 1 && fine(r, nc_get_att_double(r->id, NC_GLOBAL, name, &x), name) && !isfinite(x))
    mw_ncr_fail(r, "attribute %s is %g, which is not finite", name, x);
  return x;
}

int mw_ncr_att_int(mw_ncr *r, const char *name)
{
  size_t n = 0;
  int x = 0;
  if (r->e.code != MW_OK || !fine(r, nc_inq_attlen(r->id, NC_GLOBAL, name, &n), name)) return 0;
  if (n != 1) mw_ncr_fail(r, "attribute %s has %zu values, expected 1", name, n);
  if (n == 1) (void)fine(r, nc_get_att_int(r->id, NC_GLOBAL, name, &x), name);
  return x;
}

mw_code mw_ncr_close(mw_ncr *r, mw_error *err)
{
  if (r->id >= 0) (void)nc_close(r->id);
  free(r->image);
  r->id = -1;
  r->image = NULL;
  if (r->e.code != MW_OK && err) *err = r->e;
  return r->e.code;
}
