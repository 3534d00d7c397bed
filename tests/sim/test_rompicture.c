// SPDX-License-Identifier: BSD-3-Clause
// test_rompicture.c: what the pictures of a reduced model hold, and that they are what a reader of
// XML takes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fixture_rom.h"
#include "mw_test.h"
#include "verdict/certtext_layer.h"

static char *read_all(const char *path)
{
  FILE *f = fopen(path, "rb");
  char *text = calloc(1, 1 << 22);
  if (f && text) (void)!fread(text, 1, (1 << 22) - 1, f);
  if (f) (void)fclose(f);
  return text;
}

static char *drawn(const mw_rom_file *f, const char *end)
{
  char path[96];
  mw_error err = { 0 };
  snprintf(path, sizeof path, "/tmp/mw-rompicture-%d%s", (int)getpid(), end);
  MW_OKAY(mw_rom_picture(f, path, &err));
  char *text = read_all(path);
  (void)remove(path);
  if (!text) exit(EXIT_FAILURE);
  return text;
}

static int count(const char *text, const char *what)
{
  int n = 0;
  for (const char *s = text; (s = strstr(s, what)) != NULL; s += strlen(what)) n++;
  return n;
}

// One tag from s (behind its <): every attribute quoted; returns its end, NULL: malformed. *kind:
// '/' closes, '0' is empty.
static const char *tag_end(const char *s, char *kind)
{
  *kind = *s == '/' ? '/' : '1';
  for (; *s && *s != '>'; s++) {
    if (*s == '<') return NULL;
    if (*s == '=' && s[1] != '"') return NULL;
    if (*s == '"') {
      s = strpbrk(s + 1, "\"<");
      if (!s || *s == '<') return NULL;
    }
    if (*s == '/' && s[1] == '>') *kind = '0';
  }
  return *s ? s : NULL;
}

// Tags nest and close, entities are known ones: what a reader of XML minds first.
static bool is_well_formed(const char *text)
{
  enum { DEEP = 32 };
  const char *open[DEEP];
  int depth = 0;
  for (const char *s = text; *s; s++) {
    if (*s == '&' && strncmp(s, "&amp;", 5) != 0 && strncmp(s, "&lt;", 4) != 0 &&
        strncmp(s, "&gt;", 4) != 0 && strncmp(s, "&quot;", 6) != 0)
      return false;
    if (*s != '<') continue;
    char kind;
    const char *name = s + 1, *end = tag_end(name, &kind);
    if (!end) return false;
    if (kind == '1') {
      if (depth == DEEP) return false;
      open[depth++] = name;
    } else if (kind == '/') {
      size_t n = strcspn(name + 1, " >");
      if (depth == 0 || strncmp(open[--depth], name + 1, n) != 0) return false;
    }
    s = end;
  }
  return depth == 0;
}

// A number that is none, as printf writes it behind a quote, a comma, a blank, a tag or a sign.
static bool has_nan(const char *text)
{
  static const char *const bad[] = { "\"nan", ",nan", " nan", ">nan", "-nan",
                                     "\"inf", ",inf", " inf", ">inf", "-inf" };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    if (strstr(text, bad[k])) return true;
  return false;
}

static void the_check_of_xml_finds_faults(void)
{
  MW_CHECK(is_well_formed("<a x=\"1\"><b/>t &amp; u</a>"));
  MW_CHECK(!is_well_formed("<a><b></a></b>") && !is_well_formed("<a>") &&
           !is_well_formed("<a>&</a>"));
  MW_CHECK(!is_well_formed("<a x=1></a>") && !is_well_formed("<a x=\"<\"></a>"));
}

