// SPDX-License-Identifier: BSD-3-Clause
// cad.c: the mesh of a CAD file, or the list of its solids, made once.
//
// The mesh is a function of the CAD file's bytes, the job (the mesher's arguments) and the mesher:
//
//   key = SHA-256(bytes of the mesher, ending and bytes of the CAD file, arguments)             (1)
//
// (the list of solids has no arguments but the scale). KEY.msh or KEY.parts in the cache is what
// was made, KEY.txt what the mesher printed and its own digest: what
// does not match it is made again. Both are written under other names and renamed, the
// text last. One process meshes at a time, the others wait and then find the mesh. Nothing is ever
// thrown out: the folder may be deleted at any time. Scripts that read other files are meshed every
// time.
#include "fem/cad.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/sha256.h"
#include "cad_priv.h"
#include "fem/cache.h"

// Chords and parabolas instead of curved faces: beyond this share of the volume masses are wrong by
// more than most CAD programs' own material data.
static const double volume_error = 0.01;

typedef struct cad_job {
  const mw_cad_in *cad;
  mw_at at;
  mw_arena *mem;
  int n_arg;
  const char **arg;  // [n_arg], then NULL; without the output
  const char *folder;
  const char *made, *txt;  // in the cache
  bool parts;              // the list of solids, not a mesh
  bool reads_others;       // a script that includes or merges files
} cad_job;

// ---- the mesher's arguments ----

static void add_text(cad_job *w, const char *s) { w->arg[w->n_arg++] = s; }

static void add_numbers(cad_job *w, const double *x, int n)
{
  for (int k = 0; k < n; k++) add_text(w, mw_arena_printf(w->mem, "%.17g", x[k]));
}

static mw_code make_arguments(cad_job *w, const char *mesher, mw_error *err)
{
  const mw_cad_in *c = w->cad;
  size_t room = 16 + 5 * (size_t)c->n_group + 6 * (size_t)c->n_refine;
  w->arg = mw_arena_alloc(w->mem, room, sizeof *w->arg);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  add_text(w, mesher);
  add_text(w, c->file);
  if (!w->parts) {
    add_text(w, "--size");
    add_numbers(w, &c->size, 1);
    add_text(w, "--order");
    add_text(w, mw_arena_printf(w->mem, "%d", c->order));
  }
  if (c->scale > 0.0) {
    add_text(w, "--scale");
    add_numbers(w, &c->scale, 1);
  }
  for (int k = 0; k < c->n_group; k++) {
    add_text(w, c->group[k].dim == 2 ? "--face" : "--edge");
    add_text(w, c->group[k].name);
    add_numbers(w, c->group[k].x, 3);
  }
  for (int k = 0; k < c->n_refine; k++) {
    const mw_cad_refine_in *r = &c->refine[k];
    add_text(w, r->group ? "--near" : "--near-point");
    if (r->group) add_text(w, r->group);
    if (!r->group) add_numbers(w, r->x, 3);
    add_numbers(w, &r->size, 1);
    add_numbers(w, &r->distance, 1);
  }
  return mw_arena_check(w->mem, err);
}

// ---- key and folder ----

static mw_code hash_file(const char *path, mw_at at, mw_sha256 *sha, mw_error *err)
{
  static const size_t piece = 1 << 16;
  FILE *f = fopen(path, "rb");
  char *buf = malloc(piece);
  mw_code rc = MW_OK;
  size_t n;
  if (buf == NULL) rc = mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "out of memory");
  while (rc == MW_OK && f != NULL && (n = fread(buf, 1, piece, f)) > 0) mw_sha256_add(sha, buf, n);
  if (rc == MW_OK && (f == NULL || ferror(f)))
    rc = mw_fail(err, MW_ERR_INPUT, at, "%.300s cannot be read: %s", path, strerror(errno));
  free(buf);
  if (f != NULL) fclose(f);
  return rc;
}

static mw_code digest_file(const char *path, mw_at at, char hex[65], mw_error *err)
{
  mw_sha256 sha;
  uint8_t digest[32];
  mw_sha256_init(&sha);
  mw_code rc = hash_file(path, at, &sha, err);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  return rc;
}

// Equation (1).
static mw_code make_key(const cad_job *w, char hex[65], mw_error *err)
{
  mw_sha256 sha;
  uint8_t digest[32];
  const char *dot = strrchr(w->cad->file, '.');
  mw_sha256_init(&sha);
  mw_code rc = hash_file(w->arg[0], w->at, &sha, err);
  if (dot != NULL) mw_sha256_add(&sha, dot, strlen(dot) + 1);
  if (rc == MW_OK) rc = hash_file(w->cad->file, w->at, &sha, err);
  for (int k = 2; k < w->n_arg; k++) mw_sha256_add(&sha, w->arg[k], strlen(w->arg[k]) + 1);
  mw_sha256_end(&sha, digest);
  mw_sha256_hex(digest, hex);
  return rc;
}

