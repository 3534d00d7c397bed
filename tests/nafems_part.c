// SPDX-License-Identifier: BSD-3-Clause
// nafems_part.c: a body of elements with held motions, its static solutions and its modes.
//
// Modes by subspace iteration X := (K + σM)⁻¹ M X with a Rayleigh-Ritz step each; their number by
// the inertia of K − σM (Sylvester). Held motions: rows and columns left out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fem/element.h"
#include "fem/factor.h"
#include "nafems_priv.h"

static bool complain(const mw_error *err)
{
  char line[1024];
  mw_error_print(err, line, sizeof line);
  fputs(line, stdout);
  return false;
}

void part_flat_grid(mw_elem_kind kind, int nx, int ny, grid *out)
{
  memset(out, 0, sizeof *out);
  out->kind = kind;
  out->n = kind == MW_ELEM_QUAD4 ? 4 : 3;
  out->n_node = (nx + 1) * (ny + 1);
  out->X = calloc(3 * (size_t)out->n_node, sizeof *out->X);
  out->node = malloc(6 * (size_t)(nx * ny) * sizeof *out->node);
  for (int k = 0; k < out->n_node; k++) {
    out->X[3 * k] = (double)(k % (nx + 1)) / nx;
    out->X[3 * k + 1] = (double)(k / (nx + 1)) / ny;
  }
  for (int c = 0; c < nx * ny; c++) {
    static const int CUT[2][6] = { { 0, 1, 2, 0, 2, 3 }, { 0, 1, 3, 1, 2, 3 } };
    int a = c / nx * (nx + 1) + c % nx, q[4] = { a, a + 1, a + nx + 2, a + nx + 1 },
        *node = out->node + out->n_elem * out->n, flip = (c % nx + c / nx) % 2;
    for (int i = 0; i < (out->n == 4 ? 4 : 6); i++) node[i] = out->n == 4 ? q[i] : q[CUT[flip][i]];
    out->n_elem += out->n == 4 ? 1 : 2;
  }
}

static const char *abaqus_name(mw_elem_kind kind)
{
  switch (kind) {
  case MW_ELEM_TET4: return "C3D4";
  case MW_ELEM_TET10: return "C3D10";
  case MW_ELEM_HEX8: return "C3D8I";
  case MW_ELEM_HEX20: return "C3D20";
  case MW_ELEM_HEX20R: return "C3D20R";
  case MW_ELEM_WEDGE6: return "C3D6";
  case MW_ELEM_WEDGE15: return "C3D15";
  case MW_ELEM_TRI3: return "S3";
  default: return "S4";
  }
}

static bool write_inp(const char *path, const grid *g, const mw_material *m, double thickness)
{
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool shell = g->kind == MW_ELEM_TRI3 || g->kind == MW_ELEM_QUAD4;
  fprintf(f, "*NODE\n");
  for (int i = 0; i < g->n_node; i++)
    fprintf(f, "%d, %.17g, %.17g, %.17g\n", i + 1, g->X[3 * i], g->X[3 * i + 1], g->X[3 * i + 2]);
  fprintf(f, "*ELEMENT, TYPE=%s, ELSET=ALL\n", abaqus_name(g->kind));
  for (int e = 0; e < g->n_elem; e++) {
    fprintf(f, "%d", e + 1);
    for (int i = 0; i < g->n; i++)
      fprintf(f, ",%s%d", i == 10 ? "\n" : " ", g->node[e * g->n + i] + 1);
    fprintf(f, "\n");
  }
  fprintf(f, "*MATERIAL, NAME=M\n*ELASTIC\n%.17g, %.17g\n*DENSITY\n%.17g\n", m->E, m->nu, m->rho);
  fprintf(f, "*%s SECTION, ELSET=ALL, MATERIAL=M\n", shell ? "SHELL" : "SOLID");
  if (shell) fprintf(f, "%.17g\n", thickness);
  return fclose(f) == 0;
}

// unknown of each motion of a node: by the unit entries of N and Nr; a beam's rotations follow its
// translations
static void map_unknowns(part *p)
{
  const mw_body *b = &p->b;
  for (int i = 0; i < 6 * b->n_node; i++) p->unknown[i] = -1;
  for (int u = 0; u < b->n_u; u++) {
    for (int q = b->N.ptr[u]; q < b->N.ptr[u + 1]; q++) {
      int node = b->N.row[q] / 3, c = b->N.row[q] % 3;
      if (b->N.val[q] != 1.0) continue;
      p->unknown[6 * node + c] = u;
      if (!b->mesh) p->unknown[6 * node + 3 + c] = u + 3;
    }
    for (int q = b->Nr.n_row ? b->Nr.ptr[u] : 0; q < (b->Nr.n_row ? b->Nr.ptr[u + 1] : 0); q++)
      if (b->Nr.val[q] == 1.0) p->unknown[6 * (b->Nr.row[q] / 3) + 3 + b->Nr.row[q] % 3] = u;
  }
}

