// SPDX-License-Identifier: BSD-3-Clause
// test_romfile.c: rom.nc comes back bit for bit, or is refused; a failed write leaves what was
// there.
//
// No tolerances: everything is compared exactly.
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"
#include "fixture_romfile.h"
#include "mw_test.h"
#include "reduction/certificate.h"
#include "reduction/ncfile.h"
#include "reduction/romfile.h"

// A folder of its own for every test.
static char folder[64], rom_path[96];

static void enter(void)
{
  strcpy(folder, "/tmp/mw-romfile-XXXXXX");
  MW_CHECK(mkdtemp(folder) != NULL);
  snprintf(rom_path, sizeof rom_path, "%s/rom.nc", folder);
}

static int files_in_folder(void)
{
  int n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) n += e->d_name[0] != '.';
  if (d) closedir(d);
  return n;
}

static void leave(void)
{
  (void)remove(rom_path);
  MW_CHECK(rmdir(folder) == 0);
}

static bool same(const double *x, const double *y, size_t n)
{
  return memcmp(x, y, n * sizeof *x) == 0;
}

static bool same_words(const char *const *x, const char *const *y, int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(x[i], y[i]) != 0) return false;
  return true;
}

static bool same_laws(const mw_rom *a, const mw_rom *b)
{
  if (a->n_law != b->n_law) return false;
  for (int i = 0; i < a->n_law; i++) {
    const mw_rom_law *x = &a->law[i], *y = &b->law[i];
    double u[9] = { x->coulomb, x->stiction,  x->stribeck, x->smooth, x->lo,
                    x->hi,      x->stiffness, x->damping,  x->soft },
           v[9] = { y->coulomb, y->stiction,  y->stribeck, y->smooth, y->lo,
                    y->hi,      y->stiffness, y->damping,  y->soft };
    if (x->field != y->field || !same(u, v, 9)) return false;
  }
  return true;
}

static bool same_third(const mw_rom_file *f, const mw_rom_file *g)
{
  const mw_certificate *c = &f->certificate, *d = &g->certificate;
  const mw_swings *y = &f->swing, *z = &g->swing;
  size_t n = (size_t)y->n;
  return c->n_push == d->n_push && same(&c->push_error, &d->push_error, 1) &&
         same(c->push_theta, d->push_theta, S) && strcmp(c->push_input, d->push_input) == 0 &&
         same(&c->third_error, &d->third_error, 1) && same(&c->third_shift, &d->third_shift, 1) &&
         same(&c->third_phase, &d->third_phase, 1) && c->n_force == d->n_force &&
         c->n_force_random == d->n_force_random && same(&c->third_time, &d->third_time, 1) &&
         same(&c->free_error, &d->free_error, 1) && same(&c->free_shift, &d->free_shift, 1) &&
         same(&c->free_phase, &d->free_phase, 1) && same(&c->free_hz, &d->free_hz, 1) &&
         c->third_held == d->third_held && same(&c->third_hz, &d->third_hz, 1) &&
         strcmp(c->third_load, d->third_load) == 0 &&
         same(&c->third_deflection, &d->third_deflection, 1) &&
         strcmp(c->third_body, d->third_body) == 0 && strcmp(c->undeclared, d->undeclared) == 0 &&
         strcmp(c->third_taken, d->third_taken) == 0 && y->n == z->n &&
         same(y->omega, z->omega, n) && same(y->shift, z->shift, n) &&
         same(y->third, z->third, n) && same(y->mode, z->mode, n * (size_t)f->rom.m) &&
         same(y->output, z->output, n) && same(y->bends, z->bends, n) &&
         same(y->deflection, z->deflection, n) && same_words(y->body, z->body, y->n);
}

