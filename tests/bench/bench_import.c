// SPDX-License-Identifier: BSD-3-Clause
// bench_import.c: a part assembled by CalculiX and read back from its stored matrices, against our
// own assembly of the same mesh: frequencies, and K and M entry by entry.
//
// A bar of steel, 1 × 0.2 × 0.15 m, in millimetres, newton and tonnes, skewed so that no element is
// a brick, is written as .inp with C3D10 and C3D20, free and clamped at one end.
//   CalculiX: *FREQUENCY, SOLVER=MATRIXSTORAGE → .sti .mas .dof → matrices: of a model
//   ours:     the same .inp → mesh: of a model
// CalculiX takes the mass of C3D10 at the four points of its stiffness, which leaves it a rank of
// four; ours is exact. So the assembly is judged with our mass at those points (mw_solid_mass), and
// the column "exact mass" says what the points make. C3D20 has 27 points for both in both programs.
// Frequencies of both by subspace iteration on (K + σM)⁻¹M,  λ = θ − σ: one solver for both, so
//                                                            that only the
// matrices differ. CalculiX prints 14 digits.
// Exit status 1 when a frequency is off by more than 1e-9, or ccx is missing.
//   bench_import [elements along the bar, default 24]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "fem/body.h"
#include "fem/element.h"
#include "fem/factor.h"

#define STEM "bench_import_tmp"

enum { N_MODE = 10, N_BLOCK = 28, N_STEP = 200 };

static const double TOLERANCE = 1e-9;  // relative, of a frequency
// relative change of an eigenvalue in a step, whose errors fall by 4 and more a step
static const double SETTLED = 1e-12;
static const double TWO_PI = 6.283185307179586;
static const double LENGTH[3] = { 1000.0, 200.0, 150.0 };  // mm

// ---- mesh ----

typedef struct bar {
  int n[3];  // bricks
  bool tet;  // six C3D10 a brick, else one C3D20
  bool clamped;
} bar;

static int tag(const bar *b, const int p[3])  // half-steps
{
  return 1 + p[0] + (2 * b->n[0] + 1) * (p[1] + (2 * b->n[1] + 1) * p[2]);
}

static void write_nodes(const bar *b, FILE *f)
{
  fprintf(f, "*NODE, NSET=NALL\n");
  for (int k = 0; k <= 2 * b->n[2]; k++)
    for (int j = 0; j <= 2 * b->n[1]; j++)
      for (int i = 0; i <= 2 * b->n[0]; i++) {
        int p[3] = { i, j, k };
        if (!b->tet && i % 2 + j % 2 + k % 2 > 1) continue;
        double s = LENGTH[0] * i / (2.0 * b->n[0]), y = LENGTH[1] * j / (2.0 * b->n[1]),
               z = LENGTH[2] * k / (2.0 * b->n[2]);
        // sheared and tapered: straight edges
        fprintf(f, "%d, %.15g, %.15g, %.15g\n", tag(b, p), s + 0.2 * y - 0.1 * z,
                y * (1.0 - 3e-4 * s), z + 0.05 * s);
      }
}

static void write_tets(const bar *b, const int at[3], int *number, FILE *f)
{
  static const int ORDER[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
                                   { 1, 0, 2 }, { 0, 2, 1 }, { 2, 1, 0 } };
  static const int EDGE[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
  for (int o = 0; o < 6; o++) {
    int c[4][3] = { { 2 * at[0], 2 * at[1], 2 * at[2] } };
    for (int s = 0; s < 3; s++) {
      memcpy(c[s + 1], c[s], sizeof c[s]);
      c[s + 1][ORDER[o][s]] += 2;
    }
    for (int a = 0; a < 3 && o >= 3; a++) {  // odd orders are left-handed
      int t = c[1][a];
      c[1][a] = c[2][a];
      c[2][a] = t;
    }
    fprintf(f, "%d", ++*number);
    for (int a = 0; a < 4; a++) fprintf(f, ", %d", tag(b, c[a]));
    for (int e = 0; e < 6; e++) {
      int m[3];
      for (int a = 0; a < 3; a++) m[a] = (c[EDGE[e][0]][a] + c[EDGE[e][1]][a]) / 2;
      fprintf(f, ", %d", tag(b, m));
    }
    fprintf(f, "\n");
  }
}

static void write_brick(const bar *b, const int at[3], int *number, FILE *f)
{
  static const int P[20][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 }, { 0, 0, 2 },
                                { 2, 0, 2 }, { 2, 2, 2 }, { 0, 2, 2 }, { 1, 0, 0 }, { 2, 1, 0 },
                                { 1, 2, 0 }, { 0, 1, 0 }, { 1, 0, 2 }, { 2, 1, 2 }, { 1, 2, 2 },
                                { 0, 1, 2 }, { 0, 0, 1 }, { 2, 0, 1 }, { 2, 2, 1 }, { 0, 2, 1 } };
  fprintf(f, "%d", ++*number);
  for (int k = 0; k < 20; k++) {
    int p[3];
    for (int a = 0; a < 3; a++) p[a] = 2 * at[a] + P[k][a];
    fprintf(f, k == 10 ? ",\n%d" : ", %d", tag(b, p));
  }
  fprintf(f, "\n");
}

