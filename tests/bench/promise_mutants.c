// SPDX-License-Identifier: BSD-3-Clause
// promise_mutants.c: reduced models spoiled on purpose, judged anew by the reduction they come
// from.
//
//   a column gone          its coefficients 0 but for its own K and C: it is at rest for good
//   a coefficient scaled   times SCALE everywhere, or in one knot's record
//   a sign, a swap         of columns at one grid point, and the tables made of that
//   tables moved           by a knot, or stretched over a wider range
// and what is refused before: files of other machines, bytes changed. A line each: the quantities
// missed, or who refused and why. What passes is run beside the model as it was: where no scenario
// differs by more than runs may err by, it is no defect, its largest effect is printed, and the
// same is done GROWTH times as much, until it is one or nothing comes of it.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certify/judge_layer.h"
#include "promise.h"
#include "reduction/certificate.h"
#include "reduction/reduce.h"

static const double SCALE = 1.25, WIDER = 0.05;  // of the range, at either end
static const double GROWTH = 8.0;
enum { GROWN = 8 };  // times

typedef struct spoiler {
  const char *base;
  const motion *m;
  mw_judge *j;
  const mw_rom_file *f;
  const mw_rom_file *heavier;  // of the same machine with a heavier body, NULL: none
  int *lies;
  int n;
} spoiler;

// ---- rows ---------------------------------------------------------------------------------------

static void row(spoiler *z, const char *what, const char *verdict, bool good)
{
  printf("  %-11s %-38s %s\n", z->base, what, verdict);
  fflush(stdout);
  z->n++;
  *z->lies += !good;
}

// The quantities that a certificate misses, or what comes closest to its tolerance; true: some are
// missed.
static bool missed(const mw_certificate *c, char verdict[256])
{
  mw_verdict v[MW_VERDICTS];
  int n = mw_certificate_verdicts(c, v), used = 0, near = 0;
  for (int i = 1; i < n; i++)
    if (v[i].error * v[near].tolerance > v[near].error * v[i].tolerance) near = i;
  snprintf(verdict, 256, "PASSED: %s %.1e (%.0e)", v[near].key, v[near].error, v[near].tolerance);
  for (int i = 0; i < n && used < 200; i++)
    if (!v[i].met)
      used += snprintf(verdict + used, 256 - (size_t)used, "%s%s %.1e",
                       used ? ", " : "missed: ", v[i].key, v[i].error);
  return used > 0;
}

// Does no run show what a model was spoiled by? Its largest effect is printed then.
static bool without_effect(const spoiler *z, const mw_rom_file *f, const char *what)
{
  char run[64];
  double e = promise_difference(z->m, z->f, f, run),
         most = mw_certificate_run_tolerance(&z->f->certificate, "m");
  if (!(e <= most)) return false;
  printf("  %-11s %-38s no defect: runs differ by %.1e (%.0e) at most%s%s\n", z->base, what, e,
         most, run[0] ? ": " : "", run);
  fflush(stdout);
  return true;
}

