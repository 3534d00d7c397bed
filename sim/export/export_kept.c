// SPDX-License-Identifier: BSD-3-Clause
// export_kept.c: tables of a reduced model over the ranges of its parameters, for programs that set
// them themselves.
//
//   c(p) = Σ_j ℓ_j(p) c(p_j) ,  p_j = middle − half of the range cos(π j/(n − 1))               (1)
// in each parameter, ℓ as in reduction/component/kept.c. A mass enters coefficients by its own
// factor and by the factors of G = 1 + p
// y1 y1' (reduction/table/payload.c), which is positive in the range and beyond: they are analytic
// there, and errors fall by a factor with each node. n grows until coefficients between the nodes
// are those of mw_rom_set_parameter to ACCURATE of the largest of their kind, and to SCALED of what
// each of them matters by (mw_rom_scale). The middle is a node.
// Cost: n^n_p tables in the program, as many products a coefficient when parameters are set.
#include <math.h>
#include <string.h>

#include "export_layer.h"
#include "reduction/compress.h"

static const double PI = 3.14159265358979323846;
// of the largest coefficient of its kind: a thousandth of what certificates usually promise
static const double ACCURATE = 1e-6;
static const double SCALED = 1e-4;  // a tenth of that promise
enum { FIRST = 3, LAST = MW_KEPT_NODES, MAX_P = MW_KEPT_PARAMETERS };

static double node(const mw_rom_parameter *p, int n, int j)
{
  if (2 * j == n - 1) return 0.5 * (p->lo + p->hi);
  return 0.5 * (p->lo + p->hi) - 0.5 * (p->hi - p->lo) * cos(PI * j / (n - 1));
}

static mw_code set_all(mw_rom_file *f, const double *to, mw_error *err)
{
  mw_code rc = MW_OK;
  for (int k = 0; rc == MW_OK && k < f->n_parameter; k++)
    if (f->parameter[k].value != to[k]) rc = mw_rom_set_parameter(f, k, to[k], err);
  return rc;
}

// Where nothing is said to be zero that is not at some node, nor slow.
static void take_notes(mw_kept *z, const mw_rom *r, bool first)
{
  z->zero_e = first ? r->zero_e : z->zero_e & r->zero_e;
  z->zero_c = first ? r->zero_c : z->zero_c & r->zero_c;
  z->zero_H = first ? r->zero_H : z->zero_H & r->zero_H;
  z->slow = first ? r->slow : z->slow & r->slow;
}

static mw_code fill(mw_rom_file *f, mw_kept *z, mw_arena *mem, mw_error *err)
{
  size_t all = mw_kept_tables(z);
  z->node = mw_arena_f64(mem, (size_t)(z->n * z->n_node));
  z->coef = mw_arena_f64(mem, all * z->n_coef);
  mw_code rc = mw_arena_check(mem, err);
  for (int k = 0; rc == MW_OK && k < z->n; k++)
    for (int j = 0; j < z->n_node; j++)
      z->node[k * z->n_node + j] = node(&f->parameter[k], z->n_node, j);
  for (size_t g = 0; rc == MW_OK && g < all; g++) {
    double to[MAX_P];
    for (int k = 0; k < z->n; k++) to[k] = z->node[k * z->n_node + mw_kept_along(z, g, k)];
    rc = set_all(f, to, err);
    if (rc != MW_OK) break;
    memcpy(z->coef + g * z->n_coef, f->rom.coef, z->n_coef * sizeof *z->coef);
    take_notes(z, &f->rom, g == 0);
  }
  return rc;
}

// Largest difference over the scale of its field.
static double scaled_difference(int n_field, const double *scale, const double *a, const double *b,
                                size_t n)
{
  double worst = 0.0;
  for (size_t i = 0; i < n; i++) {
    double s = scale[i % (size_t)n_field];
    if (s > 0.0) worst = fmax(worst, fabs(a[i] - b[i]) / s);
  }
  return worst;
}

