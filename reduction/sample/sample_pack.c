// SPDX-License-Identifier: BSD-3-Clause
// sample_pack.c: samples as bytes, for units of work: sizes, then the arrays in the order of
// sample_layer.h.
#include <string.h>

#include "sample_layer.h"

enum { HEADER = 10 };

static void header_of(mw_sample *z, int *head[HEADER])
{
  int *h[HEADER] = { &z->n,        &z->k,      &z->n_mac,    &z->n_io,     &z->n_load,
                     &z->n_stress, &z->solver, &z->n_missed, &z->n_proved, &z->motions };
  memcpy(head, h, sizeof h);
}

void mw_sample_pack(const mw_sample *z, mw_pack *p)
{
  mw_sample copy = *z;
  int *head[HEADER];
  size_t k = (size_t)z->k, nl = (size_t)z->n_load;
  header_of(&copy, head);
  for (int i = 0; i < HEADER; i++) mw_pack_int(p, 1, head[i]);
  mw_pack_f64(p, MW_ROM_MAX_S, z->theta);
  mw_pack_f64(p, 1, &z->apart);
  mw_pack_f64(p, k, z->lambda);
  mw_pack_f64(p, (size_t)z->n_mac * (size_t)z->n, z->A);
  mw_pack_f64(p, k * nl, z->B);
  mw_pack_f64(p, nl * nl, z->F0);
  mw_pack_f64(p, nl * nl, z->F1);
  mw_pack_f64(p, nl * (size_t)z->n_stress, z->stress);
}

mw_code mw_sample_unpack(mw_unpack *u, mw_sample *out, mw_arena *mem, mw_error *err)
{
  mw_sample z = { 0 };
  int *head[HEADER];
  header_of(&z, head);
  bool good = true;
  for (int i = 0; i < HEADER; i++) {
    mw_unpack_int(u, 1, head[i]);
    good = good && *head[i] >= 0;
  }
  size_t k = (size_t)z.k, nl = (size_t)z.n_load;
  // all that follows must be there before memory is asked for
  double want = MW_ROM_MAX_S + 1.0 + (double)k + (double)z.n_mac * z.n + (double)k * (double)nl +
                2.0 * (double)nl * (double)nl + (double)nl * z.n_stress;
  if (u->failed || !good || z.solver >= MW_SOLVERS || z.n_mac > z.k || z.n_io > z.n_load ||
      want * (double)sizeof(double) > (double)u->left)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a sample of the full mechanism is not complete");
  z.A = mw_arena_f64(mem, (size_t)z.n_mac * (size_t)z.n);
  z.F0 = mw_arena_f64(mem, nl * nl);
  z.F1 = mw_arena_f64(mem, nl * nl);
  z.stress = mw_arena_f64(mem, nl * (size_t)z.n_stress);
  z.lambda = mw_arena_f64(mem, k);
  z.B = mw_arena_f64(mem, k * nl);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  mw_unpack_f64(u, MW_ROM_MAX_S, z.theta);
  mw_unpack_f64(u, 1, &z.apart);
  mw_unpack_f64(u, k, z.lambda);
  mw_unpack_f64(u, (size_t)z.n_mac * (size_t)z.n, z.A);
  mw_unpack_f64(u, k * nl, z.B);
  mw_unpack_f64(u, nl * nl, z.F0);
  mw_unpack_f64(u, nl * nl, z.F1);
  mw_unpack_f64(u, nl * (size_t)z.n_stress, z.stress);
  if (u->failed)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "a sample of the full mechanism is not complete");
  *out = z;
  return MW_OK;
}
