// SPDX-License-Identifier: BSD-3-Clause
// test_series.c: what a run shows of itself while it goes on, against the outputs it stores, on
// every path; its files.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec3.h"
#include "fixture.h"
#include "mw_test.h"
#include "reduction/ncfile.h"
#include "reduction/reduce.h"
#include "run/series_layer.h"
#include "sim/bodyreduce.h"
#include "sim/dae.h"
#include "sim/rigidrun.h"
#include "sim/romrun.h"

static const double EPS = DBL_EPSILON;
static const char *const SHAPES = "test_series.tmp.nc";

static const char *const swing = "  tolerance: 1\n"
                                 "scenarios:\n"
                                 "  swing:\n"
                                 "    duration: 0.02\n"
                                 "    step: 1e-3\n"
                                 "    store: 2e-3\n"
                                 "    initial: static\n";
static const char *const pass =
    "scenarios:\n"
    "  pass:\n"
    "    duration: 0.9\n"
    "    step: 1e-2\n"
    "    store: 0.05\n"
    "    start: { x: 0.05 }\n"
    "    initial: static\n"
    "    drives: { motor: { position: { ramp: { from: 0.05, velocity: 1 } } } }\n";

// ---- snapshots ----------------------------------------------------------------------------------

// The first outputs' positions at every snapshot, by the snapshot alone
typedef struct looked {
  const mw_mech *m;
  const mw_shapes *shapes;  // gmp
  double *z, *p, *s, *x;    // scratch; p and s [n_body × 12], [n_coord] nearby configuration
  int n, n_out;
  double t[64], y[64][9], bound;  // bound: what single precision may be off by
} looked;

static void positions(looked *l, const double *p, const double *const *u)
{
  const mw_model *model = l->m->model;
  for (int o = 0; o < l->n_out; o++) {
    const mw_output_in *out = &model->output[o];
    const mw_body *b = &l->m->body[out->ref.body];
    const double *ub = u ? u[out->ref.body] : NULL, *pb = p + 12 * out->ref.body;
    double *y = l->y[l->n] + 3 * o;
    if (b->n_u > 0 && ub) mw_csc_mul(&b->P, 1.0, ub, 0.0, l->z);
    mw_mech_point(l->m, out->ref, out->x, pb, b->n_u > 0 && ub ? l->z : NULL, y, NULL, NULL);
    if (b->n_u == 0 && !b->ground && ub &&
        l->shapes) {  // gmp: motion (v, ω) of the rigid body, of first order
      double arm[3], turn[3], d[3];
      for (int i = 0; i < 3; i++) arm[i] = y[i] - pb[i];
      mw_mul33tv(pb + 3, arm, arm);
      mw_cross3(ub + 3, arm, turn);
      for (int i = 0; i < 3; i++) turn[i] += ub[i];
      mw_mul33v(pb + 3, turn, d);
      for (int i = 0; i < 3; i++) y[i] += d[i];
    }
  }
}

static mw_code look(void *ctx, const mw_snapshot *f, mw_error *err)
{
  looked *l = ctx;
  const double *u[16] = { 0 };
  mw_code rc = MW_OK;
  if (l->n == 64 || l->m->n_body > 16) return mw_fail(err, MW_ERR_NUMERIC, MW_NOWHERE, "too many");
  l->t[l->n] = f->t;
  if (f->p) {
    for (int b = 0; f->u && b < l->m->n_body; b++) u[b] = f->u[b];
    positions(l, f->p, f->u ? u : NULL);
  } else {
    const mw_shapes *sh = l->shapes;
    const double *delta = f->x + sh->s;
    rc = mw_shapes_eval(sh, l->m, f->x, delta, l->p, l->s, l->x, err);
    const double *x = l->x;
    for (int b = 0; b < l->m->n_body; b++) {
      u[b] = x;
      x += l->m->body[b].n_u > 0 ? l->m->body[b].n_u : l->m->body[b].ground ? 0 : 6;
    }
    // Ψ rounded to single precision, in a spline whose weights add up to less than 2 in magnitude
    // an axis
    double largest = 0.0, sum = 0.0;
    for (size_t k = 0; k < (size_t)sh->n_point * (size_t)sh->m * (size_t)sh->n; k++)
      largest = fmax(largest, fabs((double)sh->psi[k]));
    for (int a = 0; a < sh->m; a++) sum += fabs(delta[a]);
    l->bound = fmax(l->bound, 2.0 * 0.5 * FLT_EPSILON * largest * sum);
    if (rc == MW_OK) positions(l, l->p, u);
  }
  l->n++;
  return rc;
}

