// SPDX-License-Identifier: BSD-3-Clause
// flexible_motion.c: a reduced model whose border frames take wrenches from outside.
//
// With z = (θ, δ), fields y(z) of the border frames, G = y_,z and L the map from rates of fields to
// twists (flexible_frame.c, (2)), wrenches Q of the outside move the inside by
//
//   M z̈ = r(z, ż) + Gᵀ Lᵀ Q ,   a = L (G z̈ + G_,z żż) + terms of L that go with ẏ            (1)
//   D = L (G M⁻¹ Gᵀ) Lᵀ ,        R = a at Q = 0                                                 (2)
//
// component_abi.h, (1): the interface of component mode synthesis with a moving border. z of a
// mode set and of the static patterns of loads at the border is that of Craig, Bampton (AIAA J. 6
// (1968) 1313) and Rubin (AIAA J. 13 (1975) 995) with free borders; that it depends on θ is Global
// Modal Parametrization (Brüls, Duysinx, Golinval 2007), whose equations of motion M and r are
// (rom/rom.h). Frames have no mass: what is gaps e between them and y(z) is closed by them alone,
//
//   positions  z moves by M⁻¹ Gᵀ Lᵀ Q ,  frames by L G M⁻¹ Gᵀ Lᵀ Q + e                          (3)
//
// and rates alike. Kinematics: δ stays, M is that of θ alone.
// Cost: two Jacobians of rom/step.h an evaluation, n_y² a solution.
#include <math.h>
#include <string.h>

#include "flexible_priv.h"

static mw_rom_call call_of(const mw_flexible *c, const double *u)
{
  return (mw_rom_call){ .rom = &c->rom, .opt = &c->opt, .u = u, .work = c->work };
}

static void note(mw_flexible *c, mw_rom_code code, const mw_rom_info *info)
{
  if (code == MW_ROM_OK) return;
  c->code = code;
  c->blame = info->index;
}

// The largest deflection as a multiple of what is promised.
double mw_flexible_reach(const mw_flexible *c, const double *delta)
{
  double most = 0.0;
  for (int a = 0; a < c->rom.m; a++) most = fmax(most, fabs(delta[a]) / c->promised->delta_max[a]);
  return most;
}

int mw_flexible_trouble(const mw_flexible *c, char *why, size_t n_why)
{
  if (c->code == MW_ROM_OK) return 0;
  double reach = mw_flexible_reach(c, c->x + c->rom.s);
  if (c->code == MW_ROM_THETA)
    snprintf(why, n_why, "coordinate %d of its inside leaves the range that its reduced model has",
             c->blame + 1);
  else if (reach > 1.0)
    snprintf(why, n_why,
             "its inside has no acceleration (%s): deflections are %.3g times as large as its "
             "reduced model promises; what turns or moves it far is none of its coordinates, or "
             "steps are too long for a stiff part",
             mw_rom_code_name(c->code), reach);
  else
    snprintf(
        why, n_why,
        "its inside has no acceleration (%s); a run whose steps are too long for a stiff part ends "
        "so, too: try shorter ones",
        mw_rom_code_name(c->code));
  return 1;
}

double mw_flexible_turned(mw_flexible *c, const double *q, int *port)
{
  double most = 0.0, E[9];
  mw_rom_info info = { 0 };
  *port = 0;
  memset(c->z, 0, 2 * (size_t)c->n * sizeof(double));
  mw_flexible_state_of(c, q, c->z);
  memset(c->z + c->rom.s, 0, (size_t)c->rom.m * sizeof(double));
  if (mw_rom_outputs(&c->rom, c->z, c->y, c->r, c->work, &info) != MW_ROM_OK) return (double)NAN;
  for (int k = 0; k < c->size.n_port; k++) {
    mw_port_frame at;
    mw_port_place(c->y + c->text.seen[k].field, c->text.seen[k].arm, &at);
    mw_mul33(c->in.A, at.E, E);
    double angle = mw_angle33(E, q + FRAME * k + 3);
    if (!(angle <= most)) {
      most = angle;
      *port = k;
    }
  }
  return most;
}

// ---- evaluation ---------------------------------------------------------------------------------

