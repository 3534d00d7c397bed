// SPDX-License-Identifier: BSD-3-Clause
// rom_flat.c: reads a reduced model from a block of bytes, see rom/flat.h.
//
// The words of the head: s, m, n_y, n_u, n_field; n_grid [6]; flat, cyclic, symmetric; n_train,
// n_law; zero_e, zero_c (two words), slow, parts, n_Y, n_G, zero_H; inertia; 1 with rate_max, 2
// with u_max; bytes of the names; zeros.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "rom/flat.h"

enum { FLAT_FIRST = 32, FLAT_MAX_N = 1 << 20 };
enum { HAS_RATE_MAX = 1, HAS_U_MAX = 2 };

// What is left of a block; cut: more was asked for than there was.
typedef struct flat_reader {
  const unsigned char *p;
  size_t left;
  int cut;
} flat_reader;

const char *mw_rom_flat_code_name(mw_rom_flat_code code)
{
  static const char *const name[] = {
    "fine",    "no table of modeway", "of a newer version",           "cut",
    "damaged", "no reduced model",    "not on a multiple of 8 bytes", "more memory is needed"
  };
  return name[code];
}

unsigned long long mw_rom_flat_digest(unsigned long long so_far, const void *bytes, size_t n)
{
  const unsigned char *p = bytes;
  for (size_t k = 0; k < n; k++) so_far = (so_far ^ p[k]) * 1099511628211ull;
  return so_far;
}

// The next count things of size bytes each, NULL where they are not there.
static const void *flat_take(flat_reader *r, size_t count, size_t size)
{
  const unsigned char *p = r->p;
  if (r->cut || count > r->left / size) {
    r->cut = 1;
    return NULL;
  }
  size_t n = count * size + 7u;
  n -= n % 8u;
  if (n > r->left) {
    r->cut = 1;
    return NULL;
  }
  r->p += n;
  r->left -= n;
  return p;
}

// ---- the head -----------------------------------------------------------------------------------

static int flat_is_count(int n, int lo, int hi) { return n >= lo && n <= hi; }

static mw_rom_flat_code flat_head(flat_reader *r, mw_rom_flat *f, int32_t *has, size_t *n_names)
{
  const int32_t *h = flat_take(r, MW_FLAT_HEAD, sizeof *h);
  mw_rom *m = &f->rom;
  if (!h) return MW_FLAT_CUT;
  m->s = h[0], m->m = h[1], m->n_y = h[2], m->n_u = h[3], m->n_field = h[4];
  for (int i = 0; i < MW_ROM_MAX_S; i++) m->n_grid[i] = h[5 + i];
  m->flat = (unsigned)h[11], m->cyclic = (unsigned)h[12], m->symmetric = (unsigned)h[13];
  m->n_train = h[14], m->n_law = h[15];
  m->zero_e = (unsigned)h[16];
  m->zero_c = (unsigned long long)(uint32_t)h[17] | (unsigned long long)(uint32_t)h[18] << 32;
  m->slow = (unsigned)h[19], m->parts = (unsigned)h[20];
  m->n_Y = h[21], m->n_G = h[22], m->zero_H = (unsigned)h[23];
  *has = h[25];
  *n_names = (size_t)(uint32_t)h[26];
  if (!flat_is_count(m->s, 1, MW_ROM_MAX_S) || !flat_is_count(m->m, 0, MW_FLAT_MAX_M) ||
      !flat_is_count(m->n_y, 0, MW_FLAT_MAX_Y) || !flat_is_count(m->n_u, 0, MW_FLAT_MAX_Y) ||
      !flat_is_count(m->n_law, 0, MW_FLAT_MAX_Y) || !flat_is_count(m->n_Y, 0, m->n_y) ||
      !flat_is_count(m->n_G, 0, MW_ROM_MAX_G) || m->n_G > m->m || m->parts > MW_ROM_ALL_PARTS ||
      (m->n_G > 0 && !(m->parts & MW_ROM_H)) || !flat_is_count(h[24], 0, MW_ROM_LEADING) ||
      !flat_is_count(*has, 0, HAS_RATE_MAX | HAS_U_MAX))
    return MW_FLAT_WRONG;
  f->inertia = (mw_rom_inertia)h[24];
  for (int i = 0; i < m->s; i++)
    if (!flat_is_count(m->n_grid[i], 4, FLAT_MAX_N)) return MW_FLAT_WRONG;
  if ((m->flat | m->cyclic | m->symmetric) >> m->s || (m->flat & m->symmetric))
    return MW_FLAT_WRONG;
  if (m->n_field != mw_rom_n_field(mw_rom_shape_of(m)) || !flat_is_count(m->n_train, 0, m->n_field))
    return MW_FLAT_WRONG;
  return MW_FLAT_OK;
}

// ---- arrays -------------------------------------------------------------------------------------

static int flat_finite(const double *x, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if (!isfinite(x[k])) return 0;
  return 1;
}

