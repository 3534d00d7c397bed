// SPDX-License-Identifier: BSD-3-Clause
// comparemotion.c: how the machine moves in each run of a comparison.
//
//   u_i(X, t) = E₀ᵀ (o_i + E_i (X + N u) − o₀) − X        run i, frames 0: undeformed at θ(t)   (1)
//   u_0 = Σ_k φ_k(X) c_k0(t) ,  u_i − u_0 = Σ_k φ_k(X) c_ki(t)                                (2)
//
// θ of the reference run: full, else the first. Without coordinates of a reduction its own frames
// are frames 0. Rigid bodies have v = E₀ᵀ(o_i − o₀) and ω of E₀ᵀ E_i, to first order.
// φ: orthonormal over all columns and instants (mw_span_choose); a column errs on a body by
// MW_DRAWN_TOLERANCE of its largest size over the machine at most, in the sum of squares over the
// drawn nodes. A column below LEAST of the first one's size is as good as none: it errs by the
// tolerance of that. Of path gmp, u are its drawn columns (drawn.h), which err by as much.
#include "comparemotion_priv.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/vec3.h"
#include "run/observe_layer.h"

static const double LEAST = 1e-4;

typedef struct work {
  const mw_comparison *q;
  const mw_mech *m;
  mw_page_motion *out;
  int n, n_row;                  // instants; columns × instants
  int run[MW_COMPARE_MAX_PATH];  // of a column
  int *n_shape, *n_node, *node;  // of out->drawn
  double *gmp_p, *gmp_eta;       // [n × 12 n_body], [n × rom drawn.n]  of path gmp
  double *size;                  // [n_column]  largest over the instants, on all elastic bodies
  mw_rest rest;
  mw_arena tmp;
} work;

static bool is_gmp(const work *w, int run) { return strcmp(w->q->label[run], "gmp") == 0; }

// Frames of body b in a run at instant k.
static const double *frame_of(const work *w, int run, int k, int b)
{
  size_t at = 12 * ((size_t)k * (size_t)w->m->n_body + (size_t)b);
  return (is_gmp(w, run) ? w->gmp_p : w->q->film[run].p) + at;
}

static double *undeformed(const work *w, int k)
{
  return w->out->p + 12 * (size_t)k * (size_t)w->m->n_body;
}

// x in the axes of the undeformed frame a
static void into(const double *a, const double x[3], double X[3])
{
  const double d[3] = { x[0] - a[0], x[1] - a[1], x[2] - a[2] };
  mw_mul33tv(a + 3, d, X);
}

// ---- what is known of the runs ------------------------------------------------------------------

// Instants that all films have at even distances.
static int common(const work *w)
{
  static const double SAME = 1e-9;  // of the time that has passed
  const mw_comparison *q = w->q;
  double dt = q->every * q->sc->store;
  int n = q->frames;
  for (int c = 0; c < w->out->n_column; c++) {
    const mw_film *f = &q->film[w->run[c]];
    int k = 0;
    while (k < n && k < f->n && fabs(f->t[k] - k * dt) <= SAME * (k + 1) * dt) k++;
    n = k;
  }
  return n;
}

// Why path gmp cannot be drawn, NULL: it can.
static const char *undrawn(const work *w)
{
  const mw_rom_file *rom = w->q->rom;
  const mw_drawn *d = &rom->drawn;
  bool same = d->n_body == w->m->n_body;
  const int *node = d->node;
  if (d->n_body == 0) return "its reduced model has no columns to draw; reduce it again";
  for (int b = 0, at = 0; same && b < d->n_body; at += w->n_node[b], node += d->n_node[b], b++)
    same =
        d->n_node[b] == w->n_node[b] &&
        (w->n_node[b] == 0 || memcmp(node, w->node + at, (size_t)w->n_node[b] * sizeof *node) == 0);
  if (!same) return "the nodes to draw of its reduced model are not those of the model's bodies";
  for (int k = 0; k < rom->n_parameter; k++) {
    const mw_rom_parameter *p = &rom->parameter[k];
    if (p->mass != 0.0 && p->value != 0.5 * (p->lo + p->hi))
      return "a mass that it keeps is not that of the drawn columns";
  }
  return NULL;
}