static bool same_rom(const mw_rom_file *f, const mw_rom_file *g)
{
  const mw_rom *a = &f->rom, *b = &g->rom;
  const mw_certificate *c = &f->certificate, *d = &g->certificate;
  return same_third(f, g) && strcmp(f->thinned, g->thinned) == 0 &&
         c->mass_error == d->mass_error && c->s == d->s && c->n_table == d->n_table &&
         same(&c->table_error, &d->table_error, 1) && same(c->table_theta, d->table_theta, S) &&
         strcmp(c->table_field, d->table_field) == 0 &&
         c->stress_stiffness_error == d->stress_stiffness_error && a->s == b->s && a->m == b->m &&
         a->n_y == b->n_y && a->n_u == b->n_u && a->n_field == b->n_field &&
         memcmp(a->n_grid, b->n_grid, S * sizeof(int)) == 0 &&
         memcmp(f->n_grid, g->n_grid, S * sizeof(int)) == 0 && same(a->lo, b->lo, S) &&
         same(a->hi, b->hi, S) && same(a->coef, b->coef, N_KNOT * (size_t)a->n_field) &&
         f->n_start == g->n_start && same(f->start, g->start, N_KNOT * (size_t)f->n_start) &&
         memcmp(a->u_field, b->u_field, sizeof(int) * N_U) == 0 &&
         same(a->c_theta, b->c_theta, S) && same(a->delta_max, b->delta_max, M) &&
         a->parts == b->parts && a->n_Y == b->n_Y && a->n_G == b->n_G &&
         a->Y_field[0] == b->Y_field[0] && a->Y_field[1] == b->Y_field[1] &&
         same(a->rate_max, b->rate_max, S) && same(a->u_max, b->u_max, N_U) && same_laws(a, b) &&
         f->inertia == g->inertia && strcmp(f->model_hash, g->model_hash) == 0 &&
         strcmp(f->model_name, g->model_name) == 0 && strcmp(f->version, g->version) == 0 &&
         strcmp(f->command, g->command) == 0 && same_words(f->coordinate, g->coordinate, S) &&
         same_words(f->unit, g->unit, S) && same_words(f->field, g->field, N_Y) &&
         same_words(f->input, g->input, N_U) && same_words(f->column, g->column, M) &&
         f->n_modes == g->n_modes && f->n_patterns == g->n_patterns && f->n_point == g->n_point &&
         f->n_freq == g->n_freq && same(f->frequency, g->frequency, N_POINT * N_FREQ) &&
         memcmp(f->cluster, g->cluster, 2 * sizeof(int)) == 0 &&
         same(&f->largest_jump, &g->largest_jump, 1) && f->unknowns == g->unknowns &&
         c->n == d->n && c->n_mesh == d->n_mesh && d->kind &&
         memcmp(c->kind, d->kind, N_CERT * sizeof *c->kind) == 0 && d->has_gap && d->solver &&
         memcmp(c->solver, d->solver, N_CERT * sizeof *c->solver) == 0 &&
         strcmp(c->arpack, d->arpack) == 0 && c->arpack_missed == d->arpack_missed &&
         c->arpack_proved == d->arpack_proved && same(&c->arpack_apart, &d->arpack_apart, 1) &&
         same(c->gap, d->gap, MW_ERROR_KINDS) && c->n_freq == d->n_freq &&
         same(c->theta, d->theta, N_CERT * S) && same(c->f_direct, d->f_direct, N_CERT * 3) &&
         same(c->f_rom, d->f_rom, N_CERT * 3) && same(c->mac, d->mac, N_CERT * 3) &&
         same(c->static_error, d->static_error, N_CERT) && c->worst == d->worst &&
         same(&c->max_frequency_error, &d->max_frequency_error, 1) &&
         same(&c->min_mac, &d->min_mac, 1) && same(&c->max_static_error, &d->max_static_error, 1) &&
         same(&c->tolerance, &d->tolerance, 1) && c->outside.n == d->outside.n &&
         same_words(c->outside.scenario, d->outside.scenario, c->outside.n) &&
         same_words(c->outside.why, d->outside.why, c->outside.n);
}

