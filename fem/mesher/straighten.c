// SPDX-License-Identifier: BSD-3-Clause
// straighten.c: curved tetrahedra keep a positive Jacobian.
//
// x(λ) of a 10-node tetrahedron is quadratic in the barycentric λ, its gradient linear: with G_k
// the gradient at corner k, J(λ) = det Σ_k λ_k G_k is cubic. Its 20 Bernstein coefficients
//
//   b_α = mean of det(G_a,1  G_b,2  G_c,3) over all (a,b,c) that contain corner k α_k times     (1)
//
// bound it, min b <= J <= max b, and give the volume ∫J = mean(b)/6 exactly. An element is good
// where min b >= 0.1 J of the straight element with the same corners. Edges of the others are made
// half as curved; that may spoil or mend a neighbour: repeated until all are good, in the end with
// straight edges. O(elements) a round. gmsh's own optimisation of curved meshes is not used: it
// moves nodes off the CAD surface as well, takes longer than meshing, and promises nothing.
// [Johnen2013] Johnen, Remacle, Geuzaine, Geometrical validity of curvilinear finite elements,
//              J. Comput. Phys. 233 (2013): the bound by Bernstein coefficients.
#include <gmshc.h>
#include <math.h>

#include "mesher_priv.h"

static const double least_jacobian = 0.1;  // of the straight element's, gmsh's own threshold

static const int halvings = 6;  // of the curvature, before edges are made straight

// gmsh: mid-edge nodes 4 to 9
static const int mid_end[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 0 }, { 2, 3 }, { 1, 3 } };

enum { TET4 = 4, TET10 = 11 };  // gmsh's element types

typedef struct tets {
  size_t n, n_per, n_node, max_tag;
  size_t *node;   // [n × n_per]  tags, gmsh's
  double *x;      // [(max_tag + 1) × 3]  kernel units
  bool *moved;    // [max_tag + 1]
  bool *relaxed;  // [n]
} tets;

static double det3(const double a[3], const double b[3], const double c[3])
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double straight_jacobian(const double *const x[])
{
  double d[3][3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) d[k][i] = x[k + 1][i] - x[0][i];
  return det3(d[0], d[1], d[2]);
}

// G[k][m]: ∂x/∂ξ_m at corner k, ξ = (λ1, λ2, λ3).
//   ∂N_c/∂λ_c = 4 λ_c − 1 at corners, N_cd = 4 λ_c λ_d at mid-edges;  ∂/∂ξ_m = ∂/∂λ_m − ∂/∂λ_0
static void corner_gradients(const double *const x[10], double G[4][3][3])
{
  for (int k = 0; k < 4; k++) {
    double L[4][3] = { { 0 } };  // ∂x/∂λ_c at corner k
    for (int c = 0; c < 4; c++)
      for (int i = 0; i < 3; i++) L[c][i] = (c == k ? 3.0 : -1.0) * x[c][i];
    for (int m = 0; m < 6; m++)
      for (int s = 0; s < 2; s++)
        if (mid_end[m][1 - s] == k)
          for (int i = 0; i < 3; i++) L[mid_end[m][s]][i] += 4.0 * x[4 + m][i];
    for (int m = 0; m < 3; m++)
      for (int i = 0; i < 3; i++) G[k][m][i] = L[m + 1][i] - L[0][i];
  }
}

// Equation (1): the least coefficient and their mean.
static void jacobian_bounds(const double *const x[10], double *least, double *mean)
{
  double G[4][3][3], sum[64] = { 0 }, total = 0.0;
  int count[64] = { 0 }, n = 0;  // by sorted (a,b,c): 16a + 4b + c
  corner_gradients(x, G);
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      for (int c = 0; c < 4; c++) {
        int lo = a < b ? a : b, hi = a < b ? b : a;
        int p = c < lo ? c : lo, q = c < lo ? lo : c < hi ? c : hi, r = c > hi ? c : hi;
        int key = 16 * p + 4 * q + r;
        sum[key] += det3(G[a][0], G[b][1], G[c][2]);
        count[key]++;
      }
  *least = INFINITY;
  for (int k = 0; k < 64; k++)
    if (count[k] > 0) {
      double coefficient = sum[k] / count[k];
      *least = fmin(*least, coefficient);
      total += coefficient;
      n++;
    }
  *mean = total / n;
}

static void element_nodes(const tets *t, size_t e, const double *x[10])
{
  for (size_t k = 0; k < t->n_per; k++) x[k] = t->x + 3 * t->node[e * t->n_per + k];
}

