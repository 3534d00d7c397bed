// SPDX-License-Identifier: BSD-3-Clause
// system_component.c: components among the bodies of the linear mechanism: what stands for their
// inside (fem/component_linear.h).
//
//   Their frames are bodies without mass, six unknowns each. To the system of system.c come
//   rows that no twist of the inside opens          R x = 0 ,  R N = 0                          (1)
//   and on the frames of one component, full,       pickᵀ (K_r − σ M_r) pick                    (2)
// Rows take part as joint rows do; (2) stands in the small system, where rigid bodies are.
// Cost: of a configuration that of component_linear.c, and (6 n_frame)² numbers.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "system_layer.h"

static mw_code open_one(mw_system *sys, const mw_component_use *u, mw_system_component *c,
                        mw_error *err)
{
  const mw_mech *m = sys->bl->m;
  mw_component_linear *l = &c->linear;
  c->first = u->body0;
  mw_code rc =
      mw_component_linear_find(u, mw_mech_size(m), sys->p + 12 * u->body0, &sys->mem, l, err);
  if (rc == MW_OK) rc = mw_component_linear_check(u, l, err);
  size_t n = (size_t)l->way.n;
  if (rc != MW_OK) return rc;
  mw_component_ways_of_bodies(u, &l->way);
  c->M = mw_arena_f64(&sys->mem, n * n);
  c->K = mw_arena_f64(&sys->mem, n * n);
  rc = mw_arena_check(&sys->mem, err);
  if (rc != MW_OK) return rc;
  mw_component_full(&l->way, l->M, c->M);
  mw_component_full(&l->way, l->K, c->K);
  return MW_OK;
}

mw_code mw_system_components_open(mw_system *sys, mw_error *err)
{
  const mw_model *model = sys->bl->m->model;
  sys->n_component = model->n_component;
  sys->component = mw_arena_alloc(&sys->mem, (size_t)model->n_component, sizeof *sys->component);
  mw_code rc = mw_arena_check(&sys->mem, err);
  for (int k = 0; rc == MW_OK && k < model->n_component; k++)
    rc = open_one(sys, &model->component[k], &sys->component[k], err);
  return rc;
}

int mw_system_components_rows(const mw_system *sys)
{
  int n = 0;
  for (int k = 0; k < sys->n_component; k++)
    n += sys->component[k].linear.way.n - sys->component[k].linear.way.f;
  return n;
}

void mw_system_components_add_rows(mw_system *sys, double **C)
{
  for (int k = 0; k < sys->n_component; k++) {
    const mw_system_component *c = &sys->component[k];
    const mw_component_ways *w = &c->linear.way;
    for (int i = 0; i < w->n - w->f; i++) {
      for (int b = 0; b < w->n / 6; b++)
        memcpy(C[c->first + b] + 6 * (size_t)sys->n_mu, w->rows + (size_t)i * (size_t)w->n + 6 * b,
               6 * sizeof(double));
      sys->mech_row[sys->n_mu] = -1;
      sys->k_row[sys->n_mu++] = INFINITY;
    }
  }
}

size_t mw_system_components_entries(const mw_system *sys)
{
  size_t n = 0;
  for (int k = 0; k < sys->n_component; k++)
    n += (size_t)sys->component[k].linear.way.n * (size_t)sys->component[k].linear.way.n;
  return n;
}

void mw_system_components_add_entries(mw_system *sys, double sigma, mw_small *z)
{
  for (int k = 0; k < sys->n_component; k++) {
    const mw_system_component *c = &sys->component[k];
    int n = c->linear.way.n, o = sys->small_body[c->first];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        mw_small_add(z, o + i, o + j, c->K[i * n + j] - sigma * c->M[i * n + j]);
  }
}

// Y [n × k] += A X of each component, its unknowns from row offset on
static void multiply(const mw_system *sys, bool mass, int k, const double *X, double *Y)
{
  for (int i = 0; i < sys->n_component; i++) {
    const mw_system_component *c = &sys->component[i];
    size_t o = (size_t)sys->bl->offset[c->first] * (size_t)k;
    int n = c->linear.way.n;
    mw_gemm('n', 'n', n, k, n, 1.0, mass ? c->M : c->K, X + o, 1.0, Y + o);
  }
}

void mw_system_components_mul_M(const mw_system *sys, int k, const double *X, double *Y)
{
  multiply(sys, true, k, X, Y);
}

void mw_system_components_mul_K(const mw_system *sys, const double *x, double *y)
{
  multiply(sys, false, 1, x, y);
}

mw_code mw_system_components_mul_C(const mw_system *sys, int k, const double *X, double *Y,
                                   mw_error *err)
{
  const mw_model *model = sys->bl->m->model;
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < sys->n_component; i++) {
    const mw_system_component *c = &sys->component[i];
    mw_arena tmp = { 0 };
    int n = c->linear.way.n, f = c->linear.way.f, o = sys->bl->offset[c->first];
    double *C = mw_arena_f64(&tmp, (size_t)f * (size_t)f),
           *all = mw_arena_f64(&tmp, (size_t)n * (size_t)n);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK)
      rc = mw_component_damping(&model->component[i], mw_mech_size(sys->bl->m),
                                sys->p + 12 * c->first, C, err);
    if (rc == MW_OK) mw_component_full(&c->linear.way, C, all);
    for (int v = 0; rc == MW_OK && v < k; v++) {
      size_t at = (size_t)v * (size_t)sys->bl->n + (size_t)o;
      mw_gemm('n', 'n', n, 1, n, 1.0, all, X + at, 1.0, Y + at);
    }
    mw_arena_free(&tmp);
  }
  return rc;
}

void mw_system_components_load_rest(const mw_system *sys, double *f)
{
  for (int k = 0; k < sys->n_component; k++) {
    const mw_system_component *c = &sys->component[k];
    const mw_component_ways *w = &c->linear.way;
    for (int i = 0; i < w->f; i++)
      mw_axpy(w->n, c->linear.force[i], w->pick + (size_t)i * (size_t)w->n,
              f + sys->bl->offset[c->first]);
  }
}

double mw_system_component_error(const mw_system *sys)
{
  double most = 0.0;
  for (int k = 0; k < sys->n_component; k++) most = fmax(most, sys->component[k].linear.error);
  return most;
}
