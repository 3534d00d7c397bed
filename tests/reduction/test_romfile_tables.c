// SPDX-License-Identifier: BSD-3-Clause
// test_romfile_tables.c: trains, cyclic and symmetric axes, grid points and the receptance
// certificate in rom.nc: they come back bit for bit, or the file is refused by name.
#include <math.h>
#include <netcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mw_test.h"
#include "reduction/ncfile.h"
#include "reduction/romfile.h"

// x symmetric: 4 grid points over the whole range, 7 of the table up to mid; y cyclic: 5 and 9
// points
enum {
  S = 2,
  M = 3,
  N_Y = 4,
  N_POINT = 4 * 5,
  N_FREQ = 4,
  N_CERT = 2,
  N_IO = 2,
  N_BAND = 3,
  R0 = 3,
  R1 = 5
};

static char folder[64], rom_path[96];

static void enter(void)
{
  strcpy(folder, "/tmp/mw-romfile-XXXXXX");
  MW_CHECK(mkdtemp(folder) != NULL);
  snprintf(rom_path, sizeof rom_path, "%s/rom.nc", folder);
}

static void leave(void)
{
  (void)remove(rom_path);
  MW_CHECK(rmdir(folder) == 0);
}

static double *noise(mw_arena *mem, size_t n, uint64_t *state)
{
  double *x = mw_arena_f64(mem, n);
  for (size_t i = 0; x && i < n; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    x[i] = (double)(int64_t)(*state >> 11) / (double)(1LL << 50) - 1.0;
  }
  return x;
}

// Two trains, the first of 2 fields.
static const mw_rom_train *trains(mw_arena *mem, int n0, int n1, int n_record, uint64_t *seed)
{
  mw_rom_train *t = mw_arena_alloc(mem, 2, sizeof *t);
  for (int k = 0; t && k < 2; k++) {
    int n_field = k ? n_record - 2 : 2;
    t[k] = (mw_rom_train){ .first = 2 * k, .n_field = n_field, .rank = { R0, R1 } };
    t[k].core[0] = noise(mem, (size_t)(n0 * R0), seed);
    t[k].core[1] = noise(mem, (size_t)(n1 * R0 * R1), seed);
    t[k].field = noise(mem, (size_t)(n_field * R1), seed);
  }
  return t;
}

static void set_certificate(mw_rom_file *f, uint64_t *seed)
{
  static const char *io[N_IO] = { "tool.x", "push" };
  static double band[N_BAND] = { 0.0, 10.0, 100.0 };
  f->certificate = (mw_certificate){ .n = N_CERT,
                                     .n_freq = 3,
                                     .n_io = N_IO,
                                     .io = io,
                                     .n_band = N_BAND,
                                     .band = band,
                                     .zeta = 0.01,
                                     .max_receptance_error = 0.03,
                                     .worst_receptance = 1,
                                     .worst_io = 1,
                                     .worst_hz = 10.0,
                                     .receptance_tolerance = 0.05,
                                     .receptance_bound = 1e-4,
                                     .max_energy_left = 0.02,
                                     .worst = 1,
                                     .min_mac = 0.99 };
  mw_certificate *c = &f->certificate;
  c->theta = noise(&f->mem, N_CERT * S, seed);
  c->f_direct = noise(&f->mem, N_CERT * 3, seed);
  c->f_rom = noise(&f->mem, N_CERT * 3, seed);
  c->mac = noise(&f->mem, N_CERT * 3, seed);
  c->static_error = noise(&f->mem, N_CERT, seed);
  c->receptance_error = noise(&f->mem, N_CERT, seed);
  c->energy_left = noise(&f->mem, N_CERT, seed);
  c->band_error = noise(&f->mem, N_IO * N_BAND, seed);
  c->band_direct = noise(&f->mem, N_IO * N_BAND, seed);
  c->band_rom = noise(&f->mem, N_IO * N_BAND, seed);
}

