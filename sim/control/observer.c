// SPDX-License-Identifier: BSD-3-Clause
// observer.c: what the drives' coordinates and rates say about the state.
//
//   x⁺ = step(x, u + d) ,   d⁺ = d ,   measured z = (s, ṡ) of the drives                        (1)
// d [n_u]: forces beside the inputs (friction, what the model leaves out); they make the controller
// free of offset.
//   update   K = P Cᵀ (C P Cᵀ + R)⁻¹ ,  (x, d) += K (z − z(x)) ,  P := (I − K C) P              (2)
//   step     P := F P Fᵀ + Q ,  F = [ ∂x⁺/∂x  ∂x⁺/∂u ; 0  I ]                                   (3)
// P is made symmetric after (2). Cost: 2 n_e³ for (3), n_e = 2n + n_u. Allocates nothing after its
// start.
#include "sim/observer.h"

#include <math.h>
#include <string.h>

#include "control_priv.h"

mw_observer_opt mw_observer_opt_default(void)
{
  return (mw_observer_opt){ .position = 1e-6, .rate = 1e-4, .force = 0.3, .modal = 2e-5 };
}

mw_code mw_observer_init(mw_observer *o, const mw_rom *rom, const mw_rom_opt *opt, const double *x0,
                         mw_arena *mem, mw_error *err)
{
  // at the start: rest to within this
  static const double PLACE = 1e-5, RATE = 1e-5, FORCE = 1.0;  // m, m/s, N
  if (rom->n_u > MW_MPC_MAX_U)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "observer: found %d inputs, expected at most %d, all of them drives", rom->n_u,
                   (int)MW_MPC_MAX_U);
  int n = rom->s + rom->m, nx = 2 * n, ne = nx + rom->n_u, ny = 2 * rom->n_u;
  *o = (mw_observer){ .rom = rom, .opt = opt, .n_x = nx, .n_e = ne, .n_y = ny };
  o->noise = mw_observer_opt_default();
  size_t x = (size_t)nx, e = (size_t)ne, y = (size_t)ny, u = (size_t)rom->n_u;
  o->x = mw_arena_f64(mem, e);
  o->P = mw_arena_f64(mem, e * e);
  o->F = mw_arena_f64(mem, e * e);
  o->T = mw_arena_f64(mem, e * e);
  o->A = mw_arena_f64(mem, x * x);
  o->B = mw_arena_f64(mem, x * u);
  o->C = mw_arena_f64(mem, y * e);
  o->CP = mw_arena_f64(mem, y * e);
  o->K = mw_arena_f64(mem, y * e);
  o->S = mw_arena_f64(mem, y * y);
  o->value = mw_arena_f64(mem, (size_t)rom->n_field);
  o->gradient = mw_arena_f64(mem, (size_t)rom->s * (size_t)rom->n_field);
  o->work = mw_arena_alloc(mem, mw_rom_sens_bytes(rom), 1);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  o->d = o->x + nx;
  memcpy(o->x, x0, x * sizeof(double));
  for (int i = 0; i < ne; i++) {
    double s = i < n ? PLACE : i < nx ? RATE : FORCE;
    o->P[i * ne + i] = s * s;
  }
  return MW_OK;
}

// y += ½ δᵀYδ with its derivatives in J, and what they change by in J_dot; Y packed, of the value
// and of the gradient
static void add_curvature(const mw_rom *rom, int q, const double *x, double *y, double *Jk,
                          double *Dk, const double *value, const double *gradient)
{
  int s = rom->s, m = rom->m, mm = m * (m + 1) / 2, n = s + m;
  size_t first = (size_t)mw_rom_layout_of(mw_rom_shape_of(rom)).Y + (size_t)q * (size_t)mm;
  const double *delta = x + s, *thd = x + n, *deld = thd + s, *Y = value + first;
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      int ab = a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
      *y += 0.5 * delta[a] * Y[ab] * delta[b];
      Jk[s + a] += Y[ab] * delta[b];
      Dk[s + a] += Y[ab] * deld[b];
      for (int i = 0; i < s; i++) {
        double Y_i = gradient[(size_t)i * (size_t)rom->n_field + first + (size_t)ab];
        Jk[i] += 0.5 * delta[a] * Y_i * delta[b];
        Dk[i] += delta[a] * Y_i * deld[b];
        Dk[s + a] += thd[i] * Y_i * delta[b];
      }
    }
}

