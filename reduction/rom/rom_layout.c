// SPDX-License-Identifier: BSD-3-Clause
// rom_layout.c: where the work's parts lie: written once and run twice, with no memory it only measures. Written in `real`.
#include "rom_priv.h"

// The next n reals of base (NULL: measure only), each slice 64-byte aligned.
static real *slice(real *base, size_t *used, int n)
{
  real *at = base ? base + *used : NULL;
  *used += ((size_t)n + ROM_PAD - 1) / ROM_PAD * ROM_PAD;
  return at;
}

// Of the exponential step.
static void layout_exp(rom_work *w, const mw_rom *rom, real *base, size_t *used)
{
  int s = rom->s, n = s + rom->m, np = w->np;
  w->K = slice(base, used, n * np);
  w->C = slice(base, used, n * np);
  w->S0 = slice(base, used, n * np);
  w->Sr = slice(base, used, n * np);
  w->Si = slice(base, used, n * np);
  w->A0 = slice(base, used, s * s);
  w->B0 = slice(base, used, s * w->mp);
  w->rho = slice(base, used, np);
  w->kv = slice(base, used, np);
  w->ka = slice(base, used, np);
  w->ma = slice(base, used, np);
  w->z = slice(base, used, 3 * np);
  w->row = slice(base, used, 3 * np);
  w->gap = slice(base, used, 2 * n);
}

size_t rom_work_layout(rom_work *w, const mw_rom *rom, real *base)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  size_t n = 0;
  w->lay = mw_rom_layout_of(s, m, rom->n_y);
  w->mp = (m + 7) / 8 * 8;
  w->np = (s + m + 7) / 8 * 8;
  w->value = slice(base, &n, w->lay.n);
  w->gradient = slice(base, &n, s * w->lay.n);
  w->dd = slice(base, &n, mm);
  w->dv = slice(base, &n, mm);
  w->vd = slice(base, &n, mk);
  w->sym = slice(base, &n, mm);
  w->skew1 = slice(base, &n, mk);
  w->skew2 = slice(base, &n, mk);
  w->B = slice(base, &n, s * w->mp);
  w->r_delta = slice(base, &n, w->mp);
  w->f_delta = slice(base, &n, w->mp);
  w->law = slice(base, &n, 6 * rom->n_law);
  w->mid = slice(base, &n, 2 * (s + m));
  w->next = slice(base, &n, 2 * (s + m));
  w->acc = slice(base, &n, w->np);
  layout_exp(w, rom, base, &n);
  w->S = slice(base, &n, m * w->mp);
  w->W = slice(base, &n, s * w->mp);
  w->diag = slice(base, &n, w->mp);
  w->res = slice(base, &n, w->np);
  w->tmp = slice(base, &n, w->np);
  w->train = (double *)(void *)slice(base, &n, rom_train_doubles(rom));
  return n * sizeof(real);
}

void rom_work_init(rom_work *w, const mw_rom *rom, void *mem)
{
  (void)rom_work_layout(w, rom, mem);
}