static mw_rom_file fixture(void)
{
  static const char *coordinate[S] = { "x", "y" }, *field[N_Y] = { "a", "b", "c", "s:x" },
                    *column[M] = { "mode 1", "mode 2", "pattern tool.z" };
  static int cluster[2] = { 0, 1 }, identity[N_POINT * N_FREQ];
  static const int mirror[S * M] = { 1, -1, 1, 1, 1, 1 },
                              mirror_y[S * N_Y] = { 1, -1, -1, 1, 1, 1, 1, 1 };
  static double grid_x[4] = { 0.0, 0.25, 0.5, 1.0 }, grid_y[5] = { -1.0, -0.5, 0.25, 0.5, 1.0 };
  static const double c_theta[S] = { 0.0, 0.25 }, delta_max[M] = { 0.1, INFINITY, 1e-3 };
  uint64_t seed = 7;
  mw_rom_file f = { .model_name = "two axes",
                    .version = "0.0",
                    .command = "modeway reduce two.yaml",
                    .coordinate = coordinate,
                    .field = field,
                    .column = column,
                    .n_modes = 2,
                    .n_patterns = 1,
                    .n_grid = { 4, 5 },
                    .grid = { grid_x, grid_y },
                    .n_point = N_POINT,
                    .n_freq = N_FREQ,
                    .identity = identity,
                    .cluster = cluster,
                    .n_table = { 7, 9 } };
  for (int k = 0; k < N_POINT * N_FREQ; k++) identity[k] = k % 3 - 1;
  memset(f.model_hash, 'a', 64);
  f.rom = (mw_rom){ .s = S,
                    .m = M,
                    .n_y = N_Y,
                    .n_field = mw_rom_n_field((mw_rom_shape){ .s = S, .m = M, .n_y = N_Y }),
                    .n_grid = { 7, 9 },
                    .lo = { 0.0, -1.0 },
                    .hi = { 1.0, 1.0 },
                    .symmetric = 1,
                    .cyclic = 2,
                    .mirror = mirror,
                    .mirror_y = mirror_y,
                    .c_theta = c_theta,
                    .delta_max = delta_max };
  f.rom.y_slope = noise(&f.mem, S * N_Y, &seed);
  f.rom.y_shift = noise(&f.mem, S * N_Y, &seed);
  f.rom.train = trains(&f.mem, 9, 11, f.rom.n_field, &seed);
  f.rom.n_train = f.n_start_train = 2;
  f.n_start = M * (M + 1) / 2 + S * M * M;
  f.start_train = trains(&f.mem, 9, 11, f.n_start, &seed);
  f.frequency = noise(&f.mem, N_POINT * N_FREQ, &seed);
  set_certificate(&f, &seed);
  return f;
}

static void same_trains(const mw_rom_train *a, const mw_rom_train *b)
{
  for (int k = 0; k < 2; k++) {
    if (!MW_CHECK(a[k].rank[0] == b[k].rank[0] && a[k].rank[1] == b[k].rank[1] &&
                  a[k].first == b[k].first && a[k].n_field == b[k].n_field))
      return;
    MW_SAME_BITS(a[k].core[0], b[k].core[0], 9 * R0);
    MW_SAME_BITS(a[k].core[1], b[k].core[1], 11 * R0 * R1);
    MW_SAME_BITS(a[k].field, b[k].field, a[k].n_field * R1);
  }
}

static void trains_mirrors_turns_and_receptances_come_back_bit_for_bit(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture(), g = { 0 };
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_rom_file_read(rom_path, &g, &err));
  const mw_certificate *c = &f.certificate, *d = &g.certificate;
  if (MW_CHECK(g.rom.s == S && d->n_io == N_IO && d->n_band == N_BAND && d->energy_left)) {
    MW_CHECK(g.rom.symmetric == 1 && g.rom.cyclic == 2 && g.rom.flat == 0);
    MW_CHECK(g.rom.coef == NULL && g.start == NULL && g.rom.n_grid[0] == 7 && g.n_table[1] == 9);
    if (MW_CHECK(g.rom.n_train == 2 && g.n_start_train == 2)) {
      same_trains(f.rom.train, g.rom.train);
      same_trains(f.start_train, g.start_train);
    }
    MW_CHECK(memcmp(f.rom.mirror, g.rom.mirror, S * M * sizeof(int)) == 0);
    MW_CHECK(memcmp(f.rom.mirror_y, g.rom.mirror_y, S * N_Y * sizeof(int)) == 0);
    MW_CHECK(memcmp(f.identity, g.identity, N_POINT * N_FREQ * sizeof(int)) == 0);
    MW_SAME_BITS(f.rom.y_shift, g.rom.y_shift, S * N_Y);
    MW_SAME_BITS(f.rom.y_slope, g.rom.y_slope, S * N_Y);
    for (int i = 0; i < S; i++) MW_SAME_BITS(f.grid[i], g.grid[i], f.n_grid[i]);
    for (int i = 0; i < N_IO; i++) MW_CHECK(strcmp(c->io[i], d->io[i]) == 0);
    MW_SAME_BITS(c->band, d->band, N_BAND);
    MW_SAME_BITS(c->receptance_error, d->receptance_error, N_CERT);
    MW_SAME_BITS(c->energy_left, d->energy_left, N_CERT);
    MW_SAME_BITS(c->band_error, d->band_error, N_IO * N_BAND);
    MW_SAME_BITS(c->band_direct, d->band_direct, N_IO * N_BAND);
    MW_SAME_BITS(c->band_rom, d->band_rom, N_IO * N_BAND);
    MW_CHECK(c->zeta == d->zeta && c->max_receptance_error == d->max_receptance_error &&
             c->worst_receptance == d->worst_receptance && c->worst_io == d->worst_io &&
             c->worst_hz == d->worst_hz && c->receptance_tolerance == d->receptance_tolerance &&
             c->receptance_bound == d->receptance_bound &&
             c->max_energy_left == d->max_energy_left);
  }
  mw_rom_file_free(&f);
  mw_rom_file_free(&g);
  leave();
}

