// SPDX-License-Identifier: BSD-3-Clause
// bench_frf_ccx.c: frequency responses of a reduced model at random places and frequencies, beside
// CalculiX on the meshes.
//
//   bench_frf_ccx [--keep] [pairs]      default 100
//
// A table of C3D20 travels on a bed of C3D20 on eight springs of runners, whose pads press on faces
// of the bed. At each random (θ, f), θ over the whole range and f over the band that the
// certificate judges, ccx gets both meshes with the rows of the joints at that θ
// (ccx_mechanism.c); forces along the three directions of the table's top, responses there and of
// the bed, damping ratio of every mode (even pairs) or Rayleigh's (odd ones) as in the model:
//   ours  H of sim/frf.h, what `modeway frf` prints
//   ccx   *STEADY STATE DYNAMICS, which superposes N modes, and what *STATIC has beyond them:
//         H = H_N + (C − Σ b bᵀ/λ); it leaves out at most ω²/λ_N of that last term, undamped
// Errors as the certificate has them (mw_receptance_compare): |ΔH_ij| over √(E_i E_j), E the sum of
// the moduli of the terms of H_ii, here those of ccx. Exit status 1 when one of them is above what
// the certificate lets receptances err by, it is not met, or ccx does not run (it must be
// installed). Takes some ten minutes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ccx_mechanism.h"
#include "fixture.h"
#include "fixture_grid.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"
#include "sim/frf.h"

enum { N_MODE = 40, N_LOAD = 3, N_END = 6 };
enum { RATIO, BETA_K, DAMPINGS };
static const char *const DAMPING[DAMPINGS] = { "ratio", "beta K" };

static const double ZETA = 0.02, BETA = 1e-5;  // 1, s

static const char *const BODIES =
    "modeway: 1\nname: table on a solid bed\ngravity: [0, 0, 0]\ndamping: { %s: %g }\n"
    "materials: { iron: { E: 120e9, nu: 0.26, rho: 7200 } }\n"
    "bodies:\n"
    "  bed:\n    ground: true\n    mesh: bed.msh\n    unit: m\n    material: iron\n"
    "    sets:\n"
    "      f1: { box: { from: [0, 0, 0], to: [0.1, 0.05, 0] } }\n"
    "      f2: { box: { from: [0.9, 0, 0], to: [1, 0.05, 0] } }\n"
    "      f3: { box: { from: [0, 0.25, 0], to: [0.1, 0.3, 0] } }\n"
    "      f4: { box: { from: [0.9, 0.25, 0], to: [1, 0.3, 0] } }\n"
    "    supports: [ { nodes: f1 }, { nodes: f2 }, { nodes: f3 }, { nodes: f4 } ]\n"
    "    frames: { mid: { point: [0.5, 0.15, 0.06] } }\n"
    "    guides:\n"
    "      r: { points: [[0.05, 0.025, 0.06], [0.95, 0.025, 0.06]], normal: [0, 0, 1],\n"
    "           pad: { length: 0.08, width: 0.03 } }\n"
    "      l: { points: [[0.05, 0.275, 0.06], [0.95, 0.275, 0.06]], normal: [0, 0, 1],\n"
    "           pad: { length: 0.08, width: 0.03 } }\n"
    "  table:\n    at: [0.5, 0.15, 0.06]\n    mesh: table.msh\n    unit: m\n    material: iron\n"
    "    sets:\n"
    "      br: { box: { from: [-0.12, -0.15, 0], to: [-0.04, -0.1, 0] } }\n"
    "      fr: { box: { from: [0.04, -0.15, 0], to: [0.12, -0.1, 0] } }\n"
    "      bl: { box: { from: [-0.12, 0.1, 0], to: [-0.04, 0.15, 0] } }\n"
    "      fl: { box: { from: [0.04, 0.1, 0], to: [0.12, 0.15, 0] } }\n"
    "      nut: { box: { from: [-0.04, -0.05, 0], to: [0.04, 0.05, 0] } }\n"
    "      top: { box: { from: [0.04, -0.1, 0.05], to: [0.12, -0.05, 0.05] } }\n"
    "    frames: { br: { average: br }, fr: { average: fr }, bl: { average: bl },\n"
    "              fl: { average: fl }, nut: { average: nut }, top: { average: top } }\n"
    "joints:\n"
    "  x: { slide: { guide: bed.r, on: table.nut, runners: [] }, coordinate: x, drive: motor }\n";
