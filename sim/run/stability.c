// SPDX-License-Identifier: BSD-3-Clause
// stability.c: whether the controllers of a scenario make the mechanism unstable.
//
// Over a period T the mechanism moves with forces held, then the controllers are sampled, both as
// linear maps (stability_layer.h, control.h; m: memories of the controllers):
//   [ x⁺ ]   [ X + U F_y C   U F_m ] [ x ]
//   [ m⁺ ] = [ M_y C         M_m   ] [ m ]                                                  (1)
// An eigenvalue z of (1) outside of the unit circle grows by e in T/ln|z| and swings at
// |arg z|/(2πT). Eigenvalues that the mechanism has without controllers, too, are none of the
// loop's. Cost: (n_x + n_m)³.
// G. F. Franklin, J. D. Powell, M. L. Workman: Digital Control of Dynamic Systems, 3rd ed.,
// chapter 4.
#include "stability_layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dense.h"
#include "fem/component_linear.h"

static const double PI = 3.14159265358979323846;
// of |z|: double eigenvalues at 1 are off by the square root of rounding
static const double ROUNDING = 1e-6;

typedef struct loop {
  const mw_plant *p;
  mw_control_linear c;
  int n;                    // n_x + n_m
  double *Z;                // [n × n]
  double *re, *im;          // [n]
  double *own_re, *own_im;  // [n_x]  without controllers
} loop;

static void multiply(int n, int k, int m, const double *A, const double *B, double *C)
{
  mw_gemm('n', 'n', n, m, k, 1.0, A, B, 0.0, C);
}

// (1)
static mw_code close_it(loop *l, mw_arena *tmp, mw_error *err)
{
  const mw_plant *p = l->p;
  size_t nx = (size_t)p->n_x, nm = (size_t)l->c.n_m, nu = (size_t)p->n_u, n = (size_t)l->n;
  double *FC = mw_arena_f64(tmp, nu * nx), *UFC = mw_arena_f64(tmp, nx * nx);
  double *UF = mw_arena_f64(tmp, nx * nm), *MC = mw_arena_f64(tmp, nm * nx);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  multiply(p->n_u, 4 * p->n_u, p->n_x, l->c.F_y, p->C, FC);
  multiply(p->n_x, p->n_u, p->n_x, p->U, FC, UFC);
  multiply(p->n_x, p->n_u, l->c.n_m, p->U, l->c.F_m, UF);
  multiply(l->c.n_m, 4 * p->n_u, p->n_x, l->c.M_y, p->C, MC);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double *z = l->Z + i * n + j;
      if (i < nx)
        *z = j < nx ? p->X[i * nx + j] + UFC[i * nx + j] : UF[i * nm + j - nx];
      else
        *z = j < nx ? MC[(i - nx) * nx + j] : l->c.M_m[(i - nx) * nm + j - nx];
    }
  return MW_OK;
}

static mw_code eigenvalues(loop *l, mw_arena *tmp, mw_error *err)
{
  size_t nx = (size_t)l->p->n_x, n = nx + (size_t)l->c.n_m;
  double *X = mw_arena_f64(tmp, nx * nx);
  l->n = (int)n;
  l->Z = mw_arena_f64(tmp, n * n);
  l->re = mw_arena_f64(tmp, n);
  l->im = mw_arena_f64(tmp, n);
  l->own_re = mw_arena_f64(tmp, nx);
  l->own_im = mw_arena_f64(tmp, nx);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc == MW_OK) rc = close_it(l, tmp, err);
  if (rc == MW_OK) rc = mw_eig_any(l->n, l->Z, l->re, l->im, err);
  if (rc == MW_OK) memcpy(X, l->p->X, nx * nx * sizeof *X);
  return rc == MW_OK ? mw_eig_any(l->p->n_x, X, l->own_re, l->own_im, err) : rc;
}

// Does the mechanism have eigenvalue i without controllers?
static bool its_own(const loop *l, int i)
{
  for (int k = 0; k < l->p->n_x; k++)
    if (hypot(l->re[i] - l->own_re[k], l->im[i] - l->own_im[k]) <= ROUNDING) return true;
  return false;
}

// The eigenvalue that grows fastest, -1: none does.
static int fastest(const loop *l)
{
  int at = -1;
  double most = 1.0 + ROUNDING;
  for (int i = 0; i < l->n; i++) {
    double z = hypot(l->re[i], l->im[i]);
    if (!(z > most) || its_own(l, i)) continue;
    most = z;
    at = i;
  }
  return at;
}

