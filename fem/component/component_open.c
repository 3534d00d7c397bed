// SPDX-License-Identifier: BSD-3-Clause
// component_open.c: components from files: shared objects, or the sources in their place.
//
// A shared object is loaded after its digest was checked, so that a damaged one does not run.
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "component_priv.h"

struct mw_component {
  void *handle;                 // of the shared object, NULL: a source
  const mw_component_abi *abi;  // NULL: a source
  mw_component_source source;
  mw_arena mem;
};

// ---- sources ------------------------------------------------------------------------------------

static mw_code add_file(void *ctx, const char *path, const char *what, mw_at at, mw_error *err)
{
  mw_component *c = ctx;
  mw_component_source *s = &c->source;
  char *text = NULL;
  size_t n = 0;
  mw_code rc = mw_model_bytes(path, what, &text, &n, err);
  (void)at;
  if (rc != MW_OK) return rc;
  mw_model_text *all = mw_arena_alloc(&c->mem, (size_t)s->n_file + 1, sizeof *all);
  char *kept = mw_arena_alloc(&c->mem, n + 1, 1);
  const char *name = mw_arena_str(&c->mem, path);
  rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) {
    if (s->n_file > 0) memcpy(all, s->file, (size_t)s->n_file * sizeof *all);
    memcpy(kept, text, n);
    all[s->n_file++] = (mw_model_text){ name, kept, n };
    s->file = all;
  }
  free(text);
  return rc;
}

// The source and the files that it uses, in the order in which they are first named.
static mw_code read_source(const char *path, mw_component *c, mw_error *err)
{
  mw_model m = { 0 };
  char *text = mw_arena_printf(&c->mem, "modeway: 1\nassemblies: { c: { use: \"%s%s\" } }\n",
                               strchr(path, '/') ? "" : "./", path);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = mw_model_read_text("component", text, strlen(text), NULL, 0, &m, err);
  if (rc == MW_OK) rc = mw_model_sources(&m, add_file, c, err);
  if (rc == MW_OK) mw_component_hash(&c->source);
  mw_model_free(&m);
  return rc;
}

// ---- shared objects -----------------------------------------------------------------------------

static mw_code not_this(mw_error *err, mw_at at, const char *file, const char *found)
{
  return mw_fail(err, MW_ERR_INPUT, at, "component %.160s: %.160s", file, found);
}

// Does the file hold all that its head tells of? Loading what is cut off would end this program.
static mw_code check_length(const char *file, mw_at at, mw_error *err)
{
  Elf64_Ehdr head = { .e_ident = { 0 } };
  Elf64_Phdr part;
  FILE *f = fopen(file, "rb");
  bool fine = f && fread(&head, sizeof head, 1, f) == 1 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
              head.e_type == ET_DYN && head.e_phentsize == sizeof part;
  uint64_t need = fine ? head.e_shoff + (uint64_t)head.e_shnum * head.e_shentsize : 0;
  for (int k = 0; fine && k < head.e_phnum; k++) {
    fine = fseek(f, (long)(head.e_phoff + (uint64_t)k * sizeof part), SEEK_SET) == 0 &&
           fread(&part, sizeof part, 1, f) == 1;
    if (fine && part.p_offset + part.p_filesz > need) need = part.p_offset + part.p_filesz;
  }
  fine = fine && fseek(f, 0, SEEK_END) == 0 && (uint64_t)ftell(f) >= need;
  if (f) fclose(f);
  return fine ? MW_OK
              : not_this(err, at, file,
                         "found part of a shared object, or one of another machine, expected it "
                         "as it was exported");
}

