// SPDX-License-Identifier: BSD-3-Clause
// fmu_archive.c: the archive of a functional mock-up unit (FMI 3.0, section 2.5; FMI 2.0, section
// 2.3).
//
//   modelDescription.xml                     sources/NAME.c, NAME.h, NAME_fmu.c;
//                                            buildDescription.xml (3)
//   binaries/x86_64-linux/NAME.so (3)        binaries/linux64/NAME.so (2)
//   terminalsAndIcons/icon.png, .xml (3)     model.png (2)
//   documentation/index.html, diagram.png, licenses/license.txt
//
// All is made in memory, the binary in a temporary folder, and the archive replaces the file at
// once. Every entry has the date 1980-01-01, the first that ZIP can tell, in an order of its own:
// the same model gives the same bytes (the binary if the compiler does).
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zip.h>

#include "export/export_layer.h"
#include "fmu_priv.h"
#include "reduction/ncfile.h"

enum { MAX_ENTRY = 16, DOS_1980 = 1 << 5 | 1 };  // month 1, day 1

// ---- ZIP ----------------------------------------------------------------------------------------

static mw_code zip_failed(const char *what, const char *why, mw_error *err)
{
  return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "the archive: %s: %s", what, why);
}

static mw_code add_entry(zip_t *z, const mw_fmu_entry *e, mw_error *err)
{
  zip_source_t *s = zip_source_buffer(z, e->data, e->n, 0);
  zip_int64_t k = s ? zip_file_add(z, e->name, s, ZIP_FL_ENC_UTF_8) : -1;
  if (k < 0 && s) zip_source_free(s);
  if (k < 0 || zip_file_set_dostime(z, (zip_uint64_t)k, 0, DOS_1980, 0) != 0 ||
      zip_set_file_compression(z, (zip_uint64_t)k, ZIP_CM_DEFLATE, 9) != 0)
    return zip_failed(e->name, zip_strerror(z), err);
  return MW_OK;
}

// What libzip has written to its buffer, as the file at path.
static mw_code write_buffer(zip_source_t *s, const char *path, mw_error *err)
{
  zip_stat_t st;
  if (zip_source_stat(s, &st) != 0 || zip_source_open(s) != 0)
    return zip_failed(path, zip_error_strerror(zip_source_error(s)), err);
  char *data = malloc(st.size + 1);
  zip_int64_t n = data ? zip_source_read(s, data, st.size) : -1;
  (void)zip_source_close(s);
  mw_code rc = data && n == (zip_int64_t)st.size
                   ? mw_file_replace(path, data, st.size, false, err)
                   : zip_failed(path, data ? "short of bytes" : "no memory", err);
  free(data);
  return rc;
}

mw_code mw_fmu_pack(const mw_fmu_entry *entry, int n, const char *path, mw_error *err)
{
  zip_error_t why;
  zip_error_init(&why);
  zip_source_t *s = zip_source_buffer_create(NULL, 0, 0, &why);
  zip_t *z = s ? zip_open_from_source(s, ZIP_TRUNCATE, &why) : NULL;
  mw_code rc = z ? MW_OK : zip_failed(path, zip_error_strerror(&why), err);
  if (z) zip_source_keep(s);
  for (int k = 0; rc == MW_OK && k < n; k++) rc = add_entry(z, &entry[k], err);
  if (rc == MW_OK && zip_close(z) != 0)
    rc = zip_failed(path, zip_strerror(z), err);
  else if (rc == MW_OK)
    z = NULL;
  if (z) zip_discard(z);
  if (rc == MW_OK) rc = write_buffer(s, path, err);
  if (s) zip_source_free(s);
  zip_error_fini(&why);
  return rc;
}

// ---- texts --------------------------------------------------------------------------------------

typedef struct archive {
  mw_fmu fmu;
  int version, n;
  mw_fmu_entry entry[MAX_ENTRY];
  char *own[MAX_ENTRY];  // to be freed
  char *c, *h, *fmu_c;   // sources
} archive;

static mw_code no_memory(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the archive");
}

// An entry; data is taken over where owned.
static void put(archive *a, const char *name, char *data, size_t n, bool owned)
{
  a->own[a->n] = owned ? data : NULL;
  a->entry[a->n++] = (mw_fmu_entry){ name, data, n };
}

enum { TEXT_DESCRIPTION, TEXT_BUILD, TEXT_ICONS, TEXT_DOCUMENT, TEXT_SOURCE };

