// SPDX-License-Identifier: BSD-3-Clause
// export_table.c: a reduced model as one block of bytes, as rom/flat.h says.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "export_layer.h"
#include "rom/flat.h"

enum { HAS_RATE_MAX = 1, HAS_U_MAX = 2 };

static void put(FILE *f, const void *x, size_t count, size_t size)
{
  static const char zero[8] = { 0 };
  size_t n = count * size;
  fwrite(x, size, count, f);
  fwrite(zero, 1, (8 - n % 8) % 8, f);
}

static void numbers(FILE *f, const double *x, size_t n) { put(f, x, n, sizeof *x); }
static void words(FILE *f, const int *x, size_t n) { put(f, x, n, sizeof *x); }

static void head(const mw_rom_file *file, int n_names, FILE *f)
{
  const mw_rom *r = &file->rom;
  int h[MW_FLAT_HEAD] = { r->s, r->m, r->n_y, r->n_u, r->n_field };
  for (int i = 0; i < r->s; i++) h[5 + i] = r->n_grid[i];
  const unsigned bits[] = { r->flat, r->cyclic, r->symmetric };
  memcpy(h + 11, bits, sizeof bits);
  h[14] = r->n_train, h[15] = r->n_law;
  const unsigned more[] = { r->zero_e, (unsigned)(r->zero_c & 0xffffffffu),
                            (unsigned)(r->zero_c >> 32), r->slow, r->parts };
  memcpy(h + 16, more, sizeof more);
  h[21] = r->n_Y, h[22] = r->n_G;
  memcpy(h + 23, &r->zero_H, sizeof r->zero_H);
  h[24] = (int)file->inertia;
  h[25] = (r->rate_max ? HAS_RATE_MAX : 0) | (r->u_max ? HAS_U_MAX : 0);
  h[26] = n_names;
  words(f, h, MW_FLAT_HEAD);
}

static void axes(const mw_rom *r, FILE *f)
{
  size_t sm = (size_t)r->s * (size_t)r->m, sy = (size_t)r->s * (size_t)r->n_y;
  double lo[MW_ROM_MAX_S] = { 0 }, hi[MW_ROM_MAX_S] = { 0 };
  memcpy(lo, r->lo, (size_t)r->s * sizeof *lo);
  memcpy(hi, r->hi, (size_t)r->s * sizeof *hi);
  numbers(f, lo, MW_ROM_MAX_S);
  numbers(f, hi, MW_ROM_MAX_S);
  if (r->flat | r->cyclic) numbers(f, r->y_slope, sy);
  if (!r->symmetric) return;
  words(f, r->mirror, sm);
  words(f, r->mirror_y, sy);
  numbers(f, r->y_shift, sy);
}

static void ranges(const mw_rom *r, FILE *f)
{
  words(f, r->u_field, (size_t)r->n_u);
  words(f, r->Y_field, (size_t)r->n_Y);
  numbers(f, r->c_theta, (size_t)r->s);
  numbers(f, r->delta_max, (size_t)r->m);
  if (r->rate_max) numbers(f, r->rate_max, (size_t)r->s);
  if (r->u_max) numbers(f, r->u_max, (size_t)r->n_u);
  for (int k = 0; k < r->n_law; k++) {
    const mw_rom_law *l = &r->law[k];
    double value[] = { l->coulomb, l->stiction,  l->stribeck, l->smooth, l->lo,
                       l->hi,      l->stiffness, l->damping,  l->soft };
    words(f, &l->field, 1);
    numbers(f, value, sizeof value / sizeof *value);
  }
}