// Drawn nodes of all elastic bodies.
static mw_code find_nodes(work *w, mw_error *err)
{
  const mw_mech *m = w->m;
  int all = 0;
  mw_drawn *d = &w->out->drawn;
  d->n_body = m->n_body;
  d->n_shape = w->n_shape = mw_arena_int(&w->out->mem, (size_t)m->n_body);
  d->n_node = w->n_node = mw_arena_int(&w->out->mem, (size_t)m->n_body);
  for (int b = 0; b < m->n_body; b++)
    if (m->body[b].n_u > 0) all += m->body[b].n_node + m->body[b].n_frame;
  d->node = w->node = mw_arena_int(&w->out->mem, (size_t)all + 1);
  char *used = mw_arena_alloc(&w->tmp, (size_t)all + 1, 1);
  mw_code rc = mw_arena_check(&w->out->mem, err);
  if (rc == MW_OK) rc = mw_arena_check(&w->tmp, err);
  for (int b = 0; rc == MW_OK && b < m->n_body; b++) {
    const mw_body *body = &m->body[b];
    if (body->n_u == 0) continue;
    w->n_node[b] = mw_drawn_mark(body, used);
    for (int k = 0; k < body->n_node + body->n_frame; k++)
      if (used[k]) w->node[d->n_node_all++] = k;
  }
  return rc;
}

// Columns: the reference first.
static void order(work *w)
{
  const mw_comparison *q = w->q;
  mw_page_motion *o = w->out;
  o->reference = q->full >= 0 ? q->full : 0;
  for (int i = 0; i < q->n_path; i++) o->column[i] = -1;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < q->n_path; i++) {
      if ((i == o->reference) != (pass == 0) || q->film[i].n == 0) continue;
      const char *why = is_gmp(w, i) ? undrawn(w) : NULL;
      if (why) o->why = mw_arena_printf(&o->mem, "Path gmp is not drawn: %s.", why);
      if (why) continue;
      w->run[o->n_column] = i;
      o->column[i] = o->n_column++;
    }
}

// ---- frames -------------------------------------------------------------------------------------

static mw_code place(work *w, mw_error *err)
{
  const mw_comparison *q = w->q;
  const mw_run *r = &q->run[w->out->reference];
  size_t bytes = 12 * (size_t)w->m->n_body * sizeof(double);
  bool own = !q->c->model.reduction.present;
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < w->n; k++) {
    const double *s = r->s + (size_t)k * (size_t)q->every * (size_t)r->n_coord;
    if (!own) rc = mw_rest_at(&w->rest, s, err);
    memcpy(undeformed(w, k), own ? frame_of(w, w->out->reference, k, 0) : w->rest.p, bytes);
    if (k == 0) memcpy(w->out->s, own ? s : w->rest.s, (size_t)w->m->n_coord * sizeof *s);
  }
  return rc;
}

// Frames and amplitudes of path gmp from its states.
static mw_code take_gmp(work *w, int run, mw_error *err)
{
  const mw_film *f = &w->q->film[run];
  const mw_rom_file *rom = w->q->rom;
  size_t n_p = 12 * (size_t)w->m->n_body;
  mw_rest rest;
  w->gmp_p = mw_arena_f64(&w->tmp, (size_t)w->n * n_p);
  w->gmp_eta = mw_arena_f64(&w->tmp, (size_t)w->n * (size_t)rom->drawn.n);
  double *s = mw_arena_f64(&w->tmp, (size_t)w->m->n_coord + 1);
  mw_code rc = mw_rest_init(w->m, &w->tmp, &rest, err);
  if (rc == MW_OK) rc = mw_arena_check(&w->tmp, err);
  for (int k = 0; rc == MW_OK && k < w->n; k++) {
    const double *x = f->x + (size_t)k * (size_t)f->n_x;
    for (int i = 0; i < rom->rom.s; i++) s[mw_mech_coord(w->m, rom->coordinate[i])] = x[i];
    rc = mw_rest_at(&rest, s, err);
    double *p = w->gmp_p + (size_t)k * n_p, *eta = w->gmp_eta + (size_t)k * (size_t)rom->drawn.n;
    memcpy(p, rest.p, n_p * sizeof *p);
    mw_drawn_amplitudes(rom, x, eta);
    mw_drawn_turn(&rom->drawn, eta, p);
  }
  return rc;
}

// ---- displacements of an elastic body -----------------------------------------------------------

// First unknown of body b in a film's x.
static size_t unknown_of(const work *w, int b)
{
  size_t at = 0;
  for (int i = 0; i < b; i++)
    at += w->m->body[i].n_u > 0 ? (size_t)w->m->body[i].n_u : w->m->body[i].ground ? 0 : 6;
  return at;
}

