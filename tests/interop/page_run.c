// SPDX-License-Identifier: BSD-3-Clause
// page_run.c: 2,000 steps of the model in a table, whose state is printed word by word:
//
//   page_run TABLE
// page_run.mjs does the same.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modeway_rom.h"

enum { STEPS = 2000, MOST = 1024 };

static void *read_all(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  char *bytes = size > 0 ? malloc((size_t)size) : NULL;
  *n = bytes && fseek(f, 0, SEEK_SET) == 0 ? fread(bytes, 1, (size_t)size, f) : 0;
  if (f) fclose(f);
  return bytes;
}

int main(int argc, char **argv)
{
  static double x[MOST], u[MOST];
  const modeway_rom *rom = NULL;
  size_t n = 0, size = 0;
  void *bytes = argc > 1 ? read_all(argv[1], &n) : NULL, *memory = NULL;
  if (!bytes || modeway_rom_open(bytes, n, NULL, &size, &rom) != MODEWAY_TABLE_OK) return 2;
  memory = malloc(size);
  if (!memory || modeway_rom_open(bytes, n, memory, &size, &rom) != MODEWAY_TABLE_OK) return 2;
  modeway_rom_sizes z = modeway_rom_sizes_of(rom);
  double *work = malloc(z.work * sizeof *work);
  if (!work || z.n_x > MOST || z.n_u > MOST) return 2;
  for (int i = 0; i < z.n_theta; i++) {
    double lo, hi;
    modeway_rom_box(rom, i, &lo, &hi);
    x[i] = lo + 0.4 * (hi - lo);
  }
  int code = MODEWAY_OK, k = 0;
  for (; k < STEPS && code == MODEWAY_OK; k++) {
    for (int i = 0; i < z.n_u; i++) u[i] = (k % 400 < 200 ? 2.0 : -2.0) * (i + 1);
    code = modeway_rom_step(rom, 5e-4, u, x, work, NULL);
  }
  printf("steps %d, code %d\n", k, code);
  for (int i = 0; i < z.n_x; i++) {
    uint64_t word;
    memcpy(&word, &x[i], sizeof word);
    printf("%016" PRIx64 "\n", word);
  }
  free(work);
  free(memory);
  free(bytes);
  return 0;
}
