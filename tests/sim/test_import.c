// SPDX-License-Identifier: BSD-3-Clause
// test_import.c: robots in URDF and MJCF: right-hand sides of what is imported against recursive
// Newton-Euler equations of the same numbers, masses of shapes against integrals over slices.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec3.h"
#include "fem/rigid.h"
#include "fixture.h"
#include "fixture_import.h"
#include "import/import_layer.h"
#include "mw_test.h"

enum { N = 4 };  // moving links: 1 on the base, 2 and 4 on 1, 3 on 2

// A robot of made-up numbers
typedef struct robot {
  double xyz[N][3], rpy[N][3], axis[N][3];  // of joint k, which leads to link k + 1
  double com[N][3], com_rpy[N][3], mass[N], I[N][6];
  double q[N], v[N];
} robot;

static const int up[N] = { -1, 0, 1, 0 };
static const bool travel[N] = { false, true, false, false };
static const double g[3] = { 0.0, 0.0, -9.81 };

static double next(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 8388608.0 - 1.0;
}

static void make_robot(robot *r)
{
  unsigned seed = 7;
  for (int k = 0; k < N; k++) {
    double a = 1.0 + 0.3 * next(&seed), b = 1.0 + 0.3 * next(&seed), c = 1.0 + 0.3 * next(&seed);
    for (int i = 0; i < 3; i++) {
      r->xyz[k][i] = 0.5 * next(&seed);
      r->rpy[k][i] = 2.0 * next(&seed);
      r->axis[k][i] = next(&seed);
      r->com[k][i] = 0.3 * next(&seed);
      r->com_rpy[k][i] = 2.0 * next(&seed);
      r->I[k][3 + i] = 0.002 * next(&seed);
    }
    r->mass[k] = 2.0 + next(&seed);
    r->I[k][0] = 0.02 * a, r->I[k][1] = 0.02 * b, r->I[k][2] = 0.02 * c;
    r->q[k] = next(&seed);
    r->v[k] = next(&seed);
  }
}

// ---- the robot as files -------------------------------------------------------------------------

// 'u' URDF, 'm' MJCF: the same robot; a link of 0.4 kg is fixed to link 3 in both.
static void write_urdf(const robot *r, FILE *f)
{
  fputs("<robot name=\"made up\"><link name=\"base\"/>\n", f);
  for (int k = 0; k < N; k++) {
    const double *c = r->com[k], *t = r->com_rpy[k], *I = r->I[k];
    fprintf(f,
            "<link name=\"l%d\"><inertial><origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g "
            "%.17g\"/><mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" "
            "ixy=\"%.17g\" ixz=\"%.17g\" iyz=\"%.17g\"/></inertial></link>\n",
            k, c[0], c[1], c[2], t[0], t[1], t[2], r->mass[k], I[0], I[1], I[2], I[3], I[4], I[5]);
  }
  fputs("<link name=\"tool\"><inertial><mass value=\"0.4\"/><inertia ixx=\"0.01\" iyy=\"0.01\" "
        "izz=\"0.01\"/></inertial></link>\n"
        "<joint name=\"grip\" type=\"fixed\"><parent link=\"l2\"/><child link=\"tool\"/><origin "
        "xyz=\"0 0 0.5\"/></joint>\n",
        f);
  for (int k = 0; k < N; k++) {
    const double *x = r->xyz[k], *t = r->rpy[k], *a = r->axis[k];
    char parent[16] = "base";
    if (up[k] >= 0) snprintf(parent, sizeof parent, "l%d", up[k]);
    fprintf(f,
            "<joint name=\"j%d\" type=\"%s\"><parent link=\"%s\"/><child link=\"l%d\"/><origin "
            "xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/><axis xyz=\"%.17g %.17g "
            "%.17g\"/><limit lower=\"-9\" upper=\"9\"/></joint>\n",
            k, travel[k] ? "prismatic" : "revolute", parent, k, x[0], x[1], x[2], t[0], t[1], t[2],
            a[0], a[1], a[2]);
  }
  fputs("</robot>\n", f);
}

