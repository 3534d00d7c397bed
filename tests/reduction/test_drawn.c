// SPDX-License-Identifier: BSD-3-Clause
// test_drawn.c: columns at drawn nodes and frames against those on the whole mesh, and through
// rom.nc.
//
// A column x on a body's mesh, of size √(Σ_b x_bᵀ M_b x_b) over the elastic bodies, is left out by
// e with √(eᵀ M_b e) ≤ MW_DRAWN_TOLERANCE × size. The displacement of a node in direction d is n·e,
// that of a frame likewise, so it errs by √(nᵀ M_b⁻¹ n) times as much at most. Single precision
// adds what both sides round: 2⁻²⁴ of each of the terms of a sum, and of x itself.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/reduce.h"
#include "reduction/shapes.h"

static const char *const SHAPES = "test_drawn.tmp.nc";
static const char *const ROM = "test_drawn.tmp.rom.nc";

enum { MOST_U = 400, MOST_M = 32, MOST_B = 8 };

typedef struct fixture {
  mw_fixture f;
  mw_rom_file rom;
  mw_shapes shapes;
} fixture;

static bool make(fixture *z)
{
  mw_error err = { 0 };
  mw_reduce_opt opt = { .shapes = SHAPES };
  *z = (fixture){ 0 };
  return MW_CHECK(mw_fixture_machine("", &z->f)) &&
         MW_OKAY(mw_reduce(&z->f.model, &z->f.mech, &opt, &z->rom, &err)) &&
         MW_OKAY(mw_shapes_read(SHAPES, &z->shapes, &err));
}

static void clear(fixture *z)
{
  mw_shapes_free(&z->shapes);
  mw_rom_file_free(&z->rom);
  mw_fixture_free(&z->f);
  remove(SHAPES);
}

static int unknowns_of(const mw_body *b) { return b->n_u > 0 ? b->n_u : b->ground ? 0 : 6; }

// uᵀ M u of a body; L [n_u × n_u] becomes the Cholesky factor of M where it is not NULL.
static double mass_of(const mw_body *b, const double *u, double *L)
{
  int n = b->n_u;
  double sum = 0.0;
  if (L) memset(L, 0, (size_t)n * (size_t)n * sizeof *L);
  for (int j = 0; j < n; j++)
    for (int k = b->M.ptr[j]; k < b->M.ptr[j + 1]; k++) {
      int i = b->M.row[k];
      sum += b->M.val[k] * u[i] * u[j] * (i == j ? 1.0 : 2.0);
      if (L) L[i * n + j] = b->M.val[k];
    }
  return sum;
}

// Rows of N of a body as columns of out [n_u × 3 (n_node + n_frame)], behind them the translations
// of its frames.
static void rows_of(const mw_body *b, double *out)
{
  int w = 3 * (b->n_node + b->n_frame);
  memset(out, 0, (size_t)b->n_u * (size_t)w * sizeof *out);
  for (int j = 0; j < b->n_u; j++) {
    for (int k = b->N.ptr[j]; k < b->N.ptr[j + 1]; k++) out[j * w + b->N.row[k]] = b->N.val[k];
    for (int k = b->P.ptr[j]; k < b->P.ptr[j + 1]; k++)
      for (int f = 0; f < b->n_frame; f++) {
        int d = b->P.row[k] - b->frame[f].z;
        if (d >= 0 && d < 3) out[j * w + 3 * (b->n_node + f) + d] = b->P.val[k];
      }
  }
}