mw_rom_code mw_mpc_fields(const mw_rom *rom, const double *x, int n_ref, const int *field,
                          double *y, double *y_dot, double *J, double *J_dot, double *value,
                          double *gradient)
{
  int s = rom->s, m = rom->m, n = s + m, first = mw_rom_layout_of(mw_rom_shape_of(rom)).y;
  const double *delta = x + s, *thd = x + n, *deld = thd + s;
  mw_rom_code code = mw_rom_fields(rom, x, value, gradient, NULL);
  if (code != MW_ROM_OK) return code;
  for (int k = 0; k < n_ref; k++) {
    const double *v = value + first + field[k] * (1 + m);
    double *Jk = J + k * n, *Dk = J_dot + k * n;
    y[k] = v[0];
    for (int a = 0; a < m; a++) {
      y[k] += v[1 + a] * delta[a];
      Jk[s + a] = v[1 + a];
      Dk[s + a] = 0.0;
    }
    for (int i = 0; i < s; i++) {
      const double *g = gradient + i * rom->n_field + first + field[k] * (1 + m);
      Jk[i] = g[0];
      Dk[i] = 0.0;
      for (int a = 0; a < m; a++) {
        Jk[i] += g[1 + a] * delta[a];
        Dk[i] += g[1 + a] * deld[a];
        Dk[s + a] += g[1 + a] * thd[i];
      }
    }
    for (int q = 0; q < rom->n_Y; q++)
      if (rom->Y_field[q] == field[k]) add_curvature(rom, q, x, &y[k], Jk, Dk, value, gradient);
    y_dot[k] = 0.0;
    for (int i = 0; i < n; i++) y_dot[k] += Jk[i] * thd[i];
  }
  return MW_ROM_OK;
}

// S := Cholesky factor of C P Cᵀ + R, K := its solution for C P, both [n_y × …] small
static void set_gain(mw_observer *o)
{
  int ny = o->n_y, ne = o->n_e, nu = o->rom->n_u;
  for (int i = 0; i < ny; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0.0, r = i < nu ? o->noise.position : o->noise.rate;
      for (int l = 0; l < ne; l++) s += o->CP[i * ne + l] * o->C[j * ne + l];
      o->S[i * ny + j] = i == j ? s + r * r : s;
    }
  memcpy(o->K, o->CP, (size_t)ny * (size_t)ne * sizeof(double));
  // K := (L Lᵀ)⁻¹ C P
  for (int i = 0; i < ny; i++) {
    for (int j = 0; j <= i; j++) {
      double s = o->S[i * ny + j];
      for (int l = 0; l < j; l++) s -= o->S[i * ny + l] * o->S[j * ny + l];
      o->S[i * ny + j] = i == j ? sqrt(s) : s / o->S[j * ny + j];
    }
    for (int j = 0; j < i; j++)
      for (int l = 0; l < ne; l++) o->K[i * ne + l] -= o->S[i * ny + j] * o->K[j * ne + l];
    for (int l = 0; l < ne; l++) o->K[i * ne + l] /= o->S[i * ny + i];
  }
  for (int i = ny - 1; i >= 0; i--) {
    for (int j = i + 1; j < ny; j++)
      for (int l = 0; l < ne; l++) o->K[i * ne + l] -= o->S[j * ny + i] * o->K[j * ne + l];
    for (int l = 0; l < ne; l++) o->K[i * ne + l] /= o->S[i * ny + i];
  }
}

