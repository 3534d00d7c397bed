// SPDX-License-Identifier: BSD-3-Clause
// test_basis_far.c: bases of bodies made by two processes of modeway-eigen against those of this
// process.
//
// Both leave out of a load's receptance between nothing and tolerance × D', D' what the modes leave
// of its static value, so they differ by no more; and by rounding of modes and solves, ε λ_max/λ_1
// of the static value, 1e-9 at most here.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fem/fixture_body.h"
#include "../fem/fixture_grid.h"
#include "base/dense.h"
#include "mw_test.h"
#include "reduction/basis.h"

static const char *MESH = "/tmp/modeway_test_basis_far.msh";
static const double TWO_PI = 6.283185307179586, HZ = 2500.0, TOLERANCE = 1e-6;

typedef struct part {
  fixture_body f;
  mw_body body;
  mw_arena mem;
} part;

// A free bar with patches at both ends, or clamped at x = 0.
static bool bar(bool clamped, part *p)
{
  mw_error err = { 0 };
  *p = (part){ 0 };
  fixture_init(&p->f);
  p->f.body.mesh = MESH;
  p->f.body.ground = clamped;
  if (clamped)
    fixture_support(&p->f, "x0");
  else
    (void)fixture_attach(&p->f, "foot", MW_ATTACH_RIGID, "x0");
  (void)fixture_attach(&p->f, "tip", MW_ATTACH_RIGID, "x1");
  return MW_CHECK(fixture_box(MESH, (int[3]){ 14, 2, 2 }, (double[3]){ 0 },
                              (double[3]){ 0.5, 0.04, 0.06 }, NULL) == 0) &&
         MW_OKAY(mw_body_build(&p->f.model, 0, &p->mem, &p->body, &err)) &&
         MW_CHECK(p->body.n_u >= 2000 && p->body.n_z >= 6);
}

static void drop(part *p)
{
  mw_arena_free(&p->mem);
  unlink(MESH);
}

// ranks NULL: this process
static mw_code make(const mw_body *b, const char *ranks, bool rough, mw_basis *q, mw_error *err)
{
  mw_body_stage *z = NULL;
  if (ranks)
    (void)setenv("MODEWAY_EIGEN_RANKS", ranks, 1);
  else
    (void)unsetenv("MODEWAY_EIGEN_RANKS");
  mw_code rc = mw_body_stage_open(b, NULL, &z, err);
  if (rc == MW_OK) rc = mw_body_stage_basis(z, rough, TWO_PI * HZ, TOLERANCE, q, err);
  mw_body_stage_close(z);
  (void)unsetenv("MODEWAY_EIGEN_RANKS");
  return rc;
}

// Receptance of load i without rigid modes: from column `first` on.
static double receptance(const mw_basis *q, const double *P, int i, int first, double omega)
{
  double h = 0.0;
  for (int k = first; k < q->r; k++)
    h += P[i * q->r + k] * P[i * q->r + k] / (q->body.K.val[k] - omega * omega);
  return h;
}

static void compare(const mw_basis *a, const mw_basis *b, bool rough, mw_arena *mem)
{
  int nz = a->body.n_z, head = a->n_rigid + a->n_mode;
  if (!MW_CHECK(a->n_rigid == b->n_rigid && a->n_mode == b->n_mode)) return;
  MW_CHECK(rough || a->n_mode > 2);
  for (int k = a->n_rigid; k < head; k++) MW_NEAR(b->body.K.val[k] / a->body.K.val[k], 1.0, 1e-9);
  double *A = mw_arena_f64(mem, (size_t)nz * (size_t)a->r),
         *B = mw_arena_f64(mem, (size_t)nz * (size_t)b->r);
  fixture_dense(&a->body.P, A);
  fixture_dense(&b->body.P, B);
  for (int i = 0; i < nz; i++)
    for (int w = 0; w <= 4; w++) {
      double omega = rough ? 0.0 : TWO_PI * HZ * w / 4.0;
      double D = receptance(a, A, i, a->n_rigid, 0.0), left = receptance(a, A, i, head, 0.0);
      double have = receptance(b, B, i, a->n_rigid, omega),
             want = receptance(a, A, i, a->n_rigid, omega);
      // close to a mode its rounding grows as the receptance does
      MW_NEAR(have, want, (rough ? 1e-2 : TOLERANCE) * left + 1e-9 * (D + fabs(want)));
    }
}

static void two_processes_make_the_basis_of_one(void)
{
  for (int clamped = 0; clamped < 2; clamped++) {
    part p;
    mw_error err = { 0 };
    for (int rough = 0; bar(clamped, &p) && rough < 2; rough++, drop(&p)) {
      mw_basis one = { 0 }, two = { 0 };
      if (MW_OKAY(make(&p.body, NULL, rough, &one, &err)) &&
          MW_OKAY(make(&p.body, "2", rough, &two, &err)))
        compare(&one, &two, rough, &p.mem);
      mw_basis_free(&one);
      mw_basis_free(&two);
    }
  }
}

static void two_processes_count_the_modes_of_one(void)
{
  part p;
  mw_error err = { 0 };
  int count[2] = { 0, -1 };
  if (!bar(false, &p)) return;
  for (int i = 0; i < 2; i++) {
    mw_body_stage *z = NULL;
    if (i == 1) (void)setenv("MODEWAY_EIGEN_RANKS", "2", 1);
    if (MW_OKAY(mw_body_stage_open(&p.body, NULL, &z, &err)))
      MW_OKAY(mw_body_stage_count(z, TWO_PI * HZ, &count[i], &err));
    mw_body_stage_close(z);
  }
  (void)unsetenv("MODEWAY_EIGEN_RANKS");
  MW_CHECK(count[0] == count[1] && count[0] > 6);
  drop(&p);
}

static void trouble_of_the_other_processes_is_an_error_here(void)
{
  part p;
  mw_error err = { 0 };
  mw_basis q = { 0 };
  if (!bar(false, &p)) return;
  MW_FAILS(make(&p.body, "many", false, &q, &err), MW_ERR_INPUT);
  char *program = getenv("MODEWAY_EIGEN"), *kept = strdup(program ? program : "");
  (void)setenv("MODEWAY_EIGEN", "/nonexistent/modeway-eigen", 1);
  MW_CHECK(make(&p.body, "2", false, &q, &err) != MW_OK && err.msg[0]);
  MW_CHECK(q.r == 0 && q.T == NULL);
  (void)setenv("MODEWAY_EIGEN", kept, 1);
  free(kept);
  mw_basis_free(&q);
  drop(&p);
}

int main(void)
{
  static const mw_test_case cases[] = {
    { "two_processes_make_the_basis_of_one", two_processes_make_the_basis_of_one },
    { "two_processes_count_the_modes_of_one", two_processes_count_the_modes_of_one },
    { "trouble_of_the_other_processes_is_an_error_here",
      trouble_of_the_other_processes_is_an_error_here },
  };
  // as test_eigen.c: containers run tests as root; ranks that wait let others run; the program of
  // this build
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  (void)setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  (void)setenv("MODEWAY_MPIRUN", "mpirun --oversubscribe", 1);
  (void)setenv("MODEWAY_EIGEN", MW_EIGEN, 1);
  return mw_test_run("basis_far", cases, (int)(sizeof cases / sizeof *cases));
}
