// SPDX-License-Identifier: BSD-3-Clause
// check_guide.c: is the mesh under a runner fine enough?
//
// Beams: under a load at b = 0 … 1 of an element of length l, B = 4 b (1 − b), the guide loses at
// most
//   f_b B³ l³/192 EI + f_s B l/4 κGA                                                            (1)
// of its deflection: f_b = f_s = 1 in the elements at its ends, 1/10 and 1/3 in the others
// (fem/guide/guide_beam.c). It is held against what the runner feels, its own 1/k and the guide
// between its ends, simply supported, of length L with a + c = L:
//   1/k + a² c²/(3 EI L) + a c/(κGA L)                                                          (2)
// over the range of the coordinate, or where the slider stands. Above LIMIT the needed l follows
// from both. A runner longer than an element spreads over nodes and loses less.
// Pads, a rule of thumb: their shorter side spans TWO elements with mid-edge nodes, or twice as
// many without.
#include <math.h>

#include "base/vec3.h"
#include "check_layer.h"
#include "fem/element.h"

static const double LIMIT = 1e-2;    // of the compliance a runner feels
static const double TWO = 2.0;       // quadratic elements over a pad's shorter side
static const double ON_LINE = 1e-6;  // of the guide's length
static const double ON_FACE = 1e-4;  // of the guide's length: as guide_pad.c finds faces

typedef struct flexibility {
  double bend, shear;  // 1/EI, 1/κGA along a direction across the guide
} flexibility;

// The member of the body that holds X, -1
static int member_at(const mw_body_in *in, const double X[3], double tol)
{
  for (int k = 0; k < in->n_member; k++) {
    const double *p = in->point[in->member[k].from].x, *q = in->point[in->member[k].to].x;
    double d[3], e[3], c[3];
    for (int i = 0; i < 3; i++) d[i] = q[i] - p[i], e[i] = X[i] - p[i];
    double l = mw_norm3(d), along = mw_dot3(e, d) / l;
    mw_cross3(e, d, c);
    if (mw_norm3(c) / l <= tol && along >= -tol && along <= l + tol) return k;
  }
  return -1;
}

static flexibility flexibility_of(const mw_model *m, const mw_member *mb, const double t[3],
                                  const double n[3])
{
  const mw_section *s = &m->section[mb->section];
  const mw_material *mat = &m->material[mb->material];
  double a[2][3], GA = s->A * mat->E / (2.0 * (1.0 + mat->nu));
  flexibility f = { 0.0, 0.0 };
  mw_cross3(mb->up, t, a[0]);
  mw_cross3(t, a[0], a[1]);
  for (int k = 0; k < 2; k++) {
    double c = mw_dot3(a[k], n) / mw_norm3(a[k]), kappa = k == 0 ? s->ky : s->kz;
    f.bend += c * c / (mat->E * (k == 0 ? s->Iz : s->Iy));
    if (kappa > 0.0) f.shear += c * c / (kappa * GA);
  }
  return f;
}

// (1)
static double lost(const flexibility *f, double l, double B, bool end)
{
  double fb = end ? 1.0 : 0.1, fs = end ? 1.0 : 1.0 / 3.0;
  return fb * B * B * B * l * l * l / 192.0 * f->bend + fs * B * l / 4.0 * f->shear;
}

// (2)
static double felt(const flexibility *f, double s, double L, double k)
{
  double a = fmin(fmax(s, 0.0), L), c = L - a;
  return 1.0 / k + a * a * c * c / (3.0 * L) * f->bend + a * c / L * f->shear;
}

