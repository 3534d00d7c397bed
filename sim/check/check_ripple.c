// SPDX-License-Identifier: BSD-3-Clause
// check_ripple.c: do the elements under runners show in what the machine yields?
//
// On its way over an element a runner loses some of the guide's deflection, most in the element's
// middle and beside nodes at which something else is fixed (guide_beam.c). With c the work
// of a unit load on its static pattern, and c_DIVIDE the same with beams of elements DIVIDE times
// as short,
//   lost(θ) = (c_DIVIDE − c) / max(c_DIVIDE, a hundredth of the largest of any force, or couple) ,
//   ripple = largest − smallest lost over the length of an element                              (1)
// along each coordinate that is the place of a slide on beams. No grid resolves it whose points are
// farther apart than the nodes. Certificates divide by the same; above SHARE of what they let
// compliances err by (ALLOWED ε) the elements are coarse. Those needed follow from ripple ~ length,
// as of shear, of which (1) is 1 − 1/DIVIDE.
// Bodies without beams enter by their basis of static patterns (basis.h), whatever their mesh.
// Cost: a factorization of each body, two of those with beams; WINDOWS × SAMPLES configurations a
// line and mesh.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check_layer.h"
#include "reduction/basis.h"
#include "reduction/reduce.h"
#include "sim/case.h"

static const double SHARE = 0.5, ALLOWED = 2.0, SMALL = 0.01;
// of bases: a band (rad/s) below all modes, and the error of compliances, which both meshes share
static const double STATIC = 1.0, EXACT = 1e-6;
enum { DIVIDE = 4, WINDOWS = 24, SAMPLES = 5, LINES = 3 };
// Some seconds: of the machine; finer guides take matrices of six times as many rows
enum { UNKNOWNS_MOST = 50000, NODES_MOST = 600 };

typedef struct pair {  // the machine, and the same with DIVIDE elements for one of its beams
  mw_mech own, fine;
  mw_model fine_model;
  mw_basis *basis;  // [n_body]  of bodies without beams
  mw_arena mem;
} pair;

static void pair_free(const mw_mech *m, pair *p)
{
  for (int b = 0; p->basis && b < m->n_body; b++) mw_basis_free(&p->basis[b]);
  mw_arena_free(&p->mem);
}

// Statics of body b as its interface sees it, in place of its mesh.
static mw_code condense(mw_body *b, mw_basis *basis, mw_error *err)
{
  mw_body_stage *z = NULL;
  mw_code rc = mw_body_stage_open(b, NULL, &z, err);
  if (rc != MW_OK) return rc;
  mw_body_stage_count_apart(z, true);  // no mode lies below the band
  rc = mw_body_stage_basis(z, false, STATIC, EXACT, basis, err);
  if (rc == MW_OK) *b = basis->body;
  mw_body_stage_close(z);
  return rc;
}

static mw_code divide(const mw_model *model, int b, pair *p, mw_body *out, mw_error *err)
{
  mw_body_in *in = &p->fine_model.body[b];
  mw_member *member = mw_arena_alloc(&p->mem, (size_t)in->n_member, sizeof *member);
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < in->n_member; k++) {
    member[k] = model->body[b].member[k];
    member[k].n_elem *= DIVIDE;
  }
  in->member = member;
  return mw_body_build(&p->fine_model, b, &p->mem, out, err);
}

