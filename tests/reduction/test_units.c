// SPDX-License-Identifier: BSD-3-Clause
// test_units.c: units of a reduction: the same bytes in every process, at any time and in any
// order; broken arguments are errors. Nothing here has a tolerance: results are compared bit for
// bit.
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fixture.h"
#include "mw_test.h"
#include "reduction/ncfile.h"
#include "reduction/reduce.h"
#include "work/offline_layer.h"

enum { MOST = 200 };

typedef struct done {  // a unit, copied
  int kind;
  mw_bytes args, result;
} done;

typedef struct recorder {
  mw_offline *z;
  bool refute;  // proofs of samples say that a mode is missing
  bool differ;  // samples by ARPACK say that they are another one's
  int n;
  done unit[MOST];
} recorder;

static mw_bytes copy_of(const void *p, size_t n)
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
  recorder *r = ctx;
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
  if (rc == MW_OK && MW_CHECK(r->n < MOST))
    r->unit[r->n++] = (done){ kind, copy_of(args, n_args), copy_of(result->p, result->n) };
  return rc;
}

static void forget(recorder *r)
{
  for (int i = 0; i < r->n; i++) {
    free(r->unit[i].args.p);
    free(r->unit[i].result.p);
  }
  mw_offline_free(r->z);
}

static void remove_folder(const char *dir)
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
static bool reduce(const mw_fixture *f, const char *folder, recorder *r, mw_rom_file *rom)
{
  mw_error err = { 0 };
  mw_work *work = NULL;
  *r = (recorder){ .refute = r->refute, .differ = r->differ };
  mw_work_opt opt = { .fn = record, .ctx = r, .context = "test" };
  bool good = MW_OKAY(mw_offline_init(&f->model, &f->mech, folder, &r->z, &err)) &&
              MW_OKAY(mw_work_init(&opt, &work, &err));
  mw_reduce_opt how = { .cache = folder, .work = work, .ctx = r->z };
  good = good && MW_OKAY(mw_reduce(&f->model, &f->mech, &how, rom, &err));
  mw_work_free(work);
  return good;
}

// Does unit u with z; the result must be the one remembered.
static void again(mw_offline *z, const done *u)
{
  mw_bytes result = { 0 };
  mw_error err = { 0 };
  if (MW_OKAY(mw_reduce_unit(z, u->kind, u->args.p, u->args.n, &result, &err)) &&
      MW_CHECK(result.n == u->result.n))
    MW_CHECK(memcmp(result.p, u->result.p, result.n) == 0);
  free(result.p);
}

static void units_have_the_same_bytes_in_any_order(void)
{
  mw_fixture f;
  recorder r = { .refute = false };
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  char folder[] = "/tmp/modeway_test_units_XXXXXX", other[] = "/tmp/modeway_test_units_XXXXXX";
  if (!MW_CHECK(mw_fixture_machine(NULL, &f)) || !MW_CHECK(mkdtemp(folder) && mkdtemp(other)))
    return;
  if (reduce(&f, folder, &r, &rom)) {
    int kinds[MW_UNIT_ARPACK + 1] = { 0 };
    for (int i = 0; i < r.n; i++) kinds[r.unit[i].kind]++;
    MW_CHECK(kinds[MW_UNIT_BODY] >= 4 && kinds[MW_UNIT_COUNT] >= 2);  // rough and fine, two bodies
    MW_CHECK(kinds[MW_UNIT_MODES] >= 5 && kinds[MW_UNIT_SAMPLE] >= 1);
    MW_CHECK(kinds[MW_UNIT_PROJECTED] >= 2);
    MW_CHECK(kinds[MW_UNIT_ARPACK] == kinds[MW_UNIT_PROOF]);
    mw_offline *z = NULL;
    if (MW_OKAY(mw_offline_init(&f.model, &f.mech, other, &z, &err)))  // the last first
      for (int i = r.n - 1; i >= 0; i--) again(z, &r.unit[i]);
    mw_offline_free(z);
    for (int i = 0; i < r.n; i += 3) {  // each in a process of its own, without a cache
      if (MW_OKAY(mw_offline_init(&f.model, &f.mech, NULL, &z, &err))) again(z, &r.unit[i]);
      mw_offline_free(z);
    }
  }
  forget(&r);
  mw_rom_file_free(&rom);
  remove_folder(folder);
  remove_folder(other);
  mw_fixture_free(&f);
}

