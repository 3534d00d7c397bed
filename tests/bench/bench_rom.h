// SPDX-License-Identifier: BSD-3-Clause
// bench_rom.h: the two halves of bench_rom.
#ifndef MW_BENCH_ROM_H
#define MW_BENCH_ROM_H

// Storage and time of tables and trains: of the ROM at path, or (NULL) of synthetic ones. 0: done.
int bench_tables(const char *path);

#endif