static bool write_inp(const bar *b)
{
  FILE *f = fopen(STEM ".inp", "w");
  int number = 0;
  if (f == NULL) return false;
  write_nodes(b, f);
  fprintf(f, "*ELEMENT, TYPE=%s, ELSET=PART\n", b->tet ? "C3D10" : "C3D20");
  for (int k = 0; k < b->n[2]; k++)
    for (int j = 0; j < b->n[1]; j++)
      for (int i = 0; i < b->n[0]; i++) {
        int at[3] = { i, j, k };
        if (b->tet)
          write_tets(b, at, &number, f);
        else
          write_brick(b, at, &number, f);
      }
  fprintf(f, "*NSET, NSET=END\n");
  for (int k = 0; k <= 2 * b->n[2]; k++)
    for (int j = 0; j <= 2 * b->n[1]; j++) {
      int p[3] = { 0, j, k };
      if (b->tet || j % 2 + k % 2 < 2) fprintf(f, "%d,\n", tag(b, p));
    }
  if (b->clamped) fprintf(f, "*BOUNDARY\nEND, 1, 3\n");
  fprintf(f, "*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85E-9\n"
             "*SOLID SECTION, ELSET=PART, MATERIAL=STEEL\n"
             "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n10\n*END STEP\n");
  return fclose(f) == 0;
}

// ---- bodies ----

typedef struct part {
  mw_model model;
  mw_body body;
  mw_arena mem;
} part;

static bool report(mw_code rc, const mw_error *err)
{
  char text[1024];
  if (rc == MW_OK) return true;
  mw_error_print(err, text, sizeof text);
  fputs(text, stderr);
  return false;
}

// A loose body makes no model: the free one is read as one on the ground and then let go.
static bool read_part(const bar *b, bool foreign, part *out)
{
  const char *path = STEM ".yaml";
  FILE *f = fopen(path, "w");
  mw_error err = { 0 };
  if (f == NULL) return false;
  fprintf(f, "modeway: 1\nname: import\nbodies:\n  part:\n    unit: mm\n    ground: true\n");
  if (foreign)
    fprintf(f, "    matrices: { stiffness: " STEM ".sti, mass: " STEM ".mas, dofs: " STEM
               ".dof, nodes: " STEM ".inp }\n");
  else
    fprintf(f, "    mesh: " STEM ".inp\n    supports: [ { nodes: END } ]\n");
  if (fclose(f) != 0) return false;
  *out = (part){ 0 };
  mw_code rc = mw_model_read(path, &out->model, &err);
  remove(path);
  mw_body_in *in = rc == MW_OK ? &out->model.body[1] : NULL;  // body 0 is the ground
  if (in != NULL && !b->clamped) {
    in->ground = false;
    in->n_support = 0;
  }
  if (rc == MW_OK) rc = mw_body_build(&out->model, 1, &out->mem, &out->body, &err);
  return report(rc, &err);
}

static void free_part(part *p)
{
  mw_arena_free(&p->mem);
  mw_model_free(&p->model);
}

// ---- modes ----