// A certificate with everything in it, all from mem.
static mw_certificate full_certificate(mw_arena *mem, int s, int n_io)
{
  enum { N = 7, BAND = 50 };
  mw_certificate c = {
    .n = N, .n_freq = 2, .n_io = n_io, .n_band = BAND, .zeta = 0.01, .tolerance = 1e-3
  };
  c.theta = mw_arena_f64(mem, N * (size_t)s);
  c.f_direct = mw_arena_f64(mem, 2 * N);
  c.f_rom = mw_arena_f64(mem, 2 * N);
  c.mac = mw_arena_f64(mem, 2 * N);
  c.static_error = mw_arena_f64(mem, N);
  c.stress_error = mw_arena_f64(mem, N);
  c.receptance_error = mw_arena_f64(mem, N);
  c.energy_left = mw_arena_f64(mem, N);
  c.io = mw_arena_alloc(mem, (size_t)n_io, sizeof *c.io);
  c.band = mw_arena_f64(mem, BAND);
  size_t size = (size_t)n_io * BAND;
  c.band_error = mw_arena_f64(mem, size);
  c.band_direct = mw_arena_f64(mem, size);
  c.band_rom = mw_arena_f64(mem, size);
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < s; k++) c.theta[i * s + k] = (i + 0.5) / N;
    for (int k = 0; k < 2; k++) {
      c.f_direct[2 * i + k] = 30.0 + k;
      c.f_rom[2 * i + k] = (30.0 + k) * (1.0 + 1e-5 * (i == 4 && k == 1 ? 30.0 : 1.0));
      c.mac[2 * i + k] = 1.0 - 1e-6 * i;
    }
    c.static_error[i] = 1e-5 * (i + 1);
    c.stress_error[i] = 1e-4 * (i + 1);
    c.receptance_error[i] = 1e-3 * (N - i);
    c.energy_left[i] = 1e-6 * (i + 1);
  }
  for (int r = 0; r < n_io; r++) {
    c.io[r] = mw_arena_printf(mem, "tool%d.x", r);
    for (int k = 0; k < BAND; k++) {
      double h = 1.0 / fabs(1.0 - k * k / 400.0 + 0.013);
      c.band[k] = 2.0 * k;
      c.band_direct[r * BAND + k] = 1e-8 * h;
      c.band_rom[r * BAND + k] = 1.001e-8 * h;
      c.band_error[r * BAND + k] = 1e-5 * (1.0 + r) * h;
    }
  }
  c.receptance_tolerance = 1e-2;
  c.worst_io = n_io - 1;
  c.worst_hz = 42.0;
  c.max_receptance_error = 1e-3 * N;
  c.worst = 4;
  c.max_frequency_error = 3e-4;
  c.min_mac = 1.0 - 1e-6 * (N - 1);
  c.max_static_error = 1e-5 * N;
  c.max_energy_left = 1e-6 * N;
  return c;
}

static void the_svg_holds_all_curves_and_is_well_formed(void)
{
  mw_arena mem = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 1, 2);
  x->f.certificate = full_certificate(&mem, 1, 2);
  mw_error err = { 0 };
  MW_OKAY(mw_arena_check(&mem, &err));
  char *svg = drawn(&x->f, ".svg");
  MW_CHECK(is_well_formed(svg) && !has_nan(svg));
  // two lines of frequencies, each in two colours; two rows: direct, reduced, error
  MW_CHECK(count(svg, "<polyline") == 4 + 2 * 3);
  MW_CHECK(count(svg, ">crossing 1–2 at x&lt;1&gt; = 0.3712 m, gap below ") == 1);
  MW_CHECK(count(svg, "aligned together: modes 1, 2") == 1);
  MW_CHECK(count(svg, ">|H| at tool0.x<") == 1 && count(svg, ">largest error, tool1.x<") == 1);
  MW_CHECK(count(svg, "frequencies: largest relative error 3.00e-04 at x&lt;1&gt; = 0.6429 m") ==
           1);
  free(svg);
  char *page = drawn(&x->f, ".html");
  MW_CHECK(count(page, "<svg xmlns") == 4 && count(page, "</html>") == 1);
  MW_CHECK(count(page, "two &amp; modes") == 2 && count(page, "two & modes") == 0);
  MW_CHECK(count(page, "<th>receptances</th><td>0.007</td><td>0.01</td><td>met</td>"
                       "<td>x&lt;1&gt; = 0.07143 m; tool1.x at 42 Hz</td>") == 1);
  free(page);
  free(x);
  mw_arena_free(&mem);
}

