// SPDX-License-Identifier: BSD-3-Clause
// bench_second.c: frequencies of machines that turn, stand under their weight or are pushed, of the
// reduced model against closed forms and tables: what the second order of the motion is for.
//
//   about a steady state, rates θ' and forces u constant, nothing else changing with θ:
//   δ'' + 2 θ' e δ' + (K − θ'² c − Σ u Y) δ = 0                                                 (1)
//   frequencies: x' = N x, N = L⁻¹ [0 K'; −K' −2θ'e] L⁻ᵀ skew, L Lᵀ = diag(K', 1): eigenvalues of
//     NᵀN are ω², in pairs
// Largest relative error of the first frequencies over each table; exit status 1 above the limits.
// usage: bench_second REFERENCE_FOLDER
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture.h"
#include "base/dense.h"
#include "reduction/reduce.h"

enum { N_FREQ = 3 };
static const double LIMIT = 1e-3;
static const double PI = 3.14159265358979323846;

// A steel strip of 1 m × 30 mm × 5 mm: √(EI / ρA L⁴) = 7.465 rad/s the thin way.
static const double E = 210e9, RHO = 7850.0, WIDTH = 0.03, HEIGHT = 0.005;
#define STRIP                                                                                      \
  "materials: { steel: { E: 210e9, nu: 0.3, rho: 7850 } }\n"                                       \
  "sections: { strip: { rectangle: { width: 0.03, height: 0.005 }, shear: false, rotary: false } " \
  "}\n"

static double unit(void) { return sqrt(E * HEIGHT * HEIGHT / (12.0 * RHO)); }

typedef struct reduced {
  mw_fixture f;
  mw_rom_file file;
  double *v;   // [n_field]
  int pushed;  // field that the drive `pull` acts along, −1
  mw_arena mem;
} reduced;

static bool open_rom(const char *text, reduced *r)
{
  mw_error err = { 0 };
  *r = (reduced){ 0 };
  if (!mw_fixture_text(text, &r->f)) return false;
  mw_code rc = mw_reduce(&r->f.model, &r->f.mech, NULL, &r->file, &err);
  r->pushed = -1;
  for (int k = 0; rc == MW_OK && k < r->file.rom.n_u; k++)
    if (strcmp(r->file.input[k], "pull") == 0) r->pushed = r->file.rom.u_field[k];
  r->v = mw_arena_f64(&r->mem, (size_t)r->file.rom.n_field);
  if (rc != MW_OK) fprintf(stderr, "bench_second: %s\n", err.msg);
  return rc == MW_OK;
}

static void close_rom(reduced *r)
{
  mw_rom_file_free(&r->file);
  mw_fixture_free(&r->f);
  mw_arena_free(&r->mem);
}

// Frequencies of (1), rad/s ascending, w [m]; false: not stable, or no memory
static bool frequencies(reduced *r, double theta, double rate, double u, double *w)
{
  const mw_rom *rom = &r->file.rom;
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  int m = rom->m, mm = m * (m + 1) / 2, N = 2 * m;
  mw_arena mem = { 0 };
  size_t M = (size_t)m, NN = (size_t)N * (size_t)N;
  double *K = mw_arena_f64(&mem, M * M), *S = mw_arena_f64(&mem, NN), *A = mw_arena_f64(&mem, NN),
         *V = mw_arena_f64(&mem, NN), *l = mw_arena_f64(&mem, (size_t)N);
  bool good = mw_arena_check(&mem, NULL) == MW_OK &&
              mw_rom_fields(rom, &theta, r->v, NULL, NULL) == MW_ROM_OK;
  for (int a = 0; good && a < m; a++)
    for (int b = 0; b <= a; b++) {
      int k = a * (a + 1) / 2 + b;
      double x = r->v[L.K + k] - rate * rate * r->v[L.c + k];
      for (int q = 0; q < rom->n_Y; q++)
        if (u != 0.0 && rom->Y_field[q] == r->pushed) x -= u * r->v[L.Y + q * mm + k];
      K[a * m + b] = K[b * m + a] = x;
    }
  good = good && mw_chol_factor(m, K, NULL) == MW_OK;
  // N = [0, Lᵀ; −L, −2θ'e], as L⁻¹ K' = Lᵀ
  for (int a = 0; good && a < m; a++)
    for (int b = 0; b < m; b++) {
      double e = a == b ? 0.0 : r->v[L.e + (a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a)];
      if (b <= a) {
        S[b * N + m + a] = K[a * m + b];
        S[(m + a) * N + b] = -K[a * m + b];
      }
      S[(m + a) * N + m + b] = -2.0 * rate * (a > b ? e : -e);
    }
  if (good) mw_gemm('t', 'n', N, N, N, 1.0, S, S, 0.0, A);
  good = good && mw_eig_sym(N, A, l, V, NULL) == MW_OK;
  for (int a = 0; good && a < m; a++) w[a] = sqrt(0.5 * (l[2 * a] + l[2 * a + 1]));
  mw_arena_free(&mem);
  return good;
}