static void write_body(const robot *r, int k, FILE *f)
{
  const double *x = r->xyz[k], *t = r->rpy[k], *a = r->axis[k], *c = r->com[k], *I = r->I[k],
               *o = r->com_rpy[k];
  // the inertial's frame as a frame of its own: inertials with fullinertia have no orientation
  fprintf(f,
          "<body name=\"l%d\" pos=\"%.17g %.17g %.17g\" euler=\"%.17g %.17g %.17g\"><joint "
          "name=\"j%d\" %saxis=\"%.17g %.17g %.17g\"/><frame pos=\"%.17g %.17g %.17g\" "
          "euler=\"%.17g %.17g %.17g\"><inertial pos=\"0 0 0\" mass=\"%.17g\" fullinertia=\"%.17g "
          "%.17g %.17g %.17g %.17g %.17g\"/></frame>\n",
          k, x[0], x[1], x[2], t[0], t[1], t[2], k, travel[k] ? "type=\"slide\" " : "", a[0], a[1],
          a[2], c[0], c[1], c[2], o[0], o[1], o[2], r->mass[k], I[0], I[1], I[2], I[3], I[4], I[5]);
  if (k == 2)
    fputs("<body name=\"tool\" pos=\"0 0 0.5\"><inertial pos=\"0 0 0\" mass=\"0.4\" "
          "diaginertia=\"0.01 0.01 0.01\"/></body>\n",
          f);
  for (int i = 0; i < N; i++)
    if (up[i] == k) write_body(r, i, f);
  fputs("</body>\n", f);
}

static void write_mjcf(const robot *r, FILE *f)
{
  fputs("<mujoco><compiler angle=\"radian\" eulerseq=\"XYZ\"/><worldbody>\n", f);
  write_body(r, 0, f);
  fputs("</worldbody></mujoco>\n", f);
}

// ---- recursive Newton-Euler ---------------------------------------------------------------------

static void rpy_matrix(const double rpy[3], double R[9])
{
  double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]), cy = cos(rpy[2]),
         sy = sin(rpy[2]);
  double A[9] = { cy * cp,
                  cy * sp * sr - sy * cr,
                  cy * sp * cr + sy * sr,
                  sy * cp,
                  sy * sp * sr + cy * cr,
                  sy * sp * cr - cy * sr,
                  -sp,
                  cp * sr,
                  cp * cr };
  memcpy(R, A, sizeof A);
}

typedef struct motion {  // of the links, in ground axes
  double x[N][3], R[N][9], axis[N][3];
  double w[N][3], v[N][3];             // rad/s; m/s of the link's origin
  double dw[N][3], dv[N][3];           // accelerations
  double c[N][3], vc[N][3], dc[N][3];  // centre of mass, its velocity and acceleration
  double m[N], J[N][9];                // kg, kg m2 about the centre, ground axes
} motion;

// Mass of link k with the tool on link 2, about the common centre, in the link's frame.
static void link_mass(const robot *r, int k, double *m, double com[3], double J[9])
{
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  double R[9], A[9], T[9], tool = k == 2 ? 0.4 : 0.0, at[3] = { 0.0, 0.0, 0.5 }, d[2][3];
  rpy_matrix(r->com_rpy[k], R);
  for (int i = 0; i < 6; i++) A[3 * row[i] + col[i]] = A[3 * col[i] + row[i]] = r->I[k][i];
  mw_mul33(R, A, T);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) J[3 * i + j] = mw_dot3(T + 3 * i, R + 3 * j);
  *m = r->mass[k] + tool;
  for (int i = 0; i < 3; i++) {
    com[i] = (r->mass[k] * r->com[k][i] + tool * at[i]) / *m;
    d[0][i] = r->com[k][i] - com[i];
    d[1][i] = at[i] - com[i];
  }
  for (int p = 0; p < 2; p++) {
    double mass = p == 0 ? r->mass[k] : tool, dd = mw_dot3(d[p], d[p]);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) J[3 * i + j] += mass * ((i == j) * dd - d[p][i] * d[p][j]);
  }
  for (int i = 0; tool > 0.0 && i < 3; i++) J[4 * i] += 0.01;
}