static mw_code put_text(archive *a, const char *name, int kind, mw_error *err)
{
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return no_memory(err);
  if (kind == TEXT_DESCRIPTION) mw_fmu_print_description(&a->fmu, a->version, f);
  if (kind == TEXT_BUILD) mw_fmu_print_build(&a->fmu, f);
  if (kind == TEXT_ICONS) mw_fmu_print_icons(f);
  if (kind == TEXT_DOCUMENT) mw_fmu_print_document(&a->fmu, a->version, f);
  if (kind == TEXT_SOURCE) mw_fmu_print_source(&a->fmu, a->version, f);
  bool fine = fclose(f) == 0 && name && !a->fmu.mem.failed;
  if (!fine) {
    free(text);
    return no_memory(err);
  }
  if (kind == TEXT_SOURCE) a->fmu_c = text;
  put(a, name, text, n, true);
  return MW_OK;
}

static mw_code put_model(archive *a, mw_error *err)
{
  size_t n_c = 0, n_h = 0;
  FILE *c = open_memstream(&a->c, &n_c), *h = c ? open_memstream(&a->h, &n_h) : NULL;
  mw_code rc = h ? mw_export_source(a->fmu.rom, a->fmu.name, a->fmu.seen, a->fmu.kept, c, h, err)
                 : no_memory(err);
  if (c && fclose(c) != 0 && rc == MW_OK) rc = no_memory(err);
  if (h && fclose(h) != 0 && rc == MW_OK) rc = no_memory(err);
  const char *name_c = mw_arena_printf(&a->fmu.mem, "sources/%s.c", a->fmu.name),
             *name_h = mw_arena_printf(&a->fmu.mem, "sources/%s.h", a->fmu.name);
  if (rc == MW_OK) rc = mw_arena_check(&a->fmu.mem, err);
  if (rc != MW_OK) return rc;
  put(a, name_c, a->c, n_c, false);
  put(a, name_h, a->h, n_h, false);
  return MW_OK;
}

static mw_code put_license(archive *a, mw_error *err)
{
  const mw_export_text *t = mw_export_text_find("LICENSE");
  char *text = t ? mw_export_text_join(t, &a->fmu.mem) : NULL;
  if (!text) return no_memory(err);
  put(a, "documentation/licenses/license.txt", text, strlen(text), false);
  return MW_OK;
}

static mw_code put_picture(archive *a, const unsigned char *png, size_t n, mw_error *err)
{
  unsigned char *chart = NULL;
  mw_code rc = MW_OK;
  if (!png) {
    rc = mw_fmu_chart(a->fmu.rom, &a->fmu.mem, &chart, &n, err);
    png = chart;
  }
  if (rc != MW_OK) return rc;
  a->entry[a->n++] =
      (mw_fmu_entry){ a->version == 3 ? "terminalsAndIcons/icon.png" : "model.png", png, n };
  a->entry[a->n++] = (mw_fmu_entry){ "documentation/diagram.png", png, n };
  return MW_OK;
}

// ---- the binary ---------------------------------------------------------------------------------

static void remove_folder(const char *dir, mw_arena *mem)
{
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    const char *path = mw_arena_printf(mem, "%s/%s", dir, e->d_name);
    if (path && strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) (void)unlink(path);
  }
  if (d) (void)closedir(d);
  (void)rmdir(dir);
}

// Where the standards want it: by processor and system (3), 64 bit Linux (2). NULL: not on this
// machine.
static const char *binary_name(archive *a)
{
  struct utsname u;
  if (uname(&u) != 0 || strcmp(u.sysname, "Linux") != 0) return NULL;
  bool intel = strcmp(u.machine, "x86_64") == 0;
  if (!intel && (a->version == 2 || strcmp(u.machine, "aarch64") != 0)) return NULL;
  return a->version == 2
             ? mw_arena_printf(&a->fmu.mem, "binaries/linux64/%s.so", a->fmu.name)
             : mw_arena_printf(&a->fmu.mem, "binaries/%s-linux/%s.so", u.machine, a->fmu.name);
}

// The two files that the binary is built from include the unit's sources: plain names for the
// functions of the interface, and none but these to be seen, so that two units in one process
// cannot call into each other. Headers of the system come first: what they declare must stay
// visible.
static const char SHARED[] =
    "#include <float.h>\n#include <math.h>\n#include <stdarg.h>\n#include <stdbool.h>\n"
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "#include <string.h>\n#pragma GCC visibility push(hidden)\n#define DISABLE_PREFIX\n"
    "#include \"%s%s.c\"\n";

static mw_code write_sources(archive *a, const char *dir, mw_error *err)
{
  mw_arena *mem = &a->fmu.mem;
  const char *name = a->fmu.name;
  const struct {
    const char *file, *text;
  } all[] = {
    { mw_arena_printf(mem, "%s/%s.c", dir, name), a->c },
    { mw_arena_printf(mem, "%s/%s.h", dir, name), a->h },
    { mw_arena_printf(mem, "%s/%s_fmu.c", dir, name), a->fmu_c },
    { mw_arena_printf(mem, "%s/shared-1.c", dir), mw_arena_printf(mem, SHARED, name, "") },
    { mw_arena_printf(mem, "%s/shared-2.c", dir), mw_arena_printf(mem, SHARED, name, "_fmu") }
  };
  mw_code rc = mw_arena_check(mem, err);
  for (size_t k = 0; rc == MW_OK && k < sizeof all / sizeof *all; k++)
    rc = mw_file_replace(all[k].file, all[k].text, strlen(all[k].text), false, err);
  return rc;
}