static void at_most_six_rows_of_receptances_are_drawn_the_worst_first(void)
{
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_rom_figures g = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 2, 2);
  x->f.certificate = full_certificate(&mem, 2, 9);  // errors grow with the row
  if (MW_OKAY(mw_rom_figures_build(&x->f, &g, &err)) && MW_CHECK(g.n == 2 + 2 + 1)) {
    const mw_figure *h = &g.figure[3];
    MW_CHECK(h->n_panel == 12 && h->n_col == 3);
    for (int k = 0; k < 6; k++) {
      char want[32];
      const mw_panel *p = &h->panel[6 * (k / 3) + k % 3];
      snprintf(want, sizeof want, "|H| at tool%d.x", 8 - k);
      MW_CHECK(strcmp(p->title, want) == 0 && p->n_curve == 2);
      MW_CHECK(p[3].n_curve == 1 && p[3].rule == 1e-2 &&
               p[3].curve[0].y == x->f.certificate.band_error + (8 - k) * 50);
    }
    MW_CHECK(g.figure[2].n_panel == 2 * 6);  // six quantities over two coordinates
  }
  mw_rom_figures_free(&g);
  free(x);
  mw_arena_free(&mem);
}

// Dots carry the number of their place in the file: [point × N_FREQ], last coordinate fastest.
static void dots_are_the_eigenanalyses_of_their_grid_line(void)
{
  mw_error err = { 0 };
  mw_rom_figures g = { 0 };
  two_modes q = TYPICAL;
  q.c = 1e4;
  fixture *x = fixture_rom(&q, 3, 2);
  if (MW_OKAY(mw_rom_figures_build(&x->f, &g, &err)) && MW_CHECK(g.n == 3 + 1 && g.n_line == 9))
    for (int axis = 0; axis < 3; axis++)
      for (int low = 0; low < 3; low++) {
        const mw_panel *p = &g.figure[axis].panel[low];
        const mw_dots *d = p->dots;
        int second = axis == 0 ? 1 : 0, at[3] = { 2, 2, 2 };
        at[second] = 2 * low;  // of 0 … 4
        if (!MW_CHECK(p->n_dots == 1 && d->n == N_GRID * N_FREQ)) continue;
        for (int k = 0; k < d->n; k++) {
          at[axis] = k / N_FREQ;
          int point = (at[0] * N_GRID + at[1]) * N_GRID + at[2];
          MW_CHECK(d->y[k] == point * N_FREQ + k % N_FREQ &&
                   d->group[k] == (k % N_FREQ < 2 ? k % N_FREQ : -1));
          MW_CHECK(d->x[k] == x->grid[axis][k / N_FREQ]);
        }
        MW_CHECK(g.line[3 * axis + low].at[second] == x->grid[second][at[second]]);
      }
  mw_rom_figures_free(&g);
  free(x);
}

static void coordinates_nothing_depends_on_have_no_frequencies_drawn(void)
{
  mw_error err = { 0 };
  mw_rom_figures g = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 2, 2);
  static const double slope[1] = { 0.0 };  // of no field
  x->f.rom.flat = 2u;
  x->f.rom.y_slope = slope;
  // the table of a flat axis has one record
  size_t n = (size_t)x->f.rom.n_field;
  for (size_t k = 1; k < N_TABLE + 2; k++)
    memmove(x->coef + k * n, x->coef + k * (N_TABLE + 2) * n, n * sizeof(double));
  if (MW_OKAY(mw_rom_figures_build(&x->f, &g, &err)) && MW_CHECK(g.n == 1 + 1)) {
    MW_CHECK(g.figure[0].n_panel == 1 && g.figure[0].panel[0].title[0] == '\0');
    MW_CHECK(fixture_approach(&g.line[0]).kind == MW_APPROACH_CROSSING);
    MW_CHECK(g.figure[1].panel[1].dots[1].n == 0);
  }
  mw_rom_figures_free(&g);
  free(x);
}

// Tables of 11 knots an axis; a train of ranks 2, 3 over the same: 11·2 + 11·2·3 + 3 fields.
static void storage_is_told_in_full_and_compressed(void)
{
  char text[512], want[512];
  fixture *x = fixture_rom(&TYPICAL, 2, 2);
  int nf = x->f.rom.n_field;
  mw_rom_storage_text(&x->f, text, sizeof text);
  snprintf(want, sizeof want, "tables of 11 × 11 records of %d numbers, %.3g kB", nf,
           8e-3 * 121 * nf);
  MW_CHECK(strcmp(text, want) == 0);
  x->f.rom.coef = NULL;
  const mw_rom_train train = {
    .n_field = nf, .rank = { 2, 3 }, .core = { x->coef, x->coef }, .field = x->coef
  };
  x->f.rom.n_train = 1;
  x->f.rom.train = &train;
  mw_rom_storage_text(&x->f, text, sizeof text);
  snprintf(
      want, sizeof want,
      "tensor trains over 11 × 11 records of %d numbers, ranks up to 3: %.3g kB instead of %.3g kB",
      nf, 8e-3 * (11 * 2 + 11 * 2 * 3 + 3 * nf), 8e-3 * 121 * nf);
  MW_CHECK(strcmp(text, want) == 0);
  mw_rom_storage_text(&x->f, text, 20);  // a short text is cut
  MW_CHECK(strlen(text) == 19 && strncmp(text, want, 19) == 0);
  free(x);
}

