// SPDX-License-Identifier: BSD-3-Clause
// romfile_table.c: tensor trains, cyclic and symmetric axes of rom.nc.
//
//   [start_]train0_core_x [knot × rank]  of the first axis, then [knot × rank before × rank] ;  (1)
//   [start_]train0_field_core [rank × field]  ; the fields of train0 come first in the record, then
//                                             those of train1, …
//   cyclic, symmetric [coordinate] 0 or 1 ,  y_slope, y_shift, mirror_y [coordinate × field] ,
//   mirror [coordinate × column]
// What a model does not have is left out. Names and meaning: rom.h.
#include <stdio.h>

#include "romfile_priv.h"

// ---- axes ---------------------------------------------------------------------------------------

static void write_bits(mw_ncw *w, const char *name, const char *text, unsigned bits, int s, int dim)
{
  int x[MW_ROM_MAX_S];
  for (int i = 0; i < s; i++) x[i] = (int)(bits >> i & 1u);
  mw_ncw_int(w, name, 1, &dim, text, x);
}

static unsigned read_bits(mw_ncr *r, const char *name, int s)
{
  const int *x = mw_ncr_int(r, name, 1, &s);
  unsigned bits = 0;
  for (int i = 0; i < s && r->e.code == MW_OK; i++) {
    if (x[i] != 0 && x[i] != 1)
      mw_ncr_fail(r, "%s of axis %d is %d, must be 0 or 1", name, i, x[i]);
    bits |= (unsigned)(x[i] == 1) << i;
  }
  return bits;
}

void mw_romfile_write_axes(mw_ncw *w, const mw_rom_file *f, int field)
{
  const mw_rom *r = &f->rom;
  int coordinate = mw_ncw_dim_id(w, "coordinate"), of_y[2] = { coordinate, field },
      of_m[2] = { coordinate, mw_ncw_dim_id(w, "column") };
  write_bits(w, "cyclic", "1: repeats after hi - lo", r->cyclic, r->s, coordinate);
  write_bits(w, "symmetric", "1: the table covers the lower half, the other is its mirror image",
             r->symmetric, r->s, coordinate);
  if (r->flat | r->cyclic)
    mw_ncw_f64(w, "y_slope", 2, of_y, NULL,
               "slope of each field along coordinates that nothing else depends on, or that repeat",
               r->y_slope);
  if (!r->symmetric) return;
  mw_ncw_int(w, "mirror", 2, of_m, "sign of each column in the mirror", r->mirror);
  mw_ncw_int(w, "mirror_y", 2, of_y, "sign of each field in the mirror", r->mirror_y);
  mw_ncw_f64(w, "y_shift", 2, of_y, NULL, "added to each field behind the mirror", r->y_shift);
}

void mw_romfile_read_axes(mw_ncr *r, mw_rom_file *f)
{
  mw_rom *rom = &f->rom;
  int of_y[2] = { rom->s, rom->n_y }, of_m[2] = { rom->s, rom->m };
  rom->cyclic = read_bits(r, "cyclic", rom->s);
  rom->symmetric = read_bits(r, "symmetric", rom->s);
  if (rom->flat | rom->cyclic) rom->y_slope = mw_ncr_f64(r, "y_slope", 2, of_y, true);
  if (!rom->symmetric) return;
  rom->mirror = mw_ncr_int(r, "mirror", 2, of_m);
  rom->mirror_y = mw_ncr_int(r, "mirror_y", 2, of_y);
  rom->y_shift = mw_ncr_f64(r, "y_shift", 2, of_y, true);
}

// ---- trains -------------------------------------------------------------------------------------

static void write_train(mw_ncw *w, const mw_rom_file *f, const mw_rom_train *t, const char *prefix,
                        const int *knot)
{
  char name[256];
  int before = -1;
  for (int i = 0; i < f->rom.s; i++) {
    if (!t->core[i]) continue;
    snprintf(name, sizeof name, "%srank_%s", prefix, f->coordinate[i]);
    int rank = mw_ncw_dim(w, name, t->rank[i]), first[2] = { knot[i], rank },
        next[3] = { knot[i], before, rank };
    snprintf(name, sizeof name, "%score_%s", prefix, f->coordinate[i]);
    mw_ncw_f64(w, name, before < 0 ? 2 : 3, before < 0 ? first : next, NULL,
               "tensor train of spline coefficients, one matrix a knot", t->core[i]);
    before = rank;
  }
  snprintf(name, sizeof name, "%sfield", prefix);
  int dim[2] = { before, mw_ncw_dim(w, name, t->n_field) };
  snprintf(name, sizeof name, "%sfield_core", prefix);
  mw_ncw_f64(
      w, name, 2, dim, NULL,
      "last core of the train; fields follow each other from train to train, in the order a U0 "
      "d U1 b K C e c H G CE CC y Y (start: Psi'M Psi, Psi'M dPsi/dtheta)",
      t->field);
}

void mw_romfile_write_trains(mw_ncw *w, const mw_rom_file *f, int n, const mw_rom_train *t,
                             const char *prefix, const int *knot)
{
  char name[64];
  for (int k = 0; k < n; k++) {
    snprintf(name, sizeof name, "%strain%d_", prefix, k);
    write_train(w, f, &t[k], name, knot);
  }
}

static void read_train(mw_ncr *r, const mw_rom_file *f, const char *prefix, const int *n_knot,
                       mw_rom_train *t)
{
  char name[256];
  int before = 0;
  for (int i = 0; i < f->rom.s && r->e.code == MW_OK; i++) {
    if (n_knot[i] == 1) continue;
    snprintf(name, sizeof name, "%srank_%s", prefix, f->coordinate[i]);
    int rank = mw_ncr_dim(r, name), first[2] = { n_knot[i], rank },
        next[3] = { n_knot[i], before, rank };
    if (rank < 1 || rank > MW_ROM_MAX_RANK)
      mw_ncr_fail(r, "%s is %d, must be 1 to %d", name, rank, MW_ROM_MAX_RANK);
    snprintf(name, sizeof name, "%score_%s", prefix, f->coordinate[i]);
    t->core[i] = mw_ncr_f64(r, name, before == 0 ? 2 : 3, before == 0 ? first : next, true);
    t->rank[i] = before = rank;
  }
  snprintf(name, sizeof name, "%sfield", prefix);
  t->n_field = mw_ncr_dim(r, name);
  int dim[2] = { before, t->n_field };
  snprintf(name, sizeof name, "%sfield_core", prefix);
  t->field = mw_ncr_f64(r, name, 2, dim, true);
}

const mw_rom_train *mw_romfile_read_trains(mw_ncr *r, const mw_rom_file *f, const char *prefix,
                                           int n_record, const int *n_knot, int *n)
{
  char name[64];
  int found = 0, first = 0;
  do snprintf(name, sizeof name, "%strain%d_field_core", prefix, found);
  while (r->e.code == MW_OK && mw_ncr_has(r, name) && ++found <= n_record);
  *n = 0;
  if (r->e.code != MW_OK || found == 0) return NULL;
  mw_rom_train *t = mw_arena_alloc(r->mem, (size_t)found, sizeof *t);
  for (int k = 0; t && k < found && r->e.code == MW_OK; k++) {
    snprintf(name, sizeof name, "%strain%d_", prefix, k);
    read_train(r, f, name, n_knot, &t[k]);
    t[k].first = first;
    first += t[k].n_field;
    if (first > n_record)
      mw_ncr_fail(r, "%d fields in tensor trains, expected %d", first, n_record);
  }
  *n = t ? found : 0;
  return t;
}