// Nodes of body b displaced by N u, u of the film, its frames by P u: y [3 × drawn nodes]
static void bend(const work *w, int run, int k, int b, const int *node, double *x, double *z,
                 double *y)
{
  const mw_body *body = &w->m->body[b];
  const mw_film *f = &w->q->film[run];
  const double *u = f->x + (size_t)k * (size_t)f->n_x + unknown_of(w, b);
  mw_csc_mul(&body->N, 1.0, u, 0.0, x);
  if (body->n_frame > 0) mw_csc_mul(&body->P, 1.0, u, 0.0, z);
  for (int i = 0; i < w->n_node[b]; i++) {
    int frame = node[i] - body->n_node;
    memcpy(y + 3 * i, frame < 0 ? x + 3 * node[i] : z + body->frame[frame].z, 3 * sizeof *y);
  }
}

// (1) for the displacements y of the drawn nodes of body b, in its own axes, in place
static void from_undeformed(const work *w, int run, int k, int b, const int *node, double *y)
{
  const mw_body *body = &w->m->body[b];
  const double *p = frame_of(w, run, k, b), *p0 = undeformed(w, k) + 12 * (size_t)b;
  for (int i = 0; i < w->n_node[b]; i++) {
    int frame = node[i] - body->n_node;
    const double *X = frame < 0 ? body->X + 3 * (size_t)node[i] : body->frame[frame].X;
    double at[3], x[3];
    for (int c = 0; c < 3; c++) at[c] = X[c] + y[3 * i + c];
    mw_mul33v(p + 3, at, x);
    for (int c = 0; c < 3; c++) x[c] += p[c];
    into(p0, x, at);
    for (int c = 0; c < 3; c++) y[3 * i + c] = at[c] - X[c];
  }
}

// Notes how far n points are, of column c: y what they differ by, y0 of column 0.
static void note_largest(const work *w, int c, int n, const double *y, const double *y0)
{
  double *largest = &w->out->largest[w->run[c]], *off = &w->out->off[w->run[c]];
  for (int i = 0; i < 3 * n; i += 3) {
    double sum[3] = { y[i] + y0[i], y[i + 1] + y0[i + 1], y[i + 2] + y0[i + 2] };
    *largest = fmax(*largest, mw_norm3(c > 0 ? sum : y + i));
    if (c > 0) *off = fmax(*off, mw_norm3(y + i));
  }
}

// Rows (column, instant) of V [n_row × 3 nodes]: displacements of column 0, differences of others.
static mw_code fill(const work *w, int b, const int *node, double *V, mw_error *err)
{
  const mw_body *body = &w->m->body[b];
  size_t n = 3 * (size_t)w->n_node[b];
  mw_arena tmp = { 0 };
  double *x = mw_arena_f64(&tmp, 3 * (size_t)body->n_node + 1);
  double *z = mw_arena_f64(&tmp, (size_t)body->n_z + 1);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int c = 0; rc == MW_OK && c < w->out->n_column; c++)
    for (int k = 0; k < w->n; k++) {
      double *y = V + ((size_t)c * (size_t)w->n + (size_t)k) * n;
      if (is_gmp(w, w->run[c]))
        mw_drawn_bend(&w->q->rom->drawn, w->gmp_eta + (size_t)k * (size_t)w->q->rom->drawn.n, b, y);
      else
        bend(w, w->run[c], k, b, node, x, z, y);
      from_undeformed(w, w->run[c], k, b, node, y);
      if (c > 0) mw_axpy((int)n, -1.0, V + (size_t)k * n, y);
    }
  mw_arena_free(&tmp);
  return rc;
}

// ---- shapes and amplitudes ----------------------------------------------------------------------

typedef struct body_shapes {
  int n;
  double *V, *Q, *c;  // [n_row × 3 nodes], [n × 3 nodes], [n_row × n]
  mw_arena mem;
} body_shapes;

// v and ω of a rigid body at instant k against its undeformed frame
static void turn(const work *w, int run, int k, int b, double *v)
{
  const double *p = frame_of(w, run, k, b), *p0 = undeformed(w, k) + 12 * (size_t)b;
  double R[9];
  into(p0, p, v);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[3 * i + j] = 0.0;
      for (int l = 0; l < 3; l++) R[3 * i + j] += p0[3 + 3 * l + i] * p[3 + 3 * l + j];
    }
  v[3] = 0.5 * (R[7] - R[5]);
  v[4] = 0.5 * (R[2] - R[6]);
  v[5] = 0.5 * (R[3] - R[1]);
}

