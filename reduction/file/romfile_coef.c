// SPDX-License-Identifier: BSD-3-Clause
// romfile_coef.c: the coefficients of a reduced model in rom.nc.
//
// The record of a knot (rom.h) is taken apart into one variable a coefficient, each over the knots
// of all axes:
//   a U0 d U1 b K C e c H G A3 B2 CE CC y Y                                                     (1)
// with pairs, symmetric and skew matrices packed by rows of the lower triangle as in the record; a
// tensor train is kept as it is (romfile_table.c). Cost: one copy of the coefficients.
#include <stdlib.h>
#include <string.h>

#include "romfile_priv.h"

enum { N_PART = 17 };

// Sizes and dimension ids of one file; part k of the record is [rows × cols] at offset.
typedef struct part {
  const char *name, *units, *text;
  int offset, rows, cols;
  const char *row_dim, *col_dim;  // NULL: no such dimension
} part;

// Numbers of an A3_ij, of a B2_i; 0: there are none.
static int moved_cube(const mw_rom *r)
{
  return r->parts & MW_ROM_THIRD ? r->n_G * (r->n_G + 1) * (r->n_G + 2) / 6 : 0;
}
static int moved_product(const mw_rom *r)
{
  return r->parts & MW_ROM_THIRD ? r->n_G * (r->n_G * (r->n_G + 1) / 2) : 0;
}

static void parts_of(const mw_rom *r, part p[N_PART])
{
  int s = r->s, m = r->m, n_y = r->n_y;
  mw_rom_layout l = mw_rom_layout_of(mw_rom_shape_of(r));
  int ss = s * (s + 1) / 2, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2;
  const part all[N_PART] = {
    { "a", NULL, "inertia of the rigid-body coordinates, a_ij, in kg and units of the coordinates",
      l.a, ss, 1, "pair", NULL },
    { "U0", "J", "potential energy without deflection", l.U0, 1, 1, NULL, NULL },
    { "d", NULL, "inertial coupling of coordinates and columns, d_ia", l.d, s, m, "coordinate",
      "column" },
    { "U1", NULL, "generalised force of gravity on the columns, negative, U1_a", l.U1, m, 1,
      "column", NULL },
    { "b", NULL, "inertia linear in the deflection, b_ija", l.b, ss, m, "pair", "column" },
    { "K", "s-2", "stiffness of the columns (unit mass), packed lower triangle", l.K, mm, 1,
      "column_pair", NULL },
    { "C", "s-1", "damping of the columns (unit mass), packed lower triangle", l.C, mm, 1,
      "column_pair", NULL },
    { "e", NULL, "convective coupling e_iab = -e_iba, packed strict lower triangle", l.e, s, mk,
      "coordinate", "column_skew_pair" },
    { "c", NULL, "inertia quadratic in the deflection, c_ijab, packed lower triangle", l.c, ss, mm,
      "pair", "column_pair" },
    { "H", NULL, "second-order coupling, symmetric, H_iab, packed lower triangle", l.H,
      r->parts & MW_ROM_H ? s : 0, mm, "coordinate", "column_pair" },
    { "G", NULL, "mass of columns that changes with deflection, G_abc = G_acb, packed in bc", l.G,
      r->n_G, r->n_G * (r->n_G + 1) / 2, "moved_column", "moved_column_pair" },
    { "A3", NULL, "inertia cubic in the deflection, A3_ijabc, packed in abc", l.A3,
      moved_cube(r) ? ss : 0, moved_cube(r), "pair", "moved_column_cube" },
    { "B2", NULL, "coupling quadratic in the deflection, B2_iabc = B2_iacb, packed in bc", l.B2,
      moved_product(r) ? s : 0, moved_product(r), "coordinate", "moved_column_product" },
    { "CE", NULL, "convective damping CE_iab, C of rates of a with changes of b along i", l.CE,
      r->parts & MW_ROM_CE ? s : 0, m * m, "coordinate", "column_square" },
    { "CC", NULL, "damping quadratic in the rates of the coordinates, CC_ijab, packed", l.CC,
      r->parts & MW_ROM_CC ? ss : 0, mm, "pair", "column_pair" },
    { "y", NULL, "fields: value, then derivative along each column", l.y, n_y, 1 + m, "field",
      "affine" },
    { "Y", NULL, "second derivatives of fields by the columns, packed lower triangle", l.Y, r->n_Y,
      mm, "curved_field", "column_pair" },
  };
  memcpy(p, all, sizeof all);
}

// An optional part that the model does not have: not in the file.
static bool is_absent(const part *p) { return p->rows == 0 && p->name[0] != 'y'; }

size_t mw_romfile_n_knots(const mw_rom *r)
{
  size_t n = 1;
  for (int i = 0; i < r->s; i++) n *= (size_t)mw_rom_n_knot(r, i);
  return n;
}