// Names of the drives that have controllers
static void name_drives(const mw_control *c, char *text, size_t size)
{
  size_t n = 0;
  text[0] = '\0';
  for (int k = 0; k < c->sc->n_action && n < size; k++)
    if (c->sc->action[k].kind == MW_ACTION_CONTROL)
      n += (size_t)snprintf(text + n, size - n, "%s%.40s", n > 0 ? ", " : "",
                            c->model->drive[c->sc->action[k].drive].name);
}

mw_code mw_stability_judge(const mw_control *c, const mw_plant *plant, const char *of,
                           mw_arena *mem, const char **text, mw_error *err)
{
  mw_arena tmp = { 0 };
  loop l = { .p = plant };
  char drives[160];
  *text = NULL;
  mw_code rc = mw_control_linearize(c, &tmp, &l.c, err);
  if (rc == MW_OK && l.c.n_m > 0) rc = eigenvalues(&l, &tmp, err);
  int i = rc == MW_OK && l.c.n_m > 0 ? fastest(&l) : -1;
  double grows = i >= 0 ? c->period / log(hypot(l.re[i], l.im[i])) : INFINITY;
  double hz = i >= 0 ? fabs(atan2(l.im[i], l.re[i])) / (2.0 * PI * c->period) : 0.0;
  mw_arena_free(&tmp);
  if (rc != MW_OK || !(grows < c->sc->duration)) return rc;
  name_drives(c, drives, sizeof drives);
  if (hz > 0.0)
    *text = mw_arena_printf(mem,
                            "the loop of drive %s is unstable at the start: %s swings at %.4g Hz "
                            "and grows by a factor of e every %.3g s",
                            drives, of, hz, grows);
  else
    *text = mw_arena_printf(mem,
                            "the loop of drive %s is unstable at the start: %s goes away without "
                            "swinging, by a factor of e every %.3g s",
                            drives, of, grows);
  return mw_arena_check(mem, err);
}

// A body without inertia, a start out of reach, too many degrees of freedom, friction inside of a
// component.
static mw_code not_judged(const mw_control *c, const mw_error *why, mw_arena *mem,
                          mw_stability *out, mw_error *err)
{
  char drives[160];
  name_drives(c, drives, sizeof drives);
  out->unjudged = mw_arena_printf(mem, "the loop of drive %s is not judged for stability: %s",
                                  drives, why->msg);
  return mw_arena_check(mem, err);
}

// MW_ERR_INPUT: a component rubs inside, which is left out of machines whose parts are seen.
static mw_code rubs_inside(const mw_mech *m, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < m->model->n_component; k++) {
    const mw_component_use *u = &m->model->component[k];
    mw_arena tmp = { 0 };
    size_t n = 6 * (size_t)u->size.n_frame;
    double *C = mw_arena_f64(&tmp, n * n);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) rc = mw_component_damping(u, mw_mech_size(m), m->p0 + 12 * u->body0, C, err);
    mw_arena_free(&tmp);
  }
  return rc;
}

mw_code mw_stability_rigid(const mw_mech *m, const mw_scenario *sc, double period, mw_arena *mem,
                           mw_stability *out, mw_error *err)
{
  mw_arena tmp = { 0 };
  mw_control c;
  mw_plant plant;
  bool any = false;
  *out = (mw_stability){ 0 };
  for (int k = 0; k < sc->n_action; k++) any = any || sc->action[k].kind == MW_ACTION_CONTROL;
  if (!any) return MW_OK;
  mw_code rc = mw_control_build(m->model, sc, period, &tmp, &c, err);
  if (rc == MW_OK) {
    mw_error why = { 0 };
    if (sc->n_unit > 0)
      rc = mw_fail(&why, MW_ERR_INPUT, MW_NOWHERE, "what unit %.64s does is not known",
                   sc->unit[0].name);
    else
      rc = rubs_inside(m, &why);
    if (rc == MW_OK) rc = mw_rigid_plant(m, sc, period, &tmp, &plant, &why);
    if (rc == MW_OK)
      rc = mw_stability_judge(&c, &plant, "the rigid mechanism", mem, &out->unstable, err);
    else if (rc != MW_ERR_MEMORY)
      rc = not_judged(&c, &why, mem, out, err);
    else if (err)
      *err = why;
  }
  mw_arena_free(&tmp);
  return rc;
}