static mw_code load_object(const char *file, mw_at at, mw_component *c, mw_error *err)
{
  mw_error why = { 0 };
  bool found;
  if (mw_pack_read(file, true, &c->mem, NULL, &found, &why) != MW_OK)
    return not_this(err, at, file, why.msg);
  // a name without / would be sought in the system's folders
  const char *path = mw_arena_printf(&c->mem, "%s%s", strchr(file, '/') ? "" : "./", file);
  mw_code rc = mw_arena_check(&c->mem, err);
  if (rc == MW_OK) rc = check_length(file, at, err);
  if (rc != MW_OK) return rc;
  c->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!c->handle) {
    const char *text = dlerror();
    return mw_fail(err, MW_ERR_INPUT, at, "component %.160s cannot be loaded: %.200s", file,
                   text ? text : "no reason given");
  }
  mw_component_fn *fn = NULL;
  void *symbol = dlsym(c->handle, MW_COMPONENT_SYMBOL);
  memcpy(&fn, &symbol, sizeof fn);
  if (!fn)
    return not_this(err, at, file,
                    "found a shared object without " MW_COMPONENT_SYMBOL
                    ", expected one of modeway export --to component");
  c->abi = fn();
  if (!c->abi || c->abi->version != MW_COMPONENT_VERSION)
    return mw_fail(err, MW_ERR_INPUT, at,
                   "component %.160s: found version %d of the interface, made by %.60s, expected "
                   "version %d",
                   file, c->abi ? c->abi->version : 0,
                   c->abi && c->abi->from ? c->abi->from : "nobody", MW_COMPONENT_VERSION);
  if (c->abi->bytes != sizeof *c->abi + sizeof *c->abi->calls || !c->abi->open || !c->abi->calls)
    return not_this(err, at, file, "found an interface of another size than its version says");
  return MW_OK;
}

static bool is_object(const unsigned char *head) { return memcmp(head, ELFMAG, SELFMAG) == 0; }

bool mw_component_is_object(const char *file)
{
  unsigned char head[4] = { 0 };
  FILE *f = fopen(file, "rb");
  bool object = f && fread(head, 1, sizeof head, f) == sizeof head && is_object(head);
  if (f) fclose(f);
  return object;
}

mw_code mw_component_open(const char *file, mw_at at, mw_component **out, mw_error *err)
{
  mw_component *c = calloc(1, sizeof *c);
  FILE *f = fopen(file, "rb");
  mw_code rc = c ? MW_OK : mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  if (!f && rc == MW_OK)
    rc = mw_fail(err, MW_ERR_INPUT, at, "component: cannot open the file %.160s: %s", file,
                 strerror(errno));
  if (f) fclose(f);
  if (rc == MW_OK)
    rc = mw_component_is_object(file) ? load_object(file, at, c, err) : read_source(file, c, err);
  if (rc == MW_OK)
    *out = c;
  else
    mw_component_close(c);
  return rc;
}

void mw_component_close(mw_component *c)
{
  if (!c) return;
  if (c->handle) dlclose(c->handle);
  mw_arena_free(&c->mem);
  free(c);
}

const mw_component_calls *mw_component_calls_of(const mw_component *c)
{
  return c->abi ? c->abi->calls : &mw_component_rigid_calls;
}

const char *mw_component_maker(const mw_component *c) { return c->abi ? c->abi->from : NULL; }

mw_code mw_component_instance(const mw_component *c, const mw_component_in *in, mw_at at,
                              void **out, mw_error *err)
{
  char why[400] = "";
  if (!c->abi) return mw_component_rigid_open(&c->source, in, out, err);
  if (c->abi->open(in, out, why, sizeof why) == 0) return MW_OK;
  return mw_fail(err, MW_ERR_INPUT, at, "component: %.380s", why);
}

// ---- writing ------------------------------------------------------------------------------------

// Paths of the files from the source's folder, which nobody else has.
static mw_code rename_files(mw_component *c, mw_error *err)
{
  mw_component_source *s = &c->source;
  const char *first = s->file[0].path, *slash = strrchr(first, '/');
  size_t n = slash ? (size_t)(slash - first) + 1 : 0;
  for (int k = 0; k < s->n_file; k++)
    if (strncmp(s->file[k].path, first, n) == 0)
      s->file[k].path = mw_arena_printf(&c->mem, "./%s", s->file[k].path + n);
  return mw_arena_check(&c->mem, err);
}

// Does it open as it will be used?
static mw_code try_it(const mw_component *c, mw_error *err)
{
  const mw_component_in in = { .A = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
  void *inside = NULL;
  mw_code rc = mw_component_rigid_open(&c->source, &in, &inside, err);
  if (rc == MW_OK) mw_component_rigid_calls.close(inside);
  return rc;
}

mw_code mw_component_write(const char *source, const char *out, mw_error *err)
{
  mw_component *c = calloc(1, sizeof *c);
  static const mw_component_template object = { "modeway-component.so", "MODEWAY_COMPONENT",
                                                "fem/component" };
  if (!c) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  mw_code rc = read_source(source, c, err);
  if (rc == MW_OK) rc = try_it(c, err);
  if (rc == MW_OK) rc = rename_files(c, err);
  if (rc == MW_OK) rc = try_it(c, err);
  if (rc == MW_OK) rc = mw_component_pack(&object, &c->source, out, err);
  mw_component_close(c);
  return rc;
}
