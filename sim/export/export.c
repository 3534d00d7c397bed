// SPDX-License-Identifier: BSD-3-Clause
// export.c: a reduced model as sources in a folder, see export_layer.h.
//
// NAME.c is model_head.c.in, the online model's own sources, the tables, model_api.c.in, in this
// order; where one file must do, NAME.h stands in front. All texts are made in memory; files are
// then replaced one by one.
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "export_layer.h"
#include "reduction/ncfile.h"

// One export: its keys, its folder, what was written.
typedef struct job {
  const mw_rom_file *rom;
  const char *dir;
  int n_key;
  const mw_export_key *key;
  mw_arena *mem;
  mw_export_list *list;
  bool seen;            // with outputs besides y
  bool reader;          // NAME.c reads any table
  const mw_kept *kept;  // parameters, NULL: none
} job;

static void fill(const job *j, const char *template_name, FILE *f)
{
  const mw_export_text *t = mw_export_text_find(template_name);
  char *text = t ? mw_export_text_join(t, j->mem) : NULL;
  if (text) mw_export_fill(text, j->n_key, j->key, f);
}

// NAME.h
static void fill_header(const job *j, FILE *f)
{
  fill(j, "model.h.in", f);
  if (j->kept) fill(j, "model_parameter.h.in", f);
  if (j->seen) fill(j, "model_observe.h.in", f);
}

// What the code may take as constants: this model is the only one (rom_sizes.h).
static void write_sizes(const mw_rom *rom, FILE *f)
{
  fprintf(f, "\n#define ROM_S %d\n#define ROM_M %d\n#define ROM_PARTS %uu\n#define ROM_N_G %d\n",
          rom->s, rom->m, rom->parts, rom->n_G);
}

// The model with what NAME.h declares. last: a template that follows it, and NAME.h in front; NULL:
// neither.
static mw_code write_c(const job *j, const char *last, FILE *f, mw_error *err)
{
  char *user = NULL;
  size_t n = 0;
  FILE *u = open_memstream(&user, &n);
  if (!u) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
  mw_export_model(j->rom, j->kept, u);
  if (j->kept) fill(j, "model_parameter.c.in", u);
  fill(j, "model_api.c.in", u);
  if (j->seen) fill(j, "model_observe.c.in", u);
  if (last) fill(j, last, u);
  mw_code rc = mw_arena_check(j->mem, err);
  if (fclose(u) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
  if (rc == MW_OK) {
    if (last) fill(j, "model.h.in", f);
    fill(j, "model_head.c.in", f);
    if (!last) fill(j, "model_include.c.in", f);
    fill(j, "model_real.c.in", f);
    write_sizes(&j->rom->rom, f);
    rc = mw_export_code(user, f, err);
  }
  if (rc == MW_OK) {
    fputs(
        "\n// ---- the model "
        "------------------------------------------------------------------------------------\n\n",
        f);
    fputs(user, f);
  }
  free(user);
  return rc == MW_OK ? mw_arena_check(j->mem, err) : rc;
}

// modeway_rom.c: the online model for any table.
static mw_code write_reader(const job *j, FILE *f, mw_error *err)
{
  const mw_export_text *t = mw_export_text_find("table_api.c.in");
  char *user = t ? mw_export_text_join(t, j->mem) : NULL;
  mw_code rc = mw_arena_check(j->mem, err);
  if (rc != MW_OK) return rc;
  fill(j, "model_head.c.in", f);
  fill(j, "model_include.c.in", f);
  fill(j, "model_real.c.in", f);
  rc = mw_export_code(user, f, err);
  if (rc == MW_OK) fputs(user, f);
  return rc;
}

// ---- files --------------------------------------------------------------------------------------

static mw_code make_folder(const char *dir, mw_error *err)
{
  if (strstr(dir, "://"))
    return mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = dir }, "is not the name of a folder");
  return mw_folder_make(dir, err);
}

