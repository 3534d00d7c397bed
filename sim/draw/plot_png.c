// SPDX-License-Identifier: BSD-3-Clause
// plot_png.c: curves as PNG, by modeway-png.
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fem/helper.h"
#include "plot_layer.h"

#define PROGRAM "modeway-png"

extern char **environ;

static mw_code find(mw_arena *mem, const char **path, mw_error *err)
{
  mw_code rc = mw_helper_find(PROGRAM, "MODEWAY_PNG", "sim/png", MW_NOWHERE, mem, path, err);
  if (rc == MW_OK && !*path)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "curves as PNG need the program " PROGRAM
                 ", which is not here: build modeway where librsvg is installed (Debian: "
                 "librsvg2-dev), name the program in MODEWAY_PNG, or take .svg");
  return rc;
}

mw_code mw_plot_png_ready(mw_error *err)
{
  mw_arena mem = { 0 };
  const char *path = NULL;
  mw_code rc = find(&mem, &path, err);
  mw_arena_free(&mem);
  return rc;
}

// Has the program read in and write out and errors; its exit status, −1: none.
static int run(const char *path, FILE *in, FILE *out, FILE *errors)
{
  char *argv[] = { PROGRAM, NULL };
  posix_spawn_file_actions_t act;
  pid_t pid = -1, got;
  int how = 0;
  if (posix_spawn_file_actions_init(&act) != 0) return -1;
  int e = posix_spawn_file_actions_adddup2(&act, fileno(in), STDIN_FILENO);
  if (e == 0) e = posix_spawn_file_actions_adddup2(&act, fileno(out), STDOUT_FILENO);
  if (e == 0) e = posix_spawn_file_actions_adddup2(&act, fileno(errors), STDERR_FILENO);
  if (e == 0) e = posix_spawn(&pid, path, &act, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&act);
  if (e != 0) return -1;
  do got = waitpid(pid, &how, 0);
  while (got < 0 && errno == EINTR);
  return got == pid && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

// The file's bytes [*n], to be freed; NULL: it cannot be read.
static char *bytes_of(FILE *f, size_t *n)
{
  long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  if (size < 0) return NULL;
  rewind(f);
  *n = (size_t)size;
  char *bytes = malloc(*n + 1);
  if (bytes && fread(bytes, 1, *n, f) != *n) {
    free(bytes);
    return NULL;
  }
  if (bytes) bytes[*n] = '\0';
  return bytes;
}

mw_code mw_plot_png(const char *svg, size_t n, char **png, size_t *n_png, mw_error *err)
{
  mw_arena mem = { 0 };
  const char *path = NULL;
  FILE *in = tmpfile(), *out = tmpfile(), *errors = tmpfile();
  *png = NULL;
  mw_code rc = find(&mem, &path, err);
  if (rc == MW_OK && (!in || !out || !errors || fwrite(svg, 1, n, in) != n || fflush(in) != 0))
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the picture for " PROGRAM " cannot be written: %s",
                 strerror(errno));
  if (rc == MW_OK) {
    rewind(in);
    int status = run(path, in, out, errors);
    size_t n_said = 0;
    char *said = status == 0 ? NULL : bytes_of(errors, &n_said);
    if (said) said[strcspn(said, "\n")] = '\0';
    if (status == 0) *png = bytes_of(out, n_png);
    if (!*png)
      rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "%.200s drew no PNG%s%.200s", path,
                   said && *said ? ": it says " : "", said ? said : "");
    free(said);
  }
  if (in) fclose(in);
  if (out) fclose(out);
  if (errors) fclose(errors);
  mw_arena_free(&mem);
  return rc;
}
