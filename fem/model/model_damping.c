// SPDX-License-Identifier: BSD-3-Clause
// model_damping.c: the damping ratio of modes, one for all or over their frequency.
//
// Between points a cubic with slopes that keep it monotone (Fritsch and Carlson: the harmonic mean
// of the neighbours', zero at extremes), so that it leaves neither their range nor C¹: 2ζ(ω)ω
// of modes that move over the coordinates is as smooth as tables of it need.
#include <math.h>

#include "model_layer.h"

// Slopes point[3 i + 2] from frequencies and ratios.
static void slopes(int n, double *point)
{
  for (int i = 0; i < n; i++) {
    const double *p = point + 3 * i;
    double before = i > 0 ? (p[1] - p[-2]) / (p[0] - p[-3]) : 0.0,
           after = i < n - 1 ? (p[4] - p[1]) / (p[3] - p[0]) : 0.0;
    point[3 * i + 2] = before * after > 0.0 ? 2.0 / (1.0 / before + 1.0 / after) : 0.0;
  }
}

mw_code mw_read_modal(mw_reader *rd, const mw_ynode *modal)
{
  mw_model *m = rd->m;
  m->modal = m->modal_least = modal->num;
  if (modal->kind != MW_Y_MAP) return MW_OK;
  const mw_ynode *f = mw_y_find(modal, "frequency"), *z = mw_y_find(modal, "ratio");
  if (f->n != z->n)
    return mw_fail(rd->err, MW_ERR_INPUT, z->at,
                   "modal: found %d ratios for %d frequencies, expected as many", z->n, f->n);
  double *point = mw_arena_f64(rd->mem, 3 * (size_t)f->n);
  if (!point) return mw_arena_check(rd->mem, rd->err);
  const mw_ynode *a = f->first, *b = z->first;
  m->modal_least = INFINITY;
  for (int i = 0; i < f->n; i++, a = a->next, b = b->next) {
    if (i > 0 && !(a->num > point[3 * i - 3]))
      return mw_fail(rd->err, MW_ERR_INPUT, a->at,
                     "modal: %g Hz follows %g Hz, expected increasing frequencies", a->num,
                     point[3 * i - 3]);
    point[3 * i] = a->num;
    point[3 * i + 1] = b->num;
    m->modal = fmax(m->modal, b->num);
    m->modal_least = fmin(m->modal_least, b->num);
  }
  slopes(f->n, point);
  m->n_modal = f->n;
  m->modal_point = point;
  return MW_OK;
}

double mw_model_modal(const mw_model *m, double omega)
{
  static const double TWO_PI = 6.28318530717958647692;
  double f = omega / TWO_PI;
  const double *p = m->modal_point;
  if (m->n_modal == 0) return m->modal;
  if (f <= p[0]) return p[1];
  int i = 1;
  while (i < m->n_modal && f >= p[3 * i]) i++;
  if (i == m->n_modal) return p[3 * i - 2];
  p += 3 * (i - 1);
  double h = p[3] - p[0], x = (f - p[0]) / h, y = 1.0 - x;
  return (1.0 + 2.0 * x) * y * y * p[1] + (1.0 + 2.0 * y) * x * x * p[4] +
         h * x * y * (y * p[2] - x * p[5]);
}