// A file from a template: its name's @name@ becomes the prefix. model: NAME.c, made of it and the
// model.
static mw_code write_file(job *j, const char *name, const char *template_name, bool model,
                          mw_error *err)
{
  char *text = NULL, *path = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
  fprintf(f, "%s/", j->dir);
  mw_export_fill(name, j->n_key, j->key, f);
  if (fclose(f) == 0) path = mw_arena_str(j->mem, text);
  free(text);
  text = NULL;
  mw_code rc = mw_arena_check(j->mem, err);
  f = rc == MW_OK ? open_memstream(&text, &n) : NULL;
  if (rc == MW_OK && !f) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
  if (f && model) rc = j->reader ? write_reader(j, f, err) : write_c(j, template_name, f, err);
  if (f && !model && strcmp(template_name, "model.h.in") == 0)
    fill_header(j, f);
  else if (f && !model)
    fill(j, template_name, f);
  if (f && !model && j->seen && strcmp(template_name, "casadi.c.in") == 0)
    fill(j, "casadi_observe.c.in", f);
  if (rc == MW_OK) rc = mw_arena_check(j->mem, err);
  if (f && fclose(f) != 0 && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
  if (rc == MW_OK) rc = mw_file_replace(path, text, n, false, err);
  if (rc == MW_OK && j->list->n < MW_EXPORT_MAX_FILE) j->list->file[j->list->n++] = path;
  free(text);
  return rc;
}

static bool has_seen(const mw_export_seen *s) { return s && s->n > 0; }

static const mw_kept *has_kept(const mw_kept *z) { return z && z->n > 0 ? z : NULL; }

static mw_code start(job *j, const mw_export_opt *opt, mw_error *err)
{
  *j->list = (mw_export_list){ 0 };
  mw_code rc = mw_export_name(j->rom, opt, j->list->name, err);
  if (rc == MW_OK) rc = mw_export_keys(j->rom, opt, j->list->name, j->mem, &j->key, &j->n_key, err);
  return rc == MW_OK ? make_folder(j->dir, err) : rc;
}

// The licence of the sources that were taken over.
static mw_code write_license(job *j, mw_error *err)
{
  return write_file(j, "LICENSE", "LICENSE", false, err);
}

mw_code mw_export_c(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                    mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list, .seen = has_seen(opt->seen) };
  j.kept = has_kept(opt->kept);
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.c", NULL, true, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.h", "model.h.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "example.c", "example.c.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "Makefile", "Makefile.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "CMakeLists.txt", "CMakeLists.txt.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_c.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  return rc;
}

mw_code mw_export_casadi(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                         mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list, .seen = has_seen(opt->seen) };
  bool found = false;
  const char *source[3] = { NULL, NULL, NULL }, *library = NULL;
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.c", NULL, true, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.h", "model.h.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_casadi.c", "casadi.c.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "Makefile", "Makefile_casadi.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_casadi.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  if (rc == MW_OK) {
    source[0] = mw_arena_printf(mem, "%s.c", list->name);
    source[1] = mw_arena_printf(mem, "%s_casadi.c", list->name);
    library = mw_arena_printf(mem, "%s.so", list->name);
    rc = mw_arena_check(mem, err);
  }
  if (rc == MW_OK) rc = mw_export_build(dir, library, source, opt->progress, mem, &found, err);
  if (rc == MW_OK && found)
    list->file[list->n++] = mw_arena_printf(mem, "%s/%s", dir, library);
  else if (rc == MW_OK)
    list->note =
        mw_arena_printf(mem, "there is no C compiler here: run make in %s for %s", dir, library);
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

mw_code mw_export_acados(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                         mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list };
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_acados.c", "acados.c.in", true, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_acados.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  return rc;
}

mw_code mw_export_matlab(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                         mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list };
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.c", NULL, true, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@.h", "model.h.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_mex.c", "mex.c.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_sfun.c", "sfunction.c.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_build.m", "build.m.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "@name@_lpv.m", "lpv.m.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_matlab.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  return rc;
}

