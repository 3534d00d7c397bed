// SPDX-License-Identifier: BSD-3-Clause
// test_second_stress.c: stress stiffness of pairs of columns, as many as declared ranges need,
// against all of the columns on the mesh.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "certify/judge_layer.h"
#include "fem/strain.h"
#include "mw_test.h"
#include "second/second_layer.h"
#include "work/offline_layer.h"

static const double TOLERANCE = 1e-3, CLOSE = 0.5;  // second_stress.c, (4)

typedef struct pairs {
  mw_reduction r;
  mw_model model;
  mw_coordinate_in coordinate[MW_ROM_MAX_S];
  mw_second z;
  mw_stress st;
  int k;  // directions of all bodies
} pairs;

// Pairs of r's columns for a largest acceleration of a and a rate of v along each coordinate, 0:
// not declared.
static bool open_pairs(const mw_reduction *r, double a, double v, pairs *p)
{
  mw_error err = { 0 };
  *p = (pairs){ .r = *r, .model = *r->model };
  p->r.model = &p->model;
  p->model.reduction.tolerance = TOLERANCE;
  for (int i = 0; i < r->s; i++) {
    p->coordinate[i] = r->model->reduction.coordinate[i];
    p->coordinate[i].max_acceleration = a;
    p->coordinate[i].max_rate = v;
  }
  p->model.reduction.coordinate = p->coordinate;
  if (!MW_OKAY(mw_second_init(r->mech, r->blocks, r->locked, r->s, r->m, 0, &p->z, &err)))
    return false;
  // outputs, whose forces nothing bounds, come last
  while (p->z.n_load > 0 && p->z.load[p->z.n_load - 1].kind >= MW_SECOND_POINT) p->z.n_load--;
  if (!MW_OKAY(mw_stress_init(&p->r, &p->z, &p->st, &err))) return false;
  bool good =
      MW_OKAY(mw_stress_gather(&p->st, &p->z, &err)) && MW_OKAY(mw_stress_build(&p->st, &err));
  for (int b = 0; b < r->mech->n_body; b++) p->k += p->st.body[b].k;
  return good;
}

static void close_pairs(pairs *p)
{
  mw_stress_free(&p->st);
  mw_second_free(&p->z);
}

// u [k × n_u] := what k vectors X [k × n] have of body b, without its rigid part, on the mesh
static void on_mesh(const pairs *p, int b, int k, const double *X, double *u)
{
  const mw_basis *T = &p->r.offline->fine.basis[b];
  size_t nu = (size_t)T->n_u, n = (size_t)p->r.n, o = (size_t)mw_blocks_offset(p->r.blocks, b);
  memset(u, 0, (size_t)k * nu * sizeof *u);
  for (size_t a = 0; a < (size_t)k; a++)
    for (size_t c = (size_t)T->n_rigid; c < (size_t)T->r; c++)
      for (size_t i = 0; i < nu; i++) u[a * nu + i] += X[a * n + o + c] * (double)T->T[c * nu + i];
}

// Of body b, all columns and loads on the mesh: Kg [n_load × m × m] +=, most [n_load] the largest
// entries over root [m × m]
static void all_columns(const pairs *p, int b, const double *Psi, const double *root, double *Kg,
                        double *most)
{
  const mw_reduction *r = &p->r;
  mw_error err = { 0 };
  size_t m = (size_t)r->m, nl = (size_t)p->z.n_load, nu = (size_t)r->offline->fine.basis[b].n_u;
  double *x = malloc(m * nu * sizeof *x), *u = malloc(nl * nu * sizeof *u),
         *G = malloc(m * m * sizeof *G);
  if (MW_CHECK(x && u && G)) {
    on_mesh(p, b, r->m, Psi, x);
    on_mesh(p, b, p->z.n_load, p->z.P, u);
    for (size_t l = 0; l < nl; l++, Kg += m * m) {
      MW_OKAY(mw_body_stress_stiffness(&r->full->body[b], u + l * nu, r->m, x, G, &err));
      for (size_t k = 0; k < m * m; k++) {
        Kg[k] += G[k];
        most[l] = fmax(most[l], fabs(G[k]) / root[k]);
      }
    }
  }
  free(x), free(u), free(G);
}

// root [m × m] := √(ψ_aᵀKψ_a ψ_bᵀKψ_b)
static void energies(pairs *p, const mw_grid_point *pt, double *root)
{
  int m = p->r.m;
  for (int a = 0; a < m; a++) {
    const double *x = pt->Psi + (size_t)a * (size_t)p->r.n;
    mw_system_mul_K(pt->sys, x, p->z.tmp);
    for (int k = 0; k < p->r.n; k++) root[a * m + a] += x[k] * p->z.tmp[k];
  }
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++)
      if (a != b) root[a * m + b] = sqrt(root[a * m + a] * root[b * m + b]);
}

