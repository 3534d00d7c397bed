// SPDX-License-Identifier: BSD-3-Clause
// modesweep.c: frequencies along one coordinate, each with the mode it belongs to.
//
//   overlap_ij = (φ_i(x_k)ᵀ M φ_j(x_k−1))²                                                   (1)
//
// Shapes in the axes of their bodies, where M is the same everywhere; orthonormal in it, so that a
// row of (1) adds up to 1 at most, and at most one entry of a row and of a column is above a half:
// that one goes on as the same mode. Crossings keep the shape, veerings change it over their width:
// with points wider apart modes go straight through them, and where no half is kept a new mode
// begins, which is counted.
#include "modesweep_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "reduction/reduce.h"
#include "reduction/system.h"

static const double HALF = 0.5;

void mw_modes_follow(int n, int n_before, const double *overlap, const int *before, int *identity,
                     double *share, int *n_identity)
{
  for (int i = 0; i < n; i++) {
    identity[i] = -1;
    share[i] = 0.0;
    for (int j = 0; j < n_before; j++)
      if (before[j] >= 0 && overlap[i * n_before + j] > HALF) {
        identity[i] = before[j];
        share[i] = overlap[i * n_before + j];
      }
    if (identity[i] < 0) identity[i] = (*n_identity)++;
  }
}

// Shapes of two neighbouring points; those of this one times the mass.
typedef struct walk {
  const mw_mode_sweep_in *in;
  mw_mode_sweep *s;
  mw_blocks *blocks;  // of the mechanism, for its mass; NULL: of columns, which are orthonormal
  mw_system *mass;    // with components where w->theta is, else anywhere
  size_t size;        // of a shape
  int n_before;
  double *before;  // [n_freq × size]  times M
  double *theta;   // [coordinates]
  mw_arena mem;
} walk;

static mw_code open_walk(walk *w, mw_error *err)
{
  const mw_mode_sweep_in *in = w->in;
  const mw_mech *m = &in->c->mech;
  int s = in->c->model.reduction.n_coordinate;
  mw_code rc = MW_OK;
  w->size = in->rom ? (size_t)in->rom->rom.m : 0;
  if (!in->rom) {
    rc = mw_blocks_build(m, 0.0, false, &w->blocks, err);
    if (rc == MW_OK && m->model->n_component == 0)
      rc = mw_system_view(w->blocks, NULL, m->p0, m->s0, &w->mass, err);
    if (rc == MW_OK) w->size = (size_t)mw_blocks_size(w->blocks);
  }
  if (rc != MW_OK) return rc;
  w->before = mw_arena_f64(&w->mem, (size_t)in->n_freq * w->size);
  w->theta = mw_arena_f64(&w->mem, (size_t)s);
  rc = mw_arena_check(&w->mem, err);
  if (rc == MW_OK) memcpy(w->theta, in->theta, (size_t)s * sizeof *w->theta);
  return rc;
}

static void close_walk(walk *w)
{
  mw_system_free(w->mass);
  mw_blocks_free(w->blocks);
  mw_arena_free(&w->mem);
}

// The mass at w->theta, on which that of components depends.
static mw_code mass_there(walk *w, mw_arena *tmp, mw_error *err)
{
  const mw_mech *m = &w->in->c->mech;
  const mw_reduction_in *r = &m->model->reduction;
  size_t nc = (size_t)m->n_coord, np = 12 * (size_t)m->n_body;
  unsigned char *held = mw_arena_alloc(tmp, nc, 1);
  double *to = mw_arena_f64(tmp, nc), *s = mw_arena_f64(tmp, nc), *p = mw_arena_f64(tmp, np);
  mw_code rc = mw_arena_check(tmp, err);
  if (rc != MW_OK) return rc;
  memcpy(p, m->p0, np * sizeof *p);
  memcpy(s, m->s0, nc * sizeof *s);
  for (int i = 0; i < r->n_coordinate; i++) {
    int c = m->joint[r->coordinate[i].joint].coord;
    held[c] = 1;
    to[c] = w->theta[i];
  }
  mw_system_free(w->mass);
  w->mass = NULL;
  rc = mw_mech_rigid_solve(m, held, to, p, s, err);
  return rc == MW_OK ? mw_system_view(w->blocks, NULL, p, s, &w->mass, err) : rc;
}