static void add_cross(const double a[3], const double b[3], double c[3])
{
  double t[3];
  mw_cross3(a, b, t);
  for (int i = 0; i < 3; i++) c[i] += t[i];
}

// Positions, rates and accelerations of all links for ddq [N].
static void move(const robot *r, const double *rate, const double *ddq, motion *s)
{
  static const double zero[3] = { 0.0, 0.0, 0.0 }, one[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  for (int k = 0; k < N; k++) {
    int p = up[k];
    const double *x = p < 0 ? zero : s->x[p], *R = p < 0 ? one : s->R[p],
                 *w = p < 0 ? zero : s->w[p], *v = p < 0 ? zero : s->v[p],
                 *dw = p < 0 ? zero : s->dw[p], *dv = p < 0 ? zero : s->dv[p];
    double T[9], d[3], a[3], n = mw_norm3(r->axis[k]), turn[3], c[3], J[9], A[9], t[3];
    rpy_matrix(r->rpy[k], T);
    mw_mul33(R, T, T);
    for (int i = 0; i < 3; i++) a[i] = r->axis[k][i] / n;
    mw_mul33v(T, a, s->axis[k]);
    mw_mul33v(R, r->xyz[k], d);
    double q = travel[k] ? r->q[k] : 0.0, angle = travel[k] ? 0.0 : r->q[k];
    for (int i = 0; i < 3; i++) {
      d[i] += q * s->axis[k][i];
      s->x[k][i] = x[i] + d[i];
      turn[i] = angle * s->axis[k][i];
    }
    for (int i = 0; i < 3; i++) {
      double e[3] = { T[i], T[3 + i], T[6 + i] }, y[3];
      mw_turn3(turn, e, y);
      for (int j = 0; j < 3; j++) s->R[k][3 * j + i] = y[j];
    }
    double slide = travel[k] ? rate[k] : 0.0, spin = travel[k] ? 0.0 : rate[k];
    for (int i = 0; i < 3; i++) {
      s->w[k][i] = w[i] + spin * s->axis[k][i];
      s->dw[k][i] = dw[i] + (travel[k] ? 0.0 : ddq[k] * s->axis[k][i]);
      s->v[k][i] = v[i] + slide * s->axis[k][i];
      s->dv[k][i] = dv[i] + (travel[k] ? ddq[k] * s->axis[k][i] : 0.0);
      t[i] = 2.0 * slide * s->axis[k][i];
      c[i] = spin * s->axis[k][i];
    }
    add_cross(w, d, s->v[k]);
    add_cross(dw, d, s->dv[k]);
    add_cross(w, t, s->dv[k]);  // Coriolis
    mw_cross3(w, d, t);
    add_cross(w, t, s->dv[k]);
    add_cross(w, c, s->dw[k]);
    link_mass(r, k, &s->m[k], c, J);
    mw_mul33v(s->R[k], c, d);
    for (int i = 0; i < 3; i++) {
      s->c[k][i] = s->x[k][i] + d[i];
      s->vc[k][i] = s->v[k][i];
      s->dc[k][i] = s->dv[k][i];
    }
    add_cross(s->w[k], d, s->vc[k]);
    add_cross(s->dw[k], d, s->dc[k]);
    mw_cross3(s->w[k], d, t);
    add_cross(s->w[k], t, s->dc[k]);
    mw_mul33(s->R[k], J, A);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) s->J[k][3 * i + j] = mw_dot3(A + 3 * i, s->R[k] + 3 * j);
  }
}