// By the certificate that its reduction would give it; true: to be spoiled by more.
static bool judged(spoiler *z, const mw_rom_file *f, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool judged(spoiler *z, const mw_rom_file *f, const char *format, ...)
{
  char what[80], verdict[256];
  mw_certificate c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  mw_code rc = mw_judge_certify(z->j, f, &c, &mem, &err);
  if (rc != MW_OK) snprintf(verdict, sizeof verdict, "refused: %.150s", err.msg);
  bool found = rc != MW_OK || missed(&c, verdict), more = !found && without_effect(z, f, what);
  if (!more) row(z, what, verdict, found);
  mw_arena_free(&mem);
  return more;
}

static void refused(spoiler *z, mw_code rc, const mw_error *err, const char *what)
{
  char verdict[256] = "PASSED";
  if (rc != MW_OK) snprintf(verdict, sizeof verdict, "refused: %.150s", err->msg);
  row(z, what, verdict, rc != MW_OK);
}

// ---- tables -------------------------------------------------------------------------------------

static size_t n_record(const mw_rom *rom)
{
  size_t n = 1;
  for (int i = 0; i < rom->s; i++) n *= (size_t)mw_rom_n_knot(rom, i);
  return n;
}

// A copy of f with tables of its own, released by the caller.
static double *copy(const mw_rom_file *f, mw_rom_file *out)
{
  size_t n = n_record(&f->rom) * (size_t)f->rom.n_field;
  double *coef = f->rom.coef ? malloc(n * sizeof *coef) : NULL;
  *out = *f;
  if (!coef) return NULL;
  memcpy(coef, f->rom.coef, n * sizeof *coef);
  out->rom.coef = coef;
  return coef;
}

// A coefficient of the record: n fields from `at` on, every `step`-th of them for `step` > 0 ones.
typedef struct block {
  const char *name;
  int at, n, every;
} block;

enum { BLOCKS = 19 };

static int blocks_of(const mw_rom *rom, block out[BLOCKS])
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  int ny = rom->n_y, m = rom->m, n = 0;
  const block all[BLOCKS] = {
    { "a", L.a, L.U0 - L.a, 1 },    { "U0", L.U0, L.d - L.U0, 1 },  { "d", L.d, L.U1 - L.d, 1 },
    { "U1", L.U1, L.b - L.U1, 1 },  { "b", L.b, L.K - L.b, 1 },     { "K", L.K, L.C - L.K, 1 },
    { "C", L.C, L.e - L.C, 1 },     { "e", L.e, L.c - L.e, 1 },     { "c", L.c, L.H - L.c, 1 },
    { "H", L.H, L.G - L.H, 1 },     { "G", L.G, L.A3 - L.G, 1 },    { "A3", L.A3, L.B2 - L.A3, 1 },
    { "B2", L.B2, L.CE - L.B2, 1 }, { "CE", L.CE, L.CC - L.CE, 1 }, { "CC", L.CC, L.y - L.CC, 1 },
    { "y0", L.y, ny, 1 + m },       { "y1", L.y, ny * (1 + m), 0 }, { "Y", L.Y, L.n - L.Y, 1 }
  };
  for (int k = 0; k < BLOCKS && all[k].name; k++)
    if (all[k].n > 0) out[n++] = all[k];
  return n;
}

// Is field k of a record in the block? y1 is all of y but y0.
static bool within(const block *b, const mw_rom *rom, int k)
{
  if (b->every == 0) return k >= b->at && k < b->at + b->n && (k - b->at) % (1 + rom->m) != 0;
  return k >= b->at && (k - b->at) % b->every == 0 && (k - b->at) / b->every < b->n;
}

// Times `by` in records first … last; the largest of what was there.
static double scale(const mw_rom *rom, double *coef, const block *b, double by, size_t first,
                    size_t last)
{
  double most = 0.0;
  for (size_t g = first; g < last; g++)
    for (int k = 0; k < rom->n_field; k++)
      if (within(b, rom, k)) {
        double *x = &coef[g * (size_t)rom->n_field + (size_t)k];
        most = fmax(most, fabs(*x));
        *x *= by;
      }
  return most;
}

// A coefficient in records first … last, by more until it is a defect.
static void scaled_block(spoiler *z, const block *b, size_t first, size_t last, const char *in)
{
  double more = SCALE - 1.0;
  bool again = true;
  for (int k = 0; again && k < GROWN; k++, more *= GROWTH) {
    mw_rom_file f;
    double *coef = copy(z->f, &f);
    again = coef && scale(&f.rom, coef, b, 1.0 + more, first, last) > 0.0 &&
            judged(z, &f, "%s times %.4g%s", b->name, 1.0 + more, in);
    free(coef);
  }
}

static void scaled(spoiler *z)
{
  block b[BLOCKS];
  int n = blocks_of(&z->f->rom, b);
  size_t all = n_record(&z->f->rom);
  for (int k = 0; k < n; k++) {
    scaled_block(z, &b[k], 0, all, "");
    scaled_block(z, &b[k], all / 2, all / 2 + 1, " in one knot");
  }
}

// ---- columns ------------------------------------------------------------------------------------

static bool holds(int m, int column, int at, bool skew)
{
  for (int i = 0, k = 0; i < m; i++)
    for (int j = 0; j < i + !skew; j++, k++)
      if (k == at) return i == column || j == column;
  return false;
}

