// SPDX-License-Identifier: BSD-3-Clause
// bench_guide.c: static compliance under a runner on a solid bed, beside CalculiX under the same
// load.
//
// A steel bed 1.0 × 0.2 × 0.1 m of 20-node hexahedra stands on two feet; a runner with a pad of
// 0.08 × 0.02 m runs along its top, off the middle. At 21 positions s:
//   ours   c(s) = fᵀ K⁻¹ f ,  f = Pᵀ W(s) e_z: stations and spline of guide_pad.c and guide.c
//   ccx    the nodal forces of the ideal kernel at s (cubic B-spline along the pad, uniform
//          across), integrated here by Gauss
//          products on the rectangles of the top face, one *STATIC step a position; the printed
//            displacements of the top,
//          weighted with the same kernel
// Exit status 1 when they differ by more than LIMIT, or ccx does not run (it must be installed).
// Takes some minutes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fem/factor.h"
#include "fixture_body.h"
#include "fixture_grid.h"

enum { N_AT = 21, N_GAUSS = 5, N_MAX = 4096 };

static const double LIMIT = 5e-3;                                                    // relative
static const double SIDE[3] = { 1.0, 0.2, 0.1 }, PAD[2] = { 0.08, 0.02 }, Y = 0.09;  // m

static const double GAUSS_X[N_GAUSS] = { -0.9061798459386640, -0.5384693101056831, 0.0,
                                         0.5384693101056831, 0.9061798459386640 };
static const double GAUSS_W[N_GAUSS] = { 0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                         0.4786286704993665, 0.2369268850561891 };

// ---- the ideal kernel ---------------------------------------------------------------------------

// cubic B-spline of support l and unit area, as the sum of truncated powers
static double kernel(double x, double l)
{
  static const double BINOMIAL[5] = { 1, -4, 6, -4, 1 };
  double h = 0.25 * l, u = x / h + 2.0, sum = 0.0;
  for (int k = 0; k < 5; k++) sum += BINOMIAL[k] * (u > k ? (u - k) * (u - k) * (u - k) : 0.0);
  return u >= 4.0 ? 0.0 : sum / (6.0 * h);
}

// shape function i of the 8-node rectangle with nodes X [8 × 3] at (x, y)
static double shape(const double *X, int i, double x, double y)
{
  double cx = 0.0, cy = 0.0, hx = 0.0, hy = 0.0;
  for (int k = 0; k < 4; k++) cx += 0.25 * X[3 * k], cy += 0.25 * X[3 * k + 1];
  for (int k = 0; k < 4; k++)
    hx = fmax(hx, fabs(X[3 * k] - cx)), hy = fmax(hy, fabs(X[3 * k + 1] - cy));
  double a = (X[3 * i] - cx) / hx, b = (X[3 * i + 1] - cy) / hy, p = (x - cx) / hx,
         q = (y - cy) / hy;
  if (i < 4) return 0.25 * (1.0 + a * p) * (1.0 + b * q) * (a * p + b * q - 1.0);
  return fabs(a) < 0.5 ? 0.5 * (1.0 - p * p) * (1.0 + b * q) : 0.5 * (1.0 + a * p) * (1.0 - q * q);
}

// w [n_node] += the pad at s on one face
static void add_face(const double *X, const int *node, double s, double *w)
{
  double x0 = X[0], x1 = X[0], y0 = X[1], y1 = X[1], l = PAD[0], b = PAD[1];
  for (int k = 1; k < 4; k++) {
    x0 = fmin(x0, X[3 * k]), x1 = fmax(x1, X[3 * k]);
    y0 = fmin(y0, X[3 * k + 1]), y1 = fmax(y1, X[3 * k + 1]);
  }
  double ya = fmax(y0, Y - 0.5 * b), yb = fmin(y1, Y + 0.5 * b);
  for (int piece = 0; piece < 4 && yb > ya; piece++) {
    double xa = fmax(x0, s + l * (0.25 * piece - 0.5)),
           xb = fmin(x1, s + l * (0.25 * piece - 0.25));
    for (int g = 0; g < N_GAUSS * N_GAUSS && xb > xa; g++) {
      int i = g / N_GAUSS, j = g % N_GAUSS;
      double x = 0.5 * (xa + xb) + 0.5 * (xb - xa) * GAUSS_X[i],
             y = 0.5 * (ya + yb) + 0.5 * (yb - ya) * GAUSS_X[j],
             dA = 0.25 * (xb - xa) * (yb - ya) * GAUSS_W[i] * GAUSS_W[j];
      for (int k = 0; k < 8; k++) w[node[k]] += kernel(x - s, l) / b * shape(X, k, x, y) * dA;
    }
  }
}

