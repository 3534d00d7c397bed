// SPDX-License-Identifier: BSD-3-Clause
// campaign_nonsense.c: nonsense under a right digest in files of modeway, and flipped bits and cut
// ends without one: refused by name, or taken and run without a crash.
//
//   campaign_nonsense nonsense|flips FOLDER FIRST N SECONDS [FILE.nc]
//   campaign_nonsense runs FOLDER FIRST N SECONDS RUN.nc MODEWAY
//
// FILE.nc: a reduced model; without, one of noise with all that rom.nc can hold. runs: nonsense in
// a run, which MODEWAY info must refuse by name or print. Prints what, how
// many, refused, taken, open; exit status 1 where any is open, or a flipped bit was taken.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "each.h"
#include "fixture_romfile.h"
#include "nonsense.h"
#include "reduction/ncfile.h"
#include "use_rom.h"

enum { MOST_CHANGES = 4, SECONDS = 10 };

typedef struct task {
  char *image;
  size_t n;
  char path[512], said[520];
  const char *modeway;  // NULL: the file is a reduced model
} task;

static int judge(const task *t)
{
  mw_rom_file f = { 0 };
  mw_error err = { 0 };
  mw_code rc = mw_rom_file_read(t->path, &f, &err);
  if (rc == MW_OK) {
    use_rom_file(&f);
    mw_rom_file_free(&f);
    return EACH_TAKEN;
  }
  if (err.code == rc && err.msg[0] && strcmp(err.file, t->path) == 0) return EACH_REFUSED;
  printf("refused without a name: %s\n", err.msg);
  return EACH_OPEN;
}

// Starts MODEWAY info on the file, what it says in t->said; its wait status.
static int inform(const task *t)
{
  int status = -1;
  pid_t pid = fork();
  if (pid == 0) {
    (void)alarm(SECONDS - 1);
    if (freopen(t->said, "w", stderr) && freopen("/dev/null", "w", stdout))
      (void)execl(t->modeway, "modeway", "info", t->path, (char *)NULL);
    _exit(127);
  }
  return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

static int judge_run(const task *t)
{
  char text[1024] = "";
  int status = inform(t);
  FILE *f = fopen(t->said, "r");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) (void)fclose(f);
  text[n] = '\0';
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return EACH_TAKEN;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(text, t->path)) return EACH_REFUSED;
  printf("wait status %d: %.300s\n", status, text);
  return EACH_OPEN;
}

static int one_nonsense(void *ctx, unsigned long k)
{
  const task *t = ctx;
  unsigned long long state = k;
  uint8_t choice[NONSENSE_BYTES * MOST_CHANGES];
  for (int i = 0; i < 4; i++) (void)each_byte(&state);
  size_t n = 1u + each_byte(&state) % MOST_CHANGES;
  for (size_t i = 0; i < sizeof choice; i++) choice[i] = each_byte(&state);
  if (!nonsense_make(t->image, t->n, choice, n * NONSENSE_BYTES, t->path)) return EACH_NONE;
  return t->modeway ? judge_run(t) : judge(t);
}

// Every tenth case is cut instead.
static int one_flip(void *ctx, unsigned long k)
{
  const task *t = ctx;
  unsigned long long state = k;
  size_t at = 0, n = t->n;
  for (int i = 0; i < 12; i++) at = (at << 8 | each_byte(&state)) & 0xffffffffffu;
  char *bytes = malloc(t->n);
  FILE *f = fopen(t->path, "wb");
  if (!bytes || !f) return EACH_OPEN;
  memcpy(bytes, t->image, t->n);
  if (k % 10 == 9)
    n = at % t->n;
  else
    bytes[at % t->n] = (char)(bytes[at % t->n] ^ 1 << k % 8);
  bool okay = fwrite(bytes, 1, n, f) == n;
  free(bytes);
  if (fclose(f) != 0 || !okay) return EACH_OPEN;
  return judge(t) == EACH_REFUSED ? EACH_REFUSED : EACH_OPEN;
}

static bool start(task *t, const char *folder, const char *file)
{
  mw_error err = { 0 };
  mw_code rc = MW_OK;
  snprintf(t->path, sizeof t->path, "%.400s/rom-%ld.nc", folder, (long)getpid());
  snprintf(t->said, sizeof t->said, "%s.said", t->path);
  if (!file) {
    mw_rom_file f = fixture_romfile();
    rc = mw_rom_file_write(&f, t->path, &err);
    mw_rom_file_free(&f);
  }
  if (rc == MW_OK) rc = mw_file_read(file ? file : t->path, &t->image, &t->n, &err);
  if (rc != MW_OK) fprintf(stderr, "%s: %s\n", err.file, err.msg);
  return rc == MW_OK;
}

int main(int argc, char **argv)
{
  task t = { 0 };
  each_count c;
  if (argc < 6 || !start(&t, argv[2], argc > 6 ? argv[6] : NULL)) return 2;
  unsigned long first = strtoul(argv[3], NULL, 10), n = strtoul(argv[4], NULL, 10);
  bool flips = strcmp(argv[1], "flips") == 0;
  if (strcmp(argv[1], "runs") == 0 && argc < 8) return 2;
  t.modeway = strcmp(argv[1], "runs") == 0 ? argv[7] : NULL;
  n = each_do(flips ? one_flip : one_nonsense, &t, first, n, SECONDS, strtod(argv[5], NULL), &c);
  printf("%s: %lu cases, %lu refused, %lu taken, %lu not made, %lu open\n", argv[1], n,
         c.n[EACH_REFUSED], c.n[EACH_TAKEN], c.n[EACH_NONE], c.n[EACH_OPEN]);
  (void)unlink(t.path);
  (void)unlink(t.said);
  free(t.image);
  return c.n[EACH_OPEN] > 0;
}