// Does field k couple the column with anything? Its own K and C do not.
static bool couples(const mw_rom *rom, int column, int k)
{
  mw_rom_layout L = mw_rom_layout_of(mw_rom_shape_of(rom));
  int m = rom->m, mm = m * (m + 1) / 2, mk = m * (m - 1) / 2, own = column * (column + 3) / 2;
  if (k >= L.Y) return holds(m, column, (k - L.Y) % mm, false);
  if (k >= L.y) return (k - L.y) % (1 + m) == 1 + column;
  if (k >= L.CC) return holds(m, column, (k - L.CC) % mm, false);
  if (k >= L.CE) return (k - L.CE) % m == column || (k - L.CE) / m % m == column;
  if (k >= L.B2) {
    int n = rom->n_G, nn = n * (n + 1) / 2;
    return (k - L.B2) / nn % n == column || holds(n, column, (k - L.B2) % nn, false);
  }
  if (k >= L.A3) {
    int n = rom->n_G, at = (k - L.A3) % (n * (n + 1) * (n + 2) / 6), a = 0;
    for (; at >= (a + 1) * (a + 2) / 2; a++) at -= (a + 1) * (a + 2) / 2;
    return a == column || holds(a + 1, column, at, false);
  }
  if (k >= L.G) {
    int n = rom->n_G, first = (k - L.G) / (n * (n + 1) / 2);
    return first == column || holds(n, column, (k - L.G) % (n * (n + 1) / 2), false);
  }
  if (k >= L.H) return holds(m, column, (k - L.H) % mm, false);
  if (k >= L.c) return holds(m, column, (k - L.c) % mm, false);
  if (k >= L.e) return holds(m, column, (k - L.e) % mk, true);
  if (k >= L.C) return k - L.C != own && holds(m, column, k - L.C, false);
  if (k >= L.K) return k - L.K != own && holds(m, column, k - L.K, false);
  if (k >= L.b) return (k - L.b) % m == column;
  if (k >= L.U1) return k - L.U1 == column;
  if (k >= L.d) return (k - L.d) % m == column;
  return false;
}

// Without a column. Where no combination of loads notices, other columns hold what it is there for:
// no defect, and not counted.
static void column_gone(spoiler *z, const mw_rom_file *f, const char *name)
{
  char what[80], verdict[256];
  mw_certificate c;
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  double all = fmax(2.0 * z->f->certificate.tolerance, z->f->certificate.max_energy_left);
  snprintf(what, sizeof what, "%.70s gone", name);
  mw_code rc = mw_judge_certify(z->j, f, &c, &mem, &err);
  if (rc != MW_OK) {
    refused(z, rc, &err, what);
  } else if (missed(&c, verdict) || c.max_energy_left > all) {
    row(z, what, verdict, missed(&c, verdict));
  } else {
    printf("  %-11s %-38s not needed: energy left %.1e of all loads combined\n", z->base, what,
           c.max_energy_left);
  }
  mw_arena_free(&mem);
}

static void columns_gone(spoiler *z)
{
  const mw_rom *rom = &z->f->rom;
  size_t all = n_record(rom);
  for (int a = 0; a < rom->m; a++) {
    mw_rom_file f;
    double *coef = copy(z->f, &f);
    for (size_t g = 0; coef && g < all; g++)
      for (int k = 0; k < rom->n_field; k++)
        if (couples(rom, a, k)) coef[g * (size_t)rom->n_field + (size_t)k] = 0.0;
    if (coef) column_gone(z, &f, z->f->column[a]);
    free(coef);
  }
}

// The tables of the columns as they stand on the grid.
static mw_code rebuild(const spoiler *z, mw_rom_file *f, mw_error *err)
{
  *f = (mw_rom_file){ .inertia = z->f->inertia };
  mw_code rc = mw_describe(z->j->r, &z->j->made->patterns, f, err);
  return rc == MW_OK ? mw_tables_build(z->j->r, f, &z->j->made->tables, err) : rc;
}

// Columns a and b change places in the middle of the grid; a = b: its sign.
static void exchange(const mw_reduction *r, int a, int b)
{
  double *X = r->point[r->n_point / 2].Psi;
  size_t n = (size_t)r->n;
  for (size_t i = 0; i < n; i++) {
    double x = X[(size_t)a * n + i], y = X[(size_t)b * n + i];
    X[(size_t)a * n + i] = a == b ? -x : y;
    X[(size_t)b * n + i] = a == b ? -y : x;
  }
}

static void columns_spoiled(spoiler *z)
{
  static const int pair[3][2] = { { 0, 0 }, { 0, 1 }, { 1, 1 } };
  for (int k = 0; k < 3; k++) {
    int a = pair[k][0], b = pair[k][1];
    mw_error err = { 0 };
    mw_rom_file f, back;
    if (z->f->n_modes < 2) continue;
    exchange(z->j->r, a, b);
    mw_code rc = rebuild(z, &f, &err);
    if (rc != MW_OK)
      refused(z, rc, &err, "columns at one grid point");
    else if (a == b)
      (void)judged(z, &f, "sign of mode %d at one grid point", a + 1);
    else
      (void)judged(z, &f, "modes %d and %d swapped at one point", a + 1, b + 1);
    exchange(z->j->r, a, b);
    rc = rebuild(z, &back, &err);  // what the reduction keeps of tables is its own again
    if (!mw_fixture_okay(rc, &err)) ++*z->lies;
    mw_rom_file_free(&f);
    mw_rom_file_free(&back);
  }
}