bool part_build(part *p)
{
  static const double ONE[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  mw_error err = { 0 };
  p->in.name = "part";
  p->in.mesh_scale = 1.0;
  p->in.has_unit = true;
  memcpy(p->in.axes, ONE, sizeof ONE);
  p->model.n_body = 1;
  p->model.body = &p->in;
  p->model.section = p->section;
  p->model.material = p->material;
  p->model.n_section = p->model.n_material = 2;
  if (mw_body_build(&p->model, 0, &p->mem, &p->b, &err) != MW_OK) return complain(&err);
  p->unknown = mw_arena_int(&p->mem, 6 * (size_t)p->b.n_node);
  p->held = mw_arena_alloc(&p->mem, (size_t)p->b.n_u, 1);
  if (mw_arena_check(&p->mem, &err) != MW_OK) return complain(&err);
  map_unknowns(p);
  return true;
}

bool part_of_grid(const grid *g, const mw_material *material, double thickness, part *p)
{
  static const char *PATH = "nafems.tmp.inp";
  memset(p, 0, sizeof *p);
  p->in.mesh = PATH;
  p->in.mesh_material = -1;
  bool ok = write_inp(PATH, g, material, thickness) && part_build(p);
  remove(PATH);
  return ok;
}

bool part_mass_as_calculix(part *p, const mw_material *material)
{
  const mw_mesh *m = p->b.mesh;
  mw_triplets t = { 0 };
  mw_error err = { 0 };
  mw_code rc = MW_OK;
  for (int e = 0; rc == MW_OK && e < m->n_elem; e++) {
    const int *node = m->elem_node + m->elem_ptr[e];
    int n = m->elem_ptr[e + 1] - m->elem_ptr[e];
    double X[3 * MW_SOLID_MAX_NODE], mu[MW_SOLID_MAX_NODE * MW_SOLID_MAX_NODE];
    for (int i = 0; i < 3 * n; i++) X[i] = p->b.X[3 * node[i / 3] + i % 3];
    rc = mw_solid_mass((mw_elem_kind)m->elem_kind[e], X, material->rho, true, m->elem_tag[e],
                       MW_NOWHERE, mu, &err);
    for (int k = 0; rc == MW_OK && k < 3 * n * n; k++)
      mw_triplets_add(&t, p->unknown[6 * node[k / 3 / n] + k % 3],
                      p->unknown[6 * node[k / 3 % n] + k % 3], mu[k / 3]);
  }
  if (rc == MW_OK) rc = mw_csc_build(&t, p->b.n_u, p->b.n_u, true, &p->mem, &p->b.M, &err);
  mw_triplets_free(&t);
  return rc == MW_OK || complain(&err);
}

void part_free(part *p) { mw_arena_free(&p->mem); }

void part_hold(part *p, int node, int motion)
{
  int u = p->unknown[6 * node + motion];
  if (u >= 0) p->held[u] = 1;
}

// Rows and columns of A that are not held; number [n_u] of each unknown there, −1: held
static bool free_part(const part *p, const mw_csc *A, mw_arena *mem, mw_csc *out)
{
  mw_triplets t = { 0 };
  mw_error err = { 0 };
  int n = 0, *number = mw_arena_int(mem, (size_t)p->b.n_u);
  if (!number) return false;
  for (int u = 0; u < p->b.n_u; u++) number[u] = p->held[u] ? -1 : n++;
  for (int c = 0; c < A->n_col; c++)
    for (int q = A->ptr[c]; q < A->ptr[c + 1]; q++)
      if (number[c] >= 0 && number[A->row[q]] >= 0)
        mw_triplets_add(&t, number[A->row[q]], number[c], A->val[q]);
  mw_code rc = mw_csc_build(&t, n, n, true, mem, out, &err);
  mw_triplets_free(&t);
  return rc == MW_OK || complain(&err);
}

// One Rayleigh-Ritz step over the rows of X [m × n]: lambda [m] ascending, X := M-orthonormal Ritz
// vectors
static mw_code ritz(const mw_csc *K, const mw_csc *M, int m, double *X, double *lambda,
                    double *work, mw_error *err)
{
  int n = K->n_row;
  double *Y = work, *A = Y + (size_t)m * (size_t)n, *B = A + m * m, *V = B + m * m;
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < m; i++)
      mw_csc_mul(k ? M : K, 1.0, X + (size_t)i * (size_t)n, 0.0, Y + (size_t)i * (size_t)n);
    mw_gemm('n', 't', m, m, n, 1.0, X, Y, 0.0, k ? B : A);
  }
  mw_code rc = mw_eig_gen(m, A, B, lambda, V, err);
  if (rc != MW_OK) return rc;
  mw_gemm('t', 'n', m, n, m, 1.0, V, X, 0.0, Y);
  memcpy(X, Y, (size_t)m * (size_t)n * sizeof *X);
  return MW_OK;
}