static void table(const mw_rom *r, FILE *f)
{
  if (r->n_train == 0) numbers(f, r->coef, mw_rom_bytes(r) / sizeof(double));
  for (int k = 0; k < r->n_train; k++) {
    const mw_rom_train *t = &r->train[k];
    int h[2 + MW_ROM_MAX_S] = { t->first, t->n_field };
    size_t before = 1;
    for (int i = 0; i < r->s; i++) h[2 + i] = t->core[i] ? t->rank[i] : 0;
    words(f, h, 2 + MW_ROM_MAX_S);
    for (int i = 0; i < r->s; i++) {
      if (!t->core[i]) continue;
      numbers(f, t->core[i], (size_t)mw_rom_n_knot(r, i) * before * (size_t)t->rank[i]);
      before = (size_t)t->rank[i];
    }
    numbers(f, t->field, before * (size_t)t->n_field);
  }
}

static void name(const char *before, const char *s, const char *behind, FILE *f)
{
  fprintf(f, "%s%s%s", before, s ? s : "", behind);
  fputc('\0', f);
}

static void names(const mw_rom_file *r, FILE *f)
{
  name("", r->model_name, "", f);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < r->rom.s; i++) name(k ? "rate of " : "", r->coordinate[i], "", f);
    for (int a = 0; a < r->rom.m; a++) name(k ? "rate of " : "", r->column[a], "", f);
  }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < r->rom.s; i++) {
      const char *unit = r->unit && r->unit[i] ? r->unit[i] : "";
      name("", unit, k && *unit ? "/s" : "", f);
    }
    for (int a = 0; a < r->rom.m; a++) name("kg^0.5 m", "", k ? "/s" : "", f);
  }
  for (int k = 0; k < r->rom.n_u; k++) name("", r->input[k], "", f);
  for (int k = 0; k < r->rom.n_y; k++) name("", r->field[k], "", f);
}

// A text or block in memory from a writer; NULL: there is none.
static FILE *into(char **text, size_t *n)
{
  *text = NULL;
  return open_memstream(text, n);
}

static mw_code no_memory(mw_error *err)
{
  return mw_fail(err, MW_ERR_MEMORY, MW_NOWHERE, "no memory for the export");
}

// Everything behind the digest.
static mw_code write_rest(const mw_rom_file *rom, char **block, size_t *n, mw_error *err)
{
  char *text = NULL;
  size_t n_text = 0;
  FILE *f = into(&text, &n_text);
  if (f) names(rom, f);
  if (!f || fclose(f) != 0) {
    free(text);
    return no_memory(err);
  }
  f = into(block, n);
  if (f) {
    head(rom, (int)n_text, f);
    axes(&rom->rom, f);
    ranges(&rom->rom, f);
    table(&rom->rom, f);
    put(f, text, n_text, 1);
  }
  free(text);
  return f && fclose(f) == 0 ? MW_OK : no_memory(err);
}

mw_code mw_export_block(const mw_rom_file *rom, char **block, size_t *n, mw_error *err)
{
  const mw_rom *r = &rom->rom;
  char *rest = NULL;
  size_t n_rest = 0;
  *block = NULL;
  if (r->m > MW_FLAT_MAX_M || r->n_y > MW_FLAT_MAX_Y || r->n_u > MW_FLAT_MAX_Y)
    return mw_fail(err, MW_ERR_INPUT, MW_NOWHERE,
                   "%d columns and %d fields do not fit into a table of %d and %d at most", r->m,
                   r->n_y, MW_FLAT_MAX_M, MW_FLAT_MAX_Y);
  mw_code rc = write_rest(rom, &rest, &n_rest, err);
  FILE *f = rc == MW_OK ? into(block, n) : NULL;
  if (f) {
    const uint32_t word[2] = { MW_FLAT_VERSION, 0x01020304u };
    const uint64_t size = n_rest + 32, digest = mw_rom_flat_digest(MW_FLAT_SEED, rest, n_rest);
    fwrite("MODEWAYT", 1, 8, f);
    put(f, word, 2, sizeof *word);
    put(f, &size, 1, sizeof size);
    put(f, &digest, 1, sizeof digest);
    fwrite(rest, 1, n_rest, f);
  }
  if (rc == MW_OK && (!f || fclose(f) != 0)) rc = no_memory(err);
  free(rest);
  return rc;
}
