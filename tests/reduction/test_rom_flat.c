// SPDX-License-Identifier: BSD-3-Clause
// test_rom_flat.c: a block of bytes written by what rom/flat.h says, by no code of modeway's, is
// the model it was made of, and nothing else is taken.
//
// No tolerances: numbers are compared bit for bit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mw_test.h"
#include "rom/flat.h"
#include "rom_kinds.h"

enum { MOST = 1 << 20, DIGESTED = 32, N_KIND = 64, STEPS = 4 };

typedef struct block {
  _Alignas(8) unsigned char p[MOST];
  size_t n, n_table;  // bytes; of them the table's own
  size_t law, table;  // where the first law's numbers and the table begin
} block;

// Whole words of 8 bytes.
static void put(block *b, const void *data, size_t bytes)
{
  if (!MW_CHECK(b->n + bytes + 8 < MOST)) exit(EXIT_FAILURE);
  memcpy(b->p + b->n, data, bytes);
  b->n += (bytes + 7) / 8 * 8;
}

static void put_f64(block *b, const double *x, size_t n) { put(b, x, n * sizeof *x); }
static void put_int(block *b, const int *x, size_t n) { put(b, x, n * sizeof *x); }

static size_t knots(const mw_rom *r, int i)
{
  return r->flat >> i & 1u ? 1u : (size_t)r->n_grid[i] + 2u;
}

static void put_train(block *b, const mw_rom *r, const mw_rom_train *t)
{
  int h[2 + MW_ROM_MAX_S] = { t->first, t->n_field };
  size_t rank = 1;
  for (int i = 0; i < r->s; i++) h[2 + i] = t->rank[i];
  put_int(b, h, 2 + MW_ROM_MAX_S);
  size_t from = b->n;
  for (int i = 0; i < r->s; i++) {
    if (r->flat >> i & 1u) continue;
    put_f64(b, t->core[i], knots(r, i) * rank * (size_t)t->rank[i]);
    rank = (size_t)t->rank[i];
  }
  put_f64(b, t->field, rank * (size_t)t->n_field);
  b->n_table += b->n - from;
}

static void put_table(block *b, const mw_rom *r)
{
  size_t n = (size_t)r->n_field;
  b->table = b->n;
  for (int k = 0; k < r->n_train; k++) put_train(b, r, &r->train[k]);
  if (r->n_train > 0) return;
  for (int i = 0; i < r->s; i++) n *= knots(r, i);
  put_f64(b, r->coef, n);
  b->n_table = n * sizeof(double);
}

// Names are numbers, each with the length of its number.
static size_t names(const mw_rom *r, char *text)
{
  size_t n = 0;
  int count = 1 + 4 * (r->s + r->m) + r->n_u + r->n_y;
  for (int k = 0; k < count; k++) {
    text[n++] = (char)('a' + k % 26);
    text[n++] = '\0';
  }
  return n;
}

static void put_head(block *b, const mw_rom *r, size_t n_names)
{
  int h[MW_FLAT_HEAD] = { r->s, r->m, r->n_y, r->n_u, r->n_field };
  const int rest[] = { (int)r->flat,
                       (int)r->cyclic,
                       (int)r->symmetric,
                       r->n_train,
                       r->n_law,
                       (int)r->zero_e,
                       (int)r->zero_c,
                       (int)(r->zero_c >> 32),
                       (int)r->slow,
                       (int)r->parts,
                       r->n_Y,
                       r->n_G,
                       (int)r->zero_H,
                       MW_ROM_FULL,
                       (r->rate_max ? 1 : 0) + (r->u_max ? 2 : 0),
                       (int)n_names };
  memcpy(h + 5, r->n_grid, sizeof r->n_grid);
  memcpy(h + 11, rest, sizeof rest);
  put_int(b, h, MW_FLAT_HEAD);
}

static void put_axes(block *b, const mw_rom *r)
{
  size_t s = (size_t)r->s, sy = s * (size_t)r->n_y;
  put_f64(b, r->lo, MW_ROM_MAX_S);
  put_f64(b, r->hi, MW_ROM_MAX_S);
  if (r->flat | r->cyclic) put_f64(b, r->y_slope, sy);
  if (r->symmetric) {
    put_int(b, r->mirror, s * (size_t)r->m);
    put_int(b, r->mirror_y, sy);
    put_f64(b, r->y_shift, sy);
  }
  put_int(b, r->u_field, (size_t)r->n_u);
  put_int(b, r->Y_field, (size_t)r->n_Y);
  put_f64(b, r->c_theta, s);
  put_f64(b, r->delta_max, (size_t)r->m);
  if (r->rate_max) put_f64(b, r->rate_max, s);
  if (r->u_max) put_f64(b, r->u_max, (size_t)r->n_u);
}