// Displacement i of shape k summed with amplitudes c, and the sum of the terms' magnitudes.
static double sum_of(int n_shape, int n_row, const float *shape, const float *c, int i,
                     double *size)
{
  double sum = 0.0;
  *size = 0.0;
  for (int k = 0; k < n_shape; k++) {
    double term = (double)c[k] * (double)shape[k * n_row + i];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

typedef struct place {  // a body of the columns that are compared
  const mw_body *body;
  const double *x;     // of the column on its mesh
  const float *shape;  // of the body
  const float *c;      // amplitudes of the column
  const int *node;
  int n_shape, n_node;
  double size;  // of the column
} place;

static void compare(const place *q, mw_arena *mem)
{
  const mw_body *b = q->body;
  int n = b->n_u, w = 3 * (b->n_node + b->n_frame);
  mw_error err = { 0 };
  double *L = mw_arena_f64(mem, (size_t)n * (size_t)n), *d = mw_arena_f64(mem, (size_t)w);
  double *R = mw_arena_f64(mem, (size_t)n * (size_t)w);
  double *S = mw_arena_f64(mem, (size_t)n * (size_t)w);
  if (!MW_OKAY(mw_arena_check(mem, &err))) return;
  (void)mass_of(b, q->x, L);
  if (!MW_OKAY(mw_chol_factor(n, L, &err))) return;
  rows_of(b, R);
  memcpy(S, R, (size_t)n * (size_t)w * sizeof *S);
  mw_chol_solve(n, L, w, S);
  for (int i = 0; i < w; i++)
    for (int r = 0; r < n; r++) d[i] += R[r * w + i] * q->x[r];
  for (int k = 0; k < q->n_node; k++)
    for (int i = 3 * q->node[k], j = 3 * k; j < 3 * k + 3; i++, j++) {
      double size, most = 0.0, inverse = 0.0;
      double got = sum_of(q->n_shape, 3 * q->n_node, q->shape, q->c, j, &size);
      for (int r = 0; r < n; r++) inverse += R[r * w + i] * S[r * w + i];
      for (int r = 0; r < n; r++) most += fabs(R[r * w + i] * q->x[r]);
      double tol =
          MW_DRAWN_TOLERANCE * q->size * sqrt(inverse) + (double)FLT_EPSILON * (2.0 * size + most);
      MW_WITHIN(got, d[i], tol, "a tolerance that is promised, for the worst node");
    }
}

// Column a at point g of the drawn grid on the whole mesh, x; its size on the elastic bodies.
static bool column_of(const fixture *z, int g, int a, double *x, double *size)
{
  const mw_drawn *d = &z->rom.drawn;
  const mw_rom *rom = &z->rom.rom;
  const mw_mech *m = &z->f.mech;
  mw_error err = { 0 };
  double theta[MW_ROM_MAX_S], delta[MOST_M] = { 0 }, p[12 * MOST_B], s[MOST_B], sum = 0.0;
  for (int i = rom->s - 1; i >= 0; g /= d->n_grid[i], i--)
    theta[i] =
        rom->lo[i] + (rom->hi[i] - rom->lo[i]) * (g % d->n_grid[i]) / fmax(d->n_grid[i] - 1, 1);
  delta[a] = 1.0;
  memcpy(p, m->p0, 12 * (size_t)m->n_body * sizeof *p);
  memcpy(s, m->s0, (size_t)m->n_coord * sizeof *s);
  if (!MW_OKAY(mw_shapes_eval(&z->shapes, m, theta, delta, p, s, x, &err))) return false;
  for (int b = 0; b < m->n_body; x += unknowns_of(&m->body[b]), b++)
    if (m->body[b].n_u > 0) sum += mass_of(&m->body[b], x, NULL);
  *size = sqrt(sum);
  return true;
}

static void check_column(const fixture *z, int g, int a)
{
  static double x[MOST_U];
  const mw_drawn *d = &z->rom.drawn;
  const mw_mech *m = &z->f.mech;
  mw_arena mem = { 0 };
  double size;
  if (!column_of(z, g, a, x, &size)) return;
  // points of the drawn grid are points of the table, so that the splines' weights there are 1 and
  // 0 but for rounding: tridiagonal systems of condition 3 with n unknowns an axis, 3 n 2⁻⁵² each
  double most = 0.0, weight = 0.0;
  for (int i = 0; i < z->rom.rom.s; i++) weight += 3.0 * d->n_grid[i] * DBL_EPSILON;
  for (int k = 0; k < z->shapes.n; k++) most = fmax(most, fabs(x[k]));
  place q = { .x = x, .shape = d->shape, .node = d->node, .size = size };
  q.c = d->amplitude + ((size_t)g * (size_t)z->rom.rom.m + (size_t)a) * (size_t)d->n;
  for (int b = 0; b < m->n_body; b++) {
    q.body = &m->body[b];
    q.n_shape = d->n_shape[b];
    q.n_node = d->n_node[b];
    if (q.n_node > 0) compare(&q, &mem);
    for (int k = 0; q.n_node == 0 && k < q.n_shape; k++)
      MW_NEAR((double)q.c[k], q.x[k], d->n_point * weight * most);
    q.x += unknowns_of(q.body);
    q.shape += q.n_shape * 3 * q.n_node;
    q.node += q.n_node;
    q.c += q.n_shape;
  }
  MW_CHECK(q.shape == d->shape + d->n_value && q.node == d->node + d->n_node_all);
  mw_arena_free(&mem);
}

static void columns_at_drawn_nodes_are_those_of_the_mesh(void)
{
  fixture z;
  if (!make(&z)) return;
  const mw_drawn *d = &z.rom.drawn;
  MW_CHECK(d->n_body == z.f.mech.n_body && d->n_body <= MOST_B && z.shapes.n <= MOST_U &&
           z.rom.rom.m <= MOST_M && d->n_point > 1);
  for (int g = 0; g < d->n_point; g += 4)
    for (int a = 0; a < z.rom.rom.m; a++) check_column(&z, g, a);
  clear(&z);
}

static void a_few_shapes_hold_all_columns(void)
{
  fixture z;
  if (!make(&z)) return;
  for (int b = 0; b < z.rom.drawn.n_body; b++) {
    const mw_body *body = &z.f.mech.body[b];
    if (body->n_u == 0) MW_CHECK(z.rom.drawn.n_shape[b] == (body->ground ? 0 : 6));
    if (body->n_u > 0) {
      MW_CHECK(z.rom.drawn.n_node[b] == body->n_node + body->n_frame);
      MW_CHECK(z.rom.drawn.n_shape[b] > 0 && z.rom.drawn.n_shape[b] < body->n_u);
    }
  }
  clear(&z);
}

static bool same(const void *x, const void *y, size_t n) { return memcmp(x, y, n) == 0; }

static void they_come_back_from_the_file(void)
{
  fixture z;
  mw_error err = { 0 };
  mw_rom_file back = { 0 };
  if (!make(&z)) return;
  const mw_drawn *d = &z.rom.drawn, *e = &back.drawn;
  if (MW_OKAY(mw_rom_file_write(&z.rom, ROM, &err)) &&
      MW_OKAY(mw_rom_file_read(ROM, &back, &err)) &&
      MW_CHECK(e->n_body == d->n_body && e->n == d->n && e->n_point == d->n_point &&
               e->n_value == d->n_value && e->n_node_all == d->n_node_all)) {
    size_t nb = (size_t)d->n_body, all = (size_t)d->n_point * (size_t)z.rom.rom.m * (size_t)d->n;
    MW_CHECK(same(d->n_grid, e->n_grid, sizeof d->n_grid));
    MW_CHECK(same(d->n_shape, e->n_shape, nb * sizeof *d->n_shape));
    MW_CHECK(same(d->n_node, e->n_node, nb * sizeof *d->n_node));
    MW_CHECK(same(d->node, e->node, (size_t)d->n_node_all * sizeof *d->node));
    MW_CHECK(same(d->shape, e->shape, (size_t)d->n_value * sizeof *d->shape));
    MW_CHECK(same(d->amplitude, e->amplitude, all * sizeof *d->amplitude));
  }
  mw_rom_file_free(&back);
  remove(ROM);
  // what does not fit is refused: a rom.nc whose bodies have other counts
  int n_shape[8];
  memcpy(n_shape, d->n_shape, (size_t)d->n_body * sizeof *n_shape);
  n_shape[d->n_body - 1]++;
  z.rom.drawn.n_shape = n_shape;
  if (MW_OKAY(mw_rom_file_write(&z.rom, ROM, &err)))
    MW_FAILS(mw_rom_file_read(ROM, &back, &err), MW_ERR_INPUT);
  remove(ROM);
  clear(&z);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "columns_at_drawn_nodes_are_those_of_the_mesh",
      columns_at_drawn_nodes_are_those_of_the_mesh },
    { "a_few_shapes_hold_all_columns", a_few_shapes_hold_all_columns },
    { "they_come_back_from_the_file", they_come_back_from_the_file },
  };
  return mw_test_run("drawn", cases, (int)(sizeof cases / sizeof *cases));
}
