// SPDX-License-Identifier: BSD-3-Clause
// fuzz_file.c: an input as a file, for readers that want a path.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

enum { MOST = 8 };
static char path_of[MOST][128];

static void remove_all(void)
{
  for (int k = 0; k < MOST; k++)
    if (path_of[k][0]) (void)unlink(path_of[k]);
}

void fuzz_claim(int holds, const char *claim)
{
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", claim);
  abort();
}

const char *fuzz_folder(void)
{
  const char *folder = getenv("TMPDIR");
  return folder && strlen(folder) <= 90 ? folder : "/tmp";
}

const char *fuzz_file(const char *ending, const uint8_t *data, size_t n)
{
  char path[128];
  snprintf(path, sizeof path, "%s/mw-fuzz-%ld%.20s", fuzz_folder(), (long)getpid(), ending);
  int k = 0;
  while (k < MOST - 1 && path_of[k][0] && strcmp(path_of[k], path) != 0) k++;
  if (!path_of[0][0]) (void)atexit(remove_all);
  memcpy(path_of[k], path, sizeof path);
  FILE *f = fopen(path, "wb");
  fuzz_claim(f && fwrite(data, 1, n, f) == n && fclose(f) == 0, "the input can be written");
  return path_of[k];
}