static const char *const JOINT =
    "  %s: { slide: { guide: bed.%c, on: table.%s, runners: [ { stiffness: [4e8, 3e8], damping: "
    "[%g, %g] } ] } }\n";
static const char *const REST =
    "outputs: { tool: { frame: table.top }, bed: { frame: bed.mid } }\n"
    "reduction:\n  coordinates:\n"
    "    x: { range: [0.2, 0.7], points: 11, max_rate: 2, max_acceleration: 20 }\n"
    "  modes: { band: 900 }\n  tolerance: 1e-3\n"
    "  certificate: { receptance: 1e-2, points: 4, samples: 60 }\n";

typedef struct machine {
  mw_fixture fixture;
  mw_rom_file rom;
  mw_blocks *blocks;
  mw_frf *frf;
  mw_arena mem;
  double *F;  // [N_END × n]
  double band, tolerance;
} machine;

// ---- the machine --------------------------------------------------------------------------------

static bool write_model(const char *dir, int damping)
{
  static const char *const runner[4] = { "br", "fr", "bl", "fl" };
  char path[512];
  fixture_grid_box bed = { MW_ELEM_HEX20, { 20, 6, 2 }, { 0, 0, 0 }, { 1, 0.3, 0.06 }, NULL },
                   table = {
                     MW_ELEM_HEX20, { 6, 6, 2 }, { -0.12, -0.15, 0 }, { 0.24, 0.3, 0.05 }, NULL
                   };
  snprintf(path, sizeof path, "%s/bed.msh", dir);
  if (fixture_grid(path, 1, &bed) != 0) return false;
  snprintf(path, sizeof path, "%s/table.msh", dir);
  if (fixture_grid(path, 1, &table) != 0) return false;
  snprintf(path, sizeof path, "%s/machine.yaml", dir);
  FILE *f = fopen(path, "w");
  if (!f) return false;
  double loss = damping == BETA_K ? BETA : 0.0;
  fprintf(f, BODIES, damping == BETA_K ? "beta" : "modal", damping == BETA_K ? BETA : ZETA);
  for (int k = 0; k < 4; k++)
    fprintf(f, JOINT, runner[k], runner[k][1], runner[k], loss * 4e8, loss * 3e8);
  fputs(REST, f);
  return fclose(f) == 0;
}

static mw_code open_frf(machine *m, mw_error *err)
{
  static const double ANY = 1.0;  // Hz, until frequencies are asked for
  static mw_frf_end *from, *to;
  int n_from = 0, n_to = 0;
  mw_code rc = mw_frf_ends(&m->rom, "from", "tool", &m->mem, &n_from, &from, err);
  if (rc == MW_OK) rc = mw_frf_ends(&m->rom, "to", "tool,bed", &m->mem, &n_to, &to, err);
  mw_frf_in in = {
    .n_to = n_to, .n_from = n_from, .to = to, .from = from, .n_hz = 1, .hz = &ANY, .held = 1u
  };
  return rc == MW_OK ? mw_frf_open(&m->rom, &in, &m->frf, err) : rc;
}

static void close_machine(machine *m)
{
  mw_frf_close(m->frf);
  mw_blocks_free(m->blocks);
  mw_rom_file_free(&m->rom);
  mw_fixture_free(&m->fixture);
  mw_arena_free(&m->mem);
}

static bool open_machine(const char *dir, int damping, machine *m)
{
  char path[512];
  mw_error err = { 0 };
  *m = (machine){ 0 };
  snprintf(path, sizeof path, "%s/machine.yaml", dir);
  if (!write_model(dir, damping) || !mw_fixture_file(path, &m->fixture)) return false;
  mw_code rc = mw_reduce(&m->fixture.model, &m->fixture.mech, NULL, &m->rom, &err);
  if (rc == MW_OK) rc = mw_blocks_build(&m->fixture.mech, 0.0, false, &m->blocks, &err);
  if (rc == MW_OK) {
    m->F = mw_arena_f64(&m->mem, N_END * (size_t)mw_blocks_size(m->blocks));
    rc = mw_arena_check(&m->mem, &err);
  }
  if (rc == MW_OK) rc = open_frf(m, &err);
  if (!mw_fixture_okay(rc, &err)) {
    close_machine(m);
    return false;
  }
  const mw_certificate *c = &m->rom.certificate;
  m->band = mw_certificate_bandwidth(c);
  m->tolerance = mw_certificate_receptance_tolerance(c);
  printf("damping by %s: %d unknowns, %d reduced; certificate %s, receptances within %.2e up to "
         "%.1f Hz, %.2e allowed\n",
         DAMPING[damping], mw_blocks_size(m->blocks), m->rom.rom.m,
         mw_certificate_met(c) ? "met" : "MISSED", c->max_receptance_error, m->band, m->tolerance);
  return true;
}

