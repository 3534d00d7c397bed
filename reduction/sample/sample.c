// SPDX-License-Identifier: BSD-3-Clause
// sample.c: the full mechanism at one configuration, θ held, boiled down to what comparisons need.
//
//   K φ_k = λ_k M φ_k ,  X = K⁻¹ F                modes; static solutions of all loads in one block
//   A = φᵀ M T ,  B = φᵀF ,  F0 = FᵀX ,  F1 = XᵀM X      T: the bodies' bases,
//       so that φᵀMψ = A·(ψ in their coordinates)
//
// Modes are added until what they leave open of the receptances in the band is below in->rest
// (receptance.c). Block Lanczos says how many; they are ARPACK's where in->arpack asks for that
// (sample_arpack.c).
// Cost: an eigenanalysis, n_load solutions; 2 k r n_u for A.
#include "sample_layer.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "fem/output.h"
#include "receptance_layer.h"

enum { MODES_EXTRA = 4, MODES_MOST = 600, SCAN = 48 };
static const double ZETA = 0.02;  // where the model has no modal damping

double mw_sample_zeta(const mw_model *m) { return m->modal_least > 0.0 ? m->modal_least : ZETA; }

// ---- loads --------------------------------------------------------------------------------------

int mw_sample_unit_loads(const mw_mech *mech, const unsigned char *locked, mw_unit_load *list)
{
  const mw_model *m = mech->model;
  int n = 0, field = mw_output_row(m, m->n_output) + mech->n_coord;
  for (int o = 0; o < m->n_output; o++)
    for (int k = 0; k < 3 && !mw_output_is_gauge(&m->output[o]); k++, n++)
      if (list)
        list[n] = (mw_unit_load){
          .output = o, .axis = k, .drive = -1, .coord = -1, .field = mw_output_row(m, o) + k
        };
  for (int d = 0; d < m->n_drive; d++) {
    int joint = m->drive[d].joint, coord = joint >= 0 ? mech->joint[joint].coord : -1;
    int row = joint >= 0 ? mw_output_row(m, m->n_output) + coord : field++;
    if (coord >= 0 && locked[coord]) continue;  // held: it moves nothing
    if (list) list[n] = (mw_unit_load){ .output = -1, .drive = d, .coord = coord, .field = row };
    if (list && joint >= 0) list[n].angle = mw_joint_in_turns(&m->joint[joint]);
    n++;
  }
  return n;
}

static void unit_load(mw_system *sys, const mw_model *m, const mw_unit_load *l, double *f)
{
  const double none[3] = { 0.0, 0.0, 0.0 }, e[3] = { l->axis == 0, l->axis == 1, l->axis == 2 };
  if (l->output >= 0)
    mw_system_load_point(sys, m->output[l->output].ref, m->output[l->output].x, e, f);
  else if (l->coord >= 0)
    mw_system_load_coord(sys, l->coord, f);
  else
    mw_system_load_point(sys, m->drive[l->drive].on, none, m->drive[l->drive].dir, f);
}

// All loads [n_load × n]; work [n].
static mw_code all_loads(mw_system *sys, const mw_sample_in *in, int n, double *F, double *work,
                         mw_error *err)
{
  mw_arena tmp = { 0 };
  int n_io = mw_sample_unit_loads(in->mech, in->locked, NULL);
  mw_unit_load *list = mw_arena_alloc(&tmp, (size_t)n_io, sizeof *list);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) (void)mw_sample_unit_loads(in->mech, in->locked, list);
  for (int l = 0; rc == MW_OK && l < n_io; l++)
    unit_load(sys, in->mech->model, &list[l], F + (size_t)l * (size_t)n);
  for (int i = 0; rc == MW_OK && i < in->s; i++) {
    double *f = F + (size_t)(n_io + i) * (size_t)n;
    mw_system_rigid(sys, in->q->v + 6 * (size_t)in->mech->n_body * (size_t)i, work);
    mw_system_mul_M(sys, work, f);
    for (int k = 0; k < n; k++) f[k] = -f[k];
  }
  if (rc == MW_OK) mw_system_load_rest(sys, F + (size_t)(n_io + in->s) * (size_t)n);
  mw_arena_free(&tmp);
  return rc;
}