static looked looking(const mw_mech *m, int n_out, mw_arena *mem)
{
  looked l = { .m = m, .n_out = n_out };
  int most = 1, n_x = 0;
  for (int b = 0; b < m->n_body; b++) {
    if (m->body[b].n_z > most) most = m->body[b].n_z;
    n_x += m->body[b].n_u > 0 ? m->body[b].n_u : 6;
  }
  l.z = mw_arena_f64(mem, (size_t)most);
  l.p = mw_arena_f64(mem, 12 * (size_t)m->n_body);
  l.s = mw_arena_f64(mem, (size_t)m->n_coord);
  l.x = mw_arena_f64(mem, (size_t)n_x);
  memcpy(l.p, m->p0, 12 * (size_t)m->n_body * sizeof *l.p);
  memcpy(l.s, m->s0, (size_t)m->n_coord * sizeof *l.s);
  return l;
}

// Snapshot k is stored instant every k: same time, same positions.
static void agree(const looked *l, const mw_run *r, int every, double tol)
{
  MW_CHECK(l->n == (r->n_t - 1) / every + 1);
  for (int k = 0; k < l->n; k++) {
    MW_NEAR(l->t[k], r->t[every * k], 0.0);
    for (int i = 0; i < 3 * l->n_out; i++)
      MW_NEAR(l->y[k][i], r->y[(size_t)(every * k) * 3 * (size_t)r->n_out + (size_t)i], tol);
  }
}

static void full_runs_show_what_they_store(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  looked l = looking(&f.mech, 1, &f.mem);
  mw_watch watch = { .every = 3, .put = look, .ctx = &l };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.watch = &watch;
  if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err)))
    agree(&l, &r, 3, 8.0 * EPS);  // the same functions at the same numbers
  mw_run_free(&r);
  mw_fixture_free(&f);
}

static void rigid_runs_show_what_they_store(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  mw_mech mech;
  mw_body body[16];
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  bool ok = MW_CHECK(f.model.n_body <= 16);
  for (int b = 0; ok && b < f.model.n_body; b++) {
    body[b] = f.body[b];
    if (f.body[b].n_u > 0)
      ok = MW_OKAY(mw_body_project(&f.body[b], NULL, 0, &f.mem, &body[b], &err));
  }
  if (ok && MW_OKAY(mw_mech_build(&f.model, body, &f.mem, &mech, &err))) {
    looked l = looking(&mech, 1, &f.mem);
    mw_watch watch = { .every = 4, .put = look, .ctx = &l };
    mw_rigid_run_opt opt = mw_rigid_run_opt_default(&f.model.scenario[0]);
    opt.watch = &watch;
    if (MW_OKAY(mw_rigid_run(&mech, &f.model.scenario[0], &opt, NULL, &r, &err)))
      agree(&l, &r, 4, 64.0 * EPS);  // frames there and back, coordinates near one
  }
  mw_run_free(&r);
  mw_fixture_free(&f);
}