// Solves L Lᵀ x = b in place, L [s × s] of c->A.
static void solve_mass(const mw_flexible *c, double *b)
{
  int s = c->rom.s;
  for (int i = 0; i < s; i++) {
    for (int j = 0; j < i; j++) b[i] -= c->A[i * s + j] * b[j];
    b[i] /= c->A[i * s + i];
  }
  for (int i = s - 1; i >= 0; i--) {
    for (int j = i + 1; j < s; j++) b[i] -= c->A[j * s + i] * b[j];
    b[i] /= c->A[i * s + i];
  }
}

// Cholesky factor of the mass of θ at rest, of the packed a of the record; false: not positive.
static bool factor_mass(mw_flexible *c, const double *a)
{
  int s = c->rom.s;
  for (int i = 0; i < s; i++)
    for (int j = 0; j <= i; j++) {
      double x = a[i * (i + 1) / 2 + j];
      for (int k = 0; k < j; k++) x -= c->A[i * s + k] * c->A[j * s + k];
      if (i == j && !(x > 0.0)) return false;
      c->A[i * s + j] = i == j ? sqrt(x) : x / c->A[j * s + j];
    }
  return true;
}

// What wrenches change where δ stays: acc_u and the accelerations of fields in Y_u.
static void eval_kinematics(mw_flexible *c)
{
  int s = c->rom.s, n = c->n, n_y = c->rom.n_y;
  mw_rom_info info = { 0 };
  mw_rom_code rc = mw_rom_fields(&c->rom, c->x, c->record, NULL, &info);
  memset(c->acc, 0, (size_t)n * sizeof(double));
  memset(c->rigid, 0, (size_t)n_y * sizeof(double));
  memset(c->acc_u, 0, (size_t)(n * n_y) * sizeof(double));
  if (rc == MW_ROM_OK && !factor_mass(c, c->record + mw_rom_layout_of(mw_rom_shape_of(&c->rom)).a))
    rc = MW_ROM_SINGULAR;
  memcpy(c->z, c->x, (size_t)n * sizeof(double));
  for (int i = 0; rc == MW_ROM_OK && i < s; i++) {
    for (int j = 0; j < n; j++) c->z[n + j] = j == i ? 1.0 : 0.0;
    rc = mw_rom_outputs(&c->rom, c->z, c->y, c->G + i * n_y, c->work, &info);
  }
  note(c, rc, &info);
  if (rc != MW_ROM_OK) return;
  for (int k = 0; k < n_y; k++) {
    double b[MW_ROM_MAX_S];
    for (int i = 0; i < s; i++) b[i] = c->G[i * n_y + k];
    solve_mass(c, b);
    for (int i = 0; i < s; i++) c->acc_u[i * n_y + k] = b[i];
    for (int l = 0; l < n_y; l++) {
      double sum = 0.0;
      for (int i = 0; i < s; i++) sum += c->G[i * n_y + l] * b[i];
      c->Y_u[(2 * n_y + l) * n_y + k] = sum;
    }
  }
}

static void eval_forces(mw_flexible *c)
{
  int n = c->n, n_y = c->rom.n_y;
  mw_rom_info info = { 0 };
  mw_rom_call call = call_of(c, c->u);
  const mw_rom_outputs_sens out = { .Y = c->Y, .Y_u = c->Y_u };
  call.info = &info;
  memset(c->u, 0, (size_t)n_y * sizeof(double));
  mw_rom_code rc = mw_rom_outputs_jacobian(&call, c->x, &out);
  if (rc == MW_ROM_OK) rc = mw_rom_jacobian(&call, c->x, c->acc, c->acc_x, c->acc_u);
  memcpy(c->z, c->x, (size_t)n * sizeof(double));
  memcpy(c->z + n, c->acc, (size_t)n * sizeof(double));
  if (rc == MW_ROM_OK) rc = mw_rom_outputs(&c->rom, c->z, c->y, c->rigid, c->work, &info);
  note(c, rc, &info);
}