// n doubles; NULL in *ok's place of 1 where one is not finite or not there.
static const double *flat_numbers(flat_reader *r, size_t n, int *ok)
{
  const double *x = flat_take(r, n, sizeof *x);
  if (!x || !flat_finite(x, n)) *ok = 0;
  return x;
}

// Limits: positive, infinite ones too.
static const double *flat_limits(flat_reader *r, size_t n, int *ok)
{
  const double *x = flat_take(r, n, sizeof *x);
  if (!x) *ok = 0;
  for (size_t k = 0; x && k < n; k++)
    if (!(x[k] > 0.0)) *ok = 0;
  return x;
}

// n indices of `of` things.
static const int *flat_indices(flat_reader *r, size_t n, int of, int *ok)
{
  const int32_t *x = flat_take(r, n, sizeof *x);
  if (!x) *ok = 0;
  for (size_t k = 0; x && k < n; k++)
    if (x[k] < 0 || x[k] >= of) *ok = 0;
  return (const int *)x;
}

// Signs of symmetric axes, [s × n].
static const int *flat_signs(flat_reader *r, const mw_rom *m, int n, int *ok)
{
  const int32_t *x = flat_take(r, (size_t)m->s * (size_t)n, sizeof *x);
  if (!x) *ok = 0;
  for (int i = 0; x && i < m->s; i++)
    for (int k = 0; (m->symmetric >> i & 1u) && k < n; k++)
      if (x[i * n + k] != 1 && x[i * n + k] != -1) *ok = 0;
  return (const int *)x;
}

static int flat_axes(flat_reader *r, mw_rom *m)
{
  size_t sy = (size_t)m->s * (size_t)m->n_y;
  int ok = 1;
  const double *lo = flat_numbers(r, MW_ROM_MAX_S, &ok), *hi = flat_numbers(r, MW_ROM_MAX_S, &ok);
  if (!ok) return 0;
  for (int i = 0; i < MW_ROM_MAX_S; i++) {
    m->lo[i] = lo[i];
    m->hi[i] = hi[i];
    if (i < m->s && !(lo[i] < hi[i])) return 0;
  }
  if (m->flat | m->cyclic) m->y_slope = flat_numbers(r, sy, &ok);
  if (m->symmetric) {
    m->mirror = flat_signs(r, m, m->m, &ok);
    m->mirror_y = flat_signs(r, m, m->n_y, &ok);
    m->y_shift = flat_numbers(r, sy, &ok);
  }
  return ok;
}

static int flat_ranges(flat_reader *r, mw_rom *m, int32_t has)
{
  int ok = 1;
  m->u_field = flat_indices(r, (size_t)m->n_u, m->n_y, &ok);
  m->Y_field = flat_indices(r, (size_t)m->n_Y, m->n_y, &ok);
  for (int k = 1; ok && k < m->n_Y; k++) ok = m->Y_field[k] > m->Y_field[k - 1];
  m->c_theta = flat_numbers(r, (size_t)m->s, &ok);
  for (int i = 0; ok && i < m->s; i++) ok = m->c_theta[i] >= 0.0;
  m->delta_max = flat_limits(r, (size_t)m->m, &ok);
  if (has & HAS_RATE_MAX) m->rate_max = flat_limits(r, (size_t)m->s, &ok);
  if (has & HAS_U_MAX) m->u_max = flat_limits(r, (size_t)m->n_u, &ok);
  return ok;
}

static int flat_laws(flat_reader *r, mw_rom *m, mw_rom_law *law)
{
  int ok = 1;
  m->law = law;
  for (int k = 0; ok && k < m->n_law; k++) {
    const int *field = flat_indices(r, 1, m->n_y, &ok);
    const double *x = flat_take(r, 9, sizeof *x);
    if (!ok || !x) return 0;
    law[k] = (mw_rom_law){ .field = *field,
                           .coulomb = x[0],
                           .stiction = x[1],
                           .stribeck = x[2],
                           .smooth = x[3],
                           .lo = x[4],
                           .hi = x[5],
                           .stiffness = x[6],
                           .damping = x[7],
                           .soft = x[8] };
    ok = flat_finite(x, 4) && flat_finite(x + 6, 3) && x[2] > 0.0 && x[3] > 0.0 && x[8] > 0.0 &&
         x[4] <= x[5];
  }
  return ok;
}