mw_rom_code mw_observer_update(mw_observer *o, const double *s, const double *s_dot)
{
  const mw_rom *rom = o->rom;
  int n = rom->s + rom->m, nu = rom->n_u, ne = o->n_e, ny = o->n_y;
  double y[MW_MPC_MAX_U], y_dot[MW_MPC_MAX_U], *J = o->T, *D = o->T + nu * n;
  mw_rom_code code =
      mw_mpc_fields(rom, o->x, nu, rom->u_field, y, y_dot, J, D, o->value, o->gradient);
  if (code != MW_ROM_OK) return code;
  memset(o->C, 0, (size_t)ny * (size_t)ne * sizeof(double));
  for (int k = 0; k < nu; k++) {
    memcpy(o->C + k * ne, J + k * n, (size_t)n * sizeof(double));
    memcpy(o->C + (nu + k) * ne, D + k * n, (size_t)n * sizeof(double));
    memcpy(o->C + (nu + k) * ne + n, J + k * n, (size_t)n * sizeof(double));
  }
  memset(o->CP, 0, (size_t)ny * (size_t)ne * sizeof(double));
  for (int i = 0; i < ny; i++)
    for (int l = 0; l < o->n_x; l++) {
      double c = o->C[i * ne + l];
      for (int j = 0; c != 0.0 && j < ne; j++) o->CP[i * ne + j] += c * o->P[l * ne + j];
    }
  set_gain(o);
  for (int i = 0; i < ny; i++) {
    double innovation = i < nu ? s[i] - y[i] : s_dot[i - nu] - y_dot[i - nu];
    for (int l = 0; l < ne; l++) o->x[l] += o->K[i * ne + l] * innovation;
    for (int k = 0; k < ne; k++) {
      double f = o->K[i * ne + k];
      for (int l = 0; l < ne; l++) o->P[k * ne + l] -= f * o->CP[i * ne + l];
    }
  }
  for (int k = 0; k < ne; k++)
    for (int l = 0; l < k; l++) {
      double mean = 0.5 * (o->P[k * ne + l] + o->P[l * ne + k]);
      o->P[k * ne + l] = o->P[l * ne + k] = mean;
    }
  return MW_ROM_OK;
}

// P := F P Fᵀ + Q
static void spread(mw_observer *o)
{
  int n = o->n_x / 2, nx = o->n_x, ne = o->n_e, nu = o->rom->n_u, s = o->rom->s;
  memset(o->F, 0, (size_t)ne * (size_t)ne * sizeof(double));
  for (int i = 0; i < nx; i++) {
    memcpy(o->F + i * ne, o->A + i * nx, (size_t)nx * sizeof(double));
    memcpy(o->F + i * ne + nx, o->B + i * nu, (size_t)nu * sizeof(double));
  }
  for (int i = nx; i < ne; i++) o->F[i * ne + i] = 1.0;
  mw_mpc_mul(ne, ne, ne, o->F, ne, o->P, ne, o->T, ne);  // F P
  // (F P) Fᵀ through the transposes: Fᵀ is written over P
  for (int i = 0; i < ne; i++)
    for (int j = 0; j < ne; j++) o->P[j * ne + i] = o->F[i * ne + j];
  memcpy(o->F, o->P, (size_t)ne * (size_t)ne * sizeof(double));
  mw_mpc_mul(ne, ne, ne, o->T, ne, o->F, ne, o->P, ne);
  for (int i = n + s; i < nx; i++) o->P[i * ne + i] += o->noise.modal * o->noise.modal;
  for (int i = nx; i < ne; i++) o->P[i * ne + i] += o->noise.force * o->noise.force;
}

mw_rom_code mw_observer_step(mw_observer *o, double h, const double *u)
{
  double force[MW_MPC_MAX_U];
  for (int k = 0; k < o->rom->n_u; k++) force[k] = u[k] + o->d[k];
  mw_rom_call call = { .rom = o->rom, .opt = o->opt, .h = h, .u = force, .work = o->work };
  mw_rom_code code = mw_rom_step_sens(&call, o->x, o->A, o->B);
  if (code == MW_ROM_OK) spread(o);
  return code;
}