void mw_flexible_eval(mw_flexible *c, bool forces)
{
  int n_y = c->rom.n_y;
  mw_rom_info info = { 0 };
  c->code = MW_ROM_OK;
  c->fresh = forces;
  if (forces && !c->in.kinematics)
    eval_forces(c);
  else
    note(c, mw_rom_outputs(&c->rom, c->x, c->Y, c->Y + n_y, c->work, &info), &info);
  if (forces && c->in.kinematics && c->code == MW_ROM_OK) eval_kinematics(c);
  if (c->code != MW_ROM_OK) return;
  for (int k = 0; k < c->text.n_seen; k++) {
    const mw_flexible_seen *s = &c->text.seen[k];
    if (s->kind == MW_FLEXIBLE_PORT) mw_port_place(c->Y + s->field, s->arm, &c->port[k]);
  }
}

void mw_flexible_state_of(const mw_flexible *c, const double *q, double *z)
{
  for (int i = 0; i < c->n; i++) z[i] = q[FRAME * (c->text.n_seen + i / STATES) + i % STATES];
}

// ---- frames -------------------------------------------------------------------------------------

void mw_flexible_place(const mw_flexible *c, int k, double p[12])
{
  const mw_flexible_seen *s = &c->text.seen[k];
  const double *y = c->Y + s->field, *A = c->in.A;
  const double one[FRAME] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };
  memcpy(p, one, sizeof one);
  if (s->kind == MW_FLEXIBLE_TRAVEL) {
    p[0] = y[0];
    return;
  }
  if (s->kind == MW_FLEXIBLE_ANGLE) {
    p[3] = p[7] = cos(y[0]);
    p[6] = sin(y[0]);
    p[4] = -p[6];
    return;
  }
  mw_mul33v(A, y, p);
  for (int i = 0; i < 3; i++) p[i] += c->in.p[i];
  if (s->kind == MW_FLEXIBLE_PORT)
    mw_mul33(A, c->port[k].E, p + 3);
  else
    memcpy(p + 3, A, 9 * sizeof *p);
}

// Twist of what is seen for rates of all fields.
static void rate_of(const mw_flexible *c, int k, const double *y_dot, double twist[6])
{
  const mw_flexible_seen *s = &c->text.seen[k];
  const double *d = y_dot + s->field;
  memset(twist, 0, TWIST * sizeof *twist);
  switch (s->kind) {
  case MW_FLEXIBLE_PORT: mw_port_rate(&c->port[k], d, s->arm, twist); break;
  case MW_FLEXIBLE_TRAVEL: twist[0] = d[0]; break;
  case MW_FLEXIBLE_ANGLE: twist[5] = d[0]; break;
  case MW_FLEXIBLE_OUTPUT: memcpy(twist, d, 3 * sizeof *d); break;
  }
}

// Its acceleration for accelerations of all fields and the rates as loaded.
static void acceleration_of(const mw_flexible *c, int k, const double *y_ddot, double a[6])
{
  const mw_flexible_seen *s = &c->text.seen[k];
  if (s->kind == MW_FLEXIBLE_PORT)
    mw_port_acceleration(&c->port[k], c->Y + c->rom.n_y + s->field, y_ddot + s->field, s->arm, a);
  else
    rate_of(c, k, y_ddot, a);
}

// Adds the forces on fields of a wrench.
static void wrench_of(const mw_flexible *c, int k, const double *f, double *u)
{
  const mw_flexible_seen *s = &c->text.seen[k];
  double *to = u + s->field;
  switch (s->kind) {
  case MW_FLEXIBLE_PORT: mw_port_wrench(&c->port[k], f, s->arm, to); break;
  case MW_FLEXIBLE_TRAVEL: to[0] += f[0]; break;
  case MW_FLEXIBLE_ANGLE: to[0] += f[5]; break;
  case MW_FLEXIBLE_OUTPUT:
    for (int i = 0; i < 3; i++) to[i] += f[i];
    break;
  }
}

// e of (3): from where the frame is to where y(z) says, a tangent vector of the frame.
static void gap_of(mw_flexible *c, int k, const double *q, double e[6])
{
  double p[FRAME], d[3];
  const double *at = q + FRAME * k, *E = at + 3;
  mw_flexible_place(c, k, p);
  for (int i = 0; i < 3; i++) d[i] = p[i] - at[i];
  mw_mul33tv(E, d, e);
  mw_spin33(E, p + 3, e + 3);
}

