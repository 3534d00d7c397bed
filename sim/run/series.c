// SPDX-License-Identifier: BSD-3-Clause
// series.c: frames of a run on the mesh.
//
//   full: u as it is;  body: u = T ζ;  rigid: u = 0;  gmp: p = ρ(θ), x = Ψ(θ) δ (shapes.c)
//   point = x_undeformed(p) + magnify · displacement                                            (1)
#include "series_layer.h"

#include <string.h>

#include "base/dense.h"
#include "base/folder.h"

// ---- one frame ----------------------------------------------------------------------------------

// p and x of the series from a frame of bodies
static void from_bodies(mw_series *v, const mw_snapshot *f)
{
  memcpy(v->p, f->p, 12 * (size_t)v->m->n_body * sizeof *v->p);
  memset(v->x, 0, (size_t)v->grid.n_x * sizeof *v->x);
  for (int b = 0; f->u && b < v->m->n_body; b++) {
    int n = v->m->body[b].n_u;
    double *x = v->x + v->grid.x0[b];
    if (n == 0) continue;
    if (v->T && v->T[b])
      mw_gemm('n', 'n', n, 1, v->n_basis[b], 1.0, v->T[b], f->u[b], 0.0, x);
    else
      memcpy(x, f->u[b], (size_t)n * sizeof *x);
  }
}

static mw_code write_frame(mw_series *v, mw_error *err)
{
  size_t np = (size_t)v->grid.n_point;
  mw_vtu_field field[3] = { { "displacement", 3, v->d } };
  int n_field = 1;
  char path[1024];
  mw_vtu_points(&v->grid, v->p, v->X);
  mw_vtu_displacement(&v->grid, v->p, v->x, v->work, v->d);
  for (size_t i = 0; i < 3 * np; i++) v->X[i] += v->opt.magnify * v->d[i];
  if (v->opt.stress) {
    mw_code rc = mw_vtu_stress(&v->grid, 1, v->x, v->stress, err);
    if (rc != MW_OK) return rc;
    for (size_t i = 0; i < np; i++) v->mises[i] = mw_vtu_von_mises(v->stress + 6 * i);
    field[n_field++] = (mw_vtu_field){ "stress", 6, v->stress };
    field[n_field++] = (mw_vtu_field){ "von Mises", 1, v->mises };
  }
  snprintf(path, sizeof path, "%s/%s", v->opt.dir, v->file[v->n]);
  return mw_vtu_write(&v->grid, v->X, n_field, field, path, err);
}

static mw_code put(void *ctx, const mw_snapshot *f, mw_error *err)
{
  mw_series *v = ctx;
  mw_code rc = MW_OK;
  if (v->n == v->most) return MW_OK;
  if (f->p)
    from_bodies(v, f);
  else if (v->opt.n_state == 0)
    rc = mw_shapes_eval(v->shapes, v->m, f->x, f->x + v->shapes->s, v->p, v->s, v->x, err);
  v->t[v->n] = f->t;
  if (v->opt.dir) v->file[v->n] = mw_arena_printf(&v->mem, "%s-%04d.vtu", v->opt.name, v->n);
  if (rc == MW_OK) rc = mw_arena_check(&v->mem, err);
  if (rc == MW_OK && v->opt.film)
    mw_film_add(&v->film, f->t, v->p, f->p ? NULL : v->s, v->opt.n_state > 0 ? f->x : v->x);
  if (rc == MW_OK && v->opt.dir) rc = write_frame(v, err);
  if (rc == MW_OK) v->n++;
  return rc;
}

// ---- the series ---------------------------------------------------------------------------------

mw_code mw_series_open(mw_series *v, const mw_mech *m, int n_t, const mw_series_opt *opt,
                       mw_error *err)
{
  *v = (mw_series){ .opt = *opt, .m = m, .most = opt->frames };
  mw_code rc = opt->dir ? mw_folder_make(opt->dir, err) : MW_OK;
  if (rc == MW_OK) rc = mw_vtu_grid_build(m, &v->mem, &v->grid, err);
  if (rc == MW_OK && opt->film)
    rc = mw_film_open(&v->film, m, opt->n_state > 0 ? opt->n_state : v->grid.n_x, opt->frames, err);
  if (rc != MW_OK) {
    mw_series_free(v);
    return rc;
  }
  int gaps = opt->frames > 1 ? opt->frames - 1 : 1;
  size_t nb = (size_t)m->n_body, nc = (size_t)m->n_coord, np = (size_t)v->grid.n_point;
  v->watch = (mw_watch){ .every = n_t > 1 ? (n_t - 2) / gaps + 1 : 1, .put = put, .ctx = v };
  v->p = mw_arena_f64(&v->mem, 12 * nb);
  v->s = mw_arena_f64(&v->mem, nc);
  v->x = mw_arena_f64(&v->mem, (size_t)v->grid.n_x);
  v->X = mw_arena_f64(&v->mem, 3 * np);
  v->d = mw_arena_f64(&v->mem, 3 * np);
  v->work = mw_arena_f64(&v->mem, mw_vtu_work(&v->grid));
  v->stress = mw_arena_f64(&v->mem, opt->stress ? 6 * np : 0);
  v->mises = mw_arena_f64(&v->mem, opt->stress ? np : 0);
  v->t = mw_arena_f64(&v->mem, (size_t)opt->frames);
  v->file = mw_arena_alloc(&v->mem, (size_t)opt->frames, sizeof *v->file);
  rc = mw_arena_check(&v->mem, err);
  if (rc == MW_OK) {
    memcpy(v->p, m->p0, 12 * nb * sizeof *v->p);
    if (nc > 0) memcpy(v->s, m->s0, nc * sizeof *v->s);
  } else {
    mw_series_free(v);
  }
  return rc;
}

mw_code mw_series_write(const mw_series *v, mw_error *err)
{
  char path[1024];
  if (!v->opt.dir) return MW_OK;
  snprintf(path, sizeof path, "%s/%s.pvd", v->opt.dir, v->opt.name);
  return mw_pvd_write(v->n, v->t, v->file, path, err);
}

void mw_series_free(mw_series *v)
{
  mw_film_free(&v->film);
  mw_arena_free(&v->mem);
  *v = (mw_series){ 0 };
}