// Largest element, from l down, that loses at most LIMIT wherever direction d of the runner may
// stand, half an element from the ends of the guide at least.
static double fine_enough(const flexibility *f, double L, const double range[2], const mw_runner *r,
                          int d, double l)
{
  static const double STEP = 0.95;
  enum { PLACES = 64, STEPS = 200 };
  for (int i = 0; i < STEPS; i++, l *= STEP) {
    double lo = fmax(range[0] + r->offset, 0.5 * l), hi = fmin(range[1] + r->offset, L - 0.5 * l);
    bool good = true;
    for (int k = 0; k <= PLACES && lo <= hi && good; k++) {
      double s = lo + (hi - lo) * k / PLACES;
      good = lost(f, l, 1.0, s < l || s > L - l) <= LIMIT * felt(f, s, L, r->stiffness[d]);
    }
    if (good) return l;
  }
  return l;
}

typedef struct worst {
  double share, s, l, need,
      offset;  // share of what is felt, place, element, needed element, runner
} worst;

// Looks at one direction of a runner on element e of the guide, where the coordinate's range lets
// it stand.
static void look(const mw_mech *m, const mw_joint *j, const mw_runner *r, int d, int e,
                 const double range[2], worst *w)
{
  const mw_guide *g = j->guide;
  double lo = fmax(range[0] + r->offset, g->s[e]), hi = fmin(range[1] + r->offset, g->s[e + 1]),
         l = g->s[e + 1] - g->s[e], X[3];
  if (lo > hi || r->length >= l) return;
  double s = fmin(fmax(0.5 * (g->s[e] + g->s[e + 1]), lo), hi), b = (s - g->s[e]) / l,
         B = 4.0 * b * (1.0 - b);
  for (int i = 0; i < 3; i++) X[i] = g->X0[i] + s * g->t[i];
  const mw_body_in *in = &m->model->body[j->a];
  int mb = member_at(in, X, ON_LINE * g->length);
  if (mb < 0) return;
  flexibility f = flexibility_of(m->model, &in->member[mb], g->t, d == 0 ? g->n1 : g->n2);
  bool end = e == 0 || e == g->n - 2;
  double whole = felt(&f, s, g->length, r->stiffness[d]), share = lost(&f, l, B, end) / whole;
  if (!(share > w->share)) return;
  *w = (worst){ share, s, l, fine_enough(&f, g->length, range, r, d, l), r->offset };
}

static bool beam_warning(const mw_mech *m, int joint, char *text, size_t n)
{
  const mw_joint *j = &m->joint[joint];
  double s0 = m->s0[j->coord], range[2] = { s0, s0 };
  const mw_reduction_in *in = &m->model->reduction;
  worst w = { .share = LIMIT };
  for (int i = 0; i < in->n_coordinate; i++)
    if (in->coordinate[i].joint == joint) {
      range[0] = in->coordinate[i].lo;
      range[1] = in->coordinate[i].hi;
    }
  for (int i = 0; i < j->in->n_runner; i++)
    for (int d = 0; d < 2; d++)
      for (int e = 0; j->in->runner[i].dir[d] && e < j->guide->n - 1; e++)
        look(m, j, &j->in->runner[i], d, e, range, &w);
  if (w.need == 0.0) return false;
  snprintf(
      text, n,
      "beam elements of %.3g m of guide '%s' are coarse under the runner at offset %g m: %.1f %% "
      "too stiff at %.4g m, elements of %.2g m are needed",
      w.l, j->guide->name, w.offset, 100.0 * w.share, w.s, w.need);
  return true;
}