// ---- a pair -------------------------------------------------------------------------------------

static mw_code place(machine *m, double x, const unsigned char *locked, mw_arena *mem,
                     mw_system **sys, mw_error *err)
{
  const mw_mech *mech = &m->fixture.mech;
  double *p = mw_arena_f64(mem, 12 * (size_t)mech->n_body),
         *s = mw_arena_f64(mem, (size_t)mech->n_coord),
         *theta = mw_arena_f64(mem, (size_t)mech->n_coord);
  mw_code rc = mw_arena_check(mem, err);
  if (rc != MW_OK) return rc;
  memcpy(p, mech->p0, 12 * (size_t)mech->n_body * sizeof *p);
  memcpy(s, mech->s0, (size_t)mech->n_coord * sizeof *s);
  theta[mw_mech_coord(mech, "x")] = x;
  rc = mw_mech_rigid_solve(mech, locked, theta, p, s, err);
  if (rc == MW_OK) rc = mw_system_view(m->blocks, locked, p, s, sys, err);
  for (int e = 0; rc == MW_OK && e < N_END; e++) {
    const mw_output_in *o = &m->fixture.model.output[e / 3];
    double dir[3] = { e % 3 == 0, e % 3 == 1, e % 3 == 2 };
    mw_system_load_point(*sys, o->ref, o->x, dir,
                         m->F + (size_t)e * (size_t)mw_blocks_size(m->blocks));
  }
  return rc;
}

// Σ of the moduli of the terms of H_ii: modes and what statics has beyond them, rest [N_LOAD ×
// N_END]; of an end without a force of its own the modes alone
static double envelope(const ccx_ask *q, const ccx_answer *a, const double *rest, int i)
{
  double w = 2.0 * acos(-1.0) * q->hz, sum = i < N_LOAD ? fabs(rest[i * N_END + i]) : 0.0;
  for (int k = 0; k < q->n_mode; k++) {
    double b = a->b[k * N_END + i], l = a->lambda[k];
    double c = q->zeta > 0.0 ? 2.0 * q->zeta * w * sqrt(l) : w * q->beta * l;
    sum += b * b / hypot(l - w * w, c);
  }
  return sum;
}

typedef struct errors {
  double ours, left;  // of ours against ccx's, and the most that ccx leaves out
  double alone;       // without what statics adds
} errors;

static errors compare(const ccx_ask *q, const ccx_answer *a, const double *H)
{
  double rest[N_LOAD * N_END], E[N_END], w = 2.0 * acos(-1.0) * q->hz;
  errors e = { 0 };
  for (int i = 0; i < N_LOAD * N_END; i++) {
    rest[i] = a->C[i];
    for (int k = 0; k < q->n_mode; k++)
      rest[i] -= a->b[k * N_END + i / N_END] * a->b[k * N_END + i % N_END] / a->lambda[k];
  }
  for (int i = 0; i < N_END; i++) E[i] = envelope(q, a, rest, i);
  for (int l = 0; l < N_LOAD; l++)
    for (int i = 0; i < N_END; i++) {
      double size = sqrt(E[l] * E[i]), r = rest[l * N_END + i];
      double re = a->H[2 * l * N_END + i], im = a->H[(2 * l + 1) * N_END + i];
      const double *ours = H + 2 * (i * N_LOAD + l);
      e.ours = fmax(e.ours, hypot(ours[0] - re - r, ours[1] - im) / size);
      e.alone = fmax(e.alone, hypot(ours[0] - re, ours[1] - im) / size);
      double x = w * w / a->lambda[q->n_mode - 1];
      e.left = fmax(e.left, x / (1.0 - x) * fabs(r) / size);
    }
  return e;
}

