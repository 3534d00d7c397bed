// SPDX-License-Identifier: BSD-3-Clause
// model_keys_cutting.c: the table of keys (model_keys.c): the cutting process of a scenario.
#include "model_keys_priv.h"

#define ENDS SHAPE(.scalar = MW_S_TEXT, .item = TEXT, .n_min = 1, .n_max = 2)

const mw_key mw_cutting_keys[] = {
  { "to", REQUIRED, ENDS, NULL,
    "turning: along it the tool cuts deeper; milling: two, along the feed and normal to it. As "
    "those of modeway frf: tool.x, tool.x-table.x, 0.6*tool.x+0.8*tool.y" },
  { "from", 0, ENDS, NULL, "as many, against which the force acts; default: as to" },
  { "force", REQUIRED, ABOVE0("N/m2"), NULL,
    "along the cut, over depth times thickness of the chip: the tangential coefficient" },
  { "teeth", 0, INTEGER(1, 1000), NULL, "of the cutter: milling; default: turning" },
  { "radial", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = -1e3, .hi = 1e3), NULL,
    "with teeth: force towards the axis over that along the cut; default 0" },
  { "immersion", 0, SHAPE(.scalar = MW_S_NUMBER, .unit = "", .lo = 0, .lo_open = true, .hi = 1),
    NULL, "with teeth: radial depth over diameter; default 1" },
  { "down", 0, BOOLEAN, NULL, "with teeth: down milling; default: up" },
  { "rpm", 0, LIST(2, 2, ABOVE0("1/min")), NULL, "slowest and fastest spindle speed" },
  { .name = NULL },
};
