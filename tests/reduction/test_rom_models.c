// SPDX-License-Identifier: BSD-3-Clause
// test_rom_models.c: the reduced model against mechanisms whose equations are known.
//
// Pendulum on a spring: length r = r0 + delta/√μ, so that G = 1:
//   a = μ r0² ,  b = 2 √μ r0 ,  c = 1 ,  K = k/μ ,  U0 = -μ g r0 cos θ ,  U1 = -√μ g cos θ
// Mass μ moving at x on a simply supported beam of unit length, mass and stiffness, modes φ_n = √2
// sin nπx:
//   w(ξ) = φ(ξ)·q ,  T = ½ q̇·q̇ + ½ μ (ẋ² + (φ·q̇ + ẋ φ'·q)²)
//   V = ½ q·Ω² q + μ g φ(x)·q ,  Ω_n = n²π²
// with q = Ψ(x) δ, Ψ = G^-½, G = I + μ φφ' (then ΨᵀGΨ = I):
//   e = ΨᵀΨ' + μ Ψᵀφ nᵀ ,  n = Ψ'ᵀφ + Ψᵀφ' ,  c = Ψ'ᵀΨ' + μ n nᵀ
//   a = μ ,  K = ΨᵀΩ²Ψ ,  U1 = μ g Ψᵀφ
// The reference integrates q̈ = -G⁻¹ [Ω² q + μ φ (g + 2 ẋ φ'·q̇ + ẋ² φ''·q)], ẋ constant, by
// Runge-Kutta.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mw_test.h"
#include "reduction/spline.h"
#include "rom/step.h"

static mw_rom_opt midpoint(void)
{
  mw_rom_opt opt = mw_rom_opt_default();
  opt.method = MW_ROM_MIDPOINT;
  return opt;
}

enum { N = 3, MAX_GRID = 161 };  // beam modes
static const double pi = 3.14159265358979323846, grav = 9.81;

// A model in one coordinate with one input that acts on theta, one output.
typedef struct model {
  mw_rom rom;
  double coef[(MAX_GRID + 2) * 64], work[4096];
  int u_field[1];
  double c_theta[1], delta_max[N];
} model;

static void fit(model *md, int m, int n_grid, double lo, double hi,
                void (*record)(double theta, double *r))
{
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = m, .n_y = 2 });
  double *data = calloc((size_t)(n_grid * l.n), sizeof *data);
  mw_error err = { 0 };
  if (!MW_CHECK(data != NULL && l.n <= 64)) abort();
  for (int g = 0; g < n_grid; g++) record(lo + (hi - lo) * g / (n_grid - 1), data + g * l.n);
  md->rom = (mw_rom){ .s = 1,
                      .m = m,
                      .n_y = 2,
                      .n_u = 1,
                      .n_field = l.n,
                      .n_grid = { n_grid },
                      .lo = { lo },
                      .hi = { hi },
                      .coef = md->coef,
                      .u_field = md->u_field,
                      .c_theta = md->c_theta,
                      .delta_max = md->delta_max };
  md->u_field[0] = 0;
  md->c_theta[0] = 0.0;
  for (int a = 0; a < N; a++) md->delta_max[a] = INFINITY;
  MW_CHECK(mw_rom_work_bytes(&md->rom) <= sizeof md->work);
  MW_OKAY(mw_spline_fit(1, &n_grid, l.n, data, md->coef, &err));
  free(data);
}

// ---- pendulum on a spring -----------------------------------------------------------------------

static const double mu_p = 0.7, r0 = 0.4, k_p = 90.0;

static void pendulum_record(double theta, double *r)
{
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = 1, .n_y = 2 });
  r[l.a] = mu_p * r0 * r0;
  r[l.b] = 2.0 * sqrt(mu_p) * r0;
  r[l.c] = 1.0;
  r[l.K] = k_p / mu_p;
  r[l.U0] = -mu_p * grav * r0 * cos(theta);
  r[l.U1] = -sqrt(mu_p) * grav * cos(theta);
  r[l.y] = theta;
}