// Borrows rigid bodies from m, which must outlive it.
static mw_code pair_init(const mw_mech *m, pair *p, mw_error *err)
{
  size_t nb = (size_t)m->n_body;
  *p = (pair){ .fine_model = *m->model };
  mw_body *body = mw_arena_alloc(&p->mem, 2 * nb, sizeof *body), *fine = body + nb;
  p->fine_model.body = mw_arena_alloc(&p->mem, nb, sizeof *p->fine_model.body);
  p->basis = mw_arena_alloc(&p->mem, nb, sizeof *p->basis);
  mw_code rc = mw_arena_check(&p->mem, err);
  if (rc != MW_OK) return rc;
  memcpy(body, m->body, nb * sizeof *body);
  memcpy(p->fine_model.body, m->model->body, nb * sizeof *p->fine_model.body);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    bool beams = m->model->body[b].n_member > 0;
    if (!beams && body[b].n_u > 0) rc = condense(&body[b], &p->basis[b], err);
    fine[b] = body[b];
    if (rc == MW_OK && beams) rc = divide(m->model, b, p, &fine[b], err);
  }
  if (rc == MW_OK) rc = mw_mech_build(m->model, body, &p->mem, &p->own, err);
  return rc == MW_OK ? mw_mech_build(&p->fine_model, fine, &p->mem, &p->fine, err) : rc;
}

// Does the place of a slide on beams make coordinate i?
static bool rides(const mw_mech *m, int i)
{
  const mw_joint *j = &m->joint[m->model->reduction.coordinate[i].joint];
  return j->in->kind == MW_JOINT_SLIDE && j->guide_elastic && j->guide->rot;
}

typedef struct line {
  int axis, windows, n;  // n = windows × SAMPLES
  double l;              // m, mean element of the guide
  double *theta;         // [n × coordinates]
  mw_arena mem;
} line;

// Windows as long as an element, over the whole range; the other coordinates in the middle of
// theirs (which 0), at its lower (1), its upper (2) end.
static mw_code line_init(const mw_mech *m, int axis, int which, line *q, mw_error *err)
{
  const mw_reduction_in *in = &m->model->reduction;
  const mw_coordinate_in *c = in->coordinate;
  const mw_guide *g = m->joint[c[axis].joint].guide;
  double range = c[axis].hi - c[axis].lo, l = fmin(g->length / (g->n - 1), range);
  int s = in->n_coordinate;
  *q = (line){ .axis = axis, .l = l, .windows = (int)fmin(ceil(range / l), WINDOWS) };
  q->n = q->windows * SAMPLES;
  q->theta = mw_arena_f64(&q->mem, (size_t)q->n * (size_t)s);
  mw_code rc = mw_arena_check(&q->mem, err);
  for (int k = 0; rc == MW_OK && k < q->n; k++) {
    double at = q->windows > 1 ? (double)(k / SAMPLES) / (q->windows - 1) : 0.0;  // NOLINT: whole
    for (int i = 0; i < s; i++)
      q->theta[k * s + i] = which == 0 ? 0.5 * (c[i].lo + c[i].hi) : which == 1 ? c[i].lo : c[i].hi;
    q->theta[k * s + axis] = c[axis].lo + at * (range - l) + l * (k % SAMPLES) / (SAMPLES - 1);
  }
  return rc;
}

// Is load c a couple?
static bool couple(const mw_mech *m, const mw_statics *s, int c)
{
  return s->joint[c] >= 0 && strcmp(mw_joint_unit(&m->model->joint[s->joint[c]]), "rad") == 0;
}

// Largest compliance along the line under a load of load c's kind
static double largest(const mw_mech *m, const line *q, int c, const mw_statics *s)
{
  double most = 0.0;
  for (int k = 0; k < q->n; k++)
    for (int i = 0; i < s[k].n; i++)
      if (s[k].joint[i] >= -1 && couple(m, &s[k], i) == couple(m, &s[k], c))
        most = fmax(most, s[k].compliance[i]);
  return most;
}

// (1) under load c, over window w; floor, m/N: the least that is divided by
static double ripple_in(int w, int c, double floor, const mw_statics *s, const mw_statics *fine)
{
  double least = INFINITY, most = -INFINITY;
  for (int k = w * SAMPLES; k < (w + 1) * SAMPLES; k++) {
    double whole = fine[k].compliance[c], lost = (whole - s[k].compliance[c]) / fmax(whole, floor);
    least = fmin(least, lost);
    most = fmax(most, lost);
  }
  return most - least;
}

