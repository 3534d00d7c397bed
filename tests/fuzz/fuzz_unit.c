// SPDX-License-Identifier: BSD-3-Clause
// fuzz_unit.c: files of finished units: whatever lies there, it is the unit asked for or none.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "work/work_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  static const unsigned char name[MW_DIGEST] = { 0 };
  char folder[128], prefix[17] = "0123456789abcdef", to[256];
  snprintf(folder, sizeof folder, "%s", fuzz_folder());
  mw_store s = { .folder = folder };
  memcpy(s.prefix, prefix, sizeof prefix);
  snprintf(to, sizeof to, "%s/%s-%064d.unit", folder, prefix, 0);
  fuzz_claim(rename(fuzz_file(".unit", data, n), to) == 0, "the input can be renamed");
  mw_bytes b = { 0 };
  int of[2];
  if (mw_store_get(&s, name, &b, of)) {
    unsigned char digest[MW_DIGEST];
    mw_store_digest(name, b, digest);
    fuzz_claim(n >= b.n, "a unit is not longer than its file");
  }
  free(b.p);
  (void)unlink(to);
  return 0;
}