static int flat_train(flat_reader *r, const mw_rom *m, int next, mw_rom_train *t)
{
  const int32_t *h = flat_take(r, 2 + MW_ROM_MAX_S, sizeof *h);
  size_t rank = 0;
  int ok = 1;
  if (!h) return 0;
  *t = (mw_rom_train){ .first = h[0], .n_field = h[1] };
  if (t->first != next || !flat_is_count(t->n_field, 1, m->n_field - next)) return 0;
  for (int i = 0; ok && i < m->s; i++) {
    t->rank[i] = h[2 + i];
    if (m->flat >> i & 1u) {
      t->rank[i] = 0;
      continue;
    }
    if (!flat_is_count(t->rank[i], 1, MW_ROM_MAX_RANK)) return 0;
    size_t rows = (size_t)mw_rom_n_knot(m, i) * (rank ? rank : 1u);
    t->core[i] = flat_numbers(r, rows * (size_t)t->rank[i], &ok);
    rank = (size_t)t->rank[i];
  }
  if (!ok || rank == 0) return 0;
  t->field = flat_numbers(r, rank * (size_t)t->n_field, &ok);
  return ok;
}

static int flat_table(flat_reader *r, mw_rom *m, mw_rom_train *train)
{
  size_t rows = 1;
  int ok = 1, next = 0;
  m->train = m->n_train > 0 ? train : NULL;
  for (int k = 0; ok && k < m->n_train; next += train[k++].n_field)
    ok = flat_train(r, m, next, &train[k]);
  if (m->n_train > 0) return ok && next == m->n_field;
  for (int i = 0; i < m->s; i++) {
    rows *= (size_t)mw_rom_n_knot(m, i);
    if (rows > r->left) return 0;
  }
  if (rows > r->left / (size_t)m->n_field) return 0;
  m->coef = flat_numbers(r, rows * (size_t)m->n_field, &ok);
  return ok;
}

// As many names as there are to be, the last byte a 0.
static int flat_names(flat_reader *r, mw_rom_flat *f, size_t n)
{
  const char *p = flat_take(r, n, 1);
  size_t ends = 0,
         want = 1u + 4u * (size_t)(f->rom.s + f->rom.m) + (size_t)(f->rom.n_u + f->rom.n_y);
  if (!p || n == 0 || p[n - 1] != '\0') return 0;
  for (size_t k = 0; k < n; k++) ends += p[k] == '\0';
  f->names = p;
  return ends == want;
}

// ---- all of it ----------------------------------------------------------------------------------

static mw_rom_flat_code flat_start(const void *bytes, size_t n, flat_reader *r)
{
  uint32_t word[2];
  uint64_t size, digest;
  const unsigned char *p = bytes;
  if (n < FLAT_FIRST || memcmp(p, "MODEWAYT", 8) != 0) return MW_FLAT_FOREIGN;
  if ((uintptr_t)p % 8u != 0) return MW_FLAT_UNALIGNED;
  memcpy(word, p + 8, sizeof word);
  memcpy(&size, p + 16, sizeof size);
  memcpy(&digest, p + 24, sizeof digest);
  if (word[1] != 0x01020304u) return MW_FLAT_FOREIGN;
  if (word[0] != MW_FLAT_VERSION) return MW_FLAT_NEWER;
  if (size != n) return MW_FLAT_CUT;
  if (mw_rom_flat_digest(MW_FLAT_SEED, p + FLAT_FIRST, n - FLAT_FIRST) != digest)
    return MW_FLAT_DAMAGED;
  *r = (flat_reader){ p + FLAT_FIRST, n - FLAT_FIRST, 0 };
  return MW_FLAT_OK;
}

mw_rom_flat_code mw_rom_flat_open(const void *bytes, size_t n, void *memory, size_t *size,
                                  const mw_rom_flat **out)
{
  flat_reader r;
  mw_rom_flat f;
  int32_t has = 0;
  size_t n_names = 0;
  memset(&f, 0, sizeof f);
  mw_rom_flat_code code = flat_start(bytes, n, &r);
  if (code == MW_FLAT_OK) code = flat_head(&r, &f, &has, &n_names);
  if (code != MW_FLAT_OK) return code;
  size_t trains = sizeof(mw_rom_train) * (size_t)f.rom.n_train,
         need = sizeof f + trains + sizeof(mw_rom_law) * (size_t)f.rom.n_law;
  if (!memory) {
    *size = need;
    return MW_FLAT_OK;
  }
  if ((uintptr_t)memory % 8u != 0) return MW_FLAT_UNALIGNED;
  if (*size < need) return MW_FLAT_MEMORY;
  mw_rom_flat *to = memory;
  mw_rom_train *train = (mw_rom_train *)(void *)(to + 1);
  mw_rom_law *law = (mw_rom_law *)(void *)(train + f.rom.n_train);
  if (!flat_axes(&r, &f.rom) || !flat_ranges(&r, &f.rom, has) || !flat_laws(&r, &f.rom, law) ||
      !flat_table(&r, &f.rom, train) || !flat_names(&r, &f, n_names) || r.left > 0)
    return MW_FLAT_WRONG;
  *to = f;
  *out = to;
  return MW_FLAT_OK;
}

const char *mw_rom_flat_name(const mw_rom_flat *flat, int k)
{
  const char *p = flat->names;
  for (; k > 0; k--) p += strlen(p) + 1;
  return p;
}