// Longest edge of the solids' faces under the pads of a guide; *middle: they have mid-edge nodes
static double face_edge(const mw_body *b, const mw_guide *g, bool *middle)
{
  double most = 0.0;
  for (int k = 0; k < b->mesh->n_face; k++) {
    const mw_elem_info *info =
        mw_elem_info_of((mw_elem_kind)b->mesh->elem_kind[b->mesh->face_elem[k]]);
    int node[8], corners = info->face_corner[b->mesh->face_side[k]],
                 all = mw_mesh_face(b->mesh, k, node);
    double c[3] = { 0.0, 0.0, 0.0 }, edge = 0.0, flat = 0.0;
    for (int i = 0; i < corners; i++) {
      double d[3], e[3];
      for (int a = 0; a < 3; a++) {
        d[a] = b->X[3 * node[i] + a] - g->X0[a];
        e[a] = b->X[3 * node[i] + a] - b->X[3 * node[(i + 1) % corners] + a];
        c[a] += d[a] / corners;
      }
      flat = fmax(flat, fabs(mw_dot3(d, g->n1)));
      edge = fmax(edge, mw_norm3(e));
    }
    double s = mw_dot3(c, g->t), y = mw_dot3(c, g->n2), reach = 0.5 * edge;
    if (flat > ON_FACE * g->length || fabs(y) > 0.5 * g->pad[1] + reach || s < g->s[0] - reach ||
        s > g->s[g->n - 1] + reach || edge <= most)
      continue;
    most = edge;
    *middle = all > corners;
  }
  return most;
}

static bool pad_warning(const mw_mech *m, int joint, char *text, size_t n)
{
  const mw_joint *j = &m->joint[joint];
  const mw_guide *g = j->guide;
  bool middle = true;
  if (!m->body[j->a].mesh) return false;
  double edge = face_edge(&m->body[j->a], g, &middle), side = fmin(g->pad[0], g->pad[1]),
         need = side / (middle ? TWO : 2.0 * TWO);
  if (edge <= need) return false;
  snprintf(
      text, n,
      "elements under the pads of guide '%s', %.3g m x %.3g m, are up to %.3g m long: elements "
      "of %.2g m are needed",
      g->name, g->pad[0], g->pad[1], edge, need);
  return true;
}

// ---- what a slide leaves unsaid -----------------------------------------------------------------

// Forces at places off a line that cannot turn: their couple about the line's axis has nothing to
// act on.
bool mw_slide_couple_lost(const mw_mech *m, int joint, char *text, size_t n)
{
  const mw_joint *j = &m->joint[joint];
  bool lost = false;
  if (j->in->kind != MW_JOINT_SLIDE || !j->guide_elastic || j->guide->rot || j->guide->pad[0] > 0.0)
    return false;
  for (int i = 0; i < j->in->n_runner; i++) {
    const mw_runner *r = &j->in->runner[i];
    lost = lost || (r->dir[0] && r->shift[2] != 0.0) || (r->dir[1] && r->shift[1] != 0.0);
  }
  if (lost)
    snprintf(
        text, n,
        "guide '%s' is a line of nodes, which takes forces alone: the couple about its axis that "
        "runners with a shift exert is left out; guides of beams and pads pass it on",
        j->guide->name);
  return lost;
}

bool mw_slide_note(const mw_mech *m, int joint, int k, char *text, size_t n)
{
  static const double OFF = 1e-6;  // of the guide's length
  const mw_joint *j = &m->joint[joint];
  if (j->in->kind != MW_JOINT_SLIDE) return false;
  double off = hypot(j->gap[0], j->gap[1]);
  if (off > OFF * j->guide->length && k-- == 0) {
    double gap[2];  // without what is rounding
    for (int i = 0; i < 2; i++) gap[i] = fabs(j->gap[i]) > OFF * off ? j->gap[i] : 0.0;
    snprintf(
        text, n,
        "its slider stands %.4g m off guide '%s' (%.4g m along n1, %.4g m along n2) and keeps that "
        "distance, a rigid lever",
        off, j->guide->name, gap[0], gap[1]);
    return true;
  }
  return k == 0 && mw_slide_couple_lost(m, joint, text, n);
}

bool mw_joint_warning(const mw_mech *m, int joint, const mw_ripple *ripple, char *text, size_t n)
{
  const mw_joint *j = &m->joint[joint];
  if (j->in->kind != MW_JOINT_SLIDE || !j->guide_elastic) return false;
  if (ripple && mw_ripple_warning(m, joint, ripple, text, n)) return true;
  if (j->guide->rot) return beam_warning(m, joint, text, n);
  return j->guide->pad[0] > 0.0 && pad_warning(m, joint, text, n);
}