// ---- the sample ---------------------------------------------------------------------------------

typedef struct build {
  mw_system *sys;
  const mw_sample_in *in;
  mw_sample *z;
  int n;                 // unknowns of sys
  double *F, *X, *work;  // [n_load × n], [n_load × n], [3 n_load × n]
  double *Phi;           // [k × n]
  mw_arena mem, modes;
} build;

// a := (a + aᵀ)/2
static void symmetric(int n, double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
}

static mw_code statics(build *b, mw_error *err)
{
  mw_sample *z = b->z;
  const mw_model *m = b->in->mech->model;
  size_t n = (size_t)b->n;
  double *MX = b->work, *y = b->work;
  mw_code rc = all_loads(b->sys, b->in, b->n, b->F, b->work, err);
  if (rc == MW_OK) rc = mw_system_solve_many(b->sys, z->n_load, b->F, b->X, err);
  if (rc != MW_OK) return rc;
  mw_gemm('n', 't', z->n_load, z->n_load, b->n, 1.0, b->F, b->X, 0.0, z->F0);
  mw_system_mul_M_many(b->sys, z->n_load, b->X, MX, b->work + (size_t)z->n_load * n);
  mw_gemm('n', 't', z->n_load, z->n_load, b->n, 1.0, b->X, MX, 0.0, z->F1);
  symmetric(z->n_load, z->F0);
  symmetric(z->n_load, z->F1);
  for (int l = 0; l < z->n_load && z->n_stress > 0; l++) {
    double *s = z->stress + l * z->n_stress;
    mw_system_gauges(b->sys, b->X + (size_t)l * n, y);
    for (int o = 0; o < m->n_output; o++) {
      if (!mw_output_is_gauge(&m->output[o])) continue;
      memcpy(s, y + mw_output_row(m, o), 6 * sizeof *s);
      s += 6;
    }
  }
  return rc;
}

// B = φᵀF of the modes there are
static void participations(build *b)
{
  mw_sample *z = b->z;
  mw_gemm('n', 't', z->k, z->n_load, b->n, 1.0, b->Phi, b->F, 0.0, z->B);
}

// k modes by block Lanczos, or room for them where their eigenvalues are known.
static mw_code modes(build *b, int k, mw_error *err)
{
  mw_sample *z = b->z;
  mw_arena mem = { 0 };
  double *lambda = mw_arena_f64(&mem, (size_t)k);
  double *Phi = mw_arena_f64(&mem, (size_t)k * (size_t)b->n);
  double *B = mw_arena_f64(&mem, (size_t)k * (size_t)z->n_load);
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK && b->in->lambda)
    memcpy(lambda, b->in->lambda, (size_t)k * sizeof *lambda);
  else if (rc == MW_OK)
    rc = mw_system_modes(b->sys, k, lambda, Phi, err);
  if (rc != MW_OK) {
    mw_arena_free(&mem);
    return rc;
  }
  mw_arena_free(&b->modes);
  b->modes = mem;
  b->Phi = Phi;
  z->k = k;
  z->lambda = lambda;
  z->B = B;
  participations(b);
  return rc;
}

// Unit loads that θ holds entirely move nothing: what is left of them is set to 0.
static void clear_held(build *b, const mw_unit_load *load)
{
  mw_sample *z = b->z;
  int nl = z->n_load;
  for (int l = 0; l < z->n_io; l++) {
    if (!mw_load_is_held(b->in->mech, z->lambda[0], z->F0[l * nl + l], load[l].angle)) continue;
    memset(b->F + (size_t)l * (size_t)b->n, 0, (size_t)b->n * sizeof *b->F);
    for (int k = 0; k < nl; k++)
      z->F0[l * nl + k] = z->F0[k * nl + l] = z->F1[l * nl + k] = z->F1[k * nl + l] = 0.0;
    for (int k = 0; k < z->k; k++) z->B[k * nl + l] = 0.0;
    if (z->n_stress > 0)
      memset(z->stress + l * z->n_stress, 0, (size_t)z->n_stress * sizeof(double));
  }
}

