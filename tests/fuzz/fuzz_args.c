// SPDX-License-Identifier: BSD-3-Clause
// fuzz_args.c: command lines: words end with zero bytes; read, not run.
#include <string.h>

#include "cli/cmd_layer.h"
#include "fuzz.h"

enum { MOST = 64, BYTES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  static char text[BYTES];
  char *argv[MOST + 1];
  int argc = 0, k = 0;
  if (n < 2 || n >= BYTES) return 0;
  while (mw_commands[k]) k++;
  const mw_command *c = mw_commands[data[0] % k];
  memcpy(text, data + 1, n - 1);
  text[n - 1] = '\0';
  argv[argc++] = (char *)"modeway";
  argv[argc++] = (char *)c->name;
  for (char *p = text; p < text + n - 1 && argc < MOST; p += strlen(p) + 1) argv[argc++] = p;
  argv[argc] = NULL;
  mw_args a;
  mw_error err = { 0 };
  mw_code rc = mw_args_read(c, argc, argv, &a, &err);
  fuzz_claim(rc == MW_OK || err.msg[0] != '\0', "a refusal says why");
  return 0;
}
