// SPDX-License-Identifier: BSD-3-Clause
// test_assemble.c: the assembled matrices of a body against the sum over its elements, for motions
// that are free, fixed, tied, and slaves of a rigid patch; and shells and beams likewise.
//
//   uᵀ K v = Σ_e d_e(u)ᵀ K_e d_e(v) ,   uᵀ M_αβ v = Σ_e d_e,α(u)ᵀ μ_e d_e,β(v) ,  d_e from N u
//
// N and P of the body tell how nodes and frames move: no map of unknowns, pattern or place is used
// here.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fem/element.h"
#include "fem/factor.h"
#include "fixture_body.h"
#include "fixture_grid.h"
#include "mw_test.h"

static const char PATH[] = "test_assemble.msh";

typedef struct part {
  fixture_body f;
  mw_node_set_in set[4];
  mw_tie_in tie;
  mw_arena mem;
  mw_body b;
} part;

static void add_set(part *t, const char *name, double lo, double hi)
{
  t->set[t->f.body.n_node_set++] = (mw_node_set_in){ .name = name,
                                                     .kind = MW_PICK_BOX,
                                                     .p = { lo, -1.0, -1.0 },
                                                     .q = { hi, 1.0, 1.0 },
                                                     .within = 1e-9 };
}

// Two boxes, the second tied to the first, its far face a rigid patch with mass and inertia, the
// first held at its end; a point mass on a node of the second.
static bool build_solid(part *t, mw_elem_kind first, mw_elem_kind second)
{
  mw_error err = { 0 };
  fixture_grid_box box[2] = { { first, { 3, 2, 1 }, { 0, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL },
                              { second, { 2, 3, 2 }, { 0.101, 0, 0 }, { 0.1, 0.04, 0.03 }, NULL } };
  memset(t, 0, sizeof *t);
  fixture_init(&t->f);
  if (!MW_CHECK(fixture_grid(PATH, 2, box) == 0)) return false;
  t->f.body.mesh = PATH;
  t->f.body.ground = true;
  t->f.body.node_set = t->set;
  t->f.body.tie = &t->tie;
  t->f.body.n_tie = 1;
  t->tie = (mw_tie_in){ .slave = "right", .master = "left", .distance = 0.005 };
  add_set(t, "end", 0.0, 0.0);
  add_set(t, "left", 0.1, 0.1);
  add_set(t, "right", 0.101, 0.101);
  add_set(t, "far", 0.201, 0.201);
  fixture_support(&t->f, "end");
  mw_attach *a = fixture_attach(&t->f, "plate", MW_ATTACH_RIGID, "far");
  a->mass = 0.3;
  const double I[6] = { 3e-4, 4e-4, 5e-4, 1e-5, -2e-5, 4e-5 };
  memcpy(a->inertia, I, sizeof I);
  a = fixture_attach(&t->f, "bead", MW_ATTACH_NODE, NULL);
  a->mass = 0.05;
  a->x[0] = 0.151, a->x[1] = 0.04, a->x[2] = 0.03;
  a->has_x = true;
  return MW_OKAY(mw_body_build(&t->f.model, 0, &t->mem, &t->b, &err));
}

typedef struct motion {  // nodes and frames under u
  double *u;             // [n_u]
  double *d;             // [3 n_node]
  double *z;             // [n_z]
} motion;

static motion random_motion(part *t, unsigned seed)
{
  const mw_body *b = &t->b;
  motion m = { mw_arena_f64(&t->mem, (size_t)b->n_u), mw_arena_f64(&t->mem, 3 * (size_t)b->n_node),
               mw_arena_f64(&t->mem, (size_t)b->n_z) };
  for (int i = 0; i < b->n_u; i++) m.u[i] = fixture_random(&seed);
  mw_csc_mul(&b->N, 1.0, m.u, 0.0, m.d);
  mw_csc_mul(&b->P, 1.0, m.u, 0.0, m.z);
  return m;
}

typedef struct sums {  // what the matrices should give, and the sum of the terms' sizes
  double K, Mab[9], s[3], h[9], m;
  double K_size, M_size;
  int n;  // of terms of M
} sums;

static void add_elements(const part *t, const motion *u, const motion *v, sums *s)
{
  const mw_mesh *mesh = t->b.mesh;
  mw_error err = { 0 };
  for (int e = 0; e < mesh->n_elem; e++) {
    const int *node = mesh->elem_node + mesh->elem_ptr[e];
    int n = mesh->elem_ptr[e + 1] - mesh->elem_ptr[e];
    double X[60];
    mw_solid el;
    for (int i = 0; i < 3 * n; i++) X[i] = mesh->x[3 * node[i / 3] + i % 3];
    MW_OKAY(mw_solid_element((mw_elem_kind)mesh->elem_kind[e], X, &t->f.material, 0, t->f.body.at,
                             &el, &err));
    for (int i = 0; i < 3 * n; i++)
      for (int j = 0; j < 3 * n; j++) {
        double term =
            u->d[3 * node[i / 3] + i % 3] * el.K[i * 3 * n + j] * v->d[3 * node[j / 3] + j % 3];
        s->K += term;
        s->K_size += fabs(term);
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double mu = el.mu[i * n + j];
        s->m += mu;
        s->n++;
        for (int k = 0; k < 9; k++) {
          double term = u->d[3 * node[i] + k / 3] * mu * v->d[3 * node[j] + k % 3];
          s->Mab[k] += term;
          s->M_size += fabs(term);
          s->h[k] += X[3 * i + k / 3] * mu * v->d[3 * node[j] + k % 3];
        }
        for (int k = 0; k < 3; k++) s->s[k] += mu * v->d[3 * node[j] + k];
      }
  }
}

static double levi(int i, int j, int k) { return 0.5 * (i - j) * (j - k) * (k - i); }

// a rigid piece of mass m, inertia I (xx yy zz xy xz yz) about X: t + φ × y with ∫ρ y yᵀ = Y = ½
// tr(I) 1 − I
static void add_rigid(double m, const double I[6], const double X[3], const double *u,
                      const double *v, sums *s)
{
  double tr = 0.5 * (I[0] + I[1] + I[2]);
  double Y[9] = { tr - I[0], -I[3], -I[4], -I[3], tr - I[1], -I[5], -I[4], -I[5], tr - I[2] };
  s->m += m;
  for (int a = 0; a < 3; a++) s->s[a] += m * v[a];
  for (int k = 0; k < 9; k++) {
    int a = k / 3, b = k % 3;
    s->Mab[k] += m * u[a] * v[b];
    s->h[k] += m * X[a] * v[b];
    for (int q = 0; q < 27; q++) {
      int c = q / 9, d = q / 3 % 3, p = q % 3;
      if (p == 0) s->h[k] += levi(b, c, d) * v[3 + c] * Y[3 * a + d];
      for (int r = 0; r < 3; r++)
        s->Mab[k] += levi(a, c, d) * u[3 + c] * levi(b, p, r) * v[3 + p] * Y[3 * d + r];
    }
  }
}

static double product(part *t, const mw_csc *A, const double *x, const double *y)  // xᵀ A y
{
  double *Ay = mw_arena_f64(&t->mem, (size_t)t->b.n_u), r = 0.0;
  mw_csc_mul(A, 1.0, y, 0.0, Ay);
  for (int i = 0; i < t->b.n_u; i++) r += x[i] * Ay[i];
  return r;
}

static void compare(part *t, const motion *u, const motion *v, const sums *s)
{
  // xx yy zz xy xz yz of mw_body.Mab, and their mirror images by exchange of u and v
  static const int AB[6] = { 0, 4, 8, 1, 2, 5 }, BA[6] = { 0, 4, 8, 3, 6, 7 };
  const mw_body *b = &t->b;
  // sums of n products, in one order and in another; of those with two random motions partial sums
  // stay near size/√n, which leaves the some hundred terms of an entry and its row
  double eps = mw_test_rounding(s->n, 1.0), random = mw_test_rounding(100.0, 1.0),
         K = product(t, &b->K, u->u, v->u);
  MW_NEAR(K, s->K, random * s->K_size);
  double M = product(t, &b->M, u->u, v->u);
  MW_NEAR(M, s->Mab[0] + s->Mab[4] + s->Mab[8], random * s->M_size);
  for (int k = 0; k < 6; k++) {
    MW_NEAR(product(t, &b->Mab[k], u->u, v->u), s->Mab[AB[k]], random * s->M_size);
    if (k > 2) {
      double *w = mw_arena_f64(&t->mem, (size_t)b->n_u), r = 0.0;
      mw_csc_mul_t(&b->Mab[k], 1.0, v->u, 0.0, w);
      for (int i = 0; i < b->n_u; i++) r += u->u[i] * w[i];
      MW_NEAR(r, s->Mab[BA[k]], random * s->M_size);
    }
  }
  for (int k = 0; k < 3; k++) {
    double r = 0.0;
    for (int i = 0; i < b->n_u; i++) r += b->s[(size_t)k * (size_t)b->n_u + (size_t)i] * v->u[i];
    MW_NEAR(r, s->s[k], eps * s->m);
  }
  for (int k = 0; k < 9; k++) {
    double r = 0.0;
    for (int i = 0; i < b->n_u; i++) r += b->h[(size_t)k * (size_t)b->n_u + (size_t)i] * v->u[i];
    MW_NEAR(r, s->h[k], eps * s->m * 0.3);  // |X| < 0.3 m
  }
  MW_NEAR(b->m, s->m, s->n * DBL_EPSILON * s->m);  // the same terms again and again round alike
}

static void matrices_are_the_sums_over_elements(void)
{
  static const mw_elem_kind pair[][2] = { { MW_ELEM_HEX20, MW_ELEM_TET10 },
                                          { MW_ELEM_TET10, MW_ELEM_HEX8 },
                                          { MW_ELEM_WEDGE15, MW_ELEM_TET4 },
                                          { MW_ELEM_HEX8, MW_ELEM_WEDGE6 } };
  for (int k = 0; k < 4; k++) {
    part t;
    if (build_solid(&t, pair[k][0], pair[k][1])) {
      motion u = random_motion(&t, 3), v = random_motion(&t, 11);
      sums s = { 0 };
      const mw_attach *a = t.f.attach;
      const mw_frame *f = t.b.frame;
      add_elements(&t, &u, &v, &s);
      add_rigid(a[0].mass, a[0].inertia, f[0].X, u.z + f[0].z, v.z + f[0].z, &s);
      const double no_inertia[6] = { 0 }, du[6] = { u.z[f[1].z], u.z[f[1].z + 1], u.z[f[1].z + 2] },
                   dv[6] = { v.z[f[1].z], v.z[f[1].z + 1], v.z[f[1].z + 2] };
      add_rigid(a[1].mass, no_inertia, f[1].X, du, dv, &s);
      compare(&t, &u, &v, &s);
    }
    mw_arena_free(&t.mem);
  }
}

static void storage_is_sorted_and_complete(void)
{
  part t;
  mw_error err = { 0 };
  if (build_solid(&t, MW_ELEM_HEX20, MW_ELEM_TET10)) {
    const mw_csc *A[8] = { &t.b.K,      &t.b.M,      &t.b.Mab[0], &t.b.Mab[1],
                           &t.b.Mab[2], &t.b.Mab[3], &t.b.Mab[4], &t.b.Mab[5] };
    for (int k = 0; k < 8; k++) {
      MW_OKAY(mw_csc_check(A[k], &err));
      MW_CHECK(A[k]->sym == (k < 5));
      MW_CHECK(A[k]->n_col == t.b.n_u && A[k]->n_row == t.b.n_u);
    }
    // M_xx + M_yy + M_zz and M have the same places: nothing of the one is missing in the other
    mw_csc xy = { 0 }, M = { 0 };
    MW_OKAY(mw_csc_add(1.0, A[2], 1.0, A[3], &t.mem, &xy, &err));
    MW_OKAY(mw_csc_add(1.0, &xy, 1.0, A[4], &t.mem, &M, &err));
    bool same = M.ptr[t.b.n_u] == A[1]->ptr[t.b.n_u];
    for (int k = 0; same && k < M.ptr[t.b.n_u]; k++) same = M.row[k] == A[1]->row[k];
    MW_CHECK(same);
  }
  mw_arena_free(&t.mem);
}

// A frame of beams in space: motions of six components, masses at a patch and at a node
static void beams_sum_up_too(void)
{
  part t = { 0 };
  mw_error err = { 0 };
  fixture_init(&t.f);
  int a = fixture_point(&t.f, "a", 0.0, 0.0, 0.0), b = fixture_point(&t.f, "b", 0.4, 0.1, 0.0),
      c = fixture_point(&t.f, "c", 0.4, 0.3, 0.2);
  fixture_member(&t.f, a, b, 1);
  fixture_member(&t.f, b, c, 1);
  mw_attach *at = fixture_attach(&t.f, "tool", MW_ATTACH_RIGID, "c");
  at->mass = 0.7;
  at->inertia[0] = at->inertia[1] = at->inertia[2] = 2e-3;
  at->x[0] = 0.5, at->x[1] = 0.3, at->x[2] = 0.25;
  at->has_x = true;
  for (int k = 0; k < 3; k++)
    fixture_attach(&t.f, k == 0 ? "fa" : k == 1 ? "fb" : "fc", MW_ATTACH_NODE, t.f.point[k].name);
  if (MW_OKAY(mw_body_build(&t.f.model, 0, &t.mem, &t.b, &err))) {
    motion u = random_motion(&t, 5), v = random_motion(&t, 7);
    double K = 0.0, M = 0.0, size = 0.0;
    for (int e = 0; e < 2; e++) {
      mw_element el;
      const mw_member *m = &t.f.member[e];
      double d[2][12];
      MW_OKAY(mw_beam_element(t.f.point[m->from].x, t.f.point[m->to].x, m->up, &t.f.section,
                              &t.f.material, m->at, &el, &err));
      for (int i = 0; i < 12; i++) {  // frames 1 to 3 are those of the points
        int z = t.b.frame[1 + (i < 6 ? m->from : m->to)].z + i % 6;
        d[0][i] = u.z[z];
        d[1][i] = v.z[z];
      }
      for (int i = 0; i < 144; i++) {
        double dd = d[0][i / 12] * d[1][i % 12];
        K += dd * el.K[i];
        size += fabs(dd * el.K[i]);
        M += dd * (el.M[0][i] + el.M[4][i] + el.M[8][i]);
      }
    }
    sums s = { 0 };
    add_rigid(at->mass, at->inertia, t.b.frame[0].X, u.z + t.b.frame[0].z, v.z + t.b.frame[0].z,
              &s);
    // 300 products
    MW_NEAR(product(&t, &t.b.K, u.u, v.u), K, mw_test_rounding(300.0, size));
    MW_NEAR(product(&t, &t.b.M, u.u, v.u), M + s.Mab[0] + s.Mab[4] + s.Mab[8],
            mw_test_rounding(300.0, 10.0 * t.b.m));
  }
  mw_arena_free(&t.mem);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "matrices_are_the_sums_over_elements", matrices_are_the_sums_over_elements },
    { "storage_is_sorted_and_complete", storage_is_sorted_and_complete },
    { "beams_sum_up_too", beams_sum_up_too },
  };
  int status = mw_test_run("assemble", cases, (int)(sizeof cases / sizeof *cases));
  remove(PATH);
  return status;
}