// The axes of the beam and of the cart do not turn: outputs are the spline of Ψ's rows, term by
// term.
static void reduced_runs_show_what_they_store(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  mw_rom_file rom = { 0 };
  mw_shapes shapes = { 0 };
  mw_reduce_opt opt = { .shapes = SHAPES };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.4, 9.81, 9, 3, pass, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom, &err)) &&
      MW_OKAY(mw_shapes_read(SHAPES, &shapes, &err)) &&
      MW_OKAY(mw_shapes_match(&shapes, &rom, SHAPES, &err))) {
    looked l = looking(&f.mech, 3, &f.mem);
    l.shapes = &shapes;
    mw_watch watch = { .every = 2, .put = look, .ctx = &l };
    mw_rom_run_opt run = mw_rom_run_opt_default();
    run.watch = &watch;
    if (MW_OKAY(mw_rom_run(&f.model, &f.mech, &rom, &f.model.scenario[0], &run, NULL, &r, &err))) {
      agree(&l, &r, 2, l.bound + 1e-12);  // 1e-12: the rigid configuration is solved for to 1e-13
      double sag = 0.0;
      for (int k = 0; k < l.n; k++) sag = fmin(sag, l.y[k][2]);
      MW_CHECK(sag < 1e4 * -l.bound);  // deflections are far larger than what they may be off by
    }
  }
  mw_run_free(&r);
  mw_shapes_free(&shapes);
  mw_rom_file_free(&rom);
  mw_fixture_free(&f);
  remove(SHAPES);
}

static mw_code refuse(void *ctx, const mw_snapshot *f, mw_error *err)
{
  int *seen = ctx;
  (void)f;
  if (*seen == 1) return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "enough");
  ++*seen;
  return MW_OK;
}

static void an_error_of_who_looks_on_ends_the_run(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_run r = { 0 };
  int seen = 0;
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  mw_watch watch = { .every = 1, .put = refuse, .ctx = &seen };
  mw_dae_opt opt = mw_dae_opt_default();
  opt.watch = &watch;
  MW_FAILS(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err), MW_ERR_IO);
  MW_CHECK(seen == 1 && strcmp(err.msg, "enough") == 0);
  mw_fixture_free(&f);
}

// P T = P of the projected body
static void the_basis_handed_out_is_the_one_the_body_is_projected_on(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_body body;
  double *T = NULL;
  if (!MW_CHECK(mw_fixture_machine(swing, &f))) return;
  const mw_body *full = &f.mech.body[3];
  if (MW_CHECK(full->n_u > 0) && MW_OKAY(mw_body_basis(full, 4, false, &f.mem, &body, &T, &err))) {
    size_t nz = (size_t)full->n_z, n = (size_t)full->n_u, k = (size_t)body.n_u;
    double *u = mw_arena_f64(&f.mem, n), *e = mw_arena_f64(&f.mem, k),
           *want = mw_arena_f64(&f.mem, nz), *got = mw_arena_f64(&f.mem, nz);
    for (size_t j = 0; j < k; j++) {
      memset(e, 0, k * sizeof *e);
      e[j] = 1.0;
      for (size_t i = 0; i < n; i++) u[i] = T[i * k + j];
      mw_csc_mul(&full->P, 1.0, u, 0.0, got);
      mw_csc_mul(&body.P, 1.0, e, 0.0, want);
      for (size_t i = 0; i < nz; i++)
        MW_NEAR(got[i], want[i], 4.0 * EPS * fmax(1.0, fabs(want[i])));
    }
  }
  mw_fixture_free(&f);
}

// ---- files --------------------------------------------------------------------------------------

// First numbers of a .vtu file: its points
static bool points_of(const char *path, int n, double *X)
{
  static const char mark[] = "<AppendedData encoding=\"raw\">\n_";
  char *text = NULL;
  size_t len = 0, at = 0;
  mw_error err = { 0 };
  if (!MW_OKAY(mw_file_read(path, &text, &len, &err))) return false;
  while (at + sizeof mark < len && memcmp(text + at, mark, sizeof mark - 1) != 0) at++;
  at += sizeof mark - 1 + 8;
  bool ok = at + 8 * (size_t)n <= len;
  const int one = 1;
  if (ok && *(const char *)&one == 1) memcpy(X, text + at, 8 * (size_t)n);
  free(text);
  return MW_CHECK(ok);
}