// Forces of the joints that ddq needs, gravity times `weight`.
static void forces(const motion *s, double weight, double tau[N])
{
  double F[N][3], M[N][3];  // force, moment about the centre
  for (int k = 0; k < N; k++) {
    double L[3];
    for (int i = 0; i < 3; i++) F[k][i] = s->m[k] * (s->dc[k][i] - weight * g[i]);
    mw_mul33v(s->J[k], s->dw[k], M[k]);
    mw_mul33v(s->J[k], s->w[k], L);
    add_cross(s->w[k], L, M[k]);
  }
  for (int k = 0; k < N; k++) {
    tau[k] = 0.0;
    for (int b = 0; b < N; b++) {  // bodies that hang on joint k
      int on = b;
      while (on >= 0 && on != k) on = up[on];
      if (on < 0) continue;
      double arm[3], t[3] = { M[b][0], M[b][1], M[b][2] };
      for (int i = 0; i < 3; i++) arm[i] = s->c[b][i] - s->x[k][i];
      add_cross(arm, F[b], t);
      tau[k] += mw_dot3(s->axis[k], travel[k] ? F[b] : t);
    }
  }
}

// ddq without forces of drives, by Gauss on M from unit accelerations; the motion with it.
static void fall(const robot *r, motion *s)
{
  static const double none[N] = { 0 };
  double A[N][N + 1], tau[N], ddq[N];
  move(r, r->v, none, s);
  forces(s, 1.0, tau);
  for (int k = 0; k < N; k++) A[k][N] = -tau[k];
  for (int j = 0; j < N; j++) {
    double unit[N] = { 0 };
    unit[j] = 1.0;
    move(r, none, unit, s);
    forces(s, 0.0, tau);
    for (int k = 0; k < N; k++) A[k][j] = tau[k];
  }
  for (int p = 0; p < N; p++)  // positive definite: no pivoting
    for (int k = p + 1; k < N; k++) {
      double l = A[k][p] / A[p][p];
      for (int j = p; j <= N; j++) A[k][j] -= l * A[p][j];
    }
  for (int p = N; p-- > 0;) {
    ddq[p] = A[p][N];
    for (int j = p + 1; j < N; j++) ddq[p] -= A[p][j] * ddq[j];
    ddq[p] /= A[p][p];
  }
  move(r, r->v, ddq, s);
}

// ---- right-hand sides ---------------------------------------------------------------------------

// Body of the mechanism that has the name
static int body_of(const mw_fixture *f, const char *name)
{
  for (int b = 0; b < f->model.n_body; b++)
    if (strcmp(f->model.body[b].name, name) == 0) return b;
  return 0;
}