static mw_code rigid_shapes(const work *w, int b, body_shapes *o, mw_error *err)
{
  o->n = w->m->body[b].ground ? 0 : 6;
  o->c = mw_arena_f64(&o->mem, 6 * (size_t)w->n_row);
  mw_code rc = mw_arena_check(&o->mem, err);
  for (int c = 0; rc == MW_OK && o->n > 0 && c < w->out->n_column; c++)
    for (int k = 0; k < w->n; k++) {
      double *v = o->c + 6 * ((size_t)c * (size_t)w->n + (size_t)k);
      turn(w, w->run[c], k, b, v);
      if (c > 0) mw_axpy(6, -1.0, o->c + 6 * (size_t)k, v);
      note_largest(w, c, 1, v, o->c + 6 * (size_t)k);
    }
  return rc;
}

static mw_code elastic_shapes(const work *w, int b, const int *node, body_shapes *o, mw_error *err)
{
  int n = 3 * w->n_node[b], most = n < w->n_row ? n : w->n_row;
  size_t all = (size_t)w->n_row * (size_t)n;
  double *left = mw_arena_f64(&o->mem, (size_t)w->n_row), *V = mw_arena_f64(&o->mem, all);
  o->V = mw_arena_f64(&o->mem, all);
  o->Q = mw_arena_f64(&o->mem, (size_t)most * (size_t)n);
  mw_code rc = mw_arena_check(&o->mem, err);
  if (rc == MW_OK) rc = fill(w, b, node, o->V, err);
  for (size_t i = 0; rc == MW_OK && i < all; i++) {
    double size = w->size[i / ((size_t)n * (size_t)w->n)];
    V[i] = size > 0.0 ? o->V[i] / size : 0.0;
  }
  if (rc != MW_OK) return rc;
  o->n = mw_span_choose(w->n_row, n, V, MW_DRAWN_TOLERANCE, most, left, o->Q);
  o->c = mw_arena_f64(&o->mem, (size_t)w->n_row * (size_t)o->n);
  rc = mw_arena_check(&o->mem, err);
  if (rc == MW_OK && o->n > 0) mw_gemm('n', 't', w->n_row, o->n, n, 1.0, o->V, o->Q, 0.0, o->c);
  return rc;
}

// Largest size of each column over all elastic bodies.
static mw_code measure(work *w, mw_error *err)
{
  mw_code rc = MW_OK;
  double *square = mw_arena_f64(&w->tmp, (size_t)w->n_row);
  w->size = mw_arena_f64(&w->tmp, (size_t)w->out->n_column);
  rc = mw_arena_check(&w->tmp, err);
  for (int b = 0, at = 0; rc == MW_OK && b < w->m->n_body; at += w->n_node[b], b++) {
    mw_arena tmp = { 0 };
    size_t n = 3 * (size_t)w->n_node[b];
    if (n == 0) continue;
    double *V = mw_arena_f64(&tmp, (size_t)w->n_row * n);
    rc = mw_arena_check(&tmp, err);
    if (rc == MW_OK) rc = fill(w, b, w->node + at, V, err);
    for (int i = 0; rc == MW_OK && i < w->n_row; i++) {
      const double *y = V + (size_t)i * n;
      square[i] += mw_dot((int)n, y, y);
      note_largest(w, i / w->n, w->n_node[b], y, V + (size_t)(i % w->n) * n);
    }
    mw_arena_free(&tmp);
  }
  for (int i = 0; rc == MW_OK && i < w->n_row; i++)
    w->size[i / w->n] = fmax(w->size[i / w->n], sqrt(square[i]));
  for (int c = 1; rc == MW_OK && c < w->out->n_column; c++)
    w->size[c] = fmax(w->size[c], LEAST * w->size[0]);
  for (int c = 0; rc == MW_OK && c < w->out->n_column; c++)
    w->out->size[c] = w->size[c] > 0.0 ? w->size[c] : 1.0;
  return rc;
}

static mw_code gather(work *w, const body_shapes *of, mw_error *err)
{
  mw_drawn *d = &w->out->drawn;
  for (int b = 0; b < w->m->n_body; b++) {
    w->n_shape[b] = of[b].n;
    d->n += of[b].n;
    d->n_value += 3 * of[b].n * w->n_node[b];
  }
  float *shape = mw_arena_alloc(&w->out->mem, (size_t)d->n_value + 1, sizeof *shape);
  float *c = mw_arena_alloc(&w->out->mem, (size_t)w->n_row * (size_t)d->n + 1, sizeof *c);
  d->shape = shape;
  d->amplitude = c;
  mw_code rc = mw_arena_check(&w->out->mem, err);
  if (rc != MW_OK) return rc;
  for (int b = 0; b < w->m->n_body; b++)
    for (int i = 0; i < 3 * of[b].n * w->n_node[b]; i++) *shape++ = (float)of[b].Q[i];
  // columns of one size, so that what is rounded is rounded for each (machine.c)
  for (int k = 0; k < w->n; k++)
    for (int a = 0; a < w->out->n_column; a++)
      for (int b = 0; b < w->m->n_body; b++)
        for (int i = 0; i < of[b].n; i++) {
          size_t at = ((size_t)a * (size_t)w->n + (size_t)k) * (size_t)of[b].n + (size_t)i;
          *c++ = (float)(of[b].c[at] / w->out->size[a]);
        }
  return MW_OK;
}