// Largest difference over the largest coefficient of its kind in a record.
static double difference(const mw_rom *r, const double *a, const double *b, size_t n)
{
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  const int start[] = { l.a, l.U0, l.d,  l.U1, l.b,  l.K,  l.C, l.e, l.c,
                        l.H, l.G,  l.A3, l.B2, l.CE, l.CC, l.y, l.Y };
  enum { KINDS = sizeof start / sizeof *start };
  double most[KINDS] = { 0.0 }, off[KINDS] = { 0.0 }, worst = 0.0;
  for (size_t i = 0; i < n; i++) {
    int field = (int)(i % (size_t)l.n), kind = 0;
    for (int k = 0; k < KINDS; k++)
      if (start[k] <= field && start[k] >= start[kind]) kind = k;
    most[kind] = fmax(most[kind], fabs(b[i]));
    off[kind] = fmax(off[kind], fabs(a[i] - b[i]));
  }
  for (int k = 0; k < KINDS; k++)
    if (most[k] > 0.0) worst = fmax(worst, off[k] / most[k]);
  return worst;
}

// z->error between the nodes: halfway in the angle of each parameter, the others off their nodes.
static mw_code check(mw_rom_file *f, const double *scale, mw_kept *z, mw_arena *mem, mw_error *err)
{
  double *coef = mw_arena_f64(mem, z->n_coef);
  mw_code rc = mw_arena_check(mem, err);
  z->error = 0.0;
  for (int k = 0; rc == MW_OK && k < z->n; k++)
    for (int j = 1; rc == MW_OK && j < 2 * z->n_node - 1; j += 2) {
      double to[MAX_P];
      for (int i = 0; i < z->n; i++)
        to[i] = node(&f->parameter[i], 2 * z->n_node - 1, i == k ? j : z->n_node);
      rc = set_all(f, to, err);
      if (rc != MW_OK) break;
      mw_kept_at(z, to, coef);
      z->error = fmax(z->error,
                      scale ? scaled_difference(f->rom.n_field, scale, coef, f->rom.coef, z->n_coef)
                            : difference(&f->rom, coef, f->rom.coef, z->n_coef));
    }
  return rc;
}

// kinds: to ACCURATE of the largest of a kind, too, which is z.error then
static mw_code choose(const mw_rom_file *rom, size_t most, const double *scale, double accurate,
                      bool kinds, mw_arena *mem, mw_kept *out, mw_error *err)
{
  mw_kept z = { .n = rom->n_parameter, .n_coef = mw_rom_bytes(&rom->rom) / sizeof(double) };
  mw_rom_file f;
  *out = (mw_kept){ 0 };
  if (z.n == 0) return MW_OK;
  mw_code rc = mw_rom_file_view(rom, &f, err);
  if (rc != MW_OK) return rc;
  bool fine = false;
  for (z.n_node = FIRST; rc == MW_OK && !fine && z.n_node <= LAST; z.n_node += 2) {
    if (z.n > MAX_P || mw_kept_tables(&z) * z.n_coef > most) break;
    rc = fill(&f, &z, mem, err);
    if (rc == MW_OK) rc = check(&f, scale, &z, mem, err);
    fine = z.error <= accurate;
    if (rc == MW_OK && fine && kinds) rc = check(&f, NULL, &z, mem, err);
    fine = fine && (!kinds || z.error <= ACCURATE);
  }
  z.n_node -= 2;
  mw_arena_free(&f.mem);
  if (rc != MW_OK) return rc;
  if (fine)
    *out = z;
  else
    out->why = mw_arena_printf(mem, "tables over the range%s of its parameter%s are too large",
                               rom->n_parameter > 1 ? "s" : "", rom->n_parameter > 1 ? "s" : "");
  return mw_arena_check(mem, err);
}

mw_code mw_export_kept_of(const mw_rom_file *rom, size_t most, mw_arena *mem, mw_kept *out,
                          mw_error *err)
{
  *out = (mw_kept){ 0 };
  if (rom->n_parameter == 0) return MW_OK;
  double *scale = mw_arena_f64(mem, (size_t)rom->rom.n_field);
  mw_code rc = mw_arena_check(mem, err);
  if (rc == MW_OK) rc = mw_rom_scale(rom, scale, err);
  if (rc == MW_OK) rc = choose(rom, most, scale, SCALED, true, mem, out, err);
  return rc;
}

mw_code mw_export_kept_scaled(const mw_rom_file *rom, size_t most, const double *scale,
                              double accurate, mw_arena *mem, mw_kept *out, mw_error *err)
{
  return choose(rom, most, scale, accurate, false, mem, out, err);
}
