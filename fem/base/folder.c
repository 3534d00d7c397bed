// SPDX-License-Identifier: BSD-3-Clause
// folder.c: folders that commands write into.
#include "base/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

mw_code mw_folder_make(const char *dir, mw_error *err)
{
  struct stat st;
  if (mkdir(dir, 0777) == 0) return MW_OK;
  int why = errno;
  if (why == EEXIST && stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) return MW_OK;
  return mw_fail(err, MW_ERR_IO, (mw_at){ .file = dir }, "cannot be made a folder: %s",
                 strerror(why == EEXIST ? ENOTDIR : why));
}