static mw_code build_shapes(work *w, mw_error *err)
{
  body_shapes *of = mw_arena_alloc(&w->tmp, (size_t)w->m->n_body, sizeof *of);
  mw_code rc = mw_arena_check(&w->tmp, err);
  for (int b = 0, at = 0; rc == MW_OK && b < w->m->n_body; at += w->n_node[b], b++)
    rc = w->n_node[b] > 0 ? elastic_shapes(w, b, w->node + at, &of[b], err)
                          : rigid_shapes(w, b, &of[b], err);
  if (rc == MW_OK) rc = gather(w, of, err);
  for (int b = 0; of && b < w->m->n_body; b++) mw_arena_free(&of[b].mem);
  return rc;
}

// Whether there is something to see of the machine; else why says what is in the way.
static mw_code look(work *w, bool *seen, mw_error *err)
{
  mw_page_motion *o = w->out;
  mw_scene scene;
  mw_error none = { 0 };
  mw_code rc = mw_scene_build(w->m, o->p, o->s, &w->tmp, &scene, &none);
  *seen = rc == MW_OK;
  if (rc == MW_ERR_INPUT) {
    o->why = mw_arena_printf(&o->mem, "The machine is not drawn: %s.", none.msg);
    return mw_arena_check(&o->mem, err);
  }
  if (rc != MW_OK && err) *err = none;
  return rc;
}

// Says how exactly path gmp is drawn.
static void note_gmp(const work *w)
{
  mw_page_motion *o = w->out;
  for (int c = 0; c < o->n_column; c++)
    if (is_gmp(w, w->run[c]))
      o->why = mw_arena_printf(&o->mem,
                               "Path gmp is drawn by columns that err by %g of their size each: "
                               "what it differs by is drawn to some %.1g m, and exact in the "
                               "curves.",
                               MW_DRAWN_TOLERANCE, MW_DRAWN_TOLERANCE * o->largest[w->run[c]]);
}

static mw_code build(work *w, mw_error *err)
{
  mw_page_motion *o = w->out;
  mw_code rc = find_nodes(w, err);
  if (rc == MW_OK) order(w);
  w->n = rc == MW_OK && o->column[o->reference] == 0 ? common(w) : 0;
  if (rc != MW_OK || w->n < 2) return rc;
  w->n_row = w->n * o->n_column;
  o->end = (w->n - 1) * w->q->every * w->q->sc->store;
  o->p = mw_arena_f64(&o->mem, 12 * (size_t)w->n * (size_t)w->m->n_body);
  o->s = mw_arena_f64(&o->mem, (size_t)w->m->n_coord + 1);
  rc = mw_arena_check(&o->mem, err);
  if (rc == MW_OK) rc = mw_rest_init(w->m, &w->tmp, &w->rest, err);
  bool seen = false;
  if (rc == MW_OK) rc = place(w, err);
  if (rc == MW_OK) rc = look(w, &seen, err);
  if (!seen) return rc;
  for (int c = 0; rc == MW_OK && c < o->n_column; c++)
    if (is_gmp(w, w->run[c])) rc = take_gmp(w, w->run[c], err);
  if (rc == MW_OK) rc = measure(w, err);
  if (rc == MW_OK) rc = build_shapes(w, err);
  o->drawn.n_grid[0] = o->drawn.n_point = w->n;
  if (rc == MW_OK) note_gmp(w);
  return rc == MW_OK ? mw_arena_check(&o->mem, err) : rc;
}

mw_code mw_page_motion_build(const mw_comparison *q, mw_page_motion *out, mw_error *err)
{
  work w = { .q = q, .m = &q->c->mech, .out = out };
  *out = (mw_page_motion){ 0 };
  mw_code rc = q->frames > 0 ? build(&w, err) : MW_OK;
  mw_arena_free(&w.tmp);
  if (rc != MW_OK) mw_arena_free(&out->mem);
  return rc;
}
