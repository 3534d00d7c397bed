// SPDX-License-Identifier: BSD-3-Clause
// cmd_example.c: modeway example: a model file of the size asked for, on stdout.
#include <stdlib.h>

#include "cmd_layer.h"
#include "sim/example.h"

static int run(const mw_args *a)
{
  mw_error err = { 0 };
  int n = 10;
  mw_code rc = mw_args_int(a, "n", 1, MW_EXAMPLE_MAX, &n, &err);
  if (rc == MW_OK) rc = mw_example_write(stdout, a->operand, n, &err);
  return rc == MW_OK ? EXIT_SUCCESS : mw_cmd_fail(&err);
}

const mw_command mw_cmd_example = {
  .name = "example",
  .operand = "NAME",
  .summary = "write a model file of any size: chain, n-four-bar",
  .doc = "Writes the model file to stdout, with or without --json:\n"
         "  modeway example chain -n 100 > chain.yaml\n"
         "  modeway check chain.yaml\n\n"
         "  chain       N links of 1 m and 1 kg, hinged about y and z in turn, let go from the\n"
         "              horizontal; no loop\n"
         "  n-four-bar  N four-bar windows side by side, 2 N + 1 links, N loops, through singular\n"
         "              positions (problem A02 of the IFToMM benchmark library)\n",
  .option = { { 'n', "n", "N", "links or windows, default 10", 0 } },
  .run = run,
};
