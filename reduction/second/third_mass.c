// SPDX-License-Identifier: BSD-3-Clause
// third_mass.c: third order of T that rigid bodies have as they turn with the first columns
// (third.c).
//
// A rigid body is at x = o + E (t + exp(ω~) X), t and ω polynomials of δ. Its affine part P = (t,
// B), x = o + E (t + B X), has the derivatives along columns, E's axes,
//   P_a = (t_a, ω_a~) ,   P_ab = (t_ab, ω_ab~ + ½ (ω_a~ω_b~ + ω_b~ω_a~)) ,
//   P_abc = (t_abc, ω_abc~ + Σ ½ (ω_a~ω_bc~ + ω_bc~ω_a~) over a | bc + 1/6 Σ ω_a~ω_b~ω_c~ over all
//       orders)      (1)
// and unit rates of θ_i move it by  V_i = (v_i, ω_i~) ,  V_i,a… = (ω_i × t_a… + ∂_i t_a…,
//     ω_i~B_a… + ∂_i B_a…) ,   ∂_i as in extra.c (2).
// Products with ⟨(c, B), (c', B')⟩ = m c·c' + c·B'mX + c'·B mX + tr(B J B'ᵀ), of all rigid bodies,
//   A_ij gains A3_ij,abc δ_aδ_bδ_c ,   A3 = 1/6 Σ_ij, ji (⟨V_i, V_j,abc⟩ + Σ ⟨V_i,a,
//       V_j,bc⟩ over a | bc)      (2)
//   B_ia gains B2_i,abc δ_bδ_c ,       B2 = ½ (⟨V_i, P_abc⟩ + ⟨V_i,b, P_ac⟩ + ⟨V_i,c,
//       P_ab⟩ + ⟨V_i,bc, P_a⟩)      (3)
//   beside ⟨V_i, P_bc⟩ = H_i and ⟨P_a, P_bc⟩ = G_abc: these two are compared with those of
//     second.c, which have the stress of
// bodies and elastic bodies' mass: where they are not the same within SAME, as quasi-static columns
// have them, elastic bodies matter and (2), (3) are not to be had. What is below NOISE of the
// largest product of its two norms is none: H of a wheel that tilts with its bearing vanishes, and
// differences of third.c err by 2e-7.
#include "third_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "reduction/axis.h"

static const double SAME = 0.05, NOISE = 1e-6;

typedef struct mass {
  const mw_reduction *r;
  mw_extra *x;
  int k, n_vec, n_rigid, n;  // n: of a field, 12 n_rigid
  int *body;                 // [n_rigid]
  double *all;               // [n_point × n_vec × n]  P of all vectors
  const double **P;          // [n_point]
  double *V;                 // [s × (1 + n_vec) × n]  V_i, then its derivatives, at a grid point
  double *M;                 // the same of P and V: their products with the mass
  double *MP;                // [n_vec × n]
  const double *f;           // [m]  of extra_mass.c (1)
  mw_arena mem;
} mass;

static mw_code mass_init(const mw_reduction *r, const double *f, mw_extra *x, mass *out,
                         mw_error *err)
{
  const mw_mech *m = r->mech;
  mass w = { .r = r, .f = f, .x = x, .k = x->n_G, .n_vec = mw_third_count(x->n_G) };
  size_t np = (size_t)r->n_point, nv = (size_t)w.n_vec, s = (size_t)r->s;
  w.body = mw_arena_int(&w.mem, (size_t)m->n_body);
  mw_code rc = mw_arena_check(&w.mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++)
    if (m->body[b].n_u == 0 && !m->body[b].ground) w.body[w.n_rigid++] = b;
  w.n = 12 * w.n_rigid;
  size_t n = (size_t)w.n;
  w.all = mw_arena_f64(&w.mem, np * nv * n);
  w.P = mw_arena_alloc(&w.mem, np, sizeof *w.P);
  w.V = mw_arena_f64(&w.mem, s * (1 + nv) * n);
  w.M = mw_arena_f64(&w.mem, s * (1 + nv) * n);
  w.MP = mw_arena_f64(&w.mem, nv * n);
  if (rc == MW_OK) rc = mw_arena_check(&w.mem, err);
  for (size_t g = 0; rc == MW_OK && g < np; g++) w.P[g] = w.all + g * nv * n;
  *out = w;
  return rc;
}

// ---- (1) ----------------------------------------------------------------------------------------

// B [9] += c (a~b~): b aᵀ − (a·b) I
static void add_turns(double c, const double *a, const double *b, double *B)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) B[3 * i + j] += c * b[i] * a[j];
  double d = c * mw_dot(3, a, b);
  for (int i = 0; i < 3; i++) B[4 * i] -= d;
}