// What the file says to readers that know no tolerances is what its certificate comes to.
static void verdicts_in_a_file_are_those_of_its_certificate(void)
{
  enter();
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_ncr r;
  mw_rom_file f = fixture_romfile(), g = { 0 };
  mw_verdict v[MW_VERDICTS];
  if (MW_OKAY(mw_rom_file_write(&f, rom_path, &err)) &&
      MW_OKAY(mw_rom_file_read(rom_path, &g, &err)) &&
      MW_OKAY(mw_ncr_open(&r, rom_path, "rom", &mem, &err))) {
    int n = mw_certificate_verdicts(&g.certificate, v);
    MW_CHECK(mw_ncr_dim(&r, "certificate_verdict") == n);
    const char **key = mw_ncr_str(&r, "certificate_verdict", n);
    const double *error = mw_ncr_f64(&r, "certificate_verdict_error", 1, &n, false),
                 *tolerance = mw_ncr_f64(&r, "certificate_verdict_tolerance", 1, &n, true);
    const int *met = mw_ncr_int(&r, "certificate_verdict_met", 1, &n);
    for (int i = 0; i < n && MW_CHECK(key && error && tolerance && met); i++)
      MW_CHECK(strcmp(key[i], v[i].key) == 0 && error[i] == v[i].error &&
               tolerance[i] == v[i].tolerance && (met[i] == 1) == v[i].met);
    MW_OKAY(mw_ncr_close(&r, &err));
  }
  mw_rom_file_free(&g);
  mw_rom_file_free(&f);
  mw_arena_free(&mem);
}

static void rom_comes_back_bit_for_bit(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile(), g = { 0 };
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_rom_file_read(rom_path, &g, &err));
  MW_CHECK(same_rom(&f, &g));
  MW_CHECK(files_in_folder() == 1);
  mw_rom_file_free(&f);
  mw_rom_file_free(&g);
  leave();
}

static void rom_without_columns_inputs_and_certificate_comes_back(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile(), g = { 0 };
  f.rom.n_law = 0;
  f.rom.m = f.rom.n_y = f.rom.n_u = f.n_modes = f.n_patterns = f.n_freq = f.certificate.n = 0;
  f.rom.n_Y = f.rom.n_G = 0;
  f.rom.parts = 0;
  f.rom.n_field = mw_rom_n_field((mw_rom_shape){ .s = S, .m = 0 });
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_rom_file_read(rom_path, &g, &err));
  MW_CHECK(g.rom.n_law == 0 && g.rom.m == 0 && g.rom.n_y == 0 && g.rom.n_u == 0 && g.n_freq == 0 &&
           g.certificate.n == 0);
  MW_CHECK(g.rom.coef && same(f.rom.coef, g.rom.coef, N_KNOT * (size_t)f.rom.n_field));
  mw_rom_file_free(&f);
  mw_rom_file_free(&g);
  leave();
}

static void ranges_and_curved_fields_that_are_none_are_not_written(void)
{
  enter();
  mw_error err = { 0 };
  static const int twice[2] = { 3, 3 }, beyond[2] = { 0, N_Y };
  static const double zero[2] = { 1.0, 0.0 };
  for (int k = 0; k < 4; k++) {
    mw_rom_file f = fixture_romfile();
    static const char *const words[4] = { "of field 3", "of field 4", "rate of y", "input push" };
    if (k < 2) f.rom.Y_field = k == 0 ? twice : beyond;
    if (k == 2) f.rom.rate_max = zero;
    if (k == 3) f.rom.u_max = zero;
    MW_FAILS(mw_rom_file_write(&f, rom_path, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, words[k]) != NULL)) printf("  %s\n", err.msg);
    mw_rom_file_free(&f);
  }
  leave();
}

static void same_rom_gives_same_bytes(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile();
  char *first = NULL, *second = NULL;
  size_t n1 = 0, n2 = 1;
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_file_read(rom_path, &first, &n1, &err));
  f.wall_s = 12.0;  // measured time is not part of the file
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_file_read(rom_path, &second, &n2, &err));
  MW_CHECK(n1 == n2 && first && second && memcmp(first, second, n1) == 0);
  free(first);
  free(second);
  mw_rom_file_free(&f);
  leave();
}

static void put(const char *bytes, size_t n)
{
  FILE *f = fopen(rom_path, "wb");
  MW_CHECK(f != NULL);
  if (f) {
    MW_CHECK(fwrite(bytes, 1, n, f) == n);
    MW_CHECK(fclose(f) == 0);
  }
}