// Of a mirrored coordinate the table, and a grid without positions, cover the lower half.
static void mirrored_coordinates_have_their_points_in_the_lower_half(void)
{
  static const int mirror[3] = { 1, 1, 1 };
  static const double shift[1] = { 0.0 };
  mw_error err = { 0 };
  mw_rom_figures g = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 1, 2);
  x->f.rom.symmetric = 1u;
  x->f.rom.mirror = x->f.rom.mirror_y = mirror;
  x->f.rom.y_shift = shift;
  x->f.grid[0] = NULL;
  if (MW_OKAY(mw_rom_figures_build(&x->f, &g, &err)) && MW_CHECK(g.n == 2)) {
    const mw_dots *d = g.figure[1].panel[0].dots;
    MW_CHECK(d[0].x[N_GRID - 1] == 0.5 && d[1].x[N_TABLE - 1] == 0.5);
    // the table of the whole, TYPICAL, lies in half the width: K = … 2 b (θ − ref / 2), and its
    // mirror image
    double at[2] = { 0.5 * TYPICAL.ref, 1.0 - 0.5 * TYPICAL.ref };
    int n = 0;
    for (int k = 0; k < g.line[0].n_approach; k++)
      if (g.line[0].approach[k].kind == MW_APPROACH_CROSSING && MW_CHECK(n < 2))
        MW_NEAR(g.line[0].approach[k].x, at[n++],
                2.0 * fixture_rounding(&TYPICAL) / (4.0 * TYPICAL.b) + 1e-14);
    MW_CHECK(n == 2);
  }
  mw_rom_figures_free(&g);
  free(x);
}

static void what_a_file_does_not_have_is_left_out(void)
{
  for (int without = 0; without < 8; without++) {
    mw_arena mem = { 0 };
    fixture *x = fixture_rom(&TYPICAL, 1, without == 0 ? 0 : without == 1 ? 3 : 2);
    mw_certificate c = full_certificate(&mem, 1, without == 2 ? 0 : 1);
    if (without == 3) c = (mw_certificate){ 0 };
    if (without == 4) {
      c.stress_error = c.energy_left = c.static_error = c.mac = c.receptance_error = NULL;
      c.band_direct = NULL;
    }
    if (without == 5) {
      x->f.unit = NULL;
      x->f.grid[0] = NULL;
    }
    if (without == 6) {
      x->f.identity = NULL;
      x->f.cluster = NULL;
      x->f.frequency = NULL;
    }
    if (without == 7) {
      x->f.command = x->f.model_file = x->f.version = NULL;
      for (int i = 0; i < c.n; i++) c.mac[2 * i] = c.mac[2 * i + 1] = 1.0, c.static_error[i] = 0.0;
    }
    x->f.certificate = c;
    char *svg = drawn(&x->f, ".svg"), *page = drawn(&x->f, ".html");
    int curves = without == 0   ? 0
                 : without == 1 ? 5
                                : 4,
        rows = without == 2 || without == 3 || without == 4 ? 0 : 3;
    MW_CHECK(is_well_formed(svg) && !has_nan(svg) && count(svg, "<polyline") == curves + rows);
    MW_CHECK((count(svg, "strain energy") > 0) == (without != 3 && without != 4));
    MW_CHECK((count(page, "<h2>Certificate") > 0) == (without != 3));
    MW_CHECK(count(page, "(null)") == 0 && !has_nan(page));
    free(svg);
    free(page);
    free(x);
    mw_arena_free(&mem);
  }
}

static void pictures_of_another_kind_or_place_are_refused(void)
{
  mw_error err = { 0 };
  fixture *x = fixture_rom(&TYPICAL, 1, 2);
  MW_FAILS(mw_rom_picture(&x->f, "/tmp/picture.gif", &err), MW_ERR_INPUT);
  MW_FAILS(mw_rom_picture(&x->f, ".svg", &err), MW_ERR_INPUT);
  MW_FAILS(mw_rom_picture(&x->f, "/nowhere/at/all.svg", &err), MW_ERR_IO);
  free(x);
}

