// SPDX-License-Identifier: BSD-3-Clause
// romstart.c: where a run of the reduced model starts: theta as the scenario says, delta undeformed
// or at rest, and what bends it besides; rates of delta for which bodies and springs keep their
// shapes, and those that modes start with.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/control.h"
#include "fem/output.h"
#include "romrun_priv.h"
#include "run/modestart_layer.h"

// Where the scenario starts a joint coordinate; false: it does not say.
static bool start_of(const mw_rom_sim *q, int coord, double *s, double *v)
{
  const mw_scenario *sc = q->sc;
  for (int k = 0; k < sc->n_start; k++)
    if (q->mech->joint[sc->start_joint[k]].coord == coord) {
      *s = sc->start_s[k];
      *v = sc->start_v[k];
      return true;
    }
  return false;
}

static void start_theta(mw_rom_sim *q)
{
  double *thd = q->x + q->rom->s + q->rom->m;
  for (int i = 0; i < q->rom->s; i++) {
    int c = mw_mech_coord(q->mech, q->file->coordinate[i]);
    q->x[i] = q->mech->s0[c];
    (void)start_of(q, c, &q->x[i], &thd[i]);
    double y[3];
    if (q->theta_drive[i] >= 0 && mw_control_prescribed(q->sc, q->theta_drive[i], 0.0, y)) {
      q->x[i] = y[0];
      thd[i] = y[1];
    }
  }
}

// Rest with theta and the forces f [n_drive] held: delta, and the coordinates y [n] of the held
// drives.
static mw_code at_rest(mw_rom_sim *q, const double *f, int n, const int *held, double *y,
                       mw_error *err)
{
  mw_rom_info info = { 0 };
  mw_rom_code code = mw_rom_static(q->rom, q->x, f, q->x + q->rom->s, q->work, &info);
  if (code == MW_ROM_OK) code = mw_rom_outputs(q->rom, q->x, q->y, NULL, q->work, &info);
  for (int i = 0; code == MW_ROM_OK && i < n; i++) y[i] = q->y[q->rom->u_field[held[i]]];
  return mw_rom_sim_explain(q, code, &info, 0.0, err);
}

// Controlled drives of coordinates outside theta: they hold these during the static start. target:
// where, from the scenario, else as undeformed.
static mw_code list_held(mw_rom_sim *q, int *held, double *target, int *n, mw_error *err)
{
  mw_rom_info info = { 0 };
  *n = 0;
  mw_code rc = mw_rom_sim_explain(q, mw_rom_outputs(q->rom, q->x, q->y, NULL, q->work, &info),
                                  &info, 0.0, err);
  for (int k = 0; rc == MW_OK && k < q->sc->n_action; k++) {
    const mw_action *a = &q->sc->action[k];
    int joint = q->model->drive[a->drive].joint, c = joint >= 0 ? q->mech->joint[joint].coord : -1;
    if (a->kind != MW_ACTION_CONTROL || c < 0 || mw_rom_sim_theta(q, c) >= 0) continue;
    double v;
    target[*n] = q->y[q->rom->u_field[a->drive]];
    (void)start_of(q, c, &target[*n], &v);
    held[(*n)++] = a->drive;
  }
  return rc;
}