// ---- tables as wholes ---------------------------------------------------------------------------

static void tables_moved(spoiler *z)
{
  const mw_rom *rom = &z->f->rom;
  size_t row = (size_t)rom->n_field, all = n_record(rom);
  mw_rom_file f;
  double *coef = copy(z->f, &f);
  if (!coef) return;
  memmove(coef, coef + row, (all - 1) * row * sizeof *coef);
  (void)judged(z, &f, "tables moved by a knot");
  free(coef);
  f = *z->f;
  for (int i = 0; i < rom->s; i++) {
    double w = rom->hi[i] - rom->lo[i];
    if ((rom->cyclic | rom->flat) >> i & 1u) continue;
    f.rom.lo[i] -= WIDER * w;
    f.rom.hi[i] += WIDER * w;
  }
  if (memcmp(f.rom.lo, rom->lo, sizeof f.rom.lo) != 0)
    (void)judged(z, &f, "range wider than its tables");
}

// Numbers beside the tables.
static void beside_tables(spoiler *z)
{
  const mw_rom *rom = &z->f->rom;
  double c[MW_ROM_MAX_S];
  double most = 0.0;
  mw_rom_file f = *z->f;
  for (int i = 0; rom->c_theta && i < rom->s; i++) {
    c[i] = SCALE * rom->c_theta[i];
    most = fmax(most, c[i]);
  }
  f.rom.c_theta = c;
  if (most > 0.0) (void)judged(z, &f, "damping of coordinates times %.2f", SCALE);
  f = *z->f;
  int *field = malloc((size_t)(rom->n_u + 1) * sizeof *field);
  for (int k = 0; field && k < rom->n_u; k++) field[k] = rom->u_field[(k + 1) % rom->n_u];
  f.rom.u_field = field;
  if (field && rom->n_u > 1) (void)judged(z, &f, "drives act on each other's fields");
  free(field);
  int *sign = rom->mirror ? malloc((size_t)(rom->s * rom->m) * sizeof *sign) : NULL;
  f = *z->f;
  for (int k = 0; sign && k < rom->s * rom->m; k++) sign[k] = rom->mirror[k];
  if (sign) {
    sign[0] = -sign[0];
    f.rom.mirror = sign;
    (void)judged(z, &f, "parity of mode 1 wrong");
  }
  free(sign);
}

// ---- files --------------------------------------------------------------------------------------

static void byte_changed(spoiler *z)
{
  char path[] = "/tmp/modeway_promise_XXXXXX";
  mw_error err = { 0 };
  mw_rom_file back = { 0 };
  int fd = mkstemp(path);
  if (fd < 0) return;
  close(fd);
  mw_code rc = mw_rom_file_write(z->f, path, &err);
  FILE *file = rc == MW_OK ? fopen(path, "r+b") : NULL;
  if (file) {
    fseek(file, 0, SEEK_END);
    fseek(file, ftell(file) / 2, SEEK_SET);
    int c = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(c ^ 4, file);
    fclose(file);
    rc = mw_rom_file_read(path, &back, &err);
    refused(z, rc, &err, "a bit of the file changed");
    mw_rom_file_free(&back);
  } else {
    mw_fixture_okay(rc, &err);
    ++*z->lies;
  }
  unlink(path);
}

static void other_machine(spoiler *z)
{
  mw_error err = { 0 };
  if (!z->heavier) return;
  refused(z, mw_rom_file_match(z->heavier, z->j->r->model, "heavier.nc", &err), &err,
          "a body 10 % heavier, as a file");
  if (z->heavier->rom.m == z->f->rom.m && z->heavier->rom.n_field == z->f->rom.n_field)
    (void)judged(z, z->heavier, "a body 10 %% heavier, its tables");
  else
    row(z, "a body 10 % heavier, its tables", "PASSED: not compared, other columns", false);
}

// ---- bases --------------------------------------------------------------------------------------

static mw_code spoil(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  spoiler *z = ctx;
  (void)err;
  z->j = j;
  z->f = f;
  printf("  %-11s %d columns, %zu knots\n", z->base, f->rom.m, n_record(&f->rom));
  if (!mw_certificate_met(&f->certificate))
    row(z, "unspoiled", "MISSED: nothing is learnt from this machine", false);
  columns_gone(z);
  scaled(z);
  tables_moved(z);
  beside_tables(z);
  other_machine(z);
  byte_changed(z);
  columns_spoiled(z);  // last: it makes tables of the reduction's own anew
  return MW_OK;
}