// Reading must fail, name the file, and leave the output alone.
static void refused(const char *words)
{
  mw_error err = { 0 };
  mw_rom_file g = { 0 };
  MW_CHECK(mw_rom_file_read(rom_path, &g, &err) == MW_ERR_INPUT);
  MW_CHECK(strcmp(err.file, rom_path) == 0 && strstr(err.msg, words) != NULL);
  MW_CHECK(g.rom.coef == NULL && g.mem.head == NULL);
}

static void a_flipped_bit_anywhere_is_refused(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile();
  char *bytes = NULL;
  size_t n = 0;
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_file_read(rom_path, &bytes, &n, &err));
  for (size_t k = 0; k < 200; k++) {
    size_t at =
        k < 160 ? k * n / 160 : n - 1 - (k - 160);  // everywhere, and each byte of the trailer
    bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
    put(bytes, n);
    refused("");
    bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
  }
  bytes[n / 2] = (char)(bytes[n / 2] ^ 1);
  put(bytes, n);
  refused("digest does not match");
  free(bytes);
  mw_rom_file_free(&f);
  leave();
}

static void a_truncated_or_foreign_file_is_refused(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile();
  char *bytes = NULL;
  size_t n = 0;
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_file_read(rom_path, &bytes, &n, &err));
  for (size_t k = 0; k < 50; k++) {
    put(bytes, k < 25 ? k * n / 25 : n - 1 - 2 * (k - 25));
    refused("");
  }
  put(bytes, n - 1);
  refused("truncated");
  put("# none\n", 7);
  refused("not a modeway file");
  put("modeway: 1\n", 11);
  refused("a model file, expected one that modeway reduce");
  put("# ours\nmodeway: 1\n", 18);
  refused("a model file, expected one that modeway reduce");
  (void)remove(rom_path);
  refused("cannot be read");
  free(bytes);
  mw_rom_file_free(&f);
  leave();
}

static void another_version_kind_or_model_is_refused_by_name(void)
{
  enter();
  mw_error err = { 0 };
  mw_ncw w;
  mw_ncw_open(&w, "rom", "t", "0.0", NULL);
  mw_ncw_att_int(&w, "modeway_format", 99);
  MW_OKAY(mw_ncw_close(&w, rom_path, &err));
  refused("format version 99");
  mw_ncw_open(&w, "run", "t", "0.0", NULL);
  MW_OKAY(mw_ncw_close(&w, rom_path, &err));
  refused("kind \"run\"");
  mw_rom_file f = fixture_romfile();
  mw_model model = { .path = "two.yaml", .name = "changed" };
  memset(model.hash, 'b', 64);
  MW_CHECK(mw_rom_file_match(&f, &model, rom_path, &err) == MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "two axes") && strstr(err.msg, "two.yaml") &&
           strstr(err.msg, "changed"));
  memset(model.hash, 'a', 64);
  MW_OKAY(mw_rom_file_match(&f, &model, rom_path, &err));
  mw_rom_file_free(&f);
  leave();
}

// An intact file whose contents are wrong: dimensions and values are looked at all the same.
static void wrong_contents_with_a_right_digest_are_refused(void)
{
  enter();
  mw_error err = { 0 };
  mw_ncw w;
  mw_ncw_open(&w, "rom", "t", "0.0", NULL);
  MW_OKAY(mw_ncw_close(&w, rom_path, &err));
  refused("version");
  mw_rom_file f = fixture_romfile(), g = { 0 };
  double *coef = (double *)f.rom.coef, keep = coef[5];
  coef[5] = NAN;
  MW_CHECK(mw_rom_file_write(&f, rom_path, &err) == MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "not finite") != NULL);
  coef[5] = keep;
  f.frequency[3] = INFINITY;  // the reader looks at every number
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  refused("frequency");
  MW_CHECK(g.mem.head == NULL);
  mw_rom_file_free(&f);
  leave();
}