static mw_code iterate(const mw_csc *K, const mw_csc *M, double sigma, int k, int m, double *X,
                       double *lambda, mw_arena *mem, mw_error *err)
{
  enum { MAX_STEP = 200 };
  int n = K->n_row;
  mw_csc S;
  mw_factor *f = NULL;
  double *MX = mw_arena_f64(mem, (size_t)m * (size_t)n),
         *work = mw_arena_f64(mem, (size_t)m * (size_t)n + 3 * (size_t)(m * m)), last = 0.0;
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_csc_add(1.0, K, sigma, M, mem, &S, err);
  if (rc == MW_OK) rc = mw_factor_build(&S, true, &f, err);
  unsigned seed = 12345u;
  for (size_t i = 0; rc == MW_OK && i < (size_t)m * (size_t)n; i++) {
    seed = seed * 1664525u + 1013904223u;
    X[i] = (double)(seed >> 8) / 16777216.0 - 0.5;
  }
  for (int step = 0; rc == MW_OK && step < MAX_STEP; step++) {
    for (int i = 0; i < m; i++)
      mw_csc_mul(M, 1.0, X + (size_t)i * (size_t)n, 0.0, MX + (size_t)i * (size_t)n);
    rc = mw_factor_solve(f, m, MX, X, err);
    if (rc == MW_OK) rc = ritz(K, M, m, X, lambda, work, err);
    double sum = 0.0;
    for (int i = 0; i < k; i++) sum += lambda[i] + sigma;
    if (rc == MW_OK && fabs(sum - last) <= 1e-13 * sum) break;
    last = sum;
  }
  mw_factor_free(f);
  return rc;
}

// As many eigenvalues below the middle of lambda[k − 1] and the next one that differs?
static bool count_agrees(const mw_csc *K, const mw_csc *M, int k, int m, const double *lambda,
                         mw_arena *mem)
{
  mw_error err = { 0 };
  mw_csc S;
  mw_factor *f = NULL;
  while (k < m - 1 && lambda[k] < 1.0001 * lambda[k - 1]) k++;
  double s = 0.5 * (lambda[k - 1] + lambda[k]);
  bool ok = mw_csc_add(1.0, K, -s, M, mem, &S, &err) == MW_OK &&
            mw_factor_build(&S, false, &f, &err) == MW_OK && mw_factor_negative(f) == k;
  mw_factor_free(f);
  return ok;
}

bool part_modes(part *p, int n, double *hz, double *shape, bool *proved)
{
  enum { RIGID = 6 };
  const double pi = acos(-1.0), below = 1e-3;  // Hz: rigid motions by rounding
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_csc K, M;
  if (!free_part(p, &p->b.K, &mem, &K) || !free_part(p, &p->b.M, &mem, &M)) return false;
  int k = n + RIGID, m = 2 * k, skip = 0;
  double *X = mw_arena_f64(&mem, (size_t)m * (size_t)K.n_row),
         *lambda = mw_arena_f64(&mem, (size_t)m), sigma = pow(2.0 * pi * 0.3, 2);
  mw_code rc = mw_arena_check(&mem, &err);
  if (rc == MW_OK) rc = iterate(&K, &M, sigma, k, m, X, lambda, &mem, &err);
  for (int i = 0; rc == MW_OK && i < k; i++) skip += lambda[i] < pow(2.0 * pi * below, 2);
  for (int i = 0; rc == MW_OK && i < n; i++) {
    hz[i] = sqrt(lambda[skip + i]) / (2.0 * pi);
    for (int u = 0, c = 0; shape && u < p->b.n_u; u++)
      shape[(size_t)i * (size_t)p->b.n_u + (size_t)u] =
          p->held[u] ? 0.0 : X[(size_t)(skip + i) * (size_t)K.n_row + (size_t)c++];
  }
  if (rc == MW_OK && proved) *proved = count_agrees(&K, &M, skip + n, m, lambda, &mem);
  mw_arena_free(&mem);
  return rc == MW_OK || complain(&err);
}

bool part_static(part *p, const double *f, double *u)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_csc K;
  mw_factor *factor = NULL;
  if (!free_part(p, &p->b.K, &mem, &K)) return false;
  double *x = mw_arena_f64(&mem, (size_t)K.n_row);
  mw_code rc = mw_arena_check(&mem, &err);
  for (int i = 0, c = 0; rc == MW_OK && i < p->b.n_u; i++)
    if (!p->held[i]) x[c++] = f[i];
  if (rc == MW_OK) rc = mw_factor_build(&K, true, &factor, &err);
  if (rc == MW_OK) rc = mw_factor_solve(factor, 1, x, x, &err);
  for (int i = 0, c = 0; rc == MW_OK && i < p->b.n_u; i++) u[i] = p->held[i] ? 0.0 : x[c++];
  mw_factor_free(factor);
  mw_arena_free(&mem);
  return rc == MW_OK || complain(&err);
}