static void ideal(const mw_mesh *m, double s, double *w)
{
  memset(w, 0, (size_t)m->n_node * sizeof *w);
  for (int f = 0; f < m->n_face; f++) {
    int node[8];
    double X[24], low = SIDE[2];
    mw_mesh_face(m, f, node);
    for (int i = 0; i < 24; i++) X[i] = m->x[3 * node[i / 3] + i % 3];
    for (int i = 0; i < 8; i++) low = fmin(low, X[3 * i + 2]);
    if (low > SIDE[2] - 1e-9) add_face(X, node, s, w);
  }
}

// ---- CalculiX -----------------------------------------------------------------------------------

static bool on_top(const mw_mesh *m, int i) { return m->x[3 * i + 2] > SIDE[2] - 1e-9; }

static bool on_foot(const double *x)
{
  return x[2] < 1e-9 &&
         ((x[0] > 0.1 - 1e-9 && x[0] < 0.2 + 1e-9) || (x[0] > 0.8 - 1e-9 && x[0] < 0.9 + 1e-9));
}

// numbers of at most 20 characters, ccx reads no more
static int write_deck(const mw_mesh *m, const mw_material *steel, const double *at, double *w)
{
  FILE *f = fopen("bench_guide.inp", "w");
  if (!f) return 1;
  fprintf(f, "*NODE, NSET=ALL\n");
  for (int i = 0; i < m->n_node; i++)
    fprintf(f, "%d, %.12g, %.12g, %.12g\n", i + 1, m->x[3 * i], m->x[3 * i + 1], m->x[3 * i + 2]);
  fprintf(f, "*ELEMENT, TYPE=C3D20, ELSET=BED\n");
  for (int e = 0; e < m->n_elem; e++) {
    fprintf(f, "%d", e + 1);
    for (int k = m->elem_ptr[e]; k < m->elem_ptr[e + 1]; k++)
      fprintf(f, "%s%d", k - m->elem_ptr[e] == 10 ? ",\n" : ", ", m->elem_node[k] + 1);
    fprintf(f, "\n");
  }
  fprintf(f, "*NSET, NSET=FEET\n");
  for (int i = 0; i < m->n_node; i++)
    if (on_foot(m->x + 3 * i)) fprintf(f, "%d,\n", i + 1);
  fprintf(f, "*NSET, NSET=TOP\n");
  for (int i = 0; i < m->n_node; i++)
    if (on_top(m, i)) fprintf(f, "%d,\n", i + 1);
  fprintf(
      f,
      "*MATERIAL, NAME=STEEL\n*ELASTIC\n%.17g, %.17g\n*SOLID SECTION, ELSET=BED, MATERIAL=STEEL\n"
      "*BOUNDARY\nFEET, 1, 3\n",
      steel->E, steel->nu);
  for (int k = 0; k < N_AT; k++) {
    ideal(m, at[k], w);
    fprintf(f, "*STEP\n*STATIC\n*CLOAD, OP=NEW\n");
    for (int i = 0; i < m->n_node; i++)
      if (w[i] != 0.0) fprintf(f, "%d, 3, %.12e\n", i + 1, w[i]);
    fprintf(f, "*NODE PRINT, NSET=TOP\nU\n*END STEP\n");
  }
  return fclose(f) != 0;
}

// c [N_AT]: printed displacements along z of each step, weighted
static int read_results(const mw_mesh *m, const double *at, double *w, double *c)
{
  char line[256];
  int step = -1, n = 0, node;
  double u[3];
  FILE *f = fopen("bench_guide.dat", "r");
  if (!f) return 1;
  while (fgets(line, sizeof line, f)) {
    if (strstr(line, "displacements")) {
      if (++step >= N_AT) break;
      ideal(m, at[step], w);
      c[step] = 0.0;
    } else if (step >= 0 && sscanf(line, "%d %lf %lf %lf", &node, u, u + 1, u + 2) == 4) {
      c[step] += w[node - 1] * u[2];
      n++;
    }
  }
  fclose(f);
  return step != N_AT - 1 || n == 0;
}

// ---- ours ---------------------------------------------------------------------------------------