// Accelerations of the imported model where the links move as s says: those of s.
static void compare_accelerations(const char *text, const motion *s)
{
  mw_fixture f;
  mw_error err = { 0 };
  mw_rigid *rigid = NULL;
  mw_rigid_work *w = NULL;
  mw_rigid_opt opt = mw_rigid_opt_default();
  if (!MW_CHECK(mw_fixture_text(text, &f))) return;
  double *p = mw_arena_f64(&f.mem, 12 * (size_t)f.model.n_body);
  for (int k = 0; k < N; k++) {
    char name[16];
    snprintf(name, sizeof name, "l%d", k);
    int b = body_of(&f, name);
    memcpy(p + 12 * b, s->x[k], sizeof s->x[k]);
    memcpy(p + 12 * b + 3, s->R[k], sizeof s->R[k]);
  }
  if (MW_OKAY(mw_rigid_build(&f.mech, &opt, &rigid, &err)) &&
      MW_OKAY(mw_rigid_work_build(rigid, &w, &err)) &&
      MW_CHECK(mw_rigid_sizes(rigid).n_body == N)) {
    double q[12 * N], v[12 * N], a[12 * N], u[6 * N], spin[3];
    int at[N];  // of the links among the moving bodies: behind ground and the fixed one
    for (int k = 0; k < N; k++) {
      char name[16];
      snprintf(name, sizeof name, "l%d", k);
      at[k] = body_of(&f, name) - 2;
    }
    mw_rigid_from_frames(rigid, p, q);
    for (int k = 0; k < N; k++) {
      const double *E = q + 12 * at[k] + 3;
      mw_mul33tv(E, s->vc[k], u + 6 * at[k]);
      mw_mul33tv(E, s->w[k], u + 6 * at[k] + 3);
      // the centre of mass is where the links' numbers put it; sums of a few terms of 1 m
      for (int i = 0; i < 3; i++) MW_NEAR(q[12 * at[k] + i], s->c[k][i], mw_test_rounding(64, 2.0));
    }
    mw_rigid_rates(rigid, q, u, v);
    MW_OKAY(mw_rigid_accel(rigid, w, 0.0, q, v, a, &err));
    for (int k = 0; k < N; k++) {
      // E'' = (α~ + ω~ ω~) E; two solutions of the same well-conditioned equations, of some 500
      // operations, accelerations up to 100 m/s2 or rad/s2
      const double *E = q + 12 * at[k] + 3, *got = a + 12 * at[k];
      double tol = mw_test_rounding(500, 100.0);
      for (int i = 0; i < 3; i++) MW_NEAR(got[i], s->dc[k][i], tol);
      for (int c = 0; c < 3; c++) {
        double e[3] = { E[c], E[3 + c], E[6 + c] }, t[3];
        mw_cross3(s->w[k], e, spin);
        mw_cross3(s->w[k], spin, t);
        add_cross(s->dw[k], e, t);
        for (int i = 0; i < 3; i++) MW_NEAR(got[3 + 3 * i + c], t[i], tol);
      }
    }
  }
  mw_rigid_work_free(w);
  mw_rigid_free(rigid);
  mw_fixture_free(&f);
}

static void right_hand_sides_are_newtons_and_eulers(void)
{
  static const char *const ending[] = { ".urdf", ".xml" };
  robot r;
  motion s;
  make_robot(&r);
  fall(&r, &s);
  for (int k = 0; k < 2; k++) {
    char *text = NULL;
    size_t n = 0;
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_import_result got;
    mw_import_opt opt = { .density = 0.0 };
    FILE *f = open_memstream(&text, &n);
    if (k == 0)
      write_urdf(&r, f);
    else
      write_mjcf(&r, f);
    fclose(f);
    if (MW_CHECK(fixture_import(text, ending[k], &opt, &mem, &got, &err))) {
      MW_CHECK(got.whole && got.n_body == N + 1 && got.n_joint == N);
      compare_accelerations(got.text, &s);
    } else {
      printf("  %d:%d: %s\n", err.line, err.col, err.msg);
    }
    free(text);
    mw_arena_free(&mem);
  }
}

// ---- shapes -------------------------------------------------------------------------------------

// Volume, and inertia of unit density about the middle, across x and y and along z, by slices of
// half axes a(z), b(z): ∫ πab, ∫ πab (b²/4 + z²), ∫ πab (a² + b²)/4; Gauss with three points is
// exact for what are polynomials of degree 4 in z on each piece
static void slices(void (*axes)(double z, double *a, double *b), const double *cut, int n_piece,
                   double out[4])
{
  static const double x[3] = { -0.7745966692414834, 0.0, 0.7745966692414834 },
                      weight[3] = { 5.0 / 9, 8.0 / 9, 5.0 / 9 };
  const double PI = 3.14159265358979323846;
  memset(out, 0, 4 * sizeof *out);
  for (int p = 0; p < n_piece; p++)
    for (int k = 0; k < 3; k++) {
      double h = 0.5 * (cut[p + 1] - cut[p]), z = 0.5 * (cut[p] + cut[p + 1]) + h * x[k], a, b;
      axes(z, &a, &b);
      double area = h * weight[k] * PI * a * b;
      out[0] += area;
      out[1] += area * (b * b / 4 + z * z);
      out[2] += area * (a * a / 4 + z * z);
      out[3] += area * (a * a + b * b) / 4;
    }
}

