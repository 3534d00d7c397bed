// SPDX-License-Identifier: BSD-3-Clause
// picture_scene.c: the machine as triangles, lines and marks.
//
// Solids and shells: their surface, with the edges where it bends. Beams: bars with the width 2√(3
// Iz/A) and the height 2√(3 Iy/A) that a full rectangle has. Circles and tubes are the sections
// with Iz = Iy = It/2 (a square has It = 1.69 Iy): round, of the radius
//   R² = 2 Iy/A + A/(2π) ,  from  A = π(R² − r²) and Iy = A (R² + r²)/4                      (1)
// Masses that nodes carry: balls of the mass in steel. Rigid bodies: the block of their mass and
// inertia, of edges
//   a_i² = 6 (I_j + I_k − I_i) / m                                                              (2)
// along the principal axes, cut to what its frames reach, with rods to them. Everything is emitted
// twice: counted, then stored.
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "fem/joint.h"
#include "picture_layer.h"

enum { SIDES = 24, PALETTE = 10 };
static const double ROD = 0.004, BLOCK_LEAST = 0.012,
                    BLOCK_MOST = 0.12;  // half edges, of the scene's size
static const mw_rgb GUIDE = { 20, 60, 140 }, GREY = { 150, 150, 150 }, LINK = { 120, 60, 140 };

mw_rgb mw_scene_guide_color(void) { return GUIDE; }

mw_rgb mw_scene_color(const mw_mech *m, int body)
{
  static const mw_rgb palette[PALETTE] = { { 78, 121, 167 },  { 242, 142, 43 },  { 89, 161, 79 },
                                           { 225, 87, 89 },   { 118, 183, 178 }, { 237, 201, 72 },
                                           { 176, 122, 161 }, { 255, 157, 167 }, { 156, 117, 95 },
                                           { 166, 206, 227 } };
  int k = 0;
  if (m->body[body].ground && m->body[body].n_u == 0) return GREY;
  for (int b = 0; b < body; b++) k += !(m->body[b].ground && m->body[b].n_u == 0);
  return palette[k % PALETTE];
}

static mw_rgb darker(mw_rgb c, double f)
{
  return (mw_rgb){ (unsigned char)(c.r * f), (unsigned char)(c.g * f), (unsigned char)(c.b * f) };
}

// x = o + E X
static void place(const double *p, const double X[3], double x[3])
{
  mw_mul33v(p + 3, X, x);
  for (int i = 0; i < 3; i++) x[i] += p[i];
}

static void add_tri(mw_scene *c, const double a[3], const double b[3], const double d[3],
                    mw_rgb color)
{
  if (c->tri) {
    mw_scene_tri *t = &c->tri[c->n_tri];
    memcpy(t->x, a, 3 * sizeof *a);
    memcpy(t->x + 3, b, 3 * sizeof *a);
    memcpy(t->x + 6, d, 3 * sizeof *a);
    t->body = c->body;
    t->color = color;
  }
  c->n_tri++;
}

static void add_line(mw_scene *c, const double a[3], const double b[3], double width, double lift,
                     mw_rgb color)
{
  if (c->line) {
    mw_scene_line *l = &c->line[c->n_line];
    memcpy(l->x, a, 3 * sizeof *a);
    memcpy(l->x + 3, b, 3 * sizeof *a);
    l->body[0] = l->body[1] = c->body;
    l->width = width;
    l->lift = lift;
    l->color = color;
  }
  c->n_line++;
}

// The same from a point of body a to one of body b.
static void add_link(mw_scene *c, const double x[3], int a, const double y[3], int b)
{
  add_line(c, x, y, 2.0, 0.005, LINK);
  if (!c->line) return;
  c->line[c->n_line - 1].body[0] = a;
  c->line[c->n_line - 1].body[1] = b;
}

static void add_dot(mw_scene *c, const double x[3], mw_mark mark)
{
  if (c->dot) {
    memcpy(c->dot[c->n_dot].x, x, 3 * sizeof *x);
    c->dot[c->n_dot].body = c->body;
    c->dot[c->n_dot].mark = mark;
  }
  c->n_dot++;
}