static void seal(block *b)
{
  static const int word[] = { MW_FLAT_VERSION, 0x01020304 };
  uint64_t size = b->n, digest = 14695981039346656037u;
  for (size_t k = DIGESTED; k < b->n; k++) digest = (digest ^ b->p[k]) * 1099511628211u;
  memcpy(b->p, "MODEWAYT", 8);
  memcpy(b->p + 8, word, sizeof word);
  memcpy(b->p + 16, &size, sizeof size);
  memcpy(b->p + 24, &digest, sizeof digest);
}

static void write_block(const mw_rom *r, block *b)
{
  char text[1024];
  size_t n = names(r, text);
  memset(b, 0, sizeof *b);
  b->n = DIGESTED;
  put_head(b, r, n);
  put_axes(b, r);
  b->law = b->n + 8;
  for (int k = 0; k < r->n_law; k++) {
    const mw_rom_law *l = &r->law[k];
    const double x[] = { l->coulomb, l->stiction,  l->stribeck, l->smooth, l->lo,
                         l->hi,      l->stiffness, l->damping,  l->soft };
    put_int(b, &l->field, 1);
    put_f64(b, x, 9);
  }
  put_table(b, r);
  put(b, text, n);
  seal(b);
}

typedef struct opened {
  _Alignas(8) unsigned char memory[4096];
  const mw_rom_flat *flat;
} opened;

static mw_rom_flat_code open_block(const block *b, opened *o)
{
  size_t size = 0;
  mw_rom_flat_code code = mw_rom_flat_open(b->p, b->n, NULL, &size, &o->flat);
  if (code != MW_FLAT_OK) return code;
  MW_CHECK(size <= sizeof o->memory);
  return mw_rom_flat_open(b->p, b->n, o->memory, &size, &o->flat);
}

static void same_steps(const mw_rom *a, const mw_rom *b, void *work)
{
  double x[2][2 * (MW_ROM_MAX_S + SYN_MAX_M)], u[SYN_N_U] = { 0.2, -0.1 };
  mw_rom_opt opt = mw_rom_opt_default();
  uint64_t seed = 5;
  kind_random_state(a, &seed, x[0]);
  memcpy(x[1], x[0], sizeof x[1]);
  for (int k = 0; k < STEPS; k++) {
    mw_rom_code code[2];
    for (int i = 0; i < 2; i++)
      code[i] = mw_rom_step(
          &(mw_rom_call){ .rom = i ? b : a, .opt = &opt, .h = 1e-4, .u = u, .work = work }, x[i]);
    MW_CHECK(code[0] == MW_ROM_OK && code[1] == MW_ROM_OK);
  }
  MW_SAME_BITS(x[0], x[1], 2 * (a->s + a->m));
}

static block b, other;  // too large for a stack
static opened o;

static void blocks_of_every_kind_are_the_model_they_were_made_of(void)
{
  static const double most[MW_ROM_MAX_S] = { 50.0, INFINITY };
  int made = 0;
  for (int kind = 0; kind < N_KIND; kind++) {
    rom_kind k;
    if (!kind_make(2, 3, 5, kind, &k)) continue;
    made++;
    if (kind % 2) k.rom.rate_max = k.rom.u_max = most;
    write_block(&k.rom, &b);
    if (MW_CHECK(open_block(&b, &o) == MW_FLAT_OK)) {
      MW_CHECK(mw_rom_bytes(&o.flat->rom) == b.n_table);
      MW_CHECK(mw_rom_bytes(&k.rom) == b.n_table);
      MW_CHECK(o.flat->inertia == MW_ROM_FULL);
      for (int n = 0; n < 1 + 4 * 5; n++)
        MW_CHECK(mw_rom_flat_name(o.flat, n)[0] == (char)('a' + n % 26));
      same_steps(&k.rom, &o.flat->rom, k.work);
    }
    kind_free(&k);
  }
  MW_CHECK(made >= N_KIND / 2);
}

static bool take_kind(int kind, rom_kind *k)
{
  if (!MW_CHECK(kind_make(2, 3, 5, kind, k))) return false;
  write_block(&k->rom, &b);
  return true;
}