// The start table knows the mirror as the fields do: beyond mid it is the record at the mirrored
// place, with signs.
static void start_table_is_mirrored_and_wrapped(void)
{
  mw_error err = { 0 };
  mw_rom_file f = fixture();
  double theta[S] = { 0.3, 0.4 }, beyond[S] = { 0.7, 0.4 - 4.0 }, v[2][64];
  MW_CHECK(f.n_start <= 64);
  MW_OKAY(mw_rom_file_start(&f, theta, v[0], &err));
  MW_OKAY(mw_rom_file_start(&f, beyond, v[1], &err));
  const int *sigma = f.rom.mirror;
  // theta is rounded on its way through mirror and turns: 8 eps times slopes of about 8 cells ×
  // sums over 15 ranks of 1
  double tol = 8 * 2.3e-16 * 8 * 100;
  for (int a = 0, k = 0; a < M; a++)
    for (int b = 0; b <= a; b++, k++) MW_NEAR(v[1][k], sigma[a] * sigma[b] * v[0][k], tol);
  for (int j = 0, k = M * (M + 1) / 2; j < S; j++)
    for (int a = 0; a < M; a++)
      for (int b = 0; b < M; b++, k++)
        MW_NEAR(v[1][k], (j == 0 ? -1 : 1) * sigma[a] * sigma[b] * v[0][k], tol);
  theta[0] = 1.1;
  MW_FAILS(mw_rom_file_start(&f, theta, v[0], &err), MW_ERR_RANGE);
  MW_CHECK(strstr(err.msg, "coordinate x is 1.1") != NULL);
  mw_rom_file_free(&f);
}

static void refused(const char *words)
{
  mw_error err = { 0 };
  mw_rom_file g = { 0 };
  MW_CHECK(mw_rom_file_read(rom_path, &g, &err) == MW_ERR_INPUT);
  MW_CHECK(strcmp(err.file, rom_path) == 0);
  if (!MW_CHECK(strstr(err.msg, words) != NULL)) printf("  %s: %s\n", words, err.msg);
  MW_CHECK(g.rom.coef == NULL && g.mem.head == NULL);
}

static void a_flipped_bit_anywhere_is_refused(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture();
  char *bytes = NULL;
  size_t n = 0;
  MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
  MW_OKAY(mw_file_read(rom_path, &bytes, &n, &err));
  for (size_t k = 0; k < 100; k++) {
    size_t at = k * n / 100;
    bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
    MW_OKAY(mw_file_replace(rom_path, bytes, n, false, &err));
    refused("");
    bytes[at] = (char)(bytes[at] ^ (1 << (k % 8)));
  }
  free(bytes);
  mw_rom_file_free(&f);
  leave();
}

// ---- right digest, wrong contents ---------------------------------------------------------------

static void put_int(int id, const char *name, int value)
{
  int var = -1;
  size_t first[8] = { 0 };
  MW_CHECK(nc_inq_varid(id, name, &var) == NC_NOERR);
  MW_CHECK(nc_put_var1_int(id, var, first, &value) == NC_NOERR);
}

static void put_f64(int id, const char *name, double value)
{
  int var = -1;
  size_t first[8] = { 0 };
  MW_CHECK(nc_inq_varid(id, name, &var) == NC_NOERR);
  MW_CHECK(nc_put_var1_double(id, var, first, &value) == NC_NOERR);
}

