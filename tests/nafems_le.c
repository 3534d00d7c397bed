// SPDX-License-Identifier: BSD-3-Clause
// nafems_le.c: NAFEMS' linear elastic benchmarks: consistent loads of pressure and temperature,
// stress at a point.
//
//   f = −∫ p N n dA ,    f = ∫ Bᵀ D α T dV ,  σ = S u − D α T                                   (1)
// [N1990] The standard NAFEMS benchmarks, TNSB rev. 3, 1990.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/element.h"
#include "nafems_priv.h"

static const mw_material STEEL = { .name = "steel", .E = 210e9, .nu = 0.3, .rho = 7850.0 };
static const double GAUSS_X[3] = { -0.77459666924148337704, 0.0, 0.77459666924148337704 };
static const double GAUSS_W[3] = { 5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0 };

static bool near(double a, double b) { return fabs(a - b) < 1e-6; }

// X [n × 3] and unknown of every node of element e; returns its number of nodes
static int elem_of(const part *p, int e, double *X, const int **node)
{
  const mw_mesh *m = p->b.mesh;
  *node = m->elem_node + m->elem_ptr[e];
  int n = m->elem_ptr[e + 1] - m->elem_ptr[e];
  for (int i = 0; i < 3 * n; i++) X[i] = p->b.X[3 * (*node)[i / 3] + i % 3];
  return n;
}

static mw_elem_kind kind_of(const part *p, int e) { return (mw_elem_kind)p->b.mesh->elem_kind[e]; }

// Pressure (Pa) on the side of hexahedra whose natural coordinate `axis` is 1, wherever on() says
// of its middle.
static void add_pressure(const part *p, int axis, double pressure, bool on(const double x[3]),
                         double *f)
{
  for (int e = 0; e < p->b.mesh->n_elem; e++) {
    double X[60], N[20], dN[60], J[9], mid[3] = { 0 }, x[3] = { 0 };
    const int *node;
    int n = elem_of(p, e, X, &node), b = (axis + 1) % 3, c = (axis + 2) % 3;
    mid[axis] = 1.0;
    mw_solid_shape(kind_of(p, e), mid, N, NULL);
    for (int i = 0; i < 3 * n; i++) x[i % 3] += N[i / 3] * X[i];
    if (!on(x)) continue;
    for (int q = 0; q < 9; q++) {
      double xi[3], tb[3] = { 0 }, tc[3] = { 0 }, nA[3];
      xi[axis] = 1.0;
      xi[b] = GAUSS_X[q % 3];
      xi[c] = GAUSS_X[q / 3];
      mw_solid_shape(kind_of(p, e), xi, N, dN);
      memset(J, 0, sizeof J);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
          tb[k] += X[3 * i + k] * dN[3 * i + b];
          tc[k] += X[3 * i + k] * dN[3 * i + c];
        }
      mw_cross3(tb, tc, nA);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
          int u = p->unknown[6 * node[i] + k];
          if (u >= 0) f[u] -= pressure * N[i] * nA[k] * GAUSS_W[q % 3] * GAUSS_W[q / 3];
        }
    }
  }
}

// Stress (xx … zx, Pa) at the node at x, mean over its solids; thermal: minus D α T, T = r + z
static bool stress_at(const part *p, const double *u, const double x[3], double alpha, double s[6])
{
  mw_error err = { 0 };
  int count = 0;
  memset(s, 0, 6 * sizeof *s);
  for (int e = 0; e < p->b.mesh->n_elem; e++) {
    double X[60], v[60], S[360], natural[60], mid[3];
    const int *node;
    int n = elem_of(p, e, X, &node);
    grid_natural(kind_of(p, e), natural, mid);
    for (int i = 0; i < n; i++) {
      double d[3] = { X[3 * i] - x[0], X[3 * i + 1] - x[1], X[3 * i + 2] - x[2] };
      if (mw_norm3(d) > 1e-6) continue;
      if (mw_solid_stress(kind_of(p, e), X, &STEEL, natural + 3 * i, false, S, &err) != MW_OK)
        return false;
      for (int k = 0; k < 3 * n; k++) v[k] = u[p->unknown[6 * node[k / 3] + k % 3]];
      double hot = STEEL.E / (1.0 - 2.0 * STEEL.nu) * alpha * (hypot(x[0], x[1]) + x[2]);
      for (int k = 0; k < 6; k++) s[k] += mw_dot(3 * n, S + 3 * n * k, v) - (k < 3 ? hot : 0.0);
      count++;
    }
  }
  for (int k = 0; k < 6; k++) s[k] /= count;
  return count > 0;
}

