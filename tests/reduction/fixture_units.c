// SPDX-License-Identifier: BSD-3-Clause
// fixture_units.c: see fixture_units.h.
#include "fixture_units.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"

mw_bytes mw_units_copy(const void *p, size_t n)
{
  mw_bytes b = { malloc(n + 1), n };
  if (b.p && n > 0) memcpy(b.p, p, n);
  return b;
}

// A sample whose frequencies differ from block Lanczos's by 1e-6
static mw_code move_apart(mw_bytes *result, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_sample z;
  mw_pack out = { 0 };
  mw_unpack in = { .p = result->p, .left = result->n };
  mw_code rc = mw_sample_unpack(&in, &z, &mem, err);
  z.apart = 1e-6;
  if (rc == MW_OK) mw_sample_pack(&z, &out);
  free(result->p);
  *result = out.b;
  mw_arena_free(&mem);
  return rc;
}

// mw_reduce_unit, remembered
static mw_code record(void *ctx, int kind, const unsigned char *args, size_t n_args,
                      mw_bytes *result, mw_error *err)
{
  mw_units *r = ctx;
  mw_code rc = mw_reduce_unit(r->z, kind, args, n_args, result, err);
  const int missing = 1;  // behind the number of modes proved
  if (rc == MW_OK && r->refute && kind == MW_UNIT_PROOF)
    memcpy(result->p + sizeof(int), &missing, sizeof missing);
  if (rc == MW_OK && kind == MW_UNIT_INERTIA) {
    size_t last = result->n / sizeof(int) - 1;  // of bodies, then of samples
    int *count = (int *)result->p;
    for (size_t i = 0; r->refute && i <= last; i++) count[i]++;
  }
  if (rc == MW_OK && r->differ && kind == MW_UNIT_ARPACK) rc = move_apart(result, err);
  if (rc == MW_OK && MW_CHECK(r->n < MW_UNITS_MOST))
    r->unit[r->n++] =
        (mw_unit_done){ kind, mw_units_copy(args, n_args), mw_units_copy(result->p, result->n) };
  return rc;
}

void mw_units_forget(mw_units *r)
{
  for (int i = 0; i < r->n; i++) {
    free(r->unit[i].args.p);
    free(r->unit[i].result.p);
  }
  mw_offline_free(r->z);
}

void mw_units_remove_folder(const char *dir)
{
  char path[600];
  DIR *d = opendir(dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    snprintf(path, sizeof path, "%.200s/%.255s", dir, e->d_name);
    (void)unlink(path);
  }
  if (d) closedir(d);
  MW_CHECK(rmdir(dir) == 0);
}

// A reduction whose units are remembered; f and folder (a cache, new) are the caller's.
bool mw_units_reduce(const mw_fixture *f, const char *folder, mw_units *r, mw_rom_file *rom)
{
  mw_error err = { 0 };
  mw_work *work = NULL;
  *r = (mw_units){ .refute = r->refute, .differ = r->differ };
  mw_work_opt opt = { .fn = record, .ctx = r, .context = "test" };
  bool good = MW_OKAY(mw_offline_init(&f->model, &f->mech, folder, &r->z, &err)) &&
              MW_OKAY(mw_work_init(&opt, &work, &err));
  mw_reduce_opt how = { .cache = folder, .work = work, .ctx = r->z };
  good = good && MW_OKAY(mw_reduce(&f->model, &f->mech, &how, rom, &err));
  mw_work_free(work);
  return good;
}

int mw_units_of(const mw_units *r, int kind)
{
  int n = 0;
  for (int i = 0; i < r->n; i++) n += r->unit[i].kind == kind;
  return n;
}

// The unit fails and gives nothing.
void mw_units_fails(mw_offline *z, int kind, const void *args, size_t n)
{
  mw_bytes result = { NULL, 77 };
  mw_error err = { 0 };
  MW_CHECK(mw_reduce_unit(z, kind, args, n, &result, &err) != MW_OK && err.msg[0]);
  MW_CHECK(result.p == NULL && result.n == 77);
}
