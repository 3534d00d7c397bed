// SPDX-License-Identifier: BSD-3-Clause
// test_units.c: units of a reduction: the same bytes in every process, at any time and in any
// order; broken arguments are errors. Nothing here has a tolerance: results are compared bit for
// bit.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture_units.h"
#include "mw_test.h"
#include "reduction/ncfile.h"

// The machine's reduction with its units, made once; freed by the last test.
static struct {
  mw_fixture f;
  mw_units r;
  mw_rom_file rom;
  char folder[40];  // its cache
  bool good;
} machine = { .folder = "/tmp/modeway_test_units_XXXXXX" };

static bool of_machine(void)
{
  if (machine.r.z) return machine.good;
  machine.good = MW_CHECK(mw_fixture_machine(NULL, &machine.f)) &&
                 MW_CHECK(mkdtemp(machine.folder) != NULL) &&
                 mw_units_reduce(&machine.f, machine.folder, &machine.r, &machine.rom);
  return machine.good;
}

static void machine_free(void)
{
  if (!machine.r.z) return;
  mw_units_forget(&machine.r);
  mw_rom_file_free(&machine.rom);
  mw_units_remove_folder(machine.folder);
  mw_fixture_free(&machine.f);
}

// Does unit u with z; the result must be the one remembered.
static void again(mw_offline *z, const mw_unit_done *u)
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
  const mw_units *r = &machine.r;
  mw_error err = { 0 };
  mw_offline *z = NULL;
  int kinds[MW_UNIT_ARPACK + 1] = { 0 };
  char other[] = "/tmp/modeway_test_units_XXXXXX";
  if (!of_machine() || !MW_CHECK(mkdtemp(other) != NULL)) return;
  for (int i = 0; i < r->n; i++) kinds[r->unit[i].kind]++;
  MW_CHECK(kinds[MW_UNIT_BODY] >= 4 && kinds[MW_UNIT_COUNT] >= 2);  // rough and fine, two bodies
  MW_CHECK(kinds[MW_UNIT_MODES] >= 5 && kinds[MW_UNIT_SAMPLE] >= 1);
  MW_CHECK(kinds[MW_UNIT_PROJECTED] >= 2);
  MW_CHECK(kinds[MW_UNIT_ARPACK] == kinds[MW_UNIT_PROOF]);
  if (MW_OKAY(mw_offline_init(&machine.f.model, &machine.f.mech, other, &z, &err)))
    for (int i = r->n - 1; i >= 0; i--) again(z, &r->unit[i]);  // the last first
  mw_offline_free(z);
  for (int i = 0; i < r->n; i += 3) {  // each in a process of its own, without a cache
    if (MW_OKAY(mw_offline_init(&machine.f.model, &machine.f.mech, NULL, &z, &err)))
      again(z, &r->unit[i]);
    mw_offline_free(z);
  }
  mw_units_remove_folder(other);
}

static void units_with_and_without_a_cache_lead_to_the_same_file(void)
{
  mw_rom_file without = { 0 };
  mw_error err = { 0 };
  char path[2][600], *data[2] = { NULL, NULL };
  size_t n[2] = { 0, 0 };
  if (!of_machine()) return;
  bool good = MW_OKAY(mw_reduce(&machine.f.model, &machine.f.mech, NULL, &without, &err));
  const mw_rom_file *rom[2] = { &machine.rom, &without };
  for (int i = 0; good && i < 2; i++) {
    snprintf(path[i], sizeof path[i], "%s/%d.nc", machine.folder, i);
    good = MW_OKAY(mw_rom_file_write(rom[i], path[i], &err)) &&
           MW_OKAY(mw_file_read(path[i], &data[i], &n[i], &err));
  }
  if (good) MW_CHECK(n[0] == n[1] && memcmp(data[0], data[1], n[0]) == 0);
  for (int i = 0; i < 2; i++) free(data[i]);
  mw_rom_file_free(&without);
}

