// SPDX-License-Identifier: BSD-3-Clause
// film.c: the machine in motion as an animated PNG.
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "picture_layer.h"
#include "reduction/ncfile.h"
#include "vtu_layer.h"

enum { WIDE = 1000, HIGH = 700 };  // px

mw_code mw_film_open(mw_film *f, const mw_mech *m, int n_x, int most, mw_error *err)
{
  size_t n = (size_t)most;
  *f = (mw_film){ .m = m, .n_x = n_x, .most = most };
  f->p = mw_arena_f64(&f->mem, n * 12 * (size_t)m->n_body);
  f->s = mw_arena_f64(&f->mem, n * (size_t)m->n_coord);
  f->x = mw_arena_f64(&f->mem, n * (size_t)n_x);
  f->t = mw_arena_f64(&f->mem, n);
  mw_code rc = mw_arena_check(&f->mem, err);
  if (rc != MW_OK) mw_film_free(f);
  return rc;
}

void mw_film_free(mw_film *f)
{
  mw_arena_free(&f->mem);
  *f = (mw_film){ 0 };
}

static void keep(double *to, int at, size_t n, const double *from)
{
  if (n > 0) memcpy(to + (size_t)at * n, from, n * sizeof *from);
}

// Where the origins of sliders' frames are along their guides; zero of other joints, whose
// coordinates pictures do not look at.
static void slides(const mw_mech *m, const double *p, double *s)
{
  for (int k = 0; k < m->n_joint; k++) {
    const mw_joint *j = &m->joint[k];
    const double *a = p + 12 * (size_t)j->a, *b = p + 12 * (size_t)j->b;
    double x[3], X[3];
    if (!j->guide) continue;
    mw_mul33v(b + 3, j->Xb, x);
    for (int i = 0; i < 3; i++) x[i] += b[i] - a[i];
    mw_mul33tv(a + 3, x, X);
    for (int i = 0; i < 3; i++) X[i] -= j->guide->X0[i];
    s[j->coord] = mw_dot3(X, j->guide->t);
  }
}

void mw_film_add(mw_film *f, double t, const double *p, const double *s, const double *x)
{
  if (f->n == f->most) return;
  keep(f->p, f->n, 12 * (size_t)f->m->n_body, p);
  if (s)
    keep(f->s, f->n, (size_t)f->m->n_coord, s);
  else
    slides(f->m, p, f->s + (size_t)f->n * (size_t)f->m->n_coord);
  keep(f->x, f->n, (size_t)f->n_x, x);
  f->t[f->n++] = t;
}

static const double *p_of(const mw_film *f, int k)
{
  return f->p + (size_t)k * 12 * (size_t)f->m->n_body;
}

static void extend(double box[6], const double *p, const double X[3])
{
  double x[3];
  mw_mul33v(p + 3, X, x);
  for (int i = 0; i < 3; i++) {
    box[i] = fmin(box[i], x[i] + p[i]);
    box[3 + i] = fmax(box[3 + i], x[i] + p[i]);
  }
}

// Nodes, frames, guides and centres of mass in ground axes.
static void extend_by(double box[6], const mw_mech *m, const double *p)
{
  for (int b = 0; b < m->n_body; b++, p += 12) {
    const mw_body *body = &m->body[b];
    for (int k = 0; k < body->n_frame; k++) extend(box, p, body->frame[k].X);
    for (int k = 0; k < body->n_guide; k++) {
      const mw_guide *g = &body->guide[k];
      double end[3];
      for (int i = 0; i < 3; i++) end[i] = g->X0[i] + g->length * g->t[i];
      extend(box, p, g->X0);
      extend(box, p, end);
    }
    for (int k = 0; body->n_u > 0 && k < body->n_node; k++) extend(box, p, body->X + 3 * (size_t)k);
    if (body->n_u > 0 || !(body->m > 0.0)) continue;
    extend(box, p,
           (double[3]){ body->mX[0] / body->m, body->mX[1] / body->m, body->mX[2] / body->m });
  }
}