// The frequency nearest to `want`: modes of the other direction lie between.
static double off(int m, const double *w, double want)
{
  double best = INFINITY;
  for (int a = 0; a < m; a++) best = fmin(best, fabs(w[a] / want - 1.0));
  return best;
}

static bool judge(const char *what, const double worst[N_FREQ])
{
  double most = fmax(worst[0], fmax(worst[1], worst[2]));
  bool met = most <= LIMIT;
  printf("%-62s %8.1e %8.1e %8.1e   %s\n", what, worst[0], worst[1], worst[2],
         met ? "" : "ABOVE 1e-3");
  return met;
}

static FILE *open_table(const char *folder, const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  if (!f) fprintf(stderr, "bench_second: cannot read %s\n", path);
  return f;
}

// ---- rotating cantilever ------------------------------------------------------------------------

static const char *const BLADE =
    "modeway: 1\nname: blade on a hub\n" STRIP "bodies:\n"
    "  hub:\n"
    "    rigid: { mass: 5, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] }\n"
    "    frames: { rim: { point: [%.17g, 0, 0] } }\n"
    "  blade:\n"
    "    at: [%.17g, 0, 0]\n"
    "    beams:\n"
    "      points: { root: [0, 0, 0], tip: [1, 0, 0] }\n"
    "      members: [ { from: root, to: tip, section: strip, material: steel, elements: 48, up: "
    "%s } ]\n"
    "    frames: { root: { node: root }, tip: { node: tip } }\n"
    "joints:\n"
    "  axis: { revolute: { a: ground, b: hub, axis: [0, 0, 1] }, coordinate: phi, drive: motor }\n"
    "  rim: { fixed: { a: hub.rim, b: blade.root } }\n"
    "outputs: { tip: { frame: blade.tip } }\n"
    "reduction:\n"
    "  coordinates: { phi: { range: [-1, 1], points: 5, refine: 1 } }\n"
    "  modes: { count: 12 }\n"
    "  certificate: { points: 1 }\n";

static bool rotating(const char *folder, double hub, bool lag)
{
  char text[4096], line[512], what[128];
  double worst[N_FREQ] = { 0.0 };
  reduced r;
  snprintf(text, sizeof text, BLADE, hub, hub, lag ? "[0, 1, 0]" : "[0, 0, 1]");
  FILE *f = open_table(folder, "R21_rotating_cantilever.csv");
  bool good = f && open_rom(text, &r);
  double *w = good ? mw_arena_f64(&r.mem, (size_t)r.file.rom.m) : NULL;
  while (good && fgets(line, sizeof line, f)) {
    double x[8];
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6,
               x + 7) != 8 ||
        x[0] != hub)
      continue;
    good = frequencies(&r, 0.3, x[1] * unit(), 0.0, w);
    for (int k = 0; good && k < N_FREQ; k++)
      worst[k] = fmax(worst[k], off(r.file.rom.m, w, x[2 + (lag ? 3 : 0) + k] * unit()));
  }
  if (f) fclose(f);
  if (good) close_rom(&r);
  snprintf(what, sizeof what, "rotating cantilever, hub radius %g, %s, eta 0 to 12", hub,
           lag ? "lag" : "flap");
  return judge(what, worst) && good;
}

// ---- heavy cantilever ---------------------------------------------------------------------------

static const char *const HEAVY =
    "modeway: 1\nname: heavy strip\ngravity: [%.17g, 0, 0]\n" STRIP "bodies:\n"
    "  sled: { rigid: { mass: 5, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] } }\n"
    "  strip:\n"
    "    beams:\n"
    "      points: { root: [0, 0, 0], tip: [1, 0, 0] }\n"
    "      members: [ { from: root, to: tip, section: strip, material: steel, elements: 48, up: "
    "[0, 0, 1] } ]\n"
    "    frames: { root: { node: root }, tip: { node: tip } }\n"
    "joints:\n"
    "  y: { prismatic: { a: ground, b: sled, axis: [0, 1, 0] }, coordinate: y, drive: motor }\n"
    "  root: { fixed: { a: sled, b: strip.root } }\n"
    "outputs: { tip: { frame: strip.tip } }\n"
    "reduction:\n"
    "  coordinates: { y: { range: [-1, 1], points: 5, refine: 1 } }\n"
    "  modes: { count: 10 }\n"
    "  certificate: { points: 1 }\n";

