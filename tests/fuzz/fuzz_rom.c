// SPDX-License-Identifier: BSD-3-Clause
// fuzz_rom.c: rom.nc with nonsense under a right digest (campaign/nonsense.h): the input is a list
// of changes of a whole file. Behind the digest netCDF's own structures are whole, for their bugs
// are not what is looked for.
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_layer.h"
#include "fixture_romfile.h"
#include "fuzz.h"
#include "nonsense.h"
#include "reduction/ncfile.h"
#include "use_rom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  static char *image;
  static size_t n_image;
  mw_error err = { 0 };
  if (!image) {
    mw_rom_file f = fixture_romfile();
    const char *path = fuzz_file(".nc", data, 0);
    fuzz_claim(mw_rom_file_write(&f, path, &err) == MW_OK &&
                   mw_file_read(path, &image, &n_image, &err) == MW_OK,
               "the whole file can be written");
    mw_rom_file_free(&f);
  }
  const char *path = fuzz_file(".nc", data, 0);
  if (!nonsense_make(image, n_image, data, n, path)) return 0;
  mw_rom_file g = { 0 };
  mw_code rc = mw_rom_file_read(path, &g, &err);
  if (rc == MW_OK) {
    use_rom_file(&g);
    char *argv[] = { (char *)"modeway", (char *)"info", (char *)path, NULL };
    mw_args a;
    if (mw_args_read(&mw_cmd_info, 3, argv, &a, &err) == MW_OK) (void)mw_cmd_info.run(&a);
  } else {
    fuzz_claim(err.code == rc && err.msg[0] != '\0', "a refusal says why");
  }
  mw_rom_file_free(&g);
  return 0;
}