// A script that brings in other files, which the key does not cover.
static mw_code look_into_script(cad_job *w, mw_error *err)
{
  static const char *const word[] = { "Merge", "Include", "ShapeFromFile", "SystemCall" };
  const char *dot = strrchr(w->cad->file, '.');
  char line[1024];
  if (dot == NULL || strcasecmp(dot, ".geo") != 0) return MW_OK;
  FILE *f = fopen(w->cad->file, "r");
  if (f == NULL)
    return mw_fail(err, MW_ERR_INPUT, w->at, "%.300s cannot be read: %s", w->cad->file,
                   strerror(errno));
  while (fgets(line, sizeof line, f) != NULL)
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
      w->reads_others |= strstr(line, word[k]) != NULL;
  fclose(f);
  return MW_OK;
}

// ---- what the mesher printed ----

// digest: [65] or NULL; parts: without those of a mesh. False unless all that has to be there is
// there.
static bool read_facts(const char *path, bool parts, mw_cad_props *p, char *digest)
{
  char line[512];
  int got = 0, n_known = 0, wanted = (parts ? 3 : 5) + (digest != NULL);
  mw_cad_props q = { 0 };
  FILE *f = fopen(path, "r");
  if (f == NULL) return false;
  if (digest != NULL) digest[0] = '\0';
  while (fgets(line, sizeof line, f) != NULL) {
    double *c = q.com, *I = q.inertia;
    n_known += sscanf(line, "volume %lf", &q.volume) == 1;
    n_known += sscanf(line, "centre %lf %lf %lf", &c[0], &c[1], &c[2]) == 3;
    n_known += sscanf(line, "inertia %lf %lf %lf %lf %lf %lf", &I[0], &I[1], &I[2], &I[3], &I[4],
                      &I[5]) == 6;
    got += sscanf(line, "solids %d", &q.n_solid) == 1;
    got += sscanf(line, "faces %d", &q.n_face) == 1;
    got += sscanf(line, "edges %d", &q.n_edge) == 1;
    got += sscanf(line, "mesh_volume %lf", &q.mesh_volume) == 1;
    got += sscanf(line, "straightened %d", &q.n_straight) == 1;
    if (digest != NULL) got += sscanf(line, "sha256 %64[0-9a-f]", digest) == 1;
  }
  fclose(f);
  q.known = n_known == 3;
  if (got != wanted || (n_known != 0 && n_known != 3)) return false;
  *p = q;
  return true;
}

// What is in the cache is what it was.
static bool is_cached(const cad_job *w, mw_cad_props *props)
{
  char wanted[65], found[65];
  mw_cad_props p;
  if (!read_facts(w->txt, w->parts, &p, wanted)) return false;
  if (digest_file(w->made, w->at, found, NULL) != MW_OK || strcmp(wanted, found) != 0) return false;
  *props = p;
  return true;
}

// ---- making it ----

// The mesher's error line, at the group or refinement it names.
static mw_code told(const cad_job *w, const char *path, int status, mw_error *err)
{
  static const char mark[] = "modeway-mesher: error: ";
  char line[512], msg[512] = "the mesher gives no reason";
  mw_at at = w->at;
  FILE *f = fopen(path, "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, mark, sizeof mark - 1) == 0)
      snprintf(msg, sizeof msg, "%s", line + sizeof mark - 1);
  }
  if (f != NULL) fclose(f);
  for (int k = 0; k < w->cad->n_group; k++) {
    size_t n = strlen(w->cad->group[k].name);
    if (strncmp(msg, "group ", 6) == 0 && strncmp(msg + 6, w->cad->group[k].name, n) == 0 &&
        msg[6 + n] == ':')
      at = w->cad->group[k].at;
  }
  int r = 0;
  if (sscanf(msg, "refine %d:", &r) == 1 && r >= 1 && r <= w->cad->n_refine)
    at = w->cad->refine[r - 1].at;
  return mw_fail(err, status == 1 ? MW_ERR_NUMERIC : MW_ERR_INPUT, at, "%s", msg);
}

static const char *ending(const cad_job *w) { return w->parts ? ".parts" : ".msh"; }

// Appends the digest of what was made and puts both files in their places.
static mw_code store(const cad_job *w, const char *made, const char *facts, mw_error *err)
{
  char hex[65];
  mw_code rc = digest_file(made, w->at, hex, err);
  if (rc != MW_OK) return rc;
  FILE *f = fopen(facts, "a");
  bool okay = f != NULL && fprintf(f, "sha256 %s\n", hex) > 0;
  if (f != NULL) okay = fclose(f) == 0 && okay;
  okay = okay && rename(made, w->made) == 0 && rename(facts, w->txt) == 0;
  if (okay) return MW_OK;
  return mw_fail(err, MW_ERR_IO, w->at, "the cache %.200s cannot be written: %s", w->folder,
                 strerror(errno));
}