static void result(const char *name, const part *p, double pascal, nafems_result *out)
{
  out->name = name;
  out->first = out->n = 1;
  out->unknowns = p->b.n_u;
  out->proved = true;
  out->value[0] = 1e-6 * pascal;
}

// ---- LE1, LE10: between the ellipses 2 × 1 and 3.25 × 2.75 m, a quarter; x, y:
//     outwards and along in [0, 1] -

static void elliptic(double x[3])
{
  double t = 0.5 * acos(-1.0) * x[1], f = x[0];
  x[0] = (2.0 + 1.25 * f) * cos(t);
  x[1] = (1.0 + 1.75 * f) * sin(t);
}

static bool on_outer(const double x[3])
{
  return fabs(pow(x[0] / 3.25, 2) + pow(x[1] / 2.75, 2) - 1.0) < 1e-3;
}

static bool on_top(const double x[3]) { return near(x[2], 0.6); }

static void hold_symmetry(part *p)
{
  for (int i = 0; i < p->b.n_node; i++) {
    if (near(p->b.X[3 * i], 0.0)) part_hold(p, i, 0);
    if (near(p->b.X[3 * i + 1], 0.0)) part_hold(p, i, 1);
  }
}

// σ_yy in the corner (2, 0): from the middles of the four facets or pairs of facets next to it,
// linear both ways
static double corner_stress(const part *p, const double *u, int nx, int per_cell)
{
  static const double F[4] = { 2.25, -0.75, -0.75, 0.25 };
  double sum = 0.0;
  mw_error err = { 0 };
  for (int k = 0; k < 4 * per_cell; k++) {
    int cell = k / per_cell, e = ((cell / 2) * nx + cell % 2) * per_cell + k % per_cell;
    double X[60], v[24], S[144];
    const int *node;
    int n = elem_of(p, e, X, &node);
    if (mw_shell_stress(kind_of(p, e), X, 0.0, &STEEL, false, S, &err) != MW_OK) return (double)NAN;
    for (int i = 0; i < 6 * n; i++) v[i] = u[p->unknown[6 * node[i / 6] + i % 6]];
    sum += F[cell] / per_cell * mw_dot(6 * n, S + 6 * n, v);
  }
  return sum;
}

// edge load of the outer ellipse, straight edges: half of it to either end
static void add_edge_load(const part *p, double tension, int nx, int ny, double *f)
{
  for (int j = 0; j < ny; j++) {
    int a = j * (nx + 1) + nx, b = a + nx + 1;
    const double *A = p->b.X + 3 * a, *B = p->b.X + 3 * b;
    double nA[2] = { B[1] - A[1], A[0] - B[0] };
    for (int c = 0; c < 2; c++) {
      f[p->unknown[6 * a + c]] += 0.5 * tension * nA[c];
      f[p->unknown[6 * b + c]] += 0.5 * tension * nA[c];
    }
  }
}