static void units_with_and_without_a_cache_lead_to_the_same_file(void)
{
  mw_fixture f;
  recorder r = { .refute = false };
  mw_rom_file rom[2] = { 0 };
  mw_error err = { 0 };
  char folder[] = "/tmp/modeway_test_units_XXXXXX", path[2][600], *data[2] = { NULL, NULL };
  size_t n[2] = { 0, 0 };
  if (!MW_CHECK(mw_fixture_machine(NULL, &f)) || !MW_CHECK(mkdtemp(folder) != NULL)) return;
  bool good =
      reduce(&f, folder, &r, &rom[0]) && MW_OKAY(mw_reduce(&f.model, &f.mech, NULL, &rom[1], &err));
  for (int i = 0; good && i < 2; i++) {
    snprintf(path[i], sizeof path[i], "%s/%d.nc", folder, i);
    good = MW_OKAY(mw_rom_file_write(&rom[i], path[i], &err)) &&
           MW_OKAY(mw_file_read(path[i], &data[i], &n[i], &err));
  }
  if (good) MW_CHECK(n[0] == n[1] && memcmp(data[0], data[1], n[0]) == 0);
  for (int i = 0; i < 2; i++) {
    free(data[i]);
    mw_rom_file_free(&rom[i]);
  }
  forget(&r);
  remove_folder(folder);
  mw_fixture_free(&f);
}

static int units_of(const recorder *r, int kind)
{
  int n = 0;
  for (int i = 0; i < r->n; i++) n += r->unit[i].kind == kind;
  return n;
}

// Samples that were taken before the bodies' bases are solved by ARPACK and proved beside these;
// where a mode is missing, or ARPACK's are others than were counted, they are taken again, with the
// search for it: of modes that were all there, the same ones.
static void samples_whose_proof_fails_are_taken_again(void)
{
  mw_fixture f;
  enum { N = 3 };
  recorder r[N] = { { .refute = false }, { .refute = true }, { .differ = true } };
  mw_rom_file rom[N] = { 0 };
  char folder[N][40] = { "/tmp/modeway_test_units_XXXXXX", "/tmp/modeway_test_units_XXXXXX",
                         "/tmp/modeway_test_units_XXXXXX" };
  if (!MW_CHECK(mw_fixture_beam("SS", 40, 0.5, 1.0, 5, 1, "", &f))) return;
  for (int i = 0; i < N; i++) MW_CHECK(mkdtemp(folder[i]) && reduce(&f, folder[i], &r[i], &rom[i]));
  int n_proof = units_of(&r[0], MW_UNIT_PROOF), n_sample = units_of(&r[0], MW_UNIT_SAMPLE);
  const mw_certificate *c = &rom[0].certificate;
  MW_CHECK(n_proof > 0 && n_sample > 0 && c->arpack_proved > 0 && c->arpack_missed == 0);
  for (int i = 1; i < N; i++) {
    const mw_certificate *d = &rom[i].certificate;
    MW_CHECK(units_of(&r[i], MW_UNIT_PROOF) == n_proof);
    MW_CHECK(units_of(&r[i], MW_UNIT_SAMPLE) == n_sample + n_proof);
    MW_CHECK(c->arpack_proved == d->arpack_proved && d->arpack_missed == 0);
    MW_CHECK(c->arpack_apart == d->arpack_apart);
    MW_CHECK(c->max_frequency_error == d->max_frequency_error);
  }
  for (int i = 0; i < N; i++) {
    forget(&r[i]);
    mw_rom_file_free(&rom[i]);
    remove_folder(folder[i]);
  }
  mw_fixture_free(&f);
}

// The unit fails and gives nothing.
static void fails(mw_offline *z, int kind, const void *args, size_t n)
{
  mw_bytes result = { NULL, 77 };
  mw_error err = { 0 };
  MW_CHECK(mw_reduce_unit(z, kind, args, n, &result, &err) != MW_OK && err.msg[0]);
  MW_CHECK(result.p == NULL && result.n == 77);
}