static void spring_pendulum_accelerates_as_its_closed_form(void)
{
  static model md;
  enum { N_GRID = 81 };
  double h = 3.0 / (N_GRID - 1);
  fit(&md, 1, N_GRID, -1.5, 1.5, pendulum_record);
  mw_rom_opt opt = midpoint();
  for (int k = 0; k < 20; k++) {
    double x[4] = { -1.4 + 0.14 * k, 0.02 * (k % 5), 2.0 - 0.3 * k, 0.1 * k }, u[1] = { 0.3 }, z[2];
    MW_CHECK(mw_rom_rhs(&(mw_rom_call){ .rom = &md.rom, .opt = &opt, .u = u, .work = md.work }, x,
                        z) == MW_ROM_OK);
    // μ r² θ̈ + 2 μ r ṙ θ̇ = -μ g r sin θ + u ,  r̈ = r θ̇² - k/μ (r - r0) + g cos θ
    double r = r0 + x[1] / sqrt(mu_p), r_dot = x[3] / sqrt(mu_p);
    double thdd = (u[0] / (mu_p * r) - grav * sin(x[0]) - 2.0 * r_dot * x[2]) / r;
    double rdd = r * x[2] * x[2] - k_p / mu_p * (r - r0) + grav * cos(x[0]);
    // derivative of a cubic spline: error h³/24 |f⁗| inside, 1 h³ |f⁗| allows for the ends; U0⁗,
    // U1⁗ δ
    double dV = (mu_p * grav * r0 + sqrt(mu_p) * grav * fabs(x[1])) * h * h * h;
    MW_NEAR(z[0], thdd, dV / (mu_p * r * r));
    MW_NEAR(z[1], sqrt(mu_p) * rdd, sqrt(mu_p) * grav * h * h * h * h);
  }
}

static void energy_of_a_long_swing_stays_bounded(void)
{
  static model md;
  fit(&md, 1, 41, -1.5, 1.5, pendulum_record);
  mw_rom_opt opt = midpoint();
  double x[4] = { 0.8, 0.05, 0.0, 0.0 }, none[1] = { 0.0 }, T, V, E0 = 0.0, first = 0.0, last = 0.0;
  enum { N_STEP = 60000, WINDOW = 6000 };
  const double h = 5e-3;  // 300 s, some 200 swings
  for (int k = 0; k <= N_STEP; k++) {
    MW_CHECK(mw_rom_energy(&(mw_rom_call){ .rom = &md.rom, .opt = &opt, .work = md.work }, x, &T,
                           &V, NULL) == MW_ROM_OK);
    if (k == 0) E0 = T + V;
    if (k <= WINDOW) first = fmax(first, fabs(T + V - E0));
    if (k >= N_STEP - WINDOW) last = fmax(last, fabs(T + V - E0));
    if (!MW_CHECK(
            mw_rom_step(
                &(mw_rom_call){ .rom = &md.rom, .opt = &opt, .h = h, .u = none, .work = md.work },
                x) == MW_ROM_OK))
      return;
  }
  // the error oscillates with the motion; a drift would make the last tenth of the time 10 times
  // the first. 2 bounds the beating of the two motions
  MW_CHECK(first > 0.0 && last < 2.0 * first);
  // amplitude (omega h)²/12 × exchanged energy, omega = 11 rad/s, three times for the nonlinear
  // terms
  MW_NEAR(last, 0.0, 3.0 * pow(11.4 * h, 2) / 12.0 * 2.0);
}

// ---- mass on a beam -----------------------------------------------------------------------------

static const double mu_b = 0.5;

static void shape(double x, double phi[N], double phi1[N], double phi2[N])
{
  for (int n = 0; n < N; n++) {
    double k = (n + 1) * pi;
    phi[n] = sqrt(2.0) * sin(k * x);
    phi1[n] = sqrt(2.0) * k * cos(k * x);
    phi2[n] = -k * k * phi[n];
  }
}