static void add_rod(mw_scene *c, const double a[3], const double b[3], double radius, mw_rgb color)
{
  double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] }, h1[3], h2[3], last[6], here[6];
  if (!(mw_norm3(d) > 1e-9 * c->size)) return;
  mw_normals3(d, h1, h2);
  for (int k = 0; k <= SIDES; k++) {
    double t = 2.0 * acos(-1.0) * k / SIDES, u = radius * cos(t), v = radius * sin(t);
    for (int i = 0; i < 3; i++) {
      here[i] = a[i] + u * h1[i] + v * h2[i];
      here[3 + i] = b[i] + u * h1[i] + v * h2[i];
    }
    if (k > 0) {
      add_tri(c, last, here, last + 3, color);
      add_tri(c, here, here + 3, last + 3, color);
      add_tri(c, a, here, last, color);
      add_tri(c, b, last + 3, here + 3, color);
    }
    memcpy(last, here, sizeof last);
  }
}

// ---- elastic bodies -----------------------------------------------------------------------------

// Four sides and two ends of a bar from a to b with half edges h along the unit vectors u, v
static void add_bar(mw_scene *c, const double a[3], const double b[3], const double h[2],
                    const double u[3], const double v[3], mw_rgb color)
{
  static const double corner[4][2] = { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } };
  double x[8][3];
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 3; i++)
      x[k][i] =
          (k < 4 ? a : b)[i] + corner[k % 4][0] * h[0] * u[i] + corner[k % 4][1] * h[1] * v[i];
  for (int k = 0; k < 4; k++) {
    int n = (k + 1) % 4;
    add_tri(c, x[k], x[n], x[4 + n], color);
    add_tri(c, x[k], x[4 + n], x[4 + k], color);
    add_line(c, x[k], x[4 + k], 1.2, 1e-3, darker(color, 0.35));
  }
  for (int e = 0; e < 8; e += 4) {
    add_tri(c, x[e], x[e + 1], x[e + 2], color);
    add_tri(c, x[e], x[e + 2], x[e + 3], color);
  }
}

// Says whether a section is a circle or a tube: its moments are products of a few rounded factors.
static bool is_round(const mw_section *s)
{
  return fabs(s->Iz - s->Iy) <= 1e-9 * s->Iz && fabs(s->It - 2.0 * s->Iy) <= 1e-9 * s->It;
}

// Edge e of body b between a and b in ground axes, as its section is
static void add_beam(mw_scene *c, int body, int e, const double a[3], const double b[3])
{
  const mw_body_in *in = &c->m->model->body[body];
  const double *p = c->p + 12 * (size_t)body, least = ROD * c->size, most = 0.03 * c->size;
  mw_rgb color = mw_scene_color(c->m, body);
  int k = 0;
  for (int first = 0; k < in->n_member && e >= first + in->member[k].n_elem;)
    first += in->member[k++].n_elem;
  if (k == in->n_member) {
    add_rod(c, a, b, least, color);
    return;
  }
  const mw_section *s = &c->m->model->section[in->member[k].section];
  double h[2] = { sqrt(3.0 * s->Iz / s->A), sqrt(3.0 * s->Iy / s->A) }, d[3], u[3], v[3], up[3];
  if (is_round(s)) {
    double R = sqrt(2.0 * s->Iy / s->A + 0.5 * s->A / acos(-1.0));  // (1)
    add_rod(c, a, b, fmin(fmax(R, least), most), color);
    return;
  }
  for (int i = 0; i < 2; i++) h[i] = fmin(fmax(h[i], least), most);
  for (int i = 0; i < 3; i++) d[i] = b[i] - a[i];
  if (!(mw_norm3(d) > 1e-9 * c->size)) return;
  mw_mul33v(p + 3, in->member[k].up, up);  // local z lies in the plane of beam and up: beam.c
  mw_cross3(up, d, u);
  double nu = mw_norm3(u);
  for (int i = 0; i < 3; i++) u[i] /= nu;
  mw_cross3(d, u, v);
  double nv = mw_norm3(v);
  for (int i = 0; i < 3; i++) v[i] /= nv;
  add_bar(c, a, b, h, u, v, color);
}

// A ball of the volume that the mass has in steel, at least as large as a rod
static void add_mass(mw_scene *c, const double x[3], double mass, mw_rgb color)
{
  enum { RINGS = 8, ROUND = 16 };
  static const double STEEL = 7850.0;  // kg/m³
  const double pi = acos(-1.0);
  double r = cbrt(0.75 * mass / (pi * STEEL)), y[2][2][3];
  r = fmin(fmax(r, 2.0 * ROD * c->size), 0.06 * c->size);
  for (int i = 0; i < RINGS; i++)
    for (int k = 0; k < ROUND; k++) {
      for (int q = 0; q < 4; q++) {
        double t = pi * (i + q / 2) / RINGS, f = 2.0 * pi * (k + q % 2) / ROUND;
        const double n[3] = { sin(t) * cos(f), sin(t) * sin(f), cos(t) };
        for (int d = 0; d < 3; d++) y[q / 2][q % 2][d] = x[d] + r * n[d];
      }
      add_tri(c, y[0][0], y[1][0], y[1][1], color);
      add_tri(c, y[0][0], y[1][1], y[0][1], color);
    }
}

