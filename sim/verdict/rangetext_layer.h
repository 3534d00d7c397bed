// SPDX-License-Identifier: BSD-3-Clause
// rangetext_layer.h: the ranges that a reduced model is meant for and its certificate covers,
// in words and as JSON.
#ifndef MW_SIM_RANGETEXT_LAYER_H
#define MW_SIM_RANGETEXT_LAYER_H

#include <stdbool.h>

#include "base/json.h"
#include "reduction/romfile.h"

enum { MW_RANGE_SIZE = 640 };

// What --json of reduce and info says of them, for their help texts.
#define MW_RANGES_JSON                                                                             \
  "  \"ranges\": {\"rates_refused_beyond\", \"inputs_refused_beyond\", "                           \
  "\"amplitudes_refused_beyond\"\n"                                                                \
  "  (null: any), \"rates_judged\", \"accelerations_judged\", \"rest_forces\" (what forces\n"      \
  "  along coordinates err by at rest, by which free ones drift), \"rest_lengths\" (over\n"        \
  "  which they come and go): {NAME: value},\n"                                                    \
  "  \"input_bandwidth_hz\": up to which receptances hold},\n"

// Line k; false: there are no more.
bool mw_range_text(const mw_rom_file *f, int k, char text[MW_RANGE_SIZE]);
// Member "ranges" of the object that is open.
void mw_ranges_json(mw_json *j, const mw_rom_file *f);

#endif
