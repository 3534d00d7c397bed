// SPDX-License-Identifier: BSD-3-Clause
// test_units_shift.c: units that count the modes of bodies and samples at one shift, on a body of
// 1400 unknowns. Nothing here has a tolerance.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fixture_units.h"
#include "mw_test.h"

// Where the shift that bodies are counted at lies above a sample's modes, it serves those, too: no
// other count is made, and all modes of the sample are proved. Counts that refute it and the body
// have both made again: of modes that were all there, the same ones.
static void one_shift_counts_bodies_and_samples(void)
{
  mw_fixture f;
  enum { N = 2, COUNT = 14 };
  mw_units r[N] = { { .refute = false }, { .refute = true } };
  mw_rom_file rom[N] = { 0 };
  char folder[N][40] = { "/tmp/modeway_test_units_XXXXXX", "/tmp/modeway_test_units_XXXXXX" };
  const char *one = "  certificate: { points: 1, band: 50, samples: 4 }\n";
  if (!MW_CHECK(mw_fixture_beam("SS", 240, 1e-3, 0.0, 5, COUNT, one, &f))) return;
  for (int i = 0; i < N; i++) {
    MW_CHECK(mkdtemp(folder[i]) && mw_units_reduce(&f, folder[i], &r[i], &rom[i]));
    MW_CHECK(mw_units_of(&r[i], MW_UNIT_INERTIA) == 1);
    MW_CHECK(mw_units_of(&r[i], MW_UNIT_COUNT) == 0 && mw_units_of(&r[i], MW_UNIT_PROOF) == 0);
    MW_CHECK(rom[i].certificate.arpack_missed == 0);
    MW_CHECK(rom[i].certificate.max_frequency_error == rom[0].certificate.max_frequency_error);
  }
  int n_sample = mw_units_of(&r[0], MW_UNIT_SAMPLE), n_body = mw_units_of(&r[0], MW_UNIT_BODY),
      n_arpack = mw_units_of(&r[0], MW_UNIT_ARPACK);
  MW_CHECK(n_arpack > 0 && rom[0].certificate.arpack_proved > COUNT);
  MW_CHECK(mw_units_of(&r[1], MW_UNIT_SAMPLE) == n_sample + 1);
  MW_CHECK(mw_units_of(&r[1], MW_UNIT_BODY) == n_body + 1);
  for (int i = 0; i < r[0].n; i++) {  // numbers of configurations that are not there
    const mw_unit_done *u = &r[0].unit[i];
    static const int wrong[] = { 2, 0, -1, INT_MAX };
    if (u->kind != MW_UNIT_INERTIA) continue;
    mw_units_fails(r[0].z, u->kind, u->args.p, u->args.n - 1);
    for (int w = 0; w < 4; w++) {
      mw_bytes bad = mw_units_copy(u->args.p, u->args.n);
      memcpy(bad.p, &wrong[w], sizeof wrong[w]);
      mw_units_fails(r[0].z, u->kind, bad.p, bad.n);
      free(bad.p);
    }
  }
  for (int i = 0; i < N; i++) {
    mw_units_forget(&r[i]);
    mw_rom_file_free(&rom[i]);
    mw_units_remove_folder(folder[i]);
  }
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "one_shift_counts_bodies_and_samples", one_shift_counts_bodies_and_samples },
  };
  return mw_test_run("units_shift", cases, (int)(sizeof cases / sizeof *cases));
}
