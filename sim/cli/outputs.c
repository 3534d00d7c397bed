// SPDX-License-Identifier: BSD-3-Clause
// outputs.c: what a command writes against what it reads, before it starts.
//
// Files are the same when device and inode are, so through links and other spellings, too. What
// does not exist yet is no input.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_layer.h"

enum { PATH_LEN = 4096 };

// An output that exists.
typedef struct output {
  const char *option, *path;
  struct stat st;
  bool refused;  // it is an input, *err says which
} output;

// ---- inputs -------------------------------------------------------------------------------------

static mw_code compare(output *o, const char *path, const char *what, mw_error *err)
{
  struct stat st;
  if (stat(path, &st) != 0 || st.st_dev != o->st.st_dev || st.st_ino != o->st.st_ino) return MW_OK;
  o->refused = true;
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--%s: %.160s would overwrite the %s %.160s; expected another file", o->option,
                 o->path, what, path);
}

static mw_code compare_file(void *ctx, const char *path, const char *what, mw_at at, mw_error *err)
{
  (void)at;
  return compare(ctx, path, what, err);
}

// What the model is read from. One that cannot be read is not judged here: the command says why.
static mw_code compare_model(output *o, const char *path, mw_error *err)
{
  mw_model m = { 0 };
  mw_error unread;
  mw_code rc = compare(o, path, "model", err);
  if (rc != MW_OK || mw_model_read(path, &m, &unread) != MW_OK) return rc;
  rc = mw_model_sources(&m, compare_file, o, err);
  if (rc == MW_OK) rc = mw_model_files(&m, compare_file, o, err);
  mw_model_free(&m);
  return o->refused ? rc : MW_OK;
}

// A file given by the operand or an option: a model, a reduced model, a file of another kind.
// path NULL: a command that takes none.
static mw_code compare_input(output *o, const char *path, mw_error *err)
{
  if (!path) return MW_OK;
  mw_rom_file rom = { 0 };
  mw_error unread;
  if (!mw_file_is_netcdf(path)) return compare_model(o, path, err);
  mw_code rc = compare(o, path, "input", err);
  if (rc != MW_OK || mw_rom_file_read(path, &rom, &unread) != MW_OK) return rc;
  if (rom.model_file[0]) rc = compare_model(o, rom.model_file, err);
  mw_rom_file_free(&rom);
  return rc;
}

// The file of FILE:NAME, the scenario's.
static mw_code compare_scenarios(output *o, const mw_args *a, mw_error *err)
{
  const char *name = mw_args_value(a, "scenario"), *colon = name ? strrchr(name, ':') : NULL;
  char file[1024];
  if (!colon || (size_t)(colon - name) >= sizeof file) return MW_OK;
  snprintf(file, sizeof file, "%.*s", (int)(colon - name), name);
  return compare(o, file, "file of scenarios", err);
}

static mw_code compare_all(const mw_args *a, const char *option, const char *path, mw_error *err)
{
  const mw_option *opt = a->command->option;
  output o = { .option = option, .path = path };
  if (stat(path, &o.st) != 0 || !S_ISREG(o.st.st_mode)) return MW_OK;
  mw_code rc = compare_input(&o, a->operand, err);
  if (rc == MW_OK) rc = compare_scenarios(&o, a, err);
  for (int k = 0; rc == MW_OK && k < MW_CMD_MAX_OPTION && opt[k].name; k++) {
    bool given = strcmp(opt[k].name, option) != 0 && a->value[k];
    if (given && opt[k].what & MW_OPT_READS)
      rc = compare_input(&o, a->value[k], err);
    else if (given && opt[k].what & MW_OPT_WRITES)
      rc = compare(&o, a->value[k], "other output", err);
  }
  return rc;
}

// ---- places -------------------------------------------------------------------------------------

// A file can be made at path, or replaced.
static mw_code check_place(const char *path, bool folder, mw_error *err)
{
  char dir[PATH_LEN];
  struct stat st;
  mw_at at = { .file = path };
  if (stat(path, &st) == 0 && !(S_ISREG(st.st_mode) || (folder && S_ISDIR(st.st_mode))))
    return mw_fail(err, MW_ERR_INPUT, at, "cannot be written: it exists and is not a regular file");
  const char *slash = strrchr(path, '/');
  int n = slash == path ? 1 : slash ? (int)(slash - path) : 0;
  if (n >= PATH_LEN || strstr(path, "://")) return MW_OK;  // the command says what is wrong
  snprintf(dir, sizeof dir, "%.*s", n > 0 ? n : 1, n > 0 ? path : ".");
  errno = 0;
  if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && access(dir, W_OK | X_OK) == 0) return MW_OK;
  if (errno == 0) errno = ENOTDIR;
  return mw_fail(err, MW_ERR_INPUT, at, "cannot be written in the folder %.200s: %s", dir,
                 strerror(errno));
}

// A folder can be written to at dir, or made there; there: it is to exist already.
static mw_code check_folder_place(const char *dir, bool there, mw_error *err)
{
  char path[PATH_LEN], text[PATH_LEN];
  struct stat st;
  mw_at at = { .file = dir };
  if (stat(dir, &st) != 0 && !there) {  // without slashes at its end, so that its folder is checked
    int n = (int)strlen(dir);
    while (n > 1 && dir[n - 1] == '/') n--;
    if (n >= PATH_LEN) return MW_OK;  // the command says what is wrong
    snprintf(text, sizeof text, "%.*s", n, dir);
    return check_place(text, true, err);
  }
  if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
    return mw_fail(err, MW_ERR_INPUT, at, "cannot be written to: it is not a folder");
  if (snprintf(path, sizeof path, "%s/.", dir) >= PATH_LEN || access(path, W_OK | X_OK) == 0)
    return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at, "cannot be written to: %s, expected a folder%s",
                 strerror(errno), there ? " that is there" : "");
}

// ---- both ---------------------------------------------------------------------------------------

static mw_code check_folder(const mw_args *a, const char *option, const char *dir, mw_error *err)
{
  char path[PATH_LEN];
  mw_code rc = MW_OK;
  const char *const *name = a->command->files;
  for (int k = 0; rc == MW_OK && name && name[k]; k++)
    if (snprintf(path, sizeof path, "%s/%s", dir, name[k]) < PATH_LEN)
      rc = compare_all(a, option, path, err);
  return rc;
}

mw_code mw_outputs_check(const mw_args *a, mw_error *err)
{
  mw_code rc = MW_OK;
  const mw_option *opt = a->command->option;
  if (mw_args_value(a, "worker")) return MW_OK;  // its leader has checked
  for (int k = 0; rc == MW_OK && k < MW_CMD_MAX_OPTION && opt[k].name; k++) {
    const char *path = a->value[k];
    bool folder = opt[k].what & MW_OPT_FOLDER, file = opt[k].what & MW_OPT_WRITES;
    if (!path || !path[0] || !(folder || file)) continue;
    if (folder) rc = check_folder(a, opt[k].name, path, err);
    if (rc == MW_OK) rc = compare_all(a, opt[k].name, path, err);
    if (rc == MW_OK && file) rc = check_place(path, folder, err);
    if (rc == MW_OK && folder && !file)
      rc = check_folder_place(path, opt[k].what & MW_OPT_THERE, err);
  }
  return rc;
}