// Modes until the receptances' bound is met; where no more can be had, the bound stays above what
// was wanted.
static mw_code enough_modes(build *b, mw_error *err)
{
  const mw_sample_in *in = b->in;
  double two_pi = 2.0 * acos(-1.0), hz[SCAN], zeta = mw_sample_zeta(in->mech->model);
  int trusted = mw_system_modes_most(b->sys), most = trusted < MODES_MOST ? trusted : MODES_MOST,
      first = in->lambda          ? in->k
              : in->first > in->k ? in->first
                                  : in->k + MODES_EXTRA;
  mw_arena tmp = { 0 };
  mw_unit_load *load = mw_arena_alloc(&tmp, (size_t)b->z->n_io, sizeof *load);
  unsigned char *skip = mw_arena_alloc(&tmp, (size_t)b->z->n_io, 1);
  double *largest = mw_arena_f64(&tmp, (size_t)b->z->n_load);
  mw_code rc = mw_arena_check(&tmp, err);
  if (rc == MW_OK) (void)mw_sample_unit_loads(in->mech, in->locked, load);
  if (rc == MW_OK) rc = modes(b, first < most ? first : (in->k > most ? in->k : most), err);
  if (rc == MW_OK) clear_held(b, load);
  if (rc == MW_OK) mw_receptance_largest(1, b->z, load, largest);
  if (rc == MW_OK) mw_receptance_negligible(b->z, largest, skip);
  while (rc == MW_OK && !in->lambda && b->z->n_io > 0) {
    double bound, band = in->band > 0.0 ? in->band : sqrt(b->z->lambda[in->k - 1]) / two_pi;
    for (int i = 0; i < SCAN; i++) hz[i] = band * (i + 1) / SCAN;
    rc = mw_receptance_bound(b->z, zeta, SCAN, hz, skip, &bound, err);
    int k = b->z->k, more = k + (k > 16 ? k / 2 : 8);
    if (rc != MW_OK || bound <= in->rest || k >= most) break;
    if (modes(b, more < most ? more : most, NULL) != MW_OK) break;
  }
  mw_arena_free(&tmp);
  return rc;
}

// t·y in eight partial sums, one a lane
static double mixed_dot(int n, const float *t, const double *y)
{
  enum { LANES = 8 };
  double part[LANES] = { 0.0 }, sum = 0.0;
  int j = 0;
  for (; j + LANES <= n; j += LANES)
    for (int l = 0; l < LANES; l++) part[l] += (double)t[j + l] * y[j + l];
  for (; j < n; j++) sum += (double)t[j] * y[j];
  for (int l = 0; l < LANES; l++) sum += part[l];
  return sum;
}

// a := y T for one row y over the mesh; basis NULL: y
static void onto(const mw_mech *m, const mw_basis *bases, const double *y, double *a)
{
  for (int i = 0; i < m->n_body; i++) {
    const mw_basis *basis = bases ? &bases[i] : NULL;
    int n_u = m->body[i].n_u, own = n_u > 0 ? n_u : (m->body[i].ground ? 0 : 6);
    if (!basis || n_u == 0) {
      memcpy(a, y, (size_t)own * sizeof *a);
      a += own;
    } else {
      for (int c = 0; c < basis->r; c++)
        *a++ = mixed_dot(n_u, basis->T + (size_t)c * (size_t)n_u, y);
    }
    y += own;
  }
}

// A: rows φᵀM of the bodies, times their bases
static mw_code assurance(build *b, mw_error *err)
{
  mw_sample *z = b->z;
  mw_arena tmp = { 0 };
  double *Mphi = mw_arena_f64(&tmp, (size_t)b->n);
  mw_code rc = mw_arena_check(&tmp, err);
  for (int k = 0; rc == MW_OK && k < z->n_mac; k++) {
    mw_system_mul_M(b->sys, b->Phi + (size_t)k * (size_t)b->n, Mphi);
    onto(b->in->mech, b->in->basis, Mphi, z->A + (size_t)k * (size_t)z->n);
  }
  mw_arena_free(&tmp);
  return rc;
}