static bool heavy(const char *folder, double from, double to, const char *what)
{
  char text[4096], line[512];
  double worst[N_FREQ] = { 0.0 };
  FILE *f = open_table(folder, "R21_heavy_cantilever.csv");
  bool good = f != NULL;
  while (good && fgets(line, sizeof line, f)) {
    double x[4];
    reduced r;
    if (sscanf(line, "%lf,%lf,%lf,%lf", x, x + 1, x + 2, x + 3) != 4 || x[0] < from || x[0] > to)
      continue;
    snprintf(text, sizeof text, HEAVY, x[0] * unit() * unit());
    good = open_rom(text, &r);
    double *w = good ? mw_arena_f64(&r.mem, (size_t)r.file.rom.m) : NULL;
    good = good && frequencies(&r, 0.3, 0.0, 0.0, w);
    for (int k = 0; good && k < N_FREQ; k++)
      worst[k] = fmax(worst[k], off(r.file.rom.m, w, x[1 + k] * unit()));
    close_rom(&r);
  }
  if (f) fclose(f);
  return judge(what, worst) && good;
}

// ---- axial force --------------------------------------------------------------------------------

static const char *const PRELOADED =
    "modeway: 1\nname: preloaded strip\n" STRIP "bodies:\n"
    "  strip:\n"
    "    ground: true\n"
    "    beams:\n"
    "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n"
    "      members: [ { from: a, to: b, section: strip, material: steel, elements: 80, up: [0, 0, "
    "1] } ]\n"
    "    supports: [ { nodes: a, dofs: [x, y, z, rx] }, { nodes: b, dofs: [y, z] } ]\n"
    "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n"
    "    frames: { end: { node: b } }\n"
    "  mass:\n"
    "    at: [0.2, 0, 0]\n"
    "    rigid: { mass: %.17g, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] }\n"
    "joints:\n"
    "  x: { slide: { guide: strip.rail, on: mass, orientation: fixed }, coordinate: x, drive: "
    "motor }\n"
    "drives: { pull: { force: { on: strip.end, direction: [1, 0, 0] } } }\n"
    "outputs: { mass: { body: mass, point: [0, 0, 0] } }\n"
    "reduction:\n"
    "  coordinates: { x: { range: [0, 1], points: 41, refine: 1 } }\n"
    "  modes: { count: 12 }\n"
    "  certificate: { points: 1 }\n";

static bool axial(const char *folder, double from)
{
  char text[4096], line[512];
  double worst[N_FREQ] = { 0.0 }, EI = E * WIDTH * HEIGHT * HEIGHT * HEIGHT / 12.0;
  reduced r;
  snprintf(text, sizeof text, PRELOADED, 0.5 * RHO * WIDTH * HEIGHT);
  FILE *f = open_table(folder, "R21_ss_axial_pointmass.csv");
  bool good = f && open_rom(text, &r);
  double *w = good ? mw_arena_f64(&r.mem, (size_t)r.file.rom.m) : NULL;
  while (good && fgets(line, sizeof line, f)) {
    double x[6];
    if (sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", x, x + 1, x + 2, x + 3, x + 4, x + 5) != 6 ||
        x[1] != 0.5 || x[0] < from)
      continue;
    good = frequencies(&r, x[2], 0.0, x[0] * EI, w);
    for (int k = 0; good && k < N_FREQ; k++)
      worst[k] = fmax(worst[k], off(r.file.rom.m, w, x[3 + k] * unit()));
  }
  if (f) fclose(f);
  if (good) close_rom(&r);
  return judge("beam under axial force with a point mass at 21 places", worst) && good;
}

int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: bench_second REFERENCE_FOLDER\n");
    return 2;
  }
  bool met = true;
  printf("%-62s %8s %8s %8s\n", "largest relative error of the frequencies", "1", "2", "3");
  for (int hub = 0; hub < 2; hub++)
    for (int lag = 0; lag < 2; lag++) met &= rotating(argv[1], hub, lag == 1);
  met &= heavy(argv[1], -6.3, -0.1, "standing cantilever, to 0.8 of what buckles it");
  met &= heavy(argv[1], 0.0, 1e9, "hanging cantilever");
  met &= axial(argv[1], -0.8 * PI * PI);
  return met ? 0 : 1;
}
