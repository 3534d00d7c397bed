// SPDX-License-Identifier: BSD-3-Clause
// fixture_sample.c: see fixture_sample.h.
#include "fixture_sample.h"

#include <string.h>

#include "mw_test.h"

bool fixture_sample_place(fixture_sample *b, double theta)
{
  mw_error err = { 0 };
  mw_system_free(b->sys);
  b->sys = NULL;
  return MW_OKAY(mw_config_at(&b->f.mech, b->locked, 1, b->r.coord, &theta, NULL, &b->mem, &b->q,
                              &err)) &&
         MW_OKAY(mw_system_build(b->blocks, b->locked, false, b->q.p, b->q.s, &b->sys, &err));
}

bool fixture_sample_open(const char *kind, int elements, int grid, const char *extra,
                         fixture_sample *b)
{
  mw_error err = { 0 };
  *b = (fixture_sample){ 0 };
  if (!MW_CHECK(mw_fixture_beam(kind, elements, 0.5, 1.0, grid, 3, extra, &b->f))) return false;
  b->locked[0] = 1;
  b->r = (mw_reduction){ .model = &b->f.model,
                         .mech = &b->f.mech,
                         .s = 1,
                         .lo = { 0.0 },
                         .hi = { 1.0 },
                         .locked = b->locked,
                         .n_want = 3 };
  b->in = (mw_sample_in){
    .mech = &b->f.mech, .locked = b->locked, .s = 1, .q = &b->q, .k = 3, .rest = 1e-3
  };
  return MW_OKAY(mw_blocks_build(&b->f.mech, 0.0, false, &b->blocks, &err));
}

void fixture_sample_close(fixture_sample *b)
{
  mw_system_free(b->sys);
  mw_blocks_free(b->blocks);
  mw_arena_free(&b->mem);
  mw_fixture_free(&b->f);
}

int fixture_sample_load(const fixture_sample *b, const char *output, int axis)
{
  mw_unit_load list[32];
  int n = mw_sample_unit_loads(&b->f.mech, b->locked, NULL);
  if (!MW_CHECK(n <= 32)) return -1;
  (void)mw_sample_unit_loads(&b->f.mech, b->locked, list);
  for (int i = 0; i < n; i++)
    if (list[i].output >= 0 && list[i].axis == axis &&
        strcmp(b->f.model.output[list[i].output].name, output) == 0)
      return i;
  return -1;
}