static void rename_dim(int id, const char *from, const char *to)
{
  int dim = -1;
  MW_CHECK(nc_inq_dimid(id, from, &dim) == NC_NOERR);
  MW_CHECK(nc_rename_dim(id, dim, to) == NC_NOERR);
}

static void rename_var(int id, const char *from, const char *to)
{
  int var = -1;
  MW_CHECK(nc_inq_varid(id, from, &var) == NC_NOERR);
  MW_CHECK(nc_rename_var(id, var, to) == NC_NOERR);
}

// nc_copy_var fails on strings.
static void copy_strings(int in, int var, int out)
{
  char name[NC_MAX_NAME + 1], *x[16] = { NULL };
  int dim = -1, to = -1;
  size_t n = 0;
  MW_CHECK(nc_inq_var(in, var, name, NULL, NULL, &dim, NULL) == NC_NOERR);
  MW_CHECK(nc_inq_dimlen(in, dim, &n) == NC_NOERR && n <= 16);
  MW_CHECK(nc_get_var_string(in, var, x) == NC_NOERR);
  MW_CHECK(nc_def_var(out, name, NC_STRING, 1, &dim, &to) == NC_NOERR);
  MW_CHECK(nc_put_var_string(out, to, (const char **)x) == NC_NOERR);
  MW_CHECK(nc_free_string(n, x) == NC_NOERR);
}

// A file made in memory cannot be opened to be changed: the copy at `to` can.
static int copy_of(const char *from, const char *to)
{
  int in = -1, out = -1, n_dim = 0, n_var = 0, n_att = 0;
  char name[NC_MAX_NAME + 1];
  MW_CHECK(nc_open(from, NC_NOWRITE, &in) == NC_NOERR);
  MW_CHECK(nc_create(to, NC_NETCDF4, &out) == NC_NOERR);
  MW_CHECK(nc_inq(in, &n_dim, &n_var, &n_att, NULL) == NC_NOERR);
  for (int i = 0; i < n_dim; i++) {
    size_t len = 0;
    int id = -1;
    MW_CHECK(nc_inq_dim(in, i, name, &len) == NC_NOERR);
    MW_CHECK(nc_def_dim(out, name, len, &id) == NC_NOERR && id == i);
  }
  for (int i = 0; i < n_att; i++) {
    MW_CHECK(nc_inq_attname(in, NC_GLOBAL, i, name) == NC_NOERR);
    MW_CHECK(nc_copy_att(in, NC_GLOBAL, name, out, NC_GLOBAL) == NC_NOERR);
  }
  for (int i = 0; i < n_var; i++) {
    nc_type type = NC_NAT;
    MW_CHECK(nc_inq_vartype(in, i, &type) == NC_NOERR);
    if (type == NC_STRING)
      copy_strings(in, i, out);
    else
      MW_CHECK(nc_copy_var(in, i, out) == NC_NOERR);
  }
  MW_CHECK(nc_close(in) == NC_NOERR);
  return out;
}

static void spoil(int id, int how)
{
  int bad = 9;
  switch (how) {
  case 0: put_int(id, "mirror", 2); break;
  case 1: put_int(id, "mirror_y", 0); break;
  case 2: put_int(id, "cyclic", 3); break;
  case 3: put_f64(id, "y_shift", NAN); break;
  case 4: put_f64(id, "y_slope", INFINITY); break;
  case 5: put_f64(id, "grid_x", 0.2); break;
  case 6: put_f64(id, "train0_core_y", NAN); break;
  case 7: put_f64(id, "train1_field_core", INFINITY); break;
  case 8: put_f64(id, "start_train1_core_x", NAN); break;
  case 9: put_f64(id, "start_train0_field_core", NAN); break;
  case 10: put_int(id, "identity", 7); break;
  case 11: put_f64(id, "certificate_band", 50.0); break;
  case 12:
    MW_CHECK(nc_put_att_int(id, NC_GLOBAL, "certificate_worst_io", NC_INT, 1, &bad) == 0);
    break;
  case 13: rename_var(id, "train1_core_x", "train1_core_z"); break;
  case 14: rename_dim(id, "train0_rank_y", "train0_rank_z"); break;
  case 15:  // ranks of x and y change places
    rename_dim(id, "train0_rank_x", "train0_rank_z");
    rename_dim(id, "train0_rank_y", "train0_rank_x");
    rename_dim(id, "train0_rank_z", "train0_rank_y");
    break;
  case 16: rename_var(id, "mirror", "sign"); break;
  case 17: rename_var(id, "certificate_band_rom", "band"); break;
  case 18: rename_var(id, "symmetric", "mirrored"); break;
  case 19: rename_var(id, "train1_field_core", "other"); break;
  case 20: rename_dim(id, "train0_field", "fields"); break;
  default: break;
  }
}

