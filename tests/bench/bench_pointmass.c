// SPDX-License-Identifier: BSD-3-Clause
// bench_pointmass.c: frequencies of a beam with a point mass anywhere along it, direct and reduced,
// against closed forms.
//
// Tables tests/references/R07_beam_pointmass_*.csv: λ_i at ξ = 0, 0.05, …, 1, ω_i = λ_i² for
// EI = ρA = L = 1. Reduced models on 25 and 49 grid points: all ξ but 0, 1/4, 1/2, 3/4, 1 lie off
// the grid. Prints the relative errors of ω per mode, largest over ξ, and what the certificate
// says; judges nothing. A heavy mass on the free end changes the fifth and sixth mode too fast for
// 25 points: the certificate must say so.
// usage: bench_pointmass REFERENCE_FOLDER
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "reduction/reduce.h"

enum { N_MODE = 6, MAX_ROW = 64, N_ELEMENT = 128, N_GRID = 2 };

static const int GRIDS[N_GRID] = { 25, 49 };
static const double PI = 3.14159265358979323846;

typedef struct table {
  int n;
  double xi[MAX_ROW], omega[MAX_ROW][N_MODE];  // 1, rad/s
} table;

typedef struct variant {
  const char *supports;  // "SS" or "CF", as in the names of the tables
  const char *mu;        // point mass over ρ A L
} variant;

static int read_table(const char *folder, const variant *v, table *out)
{
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/R07_beam_pointmass_%s_mu%s.csv", folder, v->supports, v->mu);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  out->n = 0;
  while (out->n < MAX_ROW && fgets(line, sizeof line, f)) {
    double l[N_MODE], *xi = &out->xi[out->n];
    int n = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", xi, l, l + 1, l + 2, l + 3, l + 4, l + 5);
    if (n != N_MODE + 1) continue;
    for (int i = 0; i < N_MODE; i++) out->omega[out->n][i] = l[i] * l[i];
    out->n++;
  }
  fclose(f);
  return out->n;
}

// The model file: stiff along and across (E A = 1e8, E Iz = 1e8), only vertical bending is slow.
static void write_model(FILE *f, const variant *v)
{
  int clamped = v->supports[0] == 'C';
  fputs("modeway: 1\nname: beam with a point mass\ngravity: [0, 0, 0]\n"
        "materials: { unit: { E: 1e8, nu: 0.3, rho: 1 } }\n"
        "sections:\n  line:\n    general: { A: 1, Iy: 1e-8, Iz: 1, It: 1 }\n"
        "    shear: false\n    rotary: false\n"
        "bodies:\n  beam:\n    ground: true\n    beams:\n"
        "      points: { a: [0, 0, 0], b: [1, 0, 0] }\n      members:\n",
        f);
  fprintf(f,
          "        - { from: a, to: b, section: line, material: unit, elements: %d,\n"
          "            up: [0, 0, 1] }\n"
          "    supports:\n      - { nodes: a, dofs: [x, y, z, rx%s] }\n%s"
          "    guides: { rail: { from: a, to: b, normal: [0, 0, 1] } }\n",
          (int)N_ELEMENT, clamped ? ", ry, rz" : "",
          clamped ? "" : "      - { nodes: b, dofs: [y, z] }\n");
  fprintf(f,
          "  mass:\n    at: [0.2, 0, 0]\n"
          "    rigid: { mass: %s, com: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] }\n"
          "joints:\n  x:\n    slide:\n      guide: beam.rail\n      on: mass\n"
          "      orientation: fixed\n      runners: [{ offset: 0 }]\n"
          "    coordinate: x\n    drive: motor\n"
          "outputs: { mass: { body: mass, point: [0, 0, 0] } }\n"
          "reduction:\n  coordinates: { x: { range: [0, 1], points: 25 } }\n"
          "  modes: { count: %d }\n",
          v->mu, (int)N_MODE);
}

// Reads the model through a file of its own, which is removed again.
static mw_code make_model(const variant *v, mw_model *out, mw_error *err)
{
  char path[] = "/tmp/bench_pointmass_XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
  if (!f) return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "cannot write %s", path);
  write_model(f, v);
  fclose(f);
  mw_code rc = mw_model_read(path, out, err);
  unlink(path);
  return rc;
}