static void what_is_cut_damaged_or_foreign_is_told(void)
{
  rom_kind k;
  size_t size = 0;
  if (!take_kind(KIND_LAWS, &k)) return;
  MW_CHECK(mw_rom_flat_open(b.p, b.n - 8, NULL, &size, &o.flat) == MW_FLAT_CUT);
  MW_CHECK(mw_rom_flat_open(b.p, 16, NULL, &size, &o.flat) == MW_FLAT_FOREIGN);
  MW_CHECK(mw_rom_flat_open(b.p, b.n, NULL, &size, &o.flat) == MW_FLAT_OK && size > 0);
  size--;
  MW_CHECK(mw_rom_flat_open(b.p, b.n, o.memory, &size, &o.flat) == MW_FLAT_MEMORY);
  size++;
  MW_CHECK(mw_rom_flat_open(b.p, b.n, o.memory + 4, &size, &o.flat) == MW_FLAT_UNALIGNED);
  memcpy(other.p + 4, b.p, b.n);
  MW_CHECK(mw_rom_flat_open(other.p + 4, b.n, NULL, &size, &o.flat) == MW_FLAT_UNALIGNED);
  static const struct {
    size_t at;
    mw_rom_flat_code code;
  } wrong[] = { { 0, MW_FLAT_FOREIGN },  { 8, MW_FLAT_NEWER },    { 12, MW_FLAT_FOREIGN },
                { 16, MW_FLAT_CUT },     { 24, MW_FLAT_DAMAGED }, { 40, MW_FLAT_DAMAGED },
                { 600, MW_FLAT_DAMAGED } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    memcpy(&other, &b, sizeof b);
    other.p[wrong[i].at] ^= 4;
    MW_CHECK(open_block(&other, &o) == wrong[i].code);
    MW_CHECK(strlen(mw_rom_flat_code_name(wrong[i].code)) > 2);
  }
  kind_free(&k);
}

// The block with n bytes at a place changed, its digest made right.
static mw_rom_flat_code changed(size_t at, const void *to, size_t n)
{
  memcpy(&other, &b, sizeof b);
  memcpy(other.p + at, to, n);
  seal(&other);
  return open_block(&other, &o);
}

static void heads_of_no_model_are_refused_behind_a_right_digest(void)
{
  // words that count, index or choose: none is negative, none this large
  static const int words[] = { 0, 1, 2, 3, 4, 5, 6, 14, 15, 20, 21, 22, 24, 25, 26 };
  static const int values[] = { -1, 1 << 30 };
  for (int kind = 0; kind < N_KIND; kind += KIND_TRAIN) {
    rom_kind k;
    if (!take_kind(kind, &k)) return;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      for (int v = 0; v < 2; v++)
        MW_CHECK(changed(DIGESTED + 4 * (size_t)words[i], &values[v], sizeof(int)) != MW_FLAT_OK);
    const int axes = 7;  // flat, cyclic, symmetric beyond two coordinates
    for (size_t w = 11; w <= 13; w++)
      MW_CHECK(changed(DIGESTED + 4 * w, &axes, sizeof axes) == MW_FLAT_WRONG);
    // the first coordinate flat and symmetric
    const int both[3] = { 1, (int)k.rom.cyclic, 1 };
    MW_CHECK(changed(DIGESTED + 4 * 11, both, sizeof both) == MW_FLAT_WRONG);
    // more columns whose mass changes than columns, and such columns without H
    const int more = k.rom.m + 1, some = 1, none = 0;
    MW_CHECK(changed(DIGESTED + 4 * 22, &more, sizeof more) == MW_FLAT_WRONG);
    if (k.rom.n_G == 0)
      MW_CHECK(changed(DIGESTED + 4 * 22, &some, sizeof some) == MW_FLAT_WRONG);
    else
      MW_CHECK(changed(DIGESTED + 4 * 20, &none, sizeof none) == MW_FLAT_WRONG);
    MW_CHECK(changed(DIGESTED + 4 * 26, &none, sizeof none) == MW_FLAT_WRONG);  // no names
    kind_free(&k);
  }
}