// Ψ = I + κ φφ' ,  κ = ((1 + μσ)^-½ - 1)/σ ,  σ = φ·φ ; and its x-derivative.
static void system_basis(double x, double P[N][N], double P1[N][N])
{
  double f[N], f1[N], f2[N], sigma = 0.0, sigma1 = 0.0;
  shape(x, f, f1, f2);
  for (int n = 0; n < N; n++) {
    sigma += f[n] * f[n];
    sigma1 += 2.0 * f[n] * f1[n];
  }
  double g = 1.0 / sqrt(1.0 + mu_b * sigma), kappa = (g - 1.0) / sigma;
  double kappa1 = (-0.5 * mu_b * g * g * g - kappa) / sigma * sigma1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      P[i][j] = (i == j) + kappa * f[i] * f[j];
      P1[i][j] = kappa1 * f[i] * f[j] + kappa * (f1[i] * f[j] + f[i] * f1[j]);
    }
}

static void beam_record(double x, double *r)
{
  mw_rom_layout l = mw_rom_layout_of((mw_rom_shape){ .s = 1, .m = N, .n_y = 2 });
  double f[N], f1[N], f2[N], mid[N], unused[N], P[N][N], P1[N][N], Pf[N], n[N];
  shape(x, f, f1, f2);
  shape(0.5, mid, unused, unused);
  system_basis(x, P, P1);
  r[l.a] = mu_b;
  r[l.y] = x;  // what the drive acts on
  for (int a = 0; a < N; a++) {
    Pf[a] = n[a] = 0.0;
    for (int i = 0; i < N; i++) {
      Pf[a] += P[i][a] * f[i];
      n[a] += P1[i][a] * f[i] + P[i][a] * f1[i];
      r[l.y + 1 + N + 1 + a] += mid[i] * P[i][a];  // deflection at mid-span
    }
    r[l.U1 + a] = mu_b * grav * Pf[a];
  }
  for (int a = 0, sym = 0, skew = 0; a < N; a++)
    for (int b = 0; b <= a; b++, sym++) {
      double e = mu_b * Pf[a] * n[b], c = mu_b * n[a] * n[b], K = 0.0;
      for (int i = 0; i < N; i++) {
        e += P[i][a] * P1[i][b];
        c += P1[i][a] * P1[i][b];
        K += P[i][a] * P[i][b] * pow((i + 1) * pi, 4);
      }
      r[l.c + sym] = c;
      r[l.K + sym] = K;
      if (b < a) r[l.e + skew++] = e;
    }
}

static const double speed = 1.0, x_from = 0.1, x_to = 0.9;  // critical speed: π

// d/dt of (q, q̇) at x.
static void beam_rate(double x, const double *s, double *rate)
{
  double f[N], f1[N], f2[N], load = grav, sigma = 0.0, fr = 0.0;
  shape(x, f, f1, f2);
  for (int n = 0; n < N; n++) {
    load += 2.0 * speed * f1[n] * s[N + n] + speed * speed * f2[n] * s[n];
    sigma += f[n] * f[n];
  }
  for (int n = 0; n < N; n++) {
    rate[n] = s[N + n];
    rate[N + n] = -pow((n + 1) * pi, 4) * s[n] - mu_b * f[n] * load;
    fr += f[n] * rate[N + n];
  }
  // G⁻¹ = I - μ φφ'/(1 + μσ)
  for (int n = 0; n < N; n++) rate[N + n] -= mu_b * f[n] * fr / (1.0 + mu_b * sigma);
}

