// SPDX-License-Identifier: BSD-3-Clause
// base/wholefile.h: files that are replaced as a whole, and read as a whole.
//
// Written under a temporary name in the same folder (NAME.N.tmp), synced, renamed. What killed
// writers of the same name left there is removed, but for other users' files, links, and where the
// file system knows no locks. Names with "://" are refused, and anything that exists but is not a
// regular file.
#ifndef MW_BASE_WHOLEFILE_H
#define MW_BASE_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/api.h"
#include "base/error.h"

MW_API_BEGIN

// Replaces the file at path by data [n] bytes, or leaves it as it was. trailer: appends the digest.
MW_MUST_USE mw_code mw_file_replace(const char *path, const void *data, size_t n, bool trailer,
                                    mw_error *err);
// Whether a name has something before this ending: ".nc".
bool mw_file_ends_in(const char *path, const char *ending);
// The whole file, *n bytes, with a zero byte behind them. MW_ERR_INPUT when it cannot be read.
// Release with free.
MW_MUST_USE mw_code mw_file_read(const char *path, char **data, size_t *n, mw_error *err);

// A file that another program makes, or that is read before it takes its name.
typedef struct mw_wholefile {
  char *made;  // where it is to be made; may be there or not
  char *lock;  // NAME.N.tmp
  int fd;      // locked
} mw_wholefile;
// Opens the place of what will be at path. mw_wholefile_close releases it.
MW_MUST_USE mw_code mw_wholefile_open(const char *path, mw_wholefile *out, mw_error *err);
// keep: what stands at w->made is synced and takes the name path, else it is removed. Releases w
// always.
MW_MUST_USE mw_code mw_wholefile_close(mw_wholefile *w, const char *path, bool keep, mw_error *err);

enum { MW_TRAILER = 40 };  // bytes: the magic and a SHA-256
extern const char mw_trailer_magic[8];
// The trailer of data [n] bytes.
void mw_trailer_make(const void *data, size_t n, unsigned char out[MW_TRAILER]);

MW_API_END

#endif