static mw_code look(const pair *p, line *q, mw_arena *mem, mw_ripple *out, mw_error *err)
{
  const mw_mech *m = &p->own, *fine = &p->fine;
  int n_s = m->model->reduction.n_coordinate;
  mw_statics *s = mw_arena_alloc(&q->mem, 2 * (size_t)q->n, sizeof *s), *f = s + q->n;
  mw_code rc = mw_arena_check(&q->mem, err);
  if (rc == MW_OK) rc = mw_direct_statics_at(m->model, m, q->n, q->theta, &q->mem, s, err);
  if (rc == MW_OK) rc = mw_direct_statics_at(fine->model, fine, q->n, q->theta, &q->mem, f, err);
  for (int c = 0; rc == MW_OK && c < s[0].n; c++) {
    double floor = SMALL * largest(m, q, c, f);
    for (int w = 0; s[0].joint[c] >= -1 && floor > 0.0 && w < q->windows; w++) {
      double e = ripple_in(w, c, floor, s, f);
      if (!(e > out->share)) continue;
      double middle = q->theta[(w * SAMPLES + SAMPLES / 2) * n_s + q->axis];
      *out = (mw_ripple){ e, middle, q->l, 0.0, mw_arena_str(mem, s[0].name[c]) };
    }
  }
  return rc == MW_OK ? mw_arena_check(mem, err) : rc;
}

static mw_code ripples(const mw_mech *m, bool whole, mw_arena *mem, mw_ripple *ripple,
                       mw_error *err)
{
  const mw_reduction_in *in = &m->model->reduction;
  double limit = SHARE * ALLOWED * in->tolerance, part = 1.0 - 1.0 / DIVIDE;
  pair p;
  mw_code rc = pair_init(m, &p, err);
  for (int i = 0; rc == MW_OK && i < in->n_coordinate; i++) {
    mw_ripple *r = &ripple[in->coordinate[i].joint];
    for (int k = 0; rc == MW_OK && rides(m, i) && k < (whole ? LINES : 1); k++) {
      line q;
      rc = line_init(m, i, k, &q, err);
      if (rc == MW_OK) rc = look(&p, &q, mem, r, err);
      mw_arena_free(&q.mem);
    }
    if (r->share > limit) r->need = r->element * limit * part / r->share;
  }
  pair_free(m, &p);
  return rc;
}

mw_code mw_ripples(const mw_mech *m, bool whole, mw_arena *mem, mw_ripple **out, mw_error *err)
{
  const mw_reduction_in *in = &m->model->reduction;
  bool any = false;
  mw_ripple *ripple = mw_arena_alloc(mem, (size_t)m->n_joint, sizeof *ripple);
  mw_code rc = mw_arena_check(mem, err);
  for (int i = 0; in->present && i < in->n_coordinate; i++) any = any || rides(m, i);
  if (rc == MW_OK && any && mw_mech_unknowns(m) > UNKNOWNS_MOST)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "%d unknowns, at most %d expected",
                 mw_mech_unknowns(m), UNKNOWNS_MOST);
  for (int k = 0; rc == MW_OK && any && k < m->n_joint; k++) {
    const mw_guide *g = m->joint[k].guide;
    if (g && g->rot && m->joint[k].guide_elastic && g->n > NODES_MOST / DIVIDE)
      rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "guide '%s' of %d nodes, at most %d expected",
                   g->name, g->n, NODES_MOST / DIVIDE);
  }
  if (rc == MW_OK && any) rc = ripples(m, whole, mem, ripple, err);
  if (rc == MW_OK) *out = ripple;
  return rc;
}

bool mw_ripple_warning(const mw_mech *m, int joint, const mw_ripple *r, char *text, size_t n)
{
  if (!(r->need > 0.0)) return false;
  snprintf(text, n,
           "beam elements of %.3g m of guide '%s' show in the compliance of %s, by %.2g from node "
           "to node near %.4g m: for a tolerance of %g elements of %.2g m are needed",
           r->element, m->joint[joint].guide->name, r->load, r->share, r->s,
           m->model->reduction.tolerance, r->need);
  return true;
}