static void set_turn(const double *tw, double *P)
{
  const double *w = tw + 3;
  const double B[9] = { 0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0 };
  memcpy(P, tw, 3 * sizeof *P);
  memcpy(P + 3, B, sizeof B);
}

// B += c a~b~d~
static void add_three(double c, const double *a, const double *b, const double *d, double *B)
{
  const double W[9] = { 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0 };
  double T[9] = { 0.0 }, X[9];
  add_turns(c, b, d, T);
  mw_mul33(W, T, X);
  for (int i = 0; i < 9; i++) B[i] += X[i];
}

// B of pairs and triples of rigid body i: what turns in turn add; tw: its twists, `stride` apart
static void add_products(const mass *w, const double *tw, size_t stride, double *to)
{
  int k = w->k;
  size_t n = (size_t)w->n;
  for (int a = 0; a < k; a++)
    for (int b = 0; b <= a; b++) {
      const double *wa = tw + (size_t)a * stride + 3, *wb = tw + (size_t)b * stride + 3;
      double *P = to + (size_t)mw_third_pair(k, a, b) * n + 3;
      add_turns(0.5, wa, wb, P);
      add_turns(0.5, wb, wa, P);
      for (int c = 0; c <= b; c++) {
        const int in[5] = { a, b, c, a, b };
        P = to + (size_t)mw_third_triple(k, a, b, c) * n + 3;
        for (int l = 0; l < 3; l++) {
          const double *one = tw + (size_t)in[l] * stride + 3,
                       *two = tw + (size_t)in[l + 1] * stride + 3,
                       *three = tw + (size_t)in[l + 2] * stride + 3,
                       *pair = tw + (size_t)mw_third_pair(k, in[l + 1], in[l + 2]) * stride + 3;
          add_turns(0.5, one, pair, P);
          add_turns(0.5, pair, one, P);
          add_three(1.0 / 6.0, one, two, three, P);
          add_three(1.0 / 6.0, one, three, two, P);
        }
      }
    }
}

static void set_fields(const mass *w, const mw_third *t, int g)
{
  double *to = w->all + (size_t)g * (size_t)w->n_vec * (size_t)w->n;
  size_t stride = 6 * (size_t)w->r->mech->n_body;
  for (int i = 0; i < w->n_rigid; i++, to += 12) {
    const double *tw = t->twist + 6 * w->body[i];
    for (int v = 0; v < w->n_vec; v++)
      set_turn(tw + (size_t)v * stride, to + (size_t)v * (size_t)w->n);
    add_products(w, tw, stride, to);
  }
}

// ---- products -----------------------------------------------------------------------------------

// out [n] = M P
static void mul_mass(const mass *w, const double *P, double *out)
{
  for (int i = 0; i < w->n_rigid; i++, P += 12, out += 12) {
    const mw_body *body = &w->r->mech->body[w->body[i]];
    for (int a = 0; a < 3; a++) {
      out[a] = body->m * P[a] + mw_dot(3, P + 3 + 3 * a, body->mX);
      for (int b = 0; b < 3; b++)
        out[3 + 3 * a + b] = P[a] * body->mX[b] + mw_dot(3, P + 3 + 3 * a, body->J + 3 * b);
    }
  }
}

// V_i of all vectors at grid point g, in V [(1 + n_vec) × n]; D: of the axis i
static void set_rates(const mass *w, int g, int i, const double *D, double *V)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)w->n;
  const double *P = w->P[g];
  mw_grid_slope(r, D, i, g, w->P, (size_t)w->n_vec * n, V + n);
  for (int b = 0; b < w->n_rigid; b++) {
    const double *v = r->point[g].q.v + 6 * (i * r->mech->n_body + w->body[b]), *o = v + 3;
    const double W[9] = { 0.0, -o[2], o[1], o[2], 0.0, -o[0], -o[1], o[0], 0.0 };
    set_turn(v, V + 12 * b);
    for (int k = 0; k < w->n_vec; k++) {
      const double *p = P + (size_t)k * n + 12 * b;
      double *to = V + (size_t)(1 + k) * n + 12 * b, c[3], B[9];
      mw_mul33v(W, p, c);
      mw_mul33(W, p + 3, B);
      for (int a = 0; a < 3; a++) to[a] += c[a];
      for (int a = 0; a < 9; a++) to[3 + a] += B[a];
    }
  }
}