double mw_flexible_load(void *p, double t, const double *q, const double *v)
{
  mw_flexible *c = p;
  double most = 0.0;
  (void)t;
  mw_flexible_state_of(c, q, c->x);
  if (v)
    mw_flexible_state_of(c, v, c->x + c->n);
  else
    memset(c->x + c->n, 0, (size_t)c->n * sizeof(double));
  mw_flexible_eval(c, v != NULL);
  if (c->code != MW_ROM_OK) return (double)NAN;
  for (int k = 0; k < c->text.n_seen; k++) {
    gap_of(c, k, q, c->gap + TWIST * k);
    for (int i = 0; i < TWIST; i++) {
      double g = fabs(c->gap[TWIST * k + i]);
      if (!(g <= most)) most = g;
    }
  }
  return most;
}

int mw_flexible_factor(void *p, char *why, size_t n_why)
{
  mw_flexible *c = p;
  if (!c->fresh && c->code == MW_ROM_OK) mw_flexible_eval(c, true);
  return mw_flexible_trouble(c, why, n_why);
}

// ---- solutions ----------------------------------------------------------------------------------

// What forces c->u accelerate fields by: c->r = G M⁻¹ Gᵀ u
static void answer(mw_flexible *c)
{
  int n_y = c->rom.n_y;
  for (int k = 0; k < n_y; k++) {
    const double *row = c->Y_u + (2 * n_y + k) * n_y;
    double sum = 0.0;
    for (int l = 0; l < n_y; l++) sum += row[l] * c->u[l];
    c->r[k] = sum;
  }
}

// The same of all wrenches f.
static void answer_wrenches(mw_flexible *c, const double *f)
{
  memset(c->u, 0, (size_t)c->rom.n_y * sizeof(double));
  for (int k = 0; k < c->text.n_seen; k++) wrench_of(c, k, f + TWIST * k, c->u);
  answer(c);
}

// ẏ of (z, rates of the frames that carry z in u) to c->y.
static void rates_by(mw_flexible *c, const double *u)
{
  mw_rom_info info = { 0 };
  for (int i = 0; i < c->n; i++)
    c->z[c->n + i] = u[TWIST * (c->text.n_seen + i / STATES) + i % STATES];
  memcpy(c->z, c->x, (size_t)c->n * sizeof(double));
  note(c, mw_rom_outputs(&c->rom, c->z, c->r, c->y, c->work, &info), &info);
}

// Adds what is not due to wrenches to the motion of frame k.
static void add_side(const mw_flexible *c, int what, const double *u, double h, int k, double *x)
{
  const double *e = c->gap + TWIST * k;
  double rate[TWIST];
  if (what == MW_COMPONENT_POSITION)
    for (int i = 0; i < TWIST; i++) x[i] += e[i];
  if (what != MW_COMPONENT_VELOCITY && what != MW_COMPONENT_LANDING) return;
  rate_of(c, k, c->y, rate);
  for (int i = 0; i < TWIST; i++) {
    double open = u[TWIST * k + i] - rate[i];  // rate of the gap −e
    x[i] -= what == MW_COMPONENT_VELOCITY ? open : 2.0 / h * (open + e[i] / h);
  }
}

static void solve_states(const mw_flexible *c, bool forced, double *x)
{
  int n_y = c->rom.n_y;
  double *to = x + TWIST * c->text.n_seen;
  memset(to, 0, (size_t)(TWIST * (c->size.n_frame - c->text.n_seen)) * sizeof *to);
  for (int i = 0; i < c->n; i++) {
    double sum = forced ? c->acc[i] : 0.0;
    for (int k = 0; k < n_y; k++) sum += c->acc_u[i * n_y + k] * c->u[k];
    to[TWIST * (i / STATES) + i % STATES] = sum;
  }
}

