// SPDX-License-Identifier: BSD-3-Clause
// rom_work.c: the record and work layouts, settings, checks of what is handed in.
//
// The work layout is written once and run twice: with no memory it only measures. O(1).
#include <math.h>

#include "rom_priv.h"

static const double box_slack =
    1e-9;  // of the box width: rounding of a motion that ends on the border is no error

mw_rom_layout mw_rom_layout_of(int s, int m, int n_y)
{
  int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  mw_rom_layout l = { 0 };
  l.a = 0;
  l.U0 = l.a + ss;
  l.d = l.U0 + 1;
  l.U1 = l.d + s * m;
  l.b = l.U1 + m;
  l.K = l.b + ss * m;
  l.C = l.K + mm;
  l.e = l.C + mm;
  l.c = l.e + s * mk;
  l.y = l.c + ss * mm;
  l.n = l.y + n_y * (1 + m);
  return l;
}

int mw_rom_n_field(int s, int m, int n_y) { return mw_rom_layout_of(s, m, n_y).n; }

mw_rom_opt mw_rom_opt_default(void)
{
  return (mw_rom_opt){ .inertia = MW_ROM_FULL,
                       .method = MW_ROM_EXPONENTIAL,
                       .iter_max = 20,
                       .tol = 1e-9,
                       .prescribed = 0 };
}

const char *mw_rom_code_name(mw_rom_code code)
{
  switch (code) {
  case MW_ROM_OK: return "ok";
  case MW_ROM_THETA: return "theta outside its box";
  case MW_ROM_DELTA: return "deflection above its limit";
  case MW_ROM_NAN: return "not a finite number";
  case MW_ROM_DIVERGED: return "iteration did not converge";
  case MW_ROM_SINGULAR: return "matrix not positive definite";
  }
  return "unknown";
}

// The next n doubles of base (NULL: measure only), each slice 64-byte aligned.
static double *slice(double *base, size_t *used, int n)
{
  double *at = base ? base + *used : NULL;
  *used += ((size_t)n + 7) / 8 * 8;
  return at;
}

static size_t layout(rom_work *w, const mw_rom *rom, double *base)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, mp = (m + 7) / 8 * 8;
  size_t n = 0;
  w->lay = mw_rom_layout_of(s, m, rom->n_y);
  w->mp = mp;
  w->value = slice(base, &n, w->lay.n);
  w->gradient = slice(base, &n, s * w->lay.n);
  w->dd = slice(base, &n, mm);
  w->dv = slice(base, &n, mm);
  w->vd = slice(base, &n, mk);
  w->sym = slice(base, &n, mm);
  w->skew1 = slice(base, &n, mk);
  w->skew2 = slice(base, &n, mk);
  w->B = slice(base, &n, s * mp);
  w->r_delta = slice(base, &n, mp);
  w->f_delta = slice(base, &n, mp);
  w->S = slice(base, &n, m * mp);
  w->W = slice(base, &n, s * mp);
  w->diag = slice(base, &n, mp);
  w->res = slice(base, &n, mp);
  w->tmp = slice(base, &n, mp);
  w->acc = slice(base, &n, s + m);
  w->mid = slice(base, &n, 2 * (s + m));
  w->train = slice(base, &n, rom_train_doubles(rom));
  return n * sizeof(double);
}

size_t mw_rom_work_bytes(const mw_rom *rom)
{
  rom_work w;
  return layout(&w, rom, NULL);
}

void rom_work_init(rom_work *w, const mw_rom *rom, void *mem) { (void)layout(w, rom, mem); }

mw_rom_code rom_blame(mw_rom_info *info, mw_rom_code code, int index)
{
  if (info) info->index = index;
  return code;
}

mw_rom_code rom_check_theta(const mw_rom *rom, const double *theta, mw_rom_info *info)
{
  for (int i = 0; i < rom->s; i++) {
    double slack = box_slack * (rom->hi[i] - rom->lo[i]);
    if (!isfinite(theta[i])) return rom_blame(info, MW_ROM_NAN, i);
    if (rom->cyclic >> i & 1u) continue;
    if (theta[i] < rom->lo[i] - slack || theta[i] > rom->hi[i] + slack)
      return rom_blame(info, MW_ROM_THETA, i);
  }
  return rom_blame(info, MW_ROM_OK, -1);
}

mw_rom_code rom_check_state(const mw_rom *rom, const double *x, mw_rom_info *info)
{
  int s = rom->s, m = rom->m;
  for (int k = 0; k < 2 * (s + m); k++)
    if (!isfinite(x[k])) return rom_blame(info, MW_ROM_NAN, k);
  for (int a = 0; a < m; a++)
    if (fabs(x[s + a]) > rom->delta_max[a]) return rom_blame(info, MW_ROM_DELTA, a);
  return rom_check_theta(rom, x, info);
}

mw_rom_code rom_check_input(const mw_rom *rom, const mw_rom_opt *opt, const double *u,
                            const double *thdd_p, mw_rom_info *info)
{
  int n_x = 2 * (rom->s + rom->m);
  for (int k = 0; k < rom->n_u; k++)
    if (!isfinite(u[k])) return rom_blame(info, MW_ROM_NAN, n_x + k);
  for (int i = 0; thdd_p && i < rom->s; i++)
    if ((opt->prescribed >> i & 1u) && !isfinite(thdd_p[i]))
      return rom_blame(info, MW_ROM_NAN, n_x + rom->n_u + i);
  return rom_blame(info, MW_ROM_OK, -1);
}