// ⟨V_i,u , V_j,v⟩, vector −1: the rate itself
static double between(const mass *w, int i, int u, int j, int v)
{
  size_t n = (size_t)w->n, stride = (size_t)(1 + w->n_vec) * n;
  return mw_dot(w->n, w->V + (size_t)i * stride + (size_t)(1 + u) * n,
                w->M + (size_t)j * stride + (size_t)(1 + v) * n);
}

// ⟨V_i,u , P_v⟩
static double with_column(const mass *w, int i, int u, int v)
{
  size_t n = (size_t)w->n, stride = (size_t)(1 + w->n_vec) * n;
  return mw_dot(w->n, w->V + (size_t)i * stride + (size_t)(1 + u) * n, w->MP + (size_t)v * n);
}

// (2) of a pair i >= j
static double cubic(const mass *w, int i, int j, int a, int b, int c)
{
  int k = w->k, abc = mw_third_triple(k, a, b, c);
  const int in[3] = { a, b, c };
  double sum = between(w, i, -1, j, abc) + between(w, j, -1, i, abc);
  for (int l = 0; l < 3; l++) {
    int bc = mw_third_pair(k, in[(l + 1) % 3], in[(l + 2) % 3]);
    sum += between(w, i, in[l], j, bc) + between(w, j, in[l], i, bc);
  }
  return sum / 6.0;
}

// (3)
static double quadratic(const mass *w, int i, int a, int b, int c)
{
  int k = w->k;
  return 0.5 * (with_column(w, i, -1, mw_third_triple(k, a, b, c)) +
                with_column(w, i, b, mw_third_pair(k, a, c)) +
                with_column(w, i, c, mw_third_pair(k, a, b)) +
                with_column(w, i, mw_third_pair(k, b, c), a));
}

static void put_tables(const mass *w, int g)
{
  mw_extra *x = w->x;
  int k = w->k, s = x->s, kk = k * (k + 1) / 2;
  double *A3 = x->A3 + g * (s * (s + 1) / 2) * (kk * (k + 2) / 3), *B2 = x->B2 + g * s * k * kk;
  for (int i = 0; i < s; i++)
    for (int a = 0; a < k; a++)
      for (int b = 0; b < k; b++)
        for (int c = 0; c <= b; c++) *B2++ = quadratic(w, i, a, b, c);
  for (int i = 0; i < s; i++)
    for (int j = 0; j <= i; j++)
      for (int a = 0; a < k; a++)
        for (int b = 0; b <= a; b++)
          for (int c = 0; c <= b; c++) *A3++ = cubic(w, i, j, a, b, c);
}

double mw_third_share(const mw_extra *x, const double *f, double w1, const double *rate)
{
  int k = x->n_G, s = x->s;
  const double *A3 = x->A3, *B2 = x->B2;
  double most = 0.0;
  for (int g = 0; g < x->n_point; g++) {
    for (int i = 0; i < s; i++)
      for (int j = 0; j <= i; j++)
        for (int a = 0; a < k; a++)
          for (int b = 0; b <= a; b++)
            for (int c = 0; c <= b; c++, A3++) {
              double of = fabs(*A3) * f[a] * f[b] * f[c] / (w1 * w1);
              if (of > 0.0) most = fmax(most, (i == j ? 6.0 : 12.0) * rate[i] * rate[j] * of);
            }
    for (int i = 0; i < s; i++)
      for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++)
          for (int c = 0; c <= b; c++, B2++) {
            double of = fabs(*B2) * f[a] * f[b] * f[c] / w1;
            if (of > 0.0) most = fmax(most, 4.0 * rate[i] * of);
          }
  }
  return most;
}

void mw_third_copy(const mw_extra *x, int n_gain, int A3, int B2, double *out)
{
  size_t n = (size_t)x->n_G, s = (size_t)x->s, nn = n * (n + 1) / 2,
         of_A3 = s * (s + 1) / 2 * (nn * (n + 2) / 3), of_B2 = s * n * nn;
  for (size_t g = 0; g < (size_t)x->n_point; g++) {
    double *to = out + g * (size_t)n_gain;
    memcpy(to + A3, x->A3 + g * of_A3, of_A3 * sizeof *out);
    memcpy(to + B2, x->B2 + g * of_B2, of_B2 * sizeof *out);
  }
}

// Norm of vector v
static double norm_of(const mass *w, int g, int v)
{
  size_t n = (size_t)w->n;
  return sqrt(fmax(mw_dot(w->n, w->P[g] + (size_t)v * n, w->MP + (size_t)v * n), 0.0));
}

// G and H here and of x, of quasi-static shares: their largest difference, size, and product of
// norms
typedef struct likeness {
  double difference, size, norms;
} likeness;