static void masses(mw_scene *c, int b)
{
  const mw_body_in *in = &c->m->model->body[b];
  for (int k = 0; k < in->n_attach; k++) {
    double x[3];
    if (!(in->attach[k].mass > 0.0)) continue;
    place(c->p + 12 * (size_t)b, c->m->body[b].frame[k].X, x);
    add_mass(c, x, in->attach[k].mass, darker(mw_scene_color(c->m, b), 0.7));
  }
}

// Nodes with a translation that supports hold: rows of N without an entry
static mw_code supports(mw_scene *c, int b, mw_error *err)
{
  const mw_body *body = &c->m->body[b];
  mw_arena tmp = { 0 };
  if (!body->ground) return MW_OK;
  char *moves = mw_arena_alloc(&tmp, 3 * (size_t)body->n_node, 1);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < body->N.ptr[body->N.n_col]; k++) moves[body->N.row[k]] = 1;
  for (int i = 0; i < body->n_node; i++) {
    double x[3];
    if (moves[3 * i] && moves[3 * i + 1] && moves[3 * i + 2]) continue;
    place(c->p + 12 * (size_t)b, body->X + 3 * (size_t)i, x);
    add_dot(c, x, MW_MARK_SUPPORT);
  }
  mw_arena_free(&tmp);
  return MW_OK;
}

static void elastic(mw_scene *c, int b)
{
  const mw_body *body = &c->m->body[b];
  const double *p = c->p + 12 * (size_t)b;
  mw_rgb color = mw_scene_color(c->m, b), dark = darker(color, 0.35);
  double x[3][3];
  for (int t = 0; t < body->n_tri; t++) {
    for (int k = 0; k < 3; k++) place(p, body->X + 3 * (size_t)body->tri[3 * t + k], x[k]);
    add_tri(c, x[0], x[1], x[2], color);
  }
  for (int e = 0; e < c->n_crease[b]; e++) {
    for (int k = 0; k < 2; k++) place(p, body->X + 3 * (size_t)c->crease[b][2 * e + k], x[k]);
    add_line(c, x[0], x[1], 1.2, 1e-3, dark);
  }
  for (int e = 0; e < body->n_edge; e++) {
    for (int k = 0; k < 2; k++) place(p, body->X + 3 * (size_t)body->edge[2 * e + k], x[k]);
    add_beam(c, b, e, x[0], x[1]);
  }
  masses(c, b);
  if (body->n_tri > 0 || body->n_edge > 0) return;
  for (int i = 0; i < body->n_node; i++) {  // nodes of foreign matrices
    place(p, body->X + 3 * (size_t)i, x[0]);
    add_line(c, x[0], x[0], 3.0, 0.0, color);
  }
}

// ---- rigid bodies -------------------------------------------------------------------------------

// Largest half edge of the block: its frames show how far a body goes
static double reach(const mw_body *b, const double centre[3], double size)
{
  double far = 0.0;
  for (int k = 0; k < b->n_frame; k++) {
    const double *X = b->frame[k].X,
                 d[3] = { X[0] - centre[0], X[1] - centre[1], X[2] - centre[2] };
    far = fmax(far, mw_norm3(d));
  }
  return far > BLOCK_LEAST * size ? fmin(0.7 * far, BLOCK_MOST * size) : BLOCK_MOST * size;
}

// Centre, principal axes A (columns) and half edges of the block (2)
static mw_code block_of(const mw_body *b, double size, double centre[3], double A[9],
                        double half[3], mw_error *err)
{
  double I[9], w[3], tr = b->J[0] + b->J[4] + b->J[8];
  for (int i = 0; i < 3; i++) centre[i] = b->mX[i] / b->m;
  double cc = mw_dot3(centre, centre), most = reach(b, centre, size);
  for (int k = 0; k < 9; k++)
    I[k] = (k % 4 == 0 ? tr - b->m * cc : 0.0) - b->J[k] + b->m * centre[k / 3] * centre[k % 3];
  mw_code rc = mw_eig_sym(3, I, w, A, err);
  for (int i = 0; rc == MW_OK && i < 3; i++) {
    double a2 = 6.0 * (w[(i + 1) % 3] + w[(i + 2) % 3] - w[i]) / b->m;
    half[i] = fmin(fmax(0.5 * sqrt(fmax(a2, 0.0)), BLOCK_LEAST * size), most);
  }
  return rc;
}