static const char MODEL_OBJECT[] = "model.o";

// The model as MODEL_OBJECT of the folder, compiled once for all units of it.
static mw_code write_object(archive *a, const mw_fmu_job *job, const char *dir, bool *compiled,
                            mw_error *err)
{
  mw_fmu_object *o = job->object;
  static const char *const source[] = { "shared-1.c", NULL };
  mw_arena *mem = &a->fmu.mem;
  const char *path = mw_arena_printf(mem, "%s/%s", dir, MODEL_OBJECT);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  *compiled = true;
  if (o->data) return mw_file_replace(path, o->data, o->n, false, err);
  rc = mw_export_build(dir, MODEL_OBJECT, source, job->progress, mem, compiled, err);
  return rc == MW_OK && *compiled ? mw_file_read(path, &o->data, &o->n, err) : rc;
}

static mw_code build(archive *a, const mw_fmu_job *job, const char *dir, const char *library,
                     bool *compiled, mw_error *err)
{
  const char *const source[] = { job->object ? MODEL_OBJECT : "shared-1.c", "shared-2.c", NULL };
  mw_code rc = write_sources(a, dir, err);
  *compiled = true;
  if (rc == MW_OK && job->object) rc = write_object(a, job, dir, compiled, err);
  if (rc == MW_OK && *compiled)
    rc = mw_export_build(dir, library, source, job->progress, &a->fmu.mem, compiled, err);
  if (rc == MW_ERR_IO)  // not where the user would look
    rc = mw_fail(err, rc, MW_NOWHERE,
                 "the unit's binary cannot be built, see the C compiler's messages above");
  return rc;
}

static mw_code put_binary(archive *a, const mw_fmu_job *job, bool *compiled, mw_error *err)
{
  mw_arena *mem = &a->fmu.mem;
  const char *tmp = getenv("TMPDIR"), *entry = binary_name(a);
  char *dir = mw_arena_printf(mem, "%s/modeway-fmu-XXXXXX", tmp && *tmp ? tmp : "/tmp"),
       *library = mw_arena_printf(mem, "%s.so", a->fmu.name), *data = NULL;
  size_t n = 0;
  *compiled = false;
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK || !entry) return rc;
  if (!mkdtemp(dir))
    return mw_fail(err, MW_ERR_IO, (mw_at){ .file = dir }, "no temporary folder can be made");
  rc = build(a, job, dir, library, compiled, err);
  const char *path = mw_arena_printf(mem, "%s/%s", dir, library);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK && *compiled) rc = mw_file_read(path, &data, &n, err);
  if (rc == MW_OK && *compiled) put(a, entry, data, n, true);
  remove_folder(dir, mem);
  return rc;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_code fill(archive *a, const mw_fmu_job *job, bool *compiled, mw_error *err)
{
  const char *source = mw_arena_printf(&a->fmu.mem, "sources/%s_fmu.c", a->fmu.name);
  mw_code rc = put_text(a, "modelDescription.xml", TEXT_DESCRIPTION, err);
  if (rc == MW_OK) rc = put_model(a, err);
  if (rc == MW_OK) rc = put_text(a, source, TEXT_SOURCE, err);
  if (rc == MW_OK && a->version == 3)
    rc = put_text(a, "sources/buildDescription.xml", TEXT_BUILD, err);
  if (rc == MW_OK && a->version == 3)
    rc = put_text(a, "terminalsAndIcons/terminalsAndIcons.xml", TEXT_ICONS, err);
  if (rc == MW_OK) rc = put_text(a, "documentation/index.html", TEXT_DOCUMENT, err);
  if (rc == MW_OK) rc = put_license(a, err);
  if (rc == MW_OK) rc = put_picture(a, job->png, job->n_png, err);
  return rc == MW_OK ? put_binary(a, job, compiled, err) : rc;
}

mw_code mw_fmu_write(const mw_fmu_job *job, const char *path, bool *compiled, mw_error *err)
{
  archive a = { .version = job->version };
  mw_code rc = mw_fmu_build(job, &a.fmu, err);
  if (rc == MW_OK) rc = fill(&a, job, compiled, err);
  if (rc == MW_OK) rc = mw_fmu_pack(a.entry, a.n, path, err);
  for (int k = 0; k < a.n; k++) free(a.own[k]);
  free(a.c);
  free(a.h);
  mw_fmu_free(&a.fmu);
  return rc;
}