static bool pair(machine *m, int damping, double x, double hz, const char *dir, errors *e)
{
  double H[2 * N_END * N_LOAD];
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_system *sys = NULL;
  ccx_answer a;
  unsigned char *locked = mw_arena_alloc(&mem, (size_t)m->fixture.mech.n_coord, 1);
  mw_code rc = mw_arena_check(&mem, &err);
  if (rc == MW_OK) locked[mw_mech_coord(&m->fixture.mech, "x")] = 1;
  if (rc == MW_OK) rc = place(m, x, locked, &mem, &sys, &err);
  if (rc == MW_OK) rc = mw_frf_at(m->frf, &x, H, &err);
  if (rc == MW_OK) rc = mw_frf_more(m->frf, 1, &hz, H, &err);
  ccx_ask q = { .mech = &m->fixture.mech,
                .sys = sys,
                .locked = locked,
                .n_end = N_END,
                .n_load = N_LOAD,
                .F = m->F,
                .n_mode = N_MODE,
                .hz = hz,
                .zeta = damping == RATIO ? ZETA : 0.0,
                .beta = BETA };
  bool good = mw_fixture_okay(rc, &err) && ccx_mechanism(&q, dir, &mem, &a);
  if (good) *e = compare(&q, &a, H);
  mw_system_free(sys);
  mw_arena_free(&mem);
  return good;
}

// ---- all pairs ----------------------------------------------------------------------------------

static double draw(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) / 16777216.0;
}

static bool all_pairs(machine *m, int pairs, const char *dir)
{
  unsigned seed = 1;
  int within = 0;
  errors worst = { 0 };
  printf("%9s %9s %8s %10s %10s %10s\n", "x m", "f Hz", "damping", "error", "ccx omits",
         "no statics");
  for (int k = 0; k < pairs; k++) {
    machine *at = &m[k % DAMPINGS];
    double lo = at->rom.rom.lo[0], hi = at->rom.rom.hi[0], x = lo + (hi - lo) * draw(&seed),
           hz = at->band * draw(&seed);
    errors e;
    if (!pair(at, k % DAMPINGS, x, hz, dir, &e)) return false;
    bool good = e.ours <= at->tolerance;
    within += good;
    worst.ours = fmax(worst.ours, e.ours);
    worst.left = fmax(worst.left, e.left);
    printf("%9.5f %9.3f %8s %10.2e %10.2e %10.2e%s\n", x, hz, DAMPING[k % DAMPINGS], e.ours, e.left,
           e.alone, good ? "" : "  MISSED");
    fflush(stdout);
  }
  printf("within the certificate at %d of %d: largest error %.2e, of it ccx may owe %.2e\n", within,
         pairs, worst.ours, worst.left);
  return within == pairs;
}

static void clean(const char *dir)
{
  static const char *const file[] = { "bed.msh",       "table.msh",     "machine.yaml",
                                      "mechanism.inp", "mechanism.dat", "mechanism.frd",
                                      "mechanism.sta", "mechanism.cvg", "mechanism.12d",
                                      "mechanism.eig", "ccx.log" };
  char path[512];
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    snprintf(path, sizeof path, "%s/%s", dir, file[i]);
    remove(path);
  }
  rmdir(dir);
}

int main(int argc, char **argv)
{
  const char *tmp = getenv("TMPDIR");
  char dir[256];
  bool keep = argc > 1 && strcmp(argv[1], "--keep") == 0;
  int pairs = argc > 1 + keep ? atoi(argv[1 + keep]) : 100;
  machine m[DAMPINGS] = { 0 };
  if (pairs < 1) return fprintf(stderr, "usage: bench_frf_ccx [--keep] [pairs]\n"), 2;
  snprintf(dir, sizeof dir, "%s/bench-frf-XXXXXX", tmp ? tmp : "/tmp");
  if (!mkdtemp(dir)) {
    perror(dir);
    return 1;
  }
  bool good = true;
  for (int k = 0; k < DAMPINGS && good; k++) good = open_machine(dir, k, &m[k]);
  for (int k = 0; k < DAMPINGS && good; k++) good = mw_certificate_met(&m[k].rom.certificate);
  good = good && all_pairs(m, pairs, dir);
  for (int k = 0; k < DAMPINGS; k++) close_machine(&m[k]);
  if (keep)
    printf("files of the last pair: %s\n", dir);
  else
    clean(dir);
  return !good;
}