static void wrong_contents_with_a_right_digest_are_refused(void)
{
  static const char *words[] = { "mirror of axis x",
                                 "mirror of axis x",
                                 "must be 0 or 1",
                                 "y_shift",
                                 "y_slope",
                                 "do not ascend",
                                 "train0_core_y",
                                 "train1_field_core",
                                 "start_train1_core_x",
                                 "start_train0_field_core",
                                 "belongs to mode 7",
                                 "band",
                                 "worst receptance",
                                 "train1_core_x",
                                 "train0_rank_y is 0",
                                 "variable train0_core_x is 3, expected 5",
                                 "mirror",
                                 "certificate_band_rom",
                                 "symmetric",
                                 "have 2 fields, expected",
                                 "train 0 has 0 fields" };
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture();
  char copy[128];
  snprintf(copy, sizeof copy, "%s/copy.nc", folder);
  for (int how = 0; how < (int)(sizeof words / sizeof *words); how++) {
    char *bytes = NULL;
    size_t n = 0;
    MW_OKAY(mw_rom_file_write(&f, rom_path, &err));
    int id = copy_of(rom_path, copy);
    spoil(id, how);
    MW_CHECK(nc_close(id) == NC_NOERR);
    MW_OKAY(mw_file_read(copy, &bytes, &n, &err));
    MW_OKAY(mw_file_replace(rom_path, bytes, n, true, &err));
    (void)remove(copy);
    free(bytes);
    refused(words[how]);
  }
  mw_rom_file_free(&f);
  leave();
}

// The writer refuses what the reader would.
static void what_is_no_model_is_not_written(void)
{
  enter();
  mw_error err = { 0 };
  mw_rom_file f = fixture();
  double one = 1.0;
  const struct {
    unsigned flat, cyclic;
    int rank;
    const double *coef;
    const char *words;
  } bad[] = { { 1, 2, R1, NULL, "flat and symmetric" },
              { 0, 4, R1, NULL, "beyond the 2" },
              { 0, 2, MW_ROM_MAX_RANK + 1, NULL, "rank 513" },
              { 0, 2, R1, &one, "one of them" } };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    f.rom.flat = bad[k].flat;
    f.rom.cyclic = bad[k].cyclic;
    ((mw_rom_train *)f.rom.train)[1].rank[1] = bad[k].rank;
    f.rom.coef = bad[k].coef;
    MW_FAILS(mw_rom_file_write(&f, rom_path, &err), MW_ERR_INPUT);
    if (!MW_CHECK(strstr(err.msg, bad[k].words) != NULL)) printf("  %s\n", err.msg);
  }
  mw_rom_file_free(&f);
  leave();
}

// Format 1 had no cyclic axes: reading it as if it had none would be a guess.
static void a_file_of_the_older_format_is_refused_by_name(void)
{
  enter();
  mw_error err = { 0 };
  mw_ncw w;
  char words[64];
  snprintf(words, sizeof words, "format version %d", MW_NC_FORMAT - 1);
  mw_ncw_open(&w, "rom", "t", "0.0", NULL);
  mw_ncw_att_int(&w, "modeway_format", MW_NC_FORMAT - 1);
  MW_OKAY(mw_ncw_close(&w, rom_path, &err));
  refused(words);
  leave();
}

static const mw_test_case cases[] = {
  { "trains_mirrors_turns_and_receptances_come_back_bit_for_bit",
    trains_mirrors_turns_and_receptances_come_back_bit_for_bit },
  { "start_table_is_mirrored_and_wrapped", start_table_is_mirrored_and_wrapped },
  { "a_flipped_bit_anywhere_is_refused", a_flipped_bit_anywhere_is_refused },
  { "wrong_contents_with_a_right_digest_are_refused",
    wrong_contents_with_a_right_digest_are_refused },
  { "what_is_no_model_is_not_written", what_is_no_model_is_not_written },
  { "a_file_of_the_older_format_is_refused_by_name",
    a_file_of_the_older_format_is_refused_by_name },
};

int main(void) { return mw_test_run("romfile_tables", cases, (int)(sizeof cases / sizeof *cases)); }