static mw_code run_mesher(cad_job *w, mw_cad_props *props, mw_error *err)
{
  char *tmp = mw_arena_printf(w->mem, "%s/tmp-XXXXXX", w->folder);
  mw_code rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  if (mkdtemp(tmp) == NULL)
    return mw_fail(err, MW_ERR_IO, w->at, "the cache %.200s cannot be written: %s", w->folder,
                   strerror(errno));
  const char *made = mw_arena_printf(w->mem, "%s/made%s", tmp, ending(w));
  const char *facts = mw_arena_printf(w->mem, "%s/facts", tmp);
  const char *errors = mw_arena_printf(w->mem, "%s/errors", tmp);
  rc = mw_arena_check(w->mem, err);
  int status = 0, n = w->n_arg;
  if (rc == MW_OK) {
    w->arg[n] = "-o";
    w->arg[n + 1] = made;
    w->arg[n + 2] = NULL;
    rc = mw_cad_run(w->arg, facts, errors, w->at, &status, err);
  }
  if (rc == MW_OK && status != 0) rc = told(w, errors, status, err);
  if (rc == MW_OK && !read_facts(facts, w->parts, props, NULL))
    rc =
        mw_fail(err, MW_ERR_IO, w->at, "%.200s is of another version than this program", w->arg[0]);
  if (rc == MW_OK) rc = store(w, made, facts, err);
  if (made) remove(made);
  if (facts) remove(facts);
  if (errors) remove(errors);
  rmdir(tmp);
  return rc;
}

// The cache is ours alone until the descriptor is closed; −1 where the file system knows no locks,
// which does no harm but work.
static int lock(const cad_job *w)
{
  const char *path = mw_arena_printf(w->mem, "%s/lock", w->folder);
  struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return -1;
  while (fcntl(fd, F_SETLKW, &all) != 0)
    if (errno != EINTR) break;
  return fd;
}

static mw_code check_volume(const cad_job *w, const mw_cad_props *p, mw_error *err)
{
  if (!p->known || fabs(p->mesh_volume - p->volume) <= volume_error * p->volume) return MW_OK;
  return mw_fail(
      err, MW_ERR_INPUT, w->at,
      "the mesh of %.200s has a volume of %.4g m3, the part %.4g m3: elements of %g m are "
      "too coarse for its curved faces, reduce size%s",
      w->cad->file, p->mesh_volume, p->volume, w->cad->size,
      w->cad->order == 1 ? " or take order: 2" : "");
}

// Now, or from the cache: w.made.
static mw_code make(cad_job *w, mw_cad_props *props, mw_error *err)
{
  const char *mesher = NULL;
  char key[65];
  mw_code rc = mw_cad_find_mesher(w->at, w->mem, &mesher, err);
  if (rc == MW_OK) rc = make_arguments(w, mesher, err);
  if (rc == MW_OK) rc = make_key(w, key, err);
  if (rc == MW_OK) rc = look_into_script(w, err);
  if (rc == MW_OK) rc = mw_cache_folder(w->at, w->mem, &w->folder, err);
  if (rc != MW_OK) return rc;
  w->made = mw_arena_printf(w->mem, "%s/%s%s", w->folder, key, ending(w));
  w->txt = mw_arena_printf(w->mem, "%s/%s.txt", w->folder, key);
  rc = mw_arena_check(w->mem, err);
  if (rc != MW_OK) return rc;
  if (w->reads_others || !is_cached(w, props)) {
    int fd = lock(w);
    if (w->reads_others || !is_cached(w, props)) rc = run_mesher(w, props, err);
    if (fd >= 0) close(fd);
  }
  return rc;
}

mw_code mw_cad_mesh(const mw_body_in *body, mw_arena *mem, const char **msh_path,
                    mw_cad_props *props, mw_error *err)
{
  cad_job w = { .cad = body->cad, .at = body->cad->at, .mem = mem };
  mw_cad_props p = { 0 };
  mw_code rc = make(&w, &p, err);
  if (rc == MW_OK) rc = check_volume(&w, &p, err);
  if (rc != MW_OK) return rc;
  *msh_path = w.made;
  *props = p;
  return MW_OK;
}

mw_code mw_cad_solids(const mw_cad_in *cad, mw_arena *mem, const char **path, mw_cad_props *props,
                      mw_error *err)
{
  cad_job w = { .cad = cad, .at = cad->at, .mem = mem, .parts = true };
  mw_cad_props p = { 0 };
  mw_code rc = make(&w, &p, err);
  if (rc != MW_OK) return rc;
  if (path) *path = w.made;
  *props = p;
  return MW_OK;
}