// Where the shift that bodies are counted at lies above a sample's modes, it serves those, too: no
// other count is made, and all modes of the sample are proved. Counts that refute it and the body
// have both made again: of modes that were all there, the same ones.
static void one_shift_counts_bodies_and_samples(void)
{
  mw_fixture f;
  enum { N = 2, COUNT = 14 };
  recorder r[N] = { { .refute = false }, { .refute = true } };
  mw_rom_file rom[N] = { 0 };
  char folder[N][40] = { "/tmp/modeway_test_units_XXXXXX", "/tmp/modeway_test_units_XXXXXX" };
  const char *one = "  certificate: { points: 1, band: 50, samples: 4 }\n";
  if (!MW_CHECK(mw_fixture_beam("SS", 240, 1e-3, 0.0, 5, COUNT, one, &f))) return;
  for (int i = 0; i < N; i++) {
    MW_CHECK(mkdtemp(folder[i]) && reduce(&f, folder[i], &r[i], &rom[i]));
    MW_CHECK(units_of(&r[i], MW_UNIT_INERTIA) == 1);
    MW_CHECK(units_of(&r[i], MW_UNIT_COUNT) == 0 && units_of(&r[i], MW_UNIT_PROOF) == 0);
    MW_CHECK(rom[i].certificate.arpack_missed == 0);
    MW_CHECK(rom[i].certificate.max_frequency_error == rom[0].certificate.max_frequency_error);
  }
  int n_sample = units_of(&r[0], MW_UNIT_SAMPLE), n_body = units_of(&r[0], MW_UNIT_BODY),
      n_arpack = units_of(&r[0], MW_UNIT_ARPACK);
  MW_CHECK(n_arpack > 0 && rom[0].certificate.arpack_proved > COUNT);
  MW_CHECK(units_of(&r[1], MW_UNIT_SAMPLE) == n_sample + 1);
  MW_CHECK(units_of(&r[1], MW_UNIT_BODY) == n_body + 1);
  for (int i = 0; i < r[0].n; i++) {  // numbers of configurations that are not there
    const done *u = &r[0].unit[i];
    static const int wrong[] = { 2, 0, -1, INT_MAX };
    if (u->kind != MW_UNIT_INERTIA) continue;
    fails(r[0].z, u->kind, u->args.p, u->args.n - 1);
    for (int w = 0; w < 4; w++) {
      mw_bytes bad = copy_of(u->args.p, u->args.n);
      memcpy(bad.p, &wrong[w], sizeof wrong[w]);
      fails(r[0].z, u->kind, bad.p, bad.n);
      free(bad.p);
    }
  }
  for (int i = 0; i < N; i++) {
    forget(&r[i]);
    mw_rom_file_free(&rom[i]);
    remove_folder(folder[i]);
  }
  mw_fixture_free(&f);
}

static void broken_arguments_are_errors(void)
{
  static const int wrong[] = { -1, 1 << 20, INT_MAX, INT_MIN };
  mw_fixture f;
  recorder r = { .refute = false };
  mw_rom_file rom = { 0 };
  char folder[] = "/tmp/modeway_test_units_XXXXXX";
  if (!MW_CHECK(mw_fixture_machine(NULL, &f)) || !MW_CHECK(mkdtemp(folder) != NULL)) return;
  if (reduce(&f, folder, &r, &rom)) {
    int seen = 0;
    for (int i = r.n - 1; i >= 0; i--) {
      const done *u = &r.unit[i];
      if (seen & 1 << u->kind) continue;
      seen |= 1 << u->kind;
      for (size_t n = 0; n < u->args.n; n += 1 + u->args.n / 40) fails(r.z, u->kind, u->args.p, n);
      mw_bytes more = copy_of(u->args.p, u->args.n);
      fails(r.z, u->kind, more.p, more.n + 1);
      fails(r.z, 0, more.p, more.n);
      fails(r.z, 99, more.p, more.n);
      // numbers at the front: configurations, modes, body, modes compared (units.c)
      for (int at = 0; at < 4; at++)
        for (int w = 0; w < 4; w++) {
          bool asked = at == 2 ? u->kind == MW_UNIT_BODY || u->kind == MW_UNIT_COUNT
                               : u->kind == MW_UNIT_MODES || u->kind == MW_UNIT_SAMPLE ||
                                     u->kind == MW_UNIT_PROJECTED;
          if (!asked || (at == 0 && u->kind == MW_UNIT_SAMPLE) ||
              (at == 3 && u->kind == MW_UNIT_MODES))
            continue;
          memcpy(more.p, u->args.p, u->args.n);
          memcpy(more.p + sizeof(int) * (size_t)at, &wrong[w], sizeof(int));
          fails(r.z, u->kind, more.p, more.n);
        }
      free(more.p);
    }
    MW_CHECK(seen == (1 << MW_UNIT_BODY | 1 << MW_UNIT_COUNT | 1 << MW_UNIT_MODES |
                      1 << MW_UNIT_SAMPLE | 1 << MW_UNIT_PROJECTED));
  }
  forget(&r);
  mw_rom_file_free(&rom);
  remove_folder(folder);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "units_have_the_same_bytes_in_any_order", units_have_the_same_bytes_in_any_order },
    { "units_with_and_without_a_cache_lead_to_the_same_file",
      units_with_and_without_a_cache_lead_to_the_same_file },
    { "samples_whose_proof_fails_are_taken_again", samples_whose_proof_fails_are_taken_again },
    { "one_shift_counts_bodies_and_samples", one_shift_counts_bodies_and_samples },
    { "broken_arguments_are_errors", broken_arguments_are_errors },
  };
  return mw_test_run("units", cases, (int)(sizeof cases / sizeof *cases));
}