// Static equilibrium with theta held. The fields are affine in delta and delta in the forces, so
// that the forces of drives that hold other coordinates follow from one linear system A f = target
// − y(0), A from unit forces.
static mw_code start_static(mw_rom_sim *q, mw_error *err)
{
  mw_arena tmp = { 0 };
  size_t nu = (size_t)q->rom->n_u;
  double *A = mw_arena_f64(&tmp, nu * nu), *b = mw_arena_f64(&tmp, nu), *f = mw_arena_f64(&tmp, nu);
  double *y0 = mw_arena_f64(&tmp, nu), *y1 = mw_arena_f64(&tmp, nu);
  int *held = mw_arena_int(&tmp, nu), *piv = mw_arena_int(&tmp, nu), n = 0;
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) rc = list_held(q, held, b, &n, err);
  if (rc == MW_OK) {
    mw_control_force(&q->control, 0.0, f);
    for (int i = 0; i < n; i++) f[held[i]] = 0.0;
    rc = at_rest(q, f, n, held, y0, err);
  }
  for (int k = 0; rc == MW_OK && k < n; k++) {
    f[held[k]] = 1.0;
    rc = at_rest(q, f, n, held, y1, err);
    f[held[k]] = 0.0;
    for (int i = 0; i < n; i++) A[i * n + k] = y1[i] - y0[i];
    b[k] -= y0[k];
  }
  if (rc == MW_OK && n > 0 && mw_lu_factor(n, A, piv, NULL) != MW_OK)
    rc = mw_fail(
        err, MW_ERR_NUMERIC, q->sc->at,
        "scenario %s starts in static equilibrium, but the forces of its drives (%s first) do not "
        "determine the coordinates they hold",
        q->sc->name, q->model->drive[held[0]].name);
  if (rc == MW_OK && n > 0) {
    mw_lu_solve(n, A, piv, 1, b);
    for (int i = 0; i < n; i++) f[held[i]] = b[i];
    rc = at_rest(q, f, n, held, y1, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// Rates of delta for which bodies and springs keep their shapes while theta moves, as far as the
// columns allow: the strain energy of the rate of their displacements in body axes, Ψ δ̇ + Ψ_,i δ
// θ̇_i, is least,
//   G δ̇ = −θ̇_i e_i δ ,   G, e_i: ΨᵀKΨ and ΨᵀKΨ_,i of bodies and springs                       (3)
// Freedoms that strain nothing (G singular) get no rate: directions of G, scaled to a unit
// diagonal, whose eigenvalue is below ROUND, or below NOISE times what interpolation makes negative
// of a matrix that has none. A diagonal entry below ROUND of the largest is rounding and is not
// scaled up.
static mw_code least_strain(int m, double *G, double *b, mw_error *err)
{
  static const double ROUND = 1e-9, NOISE = 10.0;
  mw_arena tmp = { 0 };
  size_t M = (size_t)m;
  double *V = mw_arena_f64(&tmp, M * M), *w = mw_arena_f64(&tmp, M), *d = mw_arena_f64(&tmp, M),
         *x = mw_arena_f64(&tmp, M), most = 0.0;
  mw_code rc = mw_arena_check(&tmp, err);
  for (int a = 0; a < m; a++) most = fmax(most, G[a * m + a]);
  for (int a = 0; rc == MW_OK && a < m; a++)
    d[a] = most > 0.0 ? sqrt(fmax(G[a * m + a], ROUND * most)) : 1.0;
  for (int a = 0; rc == MW_OK && a < m; a++)
    for (int k = 0; k < m; k++) G[a * m + k] /= d[a] * d[k];
  if (rc == MW_OK) rc = mw_eig_sym(m, G, w, V, err);
  for (int j = 0; rc == MW_OK && j < m; j++) {
    double part = 0.0;
    if (!(w[j] > fmax(ROUND, -NOISE * w[0]))) continue;
    for (int a = 0; a < m; a++) part += V[a * m + j] * b[a] / d[a];
    for (int a = 0; a < m; a++) x[a] += V[a * m + j] * part / (w[j] * d[a]);
  }
  if (rc == MW_OK) memcpy(b, x, M * sizeof *b);
  mw_arena_free(&tmp);
  return rc;
}

static mw_code start_rates(mw_rom_sim *q, mw_error *err)
{
  const mw_rom_file *f = q->file;
  int s = q->rom->s, m = q->rom->m;
  mw_arena tmp = { 0 };
  const double *delta = q->x + s, *thd = q->x + s + m;
  double *deld = q->x + 2 * s + m, *v = mw_arena_f64(&tmp, (size_t)f->n_start);
  double *G = mw_arena_f64(&tmp, (size_t)m * (size_t)m);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK && mw_rom_file_start(f, q->x, v, NULL) != MW_OK)
    rc = mw_fail(err, MW_ERR_RANGE, q->sc->at,
                 "the start lies outside the range of the reduced model");
  if (rc == MW_OK) {
    const double *e = v + m * (m + 1) / 2;
    for (int a = 0, k = 0; a < m; a++)
      for (int b = 0; b <= a; b++, k++) G[a * m + b] = G[b * m + a] = v[k];
    for (int a = 0; a < m; a++) {
      deld[a] = 0.0;
      for (int i = 0; i < s; i++) deld[a] -= thd[i] * mw_dot(m, e + (i * m + a) * m, delta);
    }
    rc = least_strain(m, G, deld, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

// ---- elastic start ------------------------------------------------------------------------------

// Modes of the model at theta, K v = ω² v (columns have unit mass), and what they displace.
typedef struct modes {
  mw_start_modes of;
  double *K, *V, *w;  // [m × m], [m × m], [m]  1/s²
  double *hz, *y;     // [m], [m × rows]
  double *load;       // [m]  released forces on the columns
} modes;

// Gradients of output row r by delta
static const double *gradient_of(const mw_rom_sim *q, const double *value, int r)
{
  int first = mw_rom_layout_of(mw_rom_shape_of(q->rom)).y;
  return value + first + q->y_out[r] * (1 + q->rom->m) + 1;
}

static mw_code find_modes(const mw_rom_sim *q, modes *k, mw_arena *mem, mw_error *err)
{
  const mw_rom *rom = q->rom;
  const mw_model *model = q->model;
  int m = rom->m, rows = mw_output_row(model, model->n_output), L = 0;
  size_t M = (size_t)m;
  double *value = mw_arena_f64(mem, (size_t)rom->n_field), **of[] = { &k->w, &k->hz, &k->load };
  for (int i = 0; i < 3; i++) *of[i] = mw_arena_f64(mem, M);
  k->K = mw_arena_f64(mem, M * M);
  k->V = mw_arena_f64(mem, M * M);
  k->y = mw_arena_f64(mem, M * (size_t)rows);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK && mw_rom_fields(rom, q->x, value, NULL, NULL) != MW_ROM_OK)
    rc = mw_fail(err, MW_ERR_RANGE, q->sc->at,
                 "the start lies outside the range of the reduced model");
  if (rc != MW_OK) return rc;
  L = mw_rom_layout_of(mw_rom_shape_of(rom)).K;
  for (int a = 0; a < m; a++)
    for (int b = 0; b <= a; b++) k->K[a * m + b] = k->K[b * m + a] = value[L + a * (a + 1) / 2 + b];
  rc = mw_eig_sym(m, k->K, k->w, k->V, err);
  for (int j = 0; rc == MW_OK && j < m; j++) {
    k->hz[j] = sqrt(fmax(k->w[j], 0.0)) / (2.0 * acos(-1.0));
    for (int r = 0; r < rows; r++)
      for (int a = 0; a < m; a++)
        k->y[j * rows + r] += gradient_of(q, value, r)[a] * k->V[a * m + j];
  }
  for (int i = 0; rc == MW_OK && i < q->sc->n_load_start; i++) {
    const mw_load_start *l = &q->sc->load_start[i];
    int r = mw_output_row(model, l->output);
    for (int c = 0; c < 3; c++) mw_axpy(m, l->force[c], gradient_of(q, value, r + c), k->load);
  }
  k->of =
      (mw_start_modes){ .n = m < q->file->n_modes ? m : q->file->n_modes, .hz = k->hz, .y = k->y };
  return rc;
}

// delta [m] += amplitude of mode j, and its rates
static void add_mode(mw_rom_sim *q, const modes *k, int j, double amplitude, double rate)
{
  int s = q->rom->s, m = q->rom->m;
  for (int a = 0; a < m; a++) {
    q->x[s + a] += amplitude * k->V[a * m + j];
    q->ring[a] += rate * k->V[a * m + j];
  }
}

// What bends the machine besides: modes, and δ = K⁻¹ f of forces that are released.
static mw_code start_bent(mw_rom_sim *q, mw_error *err)
{
  const mw_scenario *sc = q->sc;
  modes k = { 0 };
  mw_arena tmp = { 0 };
  int m = q->rom->m;
  if (sc->n_mode_start + sc->n_load_start == 0 || m == 0) return MW_OK;
  q->ring = mw_arena_f64(&q->mem, (size_t)m);
  double *share = mw_arena_f64(&tmp, (size_t)m);
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc == MW_OK) rc = find_modes(q, &k, &tmp, err);
  for (int i = 0; rc == MW_OK && i < sc->n_mode_start; i++) {
    const mw_mode_start *in = &sc->mode_start[i];
    rc = mw_mode_start_share(q->mech, sc, i, &k.of, share, err);
    for (int j = 0; rc == MW_OK && j < k.of.n; j++)
      add_mode(q, &k, j, share[j] * in->amplitude, share[j] * in->rate);
  }
  for (int j = 0; rc == MW_OK && sc->n_load_start > 0 && j < m; j++) {
    double f = 0.0;
    for (int a = 0; a < m; a++) f += k.V[a * m + j] * k.load[a];
    if (!(k.w[j] > 0.0))
      rc = mw_fail(err, MW_ERR_NUMERIC, sc->at,
                   "scenario %s: the machine has no stiffness along one of its modes, no "
                   "deflection under the released forces rests",
                   sc->name);
    else
      add_mode(q, &k, j, f / k.w[j], 0.0);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_rom_sim_start(mw_rom_sim *q, mw_error *err)
{
  start_theta(q);
  mw_code rc = q->sc->static_start ? start_static(q, err) : MW_OK;
  if (rc == MW_OK) rc = start_bent(q, err);
  if (rc == MW_OK) rc = start_rates(q, err);
  if (rc == MW_OK && q->ring) mw_axpy(q->rom->m, 1.0, q->ring, q->x + 2 * q->rom->s + q->rom->m);
  return rc;
}
