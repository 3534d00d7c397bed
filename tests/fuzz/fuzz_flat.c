// SPDX-License-Identifier: BSD-3-Clause
// fuzz_flat.c: a reduced model as one block of bytes (rom/flat.h), its size and digest made right
// first: what is behind them must be checked all the same.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "rom/flat.h"
#include "use_rom.h"

enum { HEAD = 32 };  // bytes before what is digested

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
  size_t size = 0;
  if (n < HEAD) return 0;
  unsigned char *block = malloc(n);
  if (!block) return 0;
  memcpy(block, data, n);
  uint64_t bytes = n, digest = mw_rom_flat_digest(MW_FLAT_SEED, block + HEAD, n - HEAD);
  memcpy(block + 16, &bytes, sizeof bytes);
  memcpy(block + 24, &digest, sizeof digest);
  const mw_rom_flat *flat = NULL;
  if (mw_rom_flat_open(block, n, NULL, &size, &flat) == MW_FLAT_OK) {
    void *memory = malloc(size);
    if (memory && mw_rom_flat_open(block, n, memory, &size, &flat) == MW_FLAT_OK) {
      int n_name = 1 + 4 * (flat->rom.s + flat->rom.m) + flat->rom.n_u + flat->rom.n_y;
      fuzz_claim(strlen(mw_rom_flat_name(flat, n_name - 1)) < n, "names end within the block");
      use_rom(&flat->rom);
    }
    free(memory);
  }
  free(block);
  return 0;
}
