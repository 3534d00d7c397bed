// SPDX-License-Identifier: BSD-3-Clause
// fuzz_import.c: URDF and MJCF files; what becomes of them must be a model that can be read.
#include <string.h>

#include "fem/model.h"
#include "fuzz.h"
#include "import/import_layer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  mw_arena mem = { 0 };
  mw_import_result r = { 0 };
  mw_import_opt opt = { .free_base = n > 0 && data[0] == ' ' };
  mw_error err = { 0 };
  mw_code rc = mw_import_read(fuzz_file(".xml", data, n), &opt, &mem, &r, &err);
  if (rc == MW_OK && r.whole) {
    mw_model model = { 0 };
    (void)!mw_model_read_text("fuzz.yaml", r.text, strlen(r.text), NULL, 0, &model, &err);
    mw_model_free(&model);
  } else if (rc != MW_OK) {
    fuzz_claim(err.code == rc && err.msg[0] != '\0', "a refusal says why");
  }
  mw_arena_free(&mem);
  return 0;
}