// Sizes that stand in a file are limits of loops and of memory only once they are known to be
// those of a model, and of what the file holds.
static void sizes_that_no_model_has_are_refused(void)
{
  enter();
  static const char *const TEXT[] = { "version",
                                      "command",
                                      "model_name",
                                      "model_file",
                                      "model_hash",
                                      "inertia",
                                      "second_order_left_out",
                                      "without_stress_stiffness",
                                      "little_inertia_of_its_own",
                                      "static_patterns_lost" };
  static const int SIZE[][5] = {
    // coordinates, columns, fields, curved fields, patterns
    { 1 << 20, 1, 1, 1, 1 },   { 1, 4096, 1 << 20, 1, 4096 }, { 1, 4096, 1 << 20, 1 << 20, 4096 },
    { 1, 1, 1, 1, INT32_MAX }, { 1, 1 << 30, 1, 1, 1 << 30 },
  };
  mw_error err = { 0 };
  for (size_t k = 0; k < sizeof SIZE / sizeof *SIZE; k++) {
    mw_ncw w;
    mw_ncw_open(&w, "rom", "t", "0.0", NULL);
    for (size_t i = 0; i < sizeof TEXT / sizeof *TEXT; i++) mw_ncw_att_str(&w, NULL, TEXT[i], "x");
    mw_ncw_att_f64(&w, NULL, "largest_jump", 0.0);
    mw_ncw_att_int(&w, "unknowns", 1);
    mw_ncw_att_int(&w, "parts", MW_ROM_ALL_PARTS);
    mw_ncw_att_int(&w, "n_patterns", SIZE[k][4]);
    MW_CHECK(mw_ncw_dim(&w, "coordinate", SIZE[k][0]) >= 0);
    MW_CHECK(mw_ncw_dim(&w, "column", SIZE[k][1]) >= 0);
    MW_CHECK(mw_ncw_dim(&w, "field", SIZE[k][2]) >= 0);
    MW_CHECK(mw_ncw_dim(&w, "curved_field", SIZE[k][3]) >= 0);
    if (SIZE[k][4] == INT32_MAX) MW_CHECK(mw_ncw_dim(&w, "mode", 7) >= 0);
    MW_OKAY(mw_ncw_close(&w, rom_path, &err));
    refused("not a reduced model");
  }
  leave();
}

static void values_that_a_file_cannot_hold_cost_no_memory(void)
{
  enter();
  mw_error err = { 0 };
  mw_arena mem = { 0 };
  mw_rom_file f = fixture_romfile();
  mw_ncr r;
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_ncr_open(&r, rom_path, "rom", &mem, &err));
  MW_CHECK(mw_ncr_holds(&r, "x", (double)r.n_image, 1));
  // the product of the lengths is beyond size_t
  const int len[3] = { INT32_MAX, INT32_MAX, INT32_MAX };
  MW_CHECK(mw_ncr_f64(&r, "start_rates", 3, len, true) != NULL);
  MW_CHECK(mw_ncr_close(&r, &err) == MW_ERR_INPUT);
  MW_CHECK(strstr(err.msg, "more than the") != NULL);
  mw_arena_free(&mem);
  mw_rom_file_free(&f);
  leave();
}

// What a law of friction and stops must not be: each is refused before anything is written.
static void a_law_that_is_none_is_refused(void)
{
  enter();
  static const double BAD[][10] = {
    // field, coulomb, stiction, stribeck, smooth, lo, hi, stiffness, damping, soft
    { N_Y, 1, 1, 1, 1, 0, 1, 1, 0, 1 },      { -1, 1, 1, 1, 1, 0, 1, 1, 0, 1 },
    { 0, -1, 1, 1, 1, 0, 1, 1, 0, 1 },       { 0, 2, 1, 1, 1, 0, 1, 1, 0, 1 },
    { 0, 1, 1, 0, 1, 0, 1, 1, 0, 1 },        { 0, 1, 1, 1, 0, 0, 1, 1, 0, 1 },
    { 0, 1, 1, 1, 1, 1, 0, 1, 0, 1 },        { 0, 1, 1, 1, 1, 0, 1, -1, 0, 1 },
    { 0, 1, 1, 1, 1, 0, 1, 1, -1, 1 },       { 0, 1, 1, 1, 1, 0, 1, 1, 0, 0 },
    { 0, 1, INFINITY, 1, 1, 0, 1, 1, 0, 1 }, { 0, 1, 1, 1, 1, 0, NAN, 1, 0, 1 },
  };
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile();
  for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
    const double *b = BAD[k];
    mw_rom_law law = { (int)b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9] };
    f.rom.n_law = 1;
    f.rom.law = &law;
    MW_CHECK(mw_rom_file_write(&f, rom_path, &err) == MW_ERR_INPUT);
    MW_CHECK(strncmp(err.msg, "law 0", 5) == 0 && files_in_folder() == 0);
  }
  mw_rom_file_free(&f);
  leave();
}