// Thickness 0.1 m, tension 10 MPa on the outer edge. Shell facets n × 2n, or one layer of half the
// thickness of hexahedra.
bool nafems_le1(mw_elem_kind kind, int n, nafems_result *out)
{
  const double t = 0.1, tension = 10e6, D[3] = { 2.0, 0.0, 0.0 };
  bool shell = kind == MW_ELEM_TRI3 || kind == MW_ELEM_QUAD4;
  part p;
  grid g;
  double s[6] = { 0 };
  if (shell)
    part_flat_grid(kind, n, 2 * n, &g);
  else
    grid_build(kind, (const int[3]){ n, 2 * n, 1 }, NULL, &g);
  for (int i = 0; i < g.n_node; i++) {
    elliptic(g.X + 3 * i);
    g.X[3 * i + 2] *= 0.5 * t;
  }
  bool ok = part_of_grid(&g, &STEEL, t, &p);
  double *f = calloc((size_t)p.b.n_u + 1, sizeof *f),
         *u = malloc(((size_t)p.b.n_u + 1) * sizeof *u);
  if (ok) hold_symmetry(&p);
  for (int i = 0; ok && i < p.b.n_node; i++)
    for (int m = 2; m < 6; m++)
      if ((shell && m < 5) || (!shell && m == 2 && near(p.b.X[3 * i + 2], 0.0)))
        part_hold(&p, i, m);
  // symmetry: no rotation about the normal of the plane where it cuts
  for (int i = 0; ok && shell && i < p.b.n_node; i++)
    if (near(p.b.X[3 * i], 0.0) || near(p.b.X[3 * i + 1], 0.0)) part_hold(&p, i, 5);
  if (ok && shell) add_edge_load(&p, tension * t, n, 2 * n, f);
  if (ok && !shell) add_pressure(&p, 0, -tension, on_outer, f);
  ok = ok && part_static(&p, f, u);
  if (ok && shell) s[1] = corner_stress(&p, u, n, kind == MW_ELEM_QUAD4 ? 1 : 2);
  if (ok && !shell) ok = stress_at(&p, u, D, 0.0, s);
  if (ok) result("LE1", &p, s[1], out);
  free(f);
  free(u);
  part_free(&p);
  grid_free(&g);
  return ok;
}

// Thickness 0.6 m, 1 MPa on the upper face; n × 2n × nz, nz even: uz is held in the middle of the
// outer side.
bool nafems_le10(mw_elem_kind kind, int n, int nz, nafems_result *out)
{
  const double D[3] = { 2.0, 0.0, 0.6 };
  part p;
  grid g;
  double s[6];
  grid_build(kind, (const int[3]){ n, 2 * n, nz }, NULL, &g);
  for (int i = 0; i < g.n_node; i++) {
    elliptic(g.X + 3 * i);
    g.X[3 * i + 2] *= 0.6;
  }
  bool ok = part_of_grid(&g, &STEEL, 0.0, &p);
  double *f = calloc((size_t)p.b.n_u + 1, sizeof *f),
         *u = malloc(((size_t)p.b.n_u + 1) * sizeof *u);
  if (ok) hold_symmetry(&p);
  for (int i = 0; ok && i < p.b.n_node; i++)
    if (on_outer(p.b.X + 3 * i)) {
      part_hold(&p, i, 0);
      part_hold(&p, i, 1);
      if (near(p.b.X[3 * i + 2], 0.3)) part_hold(&p, i, 2);
    }
  if (ok) add_pressure(&p, 2, 1e6, on_top, f);
  ok = ok && part_static(&p, f, u) && stress_at(&p, u, D, 0.0, s);
  if (ok) result("LE10", &p, s[1], out);
  free(f);
  free(u);
  part_free(&p);
  grid_free(&g);
  return ok;
}

// ---- LE11 ----

