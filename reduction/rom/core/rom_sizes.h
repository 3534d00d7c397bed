// SPDX-License-Identifier: BSD-3-Clause
// rom_sizes.h: sizes and optional parts of a model as constants, where they are known.
//
// A text that holds one model (an export) defines ROM_S, ROM_M, ROM_PARTS and ROM_N_G, those of the
// model, before this code. Nothing is then compiled that only other models use; the operations of
// those that are stay the same. So they do where ROM_ANY_SIZE is defined, for x86-64 processors
// without AVX2: one code for all sizes, slower, and compiled in a third of the time.
#ifndef MW_ROM_SIZES_H
#define MW_ROM_SIZES_H

#include "rom/rom.h"

// Are s = S and m = M?
#ifdef ROM_S
#define ROM_IS(s, m, S, M) (ROM_S == S && ROM_M == M)
#elif defined ROM_ANY_SIZE
#define ROM_IS(s, m, S, M) 0
#else
#define ROM_IS(s, m, S, M) ((s) == S && (m) == M)
#endif

// f(s, m, ...), s and m constants where they are one of the sizes that loops are laid out for.
#define ROM_OF_SIZE(f, s, m, ...)                                                                  \
  (ROM_IS(s, m, 1, 6)    ? f(1, 6, __VA_ARGS__)                                                    \
   : ROM_IS(s, m, 2, 10) ? f(2, 10, __VA_ARGS__)                                                   \
   : ROM_IS(s, m, 3, 12) ? f(3, 12, __VA_ARGS__)                                                   \
                         : f(s, m, __VA_ARGS__))

// The optional parts of the records (MW_ROM_H, ...), and how many columns have a mass that changes.
#ifdef ROM_PARTS
#define rom_parts(rom) ((void)(rom), ROM_PARTS)
#define rom_n_G(rom)   ((void)(rom), ROM_N_G)
#else
#define rom_parts(rom) ((rom)->parts)
#define rom_n_G(rom)   ((rom)->n_G)
#endif

#endif