// Samples that were taken before the bodies' bases are solved by ARPACK and proved beside these;
// where a mode is missing, or ARPACK's are others than were counted, they are taken again, with the
// search for it: of modes that were all there, the same ones.
static void samples_whose_proof_fails_are_taken_again(void)
{
  mw_fixture f;
  enum { N = 3 };
  mw_units r[N] = { { .refute = false }, { .refute = true }, { .differ = true } };
  mw_rom_file rom[N] = { 0 };
  char folder[N][40] = { "/tmp/modeway_test_units_XXXXXX", "/tmp/modeway_test_units_XXXXXX",
                         "/tmp/modeway_test_units_XXXXXX" };
  if (!MW_CHECK(mw_fixture_beam("SS", 40, 0.5, 1.0, 5, 1, "", &f))) return;
  for (int i = 0; i < N; i++)
    MW_CHECK(mkdtemp(folder[i]) && mw_units_reduce(&f, folder[i], &r[i], &rom[i]));
  int n_proof = mw_units_of(&r[0], MW_UNIT_PROOF), n_sample = mw_units_of(&r[0], MW_UNIT_SAMPLE);
  const mw_certificate *c = &rom[0].certificate;
  MW_CHECK(n_proof > 0 && n_sample > 0 && c->arpack_proved > 0 && c->arpack_missed == 0);
  for (int i = 1; i < N; i++) {
    const mw_certificate *d = &rom[i].certificate;
    MW_CHECK(mw_units_of(&r[i], MW_UNIT_PROOF) == n_proof);
    MW_CHECK(mw_units_of(&r[i], MW_UNIT_SAMPLE) == n_sample + n_proof);
    MW_CHECK(c->arpack_proved == d->arpack_proved && d->arpack_missed == 0);
    MW_CHECK(c->arpack_apart == d->arpack_apart);
    MW_CHECK(c->max_frequency_error == d->max_frequency_error);
  }
  for (int i = 0; i < N; i++) {
    mw_units_forget(&r[i]);
    mw_rom_file_free(&rom[i]);
    mw_units_remove_folder(folder[i]);
  }
  mw_fixture_free(&f);
}

static void broken_arguments_are_errors(void)
{
  static const int wrong[] = { -1, 1 << 20, INT_MAX, INT_MIN };
  const mw_units *r = &machine.r;
  int seen = 0;
  if (!of_machine()) return;
  for (int i = r->n - 1; i >= 0; i--) {
    const mw_unit_done *u = &r->unit[i];
    if (seen & 1 << u->kind) continue;
    seen |= 1 << u->kind;
    for (size_t n = 0; n < u->args.n; n += 1 + u->args.n / 40)
      mw_units_fails(r->z, u->kind, u->args.p, n);
    mw_bytes more = mw_units_copy(u->args.p, u->args.n);
    mw_units_fails(r->z, u->kind, more.p, more.n + 1);
    mw_units_fails(r->z, 0, more.p, more.n);
    mw_units_fails(r->z, 99, more.p, more.n);
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
        mw_units_fails(r->z, u->kind, more.p, more.n);
      }
    free(more.p);
  }
  MW_CHECK(seen == (1 << MW_UNIT_BODY | 1 << MW_UNIT_COUNT | 1 << MW_UNIT_MODES |
                    1 << MW_UNIT_SAMPLE | 1 << MW_UNIT_PROJECTED));
  machine_free();
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "units_have_the_same_bytes_in_any_order", units_have_the_same_bytes_in_any_order },
    { "units_with_and_without_a_cache_lead_to_the_same_file",
      units_with_and_without_a_cache_lead_to_the_same_file },
    { "samples_whose_proof_fails_are_taken_again", samples_whose_proof_fails_are_taken_again },
    { "broken_arguments_are_errors", broken_arguments_are_errors },
  };
  return mw_test_run("units", cases, (int)(sizeof cases / sizeof *cases));
}