static void liken(double f, double here, double of_x, double norms, likeness *to)
{
  to->difference = fmax(to->difference, f * fabs(of_x - here));
  to->size = fmax(to->size, f * fabs(of_x));
  to->norms = fmax(to->norms, f * norms);
}

static bool alike(const likeness *l) { return l->difference <= SAME * l->size + NOISE * l->norms; }

static void compare(const mass *w, int g, likeness *of_G, likeness *of_H)
{
  const mw_extra *x = w->x;
  size_t mm = (size_t)(x->m * (x->m + 1) / 2), G = (size_t)g, n = (size_t)w->n;
  for (int b = 0; b < w->k; b++)
    for (int c = 0; c <= b; c++) {
      int bc = mw_third_pair(w->k, b, c);
      size_t at = (size_t)b * (size_t)(b + 1) / 2 + (size_t)c;
      double fbc = w->f[b] * w->f[c], norm = norm_of(w, g, bc);
      for (int a = 0; a < w->k; a++)
        liken(w->f[a] * fbc, mw_dot(w->n, w->P[g] + (size_t)a * n, w->MP + (size_t)bc * n),
              x->G[(G * (size_t)x->n_moved + (size_t)a) * mm + at], norm * norm_of(w, g, a), of_G);
      for (int i = 0; i < x->s; i++)
        liken(fbc, with_column(w, i, -1, bc), x->H[(G * (size_t)x->s + (size_t)i) * mm + at],
              norm * sqrt(between(w, i, -1, i, -1)), of_H);
    }
}

static mw_code tables(mass *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  size_t n = (size_t)w->n, all = (size_t)(1 + w->n_vec);
  double *D[MW_ROM_MAX_S];
  likeness G = { 0 }, H = { 0 };
  mw_code rc = MW_OK;
  for (int i = 0; rc == MW_OK && i < r->s; i++) {
    D[i] = mw_arena_f64(&w->mem, (size_t)r->n_grid[i] * (size_t)r->n_grid[i]);
    rc = mw_arena_check(&w->mem, err);
    if (rc == MW_OK) rc = mw_axis_derivative(&r->axis[i], D[i], err);
  }
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    for (int v = 0; v < w->n_vec; v++) mul_mass(w, w->P[g] + (size_t)v * n, w->MP + (size_t)v * n);
    for (int i = 0; i < r->s; i++) {
      double *V = w->V + (size_t)i * all * n, *M = w->M + (size_t)i * all * n;
      set_rates(w, g, i, D[i], V);
      for (size_t v = 0; v < all; v++) mul_mass(w, V + v * n, M + v * n);
    }
    compare(w, g, &G, &H);
    put_tables(w, g);
  }
  w->x->third = rc == MW_OK && alike(&G) && alike(&H);
  return rc;
}

static mw_code manifold(mass *w, mw_error *err)
{
  const mw_reduction *r = w->r;
  mw_second z;
  mw_third t = { 0 };
  mw_code rc = mw_second_init(r->mech, r->blocks, r->locked, r->s, r->m, 0, &z, err);
  if (rc != MW_OK) return rc;
  rc = mw_third_init(&z, w->k, &t, err);
  for (int g = 0; rc == MW_OK && g < r->n_point; g++) {
    const mw_grid_point *pt = &r->point[g];
    mw_second_columns(&z, pt->sys, pt->Psi);
    rc = mw_third_build(&t, pt->sys, &pt->q, NULL, err);
    if (rc == MW_OK) set_fields(w, &t, g);
  }
  mw_third_free(&t);
  mw_second_free(&z);
  return rc;
}

mw_code mw_third_mass(const mw_reduction *r, const double *f, mw_extra *x, mw_error *err)
{
  size_t np = (size_t)r->n_point, k = (size_t)x->n_G, kk = k * (k + 1) / 2, s = (size_t)x->s;
  mass w;
  x->third = false;
  if (k == 0) return MW_OK;
  x->A3 = mw_arena_f64(&x->mem, np * (s * (s + 1) / 2) * (kk * (k + 2) / 3));
  x->B2 = mw_arena_f64(&x->mem, np * s * k * kk);
  mw_code rc = mw_arena_check(&x->mem, err);
  if (rc != MW_OK) return rc;
  rc = mass_init(r, f, x, &w, err);
  if (rc == MW_OK && w.n_rigid > 0) rc = manifold(&w, err);
  if (rc == MW_OK && w.n_rigid > 0) rc = tables(&w, err);
  mw_arena_free(&w.mem);
  return rc;
}