// Largest displacement of a node or rigid body over the frames, m.
static mw_code reach(const mw_film *f, double *out, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_vtu_grid g;
  mw_code rc = mw_vtu_grid_build(f->m, &mem, &g, err);
  double *work = rc == MW_OK ? mw_arena_f64(&mem, mw_vtu_work(&g)) : NULL,
         *d = rc == MW_OK ? mw_arena_f64(&mem, 3 * (size_t)g.n_point) : NULL;
  if (rc == MW_OK) rc = mw_arena_check(&mem, err);
  *out = 0.0;
  for (int k = 0; rc == MW_OK && k < f->n; k++) {
    mw_vtu_displacement(&g, p_of(f, k), f->x + (size_t)k * (size_t)f->n_x, work, d);
    for (int i = 0; i < g.n_point; i++) *out = fmax(*out, mw_norm3(d + 3 * i));
  }
  mw_arena_free(&mem);
  return rc;
}

mw_code mw_film_magnify(const mw_film *f, double share, double *by, mw_error *err)
{
  double box[6] = { INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY }, most, d[3];
  mw_code rc = reach(f, &most, err);
  extend_by(box, f->m, p_of(f, 0));
  for (int i = 0; i < 3; i++) d[i] = box[3 + i] - box[i];
  *by = most > 0.0 ? share * mw_norm3(d) / most : 1.0;
  return rc;
}

mw_code mw_film_picture(const mw_film *f, int k, double by, const char *path, mw_error *err)
{
  const mw_picture_opt opt = mw_picture_opt_default();
  mw_arena mem = { 0 };
  mw_mech moved;
  double *p = NULL;
  mw_code rc = mw_moved_build(f->m, p_of(f, k), f->x + (size_t)k * (size_t)f->n_x, by, &mem, &moved,
                              &p, err);
  if (rc == MW_OK)
    rc = mw_picture_write(&moved, p, f->s + (size_t)k * (size_t)f->m->n_coord, &opt, path, err);
  mw_arena_free(&mem);
  return rc;
}

// Frame k in view of box, as PNG in mem; NULL png: what it has in view goes into box.
static mw_code draw(const mw_film *f, int k, double by, double box[6], mw_arena *mem,
                    unsigned char **png, size_t *n, mw_error *err)
{
  mw_picture_opt opt = mw_picture_opt_default();
  mw_arena tmp = { 0 };
  mw_mech moved;
  mw_picture pic;
  double *p = NULL;
  mw_code rc = mw_moved_build(f->m, p_of(f, k), f->x + (size_t)k * (size_t)f->n_x, by, &tmp, &moved,
                              &p, err);
  if (rc == MW_OK && !png) extend_by(box, &moved, p);
  opt.width = WIDE;
  opt.height = HIGH;
  opt.box = box;
  if (rc == MW_OK && png)
    rc =
        mw_picture_draw(&moved, p, f->s + (size_t)k * (size_t)f->m->n_coord, &opt, &tmp, &pic, err);
  if (rc == MW_OK && png) {
    mw_picture_label(&pic);
    rc = mw_raster_png(&pic.r, MW_PICTURE_SAMPLES, mem, png, n, err);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_film_write(const mw_film *f, double by, int ms, const char *path, mw_error *err)
{
  mw_arena mem = { 0 };
  double box[6] = { INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY };
  unsigned char **png = mw_arena_alloc(&mem, (size_t)f->n, sizeof *png), *all = NULL;
  size_t *n = mw_arena_alloc(&mem, (size_t)f->n, sizeof *n), n_all = 0;
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && f->n == 0)
    rc = mw_fail(err, MW_ERR_INPUT, MW_NOWHERE, "there is no frame to show");
  for (int k = 0; rc == MW_OK && k < f->n; k++) rc = draw(f, k, by, box, &mem, NULL, NULL, err);
  for (int k = 0; rc == MW_OK && k < f->n; k++) rc = draw(f, k, by, box, &mem, &png[k], &n[k], err);
  if (rc == MW_OK) rc = mw_apng_build(f->n, png, n, ms, &mem, &all, &n_all, err);
  if (rc == MW_OK) rc = mw_file_replace(path, (const char *)all, n_all, false, err);
  mw_arena_free(&mem);
  return rc;
}