static void capsule(double z, double *a, double *b)
{
  double over = fmax(0.0, fabs(z) - 0.3);
  *a = *b = sqrt(0.1 * 0.1 - over * over);
}

static void cylinder(double z, double *a, double *b)
{
  (void)z;
  *a = *b = 0.1;
}

static void ellipsoid(double z, double *a, double *b)
{
  double s = sqrt(1.0 - z * z / 0.09);
  *a = 0.1 * s;
  *b = 0.2 * s;
}

static void sphere(double z, double *a, double *b) { *a = *b = sqrt(0.01 - z * z); }

static void shapes_weigh_what_their_slices_do(void)
{
  static const struct {
    const char *geom;
    void (*axes)(double z, double *a, double *b);
    int n_piece;
    double cut[4];
  } S[] = {
    { "type=\"capsule\" size=\"0.1 0.3\"", capsule, 3, { -0.4, -0.3, 0.3, 0.4 } },
    { "type=\"cylinder\" size=\"0.1 0.3\"", cylinder, 1, { -0.3, 0.3 } },
    { "type=\"ellipsoid\" size=\"0.1 0.2 0.3\"", ellipsoid, 1, { -0.3, 0.3 } },
    { "size=\"0.1\"", sphere, 1, { -0.1, 0.1 } },
    // from two points, one density for a mass
    { "type=\"capsule\" size=\"0.1\" fromto=\"0 0 -0.3 0 0 0.3\"",
      capsule,
      3,
      { -0.4, -0.3, 0.3, 0.4 } },
  };
  for (size_t k = 0; k < sizeof S / sizeof *S; k++) {
    char text[512];
    double want[4];
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_import_result got;
    mw_import_opt opt = { .density = 0.0 };
    mw_fixture f;
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name=\"b\"><freejoint/><geom density=\"500\" %s/></body>"
             "</worldbody></mujoco>",
             S[k].geom);
    slices(S[k].axes, S[k].cut, S[k].n_piece, want);
    if (MW_CHECK(fixture_import(text, ".xml", &opt, &mem, &got, &err)) &&
        MW_CHECK(mw_fixture_text(got.text, &f))) {
      const mw_body_in *b = &f.model.body[body_of(&f, "b")];
      double m = 500 * want[0];
      MW_NEAR(b->mass, m, mw_test_rounding(20, m));
      for (int i = 0; i < 3; i++)
        MW_NEAR(b->inertia[i], 500 * want[1 + i], mw_test_rounding(40, m * 0.16));
      mw_fixture_free(&f);
    }
    mw_arena_free(&mem);
  }
}

// ---- joints of several --------------------------------------------------------------------------

static void several_joints_of_a_body_make_one(void)
{
  static const struct {
    const char *joints, *kind;
    int n_joint;
  } J[] = {
    { "<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/>", "universal: {", 1 },
    { "<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>", "spherical: {", 1 },
    { "<joint type=\"ball\"/>", "spherical: {", 1 },
    { "<joint type=\"slide\"/><joint/>", "cylindrical: {", 1 },
    { "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\"/><joint axis=\"0 1 0\"/>",
      "planar: {", 1 },
    { "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\"/>", "hold: [y, xy, yz, zx]", 1 },
    { "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint "
      "type=\"slide\"/>",
      "hold: [xy, yz, zx]", 1 },
    { "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint "
      "type=\"slide\"/><joint type=\"ball\"/>",
      "b_flies: {", 0 },
  };
  for (size_t k = 0; k < sizeof J / sizeof *J; k++) {
    char text[1024];
    mw_arena mem = { 0 };
    mw_error err = { 0 };
    mw_import_result got;
    mw_import_opt opt = { .density = 0.0 };
    mw_fixture f;
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body name=\"b\" pos=\"0.1 0.2 0.3\" euler=\"10 20 30\">%s<geom "
             "size=\"0.1\"/></body></worldbody></mujoco>",
             J[k].joints);
    if (MW_CHECK(fixture_import(text, ".xml", &opt, &mem, &got, &err)) &&
        MW_CHECK(mw_fixture_text(got.text, &f))) {
      if (!MW_CHECK(strstr(got.text, J[k].kind) != NULL && got.n_joint == J[k].n_joint))
        printf("%s\n%s\n", J[k].joints, got.text);
      mw_fixture_free(&f);
    }
    mw_arena_free(&mem);
  }
}