// M with the mass where the stiffness is integrated, for the unknowns of a body of solids
static mw_code like_calculix(const mw_body *b, mw_arena *mem, mw_csc *out, mw_error *err)
{
  const mw_mesh *mesh = b->mesh;
  mw_triplets t = { 0 };
  int *unknown = mw_arena_int(mem, 3 * (size_t)b->n_node);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  for (int i = 0; i < 3 * b->n_node; i++) unknown[i] = -1;
  for (int u = 0; u < b->n_u; u++) unknown[b->N.row[b->N.ptr[u]]] = u;  // one motion each
  for (int e = 0; e < mesh->n_elem && rc == MW_OK; e++) {
    const int *node = mesh->elem_node + mesh->elem_ptr[e];
    int n = mesh->elem_ptr[e + 1] - mesh->elem_ptr[e];
    double X[3 * MW_SOLID_MAX_NODE], mu[MW_SOLID_MAX_NODE * MW_SOLID_MAX_NODE];
    for (int i = 0; i < 3 * n; i++) X[i] = b->X[3 * node[i / 3] + i % 3];
    rc =
        mw_solid_mass((mw_elem_kind)mesh->elem_kind[e], X, b->part_material[mesh->elem_part[e]].rho,
                      true, mesh->elem_tag[e], MW_NOWHERE, mu, err);
    for (int i = 0; i < 3 * n * n && rc == MW_OK; i++) {
      int p = unknown[3 * node[i / (3 * n)] + i % 3], q = unknown[3 * node[i / 3 % n] + i % 3];
      if (p >= 0 && q >= 0) mw_triplets_add(&t, p, q, mu[i / 3]);
    }
  }
  if (rc == MW_OK) rc = mw_csc_build(&t, b->n_u, b->n_u, true, mem, out, err);
  mw_triplets_free(&t);
  return rc;
}

// λ [N_MODE] of K x = λ M x, above the six rigid ones of a free body. X [N_BLOCK × n]
static bool solve_modes(const mw_body *b, bool is_free, double *lambda, mw_error *err)
{
  int n = b->n_u, first = is_free ? 6 : 0;
  size_t size = (size_t)n * N_BLOCK;
  const double sigma = 1e6;  // (rad/s)², 160 Hz: K + σM is definite, free or not
  mw_arena mem = { 0 };
  mw_csc A;
  mw_factor *fac = NULL;
  unsigned seed = 1;
  double a[N_BLOCK * N_BLOCK], m[N_BLOCK * N_BLOCK], V[N_BLOCK * N_BLOCK], theta[N_BLOCK],
      last[N_BLOCK] = { 0 };
  double *X = mw_arena_f64(&mem, size), *Y = mw_arena_f64(&mem, size), change = INFINITY;
  mw_code rc = mw_arena_check(&mem, err);
  if (rc == MW_OK) rc = mw_csc_add(1.0, &b->K, sigma, &b->M, &mem, &A, err);
  if (rc == MW_OK) rc = mw_factor_build(&A, true, &fac, err);
  for (size_t i = 0; rc == MW_OK && i < size; i++) {
    seed = seed * 1664525u + 1013904223u;
    X[i] = (double)(seed >> 8) / 8388608.0 - 1.0;
  }
  // X := (K + σM)⁻¹ M X, then its Ritz vectors: the ratio of neighbours is θ_k / θ_(N_BLOCK+1) a
  // step
  for (int step = 0; step < N_STEP && rc == MW_OK && change > SETTLED; step++) {
    for (int k = 0; k < N_BLOCK; k++)
      mw_csc_mul(&b->M, 1.0, X + (size_t)k * (size_t)n, 0.0, Y + (size_t)k * (size_t)n);
    rc = mw_factor_solve(fac, N_BLOCK, Y, X, err);
    if (rc != MW_OK) break;
    // Ritz: a = Xᵀ A X, m = Xᵀ M X
    for (int which = 0; which < 2; which++) {
      for (int k = 0; k < N_BLOCK; k++)
        mw_csc_mul(which ? &b->M : &A, 1.0, X + (size_t)k * (size_t)n, 0.0,
                   Y + (size_t)k * (size_t)n);
      mw_gemm('n', 't', N_BLOCK, N_BLOCK, n, 1.0, X, Y, 0.0, which ? m : a);
    }
    rc = mw_eig_gen(N_BLOCK, a, m, theta, V, err);
    if (rc != MW_OK) break;
    mw_gemm('t', 'n', N_BLOCK, n, N_BLOCK, 1.0, V, X, 0.0, Y);
    memcpy(X, Y, size * sizeof *X);
    change = 0.0;
    for (int k = 0; k < first + N_MODE; k++) {
      change = fmax(change, fabs(theta[k] / last[k] - 1.0));
      last[k] = theta[k];
    }
    if (step == 0) change = INFINITY;
  }
  for (int k = 0; k < N_MODE && rc == MW_OK; k++) lambda[k] = theta[first + k] - sigma;
  mw_factor_free(fac);
  mw_arena_free(&mem);
  return report(rc, err);
}