static void points_hold_the_magnified_displacement(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  double X[3][51], sag[3];
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.4, 9.81, 9, 3, pass, &f))) return;
  for (int k = 0; k < 3; k++) {
    mw_run r = { 0 };
    mw_series v;
    mw_series_opt o = { .dir = "test_series.tmp", .name = "run", .frames = 4, .magnify = k };
    mw_dae_opt opt = mw_dae_opt_default();
    if (!MW_OKAY(mw_series_open(&v, &f.mech, mw_run_instants(&f.model.scenario[0]), &o, &err)))
      break;
    opt.watch = &v.watch;
    if (MW_OKAY(mw_dae_run(&f.mech, &f.model.scenario[0], "full", &opt, NULL, &r, &err))) {
      MW_OKAY(mw_series_write(&v, &err));
      // 19 instants in at most 4 frames: 0, 6, 12, 18
      MW_CHECK(v.n == 4 && v.watch.every == 6);
      MW_NEAR(v.t[3], 0.9, EPS);
      if (points_of("test_series.tmp/run-0002.vtu", 51, X[k])) {
        sag[k] = 0.0;
        for (int i = 0; i < 17; i++) sag[k] = fmin(sag[k], X[k][3 * i + 2]);
      }
    }
    mw_run_free(&r);
    mw_series_free(&v);
  }
  MW_NEAR(sag[0], 0.0, 0.0);
  MW_CHECK(sag[1] < -1e-3);
  for (int i = 0; i < 51; i++) MW_NEAR(X[2][i] - X[1][i], X[1][i] - X[0][i], 8.0 * EPS);
  for (int k = 0; k < 4; k++) {
    char path[64];
    snprintf(path, sizeof path, "test_series.tmp/run-%04d.vtu", k);
    MW_CHECK(remove(path) == 0);
  }
  MW_CHECK(remove("test_series.tmp/run.pvd") == 0 && rmdir("test_series.tmp") == 0);
  mw_fixture_free(&f);
}

static void shapes_of_another_reduced_model_are_refused(void)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rom_file rom[2] = { 0 };
  mw_shapes shapes = { 0 };
  mw_reduce_opt opt = { .shapes = SHAPES }, coarse = { .n_grid_override = 7 };
  if (!MW_CHECK(mw_fixture_beam("SS", 16, 0.4, 9.81, 9, 3, pass, &f))) return;
  if (MW_OKAY(mw_reduce(&f.model, &f.mech, &opt, &rom[0], &err)) &&
      MW_OKAY(mw_reduce(&f.model, &f.mech, &coarse, &rom[1], &err)) &&
      MW_OKAY(mw_shapes_read(SHAPES, &shapes, &err))) {
    MW_OKAY(mw_shapes_match(&shapes, &rom[0], SHAPES, &err));
    MW_FAILS(mw_shapes_match(&shapes, &rom[1], SHAPES, &err), MW_ERR_INPUT);
    rom[0].model_hash[0] ^= 1;
    MW_FAILS(mw_shapes_match(&shapes, &rom[0], SHAPES, &err), MW_ERR_INPUT);
  }
  mw_shapes_free(&shapes);
  // cut short, and another kind of file
  char *text = NULL;
  size_t n = 0;
  if (MW_OKAY(mw_file_read(SHAPES, &text, &n, &err)) &&
      MW_OKAY(mw_file_replace(SHAPES, text, n - 1000, false, &err)))
    MW_FAILS(mw_shapes_read(SHAPES, &shapes, &err), MW_ERR_INPUT);
  free(text);
  if (MW_OKAY(mw_rom_file_write(&rom[1], SHAPES, &err)))
    MW_FAILS(mw_shapes_read(SHAPES, &shapes, &err), MW_ERR_INPUT);
  for (int k = 0; k < 2; k++) mw_rom_file_free(&rom[k]);
  mw_fixture_free(&f);
  remove(SHAPES);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "full_runs_show_what_they_store", full_runs_show_what_they_store },
    { "rigid_runs_show_what_they_store", rigid_runs_show_what_they_store },
    { "reduced_runs_show_what_they_store", reduced_runs_show_what_they_store },
    { "an_error_of_who_looks_on_ends_the_run", an_error_of_who_looks_on_ends_the_run },
    { "the_basis_handed_out_is_the_one_the_body_is_projected_on",
      the_basis_handed_out_is_the_one_the_body_is_projected_on },
    { "points_hold_the_magnified_displacement", points_hold_the_magnified_displacement },
    { "shapes_of_another_reduced_model_are_refused", shapes_of_another_reduced_model_are_refused },
  };
  return mw_test_run("series", cases, (int)(sizeof cases / sizeof *cases));
}
