// SPDX-License-Identifier: BSD-3-Clause
// rom_layout.c: where the work's parts lie: written once and run twice, with no memory it only
// measures. Written in `real`.
#include "rom_layer.h"

// The next n reals of base (NULL: measure only), each slice 64-byte aligned.
ROM_INLINE real *slice(real *base, size_t *used, int n)
{
  real *at = base ? base + *used : NULL;
  *used += ((size_t)n + ROM_ROW - 1) / ROM_ROW * ROM_ROW;
  return at;
}

// Of the exponential step.
static void layout_exp(rom_work *w, const mw_rom *rom, real *base, size_t *used)
{
  int s = rom->s, n = s + rom->m, np = w->np;
  w->K = slice(base, used, n * np);
  w->C = slice(base, used, n * np);
  w->Kt = slice(base, used, n * np);
  w->Ct = slice(base, used, n * np);
  w->S0 = slice(base, used, n * np);
  w->Sr = slice(base, used, n * np);
  w->Si = slice(base, used, n * np);
  real *L0 = slice(base, used, n * np), *Lr = slice(base, used, n * np),
       *Li = slice(base, used, n * np);
  w->L0 = ROM_PAD > 1 ? L0 : w->S0;
  w->Lr = ROM_PAD > 1 ? Lr : w->Sr;
  w->Li = ROM_PAD > 1 ? Li : w->Si;
  w->E0 = slice(base, used, rom_n_G(rom) * MW_ROM_MAX_G);
  w->M = slice(base, used, s * np);
  w->held = slice(base, used, np);
  w->kv = slice(base, used, np);
  w->ka = slice(base, used, np);
  w->ma = slice(base, used, np);
  w->side = slice(base, used, 3 * np);
  w->z = slice(base, used, 3 * np);
  w->slope = slice(base, used, rom->n_law * np);
  w->f_y = slice(base, used, rom->n_law);
  w->f_v = slice(base, used, rom->n_law);
  w->gap = slice(base, used, 2 * n);
}

// Of one evaluation of the equations of motion: what comes first.
ROM_INLINE void terms_of_size(const int s, const int m, rom_work *w, const mw_rom *rom, real *base,
                              size_t *used)
{
  const int mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  w->lay = rom_layout_of(rom, s, m);
  w->mp = rom_padded(m);
  w->np = rom_row(s + m);
  w->del = slice(base, used, w->mp);
  w->deld = slice(base, used, w->mp);
  w->dd = slice(base, used, mm + ROM_ROW);
  w->dv = slice(base, used, mm + ROM_ROW);
  w->vd = slice(base, used, mk + ROM_ROW);
  w->sym = slice(base, used, mm + ROM_ROW);
  w->skew = slice(base, used, mk + ROM_ROW);
  w->e_w = slice(base, used, w->mp);
  const int columns = (s + 2 + (rom_parts(rom) & MW_ROM_H ? s : 0)) * m * w->mp,
            parts = 8 * (s * (s + 1) + s * (1 + s * (s + 1) / 2) + 2 * s * (s - 1));
  w->columns = slice(base, used, columns > parts ? columns : parts);
  w->both = slice(base, used, w->mp);
  w->image = slice(base, used, rom_parts(rom) || rom->n_Y > 0 ? w->mp : 0);
  w->E = slice(base, used, rom_n_G(rom) * MW_ROM_MAX_G);
  w->P = slice(base, used, rom_n_G(rom) * MW_ROM_MAX_G);
  w->SB = slice(base, used, rom_n_G(rom) > 0 ? s * w->mp : 0);
  w->B = slice(base, used, s * w->mp);
  w->r_delta = slice(base, used, w->mp);
  w->f_delta = slice(base, used, w->mp);
  w->acc = slice(base, used, w->np);
  w->rho = slice(base, used, w->np);
  w->res = slice(base, used, w->np);
  w->value = slice(base, used, w->lay.n + ROM_ROW);
  w->gradient = slice(base, used, s * w->lay.n + ROM_ROW);
  w->law = slice(base, used, 6 * rom->n_law);
  w->train = (double *)(void *)slice(base, used, rom_train_doubles(rom));
}

// Sizes that loops are laid out for have constants here, too.
static void layout_terms(rom_work *w, const mw_rom *rom, real *base, size_t *used)
{
  ROM_OF_SIZE(terms_of_size, rom->s, rom->m, w, rom, base, used);
}

size_t rom_work_layout(rom_work *w, const mw_rom *rom, real *base)
{
  int s = rom->s, m = rom->m;
  size_t n = 0;
  layout_terms(w, rom, base, &n);
  layout_exp(w, rom, base, &n);
  w->mid = slice(base, &n, 2 * (s + m));
  w->next = slice(base, &n, 2 * (s + m));
  w->tmp = slice(base, &n, w->np);
  w->S = slice(base, &n, m * w->mp);
  w->W = slice(base, &n, s * w->mp);
  w->diag = slice(base, &n, w->mp);
  return n * sizeof(real);
}

void rom_work_init(rom_work *w, const mw_rom *rom, void *mem)
{
  (void)rom_work_layout(w, rom, (real *)mem);
}

void rom_work_init_terms(rom_work *w, const mw_rom *rom, void *mem)
{
  size_t n = 0;
  layout_terms(w, rom, (real *)mem, &n);
}