static mw_code block(mw_scene *c, int b, double centre[3], mw_error *err)
{
  static const int face[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                  { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  const double *p = c->p + 12 * (size_t)b;
  double A[9], half[3], x[8][3];
  mw_rgb color = mw_scene_color(c->m, b);
  mw_code rc = block_of(&c->m->body[b], c->size, centre, A, half, err);
  if (rc != MW_OK) return rc;
  for (int k = 0; k < 8; k++) {
    double d[3] = { k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                    k & 4 ? half[2] : -half[2] },
           X[3];
    mw_mul33v(A, d, X);
    for (int i = 0; i < 3; i++) X[i] += centre[i];
    place(p, X, x[k]);
  }
  for (int f = 0; f < 6; f++) {
    const int *v = face[f];
    add_tri(c, x[v[0]], x[v[1]], x[v[2]], color);
    add_tri(c, x[v[0]], x[v[2]], x[v[3]], color);
    for (int k = 0; k < 4; k++)
      if (v[k] < v[(k + 1) % 4])
        add_line(c, x[v[k]], x[v[(k + 1) % 4]], 1.2, 1e-3, darker(color, 0.35));
  }
  return MW_OK;
}

static mw_code rigid(mw_scene *c, int b, mw_error *err)
{
  const mw_body *body = &c->m->body[b];
  const double *p = c->p + 12 * (size_t)b;
  double centre[3] = { 0 }, from[3], to[3];
  mw_code rc = body->m > 0.0 ? block(c, b, centre, err) : MW_OK;
  place(p, centre, from);
  for (int k = 0; rc == MW_OK && k < body->n_frame; k++) {
    place(p, body->frame[k].X, to);
    add_rod(c, from, to, ROD * c->size, mw_scene_color(c->m, b));
    add_line(c, from, to, 2.0, 0.05, darker(mw_scene_color(c->m, b), 0.6));
  }
  return rc;
}

// ---- joints -------------------------------------------------------------------------------------

static void guides(mw_scene *c, int b)
{
  const mw_body *body = &c->m->body[b];
  for (int g = 0; g < body->n_guide; g++) {
    const mw_guide *guide = &body->guide[g];
    double end[3], a[3], z[3];
    for (int i = 0; i < 3; i++) end[i] = guide->X0[i] + guide->length * guide->t[i];
    place(c->p + 12 * (size_t)b, guide->X0, a);
    place(c->p + 12 * (size_t)b, end, z);
    add_line(c, a, z, body->n_u == 0 ? 4.0 : 2.5, 0.05, GUIDE);
    c->guide = true;
  }
}

// Contact points X0 + t (s + offset) + (t, n1, n2) shift
static void runners(mw_scene *c, const mw_joint *j)
{
  const mw_guide *g = j->guide;
  for (int r = 0; r < j->in->n_runner; r++) {
    const mw_runner *run = &j->in->runner[r];
    double X[3], x[3], at = c->s[j->coord] + run->offset;
    for (int i = 0; i < 3; i++)
      X[i] = g->X0[i] + (at + run->shift[0]) * g->t[i] + run->shift[1] * g->n1[i] +
             run->shift[2] * g->n2[i];
    place(c->p + 12 * (size_t)j->a, X, x);
    add_dot(c, x, MW_MARK_RUNNER);
  }
}

// From the centre of mass of a rigid body that moves to a joint of it
static void limb(mw_scene *c, int b, const double joint[3])
{
  const mw_body *body = &c->m->body[b];
  double x[3];
  if (body->n_u > 0 || body->ground || !(body->m > 0.0)) return;
  c->body = b;
  place(c->p + 12 * (size_t)b,
        (double[3]){ body->mX[0] / body->m, body->mX[1] / body->m, body->mX[2] / body->m }, x);
  add_line(c, x, joint, 2.0, 0.05, darker(mw_scene_color(c->m, b), 0.6));
}

static void joints(mw_scene *c)
{
  const mw_mech *m = c->m;
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *j = &m->joint[k];
    double a[3], b[3];
    mw_joint_draw draw = mw_joint_class_of(j->in)->draw;
    if (draw == MW_DRAW_NONE) continue;
    c->body = j->b;
    if (draw == MW_DRAW_RUNNERS) {
      runners(c, j);
      continue;
    }
    place(c->p + 12 * (size_t)j->a, j->Xa, a);
    place(c->p + 12 * (size_t)j->b, j->Xb, b);
    add_dot(c, a, MW_MARK_JOINT);
    limb(c, j->a, a);
    limb(c, j->b, b);
    if (draw == MW_DRAW_LINK) add_link(c, a, j->a, b, j->b);
  }
  for (int k = 0; k < m->model->n_force; k++) {
    const mw_force_in *f = &m->model->force[k];
    const double none[3] = { 0 };
    double a[3], b[3];
    if (f->kind != MW_FORCE_SPRING) continue;
    mw_mech_point(m, f->a, none, c->p + 12 * (size_t)f->a.body, NULL, a, NULL, NULL);
    mw_mech_point(m, f->b, none, c->p + 12 * (size_t)f->b.body, NULL, b, NULL, NULL);
    add_link(c, a, f->a.body, b, f->b.body);
  }
}

// ---- all of it ----------------------------------------------------------------------------------

static void extend(mw_scene *c, int b, const double X[3])
{
  double x[3];
  place(c->p + 12 * (size_t)b, X, x);
  for (int i = 0; i < 3; i++) {
    c->lo[i] = fmin(c->lo[i], x[i]);
    c->hi[i] = fmax(c->hi[i], x[i]);
  }
}

// What of body b spans the picture; false: nothing
static bool measure(mw_scene *c, int b)
{
  const mw_body *body = &c->m->body[b];
  bool any = false;
  for (int k = 0; k < body->n_frame; k++) extend(c, b, body->frame[k].X), any = true;
  for (int g = 0; g < body->n_guide; g++) {
    double end[3];
    for (int i = 0; i < 3; i++)
      end[i] = body->guide[g].X0[i] + body->guide[g].length * body->guide[g].t[i];
    extend(c, b, body->guide[g].X0);
    extend(c, b, end);
    any = true;
  }
  if (body->n_u > 0)
    for (int k = 0; k < body->n_node; k++) extend(c, b, body->X + 3 * (size_t)k), any = true;
  if (body->n_u == 0 && body->m > 0.0) {
    double X[3] = { body->mX[0] / body->m, body->mX[1] / body->m, body->mX[2] / body->m };
    extend(c, b, X);
    any = true;
  }
  return any;
}

static mw_code emit(mw_scene *c, mw_error *err)
{
  const mw_mech *m = c->m;
  mw_code rc = MW_OK;
  c->n_tri = c->n_line = c->n_dot = 0;
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    if (!c->drawn[b]) continue;
    c->body = b;
    guides(c, b);
    if (body->n_u > 0) {
      elastic(c, b);
      rc = supports(c, b, err);
    } else if (!body->ground) {
      rc = rigid(c, b, err);
    }
    for (int k = 0; k < body->n_frame; k++) {
      double x[3];
      place(c->p + 12 * (size_t)b, body->frame[k].X, x);
      add_dot(c, x, MW_MARK_FRAME);
    }
  }
  if (rc == MW_OK) joints(c);
  return rc;
}

