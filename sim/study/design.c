// SPDX-License-Identifier: BSD-3-Clause
// design.c: the points of a study: all combinations of values, or n points spread over the box.
//
// Latin hypercube: of n equal parts of each range every one has a point, at random in it; the parts
// of the ranges are put together at random (McKay, Beckman, Conover, Technometrics 21 (1979) 239).
// Sobol': point k has the bits
//   x = ⊕_j k_j v_j ,  v_j = m_j 2^(32−j) ,  m_j = ⊕_i 2^i a_i m_(j−i) ⊕ m_(j−s)               (1)
// with direction numbers of Joe and Kuo, SIAM J. Sci. Comput. 30 (2008) 2635 (their first eight
// dimensions), and a seed other than 0 exclusive-or's a random number to each range. 2^q points
// from the first on have one in each of 2^q parts of every range.
// Same seed, same points (base/random.h).
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "study_priv.h"

enum { BITS = 32, MAX_DEGREE = 5 };

mw_code mw_design_read(const char *text, mw_design *out, mw_error *err)
{
  static const char *const name[] = { [MW_DESIGN_LATIN] = "lhs:", [MW_DESIGN_SOBOL] = "sobol:" };
  for (int kind = MW_DESIGN_LATIN; kind <= MW_DESIGN_SOBOL; kind++) {
    size_t n = strlen(name[kind]);
    int points = 0, used = 0;
    if (strncmp(text, name[kind], n) != 0) continue;
    if (sscanf(text + n, "%d%n", &points, &used) == 1 && !text[n + (size_t)used] && points > 0) {
      out->kind = (mw_design_kind)kind;
      out->n = points;
      return MW_OK;
    }
  }
  return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                 "--design: found \"%.60s\", expected lhs:N or sobol:N with N points", text);
}

mw_code mw_design_check(const mw_study_in *in, mw_error *err)
{
  for (int k = 0; k < in->n_varied; k++) {
    const mw_varied *v = &in->varied[k];
    if ((in->design.kind == MW_DESIGN_GRID) != (v->n > 0))
      return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                     v->n > 0
                         ? "--vary: found %s with a number of values, expected PATH=LO:HI with "
                           "--design"
                         : "--vary: found %s without a number of values, expected "
                           "PATH=LO:HI:N, or --design",
                     v->path);
  }
  return MW_OK;
}

double mw_design_count(const mw_study_in *in)
{
  double n = 1.0;
  if (in->design.kind != MW_DESIGN_GRID) return in->design.n;
  for (int k = 0; k < in->n_varied; k++) n *= in->varied[k].n;
  return n;
}

// u [n × stride], column k of it.
static void latin(int n, uint64_t seed, int k, int stride, double *u)
{
  uint64_t state = seed ^ (uint64_t)(k + 1) << 48;
  for (int i = 0; i < n; i++) u[i * stride] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(mw_random_unit(&state) * (i + 1));
    double t = u[i * stride];
    u[i * stride] = u[j * stride];
    u[j * stride] = t;
  }
  for (int i = 0; i < n; i++) u[i * stride] = (u[i * stride] + mw_random_unit(&state)) / n;
}

// v [BITS] of (1) for range k.
static void directions(int k, uint32_t *v)
{
  static const struct {
    int degree;
    unsigned a, m[MAX_DEGREE];
  } of[MW_STUDY_MAX_VARIED - 1] = { { 1, 0, { 1 } },
                                    { 2, 1, { 1, 3 } },
                                    { 3, 1, { 1, 3, 1 } },
                                    { 3, 2, { 1, 1, 1 } },
                                    { 4, 1, { 1, 1, 3, 3 } },
                                    { 4, 4, { 1, 3, 5, 13 } },
                                    { 5, 2, { 1, 1, 5, 5, 17 } } };
  for (int j = 0; j < BITS; j++) {
    if (k == 0 || j < of[k - 1].degree) {
      v[j] = (k == 0 ? 1u : of[k - 1].m[j]) << (BITS - 1 - j);
      continue;
    }
    int s = of[k - 1].degree;
    v[j] = v[j - s] ^ v[j - s] >> s;
    for (int i = 1; i < s; i++)
      if (of[k - 1].a >> (s - 1 - i) & 1u) v[j] ^= v[j - i];
  }
}

static void sobol(int n, uint64_t seed, int k, int stride, double *u)
{
  uint32_t v[BITS], shift = 0;
  uint64_t state = seed ^ (uint64_t)(k + 1) << 48;
  directions(k, v);
  if (seed != 0) shift = (uint32_t)(mw_random(&state) >> 32);
  for (int i = 0; i < n; i++) {
    uint32_t x = shift;
    for (int j = 0; j < BITS && i >> j; j++)
      if (i >> j & 1) x ^= v[j];
    u[i * stride] = x * 0x1p-32;
  }
}

// Value k of point i of all combinations, the last one fastest.
static double combined(const mw_study_in *in, int i, int k)
{
  for (int j = in->n_varied - 1; j > k; j--) i /= in->varied[j].n;
  const mw_varied *v = &in->varied[k];
  return v->lo + (v->hi - v->lo) * (i % v->n) / (v->n - 1);
}

void mw_design_fill(const mw_study_in *in, int n, double *x)
{
  int nv = in->n_varied;
  for (int k = 0; k < nv; k++) {
    const mw_varied *v = &in->varied[k];
    if (in->design.kind == MW_DESIGN_LATIN) latin(n, in->design.seed, k, nv, x + k);
    if (in->design.kind == MW_DESIGN_SOBOL) sobol(n, in->design.seed, k, nv, x + k);
    for (int i = 0; i < n; i++)
      x[i * nv + k] = in->design.kind == MW_DESIGN_GRID ? combined(in, i, k)
                                                        : v->lo + (v->hi - v->lo) * x[i * nv + k];
  }
}