static mw_code build_mech(const mw_model *model, mw_arena *mem, mw_mech *out, mw_error *err)
{
  mw_body *bodies = mw_arena_alloc(mem, (size_t)model->n_body, sizeof *bodies);
  mw_code rc = mw_arena_check(mem, err);
  for (int b = 0; rc == MW_OK && b < model->n_body; b++)
    rc = mw_body_build(model, b, mem, &bodies[b], err);
  return rc == MW_OK ? mw_mech_build(model, bodies, mem, out, err) : rc;
}

// Largest relative errors over the table [N_MODE]; rom NULL: direct finite elements
static mw_code compare(const table *t, const mw_mech *mech, const mw_rom_file *rom, double *worst,
                       mw_error *err)
{
  mw_code rc = MW_OK;
  for (int r = 0; rc == MW_OK && r < t->n; r++) {
    mw_arena mem = { 0 };
    double *hz = NULL, rom_hz[N_MODE];
    if (rom)
      rc = mw_rom_frequencies(rom, &t->xi[r], false, N_MODE, hz = rom_hz, err);
    else
      rc = mw_direct_modes(mech, &t->xi[r], N_MODE, false, &mem, &hz, NULL, NULL, err);
    for (int i = 0; rc == MW_OK && i < N_MODE; i++)
      worst[i] = fmax(worst[i], fabs(2.0 * PI * hz[i] / t->omega[r][i] - 1.0));
    mw_arena_free(&mem);
  }
  return rc;
}

static mw_code run_grid(const table *t, const mw_model *model, const mw_mech *mech, int n_grid,
                        double *worst, double *certificate, mw_error *err)
{
  mw_rom_file rom = { 0 };
  mw_reduce_opt opt = { .n_grid_override = n_grid };
  mw_code rc = mw_reduce(model, mech, &opt, &rom, err);
  if (rc == MW_OK) rc = compare(t, mech, &rom, worst, err);
  *certificate = rom.certificate.max_frequency_error;
  mw_rom_file_free(&rom);
  return rc;
}

static void print_rows(const variant *v, const double *direct, double reduced[N_GRID][N_MODE],
                       const double *certificate)
{
  for (int i = 0; i < N_MODE; i++) {
    printf("%s  mu %-4s mode %d     direct %8.1e", v->supports, v->mu, i + 1, direct[i]);
    for (int g = 0; g < N_GRID; g++) printf("   %d points %8.1e", GRIDS[g], reduced[g][i]);
    printf("\n");
  }
  printf("%s  mu %-4s certificate                ", v->supports, v->mu);
  for (int g = 0; g < N_GRID; g++) printf("   %d points %8.1e", GRIDS[g], certificate[g]);
  printf("\n");
}

static mw_code run(const char *folder, const variant *v, mw_error *err)
{
  table t;
  if (read_table(folder, v, &t) == 0)
    return mw_fail(err, MW_ERR_IO, MW_NOWHERE, "no table %s_mu%s in %s", v->supports, v->mu,
                   folder);
  mw_model model = { 0 };
  mw_arena mem = { 0 };
  mw_mech mech = { 0 };
  double direct[N_MODE] = { 0 }, reduced[N_GRID][N_MODE] = { 0 }, certificate[N_GRID];
  mw_code rc = make_model(v, &model, err);
  if (rc == MW_OK) rc = build_mech(&model, &mem, &mech, err);
  if (rc == MW_OK) rc = compare(&t, &mech, NULL, direct, err);
  for (int g = 0; rc == MW_OK && g < N_GRID; g++)
    rc = run_grid(&t, &model, &mech, GRIDS[g], reduced[g], &certificate[g], err);
  if (rc == MW_OK) print_rows(v, direct, reduced, certificate);
  mw_arena_free(&mem);
  mw_model_free(&model);
  return rc;
}

int main(int argc, char **argv)
{
  static const variant variants[] = {
    { "SS", "0.1" }, { "SS", "0.5" }, { "CF", "0.5" }, { "CF", "2" }
  };
  if (argc != 2) {
    fprintf(stderr, "usage: bench_pointmass REFERENCE_FOLDER\n");
    return 2;
  }
  printf("beam with a point mass, %d elements: largest relative error of omega over its position\n",
         (int)N_ELEMENT);
  for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
    mw_error err = { 0 };
    if (run(argv[1], &variants[k], &err) != MW_OK) {
      char text[1024];
      mw_error_print(&err, text, (int)sizeof text);
      fputs(text, stderr);
      return 1;
    }
  }
  return 0;
}