// Classes of defaults, degrees, references: numbers of the joint
static void defaults_and_units_are_those_of_the_file(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_import_result got;
  mw_import_opt opt = { .density = 0.0 };
  mw_fixture f;
  const char *text =
      "<mujoco model=\"m\"><option gravity=\"1 2 3\"/><compiler settotalmass=\"9\"/>\n"
      "<default><joint damping=\"0.5\"/><default class=\"a\"><joint axis=\"0 1 0\" "
      "range=\"-60 90\" ref=\"30\"/><default class=\"c\"><joint frictionloss=\"0.25\"/></default>"
      "</default></default>\n"
      "<worldbody><body name=\"b\" childclass=\"a\"><joint name=\"one\"/><geom "
      "size=\"0.1\"/><body name=\"d\"><joint name=\"two\" class=\"c\" damping=\"2\" "
      "stiffness=\"7\" springref=\"90\"/><geom size=\"0.1\" mass=\"3\"/></body></body></worldbody>"
      "</mujoco>\n";
  if (MW_CHECK(fixture_import(text, ".xml", &opt, &mem, &got, &err)) &&
      MW_CHECK(mw_fixture_text(got.text, &f))) {
    const mw_joint_in *one = &f.model.joint[0], *two = &f.model.joint[1];
    const double degree = 3.14159265358979323846 / 180, eps = 2.3e-16;
    MW_CHECK(f.model.gravity[0] == 1 && f.model.gravity[1] == 2 && f.model.gravity[2] == 3);
    MW_CHECK(strcmp(f.model.name, "m") == 0 && strcmp(one->name, "one") == 0);
    MW_CHECK(strstr(got.text, "damping: 0.5") != NULL);
    MW_CHECK(strstr(got.text, "damping: 2") != NULL && strstr(got.text, "coulomb: 0.25") != NULL);
    MW_CHECK(strstr(got.text, "two_spring: { coordinate: two, stiffness: 7") != NULL);
    MW_NEAR(one->limits[0], -90 * degree, 2 * eps);
    MW_NEAR(one->limits[1], 60 * degree, 2 * eps);
    MW_NEAR(f.model.force[0].free, 60 * degree, 2 * eps);
    // a ball of water of 0.1 m weighs 4.19 kg; both together 9 kg
    double ball = 4000.0 / 3 * 3.14159265358979323846 * 0.001;
    MW_NEAR(f.model.body[body_of(&f, "d")].mass, 9 * 3.0 / (3.0 + ball), 9 * 8 * eps);
    MW_CHECK(two->axis[1] == 1.0);
    mw_fixture_free(&f);
  } else {
    printf("  %d:%d: %s\n", err.line, err.col, err.msg);
  }
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "right_hand_sides_are_newtons_and_eulers", right_hand_sides_are_newtons_and_eulers },
  { "shapes_weigh_what_their_slices_do", shapes_weigh_what_their_slices_do },
  { "several_joints_of_a_body_make_one", several_joints_of_a_body_make_one },
  { "defaults_and_units_are_those_of_the_file", defaults_and_units_are_those_of_the_file },
};

int main(void) { return mw_test_run("import", cases, (int)(sizeof cases / sizeof *cases)); }