static void the_largest_value_is_found_and_nan_is_the_largest(void)
{
  double y[6] = { 1.0, 5.0, 2.0, 7.0, 3.0, 0.0 }, value = 0.0;
  MW_CHECK(mw_rom_worst(3, 2, y, &value) == 1 && value == 7.0);
  y[4] = NAN;
  MW_CHECK(mw_rom_worst(3, 2, y, &value) == 2 && isnan(value));
  MW_CHECK(mw_rom_worst(0, 2, y, &value) == -1 && mw_rom_worst(3, 2, NULL, &value) == -1);
}

// The list is one: what is judged is in the help of --json and on the page, whatever it is.
static void every_quantity_judged_is_in_the_help_and_on_the_page(void)
{
  static double stress[7], theta[1], force_theta[MW_MOTIONS];
  static const char *unit[2] = { "m", "Pa" };
  static double error[2] = { 1e-4, 2e-4 };
  mw_arena mem = { 0 };
  mw_error err = { 0 };
  mw_verdict v[MW_VERDICTS];
  fixture *x = fixture_rom(&TYPICAL, 1, 2);
  mw_certificate *c = &x->f.certificate;
  *c = full_certificate(&mem, 1, 2);
  MW_OKAY(mw_arena_check(&mem, &err));
  c->s = 1;
  c->stress_error = stress;
  c->n_motion = c->n_table = c->n_force = 1;
  c->table_theta = theta;
  c->table_field = "K[2,1]";
  c->force_theta = force_theta;
  c->n_weight = c->n_push = 1;
  c->weight_theta = theta;
  c->stress_stiffness_error = c->stuck = c->mass_error = c->weight_error = 1e-5;
  c->runs.n = 1;
  c->runs.n_quantity = 2;
  c->runs.unit = unit;
  c->runs.error = error;
  int n = mw_certificate_verdicts(c, v);
  MW_CHECK(n == 17 + MW_MOTIONS && n <= MW_VERDICTS);
  char *page = drawn(&x->f, ".html");
  for (int i = 0; i < n; i++) {
    char text[96];
    snprintf(text, sizeof text, "\"%s\"", v[i].key);
    if (!MW_CHECK(strstr(MW_CERTIFICATE_JSON, text) != NULL)) fprintf(stderr, "%s\n", text);
    snprintf(text, sizeof text, "<th>%s", v[i].name);
    if (!MW_CHECK(count(page, text) == 1)) fprintf(stderr, "%s\n", text);
  }
  MW_CHECK(count(page, "K[2,1]") == 1);
  free(page);
  free(x);
  mw_arena_free(&mem);
}

static const mw_test_case cases[] = {
  { "every_quantity_judged_is_in_the_help_and_on_the_page",
    every_quantity_judged_is_in_the_help_and_on_the_page },
  { "the_check_of_xml_finds_faults", the_check_of_xml_finds_faults },
  { "the_svg_holds_all_curves_and_is_well_formed", the_svg_holds_all_curves_and_is_well_formed },
  { "at_most_six_rows_of_receptances_are_drawn_the_worst_first",
    at_most_six_rows_of_receptances_are_drawn_the_worst_first },
  { "dots_are_the_eigenanalyses_of_their_grid_line",
    dots_are_the_eigenanalyses_of_their_grid_line },
  { "coordinates_nothing_depends_on_have_no_frequencies_drawn",
    coordinates_nothing_depends_on_have_no_frequencies_drawn },
  { "storage_is_told_in_full_and_compressed", storage_is_told_in_full_and_compressed },
  { "mirrored_coordinates_have_their_points_in_the_lower_half",
    mirrored_coordinates_have_their_points_in_the_lower_half },
  { "what_a_file_does_not_have_is_left_out", what_a_file_does_not_have_is_left_out },
  { "pictures_of_another_kind_or_place_are_refused",
    pictures_of_another_kind_or_place_are_refused },
  { "the_largest_value_is_found_and_nan_is_the_largest",
    the_largest_value_is_found_and_nan_is_the_largest },
};

int main(void) { return mw_test_run("rompicture", cases, (int)(sizeof cases / sizeof *cases)); }
