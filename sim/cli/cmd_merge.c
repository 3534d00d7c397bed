// SPDX-License-Identifier: BSD-3-Clause
// cmd_merge.c: modeway merge: the reduced model out of the units that the jobs of an array have
// done.
#include "cmd_layer.h"

static int run(const mw_args *a) { return mw_cmd_reduce_run(a, true); }

const mw_command mw_cmd_merge = {
  .name = "merge",
  .operand = "MODEL",
  .summary = "the reduced model out of the finished shards of modeway reduce --shard",
  .doc = "Does what is left of the reduction once the units are there, and writes the file that\n"
         "modeway reduce would have written, bit for bit. Where units are missing it says which\n"
         "shards make them: exit status 1. The folder ROM.nc.parts, or the first DIR, is removed\n"
         "at the end, the others stay.\n\n"
         "--json: as modeway reduce.\n",
  .option = { { 'o', "output", "ROM.nc", "the reduced model, netCDF",
                MW_OPT_REQUIRED | MW_OPT_WRITES },
              { 0, "parts", "DIR,DIR,...", "folders of finished units (default: ROM.nc.parts)", 0 },
              { 0, "grid", "N", "as for the shards", 0 },
              MW_OPTION_SET,
              { 0, "shapes", "SHAPES.nc", "its columns on the mesh, for simulate --vtk",
                MW_OPT_WRITES },
              { 'j', "jobs", "N", "workers for what is left", 0 },
              { 0, "cache", "DIR", "folder of the bodies' bases (default: as for meshes)", 0 },
              { 0, "no-cache", NULL, "bases are neither kept nor looked for", 0 } },
  .run = run,
};
