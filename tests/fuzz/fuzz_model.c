// SPDX-License-Identifier: BSD-3-Clause
// fuzz_model.c: model files: YAML, keys, parameters, scenarios, assemblies that stand in the text.
//
// The first file that an assembly may be read from is the text itself.
#include <string.h>

#include "fem/model.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  mw_model model = { 0 };
  mw_error err = { 0 };
  const mw_model_text part = { "part.yaml", (const char *)data, n };
  mw_code rc = mw_model_read_text("fuzz.yaml", (const char *)data, n, &part, 1, &model, &err);
  if (rc == MW_OK)
    fuzz_claim(model.n_body >= 1 && strlen(model.hash) == 64, "a model has ground and a hash");
  else
    fuzz_claim(err.code == rc && err.msg[0] != '\0', "a refusal says why");
  mw_model_free(&model);
  return 0;
}