// The block itself.
static mw_code write_block(job *j, mw_error *err)
{
  char *block = NULL;
  size_t n = 0;
  const char *path = mw_arena_printf(j->mem, "%s/%s.table", j->dir, j->list->name);
  mw_code rc = mw_arena_check(j->mem, err);
  if (rc == MW_OK) rc = mw_export_block(j->rom, &block, &n, err);
  if (rc == MW_OK) rc = mw_file_replace(path, block, n, false, err);
  if (rc == MW_OK) j->list->file[j->list->n++] = path;
  free(block);
  return rc;
}

mw_code mw_export_table(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                        mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list }, any = j;
  mw_export_opt reader = *opt;
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_block(&j, err);
  if (rc == MW_OK) rc = write_file(&j, "example.c", "example_table.c.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "Makefile", "Makefile_table.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_table.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  // the texts that are the same for every model have names of their own
  reader.name = "modeway_rom";
  any.reader = true;
  if (rc == MW_OK) rc = mw_export_keys(rom, &reader, reader.name, mem, &any.key, &any.n_key, err);
  if (rc == MW_OK) rc = write_file(&any, "@name@.h", "table.h.in", false, err);
  if (rc == MW_OK) rc = write_file(&any, "@name@.c", NULL, true, err);
  return rc;
}

// modeway_rom.wasm: the online model for any table.
static mw_code write_module(job *j, mw_error *err)
{
  unsigned char *bytes = NULL;
  size_t n = 0;
  mw_code rc = mw_export_wasm_module(j->mem, &bytes, &n, err);
  const char *path = mw_arena_printf(j->mem, "%s/modeway_rom.wasm", j->dir);
  if (rc == MW_OK) rc = mw_arena_check(j->mem, err);
  if (rc == MW_OK) rc = mw_file_replace(path, (const char *)bytes, n, false, err);
  if (rc == MW_OK) j->list->file[j->list->n++] = path;
  return rc;
}

mw_code mw_export_wasm(const mw_rom_file *rom, const mw_export_opt *opt, const char *dir,
                       mw_arena *mem, mw_export_list *list, mw_error *err)
{
  job j = { .rom = rom, .dir = dir, .mem = mem, .list = list };
  if (!mw_export_text_find("modeway_rom.wasm.gz.base64")) return mw_export_wasm_absent(err);
  mw_code rc = start(&j, opt, err);
  if (rc == MW_OK) rc = write_block(&j, err);
  if (rc == MW_OK) rc = write_module(&j, err);
  if (rc == MW_OK) rc = write_file(&j, "modeway_rom.mjs", "modeway_rom.mjs", false, err);
  if (rc == MW_OK) rc = write_file(&j, "modeway_rom.d.mts", "modeway_rom.d.mts", false, err);
  if (rc == MW_OK) rc = write_file(&j, "example.mjs", "example_wasm.mjs.in", false, err);
  if (rc == MW_OK) rc = write_file(&j, "README.md", "README_wasm.md.in", false, err);
  if (rc == MW_OK) rc = write_license(&j, err);
  return rc;
}

mw_code mw_export_source(const mw_rom_file *rom, const char *name, const mw_export_seen *seen,
                         const mw_kept *kept, FILE *c, FILE *h, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_export_opt opt = mw_export_opt_default();
  char prefix[MW_EXPORT_MAX_NAME + 1];
  job j = { .rom = rom, .mem = &mem, .seen = has_seen(seen), .kept = has_kept(kept) };
  opt.name = name;
  opt.seen = seen;
  opt.kept = kept;
  mw_code rc = mw_export_name(rom, &opt, prefix, err);
  if (rc == MW_OK) rc = mw_export_keys(rom, &opt, prefix, &mem, &j.key, &j.n_key, err);
  if (rc == MW_OK) rc = write_c(&j, NULL, c, err);
  if (rc == MW_OK) fill_header(&j, h);
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && (ferror(c) || ferror(h)))
    rc = mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the sources cannot be written");
  mw_arena_free(&mem);
  return rc;
}