mw_code mw_romfile_write_coef(mw_ncw *w, const mw_rom_file *f, const int knot[MW_ROM_MAX_S],
                              int field, mw_error *err)
{
  const mw_rom *r = &f->rom;
  part p[N_PART];
  parts_of(r, p);
  size_t nk = mw_romfile_n_knots(r);
  double *x = malloc(sizeof *x * (nk * (size_t)r->n_field + 1));
  if (!x) return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the coefficients");
  struct {
    const char *name;
    int id;
  } dims[] = {
    { "pair", mw_ncw_dim(w, "pair", r->s * (r->s + 1) / 2) },
    { "column_pair", mw_ncw_dim(w, "column_pair", r->m * (r->m + 1) / 2) },
    { "column_skew_pair", mw_ncw_dim(w, "column_skew_pair", r->m * (r->m - 1) / 2) },
    { "column_square", mw_ncw_dim(w, "column_square", r->parts & MW_ROM_CE ? r->m * r->m : 0) },
    { "moved_column", mw_ncw_dim(w, "moved_column", r->n_G) },
    { "moved_column_pair", mw_ncw_dim(w, "moved_column_pair", r->n_G * (r->n_G + 1) / 2) },
    { "moved_column_product", mw_ncw_dim(w, "moved_column_product", moved_product(r)) },
    { "moved_column_cube", mw_ncw_dim(w, "moved_column_cube", moved_cube(r)) },
    { "curved_field", mw_ncw_dim_id(w, "curved_field") },
    { "affine", mw_ncw_dim(w, "affine", 1 + r->m) },
    { "coordinate", mw_ncw_dim_id(w, "coordinate") },
    { "column", mw_ncw_dim_id(w, "column") },
    { "field", field }
  };
  const int n_dims = (int)(sizeof dims / sizeof *dims);
  for (int k = 0; k < N_PART; k++) {
    int dim[MW_ROM_MAX_S + 2], nd = r->s;
    size_t len = (size_t)p[k].rows * (size_t)p[k].cols;
    if (is_absent(&p[k])) continue;
    for (int i = 0; i < r->s; i++) dim[i] = knot[i];
    for (int side = 0; side < 2; side++) {
      const char *want = side ? p[k].col_dim : p[k].row_dim;
      for (int i = 0; want && i < n_dims; i++)
        if (strcmp(dims[i].name, want) == 0) dim[nd++] = dims[i].id;
    }
    for (size_t q = 0; q < nk; q++)
      memcpy(x + q * len, r->coef + q * (size_t)r->n_field + p[k].offset, len * sizeof *x);
    mw_ncw_f64(w, p[k].name, nd, dim, p[k].units, p[k].text, x);
  }
  free(x);
  return MW_OK;
}

void mw_romfile_read_coef(mw_ncr *r, mw_rom_file *f)
{
  mw_rom *rom = &f->rom;
  if (r->e.code != MW_OK) return;
  part p[N_PART];
  parts_of(rom, p);
  rom->n_field = mw_rom_n_field(mw_rom_shape_of(rom));
  int n_knot[MW_ROM_MAX_S];
  for (int i = 0; i < rom->s; i++) n_knot[i] = mw_rom_n_knot(rom, i);
  rom->train = mw_romfile_read_trains(r, f, "", rom->n_field, n_knot, &rom->n_train);
  if (rom->n_train > 0 || r->e.code != MW_OK) return;
  size_t nk = mw_romfile_n_knots(rom), nf = (size_t)rom->n_field;
  if (!mw_ncr_holds(r, "the table", (double)nk * (double)nf, sizeof(double))) return;
  double *coef = mw_arena_alloc(r->mem, nk, nf * sizeof *coef);
  mw_arena scratch = { 0 }, *keep = r->mem;
  r->mem = &scratch;
  for (int k = 0; k < N_PART && r->e.code == MW_OK && coef; k++) {
    int len[MW_ROM_MAX_S + 2], nd = rom->s;
    for (int i = 0; i < rom->s; i++) len[i] = mw_rom_n_knot(rom, i);
    if (p[k].row_dim) len[nd++] = p[k].rows;
    if (p[k].col_dim) len[nd++] = p[k].cols;
    size_t n = (size_t)p[k].rows * (size_t)p[k].cols;
    if (is_absent(&p[k])) continue;
    const double *x = mw_ncr_f64(r, p[k].name, nd, len, true);
    for (size_t q = 0; q < nk && n > 0 && r->e.code == MW_OK; q++)
      memcpy(coef + q * nf + p[k].offset, x + q * n, n * sizeof *x);
    mw_arena_free(&scratch);
  }
  mw_arena_free(&scratch);
  r->mem = keep;
  rom->coef = coef;
}
