// SPDX-License-Identifier: BSD-3-Clause
// body_bushing.c: springs between two frames of one body: mounts, bolts, bearings between its
// parts.
//
// Frames a and b at X_a, X_b with translation t and rotation r, functionals of the unknowns. Their
// relative motion at the midpoint X_m = ½(X_a + X_b), body axes:
//   g_i   = e_i·[ t_b + r_b × (X_m − X_b) − t_a − r_a × (X_m − X_a) ]       i = x, y, z         (1)
//   g_3+i = e_i·(r_b − r_a)
//   K += Σ_i k_i g_i g_iᵀ                                                                       (2)
// A rigid motion t = v + ω × X, r = ω makes g = 0, wherever the frames lie: at X_m the two levers
// are equal and opposite, so that neither frame is preferred. Rows of zero stiffness are left out.
// A frame of a ground body that is a bare point does not move. A row over the average of n nodes
// couples all of them: n² entries of K.
#include <stdlib.h>
#include <string.h>

#include "body_layer.h"

// g over all unknowns while it is made
typedef struct row {
  double *value;  // [n_u]
  char *mark;     // [n_u]
  int *touched;   // [n_u]
  int n;
} row;

static int ascending(const void *a, const void *b)
{
  int p = *(const int *)a, q = *(const int *)b;
  return (p > q) - (p < q);
}

// c [6]: g_i += c·(t, r) of a frame
static void frame_part(const mw_frame *f, const double middle[3], double sign, int i, double c[6])
{
  double d[3];
  memset(c, 0, 6 * sizeof *c);
  c[i] = sign;
  if (i >= 3) return;
  for (int k = 0; k < 3; k++) d[k] = middle[k] - f->X[k];
  // e_i·(r × d) = r·(d × e_i)
  int j = (i + 1) % 3, k = (i + 2) % 3;
  c[3 + j] = sign * d[k];
  c[3 + k] = -sign * d[j];
}

static void add_frame(const mw_triplets *P, int z, const double c[6], row *g)
{
  for (int p = 0; z >= 0 && p < P->n; p++) {
    int k = P->row[p] - z, unknown = P->col[p];
    if (k < 0 || k >= 6 || c[k] == 0.0) continue;
    if (!g->mark[unknown]) g->touched[g->n++] = unknown;
    g->mark[unknown] = 1;
    g->value[unknown] += c[k] * P->val[p];
  }
}

// Moves g to a spring of the body's work and leaves it empty.
static mw_code keep(mw_body_work *w, row *g, double k, mw_error *err)
{
  mw_spring_row *s = &w->spring[w->n_spring];
  *s = (mw_spring_row){ .n = g->n,
                        .unknown = mw_arena_int(&w->tmp, (size_t)g->n),
                        .coef = mw_arena_f64(&w->tmp, (size_t)g->n),
                        .k = k };
  mw_code rc = mw_arena_check(&w->tmp, err);
  if (rc != MW_OK) return rc;
  qsort(g->touched, (size_t)g->n, sizeof *g->touched, ascending);
  for (int i = 0; i < g->n; i++) {
    int unknown = g->touched[i];
    s->unknown[i] = unknown;
    s->coef[i] = g->value[unknown];
    g->value[unknown] = 0.0;
    g->mark[unknown] = 0;
  }
  g->n = 0;
  w->n_spring++;
  return MW_OK;
}

static mw_code add_bushing(mw_body_work *w, const mw_bushing_in *in, const mw_triplets *P,
                           const mw_body *out, row *g, mw_error *err)
{
  const mw_frame *a = &out->frame[in->a], *b = &out->frame[in->b];
  double middle[3], c[6];
  if (a->z < 0 && b->z < 0)
    return mw_fail(err, MW_ERR_INPUT, in->at,
                   "bushing '%s': neither '%s' nor '%s' is a frame of elastic nodes", in->name,
                   a->name, b->name);
  for (int i = 0; i < 3; i++) middle[i] = 0.5 * (a->X[i] + b->X[i]);
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < 6; i++) {
    if (in->stiffness[i] == 0.0) continue;
    frame_part(a, middle, -1.0, i, c);
    add_frame(P, a->z, c, g);
    frame_part(b, middle, 1.0, i, c);
    add_frame(P, b->z, c, g);
    rc = keep(w, g, in->stiffness[i], err);
  }
  return rc;
}

mw_code mw_body_bushings(mw_body_work *w, const mw_triplets *P, const mw_body *out, mw_error *err)
{
  const mw_body_in *in = w->in;
  if (in->n_bushing == 0) return MW_OK;
  if (in->rigid)
    return mw_fail(err, MW_ERR_INPUT, in->bushing[0].at,
                   "bushing '%s': body '%s' is rigid, bushings are springs inside an elastic body",
                   in->bushing[0].name, in->name);
  size_t n = (size_t)w->n_u;
  row g = { .value = mw_arena_f64(&w->tmp, n),
            .mark = mw_arena_alloc(&w->tmp, n, 1),
            .touched = mw_arena_int(&w->tmp, n) };
  w->spring = mw_arena_alloc(&w->tmp, 6 * (size_t)in->n_bushing, sizeof *w->spring);
  mw_code rc = mw_arena_check(&w->tmp, err);
  for (int k = 0; rc == MW_OK && k < in->n_bushing; k++)
    rc = add_bushing(w, &in->bushing[k], P, out, &g, err);
  return rc;
}
