// SPDX-License-Identifier: BSD-3-Clause
// matfile.c: MATLAB's level 5 files: a header of 128 bytes, then one element a variable.
//
//   element   type u32, bytes u32, data, zeros up to a multiple of 8                            (1)
//   variable  miMATRIX of: flags (class), dimensions, name, then numbers, characters (16 bit), or a
//             variable without name for each cell                                               (2)
// Numbers are written as this machine has them; the header says which end comes first.
// The MathWorks: MAT-File Format.
#include "matfile_priv.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduction/ncfile.h"

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };
enum { HEADER = 128, TEXT = 116, VERSION = 0x0100, ALIGN = 8 };

// ---- bytes --------------------------------------------------------------------------------------

static void put(mw_mat *w, const void *x, size_t n)
{
  if (w->failed || w->big) return;
  if (n > w->room - w->n) {
    size_t room = 2 * w->room + n + HEADER;
    unsigned char *data = realloc(w->data, room);
    w->failed = !data;
    if (!data) return;
    w->data = data;
    w->room = room;
  }
  if (n > 0) memcpy(w->data + w->n, x, n);
  w->n += n;
}

static void pad(mw_mat *w)
{
  static const unsigned char zero[ALIGN] = { 0 };
  put(w, zero, (ALIGN - w->n % ALIGN) % ALIGN);
}

// Opens an element; its length is filled in at its end. Returns where it began.
static size_t element_open(mw_mat *w, uint32_t type)
{
  uint32_t tag[2] = { type, 0 };
  size_t at = w->n;
  put(w, tag, sizeof tag);
  return at;
}

static void element_close(mw_mat *w, size_t at)
{
  if (w->failed || w->big) return;
  size_t n = w->n - at - ALIGN;
  w->big = n > INT32_MAX;
  uint32_t bytes = (uint32_t)n;
  memcpy(w->data + at + sizeof bytes, &bytes, sizeof bytes);
  pad(w);
}

static void element(mw_mat *w, uint32_t type, const void *x, size_t bytes)
{
  size_t at = element_open(w, type);
  put(w, x, bytes);
  element_close(w, at);
}

// ---- variables ----------------------------------------------------------------------------------

static size_t variable_open(mw_mat *w, uint32_t class, const char *name, int n_dim, const int *dim)
{
  uint32_t flags[2] = { class, 0 };
  size_t at = element_open(w, MI_MATRIX);
  element(w, MI_UINT32, flags, sizeof flags);
  size_t dims = element_open(w, MI_INT32);
  for (int i = 0; i < n_dim; i++) {
    int32_t d = (int32_t)dim[i];
    put(w, &d, sizeof d);
  }
  element_close(w, dims);
  element(w, MI_INT8, name, strlen(name));
  return at;
}

void mw_mat_f64(mw_mat *w, const char *name, int n_dim, const int *dim, const double *x)
{
  size_t n = sizeof *x;
  for (int i = 0; i < n_dim; i++) n *= (size_t)dim[i];
  if (n > INT32_MAX) w->big = true;
  size_t at = variable_open(w, MX_DOUBLE, name, n_dim, dim);
  element(w, MI_DOUBLE, x, n);
  element_close(w, at);
}

void mw_mat_str(mw_mat *w, const char *name, const char *x)
{
  int dim[2] = { x[0] ? 1 : 0, (int)strlen(x) };
  size_t at = variable_open(w, MX_CHAR, name, 2, dim), text = element_open(w, MI_UINT16);
  for (; *x; x++) {
    unsigned char byte = (unsigned char)*x;
    uint16_t c = byte < 0x80 ? byte : '?';
    put(w, &c, sizeof c);
  }
  element_close(w, text);
  element_close(w, at);
}

void mw_mat_strs(mw_mat *w, const char *name, int n, const char *const *x)
{
  int dim[2] = { n, 1 };
  size_t at = variable_open(w, MX_CELL, name, 2, dim);
  for (int i = 0; i < n; i++) mw_mat_str(w, "", x[i]);
  element_close(w, at);
}

void mw_mat_vectors(mw_mat *w, const char *name, int n, const int *len, double *const *x)
{
  int dim[2] = { n, 1 };
  size_t at = variable_open(w, MX_CELL, name, 2, dim);
  for (int i = 0; i < n; i++) mw_mat_f64(w, "", 2, (const int[2]){ len[i], 1 }, x[i]);
  element_close(w, at);
}

// ---- the file -----------------------------------------------------------------------------------

void mw_mat_open(mw_mat *w, const char *title)
{
  char text[TEXT + 1];
  unsigned char subsystem[HEADER - TEXT - 4] = { 0 };
  uint16_t version = VERSION, end = 'M' << 8 | 'I';
  *w = (mw_mat){ 0 };
  int n = snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, %.80s", title);
  memset(text + n, ' ', (size_t)(TEXT - n));
  put(w, text, TEXT);
  put(w, subsystem, sizeof subsystem);
  put(w, &version, sizeof version);
  put(w, &end, sizeof end);
}

mw_code mw_mat_close(mw_mat *w, const char *path, mw_error *err)
{
  mw_at at = { .file = path };
  mw_code rc;
  if (w->failed)
    rc = mw_fail(err, MW_ERR_MEMORY, at, "no memory for its contents");
  else if (w->big)
    rc = mw_fail(err, MW_ERR_INPUT, at,
                 "a variable has more than 2 GiB, which a .mat file cannot hold; write .nc");
  else
    rc = mw_file_replace(path, w->data, w->n, false, err);
  free(w->data);
  *w = (mw_mat){ 0 };
  return rc;
}