// Largest |Kg_ab − exact| / root_ab of each load, and that of a body's exact one [n_load], at check
// i
static void differences(pairs *p, int i, double *by, double *most)
{
  const mw_reduction *r = &p->r;
  size_t mm = (size_t)r->m * (size_t)r->m, size = (size_t)p->z.n_load * mm;
  const mw_grid_point *pt = &r->point[(2 * i + 1) * r->n_point / (2 * MW_STRESS_CHECKS)];
  mw_error err = { 0 };
  double *exact = calloc(size, sizeof *exact), *root = calloc(mm, sizeof *root);
  mw_second_columns(&p->z, pt->sys, pt->Psi);
  MW_OKAY(mw_second_loads(&p->z, pt->sys, &pt->q, &err));
  memset(p->z.Kg, 0, size * sizeof *p->z.Kg);
  MW_OKAY(mw_stress_add(&p->st, &p->z, pt->Psi, &err));
  if (MW_CHECK(exact && root)) {
    energies(p, pt, root);
    for (int b = 0; b < r->mech->n_body; b++)
      if (p->st.body[b].n > 0) all_columns(p, b, pt->Psi, root, exact, most);
    for (size_t k = 0; k < size; k++)
      by[k / mm] = fmax(by[k / mm], fabs(p->z.Kg[k] - exact[k]) / root[k % mm]);
  }
  free(exact), free(root);
}

// What is left at the checks, over what (4) lets a load err by where its amplitude is `a` or `v`²;
// elastic bodies add up.
static double left(pairs *p, double a, double v)
{
  enum { LOADS = 64 };
  double by[LOADS] = { 0.0 }, most[LOADS] = { 0.0 }, worst = 0.0;
  int bodies = 0;
  if (!MW_CHECK(p->z.n_load <= LOADS)) return INFINITY;
  for (int b = 0; b < p->r.mech->n_body; b++) bodies += p->st.body[b].n > 0;
  for (int i = 0; i < MW_STRESS_CHECKS; i++) differences(p, i, by, most);
  for (int l = 0; l < p->z.n_load; l++) {
    const mw_second_load *w = &p->z.load[l];
    double amplitude = w->kind == MW_SECOND_RATE   ? a
                       : w->kind == MW_SECOND_PAIR ? (w->i == w->j ? 1.0 : 2.0) * v * v
                       : w->kind == MW_SECOND_REST ? 1.0
                                                   : 0.0;
    double size = fmax(most[l], amplitude > 0.0 ? 1.0 / amplitude : 0.0);
    if (by[l] > 0.0) worst = fmax(worst, by[l] / (bodies * CLOSE * TOLERANCE * size));
  }
  return worst;
}

static mw_code look(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  // far below what bends the machine, in between, far above; none declared: all that (4) can ask
  // for
  static const double range[4][2] = { { 1e-6, 1e-6 }, { 1e2, 1.0 }, { 1e3, 10.0 }, { 0.0, 0.0 } };
  int *calls = ctx, before = 0, first = 0;
  (void)f;
  (void)err;
  ++*calls;
  for (int i = 0; i < 4; i++) {
    pairs p;
    if (open_pairs(j->r, range[i][0], range[i][1], &p)) {
      double e = left(&p, range[i][0], range[i][1]);
      printf("stress stiffness: %g, %g: %d directions, %.2e of what may be left, said %.1e\n",
             range[i][0], range[i][1], p.k, e, p.st.error);
      MW_CHECK(e <= 1.0 && p.st.error == 0.0);
      MW_CHECK(i == 0 ? p.k == 0 : p.k >= before);
      MW_CHECK(i == 0 || p.k > 0);
      if (i == 3) MW_CHECK(p.k > first);
      before = p.k;
      if (i == 1) first = p.k;
    }
    close_pairs(&p);
  }
  return MW_OK;
}

static void as_many_directions_as_declared_ranges_need(void)
{
  mw_fixture f;
  mw_rom_file rom = { 0 };
  mw_error err = { 0 };
  int calls = 0;
  const mw_reduce_opt opt = { .judge = look, .judge_ctx = &calls };
  if (!MW_CHECK(mw_fixture_machine("  tolerance: 1e-3\n", &f))) return;
  MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err));
  MW_CHECK(calls == 1);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "as_many_directions_as_declared_ranges_need", as_many_directions_as_declared_ranges_need },
  };
  return mw_test_run("second_stress", cases, (int)(sizeof cases / sizeof *cases));
}