// Frequencies and shapes at point k, into row k; tmp: their memory.
static mw_code modes_at(walk *w, int k, mw_arena *tmp, int *n, double **shape, mw_error *err)
{
  const mw_mode_sweep_in *in = w->in;
  mw_mode_sweep *s = w->s;
  size_t row = (size_t)k * (size_t)s->n_freq;
  double *hz = NULL, *loaded = NULL;
  *n = in->n_freq;
  w->theta[in->along] = s->x[k];
  mw_code rc = MW_OK;
  if (in->rom) {
    *shape = mw_arena_f64(tmp, (size_t)*n * w->size);
    hz = mw_arena_f64(tmp, (size_t)*n);
    rc = mw_arena_check(tmp, err);
    if (rc == MW_OK) rc = mw_rom_modes(in->rom, w->theta, false, *n, hz, *shape, err);
    if (s->loaded) loaded = hz, hz = NULL;
  } else {
    rc = mw_direct_modes_loaded(&in->c->mech, w->theta, n, in->how, tmp, &hz, &loaded, shape, NULL,
                                err);
    if (rc == MW_OK && in->c->model.n_component > 0) rc = mass_there(w, tmp, err);
  }
  for (int i = 0; rc == MW_OK && i < s->n_freq; i++) {
    if (s->hz) s->hz[row + (size_t)i] = i < *n ? hz[i] : NAN;
    if (s->loaded) s->loaded[row + (size_t)i] = i < *n && loaded ? loaded[i] : NAN;
  }
  return rc;
}

// Identities of point k from the shapes before, which give way to its own.
static void follow(walk *w, int k, int n, const double *shape, double *overlap)
{
  mw_mode_sweep *s = w->s;
  size_t row = (size_t)k * (size_t)s->n_freq;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w->n_before; j++) {
      double x = mw_dot((int)w->size, shape + (size_t)i * w->size, w->before + (size_t)j * w->size);
      overlap[i * w->n_before + j] = x * x;
    }
  mw_modes_follow(n, w->n_before, overlap, k > 0 ? s->identity + row - s->n_freq : NULL,
                  s->identity + row, s->share + row, &s->n_identity);
  for (int i = 0; i < s->n_freq; i++) {
    if (i >= n) s->identity[row + (size_t)i] = -1;
    if (i >= n) s->share[row + (size_t)i] = 0.0;
    s->n_lost += k > 0 && i < n && s->share[row + (size_t)i] == 0.0;
  }
  for (int i = 0; i < n; i++) {
    double *to = w->before + (size_t)i * w->size;
    if (w->mass)
      mw_system_mul_M(w->mass, shape + (size_t)i * w->size, to);
    else
      memcpy(to, shape + (size_t)i * w->size, w->size * sizeof *to);
  }
  w->n_before = n;
}

// "y = 0.4, z = 0.1" of the coordinates that stay.
static const char *others(const mw_mode_sweep_in *in, mw_arena *mem)
{
  const mw_reduction_in *r = &in->c->model.reduction;
  const char *text = "";
  for (int i = 0; text && i < r->n_coordinate; i++)
    if (i != in->along)
      text = mw_arena_printf(mem, "%s%s%s = %.5g", text, *text ? ", " : "", r->coordinate[i].name,
                             in->theta[i]);
  return text;
}

mw_code mw_mode_sweep_build(const mw_mode_sweep_in *in, mw_arena *mem, mw_mode_sweep *out,
                            mw_error *err)
{
  const mw_model *model = &in->c->model;
  const mw_coordinate_in *c = &model->reduction.coordinate[in->along];
  size_t all = (size_t)in->n * (size_t)in->n_freq;
  bool weight = mw_weight_counts(&in->c->mech) && (in->rom || mw_weight_known(&in->c->mech)),
       free_drives = (in->how & MW_MODES_FREE) != 0;
  mw_mode_sweep s = { .along = in->along, .n = in->n, .n_freq = in->n_freq };
  walk w = { .in = in, .s = &s };
  s.name = mw_arena_printf(mem, "%s", c->name);
  s.unit = mw_joint_unit(&model->joint[c->joint]);
  s.rest = others(in, mem);
  s.x = mw_arena_f64(mem, (size_t)in->n);
  s.hz = in->rom && weight ? NULL : mw_arena_f64(mem, all);
  s.loaded = weight && !free_drives ? mw_arena_f64(mem, all) : NULL;
  s.identity = mw_arena_int(mem, all);
  s.share = mw_arena_f64(mem, all);
  double *overlap = mw_arena_f64(mem, (size_t)in->n_freq * (size_t)in->n_freq);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = open_walk(&w, err);
  for (int k = 0; rc == MW_OK && k < in->n; k++) {
    mw_arena tmp = { 0 };
    double *shape = NULL;
    int n = 0;
    s.x[k] = in->lo + (in->hi - in->lo) * k / (in->n - 1);
    rc = modes_at(&w, k, &tmp, &n, &shape, err);
    if (rc == MW_OK) follow(&w, k, n, shape, overlap);
    mw_arena_free(&tmp);
  }
  close_walk(&w);
  if (rc == MW_OK) *out = s;
  return rc;
}
