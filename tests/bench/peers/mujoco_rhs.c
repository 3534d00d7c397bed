// SPDX-License-Identifier: BSD-3-Clause
// mujoco_rhs.c: the cost of one right-hand side in MuJoCo, for bench_rigid.
//
// Prints  peer mujoco CASE N NANOSECONDS  and  peer mujoco-check CASE N VALUE , VALUE the sum over
// moving bodies of the squared accelerations of their centres of mass at the initial state (m²/s⁴),
// as simbody_rhs.cpp does. A right-hand side is mj_forward() without contacts. Trees alone: loops
// are closed by soft constraints in MuJoCo, other mechanisms than ours.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const HEAD = "<mujoco><option gravity='0 0 -9.81' timestep='1e-3'>"
                                "<flag contact='disable' eulerdamp='disable'/></option>"
                                "<compiler angle='radian' autolimits='false'/><worldbody>";

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Median of batches; the coordinates change a little every time, so that nothing is cached.
static double nanoseconds(const mjModel *m, mjData *d)
{
  enum { BATCHES = 14 };
  double batch[BATCHES], q0 = d->qpos[0];
  int reps = 3, calls = 0;
  for (int b = -1; b < BATCHES; b++) {
    double t0 = now();
    for (int i = 0; i < reps; i++) {
      d->qpos[0] = q0 + 1e-12 * (calls++ & 1);
      mj_forward(m, d);
    }
    double dt = now() - t0;
    if (b >= 0)
      batch[b] = dt / reps;
    else
      reps = (int)fmax(3.0, 3.0 * 1.5e7 / dt);  // some 15 ms a batch
  }
  d->qpos[0] = q0;
  qsort(batch, BATCHES, sizeof *batch, ascending);
  return batch[BATCHES / 2];
}

static int report(const char *name, int n, const char *xml, double q, double v)
{
  char error[512] = "";
  mjSpec *spec = mj_parseXMLString(xml, NULL, error, sizeof error);
  mjModel *m = spec ? mj_compile(spec, NULL) : NULL;
  mjData *d = m ? mj_makeData(m) : NULL;
  if (!d) {
    fprintf(stderr, "mujoco_rhs: %s of %d: %s\n", name, n, spec && !m ? mjs_getError(spec) : error);
    return 1;
  }
  for (int i = 0; i < m->nq; i++) {
    d->qpos[i] = q;
    d->qvel[i] = v;
  }
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  double sum = 0.0;
  for (int b = 1; b < m->nbody; b++) {
    mjtNum a[6];  // turning, then moving; gravity is taken off
    mj_objectAcceleration(m, d, mjOBJ_BODY, b, a, 0);
    for (int i = 0; i < 3; i++) sum += pow(a[3 + i] + m->opt.gravity[i], 2.0);
  }
  printf("peer mujoco-check %s %d %.12e\n", name, n, sum);
  printf("peer mujoco %s %d %.1f\n", name, n, nanoseconds(m, d));
  fflush(stdout);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 0;
}

// hinges about y and z in turn, links 1 m along x
static int chain(int n)
{
  const double b2 = 0.01, across = (1.0 + b2) / 12.0, along = b2 / 6.0;
  size_t max = 512 + 400 * (size_t)n, used = strlen(HEAD);
  char *xml = malloc(max);
  if (!xml) return 1;
  memcpy(xml, HEAD, used + 1);
  for (int k = 0; k < n; k++)
    used += (size_t)snprintf(
        xml + used, max - used,
        "<body pos='%d 0 0'><joint type='hinge' axis='%s'/><inertial pos='0.5 0 0' mass='1' "
        "diaginertia='%.17g %.17g %.17g'/>",
        k > 0, k % 2 == 0 ? "0 1 0" : "0 0 1", along, across, across);
  for (int k = 0; k < n; k++) used += (size_t)snprintf(xml + used, max - used, "</body>");
  snprintf(xml + used, max - used, "</worldbody></mujoco>");
  int rc = report("chain", n, xml, 0.0, 0.0);
  free(xml);
  return rc;
}

static int arm7(void)
{
  char xml[8192];
  size_t used = strlen(HEAD);
  memcpy(xml, HEAD, used + 1);
  for (int k = 0; k < 7; k++)
    used += (size_t)snprintf(
        xml + used, sizeof xml - used,
        "<body pos='0 0 %g'><joint type='hinge' axis='%s'/><inertial pos='0 0 0.15' mass='%g' "
        "diaginertia='0.02 0.02 0.01'/>",
        k == 0 ? 0.0 : 0.3, k % 2 == 0 ? "0 0 1" : "0 1 0", 1.0 + 0.5 * (7 - k));
  snprintf(xml + used, sizeof xml - used,
           "</body></body></body></body></body></body></body></worldbody></mujoco>");
  return report("arm7", 1, xml, 0.3, 0.5);
}

int main(void)
{
  static const int links[] = { 10, 100, 300 };  // what MuJoCo reads nests no deeper
  int rc = 0;
  for (size_t k = 0; k < sizeof links / sizeof *links; k++) rc |= chain(links[k]);
  return rc | arm7();
}