void mw_flexible_solve(void *p, int what, const double *u, double h, const double *f, double *x)
{
  mw_flexible *c = p;
  int n_y = c->rom.n_y;
  bool forced = what == MW_COMPONENT_ACCELERATION || what == MW_COMPONENT_LANDING;
  if (what == MW_COMPONENT_VELOCITY || what == MW_COMPONENT_LANDING) rates_by(c, u);
  answer_wrenches(c, f);
  solve_states(c, forced, x);
  for (int k = 0; k < n_y; k++)
    c->r[k] += what == MW_COMPONENT_ACCELERATION ? c->Y[2 * n_y + k] : forced ? c->rigid[k] : 0.0;
  for (int k = 0; k < c->text.n_seen; k++) {
    if (what == MW_COMPONENT_ACCELERATION)
      acceleration_of(c, k, c->r, x + TWIST * k);
    else
      rate_of(c, k, c->r, x + TWIST * k);
    add_side(c, what, u, h, k, x + TWIST * k);
    mw_flexible_kind kind = c->text.seen[k].kind;
    if (what == MW_COMPONENT_ACCELERATION)
      c->force[k] = kind == MW_FLEXIBLE_TRAVEL  ? f[TWIST * k]
                    : kind == MW_FLEXIBLE_ANGLE ? f[TWIST * k + 5]
                                                : 0.0;
  }
}

// (2), symmetric to the last bit
void mw_flexible_border(void *p, double *D)
{
  mw_flexible *c = p;
  int n = TWIST * c->size.n_border, n_y = c->rom.n_y;
  for (int j = 0; j < n; j++) {
    double unit[TWIST] = { 0.0 };
    unit[j % TWIST] = 1.0;
    memset(c->u, 0, (size_t)n_y * sizeof(double));
    wrench_of(c, j / TWIST, unit, c->u);
    answer(c);
    for (int k = 0; k < c->size.n_border; k++) {
      double x[TWIST];
      rate_of(c, k, c->r, x);
      for (int i = 0; i < TWIST; i++) D[(TWIST * k + i) * n + j] = x[i];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) D[i * n + j] = D[j * n + i] = 0.5 * (D[i * n + j] + D[j * n + i]);
}

// ---- energy and residuals -----------------------------------------------------------------------

double mw_flexible_power(const void *p)
{
  const mw_flexible *c = p;
  mw_rom_call call = call_of(c, c->u);
  double T, V, lost = 0.0;
  return mw_rom_energy(&call, c->x, &T, &V, &lost) == MW_ROM_OK ? -lost : (double)NAN;
}

void mw_flexible_energy(void *p, double t, const double *q, const double *v, double *kinetic,
                        double *potential)
{
  mw_flexible *c = p;
  mw_rom_call call = call_of(c, c->u);
  (void)t;
  mw_flexible_state_of(c, q, c->z);
  mw_flexible_state_of(c, v, c->z + c->n);
  if (mw_rom_energy(&call, c->z, kinetic, potential, NULL) != MW_ROM_OK)
    *kinetic = *potential = (double)NAN;
}

// Tangent vector of rates, or of accelerations, a [12].
static void twist_of(const double *q, const double *a, double out[6])
{
  mw_mul33tv(q + 3, a, out);
  mw_spin33(q + 3, a + 3, out + 3);
}

void mw_flexible_residual(void *p, double t, const double *q, const double *v, const double *a,
                          double *out)
{
  mw_flexible *c = p;
  int n = c->n, n_y = c->rom.n_y;
  mw_rom_info info = { 0 };
  out[0] = mw_flexible_load(c, t, q, v);
  out[1] = out[2] = 0.0;
  mw_flexible_state_of(c, q, c->z);
  mw_flexible_state_of(c, a, c->z + n);
  if (c->code != MW_ROM_OK) return;
  note(c, mw_rom_outputs(&c->rom, c->z, c->r, c->y, c->work, &info), &info);
  for (int k = 0; k < n_y; k++) c->y[k] += c->Y[2 * n_y + k] - c->rigid[k];
  for (int k = 0; k < c->text.n_seen; k++) {
    double is[TWIST], want[TWIST];
    twist_of(q + FRAME * k, v + FRAME * k, is);
    rate_of(c, k, c->Y + n_y, want);
    for (int i = 0; i < TWIST; i++) out[1] = fmax(out[1], fabs(is[i] - want[i]));
    twist_of(q + FRAME * k, a + FRAME * k, is);
    acceleration_of(c, k, c->y, want);
    for (int i = 0; i < TWIST; i++) out[2] = fmax(out[2], fabs(is[i] - want[i]));
  }
}