// The drawing's section, inner side A C E (E+H)/2 H and outer side B D F G I: a sphere of radius 1
// inside up to 45°, then a cylinder; outside a sphere of radius 1.4 up to 30°, a straight taper D F
// G, a cylinder of radius 1. r, z in m.
static void revolved(double x[3])
{
  static const double OUT[4][2] = {
    { 1.2124355652982141, 0.7 }, { 1.1062177826491071, 1.045 }, { 1.0, 1.39 }, { 1.0, 1.79 }
  };
  const double pi = acos(-1.0), c = sqrt(0.5), s = 4.0 * x[1], f = x[0], phi = 0.5 * pi * x[2];
  int block = s < 1.0 ? 0 : s < 2.0 ? 1 : s < 3.0 ? 2 : 3;
  double a = s - block, in[2], outer[2];
  if (block < 2) {
    in[0] = cos(s * pi / 8);
    in[1] = sin(s * pi / 8);
  } else {
    in[0] = c;
    in[1] = c + 0.5 * (s - 2.0) * (1.79 - c);
  }
  if (block == 0) {
    outer[0] = 1.4 * cos(a * pi / 6);
    outer[1] = 1.4 * sin(a * pi / 6);
  } else {
    for (int k = 0; k < 2; k++) outer[k] = (1 - a) * OUT[block - 1][k] + a * OUT[block][k];
  }
  double r = (1 - f) * in[0] + f * outer[0], z = (1 - f) * in[1] + f * outer[1];
  // right-handed: outwards, along z, and around backwards
  x[0] = r * sin(phi);
  x[1] = r * cos(phi);
  x[2] = z;
}

static void add_temperature(const part *p, double alpha, double *f)
{
  mw_error err = { 0 };
  for (int e = 0; e < p->b.mesh->n_elem; e++) {
    double X[60], S[360], N[20], dN[60];
    const int *node;
    int n = elem_of(p, e, X, &node);
    for (int q = 0; q < 27; q++) {
      double xi[3] = { GAUSS_X[q % 3], GAUSS_X[q / 3 % 3], GAUSS_X[q / 9] }, J[9] = { 0 }, c[3],
             x[3] = { 0 };
      mw_solid_shape(kind_of(p, e), xi, N, dN);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++) J[k] += X[3 * i + k / 3] * dN[3 * i + k % 3];
      for (int i = 0; i < 3 * n; i++) x[i % 3] += N[i / 3] * X[i];
      mw_cross3(J + 3, J + 6, c);
      double w = mw_dot3(J, c) * GAUSS_W[q % 3] * GAUSS_W[q / 3 % 3] * GAUSS_W[q / 9],
             hot = alpha * (hypot(x[0], x[1]) + x[2]);
      if (mw_solid_stress(kind_of(p, e), X, &STEEL, xi, false, S, &err) != MW_OK) return;
      for (int i = 0; i < 3 * n; i++) {
        int u = p->unknown[6 * node[i / 3] + i % 3];
        f[u] += w * hot * (S[i] + S[3 * n + i] + S[6 * n + i]);
      }
    }
  }
}

// A quarter, n elements through the wall, 4n along, 2n around; T = r + z, α = 2.3e-4; uz = 0 at
// both ends
bool nafems_le11(mw_elem_kind kind, int n, nafems_result *out)
{
  const double alpha = 2.3e-4, A[3] = { 0.0, 1.0, 0.0 };
  part p;
  grid g;
  double s[6];
  grid_build(kind, (const int[3]){ n, 4 * n, 2 * n }, NULL, &g);
  for (int i = 0; i < g.n_node; i++) revolved(g.X + 3 * i);
  bool ok = part_of_grid(&g, &STEEL, 0.0, &p);
  double *f = calloc((size_t)p.b.n_u + 1, sizeof *f),
         *u = malloc(((size_t)p.b.n_u + 1) * sizeof *u);
  if (ok) hold_symmetry(&p);
  for (int i = 0; ok && i < p.b.n_node; i++)
    if (near(p.b.X[3 * i + 2], 0.0) || near(p.b.X[3 * i + 2], 1.79)) part_hold(&p, i, 2);
  if (ok) add_temperature(&p, alpha, f);
  ok = ok && part_static(&p, f, u) && stress_at(&p, u, A, alpha, s);
  if (ok) result("LE11", &p, s[2], out);
  free(f);
  free(u);
  part_free(&p);
  grid_free(&g);
  return ok;
}