static void a_failed_write_keeps_the_old_file_and_leaves_nothing(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile(), g = { 0 };
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  // the disk is full: no file may grow above a few bytes
  struct rlimit old, small;
  MW_CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
  small = old;
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  const rlim_t limit[] = { 0, 100, 4096 };
  for (int i = 0; i < 3; i++) {
    small.rlim_cur = limit[i];
    MW_CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    mw_code rc = mw_rom_file_write(&f, rom_path, &err);
    MW_CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    MW_CHECK(rc == MW_ERR_IO && strcmp(err.file, rom_path) == 0);
    MW_CHECK(files_in_folder() == 1);
  }
  signal(SIGXFSZ, handler);
  MW_OKAY(mw_rom_file_read(rom_path, &g, &err));
  MW_CHECK(same_rom(&f, &g));
  mw_rom_file_free(&g);

  char path[128];
  snprintf(path, sizeof path, "%s/missing/rom.nc", folder);
  MW_CHECK(mw_rom_file_write(&f, path, &err) == MW_ERR_IO);
  MW_CHECK(mw_rom_file_write(&f, "/dev/null", &err) == MW_ERR_IO);
  MW_CHECK(mw_rom_file_write(&f, folder, &err) == MW_ERR_IO);
  MW_CHECK(mw_rom_file_write(&f, "http://localhost/rom.nc", &err) == MW_ERR_INPUT);
  MW_CHECK(mw_rom_file_read("http://localhost/rom.nc", &g, &err) == MW_ERR_INPUT);
  MW_CHECK(files_in_folder() == 1);
  mw_rom_file_free(&f);
  leave();
}

static void other_readers_open_the_file(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture_romfile();
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  if (system("command -v ncdump > /dev/null 2>&1") == 0) {
    char command[256];
    snprintf(command, sizeof command,
             "ncdump -v field,grid_x %s | grep -q '\"tool.x\", \"tool.y\"'", rom_path);
    MW_CHECK(system(command) == 0);
  }
  mw_rom_file_free(&f);
  leave();
}

static const mw_test_case cases[] = {
  { "rom_comes_back_bit_for_bit", rom_comes_back_bit_for_bit },
  { "verdicts_in_a_file_are_those_of_its_certificate",
    verdicts_in_a_file_are_those_of_its_certificate },
  { "rom_without_columns_inputs_and_certificate_comes_back",
    rom_without_columns_inputs_and_certificate_comes_back },
  { "ranges_and_curved_fields_that_are_none_are_not_written",
    ranges_and_curved_fields_that_are_none_are_not_written },
  { "same_rom_gives_same_bytes", same_rom_gives_same_bytes },
  { "a_flipped_bit_anywhere_is_refused", a_flipped_bit_anywhere_is_refused },
  { "a_truncated_or_foreign_file_is_refused", a_truncated_or_foreign_file_is_refused },
  { "another_version_kind_or_model_is_refused_by_name",
    another_version_kind_or_model_is_refused_by_name },
  { "wrong_contents_with_a_right_digest_are_refused",
    wrong_contents_with_a_right_digest_are_refused },
  { "sizes_that_no_model_has_are_refused", sizes_that_no_model_has_are_refused },
  { "values_that_a_file_cannot_hold_cost_no_memory",
    values_that_a_file_cannot_hold_cost_no_memory },
  { "a_law_that_is_none_is_refused", a_law_that_is_none_is_refused },
  { "a_failed_write_keeps_the_old_file_and_leaves_nothing",
    a_failed_write_keeps_the_old_file_and_leaves_nothing },
  { "other_readers_open_the_file", other_readers_open_the_file },
};

int main(void) { return mw_test_run("romfile", cases, (int)(sizeof cases / sizeof *cases)); }