static mw_code load(job *j, const cad *c, tets *t, mw_error *err)
{
  int ierr;
  size_t *tag = NULL, n_coord = 0, n_u = 0;
  double *coord = NULL, *u = NULL;
  gmshModelMeshGetNodes(&tag, &t->n_node, &coord, &n_coord, &u, &n_u, -1, -1, 0, 0, &ierr);
  if (ierr) return cad_fail(j, MW_ERR_NUMERIC, "has no mesh", err);
  for (size_t k = 0; k < t->n_node; k++)
    if (tag[k] > t->max_tag) t->max_tag = tag[k];
  t->x = mw_arena_f64(&j->mem, 3 * (t->max_tag + 1));
  t->moved = mw_arena_alloc(&j->mem, t->max_tag + 1, sizeof *t->moved);
  mw_code rc = mw_arena_check(&j->mem, err);
  for (size_t k = 0; rc == MW_OK && k < t->n_node; k++)
    for (int i = 0; i < 3; i++) t->x[3 * tag[k] + (size_t)i] = coord[3 * k + (size_t)i];
  gmshFree(tag);
  gmshFree(coord);
  gmshFree(u);
  if (rc != MW_OK) return rc;
  (void)c;
  size_t *elem = NULL, n_elem = 0, n_all = 0;
  t->n_per = j->order == 2 ? 10 : 4;
  gmshModelMeshGetElementsByType(j->order == 2 ? TET10 : TET4, &elem, &n_elem, &t->node, &n_all, -1,
                                 0, 1, &ierr);
  if (ierr) return cad_fail(j, MW_ERR_NUMERIC, "has no mesh", err);
  t->n = n_elem;
  gmshFree(elem);
  t->relaxed = mw_arena_alloc(&j->mem, t->n, sizeof *t->relaxed);
  rc = mw_arena_check(&j->mem, err);
  if (rc != MW_OK) return rc;
  return n_all == t->n * t->n_per ? MW_OK : cad_fail(j, MW_ERR_NUMERIC, "has an odd mesh", err);
}

// Half as curved, or straight.
static void relax(tets *t, size_t e, double keep)
{
  const size_t *node = t->node + e * t->n_per;
  const double *x[10];
  element_nodes(t, e, x);
  for (int m = 0; m < 6; m++) {
    size_t at = node[4 + m];
    for (size_t i = 0; i < 3; i++) {
      double middle = 0.5 * (x[mid_end[m][0]][i] + x[mid_end[m][1]][i]);
      t->x[3 * at + i] = keep > 0.0 ? middle + keep * (t->x[3 * at + i] - middle) : middle;
    }
    t->moved[at] = true;
  }
}

// Relaxes the elements that need it; returns how many there were.
static int one_round(tets *t, double keep, double *volume)
{
  int n_bad = 0;
  *volume = 0.0;
  for (size_t e = 0; e < t->n; e++) {
    const double *x[10];
    double least, mean;
    element_nodes(t, e, x);
    double straight = straight_jacobian(x);
    if (t->n_per == 4) {
      *volume += straight / 6.0;
      continue;
    }
    jacobian_bounds(x, &least, &mean);
    *volume += mean / 6.0;
    if (least >= least_jacobian * straight) continue;
    relax(t, e, keep);
    t->relaxed[e] = true;
    n_bad++;
  }
  return n_bad;
}

static mw_code check_straight(const job *j, const tets *t, mw_error *err)
{
  int n_flat = 0;
  for (size_t e = 0; e < t->n; e++) {
    const double *x[10];
    element_nodes(t, e, x);
    n_flat += !(straight_jacobian(x) > 0.0);
  }
  if (n_flat == 0) return MW_OK;
  return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE,
                 "%s: gmsh made %d elements without volume (a smaller size may help)", j->file,
                 n_flat);
}

mw_code mesh_straighten(job *j, const cad *c, mesh_facts *out, mw_error *err)
{
  tets t = { 0 };
  int ierr = 0;
  double volume = 0.0;
  mw_code rc = load(j, c, &t, err);
  if (rc == MW_OK) rc = check_straight(j, &t, err);
  // a straight element is good: the rounds end
  for (int round = 0; rc == MW_OK; round++)
    if (one_round(&t, round < halvings ? 0.5 : 0.0, &volume) == 0) break;
  for (size_t tag = 1; rc == MW_OK && !ierr && tag <= t.max_tag; tag++)
    if (t.moved[tag]) gmshModelMeshSetNode(tag, t.x + 3 * tag, 3, NULL, 0, &ierr);
  if (rc == MW_OK && ierr) rc = cad_fail(j, MW_ERR_NUMERIC, "cannot be given straight edges", err);
  gmshFree(t.node);
  if (rc != MW_OK) return rc;
  out->n_node = (int)t.n_node;
  out->n_elem = (int)t.n;
  for (size_t e = 0; e < t.n; e++) out->n_straight += t.relaxed[e];
  out->volume = volume * pow(c->unit, 3);
  return MW_OK;
}
