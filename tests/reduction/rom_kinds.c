// SPDX-License-Identifier: BSD-3-Clause
// rom_kinds.c: reduced models of every kind.
//
// Any coefficients make a model of any kind: a mirror needs no symmetric table, a cyclic axis no
// overhang, as long as nobody looks across the mirror or the seam. Trains: every rank there is,
// written down without a decomposition.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rom_kinds.h"

static const mw_rom_law soft_laws[2] = {
  { 1, 3.0, 5.0, 0.7, 0.5, -0.2, 0.3, 20.0, 0.4, 0.3 },
  { SYN_N_Y - 1, 2.0, 1.0, 0.5, 0.6, -INFINITY, 0.1, 15.0, 0.2, 0.4 },
};

// The trains of every rank there is: core i selects, field is the table; three of them.
static int make_trains(rom_kind *m)
{
  size_t rank[MW_ROM_MAX_S + 1] = { 1 }, size = 0;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(&m->rom));
  int cut[4] = { 0, l.K, l.y + 1 + m->rom.m, l.n }, s = m->rom.s, last = 0;
  for (int i = 0; i < s; i++) {
    size_t n = m->rom.flat >> i & 1u ? 1 : (size_t)m->rom.n_grid[i] + 2;
    rank[i + 1] = rank[i] * n;
    if (n > 1) size += n * rank[i] * rank[i + 1];
    last = i + 1;
  }
  m->memory = calloc(size + rank[last] * (size_t)l.n, sizeof(double));
  if (m->memory == NULL) return 0;
  double *at = m->memory;
  for (int i = 0; i < s; i++) {
    size_t n = rank[i + 1] / rank[i];
    if (m->rom.flat >> i & 1u) continue;
    for (int c = 0; c < 3; c++) {
      m->train[c].rank[i] = (int)rank[i + 1];
      m->train[c].core[i] = at;
    }
    for (size_t k = 0; k < n; k++)
      for (size_t r = 0; r < rank[i]; r++) at[(k * rank[i] + r) * rank[i + 1] + r * n + k] = 1.0;
    at += n * rank[i] * rank[i + 1];
  }
  for (int c = 0; c < 3; c++) {
    size_t nf = (size_t)(cut[c + 1] - cut[c]);
    m->train[c].first = cut[c];
    m->train[c].n_field = (int)nf;
    m->train[c].field = at;
    for (size_t r = 0; r < rank[last]; r++, at += nf)
      memcpy(at, m->rom.coef + r * (size_t)l.n + cut[c], nf * sizeof(double));
  }
  m->rom.n_train = 3;
  m->rom.train = m->train;
  m->rom.coef = NULL;
  return 1;
}

int kind_make(int s, int n_mode, int n_grid, int kind, rom_kind *m)
{
  uint64_t seed = 31;
  memset(m, 0, sizeof *m);
  int made = kind & KIND_SECOND
                 ? synthetic_make_second(s, n_mode, n_grid, 1.0, 30.0, 0.05, 0.2, &m->syn)
                 : synthetic_make(s, n_mode, n_grid, 1.0, 30.0, 0.05, 0.2, &m->syn);
  if (!made) return 0;
  for (int i = 0; i < s; i++) m->syn.c_theta[i] = 0.3 + i;
  m->rom = m->syn.rom;
  m->slope = calloc(2 * MW_ROM_MAX_S * SYN_N_Y, sizeof(double));
  if (m->slope == NULL) return 0;
  m->shift = m->slope + MW_ROM_MAX_S * SYN_N_Y;
  if (kind & KIND_FLAT) m->rom.flat = 1u;
  if (kind & KIND_CYCLIC) m->rom.cyclic = 1u << (s - 1);
  if (kind & KIND_SYMMETRIC) m->rom.symmetric = (1u << s) - 1u - m->rom.flat;
  if (kind & KIND_LAWS) {
    m->rom.n_law = 2;
    m->rom.law = m->law;
    memcpy(m->law, soft_laws, sizeof soft_laws);
  }
  for (int k = 0; k < s * SYN_N_Y; k++) {
    m->slope[k] =
        (m->rom.flat | m->rom.cyclic) >> k / SYN_N_Y & 1u ? 1.0 + synthetic_random(&seed) : 0.0;
    m->shift[k] = synthetic_random(&seed);
    m->sign_y[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  }
  for (int k = 0; k < s * n_mode; k++) m->sign[k] = synthetic_random(&seed) < 0.0 ? -1 : 1;
  m->rom.y_slope = m->slope;
  m->rom.y_shift = m->shift;
  m->rom.mirror = m->sign;
  m->rom.mirror_y = m->sign_y;
  if ((kind & KIND_TRAIN) && !make_trains(m)) return 0;
  size_t bytes = mw_rom_sens_bytes(&m->rom);
  m->work = aligned_alloc(64, bytes);
  if (m->work == NULL || bytes % 64 != 0 || bytes < mw_rom_work_bytes(&m->rom)) return 0;
  memset(m->work, 0xff, bytes);
  return 1;
}

void kind_free(rom_kind *m)
{
  synthetic_free(&m->syn);
  free(m->memory);
  free(m->slope);
  free(m->work);
}

void kind_random_state(const mw_rom *rom, uint64_t *seed, double *x)
{
  int n = rom->s + rom->m;
  for (int k = 0; k < 2 * n; k++) x[k] = (k < rom->s ? 0.95 : 0.3) * synthetic_random(seed);
  for (int i = 0; i < rom->s; i++) x[n + i] *= 4.0;
}

// The middle of a random cell, of either half where symmetric; turned where cyclic.
void kind_middle_of_a_cell(const mw_rom *rom, uint64_t *seed, double *theta)
{
  for (int i = 0; i < rom->s; i++) {
    int is_half = (int)(rom->symmetric >> i & 1u), n = rom->n_grid[i] - 1;
    double way = rom->hi[i] - rom->lo[i], per = (is_half ? 0.5 : 1.0) * way / n;
    int cell = (int)(0.5 * (1.0 + synthetic_random(seed)) * (is_half ? 2 * n : n));
    theta[i] = rom->lo[i] + (cell + 0.5) * per;
    if (rom->cyclic >> i & 1u) theta[i] += way * floor(3.0 * synthetic_random(seed));
  }
}