typedef struct base {
  const char *name, *of;
  const motion_swap *swap;
  motion_swap heavier;  // { NULL }: none
} base;

// Gravity along the guide as well, a damper on the coordinate; a beam that is its own mirror image.
static const motion_swap tilted[] = { { "gravity: [0, 0, -0.5]", "gravity: [0.2, 0, -0.5]" },
                                      { "drive: motor_x\n", "drive: motor_x\n    damping: 0.1\n" },
                                      { NULL, NULL } };
static const motion_swap mirrored[] = {
  { "x: { range: [0, 1], points: 25 }",
    "x: { range: [0, 1], points: 25, symmetric: true, max_rate: 0.5, max_acceleration: 5 }" },
  { NULL, NULL }
};

static const base bases[] = {
  { "cantilever", "cantilever-carriage", tilted, { "mass: 0.3", "mass: 0.33" } },
  { "beam", "beam-carriage", mirrored, { "mass: 0.5", "mass: 0.55" } },
  { "polar", "polar", NULL, { "rigid: { mass: 3,", "rigid: { mass: 3.3," } },
  { "two-link", "two-link", NULL, { "mass: 3,", "mass: 3.3," } },
};

static bool reduced(const base *b, const motion_swap *swap, const mw_reduce_opt *opt, motion *m)
{
  mw_error err = { 0 };
  return motion_case(b->of, swap, m) &&
         mw_fixture_okay(mw_reduce(&m->f.model, &m->f.mech, opt, &m->rom, &err), &err);
}

// A certificate beside fresh samples: missed, or right to be met.
static mw_code look_coarse(void *ctx, mw_judge *j, const mw_rom_file *f, mw_error *err)
{
  enum { SEED = 4 };
  spoiler *z = ctx;
  char verdict[256], fresh_verdict[256];
  mw_certificate fresh;
  mw_arena mem = { 0 };
  mw_code rc = mw_judge_random(j, f, PROMISE_SAMPLES, SEED, false, &fresh, &mem, err);
  if (rc == MW_OK && !missed(&f->certificate, verdict) && !missed(&fresh, fresh_verdict))
    printf("  %-11s %-38s good enough at %d fresh samples, too\n", z->base, "a grid of few points",
           PROMISE_SAMPLES);
  else if (rc == MW_OK)
    row(z, "a grid of few points", verdict, missed(&f->certificate, verdict));
  mw_arena_free(&mem);
  return rc;
}

// A grid of five points a coordinate.
static bool coarse(const base *b, spoiler *z)
{
  enum { POINTS = 5 };
  motion m = { 0 };
  mw_error err = { 0 };
  const mw_reduce_opt opt = { .n_grid_override = POINTS, .judge = look_coarse, .judge_ctx = z };
  bool good = motion_case(b->of, b->swap, &m);
  mw_code rc = good ? mw_reduce(&m.f.model, &m.f.mech, &opt, &m.rom, &err) : MW_OK;
  if (rc != MW_OK) refused(z, rc, &err, "a grid of few points");
  motion_close(&m);
  return good;
}

static bool spoil_base(const base *b, spoiler *z)
{
  enum { MOST = 8 };
  motion m = { 0 }, heavy = { 0 };
  motion_swap swap[MOST] = { { NULL, NULL } };
  const mw_reduce_opt opt = { .judge = spoil, .judge_ctx = z };
  int n = 0;
  for (const motion_swap *s = b->swap; s && s->from && n < MOST - 2; s++) swap[n++] = *s;
  swap[n] = b->heavier;
  z->base = b->name;
  z->m = &m;
  bool good = !b->heavier.from || reduced(b, swap, NULL, &heavy);
  if (good && b->heavier.from) z->heavier = &heavy.rom;
  good = good && reduced(b, b->swap, &opt, &m);
  good = good && coarse(b, z);
  z->heavier = NULL;
  motion_close(&m);
  motion_close(&heavy);
  return good;
}

static bool named(int n, char **name, const char *machine)
{
  for (int i = 0; i < n; i++)
    if (strcmp(name[i], machine) == 0) return true;
  return n == 0;
}

bool promise_mutants(int n, char **name, int *lies)
{
  spoiler z = { .lies = lies };
  int before = *lies, found = 0;
  bool good = true;
  for (size_t k = 0; k < sizeof bases / sizeof *bases; k++) {
    if (!named(n, name, bases[k].name)) continue;
    found++;
    good = spoil_base(&bases[k], &z) && good;
  }
  printf("  %d spoiled models, %d passed\n", z.n, *lies - before);
  return good && found >= n;
}