// Deflection at mid-span when the mass has arrived.
static double beam_reference(void)
{
  double s[2 * N] = { 0.0 }, k1[2 * N], k2[2 * N], k3[2 * N], k4[2 * N], p[2 * N], mid[N],
               unused[N];
  enum { N_STEP = 8000 };
  double h = (x_to - x_from) / speed / N_STEP, w = 0.0;
  for (int k = 0; k < N_STEP; k++) {
    double x = x_from + speed * h * k;
    beam_rate(x, s, k1);
    for (int i = 0; i < 2 * N; i++) p[i] = s[i] + 0.5 * h * k1[i];
    beam_rate(x + 0.5 * h * speed, p, k2);
    for (int i = 0; i < 2 * N; i++) p[i] = s[i] + 0.5 * h * k2[i];
    beam_rate(x + 0.5 * h * speed, p, k3);
    for (int i = 0; i < 2 * N; i++) p[i] = s[i] + h * k3[i];
    beam_rate(x + h * speed, p, k4);
    for (int i = 0; i < 2 * N; i++) s[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
  }
  shape(0.5, mid, unused, unused);
  for (int n = 0; n < N; n++) w += mid[n] * s[n];
  return w;
}

static double beam_run(int n_grid, int n_step, mw_rom_inertia inertia)
{
  static model md;
  fit(&md, N, n_grid, x_from, x_to, beam_record);
  mw_rom_opt opt = midpoint();
  opt.prescribed = 1;
  opt.inertia = inertia;
  double x[2 * (1 + N)] = { 0.0 }, u[1] = { 0.0 }, given[1] = { 0.0 }, y[2];
  x[0] = x_from;
  x[1 + N] = speed;
  for (int k = 0; k < n_step; k++)
    if (!MW_CHECK(mw_rom_step(&(mw_rom_call){ .rom = &md.rom,
                                              .opt = &opt,
                                              .h = (x_to - x_from) / speed / n_step,
                                              .u = u,
                                              .thdd_p = given,
                                              .work = md.work },
                              x) == MW_ROM_OK))
      return NAN;
  MW_CHECK(mw_rom_outputs(&md.rom, x, y, NULL, md.work, NULL) == MW_ROM_OK);
  return y[1];
}

static void moving_mass_deflects_the_beam_as_the_modal_equations_say(void)
{
  double want = beam_reference();
  double coarse = beam_run(161, 1000, MW_ROM_FULL) - want;
  double fine = beam_run(161, 2000, MW_ROM_FULL) - want;
  // omega_3 h = 0.07 and 0.035: error of the step c2 h² (1 + c (omega h)²), c below 10
  MW_NEAR(coarse / fine, 4.0, 4.0 * 10.0 * 0.07 * 0.07);
  // grid: at least 2³ for the derivatives that enter, 2⁴ in the values
  double g1 = beam_run(21, 2000, MW_ROM_FULL) - want - fine;
  double g2 = beam_run(41, 2000, MW_ROM_FULL) - want - fine;
  MW_CHECK(fabs(g1 / g2) > 8.0);
  // Richardson's extrapolation leaves the next term of the step and the error of a grid 4 times
  // finer than g2's; 2 for what g2 is off its asymptote
  double best = (4.0 * fine - coarse) / 3.0;
  MW_NEAR(best, 0.0, fabs(fine) * 10.0 * 0.035 * 0.035 + 2.0 * fabs(g2) / 256.0);
  // without b, c, e the answer differs by far more than by step or grid
  MW_CHECK(fabs(beam_run(161, 2000, MW_ROM_LEADING) - want) > 100.0 * fabs(fine));
}

static const mw_test_case cases[] = {
  { "spring_pendulum_accelerates_as_its_closed_form",
    spring_pendulum_accelerates_as_its_closed_form },
  { "energy_of_a_long_swing_stays_bounded", energy_of_a_long_swing_stays_bounded },
  { "moving_mass_deflects_the_beam_as_the_modal_equations_say",
    moving_mass_deflects_the_beam_as_the_modal_equations_say },
};

int main(void) { return mw_test_run("rom_models", cases, (int)(sizeof cases / sizeof *cases)); }