mw_code mw_scene_build(const mw_mech *m, const double *p, const double *s, mw_arena *mem,
                       mw_scene *out, mw_error *err)
{
  mw_scene c = { .m = m, .p = p, .s = s };
  size_t nb = (size_t)m->n_body;
  for (int i = 0; i < 3; i++) c.lo[i] = INFINITY, c.hi[i] = -INFINITY;
  c.drawn = mw_arena_alloc(mem, nb, 1);
  c.crease = mw_arena_alloc(mem, nb, sizeof *c.crease);
  c.n_crease = mw_arena_int(mem, nb);
  mw_code rc = mw_arena_check(mem, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    c.drawn[b] = measure(&c, b);
    if (m->body[b].n_u > 0)
      rc = mw_scene_creases(&m->body[b], mem, &c.crease[b], &c.n_crease[b], err);
  }
  double d[3] = { c.hi[0] - c.lo[0], c.hi[1] - c.lo[1], c.hi[2] - c.lo[2] };
  c.size = mw_norm3(d);
  if (rc == MW_OK && !(c.size > 0.0 && isfinite(c.size)))
    rc = mw_fail(err, MW_ERR_INPUT, (mw_at){ .file = m->model->path },
                 "there is nothing to see: no body has an extent");
  if (rc == MW_OK) rc = emit(&c, err);
  if (rc != MW_OK) return rc;
  c.tri = mw_arena_alloc(mem, (size_t)c.n_tri, sizeof *c.tri);
  c.line = mw_arena_alloc(mem, (size_t)c.n_line, sizeof *c.line);
  c.dot = mw_arena_alloc(mem, (size_t)c.n_dot, sizeof *c.dot);
  rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = emit(&c, err);
  if (rc == MW_OK) *out = c;
  return rc;
}