static mw_code our_compliance(const mw_body *b, mw_factor *K, double s, mw_arena *mem, double *c,
                              mw_error *err)
{
  const mw_guide *g = &b->guide[0];
  double *W = mw_arena_f64(mem, N_MAX), *z = mw_arena_f64(mem, (size_t)b->n_z),
         *f = mw_arena_f64(mem, (size_t)b->n_u), *u = mw_arena_f64(mem, (size_t)b->n_u);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_guide_weights(g, s, PAD[0], W, NULL, NULL, err);
  if (rc != MW_OK) return rc;
  for (int j = 0; j < g->n; j++)
    for (int i = 0; i < 3; i++) z[g->z + 3 * j + i] = W[j] * g->n1[i];
  mw_csc_mul_t(&b->P, 1.0, z, 0.0, f);
  rc = mw_factor_solve(K, 1, f, u, err);
  *c = 0.0;
  for (int i = 0; i < b->n_u; i++) *c += f[i] * u[i];
  return rc;
}

static mw_code build(mw_arena *mem, mw_body *b, const double *at, double *c, mw_error *err)
{
  static fixture_body f;
  static mw_node_set_in foot[2] = {
    { .name = "foot", .kind = MW_PICK_BOX, .p = { 0.1, 0, 0 }, .q = { 0.2, 0.2, 0 } },
    { .name = "other", .kind = MW_PICK_BOX, .p = { 0.8, 0, 0 }, .q = { 0.9, 0.2, 0 } }
  };
  fixture_grid_box box = { MW_ELEM_HEX20, { 40, 8, 4 }, { 0, 0, 0 }, { 1.0, 0.2, 0.1 }, NULL };
  fixture_init(&f);
  if (fixture_grid("bench_guide.msh", 1, &box) != 0)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "cannot write bench_guide.msh");
  f.body.mesh = "bench_guide.msh";
  f.body.ground = true;
  f.body.node_set = foot;
  f.body.n_node_set = 2;
  fixture_support(&f, "foot");
  fixture_support(&f, "other");
  mw_guide_in *g = fixture_guide(&f, "rail", -1, -1);
  g->ends[1][0] = SIDE[0];
  g->ends[0][1] = g->ends[1][1] = Y;
  g->ends[0][2] = g->ends[1][2] = SIDE[2];
  g->pad[0] = PAD[0];
  g->pad[1] = PAD[1];
  mw_factor *K = NULL;
  mw_code rc = mw_body_build(&f.model, 0, mem, b, err);
  if (rc == MW_OK) rc = mw_factor_build(&b->K, true, &K, err);
  for (int k = 0; rc == MW_OK && k < N_AT; k++) rc = our_compliance(b, K, at[k], mem, &c[k], err);
  mw_factor_free(K);
  if (rc == MW_OK) printf("%d unknowns, %d stations of 3 functionals\n", b->n_u, b->guide[0].n);
  return rc == MW_OK && write_deck(b->mesh, &f.material, at,
                                   mem ? mw_arena_f64(mem, (size_t)b->n_node) : NULL)
             ? mw_fail(err, MW_ERR_IO, MW_NOWHERE, "cannot write bench_guide.inp")
             : rc;
}

// second difference over the value
static double second(const double *c, int k)
{
  return k == 0 || k == N_AT - 1 ? 0.0 : (c[k - 1] - 2.0 * c[k] + c[k + 1]) / c[k];
}

int main(void)
{
  mw_arena mem = { 0 };
  mw_body b = { 0 };
  mw_error err = { 0 };
  double at[N_AT], ours[N_AT] = { 0 }, ccx[N_AT] = { 0 }, worst = 0.0;
  for (int k = 0; k < N_AT; k++) at[k] = 0.05 + 0.9 * k / (N_AT - 1);
  mw_code rc = build(&mem, &b, at, ours, &err);
  if (rc != MW_OK) {
    printf("%s\n", err.msg);
    return 1;
  }
  double *w = mw_arena_f64(&mem, (size_t)b.n_node);
  remove("bench_guide.dat");
  int status = system("ccx -i bench_guide > bench_guide.log");
  if (status != 0 || !w || read_results(b.mesh, at, w, ccx) != 0) {
    printf("no results of ccx: see bench_guide.log\n");
    mw_arena_free(&mem);
    return 1;
  }
  printf("%8s %14s %14s %11s %12s %12s\n", "s m", "ours m/N", "ccx m/N", "ours/ccx-1", "d2 ours/c",
         "d2 ccx/c");
  for (int k = 0; k < N_AT; k++) {
    double e = ours[k] / ccx[k] - 1.0;
    if (!(fabs(e) <= worst)) worst = fabs(e);
    printf("%8.4f %14.7e %14.7e %11.2e %12.3e %12.3e\n", at[k], ours[k], ccx[k], e, second(ours, k),
           second(ccx, k));
  }
  printf("largest difference %.2e, limit %.2e\n", worst, LIMIT);
  mw_arena_free(&mem);
  return worst <= LIMIT ? 0 : 1;
}