// Of a block that says its own length and has a right digest: at every fourth byte.
static void blocks_that_end_early_or_late_are_refused_behind_a_right_digest(void)
{
  static const double most[MW_ROM_MAX_S] = { 50.0, INFINITY };
  static const int kinds[] = { KIND_LAWS | KIND_SECOND | KIND_FLAT,
                               KIND_LAWS | KIND_SYMMETRIC | KIND_CYCLIC, KIND_TRAIN };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    rom_kind k;
    if (!MW_CHECK(kind_make(i == 0 ? 2 : 1, 2, 4, kinds[i], &k))) return;
    k.rom.rate_max = k.rom.u_max = most;
    write_block(&k.rom, &b);
    MW_CHECK(open_block(&b, &o) == MW_FLAT_OK);
    size_t n = b.n, taken = 0;
    memcpy(&other, &b, sizeof b);
    for (other.n = DIGESTED; other.n <= n + 8; other.n += 4) {
      seal(&other);
      taken += open_block(&other, &o) == MW_FLAT_OK;
    }
    MW_CHECK(taken == 1);  // the whole one
    kind_free(&k);
  }
}

static void numbers_of_no_model_are_refused_behind_a_right_digest(void)
{
  static const double nan = NAN, zero = 0.0, below = -1.0;
  static const int index = 999, before = -1, sign = 3, one = 1;
  const size_t lo = DIGESTED + 4 * MW_FLAT_HEAD, hi = lo + 8 * MW_ROM_MAX_S,
               behind = hi + 8 * MW_ROM_MAX_S;  // of what axes have, else indices of inputs
  rom_kind k;
  if (!take_kind(KIND_LAWS | KIND_SECOND, &k)) return;
  MW_CHECK(changed(lo, &nan, 8) == MW_FLAT_WRONG);
  MW_CHECK(changed(hi, b.p + lo, 8) == MW_FLAT_WRONG);  // no length
  MW_CHECK(changed(behind, &index, 4) == MW_FLAT_WRONG);
  MW_CHECK(changed(behind, &before, 4) == MW_FLAT_WRONG);
  MW_CHECK(changed(behind + 8, b.p + behind + 12, 4) == MW_FLAT_WRONG);  // Y_field twice the same
  MW_CHECK(changed(behind + 24, &below, 8) == MW_FLAT_WRONG);            // c_theta
  MW_CHECK(changed(behind + 40, &zero, 8) == MW_FLAT_WRONG);             // delta_max
  MW_CHECK(changed(b.law - 8, &index, 4) == MW_FLAT_WRONG);
  for (size_t i = 0; i < 9; i++) {
    MW_CHECK(changed(b.law + 8 * i, &nan, 8) == MW_FLAT_WRONG);
    int is_length = i == 2 || i == 3 || i == 8;  // stribeck, smooth, soft: > 0
    MW_CHECK(changed(b.law + 8 * i, &zero, 8) == (is_length ? MW_FLAT_WRONG : MW_FLAT_OK));
  }
  MW_CHECK(changed(b.table, &nan, 8) == MW_FLAT_WRONG);
  MW_CHECK(changed(b.n - 8, "aaaaaaaa", 8) == MW_FLAT_WRONG);  // names without an end
  kind_free(&k);
  if (!take_kind(KIND_SYMMETRIC, &k)) return;
  MW_CHECK(changed(behind, &sign, 4) == MW_FLAT_WRONG);
  kind_free(&k);
  if (!take_kind(KIND_TRAIN, &k)) return;
  for (size_t i = 0; i < 4; i++) MW_CHECK(changed(b.table + 4 * i, &index, 4) == MW_FLAT_WRONG);
  MW_CHECK(changed(b.table + 32, &nan, 8) == MW_FLAT_WRONG);
  MW_CHECK(changed(DIGESTED + 4 * 14, &one, 4) == MW_FLAT_WRONG);  // trains of some fields
  kind_free(&k);
  // trains along no axis have no rank
  if (!MW_CHECK(kind_make(1, 2, 4, KIND_TRAIN | KIND_FLAT, &k))) return;
  write_block(&k.rom, &b);
  MW_CHECK(open_block(&b, &o) == MW_FLAT_WRONG);
  kind_free(&k);
}

static const mw_test_case cases[] = {
  { "blocks_of_every_kind_are_the_model_they_were_made_of",
    blocks_of_every_kind_are_the_model_they_were_made_of },
  { "what_is_cut_damaged_or_foreign_is_told", what_is_cut_damaged_or_foreign_is_told },
  { "heads_of_no_model_are_refused_behind_a_right_digest",
    heads_of_no_model_are_refused_behind_a_right_digest },
  { "blocks_that_end_early_or_late_are_refused_behind_a_right_digest",
    blocks_that_end_early_or_late_are_refused_behind_a_right_digest },
  { "numbers_of_no_model_are_refused_behind_a_right_digest",
    numbers_of_no_model_are_refused_behind_a_right_digest },
};

int main(void) { return mw_test_run("rom_flat", cases, (int)(sizeof cases / sizeof *cases)); }