// ---- comparison ----

// largest |A − B| over the largest |A|; both of one pattern up to zeros
static double difference(const mw_csc *A, const mw_csc *B, mw_error *err)
{
  mw_arena mem = { 0 };
  mw_csc D;
  double most = 0.0, scale = 0.0;
  if (A->n_col != B->n_col || mw_csc_add(1.0, A, -1.0, B, &mem, &D, err) != MW_OK) {
    mw_arena_free(&mem);
    return INFINITY;
  }
  for (int p = 0; p < D.ptr[D.n_col]; p++) most = fmax(most, fabs(D.val[p]));
  for (int p = 0; p < A->ptr[A->n_col]; p++) scale = fmax(scale, fabs(A->val[p]));
  mw_arena_free(&mem);
  return most / scale;
}

static double worst_of(const double *la, const double *lb)
{
  double worst = 0.0;
  for (int k = 0; k < N_MODE; k++) worst = fmax(worst, fabs(sqrt(lb[k] / la[k]) - 1.0));
  return worst;
}

static bool judge(const bar *b, part *own, const mw_body *foreign)
{
  mw_error err = { 0 };
  mw_body like = own->body;
  double exact[N_MODE], la[N_MODE], lb[N_MODE];
  if (!report(like_calculix(&own->body, &own->mem, &like.M, &err), &err) ||
      !solve_modes(&own->body, !b->clamped, exact, &err) ||
      !solve_modes(&like, !b->clamped, la, &err) || !solve_modes(foreign, !b->clamped, lb, &err))
    return false;
  double worst = worst_of(la, lb);
  bool pass = worst <= TOLERANCE;
  printf("%-6s %-8s %7d %10.3f %10.3f %12.2e %10.1e %10.1e %12.2e  %s\n",
         b->tet ? "C3D10" : "C3D20", b->clamped ? "clamped" : "free", like.n_u,
         sqrt(lb[0]) / TWO_PI, sqrt(lb[N_MODE - 1]) / TWO_PI, worst,
         difference(&like.K, &foreign->K, &err), difference(&like.M, &foreign->M, &err),
         worst_of(exact, lb), pass ? "PASS" : "FAIL");
  fflush(stdout);
  return pass;
}

static bool compare(const bar *b)
{
  part own = { 0 }, foreign = { 0 };
  if (!write_inp(b) || system("OMP_NUM_THREADS=1 ccx " STEM " > " STEM ".log 2>&1") != 0) {
    fprintf(stderr, "bench_import: ccx did not run, see " STEM ".log\n");
    return false;
  }
  bool okay =
      read_part(b, false, &own) && read_part(b, true, &foreign) && judge(b, &own, &foreign.body);
  free_part(&own);
  free_part(&foreign);
  return okay;
}

int main(int argc, char **argv)
{
  static const char *const END[] = { ".inp", ".sti", ".mas", ".dof", ".12d",
                                     ".cvg", ".dat", ".frd", ".sta", ".log" };
  int nx = argc > 1 ? atoi(argv[1]) : 24;
  bool okay = true;
  if (nx < 2 || nx > 200) return fprintf(stderr, "usage: bench_import [2 … 200]\n"), 2;
  printf("own assembly against CalculiX's stored matrices, at most %g\n", TOLERANCE);
  printf("%-6s %-8s %7s %10s %10s %12s %10s %10s %12s\n", "mesh", "", "dofs", "f1/Hz", "f10/Hz",
         "frequencies", "K", "M", "exact mass");
  for (int k = 0; k < 4; k++) {
    bar b = { { nx, nx / 6 + 1, nx / 8 + 1 }, k < 2, k % 2 };
    okay &= compare(&b);
  }
  for (size_t k = 0; okay && k < sizeof END / sizeof *END; k++) {
    char path[64];
    snprintf(path, sizeof path, STEM "%s", END[k]);
    remove(path);
  }
  return okay ? 0 : 1;
}