mw_code mw_sample_on_bases(const mw_mech *m, const mw_basis *basis, mw_sample *z, mw_arena *mem,
                           mw_error *err)
{
  int n = 0;
  for (int b = 0; b < m->n_body; b++)
    n += m->body[b].n_u > 0 ? basis[b].r : m->body[b].ground ? 0 : 6;
  double *A = mw_arena_f64(mem, (size_t)z->n_mac * (size_t)n);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < z->n_mac; k++)
    onto(m, basis, z->A + (size_t)k * (size_t)z->n, A + (size_t)k * (size_t)n);
  if (rc == MW_OK) {
    z->A = A;
    z->n = n;
  }
  return rc;
}

static void sizes(mw_system *sys, const mw_sample_in *in, mw_sample *z, int *n_full)
{
  const mw_mech *m = in->mech;
  *n_full = 0;
  for (int b = 0; b < m->n_body; b++) {
    int n_u = m->body[b].n_u, own = n_u > 0 ? n_u : (m->body[b].ground ? 0 : 6);
    *n_full += own;
    z->n += in->basis && n_u > 0 ? in->basis[b].r : own;
  }
  z->motions = mw_system_motions(sys);
  z->n_mac = in->n_mac;
  z->n_io = mw_sample_unit_loads(m, in->locked, NULL);
  z->n_load = z->n_io + in->s + 1;
  for (int o = 0; o < m->model->n_output; o++)
    z->n_stress += mw_output_is_gauge(&m->model->output[o]) ? 6 : 0;
  memcpy(z->theta, in->q->theta, (size_t)in->s * sizeof(double));
}

static void allocate(mw_sample *z, mw_arena *mem)
{
  size_t nl = (size_t)z->n_load;
  z->A = mw_arena_f64(mem, (size_t)z->n_mac * (size_t)z->n);
  z->F0 = mw_arena_f64(mem, nl * nl);
  z->F1 = mw_arena_f64(mem, nl * nl);
  z->stress = mw_arena_f64(mem, nl * (size_t)z->n_stress);
}

mw_code mw_sample_build(mw_system *sys, const mw_sample_in *in, mw_sample *out, mw_arena *mem,
                        mw_error *err)
{
  mw_sample z = { 0 };
  build b = { .sys = sys, .in = in, .z = &z };
  sizes(sys, in, &z, &b.n);
  allocate(&z, mem);
  z.beyond = mw_arena_f64(mem, (size_t)in->beyond);
  size_t nl = (size_t)z.n_load, n = (size_t)b.n;
  int rows = mw_output_row(in->mech->model, in->mech->model->n_output);
  b.F = mw_arena_f64(&b.mem, nl * n);
  b.X = mw_arena_f64(&b.mem, nl * n);
  b.work = mw_arena_f64(&b.mem, 3 * nl * n + (size_t)rows);
  mw_code rc = mw_arena_check(&b.mem, err);
  if (rc == MW_OK) rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = statics(&b, err);
  if (rc == MW_OK) rc = enough_modes(&b, err);
  if (rc == MW_OK && in->arpack) {
    rc = mw_sample_arpack(sys, in, &z, b.Phi, err);
    participations(&b);
  }
  if (rc == MW_OK) rc = assurance(&b, err);
  if (rc == MW_OK) {  // lambda and B outlive the modes
    double *lambda = mw_arena_f64(mem, (size_t)z.k), *B = mw_arena_f64(mem, (size_t)z.k * nl);
    rc = mw_arena_check(mem, err);
    if (rc == MW_OK) memcpy(lambda, z.lambda, (size_t)z.k * sizeof *lambda);
    if (rc == MW_OK) memcpy(B, z.B, (size_t)z.k * nl * sizeof *B);
    z.lambda = lambda;
    z.B = B;
  }
  mw_arena_free(&b.mem);
  mw_arena_free(&b.modes);
  if (rc == MW_OK) *out = z;
  return rc;
}
